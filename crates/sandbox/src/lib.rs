//! The sandbox launchpad: the six endpoints without network, key or real money.
//!
//! ```text
//! HttpRequest ─ service ─▶ Request ─ step ─▶ Trade ─▶ Reply
//!                             │        │
//!                           State ─────┴─▶ Vec<Change> ─ apply ─▶ State
//! ```
//!
//! The same state and the same calls give the same bytes: the caller passes the time, and random draws are derived from the
//! state. The state is rows ([`row`]). A call changes it only through its [`Change`]s, so a store that keeps those has the
//! whole state.

mod actual_outcome;
mod audit;
pub mod backtest;
mod call_log;
mod candles;
mod change;
mod character;
mod config;
mod control;
mod crowd;
mod draws;
mod fault_plan;
mod faults;
mod launch;
mod launch_plan;
pub mod local_chain;
mod market;
mod moving_market;
mod name;
mod origin;
mod outcome;
mod problem;
pub mod recording;
mod replay;
pub mod row;
mod rows;
mod service;
mod skip_reason;
mod state;
mod step;
mod token_names;
mod view;
mod web;
mod window;

pub use actual_outcome::ActualOutcome;
pub use audit::{Audit, AuditFinding, BookEntry, Mismatch, OpenTrade, audit, read_audit};
pub use candles::Candle;
pub use change::Change;
pub use character::{Character, TraderKind};
pub use config::{
    ApiKey, Authorization, RateLimit, SandboxConfig, SandboxHoldingConfig, SandboxTokenConfig,
    SandboxWalletConfig,
};
pub use control::{Funds, read_faults, read_launch};
pub use fault_plan::{Delivery, ReplyCut};
pub use faults::{Fault, FaultConfig, FaultKind, FaultsRow};
pub use market::MarketConfig;
pub use outcome::{OUTCOME_HEADER, OutcomeRow, SandboxOutcome};
pub use problem::SandboxRefusal;
pub use replay::{Replay, TradesWithoutToken};
pub use rows::{Newest, Rows};
pub use service::Answer;
pub use skip_reason::SkipReason;
pub use state::State;
pub use view::{MarketTrade, SandboxToken, SandboxTokenAccount, SandboxWallet};
pub use window::{
    MarketCurve, MarketHolder, MarketStart, MarketTokens, MarketTrades, MarketView, MarketWallets,
};

use launchpad_desk::api::endpoint::Operation;
use launchpad_desk::error::FieldError;
use launchpad_desk::evidence::{Moved, WalletMoved};
pub use launchpad_desk::http::HttpRequest;
use launchpad_desk::launchpad::Launchpad;
use launchpad_desk::launchpad::dry_run::{DryRun, dry_run};
use launchpad_desk::tape::Item;
use row::{AccountRow, CallRow, TradeRow};
use state::Kept;

/// A state that is put together from changes of a store; see [`Sandbox::stored`].
#[derive(Clone, Debug)]
pub struct Stored {
    state: State,
    kept: Kept,
}

impl Stored {
    /// Applies the next changes. They are checked when the state is [taken over](Sandbox::swap).
    pub fn apply(&mut self, changes: &[Change]) {
        self.state.apply(changes, self.kept);
    }
}

/// A simulated launchpad.
///
/// ```
/// use launchpad_desk_sandbox::{HttpRequest, Sandbox, SandboxConfig};
///
/// let mut sandbox = Sandbox::new(SandboxConfig::default()).unwrap();
/// let (mint, wallet) = (sandbox.tokens()[0].mint.clone(), sandbox.wallets()[0].wallet.clone());
/// let body = format!(r#"{{"mint":"{mint}","fromWallet":"{wallet}","amountInLamports":1000000000}}"#);
/// let answer = sandbox.handle(&HttpRequest {
///     method: "POST",
///     path: "/v1/trade/buy",
///     headers: &[("content-type".into(), "application/json".into())],
///     body: body.as_bytes(),
///     now_ms: 0,
/// });
/// assert_eq!(answer.reply.status, 200);
/// assert_eq!(sandbox.wallets()[0].token_accounts[0].tokens, 34_199_203_120_618);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sandbox {
    config: SandboxConfig,
    state: State,
}

