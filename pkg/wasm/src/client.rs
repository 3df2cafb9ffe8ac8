//! The core of a client: how it sends, and its guards. Each trade is a [`TradeFlow`], which shares both.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use wasm_bindgen::prelude::*;

use crate::call;
use crate::crossing::{CallArgs, Failure, answer, answer_handle};
use crate::flow::TradeFlow;
use crate::options::{CallOptions, ClientSettings, OwnOptions, PlanOptions, SendSettings, Sending};
use crate::sent::Journaled;
use launchpad_desk::amount::SlippageUnit;
use launchpad_desk::api::encode::encode;
use launchpad_desk::api::endpoint::Call;
use launchpad_desk::api::request::Request;
use launchpad_desk::api::validate::{Valid, validate};
use launchpad_desk::bindings::reader;
use launchpad_desk::bindings::settling::{
    AskAgain, ChainSays, CompareStep, Comparison, MOST_COMPARED, Open, SettleEvent, SettleStep, SettleTimer,
    Settling, SettlingStep,
};
use launchpad_desk::error::{Code, Error};
use launchpad_desk::intent::{IntentOutcome, intent_id_problem};
use launchpad_desk::tape::{Data, Item, Tape, ToTape, Writer};
use launchpad_desk::trade::flow::{Flow, WAIT_FOR_MS, WaitFor};
use launchpad_desk::trade::guard::{
    Ended, Found, Guards, Intent, LOOK_UP_AFTER_MS, OtherTrade, Suspension, has_more, stranger_in,
};
use launchpad_desk::trade::journal::TradeIntent;
use launchpad_desk::trade::plan::{Destination, Plan, PlanPrice, Planned};
use launchpad_desk::trade::settle::UnknownReason;
use launchpad_desk::trade::{send_failure, suspension_not_kept};

/// See [`SettleTimer`]. Each method returns the milliseconds to wait, 0 to ask, or nothing.
#[wasm_bindgen]
pub struct Timer(RefCell<SettleTimer>);

#[wasm_bindgen]
impl Timer {
    /// Something may have been left open.
    pub fn left(&self, now_ms: f64) -> Option<f64> {
        self.next(now_ms, SettleEvent::Left)
    }

    /// Time has passed.
    pub fn passed(&self, now_ms: f64) -> Option<f64> {
        self.next(now_ms, SettleEvent::Passed)
    }

    /// The chain was asked: whether waiting may settle what is left, and in how many milliseconds that is due, if that is known.
    pub fn asked(&self, now_ms: f64, may_pass: bool, due_in_ms: Option<f64>) -> Option<f64> {
        let open = match due_in_ms {
            _ if !may_pass => Open::Nothing,
            None => Open::Something,
            Some(ms) => Open::DueIn(ms as u64),
        };
        self.next(now_ms, SettleEvent::Asked(open))
    }
}

impl Timer {
    fn of(after_ms: u64) -> Timer {
        Timer(RefCell::new(SettleTimer::new(after_ms)))
    }

    fn next(&self, now_ms: f64, event: SettleEvent) -> Option<f64> {
        match self.0.borrow_mut().next(now_ms as u64, event) {
            SettleStep::Rest => None,
            // What is due now is asked after a turn of the event loop.
            SettleStep::Wait(ms) => Some(ms.max(1) as f64),
            SettleStep::Ask => Some(0.0),
        }
    }
}

/// See [`Settling`]. Each method returns the next step.
#[wasm_bindgen]
pub struct SettlingFlow {
    settling: RefCell<Settling>,
    guards: Rc<RefCell<Guards>>,
}

#[wasm_bindgen]
impl SettlingFlow {
    /// What to do first.
    pub fn begin(&self) -> String {
        self.step(|settling, _| settling.begin())
    }

