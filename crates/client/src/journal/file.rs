//! A journal in a file: one line when a trade begins, on disk before anything is sent, and one when it ends.
//!
//! ```text
//! {"crc32":"…","begin":{"intentId":"…","operation":"buy","startedAtMs":1767225600000,"body":"{…}"}}
//! {"crc32":"…","settle":"…","outcome":"landed","signature":"…"}
//! {"crc32":"…","settle":"…","outcome":"unknown","suspension":{"breakerOpen":true,"unknownsInARow":3}}
//! {"crc32":"…","suspension":{"mode":"halted"}}
//! ```
//!
//! A kill or a power cut leaves at most a torn last line, which has no line end, and nothing was sent for a torn begin. If the
//! last settle is lost, its intent is unresolved, which does no harm. So only a begin and a halt wait for the disk. Any other line that
//! cannot be read, or has no checksum or another one, is damage.
//!
//! When it is opened, and when it has grown, a fresh file with what is still needed takes its place: what was spent on each
//! day, then the latest that landed, whose lamports are in those sums, the latest of the others that may have a transaction, then
//! what is unresolved and what stops trading.
//!
//! ```text
//! {"crc32":"…","day":20454,"lamports":"1000000000"}
//! {"crc32":"…","landed":{…},"outcome":"landed","signature":"…"}
//! {"crc32":"…","ended":{…},"outcome":"failed","signature":"…"}
//! {"crc32":"…","begin":{…}}
//! ```

use std::fs::{self, File, OpenOptions};
use std::io::{self, BufRead, BufReader, ErrorKind, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, mpsc};
use std::thread::{self, JoinHandle};

use futures_channel::oneshot;

use super::book::Book;
use super::line::{checked_line, read_checked};
use super::lock::{Lock, fresh_file, only_name, still_ours, sync_folder};
use super::stop::{StopFile, change_to};
use super::{Journal, JournalSays, OutsideMode};
use crate::transport::{BoxError, BoxFuture};
use launchpad_desk::bindings::drivers::{JOURNAL_GROWTH, MAX_LINE};
use launchpad_desk::bindings::object;
use launchpad_desk::bindings::reader::{self, Reader};
use launchpad_desk::intent::{IntentOutcome, Settlement};
use launchpad_desk::tape::{Data, Item, Tape, ToTape};
use launchpad_desk::trade::guard::{Mode, Suspension};
use launchpad_desk::trade::journal::{EndedTrade, Recalled, TradeIntent};

/// The longest intent, in bytes. With a longer name before it, its line can still be read.
const MAX_INTENT: usize = MAX_LINE / 2;

/// A journal in a file, for one process at a time. It survives kills and power cuts. `fileJournal` in the npm package uses the
/// same files.
///
/// A thread of its own writes the file, so only a trade that begins waits for the disk, and trades that begin together are
/// written together. When the journal is dropped, it writes all pending lines and frees the file.
///
/// ```
/// use launchpad_desk_client::FileJournal;
/// # let folder = std::env::temp_dir().join(format!("journal-example-{}", std::process::id()));
/// # std::fs::create_dir_all(&folder).unwrap();
/// # let path = folder.join("trades.journal");
/// let journal = FileJournal::open(&path).unwrap();
/// let second = FileJournal::open(&path).unwrap_err();
/// assert!(second.to_string().contains("is in use by process"));
/// # drop(journal);
/// # std::fs::remove_dir_all(&folder).unwrap();
/// ```
#[derive(Debug)]
pub struct FileJournal {
    /// Gone once it is closed.
    commands: Option<mpsc::Sender<Command>>,
    writer: Option<JoinHandle<()>>,
    torn: Option<String>,
    stop: Arc<StopFile>,
    path: PathBuf,
}

type Answer<T> = oneshot::Sender<Result<T, String>>;

#[derive(Debug)]
enum Command {
    Begin(TradeIntent, Answer<()>),
    Settle(String, Settlement, Suspension, Answer<()>),
    KeepSuspension(Suspension, Option<String>, Answer<()>),
    Recall(u64, Answer<Recalled>),
}

