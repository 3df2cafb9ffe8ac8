// Statuses: redirects, refusals, errors of the service, and when to come back.

import { between, either, landed, notSent, rejected, unknown } from "../outcomes.mjs";
import { answers, gzipped, reply, trade } from "../replies.mjs";

/** A browser does not show which redirect it was told not to follow. */
const redirected = (status) => ({
  expect: unknown("redirected", { status }),
  on: { browser: { expect: unknown("redirected", { status: 0 }) } },
});
const redirects = [301, 302, 303, 307, 308].flatMap((status) => [
  {
    name: `${status} to itself`,
    ownOrigin: true,
    script: (exchange) => exchange.end(reply(status, "", { location: "/v1/trade/buy" })),
    ...redirected(status),
  },
  {
    name: `${status} elsewhere`,
    ownOrigin: true,
    script: (exchange) => exchange.end(reply(status, "", { location: `${exchange.elsewhere}/v1/trade/buy` })),
    ...redirected(status),
  },
]);
const likeRedirects = [
  answers("307 without a location", reply(307, ""), unknown("redirected", { status: 307 }), {
    on: { browser: { expect: unknown("redirected", { status: either(0, 307) }) } },
  }),
  answers("307 to nowhere", reply(307, "", { location: "http://[" }), unknown(either("redirected", "network_error"))),
  answers("300", reply(300, "", { location: "/v1/trade/buy" }), unknown("redirected", { status: 300 })),
  answers("304", reply(304, null), unknown("redirected", { status: 304 })),
  answers("305", reply(305, "", { location: "/v1/trade/buy" }), unknown("redirected", { status: 305 })),
  {
    name: "200 that says where to go",
    script: (exchange) =>
      exchange.end(
        reply(200, trade(), {
          location: `${exchange.elsewhere}/a`,
          refresh: `0; url=${exchange.elsewhere}/b`,
          link: `<${exchange.elsewhere}/c>; rel=preload`,
        }),
      ),
    expect: landed(),
  },
];

const refusals = [
  ...[400, 404, 405, 413, 415, 422].map((status) =>
    answers(
      `${status}`,
      reply(status, '{"message":"no"}'),
      rejected("rejected_by_service", { status, serviceMessage: "no" }),
    ),
  ),
  ...[401, 403].map((status) =>
    answers(
      `${status}`,
      reply(status, '{"error":{"message":"no"}}'),
      rejected("unauthorized", { status, serviceMessage: "no" }),
    ),
  ),
];

// The service made the trade, but answers with a refusal.
const made = answers(
  "400 whose body is a trade that landed",
  reply(400, trade()),
  unknown("contradictory_reply", { status: 400, evidence: trade().slice(0, 512) }),
);

// What nobody can read rules no trade out.
const unreadable = [
  ["gzip that is not said to be gzip", gzipped(trade())],
  ["UTF-16", Buffer.from(trade(), "utf16le")],
].map(([name, body]) =>
  answers(`400 whose body is ${name}`, reply(400, body), unknown("unreadable_reply", { status: 400 })),
);

// To a page of the server's own origin, a browser would show a window that asks for a password, and wait.
const challenges = ["Basic realm=x", "Digest realm=x, nonce=y", "Negotiate", "Bearer"].map((challenge) =>
  answers(
    `401 that asks for ${challenge.split(" ")[0]}`,
    reply(401, "", { "www-authenticate": challenge }),
    rejected("unauthorized", { status: 401 }),
  ),
);

const open = [
  ...[402, 408, 409, 410, 425, 426, 431, 499].map((status) =>
    answers(`${status}`, reply(status, "{}"), unknown("unexpected_status", { status })),
  ),
  // The Fetch standard requires a client to resend on a new connection. Bun, Deno and workerd do not.
  answers("421", reply(421, "{}"), unknown("unexpected_status", { status: 421 }), {
    on: { node: { posts: 2 }, browser: { posts: 2 } },
    ownOrigin: true,
  }),
  answers(
    "407, which only a proxy may say",
    reply(407, "", { "proxy-authenticate": "Basic realm=x" }),
    unknown(either("unexpected_status", "network_error")),
  ),
  answers(
    "425 with when to come back",
    reply(425, "", { "retry-after": "1" }),
    unknown("unexpected_status", { status: 425, retryAfterMs: 1_000 }),
  ),
];

