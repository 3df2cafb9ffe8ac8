//! What a journal and the hooks learn about a trade, and what a journal gives back.

use crate::error::Error;
use crate::intent::{IntentOutcome, Settlement};
use crate::trade::guard::{DAY_MS, Ended, Guards, Intent, Suspension, Worst};
pub use crate::trade::intent::TradeIntent;

/// The day (UTC) of a time, since 1970.
pub const fn day_of(ms: u64) -> u64 {
    ms / DAY_MS
}

/// When the day (UTC) of a time began: the earliest time that a journal is asked about.
pub const fn midnight_before(now_ms: u64) -> u64 {
    now_ms - now_ms % DAY_MS
}

/// A trade that was sent and has ended: it landed, was accepted, failed, or did not land.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EndedTrade {
    pub intent: TradeIntent,
    /// How it ended.
    pub outcome: IntentOutcome,
    /// The signature of its transaction, if it was reported.
    pub signature: Option<String>,
    /// Whether the chain proves it.
    pub proven: bool,
}

impl EndedTrade {
    /// The trade that ended so; `None` if it was not sent.
    pub fn of(intent: TradeIntent, settlement: &Settlement) -> Option<EndedTrade> {
        let Settlement { outcome, signature, proven, .. } = settlement;
        (*outcome != IntentOutcome::NotSent).then(|| EndedTrade {
            intent,
            outcome: *outcome,
            signature: signature.clone(),
            proven: *proven,
        })
    }

    /// For the guards; `None` if its body cannot be read.
    fn restored(&self) -> Option<Ended> {
        let EndedTrade { intent, outcome, signature, proven } = self;
        let request = intent.request().ok()?;
        let intent = Intent::new(intent.clone(), &request, intent.started_at_ms, Worst::default());
        Some(Ended { intent, outcome: *outcome, signature: signature.clone(), proven: *proven })
    }
}

/// As the guards remember it.
impl From<Ended> for EndedTrade {
    fn from(ended: Ended) -> Self {
        let Ended { intent, outcome, signature, proven } = ended;
        EndedTrade { intent: intent.trade, outcome, signature, proven }
    }
}

/// What a journal remembers, all as of one moment.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Recalled {
    /// The unresolved trades: begun and never settled, or of unknown outcome.
    pub pending: Vec<TradeIntent>,
    /// The ids of trades that landed or were accepted: none of them is sent again.
    pub landed: Vec<String>,
    /// Lamports that those took today, as limits count them.
    pub lamports: u128,
    /// The latest trades that have ended and may have a transaction, so that their transactions do not count as those of others.
    /// `None` if it does not keep them.
    pub ended: Option<Vec<EndedTrade>>,
    /// What stopped trading. The count includes trades that have no end at all. Without a count, each unresolved trade counts as
    /// unknown.
    pub suspension: Suspension,
}

impl Recalled {
    /// Gives it to the guards of a client, once, before its first trade.
    ///
    /// # Errors
    ///
    /// A pending trade cannot be read. The trades before it are restored, the rest are not. It is harmless to call this again.
    pub fn restore(&self, guards: &mut Guards, now_ms: u64) -> Result<(), Box<Error>> {
        for intent in &self.pending {
            let request = intent.request()?;
            guards.restore_unresolved(now_ms, intent.started_at_ms, intent.clone(), &request);
        }
        for intent_id in &self.landed {
            guards.restore_landed_id(intent_id);
        }
        match &self.ended {
            None => guards.forget_ended(now_ms),
            Some(ended) => {
                for ended in ended {
                    match ended.restored() {
                        Some(ended) => guards.restore_ended(now_ms, ended),
                        // Its transaction is not known, which does not block trades.
                        None => guards.forget_ended(ended.intent.started_at_ms),
                    }
                }
            }
        }
        guards.restore_suspension(self.suspension);
        // Last, so that it is restored once, even if the others had to be tried again.
        guards.restore_spent(now_ms, self.lamports);
        Ok(())
    }
}