    /// Takes what the market says: an `outcome`, a `reason` and a `signature`; without an outcome, that it gave no answer.
    pub fn asked(&self, now_ms: f64, args: &mut CallArgs) -> String {
        let args = args.tape();
        let text = |name| call::text(args.root(), name);
        let says = text("outcome").and_then(IntentOutcome::from_name).map(|outcome| ChainSays {
            outcome,
            reason: text("reason").and_then(UnknownReason::from_name),
            signature: text("signature"),
        });
        self.step(|settling, guards| settling.asked(guards, now_ms as u64, says))
    }

    /// Somebody was told that the chain has not shown it.
    pub fn noted(&self) -> String {
        self.step(|settling, _| settling.noted())
    }

    /// How the journal records it.
    pub fn settlement(&self) -> JsValue {
        answer(Ok(self.settling.borrow().settlement().to_tape()))
    }

    /// The journal has recorded it, or there is none.
    pub fn journaled(&self, now_ms: f64) -> String {
        self.step(|settling, guards| settling.journaled(guards, now_ms as u64))
    }

    /// The journal has not recorded it: it is as it was.
    pub fn release(&self) {
        self.settling.borrow_mut().release(&mut self.guards.borrow_mut());
    }
}

impl SettlingFlow {
    fn step(&self, next: impl FnOnce(&mut Settling, &mut Guards) -> SettlingStep) -> String {
        next(&mut self.settling.borrow_mut(), &mut self.guards.borrow_mut()).as_str().to_owned()
    }
}

/// See [`Comparison`].
#[wasm_bindgen]
pub struct DriftTimer {
    comparison: RefCell<Comparison>,
    reports: Cell<bool>,
}

#[wasm_bindgen]
impl DriftTimer {
    /// Milliseconds to wait until the market is asked, the last time in vain with an error of this code; nothing if it is asked no more.
    pub fn next(&self, code: Option<String>) -> Option<u32> {
        let step = self.comparison.borrow_mut().next(code.as_deref());
        self.reports.set(step == CompareStep::Report);
        match step {
            CompareStep::AskAfter(ms) => Some(ms),
            CompareStep::Report | CompareStep::Drop => None,
        }
    }

    /// Whether to say why it is asked no more.
    #[wasm_bindgen(getter)]
    pub fn reports(&self) -> bool {
        self.reports.get()
    }
}

/// See [`AskAgain`].
#[wasm_bindgen]
pub struct Again(RefCell<AskAgain>);

#[wasm_bindgen]
impl Again {
    /// Takes what was found of one trade; returns whether it is still open.
    #[wasm_bindgen(js_name = isOpen)]
    pub fn is_open(&self, outcome: &str, reason: &str) -> bool {
        let outcome = IntentOutcome::from_name(outcome).unwrap_or(IntentOutcome::Unknown);
        self.0.borrow_mut().is_open(outcome, UnknownReason::from_name(reason))
    }

    /// The milliseconds to wait before the next question, if there is one.
    pub fn next(&self, now_ms: f64, may_pass: bool) -> Option<u32> {
        self.0.borrow_mut().next(now_ms as u64, may_pass)
    }
}

/// The core of a client. It never calls JS while it has borrowed the guards, so they are always free.
#[wasm_bindgen]
pub struct ClientCore {
    sending: Sending,
    guards: Rc<RefCell<Guards>>,
    destination: Destination,
}

#[wasm_bindgen]
impl ClientCore {
    /// The core of a client with these options.
    pub fn of(args: &mut CallArgs) -> JsValue {
        let settings = ClientSettings::read(args.tape().root());
        answer_handle(settings.map(|ClientSettings { guards, destination, sending }| ClientCore {
            sending,
            guards: Rc::new(RefCell::new(Guards::new(guards))),
            destination,
        }))
    }

    /// A client with the same guards and other send options.
    pub fn with(&self, args: &mut CallArgs) -> JsValue {
        let settings = SendSettings::read(args.tape().root(), &self.sending.terms.headers);
        answer_handle(settings.map(|settings| ClientCore {
            sending: settings.over(&self.sending),
            guards: self.guards.clone(),
            destination: self.destination.clone(),
        }))
    }

