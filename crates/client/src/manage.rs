//! Carries out the exits of a position: looks at the market, sends what is ordered, and finds out what became of it. It decides nothing.

use std::future::{Future, poll_fn};
use std::pin::pin;
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll, Waker};
use std::time::Duration;

use super::Client;
use super::client_error::{ClientError, Why as Failed};
use super::error::Traded;
use super::shared::{whole_ms, within};
use super::system::lock;
use super::transport::{BoxError, BoxFuture, MaybeSend, MaybeSync, Transport};
use super::watch::{ExitLook, Looks};
use launchpad_desk::bindings::debug_text;
use launchpad_desk::chain::wallets::NoAddress;
use launchpad_desk::error::Warning;
use launchpad_desk::intent::IntentOutcome;
use launchpad_desk::strategy::manage::{
    Checked, Event, ExitHappening, Happened, Known, Looked, ManageStep, Manager, Received, Refusal, Sold,
    Terms, Why,
};
use launchpad_desk::strategy::{ExitOrder, ExitPlan, ExitPosition, ExitState};
use launchpad_desk::tape::ToTape;
use launchpad_desk::trade::guard::Found;
use launchpad_desk::trade::journal::EndedTrade;

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
    pub what: ExitHappening,
    /// The order; `None` if it is about none.
    pub order: Option<ExitOrder>,
    /// Why, where the client or the market failed: of an order mostly a [`TradeError`](crate::TradeError).
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

