//! What really happened to each call: the log that a bot's own books are compared with.

use super::actual_outcome::ActualOutcome;
use super::change::Change;
use super::fault_plan::{Delivery, ReplyCut};
use super::name;
use super::row::{CallRow, Count};
use launchpad_desk::api::endpoint::{Operation, Reply};

/// A call as it was answered.
pub(super) struct Answered<'a> {
    pub(super) operation: Operation,
    pub(super) intent_id: &'a str,
    pub(super) body: &'a [u8],
    pub(super) at_ms: u64,
    pub(super) reply: &'a Reply,
    pub(super) delivery: Delivery,
    pub(super) changes: &'a [Change],
}

impl Answered<'_> {
    /// Its row in the log.
    pub(super) fn row(&self, number: Count) -> CallRow {
        let trade = self.changes.iter().find_map(|change| match change {
            Change::Trade(row) => Some(row),
            _ => None,
        });
        let body = std::str::from_utf8(self.body).unwrap_or_default();
        CallRow {
            number,
            at_ms: Count::new(self.at_ms),
            operation: self.operation,
            intent_id: self.intent_id.to_owned(),
            fingerprint: name::fingerprint(self.operation.as_str(), body),
            actual: match trade {
                None => ActualOutcome::NotExecuted,
                Some(row) if row.success => ActualOutcome::Landed,
                Some(_) => ActualOutcome::Failed,
            },
            transaction: trade.map_or(Count::default(), |row| row.transaction),
            signature: trade.map(|row| row.signature.clone()).unwrap_or_default(),
            // If no answer arrives, none was given.
            status: match self.delivery.cut {
                ReplyCut::NoConnection | ReplyCut::BeforeReply => Count::default(),
                _ => Count::new(self.reply.status.into()),
            },
        }
    }
}
