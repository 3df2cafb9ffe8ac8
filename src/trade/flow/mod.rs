//! The flow of one trade, from a checked request to its result: a state machine without I/O and without a clock.
//!
//! ```text
//! Begin ─ recover ─ admit ─ (turn) ─ recheck ─ key ─ hook ─ journal ─ recheck ─▶ Send ─▶ Read ─▶ classify ─ journal ─ hook ─▶ Done
//! └──────────────────── nothing has left this machine ────────────────────┘   └─ money may have moved ─┘
//! ```
//!
//! A driver tells [`Flow::next`] what has happened, carries out the [`Step`] that it returns, and calls it again. The driver
//! decides nothing. So a driver in TypeScript, one in async Rust and a test that tries every order of events all end a trade in
//! the same way.
//!
//! - **The guards are borrowed**, so that all trades of a client share them. They are asked when the trade is admitted, after
//!   each wait and right before each dispatch. They learn once how the trade ended.
//! - **A stop may come at any moment** ([`Event::Deadline`], [`Event::Abort`]). Before the dispatch the trade is
//!   `not_sent`. After it the trade is `unknown`, unless the transport proves within a moment that nothing was sent, or the
//!   start of the reply has already said that a gateway refused it.
//! - **Nothing is sent twice.** Only an attempt that the transport proves unsent is repeated, and only as often as the
//!   [`Terms`] say. A gateway forwards each intent once, so sending it the same request again only asks for the answer. From
//!   the second attempt on, only a reply, or what the gateway says about the intent, proves anything.
//! - **A plan is sent before it expires, and once**, however that ends. A plan that is proven unsent does not count as sent.
//!   After it has expired, a gateway is not asked for its answer either, because asking is the same request.
//! - **No trade is made late.** A gateway that has not confirmed the intent is asked only for a few seconds
//!   ([`Terms::ask_again_within_ms`]), since the repeated request may be the first to arrive.
//! - **An event that does not fit changes nothing**, and gets [`Step::Nothing`].
//!
//! ```
//! use std::sync::Arc;
//! use launchpad_desk::api::{endpoint::Operation, validate::{Rules, validate}};
//! use launchpad_desk::{prelude::BuyRequest, tape::ToTape};
//! use launchpad_desk::trade::flow::{Event, Flow, Head, Machine, Step, Terms};
//! use launchpad_desk::trade::guard::{Guards, Settings};
//! use launchpad_desk::trade::plan::Planned;
//!
//! let request = BuyRequest::new("M", "W", 600).to_tape();
//! let buy = validate(Operation::Buy, request.root(), &Rules::default()).unwrap();
//! let mut guards = Guards::new(Settings::default());
//! let planned = Planned::new(buy, "signal-1", &Rules::default());
//! let mut flow = Flow::new(Arc::new(Terms::default()), planned, 30_000);
//!
//! let Step::Send(post) = flow.next(&mut guards, 0, Event::Begin) else { panic!() };
//! assert_eq!(post.path, "/v1/trade/buy");
//! let head = Head { status: 401, ..Head::default() };
//! assert!(matches!(flow.next(&mut guards, 5, Event::Answered(head)), Step::Read { .. }));
//! let Step::Done(Err(error)) = flow.next(&mut guards, 6, Event::Body(Vec::new())) else { panic!() };
//! assert_eq!(error.code.as_str(), "unauthorized");
//! ```

mod step;
mod terms;
mod wait_for;

use std::fmt;
use std::sync::Arc;

use crate::amount::{Digits, SlippageUnit};
use crate::api::endpoint::Reply;
use crate::api::response::Trade;
use crate::error::{Code, Error, Outcome, Warning};
use crate::intent::{INTENT_STATE, IntentOutcome, IntentState, Settlement};
use crate::reader::MOST_TIMER_MS;
use crate::trade::classify::{from_gateway, of_one_trade};
use crate::trade::guard::{DAY_MS, Guards, Priced, Suspension, stranger_in};
use crate::trade::journal::TradeIntent;
use crate::trade::plan::{PlanPrice, Planned};
use crate::trade::reconcile::WalletBalances;
use crate::trade::send_failure::answer_broke_off;
use crate::trade::{Key, classify, classify_head, has_part, redacted, retry_after_ms, send_failure};

pub use wait_for::{WAIT_FOR_MS, WaitFor};

pub use step::{Event, Get, Head, Lost, Post, Step, Wait};
pub use terms::{
    ASK_AGAIN_WITHIN_MS, GATEWAY_INTENT, HeaderProblem, Headers, KEY_HEADER, KeySource, MARKET_RESTS_MS,
    MOST_REPLY_BYTES, NOTE_WITHIN_MS, Terms, header_name_problem, market_rests,
};

