//! A map of few keys.

use std::borrow::Borrow;

/// A map of few keys, as a list in their order: each further kind of tree would be 10 KB of a module of WebAssembly.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Few<K, V>(Vec<(K, V)>);

impl<K, V> Default for Few<K, V> {
    fn default() -> Few<K, V> {
        Few(Vec::new())
    }
}

impl<K: Ord, V> Few<K, V> {
    fn place<Q: Ord + ?Sized>(&self, key: &Q) -> Result<usize, usize>
    where
        K: Borrow<Q>,
    {
        self.0.binary_search_by(|(known, _)| known.borrow().cmp(key))
    }

    /// The value of a key.
    pub fn get<Q: Ord + ?Sized>(&self, key: &Q) -> Option<&V>
    where
        K: Borrow<Q>,
    {
        self.place(key).ok().and_then(|at| self.0.get(at)).map(|(_, value)| value)
    }

    /// Sets the value of a key; that of before goes.
    pub fn insert(&mut self, key: K, value: V) {
        let at = self.place(&key);
        match at.ok().and_then(|at| self.0.get_mut(at)) {
            Some((_, known)) => *known = value,
            None => self.0.insert(at.unwrap_or_else(|at| at), (key, value)),
        }
    }

    /// How many keys there are.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Removes all of them.
    pub fn clear(&mut self) {
        self.0.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::Few;

    #[test]
    fn each_key_has_its_last_value() {
        let mut few = Few::default();
        for (value, key) in (0..).zip(["n", "a", "z", "m", "b", "z"]) {
            few.insert(key.to_owned(), value);
        }
        assert_eq!(
            ["n", "a", "z", "m", "b", "c"].map(|key| few.get(key).copied()),
            [Some(0), Some(1), Some(5), Some(3), Some(4), None]
        );
    }
}
