//! A market that asks a node of the network, by its JSON-RPC.

use std::collections::HashMap;
use std::future::Future;
use std::sync::Mutex;

use super::market::Market;
use super::shared::lock;
use super::system;
use super::transport::{BoxError, BoxFuture, MaybeSend, MaybeSync};
use crate::api::endpoint::Operation;
use crate::api::request::Request;
use crate::chain::address::Address;
use crate::chain::look::{Look, addresses};
use crate::evidence::{Mark, Seen};
use crate::launchpad::Launchpad;
use crate::market::MarketRefusal;
use crate::market::drift::{Drift, Quoted, drift, read_landed, transaction_body};
use crate::market::inquiry::{Inquiry, sent};
use crate::market::quote::quote_body;
use crate::market::read::{
    Commitment, accounts_body, balances_of, read_look, read_status, status_body, wallets_of,
};
use crate::tape::{Item, Tape};
use crate::trade::guard::{OtherTrade, request_of};
use crate::trade::journal::TradeIntent;
use crate::trade::reconcile::WalletBalances;
use crate::trade::settle::{Became, Settled};

/// How an [`RpcMarket`] asks, and what a node cannot know.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MarketOptions {
    /// How sure the node must be of what prices are made from. What is recorded before a trade is always finalized.
    pub commitment: Commitment,
    /// The launchpad's rules that accounts do not have, such as the rent.
    pub rules: Launchpad,
    /// Whether anybody but the client signs for its wallets, another client or another run without its journal among them. Then no trade
    /// is proven to have landed or failed. Default: true.
    pub wallets_shared: bool,
    /// The longest time from a request until the service takes its blockhash, in milliseconds. Without it, or if the service signs with
    /// durable nonces, no trade is ever said to have failed or never landed.
    pub service_holds_ms: Option<u64>,
}

impl Default for MarketOptions {
    fn default() -> Self {
        MarketOptions {
            commitment: Commitment::default(),
            rules: Launchpad::default(),
            wallets_shared: true,
            service_holds_ms: None,
        }
    }
}

/// Prices, holdings and proof from a node. It signs nothing and holds no key.
///
/// `post` sends a body to the node, and gives the body of its reply.
///
/// ```no_run
/// use launchpad_desk::client::{BoxError, Client, MarketOptions, RpcMarket, SandboxTransport};
/// # fn build(transport: SandboxTransport) -> Result<(), Box<dyn std::error::Error>> {
/// async fn post(body: String) -> Result<Vec<u8>, BoxError> {
///     Err(format!("post this to your node: {body}").into())
/// }
///
/// let options = MarketOptions { wallets_shared: false, service_holds_ms: Some(30_000), ..MarketOptions::default() };
/// let client = Client::builder(transport).market(RpcMarket::new(post, options)).build()?;
/// # Ok(())
/// # }
/// ```
pub struct RpcMarket<P> {
    post: P,
    options: MarketOptions,
    now_ms: Box<dyn Clock>,
    /// The newest slot that was read, prices and finalized readings apart.
    newest: Mutex<[u64; 2]>,
    /// The block from which each unresolved trade's blockhash must have expired.
    since: Mutex<HashMap<String, Mark>>,
}

trait Clock: Fn() -> u64 + MaybeSend + MaybeSync {}
impl<C: Fn() -> u64 + MaybeSend + MaybeSync> Clock for C {}

/// Shows none of its contents.
impl<P> std::fmt::Debug for RpcMarket<P> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("RpcMarket")
    }
}

