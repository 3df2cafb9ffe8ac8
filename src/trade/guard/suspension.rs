//! What stops trading, as a journal keeps it.

use crate::codes::codes;
use crate::reader::Reader;
use crate::tape::{ToTape, Writer};

codes! {
    /// What may be sent. Of two modes, the greater one stops more.
    #[derive(PartialOrd, Ord)]
    Mode as "GuardMode", default Active {
        /// Everything.
        Active = "active",
        /// Only sells.
        Reducing = "reducing",
        /// Nothing.
        Halted = "halted",
    }
}

/// What stops trading: all of it, or only what has changed. It survives a restart: a journal keeps it, and returns it when a
/// client starts.
///
/// ```
/// use launchpad_desk::trade::guard::{Guards, Mode, Settings, Suspension};
///
/// let mut guards = Guards::new(Settings::default());
/// let change = guards.halt();
/// let mut kept = Suspension::default(); // in the journal
/// kept.add(change);
///
/// let mut guards = Guards::new(Settings::default()); // after a restart
/// guards.restore_suspension(kept);
/// assert_eq!(guards.state(0).mode, Mode::Halted);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Suspension {
    /// What may be sent.
    pub mode: Option<Mode>,
    /// Whether the breaker is open. If it is closed, a person has checked: earlier trades no longer count as unknown.
    pub breaker_open: Option<bool>,
    /// Unknown outcomes in a row.
    pub unknowns_in_a_row: Option<u32>,
}

impl Suspension {
    /// Adds a change to what is kept. Trades that end at the same moment may be recorded in any order, so a count above zero never
    /// lowers it.
    pub fn add(&mut self, change: Suspension) {
        self.mode = change.mode.or(self.mode);
        self.breaker_open = change.breaker_open.or(self.breaker_open);
        self.unknowns_in_a_row = match change.unknowns_in_a_row {
            Some(0) => Some(0),
            count => self.unknowns_in_a_row.max(count),
        };
    }

    /// Whether it says nothing.
    pub fn is_empty(self) -> bool {
        self == Suspension::default()
    }

    /// What has changed since `earlier`.
    pub(in crate::trade) fn since(self, earlier: Suspension) -> Suspension {
        Suspension {
            mode: self.mode.filter(|_| self.mode != earlier.mode),
            breaker_open: self.breaker_open.filter(|_| self.breaker_open != earlier.breaker_open),
            unknowns_in_a_row: self
                .unknowns_in_a_row
                .filter(|_| self.unknowns_in_a_row != earlier.unknowns_in_a_row),
        }
    }

    /// Reads its fields, each of which may be absent.
    pub fn read(reader: &mut Reader) -> Suspension {
        Suspension {
            mode: reader.choice("mode", Mode::NAMED),
            breaker_open: reader.boolean("breakerOpen"),
            unknowns_in_a_row: reader.count("unknownsInARow", 0),
        }
    }
}

/// Only what it says.
impl ToTape for Suspension {
    fn write(&self, tape: &mut Writer) {
        let mut fields: Vec<(&str, &dyn ToTape)> = Vec::new();
        fields.extend(self.mode.as_ref().map(|mode| ("mode", mode as &dyn ToTape)));
        fields.extend(self.breaker_open.as_ref().map(|open| ("breakerOpen", open as &dyn ToTape)));
        fields.extend(self.unknowns_in_a_row.as_ref().map(|count| ("unknownsInARow", count as &dyn ToTape)));
        tape.object(&mut fields.into_iter());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{object, reader};

    #[test]
    fn changes_add_up_in_any_order() {
        let count = |unknowns_in_a_row| Suspension { unknowns_in_a_row, ..Suspension::default() };
        let mut kept = Suspension::default();
        for (told, expected) in [(Some(2), 2), (Some(1), 2), (None, 2), (Some(0), 0), (Some(1), 1)] {
            kept.add(count(told));
            assert_eq!(kept, count(Some(expected)));
        }
        kept.add(Suspension { mode: Some(Mode::Halted), breaker_open: Some(true), ..Suspension::default() });
        kept.add(count(Some(0)));
        let all =
            Suspension { mode: Some(Mode::Halted), breaker_open: Some(true), unknowns_in_a_row: Some(0) };
        assert_eq!((kept, kept.is_empty()), (all, false));
        assert_eq!(
            all.since(Suspension { mode: Some(Mode::Active), ..all }).to_tape(),
            object! { "mode": "halted" }
        );
        let expected = object! { "mode": "halted", "breakerOpen": true, "unknownsInARow": 0u32 };
        assert_eq!((all.to_tape(), all.since(all)), (expected.clone(), Suspension::default()));
        assert_eq!(reader::read(expected.root(), Suspension::read), Ok(all));
        let foreign = object! { "mode": "paused" };
        assert!(reader::read(foreign.root(), Suspension::read).is_err());
    }
}
