//! The exports of `launchpad-desk/gateway`, which JS sees through `pkg/src/gateway.ts`. A desk lives in the
//! module's memory; the result of each call crosses as one value.

use std::cell::RefCell;

use wasm_bindgen::prelude::*;

use crate::call;
use crate::crossing::{CallArgs, Failure, answer, answer_handle};
use launchpad_desk::api::endpoint::Reply;
use launchpad_desk::bindings::object;
use launchpad_desk::tape::{Data, Item, Number, Tape, ToTape};
use launchpad_desk_gateway::{
    self as gateway, ChainCall, DeskRows, Destination, Fetched, Forward, ForwardResult, Front, GatewayChange,
    GatewayRequest, GatewayRow, GatewaySettings, GatewayStep,
};
use launchpad_desk_record::{ChainCheck, Head};

/// Precedes each text of a sequence. No key and no JSON contains it.
const SEPARATOR: char = '\x1e';

/// The part of a gateway that needs no state.
#[wasm_bindgen]
pub struct GatewayFront {
    front: Front,
}

/// One desk.
#[wasm_bindgen]
pub struct GatewayDesk {
    gateway: RefCell<gateway::Gateway>,
    start: GatewayChange,
}

/// The front for the text of some settings, the service's key and the URL of a node. The settings may be missing or wrong.
#[wasm_bindgen(js_name = gatewayFront)]
pub fn gateway_front(
    settings: Option<String>,
    upstream_key: Option<String>,
    rpc: Option<String>,
) -> GatewayFront {
    GatewayFront { front: Front::of(settings.as_deref(), upstream_key.as_deref()).with_rpc(rpc.as_deref()) }
}

/// The rows of a desk that were read so far.
#[wasm_bindgen]
#[derive(Default)]
pub struct GatewayRows {
    rows: RefCell<DeskRows>,
}

/// Nothing read yet.
#[wasm_bindgen(js_name = gatewayRows)]
pub fn gateway_rows() -> GatewayRows {
    GatewayRows::default()
}

#[wasm_bindgen]
impl GatewayRows {
    /// The keys of the rows to read: from the first until the second. Once those of the state are read, those of the audit log.
    pub fn range(&self, of_audit: bool) -> JsValue {
        let (from, until) = match of_audit {
            true => self.rows.borrow().audit_range(),
            false => (DeskRows::STATE.0.to_owned(), DeskRows::STATE.1.to_owned()),
        };
        answer(Ok([from, until].to_tape()))
    }

    /// Reads more rows: a sequence of keys and rows, in turn, passed as a body.
    pub fn add(&self, rows: &CallArgs) -> JsValue {
        let mut texts = match rows_of(rows.bytes()) {
            Ok(texts) => texts.into_iter(),
            Err(refused) => return answer(Err(refused)),
        };
        let mut kept = self.rows.borrow_mut();
        while let (Some(key), Some(row)) = (texts.next(), texts.next()) {
            if let Err(problems) = kept.add(key, row) {
                return answer(Err(Failure::of_options("gateway", problems)));
            }
        }
        answer(Ok(object! {}))
    }
}

/// Checks the rows of an audit log, of which this one may have been kept.
#[wasm_bindgen(js_name = auditCheck)]
pub fn audit_check(number: Option<f64>, hash: Option<String>) -> AuditLogCheck {
    let kept = number.zip(hash).map(|(number, hash)| Head { number: number as u64, hash });
    AuditLogCheck { check: RefCell::new(ChainCheck::beside(kept)) }
}

/// A check of an audit log.
#[wasm_bindgen]
pub struct AuditLogCheck {
    check: RefCell<ChainCheck>,
}

#[wasm_bindgen]
impl AuditLogCheck {
    /// Checks the next row; returns what is wrong with it.
    pub fn add(&self, row: &str) -> Option<String> {
        self.check.borrow_mut().add(row).err().map(|broken| broken.what)
    }

    /// Checks that the log ends with this entry; returns what is wrong.
    pub fn end(&self, number: f64, hash: &str) -> Option<String> {
        self.check.borrow().end(&Head { number: number as u64, hash: hash.to_owned() }).err()
    }

    /// The number and the hash of the last row.
    pub fn last(&self) -> JsValue {
        let check = self.check.borrow();
        let last = check.last();
        answer(Ok(last.map_or_else(Tape::default, |head| head.to_tape())))
    }
}

/// Restores the desk of `{ settings, desk, upstreamKey, rpc }` from its rows.
#[wasm_bindgen(js_name = restoreGateway)]
pub fn restore_gateway(args: &mut CallArgs, rows: GatewayRows, now_ms: f64) -> JsValue {
    let args = args.tape();
    answer_handle(restored(args, rows.rows.into_inner(), now_ms))
}

