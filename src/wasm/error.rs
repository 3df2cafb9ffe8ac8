//! [`Error`] as the fields of the JS error that its outcome has.

use crate::error::Error;
use crate::tape::{Tape, ToTape};
#[cfg(feature = "desk")]
use crate::wasm::trade::trade_value;

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
