//! Carries out the exits of a position: a state machine without I/O and without a clock, as [`trade::flow`](crate::trade::flow) is.
//!
//! ```text
//! Begin ─ recall ─ check ┐  (once)
//!                        ├─ correct ─ look ─ settle what is in doubt ─ decide ─ keep ─ Send ─ keep ─ receive ─ tell ─▶ Done
//! Begin ─────────────────┘                                        └─ nothing to order ──────────────────────┘
//! ```
//!
//! A driver tells [`Manager::next`] what has happened, carries out the [`ManageStep`] that it returns, and calls it again until it is
//! [`Done`](ManageStep::Done). It decides nothing, so drivers in TypeScript and in async Rust sell the same, wait for the same and say the same.
//!
//! - **The state is borrowed**, so that a person may pause exits, or close the position, between two steps.
//! - **One order at a time.** It is kept before it is sent. What is in doubt blocks every other one until it is settled.
//! - **No look, no rule.** Without a look that shows the own trades only a person sells: closing now waits a moment for one, and goes on.
//! - **No stop waits for news.** What sells have brought is asked last, of one at a look, and for a moment only, until nothing is left.
//! - **Every step may be the last one.** A driver that was dropped begins again; what it was about to send and has not kept is not sent.
//! - **An event that does not fit** ends the look: nothing is sent for it.

mod answers;
mod step;

use std::collections::VecDeque;
use std::mem::replace;

use super::exits::{Tick, corrected, correction, next, settled, sold_by_chain};
use super::state::{ExitOrder, ExitState};
use crate::amount::{Digits, TOKEN_DECIMALS};
use crate::error::{FieldCode, FieldError, WarningCode};
use crate::evidence::Seen;
use crate::intent::{IntentOutcome, IntentState};
use crate::launchpad::{Launchpad, Token};
use answers::{
    confirmed_outcome, found_outcome, is_lasting, other_decimals, outcome_of_sell, recalled_outcome,
    tokens_of_sell,
};

pub use super::happening::ExitHappening;
pub use step::{Checked, Event, Happened, Known, Looked, ManageStep, Received, Refusal, Sold, Why};

/// How often the client's market is asked what became of an exit in doubt and what sells have brought, at most, in milliseconds.
const ASK_EVERY_MS: u64 = 2_000;

/// For how long the market is asked what sells have brought once nothing is left to sell, in milliseconds. So long, that the position is
/// over is not told.
const RECEIVED_WITHIN_MS: u64 = 60_000;

/// How long a look may wait for that while the position has to be protected, in milliseconds.
const RECEIVED_SOON_MS: u32 = 250;

/// How long the client may take to say whether its limits would ever let the exits through, in milliseconds.
const CHECK_MS: u32 = 2_000;

/// How long a look may take once a person has asked to close the position, in milliseconds: then it is sold without one.
const CLOSE_LOOK_MS: u32 = 1_000;

/// What a driver can do, and how long it waits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Terms {
    /// By how many decimals the client counts the token; `None`: by its own.
    pub token_decimals: Option<u8>,
    /// Whether the client has a market that settles: [`ManageStep::Settle`].
    pub settles: bool,
    /// Whether the market of the exits says what is proven, and is asked instead: [`ManageStep::Find`].
    pub finds: bool,
    /// Whether a market says which transactions are final: [`ManageStep::Confirm`].
    pub confirms: bool,
    /// How long to wait between two looks, in milliseconds.
    pub every_ms: u32,
    /// How long a look, or an answer of a market, may take, in milliseconds.
    pub timeout_ms: u32,
}

/// The terms of a driver without any market, which looks once a second.
impl Default for Terms {
    fn default() -> Self {
        Terms {
            token_decimals: None,
            settles: false,
            finds: false,
            confirms: false,
            every_ms: 1_000,
            timeout_ms: 10_000,
        }
    }
}

/// A sell that has ended, and of which the market does not show yet what it brought.
#[derive(Debug)]
struct Unshown {
    order: ExitOrder,
    /// How often it was asked about, and when last.
    asked: u32,
    asked_ms: Option<u64>,
    /// Since when nothing is left to sell.
    over_ms: Option<u64>,
}

