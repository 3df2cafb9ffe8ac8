//! What a request would do at a look: the price of a plan.

use super::read::Commitment;
use crate::amount::SlippageUnit;
use crate::api::endpoint::Operation;
use crate::chain::look::Look;
use crate::error::Error;
use crate::launchpad::curve_settings;
use crate::launchpad::dry_run::{Terms, dry_run};
use crate::launchpad::view::TradeQuote;
use crate::tape::{Number, Tape, ToTape, json};
use crate::trade::plan::PlanPrice;

/// What a request of this body would do at a look, with the slot, when it was read, how sure the node was,
/// and the curve and rules that it was made from.
pub fn quote_body(
    look: &Look,
    operation: Operation,
    body: &str,
    slippage_unit: SlippageUnit,
    at_ms: u64,
    commitment: Commitment,
) -> Result<PlanPrice, Box<Error>> {
    let quote = quote_at(look, operation, body, slippage_unit)?.to_tape();
    let fields = quote.root().fields().into_iter().flatten();
    let mut fields: Vec<(String, Tape)> =
        fields.map(|(name, value)| (name.to_owned(), value.to_tape())).collect();
    let (slot, at_ms) = (Number(look.slot.into()).to_tape(), Number(at_ms.into()).to_tape());
    let curve = curve_settings::write(&look.launchpad, &look.token);
    fields.extend(
        [("slot", slot), ("atMs", at_ms), ("commitment", commitment.to_tape()), ("curve", curve)].map(own),
    );
    Ok(PlanPrice::of(&Tape::object(&fields)))
}

/// What a request of this body would do at a look. Its slippage is in this unit.
pub fn quote_at(
    look: &Look,
    operation: Operation,
    body: &str,
    slippage_unit: SlippageUnit,
) -> Result<TradeQuote, Box<Error>> {
    let request = json::parse(body.as_bytes()).unwrap_or_default();
    let terms = Terms::of(&look.launchpad, slippage_unit);
    match dry_run(&terms, look, operation, request.root()) {
        Ok(run) => Ok(run.view(look.launchpad.token_decimals)),
        Err(problems) => Err(Box::new(Error::invalid_request(problems))),
    }
}

fn own((name, value): (&str, Tape)) -> (String, Tape) {
    (name.to_owned(), value)
}
