//! The sandbox as a transport: no key, no network, no money.

use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Duration;

use super::error::TradeError;
use super::market::{AreAll, Asked, Market};
use super::system;
use super::system::lock;
use super::transport::{BoxError, BoxFuture, Incoming, Transport};
use super::watch::{ExitLook, Looks};
use launchpad_desk::amount::SlippageUnit;
use launchpad_desk::api::endpoint::Operation;
use launchpad_desk::api::request::Request;
use launchpad_desk::bindings::debug_text;
use launchpad_desk::error::Error;
use launchpad_desk::evidence::Seen;
use launchpad_desk::launchpad::{Launchpad, Token};
use launchpad_desk::tape::{Item, json};
use launchpad_desk::trade::SANDBOX_URL;
use launchpad_desk::trade::flow::{Get, Head, Lost, Post};
use launchpad_desk::trade::guard::OtherTrade;
use launchpad_desk::trade::journal::{EndedTrade, TradeIntent};
use launchpad_desk::trade::plan::{Destination, PlanPrice};
use launchpad_desk::trade::reconcile::WalletBalances;
use launchpad_desk::trade::settle::Settled;
use launchpad_desk_sandbox::{HttpRequest, MarketHolder, ReplyCut, Sandbox};

/// Trades in a [`Sandbox`]. Clones share it.
///
/// It knows the truth about each failure: a refused connection is proven unsent.
#[derive(Clone, Debug)]
pub struct SandboxTransport(Arc<Mutex<Sandbox>>);

impl SandboxTransport {
    /// Trades in this sandbox.
    pub fn new(sandbox: Sandbox) -> Self {
        SandboxTransport(Arc::new(Mutex::new(sandbox)))
    }

    /// The sandbox, to look at and to change. No trade can proceed while this lock is held, so hold it only briefly.
    pub fn sandbox(&self) -> MutexGuard<'_, Sandbox> {
        lock(&self.0)
    }
}

/// A look at a token of a sandbox.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SandboxLook {
    /// The launchpad's rules.
    pub launchpad: Launchpad,
    /// The token, for quotes.
    pub token: Token,
    /// The wallets that were asked for and are known, in that order.
    pub wallets: Vec<MarketHolder>,
    /// The market's time, in milliseconds.
    pub at_ms: u64,
}

impl SandboxLook {
    pub(super) fn differs_from(&self, other: &SandboxLook) -> bool {
        (self.token, &self.wallets) != (other.token, &other.wallets)
    }

    pub(super) fn for_exits(&self, wallet: &str) -> ExitLook<'_> {
        let own = self.wallets.iter().find(|own| own.wallet == wallet);
        ExitLook {
            launchpad: &self.launchpad,
            token: &self.token,
            wallet_tokens: own.map(|own| own.holding.as_ref().map_or(0, |account| account.tokens)),
            at_ms: Some(self.at_ms),
        }
    }
}

impl SandboxTransport {
    /// A token's curve and rules, and what these wallets hold; `None` without such a token.
    pub fn look(&self, mint: &str, wallets: &[String]) -> Option<SandboxLook> {
        let sandbox = self.sandbox();
        let token = sandbox.state().token(mint)?.token();
        let all = sandbox.wallets();
        let known = |id: &String| {
            let own = all.iter().find(|own| own.wallet == *id)?;
            Some(MarketHolder {
                wallet: own.wallet.clone(),
                lamports: own.lamports,
                holding: own.token_accounts.iter().find(|account| account.mint == mint).cloned(),
                opens_volume_account: own.opens_volume_account,
            })
        };
        Some(SandboxLook {
            launchpad: sandbox.rules().clone(),
            token,
            wallets: wallets.iter().filter_map(known).collect(),
            at_ms: sandbox.state().world.now_ms.get(),
        })
    }
}

/// A sandbox is watched by looking at it: each look says what has moved since the one before.
impl Looks for SandboxTransport {
    type Look = SandboxLook;
    const EVERY: Duration = Duration::from_millis(20);

    fn look_at<'a>(
        &'a self,
        mint: &'a str,
        wallets: &'a [String],
    ) -> BoxFuture<'a, Result<SandboxLook, BoxError>> {
        let look = self.look(mint, wallets).ok_or("the sandbox has no such token");
        Box::pin(std::future::ready(look.map_err(BoxError::from)))
    }

    fn is_news(before: &SandboxLook, look: &SandboxLook) -> bool {
        before.differs_from(look)
    }

    fn for_exits<'l>(look: &'l SandboxLook, _: &str, wallet: &str) -> ExitLook<'l> {
        look.for_exits(wallet)
    }
}

