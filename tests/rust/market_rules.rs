//! What simple rules gain in a living market: each launch happens once, and every rule is tried on its curve.
//!
//! A rule watches a launch, buys it if enough others have bought, and sells it at a multiple, at a stop or after a time. Its
//! trades change the curve for what comes after them, and rivals trade the same tokens as without it.

use std::collections::BTreeMap;
use std::ops::RangeInclusive;

use launchpad_desk::launchpad::quote::Side;
use launchpad_desk::tape::ToTape;

use crate::market_facts::{MINUTE_MS, SOL, market, of_seeds, pass};

/// What each trade of a rule spends, in lamports, fees included.
const SPENDS: f64 = 0.1 * SOL as f64;

/// The protocol's fee and the creator's.
const FEES: f64 = 0.0125;

/// The network fees of both trades, in lamports.
const NETWORK: f64 = 10_000.0;

/// How long an order takes, unless the question is how long it should.
const LATENCY_MS: u64 = 400;

const WATCHED_MS: [u64; 6] = [3_000, 5_000, 10_000, 20_000, 30_000, 60_000];
const LEAST_BUYS: [u64; 6] = [3, 6, 10, 20, 35, 60];
const LEAST_LAMPORTS: [u64; 3] = [0, 3 * SOL, 10 * SOL];
const MULTIPLES: [f64; 5] = [1.3, 1.6, 2.0, 3.0, 5.0];
const STOPS: [f64; 4] = [0.9, 0.7, 0.55, 0.4];
const LIMITS_MS: [u64; 4] = [30_000, 2 * MINUTE_MS, 8 * MINUTE_MS, 30 * MINUTE_MS];

/// Which launches a rule buys.
#[derive(Clone, Copy, Debug)]
struct Entry {
    watched_ms: u64,
    least_buys: u64,
    least_lamports: u64,
}

/// When it sells: the value of what it holds is compared with what it paid.
#[derive(Clone, Copy, Debug)]
struct Exit {
    multiple: f64,
    stop: f64,
    limit_ms: u64,
}

/// The rules' entries after this time.
fn entries(watched_ms: u64) -> impl Iterator<Item = Entry> {
    LEAST_BUYS.into_iter().flat_map(move |least_buys| {
        LEAST_LAMPORTS.map(|least_lamports| Entry { watched_ms, least_buys, least_lamports })
    })
}

fn exits() -> Vec<Exit> {
    let each = |multiple| {
        STOPS.into_iter().flat_map(move |stop| LIMITS_MS.map(|limit_ms| Exit { multiple, stop, limit_ms }))
    };
    MULTIPLES.into_iter().flat_map(each).collect()
}

/// A trade as a rule sees it, and the curve after it.
struct Seen {
    /// Since the launch.
    at_ms: u64,
    bought_lamports: Option<u64>,
    sol: f64,
    tokens: f64,
    complete: bool,
}

/// What happened to a launched token.
struct Launch(Vec<Seen>);

impl Launch {
    /// The curve at a time.
    fn at(&self, at_ms: u64) -> Option<&Seen> {
        self.0[..self.0.partition_point(|seen| seen.at_ms <= at_ms)].last()
    }

    fn wanted(&self, entry: Entry) -> bool {
        let seen = self.0.iter().take_while(|seen| seen.at_ms <= entry.watched_ms);
        let buys = seen.filter_map(|seen| seen.bought_lamports);
        let (count, lamports) = buys.fold((0, 0), |(count, sum), lamports| (count + 1, sum + lamports));
        count >= entry.least_buys && lamports >= entry.least_lamports
    }

