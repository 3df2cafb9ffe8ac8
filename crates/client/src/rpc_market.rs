//! A market that asks a node of the network, by its JSON-RPC.

use std::collections::HashMap;
use std::future::{Future, poll_fn};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::Poll;
use std::time::Duration;

use super::chain_reading::{MarketOptions, Reading, for_exits};
#[cfg(any(feature = "reqwest", target_arch = "wasm32"))]
use super::error::TradeError;
use super::market::{AreAll, Asked, Market};
use super::node::NodeError;
#[cfg(any(feature = "reqwest", target_arch = "wasm32"))]
use super::node::PostToNode;
use super::system;
use super::system::lock;
use super::transport::{BoxError, BoxFuture, BoxedError, MaybeSend, MaybeSync};
use super::watch::{ExitLook, Looks};
use launchpad_desk::amount::SlippageUnit;
use launchpad_desk::api::endpoint::Operation;
use launchpad_desk::bindings::debug_text;
use launchpad_desk::bindings::drivers::LOOK_EVERY_MS;
use launchpad_desk::bindings::settling::AskAgain;
use launchpad_desk::chain::address::Address;
use launchpad_desk::chain::look::{Look, addresses};
use launchpad_desk::chain::rpc::{Replies, read_transaction};
use launchpad_desk::chain::wallets::Wallets;
use launchpad_desk::evidence::Seen;
use launchpad_desk::intent::IntentOutcome;
use launchpad_desk::market::MarketRefusal;
use launchpad_desk::market::drift::{Drift, QuotedPlan, drift, read_landed, transaction_body};
use launchpad_desk::market::follow::Follow;
use launchpad_desk::market::own::{OWN_EVERY_MS, OWN_WITHIN_MS, OwnTrades};
use launchpad_desk::market::read::{
    Asking, Commitment, accounts_body, balances_of, read_decimals, read_look, read_slot, read_status,
    read_wallets_reply, status_body, wallets_of,
};
use launchpad_desk::market::settler::{MOST_AT_ONCE, Settler, Shown, moved, sent};
use launchpad_desk::trade::guard::{OtherTrade, request_of};
use launchpad_desk::trade::journal::{EndedTrade, TradeIntent};
use launchpad_desk::trade::plan::PlanPrice;
use launchpad_desk::trade::reconcile::WalletBalances;
use launchpad_desk::trade::settle::Settled;

/// Prices, holdings and proof from a node. It signs nothing and holds no key.
///
/// `post` sends a body to the node, and gives the body of its reply.
///
/// ```no_run
/// use launchpad_desk_client::{BoxError, Client, MarketOptions, RpcMarket, SandboxTransport};
/// # fn build(transport: SandboxTransport) -> Result<(), Box<dyn std::error::Error>> {
/// async fn post(body: String) -> Result<Vec<u8>, BoxError> {
///     Err(format!("post this to your node: {body}").into())
/// }
///
/// # use std::time::Duration;
/// let options = MarketOptions { wallets_shared: false, service_holds: Some(Duration::from_secs(30)), ..MarketOptions::default() };
/// let client = Client::builder(transport).market(RpcMarket::new(post, options)).build()?;
/// # Ok(())
/// # }
/// ```
pub struct RpcMarket<P> {
    post: P,
    reading: Reading,
    /// What the chain has shown of each unresolved trade after its send.
    shown: Mutex<HashMap<String, Shown>>,
    /// The own trades that looks have to show.
    own: Mutex<OwnTrades>,
    /// Whether the node answers calls, but no batches of them.
    refuses_batches: AtomicBool,
    /// The most accounts that it allows a call, if it has refused more.
    most_accounts: Mutex<Option<usize>>,
}

