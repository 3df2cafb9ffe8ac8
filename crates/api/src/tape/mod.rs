//! The flat form of plain data: JS values and JSON texts become a tape on the way in, and leave as either.
//!
//! A tape is a list of records in the order they are written, and one text that holds every name, string and number.
//! An object or an array is a record that says how many values it has and where it ends. No number is ever an `f64`:
//! each is the decimal text it came as, or an integer that JS holds exactly.
//!
//! ```
//! use launchpad_desk::tape::{Data, json};
//!
//! let tape = json::parse(br#"{ "mint": "M", "legs": [1, 2] }"#).unwrap();
//! assert_eq!(json::write(&tape), r#"{"mint":"M","legs":[1,2]}"#);
//! assert!(matches!(tape.root().get("mint").map(|mint| mint.data()), Some(Data::String("M"))));
//! ```

mod count;
pub mod json;
#[cfg(feature = "serde")]
pub(crate) mod serial;
pub(crate) mod write;

pub use count::Count;
pub use count::MAX_SAFE_INTEGER;
pub(crate) use write::to_tape;
pub use write::{Number, ToTape, Writer};

use std::sync::Arc;

use crate::names::NAMES;
use crate::text::Text;

/// A value: its kind; the position and the length of its name in the text, in bytes; and the same for its own text. Instead of
/// a text, an integer has its low and its high half, a word has its place among [`NAMES`], and an array or object has the number
/// of values in it at any depth, and directly. `pkg/src/crossing.ts` reads and writes this form, in place.
pub type TapeValue = [u32; 5];

/// What a record is.
mod kind {
    pub const NULL: u32 = 0;
    pub const FALSE: u32 = 1;
    pub const TRUE: u32 = 2;
    pub const NUMBER: u32 = 3;
    pub const INTEGER: u32 = 4;
    pub const DOUBLE: u32 = 5;
    pub const BIGINT: u32 = 6;
    pub const STRING: u32 = 7;
    /// Not data; its text says what it is.
    pub const FOREIGN: u32 = 8;
    pub const ARRAY: u32 = 9;
    pub const OBJECT: u32 = 10;
    /// An object with the fields of a trade, which JS reads by their places.
    pub const TRADE: u32 = 11;
    /// An object with a field's path, a code and a sentence, which JS reads by their places, too.
    pub const PROBLEM: u32 = 12;
    /// A string that is among the known names.
    pub const WORD: u32 = 13;
}

/// Instead of a name's position: then its length is its place among [`NAMES`].
const KNOWN: u32 = u32::MAX;

/// A part of a tape's text, in bytes.
#[derive(Clone, Copy, Default)]
struct Span {
    start: u32,
    len: u32,
}

/// One value, with everything in it.
#[derive(Clone, Default)]
pub struct Tape {
    records: Vec<TapeValue>,
    text: String,
}

impl Tape {
    /// A tape of records and their text. Reading it never panics, whatever the records say.
    pub fn from_records(records: Vec<TapeValue>, text: String) -> Tape {
        Tape { records, text }
    }

    /// The records of all values, in the order they were written.
    pub fn records(&self) -> &[TapeValue] {
        &self.records
    }

    /// The text that its records point to.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Marks an object as a trade, which must have the fields of one, in their order. JS then need not read their names.
    pub(crate) fn into_trade(mut self) -> Tape {
        if let Some([kind, ..]) = self.records.first_mut() {
            *kind = kind::TRADE;
        }
        self
    }

    /// Replaces the text.
    pub fn set_text(&mut self, text: &str) {
        self.text.clear();
        self.text.push_str(text);
    }

    /// The text at this position.
    fn span(&self, start: u32, len: u32) -> &str {
        let start = start as usize;
        self.text.get(start..start.saturating_add(len as usize)).unwrap_or_default()
    }

    /// The value; null for an empty tape.
    pub fn root(&self) -> Item<'_> {
        Item { tape: self, at: 0 }
    }
}

impl PartialEq for Tape {
    fn eq(&self, other: &Self) -> bool {
        self.root() == other.root()
    }
}

