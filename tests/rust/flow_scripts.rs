//! Scripts of what a caller's journal, key, hooks and transport do, drawn at random. The machine is held to a model of outcomes that
//! knows nothing of it. `tests/vectors/flow.json` has, one a line, those of them that a driver may carry out otherwise than the rest;
//! `tests/runtimes/flow.test.mjs` plays the same scripts with the TypeScript driver, `tests/rust/client/scripts.rs` with that in Rust.
//! `UPDATE=1 cargo test --locked --test rust flow_scripts::` writes the file.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::{env, fs};

use launchpad_desk::api::endpoint::Operation;
use launchpad_desk::api::validate::{Rules, validate};
use launchpad_desk::bindings::object;
use launchpad_desk::trade::Key;
use launchpad_desk::trade::flow::{Event, Flow, Head, KeySource, Lost, Machine, Step, Terms};
use launchpad_desk::trade::guard::{Guards, Settings};
use launchpad_desk::trade::plan::Planned;
use launchpad_desk::trade::reconcile::WalletBalances;
use serde_json::{Value, json};

use crate::client::{FAILED, LANDED};
use crate::rents;

const FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/vectors/flow.json");
const SCRIPTS: usize = 1_000;
const NOW: u64 = 1_800_000_000_000;
const FEE: u64 = 5_000;

/// splitmix64: the scripts are the same in every run.
pub struct Draws(pub u64);

impl Draws {
    pub fn below(&mut self, most: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (z ^ (z >> 31)) % most
    }

