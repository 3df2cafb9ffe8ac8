//! What is said of a recording that cannot be read.

use super::recorded::{OtherUnit, other_unit};
use launchpad_desk::amount::Digits;
use launchpad_desk::bindings::object;
use launchpad_desk::error::{FieldCode, FieldError};
use launchpad_desk::tape::json;

/// The most problems of a recording that are named.
pub(super) const MOST_PROBLEMS: usize = 100;

/// Why a time is that of another unit than milliseconds, and how to say so.
pub(super) fn other_time(at_ms: u64, is_first: bool, column: &str) -> Option<String> {
    let OtherUnit { unit, why } = other_unit(at_ms, is_first)?;
    let mapping = object! { "atMs": object! { "column": column, "unit": unit } };
    let way = [", or name their unit: columns: ", &json::write(&mapping)].concat();
    Some(["is ", &at_ms.digits(), ", which ", why, &way].concat())
}

pub(super) fn unreadable(message: &[&str]) -> Vec<FieldError> {
    vec![FieldError { field: String::new(), code: FieldCode::Unreadable, message: message.concat() }]
}