impl Sandbox {
    /// A sandbox at its start.
    ///
    /// # Errors
    ///
    /// Settings that contradict each other: a wallet named twice, more lamports than fit 64 bits, a curve that holds more
    /// tokens than exist.
    pub fn new(config: SandboxConfig) -> Result<Sandbox, Vec<FieldError>> {
        Ok(Sandbox { state: moving_market::begin(&config)?, config })
    }

    /// Restores a sandbox from a [`snapshot`](Sandbox::snapshot). The settings must be given again: a snapshot contains only
    /// what trades can change, and no key.
    ///
    /// # Errors
    ///
    /// Every field that is wrong, by path; text that is not JSON; another version or other token decimals; rows
    /// that contradict each other.
    pub fn restore(config: SandboxConfig, snapshot: &str) -> Result<Sandbox, Vec<FieldError>> {
        Ok(Sandbox { state: State::restore(snapshot, &config)?, config })
    }

    /// Answers one request, and applies [`Answer::changes`]. It never answers 5xx, unless a fault was asked for.
    pub fn handle(&mut self, request: &HttpRequest) -> Answer {
        let answer = self.answer(request);
        self.take(&answer.changes);
        answer
    }

    /// The most bytes of the body that an answer to this request needs; `None` if it is answered without its body. It is decided
    /// by the path, the method and the headers, so a server need not read what is refused anyway.
    ///
    /// ```
    /// use launchpad_desk_sandbox::{HttpRequest, Sandbox, SandboxConfig};
    ///
    /// let sandbox = Sandbox::new(SandboxConfig::default()).unwrap();
    /// let headers = [("content-type".into(), "application/json".into())];
    /// let head = |path| HttpRequest { method: "POST", path, headers: &headers, body: b"", now_ms: 0 };
    /// assert_eq!(sandbox.body_limit(&head("/v1/trade/buy")), Some(1_048_576));
    /// assert_eq!(sandbox.body_limit(&head("/nowhere")), None);
    /// ```
    pub fn body_limit(&self, request: &HttpRequest) -> Option<u32> {
        service::body_limit(&self.config, request)
    }

    /// Answers one request without applying its changes, for a store that saves them first.
    pub fn answer(&self, request: &HttpRequest) -> Answer {
        service::answer(&self.config, &self.state, request)
    }

    /// What applied changes add to a stream of `/_market/events` with this query, as text of `text/event-stream`; empty if
    /// nothing. `None` stands for a state that was replaced.
    ///
    /// ```
    /// use launchpad_desk_sandbox::{Sandbox, SandboxConfig};
    ///
    /// let mut config = SandboxConfig::default();
    /// config.market.alive = true;
    /// let mut sandbox = Sandbox::new(config).unwrap();
    /// let changes = sandbox.advance(60_000).unwrap();
    /// sandbox.take(&changes);
    /// assert!(sandbox.events(Some(&changes), "").contains("event: token\ndata: {"));
    /// ```
    pub fn events(&self, changes: Option<&[Change]>, query: &str) -> String {
        match changes {
            Some(changes) => window::later_events(&self.config, &self.state, changes, query),
            None => window::restarted_events(&self.config, &self.state, query),
        }
    }

    /// Applies the changes that this sandbox returned last. Debug builds check that they create and lose no lamports or tokens.
    pub fn take(&mut self, changes: &[Change]) {
        self.state.apply(changes, Kept::of(&self.config));
        debug_assert_eq!(self.state.check_books(), Ok(()), "nothing is made or lost");
    }

