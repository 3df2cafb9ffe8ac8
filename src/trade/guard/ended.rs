//! The trades of a client that have ended, as far as they say which transactions are theirs.

use std::collections::VecDeque;

use super::day::DAY_MS;
use super::intents::Intent;
use super::latest::REMEMBERED;
use crate::api::endpoint::Operation;
use crate::declaration::record;
use crate::intent::{IntentOutcome, Settlement};
use crate::reader::Reader;
use crate::trade::intent::TradeIntent;
use crate::trade::reconcile::WalletBalances;

/// A trade that was sent and has ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ended {
    /// The trade.
    pub intent: Intent,
    /// How it ended.
    pub outcome: IntentOutcome,
    /// The signature of its transaction, if it was reported.
    pub signature: Option<String>,
    /// Whether the chain proves it.
    pub proven: bool,
}

impl Ended {
    /// The trade that ended so; `None` if it was not sent.
    pub fn of(intent: Intent, settlement: Settlement) -> Option<Ended> {
        let Settlement { outcome, signature, proven, .. } = settlement;
        (outcome != IntentOutcome::NotSent).then_some(Ended { intent, outcome, signature, proven })
    }
}

/// Whether a look from before a trade that ended so decides nothing after it. One that the service refused holds up nobody's stops.
pub fn may_have_traded(settlement: &Settlement) -> bool {
    use IntentOutcome::{Failed, Landed, Unconfirmed, Unknown};
    matches!(settlement.outcome, Landed | Unconfirmed | Failed | Unknown) && !settlement.awaits_approval()
}

record! {
    /// Another trade of the same client, as far as it says which transactions may be its own.
    OtherTrade {
        /// What was asked for.
        operation: Operation => "Operation",
        /// The exact body.
        body: String => "string",
        /// When it was admitted, in milliseconds since 1970.
        started_at_ms: u64 => "bigint",
        /// Whether it went to a gateway, which may have sent it much later.
        through_gateway: bool => "boolean",
        /// The finalized slot at which its wallets were read before it was sent.
        before_slot: Option<u64> => "bigint | null",
        /// How it ended; `null` while it is in flight or unresolved.
        outcome: Option<IntentOutcome> => "IntentOutcome | null",
        /// The signature of its transaction, if it was reported.
        signature: Option<String> => "string | null",
        /// Whether the chain proves how it ended.
        proven: bool => "boolean",
    }
}

impl OtherTrade {
    /// Reads it from an object.
    pub fn read(r: &mut Reader) -> Option<OtherTrade> {
        let operation = r.needed("operation", |r, name| r.choice(name, Operation::NAMED));
        let outcome = r.choice("outcome", IntentOutcome::NAMED);
        let other = OtherTrade {
            operation: operation?,
            body: r.need("body", |r, name| r.text(name).map(str::to_owned)),
            started_at_ms: r.need("startedAtMs", Reader::whole),
            through_gateway: r.boolean("throughGateway").unwrap_or(false),
            before_slot: r.whole("beforeSlot"),
            outcome,
            signature: r.text("signature").map(str::to_owned),
            proven: r.boolean("proven").unwrap_or(false),
        };
        Some(other)
    }

    /// What an intent and its end say; `None` without a body.
    pub fn of(intent: &Intent, ended: Option<&Ended>) -> Option<OtherTrade> {
        let TradeIntent { operation, body, started_at_ms, through_gateway, before, .. } = &intent.trade;
        let before = before.as_deref().unwrap_or_default();
        (!body.is_empty()).then(|| OtherTrade {
            operation: *operation,
            body: body.clone(),
            started_at_ms: *started_at_ms,
            through_gateway: *through_gateway,
            before_slot: before.iter().filter_map(|balances| balances.slot).max(),
            outcome: ended.map(|ended| ended.outcome),
            signature: ended.and_then(|ended| ended.signature.clone()),
            proven: ended.is_some_and(|ended| ended.proven),
        })
    }
}

/// Slots after which a trade makes no transaction any more, counted from its balances before: many times what any trade needs, about a day.
pub const DAY_SLOTS: u64 = 216_000;

