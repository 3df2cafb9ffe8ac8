//! How the intents in doubt ended, as the chain proves it: by the same [`Settler`] as a client's `settle()`, when the desk's alarm wakes
//! it.
//!
//! ```text
//! alarm() ─▶ read the rows of trades that may have made the same transaction ─▶ inquire() ─▶ ask the node ─▶ replied() ─▶ … ─▶ settled, recorded
//! ```
//!
//! What the evidence does not prove stays in doubt, and is asked again later. A crash in between loses nothing: the next start
//! asks anew.

use std::collections::BTreeMap;

use super::Gateway;
use super::look::accounts_of;
use crate::chain::silence;
use crate::code::GatewayCode;
use crate::doubt::{Doubt, Pending, Undecided};
use crate::intent::{Intent, RecordedAnswer};
use crate::problem::Problem;
use crate::step::{ChainCall, ForwardResult, GatewayChange, GatewayStep, INTENT};
use launchpad_desk::amount::{Digits, ExactText};
use launchpad_desk::api::request::Request;
use launchpad_desk::bindings::{is_a_day_older, object};
use launchpad_desk::chain::look::addresses;
use launchpad_desk::intent::{IntentOutcome, IntentState, Settlement};
use launchpad_desk::market::read::{Commitment, accounts_body, balances_of, read_look, read_wallets_reply};
use launchpad_desk::market::settler::{Settler, sent};
use launchpad_desk::tape::{Number, ToTape, json};
use launchpad_desk::trade::flow::{MARKET_RESTS_MS, NOTE_WITHIN_MS, market_rests};
use launchpad_desk::trade::guard::{OtherTrade, request_of};
use launchpad_desk::trade::reconcile::WalletBalances;
use launchpad_desk::trade::settle::{LEAST_PAUSE_MS, MOST_PAUSE_MS, Settled, UnknownReason, pause_ms};

/// How long the node may take for one answer about an intent, in milliseconds.
const ANSWER_MS: u32 = 10_000;
/// After how many milliseconds an attempt that nobody goes on with is begun anew.
const ABANDONED_MS: u64 = 60_000;
/// The most other trades that are compared with a transaction.
const MOST_OTHERS: usize = 1_000;

/// What a trade's wallets hold before it is sent.
pub(super) enum Before {
    /// It must be read first.
    Ask(ChainCall),
    /// It was read; empty if it could not be.
    Known(Vec<WalletBalances>),
}

impl Gateway {
    /// Whether the chain may prove how a trade of this desk ended.
    fn proves(&self) -> bool {
        let chain = &self.settings.chain;
        let can_prove = !chain.wallets_shared || chain.service_holds_ms.is_some();
        self.settings.rpc.is_some() && can_prove
    }

    /// What the wallets of a request hold, finalized, from what came of the look for it. However the node answers, the trade is sent:
    /// without these figures only nothing is proven.
    pub(super) fn before(&mut self, now_ms: u64, request: &Request, look: Option<&ForwardResult>) -> Before {
        let none = || Before::Known(Vec::new());
        let Some(rpc) = self.settings.rpc.as_ref().filter(|_| self.proves()) else { return none() };
        let Ok((mint, wallets)) = accounts_of(request) else { return none() };
        let addresses = addresses(&mint, &wallets);
        match look {
            None if market_rests(self.node_rests_until_ms, now_ms) => none(),
            None => {
                let body = accounts_body(&addresses, Commitment::Finalized);
                Before::Ask(rpc.call(body, NOTE_WITHIN_MS))
            }
            Some(ForwardResult::Reply(reply)) if reply.status == 200 => {
                let rules = self.settings.chain.rules.at(now_ms);
                if let Ok(look) = read_look(&mint, &wallets, &addresses, &reply.body, rules) {
                    self.guards.learn_decimals(&request.mint, look.launchpad.token_decimals);
                }
                let read = read_wallets_reply(&mint, &wallets, &addresses, &reply.body);
                Before::Known(read.map(|(slot, looks)| balances_of(slot, &looks)).unwrap_or_default())
            }
            Some(_) => {
                self.node_rests_until_ms = now_ms.saturating_add(MARKET_RESTS_MS);
                none()
            }
        }
    }

