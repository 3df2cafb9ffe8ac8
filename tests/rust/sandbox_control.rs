//! What a test may do to a sandbox while it runs, in code and over HTTP: the same, and all of it as rows.

use crate::sandbox;

use launchpad_desk::bindings::object;
use launchpad_desk::tape::{Tape, json};
use launchpad_desk_sandbox::{
    ActualOutcome, Answer, Change, FaultConfig, FaultKind, Sandbox, SandboxConfig, SandboxOutcome,
};
use sandbox::{
    ADA, JSON, MINT, body, buy, elements, land, post, replayed, sandbox, sandbox_with, text, wallet,
};

const OPEN: &str = r#"{"control":true,"maxTrades":50}"#;

fn open() -> Sandbox {
    sandbox_with(&json::parse(OPEN.as_bytes()).expect("JSON"))
}

fn ask(sandbox: &mut Sandbox, method: &str, path: &str, body: &str) -> Answer {
    sandbox::ask(sandbox, method, &["/_sandbox/", path].concat(), &[JSON], body)
}

fn shown(sandbox: &mut Sandbox, path: &str) -> Tape {
    let answer = ask(sandbox, "GET", path, "");
    assert_eq!((answer.reply.status, &answer.changes), (200, &vec![]), "{path}");
    body(&answer)
}

#[track_caller]
fn done(sandbox: &mut Sandbox, method: &str, path: &str, request: &str) -> Tape {
    let before = sandbox.clone();
    let answer = ask(sandbox, method, path, request);
    assert_eq!(answer.reply.status, 200, "{}", text(body(&answer).root(), "message"));
    // Every change is in the rows.
    let mut other = before;
    for change in &answer.changes {
        assert_eq!(Change::from_json(&change.to_json()).as_ref(), Ok(change));
    }
    other.apply(&answer.changes).expect("rows that agree");
    assert_eq!(other, *sandbox);
    assert_eq!(sandbox.state().check_books(), Ok(()));
    body(&answer)
}

#[track_caller]
fn refused(sandbox: &mut Sandbox, method: &str, path: &str, request: &str, message: &str) {
    let before = sandbox.clone();
    let answer = ask(sandbox, method, path, request);
    assert_eq!((answer.reply.status, text(body(&answer).root(), "message")), (400, message));
    assert_eq!(*sandbox, before);
}

#[test]
fn there_is_nothing_unless_a_setting_says_so() {
    let mut closed = sandbox();
    for path in ["outcomes", "state", "reset", "time", "trades"] {
        assert_eq!(ask(&mut closed, "GET", path, "").reply.status, 404);
    }
    let mut open = open();
    for path in ["", "nothing", "candles", "candles/M", "candles/M/x", "state/"] {
        assert_eq!(ask(&mut open, "GET", path, "").reply.status, 404, "{path}");
    }
    let answer = ask(&mut open, "DELETE", "state", "");
    assert_eq!((answer.reply.status, answer.reply.header("allow")), (405, Some("GET, PUT")));
    assert_eq!(text(body(&answer).root(), "message"), "the method must be GET or PUT");
    assert_eq!(ask(&mut open, "GET", "reset", "").reply.header("allow"), Some("POST"));
    let mut locked = sandbox_with(&object! { "control": true, "apiKey": "k" });
    assert_eq!(ask(&mut locked, "GET", "state", "").reply.status, 401);
}

#[test]
fn the_table_of_outcomes_is_there_to_read() {
    let table = shown(&mut open(), "outcomes");
    let rows = elements(table.root(), "").into_iter();
    let rows: Vec<[String; 3]> =
        rows.map(|row| ["outcome", "feePayer", "meaning"].map(|name| text(row, name).to_owned())).collect();
    assert_eq!(rows.len(), SandboxOutcome::ALL.len());
    for (row, outcome) in rows.iter().zip(SandboxOutcome::ALL) {
        assert_eq!(row, &[outcome.as_str().to_owned(), outcome.fee_payer(), outcome.meaning().to_owned()]);
    }
}

