// A page that trades through the edge worker: what the worker forwards reaches the service once, whatever becomes of it,
// and the browser is given no answer at which it would send again.

import { either, landed, rejected, unknown } from "../outcomes.mjs";
import { KEPT, reply, trade } from "../replies.mjs";

const throughTheEdge = (name, script, expect, more = {}) => ({ name: `through the edge worker: ${name}`, only: ["through the edge worker"], script, expect, ...more });
const secondCall = (name, script, expect, more = {}) =>
  throughTheEdge(name, (exchange) => (exchange.call === 0 ? exchange.send(reply(200, trade(), KEPT)) : script(exchange)), [landed(), expect], { calls: 2, ...more });

const inDoubt = unknown(either("service_error", "unexpected_status"));

export const rows = [
  throughTheEdge("a trade", (exchange) => exchange.end(reply(200, trade())), landed()),
  throughTheEdge("a refusal", (exchange) => exchange.end(reply(400, '{"message":"no"}')), rejected("rejected_by_service", { status: 400, serviceMessage: "no" })),
  throughTheEdge("a redirect", (exchange) => exchange.end(reply(307, "", { location: `${exchange.elsewhere}/v1/trade/buy` })), inDoubt),
  throughTheEdge("a connection that closes before the headers", (exchange) => exchange.end(), inDoubt),
  throughTheEdge("a connection that closes in the body", (exchange) => exchange.end(reply(200, trade()).subarray(0, -20)), inDoubt),
  secondCall("a kept connection that closes under the second request", (exchange) => exchange.end(), inDoubt),
  secondCall("a kept connection that is reset under the second request", (exchange) => exchange.reset(), inDoubt),
  secondCall("a kept connection that answers the second request with 408", (exchange) => exchange.end(reply(408, "")), inDoubt),
  secondCall("a kept connection that answers the second request with 421", (exchange) => exchange.end(reply(421, "")), inDoubt),
];