    /// Wakes the desk when a trade that is sent now should have its answer: after a crash nobody else might.
    pub(super) fn wake_after_forward(&mut self, now_ms: u64) {
        if self.proves() {
            let over_ms =
                now_ms.saturating_add(self.settings.timeout_ms.into()).saturating_add(LEAST_PAUSE_MS);
            self.wake_at_ms.get_or_insert(over_ms);
        }
    }

    /// Remembers that an intent is to be asked about, or no longer.
    pub(super) fn watch(&mut self, id: &str, intent: &Intent) {
        let is_open = intent.state == IntentState::InDoubt && !intent.before.is_empty();
        if is_open && self.proves() {
            let due_ms = intent.sent_at_ms.unwrap_or(intent.at_ms).saturating_add(LEAST_PAUSE_MS);
            let doubt = || Box::new(Doubt { due_ms, ..Doubt::default() });
            self.doubts.entry(id.to_owned()).or_insert_with(doubt);
        } else {
            self.doubts.remove(id);
        }
    }

    /// When the chain is asked next.
    pub(super) fn asks_at_ms(&self) -> Option<u64> {
        let pending = self.pending.as_ref().and_then(|pending| self.doubts.get(&pending.id));
        let due = match pending {
            // The others are asked about after it.
            Some(doubt) => Some(doubt.due_ms),
            None => self.doubts.values().map(|doubt| doubt.due_ms).min(),
        };
        due.into_iter().chain(self.wake_at_ms).min()
    }

    /// Handles an alarm, as far as intents in doubt are concerned.
    pub(super) fn woken(&mut self, now_ms: u64) -> GatewayStep {
        if self.wake_at_ms.is_some_and(|at_ms| at_ms <= now_ms) {
            self.wake_at_ms = None;
            if !self.flights.is_empty() {
                self.wake_after_forward(now_ms);
            }
        }
        let pending = self.pending.as_ref().and_then(|pending| self.doubts.get(&pending.id));
        if pending.is_some_and(|doubt| doubt.due_ms > now_ms) {
            return GatewayStep::Nothing;
        }
        self.pending = None;
        self.next_due(now_ms)
    }

    /// Begins to settle the intent that has been due the longest.
    fn next_due(&mut self, now_ms: u64) -> GatewayStep {
        let due = self.doubts.iter().filter(|(_, doubt)| doubt.due_ms <= now_ms);
        let Some((id, _)) = due.min_by_key(|(_, doubt)| doubt.due_ms) else { return GatewayStep::Nothing };
        let id = id.clone();
        if let Some(doubt) = self.doubts.get_mut(&id) {
            doubt.due_ms = now_ms.saturating_add(ABANDONED_MS);
        }
        let ended = self.known(&id).and_then(|own| self.others_of(own)).unwrap_or_default();
        let ended = ended.into_iter().filter(|other| !other.is_open());
        let keys = ended.map(|other| [INTENT, "\n", &other.id()].concat()).collect();
        GatewayStep::Inquire { id, keys }
    }

    /// The other trades that may have made a transaction that fits this one: of the same mint, which every such transaction names, and not shown by
    /// the chain to be a day older. `None` if not all of them are known.
    fn others_of(&self, own: &Intent) -> Option<Vec<&Intent>> {
        let slot = own.slot();
        if !self.forgotten.are_a_day_older(slot, own.sent_at_ms?) {
            return None;
        }
        let mut others = Vec::new();
        for other in self.intents.values() {
            let is_sent = other.sent_at_ms.is_some() && !is_a_day_older(other.slot(), slot);
            let has_none = other.outcome == Some(IntentOutcome::NotSent);
            let never_landed = other.outcome == Some(IntentOutcome::DidNotLand) && other.is_proven;
            let is_other = other.number != own.number && other.mint == own.mint;
            if is_other && is_sent && !has_none && !never_landed {
                others.push(&**other);
            }
        }
        (others.len() <= MOST_OTHERS).then_some(others)
    }

    /// Begins to settle an intent, with the rows for which [`GatewayStep::Inquire`] asked.
    pub fn inquire(&mut self, now_ms: u64, id: &str, rows: &[&str]) -> GatewayChange {
        let step = self.begin_settling(now_ms, id, rows);
        self.moved(step)
    }

