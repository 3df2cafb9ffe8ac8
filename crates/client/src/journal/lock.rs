//! One process at a time: a lock file beside the journal or the record, which says who holds it. Programs in Rust and on Node share its form.
//!
//! A killed process leaves its lock behind, and so does one that ends by `std::process::exit`. The lock is taken over if its
//! process is seen to be gone. If that cannot be seen, as on another machine, a person has to remove it, with the npm package's
//! command `doctor FILE` or by hand.

use std::fs;
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};

use super::super::system::new_id;
use launchpad_desk::bindings::object;
use launchpad_desk::tape::{Data, Item, json};

/// A lock that this process holds, until it is dropped.
#[derive(Debug)]
pub struct Lock {
    path: PathBuf,
    own: String,
}

impl Lock {
    /// Takes the lock of a file. `what` is what it is: `journal` or `record`.
    ///
    /// # Errors
    ///
    /// Another process holds it, or may.
    pub fn take(file: &Path, what: &str) -> io::Result<Lock> {
        let (path, token) = (lock_of(file), new_id());
        let pid = std::process::id();
        let own = object! { "pid": pid, "host": hostname(), "start": stat_of(pid).map(|stat| stat.start), "token": token };
        let own = json::write(&own);
        let draft = with_suffix(&path, &token);
        let taken = fs::write(&draft, &own).and_then(|()| put_or_take_over(&draft, file, what, &own, &token));
        // A leftover draft is not a lock. Failing because of it would leave behind a lock that nobody holds.
        let _ = fs::remove_file(&draft);
        taken.map(|()| Lock { path, own })
    }

    /// Whether this process still holds it.
    pub fn is_held(&self) -> io::Result<bool> {
        Ok(read(&self.path)?.is_some_and(|text| text == self.own))
    }
}

/// Gives it back, if it is still this process's.
impl Drop for Lock {
    fn drop(&mut self) {
        if self.is_held().unwrap_or(false) {
            let _ = fs::remove_file(&self.path);
        }
    }
}

/// Refuses a file that has other names, under which another program would not see this one's lock. It may not exist yet.
pub fn only_name(path: &Path, what: &str) -> io::Result<()> {
    match fs::metadata(path) {
        Ok(found) if found.is_file() => one_name(&found, path, what),
        Ok(_) => Ok(()),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(()),
        Err(error) => Err(error),
    }
}

/// Refuses a file that is not at its path any more, has another name, or was written by others. It is asked before a line is written and
/// again once it is on the disk: whoever opens the file elsewhere after that has the line.
pub fn still_ours(path: &Path, what: &str, file: &fs::File, bytes: u64) -> io::Result<()> {
    let refused = |how: &str| io::Error::other(format!("the {what} {} {how}", path.display()));
    let found = match fs::metadata(path) {
        Err(error) if error.kind() == ErrorKind::NotFound => {
            return Err(refused(
                "is not where it was: it was renamed, moved or deleted while this program had it open. This program does not use it any \
                 more: end it, put the file back, and start it again",
            ));
        }
        found => found?,
    };
    let own = file.metadata()?;
    if !is_same(&found, &own) {
        return Err(refused(
            "is another file now: the one that this program has open was renamed, replaced or deleted. This program does not use it any \
             more: end it, put the right file there, and start it again",
        ));
    }
    one_name(&own, path, what)?;
    if own.len() != bytes {
        return Err(refused(
            "was changed by another program while this one had it open. This program does not use it any more: end both, find out which \
             trades were made, and start again",
        ));
    }
    Ok(())
}

#[cfg(unix)]
fn is_same(one: &fs::Metadata, other: &fs::Metadata) -> bool {
    use std::os::unix::fs::MetadataExt;
    (one.dev(), one.ino()) == (other.dev(), other.ino())
}

/// This system does not say which file it is.
#[cfg(not(unix))]
fn is_same(one: &fs::Metadata, other: &fs::Metadata) -> bool {
    one.created().ok() == other.created().ok()
}

