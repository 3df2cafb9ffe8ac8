// `launchpad-desk/chain`: what the chain's accounts say.

export { type ChainAccount, readCurve, readFeeTiers, readGlobal, readHolding, readMint } from "./chain/accounts.js";
export * from "./chain/addresses.js";
export { type CurveColumns, readCurves } from "./chain/curves.js";
export * from "./chain/market.js";
export { AccountError } from "./chain/unreadable.js";
export type { WatchOptions } from "./watching.js";
