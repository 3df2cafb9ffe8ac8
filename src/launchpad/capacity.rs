//! How many trades one transaction has room for.

/// A kind of leg, by what it puts into the transaction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LegKind {
    /// A buy into an open token account.
    Buy,
    /// A buy that opens its token account first.
    OpenAndBuy,
    /// A sell.
    Sell,
    /// A sell that closes its token account.
    SellAndClose,
}

/// How many legs of one kind fit one transaction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Capacity {
    /// The kind of leg.
    pub kind: LegKind,
    /// With every address written out.
    pub legs: u64,
    /// With an address lookup table.
    pub legs_with_lookup_table: u64,
}

/// Measured with a real launchpad program, in transactions of 1,232 bytes with two compute-budget
/// instructions. Facts to warn by: the service may know better, so nothing is refused for them.
pub const CAPACITIES: [Capacity; 4] = [
    Capacity { kind: LegKind::Buy, legs: 3, legs_with_lookup_table: 5 },
    Capacity { kind: LegKind::OpenAndBuy, legs: 2, legs_with_lookup_table: 4 },
    Capacity { kind: LegKind::Sell, legs: 4, legs_with_lookup_table: 6 },
    Capacity { kind: LegKind::SellAndClose, legs: 3, legs_with_lookup_table: 5 },
];

/// Where [`CAPACITIES`] come from.
pub const ORIGIN: &str =
    "measured with a real launchpad program, in transactions with two compute-budget instructions";

/// Bytes of the largest transaction.
pub const TRANSACTION_BYTES: u32 = 1_232;

/// Signatures that fit one transaction.
pub const MAX_SIGNATURES: u64 = 12;

impl LegKind {
    /// The stable name of this kind, in snake_case.
    pub const fn code(self) -> &'static str {
        match self {
            LegKind::Buy => "buy",
            LegKind::OpenAndBuy => "open_and_buy",
            LegKind::Sell => "sell",
            LegKind::SellAndClose => "sell_and_close",
        }
    }

    /// The kind of this name.
    pub fn from_code(code: &str) -> Option<LegKind> {
        CAPACITIES.map(|capacity| capacity.kind).into_iter().find(|kind| kind.code() == code)
    }

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

/// Whether legs fit one transaction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Fit {
    /// With every address written out.
    Plain,
    /// Only with an address lookup table.
    WithLookupTable,
    /// Not at all, by what was measured.
    No,
}

impl Fit {
    /// The stable name of this answer, in snake_case.
    pub const fn code(self) -> &'static str {
        match self {
            Fit::Plain => "plain",
            Fit::WithLookupTable => "with_lookup_table",
            Fit::No => "no",
        }
    }
}

/// Whether legs of these kinds with so many signatures fit one transaction. Legs of different kinds are counted
/// by the share of a transaction that each kind takes.
///
/// ```
/// use launchpad_desk::launchpad::capacity::{Fit, LegKind, fit};
/// assert_eq!(fit(&[LegKind::OpenAndBuy; 2], 2), Fit::Plain);
/// assert_eq!(fit(&[LegKind::OpenAndBuy; 4], 4), Fit::WithLookupTable);
/// assert_eq!(fit(&[LegKind::OpenAndBuy; 5], 5), Fit::No);
/// ```
pub fn fit(legs: &[LegKind], signatures: u64) -> Fit {
    // A sixtieth of a transaction divides by every capacity: 2, 3, 4, 5 and 6.
    const WHOLE: u64 = 60;
    let taken =
        |room: fn(Capacity) -> u64| legs.iter().map(|kind| WHOLE / room(kind.capacity())).sum::<u64>();
    if signatures > MAX_SIGNATURES {
        Fit::No
    } else if taken(|capacity| capacity.legs) <= WHOLE {
        Fit::Plain
    } else if taken(|capacity| capacity.legs_with_lookup_table) <= WHOLE {
        Fit::WithLookupTable
    } else {
        Fit::No
    }
}