/// The step that a driver has, and what it is for.
#[derive(Debug)]
enum At {
    Idle,
    Recalling,
    Checking,
    /// Asking how this trade has ended; these are next.
    Correcting(String, Vec<String>),
    Keeping(Box<ExitState>, Then),
    /// For so long at most, in milliseconds.
    Looking(u32),
    /// Asking for the signature.
    Signing(ExitOrder),
    Confirming(ExitOrder),
    /// Asking the client what it knows, before its market is asked, and after.
    Knowing(ExitOrder),
    Settling(ExitOrder),
    KnowingAgain(ExitOrder),
    Finding(ExitOrder),
    /// Telling the client what its market has proven, or a person has said.
    Proving(ExitOrder, IntentOutcome),
    Acknowledging(ExitOrder, IntentOutcome),
    Pricing,
    Sending(ExitOrder),
    /// Asking what was sent under its id before.
    Naming(ExitOrder, IntentOutcome),
    /// Asking what the sell at this place has brought.
    Receiving(usize),
}

/// What comes after the state was kept.
#[derive(Debug)]
enum Then {
    Check,
    Look,
    Settle,
    Send(ExitOrder),
    Tell,
    End,
}

/// Carries out the exits of one position.
#[derive(Debug)]
pub struct Manager<E> {
    terms: Terms,
    /// When the last event was.
    now_ms: u64,
    at: At,
    is_recalled: bool,
    /// The state that was kept.
    kept: Option<ExitState>,
    /// The state whose news were told.
    told: Option<ExitState>,
    /// The intent that this client has last known to be in doubt.
    doubted: Option<String>,
    /// When the last look was.
    looked_ms: Option<u64>,
    /// Whether this look has come, what the wallet holds by it, and why it decides nothing.
    has_look: bool,
    wallet_tokens: Option<u64>,
    stale: Option<Why<E>>,
    /// The token's decimals, by a look.
    token_decimals: Option<u8>,
    /// Whether an answer of [`ManageStep::Settle`] is late, and when it was last asked.
    is_asking: bool,
    asked_ms: Option<u64>,
    /// The sells of which it is not known yet what they brought.
    unshown: Vec<Unshown>,
    /// Base units that all sells have sold, and what that brought; `None` if it is not known of all.
    received: Option<(u64, i128)>,
    /// What was not told yet.
    events: VecDeque<Happened<E>>,
    /// When this look began; when the next one is due, and whether it is due at once.
    begun_ms: u64,
    due_ms: Option<u64>,
    hurries: bool,
}

impl<E> Manager<E> {
    /// Begins. The state may be one that was kept: the client says what it does not know.
    pub fn new(terms: Terms) -> Self {
        Manager {
            terms,
            now_ms: 0,
            at: At::Idle,
            is_recalled: false,
            kept: None,
            told: None,
            doubted: None,
            looked_ms: None,
            has_look: false,
            wallet_tokens: None,
            stale: None,
            token_decimals: None,
            is_asking: false,
            asked_ms: None,
            unshown: Vec::new(),
            received: None,
            events: VecDeque::new(),
            begun_ms: 0,
            due_ms: None,
            hurries: false,
        }
    }

    /// What to do now that this event has happened. `state` is always the same one; `now_ms` is in milliseconds since 1970.
    pub fn next(&mut self, state: &mut ExitState, now_ms: u64, event: Event<'_, E>) -> ManageStep<E> {
        self.now_ms = now_ms;
        let step = self.step(state, event);
        if matches!(step, ManageStep::Done | ManageStep::Throw(_) | ManageStep::Refuse(_)) {
            // From its beginning: a slow node makes looks no rarer.
            self.due_ms.get_or_insert(self.begun_ms.saturating_add(self.terms.every_ms.into()));
        }
        if matches!(step, ManageStep::Throw(_) | ManageStep::Refuse(_)) {
            // What asked for this look waits like any other: it may fail again.
            self.hurries = false;
        }
        step
    }

    /// The next thing that happened and was not told yet. After a look that failed, it is told with the next one.
    pub fn next_happened(&mut self) -> Option<Happened<E>> {
        self.events.pop_front()
    }

    /// Whether nothing is left to do: nothing to sell, and no sell of which the market may still show what it brought.
    pub fn is_over(&self, state: &ExitState) -> bool {
        state.is_over() && self.unshown.is_empty()
    }

