//! What really happened to a call, however its sender read the answer.

use launchpad_desk::bindings::codes::codes;
use launchpad_desk::intent::IntentOutcome;

codes! {
    /// What really happened to a call, as only the sandbox can know it. What a client or a gateway recorded is an `IntentOutcome`. Append-only.
    #[non_exhaustive]
    ActualOutcome, default NotExecuted {
        /// Nothing was executed: the service refused it, or never saw it whole.
        NotExecuted = "not_executed",
        /// The transaction landed.
        Landed = "landed",
        /// The transaction failed: nothing moved but the network fee.
        Failed = "failed",
        /// No such call reached the service.
        NeverArrived = "never_arrived",
        /// Nobody can say: the log has no such call, and no longer has its oldest ones.
        NotLogged = "not_logged",
    }
}

impl ActualOutcome {
    /// Whether books that say `recorded` are right: they have it settled as it was, or open. `None` was never settled.
    pub const fn agrees(self, recorded: Option<IntentOutcome>) -> bool {
        match recorded {
            None | Some(IntentOutcome::Unknown) => true,
            Some(IntentOutcome::Landed | IntentOutcome::Unconfirmed) => matches!(self, ActualOutcome::Landed),
            Some(IntentOutcome::Failed) => matches!(self, ActualOutcome::Failed),
            Some(IntentOutcome::Rejected | IntentOutcome::NotSent) => {
                matches!(self, ActualOutcome::NotExecuted | ActualOutcome::NeverArrived)
            }
            Some(IntentOutcome::DidNotLand) => {
                !matches!(self, ActualOutcome::Landed | ActualOutcome::NotLogged)
            }
        }
    }
}
