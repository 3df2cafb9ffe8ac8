//! The state of an intent, and how it ended: one spelling for the client, journals, a gateway, the panel and the sandbox's audit.

use crate::codes::codes;
use crate::error::{Code, Error, FieldCode, Outcome};
use crate::response::{Status, Trade};
use crate::to_tape;

/// The header of a gateway's answers that holds the [`IntentState`].
pub const INTENT_STATE: &str = "intent-state";

codes! {
    /// How far an intent is at a gateway. There are no others: whoever matches one decides about each.
    IntentState {
        /// It is a plan that has not been sent.
        Planned = "planned",
        /// A person must approve it; nothing was sent yet.
        AwaitingApproval = "awaiting_approval",
        /// It was forwarded and has no answer yet.
        InFlight = "in_flight",
        /// It was forwarded, and its outcome is unknown. An operator must settle it, unless the chain proves it.
        InDoubt = "in_doubt",
        /// It has its final answer: the service's, or the gateway's own refusal with status 403.
        Ended = "ended",
        /// The gateway has no such intent. The request that it answered with this moves nothing; an earlier one may still be on its way.
        NotRecorded = "not_recorded",
    }
}

impl IntentState {
    /// Whether asking again now would give the same answer.
    pub fn is_final(self) -> bool {
        !matches!(self, IntentState::InFlight | IntentState::NotRecorded)
    }
}

codes! {
    /// How an intent ended. There are no others: whoever matches one decides about each.
    IntentOutcome {
        /// It landed.
        Landed = "landed",
        /// It was answered with a success that does not say whether it landed.
        Unconfirmed = "unconfirmed",
        /// Nothing was sent.
        NotSent = "not_sent",
        /// The service or a gateway refused it.
        Rejected = "rejected",
        /// Its transaction ran and failed: nothing moved but the network fee.
        Failed = "failed",
        /// It is unknown: it may have landed.
        Unknown = "unknown",
        /// Its outcome was unknown, and it was found that it did not land.
        DidNotLand = "did_not_land",
    }
}

impl IntentOutcome {
    /// The outcome of a trade with this result.
    pub fn of(result: &Result<Trade, Box<Error>>) -> Self {
        match result {
            Ok(trade) => trade.status.into(),
            Err(error) => error.outcome.into(),
        }
    }
}

impl From<Status> for IntentOutcome {
    fn from(status: Status) -> Self {
        match status {
            Status::Landed => IntentOutcome::Landed,
            Status::Unconfirmed => IntentOutcome::Unconfirmed,
            Status::Failed => IntentOutcome::Failed,
        }
    }
}

impl From<Outcome> for IntentOutcome {
    fn from(outcome: Outcome) -> Self {
        match outcome {
            Outcome::NotSent => IntentOutcome::NotSent,
            Outcome::Rejected => IntentOutcome::Rejected,
            Outcome::Failed => IntentOutcome::Failed,
            Outcome::Unknown => IntentOutcome::Unknown,
        }
    }
}

/// How an intent ended, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "camelCase"))]
pub struct Settlement {
    /// How it ended; after an acknowledgement, what was found.
    pub outcome: IntentOutcome,
    /// The error's code: the reason. `None` for a trade.
    pub code: Option<Code>,
    /// The HTTP status; `None` without an answer.
    pub status: Option<u16>,
    /// The signature of its transaction, if the service or the chain has told it.
    #[cfg_attr(feature = "serde", serde(default))]
    pub signature: Option<String>,
    /// Whether the chain proves it, so that no other transaction was made for it. Otherwise the service or a person said so.
    #[cfg_attr(feature = "serde", serde(default))]
    pub proven: bool,
}
to_tape!(Settlement { outcome, code, status, signature, proven });

impl Settlement {
    /// The settlement of a trade with this result, answered with this HTTP status.
    pub fn of(result: &Result<Trade, Box<Error>>, status: Option<u16>) -> Self {
        let error = result.as_ref().err();
        let trade = result.as_ref().ok().or_else(|| error?.trade.as_deref());
        let open = error.and_then(|error| error.signature.as_deref());
        Settlement {
            outcome: IntentOutcome::of(result),
            code: error.map(|error| error.code),
            status: error.map_or(status, |error| error.status),
            signature: trade.and_then(Trade::signature).or(open).map(str::to_owned),
            proven: false,
        }
    }

    /// Whether it is unknown only because a gateway waits for a person's approval: it may still be sent.
    pub fn awaits_approval(&self) -> bool {
        self.outcome == IntentOutcome::Unknown && self.code == Some(Code::AwaitingApproval)
    }
}

/// A settlement of which nothing else is known.
impl From<IntentOutcome> for Settlement {
    fn from(outcome: IntentOutcome) -> Self {
        Settlement { outcome, code: None, status: None, signature: None, proven: false }
    }
}

/// What is wrong with a caller's intent id, in words that follow its name. An id must fit a header.
///
/// ```
/// use launchpad_desk::intent::intent_id_problem;
/// assert_eq!(intent_id_problem("signal-2041/entry"), None);
/// assert_eq!(intent_id_problem("two words").unwrap().1, "must be visible ASCII, without white space");
/// ```
pub fn intent_id_problem(intent_id: &str) -> Option<(FieldCode, &'static str)> {
    if intent_id.is_empty() {
        Some((FieldCode::Empty, "is empty"))
    } else if intent_id.len() > 128 {
        Some((FieldCode::TooLong, "is longer than 128 characters"))
    } else if !intent_id.bytes().all(|byte| byte.is_ascii_graphic()) {
        Some((FieldCode::WhiteSpace, "must be visible ASCII, without white space"))
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_trade_that_waits_for_approval_is_not_one_without_an_answer() {
        let of = |code| Settlement::of(&Err(Box::new(Error::new(code, String::new()))), None);
        let codes = [Code::AwaitingApproval, Code::NetworkError, Code::Halted, Code::Unauthorized];
        assert_eq!(
            codes.map(|code| (of(code).outcome.as_str(), of(code).awaits_approval())),
            [("unknown", true), ("unknown", false), ("not_sent", false), ("rejected", false)]
        );
    }
}
