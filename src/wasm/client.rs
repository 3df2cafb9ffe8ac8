//! The core of a client: the dialect it speaks, its guards, and its trades in flight. Each method is one plain decision,
//! between the waits of `pkg/src/send.ts`.

use wasm_bindgen::prelude::*;

use crate::api::encode::{BuiltCall, encode};
use crate::api::endpoint::{Call, Reply};
use crate::api::request::Request;
use crate::api::validate::{Valid, validate};
use crate::error::{Code, Error};
use crate::object;
use crate::tape::{Item, Tape, ToTape};
use crate::trade::guard::{self, End, Found, Guards, Record};
use crate::trade::{Dialect, classify, redacted, send_failure};
use crate::wasm::call;
use crate::wasm::crossing::{Failure, answer, answer_handle, given};
use crate::wasm::options::{self, CallOptions, ClientSettings, OwnHeaders, SendSettings};
use crate::wasm::sent::Journaled;
use crate::wasm::trade::{status_of, trade_value};

/// What a client is to the core.
#[wasm_bindgen]
pub struct ClientCore {
    dialect: Dialect,
    guards: Guards,
    base_url: String,
    headers: OwnHeaders,
    /// By number; a place is free again once its trade has ended.
    orders: Vec<Option<Order>>,
}

/// A trade that was requested and has not ended.
struct Order {
    request: Valid<Request>,
    record: Record,
    /// Its ticket, once the guards have admitted it.
    ticket: Option<u64>,
}

#[wasm_bindgen]
impl ClientCore {
    /// A core with the default of every option.
    #[wasm_bindgen(constructor)]
    pub fn new() -> ClientCore {
        ClientCore {
            dialect: Dialect::default(),
            guards: Guards::new(guard::Settings::default()),
            base_url: String::new(),
            headers: OwnHeaders::default(),
            orders: Vec::new(),
        }
    }

    /// Takes the options of a client; answers where and how it sends.
    pub fn configure(&mut self, records: &[f64], text: &str) -> JsValue {
        answer(ClientSettings::read(given(records, text).root()).map(|settings| {
            let endpoint = settings.endpoint.to_tape(&settings.headers);
            self.dialect = settings.dialect;
            self.guards = Guards::new(settings.guards);
            self.base_url = settings.endpoint.base_url;
            self.headers = settings.headers;
            object! { "endpoint": endpoint, "defaults": SendSettings::defaults(), "sending": settings.sending.0 }
        }))
    }

    /// Reads other ways of sending; answers those that are given.
    pub fn sending(&self, records: &[f64], text: &str) -> JsValue {
        answer(SendSettings::read(given(records, text).root(), &self.headers).map(|sending| sending.0))
    }

    /// Checks a request and writes its exact bytes.
    pub fn build(&self, records: &[f64], text: &str) -> JsValue {
        answer(self.checked(given(records, text).root()).map(|request| {
            let Call { operation, path, body } = encode(&request, self.dialect.rules.slippage_unit);
            let url = Some([&self.base_url, path.as_str()].concat());
            let warnings = request.warnings().to_vec();
            BuiltCall { operation, method: "POST", url, path, body, warnings }.to_tape()
        }))
    }

    /// Reads and checks a request and the options of its call; answers all that sending takes.
    pub fn begin(&mut self, records: &[f64], text: &str) -> JsValue {
        answer(self.begun(given(records, text).root()))
    }

    /// Asks the guards; answers how long to wait for its turn, in milliseconds.
    pub fn admit(&mut self, number: usize, now_ms: f64) -> JsValue {
        answer_handle(self.admitted(number, now_ms as u64))
    }

    /// Asks them again, right before sending; answers the time that the trade counts by.
    pub fn recheck(&mut self, number: usize, now_ms: f64) -> JsValue {
        answer_handle(self.rechecked(number, now_ms as u64).map(|started_ms| started_ms as f64))
    }

    /// Whether a key that a function gave can be used.
    #[wasm_bindgen(js_name = isKey)]
    pub fn is_key(&self, key: &str) -> bool {
        options::is_key(key)
    }

    /// What a reply means; answers the trade.
    pub fn classify(
        &self,
        number: usize,
        status: f64,
        retry_after: Option<String>,
        body: Vec<u8>,
        key: &str,
        now_ms: f64,
    ) -> JsValue {
        let Some(Some(order)) = self.orders.get(number) else { return answer(Err(gone())) };
        let headers = retry_after.map(|value| ("retry-after".into(), value)).into_iter().collect();
        let reply = Reply { status: status_of(status), headers, body: redacted(body, key.as_bytes()) };
        let classified = classify((&*order.request).into(), &reply, &self.dialect, now_ms as u64);
        answer(classified.map(|trade| trade_value(&trade)).map_err(Failure::from))
    }

    /// What it means that no complete reply came: always a failure.
    #[wasm_bindgen(js_name = failureOf)]
    pub fn failure_of(&self, code: &str, detail: &str, status: Option<f64>) -> JsValue {
        // An unknown code counts as the worst.
        let code = Code::from_name(code).unwrap_or(Code::NetworkError);
        let status = status.map(status_of);
        answer(Err(Error { status, ..send_failure(code, detail) }.into()))
    }

    /// Tells the guards how a trade ended: the status of a trade, or the outcome of an error.
    pub fn settle(&mut self, number: usize, outcome: &str) {
        let order = self.orders.get_mut(number).and_then(Option::take);
        if let Some(ticket) = order.and_then(|order| order.ticket) {
            self.guards.settle(ticket, End::named(outcome));
        }
    }

