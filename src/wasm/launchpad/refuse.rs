//! What the launchpad refuses, as JS throws it.

use wasm_bindgen::prelude::*;

use crate::launchpad::Refusal;
use crate::launchpad::bundle::LegRefusal;

#[wasm_bindgen(module = "/src/wasm/launchpad/refusal.js")]
extern "C" {
    #[wasm_bindgen(js_name = refusalError)]
    fn refusal_error(message: &str, code: &str, leg: Option<u32>) -> JsValue;
}

#[wasm_bindgen(typescript_custom_section)]
const TYPES: &str = r#"
/** The launchpad would refuse this trade, or no trade reaches what is asked for. */
export class RefusalError extends Error {
    /** The stable code: `not_enough_tokens_on_curve`, `out_of_reach`, … */
    readonly code: RefusalCode;
    /** Which leg of a bundle is refused, from 0; absent where it is the trade or the bundle as a whole. */
    readonly leg?: number;
    /** The error as plain data. */
    toJSON(): object;
    protected constructor();
}
"#;

/// The error of a refused trade.
pub fn refused(refusal: Refusal) -> JsValue {
    refusal_error(refusal.message(), refusal.as_str(), None)
}

/// The error of a refused bundle.
pub fn leg_refused(refused: LegRefusal) -> JsValue {
    let leg = refused.leg.map(|leg| leg as u32);
    refusal_error(refused.refusal.message(), refused.refusal.as_str(), leg)
}
