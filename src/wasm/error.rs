//! [`Error`] as a real JS `Error` of the class that its outcome has, and back.

use wasm_bindgen::prelude::*;

use crate::error::{Code, Error, FieldError};
use crate::tape::{Tape, ToTape};
use crate::wasm::convert::to_js;
#[cfg(feature = "desk")]
use crate::wasm::trade::trade_value;

#[wasm_bindgen(module = "/src/wasm/errors.js")]
extern "C" {
    #[wasm_bindgen(js_name = tradeError)]
    fn trade_error(fields: &JsValue) -> JsValue;
}

/// The JS error.
pub fn to_error(error: &Error) -> JsValue {
    trade_error(&to_js(&error_fields(error)))
}

/// The fields of the JS error.
pub fn error_fields(error: &Error) -> Tape {
    let mut fields = vec![
        ("message", error.message.to_tape()),
        ("code", error.code.to_tape()),
        ("outcome", error.outcome.to_tape()),
    ];
    let mut some = |name: &'static str, value: Tape| {
        if !value.root().is_null() {
            fields.push((name, value));
        }
    };
    if let Some(first) = error.fields.first() {
        some("field", first.field.to_tape());
        some("fields", error.fields.to_tape());
    }
    some("status", error.status.to_tape());
    some("serviceMessage", error.service_message.to_tape());
    // Milliseconds of a wait: any that matter are exact as a number.
    some("retryAfterMs", error.retry_after_ms.map(|ms| ms.min(u64::from(u32::MAX)) as u32).to_tape());
    some("evidence", error.evidence.as_ref().map(|evidence| evidence.0.to_tape()).to_tape());
    // No other error has one.
    #[cfg(feature = "desk")]
    some("trade", error.trade.as_deref().map(trade_value).to_tape());
    Tape::object(&fields)
}

/// Options that cannot be used, as an error to throw.
pub fn invalid_options(what: &str, problems: Vec<FieldError>) -> JsValue {
    let sentences: Vec<&str> = problems.iter().map(|problem| problem.message.as_str()).collect();
    let message = [what, ": ", &sentences.join("; ")].concat();
    to_error(&Error { fields: problems, ..Error::new(Code::InvalidOptions, message) })
}

// The classes are the main import's; errors of the other module are known by `isTradeError`.
#[cfg(feature = "desk")]
#[wasm_bindgen(typescript_custom_section)]
const TYPES: &str = r#"
/**
 * Why a trade did not land, or is not known to have. `outcome` answers first: may my money have moved?
 */
export class TradeError extends Error {
    /** May my money have moved? */
    readonly outcome: Outcome;
    /** The stable code. */
    readonly code: Code;
    /** The path of the first bad field, for `invalid_request` and `invalid_options`. */
    readonly field?: string;
    /** Every bad field, for `invalid_request` and `invalid_options`. */
    readonly fields?: FieldError[];
    /** The HTTP status, where there was an answer. */
    readonly status?: number;
    /** What the service said, on one line of at most 300 characters. */
    readonly serviceMessage?: string;
    /** How long the service asks to wait. */
    readonly retryAfterMs?: number;
    /** The start of a reply that cannot be trusted, for investigation. Not enumerable, and not in `toJSON()`. */
    readonly evidence?: string;
    /** Warnings about the request, if there are any. */
    readonly warnings?: Warning[];
    /** The trade's id; absent if its request or its options could not be used. */
    readonly intentId?: string;
    /** Always false: a person or a reconciliation decides whether to send again. */
    readonly retryable: false;
    /** The error as plain data that is safe to log: no key, no header, no body. */
    toJSON(): object;
    protected constructor();
}
/** Nothing left this machine. */
export class TradeNotSentError extends TradeError {
    readonly outcome: "not_sent";
}
/** The service refused the trade; it was not made. */
export class TradeRejectedError extends TradeError {
    readonly outcome: "rejected";
}
/** The transaction ran and failed: nothing moved but the network fee. */
export class TradeFailedError extends TradeError {
    readonly outcome: "failed";
    /** The reply. Not enumerable, and not in `toJSON()`. */
    readonly trade: Trade;
}
/** The trade may have been made. Look at the balance before you send it again. */
export class TradeOutcomeUnknownError extends TradeError {
    readonly outcome: "unknown";
}
/** Whether a value is one of these errors, from this copy of the package or another, from this realm or not. */
export function isTradeError(value: unknown): value is
    | TradeNotSentError
    | TradeRejectedError
    | TradeFailedError
    | TradeOutcomeUnknownError;
/** Whether a value is a `TradeNotSentError`, as `isTradeError` tells. */
export function isTradeNotSentError(value: unknown): value is TradeNotSentError;
/** Whether a value is a `TradeRejectedError`, as `isTradeError` tells. */
export function isTradeRejectedError(value: unknown): value is TradeRejectedError;
/** Whether a value is a `TradeFailedError`, as `isTradeError` tells. */
export function isTradeFailedError(value: unknown): value is TradeFailedError;
/** Whether a value is a `TradeOutcomeUnknownError`, as `isTradeError` tells. */
export function isTradeOutcomeUnknownError(value: unknown): value is TradeOutcomeUnknownError;
"#;
