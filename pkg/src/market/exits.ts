// Exit plans: when a position is sold, as data.

import * as core from "build:market";
import { callArgs, result } from "../crossing.js";
import type { ExitPlan, ExitPosition, ExitState } from "../generated.js";
import { type ExitClient, type ExitMarket, type ManageOptions, type Managed, managed } from "./manage.js";
import { type OpenExits, openExits } from "./open-exits.js";

/**
 * An exit plan that was checked: when a position is sold, and how much of it. It is for any number of positions.
 *
 * @example
 * ```js
 * import { Exits } from "launchpad-desk/market";
 *
 * const exits = new Exits({
 *   takeProfit: [{ at: "2x", sell: "50%" }, { at: "4x", sell: "25%" }],
 *   stopLoss: "0.7x",
 *   trailing: { by: "30%", from: "1.5x" },
 *   timeMs: 3_600_000,
 *   slippage: { percent: 10 },
 * });
 * console.log(exits.plan.stopLoss); // 0.7x
 * ```
 */
export class Exits {
  readonly plan: ExitPlan;

  /**
   * Checks a plan.
   *
   * @throws {TradeNotSentError} `invalid_options`, with every bad field in `fields`.
   */
  constructor(plan: ExitPlan) {
    result(core.checkExits(callArgs({ plan })), Exits);
    this.plan = plan;
  }

  /**
   * The exits of a position, from its start or from a state that was kept, which must be of this position and have this plan. With
   * `replacePlan: true` this plan replaces that of the state: what has acted, or is in doubt, stays as it was.
   *
   * @throws {TradeNotSentError} `invalid_options`, with every bad field in `fields`.
   *
   * @example
   * ```js
   * import { Exits } from "launchpad-desk/market";
   *
   * const exits = new Exits({ stopLoss: "0.7x" });
   * const position = { id: "signal-1", mint: "M", wallet: "W", tokens: 5_000_000n, costLamports: 1_000_005_000n };
   * const kept = JSON.stringify(exits.open(position).state);
   * console.log(exits.open(position, JSON.parse(kept)).state.tokens); // 5000000n
   *
   * const tighter = new Exits({ stopLoss: "0.9x" });
   * console.log(tighter.open(position, JSON.parse(kept), { replacePlan: true }).state.plan.stopLoss); // 0.9x
   * ```
   */
  open(
    position: ExitPosition,
    kept?: ExitState | null,
    { replacePlan = false }: { replacePlan?: boolean } = {},
  ): OpenExits {
    const state = kept ?? undefined;
    return openExits(result(core.openExits(callArgs({ plan: this.plan, position, state, replacePlan })), this.open));
  }

  /**
   * Carries the exits of a position out with a client: what `client.manage` calls.
   *
   * @throws {TradeNotSentError} `invalid_options`, with every bad field of the position or of the kept state in `fields`.
   */
  manage(client: ExitClient, position: ExitPosition, market: ExitMarket, options?: ManageOptions): Managed {
    return managed(
      client,
      this.open(position, options?.kept, { replacePlan: options?.replacePlan ?? false }),
      market,
      options,
    );
  }
}
