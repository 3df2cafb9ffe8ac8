//! The trades of others that a backtest runs again, in columns.

use std::collections::BTreeMap;

pub use crate::recording::{Rival, RivalTrade};
use crate::recording::{is_other_clock, other_unit};

/// Recorded trades in the order they were made.
///
/// ```
/// use launchpad_desk_sandbox::backtest::{Rival, TradeTape};
/// let mut tape = TradeTape::default();
/// assert!(tape.push("M", 0, Rival::Buy, 1_000_000_000));
/// assert!(!tape.push("M", -1_i64 as u64, Rival::Sell, 5), "no such time");
/// assert_eq!(tape.len(), 1);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TradeTape {
    mints: Vec<String>,
    places: BTreeMap<String, u32>,
    rows: Vec<TapeRow>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct TapeRow {
    pub(super) at_ms: u64,
    pub(super) mint: u32,
    pub(super) trade: RivalTrade,
}

impl TradeTape {
    /// Adds a trade of which one amount is known. False, and nothing is added, if [its time](TradeTape::time_problem) cannot come next.
    pub fn push(&mut self, mint: &str, at_ms: u64, order: Rival, amount: u64) -> bool {
        self.record(mint, at_ms, RivalTrade { order, amount, spent_lamports: None })
    }

    /// Adds a trade as it was recorded. False as for [`push`](TradeTape::push).
    pub fn record(&mut self, mint: &str, at_ms: u64, trade: RivalTrade) -> bool {
        if self.time_problem(at_ms).is_some() {
            return false;
        }
        let known = self.rows.last().map(|last| last.mint).filter(|last| self.mint(*last) == mint);
        let mint = known.unwrap_or_else(|| self.place_of(mint));
        self.rows.push(TapeRow { at_ms, mint, trade });
        true
    }

    /// Why a trade of this time cannot come next, if it cannot.
    pub fn time_problem(&self, at_ms: u64) -> Option<&'static str> {
        match self.rows.last() {
            Some(last) if at_ms < last.at_ms => Some("is earlier than the trade before it"),
            Some(last) if is_other_clock(last.at_ms, at_ms) => {
                Some("is since 1970, and the trade before it is not: a time is missing or has another unit")
            }
            last => other_unit(at_ms, last.is_none())
                .map(|other| other.why)
                .or((at_ms > launchpad_desk::strategy::units::Millis::MOST)
                    .then_some("is later than 2^53 - 1")),
        }
    }

    fn place_of(&mut self, mint: &str) -> u32 {
        if let Some(place) = self.places.get(mint) {
            return *place;
        }
        let place = self.mints.len() as u32;
        self.mints.push(mint.to_owned());
        self.places.insert(mint.to_owned(), place);
        place
    }

    /// How many trades it has.
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// Whether it has none.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// The mints, in the order of their first trades.
    pub fn mints(&self) -> &[String] {
        &self.mints
    }

    /// The number of a mint in [`mints`](TradeTape::mints).
    pub fn find(&self, mint: &str) -> Option<u32> {
        self.places.get(mint).copied()
    }

    /// When the trade with this number was made, in milliseconds.
    pub fn at_ms(&self, row: usize) -> Option<u64> {
        self.rows.get(row).map(|row| row.at_ms)
    }

    /// How many trades were made until then, that time included.
    pub(super) fn until(&self, at_ms: u64) -> usize {
        self.rows.partition_point(|row| row.at_ms <= at_ms)
    }

    pub(super) fn mint(&self, place: u32) -> &str {
        self.mints.get(place as usize).map_or("", String::as_str)
    }

    /// The trade with this number: when, its mint, its order, and the amount of that.
    pub fn row(&self, at: usize) -> Option<(u64, &str, Rival, u64)> {
        self.rows.get(at).map(|row| (row.at_ms, self.mint(row.mint), row.trade.order, row.trade.amount))
    }

    pub(super) fn at(&self, row: usize) -> Option<TapeRow> {
        self.rows.get(row).copied()
    }
}
