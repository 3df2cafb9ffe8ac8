//! Sets of names that only grow: an allow-list, or the landed intents.

/// At least this many of the latest names are remembered, and at most twice as many.
pub const REMEMBERED: usize = 10_000;

/// The latest names of an endless series.
#[derive(Clone, Debug, Default)]
pub struct Latest {
    names: Names,
    before: Names,
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
        self.names.insert(name);
    }

    /// Forgets `name`.
    pub fn remove(&mut self, name: &str) {
        for names in [&mut self.names, &mut self.before] {
            if names.contains(name) {
                *names = names.iter().filter(|other| *other != name).collect();
            }
        }
    }
}

/// Names, each once. The table is at most half full, since a list of thousands is searched on every trade.
#[derive(Clone, Debug, Default)]
pub struct Names {
    slots: Vec<Option<Box<str>>>,
    len: usize,
}

impl Names {
    /// Whether `name` is one of them.
    pub fn contains(&self, name: &str) -> bool {
        self.slots.get(self.seek(name)).is_some_and(Option::is_some)
    }

    /// The names, in no order that means anything.
    pub fn iter(&self) -> impl Iterator<Item = &str> {
        self.slots.iter().flatten().map(Box::as_ref)
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Adds `name`, unless it is there.
    pub fn insert(&mut self, name: &str) {
        if self.slots.len() < 2 * (self.len + 1) {
            let slots = vec![None; (2 * self.slots.len()).max(16)];
            for name in std::mem::replace(&mut self.slots, slots).into_iter().flatten() {
                self.put(name);
            }
        }
        if !self.contains(name) {
            self.len += 1;
            self.put(name.into());
        }
    }

    fn put(&mut self, name: Box<str>) {
        let at = self.seek(&name);
        if let Some(slot) = self.slots.get_mut(at) {
            *slot = Some(name);
        }
    }

    /// The slot of `name`, or where it would go. The table's size is a power of two, and some slots are always free.
    fn seek(&self, name: &str) -> usize {
        let last = self.slots.len().wrapping_sub(1);
        // FNV-1a, http://www.isthe.com/chongo/tech/comp/fnv/
        let hash = name
            .bytes()
            .fold(0x811c_9dc5u32, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193));
        let mut at = hash as usize & last;
        while let Some(Some(other)) = self.slots.get(at) {
            if **other == *name {
                break;
            }
            at = (at + 1) & last;
        }
        at
    }
}

impl<'a> FromIterator<&'a str> for Names {
    fn from_iter<I: IntoIterator<Item = &'a str>>(names: I) -> Self {
        let mut set = Names::default();
        names.into_iter().for_each(|name| set.insert(name));
        set
    }
}

impl PartialEq for Names {
    fn eq(&self, other: &Self) -> bool {
        self.len == other.len && self.slots.iter().flatten().all(|name| other.contains(name))
    }
}

impl Eq for Names {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_put_in_is_there_and_nothing_else() {
        let mut names = Names::default();
        assert!(names.is_empty() && !names.contains("") && !names.contains("0"));
        for n in 0..3_000u32 {
            names.insert(&n.to_string());
            names.insert(&(n / 2).to_string());
        }
        assert_eq!(names.len(), 3_000);
        assert!((0..3_000u32).all(|n| names.contains(&n.to_string())));
        assert!(!names.contains("3000") && !names.contains(""));
    }

    #[test]
    fn sets_are_equal_by_what_they_hold() {
        let of = |names: &[&str]| names.iter().copied().collect::<Names>();
        assert_eq!(of(&["a", "b"]), of(&["b", "a", "b"]));
        assert_ne!(of(&["a", "b"]), of(&["a", "c"]));
        assert_ne!(of(&["a"]), of(&["a", "b"]));
    }
}
