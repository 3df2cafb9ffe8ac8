//! What a gateway says of an intent, beside the answer itself.

use crate::codes::codes;

/// The header of a gateway's answers that has the [`Standing`].
pub const INTENT_STATE: &str = "intent-state";

codes! {
    /// What a gateway knows of the intent that it was asked about, whichever request brought it.
    Standing {
        /// This is the answer that it recorded, to the first request or to a later one.
        Answered = "answered",
        /// The gateway refuses it: nothing moved, and nothing will.
        Refused = "refused",
        /// It was forwarded, and there is no answer yet.
        InFlight = "in_flight",
        /// It waits for a person's approval.
        Waiting = "waiting",
        /// It was forwarded, and its answer is lost. An operator has to find out what became of it.
        InDoubt = "in_doubt",
        /// The gateway does not take up this request, and knows of no other: nothing moves by this one. An earlier one may still
        /// be on its way.
        NotTaken = "not_taken",
    }
}

impl Standing {
    /// Whether it would say the same if it were asked again now.
    pub fn is_final(self) -> bool {
        !matches!(self, Standing::InFlight | Standing::NotTaken)
    }
}
