//! What journals remember of intents, and what they refuse to begin.
//!
//! What was spent is kept apart from the ids: only the latest ids are remembered, but a day's sum covers all that landed on
//! it.

use std::collections::{BTreeMap, HashMap, HashSet, VecDeque};

use launchpad_desk::bindings::drivers::SUMS_OF_DAYS;
use launchpad_desk::bindings::{DAY_MS, is_a_day_older, slot_of};
use launchpad_desk::intent::{IntentOutcome, Settlement};
use launchpad_desk::launchpad::cost::price_of_units;
use launchpad_desk::launchpad::rules::RulesByDay;
use launchpad_desk::tape::{Data, Item, json};
use launchpad_desk::trade::guard::{Counted, REMEMBERED, Suspension};
use launchpad_desk::trade::journal::{EndedTrade, Recalled, TradeIntent, day_of};

/// Intents by id, unresolved or landed, and what was spent on each day. The ids of those that did not land are free again; what is
/// known of their transactions is kept.
#[derive(Debug, Default)]
pub(super) struct Book {
    unresolved: Pages<TradeIntent>,
    landed: Pages<EndedTrade>,
    ended: VecDeque<EndedTrade>,
    days: BTreeMap<u64, u128>,
    /// The unresolved ones that have no end: in flight, or their program ended first.
    endless: HashSet<String>,
    suspension: Suspension,
}

/// Intents in the order in which they came.
#[derive(Debug)]
struct Pages<T> {
    by_id: HashMap<String, u64>,
    by_place: BTreeMap<u64, T>,
    next: u64,
}

impl<T> Default for Pages<T> {
    fn default() -> Self {
        Pages { by_id: HashMap::new(), by_place: BTreeMap::new(), next: 0 }
    }
}

impl<T> Pages<T> {
    fn insert(&mut self, intent_id: &str, page: T) {
        self.remove(intent_id);
        self.by_id.insert(intent_id.to_owned(), self.next);
        self.by_place.insert(self.next, page);
        self.next += 1;
    }

    fn remove(&mut self, intent_id: &str) -> Option<T> {
        let place = self.by_id.remove(intent_id)?;
        self.by_place.remove(&place)
    }

    fn get(&self, intent_id: &str) -> Option<&T> {
        self.by_place.get(self.by_id.get(intent_id)?)
    }

    fn get_mut(&mut self, intent_id: &str) -> Option<&mut T> {
        self.by_place.get_mut(self.by_id.get(intent_id)?)
    }

    fn has(&self, intent_id: &str) -> bool {
        self.by_id.contains_key(intent_id)
    }

    fn iter(&self) -> impl Iterator<Item = &T> {
        self.by_place.values()
    }
}

impl Pages<TradeIntent> {
    /// Keeps the signature that the service has named for a trade; returns whether that is news.
    fn name(&mut self, intent_id: &str, signature: Option<&str>) -> bool {
        let Some(intent) = self.get_mut(intent_id).filter(|_| signature.is_some()) else { return false };
        let is_news = intent.named_signature.as_deref() != signature;
        intent.named_signature = signature.map(str::to_owned);
        is_news
    }
}

impl Book {
    /// Remembers that a trade is about to be sent. Fails with a reason if its id is already known.
    pub(super) fn begin(&mut self, intent: TradeIntent) -> Result<(), String> {
        let id = &intent.intent_id;
        if self.landed.has(id) {
            return Err(format!("intent {id} has already landed"));
        }
        if self.unresolved.has(id) {
            return Err(format!("intent {id} was begun earlier and is unresolved"));
        }
        self.endless.insert(intent.intent_id.clone());
        let id = intent.intent_id.clone();
        self.unresolved.insert(&id, intent);
        Ok(())
    }

