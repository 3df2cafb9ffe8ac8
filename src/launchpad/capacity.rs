//! How many trades of a bundle fit one transaction, by a table: what a service puts into a transaction beside them is unknown.
//!
//! The table is only used for warnings and to split bundles: nothing is refused because of it.

use std::ops::Range;

use crate::codes::codes;

codes! {
    /// A leg of a bundle, by what it adds to the transaction.
    LegKind {
        /// A buy into an open token account.
        Buy = "buy",
        /// A buy that opens its token account first.
        OpenAndBuy = "open_and_buy",
        /// A sell.
        Sell = "sell",
        /// A sell that closes its token account.
        SellAndClose = "sell_and_close",
    }
}

/// How many legs of one kind fit one transaction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Capacity {
    pub kind: LegKind,
    /// With every address written out, if one of the wallets pays the fee.
    pub legs: usize,
    /// The same with an address lookup table.
    pub legs_with_lookup_table: usize,
    /// With every address written out, if the fee payer does not trade: it signs as well.
    pub legs_beside_payer: usize,
    /// The same with an address lookup table.
    pub legs_beside_payer_with_lookup_table: usize,
}

const fn capacity(kind: LegKind, [legs, in_table]: [usize; 2], beside_payer: [usize; 2]) -> Capacity {
    Capacity {
        kind,
        legs,
        legs_with_lookup_table: in_table,
        legs_beside_payer: beside_payer[0],
        legs_beside_payer_with_lookup_table: beside_payer[1],
    }
}

/// How many legs of each kind fit, each by its own wallet.
pub const CAPACITIES: [Capacity; 4] = [
    capacity(LegKind::Buy, [3, 5], [2, 4]),
    capacity(LegKind::OpenAndBuy, [2, 4], [2, 4]),
    capacity(LegKind::Sell, [4, 6], [3, 5]),
    capacity(LegKind::SellAndClose, [3, 5], [3, 5]),
];

/// Where [`CAPACITIES`] come from.
pub const ORIGIN: &str = "measured with a real launchpad program, in transactions of 1,232 bytes with two compute-budget instructions";

impl LegKind {
    /// How many legs of this kind fit one transaction.
    pub const fn capacity(self) -> Capacity {
        match self {
            LegKind::Buy => CAPACITIES[0],
            LegKind::OpenAndBuy => CAPACITIES[1],
            LegKind::Sell => CAPACITIES[2],
            LegKind::SellAndClose => CAPACITIES[3],
        }
    }
}

codes! {
    /// Whether legs fit one transaction.
    #[derive(PartialOrd, Ord)]
    Fit as "TransactionFit" {
        /// With every address written out.
        Plain = "plain",
        /// Only with an address lookup table.
        WithLookupTable = "with_lookup_table",
        /// Not at all.
        No = "no",
    }
}

/// A leg and the wallet that signs for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WalletLeg {
    /// Which wallet trades: any number, as long as each wallet has its own.
    pub wallet: usize,
    pub kind: LegKind,
}

/// How the addresses of a transaction are given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Addresses {
    /// Every one written out: no table is needed.
    WrittenOut,
    /// The shared ones in an address lookup table.
    InTable,
}

/// Whether these legs fit one transaction that `fee_payer` pays for.
///
/// Legs of several kinds count as those that need the most room, and a wallet that trades twice as two: so what fits may be called
/// too large, never the other way round.
///
/// ```
/// use launchpad_desk::launchpad::capacity::{Fit, LegKind, WalletLeg, fit};
/// let legs = [0, 1, 2].map(|wallet| WalletLeg { wallet, kind: LegKind::Buy });
/// assert_eq!(fit(&legs, 0), Fit::Plain);
/// assert_eq!(fit(&legs, 3), Fit::WithLookupTable, "one more signs");
/// ```
pub fn fit(legs: &[WalletLeg], fee_payer: usize) -> Fit {
    let fits = |addresses| legs.len() <= most(legs, fee_payer, addresses);
    if fits(Addresses::WrittenOut) {
        Fit::Plain
    } else if fits(Addresses::InTable) {
        Fit::WithLookupTable
    } else {
        Fit::No
    }
}

/// Splits the legs, in their order, into the fewest transactions that have room for them. Each range is one transaction's legs;
/// the fee payer signs each of them.
///
/// Only size counts here, not compute units or price moves between the transactions.
///
/// ```
/// use launchpad_desk::launchpad::capacity::{Addresses, LegKind, WalletLeg, split};
/// let legs: Vec<_> = (0..7).map(|wallet| WalletLeg { wallet, kind: LegKind::Buy }).collect();
/// assert_eq!(split(&legs, 0, Addresses::WrittenOut), [0..3, 3..5, 5..7]);
/// assert_eq!(split(&legs, 0, Addresses::InTable), [0..5, 5..7]);
/// ```
pub fn split(legs: &[WalletLeg], fee_payer: usize, addresses: Addresses) -> Vec<Range<usize>> {
    let has_room = |range: Range<usize>| {
        let part = legs.get(range).unwrap_or_default();
        part.len() <= most(part, fee_payer, addresses)
    };
    // A further leg never makes room, so filling up each transaction gives the fewest.
    let mut parts = Vec::new();
    let mut start = 0;
    for end in 1..=legs.len() {
        if !has_room(start..end) {
            parts.push(start..end - 1);
            start = end - 1;
        }
    }
    if start < legs.len() {
        parts.push(start..legs.len());
    }
    parts
}

/// How many legs a transaction with such legs may have.
fn most(legs: &[WalletLeg], fee_payer: usize, addresses: Addresses) -> usize {
    let pays = legs.iter().any(|leg| leg.wallet == fee_payer);
    let most = |leg: &WalletLeg| {
        let capacity = leg.kind.capacity();
        match (addresses, pays) {
            (Addresses::WrittenOut, true) => capacity.legs,
            (Addresses::InTable, true) => capacity.legs_with_lookup_table,
            (Addresses::WrittenOut, false) => capacity.legs_beside_payer,
            (Addresses::InTable, false) => capacity.legs_beside_payer_with_lookup_table,
        }
    };
    legs.iter().map(most).min().unwrap_or(usize::MAX)
}
