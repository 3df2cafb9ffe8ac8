//! How many bytes a bundle's transaction takes, and how many trades fit.
//!
//! The model is a transaction of the launchpad's program, byte for byte:
//!
//! | part | bytes |
//! |---|---|
//! | signatures | 64 each, and their number |
//! | header, recent block hash | 3, 32 |
//! | addresses | 32 each, once each, and their number |
//! | instructions | their number; of each the program's index, its accounts' indexes, its data, and the numbers of both |
//! | lookup table | a version byte; the table's address, its indexes, and the numbers of both kinds |
//!
//! A count takes one byte below 128, two below 16,384. Each transaction has two compute-budget instructions. Each wallet that
//! trades adds its own address and that of its token account; a buyer also adds that of its volume account. All other addresses
//! are shared.

use std::collections::BTreeSet;
use std::ops::Range;

use super::rules::TRANSACTION_BYTES;
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
    /// The kind of leg.
    pub kind: LegKind,
    /// With every address written out.
    pub legs: u64,
    /// With an address lookup table.
    pub legs_with_lookup_table: u64,
}

/// Measured with a real launchpad program, in transactions of 1,232 bytes with two compute-budget instructions, each leg by its
/// own wallet and one of them the fee payer. [`transaction_size`] gives the same result. They are only used for warnings: the
/// service may know better, so nothing is refused because of them.
pub const CAPACITIES: [Capacity; 4] = [
    Capacity { kind: LegKind::Buy, legs: 3, legs_with_lookup_table: 5 },
    Capacity { kind: LegKind::OpenAndBuy, legs: 2, legs_with_lookup_table: 4 },
    Capacity { kind: LegKind::Sell, legs: 4, legs_with_lookup_table: 6 },
    Capacity { kind: LegKind::SellAndClose, legs: 3, legs_with_lookup_table: 5 },
];

/// Where [`CAPACITIES`] come from.
pub const ORIGIN: &str =
    "measured with a real launchpad program, in transactions with two compute-budget instructions";

/// Signatures that fit one transaction of [`TRANSACTION_BYTES`].
pub const MAX_SIGNATURES: u64 = 12;

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

    const fn buys(self) -> bool {
        matches!(self, LegKind::Buy | LegKind::OpenAndBuy)
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
    /// The kind of leg.
    pub kind: LegKind,
}

/// How large a transaction is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TransactionSize {
    /// How many sign it.
    pub signatures: u64,
    /// Its bytes with every address written out.
    pub bytes: u64,
    /// Its bytes with the shared addresses in an address lookup table.
    pub bytes_with_lookup_table: u64,
}

impl TransactionSize {
    /// Its bytes with the addresses given in this way.
    pub const fn bytes_with(self, addresses: Addresses) -> u64 {
        match addresses {
            Addresses::WrittenOut => self.bytes,
            Addresses::InTable => self.bytes_with_lookup_table,
        }
    }

    /// Whether it has at most [`TRANSACTION_BYTES`].
    pub const fn fit(self) -> Fit {
        self.fit_within(TRANSACTION_BYTES)
    }

    /// Whether it has at most this many bytes.
    pub const fn fit_within(self, bytes: u32) -> Fit {
        if self.bytes <= bytes as u64 {
            Fit::Plain
        } else if self.bytes_with_lookup_table <= bytes as u64 {
            Fit::WithLookupTable
        } else {
            Fit::No
        }
    }
}

/// The exact size of a transaction with these legs, paid for by `fee_payer`.
///
/// ```
/// use launchpad_desk::launchpad::capacity::{LegKind, WalletLeg, transaction_size};
/// let legs = [0, 1, 2].map(|wallet| WalletLeg { wallet, kind: LegKind::Buy });
/// assert_eq!(transaction_size(&legs, 0).bytes, 1_188);
/// assert_eq!(transaction_size(&legs, 3).bytes, 1_188 + 96, "one more signs");
/// ```
pub fn transaction_size(legs: &[WalletLeg], fee_payer: usize) -> TransactionSize {
    let (mut traders, mut buyers) = (BTreeSet::new(), BTreeSet::new());
    for leg in legs {
        traders.insert(leg.wallet);
        if leg.kind.buys() {
            buyers.insert(leg.wallet);
        }
    }
    let payer = u64::from(!traders.contains(&fee_payer));
    Contents {
        signers: (traders.len() as u64).saturating_add(payer),
        traders: traders.len() as u64,
        buyers: buyers.len() as u64,
        ..Contents::of(legs.iter().map(|leg| leg.kind))
    }
    .size()
}

