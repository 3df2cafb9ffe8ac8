//! The latest names of an endless series: intents that have landed, signatures, plans that were sent, accounts that are open.

use std::collections::BTreeSet;

/// At least this many of the latest names are remembered, and at most twice as many.
pub const REMEMBERED: usize = 10_000;

/// The latest names of an endless series.
#[derive(Clone, Debug, Default)]
pub struct Latest {
    names: BTreeSet<String>,
    before: BTreeSet<String>,
}

impl Latest {
    /// Whether `name` is remembered.
    pub fn contains(&self, name: &str) -> bool {
        self.names.contains(name) || self.before.contains(name)
    }

    /// Remembers `name`.
    pub fn insert(&mut self, name: &str) {
        if self.names.len() >= REMEMBERED {
            self.before = std::mem::take(&mut self.names);
        }
        self.names.insert(name.to_owned());
    }

    /// Forgets `name`.
    pub fn remove(&mut self, name: &str) {
        self.names.remove(name);
        self.before.remove(name);
    }
}
