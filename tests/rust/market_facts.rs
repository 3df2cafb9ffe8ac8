//! What a living market is like, in figures: those of the table in docs/sandbox.md.

use std::collections::BTreeMap;
use std::ops::{Range, RangeInclusive};

use crate::market_rules;
use crate::sandbox::post;

use launchpad_desk::bindings::object;
use launchpad_desk::launchpad::quote::Side;
use launchpad_desk::tape::{Tape, ToTape, json};
use launchpad_desk_sandbox::{MarketTrade, Sandbox, SandboxConfig, TraderKind};

pub const SOL: u64 = 1_000_000_000;
pub const MINUTE_MS: u64 = 60_000;
const HOUR_MS: u64 = 60 * MINUTE_MS;
const STEP_MS: u64 = 400;

/// For how long a naive buyer holds a token, in milliseconds.
const HOLDS_MS: [u64; 4] = [10_000, MINUTE_MS, 10 * MINUTE_MS, HOUR_MS];

/// What a buyer of these tests spends: a typical trade of the market.
const SPEND: u64 = SOL / 4;

/// A market of that seed, with a wallet to trade.
pub fn market(seed: u64, more: &[(&str, Tape)]) -> Sandbox {
    let mut market = vec![("alive", true.to_tape()), ("seed", seed.to_tape())];
    market.extend(more.iter().cloned());
    let wallet = object! { "wallet": "bot", "lamports": 1_000_000_000_000_000u64 };
    let config = object! { "market": Tape::object(&market), "wallets": vec![wallet] };
    let config = SandboxConfig::read(config.root()).expect("good settings");
    Sandbox::new(config).expect("a world without contradiction")
}

pub fn pass(sandbox: &mut Sandbox, ms: u64) {
    let changes = sandbox.advance(ms).expect("no more than may pass at once");
    sandbox.take(&changes);
}

/// What a naive buyer gained, in basis points of what it spent, for each trade.
#[derive(Default)]
struct Returns(Vec<i64>);

impl Returns {
    fn mean_bps(&self) -> i64 {
        self.0.iter().sum::<i64>() / self.0.len().max(1) as i64
    }

    /// The standard error of the mean.
    fn error_bps(&self) -> i64 {
        let (mean, count) = (self.mean_bps(), self.0.len().max(2) as i64);
        let squares: i64 = self.0.iter().map(|gain| (gain - mean) * (gain - mean)).sum();
        (squares / (count - 1) / count).isqrt()
    }

    fn won_percent(&self) -> usize {
        self.0.iter().filter(|gain| **gain > 0).count() * 100 / self.0.len().max(1)
    }
}

struct Position {
    mint: String,
    tokens: u64,
    paid: u64,
    sell_at_ms: u64,
    hold: usize,
}

/// When a naive buyer buys.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Entry {
    /// Each launch, as soon as it is there.
    Launch,
    /// Any token that can be traded, at any time.
    Random,
}

/// Buys without any idea in this time, holds each token for the next of [`HOLDS_MS`], and sells it. Of a token that has graduated
/// by then it gets its last price.
fn naive(seed: u64, entry: Entry, time_ms: Range<u64>) -> [Returns; 4] {
    let mut sandbox = market(seed, &[]);
    pass(&mut sandbox, time_ms.start);
    let (mut returns, mut open): ([Returns; 4], Vec<Position>) = Default::default();
    let (mut seen, mut buys) = (sandbox.state().tokens.len(), 0);
    let mut random = seed;
    let mut draw = |below: usize| {
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (random >> 33) as usize % below
    };
    loop {
        // Once nothing is bought any more, only the next sale matters.
        let now_ms = sandbox.now_ms();
        let next_sale = open.iter().map(|position: &Position| position.sell_at_ms).min();
        let step_ms = match next_sale {
            _ if now_ms < time_ms.end => STEP_MS,
            Some(sell_at_ms) => sell_at_ms.saturating_sub(now_ms).max(STEP_MS),
            None => return returns,
        };
        pass(&mut sandbox, step_ms);
        let now_ms = sandbox.now_ms();
        let tokens = &sandbox.state().tokens;
        let mut wanted: Vec<String> = tokens.iter().skip(seen).map(|row| row.mint.clone()).collect();
        seen = tokens.len();
        if entry == Entry::Random {
            let any = tokens.iter().nth(draw(seen)).map(|row| row.mint.clone());
            // Every half a minute, on average.
            wanted = any.into_iter().filter(|mint| draw(75) == 0 && !is_complete(&sandbox, mint)).collect();
        }
        for mint in wanted.into_iter().filter(|_| now_ms < time_ms.end) {
            let hold = buys % HOLDS_MS.len();
            let held: u64 =
                open.iter().filter(|position| position.mint == mint).map(|position| position.tokens).sum();
            let before = sandbox.wallets()[0].lamports;
            let request =
                object! { "mint": mint, "fromWallet": "bot", "amountInLamports": SPEND, "slippage": 90u32 };
            trade(&mut sandbox, "/v1/trade/buy", &request);
            let wallet = &sandbox.wallets()[0];
            let Some(account) = wallet.token_accounts.iter().find(|account| account.mint == mint) else {
                continue;
            };
            // A token account's rent comes back when it is closed.
            let rent = if held == 0 { account.lamports } else { 0 };
            buys += 1;
            open.push(Position {
                tokens: account.tokens - held,
                paid: before - wallet.lamports - rent,
                sell_at_ms: now_ms + HOLDS_MS[hold],
                mint,
                hold,
            });
        }
        let (due, later) = open.into_iter().partition(|position| position.sell_at_ms <= now_ms);
        open = later;
        for position in due {
            let got = sold(&mut sandbox, &position);
            let gain = (i128::from(got) - i128::from(position.paid)) * 10_000 / i128::from(position.paid);
            returns[position.hold].0.push(gain as i64);
        }
    }
}

