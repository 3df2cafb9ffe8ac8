//! The whole state of a sandbox, as rows.

use super::change::{Change, parse};
use super::config::SandboxConfig;
use super::faults::{Fault, FaultsRow};
use super::row::{
    AccountRow, CallRow, Count, CrowdRow, MarketTradeRow, TokenAccountRow, TokenRow, TradeRow, TrafficRow,
    WalletRow, WorldRow,
};
use super::rows::{Named, Newest, Places, Rows, account_name};
use launchpad_desk::amount::Digits;
use launchpad_desk::api::validate::{Rules, identifier_problem};
use launchpad_desk::bindings::object;
use launchpad_desk::bindings::reader::{self, Reader};
use launchpad_desk::error::{FieldCode, FieldError};
use launchpad_desk::launchpad::Token;
use launchpad_desk::launchpad::dry_run::Market;
use launchpad_desk::launchpad::transaction::Wallet;
use launchpad_desk::tape::{Item, json};

/// The version of the snapshot's text: another one for each change of a row's fields.
pub(super) const VERSION: u64 = 5;

/// Everything that calls can change.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct State {
    /// The caller's account.
    pub account: AccountRow,
    /// The requests so far.
    pub traffic: TrafficRow,
    /// The wallets, in the order of the configuration.
    pub wallets: Rows<WalletRow>,
    /// The tokens, in the order of the configuration.
    pub tokens: Rows<TokenRow>,
    /// The open token accounts, in the order they were opened.
    pub token_accounts: Rows<TokenAccountRow>,
    /// The newest transactions, oldest first.
    pub trades: Newest<TradeRow>,
    /// The market's time.
    pub world: WorldRow,
    /// The rivals around each token of a living market.
    pub crowds: Rows<CrowdRow>,
    /// The newest trades of the market, oldest first.
    pub market_trades: Newest<MarketTradeRow>,
    /// The newest calls, oldest first, if they are logged.
    pub calls: Newest<CallRow>,
    /// The faults that were set while the sandbox ran.
    pub faults: Option<FaultsRow>,
}

/// How many of the newest rows of a kind a state keeps.
#[derive(Clone, Copy, Debug)]
pub(super) struct Kept {
    trades: usize,
    market_trades: usize,
    calls: usize,
}

impl Kept {
    pub(super) fn of(config: &SandboxConfig) -> Self {
        Kept {
            trades: config.max_trades as usize,
            market_trades: config.market.max_market_trades as usize,
            calls: config.max_calls as usize,
        }
    }
}

impl State {
    /// The state at the start, by the settings.
    pub(super) fn start(config: &SandboxConfig) -> Result<State, Vec<FieldError>> {
        let mut state = State {
            wallets: config.wallets.iter().map(|wallet| wallet.row()).collect(),
            tokens: start_tokens(config)?,
            world: WorldRow { now_ms: Count::new(config.market.starts_at()), ..WorldRow::default() },
            ..State::default()
        };
        let mut accounts = Vec::new();
        for wallet in &config.wallets {
            accounts.extend(wallet.open_accounts(config.launchpad.at(config.market.starts_at())));
        }
        // All of them, even two of the same name: a check finds those.
        state.token_accounts = accounts.into_iter().collect();
        for account in state.token_accounts.iter() {
            if let Some(token) = state.tokens.get_mut(&account.mint) {
                token.issued_tokens = token.issued_tokens.saturating_add(account.tokens);
            }
        }
        if config.market.alive {
            let gather = |token: &mut TokenRow| {
                CrowdRow::gather(token, config.character(&token.mint), &config.market, state.world.now_ms)
            };
            state.crowds = state.tokens.iter_mut().map(gather).collect();
        }
        state.world.granted_lamports = u64::try_from(state.own_lamports()).unwrap_or(u64::MAX);
        state.check(&config.rules())?;
        Ok(state)
    }

    pub fn wallet(&self, id: &str) -> Option<&WalletRow> {
        self.wallets.get(id)
    }

    /// The token of that mint address.
    pub fn token(&self, mint: &str) -> Option<&TokenRow> {
        self.tokens.get(mint)
    }

