//! What calls have in common in their arguments: an operation, options, values that are not allowed.

use crate::crossing::Failure;
#[cfg(any(feature = "trade", feature = "market", feature = "sandbox"))]
use launchpad_desk::api::endpoint::Operation;
#[cfg(feature = "trade")]
use launchpad_desk::bindings::reader::{self, Reader};
use launchpad_desk::error::{Error, FieldCode, FieldError};
#[cfg(feature = "trade")]
use launchpad_desk::intent::{IntentOutcome, Settlement};
#[cfg(any(feature = "trade", feature = "market", feature = "sandbox", feature = "gateway"))]
use launchpad_desk::tape::{Data, Item};

/// The argument of that name, if it is text.
#[cfg(any(feature = "trade", feature = "market", feature = "sandbox", feature = "gateway"))]
pub fn text<'t>(call: Item<'t>, name: &str) -> Option<&'t str> {
    match call.get(name)?.data() {
        Data::String(text) => Some(text),
        _ => None,
    }
}

/// The operation that a call is about.
#[cfg(any(feature = "trade", feature = "market", feature = "sandbox"))]
pub fn operation(call: Item) -> Result<Operation, Failure> {
    text(call, "operation").and_then(Operation::from_name).ok_or_else(|| {
        refused("operation", &["must be one of ", &Operation::ALL.map(Operation::as_str).join(", ")].concat())
    })
}

/// The failure for an argument with a value that is not allowed.
pub fn refused(argument: &str, what: &str) -> Failure {
    Error::invalid_request(vec![FieldError::of(argument, FieldCode::OutOfRange, what)]).into()
}

/// How a trade ended, as a journal has it. What cannot be read counts as unknown.
#[cfg(feature = "trade")]
pub fn settlement(ended: Item) -> Settlement {
    let outcome = text(ended, "outcome").and_then(IntentOutcome::from_name);
    Settlement {
        signature: text(ended, "signature").map(str::to_owned),
        proven: ended.get("proven").is_some_and(|proven| matches!(proven.data(), Data::Bool(true))),
        ..outcome.unwrap_or(IntentOutcome::Unknown).into()
    }
}

/// Reads an argument that is an object of options. An absent one counts as empty.
#[cfg(feature = "trade")]
pub fn options<T>(call: Item, name: &str, read: impl FnMut(&mut Reader) -> T) -> Result<T, Vec<FieldError>> {
    let none;
    let value = match call.get(name).filter(|value| !value.is_null()) {
        Some(value) => value,
        None => {
            none = launchpad_desk::bindings::object! {};
            none.root()
        }
    };
    reader::read(value, read)
}