impl<P, F> RpcMarket<P>
where
    P: Fn(String) -> F + MaybeSend + MaybeSync,
    F: Future<Output = Result<Vec<u8>, BoxError>> + MaybeSend,
{
    /// A market of the node that `post` reaches.
    pub fn new(post: P, options: MarketOptions) -> Self {
        RpcMarket {
            post,
            options,
            now_ms: Box::new(system::now_ms),
            newest: Mutex::default(),
            since: Mutex::default(),
        }
    }

    /// Takes the time, in milliseconds since 1970, from this function, and not from the system.
    pub fn clock(self, now_ms: impl Fn() -> u64 + MaybeSend + MaybeSync + 'static) -> Self {
        RpcMarket { now_ms: Box::new(now_ms), ..self }
    }

    async fn posted(&self, body: String) -> Result<Vec<u8>, BoxError> {
        // Without the reason: a URL of a node often has a key in it.
        (self.post)(body).await.map_err(|_| MarketRefusal::Unreachable.meaning().into())
    }

    /// A token's curve and rules, and what these wallets hold: one call, one slot.
    ///
    /// # Errors
    ///
    /// The node gives no look, or one of an older slot than an earlier one.
    pub async fn look(&self, mint: &Address, wallets: &[Address]) -> Result<Look, BoxError> {
        self.looked(mint, wallets, self.options.commitment).await
    }

    async fn looked(
        &self,
        mint: &Address,
        wallets: &[Address],
        commitment: Commitment,
    ) -> Result<Look, BoxError> {
        let addresses = addresses(mint, wallets);
        let reply = self.posted(accounts_body(&addresses, commitment)).await?;
        let look = read_look(mint, wallets, &addresses, &reply, &self.options.rules)?;
        let mut newest = lock(&self.newest);
        let newest = &mut newest[usize::from(commitment == Commitment::Finalized)];
        if look.slot < *newest {
            return Err(MarketRefusal::WentBack.meaning().into());
        }
        *newest = look.slot;
        Ok(look)
    }

    async fn look_for(&self, request: &Request, commitment: Commitment) -> Result<Look, BoxError> {
        let wallets: Result<Vec<Address>, _> = wallets_of(request).into_iter().map(str::parse).collect();
        self.looked(&request.mint.parse()?, &wallets?, commitment).await
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
    ) -> BoxFuture<'a, Result<Tape, BoxError>> {
        Box::pin(async move {
            let request = request_of(operation, body)?;
            let commitment = self.options.commitment;
            let look = self.look_for(&request, commitment).await?;
            Ok(quote_body(&look, operation, body, (self.now_ms)(), commitment)?)
        })
    }

    fn before<'a>(&'a self, intent: &'a TradeIntent) -> BoxFuture<'a, Result<Vec<WalletBalances>, BoxError>> {
        Box::pin(async move {
            let look = self.look_for(&*intent.request()?, Commitment::Finalized).await?;
            Ok(balances_of(&look))
        })
    }

    fn settle_trade<'a>(
        &'a self,
        trade: &'a TradeIntent,
        others: Option<Vec<OtherTrade>>,
    ) -> BoxFuture<'a, Result<Settled, BoxError>> {
        Box::pin(async move {
            let MarketOptions { wallets_shared, service_holds_ms, .. } = self.options;
            let request = (*trade.request()?).clone();
            let before = trade.before.as_deref().unwrap_or_default();
            let sent = sent(trade.started_at_ms, service_holds_ms, before);
            let since = lock(&self.since).get(&trade.intent_id).copied();
            let mut inquiry = Inquiry::new(request, sent, since, wallets_shared, others);
            while let Some(body) = inquiry.next_body() {
                match self.posted(body).await {
                    Ok(reply) => inquiry.replied(&reply, (self.now_ms)()),
                    Err(why) => inquiry.give_up(&why.to_string()),
                }
            }
            let settled = inquiry.settled();
            let mut marks = lock(&self.since);
            match inquiry.since().filter(|_| settled.became == Became::Open) {
                Some(since) => drop(marks.insert(trade.intent_id.clone(), since)),
                None => drop(marks.remove(&trade.intent_id)),
            }
            Ok(settled)
        })
    }

    fn confirm<'a>(&'a self, signature: &'a str) -> BoxFuture<'a, Result<Seen, BoxError>> {
        Box::pin(async move {
            let reply = self.posted(status_body(signature)).await?;
            Ok(read_status(&reply)?)
        })
    }

    fn drift<'a>(
        &'a self,
        operation: Operation,
        body: &'a str,
        price: Item<'a>,
        signature: &'a str,
    ) -> BoxFuture<'a, Result<Drift, BoxError>> {
        Box::pin(async move {
            let quoted = Quoted::read(price).map_err(|problems| {
                let messages: Vec<String> = problems.into_iter().map(|problem| problem.message).collect();
                format!("the plan's price is none of a market: {}", messages.join("; "))
            })?;
            let request = request_of(operation, body)?;
            let reply = self.posted(transaction_body(signature, self.options.commitment)).await?;
            let landed = read_landed(&reply)?.ok_or_else(|| MarketRefusal::NoTransaction.meaning())?;
            Ok(drift(&quoted, &request, &landed))
        })
    }
}
