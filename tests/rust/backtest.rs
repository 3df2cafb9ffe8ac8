//! A backtest does what its parts do one by one, knows nothing of the future, and loses no lamport.

use std::sync::Arc;

use crate::{rents, seeded};

use launchpad_desk::amount::{Decimal, Slippage, SlippageUnit};
use launchpad_desk::intent::IntentOutcome;
use launchpad_desk::launchpad::cost::Priority;
use launchpad_desk::launchpad::plan::SplitMix64;
use launchpad_desk::launchpad::quote::Side;
use launchpad_desk::launchpad::{Launchpad, Refusal, Token};
use launchpad_desk::strategy::units::Millis;
use launchpad_desk::strategy::{ExitPlan, ExitPosition, ExitState, Tick, next, settled};
use launchpad_desk::tape::Count;
use launchpad_desk::tape::json;
use launchpad_desk_sandbox::backtest::run::{BacktestOutcome, BacktestReason};
use launchpad_desk_sandbox::backtest::{
    Backtest, BacktestAsk, BacktestEntry, BacktestOrder, BacktestRun, BacktestSignal, BacktestTerms, Rival,
    RivalTrade, SeenTrade, TradeTape, sweep, without_idea,
};
use launchpad_desk_sandbox::recording::{Columns, RecordedTrade, recording};
use launchpad_desk_sandbox::{Sandbox, SandboxConfig};
use proptest::prelude::*;

const SOL: u64 = 1_000_000_000;
const FEE: u64 = 5_000;

fn plan(json: &str) -> ExitPlan {
    ExitPlan::from_data(json::parse(json.as_bytes()).expect("JSON").root()).expect("a plan")
}

fn everything() -> Option<Slippage> {
    Some(Slippage::Percent(Decimal::from_plain("100").expect("a number")))
}

