//! Why a client cannot say what its market shows, or why it does not carry out exits.

use std::fmt;

use super::error::TradeError;
use super::transport::BoxError;
use launchpad_desk::error::FieldError;
use launchpad_desk::strategy::NoPosition;
use launchpad_desk::strategy::manage::Refusal;
use launchpad_desk::trade::plan::PlanRefusal;

/// Why a client gives no answer about the chain, or why it does not carry out exits. Of one trade a [`TradeError`] says it.
#[derive(Debug)]
pub struct ClientError(pub(super) Why);

#[derive(Debug)]
pub(super) enum Why {
    NoMarket,
    NoPrice,
    NoPosition(NoPosition),
    Journal(TradeError),
    /// The market gave no answer.
    Silent(BoxError),
    /// Every bad field of the exits, by path.
    Invalid(Vec<FieldError>),
    AlwaysRefused(Box<PlanRefusal>),
    NotSaved(BoxError),
}

impl ClientError {
    /// Whether the client has no market to ask.
    pub fn has_no_market(&self) -> bool {
        matches!(self.0, Why::NoMarket)
    }

    /// Whether it is about a plan without a price.
    pub fn has_no_price(&self) -> bool {
        matches!(self.0, Why::NoPrice)
    }

    /// Why the position of a buy is not known, if that is what it says.
    pub fn no_position(&self) -> Option<NoPosition> {
        match self.0 {
            Why::NoPosition(missing) => Some(missing),
            _ => None,
        }
    }

    /// How the journal failed, if it did.
    pub fn journal(&self) -> Option<&TradeError> {
        match &self.0 {
            Why::Journal(error) => Some(error),
            _ => None,
        }
    }

    /// What the market has said in place of an answer, if it was asked.
    pub fn market(&self) -> Option<&BoxError> {
        match &self.0 {
            Why::Silent(why) => Some(why),
            _ => None,
        }
    }

    /// Every bad field, by path, if exits cannot be used: of their plan, their position or the kept state, or because the time of the
    /// position does not fit that of the look, or because the client counts the token by other decimals.
    pub fn fields(&self) -> &[FieldError] {
        match &self.0 {
            Why::Invalid(fields) => fields,
            _ => &[],
        }
    }

    /// What the client's limits would refuse every order of the exits for, if they do: slippage, priority fee, mint or wallet.
    pub fn always_refused(&self) -> Option<&PlanRefusal> {
        match &self.0 {
            Why::AlwaysRefused(refused) => Some(refused),
            _ => None,
        }
    }

    /// Whether the state of exits could not be kept. An order that it was for is not sent.
    pub fn is_not_saved(&self) -> bool {
        matches!(self.0, Why::NotSaved(_))
    }
}

impl fmt::Display for ClientError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Why::NoMarket => f.write_str("the client has no market"),
            Why::NoPrice => f.write_str("the plan has no price"),
            Why::NoPosition(missing) => write!(f, "the position is not known: {}", missing.meaning()),
            Why::Journal(error) => error.fmt(f),
            Why::Silent(why) => write!(f, "the market gave no answer: {why}"),
            Why::Invalid(problems) => {
                f.write_str("the exits cannot be used")?;
                for (at, problem) in problems.iter().enumerate() {
                    write!(f, "{}{}", if at == 0 { ": " } else { "; " }, problem.message)?;
                }
                Ok(())
            }
            Why::AlwaysRefused(refused) => write!(f, "{}: {}", Refusal::ALWAYS, refused.message),
            Why::NotSaved(why) => write!(f, "the state of the exits was not kept: {why}"),
        }
    }
}

impl std::error::Error for ClientError {}

impl From<Why> for ClientError {
    fn from(why: Why) -> Self {
        ClientError(why)
    }
}

impl From<TradeError> for ClientError {
    fn from(error: TradeError) -> Self {
        ClientError(Why::Journal(error))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use launchpad_desk::error::{Code, FieldCode};

    #[test]
    fn each_error_says_that_it_is_itself_and_no_other() {
        let field = FieldError { field: "plan".into(), code: FieldCode::Empty, message: "no".into() };
        let refused = PlanRefusal {
            code: Code::Halted,
            message: "no".into(),
            fields: Vec::new(),
            retry_after_ms: None,
        };
        let errors = [
            Why::NoMarket,
            Why::NoPrice,
            Why::NoPosition(NoPosition::InFlight),
            Why::Journal(crate::error::bad_option("journal", FieldCode::Empty, "is empty")),
            Why::Silent("no".into()),
            Why::Invalid(vec![field]),
            Why::AlwaysRefused(Box::new(refused)),
            Why::NotSaved("no".into()),
        ];
        for (at, error) in errors.map(ClientError).iter().enumerate() {
            let says = [
                error.has_no_market(),
                error.has_no_price(),
                error.no_position().is_some(),
                error.journal().is_some(),
                error.market().is_some(),
                !error.fields().is_empty(),
                error.always_refused().is_some(),
                error.is_not_saved(),
            ];
            assert!((0..8).all(|place| says[place] == (place == at)), "{error:?}: {says:?}");
        }
    }
}