    /// What each exit gains if a rule decides to buy at that time, as a share of what it spends; nothing if it cannot buy then.
    fn gains(&self, decided_ms: u64, latency_ms: u64, exits: &[Exit]) -> Option<Vec<f64>> {
        let bought_ms = decided_ms + latency_ms;
        let before = self.at(bought_ms).filter(|seen| !seen.complete)?;
        let held = before.tokens - before.sol * before.tokens / (before.sol + SPENDS / (1.0 + FEES));
        // The others trade the same tokens as without it.
        let value = |seen: &Seen| {
            let product = seen.sol * seen.tokens;
            let brought = match seen.complete {
                // Trading has ended: the last price.
                true => held * seen.sol / seen.tokens,
                false => product / (seen.tokens - held) - product / seen.tokens,
            };
            brought * (1.0 - FEES)
        };
        let paid = SPENDS + NETWORK;
        let last_ms = bought_ms + exits.iter().map(|exit| exit.limit_ms).max()?;
        // When the highest and the lowest value so far were first seen, as they change.
        let (mut highs, mut lows) = (vec![(value(before), bought_ms)], vec![(value(before), bought_ms)]);
        let later = self.0.partition_point(|seen| seen.at_ms <= bought_ms);
        for seen in self.0[later..].iter().take_while(|seen| seen.at_ms <= last_ms) {
            let value = value(seen);
            if highs.last().is_some_and(|(high, _)| value > *high) {
                highs.push((value, seen.at_ms));
            } else if lows.last().is_some_and(|(low, _)| value < *low) {
                lows.push((value, seen.at_ms));
            }
        }
        let first = |of: &[(f64, u64)], from: usize| of.get(from).map_or(u64::MAX, |(_, at_ms)| *at_ms);
        let gain = |exit: &Exit| {
            let rises_ms = first(&highs, highs.partition_point(|(high, _)| *high < exit.multiple * paid));
            let falls_ms = first(&lows, lows.partition_point(|(low, _)| *low > exit.stop * paid));
            let sold_ms = rises_ms.min(falls_ms).min(bought_ms + exit.limit_ms) + latency_ms;
            value(self.at(sold_ms).unwrap_or(before)) / paid - 1.0
        };
        Some(exits.iter().map(gain).collect())
    }
}

/// The tokens that each of these markets launches in that time, all watched for longer than any rule holds one.
fn launches(seeds: RangeInclusive<u64>) -> Vec<Launch> {
    let for_ms = 60 * MINUTE_MS;
    let of = |seed| {
        let settings = [("maxMarketTrades", 4_000_000u32.to_tape()), ("maxTokens", 125u32.to_tape())];
        let mut sandbox = market(seed, &settings);
        let first: Vec<String> = sandbox.state().tokens.iter().map(|row| row.mint.clone()).collect();
        pass(&mut sandbox, for_ms + 33 * MINUTE_MS);
        let mut launches: BTreeMap<String, (u64, Vec<Seen>)> = BTreeMap::new();
        for trade in sandbox.state().market_trades.iter().filter(|trade| !first.contains(&trade.mint)) {
            let at_ms = trade.at_ms.get();
            let (launch_ms, seen) = launches.entry(trade.mint.clone()).or_insert((at_ms, Vec::new()));
            seen.push(Seen {
                at_ms: at_ms - *launch_ms,
                bought_lamports: (trade.side == Side::Buy).then_some(trade.lamports),
                sol: trade.virtual_sol_reserves as f64,
                tokens: trade.virtual_token_reserves as f64,
                complete: trade.real_token_reserves == 0,
            });
        }
        let in_time = launches.into_values().filter(|(launch_ms, _)| *launch_ms < for_ms);
        in_time.map(|(_, seen)| Launch(seen)).collect::<Vec<_>>()
    };
    of_seeds(seeds, of).into_iter().flatten().collect()
}

/// What trades of a rule gained.
#[derive(Clone, Copy, Default)]
struct Gains {
    trades: u64,
    sum: f64,
    squares: f64,
}

impl Gains {
    fn add(&mut self, gain: f64) {
        self.trades += 1;
        self.sum += gain;
        self.squares += gain * gain;
    }

    fn mean(&self) -> f64 {
        self.sum / self.trades.max(1) as f64
    }

    /// The standard error of the mean.
    fn error(&self) -> f64 {
        let count = self.trades.max(2) as f64;
        ((self.squares / count - self.mean().powi(2)).max(0.0) / (count - 1.0)).sqrt()
    }
}

/// What every rule of the grid gained with these launches.
fn grid(launches: &[Launch]) -> Vec<(Entry, Exit, Gains)> {
    let exits = exits();
    let of_time = |watched_ms| {
        let of_entry = |entry| exits.iter().map(move |exit| (entry, *exit, Gains::default()));
        let mut rules: Vec<_> = entries(watched_ms).flat_map(of_entry).collect();
        for launch in launches {
            // What comes of a launch depends only on when it was bought.
            let Some(gains) = launch.gains(watched_ms, LATENCY_MS, &exits) else { continue };
            for of_entry in rules.chunks_mut(exits.len()).filter(|rules| launch.wanted(rules[0].0)) {
                of_entry.iter_mut().zip(&gains).for_each(|((_, _, sum), gain)| sum.add(*gain));
            }
        }
        rules
    };
    WATCHED_MS.into_iter().flat_map(of_time).collect()
}

