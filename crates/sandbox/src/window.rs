//! What anyone may read of the market, under `/_market/`: pages of JSON, and one stream of events. Nothing is changed here.
//!
//! A trade's cursor is its number and a checksum of its row. So after a restart that began another history, a reader who
//! continues from an old cursor is told so, and does not take the new trades for those that it missed.

use std::num::NonZeroU16;

use super::change::Change;
use super::config::SandboxConfig;
use super::name;
use super::problem::{bad, bad_request, problem, reply, typed};
use super::row::{Count, MarketTradeRow, TokenRow};
use super::state::State;
use super::view::{self, MarketTrade, SandboxToken, SandboxTokenAccount, SandboxWallet};
use launchpad_desk::amount::Digits;
use launchpad_desk::api::endpoint::Reply;
use launchpad_desk::bindings::reader::{self, Reader};
use launchpad_desk::bindings::{object, record};
use launchpad_desk::error::{FieldCode, FieldError};
use launchpad_desk::http::percent_decoded;
use launchpad_desk::launchpad::Curve;
use launchpad_desk::launchpad::settings::LaunchpadConfig;
use launchpad_desk::tape::{Item, Tape, ToTape, json};

/// How many rows a page has unless `limit` says otherwise, and the most that it may have.
const PAGE: usize = 100;
const MOST: u64 = 1_000;

/// The most wallets of one look.
const MOST_WALLETS: usize = 32;

record! {
    /// A page of the tokens of a market.
    MarketTokens {
        /// The market's time, in milliseconds.
        now_ms: Count => "number",
        /// The tokens, in the order in which they were launched.
        tokens: Vec<SandboxToken> => "SandboxToken[]",
        /// What `after` must be for the next page; null on the last one.
        next: Option<String> => "string | null",
    }
}

record! {
    /// A page of the wallets of a market.
    MarketWallets {
        /// The market's time, in milliseconds.
        now_ms: Count => "number",
        /// The wallets, in the order in which they were made.
        wallets: Vec<SandboxWallet> => "SandboxWallet[]",
        /// What `after` must be for the next page; null on the last one.
        next: Option<String> => "string | null",
    }
}

record! {
    /// A page of the trades of a market.
    MarketTrades {
        /// The market's time, in milliseconds.
        now_ms: Count => "number",
        /// The trades, oldest first.
        trades: Vec<MarketTrade> => "MarketTrade[]",
        /// What `after` must be for what comes next, also if nothing is there yet.
        next: String => "string",
        /// Whether there is more than this page.
        more: bool => "boolean",
        /// How many trades after `after`, of all tokens, are no longer kept.
        missed: Count => "number",
        /// Whether the market has begun anew since `after`. Then the page begins at its start.
        restarted: bool => "boolean",
    }
}

record! {
    /// A token's curve with its rules: what `new Curve(…)` takes.
    MarketCurve {
        /// The launchpad's rules.
        launchpad: LaunchpadConfig => "LaunchpadConfig",
        /// Where the curve stands.
        curve: Curve => "CurveConfig",
        /// Base units in all.
        supply: u64 => "bigint",
        /// Whether the token has a creator who earns a fee.
        has_creator: bool => "boolean",
        /// A creator rate of the token's own, in basis points; null for none.
        creator_bps: Option<u16> => "number | null",
        /// Whether trading has ended.
        complete: bool => "boolean",
    }
}

record! {
    /// What a wallet holds, at a look.
    MarketHolder {
        /// Its id.
        wallet: String => "string",
        /// Its lamports, without those in token accounts.
        lamports: u64 => "bigint",
        /// Its account of the token; null without one.
        holding: Option<SandboxTokenAccount> => "SandboxTokenAccount | null",
        /// Whether its next buy also opens its volume account, at its own cost.
        opens_volume_account: bool => "boolean",
    }
}

record! {
    /// A token's curve and what some wallets hold, at one moment.
    MarketView {
        /// The token's mint address.
        mint: String => "string",
        /// Fraction digits of a whole token.
        decimals: u8 => "number",
        /// The curve and its rules.
        curve: MarketCurve => "MarketCurve",
        /// The wallets that were asked for and are known.
        wallets: Vec<MarketHolder> => "MarketHolder[]",
        /// The market's time, in milliseconds.
        at_ms: Count => "number",
    }
}

record! {
    /// Where a stream of events begins.
    MarketStart {
        /// The market's time, in milliseconds.
        now_ms: Count => "number",
        /// The cursor of the newest trade.
        last: String => "string",
        /// How many trades after `last-event-id`, of all tokens, are no longer kept: they are lost to this reader.
        missed: Count => "number",
        /// Whether the market has begun anew since `last-event-id`.
        restarted: bool => "boolean",
    }
}

