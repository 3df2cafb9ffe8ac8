//! Errors of the launchpad's maths, as JS throws them.

use wasm_bindgen::prelude::*;

use crate::error::{Code, FieldError, Outcome};
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
/** Why the launchpad refuses a trade. Append-only. */
export type RefusalCode =
    | "zero_amount" | "empty_curve" | "curve_complete" | "not_enough_tokens_on_curve" | "spend_does_not_cover_fees"
    | "below_minimum_tokens" | "above_maximum_cost" | "not_enough_tokens_held" | "fees_or_reserves_exceeded"
    | "below_minimum_lamports" | "percentage_sells_nothing" | "overflow" | "insufficient_lamports"
    | "insufficient_lamports_for_rent" | "insufficient_lamports_for_network_fee" | "token_account_not_open"
    | "token_account_not_empty" | "unknown_wallet" | "no_fee_tier" | "out_of_reach" | "too_many_wallets"
    | "below_rent_minimum";
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
    refusal_error(refusal.message(), refusal.code(), None)
}

/// The error of a refused bundle.
pub fn leg_refused(refused: LegRefusal) -> JsValue {
    let leg = refused.leg.map(|leg| leg as u32);
    refusal_error(refused.refusal.message(), refused.refusal.code(), leg)
}

/// Options that cannot be used, as an error to throw.
pub fn invalid(what: &str, problems: Vec<FieldError>) -> JsValue {
    let sentences: Vec<&str> = problems.iter().map(|problem| problem.message.as_str()).collect();
    let field = problems.first().map(|problem| problem.field.clone());
    trade_error(&to_js(&object! {
        "message": [what, ": ", &sentences.join("; ")].concat(),
        "code": Code::InvalidOptions,
        "outcome": Outcome::NotSent,
        "field": field,
        "fields": problems,
    }))
}
