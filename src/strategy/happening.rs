//! What happens to an exit that is carried out.

use crate::codes::codes;
use crate::intent::IntentOutcome;

codes! {
    /// What happened to an exit.
    #[non_exhaustive]
    ExitHappening {
        /// It is about to be sent.
        Ordered = "ordered",
        /// It was sold.
        Landed = "landed",
        /// Nothing was sent; it is tried again under the same id.
        NotSent = "not_sent",
        /// It is proven not sold; it is tried again under a new id.
        DidNotLand = "did_not_land",
        /// Its outcome is unknown; nothing else is ordered until it is settled.
        InDoubt = "in_doubt",
        /// The market said nothing in time, or stands still, so nothing was decided.
        NoLook = "no_look",
        /// Nothing is left to sell: all of it is sold, or the wallet does not hold it any more, which its error says.
        Over = "over",
        /// The curve is complete: no rule sells any more. A person's wish to close is tried once.
        Completed = "completed",
        /// The wallet does not hold a part of the position any more, so that is not sold. It is again once the wallet holds as much as before.
        Gone = "gone",
        /// The market shows what a sell has brought that had ended before: its event says how much.
        Received = "received",
    }
}

/// What an order that ended so means for its exit.
impl From<IntentOutcome> for ExitHappening {
    fn from(outcome: IntentOutcome) -> Self {
        match outcome {
            IntentOutcome::Landed => ExitHappening::Landed,
            IntentOutcome::NotSent => ExitHappening::NotSent,
            IntentOutcome::Rejected | IntentOutcome::Failed | IntentOutcome::DidNotLand => {
                ExitHappening::DidNotLand
            }
            IntentOutcome::Unknown | IntentOutcome::Unconfirmed => ExitHappening::InDoubt,
        }
    }
}
