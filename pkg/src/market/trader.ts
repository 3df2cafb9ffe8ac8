// Who trades, and how the transaction is paid for.

import * as core from "build:market";
import { callArgs, result } from "../crossing.js";
import type { SlippageInput } from "../generated.js";
import { disposable, freed, isA, notA } from "../handle.js";
import type { Amount } from "../argument.js";

/** The state of a {@link Trader}'s wallet before a trade. */
export interface WalletState {
  /** Its lamports, without those in its token account. */
  lamports: Amount;
  /** Its token account; absent or null if it has no open one. */
  tokenAccount?: {
    /** Base units held. */
    tokens: Amount;
    /** Lamports the account itself holds, refunded when it closes. Default: the launchpad's rent. */
    lamports?: Amount;
    /** Whether its tokens are frozen: it can neither sell nor buy; `look.wallets` says so. Default: false. */
    isFrozen?: boolean;
    /** Whether only somebody else may close it (its `closeAuthority` is neither null nor the wallet): then no refund is counted on. Default: false. */
    staysOpen?: boolean;
  } | null;
  /**
   * Whether its next buy also opens the account in which the launchpad counts what it trades, as a wallet's first buy does; `look.wallets`
   * says so. Default: false.
   */
  opensVolumeAccount?: boolean;
}

/** When a quote warns. */
export type WarningThresholds = {
  /** Warn of a price impact over this, in basis points. Default: 500. */
  impactBps?: number;
  /** Warn of a slippage over this. Default: 10 %. */
  slippage?: SlippageInput;
};

/** Who trades, and how the transaction is paid for: the options of a {@link Trader}. Unknown names are refused. */
export interface TraderOptions {
  /** The trading wallet. Without one, holdings are not checked and rent is not counted. */
  wallet?: WalletState;
  /** How far the price may move. Default: 0.5 %. Digits finer than a hundredth of a basis point are dropped. */
  slippage?: SlippageInput;
  /** Unit of a slippage that does not name one, as for clients. Default: `percent`. */
  slippageUnit?: "percent" | "bps";
  /** Whether the trading wallet or another one pays the network fee. Default: `trader`. */
  feePayer?: "trader" | "other";
  /** Priority units to pay for. Default: the launchpad's. */
  priorityUnitLimit?: Amount;
  /** Micro-lamports for each of them. Default: no priority fee. */
  priorityUnitPrice?: Amount;
  warnAbove?: WarningThresholds;
}

/** The core's side of a trader, for the package's other files. Only the class can look into it: the first trader that is made sets this. */
export let traderCore: (trader: Trader) => core.Trader = () => notA("Trader");

/**
 * Who trades, and how the transaction is paid for. A trader never changes: make a new one for another wallet.
 *
 * @example
 * ```js
 * import { Curve, Trader } from "launchpad-desk/market";
 *
 * const trader = new Trader({ wallet: { lamports: 5_000_000_000n }, slippage: { percent: 1 } });
 * const { netLamports, warnings } = new Curve().quoteBuyExactIn(1_000_000_000n, trader);
 * console.log(netLamports, warnings); // -1001493440n []
 * ```
 */
export class Trader {
  #core: core.Trader | undefined;

  static #coreOf(trader: Trader): core.Trader {
    return isA(trader, Trader) ? (trader.#core ?? freed("Trader")) : notA("Trader");
  }

  /**
   * Makes a trader; without options, an unknown wallet that pays its own network fee.
   *
   * @throws {TradeNotSentError} `invalid_options`, with every bad setting in `fields`.
   */
  constructor(options?: TraderOptions) {
    this.#core = result(core.makeTrader(callArgs({ options })), Trader);
    traderCore = Trader.#coreOf;
  }

  /** Frees its memory now. Using it afterwards throws; freeing it again does nothing. */
  free(): void {
    this.#core?.free();
    this.#core = undefined;
  }

  declare [Symbol.dispose]: () => void;
}
disposable(Trader);
