//! A dry run: what a request would do on the state as it is. Nothing moves.

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
use crate::tape::Item;

/// What a request would do now.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DryRun {
    /// What is asked for.
    pub operation: Operation,
    /// Mint address of the token.
    pub mint: String,
    /// Prices, bounds and fees, each trade on the curve that those before it leave; `None` where one of them has no
    /// price.
    pub quote: Option<BundleQuote>,
    /// Why the transaction would fail; `None` where it would land.
    pub refused: Option<Refused>,
    /// Id of the wallet of each trade, in order.
    pub leg_wallets: Vec<String>,
    /// Ids of the wallets that take part, each once, the fee payer among them.
    pub wallets: Vec<String>,
    /// Those wallets as they are.
    pub before: Vec<Wallet>,
    /// Those wallets as the transaction would leave them, landed or failed.
    pub after: Vec<Wallet>,
    /// What the fee payer would be charged; nothing where it cannot pay.
    pub network_fee_lamports: u64,
}

/// Why a transaction would fail.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refused {
    /// The launchpad's reason.
    pub refusal: Refusal,
    /// The element of a bundle that fails: `buys[2]`; empty for a single trade and for the request as a whole.
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
