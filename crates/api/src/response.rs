//! What the service answers, with every amount exact, and the table of a reply's fields, from which types and docs follow.

use std::fmt;

use crate::amount::ExactText;
use crate::codes::codes;
use crate::endpoint::Operation::{Buy, Sell, SellByPercentage};
use crate::endpoint::{ALL, Operation, Operations, SINGLES};
use crate::names::place_of;
use crate::tape::{Tape, ToTape, Writer};
use crate::text::Text;

/// One row of the table of a reply's fields.
#[derive(Clone, Copy, Debug)]
pub struct ReplyRow {
    pub field: ReplyField,
    /// The object that has it.
    pub part: Part,
    /// Its exact name.
    pub name: &'static str,
    /// The place of that name in [`NAMES`](crate::names::NAMES).
    pub(crate) place: usize,
    /// What it is.
    pub kind: ReplyKind,
    /// The operations whose reply has it.
    pub operations: Operations,
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
    /// Text; the field is left out where there is none.
    OptionalText,
    /// A number, or text of digits.
    Amount,
    /// True or false.
    Flag,
    /// Any JSON value.
    Any,
}

/// The value of a field of a reply.
#[derive(Clone, Copy)]
pub enum ReplyValue<'t> {
    /// Text.
    Text(&'t Option<Text>),
    /// A number, or text of digits.
    Amount(&'t Option<ExactText>),
    /// True or false.
    Flag(&'t Option<bool>),
    /// Any JSON value.
    Any(&'t Tape),
}

/// The place of a field's value in a [`Trade`].
pub enum ReplySlot<'t> {
    /// Text.
    Text(&'t mut Option<Text>),
    /// A number, or text of digits.
    Amount(&'t mut Option<ExactText>),
    /// True or false.
    Flag(&'t mut Option<bool>),
    /// Any JSON value.
    Any(&'t mut Tape),
}

/// Declares the fields of a reply, each once: its meaning, its variant and name, its row of [`REPLY`], and its place in a
/// [`Trade`].
macro_rules! reply {
    ($(
        #[doc = $doc:literal]
        $field:ident = $part:ident $name:literal: $kind:ident, $operations:expr, $value:ident($($place:ident).+);
    )+) => {
        /// A field of a reply. [`REPLY`] has its row at its place.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum ReplyField {
            $(#[doc = $doc] $field,)+
        }

        /// The fields of all replies but the objects themselves, in the reply's order.
        pub static REPLY: [ReplyRow; [$($name),+].len()] = [$(ReplyRow {
            field: ReplyField::$field,
            part: Part::$part,
            name: $name,
            place: place_of($name),
            kind: ReplyKind::$kind,
            operations: $operations,
        }),+];

        impl ReplyField {
            /// What it means. It is not part of the row, because the npm package's module contains the rows.
            pub const fn doc(self) -> &'static str {
                match self { $(ReplyField::$field => $doc,)+ }
            }
        }

        impl Trade {
            pub fn value(&self, field: ReplyField) -> ReplyValue<'_> {
                match field { $(ReplyField::$field => ReplyValue::$value(&self.$($place).+),)+ }
            }

            /// The place of a field's value.
            pub fn slot(&mut self, field: ReplyField) -> ReplySlot<'_> {
                match field { $(ReplyField::$field => ReplySlot::$value(&mut self.$($place).+),)+ }
            }
        }
    };
}

const BUYS: Operations = Operations::of([Buy]);
const SELLS: Operations = Operations::of([Sell, SellByPercentage]);

reply! {
    /// Mint address.
    Mint = Result "mint": Text, ALL, Text(result.mint);
    /// Id of the wallet that traded.
    Wallet = Result "wallet": Text, SINGLES, Text(result.wallet);
    /// Whole tokens bought.
    BuyAmount = Result "buyAmount": Amount, BUYS, Amount(result.amount);
    /// Whole tokens sold.
    SellAmount = Result "sellAmount": Amount, SELLS, Amount(result.amount);
    /// Token balance before the trade, in whole tokens.
    PreTokenBalance = Result "preTokenBalance": Amount, SINGLES, Amount(result.pre_token_balance);
    /// Token balance after the trade, in whole tokens.
    PostTokenBalance = Result "postTokenBalance": Amount, SINGLES, Amount(result.post_token_balance);
    /// Transaction signature.
    Signature = Result "signature": Text, ALL, Text(result.signature);
    /// Whether it succeeded; `null` where the reply does not say.
    Success = Transaction "success": Flag, ALL, Flag(result.transaction.success);
    /// Transaction signature.
    TransactionSignature = Transaction "signature": Text, ALL, Text(result.transaction.signature);
    /// Any JSON value.
    Results = Transaction "results": Any, ALL, Any(result.transaction.results);
    /// Token account address.
    TokenAccount = Result "tokenAccount": Text, SINGLES, Text(result.token_account);
    /// Whether the sell emptied the token account and closed it.
    TokenAccountClosed = Result "tokenAccountClosed": Flag, SELLS, Flag(result.token_account_closed);
    /// The token.
    ExplorerMint = Explorer "mint": Text, ALL, Text(explorer.mint);
    /// The wallet.
    ExplorerWallet = Explorer "wallet": Text, SINGLES, Text(explorer.wallet);
    /// The transaction.
    ExplorerTx = Explorer "tx": Text, ALL, Text(explorer.tx);
    /// The token account. The spec describes it, but its sample leaves it out.
    ExplorerTokenAccount = Explorer "tokenAccount": OptionalText, SINGLES, Text(explorer.token_account);
    /// The token.
    LaunchpadMint = Launchpad "mint": Text, ALL, Text(launchpad_mint);
}

/// The rows of a reply to this operation, in its order.
pub fn reply_rows(operation: Operation) -> impl Iterator<Item = &'static ReplyRow> {
    REPLY.iter().filter(move |row| row.operations.contains(operation))
}

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
    pub result: TradeResult,
    /// `explorer`: links to the block explorer.
    pub explorer: Explorer,
    /// `launchpad.mint`: link to the token's page.
    pub launchpad_mint: Option<Text>,
    /// The reply's whole text, unknown fields included.
    pub raw: Text,
}

impl Trade {
    /// One without any field.
    pub fn empty(operation: Operation) -> Self {
        Trade {
            operation,
            status: Status::Unconfirmed,
            result: TradeResult::default(),
            explorer: Explorer::default(),
            launchpad_mint: None,
            raw: Text::default(),
        }
    }

    /// The signature of its transaction, if the reply has it.
    pub fn signature(&self) -> Option<&str> {
        let TradeResult { signature, transaction, .. } = &self.result;
        let told = [signature, &transaction.signature].into_iter().flatten();
        told.map(|text| &**text).find(|signature| !signature.is_empty())
    }

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
    pub mint: Option<Text>,
    /// Id of the wallet that traded.
    pub wallet: Option<Text>,
    /// Tokens bought or sold: `buyAmount` or `sellAmount`.
    pub amount: Option<ExactText>,
    /// Token balance before the trade.
    pub pre_token_balance: Option<ExactText>,
    /// Token balance after the trade.
    pub post_token_balance: Option<ExactText>,
    /// Transaction signature.
    pub signature: Option<Text>,
    /// `transactionResult`.
    pub transaction: TransactionResult,
    /// Token account address.
    pub token_account: Option<Text>,
    /// Sells only: whether the token account was emptied and closed.
    pub token_account_closed: Option<bool>,
}

/// `transactionResult` of a reply. `Debug` leaves out `results`.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct TransactionResult {
    /// Whether the transaction succeeded, if the reply says.
    pub success: Option<bool>,
    /// Transaction signature.
    pub signature: Option<Text>,
    /// `results`: any JSON value, as it came.
    pub results: Tape,
}

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
    pub mint: Option<Text>,
    /// The wallet.
    pub wallet: Option<Text>,
    /// The transaction.
    pub tx: Option<Text>,
    /// The token account.
    pub token_account: Option<Text>,
}

impl ToTape for ReplyValue<'_> {
    fn write(&self, tape: &mut Writer) {
        match self {
            ReplyValue::Text(text) => text.write(tape),
            ReplyValue::Amount(amount) => amount.write(tape),
            ReplyValue::Flag(flag) => flag.write(tape),
            ReplyValue::Any(value) => value.write(tape),
        }
    }
}

impl ToTape for ExactText {
    fn write(&self, tape: &mut Writer) {
        tape.number_part(self.text());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_field_is_its_rows_place_and_has_its_kind_of_value() {
        let trade = Trade::empty(Buy);
        for (place, row) in REPLY.iter().enumerate() {
            assert_eq!(row.field as usize, place, "{}", row.name);
            let is_its_kind = match trade.value(row.field) {
                ReplyValue::Text(_) => matches!(row.kind, ReplyKind::Text | ReplyKind::OptionalText),
                ReplyValue::Amount(_) => row.kind == ReplyKind::Amount,
                ReplyValue::Flag(_) => row.kind == ReplyKind::Flag,
                ReplyValue::Any(_) => row.kind == ReplyKind::Any,
            };
            assert!(is_its_kind, "{}", row.name);
        }
    }
}
