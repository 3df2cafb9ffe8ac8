//! Many exit plans over one tape, and what a bot without an idea would have made of it.

use std::collections::BinaryHeap;
use std::sync::Arc;

use super::run::{BacktestOutcome, BacktestPosition, BacktestRun};
use super::trade_tape::TradeTape;
use super::{Backtest, BacktestSignal, BacktestTerms};
use launchpad_desk::amount::{Decimal, Slippage};
use launchpad_desk::launchpad::plan::SplitMix64;
use launchpad_desk::strategy::plan::ExitPlan;
use launchpad_desk::strategy::units::Millis;

/// What one exit plan of a sweep came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SweptPlan {
    /// What the wallet has more at the end, in lamports.
    pub profit_lamports: i128,
    /// How many positions there were.
    pub positions: u32,
    /// How many of them gained.
    pub wins: u32,
    /// Orders that landed.
    pub landed: u32,
    /// Orders that failed.
    pub failed: u32,
    /// The deepest fall of the equity, in lamports.
    pub drawdown_lamports: u64,
}

/// Runs each of these exit plans over the same tape, from the same seed: as the exits of `entry` and of every signal.
///
/// ```
/// use std::sync::Arc;
/// use launchpad_desk::launchpad::Launchpad;
/// use launchpad_desk::strategy::ExitPlan;
/// use launchpad_desk_sandbox::backtest::{BacktestEntry, BacktestTerms, Rival, TradeTape, sweep};
/// let mut tape = TradeTape::default();
/// for second in 0..30 {
///     tape.push("M", second * 1_000, Rival::Buy, 500_000_000);
/// }
/// for second in 30..60 {
///     tape.push("M", second * 1_000, Rival::Sell, 12_000_000_000_000);
/// }
/// let entry = Some(BacktestEntry { lamports: 1_000_000_000, after_ms: 20_000, every_ms: None });
/// let terms = BacktestTerms { entry, ..BacktestTerms::new(Launchpad::default(), 10_000_000_000) };
/// let stops = ["0.9x", "0.1x"].map(|stop| ExitPlan { stop_loss: stop.parse().ok(), ..ExitPlan::default() });
/// let swept = sweep(&terms, &Arc::new(tape), &stops);
/// assert_eq!((swept[0].positions, swept[0].wins), (1, 0));
/// assert!(swept[0].profit_lamports > swept[1].profit_lamports, "held to the end, it loses more");
/// ```
pub fn sweep(terms: &BacktestTerms, tape: &Arc<TradeTape>, plans: &[ExitPlan]) -> Vec<SweptPlan> {
    plans
        .iter()
        .map(|plan| {
            let exits = Some(Arc::new(plan.clone()));
            let left_by = |signal: &BacktestSignal| BacktestSignal { exits: exits.clone(), ..signal.clone() };
            let signals = terms.signals.iter().map(left_by).collect();
            let terms = BacktestTerms { exits: exits.clone(), signals, ..terms.clone() };
            SweptPlan::of(&Backtest::new(Arc::new(terms), Arc::clone(tape)).run())
        })
        .collect()
}

impl SweptPlan {
    /// What a run came to.
    pub fn of(run: &BacktestRun) -> SweptPlan {
        SweptPlan {
            profit_lamports: run.profit_lamports,
            positions: run.positions.len() as u32,
            wins: run.wins,
            landed: run.orders_that(BacktestOutcome::Landed) as u32,
            failed: run.orders_that(BacktestOutcome::Failed) as u32,
            drawdown_lamports: run.drawdown.lamports,
        }
    }
}

/// How often a time is drawn for a buy before it is left out.
const MOST_DRAWS: u32 = 200;

/// The terms of a bot without an idea, to compare a run with: as many buys as the run had positions, each for what one of them spent
/// and held as long as that one, with the priority of `exits`, but each at the time of any trade of the tape, drawn from the seed. It takes
/// every price. No two of them meet in one token, and none outlasts the tape: what finds no place is left out.
pub fn without_idea(run: &BacktestRun, terms: &BacktestTerms, tape: &TradeTape, seed: u64) -> BacktestTerms {
    let mut random = SplitMix64 { state: seed };
    let everything = Decimal::from_plain("100").ok().map(Slippage::Percent);
    let latencies = || terms.latency_ms.iter().copied();
    let (least, most) = (latencies().min().unwrap_or(0), latencies().max().unwrap_or(0));
    let ends_ms = tape.at_ms(tape.len().saturating_sub(1)).unwrap_or(0);
    let held =
        |position: &BacktestPosition| position.closed_at_ms.0.saturating_sub(position.opened_at_ms.0).max(1);
    // In an order by a heap: the library's sort would be 5 KB of the module.
    let in_order = |of: Vec<(u64, usize, usize)>| BinaryHeap::from(of).into_sorted_vec();
    let by_length =
        run.positions.iter().enumerate().map(|(nth, position)| (held(position), nth, 0)).collect();
    // From when to when each token has a position, in the order of their times.
    let mut taken: Vec<Vec<(u64, u64)>> = vec![Vec::new(); tape.mints().len()];
    let mut drawn = Vec::new();
    // The longest first, while there is room for them.
    for (held_ms, nth, _) in in_order(by_length).into_iter().rev() {
        let lasts_ms = held_ms.saturating_add(least).max(most);
        let rows = ends_ms.checked_sub(lasts_ms).map_or(0, |from_ms| tape.until(from_ms));
        for _ in 0..MOST_DRAWS {
            let at = random.below(rows as u64) as usize;
            let Some(row) = tape.at(at).filter(|_| rows > 0) else { break };
            let Some(taken) = taken.get_mut(row.mint as usize) else { break };
            let is_over_ms = row.at_ms + held_ms + 2 * most + terms.look_every_ms;
            let place = taken.partition_point(|(from_ms, _)| *from_ms <= is_over_ms);
            if place
                .checked_sub(1)
                .and_then(|before| taken.get(before))
                .is_none_or(|(_, until_ms)| *until_ms < row.at_ms)
            {
                taken.insert(place, (row.at_ms, is_over_ms));
                drawn.push((row.at_ms, nth, at));
                break;
            }
        }
    }
    let signal = |(at_ms, nth, at): (u64, usize, usize)| {
        let position = run.positions.get(nth)?;
        let time_ms = Some(Millis(held(position)));
        let own = terms.exits.as_deref();
        let plan = ExitPlan {
            time_ms,
            slippage: everything,
            priority_unit_limit: own.and_then(|own| own.priority_unit_limit),
            priority_unit_price: own.and_then(|own| own.priority_unit_price),
            ..ExitPlan::default()
        };
        Some(BacktestSignal {
            mint: tape.at(at)?.mint,
            at_ms,
            lamports: position.spent_lamports,
            exits: Some(Arc::new(plan)),
        })
    };
    let signals = in_order(drawn).into_iter().filter_map(signal).collect();
    BacktestTerms {
        seed,
        signals,
        entry: None,
        exits: None,
        slippage_ppm: launchpad_desk::launchpad::slippage::PPM,
        ..terms.clone()
    }
}
