//! JS values to [`Value`] and back. Any JS value may come in: nothing here throws, traps or hangs.

use js_sys::{Array, BigInt, JsString, Number, Object, Reflect};
use wasm_bindgen::prelude::*;

use crate::value::Value;

/// The longest string that is read, in UTF-16 units.
const MAX_TEXT: u32 = 1 << 20;

/// The most text that is read in one go, in UTF-16 units: one string may stand in many places.
const MAX_TEXT_IN_ALL: u32 = 1 << 22;

/// The most values that are read in one go.
const MAX_VALUES: u32 = 100_000;

/// The most fields of one object, as in JSON.
const MAX_FIELDS: u32 = 1024;

/// How deep a request or a set of options is read. The deepest field of any is four levels down.
const MAX_DEPTH: u32 = 6;

#[wasm_bindgen]
extern "C" {
    // A revoked proxy throws even here.
    #[wasm_bindgen(js_namespace = Array, js_name = isArray, catch)]
    fn is_array(value: &JsValue) -> Result<bool, JsValue>;

    #[wasm_bindgen(js_name = Number)]
    fn number_of(text: &str) -> JsValue;

    #[wasm_bindgen(js_name = BigInt, catch)]
    fn bigint_of(text: &str) -> Result<JsValue, JsValue>;
}

#[wasm_bindgen(module = "/src/wasm/fields.js")]
extern "C" {
    #[wasm_bindgen(js_name = fieldsOf)]
    fn fields_of(object: &JsValue, most: u32) -> JsValue;

    #[wasm_bindgen(js_name = putField)]
    fn put_field(object: &JsValue, name: &str, value: &JsValue);

    /// Whether an object has a field of its own, be it without a value.
    #[cfg(feature = "desk")]
    #[wasm_bindgen(js_name = isGiven)]
    pub fn is_given(object: &JsValue, name: &str) -> bool;

    /// Whether an object has a value that [`from_js`] does not read: one that it inherits, or hides.
    #[cfg(feature = "desk")]
    #[wasm_bindgen(js_name = isHidden)]
    pub fn is_hidden(object: &JsValue, name: &str) -> bool;

    /// Has `JSON.stringify` write the bigints of an object as text.
    #[cfg(feature = "desk")]
    #[wasm_bindgen(js_name = withJson)]
    pub fn with_json(value: &JsValue) -> JsValue;
}

/// Reads a JS value. `undefined` is [`Value::Null`]; a field that is `undefined` is absent.
pub fn from_js(value: &JsValue) -> Value {
    read(value, MAX_DEPTH, &mut Budget::default())
}

/// Reads a JS object and the objects in it, and nothing that lies deeper.
#[cfg(feature = "desk")]
pub fn from_js_shallow(value: &JsValue) -> Value {
    read(value, 2, &mut Budget::default())
}

/// How much more is read.
struct Budget {
    values: u32,
    text: u32,
}

impl Default for Budget {
    fn default() -> Self {
        Budget { values: MAX_VALUES, text: MAX_TEXT_IN_ALL }
    }
}

fn read(value: &JsValue, depth: u32, left: &mut Budget) -> Value {
    if left.values == 0 {
        return Value::Foreign("more than 100000 values");
    }
    left.values -= 1;
    if value.is_null() || value.is_undefined() {
        return Value::Null;
    }
    if let Some(is) = value.as_bool() {
        return Value::Bool(is);
    }
    if let Some(number) = value.as_f64() {
        // JS prints the shortest decimal that names the number, so no float is formatted here.
        let text = Number::from(number).to_string_with_radix(10).ok().map(String::from);
        return text.map_or(Value::Foreign("a number that cannot be read"), Value::Double);
    }
    if let Some(text) = value.dyn_ref::<JsString>() {
        let length = text.length();
        if length > MAX_TEXT {
            return Value::Foreign("a string of over 1048576 characters");
        }
        return match left.text.checked_sub(length) {
            Some(rest) => {
                left.text = rest;
                Value::String(text.into())
            }
            None => Value::Foreign("more than 4194304 characters in all"),
        };
    }
    if value.is_bigint() {
        return bigint(value.unchecked_ref());
    }
    if value.is_function() {
        return Value::Foreign("a function");
    }
    if value.is_symbol() {
        return Value::Foreign("a symbol");
    }
    if depth == 0 {
        return Value::Foreign("an object that nests too deep or without end");
    }
    match is_array(value) {
        Ok(true) => array(value, depth, left),
        Ok(false) => object(value, depth, left),
        Err(_) => UNREADABLE,
    }
}