    /// Where it sends, without a trailing slash.
    #[wasm_bindgen(getter, js_name = baseURL)]
    pub fn base_url(&self) -> String {
        self.destination.base_url.clone()
    }

    /// The deadline of its trades.
    #[wasm_bindgen(getter, js_name = timeoutMs)]
    pub fn timeout_ms(&self) -> u32 {
        self.sending.timeout_ms
    }

    /// The lowest level that is logged.
    #[wasm_bindgen(getter, js_name = logLevel)]
    pub fn log_level(&self) -> u32 {
        self.sending.log_level
    }

    /// When it settles unknown trades by itself, if it does.
    #[wasm_bindgen(js_name = settleTimer)]
    pub fn settle_timer(&self) -> Option<Timer> {
        self.sending.settle_after_ms.map(|after_ms| Timer::of(after_ms.into()))
    }

    /// When the chain is asked whether its service's answers are true.
    #[wasm_bindgen(js_name = lookUpTimer)]
    pub fn look_up_timer(&self) -> Timer {
        Timer::of(LOOK_UP_AFTER_MS)
    }

    /// When somebody who waits asks again, within this time and this often, from now on.
    #[wasm_bindgen(js_name = askAgain)]
    pub fn ask_again(&self, now_ms: f64, within_ms: f64, every_ms: f64) -> Again {
        Again(RefCell::new(AskAgain::new(now_ms as u64, within_ms as u64, every_ms as u32)))
    }

    /// When a landed trade is compared with its quote, while so many others wait for that; nothing if they are too many.
    #[wasm_bindgen(js_name = driftTimer)]
    pub fn drift_timer(&self, waiting: usize) -> Option<DriftTimer> {
        let timer = || DriftTimer { comparison: RefCell::default(), reports: Cell::new(false) };
        (waiting < MOST_COMPARED).then(timer)
    }

    /// By how many decimals it counts a token.
    #[wasm_bindgen(getter, js_name = tokenDecimals)]
    pub fn token_decimals(&self) -> u8 {
        self.sending.terms.dialect.rules.token_decimals
    }

    /// Learns how many decimals a token has.
    #[wasm_bindgen(js_name = learnDecimals)]
    pub fn learn_decimals(&self, mint: &str, decimals: u8) {
        self.guards.borrow_mut().learn_decimals(mint, decimals);
    }

    /// Whether its service counts slippage in basis points.
    #[wasm_bindgen(getter, js_name = countsBps)]
    pub fn counts_bps(&self) -> bool {
        self.sending.terms.dialect.rules.slippage_unit == SlippageUnit::Bps
    }

    /// Whether it compares landed trades with their quotes by itself.
    #[wasm_bindgen(getter, js_name = checksDrift)]
    pub fn checks_drift(&self) -> bool {
        self.sending.checks_drift
    }

    /// Whether another trade of this client has ended with this signature.
    #[wasm_bindgen(js_name = isOfOther)]
    pub fn is_of_other(&self, intent_id: &str, signature: &str) -> bool {
        self.guards.borrow().is_of_other(intent_id, signature)
    }

    /// Checks a request and writes its exact bytes.
    pub fn build(&self, args: &mut CallArgs) -> JsValue {
        answer(self.own(self.built(args.tape().root())))
    }

    /// The flow of a trade: reads and checks its request and the options of its call.
    pub fn begin(&self, args: &mut CallArgs) -> JsValue {
        answer_handle(self.own(self.begun(args.tape().root())))
    }

    /// The same for a plan.
    #[wasm_bindgen(js_name = beginPlan)]
    pub fn begin_plan(&self, args: &mut CallArgs) -> JsValue {
        answer_handle(self.own(self.begun_plan(args.tape().root())))
    }