/// How long to wait before trying a proven unsent trade again, doubled each time.
const RETRY_MS: u32 = 100;

/// The most attempts after the first.
pub const MOST_RETRIES: u32 = 10;

/// What a driver drives: a trade, or the wait for what a gateway decides.
pub trait Machine {
    /// What to do now that this event has happened. `guards` are always the same ones, those of the client; `now_ms` is in
    /// milliseconds since 1970.
    fn next(&mut self, guards: &mut Guards, now_ms: u64, event: Event) -> Step;

    /// The trade as the journal and the hooks get it.
    fn intent(&self) -> &TradeIntent;

    /// Whether the guards want a price that it does not have, and would let it through without that limit. A driver that knows prices asks
    /// for one before [`Event::Begin`], and tells [`priced`](Machine::priced).
    fn wants_price(&self, guards: &Guards, now_ms: u64) -> bool {
        let _ = (guards, now_ms);
        false
    }

    /// The unit in which its body has the slippage.
    fn slippage_unit(&self) -> SlippageUnit {
        SlippageUnit::default()
    }

    /// Whether the trade that it has told to send may still go, once a transport has its connection: trading may have been stopped since, or
    /// its plan, its price or its time may be over.
    fn may_send(&self, guards: &Guards, now_ms: u64) -> bool {
        let _ = (guards, now_ms);
        true
    }

    /// Takes the price that the guards want.
    fn priced(&mut self, guards: &mut Guards, price: &PlanPrice, now_ms: u64) {
        let _ = (guards, price, now_ms);
    }

    /// Warnings about its request.
    fn warnings(&self) -> &[Warning];

    /// How it ended, once it has.
    fn settlement(&self) -> Option<Settlement>;

    /// What its end has changed about what stops trading. A journal records it together with the settlement.
    fn suspension(&self) -> Suspension;

    /// Whether the reply says that it comes from a sandbox.
    fn is_answered_by_sandbox(&self) -> bool;

    /// Whether the result has been returned.
    fn is_done(&self) -> bool;
}

/// One trade in flight.
#[derive(Clone)]
pub struct Flow {
    terms: Arc<Terms>,
    planned: Planned,
    timeout_ms: u32,
    /// When the driver was ready.
    begun_at_ms: u64,
    at: At,
    stop: Option<Stop>,
    entry: Entry,
    /// Its ticket, while the guards hold a reservation for it.
    ticket: Option<u64>,
    key: Option<Key>,
    tries: u32,
    asks: u32,
    /// When this call first sent it.
    sent_at_ms: Option<u64>,
    /// Whether an earlier attempt may have arrived. Then no later one proves that nothing was sent.
    may_have_arrived: bool,
    /// Whether the gateway has said that it has this intent. Then another request cannot make the trade.
    gateway_has_it: bool,
    /// Why the answer to the last attempt is not known.
    unknown: Option<Box<Error>>,
    head: Option<Head>,
    /// What its end has changed about what stops trading.
    suspension: Suspension,
    settlement: Option<Settlement>,
    result: Option<Result<Trade, Box<Error>>>,
}

/// Where a trade is: the last step that the driver got.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum At {
    Start,
    Recovering,
    InLine,
    Journaling,
    Asking,
    Hooked,
    /// Settling the journal's entry, because the trade counts by another time now.
    Renewing,
    /// Recording the trade again.
    JournalingAgain,
    Sending,
    Retrying,
    Reading,
    Settling,
    AfterHook,
    Done,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stop {
    Deadline,
    Abort,
}

/// What the journal has recorded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Entry {
    /// Nothing, or an entry that is settled.
    None,
    /// It is beginning an entry, and has not answered yet.
    Beginning,
    /// An entry that is not settled.
    Begun,
}