    /// Records an outcome, and what it changes about what stops trading; returns whether that changes anything.
    pub(super) fn settle(
        &mut self,
        intent_id: &str,
        settlement: &Settlement,
        suspension: Suspension,
    ) -> bool {
        let outcome = settlement.outcome;
        if !self.unresolved.has(intent_id) {
            let is_corrected = self.correct(intent_id, settlement);
            return self.keep_suspension(suspension) || is_corrected;
        }
        let had_no_end = self.endless.remove(intent_id);
        self.keep_suspension(suspension);
        if outcome == IntentOutcome::Unknown {
            let is_named = self.unresolved.name(intent_id, settlement.signature.as_deref());
            return had_no_end || is_named || !suspension.is_empty();
        }
        let Some(intent) = self.unresolved.remove(intent_id) else { return false };
        self.close(intent, settlement);
        // With the last unknown one, the breaker closes.
        if self.unknown().next().is_none() {
            self.suspension = Suspension { mode: self.suspension.mode, ..Suspension::default() };
        }
        true
    }

    /// Remembers how a trade ended, and counts what it spent.
    fn close(&mut self, intent: TradeIntent, settlement: &Settlement) {
        self.spend(day_of(intent.started_at_ms), spent_by(&intent, settlement.outcome));
        if let Some(ended) = EndedTrade::of(intent, settlement) {
            if has_landed(settlement.outcome) { self.land(ended) } else { self.end(ended) }
        }
    }

    /// Replaces an end that nothing proved with one that is proven to be otherwise; returns whether there was one.
    fn correct(&mut self, intent_id: &str, settlement: &Settlement) -> bool {
        let is_wrong = |ended: &EndedTrade| !ended.proven && ended.outcome != settlement.outcome;
        let is_it = |ended: &EndedTrade| ended.intent.intent_id == intent_id && is_wrong(ended);
        if !settlement.proven {
            return false;
        }
        let known = match self.landed.get(intent_id).is_some_and(is_wrong) {
            true => self.landed.remove(intent_id),
            false => self.ended.iter().rposition(is_it).and_then(|at| self.ended.remove(at)),
        };
        let Some(EndedTrade { intent, outcome, .. }) = known else { return false };
        if let Some(sum) = self.days.get_mut(&day_of(intent.started_at_ms)) {
            *sum = sum.saturating_sub(spent_by(&intent, outcome));
        }
        self.close(intent, settlement);
        true
    }

    /// Records what stops trading; returns whether that says anything.
    pub(super) fn keep_suspension(&mut self, change: Suspension) -> bool {
        self.suspension.add(change);
        if change.breaker_open == Some(false) {
            self.endless.clear();
        }
        !change.is_empty()
    }

    /// Those without an end were in flight when their program ended: they count as unknown.
    #[cfg(not(target_arch = "wasm32"))]
    pub(super) fn interrupted(&mut self) {
        self.suspension = self.suspension();
        self.endless.clear();
    }

    /// What stops trading, counting those without an end.
    fn suspension(&self) -> Suspension {
        let count = self.suspension.unknowns_in_a_row;
        let endless = self.endless.len() as u32;
        let unknowns_in_a_row =
            if endless == 0 { count } else { Some(count.unwrap_or(0).saturating_add(endless)) };
        Suspension { unknowns_in_a_row, ..self.suspension }
    }

    /// Remembers that an intent has landed; its lamports are counted by `spend`.
    pub(super) fn land(&mut self, ended: EndedTrade) {
        let id = ended.intent.intent_id.clone();
        self.landed.insert(&id, ended);
        while self.landed.by_place.len() > REMEMBERED {
            let Some((_, oldest)) = self.landed.by_place.pop_first() else { return };
            self.landed.by_id.remove(&oldest.intent.intent_id);
            self.end(oldest);
        }
    }

    /// Remembers a trade whose id is not used up, and which may have a transaction all the same: at least the latest, and all that a
    /// trade of the last day, or an unresolved one, may ask for.
    pub(super) fn end(&mut self, ended: EndedTrade) {
        let newest_ms = ended.intent.started_at_ms;
        self.ended.push_back(ended);
        if self.ended.len() <= REMEMBERED {
            return;
        }
        let oldest_ms = self.unresolved().map(|intent| intent.started_at_ms).min();
        let needed_ms = oldest_ms.unwrap_or(newest_ms).min(newest_ms - newest_ms.min(DAY_MS));
        let is_old = |ended: &EndedTrade| ended.intent.started_at_ms < needed_ms.saturating_sub(DAY_MS);
        while self.ended.len() > REMEMBERED && self.ended.front().is_some_and(is_old) {
            self.ended.pop_front();
        }
        // Of those that the service refused the latest are enough: it may refuse each of very many.
        if self.ended.len().is_multiple_of(REMEMBERED) {
            let mut older = self.ended.len() - REMEMBERED;
            self.ended.retain(|ended| {
                let is_older = older > 0;
                older = older.saturating_sub(1);
                !is_older || ended.outcome != IntentOutcome::Rejected
            });
        }
    }