    /// The changes when time passes in the market; if it is alive, at most 100,000 steps at once. Nothing is applied yet.
    ///
    /// ```
    /// use launchpad_desk::tape::json;
    /// use launchpad_desk_sandbox::{Sandbox, SandboxConfig};
    ///
    /// let settings = json::parse(br#"{ "market": { "alive": true } }"#).unwrap();
    /// let config = SandboxConfig::read(settings.root()).unwrap();
    /// let mut sandbox = Sandbox::new(config).unwrap();
    /// let changes = sandbox.advance(60_000).unwrap();
    /// sandbox.take(&changes);
    /// assert_eq!(sandbox.now_ms(), 60_000);
    /// assert!(sandbox.market_trades().len() > 100);
    /// ```
    ///
    /// # Errors
    ///
    /// More time than may pass at once.
    pub fn advance(&self, ms: u64) -> Result<Vec<Change>, Vec<FieldError>> {
        control::advance(&self.config, &self.state, "ms", ms)
    }

    /// The changes that give lamports to a wallet; a wallet that does not exist is created. Nothing is applied yet.
    ///
    /// # Errors
    ///
    /// An id that requests cannot use; more lamports in total than fit 64 bits.
    pub fn fund(
        &self,
        wallet: &str,
        label: Option<&str>,
        lamports: u64,
    ) -> Result<Vec<Change>, Vec<FieldError>> {
        control::fund(&self.config, &self.state, wallet, label, lamports)
    }

    /// The changes that launch a token. Nothing is applied yet.
    ///
    /// # Errors
    ///
    /// Settings that contradict the state or each other; a mint that already exists.
    pub fn launch(&self, token: &SandboxTokenConfig) -> Result<Vec<Change>, Vec<FieldError>> {
        control::launch(&self.config, &self.state, token)
    }

    /// The changes that replace the current faults; the script begins with the next request. Nothing is applied yet.
    pub fn set_faults(&self, faults: FaultConfig) -> Vec<Change> {
        control::set_faults(&self.state, faults)
    }

    /// The changes that return everything to the start. Nothing is applied yet.
    /// Fails as [`new`](Sandbox::new).
    pub fn reset(&self) -> Result<Vec<Change>, Vec<FieldError>> {
        control::reset(&self.config)
    }

    /// All its rows, as changes that turn any state of the same settings into this one. A log that has grown long can start
    /// again from them.
    pub fn rows(&self) -> Vec<Change> {
        self.rows_between(0, usize::MAX)
    }

    /// At most `most` of [its rows](Sandbox::rows), without the first `skip`: for a state that is large.
    pub fn rows_between(&self, skip: usize, most: usize) -> Vec<Change> {
        let mut rows = Vec::new();
        let first = usize::from(skip == 0 && most > 0);
        if first > 0 {
            rows.push(Change::Reset);
        }
        rows.extend(self.state.rows(skip.saturating_sub(1), most - first));
        rows
    }

    /// The settings that decide the results of calls, each as a path and JSON text, and a checksum of the wallets and tokens at
    /// the start. Rows may only be applied to a sandbox of the same origin. It contains no key.
    ///
    /// ```
    /// use launchpad_desk::tape::json;
    /// use launchpad_desk_sandbox::{Sandbox, SandboxConfig};
    ///
    /// let of = |settings: &str| {
    ///     let settings = json::parse(settings.as_bytes()).unwrap();
    ///     Sandbox::new(SandboxConfig::read(settings.root()).unwrap()).unwrap().origin().unwrap()
    /// };
    /// let (one, other) = (of("{}"), of(r#"{ "market": { "seed": 7 } }"#));
    /// let differing = one.iter().zip(&other).filter(|(one, other)| one != other);
    /// assert_eq!(differing.map(|((path, _), _)| path.as_str()).collect::<Vec<_>>(), ["market.seed"]);
    /// ```
    ///
    /// Fails as [`new`](Sandbox::new): the settings of a restored sandbox may contradict each other.
    pub fn origin(&self) -> Result<Vec<(String, String)>, Vec<FieldError>> {
        origin::origin(&self.config)
    }

