//! What becomes of one request on purpose: what faults and asked-for outcomes both come down to.

use super::problem::{problem, too_many};
use crate::api::endpoint::Reply;
use crate::launchpad::Refusal;

/// What becomes of one request. The default leaves all to the service and the launchpad.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Course {
    /// What is answered without a look at the request; then nothing is executed.
    pub(super) early: Option<Early>,
    /// What becomes of the transaction.
    pub(super) fate: Fate,
    /// The status that is answered although the transaction was executed.
    pub(super) status_after: Option<u16>,
    /// Whether the body is spoilt.
    pub(super) is_garbled: bool,
    /// How the answer travels.
    pub(super) delivery: Delivery,
}

/// What is answered without a look at the request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Early {
    /// This status.
    Status(u16),
    /// 429, and how long to wait.
    TooMany {
        /// In milliseconds.
        retry_after_ms: u32,
    },
}

/// What becomes of a transaction.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Fate {
    /// The launchpad decides.
    #[default]
    Open,
    /// The launchpad decides, and no rival trades between quote and execution.
    Calm,
    /// It fails: for this reason, or as if the price had moved past the slippage.
    Fails(Option<Refusal>),
}

/// How an answer is delivered; the sender acts on it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Delivery {
    /// How much of it arrives.
    pub carried: Carried,
    /// Milliseconds before the answer begins.
    pub latency_ms: u32,
    /// Milliseconds that the body takes from its first byte to its last.
    pub body_ms: u32,
}

/// How much of an answer arrives.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Carried {
    /// All of it.
    #[default]
    Whole,
    /// Nothing: there was no connection, and the service never saw the request.
    Refused,
    /// Nothing: the connection ended first.
    Nothing,
    /// The reply's status, headers and what is in its body; then the connection ends.
    Part,
}

impl Course {
    /// The answer in place of the service's, where there is one.
    pub(super) fn early_reply(&self) -> Option<Reply> {
        self.early.map(|early| match early {
            Early::Status(status) => on_purpose(status),
            Early::TooMany { retry_after_ms } => too_many(u64::from(retry_after_ms)),
        })
    }

    /// The answer of an executed transaction: its own, or another in its place.
    pub(super) fn late_reply(&self, reply: Reply) -> Reply {
        self.status_after.map_or(reply, on_purpose)
    }

    /// What becomes of the reply's body on its way.
    pub(super) fn spoil(&self, reply: &mut Reply) {
        let middle = reply.body.len() / 2;
        if self.delivery.carried == Carried::Part {
            reply.body.truncate(middle);
        }
        if self.is_garbled {
            // A byte that no text has.
            reply.body.insert(middle, 0xff);
        }
    }
}

fn on_purpose(status: u16) -> Reply {
    match status {
        429 => too_many(1_000),
        _ => problem(status, "an error on purpose", &[]),
    }
}