impl Machine for Flow {
    fn next(&mut self, guards: &mut Guards, now_ms: u64, event: Event) -> Step {
        if self.at == At::Start {
            (self.planned.intent.started_at_ms, self.begun_at_ms) = (now_ms, now_ms);
        }
        match (self.at, event) {
            (_, Event::Deadline) => self.stopped(guards, now_ms, Stop::Deadline),
            (_, Event::Abort) => self.stopped(guards, now_ms, Stop::Abort),
            (At::Start, Event::Begin) => {
                if self.terms.has_journal {
                    self.go(At::Recovering, Step::Recover)
                } else {
                    self.admit(guards, now_ms)
                }
            }
            (At::Start, Event::Lost(Lost::Unsupported(what))) => {
                self.lose(guards, Code::UnsupportedRuntime, &what)
            }
            (At::Recovering, Event::Recovered) => self.admit(guards, now_ms),
            (At::InLine, Event::Woken) => self.admitted(guards, now_ms),
            (At::Renewing, Event::Journaled) => self.begin(At::JournalingAgain),
            (At::Journaling | At::JournalingAgain, Event::Journaled) => {
                self.entry = Entry::Begun;
                self.dispatch(guards, now_ms)
            }
            (At::Journaling | At::JournalingAgain, Event::JournalFailed) => {
                // The entry that it refused may belong to another trade.
                self.entry = Entry::None;
                self.lose(guards, Code::JournalFailed, "")
            }
            (At::Recovering | At::Renewing, Event::JournalFailed) => {
                self.lose(guards, Code::JournalFailed, "")
            }
            (At::Asking, Event::Key(key)) => {
                self.key = Some(key);
                self.call_hook(guards, now_ms)
            }
            (At::Asking, Event::KeyFailed) => self.lose(guards, Code::ApiKeyUnavailable, ""),
            (At::Hooked, Event::HookPassed) => self.hooked(guards, now_ms),
            (At::Hooked, Event::HookSaw(seen)) => self.saw(guards, now_ms, seen),
            (At::Hooked, Event::HookMisled(why)) => self.lose(guards, Code::HookFailed, &why),
            (At::Hooked, Event::HookFailed) => self.lose(guards, Code::HookFailed, ""),
            (At::Retrying, Event::Woken) => self.dispatch(guards, now_ms),
            (At::Sending, Event::Answered(head)) => self.answered(guards, now_ms, head),
            (At::Sending, Event::Lost(lost)) => self.lost_sending(guards, now_ms, lost),
            (At::Sending, Event::MomentOver) if self.stop.is_some() => {
                self.lose_stopped(guards, now_ms, Dispatch::Made)
            }
            (At::Reading, Event::Body(body)) => self.read(guards, now_ms, body),
            (At::Reading, Event::Lost(lost)) => self.lost_reading(guards, now_ms, lost),
            (At::Settling, Event::Journaled | Event::JournalFailed) => self.settled(),
            (At::Settling, Event::MomentOver) if self.stop.is_some() => self.settled(),
            (At::AfterHook, Event::HookEnded) => self.done(),
            (At::AfterHook, Event::MomentOver) if self.stop.is_some() => self.done(),
            (At::AfterHook | At::Done, Event::Journaled) => self.begun_late(),
            (At::AfterHook | At::Done, Event::JournalFailed) => {
                self.entry = Entry::None;
                Step::Nothing
            }
            _ => Step::Nothing,
        }
    }

    fn intent(&self) -> &TradeIntent {
        &self.planned.intent
    }

    fn warnings(&self) -> &[Warning] {
        &self.planned.warnings
    }

    fn settlement(&self) -> Option<Settlement> {
        self.settlement.clone()
    }

    fn suspension(&self) -> Suspension {
        self.suspension
    }

    fn may_send(&self, guards: &Guards, now_ms: u64) -> bool {
        self.is_fit(guards, now_ms).is_ok() && !self.is_late(now_ms)
    }

    /// A plan has its price, or none; by its price, a market also says how many decimals a token has.
    fn wants_price(&self, guards: &Guards, now_ms: u64) -> bool {
        let id = &self.planned.intent.intent_id;
        let has_decimals =
            self.decimals_of_plan().is_some() || guards.token_decimals(&self.planned.request.mint).is_some();
        if self.planned.counted_by.is_some() && !has_decimals {
            return guards.check(now_ms, id, &self.planned.request).is_ok();
        }
        let is_wanted = || match guards.check_price(now_ms, id, &self.planned.request, None) {
            Err(refused) => refused.code == Code::NoPrice,
            Ok(()) => false,
        };
        self.planned.once.is_none() && self.planned.priced.is_none() && is_wanted()
    }

    fn slippage_unit(&self) -> SlippageUnit {
        self.terms.dialect.rules.slippage_unit
    }

    fn priced(&mut self, guards: &mut Guards, price: &PlanPrice, now_ms: u64) {
        guards.learn(&self.planned.request, price);
        if self.planned.once.is_none() {
            self.planned.priced = Some(Priced::of(price, now_ms));
        }
    }

    fn is_answered_by_sandbox(&self) -> bool {
        self.head.as_ref().is_some_and(|head| head.is_simulated)
    }

