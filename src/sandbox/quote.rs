//! A dry run: what a request would do in the current state. Nothing moves.

use super::config::SandboxConfig;
use super::outcome;
use super::state::State;
use super::step;
use crate::api::endpoint::Operation;
use crate::api::validate::validate;
use crate::error::FieldError;
use crate::launchpad::Refusal;
use crate::launchpad::bundle::BundleQuote;
use crate::launchpad::transaction::Wallet;
use crate::launchpad::view::{QuoteRefusal, TradeQuote, leg_quote, wallet_quote};
use crate::tape::Item;

/// What a request would do now.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DryRun {
    /// What is asked for.
    pub operation: Operation,
    /// Mint address of the token.
    pub mint: String,
    /// Prices, bounds and fees, each trade on the curve that those before it leave; `None` if one of them has no price.
    pub quote: Option<BundleQuote>,
    /// Why the transaction would fail; `None` if it would land.
    pub refused: Option<Refused>,
    /// Id of the wallet of each trade, in order.
    pub leg_wallets: Vec<String>,
    /// Ids of the wallets that take part, each once, the fee payer among them.
    pub wallets: Vec<String>,
    /// Those wallets as they are.
    pub before: Vec<Wallet>,
    /// Those wallets as the transaction would leave them, landed or failed.
    pub after: Vec<Wallet>,
    /// What the fee payer would be charged; 0 if it cannot pay.
    pub network_fee_lamports: u64,
}

impl DryRun {
    /// As JS and JSON see it: lamports and base units whole, prices as exact decimal text. `token_decimals` are the
    /// fraction digits of a whole token.
    pub fn view(&self, token_decimals: u8) -> TradeQuote {
        let mut legs = Vec::new();
        if let Some(quote) = &self.quote {
            for (leg, wallet) in quote.legs.iter().zip(&self.leg_wallets) {
                legs.push(leg_quote(leg, wallet, token_decimals));
            }
        }
        let mut wallets = Vec::new();
        for (place, wallet) in self.wallets.iter().enumerate() {
            wallets.push(wallet_quote(self.quote.as_ref(), place, wallet));
        }
        TradeQuote {
            operation: self.operation,
            legs,
            wallets,
            network_fee_lamports: self.network_fee_lamports,
            refused: self.refused.as_ref().map(|refused| QuoteRefusal {
                code: refused.refusal,
                message: refused.refusal.message(),
                field: refused.field.clone(),
            }),
        }
    }
}

/// Why a transaction would fail.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refused {
    /// The launchpad's reason.
    pub refusal: Refusal,
    /// The element of a bundle that fails: `buys[2]`; empty for a single trade or if the request as a whole fails.
    pub field: String,
}

pub(super) fn dry_run(
    config: &SandboxConfig,
    state: &State,
    operation: Operation,
    request: Item,
) -> Result<DryRun, Vec<FieldError>> {
    let valid = validate(operation, request, &config.rules())?;
    let request = outcome::with_a_payer(&valid);
    let order = step::resolve(config, state, &request)?;
    let token = order.token.token();
    let settled = order.settle(config, &token, &token);
    let refused = settled.executed.outcome.as_ref().err().map(|failure| Refused {
        refusal: failure.refusal,
        field: order.failed_element(&settled).unwrap_or_default(),
    });
    Ok(DryRun {
        operation,
        mint: order.token.mint.clone(),
        refused,
        leg_wallets: order.legs.iter().map(|leg| order.wallet(leg.wallet)).collect(),
        wallets: order.rows.iter().map(|row| row.wallet.clone()).collect(),
        quote: settled.quote,
        network_fee_lamports: settled.executed.network_fee_lamports,
        after: settled.executed.wallets,
        before: order.wallets,
    })
}
