//! Carries out the exits of a position: looks at the market, sends what is ordered, and finds out what became of it. It decides nothing.

use std::collections::VecDeque;
use std::fmt;
use std::future::{Future, poll_fn};
use std::pin::pin;
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll, Waker};
use std::time::Duration;

use super::Client;
use super::error::TradeError;
use super::market::MarketError;
use super::shared::{lock, whole_ms, within};
#[cfg(not(target_arch = "wasm32"))]
use super::transport::MaybeSend;
use super::transport::{BoxError, BoxFuture, Transport};
use super::watch::{ExitLook, Looks};
#[cfg(feature = "chain")]
use crate::chain::wallets::NoAddress;
use crate::error::{FieldCode, FieldError, Warning, WarningCode};
use crate::evidence::Seen;
use crate::intent::{IntentOutcome, IntentState};
use crate::launchpad::receipt::Reported;
use crate::strategy::manage::{
    ASK_EVERY_MS, CHECK_MS, ExitHappening, RECEIVED_SOON_MS, RECEIVED_WITHIN_MS, confirmed_outcome,
    found_outcome, is_lasting, other_decimals, outcome_of_sell, recalled_outcome, tokens_of_sell,
};
use crate::strategy::{
    ExitOrder, ExitPlan, ExitPosition, ExitState, Tick, corrected, correction, next, settled,
};
use crate::tape::ToTape;
use crate::trade::guard::Found;
use crate::trade::journal::EndedTrade;
use crate::trade::plan::PlanRefusal;

/// Keeps a state.
#[cfg(not(target_arch = "wasm32"))]
type Save = Box<dyn Fn(&ExitState) -> BoxFuture<'static, Result<(), BoxError>> + Send + Sync>;
/// Keeps a state.
#[cfg(target_arch = "wasm32")]
type Save = Box<dyn Fn(&ExitState) -> BoxFuture<'static, Result<(), BoxError>>>;

/// What happened to an exit.
#[derive(Debug)]
#[non_exhaustive]
pub struct ExitEvent {
    /// What happened.
    pub what: ExitHappening,
    /// The order; `None` if it is about none.
    pub order: Option<ExitOrder>,
    /// Why, where the client or the market failed: of an order mostly a [`TradeError`].
    pub error: Option<BoxError>,
    /// Base units that the order has sold, by its transaction or, until that is shown, by the reply. Of [`Over`](ExitHappening::Over), all that
    /// were sold. `None` where it is not known.
    pub sold_tokens: Option<u64>,
    /// Lamports that the order has brought, by its transaction: after every fee that the wallet paid, without rent; below zero for one that
    /// failed and paid its network fee. A reply has none, so it is `None` until the client's market shows it: then
    /// [`Received`](ExitHappening::Received) says it. Of [`Over`](ExitHappening::Over), all that was received: less the position's
    /// `cost_lamports`, it is the profit. `None` if it is not known of all.
    pub received_lamports: Option<i128>,
}

/// A sell that has ended, and of which the market does not show yet what it brought.
struct Unshown {
    order: ExitOrder,
    /// How often it was asked about, and when last.
    asked: u32,
    asked_ms: Option<u64>,
    /// Since when nothing is left to sell.
    over_ms: Option<u64>,
}

/// Why exits are not carried out.
#[derive(Debug)]
#[non_exhaustive]
pub enum ManageError {
    /// The plan, the position or the kept state cannot be used, the time of the position does not fit that of the look, or the client counts
    /// the token by other decimals: every bad field, by path.
    Invalid(Vec<FieldError>),
    /// The client's limits would refuse every order: by slippage, priority fee, mint or wallet.
    AlwaysRefused(Box<PlanRefusal>),
    /// The state could not be kept. An order that it was for is not sent.
    NotSaved(BoxError),
    /// The journal failed.
    Journal(TradeError),
}

impl fmt::Display for ManageError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ManageError::Invalid(problems) => {
                f.write_str("the exits cannot be used")?;
                for (at, problem) in problems.iter().enumerate() {
                    write!(f, "{}{}", if at == 0 { ": " } else { "; " }, problem.message)?;
                }
                Ok(())
            }
            ManageError::AlwaysRefused(refused) => {
                write!(f, "the client would refuse every order of these exits: {}", refused.message)
            }
            ManageError::NotSaved(why) => write!(f, "the state of the exits was not kept: {why}"),
            ManageError::Journal(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for ManageError {}

impl From<TradeError> for ManageError {
    fn from(error: TradeError) -> Self {
        ManageError::Journal(error)
    }
}

/// Pauses exits, and closes their position, while a loop carries them out. Clones are for the same exits.
#[derive(Clone, Default)]
pub struct ExitControls(Arc<Mutex<Asked>>);

/// What a person has asked for since the last look.
#[derive(Default)]
struct Asked {
    paused: Option<bool>,
    closing: bool,
    waker: Option<Waker>,
}

/// Shows none of its contents.
impl fmt::Debug for ExitControls {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ExitControls")
    }
}

