//! What a journal and the hooks learn about a trade, and what a journal gives back.

use crate::api::endpoint::Operation;
use crate::api::request::Request;
use crate::api::validate::Valid;
use crate::error::Error;
use crate::intent::{IntentOutcome, Settlement};
use crate::tape::{Number, ToTape, Writer};
use crate::trade::guard::{Counted, DAY_MS, Ended, Guards, Intent, Record, Suspension, Worst, request_of};
use crate::trade::reconcile::WalletBalances;

/// The day (UTC) of a time, since 1970.
pub const fn day_of(ms: u64) -> u64 {
    ms / DAY_MS
}

/// When the day (UTC) of a time began: the earliest time that a journal is asked about.
pub const fn midnight_before(now_ms: u64) -> u64 {
    now_ms - now_ms % DAY_MS
}

/// A trade as journals and hooks get it: everything that is sent except the key. `Debug` leaves its body out.
#[derive(Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "camelCase"))]
pub struct TradeIntent {
    /// The trade's id.
    pub intent_id: String,
    /// What is asked for.
    pub operation: Operation,
    /// The exact body.
    pub body: String,
    /// When it was admitted or, if it then waited for over five seconds, sent, in milliseconds since 1970. It counts for the day (UTC) of
    /// this time.
    pub started_at_ms: u64,
    /// What its wallets held before it was sent, if the caller said so.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub before: Option<Vec<WalletBalances>>,
    /// Whether it went to a gateway, which may send it much later: once a person has approved it. Then only that it landed can be
    /// proven from outside.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "std::ops::Not::not"))]
    pub through_gateway: bool,
    /// What limits have counted for it: every client says so.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    pub counted: Option<Counted>,
    /// The signature that its service named while its outcome stayed unknown: no other trade has it. A journal keeps it from the settlement.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    pub named_signature: Option<String>,
}

impl TradeIntent {
    /// What was asked for, from the body. It was checked when it was sent, by the rules of that time.
    ///
    /// # Errors
    ///
    /// `invalid_request`: no such body was ever sent.
    pub fn request(&self) -> Result<Valid<Request>, Box<Error>> {
        request_of(self.operation, &self.body)
    }

    /// What the guards keep.
    pub fn record(&self) -> Record {
        Record {
            intent_id: self.intent_id.clone(),
            body: Some(self.body.clone()),
            before: self.before.clone(),
            through_gateway: self.through_gateway,
            counted: self.counted,
            named_signature: self.named_signature.clone(),
        }
    }
}

/// An intent of the guards as a journal keeps it. Without a body, which a [`Record`] may lack, it cannot be restored.
impl From<Intent> for TradeIntent {
    fn from(intent: Intent) -> Self {
        let Record { intent_id, body, before, through_gateway, counted, named_signature } = intent.record;
        let (operation, started_at_ms) = (intent.operation, intent.started_ms);
        let body = body.unwrap_or_default();
        TradeIntent {
            intent_id,
            operation,
            body,
            started_at_ms,
            before,
            through_gateway,
            counted,
            named_signature,
        }
    }
}

impl std::fmt::Debug for TradeIntent {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let TradeIntent { intent_id, operation, started_at_ms, .. } = self;
        write!(f, "TradeIntent({} {intent_id} at {started_at_ms})", operation.as_str())
    }
}

/// As a journal writes it; `before` only if the caller gave it, `throughGateway` only if it is true, `counted` and `namedSignature` only if they
/// are known.
impl ToTape for TradeIntent {
    fn write(&self, tape: &mut Writer) {
        let started_at_ms = Number(self.started_at_ms.into());
        let mut fields: Vec<(&str, &dyn ToTape)> = vec![
            ("intentId", &self.intent_id),
            ("operation", &self.operation),
            ("startedAtMs", &started_at_ms),
            ("body", &self.body),
        ];
        fields.extend(self.before.as_ref().map(|before| ("before", before as &dyn ToTape)));
        fields.extend(self.through_gateway.then_some(("throughGateway", &true as &dyn ToTape)));
        fields.extend(self.counted.as_ref().map(|counted| ("counted", counted as &dyn ToTape)));
        fields.extend(self.named_signature.as_ref().map(|named| ("namedSignature", named as &dyn ToTape)));
        tape.object(&mut fields.into_iter());
    }
}

/// A trade that was sent and has ended: it landed, was accepted, failed, or did not land.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EndedTrade {
    /// The trade.
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
        let intent = Intent::new(intent.record(), &request, intent.started_at_ms, Worst::default());
        Some(Ended { intent, outcome: *outcome, signature: signature.clone(), proven: *proven })
    }
}

/// As the guards remember it.
impl From<Ended> for EndedTrade {
    fn from(ended: Ended) -> Self {
        let Ended { intent, outcome, signature, proven } = ended;
        EndedTrade { intent: intent.into(), outcome, signature, proven }
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
            guards.restore_unresolved(now_ms, intent.started_at_ms, intent.record(), &request);
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
