// The position that a buy has opened, by a market that shows transactions.

import { callArgs, result } from "./crossing.js";
import type { Moved } from "./generated.js";
import type { BoughtPosition, BoughtTrade, NamedTrade } from "./trade/options.js";

/** What the core's rule says of a trade, once the transaction that the rule needs was asked for. */
export async function boughtBy(
  positionOf: (args: ReturnType<typeof callArgs>) => unknown,
  trade: BoughtTrade,
  movedBy: (trade: NamedTrade) => Promise<Moved | null>,
): Promise<BoughtPosition> {
  const { intentId, state, operation, body, outcome, signature, wallet } = trade;
  const said = (moved: Moved | null): BoughtPosition =>
    result(positionOf(callArgs({ intentId, state, operation, body, outcome, signature, wallet, moved })));
  const unasked = said(null);
  return unasked.missing === "not_shown" ? said(await movedBy(trade as NamedTrade)) : unasked;
}
