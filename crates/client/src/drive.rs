//! Carries out the steps of one trade's flow, and tells the flow what happened.

use std::future::{Future, poll_fn};
use std::pin::{Pin, pin};
use std::task::{Context, Poll, Waker};

use super::error::{TradeError, Traded};
use super::hooks::Note;
use super::journal::with_reason;
use super::market::Market;
use super::shared::{Shared, within};
use super::system::lock;
use super::transport::{BoxError, BoxFuture, Incoming, Transport, body_of};
use launchpad_desk::amount::SlippageUnit;
use launchpad_desk::api::endpoint::Operation;
use launchpad_desk::api::response::Trade;
use launchpad_desk::bindings::object;
use launchpad_desk::error::{Code, Error};
use launchpad_desk::intent::Settlement;
use launchpad_desk::tape::json;
use launchpad_desk::trade::flow::{
    Event, Lost, MARKET_RESTS_MS, Machine, NOTE_WITHIN_MS, Post, Step, Wait, market_rests,
};
use launchpad_desk::trade::guard::{Suspension, may_have_traded};
use launchpad_desk::trade::journal::TradeIntent;
use launchpad_desk::trade::plan::PlanPrice;
use launchpad_desk::trade::reconcile::WalletBalances;
use launchpad_desk::trade::{plain, send_failure};

/// One trade in flight. Dropping it aborts the trade: the guards are told, and so is the journal if it can record that without
/// waiting.
pub(super) struct Drive<'c, T: Transport, D> {
    shared: &'c Shared<T>,
    flow: Box<dyn Machine + Send>,
    timeout_ms: u32,
    stops: Stops<'c, D>,
    /// The event of a step that finished at the same moment as the trade was stopped.
    late: Option<Event>,
    /// A request that the transport prepares, and of which nothing is sent yet.
    preparing: Option<Post>,
    /// The quote that it is compared with once it has landed.
    quoted: Option<PlanPrice>,
}

/// What ends a trade from outside.
struct Stops<'c, D> {
    deadline: Pin<Box<D>>,
    abort: Option<BoxFuture<'c, ()>>,
    has_come: bool,
}

impl<D: Future<Output = ()>> Stops<'_, D> {
    fn poll(&mut self, context: &mut Context<'_>) -> Poll<Event> {
        let is_aborted = self.abort.as_mut().is_some_and(|abort| abort.as_mut().poll(context).is_ready());
        let is_over = is_aborted || self.deadline.as_mut().poll(context).is_ready();
        if !is_over {
            return Poll::Pending;
        }
        self.has_come = true;
        Poll::Ready(if is_aborted { Event::Abort } else { Event::Deadline })
    }
}

impl<'c, T: Transport, D: Future<Output = ()>> Drive<'c, T, D> {
    pub(super) fn new(
        shared: &'c Shared<T>,
        flow: impl Machine + Send + 'static,
        timeout_ms: u32,
        deadline: Pin<Box<D>>,
        abort: Option<BoxFuture<'c, ()>>,
    ) -> Self {
        let flow = Box::new(flow);
        let stops = Stops { deadline, abort, has_come: false };
        Drive { shared, flow, timeout_ms, stops, late: None, preparing: None, quoted: None }
    }

    /// The same, compared with this quote once it has landed.
    pub(super) fn quoted(mut self, quoted: Option<PlanPrice>) -> Self {
        self.quoted = quoted;
        self
    }

