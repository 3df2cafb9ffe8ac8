//! An async client that drives the [flow](launchpad_desk::trade::flow) of each trade over a [`Transport`].
//!
//! ```text
//! client.buy(request) ─▶ validate ─▶ Flow ─ step ─▶ journal, key, hooks, transport
//!                                      ▲               │
//!                                      └──── event ────┘
//! ```
//!
//! The client decides nothing. The flow is a state machine, and the client carries out its steps. It does not depend on an
//! async runtime: any executor can poll its futures.
//!
//! ```
//! use launchpad_desk::prelude::*;
//! use launchpad_desk_client::{Client, SandboxTransport, TradeError, Traded};
//! use launchpad_desk_sandbox::{Sandbox, SandboxConfig};
//! # tokio::runtime::Builder::new_current_thread().build().unwrap().block_on(async {
//! let sandbox = Sandbox::new(SandboxConfig::default()).unwrap();
//! let (mint, wallet) = (sandbox.tokens()[0].mint.clone(), sandbox.wallets()[0].wallet.clone());
//! let client = Client::new(SandboxTransport::new(sandbox));
//!
//! match client.buy(BuyRequest::new(mint, wallet, 1_000_000_000)).intent_id("signal-1").await {
//!     Ok(traded) => println!("{:?}, {:?} tokens", traded.trade.status, traded.trade.result.amount),
//!     Err(error) if error.outcome == Outcome::Unknown => println!("it may have been made: {error}"),
//!     Err(error) if error.outcome == Outcome::Failed => println!("only the network fee moved: {error}"),
//!     Err(error) => println!("nothing moved: {error}"),
//! }
//! # });
//! ```

#![cfg(any(not(target_arch = "wasm32"), feature = "gloo"))]

#[cfg(all(doctest, feature = "reqwest"))]
#[doc = include_str!("../README.md")]
mod readme {}

mod builder;
mod chain_reading;
mod check_drift;
mod client_error;
mod comparisons;
mod drive;
mod error;
#[cfg(all(feature = "record", not(target_arch = "wasm32")))]
mod file_record;
#[cfg(target_arch = "wasm32")]
mod gloo;
mod hooks;
mod journal;
mod manage;
mod market;
mod node;
mod options;
#[cfg(feature = "record")]
mod record;
#[cfg(all(feature = "reqwest", not(target_arch = "wasm32")))]
mod reqwest;
mod rpc_market;
#[cfg(feature = "sandbox")]
mod sandbox;
#[cfg(feature = "sandbox")]
mod sandbox_market;
mod settle_trades;
mod shared;
mod system;
mod trade_builder;
mod transport;
mod watch;

use std::ops::Deref;
use std::sync::{Arc, MutexGuard};

use client_error::Why;
use launchpad_desk::api::endpoint::Operation;
use launchpad_desk::api::request::{
    BundleBuyRequest, BundleSellByPercentageRequest, BundleSellRequest, BuyRequest, SellByPercentageRequest,
    SellRequest,
};
use launchpad_desk::api::response::Trade;
use launchpad_desk::api::validate::validate;
use launchpad_desk::bindings::debug_text;
use launchpad_desk::bindings::settling::AskAgain;
use launchpad_desk::error::{Code, Error};
use launchpad_desk::evidence::Seen as SeenOnChain;
use launchpad_desk::intent::IntentState;
use launchpad_desk::strategy::bought::{Bought, SHOWN_EVERY_MS, SHOWN_WITHIN_MS};
use launchpad_desk::tape::{Item, ToTape};
use launchpad_desk::trade::guard::{Guards, Intent};
use launchpad_desk::trade::plan::Plan;
use launchpad_desk::trade::suspension_not_kept;
use shared::{Sending, Shared};
use system::lock;

