//! What happened to a trade: the truth, and what a bot's own books say.

use crate::codes::codes;

codes! {
    /// What really happened to a call. Append-only.
    Truth, default NotExecuted {
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
    Believed, default InFlight {
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

impl Believed {
    /// Whether the books leave it open.
    pub const fn is_open(self) -> bool {
        matches!(self, Believed::InFlight | Believed::Unknown)
    }

    /// Whether this agrees with the truth. An open entry is never wrong.
    pub const fn agrees(self, truth: Truth) -> bool {
        match self {
            Believed::InFlight | Believed::Unknown => true,
            Believed::Landed | Believed::Unconfirmed => matches!(truth, Truth::Landed),
            Believed::Failed => matches!(truth, Truth::Failed),
            Believed::Rejected | Believed::NotSent => {
                matches!(truth, Truth::NotExecuted | Truth::NeverArrived)
            }
            Believed::DidNotLand => !matches!(truth, Truth::Landed),
        }
    }
}
