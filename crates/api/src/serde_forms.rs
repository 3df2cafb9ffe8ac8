//! Amounts in `serde`: numbers and numeric text are read, and nothing is rounded.
//!
//! | type | written | read |
//! |---|---|---|
//! | `Decimal`, `Percentage`, `ExactText` | text | text, a number |
//! | `Slippage` | `{ percent }`, `{ bps }` or text | the same, a number |
//! | `TokenInput` | `{ tokens }`, `{ baseUnits }`, or as it is sent: text, or a number where a double holds it | the same |

use std::fmt;

use serde::de::{self, Deserialize, Deserializer, MapAccess, Visitor};
use serde::forward_to_deserialize_any;
use serde::ser::{Serialize, SerializeStruct, Serializer};

use crate::amount::{Decimal, DecimalError, ExactText, Form, Percentage, Slippage, TokenAmount, TokenInput};
use crate::tape::serial::JSON_NUMBER;

/// Shows a struct's visitor all fields that are there. Some formats, such as JS objects, show it only those that it asks for, and then
/// `deny_unknown_fields` denies none: a misspelled limit would be lost.
pub struct AllFields<D>(pub D);

impl<'de, D: Deserializer<'de>> Deserializer<'de> for AllFields<D> {
    type Error = D::Error;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, D::Error> {
        self.0.deserialize_map(visitor)
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option unit unit_struct
        newtype_struct seq tuple tuple_struct map struct enum identifier ignored_any
    }
}

/// `Serialize` and `Deserialize` of a struct that derives them with `remote = "Self"`: unknown fields are refused in any format.
macro_rules! all_fields {
    ($name:ident) => {
        impl serde::Serialize for $name {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                $name::serialize(self, serializer)
            }
        }

        impl<'de> serde::Deserialize<'de> for $name {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                $name::deserialize(crate::serde_forms::AllFields(deserializer))
            }
        }
    };
}
pub(crate) use all_fields;

/// The forms in which an amount may be given.
enum Input {
    /// A number's digits.
    Number(String),
    Text(String),
    /// A unit and its number: `{ percent: 5 }`.
    Named(String, Box<Input>),
}

impl<'de> Deserialize<'de> for Input {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Any;
        impl<'de> Visitor<'de> for Any {
            type Value = Input;

            fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
                f.write_str("a number, numeric text, or a unit and its number")
            }

            fn visit_u64<E>(self, number: u64) -> Result<Input, E> {
                Ok(Input::Number(number.to_string()))
            }

            fn visit_i64<E>(self, number: i64) -> Result<Input, E> {
                Ok(Input::Number(number.to_string()))
            }

            // The shortest text that gives this double, as in JavaScript.
            fn visit_f64<E>(self, number: f64) -> Result<Input, E> {
                Ok(Input::Number(number.to_string()))
            }

            fn visit_str<E>(self, text: &str) -> Result<Input, E> {
                Ok(Input::Text(text.to_owned()))
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Input, A::Error> {
                let name = map.next_key::<String>()?.ok_or_else(|| de::Error::custom("no unit is named"))?;
                if name == JSON_NUMBER {
                    return map.next_value().map(Input::Number);
                }
                let given = map.next_value()?;
                match map.next_key::<String>()? {
                    None => Ok(Input::Named(name, Box::new(given))),
                    Some(_) => Err(de::Error::custom("more than one unit is named")),
                }
            }
        }
        deserializer.deserialize_any(Any)
    }
}

impl Input {
    fn decimal<E: de::Error>(&self) -> Result<Decimal, E> {
        match self {
            Input::Number(digits) => Decimal::from_number(digits).map_err(E::custom),
            Input::Text(text) => Decimal::from_plain(text).map_err(E::custom),
            Input::Named(..) => Err(E::custom(DecimalError::NotANumber)),
        }
    }

    fn amount<E: de::Error>(&self) -> Result<TokenAmount, E> {
        let form = if matches!(self, Input::Number(_)) { Form::Number } else { Form::String };
        Ok(TokenAmount { tokens: self.decimal()?, form })
    }
}

/// Reads a type by `given`.
macro_rules! deserialize {
    ($type:ident, $given:ident => $read:expr) => {
        impl<'de> Deserialize<'de> for $type {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let $given = Input::deserialize(deserializer)?;
                $read
            }
        }
    };
}
deserialize!(Decimal, given => given.decimal());
deserialize!(Percentage, given => given.decimal().map(Percentage));
deserialize!(TokenAmount, given => given.amount());
deserialize!(ExactText, given => match given {
    Input::Number(digits) | Input::Text(digits) => ExactText::from_number(&digits).map_err(de::Error::custom),
    Input::Named(..) => Err(de::Error::custom(DecimalError::NotANumber)),
});
deserialize!(Slippage, given => match &given {
    Input::Named(unit, number) if unit == "percent" => number.decimal().map(Slippage::Percent),
    Input::Named(unit, number) if unit == "bps" => number.decimal().map(Slippage::Bps),
    _ => given.decimal().map(Slippage::Bare),
});
deserialize!(TokenInput, given => match &given {
    Input::Named(unit, number) if unit == "tokens" => number.amount().map(TokenInput::Tokens),
    Input::Named(unit, number) if unit == "baseUnits" => {
        number.decimal()?.to_units(0).map(TokenInput::BaseUnits).map_err(de::Error::custom)
    }
    _ => given.amount().map(TokenInput::Bare),
});

/// Writes `{ name: value }`.
fn named<S: Serializer>(
    serializer: S,
    name: &'static str,
    value: &impl Serialize,
) -> Result<S::Ok, S::Error> {
    let mut object = serializer.serialize_struct("Amount", 1)?;
    object.serialize_field(name, value)?;
    object.end()
}

impl Serialize for Decimal {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.text())
    }
}

impl Serialize for Percentage {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.serialize(serializer)
    }
}

impl Serialize for ExactText {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

impl Serialize for Slippage {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Slippage::Bare(number) => number.serialize(serializer),
            Slippage::Percent(percent) => named(serializer, "percent", percent),
            Slippage::Bps(bps) => named(serializer, "bps", bps),
        }
    }
}

impl Serialize for TokenAmount {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let text = self.tokens.text();
        let double = || text.parse::<f64>().ok().filter(|double| double.to_string() == text);
        match (self.form, text.parse::<u64>(), double()) {
            (Form::Number, Ok(whole), _) => serializer.serialize_u64(whole),
            (Form::Number, _, Some(double)) => serializer.serialize_f64(double),
            _ => serializer.serialize_str(&text),
        }
    }
}

impl Serialize for TokenInput {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            TokenInput::Bare(amount) => amount.serialize(serializer),
            TokenInput::Tokens(amount) => named(serializer, "tokens", amount),
            TokenInput::BaseUnits(units) => named(serializer, "baseUnits", units),
        }
    }
}

/// Whole numbers as text, as in journals; numbers are read as well.
pub mod some_digits {
    use super::{Deserialize, Deserializer, Input, Serialize, Serializer, de};

    pub fn serialize<S: Serializer>(number: &Option<u64>, serializer: S) -> Result<S::Ok, S::Error> {
        number.map(|number| number.to_string()).serialize(serializer)
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<u64>, D::Error> {
        let Some(given) = Option::<Input>::deserialize(deserializer)? else { return Ok(None) };
        given.decimal()?.to_units(0).map(Some).map_err(de::Error::custom)
    }
}