pub use builder::ClientBuilder;
pub use chain_reading::MarketOptions;
pub use client_error::ClientError;
pub use error::{TradeError, Traded};
#[cfg(all(feature = "record", not(target_arch = "wasm32")))]
pub use file_record::FileRecord;
#[cfg(target_arch = "wasm32")]
pub use gloo::{GlooReply, GlooTransport};
pub use hooks::{Hooks, Note, Seen};
#[cfg(not(target_arch = "wasm32"))]
pub use journal::FileJournal;
pub use journal::{Journal, MemoryJournal, OutsideMode};
pub use manage::{ExitControls, ExitEvent, Managed};
pub use market::{AreAll, Asked, Market, SettledTrade};
pub use node::{NodeError, PostToNode};
pub use options::SendOptions;
#[cfg(feature = "record")]
pub use record::{DeskRecord, RecordStore, Recorded, RecordedReply};
#[cfg(all(feature = "reqwest", not(target_arch = "wasm32")))]
pub use reqwest::{ReqwestReply, ReqwestTransport};
pub use rpc_market::RpcMarket;
#[cfg(feature = "sandbox")]
pub use sandbox::{SandboxLook, SandboxReply, SandboxTransport};
#[cfg(feature = "sandbox")]
pub use sandbox_market::SandboxMarket;
pub use trade_builder::{Awaited, TradeBuilder};
pub use transport::{BoxError, BoxFuture, BoxedError, Incoming, MaybeSend, MaybeSync, Transport};
pub use watch::{ExitLook, Looks, Watch, WatchOptions};

// What a program names that has exits, or a transport, a market, a journal or hooks of its own.
pub use launchpad_desk::evidence::Moved;
pub use launchpad_desk::strategy::{ExitHappening, ExitPlan, ExitPosition, ExitState, NoPosition};
pub use launchpad_desk::trade::flow::{Get, Head, Lost, Post};
pub use launchpad_desk::trade::guard::{Found, OtherTrade, Settings, Suspension};
pub use launchpad_desk::trade::journal::{EndedTrade, Recalled, TradeIntent};
pub use launchpad_desk::trade::plan::Destination;
pub use launchpad_desk::trade::reconcile::WalletBalances;
pub use launchpad_desk::trade::settle::Settled;

/// Sends trades, and says for each one whether money may have moved.
///
/// Clones share everything: guards, journal, transport.
pub struct Client<T> {
    shared: Arc<Shared<T>>,
    sending: Arc<Sending>,
}

impl<T> Clone for Client<T> {
    fn clone(&self) -> Self {
        Client { shared: self.shared.clone(), sending: self.sending.clone() }
    }
}

debug_text!([T] Client<T>, |_| "Client");

impl<T: Transport> Client<T> {
    /// A client with the default settings, without a key, a journal or hooks.
    pub fn new(transport: T) -> Self {
        Client::of(Shared::new(transport, Settings::default()), Sending::default())
    }

    fn of(shared: Shared<T>, sending: Sending) -> Self {
        Client { shared: Arc::new(shared), sending: Arc::new(sending) }
    }

    /// Builds a client with other settings.
    pub fn builder(transport: T) -> ClientBuilder<T> {
        ClientBuilder::new(transport)
    }

    /// The same client with other send options. Guards and journal are shared, so a limit covers both.
    ///
    /// # Errors
    ///
    /// `invalid_options`.
    pub fn with(&self, change: impl FnOnce(&mut SendOptions)) -> Result<Self, TradeError> {
        let mut options = SendOptions::of(&self.sending);
        change(&mut options);
        let sending = options.applied(&self.sending.terms)?;
        Ok(Client { shared: self.shared.clone(), sending: Arc::new(sending) })
    }

