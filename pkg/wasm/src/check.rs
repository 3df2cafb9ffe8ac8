//! Checks without a client: a request for a panel's form, a body and a reply for a worker at the edge.
//!
//! For a body that is too long to be read, only its length is passed.

use wasm_bindgen::prelude::*;

use crate::call;
use crate::crossing::{CallArgs, Failure, answer, answer_handle, answer_within};
use crate::sent::{self, Journaled};
use crate::trade::{status_of, trade_value};
use launchpad_desk::amount::Digits;
use launchpad_desk::api::encode::encode;
use launchpad_desk::api::endpoint::{Call, Operation, Reply};
use launchpad_desk::api::validate::{CheckResult, validate};
use launchpad_desk::bindings::reader::Reader;
use launchpad_desk::error::{Code, Error, FieldCode, FieldError};
use launchpad_desk::tape::json;
use launchpad_desk::tape::{Item, Tape, ToTape, Writer};
use launchpad_desk::trade::flow::MOST_REPLY_BYTES;
use launchpad_desk::trade::reconcile::{Balances, reconcile};
use launchpad_desk::trade::{Asked, Dialect, classify, classify_head, redacted, send_failure};

/// The default for the most bytes of a reply that are read, as for a client's `maxReplyBytes`.
const MAX_REPLY: u32 = 1 << 20;

/// The longest request body, in characters.
const MAX_BODY: u32 = MOST_REPLY_BYTES;

/// Every bad field of a request, or its warnings.
#[wasm_bindgen(js_name = validate)]
pub fn validate_request(args: &mut CallArgs) -> JsValue {
    let call = args.tape();
    let call = call.root();
    answer(rules_of(call).map(|(operation, dialect, _)| {
        let request = call.get("request").unwrap_or_default();
        let result = match validate(operation, request, &dialect.rules) {
            Ok(valid) => CheckResult { errors: Vec::new(), warnings: valid.warnings().to_vec() },
            Err(errors) => CheckResult { errors, warnings: Vec::new() },
        };
        result.to_tape()
    }))
}

/// Whether a request has no bad field.
#[wasm_bindgen(js_name = isValid)]
pub fn is_valid(args: &mut CallArgs) -> JsValue {
    let call = args.tape();
    let call = call.root();
    answer_handle(rules_of(call).map(|(operation, dialect, _)| {
        validate(operation, call.get("request").unwrap_or_default(), &dialect.rules).is_ok()
    }))
}

/// The operation that is served at a path.
#[wasm_bindgen(js_name = operationAt)]
pub fn operation_at(path: &str) -> Option<String> {
    Operation::from_path(path).map(|operation| operation.as_str().to_owned())
}

/// Reads the JSON body of a request and writes it again with exactly the spec's fields. `length`, in characters, is absent if
/// the body is not text.
#[wasm_bindgen(js_name = readCall)]
pub fn read_call(length: Option<f64>, args: &mut CallArgs, body: &CallArgs) -> JsValue {
    answer(call_of(length, args.tape().root(), body.bytes()))
}

fn call_of(length: Option<f64>, call: Item, body: &[u8]) -> Result<Tape, Failure> {
    let (operation, dialect, _) = rules_of(call)?;
    let unread = |code, message| {
        Failure::from(Error::invalid_request(vec![FieldError { field: String::new(), code, message }]))
    };
    let length =
        length.ok_or_else(|| unread(FieldCode::WrongType, "the body must be text, and awaited".into()))?;
    if length > MAX_BODY.into() {
        let message = ["the body is over ", &MAX_BODY.digits(), " characters"].concat();
        return Err(unread(FieldCode::TooLong, message));
    }
    let request = json::parse(body).map_err(|error| {
        let message = ["the body has ", error.what, ", at byte ", &error.at.digits()].concat();
        unread(FieldCode::Unreadable, message)
    })?;
    let valid = validate(operation, request.root(), &dialect.rules).map_err(Error::invalid_request)?;
    let Call { body, .. } = encode(&valid, dialect.rules.slippage_unit);
    Ok(Writer::around(body, &[&valid.warnings()]))
}

/// Reads a service's reply: its status, its body and the length of the body. The argument `sent` is the body of the request, if
/// known.
#[wasm_bindgen(js_name = readReply)]
pub fn read_reply(status: f64, length: f64, args: &mut CallArgs, body: &CallArgs) -> JsValue {
    let body = body.bytes();
    // A text has at least as many bytes as it has characters.
    let length = length.max(body.len() as f64);
    // A trade's text begins with its reply.
    answer_within(body.len(), trade_of(status, body, length, args.tape().root()))
}

fn trade_of(status: f64, body: &[u8], length: f64, call: Item) -> Result<Tape, Failure> {
    let request = call::text(call, "sent").map(|body| sent::request(call, body)).transpose()?;
    let (operation, dialect, most) = rules_of(call)?;
    let status = status_of(status);
    if length > most.into() {
        let head = Reply { status, headers: Vec::new(), body: Vec::new() };
        let too_large =
            || Error { status: Some(status), ..send_failure(Code::ReplyTooLarge, &most.digits()) };
        return Err(classify_head(&head, &dialect, 0).map_or_else(too_large, |error| *error).into());
    }
    let asked = request.as_deref().map_or_else(|| operation.into(), Asked::from);
    let trade = classify(asked, &Reply { status, headers: Vec::new(), body: body.to_vec() }, &dialect, 0)?;
    Ok(trade_value(&trade))
}

/// A text with a key removed from it; `None` if that changes nothing. An argument that is not text is absent.
#[wasm_bindgen]
pub fn redact(text: Option<String>, key: Option<String>) -> JsValue {
    let clean = || {
        let given = text.ok_or_else(|| call::refused("text", "must be text"))?;
        let key = key.ok_or_else(|| call::refused("key", "must be text"))?;
        let clean = redacted(given.clone().into_bytes(), key.as_bytes());
        let clean = (clean != given.as_bytes()).then(|| String::from_utf8_lossy(&clean).into_owned());
        Ok(clean.to_tape())
    };
    answer(clean())
}

/// What balances prove about a trade whose outcome is unknown.
#[wasm_bindgen(js_name = reconcile)]
pub fn reconcile_intent(body: &str, args: &mut CallArgs) -> JsValue {
    let call = args.tape();
    let call = call.root();
    let reconciled = || {
        let Journaled { trade, request } = Journaled::read(call, body)?;
        let seen = trade.before.unwrap_or_default();
        let balances = call::options(call, "observed", |r| Balances::read(r, &seen));
        let balances = balances.map_err(|problems| Failure::of_options("balances", problems))?;
        Ok(reconcile(&request, &balances).to_tape())
    };
    answer(reconciled())
}

/// The operation of a call, how its requests and replies are read, and the most bytes of a reply.
fn rules_of(call: Item) -> Result<(Operation, Dialect, u32), Failure> {
    let operation = call::operation(call)?;
    if call.get("options").is_none() {
        return Ok((operation, Dialect::default(), MAX_REPLY));
    }
    let read = |r: &mut Reader| {
        let most = r.whole_within("maxReplyBytes", 1, MOST_REPLY_BYTES.into());
        (Dialect::read(r), most.map_or(MAX_REPLY, |most| most as u32))
    };
    let read = call::options(call, "options", read);
    let (dialect, most) = read.map_err(|problems| Failure::of_options("options", problems))?;
    Ok((operation, dialect, most))
}