/// What is at a path of the open market.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Window {
    Tokens,
    Token(String),
    Look(String),
    Trades,
    Wallets,
    Wallet(String),
    Events,
}

impl Window {
    /// What is at a path, given what follows the prefix.
    pub(super) fn at(path: &str) -> Option<Window> {
        Some(match path {
            "tokens" => Window::Tokens,
            "trades" => Window::Trades,
            "wallets" => Window::Wallets,
            "events" => Window::Events,
            _ => match path.split_once('/')? {
                ("tokens", mint) => Window::Token(percent_decoded(mint)?),
                ("looks", mint) => Window::Look(percent_decoded(mint)?),
                ("wallets", wallet) => Window::Wallet(percent_decoded(wallet)?),
                _ => return None,
            },
        })
    }

    /// The answer; `last_event_id` is where a reader of events stopped.
    pub(super) fn answer(
        &self,
        config: &SandboxConfig,
        state: &State,
        query: &str,
        last_event_id: Option<&str>,
    ) -> Reply {
        match self.shown(config, state, query, last_event_id) {
            Ok(reply) => reply,
            Err(problems) => bad_request(&problems),
        }
    }

    fn shown(
        &self,
        config: &SandboxConfig,
        state: &State,
        query: &str,
        last_event_id: Option<&str>,
    ) -> Result<Reply, Vec<FieldError>> {
        let (decimals, now_ms) = (config.token_decimals(), state.world.now_ms);
        let shown = match self {
            Window::Tokens => {
                let page = Page::read(query)?;
                let rows = state.tokens.iter().map(|row| (row.mint.as_str(), row));
                let (rows, next) = page.of(rows)?;
                let tokens = rows.into_iter().map(|row| view::token(row, decimals)).collect();
                MarketTokens { now_ms, tokens, next }.to_tape()
            }
            Window::Wallets => {
                let page = Page::read(query)?;
                let rows = state.wallets.iter().map(|row| (row.wallet.as_str(), row));
                let (rows, next) = page.of(rows)?;
                let wallets = rows.into_iter().map(|row| view::wallet(state, row)).collect();
                MarketWallets { now_ms, wallets, next }.to_tape()
            }
            Window::Token(mint) => {
                asked(query, |_| ())?;
                match state.token(mint) {
                    Some(row) => view::token(row, decimals).to_tape(),
                    None => return Ok(no_token()),
                }
            }
            Window::Wallet(wallet) => {
                asked(query, |_| ())?;
                match state.wallet(wallet) {
                    Some(row) => view::wallet(state, row).to_tape(),
                    None => return Ok(problem(404, "the market has no such wallet", &[])),
                }
            }
            Window::Look(mint) => {
                let wallets = asked(query, read_wallets)?;
                match state.token(mint) {
                    Some(row) => look(config, state, row, &wallets).to_tape(),
                    None => return Ok(no_token()),
                }
            }
            Window::Trades => trades(config, state, query)?.to_tape(),
            Window::Events => {
                let text = first_events(config, state, query, last_event_id)?;
                return Ok(typed(200, EVENT_STREAM, text));
            }
        };
        // A JavaScript number does not hold every amount, so each is text.
        Ok(reply(200, json::write(&shown.with_text_figures())))
    }
}

/// The wallets of a look.
fn read_wallets(r: &mut Reader) -> Vec<String> {
    let wallets = r.value("wallet").and_then(Item::items).into_iter().flatten();
    let wallets: Vec<String> = wallets.filter_map(Item::text).map(str::to_owned).collect();
    if wallets.len() > MOST_WALLETS {
        r.refuse("wallet", FieldCode::OutOfRange, "may be given at most 32 times");
    }
    wallets
}

/// The content type of a stream of events: its answer does not end.
pub(super) const EVENT_STREAM: &str = "text/event-stream";

fn no_token() -> Reply {
    problem(404, "the market has no such token", &[])
}

fn look(config: &SandboxConfig, state: &State, row: &TokenRow, wallets: &[String]) -> MarketView {
    let token = row.token();
    let holder = |id: &String| {
        let wallet = view::wallet(state, state.wallet(id)?);
        let holding = wallet.token_accounts.into_iter().find(|account| account.mint == row.mint);
        let (lamports, opens_volume_account) = (wallet.lamports, wallet.opens_volume_account);
        Some(MarketHolder { wallet: wallet.wallet, lamports, holding, opens_volume_account })
    };
    MarketView {
        mint: row.mint.clone(),
        decimals: config.token_decimals(),
        curve: MarketCurve {
            launchpad: LaunchpadConfig::of(config.launchpad.at(state.world.now_ms.get())),
            curve: token.curve,
            supply: token.supply,
            has_creator: token.has_creator,
            creator_bps: token.creator_bps.map(NonZeroU16::get),
            complete: token.complete,
        },
        wallets: wallets.iter().filter_map(holder).collect(),
        at_ms: state.world.now_ms,
    }
}