    pub(super) fn spend(&mut self, day: u64, lamports: u128) {
        if lamports == 0 {
            return;
        }
        let sum = self.days.entry(day).or_default();
        *sum = sum.saturating_add(lamports);
        if self.days.len() > SUMS_OF_DAYS {
            self.days.pop_first();
        }
    }

    pub(super) fn recall(&self, since_ms: u64) -> Recalled {
        // A trade asks for the others from a day before it on.
        let oldest = self.unresolved().map(|intent| intent.started_at_ms).min();
        let from_ms = oldest.unwrap_or(since_ms).min(since_ms).saturating_sub(DAY_MS);
        let ended = || self.landed().chain(&self.ended);
        // The clock may have been wrong: what the chain has not shown to be older is given, too.
        let slots = self.unresolved().filter_map(slot_before).min();
        let slot = slots.or_else(|| ended().filter_map(|ended| slot_before(&ended.intent)).max());
        let is_asked = |ended: &&EndedTrade| {
            let own = slot_before(&ended.intent);
            ended.intent.started_at_ms >= from_ms || (own.is_some() && !is_a_day_older(own, slot))
        };
        let mut ended: Vec<EndedTrade> = ended().filter(is_asked).cloned().collect();
        ended.sort_by_key(|ended| ended.intent.started_at_ms);
        Recalled {
            pending: self.unresolved().cloned().collect(),
            landed: self.landed().map(|ended| ended.intent.intent_id.clone()).collect(),
            ended: Some(ended),
            lamports: self.days.range(day_of(since_ms)..).map(|(_, lamports)| lamports).sum(),
            suspension: self.suspension(),
        }
    }

    /// The unresolved ones, the oldest first.
    pub(super) fn unresolved(&self) -> impl Iterator<Item = &TradeIntent> {
        self.unresolved.iter()
    }

    /// The unresolved ones of unknown outcome.
    pub(super) fn unknown(&self) -> impl Iterator<Item = &TradeIntent> {
        self.unresolved().filter(|intent| !self.endless.contains(&intent.intent_id))
    }

    /// What stops trading, not counting those without an end.
    #[cfg(not(target_arch = "wasm32"))]
    pub(super) fn kept_suspension(&self) -> Suspension {
        self.suspension
    }

    /// The latest that landed, the oldest first.
    pub(super) fn landed(&self) -> impl Iterator<Item = &EndedTrade> {
        self.landed.iter()
    }

    /// Those whose ids are not used up, and which may have a transaction all the same.
    #[cfg(not(target_arch = "wasm32"))]
    pub(super) fn ended(&self) -> impl Iterator<Item = &EndedTrade> {
        self.ended.iter()
    }

    /// What was spent on each day.
    #[cfg(any(test, not(target_arch = "wasm32")))]
    pub(super) fn days(&self) -> impl Iterator<Item = (u64, u128)> {
        self.days.iter().map(|(day, lamports)| (*day, *lamports))
    }
}

/// The slot before which the transaction of a trade cannot have been made, if the chain has shown it.
fn slot_before(intent: &TradeIntent) -> Option<u64> {
    slot_of(intent.before.as_deref().unwrap_or_default(), intent.through_gateway)
}

fn has_landed(outcome: IntentOutcome) -> bool {
    matches!(outcome, IntentOutcome::Landed | IntentOutcome::Unconfirmed)
}

/// Lamports that count for a trade that ended so: one that failed has paid its priority fee.
fn spent_by(intent: &TradeIntent, outcome: IntentOutcome) -> u128 {
    match outcome {
        _ if has_landed(outcome) => counted_of(intent).lamports,
        IntentOutcome::Failed => counted_of(intent).fees,
        _ => 0,
    }
}

