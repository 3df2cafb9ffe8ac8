// Receipts added up.

import * as core from "build:launchpad";
import { given, result } from "../crossing.js";
import { withJson } from "../json.js";
import type { PositionState, TradeReceipt } from "../generated.js";
import { disposable, freed } from "./handle.js";
import { type Curve, curveCore } from "./curve.js";

/**
 * One wallet's position in one token: receipts added up, at average cost.
 *
 * ```js
 * const position = new Position();
 * position.add(receipt(quote, trade));
 * const { costLamports, realisedLamports } = position.state;
 * const gain = position.unrealisedLamports(curve);
 * ```
 */
export class Position {
  #core: core.Position | undefined;

  /**
   * Makes an empty position, or one that goes on from the `state` of another.
   *
   * @throws {TradeNotSentError} `invalid_options`, with every bad field in `fields`.
   */
  constructor(state?: PositionState) {
    this.#core = result(core.makePosition(...given({ state })), Position);
  }

  get #position(): core.Position {
    return this.#core ?? freed("Position");
  }

  /**
   * Takes in a receipt; an unconfirmed one as an estimate. What counts is what the wallet's lamports moved by in all,
   * without the rent.
   *
   * @throws {TradeNotSentError} `invalid_options`, where it is none.
   */
  add(receipt: TradeReceipt): void {
    const added = given({ receipt });
    result(this.#position.add(...added), this.add);
  }

  /** The position's state, to be saved. In JSON its bigints are text, which the constructor takes as well. */
  get state(): PositionState {
    return withJson(result(this.#position.state()));
  }

  /** What each whole token held cost, in lamports, exact text to nine places; `null` where nothing is held. */
  averageCost(curve: Curve): string | null {
    return result(this.#position.averageCost(curveCore(curve)), this.averageCost);
  }

  /**
   * What selling everything on this curve would gain or, below zero, lose against its cost: after its trading fees,
   * without the network fee of the sell and without rent. `null` where the launchpad refuses the sell.
   */
  unrealisedLamports(curve: Curve): bigint | null {
    return result(this.#position.unrealisedLamports(curveCore(curve)), this.unrealisedLamports);
  }

  /**
   * What a receipt would realise here, in lamports, and whether that is an estimate.
   *
   * @throws {TradeNotSentError} `invalid_options`, where it is none.
   */
  profitOf(receipt: TradeReceipt): { lamports: bigint; estimated: boolean } {
    const asked = given({ receipt });
    return result(this.#position.profitOf(...asked), this.profitOf);
  }

  /** Frees its memory now. Using it afterwards throws; freeing it again does nothing. */
  free(): void {
    this.#core?.free();
    this.#core = undefined;
  }

  declare [Symbol.dispose]: () => void;
}
disposable(Position);
