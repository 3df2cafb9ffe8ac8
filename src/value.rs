//! A value from outside, or one on its way out: what JSON and JS share, with numbers kept as text.
//!
//! Requests arrive as JS objects or as JSON bytes, replies as JSON bytes, and both leave the same two
//! ways. One tree in the middle means one validation, one encoder and one decoder for all of them.
//! No number in it is ever an `f64`: each is the decimal text it came as.

use std::borrow::Cow;

use crate::amount::Digits;

/// A tree of plain data.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Value {
    /// `null`; a JS `undefined` is an absent field instead.
    Null,
    /// `true` or `false`.
    Bool(bool),
    /// A JSON number, digit for digit.
    Number(String),
    /// A JS number, as JS prints it: the shortest decimal that names it, or `NaN`, `Infinity`, `-Infinity`.
    Double(String),
    /// A JS bigint, as decimal text. In JSON it is a number literal.
    BigInt(String),
    /// Text.
    String(String),
    /// A list.
    Array(Vec<Value>),
    /// Fields in the order they came; names are unique.
    Object(Vec<(Cow<'static, str>, Value)>),
    /// Something that is not data, described for a message: "a function", "a symbol".
    Foreign(&'static str),
}

impl Value {
    /// The field of that name, if this is an object that has it.
    pub fn get(&self, name: &str) -> Option<&Value> {
        match self {
            Value::Object(fields) => fields.iter().find(|(key, _)| key == name).map(|(_, v)| v),
            _ => None,
        }
    }

    /// What this is, with its article, for a message.
    pub fn kind(&self) -> &'static str {
        match self {
            Value::Null => "null",
            Value::Bool(_) => "a boolean",
            Value::Number(_) | Value::Double(_) => "a number",
            Value::BigInt(_) => "a bigint",
            Value::String(_) => "a string",
            Value::Array(_) => "an array",
            Value::Object(_) => "an object",
            Value::Foreign(what) => what,
        }
    }
}

/// What can be written as a [`Value`].
pub trait ToValue {
    /// The value, whole.
    fn to_value(&self) -> Value;
}

impl ToValue for Value {
    fn to_value(&self) -> Value {
        self.clone()
    }
}

impl ToValue for bool {
    fn to_value(&self) -> Value {
        Value::Bool(*self)
    }
}

/// A `u64` is money or tokens: a bigint in JS, for a JS number could not hold each of them.
impl ToValue for u64 {
    fn to_value(&self) -> Value {
        Value::BigInt(self.digits())
    }
}

/// See `u64`; it holds sums of them.
impl ToValue for u128 {
    fn to_value(&self) -> Value {
        Value::BigInt(self.digits())
    }
}

/// See `u64`; it has a sign for balances that fall.
impl ToValue for i128 {
    fn to_value(&self) -> Value {
        Value::BigInt(self.digits())
    }
}

impl ToValue for u32 {
    fn to_value(&self) -> Value {
        Value::Number(self.digits())
    }
}

impl ToValue for u16 {
    fn to_value(&self) -> Value {
        Value::Number(self.digits())
    }
}

impl ToValue for u8 {
    fn to_value(&self) -> Value {
        Value::Number(self.digits())
    }
}

impl ToValue for str {
    fn to_value(&self) -> Value {
        Value::String(self.to_owned())
    }
}

impl ToValue for String {
    fn to_value(&self) -> Value {
        Value::String(self.clone())
    }
}

impl<T: ToValue + ?Sized> ToValue for &T {
    fn to_value(&self) -> Value {
        (**self).to_value()
    }
}

impl<T: ToValue> ToValue for Option<T> {
    fn to_value(&self) -> Value {
        self.as_ref().map_or(Value::Null, T::to_value)
    }
}

impl<T: ToValue> ToValue for Vec<T> {
    fn to_value(&self) -> Value {
        self.as_slice().to_value()
    }
}

impl<T: ToValue> ToValue for [T] {
    fn to_value(&self) -> Value {
        array_of(&mut self.iter().map(T::to_value))
    }
}

/// The array of these values. Asked for through a table, so that an array is built here alone.
fn array_of(values: &mut dyn Iterator<Item = Value>) -> Value {
    let mut items = Vec::new();
    for value in values {
        items.push(value);
    }
    Value::Array(items)
}

/// The object of these values under these names: one text, a comma after each name. Values that are left out are
/// the last ones.
///
/// Names in one text and values by reference keep each caller small: an object is built here alone.
pub fn object_of(names: &'static str, values: &[&dyn ToValue]) -> Value {
    let mut object = Vec::with_capacity(values.len());
    for (name, value) in names.split(',').zip(values) {
        object.push((Cow::Borrowed(name), value.to_value()));
    }
    Value::Object(object)
}

/// An object of named values, in the order written: `object! { "mint": mint, "tokens": 5u64 }`.
#[macro_export]
macro_rules! object {
    ($($name:literal : $value:expr),* $(,)?) => {
        $crate::value::object_of(concat!($($name, ","),*), &[$(&$value as &dyn $crate::value::ToValue),*])
    };
}

/// Gives a struct [`ToValue`]: one camelCase field for each of its own, and a compile error where the list
/// and the struct differ, so that no field can be forgotten on its way out.
#[macro_export]
macro_rules! to_value {
    ($type:ty { $($field:ident),* $(,)? }) => {
        impl $crate::value::ToValue for $type {
            fn to_value(&self) -> $crate::value::Value {
                let Self { $($field),* } = self;
                let values = [$($field as &dyn $crate::value::ToValue),*];
                $crate::value::object_of($crate::camel_case!(concat!($(stringify!($field), ","),*)), &values)
            }
        }
    };
}

/// Snake_case names in camelCase, at compile time.
#[macro_export]
macro_rules! camel_case {
    ($names:expr) => {{
        const SNAKE: &str = $names;
        const CAMEL: [u8; $crate::value::camel_len(SNAKE)] = $crate::value::camel(SNAKE);
        const NAMES: &str = match ::core::str::from_utf8(&CAMEL) {
            Ok(names) => names,
            Err(_) => panic!("a Rust name is UTF-8"),
        };
        NAMES
    }};
}

/// Declares a struct that JS sees: each field once, with what it means, its TypeScript type and, after that,
/// `optional` where JS may leave it out. The struct is [`ToValue`].
#[macro_export]
macro_rules! record {
    (
        $(#[$doc:meta])*
        $name:ident { $( $(#[$field_doc:meta])* $field:ident : $type:ty => $ts:literal $($optional:ident)? ),* $(,)? }
    ) => {
        $(#[$doc])*
        #[derive(Clone, Debug, PartialEq, Eq)]
        #[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
        #[cfg_attr(target_arch = "wasm32", serde(rename_all = "camelCase"))]
        pub struct $name {
            $(
                $(#[$field_doc])*
                #[cfg_attr(target_arch = "wasm32", tsify($($optional,)? type = $ts))]
                pub $field: $type,
            )*
        }
        $crate::to_value!($name { $($field),* });
    };
}

/// The length of snake_case names written in camelCase.
#[doc(hidden)]
pub const fn camel_len(snake: &str) -> usize {
    let bytes = snake.as_bytes();
    let (mut at, mut len) = (0, 0);
    while at < bytes.len() {
        if bytes[at] != b'_' {
            len += 1;
        }
        at += 1;
    }
    len
}

/// Snake_case names in camelCase, at compile time.
#[doc(hidden)]
pub const fn camel<const N: usize>(snake: &str) -> [u8; N] {
    let bytes = snake.as_bytes();
    let mut name = [0; N];
    let (mut at, mut len) = (0, 0);
    while at < bytes.len() {
        if bytes[at] != b'_' {
            let starts_word = at > 0 && bytes[at - 1] == b'_';
            name[len] = if starts_word { bytes[at].to_ascii_uppercase() } else { bytes[at] };
            len += 1;
        }
        at += 1;
    }
    name
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Fill {
        net_lamports: u64,
        opens_token_account: bool,
        note: Option<String>,
    }
    to_value!(Fill { net_lamports, opens_token_account, note });

    #[test]
    fn a_struct_leaves_as_camel_case_fields_in_order() {
        let fill = Fill { net_lamports: u64::MAX, opens_token_account: true, note: None };
        let expected = object! { "netLamports": u64::MAX, "opensTokenAccount": true, "note": Value::Null };
        assert_eq!(fill.to_value(), expected);
    }
}
