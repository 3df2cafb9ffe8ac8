//! What a trade ends in.

use std::fmt;
use std::ops::Deref;

use crate::api::response::Trade;
use crate::error::{Code, Error, FieldCode, FieldError, Warning};

/// A trade that landed, or was answered with a success that does not say: see its `status`.
#[derive(Clone, Debug, PartialEq, Eq)]
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

impl From<Box<Error>> for TradeError {
    fn from(error: Box<Error>) -> Self {
        TradeError { error, intent_id: None, warnings: Vec::new() }
    }
}

/// An option that cannot be used; `what` follows its name.
pub(super) fn bad_option(option: &str, code: FieldCode, what: &str) -> TradeError {
    let message = format!("{option} {what}");
    let fields = vec![FieldError { field: option.to_owned(), code, message: message.clone() }];
    Error { fields, ..Error::new(Code::InvalidOptions, format!("not sent: {message}")) }.into()
}

#[cfg(feature = "serde")]
mod through_serde {
    use serde::de::{Deserialize, Deserializer, Error as _};
    use serde::ser::{Serialize, SerializeMap, Serializer};

    use super::{TradeError, Traded};
    use crate::tape::{Data, Tape};
    use crate::trade::plain::through_serde::{whole_error, whole_trade};
    use crate::trade::plain::{About, error_value, trade_value};

    /// As plain data has it, and `simulated` where it was.
    impl Serialize for Traded {
        fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            let Traded { trade, intent_id, warnings, is_simulated } = self;
            let about = About { intent_id: Some(intent_id.clone()), warnings: warnings.clone() };
            let plain = trade_value(trade, &about);
            let mut map = serializer.serialize_map(None)?;
            plain
                .root()
                .fields()
                .into_iter()
                .flatten()
                .try_for_each(|(name, item)| map.serialize_entry(name, &item))?;
            if *is_simulated {
                map.serialize_entry("simulated", &true)?;
            }
            map.end()
        }
    }

    impl<'de> Deserialize<'de> for Traded {
        fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
            let plain = Tape::deserialize(deserializer)?;
            let (trade, about) = whole_trade(&plain).map_err(D::Error::custom)?;
            let Some(intent_id) = about.intent_id else {
                return Err(D::Error::custom("its intentId is missing"));
            };
            let is_simulated = match plain.root().get("simulated").map(|simulated| simulated.data()) {
                None | Some(Data::Bool(false)) => false,
                Some(Data::Bool(true)) => true,
                Some(_) => return Err(D::Error::custom("its simulated is not true or false")),
            };
            Ok(Traded { trade, intent_id, warnings: about.warnings, is_simulated })
        }
    }

    impl Serialize for TradeError {
        fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            let about = About { intent_id: self.intent_id.clone(), warnings: self.warnings.clone() };
            error_value(&self.error, &about).serialize(serializer)
        }
    }

    impl<'de> Deserialize<'de> for TradeError {
        fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
            let (error, About { intent_id, warnings }) =
                whole_error(&Tape::deserialize(deserializer)?).map_err(D::Error::custom)?;
            Ok(TradeError { error: Box::new(error), intent_id, warnings })
        }
    }
}
