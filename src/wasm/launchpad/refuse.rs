//! Errors of the launchpad's maths, as JS throws them.

use wasm_bindgen::prelude::*;

use crate::error::{Code, FieldError};
use crate::launchpad::Refusal;
use crate::launchpad::bundle::LegRefusal;
use crate::object;
use crate::wasm::convert::to_js;

#[wasm_bindgen(module = "/src/wasm/launchpad/refusal.js")]
extern "C" {
    #[wasm_bindgen(js_name = refusalError)]
    fn refusal_error(message: &str, code: &str, leg: Option<u32>) -> JsValue;
}

// The main import's own errors: what is wrong with an option looks the same in both.
#[wasm_bindgen(module = "/src/wasm/errors.js")]
extern "C" {
    #[wasm_bindgen(js_name = tradeError)]
    fn trade_error(fields: &JsValue) -> JsValue;
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

/// Options that cannot be used, as an error to throw.
pub fn invalid(what: &str, problems: Vec<FieldError>) -> JsValue {
    let sentences: Vec<&str> = problems.iter().map(|problem| problem.message.as_str()).collect();
    let field = problems.first().map(|problem| problem.field.clone());
    trade_error(&to_js(&object! {
        "message": [what, ": ", &sentences.join("; ")].concat(),
        "code": Code::InvalidOptions,
        "outcome": Code::InvalidOptions.outcome(),
        "field": field,
        "fields": problems,
    }))
}