    /// How long to wait for the next look; `None` once nothing is left to do.
    pub fn wait_ms(&self, state: &ExitState, now_ms: u64) -> Option<u32> {
        if self.is_recalled && self.is_over(state) {
            return None;
        }
        let due_ms = self.due_ms.filter(|_| !self.hurries);
        let left_ms = due_ms.map_or(0, |due_ms| due_ms.saturating_sub(now_ms));
        // The clock may have been set back. Once all is sold, only what that has brought is still missing.
        let most_ms = if state.is_over() { ASK_EVERY_MS } else { u64::MAX };
        Some(left_ms.min(self.terms.every_ms.into()).min(most_ms) as u32)
    }

    /// A person has asked to close the position: the next look is due at once.
    pub fn hurry(&mut self) {
        self.hurries = true;
    }

    fn step(&mut self, state: &mut ExitState, event: Event<'_, E>) -> ManageStep<E> {
        match (replace(&mut self.at, At::Idle), event) {
            (at, Event::Begin) => {
                self.dropped(state, at);
                self.begin(state)
            }
            (at, Event::Acknowledge(found)) => {
                self.dropped(state, at);
                self.acknowledge(state, found)
            }
            (At::Recalling, Event::Recalled(known)) => self.recalled(state, known),
            (At::Checking, Event::Checked(checked)) => self.checked(state, checked),
            // Without an answer the exits begin all the same.
            (At::Checking, Event::Late | Event::Threw(_)) => self.checked(state, None),
            (At::Correcting(intent_id, left), Event::Known(known)) => {
                self.correct(state, &intent_id, &known);
                self.correct_next(state, left)
            }
            (At::Keeping(kept, then), Event::Done) => {
                self.kept = Some(*kept);
                self.then(state, then)
            }
            (At::Keeping(_, Then::Send(order)), Event::Threw(error)) => {
                self.settled(state, &order, IntentOutcome::NotSent, None);
                ManageStep::Throw(error)
            }
            (At::Looking(within_ms), event) => self.looking(state, within_ms, event),
            (At::Signing(order), Event::Known(known)) => self.signed(state, order, known),
            (At::Confirming(order), Event::Confirmed(seen)) => self.confirmed(state, order, Some(seen)),
            // A market that does not answer says nothing.
            (At::Confirming(order), Event::Late | Event::Threw(_)) => {
                self.confirmed(state, order, Some(Seen::NotSeen))
            }
            (At::Knowing(order), Event::Known(known)) => self.known(state, order, known),
            (At::KnowingAgain(order), Event::Known(known)) => self.known_again(state, order, known),
            (At::Settling(order), event @ (Event::Done | Event::Late | Event::Threw(_))) => {
                self.asked(order, event)
            }
            (At::Finding(order), event) => self.finding(state, order, event),
            (At::Proving(order, found), Event::Done) => self.found(state, order, found),
            (At::Acknowledging(order, found), Event::Done) => self.acknowledged(state, order, found),
            (At::Pricing, Event::Priced(launchpad, token)) => self.priced(state, launchpad, token),
            (At::Sending(order), Event::Sold(sold)) => self.sold(state, order, sold),
            (At::Naming(order, outcome), Event::Known(known)) => {
                let tokens = self.tokens_of(known.body.as_deref());
                self.ended(state, order, outcome, tokens)
            }
            // A journal that fails now says nothing of it, and the order counts with its own amount.
            (At::Naming(order, outcome), Event::Threw(_)) => self.ended(state, order, outcome, None),
            (At::Receiving(at), Event::Received(received)) => self.received(state, at, received),
            (At::Receiving(at), Event::Late | Event::Threw(_)) => self.received(state, at, Received::NotYet),
            (_, Event::Threw(error)) => ManageStep::Throw(error),
            (at, _) => self.go(at, ManageStep::Done),
        }
    }

    /// A person says how the order in doubt ended.
    fn acknowledge(&mut self, state: &mut ExitState, found: IntentOutcome) -> ManageStep<E> {
        match state.order.clone() {
            Some(order) if order.outcome == Some(IntentOutcome::Unknown) => {
                let intent_id = order.intent_id.clone();
                self.go(At::Acknowledging(order, found), ManageStep::Acknowledge(intent_id, found))
            }
            Some(order) if order.outcome.is_some() => self.acknowledged(state, order, found),
            _ => ManageStep::Done,
        }
    }

