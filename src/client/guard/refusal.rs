//! A guard's no: always `not_sent`, with the code of the guard and the field that is to blame.

use crate::error::{Code, Error, FieldCode, FieldError};

/// Whether a guard lets a trade pass.
pub type Refusal<T = ()> = Result<T, Box<Error>>;

/// Refuses a trade for what the client has been through.
pub fn refuse<T>(code: Code, why: &str) -> Refusal<T> {
    Err(Box::new(Error::new(code, ["not sent: ", why].concat())))
}

/// Refuses a trade for one of its fields; `what` follows the field in the message.
pub fn refuse_field<T>(code: Code, field: &str, field_code: FieldCode, what: &str) -> Refusal<T> {
    let message = [field, " ", what].concat();
    let mut error = Error::new(code, ["not sent: ", &message].concat());
    error.fields.push(FieldError { field: field.to_owned(), code: field_code, message });
    Err(Box::new(error))
}