/// Which rows a page has.
struct Page {
    after: Option<String>,
    limit: usize,
}

impl Page {
    fn read(query: &str) -> Result<Page, Vec<FieldError>> {
        asked(query, |r| Page { after: r.text("after").map(str::to_owned), limit: limit(r) })
    }

    /// The rows of the page, and the name after which the next one begins.
    fn of<'a, T>(
        &self,
        rows: impl Iterator<Item = (&'a str, &'a T)>,
    ) -> Result<(Vec<&'a T>, Option<String>), Vec<FieldError>> {
        let mut rows = rows.peekable();
        if let Some(after) = &self.after
            && !rows.any(|(name, _)| name == after)
        {
            return Err(bad("after", FieldCode::OutOfRange, "names nothing that is here"));
        }
        let mut page = Vec::new();
        let mut last = None;
        for (name, row) in rows.by_ref().take(self.limit) {
            page.push(row);
            last = Some(name.to_owned());
        }
        let is_last = rows.peek().is_none();
        Ok((page, last.filter(|_| !is_last)))
    }
}

fn limit(r: &mut Reader) -> usize {
    r.whole_within("limit", 1, MOST).map_or(PAGE, |limit| limit as usize)
}

/// A trade's place in the history: its number, and a checksum of what it was.
fn cursor(row: &MarketTradeRow) -> String {
    let what = json::write(&row.to_tape());
    let sum = name::fingerprint("marketTrade", &what);
    [&row.number.get().digits(), "-", sum.get(..8).unwrap_or(&sum)].concat()
}

/// The cursor of the newest trade.
fn newest(state: &State) -> String {
    state.market_trades.last().map_or_else(|| state.world.printed.get().digits().to_string(), cursor)
}

/// Where a reader continues: the number of the last trade that it has, what it has lost, and whether the market has begun anew.
struct Place {
    number: u64,
    missed: u64,
    restarted: bool,
}

impl Place {
    /// The place of a cursor, or of a bare number.
    fn of(state: &State, after: &str) -> Option<Place> {
        let number = after.split_once('-').map_or(after, |(number, _)| number);
        let number: u64 = number.parse().ok().filter(|_| !after.starts_with('+'))?;
        let kept = state.market_trades.iter().find(|row| row.number.get() == number);
        let is_other = after.contains('-') && kept.is_some_and(|row| cursor(row) != after);
        let restarted = is_other || number > state.world.printed.get();
        let number = if restarted { 0 } else { number };
        let oldest =
            state.market_trades.first().map_or(state.world.printed.get() + 1, |row| row.number.get());
        Some(Place { number, missed: oldest.saturating_sub(number + 1), restarted })
    }

    const BAD: &str = "must be the number of a trade, or what `next` or an event's id was";
}

fn newer<'a>(
    state: &'a State,
    number: u64,
    mint: Option<&'a str>,
) -> impl Iterator<Item = &'a MarketTradeRow> {
    let is_asked = move |row: &&MarketTradeRow| mint.is_none_or(|mint| row.mint == mint);
    state.market_trades.iter().filter(move |row| row.number.get() > number).filter(is_asked)
}

fn trades(config: &SandboxConfig, state: &State, query: &str) -> Result<MarketTrades, Vec<FieldError>> {
    let (after, mint, limit) =
        asked(query, |r| (r.text("after").map(str::to_owned), r.text("mint").map(str::to_owned), limit(r)))?;
    let mint = mint.as_deref();
    let place = match &after {
        Some(after) => {
            Place::of(state, after).ok_or_else(|| bad("after", FieldCode::OutOfRange, Place::BAD))?
        }
        // Without it, the newest.
        None => {
            let asked = |row: &&MarketTradeRow| mint.is_none_or(|mint| row.mint == mint);
            let first = state.market_trades.iter().rev().filter(asked).take(limit).last();
            let number = first.map_or(0, |row| row.number.get() - 1);
            Place { number, missed: 0, restarted: false }
        }
    };
    let mut rows = newer(state, place.number, mint).peekable();
    let page: Vec<&MarketTradeRow> = rows.by_ref().take(limit).collect();
    let more = rows.peek().is_some();
    let next = match page.last() {
        Some(last) if more => cursor(last),
        _ => newest(state),
    };
    let decimals = config.token_decimals();
    Ok(MarketTrades {
        now_ms: state.world.now_ms,
        trades: page.into_iter().map(|row| view::market_trade(row, decimals)).collect(),
        next,
        more,
        missed: Count::new(place.missed),
        restarted: place.restarted,
    })
}

/// What a stream of events is about: one token, or all.
fn token_asked(query: &str) -> Result<(Option<String>, Option<String>), Vec<FieldError>> {
    asked(query, |r| (r.text("after").map(str::to_owned), r.text("mint").map(str::to_owned)))
}