    pub(super) async fn run(mut self) -> Result<Traded, TradeError> {
        // A trade that is already aborted does not begin.
        let stop = poll_fn(|context| Poll::Ready(self.stops.poll(context))).await;
        let stop = match stop {
            Poll::Ready(stop) => Some(stop),
            Poll::Pending => self.price().await,
        };
        let mut step = self.tell(stop.unwrap_or(Event::Begin));
        let (mut reply, mut journal_threw) = (None, None);
        loop {
            let shared = self.shared;
            step = match step {
                Step::Recover => {
                    let intent = self.intent();
                    self.until(recover(shared, &intent, &mut journal_threw)).await
                }
                Step::Wait { ms, reason } => {
                    match &reason {
                        Wait::Turn => {}
                        Wait::Retry(code) => self.note(Note::TryingAgain(code)),
                        Wait::Answer(code) => self.note(Note::AskingAgain(*code)),
                    }
                    let woken = async {
                        shared.transport.sleep(ms).await;
                        Event::Woken
                    };
                    self.until(woken).await
                }
                Step::JournalBegin => {
                    let intent = self.intent();
                    let step = self.until(begin(shared, &intent, &mut journal_threw)).await;
                    if let Some(event) = self.late.take()
                        && let Step::JournalSettle(settlement) = self.tell(event)
                    {
                        // The caller has given up, so this is not waited for.
                        drop(poll_once(settle(shared, &intent, settlement, self.flow.suspension())));
                    }
                    step
                }
                Step::JournalSettle(settlement) => {
                    let intent = self.intent();
                    let settling = settle(shared, &intent, settlement, self.flow.suspension());
                    let (step, is_confirmed) = self.until_event(settling).await;
                    if !is_confirmed {
                        self.note(Note::EndNotConfirmed);
                    }
                    step
                }
                Step::AskKey => self.until(ask_key(shared)).await,
                Step::BeforeSend => {
                    let intent = self.intent();
                    let note_ms = NOTE_WITHIN_MS.min(self.timeout_ms.div_ceil(2));
                    self.until(before_send(shared, &intent, note_ms)).await
                }
                Step::Send(post) => {
                    self.note(Note::Sending);
                    match self.prepared(&post).await {
                        Ok(()) => {
                            let sent = async { answered(shared.transport.send(post).await, &mut reply) };
                            self.until(sent).await
                        }
                        Err(lost) => self.tell(Event::Lost(lost)),
                    }
                }
                Step::Get(get) => {
                    let asked = async { answered(shared.transport.get(get).await, &mut reply) };
                    self.until(asked).await
                }
                Step::Read { most } => self.until(read(&mut reply, most)).await,
                Step::AfterSettle(settlement) => {
                    let intent = self.intent();
                    let (step, has_ended) = self.until_event(after_settle(shared, &intent, settlement)).await;
                    if !has_ended {
                        self.note(Note::HookNotEnded);
                    }
                    step
                }
                Step::Done(result) => return self.ended(result, journal_threw),
                // The flow does not answer a step's own event with one of these. If it ever does, the trade
                // ends here.
                Step::Nothing | Step::Hurry | Step::Cancel => {
                    let error = send_failure(Code::NetworkError, "");
                    let intent_id = Some(self.intent_id().to_owned());
                    return Err(shared.own(TradeError { intent_id, ..error.into() }));
                }
            };
        }
    }

    /// The result, once it is told to the market and the hooks.
    fn ended(
        mut self,
        result: Result<Box<Trade>, Box<Error>>,
        journal_threw: Option<BoxError>,
    ) -> Result<Traded, TradeError> {
        let shared = self.shared;
        if let Some(settlement) = self.flow.settlement() {
            self.tell_market(&settlement);
            self.note(Note::Ended(settlement));
        }
        let (intent_id, warnings) = (self.intent_id().to_owned(), self.flow.warnings().to_vec());
        let is_simulated = shared.transport.destination().is_simulated || self.flow.is_answered_by_sandbox();
        match result {
            Ok(trade) => {
                if let Some(quoted) = self.quoted.take() {
                    let now_ms = shared.transport.now_ms();
                    lock(&shared.comparisons).landed(self.flow.intent(), quoted, &trade, now_ms);
                }
                let is_simulated = is_simulated || trade.is_simulated();
                Ok(Traded { trade: *trade, intent_id, warnings, is_simulated })
            }
            Err(error) => {
                let is_simulated = plain::is_simulated(Some(is_simulated), error.trade.as_deref());
                let error = TradeError { error, intent_id: Some(intent_id), warnings, is_simulated };
                let threw = journal_threw.filter(|_| error.code == Code::JournalFailed);
                Err(threw.into_iter().fold(error, |error, why| with_reason(error, &why)))
            }
        }
    }