/// What limits have counted for an intent. A line may not say: then it is what the body spends by its buys, and bids for priority. What is no
/// JSON was never sent.
fn counted_of(TradeIntent { counted, body, started_at_ms, .. }: &TradeIntent) -> Counted {
    let body = || json::parse(body.as_bytes()).unwrap_or_default();
    counted.unwrap_or_else(|| counted_in(body().root(), *started_at_ms))
}

fn counted_in(body: Item, at_ms: u64) -> Counted {
    let amount = |item: Item, name: &str| match item.get(name)?.data() {
        Data::Number(digits) | Data::String(digits) => digits.parse::<u128>().ok(),
        _ => None,
    };
    let legs = match body.get("buys").or_else(|| body.get("sells")).map(Item::data) {
        Some(Data::Array(legs)) => legs.collect(),
        _ => vec![body],
    };
    let of_rules = || RulesByDay::default().at(at_ms).network.default_units_per_trade;
    let bounded = amount(body, "priorityUnitLimit").filter(|units| *units > 0);
    let units = bounded.unwrap_or_else(|| u128::from(of_rules()) * legs.len() as u128);
    let fees = amount(body, "priorityUnitPrice").map_or(0, |price| price_of_units(units, price));
    let spent = legs.into_iter().filter_map(|leg| amount(leg, "amountInLamports"));
    Counted { lamports: spent.fold(fees, u128::saturating_add), fees }
}

#[cfg(test)]
mod tests {
    use super::*;
    use launchpad_desk::api::endpoint::Operation;
    use launchpad_desk::trade::reconcile::WalletBalances;

