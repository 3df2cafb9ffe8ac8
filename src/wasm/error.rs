//! [`Error`] as a real JS `Error` of the class that its outcome has, and back.

#[cfg(feature = "launchpad")]
use wasm_bindgen::prelude::*;

use crate::error::Error;
#[cfg(feature = "launchpad")]
use crate::error::{Code, FieldError};
use crate::tape::{Tape, ToTape};
#[cfg(feature = "launchpad")]
use crate::wasm::convert::to_js;
#[cfg(feature = "desk")]
use crate::wasm::trade::trade_value;

#[cfg(feature = "launchpad")]
#[wasm_bindgen(module = "/src/wasm/errors.js")]
extern "C" {
    #[wasm_bindgen(js_name = tradeError)]
    fn trade_error(fields: &JsValue) -> JsValue;
}

#[cfg(feature = "launchpad")]
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

#[cfg(feature = "launchpad")]
/// Options that cannot be used, as an error to throw.
pub fn invalid_options(what: &str, problems: Vec<FieldError>) -> JsValue {
    let sentences: Vec<&str> = problems.iter().map(|problem| problem.message.as_str()).collect();
    let message = [what, ": ", &sentences.join("; ")].concat();
    to_error(&Error { fields: problems, ..Error::new(Code::InvalidOptions, message) })
}