impl ExitControls {
    /// Orders nothing from the next look on, until [`resume`](ExitControls::resume). Prices are still followed, what is in flight is still
    /// settled, and [`close_now`](ExitControls::close_now) works.
    pub fn pause(&self) {
        lock(&self.0).paused = Some(true);
    }

    /// Orders again.
    pub fn resume(&self) {
        lock(&self.0).paused = Some(false);
    }

    /// Sells everything that is left at the next look, paused or not. [`Managed::next`] takes that look at once.
    pub fn close_now(&self) {
        let waker = {
            let mut asked = lock(&self.0);
            asked.closing = true;
            asked.waker.take()
        };
        if let Some(waker) = waker {
            waker.wake();
        }
    }

    /// Gives the state what was asked for; returns whether anything was.
    fn tell(&self, state: &mut ExitState) -> bool {
        let (paused, closing) = {
            let mut asked = lock(&self.0);
            (asked.paused.take(), std::mem::take(&mut asked.closing))
        };
        match paused {
            Some(true) => state.pause(),
            Some(false) => state.resume(),
            None => {}
        }
        if closing {
            state.close_now();
        }
        paused.is_some() || closing
    }

    /// Ready once everything is to be sold.
    fn poll_closing(&self, context: &Context<'_>) -> Poll<()> {
        let mut asked = lock(&self.0);
        if asked.closing {
            return Poll::Ready(());
        }
        asked.waker = Some(context.waker().clone());
        Poll::Pending
    }
}

impl<T: Transport> Client<T> {
    /// Carries out the exits of a position: a loop of `managed.next().await` looks at the market again and again, and sells what the plan
    /// asks for, until nothing is left. Each order has an intent id that follows from the position and the rung, so with a journal none is
    /// sold twice, whatever is lost or restarted. What a `market` is looked at for is the price and what the wallet holds; how an exit of
    /// unknown outcome ended is asked of the client's own [market](super::ClientBuilder::market).
    ///
    /// ```
    /// use launchpad_desk::client::SandboxTransport;
    /// use launchpad_desk::prelude::*;
    /// use launchpad_desk::strategy::ExitPlan;
    /// # fn block_on<F: Future>(work: F) -> F::Output {
    /// #     let mut work = std::pin::pin!(work);
    /// #     let mut context = std::task::Context::from_waker(std::task::Waker::noop());
    /// #     loop {
    /// #         if let std::task::Poll::Ready(output) = work.as_mut().poll(&mut context) { return output }
    /// #     }
    /// # }
    /// # block_on(async {
    /// let market = SandboxTransport::new(Sandbox::new(SandboxConfig::default()).unwrap());
    /// let (mint, wallet) = {
    ///     let sandbox = market.sandbox();
    ///     (sandbox.tokens()[0].mint.clone(), sandbox.wallets()[0].wallet.clone())
    /// };
    /// let client = Client::builder(market.clone()).market(market.clone()).build().unwrap();
    /// client.buy(BuyRequest::new(&mint, &wallet, 1_000_000_000)).intent_id("signal-1").await.unwrap();
    ///
    /// let position = client.position_of("signal-1").await.unwrap();
    /// let exits = ExitPlan {
    ///     stop_loss: Some("0.99x".parse().unwrap()),
    ///     slippage: Some("5%".parse().unwrap()),
    ///     ..ExitPlan::default()
    /// };
    /// let mut managed = client.manage(position, exits, market.clone());
    /// while let Some(event) = managed.next().await {
    ///     println!("{}", event.unwrap().what.as_str()); // ordered, landed, over
    /// }
    /// assert!(market.sandbox().wallets()[0].token_accounts.is_empty());
    /// # });
    /// ```
    pub fn manage<M: Looks>(&self, position: ExitPosition, exits: ExitPlan, market: M) -> Managed<T, M> {
        Managed::new(self.clone(), ExitState::open(exits, position), market)
    }
}

/// The exits of a position, carried out by a client: [`Client::manage`] makes it. Call [`next`](Managed::next) in a loop, or
/// [`tick`](Managed::tick) in a loop of your own. Dropped in the middle of an order, that order is in doubt, as after a crash.
pub struct Managed<T, M> {
    client: Client<T>,
    market: M,
    state: ExitState,
    /// The plan and the position that were given, where a kept state has its own.
    given: Option<(ExitPlan, ExitPosition)>,
    replaces_plan: bool,
    save: Option<Save>,
    every_ms: u32,
    timeout_ms: u32,
    controls: ExitControls,
    is_recalled: bool,
    /// The state that was saved.
    saved: Option<ExitState>,
    /// The state whose news were told.
    told: Option<ExitState>,
    /// The intent that this client has last known to be in doubt.
    doubted: Option<String>,
    /// When the last look was.
    at_ms: Option<u64>,
    /// What comes of asking the client's market.
    asking: Option<BoxFuture<'static, Result<(), MarketError>>>,
    /// When it was last asked.
    asked_ms: Option<u64>,
    /// The sells of which it is not known yet what they brought.
    unshown: Vec<Unshown>,
    /// Base units that all sells have sold, and what that brought; `None` if it is not known of all.
    received: Option<(u64, i128)>,
    /// What was not told yet.
    events: VecDeque<ExitEvent>,
    /// When the next look is due.
    due_ms: Option<u64>,
}

