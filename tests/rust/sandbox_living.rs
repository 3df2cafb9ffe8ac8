//! A living market: what its rivals do follows only from the seed and the time, and creates and loses nothing.

use crate::sandbox;

use std::collections::{BTreeMap, BTreeSet};

use launchpad_desk::bindings::object;
use launchpad_desk::launchpad::quote::Side;
use launchpad_desk::tape::{Tape, ToTape, json};
use launchpad_desk_sandbox::recording::recording;
use launchpad_desk_sandbox::{Change, MarketTrade, Sandbox, SandboxConfig, TraderKind};
use sandbox::{ADA, MINT, buy, land, pass, post, sandbox, sandbox_with};

fn living(more: &[(&str, Tape)]) -> Sandbox {
    let mut market = vec![("alive", true.to_tape())];
    market.extend(more.iter().cloned());
    sandbox_with(&object! { "market": Tape::object(&market) })
}

#[test]
fn a_living_market_begins_at_several_stages() {
    let sandbox = living(&[]);
    let sold: Vec<u64> = sandbox
        .tokens()
        .iter()
        .map(|token| (793_100_000_000_000 - token.real_token_reserves) / 7_931_000_000_000)
        .collect();
    assert_eq!(sold, [0, 50, 96, 30, 12]);
    assert_eq!(sandbox.state().check_books(), Ok(()));
    assert!(sandbox.market_trades().is_empty());
    let named = object! { "market": object! { "alive": true }, "identifiers": "base58" };
    sandbox_with(&named);
    let own = object! { "market": object! { "alive": true }, "tokens": vec![object! { "mint": "M", "soldBps": 2_500u32 }] };
    assert_eq!(sandbox_with(&own).tokens()[0].real_token_reserves, 793_100_000_000_000 / 4 * 3);
}

#[test]
fn an_hour_has_launches_completions_and_rivals_of_every_kind() {
    let mut sandbox = living(&[("maxMarketTrades", 1_000_000u32.to_tape())]);
    (0..60).for_each(|_| drop(pass(&mut sandbox, 60_000)));
    let mut seen: BTreeMap<&str, u64> = BTreeMap::new();
    for trade in sandbox.market_trades() {
        *seen.entry(trade.trader.as_str()).or_default() += 1;
    }
    assert_eq!(sandbox.now_ms(), 3_600_000);
    let tokens = sandbox.tokens();
    assert!((90..=160).contains(&tokens.len()), "{} tokens", tokens.len());
    assert!(tokens[2].complete, "the one that was nearly complete has {}", tokens[2].real_token_reserves);
    let kinds: Vec<&str> = seen.keys().copied().collect();
    assert_eq!(kinds, ["holder", "insider", "momentum", "noise", "scalper", "sniper"], "{seen:?}");
    let few = ["holder", "insider"];
    assert!(seen.iter().all(|(kind, trades)| few.contains(kind) || *trades > 20), "{seen:?}");
    let mints: BTreeSet<&str> = tokens.iter().map(|token| token.mint.as_str()).collect();
    assert_eq!(mints.len(), tokens.len());
    // A launched token can be traded like any other.
    let launched = &tokens.iter().rev().find(|token| !token.complete).expect("one that trades").mint;
    let request =
        object! { "mint": launched, "fromWallet": ADA, "amountInLamports": 1_000_000u64, "slippage": 50u32 };
    land(&mut sandbox, "/v1/trade/buy", &request);
}