/// Whether a trade whose balances were read at this slot is older than any whose transaction may be that of a trade at the other one. No clock
/// says so: that may have been wrong.
pub fn is_a_day_older(slot: Option<u64>, than: Option<u64>) -> bool {
    slot.zip(than).is_some_and(|(slot, than)| slot.saturating_add(DAY_SLOTS) < than)
}

/// The finalized slot at which the wallets of a trade were read before it was sent; of one that went to a gateway, which may send it much later,
/// that says nothing.
pub fn slot_of(before: &[WalletBalances], through_gateway: bool) -> Option<u64> {
    before.iter().filter(|_| !through_gateway).filter_map(|balances| balances.slot).max()
}

impl Intent {
    /// The slot before which its transaction cannot have been made.
    pub(super) fn slot(&self) -> Option<u64> {
        slot_of(self.trade.before.as_deref().unwrap_or_default(), self.trade.through_gateway)
    }
}

/// The most trades that are kept, however young they are. What is forgotten leaves what it may have made unproven: see `forgotten_ms`.
const MOST: usize = 5 * REMEMBERED;

/// Whether trades were added to those of these ids; also if it is not known.
pub fn has_more(before: Option<&[String]>, now: Option<&[String]>) -> bool {
    let (Some(before), Some(now)) = (before, now) else { return before.is_some() };
    let count = |ids: &[String], id: &String| ids.iter().filter(|own| *own == id).count();
    now.iter().any(|id| count(now, id) > count(before, id))
}

/// The trades that are not known any more.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Forgotten {
    /// When the newest of them began.
    pub ms: Option<u64>,
    /// The newest slot of those, and whether one has none.
    pub slot: Option<u64>,
    pub has_slotless: bool,
}

impl Forgotten {
    /// Adds one that began at this time.
    pub fn add(&mut self, began_ms: u64, slot: Option<u64>) {
        self.ms = self.ms.max(Some(began_ms));
        self.slot = self.slot.max(slot);
        self.has_slotless |= slot.is_none();
    }

    /// Whether each of them is a day older than a trade that began at this time. The clock, which may have been wrong, counts only where no
    /// slot tells.
    pub fn are_a_day_older(&self, slot: Option<u64>, began_ms: u64) -> bool {
        let by_clock = || self.ms.is_none_or(|ms| ms < began_ms.saturating_sub(DAY_MS));
        match self.slot.filter(|_| slot.is_some()) {
            Some(newest) => is_a_day_older(Some(newest), slot) && (!self.has_slotless || by_clock()),
            None => by_clock(),
        }
    }
}

/// The latest trades that have ended.
#[derive(Clone, Debug, Default)]
pub struct Endings {
    kept: VecDeque<Ended>,
    forgotten: Forgotten,
}

impl Endings {
    /// Remembers one. Of more than ten thousand, those that began over two days before it are forgotten; of more than fifty thousand, the
    /// oldest: each takes about half a kilobyte.
    pub fn add(&mut self, ended: Ended) {
        let horizon_ms = ended.intent.trade.started_at_ms.saturating_sub(2 * DAY_MS);
        self.kept.push_back(ended);
        while self.kept.len() > REMEMBERED
            && let Some(oldest) = self.kept.front().map(|oldest| oldest.intent.trade.started_at_ms)
            && (oldest < horizon_ms || self.kept.len() > MOST)
            && let Some(oldest) = self.kept.pop_front()
        {
            self.forgotten.add(oldest.intent.trade.started_at_ms, oldest.intent.slot());
        }
    }

    /// Records that trades that began up to this time are not known.
    pub fn forget(&mut self, up_to_ms: u64) {
        self.forgotten.add(up_to_ms, None);
    }

    /// The one with this id: the latest, if it was sent again after it did not land.
    pub fn get(&self, intent_id: &str) -> Option<&Ended> {
        self.kept.iter().rev().find(|ended| ended.intent.id() == intent_id)
    }

    /// The one whose transaction has this signature, if it is known.
    pub fn of_signature(&self, signature: &str) -> Option<&Ended> {
        self.kept.iter().rev().find(|ended| ended.signature.as_deref() == Some(signature))
    }

    /// The one with this id that began at this time.
    pub fn at(&self, intent_id: &str, started_ms: u64) -> Option<&Ended> {
        let is_it =
            |ended: &&Ended| ended.intent.trade.started_at_ms == started_ms && ended.intent.id() == intent_id;
        self.kept.iter().rev().find(is_it)
    }

