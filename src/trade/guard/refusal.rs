//! A guard's refusal: always `not_sent`, with the guard's code and the field at fault.

use crate::error::{Code, Error, FieldCode, FieldError};

/// A guard's answer.
pub type Refusal<T = ()> = Result<T, Box<Error>>;

/// Refuses a trade because of the client's state.
pub fn refuse<T>(code: Code, why: &str) -> Refusal<T> {
    Err(Box::new(Error::new(code, ["not sent: ", why].concat())))
}

/// Refuses a trade for one of its fields; `what` follows the field in the message.
pub fn refuse_field<T>(code: Code, field: &str, field_code: FieldCode, what: &str) -> Refusal<T> {
    let problem = FieldError::of(field, field_code, what);
    let message = ["not sent: ", &problem.message].concat();
    Err(Box::new(Error { fields: vec![problem], ..Error::new(code, message) }))
}
