//! JS values to a [`Tape`] and back. Any JS value may come in: nothing here throws, traps or hangs.

use js_sys::Reflect;
use wasm_bindgen::JsCast;
use wasm_bindgen::prelude::*;

use crate::tape::{Data, Flat, Tape, ToTape};

/// How deep a request or a set of options is read. The deepest field of any is four levels down.
const MAX_DEPTH: u32 = 6;

#[wasm_bindgen(module = "/src/wasm/flatten.js")]
extern "C" {
    fn flatten(value: &JsValue, depth: u32) -> JsValue;

    #[wasm_bindgen(js_name = recordsOf)]
    fn records_of(flat: &JsValue) -> Vec<f64>;

    #[wasm_bindgen(js_name = textOf)]
    fn text_of(flat: &JsValue) -> String;

    fn unflatten(records: &[f64], text: &str) -> JsValue;
}

/// Reads a JS value. `undefined` is null; a field that is `undefined` is absent.
pub fn from_js(value: &JsValue) -> Tape {
    read(value, MAX_DEPTH)
}

fn read(value: &JsValue, depth: u32) -> Tape {
    let flat = flatten(value, depth);
    let tape = Tape::from_flat(&records_of(&flat), &text_of(&flat));
    // Two texts of which each has half of one character: nothing else that was made flat does not read.
    tape.unwrap_or_else(|_| Data::Foreign("an object with broken text in it").to_tape())
}

/// A property of any JS value; `undefined` where there is none or where reading it throws.
pub fn property(value: &JsValue, name: &str) -> JsValue {
    if !value.is_object() && !value.is_function() {
        return JsValue::UNDEFINED;
    }
    Reflect::get(value, &JsValue::from_str(name)).unwrap_or(JsValue::UNDEFINED)
}

/// A method of any JS value.
pub fn method(value: &JsValue, name: &str) -> Option<js_sys::Function> {
    property(value, name).dyn_into().ok()
}

/// Writes a value as plain JS data: objects, arrays, strings, numbers, bigints.
pub fn to_js(value: &dyn ToTape) -> JsValue {
    let Flat { records, text } = value.to_tape().to_flat();
    unflatten(&records, &text)
}
