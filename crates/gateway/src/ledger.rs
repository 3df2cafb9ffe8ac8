//! Lamports spent or reserved in the last 24 hours, for a desk, its callers and its wallets.
//!
//! The guards of a client count a calendar day, from midnight. A gateway's limits hold over any 24 hours and for several callers
//! and wallets at once, so each spend is kept for 24 hours.

use std::collections::{BTreeMap, VecDeque};

use launchpad_desk::bindings::reader::Reader;
use launchpad_desk::bindings::{DAY_MS, to_tape};

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
///
/// A clock may jump and come back. So nothing is dropped because it is old: it only stops counting, and counts again if the clock
/// comes back. It goes when its intent is forgotten.
#[derive(Clone, Debug, Default)]
pub struct Ledger {
    /// In the order of their times, which is also the order in which they were added.
    counted: VecDeque<Counted>,
    /// How many of the first ones are older than 24 hours, and not in the sums.
    over: usize,
    sums: BTreeMap<Account, u128>,
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
        let over = self.over_at(now_ms);
        let of = |from: usize, until: usize| -> u128 {
            let some = self.counted.range(from.min(until)..until).flat_map(Counted::accounts);
            some.filter(|(of, _)| of == account).map(|(_, spent)| spent).sum()
        };
        let sum = self.sums.get(account).copied().unwrap_or_default();
        sum.saturating_sub(of(self.over, over)).saturating_add(of(over, self.over))
    }

    /// How many of the first ones are older than 24 hours.
    fn over_at(&self, now_ms: u64) -> usize {
        self.counted.partition_point(|counted| counted.at_ms.saturating_add(ROLLING_MS) <= now_ms)
    }

    /// What was counted before a start, in the order of the times: when, the intent's number, its caller and its spends. Only what the last
    /// of them still finds young goes into the sums.
    pub fn restored<'a>(counted: impl Iterator<Item = (u64, u64, &'a str, &'a [Spend])>) -> Ledger {
        let counted = counted.filter(|(.., spends)| !spends.is_empty());
        let kept = |(at_ms, number, caller, spends): (u64, u64, &str, &[Spend])| Counted {
            at_ms,
            number,
            caller: caller.to_owned(),
            spends: spends.to_vec(),
        };
        let mut ledger = Ledger { counted: counted.map(kept).collect(), ..Ledger::default() };
        ledger.over = ledger.counted.back().map_or(0, |last| ledger.over_at(last.at_ms));
        ledger.counted.range(ledger.over..).for_each(|young| add(&mut ledger.sums, young));
        ledger
    }

    /// Counts the spends of the intent with this number; returns the time from which they count. If the clock has gone back, that is the
    /// time of the last ones: by that clock, these would end too soon once it goes right again.
    pub fn reserve(&mut self, now_ms: u64, number: u64, caller: &str, spends: &[Spend]) -> u64 {
        self.advance(now_ms);
        let at_ms = self.counted.back().map_or(now_ms, |last| last.at_ms.max(now_ms));
        if !spends.is_empty() {
            let counted = Counted { at_ms, number, caller: caller.to_owned(), spends: spends.to_vec() };
            add(&mut self.sums, &counted);
            self.counted.push_back(counted);
        }
        at_ms
    }

    /// Counts from now on what an intent has really spent, which is less than it might have.
    pub fn recount(&mut self, number: u64, spends: &[Spend]) {
        if let Some(place) = self.counted.iter().rposition(|counted| counted.number == number) {
            self.replace(place, spends);
        }
    }

    /// Drops the spends of an intent that is forgotten: one of the oldest.
    pub fn forget(&mut self, number: u64) {
        if let Some(place) = self.counted.iter().position(|counted| counted.number == number) {
            self.replace(place, &[]);
        }
    }

    fn replace(&mut self, place: usize, spends: &[Spend]) {
        let Some(counted) = self.counted.remove(place) else { return };
        let is_over = place < self.over;
        if !is_over {
            self.subtract(&counted);
        }
        if spends.is_empty() {
            self.over -= usize::from(is_over);
            return;
        }
        let counted = Counted { spends: spends.to_vec(), ..counted };
        if !is_over {
            add(&mut self.sums, &counted);
        }
        self.counted.insert(place, counted);
    }

    /// Lets the sums have what is not older than 24 hours by this clock.
    fn advance(&mut self, now_ms: u64) {
        let over = self.over_at(now_ms);
        let (from, until) = (self.over.min(over), self.over.max(over));
        let between: Vec<Counted> = self.counted.range(from..until).cloned().collect();
        for counted in &between {
            if over > self.over {
                self.subtract(counted);
            } else {
                add(&mut self.sums, counted);
            }
        }
        self.over = over;
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

fn add(sums: &mut BTreeMap<Account, u128>, counted: &Counted) {
    for (account, lamports) in counted.accounts() {
        let sum = sums.entry(account).or_default();
        *sum = sum.saturating_add(lamports);
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
        ledger.forget(0);
        assert!(ledger.counted.is_empty());
    }

    #[test]
    fn a_clock_that_jumps_frees_nothing() {
        let desk = Account::of(None, None);
        let mut ledger = Ledger::default();
        assert_eq!(ledger.reserve(5 * ROLLING_MS, 0, "a", &spend("W", 5)), 5 * ROLLING_MS);
        assert_eq!(ledger.reserve(ROLLING_MS, 1, "a", &spend("W", 6)), 5 * ROLLING_MS);
        assert_eq!(ledger.lamports(&desk, 0), 11);
        assert_eq!(ledger.reserve(6 * ROLLING_MS, 2, "a", &spend("W", 7)), 6 * ROLLING_MS);
        assert_eq!(ledger.lamports(&desk, 6 * ROLLING_MS), 7);
        assert_eq!(
            ledger.lamports(&desk, 5 * ROLLING_MS),
            18,
            "it has come back, and so has what was over by it"
        );
        ledger.recount(0, &spend("W", 1));
        assert_eq!((ledger.lamports(&desk, 6 * ROLLING_MS), ledger.lamports(&desk, 5 * ROLLING_MS)), (7, 14));
        ledger.forget(1);
        assert_eq!((ledger.lamports(&desk, 6 * ROLLING_MS), ledger.lamports(&desk, 5 * ROLLING_MS)), (7, 8));
        assert_eq!(ledger.sums(5 * ROLLING_MS).next().map(|(_, lamports)| lamports), Some(8));
    }

    /// Whatever the clock shows, and however often the ledger is made again from what was written, a spend counts as long as it is not
    /// older than 24 hours by the clock of the moment.
    #[test]
    fn a_random_clock_forgets_nothing() {
        let mut state = 0x9e37_79b9_7f4a_7c15_u64;
        let mut random = move |below: u64| {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            state % below
        };
        for _ in 0..300 {
            let (mut ledger, mut written): (Ledger, Vec<(u64, u64, Vec<Spend>)>) = Default::default();
            let mut now_ms = 10 * ROLLING_MS;
            for number in 0..40 {
                now_ms = match random(6) {
                    0 => now_ms + ROLLING_MS,
                    1 => now_ms - ROLLING_MS.min(now_ms),
                    2 => 10 * ROLLING_MS,
                    _ => now_ms + random(ROLLING_MS / 4),
                };
                let lamports = u128::from(random(9));
                let spends = if lamports == 0 { Vec::new() } else { spend("W", lamports) };
                let at_ms = ledger.reserve(now_ms, number, "a", &spends);
                assert!(at_ms >= now_ms);
                written.push((at_ms, number, spends));
                match random(4) {
                    0 => {
                        let place = random(written.len() as u64) as usize;
                        written[place].2.clear();
                        ledger.recount(written[place].1, &[]);
                    }
                    1 => {
                        written.sort_by_key(|(at_ms, number, _)| (*at_ms, *number));
                        let all =
                            written.iter().map(|(at_ms, number, spends)| (*at_ms, *number, "a", &**spends));
                        ledger = Ledger::restored(all);
                    }
                    _ => {}
                }
                for now_ms in [now_ms, now_ms + ROLLING_MS / 2, now_ms.saturating_sub(ROLLING_MS)] {
                    let young = written.iter().filter(|(at_ms, ..)| at_ms + ROLLING_MS > now_ms);
                    let sum: u128 = young.flat_map(|(.., spends)| spends).map(|spend| spend.lamports).sum();
                    assert_eq!(ledger.lamports(&Account::of(Some("a"), Some("W")), now_ms), sum);
                }
            }
        }
    }
}