/// What each of these futures gives, in their order, polled together.
async fn all<F: Future>(work: impl Iterator<Item = F>) -> Vec<F::Output> {
    let mut work: Vec<_> = work.map(|one| (Box::pin(one), None)).collect();
    poll_fn(|context| {
        for (one, given) in &mut work {
            if given.is_none()
                && let Poll::Ready(output) = one.as_mut().poll(context)
            {
                *given = Some(output);
            }
        }
        if work.iter().all(|(_, given)| given.is_some()) { Poll::Ready(()) } else { Poll::Pending }
    })
    .await;
    work.into_iter().filter_map(|(_, given)| given).collect()
}

debug_text!([P] RpcMarket<P>, |_| "RpcMarket");

#[cfg(any(feature = "reqwest", target_arch = "wasm32"))]
impl RpcMarket<PostToNode> {
    /// A market of the node at this URL, over `reqwest`, and in a browser over its own `fetch`. A reply with another status than one of success
    /// is no answer, and of a longer one than `max_reply_bytes` no more is read. A user and a password in the URL are sent as the header
    /// `authorization`, and so are the `headers` of the options.
    ///
    /// ```no_run
    /// use launchpad_desk_client::{MarketOptions, RpcMarket};
    /// use launchpad_desk::prelude::*;
    /// use launchpad_desk_client::TradeError;
    ///
    /// # fn build() -> Result<(), TradeError> {
    /// let market = RpcMarket::at("https://rpc.example", MarketOptions::default())?;
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// `invalid_options`, if it is no absolute URL, or a header cannot be sent.
    pub fn at(url: &str, options: MarketOptions) -> Result<Self, TradeError> {
        #[cfg(not(target_arch = "wasm32"))]
        let post = super::reqwest::post_to_node(url, &options.headers, options.max_reply_bytes)?;
        #[cfg(target_arch = "wasm32")]
        let post = super::gloo::post_to_node(url, &options.headers, options.max_reply_bytes)?;
        Ok(RpcMarket::new(post, options))
    }
}

