//! Whether lines follow each other: each holds the hash of the one before it.

use super::hash::{hex, sha256};
use super::line::Head;
use launchpad_desk::amount::Digits;
use launchpad_desk::bindings::error_text;

/// Checks the lines of a record, or the rows of an audit log, one after another, in flat memory.
///
/// ```
/// use launchpad_desk_record::{ChainCheck, Head};
///
/// let row = |number: u64, previous: &str| format!(r#"{{"number":{number},"previous":"{previous}"}}"#);
/// let (first, mut check) = (row(0, ""), ChainCheck::default());
/// check.add(&first).unwrap();
/// check.add(&row(1, &Head::of(0, &first).hash)).unwrap();
/// assert_eq!(check.add(&row(3, "")).unwrap_err().what, "entry 2 is missing");
/// ```
#[derive(Clone, Debug, Default)]
pub struct ChainCheck {
    last: Option<Head>,
    kept: Option<Head>,
}

/// How a line does not follow the one before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// It is not a line of a record.
    Foreign,
    /// Lines before it are missing.
    Missing,
    /// It belongs further up, or is there twice.
    Moved,
    /// It, or the line before it, was changed.
    Changed,
}

/// Why a line does not follow.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Break {
    pub kind: Kind,
    /// The same in words.
    pub what: String,
    /// Whether the line holds the hash of the one before it all the same.
    pub holds_hash: bool,
}

error_text!(Break, |why| &why.what);

impl ChainCheck {
    /// A check that goes on after this line.
    pub fn after(last: Head) -> ChainCheck {
        ChainCheck { last: Some(last), kept: None }
    }

    /// A check of lines of which this one was kept: if they begin after it, they go on right after it.
    pub fn beside(kept: Option<Head>) -> ChainCheck {
        ChainCheck { last: None, kept }
    }

    /// Checks the next line: the exact text of it. The first may have any number; only if it is 0, nothing comes before it.
    /// Fails with what is wrong with it. The next line is compared with this one.
    pub fn add(&mut self, line: &str) -> Result<(), Break> {
        let last = self.last.take();
        let hash = hex(&sha256(line.as_bytes()));
        let Some((number, previous)) = link_of(line) else {
            let after = last.map(|last| last.number);
            self.last = Some(Head { number: after.map_or(0, |number| number.saturating_add(1)), hash });
            let what = match after {
                Some(after) => {
                    ["the row after entry ", &after.digits(), " does not belong to the log"].concat()
                }
                None => "the first row does not belong to the log".to_owned(),
            };
            return Err(Break { kind: Kind::Foreign, what, holds_hash: false });
        };
        self.last = Some(Head { number, hash });
        let kept = self.kept.take().filter(|kept| kept.number < number);
        let Some(Head { number: before, hash }) = last.or(kept) else {
            return match (number, previous) {
                (1.., _) | (0, "") => Ok(()),
                _ => {
                    let what = "entry 0 must have nothing before it".to_owned();
                    Err(Break { kind: Kind::Changed, what, holds_hash: false })
                }
            };
        };
        let (due, holds_hash) = (before.saturating_add(1), previous == hash);
        let broken = |kind, what| Err(Break { kind, what, holds_hash });
        if number != due {
            return match number.checked_sub(due) {
                None => broken(
                    Kind::Moved,
                    ["entry ", &number.digits(), " comes after entry ", &before.digits()].concat(),
                ),
                Some(1) => broken(Kind::Missing, ["entry ", &due.digits(), " is missing"].concat()),
                Some(_) => broken(
                    Kind::Missing,
                    ["entries ", &due.digits(), " to ", &(number - 1).digits(), " are missing"].concat(),
                ),
            };
        }
        if holds_hash {
            return Ok(());
        }
        let (number, before) = (number.digits(), before.digits());
        let told = ["entry ", &number, " does not hold the hash of entry ", &before];
        broken(Kind::Changed, [told.concat().as_str(), ": one of the two was changed"].concat())
    }

    /// The number and the hash of the last line.
    pub fn last(&self) -> Option<&Head> {
        self.last.as_ref()
    }

    /// Checks that the record ends with this line: its number and its hash.
    /// Fails with what is wrong, in words.
    pub fn end(&self, head: &Head) -> Result<(), String> {
        let number = head.number;
        match &self.last {
            Some(last) if last == head => Ok(()),
            Some(last) if last.number == number => Err(["entry ", &number.digits(), " was changed"].concat()),
            Some(last) if last.number > number => {
                Err(["the log goes on after its head, entry ", &number.digits()].concat())
            }
            Some(last) => {
                Err(["the entries after ", &last.number.digits(), ", to ", &number.digits(), ", are missing"]
                    .concat())
            }
            None => Err(["all entries to ", &number.digits(), " are missing"].concat()),
        }
    }
}

/// The number of a line and the hash that it holds. A line has one form, so this need not parse it.
fn link_of(line: &str) -> Option<(u64, &str)> {
    let rest = line.strip_prefix("{\"number\":")?;
    let number = rest.get(..rest.find(',')?)?.parse().ok()?;
    let rest = rest.strip_suffix("\"}")?;
    let at = rest.rfind('"')?;
    let (before, previous) = (rest.get(..at)?, rest.get(at + 1..)?);
    let is_hash = matches!(previous.len(), 0 | 64) && previous.bytes().all(|byte| byte.is_ascii_hexdigit());
    (is_hash && before.ends_with(",\"previous\":")).then_some((number, previous))
}