    /// One of these words. The first is as likely as all others together, because most of a trade goes well.
    fn word(&mut self, words: &[&'static str]) -> &'static str {
        if self.below(2) == 0 { words[0] } else { words[self.below(words.len() as u64) as usize] }
    }
}

/// What each party does. `saw`: the hook returns what the wallets hold. `hang`: it does not answer, and the caller gives up. `abort`, `halt`: it does that, and answers.
/// `late`: it answers after the result.
fn script(draws: &mut Draws) -> Value {
    let mut has = |of: u64| draws.below(of) == 0;
    let (journal, hooks, dry_run) = (has(2), has(2), has(12));
    let sends = ["200", "401", "503", "unsent", "unsent, with a code", "broken", "hang", "hang, then unsent"];
    let ask = ["ok", "fail", "hang", "abort", "halt"];
    json!({
        "journal": journal,
        "hooks": hooks,
        "dryRun": dry_run,
        "key": draws.word(&["none", "fixed", "asked"]),
        "retries": draws.below(2),
        "recall": draws.word(&["ok", "fail", "hang", "abort"]),
        "begin": draws.word(&["ok", "fail", "hang", "abort", "late"]),
        "askKey": draws.word(&ask),
        "beforeSend": draws.word(&["ok", "saw", "fail", "hang", "abort", "halt"]),
        "sends": [draws.word(&sends), draws.word(&sends)],
        "body": draws.word(&["landed", "failed", "garbage", "lost", "hang"]),
        "settle": draws.word(&["ok", "fail", "hang", "abort"]),
        "afterSettle": draws.word(&["ok", "hang", "abort"]),
    })
}

fn body(word: &str) -> Vec<u8> {
    match word {
        "landed" => LANDED.into(),
        "failed" => FAILED.into(),
        _ => "{".into(),
    }
}

/// The event that a party's answer means, if it answers at all, and whether the caller gives up before it.
fn said(step: &Step, script: &Value, sends: &mut usize) -> (Option<Event>, bool) {
    let word = |name: &str| script[name].as_str().unwrap_or_default().to_owned();
    let head = |status| Event::Answered(Head { status, ..Head::default() });
    let (word, passed, failed) = match step {
        Step::Recover => (word("recall"), Event::Recovered, Event::JournalFailed),
        Step::JournalBegin => (word("begin"), Event::Journaled, Event::JournalFailed),
        Step::JournalSettle(_) => (word("settle"), Event::Journaled, Event::JournalFailed),
        Step::AskKey => (word("askKey"), Event::Key(Key::new("key-12345678").unwrap()), Event::KeyFailed),
        Step::BeforeSend if script["beforeSend"] == "saw" => {
            let seen = WalletBalances { wallet: "W".to_owned(), tokens: Some(5), lamports: None, slot: None };
            return (Some(Event::HookSaw(vec![seen])), false);
        }
        Step::BeforeSend => (word("beforeSend"), Event::HookPassed, Event::HookFailed),
        Step::AfterSettle(_) => (word("afterSettle"), Event::HookEnded, Event::HookEnded),
        Step::Wait { .. } => return (Some(Event::Woken), false),
        Step::Read { .. } => {
            let word = word("body");
            return match word.as_str() {
                "lost" => (Some(Event::Lost(Lost::Broken(String::new()))), false),
                "hang" => (None, true),
                word => (Some(Event::Body(body(word))), false),
            };
        }
        Step::Send(_) => {
            let word = script["sends"][*sends].as_str().unwrap_or_default();
            *sends += 1;
            let unsent = Event::Lost(Lost::Unsent(String::new()));
            return match word {
                "unsent" => (Some(unsent), false),
                "unsent, with a code" => (Some(Event::Lost(Lost::Unsent("ENOTFOUND".into()))), false),
                "broken" => (Some(Event::Lost(Lost::Broken("ECONNRESET".into()))), false),
                "hang" => (None, true),
                "hang, then unsent" => (Some(unsent), true),
                status => (Some(head(status.parse().unwrap())), false),
            };
        }
        step => panic!("{step:?} is not for a driver"),
    };
    match word.as_str() {
        "fail" => (Some(failed), false),
        "hang" | "late" => (None, true),
        "abort" => (Some(passed), true),
        _ => (Some(passed), false),
    }
}

fn name(step: &Step) -> Option<String> {
    Some(match step {
        Step::Recover => "recall".to_owned(),
        Step::JournalBegin => "begin".to_owned(),
        Step::JournalSettle(settlement) => format!("settle {}", settlement.outcome.as_str()),
        Step::AskKey => "askKey".to_owned(),
        Step::BeforeSend => "beforeSend".to_owned(),
        Step::Send(_) => "send".to_owned(),
        Step::AfterSettle(settlement) => format!("afterSettle {}", settlement.outcome.as_str()),
        _ => return None,
    })
}

/// What is called, in order, and how it ends.
fn play(script: &Value) -> Value {
    let has = |name: &str| script[name] == json!(true);
    let terms = Terms {
        key: match script["key"].as_str().unwrap() {
            "none" => KeySource::None,
            "fixed" => KeySource::Fixed(Key::new("key-12345678").unwrap()),
            _ => KeySource::Asked,
        },
        has_journal: has("journal"),
        has_before_send: has("hooks"),
        has_after_settle: has("hooks"),
        dry_run: has("dryRun"),
        retry_not_sent: script["retries"].as_u64().unwrap() as u32,
        ..Terms::default()
    };
    let request = object! { "mint": "M", "fromWallet": "W", "amountInLamports": 1_000u64 };
    let buy = validate(Operation::Buy, request.root(), &Rules::default()).unwrap();
    let mut guards = Guards::new(Settings::default());
    let mut flow = Flow::new(Arc::new(terms), Planned::new(buy, "own", &Rules::default()), 60_000);
    let (mut called, mut late, mut sends) = (Vec::new(), None, 0);
    let mut is_stopped = false;
    let mut step = flow.next(&mut guards, NOW, Event::Begin);
    let result = loop {
        called.extend(name(&step));
        if let Step::Done(result) = step {
            break result;
        }
        let (event, stops) = said(&step, script, &mut sends);
        let asked = step.clone();
        let halts = |at: Step, name: &str| asked == at && script[name] == "halt";
        if halts(Step::AskKey, "askKey") || halts(Step::BeforeSend, "beforeSend") {
            guards.halt();
        }
        if stops && !is_stopped {
            is_stopped = true;
            step = flow.next(&mut guards, NOW, Event::Abort);
            if !matches!(step, Step::Cancel | Step::Hurry) {
                if asked == Step::JournalBegin && script["begin"] != "hang" {
                    late = Some(Event::Journaled);
                }
                continue;
            }
        }
        step = flow.next(&mut guards, NOW, event.unwrap_or(Event::MomentOver));
    };
    if let Some(late) = late {
        called.extend(name(&flow.next(&mut guards, NOW, late)));
    }
    let guards = guards.state(NOW);
    let ends = match &result {
        Ok(trade) => json!([trade.status.as_str(), null, null, null]),
        Err(error) => json!([error.outcome.as_str(), error.code.as_str(), error.status, error.message]),
    };
    json!({
        "called": called,
        "ends": ends,
        "guards": [guards.in_flight.len(), guards.unresolved.len(), guards.lamports_today.to_string()],
    })
}

/// How a script must end, and with how many POSTs, by the README's own words and without the machine: if anything objects
/// before the dispatch, nothing is sent; after it, only a proof or an answer gives more than `unknown`.
fn must(script: &Value) -> (&'static str, usize) {
    let is = |name: &str, words: &[&str]| words.iter().any(|word| script[name] == *word);
    let has = |name: &str| script[name] == json!(true);
    let objections = [
        has("journal") && !is("recall", &["ok"]),
        has("journal") && !is("begin", &["ok"]),
        is("key", &["asked"]) && !is("askKey", &["ok"]),
        has("hooks") && !is("beforeSend", &["ok", "saw"]),
        has("dryRun"),
    ];
    if objections.contains(&true) {
        return ("not_sent", 0);
    }
    let tries = 1 + usize::from(script["retries"] == 1);
    for n in 0..tries {
        let outcome = match script["sends"][n].as_str().unwrap() {
            "unsent" | "unsent, with a code" if n + 1 < tries => continue,
            "unsent" | "unsent, with a code" | "hang, then unsent" => "not_sent",
            "401" if is("body", &["garbage"]) => "rejected",
            "200" if is("body", &["landed"]) => "landed",
            "200" | "401" if is("body", &["failed"]) => "failed",
            _ => "unknown",
        };
        return (outcome, n + 1);
    }
    unreachable!("the last try ends it")
}

fn called_by(plays: &Value) -> Vec<&str> {
    plays["called"].as_array().unwrap().iter().map(|name| name.as_str().unwrap()).collect()
}

fn hold(script: &Value, plays: &Value) {
    let (outcome, sends) = must(script);
    assert_eq!(plays["ends"][0], outcome, "{script}");
    let called = called_by(plays);
    let count = |name: &str| called.iter().filter(|called| called.starts_with(name)).count();
    assert_eq!(count("send"), sends, "{script}");
    // A journal gets the end of everything it has begun, once; so do hooks, for every trade that was admitted or refused.
    let is_begun = count("begin") > 0 && ["ok", "abort", "late"].iter().any(|word| script["begin"] == *word);
    let ends = usize::from(is_begun);
    assert_eq!(count("settle"), ends, "{script}");
    assert_eq!(count(&["settle ", outcome].concat()), ends, "{script}");
    assert_eq!(count(&["afterSettle ", outcome].concat()), usize::from(script["hooks"] == true), "{script}");
    if let Some(sent) = called.iter().position(|called| *called == "send") {
        // A program that ends before that leaves nothing in doubt.
        let is_written = called[..sent].last() == Some(&"begin");
        assert_eq!(
            (is_written, count("begin")),
            (script["journal"] == true, usize::from(is_written)),
            "{script}"
        );
    }
    // All that it may take counts while the trade may have been made, and nothing is in flight any more. One that failed has paid its fee.
    let lamports = match outcome {
        "landed" | "unknown" => 1_000 + rents::first_buy() + FEE,
        "failed" => FEE,
        _ => 0,
    };
    let unresolved = usize::from(outcome == "unknown");
    assert_eq!(plays["guards"], json!([0, unresolved, lamports.to_string()]), "{script}");
}

/// What a driver is tried by: all that is called and how it ends, each word with that end, and each two words that are heard in one trade.
fn tried(script: &Value, plays: &Value) -> BTreeSet<String> {
    let called = called_by(plays);
    let sends = called.iter().filter(|name| **name == "send").count();
    let is_heard = |name: &str| match name {
        "recall" | "begin" | "askKey" | "beforeSend" | "settle" | "afterSettle" => {
            called.iter().any(|call| call.split(' ').next() == Some(name))
        }
        "body" => sends > 0 && script["sends"][sends - 1].as_str().unwrap().parse::<u16>().is_ok(),
        _ => true,
    };
    let word = |(name, word): (&String, &Value)| match name.as_str() {
        "sends" => format!("{:?}", &word.as_array().unwrap()[..sends]),
        name => format!("{name} {word}"),
    };
    let heard = script.as_object().unwrap().iter().filter(|(name, _)| is_heard(name));
    let words: Vec<String> = heard.map(word).collect();
    let two = |(at, one): (usize, &String)| {
        words[at + 1..].iter().map(move |other| format!("{one}, {other}")).collect::<Vec<_>>()
    };
    let ends = words.iter().map(|word| format!("{}, {word}", plays["ends"]));
    words.iter().enumerate().flat_map(two).chain(ends).chain([plays.to_string()]).collect()
}

#[test]
fn the_scripts_that_the_typescript_driver_plays_end_as_the_machine_says() {
    let mut draws = Draws(20_261_122);
    let played = |_| {
        let script = script(&mut draws);
        let plays = play(&script);
        hold(&script, &plays);
        (tried(&script, &plays), json!({ "script": script, "plays": plays }).to_string())
    };
    let mut scripts: Vec<(BTreeSet<String>, String)> = (0..SCRIPTS).map(played).collect();
    // From each end, one that tries nothing that those before it have not tried is left out.
    for _ in 0..2 {
        let mut seen = BTreeSet::new();
        scripts.reverse();
        scripts.retain(|(tried, _)| tried.iter().filter(|what| seen.insert((*what).clone())).count() > 0);
    }
    let lines: Vec<String> = scripts.into_iter().map(|(_, line)| line).collect();
    assert!(lines.len() >= 200, "{}", lines.len());
    let text = format!("[\n{}\n]\n", lines.join(",\n"));
    if env::var_os("UPDATE").is_some() {
        fs::write(FILE, &text).unwrap();
    }
    let is_current = fs::read_to_string(FILE).is_ok_and(|file| file == text);
    assert!(is_current, "tests/vectors/flow.json is out of date");
    for end in ["landed", "not_sent", "rejected", "failed", "unknown"] {
        assert!(text.contains(&format!("\"ends\":[\"{end}\"")), "no script ends as {end}");
    }
}