    fn is_done(&self) -> bool {
        self.at == At::Done
    }
}

impl Flow {
    /// The flow of a planned trade. `timeout_ms` is the deadline that the driver watches; here it is needed for the error's sentence, and
    /// so that nothing is sent after it.
    pub fn new(terms: Arc<Terms>, mut planned: Planned, timeout_ms: u32) -> Flow {
        planned.intent.through_gateway = terms.is_gateway();
        let key = match &terms.key {
            KeySource::Fixed(key) => Some(key.clone()),
            KeySource::None | KeySource::Asked => None,
        };
        Flow {
            terms,
            planned,
            timeout_ms,
            begun_at_ms: 0,
            at: At::Start,
            stop: None,
            entry: Entry::None,
            ticket: None,
            key,
            tries: 0,
            asks: 0,
            sent_at_ms: None,
            may_have_arrived: false,
            gateway_has_it: false,
            unknown: None,
            head: None,
            suspension: Suspension::default(),
            settlement: None,
            result: None,
        }
    }

    /// The decimals by the price of a plan. Where there is a market, only its own word counts: anybody may have made the plan.
    fn decimals_of_plan(&self) -> Option<u8> {
        self.planned.priced.filter(|_| !self.terms.has_market).and_then(|priced| priced.token_decimals)
    }

    fn go(&mut self, at: At, step: Step) -> Step {
        self.at = at;
        step
    }

    fn admit(&mut self, guards: &mut Guards, now_ms: u64) -> Step {
        // If the first POST of an expired plan never arrived, another one would make the trade now.
        let has_expired = self.planned.once.as_ref().is_some_and(|once| once.has_expired(now_ms));
        if self.terms.is_gateway() && !has_expired {
            let TradeIntent { intent_id, operation, body, .. } = &self.planned.intent;
            match guards.take_up(now_ms, intent_id, *operation, body) {
                Ok(Some((ticket, started_at_ms))) => {
                    return self.take_up(guards, now_ms, ticket, started_at_ms);
                }
                Ok(None) => {}
                Err(error) => return self.finish(guards, Err(error)),
            }
        }
        let intent_id = &self.planned.intent.intent_id;
        let is_fit = self.planned.once.as_ref().map_or(Ok(()), |once| once.check(guards, intent_id, now_ms));
        let is_fit = is_fit
            .and_then(|()| guards.check_price(now_ms, intent_id, &self.planned.request, self.planned.priced));
        if let Some(decimals) = self.decimals_of_plan() {
            guards.learn_decimals(&self.planned.request.mint, decimals);
        }
        let (operation, mint) = (self.planned.intent.operation, &self.planned.request.mint);
        let is_fit = is_fit.and_then(|()| {
            guards.check_decimals(operation, mint, self.planned.counted_by, self.terms.has_market)
        });
        let admission =
            is_fit.and_then(|()| guards.admit(now_ms, self.planned.intent.clone(), &self.planned.request));
        let admission = match admission {
            Ok(admission) => admission,
            Err(error) => return self.finish(guards, Err(error)),
        };
        self.ticket = Some(admission.ticket);
        self.planned.intent.counted = guards.counted(admission.ticket);
        self.planned.intent.started_at_ms = now_ms;
        match admission.wait_ms {
            0 => self.admitted(guards, now_ms),
            ms => self.go(At::InLine, Step::Wait { ms, reason: Wait::Turn }),
        }
    }

    /// An earlier call sent this trade and left it unresolved: its reservation and its entry in the journal still exist.
    fn take_up(&mut self, guards: &mut Guards, now_ms: u64, ticket: u64, started_at_ms: u64) -> Step {
        (self.ticket, self.may_have_arrived, self.planned.intent.started_at_ms) =
            (Some(ticket), true, started_at_ms);
        if self.terms.has_journal {
            self.entry = Entry::Begun;
        }
        match self.terms.key {
            KeySource::Asked => self.go(At::Asking, Step::AskKey),
            KeySource::None | KeySource::Fixed(_) => self.dispatch(guards, now_ms),
        }
    }

    /// Its turn has come. It may be another day now, or the client may be halted.
    fn admitted(&mut self, guards: &mut Guards, now_ms: u64) -> Step {
        match self.recheck(guards, now_ms) {
            Err(error) => self.finish(guards, Err(error)),
            Ok(started_at_ms) => {
                self.planned.intent.started_at_ms = started_at_ms;
                self.ask_key(guards, now_ms)
            }
        }
    }

