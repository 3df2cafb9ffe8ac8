//! A tape through `serde`: any plain data, in self-describing formats.
//!
//! A number is written as the nearest double, as in JavaScript, or as null if it is beyond all doubles. Use text if every digit
//! counts.

use std::collections::BTreeSet;
use std::fmt;

use serde::de::{self, Deserialize, DeserializeSeed, Deserializer, MapAccess, SeqAccess, Visitor};
use serde::ser::{Serialize, SerializeMap, SerializeSeq, Serializer};

use super::{Data, Item, Tape, Writer, json};

/// The largest whole number up to which a double holds every one.
const MOST_EXACT: f64 = 9_007_199_254_740_991.0;

impl Serialize for Tape {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.root().serialize(serializer)
    }
}

impl Serialize for Item<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.data() {
            Data::Null | Data::Foreign(_) => serializer.serialize_unit(),
            Data::Bool(is) => serializer.serialize_bool(is),
            Data::Integer(integer) => serializer.serialize_i64(integer),
            Data::Number(text) | Data::Double(text) => match text.parse::<f64>() {
                Ok(double) if double.fract() == 0.0 && double.abs() <= MOST_EXACT => {
                    serializer.serialize_i64(double as i64)
                }
                Ok(double) if double.is_finite() => serializer.serialize_f64(double),
                _ => serializer.serialize_unit(),
            },
            Data::BigInt(text) | Data::String(text) => serializer.serialize_str(text),
            Data::Array(items) => {
                let mut list = serializer.serialize_seq(Some(items.len()))?;
                items.into_iter().try_for_each(|item| list.serialize_element(&item))?;
                list.end()
            }
            Data::Object(fields) => {
                let mut map = serializer.serialize_map(Some(fields.len()))?;
                fields.into_iter().try_for_each(|(name, item)| map.serialize_entry(name, &item))?;
                map.end()
            }
        }
    }
}

/// The field name under which `serde_json` passes on a number that it keeps as text.
pub(crate) const JSON_NUMBER: &str = "$serde_json::private::Number";

impl<'de> Deserialize<'de> for Tape {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let mut tape = Writer::default();
        Value(&mut tape).deserialize(deserializer)?;
        Ok(tape.finish())
    }
}

/// Writes the next value on the tape.
struct Value<'w>(&'w mut Writer);

impl<'de> DeserializeSeed<'de> for Value<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Value<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("plain data")
    }

    fn visit_unit<E>(self) -> Result<(), E> {
        self.0.null();
        Ok(())
    }

    fn visit_none<E: de::Error>(self) -> Result<(), E> {
        self.visit_unit()
    }

    fn visit_some<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        self.deserialize(deserializer)
    }

    fn visit_bool<E>(self, is: bool) -> Result<(), E> {
        self.0.bool(is);
        Ok(())
    }

    fn visit_u64<E>(self, number: u64) -> Result<(), E> {
        self.0.number(&number.to_string());
        Ok(())
    }

    fn visit_i64<E>(self, number: i64) -> Result<(), E> {
        self.0.number(&number.to_string());
        Ok(())
    }

    // The shortest text that gives this double, as in JavaScript.
    fn visit_f64<E>(self, number: f64) -> Result<(), E> {
        self.0.number(&number.to_string());
        Ok(())
    }

    fn visit_str<E>(self, text: &str) -> Result<(), E> {
        self.0.string(text);
        Ok(())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<(), A::Error> {
        let opened = self.0.open(false);
        let mut own = 0;
        while items.next_element_seed(Value(self.0))?.is_some() {
            own += 1;
        }
        self.0.close(opened, own);
        Ok(())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut fields: A) -> Result<(), A::Error> {
        let mut names = BTreeSet::new();
        let mut opened = None;
        while let Some(name) = fields.next_key::<String>()? {
            if names.is_empty() && name == JSON_NUMBER {
                let digits = fields.next_value::<String>()?;
                // Any JSON may have a field of that name, with any text in it.
                if json::parse(digits.as_bytes())
                    .is_ok_and(|read| read.root().data() == Data::Number(&digits))
                {
                    self.0.number(&digits);
                    return Ok(());
                }
                return Err(de::Error::custom("not a number"));
            }
            // A field's name is written before its value, so the object is opened before its first field.
            opened.get_or_insert_with(|| self.0.open(true));
            self.0.name(&name);
            fields.next_value_seed(Value(self.0))?;
            if let Some(twice) = names.replace(name) {
                return Err(de::Error::custom(["the field ", &twice, " twice"].concat()));
            }
        }
        let opened = opened.unwrap_or_else(|| self.0.open(true));
        self.0.close(opened, names.len());
        Ok(())
    }
}