/// What a position brings, without the rent of its account.
fn sold(sandbox: &mut Sandbox, position: &Position) -> u64 {
    let token = sandbox.state().tokens.get(&position.mint).expect("its token").token();
    if token.is_complete() {
        let (lamports, tokens) = (token.curve.virtual_sol_reserves, token.curve.virtual_token_reserves);
        let worth = u128::from(position.tokens) * u128::from(lamports) / u128::from(tokens);
        return (worth * 9_875 / 10_000) as u64;
    }
    let account = |sandbox: &Sandbox| {
        let mut accounts = sandbox.wallets().remove(0).token_accounts.into_iter();
        accounts.find(|account| account.mint == position.mint).map_or(0, |account| account.lamports)
    };
    let before = sandbox.wallets()[0].lamports + account(sandbox);
    let tokens = format!("{}.{:06}", position.tokens / 1_000_000, position.tokens % 1_000_000);
    let request =
        object! { "mint": position.mint, "fromWallet": "bot", "amountInToken": tokens, "slippage": 90u32 };
    trade(sandbox, "/v1/trade/sell", &request);
    (sandbox.wallets()[0].lamports + account(sandbox)).saturating_sub(before)
}

fn is_complete(sandbox: &Sandbox, mint: &str) -> bool {
    sandbox.state().tokens.get(mint).is_none_or(|row| row.token().is_complete())
}

fn trade(sandbox: &mut Sandbox, path: &str, request: &Tape) {
    let answer = post(sandbox, path, &json::write(request));
    assert_eq!(answer.reply.status, 200, "{}", String::from_utf8_lossy(&answer.reply.body));
}

