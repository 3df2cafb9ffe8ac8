//! A tape is a recording: each of its trades is made again, or counted with the reason why not.

use crate::launchpads::reserves;
use crate::{sandbox, seeded};

use launchpad_desk::bindings::object;
use launchpad_desk::launchpad::quote::Side;
use launchpad_desk::tape::{Count, Tape, ToTape, json};
use launchpad_desk_sandbox::recording::{RecordedTrade, recording};
use launchpad_desk_sandbox::{MarketTrade, Replay, Sandbox, SandboxToken, TraderKind};
use proptest::prelude::*;
use sandbox::{ADA, ask, buy, curve_of, pass, post, replayed, sandbox_with};

/// A living market with your own trades in between, and the tokens that it began with.
fn lived(seed: u64, minutes: u64) -> (Sandbox, Vec<SandboxToken>) {
    let mut sandbox = sandbox_with(&object! {
        "control": true,
        "market": object! { "alive": true, "seed": seed, "launchEveryMs": 60_000u32 },
    });
    let start = sandbox.tokens();
    for _ in 0..minutes {
        pass(&mut sandbox, 60_000);
        post(&mut sandbox, "/v1/trade/buy", &buy(ADA, 1_234_567));
    }
    (sandbox, start)
}

fn shown(sandbox: &mut Sandbox, path: &str) -> Vec<u8> {
    let reply = ask(sandbox, "GET", path, &[], "").reply;
    assert_eq!(reply.status, 200);
    reply.body
}

/// Why trades were left out, and how many.
fn skipped(replay: &Replay) -> Vec<(&str, u64)> {
    replay.skipped.iter().map(|row| (row.reason.as_str(), row.trades.get())).collect()
}

/// A tape as CSV with all its columns, and one with commas and quotes in it.
fn csv(trades: &[MarketTrade]) -> String {
    let mut lines = vec!["note,price,number,atMs,\"mint\",trader,side,lamports,tokens,wallet".to_owned()];
    for trade in trades {
        let price = trade.price.as_deref().unwrap_or_default();
        let [number, at_ms] = [trade.number, trade.at_ms].map(Count::get);
        let (trader, side) = (trade.trader.as_str(), if trade.side == Side::Buy { "buy" } else { "sell" });
        let MarketTrade { mint, lamports, tokens, wallet, .. } = trade;
        lines.push(format!(
            "\"a, \"\"b\"\"\",{price},{number},{at_ms},\"{mint}\",{trader},{side},{lamports},{tokens},{wallet}"
        ));
    }
    lines.join("\r\n")
}

/// The tokens of a market as they were at its start: those that were launched later begin as the launchpad's.
fn as_they_were(sandbox: &Sandbox, start: &[SandboxToken]) -> Vec<Tape> {
    let setting = |token: SandboxToken| match start.iter().find(|known| known.mint == token.mint) {
        Some(known) => object! {
            "mint": known.mint,
            "curve": curve_of(known),
        },
        None => object! { "mint": token.mint },
    };
    sandbox.tokens().into_iter().map(setting).collect()
}

#[test]
fn a_tape_in_each_of_its_forms_is_replayed_to_the_unit() {
    for seed in [1, 7, 90] {
        let (mut living, start) = lived(seed, 10);
        let tape = living.market_trades();
        let json = String::from_utf8(shown(&mut living, "/_sandbox/tape")).expect("text");
        let forms = [json.to_tape(), csv(&tape).to_tape(), tape.to_tape()];
        for replay in forms {
            let config = object! {
                "tokens": as_they_were(&living, &start),
                "market": object! { "replay": replay, "startMs": 0u32 },
            };
            let mut again = sandbox_with(&config);
            assert!(again.replay().without_token.is_empty());
            pass(&mut again, living.now_ms());
            let replay = again.replay();
            assert_eq!((replay.made.get(), replay.left.get()), (tape.len() as u64, 0));
            assert_eq!(replay.skipped, []);
            // All but who made it.
            let same = |trade: &MarketTrade| MarketTrade {
                trader: TraderKind::Recorded,
                wallet: String::new(),
                ..trade.clone()
            };
            assert!(again.market_trades().iter().map(same).eq(tape.iter().map(same)));
            let curves = |sandbox: &Sandbox| {
                let curve = |token: SandboxToken| (token.mint, token.complete, token.spot_price);
                sandbox.tokens().into_iter().map(curve).collect::<Vec<_>>()
            };
            assert_eq!(curves(&again), curves(&living));
        }
        assert!(living.tokens().iter().any(|token| token.complete), "one completes in it");
        assert!(living.tokens().len() > start.len(), "and some are launched");
    }
}