#[test]
fn each_token_has_its_own_character() {
    // Of 24 tokens: trades, insiders' sales in each step with one, and how many lamports the curves have had at most.
    let of = |character: &str| {
        let token = |mint: u32| object! { "mint": mint.to_string(), "character": character };
        let market = object! { "alive": true, "launchEveryMs": 0u32, "maxMarketTrades": 1_000_000u32 };
        let tokens: Vec<Tape> = (1..=24).map(token).collect();
        let mut sandbox = sandbox_with(&object! { "tokens": tokens, "market": market });
        pass(&mut sandbox, 600_000);
        let trades = sandbox.market_trades();
        let sold = trades.iter().filter(|t| t.trader == TraderKind::Insider && t.side == Side::Sell);
        let steps: BTreeSet<(&str, u64)> = sold.clone().map(|t| (t.mint.as_str(), t.at_ms.get())).collect();
        let mut tops: BTreeMap<&str, u64> = BTreeMap::new();
        for trade in &trades {
            let top = tops.entry(&trade.mint).or_default();
            *top = trade.real_sol_reserves.max(*top);
        }
        (trades.len(), sold.count() as f64 / steps.len() as f64, tops.into_values().sum::<u64>())
    };
    let all = ["unnoticed", "bundled", "rug", "fading", "runner", "breakout"].map(of);
    let [unnoticed, bundled, rug, fading, runner, breakout] = all;
    assert!(unnoticed.0 * 3 < fading.0 && fading.0 < runner.0 && runner.0 < breakout.0, "{all:?}");
    assert!(rug.1 > 4.0 && bundled.1 < 1.5, "insiders of a rug leave together: {all:?}");
    assert!(breakout.2 > runner.2 && runner.2 > fading.2, "{all:?}");
}

#[test]
fn launches_have_every_character_and_many_wallets() {
    let mut sandbox =
        living(&[("launchEveryMs", 4_000u32.to_tape()), ("maxMarketTrades", 1_000_000u32.to_tape())]);
    pass(&mut sandbox, 1_200_000);
    let mut rows: Vec<Change> = sandbox.rows();
    rows.retain(|row| matches!(row, Change::Crowd(_)));
    let characters: BTreeSet<&str> = rows
        .iter()
        .filter_map(|row| if let Change::Crowd(crowd) = row { Some(crowd.character.as_str()) } else { None })
        .collect();
    let all = ["breakout", "bundled", "fading", "rug", "runner", "unnoticed"];
    assert_eq!(characters.into_iter().collect::<Vec<_>>(), all);
    let trades = sandbox.market_trades();
    let wallets: BTreeSet<&str> = trades.iter().map(|trade| trade.wallet.as_str()).collect();
    assert!(wallets.len() > 500, "{} wallets", wallets.len());
    // The creator buys in the step of the launch, before anybody else, and in few launches insiders do.
    let launched = sandbox.tokens()[20].mint.clone();
    let first = trades.iter().find(|trade| trade.mint == launched).expect("a trade");
    assert_eq!((first.trader, first.side), (TraderKind::Holder, Side::Buy));
    let insiders = trades.iter().filter(|trade| trade.trader == TraderKind::Insider);
    let with_insiders: BTreeSet<&str> = insiders.map(|trade| trade.mint.as_str()).collect();
    assert!(with_insiders.len() * 20 < sandbox.tokens().len(), "{} launches", with_insiders.len());
}

#[test]
fn rivals_sell_into_your_strength() {
    let sold = |spend: u64| -> u64 {
        let in_market = |seed: u32| {
            let market = object! { "alive": true, "launchEveryMs": 0u32, "seed": seed };
            let token = object! { "mint": MINT, "character": "bundled" };
            let mut sandbox = sandbox_with(&object! { "market": market, "tokens": vec![token] });
            pass(&mut sandbox, 20_000);
            let request =
                object! { "mint": MINT, "fromWallet": ADA, "amountInLamports": spend, "slippage": 90u32 };
            post(&mut sandbox, "/v1/trade/buy", &json::write(&request));
            let after = sandbox.now_ms();
            pass(&mut sandbox, 5_000);
            let trades = sandbox.market_trades();
            let sells = trades.iter().filter(|trade| trade.at_ms.get() > after && trade.side == Side::Sell);
            sells.count() as u64
        };
        (1..=24).map(in_market).sum()
    };
    let (weak, strong) = (sold(1_000_000), sold(20_000_000_000));
    assert!(strong > weak + weak / 4, "{weak} {strong}");
}

