//! The rows of one kind: found by name, in the order they came; or the newest of many, by number.

use std::collections::BTreeMap;
use std::ops::Deref;

use super::row::{CallRow, Count, CrowdRow, MarketTradeRow, TokenAccountRow, TokenRow, TradeRow, WalletRow};
use launchpad_desk::tape::{ToTape, Writer};

/// A row that is found by its name.
pub trait Named {
    /// Its name among the rows of its kind.
    fn name(&self) -> String;
}

impl Named for WalletRow {
    fn name(&self) -> String {
        self.wallet.clone()
    }
}

impl Named for TokenRow {
    fn name(&self) -> String {
        self.mint.clone()
    }
}

impl Named for CrowdRow {
    fn name(&self) -> String {
        self.mint.clone()
    }
}

impl Named for TokenAccountRow {
    fn name(&self) -> String {
        account_name(&self.wallet, &self.mint)
    }
}

/// The name of a wallet's account of a token. No id contains a line break.
pub(super) fn account_name(wallet: &str, mint: &str) -> String {
    [wallet, "\n", mint].concat()
}

/// Indexes by name. All rows share this one type, because each further type of tree adds its own code to the package's module.
pub(super) type Places = BTreeMap<String, usize>;

/// Rows that are found by their names, in the order they came. Finding, adding and removing a row takes no longer if there are
/// many.
#[derive(Clone, Debug)]
pub struct Rows<T> {
    /// Each row at its index; `None` if it was removed.
    rows: Vec<Option<T>>,
    places: Places,
    removed: usize,
}

impl<T> Default for Rows<T> {
    fn default() -> Self {
        Rows { rows: Vec::new(), places: Places::new(), removed: 0 }
    }
}

impl<T: PartialEq> PartialEq for Rows<T> {
    fn eq(&self, other: &Self) -> bool {
        self.iter().eq(other.iter())
    }
}

impl<T: Eq> Eq for Rows<T> {}

impl<T> Rows<T> {
    /// All of them, in the order they came.
    pub fn iter(&self) -> impl Iterator<Item = &T> + Clone {
        self.rows.iter().flatten()
    }

    pub(super) fn iter_mut(&mut self) -> impl Iterator<Item = &mut T> {
        self.rows.iter_mut().flatten()
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.rows.len() - self.removed
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    pub fn get(&self, name: &str) -> Option<&T> {
        self.rows.get(*self.places.get(name)?)?.as_ref()
    }

    pub(super) fn get_mut(&mut self, name: &str) -> Option<&mut T> {
        self.rows.get_mut(*self.places.get(name)?)?.as_mut()
    }
}

impl<T: Named + Clone> Rows<T> {
    /// Replaces the row of that name, or adds it at the end.
    pub(super) fn put(&mut self, row: &T) {
        let name = row.name();
        match self.get_mut(&name) {
            Some(old) => old.clone_from(row),
            None => self.add(name, row.clone()),
        }
    }

    fn add(&mut self, name: String, row: T) {
        self.places.entry(name).or_insert(self.rows.len());
        self.rows.push(Some(row));
    }

    /// Removes the row of that name, if there is one.
    pub(super) fn remove(&mut self, name: &str) {
        let Some(place) = self.places.remove(name).and_then(|place| self.rows.get_mut(place)) else { return };
        *place = None;
        self.removed += 1;
        // Removed rows are cleared in batches.
        if self.removed > self.rows.len() / 2 {
            *self = std::mem::take(&mut self.rows).into_iter().flatten().collect();
        }
    }
}

/// Takes all rows, even two of the same name: a check finds those.
impl<T: Named + Clone> FromIterator<T> for Rows<T> {
    fn from_iter<I: IntoIterator<Item = T>>(rows: I) -> Self {
        let mut all = Rows::default();
        for row in rows {
            all.add(row.name(), row);
        }
        all
    }
}

impl<T: ToTape> ToTape for Rows<T> {
    fn write(&self, tape: &mut Writer) {
        tape.array(&mut self.iter().map(|row| row as &dyn ToTape));
    }
}

/// A row with a sequence number among those of its kind.
pub trait Numbered {
    fn number(&self) -> Count;
}

impl Numbered for TradeRow {
    fn number(&self) -> Count {
        self.transaction
    }
}

impl Numbered for MarketTradeRow {
    fn number(&self) -> Count {
        self.number
    }
}

impl Numbered for CallRow {
    fn number(&self) -> Count {
        self.number
    }
}

/// The newest rows of a kind, oldest first.
#[derive(Clone, Debug)]
pub struct Newest<T> {
    rows: Vec<T>,
    /// How many rows at the start are no longer kept. They are cleared in batches.
    gone: usize,
}

impl<T> Default for Newest<T> {
    fn default() -> Self {
        Newest { rows: Vec::new(), gone: 0 }
    }
}

impl<T: PartialEq> PartialEq for Newest<T> {
    fn eq(&self, other: &Self) -> bool {
        self[..] == other[..]
    }
}

impl<T: Eq> Eq for Newest<T> {}

impl<T> Deref for Newest<T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        self.rows.get(self.gone..).unwrap_or_default()
    }
}