fn restored(args: &Tape, rows: DeskRows, now_ms: f64) -> Result<GatewayDesk, Failure> {
    let of_text = |name: &'static str| {
        call::text(args.root(), name).ok_or_else(|| call::refused(name, "must be a string"))
    };
    let optional = |name: &'static str| match args.root().get(name) {
        Some(value) if !value.is_null() => of_text(name).map(Some),
        _ => Ok(None),
    };
    let failure = |problems| Failure::of_options("gateway", problems);
    let settings = GatewaySettings::read(of_text("settings")?)
        .map_err(|problems| Failure::of_options("gateway settings", problems))?;
    let settings = settings.with_rpc(optional("rpc")?).map_err(failure)?;
    let key = optional("upstreamKey")?;
    let made = gateway::Gateway::restore(settings, of_text("desk")?, key, rows, time(now_ms)?);
    let (gateway, start) = made.map_err(failure)?;
    Ok(GatewayDesk { gateway: RefCell::new(gateway), start })
}

#[wasm_bindgen]
impl GatewayFront {
    /// The longest body of a request.
    #[wasm_bindgen(js_name = maxBodyBytes)]
    pub fn max_body_bytes(&self) -> u32 {
        self.front.max_body_bytes()
    }

    /// What is wrong with the settings.
    pub fn problems(&self) -> JsValue {
        answer(Ok(self.front.problems().to_vec().to_tape()))
    }

    /// Where a request goes, or the answer: `{ method, path, headers }`.
    pub fn route(&self, args: &mut CallArgs) -> JsValue {
        let args = args.tape();
        let headers = headers_of(args.root());
        answer(Ok(match self.front.route(&request_of(args, &headers, None)) {
            Ok(Destination::Desk(desk)) => object! { "desk": desk },
            Ok(Destination::Chain) => object! { "chain": true },
            Ok(Destination::Page) => object! { "page": true },
            Ok(Destination::Market(desk)) => object! { "market": desk },
            Err(reply) => object! { "reply": reply_of(&reply) },
        }))
    }

    /// What to post to the node, or the answer.
    #[wasm_bindgen(js_name = chainCall)]
    pub fn chain_call(&self, body: Option<Vec<u8>>, args: &mut CallArgs) -> JsValue {
        let args = args.tape();
        let headers = headers_of(args.root());
        let request = request_of(args, &headers, body.as_deref());
        answer(Ok(match self.front.chain_call(&request) {
            Ok(call) => object! { "call": call_of(&call) },
            Err(reply) => object! { "reply": reply_of(&reply) },
        }))
    }

    /// The answer to such a request: `{ method, path, headers }`, with `{ status }` and the node's body, or with `{ failure }`.
    #[wasm_bindgen(js_name = chainAnswer)]
    pub fn chain_answer(&self, body: &[u8], args: &mut CallArgs) -> JsValue {
        let args = args.tape();
        let headers = headers_of(args.root());
        let request = request_of(args, &headers, None);
        let result = forward_result(args.root(), Vec::new(), body);
        answer(Ok(reply_of(&self.front.chain_answer(&request, result))))
    }

    /// The head of the answer to a request that goes to a market: `{ method, path, headers }`, with the `status` and `contentType` of the
    /// sandbox's reply.
    #[wasm_bindgen(js_name = marketAnswer)]
    pub fn market_answer(&self, args: &mut CallArgs) -> JsValue {
        let args = args.tape();
        let headers = headers_of(args.root());
        let content_type = call::text(args.root(), "contentType").unwrap_or("application/json");
        let request = request_of(args, &headers, None);
        answer(Ok(reply_of(&self.front.market_answer(&request, status_of(args.root()), content_type))))
    }

    /// The answer to a request whose body was cut off.
    pub fn incomplete(&self, args: &mut CallArgs) -> JsValue {
        let args = args.tape();
        let headers = headers_of(args.root());
        answer(Ok(reply_of(&self.front.incomplete(&request_of(args, &headers, None)))))
    }

    /// The answer to a request that a desk's object failed to answer.
    pub fn interrupted(&self, args: &mut CallArgs) -> JsValue {
        let args = args.tape();
        let headers = headers_of(args.root());
        answer(Ok(reply_of(&self.front.interrupted(&request_of(args, &headers, None)))))
    }
}

#[wasm_bindgen]
impl GatewayDesk {
    /// The rows that change at the start.
    pub fn start(&self) -> JsValue {
        answer(Ok(moved(&self.start)))
    }