    fn recheck(&self, guards: &mut Guards, now_ms: u64) -> Result<u64, Box<Error>> {
        let started_at_ms = self.is_fit(guards, now_ms)?;
        if self.may_have_arrived { Ok(started_at_ms) } else { guards.recheck(now_ms, self.ticket()) }
    }

    /// Refuses it once trading is stopped, or its plan or its price is too old; returns what it counts by.
    fn is_fit(&self, guards: &Guards, now_ms: u64) -> Result<u64, Box<Error>> {
        if let Some(once) = &self.planned.once {
            once.check_time(now_ms, self.may_have_arrived)?;
        }
        let started_at_ms = guards.recheck_mode(self.ticket())?;
        if !self.may_have_arrived {
            guards.check_breaker(self.planned.intent.operation.is_buy())?;
            guards.recheck_price(now_ms, self.planned.intent.operation, self.planned.priced)?;
        }
        Ok(started_at_ms)
    }

    fn ticket(&self) -> u64 {
        self.ticket.unwrap_or(u64::MAX)
    }

    /// Whether its time is over. The driver's timer stands still while the machine sleeps.
    fn is_late(&self, now_ms: u64) -> bool {
        now_ms.saturating_sub(self.begun_at_ms) > self.timeout_ms.into()
    }

    fn begin(&mut self, at: At) -> Step {
        self.entry = Entry::Beginning;
        self.go(at, Step::JournalBegin)
    }

    fn ask_key(&mut self, guards: &mut Guards, now_ms: u64) -> Step {
        match self.terms.key {
            KeySource::Asked => self.go(At::Asking, Step::AskKey),
            KeySource::None | KeySource::Fixed(_) => self.call_hook(guards, now_ms),
        }
    }

    /// A trade that may have arrived was already shown to the hook when it was sent.
    fn call_hook(&mut self, guards: &mut Guards, now_ms: u64) -> Step {
        if self.may_have_arrived {
            self.dispatch(guards, now_ms)
        } else if self.terms.has_before_send {
            self.go(At::Hooked, Step::BeforeSend)
        } else {
            self.hooked(guards, now_ms)
        }
    }

    /// The journal gets the trade right before it is sent, with what its wallets held: a crash before that leaves nothing in doubt.
    fn hooked(&mut self, guards: &mut Guards, now_ms: u64) -> Step {
        if self.terms.dry_run {
            self.lose(guards, Code::DryRun, "")
        } else if self.terms.has_journal {
            self.begin(At::Journaling)
        } else {
            self.dispatch(guards, now_ms)
        }
    }

    /// Keeps the balances that the hook reported.
    fn saw(&mut self, guards: &mut Guards, now_ms: u64, seen: Vec<WalletBalances>) -> Step {
        if let Some(problem) = stranger_in(&seen, &self.planned.request) {
            return self.lose(guards, Code::HookFailed, &problem.message);
        }
        if let Some(ticket) = self.ticket {
            guards.saw(ticket, &seen);
        }
        self.planned.intent.before = Some(seen);
        self.hooked(guards, now_ms)
    }

    /// Makes the journal write its entry again. The old entry is settled as `not_sent`, which is true at this point. The journal
    /// gets that only once, because another client may then begin an entry under the same id.
    fn renew(&mut self) -> Step {
        self.entry = Entry::None;
        self.go(At::Renewing, Step::JournalSettle(IntentOutcome::NotSent.into()))
    }

    /// Asks the guards again, and sends. A trade that waited past midnight counts for the new day, and one that waited for long has the
    /// present time, also in the journal, before it is sent.
    fn dispatch(&mut self, guards: &mut Guards, now_ms: u64) -> Step {
        let started_at_ms = match self.recheck(guards, now_ms) {
            Ok(started_at_ms) => started_at_ms,
            Err(error) => return self.finish(guards, Err(error)),
        };
        if self.is_late(now_ms) {
            self.stop = Some(Stop::Deadline);
            return self.lose_stopped(guards, now_ms, Dispatch::NotMade);
        }
        // The timer may fire late, for example after the machine has slept.
        if self.asks > 0
            && self.is_too_late_to_ask(now_ms)
            && let Some(unknown) = self.unknown.take()
        {
            return self.finish(guards, Err(unknown));
        }
        let recorded_ms = std::mem::replace(&mut self.planned.intent.started_at_ms, started_at_ms);
        // However slow the journal is, it gets the time of one day only once more.
        let is_recorded = self.at == At::JournalingAgain && recorded_ms / DAY_MS == started_at_ms / DAY_MS;
        if recorded_ms != started_at_ms && !is_recorded && self.terms.has_journal {
            return self.renew();
        }
        let TradeIntent { intent_id, operation, body, .. } = &self.planned.intent;
        self.sent_at_ms.get_or_insert(now_ms);
        let post = Post {
            operation: *operation,
            path: operation.path(),
            headers: self.terms.headers.of(intent_id, self.key.as_ref()),
            body: body.clone(),
        };
        self.go(At::Sending, Step::Send(post))
    }

