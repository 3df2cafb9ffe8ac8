//! Many exit plans over one tape, and what a bot without an idea would have made of it.

use std::collections::BinaryHeap;
use std::sync::Arc;

use super::run::{BacktestOutcome, BacktestRun};
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

/// The terms of a bot without an idea, to compare a run with: as many buys as the run had positions, each for what one of them spent
/// and held as long as that one, but each at the time of any trade of the tape, drawn from the seed. It takes every price. Where two
/// of them meet in one token, the second is not made.
pub fn without_idea(run: &BacktestRun, terms: &BacktestTerms, tape: &TradeTape, seed: u64) -> BacktestTerms {
    let mut random = SplitMix64 { state: seed };
    let everything = Decimal::from_plain("100").ok().map(Slippage::Percent);
    let drawn = run.positions.iter().enumerate().filter_map(|(nth, _)| {
        let at = random.below(tape.len() as u64) as usize;
        Some((tape.at(at)?.at_ms, nth, at))
    });
    // In the order of their times by a heap: the library's sort would be 5 KB of the module.
    let in_order = drawn.collect::<BinaryHeap<_>>().into_sorted_vec();
    let signal = |(at_ms, nth, at): (u64, usize, usize)| {
        let position = run.positions.get(nth)?;
        let held_ms = position.closed_at_ms.0.saturating_sub(position.opened_at_ms.0).max(1);
        let plan = ExitPlan { time_ms: Some(Millis(held_ms)), slippage: everything, ..ExitPlan::default() };
        Some(BacktestSignal {
            mint: tape.at(at)?.mint,
            at_ms,
            lamports: position.spent_lamports,
            exits: Some(Arc::new(plan)),
        })
    };
    let signals = in_order.into_iter().filter_map(signal).collect();
    BacktestTerms {
        seed,
        signals,
        entry: None,
        exits: None,
        slippage_ppm: launchpad_desk::launchpad::slippage::PPM,
        ..terms.clone()
    }
}
