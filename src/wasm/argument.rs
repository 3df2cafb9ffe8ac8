//! What a call was given, as both modules read it.

use wasm_bindgen::prelude::*;

use crate::api::endpoint::Operation;
use crate::error::{Error, FieldCode, FieldError};
use crate::object;
use crate::tape::Tape;
use crate::wasm::convert::from_js;
use crate::wasm::error::to_error;

/// Options as given: none at all is the same as an empty object.
pub fn given_options(options: &JsValue) -> Tape {
    if options.is_undefined() || options.is_null() {
        object! {}
    } else {
        from_js(options)
    }
}

/// The operation that a JS value names.
pub fn operation_of(name: &JsValue) -> Result<Operation, JsValue> {
    name.as_string().and_then(|name| Operation::from_name(&name)).ok_or_else(|| {
        refused("operation", ["must be one of ", &Operation::ALL.map(Operation::as_str).join(", ")].concat())
    })
}

/// A value of a call that is none of those it may be.
pub fn refused(field: &str, what: String) -> JsValue {
    let message = [field, " ", &what].concat();
    let problem = FieldError { field: field.to_owned(), code: FieldCode::OutOfRange, message };
    to_error(&Error::invalid_request(vec![problem]))
}