    /// The newest calls and what really happened to each, oldest first, if they are logged.
    pub fn calls(&self) -> impl ExactSizeIterator<Item = &CallRow> {
        self.state.calls.iter()
    }

    /// The same, one line of JSON for each.
    pub fn calls_ndjson(&self) -> String {
        control::lines(self.state.calls.iter())
    }

    /// The market's time, in milliseconds.
    pub fn now_ms(&self) -> u64 {
        self.state.world.now_ms.get()
    }

    /// How far the replay of the recording is, which of its trades were skipped and why, and which will be.
    ///
    /// ```
    /// use launchpad_desk_sandbox::recording::recording;
    /// use launchpad_desk_sandbox::{MarketConfig, Sandbox, SandboxConfig};
    ///
    /// let replay = recording("atMs,side,mint,lamports\n0,buy,M,1000000").unwrap();
    /// let market = MarketConfig { replay, ..MarketConfig::default() };
    /// let mut sandbox = Sandbox::new(SandboxConfig { market, ..SandboxConfig::default() }).unwrap();
    /// assert_eq!(sandbox.replay().without_token[0].mint, "M");
    /// sandbox.take(&sandbox.advance(1).unwrap());
    /// let replay = sandbox.replay();
    /// assert_eq!((replay.made.get(), replay.skipped[0].reason.as_str()), (0, "no_such_token"));
    /// ```
    pub fn replay(&self) -> Replay {
        Replay::of(&self.config, &self.state)
    }

    /// The newest trades of the market, by all traders, oldest first.
    pub fn market_trades(&self) -> Vec<MarketTrade> {
        let decimals = self.config.token_decimals();
        self.state.market_trades.iter().map(|row| view::market_trade(row, decimals)).collect()
    }

    /// The newest trades of a token, at most `most`, oldest first.
    pub fn newest_trades(&self, mint: &str, most: usize) -> Vec<MarketTrade> {
        let decimals = self.config.token_decimals();
        let newest = self.state.market_trades.iter().rev().filter(|row| row.mint == mint).take(most);
        let mut trades: Vec<_> = newest.map(|row| view::market_trade(row, decimals)).collect();
        trades.reverse();
        trades
    }

    /// The candles of a token, each of `interval_ms` (at least one), oldest first, from the trades that are kept.
    pub fn candles(&self, mint: &str, interval_ms: u64) -> Vec<Candle> {
        let trades = self.state.market_trades.iter().filter(|row| row.mint == mint);
        candles::candles(trades, interval_ms, self.config.token_decimals())
    }

    /// What a request would do in the current state: prices, bounds, fees, balances afterwards, or why it would fail. Nothing
    /// moves.
    ///
    /// # Errors
    ///
    /// Every bad field, as a reply of status 400 names them.
    pub fn quote(&self, operation: Operation, request: Item) -> Result<DryRun, Vec<FieldError>> {
        dry_run(&self.config.terms(self.state.world.now_ms), &self.state, operation, request)
    }

    /// Applies changes that were saved from a sandbox with the same settings, in their order. They may be from any number of
    /// calls, but each call must be complete.
    ///
    /// # Errors
    ///
    /// Every resulting row that contradicts another, and every sum that does not add up, because rows are missing or were
    /// changed. Then nothing is applied.
    pub fn apply(&mut self, changes: &[Change]) -> Result<(), Vec<FieldError>> {
        let mut stored = self.stored();
        stored.apply(changes);
        self.swap(&mut stored)
    }

    /// Its state, on which changes from a store can be applied in pieces.
    ///
    /// ```
    /// use launchpad_desk_sandbox::{Sandbox, SandboxConfig};
    ///
    /// let mut sandbox = Sandbox::new(SandboxConfig::default()).unwrap();
    /// let rows = sandbox.fund("eve", None, 5).unwrap();
    /// let mut stored = sandbox.stored();
    /// for row in rows.chunks(1) {
    ///     stored.apply(row);
    /// }
    /// sandbox.swap(&mut stored).unwrap();
    /// assert_eq!(sandbox.wallets().len(), 4);
    /// ```
    pub fn stored(&self) -> Stored {
        Stored { state: self.state.clone(), kept: Kept::of(&self.config) }
    }

