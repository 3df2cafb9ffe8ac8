//! The record of a client: what it writes around a sandbox and a service, and what the verifier says about it.

use std::fs;
use std::future::{IntoFuture, poll_fn};
use std::task::{Context, Poll, Waker};
use std::time::Duration;

use launchpad_desk::bindings::object;
use launchpad_desk::intent::IntentOutcome;
use launchpad_desk::launchpad::settings::LaunchpadConfig;
use launchpad_desk::tape::json;
use launchpad_desk::trade::guard::{Found, Settings};
use launchpad_desk_client::{DeskRecord, FileRecord, RecordStore, Recorded};
use launchpad_desk_record::{Head as RecordHead, RecordCheck, RecordPrice, Verifier};

use super::file_journal::Folder;
use super::*;

/// A record in memory.
#[derive(Clone, Default)]
struct Kept {
    lines: Arc<Mutex<(String, String)>>,
    /// Lines with this in them cannot be kept.
    fails: &'static str,
    /// Of lines with this in them nobody hears that they are kept.
    hangs: &'static str,
    /// What happens while the line of a send is kept.
    meanwhile: Option<Arc<dyn Fn() + Send + Sync>>,
}

impl RecordStore for Kept {
    fn head(&self) -> Result<String, BoxError> {
        Ok(self.lines.lock().unwrap().1.clone())
    }

    fn append(&self, lines: String, head: String) -> BoxFuture<'static, Result<(), BoxError>> {
        if !self.fails.is_empty() && lines.contains(self.fails) {
            return Box::pin(async { Err("disk full".into()) });
        }
        if let Some(meanwhile) = self.meanwhile.as_ref().filter(|_| lines.contains("\"act\":\"send\"")) {
            meanwhile();
        }
        let mut kept = self.lines.lock().unwrap();
        kept.0 += &lines;
        kept.1 = head;
        if !self.hangs.is_empty() && lines.contains(self.hangs) {
            return Box::pin(pending());
        }
        Box::pin(async { Ok(()) })
    }
}

impl Kept {
    fn log(&self) -> String {
        self.lines.lock().unwrap().0.clone()
    }

    fn head(&self) -> RecordHead {
        RecordHead::read(self.lines.lock().unwrap().1.trim()).unwrap()
    }

    fn acts(&self) -> Vec<String> {
        let act = |line: &str| line.split("\"act\":\"").nth(1)?.split('"').next().map(str::to_owned);
        self.log().lines().map(|line| act(line).unwrap()).collect()
    }
}

fn verified(log: &str, head: &RecordHead) -> (Vec<String>, Vec<RecordCheck>) {
    let mut verifier = Verifier::default();
    verifier.add_bytes(log.as_bytes());
    verifier.end(Some(head));
    let problems = verifier.take_problems().into_iter().map(|problem| problem.message);
    (problems.collect(), verifier.take_checks())
}

fn recording(script: &Script, kept: &Kept) -> (Client<Recorded<Script>>, DeskRecord) {
    let record = DeskRecord::new(kept.clone(), "desk").unwrap();
    let builder = Client::builder(script.clone()).api_key(KEY).journal(MemoryJournal::default());
    (builder.record(record.clone()).build().unwrap(), record)
}

