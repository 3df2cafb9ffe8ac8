//! What a trade ends in.

use std::fmt;
use std::ops::Deref;

use crate::api::response::Trade;
use crate::error::{Code, Error, FieldCode, FieldError, Warning};

/// A trade that landed, or was answered with a success that does not say: see its `status`.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "camelCase"))]
#[non_exhaustive]
pub struct Traded {
    /// The decoded reply.
    pub trade: Trade,
    /// The trade's id, given or generated.
    pub intent_id: String,
    /// What is odd about its request.
    pub warnings: Vec<Warning>,
    /// Whether no money has moved, since it was traded in a sandbox.
    pub is_simulated: bool,
}

impl Deref for Traded {
    type Target = Trade;

    fn deref(&self) -> &Trade {
        &self.trade
    }
}

/// Why a trade did not land, or is not known to have. Its [`outcome`](Error::outcome) answers first: may the money have
/// moved?
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "camelCase"))]
#[non_exhaustive]
pub struct TradeError {
    /// The error itself.
    pub error: Box<Error>,
    /// The trade's id, given or generated; `None` where the request or an option was refused.
    pub intent_id: Option<String>,
    /// What is odd about its request.
    pub warnings: Vec<Warning>,
}

impl Deref for TradeError {
    type Target = Error;

    fn deref(&self) -> &Error {
        &self.error
    }
}

impl fmt::Display for TradeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.error.fmt(f)
    }
}

impl std::error::Error for TradeError {}

impl From<Error> for TradeError {
    fn from(error: Error) -> Self {
        TradeError { error: Box::new(error), intent_id: None, warnings: Vec::new() }
    }
}

/// An option that cannot be used; `what` follows its name.
pub(super) fn bad_option(option: &str, code: FieldCode, what: &str) -> TradeError {
    let message = format!("{option} {what}");
    let fields = vec![FieldError { field: option.to_owned(), code, message: message.clone() }];
    Error { fields, ..Error::new(Code::InvalidOptions, format!("not sent: {message}")) }.into()
}