    /// The wallet's account of the token, if it is open.
    pub fn token_account(&self, wallet: &str, mint: &str) -> Option<&TokenAccountRow> {
        self.token_accounts.get(&account_name(wallet, mint))
    }

    /// Applies changes, in their order, and keeps the newest rows.
    pub(super) fn apply(&mut self, changes: &[Change], kept: Kept) {
        for change in changes {
            self.apply_one(change);
        }
        self.trades.keep(kept.trades);
        self.market_trades.keep(kept.market_trades);
        self.calls.keep(kept.calls);
    }

    /// The changes that turn an empty state into this one: at most `most`, after the first `skip`.
    pub(super) fn rows(&self, skip: usize, most: usize) -> Vec<Change> {
        let mut page = Page { skip, most, rows: Vec::new() };
        page.take(1, [&self.account].into_iter(), Change::Account);
        page.take(1, [&self.traffic].into_iter(), Change::Traffic);
        page.take(1, [&self.world].into_iter(), Change::World);
        page.take(self.wallets.len(), self.wallets.iter(), Change::Wallet);
        page.take(self.tokens.len(), self.tokens.iter(), Change::Token);
        page.take(self.crowds.len(), self.crowds.iter(), Change::Crowd);
        page.take(self.token_accounts.len(), self.token_accounts.iter(), Change::TokenAccount);
        page.take(self.trades.len(), self.trades.iter(), Change::Trade);
        page.take(self.market_trades.len(), self.market_trades.iter(), Change::MarketTrade);
        page.take(self.calls.len(), self.calls.iter(), Change::Call);
        page.take(self.faults.iter().len(), self.faults.iter(), Change::Faults);
        page.rows
    }

    /// What goes wrong with the next request.
    pub(super) fn fault<'a>(&'a self, config: &'a SandboxConfig) -> Option<&'a Fault> {
        let requests = self.traffic.requests.get();
        match &self.faults {
            Some(set) => set.faults.of(Count::new(requests.saturating_sub(set.since.get()))),
            None => config.faults.of(self.traffic.requests),
        }
    }

    pub(super) fn counts_requests(&self, config: &SandboxConfig) -> bool {
        config.rate_limit.is_some() || self.faults.is_some() || !config.faults.is_empty()
    }

    fn apply_one(&mut self, change: &Change) {
        match change {
            Change::Account(row) => self.account = row.clone(),
            Change::Traffic(row) => self.traffic = row.clone(),
            Change::Wallet(row) => self.wallets.put(row),
            Change::Token(row) => self.tokens.put(row),
            Change::TokenAccount(row) if row.open => self.token_accounts.put(row),
            Change::TokenAccount(row) => self.token_accounts.remove(&account_name(&row.wallet, &row.mint)),
            Change::Trade(row) => self.trades.put(row),
            Change::World(row) => self.world = row.clone(),
            Change::Crowd(row) => self.crowds.put(row),
            Change::MarketTrade(row) => self.market_trades.put(row),
            Change::Call(row) => self.calls.put(row),
            Change::Faults(row) => self.faults = Some(row.clone()),
            Change::Reset => *self = State::default(),
        }
    }

    /// The state as JSON text, with the decimals of its token amounts.
    pub(super) fn snapshot(&self, config: &SandboxConfig) -> String {
        json::write(&object! {
            "version": Count::new(VERSION),
            "tokenDecimals": config.token_decimals(),
            "account": self.account,
            "traffic": self.traffic,
            "wallets": self.wallets,
            "tokens": self.tokens,
            "tokenAccounts": self.token_accounts,
            "trades": self.trades,
            "world": self.world,
            "crowds": self.crowds,
            "marketTrades": self.market_trades,
            "calls": self.calls,
            "faults": self.faults,
        })
    }

    /// Reads a snapshot back.
    /// Fails with every field that is wrong, by path: also for text that is not JSON, another version, other decimals, and rows that
    /// contradict each other.
    pub(super) fn restore(text: &str, config: &SandboxConfig) -> Result<State, Vec<FieldError>> {
        State::of(parse("the snapshot", text)?.root(), config)
    }

    pub(super) fn of(snapshot: Item, config: &SandboxConfig) -> Result<State, Vec<FieldError>> {
        let state = reader::read(snapshot, |r| State::read(r, config.token_decimals()))?;
        state.check(&config.rules())?;
        state.check_books()?;
        Ok(state)
    }

