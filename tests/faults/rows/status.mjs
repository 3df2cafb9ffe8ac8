// Statuses: redirects, refusals, errors of the service, and when to come back.

import { between, either, failed, landed, notSent, rejected, unknown } from "../outcomes.mjs";
import { answers, reply, trade, tradeOf } from "../replies.mjs";

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
const made = [400, 401, 403, 404, 405, 413, 415, 422, 429].map((status) =>
  answers(
    `${status} whose body is a trade that landed`,
    reply(status, trade()),
    unknown("contradictory_reply", { status, evidence: trade().slice(0, 512) }),
  ),
);
const madeInPart = [
  answers(
    "400 with a signature",
    reply(400, '{"error":"timeout","signature":"5Kt"}'),
    unknown("contradictory_reply", { status: 400, serviceMessage: "timeout" }),
  ),
  answers(
    "404 with a transaction that failed",
    reply(
      404,
      trade(({ result }) =>
        Object.assign(result.transactionResult, { success: false, results: "custom program error: 0x1772" }),
      ),
    ),
    failed("transaction_failed", { status: 404 }),
  ),
  answers(
    "422 with the start of a trade",
    reply(422, trade().slice(0, -10)),
    unknown("contradictory_reply", { status: 422 }),
  ),
];

// To a page of the server's own origin, a browser would show a window that asks for a password, and wait.
const challenges = ["Basic realm=x", "Digest realm=x, nonce=y", "Negotiate", "Bearer"].map((challenge) =>
  answers(
    `401 that asks for ${challenge.split(" ")[0]}`,
    reply(401, "", { "www-authenticate": challenge }),
    rejected("unauthorized", { status: 401 }),
  ),
);

