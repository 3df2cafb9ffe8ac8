//! What a calibration says of each trade is what was arranged to happen to it.

use crate::seeded;

use launchpad_desk::api::endpoint::Operation;
use launchpad_desk::intent::IntentOutcome;
use launchpad_desk::launchpad::plan::SplitMix64;
use launchpad_desk::launchpad::quote::Side;
use launchpad_desk::launchpad::{Launchpad, Token};
use launchpad_desk::strategy::calibration::{
    ActualTrade, Calibration, CalibrationCause, CalibrationLeftOut, CalibrationTerms, calibrate,
};
use launchpad_desk::strategy::run::BacktestOutcome;
use launchpad_desk::strategy::units::Millis;
use launchpad_desk::strategy::{BacktestTerms, Rival, TradeTape};
use launchpad_desk::tape::json;
use proptest::prelude::*;

const SOL: u64 = 1_000_000_000;

fn terms() -> BacktestTerms {
    BacktestTerms::new(Launchpad::default(), 100 * SOL)
}

fn on_the_clock_of_the_tape() -> CalibrationTerms {
    CalibrationTerms { tape_began_ms: Some(0), ..CalibrationTerms::new("W") }
}

/// A trade of the wallet W in the token M that landed, decided and answered at these times.
fn trade(id: &str, operation: Operation, amount: &str, started: u64, ended: u64) -> ActualTrade {
    let request = format!(r#"{{"mint":"M","fromWallet":"W",{amount},"slippage":20}}"#);
    ActualTrade {
        intent_id: id.into(),
        operation,
        request: json::parse(request.as_bytes()).expect("JSON"),
        started_at_ms: Millis(started),
        ended_at_ms: Some(Millis(ended)),
        outcome: Some(IntentOutcome::Landed),
        tokens: None,
        lamports: None,
    }
}

fn buy(id: &str, lamports: u64, started: u64, ended: u64) -> ActualTrade {
    trade(id, Operation::Buy, &format!("\"amountInLamports\":{lamports}"), started, ended)
}

fn sell_all(id: &str, started: u64, ended: u64) -> ActualTrade {
    trade(id, Operation::SellByPercentage, "\"percentage\":100", started, ended)
}

/// Three buys of a SOL, a second apart.
fn buys() -> TradeTape {
    let mut tape = TradeTape::default();
    for second in 0..3 {
        assert!(tape.push("M", second * 1_000, Rival::Buy, SOL));
    }
    tape
}

fn calibrated(latency_ms: u64, tape: &TradeTape, trades: &[ActualTrade]) -> Calibration {
    let terms = BacktestTerms { latency_ms: vec![latency_ms], ..terms() };
    calibrate(terms, tape, trades, &on_the_clock_of_the_tape()).expect("a calibration")
}

fn causes(calibration: &Calibration) -> Vec<CalibrationCause> {
    calibration.trades.iter().map(|trade| trade.cause).collect()
}

/// The token after this many of those buys, and the tokens that a buy of 0.1 SOL then brings.
fn brings(buys: usize) -> (Token, u64) {
    let launchpad = Launchpad::default();
    let mut token = launchpad.new_token();
    for _ in 0..buys {
        token.curve = launchpad.buy_exact_in(&token, SOL, 1).expect("a buy").curve_after;
    }
    let fill = launchpad.buy_exact_in(&token, SOL / 10, 1).expect("a buy");
    (token, fill.tokens)
}

#[test]
fn a_trade_that_arrives_later_than_in_the_backtest_differs_by_latency() {
    let (one, two) = (brings(1).1, brings(2).1);
    let late = ActualTrade { tokens: Some(two), ..buy("late", SOL / 10, 500, 1_200) };
    let calibration = calibrated(0, &buys(), std::slice::from_ref(&late));
    let [found] = calibration.trades.as_slice() else { panic!("one trade") };
    assert_eq!((found.at_ms, found.arrived_at_ms), (Millis(500), Some(Millis(1_200))));
    assert_eq!((found.quoted, found.on_arrival, found.backtest.tokens), (one, Some(two), one));
    assert_eq!(found.wallet_tokens, Some(i128::from(two) - i128::from(one)));
    assert_eq!((found.wallet_lamports, found.cause), (None, CalibrationCause::Latency));
    assert_eq!(calibration.latencies_ms, [Millis(700)]);
    // With the latency that it had, nothing differs.
    let calibration = calibrated(700, &buys(), &[late]);
    assert_eq!((causes(&calibration), calibration.wallet_lamports), (vec![CalibrationCause::Same], 0));
}

#[test]
fn a_row_of_ones_own_says_when_a_trade_was_made_and_what_it_moved() {
    let (token, tokens) = brings(2);
    let launchpad = Launchpad::default();
    let mut tape = TradeTape::default();
    tape.push("M", 0, Rival::Buy, SOL);
    tape.push("M", 1_000, Rival::Buy, SOL);
    let bought = launchpad.buy_exact_in(&token, SOL / 10, 1).expect("a buy");
    assert!(tape.push_own("M", 1_500, Side::Buy, bought.wallet_lamports, bought.tokens));
    let token = Token { curve: bought.curve_after, ..token };
    let token = Token { curve: launchpad.buy_exact_in(&token, SOL, 1).expect("a buy").curve_after, ..token };
    tape.push("M", 2_000, Rival::Buy, SOL);
    let sold = launchpad.sell_exact_in(&token, tokens, tokens, 0).expect("a sell");
    assert!(tape.push_own("M", 2_500, Side::Sell, sold.wallet_lamports, sold.tokens));
    // The clock of the trades is another one, and the buy took a second.
    let trades = [
        ActualTrade { outcome: Some(IntentOutcome::Unknown), ..buy("in", SOL / 10, 90_000, 91_000) },
        sell_all("out", 92_000, 92_000),
    ];
    let found = calibrate(terms(), &tape, &trades, &CalibrationTerms::new("W")).expect("a calibration");
    assert_eq!(causes(&found), [CalibrationCause::Latency, CalibrationCause::EarlierTrade]);
    let [buy, sell] = found.trades.as_slice() else { panic!("two trades") };
    assert_eq!((buy.at_ms, buy.arrived_at_ms), (Millis(500), Some(Millis(1_500))));
    assert_eq!((buy.tokens, buy.on_arrival), (Some(tokens), Some(tokens)));
    assert_eq!((sell.at_ms, sell.amount), (Millis(2_500), tokens));
    assert_eq!((sell.lamports, sell.on_arrival), (Some(sold.wallet_lamports), Some(sold.wallet_lamports)));
    let more = [buy, sell].map(|trade| trade.wallet_lamports.expect("known"));
    assert_eq!(more[1], i128::from(sold.wallet_lamports) - i128::from(sell.backtest.lamports));
    assert_eq!(found.wallet_lamports, more[0] + more[1]);
    assert_eq!((found.run.replayed, found.run.positions.len()), (3, 1));

    // Without the journal's sell, its row is a trade of somebody else.
    let found = calibrate(terms(), &tape, &trades[..1], &CalibrationTerms::new("W")).expect("a calibration");
    assert_eq!(found.run.replayed, 4);
}

#[test]
fn a_row_of_ones_own_without_one_amount_is_not_made_by_somebody_else() {
    let launchpad = Launchpad::default();
    let (token, tokens) = brings(1);
    let fill = launchpad.buy_exact_in(&token, SOL / 10, 1).expect("a buy");
    let token = Token { curve: fill.curve_after, ..token };
    let sold = launchpad.sell_exact_in(&token, tokens, tokens, 0).expect("a sell").wallet_lamports;
    let trades = [
        ActualTrade { tokens: Some(tokens), ..buy("in", SOL / 10, 500, 900) },
        ActualTrade { tokens: Some(tokens), ..sell_all("out", 2_000, 2_400) },
    ];
    let rows = [
        (Some(SOL / 10), Some(tokens), Some(sold), CalibrationCause::Same),
        (Some(SOL / 10), None, Some(sold), CalibrationCause::Same),
        (None, Some(tokens), Some(sold), CalibrationCause::Same),
        (Some(SOL / 10), Some(tokens), None, CalibrationCause::Unreported),
    ];
    for (paid, bought, brought, of_sell) in rows {
        let mut tape = TradeTape::default();
        tape.push("M", 0, Rival::Buy, SOL);
        assert!(tape.push_own("M", 900, Side::Buy, paid, bought));
        assert!(tape.push_own("M", 2_400, Side::Sell, brought, tokens));
        let found = calibrated(400, &tape, &trades);
        assert_eq!(causes(&found), [CalibrationCause::Same, of_sell], "{paid:?} {bought:?} {brought:?}");
        assert_eq!((found.run.replayed, found.trades[1].on_arrival), (1, Some(sold)));
    }
    let mut tape = TradeTape::default();
    assert!(!tape.push_own("M", 0, Side::Sell, 5, None) && !tape.push_own("M", 0, Side::Buy, None, None));
}

#[test]
fn each_other_difference_has_its_cause() {
    let failed = |trade| ActualTrade { outcome: Some(IntentOutcome::Failed), ..trade };
    let tight = |mut trade: ActualTrade| {
        let request = r#"{"mint":"M","fromWallet":"W","amountInLamports":100000000,"slippage":1}"#;
        trade.request = json::parse(request.as_bytes()).expect("JSON");
        trade
    };
    let (one, two) = (brings(1).1, brings(2).1);
    let landed = |tokens, trade| ActualTrade { tokens: Some(tokens), ..trade };
    let now = |id: &str| buy(id, SOL / 10, 500, 500);
    let cases = [
        // It failed at its slippage, which the backtest was too early for.
        (0, failed(tight(buy("a", SOL / 10, 500, 1_200))), CalibrationCause::Bound),
        // It was early enough, and in the backtest it was not.
        (700, landed(one, tight(now("b"))), CalibrationCause::Bound),
        (0, failed(now("c")), CalibrationCause::Fault),
        (0, ActualTrade { outcome: Some(IntentOutcome::Rejected), ..now("d") }, CalibrationCause::Fault),
        (0, ActualTrade { outcome: Some(IntentOutcome::Unknown), ..now("e") }, CalibrationCause::Unresolved),
        (0, ActualTrade { outcome: None, ..now("f") }, CalibrationCause::Unresolved),
        (0, now("g"), CalibrationCause::Unreported),
        (0, landed(one, now("h")), CalibrationCause::Same),
        (0, landed(two, now("i")), CalibrationCause::Unexplained),
        (
            0,
            landed(5, trade("j", Operation::Sell, "\"amountInToken\":5", 500, 500)),
            CalibrationCause::NotHeld,
        ),
        // Nothing moved in either.
        (700, failed(tight(buy("k", SOL / 10, 500, 1_200))), CalibrationCause::Same),
    ];
    for (latency_ms, trade, cause) in cases {
        let id = trade.intent_id.clone();
        let found = calibrated(latency_ms, &buys(), &[trade]);
        assert_eq!(causes(&found), [cause], "{id}");
        assert_eq!(found.causes.len(), 1);
    }
    let both = [landed(one, now("x")), landed(brings(1).1, buy("y", SOL / 10, 600, 700))];
    let found = calibrated(5_000, &buys(), &both);
    assert_eq!(found.trades[1].cause, CalibrationCause::InFlight);
    assert_eq!(found.trades[1].backtest.outcome, BacktestOutcome::NotSent);
}

#[test]
fn a_sell_whose_proceeds_nobody_reported_is_not_called_the_same() {
    let tokens = brings(1).1;
    let sell = |ended| ActualTrade {
        tokens: Some(tokens),
        ..trade("out", Operation::SellByPercentage, "\"percentage\":100", 600, ended)
    };
    let bought = ActualTrade { tokens: Some(tokens), ..buy("in", SOL / 10, 500, 500) };
    // In the backtest it is sold before the others buy, and really after them.
    for ended in [600, 1_500] {
        let found = calibrated(0, &buys(), &[bought.clone(), sell(ended)]);
        let [_, sold] = found.trades.as_slice() else { panic!("two trades") };
        assert_eq!((sold.wallet_tokens, sold.wallet_lamports), (Some(0), None));
        assert_eq!(causes(&found), [CalibrationCause::Same, CalibrationCause::Unreported], "{ended}");
    }
}

#[test]
fn what_is_not_compared_is_counted_and_what_is_no_request_is_named() {
    let other = |text: &str, operation| {
        let request = json::parse(text.as_bytes()).expect("JSON");
        ActualTrade { operation, request, ..buy("x", 5, 0, 0) }
    };
    let bundle = r#"{"mint":"M","feePayer":"W","buys":[{"fromWallet":"W","amountInLamports":5}]}"#;
    let trades = [
        other(bundle, Operation::BundleBuy),
        other(r#"{"mint":"M","fromWallet":"V","amountInLamports":5}"#, Operation::Buy),
        other(r#"{"mint":"M","fromWallet":"V","amountInLamports":5}"#, Operation::Buy),
        other(r#"{"mint":"N","fromWallet":"W","amountInLamports":5}"#, Operation::Buy),
    ];
    let found = calibrated(0, &buys(), &trades);
    let rows: Vec<_> = found.left_out.iter().map(|row| (row.reason, row.trades)).collect();
    let due = [
        (CalibrationLeftOut::Bundle, 1),
        (CalibrationLeftOut::OtherWallet, 2),
        (CalibrationLeftOut::NotOnTape, 1),
    ];
    assert_eq!((rows, found.trades.len()), (due.to_vec(), 0));

    let bad = other(r#"{"mint":"M","fromWallet":"W"}"#, Operation::Buy);
    let problems = calibrate(terms(), &buys(), &[bad], &on_the_clock_of_the_tape()).expect_err("no request");
    assert_eq!(problems[0].field, "trades.x.request.amountInLamports");
    assert_eq!(problems[0].message, "trades.x.request.amountInLamports is missing");
}

proptest! {
    #![proptest_config(seeded::cases(60))]

    /// Trades of one's own are made on a random tape, each some time after it was decided. Then a calibration with those rows finds each
    /// where it was, explains it to the lamport, and sums what it found.
    #[test]
    fn what_was_made_on_the_tape_is_explained_to_the_lamport(seed in any::<u64>(), latency_ms in 0u64..3_000) {
        let launchpad = Launchpad::default();
        let mut random = SplitMix64 { state: seed };
        let (mut tape, mut token, mut at_ms) = (TradeTape::default(), launchpad.new_token(), 0);
        let (mut held, mut trades) = (0, Vec::new());
        for row in 0..120 {
            at_ms += 1 + random.below(900);
            match random.below(12) {
                0 if held == 0 => {
                    let Ok(fill) = launchpad.buy_exact_in(&token, SOL, 1) else { continue };
                    let taken = random.below(at_ms.min(4_000));
                    let id = format!("t{row}");
                    trades.push(ActualTrade {
                        tokens: Some(fill.tokens), ..buy(&id, SOL, 50_000 + at_ms - taken, 50_000 + at_ms)
                    });
                    (token.curve, held) = (fill.curve_after, fill.tokens);
                    prop_assert!(tape.push_own("M", at_ms, Side::Buy, fill.wallet_lamports, fill.tokens));
                }
                1 if held > 0 => {
                    let Ok(fill) = launchpad.sell_exact_in(&token, held, held, 0) else { continue };
                    trades.push(sell_all(&format!("t{row}"), 50_000 + at_ms, 50_000 + at_ms));
                    (token.curve, held) = (fill.curve_after, 0);
                    prop_assert!(tape.push_own("M", at_ms, Side::Sell, fill.wallet_lamports, fill.tokens));
                }
                side => {
                    let fill = if side % 2 == 0 {
                        let lamports = 1 + random.below(SOL);
                        tape.push("M", at_ms, Rival::Buy, lamports);
                        launchpad.buy_exact_in(&token, lamports, 1)
                    } else {
                        let tokens = 1 + random.below(20_000_000_000_000);
                        tape.push("M", at_ms, Rival::Sell, tokens);
                        launchpad.sell_exact_in(&token, tokens, tokens, 0)
                    };
                    if let Ok(fill) = fill { token.curve = fill.curve_after }
                }
            }
        }
        let terms = BacktestTerms { latency_ms: vec![latency_ms], slippage_ppm: 900_000, ..terms() };
        let found = calibrate(terms.clone(), &tape, &trades, &CalibrationTerms::new("W")).expect("a calibration");
        prop_assert_eq!(found.trades.len(), trades.len());
        let mut sum = 0;
        for trade in &found.trades {
            let moved = if trade.side == Side::Buy { trade.tokens } else { trade.lamports };
            prop_assert_eq!(trade.on_arrival, moved, "the replay is where the trade was");
            let known = matches!(
                trade.cause,
                CalibrationCause::Same | CalibrationCause::Latency | CalibrationCause::EarlierTrade
                    | CalibrationCause::InFlight | CalibrationCause::NotHeld | CalibrationCause::Bound
            );
            prop_assert!(known, "{:?}", trade);
            if trade.cause == CalibrationCause::Same {
                prop_assert_eq!((trade.wallet_tokens, trade.wallet_lamports), (Some(0), Some(0)));
            }
            sum += trade.wallet_lamports.expect("known");
        }
        prop_assert_eq!(found.wallet_lamports, sum);
        prop_assert_eq!(found.causes.iter().map(|row| row.wallet_lamports).sum::<i128>(), sum);
        let again = calibrate(terms, &tape, &trades, &CalibrationTerms::new("W")).expect("a calibration");
        prop_assert_eq!(found, again);
    }
}
