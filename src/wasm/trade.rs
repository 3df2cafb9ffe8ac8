//! A trade as JS sees it: the spec's shape with numbers under `result`, the same values under `exact`.

use crate::amount::Decimal;
use crate::api::response::{Explorer, Trade, TransactionResult};
use crate::error::Warning;
use crate::json;
use crate::record;
use crate::value::{ToValue, Value};

record! {
    /// A buy that landed, or that the reply leaves unconfirmed.
    BuyTrade {
        /// What was asked for.
        operation: &'static str => "\"buy\"",
        /// `landed`, or `unconfirmed` where the reply does not say; `failed` on `TradeFailedError.trade`.
        status: &'static str => "TradeStatus",
        /// The spec's `result`.
        result: BuyResult => "BuyResult",
        /// The numbers of `result` without loss.
        exact: BuyExact => "BuyExact",
        /// Block explorer links.
        explorer: ExplorerLinks => "ExplorerLinks",
        /// Launchpad link.
        launchpad: LaunchpadLinks => "LaunchpadLinks",
        /// What was odd about the request.
        warnings: Vec<Warning> => "Warning[]",
        /// The reply's whole text, unknown fields included.
        raw: String => "string",
    }
}
record! {
    /// A sell that landed, or that the reply leaves unconfirmed.
    SellTrade {
        /// What was asked for.
        operation: &'static str => "\"sell\" | \"sellByPercentage\"",
        /// `landed`, or `unconfirmed` where the reply does not say; `failed` on `TradeFailedError.trade`.
        status: &'static str => "TradeStatus",
        /// The spec's `result`.
        result: SellResult => "SellResult",
        /// The numbers of `result` without loss.
        exact: SellExact => "SellExact",
        /// Block explorer links.
        explorer: ExplorerLinks => "ExplorerLinks",
        /// Launchpad link.
        launchpad: LaunchpadLinks => "LaunchpadLinks",
        /// What was odd about the request.
        warnings: Vec<Warning> => "Warning[]",
        /// The reply's whole text, unknown fields included.
        raw: String => "string",
    }
}
record! {
    /// A bundle that landed, or that the reply leaves unconfirmed.
    BundleTrade {
        /// What was asked for.
        operation: &'static str => "\"bundleBuy\" | \"bundleSell\" | \"bundleSellByPercentage\"",
        /// `landed`, or `unconfirmed` where the reply does not say; `failed` on `TradeFailedError.trade`.
        status: &'static str => "TradeStatus",
        /// The spec's `result`.
        result: BundleResult => "BundleResult",
        /// What of `result` a JS value could round, without loss.
        exact: BundleExact => "BundleExact",
        /// Block explorer links.
        explorer: BundleExplorerLinks => "BundleExplorerLinks",
        /// Launchpad link.
        launchpad: LaunchpadLinks => "LaunchpadLinks",
        /// What was odd about the request.
        warnings: Vec<Warning> => "Warning[]",
        /// The reply's whole text, unknown fields included.
        raw: String => "string",
    }
}
record! {
    /// `result` of a buy.
    BuyResult {
        /// Mint address.
        mint: Option<String> => "string | null",
        /// Id of the wallet that traded.
        wallet: Option<String> => "string | null",
        /// Tokens bought.
        buy_amount: Option<Decimal> => "number | null",
        /// Token balance before the trade.
        pre_token_balance: Option<Decimal> => "number | null",
        /// Token balance after the trade.
        post_token_balance: Option<Decimal> => "number | null",
        /// Transaction signature.
        signature: Option<String> => "string | null",
        /// Result of the transaction.
        transaction_result: TransactionOutcome => "TransactionOutcome",
        /// Token account address.
        token_account: Option<String> => "string | null",
    }
}
record! {
    /// `result` of a sell.
    SellResult {
        /// Mint address.
        mint: Option<String> => "string | null",
        /// Id of the wallet that traded.
        wallet: Option<String> => "string | null",
        /// Tokens sold.
        sell_amount: Option<Decimal> => "number | null",
        /// Token balance before the trade.
        pre_token_balance: Option<Decimal> => "number | null",
        /// Token balance after the trade.
        post_token_balance: Option<Decimal> => "number | null",
        /// Transaction signature.
        signature: Option<String> => "string | null",
        /// Result of the transaction.
        transaction_result: TransactionOutcome => "TransactionOutcome",
        /// Token account address.
        token_account: Option<String> => "string | null",
        /// Whether the sell emptied the token account and closed it.
        token_account_closed: Option<bool> => "boolean | null",
    }
}
record! {
    /// `result` of a bundle.
    BundleResult {
        /// Mint address.
        mint: Option<String> => "string | null",
        /// Signature of the one transaction.
        signature: Option<String> => "string | null",
        /// Result of the transaction.
        transaction_result: TransactionOutcome => "TransactionOutcome",
    }
}
record! {
    /// `transactionResult` of a reply.
    TransactionOutcome {
        /// Whether the transaction succeeded; `null` where the reply does not say.
        success: Option<bool> => "boolean | null",
        /// Transaction signature.
        signature: Option<String> => "string | null",
        /// Any JSON value, as it came.
        results: Value => "unknown",
    }
}
record! {
    /// The numbers of a buy as decimal text, without loss.
    BuyExact {
        /// Tokens bought.
        buy_amount: Option<String> => "string | null",
        /// Token balance before the trade.
        pre_token_balance: Option<String> => "string | null",
        /// Token balance after the trade.
        post_token_balance: Option<String> => "string | null",
        /// `transactionResult.results` as JSON text.
        results: String => "string",
    }
}
record! {
    /// The numbers of a sell as decimal text, without loss.
    SellExact {
        /// Tokens sold.
        sell_amount: Option<String> => "string | null",
        /// Token balance before the trade.
        pre_token_balance: Option<String> => "string | null",
        /// Token balance after the trade.
        post_token_balance: Option<String> => "string | null",
        /// `transactionResult.results` as JSON text.
        results: String => "string",
    }
}
record! {
    /// What of a bundle's result a JS value could round.
    BundleExact {
        /// `transactionResult.results` as JSON text.
        results: String => "string",
    }
}
record! {
    /// Block explorer links of a single trade.
    ExplorerLinks {
        /// The token mint.
        mint: Option<String> => "string | null",
        /// The wallet.
        wallet: Option<String> => "string | null",
        /// The transaction.
        tx: Option<String> => "string | null",
        /// The token account; the spec describes it, and its sample leaves it out.
        token_account: Option<String> => "string | null",
    }
}
record! {
    /// Block explorer links of a bundle.
    BundleExplorerLinks {
        /// The token mint.
        mint: Option<String> => "string | null",
        /// The transaction.
        tx: Option<String> => "string | null",
    }
}
record! {
    /// Launchpad link of a trade.
    LaunchpadLinks {
        /// The token.
        mint: Option<String> => "string | null",
    }
}