    /// Asks for the price that a guard wants; returns what stopped the trade meanwhile. Without a price the guard refuses it.
    async fn price(&mut self) -> Option<Event> {
        let shared = self.shared;
        if !self.flow.wants_price(&lock(&shared.guards), shared.transport.now_ms()) {
            return None;
        }
        let intent = self.intent();
        let mut asked = pin!(price_for_guards(shared, &intent, self.flow.slippage_unit()));
        let price = poll_fn(|context| match asked.as_mut().poll(context) {
            Poll::Ready(price) => Poll::Ready(Ok(price)),
            Poll::Pending => self.stops.poll(context).map(Err),
        });
        match price.await {
            Err(stop) => return Some(stop),
            Ok(Ok(None)) => {}
            Ok(Ok(Some(price))) => {
                let now_ms = shared.transport.now_ms();
                self.flow.priced(&mut lock(&shared.guards), &price, now_ms);
                if intent.operation.is_buy() {
                    self.quoted = lock(&shared.comparisons).wanted(Some(&price));
                }
            }
            Ok(Err(why)) => self.note(Note::Failed(Code::NoPrice, &why)),
        }
        None
    }

    /// Prepares a request. What stops the trade meanwhile comes first: nothing is sent after it.
    async fn prepared(&mut self, post: &Post) -> Result<(), Lost> {
        let shared = self.shared;
        self.preparing = Some(post.clone());
        let mut preparing = pin!(shared.transport.prepare(post));
        let prepared = poll_fn(|context| match preparing.as_mut().poll(context) {
            Poll::Ready(Err(lost)) => Poll::Ready(Err(lost)),
            prepared => match self.stops.poll(context) {
                Poll::Ready(stop) => Poll::Ready(Ok(Some(stop))),
                Poll::Pending => prepared.map_ok(|()| None),
            },
        });
        let stop = prepared.await;
        self.preparing = None;
        let stop = stop?;
        let is_stopped = stop.map(|stop| self.tell(stop)).is_some();
        shared.obey_outside_mode();
        if !is_stopped && self.flow.may_send(&lock(&shared.guards), shared.transport.now_ms()) {
            return Ok(());
        }
        shared.transport.cancel(post);
        Err(Lost::Unsent("ECANCELED".to_owned()))
    }

    /// For the journal and the hooks. The flow goes on while they have it, so it is a copy.
    fn intent(&self) -> TradeIntent {
        self.flow.intent().clone()
    }

    fn intent_id(&self) -> &str {
        &self.flow.intent().intent_id
    }

    fn note(&self, note: Note<'_>) {
        self.shared.note(self.intent_id(), note);
    }

    fn tell(&mut self, event: Event) -> Step {
        self.shared.obey_outside_mode();
        let now_ms = self.shared.transport.now_ms();
        self.flow.next(&mut lock(&self.shared.guards), now_ms, event)
    }

    async fn until(&mut self, work: impl Future<Output = Event>) -> Step {
        self.until_event(work).await.0
    }

    /// Waits for a step's event or for a stop, and reports it to the flow. After a stop, the step is polled
    /// once more. If both have come, the stop is reported first, so that nothing is sent after it. Returns
    /// the next step, and whether the step's own event came.
    async fn until_event(&mut self, work: impl Future<Output = Event>) -> (Step, bool) {
        let mut work = pin!(work);
        let event = poll_fn(|context| match work.as_mut().poll(context) {
            Poll::Ready(event) => Poll::Ready(event),
            Poll::Pending if self.stops.has_come => Poll::Ready(Event::MomentOver),
            Poll::Pending => self.stops.poll(context),
        });
        let event = event.await;
        let is_own = !matches!(event, Event::Deadline | Event::Abort | Event::MomentOver);
        if is_own && !self.stops.has_come {
            let stop = poll_fn(|context| Poll::Ready(self.stops.poll(context))).await;
            let Poll::Ready(stop) = stop else { return (self.tell(event), true) };
            return match self.tell(stop) {
                Step::Cancel | Step::Hurry | Step::Nothing => (self.tell(event), true),
                step => {
                    self.late = Some(event);
                    (step, true)
                }
            };
        }
        match self.tell(event) {
            // Nothing, if the flow has found out by itself that it is too late.
            Step::Cancel | Step::Hurry | Step::Nothing => {
                let last = poll_fn(|context| Poll::Ready(work.as_mut().poll(context))).await;
                let is_own = last.is_ready();
                let event = match last {
                    Poll::Ready(event) => event,
                    Poll::Pending => Event::MomentOver,
                };
                (self.tell(event), is_own)
            }
            step => (step, is_own),
        }
    }
}