impl<P, F> RpcMarket<P>
where
    P: Fn(String) -> F + MaybeSend + MaybeSync,
    F: Future<Output = Result<Vec<u8>, BoxError>> + MaybeSend,
{
    /// A market of the node that `post` reaches. If it can tell the status of a reply, it returns
    /// [`NodeError::of_reply`] for each that is none of success. It sends what headers the node needs: those of the options are for
    /// `RpcMarket::at`.
    pub fn new(post: P, options: MarketOptions) -> Self {
        RpcMarket {
            post,
            own: Mutex::new(OwnTrades::of(options.commitment)),
            reading: Reading::new(options),
            shown: Mutex::default(),
            refuses_batches: AtomicBool::new(false),
            most_accounts: Mutex::default(),
        }
    }

    /// Takes the time, in milliseconds since 1970, from this function, and not from the system.
    pub fn clock(self, now_ms: impl Fn() -> u64 + MaybeSend + MaybeSync + 'static) -> Self {
        RpcMarket { reading: self.reading.clock(now_ms), ..self }
    }

    async fn posted(&self, body: String) -> Result<Vec<u8>, BoxError> {
        let mut asking = Asking::new(&body, *lock(&self.most_accounts));
        let mut refused = None;
        loop {
            let bodies = asking.bodies();
            if bodies.is_empty() {
                break;
            }
            for came in all(bodies.into_iter().map(|body| self.replied(body))).await {
                let (status, reply) = came?;
                asking.replied(status, &reply);
                refused = (status != 200).then(|| NodeError::of_reply(status, reply));
            }
        }
        if let Some(most) = asking.most_accounts() {
            *lock(&self.most_accounts) = Some(most);
        }
        asking.answer().map_err(|why| match refused {
            Some(refused) if !why.is_limit() => refused.into(),
            _ => why.into(),
        })
    }

    /// The reply to a body with its HTTP status, 200 where nobody says it.
    async fn replied(&self, body: String) -> Result<(u16, Vec<u8>), BoxError> {
        let (status, reply) = match self.reading.given((self.post)(body)).await {
            Ok(reply) => (200, reply),
            Err(why) => match why.downcast_ref().and_then(NodeError::reply) {
                Some((status, reply)) => (status, reply.to_vec()),
                None => return Err(why),
            },
        };
        let most = self.reading.options.max_reply_bytes;
        if reply.len() > most as usize {
            return Err(NodeError::too_long(most).into());
        }
        Ok((status, reply))
    }

    /// A token's curve and rules, and what these wallets hold: one call, one slot.
    ///
    /// # Errors
    ///
    /// The node gives no look, or one of an older slot than an earlier one, or of before an own trade; or it [stands still](MarketRefusal::Stale).
    pub async fn look(&self, mint: &Address, wallets: &[Address]) -> Result<Look, BoxedError> {
        let look = self.looked(mint, &self.reading.wallets_at(wallets)).await?;
        self.reading.fresh()?;
        Ok(look)
    }

    async fn looked(&self, mint: &Address, wallets: &Wallets) -> Result<Look, BoxError> {
        let commitment = self.reading.options.commitment;
        let addresses = addresses(mint, wallets);
        let mut again = AskAgain::new(self.reading.now_ms(), OWN_WITHIN_MS.into(), OWN_EVERY_MS);
        loop {
            let known = self.reading.newest(commitment);
            let reply = self.posted(accounts_body(&addresses, commitment)).await?;
            let rules = self.reading.options.rules.at(self.reading.now_ms());
            // First: a node that lags may not have the account yet.
            self.reading.rises_to(read_slot(&reply)?, commitment, known)?;
            let look = read_look(mint, wallets, &addresses, &reply, rules)?;
            // One of a node that stands still decides nothing anyway.
            if self.reading.fresh().is_err() || self.shows_own(mint, wallets, look.slot).await {
                return Ok(look);
            }
            let ms = again.next(self.reading.now_ms(), true).ok_or(MarketRefusal::NotShown)?;
            system::sleep(ms).await;
        }
    }

    /// Whether a look of this slot shows the own trades of its token and its wallets.
    async fn shows_own(&self, mint: &Address, wallets: &Wallets, slot: u64) -> bool {
        let mint = mint.to_string();
        let wallets = wallets.known.iter().map(|(id, _)| id.as_str());
        let names: Vec<&str> = std::iter::once(mint.as_str()).chain(wallets).collect();
        let body = lock(&self.own).body(&names);
        if let Some(body) = body
            && let Ok(reply) = self.posted(body.clone()).await
        {
            // A node that does not say where a trade is leaves it unknown: it is waited for.
            let _ = lock(&self.own).found(&body, &reply);
        }
        lock(&self.own).shows(&names, slot)
    }

    /// Looks at a token by the updates of its accounts, which the caller's stream has: after a first look by a call, each look comes
    /// when its slot is over ([`Follow`]). Subscribe to [`addresses`] before you call this, and pass every update to
    /// [`Follow::take`]; after a break call it again.
    /// Fails as [`look`](RpcMarket::look).
    pub async fn follow(&self, mint: &Address, wallets: &[Address]) -> Result<(Follow, Look), BoxedError> {
        Ok(self.followed(mint, &self.reading.wallets_at(wallets)).await?)
    }

    async fn followed(&self, mint: &Address, wallets: &Wallets) -> Result<(Follow, Look), BoxError> {
        let commitment = self.reading.options.commitment;
        let mut follow = Follow::new(*mint, wallets.clone(), self.reading.options.rules.clone());
        let known = self.reading.newest(commitment);
        let reply = self.posted(accounts_body(follow.addresses(), commitment)).await?;
        self.reading.rises_to(read_slot(&reply)?, commitment, known)?;
        let look = follow.begin_with(&reply, self.reading.now_ms())?;
        if !self.shows_own(mint, wallets, look.slot).await {
            return Err(MarketRefusal::NotShown.into());
        }
        Ok((follow, look))
    }

    async fn settled(
        &self,
        trade: &TradeIntent,
        answered: Option<(IntentOutcome, &str)>,
        others: Option<Vec<OtherTrade>>,
        are_all: &AreAll<'_>,
    ) -> Result<Settled, BoxError> {
        let MarketOptions { wallets_shared, service_holds, rules, wallet_addresses, .. } =
            &self.reading.options;
        let request = (*trade.request()?).clone();
        let before = trade.before.as_deref().unwrap_or_default();
        // When a gateway has sent it, only the gateway knows: it proves what did not land.
        let held = service_holds.filter(|_| !trade.through_gateway);
        let held_ms = held.map(|held| u64::try_from(held.as_millis()).unwrap_or(u64::MAX));
        let sent = sent(trade.started_at_ms, held_ms, rules.at(trade.started_at_ms), before);
        let shown = lock(&self.shown).get(&trade.intent_id).copied();
        let addresses = wallet_addresses.clone();
        let mut settler = Settler::at(addresses, request, sent, shown, *wallets_shared, others);
        settler = settler.of_few_accounts(*lock(&self.most_accounts));
        if let Some((said, signature)) = answered {
            settler = settler.answered(said, signature.to_owned());
        }
        if self.refuses_batches.load(Ordering::Relaxed) {
            settler = settler.one_by_one();
        }
        loop {
            let bodies = settler.next_bodies(MOST_AT_ONCE);
            if bodies.is_empty() {
                break;
            }
            for came in all(bodies.into_iter().map(|body| self.replied(body))).await {
                match came {
                    Ok((status, reply)) => settler.replied(status, &reply),
                    Err(why) => settler.give_up(&why.to_string()),
                }
            }
        }
        if settler.refuses_batches() {
            self.refuses_batches.store(true, Ordering::Relaxed);
        }
        *lock(&self.most_accounts) = settler.most_accounts();
        let settled = settler.settled_beside(are_all());
        let mut marks = lock(&self.shown);
        match settler.shown().filter(|_| settled.outcome == IntentOutcome::Unknown) {
            Some(shown) => drop(marks.insert(trade.intent_id.clone(), shown)),
            None => drop(marks.remove(&trade.intent_id)),
        }
        Ok(settled)
    }
}

