//! Records: untouched ones pass, and each change is found, with its line.

use crate::sandbox::curve_of;
use crate::{rents, seeded};

use launchpad_desk::api::endpoint::{Operation, Reply};
use launchpad_desk::api::validate::{Rules, validate};
use launchpad_desk::bindings::object;
use launchpad_desk::intent::{IntentOutcome, Settlement};
use launchpad_desk::launchpad::settings::LaunchpadConfig;
use launchpad_desk::tape::{Tape, ToTape, json};
use launchpad_desk::trade::guard::{Guards, Settings};
use launchpad_desk::trade::plan::{Destination, Plan, PlanPrice, Planned};
use launchpad_desk::trade::{Asked, Dialect, classify};
use launchpad_desk_record::line::next;
use launchpad_desk_record::{Act, Entry, Head, RecordPrice, RecordSeed, Recorder, Report, Verifier};
use launchpad_desk_sandbox::{HttpRequest, Sandbox, SandboxConfig};
use proptest::prelude::*;

const NOW: u64 = 1_767_225_600_000;
const KEY: &str = "sk-canary-0123456789";
const BASE: &str = "https://sandbox.example";

/// A desk in a sandbox, which records what it does.
struct Desk {
    sandbox: Sandbox,
    recorder: Recorder,
    log: String,
    now_ms: u64,
    base: String,
}

impl Desk {
    /// A desk that has not begun.
    fn of(config: SandboxConfig, base: &str) -> Desk {
        let mut recorder = Recorder::new(None, "desk");
        recorder.keep_out(KEY);
        let sandbox = Sandbox::new(config).unwrap();
        Desk { sandbox, recorder, log: String::new(), now_ms: NOW, base: base.to_owned() }
    }

    fn new() -> Desk {
        let mut desk = Desk::of(SandboxConfig::default(), BASE);
        desk.add(
            Act::Start,
            "",
            &object! { "gateway": false, "limits": object! { "maxLamportsPerTrade": 9_000_000_000u64, "maxImpactBps": 500u32 } },
        );
        desk
    }

    fn add(&mut self, act: Act, intent: &str, data: &Tape) {
        self.now_ms += 1;
        self.log += &self.recorder.add(self.now_ms, act, intent, "", data);
    }

    fn market(&self) -> Tape {
        let tokens = self.sandbox.tokens().into_iter().map(|token| {
            let curve = curve_of(&token);
            object! {
                "mint": token.mint, "symbol": token.symbol, "name": token.name, "supply": token.supply, "hasCreator": token.has_creator, "complete": token.complete,
                "curve": curve,
            }
        });
        let wallets = self.sandbox.wallets().into_iter().map(|wallet| {
            let holdings = wallet.token_accounts.iter().map(|account| {
                object! { "mint": account.mint, "tokens": account.tokens, "lamports": account.lamports }
            });
            object! { "wallet": wallet.wallet, "label": wallet.label, "lamports": wallet.lamports, "holdings": holdings.collect::<Vec<_>>() }
        });
        object! {
            "launchpad": LaunchpadConfig::of(self.sandbox.rules()),
            "tokens": tokens.collect::<Vec<_>>(), "wallets": wallets.collect::<Vec<_>>(),
        }
    }

    fn plan(&mut self, intent: &str, operation: Operation, request: &Tape) -> Plan {
        let rules = Rules::default();
        let valid = validate(operation, request.root(), &rules).unwrap();
        let quote = self.sandbox.quote(operation, request.root()).unwrap();
        let to = Destination { base_url: self.base.clone(), is_simulated: true };
        let planned = Planned::new(valid, intent, &rules);
        let planned = planned.priced(PlanPrice::of(&quote.view(6)));
        let plan = planned.plan(&Guards::new(Settings::default()), &to, self.now_ms, 60_000);
        let market = self.market();
        self.now_ms += 1;
        self.log += &self.recorder.plan(self.now_ms, plan.to_tape().root(), Some(market.root()));
        plan
    }

    /// A buy of the first token by the first wallet.
    fn buy(&self) -> Tape {
        let (mint, wallet) = (&self.sandbox.tokens()[0].mint, &self.sandbox.wallets()[0].wallet);
        object! { "mint": mint, "fromWallet": wallet, "amountInLamports": 5_000_000u64 }
    }

    /// Records that a plan is sent, and what it counts for.
    fn begin(&mut self, plan: &Plan, counted: Option<Tape>) {
        let Plan { intent_id, operation, body, .. } = plan;
        let begun = object! {
            "intentId": intent_id, "operation": operation, "startedAtMs": self.now_ms, "body": body, "counted": counted,
        };
        self.add(Act::Begin, intent_id, &begun);
        self.add(Act::Send, intent_id, &object! { "url": plan.url, "body": body });
    }

    /// Sends a plan to the sandbox, and records that.
    fn send(&mut self, plan: &Plan) {
        self.send_and_hear(plan, |reply| reply);
    }

