//! The journal in a file: its lines, what it survives, and which process owns it.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU32};

use launchpad_desk::intent::IntentOutcome;
use launchpad_desk::trade::guard::{Found, Mode, Settings};
use launchpad_desk::trade::journal::midnight_before;
use launchpad_desk::trade::reconcile::WalletBalances;
use launchpad_desk_client::{FileJournal, OutsideMode, TradeBuilder};

use super::*;

/// A folder of its own for a test, removed at its end.
pub struct Folder(PathBuf);

impl Folder {
    pub fn new() -> Folder {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let name = format!("journal-{}-{}", std::process::id(), COUNT.fetch_add(1, Ordering::Relaxed));
        let folder = std::env::temp_dir().join(name);
        fs::create_dir_all(&folder).unwrap();
        Folder(folder)
    }

    pub fn path(&self) -> PathBuf {
        self.0.join("trades")
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

const NOON: u64 = 20_454 * 86_400_000 + 43_200_000;

fn intent(id: &str) -> TradeIntent {
    let body = r#"{"mint":"M","fromWallet":"W","amountInLamports":1000}"#.to_owned();
    TradeIntent { body, started_at_ms: NOON, ..TradeIntent::from(id) }
}

fn open(path: &Path) -> FileJournal {
    FileJournal::open(path).unwrap()
}

fn settle(journal: &FileJournal, id: &str, outcome: IntentOutcome) {
    block_on(journal.settle(&intent(id), outcome.into(), Suspension::default())).unwrap();
}

fn recall(journal: &FileJournal) -> Recalled {
    block_on(journal.recall(midnight_before(NOON))).unwrap()
}

fn ids(intents: &[TradeIntent]) -> Vec<&str> {
    intents.iter().map(|intent| intent.intent_id.as_str()).collect()
}

/// How a trade ends: its status, or the code of its error.
fn ended(trade: TradeBuilder<'_, Script>) -> &'static str {
    block_on(async { trade.await })
        .map_or_else(|error| error.code.as_str(), |traded| traded.trade.status.as_str())
}

fn end_of(client: &Client<Script>, id: &str) -> &'static str {
    ended(client.buy(buy()).intent_id(id))
}

fn end(client: &Client<Script>) -> &'static str {
    ended(client.buy(buy()))
}

/// What an empty journal remembers.
fn nothing() -> Recalled {
    Recalled { ended: Some(Vec::new()), ..Recalled::default() }
}

/// A line with its checksum, computed bit by bit.
fn checked(record: &str) -> String {
    let rest = record.strip_prefix('{').unwrap();
    let step = |crc: u32, _| if crc & 1 == 1 { (crc >> 1) ^ 0xEDB8_8320 } else { crc >> 1 };
    let crc = !rest.bytes().fold(u32::MAX, |crc, byte| (0..8).fold(crc ^ u32::from(byte), step));
    format!("{{\"crc32\":\"{crc:08x}\",{rest}")
}

#[test]
fn a_line_for_what_begins_and_one_for_how_it_ends() {
    let folder = Folder::new();
    let journal = open(&folder.path());
    let seen = WalletBalances { wallet: "W".into(), tokens: Some(u64::MAX), lamports: Some(7), slot: None };
    block_on(journal.begin(&TradeIntent { before: Some(vec![seen]), ..intent("a") })).unwrap();
    settle(&journal, "a", IntentOutcome::Unknown);
    block_on(journal.begin(&intent("b"))).unwrap();
    settle(&journal, "b", IntentOutcome::Landed);
    settle(&journal, "nobody", IntentOutcome::Landed);
    let body = r#""body":"{\"mint\":\"M\",\"fromWallet\":\"W\",\"amountInLamports\":1000}""#;
    let started = r#""operation":"buy","startedAtMs":1767268800000"#;
    let before = r#""before":[{"wallet":"W","tokens":"18446744073709551615","lamports":"7"}]"#;
    let lines = [
        checked(&format!(r#"{{"begin":{{"intentId":"a",{started},{body},{before}}}}}"#)),
        checked(r#"{"settle":"a","outcome":"unknown"}"#),
        checked(&format!(r#"{{"begin":{{"intentId":"b",{started},{body}}}}}"#)),
        checked(r#"{"settle":"b","outcome":"landed"}"#),
    ];
    assert_eq!(fs::read_to_string(folder.path()).unwrap().lines().collect::<Vec<_>>(), lines);
    drop(journal);

    // The next run finds a fresh file with what is still needed.
    let journal = open(&folder.path());
    let fresh = [
        checked(r#"{"day":20454,"lamports":"1000"}"#),
        checked(&format!(r#"{{"landed":{{"intentId":"b",{started},{body}}},"outcome":"landed"}}"#)),
        lines[0].clone(),
        lines[1].clone(),
    ];
    assert_eq!(fs::read_to_string(folder.path()).unwrap().lines().collect::<Vec<_>>(), fresh);
    let Recalled { pending, landed, lamports, .. } = recall(&journal);
    assert_eq!((ids(&pending), landed, lamports), (vec!["a"], vec!["b".to_owned()], 1_000));
    assert_eq!(pending[0].before.as_ref().unwrap()[0].tokens, Some(u64::MAX));
    let again = |id| block_on(journal.begin(&intent(id))).unwrap_err().to_string();
    assert_eq!(again("a"), "intent a was begun earlier and is unresolved");
    assert_eq!(again("b"), "intent b has already landed");
    assert_eq!(journal.torn(), None);
}

#[test]
fn what_could_not_be_read_back_is_not_begun() {
    let folder = Folder::new();
    let journal = open(&folder.path());
    let twice = (vec![holds("W"), holds("W")], "[1].wallet appears twice");
    for (before, why) in [twice, (vec![holds("")], "[0].wallet is empty")] {
        let twice = TradeIntent { before: Some(before), ..intent("a") };
        let error = block_on(journal.begin(&twice)).unwrap_err().to_string();
        assert_eq!(error, format!("in an intent, before{why}"));
    }
    // After a crash the last line of a sent trade would look torn, and the trade would be forgotten.
    drop(journal);
    let journal = open(&folder.path());
    assert_eq!((journal.torn(), recall(&journal)), (None, nothing()));
}

#[test]
fn a_torn_last_line_is_dropped_and_any_other_is_an_error() {
    let folder = Folder::new();
    let journal = open(&folder.path());
    block_on(journal.begin(&intent("a"))).unwrap();
    drop(journal);
    let whole = fs::read_to_string(folder.path()).unwrap();
    fs::write(folder.path(), format!("{whole}{{\"settle\":\"a\",\"outc")).unwrap();
    let journal = open(&folder.path());
    assert!(journal.torn().unwrap().contains("was torn and is dropped"));
    assert_eq!(ids(&recall(&journal).pending), ["a"]);
    drop(journal);
    let lines = [
        "{\"settle\":\"a\",\"outcome\":\"sunk\"}",
        "{\"begin\":{\"intentId\":\"x\"}}",
        "{\"landed\":{\"intentId\":\"x\",\"operation\":\"buy\",\"startedAtMs\":1,\"body\":\"{}\"}}",
        "{\"day\":1,\"lamports\":\"-1\"}",
        "{\"pause\":true}",
    ];
    let torn = whole.trim_end().replace("\"a\"", "\"b\"");
    let bare = ["{\"settle\":\"a\"", "[]", "{\"settle\":\"a\",\"outcome\":\"landed\"}", "", &torn];
    for bad in lines.map(checked).iter().map(String::as_str).chain(bare) {
        // A last line with a line end is not torn.
        for (text, line) in [(format!("{bad}\n{whole}"), 1), (format!("{whole}{bad}\n"), 2)] {
            fs::write(folder.path(), &text).unwrap();
            let error = FileJournal::open(folder.path()).unwrap_err().to_string();
            assert!(error.starts_with(&format!("line {line} of the journal ")), "{error}");
            assert!(error.ends_with("): check it before you trade again"), "{error}");
            assert_eq!(fs::read_to_string(folder.path()).unwrap(), text, "it is left as it is");
            assert!(!folder.0.join("trades.lock").exists());
        }
    }
}

#[test]
fn a_flipped_bit_is_found_and_a_line_without_its_checksum_is_refused() {
    let folder = Folder::new();
    let journal = open(&folder.path());
    block_on(journal.begin(&intent("U1"))).unwrap();
    block_on(journal.begin(&intent("U2"))).unwrap();
    settle(&journal, "U1", IntentOutcome::Landed);
    drop(journal);
    let whole = fs::read(folder.path()).unwrap();
    // Every byte but the last line end, without which the last line is whole.
    for at in 0..whole.len() - 1 {
        let mut flipped = whole.clone();
        flipped[at] ^= 1 << (at % 8);
        fs::write(folder.path(), &flipped).unwrap();
        let error = FileJournal::open(folder.path()).unwrap_err().to_string();
        assert!(error.starts_with("line ") && error.contains("cannot be read ("), "byte {at}: {error}");
    }
    let text = String::from_utf8(whole).unwrap();
    fs::write(folder.path(), text.replace("U1", "T1")).unwrap();
    let error = FileJournal::open(folder.path()).unwrap_err().to_string();
    assert!(error.contains(" cannot be read (its checksum is wrong): check it"), "{error}");
    let bare: String = text.lines().map(|line| format!("{{{}\n", line.split_once(',').unwrap().1)).collect();
    assert!(bare.starts_with("{\"begin\":"), "{bare}");
    fs::write(folder.path(), &bare).unwrap();
    let error = FileJournal::open(folder.path()).unwrap_err().to_string();
    assert!(error.starts_with("line 1 of the journal "), "{error}");
    assert!(error.contains(" cannot be read (it has no checksum): check it"), "{error}");
    // What a newer version has noted inside a part would be lost when the file is shortened.
    let noted = |more: &str| {
        let begin = r#""intentId":"U1","operation":"buy","startedAtMs":1,"body":"{}""#;
        let line = checked(&format!(r#"{{"begin":{{{begin},{more}}}}}"#));
        fs::write(folder.path(), line + "\n").unwrap();
        FileJournal::open(folder.path()).map(drop).map_err(|error| error.to_string())
    };
    for stranger in [
        r#""before":[{"wallet":"W","tokens":"1","seen":1}]"#,
        r#""counted":{"lamports":"1","fees":"0","seen":1}"#,
    ] {
        assert!(noted(stranger).unwrap_err().contains("seen"), "{stranger}");
    }
    assert_eq!(noted(r#""before":null,"counted":null,"throughGateway":false,"namedSignature":"""#), Ok(()));
}

/// The lock of a process that has ended, but that its parent has not asked about.
#[cfg(target_os = "linux")]
fn zombie_lock(host: &str) -> Option<String> {
    let pid = std::process::Command::new("true").spawn().unwrap().id();
    loop {
        let stat = fs::read_to_string(format!("/proc/{pid}/stat")).unwrap();
        let fields: Vec<&str> = stat.rsplit_once(") ").unwrap().1.split(' ').collect();
        if fields[0] == "Z" {
            let start = fields[19];
            return Some(format!(r#"{{"pid":{pid},"host":"{host}","start":"{start}","token":"t"}}"#));
        }
        std::thread::yield_now();
    }
}

#[cfg(not(target_os = "linux"))]
fn zombie_lock(_host: &str) -> Option<String> {
    None
}

#[test]
fn one_process_at_a_time_has_it() {
    let folder = Folder::new();
    let journal = open(&folder.path());
    let error = FileJournal::open(folder.path()).unwrap_err().to_string();
    assert!(error.contains(&format!("in use by process {}", std::process::id())), "{error}");
    // A process that is gone, on this machine, does not keep it. This one's number, with another start, is gone too.
    let lock = fs::read_to_string(folder.0.join("trades.lock")).unwrap();
    drop(journal);
    assert!(!folder.0.join("trades.lock").exists());
    let host = lock.split("\"host\":\"").nth(1).unwrap().split('"').next().unwrap();
    let gone = [
        format!(r#"{{"pid":4194305,"host":"{host}","start":"1","token":"t"}}"#),
        format!(r#"{{"pid":{},"host":"{host}","start":"1","token":"t"}}"#, std::process::id()),
    ];
    for lock in gone.into_iter().chain(zombie_lock(host)) {
        fs::write(folder.0.join("trades.lock"), lock).unwrap();
        drop(open(&folder.path()));
    }
    for (lock, why) in [
        (
            r#"{"pid":1,"host":"elsewhere","token":"t"}"#,
            "the journal PATH is in use by process 1 on the host elsewhere, which cannot be checked from here: once that program \
             has ended, run \"npx launchpad-desk doctor PATH\", or delete PATH.lock",
        ),
        ("?", "PATH.lock is not a lock of the journal PATH: delete it if no other program uses it"),
    ] {
        fs::write(folder.0.join("trades.lock"), lock).unwrap();
        let error = FileJournal::open(folder.path()).unwrap_err().to_string();
        let path = fs::canonicalize(&folder.0).unwrap().join("trades");
        assert_eq!(error, why.replace("PATH", &path.display().to_string()));
    }
    // Whoever takes it over stops the one before.
    fs::remove_file(folder.0.join("trades.lock")).unwrap();
    let journal = open(&folder.path());
    fs::write(folder.0.join("trades.lock"), r#"{"pid":1,"host":"elsewhere","token":"t"}"#).unwrap();
    let error = block_on(journal.begin(&intent("a"))).unwrap_err().to_string();
    assert_eq!(error, "another process has taken over the journal");
    assert!(block_on(journal.begin(&intent("b"))).is_err());
    drop(journal);
    assert!(folder.0.join("trades.lock").exists(), "it is not this one's to remove");
    assert_eq!(fs::read_dir(&folder.0).unwrap().count(), 2, "nothing else is left behind");
}

#[test]
fn a_begin_that_nobody_waits_for_is_ended() {
    let folder = Folder::new();
    let journal = open(&folder.path());
    // Before it was written, and after.
    drop(journal.begin(&intent("a")));
    let (b, c) = (intent("b"), intent("c"));
    let begun = journal.begin(&b);
    recall(&journal);
    drop(begun);
    // What it refused to begin is another trade's.
    block_on(journal.begin(&c)).unwrap();
    let refused = journal.begin(&c);
    recall(&journal);
    drop(refused);
    assert_eq!(ids(&recall(&journal).pending), ["c"]);
    settle(&journal, "c", IntentOutcome::NotSent);
    drop(journal);
    assert_eq!(recall(&open(&folder.path())), nothing());
}

#[test]
fn many_at_once_are_all_there() {
    let folder = Folder::new();
    let journal = open(&folder.path());
    std::thread::scope(|scope| {
        for thread in 0..8 {
            let journal = &journal;
            scope.spawn(move || {
                for n in 0..25 {
                    let id = format!("{thread}-{n}");
                    block_on(journal.begin(&intent(&id))).unwrap();
                    let landed = n % 2 == 0;
                    settle(
                        journal,
                        &id,
                        if landed { IntentOutcome::Landed } else { IntentOutcome::Rejected },
                    );
                }
            });
        }
    });
    drop(journal);
    let Recalled { pending, landed, lamports, .. } = recall(&open(&folder.path()));
    assert_eq!((pending.len(), landed.len(), lamports), (0, 8 * 13, 8 * 13 * 1_000));
}

#[test]
fn a_client_finds_what_the_run_before_left() {
    let folder = Folder::new();
    let limits = Settings { max_lamports_per_day: Some(2_500), count_charges: false, ..Settings::default() };
    let client = |script: &Script| {
        let builder = Client::builder(script.clone()).guards(limits.clone());
        builder.journal(open(&folder.path())).build().unwrap()
    };
    let script = Script::of(&[Does::Fails(Lost::Broken(String::new()))]);
    let first = client(&script);
    assert_eq!((end_of(&first, "a"), end_of(&first, "b")), ("network_error", "landed"));
    drop(first);
    let second = client(&script);
    assert_eq!((end_of(&second, "a"), end_of(&second, "b")), ("intent_unknown", "intent_landed"));
    assert_eq!(end(&second), "over_day_limit", "both count for the day");
    let pending = block_on(second.pending()).unwrap();
    let ended = |id: &str| block_on(second.ended_trade(id)).unwrap();
    let landed = ended("b").unwrap();
    assert_eq!((landed.intent.intent_id.as_str(), landed.outcome), ("b", IntentOutcome::Landed));
    assert_eq!((ended("a"), ended("c")), (None, None));
    assert_eq!(pending[0].trade.body, script.posts.lock().unwrap()[0].body);
    assert!(block_on(second.acknowledge("a", Found::DidNotLand)).unwrap());
    drop(second);
    assert_eq!(end_of(&client(&script), "a"), "landed");
}

#[test]
fn the_signature_of_a_trade_that_stays_unknown_is_no_other_trades_over_restarts_whatever_is_found_of_it() {
    const LANDED_SO: &str = r#"{"result":{"signature":"S","transactionResult":{"success":true}}}"#;
    const OTHER: &str = r#"{"result":{"signature":"T","transactionResult":{"success":true}}}"#;
    let folder = Folder::new();
    let kept = Arc::new(MemoryJournal::default());
    for is_file in [true, false] {
        let says = [UNPROVEN, LANDED_SO, LANDED_SO, LANDED_SO, LANDED_SO, OTHER, OTHER];
        let script = Script::of(&says.map(|body| Does::Answers(200, body)));
        let client = || {
            let guards = Settings { breaker_unknowns: 99, ..Settings::default() };
            let builder = Client::builder(script.clone()).guards(guards);
            let builder = match is_file {
                true => builder.journal(open(&folder.path())),
                false => builder.journal(Shared(kept.clone())),
            };
            builder.build().unwrap()
        };
        let named = |client: &Client<Script>| {
            let pending = block_on(client.pending()).unwrap();
            pending[0].trade.named_signature.clone()
        };
        for (id, end) in
            [("a", "unproven_failure"), ("b", "contradictory_reply"), ("c", "contradictory_reply")]
        {
            let client = client();
            assert_eq!(end_of(&client, id), end, "{id}");
            assert_eq!(named(&client).as_deref(), Some("S"), "{id}");
        }
        // A person has found out that it did not land: the reply of the other is no less a strange one.
        assert!(block_on(client().acknowledge("a", Found::DidNotLand)).unwrap());
        for id in ["d", "e"] {
            assert_eq!(end_of(&client(), id), "contradictory_reply", "{id}");
        }
        assert_eq!(end_of(&client(), "f"), "landed");
        // What has landed in the run before has its signature alone, too.
        assert_eq!(end_of(&client(), "g"), "contradictory_reply");
    }
}

#[test]
fn what_stops_trading_survives_a_restart() {
    let folder = Folder::new();
    let script = Script::default();
    let client = || Client::builder(script.clone()).journal(open(&folder.path())).build().unwrap();
    block_on(client().halt()).unwrap();
    assert_eq!(end(&client()), "halted");
    assert_eq!(end(&client()), "halted", "and the next one, too");
    block_on(client().reduce()).unwrap();
    assert_eq!(end(&client()), "reducing");
    // What this process has decided is newer than what the journal has.
    let resumed = client();
    block_on(resumed.resume()).unwrap();
    assert_eq!(end(&resumed), "landed");
    drop(resumed);
    assert_eq!(end(&client()), "landed");

    // One doubtful trade in each of three runs.
    let lose = || script.script.lock().unwrap().push_back(Does::Fails(Lost::Broken(String::new())));
    for _ in 0..3 {
        lose();
        assert_eq!(end(&client()), "network_error");
    }
    for _ in 0..2 {
        assert_eq!(end(&client()), "breaker_open");
    }
    let last = client();
    let pending = block_on(last.pending()).unwrap();
    assert_eq!((pending.len(), last.guards().state(0).breaker_open), (3, true));
    // It stays open until each trade is settled.
    for intent in pending {
        assert!(block_on(last.acknowledge(intent.id(), Found::DidNotLand)).unwrap());
    }
    drop(last);
    assert_eq!(end(&client()), "landed");
    let active = Suspension { mode: Some(Mode::Active), ..Suspension::default() };
    assert_eq!(recall(&open(&folder.path())).suspension, active);
}

#[test]
fn a_halt_that_could_not_be_recorded_is_reported() {
    let folder = Folder::new();
    let client = Client::builder(Script::default()).journal(open(&folder.path())).build().unwrap();
    fs::create_dir(folder.0.join("trades.stop")).unwrap();
    let error = block_on(client.halt()).unwrap_err();
    assert_eq!(error.code.as_str(), "journal_failed");
    assert_eq!(error.to_string(), "not recorded: the client is halted, but a restart may undo that");
    assert_eq!(client.guards().state(0).mode, Mode::Halted, "it is halted all the same");
}

#[test]
fn a_journal_that_cannot_be_opened_or_written_says_which_file_and_why() {
    let folder = Folder::new();
    let path = folder.path();
    let names = |error: &dyn std::error::Error, file: &Path, why: &str| {
        let text = error.to_string();
        assert!(text.contains(&file.display().to_string()) && text.contains(why), "{text}");
    };
    let holder = open(&path);
    let locked = format!("is in use by process {} on this host: end that program first", std::process::id());
    names(&FileJournal::open(&path).unwrap_err(), &path, &locked);
    for (file, why) in [
        (folder.0.join("nowhere").join("trades.journal"), "No such file or directory"),
        (path.join("trades.journal"), "Not a directory"),
        (folder.0.clone(), "directory"),
    ] {
        names(&FileJournal::open(&file).unwrap_err(), &file, why);
        names(&launchpad_desk_client::FileRecord::open(&file).err().unwrap(), &file, why);
    }

    // A trade of a journal whose file has gone: the error of the trade says why, as every later one does.
    let client = Client::builder(Script::default()).journal(holder).build().unwrap();
    fs::rename(&path, folder.0.join("moved")).unwrap();
    for _ in 0..2 {
        let error = block_on(async { client.buy(buy()).await }).unwrap_err();
        assert_eq!(error.code.as_str(), "journal_failed");
        assert!(error.to_string().starts_with("not sent: the journal could not record it ("), "{error}");
        names(&error, &path, "is not where it was");
    }
}

#[cfg(unix)]
#[test]
fn a_link_leads_to_its_target_and_stays() {
    let folder = Folder::new();
    let link = folder.0.join("link");
    std::os::unix::fs::symlink("trades", &link).unwrap();
    let journal = open(&link);
    block_on(journal.begin(&intent("a"))).unwrap();
    drop(journal);
    assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
    assert_eq!(ids(&recall(&open(&folder.path())).pending), ["a"]);
    use std::os::unix::fs::PermissionsExt;
    assert_eq!(fs::metadata(folder.path()).unwrap().permissions().mode() & 0o777, 0o600);
}

/// As `launchpad-desk halt` does, while a program has the journal.
fn say_to(path: &Path, text: &str) {
    let mut stop = path.as_os_str().to_owned();
    stop.push(".stop");
    fs::write(stop, text).unwrap();
}

#[test]
fn what_another_program_says_reaches_this_one_before_its_next_send() {
    let folder = Folder::new();
    let path = folder.path();
    let script = Script::default();
    let client = || Client::builder(script.clone()).journal(open(&path)).build().unwrap();
    let first = client();
    assert_eq!(end(&first), "landed");
    say_to(&path, r#"{"mode":"halted","id":"1"}"#);
    let plan = block_on(first.buy(buy()).plan()).unwrap();
    assert_eq!(plan.refused.map(|refused| refused.code), Some(Code::Halted), "a plan hears it, too");
    assert_eq!(end(&first), "halted");
    assert_eq!(first.guards().state(0).mode, Mode::Halted);
    say_to(&path, r#"{"mode":"reducing","id":"2"}"#);
    assert_eq!(end(&first), "reducing");
    block_on(first.resume()).unwrap();
    assert_eq!(end(&first), "landed", "what it says itself comes after what it has heard");
    say_to(&path, "");
    assert_eq!(end(&first), "halted", "any shell can make an empty file");
    fs::remove_file(folder.0.join("trades.stop")).unwrap();
    assert_eq!(end(&first), "halted", "to remove it is not to resume");
    drop(first);
    assert_eq!(end(&client()), "halted");
    say_to(&path, r#"{"mode":"active","id":"3"}"#);
    let last = client();
    assert_eq!(end(&last), "landed", "said while no program had the journal");
    say_to(&path, r#"{"mode":"halted","id":"4"}"#);
    let error = block_on(last.resume()).expect_err("a stop that it has not heard is not taken back");
    assert!(error.to_string().starts_with("not recorded: the client is halted, "), "{error}");
    assert_eq!(end(&last), "halted");
    block_on(last.resume()).unwrap();
    assert_eq!(end(&last), "landed");
}

#[test]
fn the_same_words_are_heard_again_once_the_program_has_said_something_else() {
    let folder = Folder::new();
    let path = folder.path();
    let client = || Client::builder(Script::default()).journal(open(&path)).build().unwrap();
    let first = client();
    for text in ["", r#"{"mode":"halted"}"#, "", ""] {
        for _ in 0..2 {
            say_to(&path, text);
            assert_eq!(end(&first), "halted", "{text}");
            block_on(first.resume()).unwrap();
        }
        assert_eq!(end(&first), "landed");
    }
    say_to(&path, "");
    drop(first);
    let next = client();
    assert_eq!(end(&next), "halted");
    block_on(next.resume()).unwrap();
    say_to(&path, "");
    assert_eq!(end(&next), "halted", "as at the start");
    drop(next);
    let last = client();
    assert_eq!(end(&last), "halted");
    say_to(&path, r#"{"mode":"active","id":"1"}"#);
    assert_eq!(end(&last), "landed", "another program resumes what the file said at the start");
    say_to(&path, "");
    assert_eq!(end(&last), "halted");
}

#[test]
fn a_programs_own_halt_stands_whatever_a_journal_still_says() {
    struct Says(MemoryJournal);
    impl Journal for Says {
        fn begin<'a>(&'a self, intent: &'a TradeIntent) -> BoxFuture<'a, Result<(), BoxError>> {
            self.0.begin(intent)
        }
        fn settle<'a>(
            &'a self,
            intent: &'a TradeIntent,
            settlement: Settlement,
            suspension: Suspension,
        ) -> BoxFuture<'a, Result<(), BoxError>> {
            self.0.settle(intent, settlement, suspension)
        }
        fn keep_suspension(&self, change: Suspension) -> BoxFuture<'_, Result<(), BoxError>> {
            self.0.keep_suspension(change)
        }
        fn recall(&self, since_ms: u64) -> BoxFuture<'_, Result<Recalled, BoxError>> {
            self.0.recall(since_ms)
        }
        fn outside_mode(&self) -> Option<OutsideMode> {
            Some(OutsideMode { text: "reducing".into(), mode: Mode::Reducing })
        }
    }
    let client = Client::builder(Script::default()).journal(Says(MemoryJournal::default())).build().unwrap();
    assert_eq!(end(&client), "reducing");
    block_on(client.resume()).unwrap();
    block_on(client.halt()).unwrap();
    assert_eq!(end(&client), "halted");
    block_on(client.resume()).unwrap();
    assert_eq!(end(&client), "reducing", "as long as the journal says so");
}

#[test]
fn no_word_of_the_program_itself_is_taken_for_one_of_another() {
    let folder = Folder::new();
    let journal = open(&folder.path());
    let is_over = AtomicBool::new(false);
    std::thread::scope(|scope| {
        let poll = || {
            let outside = std::iter::repeat_with(|| journal.outside_mode());
            outside.take_while(|_| !is_over.load(Ordering::Relaxed)).flatten().next()
        };
        let polling = scope.spawn(poll);
        for _ in 0..20 {
            let said = [Mode::Active, Mode::Halted].map(|mode| {
                journal.keep_suspension(Suspension { mode: Some(mode), ..Suspension::default() })
            });
            for kept in said {
                block_on(kept).unwrap();
            }
        }
        is_over.store(true, Ordering::Relaxed);
        assert_eq!(polling.join().unwrap(), None);
    });
    assert_eq!(recall(&journal).suspension.mode, Some(Mode::Halted));
}

#[test]
fn a_stop_that_comes_at_any_step_is_obeyed() {
    struct Late(PathBuf);
    impl Hooks for Late {
        fn before_send<'a>(
            &'a self,
            _: &'a TradeIntent,
        ) -> BoxFuture<'a, Result<Option<Vec<WalletBalances>>, BoxError>> {
            say_to(&self.0, r#"{"mode":"halted"}"#);
            Box::pin(std::future::ready(Ok(None)))
        }
    }
    let folder = Folder::new();
    let script = Script::default();
    let builder = Client::builder(script.clone()).journal(open(&folder.path()));
    let client = builder.hooks(Late(folder.path())).build().unwrap();
    assert_eq!(end(&client), "halted");
    drop(client);
    assert_eq!(ids(&recall(&open(&folder.path())).pending), [""; 0]);
}

#[cfg(unix)]
#[test]
fn a_journal_that_is_not_where_it_was_begins_nothing_more() {
    type Mishap = fn(&Path, &Path);
    let mishaps: [(Mishap, &str); 5] = [
        (|path, other| fs::rename(path, other).unwrap(), "is not where it was"),
        (|path, _| fs::remove_file(path).unwrap(), "is not where it was"),
        (
            |path, other| {
                fs::copy(path, other).unwrap();
                fs::rename(other, path).unwrap();
            },
            "is another file now",
        ),
        (|path, other| fs::hard_link(path, other).unwrap(), "has 2 names (hard links)"),
        (|path, _| fs::write(path, "").unwrap(), "was changed by another program"),
    ];
    for (mishap, says) in mishaps {
        let folder = Folder::new();
        let path = folder.path();
        let journal = open(&path);
        block_on(journal.begin(&intent("before"))).unwrap();
        mishap(&path, &folder.0.join("other"));
        for id in ["after", "later"] {
            let error = block_on(journal.begin(&intent(id))).unwrap_err().to_string();
            assert!(error.contains(says), "{error}");
        }
    }
    let folder = Folder::new();
    block_on(open(&folder.path()).begin(&intent("a"))).unwrap();
    fs::hard_link(folder.path(), folder.0.join("other")).unwrap();
    for path in [folder.path(), folder.0.join("other")] {
        let error = FileJournal::open(path).unwrap_err().to_string();
        assert!(error.contains("has 2 names (hard links)"), "{error}");
    }
}