impl From<Happened<BoxError>> for ExitEvent {
    fn from(happened: Happened<BoxError>) -> Self {
        let Happened { what, order, why, sold_tokens, received_lamports } = happened;
        let error = why.map(|why| match why {
            Why::Says(words) => words.into(),
            Why::Threw(thrown) => thrown,
        });
        ExitEvent { what, order, error, sold_tokens, received_lamports }
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

debug_text!(ExitControls, |_| "ExitControls");

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

    /// Sells everything that is left at the next look, paused or not, or without one, if none comes within a second. [`Managed::next`] takes
    /// that look at once, also in place of one that it waits for.
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

    /// Gives the state what was asked for; returns whether that was to close it.
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
        closing
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
    /// use launchpad_desk::prelude::*;
    /// use launchpad_desk::strategy::ExitPlan;
    /// use launchpad_desk_client::{Client, SandboxTransport, TradeError, Traded};
    /// use launchpad_desk_sandbox::{Sandbox, SandboxConfig};
    /// # tokio::runtime::Builder::new_current_thread().build().unwrap().block_on(async {
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
    terms: Terms,
    controls: ExitControls,
    /// What decides, once the state is known to be one.
    manager: Option<Manager<BoxError>>,
    /// Whether it was said that the state cannot be used.
    is_refused: bool,
    /// What comes of asking the client's market.
    asking: Option<BoxFuture<'static, Result<(), ClientError>>>,
}

debug_text!([T, M] Managed<T, M>, |managed| "Managed({})", managed.state.position.id);

impl<T, M> Managed<T, M> {
    pub(super) fn new(client: Client<T>, state: ExitState, market: M) -> Self {
        let has_market = client.shared.market.is_some();
        let terms = Terms {
            token_decimals: Some(client.sending.terms.dialect.rules.token_decimals),
            settles: has_market,
            confirms: has_market,
            ..Terms::default()
        };
        Managed {
            client,
            market,
            state,
            given: None,
            replaces_plan: false,
            save: None,
            terms,
            controls: ExitControls::default(),
            manager: None,
            is_refused: false,
            asking: None,
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
    /// use launchpad_desk_client::{Client, Looks, Transport};
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
    /// use launchpad_desk_client::{BoxError, Client, Looks, Transport};
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
    #[must_use]
    pub fn save<F, W>(self, save: F) -> Self
    where
        F: Fn(&ExitState) -> W + MaybeSend + MaybeSync + 'static,
        W: Future<Output = Result<(), BoxError>> + MaybeSend + 'static,
    {
        Managed { save: Some(Box::new(move |state| Box::pin(save(state)))), ..self }
    }

    /// How long [`next`](Managed::next) waits between two looks. Default: 1 s.
    #[must_use]
    pub fn every(mut self, every: Duration) -> Self {
        self.terms.every_ms = whole_ms(every);
        self
    }

    /// How long a look may take: then nothing is decided (`no_look`), and the next tick looks again. Default: 10 s.
    #[must_use]
    pub fn timeout(mut self, timeout: Duration) -> Self {
        self.terms.timeout_ms = whole_ms(timeout);
        self
    }

    /// What pauses these exits, and closes their position, from elsewhere.
    pub fn controls(&self) -> ExitControls {
        self.controls.clone()
    }

    /// How far they are.
    pub fn state(&self) -> &ExitState {
        &self.state
    }

    async fn save_state(&mut self) -> Result<(), ClientError> {
        match &self.save {
            Some(save) => save(&self.state).await.map_err(|why| Failed::NotSaved(why).into()),
            None => Ok(()),
        }
    }

    /// Orders nothing until [`resume`](Managed::resume). Prices are still followed, what is in flight is still settled, and
    /// [`close_now`](Managed::close_now) works.
    ///
    /// # Errors
    ///
    /// [`ClientError::is_not_saved`]: it waits, but would not after a restart.
    pub async fn pause(&mut self) -> Result<(), ClientError> {
        self.state.pause();
        self.save_state().await
    }

    /// Orders again.
    ///
    /// # Errors
    ///
    /// [`ClientError::is_not_saved`]: it goes on, but would not after a restart.
    pub async fn resume(&mut self) -> Result<(), ClientError> {
        self.state.resume();
        self.save_state().await
    }

    /// Sells everything that is left at the next look, paused or not, or without one, if none comes within a second.
    ///
    /// # Errors
    ///
    /// [`ClientError::is_not_saved`]: it does so, but would not after a restart.
    pub async fn close_now(&mut self) -> Result<(), ClientError> {
        self.state.close_now();
        if let Some(manager) = &mut self.manager {
            manager.hurry();
        }
        self.save_state().await
    }
}

impl<T: Transport + 'static, M: Looks> Managed<T, M> {
    /// What happens next: it looks at the market again and again, and sends what the plan asks for. `None` once nothing is left to sell.
    /// After an error it may be called again, and waits as after a look.
    /// Fails as [`tick`](Managed::tick).
    pub async fn next(&mut self) -> Option<Result<ExitEvent, ClientError>> {
        loop {
            if let Some(event) = self.manager.as_mut().and_then(Manager::next_happened) {
                return Some(Ok(event.into()));
            }
            if let Some(manager) = &self.manager {
                let ms = manager.wait_ms(&self.state, self.now_ms())?;
                wait(&self.client, Some(&self.controls), ms).await;
            } else if self.is_refused {
                wait(&self.client, None, self.terms.every_ms).await;
            }
            if let Err(error) = self.carry_out(Event::Begin).await {
                self.is_refused = true;
                return Some(Err(error));
            }
        }
    }

    /// Takes one look at the market, sends what it asks for, and returns what happened, once all of that has ended.
    ///
    /// # Errors
    ///
    /// [`ClientError`]. At the first look, if the plan or the position cannot be used, or if the client's limits would refuse every order.
    pub async fn tick(&mut self) -> Result<Vec<ExitEvent>, ClientError> {
        // After an error, what was not told yet comes first.
        self.carry_out(Event::Begin).await?;
        let told = || self.manager.as_mut()?.next_happened().map(ExitEvent::from);
        Ok(std::iter::from_fn(told).collect())
    }

    /// Says how the order that is in doubt ended, where nothing else can prove it. An order that did not land may then be sent again, under
    /// a new id. Returns whether an order was in doubt.
    ///
    /// # Errors
    ///
    /// [`ClientError::is_not_saved`], [`ClientError::journal`].
    pub async fn acknowledge(&mut self, found: Found) -> Result<bool, ClientError> {
        self.carry_out(Event::Acknowledge(found.into())).await
    }

    fn now_ms(&self) -> u64 {
        self.client.shared.transport.now_ms()
    }

    /// Makes what decides, if the plan and the position can be used.
    fn begin(&mut self) -> Result<(), ClientError> {
        if self.manager.is_some() {
            return Ok(());
        }
        ExitState::from_data(self.state.to_tape().root()).map_err(Failed::Invalid)?;
        if let Some((plan, position)) = &self.given {
            let state = self.state.clone().going_on(position, plan, self.replaces_plan);
            self.state = state.map_err(Failed::Invalid)?;
            self.given = None;
        }
        self.manager = Some(Manager::new(self.terms.clone()));
        Ok(())
    }

    /// What to do after this event, and after what a person has asked for meanwhile.
    fn next_step(&mut self, event: Event<'_, BoxError>) -> ManageStep<BoxError> {
        let now_ms = self.now_ms();
        let Some(manager) = &mut self.manager else { return ManageStep::Done };
        if self.controls.tell(&mut self.state) {
            manager.hurry();
        }
        manager.next(&mut self.state, now_ms, event)
    }

    /// Carries out the steps that an event leads to. Returns whether there were any.
    async fn carry_out(&mut self, event: Event<'_, BoxError>) -> Result<bool, ClientError> {
        self.begin()?;
        let ExitPosition { mint, wallet, .. } = self.state.position.clone();
        let wallets = [wallet];
        let (mut look, mut refused, mut has_steps) = (None, None, false);
        let mut step = self.next_step(event);
        loop {
            has_steps |= !matches!(step, ManageStep::Done);
            let event = match step {
                ManageStep::Done => return Ok(has_steps),
                ManageStep::Throw(thrown) => {
                    return Err(thrown
                        .downcast()
                        .map_or_else(|why| Failed::NotSaved(why).into(), |error| *error));
                }
                ManageStep::Refuse(Refusal::Position(problem) | Refusal::Client(problem)) => {
                    return Err(Failed::Invalid(vec![problem]).into());
                }
                ManageStep::Refuse(Refusal::Always) => {
                    return Err(refused.map_or(Failed::Invalid(Vec::new()), Failed::AlwaysRefused).into());
                }
                ManageStep::Look(within_ms, is_cut) => {
                    let looking = self.market.look_at(&mint, &wallets);
                    let closing = is_cut.then_some(&self.controls);
                    match within(wait(&self.client, closing, within_ms), looking).await {
                        Some(Ok(looked)) => {
                            let looked = look.insert(looked);
                            let ExitLook { at_ms, wallet_tokens, .. } =
                                M::for_exits(looked, &mint, &wallets[0]);
                            let stale = self.market.stale().map(Why::Threw);
                            Event::Looked(Looked { at_ms, wallet_tokens, stale })
                        }
                        Some(Err(why)) => Event::Threw(why),
                        None => Event::Late,
                    }
                }
                ManageStep::Price => {
                    let Some(look) = &look else { return Ok(has_steps) };
                    let ExitLook { launchpad, token, .. } = M::for_exits(look, &mint, &wallets[0]);
                    // The order is in base units, and need not be held up to ask for the decimals once more.
                    lock(&self.client.shared.guards).learn_decimals(&mint, launchpad.token_decimals);
                    step = self.next_step(Event::Priced(launchpad, token));
                    continue;
                }
                ManageStep::Check(request, within_ms) => {
                    let planned = self.client.sell(request).plan();
                    match in_time(&self.client, within_ms, async { Ok(planned.await?) }).await {
                        Ok(plan) => {
                            let of = |warning: Warning| (warning.code, warning.message);
                            let warnings = plan.warnings.into_iter().map(of).collect();
                            refused = plan.refused.map(Box::new);
                            let code = refused.as_ref().map(|refused| refused.code);
                            Event::Checked(Some(Checked { refused: code, warnings }))
                        }
                        Err(event) => event,
                    }
                }
                step => self.carry_out_one(step).await.unwrap_or_else(Event::Threw),
            };
            step = self.next_step(event);
        }
    }

    /// Carries out a step that leaves nothing for the next ones.
    async fn carry_out_one(
        &mut self,
        step: ManageStep<BoxError>,
    ) -> Result<Event<'static, BoxError>, BoxError> {
        Ok(match step {
            ManageStep::Recall(intent_ids) => Event::Recalled(recalled(&self.client, intent_ids).await?),
            ManageStep::Ended(intent_id) => Event::Known(ended(&self.client, &intent_id).await?),
            ManageStep::Known(intent_id) => Event::Known(known(&self.client, &intent_id).await?),
            ManageStep::Keep => {
                self.save_state().await?;
                Event::Done
            }
            ManageStep::Send(order, request) => {
                Event::Sold(match self.client.sell(request).intent_id(&order.intent_id).await {
                    Ok(Traded { trade, .. }) => Sold {
                        outcome: Some(trade.status.into()),
                        code: None,
                        amount: trade.result.amount.map(|amount| amount.as_str().to_owned()),
                        error: None,
                    },
                    Err(error) => Sold {
                        outcome: Some(error.outcome.into()),
                        code: Some(error.code),
                        amount: None,
                        error: Some(error.into()),
                    },
                })
            }
            ManageStep::Confirm(signature, within_ms) => {
                let Some(market) = &self.client.shared.market else { return Ok(Event::Late) };
                let asked = market.confirm(&signature);
                in_time(&self.client, within_ms, asked).await.map_or_else(|event| event, Event::Confirmed)
            }
            ManageStep::Settle(within_ms) => self.settle(within_ms, None).await,
            ManageStep::SettleOn(within_ms) => {
                let late = self.asking.take();
                self.settle(within_ms, late).await
            }
            ManageStep::Acknowledge(intent_id, found) => {
                let found = if found == IntentOutcome::Landed { Found::Landed } else { Found::DidNotLand };
                self.client.acknowledge(&intent_id, found).await.map_err(ClientError::from)?;
                Event::Done
            }
            ManageStep::Receive(intent_id, within_ms) => {
                let asked =
                    async { Ok(received(&self.client, &self.state.position.wallet, &intent_id).await) };
                in_time(&self.client, within_ms, asked).await.map_or_else(|event| event, Event::Received)
            }
            // A client in Rust has no market of its exits that proves anything, and the others leave something.
            _ => Event::Found(None),
        })
    }