    /// Takes over a stored state, which then has the state of before; swapping once more goes back to that.
    /// Fails as [`apply`](Sandbox::apply). Then nothing is swapped.
    pub fn swap(&mut self, stored: &mut Stored) -> Result<(), Vec<FieldError>> {
        stored.state.check(&self.config.rules())?;
        stored.state.check_books()?;
        std::mem::swap(&mut self.state, &mut stored.state);
        Ok(())
    }

    /// The whole state as JSON text.
    pub fn snapshot(&self) -> String {
        self.state.snapshot(&self.config)
    }

    /// The state itself.
    pub fn state(&self) -> &State {
        &self.state
    }

    /// The settings.
    pub fn config(&self) -> &SandboxConfig {
        &self.config
    }

    /// The caller's account: its level, transactions and network fees.
    pub fn account(&self) -> &AccountRow {
        &self.state.account
    }

    /// The wallets and what they hold.
    pub fn wallets(&self) -> Vec<SandboxWallet> {
        self.state.wallets.iter().map(|row| view::wallet(&self.state, row)).collect()
    }

    /// The launchpad's rules, by the market's time.
    pub fn rules(&self) -> &Launchpad {
        self.config.launchpad.at(self.state.world.now_ms.get())
    }

    /// The tokens and their curves.
    pub fn tokens(&self) -> Vec<SandboxToken> {
        let decimals = self.config.token_decimals();
        self.state.tokens.iter().map(|row| view::token(row, decimals)).collect()
    }

    /// The newest transactions, landed and failed, oldest first.
    pub fn trades(&self) -> &[TradeRow] {
        &self.state.trades
    }

    /// What the transaction of this signature has moved; `None` if it is not among [those](Sandbox::trades). It has no time: the request's
    /// is not the market's.
    pub fn moved(&self, signature: &str) -> Option<Moved> {
        let trade = self.trades().iter().rev().find(|trade| trade.signature == signature)?;
        // A leg opens both accounts, one of them, or none, at the rents of its day.
        let rents = self.config.launchpad.each().map(|rules| {
            let account_rent = rules.token_account_rent_lamports().unwrap_or(0);
            (account_rent, account_rent.saturating_add(rules.volume_rent_lamports(true).unwrap_or(0)))
        });
        let rents: Vec<(u64, u64)> = rents.collect();
        let mut wallets: Vec<WalletMoved> = Vec::new();
        for leg in &trade.legs {
            let (tokens, lamports) = (i128::from(leg.tokens), i128::from(leg.lamports));
            let is_buy = trade.operation.is_buy();
            let (tokens, lamports) = if is_buy { (tokens, -lamports) } else { (-tokens, lamports) };
            let opened = rents.iter().find(|(own, both)| [*own, *both].contains(&leg.rent_lamports));
            let locked = opened.map_or(0, |(account_rent, _)| *account_rent);
            let spent = i128::from(leg.rent_lamports - locked);
            let rent_lamports = i128::from(locked) - i128::from(leg.refund_lamports);
            match wallets.iter_mut().find(|own| own.wallet == leg.wallet) {
                Some(own) => {
                    own.tokens += tokens;
                    own.lamports += lamports - spent;
                    own.rent_lamports += rent_lamports;
                }
                None => {
                    let fee = if leg.wallet == trade.fee_payer { trade.network_fee_lamports } else { 0 };
                    let lamports = lamports - spent - i128::from(fee);
                    wallets.push(WalletMoved { wallet: leg.wallet.clone(), tokens, lamports, rent_lamports });
                }
            }
        }
        Some(Moved { fits: true, failed: !trade.success, at_ms: None, wallets })
    }
}