    fn answered(&mut self, guards: &mut Guards, now_ms: u64, head: Head) -> Step {
        if self.stop.is_some() {
            return self.lose_stopped(guards, now_ms, Dispatch::Made);
        }
        self.head = Some(head);
        self.go(At::Reading, Step::Read { most: self.terms.max_reply_bytes })
    }

    /// No answer came. Tries again if it is proven that nothing was sent, but no more often than the terms allow.
    fn lost_sending(&mut self, guards: &mut Guards, now_ms: u64, lost: Lost) -> Step {
        let is_sent = !matches!(lost, Lost::Unsent(_) | Lost::Unsupported(_));
        // A transport asks once more whether it may send, once its connection is open.
        if matches!(lost, Lost::Unsent(_)) && self.stop.is_none() {
            if let Err(refused) = self.is_fit(guards, now_ms) {
                return self.finish(guards, Err(refused));
            }
            self.stop = self.is_late(now_ms).then_some(Stop::Deadline);
        }
        match lost {
            _ if self.stop.is_some() => {
                self.lose_stopped(guards, now_ms, if is_sent { Dispatch::Made } else { Dispatch::NotMade })
            }
            Lost::Unsent(code) if self.may_have_arrived => {
                self.lose_answer(guards, now_ms, Code::NetworkError, &code)
            }
            Lost::Unsent(code) if self.tries < self.terms.retry_not_sent.min(MOST_RETRIES) => {
                let ms = RETRY_MS << self.tries;
                self.tries += 1;
                let code = self.without_key(&code).to_owned();
                self.go(At::Retrying, Step::Wait { ms, reason: Wait::Retry(code) })
            }
            Lost::Unsent(code) => self.lose(guards, Code::ConnectFailed, &code),
            Lost::Unsupported(what) => self.lose(guards, Code::UnsupportedRuntime, &what),
            Lost::Broken(code) => self.lose_answer(guards, now_ms, Code::NetworkError, &code),
            Lost::TooLarge(most) => self.lose_answer(guards, now_ms, Code::ReplyTooLarge, &most.digits()),
        }
    }

    fn read(&mut self, guards: &mut Guards, now_ms: u64, body: Vec<u8>) -> Step {
        let Head { status, retry_after, intent_state, .. } = self.head.clone().unwrap_or_default();
        let state = intent_state.as_deref().and_then(IntentState::from_name);
        self.gateway_has_it |= state.is_some_and(|state| state != IntentState::NotRecorded);
        let named = [("retry-after", retry_after), (INTENT_STATE, intent_state)];
        let headers = named.into_iter().filter_map(|(name, value)| Some((name.to_owned(), value?))).collect();
        let secret = self.key.as_ref().map_or("", Key::expose);
        let reply = Reply { status, headers, body: redacted(body, secret.as_bytes()) };
        let result = classify((&*self.planned.request).into(), &reply, &self.terms.dialect, now_ms);
        let is_gateway = self.terms.is_gateway();
        let result = of_one_trade(guards, &self.planned.intent.intent_id, is_gateway, &reply, result);
        match result.map_err(|error| if is_gateway { from_gateway(error, &reply) } else { error }) {
            Err(error) if self.is_to_be_asked(&error, state) => self.ask(guards, now_ms, error),
            result => self.finish(guards, result),
        }
    }

    /// Whether to ask a gateway again, because it may say more.
    fn is_to_be_asked(&self, error: &Error, state: Option<IntentState>) -> bool {
        let is_final = !self.terms.is_gateway() || state.is_some_and(IntentState::is_final);
        let is_known = match error.outcome {
            Outcome::Unknown => false,
            // This request was refused on the way. That proves nothing about an earlier one.
            Outcome::Rejected | Outcome::NotSent => !self.may_have_arrived,
            Outcome::Failed => true,
        };
        !is_final && !is_known
    }

    /// Whether asking now could make the trade too late.
    fn is_too_late_to_ask(&self, at_ms: u64) -> bool {
        let last_ms = self.sent_at_ms.map(|sent| sent.saturating_add(self.terms.ask_again_within_ms.into()));
        !self.gateway_has_it && last_ms.is_some_and(|last| at_ms > last)
    }