    /// Asks the client's market about all trades in doubt, or waits on for a late answer.
    async fn settle(
        &mut self,
        within_ms: u32,
        late: Option<BoxFuture<'static, Result<(), ClientError>>>,
    ) -> Event<'static, BoxError> {
        self.asking = None;
        let mut asking = late.unwrap_or_else(|| {
            let client = self.client.clone();
            Box::pin(async move { client.settle().await.map(drop) })
        });
        match within(self.client.shared.transport.sleep(within_ms), asking.as_mut()).await {
            None => {
                self.asking = Some(asking);
                Event::Late
            }
            Some(Ok(())) => Event::Done,
            Some(Err(why)) => Event::Threw(why.into()),
        }
    }
}

/// Waits so long or, with these controls, until everything is to be sold.
async fn wait<T: Transport>(client: &Client<T>, closing: Option<&ExitControls>, ms: u32) {
    let mut slept = pin!(client.shared.transport.sleep(ms));
    poll_fn(|context| match closing.map(|controls| controls.poll_closing(context)) {
        Some(Poll::Ready(())) => Poll::Ready(()),
        _ => slept.as_mut().poll(context),
    })
    .await;
}

/// What comes of the work in this time; otherwise the event that says so.
async fn in_time<T: Transport, O>(
    client: &Client<T>,
    within_ms: u32,
    work: impl Future<Output = Result<O, BoxError>>,
) -> Result<O, Event<'static, BoxError>> {
    match within(client.shared.transport.sleep(within_ms), work).await {
        None => Err(Event::Late),
        Some(done) => done.map_err(Event::Threw),
    }
}

