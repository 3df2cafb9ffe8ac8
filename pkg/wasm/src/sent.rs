//! A trade that was sent, as its caller or its journal kept it.

use crate::call;
use crate::crossing::Failure;
use launchpad_desk::api::request::Request;
use launchpad_desk::api::validate::{Rules, Valid, validate};
use launchpad_desk::bindings::reader;
use launchpad_desk::error::Error;
use launchpad_desk::tape::{Item, json};
use launchpad_desk::trade::journal::TradeIntent;

/// Its request, from its body and the operation that `sent` names. It was checked when it was sent, by the rules and the unit
/// of that time.
pub fn request(sent: Item, body: &str) -> Result<Valid<Request>, Failure> {
    let operation = call::operation(sent)?;
    let request = json::parse(body.as_bytes()).unwrap_or_default();
    validate(operation, request.root(), &Rules::default())
        .map_err(|problems| Error::invalid_request(problems).into())
}

/// An intent as a journal kept it.
pub struct Journaled {
    /// The trade.
    pub trade: TradeIntent,
    /// What was asked for.
    pub request: Valid<Request>,
}

impl Journaled {
    /// Reads an intent: an object with its `operation`, `intentId`, `before`, `throughGateway`, `counted` and `namedSignature`, and its body.
    pub fn read(intent: Item, body: &str) -> Result<Journaled, Failure> {
        let request = request(intent, body)?;
        let known = TradeIntent::from(call::text(intent, "intentId").unwrap_or_default());
        let trade = reader::read(intent, |r| {
            r.ignore_rest();
            TradeIntent { body: body.to_owned(), ..known.clone() }.noted(r)
        });
        Ok(Journaled { trade: trade.map_err(Error::invalid_request)?, request })
    }
}
