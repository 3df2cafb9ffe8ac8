// TLS: certificates that nobody should accept, and servers that do not speak it. What proves a certificate wrong
// proves that no request was sent.

import { landed, notSent, unknown } from "../outcomes.mjs";
import { reply, trade } from "../replies.mjs";

const sell = (exchange) => exchange.end(reply(200, trade()));
const refusedCertificate = (tls) => ({
  name: `a certificate that is ${tls}`,
  tls,
  script: sell,
  expect: unknown("network_error"),
  posts: 0,
  on: Object.fromEntries(["node", "node:http of node", "bun"].map((family) => [family, { expect: notSent("connect_failed") }])),
});

export const rows = [
  // Browsers can be told to trust an authority only by ways that would spoil the other rows.
  { name: "a certificate that is good", tls: "good", script: sell, expect: landed(), not: ["browser"] },
  { name: "a certificate that is good, for a name", tls: "good", host: "localhost", script: sell, expect: landed(), not: ["browser"] },
  refusedCertificate("self-signed"),
  refusedCertificate("expired"),
  refusedCertificate("wrong-host"),
];