/// The sandbox as a client's market: it prices plans, notes what wallets hold, and confirms by its own log. Its slots are its transactions.
/// It reads a slippage in its own unit, as it does when it serves the trade.
impl Market for SandboxTransport {
    fn quote_body<'a>(
        &'a self,
        operation: Operation,
        body: &'a str,
        _: SlippageUnit,
    ) -> BoxFuture<'a, Result<PlanPrice, BoxError>> {
        let quoted =
            json::parse(body.as_bytes()).map_err(|error| BoxError::from(error.what)).and_then(|body| {
                let price = self.price(operation, body.root())?;
                price.ok_or_else(|| BoxError::from("the sandbox gave no price"))
            });
        Box::pin(std::future::ready(quoted))
    }

    fn before<'a>(&'a self, intent: &'a TradeIntent) -> BoxFuture<'a, Result<Vec<WalletBalances>, BoxError>> {
        Box::pin(std::future::ready(
            intent.request().map_err(BoxError::from).map(|request| self.balances(&request)),
        ))
    }

    fn has_history(&self) -> bool {
        false
    }

    fn settle_trade<'a>(
        &'a self,
        _: &'a TradeIntent,
        _: Option<Vec<OtherTrade>>,
        _: &'a AreAll<'a>,
    ) -> BoxFuture<'a, Result<Settled, BoxError>> {
        let why = "a sandbox keeps no evidence: settle by a local chain around it";
        Box::pin(std::future::ready(Err(why.into())))
    }

    fn confirm<'a>(&'a self, signature: &'a str) -> BoxFuture<'a, Result<Seen, BoxError>> {
        let sandbox = self.sandbox();
        let trade = sandbox.trades().iter().rev().find(|trade| trade.signature == signature);
        let seen =
            trade.map_or(Seen::NotSeen, |trade| if trade.success { Seen::Finalized } else { Seen::Failed });
        Box::pin(std::future::ready(Ok(seen)))
    }

    fn moved<'a>(&'a self, trade: &'a EndedTrade) -> Option<Asked<'a>> {
        let moved = trade.signature.as_deref().and_then(|signature| self.sandbox().moved(signature));
        Some(Box::pin(std::future::ready(Ok(moved))))
    }
}

impl SandboxTransport {
    /// What the wallets of a request hold, each once.
    fn balances(&self, request: &Request) -> Vec<WalletBalances> {
        let sandbox = self.sandbox();
        let slot = Some(sandbox.account().transactions.get());
        let mut all: Vec<WalletBalances> = Vec::new();
        let payer = [request.payer()];
        for wallet in request.legs.iter().map(|leg| leg.from_wallet.as_str()).chain(payer) {
            let Some(row) = sandbox.state().wallet(wallet) else { continue };
            if all.iter().any(|own| own.wallet == wallet) {
                continue;
            }
            let tokens =
                sandbox.state().token_account(wallet, &request.mint).map_or(0, |account| account.tokens);
            all.push(WalletBalances {
                wallet: wallet.to_owned(),
                tokens: Some(tokens),
                lamports: Some(row.lamports),
                slot,
            });
        }
        all
    }
}

/// A reply of the sandbox, on its way. `Debug` shows only its status.
pub struct SandboxReply {
    head: Head,
    body: Vec<u8>,
    /// Milliseconds until the rest of the body.
    body_ms: u32,
    is_whole: bool,
}

debug_text!(SandboxReply, |reply| "SandboxReply({})", reply.head.status);

impl Transport for SandboxTransport {
    type Reply = SandboxReply;

    fn destination(&self) -> Destination {
        Destination { base_url: SANDBOX_URL.to_owned(), is_simulated: true }
    }

    fn price(&self, operation: Operation, request: Item) -> Result<Option<PlanPrice>, TradeError> {
        let sandbox = self.sandbox();
        let run = sandbox.quote(operation, request).map_err(Error::invalid_request)?;
        Ok(Some(PlanPrice::of(&run.view(sandbox.config().token_decimals()))))
    }

    async fn send(&self, post: Post) -> Result<SandboxReply, Lost> {
        self.answered("POST", post.path, &post.headers, post.body.as_bytes()).await
    }

    async fn get(&self, get: Get) -> Result<SandboxReply, Lost> {
        self.answered("GET", &get.path, &get.headers, b"").await
    }
}

impl SandboxTransport {
    async fn answered(
        &self,
        method: &str,
        path: &str,
        headers: &[(String, String)],
        body: &[u8],
    ) -> Result<SandboxReply, Lost> {
        let request = HttpRequest { method, path, headers, body, now_ms: self.now_ms() };
        let answer = self.sandbox().handle(&request);
        let delivery = answer.delivery;
        if delivery.latency_ms > 0 {
            system::sleep(delivery.latency_ms).await;
        }
        match delivery.cut {
            ReplyCut::NoConnection => return Err(Lost::Unsent("ECONNREFUSED".to_owned())),
            ReplyCut::BeforeReply => return Err(Lost::Broken("ECONNRESET".to_owned())),
            ReplyCut::None | ReplyCut::WithinBody => {}
        }
        let retry_after = answer.reply.header("retry-after").map(str::to_owned);
        Ok(SandboxReply {
            head: Head { status: answer.reply.status, retry_after, is_simulated: true, intent_state: None },
            body: answer.reply.body,
            body_ms: delivery.body_ms,
            is_whole: delivery.cut == ReplyCut::None,
        })
    }
}

impl Incoming for SandboxReply {
    fn head(&self) -> Head {
        self.head.clone()
    }

    async fn chunk(&mut self) -> Result<Option<Vec<u8>>, Lost> {
        if self.body_ms > 0 {
            system::sleep(std::mem::take(&mut self.body_ms)).await;
        }
        if !self.body.is_empty() {
            return Ok(Some(std::mem::take(&mut self.body)));
        }
        if self.is_whole { Ok(None) } else { Err(Lost::Broken("ECONNRESET".to_owned())) }
    }
}