const UNREADABLE: Value = Value::Foreign("an object that throws when it is read");

/// A bigint's digits, unless it is far beyond any amount: printing one takes longer than its size.
fn bigint(value: &BigInt) -> Value {
    if BigInt::as_int_n(129.0, value) != *value {
        return Value::Foreign("a bigint of over 128 bits");
    }
    let text = value.to_string(10).ok().map(String::from);
    text.map_or(Value::Foreign("a bigint that cannot be read"), Value::BigInt)
}

fn array(items: &JsValue, depth: u32, left: &mut Budget) -> Value {
    // Not `Array::length`: a proxy of an array has a length that may throw, too.
    let Some(length) = property(items, "length").as_f64() else { return UNREADABLE };
    if length > f64::from(left.values) {
        return Value::Foreign("an array of more than 100000 values");
    }
    let mut read_items = Vec::new();
    for index in 0..length as u32 {
        match Reflect::get_u32(items, index) {
            Ok(item) => read_items.push(read(&item, depth - 1, left)),
            Err(_) => read_items.push(Value::Foreign("an element that throws when it is read")),
        }
    }
    Value::Array(read_items)
}

fn object(value: &JsValue, depth: u32, left: &mut Budget) -> Value {
    let found = fields_of(value, MAX_FIELDS);
    if found.is_undefined() {
        return Value::Foreign("an object of more than 1024 fields");
    }
    let Some(found) = found.dyn_ref::<Array>() else { return UNREADABLE };
    let mut fields = Vec::new();
    for at in (0..found.length()).step_by(3) {
        let field = found.get(at + 2);
        let field = match found.get(at + 1).is_truthy() {
            true if field.is_undefined() => continue,
            true => read(&field, depth - 1, left),
            false => Value::Foreign("a field that throws when it is read"),
        };
        fields.push((found.get(at).as_string().unwrap_or_default().into(), field));
    }
    Value::Object(fields)
}

/// A property of any JS value; `undefined` where there is none or where reading it throws.
pub fn property(value: &JsValue, name: &str) -> JsValue {
    if !value.is_object() && !value.is_function() {
        return JsValue::UNDEFINED;
    }
    Reflect::get(value, &JsValue::from_str(name)).unwrap_or(JsValue::UNDEFINED)
}

/// A method of any JS value.
#[cfg(feature = "desk")]
pub fn method(value: &JsValue, name: &str) -> Option<js_sys::Function> {
    property(value, name).dyn_into().ok()
}

/// Writes a value as plain JS data: objects, arrays, strings, numbers, bigints.
pub fn to_js(value: &Value) -> JsValue {
    match value {
        Value::Null | Value::Foreign(_) => JsValue::NULL,
        Value::Bool(is) => JsValue::from_bool(*is),
        Value::Number(text) | Value::Double(text) => match text.parse::<u32>() {
            Ok(small) => JsValue::from(small),
            Err(_) => number_of(text),
        },
        Value::BigInt(text) => match text.parse::<u64>() {
            Ok(number) => JsValue::from(number),
            Err(_) => bigint_of(text).unwrap_or(JsValue::NULL),
        },
        Value::String(text) => JsValue::from_str(text),
        Value::Array(items) => items.iter().map(to_js).collect::<Array>().into(),
        Value::Object(fields) => {
            let object = Object::new();
            for (name, field) in fields {
                put_field(&object, name, &to_js(field));
            }
            object.into()
        }
    }
}