    /// Buys a token from one wallet.
    pub fn buy(&self, request: BuyRequest) -> TradeBuilder<'_, T> {
        self.build(Operation::Buy, &request)
    }

    /// Sells an amount of a token from one wallet.
    pub fn sell(&self, request: SellRequest) -> TradeBuilder<'_, T> {
        self.build(Operation::Sell, &request)
    }

    /// Sells a percentage of one wallet's holdings of a token.
    pub fn sell_by_percentage(&self, request: SellByPercentageRequest) -> TradeBuilder<'_, T> {
        self.build(Operation::SellByPercentage, &request)
    }

    /// Buys a token from several wallets in one transaction.
    pub fn bundle_buy(&self, request: BundleBuyRequest) -> TradeBuilder<'_, T> {
        self.build(Operation::BundleBuy, &request)
    }

    /// Sells amounts of a token from several wallets in one transaction.
    pub fn bundle_sell(&self, request: BundleSellRequest) -> TradeBuilder<'_, T> {
        self.build(Operation::BundleSell, &request)
    }

    /// Sells percentages of several wallets' holdings of a token in one transaction.
    pub fn bundle_sell_by_percentage(&self, request: BundleSellByPercentageRequest) -> TradeBuilder<'_, T> {
        self.build(Operation::BundleSellByPercentage, &request)
    }

    /// Makes the trade that a value describes in the service's own field names, such as parsed JSON.
    pub fn trade(&self, operation: Operation, request: Item<'_>) -> TradeBuilder<'_, T> {
        let valid = validate(operation, request, &self.sending.terms.dialect.rules);
        TradeBuilder::new(
            &self.shared,
            &self.sending,
            valid.map_err(|problems| Error::invalid_request(problems).into()),
        )
    }

    fn build(&self, operation: Operation, request: &impl ToTape) -> TradeBuilder<'_, T> {
        self.trade(operation, request.to_tape().root())
    }

    /// Sends a plan: exactly its bytes, once. It is refused as `not_sent` if it has expired (`plan_expired`), was sent before
    /// or has an intent id that is already known, also from the journal (`plan_used`; if it may have landed, the message says
    /// so: settle it before you make a new plan), was changed since it was made
    /// (`plan_altered`), was made for another base URL or kind of client (`plan_for_another_service`), or if the guards refuse
    /// it now. A plan that was not sent may be sent again until it expires.
    pub fn send(&self, plan: &Plan) -> Awaited<'_, T> {
        let destination = self.shared.transport.destination();
        let planned = plan.open(&destination, &self.sending.terms.dialect.rules);
        let quoted = lock(&self.shared.comparisons).wanted(plan.price.as_ref());
        Awaited::plan(&self.shared, &self.sending, planned.map_err(TradeError::from), quoted)
    }

    /// Waits until a [gateway](ClientBuilder::gateway) has decided about an intent, such as one that ended as
    /// `awaiting_approval`. It reads the gateway's record again and again, as often as `retry_after_ms` says, and never sends a
    /// trade. It ends with the recorded trade or the recorded error; then the trade is no longer unresolved here, unless its
    /// outcome is unknown. Otherwise it ends as `unknown`: `timeout` or `aborted`, with what the gateway said last, or
    /// `intent_not_found`.
    ///
    /// ```
    /// use launchpad_desk::prelude::*;
    /// use launchpad_desk_client::{Client, TradeError, Traded, Transport};
    ///
    /// async fn bought<T: Transport>(client: &Client<T>, request: BuyRequest) -> Result<Traded, TradeError> {
    ///     match client.buy(request).intent_id("signal-1").await {
    ///         Err(error) if error.code == Code::AwaitingApproval => client.wait_for("signal-1").await,
    ///         result => result,
    ///     }
    /// }
    /// ```
    pub fn wait_for(&self, intent_id: &str) -> Awaited<'_, T> {
        Awaited::gateway(&self.shared, &self.sending, intent_id)
    }

    /// The guards, to look at: their [state](Guards::state), for example. No trade can proceed while this lock is held, so hold it
    /// only briefly.
    pub fn guards(&self) -> impl Deref<Target = Guards> + '_ {
        self.shared.obey_outside_mode();
        Looking(lock(&self.shared.guards))
    }

    /// Stops all trades, including those that are queued: each trade not yet sent ends as `not_sent`, with the code `halted`. A trade that
    /// the transport already has is sent even if its connection is still opening; nor does a plan that expires meanwhile stop it. It
    /// takes effect at once; the returned future is ready when the journal has it, so that it survives a restart. What a journal
    /// has from before is restored before the first trade.
    ///
    /// # Errors
    ///
    /// `journal_failed`: the client is halted, but may not be after a restart.
    pub fn halt(&self) -> impl Future<Output = Result<(), TradeError>> + '_ {
        self.keep_suspension(Guards::halt)
    }

    /// Allows only sells: a buy ends as `not_sent`, with the code `reducing`. It takes effect and is recorded like a
    /// [halt](Client::halt).
    ///
    /// # Errors
    ///
    /// `journal_failed`: it may not be so after a restart.
    pub fn reduce(&self) -> impl Future<Output = Result<(), TradeError>> + '_ {
        self.keep_suspension(Guards::reduce)
    }

    /// Allows all trades again, and closes the breaker. Unresolved trades stay unresolved. It takes effect and is recorded like a
    /// [halt](Client::halt).
    ///
    /// # Errors
    ///
    /// `journal_failed`: it may not be so after a restart.
    pub fn resume(&self) -> impl Future<Output = Result<(), TradeError>> + '_ {
        self.keep_suspension(Guards::resume)
    }

    /// Changes what stops trading now, and gives the change to the journal.
    fn keep_suspension(
        &self,
        change: impl FnOnce(&mut Guards) -> Suspension,
    ) -> impl Future<Output = Result<(), TradeError>> + '_ {
        let kept = self.shared.say(change);
        async move {
            let Some(kept) = kept else { return Ok(()) };
            kept.await.map_err(|why| {
                // If it was refused because of a stop that nobody has heard yet, that is heard now.
                self.shared.obey_outside_mode();
                self.shared.note("", Note::Failed(Code::JournalFailed, &why));
                let now = lock(&self.shared.guards).suspension();
                self.shared.own(suspension_not_kept(now).into())
            })
        }
    }

    /// The transport that carries its trades.
    pub fn transport(&self) -> &T {
        &self.shared.transport
    }

    /// All unresolved trades, the oldest first, including those that the journal has from an earlier run. None of them is
    /// sent again before it is acknowledged.
    ///
    /// With a market that knows transactions also those that the service only accepted, with a signature (`named_signature`), until the chain
    /// has shown or denied them. They hold up nothing, their [state](Client::intent_state) is *ended*, and only [`settle`](Client::settle)
    /// ends them otherwise. Of over 1,000 answered trades that wait for the chain the oldest are not among them ([`Note::AnsweredDropped`]).
    ///
    /// # Errors
    ///
    /// `journal_failed`.
    pub async fn pending(&self) -> Result<Vec<Intent>, TradeError> {
        let mut pending = self.unresolved().await?;
        let is_gateway = self.sending.terms.is_gateway();
        if self.shared.market.as_ref().is_some_and(|market| market.has_history()) {
            let guards = self.guards();
            pending.extend(guards.accepted().map(|ended| {
                let mut intent = ended.intent.clone();
                intent.trade.named_signature.clone_from(&ended.signature);
                intent.trade.through_gateway |= is_gateway;
                intent
            }));
        }
        Ok(pending)
    }

    async fn unresolved(&self) -> Result<Vec<Intent>, TradeError> {
        self.shared.recovered().await.map_err(|why| self.shared.journal_failed("", &why))?;
        let now_ms = self.shared.transport.now_ms();
        let mut unresolved: Vec<Intent> =
            self.guards().state(now_ms).unresolved.into_iter().cloned().collect();
        // A journal of one's own may not keep it.
        let is_gateway = self.sending.terms.is_gateway();
        unresolved.iter_mut().for_each(|intent| intent.trade.through_gateway |= is_gateway);
        Ok(unresolved)
    }

    /// How far the trade with this id is: in flight, in doubt, or ended, if it landed or was accepted. Any other is not recorded, and may be
    /// sent. Without a journal that says nothing of earlier runs, so it is `None`.
    ///
    /// # Errors
    ///
    /// `journal_failed`.
    pub async fn intent_state(&self, intent_id: &str) -> Result<Option<IntentState>, TradeError> {
        self.shared.recovered().await.map_err(|why| self.shared.journal_failed("", &why))?;
        let state = self.guards().intent_state(intent_id);
        Ok(Some(state).filter(|state| *state != IntentState::NotRecorded || self.shared.journal.is_some()))
    }

    /// How the trade with this id ended, with its signature if one was reported: also one that an earlier run has sent, if the journal has
    /// it. `None` if it has not ended, has no transaction, or is not remembered: the latest 10,000 are.
    ///
    /// # Errors
    ///
    /// `journal_failed`.
    pub async fn ended_trade(&self, intent_id: &str) -> Result<Option<EndedTrade>, TradeError> {
        self.shared.recovered().await.map_err(|why| self.shared.journal_failed("", &why))?;
        Ok(self.guards().ended(intent_id).cloned().map(EndedTrade::from))
    }

    /// The position that the buy with this id has opened, ready for [`manage`](Client::manage), after a restart too: what was bought, by the
    /// journal, and what it brought and cost, by its transaction on the [market](ClientBuilder::market), at the market's commitment.
    /// `tokens` are base units, `cost_lamports` counts every fee, and the account's rent is apart. It waits up to 15 seconds until the
    /// market shows the transaction, and a buy in doubt is [settled](Client::settle) first. What is sold since is still in it.
    ///
    /// ```
    /// use launchpad_desk::prelude::*;
    /// use launchpad_desk_client::{Client, SandboxTransport, TradeError, Traded};
    /// use launchpad_desk_sandbox::{Sandbox, SandboxConfig};
    /// # tokio::runtime::Builder::new_current_thread().build().unwrap().block_on(async {
    /// let market = SandboxTransport::new(Sandbox::new(SandboxConfig::default()).unwrap());
    /// let (mint, wallet) = {
    ///     let sandbox = market.sandbox();
    ///     (sandbox.tokens()[0].mint.clone(), sandbox.wallets()[0].wallet.clone())
    /// };
    /// let client = Client::builder(market.clone()).market(market).build().unwrap();
    /// client.buy(BuyRequest::new(&mint, &wallet, 1_000_000_000)).intent_id("signal-1").await.unwrap();
    /// let position = client.position_of("signal-1").await.unwrap();
    /// assert_eq!((position.tokens, position.cost_lamports), (34_199_203_120_618, 1_000_005_000));
    /// # });
    /// ```
    ///
    /// # Errors
    ///
    /// [`ClientError::no_position`] names what is missing; and as [`settle`](Client::settle).
    pub async fn position_of(&self, intent_id: &str) -> Result<ExitPosition, ClientError> {
        self.bought_for(intent_id, None).await
    }

    /// The same of one wallet of a bundle.
    /// Fails as [`position_of`](Client::position_of).
    pub async fn position_of_wallet(
        &self,
        intent_id: &str,
        wallet: &str,
    ) -> Result<ExitPosition, ClientError> {
        self.bought_for(intent_id, Some(wallet)).await
    }

    async fn bought_for(&self, intent_id: &str, wallet: Option<&str>) -> Result<ExitPosition, ClientError> {
        let none = |missing| ClientError(Why::NoPosition(missing));
        let market = self.shared.market.as_ref().ok_or(none(NoPosition::NoMarket))?;
        let transport = &self.shared.transport;
        let mut again = AskAgain::new(transport.now_ms(), SHOWN_WITHIN_MS.into(), SHOWN_EVERY_MS);
        let in_doubt = self.unresolved().await?.into_iter().find(|intent| intent.id() == intent_id);
        if let Some(intent) = in_doubt.filter(|_| market.has_history()) {
            self.settle_in_doubt(market.as_ref(), intent.trade).await?;
        }
        loop {
            let state = self.intent_state(intent_id).await?;
            let ended = self.ended_trade(intent_id).await?;
            let request = ended.as_ref().and_then(|ended| ended.intent.request().ok());
            let signature = ended.as_ref().and_then(|ended| ended.signature.as_deref());
            let bought = Bought {
                intent_id,
                state,
                outcome: ended.as_ref().map(|ended| ended.outcome),
                request: request.as_deref(),
                signature,
                wallet,
            };
            let missing = match (bought.transaction(), &ended) {
                (Ok(_), Some(ended)) => {
                    let asked = market.moved(ended).ok_or(none(NoPosition::NoMarket))?;
                    let moved = asked.await.map_err(Why::Silent)?;
                    match bought.position(moved.as_ref()) {
                        Ok(position) => return Ok(position),
                        Err(missing) => missing,
                    }
                }
                (Ok(_), None) => NoPosition::NotRecorded,
                (Err(missing), _) => missing,
            };
            let ms = again.next(transport.now_ms(), missing.may_pass()).ok_or(none(missing))?;
            transport.sleep(ms).await;
        }
    }

    /// Checks a service's success on the chain, by the [market](ClientBuilder::market). What was not seen may still become final.
    ///
    /// # Errors
    ///
    /// [`ClientError`].
    pub async fn confirm(&self, trade: &Trade) -> Result<SeenOnChain, ClientError> {
        let market = self.shared.market.as_ref().ok_or(Why::NoMarket)?;
        let Some(signature) = trade.signature() else { return Ok(SeenOnChain::NotSeen) };
        market.confirm(signature).await.map_err(|why| Why::Silent(why).into())
    }
}

// A method for each operation: a new one without does not compile.
#[cfg(feature = "sandbox")]
const _: fn(Operation, &Client<SandboxTransport>) = |operation, client| match operation {
    Operation::Buy => _ = |request| client.buy(request),
    Operation::Sell => _ = |request| client.sell(request),
    Operation::SellByPercentage => _ = |request| client.sell_by_percentage(request),
    Operation::BundleBuy => _ = |request| client.bundle_buy(request),
    Operation::BundleSell => _ = |request| client.bundle_sell(request),
    Operation::BundleSellByPercentage => _ = |request| client.bundle_sell_by_percentage(request),
};

impl<T: Transport> ClientBuilder<T> {
    /// The client.
    ///
    /// # Errors
    ///
    /// `invalid_options`, with the first option that cannot be used.
    pub fn build(self) -> Result<Client<T>, TradeError> {
        self.parts().map(|(shared, sending)| Client::of(shared, sending))
    }
}

/// Guards that can be looked at, but not changed.
struct Looking<'c>(MutexGuard<'c, Guards>);

impl Deref for Looking<'_> {
    type Target = Guards;

    fn deref(&self) -> &Guards {
        &self.0
    }
}
