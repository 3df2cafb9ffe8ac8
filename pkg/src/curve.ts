// `launchpad-desk/curve`: the launchpad's maths, for programs that need no sandbox.

export { RefusalError } from "./errors.js";
export type { Amount } from "./launchpad/argument.js";
export { Amounts, REFUSED } from "./launchpad/batch.js";
export type * from "./launchpad/bundle.js";
export { Curve, type CurveOptions, type CurveToken, defaultLaunchpad, launchpadRules } from "./launchpad/curve.js";
export type * from "./launchpad/goal.js";
export {
  type BundlePart,
  type Capacities,
  type EqualTokens,
  type SplittableBundle,
  capacities,
  equalSpends,
  jitteredSpends,
  splitBundle,
  weightedSpends,
} from "./launchpad/plan.js";
export { Position } from "./launchpad/position.js";
export * from "./launchpad/receipt.js";
export * from "./launchpad/request.js";
export { type WarningThresholds, Trader, type TraderOptions, type WalletState } from "./launchpad/trader.js";
export { fromBaseUnits, lamportsToSol, solToLamports, toBaseUnits } from "./units.js";