    /// The wait for what a gateway decides about an intent.
    #[wasm_bindgen(js_name = waitFor)]
    pub fn wait_for(&self, args: &mut CallArgs) -> JsValue {
        answer_handle(self.own(self.waiting(args.tape().root())))
    }

    /// The plan of a call, as of now, with its `price`, if any; `isOwn` if the caller gave it.
    pub fn plan(&self, now_ms: f64, args: &mut CallArgs, price: &mut CallArgs) -> JsValue {
        let (call, price) = (args.tape(), price.tape());
        answer(self.own(self.made(call.root(), price.root(), now_ms as u64)).map(|plan| plan.to_tape()))
    }

    /// Restores what stopped trading, as a journal keeps it, once the unresolved trades are restored.
    #[wasm_bindgen(js_name = restoreSuspension)]
    pub fn restore_suspension(&self, args: &mut CallArgs) -> JsValue {
        let read = reader::read(args.tape().root(), |r| {
            r.object("suspension", Suspension::read).unwrap_or_default()
        });
        answer(read.map_err(|problems| Error::invalid_request(problems).into()).map(|suspension| {
            self.guards.borrow_mut().restore_suspension(suspension);
            Tape::default()
        }))
    }

    /// The failure of a journal that could not record what stops trading.
    #[wasm_bindgen(js_name = suspensionNotKept)]
    pub fn suspension_not_kept(&self) -> JsValue {
        let now = self.guards.borrow().suspension();
        answer(self.own(Err(suspension_not_kept(now).into())))
    }

    /// The failure of a journal in a call outside of a trade.
    #[wasm_bindgen(js_name = journalFailed)]
    pub fn journal_failed(&self) -> JsValue {
        answer(self.own(Err(send_failure(Code::JournalFailed, "").into())))
    }

    /// Restores an unresolved trade from a journal.
    pub fn restore(&self, body: &str, started_ms: f64, now_ms: f64, args: &mut CallArgs) -> JsValue {
        // Only what the journal has as sent to a gateway is asked for there again: one that never got it would make it.
        answer(Journaled::read(args.tape().root(), body).map(|Journaled { trade, request }| {
            self.guards.borrow_mut().restore_unresolved(now_ms as u64, started_ms as u64, trade, &request);
            Tape::default()
        }))
    }

    /// Restores a landed trade from a journal without sums.
    #[wasm_bindgen(js_name = restoreLanded)]
    pub fn restore_landed(&self, body: &str, started_ms: f64, now_ms: f64, args: &mut CallArgs) -> JsValue {
        answer(self.journaled(args.tape().root(), body).map(|Journaled { trade, request }| {
            self.guards.borrow_mut().restore_landed(now_ms as u64, started_ms as u64, trade, &request);
            Tape::default()
        }))
    }

    /// Restores the id of a landed trade whose lamports are in the journal's sum.
    #[wasm_bindgen(js_name = restoreLandedId)]
    pub fn restore_landed_id(&self, intent_id: &str) {
        self.guards.borrow_mut().restore_landed_id(intent_id);
    }

    /// Restores a trade that a journal has as ended and that may have a transaction.
    #[wasm_bindgen(js_name = restoreEnded)]
    pub fn restore_ended(&self, body: &str, started_ms: f64, now_ms: f64, args: &mut CallArgs) {
        let (args, started_ms) = (args.tape(), started_ms as u64);
        let mut guards = self.guards.borrow_mut();
        match self.journaled(args.root(), body) {
            Ok(Journaled { trade, request }) => {
                let worst = guards.worst(started_ms, &request);
                let intent = Intent::new(trade, &request, started_ms, worst);
                if let Some(ended) = Ended::of(intent, call::settlement(args.root())) {
                    guards.restore_ended(now_ms as u64, ended);
                }
            }
            // Its transaction is not known, which does not block trades.
            Err(_) => guards.forget_ended(started_ms),
        }
    }

