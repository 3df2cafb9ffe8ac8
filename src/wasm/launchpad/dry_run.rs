//! What a trade would do, as JS sees it. Lamports and base units are bigints; prices are exact decimal text.

use crate::launchpad::view::{QuoteRefusal, TradeQuote, leg_quote, wallet_quote};
use crate::sandbox::DryRun;
use crate::tape::{Tape, ToTape};

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