/// Shows only the position.
impl<T, M> fmt::Debug for Managed<T, M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Managed({})", self.state.position.id)
    }
}

impl<T, M> Managed<T, M> {
    pub(super) fn new(client: Client<T>, state: ExitState, market: M) -> Self {
        Managed {
            client,
            market,
            state,
            given: None,
            replaces_plan: false,
            save: None,
            every_ms: 1_000,
            timeout_ms: 10_000,
            controls: ExitControls::default(),
            is_recalled: false,
            saved: None,
            told: None,
            doubted: None,
            at_ms: None,
            asking: None,
            asked_ms: None,
            unshown: Vec::new(),
            received: None,
            events: VecDeque::new(),
            due_ms: None,
        }
    }

    /// Goes on with a state of this position that was kept, which must have this plan: see [`replace_plan`](Managed::replace_plan). Without
    /// it, the journal says what of the position was sold.
    #[must_use]
    pub fn kept(self, state: ExitState) -> Self {
        let ExitState { plan, position, .. } = self.state;
        Managed { given: Some((plan, position)), state, ..self }
    }

    /// Replaces the plan of the [kept](Managed::kept) state by the one that was given. What has acted, or is in doubt, stays as it was.
    /// Without this, another plan is refused at the first look.
    ///
    /// ```
    /// use launchpad_desk::client::{Client, Looks, Transport};
    /// use launchpad_desk::strategy::{ExitPlan, ExitPosition, ExitState};
    ///
    /// # async fn run<T: Transport + 'static>(client: Client<T>, position: ExitPosition, kept: ExitState, market: impl Looks) {
    /// let tighter = ExitPlan { stop_loss: Some("0.9x".parse().unwrap()), ..kept.plan.clone() };
    /// let managed = client.manage(position, tighter, market).kept(kept).replace_plan();
    /// # }
    /// ```
    #[must_use]
    pub fn replace_plan(self) -> Self {
        Managed { replaces_plan: true, ..self }
    }

    /// Keeps the state: it is called, and waited for, before each order is sent and whenever the state has changed otherwise. If it fails
    /// before an order is sent, the order is not sent.
    ///
    /// ```
    /// use launchpad_desk::client::{BoxError, Client, Looks, Transport};
    /// use launchpad_desk::strategy::{ExitPlan, ExitPosition};
    /// use launchpad_desk::tape::{ToTape, json};
    ///
    /// # async fn run<T: Transport + 'static>(client: Client<T>, position: ExitPosition, exits: ExitPlan, market: impl Looks) {
    /// let managed = client.manage(position, exits, market).save(|state| {
    ///     let text = json::write(&state.to_tape());
    ///     // A kill leaves the old state or the new one, never half of one.
    ///     let written = std::fs::write("signal-1.new", text).and_then(|()| std::fs::rename("signal-1.new", "signal-1.json"));
    ///     async move { written.map_err(BoxError::from) }
    /// });
    /// # }
    /// ```
    #[cfg(not(target_arch = "wasm32"))]
    #[must_use]
    pub fn save<F, W>(self, save: F) -> Self
    where
        F: Fn(&ExitState) -> W + Send + Sync + 'static,
        W: Future<Output = Result<(), BoxError>> + MaybeSend + 'static,
    {
        Managed { save: Some(Box::new(move |state| Box::pin(save(state)))), ..self }
    }

    /// Keeps the state: it is called, and waited for, before each order is sent and whenever the state has changed otherwise. If it fails
    /// before an order is sent, the order is not sent.
    #[cfg(target_arch = "wasm32")]
    #[must_use]
    pub fn save<F, W>(self, save: F) -> Self
    where
        F: Fn(&ExitState) -> W + 'static,
        W: Future<Output = Result<(), BoxError>> + 'static,
    {
        Managed { save: Some(Box::new(move |state| Box::pin(save(state)))), ..self }
    }

    /// How long [`next`](Managed::next) waits between two looks. Default: 1 s.
    #[must_use]
    pub fn every(self, every: Duration) -> Self {
        Managed { every_ms: whole_ms(every), ..self }
    }

