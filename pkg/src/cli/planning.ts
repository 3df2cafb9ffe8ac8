// Plans of the commands and of an agent: how they are made, and how they come into the record.

import type { Operation, Plan, RequestOf } from "launchpad-desk";
import { type Body, walletsOf } from "../body.js";
import { within } from "../bound.js";
import { SIDES } from "../generated.js";
import type { Desk } from "./desk.js";

/** For how long a sell of a person or an agent waits for its price, in milliseconds: longer than most nodes lag. */
const PRICE_MS = 5_000;

const none = (): undefined => undefined;

/** Makes a plan. Nobody buys without a price that the node could give; a sell waits for one for so long, and is planned without it. */
export async function planOf<O extends Operation>(
  { client, market }: Pick<Desk, "client" | "market">,
  operation: O,
  request: RequestOf[O],
  options: { intentId?: string; validForMs?: number } = {},
  withinMs = PRICE_MS,
): Promise<Plan> {
  const made = client.plan(operation, request, options);
  if (!market || SIDES[operation] === "buy") return made;
  const unpriced = async (): Promise<Plan> =>
    (await client.plan(operation, request, { ...options, price: none })) as Plan;
  return within(withinMs, made, unpriced).catch(unpriced);
}

/** Records a plan, with the market that gives its price, if that is known. */
export async function recordPlan({ sandbox, market, record }: Desk, plan: Plan, withinMs = PRICE_MS): Promise<void> {
  const asked = JSON.parse(plan.body) as Body;
  // Without an answer of the node the record cannot prove the price, and that is all.
  const look =
    market && plan.price && (await within(withinMs, market.look(asked.mint, walletsOf(asked)), none).catch(none));
  await record.plan(plan, sandbox ?? look?.sandbox);
}
