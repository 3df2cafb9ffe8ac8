//! The audit log of a desk: what was done, in order, as lines of a [record](launchpad_desk::bindings::record). The head, a row of its own, holds the number and the hash of the newest entry. So a changed row breaks the chain, and a deleted tail does
//! not fit the head.

use std::collections::VecDeque;

use launchpad_desk::amount::Digits;
use launchpad_desk::bindings::object;
use launchpad_desk::bindings::reader::{self, Reader};
use launchpad_desk::error::FieldError;
use launchpad_desk::tape::{Item, Tape, json};
use launchpad_desk_record::chain::ChainCheck;
use launchpad_desk_record::line::{Entry, Head, next};

/// How many of the newest entries are kept in memory.
const AT_HAND: usize = 200;

/// How many of the newest entries are checked after a start. Reading all of a long log would take too long.
const CHECKED: u64 = 50_000;

/// How many of them are checked before the first request; the others after it, as many at a time: a trade must not wait for them.
const AT_ONCE: u64 = 1_000;

/// The kind of the log's rows.
pub(super) const KIND: &str = "audit";

/// The key of the head.
pub(super) const HEAD: &str = "head";

/// The key of an entry's row: padded to equal length, so that keys sort as numbers do.
pub(super) fn key_of(number: u64) -> String {
    let digits = number.digits();
    [KIND, "\n", &"0".repeat(16usize.saturating_sub(digits.len())), &digits].concat()
}

/// The head of the log, as its row has it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct AuditHead {
    /// The newest entry.
    last: Head,
    /// The entry from which on the log is checked: the first, or the one by which an operator acknowledged that it was broken.
    from: u64,
    /// What is broken, until an operator acknowledges it.
    broken: Option<String>,
}

impl AuditHead {
    pub fn read(value: Item) -> Result<AuditHead, Vec<FieldError>> {
        reader::read(value, |r| AuditHead {
            last: Head {
                number: r.need("number", Reader::whole),
                hash: r.need("hash", Reader::text).to_owned(),
            },
            from: r.need("from", Reader::whole),
            broken: r.text("broken").map(str::to_owned),
        })
    }

    fn row(&self) -> String {
        let AuditHead { last, from, broken } = self;
        json::write(&object! {
            "number": last.number, "hash": last.hash, "from": from, "broken": broken,
        })
    }

    /// The first of the newest entries, as many as these, that is to be checked.
    fn first_of(&self, newest: u64) -> u64 {
        self.from.max(self.last.number.saturating_add(1).saturating_sub(newest))
    }

    /// The first entry that a start checks.
    pub fn first_at_start(&self) -> u64 {
        self.first_of(AT_ONCE)
    }
}

/// The rows of a log as a start reads them, oldest first. Only the newest are kept.
#[derive(Debug, Default)]
pub(super) struct AuditRows {
    check: ChainCheck,
    newest: VecDeque<String>,
    first: Option<u64>,
    /// The first and the last row that did not fit, each with its number.
    breaks: Option<[(u64, String); 2]>,
}

impl AuditRows {
    pub fn add(&mut self, row: &str) {
        let checked = self.check.add(row);
        let number = self.check.last().map_or(0, |last| last.number);
        self.first.get_or_insert(number);
        if let Err(broken) = checked {
            let last = (number, broken.what);
            let first = self.breaks.take().map_or_else(|| last.clone(), |[first, _]| first);
            self.breaks = Some([first, last]);
        }
        if self.newest.len() == AT_HAND {
            self.newest.pop_front();
        }
        self.newest.push_back(row.to_owned());
    }

    fn broken(&self, head: Option<&AuditHead>) -> Option<String> {
        let Some(head) = head else { return Some("its head is missing".to_owned()) };
        let from = head.first_at_start();
        let found = self.breaks.iter().flatten().find(|(number, _)| *number > from);
        if let Some((_, what)) = found {
            return Some(what.clone());
        }
        match self.first {
            Some(first) if first > from => {
                Some(["the entries before ", &first.digits(), " are missing"].concat())
            }
            _ => self.check.end(&head.last).err(),
        }
    }
}

/// The entries that a start has left to be checked after it.
#[derive(Clone, Debug)]
struct Unchecked {
    next: u64,
    /// The last one: the first that the start has checked.
    last: u64,
}