/// What guards want to know: of a buy its price, of a sell only its token's decimals, which no trade changes.
async fn price_for_guards<T: Transport>(
    shared: &Shared<T>,
    intent: &TradeIntent,
    slippage_unit: SlippageUnit,
) -> Result<Option<PlanPrice>, BoxError> {
    if let Some(market) = shared.market.as_ref().filter(|_| !intent.operation.is_buy())
        && let Some(decimals) = market.decimals_of(&intent.request()?.mint).await?
    {
        let rules = object! { "tokenDecimals": u64::from(decimals) };
        return Ok(Some(PlanPrice::of(&object! { "curve": object! { "launchpad": rules } })));
    }
    price_of(shared, intent.operation, &intent.body, slippage_unit).await
}

/// What a body would do now, by the market, or by a transport that knows prices.
pub(super) async fn price_of<T: Transport>(
    shared: &Shared<T>,
    operation: Operation,
    body: &str,
    slippage_unit: SlippageUnit,
) -> Result<Option<PlanPrice>, BoxError> {
    match &shared.market {
        Some(market) => market.quote_body(operation, body, slippage_unit).await.map(Some),
        None => {
            let body = json::parse(body.as_bytes()).unwrap_or_default();
            Ok(shared.transport.price(operation, body.root())?)
        }
    }
}

async fn recover<T: Transport>(
    shared: &Shared<T>,
    intent: &TradeIntent,
    threw: &mut Option<BoxError>,
) -> Event {
    match shared.recovered().await {
        Ok(()) => Event::Recovered,
        Err(why) => {
            shared.note(&intent.intent_id, Note::Failed(Code::JournalFailed, &why));
            *threw = Some(why);
            Event::JournalFailed
        }
    }
}

async fn begin<T: Transport>(
    shared: &Shared<T>,
    intent: &TradeIntent,
    threw: &mut Option<BoxError>,
) -> Event {
    let Some(journal) = &shared.journal else { return Event::JournalFailed };
    match journal.begin(intent).await {
        Ok(()) => Event::Journaled,
        Err(why) => {
            shared.note(&intent.intent_id, Note::Failed(Code::JournalFailed, &why));
            *threw = Some(why);
            Event::JournalFailed
        }
    }
}

async fn settle<T: Transport>(
    shared: &Shared<T>,
    intent: &TradeIntent,
    settlement: Settlement,
    suspension: Suspension,
) -> Event {
    let Some(journal) = &shared.journal else { return Event::JournalFailed };
    match journal.settle(intent, settlement, suspension).await {
        Ok(()) => Event::Journaled,
        Err(why) => {
            shared.note(&intent.intent_id, Note::EndNotRecorded(&why));
            Event::JournalFailed
        }
    }
}

async fn ask_key<T: Transport>(shared: &Shared<T>) -> Event {
    let Some(ask) = &shared.ask_key else { return Event::KeyFailed };
    // The reason is not reported: it may contain the key.
    ask().await.map_or(Event::KeyFailed, Event::Key)
}

