//! The decisions in the way of a trade: each is a plain call, between the waits in `carrier.js`.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use wasm_bindgen::prelude::*;

use crate::api::encode::encode;
use crate::api::endpoint::{Call, Operation, Reply};
use crate::api::request::Request;
use crate::api::validate::{Rules, Valid, validate};
use crate::error::{Code, Error};
use crate::object;
use crate::reader;
use crate::tape::json;
use crate::tape::{Item, ToTape};
use crate::trade::guard::{End, Found, Guards, Record};
use crate::trade::reconcile::WalletBalances;
use crate::trade::{Dialect, classify, redacted, send_failure};
use crate::wasm::argument::{operation_of, refused};
use crate::wasm::convert::{from_js, property, to_js, with_json};
use crate::wasm::error::to_error;
use crate::wasm::options::{CallOptions, is_key};
use crate::wasm::trade::trade_value;

/// Decides for a client and for its calls in flight, none of which borrows the client.
#[wasm_bindgen(skip_typescript)]
#[derive(Clone)]
pub struct Desk(Rc<State>);

struct State {
    dialect: Dialect,
    guards: RefCell<Guards>,
    orders: RefCell<Vec<Option<Rc<Order>>>>,
}

/// A trade that was requested and has not ended.
struct Order {
    request: Valid<Request>,
    record: Record,
    /// Its ticket, once the guards have admitted it.
    ticket: Cell<Option<u64>>,
}

impl Desk {
    /// A desk of its own.
    pub fn new(dialect: Dialect, guards: Guards) -> Desk {
        Desk(Rc::new(State { dialect, guards: RefCell::new(guards), orders: RefCell::default() }))
    }

    /// The guards: their state, and who may trade.
    pub fn guards(&self) -> std::cell::RefMut<'_, Guards> {
        self.0.guards.borrow_mut()
    }

    /// What requests are checked against.
    pub fn rules(&self) -> &Rules {
        &self.0.dialect.rules
    }

    /// Checks a request.
    pub fn checked(&self, operation: Operation, request: Item) -> Result<Valid<Request>, JsValue> {
        validate(operation, request, &self.0.dialect.rules)
            .map_err(|problems| to_error(&Error::invalid_request(problems)))
    }

    /// Writes the exact bytes of a checked request.
    pub fn call(&self, request: &Valid<Request>) -> Call {
        encode(request, self.0.dialect.rules.slippage_unit)
    }

    fn order(&self, number: usize) -> Result<Rc<Order>, JsValue> {
        let order = self.0.orders.borrow().get(number).cloned().flatten();
        order.ok_or_else(|| to_error(&send_failure(Code::AbortedBeforeSend, "")))
    }

    /// A place for an order, the first that is free.
    fn keep(&self, request: Valid<Request>, record: Record) -> usize {
        let order = Rc::new(Order { request, record, ticket: Cell::default() });
        let mut orders = self.0.orders.borrow_mut();
        match orders.iter_mut().enumerate().find(|(_, place)| place.is_none()) {
            Some((number, place)) => {
                *place = Some(order);
                number
            }
            None => {
                orders.push(Some(order));
                orders.len() - 1
            }
        }
    }
}

/// What `carrier.js` calls, in this order.
#[wasm_bindgen]
impl Desk {
    /// Reads and checks a request and the call's options; what comes back is all that sending takes.
    pub fn begin(
        &self,
        operation: &JsValue,
        request: &JsValue,
        options: &JsValue,
        new_id: &JsValue,
    ) -> Result<JsValue, JsValue> {
        let options = CallOptions::read(options)?;
        let operation = operation_of(operation)?;
        let request = self.checked(operation, from_js(request).root())?;
        let Call { path, body, .. } = self.call(&request);
        let warnings = request.warnings().to_tape();
        let intent_id = options.intent_id.unwrap_or_else(|| text_of(new_id));
        let record = Record { intent_id, body: Some(body), before: options.before };
        let begun = to_js(&object! {
            "number": self.keep(request, record.clone()) as u32,
            "operation": operation,
            "intentId": record.intent_id,
            "path": path,
            "body": record.body,
            "before": record.before,
            "warnings": warnings,
            "timeoutMs": options.timeout_ms,
        });
        // A fresh object takes any field.
        let _ = js_sys::Reflect::set(&begun, &"signal".into(), &options.signal);
        Ok(begun)
    }

    /// Asks the guards; returns how long to wait for its turn, in milliseconds.
    pub fn admit(&self, number: usize, now_ms: f64) -> Result<u32, JsValue> {
        let order = self.order(number)?;
        let admitted = self.guards().admit(now_ms as u64, order.record.clone(), &order.request);
        let admission = admitted.map_err(|error| to_error(&error))?;
        order.ticket.set(Some(admission.ticket));
        Ok(admission.wait_ms)
    }

    /// Asks them again, right before sending; returns the time that the trade counts by.
    pub fn recheck(&self, number: usize, now_ms: f64) -> Result<f64, JsValue> {
        let ticket = self.order(number)?.ticket.get().unwrap_or(u64::MAX);
        let started_ms = self.guards().recheck(now_ms as u64, ticket);
        started_ms.map(|started_ms| started_ms as f64).map_err(|error| to_error(&error))
    }

