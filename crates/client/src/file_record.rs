//! A record in a file, and its head in another beside it.
//!
//! Lines are on the disk before the head names them. So a kill or a power cut leaves a torn last line, which is cut off again, or whole lines
//! that the head does not name yet, which count. A head that names a line which is not there is never written.

use std::fs::{self, File, OpenOptions};
use std::io::{self, ErrorKind, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::mpsc;
use std::thread::{self, JoinHandle};

use futures_channel::oneshot;

use super::journal::{Lock, file_at, fresh_file, naming, only_name, still_ours, sync_folder, with_suffix};
use super::record::RecordStore;
use super::transport::{BoxError, BoxFuture};
use launchpad_desk::tape::{ToTape, json};
use launchpad_desk_record::{ChainCheck, Entry, Head};

/// How much of a file's end is looked at: far more than the lines that are written together.
const TAIL: u64 = 1 << 22;

/// How many lines a record may have before it has a head: those that are written together.
const AHEAD: usize = 16;

/// A record in the file at a path, and its head in `path.head`, in the form of the npm package's `fileRecord`. Lines are on the disk before a
/// trade is sent. One process at a time has the file open (`path.lock`).
pub struct FileRecord {
    head: String,
    torn: Option<String>,
    jobs: Option<mpsc::Sender<Job>>,
    writer: Option<JoinHandle<()>>,
}

/// Lines to write, and who waits for them.
struct Job {
    lines: String,
    head: String,
    kept: oneshot::Sender<Result<(), String>>,
}

impl FileRecord {
    /// Opens the record at this path, or begins one.
    ///
    /// # Errors
    ///
    /// Another process has it open, it does not end where its head says, or the file system fails.
    pub fn open(path: impl AsRef<Path>) -> io::Result<FileRecord> {
        let path = std::path::absolute(path)?;
        Self::opened(&path).map_err(|error| naming(error, "record", &path))
    }

    fn opened(path: &Path) -> io::Result<FileRecord> {
        let path = file_at(path)?;
        let lock = Lock::take(&path, "record")?;
        only_name(&path, "record")?;
        let head_path = with_suffix(&path, "head");
        let before = match fs::read_to_string(&head_path) {
            Err(error) if error.kind() == ErrorKind::NotFound => String::new(),
            read => read?.trim().to_owned(),
        };
        let mut options = OpenOptions::new();
        options.read(true).append(true).create(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        let mut file = options.open(&path)?;
        let (head, is_torn) = end_of(&mut file, &path, &before)?;
        if head != before {
            keep_head(&head_path, &format!("{head}\n"))?;
        }
        sync_folder(&path)?;
        let torn = is_torn.then(|| {
            let path = path.display();
            format!("the last line of the record {path} was torn and is dropped: nothing was sent after it")
        });
        let bytes = file.metadata()?.len();
        let mut open = Open { path, file, bytes, head_path, lock, broken: None };
        let (jobs, incoming) = mpsc::channel();
        let writer = thread::Builder::new().name("record".to_owned()).spawn(move || open.run(&incoming))?;
        Ok(FileRecord { head, torn, jobs: Some(jobs), writer: Some(writer) })
    }

    /// A message for a person if a kill or a power cut had torn the last line. That line was dropped.
    pub fn torn(&self) -> Option<&str> {
        self.torn.as_deref()
    }
}

/// Waits until all lines are written, and gives the file back.
impl Drop for FileRecord {
    fn drop(&mut self) {
        self.jobs = None;
        if let Some(writer) = self.writer.take() {
            let _ = writer.join();
        }
    }
}

impl RecordStore for FileRecord {
    fn head(&self) -> Result<String, BoxError> {
        Ok(self.head.clone())
    }

    fn append(&self, lines: String, head: String) -> BoxFuture<'static, Result<(), BoxError>> {
        let (kept, answered) = oneshot::channel();
        let is_sent = self.jobs.as_ref().is_some_and(|jobs| jobs.send(Job { lines, head, kept }).is_ok());
        Box::pin(async move {
            match answered.await {
                Ok(answer) if is_sent => answer.map_err(Into::into),
                _ => Err("the record is closed".into()),
            }
        })
    }
}

/// The files of a record, in the thread that writes them.
struct Open {
    path: PathBuf,
    file: File,
    /// How long it is.
    bytes: u64,
    head_path: PathBuf,
    lock: Lock,
    broken: Option<String>,
}

impl Open {
    fn run(&mut self, incoming: &mpsc::Receiver<Job>) {
        while let Ok(first) = incoming.recv() {
            let mut jobs = vec![first];
            jobs.extend(incoming.try_iter().take(AHEAD / 2 - 1));
            let lines: String = jobs.iter().map(|job| job.lines.as_str()).collect();
            let head = jobs.last().map_or("", |job| &job.head);
            let written = match &self.broken {
                Some(why) => Err(why.clone()),
                None => self.write(&lines, head).map_err(|error| error.to_string()),
            };
            if let Err(why) = &written {
                self.broken.get_or_insert_with(|| why.clone());
            }
            for job in jobs {
                // Nobody may wait for it any more.
                let _ = job.kept.send(written.clone());
            }
        }
    }

    fn write(&mut self, lines: &str, head: &str) -> io::Result<()> {
        still_ours(&self.path, "record", &self.file, self.bytes)?;
        if !self.lock.is_held()? {
            return Err(io::Error::other("another process has taken over the record"));
        }
        self.file.write_all(lines.as_bytes())?;
        self.file.sync_data()?;
        self.bytes += lines.len() as u64;
        still_ours(&self.path, "record", &self.file, self.bytes)?;
        keep_head(&self.head_path, head)?;
        // Without its first head, a record that has gone on would be refused after a power cut.
        if self.bytes == lines.len() as u64 { sync_folder(&self.path) } else { Ok(()) }
    }
}

/// Replaces the head, so that there is always a whole one, after a power cut, too: that or the one before, whose lines after it count.
fn keep_head(path: &Path, head: &str) -> io::Result<()> {
    let fresh = with_suffix(path, "fresh");
    let mut file = fresh_file(&fresh)?;
    file.write_all(head.as_bytes())?;
    file.sync_all()?;
    fs::rename(&fresh, path)
}

/// The head of the file's end, and whether its last line was torn. Whole lines after the one that the head names were written when the
/// program ended.
fn end_of(file: &mut File, path: &Path, head: &str) -> io::Result<(String, bool)> {
    let size = file.metadata()?.len();
    let from = size.saturating_sub(TAIL);
    let mut tail = Vec::new();
    file.seek(SeekFrom::Start(from))?;
    file.read_to_end(&mut tail)?;
    let whole = tail.iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
    let is_torn = whole < tail.len();
    if is_torn {
        tail.truncate(whole);
        file.set_len(from + whole as u64)?;
    }
    let text = String::from_utf8_lossy(&tail);
    let lines: Vec<&str> = text.lines().skip(usize::from(from > 0)).collect();
    let refused = |what: &str| {
        let path = path.display();
        let advice = "see `launchpad-desk verify`, and move both files away to begin a new one";
        io::Error::new(ErrorKind::InvalidData, format!("the record {path} {what}: {advice}"))
    };
    let Some(last) = lines.last() else {
        return if head.is_empty() {
            Ok((String::new(), is_torn))
        } else {
            Err(refused("lacks the lines that its head names"))
        };
    };
    let mut check = if head.is_empty() && lines.len() <= AHEAD && from == 0 {
        ChainCheck::default()
    } else {
        Head::read(head).map(ChainCheck::after).map_err(|_| refused("has a head that cannot be read"))?
    };
    let named = check.last().map(|head| head.hash.clone());
    let after = match &named {
        None => Some(0),
        // After a power cut the head may be an older one.
        Some(hash) => lines.iter().rposition(|line| Head::of(0, line).hash == *hash).map(|at| at + 1),
    };
    let after = after.ok_or_else(|| refused("does not end where its head says"))?;
    for line in lines.get(after..).unwrap_or_default() {
        check.add(line).map_err(|_| refused("has a line after its head that does not follow from it"))?;
    }
    let number = Entry::of(last).map_err(|_| refused("ends with something else than a line"))?.number;
    Ok((json::write(&Head::of(number, last).to_tape()), is_torn))
}
