// HTTP/2. A server may say that it did not look at a request (REFUSED_STREAM, or a GOAWAY that names an earlier one): then
// a client may send it again, and all do (RFC 9113, 8.7). Without that it may not.

import { either, landed, oneOf, unknown } from "../outcomes.mjs";
import { CANCEL, ENHANCE_YOUR_CALM, INTERNAL_ERROR, NO_ERROR, REFUSED_STREAM } from "../http2.mjs";
import { trade, tradeOf } from "../replies.mjs";

const lost = unknown(either("network_error", "unreadable_reply"));
const over2 = (name, script, expect, more = {}) => ({
  name: `HTTP/2: ${name}`,
  http2: true,
  only: ["http2"],
  script,
  expect,
  ...more,
});
/** The first call lands; `script` has the second, on the same connection. */
const second = (name, script, expect, more = {}) =>
  over2(
    `${name}, on a used connection`,
    (exchange) => (exchange.call === 0 ? exchange.answer(200, tradeOf(exchange)) : script(exchange)),
    [landed(), expect],
    { calls: 2, ...more },
  );
const land = (exchange) => exchange.answer(200, tradeOf(exchange));
/** Does this the first time, and lands the repetition. */
const once = (script) => (exchange) => (exchange.time === 1 ? script(exchange) : land(exchange));

// What runtimes did by themselves. In a browser the preflight has used the connection before.

const DENO_MAY = { "deno, body kept": { posts: either(1, 2) } };
const CHROMIUM_TWICE = { chromium: { posts: 2 } };
/** Firefox tries as often as it tries anything. */
const FIREFOX_TEN_TIMES = { firefox: { posts: 10 } };
const UNTOLD = { expect: lost, posts: 1 };

export const rows = [
  over2("a trade", land, landed()),
  over2("two trades", land, landed(), { calls: 2 }),
  over2("many trades at once", land, landed(), { calls: 20, parallel: 20 }),
  over2("the connection closes", (exchange) => exchange.close(), lost, { on: { ...DENO_MAY, ...CHROMIUM_TWICE } }),
  second("the connection closes", (exchange) => exchange.close(), lost, {
    on: { "deno, body kept": { posts: [1, either(1, 2)] }, chromium: { posts: [1, 2] } },
  }),
  over2("reset for an error of its own", (exchange) => exchange.reset(INTERNAL_ERROR), lost, { on: FIREFOX_TEN_TIMES }),
  over2("reset, to be calm", (exchange) => exchange.reset(ENHANCE_YOUR_CALM), lost, { on: FIREFOX_TEN_TIMES }),
  over2("reset as cancelled", (exchange) => exchange.reset(CANCEL), lost),
  over2("ended without an answer", (exchange) => exchange.reset(NO_ERROR), lost),
  over2(
    "reset in the body",
    async (exchange) => (await exchange.begin(200, trade().slice(0, 50)), exchange.reset(INTERNAL_ERROR)),
    lost,
  ),
  over2(
    "the connection closes in the body",
    async (exchange) => (await exchange.begin(200, trade().slice(0, 50)), exchange.close()),
    lost,
  ),
  // Browsers go by the end of the stream.
  over2(
    "a body that is shorter than it says",
    (exchange) => exchange.answer(200, trade(), { "content-length": 10_000 }),
    lost,
    { on: { chromium: { expect: landed() }, firefox: { expect: landed() } } },
  ),
  over2(
    "a farewell that names this request as looked at",
    (exchange) => exchange.goAway(NO_ERROR, exchange.stream.id),
    lost,
    { on: { ...DENO_MAY, ...CHROMIUM_TWICE } },
  ),
  over2(
    "a farewell with an error that names this request as looked at",
    (exchange) => exchange.goAway(INTERNAL_ERROR, exchange.stream.id),
    lost,
    { on: { ...DENO_MAY, ...CHROMIUM_TWICE } },
  ),
  over2(
    "refused, as not looked at",
    once((exchange) => exchange.reset(REFUSED_STREAM)),
    landed(),
    { posts: 2, on: { "deno, body in a blob": UNTOLD } },
  ),
  over2(
    "a farewell that names an earlier request",
    once((exchange) => exchange.goAway(NO_ERROR, Math.max(exchange.stream.id - 2, 0))),
    landed(),
    {
      posts: 2,
      on: { "deno, body kept": { expect: oneOf(lost, landed()), posts: either(1, 2) }, "deno, body in a blob": UNTOLD },
    },
  ),
  over2("a redirect", (exchange) => exchange.answer(307, "", { location: "/v1/trade/buy" }), unknown("redirected")),
  over2("421", (exchange) => exchange.answer(421, "{}"), unknown("unexpected_status", { status: 421 }), {
    on: { ...CHROMIUM_TWICE, firefox: { posts: 2 } },
  }),
];
