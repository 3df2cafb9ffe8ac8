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
use super::lock::{fresh_file, with_suffix};
use launchpad_desk::bindings::object;
use launchpad_desk::bindings::reader;
use launchpad_desk::tape::json;
use launchpad_desk::trade::guard::{Mode, Suspension};

/// The stop file of a journal, and what of it the journal has already.
#[derive(Debug)]
pub(super) struct StopFile {
    path: PathBuf,
    known: Mutex<Known>,
}

/// What it says, and what this journal is about to say.
#[derive(Debug, Default)]
struct Known {
    said: Option<String>,
    /// What this journal's own program is about to say, the earliest first.
    own: Vec<String>,
    /// What the journal has a line of: what its program has heard last.
    kept: Option<String>,
}

impl StopFile {
    /// That of this journal. What it says now is known.
    pub(super) fn of(journal: &Path) -> StopFile {
        let path = with_suffix(journal, "stop");
        let said = read(&path);
        StopFile { path, known: Mutex::new(Known { said, ..Known::default() }) }
    }

    /// What it said when it was opened.
    pub(super) fn mode(&self) -> Option<Mode> {
        self.known().said.as_deref().map(mode_of)
    }

    /// What another program has said that this journal does not know, and whether that is news for the journal itself, once.
    pub(super) fn outside_mode(&self) -> Option<(OutsideMode, bool)> {
        let mut known = self.known();
        let text = self.unknown(&known)?;
        let is_news = known.kept.as_ref() != Some(&text);
        if is_news {
            // If the file says again what it said before, that is news.
            known.said = None;
            known.kept = Some(text.clone());
        }
        Some((OutsideMode { mode: mode_of(&text), text }, is_news))
    }

    /// What another program has said that this journal does not know. It is read while nothing else is said, so that no word of the program
    /// itself is taken for another's.
    fn unknown(&self, known: &Known) -> Option<String> {
        let text = read(&self.path)?;
        if known.said.as_ref() == Some(&text) || known.own.contains(&text) {
            return None;
        }
        // What the own program is about to say comes after this, and stops more.
        let stops = strictness(mode_of(&text));
        (!known.own.iter().any(|own| stops < strictness(mode_of(own)))).then_some(text)
    }

    /// What is about to be written. From now on what was heard is known, because this comes after it.
    pub(super) fn about_to_say(&self, mode: Mode) -> String {
        let text = json::write(&object! { "mode": mode, "id": new_id() }) + "\n";
        let mut known = self.known();
        let now = read(&self.path);
        if now == known.kept {
            known.said = now;
        }
        known.own.push(text.clone());
        text
    }

    /// Writes it.
    ///
    /// # Errors
    ///
    /// The file system, or another program has said what stops more meanwhile: a stop is not taken back unseen.
    pub(super) fn say(&self, text: &str) -> io::Result<()> {
        let said = self.replace(text);
        self.known().own.retain(|own| own != text);
        said
    }

    fn replace(&self, text: &str) -> io::Result<()> {
        self.check(&self.known(), text)?;
        let fresh = with_suffix(&self.path, "fresh");
        let mut file = fresh_file(&fresh)?;
        file.write_all(text.as_bytes())?;
        file.sync_all()?;
        drop(file);
        let mut known = self.known();
        self.check(&known, text)?;
        fs::rename(&fresh, &self.path)?;
        // Whatever another program says from now on is news, even with the same words as before.
        known.said = Some(text.to_owned());
        known.kept = None;
        Ok(())
    }

    fn check(&self, known: &Known, text: &str) -> io::Result<()> {
        match self.unknown(known).map(|outside| mode_of(&outside)) {
            Some(mode) if strictness(mode_of(text)) < strictness(mode) => {
                let mode = mode.as_str();
                Err(io::Error::other(format!("another program has just said that trading is {mode}")))
            }
            _ => Ok(()),
        }
    }

    fn known(&self) -> MutexGuard<'_, Known> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
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

fn strictness(mode: Mode) -> u8 {
    match mode {
        Mode::Active => 0,
        Mode::Reducing => 1,
        Mode::Halted => 2,
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
