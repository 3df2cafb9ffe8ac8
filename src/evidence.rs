//! What a node of the network says, as plain values: blocks, lists of signatures, transactions.
//!
//! `chain::rpc` reads them from the replies of JSON-RPC; [`trade::settle`](crate::trade::settle) finds out from them how a trade
//! ended. They are what the node *said*: it may lag, forget, or be wrong.

use crate::codes::codes;
use crate::record;
use crate::tape::Number;

/// A number before something happened, and after.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Change {
    pub before: u64,
    pub after: u64,
}

impl Change {
    /// What was gained; negative for a loss.
    pub fn moved(self) -> i128 {
        i128::from(self.after) - i128::from(self.before)
    }
}

/// A finalized block: how far the chain had come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mark {
    pub slot: u64,
    /// Its height: the number of blocks before it. Slots without a block are not counted.
    pub height: u64,
    /// When it was made by the network's own clock, in seconds since 1970, if that was read.
    pub time: Option<u64>,
}

/// One line of `getSignaturesForAddress`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The transaction's signature.
    pub signature: String,
    /// The slot of its block.
    pub slot: u64,
    /// Whether it failed: it changed nothing, but was charged.
    pub failed: bool,
    /// Whether no fork can take it back.
    pub finalized: bool,
}

/// The transactions that name an account, newest first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct History {
    /// The account's address.
    pub account: String,
    /// The transactions.
    pub entries: Vec<Entry>,
    /// Whether all of them since the slot in question are listed.
    pub is_complete: bool,
    /// The finalized slot that the node had reached: what came later may be missing. A list has no slot of its own, so ask with
    /// `minContextSlot`: this is then that slot.
    pub up_to_slot: u64,
}

/// Reads a [`History`] page by page.
///
/// ```
/// use launchpad_desk::evidence::{Entry, Listing};
///
/// let entry = |signature: &str, slot| Entry { signature: signature.into(), slot, failed: false, finalized: true };
/// let mut listing = Listing::new("W", 100);
/// assert_eq!(listing.next(), Some(None)); // the newest page
/// listing.add(vec![entry("c", 120), entry("b", 110)], 2);
/// assert_eq!(listing.next(), Some(Some("b"))); // the page before "b"
/// listing.add(vec![entry("a", 99)], 2);
/// assert_eq!(listing.next(), None); // slot 99 lies before the slot in question
/// assert!(listing.finish(None, 130).is_complete);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Listing {
    account: String,
    since_slot: u64,
    entries: Vec<Entry>,
    has_begun: bool,
    /// A page was not full, so there are no older transactions, or the node has forgotten them.
    has_ended: bool,
    is_disordered: bool,
}

impl Listing {
    /// A list of what names this account after this slot.
    pub fn new(account: &str, since_slot: u64) -> Self {
        Listing {
            account: account.to_owned(),
            since_slot,
            entries: Vec::new(),
            has_begun: false,
            has_ended: false,
            is_disordered: false,
        }
    }

    /// Which page to ask for: the one before a signature, or at first the newest, without `before`. `None` once the list is read.
    pub fn next(&self) -> Option<Option<&str>> {
        let oldest = self.entries.last();
        let has_reached = oldest.is_some_and(|entry| entry.slot <= self.since_slot);
        let is_read = has_reached || self.has_ended || self.is_disordered;
        (!self.has_begun || !is_read).then(|| oldest.map(|entry| entry.signature.as_str()))
    }

    /// Adds the page that was asked for; `limit` is the most that it could have had.
    pub fn add(&mut self, page: Vec<Entry>, limit: usize) {
        self.has_begun = true;
        self.has_ended = page.len() < limit;
        for entry in page {
            // Another node may have answered this page, or a fork moved what is listed.
            let is_older = self.entries.last().is_none_or(|newer| entry.slot <= newer.slot);
            let is_new = self.entries.iter().rev().all(|known| known.signature != entry.signature);
            self.is_disordered |= !(is_older && is_new);
            self.entries.push(entry);
        }
    }

