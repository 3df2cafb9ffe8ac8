//! TypeScript names for what no single Rust type stands for.

use wasm_bindgen::prelude::*;

#[wasm_bindgen(typescript_custom_section)]
const TYPES: &str = r#"
/** A slippage: a bare number in the service's own unit, sent unchanged, or one that names its unit. */
export type SlippageInput = number | { percent: number } | { bps: number };
/** What a readable reply says about its transaction. */
export type TradeStatus = "landed" | "unconfirmed" | "failed";
/** Any trade; `operation` tells which. */
export type Trade = BuyTrade | SellTrade | BundleTrade;
/** Any request, by its operation. */
export interface RequestOf {
    buy: BuyRequest;
    sell: SellRequest;
    sellByPercentage: SellByPercentageRequest;
    bundleBuy: BundleBuyRequest;
    bundleSell: BundleSellRequest;
    bundleSellByPercentage: BundleSellByPercentageRequest;
}
"#;
