//! What the service answers, with every amount exact.

use crate::amount::Decimal;
use crate::api::endpoint::Operation;
use crate::codes::codes;
use crate::tape::Tape;

/// A decoded reply to any of the six operations.
///
/// Fields that a reply leaves out are `None`. A service that says little about a trade that happened is still believed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trade {
    /// What was asked for.
    pub operation: Operation,
    /// What became of it.
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
    pub amount: Option<Decimal>,
    /// Token balance before the trade.
    pub pre_token_balance: Option<Decimal>,
    /// Token balance after the trade.
    pub post_token_balance: Option<Decimal>,
    /// Transaction signature.
    pub signature: Option<String>,
    /// `transactionResult`.
    pub transaction: TransactionResult,
    /// Token account address.
    pub token_account: Option<String>,
    /// Sells only: whether the token account was emptied and closed.
    pub token_account_closed: Option<bool>,
}

/// `transactionResult` of a reply.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TransactionResult {
    /// Whether the transaction succeeded, if the reply says.
    pub success: Option<bool>,
    /// Transaction signature.
    pub signature: Option<String>,
    /// `results`: any JSON value, as it came.
    pub results: Tape,
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