    /// Records that trades that began up to this time are not known: the journal does not keep them.
    #[wasm_bindgen(js_name = forgetEnded)]
    pub fn forget_ended(&self, up_to_ms: f64) {
        self.guards.borrow_mut().forget_ended(up_to_ms as u64);
    }

    /// The other trades that share a wallet with an unresolved one; null if not all of them are known.
    pub fn others(&self, intent_id: &str) -> JsValue {
        answer(Ok(self.guards.borrow().others(intent_id).to_tape()))
    }

    /// The ids of these, for [`has_more_others`](Self::has_more_others).
    #[wasm_bindgen(js_name = otherIds)]
    pub fn other_ids(&self, intent_id: &str) -> Option<Vec<String>> {
        self.guards.borrow().other_ids(intent_id)
    }

    /// Whether trades were added to those of these ids.
    #[wasm_bindgen(js_name = hasMoreOthers)]
    pub fn has_more_others(&self, intent_id: &str, known: Option<Vec<String>>) -> bool {
        has_more(known.as_deref(), self.guards.borrow().other_ids(intent_id).as_deref())
    }

    /// Restores a journal's sum of the lamports spent today, given as text; returns whether that is a number.
    #[wasm_bindgen(js_name = restoreSpent)]
    pub fn restore_spent(&self, lamports: &str, now_ms: f64) -> bool {
        let Ok(lamports) = lamports.parse() else { return false };
        self.guards.borrow_mut().restore_spent(now_ms as u64, lamports);
        true
    }

    /// Checks the word for what was found out about an unresolved trade, and returns it.
    pub fn found(&self, args: &mut CallArgs) -> JsValue {
        let args = args.tape();
        let found = call::text(args.root(), "found").and_then(Found::from_name);
        let found = found.ok_or_else(|| call::refused("found", "must be \"landed\" or \"did_not_land\""));
        answer(self.own(found).map(|found| found.to_tape()))
    }

    /// What records this about an unresolved trade; nothing if it is none, or somebody else records it.
    pub fn acknowledging(&self, intent_id: &str, found: &str) -> Option<SettlingFlow> {
        let settling = Settling::found(&mut self.guards.borrow_mut(), intent_id, Found::from_name(found)?)?;
        Some(self.flow_of(settling))
    }

    /// Whether waiting may settle a trade that is open for this reason.
    #[wasm_bindgen(js_name = mayPass)]
    pub fn may_pass(&self, reason: &str) -> bool {
        UnknownReason::from_name(reason).is_some_and(UnknownReason::may_pass)
    }

    /// The trades that the service has answered, and that the chain is to be asked about at this time; `early`, also those that nobody has
    /// asked about yet. Each is a list of the trade, what the service said, and the signature.
    pub fn answered(&self, now_ms: f64, early: bool) -> JsValue {
        answer(Ok(answers(self.guards.borrow().answered(now_ms as u64, early).iter())))
    }

    /// Those that their service only accepted, in the same form, until the chain has shown or denied them.
    pub fn accepted(&self) -> JsValue {
        answer(Ok(answers(self.guards.borrow().accepted())))
    }

    /// Whether so many wait that the oldest are not asked about: said once.
    #[wasm_bindgen(js_name = hasDroppedAnswered)]
    pub fn has_dropped_answered(&self) -> bool {
        self.guards.borrow_mut().has_dropped_answered()
    }

    /// How many milliseconds until the next of them is due, if one waits.
    #[wasm_bindgen(js_name = answeredNextMs)]
    pub fn answered_next_ms(&self, now_ms: f64) -> Option<f64> {
        self.guards.borrow().answered_next_ms(now_ms as u64).map(|ms| ms as f64)
    }

    /// Asks about none of them any more: the market knows no transactions.
    #[wasm_bindgen(js_name = forgetAnswered)]
    pub fn forget_answered(&self) {
        self.guards.borrow_mut().forget_answered();
    }