impl FileJournal {
    /// Opens the journal at `path`, which may not exist yet; its folder must.
    ///
    /// # Errors
    ///
    /// The file is, or may be, in use by another process (the error says what to do); a damaged line, which the error names;
    /// any other I/O error.
    pub fn open(path: impl AsRef<Path>) -> io::Result<FileJournal> {
        let path = std::path::absolute(path)?;
        Self::opened(&path).map_err(|error| naming(error, "journal", &path))
    }

    fn opened(path: &Path) -> io::Result<FileJournal> {
        let path = file_at(path)?;
        let lock = Lock::take(&path, "journal")?;
        only_name(&path, "journal")?;
        let (mut book, torn) = read_book(&path)?;
        let stop = Arc::new(StopFile::of(&path, book.kept_suspension().mode.unwrap_or_default()));
        if let Some(mode) = stop.since() {
            book.keep_suspension(change_to(mode));
        }
        let said = Arc::clone(&stop);
        let mut journal = Open {
            path: path.clone(),
            book,
            file: None,
            bytes: 0,
            most_bytes: 0,
            lacks_lines: false,
            broken: None,
            said,
            lock,
        };
        journal.shorten()?;
        let (commands, incoming) = mpsc::channel();
        let writer =
            thread::Builder::new().name("journal".to_owned()).spawn(move || journal.run(&incoming))?;
        Ok(FileJournal { commands: Some(commands), writer: Some(writer), torn, stop, path })
    }

    /// A message for a person if a kill or a power cut had torn the last line. That line was dropped.
    pub fn torn(&self) -> Option<&str> {
        self.torn.as_deref()
    }

    /// Passes a command to the writer; returns whether the journal is open.
    fn send(&self, command: Command) -> bool {
        self.commands.as_ref().is_some_and(|commands| commands.send(command).is_ok())
    }

    fn ask<T: Send + 'static>(
        &self,
        command: impl FnOnce(Answer<T>) -> Command,
    ) -> BoxFuture<'_, Result<T, BoxError>> {
        let (answer, answered) = oneshot::channel();
        let sent = self.send(command(answer));
        Box::pin(async move { self.answer(sent, answered.await) })
    }

    /// What the writer has answered, if it was sent to and still runs.
    fn answer<T>(
        &self,
        sent: bool,
        answer: Result<Result<T, String>, oneshot::Canceled>,
    ) -> Result<T, BoxError> {
        match (sent, answer) {
            (true, Ok(answer)) => answer.map_err(|why| self.says(why)),
            _ => Err(self.says(CLOSED.to_owned())),
        }
    }

    fn says(&self, why: String) -> BoxError {
        let named = named(&why, "journal", &self.path);
        JournalSays { why, named }.into()
    }
}

/// A text that names the file.
fn named(text: &str, what: &str, path: &Path) -> String {
    let name = path.display().to_string();
    if text.contains(&name) { text.to_owned() } else { format!("the {what} {name}: {text}") }
}

/// The same error, which names the file.
pub fn naming(error: io::Error, what: &str, path: &Path) -> io::Error {
    io::Error::new(error.kind(), named(&error.to_string(), what, path))
}

const CLOSED: &str = "the journal is closed";

/// A caller that waits for a begin. If it gives up, nothing is sent and the entry is settled: by the writer if the answer can
/// no longer be delivered, and here if it was delivered but not read.
struct Waiting<'a> {
    journal: &'a FileJournal,
    intent_id: String,
    answered: oneshot::Receiver<Result<(), String>>,
}

impl Drop for Waiting<'_> {
    fn drop(&mut self) {
        self.answered.close();
        if let Ok(Some(Ok(()))) = self.answered.try_recv() {
            let (answer, _) = oneshot::channel();
            self.journal.send(Command::Settle(
                self.intent_id.clone(),
                IntentOutcome::NotSent.into(),
                Suspension::default(),
                answer,
            ));
        }
    }
}

impl Journal for FileJournal {
    fn begin<'a>(&'a self, intent: &'a TradeIntent) -> BoxFuture<'a, Result<(), BoxError>> {
        let (answer, answered) = oneshot::channel();
        let sent = self.send(Command::Begin(intent.clone(), answer));
        let mut waiting = Waiting { journal: self, intent_id: intent.intent_id.clone(), answered };
        Box::pin(async move { self.answer(sent, (&mut waiting.answered).await) })
    }