    /// Restores an unresolved trade from a journal.
    pub fn restore(
        &mut self,
        body: &str,
        started_ms: f64,
        now_ms: f64,
        records: &[f64],
        text: &str,
    ) -> JsValue {
        let read = Journaled::read(given(records, text).root(), body);
        answer(read.map(|Journaled { record, request }| {
            self.guards.restore_unresolved(now_ms as u64, started_ms as u64, record, &request);
            Tape::default()
        }))
    }

    /// Restores a landed trade from a journal without sums.
    #[wasm_bindgen(js_name = restoreLanded)]
    pub fn restore_landed(
        &mut self,
        body: &str,
        started_ms: f64,
        now_ms: f64,
        records: &[f64],
        text: &str,
    ) -> JsValue {
        let read = Journaled::read(given(records, text).root(), body);
        answer(read.map(|Journaled { record, request }| {
            self.guards.restore_landed(now_ms as u64, started_ms as u64, &record.intent_id, &request);
            Tape::default()
        }))
    }

    /// Restores the id of a landed trade whose lamports are in the journal's sum.
    #[wasm_bindgen(js_name = restoreLandedId)]
    pub fn restore_landed_id(&mut self, intent_id: &str) {
        self.guards.restore_landed_id(intent_id);
    }

    /// Restores a journal's sum of what was spent today, given as text; returns whether it is a number.
    #[wasm_bindgen(js_name = restoreSpent)]
    pub fn restore_spent(&mut self, lamports: &str, now_ms: f64) -> bool {
        let Ok(lamports) = lamports.parse() else { return false };
        self.guards.restore_spent(now_ms as u64, lamports);
        true
    }

    /// Answers what was found out about an unresolved trade, if it is a word for that.
    pub fn found(&self, records: &[f64], text: &str) -> JsValue {
        let given = given(records, text);
        let found = call::text(given.root(), "found").and_then(Found::from_name);
        let found = found.ok_or_else(|| call::refused("found", "must be \"landed\" or \"did_not_land\""));
        answer(found.map(|found| found.to_tape()))
    }

    /// Records what became of an unresolved trade; returns whether there was one.
    pub fn acknowledge(&mut self, intent_id: &str, found: &str) -> bool {
        Found::from_name(found).is_some_and(|found| self.guards.acknowledge(intent_id, found))
    }

    /// The unresolved trades.
    pub fn unresolved(&self, now_ms: f64) -> JsValue {
        answer(Ok(self.guards.state(now_ms as u64).unresolved.to_tape()))
    }

    /// The guards as a panel shows them.
    pub fn guards(&self, now_ms: f64) -> JsValue {
        answer(Ok(self.guards.state(now_ms as u64).to_tape()))
    }

    /// Admits nothing.
    pub fn halt(&mut self) {
        self.guards.halt();
    }

    /// Admits only sells.
    pub fn reduce(&mut self) {
        self.guards.reduce();
    }

    /// Admits everything again.
    pub fn resume(&mut self) {
        self.guards.resume();
    }
}

impl ClientCore {
    fn checked(&self, call: Item) -> Result<Valid<Request>, Failure> {
        let operation = call::operation(call)?;
        let request = call.get("request").unwrap_or_default();
        validate(operation, request, &self.dialect.rules)
            .map_err(|problems| Error::invalid_request(problems).into())
    }

    fn begun(&mut self, call: Item) -> Result<Tape, Failure> {
        let CallOptions { timeout_ms, intent_id, before } = CallOptions::read(call)?;
        let request = self.checked(call)?;
        let Call { operation, path, body } = encode(&request, self.dialect.rules.slippage_unit);
        let number = self.place();
        let intent_id = intent_id.or_else(|| call::text(call, "newId").map(str::to_owned));
        let record = Record { intent_id: intent_id.unwrap_or_default(), body: Some(body), before };
        let begun = object! {
            "number": number as u32,
            "operation": operation,
            "intentId": record.intent_id,
            "path": path,
            "body": record.body,
            "before": record.before,
            "warnings": request.warnings(),
            "timeoutMs": timeout_ms,
        };
        if let Some(place) = self.orders.get_mut(number) {
            *place = Some(Order { request, record, ticket: None });
        }
        Ok(begun)
    }

    /// A place for an order, the first that is free.
    fn place(&mut self) -> usize {
        self.orders.iter().position(Option::is_none).unwrap_or_else(|| {
            self.orders.push(None);
            self.orders.len() - 1
        })
    }

    fn admitted(&mut self, number: usize, now_ms: u64) -> Result<u32, Failure> {
        let Some(Some(order)) = self.orders.get_mut(number) else { return Err(gone()) };
        let admission = self.guards.admit(now_ms, order.record.clone(), &order.request)?;
        order.ticket = Some(admission.ticket);
        Ok(admission.wait_ms)
    }

    fn rechecked(&mut self, number: usize, now_ms: u64) -> Result<u64, Failure> {
        let Some(Some(order)) = self.orders.get(number) else { return Err(gone()) };
        Ok(self.guards.recheck(now_ms, order.ticket.unwrap_or(u64::MAX))?)
    }
}

/// The failure of a trade that has ended already.
fn gone() -> Failure {
    send_failure(Code::AbortedBeforeSend, "").into()
}