const errors = [
  ...[500, 502, 503, 504, 511, 599].map((status) =>
    answers(
      `${status}`,
      reply(status, "upstream error"),
      unknown("service_error", { status, serviceMessage: "upstream error" }),
    ),
  ),
  answers(
    "503 before the trade is made",
    reply(503, "", { "retry-after": "2" }),
    unknown("service_error", { status: 503, retryAfterMs: 2_000 }),
  ),
  answers(
    "503 whose body breaks off",
    reply(503, "busy", { "content-length": 100 }),
    unknown("service_error", { status: 503 }),
  ),
  answers("600", reply(600, "{}"), unknown(either("unexpected_status", "network_error"))),
  answers("999", reply(999, "{}"), unknown(either("unexpected_status", "network_error"))),
];

// A trader who knows the service sets what its statuses mean. Successes and the runtime's own statuses cannot be set.
const POLICY = { 302: "rejected", 404: "unknown", 409: "rejected", 500: "unknown", 503: "rejected" };
const declared = (status, expect, more = {}) => ({
  name: `${status} that the trader declared ${POLICY[status]}`,
  options: { statusPolicy: POLICY },
  script: (exchange) => exchange.end(reply(status, '{"message":"no"}', { "retry-after": "7" })),
  expect,
  ...more,
});
const toUnknown = (status, code) =>
  declared(status, unknown(code, { status, serviceMessage: "no", retryAfterMs: 7_000, evidence: '{"message":"no"}' }));
const policies = [
  declared(
    409,
    rejected("rejected_by_service", { status: 409, serviceMessage: "no", retryAfterMs: 7_000, evidence: undefined }),
  ),
  // A browser hides which redirect it was told not to follow, and nobody can declare what a 0 means.
  declared(302, rejected("rejected_by_service", { status: 302 }), {
    on: { browser: { expect: unknown("redirected", { status: 0 }) } },
  }),
  toUnknown(404, "unexpected_status"),
  toUnknown(500, "service_error"),
  {
    name: "503 that the trader declared rejected, and whose body breaks off",
    options: { statusPolicy: POLICY },
    script: (exchange) => exchange.end(reply(503, "busy", { "content-length": 100 })),
    expect: unknown("network_error"),
    on: { firefox: { expect: rejected("rejected_by_service", { status: 503 }) } },
  },
  {
    name: "what the trader declared rejected is not sent again, though told to",
    options: { statusPolicy: POLICY, retryNotSent: 5 },
    script: (exchange) => exchange.end(reply(503, "", { "retry-after": "0" })),
    expect: rejected("rejected_by_service", { status: 503, retryAfterMs: 0 }),
  },
  // No policy can turn a refusal into a trade, or a success into a refusal: the client is not created.
  ...[{ 200: "rejected" }, { 409: "landed" }, { 99: "unknown" }, { 600: "rejected" }].map((statusPolicy) => ({
    name: `a policy that cannot be: ${JSON.stringify(statusPolicy)}`,
    task: "refusedClient",
    options: { statusPolicy },
    script: () => {},
    expect: notSent("invalid_options"),
    posts: 0,
  })),
];

const HOUR = 3_600_000;
/** Over a month is reported as the most that 32 bits hold. */
const LONGEST = 2 ** 32 - 1;

const limited = (retryAfterMs) => rejected("rate_limited", { status: 429, retryAfterMs });
const retryAfter = (name, value, expected) =>
  answers(`429, retry-after ${name}`, reply(429, "", { "retry-after": value }), limited(expected));
const retries = [
  answers("429", reply(429, '{"message":"slow down"}'), limited(undefined)),
  retryAfter("in seconds", "7", 7_000),
  retryAfter("with spaces", "  7  ", 7_000),
  {
    name: "429, retry-after an HTTP date",
    // A row has all the time that it needs until it is compared.
    script: (exchange) => exchange.end(reply(429, "", { "retry-after": new Date(Date.now() + HOUR).toUTCString() })),
    expect: limited(between(HOUR - 600_000, HOUR + 1_000)),
  },
  retryAfter("garbage", "soon", undefined),
  retryAfter("empty", "", undefined),
  retryAfter("huge", "99999999999999999999999", LONGEST),
  retryAfter("twice", ["1", "2"], undefined),
];

export const rows = [
  ...redirects,
  ...likeRedirects,
  ...refusals,
  made,
  ...unreadable,
  ...challenges,
  ...open,
  ...errors,
  ...policies,
  ...retries,
];
