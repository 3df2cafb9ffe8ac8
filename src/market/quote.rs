//! What a request would do at a look: the price of a plan.

use super::read::Commitment;
use crate::amount::SlippageUnit;
use crate::api::endpoint::Operation;
use crate::chain::look::Look;
use crate::error::Error;
use crate::launchpad::curve_settings;
use crate::launchpad::dry_run::{Terms, dry_run};
use crate::tape::{Number, json};
use crate::trade::plan::PlanPrice;

/// What a request of this body would do at a look, as [`quote_at`], with the curve and the rules that it was made from.
pub fn quote_body(
    look: &Look,
    operation: Operation,
    body: &str,
    slippage_unit: SlippageUnit,
    at_ms: u64,
    commitment: Commitment,
) -> Result<PlanPrice, Box<Error>> {
    let price = quote_at(look, operation, body, slippage_unit, at_ms, commitment)?;
    Ok(price.with(&[("curve", &curve_settings::write(&look.launchpad, &look.token))]))
}

/// What a request of this body would do at a look, with the slot, when it was read, and how sure the node was. Its slippage is in this
/// unit.
pub fn quote_at(
    look: &Look,
    operation: Operation,
    body: &str,
    slippage_unit: SlippageUnit,
    at_ms: u64,
    commitment: Commitment,
) -> Result<PlanPrice, Box<Error>> {
    let request = json::parse(body.as_bytes()).unwrap_or_default();
    let terms = Terms::of(&look.launchpad, slippage_unit);
    let run = dry_run(&terms, look, operation, request.root());
    let price = PlanPrice::of(&run.map_err(Error::invalid_request)?.view(look.launchpad.token_decimals));
    let (slot, at_ms) = (Number(look.slot.into()), Number(at_ms.into()));
    Ok(price.with(&[("slot", &slot), ("atMs", &at_ms), ("commitment", &commitment)]))
}