    /// What asks about one of them; without what its service has `said`, about a trade in doubt.
    pub fn settling(&self, intent_id: &str, started_ms: f64, said: Option<String>) -> SettlingFlow {
        let said = said.as_deref().and_then(IntentOutcome::from_name);
        self.flow_of(match said {
            Some(said) => Settling::answered(intent_id, started_ms as u64, said),
            None => Settling::in_doubt(intent_id, started_ms as u64),
        })
    }

    /// The unresolved trades.
    pub fn unresolved(&self, now_ms: f64) -> JsValue {
        let guards = self.guards.borrow();
        let unresolved = guards.state(now_ms as u64).unresolved.into_iter();
        answer(Ok(unresolved.map(|intent| self.shown(intent)).collect::<Vec<Intent>>().to_tape()))
    }

    /// The unresolved intent with this id, or null.
    #[wasm_bindgen(js_name = unresolvedOne)]
    pub fn unresolved_one(&self, intent_id: &str) -> JsValue {
        let guards = self.guards.borrow();
        answer(Ok(guards.unresolved(intent_id).map(|intent| self.shown(intent)).to_tape()))
    }

    /// How far the intent with this id is.
    #[wasm_bindgen(js_name = intentState)]
    pub fn intent_state(&self, intent_id: &str) -> String {
        self.guards.borrow().intent_state(intent_id).as_str().to_owned()
    }

    /// How the trade with this id ended; null if that is not known, or it has no transaction.
    pub fn ended(&self, intent_id: &str) -> JsValue {
        let guards = self.guards.borrow();
        let ended = guards.ended(intent_id);
        answer(Ok(ended.and_then(|ended| OtherTrade::of(&ended.intent, Some(ended))).to_tape()))
    }

    /// The guards as a panel shows them.
    pub fn guards(&self, now_ms: f64) -> JsValue {
        answer(Ok(self.guards.borrow().state(now_ms as u64).to_tape()))
    }

    /// Admits nothing; returns what a journal has to keep.
    pub fn halt(&self) -> JsValue {
        answer(Ok(self.guards.borrow_mut().halt().to_tape()))
    }

    /// Admits only sells; returns what a journal has to keep.
    pub fn reduce(&self) -> JsValue {
        answer(Ok(self.guards.borrow_mut().reduce().to_tape()))
    }

    /// Admits everything again; returns what a journal has to keep.
    pub fn resume(&self) -> JsValue {
        answer(Ok(self.guards.borrow_mut().resume().to_tape()))
    }
}

/// Each trade as a list of itself, what its service said, and the signature.
fn answers<'e>(ended: impl Iterator<Item = &'e Ended>) -> Tape {
    let answers = ended.map(|Ended { intent, outcome, signature, .. }| {
        [intent as &dyn ToTape, outcome, signature].to_tape()
    });
    answers.collect::<Vec<Tape>>().to_tape()
}

impl ClientCore {
    fn flow_of(&self, settling: Settling) -> SettlingFlow {
        SettlingFlow { settling: RefCell::new(settling), guards: self.guards.clone() }
    }

    /// An unresolved trade, for who settles it. A journal of one's own may not keep that it went to a gateway.
    fn shown(&self, intent: &Intent) -> Intent {
        let mut intent = intent.clone();
        intent.trade.through_gateway |= self.sending.terms.is_gateway();
        intent
    }

    /// A trade from a journal that has ended.
    fn journaled(&self, intent: Item, body: &str) -> Result<Journaled, Failure> {
        let mut read = Journaled::read(intent, body)?;
        read.trade.through_gateway |= self.sending.terms.is_gateway();
        Ok(read)
    }

    fn checked(&self, call: Item) -> Result<Valid<Request>, Failure> {
        let operation = call::operation(call)?;
        let request = call.get("request").unwrap_or_default();
        validate(operation, request, &self.sending.terms.dialect.rules)
            .map_err(|problems| Error::invalid_request(problems).into())
    }

