//! A trade as JS sees it: the spec's reply with numbers under `result`, the same values under `exact`.

use wasm_bindgen::prelude::*;

use crate::amount::Decimal;
use crate::api::encode::reply_value;
use crate::api::response::Trade;
use crate::object;
use crate::tape::json;
use crate::tape::{Tape, ToTape, Writer};

#[wasm_bindgen(typescript_custom_section)]
const TYPES: &str = r#"
/** What every trade has, beside the spec's reply. */
export interface AnyTrade {
    /** `landed`, or `unconfirmed` where the reply does not say; `failed` on `TradeFailedError.trade`. */
    status: TradeStatus;
    /** Warnings about the request. */
    warnings: Warning[];
    /** The reply's whole text, unknown fields included. */
    raw: string;
    /** Launchpad link. */
    launchpad: { /** The token. */ mint: string | null };
    /** The trade's id; absent if no client sent it. */
    intentId?: string;
}
/** A buy that landed, or that the reply leaves unconfirmed. A field is `null` where the reply left it out. */
export interface BuyTrade extends AnyTrade {
    operation: "buy";
    /** The spec's `result`. */
    result: SingleResult & { /** Tokens bought. */ buyAmount: number | null };
    /** The numbers of `result` as decimal text, without loss. */
    exact: ExactBalances & { /** Tokens bought. */ buyAmount: string | null };
    /** Block explorer links. */
    explorer: ExplorerLinks;
}
/** A sell that landed, or that the reply leaves unconfirmed. A field is `null` where the reply left it out. */
export interface SellTrade extends AnyTrade {
    operation: "sell" | "sellByPercentage";
    /** The spec's `result`. */
    result: SingleResult & {
        /** Tokens sold. */
        sellAmount: number | null;
        /** Whether the sell emptied the token account and closed it. */
        tokenAccountClosed: boolean | null;
    };
    /** The numbers of `result` as decimal text, without loss. */
    exact: ExactBalances & { /** Tokens sold. */ sellAmount: string | null };
    /** Block explorer links. */
    explorer: ExplorerLinks;
}
/** A bundle that landed, or that the reply leaves unconfirmed. A field is `null` where the reply left it out. */
export interface BundleTrade extends AnyTrade {
    operation: "bundleBuy" | "bundleSell" | "bundleSellByPercentage";
    /** The spec's `result`. */
    result: TransactionOf;
    /** What of `result` a JS value could round. */
    exact: ExactResults;
    /** Block explorer links. */
    explorer: { /** The token. */ mint: string | null; /** The transaction. */ tx: string | null };
}
/** What `result` says of the transaction. */
export interface TransactionOf {
    /** Mint address. */
    mint: string | null;
    /** Transaction signature. */
    signature: string | null;
    /** Result of the transaction. */
    transactionResult: {
        /** Whether it succeeded; `null` where the reply does not say. */
        success: boolean | null;
        /** Transaction signature. */
        signature: string | null;
        /** Any JSON value. */
        results: unknown;
    };
}
/** What `result` of a single trade has, buy or sell. */
export interface SingleResult extends TransactionOf {
    /** Id of the wallet that traded. */
    wallet: string | null;
    /** Token balance before the trade. */
    preTokenBalance: number | null;
    /** Token balance after the trade. */
    postTokenBalance: number | null;
    /** Token account address. */
    tokenAccount: string | null;
}
/** What JSON can say and a JS value could round. */
export interface ExactResults {
    /** `transactionResult.results` as JSON text. */
    results: string;
}
/** The balances of a single trade as decimal text, without loss. */
export interface ExactBalances extends ExactResults {
    /** Token balance before the trade. */
    preTokenBalance: string | null;
    /** Token balance after the trade. */
    postTokenBalance: string | null;
}
/** Block explorer links of a single trade. */
export interface ExplorerLinks {
    /** The token. */
    mint: string | null;
    /** The wallet. */
    wallet: string | null;
    /** The transaction. */
    tx: string | null;
    /** The token account. The spec describes it, but its sample leaves it out. */
    tokenAccount?: string;
}
"#;

/// The trade as JS receives it; the sender adds the warnings.
pub fn trade_value(trade: &Trade) -> Tape {
    let result = &trade.result;
    let text = |amount: &Option<Decimal>| amount.as_ref().map(|amount| amount.as_str().to_owned());
    let (results, amount) = (json::write(&result.transaction.results), text(&result.amount));
    let (before, after) = (text(&result.pre_token_balance), text(&result.post_token_balance));
    let exact = match (trade.operation.is_bundle(), trade.operation.is_buy()) {
        // Of a bundle there are no amounts.
        (true, _) => object! { "results": results },
        (false, true) => {
            object! { "results": results, "buyAmount": amount, "preTokenBalance": before, "postTokenBalance": after }
        }
        (false, false) => {
            object! { "results": results, "sellAmount": amount, "preTokenBalance": before, "postTokenBalance": after }
        }
    };
    let head = object! { "operation": trade.operation, "status": trade.status.as_str() };
    let tail = object! { "exact": exact, "warnings": Vec::<Tape>::new(), "raw": trade.raw };
    let parts = [head, reply_value(trade), tail];
    let fields = parts.iter().flat_map(|part| part.root().fields()).flatten().collect::<Vec<_>>();
    let mut tape = Writer::default();
    tape.object(&mut fields.iter().map(|(name, field)| (*name, field as &dyn ToTape)));
    tape.finish()
}