const open = [
  ...[402, 406, 408, 409, 410, 411, 418, 423, 424, 425, 426, 428, 431, 451, 499].map((status) =>
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
  ...[500, 501, 502, 503, 504, 505, 507, 508, 511, 520, 524, 598, 599].map((status) =>
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
  {
    name: "500 after the trade was made",
    script: async (exchange) => (
      await exchange.wait(100),
      exchange.end(reply(500, '{"message":"no answer from the chain"}'))
    ),
    expect: unknown("service_error", { status: 500, serviceMessage: "no answer from the chain" }),
  },
  answers("500 whose body is a trade that landed", reply(500, trade()), unknown("service_error", { status: 500 })),
  answers(
    "503 whose body breaks off",
    reply(503, "busy", { "content-length": 100 }),
    unknown("service_error", { status: 503 }),
  ),
  answers("600", reply(600, "{}"), unknown(either("unexpected_status", "network_error"))),
  answers("999", reply(999, "{}"), unknown(either("unexpected_status", "network_error"))),
];

// A trader who knows the service sets what its statuses mean. Successes and the runtime's own statuses cannot be set.
const POLICY = {
  302: "rejected",
  400: "unknown",
  404: "unknown",
  409: "rejected",
  422: "rejected",
  429: "unknown",
  500: "unknown",
  503: "rejected",
};
const declared = (status, expect, more = {}) => ({
  name: `${status} that the trader declared ${POLICY[status]}`,
  options: { statusPolicy: POLICY },
  script: (exchange) => exchange.end(reply(status, '{"message":"no"}', { "retry-after": "7" })),
  expect,
  ...more,
});
const toRejected = (status) =>
  declared(
    status,
    rejected("rejected_by_service", { status, serviceMessage: "no", retryAfterMs: 7_000, evidence: undefined }),
  );
const toUnknown = (status, code) =>
  declared(status, unknown(code, { status, serviceMessage: "no", retryAfterMs: 7_000, evidence: '{"message":"no"}' }));
const policies = [
  ...[409, 422, 503].map(toRejected),
  // A browser hides which redirect it was told not to follow, and nobody can declare what a 0 means.
  declared(302, rejected("rejected_by_service", { status: 302 }), {
    on: { browser: { expect: unknown("redirected", { status: 0 }) } },
  }),
  ...[400, 404, 429].map((status) => toUnknown(status, "unexpected_status")),
  toUnknown(500, "service_error"),
  {
    name: "403, 502 and 200 that the trader declared nothing of",
    calls: 3,
    options: { statusPolicy: POLICY },
    script: (exchange) => exchange.end(reply([403, 502, 200][exchange.call], tradeOf(exchange))),
    expect: [unknown("contradictory_reply", { status: 403 }), unknown("service_error"), landed()],
  },
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
  {
    name: "an intent that the trader's policy calls rejected may be sent again",
    calls: 2,
    call: { intentId: "intent-1" },
    options: { statusPolicy: POLICY },
    script: (exchange) => exchange.end(exchange.call ? reply(200, trade()) : reply(409, "")),
    expect: [rejected("rejected_by_service", { status: 409 }), landed()],
  },
  {
    name: "an intent that the trader's policy calls unknown is not sent again",
    calls: 2,
    call: { intentId: "intent-1" },
    options: { statusPolicy: POLICY },
    script: (exchange) => exchange.end(reply(404, "")),
    expect: [unknown("unexpected_status", { status: 404 }), notSent("intent_unknown")],
    posts: [1, 0],
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
const WEEKDAYS = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"];

/** RFC 9110's three forms of a date (5.6.7). */
const dates = {
  "an HTTP date": (date) => date.toUTCString(),
  "a date as RFC 850 has it": (date) => {
    const [, day, month, year, time] = date.toUTCString().split(" ");
    return `${WEEKDAYS[date.getUTCDay()]}, ${day}-${month}-${year.slice(2)} ${time} GMT`;
  },
  "a date as asctime has it": (date) => {
    const [weekday, , month, year, time] = date.toUTCString().split(" ");
    return `${weekday.slice(0, 3)} ${month} ${String(date.getUTCDate()).padStart(2)} ${time} ${year}`;
  },
};
const inAnHour = (form) => form(new Date(Date.now() + HOUR));

/** Over a month is reported as the most that 32 bits hold. */
const LONGEST = 2 ** 32 - 1;

const limited = (retryAfterMs) => rejected("rate_limited", { status: 429, retryAfterMs });
const retryAfter = (name, value, expected) =>
  answers(`429, retry-after ${name}`, reply(429, "", { "retry-after": value }), limited(expected));
const retries = [
  answers("429", reply(429, '{"message":"slow down"}'), limited(undefined)),
  retryAfter("in seconds", "7", 7_000),
  retryAfter("of nothing", "0", 0),
  retryAfter("with spaces", "  7  ", 7_000),
  retryAfter("with zeros", "007", 7_000),
  retryAfter("of a day", "86400", 86_400_000),
  ...Object.entries(dates).map(([name, form]) => ({
    name: `429, retry-after ${name}`,
    // A row has all the time that it needs until it is compared.
    script: (exchange) => exchange.end(reply(429, "", { "retry-after": inAnHour(form) })),
    expect: limited(between(HOUR - 600_000, HOUR + 1_000)),
  })),
  retryAfter("a date that is past", "Wed, 21 Oct 2015 07:28:00 GMT", 0),
  retryAfter("a date that there is not", "Wed, 99 Foo 2015 07:28:00 GMT", undefined),
  retryAfter("a date without a time", "Wed, 21 Oct 2015", undefined),
  retryAfter("garbage", "soon", undefined),
  retryAfter("empty", "", undefined),
  retryAfter("negative", "-3", undefined),
  retryAfter("with a sign", "+3", undefined),
  retryAfter("of a fraction", "1.5", undefined),
  retryAfter("in powers of ten", "1e3", undefined),
  retryAfter("in hexadecimal", "0x10", undefined),
  retryAfter("huge", "99999999999999999999999", LONGEST),
  retryAfter("as large as 64 bits", "18446744073709551615", LONGEST),
  retryAfter("twice", ["1", "2"], undefined),
  retryAfter("in two units", "7, 8", undefined),
  answers(
    "503, retry-after in seconds",
    reply(503, "", { "retry-after": "7" }),
    unknown("service_error", { status: 503, retryAfterMs: 7_000 }),
  ),
];

export const rows = [
  ...redirects,
  ...likeRedirects,
  ...refusals,
  ...made,
  ...madeInPart,
  ...challenges,
  ...open,
  ...errors,
  ...policies,
  ...retries,
];