#[test]
fn a_tape_of_other_tokens_is_counted_trade_by_trade() {
    let (living, start) = lived(1, 10);
    let tape = living.market_trades();
    let config = object! {
        "control": true,
        "tokens": as_they_were(&living, &start)[..2].to_vec(),
        "market": object! { "replay": tape.to_tape() },
    };
    let mut other = sandbox_with(&config);
    let known: Vec<String> = other.tokens().into_iter().map(|token| token.mint).collect();
    let of_others = tape.iter().filter(|trade| !known.contains(&trade.mint)).count() as u64;
    let ahead = other.replay();
    assert!(of_others > 100 && ahead.without_token.len() > 3, "{ahead:?}");
    assert_eq!(ahead.without_token.iter().map(|row| row.trades.get()).sum::<u64>(), of_others);
    assert_eq!((ahead.made.get(), ahead.left.get()), (0, tape.len() as u64));
    let mut log = Vec::new();
    for _ in 0..11 {
        log.extend(pass(&mut other, 60_000));
        let replay = other.replay();
        let skipped: u64 = replay.skipped.iter().map(|row| row.trades.get()).sum();
        assert_eq!(replay.made.get() + skipped + replay.left.get(), tape.len() as u64);
        assert_eq!(replay.made.get(), other.market_trades().len() as u64);
    }
    let replay = other.replay();
    // The known tokens may have stood elsewhere when the recording began: then a curve cannot pay for each sell.
    let skipped = skipped(&replay);
    assert_eq!(skipped.first(), Some(&("no_such_token", of_others)));
    assert!(
        skipped.iter().skip(1).all(|row| row.0 == "fees_or_reserves_exceeded" && row.1 < 3),
        "{skipped:?}"
    );
    assert_eq!(shown(&mut other, "/_sandbox/replay"), json::write(&replay.to_tape()).as_bytes());
    assert_eq!(replayed(&other, &log), other);
    assert_eq!(Sandbox::restore(other.config().clone(), &other.snapshot()), Ok(other));
}

#[test]
fn each_reason_is_counted_and_a_launch_makes_a_mint_known() {
    let replay = "atMs,side,mint,lamports,tokens\n\
                  5,buy,M,0,\n\
                  5,buy,NEW,1000000000,\n\
                  6,sell,M,,900000000000000000\n\
                  7,buy,M,,900000000000000\n\
                  8,buy,M,100000000000000,\n\
                  9,buy,M,1000000000,\n\
                  9,buy,M,1000000000,\n\
                  9,buy,NEW,1000000000,\n";
    let config = object! {
        "tokens": vec![object! { "mint": "M" }],
        "market": object! { "replay": replay, "startMs": 0u32 },
    };
    let mut sandbox = sandbox_with(&config);
    let without = |sandbox: &Sandbox| {
        let rows = sandbox.replay().without_token.into_iter();
        rows.map(|row| (row.mint, row.trades.get())).collect::<Vec<_>>()
    };
    assert_eq!(without(&sandbox), [("NEW".to_owned(), 2)]);
    let mut log = pass(&mut sandbox, 8);
    assert_eq!(without(&sandbox), [("NEW".to_owned(), 1)], "of those that are left");
    let token = object! { "mint": "NEW" };
    let launched = launchpad_desk_sandbox::read_launch(token.root()).expect("a token");
    let changes = sandbox.launch(&launched).expect("a launch");
    sandbox.take(&changes);
    log.extend(changes);
    assert_eq!(without(&sandbox), []);
    log.extend(pass(&mut sandbox, 8));
    let replay = sandbox.replay();
    let skipped = skipped(&replay);
    let due = [
        ("spend_does_not_cover_fees", 1),
        ("no_such_token", 1),
        ("fees_or_reserves_exceeded", 1),
        ("curve_complete", 3),
    ];
    assert_eq!(skipped, due);
    assert_eq!((replay.made.get(), replay.left.get()), (2, 0));
    assert!(sandbox.tokens()[0].complete, "who would buy more than all that is left buys all that is left");
    assert_eq!(replayed(&sandbox, &log), sandbox);
}

#[test]
fn a_sell_that_would_pass_the_supply_is_skipped() {
    // Of the supply, two units more than the curve holds are somewhere else.
    let curve = reserves([500_000_000_000_000, 60_000_000_000, 300_000_000_000_000, 40_000_000_000]);
    let token = object! { "mint": "M", "curve": curve, "supply": 300_002_000_000_000u64 };
    let replay =
        "atMs,side,mint,lamports,tokens\n1,sell,M,,3000000000\n1,sell,M,,2000000000\n1,sell,M,,1000000";
    let mut sandbox = sandbox_with(&object! {
        "tokens": vec![token],
        "market": object! { "replay": replay, "startMs": 0u32 },
    });
    pass(&mut sandbox, 1);
    let replay = sandbox.replay();
    let skipped = skipped(&replay);
    assert_eq!((replay.made.get(), skipped), (1, vec![("above_supply", 2)]));
    assert_eq!(sandbox.market_trades()[0].tokens, 2_000_000_000);
}