#[test]
fn a_wallet_is_funded_and_a_new_one_trades() {
    let mut sandbox = open();
    let before = wallet(&sandbox, ADA).lamports;
    let funded = done(&mut sandbox, "POST", "wallets", &format!(r#"{{"wallet":"{ADA}","lamports":"5"}}"#));
    assert_eq!((text(funded.root(), "lamports"), text(funded.root(), "label")), ("100000000005", "Ada"));
    assert_eq!(wallet(&sandbox, ADA).lamports, before + 5);
    done(&mut sandbox, "POST", "wallets", r#"{"wallet":"eve","label":"Eve","lamports":2000000000}"#);
    post(&mut sandbox, "/v1/trade/buy", &buy("eve", 1_000_000_000));
    assert!(sandbox.trades()[0].success);
    assert_eq!(elements(shown(&mut sandbox, "wallets").root(), "").len(), 4);
    let bad = [
        (
            r#"{"wallet":"a b","lamports":1}"#,
            "wallet has white space, a control character or broken text in it",
        ),
        (r#"{"wallet":"a"}"#, "lamports is missing"),
        (r#"{"wallet":"a","lamports":-1}"#, "lamports must be a decimal number, zero or above"),
        (r#"{"wallet":"a","lamports":1,"sol":1}"#, "sol is unknown"),
        (r#"{"wallet":"a","lamports":18446744073709551615}"#, "lamports would add up to more than 64 bits"),
        ("[]", "it must be an object, not an array"),
    ];
    for (request, message) in bad {
        refused(&mut sandbox, "POST", "wallets", request, message);
    }
    let changes = sandbox.fund("eve", None, 7).expect("room");
    let mut other = sandbox.clone();
    other.take(&changes);
    done(&mut sandbox, "POST", "wallets", r#"{"wallet":"eve","lamports":7}"#);
    assert_eq!(other, sandbox, "in code as over HTTP");
}

#[test]
fn a_token_is_launched_and_traded() {
    for alive in [false, true] {
        let mut sandbox = sandbox_with(&object! { "control": true, "market": object! { "alive": alive } });
        let launched = done(&mut sandbox, "POST", "tokens", r#"{"mint":"NEW","name":"New","soldBps":2500}"#);
        assert_eq!((text(launched.root(), "symbol"), text(launched.root(), "name")), ("NEW", "New"));
        assert_eq!(text(launched.root(), "realTokenReserves"), "594825000000000");
        let request =
            object! { "mint": "NEW", "fromWallet": ADA, "amountInLamports": 1_000_000u64, "slippage": 50u32 };
        land(&mut sandbox, "/v1/trade/buy", &request);
        assert_eq!(sandbox.state().check_books(), Ok(()));
        refused(&mut sandbox, "POST", "tokens", r#"{"mint":"NEW"}"#, "mint already exists");
        refused(&mut sandbox, "POST", "tokens", "{}", "mint is missing");
        let name = sandbox.tokens().len();
        let message =
            format!("tokens[{name}].mint has white space, a control character or broken text in it");
        refused(&mut sandbox, "POST", "tokens", r#"{"mint":"a b"}"#, &message);
        let curve =
            r#"{"virtualTokenReserves":5,"virtualSolReserves":0,"realTokenReserves":5,"realSolReserves":7}"#;
        let message = format!("tokens[{name}].virtualSolReserves is zero: no price");
        refused(&mut sandbox, "POST", "tokens", &format!(r#"{{"mint":"C","curve":{curve}}}"#), &message);
        let curve = curve.replace(":0,", ":9,");
        done(&mut sandbox, "POST", "tokens", &format!(r#"{{"mint":"C","curve":{curve}}}"#));
    }
}

#[test]
fn time_passes_and_candles_come_of_it() {
    let mut sandbox = sandbox_with(&object! { "control": true, "market": object! { "alive": true } });
    assert_eq!(text(shown(&mut sandbox, "time").root(), "nowMs"), "0");
    let now = done(&mut sandbox, "POST", "time", r#"{"advanceMs":60000}"#);
    assert_eq!(text(now.root(), "nowMs"), "60000");
    let tape = shown(&mut sandbox, "tape");
    assert_eq!(elements(tape.root(), "").len(), sandbox.market_trades().len());
    let candles = shown(&mut sandbox, &format!("candles/{MINT}/10000"));
    let closes: Vec<&str> =
        elements(candles.root(), "").into_iter().map(|candle| text(candle, "close")).collect();
    assert!((3..=7).contains(&closes.len()), "{closes:?}");
    assert_eq!(closes.last().copied(), sandbox.tokens()[0].spot_price.as_deref());
    let message = "advanceMs must be at most 40000000: advance in steps";
    refused(&mut sandbox, "POST", "time", r#"{"advanceMs":40000001}"#, message);
}

#[test]
fn faults_are_set_and_taken_away_while_it_runs() {
    let mut sandbox = open();
    let good = buy(ADA, 1_000_000);
    post(&mut sandbox, "/v1/trade/buy", &good);
    done(&mut sandbox, "PUT", "faults", r#"{"script":[{"kind":"none"},{"kind":"errorAfter","status":502}]}"#);
    let statuses = [0; 3].map(|_| post(&mut sandbox, "/v1/trade/buy", &good).reply.status);
    assert_eq!(statuses, [200, 502, 200], "the script begins with the next request");
    done(&mut sandbox, "PUT", "faults", r#"{"oneOf":[{"kind":"rateLimited"}]}"#);
    assert_eq!(post(&mut sandbox, "/v1/trade/buy", &good).reply.status, 429);
    assert_eq!(text(elements(shown(&mut sandbox, "faults").root(), "oneOf")[0], "kind"), "rateLimited");
    done(&mut sandbox, "PUT", "faults", "{}");
    assert_eq!(post(&mut sandbox, "/v1/trade/buy", &good).reply.status, 200);
    refused(&mut sandbox, "PUT", "faults", r#"{"script":[{"kind":"fire"}]}"#, {
        "script[0].kind must be one of none, refused, rateLimited, errorBefore, errorAfter, noAnswer, truncated, garbled, \
         transactionFails, dropped"
    });
    // The faults of the settings are removed, too.
    let kind = object! { "kind": "errorBefore" };
    let mut faulty = sandbox_with(&object! { "control": true, "faults": object! { "oneOf": vec![kind] } });
    assert_eq!(post(&mut faulty, "/v1/trade/buy", &good).reply.status, 503);
    let changes = faulty.set_faults(FaultConfig::default());
    faulty.take(&changes);
    assert_eq!(post(&mut faulty, "/v1/trade/buy", &good).reply.status, 200);
    assert_eq!(FaultKind::ALL.len(), 10);
}

#[test]
fn a_state_is_looked_at_put_back_and_reset() {
    let market = object! { "alive": true };
    // A state may be longer than a trade.
    let mut sandbox = sandbox_with(&object! { "control": true, "market": market, "maxBodyBytes": 2_000u32 });
    let start = sandbox.clone();
    done(&mut sandbox, "POST", "time", r#"{"advanceMs":9000}"#);
    post(&mut sandbox, "/v1/trade/buy", &buy(ADA, 1_000_000));
    done(&mut sandbox, "POST", "wallets", r#"{"wallet":"eve","lamports":2000000000}"#);
    let snapshot = sandbox.snapshot();
    let state = ask(&mut sandbox, "GET", "state", "");
    assert_eq!(state.reply.body, snapshot.as_bytes());
    let mut names: Vec<&str> = snapshot.split("\":").filter_map(|before| before.rsplit('"').next()).collect();
    names.retain(|name| name.bytes().all(|byte| byte.is_ascii_alphanumeric()));
    names.sort_unstable();
    names.dedup();
    let sum = names.concat().bytes().fold(0u32, |sum, byte| sum.wrapping_mul(31).wrapping_add(byte.into()));
    assert_eq!(
        (names.len(), sum),
        (80, 780_623_417),
        "a state of other fields needs another VERSION: {names:?}"
    );
    let later = sandbox.clone();
    done(&mut sandbox, "POST", "reset", "");
    assert_eq!(sandbox, start);
    done(&mut sandbox, "PUT", "state", &snapshot);
    assert_eq!(sandbox, later);
    refused(&mut sandbox, "PUT", "state", &snapshot.replacen("\"version\":5", "\"version\":4", 1), {
        "version must be 5: another version of this package wrote it"
    });
    let granted = "\"grantedLamports\":";
    let message = "world.grantedLamports is not the total of wallets, curves and fees";
    refused(&mut sandbox, "PUT", "state", &snapshot.replacen(granted, "\"grantedLamports\":1", 1), message);
    // A log that starts again with all rows.
    assert_eq!(replayed(&sandbox, &sandbox.rows()), sandbox);
}

#[test]
fn every_call_is_logged_with_its_outcome() {
    let mut sandbox = sandbox_with(&object! { "control": true, "maxCalls": 6u32, "apiKey": "k" });
    let good = buy(ADA, 1_000_000);
    let calls = [
        ("landed", "k", good.as_str(), ActualOutcome::Landed, 200),
        ("failed-overflow", "k", &good, ActualOutcome::Failed, 200),
        ("executed-503", "k", &good, ActualOutcome::Landed, 503),
        ("executed-no-answer", "k", &good, ActualOutcome::Landed, 0),
        ("not-executed-no-answer", "k", &good, ActualOutcome::NotExecuted, 0),
        ("rejected-422", "k", &good, ActualOutcome::NotExecuted, 422),
        ("landed", "k", "{", ActualOutcome::NotExecuted, 400),
        ("landed", "wrong", &good, ActualOutcome::NotExecuted, 401),
    ];
    for (outcome, key, body, ..) in calls {
        let intent = ("Idempotency-Key", "intent-1");
        let given = [JSON, ("x-api-key", key), ("x-sandbox-outcome", outcome), intent];
        sandbox::ask(&mut sandbox, "POST", "/v1/trade/buy", &given, body);
    }
    let logged: Vec<_> =
        sandbox.calls().map(|call| (call.number.get(), call.actual, call.status.get())).collect();
    let expected =
        calls.iter().enumerate().map(|(at, (.., actual, status))| (at as u64 + 1, *actual, *status));
    assert_eq!(logged, expected.skip(2).collect::<Vec<_>>(), "the newest six");
    let first = sandbox.calls().next().expect("a call");
    let trade = &sandbox.trades()[2];
    assert_eq!((first.transaction, &first.signature), (trade.transaction, &trade.signature));
    assert_eq!((first.intent_id.as_str(), first.at_ms.get(), first.fingerprint.len()), ("intent-1", 7, 22));
    let mut get = |path| sandbox::ask(&mut sandbox, "GET", path, &[("x-api-key", "k")], "");
    let (answer, shown) = (get("/_sandbox/calls"), get("/_sandbox/trades"));
    assert_eq!(answer.reply.header("content-type"), Some("application/x-ndjson"));
    let lines = String::from_utf8(answer.reply.body).expect("text");
    assert_eq!(lines, sandbox.calls_ndjson());
    assert_eq!(lines.lines().count(), 6);
    assert!(lines.lines().all(|line| json::parse(line.as_bytes()).is_ok()));
    let trades = body(&shown);
    assert_eq!(elements(trades.root(), "").len(), sandbox.trades().len());
    let quiet = SandboxConfig::read(object! {}.root()).expect("good");
    assert_eq!(quiet.max_calls, 0, "no log unless asked for");
}
