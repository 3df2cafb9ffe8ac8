//! What a trade would do, as JS sees it. Lamports and base units are bigints; prices are exact decimal text.

use crate::api::endpoint::Operation;
use crate::launchpad::Refusal;
use crate::launchpad::view::{LegQuote, WalletQuote, leg_quote, wallet_quote};
use crate::record;
use crate::sandbox::DryRun;
use crate::tape::{Tape, ToTape};

record! {
    /// What a request would do if it were sent now.
    TradeQuote {
        /// The operation quoted.
        operation: Operation => "Operation",
        /// Each trade, in order, on the curve that those before it leave: one for a single operation, none
        /// where one of them has no price.
        legs: Vec<LegQuote> => "LegQuote[]",
        /// The net result for each wallet of the request.
        wallets: Vec<WalletQuote> => "WalletQuote[]",
        /// Paid by the fee payer, even when the transaction fails.
        network_fee_lamports: u64 => "bigint",
        /// Why the transaction would fail; `null` where it would land.
        refused: Option<QuoteRefusal> => "QuoteRefusal | null",
    }
}
record! {
    /// Why a transaction would fail.
    QuoteRefusal {
        /// The launchpad's reason, as a stable code.
        code: Refusal => "RefusalCode",
        /// The reason as a sentence.
        message: &'static str => "string",
        /// The element of a bundle that fails: `buys[2]`; empty for a single trade and for the whole.
        field: String => "string",
    }
}

/// A dry run as JS receives it.
pub fn dry_run_value(run: &DryRun, token_decimals: u8) -> Tape {
    let mut legs = Vec::new();
    if let Some(quote) = &run.quote {
        for (leg, wallet) in quote.legs.iter().zip(&run.leg_wallets) {
            legs.push(leg_quote(leg, wallet, token_decimals));
        }
    }
    let mut wallets = Vec::new();
    for (place, wallet) in run.wallets.iter().enumerate() {
        wallets.push(wallet_quote(run.quote.as_ref(), place, wallet));
    }
    TradeQuote {
        operation: run.operation,
        legs,
        wallets,
        network_fee_lamports: run.network_fee_lamports,
        refused: run.refused.as_ref().map(|refused| QuoteRefusal {
            code: refused.refusal,
            message: refused.refusal.message(),
            field: refused.field.clone(),
        }),
    }
    .to_tape()
}