    /// What a reply means; the trade, or the error to throw.
    pub fn classify(
        &self,
        number: usize,
        status: f64,
        retry_after: &JsValue,
        body: Vec<u8>,
        secret: &JsValue,
        now_ms: f64,
    ) -> Result<JsValue, JsValue> {
        let order = self.order(number)?;
        let headers = retry_after.as_string().map(|value| ("retry-after".into(), value));
        let headers = headers.into_iter().collect();
        let body = redacted(body, text_of(secret).as_bytes());
        let reply = Reply { status: status_of(status), headers, body };
        match classify((&*order.request).into(), &reply, &self.0.dialect, now_ms as u64) {
            Ok(trade) => Ok(to_js(&trade_value(&trade))),
            Err(error) => Err(to_error(&error)),
        }
    }

    /// What it means that no complete reply came.
    pub fn lost(&self, code: &JsValue, detail: &JsValue, status: &JsValue) -> JsValue {
        // An unknown code counts as the worst.
        let code = Code::from_name(&text_of(code)).unwrap_or(Code::NetworkError);
        to_error(&Error { status: status.as_f64().map(status_of), ..send_failure(code, &text_of(detail)) })
    }

    /// Tells the guards how a trade ended, by the numbers of `ENDS` in `carrier.js`.
    pub fn settle(&self, number: usize, end: u32) {
        let order = self.0.orders.borrow_mut().get_mut(number).and_then(Option::take);
        if let Some(ticket) = order.and_then(|order| order.ticket.get()) {
            let end = match end {
                1 => End::Accepted,
                2 => End::NotSent,
                3 => End::Refused,
                _ => End::Unknown,
            };
            self.guards().settle(ticket, end);
        }
    }

    /// Restores an unresolved trade from a journal.
    pub fn restore(&self, intent: &JsValue, now_ms: f64) -> Result<(), JsValue> {
        let Journaled { record, started_ms, request } = Journaled::read(intent, now_ms)?;
        self.guards().restore_unresolved(now_ms as u64, started_ms, record, &request);
        Ok(())
    }

    /// Restores a landed trade from a journal without sums.
    #[wasm_bindgen(js_name = restoreLanded)]
    pub fn restore_landed(&self, intent: &JsValue, now_ms: f64) -> Result<(), JsValue> {
        let Journaled { record, started_ms, request } = Journaled::read(intent, now_ms)?;
        self.guards().restore_landed(now_ms as u64, started_ms, &record.intent_id, &request);
        Ok(())
    }

    /// Restores the id of a landed trade whose lamports are in the journal's sum.
    #[wasm_bindgen(js_name = restoreLandedId)]
    pub fn restore_landed_id(&self, intent_id: &JsValue) {
        self.guards().restore_landed_id(&text_of(intent_id));
    }

    /// Restores a journal's sum of what was spent today, given as text; returns whether it is a number.
    #[wasm_bindgen(js_name = restoreSpent)]
    pub fn restore_spent(&self, lamports: &JsValue, now_ms: f64) -> bool {
        let Ok(lamports) = text_of(lamports).parse() else { return false };
        self.guards().restore_spent(now_ms as u64, lamports);
        true
    }

    /// Records what became of an unresolved intent; returns whether there was one.
    pub fn acknowledge(&self, intent_id: &JsValue, found: &JsValue) -> bool {
        let found = Found::from_name(&text_of(found));
        found.is_some_and(|found| self.guards().acknowledge(&text_of(intent_id), found))
    }

    /// The unresolved intents.
    pub fn unresolved(&self, now_ms: f64) -> JsValue {
        let unresolved = self.guards().state(now_ms as u64).unresolved.to_tape();
        with_json(&to_js(&unresolved))
    }

    /// The error for a word that `acknowledge` does not know.
    #[wasm_bindgen(js_name = badFound)]
    pub fn bad_found(&self) -> JsValue {
        refused("found", "must be \"landed\" or \"did_not_land\"".into())
    }

    /// Whether a key that a function gave can be used.
    #[wasm_bindgen(js_name = isKey)]
    pub fn is_key(&self, key: &JsValue) -> bool {
        key.as_string().is_some_and(|key| is_key(&key))
    }
}

/// The request of a trade that was sent, from its operation and its body. It was checked when it was sent, by the rules and
/// in the unit of that time.
pub fn request_of(sent: &JsValue) -> Result<Valid<Request>, JsValue> {
    let operation = operation_of(&property(sent, "operation"))?;
    let request = json::parse(text_of(&property(sent, "body")).as_bytes()).unwrap_or_default();
    validate(operation, request.root(), &Rules::default())
        .map_err(|problems| to_error(&Error::invalid_request(problems)))
}

/// An intent as a journal kept it.
pub struct Journaled {
    /// What it is known by.
    pub record: Record,
    /// When the guards admitted it.
    pub started_ms: u64,
    /// What was asked for.
    pub request: Valid<Request>,
}

impl Journaled {
    /// Reads it.
    pub fn read(intent: &JsValue, now_ms: f64) -> Result<Journaled, JsValue> {
        let request = request_of(intent)?;
        let body = text_of(&property(intent, "body"));
        let before = object! { "before": from_js(&property(intent, "before")) };
        let before = reader::read(before.root(), |r| WalletBalances::read_list(r, "before"))
            .map_err(|problems| to_error(&Error::invalid_request(problems)))?;
        let intent_id = text_of(&property(intent, "intentId"));
        let started_ms = property(intent, "startedAtMs").as_f64().unwrap_or(now_ms) as u64;
        Ok(Journaled { record: Record { intent_id, body: Some(body), before }, started_ms, request })
    }
}

fn text_of(value: &JsValue) -> String {
    value.as_string().unwrap_or_default()
}

/// An HTTP status from a number; an impossible one becomes `u16::MAX`.
pub fn status_of(status: f64) -> u16 {
    let whole = status as u16;
    if f64::from(whole) == status { whole } else { u16::MAX }
}
