//! The rows that a desk is restored from. They are read one at a time, so that their text is never all in memory.

use crate::audit::{self, AuditHead, AuditRows};
use crate::intent::{Intent, Intents};
use crate::step::{ANSWER, DESK, INTENT, MINT};
use launchpad_desk::bindings::Forgotten;
use launchpad_desk::bindings::reader::{self, Reader};
use launchpad_desk::error::{FieldCode, FieldError};
use launchpad_desk::tape::{Item, json};
use launchpad_desk::trade::guard::{Mode, Suspension};

/// The contents of a desk's rows.
#[derive(Debug, Default)]
pub struct DeskRows {
    pub(super) intents: Intents,
    pub(super) mints: Vec<String>,
    pub(super) audit: AuditRows,
    pub(super) head: Option<AuditHead>,
    /// The signatures of the intents, each with its intent's number.
    pub(super) signatures: Vec<(u64, String)>,
    pub(super) desk: Option<DeskRow>,
}

/// A breaker that has counted nothing.
pub(super) const CLOSED: Suspension =
    Suspension { mode: None, breaker_open: Some(false), unknowns_in_a_row: Some(0) };

#[derive(Debug)]
pub(super) struct DeskRow {
    pub(super) mode: Mode,
    /// Whether no money moved; a row of an earlier version does not say.
    pub(super) is_simulated: Option<bool>,
    /// The callers' breakers: those that have counted anything, or are open.
    pub(super) breakers: Vec<(String, Suspension)>,
    /// The trades that were sent and are forgotten.
    pub(super) forgotten: Forgotten,
}

impl DeskRows {
    /// Reads pairs of a key and its row.
    /// Fails as [`add`](DeskRows::add).
    pub fn of<'a>(rows: impl IntoIterator<Item = (&'a str, &'a str)>) -> Result<DeskRows, Vec<FieldError>> {
        let mut all = DeskRows::default();
        rows.into_iter().try_for_each(|(key, row)| all.add(key, row))?;
        Ok(all)
    }

    /// The keys, from one until another, of the rows of a desk's state. They are read first.
    pub const STATE: (&str, &str) = ("b", "z");

    /// The keys, from one until another, of the rows of the audit log that a start checks: the newest. They are read in the order of
    /// their keys, after the state.
    pub fn audit_range(&self) -> (String, String) {
        let from = self.head.as_ref().map_or(0, AuditHead::first_at_start);
        (audit::key_of(from), audit::key_of(9_999_999_999_999_999))
    }

    /// Reads one row.
    ///
    /// # Errors
    ///
    /// The row is not one that a gateway wrote.
    pub fn add(&mut self, key: &str, row: &str) -> Result<(), Vec<FieldError>> {
        let (kind, name) = key.split_once('\n').unwrap_or((key, ""));
        // A broken log is reported to an operator. The desk still starts.
        if kind == audit::KIND {
            self.audit.add(row);
            return Ok(());
        }
        let of_row = |problems: Vec<FieldError>| {
            let first = problems.first().map_or("", |problem| problem.message.as_str());
            broken("rows", &["have an unreadable one of the kind ", kind, ": ", first].concat())
        };
        let value = match json::parse(row.as_bytes()) {
            Ok(value) => value,
            Err(_) if kind == audit::HEAD => return Ok(()),
            Err(_) => return Err(broken("rows", "have one that is not JSON")),
        };
        match kind {
            INTENT => {
                let intent = Intent::from_item(value.root()).map_err(of_row)?;
                let signatures = [&intent.signature, &intent.named_signature].into_iter().flatten();
                self.signatures.extend(signatures.map(|signature| (intent.number, signature.clone())));
                self.intents.push(Box::new(intent.trimmed()));
            }
            MINT => self.mints.push(name.to_owned()),
            audit::HEAD => self.head = AuditHead::read(value.root()).ok(),
            // Read only when it is asked for.
            ANSWER => {}
            DESK => self.desk = Some(read_desk(value.root()).map_err(of_row)?),
            _ => return Err(broken("rows", "have one of an unknown kind")),
        }
        Ok(())
    }
}

fn read_desk(value: Item) -> Result<DeskRow, Vec<FieldError>> {
    let breaker = |r: &mut Reader| {
        let name = r.need("name", Reader::text).to_owned();
        (name, r.object("suspension", Suspension::read).unwrap_or_default())
    };
    reader::read(value, |r| {
        let mode = r.needed("mode", |r, name| r.choice(name, Mode::NAMED));
        DeskRow {
            mode: mode.unwrap_or(Mode::Halted),
            is_simulated: r.boolean("simulated"),
            breakers: r.need("breakers", |r, name| r.list(name, breaker)),
            forgotten: read_forgotten(r),
        }
    })
}

fn read_forgotten(r: &mut Reader) -> Forgotten {
    let (ms, slot) = (r.whole("forgottenMs"), r.whole("forgottenSlot"));
    // A row of an earlier version does not say.
    let has_slotless = r.boolean("hasForgottenSlotless").unwrap_or(ms.is_some());
    Forgotten { ms, slot, has_slotless }
}

pub(super) fn broken(field: &str, what: &str) -> Vec<FieldError> {
    vec![FieldError::of(field, FieldCode::Conflict, what)]
}
