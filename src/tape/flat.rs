//! A tape as it crosses between JS and the core: three numbers for each value, and one text.
//!
//! Each value has three numbers: its kind; the length of its name in UTF-16 units, or 0; and the length of its text, the
//! number itself, or how many values it contains. The text has all names and texts one after the other.
//! `src/wasm/flatten.js` reads and writes this form.

use super::{Data, Item, Tape, Writer};

/// A tape in the form in which it crosses.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Flat {
    /// Three numbers a value.
    pub records: Vec<f64>,
    /// Every name and text.
    pub text: String,
}

/// The input is not the flat form of a value. Only a bug of ours can cause this.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FlatError;

const NULL: u32 = 0;
const FALSE: u32 = 1;
const TRUE: u32 = 2;
const NUMBER: u32 = 3;
/// A JS number that is a safe integer, kept in place of a text's length. Numbers that leave in this form have at most 32
/// bits; a JSON number among them comes back as a JS number.
const INTEGER: u32 = 4;
const DOUBLE: u32 = 5;
const BIGINT: u32 = 6;
const STRING: u32 = 7;
const FOREIGN: u32 = 8;
const ARRAY: u32 = 9;
const OBJECT: u32 = 10;

/// How deep a crossing value may nest.
const MAX_DEPTH: u32 = 80;

impl Tape {
    /// Reads what JS has made flat.
    ///
    /// # Errors
    ///
    /// [`FlatError`] for anything that is not exactly one value.
    pub fn from_flat(records: &[f64], text: &str) -> Result<Tape, FlatError> {
        // Numbers that are kept in place of a text's length become text, too.
        let tape = Writer::with_room(records.len() / 3, text.len() + records.len());
        let mut reader = Reader { records, rest: text, is_ascii: text.is_ascii(), tape };
        reader.value(0)?;
        if reader.records.is_empty() && reader.rest.is_empty() {
            Ok(reader.tape.finish())
        } else {
            Err(FlatError)
        }
    }

    /// The value, flat.
    pub fn to_flat(&self) -> Flat {
        let mut flat = Flat::default();
        flatten("", self.root(), &mut flat);
        flat
    }
}

struct Reader<'f> {
    records: &'f [f64],
    rest: &'f str,
    is_ascii: bool,
    tape: Writer,
}

impl<'f> Reader<'f> {
    /// The next `units` UTF-16 units of text; none if they end within a character.
    fn take(&mut self, units: f64) -> Result<Option<&'f str>, FlatError> {
        let wanted = units as usize;
        let (mut seen, mut end) = (wanted, wanted);
        if !self.is_ascii {
            (seen, end) = (0, 0);
            let mut chars = self.rest.chars();
            while seen < wanted {
                let next = chars.next().ok_or(FlatError)?;
                seen += next.len_utf16();
                end += next.len_utf8();
            }
        }
        let (text, rest) = self.rest.split_at_checked(end).ok_or(FlatError)?;
        self.rest = rest;
        if seen == wanted { Ok(Some(text)) } else { Err(FlatError) }
    }

    fn value(&mut self, depth: u32) -> Result<(), FlatError> {
        let (&[kind, name, value], rest) = self.records.split_first_chunk().ok_or(FlatError)?;
        self.records = rest;
        if name > 0.0 {
            let name = self.take(name)?.ok_or(FlatError)?;
            self.tape.name(name);
        }
        match kind as u32 {
            NULL => self.tape.null(),
            FALSE => self.tape.bool(false),
            TRUE => self.tape.bool(true),
            INTEGER => self.tape.integer(value as i64),
            ARRAY | OBJECT if depth < MAX_DEPTH => {
                let opened = self.tape.open(kind as u32 == OBJECT);
                let own = value as usize;
                for _ in 0..own {
                    self.value(depth + 1)?;
                }
                self.tape.close(opened, own);
            }
            kind => {
                let text = self.take(value)?.ok_or(FlatError)?;
                match kind {
                    NUMBER => self.tape.number(text),
                    DOUBLE => self.tape.double(text),
                    BIGINT => self.tape.bigint(text),
                    STRING => self.tape.string(text),
                    FOREIGN => self.tape.foreign(text),
                    _ => return Err(FlatError),
                }
            }
        }
        Ok(())
    }
}

fn flatten(name: &str, item: Item, flat: &mut Flat) {
    let units = |text: &str| if text.is_ascii() { text.len() } else { text.encode_utf16().count() } as f64;
    flat.text.push_str(name);
    let mut record = |kind: u32, value: f64| flat.records.extend([f64::from(kind), units(name), value]);
    let (kind, text) = match item.data() {
        Data::Null => return record(NULL, 0.0),
        Data::Bool(false) => return record(FALSE, 0.0),
        Data::Bool(true) => return record(TRUE, 0.0),
        Data::Array(items) => {
            record(ARRAY, items.len() as f64);
            return items.for_each(|item| flatten("", item, flat));
        }
        Data::Object(fields) => {
            record(OBJECT, fields.len() as f64);
            return fields.for_each(|(name, item)| flatten(name, item, flat));
        }
        Data::Number(text) => (NUMBER, text),
        Data::Double(text) => (DOUBLE, text),
        Data::BigInt(text) => (BIGINT, text),
        Data::String(text) => (STRING, text),
        Data::Foreign(text) => (FOREIGN, text),
    };
    if let (NUMBER | DOUBLE, Ok(small)) = (kind, text.parse::<u32>()) {
        return record(INTEGER, small.into());
    }
    record(kind, units(text));
    flat.text.push_str(text);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::object;
    use crate::tape::{ToTape, json};

    #[test]
    fn what_crosses_comes_out_as_it_went_in() {
        let texts = ["", "plain", "é", "😀 and more", "\u{fffd}"];
        let inner = texts.iter().map(|text| text.to_tape()).collect::<Vec<_>>();
        let tape =
            object! { "é😀": inner, "n": u64::MAX, "s": Option::<u8>::None, "o": object! {} , "yes": true };
        let Flat { records, text } = tape.to_flat();
        assert_eq!(Tape::from_flat(&records, &text).map(|read| json::write(&read)), Ok(json::write(&tape)));
    }

    #[test]
    fn a_safe_integer_crosses_as_itself() {
        let read = |value: f64| Tape::from_flat(&[4.0, 0.0, value], "").map(|tape| json::write(&tape));
        assert_eq!(read(9_007_199_254_740_991.0), Ok("9007199254740991".into()));
        assert_eq!(read(-5.0), Ok("-5".into()));
        assert_eq!(read(-0.0), Ok("0".into()));
    }

    #[test]
    fn what_is_not_exactly_one_value_is_refused() {
        for (records, text) in [
            (&[][..], ""),
            (&[0.0, 0.0], ""),
            (&[0.0, 0.0, 0.0], "more"),
            (&[0.0, 0.0, 0.0, 0.0, 0.0, 0.0], ""),
            (&[7.0, 0.0, 3.0], "ab"),
            (&[7.0, 0.0, f64::INFINITY], "ab"),
            (&[11.0, 0.0, 0.0], ""),
            (&[9.0, 0.0, 1e9], ""),
            // Half of a character.
            (&[9.0, 0.0, 2.0, 7.0, 0.0, 1.0, 7.0, 0.0, 1.0], "😀"),
        ] {
            assert_eq!(Tape::from_flat(records, text), Err(FlatError), "{records:?} {text}");
        }
        let endless = [9.0, 0.0, 1.0].repeat(100);
        assert_eq!(Tape::from_flat(&endless, ""), Err(FlatError));
    }
}
