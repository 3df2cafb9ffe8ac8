//! The trades of others that a backtest runs again, in columns.

use std::collections::BTreeMap;

use crate::launchpad::quote::Side;

/// An order of somebody else, as it was recorded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Rival {
    /// Spends this many lamports, fees included.
    Buy = 0,
    /// Sells this many base units.
    Sell = 1,
    /// Buys exactly this many base units.
    BuyTokens = 2,
}

impl Rival {
    /// The order of this number.
    pub const fn from_number(number: u8) -> Option<Rival> {
        match number {
            0 => Some(Rival::Buy),
            1 => Some(Rival::Sell),
            2 => Some(Rival::BuyTokens),
            _ => None,
        }
    }

    /// The order of a trade that moved this, as far as that was recorded, and the amount of it.
    pub fn of(side: Side, lamports: Option<u64>, tokens: Option<u64>) -> (Rival, u64) {
        match (side, lamports) {
            (Side::Buy, Some(lamports)) => (Rival::Buy, lamports),
            (Side::Buy, None) => (Rival::BuyTokens, tokens.unwrap_or(0)),
            (Side::Sell, _) => (Rival::Sell, tokens.unwrap_or(0)),
        }
    }
}

/// Recorded trades in the order they were made.
///
/// ```
/// use launchpad_desk::strategy::trade_tape::{Rival, TradeTape};
/// let mut tape = TradeTape::default();
/// assert!(tape.push("M", 0, Rival::Buy, 1_000_000_000));
/// assert!(!tape.push("M", -1_i64 as u64, Rival::Sell, 5), "no such time");
/// assert_eq!(tape.len(), 1);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TradeTape {
    mints: Vec<String>,
    places: BTreeMap<String, u32>,
    rows: Vec<Row>,
    own: Vec<OwnTrade>,
}

/// A trade of one's own on a tape.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct OwnTrade {
    /// How many trades of one's own are before it.
    pub(super) number: usize,
    /// How many trades of others are before it.
    pub(super) place: usize,
    pub(super) at_ms: u64,
    pub(super) mint: u32,
    pub(super) side: Side,
    /// What it moved, as far as that was recorded: of a sell at least the tokens, of a buy at least one of the two.
    pub(super) lamports: Option<u64>,
    pub(super) tokens: Option<u64>,
}

/// A row of a tape.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Row {
    pub(super) at_ms: u64,
    pub(super) amount: u64,
    pub(super) mint: u32,
    pub(super) order: Rival,
}

impl TradeTape {
    /// Adds a trade. False, and nothing is added, if it is earlier than the one before it, or later than 2^53 - 1.
    pub fn push(&mut self, mint: &str, at_ms: u64, order: Rival, amount: u64) -> bool {
        if !self.may_follow(at_ms) {
            return false;
        }
        let known = self.rows.last().map(|last| last.mint).filter(|last| self.mint(*last) == mint);
        let mint = known.unwrap_or_else(|| self.place_of(mint));
        self.rows.push(Row { at_ms, amount, mint, order });
        true
    }

    /// Adds a trade of one's own, which is not made again in a backtest: it says what really happened, as far as that was recorded. False
    /// as of [`push`](TradeTape::push), and for a sell without its tokens or a buy with neither amount.
    pub fn push_own(
        &mut self,
        mint: &str,
        at_ms: u64,
        side: Side,
        lamports: impl Into<Option<u64>>,
        tokens: impl Into<Option<u64>>,
    ) -> bool {
        let (lamports, tokens) = (lamports.into(), tokens.into());
        let is_told = tokens.is_some() || (side == Side::Buy && lamports.is_some());
        if !is_told || !self.may_follow(at_ms) {
            return false;
        }
        let (mint, number, place) = (self.place_of(mint), self.own.len(), self.rows.len());
        self.own.push(OwnTrade { number, place, at_ms, mint, side, lamports, tokens });
        true
    }

    fn may_follow(&self, at_ms: u64) -> bool {
        at_ms <= super::units::Millis::MOST
            && self.rows.last().is_none_or(|last| at_ms >= last.at_ms)
            && self.own.last().is_none_or(|last| at_ms >= last.at_ms)
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

    pub(super) fn mint(&self, place: u32) -> &str {
        self.mints.get(place as usize).map_or("", String::as_str)
    }

    /// The trade with this number: when, its mint, its order, and the amount of that.
    pub fn row(&self, at: usize) -> Option<(u64, &str, Rival, u64)> {
        self.rows.get(at).map(|row| (row.at_ms, self.mint(row.mint), row.order, row.amount))
    }

    pub(super) fn own(&self) -> &[OwnTrade] {
        &self.own
    }

    /// How many trades of others were made until then.
    pub(super) fn rows_until(&self, at_ms: u64) -> usize {
        self.rows.partition_point(|row| row.at_ms <= at_ms)
    }

    /// The tape on which those of one's own trades that are not `left_out` are trades of others, and how many rows are then before each
    /// of one's own.
    pub(super) fn with_others(&self, left_out: &[bool]) -> (TradeTape, Vec<usize>) {
        let (mints, mints_places) = (self.mints.clone(), self.places.clone());
        let rows = Vec::with_capacity(self.rows.len());
        let mut tape = TradeTape { mints, places: mints_places, rows, own: Vec::new() };
        let (mut places, mut next) = (Vec::with_capacity(self.own.len()), 0);
        for (own, left_out) in self.own.iter().zip(left_out) {
            tape.rows.extend(self.rows.get(next..own.place).unwrap_or_default());
            next = own.place;
            places.push(tape.rows.len());
            if !left_out {
                let (order, amount) = Rival::of(own.side, own.lamports, own.tokens);
                tape.rows.push(Row { at_ms: own.at_ms, amount, mint: own.mint, order });
            }
        }
        tape.rows.extend(self.rows.get(next..).unwrap_or_default());
        (tape, places)
    }

    pub(super) fn at(&self, row: usize) -> Option<Row> {
        self.rows.get(row).copied()
    }
}
