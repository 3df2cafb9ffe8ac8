//! What a request would do at a look: the price of a plan.

use super::read::Commitment;
use crate::api::endpoint::Operation;
use crate::chain::look::Look;
use crate::error::{Error, FieldError};
use crate::sandbox::{Sandbox, SandboxConfig};
use crate::tape::{Item, Number, Tape, ToTape, json};

/// What a request would do in a market that has the form of a sandbox's config.
///
/// # Errors
///
/// What is wrong with the market, or with the request.
pub fn quote(operation: Operation, request: Item, market: Item) -> Result<Tape, Vec<FieldError>> {
    let sandbox = SandboxConfig::read(market).and_then(Sandbox::new)?;
    let run = sandbox.quote(operation, request)?;
    Ok(run.view(sandbox.config().launchpad.token_decimals).to_tape())
}

/// What a request of this body would do at a look, with the slot, when it was read, how sure the node was,
/// and the curve and rules that it was made from.
///
/// # Errors
///
/// `invalid_request`.
pub fn quote_body(
    look: &Look,
    operation: Operation,
    body: &str,
    at_ms: u64,
    commitment: Commitment,
) -> Result<Tape, Box<Error>> {
    let request = json::parse(body.as_bytes()).unwrap_or_default();
    let market = look.sandbox_settings();
    let quote = quote(operation, request.root(), market.root())
        .map_err(|problems| Box::new(Error::invalid_request(problems)))?;
    let fields = quote.root().fields().into_iter().flatten();
    let mut fields: Vec<(String, Tape)> =
        fields.map(|(name, value)| (name.to_owned(), value.to_tape())).collect();
    let (slot, at_ms) = (Number(look.slot.into()).to_tape(), Number(at_ms.into()).to_tape());
    let curve = look.curve_settings();
    fields.extend(
        [("slot", slot), ("atMs", at_ms), ("commitment", commitment.to_tape()), ("curve", curve)].map(own),
    );
    Ok(Tape::object(&fields))
}

fn own((name, value): (&str, Tape)) -> (String, Tape) {
    (name.to_owned(), value)
}