#[test]
fn what_contradicts_itself_is_no_snapshot() {
    let replay = "atMs,side,mint,lamports,tokens\n1,buy,X,5,\n2,buy,X,5,";
    let mut sandbox = sandbox_with(&object! { "market": object! { "replay": replay } });
    pass(&mut sandbox, 5);
    let (config, snapshot) = (sandbox.config().clone(), sandbox.snapshot());
    let row = r#"{"reason":"no_such_token","trades":2}"#;
    assert!(snapshot.contains(row));
    let problem = |rows: &str| {
        let problems = Sandbox::restore(config.clone(), &snapshot.replace(row, rows)).expect_err("no state");
        problems[0].message.clone()
    };
    assert_eq!(problem(&row.replace('2', "3")), "world.skipped has more trades than were due");
    assert_eq!(
        problem(r#"{"reason":"no_such_token","trades":1},{"reason":"no_such_token","trades":1}"#),
        "world.skipped[1].reason already exists"
    );
    assert_eq!(
        problem(&row.replace("no_such_token", "mood")),
        "world.skipped[0].reason is not a reason to skip a trade"
    );
    assert_eq!(problem(r#"{"trades":1}"#), "world.skipped[0].reason is missing");
}

fn trade() -> impl Strategy<Value = RecordedTrade> {
    let amount = || prop::option::of(any::<u64>());
    let address = "[1-9A-HJ-NP-Za-km-z]{1,44}";
    let wallet = prop::option::of(address);
    // Of a market's own time, or of 1970.
    let time = prop_oneof![0..1_000_000_000u64, 1_700_000_000_000..1_900_000_000_000u64];
    let parts = (time, address, any::<bool>(), amount(), any::<u64>(), wallet);
    parts.prop_map(|(at_ms, mint, buys, lamports, tokens, wallet)| RecordedTrade {
        at_ms: Count::new(at_ms),
        mint,
        side: if buys { Side::Buy } else { Side::Sell },
        lamports,
        tokens: Some(tokens).filter(|tokens| !buys || lamports.is_none() || tokens % 2 == 0),
        wallet,
    })
}

/// A trade's cell of that name; something else for further columns.
fn cell(trade: &RecordedTrade, name: &str) -> String {
    let amount = |amount: Option<u64>| amount.map(|amount| amount.to_string()).unwrap_or_default();
    match name {
        "atMs" => trade.at_ms.get().to_string(),
        "mint" => trade.mint.clone(),
        "side" => if trade.side == Side::Buy { "buy" } else { "sell" }.to_owned(),
        "lamports" => amount(trade.lamports),
        "tokens" => amount(trade.tokens),
        "wallet" => trade.wallet.clone().unwrap_or_default(),
        _ => "\"x, \"\"y\"\"\"".to_owned(),
    }
}

proptest! {
    #![proptest_config(seeded::cases(200))]

    #[test]
    fn a_recording_reads_back_what_is_written(
        trades in prop::collection::vec(trade(), 0..20),
        names in Just(["atMs", "mint", "side", "lamports", "tokens", "wallet", "price", "note"]).prop_shuffle(),
        end in prop_oneof![Just("\n"), Just("\r\n")],
    ) {
        prop_assert_eq!(recording(&json::write(&trades.to_tape())), Ok(trades.clone()));
        let mut lines = vec![names.join(",")];
        lines.extend(trades.iter().map(|trade| names.map(|name| cell(trade, name)).join(",")));
        prop_assert_eq!(recording(&lines.join(end)), Ok(trades));
    }
}

#[test]
fn a_recording_from_the_middle_begins_where_its_earlier_trades_left_the_curve() {
    let line = |second: u64| format!("{}000,buy,M,1000000000", second);
    let replay = format!("atMs,side,mint,lamports\n{}", (0..20).map(line).collect::<Vec<_>>().join("\n"));
    let of = |start_ms: u64| {
        sandbox_with(&object! {
            "tokens": vec![object! { "mint": "M" }],
            "wallets": vec![object! { "wallet": ADA, "lamports": 10_000_000_000u64 }],
            "market": object! { "replay": replay, "startMs": start_ms },
        })
    };
    let mut whole = of(0);
    pass(&mut whole, 9_999);
    let mut middle = of(10_000);
    assert_eq!(middle.now_ms(), 10_000);
    assert_eq!((middle.replay().made.get(), middle.replay().left.get()), (10, 10));
    assert_eq!(middle.tokens(), whole.tokens());
    assert_eq!(middle.market_trades().len(), 10);
    assert_eq!(middle.state().check_books(), Ok(()));
    let after: Vec<_> = middle.market_trades().iter().map(|trade| trade.at_ms.get()).collect();
    assert_eq!(after, [10_000; 10], "made at the start");
    // So the first request is quoted on the curve that it finds.
    let body = format!(r#"{{"mint":"M","fromWallet":"{ADA}","amountInLamports":100000000,"slippage":8}}"#);
    post(&mut middle, "/v1/trade/buy", &body);
    assert_eq!(middle.trades()[0].results, "ok");
    let snapshot = middle.snapshot();
    middle.take(&middle.reset().expect("a start"));
    assert_eq!(middle.replay().made.get(), 10, "and again after a reset");
    let restored = Sandbox::restore(middle.config().clone(), &snapshot).expect("a snapshot");
    assert_eq!(restored.replay().left.get(), 9);
}

#[test]
fn a_foreign_file_is_told_once_what_it_has_and_what_is_needed() {
    let needs = "; it needs atMs (milliseconds), mint, side (buy or sell), and tokens (base units) or, of buys, lamports (fees included)";
    let told = |text: &str| -> Vec<String> {
        recording(text).unwrap_err().into_iter().map(|problem| problem.message).collect()
    };
    let query = "block_time;tx_id;token_bought_amount\n2026-03-01 12:00:01.000 UTC;t1;17.25\n2026-03-01 12:00:03.000 UTC;t2;0.48";
    let or = "; or say which column is what, and check the units: columns: ";
    let told_of_query = told(query);
    assert_eq!(
        told_of_query,
        [format!("the recording has the columns block_time, tx_id, token_bought_amount{needs}")]
    );
    let messages = "{\"signature\":\"s1\",\"mint\":\"M\",\"txType\":\"buy\",\"solAmount\":0.5}\n{\"signature\":\"s2\",\"mint\":\"M\",\"txType\":\"sell\"}\n";
    let no_time = "; no column is a time: write the time of receipt into each row, as atMs";
    let mapping = r#"{"mint":"mint","side":"txType","lamports":{"column":"solAmount","unit":"sol"}}"#;
    assert_eq!(
        told(messages),
        [format!(
            "the recording has the fields signature, mint, txType, solAmount{needs}{no_time}{or}{mapping}"
        )]
    );
    let list = r#"[{"x":1,"y":2},{"x":1,"z":2}]"#;
    assert_eq!(told(list), [format!("the recording has the fields x, y, z{needs}")]);
    let reply = r#"{"status":"ok","result":{"rows":[{"block":{"time":1772366401},"token":"M"}]}}"#;
    let mapping = r#"{"rows":"result.rows","atMs":{"column":"block.time","unit":"s"},"mint":"token"}"#;
    assert_eq!(
        told(reply),
        [format!("the recording has at result.rows the fields block.time, token{needs}{or}{mapping}")]
    );
    let wide = format!("{}\n1", (0..60).map(|at| format!("column{at}")).collect::<Vec<_>>().join(","));
    assert!(told(&wide)[0].contains("column39, and 20 more;"), "{:?}", told(&wide));
    assert_eq!(told("atMs,side\n0,buy"), [format!("the recording has the columns atMs, side{needs}")]);
    // What only some rows lack is told row by row.
    assert_eq!(told("[{\"atMs\":0,\"mint\":\"M\",\"side\":\"buy\",\"lamports\":1},{\"atMs\":0}]").len(), 3);
}

#[test]
fn lines_of_json_and_every_separator_are_recordings() {
    let due = recording("atMs,side,mint,lamports,tokens\n0,buy,M,1000000,\n400,sell,M,,5000").unwrap();
    let lines = "{\"atMs\":0,\"side\":\"buy\",\"mint\":\"M\",\"lamports\":1000000}\r\n\n{\"atMs\":400,\"side\":\"sell\",\"mint\":\"M\",\"tokens\":\"5000\"}\n";
    for text in [
        lines,
        "atMs;side;mint;lamports;tokens\n0;buy;M;1000000;\n400;sell;M;;5000",
        "atMs\tside\tmint\tlamports\ttokens\n0\tbuy\tM\t1000000\t\n400\tsell\tM\t\t5000",
    ] {
        assert_eq!(recording(text).as_ref(), Ok(&due), "{text}");
    }
    let broken =
        recording("{\"atMs\":0,\"side\":\"buy\",\"mint\":\"M\",\"lamports\":1}\n{\"atMs\":").unwrap_err();
    assert!(broken[0].message.ends_with(", in line 2"), "{broken:?}");
}