    fn read(reader: &mut Reader, token_decimals: u8) -> State {
        let own = u64::from(token_decimals);
        if reader.needed("version", Reader::whole).is_some_and(|version| version != VERSION) {
            let what = ["must be ", &VERSION.digits(), ": another version of this package wrote it"].concat();
            reader.refuse("version", FieldCode::Conflict, &what);
            // Of its rows this version would say what is not wrong with them.
            reader.ignore_rest();
            return State::default();
        }
        if reader.need("tokenDecimals", Reader::whole) != own {
            let what = ["must be ", &own.digits(), ", as in the configuration"].concat();
            reader.refuse("tokenDecimals", FieldCode::Conflict, &what);
        }
        State {
            account: reader.need("account", |r, name| r.object(name, AccountRow::read)),
            traffic: reader.need("traffic", |r, name| r.object(name, TrafficRow::read)),
            wallets: rows(reader, "wallets", WalletRow::read),
            tokens: rows(reader, "tokens", TokenRow::read),
            token_accounts: rows(reader, "tokenAccounts", TokenAccountRow::read),
            trades: newest(reader, "trades", TradeRow::read),
            world: reader.need("world", |r, name| r.object(name, WorldRow::read)),
            crowds: rows(reader, "crowds", CrowdRow::read),
            market_trades: newest(reader, "marketTrades", MarketTradeRow::read),
            calls: newest(reader, "calls", CallRow::read),
            faults: reader.object("faults", FaultsRow::read),
        }
    }

    /// Checks that requests can name everything here, and that the rows agree: names are unique and known, amounts add up
    /// within 64 bits. Then later sums fit as well: trades create no lamports, and rivals bring none past 64 bits.
    /// Fails with every row that is wrong.
    pub(super) fn check(&self, rules: &Rules) -> Result<(), Vec<FieldError>> {
        let mut check = Check { rules, problems: Vec::new() };
        let mut wallets = Names::default();
        for (index, row) in self.wallets.iter().enumerate() {
            check.name(&mut wallets, &row.wallet, place("wallets", index, "wallet"));
        }
        let mut mints = Names::default();
        for (index, row) in self.tokens.iter().enumerate() {
            check.name(&mut mints, &row.mint, place("tokens", index, "mint"));
        }
        let mut pairs = Names::default();
        for (index, row) in self.token_accounts.iter().enumerate() {
            let at = |name| place("tokenAccounts", index, name);
            check.that(row.open, at("open"), "must not be false: leave out closed accounts");
            check.that(wallets.has(&row.wallet), at("wallet"), "is not one of the wallets");
            check.that(mints.has(&row.mint), at("mint"), "is not one of the tokens");
            let first = pairs.add(&account_name(&row.wallet, &row.mint));
            check.that(first, at("wallet"), "already has an account of this token");
        }
        self.check_tokens(&mut check);
        let mut rise = |list, name, numbers: &mut dyn Iterator<Item = Count>, most: Count| {
            let mut last = Count::default();
            for (index, number) in numbers.enumerate() {
                let rises = last < number && number <= most;
                check.that(rises, place(list, index, name), "is out of order");
                last = number;
            }
        };
        let transactions = &mut self.trades.iter().map(|row| row.transaction);
        rise("trades", "transaction", transactions, self.account.transactions);
        let printed = &mut self.market_trades.iter().map(|row| row.number);
        rise("marketTrades", "number", printed, self.world.printed);
        let calls = &mut self.calls.iter().map(|row| row.number);
        rise("calls", "number", calls, Count::new(u64::MAX));
        let mut crowds = Names::default();
        for (index, row) in self.crowds.iter().enumerate() {
            let at = place("crowds", index, "mint");
            check.that(mints.has(&row.mint), at.clone(), "is not one of the tokens");
            check.that(crowds.add(&row.mint), at, "already exists");
        }
        let mut reasons = Names::default();
        for (index, row) in self.world.skipped.iter().enumerate() {
            let at = place("world.skipped", index, "reason");
            check.that(reasons.add(row.reason.as_str()), at, "already exists");
        }
        let all_due = self.world.skipped_trades() <= self.world.replayed.get();
        check.that(all_due, "world.skipped".into(), "has more trades than were due");
        check.that(
            self.lamports() <= u128::from(u64::MAX),
            "wallets".into(),
            "hold more than 64 bits of lamports",
        );
        if check.problems.is_empty() { Ok(()) } else { Err(check.problems) }
    }