#[test]
fn a_trade_in_a_sandbox_is_recorded_from_plan_to_receipt() {
    let (sandbox, mint, wallet) = sandbox("{}");
    let kept = Kept::default();
    let record = DeskRecord::new(kept.clone(), "desk").unwrap();
    let limits = Settings { max_lamports_per_trade: Some(100_000_000), ..Settings::default() };
    let builder = Client::builder(sandbox).journal(MemoryJournal::default()).guards(limits);
    let client = builder.record(record.clone()).build().unwrap();
    let plan = block_on(client.buy(BuyRequest::new(&mint, &wallet, 50_000_000)).plan()).unwrap();
    let market = {
        let sandbox = client.transport().sandbox();
        let token = sandbox.tokens().remove(0);
        let token = object! {
            "mint": token.mint, "supply": token.supply, "hasCreator": token.has_creator,
            "curve": object! {
                "virtualTokenReserves": token.virtual_token_reserves, "virtualSolReserves": token.virtual_sol_reserves,
                "realTokenReserves": token.real_token_reserves, "realSolReserves": token.real_sol_reserves,
            },
        };
        let lamports = sandbox.wallets()[0].lamports;
        let rules = LaunchpadConfig::of(sandbox.rules());
        object! { "launchpad": rules, "tokens": vec![token], "wallets": vec![object! { "wallet": wallet, "lamports": lamports }] }
    };
    block_on(record.plan(&plan, Some(market.root()))).unwrap();
    block_on(client.send(&plan).into_future()).unwrap();
    let half = SellByPercentageRequest::new(mint, wallet, "50".parse().unwrap());
    block_on(client.sell_by_percentage(half).into_future()).unwrap();
    block_on(record.written()).unwrap();

    let sell = ["begin", "send", "answer", "settle"];
    let due = [&["start", "plan", "begin", "send", "answer", "settle", "receipt"][..], &sell].concat();
    assert_eq!(kept.acts(), due);
    let (problems, checks) = verified(&kept.log(), &kept.head());
    assert_eq!(problems, Vec::<String>::new());
    assert_eq!((checks[0].price, checks[0].planned, checks.len()), (RecordPrice::Exact, true, 2));
    assert!(kept.log().contains("\"maxLamportsPerTrade\":100000000"));
}

#[test]
fn what_comes_while_the_record_is_written_stops_the_trade() {
    for (what, code) in [("halt", "halted"), ("abort", "aborted_before_send"), ("wait", "plan_expired")] {
        let (folder, script) = (Folder::new(), Script::default());
        let is_aborted = Arc::new(AtomicU64::new(0));
        let (stop, aborts, ahead_ms) =
            (folder.path().with_extension("stop"), is_aborted.clone(), script.ahead_ms.clone());
        let meanwhile = move || match what {
            "halt" => fs::write(&stop, "").unwrap(),
            "abort" => aborts.store(1, Ordering::Relaxed),
            _ => drop(ahead_ms.fetch_add(61_000, Ordering::Relaxed)),
        };
        let kept = Kept { meanwhile: Some(Arc::new(meanwhile)), ..Kept::default() };
        let record = DeskRecord::new(kept.clone(), "desk").unwrap();
        let journal = launchpad_desk_client::FileJournal::open(folder.path()).unwrap();
        let client = Client::builder(script.clone()).journal(journal).record(record).build().unwrap();
        let plan = block_on(client.buy(buy()).plan()).unwrap();
        let aborted = poll_fn(|_| match is_aborted.load(Ordering::Relaxed) {
            0 => Poll::Pending,
            _ => Poll::Ready(()),
        });
        let sent = client.send(&plan).timeout(Duration::from_secs(600)).abort_when(aborted);
        let error = block_on(sent.into_future()).unwrap_err();
        assert_eq!((error.outcome, error.code.as_str(), script.count()), (Outcome::NotSent, code, 0));
        let acts = kept.acts().into_iter().filter(|act| act != "suspend");
        assert_eq!(acts.collect::<Vec<_>>(), ["start", "begin", "send", "lost", "settle"]);
    }
}

#[test]
fn a_trade_that_is_dropped_while_a_line_before_its_send_is_kept_is_not_sent() {
    for (hangs, acts) in [
        ("\"act\":\"begin\"", &["start", "begin", "settle"][..]),
        ("\"act\":\"send\"", &["start", "begin", "send", "lost", "settle"]),
    ] {
        let (script, kept) = (Script::default(), Kept { hangs, ..Kept::default() });
        let (client, _) = recording(&script, &kept);
        let mut order = client.buy(buy()).intent_id("a").into_future();
        assert!(order.as_mut().poll(&mut Context::from_waker(Waker::noop())).is_pending());
        drop(order);
        assert_eq!((kept.acts(), script.count()), (acts.iter().map(|act| (*act).to_owned()).collect(), 0));
        assert_eq!(kept.log().matches("\"outcome\":\"not_sent\"").count(), 1, "{}", kept.log());
        assert_eq!(block_on(client.pending()).unwrap(), []);
        assert_eq!(verified(&kept.log(), &kept.head()).0, Vec::<String>::new());
    }
}

