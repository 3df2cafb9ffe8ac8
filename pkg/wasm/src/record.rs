//! The exports of `launchpad-desk/record`, which JS sees through `pkg/src/record.ts`: writes a desk's record, and verifies one.

use std::cell::RefCell;

use wasm_bindgen::prelude::*;

use crate::call::refused;
use crate::crossing::{Failure, answer, answer_handle};
use launchpad_desk::bindings::object;
use launchpad_desk::tape::{Data, Item, Tape, ToTape, json};
use launchpad_desk_record::{self as record, Act, Head, RecordTape};

/// A record that grows.
#[wasm_bindgen]
pub struct Recorder {
    recorder: RefCell<record::Recorder>,
}

/// A record that goes on after this head, as text; an empty one begins a record.
#[wasm_bindgen(js_name = makeRecorder)]
pub fn make_recorder(head: &str, by: &str) -> JsValue {
    answer_handle(read_head(head).map(|head| {
        let recorder = record::Recorder::new(head, by);
        Recorder { recorder: RefCell::new(recorder) }
    }))
}

fn read_head(head: &str) -> Result<Option<Head>, Failure> {
    if head.is_empty() {
        return Ok(None);
    }
    Head::read(head).map(Some).map_err(|problems| Failure::of_options("head", problems))
}

fn head_text(head: Option<&Head>) -> String {
    head.map(|head| json::write(&head.to_tape())).unwrap_or_default()
}

/// Data as JSON text.
fn data_of(text: &str) -> Result<Tape, Failure> {
    json::parse(text.as_bytes()).map_err(|_| refused("data", "must be JSON"))
}

fn line(made: Result<String, Failure>) -> JsValue {
    answer(made.map(|text| text.to_tape()))
}

#[wasm_bindgen]
impl Recorder {
    /// Keeps a secret out of all later lines.
    #[wasm_bindgen(js_name = keepOut)]
    pub fn keep_out(&self, secret: &str) {
        self.recorder.borrow_mut().keep_out(secret);
    }

    /// Keeps what is secret in the headers of a request out of all later lines; they are JSON text.
    #[wasm_bindgen(js_name = keepHeadersOut)]
    pub fn keep_headers_out(&self, headers: &str, key_header: &str) -> JsValue {
        answer(data_of(headers).map(|headers| {
            self.recorder.borrow_mut().keep_headers_out(&headers_of(&headers), key_header);
            Tape::default()
        }))
    }

    /// The head of what was written, as text.
    pub fn head(&self) -> String {
        head_text(self.recorder.borrow().head())
    }

    /// The lines of what was done; its data is JSON text.
    pub fn add(&self, now_ms: f64, act: &str, intent: &str, detail: &str, data: &str) -> JsValue {
        line(Act::from_name(act).ok_or_else(|| refused("act", "is unknown")).and_then(|act| {
            let data = data_of(data)?;
            Ok(self.recorder.borrow_mut().add(now_ms as u64, act, intent, detail, &data))
        }))
    }

    /// The line of a plan and of the market that it was made in, both as JSON text.
    pub fn plan(&self, now_ms: f64, plan: &str, market: &str) -> JsValue {
        line(data_of(plan).and_then(|plan| {
            let market = if market.is_empty() { None } else { Some(data_of(market)?) };
            let market = market.as_ref().map(Tape::root);
            Ok(self.recorder.borrow_mut().plan(now_ms as u64, plan.root(), market))
        }))
    }

    /// The line of an answer; its headers are JSON text.
    pub fn answer(
        &self,
        now_ms: f64,
        intent: &str,
        status: f64,
        headers: &str,
        body: Option<Vec<u8>>,
    ) -> JsValue {
        line(data_of(headers).map(|headers| {
            let headers = headers_of(&headers);
            self.recorder.borrow_mut().answer(now_ms as u64, intent, status as u16, &headers, body)
        }))
    }
}

fn headers_of(headers: &Tape) -> Vec<(String, String)> {
    let header = |(name, value): (&str, Item)| match value.data() {
        Data::String(value) => Some((name.to_owned(), value.to_owned())),
        _ => None,
    };
    headers.root().fields().into_iter().flatten().filter_map(header).collect()
}

/// A record that is being verified.
#[wasm_bindgen]
#[derive(Default)]
pub struct RecordVerifier {
    verifier: RefCell<record::Verifier>,
}

/// Begins to verify a record.
#[wasm_bindgen(js_name = checkRecord)]
pub fn check_record() -> RecordVerifier {
    RecordVerifier::default()
}

/// Begins to read a tape of the trades of a record.
#[wasm_bindgen(js_name = readTape)]
pub fn read_tape() -> RecordVerifier {
    RecordVerifier { verifier: RefCell::new(record::Verifier::with_tape()) }
}

#[wasm_bindgen]
impl RecordVerifier {
    /// The tape, once it has ended: `{ tape, leftOut }`.
    pub fn tape(&self) -> JsValue {
        let RecordTape { trades, left_out } = self.verifier.take().into_tape();
        answer(Ok(object! { "tape": trades, "leftOut": left_out }))
    }

    /// Verifies the next bytes. Returns what was found since: `{ problems, trades }`, or nothing; the trades only if somebody
    /// `wanted` of them.
    pub fn add(&self, bytes: &[u8], wanted: bool) -> JsValue {
        let mut verifier = self.verifier.borrow_mut();
        verifier.add_bytes(bytes);
        let (problems, mut trades) = (verifier.take_problems(), verifier.take_checks());
        if !wanted {
            trades.clear();
        }
        if problems.is_empty() && trades.is_empty() {
            return JsValue::UNDEFINED;
        }
        answer(Ok(object! { "problems": problems, "trades": trades }))
    }

    /// Ends it: `{ lines, trades, problems, head }`. What was found last comes by `add` of nothing.
    pub fn end(&self, head: &str) -> JsValue {
        answer(read_head(head).map(|head| self.verifier.borrow_mut().end(head.as_ref()).to_tape()))
    }
}

/// The market of a record's plans, being read.
#[wasm_bindgen]
pub struct RecordSeed {
    seed: RefCell<record::RecordSeed>,
}

/// Begins to read what a record says about its market, until a trade was planned; with an empty id, to its end.
#[wasm_bindgen(js_name = readSeed)]
pub fn read_seed(at: &str) -> RecordSeed {
    let seed = if at.is_empty() { record::RecordSeed::default() } else { record::RecordSeed::at(at) };
    RecordSeed { seed: RefCell::new(seed) }
}

#[wasm_bindgen]
impl RecordSeed {
    /// Reads the next bytes.
    pub fn add(&self, bytes: &[u8]) {
        self.seed.borrow_mut().add(bytes);
    }

    /// The settings of a sandbox; null if the record does not say them.
    pub fn end(&self) -> JsValue {
        answer(Ok(self.seed.take().end().to_tape()))
    }
}