#[cfg(unix)]
fn one_name(found: &fs::Metadata, path: &Path, what: &str) -> io::Result<()> {
    match std::os::unix::fs::MetadataExt::nlink(found) {
        0 | 1 => Ok(()),
        names => Err(io::Error::other(format!(
            "the {what} {} has {names} names (hard links), and programs that use different ones would not see each other: remove the others",
            path.display()
        ))),
    }
}

#[cfg(not(unix))]
fn one_name(_found: &fs::Metadata, _path: &Path, _what: &str) -> io::Result<()> {
    Ok(())
}

/// A new file in the place of an old one; only its owner may read it.
pub fn fresh_file(path: &Path) -> io::Result<fs::File> {
    let mut options = fs::OpenOptions::new();
    options.write(true).create(true).truncate(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path)
}

/// A file's entry is on the disk only once its folder was synced.
#[cfg(unix)]
pub fn sync_folder(path: &Path) -> io::Result<()> {
    let Some(folder) = path.parent() else { return Ok(()) };
    match fs::File::open(folder)?.sync_all() {
        // Some network disks cannot.
        Err(error) if matches!(error.kind(), ErrorKind::InvalidInput | ErrorKind::Unsupported) => Ok(()),
        synced => synced,
    }
}

/// Other systems cannot open a folder, and keep their entries by themselves.
#[cfg(not(unix))]
pub fn sync_folder(_path: &Path) -> io::Result<()> {
    Ok(())
}

fn lock_of(file: &Path) -> PathBuf {
    with_suffix(file, "lock")
}

fn put_or_take_over(draft: &Path, file: &Path, what: &str, own: &str, token: &str) -> io::Result<()> {
    let path = lock_of(file);
    while !put(draft, &path, own)? {
        remove_stale(file, what, &path, token)?;
    }
    Ok(())
}

/// Puts the lock at `path` unless one is there; returns whether it did. A link is made atomically, and only one process can
/// make it.
fn put(draft: &Path, path: &Path, text: &str) -> io::Result<bool> {
    let linked = fs::hard_link(draft, path).or_else(|error| match error.kind() {
        ErrorKind::AlreadyExists => Err(error),
        // A disk without links. Only one process can create the file, but a kill in the middle leaves a lock that a person has
        // to remove.
        _ => {
            let mut file = fs::File::create_new(path)?;
            file.write_all(text.as_bytes())
        }
    });
    match linked {
        Ok(()) => Ok(true),
        Err(error) if error.kind() == ErrorKind::AlreadyExists => Ok(false),
        Err(error) => Err(error),
    }
}

/// Removes the lock of a process that is gone.
fn remove_stale(file: &Path, what: &str, path: &Path, token: &str) -> io::Result<()> {
    let Some(found) = read(path)? else { return Ok(()) };
    let (name, lock) = (file.display(), path.display());
    let holder = Holder::read(&found).ok_or_else(|| {
        let text =
            format!("{lock} is not a lock of the {what} {name}: delete it if no other program uses it");
        io::Error::other(text)
    })?;
    let rest = match holder.is_running() {
        Running::No => None,
        Running::Yes => Some("this host: end that program first".to_owned()),
        Running::Perhaps => Some(format!(
            "this host: end that program first; if that process is another program, delete {lock}"
        )),
        Running::OnAnotherHost => Some(format!(
            "the host {}, which cannot be checked from here: once that program has ended, run \"npx launchpad-desk \
             doctor {}\", or delete {lock}",
            holder.host,
            quoted(&name.to_string()),
        )),
    };
    if let Some(rest) = rest {
        let text = format!("the {what} {name} is in use by process {} on {rest}", holder.pid);
        return Err(io::Error::other(text));
    }
    // Another process may have removed the stale lock first and put its own in place. Then that one is put back. Until it is
    // back, the other process does not hold it and begins no trade.
    let taken = with_suffix(path, &format!("{token}.stale"));
    match fs::rename(path, &taken) {
        Err(error) if error.kind() != ErrorKind::NotFound => return Err(error),
        _ => {}
    }
    let Some(moved) = read(&taken)? else { return Ok(()) };
    if moved != found {
        let _ = put(&taken, path, &moved);
    }
    fs::remove_file(&taken)
}

