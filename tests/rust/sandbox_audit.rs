//! A bot's books against what really happened: every trade that they have wrong is reported, and none that they have right.

use crate::{sandbox, seeded};

use std::collections::BTreeSet;

use launchpad_desk::api::endpoint::Operation;
use launchpad_desk::bindings::object;
use launchpad_desk::intent::IntentOutcome;
use launchpad_desk::tape::{ToTape, json};
use launchpad_desk_sandbox::{
    ActualOutcome, Audit, BookEntry, Change, Mismatch, Sandbox, SandboxOutcome, audit, read_audit,
};
use proptest::prelude::*;
use sandbox::{ADA, BOB, CYD, JSON, ask, buy, sandbox_with};

fn logging() -> Sandbox {
    sandbox_with(&object! { "maxCalls": 1_000u32, "maxTrades": 1_000u32 })
}

/// Sends a buy, with an outcome and an intent id; either may be empty.
fn send(sandbox: &mut Sandbox, body: &str, outcome: &str, intent: &str) -> Vec<Change> {
    let mut given = vec![JSON, ("x-sandbox-outcome", outcome), ("idempotency-key", intent)];
    given.retain(|(_, value)| !value.is_empty());
    ask(sandbox, "POST", "/v1/trade/buy", &given, body).changes
}

fn entry(intent_id: &str, body: &str, outcome: impl Into<Option<IntentOutcome>>) -> BookEntry {
    BookEntry {
        intent_id: intent_id.into(),
        operation: Operation::Buy,
        body: body.into(),
        outcome: outcome.into(),
    }
}

/// What an audit found, short.
fn told(audit: &Audit) -> Vec<(Mismatch, Option<&str>, ActualOutcome)> {
    let short = audit.findings.iter().map(|found| (found.mismatch, found.intent_id.as_deref(), found.actual));
    short.collect()
}

#[test]
fn every_wrong_entry_is_reported_and_no_other() {
    let mut sandbox = logging();
    let bodies: Vec<String> = (0..9u64).map(|number| buy(ADA, 1_000_000 + number)).collect();
    let outcomes = [
        "landed",
        "executed-no-answer",
        "failed-overflow",
        "failed-overflow",
        "rejected-400",
        "not-executed-503",
        "executed-504",
        "executed-500",
    ];
    for (body, outcome) in bodies.iter().zip(outcomes) {
        send(&mut sandbox, body, outcome, "");
    }
    let books = [
        entry("right", &bodies[0], IntentOutcome::Landed),
        entry("moved", &bodies[1], IntentOutcome::NotSent),
        entry("fee", &bodies[2], IntentOutcome::Rejected),
        entry("not moved", &bodies[3], IntentOutcome::Landed),
        entry("no fee", &bodies[4], IntentOutcome::Failed),
        entry("open, nothing", &bodies[5], IntentOutcome::Unknown),
        entry("open, moved", &bodies[6], None),
        entry("never came", &bodies[8], IntentOutcome::Unconfirmed),
        entry("never came either", &buy(BOB, 5), IntentOutcome::DidNotLand),
    ];
    let report = audit(&books, sandbox.calls());
    assert_eq!(
        told(&report),
        [
            (Mismatch::LandedUnknown, Some("moved"), ActualOutcome::Landed),
            (Mismatch::FeeUnknown, Some("fee"), ActualOutcome::Failed),
            (Mismatch::DidNotLand, Some("not moved"), ActualOutcome::Failed),
            (Mismatch::NotExecuted, Some("no fee"), ActualOutcome::NotExecuted),
            (Mismatch::DidNotLand, Some("never came"), ActualOutcome::NeverArrived),
            (Mismatch::NoEntry, None, ActualOutcome::Landed),
        ]
    );
    let open: Vec<_> = report.open.iter().map(|open| (open.intent_id.as_str(), open.actual)).collect();
    assert_eq!(open, [("open, nothing", ActualOutcome::NotExecuted), ("open, moved", ActualOutcome::Landed)]);
    assert_eq!(report.right.get(), 2);
    let signature = report.findings[0].signature.as_deref();
    assert_eq!(signature, Some(sandbox.trades()[1].signature.as_str()));
}

