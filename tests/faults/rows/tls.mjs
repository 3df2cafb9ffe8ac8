// TLS: certificates that nobody should accept, and servers that do not speak it. A certificate that does not
// hold proves to the package's own transports that no request was sent, and to no other.

import { landed, notSent, unknown } from "../outcomes.mjs";
import { KEPT, reply, trade } from "../replies.mjs";

const sell = (exchange) => exchange.end(reply(200, trade()));
const refusedCertificate = (tls) => ({
  name: `a certificate that is ${tls}`,
  tls,
  script: sell,
  expect: unknown("network_error"),
  posts: 0,
  on: { "node:http of node": { expect: notSent("connect_failed") }, reqwest: { expect: notSent("connect_failed") } },
});

/** There is a connection but no handshake: nothing can have been sent, which only `nodeFetch` can prove. */
const givenUpWhileItOpens = (name, more, code) => ({
  name: `a handshake that is never answered, ${name}`,
  tls: "unanswered",
  script: sell,
  ...more,
  expect: unknown(code),
  posts: 0,
  on: { "node:http of node": { expect: notSent(`${code}_before_send`) } },
});

const NOT_IN_A_PAGE = { tls: "good", not: ["browser"] };

export const rows = [
  givenUpWhileItOpens("until the deadline", { call: { timeoutMs: 500 } }, "timeout"),
  givenUpWhileItOpens(
    "until the caller aborts",
    { call: { abort: { when: "after a while", reason: "error" } } },
    "aborted",
  ),
  // Browsers trust an extra authority only by settings that would spoil the other rows.
  { name: "a certificate that is good", ...NOT_IN_A_PAGE, script: sell, expect: landed() },
  {
    name: "a certificate that is good, for a name",
    ...NOT_IN_A_PAGE,
    host: "localhost",
    script: sell,
    expect: landed(),
  },
  // After the handshake the request has left: a trade given up then may have been made.
  {
    name: "reads over TLS and never answers, until the deadline",
    ...NOT_IN_A_PAGE,
    call: { timeoutMs: 8_000 },
    script: () => {},
    expect: unknown("timeout"),
  },
  {
    name: "closes over TLS before the headers",
    ...NOT_IN_A_PAGE,
    script: (exchange) => exchange.end(),
    expect: unknown("network_error"),
    on: { "deno, body kept": { posts: 2 } },
  },
  {
    name: "a kept connection over TLS is never answered the second time",
    ...NOT_IN_A_PAGE,
    calls: 2,
    call: [{}, { timeoutMs: 8_000 }],
    script: (exchange) => exchange.call === 0 && exchange.send(reply(200, trade(), KEPT)),
    expect: [landed(), unknown("timeout")],
  },
  refusedCertificate("self-signed"),
  refusedCertificate("expired"),
  refusedCertificate("wrong-host"),
];