    fn settle<'a>(
        &'a self,
        intent: &'a TradeIntent,
        settlement: Settlement,
        suspension: Suspension,
    ) -> BoxFuture<'a, Result<(), BoxError>> {
        self.ask(|answer| Command::Settle(intent.intent_id.clone(), settlement, suspension, answer))
    }

    fn keep_suspension(&self, change: Suspension) -> BoxFuture<'_, Result<(), BoxError>> {
        let text = change.mode.map(|mode| self.stop.say(mode));
        self.ask(|answer| Command::KeepSuspension(change, text, answer))
    }

    fn recall(&self, since_ms: u64) -> BoxFuture<'_, Result<Recalled, BoxError>> {
        self.ask(|answer| Command::Recall(since_ms, answer))
    }

    fn outside_mode(&self) -> Option<OutsideMode> {
        let (outside, is_news) = self.stop.outside_mode()?;
        if is_news {
            let (answer, _) = oneshot::channel();
            self.send(Command::KeepSuspension(change_to(outside.mode), None, answer));
        }
        Some(outside)
    }
}

/// Writes all pending lines, and frees the file.
impl Drop for FileJournal {
    fn drop(&mut self) {
        self.commands = None;
        if let Some(writer) = self.writer.take() {
            let _ = writer.join();
        }
    }
}

/// The file that a path leads to, existing or not. Without this, a link would be replaced instead of its target.
pub fn file_at(path: &Path) -> io::Result<PathBuf> {
    match fs::canonicalize(path) {
        Err(error) if error.kind() == ErrorKind::NotFound => {}
        found => return found,
    }
    let no_file = || io::Error::new(ErrorKind::InvalidInput, "the journal's path names no file");
    let folder = fs::canonicalize(path.parent().ok_or_else(no_file)?)?;
    match fs::read_link(path) {
        Ok(target) => file_at(&folder.join(target)),
        Err(_) => Ok(folder.join(path.file_name().ok_or_else(no_file)?)),
    }
}

/// Reads the lines of a journal. Also returns a message for a person if the last one is torn.
fn read_book(path: &Path) -> io::Result<(Book, Option<String>)> {
    let mut book = Book::default();
    let mut lines = match File::open(path) {
        Ok(file) => BufReader::with_capacity(1 << 20, file),
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok((book, None)),
        Err(error) => return Err(error),
    };
    let name = path.display();
    let damaged = |why: String| io::Error::new(ErrorKind::InvalidData, why);
    let mut is_torn = false;
    let mut line = Vec::new();
    for count in 1.. {
        line.clear();
        lines.by_ref().take(MAX_LINE as u64 + 2).read_until(b'\n', &mut line)?;
        if line.is_empty() {
            break;
        }
        if line.len() > MAX_LINE + 1 {
            let what = format!("{name} has a line of over {MAX_LINE} bytes: check it before you trade again");
            return Err(damaged(what));
        }
        let is_ended = line.pop_if(|last| *last == b'\n').is_some();
        let record = read_checked(&line);
        // A kill or a power cut may tear the last line, which then has no end; every other line was whole once, and is needed.
        if record.is_err() && !is_ended {
            is_torn = true;
            break;
        }
        record.and_then(|record| take(record.root(), &mut book)).map_err(|why| {
            damaged(format!(
                "line {count} of the journal {name} cannot be read ({why}): check it before you trade again"
            ))
        })?;
    }
    let torn = is_torn.then(|| {
        format!(
            "the last line of the journal {name} was torn and is dropped: for a torn begin nothing was sent, and a torn end \
             leaves its trade unresolved"
        )
    });
    book.interrupted();
    Ok((book, torn))
}

/// What a line may have.
const NAMES: [&str; 10] =
    ["begin", "settle", "outcome", "suspension", "landed", "day", "lamports", "ended", "signature", "proven"];