    /// Sends the same request again after a while, to learn what happened to it.
    fn ask(&mut self, guards: &mut Guards, now_ms: u64, unknown: Box<Error>) -> Step {
        self.may_have_arrived = true;
        let unknown = as_unknown(unknown);
        if self.stop.is_some() || self.asks >= self.terms.ask_again.min(MOST_RETRIES) {
            return self.finish(guards, Err(unknown));
        }
        let asked_wait = unknown.retry_after_ms.map_or(0, |ms| ms.min(MOST_TIMER_MS) as u32);
        let ms = asked_wait.max(RETRY_MS << self.asks);
        if self.is_too_late_to_ask(now_ms.saturating_add(ms.into())) {
            return self.finish(guards, Err(unknown));
        }
        self.asks += 1;
        let code = unknown.code;
        (self.unknown, self.head) = (Some(unknown), None);
        self.go(At::Retrying, Step::Wait { ms, reason: Wait::Answer(code) })
    }

    /// The answer to what was sent is lost.
    fn lose_answer(&mut self, guards: &mut Guards, now_ms: u64, code: Code, detail: &str) -> Step {
        let error = self.loss(now_ms, send_failure(code, self.without_key(detail)));
        self.lose_unknown(guards, now_ms, error)
    }

    fn lose_unknown(&mut self, guards: &mut Guards, now_ms: u64, error: Box<Error>) -> Step {
        if self.terms.is_gateway() {
            self.ask(guards, now_ms, error)
        } else {
            self.finish(guards, Err(error))
        }
    }

    /// The body is lost. A refusal proves that nothing was made only by a body that tells of no trade.
    fn lost_reading(&mut self, guards: &mut Guards, now_ms: u64, lost: Lost) -> Step {
        if self.needs_no_body(now_ms) {
            return self.read(guards, now_ms, Vec::new());
        }
        match lost {
            Lost::TooLarge(most) => self.lose_answer(guards, now_ms, Code::ReplyTooLarge, &most.digits()),
            Lost::Broken(code) | Lost::Unsent(code) | Lost::Unsupported(code) => {
                let error = self.loss(now_ms, answer_broke_off(self.without_key(&code)));
                self.lose_unknown(guards, now_ms, error)
            }
        }
    }

    /// Whether the start of the reply says all: that the outcome is unknown, or that a gateway forwarded nothing.
    fn needs_no_body(&self, now_ms: u64) -> bool {
        let Some(head) = &self.head else { return false };
        let headers = head.intent_state.clone().map(|state| (INTENT_STATE.to_owned(), state));
        let reply = Reply { status: head.status, headers: headers.into_iter().collect(), body: Vec::new() };
        classify_head(&reply, &self.terms.dialect, now_ms).is_some()
    }

    fn stopped(&mut self, guards: &mut Guards, now_ms: u64, stop: Stop) -> Step {
        if self.stop.is_some() {
            return Step::Nothing;
        }
        self.stop = Some(stop);
        match self.at {
            At::Done => Step::Nothing,
            At::Settling | At::AfterHook => Step::Hurry,
            At::Sending => Step::Cancel,
            At::Reading if self.needs_no_body(now_ms) => self.read(guards, now_ms, Vec::new()),
            At::Reading => self.lose_stopped(guards, now_ms, Dispatch::Made),
            _ => self.lose_stopped(guards, now_ms, Dispatch::NotMade),
        }
    }

    fn lose_stopped(&mut self, guards: &mut Guards, now_ms: u64, dispatch: Dispatch) -> Step {
        let timeout_ms = self.timeout_ms.digits();
        let dispatch = if self.may_have_arrived { Dispatch::Made } else { dispatch };
        match (self.stop, dispatch) {
            (Some(Stop::Abort), Dispatch::NotMade) => self.lose(guards, Code::AbortedBeforeSend, ""),
            (Some(Stop::Abort), Dispatch::Made) => self.lose_asking(guards, now_ms, Code::Aborted, ""),
            (_, Dispatch::NotMade) => self.lose(guards, Code::TimeoutBeforeSend, ""),
            (_, Dispatch::Made) => self.lose_asking(guards, now_ms, Code::Timeout, &timeout_ms),
        }
    }

