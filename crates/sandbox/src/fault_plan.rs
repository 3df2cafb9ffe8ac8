//! What a sandbox does to one request on purpose. Faults and requested outcomes both become such a plan.

use super::problem::{problem, too_many};
use launchpad_desk::api::endpoint::Reply;
use launchpad_desk::launchpad::Refusal;

/// What is done to one request. The default leaves everything to the service and the launchpad.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct FaultPlan {
    /// An answer that is given without looking at the request; then nothing is executed.
    pub(super) early: Option<EarlyReply>,
    /// What happens to the transaction.
    pub(super) execution: Execution,
    /// The status of the answer, although the transaction was executed.
    pub(super) status_after: Option<u16>,
    /// Whether the body is corrupted.
    pub(super) is_garbled: bool,
    /// How the answer travels.
    pub(super) delivery: Delivery,
}

/// An answer that is given without looking at the request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum EarlyReply {
    Status(u16),
    /// 429, with how long to wait.
    TooMany {
        /// In milliseconds.
        retry_after_ms: u32,
    },
}

/// What happens to a transaction.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Execution {
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
    /// Where it is cut off.
    pub cut: ReplyCut,
    /// Milliseconds before the answer begins.
    pub latency_ms: u32,
    /// Milliseconds that the body takes from its first byte to its last.
    pub body_ms: u32,
}

/// Where the connection ends before the whole answer has arrived.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ReplyCut {
    /// Nowhere: all of the answer arrives.
    #[default]
    None,
    /// There is no connection, and the service never sees the request.
    NoConnection,
    /// Before the answer.
    BeforeReply,
    /// Within the body: the reply's status and headers arrive, and the part of the body that is left in it.
    WithinBody,
}

impl FaultPlan {
    /// The answer that replaces the service's, if there is one.
    pub(super) fn early_reply(&self) -> Option<Reply> {
        self.early.map(|early| match early {
            EarlyReply::Status(status) => on_purpose(status),
            EarlyReply::TooMany { retry_after_ms } => too_many(u64::from(retry_after_ms)),
        })
    }

    /// The answer to an executed transaction: its own, or the one that replaces it.
    pub(super) fn late_reply(&self, reply: Reply) -> Reply {
        self.status_after.map_or(reply, on_purpose)
    }

    /// Corrupts or cuts the reply's body, if that was asked for.
    pub(super) fn spoil(&self, reply: &mut Reply) {
        let middle = reply.body.len() / 2;
        if self.delivery.cut == ReplyCut::WithinBody {
            reply.body.truncate(middle);
        }
        if self.is_garbled {
            // A byte that no UTF-8 text contains.
            reply.body.insert(middle, 0xff);
        }
    }
}

fn on_purpose(status: u16) -> Reply {
    match status {
        429 => too_many(1_000),
        _ => problem(status, "a simulated error", &[]),
    }
}