    /// Checks that each token has a price, and as many base units as are held.
    fn check_tokens(&self, check: &mut Check) {
        let held = self.wallets_tokens();
        for (index, row) in self.tokens.iter().enumerate() {
            let at = |name| place("tokens", index, name);
            // A token that has moved to a pool has none, and is complete.
            let has_price = |reserves: u64| reserves > 0 || row.token().is_complete();
            check.that(
                has_price(row.virtual_token_reserves),
                at("virtualTokenReserves"),
                "is zero: no price",
            );
            check.that(has_price(row.virtual_sol_reserves), at("virtualSolReserves"), "is zero: no price");
            let held = held.get(index).copied().unwrap_or_default();
            let held = held + u128::from(row.real_token_reserves) + self.rivals_tokens(row);
            let enough = held <= u128::from(row.supply);
            check.that(enough, at("supply"), "is less than the curve, wallets and rivals hold in total");
        }
    }

    /// Checks that nothing was created or lost: all lamports were put in from outside, and of each token as many base units are
    /// held as were issued.
    /// Fails with every sum that differs.
    pub fn check_books(&self) -> Result<(), Vec<FieldError>> {
        let mut problems = Vec::new();
        let mut differ = |field: String, what: &str| {
            problems.push(FieldError::of(&field, FieldCode::Conflict, what));
        };
        if self.own_lamports() != i128::from(self.world.granted_lamports) {
            differ("world.grantedLamports".into(), "is not the total of wallets, curves and fees");
        }
        let held = self.wallets_tokens();
        for (index, row) in self.tokens.iter().enumerate() {
            let held = held.get(index).copied().unwrap_or_default();
            let there = held + u128::from(row.real_token_reserves) + self.rivals_tokens(row);
            if there != u128::from(row.issued_tokens) {
                differ(
                    place("tokens", index, "issuedTokens"),
                    "is not what the curve, wallets and rivals hold in total",
                );
            }
        }
        if problems.is_empty() { Ok(()) } else { Err(problems) }
    }

    /// Base units that wallets hold of each token, in the order of the tokens.
    fn wallets_tokens(&self) -> Vec<u128> {
        let mut places = Places::new();
        for (place, token) in self.tokens.iter().enumerate() {
            places.insert(token.mint.clone(), place);
        }
        let mut held = vec![0; self.tokens.len()];
        for account in self.token_accounts.iter() {
            if let Some(held) = places.get(&account.mint).and_then(|place| held.get_mut(*place)) {
                *held += u128::from(account.tokens);
            }
        }
        held
    }

    /// Base units of a token that rivals hold.
    fn rivals_tokens(&self, token: &TokenRow) -> u128 {
        let crowd = self.crowds.get(&token.mint);
        u128::from(token.rival_tokens) + crowd.map_or(0, CrowdRow::tokens)
    }

    /// All lamports in the state, minus those that rivals brought.
    fn own_lamports(&self) -> i128 {
        i128::try_from(self.lamports()).unwrap_or(i128::MAX).saturating_sub(self.brought_lamports())
    }

    /// The lamports that rivals brought, minus those that they took out.
    fn brought_lamports(&self) -> i128 {
        self.tokens.iter().map(|row| row.rival_lamports).fold(0, i128::saturating_add)
    }

    /// How many more lamports may be brought before a sum could pass 64 bits. It is taken from the recorded
    /// totals, because every call needs it, and adding up many wallets would take long.
    pub(super) fn lamports_room(&self) -> u64 {
        let all = i128::from(self.world.granted_lamports).saturating_add(self.brought_lamports());
        i128::from(u64::MAX).saturating_sub(all).clamp(0, i128::from(u64::MAX)) as u64
    }