    /// The longest body of a request.
    #[wasm_bindgen(js_name = maxBodyBytes)]
    pub fn max_body_bytes(&self) -> u32 {
        self.gateway.borrow().max_body_bytes()
    }

    /// Handles a request: `{ method, path, headers, look }`, its body if it is complete, the rows that a step asked for, and the
    /// node's reply if there is a `look`.
    pub fn request(
        &self,
        now_ms: f64,
        entropy: &[u8],
        body: Option<Vec<u8>>,
        rows: Option<Vec<u8>>,
        looked: &[u8],
        args: &mut CallArgs,
    ) -> JsValue {
        let args = args.tape();
        let headers = headers_of(args.root());
        let request = request_of(args, &headers, body.as_deref());
        let rows = match rows.as_deref().map(rows_of).transpose() {
            Ok(rows) => rows,
            Err(refused) => return answer(Err(refused)),
        };
        let look = args.root().get("look").map(|look| forward_result(look, Vec::new(), looked));
        answer(time(now_ms).map(|now_ms| {
            let fetched = Fetched { rows: rows.as_deref(), look: look.as_ref() };
            let mut gateway = self.gateway.borrow_mut();
            moved(&gateway.request_with(now_ms, entropy, &request, fetched))
        }))
    }

    /// Whether the trade with this id, which is about to be forwarded, may still go.
    #[wasm_bindgen(js_name = maySend)]
    pub fn may_send(&self, id: &str) -> bool {
        self.gateway.borrow().may_send(id)
    }

    /// Handles the result of a forward: `{ id, status, headers, isShared }` and the body, or `{ id, failure }`.
    pub fn forwarded(&self, now_ms: f64, body: &[u8], args: &mut CallArgs) -> JsValue {
        let args = args.tape();
        let root = args.root();
        let headers = headers_of(root).into_iter().map(|(name, value)| (name.to_ascii_lowercase(), value));
        let result = forward_result(root, headers.collect(), body);
        let id = call::text(root, "id").unwrap_or_default();
        answer(time(now_ms).map(|now_ms| moved(&self.gateway.borrow_mut().forwarded(now_ms, id, result))))
    }

    /// Begins to settle an intent, with the rows that the step asked for.
    pub fn inquire(&self, now_ms: f64, id: &str, rows: &[u8]) -> JsValue {
        let inquired = |now_ms, rows: Vec<&str>| moved(&self.gateway.borrow_mut().inquire(now_ms, id, &rows));
        answer(time(now_ms).and_then(|now_ms| rows_of(rows).map(|rows| inquired(now_ms, rows))))
    }

    /// Checks the rows of the audit log that a step asked for.
    pub fn checked(&self, now_ms: f64, rows: GatewayRows) -> JsValue {
        let rows = rows.rows.into_inner();
        answer(time(now_ms).map(|now_ms| moved(&self.gateway.borrow_mut().checked(now_ms, &rows))))
    }

    /// Handles what came of a call about an intent: `{ status }` and the body, or `{ failure }`.
    pub fn replied(&self, now_ms: f64, number: f64, body: &[u8], args: &mut CallArgs) -> JsValue {
        let result = forward_result(args.tape().root(), Vec::new(), body);
        answer(
            time(now_ms)
                .map(|now_ms| moved(&self.gateway.borrow_mut().replied(now_ms, number as u64, &result))),
        )
    }

    /// Handles an alarm.
    pub fn alarm(&self, now_ms: f64) -> JsValue {
        answer(time(now_ms).map(|now_ms| moved(&self.gateway.borrow_mut().alarm(now_ms))))
    }
}

/// The result of a request to the service or the node: `{ status }` with these headers and this body, or `{ failure }`.
fn forward_result(args: Item, headers: Vec<(String, String)>, body: &[u8]) -> ForwardResult {
    let is_shared = args.get("isShared").is_some_and(|value| matches!(value.data(), Data::Bool(true)));
    match call::text(args, "failure") {
        Some("timeout") => ForwardResult::Timeout,
        Some("tooLarge") => ForwardResult::TooLarge,
        Some("unsent") => ForwardResult::Unsent,
        Some(_) => ForwardResult::Broken,
        None => {
            let reply = Reply { status: status_of(args), headers, body: body.to_vec() };
            if is_shared { ForwardResult::Shared(reply) } else { ForwardResult::Reply(reply) }
        }
    }
}

fn request_of<'a>(
    args: &'a Tape,
    headers: &'a [(String, String)],
    body: Option<&'a [u8]>,
) -> GatewayRequest<'a> {
    GatewayRequest {
        method: call::text(args.root(), "method").unwrap_or_default(),
        path: call::text(args.root(), "path").unwrap_or_default(),
        headers,
        body,
    }
}