#[test]
fn equal_requests_are_matched_in_favour_of_the_books() {
    let mut sandbox = logging();
    let body = buy(ADA, 1_000_000);
    // The same request three times: the first never left, the second landed, the third failed.
    send(&mut sandbox, &body, "landed", "");
    send(&mut sandbox, &body, "failed-overflow", "");
    let books = [
        entry("a", &body, IntentOutcome::NotSent),
        entry("b", &body, IntentOutcome::Landed),
        entry("c", &body, IntentOutcome::Failed),
    ];
    let thrice = books.clone();
    assert_eq!(told(&audit(&books, sandbox.calls())), []);
    // Sent twice by a runtime that retries: one landed that the books do not know about.
    send(&mut sandbox, &body, "landed", "");
    assert_eq!(
        told(&audit(&books, sandbox.calls())),
        [(Mismatch::LandedUnknown, Some("a"), ActualOutcome::Landed)]
    );
    let sure = &books[1..];
    assert_eq!(told(&audit(sure, sandbox.calls())), [(Mismatch::NoEntry, None, ActualOutcome::Landed)]);
    // An entry that was checked and not found does not take a failed transaction from the entry that knows of it.
    let mut looked = logging();
    send(&mut looked, &body, "failed-overflow", "");
    send(&mut looked, &body, "not-executed-503", "");
    let books = [entry("a", &body, IntentOutcome::DidNotLand), entry("b", &body, IntentOutcome::Failed)];
    assert_eq!(told(&audit(&books, looked.calls())), []);
    let books = [entry("a", &body, IntentOutcome::Rejected), entry("b", &body, IntentOutcome::DidNotLand)];
    assert_eq!(told(&audit(&books, looked.calls())), []);
    // The intent id shows which is which.
    let mut named = logging();
    send(&mut named, &body, "failed-overflow", "b");
    send(&mut named, &body, "landed", "c");
    let report = audit(&thrice, named.calls());
    let expected = [
        (Mismatch::DidNotLand, Some("b"), ActualOutcome::Failed),
        (Mismatch::LandedUnknown, Some("c"), ActualOutcome::Landed),
    ];
    assert_eq!(told(&report), expected);
}

#[test]
fn a_log_that_lost_its_oldest_calls_says_nothing_about_an_entry_without_a_call() {
    let mut sandbox = sandbox_with(&object! { "maxCalls": 2u32 });
    let bodies: Vec<String> = (0..5u64).map(|number| buy(ADA, 1_000_000 + number)).collect();
    let books = [
        entry("landed", &bodies[0], IntentOutcome::Landed),
        entry("open", &bodies[1], IntentOutcome::Unknown),
        entry("lost", &bodies[2], IntentOutcome::NotSent),
        entry("logged", &bodies[3], IntentOutcome::Landed),
    ];
    let open = |audit: &Audit| audit.open.iter().map(|open| open.actual).collect::<Vec<_>>();
    send(&mut sandbox, &bodies[0], "", "landed");
    send(&mut sandbox, &bodies[1], "executed-503", "open");
    let whole = audit(&books[..2], sandbox.calls());
    assert_eq!((told(&whole), open(&whole)), (vec![], vec![ActualOutcome::Landed]));
    send(&mut sandbox, &bodies[2], "executed-no-answer", "lost");
    send(&mut sandbox, &bodies[3], "", "logged");
    send(&mut sandbox, &bodies[4], "", "stranger");
    let report = audit(&books, sandbox.calls());
    assert_eq!(told(&report), [(Mismatch::NoEntry, None, ActualOutcome::Landed)]);
    assert_eq!(open(&report), [ActualOutcome::NotLogged]);
    assert_eq!(
        (&report.unchecked[..], report.right.get()),
        (&["landed".to_owned(), "lost".to_owned()][..], 1)
    );
}

