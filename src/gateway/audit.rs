//! The audit log of a desk: what was done, in order. An entry is written once and holds the hash of the entry before it. The head,
//! a row of its own, holds the number and the hash of the newest entry. So a changed row breaks the chain, and a deleted tail does
//! not fit the head.

use std::collections::VecDeque;

use crate::amount::Digits;
use crate::error::FieldError;
use crate::gateway::hash::{hex, sha256};
use crate::object;
use crate::reader::{self, Reader};
use crate::tape::{Item, Number, ToTape, Writer, json};

/// How many of the newest entries are kept in memory.
const AT_HAND: usize = 200;

/// How many of the newest entries a start checks. Reading all of a long log would take too long.
const CHECKED: u64 = 50_000;

/// The kind of the log's rows.
pub(super) const KIND: &str = "audit";

/// The key of the head.
pub(super) const HEAD: &str = "head";

/// One thing that was done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AuditEntry {
    /// Its position in the log, from zero.
    pub number: u64,
    /// When, in milliseconds since 1970.
    pub at_ms: u64,
    /// Who did it: a caller's name, or `gateway`.
    pub by: String,
    /// What was done: `halt`, `approve`, `trade`, `expired`…
    pub act: String,
    /// The id of the intent concerned; empty if there is none.
    pub intent: String,
    /// A short description.
    pub detail: String,
    /// The SHA-256 of the row before it; empty for the first.
    pub previous: String,
}

impl AuditEntry {
    /// Reads an entry from its row.
    pub(super) fn of(row: &str) -> Result<AuditEntry, Vec<FieldError>> {
        let value = json::parse(row.as_bytes()).unwrap_or_default();
        reader::read(value.root(), |r| AuditEntry {
            number: r.need("number", Reader::whole),
            at_ms: r.need("atMs", Reader::whole),
            by: r.need("by", Reader::text).to_owned(),
            act: r.need("act", Reader::text).to_owned(),
            intent: r.need("intent", Reader::text).to_owned(),
            detail: r.need("detail", Reader::text).to_owned(),
            previous: r.need("previous", Reader::text).to_owned(),
        })
    }
}

impl ToTape for AuditEntry {
    fn write(&self, tape: &mut Writer) {
        let (number, at_ms) = (Number(self.number.into()), Number(self.at_ms.into()));
        let fields: [(&str, &dyn ToTape); 7] = [
            ("number", &number),
            ("atMs", &at_ms),
            ("by", &self.by),
            ("act", &self.act),
            ("intent", &self.intent),
            ("detail", &self.detail),
            ("previous", &self.previous),
        ];
        tape.object(&mut fields.into_iter());
    }
}

/// The key of an entry's row: padded to equal length, so that keys sort as numbers do.
pub(super) fn key_of(number: u64) -> String {
    let digits = number.digits();
    [KIND, "\n", &"0".repeat(16usize.saturating_sub(digits.len())), &digits].concat()
}

/// Checks the rows of an audit log, one after another, in flat memory.
///
/// ```
/// use launchpad_desk::gateway::{AuditCheck, token_hash};
///
/// let row = |number: u64, previous: &str| format!(r#"{{"number":{number},"previous":"{previous}"}}"#);
/// let (first, mut check) = (row(0, ""), AuditCheck::default());
/// check.add(&first).unwrap();
/// check.add(&row(1, &token_hash(&first))).unwrap();
/// assert_eq!(check.add(&row(3, "")).unwrap_err(), "entry 2 is missing");
/// ```
#[derive(Clone, Debug, Default)]
pub struct AuditCheck {
    /// The number and the hash of the last row.
    last: Option<(u64, String)>,
}