/// What happened to the tokens that some markets launched: how often, and of how many. A public figure can be compared with it.
#[derive(Default)]
struct Facts(BTreeMap<&'static str, [u64; 2]>);

const GRADUATE: &str = "tokens that graduate";

impl Facts {
    fn count(&mut self, name: &'static str, is_so: bool) {
        let [part, of] = self.0.entry(name).or_default();
        *part += u64::from(is_so);
        *of += 1;
    }

    /// Adds two days of a market, in which tokens are launched for two hours.
    fn add(&mut self, seed: u64) {
        let mut sandbox = market(seed, &[("maxMarketTrades", 4_000_000u32.to_tape())]);
        let first: Vec<String> = sandbox.state().tokens.iter().map(|row| row.mint.clone()).collect();
        for _ in 0..48 {
            pass(&mut sandbox, HOUR_MS);
        }
        let mut by_token: BTreeMap<String, Vec<MarketTrade>> = BTreeMap::new();
        let mut wallets: BTreeMap<String, (u64, i128)> = BTreeMap::new();
        for trade in sandbox.market_trades() {
            if trade.trader != TraderKind::Insider {
                let books = wallets.entry(trade.wallet.clone()).or_default();
                books.0 += 1;
                books.1 += trade.side.signed(trade.lamports);
            }
            by_token.entry(trade.mint.clone()).or_default().push(trade);
        }
        // What is left is worth its last price.
        for crowd in sandbox.state().crowds.iter() {
            let token = sandbox.state().tokens.get(&crowd.mint).expect("its token");
            for rival in &crowd.rivals {
                if let Some(books) = wallets.get_mut(&rival.wallet) {
                    let (lamports, tokens) = (token.virtual_sol_reserves, token.virtual_token_reserves);
                    books.1 += i128::from(rival.tokens) * i128::from(lamports) / i128::from(tokens);
                }
            }
        }
        for (_, gained) in wallets.into_values().filter(|(trades, _)| *trades >= 10) {
            self.count("other wallets of ten trades or more that have gained", gained > 0);
        }
        for (mint, trades) in by_token.iter().filter(|(mint, _)| !first.contains(mint)) {
            self.add_token(trades, is_complete(&sandbox, mint));
        }
    }

    fn add_token(&mut self, trades: &[MarketTrade], graduated: bool) {
        let [launch, .., last] = trades else { return };
        let launch_ms = launch.at_ms.get();
        self.count(GRADUATE, graduated);
        let mut in_launch = trades.iter().take_while(|trade| trade.at_ms.get() == launch_ms);
        let is_sniped = in_launch.any(|trade| trade.trader == TraderKind::Sniper);
        self.count("tokens that snipers buy in the step of the launch", is_sniped);
        let is_dead = last.at_ms.get() < launch_ms + 24 * HOUR_MS;
        self.count("tokens whose last trade is within 24 hours of the launch", is_dead);
        let is_low = last.real_sol_reserves < 7 * SOL;
        self.count("tokens that end with less than 7 SOL (some $1,000) on the curve", is_low);
        // What each insider bought, sold and gained, and when it traded last.
        let mut books: BTreeMap<&str, (u64, u64, i128, u64)> = BTreeMap::new();
        for trade in trades.iter().filter(|trade| trade.trader == TraderKind::Insider) {
            let book = books.entry(&trade.wallet).or_default();
            match trade.side {
                Side::Buy => book.0 += trade.tokens,
                Side::Sell => book.1 += trade.tokens,
            }
            book.2 += trade.side.signed(trade.lamports);
            book.3 = trade.at_ms.get();
        }
        self.count("tokens with insiders, whose wallets the creator paid for", !books.is_empty());
        for (bought, sold, gained, last_ms) in books.into_values() {
            let is_out = sold == bought && last_ms <= launch_ms + 5 * MINUTE_MS;
            self.count("insiders' wallets that have sold everything after 5 minutes", is_out);
            self.count("insiders' wallets that have gained", sold == bought && gained > 0);
        }
    }

    /// Takes over what was found in other markets.
    fn join(&mut self, other: &Facts) {
        for (name, [part, of]) in &other.0 {
            let own = self.0.entry(name).or_default();
            (own[0], own[1]) = (own[0] + part, own[1] + of);
        }
    }

    /// The figures of the table, by the name of the fact.
    fn figures(&self) -> Vec<(String, String)> {
        let share = |[part, of]: &[u64; 2]| format!("{}.{} %", part * 100 / of, part * 1_000 / of % 10);
        self.0.iter().map(|(name, counts)| ((*name).to_owned(), share(counts))).collect()
    }
}

/// The names of [`HOLDS_MS`].
const HOLDS: [&str; 4] = ["10 seconds", "1 minute", "10 minutes", "60 minutes"];

/// Figures of what naive buyers gained.
fn gains(who: &str, returns: &[Returns; 4]) -> Vec<(String, String)> {
    let percent = |bps: i64| {
        format!("{}{}.{} %", if bps < 0 { "−" } else { "" }, bps.abs() / 100, bps.abs() % 100 / 10)
    };
    let figure = |(hold, returns): (&str, &Returns)| {
        let (mean, won) = (percent(returns.mean_bps()), returns.won_percent());
        (format!("{who}, sold after {hold}: mean gain; share that gained"), format!("{mean}; {won} %"))
    };
    HOLDS.into_iter().zip(returns).map(figure).collect()
}

/// What a round trip costs if the price stays: 0.95 % and 0.30 % of each trade, and two network fees.
const FEES_BPS: i64 = -250;

/// Random entry is about the fees if its mean is within this of them. It is not nearer because it also meets tokens of the last
/// minutes, whose price falls while it holds them.
const ABOUT_BPS: i64 = 150;

fn assert_naive_buyers_lose(launch: &[Returns; 4], random: &[Returns; 4]) {
    for (hold, (launch, random)) in HOLDS.into_iter().zip(launch.iter().zip(random)) {
        let (mean, error) = (launch.mean_bps(), launch.error_bps());
        // Below zero by two standard errors: it is not bad luck.
        assert!(mean + 2 * error < 0, "at launch, {hold}: {mean} ± {error} of {}", launch.0.len());
        let mean = random.mean_bps();
        assert!((mean - FEES_BPS).abs() < ABOUT_BPS, "at random, {hold}: {mean} of {}", random.0.len());
    }
}

/// One market for every seed, on all cores.
pub fn of_seeds<T: Send>(seeds: RangeInclusive<u64>, of: impl Fn(u64) -> T + Sync) -> Vec<T> {
    let seeds: Vec<u64> = seeds.collect();
    let cores = std::thread::available_parallelism().map_or(1, |cores| cores.get());
    std::thread::scope(|scope| {
        let part = |part: &[u64]| {
            let (part, of) = (part.to_vec(), &of);
            scope.spawn(move || part.into_iter().map(of).collect::<Vec<_>>())
        };
        let parts: Vec<_> = seeds.chunks(seeds.len().div_ceil(cores)).map(part).collect();
        parts.into_iter().flat_map(|part| part.join().expect("a market")).collect()
    })
}

fn joined(of_seeds: Vec<[Returns; 4]>) -> [Returns; 4] {
    let mut all: [Returns; 4] = Default::default();
    for returns in of_seeds {
        for (all, returns) in all.iter_mut().zip(returns) {
            all.0.extend(returns.0);
        }
    }
    all
}

#[test]
fn who_buys_every_launch_loses() {
    let launch = joined(of_seeds(1..=6, |seed| naive(seed, Entry::Launch, 0..10 * MINUTE_MS)));
    let all = Returns(launch.into_iter().flat_map(|returns| returns.0).collect());
    let (mean, error, trades) = (all.mean_bps(), all.error_bps(), all.0.len());
    // Below zero by two standard errors: it is not bad luck.
    assert!(trades > 100 && mean + 2 * error < 0, "{mean} ± {error} of {trades}");
}

#[test]
#[ignore = "takes minutes: npm run prove -- market"]
fn a_hundred_markets_are_as_the_docs_say() {
    let mut facts = Facts::default();
    of_seeds(1..=100, |seed| {
        let mut facts = Facts::default();
        facts.add(seed);
        facts
    })
    .into_iter()
    .for_each(|of_seed| facts.join(&of_seed));
    let of =
        |entry, time_ms: Range<u64>| joined(of_seeds(1..=100, |seed| naive(seed, entry, time_ms.clone())));
    let (launch, random) = (of(Entry::Launch, 0..HOUR_MS), of(Entry::Random, HOUR_MS..2 * HOUR_MS));
    let mut figures = facts.figures();
    figures.extend(gains("bought at launch", &launch));
    figures.extend(gains("bought at random", &random));
    figures.extend(market_rules::figures());
    for (name, figure) in &figures {
        println!("{name}: {figure}");
    }
    let [graduated, launched] = facts.0[GRADUATE];
    println!("of {launched} tokens");
    assert_naive_buyers_lose(&launch, &random);
    let graduates = graduated * 1_000 / launched;
    assert!((3..=20).contains(&graduates), "{graduates} of 1000 graduate");

    let file = std::path::Path::new(crate::ROOT).join("docs/sandbox.md");
    let page = std::fs::read_to_string(&file).expect("the page");
    let with_figure = |line: &str| {
        let figure = figures.iter().find(|(name, _)| line.starts_with(&format!("| {name} | ")));
        let Some((name, figure)) = figure else { return line.to_owned() };
        let public = line.splitn(3, " | ").nth(2).unwrap_or_default();
        format!("| {name} | {figure} | {public}")
    };
    for (name, _) in &figures {
        assert!(page.contains(&format!("\n| {name} | ")), "docs/sandbox.md lacks: {name}");
    }
    let now: String =
        page.split_inclusive('\n').map(|line| with_figure(line.trim_end_matches('\n')) + "\n").collect();
    if std::env::var_os("UPDATE").is_some() {
        return std::fs::write(&file, now).expect("written");
    }
    assert_eq!(now, page, "docs/sandbox.md has other figures; UPDATE=1 writes these");
}