impl Eq for Tape {}

impl std::fmt::Debug for Tape {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.root().fmt(f)
    }
}

/// The name or word at this place.
fn known(place: u32) -> &'static str {
    NAMES.get(place as usize).copied().unwrap_or_default()
}

/// A value on a tape.
#[derive(Clone, Copy)]
pub struct Item<'t> {
    tape: &'t Tape,
    at: usize,
}

/// What a value is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Data<'t> {
    /// `null`; a JS `undefined` is an absent field instead.
    Null,
    /// `true` or `false`.
    Bool(bool),
    /// A JSON number, digit for digit.
    Number(&'t str),
    /// A JS number that is a safe integer.
    Integer(i64),
    /// Any other JS number, as JS prints it: the shortest decimal that names it, or `NaN`, `Infinity`, `-Infinity`.
    Double(&'t str),
    /// A JS bigint, as decimal text. In JSON it is a number literal.
    BigInt(&'t str),
    /// Text.
    String(&'t str),
    /// A list.
    Array(Items<'t>),
    /// Fields in the order they came; names are unique.
    Object(Fields<'t>),
    /// Something that is not data, described for a message: "a function", "a symbol".
    Foreign(&'t str),
}

impl<'t> Item<'t> {
    /// What it is. Not inlined: copies of it made the modules a tenth larger.
    #[inline(never)]
    pub fn data(self) -> Data<'t> {
        let Some(&[kind, _, _, start, len]) = self.tape.records.get(self.at) else { return Data::Null };
        match kind {
            kind::FALSE => return Data::Bool(false),
            kind::TRUE => return Data::Bool(true),
            kind::INTEGER => return Data::Integer((u64::from(len) << 32 | u64::from(start)) as i64),
            kind::WORD => return Data::String(known(len)),
            kind::ARRAY..=kind::PROBLEM => {
                // No more than there are records.
                let left = len.min(self.tape.records.len() as u32);
                let items = Items { next: Item { at: self.at + 1, ..self }, left };
                return if kind == kind::ARRAY { Data::Array(items) } else { Data::Object(Fields { items }) };
            }
            _ => {}
        }
        let text = self.tape.span(start, len);
        match kind {
            kind::NUMBER => Data::Number(text),
            kind::DOUBLE => Data::Double(text),
            kind::BIGINT => Data::BigInt(text),
            kind::STRING => Data::String(text),
            kind::FOREIGN => Data::Foreign(text),
            _ => Data::Null,
        }
    }

    /// The value after this one and everything in it.
    #[inline(always)]
    fn after(self) -> Item<'t> {
        let within = match self.tape.records.get(self.at) {
            Some(&[kind::ARRAY..=kind::PROBLEM, _, _, within, _]) => within as usize,
            _ => 0,
        };
        Item { at: (self.at + 1).saturating_add(within), ..self }
    }

    /// Whether that is its name. A name of another length need not be read.
    #[inline(always)]
    fn is_named(self, name: &str) -> bool {
        match self.tape.records.get(self.at) {
            Some(&[_, start, len, ..]) if start != KNOWN && len as usize != name.len() => false,
            _ => self.name() == name,
        }
    }

    /// The index of its name among the names that records may refer to, if it is passed as one.
    #[inline(always)]
    pub fn place(self) -> Option<usize> {
        match self.tape.records.get(self.at) {
            Some(&[_, KNOWN, place, ..]) => Some(place as usize),
            _ => None,
        }
    }

    fn name(self) -> &'t str {
        match self.tape.records.get(self.at) {
            Some(&[_, KNOWN, place, ..]) => known(place),
            Some(&[_, start, len, ..]) => self.tape.span(start, len),
            None => "",
        }
    }

    /// All text of its tape.
    pub(crate) fn all_text(self) -> &'t str {
        &self.tape.text
    }

    /// Its text, as a part of what `whole` shares: all text of its tape.
    pub(crate) fn text_in(self, whole: &Arc<str>) -> Text {
        match self.tape.records.get(self.at) {
            Some(&[kind::NUMBER | kind::DOUBLE..=kind::STRING, _, _, start, len]) => {
                Text::part(whole, start, len)
            }
            Some(&[kind::WORD, .., place]) => known(place).into(),
            _ => Text::default(),
        }
    }

    /// Its fields, if it is an object.
    pub fn fields(self) -> Option<Fields<'t>> {
        match self.data() {
            Data::Object(fields) => Some(fields),
            _ => None,
        }
    }

    /// The text, if it is a string.
    pub fn text(self) -> Option<&'t str> {
        match self.data() {
            Data::String(text) => Some(text),
            _ => None,
        }
    }

    /// The text of the field with that name.
    pub fn text_of(self, name: &str) -> Option<&'t str> {
        self.get(name)?.text()
    }

    /// The whole number, if it is one of at most 64 bits.
    #[inline]
    pub fn whole(self) -> Option<u64> {
        match self.data() {
            Data::Integer(integer) => integer.try_into().ok(),
            Data::Number(digits) | Data::BigInt(digits) => digits.parse().ok(),
            _ => None,
        }
    }

    /// Its elements, if it is an array.
    #[inline]
    pub fn items(self) -> Option<Items<'t>> {
        match self.data() {
            Data::Array(items) => Some(items),
            _ => None,
        }
    }

    /// The field of that name, if this is an object that has it.
    #[inline(never)]
    pub fn get(self, name: &str) -> Option<Item<'t>> {
        let Data::Object(Fields { items: Items { mut next, left } }) = self.data() else { return None };
        for _ in 0..left {
            if next.is_named(name) {
                return Some(next);
            }
            next = next.after();
        }
        None
    }

    /// Whether it is not data, but this.
    #[inline(always)]
    pub(crate) fn is_foreign(self, what: &str) -> bool {
        matches!(self.tape.records.get(self.at), Some([kind::FOREIGN, ..])) && self.kind() == what
    }

    pub fn is_null(self) -> bool {
        !matches!(self.tape.records.get(self.at), Some([kind::FALSE..=kind::WORD, ..]))
    }

    pub fn is_object(self) -> bool {
        matches!(self.tape.records.get(self.at), Some([kind::OBJECT..=kind::PROBLEM, ..]))
    }

    /// What this is, with an article, for a message.
    pub fn kind(self) -> &'t str {
        match self.data() {
            Data::Null => "null",
            Data::Bool(_) => "a boolean",
            Data::Number(_) | Data::Integer(_) | Data::Double(_) => "a number",
            Data::BigInt(_) => "a bigint",
            Data::String(_) => "a string",
            Data::Array(_) => "an array",
            Data::Object(_) => "an object",
            Data::Foreign(what) => what,
        }
    }
}