    fn begin_settling(&mut self, now_ms: u64, id: &str, rows: &[&str]) -> GatewayStep {
        let (Some(own), Some(doubt)) = (self.known(id), self.doubts.get(id)) else {
            return self.next_due(now_ms);
        };
        let Ok(request) = request_of(own.operation, &own.body) else {
            self.doubts.remove(id);
            return self.next_due(now_ms);
        };
        let mut read: BTreeMap<String, Box<Intent>> = BTreeMap::new();
        for row in rows {
            let value = json::parse(row.as_bytes()).unwrap_or_default();
            if let Ok(intent) = Intent::from_item(value.root()) {
                read.insert(intent.id(), Box::new(intent));
            }
        }
        let others = self.others_of(own);
        let numbers = others.as_ref().map(|others| others.iter().map(|other| other.number).collect());
        let others = others.and_then(|others| {
            let whole = |other: &Intent| match other.is_open() {
                true => Some(other_trade(other)),
                false => read.get(&other.id()).map(|ended| other_trade(ended)),
            };
            others.into_iter().map(whole).collect::<Option<Vec<OtherTrade>>>()
        });
        let chain = &self.settings.chain;
        let at_ms = own.sent_at_ms.unwrap_or(own.at_ms);
        // The service may have it only at the end of the forward: until then its connection may open.
        let held_ms = chain.service_holds_ms.map(|ms| ms.saturating_add(self.settings.timeout_ms.into()));
        let sent = sent(at_ms, held_ms, chain.rules.at(at_ms), &own.before);
        let settler = Settler::new((*request).clone(), sent, doubt.shown, chain.wallets_shared, others);
        self.pending = Some(Box::new(Pending { id: id.to_owned(), settler, others: numbers }));
        self.ask_further(now_ms)
    }

    /// Takes what came of the call of the [`GatewayStep::Ask`] with this number. The reply to any other call changes nothing.
    pub fn replied(&mut self, now_ms: u64, number: u64, result: &ForwardResult) -> GatewayChange {
        let Some(pending) = self.pending.as_mut().filter(|_| number == self.asks) else {
            return self.moved(GatewayStep::Nothing);
        };
        match result {
            ForwardResult::Reply(reply) => pending.settler.replied(reply.status, &reply.body),
            other => pending.settler.give_up(silence(other)),
        }
        let step = self.ask_further(now_ms);
        self.moved(step)
    }

    fn ask_further(&mut self, now_ms: u64) -> GatewayStep {
        if let (Some(pending), Some(rpc)) = (&mut self.pending, &self.settings.rpc)
            && let Some(body) = pending.settler.next_body()
        {
            self.asks += 1;
            if let Some(doubt) = self.doubts.get_mut(&pending.id) {
                doubt.due_ms = now_ms.saturating_add(ABANDONED_MS);
            }
            return GatewayStep::Ask { number: self.asks, call: rpc.call(body, ANSWER_MS) };
        }
        if let Some(pending) = self.pending.take() {
            self.conclude(now_ms, &pending);
        }
        self.next_due(now_ms)
    }

    /// Records what was found.
    fn conclude(&mut self, now_ms: u64, Pending { id, settler, others }: &Pending) {
        // An operator may have settled it in the meantime.
        let intent = self.known(id).filter(|intent| intent.state == IntentState::InDoubt);
        let Some(intent) = intent.cloned() else { return };
        let mut settled = settler.settled();
        // Trades that were sent while the node was asked may have made what was found.
        let has_more = others.as_ref().is_some_and(|known| {
            let now = self.others_of(&intent);
            now.is_none_or(|now| now.iter().any(|other| !known.contains(&other.number)))
        });
        if has_more {
            settled = settled.beside_more();
        }
        let Some(doubt) = self.doubts.get_mut(id) else { return };
        if let Some(settlement) = settled.settlement() {
            return self.settle_proven(now_ms, intent, &settled, settlement);
        }
        let age_ms = now_ms.saturating_sub(intent.sent_at_ms.unwrap_or(intent.at_ms));
        let pause_ms = pause_ms(age_ms, LEAST_PAUSE_MS);
        let may_pass = settler.problem().is_some() || settled.reason.is_none_or(UnknownReason::may_pass);
        doubt.due_ms = now_ms.saturating_add(if may_pass { pause_ms } else { MOST_PAUSE_MS });
        doubt.shown = settler.shown();
        let rpc = self.settings.rpc.as_ref();
        let problem = settled.problem.zip(rpc).map(|(what, rpc)| rpc.clean(what.into_bytes()));
        let undecided = Undecided { reason: settled.reason, signature: settled.signature, problem };
        doubt.told = Some((now_ms, undecided));
    }