    /// The same, with another reply than the sandbox's.
    fn send_and_hear(&mut self, plan: &Plan, changed: impl FnOnce(Reply) -> Reply) {
        let Plan { intent_id, operation, body, .. } = plan;
        self.begin(plan, None);
        let answer = self.sandbox.handle(&HttpRequest {
            method: "POST",
            path: operation.path(),
            headers: &[("content-type".to_owned(), "application/json".to_owned())],
            body: body.as_bytes(),
            now_ms: self.now_ms,
        });
        let reply = changed(answer.reply);
        let request =
            validate(*operation, json::parse(body.as_bytes()).unwrap().root(), &Rules::default()).unwrap();
        let result = classify(Asked::from(&*request), &reply, &Dialect::default(), self.now_ms);
        self.now_ms += 1;
        self.log += &self.recorder.answer(
            self.now_ms,
            intent_id,
            reply.status,
            &reply.headers,
            Some(reply.body.clone()),
        );
        self.add(Act::Settle, intent_id, &Settlement::of(&result, Some(reply.status)).to_tape());
    }

    fn trade(&mut self, number: u64) -> Plan {
        let (operation, field, amount) = match number % 3 {
            2 => (Operation::SellByPercentage, "percentage", 50),
            _ => (Operation::Buy, "amountInLamports", 1_000_000 + number * 1_000),
        };
        let (mint, wallet) = (&self.sandbox.tokens()[0].mint, &self.sandbox.wallets()[0].wallet);
        let request = [("mint", mint.to_tape()), ("fromWallet", wallet.to_tape()), (field, amount.to_tape())];
        let plan = self.plan(&format!("trade-{number}"), operation, &Tape::object(&request));
        self.send(&plan);
        plan
    }

    fn head(&self) -> Head {
        self.recorder.head().unwrap().clone()
    }
}

fn verified(log: &str, head: Option<&Head>) -> (Report, Verifier) {
    let mut verifier = Verifier::default();
    // In pieces that end anywhere.
    log.as_bytes().chunks(777).for_each(|piece| verifier.add_bytes(piece));
    let report = verifier.end(head);
    (report, verifier)
}

fn codes(verifier: &mut Verifier) -> Vec<&'static str> {
    verifier.take_problems().into_iter().map(|problem| problem.code.as_str()).collect()
}

/// How a trade ended, as a line has it.
fn ended(outcome: &str, code: Option<&str>, signature: Option<&str>, proven: bool) -> Tape {
    let status = Option::<u32>::None;
    object! { "outcome": outcome, "code": code, "status": status, "signature": signature, "proven": proven }
}

fn problems(log: &str, head: Option<&Head>) -> Vec<String> {
    let (_, mut verifier) = verified(log, head);
    verifier.take_problems().into_iter().map(|problem| problem.message).collect()
}

fn recorded(trades: u64) -> Desk {
    let mut desk = Desk::new();
    (0..trades).for_each(|number| {
        desk.trade(number);
    });
    desk
}

/// These lines, chained anew: as somebody would who holds record and head.
fn chained(entries: impl IntoIterator<Item = Entry>) -> (String, Head) {
    let (mut text, mut head) = (String::new(), None);
    for entry in entries {
        let (_, line, new) = next(head.as_ref(), entry);
        text += &line;
        text.push('\n');
        head = Some(new);
    }
    (text, head.unwrap())
}

fn entries_of(log: &str) -> Vec<Entry> {
    log.lines().map(|line| Entry::of(line).unwrap()).collect()
}

#[test]
fn an_untouched_record_passes_and_says_what_became_of_each_trade() {
    let desk = recorded(6);
    let (report, mut verifier) = verified(&desk.log, Some(&desk.head()));
    assert_eq!(verifier.take_problems(), []);
    assert_eq!((report.lines.0, report.trades.0, report.problems.0), (1 + 6 * 6, 6, 0));
    assert_eq!(report.head, Some(desk.head()));
    let checks = verifier.take_checks();
    assert!(checks.iter().all(|check| check.planned && check.sent && !check.acknowledged));
    let prices: Vec<RecordPrice> = checks.iter().map(|check| check.price).collect();
    use RecordPrice::{Exact, Unknown};
    // No reply says what a sell brought.
    assert_eq!(prices, [Exact, Exact, Unknown, Exact, Exact, Unknown]);
}

#[test]
fn of_changed_lines_in_a_row_none_is_named_twice() {
    let desk = recorded(3);
    let head = desk.head();
    let lines: Vec<&str> = desk.log.lines().collect();
    for row in 2..5 {
        for at in 0..=lines.len() - row {
            let mut changed: Vec<String> = lines.iter().map(|line| (*line).to_owned()).collect();
            for line in &mut changed[at..at + row] {
                *line = line.replacen("desk", "disk", 1);
            }
            let named = problems(&(changed.join("\n") + "\n"), Some(&head));
            // By the first of them alone nobody can tell whether it or the line after it was changed.
            let due: Vec<_> = (at + 2..=at + row).map(|line| format!("line {line} was changed")).collect();
            assert_eq!(named, due);
        }
    }
}

#[test]
fn a_byte_that_is_no_text_is_not_read_as_the_character_that_stands_for_one() {
    let (log, head) = chained([Entry { act: "exit".into(), by: "\u{fffd}".into(), ..Entry::default() }]);
    let (before, after) = log.split_once('\u{fffd}').unwrap();
    let mut verifier = Verifier::default();
    verifier.add_bytes(&[before.as_bytes(), b"\xff", after.as_bytes()].concat());
    verifier.end(Some(&head));
    assert_eq!(codes(&mut verifier), ["changed"]);
}