#[test]
fn books_and_log_are_read_as_they_are_written() {
    let mut sandbox = logging();
    let body = buy(ADA, 1_000_000);
    send(&mut sandbox, &body, "", "i");
    let books = vec![entry("i", &body, IntentOutcome::Landed)];
    let calls: Vec<_> = sandbox.calls().cloned().collect();
    let text = json::write(&object! { "entries": books, "calls": calls });
    let tape = json::parse(text.as_bytes()).expect("JSON");
    assert_eq!(read_audit(tape.root()), Ok((books, calls)));
    let unsettled = object! { "intentId": "i", "operation": "buy", "body": body };
    let given = object! { "entries": vec![unsettled], "calls": Vec::<bool>::new() };
    let (books, _) = read_audit(given.root()).expect("an entry that was never settled");
    assert_eq!(books[0].outcome, None);
    let given = object! { "entries": vec![object! { "outcome": "won" }], "calls": 5u32 };
    let problems: Vec<String> =
        read_audit(given.root()).expect_err("bad").into_iter().map(|p| p.message).collect();
    assert_eq!(
        problems,
        [
            "entries[0].operation is missing",
            "entries[0].intentId is missing",
            "entries[0].body is missing",
            "entries[0].outcome must be one of landed, unconfirmed, not_sent, rejected, failed, unknown, did_not_land",
            "calls must be an array, not a number",
        ]
    );
    let report = audit(&[], []);
    assert_eq!(json::write(&report.to_tape()), r#"{"findings":[],"open":[],"unchecked":[],"right":0}"#);
}

/// What an honest bot records from an answer.
fn honest(outcome: SandboxOutcome, landed: bool, looks: bool) -> IntentOutcome {
    let name = outcome.as_str();
    let is_unclear = name.contains("executed") || ["garbled", "truncated"].contains(&name);
    match name {
        // An honest bot checks what it does not know, and finds out.
        _ if looks && is_unclear && landed => IntentOutcome::Landed,
        _ if looks && is_unclear => IntentOutcome::DidNotLand,
        _ if name.starts_with("rejected") => IntentOutcome::Rejected,
        _ if name.starts_with("executed") || name.starts_with("not-executed") => IntentOutcome::Unknown,
        "garbled" | "truncated" => IntentOutcome::Unknown,
        "connection-refused" => IntentOutcome::NotSent,
        _ if landed => IntentOutcome::Landed,
        _ => IntentOutcome::Failed,
    }
}

proptest! {
    #![proptest_config(seeded::cases(120))]

    #[test]
    fn honest_books_pass_and_a_lie_is_found(
        calls in prop::collection::vec((0..3usize, 0..4u64, 0..SandboxOutcome::ALL.len(), any::<bool>(), any::<bool>()), 1..30),
        lie in any::<prop::sample::Index>(),
    ) {
        let mut sandbox = logging();
        let mut books = Vec::new();
        for (number, (wallet, lamports, outcome, named, looks)) in calls.iter().enumerate() {
            let body = buy([ADA, BOB, CYD][*wallet], 5_000_000 + lamports);
            let (outcome, intent) = (SandboxOutcome::ALL[*outcome], format!("intent-{number}"));
            send(&mut sandbox, &body, outcome.as_str(), if *named { &intent } else { "" });
            let landed = sandbox.calls().last().is_some_and(|call| call.actual == ActualOutcome::Landed);
            books.push(entry(&intent, &body, honest(outcome, landed, *looks)));
        }
        let report = audit(&books, sandbox.calls());
        prop_assert_eq!(told(&report), []);
        prop_assert_eq!(report.right.get() as usize + report.open.len(), books.len());

        // If an entry of an executed call is removed, it is reported as missing.
        let executed: BTreeSet<usize> = sandbox.calls().enumerate().filter(|(_, call)| call.actual != ActualOutcome::NotExecuted).map(|(at, _)| at).collect();
        prop_assume!(!executed.is_empty());
        let gone = *lie.get(&executed.iter().copied().collect::<Vec<_>>());
        let mut fewer = books.clone();
        fewer.remove(gone);
        let report = audit(&fewer, sandbox.calls());
        prop_assert!(!report.findings.is_empty() || fewer.iter().any(|entry| matches!(entry.outcome, None | Some(IntentOutcome::Unknown))), "{:?}", report);
        let signatures: BTreeSet<&str> = sandbox.trades().iter().map(|trade| trade.signature.as_str()).collect();
        prop_assert_eq!(signatures.len(), sandbox.trades().len());
        prop_assert_eq!(sandbox.state().check_books(), Ok(()));
    }
}
