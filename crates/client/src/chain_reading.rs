//! What every market of the chain has: its options, the time, and the newest slot that it has read.

use std::fmt;
use std::future::Future;
use std::sync::Mutex;
use std::time::Duration;

use super::node::NodeError;
use super::shared::{whole_ms, within};
use super::system;
use super::system::lock;
use super::transport::{BoxError, MaybeSend, MaybeSync};
use super::watch::ExitLook;
use launchpad_desk::amount::SlippageUnit;
use launchpad_desk::api::endpoint::Operation;
use launchpad_desk::api::request::Request;
use launchpad_desk::bindings::drivers::{MAX_AGE_MS, MOST_NODE_BYTES, NODE_TIMEOUT_MS};
use launchpad_desk::chain::address::Address;
use launchpad_desk::chain::look::Look;
use launchpad_desk::chain::wallets::{WalletAddresses, Wallets};
use launchpad_desk::launchpad::rules::RulesByDay;
use launchpad_desk::market::MarketRefusal;
use launchpad_desk::market::quote::quote_body;
use launchpad_desk::market::read::{Commitment, wallets_of};
use launchpad_desk::trade::plan::PlanPrice;

/// How a market of the chain asks, and what a node cannot know.
#[derive(Clone, PartialEq, Eq)]
pub struct MarketOptions {
    /// How sure the node must be of what prices are made from. What is recorded before a trade is always finalized.
    pub commitment: Commitment,
    /// The launchpad's rules that accounts do not have, such as the rent. Default: those of the day.
    pub rules: RulesByDay,
    /// Whether anybody but the client signs for its wallets, another client or another run without its journal among them. Then no trade
    /// is proven to have landed or failed. Default: true.
    pub wallets_shared: bool,
    /// The longest time from a request until the service takes its blockhash. Without it, or if the service signs with durable nonces, no trade
    /// is ever said to have failed or never landed.
    pub service_holds: Option<Duration>,
    /// How long the newest slot may stand still: after that prices are refused as stale. Default: 10 s.
    pub max_age: Duration,
    /// How long the node may take for one reply. Default: 10 s.
    pub timeout: Duration,
    /// Further headers of each request of `RpcMarket::at`, such as a node's key. `Debug` shows only their names.
    pub headers: Vec<(String, String)>,
    /// The most bytes of a reply that are read. A longer one is refused. Default: 67108864.
    pub max_reply_bytes: u32,
    /// The addresses of wallets that the service names by ids of its own. Requests keep the ids, and so do looks. Default: none, each id is
    /// its address.
    pub wallet_addresses: WalletAddresses,
}

impl Default for MarketOptions {
    fn default() -> Self {
        MarketOptions {
            commitment: Commitment::default(),
            rules: RulesByDay::default(),
            wallets_shared: true,
            service_holds: None,
            max_age: Duration::from_millis(MAX_AGE_MS),
            timeout: Duration::from_millis(NODE_TIMEOUT_MS),
            headers: Vec::new(),
            max_reply_bytes: MOST_NODE_BYTES,
            wallet_addresses: WalletAddresses::default(),
        }
    }
}

impl fmt::Debug for MarketOptions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let MarketOptions { commitment, rules, wallets_shared, service_holds, max_age, timeout, .. } = self;
        let names: Vec<&str> = self.headers.iter().map(|(name, _)| name.as_str()).collect();
        f.debug_struct("MarketOptions")
            .field("commitment", commitment)
            .field("rules", rules)
            .field("wallets_shared", wallets_shared)
            .field("service_holds", service_holds)
            .field("max_age", max_age)
            .field("timeout", timeout)
            .field("headers", &names)
            .field("max_reply_bytes", &self.max_reply_bytes)
            .field("wallet_addresses", &self.wallet_addresses)
            .finish()
    }
}

trait Clock: Fn() -> u64 + MaybeSend + MaybeSync {}
impl<C: Fn() -> u64 + MaybeSend + MaybeSync> Clock for C {}

pub(super) struct Reading {
    pub(super) options: MarketOptions,
    now_ms: Box<dyn Clock>,
    /// The newest slot that was read, prices and finalized readings apart.
    newest: Mutex<[Newest; 2]>,
}

#[derive(Clone, Copy, Default)]
struct Newest {
    slot: u64,
    /// When it was first read.
    since_ms: u64,
}

impl Reading {
    pub(super) fn new(options: MarketOptions) -> Self {
        Reading { options, now_ms: Box::new(system::now_ms), newest: Mutex::default() }
    }