/// What a stream begins with: where the market is, each token as it is now, and each trade since the reader's last event.
fn first_events(
    config: &SandboxConfig,
    state: &State,
    query: &str,
    last_event_id: Option<&str>,
) -> Result<String, Vec<FieldError>> {
    let (after, mint) = token_asked(query)?;
    let (name, after) = match last_event_id.filter(|id| !id.is_empty()) {
        Some(id) => ("last-event-id", Some(id)),
        None => ("after", after.as_deref()),
    };
    let place = match after {
        Some(after) => Place::of(state, after).ok_or_else(|| bad(name, FieldCode::OutOfRange, Place::BAD))?,
        None => Place { number: state.world.printed.get(), missed: 0, restarted: false },
    };
    Ok(beginning(config, state, mint.as_deref(), &place))
}

fn beginning(config: &SandboxConfig, state: &State, mint: Option<&str>, place: &Place) -> String {
    let decimals = config.token_decimals();
    let start = MarketStart {
        now_ms: state.world.now_ms,
        last: newest(state),
        missed: Count::new(place.missed),
        restarted: place.restarted,
    };
    let mut rows = newer(state, place.number, mint).peekable();
    // Until the trades have come, a reader has not read up to the newest.
    let id = rows.peek().is_none().then(|| start.last.clone());
    let mut text = event("start", id.as_deref(), &start.to_tape());
    for row in state.tokens.iter().filter(|row| mint.is_none_or(|mint| row.mint == mint)) {
        text.push_str(&event("token", None, &view::token(row, decimals).to_tape()));
    }
    for row in rows {
        text.push_str(&trade_event(row, decimals));
    }
    text
}

/// The events of what a call has changed, once it is applied. Nothing if none of it is in the stream of this query.
pub(super) fn later_events(config: &SandboxConfig, state: &State, changes: &[Change], query: &str) -> String {
    // The query was checked when the stream began.
    let (_, mint) = token_asked(query).unwrap_or_default();
    let mint = mint.as_deref();
    if changes.iter().any(|change| matches!(change, Change::Reset)) {
        return restarted_events(config, state, query);
    }
    let (mut text, decimals) = (String::new(), config.token_decimals());
    let is_asked = |one: &str| mint.is_none_or(|mint| one == mint);
    for change in changes {
        match change {
            Change::World(row) => text.push_str(&event("time", None, &object! { "nowMs": row.now_ms })),
            Change::Token(row) if is_asked(&row.mint) => {
                text.push_str(&event("token", None, &view::token(row, decimals).to_tape()));
            }
            Change::MarketTrade(row) if is_asked(&row.mint) => text.push_str(&trade_event(row, decimals)),
            _ => {}
        }
    }
    text
}

/// The events after the whole state was replaced.
pub(super) fn restarted_events(config: &SandboxConfig, state: &State, query: &str) -> String {
    let (_, mint) = token_asked(query).unwrap_or_default();
    let place = Place { number: state.world.printed.get(), missed: 0, restarted: true };
    beginning(config, state, mint.as_deref(), &place)
}

fn trade_event(row: &MarketTradeRow, decimals: u8) -> String {
    event("trade", Some(&cursor(row)), &view::market_trade(row, decimals).to_tape())
}

/// An event as a stream has it. Our JSON has no line break.
fn event(kind: &str, id: Option<&str>, data: &Tape) -> String {
    let id = id.map_or_else(String::new, |id| ["id: ", id, "\n"].concat());
    ["event: ", kind, "\n", &id, "data: ", &json::write(&data.with_text_figures()), "\n\n"].concat()
}

/// Reads a query. `wallet` may be given several times.
fn asked<T>(query: &str, read: impl FnMut(&mut Reader) -> T) -> Result<T, Vec<FieldError>> {
    const WALLET: &str = "wallet";
    let (mut fields, mut wallets) = (Vec::<(String, Tape)>::new(), Vec::new());
    for pair in query.split('&').filter(|pair| !pair.is_empty()) {
        let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
        let unreadable = || bad("query", FieldCode::Unreadable, "is not percent-encoded UTF-8");
        let spaced = |text: &str| percent_decoded(&text.replace('+', " ")).ok_or_else(unreadable);
        let (name, value) = (spaced(name)?, spaced(value)?);
        if name == WALLET {
            wallets.push(value);
        } else if fields.iter().any(|(known, _)| *known == name) {
            return Err(bad(&reader::printable(&name), FieldCode::Conflict, "is given twice"));
        } else {
            fields.push((name, value.to_tape()));
        }
    }
    if !wallets.is_empty() {
        fields.push((WALLET.to_owned(), wallets.to_tape()));
    }
    reader::read(Tape::object(&fields).root(), read)
}
