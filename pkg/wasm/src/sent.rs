//! A trade that was sent, as its caller or its journal kept it.

use crate::call;
use crate::crossing::Failure;
use launchpad_desk::api::request::Request;
use launchpad_desk::api::validate::{Rules, Valid, validate};
use launchpad_desk::bindings::reader;
use launchpad_desk::error::Error;
use launchpad_desk::tape::{Data, Item, json};
use launchpad_desk::trade::guard::{Counted, Record};
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
    /// Its id, and what is kept with it.
    pub record: Record,
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
        let intent_id = call::text(intent, "intentId").unwrap_or_default().to_owned();
        let through_gateway =
            intent.get("throughGateway").is_some_and(|given| given.data() == Data::Bool(true));
        let counted = launchpad_desk::bindings::object! { "counted": intent.get("counted") };
        let counted = reader::read(counted.root(), |r| r.object("counted", Counted::read))
            .map_err(Error::invalid_request)?;
        let named_signature = call::text(intent, "namedSignature").map(str::to_owned);
        let body = Some(body.to_owned());
        let record = Record { intent_id, body, before, through_gateway, counted, named_signature };
        Ok(Journaled { record, request })
    }
}