    /// What was read. `first_available_slot` is the `getFirstAvailableBlock` of the machine that gave the pages: a list that ends is complete
    /// only if that machine still has the blocks from then on. `None` if it is not known: then only a list that reaches back to the slot in
    /// question is complete.
    pub fn finish(self, first_available_slot: Option<u64>, up_to_slot: u64) -> History {
        let has_reached = self.entries.last().is_some_and(|entry| entry.slot <= self.since_slot);
        let has_all = self.has_ended && first_available_slot.is_some_and(|first| first <= self.since_slot);
        History {
            is_complete: (has_reached || has_all) && !self.is_disordered,
            account: self.account,
            entries: self.entries,
            up_to_slot,
        }
    }
}

codes! {
    /// What a node has of a transaction.
    Seen {
        /// It is final, and succeeded.
        Finalized = "finalized",
        /// It is final, and failed.
        Failed = "failed",
        /// It was not seen, or may still be taken back. It may still become final.
        NotSeen = "not_seen",
    }
}

record! {
    /// What the transaction of a trade has moved in the trade's wallets.
    Moved {
        /// Whether it can be that trade: it does what was asked for, and is not from before it. If not, nothing else here counts.
        fits: bool => "boolean",
        /// Whether it failed: then only a network fee was paid.
        failed: bool => "boolean",
        /// When its block was made, in milliseconds since 1970, if its source says so.
        at_ms: Option<Number> => "number | null",
        /// Each trading wallet, once.
        wallets: Vec<WalletMoved> => "WalletMoved[]",
    }
}

record! {
    /// What the transaction of a trade has moved in one wallet.
    WalletMoved {
        /// The wallet.
        wallet: String => "string",
        /// Base units of the trade's token gained (negative: sold).
        tokens: i128 => "bigint",
        /// Lamports gained (negative: spent) in all, without the rent of its token account: the trade, every fee that the wallet paid, and
        /// what else the transaction took.
        lamports: i128 => "bigint",
        /// Rent that was locked in its token account (negative: came back), in lamports.
        rent_lamports: i128 => "bigint",
    }
}

/// What a transaction did to one account's lamports.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AccountChange {
    pub address: String,
    pub signed: bool,
    pub lamports: Change,
}

/// What a transaction did to one token account.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TokenChange {
    pub account: String,
    /// The wallet that owns it, if the node says so.
    pub owner: Option<String>,
    /// The token.
    pub mint: String,
    /// Its base units; zero where there is no account.
    pub tokens: Change,
}

/// An executed transaction, as `getTransaction` returns it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Transaction {
    /// Its first signature, which names it.
    pub signature: String,
    /// The slot of its block.
    pub slot: u64,
    /// When the block was made, in seconds since 1970, if the node says so.
    pub time: Option<u64>,
    /// Whether it failed: it changed nothing, but was charged.
    pub failed: bool,
    /// Lamports that the network took from the fee payer, the first account.
    pub fee: u64,
    /// Every account that it names, those of lookup tables among them. The first pays the fee.
    pub accounts: Vec<AccountChange>,
    /// Every token account that it names and that exists before or after it.
    pub tokens: Vec<TokenChange>,
}

impl Transaction {
    /// What it did to an account's lamports; `None` if it does not name the account.
    pub fn lamports_of(&self, address: &str) -> Option<Change> {
        self.accounts.iter().find(|account| account.address == address).map(|account| account.lamports)
    }

    /// Whether this account signed it.
    pub fn is_signed_by(&self, address: &str) -> bool {
        self.accounts.iter().any(|account| account.signed && account.address == address)
    }

    /// Whether it names this account or token.
    pub fn names(&self, address: &str) -> bool {
        self.accounts.iter().any(|account| account.address == address)
            || self.tokens.iter().any(|tokens| tokens.mint == address)
    }
}