#[test]
fn the_tape_says_what_the_curve_did() {
    let mut sandbox = living(&[("seed", 5u32.to_tape())]);
    let mut curves: BTreeMap<String, [u64; 2]> = BTreeMap::new();
    for token in sandbox.tokens() {
        curves.insert(token.mint, [token.virtual_token_reserves, token.real_sol_reserves]);
    }
    for round in 0..20u64 {
        pass(&mut sandbox, 4_000);
        post(&mut sandbox, "/v1/trade/buy", &buy(ADA, 5_000_000 + round));
    }
    let trades = sandbox.market_trades();
    let own: Vec<&MarketTrade> = trades.iter().filter(|trade| trade.trader == TraderKind::Own).collect();
    assert_eq!(own.len(), sandbox.trades().iter().filter(|trade| trade.success).count());
    assert!(own.len() > 5 && own.iter().all(|trade| trade.wallet == ADA && trade.side == Side::Buy));
    for (index, trade) in trades.iter().enumerate() {
        assert_eq!(trade.number.get(), index as u64 + 1);
        assert!(trades.get(index + 1).is_none_or(|next| next.at_ms >= trade.at_ms));
        let fresh = [1_073_000_000_000_000, 0];
        let before =
            curves.insert(trade.mint.clone(), [trade.virtual_token_reserves, trade.real_sol_reserves]);
        let [tokens, lamports] = before.unwrap_or(fresh);
        let (gone, come) = match trade.side {
            Side::Buy => (tokens - trade.virtual_token_reserves, trade.real_sol_reserves - lamports),
            Side::Sell => (trade.virtual_token_reserves - tokens, lamports - trade.real_sol_reserves),
        };
        assert_eq!(gone, trade.tokens);
        // Fees never enter the curve.
        assert!(if trade.side == Side::Buy { come < trade.lamports } else { come > trade.lamports });
    }
    let token = &sandbox.tokens()[0];
    let last = trades.iter().rev().find(|trade| trade.mint == token.mint).expect("a trade");
    assert_eq!((&last.price, last.virtual_sol_reserves), (&token.spot_price, token.virtual_sol_reserves));
}

#[test]
fn candles_are_the_tape_in_intervals() {
    let csv = "side,atMs,mint,lamports,tokens\nbuy,100,M,1000000000,\nbuy,900,M,2000000000,\nsell,950,M,,30000000000000\n\
               buy,3100,M,500000000,\nbuy,3200,N,500000000,\n";
    let config = object! {
        "tokens": vec![object! { "mint": "M" }, object! { "mint": "N" }],
        "market": object! { "replay": csv },
    };
    let mut sandbox = sandbox_with(&config);
    assert_eq!(sandbox.now_ms(), 100, "the recording's time");
    pass(&mut sandbox, 10_000);
    let trades = sandbox.market_trades();
    let prices: Vec<&str> = trades.iter().map(|trade| trade.price.as_deref().expect("a price")).collect();
    assert_eq!(sandbox.newest_trades("M", 2), trades[2..4], "the last two of four, without those of N");
    let candles = sandbox.candles("M", 1_000);
    let starts: Vec<u64> = candles.iter().map(|candle| candle.start_ms.get()).collect();
    assert_eq!(starts, [0, 3_000], "no candle without a trade");
    let first = &candles[0];
    assert_eq!(
        [&first.open, &first.high, &first.low, &first.close],
        [prices[0], prices[1], prices[0], prices[2]]
    );
    assert_eq!(
        (first.trades.get(), first.tokens),
        (3, trades[..3].iter().map(|t| i128::from(t.tokens)).sum())
    );
    assert_eq!(first.lamports, trades[..3].iter().map(|t| i128::from(t.lamports)).sum());
    assert_eq!(candles[1].open, candles[1].close);
    assert_eq!(sandbox.candles("M", 0).len(), 4, "no shorter than a millisecond");
    assert!(sandbox.candles("nothing", 1_000).is_empty());
}