/// Null, for an absent value.
impl Default for Item<'_> {
    fn default() -> Self {
        static NOTHING: Tape = Tape { records: Vec::new(), text: String::new() };
        NOTHING.root()
    }
}

impl PartialEq for Item<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.data() == other.data()
    }
}

impl PartialEq<Data<'_>> for Item<'_> {
    fn eq(&self, other: &Data) -> bool {
        self.data() == *other
    }
}

impl std::fmt::Debug for Item<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.data().fmt(f)
    }
}

/// The values of an array, in their order.
#[derive(Clone, Copy)]
pub struct Items<'t> {
    next: Item<'t>,
    left: u32,
}

impl Items<'_> {
    /// Whether none are left.
    pub fn is_empty(&self) -> bool {
        self.left == 0
    }
}

impl<'t> Iterator for Items<'t> {
    type Item = Item<'t>;

    fn next(&mut self) -> Option<Item<'t>> {
        self.left = self.left.checked_sub(1)?;
        let item = self.next;
        self.next = item.after();
        Some(item)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.left as usize, Some(self.left as usize))
    }
}

impl ExactSizeIterator for Items<'_> {}

impl PartialEq for Items<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.left == other.left && self.zip(*other).all(|(one, other)| one == other)
    }
}

impl std::fmt::Debug for Items<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_list().entries(*self).finish()
    }
}