/// Applies one line.
fn take(line: Item, book: &mut Book) -> Result<(), String> {
    let mut names = line.fields().ok_or("it is not an object")?.map(|(name, _)| name);
    if let Some(stranger) = names.find(|name| !NAMES.contains(name)) {
        return Err(format!("{stranger} does not belong in a journal"));
    }
    let text = |name: &str| line.text_of(name).filter(|text| !text.is_empty());
    if let Some(intent) = line.get("begin") {
        return book.begin(intent_of(intent)?);
    }
    let signature = || text("signature").map(str::to_owned);
    let proven = line.get("proven").is_some_and(|proven| matches!(proven.data(), Data::Bool(true)));
    let ended = |intent: Item, outcome: IntentOutcome| -> Result<EndedTrade, String> {
        Ok(EndedTrade { intent: intent_of(intent)?, outcome, signature: signature(), proven })
    };
    let outcome = text("outcome").and_then(IntentOutcome::from_name);
    if let Some(intent) = line.get("landed") {
        book.land(ended(intent, outcome.ok_or("no outcome")?)?);
        return Ok(());
    }
    if let Some(intent) = line.get("ended") {
        book.end(ended(intent, outcome.ok_or("no outcome")?)?);
        return Ok(());
    }
    if let Some(day) = line.get("day").and_then(Item::whole) {
        let lamports = text("lamports").and_then(|digits| digits.parse().ok());
        book.spend(day, lamports.ok_or("a day without lamports")?);
        return Ok(());
    }
    let suspension = line.get("suspension");
    let suspension =
        suspension.map(|item| read_in("what stops trading", item, Suspension::read)).transpose()?;
    if let (Some(suspension), None) = (suspension, line.get("settle")) {
        book.keep_suspension(suspension);
        return Ok(());
    }
    let settlement = Settlement { signature: signature(), proven, ..outcome.ok_or("no outcome")?.into() };
    book.settle(text("settle").ok_or("no intent")?, &settlement, suspension.unwrap_or_default());
    Ok(())
}

/// What a part of a line says.
fn read_in<T>(part: &str, item: Item, read: impl FnMut(&mut Reader) -> T) -> Result<T, String> {
    reader::read(item, read).map_err(|problems| {
        let first = problems.into_iter().next().map(|problem| problem.message);
        format!("in {part}, {}", first.unwrap_or_default())
    })
}

/// An intent as a line has it.
fn intent_of(item: Item) -> Result<TradeIntent, String> {
    read_in("an intent", item, TradeIntent::read)
}

fn begin_line(intent: &TradeIntent) -> String {
    checked_line(&object! { "begin": intent })
}

fn settle_line(intent_id: &str, settlement: &Settlement, suspension: Suspension) -> String {
    let Settlement { outcome, signature, proven, .. } = settlement;
    let mut fields = vec![("settle", intent_id.to_tape())];
    fields.extend(ending(*outcome, signature.as_deref(), *proven));
    fields.extend((!suspension.is_empty()).then(|| ("suspension", suspension.to_tape())));
    checked_line(&Tape::object(&fields))
}

/// A trade that has ended, under this name, and what is known of its end.
fn ended_line(name: &str, ended: &EndedTrade) -> String {
    let EndedTrade { intent, outcome, signature, proven } = ended;
    let mut fields = vec![(name, intent.to_tape())];
    fields.extend(ending(*outcome, signature.as_deref(), *proven));
    checked_line(&Tape::object(&fields))
}

/// How a trade ended; what was not told is left out.
fn ending(outcome: IntentOutcome, signature: Option<&str>, proven: bool) -> Vec<(&'static str, Tape)> {
    let mut fields = vec![("outcome", outcome.to_tape())];
    fields.extend(signature.map(|signature| ("signature", signature.to_tape())));
    fields.extend(proven.then(|| ("proven", true.to_tape())));
    fields
}

fn suspension_line(suspension: Suspension) -> String {
    checked_line(&object! { "suspension": suspension })
}

