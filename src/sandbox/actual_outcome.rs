//! What really happened to a trade, and what a bot's books say about it.

use crate::codes::codes;

codes! {
    /// What really happened to a call. Append-only.
    ActualOutcome, default NotExecuted {
        /// Nothing was executed: the service refused it, or never saw it whole.
        NotExecuted = "not_executed",
        /// The transaction landed.
        Landed = "landed",
        /// The transaction failed: nothing moved but the network fee.
        Failed = "failed",
        /// No such call reached the service.
        NeverArrived = "never_arrived",
    }
}

codes! {
    /// What a bot's books say about a trade: how its intent was settled. Append-only.
    RecordedOutcome, default InFlight {
        /// It was never settled.
        InFlight = "in_flight",
        /// It landed.
        Landed = "landed",
        /// It was accepted.
        Unconfirmed = "unconfirmed",
        /// Its transaction failed.
        Failed = "failed",
        /// The service refused it.
        Rejected = "rejected",
        /// It was not sent.
        NotSent = "not_sent",
        /// It may have landed.
        Unknown = "unknown",
        /// It was checked later: it did not land.
        DidNotLand = "did_not_land",
    }
}

impl RecordedOutcome {
    /// Whether the books leave it open.
    pub const fn is_open(self) -> bool {
        matches!(self, RecordedOutcome::InFlight | RecordedOutcome::Unknown)
    }

    /// Whether this agrees with what really happened. An open entry is never wrong.
    pub const fn agrees(self, actual: ActualOutcome) -> bool {
        match self {
            RecordedOutcome::InFlight | RecordedOutcome::Unknown => true,
            RecordedOutcome::Landed | RecordedOutcome::Unconfirmed => matches!(actual, ActualOutcome::Landed),
            RecordedOutcome::Failed => matches!(actual, ActualOutcome::Failed),
            RecordedOutcome::Rejected | RecordedOutcome::NotSent => {
                matches!(actual, ActualOutcome::NotExecuted | ActualOutcome::NeverArrived)
            }
            RecordedOutcome::DidNotLand => !matches!(actual, ActualOutcome::Landed),
        }
    }
}