/// The fields of an object, in their order: names and values.
#[derive(Clone, Copy)]
pub struct Fields<'t> {
    items: Items<'t>,
}

impl<'t> Fields<'t> {
    /// The field of that name among `all`, looked for from these on. These then are the ones after it: who writes an object
    /// usually writes it in the order in which it is read.
    #[inline(never)]
    pub(crate) fn named(&mut self, all: Fields<'t>, name: &str) -> Option<Item<'t>> {
        for (mut rest, skipped) in [(*self, 0), (all, self.items.left)] {
            while rest.items.left > skipped
                && let Some(item) = rest.items.next()
            {
                if item.is_named(name) {
                    *self = rest;
                    return Some(item);
                }
            }
        }
        None
    }
}

impl<'t> Iterator for Fields<'t> {
    type Item = (&'t str, Item<'t>);

    fn next(&mut self) -> Option<Self::Item> {
        self.items.next().map(|item| (item.name(), item))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.items.size_hint()
    }
}

impl ExactSizeIterator for Fields<'_> {}

impl PartialEq for Fields<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.len() == other.len() && self.zip(*other).all(|(one, other)| one == other)
    }
}

impl std::fmt::Debug for Fields<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_map().entries(*self).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::{FieldCode, FieldError};
    use crate::{object, to_tape};

    #[test]
    fn what_is_written_is_found_again() {
        let inner = object! { "deep": vec![1u32, 2, 3], "none": Option::<u32>::None };
        let tape = object! { "first": true, "inner": inner, "last": "end" };
        let root = tape.root();
        let names: Vec<_> = root.fields().unwrap().map(|(name, _)| name).collect();
        assert_eq!(names, ["first", "inner", "last"]);
        assert_eq!(root.get("last").unwrap(), Data::String("end"));
        let inner = root.get("inner").unwrap();
        assert!(inner.get("none").unwrap().is_null());
        let Some(Data::Array(deep)) = inner.get("deep").map(Item::data) else { panic!("no array") };
        assert_eq!(deep.map(|item| item.kind()).collect::<Vec<_>>(), ["a number"; 3]);
        assert!(root.get("deep").is_none());
        assert!(Tape::default().root().is_null());
        assert!(Item::default().is_null());
    }

    struct Fill {
        net_lamports: u64,
        opens_token_account: bool,
        note: Option<String>,
    }
    to_tape!(Fill { net_lamports, opens_token_account, note });

    #[test]
    fn a_struct_leaves_as_camel_case_fields_in_order() {
        let fill = Fill { net_lamports: u64::MAX, opens_token_account: true, note: None };
        let expected = object! { "netLamports": u64::MAX, "opensTokenAccount": true, "note": Data::Null };
        assert_eq!(fill.to_tape(), expected);
    }

    #[test]
    fn a_body_leaves_with_what_is_said_of_it() {
        let problem =
            FieldError { field: "mint".into(), code: FieldCode::Empty, message: "mint is empty".into() };
        let tape = Writer::around("{\"mint\":\"é\"}".into(), &[&"/path", &vec![problem]]);
        let said =
            r#"["{\"mint\":\"é\"}","/path",[{"field":"mint","code":"empty","message":"mint is empty"}]]"#;
        assert_eq!(json::write(&tape), said);
        assert_eq!(tape, json::parse(said.as_bytes()).unwrap());
        // Within another value, too.
        assert_eq!(json::write(&object! { "a": 1u64, "b": tape }), ["{\"a\":1,\"b\":", said, "}"].concat());
    }

    #[test]
    fn equal_is_what_holds_the_same() {
        let one = object! { "a": object! { "b": 5u64 }, "c": "x" };
        let (inner, text): (Tape, &dyn ToTape) = (object! { "b": 5u64 }, &"x");
        let mut other = Writer::default();
        other.object(&mut [("a", &inner as &dyn ToTape), ("c", text)].into_iter());
        assert_eq!(one, other.finish());
        assert_ne!(one, object! { "a": object! { "b": 5u64 }, "c": "y" });
        assert_ne!(one, object! { "a": object! { "b": 5u64 } });
    }
}
