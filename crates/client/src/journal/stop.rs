//! What stops all trading, in a file beside the journal (`trades.journal.stop`), which any program may replace without the journal's lock. The
//! program that has the journal reads it right before each send. `halt`, `reduce` and `resume` of the npm package's command line write
//! the same file.
//!
//! ```text
//! {"mode":"halted","id":"0198…"}
//! ```
//!
//! Each has an id, so that the same words said again are news. A file that cannot be read, or says something else, halts: so does an empty one,
//! which any shell can make.

use std::fs;
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::super::system::new_id;
use super::OutsideMode;
use super::lock::{fresh_file, sync_folder, with_suffix};
use super::shared_mode::SharedMode;
use launchpad_desk::bindings::{object, reader};
use launchpad_desk::tape::json;
use launchpad_desk::trade::guard::{Mode, Suspension};

/// The stop file of a journal, and what of it the journal's program knows.
#[derive(Debug)]
pub(super) struct StopFile {
    path: PathBuf,
    shared: Mutex<SharedMode>,
    /// What a person said while no program had the journal.
    since: Option<Mode>,
}

impl StopFile {
    /// That of this journal, which has the mode `kept`.
    pub(super) fn of(journal: &Path, kept: Mode) -> StopFile {
        let path = with_suffix(journal, "stop");
        let said = read(&path);
        let mode = said.as_deref().map_or(kept, mode_of);
        let shared = Mutex::new(SharedMode::new(mode_of, said, mode));
        StopFile { path, shared, since: (mode != kept).then_some(mode) }
    }

    /// What a person said while no program had the journal.
    pub(super) fn since(&self) -> Option<Mode> {
        self.since
    }

    /// What another program has said that this one has not taken back, and whether that is news.
    pub(super) fn outside_mode(&self) -> Option<(OutsideMode, bool)> {
        // Read while nothing is written, so that it is the latest.
        let mut shared = self.shared();
        shared.hear(read(&self.path))
    }

    /// What this journal's own program says. It has said so now; it is [written](StopFile::write) later, in the same order.
    pub(super) fn say(&self, mode: Mode) -> String {
        let word = json::write(&object! { "mode": mode, "id": new_id() }) + "\n";
        let mut shared = self.shared();
        shared.say(mode, word.clone(), read(&self.path));
        word
    }

    /// Writes it.
    /// Fails if the file system does, or if another program has said what stops more, which this one had not heard when it said so.
    pub(super) fn write(&self, word: &str) -> io::Result<()> {
        self.replace(word).inspect_err(|_| self.shared().failed(word))
    }

    fn replace(&self, word: &str) -> io::Result<()> {
        let fresh = with_suffix(&self.path, "fresh");
        let mut file = fresh_file(&fresh)?;
        file.write_all(word.as_bytes())?;
        file.sync_all()?;
        drop(file);
        let mut shared = self.shared();
        shared.check(word, read(&self.path)).map_err(|mode| {
            io::Error::other(format!("another program has just said that trading is {}", mode.as_str()))
        })?;
        fs::rename(&fresh, &self.path)?;
        shared.wrote(word);
        drop(shared);
        sync_folder(&self.path)
    }

    fn shared(&self) -> MutexGuard<'_, SharedMode> {
        self.shared.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The change that a mode is for a journal: who lets everything through has checked what the breaker stopped.
pub(super) fn change_to(mode: Mode) -> Suspension {
    let mode_only = Suspension { mode: Some(mode), ..Suspension::default() };
    match mode {
        Mode::Active => Suspension { breaker_open: Some(false), unknowns_in_a_row: Some(0), ..mode_only },
        Mode::Halted | Mode::Reducing => mode_only,
    }
}

/// Its text; nothing if there is none. One that cannot be read is not none.
fn read(path: &Path) -> Option<String> {
    match fs::read(path) {
        Ok(text) => Some(String::from_utf8_lossy(&text).into_owned()),
        Err(error) if error.kind() == ErrorKind::NotFound => None,
        Err(error) => Some(error.to_string()),
    }
}

fn mode_of(text: &str) -> Mode {
    let said = json::parse(text.trim_end().as_bytes()).unwrap_or_default();
    let read = reader::read(said.root(), |r| {
        r.ignore_rest();
        r.choice("mode", Mode::NAMED)
    });
    read.ok().flatten().unwrap_or(Mode::Halted)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_understood_halts() {
        let said = [
            r#"{"mode":"active","id":"1"}"#,
            "{\"mode\":\"reducing\",\"by\":\"ann\"}\n",
            r#"{"mode":"halted"}"#,
        ];
        assert_eq!(said.map(mode_of), [Mode::Active, Mode::Reducing, Mode::Halted]);
        for text in ["", "active", "{}", r#"{"mode":"on"}"#, r#"{"mode":7}"#, "[]", "EACCES"] {
            assert_eq!(mode_of(text), Mode::Halted, "{text}");
        }
    }
}
