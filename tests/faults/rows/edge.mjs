// A page that trades through the edge gateway: what it forwards reaches the service once, whatever its outcome. Nothing
// from the service makes a browser resend; the page's connection may fail in any way.

import { either, landed, rejected, unknown } from "../outcomes.mjs";
import { KEPT, reply, trade, tradeOf } from "../replies.mjs";

const throughTheEdge = (name, script, expect, more = {}) => ({
  name: `through the edge gateway: ${name}`,
  only: ["through the edge gateway"],
  script,
  expect,
  ...more,
});
const secondCall = (name, script, expect, more = {}) =>
  throughTheEdge(
    name,
    (exchange) => (exchange.call === 0 ? exchange.send(reply(200, trade(), KEPT)) : script(exchange)),
    [landed(), expect],
    { calls: 2, ...more },
  );

/** The second call's first request is broken on its way, and repeated by the browser or by the client: one forward, and its answer. */
const broken = (name, wire) =>
  throughTheEdge(`a wire that ${name}`, (exchange) => exchange.send(reply(200, tradeOf(exchange), KEPT)), landed(), {
    calls: 2,
    options: { gateway: true },
    wire: async (exchange, pass) =>
      exchange.call === 1 && exchange.time === 1 ? wire(exchange, pass) : exchange.send(await pass()),
  });

const inDoubt = unknown(either("network_error", "redirected", "unexpected_status", "service_error"));

export const rows = [
  throughTheEdge("a trade", (exchange) => exchange.end(reply(200, trade())), landed()),
  throughTheEdge(
    "a refusal",
    (exchange) => exchange.end(reply(400, '{"message":"no"}')),
    rejected("rejected_by_service", { status: 400, serviceMessage: "no" }),
  ),
  throughTheEdge(
    "a redirect",
    (exchange) => exchange.end(reply(307, "", { location: `${exchange.elsewhere}/v1/trade/buy` })),
    inDoubt,
  ),
  throughTheEdge("a connection that closes before the headers", (exchange) => exchange.end(), inDoubt),
  throughTheEdge(
    "a connection that closes in the body",
    (exchange) => exchange.end(reply(200, trade()).subarray(0, -20)),
    inDoubt,
  ),
  secondCall("a kept connection that closes under the second request", (exchange) => exchange.end(), inDoubt),
  secondCall("a kept connection that is reset under the second request", (exchange) => exchange.reset(), inDoubt),
  secondCall(
    "a kept connection that answers the second request with 408",
    (exchange) => exchange.end(reply(408, "")),
    inDoubt,
  ),
  secondCall(
    "a kept connection that answers the second request with 421",
    (exchange) => exchange.end(reply(421, "")),
    inDoubt,
  ),
  broken("closes before the gateway has the request", (exchange) => exchange.end()),
  broken("closes once the gateway has answered", async (exchange, pass) => (await pass(), exchange.end())),
  broken("is reset once the gateway has answered", async (exchange, pass) => (await pass(), exchange.reset())),
  broken("is reset while the gateway works", (exchange, pass) => (pass(), exchange.reset())),
  broken("closes in the middle of the answer", async (exchange, pass) => exchange.end((await pass()).subarray(0, -20))),
  broken(
    "answers 408 once the gateway has answered",
    async (exchange, pass) => (await pass(), exchange.end(reply(408, ""))),
  ),
  broken(
    "answers 421 once the gateway has answered",
    async (exchange, pass) => (await pass(), exchange.end(reply(421, ""))),
  ),
  broken("answers 502 while the gateway works", (exchange, pass) => (pass(), exchange.end(reply(502, "")))),
];