/// Whether legs of these kinds with this many signatures fit one transaction.
///
/// Assumes that as many wallets trade as sign, up to the number of legs; any further signature is the fee payer's. Fewer
/// signatures than legs mean that some wallets trade more than once. Which ones is not known here, so the worst case is
/// assumed; [`transaction_size`] knows, and is exact.
///
/// ```
/// use launchpad_desk::launchpad::capacity::{Fit, LegKind, fit};
/// assert_eq!(fit(&[LegKind::Buy; 3], 3), Fit::Plain);
/// assert_eq!(fit(&[LegKind::Buy; 3], 4), Fit::WithLookupTable);
/// assert_eq!(fit(&[LegKind::OpenAndBuy, LegKind::OpenAndBuy, LegKind::Sell], 3), Fit::Plain);
/// assert_eq!(fit(&[LegKind::OpenAndBuy; 5], 5), Fit::No);
/// ```
pub fn fit(legs: &[LegKind], signatures: u64) -> Fit {
    fit_within(legs, signatures, TRANSACTION_BYTES)
}

/// [`fit`], for transactions of at most so many bytes.
///
/// ```
/// use launchpad_desk::launchpad::capacity::{Fit, LegKind, fit_within};
/// assert_eq!(fit_within(&[LegKind::OpenAndBuy; 5], 5, 4_096), Fit::Plain);
/// ```
pub fn fit_within(legs: &[LegKind], signatures: u64, transaction_bytes: u32) -> Fit {
    let signers = signatures.max(1);
    let buys = legs.iter().filter(|kind| kind.buys()).count() as u64;
    let traders = signers.min(legs.len() as u64);
    let contents =
        Contents { signers, traders, buyers: traders.min(buys), ..Contents::of(legs.iter().copied()) };
    contents.size().fit_within(transaction_bytes)
}

/// How the addresses of a transaction are given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Addresses {
    /// Every one written out: no table is needed.
    WrittenOut,
    /// The shared ones in an address lookup table.
    InTable,
}

/// Splits the legs, in their order, into the fewest transactions that have room for them. Each range is one transaction's legs;
/// the fee payer signs each of them.
///
/// Only bytes count here, not compute units or price moves between the transactions.
///
/// ```
/// use launchpad_desk::launchpad::capacity::{Addresses, LegKind, WalletLeg, split};
/// let legs: Vec<_> = (0..7).map(|wallet| WalletLeg { wallet, kind: LegKind::Buy }).collect();
/// assert_eq!(split(&legs, 0, Addresses::WrittenOut), [0..3, 3..5, 5..7]);
/// assert_eq!(split(&legs, 0, Addresses::InTable), [0..5, 5..7]);
/// ```
pub fn split(legs: &[WalletLeg], fee_payer: usize, addresses: Addresses) -> Vec<Range<usize>> {
    split_within(legs, fee_payer, addresses, TRANSACTION_BYTES)
}

/// [`split`], for transactions of at most so many bytes.
///
/// ```
/// use launchpad_desk::launchpad::capacity::{Addresses, LegKind, WalletLeg, split_within};
/// let legs: Vec<_> = (0..7).map(|wallet| WalletLeg { wallet, kind: LegKind::Buy }).collect();
/// assert_eq!(split_within(&legs, 0, Addresses::WrittenOut, 4_096), [0..7]);
/// ```
pub fn split_within(
    legs: &[WalletLeg],
    fee_payer: usize,
    addresses: Addresses,
    transaction_bytes: u32,
) -> Vec<Range<usize>> {
    let has_room = |range: Range<usize>| {
        let size = transaction_size(legs.get(range).unwrap_or_default(), fee_payer);
        size.bytes_with(addresses) <= u64::from(transaction_bytes)
    };
    // Legs only ever add bytes, so filling up each transaction gives the fewest.
    let mut parts = Vec::new();
    let mut start = 0;
    for end in 1..=legs.len() {
        // A leg on its own always has room.
        if end - start > 1 && !has_room(start..end) {
            parts.push(start..end - 1);
            start = end - 1;
        }
    }
    if start < legs.len() {
        parts.push(start..legs.len());
    }
    parts
}