impl AuditCheck {
    /// Checks the next row: the exact text of it. The first may have any number; only if it is 0, nothing comes before it.
    ///
    /// # Errors
    ///
    /// What is wrong with it, in words. The next row is compared with this one.
    pub fn add(&mut self, row: &str) -> Result<(), String> {
        let last = self.last.take();
        let hash = hex(&sha256(row.as_bytes()));
        let Some((number, previous)) = link_of(row) else {
            let after = last.map(|(number, _)| number);
            self.last = Some((after.map_or(0, |number| number.saturating_add(1)), hash));
            return Err(match after {
                Some(after) => {
                    ["the row after entry ", &after.digits(), " does not belong to the log"].concat()
                }
                None => "the first row does not belong to the log".to_owned(),
            });
        };
        self.last = Some((number, hash));
        let Some((before, hash)) = last else {
            return match (number, previous) {
                (1.., _) | (0, "") => Ok(()),
                _ => Err("entry 0 must have nothing before it".to_owned()),
            };
        };
        let due = before.saturating_add(1);
        if number != due {
            return Err(match number.checked_sub(due) {
                None => ["entry ", &number.digits(), " comes after entry ", &before.digits()].concat(),
                Some(1) => ["entry ", &due.digits(), " is missing"].concat(),
                Some(_) => {
                    ["entries ", &due.digits(), " to ", &(number - 1).digits(), " are missing"].concat()
                }
            });
        }
        if previous == hash {
            return Ok(());
        }
        let (number, before) = (number.digits(), before.digits());
        let told = ["entry ", &number, " does not hold the hash of entry ", &before];
        Err([told.concat().as_str(), ": one of the two was changed"].concat())
    }

    /// The number and the hash of the last row.
    pub fn last(&self) -> Option<(u64, &str)> {
        self.last.as_ref().map(|(number, hash)| (*number, hash.as_str()))
    }

    /// Checks that the log ends with this entry: its number and its hash.
    ///
    /// # Errors
    ///
    /// What is wrong, in words.
    pub fn end(&self, number: u64, hash: &str) -> Result<(), String> {
        match self.last() {
            Some((last, own)) if last == number && own == hash => Ok(()),
            Some((last, _)) if last == number => Err(["entry ", &number.digits(), " was changed"].concat()),
            Some((last, _)) if last > number => {
                Err(["the log goes on after its head, entry ", &number.digits()].concat())
            }
            Some((last, _)) => {
                Err(["the entries after ", &last.digits(), ", to ", &number.digits(), ", are missing"]
                    .concat())
            }
            None => Err(["all entries to ", &number.digits(), " are missing"].concat()),
        }
    }
}

/// The number of a row and the hash that it holds. A row has one form, so this need not parse it.
fn link_of(row: &str) -> Option<(u64, &str)> {
    let rest = row.strip_prefix("{\"number\":")?;
    let number = rest.get(..rest.find(',')?)?.parse().ok()?;
    let rest = rest.strip_suffix("\"}")?;
    let at = rest.rfind('"')?;
    let (before, previous) = (rest.get(..at)?, rest.get(at + 1..)?);
    let is_hash = matches!(previous.len(), 0 | 64) && previous.bytes().all(|byte| byte.is_ascii_hexdigit());
    (is_hash && before.ends_with(",\"previous\":")).then_some((number, previous))
}

/// The head of the log, as its row has it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Head {
    /// The number of the newest entry.
    number: u64,
    /// Its hash.
    hash: String,
    /// The entry from which on the log is checked: the first, or the one by which an operator acknowledged that it was broken.
    from: u64,
    /// What is broken, until an operator acknowledges it.
    broken: Option<String>,
}

impl Head {
    pub fn read(value: Item) -> Result<Head, Vec<FieldError>> {
        reader::read(value, |r| Head {
            number: r.need("number", Reader::whole),
            hash: r.need("hash", Reader::text).to_owned(),
            from: r.need("from", Reader::whole),
            broken: r.text("broken").map(str::to_owned),
        })
    }

    fn row(&self) -> String {
        let Head { number, hash, from, broken } = self;
        json::write(&object! {
            "number": Number((*number).into()),
            "hash": hash,
            "from": Number((*from).into()),
            "broken": broken,
        })
    }

    /// The first entry that a start checks.
    pub fn first_checked(&self) -> u64 {
        self.from.max(self.number.saturating_add(1).saturating_sub(CHECKED))
    }
}

/// The rows of a log as a start reads them, oldest first. Only the newest are kept.
#[derive(Debug, Default)]
pub(super) struct AuditRows {
    check: AuditCheck,
    newest: VecDeque<String>,
    first: Option<u64>,
    /// The first and the last row that did not fit, each with its number.
    breaks: Option<[(u64, String); 2]>,
}

