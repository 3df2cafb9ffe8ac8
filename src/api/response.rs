//! What the service answers, with every amount exact, and the table of a reply's fields, from which types and docs follow.

use std::fmt;

use crate::amount::ExactText;
use crate::api::endpoint::Operation::{Buy, Sell, SellByPercentage};
use crate::api::endpoint::{ALL, Operation, Operations, SINGLES};
use crate::codes::codes;
use crate::tape::{Tape, ToTape, Writer};
use crate::to_tape;

/// One row of the table of a reply's fields.
#[derive(Clone, Copy, Debug)]
pub struct ReplyRow {
    /// The object that has it.
    pub part: Part,
    /// Its exact name.
    pub name: &'static str,
    /// What it is.
    pub kind: ReplyKind,
    /// The operations whose reply has it.
    pub operations: Operations,
    /// What it means, in a line.
    pub doc: &'static str,
}

/// An object of a reply.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// `result`
    Result,
    /// `result.transactionResult`
    Transaction,
    /// `explorer`
    Explorer,
    /// `launchpad`
    Launchpad,
}

/// What a field of a reply is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReplyKind {
    /// Text.
    Text,
    /// A number, or text of digits.
    Amount,
    /// True or false.
    Flag,
    /// Any JSON value.
    Any,
}

/// The fields of all replies but the objects themselves, in the reply's order.
#[rustfmt::skip]
pub const REPLY: [ReplyRow; 17] = {
    use {Part::*, ReplyKind::*};
    const BUYS: Operations = Operations::of([Buy]);
    const SELLS: Operations = Operations::of([Sell, SellByPercentage]);
    const fn row(part: Part, name: &'static str, kind: ReplyKind, operations: Operations, doc: &'static str) -> ReplyRow {
        ReplyRow { part, name, kind, operations, doc }
    }
    [
        row(Result,      "mint",               Text,   ALL,     "Mint address."),
        row(Result,      "wallet",             Text,   SINGLES, "Id of the wallet that traded."),
        row(Result,      "buyAmount",          Amount, BUYS,    "Whole tokens bought."),
        row(Result,      "sellAmount",         Amount, SELLS,   "Whole tokens sold."),
        row(Result,      "preTokenBalance",    Amount, SINGLES, "Token balance before the trade, in whole tokens."),
        row(Result,      "postTokenBalance",   Amount, SINGLES, "Token balance after the trade, in whole tokens."),
        row(Result,      "signature",          Text,   ALL,     "Transaction signature."),
        row(Transaction, "success",            Flag,   ALL,     "Whether it succeeded; `null` where the reply does not say."),
        row(Transaction, "signature",          Text,   ALL,     "Transaction signature."),
        row(Transaction, "results",            Any,    ALL,     "Any JSON value."),
        row(Result,      "tokenAccount",       Text,   SINGLES, "Token account address."),
        row(Result,      "tokenAccountClosed", Flag,   SELLS,   "Whether the sell emptied the token account and closed it."),
        row(Explorer,    "mint",               Text,   ALL,     "The token."),
        row(Explorer,    "wallet",             Text,   SINGLES, "The wallet."),
        row(Explorer,    "tx",                 Text,   ALL,     "The transaction."),
        row(Explorer,    "tokenAccount",       Text,   SINGLES, "The token account. The spec describes it, but its sample leaves it out."),
        row(Launchpad,   "mint",               Text,   ALL,     "The token."),
    ]
};

/// A decoded reply to any of the six operations.
///
/// Fields that a reply leaves out are `None`. A service that says little about a trade is still believed. `Debug` leaves out
/// the raw text.
#[derive(Clone, PartialEq, Eq)]
pub struct Trade {
    /// What was asked for.
    pub operation: Operation,
    /// What happened to it.
    pub status: Status,
    /// `result`.
    pub result: TradeResult,
    /// `explorer`: links to the block explorer.
    pub explorer: Explorer,
    /// `launchpad.mint`: link to the token's page.
    pub launchpad_mint: Option<String>,
    /// The reply's whole text, unknown fields included.
    pub raw: String,
}

impl Trade {
    /// Whether its own signature says that nothing real was traded. A sandbox's signatures begin with `SIM`, which no network's
    /// can, because base58 has no capital I.
    pub fn is_simulated(&self) -> bool {
        let TradeResult { signature, transaction, .. } = &self.result;
        [signature, &transaction.signature]
            .into_iter()
            .flatten()
            .any(|signature| signature.starts_with("SIM"))
    }
}

impl fmt::Debug for Trade {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Trade { operation, status, result, explorer, launchpad_mint, raw: _ } = self;
        f.debug_struct("Trade")
            .field("operation", operation)
            .field("status", status)
            .field("result", result)
            .field("explorer", explorer)
            .field("launchpad_mint", launchpad_mint)
            .finish_non_exhaustive()
    }
}

codes! {
    /// What a readable reply says about its transaction.
    Status as "TradeStatus" {
        /// `transactionResult.success` is true.
        Landed = "landed",
        /// The reply does not say.
        Unconfirmed = "unconfirmed",
        /// `transactionResult.success` is false: nothing moved but the network fee.
        Failed = "failed",
    }
}

/// `result` of a reply. A bundle's has only mint, signature and transaction result.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TradeResult {
    /// Mint address.
    pub mint: Option<String>,
    /// Id of the wallet that traded.
    pub wallet: Option<String>,
    /// Tokens bought or sold: `buyAmount` or `sellAmount`.
    pub amount: Option<ExactText>,
    /// Token balance before the trade.
    pub pre_token_balance: Option<ExactText>,
    /// Token balance after the trade.
    pub post_token_balance: Option<ExactText>,
    /// Transaction signature.
    pub signature: Option<String>,
    /// `transactionResult`.
    pub transaction: TransactionResult,
    /// Token account address.
    pub token_account: Option<String>,
    /// Sells only: whether the token account was emptied and closed.
    pub token_account_closed: Option<bool>,
}

/// `transactionResult` of a reply. `Debug` leaves out `results`.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct TransactionResult {
    /// Whether the transaction succeeded, if the reply says.
    pub success: Option<bool>,
    /// Transaction signature.
    pub signature: Option<String>,
    /// `results`: any JSON value, as it came.
    pub results: Tape,
}

to_tape!(TransactionResult { success, signature, results });

impl fmt::Debug for TransactionResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let TransactionResult { success, signature, results: _ } = self;
        f.debug_struct("TransactionResult")
            .field("success", success)
            .field("signature", signature)
            .finish_non_exhaustive()
    }
}

/// Links to the block explorer. A bundle's reply has only mint and tx.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Explorer {
    /// The token mint.
    pub mint: Option<String>,
    /// The wallet.
    pub wallet: Option<String>,
    /// The transaction.
    pub tx: Option<String>,
    /// The token account.
    pub token_account: Option<String>,
}

impl ToTape for ExactText {
    fn write(&self, tape: &mut Writer) {
        tape.number(self.as_str());
    }
}