/// What the client knows of those intents that were trades.
async fn recalled<T: Transport>(
    client: &Client<T>,
    intent_ids: Vec<String>,
) -> Result<Vec<(String, Known)>, ClientError> {
    let mut all = Vec::new();
    for intent_id in intent_ids {
        let one = known(client, &intent_id).await?;
        if one.is_of_some_trade() {
            all.push((intent_id, one));
        }
    }
    Ok(all)
}

async fn known<T: Transport>(client: &Client<T>, intent_id: &str) -> Result<Known, ClientError> {
    let state = client.intent_state(intent_id).await?;
    let known = ended(client, intent_id).await?;
    let open = || client.guards().unresolved(intent_id).map(|intent| intent.trade.body.clone());
    let body = known.body.clone().or_else(open);
    Ok(Known { state, body, ..known })
}

/// What the client's market shows of a sell that has ended.
async fn received<T: Transport>(client: &Client<T>, wallet: &str, intent_id: &str) -> Received {
    let Some(market) = &client.shared.market else { return Received::Never };
    // A journal that fails now says it later.
    let Ok(ended) = client.ended_trade(intent_id).await else { return Received::NotYet };
    let Some(ended) = ended.filter(|ended| ended.signature.is_some()) else { return Received::Never };
    let Some(asked) = market.moved(&ended) else { return Received::Never };
    match asked.await {
        Ok(Some(moved)) => {
            let own = moved.wallets.iter().find(|own| own.wallet == wallet);
            own.filter(|_| moved.fits)
                .map_or(Received::Never, |own| Received::Moved(own.tokens, own.lamports))
        }
        Err(why) if why.is::<NoAddress>() => Received::Never,
        _ => Received::NotYet,
    }
}

/// What the client knows of how an intent has ended.
async fn ended<T: Transport>(client: &Client<T>, intent_id: &str) -> Result<Known, ClientError> {
    let Some(ended) = client.ended_trade(intent_id).await? else { return Ok(Known::default()) };
    let EndedTrade { intent, outcome, signature, proven } = ended;
    Ok(Known { state: None, ended: Some(outcome), proven, signature, body: Some(intent.body) })
}
