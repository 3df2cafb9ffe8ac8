//! A trade that was sent, as its caller or its journal kept it.

use crate::call;
use crate::crossing::Failure;
use launchpad_desk::api::request::Request;
use launchpad_desk::api::validate::{Rules, Valid, validate};
use launchpad_desk::bindings::reader;
use launchpad_desk::error::Error;
use launchpad_desk::tape::{Data, Item, json};
use launchpad_desk::trade::guard::Counted;
use launchpad_desk::trade::journal::TradeIntent;
use launchpad_desk::trade::reconcile::WalletBalances;

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
        let before = launchpad_desk::bindings::object! { "before": intent.get("before") };
        let before = reader::read(before.root(), |r| WalletBalances::read_list(r, "before"))
            .map_err(Error::invalid_request)?;
        let intent_id = call::text(intent, "intentId").unwrap_or_default();
        let through_gateway =
            intent.get("throughGateway").is_some_and(|given| given.data() == Data::Bool(true));
        let counted = launchpad_desk::bindings::object! { "counted": intent.get("counted") };
        let counted = reader::read(counted.root(), |r| r.object("counted", Counted::read))
            .map_err(Error::invalid_request)?;
        let named_signature = call::text(intent, "namedSignature").map(str::to_owned);
        let trade = TradeIntent::from(intent_id);
        let body = body.to_owned();
        let trade = TradeIntent { body, before, through_gateway, counted, named_signature, ..trade };
        Ok(Journaled { trade, request })
    }
}