    fn looking(&mut self, state: &mut ExitState, within_ms: u32, event: Event<'_, E>) -> ManageStep<E> {
        match event {
            Event::Looked(Looked { at_ms, wallet_tokens, stale }) => {
                self.looked_ms = Some(at_ms.unwrap_or(self.now_ms));
                (self.has_look, self.wallet_tokens, self.stale) = (true, wallet_tokens, stale);
            }
            // A person closes the position meanwhile.
            Event::Late if within_ms > self.look_ms(state) => return self.then(state, Then::Look),
            Event::Late => {
                let within = u64::from(within_ms).digits();
                let why = ["the market has not answered within ", &within, " ms"].concat();
                self.no_look(Why::Says(why.into()));
            }
            Event::Threw(error) => self.no_look(Why::Threw(error)),
            _ => return self.go(At::Looking(within_ms), ManageStep::Done),
        }
        self.settle(state)
    }

    /// What the client knows of a sell whose end is not proven: its signature is what the market is asked for.
    fn signed(&mut self, state: &mut ExitState, order: ExitOrder, known: Known) -> ManageStep<E> {
        match known.signature.filter(|_| self.terms.confirms) {
            Some(signature) => {
                let step = ManageStep::Confirm(signature, self.terms.timeout_ms);
                self.go(At::Confirming(order), step)
            }
            None => self.confirmed(state, order, None),
        }
    }

    /// The client has found out what became of its trades in doubt, or has not.
    fn asked(&mut self, order: ExitOrder, event: Event<'_, E>) -> ManageStep<E> {
        self.is_asking = matches!(event, Event::Late);
        if let Event::Threw(error) = event {
            self.say(ExitHappening::InDoubt, Some(&order), Some(Why::Threw(error)));
        }
        let intent_id = order.intent_id.clone();
        self.go(At::KnowingAgain(order), ManageStep::Known(intent_id))
    }

    fn finding(&mut self, state: &mut ExitState, order: ExitOrder, event: Event<'_, E>) -> ManageStep<E> {
        match event {
            Event::Found(Some(found)) => {
                let intent_id = order.intent_id.clone();
                return self.go(At::Proving(order, found), ManageStep::Acknowledge(intent_id, found));
            }
            Event::Found(None) | Event::Late => {}
            Event::Threw(error) => {
                self.say(ExitHappening::InDoubt, Some(&order), Some(Why::Threw(error)));
            }
            _ => return self.go(At::Finding(order), ManageStep::Done),
        }
        self.decide(state)
    }

    fn go(&mut self, at: At, step: ManageStep<E>) -> ManageStep<E> {
        self.at = at;
        step
    }

    /// An earlier look was dropped: what it had not sent yet is not sent, and what it was sending is in doubt.
    fn dropped(&mut self, state: &mut ExitState, at: At) {
        match at {
            At::Keeping(_, Then::Send(order)) => self.settled(state, &order, IntentOutcome::NotSent, None),
            At::Sending(order) => {
                self.settled(state, &order, IntentOutcome::Unknown, None);
                self.say(ExitHappening::InDoubt, Some(&order), None);
                // Whether it was sent at all, the client knows.
                self.doubted = Some(order.intent_id);
            }
            At::Naming(order, outcome) => {
                self.settled(state, &order, outcome, None);
                self.await_received(order, outcome);
            }
            _ => {}
        }
    }

    fn begin(&mut self, state: &mut ExitState) -> ManageStep<E> {
        (self.has_look, self.wallet_tokens, self.stale) = (false, None, None);
        (self.begun_ms, self.due_ms) = (self.now_ms, None);
        if self.is_recalled {
            return self.correct_next(state, state.answered_ids());
        }
        let ordered = state.order.as_ref().map(|order| order.intent_id.as_str());
        let intent_ids = state.intent_ids().into_iter().filter(|id| Some(id.as_str()) != ordered).collect();
        self.received = ordered.is_none().then_some((0, 0));
        self.go(At::Recalling, ManageStep::Recall(intent_ids))
    }