impl<P, F> Looks for RpcMarket<P>
where
    P: Fn(String) -> F + MaybeSend + MaybeSync,
    F: Future<Output = Result<Vec<u8>, BoxError>> + MaybeSend,
{
    type Look = Look;
    const EVERY: Duration = Duration::from_millis(LOOK_EVERY_MS);

    fn look_at<'a>(&'a self, mint: &'a str, wallets: &'a [String]) -> BoxFuture<'a, Result<Look, BoxError>> {
        Box::pin(async move {
            let (mint, wallets) = self.reading.names(mint, wallets.iter().map(String::as_str))?;
            self.looked(&mint, &wallets).await
        })
    }

    fn is_news(before: &Look, look: &Look) -> bool {
        look.slot > before.slot
    }

    fn for_exits<'l>(look: &'l Look, _: &str, wallet: &str) -> ExitLook<'l> {
        for_exits(look, wallet)
    }

    fn stale(&self) -> Option<BoxError> {
        self.reading.fresh().err()
    }
}

impl<P, F> Market for RpcMarket<P>
where
    P: Fn(String) -> F + MaybeSend + MaybeSync,
    F: Future<Output = Result<Vec<u8>, BoxError>> + MaybeSend,
{
    fn quote_body<'a>(
        &'a self,
        operation: Operation,
        body: &'a str,
        slippage_unit: SlippageUnit,
    ) -> BoxFuture<'a, Result<PlanPrice, BoxError>> {
        Box::pin(async move {
            let (mint, wallets) = self.reading.names_in(&*request_of(operation, body)?)?;
            let look = self.looked(&mint, &wallets).await?;
            self.reading.quoted(&look, operation, body, slippage_unit)
        })
    }

    fn decimals_of<'a>(&'a self, mint: &'a str) -> BoxFuture<'a, Result<Option<u8>, BoxError>> {
        Box::pin(async move {
            let mint = mint.parse()?;
            let body = accounts_body(std::slice::from_ref(&mint), self.reading.options.commitment);
            Ok(Some(read_decimals(&mint, &self.posted(body).await?)?))
        })
    }

    fn before<'a>(&'a self, intent: &'a TradeIntent) -> BoxFuture<'a, Result<Vec<WalletBalances>, BoxError>> {
        Box::pin(async move {
            let (mint, wallets) = self.reading.known_in(&*intent.request()?)?;
            let addresses = addresses(&mint, &wallets);
            let known = self.reading.newest(Commitment::Finalized);
            let reply = self.posted(accounts_body(&addresses, Commitment::Finalized)).await?;
            self.reading.rises_to(read_slot(&reply)?, Commitment::Finalized, known)?;
            let (slot, wallets) = read_wallets_reply(&mint, &wallets, &addresses, &reply)?;
            Ok(balances_of(slot, &wallets))
        })
    }

    fn traded(&self, trade: &TradeIntent, signature: Option<&str>) {
        let Ok(request) = trade.request() else { return };
        let wallets = wallets_of(&request);
        let names: Vec<&str> = std::iter::once(request.mint.as_str()).chain(wallets).collect();
        lock(&self.own).traded(&names, signature);
    }

    fn settle_trade<'a>(
        &'a self,
        trade: &'a TradeIntent,
        others: Option<Vec<OtherTrade>>,
        are_all: &'a AreAll<'a>,
    ) -> BoxFuture<'a, Result<Settled, BoxError>> {
        Box::pin(async move { self.settled(trade, None, others, are_all).await })
    }

    fn look_up<'a>(
        &'a self,
        trade: &'a EndedTrade,
        others: Option<Vec<OtherTrade>>,
        are_all: &'a AreAll<'a>,
    ) -> BoxFuture<'a, Result<Settled, BoxError>> {
        Box::pin(async move {
            let answered = trade.signature.as_deref().map(|signature| (trade.outcome, signature));
            self.settled(&trade.intent, answered, others, are_all).await
        })
    }

    fn confirm<'a>(&'a self, signature: &'a str) -> BoxFuture<'a, Result<Seen, BoxError>> {
        Box::pin(async move {
            let reply = self.posted(status_body(signature)).await?;
            Ok(read_status(&reply)?)
        })
    }

    fn moved<'a>(&'a self, trade: &'a EndedTrade) -> Option<Asked<'a>> {
        Some(Box::pin(async move {
            let Some(signature) = &trade.signature else { return Ok(None) };
            let request = trade.intent.request()?;
            let reply = self.posted(transaction_body(signature, self.reading.options.commitment)).await?;
            let read = read_transaction(Replies::parse(&reply)?.result(1)?)?;
            let before = trade.intent.before.as_deref().unwrap_or_default();
            let before_slot = before.iter().filter_map(|balances| balances.slot).max();
            let (addresses, at_ms) = (&self.reading.options.wallet_addresses, trade.intent.started_at_ms);
            let moved = read.map(|read| moved(addresses, &request, at_ms, before_slot, &read));
            Ok(moved.transpose()?)
        }))
    }

    fn drift<'a>(
        &'a self,
        operation: Operation,
        body: &'a str,
        price: &'a PlanPrice,
        signature: &'a str,
    ) -> BoxFuture<'a, Result<Drift, BoxError>> {
        Box::pin(async move {
            let quoted = QuotedPlan::read(price).map_err(|problems| {
                let messages: Vec<String> = problems.into_iter().map(|problem| problem.message).collect();
                format!("the plan's price is none of a market: {}", messages.join("; "))
            })?;
            let request = request_of(operation, body)?;
            let reply = self.posted(transaction_body(signature, self.reading.options.commitment)).await?;
            let landed = read_landed(&reply)?.ok_or(MarketRefusal::NoTransaction)?;
            Ok(drift(&self.reading.options.wallet_addresses, &quoted, &request, &landed)?)
        })
    }
}
