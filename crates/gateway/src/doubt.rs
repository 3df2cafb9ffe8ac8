//! An intent in doubt that the chain may decide, and what settles it.

use launchpad_desk::market::settler::{Settler, Shown};
use launchpad_desk::trade::settle::UnknownReason;

/// An intent in doubt that the chain may decide.
#[derive(Clone, Debug, Default)]
pub(super) struct Doubt {
    /// When it is asked about next.
    pub due_ms: u64,
    /// What the chain has shown after the send.
    pub shown: Option<Shown>,
    /// When it was asked about last, and why that did not decide it.
    pub told: Option<(u64, Undecided)>,
}

/// What the driver is settling.
#[derive(Clone, Debug)]
pub(super) struct Pending {
    pub id: String,
    pub settler: Settler,
    /// The numbers of the other trades that it knows of; `None` if not all of them are known.
    pub others: Option<Vec<u64>>,
}

/// Why an attempt did not decide.
#[derive(Clone, Debug)]
pub(super) struct Undecided {
    pub reason: Option<UnknownReason>,
    /// The signature of the transaction that is likely it.
    pub signature: Option<String>,
    /// Why the node was not asked further.
    pub problem: Option<String>,
}