    /// What the client knows of this position's exits: a state may be older than that, or missing.
    fn recalled(&mut self, state: &mut ExitState, known: Vec<(String, Known)>) -> ManageStep<E> {
        // What an older state counts as sold, and was not, is of the position again before the sells after it are counted.
        for (intent_id, known) in &known {
            self.correct(state, intent_id, known);
        }
        for (intent_id, known) in known {
            let Some(how_far) = known.state else { continue };
            let Some(outcome) = recalled_outcome(how_far, known.ended) else { continue };
            // The market may have a time of its own. Whatever it is, what was proven not sold need not wait any more.
            let at_ms = if how_far == IntentState::NotRecorded { 0 } else { self.now_ms };
            let tokens = self.tokens_of(known.body.as_deref());
            *state = settled(state.clone(), &intent_id, outcome, at_ms, tokens);
        }
        // It was kept before it was sent. Whether it was, only the journal knows.
        if let Some(order) = state.order.clone().filter(|order| order.outcome.is_none()) {
            *state = settled(state.clone(), &order.intent_id, IntentOutcome::Unknown, self.now_ms, None);
        }
        // What an earlier run has sold is not in the sum of this one.
        let is_first = state.tries.iter().all(|tries| tries.failed == 0);
        if !is_first || state.tokens != state.position.tokens {
            self.received = None;
        }
        self.keep(state, Then::Check)
    }

    /// Refuses exits that the client would never send: better now than when the stop is reached.
    fn checked(&mut self, state: &mut ExitState, checked: Option<Checked>) -> ManageStep<E> {
        let Checked { refused, warnings } = checked.unwrap_or_default();
        if let Some((_, message)) = warnings.into_iter().find(|(code, _)| *code == WarningCode::SlippageUnit)
        {
            let message = ["plan.", &message].concat();
            let (field, code) = ("plan.slippage".to_owned(), FieldCode::OutOfRange);
            return ManageStep::Refuse(Refusal::Client(FieldError { field, code, message }));
        }
        if refused.is_some_and(is_lasting) {
            return ManageStep::Refuse(Refusal::Always);
        }
        self.is_recalled = true;
        self.told = Some(state.untold());
        self.correct_next(state, state.answered_ids())
    }

    /// Asks how the next trade has ended whose end only the service has said.
    fn correct_next(&mut self, state: &mut ExitState, mut left: Vec<String>) -> ManageStep<E> {
        if !left.is_empty() {
            let intent_id = left.remove(0);
            let step = ManageStep::Ended(intent_id.clone());
            return self.go(At::Correcting(intent_id, left), step);
        }
        // That it will be over is news again.
        if self.told.as_ref().is_some_and(ExitState::is_over) && !state.is_over() {
            self.told = Some(state.untold());
        }
        self.keep(state, Then::Look)
    }

    /// Takes what the chain shows of a trade.
    fn correct(&mut self, state: &mut ExitState, intent_id: &str, known: &Known) {
        let Some(outcome) = known.ended.filter(|_| known.proven) else { return };
        let is_own = state.is_buy(intent_id);
        if is_own && !known.body.as_ref().is_some_and(|body| state.is_bought_by(intent_id, body)) {
            return;
        }
        let now = corrected(state.clone(), intent_id, outcome);
        if now == *state {
            return;
        }
        *state = now;
        self.received = None;
        if !is_own {
            let why = Why::Says(correction(intent_id, outcome).into());
            self.say(outcome.into(), None, Some(why));
        }
    }

    /// Keeps the state, unless it is kept as it is.
    fn keep(&mut self, state: &mut ExitState, then: Then) -> ManageStep<E> {
        if self.kept.as_ref() == Some(state) && !matches!(then, Then::Send(_)) {
            return self.then(state, then);
        }
        let state = Box::new(state.clone());
        self.go(At::Keeping(state, then), ManageStep::Keep)
    }

    fn then(&mut self, state: &mut ExitState, then: Then) -> ManageStep<E> {
        match then {
            Then::Check if state.is_over() => self.checked(state, None),
            Then::Check => {
                let request = state.sell_of(state.tokens);
                self.go(At::Checking, ManageStep::Check(request, CHECK_MS))
            }
            // What the wallet does not hold any more may come back.
            Then::Look if state.is_over() && state.gone.is_none() => {
                self.hurries = false;
                self.tell(state, 0)
            }
            Then::Look => {
                let within_ms = self.look_ms(state);
                self.go(At::Looking(within_ms), ManageStep::Look(within_ms, within_ms > CLOSE_LOOK_MS))
            }
            Then::Settle => self.settle(state),
            // A person may have said meanwhile what became of it.
            Then::Send(order) if state.order.as_ref() != Some(&order) => self.tell(state, 0),
            // A person has paused it while the order was kept.
            Then::Send(order) if state.paused && !state.closing => {
                self.settled(state, &order, IntentOutcome::NotSent, None);
                self.keep(state, Then::Tell)
            }
            Then::Send(order) => {
                self.say(ExitHappening::Ordered, Some(&order), None);
                let request = state.request(&order);
                self.go(At::Sending(order.clone()), ManageStep::Send(order, request))
            }
            Then::Tell => self.tell(state, 0),
            Then::End => ManageStep::Done,
        }
    }