    pub(super) fn clock(self, now_ms: impl Fn() -> u64 + MaybeSend + MaybeSync + 'static) -> Self {
        Reading { now_ms: Box::new(now_ms), ..self }
    }

    pub(super) fn now_ms(&self) -> u64 {
        (self.now_ms)()
    }

    /// What the caller's function gives, if it does in time.
    pub(super) async fn given<T>(
        &self,
        work: impl Future<Output = Result<T, BoxError>>,
    ) -> Result<T, BoxError> {
        let given = within(system::sleep(whole_ms(self.options.timeout)), work).await;
        // Without any other reason: a URL of a node often has a key in it.
        given.unwrap_or_else(|| Err(MarketRefusal::Unreachable.into())).map_err(|why| {
            match why.downcast_ref::<NodeError>() {
                Some(known) => known.clone().into(),
                None => MarketRefusal::Unreachable.into(),
            }
        })
    }

    /// The newest slot that was read so far.
    pub(super) fn newest(&self, commitment: Commitment) -> u64 {
        lock(&self.newest)[usize::from(commitment == Commitment::Finalized)].slot
    }

    /// Takes note of a slot. Slots only rise: it is not older than what was `known` when it was asked for. Of two that are asked for at
    /// once, the later one may be answered first.
    pub(super) fn rises_to(&self, slot: u64, commitment: Commitment, known: u64) -> Result<(), BoxError> {
        if slot < known {
            return Err(MarketRefusal::WentBack.into());
        }
        let mut newest = lock(&self.newest);
        let newest = &mut newest[usize::from(commitment == Commitment::Finalized)];
        if slot > newest.slot {
            *newest = Newest { slot, since_ms: self.now_ms() };
        }
        Ok(())
    }

    /// The newest slot of prices has not stood still for too long. Of a first look nobody can know.
    pub(super) fn fresh(&self) -> Result<(), BoxError> {
        let newest = lock(&self.newest)[usize::from(self.options.commitment == Commitment::Finalized)];
        // A clock that was set back shows nothing to be new.
        let still_ms = self.now_ms().abs_diff(newest.since_ms);
        match newest.slot > 0 && still_ms > whole_ms(self.options.max_age).into() {
            true => Err(MarketRefusal::Stale.into()),
            false => Ok(()),
        }
    }

    /// A mint and wallets, as the chain knows them.
    pub(super) fn names<'n>(
        &self,
        mint: &str,
        wallets: impl IntoIterator<Item = &'n str>,
    ) -> Result<(Address, Wallets), BoxError> {
        Ok((mint.parse()?, self.options.wallet_addresses.wallets(wallets)))
    }

    /// A request's mint, and its wallets, each once, the fee payer among them.
    pub(super) fn names_in(&self, request: &Request) -> Result<(Address, Wallets), BoxError> {
        self.names(&request.mint, wallets_of(request))
    }

    /// A trade's mint and those of its wallets that the chain knows; not one of none.
    pub(super) fn known_in(&self, request: &Request) -> Result<(Address, Wallets), BoxError> {
        let (mint, mut wallets) = self.names_in(request)?;
        match wallets.unknown.pop().filter(|_| wallets.known.is_empty()) {
            Some(unknown) => Err(unknown.into()),
            None => Ok((mint, wallets)),
        }
    }

    /// The wallets at these addresses.
    pub(super) fn wallets_at(&self, addresses: &[Address]) -> Wallets {
        let id_of = |address: &Address| self.options.wallet_addresses.id_of(address);
        let known = addresses.iter().map(|address| (id_of(address), *address)).collect();
        Wallets { known, unknown: Vec::new() }
    }

    /// What a request of this body would do at a look.
    pub(super) fn quoted(
        &self,
        look: &Look,
        operation: Operation,
        body: &str,
        slippage_unit: SlippageUnit,
    ) -> Result<PlanPrice, BoxError> {
        self.fresh()?;
        Ok(quote_body(look, operation, body, slippage_unit, self.now_ms(), self.options.commitment)?)
    }
}

/// What a look says to the exits of a wallet's position. A slot has no exact time of its own.
pub(super) fn for_exits<'l>(look: &'l Look, wallet: &str) -> ExitLook<'l> {
    let own = look.wallets.iter().find(|own| own.wallet == wallet);
    ExitLook {
        launchpad: &look.launchpad,
        token: &look.token,
        wallet_tokens: own.map(|own| own.holding.map_or(0, |holding| holding.tokens)),
        at_ms: None,
    }
}
