//! The native side of the backtest benchmark: the same sweep, compiled for this machine.

use std::io::{BufRead, stdin};
use std::sync::Arc;
use std::time::Instant;

use launchpad_desk::amount::{Decimal, Slippage};
use launchpad_desk::launchpad::Launchpad;
use launchpad_desk::strategy::ExitPlan;
use launchpad_desk::strategy::plan::TakeProfit;
use launchpad_desk::strategy::units::{Multiple, Part};
use launchpad_desk_sandbox::backtest::{BacktestEntry, BacktestTerms, Rival, TradeTape, sweep};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [trades, plans] = arguments.as_slice() else {
        return Err("usage: bench-backtest <trades> <plans>".into());
    };
    let (tape, plans) = (Arc::new(tape(trades.parse()?)), plans_of(plans.parse()?)?);
    let entry = Some(BacktestEntry { lamports: 100_000_000, after_ms: 0, every_ms: Some(0) });
    let terms = BacktestTerms { entry, ..BacktestTerms::new(Launchpad::default(), 1_000_000_000_000) };
    let run = || sweep(&terms, std::hint::black_box(&tape), &plans);
    let profits: Vec<String> = run().iter().map(|plan| plan.profit_lamports.to_string()).collect();
    println!("\"{}\"", profits.join(","));
    for line in stdin().lock().lines() {
        let calls: u64 = line?.trim().parse()?;
        let began = Instant::now();
        for _ in 0..calls {
            std::hint::black_box(run());
        }
        println!("{}", began.elapsed().as_secs_f64() * 1e3);
    }
    Ok(())
}

/// As bench/backtest/work.mjs makes it.
fn tape(trades: u64) -> TradeTape {
    let mut tape = TradeTape::default();
    for row in 0..trades {
        let lamports = 10_000_000 + row * 7_919 % 1_024 * 100_000;
        let is_sell = row.wrapping_mul(2_654_435_761) as u32 % 100 < if row / 500 % 2 == 1 { 56 } else { 44 };
        match is_sell {
            true => tape.push("token", row * 100, Rival::Sell, lamports * 20_000),
            false => tape.push("token", row * 100, Rival::Buy, lamports),
        };
    }
    tape
}

fn plans_of(count: u64) -> Result<Vec<ExitPlan>, Box<dyn std::error::Error>> {
    let side = count.isqrt();
    let multiple = |thousandths: u64| Multiple::from_billionths(thousandths * 1_000_000);
    let everything = Slippage::Percent(Decimal::from_plain("100").map_err(|_| "not a number")?);
    Ok((0..count)
        .map(|plan| ExitPlan {
            take_profit: vec![TakeProfit { at: multiple(1_050 + plan / side * 50), sell: Part::WHOLE }],
            stop_loss: Some(multiple(800 + plan % side * 20)),
            slippage: Some(everything),
            ..ExitPlan::default()
        })
        .collect())
}