    /// Replaces the one with this id that began at the same time, if it is known.
    pub fn correct(&mut self, corrected: Ended) {
        let is_it = |ended: &&mut Ended| {
            ended.intent.trade.started_at_ms == corrected.intent.trade.started_at_ms
                && ended.intent.id() == corrected.intent.id()
        };
        if let Some(kept) = self.kept.iter_mut().rev().find(is_it) {
            *kept = corrected;
        }
    }

    /// Those whose transactions may be that of this trade, by when they were sent, the oldest first; `None` if one of them is not known.
    pub fn beside(&self, own: &Intent) -> Option<impl Iterator<Item = &Ended>> {
        let slot = own.slot();
        let is_complete = self.forgotten.are_a_day_older(slot, own.trade.started_at_ms);
        is_complete.then(|| self.kept.iter().filter(move |ended| !is_a_day_older(ended.intent.slot(), slot)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_busy_day_does_not_fill_the_memory_and_what_is_forgotten_is_said() {
        let mut endings = Endings::default();
        let most = MOST as u64;
        for n in 0..3 * most {
            let intent = intent(&n.to_string(), 1_000 + n, None);
            endings.add(Ended { intent, outcome: IntentOutcome::Landed, signature: None, proven: false });
            assert!(endings.kept.len() <= MOST);
        }
        assert!(
            endings.get(&(2 * most).to_string()).is_some()
                && endings.get(&(2 * most - 1).to_string()).is_none()
        );
        let own = |started_ms| intent("own", started_ms, None);
        assert_eq!(endings.beside(&own(DAY_MS + 1_000 + 2 * most)).map(Iterator::count), Some(MOST));
        assert!(endings.beside(&own(DAY_MS + 1_000 + 2 * most - 1)).is_none(), "one of them is not known");
    }

    fn intent(id: &str, started_ms: u64, slot: Option<u64>) -> Intent {
        let seen = WalletBalances { wallet: "W".into(), tokens: Some(0), lamports: Some(0), slot };
        Intent {
            trade: TradeIntent {
                started_at_ms: started_ms,
                before: slot.map(|_| vec![seen]),
                ..TradeIntent::from(id)
            },
            mint: String::new(),
            wallets: Vec::new(),
            lamports: 0,
            fee_lamports: 0,
        }
    }

    #[test]
    fn a_wrong_clock_hides_no_trade_and_the_chain_tells_which_are_older() {
        let mut endings = Endings::default();
        let at = 1_000_000;
        for (id, slot) in [("old", Some(at - DAY_SLOTS - 1)), ("near", Some(at - DAY_SLOTS)), ("none", None)]
        {
            let intent = intent(id, 10 * DAY_MS, slot);
            endings.add(Ended { intent, outcome: IntentOutcome::Landed, signature: None, proven: false });
        }
        let beside = |endings: &Endings, own: Intent| {
            let ids = |ended: &Ended| ended.intent.id().to_owned();
            endings.beside(&own).map(|ended| ended.map(ids).collect::<Vec<_>>())
        };
        // The clock was right, a week ahead, or a week behind.
        for started_ms in [10 * DAY_MS, 17 * DAY_MS, 3 * DAY_MS] {
            let ids = beside(&endings, intent("own", started_ms, Some(at)));
            assert_eq!(ids, Some(vec!["near".to_owned(), "none".to_owned()]), "{started_ms}");
        }
        assert_eq!(beside(&endings, intent("own", 17 * DAY_MS, None)).map(|ids| ids.len()), Some(3));
        // The same of what is forgotten.
        endings.kept.clear();
        endings.forgotten.add(10 * DAY_MS, Some(at));
        assert_eq!(beside(&endings, intent("own", 17 * DAY_MS, Some(at + DAY_SLOTS))), None);
        assert_eq!(beside(&endings, intent("own", 10 * DAY_MS, Some(at + DAY_SLOTS + 1))), Some(vec![]));
        endings.forget(10 * DAY_MS);
        assert_eq!(beside(&endings, intent("own", 10 * DAY_MS, Some(at + DAY_SLOTS + 1))), None);
        assert_eq!(beside(&endings, intent("own", 12 * DAY_MS, Some(at + DAY_SLOTS + 1))), Some(vec![]));
    }
}
