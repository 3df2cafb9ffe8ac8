//! What a gateway says about an intent, besides the answer itself.

use crate::codes::codes;

/// The header of a gateway's answers that holds the [`IntentStatus`].
pub const INTENT_STATE: &str = "intent-state";

codes! {
    /// What a gateway knows about the intent of a request, from this request or an earlier one.
    IntentStatus {
        /// This is the answer that it recorded, to the first request or to a later one.
        Answered = "answered",
        /// The gateway refuses it: nothing moved, and nothing will.
        Refused = "refused",
        /// It was forwarded, and there is no answer yet.
        InFlight = "in_flight",
        /// It waits for a person's approval.
        Waiting = "waiting",
        /// It was forwarded, and its answer is lost. An operator has to find out what happened to it.
        InDoubt = "in_doubt",
        /// The gateway did not accept this request, and knows of no other: this one moves nothing. An earlier one may still be
        /// on its way.
        NotTaken = "not_taken",
    }
}

impl IntentStatus {
    /// Whether asking again now would give the same answer.
    pub fn is_final(self) -> bool {
        !matches!(self, IntentStatus::InFlight | IntentStatus::NotTaken)
    }
}