/// A path in a command, quoted if a shell would take it apart.
fn quoted(path: &str) -> String {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"_@%+=:,./-".contains(&byte);
    if !path.is_empty() && path.bytes().all(is_plain) {
        return path.to_owned();
    }
    format!("'{}'", path.replace('\'', "'\\''"))
}

pub fn with_suffix(path: &Path, suffix: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".");
    name.push(suffix);
    name.into()
}

fn read(path: &Path) -> io::Result<Option<String>> {
    match fs::read_to_string(path) {
        Ok(text) => Ok(Some(text)),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}

/// Who holds a lock.
struct Holder {
    host: String,
    pid: u32,
    start: Option<String>,
}

impl Holder {
    fn read(text: &str) -> Option<Holder> {
        let lock = json::parse(text.as_bytes()).ok()?;
        let text = |name: &str| match lock.root().get(name).map(Item::data) {
            Some(Data::String(text)) => Some(text.to_owned()),
            _ => None,
        };
        let pid = match lock.root().get("pid")?.data() {
            Data::Number(pid) => pid.parse().ok()?,
            _ => return None,
        };
        Some(Holder { host: text("host")?, pid, start: text("start") })
    }

    fn is_running(&self) -> Running {
        if self.host != hostname() {
            return Running::OnAnotherHost;
        }
        if !may_run(self.pid) {
            return Running::No;
        }
        let Some(now) = stat_of(self.pid) else { return Running::Perhaps };
        // A zombie has ended; its parent has not collected its status yet.
        if now.state == "Z" || now.state == "X" {
            return Running::No;
        }
        // The system may have given the id of a process that is gone to another one.
        match &self.start {
            None => Running::Perhaps,
            Some(start) if *start == now.start => Running::Yes,
            Some(_) => Running::No,
        }
    }
}

/// What is known of the process that holds a lock.
enum Running {
    No,
    /// Another process may have got its id since.
    Perhaps,
    Yes,
    OnAnotherHost,
}

/// The state of a process, and when it was started.
struct Stat {
    state: String,
    start: String,
}

/// What the system says about a process, if it does (Linux).
fn stat_of(pid: u32) -> Option<Stat> {
    let stat = fs::read(format!("/proc/{pid}/stat")).ok()?;
    let stat = String::from_utf8_lossy(&stat);
    // The name in it may hold anything, brackets and spaces too; the first field after it is the state, the 20th is the start.
    let (_, after) = stat.rsplit_once(')')?;
    let mut fields = after.split_ascii_whitespace();
    Some(Stat { state: fields.next()?.to_owned(), start: fields.nth(18)?.to_owned() })
}

#[cfg(unix)]
fn hostname() -> String {
    rustix::system::uname().nodename().to_string_lossy().into_owned()
}

/// Whether the process exists. One that this user may not signal does.
#[cfg(unix)]
fn may_run(pid: u32) -> bool {
    use rustix::io::Errno;
    use rustix::process::{Pid, test_kill_process};
    let Some(pid) = i32::try_from(pid).ok().and_then(Pid::from_raw) else { return true };
    test_kill_process(pid) != Err(Errno::SRCH)
}

#[cfg(not(unix))]
fn hostname() -> String {
    std::env::var("COMPUTERNAME").unwrap_or_default()
}

/// Whether the process exists. This system does not say, so a person has to decide.
#[cfg(not(unix))]
fn may_run(_pid: u32) -> bool {
    true
}