    fn look_ms(&self, state: &ExitState) -> u32 {
        if state.closing { self.terms.timeout_ms.min(CLOSE_LOOK_MS) } else { self.terms.timeout_ms }
    }

    fn no_look(&mut self, why: Why<E>) {
        // What asked for this look asks for no other one.
        self.hurries = false;
        self.say(ExitHappening::NoLook, None, Some(why));
    }

    /// Finds out what became of the orders that are in doubt.
    fn settle(&mut self, state: &mut ExitState) -> ManageStep<E> {
        match state.order.clone() {
            None => self.decide(state),
            Some(order) if order.outcome == Some(IntentOutcome::Unconfirmed) => {
                let intent_id = order.intent_id.clone();
                self.go(At::Signing(order), ManageStep::Ended(intent_id))
            }
            Some(order) => self.ask_client(order),
        }
    }

    fn ask_client(&mut self, order: ExitOrder) -> ManageStep<E> {
        let intent_id = order.intent_id.clone();
        self.go(At::Knowing(order), ManageStep::Known(intent_id))
    }

    /// What became of an exit that the service took without saying whether it landed.
    fn confirmed(&mut self, state: &mut ExitState, order: ExitOrder, seen: Option<Seen>) -> ManageStep<E> {
        match confirmed_outcome(seen, order.wallet_tokens, state.tokens, order.tokens, self.wallet_tokens) {
            Some(found) => {
                self.await_fee(&order, seen == Some(Seen::Failed));
                self.found(state, order, found)
            }
            None => self.ask_client(order),
        }
    }

    /// What became of an order, by its client. A market is asked before that counts.
    fn known(&mut self, state: &mut ExitState, order: ExitOrder, known: Known) -> ManageStep<E> {
        let (intent_id, within_ms) = (order.intent_id.clone(), self.terms.timeout_ms);
        let is_in_doubt = known.state == Some(IntentState::InDoubt);
        if is_in_doubt {
            self.doubted = Some(intent_id.clone());
        }
        if self.terms.finds {
            if is_in_doubt {
                return self.go(At::Finding(order), ManageStep::Find(intent_id, within_ms));
            }
        } else if (is_in_doubt || known.ended == Some(IntentOutcome::Unconfirmed)) && self.may_ask() {
            let step =
                if self.is_asking { ManageStep::SettleOn(within_ms) } else { ManageStep::Settle(within_ms) };
            return self.go(At::Settling(order), step);
        }
        self.known_again(state, order, known)
    }

    fn known_again(&mut self, state: &mut ExitState, order: ExitOrder, known: Known) -> ManageStep<E> {
        let was_in_doubt = self.doubted.as_ref() == Some(&order.intent_id);
        match found_outcome(known.state, known.ended, was_in_doubt) {
            Some(found) => {
                self.await_fee(&order, known.ended == Some(IntentOutcome::Failed));
                self.found(state, order, found)
            }
            None => self.decide(state),
        }
    }

    /// Whether the client's market is asked now. An answer that is late counts at a later look.
    fn may_ask(&mut self) -> bool {
        // A clock that was set back does not make it wait.
        let since = self.asked_ms.and_then(|asked_ms| self.now_ms.checked_sub(asked_ms));
        let may = self.terms.settles && (self.is_asking || since.is_none_or(|since| since >= ASK_EVERY_MS));
        if may && !self.is_asking {
            self.asked_ms = Some(self.now_ms);
        }
        may
    }

    /// An order that was in doubt has ended so, unless that is known already.
    fn found(&mut self, state: &mut ExitState, order: ExitOrder, found: IntentOutcome) -> ManageStep<E> {
        if Some(found) == order.outcome {
            return self.decide(state);
        }
        self.settled(state, &order, found, None);
        self.say(found.into(), Some(&order), None);
        self.await_received(order, found);
        self.keep(state, Then::Settle)
    }