/// Asks the market what the wallets hold, then runs the hook: a check in it is the last before the request. If it returned balances, they
/// replace those of the market.
async fn before_send<T: Transport>(shared: &Shared<T>, intent: &TradeIntent, note_ms: u32) -> Event {
    let noted = match shared.market.as_ref().filter(|_| intent.before.is_none()) {
        None => None,
        Some(market) => noted(shared, market.as_ref(), intent, note_ms)
            .await
            .map_err(|why| shared.note(&intent.intent_id, Note::MarketSilent(&why)))
            .ok(),
    };
    let own = match &shared.hooks {
        None => None,
        Some(hooks) => match hooks.before_send(intent).await {
            Ok(own) => own,
            Err(why) => {
                shared.note(&intent.intent_id, Note::Failed(Code::HookFailed, &why));
                return Event::HookFailed;
            }
        },
    };
    own.or(noted).map_or(Event::HookPassed, Event::HookSaw)
}

/// What the wallets hold, by the market, which is asked twice if its first answer is an error. A sale must not wait for a node.
async fn noted<T: Transport>(
    shared: &Shared<T>,
    market: &dyn Market,
    intent: &TradeIntent,
    note_ms: u32,
) -> Result<Vec<WalletBalances>, BoxError> {
    let rests_until_ms = &shared.market_rests_until_ms;
    if market_rests(*lock(rests_until_ms), shared.transport.now_ms()) {
        return Err("the market did not answer an earlier trade, and is left alone for a while".into());
    }
    let asked = async {
        match market.before(intent).await {
            Ok(seen) => Ok(seen),
            Err(_) => market.before(intent).await,
        }
    };
    within(shared.transport.sleep(note_ms), asked).await.unwrap_or_else(|| {
        *lock(rests_until_ms) = shared.transport.now_ms().saturating_add(MARKET_RESTS_MS);
        Err(format!("the market has not answered within {note_ms} ms").into())
    })
}

fn answered<R: Incoming>(answer: Result<R, Lost>, reply: &mut Option<R>) -> Event {
    match answer {
        Ok(answer) => Event::Answered(reply.insert(answer).head()),
        Err(lost) => Event::Lost(lost),
    }
}

async fn read(reply: &mut Option<impl Incoming>, most: u32) -> Event {
    let Some(reply) = reply else { return Event::Lost(Lost::Broken(String::new())) };
    match body_of(reply, most).await {
        Ok(body) => Event::Body(body),
        Err(lost) => Event::Lost(lost),
    }
}

async fn after_settle<T: Transport>(
    shared: &Shared<T>,
    intent: &TradeIntent,
    settlement: Settlement,
) -> Event {
    if let Some(hooks) = &shared.hooks {
        hooks.after_settle(intent, settlement).await;
    }
    Event::HookEnded
}

impl<T: Transport, D> Drive<'_, T, D> {
    /// What the market has read before a trade that may have a transaction decides nothing any more.
    fn tell_market(&self, settlement: &Settlement) {
        if let Some(market) = self.shared.market.as_ref().filter(|_| may_have_traded(settlement)) {
            market.traded(self.flow.intent(), settlement.signature.as_deref());
        }
    }
}

impl<T: Transport, D> Drop for Drive<'_, T, D> {
    fn drop(&mut self) {
        if self.flow.is_done() {
            return;
        }
        let shared = self.shared;
        let mut event = Event::Abort;
        loop {
            let now_ms = shared.transport.now_ms();
            let step = self.flow.next(&mut lock(&shared.guards), now_ms, event);
            let (intent, suspension) = (self.flow.intent(), self.flow.suspension());
            event = Event::MomentOver;
            match step {
                Step::Done(_) | Step::Nothing => break,
                Step::Cancel => {
                    if let Some(post) = self.preparing.take() {
                        shared.transport.cancel(&post);
                        event = Event::Lost(Lost::Unsent(String::new()));
                    }
                }
                Step::JournalSettle(settlement) => {
                    drop(poll_once(settle(shared, intent, settlement, suspension)))
                }
                Step::AfterSettle(settlement) => drop(poll_once(after_settle(shared, intent, settlement))),
                _ => {}
            }
        }
        if let Some(settlement) = self.flow.settlement() {
            self.tell_market(&settlement);
        }
    }
}

fn poll_once<F: Future>(work: F) -> Option<F::Output> {
    match pin!(work).poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(output) => Some(output),
        Poll::Pending => None,
    }
}
