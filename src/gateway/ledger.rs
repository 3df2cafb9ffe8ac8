//! Lamports spent or reserved in the last 24 hours, for a desk, its callers and its wallets.
//!
//! The guards of a client count a calendar day, from midnight. A gateway's limits hold over any 24 hours and for several callers
//! and wallets at once, so each spend is kept for 24 hours.

use std::collections::{BTreeMap, VecDeque};

use crate::reader::Reader;
use crate::to_tape;
use crate::trade::guard::DAY_MS;

/// How long a spend counts.
pub const ROLLING_MS: u64 = DAY_MS;

/// What one wallet spends in one trade.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Spend {
    /// The wallet's id.
    pub wallet: String,
    /// Lamports, fees included.
    pub lamports: u128,
}
to_tape!(Spend { wallet, lamports });

impl Spend {
    pub(super) fn read(r: &mut Reader) -> Spend {
        Spend {
            wallet: r.need("wallet", Reader::text).to_owned(),
            lamports: r.need("lamports", Reader::wide),
        }
    }
}

/// Whose spending is counted.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Account {
    /// One caller; `None` for the whole desk.
    pub caller: Option<String>,
    /// One wallet; `None` for all.
    pub wallet: Option<String>,
}

impl Account {
    /// The account of a caller and a wallet; `None` stands for all.
    pub fn of(caller: Option<&str>, wallet: Option<&str>) -> Account {
        Account { caller: caller.map(str::to_owned), wallet: wallet.map(str::to_owned) }
    }
}

/// What was spent or reserved in the last 24 hours.
#[derive(Clone, Debug, Default)]
pub struct Ledger {
    counted: VecDeque<Counted>,
    sums: BTreeMap<Account, u128>,
    latest_ms: u64,
}

#[derive(Clone, Debug)]
struct Counted {
    at_ms: u64,
    number: u64,
    caller: String,
    spends: Vec<Spend>,
}

impl Counted {
    /// The accounts it counts towards, each with its lamports.
    fn accounts(&self) -> impl Iterator<Item = (Account, u128)> + '_ {
        self.spends.iter().flat_map(|Spend { wallet, lamports }| {
            let of = |caller, wallet| (Account::of(caller, wallet), *lamports);
            let caller = Some(self.caller.as_str());
            [of(None, None), of(None, Some(wallet)), of(caller, None), of(caller, Some(wallet))]
        })
    }
}

impl Ledger {
    /// Lamports counted for an account now.
    pub fn lamports(&self, account: &Account, now_ms: u64) -> u128 {
        let now_ms = now_ms.max(self.latest_ms);
        let over =
            self.counted.iter().take_while(|counted| counted.at_ms.saturating_add(ROLLING_MS) <= now_ms);
        let gone = over.flat_map(Counted::accounts).filter(|(of, _)| of == account).map(|(_, spent)| spent);
        let sum = self.sums.get(account).copied().unwrap_or_default();
        sum.saturating_sub(gone.sum())
    }

    /// Counts the spends of the intent with this number. A clock that jumps back frees nothing.
    pub fn reserve(&mut self, now_ms: u64, number: u64, caller: &str, spends: &[Spend]) {
        self.advance(now_ms);
        if spends.is_empty() {
            return;
        }
        let (at_ms, caller) = (self.latest_ms, caller.to_owned());
        let counted = Counted { at_ms, number, caller, spends: spends.to_vec() };
        self.add(&counted);
        self.counted.push_back(counted);
    }

    /// Counts from now on what an intent has really spent, which is less than it might have.
    pub fn recount(&mut self, number: u64, spends: &[Spend]) {
        let Some(place) = self.counted.iter().rposition(|counted| counted.number == number) else { return };
        let Some(counted) = self.counted.remove(place) else { return };
        self.subtract(&counted);
        if !spends.is_empty() {
            let counted = Counted { spends: spends.to_vec(), ..counted };
            self.add(&counted);
            self.counted.insert(place, counted);
        }
    }

    fn add(&mut self, counted: &Counted) {
        for (account, lamports) in counted.accounts() {
            let sum = self.sums.entry(account).or_default();
            *sum = sum.saturating_add(lamports);
        }
    }

    /// Drops spends older than 24 hours.
    fn advance(&mut self, now_ms: u64) {
        self.latest_ms = self.latest_ms.max(now_ms);
        while self
            .counted
            .front()
            .is_some_and(|counted| counted.at_ms.saturating_add(ROLLING_MS) <= self.latest_ms)
            && let Some(counted) = self.counted.pop_front()
        {
            self.subtract(&counted);
        }
    }

    fn subtract(&mut self, counted: &Counted) {
        for (account, lamports) in counted.accounts() {
            if let Some(sum) = self.sums.get_mut(&account) {
                *sum = sum.saturating_sub(lamports);
                if *sum == 0 {
                    self.sums.remove(&account);
                }
            }
        }
    }

    /// Every account with its lamports counted now.
    pub fn sums(&mut self, now_ms: u64) -> impl Iterator<Item = (&Account, u128)> {
        self.advance(now_ms);
        self.sums.iter().map(|(account, lamports)| (account, *lamports))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spend(wallet: &str, lamports: u128) -> Vec<Spend> {
        vec![Spend { wallet: wallet.into(), lamports }]
    }

    #[test]
    fn a_spend_counts_for_a_day_for_its_desk_caller_and_wallet() {
        let mut ledger = Ledger::default();
        ledger.reserve(1_000, 0, "a", &spend("W", 5));
        ledger.reserve(2_000, 1, "b", &spend("W", 7));
        let sum = |ledger: &Ledger, caller, wallet, now| ledger.lamports(&Account::of(caller, wallet), now);
        assert_eq!(sum(&ledger, None, None, 2_000), 12);
        assert_eq!(sum(&ledger, None, Some("W"), 2_000), 12);
        assert_eq!(sum(&ledger, Some("a"), None, 2_000), 5);
        assert_eq!(sum(&ledger, Some("b"), Some("W"), 2_000), 7);
        assert_eq!(sum(&ledger, None, None, ROLLING_MS + 999), 12);
        assert_eq!(sum(&ledger, None, None, ROLLING_MS + 1_000), 7);
        ledger.recount(1, &spend("W", 2));
        assert_eq!(sum(&ledger, None, None, 2_000), 7);
        assert_eq!(sum(&ledger, None, None, ROLLING_MS + 1_000), 2);
        ledger.recount(1, &[]);
        assert_eq!(sum(&ledger, None, None, 2_000), 5);
        ledger.reserve(ROLLING_MS + 1_000, 2, "a", &[]);
        assert!(ledger.sums.is_empty());
    }

    #[test]
    fn a_clock_that_jumps_back_frees_nothing() {
        let mut ledger = Ledger::default();
        ledger.reserve(5 * ROLLING_MS, 0, "a", &spend("W", 5));
        ledger.reserve(ROLLING_MS, 1, "a", &spend("W", 6));
        assert_eq!(ledger.lamports(&Account::of(None, None), 0), 11);
        assert_eq!(ledger.lamports(&Account::of(None, None), 6 * ROLLING_MS), 0);
    }
}
