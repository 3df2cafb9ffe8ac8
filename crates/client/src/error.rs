//! How a trade ends: its result, or its error.

use std::fmt;
use std::ops::Deref;

use launchpad_desk::api::response::Trade;
use launchpad_desk::error::{Code, Error, FieldCode, FieldError, Warning};
use launchpad_desk::launchpad::receipt::Reported;
use launchpad_desk::render::View;
use launchpad_desk::trade::plain;

/// A trade that landed, or that the service accepted without saying whether it landed: see its `status`.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Traded {
    /// The decoded reply.
    pub trade: Trade,
    /// The trade's id, given or generated.
    pub intent_id: String,
    /// Warnings about its request.
    pub warnings: Vec<Warning>,
    /// Whether it was traded in a sandbox, so that no money moved.
    pub is_simulated: bool,
}

impl Traded {
    /// What a person sees of it, including whether it was simulated.
    pub fn view(&self) -> View {
        View::of_trade(&self.trade).simulated_if(self.is_simulated)
    }
}

/// What a [`receipt`](launchpad_desk::launchpad::receipt::receipt) needs from it: see [`Reported::from`].
impl From<&Traded> for Reported {
    fn from(traded: &Traded) -> Reported {
        Reported::from(&traded.trade)
    }
}

/// Why a trade did not land, or why that is unknown. Its [`outcome`](Error::outcome) says whether money may have moved.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct TradeError {
    /// The error itself.
    pub error: Box<Error>,
    /// The trade's id, given or generated; `None` where the request or an option was refused.
    pub intent_id: Option<String>,
    /// Warnings about its request.
    pub warnings: Vec<Warning>,
    /// `true`: the trade was for a sandbox, so no money moved. `false`: it was for a service, so treat it as real; a service
    /// that simulates can only say so in an answer. `None`: there was no destination, for example because a setting cannot be
    /// used.
    pub is_simulated: Option<bool>,
}

impl TradeError {
    /// What a person sees of it, including whether it was simulated.
    pub fn view(&self) -> View {
        View::of_error(&self.error).simulated_if(self.is_simulated == Some(true))
    }
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
        Box::new(error).into()
    }
}

impl From<Box<Error>> for TradeError {
    fn from(error: Box<Error>) -> Self {
        let is_simulated = plain::is_simulated(None, error.trade.as_deref());
        TradeError { error, intent_id: None, warnings: Vec::new(), is_simulated }
    }
}

/// An option that cannot be used; `what` follows its name.
pub(super) fn bad_option(option: &str, code: FieldCode, what: &str) -> TradeError {
    let problem = FieldError::of(option, code, what);
    let message = format!("not sent: {}", problem.message);
    Error { fields: vec![problem], ..Error::new(Code::InvalidOptions, message) }.into()
}

#[cfg(feature = "serde")]
mod through_serde {
    use serde::de::{Deserialize, Deserializer, Error as _};
    use serde::ser::{Serialize, Serializer};

    use super::{TradeError, Traded};
    use launchpad_desk::bindings::through_serde::{Plain, whole_error, whole_trade};
    use launchpad_desk::tape::Tape;
    use launchpad_desk::trade::plain::{About, error_value, trade_value};

    impl Serialize for Traded {
        fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            let Traded { trade, intent_id, warnings, is_simulated } = self.clone();
            let is_simulated = Some(is_simulated);
            let about = About { intent_id: Some(intent_id), warnings, is_simulated };
            Plain(trade_value(&trade, &about).root(), &[]).serialize(serializer)
        }
    }

    impl<'de> Deserialize<'de> for Traded {
        fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
            let (trade, About { intent_id, warnings, is_simulated }) =
                whole_trade(&Tape::deserialize(deserializer)?).map_err(D::Error::custom)?;
            let intent_id = intent_id.ok_or_else(|| D::Error::custom("its intentId is missing"))?;
            let is_simulated = is_simulated == Some(true) || trade.is_simulated();
            Ok(Traded { trade, intent_id, warnings, is_simulated })
        }
    }

    impl Serialize for TradeError {
        fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            let TradeError { error, intent_id, warnings, is_simulated } = self.clone();
            let about = About { intent_id, warnings, is_simulated };
            Plain(error_value(&error, &about).root(), &[]).serialize(serializer)
        }
    }

    impl<'de> Deserialize<'de> for TradeError {
        fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
            let (error, About { intent_id, warnings, is_simulated }) =
                whole_error(&Tape::deserialize(deserializer)?).map_err(D::Error::custom)?;
            Ok(TradeError { error: Box::new(error), intent_id, warnings, is_simulated })
        }
    }
}
