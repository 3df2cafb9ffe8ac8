//! TypeScript names for what no single Rust type stands for.

use wasm_bindgen::prelude::*;

#[wasm_bindgen(typescript_custom_section)]
const TYPES: &str = r#"
/** A part of a whole, in the unit that its name says: a number, a bigint or text of digits. */
export type Portion = { percent: number | bigint | string } | { bps: number | bigint | string };
/** A slippage that names its unit, or a bare number in the unit of `slippageUnit`, by default percent. */
export type SlippageInput = number | bigint | string | Portion;
/**
 * An amount of token. A number or text of digits is whole tokens. A bigint has to name its unit: `{ baseUnits }` for what
 * the launchpad's maths answer in, `{ tokens }` for whole tokens that are exact to the base unit.
 */
export type TokenInput = number | string | { tokens: number | bigint | string } | { baseUnits: number | bigint | string };
/** A form's data, as from `Object.fromEntries(new FormData(form))`: names known only at run time, and text. */
export type FormRecord = { readonly [field: string]: string | object };
/** A record whose names are not known to the compiler; those of a request are checked against its type instead. */
export type FormOnly<F extends FormRecord> = string extends keyof F ? F : never;
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
