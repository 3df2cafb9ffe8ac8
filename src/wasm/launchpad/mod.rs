//! The launchpad's maths and its sandbox for JS: `launchpad-desk/launchpad`.
//!
//! Lamports and base units are bigints. Whatever comes from JS is read by [`input`], so that nothing wraps in silence; a
//! refusal is thrown by [`refuse`]. No class is ever borrowed to be changed, so a getter of the caller's may call back.
//! `pkg/entry/launchpad.js` lies over the hottest functions.

mod backtest;
mod batch;
mod bundle;
mod curve;
mod dry_run;
mod goal;
mod input;
mod plan;
mod position;
mod quote;
mod receipt;
mod refuse;
mod request;
mod sandbox;
mod trader;

use wasm_bindgen::prelude::*;

#[wasm_bindgen(typescript_custom_section)]
const TYPES: &str = r#"
/** What stands for a refused trade in a column: 2^64 - 1, which no amount is. */
export const REFUSED: bigint;
"#;