    /// All lamports in the state: wallets, token accounts, curves, and all fees ever paid. No trade of a wallet changes this
    /// sum; rivals bring lamports from outside and take them out again.
    pub fn lamports(&self) -> u128 {
        let wallets = self.wallets.iter().map(|row| u128::from(row.lamports));
        let accounts = self.token_accounts.iter().map(|row| u128::from(row.lamports));
        let tokens = self.tokens.iter().map(|row| {
            let fees = u128::from(row.protocol_fees_lamports) + u128::from(row.creator_fees_lamports);
            u128::from(row.real_sol_reserves) + fees
        });
        let paid = [self.account.network_fees_lamports, self.account.volume_rents_lamports].map(u128::from);
        wallets.chain(accounts).chain(tokens).chain(paid).sum()
    }
}

impl Market for State {
    fn token(&self, mint: &str) -> Option<Token> {
        Some(State::token(self, mint)?.token())
    }

    fn wallet(&self, id: &str, mint: &str) -> Option<Wallet> {
        let row = State::wallet(self, id)?;
        Some(Wallet {
            lamports: row.lamports,
            token_account: self.token_account(id, mint).map(TokenAccountRow::account),
            opens_volume_account: row.opens_volume_account,
        })
    }

    fn whose(&self) -> &'static str {
        "the sandbox's"
    }
}

/// The tokens at the start.
fn start_tokens(config: &SandboxConfig) -> Result<Rows<TokenRow>, Vec<FieldError>> {
    let mut problems = Vec::new();
    let mut rows = Vec::new();
    for (index, token) in config.tokens.iter().enumerate() {
        match token.row(config.launchpad.at(config.market.starts_at())) {
            Ok(row) => rows.push(row),
            Err(refusal) => {
                let what = ["cannot be sold: ", &refusal.message()].concat();
                problems.push(FieldError::of(
                    &place("tokens", index, "soldBps"),
                    FieldCode::OutOfRange,
                    &what,
                ));
            }
        }
    }
    if problems.is_empty() { Ok(rows.into_iter().collect()) } else { Err(problems) }
}

fn rows<T: Named + Clone>(reader: &mut Reader, name: &'static str, read: fn(&mut Reader) -> T) -> Rows<T> {
    reader.need(name, |r, name| r.list(name, read)).into_iter().collect()
}

fn newest<T>(reader: &mut Reader, name: &'static str, read: fn(&mut Reader) -> T) -> Newest<T> {
    reader.need(name, |r, name| r.list(name, read)).into()
}

/// A part of all rows.
struct Page {
    /// How many rows come before it.
    skip: usize,
    /// How many rows it may have.
    most: usize,
    rows: Vec<Change>,
}

impl Page {
    /// Takes those of `count` rows that are in it.
    fn take<'s, T: Clone + 's>(
        &mut self,
        count: usize,
        rows: impl Iterator<Item = &'s T>,
        of: fn(T) -> Change,
    ) {
        let skipped = self.skip.min(count);
        self.skip -= skipped;
        let room = self.most - self.rows.len();
        self.rows.extend(rows.skip(skipped).take(room).cloned().map(of));
    }
}

/// A check in progress.
struct Check<'r> {
    rules: &'r Rules,
    problems: Vec<FieldError>,
}

impl Check<'_> {
    fn that(&mut self, holds: bool, field: String, what: &str) {
        if !holds {
            self.problems.push(FieldError::of(&field, FieldCode::Conflict, what));
        }
    }

    /// Checks that a name can be used in a request, and that it is new.
    fn name(&mut self, seen: &mut Names, name: &str, field: String) {
        // The same check as for requests, so that every name here can be used in a request.
        if let Some((code, what)) = identifier_problem(name, self.rules.identifiers) {
            self.problems.push(FieldError::of(&field, code, what));
        }
        self.that(seen.add(name), field, "already exists");
    }
}

/// The path of a row's cell: `wallets[2].wallet`.
fn place(list: &str, index: usize, cell: &str) -> String {
    [list, "[", &index.digits(), "].", cell].concat()
}

/// Names that were seen.
#[derive(Default)]
struct Names(Places);

impl Names {
    fn has(&self, name: &str) -> bool {
        self.0.contains_key(name)
    }

    /// Whether the name is new.
    fn add(&mut self, name: &str) -> bool {
        self.0.insert(name.to_owned(), 0).is_none()
    }
}