/// A trade of a tape: its time, its token, and how much of what.
type Row = (u64, &'static str, Rival, u64);

/// Trades of some tokens, one every `gap_ms` at most: mostly buys, of what buyers have bought.
fn rows(seed: u64, rows: u64, mints: u64, gap_ms: u64) -> Vec<Row> {
    let mut random = SplitMix64 { state: seed };
    let mut at_ms = 1_000;
    let row = |_| {
        at_ms += random.below(gap_ms + 1);
        let mint = ["M", "N", "O"][random.below(mints) as usize];
        let (order, most) = match random.below(20) {
            0..10 => (Rival::Buy, SOL),
            10 => (Rival::BuyTokens, 10_000_000_000_000),
            _ => (Rival::Sell, 20_000_000_000_000),
        };
        (at_ms, mint, order, 1 + random.below(most))
    };
    (0..rows).map(row).collect()
}

fn tape_of(rows: impl IntoIterator<Item = Row>) -> TradeTape {
    let mut tape = TradeTape::default();
    rows.into_iter().for_each(|(at_ms, mint, order, amount)| assert!(tape.push(mint, at_ms, order, amount)));
    tape
}

fn tape(seed: u64, count: u64, mints: u64, gap_ms: u64) -> TradeTape {
    tape_of(rows(seed, count, mints, gap_ms))
}

/// Others buy of these tokens at these times, each for one SOL.
fn bought_of<const TRADES: usize>(trades: [(&'static str, u64); TRADES]) -> TradeTape {
    tape_of(trades.map(|(mint, at_ms)| (at_ms, mint, Rival::Buy, SOL)))
}

/// A signal to buy the tape's token of this number.
fn signal(mint: u32, at_ms: u64, lamports: u64) -> BacktestSignal {
    BacktestSignal { mint, at_ms, lamports, exits: None }
}

fn at_any_price(json: &str) -> ExitPlan {
    ExitPlan { slippage: everything(), ..plan(json) }
}

/// A trade that moves the price by much.
fn swing(random: &mut SplitMix64) -> (Rival, u64) {
    let (order, most) = [(Rival::Buy, 2 * SOL), (Rival::Sell, 30_000_000_000_000)][random.below(2) as usize];
    (order, 1 + random.below(most))
}

fn traded(rows: impl IntoIterator<Item = (u64, Rival, u64)>) -> TradeTape {
    tape_of(rows.into_iter().map(|(at_ms, order, amount)| (at_ms, "M", order, amount)))
}

/// Others buy it at these times, each for so much.
pub fn bought(times: impl IntoIterator<Item = u64>, lamports: u64) -> TradeTape {
    traded(times.into_iter().map(|at_ms| (at_ms, Rival::Buy, lamports)))
}

pub fn terms(entry: Option<BacktestEntry>, exits: Option<ExitPlan>) -> BacktestTerms {
    BacktestTerms { entry, exits: exits.map(Arc::new), ..BacktestTerms::new(Launchpad::default(), 10 * SOL) }
}

pub fn run(terms: BacktestTerms, tape: &TradeTape) -> BacktestRun {
    Backtest::new(Arc::new(terms), Arc::new(tape.clone())).run()
}

pub const AT_ONCE: BacktestEntry = BacktestEntry { lamports: SOL, after_ms: 0, every_ms: None };

#[test]
fn a_run_of_exits_is_the_rule_by_hand() {
    let rules = r#"{ "takeProfit": [{ "at": "1.05x", "sell": "40%" }], "stopLoss": "0.8x", "trailing": { "by": "10%" } }"#;
    let exits = at_any_price(rules);
    let mut closed = 0;
    for seed in 0..40 {
        // Each trade has a time of its own, so that an order without latency lands at once.
        let mut random = SplitMix64 { state: seed };
        let rows: Vec<(Rival, u64)> = (0..120).map(|_| swing(&mut random)).collect();
        let tape =
            traded((0..).step_by(100).zip(&rows).map(|(at_ms, (order, amount))| (at_ms, *order, *amount)));
        let run = run(terms(Some(BacktestEntry { after_ms: 500, ..AT_ONCE }), Some(exits.clone())), &tape);

        let launchpad = Launchpad::default();
        let (mut token, mut lamports, mut open) = (launchpad.new_token(), 10 * SOL, None::<ExitState>);
        let (mut orders, mut skipped) = (0, 0);
        for (row, (order, amount)) in rows.iter().enumerate() {
            let at_ms = row as u64 * 100;
            let filled = match order {
                Rival::Sell => launchpad.sell_exact_in(&token, *amount, *amount, 0),
                _ => launchpad.buy_exact_in(&token, *amount, 1),
            };
            match filled {
                Ok(fill) => token.curve = fill.curve_after,
                Err(_) => skipped += 1,
            }
            // The entry is due at 500 ms; at equal times the others come first.
            if at_ms == 500 && !token.is_complete() {
                let fill = launchpad.buy_exact_in(&token, SOL, 1).expect("a buy");
                token.curve = fill.curve_after;
                lamports -= fill.wallet_lamports + FEE + rents::token_account();
                let position = ExitPosition {
                    id: "p1".into(),
                    mint: "M".into(),
                    wallet: "W".into(),
                    tokens: fill.tokens,
                    cost_lamports: fill.wallet_lamports + FEE,
                    rent_locked_lamports: rents::token_account(),
                    opened_at_ms: Some(Millis(at_ms)),
                    fee_payer: None,
                };
                open = Some(ExitState::open(exits.clone(), position));
                orders += 1;
                continue;
            }
            let Some(state) = open.take() else { continue };
            let held = Some(state.tokens);
            let (state, order) =
                next(state, &Tick { at_ms, launchpad: &launchpad, token: &token, wallet_tokens: held });
            let Some(order) = order else {
                open = Some(state);
                continue;
            };
            let fill = launchpad.sell_exact_in(&token, order.tokens, state.tokens, 0).expect("a sell");
            token.curve = fill.curve_after;
            lamports += fill.wallet_lamports;
            lamports -= FEE;
            orders += 1;
            let state = settled(state, &order.intent_id, IntentOutcome::Landed, at_ms, None);
            if state.is_over() {
                lamports += rents::token_account();
            } else {
                open = Some(state);
            }
        }
        if let Some(state) = open {
            let fill = launchpad.sell_exact_in(&token, state.tokens, state.tokens, 0).expect("a sell");
            lamports = lamports + fill.wallet_lamports + rents::token_account() - FEE;
            orders += 1;
        } else {
            closed += 1;
        }
        assert_eq!(run.end_lamports, lamports, "{seed}");
        assert_eq!((run.orders.len(), run.replayed), (orders, 120 - skipped), "{seed}");
    }
    assert!(closed > 20, "most of them leave by a rule");
}

/// What a strategy decided until a time.
fn decided(orders: &[BacktestOrder], until_ms: u64) -> Vec<(u64, String, Side, BacktestReason, u64, u64)> {
    let seen = orders.iter().filter(|order| order.at_ms.0 <= until_ms);
    seen.map(|o| (o.at_ms.0, o.mint.clone(), o.side, o.reason, o.amount, o.expected)).collect()
}

/// Follows others: buys after a large buy, sells a part after a large sell.
fn following(terms: &BacktestTerms, tape: &TradeTape) -> BacktestRun {
    let exits = Arc::new(plan(r#"{ "stopLoss": "0.9x", "timeMs": 9000, "slippage": { "percent": 50 } }"#));
    let mut backtest = Backtest::new(Arc::new(terms.clone()), Arc::new(tape.clone()));
    let mut seen = 0;
    while let Some(trade) = backtest.step() {
        seen += 1;
        let mint = trade.mint;
        if trade.side == Side::Buy && trade.lamports > SOL / 2 {
            let exits = (seen % 2 == 0).then(|| Arc::clone(&exits));
            backtest.ask(BacktestAsk::Buy { mint, lamports: SOL / 10, slippage_ppm: Some(900_000), exits });
        } else if trade.side == Side::Sell && trade.lamports > SOL / 4 {
            let tokens = backtest.held(mint) / 2 + 1;
            backtest.ask(BacktestAsk::Sell { mint, tokens, slippage_ppm: Some(1_000_000) });
        }
    }
    backtest.finish()
}

/// The same rows up to a time, and others after it.
fn corrupted(seed: u64, until_ms: u64) -> TradeTape {
    let known = rows(seed, 300, 3, 200).into_iter().filter(|row| row.0 <= until_ms);
    let other = rows(seed + 1_000, 300, 3, 100).into_iter().map(|(at_ms, mint, order, amount)| {
        // Tokens that are new after it, too.
        let mint = if amount % 3 == 0 { "later" } else { mint };
        (until_ms + 1 + at_ms, mint, order, amount.saturating_mul(7))
    });
    tape_of(known.chain(other))
}

#[test]
fn no_decision_depends_on_what_comes_later() {
    let mut decisions = 0;
    for seed in 0..30 {
        let known = tape(seed, 300, 3, 200);
        let last = known.at_ms(known.len() - 1).expect("a trade");
        let entry = BacktestEntry { lamports: SOL / 5, after_ms: 700, every_ms: Some(3_000) };
        let rules = r#"{ "takeProfit": [{ "at": "1.1x", "sell": "50%" }], "trailing": { "by": "5%" }, "timeMs": 4000 }"#;
        for until_ms in [last / 4, last / 2, last * 3 / 4] {
            let other = corrupted(seed, until_ms);
            let base = BacktestTerms { latency_ms: vec![0, 90, 400, 1_500], seed, ..terms(None, None) };
            let exits = Some(Arc::new(plan(rules)));
            let ruled = BacktestTerms { entry: Some(entry), exits, ..base.clone() };
            for (strategy, terms) in [(false, ruled), (true, base)] {
                let of = |tape: &TradeTape| {
                    let run = if strategy { following(&terms, tape) } else { run(terms.clone(), tape) };
                    let mut orders = run.orders;
                    orders.sort_by_key(|order| {
                        (order.at_ms, order.mint.clone(), order.side.as_str(), order.amount)
                    });
                    decided(&orders, until_ms)
                };
                let (one, two) = (of(&known), of(&other));
                assert_eq!(one, two, "seed {seed}, until {until_ms}");
                decisions += one.len();
            }
        }
    }
    assert!(decisions > 2_000, "{decisions}");
}

#[test]
fn an_order_arrives_after_its_latency_and_others_come_first() {
    // It is decided at 0, and arrives at 100: after the trade of that time, before the next.
    let tape = traded([(0, Rival::Buy, SOL), (100, Rival::Buy, 2 * SOL), (101, Rival::Buy, 3 * SOL)]);
    let signals = vec![signal(0, 0, SOL)];
    let wide = BacktestTerms { latency_ms: vec![100], slippage_ppm: 500_000, signals, ..terms(None, None) };
    let found = run(wide.clone(), &tape);
    let launchpad = Launchpad::default();
    let mut token = launchpad.new_token();
    for lamports in [SOL, 2 * SOL] {
        token.curve = launchpad.buy_exact_in(&token, lamports, 1).expect("a buy").curve_after;
    }
    let fill = launchpad.buy_exact_in(&token, SOL, 1).expect("a buy");
    assert_eq!(found.orders[0].tokens, fill.tokens);
    assert_eq!(found.orders[0].arrived_at_ms, Some(Millis(100)));
    // With a narrow slippage the price has moved too far: it costs the network fee, and nothing else.
    let narrow = run(BacktestTerms { slippage_ppm: 5_000, ..wide }, &tape);
    let order = &narrow.orders[0];
    assert_eq!((order.outcome, order.refusal), (BacktestOutcome::Failed, Some(Refusal::BelowMinimumTokens)));
    assert_eq!((narrow.profit_lamports, narrow.positions.len()), (-i128::from(FEE), 0));
    assert_eq!(narrow.costs.network_fees_lamports, FEE);
}

#[test]
fn a_token_starts_where_it_stood() {
    let launchpad = Launchpad::default();
    // The entry is after the others of the same time, and before the last one.
    let tape = bought_of([("M", 0), ("N", 0), ("M", 1_000)]);
    let moved = launchpad.buy_exact_in(&launchpad.new_token(), 20 * SOL, 1).expect("a buy").curve_after;
    let stood = Token { curve: moved, ..launchpad.new_token() };
    let terms = BacktestTerms { starts: [("N".to_owned(), stood)].into(), ..terms(Some(AT_ONCE), None) };
    let run = run(terms, &tape);
    let bought = |token: Token| {
        let curve = launchpad.buy_exact_in(&token, SOL, 1).expect("a buy").curve_after;
        launchpad.buy_exact_in(&Token { curve, ..token }, SOL, 1).expect("a buy").tokens
    };
    let tokens: Vec<u64> = run.positions.iter().map(|position| position.tokens).collect();
    assert_eq!(tokens, [bought(launchpad.new_token()), bought(stood)]);
}

#[test]
fn time_is_kept_between_trades() {
    let tape = bought([0, 10, 90_000], SOL);
    let found = run(terms(Some(AT_ONCE), Some(plan(r#"{ "timeMs": 5000 }"#))), &tape);
    let position = &found.positions[0];
    assert_eq!((position.reason, position.closed_at_ms), (BacktestReason::Time, Millis(5_000)));
    assert_eq!((found.in_market_ms, found.in_market.to_string().as_str()), (Millis(5_000), "5.5555%"));
}

#[test]
fn a_price_between_two_looks_is_not_seen() {
    let launchpad = Launchpad::default();
    let bought = launchpad.buy_exact_in(&launchpad.new_token(), 40 * SOL, 1).expect("a buy").tokens;
    let tape = traded([
        (0, Rival::Buy, SOL),
        // A peak of half a second, and one that lasts.
        (1_500, Rival::Buy, 40 * SOL),
        (1_990, Rival::Sell, bought / 2),
        (4_200, Rival::Buy, 40 * SOL),
        (9_000, Rival::Buy, SOL),
    ]);
    let rules = r#"{ "takeProfit": [{ "at": "2x", "sell": "100%" }] }"#;
    let profit = at_any_price(rules);
    let sold_at = |look_every_ms| {
        let found = run(BacktestTerms { look_every_ms, ..terms(Some(AT_ONCE), Some(profit.clone())) }, &tape);
        let sells = found.orders.iter().filter(|order| order.reason == BacktestReason::TakeProfit);
        sells.map(|order| order.at_ms).collect::<Vec<_>>()
    };
    let times = |times: &[u64]| times.iter().copied().map(Millis).collect::<Vec<_>>();
    assert_eq!(sold_at(0), times(&[1_500]));
    assert_eq!(sold_at(1_000), times(&[5_000]));
    assert_eq!(sold_at(60_000), times(&[]), "the tape ends before");
    assert_eq!(sold_at(9_000), times(&[9_000]), "its last moment is on the tape");
}

#[test]
fn what_is_due_at_the_last_moment_of_a_tape_is_not_left_to_its_end() {
    let tape = bought_of([("M", 0), ("N", 0), ("N", 5_000)]);
    for (time_ms, look_every_ms, reason) in [
        (5_000, 0, BacktestReason::Time),
        (5_000, 1_000, BacktestReason::Time),
        (5_001, 0, BacktestReason::End),
        (4_900, 3_000, BacktestReason::End),
    ] {
        let exits = plan(&format!(r#"{{ "timeMs": {time_ms} }}"#));
        let found = run(BacktestTerms { look_every_ms, ..terms(Some(AT_ONCE), Some(exits)) }, &tape);
        let reasons: Vec<_> = found.positions.iter().map(|position| position.reason).collect();
        assert_eq!(reasons, [reason; 2], "{time_ms} {look_every_ms}");
    }
}

#[test]
fn a_look_that_an_order_on_its_way_held_up_is_taken_when_it_arrives() {
    let launchpad = Launchpad::default();
    let bought = launchpad.buy_exact_in(&launchpad.new_token(), 40 * SOL, 1).expect("a buy").tokens;
    // Half is sold at 10,000 and arrives at 10,400; meanwhile others sell. Nobody trades for ten minutes, and then the price recovers.
    let sold = (Rival::Sell, bought / 4 * 3);
    let begins = [(0, Rival::Buy, SOL), (10_000, Rival::Buy, 40 * SOL)];
    let fallen =
        traded(begins.into_iter().chain([(10_200, sold.0, sold.1), (600_000, Rival::Buy, 60 * SOL)]));
    let quiet = traded(begins.into_iter().chain([(600_000, sold.0, sold.1)]));
    let half = r#"{ "takeProfit": [{ "at": "1.5x", "sell": "50%" }], "#;
    for (tape, rule, reason) in [
        (&fallen, r#""trailing": { "by": "10%", "from": "1.5x" } }"#, BacktestReason::Trailing),
        (&quiet, r#""timeMs": 9900 }"#, BacktestReason::Time),
    ] {
        let exits = at_any_price(&[half, rule].concat());
        let base = BacktestTerms { latency_ms: vec![400], ..terms(Some(AT_ONCE), Some(exits)) };
        for look_every_ms in [1, 0] {
            let found = run(BacktestTerms { look_every_ms, ..base.clone() }, tape);
            let [_, profit, left] = found.orders.as_slice() else { panic!("{:?}", found.orders) };
            assert_eq!((profit.reason, profit.at_ms.0), (BacktestReason::TakeProfit, 10_000));
            let due_ms = 10_400 + look_every_ms;
            assert_eq!((left.reason, left.at_ms.0), (reason, due_ms), "{look_every_ms}");
        }
    }
}

#[test]
fn a_close_that_an_order_on_its_way_held_up_is_tried_when_it_arrives() {
    let tape = bought_of([("M", 0), ("M", 2_000), ("M", 2_001), ("N", 2_100), ("N", 9_000)]);
    let half = Arc::new(at_any_price(r#"{ "takeProfit": [{ "at": "1.01x", "sell": "50%" }] }"#));
    let terms = BacktestTerms { latency_ms: vec![500], slippage_ppm: 500_000, ..terms(None, None) };
    let mut backtest = Backtest::new(Arc::new(terms), Arc::new(tape));
    while let Some(SeenTrade { at_ms, .. }) = backtest.step() {
        let (mint, exits) = (0, Some(Arc::clone(&half)));
        match at_ms {
            0 => backtest.ask(BacktestAsk::Buy { mint, lamports: SOL, slippage_ppm: None, exits }),
            2_100 => backtest.ask(BacktestAsk::Sell { mint, tokens: 1, slippage_ppm: None }),
            _ => {}
        }
    }
    let told: Vec<_> = backtest.orders().iter().map(|order| (order.reason, order.at_ms.0)).collect();
    let (begun, half) = ((BacktestReason::Strategy, 0), (BacktestReason::TakeProfit, 2_000));
    assert_eq!(told, [begun, half, (BacktestReason::CloseNow, 2_500)]);
}

#[test]
fn an_exit_that_fails_is_tried_again_later() {
    // Each look sees a price from which the next trade falls further.
    let falls = (1_000..10_000).step_by(1_000).map(|at_ms| (at_ms, Rival::Sell, 9_000_000_000_000));
    let tape = traded([(0, Rival::Buy, 5 * SOL)].into_iter().chain(falls));
    let stop = plan(r#"{ "stopLoss": "0.97x", "slippage": { "percent": 1 } }"#);
    let found = run(
        BacktestTerms { latency_ms: vec![1_200], slippage_ppm: 500_000, ..terms(Some(AT_ONCE), Some(stop)) },
        &tape,
    );
    let failed = found.orders_that(BacktestOutcome::Failed);
    assert!(failed > 0 && failed < 6, "{failed}: the wait between attempts doubles");
    assert_eq!(found.positions.len(), 1);
    assert_eq!(found.costs.network_fees_lamports, FEE * (failed as u64 + 2));
}

#[test]
fn what_cannot_be_sold_counts_as_nothing() {
    let tape = traded([(0, Rival::Buy, SOL), (10, Rival::Buy, 200 * SOL)]);
    let launchpad =
        Launchpad { completion: launchpad_desk::launchpad::Completion::Partial, ..Launchpad::default() };
    let found = run(BacktestTerms { launchpad: launchpad.into(), ..terms(Some(AT_ONCE), None) }, &tape);
    let position = &found.positions[0];
    assert_eq!((position.reason, position.received_lamports), (BacktestReason::Unsold, 0));
    assert_eq!(found.profit_lamports, -i128::from(SOL + FEE + rents::token_account()));
}

#[test]
fn a_sweep_leaves_the_positions_of_signals_by_its_plans() {
    let rises = (0..30_000).step_by(1_000).map(|at_ms| (at_ms, Rival::Buy, SOL / 2));
    let falls = (30_000..60_000).step_by(1_000).map(|at_ms| (at_ms, Rival::Sell, 12_000_000_000_000));
    let tape = traded(rises.chain(falls));
    let signals = vec![signal(0, 20_000, SOL)];
    let base = BacktestTerms { signals, ..terms(None, None) };
    let plans = ["0.9x", "0.6x"].map(|stop| {
        let stop_loss = stop.parse().ok();
        ExitPlan { stop_loss, slippage: everything(), ..ExitPlan::default() }
    });
    let swept = sweep(&base, &Arc::new(tape.clone()), &plans);
    for (plan, swept) in plans.iter().zip(&swept) {
        let exits = Some(Arc::new(plan.clone()));
        let signals = vec![BacktestSignal { exits, ..base.signals[0].clone() }];
        let found = run(BacktestTerms { signals, ..base.clone() }, &tape);
        assert_eq!(found.positions[0].reason, BacktestReason::StopLoss);
        assert_eq!((swept.profit_lamports, swept.landed), (found.profit_lamports, 2));
    }
    assert_ne!(swept[0].profit_lamports, swept[1].profit_lamports);
}

#[test]
fn nothing_is_bought_before_it_is_there() {
    let tape = bought_of([("M", 0), ("N", 10_000), ("N", 12_000), ("M", 20_000)]);
    // N's first trade is its launch; one that stood elsewhere was there before.
    let launchpad = Launchpad::default();
    let moved = launchpad.buy_exact_in(&launchpad.new_token(), SOL, 1).expect("a buy").curve_after;
    let stood = Token { curve: moved, ..launchpad.new_token() };
    let base = BacktestTerms {
        latency_ms: vec![400],
        slippage_ppm: 900_000,
        signals: [5_000, 9_999, 10_000].map(|at_ms| signal(1, at_ms, SOL)).to_vec(),
        ..terms(None, None)
    };
    let named = BacktestTerms { starts: [("N".to_owned(), launchpad.new_token())].into(), ..base.clone() };
    let told =
        |order: &BacktestOrder| (order.at_ms.0, order.outcome, order.refusal, order.network_fee_lamports);
    for (terms, outcome) in [
        (base.clone(), BacktestOutcome::NotSent),
        (BacktestTerms { start: stood, ..base }, BacktestOutcome::Landed),
        (named, BacktestOutcome::Landed),
    ] {
        let orders = run(terms.clone(), &tape).orders;
        let fee = if outcome == BacktestOutcome::Landed { FEE } else { 0 };
        assert_eq!(told(&orders[0]), (5_000, outcome, None, fee));
        assert_eq!(
            orders.iter().find(|order| order.at_ms.0 == 9_999).map(|order| order.outcome),
            Some(outcome)
        );
        // A strategy that knows its mint beforehand.
        let mut backtest =
            Backtest::new(Arc::new(BacktestTerms { signals: Vec::new(), ..terms }), Arc::new(tape.clone()));
        assert!(backtest.step().is_some());
        backtest.ask(BacktestAsk::Buy { mint: 1, lamports: SOL, slippage_ppm: None, exits: None });
        while backtest.step().is_some() {}
        assert_eq!(backtest.finish().orders[0].outcome, outcome);
    }
}

#[test]
fn a_signal_after_the_tape_is_told_of() {
    let tape = bought([0, 1_000], SOL);
    let signals = [0, 1_001, 60_000].map(|at_ms| signal(0, at_ms, SOL));
    let found = run(BacktestTerms { signals: signals.to_vec(), ..terms(None, None) }, &tape);
    let told = |order: &BacktestOrder| (order.at_ms.0, order.reason, order.outcome, order.amount);
    let late = |at_ms| (at_ms, BacktestReason::Entry, BacktestOutcome::NotSent, SOL);
    assert_eq!(found.orders[2..].iter().map(told).collect::<Vec<_>>(), [late(1_001), late(60_000)]);
    assert_eq!(found.positions.len(), 1);
}

#[test]
fn an_entry_after_the_tape_is_told_of_once() {
    let tape = bought_of([("M", 0), ("N", 500), ("M", 1_000)]);
    for every_ms in [None, Some(300)] {
        let entry = BacktestEntry { lamports: SOL, after_ms: 600, every_ms };
        let found = run(terms(Some(entry), None), &tape);
        let told = |order: &BacktestOrder| (order.mint.clone(), order.at_ms.0, order.outcome);
        let orders = found.orders.iter().filter(|order| order.reason == BacktestReason::Entry);
        let late = ("N".to_owned(), 1_100, BacktestOutcome::NotSent);
        assert_eq!(
            orders.map(told).collect::<Vec<_>>(),
            [("M".to_owned(), 600, BacktestOutcome::Landed), late]
        );
    }
    // N's is due with the last trade; then no time is past those that a number has.
    for (after_ms, at_ms) in [(500, 1_000), (1 << 60, Millis::MOST)] {
        let entry = BacktestEntry { lamports: SOL, after_ms, every_ms: None };
        let late = run(terms(Some(entry), None), &tape).orders.pop().expect("N's");
        assert_eq!((late.mint.as_str(), late.at_ms.0, late.outcome), ("N", at_ms, BacktestOutcome::NotSent));
    }
}

#[test]
fn the_position_of_a_signal_does_not_end_an_entry_that_is_still_to_come() {
    let tape = bought((0..60_000).step_by(1_000), SOL / 100);
    let exits = Some(Arc::new(at_any_price(r#"{ "timeMs": 5000 }"#)));
    let signals = vec![BacktestSignal { exits: exits.clone(), ..signal(0, 1_000, SOL) }];
    for every_ms in [None, Some(2_000)] {
        let entry = BacktestEntry { lamports: SOL / 10, after_ms: 25_000, every_ms };
        let terms =
            BacktestTerms { signals: signals.clone(), exits: exits.clone(), ..terms(Some(entry), None) };
        let found = run(terms, &tape);
        let opened: Vec<u64> =
            found.positions.iter().map(|position| position.opened_at_ms.0).take(2).collect();
        assert_eq!(opened, [1_000, 25_000], "{every_ms:?}");
    }
}

#[test]
fn a_bare_slippage_of_an_exit_plan_is_in_the_unit_of_the_client() {
    let mut tape = bought((0..20_000).step_by(1_000), SOL);
    // From the decision to the arrival, others sell: the price falls by more than 5 %.
    assert!(tape.push("M", 20_400, Rival::Sell, 60_000_000_000_000));
    assert!(tape.push("M", 30_000, Rival::Buy, SOL));
    for (slippage, unit, outcome) in [
        ("5", SlippageUnit::Percent, BacktestOutcome::Failed),
        ("500", SlippageUnit::Bps, BacktestOutcome::Failed),
        ("50", SlippageUnit::Bps, BacktestOutcome::Failed),
        ("50", SlippageUnit::Percent, BacktestOutcome::Landed),
        ("5000", SlippageUnit::Bps, BacktestOutcome::Landed),
        (r#"{ "percent": 50 }"#, SlippageUnit::Bps, BacktestOutcome::Landed),
    ] {
        let rules = format!(r#"{{ "timeMs": 19500, "slippage": {slippage} }}"#);
        let base = terms(Some(AT_ONCE), Some(plan(&rules)));
        let found = run(
            BacktestTerms { latency_ms: vec![500], slippage_ppm: 1_000_000, slippage_unit: unit, ..base },
            &tape,
        );
        assert_eq!(found.orders[1].outcome, outcome, "{slippage} {unit:?}");
    }
}

#[test]
fn an_entry_that_the_curve_refuses_is_tried_again() {
    // Almost everything is sold, so that the curve does not have what 6 SOL would buy; then some of it comes back.
    let sold = [(0, Rival::BuyTokens, 780_000_000_000_000), (10_000, Rival::Sell, 300_000_000_000_000)];
    let tape = traded(sold.into_iter().chain([(20_000, Rival::Buy, SOL)]));
    let entry = BacktestEntry { lamports: 6 * SOL, after_ms: 1_000, every_ms: Some(4_000) };
    let found = run(terms(Some(entry), None), &tape);
    let told: Vec<_> = found.orders.iter().map(|order| (order.at_ms.0, order.outcome)).collect();
    let refused = |at_ms| (at_ms, BacktestOutcome::NotSent);
    let landed = |at_ms| (at_ms, BacktestOutcome::Landed);
    assert_eq!(told, [refused(1_000), refused(5_000), refused(9_000), landed(13_000), landed(20_000)]);

    // A complete curve takes no buys any more.
    let mut tape = TradeTape::default();
    assert!(tape.push("M", 0, Rival::BuyTokens, 793_100_000_000_000));
    assert!(tape.push("N", 60_000, Rival::Buy, SOL));
    let found = run(terms(Some(BacktestEntry { every_ms: Some(0), ..entry }), None), &tape);
    let of_m: Vec<_> = found.orders.iter().filter(|order| order.mint == "M").collect();
    assert_eq!((of_m.len(), of_m[0].refusal), (1, Some(Refusal::CurveComplete)));
}

#[test]
fn an_entry_that_is_tried_again_at_once_comes_to_an_end() {
    let tape = bought([0, 1_000, 2_000, 3_000], SOL);
    // The wallet cannot pay for it; and the curve has nothing for a lamport.
    for lamports in [20 * SOL, 1] {
        let entry = BacktestEntry { lamports, after_ms: 0, every_ms: Some(0) };
        let found = run(terms(Some(entry), None), &tape);
        let at: Vec<u64> = found.orders.iter().map(|order| order.at_ms.0).collect();
        assert_eq!(at, [0, 1_000, 2_000]);
    }
}

#[test]
fn chance_makes_as_many_buys_and_pays_for_them() {
    let tape = Arc::new(tape(5, 2_000, 3, 300));
    let exits = plan(r#"{ "timeMs": 20000, "slippage": { "percent": 100 } }"#);
    // Half of the time is in the market, or so much of it that there is hardly another way to place as many; then some are left out.
    for (every_ms, latency_ms, look_every_ms, least) in
        [(20_000, 0, 0, 100), (25_000, 400, 1_000, 100), (5_000, 0, 0, 80)]
    {
        let entry = BacktestEntry { lamports: SOL / 10, after_ms: 1_000, every_ms: Some(every_ms) };
        let base = BacktestTerms {
            latency_ms: vec![latency_ms],
            look_every_ms,
            slippage_ppm: 900_000,
            ..terms(Some(entry), Some(exits.clone()))
        };
        let idea = run(base.clone(), &tape);
        assert!(idea.positions.len() > 10);
        for seed in 0..20 {
            let chance = without_idea(&idea, &base, &tape, seed);
            let signals = chance.signals.len();
            assert!(
                signals * 100 >= idea.positions.len() * least,
                "{every_ms}: {signals} of {}",
                idea.positions.len()
            );
            let found = run(chance, &tape);
            assert_eq!(found.positions.len(), signals, "{every_ms}: no two of them meet");
            let at_end = found.positions.iter().filter(|own| own.reason == BacktestReason::End).count();
            assert!(at_end <= 3, "{every_ms}: they are held as long as its own");
            assert_ne!(found.profit_lamports, idea.profit_lamports);
        }
    }
}

proptest! {
    #![proptest_config(seeded::cases(100))]

    /// Exits that look seldom decide at their looks alone; those that look each millisecond, as if after each trade.
    #[test]
    fn exits_decide_when_they_look(seed: u64, every in 1u64..4_000) {
        let mut random = SplitMix64 { state: seed };
        let (mut tape, mut at_ms) = (TradeTape::default(), 0);
        for _ in 0..150 {
            at_ms += 1 + random.below(900);
            let (order, amount) = swing(&mut random);
            tape.push("M", at_ms, order, amount);
        }
        // The tape goes on after the last trade of the token: at its very end nobody looks any more.
        assert!(tape.push("N", at_ms + 10_000, Rival::Buy, SOL));
        let rules = r#"{ "stopLoss": "0.9x", "trailing": { "by": "10%", "from": "1.1x" }, "slippage": { "percent": 100 } }"#;
        let base = terms(Some(BacktestEntry { every_ms: Some(700), ..AT_ONCE }), Some(plan(rules)));
        let with = |look_every_ms| run(BacktestTerms { look_every_ms, ..base.clone() }, &tape);
        let (each, often, seldom) = (with(0), with(1), with(every));
        prop_assert_eq!((&each.orders, each.profit_lamports), (&often.orders, often.profit_lamports));
        for position in &seldom.positions {
            for order in &seldom.orders {
                let is_exit = matches!(order.reason, BacktestReason::StopLoss | BacktestReason::Trailing);
                if is_exit && order.arrived_at_ms == Some(position.closed_at_ms) {
                    prop_assert_eq!((order.at_ms.0 - position.opened_at_ms.0) % every, 0);
                }
            }
        }
    }

    /// Whatever happens, the books agree to the lamport.
    #[test]
    fn no_lamport_is_lost(seed in 0u64..1_000_000, lamports in SOL / 4..5 * SOL, gap in 1u64..400, price in 0u64..3_000_000, as_strategy: bool) {
        let tape = tape(seed, 400, 3, gap);
        let entry = BacktestEntry { lamports: SOL / 5, after_ms: 300, every_ms: Some(2_000) };
        let rules = plan(r#"{ "takeProfit": [{ "at": "1.02x", "sell": "30%" }], "stopLoss": "0.95x", "timeMs": 6000 }"#);
        let start = Token { has_creator: seed % 2 == 0, ..Launchpad::default().new_token() };
        let terms = BacktestTerms {
            lamports, start, seed, latency_ms: vec![0, 200, 700],
            priority: launchpad_desk::launchpad::cost::Priority { unit_limit: None, unit_price_micro_lamports: Some(price) },
            ..terms((!as_strategy).then_some(entry), Some(rules))
        };
        let found = if as_strategy { following(&terms, &tape) } else { run(terms.clone(), &tape) };
        prop_assert_eq!(found.profit_lamports, i128::from(found.end_lamports) - i128::from(lamports));
        let positions: i128 = found.positions.iter().map(|position| position.profit_lamports).sum();
        // A buy that failed without a position cost its fee.
        let (mut flat, mut open) = (0i128, std::collections::BTreeMap::<&str, u64>::new());
        for order in &found.orders {
            let held = open.entry(&order.mint).or_default();
            if order.outcome == BacktestOutcome::Failed && *held == 0 {
                flat += i128::from(order.network_fee_lamports);
            }
            match order.side {
                Side::Buy => *held += order.tokens,
                Side::Sell => *held -= order.tokens,
            }
        }
        prop_assert_eq!(found.profit_lamports, positions - flat);
        let costs = found.costs;
        let paid: u64 = found.orders.iter().map(|order| order.network_fee_lamports).sum();
        prop_assert_eq!(paid, costs.network_fees_lamports + costs.priority_fees_lamports);
        let moved: i128 = found.orders.iter().map(|order| match order.side {
            Side::Buy => -i128::from(order.lamports),
            Side::Sell => i128::from(order.lamports),
        }).sum();
        let rent = i128::from(costs.rent_paid_lamports) - i128::from(costs.rent_returned_lamports);
        prop_assert_eq!(found.profit_lamports, moved - i128::from(paid) - rent);
        let fees = i128::from(costs.protocol_fees_lamports + costs.creator_fees_lamports);
        prop_assert_eq!(found.price_profit_lamports, moved + fees);
        prop_assert_eq!(found.replayed + found.skipped.iter().map(|row| row.trades).sum::<u32>(), 400);
        prop_assert_eq!(found.reasons.iter().map(|row| row.profit_lamports).sum::<i128>(), positions);
        prop_assert_eq!(found.reasons.iter().map(|row| row.positions as usize).sum::<usize>(), found.positions.len());
        prop_assert_eq!(found.equity.last().map(|point| point.lamports), Some(found.end_lamports));
        prop_assert!(found.equity.len() <= 1_025);
    }

    /// A sweep is its runs one by one.
    #[test]
    fn a_sweep_is_its_runs(seed in 0u64..1_000_000) {
        let tape = Arc::new(tape(seed, 200, 2, 300));
        let base = BacktestTerms { latency_ms: vec![0, 500], seed, ..terms(Some(AT_ONCE), None) };
        let plans = [plan(r#"{ "stopLoss": "0.9x" }"#), plan(r#"{ "trailing": { "by": "4%" } }"#)];
        for (plan, swept) in plans.iter().zip(sweep(&base, &tape, &plans)) {
            let found = run(BacktestTerms { exits: Some(Arc::new(plan.clone())), ..base.clone() }, &tape);
            prop_assert_eq!(swept.profit_lamports, found.profit_lamports);
            prop_assert_eq!((swept.wins, swept.positions as usize), (found.wins, found.positions.len()));
            prop_assert_eq!(swept.drawdown_lamports, found.drawdown.lamports);
        }
    }
}

#[test]
fn nothing_is_paid_with_what_is_sold_only_at_the_end() {
    let tape = bought_of([("M", 0), ("N", 10_000), ("N", 10_400)]);
    // The wallet has two SOL: M takes one and a half, and N would take one, arriving as the tape ends.
    let base = BacktestTerms {
        lamports: 2 * SOL,
        latency_ms: vec![400],
        slippage_ppm: 500_000,
        signals: vec![signal(0, 1_000, 3 * SOL / 2), signal(1, 10_000, SOL)],
        ..terms(None, None)
    };
    let found = run(base, &tape);
    let of_n: Vec<_> = found.orders.iter().filter(|order| order.mint == "N").collect();
    assert_eq!(of_n[0].refusal, Some(Refusal::InsufficientLamports));
    assert_eq!((of_n.len(), found.positions.len()), (1, 1));
}

#[test]
fn a_multiple_counts_the_priority_that_its_orders_pay_whoever_set_it() {
    let priority = Priority { unit_limit: None, unit_price_micro_lamports: Some(100_000_000) };
    let even = r#"{ "takeProfit": [{ "at": "1x", "sell": "100%" }], "slippage": { "percent": 100 } }"#;
    let own = r#"{ "takeProfit": [{ "at": "1x", "sell": "100%" }], "slippage": { "percent": 100 }, "priorityUnitPrice": "100000000" }"#;
    let mut sold = 0;
    for seed in 0..40 {
        // Each trade has a time of its own, so that an order without latency lands at the price that it was decided at.
        let mut random = SplitMix64 { state: seed };
        let mut tape = TradeTape::default();
        for second in 0..60 {
            match random.below(4) {
                0 => tape.push("M", second * 1_000, Rival::Sell, 1 + random.below(2_000_000_000_000)),
                _ => tape.push("M", second * 1_000, Rival::Buy, 1 + random.below(SOL / 5)),
            };
        }
        let of = |exits: &str| BacktestTerms { priority, ..terms(Some(AT_ONCE), Some(plan(exits))) };
        let run = run(of(even), &tape);
        for position in run.positions.iter().filter(|own| own.reason == BacktestReason::TakeProfit) {
            assert!(position.profit_lamports >= 0, "seed {seed}: at 1x it lost {}", position.profit_lamports);
            sold += 1;
        }
        assert_eq!(run, Backtest::new(Arc::new(of(own)), Arc::new(tape)).run(), "seed {seed}");
    }
    assert!(sold > 20, "{sold} positions reached 1x");
}

#[test]
fn every_sell_of_a_plan_pays_the_priority_of_that_plan() {
    let tape = bought((0..60_000).step_by(1_000), SOL / 10);
    let own = plan(
        r#"{ "stopLoss": "0.1x", "slippage": { "percent": 100 }, "priorityUnitLimit": 200000, "priorityUnitPrice": "50000000" }"#,
    );
    let over = ExitPlan { time_ms: Some(Millis(5_000)), ..own.clone() };
    for (exits, reason) in [(own, BacktestReason::End), (over, BacktestReason::Time)] {
        let base = BacktestTerms { slippage_ppm: 900_000, ..terms(Some(AT_ONCE), Some(exits)) };
        let idea = run(base.clone(), &tape);
        let chance = run(without_idea(&idea, &base, &tape, 7), &tape);
        for found in [&idea, &chance] {
            let paid: Vec<_> =
                found.orders.iter().map(|order| (order.side, order.network_fee_lamports)).collect();
            assert_eq!(paid, [(Side::Buy, FEE), (Side::Sell, FEE + 10_000_000)]);
        }
        assert_eq!(idea.orders[1].reason, reason);
        assert_eq!(
            (idea.costs.network_fees_lamports, idea.costs.priority_fees_lamports),
            (2 * FEE, 10_000_000)
        );
    }
}

/// The trades of a token from its launch until its curve is complete, each with what it spent or brought, and the tokens.
fn graduated(seed: u64) -> Vec<(u64, Side, u64, u64)> {
    let (launchpad, mut random) = (Launchpad::default(), SplitMix64 { state: seed });
    let (mut token, mut trades, mut held) = (launchpad.new_token(), Vec::new(), 0);
    while !token.is_complete() {
        let at_ms = trades.len() as u64 * 400;
        let fill = if held > 1_000_000_000 && random.below(3) == 0 {
            let tokens = held / 100 + random.below(held / 50);
            (Side::Sell, launchpad.sell_exact_in(&token, tokens, tokens, 0).expect("a sell"))
        } else {
            let lamports = 1_000_000 + random.below(3 * SOL);
            let rates = launchpad.rates(&token).expect("rates");
            (Side::Buy, token.curve.buy_exact_in_or_rest(lamports, 1, rates).expect("a buy"))
        };
        held = if fill.0 == Side::Buy { held + fill.1.tokens } else { held - fill.1.tokens };
        token.curve = fill.1.curve_after;
        trades.push((at_ms, fill.0, fill.1.wallet_lamports, fill.1.tokens));
    }
    trades
}

fn recorded(trades: &[(u64, Side, u64, u64)]) -> TradeTape {
    let mut tape = TradeTape::default();
    for (at_ms, side, lamports, tokens) in trades {
        assert!(tape.record("M", *at_ms, RivalTrade::of(*side, Some(*lamports), Some(*tokens))));
    }
    tape
}

#[test]
fn a_curve_that_graduated_completes_again_whatever_we_did_on_it() {
    let ours = [
        None,
        Some(at_any_price(r#"{ "takeProfit": [{ "at": "1000x", "sell": "100%" }] }"#)),
        Some(at_any_price(r#"{ "takeProfit": [{ "at": "1.2x", "sell": "100%" }] }"#)),
        Some(at_any_price(r#"{ "timeMs": 4000 }"#)),
    ];
    let (mut completed, mut unsold) = (0, 0);
    for seed in 0..110 {
        let trades = graduated(seed);
        let tape = Arc::new(recorded(&trades));
        for (which, exits) in ours.iter().enumerate() {
            let entry =
                exits.as_ref().map(|_| BacktestEntry { lamports: SOL / 5, after_ms: 1_000, every_ms: None });
            let terms = Arc::new(terms(entry, exits.clone()));
            let mut backtest = Backtest::new(Arc::clone(&terms), Arc::clone(&tape));
            for (_, side, lamports, tokens) in &trades {
                let seen = backtest.step().expect("a trade");
                if exits.is_none() {
                    assert_eq!(
                        (seen.side, seen.lamports, seen.tokens),
                        (*side, *lamports, *tokens),
                        "seed {seed}"
                    );
                }
            }
            completed += u32::from(backtest.token(0).expect("a token").is_complete());
            let run = backtest.finish();
            // Who holds on to the end cannot sell, as a service would say.
            let reasons: Vec<BacktestReason> = run.positions.iter().map(|own| own.reason).collect();
            if which == 1 {
                assert_eq!(reasons, [BacktestReason::Unsold], "seed {seed}");
                unsold += 1;
            }
        }
    }
    assert_eq!((completed, unsold), (440, 110));
}

#[test]
fn a_backtest_and_a_sandbox_replay_a_recording_alike() {
    for seed in 0..20 {
        let mut trades = graduated(seed);
        // A recording may lack some of it, may be of another curve, and may go on after the end.
        let mut random = SplitMix64 { state: seed };
        trades.retain(|_| random.below(20) > 0);
        let last = *trades.last().expect("a trade");
        trades.push((last.0, Side::Buy, 400_000_000_000, 700_000_000_000_000));
        trades.push((last.0, Side::Sell, 1, 5));
        let some_of = |(at_ms, side, lamports, tokens): &(u64, Side, u64, u64)| {
            let known = random.below(3);
            RecordedTrade {
                at_ms: Count::new(*at_ms),
                mint: "M".into(),
                side: *side,
                lamports: (known != 1).then_some(*lamports),
                tokens: (known != 2 || *side == Side::Sell).then_some(*tokens),
                wallet: None,
            }
        };
        let recording: Vec<RecordedTrade> = trades.iter().map(some_of).collect();
        let mut tape = TradeTape::default();
        for trade in &recording {
            let made = RivalTrade::of(trade.side, trade.lamports, trade.tokens);
            assert!(tape.record("M", trade.at_ms.get(), made));
        }
        let mut backtest = Backtest::new(Arc::new(terms(None, None)), Arc::new(tape));
        while backtest.step().is_some() {}

        let settings = json::parse(br#"{ "tokens": [{ "mint": "M" }] }"#).expect("JSON");
        let mut config = SandboxConfig::read(settings.root()).expect("settings");
        config.market.replay = recording;
        let mut sandbox = Sandbox::new(config).expect("a sandbox");
        let changes = sandbox.advance(last.0 + 1).expect("time");
        sandbox.take(&changes);
        let shown = &sandbox.state().token("M").expect("the token").token();
        assert_eq!(backtest.token(0), Some(shown), "seed {seed}");
    }
}

#[test]
fn what_would_arrive_after_the_tape_is_not_sent_and_costs_nothing() {
    let tape = bought((0..=20_000).step_by(1_000), SOL / 10);
    let terms = |after_ms, exits: &str| BacktestTerms {
        latency_ms: vec![3_000],
        slippage_ppm: 900_000,
        ..terms(Some(BacktestEntry { after_ms, ..AT_ONCE }), Some(at_any_price(exits)))
    };
    // A buy that is decided two seconds before the end.
    let late = run(terms(18_000, r#"{ "stopLoss": "0.1x" }"#), &tape);
    let told =
        |order: &BacktestOrder| (order.side, order.outcome, order.arrived_at_ms, order.network_fee_lamports);
    assert_eq!(
        late.orders.iter().map(told).collect::<Vec<_>>(),
        [(Side::Buy, BacktestOutcome::NotSent, None, 0)]
    );
    assert_eq!((late.profit_lamports, late.positions.len()), (0, 0));
    // One that arrives exactly with the last trade was in time.
    assert_eq!(
        run(terms(17_000, r#"{ "stopLoss": "0.1x" }"#), &tape).orders[0].outcome,
        BacktestOutcome::Landed
    );
    // A sell on its way: what it was to sell is sold at the last price, as is all that is held.
    let selling = run(terms(2_000, r#"{ "timeMs": 14000 }"#), &tape);
    let told = |order: &BacktestOrder| (order.side, order.reason, order.outcome);
    let due = [
        (Side::Buy, BacktestReason::Entry, BacktestOutcome::Landed),
        (Side::Sell, BacktestReason::Time, BacktestOutcome::NotSent),
        (Side::Sell, BacktestReason::End, BacktestOutcome::Landed),
    ];
    assert_eq!(selling.orders.iter().map(told).collect::<Vec<_>>(), due);
    assert_eq!(selling.positions[0].reason, BacktestReason::End);
}

#[test]
fn times_in_another_unit_are_refused_by_name() {
    const NOW_MS: u64 = 1_772_366_401_000;
    let seconds = "is in seconds since 1970: times of a recording are in milliseconds";
    let micros = "is in microseconds since 1970: times of a recording are in milliseconds";
    let nanos = "is in nanoseconds since 1970: times of a recording are in milliseconds";
    for (at, why, unit) in [
        (NOW_MS / 1_000, seconds, "s"),
        (1_584_316_800, seconds, "s"),
        (4_102_444_799, seconds, "s"),
        (NOW_MS * 1_000, micros, "us"),
        (NOW_MS * 1_000_000, nanos, "ns"),
    ] {
        let text = format!("atMs,side,mint,lamports\n{at},buy,M,1\n{},buy,M,1", at + 2);
        let problems = recording(&text).unwrap_err();
        let mapping = format!(r#"{{"atMs":{{"column":"atMs","unit":"{unit}"}}}}"#);
        let way = format!("or name their unit: columns: {mapping}");
        assert_eq!(problems[0].message, format!("trades[0].atMs is {at}, which {why}, {way}"));
        let trades = mapping
            .parse::<Columns>()
            .expect("a mapping")
            .recording(&text.replace(&(at + 2).to_string(), &at.to_string()));
        let trades = trades.expect("trades");
        assert!(trades[0].at_ms.get() >= 1_584_316_800_000, "{at}");
        let list =
            json::parse(format!(r#"[{{"atMs":"{at}","side":"buy","mint":"M","lamports":1}}]"#).as_bytes());
        assert!(recording(&json::write(&list.expect("JSON"))).is_err());
        let mut tape = TradeTape::default();
        assert!(!tape.push("M", at, Rival::Buy, 1), "{at}");
        assert_eq!(tape.time_problem(at), Some(why));
        let settings = format!(r#"{{"market":{{"replay":"atMs,side,mint,lamports\n{at},buy,M,1"}}}}"#);
        let refused =
            SandboxConfig::read(json::parse(settings.as_bytes()).expect("JSON").root()).unwrap_err();
        assert!(refused[0].message.contains(why), "{refused:?}");
    }
    // Milliseconds since 1970, a market's own time, and one that has gone on for weeks.
    for at in [0, 1, 400_000, 1_584_316_799, 4_102_444_800, NOW_MS, 4_102_444_799_999] {
        assert!(recording(&format!("atMs,side,mint,lamports\n{at},buy,M,1")).is_ok(), "{at}");
        assert!(TradeTape::default().push("M", at, Rival::Buy, 1), "{at}");
    }
    let mut long = TradeTape::default();
    assert!(long.push("M", 0, Rival::Buy, 1) && long.push("M", NOW_MS / 1_000, Rival::Buy, 1));
    assert_eq!(long.time_problem(5), Some("is earlier than the trade before it"));
}

#[test]
fn amounts_in_other_units_than_the_curve_has_are_refused() {
    let launchpad = Launchpad::default();
    let bought = launchpad.buy_exact_in(&launchpad.new_token(), 2_000_000_000, 1).unwrap();
    let terms = BacktestTerms::new(launchpad, 10_000_000_000);
    let problem = |tokens: u64, lamports: u64| {
        let mut tape = TradeTape::default();
        for at_ms in 0..3 {
            assert!(tape.record("M", at_ms, RivalTrade::of(Side::Buy, Some(lamports), Some(tokens))));
        }
        tape.unit_problem(&terms).map(|why| why.split(':').next().unwrap().to_owned())
    };
    let (tokens, sol) = (bought.tokens, 2_000_000_000);
    let (whole, hundredth) = (tokens / 1_000_000, tokens / 100 * 1_000_000);
    let many = Some("has buys that spent hundreds of times what their tokens cost");
    let few = Some("has buys that spent a small part of what their tokens cost");
    let tiny = Some("has trades of next to nothing");
    for (tokens, lamports, due, why) in [
        (tokens, sol, None, "a buy at the launch"),
        (tokens, sol * 15, None, "one at the end of a curve"),
        (whole, 900_000, None, "a tip that is more than its trade"),
        (whole, sol, many, "whole tokens"),
        (tokens, sol * 1_000_000_000, many, "lamports read as SOL"),
        (tokens, 2, few, "SOL read as lamports"),
        (hundredth, sol / 100, few, "base units read as tokens"),
        (whole, 2, tiny, "SOL and whole tokens, both read as the smallest unit"),
        (whole * 1_000, 2_000, few, "SOL and whole tokens"),
    ] {
        assert_eq!(problem(tokens, lamports).as_deref(), due, "{why}");
    }

    // Of one amount alone.
    let problem = |trades: &[(Rival, u64)]| {
        let mut tape = TradeTape::default();
        assert!(trades.iter().all(|(order, amount)| tape.push("M", 0, *order, *amount)));
        tape.unit_problem(&terms).map(|why| why.split(':').next().unwrap().to_owned())
    };
    let (buys, buys_tokens, sells) = (Rival::Buy, Rival::BuyTokens, Rival::Sell);
    assert_eq!(problem(&[(buys_tokens, whole), (buys_tokens, whole), (sells, whole)]).as_deref(), tiny);
    assert_eq!(problem(&[(buys, 2), (buys, 1), (sells, tokens)]).as_deref(), tiny);
    assert_eq!(problem(&[(buys_tokens, tokens), (sells, whole)]), None, "the last of them");
    assert_eq!(problem(&[(buys, 5_000), (buys_tokens, 0), (sells, 0)]), None);
    let mixed = [[(buys, sol); 20].as_slice(), &[(sells, whole); 15]].concat();
    assert_eq!(problem(&mixed).as_deref(), tiny, "sells in whole tokens, and buys in lamports alone");
}

#[test]
fn a_time_by_another_clock_does_not_come_next() {
    let mut tape = TradeTape::default();
    assert!(tape.push("M", 0, Rival::Buy, 1_000_000_000));
    let why = "is since 1970, and the trade before it is not: a time is missing or has another unit";
    assert_eq!(tape.time_problem(1_772_366_401_000), Some(why));
    assert_eq!(tape.time_problem(1_772_366_401), None, "a market's own clock after three weeks");
}