    /// Ends after a dispatch without an answer to it. What an earlier answer said is kept.
    fn lose_asking(&mut self, guards: &mut Guards, now_ms: u64, code: Code, detail: &str) -> Step {
        let error = self.loss(now_ms, send_failure(code, detail));
        let error = match self.unknown.take() {
            Some(unknown) if error.status.is_none() => {
                let said = unknown.message.strip_prefix("outcome unknown: ").unwrap_or(&unknown.message);
                let message = [&error.message, "; before that: ", said].concat();
                Box::new(Error { code, message, ..*unknown })
            }
            _ => error,
        };
        self.finish(guards, Err(error))
    }

    /// Ends without a reply.
    fn lose(&mut self, guards: &mut Guards, code: Code, detail: &str) -> Step {
        let error = send_failure(code, self.without_key(detail));
        self.finish(guards, Err(Box::new(error)))
    }

    /// The error, with what the start of the reply says, if one has begun.
    fn loss(&self, now_ms: u64, mut error: Error) -> Box<Error> {
        if let Some(head) = &self.head {
            error.status = Some(head.status);
            error.retry_after_ms = head.retry_after.as_deref().and_then(|text| retry_after_ms(text, now_ms));
        }
        Box::new(error)
    }

    /// A transport's detail; empty if it contains the key.
    fn without_key<'a>(&self, detail: &'a str) -> &'a str {
        match &self.key {
            Some(key) if has_part(detail, key.expose()) => "",
            _ => detail,
        }
    }

    /// The trade has ended: tells the guards, then the journal and the hook.
    fn finish(&mut self, guards: &mut Guards, result: Result<Trade, Box<Error>>) -> Step {
        let result = result.map_err(|error| match error.outcome {
            // A failure to ask again proves nothing about what was sent before.
            Outcome::NotSent if self.may_have_arrived => {
                self.unknown.take().unwrap_or_else(|| as_unknown(error))
            }
            _ => error,
        });
        let settlement = Settlement::of(&result, self.head.as_ref().map(|head| head.status));
        if let Some(ticket) = self.ticket.take() {
            let before = guards.suspension();
            guards.settle(ticket, settlement.clone());
            if settlement.outcome != IntentOutcome::NotSent {
                let is_landed = settlement.outcome == IntentOutcome::Landed;
                let closed = result.as_ref().ok().and_then(|trade| trade.result.token_account_closed);
                guards.learn_end(&self.planned.request, is_landed, closed == Some(false));
            }
            self.suspension = guards.suspension().since(before);
        }
        if let Some(once) = &self.planned.once
            && settlement.outcome != IntentOutcome::NotSent
        {
            guards.plan_sent(&once.checksum);
        }
        (self.settlement, self.result) = (Some(settlement.clone()), Some(result));
        match self.entry {
            Entry::Begun => {
                self.entry = Entry::None;
                self.go(At::Settling, Step::JournalSettle(settlement))
            }
            Entry::None | Entry::Beginning => self.settled(),
        }
    }

    fn settled(&mut self) -> Step {
        match &self.settlement {
            Some(settlement) if self.terms.has_after_settle => {
                self.go(At::AfterHook, Step::AfterSettle(settlement.clone()))
            }
            _ => self.done(),
        }
    }

    fn done(&mut self) -> Step {
        self.at = At::Done;
        match self.result.take() {
            Some(result) => Step::Done(result.map(Box::new)),
            None => Step::Nothing,
        }
    }

    /// The journal has begun its entry after the trade was stopped: the entry is settled, without waiting for that.
    fn begun_late(&mut self) -> Step {
        match &self.settlement {
            Some(settlement) if self.entry == Entry::Beginning => {
                self.entry = Entry::None;
                Step::JournalSettle(settlement.clone())
            }
            _ => Step::Nothing,
        }
    }
}

/// What an error means if an earlier attempt may have arrived.
fn as_unknown(error: Box<Error>) -> Box<Error> {
    if error.outcome == Outcome::Unknown {
        return error;
    }
    let what = "outcome unknown: an earlier attempt may have arrived, and this does not answer it: ";
    Box::new(Error {
        outcome: Outcome::Unknown,
        code: if error.status.is_some() { Code::UnexpectedStatus } else { Code::NetworkError },
        message: [what, &error.message].concat(),
        fields: Vec::new(),
        ..*error
    })
}

/// Whether a trade may have left this machine.
#[derive(Clone, Copy)]
enum Dispatch {
    Made,
    NotMade,
}

/// Shows the step, but not what the trade is about.
impl fmt::Debug for Flow {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Flow { at, stop, entry, ticket, tries, asks, may_have_arrived, .. } = self;
        write!(f, "Flow({at:?} {stop:?} {entry:?} {ticket:?} {tries} {asks} {may_have_arrived})")
    }
}