    fn intent(id: &str, day: u64, lamports: u64) -> TradeIntent {
        TradeIntent {
            intent_id: id.to_owned(),
            operation: Operation::Buy,
            body: format!(r#"{{"mint":"\"amountInLamports\":5","amountInLamports":{lamports}}}"#),
            started_at_ms: day * 86_400_000 + 5,
            before: None,
            through_gateway: false,
            counted: None,
            named_signature: None,
        }
    }

    #[test]
    fn what_may_have_moved_money_is_remembered_and_nothing_else() {
        let mut book = Book::default();
        for (id, outcome) in [
            ("a", Some(IntentOutcome::Landed)),
            ("b", Some(IntentOutcome::Unconfirmed)),
            ("c", Some(IntentOutcome::Unknown)),
            ("d", None),
            ("e", Some(IntentOutcome::NotSent)),
            ("f", Some(IntentOutcome::Rejected)),
            ("g", Some(IntentOutcome::Failed)),
        ] {
            book.begin(intent(id, 3, 100)).unwrap();
            if let Some(outcome) = outcome {
                assert!(book.settle(id, &outcome.into(), Suspension::default()), "{id}");
                assert!(!book.settle(id, &outcome.into(), Suspension::default()), "{id}");
            }
        }
        let recalled = book.recall(3 * 86_400_000);
        let ids = |intents: &[TradeIntent]| {
            intents.iter().map(|intent| intent.intent_id.clone()).collect::<Vec<_>>()
        };
        assert_eq!(ids(&recalled.pending), ["c", "d"]);
        assert_eq!((recalled.landed, recalled.lamports), (vec!["a".to_owned(), "b".to_owned()], 200));
        assert_eq!(book.recall(4 * 86_400_000).lamports, 0);
        assert_eq!(book.begin(intent("a", 3, 1)).unwrap_err(), "intent a has already landed");
        assert_eq!(
            book.begin(intent("d", 3, 1)).unwrap_err(),
            "intent d was begun earlier and is unresolved"
        );
        assert!(book.begin(intent("e", 3, 1)).is_ok());
        assert!(
            book.settle("c", &IntentOutcome::DidNotLand.into(), Suspension::default())
                && book.begin(intent("c", 3, 1)).is_ok()
        );
        assert!(!book.settle("nobody", &IntentOutcome::Landed.into(), Suspension::default()));
    }

    #[test]
    fn a_wrong_clock_hides_no_trade_that_the_chain_has_not_shown_to_be_older() {
        let at = |id: &str, day: u64, slot: Option<u64>, through_gateway: bool| {
            let seen = |slot| WalletBalances {
                wallet: "W".into(),
                tokens: Some(0),
                lamports: None,
                slot: Some(slot),
            };
            TradeIntent { before: slot.map(|slot| vec![seen(slot)]), through_gateway, ..intent(id, day, 1) }
        };
        let mut book = Book::default();
        for (id, slot, through_gateway) in [
            ("old", Some(1_000), false),
            ("near", Some(300_000), false),
            ("none", None, false),
            ("approved", Some(300_000), true),
        ] {
            book.begin(at(id, 10, slot, through_gateway)).unwrap();
            book.settle(id, &IntentOutcome::Landed.into(), Suspension::default());
        }
        let ids = |book: &Book, day: u64| {
            let ended = book.recall(day * DAY_MS).ended.unwrap();
            ended.into_iter().map(|ended| ended.intent.intent_id).collect::<Vec<_>>()
        };
        assert_eq!(ids(&book, 10), ["old", "near", "none", "approved"]);
        // The clock is a week ahead.
        assert_eq!(ids(&book, 17), ["near"]);
        book.begin(at("open", 17, Some(2_000), false)).unwrap();
        assert_eq!(ids(&book, 17), ["old", "near"], "by the oldest that is unresolved");
    }

    #[test]
    fn an_end_that_nothing_proved_is_replaced_by_one_that_is_proven() {
        let proven = |outcome: IntentOutcome| Settlement { proven: true, ..outcome.into() };
        for (said, is) in [
            (IntentOutcome::Landed, IntentOutcome::Failed),
            (IntentOutcome::Landed, IntentOutcome::DidNotLand),
            (IntentOutcome::Failed, IntentOutcome::Landed),
        ] {
            let mut book = Book::default();
            book.begin(intent("other", 3, 5)).unwrap();
            book.settle("other", &IntentOutcome::Landed.into(), Suspension::default());
            book.begin(intent("lie", 3, 100)).unwrap();
            book.settle("lie", &said.into(), Suspension::default());
            assert!(!book.settle("lie", &is.into(), Suspension::default()), "a person's word is no proof");
            assert!(book.settle("lie", &proven(is), Suspension::default()));
            assert!(!book.settle("lie", &proven(said), Suspension::default()), "what is proven stays");
            let spent = if is == IntentOutcome::Landed { 105 } else { 5 };
            assert_eq!(book.recall(0).lamports, spent, "{said:?}");
            assert_eq!(book.landed.has("lie"), is == IntentOutcome::Landed);
            assert!(book.landed.has("other"));
        }
    }

    #[test]
    fn only_the_latest_that_landed_are_remembered_and_all_that_was_spent() {
        let mut book = Book::default();
        for n in 0..REMEMBERED as u64 + 5 {
            book.begin(intent(&n.to_string(), 3, 2)).unwrap();
            book.settle(&n.to_string(), &IntentOutcome::Landed.into(), Suspension::default());
        }
        let recalled = book.recall(0);
        assert_eq!((recalled.landed.len(), recalled.landed[0].as_str()), (REMEMBERED, "5"));
        assert_eq!(recalled.lamports, 2 * (REMEMBERED as u128 + 5));
        for day in 0..SUMS_OF_DAYS as u64 + 9 {
            book.spend(day, 1);
        }
        assert_eq!(book.days().count(), SUMS_OF_DAYS);
    }

    #[test]
    fn an_unresolved_trade_counts_once_until_the_row_ends() {
        let row = |count| Suspension { unknowns_in_a_row: Some(count), ..Suspension::default() };
        let mut book = Book::default();
        let count = |book: &Book| book.recall(0).suspension.unknowns_in_a_row.unwrap_or(0);
        for id in ["a", "b"] {
            book.begin(intent(id, 3, 1)).unwrap();
        }
        assert_eq!(count(&book), 2, "neither has an end");
        book.settle("a", &IntentOutcome::Unknown.into(), row(1));
        assert_eq!(count(&book), 2);
        book.interrupted();
        assert_eq!((count(&book), book.unknown().count()), (2, 2));
        book.begin(intent("c", 3, 1)).unwrap();
        book.settle("c", &IntentOutcome::Landed.into(), row(0));
        assert_eq!(count(&book), 0);
        book.begin(intent("d", 3, 1)).unwrap();
        assert_eq!(count(&book), 1);
        book.keep_suspension(Suspension { breaker_open: Some(false), ..row(0) });
        assert_eq!(count(&book), 0, "a person has checked");
    }

    #[test]
    fn a_body_is_counted_as_json_has_it() {
        let counted = |body: &str| {
            let own = counted_of(&TradeIntent { body: body.to_owned(), ..intent("a", 3, 1) });
            (own.lamports, own.fees)
        };
        assert_eq!(counted(r#"{"buys":[{"amountInLamports":5},{"amountInLamports" : "7"}]}"#), (12, 0));
        assert_eq!(counted(r#"{"amountInToken":5}"#), (0, 0));
        let bundle = r#"{"feePayer":"P","buys":[{"fromWallet":"A","amountInLamports":5},{"fromWallet":"B","amountInLamports":7}],"priorityUnitLimit":null,"priorityUnitPrice":"3"}"#;
        assert_eq!(counted(bundle), (14, 2));
        let sell =
            r#"{"fromWallet":"A","amountInToken":5,"priorityUnitLimit":1000001,"priorityUnitPrice":1}"#;
        assert_eq!(counted(sell), (2, 2));
        assert_eq!(counted(&bundle.replace("Limit\":null", "Limit\":0")), (14, 2));
        let priceless =
            r#"{"fromWallet":"A","amountInToken":5,"priorityUnitLimit":9,"priorityUnitPrice":null}"#;
        assert_eq!(counted(priceless), (0, 0));
        assert_eq!(counted(r#"{"amountInLamports":18446744073709551616}"#), (18_446_744_073_709_551_616, 0));
        // Somebody who is called like a field is no further trade.
        for payer in ["fromWallet", "amountInLamports", r#"\\\"fromWallet\\\":1"#] {
            let named =
                bundle.replace("\"P\"", &format!("\"{payer}\"")).replace("\"A\"", &format!("\"{payer}\""));
            assert_eq!(counted(&named), (14, 2), "{named}");
        }
        for body in ["{", "null", "5", r#""amountInLamports":5"#] {
            assert_eq!(counted(body), (0, 0), "whatever is no JSON was never sent");
        }
    }

    #[test]
    fn what_may_have_a_transaction_is_kept_with_its_signature_for_a_day_and_longer_for_what_is_unresolved() {
        let mut book = Book::default();
        let ends = |outcome: IntentOutcome, signature: Option<&str>, proven| Settlement {
            signature: signature.map(str::to_owned),
            proven,
            ..outcome.into()
        };
        use IntentOutcome::*;
        for (id, day, end) in [
            ("old", 1, ends(Landed, Some("S0"), false)),
            ("a", 5, ends(Landed, Some("S1"), false)),
            ("b", 5, ends(Failed, Some("S2"), true)),
            ("c", 5, ends(DidNotLand, None, false)),
            ("never", 5, ends(DidNotLand, None, true)),
            ("unsent", 5, ends(NotSent, None, false)),
            ("refused", 5, ends(Rejected, None, false)),
        ] {
            book.begin(intent(id, day, 1)).unwrap();
            book.settle(id, &end, Suspension::default());
        }
        let kept = |book: &Book| -> Vec<String> {
            let ended = book.recall(6 * DAY_MS).ended.unwrap();
            ended
                .iter()
                .map(|own| format!("{} {:?} {}", own.intent.intent_id, own.signature, own.proven))
                .collect()
        };
        // What was proven never to have landed stays, too: its buy may have been counted as a position.
        let latest = [
            "a Some(\"S1\") false",
            "b Some(\"S2\") true",
            "c None false",
            "never None true",
            "refused None false",
        ];
        assert_eq!(kept(&book), latest);
        book.begin(intent("open", 2, 1)).unwrap();
        assert_eq!(kept(&book).len(), 6, "what is unresolved is from an earlier day");
        for n in 0..2 * REMEMBERED {
            let id = n.to_string();
            book.begin(intent(&id, 6, 1)).unwrap();
            book.settle(&id, &Rejected.into(), Suspension::default());
        }
        assert!(book.ended.len() < 2 * REMEMBERED, "a service may refuse each of very many");
        assert_eq!(book.ended.iter().filter(|ended| ended.outcome != Rejected).count(), 3, "b, c and never");
    }
}
