//! The fast ways of a request and of a reply: what `fast.js` puts into this module's memory is checked and written, or
//! scanned, here.

#[cfg(test)]
mod tests;

use std::cell::RefCell;

use hot::reply::{NOWHERE, Span};
use wasm_bindgen::prelude::*;

use crate::amount::SlippageUnit;
use crate::api::decode::ReplyNames;
use crate::api::endpoint::{Field, Operation};
use crate::api::packed::{self, Packed, Verdict, write_body, written_request};
use crate::api::request::Request;
use crate::api::spans::{PLACES, Shape};
use crate::api::validate::{Identifiers, Rules, Valid};
use crate::object;
use crate::value::Value;
use crate::wasm::convert::to_js;

/// Room for the texts of some 300 elements, for their values, and for their body.
const TEXTS: usize = 14 << 10;
const VALUES: usize = 1 << 10;
const BODY: usize = 34 << 10;

struct Rooms {
    /// The operation whose body was written last, and how many elements, bytes and values were packed for it.
    written: Option<(Operation, usize, usize, usize)>,
    texts: [u8; TEXTS],
    values: [f64; VALUES],
    /// A body; or a reply.
    body: [u8; BODY],
    spans: [Span; PLACES],
    /// None where no reply can be read this way.
    shape: Option<Shape>,
}

thread_local! {
    static ROOMS: RefCell<Rooms> = const {
        RefCell::new(Rooms {
            written: None,
            texts: [0; TEXTS],
            values: [0.0; VALUES],
            body: [0; BODY],
            spans: [NOWHERE; PLACES],
            shape: None,
        })
    };
}

#[wasm_bindgen(module = "/src/wasm/fast.js")]
extern "C" {
    fn connect(memory: &JsValue, table: &JsValue, given: &JsValue);

    /// Whether a request is good, with nothing to say about it; `undefined` where that is for others to say.
    #[wasm_bindgen(js_name = verdict)]
    pub fn verdict(operation: &JsValue, request: &JsValue, rules: u32) -> Option<bool>;

    /// The call of such a request, as a client builds it; `undefined` for others.
    #[wasm_bindgen(js_name = fastCall)]
    pub fn fast_call(operation: &JsValue, request: &JsValue, rules: u32, base_url: &JsValue) -> JsValue;

    /// The trade of a reply that reads plainly; `undefined` for others.
    #[wasm_bindgen(js_name = fastTrade)]
    pub fn fast_trade(operation: &JsValue, reply: &JsValue, names: &JsValue, bytes: &JsValue) -> JsValue;
}

/// The rules as the one number that the fast way is given.
pub fn bits(rules: &Rules) -> u32 {
    let base58 = u32::from(rules.identifiers == Identifiers::Base58);
    let bps = u32::from(rules.slippage_unit == SlippageUnit::Bps);
    // No bundle of that size fits, so a larger bound is as good.
    let max = rules.max_bundle_size.unwrap_or(u32::MAX).min(u32::MAX >> 2);
    base58 | bps << 1 | max << 2
}

fn rules_of(bits: u32) -> Rules {
    Rules {
        identifiers: if bits & 1 == 1 { Identifiers::Base58 } else { Identifiers::Any },
        slippage_unit: if bits & 2 == 2 { SlippageUnit::Bps } else { SlippageUnit::Percent },
        max_bundle_size: Some(bits >> 2),
    }
}

/// Writes the body of what was packed: its length, or 0. Called from JS by its place in the function table, as no
/// wrapper stands between.
extern "C" fn write(operation: u32, elements: u32, texts: u32, values: u32, rules: u32) -> u32 {
    let write = |rooms: &mut Rooms| {
        rooms.written = None;
        let operation = *Operation::ALL.get(operation as usize)?;
        let packed = Packed {
            operation,
            elements: elements as usize,
            texts: rooms.texts.get(..texts as usize)?,
            values: rooms.values.get(..values as usize)?,
        };
        let length = write_body(packed, &rules_of(rules), &mut rooms.body)?;
        rooms.written = Some((operation, elements as usize, texts as usize, values as usize));
        Some(length)
    };
    ROOMS.with_borrow_mut(write).unwrap_or(0) as u32
}