    /// Ends an intent as the chain proves it. Its lamports count on if it landed; if it did not, no longer, but for
    /// the network's fee of a transaction that failed.
    fn settle_proven(&mut self, now_ms: u64, mut intent: Intent, settled: &Settled, settlement: Settlement) {
        let (id, outcome) = (intent.id(), settlement.outcome);
        self.guards_of(&intent.caller).acknowledge(&id, settlement.clone());
        // The token's own, if a look before it has shown them.
        let decimals = self.guards.token_decimals(&intent.mint);
        let decimals = decimals.unwrap_or(self.settings.dialect.rules.token_decimals);
        intent.answer = Some(match outcome {
            IntentOutcome::DidNotLand => {
                let detail = "its outcome was unknown, and the chain proves that it never landed";
                RecordedAnswer::problem(&Problem::new(GatewayCode::DidNotLand, detail).about(&intent.key))
            }
            _ => answer_of(&intent, settled, outcome == IntentOutcome::Landed, decimals),
        });
        self.settle_as(&mut intent, outcome);
        intent.signature.clone_from(&settled.signature);
        if let Some(signature) = &settled.signature {
            self.signatures.insert(signature);
        }
        intent.is_proven = true;
        let mut detail = [outcome.as_str(), ", proven by the chain"].concat();
        if let (Some(signature), Some(slot)) = (&settled.signature, settled.slot) {
            detail.push_str(&[": ", signature, " in slot ", &slot.digits()].concat());
        }
        self.note_with(
            now_ms,
            "gateway",
            "evidence",
            &id,
            &detail,
            Some(settled.to_tape().with_text_figures()),
        );
        self.note_with(now_ms, "gateway", "settle", &id, outcome.as_str(), Some(settlement.to_tape()));
        self.put(intent);
    }
}

/// A trade as the settling of another one needs it.
fn other_trade(intent: &Intent) -> OtherTrade {
    OtherTrade {
        operation: intent.operation,
        body: intent.body.clone(),
        started_at_ms: intent.sent_at_ms.unwrap_or(intent.at_ms),
        // This gateway knows when it sent it.
        through_gateway: false,
        before_slot: intent.before.iter().filter_map(|balances| balances.slot).max(),
        outcome: intent.outcome.filter(|_| !intent.is_open()),
        signature: intent.signature.clone(),
        proven: intent.is_proven,
    }
}

/// The answer, in the service's form, to a trade whose transaction the chain has: with what moved in each wallet.
fn answer_of(intent: &Intent, settled: &Settled, landed: bool, decimals: u8) -> RecordedAnswer {
    let whole = |units: Option<u64>| units.map(|units| ExactText::from_units(units, decimals));
    let findings = &settled.reconciled.findings;
    let message = match landed {
        true => "its outcome was unknown, and the chain proves that it landed",
        false => "its outcome was unknown, and the chain proves that it failed",
    };
    let results = object! {
        "message": message,
        "slot": settled.slot.map(|slot| Number(slot.into())),
        "feeLamports": settled.fee_lamports,
        "findings": findings,
    };
    RecordedAnswer::found(
        intent,
        landed,
        settled.signature.as_deref(),
        results.with_text_figures(),
        |trade| {
            if let ([finding], false) = (findings.as_slice(), intent.operation.is_bundle()) {
                trade.result.pre_token_balance = whole(finding.tokens_before);
                trade.result.post_token_balance = whole(finding.tokens_after);
                let moved = finding.tokens_moved.and_then(|moved| u64::try_from(moved.unsigned_abs()).ok());
                trade.result.amount = whole(moved.filter(|_| landed));
            }
        },
    )
}