/// The trade as JS receives it.
pub fn trade_value(trade: &Trade, warnings: &[Warning]) -> Value {
    let operation = trade.operation.name();
    let status = trade.status.as_str();
    let result = trade.result.clone();
    let results = json::write(&result.transaction.results);
    let launchpad = LaunchpadLinks { mint: trade.launchpad_mint.clone() };
    let warnings = warnings.to_vec();
    let raw = trade.raw.clone();
    let text = |amount: &Option<Decimal>| amount.as_ref().map(Decimal::to_string);
    if trade.operation.is_bundle() {
        let Explorer { mint, tx, .. } = trade.explorer.clone();
        return BundleTrade {
            operation,
            status,
            exact: BundleExact { results },
            result: BundleResult {
                mint: result.mint,
                signature: result.signature,
                transaction_result: result.transaction.into(),
            },
            explorer: BundleExplorerLinks { mint, tx },
            launchpad,
            warnings,
            raw,
        }
        .to_value();
    }
    let Explorer { mint, wallet, tx, token_account } = trade.explorer.clone();
    let explorer = ExplorerLinks { mint, wallet, tx, token_account };
    let pre_token_balance = text(&result.pre_token_balance);
    let post_token_balance = text(&result.post_token_balance);
    if trade.operation.is_buy() {
        let buy_amount = text(&result.amount);
        return BuyTrade {
            operation,
            status,
            exact: BuyExact { buy_amount, pre_token_balance, post_token_balance, results },
            result: BuyResult {
                mint: result.mint,
                wallet: result.wallet,
                buy_amount: result.amount,
                pre_token_balance: result.pre_token_balance,
                post_token_balance: result.post_token_balance,
                signature: result.signature,
                transaction_result: result.transaction.into(),
                token_account: result.token_account,
            },
            explorer,
            launchpad,
            warnings,
            raw,
        }
        .to_value();
    }
    let sell_amount = text(&result.amount);
    SellTrade {
        operation,
        status,
        exact: SellExact { sell_amount, pre_token_balance, post_token_balance, results },
        result: SellResult {
            mint: result.mint,
            wallet: result.wallet,
            sell_amount: result.amount,
            pre_token_balance: result.pre_token_balance,
            post_token_balance: result.post_token_balance,
            signature: result.signature,
            transaction_result: result.transaction.into(),
            token_account: result.token_account,
            token_account_closed: result.token_account_closed,
        },
        explorer,
        launchpad,
        warnings,
        raw,
    }
    .to_value()
}

impl From<TransactionResult> for TransactionOutcome {
    fn from(transaction: TransactionResult) -> Self {
        let TransactionResult { success, signature, results } = transaction;
        TransactionOutcome { success, signature, results }
    }
}
