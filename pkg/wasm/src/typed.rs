//! What people type and paste: see [`typed`](launchpad_desk::typed).

use wasm_bindgen::prelude::*;

use crate::crossing::{CallArgs, Failure, answer};
use launchpad_desk::amount::{MAX_TOKEN_DECIMALS, TOKEN_DECIMALS};
use launchpad_desk::bindings::object;
use launchpad_desk::bindings::reader::{self, Reader};
use launchpad_desk::error::FieldCode;
use launchpad_desk::launchpad::quote::Side;
use launchpad_desk::tape::{Data, Item, Tape, ToTape};
use launchpad_desk::typed::{
    self, Due, Problem, Typed, read_amount, read_multiple, read_percentage, read_slippage, read_table,
};

/// The most characters of a text of others that are shown.
const MOST_SHOWN: u64 = 4_096;

/// The argument `text` as an amount in a unit with this many `decimals`.
#[wasm_bindgen(js_name = readTypedAmount)]
pub fn read_typed_amount(args: &mut CallArgs) -> JsValue {
    answer_typed(args, &mut |r, text| {
        let decimals = r.need("decimals", |r, name| r.whole_within(name, 0, MAX_TOKEN_DECIMALS.into())) as u8;
        let typed = read_amount(text, decimals);
        let units = match &typed {
            Typed::Read(number) => number.to_units(decimals).ok(),
            _ => None,
        };
        shown(typed, units)
    })
}

/// The argument `text` as a share in percent.
#[wasm_bindgen(js_name = readTypedPercentage)]
pub fn read_typed_percentage(args: &mut CallArgs) -> JsValue {
    answer_typed(args, &mut |_, text| shown(read_percentage(text), None))
}

/// The argument `text` as a slippage in percent.
#[wasm_bindgen(js_name = readTypedSlippage)]
pub fn read_typed_slippage(args: &mut CallArgs) -> JsValue {
    answer_typed(args, &mut |_, text| shown(read_slippage(text), None))
}

/// The argument `text` as a multiple of what was paid.
#[wasm_bindgen(js_name = readTypedMultiple)]
pub fn read_typed_multiple(args: &mut CallArgs) -> JsValue {
    answer_typed(args, &mut |_, text| match read_multiple(text) {
        Typed::Read(multiple) => object! { "state": "read", "text": [&multiple.text(), "x"].concat() },
        typed => shown(typed, None),
    })
}

/// The number in `text` as a field can hold it.
#[wasm_bindgen(js_name = typedText)]
pub fn typed_text(args: &mut CallArgs) -> JsValue {
    answer_typed(args, &mut |_, text| typed::typed_text(text).to_tape())
}

/// The `text` of others as it is shown.
#[wasm_bindgen(js_name = shownText)]
pub fn shown_text(args: &mut CallArgs) -> JsValue {
    answer_typed(args, &mut |r, text| {
        let most = r.need("most", |r, name| r.whole_within(name, 1, MOST_SHOWN));
        typed::shown_text(text, most as usize).to_tape()
    })
}

/// The argument `text` as a table of a bundle.
#[wasm_bindgen(js_name = readTypedTable)]
pub fn read_typed_table(args: &mut CallArgs) -> JsValue {
    answer_typed(args, &mut |r, text| {
        let options = r.needed("options", |r, name| r.object(name, |r| (due(r), names(r))));
        let (due, names) = options.unwrap_or((Due::Buy, Vec::new()));
        read_table(text, due, &names.iter().map(String::as_str).collect::<Vec<_>>()).to_tape()
    })
}

fn due(r: &mut Reader) -> Due {
    let side = r.need("side", |r, name| r.choice(name, Side::NAMED).map(Some));
    let decimals = r.whole_within("tokenDecimals", 0, MAX_TOKEN_DECIMALS.into());
    let token_decimals = decimals.map_or(TOKEN_DECIMALS, |decimals| decimals as u8);
    if side == Some(Side::Sell) { Due::Sell { token_decimals } } else { Due::Buy }
}

/// What the reader of a table calls its wallets.
fn names(r: &mut Reader) -> Vec<String> {
    let Some(value) = r.value("names") else { return Vec::new() };
    let name = |item: Item| match item.data() {
        Data::String(name) => Some(name.to_owned()),
        _ => None,
    };
    let names = match value.data() {
        Data::Array(items) => items.map(name).collect(),
        _ => None,
    };
    names.unwrap_or_else(|| {
        r.refuse("names", FieldCode::WrongType, "must be an array of strings");
        Vec::new()
    })
}

fn answer_typed(args: &mut CallArgs, read: &mut dyn FnMut(&mut Reader, &str) -> Tape) -> JsValue {
    let call = args.tape();
    let read = reader::read(call.root(), |r| {
        let text = r.needed("text", Reader::text).unwrap_or_default();
        read(r, text)
    });
    answer(read.map_err(|problems| Failure::of_options("argument", problems)))
}

fn shown(typed: Typed, units: Option<u64>) -> Tape {
    match (typed, units) {
        (Typed::Read(number), Some(units)) => {
            object! { "state": "read", "text": number.text(), "units": units }
        }
        (Typed::Read(number), None) => object! { "state": "read", "text": number.text() },
        (Typed::Incomplete(problem), _) => not_read("incomplete", problem),
        (Typed::Wrong(problem), _) => not_read("wrong", problem),
    }
}

fn not_read(state: &str, Problem { code, message }: Problem) -> Tape {
    object! { "state": state, "code": code, "message": message }
}