/// A locked journal, in the thread that writes it.
struct Open {
    path: PathBuf,
    book: Book,
    /// Open once it has been shortened for the first time.
    file: Option<File>,
    bytes: u64,
    most_bytes: u64,
    /// Whether the book has more than the file, because lines could not be written.
    lacks_lines: bool,
    /// Why it can no longer write, if so: the file ends with half a line.
    broken: Option<String>,
    said: Arc<StopFile>,
    /// The last field: given back once the file is closed.
    lock: Lock,
}

impl Open {
    fn run(mut self, commands: &mpsc::Receiver<Command>) {
        while let Ok(first) = commands.recv() {
            let mut batch = vec![first];
            batch.extend(commands.try_iter());
            self.carry_out(batch);
        }
    }

    /// Commands that arrive together are written and synced together.
    fn carry_out(&mut self, batch: Vec<Command>) {
        let (mut lines, mut begun, mut settled, mut stops) =
            (String::new(), Vec::new(), Vec::new(), Vec::new());
        let mut sync = false;
        for command in batch {
            match command {
                Command::Recall(since_ms, answer) => {
                    let _ = answer.send(Ok(self.book.recall(since_ms)));
                }
                Command::Begin(intent, answer) => match self.begin(intent) {
                    Ok((intent_id, line)) => {
                        lines.push_str(&line);
                        begun.push((intent_id, answer));
                        sync = true;
                    }
                    Err(why) => drop(answer.send(Err(why))),
                },
                Command::Settle(intent_id, settlement, suspension, answer) => {
                    if self.broken.is_none() && self.book.settle(&intent_id, &settlement, suspension) {
                        lines.push_str(&settle_line(&intent_id, &settlement, suspension));
                    }
                    settled.push(answer);
                }
                Command::KeepSuspension(change, text, answer) => {
                    // The stop file has a stop, whether or not the journal can be written. It has not what the breaker is.
                    let is_kept = text.is_some() && change.mode != Some(Mode::Active);
                    let said = text.map_or(Ok(()), |text| self.said.write(&text));
                    if let Err(error) = said {
                        let _ = answer.send(Err(error.to_string()));
                        continue;
                    }
                    if self.broken.is_none() && self.book.keep_suspension(change) {
                        lines.push_str(&suspension_line(change));
                        sync = true;
                    }
                    if is_kept { stops.push(answer) } else { settled.push(answer) }
                }
            }
        }
        let written = self.write(&lines, sync);
        for answer in stops {
            let _ = answer.send(Ok(()));
        }
        for answer in settled {
            let _ = answer.send(written.clone());
        }
        let ends = self.answer_begun(begun, &written);
        // If this is lost, the trade is unresolved after a restart; nothing worse.
        let _ = self.write(&ends, false);
    }

    /// Says whether trades were begun. Returns the ends of those whose callers have given up.
    fn answer_begun(&mut self, begun: Vec<(String, Answer<()>)>, written: &Result<(), String>) -> String {
        let mut ends = String::new();
        let unsent = Settlement::from(IntentOutcome::NotSent);
        for (intent_id, answer) in begun {
            if written.is_err() {
                self.book.settle(&intent_id, &unsent, Suspension::default());
            }
            // The caller may have given up: then nothing is sent.
            if answer.send(written.clone()).is_err()
                && self.book.settle(&intent_id, &unsent, Suspension::default())
            {
                ends.push_str(&settle_line(&intent_id, &unsent, Suspension::default()));
            }
        }
        ends
    }

    fn begin(&mut self, intent: TradeIntent) -> Result<(String, String), String> {
        if let Some(broken) = &self.broken {
            return Err(broken.clone());
        }
        let line = begin_line(&intent);
        if line.len() > MAX_INTENT {
            return Err(format!("an intent of over {MAX_INTENT} bytes is too long"));
        }
        let intent_id = intent.intent_id.clone();
        // A line that cannot be read back would look torn after a crash, and its trade would be forgotten although it may have
        // been sent.
        let mut begun = Book::default();
        take(read_checked(line.trim_ascii_end().as_bytes())?.root(), &mut begun)?;
        self.book.begin(intent)?;
        Ok((intent_id, line))
    }

