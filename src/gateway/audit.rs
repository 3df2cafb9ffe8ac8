//! The audit log of a desk: what was done, in order. An entry is written once and holds the hash of the entry before it, so an
//! edited log breaks the chain.

use std::collections::VecDeque;

use crate::amount::Digits;
use crate::error::FieldError;
use crate::gateway::hash::{hex, sha256};
use crate::reader::{self, Reader};
use crate::tape::{Item, Number, ToTape, Writer, json};

/// How many of the newest entries are kept in memory.
const AT_HAND: usize = 200;

/// The kind of the log's rows.
pub(super) const KIND: &str = "audit";

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

/// The newest entries.
#[derive(Clone, Debug, Default)]
pub(super) struct Audit {
    newest: VecDeque<AuditEntry>,
    next: u64,
    last_hash: String,
}

impl Audit {
    /// Adds an entry and returns the key and the text of its row.
    pub fn add(&mut self, now_ms: u64, by: &str, act: &str, intent: &str, detail: &str) -> (String, String) {
        let entry = AuditEntry {
            number: self.next,
            at_ms: now_ms,
            by: by.to_owned(),
            act: act.to_owned(),
            intent: intent.to_owned(),
            detail: detail.to_owned(),
            previous: std::mem::take(&mut self.last_hash),
        };
        let row = json::write(&entry.to_tape());
        let digits = self.next.digits();
        // Padded to equal length, so that keys sort as numbers do.
        let key = [KIND, "\n", &"0".repeat(16usize.saturating_sub(digits.len())), &digits].concat();
        self.put(entry, &row);
        (key, row)
    }

    fn put(&mut self, entry: AuditEntry, row: &str) {
        (self.next, self.last_hash) = (entry.number.saturating_add(1), hex(&sha256(row.as_bytes())));
        if self.newest.len() == AT_HAND {
            self.newest.pop_front();
        }
        self.newest.push_back(entry);
    }

    /// Restores an entry from its row. Only the newest rows are passed in, oldest first.
    pub fn restore(&mut self, value: Item, row: &str) -> Result<(), Vec<FieldError>> {
        let entry = reader::read(value, |r| AuditEntry {
            number: r.need("number", Reader::whole),
            at_ms: r.need("atMs", Reader::whole),
            by: r.need("by", Reader::text).to_owned(),
            act: r.need("act", Reader::text).to_owned(),
            intent: r.need("intent", Reader::text).to_owned(),
            detail: r.need("detail", Reader::text).to_owned(),
            previous: r.need("previous", Reader::text).to_owned(),
        })?;
        self.put(entry, row);
        Ok(())
    }

    /// The entries in memory, newest first.
    pub fn newest(&self) -> impl Iterator<Item = &AuditEntry> {
        self.newest.iter().rev()
    }
}