/// The rule that gained most in the launches that are searched, and what it gained with others, which it has never seen.
struct Best {
    rules: usize,
    rule: String,
    searched: Gains,
    tried: Gains,
}

impl Best {
    fn of(searched: &[Launch], tried: &[Launch], least_trades: u64) -> Best {
        let grid = grid(searched);
        let often = grid.iter().filter(|(_, _, gains)| gains.trades >= least_trades);
        let (entry, exit, gains) =
            often.max_by(|(_, _, one), (_, _, other)| one.mean().total_cmp(&other.mean())).expect("a rule");
        Best {
            rules: grid.len(),
            rule: format!("{entry:?}, {exit:?}"),
            searched: *gains,
            tried: gains_of(tried, *entry, *exit, LATENCY_MS),
        }
    }
}

fn gains_of(launches: &[Launch], entry: Entry, exit: Exit, latency_ms: u64) -> Gains {
    let mut all = Gains::default();
    for launch in launches.iter().filter(|launch| launch.wanted(entry)) {
        let gains = launch.gains(entry.watched_ms, latency_ms, &[exit]);
        gains.into_iter().flatten().for_each(|gain| all.add(gain));
    }
    all
}

/// By how much a rule gains more if its orders take longer.
fn slower(launches: &[Launch], entry: Entry, exit: Exit, latencies_ms: [u64; 2]) -> Gains {
    let mut all = Gains::default();
    for launch in launches.iter().filter(|launch| launch.wanted(entry)) {
        let [fast, slow] = latencies_ms.map(|ms| launch.gains(entry.watched_ms, ms, &[exit]));
        if let (Some(fast), Some(slow)) = (fast, slow) {
            all.add(slow[0] - fast[0]);
        }
    }
    all
}

/// Every launch, at once.
const ANY: Entry = Entry { watched_ms: 0, least_buys: 0, least_lamports: 0 };

/// A launch that many have bought in its first seconds.
const CROWD: Entry = Entry { watched_ms: 10_000, least_buys: 20, least_lamports: 0 };

/// How long orders take, from the fastest on.
const LATENCIES_MS: [u64; 5] = [100, 400, 1_000, 2_000, 5_000];

/// How long those who only ask for that hold a token.
const HOLDS: Exit = Exit { multiple: f64::INFINITY, stop: 0.0, limit_ms: 15_000 };

/// The most that the best rule may gain, as a share of what it spends.
const MOST: f64 = 0.02;

#[test]
fn who_waits_for_a_crowd_gains_nothing() {
    let exit = Exit { multiple: 2.0, stop: 0.7, limit_ms: 30 * MINUTE_MS };
    let gains = gains_of(&launches(1..=14), CROWD, exit, LATENCY_MS);
    assert!(gains.trades > 40 && gains.mean() < 0.0, "{:.3} of {}", gains.mean(), gains.trades);
}

/// Figures of a long search, by the name of the fact.
///
/// # Panics
///
/// If a rule gains, or a slow one gains more than a fast one.
pub fn figures() -> Vec<(String, String)> {
    let (searched, tried) = (launches(1..=200), launches(201..=600));
    let best = Best::of(&searched, &tried, 200);
    let gains = best.tried;
    println!("the best of {} rules: {}", best.rules, best.rule);
    println!(
        "{:.4} of {}, with others {:.4} ± {:.4}",
        best.searched.mean(),
        best.searched.trades,
        gains.mean(),
        gains.error()
    );
    assert!(gains.mean() < MOST, "{} gains {}", best.rule, gains.mean());
    let percent = |gains: Gains| {
        let tenths = (gains.mean() * 1_000.0).round();
        format!("{}{:.1} %", if tenths < 0.0 { "−" } else { "" }, tenths.abs() / 10.0)
    };
    let mut figures =
        vec![("the best of 8,640 simple rules, with other seeds: mean gain".to_owned(), percent(gains))];
    for (name, entry) in [("bought at launch", ANY), ("bought after 10 seconds with 20 buys", CROWD)] {
        let of_latency = LATENCIES_MS.map(|ms| percent(gains_of(&tried, entry, HOLDS, ms)));
        for ms in &LATENCIES_MS[1..] {
            let more = slower(&tried, entry, HOLDS, [LATENCIES_MS[0], *ms]);
            assert!(more.mean() < 2.0 * more.error(), "{name}, {ms} ms: {} more", more.mean());
        }
        let what = "sold after 15 seconds, with 0.1, 0.4, 1, 2 and 5 seconds of latency: mean gain";
        figures.push((format!("{name}, {what}"), of_latency.join(", ")));
    }
    figures
}