#[test]
fn a_cut_tail_is_found_by_the_head() {
    let desk = recorded(2);
    let head = desk.head();
    let lines: Vec<&str> = desk.log.lines().collect();
    for kept in 1..lines.len() {
        let text = lines[..kept].join("\n") + "\n";
        let last = lines.len() - 1;
        let what = format!("line {}: the entries after {}, to {last}, are missing", kept + 1, kept - 1);
        assert_eq!(problems(&text, Some(&head)).last(), Some(&what));
    }
    assert_eq!(problems("", Some(&head)), ["line 1: all entries to 12 are missing"]);
}

#[test]
fn a_key_is_in_no_line_however_it_is_echoed() {
    let mut desk = Desk::new();
    let plan = desk.plan("t", Operation::Buy, &desk.buy());
    desk.begin(&plan, None);
    let echo = format!(r#"{{"message":"bad key {KEY}, or \u0073k-canary-0123456789"}}"#);
    desk.log += &desk.recorder.answer(
        desk.now_ms,
        "t",
        401,
        &[("retry-after".into(), KEY.into())],
        Some(echo.into_bytes()),
    );
    desk.add(Act::Lost, "u", &object! { "unsent": false, "why": KEY });
    desk.add(Act::Exit, "t", &Tape::object(&[(KEY, 1u32)]));
    assert!(!desk.log.contains(KEY) && !desk.log.contains("k-canary-0123456789"), "{}", desk.log);
    assert!(desk.log.contains("[redacted]"));
    assert_eq!(problems(&desk.log, Some(&desk.head())), Vec::<String>::new());
}

#[test]
fn what_is_secret_in_headers_is_kept_out_and_nothing_else_is_lost() {
    let header = |name: &str, value: &str| (name.to_owned(), value.to_owned());
    let log = |headers: &[(String, String)]| {
        let mut desk = Desk::new();
        desk.recorder.keep_headers_out(headers, "X-Key");
        let request = desk.buy();
        for intent in ["bot-17", "bot-18"] {
            let plan = desk.plan(intent, Operation::Buy, &request);
            desk.send(&plan);
        }
        let echo = object! { "said": "k1 abc pass 12345678, long-enough, bot", "number": 712_345_678u64, "12345678": true, "k1": 1u32 };
        desk.add(Act::Exit, "", &echo);
        (desk.log.clone(), desk.head())
    };
    // Not a secret, or too short to be told from ordinary text.
    let short = [
        ("x-version", "1"),
        ("x-by", "my bot"),
        ("x-quote", "\""),
        ("x-scheme", "Bearer bot"),
        ("user-agent", "long-enough"),
        ("Idempotency-Key", "12345678"),
    ];
    let (own, head) = log(&short.map(|(name, value)| header(name, value)));
    assert!(!own.contains("[redacted]"));
    assert_eq!(problems(&own, Some(&head)), Vec::<String>::new());
    // The key and what authorizes, at any length; other secrets from 8 characters on, with and without their scheme.
    let secrets = [
        ("x-key", "k1"),
        ("Authorization", "Odd abc"),
        ("proxy-authorization", "pass"),
        ("x-token", "Bearer 12345678"),
        ("x-other", "long-enough"),
    ];
    let (own, _) = log(&secrets.map(|(name, value)| header(name, value)));
    let last = own.lines().last().unwrap();
    let due = r#""data":{"said":"[redacted] [redacted] [redacted] [redacted], [redacted], bot","number":"7[redacted]","[redacted] 3":true,"[redacted] 4":1}"#;
    assert!(last.contains(due), "{last}");

    // A secret that is found everywhere takes no line's content.
    let (own, _) = log(&[header("authorization", "\""), header("x-key", "1")]);
    let entries = own.lines().skip(1).map(|line| Entry::of(line).unwrap());
    assert!(entries.clone().all(|entry| entry.data.is_some_and(|data| data.root().is_object())));
    assert!(
        entries
            .clone()
            .any(|entry| entry.act == "plan" && json::write(&entry.data.unwrap()).contains("[redacted]"))
    );
}

fn data_changed(entry: &mut Entry, from: &str, to: &str) {
    let text = json::write(&entry.data.clone().unwrap());
    assert!(text.contains(from), "{text}");
    entry.data = Some(json::parse(text.replacen(from, to, 1).as_bytes()).unwrap());
}

/// What a record says that was written anew, with this change of the line of this act.
fn told(act: Act, from: &str, to: &str) -> Vec<String> {
    let mut entries = entries_of(&recorded(1).log);
    for entry in entries.iter_mut().filter(|entry| entry.act == act.as_str()) {
        data_changed(entry, from, to);
    }
    let (log, head) = chained(entries);
    problems(&log, Some(&head))
}

#[test]
fn a_record_that_contradicts_itself_is_found_without_the_chain() {
    let limits = "line 3: the limits would have refused it: amountInLamports spends up to 1000000 lamports; over \
                  maxLamportsPerTrade (5000)";
    let receipt = "line 7: the receipt is not the one that plan and answer give";
    let price = "line 2: the price is not the one that the rules give in the plan's market";
    let no_answer = "line 6: no answer in the record says so";
    for (act, from, to, why) in [
        (Act::Plan, "1000000", "2000000", "line 2: the plan is not as it was made"),
        (Act::Begin, "1000000", "2000000", "line 3: it has another body than its plan"),
        (Act::Send, "1000000", "2000000", "line 4: other bytes were sent than begun"),
        (Act::Send, "/buy", "/sell", "line 4: it was sent to another operation"),
        (Act::Answer, r#"\"success\":true"#, r#"\"success\":false"#, no_answer),
        (Act::Settle, "\"landed\"", "\"rejected\"", no_answer),
        (Act::Receipt, "\"tokens\":\"", "\"tokens\":\"9", receipt),
        (Act::Start, "9000000000", "5000", limits),
        (Act::Plan, r#""curve":{"virtualTokenReserves":"1"#, r#""curve":{"virtualTokenReserves":"2"#, price),
    ] {
        assert_eq!(told(act, from, to)[0], why);
    }
}

#[test]
fn sending_twice_late_or_unapproved_is_found() {
    let mut desk = Desk::new();
    let request = desk.buy();
    let plan = desk.plan("once", Operation::Buy, &request);
    desk.send(&plan);
    desk.send(&plan);
    let late = desk.plan("late", Operation::Buy, &request);
    desk.now_ms += 60_000;
    desk.send(&late);
    let asked = desk.plan("asked", Operation::Buy, &request);
    desk.add(Act::Ask, "asked", &object! { "checksum": asked.checksum });
    desk.send(&asked);
    let other = desk.plan("other", Operation::Buy, &request);
    desk.add(Act::Approve, "other", &object! { "checksum": asked.checksum });
    desk.send(&other);
    let fine = desk.plan("fine", Operation::Buy, &request);
    desk.add(Act::Ask, "fine", &object! { "checksum": fine.checksum });
    desk.add(Act::Approve, "fine", &object! { "checksum": fine.checksum });
    desk.send(&fine);
    let (_, mut verifier) = verified(&desk.log, Some(&desk.head()));
    let found = verifier
        .take_problems()
        .into_iter()
        .map(|problem| (problem.intent_id.unwrap(), problem.code.as_str()));
    assert_eq!(
        found.collect::<Vec<_>>(),
        [
            ("once".to_owned(), "sent_twice"),
            ("late".to_owned(), "sent_late"),
            ("asked".to_owned(), "not_approved"),
            ("other".to_owned(), "not_as_approved"),
        ]
    );
    let approved: Vec<bool> = verifier.take_checks().into_iter().map(|check| check.approved).collect();
    assert_eq!(approved.last(), Some(&true));
}

#[test]
fn a_trade_that_landed_is_not_sent_again_unseen_without_its_receipt() {
    let mut desk = Desk::new();
    let plan = desk.trade(0);
    // A kill in the middle of a write may have torn the receipt, which is then cut off: another program goes on.
    desk.add(Act::Start, "", &object! { "gateway": false });
    desk.send(&plan);
    let receipt = format!("\"act\":\"{}\"", Act::Receipt.as_str());
    let without: String = desk.log.split_inclusive('\n').filter(|line| !line.contains(&receipt)).collect();
    assert!(without.len() < desk.log.len());
    let (log, head) = chained(entries_of(&without));
    assert_eq!(problems(&log, Some(&head))[0], "line 8: this trade had landed before");
}

/// Whoever writes a record counts its own lines, and whoever verifies it counts all of them.
#[test]
fn an_end_has_its_receipt_whichever_line_it_is_in() {
    for (begins_anew, first) in (1_014..1_024).flat_map(|first| [(false, first), (true, first)]) {
        let mut desk = Desk::new();
        while desk.head().number < first {
            desk.add(Act::Exit, "x", &object! { "rungs": 0u32 });
        }
        if begins_anew {
            desk.recorder = Recorder::new(Some(desk.head()), "desk");
        }
        let plan = desk.plan("trade", Operation::Buy, &desk.buy());
        // A client that learns what the wallets hold begins it again with that.
        let begun = object! { "intentId": "trade", "operation": Operation::Buy, "startedAtMs": desk.now_ms, "body": plan.body };
        desk.add(Act::Begin, "trade", &begun);
        desk.add(Act::Settle, "trade", &ended("not_sent", None, None, false));
        desk.send(&plan);
        let acts: Vec<String> =
            desk.log.lines().rev().take(2).map(|line| Entry::of(line).unwrap().act).collect();
        assert_eq!(acts, ["receipt", "settle"]);
        let (report, mut verifier) = verified(&desk.log, Some(&desk.head()));
        assert_eq!((codes(&mut verifier), report.trades.0), (vec![], 1), "from line {first}");
    }
}

#[test]
fn settings_that_no_client_can_have_count_only_if_something_is_traded_with_them() {
    let bad = object! { "gateway": false, "limits": object! { "maxSlippage": object! { "percent": "-5" } } };
    let mut desk = Desk::new();
    desk.add(Act::Start, "", &bad);
    desk.add(Act::Start, "", &object! { "gateway": false });
    desk.trade(0);
    assert_eq!(problems(&desk.log, Some(&desk.head())), [""; 0]);
    desk.add(Act::Start, "", &bad);
    desk.trade(1);
    assert_eq!(problems(&desk.log, Some(&desk.head())), ["line 10: its settings cannot be read"]);
}

#[test]
fn an_unknown_trade_is_settled_by_evidence_only() {
    let settled_of = |counted: Option<Tape>, evidence: Option<Tape>| {
        let mut desk = Desk::new();
        let plan = desk.plan("t", Operation::Buy, &desk.buy());
        desk.begin(&plan, counted);
        desk.add(Act::Lost, "t", &object! { "unsent": false });
        desk.add(Act::Settle, "t", &ended("unknown", Some("network_error"), None, false));
        // Another plan of it is not what was sent.
        let (mint, wallet) = (&desk.sandbox.tokens()[0].mint, &desk.sandbox.wallets()[0].wallet);
        let other = object! { "mint": mint, "fromWallet": wallet, "amountInLamports": 9_000_000u64 };
        desk.plan("t", Operation::Buy, &other);
        if let Some(evidence) = evidence {
            // Somebody found the outcome, and then the chain says by how much lamports moved.
            let root = evidence.root();
            let by_hand = object! { "outcome": root.get("outcome"), "signature": root.get("signature") };
            desk.add(Act::Evidence, "t", &by_hand);
            desk.add(Act::Evidence, "t", &evidence);
            let before = desk.log.len();
            desk.add(Act::Evidence, "t", &evidence);
            assert_eq!(desk.log.len(), before, "what is known is no line");
        }
        desk.add(Act::Settle, "t", &ended("landed", None, Some("S"), true));
        let (_, mut verifier) = verified(&desk.log, Some(&desk.head()));
        (codes(&mut verifier), verifier.take_checks().remove(0).price)
    };
    let settled = |evidence| settled_of(None, evidence);
    let evidence = |signature: &str, moved: i64| {
        let moved = moved.to_string();
        let findings =
            vec![object! { "wallet": "SimTraderAda1111111111111111111111111111111", "lamportsMoved": moved }];
        Some(
            object! { "outcome": "landed", "signature": signature, "reconciled": object! { "findings": findings } },
        )
    };
    // The amount, the rent of its account and the network's fee.
    let spent = 5_000_000 + rents::token_account() as i64 + 5_000;
    assert_eq!(settled(None), (vec!["unproven"], RecordPrice::Unknown));
    assert_eq!(settled(evidence("other", -spent)), (vec!["unproven"], RecordPrice::Exact));
    assert_eq!(settled(evidence("S", -spent)), (vec![], RecordPrice::Exact));
    assert_eq!(settled(evidence("S", 1 - spent)), (vec![], RecordPrice::Within));
    assert_eq!(settled(evidence("S", -1 - spent)), (vec!["past_bound"], RecordPrice::Past));
    let counted = |lamports: &str| Some(object! { "lamports": lamports, "fees": "5000" });
    let exact = || evidence("S", -spent);
    assert_eq!(settled_of(counted(&spent.to_string()), exact()), (vec![], RecordPrice::Exact));
    assert_eq!(
        settled_of(counted(&(spent - 1).to_string()), exact()),
        (vec!["over_amount"], RecordPrice::Exact)
    );
}

#[test]
fn a_closed_trade_is_corrected_by_evidence_only_and_the_chain_does_not_contradict_itself() {
    /// The problems of a record of a landed trade with these lines after it, and the last word on it.
    fn after(lines: &[(Act, &str, Option<&str>)]) -> (Vec<&'static str>, Option<IntentOutcome>) {
        let mut desk = recorded(3);
        for (act, outcome, signature) in lines {
            desk.add(*act, "trade-0", &ended(outcome, None, *signature, *act == Act::Settle));
        }
        let (_, mut verifier) = verified(&desk.log, Some(&desk.head()));
        let found = codes(&mut verifier);
        let checks = verifier.take_checks();
        let last = checks.iter().rfind(|check| check.intent_id == "trade-0").unwrap();
        (found, last.outcome)
    }
    use Act::{Evidence, Settle};
    use IntentOutcome::{DidNotLand, Failed};
    let never = [(Evidence, "did_not_land", None), (Settle, "did_not_land", None)];
    let failed = [(Evidence, "failed", Some("S")), (Settle, "failed", Some("S"))];
    assert_eq!(after(&never), (vec![], Some(DidNotLand)));
    assert_eq!(after(&failed), (vec![], Some(Failed)));
    assert_eq!(after(&never[1..]).0, ["unproven"]);
    assert_eq!(after(&[failed[0], (Settle, "failed", Some("T"))]).0, ["unproven"]);
    assert_eq!(after(&[never[0], failed[1]]).0, ["unproven"]);
    let landed = [(Evidence, "landed", Some("S")), (Settle, "landed", Some("S"))];
    assert_eq!(after(&[failed, landed].concat()).0, ["ended_twice"]);
    assert_eq!(after(&[landed, never].concat()).0, ["ended_twice"]);
}

#[test]
fn a_sandbox_begins_where_a_record_was_planned() {
    let desk = recorded(4);
    let seed = |at: Option<&str>| {
        let mut seed = at.map_or_else(RecordSeed::default, RecordSeed::at);
        desk.log.as_bytes().chunks(777).for_each(|piece| seed.add(piece));
        seed.end()
    };
    let sandbox = |settings: Tape| Sandbox::new(SandboxConfig::read(settings.root()).unwrap()).unwrap();
    let (mint, wallet) = (desk.sandbox.tokens()[0].mint.clone(), desk.sandbox.wallets()[0].wallet.clone());
    let held = |sandbox: &Sandbox| {
        let held = sandbox.wallets().into_iter().find(|one| one.wallet == wallet).unwrap();
        (held.lamports, held.token_accounts.iter().find(|one| one.mint == mint).map(|one| one.tokens))
    };
    let first = sandbox(seed(Some("trade-0")).unwrap());
    assert_eq!(held(&first), held(&Sandbox::new(SandboxConfig::default()).unwrap()));
    // The last plan was made before the last trade.
    let before_last = recorded(3);
    assert_eq!(held(&sandbox(seed(None).unwrap())), held(&before_last.sandbox));
    assert_eq!(seed(Some("trade-9")), None);
    assert_eq!(RecordSeed::default().end(), None);
    // A line is read as JSON, however it is written.
    let mut spaced = RecordSeed::default();
    spaced.add(desk.log.replace("\"act\":", "\"act\": ").as_bytes());
    assert_eq!(spaced.end(), seed(None));
}

#[test]
fn the_trades_of_a_record_are_a_tape() {
    let desk = recorded(6);
    let mut verifier = Verifier::with_tape();
    desk.log.as_bytes().chunks(777).for_each(|piece| verifier.add_bytes(piece));
    verifier.end(Some(&desk.head()));
    let tape = verifier.into_tape();
    assert_eq!((tape.trades.len(), tape.left_out), (6, 0));
    assert!(tape.trades.is_sorted_by_key(|trade| trade.at_ms));
    // In a sandbox of its own, a market that makes these trades again ends where the desk did.
    let replay = object! { "market": object! { "replay": tape.trades.to_tape() } };
    let mut sandbox = Sandbox::new(SandboxConfig::read(replay.root()).unwrap()).unwrap();
    let changes = sandbox.advance(NOW + 3_600_000).unwrap();
    sandbox.take(&changes);
    let reserves = |sandbox: &Sandbox| sandbox.tokens()[0].virtual_sol_reserves;
    assert_eq!(reserves(&sandbox), reserves(&desk.sandbox));
    assert_eq!(Verifier::default().into_tape().trades, []);
}

#[test]
fn who_asks_a_sandbox_for_an_outcome_pays_the_network_fee() {
    let mut desk = Desk::new();
    let (mint, wallet) = (desk.sandbox.tokens()[0].mint.clone(), desk.sandbox.wallets()[0].wallet.clone());
    let before = desk.sandbox.wallets()[0].lamports;
    let request = object! { "mint": mint, "fromWallet": wallet, "amountInLamports": 5_000_000u64, "feePayer": "sandbox-outcome-landed" };
    let plan = desk.plan("t", Operation::Buy, &request);
    desk.send(&plan);
    let paid = before - desk.sandbox.wallets()[0].lamports;
    let receipt = desk.log.lines().last().unwrap();
    assert!(receipt.contains(&format!(r#""netLamports":"-{paid}""#)), "{paid}: {receipt}");
}

proptest! {
    #![proptest_config(seeded::cases(100))]

    /// One byte, line or place is changed: the line is named.
    #[test]
    fn each_change_is_found_with_its_line(trades in 1u64..4, kind in 0u8..5, place in any::<prop::sample::Index>(), other in any::<prop::sample::Index>(), byte in any::<u8>()) {
        let desk = recorded(trades);
        let head = desk.head();
        let lines: Vec<&str> = desk.log.lines().collect();
        let at = place.index(lines.len());
        let mut changed: Vec<Vec<u8>> = lines.iter().map(|line| line.as_bytes().to_vec()).collect();
        match kind {
            0 => {
                let column = other.index(changed[at].len());
                if changed[at][column] == byte {
                    return Ok(());
                }
                changed[at][column] = byte;
            }
            1 => {
                changed.remove(at);
            }
            2 => {
                let twice = changed[at].clone();
                changed.insert(at, twice);
            }
            3 if at + 1 < changed.len() => changed.swap(at, at + 1),
            _ => {
                let from = other.index(changed.len());
                let moved = changed.remove(from);
                if from == at {
                    return Ok(());
                }
                changed.insert(at.min(changed.len()), moved);
            }
        }
        let mut text: Vec<u8> = changed.join(&b'\n');
        text.push(b'\n');
        let mut verifier = Verifier::default();
        verifier.add_bytes(&text);
        let report = verifier.end(Some(&head));
        let found = verifier.take_problems();
        prop_assert!(report.problems.0 > 0);
        let first = u64::try_from(found.iter().map(|problem| problem.line.0 as i64).min().unwrap()).unwrap();
        let line = at as u64 + 1;
        match kind {
            3 if at + 1 == lines.len() => prop_assert!(first <= line + 1, "{:?}", found),
            0 | 1 | 3 => prop_assert_eq!(first, line, "{:?}", found),
            2 => prop_assert_eq!(first, line + 1, "{:?}", found),
            _ => prop_assert!(first <= line + 1, "{:?}", found),
        }
        prop_assert!(verified(&desk.log, Some(&head)).0.problems.0 == 0);
    }
}

/// Trades of every kind, as a desk writes them: landed, failed, refused, lost and found, proven unsent, sent again, stopped, approved.
fn every_kind() -> Desk {
    let mut desk = Desk::new();
    for number in 0..3 {
        desk.trade(number);
    }
    let request = desk.buy();
    let plan = desk.plan("refused", Operation::Buy, &request);
    let refused = |reply: Reply| Reply { status: 422, body: br#"{"message":"no"}"#.to_vec(), ..reply };
    desk.send_and_hear(&plan, refused);
    let plan = desk.plan("asked", Operation::Buy, &request);
    desk.add(Act::Ask, "asked", &object! { "checksum": plan.checksum });
    desk.add(Act::Approve, "asked", &object! { "checksum": plan.checksum });
    desk.send(&plan);
    let lost = |desk: &mut Desk, id: &str, unsent: bool| {
        let plan = desk.plan(id, Operation::Buy, &request);
        desk.begin(&plan, None);
        desk.add(Act::Lost, id, &object! { "unsent": unsent });
        plan
    };
    lost(&mut desk, "found", false);
    desk.add(Act::Settle, "found", &ended("unknown", Some("network_error"), None, false));
    desk.add(Act::Evidence, "found", &object! { "outcome": "landed", "signature": "S" });
    desk.add(Act::Settle, "found", &ended("landed", None, Some("S"), true));
    lost(&mut desk, "unsent", true);
    desk.add(Act::Settle, "unsent", &ended("not_sent", Some("connect_failed"), None, false));
    let plan = lost(&mut desk, "again", true);
    desk.add(Act::Send, "again", &object! { "url": plan.url, "body": plan.body });
    desk.add(Act::Lost, "again", &object! { "unsent": false });
    desk.add(Act::Settle, "again", &ended("unknown", Some("network_error"), None, false));
    desk.add(Act::Settle, "again", &ended("did_not_land", None, None, false));
    desk
}

/// The codes of a record that somebody wrote anew, who holds its head.
fn codes_of(entries: Vec<Entry>) -> Vec<&'static str> {
    let (log, head) = chained(entries);
    let (_, mut verifier) = verified(&log, Some(&head));
    codes(&mut verifier)
}

/// The place of a trade's line of this act.
fn place_of(entries: &[Entry], act: Act, intent: &str) -> usize {
    entries.iter().position(|entry| entry.act == act.as_str() && entry.intent == intent).unwrap()
}

#[test]
fn what_contradicts_itself_is_refused_however_it_is_chained() {
    let desk = every_kind();
    let entries = entries_of(&desk.log);
    assert_eq!(codes_of(entries.clone()), [""; 0]);
    let with = |act, intent, change: &dyn Fn(&mut Vec<Entry>, usize)| {
        let mut entries = entries.clone();
        let at = place_of(&entries, act, intent);
        change(&mut entries, at);
        codes_of(entries)
    };
    let without = |act, intent| with(act, intent, &|entries, at| drop(entries.remove(at)));
    // A client asks for the price of a trade without a plan itself.
    assert_eq!(without(Act::Plan, "refused"), [""; 0]);
    assert_eq!(without(Act::Send, "trade-0"), ["never_sent", "never_sent"]);
    assert_eq!(without(Act::Receipt, "trade-0"), ["receipt_missing"]);
    assert_eq!(without(Act::Receipt, "asked"), ["receipt_missing"]);
    assert_eq!(without(Act::Lost, "found"), ["answer_differs"]);
    assert_eq!(without(Act::Evidence, "found"), ["unproven"]);
    let twice = |act, intent| with(act, intent, &|entries, at| entries.insert(at, entries[at].clone()));
    assert_eq!(twice(Act::Begin, "trade-0"), ["ended_twice"]);
    assert_eq!(twice(Act::Settle, "unsent"), ["ended_twice"]);
    assert_eq!(twice(Act::Settle, "found"), ["ended_twice"]);
    assert_eq!(twice(Act::Answer, "trade-0"), ["never_sent"]);
    let late = with(Act::Plan, "trade-0", &|entries, at| {
        let sent = place_of(entries, Act::Send, "trade-0");
        entries[at].at_ms = entries[sent].at_ms;
        entries[at..=sent].rotate_left(1);
    });
    assert_eq!(late, ["receipt_differs", "out_of_order"]);
    let changed = |act, intent, from: &str, to: &str| {
        with(act, intent, &|entries, at| data_changed(&mut entries[at], from, to))
    };
    assert_eq!(changed(Act::Answer, "trade-0", ",\"x-simulated\":\"true\"", ""), ["mode_differs"]);
    assert_eq!(changed(Act::Lost, "found", "false", "true"), ["answer_differs", "answer_differs"]);
    assert_eq!(changed(Act::Settle, "trade-0", "\"status\":200", "\"status\":null"), ["answer_differs"]);
    let checksum = ("\"checksum\":\"", "\"checksum\":\"0");
    assert_eq!(changed(Act::Ask, "asked", checksum.0, checksum.1), ["not_as_approved"]);
    let unapproved =
        with(Act::Plan, "asked", &|entries, at| drop((entries.remove(at + 2), entries.remove(at))));
    assert_eq!(unapproved[0], "not_approved");
    let other = with(Act::Plan, "asked", &|entries, at| {
        data_changed(&mut entries[at + 2], checksum.0, checksum.1);
        entries.remove(at);
    });
    assert_eq!(other[0], "not_as_approved");
}

#[test]
fn a_clock_that_is_set_back_is_in_the_record() {
    let mut desk = Desk::new();
    desk.trade(0);
    desk.now_ms -= 3_600_000;
    desk.trade(1);
    let clock: Vec<Entry> = entries_of(&desk.log).into_iter().filter(|entry| entry.act == "clock").collect();
    assert_eq!(json::write(clock[0].data.as_ref().unwrap()), "{\"backMs\":3599999}");
    assert_eq!(problems(&desk.log, Some(&desk.head())), [""; 0]);
    let without: Vec<Entry> =
        entries_of(&desk.log).into_iter().filter(|entry| entry.act != "clock").collect();
    assert_eq!(codes_of(without)[0], "out_of_order");
}

proptest! {
    #![proptest_config(seeded::cases(200))]

    /// One line about a trade is removed, moved or doubled, or a value of it is another, and the record is chained anew: it is refused.
    /// Only what a record may have in another way, too, is not: who is asked for a plan, how often, and the last word of a trade.
    #[test]
    fn whoever_holds_the_head_cannot_hide_a_changed_trade(kind in 0u8..4, place in any::<prop::sample::Index>(), other in any::<prop::sample::Index>()) {
        let desk = every_kind();
        let before = entries_of(&desk.log);
        let mut entries = before.clone();
        let at = place.index(entries.len());
        let act = Act::from_name(&entries[at].act).unwrap();
        if entries[at].intent.is_empty() {
            return Ok(());
        }
        let has_receipt = |intent: &str| before.iter().any(|entry| entry.act == "receipt" && entry.intent == intent);
        match kind {
            0 => {
                let entry = entries.remove(at);
                let is_last = !entries[at..].iter().any(|after| after.intent == entry.intent);
                // A plan is not in every record, nobody has to be asked, and a program may be killed before it writes an end.
                let may_lack = match act {
                    Act::Plan => !has_receipt(&entry.intent),
                    Act::Ask => true,
                    Act::Settle => is_last || entry.intent == "again" || entry.intent == "found",
                    Act::Lost => entry.intent == "again",
                    Act::Send => entry.intent == "again",
                    _ => false,
                };
                if may_lack {
                    return Ok(());
                }
            }
            1 => {
                // Only within its trade: lines of others say nothing about it.
                let own: Vec<usize> = (0..entries.len()).filter(|place| before[*place].intent == before[at].intent).collect();
                let to = own[other.index(own.len())];
                let both = [act, Act::from_name(&before[to].act).unwrap()];
                if to == at || both.iter().all(|act| matches!(act, Act::Ask | Act::Approve)) || before[at].act == before[to].act {
                    return Ok(());
                }
                let entry = entries.remove(at);
                entries.insert(to, entry);
            }
            2 => {
                // A plan is written again where it is sent, a person may be asked again, and so may the chain.
                if matches!(act, Act::Plan | Act::Ask | Act::Approve | Act::Evidence) {
                    return Ok(());
                }
                let twice = entries[at].clone();
                entries.insert(at, twice);
            }
            _ => {
                let values = [
                    (Act::Plan, "\"body\":\"{", "\"body\":\"{ "), (Act::Approve, "\"checksum\":\"", "\"checksum\":\"0"),
                    (Act::Begin, "\"operation\":\"", "\"operation\":\"x"), (Act::Begin, "\"body\":\"{", "\"body\":\"{ "),
                    (Act::Begin, "\"startedAtMs\":1", "\"startedAtMs\":2"), (Act::Send, "\"body\":\"{", "\"body\":\"{ "),
                    (Act::Send, "https://", "https://other."), (Act::Lost, "unsent", "sent"), (Act::Answer, "\"status\":2", "\"status\":4"),
                    (Act::Settle, "\"outcome\":\"", "\"outcome\":\"un"), (Act::Settle, "\"proven\":false", "\"proven\":true"),
                    (Act::Receipt, "\"tokens\":\"", "\"tokens\":\"1"), (Act::Evidence, "\"landed\"", "\"failed\""),
                ];
                let text = json::write(entries[at].data.as_ref().unwrap());
                let fitting: Vec<_> = values.iter().filter(|(of, from, _)| *of == act && text.contains(from)).collect();
                if fitting.is_empty() || (act == Act::Lost && text.contains("false")) {
                    return Ok(());
                }
                let (_, from, to) = fitting[other.index(fitting.len())];
                data_changed(&mut entries[at], from, to);
            }
        }
        prop_assert!(!codes_of(entries).is_empty(), "{} {} {}", kind, before[at].act, before[at].intent);
    }
}