    fn built(&self, call: Item) -> Result<Tape, Failure> {
        let (dialect, has_market) = (&self.sending.terms.dialect, self.sending.terms.has_market);
        let request = self.checked(call)?;
        let counted_by = request.is_in_base_units().then_some(dialect.rules.token_decimals);
        // Nothing is asked here, so what the market has not said yet stays unknown.
        let guards = self.guards.borrow();
        guards.check_decimals(request.operation, &request.mint, counted_by, has_market)?;
        let Call { body, .. } = encode(&request, dialect.rules.slippage_unit);
        Ok(Writer::around(body, &[&request.warnings()]))
    }

    fn planned(&self, call: Item, own: OwnOptions, of: &str) -> Result<Planned, Failure> {
        let OwnOptions { intent_id, before } = own;
        let request = self.checked(call)?;
        if let Some(problem) = before.as_deref().and_then(|before| stranger_in(before, &request)) {
            return Err(Failure::of_options(of, vec![problem]));
        }
        let intent_id = intent_id.or_else(|| call::text(call, "newId").map(str::to_owned));
        let trade = TradeIntent { before, ..intent_id.unwrap_or_default().as_str().into() };
        Ok(Planned::new(request, trade, &self.sending.terms.dialect.rules))
    }

    fn flow(&self, planned: Planned, timeout_ms: Option<u32>) -> TradeFlow {
        let timeout_ms = timeout_ms.unwrap_or(self.sending.timeout_ms);
        let flow = Flow::new(self.sending.terms.clone(), planned, timeout_ms);
        TradeFlow::new(flow, self.guards.clone(), timeout_ms, self.destination.is_simulated)
    }

    /// Adds to a failure whether this client trades in a sandbox.
    fn own<T>(&self, result: Result<T, Failure>) -> Result<T, Failure> {
        result.map_err(|failure| failure.simulated(self.destination.is_simulated))
    }

    fn begun(&self, call: Item) -> Result<TradeFlow, Failure> {
        let CallOptions { own, timeout_ms } = CallOptions::read(call)?;
        Ok(self.flow(self.planned(call, own, "call options")?, timeout_ms))
    }

    fn begun_plan(&self, call: Item) -> Result<TradeFlow, Failure> {
        let timeout_ms = CallOptions::read_timeout(call)?;
        let plan = Plan::read(call.get("plan").unwrap_or_default())?;
        let planned = plan.open(&self.destination, &self.sending.terms.dialect.rules)?;
        Ok(self.flow(planned, timeout_ms))
    }

    fn waiting(&self, call: Item) -> Result<TradeFlow, Failure> {
        let timeout_ms = CallOptions::read_timeout(call)?.unwrap_or(WAIT_FOR_MS);
        let intent_id = call::text(call, "intentId").unwrap_or_default();
        if let Some((_, what)) = intent_id_problem(intent_id) {
            return Err(call::refused("intentId", what));
        }
        if !self.sending.terms.is_gateway() {
            return Err(call::refused("gateway", "must be true: only a gateway remembers intents"));
        }
        let flow = WaitFor::new(self.sending.terms.clone(), intent_id.to_owned(), timeout_ms);
        Ok(TradeFlow::new(flow, self.guards.clone(), timeout_ms, self.destination.is_simulated))
    }

    fn made(&self, call: Item, priced: Item, now_ms: u64) -> Result<Plan, Failure> {
        let PlanOptions { own, valid_for_ms } = PlanOptions::read(call)?;
        let mut planned = self.planned(call, own, "plan options")?;
        if let Some(price) = priced.get("price").filter(|price| !price.is_null()) {
            planned = planned.priced(PlanPrice::of(&price));
        }
        // Where there is a market, only its own word counts.
        let is_own = matches!(priced.get("isOwn").map(Item::data), Some(Data::Bool(true)));
        if !(is_own && self.sending.terms.has_market) {
            planned.tell(&mut self.guards.borrow_mut());
        }
        Ok(planned.plan(&self.guards.borrow(), &self.destination, now_ms, valid_for_ms))
    }
}