    /// A person has said how an order ended.
    fn acknowledged(
        &mut self,
        state: &mut ExitState,
        order: ExitOrder,
        found: IntentOutcome,
    ) -> ManageStep<E> {
        self.settled(state, &order, found, None);
        self.await_received(order, found);
        self.keep(state, Then::End)
    }

    /// Asks for the price of a look that decides. A person who closes the position waits for none.
    fn decide(&mut self, state: &mut ExitState) -> ManageStep<E> {
        if let Some(why) = self.stale.take() {
            self.no_look(why);
        } else if self.has_look {
            return self.go(At::Pricing, ManageStep::Price);
        }
        let order = state.close_unseen(self.now_ms);
        self.keep(state, order.map_or(Then::Tell, Then::Send))
    }

    /// Orders what the look asks for.
    fn priced(&mut self, state: &mut ExitState, launchpad: &Launchpad, token: &Token) -> ManageStep<E> {
        self.hurries = false;
        let decimals = launchpad.token_decimals;
        if let Some(message) =
            self.terms.token_decimals.and_then(|counted_by| other_decimals(counted_by, decimals))
        {
            let (field, code) = ("tokenDecimals".to_owned(), FieldCode::Conflict);
            return ManageStep::Refuse(Refusal::Client(FieldError { field, code, message }));
        }
        self.token_decimals = Some(decimals);
        let at_ms = self.looked_ms.unwrap_or(self.now_ms);
        let tick = Tick { at_ms, launchpad, token, wallet_tokens: self.wallet_tokens };
        if let Some(problem) = state.time_problem(at_ms).or_else(|| state.unit_problem(&tick)) {
            return ManageStep::Refuse(Refusal::Position(problem));
        }
        let order;
        (*state, order) = next(state.clone(), &tick);
        self.keep(state, order.map_or(Then::Tell, Then::Send))
    }

    /// A sell has come to an end, or its answer is lost.
    fn sold(&mut self, state: &mut ExitState, order: ExitOrder, sold: Sold<E>) -> ManageStep<E> {
        let Sold { outcome, code, amount, error } = sold;
        // What is no error of a trade proves nothing.
        let outcome = outcome_of_sell(outcome.unwrap_or(IntentOutcome::Unknown), code);
        let said = amount.and_then(|amount| answers::base_units(&amount, self.decimals()));
        let is_others = error.is_some() && matches!(outcome, IntentOutcome::Landed | IntentOutcome::Unknown);
        self.say(outcome.into(), Some(&order), error.map(Why::Threw));
        if let Some(told) = self.events.back_mut() {
            told.sold_tokens = said;
        }
        if is_others {
            // Whoever sent an id before may have sold another amount.
            let intent_id = order.intent_id.clone();
            return self.go(At::Naming(order, outcome), ManageStep::Known(intent_id));
        }
        self.ended(state, order, outcome, None)
    }

    fn ended(
        &mut self,
        state: &mut ExitState,
        order: ExitOrder,
        outcome: IntentOutcome,
        tokens: Option<u64>,
    ) -> ManageStep<E> {
        self.settled(state, &order, outcome, tokens);
        self.await_received(order, outcome);
        self.keep(state, Then::Tell)
    }

    /// Says what sells have brought, from the one at this place on, and what is new. That it is over is told last.
    fn tell(&mut self, state: &mut ExitState, from: usize) -> ManageStep<E> {
        let is_over = state.is_over();
        let within_ms = self.terms.timeout_ms.min(if is_over { u32::MAX } else { RECEIVED_SOON_MS });
        for (at, one) in self.unshown.iter_mut().enumerate().skip(from) {
            if is_over {
                one.over_ms.get_or_insert(self.now_ms);
            }
            // Ever more seldom while the position is protected. A clock that was set back does not make it wait.
            let pause_ms = ASK_EVERY_MS << if is_over { 0 } else { one.asked.min(4) };
            if one.asked_ms.is_none_or(|asked_ms| self.now_ms.abs_diff(asked_ms) >= pause_ms) {
                (one.asked, one.asked_ms) = (one.asked.saturating_add(1), Some(self.now_ms));
                let intent_id = one.order.intent_id.clone();
                return self.go(At::Receiving(at), ManageStep::Receive(intent_id, within_ms));
            }
        }
        if !is_over || self.unshown.is_empty() {
            self.tell_news(state);
        }
        ManageStep::Done
    }