#[test]
fn no_key_gets_into_the_record_and_its_own_header_is_not_sent() {
    let script = Script::of(&[Does::Answers(401, r#"{"message":"bad key sk-canary-0123456789"}"#)]);
    let kept = Kept::default();
    let (client, record) = recording(&script, &kept);
    let refused = block_on(client.buy(buy()).into_future()).unwrap_err();
    assert_eq!(refused.outcome, Outcome::Rejected);
    block_on(record.written()).unwrap();
    let posts = script.posts.lock().unwrap();
    assert!(posts[0].headers.iter().any(|(_, value)| value == KEY));
    assert!(posts[0].headers.iter().all(|(name, _)| name != "x-record-intent"));
    assert!(!kept.log().contains(KEY) && kept.log().contains("[redacted]"));
    assert_eq!(verified(&kept.log(), &kept.head()).0, Vec::<String>::new());
}

#[test]
fn the_header_of_the_intent_id_takes_it_from_no_line() {
    let kept = Kept::default();
    let record = DeskRecord::new(kept.clone(), "desk").unwrap();
    let script = Script::of(&[Does::Answers(401, "{}"), Does::Answers(401, "{}")]);
    let builder = Client::builder(script).api_key(KEY).journal(MemoryJournal::default());
    let client = builder.intent_header("X-Trade").record(record.clone()).build().unwrap();
    for _ in 0..2 {
        block_on(client.buy(buy()).intent_id("long-enough").into_future()).unwrap_err();
    }
    block_on(record.written()).unwrap();
    assert!(!kept.log().contains("[redacted]"));
    assert_eq!(verified(&kept.log(), &kept.head()).0, Vec::<String>::new());
}

#[test]
fn how_answers_end_is_recorded_so_that_it_is_verified() {
    let cases = [
        ("a", Does::Fails(Lost::Broken("ECONNRESET".to_owned())), Outcome::Unknown),
        ("b", Does::Fails(Lost::Unsent(String::new())), Outcome::NotSent),
        ("c", Does::Answers(500, "oh"), Outcome::Unknown),
        ("d", Does::Floods(400), Outcome::Unknown),
    ];
    let script = Script::of(&cases.clone().map(|(_, does, _)| does));
    let kept = Kept::default();
    let (client, record) = recording(&script, &kept);
    for (id, _, outcome) in cases {
        let error = block_on(client.buy(buy()).intent_id(id).into_future()).unwrap_err();
        assert_eq!(error.outcome, outcome, "{id}: {error}");
        // In flight per wallet is one, so that each is found out before the next.
        if outcome == Outcome::Unknown {
            block_on(record.evidence(id, IntentOutcome::Landed, Some(id))).unwrap();
            assert!(block_on(client.acknowledge(id, Found::Landed)).unwrap());
        }
    }
    block_on(record.written()).unwrap();
    let (problems, checks) = verified(&kept.log(), &kept.head());
    assert_eq!(problems, Vec::<String>::new());
    let said = checks.iter().map(|check| (check.intent_id.as_str(), check.proven, check.sent));
    let mut said: Vec<_> = said.collect();
    said.sort();
    assert_eq!(said, [("a", true, true), ("b", false, true), ("c", true, true), ("d", true, true)]);
}

#[test]
fn a_trade_whose_send_cannot_be_recorded_is_not_sent() {
    for fails in ["\"act\":\"send\"", "\"act\":\"begin\""] {
        let script = Script::default();
        let kept = Kept { fails, ..Kept::default() };
        let (client, record) = recording(&script, &kept);
        let error = block_on(client.buy(buy()).into_future()).unwrap_err();
        assert_eq!((error.outcome, script.count()), (Outcome::NotSent, 0), "{error}");
        let why = block_on(record.written()).unwrap_err();
        assert_eq!(why.to_string(), "disk full");
    }
}

#[test]
fn what_cannot_be_recorded_after_a_send_stops_the_next_trade_only() {
    let script = Script::default();
    let kept = Kept { fails: "\"act\":\"settle\"", ..Kept::default() };
    let (client, record) = recording(&script, &kept);
    assert!(block_on(client.buy(buy()).into_future()).is_ok());
    let error = block_on(client.buy(buy()).into_future()).unwrap_err();
    assert_eq!((error.outcome, error.code, script.count()), (Outcome::NotSent, Code::JournalFailed, 1));
    assert!(block_on(record.written()).is_err());
}

#[test]
fn a_record_needs_a_journal_and_clients_of_the_same_settings() {
    let record = DeskRecord::new(Kept::default(), "desk").unwrap();
    let refused = Client::builder(Script::default()).record(record.clone()).build().unwrap_err();
    assert_eq!(refused.fields[0].message, "record needs a journal beside it");
    let of = |max_lamports_per_trade| {
        let builder = Client::builder(Script::default()).journal(MemoryJournal::default());
        let limits = Settings { max_lamports_per_trade, ..Settings::default() };
        let built = builder.guards(limits).record(record.clone()).build();
        built.err().map(|error| error.fields[0].message.clone())
    };
    let is_anothers = "record is of a client with other settings: give this one a record of its own";
    assert_eq!([of(None), of(None), of(Some(5))], [None, None, Some(is_anothers.to_owned())]);
}

#[test]
fn a_record_in_a_file_goes_on_after_a_torn_line_and_a_head_that_lags() {
    let folder = Folder::new();
    let (path, head) = (folder.path(), folder.path().with_extension("head"));
    let traded = |id: &str| {
        let file = FileRecord::open(&path).unwrap();
        let torn = file.torn().map(str::to_owned);
        let record = DeskRecord::new(file, "desk").unwrap();
        let builder = Client::builder(Script::default()).journal(MemoryJournal::default());
        let client = builder.record(record.clone()).build().unwrap();
        block_on(client.buy(buy()).intent_id(id).into_future()).unwrap();
        block_on(record.written()).unwrap();
        torn
    };
    assert_eq!(traded("a"), None);
    let before = fs::read_to_string(&head).unwrap();
    assert!(FileRecord::open(&path).is_ok(), "the lock is given back");
    for id in ["b", "c", "d", "e"] {
        traded(id);
    }
    let whole = fs::read_to_string(&path).unwrap();
    // After a power cut, the head lags by the lines of some trades, and a line is torn.
    fs::write(&head, &before).unwrap();
    fs::write(&path, format!("{whole}{{\"number\":99,\"to")).unwrap();
    assert!(traded("f").unwrap().contains("torn"));
    let log = fs::read_to_string(&path).unwrap();
    let named = RecordHead::read(fs::read_to_string(&head).unwrap().trim()).unwrap();
    let (problems, checks) = verified(&log, &named);
    assert_eq!((problems, checks.len()), (Vec::new(), 6));

    let refused = |head_text: &str| {
        fs::write(&head, head_text).unwrap();
        FileRecord::open(&path).map(|_| ()).unwrap_err().to_string()
    };
    assert!(refused("{\"number\":1,\"hash\":\"ab\"}").contains("does not end where its head says"));
    assert!(refused("no head").contains("cannot be read"));
    fs::write(&path, "").unwrap();
    assert!(refused(&before).contains("lacks the lines that its head names"));
}

#[test]
fn limits_and_dialect_are_recorded_as_they_are_read() {
    use launchpad_desk::amount::SlippageUnit;
    use launchpad_desk::bindings::reader;
    use launchpad_desk::trade::Dialect;
    let given = json::parse(
        br#"{"maxLamportsPerTrade":5,"maxLamportsPerDay":6,"maxSlippage":{"percent":2.5},"maxImpactBps":7,"maxPriceAgeMs":8,
            "allowMints":["M"],"allowWallets":["W","V"],"rateLimit":{"perSecond":0.5,"burst":3,"maxQueueMs":9},"inFlightPerWallet":4,"breaker":{"unknowns":2,"stopsSells":false}}"#,
    )
    .unwrap();
    let read = |tape: &launchpad_desk::tape::Tape| {
        reader::read(tape.root(), |r| Settings::read(r, SlippageUnit::Percent)).unwrap()
    };
    let settings = read(&given);
    use launchpad_desk::tape::ToTape;
    assert_eq!(read(&settings.to_tape()), settings);
    let default = Settings::default();
    assert_eq!(read(&default.to_tape()), default);
    let given = json::parse(
        br#"{"slippageUnit":"bps","identifiers":"base58","maxBundleSize":4,"tokenDecimals":9,"replyNames":{"explorer":"a","launchpad":"b"},"statusPolicy":{"409":"rejected"}}"#,
    )
    .unwrap();
    let read = |tape: &launchpad_desk::tape::Tape| reader::read(tape.root(), Dialect::read).unwrap();
    let dialect = read(&given);
    assert_eq!(read(&dialect.to_tape()), dialect);
    assert_eq!(read(&Dialect::default().to_tape()), Dialect::default());
}