/// What a transaction contains.
#[derive(Clone, Copy, Debug, Default)]
struct Contents {
    signers: u64,
    /// Wallets with a token account in it, and how many of them also have a volume account.
    traders: u64,
    buyers: u64,
    buys: u64,
    sells: u64,
    opens: u64,
    closes: u64,
}

/// An instruction, by its number of accounts and its bytes of data.
#[derive(Clone, Copy)]
struct Instruction {
    accounts: u64,
    data: u64,
}

const SET_UNIT_LIMIT: Instruction = Instruction { accounts: 0, data: 5 };
const SET_UNIT_PRICE: Instruction = Instruction { accounts: 0, data: 9 };
/// Global state, fee recipient, mint, curve and its token account, wallet and its token account, system and token
/// programs, creator's vault, event authority, the program itself, both volume accounts, fee configuration and program,
/// second curve account, buyback recipient. The data is a discriminator, two amounts and a flag.
const BUY: Instruction = Instruction { accounts: 18, data: 25 };
/// A buy's accounts without the two of volume; a discriminator and two amounts.
const SELL: Instruction = Instruction { accounts: 16, data: 24 };
const OPEN: Instruction = Instruction { accounts: 6, data: 1 };
const CLOSE: Instruction = Instruction { accounts: 3, data: 1 };

/// Addresses that every trade shares: a sell's accounts without the wallet and its token account.
const SHARED: u64 = SELL.accounts - 2;

impl Contents {
    fn of(legs: impl Iterator<Item = LegKind>) -> Self {
        let mut contents = Contents::default();
        for kind in legs {
            match kind {
                LegKind::Buy | LegKind::OpenAndBuy => contents.buys += 1,
                LegKind::Sell | LegKind::SellAndClose => contents.sells += 1,
            }
            contents.opens += u64::from(kind == LegKind::OpenAndBuy);
            contents.closes += u64::from(kind == LegKind::SellAndClose);
        }
        contents
    }

    fn size(self) -> TransactionSize {
        let has = |count: u64| u64::from(count > 0);
        // Compute budget, launchpad, and the programs that open or close token accounts: a called program cannot be in a lookup
        // table.
        let trades = self.buys + self.sells;
        let called = 1 + has(trades) + has(self.opens) + has(self.closes);
        let token_program = has(trades);
        let rest = has(trades) * (SHARED - 1) - token_program + has(self.buys);
        let uncalled_token_program = token_program - has(self.closes);
        let in_table = rest + uncalled_token_program;
        let own = self.signers.saturating_add(self.traders).saturating_add(self.buyers);
        let with_addresses = |addresses: u64| {
            let signatures = length(self.signers).saturating_add(self.signers.saturating_mul(64));
            let keys = length(addresses).saturating_add(addresses.saturating_mul(32));
            signatures
                .saturating_add(3)
                .saturating_add(keys)
                .saturating_add(32)
                .saturating_add(self.instructions())
        };
        let lookup = 1 + length(1) + 32 + 2 * length(in_table) + in_table;
        TransactionSize {
            signatures: self.signers,
            bytes: with_addresses(own.saturating_add(called + in_table)),
            bytes_with_lookup_table: with_addresses(own.saturating_add(called)).saturating_add(lookup),
        }
    }

    fn instructions(self) -> u64 {
        let all = [
            (1, SET_UNIT_LIMIT),
            (1, SET_UNIT_PRICE),
            (self.buys, BUY),
            (self.sells, SELL),
            (self.opens, OPEN),
            (self.closes, CLOSE),
        ];
        let count = all.iter().map(|(count, _)| count).sum();
        let bytes = |(count, Instruction { accounts, data }): (u64, Instruction)| {
            count * (1 + length(accounts) + accounts + length(data) + data)
        };
        length(count) + all.into_iter().map(bytes).sum::<u64>()
    }
}

/// Bytes of a count: seven bits in each.
const fn length(count: u64) -> u64 {
    if count < 1 << 7 {
        1
    } else if count < 1 << 14 {
        2
    } else {
        3
    }
}