    /// How long a look may take: then nothing is decided (`no_look`), and the next tick looks again. Default: 10 s.
    #[must_use]
    pub fn timeout(self, timeout: Duration) -> Self {
        Managed { timeout_ms: whole_ms(timeout), ..self }
    }

    /// What pauses these exits, and closes their position, from elsewhere.
    pub fn controls(&self) -> ExitControls {
        self.controls.clone()
    }

    /// How far they are.
    pub fn state(&self) -> &ExitState {
        &self.state
    }

    fn say(&mut self, what: ExitHappening, order: Option<&ExitOrder>, error: Option<BoxError>) {
        let order = order.cloned();
        self.events.push_back(ExitEvent { what, order, error, sold_tokens: None, received_lamports: None });
    }

    /// The order of this id has ended so, and has sold so many base units, if that is known.
    fn settled(&mut self, intent_id: &str, outcome: IntentOutcome, at_ms: u64, tokens: Option<u64>) {
        self.state = settled(self.state.clone(), intent_id, outcome, at_ms, tokens);
    }

    async fn save_state(&mut self) -> Result<(), ManageError> {
        let state = self.state.clone();
        if let Some(save) = &self.save {
            save(&state).await.map_err(ManageError::NotSaved)?;
        }
        self.saved = Some(state);
        Ok(())
    }

    /// Says what has changed since that was said last.
    fn tell_news(&mut self) {
        let told = self.told.replace(self.state.clone()).unwrap_or_else(|| self.state.untold());
        for (what, why) in self.state.news_since(&told) {
            self.say(what, None, why.map(BoxError::from));
            if what == ExitHappening::Over
                && let Some((last, (sold, received))) = self.events.back_mut().zip(self.received)
            {
                (last.sold_tokens, last.received_lamports) = (Some(sold), Some(received));
            }
        }
    }

    /// Orders nothing until [`resume`](Managed::resume). Prices are still followed, what is in flight is still settled, and
    /// [`close_now`](Managed::close_now) works.
    ///
    /// # Errors
    ///
    /// [`ManageError::NotSaved`]: it waits, but would not after a restart.
    pub async fn pause(&mut self) -> Result<(), ManageError> {
        self.state.pause();
        self.save_state().await
    }

    /// Orders again.
    ///
    /// # Errors
    ///
    /// [`ManageError::NotSaved`]: it goes on, but would not after a restart.
    pub async fn resume(&mut self) -> Result<(), ManageError> {
        self.state.resume();
        self.save_state().await
    }

    /// Sells everything that is left at the next look, paused or not.
    ///
    /// # Errors
    ///
    /// [`ManageError::NotSaved`]: it does so, but would not after a restart.
    pub async fn close_now(&mut self) -> Result<(), ManageError> {
        self.controls.close_now();
        self.controls.tell(&mut self.state);
        self.due_ms = None;
        self.save_state().await
    }
}