    /// Says what the sell at this place has brought. Then, or if it never will be shown, it is not asked about any more.
    fn received(&mut self, state: &mut ExitState, at: usize, received: Received) -> ManageStep<E> {
        // The next look does not wait for several.
        let after = if state.is_over() { at } else { usize::MAX };
        let Some(one) = self.unshown.get(at) else { return self.tell(state, after) };
        let may_come = one.over_ms.is_none_or(|over_ms| self.now_ms.abs_diff(over_ms) < RECEIVED_WITHIN_MS);
        if received == Received::NotYet && may_come {
            return self.tell(state, after.saturating_add(1));
        }
        let order = self.unshown.remove(at).order;
        let moved = match received {
            Received::Moved(tokens, lamports) => u64::try_from(-tokens).ok().zip(Some(lamports)),
            Received::NotYet | Received::Never => None,
        };
        let sum = |(all, own): ((u64, i128), (u64, i128))| Some((all.0.checked_add(own.0)?, all.1 + own.1));
        self.received = self.received.zip(moved).and_then(sum);
        if let Some((sold, lamports)) = moved {
            let is_of = |event: &Happened<E>| {
                let own = event.order.as_ref().is_some_and(|own| own.intent_id == order.intent_id);
                own && event.what != ExitHappening::Ordered
            };
            if !self.events.iter().any(is_of) {
                self.say(ExitHappening::Received, Some(&order), None);
            }
            if let Some(told) = self.events.iter_mut().rev().find(|event| is_of(event)) {
                (told.sold_tokens, told.received_lamports) = (Some(sold), Some(lamports));
            }
            let now = sold_by_chain(state.clone(), &order.intent_id, sold);
            if now != *state {
                *state = now;
                return self.keep(state, Then::End);
            }
        }
        self.tell(state, after)
    }

    /// Says what has changed since that was said last.
    fn tell_news(&mut self, state: &ExitState) {
        let told = self.told.replace(state.clone()).unwrap_or_else(|| state.untold());
        for (what, why) in state.news_since(&told) {
            self.say(what, None, why.map(|why| Why::Says(why.into())));
            if what == ExitHappening::Over
                && let Some((last, (sold, received))) =
                    self.events.back_mut().zip(self.received.filter(|_| state.gone.is_none()))
            {
                (last.sold_tokens, last.received_lamports) = (Some(sold), Some(received));
            }
        }
    }

    /// If it has a transaction, what a sell that has ended brought is to be found out.
    fn await_received(&mut self, order: ExitOrder, outcome: IntentOutcome) {
        if matches!(outcome, IntentOutcome::Landed | IntentOutcome::Failed) {
            self.unshown.push(Unshown { order, asked: 0, asked_ms: None, over_ms: None });
        }
    }

    /// What did not land because it failed has paid a fee, which is to be found out, too.
    fn await_fee(&mut self, order: &ExitOrder, has_failed: bool) {
        if has_failed {
            self.await_received(order.clone(), IntentOutcome::Failed);
        }
    }

    /// An order has ended so, and has sold so many base units, if that is known.
    fn settled(
        &mut self,
        state: &mut ExitState,
        order: &ExitOrder,
        outcome: IntentOutcome,
        tokens: Option<u64>,
    ) {
        // What was asked is about this one.
        self.is_asking = false;
        let at_ms = self.looked_ms.unwrap_or(self.now_ms).max(order.at_ms.0);
        *state = settled(state.clone(), &order.intent_id, outcome, at_ms, tokens);
    }

    fn say(&mut self, what: ExitHappening, order: Option<&ExitOrder>, why: Option<Why<E>>) {
        let order = order.cloned();
        self.events.push_back(Happened { what, order, why, sold_tokens: None, received_lamports: None });
    }

    /// Base units that the sell with this body is of.
    fn tokens_of(&self, body: Option<&str>) -> Option<u64> {
        tokens_of_sell(body?, self.decimals())
    }

    fn decimals(&self) -> u8 {
        self.terms.token_decimals.or(self.token_decimals).unwrap_or(TOKEN_DECIMALS)
    }
}