impl AuditRows {
    pub fn add(&mut self, row: &str) {
        let checked = self.check.add(row);
        let number = self.check.last().map_or(0, |(number, _)| number);
        self.first.get_or_insert(number);
        if let Err(what) = checked {
            let last = (number, what);
            let first = self.breaks.take().map_or_else(|| last.clone(), |[first, _]| first);
            self.breaks = Some([first, last]);
        }
        if self.newest.len() == AT_HAND {
            self.newest.pop_front();
        }
        self.newest.push_back(row.to_owned());
    }

    /// What is broken.
    fn broken(&self, head: Option<&Head>) -> Option<String> {
        let Some(head) = head else { return Some("its head is missing".to_owned()) };
        let from = head.first_checked();
        let found = self.breaks.iter().flatten().find(|(number, _)| *number > from);
        if let Some((_, what)) = found {
            return Some(what.clone());
        }
        match self.first {
            Some(first) if first > from => {
                Some(["the entries before ", &first.digits(), " are missing"].concat())
            }
            _ => self.check.end(head.number, &head.hash).err(),
        }
    }
}

/// The log.
#[derive(Clone, Debug, Default)]
pub(super) struct Audit {
    newest: VecDeque<AuditEntry>,
    head: Option<Head>,
}

impl Audit {
    /// The log of a desk from its rows. Returns whether it was found broken just now, so that the head must be written.
    pub fn restored(rows: AuditRows, head: Option<Head>) -> (Audit, bool) {
        let broken = rows.broken(head.as_ref());
        let newest: VecDeque<AuditEntry> =
            rows.newest.iter().filter_map(|row| AuditEntry::of(row).ok()).collect();
        let last = rows.check.last().map(|(number, hash)| (number, hash.to_owned()));
        let mut head = head.unwrap_or_else(|| {
            let (number, hash) = last.unwrap_or_default();
            Head { number, hash, from: 0, broken: None }
        });
        let is_new = head.broken.is_none() && broken.is_some();
        // Once it was found, only an operator ends it.
        head.broken = head.broken.or(broken);
        (Audit { newest, head: Some(head) }, is_new)
    }

    /// Adds an entry and returns the keys and the texts of the rows to write.
    pub fn add(
        &mut self,
        now_ms: u64,
        by: &str,
        act: &str,
        intent: &str,
        detail: &str,
    ) -> [(String, String); 2] {
        let (number, previous, from, broken) = match self.head.take() {
            Some(head) => (head.number.saturating_add(1), head.hash, head.from, head.broken),
            None => (0, String::new(), 0, None),
        };
        let entry = AuditEntry {
            number,
            at_ms: now_ms,
            by: by.to_owned(),
            act: act.to_owned(),
            intent: intent.to_owned(),
            detail: detail.to_owned(),
            previous,
        };
        let row = json::write(&entry.to_tape());
        let head = Head { number, hash: hex(&sha256(row.as_bytes())), from, broken };
        let head_row = (HEAD.to_owned(), head.row());
        self.head = Some(head);
        if self.newest.len() == AT_HAND {
            self.newest.pop_front();
        }
        self.newest.push_back(entry);
        [(key_of(number), row), head_row]
    }

    /// What is broken, until an operator acknowledges it.
    pub fn broken(&self) -> Option<&str> {
        self.head.as_ref()?.broken.as_deref()
    }

    /// Marks the log as broken.
    pub fn break_off(&mut self, what: String) {
        if let Some(head) = &mut self.head {
            head.broken.get_or_insert(what);
        }
    }

    /// From the next entry on, the log is checked again from the start.
    pub fn acknowledge(&mut self) {
        if let Some(head) = &mut self.head {
            (head.from, head.broken) = (head.number.saturating_add(1), None);
        }
    }

    /// The row of the head.
    pub fn head_row(&self) -> Option<(String, String)> {
        self.head.as_ref().map(|head| (HEAD.to_owned(), head.row()))
    }

    /// The number and the hash of the newest entry.
    pub fn head(&self) -> Option<(u64, &str)> {
        self.head.as_ref().map(|head| (head.number, head.hash.as_str()))
    }

    /// The first entry that an export must find without a break.
    pub fn first_checked(&self) -> u64 {
        self.head.as_ref().map_or(0, |head| head.from)
    }

    /// The entries in memory, newest first.
    pub fn newest(&self) -> impl Iterator<Item = &AuditEntry> {
        self.newest.iter().rev()
    }
}