impl<T: Numbered + Clone> Newest<T> {
    /// Adds a row at the end. A store that keeps rows by key returns them in any order, so a row goes where its number says,
    /// and replaces one with the same number.
    pub(super) fn put(&mut self, row: &T) {
        let number = row.number();
        if self.last().is_none_or(|last| last.number() < number) {
            return self.rows.push(row.clone());
        }
        let place = self.binary_search_by_key(&number, Numbered::number);
        match place.map(|at| self.rows.get_mut(self.gone + at)) {
            Ok(Some(old)) => old.clone_from(row),
            Ok(None) => {}
            Err(at) => self.rows.insert(self.gone + at, row.clone()),
        }
    }

    /// Drops the oldest until this many are left.
    pub(super) fn keep(&mut self, most: usize) {
        self.gone += self.len().saturating_sub(most);
        if self.gone > self.rows.len() / 2 {
            self.rows.drain(..self.gone);
            self.gone = 0;
        }
    }
}

/// Takes all rows, whatever their numbers: a check looks at those.
impl<T> From<Vec<T>> for Newest<T> {
    fn from(rows: Vec<T>) -> Self {
        Newest { rows, gone: 0 }
    }
}

impl<T: ToTape> ToTape for Newest<T> {
    fn write(&self, tape: &mut Writer) {
        self[..].write(tape);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use launchpad_desk::amount::Digits;

    fn wallet(name: &str, lamports: u64) -> WalletRow {
        WalletRow {
            wallet: name.into(),
            label: name.into(),
            lamports,
            level: Count::default(),
            opens_volume_account: false,
        }
    }

    fn account(mint: &str) -> TokenAccountRow {
        TokenAccountRow {
            wallet: "w".into(),
            mint: mint.into(),
            open: true,
            tokens: 1,
            lamports: 1,
            is_frozen: false,
            stays_open: false,
        }
    }

    #[test]
    fn rows_keep_their_order_and_are_found_by_name() {
        let mut rows: Rows<WalletRow> = ["b", "a"].into_iter().map(|name| wallet(name, 1)).collect();
        rows.put(&wallet("c", 1));
        rows.put(&wallet("b", 7));
        assert_eq!(rows.iter().map(|row| row.wallet.as_str()).collect::<Vec<_>>(), ["b", "a", "c"]);
        assert_eq!(rows.get("b").map(|row| row.lamports), Some(7));
        assert_eq!((rows.len(), rows.get("d")), (3, None));
        let mut accounts: Rows<TokenAccountRow> = ["x", "y"].into_iter().map(account).collect();
        accounts.remove(&account_name("w", "x"));
        accounts.put(&account("x"));
        assert_eq!(accounts.iter().map(|row| row.mint.as_str()).collect::<Vec<_>>(), ["y", "x"]);
        let anew: Rows<TokenAccountRow> = ["y", "x"].into_iter().map(account).collect();
        assert_eq!(accounts, anew, "wherever they stood before");
        for number in 0..1_000u32 {
            accounts.put(&account(&number.digits()));
            accounts.remove(&account_name("w", &number.digits()));
            accounts.remove("no such account");
            assert!(accounts.rows.len() <= 5, "removed rows are cleared");
        }
        assert_eq!((&accounts, accounts.len()), (&anew, 2));
        assert_eq!(accounts.get("w\nx"), Some(&account("x")));
        let twice: Rows<WalletRow> = [wallet("a", 1), wallet("a", 2)].into_iter().collect();
        assert_eq!((twice.len(), twice.get("a").map(|row| row.lamports)), (2, Some(1)));
    }

    #[test]
    fn the_newest_are_kept_in_the_order_of_their_numbers() {
        let call = |number: u64| CallRow {
            number: Count::new(number),
            at_ms: Count::default(),
            operation: launchpad_desk::api::endpoint::Operation::Buy,
            intent_id: String::new(),
            fingerprint: String::new(),
            actual: Default::default(),
            transaction: Count::default(),
            signature: String::new(),
            status: Count::default(),
        };
        let numbers =
            |calls: &Newest<CallRow>| calls.iter().map(|call| call.number.get()).collect::<Vec<_>>();
        let mut calls = Newest::default();
        for number in [1, 2, 5, 4, 9, 5, 3] {
            calls.put(&call(number));
        }
        assert_eq!(numbers(&calls), [1, 2, 3, 4, 5, 9]);
        calls.keep(4);
        assert_eq!(numbers(&calls), [3, 4, 5, 9]);
        calls.put(&call(6));
        calls.keep(4);
        assert_eq!(numbers(&calls), [4, 5, 6, 9]);
        assert_eq!(calls, Newest::from([4, 5, 6, 9].map(call).to_vec()));
        calls.keep(0);
        assert!(calls.is_empty());
        for number in 10..10_000 {
            calls.put(&call(number));
            calls.keep(3);
            assert!(calls.rows.len() <= 7, "removed rows are cleared");
        }
        assert_eq!(numbers(&calls), [9_997, 9_998, 9_999]);
    }
}