#[test]
fn the_same_seed_and_time_give_the_same_market_in_whatever_parts_time_passes() {
    let run = |seed: u32, parts: &[u64]| {
        let mut sandbox = living(&[("seed", seed.to_tape()), ("maxMarketTrades", 100u32.to_tape())]);
        for ms in parts {
            pass(&mut sandbox, *ms);
        }
        sandbox
    };
    let whole = run(1, &[90_000]);
    assert_eq!(whole, run(1, &[1, 399, 400, 30_100, 0, 59_100]));
    assert_ne!(whole.market_trades(), run(2, &[90_000]).market_trades());
    assert_eq!(whole.market_trades().len(), 100, "the tape keeps the newest");
    let error = whole.advance(40_000_001).expect_err("too long");
    assert_eq!(error[0].message, "ms must be at most 40000000: advance in steps");
}

#[test]
fn a_recording_is_replayed_with_ones_own_trades_woven_in() {
    let json = r#" [
        {"atMs": 1000, "mint": "M", "side": "buy", "lamports": 1000000000},
        {"atMs": 2000, "mint": "M", "side": "buy", "tokens": "1000000000000"},
        {"atMs": 2000, "mint": "M", "side": "sell", "tokens": 30000000000000, "lamports": 1},
        {"atMs": 9000, "mint": "?", "side": "sell", "tokens": 5}
    ]"#;
    let config = |replay: Tape| {
        object! {
            "tokens": vec![object! { "mint": "M" }],
            "wallets": vec![object! { "wallet": "W", "lamports": 5_000_000_000u64 }],
            "market": object! { "replay": replay, "startMs": 0u32, "inFlightMs": 0u32 },
        }
    };
    let mut alone = sandbox_with(&config(json.to_tape()));
    let list = recording(json).expect("a recording");
    assert_eq!(list, alone.config().market.replay);
    pass(&mut alone, 100_000);
    assert_eq!(alone.market_trades().len(), 3, "what cannot be traded here is left out");
    let price = |sandbox: &Sandbox| sandbox.market_trades()[2].price.clone();

    let mut woven = sandbox_with(&config(json.to_tape()));
    pass(&mut woven, 1_500);
    let request = object! { "mint": "M", "fromWallet": "W", "amountInLamports": 3_000_000_000u64 };
    let answer = post(&mut woven, "/v1/trade/buy", &json::write(&request));
    assert!(answer.changes.iter().any(|change| matches!(change, Change::MarketTrade(_))));
    pass(&mut woven, 100_000);
    let traders: Vec<TraderKind> = woven.market_trades().iter().map(|trade| trade.trader).collect();
    assert_eq!(traders, [TraderKind::Recorded, TraderKind::Own, TraderKind::Recorded, TraderKind::Recorded]);
    assert_ne!(price(&alone), woven.market_trades()[3].price);
}

#[test]
fn a_bad_recording_is_refused() {
    let problem = |replay: &str| {
        let config = object! { "market": object! { "replay": replay } };
        SandboxConfig::read(config.root()).expect_err("a bad recording")[0].message.clone()
    };
    let bad = "market.replay has a bad trade: ";
    for (replay, why) in [
        ("[{}", [bad, "the recording has no comma or ] after an element, at byte 3"].concat()),
        ("atMs,mint,side\n1,M,buy", [bad, "trades[0].tokens or lamports must be given"].concat()),
        ("atMs,mint,side\n1,M,sell", [bad, "trades[0].tokens is missing"].concat()),
        (
            "atMs,mint,side,tokens\n5,M,sell,1\n4,M,sell,1",
            "market.replay is out of order: trade 1 is earlier than the one before it".to_owned(),
        ),
    ] {
        assert_eq!(problem(replay), why);
    }
}

#[test]
fn without_a_market_time_passes_and_nothing_happens() {
    let mut sandbox = sandbox();
    let before = sandbox.tokens();
    let changes = pass(&mut sandbox, 5_000_000_000);
    assert_eq!((changes.len(), sandbox.now_ms()), (1, 5_000_000_000));
    assert_eq!(sandbox.tokens(), before);
    post(&mut sandbox, "/v1/trade/buy", &buy(ADA, 1_000_000));
    let trades = sandbox.market_trades();
    assert_eq!(trades.len(), 1, "one's own trade");
    assert_eq!((trades[0].trader, trades[0].at_ms.get()), (TraderKind::Own, 5_000_000_000));
}
