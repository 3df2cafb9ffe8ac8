// A position: receipts added up.

import * as core from "build:market";
import { callArgs, result } from "../crossing.js";
import type { PositionDifference, PositionState, TradeReceipt } from "../generated.js";
import { disposable, freed } from "../handle.js";
import { type Amount, amount } from "../argument.js";
import { type Curve, curveCore } from "./curve.js";
import type { BreakEven } from "./goal.js";
import { type Trader, traderCore } from "./trader.js";

/**
 * One wallet's position in one token: receipts added up, at average cost.
 *
 * @example
 * ```js
 * import { TradeClient } from "launchpad-desk";
 * import { Position, Trader, receipt } from "launchpad-desk/market";
 * import { Sandbox } from "launchpad-desk/sandbox";
 *
 * const sandbox = new Sandbox();
 * const client = new TradeClient({ fetch: sandbox.fetch });
 * const [{ mint }] = sandbox.tokens;
 * const [{ wallet, lamports }] = sandbox.wallets;
 * const quote = sandbox.curve(mint).quoteBuyExactIn(1_000_000_000n, new Trader({ wallet: { lamports } }));
 * const trade = await client.buy({ mint, fromWallet: wallet, amountInLamports: 1_000_000_000n });
 *
 * const position = new Position();
 * position.add(receipt(quote, trade));
 * console.log(position.state.costLamports); // 1000005000n
 * console.log(position.unrealisedLamports(sandbox.curve(mint))); // -24696361n
 * ```
 */
export class Position {
  #core: core.Position | undefined;

  /**
   * Makes an empty position, or one that continues from the `state` of another.
   *
   * @throws {TradeNotSentError} `invalid_options`, with every bad field in `fields`.
   */
  constructor(state?: PositionState) {
    this.#core = result(core.makePosition(callArgs({ state })), Position);
  }

  get #position(): core.Position {
    return this.#core ?? freed("Position");
  }

  /**
   * Adds a receipt; an unconfirmed one counts as an estimate. What counts is the whole change of the wallet's lamports, without
   * rent.
   *
   * @throws {TradeNotSentError} `invalid_options`, if it is not a receipt.
   */
  add(receipt: TradeReceipt): void {
    const added = callArgs({ receipt });
    result(this.#position.add(added), this.add);
  }

  /**
   * Compares the position with the base units that the wallet holds: `null` if they agree. A difference means that something
   * moved tokens that was not added: a trade whose outcome is unknown, a transfer, another program.
   *
   * @throws {TradeNotSentError} `invalid_options`, if it is not a whole number of base units.
   *
   * @example
   * ```js
   * import { Position } from "launchpad-desk/market";
   *
   * const position = new Position({ ...new Position().state, tokens: 5_000_000n });
   * console.log(position.check(5_000_000n)); // null
   * const difference = position.check(4_000_000n);
   * console.log(difference?.walletHolds, difference?.tokens); // fewer 1000000n
   * ```
   */
  check(walletTokens: Amount): PositionDifference | null {
    return result(this.#position.check(amount("walletTokens", walletTokens, this.check)), this.check);
  }

  /** The position's state, to be saved. In JSON its bigints are text, which the constructor accepts as well. */
  get state(): PositionState {
    return result(this.#position.state());
  }

  /** The average cost of a whole token that is held, in lamports, as exact text to nine places; `null` if nothing is held. */
  averageCost(curve: Curve): string | null {
    return result(this.#position.averageCost(curveCore(curve)), this.averageCost);
  }

  /**
   * What selling everything on this curve would gain compared with its cost; below zero for a loss. Trading fees are counted, the
   * network fee of the sell and rent are not. `null` if the launchpad refuses the sell.
   */
  unrealisedLamports(curve: Curve): bigint | null {
    return result(this.#position.unrealisedLamports(curveCore(curve)), this.unrealisedLamports);
  }

  /**
   * How to get back what this position cost, by selling it on this curve: after the trading fees of the sell, and its network fee
   * if the trader pays it. Rent does not count: it was not a cost, and comes back at closing. (`curve.breakEven` takes a cost
   * that contains the rent.) The position is sold, so the trader's wallet may be unknown.
   *
   * @throws {RefusalError} `out_of_reach` if even a completed curve would bring less.
   */
  breakEven(curve: Curve, trader: Trader): BreakEven {
    return result(this.#position.breakEven(curveCore(curve), traderCore(trader)), this.breakEven);
  }

  /**
   * The profit that a receipt would realise in this position, in lamports, and whether that is an estimate.
   *
   * @throws {TradeNotSentError} `invalid_options`, if it is not a receipt.
   *
   * @example
   * ```js
   * import { Curve, Position, receipt } from "launchpad-desk/market";
   *
   * const curve = new Curve();
   * const tokens = curve.moveByBuy(1_000_000_000n);
   * const position = new Position({ ...new Position().state, tokens, costLamports: 1_000_005_000n });
   * const quote = curve.quoteSellExactIn(tokens);
   * const exact = { sellAmount: quote.tokenAmount, preTokenBalance: quote.tokenAmount, postTokenBalance: "0" };
   * const sold = receipt(quote, { operation: "sell", status: "landed", exact, result: { tokenAccountClosed: true } });
   * console.log(position.profitOf(sold).lamports); // -24701361n
   * ```
   */
  profitOf(receipt: TradeReceipt): { lamports: bigint; estimated: boolean } {
    const asked = callArgs({ receipt });
    return result(this.#position.profitOf(asked), this.profitOf);
  }

  /** Frees its memory now. Using it afterwards throws; freeing it again does nothing. */
  free(): void {
    this.#core?.free();
    this.#core = undefined;
  }

  declare [Symbol.dispose]: () => void;
}
disposable(Position);