/// A call's result as a value.
fn moved(moved: &GatewayChange) -> Tape {
    let row = |GatewayRow { key, row }: &GatewayRow| object! { "key": key, "row": row };
    let rows: Vec<Tape> = moved.rows.iter().map(row).collect();
    let alarm_at_ms = moved.alarm_at_ms.map(|ms| Number(ms.into()));
    match &moved.step {
        GatewayStep::Nothing => object! { "rows": rows, "alarmAtMs": alarm_at_ms, "kind": "nothing" },
        GatewayStep::Answer(reply) => {
            object! { "rows": rows, "alarmAtMs": alarm_at_ms, "kind": "answer", "reply": reply_of(reply) }
        }
        GatewayStep::Read { from, until } => object! {
            "rows": rows,
            "alarmAtMs": alarm_at_ms,
            "kind": "read",
            "from": from,
            "until": until,
        },
        GatewayStep::Check { from, until } => object! {
            "rows": rows,
            "alarmAtMs": alarm_at_ms,
            "kind": "check",
            "from": from,
            "until": until,
        },
        GatewayStep::Look(call) => object! {
            "rows": rows, "alarmAtMs": alarm_at_ms, "kind": "look", "call": call_of(call),
        },
        GatewayStep::Inquire { id, keys } => object! {
            "rows": rows, "alarmAtMs": alarm_at_ms, "kind": "inquire", "id": id, "keys": keys,
        },
        GatewayStep::Ask { number, call } => object! {
            "rows": rows,
            "alarmAtMs": alarm_at_ms,
            "kind": "ask",
            "number": Number((*number).into()),
            "call": call_of(call),
        },
        GatewayStep::Forward(Forward { id, url, headers, body, timeout_ms, max_reply_bytes }) => object! {
            "rows": rows,
            "alarmAtMs": alarm_at_ms,
            "kind": "forward",
            "id": id,
            "url": url,
            "headers": pairs(headers),
            "body": body,
            "timeoutMs": timeout_ms,
            "maxReplyBytes": max_reply_bytes,
        },
        GatewayStep::Wait { id, wait_ms, reply } => object! {
            "rows": rows,
            "alarmAtMs": alarm_at_ms,
            "kind": "wait",
            "id": id,
            "waitMs": wait_ms,
            "reply": reply_of(reply),
        },
    }
}

fn call_of(ChainCall { url, body, timeout_ms, max_reply_bytes }: &ChainCall) -> Tape {
    object! { "url": url, "body": body, "timeoutMs": timeout_ms, "maxReplyBytes": max_reply_bytes }
}

fn reply_of(reply: &Reply) -> Tape {
    // Every body that a gateway answers is text. An empty one is none: some statuses may have none.
    let body = Some(String::from_utf8_lossy(&reply.body).into_owned()).filter(|body| !body.is_empty());
    object! { "status": reply.status, "headers": pairs(&reply.headers), "body": body }
}

fn pairs(headers: &[(String, String)]) -> Vec<Tape> {
    headers.iter().map(|(name, value)| [name.clone(), value.clone()].to_tape()).collect()
}

fn headers_of(args: Item) -> Vec<(String, String)> {
    let pair = |pair: Item| match pair.data() {
        Data::Array(mut texts) => match (texts.next()?.data(), texts.next()?.data()) {
            (Data::String(name), Data::String(value)) => Some((name.to_owned(), value.to_owned())),
            _ => None,
        },
        _ => None,
    };
    match args.get("headers").unwrap_or_default().data() {
        Data::Array(pairs) => pairs.filter_map(pair).collect(),
        _ => Vec::new(),
    }
}

/// The texts of rows, each after a separator.
fn rows_of(rows: &[u8]) -> Result<Vec<&str>, Failure> {
    let rows = std::str::from_utf8(rows).map_err(|_| call::refused("rows", "must be text"))?;
    Ok(rows.split(SEPARATOR).skip(1).collect())
}

/// The status; 0, which no reply has, if there is none.
fn status_of(args: Item) -> u16 {
    match args.get("status").unwrap_or_default().data() {
        Data::Integer(status) => u16::try_from(status).unwrap_or(0),
        _ => 0,
    }
}

fn time(now_ms: f64) -> Result<u64, Failure> {
    let is_time = now_ms.is_finite() && (0.0..9_007_199_254_740_992.0).contains(&now_ms);
    is_time
        .then_some(now_ms as u64)
        .ok_or_else(|| call::refused("nowMs", "must be milliseconds, zero or more"))
}
