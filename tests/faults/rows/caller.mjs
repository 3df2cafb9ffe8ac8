// What the caller does: aborts, deadlines, signals; and what a service may echo. The last of them makes workerd's own `abort`
// throw.

import { landed, notSent, rejected, unknown } from "../outcomes.mjs";
import { reply, trade, tradeOf } from "../replies.mjs";

const REASONS = ["none", "undefined", "null", "text", "number", "symbol", "error", "frozen", "hostile"];

// workerd's own `abort` throws at the last of them.
const noWorkerd = (reason) => (reason === "hostile" ? ["workerd"] : []);
const aborts = REASONS.flatMap((reason) => [
  {
    name: `aborted before, with ${reason}`,
    not: noWorkerd(reason),
    call: { abort: { when: "before", reason } },
    script: () => {},
    expect: notSent("aborted_before_send"),
    posts: 0,
  },
  {
    name: `aborted once it arrived, with ${reason}`,
    not: noWorkerd(reason),
    call: { abort: { when: "once it arrived", reason } },
    script: () => {},
    expect: unknown("aborted"),
  },
]);

const deadlines = [
  ["over 2³¹ − 1", 2 ** 31],
  ["of nothing", 0],
  ["negative", -1],
].map(([name, timeoutMs]) => ({
  name: `a deadline ${name}`,
  call: { timeoutMs },
  script: () => {},
  expect: notSent("invalid_options"),
  posts: 0,
}));

const land = (exchange) => exchange.end(reply(200, tradeOf(exchange)));
const hangUp = (exchange) => exchange.end();
const lost = unknown("network_error");

/** Deno resends if it has kept the body, so each send arrives twice. */
const onDeno = (posts) => ({ on: { "deno, body kept": { posts } } });

const notAgain = [
  {
    name: "what arrived and was lost is not sent again, though told to",
    options: { retryNotSent: 5 },
    script: hangUp,
    expect: lost,
    ...onDeno(2),
  },
  {
    name: "what was refused is not sent again, though told to",
    options: { retryNotSent: 5 },
    script: (exchange) => exchange.end(reply(429, "", { "retry-after": "0" })),
    expect: rejected("rate_limited", { retryAfterMs: 0 }),
  },
  {
    name: "what the service failed at is not sent again, though told to",
    options: { retryNotSent: 5 },
    script: (exchange) => exchange.end(reply(503, "", { "retry-after": "0" })),
    expect: unknown("service_error", { retryAfterMs: 0 }),
  },
  {
    name: "an unresolved intent is not sent again",
    calls: 2,
    call: { intentId: "intent-1" },
    script: hangUp,
    expect: [lost, notSent("intent_unknown")],
    posts: [1, 0],
    ...onDeno([2, 0]),
  },
];
const echoes = [
  [
    "400",
    (key) => reply(400, JSON.stringify({ message: `bad key ${key}` })),
    rejected("rejected_by_service", { status: 400 }),
  ],
  [
    "a trade that landed",
    (key) =>
      reply(
        200,
        trade(({ result }) => (result.mint = key)),
      ),
    landed(),
  ],
].map(([name, answer, expect]) => ({
  name: `the key echoed in ${name}`,
  script: (exchange) => exchange.end(answer(exchange.request.headers["x-api-key"])),
  expect,
}));

export const rows = [
  ...aborts,
  { name: "the longest deadline", call: { timeoutMs: 2 ** 31 - 1 }, script: land, expect: landed() },
  ...deadlines,
  ...notAgain,
  ...echoes,
  { name: "40 calls at once", calls: 40, parallel: 40, script: land, expect: landed() },
  {
    name: "10,000 calls with one signal leave no listener on it",
    task: "sharedSignal",
    calls: 10_000,
    script: () => {},
    expect: [{ settled: "count", landed: 10_000, listenedWhileUnderWay: true, left: 0, leftBySignal: 0 }],
    posts: 0,
  },
];
