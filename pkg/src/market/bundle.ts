// Trades of several wallets on one curve, in one transaction.

import type { SlippageInput } from "../generated.js";
import type { Amount } from "../argument.js";
import type { WarningThresholds, WalletState } from "./trader.js";

/** A bundle as {@link Curve.quoteBundle} is asked for it. Unknown names are refused. */
export interface BundleOrder {
  wallets: (WalletState & {
    /** Its id, as the legs name it. */
    wallet: string;
  })[];
  /** The trades, in order. */
  legs: BundleLeg[];
  /** Id of the wallet that pays the network fee. */
  feePayer: string;
  /** Slippage of legs without their own. Default: 0.5 %. Digits finer than a hundredth of a basis point are dropped. */
  slippage?: SlippageInput;
  /** Unit of slippages that do not name theirs, as for clients. Default: `percent`. */
  slippageUnit?: "percent" | "bps";
  /** Priority units to pay for. Default: the launchpad's, for each leg. */
  priorityUnitLimit?: Amount;
  /** Micro-lamports for each of them. Default: no priority fee. */
  priorityUnitPrice?: Amount;
  warnAbove?: WarningThresholds;
}

/** One wallet's trade in a bundle of {@link Curve.quoteBundle}: exactly one order. */
export type BundleLeg = {
  /** Id of the wallet that trades. */
  fromWallet: string;
  /** Its own slippage. Default: the bundle's. */
  slippage?: SlippageInput;
} & (
  | { /** Spend this many lamports, fees included. */ buyExactIn: Amount }
  | { /** Buy exactly this many base units. */ buyExactOut: Amount }
  | { /** Sell exactly this many base units. */ sellExactIn: Amount }
  | { /** Sell this percentage of what the wallet holds. */ sellPercentage: number | string }
);
