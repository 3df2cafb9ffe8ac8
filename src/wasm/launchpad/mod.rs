//! The launchpad's maths for JS: `launchpad-desk/launchpad`.
//!
//! Lamports and base units are bigints. Whatever comes from JS is read by `amount` or as settings, so that nothing wraps
//! in silence; a refusal is thrown by `refuse`. No export holds a borrow while JS of the caller's runs.

mod amount;
mod curve;
mod refuse;

use wasm_bindgen::prelude::*;

#[wasm_bindgen(typescript_custom_section)]
const TYPES: &str = r#"
/** Lamports or base units: a bigint, a safe integer, or digits in a string. */
export type Amount = bigint | number | string;
/** What stands for a refused trade in an array: 2^64 - 1, which no amount is. */
export const REFUSED: bigint;
/** Why the launchpad refuses a trade. Append-only. */
export type RefusalCode = string;
"#;
