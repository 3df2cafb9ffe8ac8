//! Numbers from JS, exact or refused: an amount is a bigint, a safe integer or digits in a string.

use std::borrow::Cow;

use wasm_bindgen::prelude::*;

use crate::error::FieldError;
use crate::reader::{self, Reader};
use crate::value::Value;
use crate::wasm::convert::from_js;
use crate::wasm::launchpad::refuse::invalid;

#[wasm_bindgen(module = "/src/wasm/launchpad/amount.js")]
extern "C" {
    fn fits(value: &JsValue) -> bool;
    fn same(value: &JsValue) -> u64;
}

/// An amount given as the argument `name`.
///
/// # Errors
///
/// `invalid_options`, where it is no whole number of at most 64 bits.
pub fn amount(name: &'static str, value: &JsValue) -> Result<u64, JsValue> {
    if fits(value) {
        return Ok(same(value));
    }
    argument(name, value, |r, name| r.whole(name))
}

/// One argument by the rules for settings, and with their words.
fn argument<T: Default>(
    name: &'static str,
    value: &JsValue,
    get: impl for<'a> Fn(&mut Reader<'a>, &'static str) -> Option<T>,
) -> Result<T, JsValue> {
    let given = Value::Object(vec![(Cow::Borrowed(name), from_js(value))]);
    reader::read(&given, |r| r.need(name, |r, name| get(r, name))).map_err(invalid_argument)
}

fn invalid_argument(problems: Vec<FieldError>) -> JsValue {
    invalid("argument", problems)
}