    /// Writes lines, and shortens the file if it has grown. The book must already have what these lines say.
    fn write(&mut self, lines: &str, sync: bool) -> Result<(), String> {
        if let Some(broken) = &self.broken {
            return Err(broken.clone());
        }
        if lines.is_empty() {
            return Ok(());
        }
        let written = self.must_be_held().and_then(|()| {
            let is_due = self.lacks_lines || self.bytes > self.most_bytes;
            if is_due && self.has_shortened()? { Ok(()) } else { self.append(lines, sync) }
        });
        written.map_err(|error| {
            self.lacks_lines = true;
            error.to_string()
        })
    }

    fn must_be_held(&self) -> io::Result<()> {
        if let Some(file) = &self.file {
            still_ours(&self.path, "journal", file, self.bytes)?;
        }
        if self.lock.is_held()? {
            return Ok(());
        }
        Err(io::Error::other("another process has taken over the journal"))
    }

    fn append(&mut self, lines: &str, sync: bool) -> io::Result<()> {
        let Some(file) = &mut self.file else { return Err(io::Error::other("the journal is closed")) };
        let written = file.write_all(lines.as_bytes());
        if let Err(error) = written.and_then(|()| if sync { file.sync_all() } else { Ok(()) }) {
            // A line after half a line would be lost.
            if file.set_len(self.bytes).is_err() {
                self.broken = Some(error.to_string());
            }
            return Err(error);
        }
        self.bytes += lines.len() as u64;
        if sync { still_ours(&self.path, "journal", file, self.bytes) } else { Ok(()) }
    }

    /// Tries to shorten the file; returns whether it could. If not, the file is unchanged.
    fn has_shortened(&mut self) -> io::Result<bool> {
        match self.shorten() {
            Ok(()) => Ok(true),
            Err(error) if self.file.is_none() => Err(error),
            Err(_) => {
                self.must_be_held()?;
                // If there is no room for a second file, there may still be room for a line.
                self.most_bytes = 2 * self.bytes;
                Ok(false)
            }
        }
    }

    /// Writes what is still needed into a fresh file, and replaces the old one with it.
    fn shorten(&mut self) -> io::Result<()> {
        let mut fresh_path = self.path.as_os_str().to_owned();
        fresh_path.push(".fresh");
        let bytes = self.write_fresh(Path::new(&fresh_path))?;
        self.must_be_held()?;
        let old = self.file.take();
        let had_file = old.is_some();
        // Some disks cannot rename onto an open file.
        drop(old);
        if let Err(error) = fs::rename(&fresh_path, &self.path) {
            if had_file {
                self.file = Some(appending(&self.path)?);
            }
            return Err(error);
        }
        sync_folder(&self.path)?;
        self.file = Some(appending(&self.path)?);
        self.bytes = bytes;
        self.most_bytes = 2 * bytes + JOURNAL_GROWTH;
        self.lacks_lines = false;
        Ok(())
    }

    /// Writes what is still needed into a new file; returns its size in bytes.
    fn write_fresh(&self, path: &Path) -> io::Result<u64> {
        let mut fresh = io::BufWriter::with_capacity(1 << 20, fresh_file(path)?);
        let mut bytes = 0;
        let days = self.book.days().map(|(day, lamports)| {
            checked_line(
                &object! { "day": launchpad_desk::tape::Number(day.into()), "lamports": lamports.to_string() },
            )
        });
        let landed = self.book.landed().map(|ended| ended_line("landed", ended));
        let ended = self.book.ended().map(|ended| ended_line("ended", ended));
        let begun = self.book.unresolved().map(begin_line);
        let unknown = self.book.unknown().map(|intent| {
            settle_line(&intent.intent_id, &IntentOutcome::Unknown.into(), Suspension::default())
        });
        let suspension = Some(self.book.kept_suspension())
            .filter(|suspension| !suspension.is_empty())
            .map(suspension_line);
        for line in days.chain(landed).chain(ended).chain(begun).chain(unknown).chain(suspension) {
            bytes += line.len() as u64;
            fresh.write_all(line.as_bytes())?;
        }
        fresh.into_inner().map_err(io::IntoInnerError::into_error)?.sync_all()?;
        Ok(bytes)
    }
}

fn appending(path: &Path) -> io::Result<File> {
    OpenOptions::new().append(true).open(path)
}