/// Judges a single trade, whose values come along: see [`packed::judge`]. As [`write`] it has no wrapper.
extern "C" fn judge(
    operation: u32,
    texts: u32,
    rules: u32,
    mint: f64,
    wallet: f64,
    size: f64,
    payer: f64,
    limit: f64,
    unit_limit: f64,
    unit_price: f64,
) -> u32 {
    let values = [mint, wallet, size, payer, limit, unit_limit, unit_price];
    let judge = |rooms: &mut Rooms| {
        rooms.written = None;
        let operation = *Operation::ALL.get(operation as usize)?;
        let packed =
            Packed { operation, elements: 0, texts: rooms.texts.get(..texts as usize)?, values: &values };
        let verdict = packed::judge(packed, &rules_of(rules));
        if verdict == Verdict::Good {
            *rooms.values.first_chunk_mut()? = values;
            rooms.written = Some((operation, 0, texts as usize, values.len()));
        }
        Some(verdict)
    };
    ROOMS.with_borrow_mut(judge).unwrap_or(Verdict::Unsure) as u32
}

/// The request whose body was written last. It is there once, so that none is taken for another.
pub fn take_written() -> Option<Valid<Request>> {
    ROOMS.with_borrow_mut(|rooms| {
        let (operation, elements, texts, values) = rooms.written.take()?;
        let (texts, values) = (rooms.texts.get(..texts)?, rooms.values.get(..values)?);
        written_request(Packed { operation, elements, texts, values })
    })
}

/// Scans the reply of that length: whether its fields were found. As [`write`] it has no wrapper.
extern "C" fn scan(operation: u32, length: u32) -> u32 {
    let found = ROOMS.with_borrow_mut(|rooms| {
        let operation = *Operation::ALL.get(operation as usize)?;
        rooms.shape.as_ref()?.find_fields(operation, rooms.body.get(..length as usize)?, &mut rooms.spans)
    });
    found.is_some().into()
}

/// Takes the names of the branded fields from the texts, one after the other.
extern "C" fn name(explorer: u32, launchpad: u32) {
    let shape = |texts: &[u8]| {
        let (explorer, rest) = texts.split_at_checked(explorer as usize)?;
        let text = |name| str::from_utf8(name).ok().map(str::to_owned);
        let names =
            ReplyNames { explorer: text(explorer)?, launchpad: text(rest.get(..launchpad as usize)?)? };
        Shape::of(&names)
    };
    ROOMS.with_borrow_mut(|rooms| rooms.shape = shape(&rooms.texts));
}

/// What of the field table `fast.js` goes by: the names that differ from operation to operation, and the names of a
/// single trade's fields, in their order.
fn names(operation: Operation) -> Value {
    let rows = || operation.body_fields().chain(operation.element_fields());
    let name = |fields: &[Field]| rows().find(|row| fields.contains(&row.field)).map(|row| row.name);
    let fields: Vec<&str> = operation.body_fields().map(|row| row.name).collect();
    object! {
        "operation": operation,
        "path": operation.path(),
        "list": name(&[Field::Buys, Field::Sells]),
        "amount": name(&[Field::AmountInLamports, Field::AmountInToken, Field::Percentage]),
        "fields": fields,
    }
}

/// Tells `fast.js` where everything is.
#[wasm_bindgen(start, skip_typescript)]
fn start() {
    let places = ROOMS.with_borrow(|rooms| {
        let Rooms { texts, values, body, spans, .. } = rooms;
        [
            (texts.as_ptr() as u32, TEXTS),
            (values.as_ptr() as u32, VALUES),
            (body.as_ptr() as u32, BODY),
            (spans.as_ptr() as u32, PLACES),
        ]
    });
    let places: Vec<u32> = places.into_iter().flat_map(|(at, room)| [at, room as u32]).collect();
    let operations: Vec<Value> = Operation::ALL.into_iter().map(names).collect();
    let write = write as extern "C" fn(u32, u32, u32, u32, u32) -> u32 as usize as u32;
    let judge =
        judge as extern "C" fn(u32, u32, u32, f64, f64, f64, f64, f64, f64, f64) -> u32 as usize as u32;
    let scan = scan as extern "C" fn(u32, u32) -> u32 as usize as u32;
    let name = name as extern "C" fn(u32, u32) as usize as u32;
    let functions = vec![write, judge, scan, name];
    let rules = bits(&Rules::default());
    let given =
        object! { "functions": functions, "places": places, "operations": operations, "rules": rules };
    let given = to_js(&given);
    connect(&wasm_bindgen::memory(), &wasm_bindgen::function_table(), &given);
}
