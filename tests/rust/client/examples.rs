//! The examples in Rust, run as a reader would run them.

use std::process::Command;

/// What an example prints. It is built with the features of this test; with others, cargo would compile everything once more.
fn printed(name: &str) -> String {
    let features: &[&str] = if cfg!(feature = "reqwest") { &["--features=reqwest"] } else { &[] };
    let mut cargo = Command::new(env!("CARGO"));
    cargo.args(["run", "--quiet", "--locked", "--example", name]).args(features).current_dir(crate::ROOT);
    let output = cargo.output().unwrap();
    assert!(output.status.success(), "{name}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

const BOT: &str = "buy-1: landed
buy-2: outcome unknown: the connection gave no answer";

const THEN: &str = "
buy-2: proven, landed: Some(true)
buy-3: landed
sold 10493887.309402 tokens";

#[test]
fn the_bot_settles_the_trade_without_an_answer() {
    let printed = printed("bot");
    assert!(printed.starts_with(&[BOT, " (ECONNRESET)", THEN].concat()), "{printed}");
}

#[test]
fn a_trade_without_an_answer_is_settled_by_the_chain() {
    let lines = [
        "buy-1: outcome unknown: the connection gave no answer (ECONNRESET)",
        "buy-1: landed, 3520918711316 base units",
        "unresolved: 0",
    ];
    assert_eq!(printed("settle").lines().collect::<Vec<_>>(), lines);
}

#[cfg(feature = "reqwest")]
#[test]
fn the_bot_does_the_same_over_http() {
    let printed = printed("bot-http");
    assert!(printed.starts_with(BOT) && printed.contains(THEN), "{printed}");
}

#[test]
fn the_way_from_a_quote_to_a_position_and_out_again_ends_with_the_wallets_balance() {
    let lines = [
        "quoted: 17376518.132293 tokens for 0.5 SOL",
        "holds: 17376518.132293 tokens, for 0.500005 SOL",
        "holds: 16376517.632293 tokens, for 0.471230234 SOL",
        "holds: 0 tokens",
        "gained: -0.012360685 SOL, fees included",
        "wallet: -0.012360685 SOL",
    ];
    assert_eq!(printed("position").lines().collect::<Vec<_>>(), lines);
}

/// What `tests/flow/examples.test.mjs` expects of the same example in JavaScript, to the lamport.
#[test]
fn the_exits_of_a_tape_are_those_that_javascript_finds() {
    let lines = [
        "4000 ms: take_profit at 1.573455354x sells 13679681248247 for 645339655 lamports (tape/tp1)",
        "7000 ms: take_profit at 2.731908441x sells 10259760936185 for 834227610 lamports (tape/tp2)",
        "10000 ms: trailing at 2.148749062x sells 10259760936186 for 646342788 lamports (tape/all)",
        "received 2.125910053 SOL; nothing left",
    ];
    assert_eq!(printed("exits").lines().collect::<Vec<_>>(), lines);
}