impl<T: Transport + 'static, M: Looks> Managed<T, M> {
    /// What happens next: it looks at the market again and again, and sends what the plan asks for. `None` once nothing is left to sell.
    /// After an error it may be called again.
    ///
    /// # Errors
    ///
    /// As [`tick`](Managed::tick).
    pub async fn next(&mut self) -> Option<Result<ExitEvent, ManageError>> {
        loop {
            if let Some(event) = self.events.pop_front() {
                return Some(Ok(event));
            }
            if self.is_recalled && self.state.is_over() && self.unshown.is_empty() {
                return None;
            }
            self.wait().await;
            let looked = self.look().await;
            self.due_ms = Some(self.now_ms().saturating_add(self.every_ms.into()));
            if let Err(error) = looked {
                return Some(Err(error));
            }
        }
    }

    /// Takes one look at the market, sends what it asks for, and returns what happened, once all of that has ended.
    ///
    /// # Errors
    ///
    /// [`ManageError`]. At the first look, if the plan or the position cannot be used, or if the client's limits would refuse every order.
    pub async fn tick(&mut self) -> Result<Vec<ExitEvent>, ManageError> {
        // After an error, what was not told yet comes first.
        self.look().await?;
        Ok(self.events.drain(..).collect())
    }

    /// Says how the order that is in doubt ended, where nothing else can prove it. An order that did not land may then be sent again, under
    /// a new id. Returns whether an order was in doubt.
    ///
    /// # Errors
    ///
    /// [`ManageError::NotSaved`], [`ManageError::Journal`].
    pub async fn acknowledge(&mut self, found: Found) -> Result<bool, ManageError> {
        let waits = self.state.order.as_ref();
        let Some((intent_id, outcome)) =
            waits.and_then(|order| Some((order.intent_id.clone(), order.outcome?)))
        else {
            return Ok(false);
        };
        if outcome == IntentOutcome::Unknown {
            self.client.acknowledge(&intent_id, found).await?;
        }
        self.settled(&intent_id, found.into(), self.at_ms.unwrap_or(self.now_ms()), None);
        self.save_state().await?;
        Ok(true)
    }

    fn now_ms(&self) -> u64 {
        self.client.shared.transport.now_ms()
    }

    /// Waits until the next look is due, or everything is to be sold.
    async fn wait(&mut self) {
        let left = self.due_ms.map_or(0, |due_ms| due_ms.saturating_sub(self.now_ms()));
        // The clock may have been set back.
        let left = left.min(self.every_ms.into());
        // Once all is sold, only what that has brought is still missing.
        let left = if self.state.is_over() { left.min(ASK_EVERY_MS) } else { left } as u32;
        if left == 0 {
            return;
        }
        let client = &self.client;
        let mut slept = pin!(client.shared.transport.sleep(left));
        let controls = &self.controls;
        poll_fn(|context| match controls.poll_closing(context) {
            Poll::Ready(()) => Poll::Ready(()),
            Poll::Pending => slept.as_mut().poll(context),
        })
        .await;
    }

    async fn look(&mut self) -> Result<(), ManageError> {
        if !self.is_recalled {
            self.recall().await?;
            self.is_recalled = true;
            self.told = Some(self.state.untold());
        }
        self.correct().await?;
        // What the wallet does not hold any more may come back.
        if self.state.is_over() && self.state.gone.is_none() {
            self.tell_rest().await;
            return Ok(());
        }
        let (mint, wallet) = (self.state.position.mint.clone(), self.state.position.wallet.clone());
        let wallets = [wallet];
        let looked = in_time(&self.client, self.timeout_ms, self.market.look_at(&mint, &wallets)).await;
        let looked = looked.unwrap_or_else(|| {
            Err(format!("the market has not answered within {} ms", self.timeout_ms).into())
        });
        match looked {
            Err(why) => {
                self.say(ExitHappening::NoLook, None, Some(why));
                self.take_wishes().await?;
                self.settle(None, self.at_ms.unwrap_or(self.now_ms())).await?;
            }
            Ok(look) => {
                let seen = M::for_exits(&look, &mint, &wallets[0]);
                let at_ms = seen.at_ms.unwrap_or(self.now_ms());
                self.at_ms = Some(at_ms);
                self.settle(seen.wallet_tokens, at_ms).await?;
                match self.market.stale() {
                    Some(why) => {
                        self.say(ExitHappening::NoLook, None, Some(why));
                        self.take_wishes().await?;
                    }
                    None => self.decide(&seen, at_ms).await?,
                }
            }
        }
        self.tell_rest().await;
        Ok(())
    }

    /// Says what sells have brought, and what is new. That it is over is told last.
    async fn tell_rest(&mut self) {
        let is_over = self.state.is_over();
        let mut at = 0;
        while at < self.unshown.len() {
            let (is_due, waiting) = (self.is_due(at, is_over), self.unshown.len());
            if is_due {
                self.receive(at, is_over).await;
                // The next look does not wait for several.
                if !is_over {
                    break;
                }
            }
            at += usize::from(self.unshown.len() == waiting);
        }
        if !is_over || self.unshown.is_empty() {
            self.tell_news();
        }
    }

    /// Whether the market is to be asked now what the sell at this place has brought: ever more seldom while the position is protected.
    fn is_due(&mut self, at: usize, is_over: bool) -> bool {
        let now_ms = self.now_ms();
        let Some(one) = self.unshown.get_mut(at) else { return false };
        if is_over {
            one.over_ms.get_or_insert(now_ms);
        }
        let pause_ms = ASK_EVERY_MS << if is_over { 0 } else { one.asked.min(4) };
        // A clock that was set back does not make it wait.
        one.asked_ms.is_none_or(|asked_ms| now_ms.abs_diff(asked_ms) >= pause_ms)
    }

    /// Says what the sell at this place has brought, if the market shows it. Then, or if it never will, it is not asked about any more.
    async fn receive(&mut self, at: usize, is_over: bool) {
        let now_ms = self.now_ms();
        let Some(one) = self.unshown.get_mut(at) else { return };
        (one.asked, one.asked_ms) = (one.asked.saturating_add(1), Some(now_ms));
        let may_come = one.over_ms.is_none_or(|over_ms| now_ms.abs_diff(over_ms) < RECEIVED_WITHIN_MS);
        let intent_id = one.order.intent_id.clone();
        let timeout_ms = if is_over { self.timeout_ms } else { self.timeout_ms.min(RECEIVED_SOON_MS) };
        // Dropped meanwhile, it is asked again.
        let received = match self.received_by(&intent_id, timeout_ms).await {
            Shown::Not if may_come => return,
            Shown::Not | Shown::Never => None,
            Shown::Moved(received) => Some(received),
        };
        let one = self.unshown.remove(at);
        let sum = |(all, own): ((u64, i128), (u64, i128))| Some((all.0.checked_add(own.0)?, all.1 + own.1));
        self.received = self.received.zip(received).and_then(sum);
        let Some((sold, lamports)) = received else { return };
        let is_of = |event: &ExitEvent| {
            let own = event.order.as_ref().is_some_and(|order| order.intent_id == one.order.intent_id);
            own && event.what != ExitHappening::Ordered
        };
        if !self.events.iter().any(is_of) {
            self.say(ExitHappening::Received, Some(&one.order), None);
        }
        if let Some(told) = self.events.iter_mut().rev().find(|event| is_of(event)) {
            (told.sold_tokens, told.received_lamports) = (Some(sold), Some(lamports));
        }
    }

    /// What a sell has brought, by the client's market.
    async fn received_by(&mut self, intent_id: &str, timeout_ms: u32) -> Shown {
        let Some(market) = &self.client.shared.market else { return Shown::Never };
        // A journal that fails now says it later.
        let Ok(ended) = self.client.ended_trade(intent_id).await else { return Shown::Not };
        let Some(ended) = ended.filter(|ended| ended.signature.is_some()) else { return Shown::Never };
        let Some(asked) = market.moved(&ended) else { return Shown::Never };
        match in_time(&self.client, timeout_ms, asked).await {
            Some(Ok(Some(moved))) => {
                let own = moved.wallets.iter().find(|own| own.wallet == self.state.position.wallet);
                let own = own.filter(|_| moved.fits);
                own.and_then(|own| Some((u64::try_from(-own.tokens).ok()?, own.lamports)))
                    .map_or(Shown::Never, Shown::Moved)
            }
            #[cfg(feature = "chain")]
            Some(Err(why)) if why.is::<NoAddress>() => Shown::Never,
            _ => Shown::Not,
        }
    }

    /// A sell has ended: what it brought is to be found out, if it has a transaction.
    fn ended(&mut self, order: &ExitOrder, outcome: IntentOutcome) {
        if matches!(outcome, IntentOutcome::Landed | IntentOutcome::Failed) {
            let order = order.clone();
            self.unshown.push(Unshown { order, asked: 0, asked_ms: None, over_ms: None });
        }
    }

    /// Takes what the chain shows of trades whose end only the service has said.
    async fn correct(&mut self) -> Result<(), ManageError> {
        let before = self.state.clone();
        for intent_id in self.state.answered_ids() {
            let ended = self.client.ended_trade(&intent_id).await?.filter(|ended| ended.proven);
            let Some(EndedTrade { intent, outcome, .. }) = ended else { continue };
            let is_own = self.state.is_buy(&intent_id);
            if is_own && !self.state.is_bought_by(&intent_id, &intent.body) {
                continue;
            }
            let state = corrected(self.state.clone(), &intent_id, outcome);
            let is_news = state != self.state && !is_own;
            if state != self.state {
                self.received = None;
            }
            self.state = state;
            if is_news {
                self.say(outcome.into(), None, Some(correction(&intent_id, outcome).into()));
            }
        }
        // That it will be over is news again.
        if before.is_over() && !self.state.is_over() {
            self.told = Some(self.state.untold());
        }
        if self.state == before { Ok(()) } else { self.save_state().await }
    }

    /// Takes what a person asked for where nothing is decided: it is kept, and what asked for this look asks for no other one.
    async fn take_wishes(&mut self) -> Result<(), ManageError> {
        match self.controls.tell(&mut self.state) {
            true => self.save_state().await,
            false => Ok(()),
        }
    }

    /// Sends what a look asks for.
    async fn decide(&mut self, seen: &ExitLook<'_>, at_ms: u64) -> Result<(), ManageError> {
        self.controls.tell(&mut self.state);
        let ExitLook { launchpad, token, wallet_tokens, .. } = *seen;
        let decimals = self.client.sending.terms.dialect.rules.token_decimals;
        if let Some(message) = other_decimals(decimals, launchpad.token_decimals) {
            let (field, code) = ("tokenDecimals".to_owned(), FieldCode::Conflict);
            return Err(ManageError::Invalid(vec![FieldError { field, code, message }]));
        }
        if let Some(problem) = self.state.time_problem(at_ms) {
            return Err(ManageError::Invalid(vec![problem]));
        }
        let tick = Tick { at_ms, launchpad, token, wallet_tokens };
        if let Some(problem) = self.state.unit_problem(&tick) {
            return Err(ManageError::Invalid(vec![problem]));
        }
        // The order is in base units, and need not be held up to ask for the decimals once more.
        lock(&self.client.shared.guards).learn_decimals(&self.state.position.mint, decimals);
        let order;
        (self.state, order) = next(self.state.clone(), &tick);
        match order {
            Some(order) => self.send(order, at_ms).await,
            None if self.saved.as_ref() != Some(&self.state) => self.save_state().await,
            None => Ok(()),
        }
    }

    /// What the journal knows of this position's exits: a state may be older than that, or missing.
    async fn recall(&mut self) -> Result<(), ManageError> {
        ExitState::from_data(self.state.to_tape().root()).map_err(ManageError::Invalid)?;
        if let Some((plan, position)) = &self.given {
            let stranger = self.state.stranger_to(position);
            let mut problems: Vec<FieldError> = stranger.into_iter().collect();
            if problems.is_empty() && self.replaces_plan {
                self.state = self.state.clone().replace_plan(plan).map_err(ManageError::Invalid)?;
            } else if problems.is_empty() {
                problems = self.state.other_plan(plan);
            }
            if !problems.is_empty() {
                return Err(ManageError::Invalid(problems));
            }
        }
        let ordered = self.state.order.clone();
        for intent_id in self.state.intent_ids() {
            if ordered.as_ref().is_some_and(|order| order.intent_id == intent_id) {
                continue;
            }
            let Some(state) = self.client.intent_state(&intent_id).await? else { continue };
            let ended = self.client.ended_trade(&intent_id).await?.map(|trade| trade.outcome);
            if let Some(outcome) = recalled_outcome(state, ended) {
                // The market may have a time of its own. Whatever it is, what was proven not sold need not wait any more.
                let at_ms = if state == IntentState::NotRecorded { 0 } else { self.now_ms() };
                let tokens = self.tokens_of(&intent_id).await?;
                self.settled(&intent_id, outcome, at_ms, tokens);
            }
        }
        // It was kept before it was sent. Whether it was, only the journal knows.
        if let Some(order) = ordered.as_ref().filter(|order| order.outcome.is_none()) {
            self.settled(&order.intent_id, IntentOutcome::Unknown, self.now_ms(), None);
        }
        self.save_state().await?;
        // What an earlier run has sold is not in the sum of this one.
        let is_first = self.state.tries.iter().all(|tries| tries.failed == 0);
        let is_whole = ordered.is_none() && is_first && self.state.tokens == self.state.position.tokens;
        self.received = is_whole.then_some((0, 0));
        if self.state.is_over() { Ok(()) } else { self.check().await }
    }

    /// Base units that the trade with this id is of, if the client still has its body.
    async fn tokens_of(&mut self, intent_id: &str) -> Result<Option<u64>, TradeError> {
        let ended = self.client.ended_trade(intent_id).await?.map(|trade| trade.intent.body);
        let open =
            || self.client.guards().unresolved(intent_id).and_then(|intent| intent.record.body.clone());
        let decimals = self.client.sending.terms.dialect.rules.token_decimals;
        Ok(ended.or_else(open).and_then(|body| tokens_of_sell(&body, decimals)))
    }

    /// Refuses exits that the client would never send: better now than when the stop is reached.
    async fn check(&mut self) -> Result<(), ManageError> {
        let asked = self.client.sell(self.state.sell_of(self.state.tokens)).plan();
        // It asks the market for a price. Without an answer the exits begin all the same.
        let planned = within(self.client.shared.transport.sleep(CHECK_MS), asked).await;
        let planned = planned.and_then(Result::ok);
        let warnings = planned.iter().flat_map(|plan| &plan.warnings);
        let odd = warnings.filter(|warning| warning.code == WarningCode::SlippageUnit);
        let odd = odd.map(|Warning { message, .. }| {
            let (field, code) = ("plan.slippage".to_owned(), FieldCode::OutOfRange);
            FieldError { field, code, message: ["plan.", message].concat() }
        });
        let odd: Vec<FieldError> = odd.collect();
        if !odd.is_empty() {
            return Err(ManageError::Invalid(odd));
        }
        let refused = planned.and_then(|plan| plan.refused);
        match refused.filter(|refused| is_lasting(refused.code)) {
            Some(refused) => Err(ManageError::AlwaysRefused(Box::new(refused))),
            None => Ok(()),
        }
    }

    async fn send(&mut self, order: ExitOrder, at_ms: u64) -> Result<(), ManageError> {
        if let Err(error) = self.save_state().await {
            self.settled(&order.intent_id, IntentOutcome::NotSent, at_ms, None);
            return Err(error);
        }
        self.say(ExitHappening::Ordered, Some(&order), None);
        let sold = self.client.sell(self.state.request(&order)).intent_id(&order.intent_id).await;
        let decimals = self.client.sending.terms.dialect.rules.token_decimals;
        let (outcome, error, said) = match sold {
            Ok(traded) => {
                let said = Reported::of(&traded.trade, decimals).ok().and_then(|said| said.tokens);
                (traded.trade.status.into(), None, said)
            }
            Err(error) => (outcome_of_sell(error.outcome.into(), Some(error.code)), Some(error), None),
        };
        // Whoever sent an id before may have sold another amount.
        let is_known = error.is_some() && matches!(outcome, IntentOutcome::Landed | IntentOutcome::Unknown);
        // A journal that fails now says nothing of it, and the order counts with its own amount.
        let tokens = if is_known { self.tokens_of(&order.intent_id).await.unwrap_or(None) } else { None };
        self.settled(&order.intent_id, outcome, at_ms, tokens);
        self.say(outcome.into(), Some(&order), error.map(BoxError::from));
        if let Some(told) = self.events.back_mut() {
            told.sold_tokens = said;
        }
        self.ended(&order, outcome);
        self.save_state().await
    }

    /// Finds out what became of the orders that are in doubt.
    async fn settle(&mut self, wallet_tokens: Option<u64>, at_ms: u64) -> Result<(), ManageError> {
        while let Some(order) = self.state.order.clone() {
            let mut found = None;
            if order.outcome == Some(IntentOutcome::Unconfirmed) {
                found = self.confirmed(&order, wallet_tokens).await?;
            }
            if found.is_none() {
                found = self.found(&order).await?;
            }
            let Some(found) = found.filter(|found| Some(*found) != order.outcome) else { break };
            self.asking = None;
            self.settled(&order.intent_id, found, at_ms, None);
            self.say(found.into(), Some(&order), None);
            self.ended(&order, found);
            self.save_state().await?;
        }
        Ok(())
    }

    /// What became of an exit that the service took without saying whether it landed.
    async fn confirmed(
        &mut self,
        order: &ExitOrder,
        wallet_tokens: Option<u64>,
    ) -> Result<Option<IntentOutcome>, TradeError> {
        let ended = self.client.ended_trade(&order.intent_id).await?;
        let signature = ended.and_then(|trade| trade.signature);
        let seen = match (&signature, &self.client.shared.market) {
            // A market that does not answer says nothing.
            (Some(signature), Some(market)) => {
                let answer = in_time(&self.client, self.timeout_ms, market.confirm(signature)).await;
                Some(answer.and_then(Result::ok).unwrap_or(Seen::NotSeen))
            }
            _ => None,
        };
        // An order that only the journal remembers was made when the wallet held at least what is left.
        let held = order.wallet_tokens.unwrap_or(self.state.tokens);
        Ok(confirmed_outcome(seen, held, order.tokens, wallet_tokens))
    }

    async fn found(&mut self, order: &ExitOrder) -> Result<Option<IntentOutcome>, TradeError> {
        let (mut state, mut ended) = self.known(order).await?;
        if state == Some(IntentState::InDoubt) || ended == Some(IntentOutcome::Unconfirmed) {
            if state == Some(IntentState::InDoubt) {
                self.doubted = Some(order.intent_id.clone());
            }
            self.ask(order).await;
            (state, ended) = self.known(order).await?;
        }
        Ok(found_outcome(state, ended, self.doubted.as_ref() == Some(&order.intent_id)))
    }

    /// What the client knows of an order.
    async fn known(
        &mut self,
        order: &ExitOrder,
    ) -> Result<(Option<IntentState>, Option<IntentOutcome>), TradeError> {
        let state = self.client.intent_state(&order.intent_id).await?;
        let ended = self.client.ended_trade(&order.intent_id).await?;
        Ok((state, ended.map(|trade| trade.outcome)))
    }

    /// Asks the client's market what became of its trades in doubt. An answer that takes longer than a look counts at a later tick.
    async fn ask(&mut self, order: &ExitOrder) {
        if self.client.shared.market.is_none() {
            return;
        }
        let mut asking = match self.asking.take() {
            Some(asking) => asking,
            None => {
                let now_ms = self.now_ms();
                // A clock that was set back does not make it wait.
                let since = self.asked_ms.and_then(|asked_ms| now_ms.checked_sub(asked_ms));
                if since.is_some_and(|since| since < ASK_EVERY_MS) {
                    return;
                }
                self.asked_ms = Some(now_ms);
                let client = self.client.clone();
                Box::pin(async move { client.settle().await.map(drop) })
            }
        };
        match in_time(&self.client, self.timeout_ms, asking.as_mut()).await {
            None => self.asking = Some(asking),
            Some(Ok(())) => {}
            Some(Err(why)) => self.say(ExitHappening::InDoubt, Some(order), Some(why.into())),
        }
    }
}

/// What a market shows of a sell that has ended.
enum Shown {
    /// Nothing yet.
    Not,
    /// Nothing, ever.
    Never,
    /// Base units sold, and lamports received.
    Moved((u64, i128)),
}

/// What comes of the work, unless it takes longer than a look may.
async fn in_time<T: Transport, O>(
    client: &Client<T>,
    timeout_ms: u32,
    work: impl Future<Output = O>,
) -> Option<O> {
    within(client.shared.transport.sleep(timeout_ms), work).await
}