/// The log.
#[derive(Clone, Debug, Default)]
pub(super) struct Audit {
    newest: VecDeque<Entry>,
    head: Option<AuditHead>,
    unchecked: Option<Unchecked>,
}

impl Audit {
    /// The log of a desk from its rows. Returns whether it was found broken just now, so that the head must be written.
    pub fn restored(rows: AuditRows, head: Option<AuditHead>) -> (Audit, bool) {
        let broken = rows.broken(head.as_ref());
        let newest: VecDeque<Entry> = rows.newest.iter().filter_map(|row| Entry::of(row).ok()).collect();
        let mut head = head.unwrap_or_else(|| {
            let last = rows.check.last().cloned();
            let last = last.unwrap_or(Head { number: 0, hash: String::new() });
            AuditHead { last, from: 0, broken: None }
        });
        let is_new = head.broken.is_none() && broken.is_some();
        // Once it was found, only an operator ends it.
        head.broken = head.broken.or(broken);
        let (next, last) = (head.first_of(CHECKED), head.first_at_start());
        let is_left = next < last && head.broken.is_none();
        let unchecked = is_left.then_some(Unchecked { next, last });
        (Audit { newest, head: Some(head), unchecked }, is_new)
    }

    /// The keys, from one until another, of the rows that are to be checked next.
    pub fn unchecked(&self) -> Option<(String, String)> {
        let Unchecked { next, last, .. } = self.unchecked.as_ref()?;
        let end = *last.min(&next.saturating_add(AT_ONCE));
        Some((key_of(*next), key_of(end.saturating_add(1))))
    }

    /// Checks those rows. Returns whether the log was found broken just now, so that the head must be written.
    pub fn check(&mut self, rows: &AuditRows) -> bool {
        let Some(Unchecked { next, last }) = self.unchecked.take().filter(|_| self.broken().is_none()) else {
            return false;
        };
        let end = last.min(next.saturating_add(AT_ONCE));
        let is_missing = |number: u64| ["entry ", &number.digits(), " is missing"].concat();
        let what = match (rows.first, rows.check.last()) {
            (Some(first), Some(_)) if first != next => is_missing(next),
            (Some(_), Some(found)) => match rows.breaks.as_ref().and_then(|breaks| breaks.first()) {
                Some((_, what)) => what.clone(),
                None if found.number < end => is_missing(found.number + 1),
                None => {
                    // The last one is read again, with those after it.
                    self.unchecked = (end < last).then_some(Unchecked { next: end, last });
                    return false;
                }
            },
            _ => is_missing(next),
        };
        self.break_off(what);
        true
    }

    /// Adds an entry and returns the keys and the texts of the rows to write.
    pub fn add(
        &mut self,
        now_ms: u64,
        by: &str,
        act: &str,
        intent: &str,
        detail: &str,
        data: Option<Tape>,
    ) -> [(String, String); 2] {
        let (last, from, broken) = match self.head.take() {
            Some(head) => (Some(head.last), head.from, head.broken),
            None => (None, 0, None),
        };
        let entry = Entry {
            at_ms: now_ms,
            by: by.to_owned(),
            act: act.to_owned(),
            intent: intent.to_owned(),
            detail: detail.to_owned(),
            data,
            ..Entry::default()
        };
        let (entry, row, last) = next(last.as_ref(), entry);
        let key = key_of(entry.number);
        let head = AuditHead { last, from, broken };
        let head_row = (HEAD.to_owned(), head.row());
        self.head = Some(head);
        if self.newest.len() == AT_HAND {
            self.newest.pop_front();
        }
        self.newest.push_back(entry);
        [(key, row), head_row]
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
            (head.from, head.broken) = (head.last.number.saturating_add(1), None);
        }
        self.unchecked = None;
    }

    pub fn head_row(&self) -> Option<(String, String)> {
        self.head.as_ref().map(|head| (HEAD.to_owned(), head.row()))
    }

    /// The number and the hash of the newest entry.
    pub fn head(&self) -> Option<&Head> {
        self.head.as_ref().map(|head| &head.last)
    }

    /// The first entry that an export must find without a break.
    pub fn first_checked(&self) -> u64 {
        self.head.as_ref().map_or(0, |head| head.from)
    }

    /// The entries in memory, newest first.
    pub fn newest(&self) -> impl Iterator<Item = &Entry> {
        self.newest.iter().rev()
    }
}
