//! Writing a tape: what leaves the core, as JSON text or as a JS value.

use std::sync::Arc;

use super::{Data, Item, KNOWN, Span, Tape, kind};
use crate::amount::Digits;
use crate::names::place_of;
use crate::text::Text;

/// The place of the first name of a problem; its others follow.
const FIELD: usize = place_of("field");

/// A tape being written: each value in turn, a field's name before it.
pub struct Writer {
    tape: Tape,
    /// The name of the next value, if it is a field.
    name: Span,
    /// What its text begins with, if others share it: their parts of it are not written again.
    shared: Option<Arc<str>>,
}

/// With capacity for most values.
impl Default for Writer {
    fn default() -> Self {
        Writer::with_capacity(16, 256)
    }
}

impl Writer {
    /// Sets the name of the next value.
    pub fn name(&mut self, name: &str) {
        self.name = self.text(name);
    }

    /// Sets the name of the next value by its place among the known ones.
    pub(crate) fn known(&mut self, place: usize) {
        self.name = Span { start: KNOWN, len: place as u32 };
    }

    /// A string by its place among the known ones.
    pub(crate) fn word(&mut self, place: usize) {
        self.entry(kind::WORD, Span { start: 0, len: place as u32 });
    }

    /// Text that may be shared.
    pub(crate) fn part(&mut self, text: &Text) {
        self.part_entry(kind::STRING, text);
    }

    /// A JSON number in text that may be shared.
    pub(crate) fn number_part(&mut self, text: &Text) {
        self.part_entry(kind::NUMBER, text);
    }

    fn part_entry(&mut self, kind: u32, text: &Text) {
        if self.shared.as_ref().is_some_and(|shared| Arc::ptr_eq(shared, text.whole())) {
            let (start, len) = text.place();
            self.entry(kind, Span { start, len });
        } else {
            self.text_entry(kind, text);
        }
    }

    /// With space for this many values, and bytes of their text.
    fn with_capacity(values: usize, bytes: usize) -> Self {
        let (records, text) = (Vec::with_capacity(values), String::with_capacity(bytes));
        Writer { tape: Tape { records, text }, name: Span::default(), shared: None }
    }

    /// A tape that begins with the text that this one shares.
    pub(crate) fn sharing(text: &Text) -> Self {
        let whole = text.whole();
        let mut tape = Writer::with_capacity(40, whole.len() + 64);
        tape.push(whole);
        tape.shared = Some(whole.clone());
        tape
    }

    /// A tape that begins with `text`, which contains most of its names and strings, as with JSON.
    pub(super) fn over(text: &str) -> Self {
        // For most texts it need not grow, not even for the strings with escapes, which are on it twice.
        let mut tape = Writer::with_capacity(text.len() / 16 + 1, text.len() + text.len() / 4);
        tape.push(text);
        tape
    }

    /// An array of a long text and of others: the text becomes the tape's own, without a copy.
    pub fn around(text: String, others: &[&dyn ToTape]) -> Tape {
        let whole = Span { start: 0, len: text.len() as u32 };
        let tape = Tape { records: Vec::with_capacity(4), text };
        let mut tape = Writer { tape, name: Span::default(), shared: None };
        let opened = tape.open(false);
        tape.string_at(whole);
        others.iter().for_each(|other| other.write(&mut tape));
        tape.close(opened, others.len() + 1);
        tape.finish()
    }

    /// Adds to the text.
    pub(super) fn push(&mut self, text: &str) {
        self.tape.text.push_str(text);
    }

    /// Where the text ends.
    pub(super) fn end(&self) -> u32 {
        self.tape.text.len() as u32
    }

    /// The text at this position.
    pub(super) fn text_at(&self, span: Span) -> &str {
        self.tape.span(span.start, span.len)
    }

    fn text(&mut self, text: &str) -> Span {
        let start = self.end();
        self.push(text);
        Span { start, len: text.len() as u32 }
    }

    /// Sets the name of the next value, which is in the text already.
    pub(super) fn name_at(&mut self, name: Span) {
        self.name = name;
    }

    /// A JSON number that is in the text already.
    pub(super) fn number_at(&mut self, digits: Span) {
        self.entry(kind::NUMBER, digits);
    }

    /// A string that is in the text already.
    pub(super) fn string_at(&mut self, string: Span) {
        self.entry(kind::STRING, string);
    }

    #[inline(never)]
    fn entry(&mut self, kind: u32, value: Span) -> usize {
        let name = std::mem::take(&mut self.name);
        self.tape.records.push([kind, name.start, name.len, value.start, value.len]);
        self.tape.records.len() - 1
    }

    #[inline(never)]
    fn text_entry(&mut self, kind: u32, text: &str) {
        let value = self.text(text);
        self.entry(kind, value);
    }

    /// How many values it has so far.
    pub(super) fn len(&self) -> usize {
        self.tape.records.len()
    }

    pub(super) fn null(&mut self) {
        self.entry(kind::NULL, Span::default());
    }

    pub(super) fn bool(&mut self, is: bool) {
        self.entry(if is { kind::TRUE } else { kind::FALSE }, Span::default());
    }

    /// A JSON number, digit for digit.
    pub fn number(&mut self, digits: &str) {
        self.text_entry(kind::NUMBER, digits);
    }

    /// A JS number, as JS prints it.
    pub fn double(&mut self, text: &str) {
        self.text_entry(kind::DOUBLE, text);
    }

    /// A JS number that is a safe integer.
    pub fn integer(&mut self, integer: i64) {
        let value = integer as u64;
        self.entry(kind::INTEGER, Span { start: value as u32, len: (value >> 32) as u32 });
    }

    /// A bigint in JS, a number in JSON.
    pub fn bigint(&mut self, digits: &str) {
        self.text_entry(kind::BIGINT, digits);
    }

    /// Text.
    pub fn string(&mut self, text: &str) {
        self.text_entry(kind::STRING, text);
    }

    /// Something that is not data.
    pub(super) fn foreign(&mut self, what: &str) {
        self.text_entry(kind::FOREIGN, what);
    }

    /// An array or an object, which [`close`](Writer::close) ends.
    pub fn open(&mut self, is_object: bool) -> usize {
        self.entry(if is_object { kind::OBJECT } else { kind::ARRAY }, Span::default())
    }

    /// Ends the array or object at `opened`, which directly contains `own` values.
    pub fn close(&mut self, opened: usize, own: usize) {
        let values = self.tape.records.len();
        if let Some([.., within, directly]) = self.tape.records.get_mut(opened) {
            (*within, *directly) = ((values - opened - 1) as u32, own as u32);
        }
    }

    /// An array of what `write` writes.
    pub fn array(&mut self, items: &mut dyn Iterator<Item = &dyn ToTape>) {
        let opened = self.open(false);
        let mut own = 0;
        for item in items {
            item.write(self);
            own += 1;
        }
        self.close(opened, own);
    }

    /// What is wrong with a field, or what a warning says of it. JS reads its fields by their places.
    #[inline(never)]
    pub fn problem(&mut self, field: &str, code: &str, message: &str) {
        let opened = self.entry(kind::PROBLEM, Span::default());
        for (place, text) in [(FIELD, field), (FIELD + 1, code), (FIELD + 2, message)] {
            self.known(place);
            self.string(text);
        }
        self.close(opened, 3);
    }

    /// An object of these values under these names, which are one text with a comma after each but the last.
    /// The shorter of the two lists decides the number of fields.
    #[inline(never)]
    pub fn named(&mut self, names: &str, values: &[&dyn ToTape]) {
        let opened = self.open(true);
        let (mut rest, mut own) = (names, 0);
        for value in values {
            let mut end = 0;
            while rest.as_bytes().get(end).is_some_and(|byte| *byte != b',') {
                end += 1;
            }
            let (name, more) = rest.split_at_checked(end).unwrap_or_default();
            if name.is_empty() {
                break;
            }
            self.name(name);
            value.write(self);
            (rest, own) = (more.get(1..).unwrap_or_default(), own + 1);
        }
        self.close(opened, own);
    }

    #[inline(never)]
    pub fn object(&mut self, fields: &mut dyn Iterator<Item = (&str, &dyn ToTape)>) {
        let opened = self.open(true);
        let mut own = 0;
        for (name, value) in fields {
            self.name(name);
            value.write(self);
            own += 1;
        }
        self.close(opened, own);
    }

    /// A value, from another tape or not.
    #[inline(never)]
    pub fn data(&mut self, data: Data) {
        match data {
            Data::Null => self.null(),
            Data::Bool(is) => self.bool(is),
            Data::Number(text) => self.number(text),
            Data::Integer(integer) => self.integer(integer),
            Data::Double(text) => self.double(text),
            Data::BigInt(text) => self.bigint(text),
            Data::String(text) => self.string(text),
            Data::Foreign(text) => self.foreign(text),
            Data::Array(items) => {
                let opened = self.open(false);
                items.for_each(|item| self.data(item.data()));
                self.close(opened, items.len());
            }
            Data::Object(fields) => {
                let opened = self.open(true);
                for (name, item) in fields {
                    self.name(name);
                    self.data(item.data());
                }
                self.close(opened, fields.len());
            }
        }
    }

    /// Appends the value of another tape: its records and its text unchanged, except that their positions are
    /// moved.
    fn whole(&mut self, other: &Tape) {
        // What JS passes may have records of earlier calls behind its own.
        let end = other.root().after().at.min(other.records.len());
        let records = other.records.get(..end).unwrap_or_default();
        if records.is_empty() {
            return self.null();
        }
        let (first, by) = (self.tape.records.len(), self.tape.text.len() as u32);
        self.tape.text.push_str(&other.text);
        for &[kind, name, name_len, start, len] in records {
            let has_text = !matches!(kind, kind::INTEGER | kind::ARRAY..=kind::WORD);
            let start = if has_text { start.wrapping_add(by) } else { start };
            let name = if name == KNOWN { name } else { name.wrapping_add(by) };
            self.tape.records.push([kind, name, name_len, start, len]);
        }
        let own = std::mem::take(&mut self.name);
        if let Some([_, name, name_len, ..]) = self.tape.records.get_mut(first) {
            (*name, *name_len) = (own.start, own.len);
        }
    }

    /// The same with bigints as text, which JSON and JS both keep exactly.
    fn data_with_text_figures(&mut self, data: Data) {
        match data {
            Data::BigInt(digits) => self.string(digits),
            Data::Array(items) => {
                let opened = self.open(false);
                items.for_each(|item| self.data_with_text_figures(item.data()));
                self.close(opened, items.len());
            }
            Data::Object(fields) => {
                let opened = self.open(true);
                for (name, item) in fields {
                    self.name(name);
                    self.data_with_text_figures(item.data());
                }
                self.close(opened, fields.len());
            }
            data => self.data(data),
        }
    }

    /// The tape.
    pub fn finish(self) -> Tape {
        self.tape
    }
}

/// What can be written on a [`Tape`].
pub trait ToTape {
    /// Writes the value, whole.
    fn write(&self, tape: &mut Writer);

    /// The value on a tape of its own.
    fn to_tape(&self) -> Tape {
        let mut writer = Writer::default();
        self.write(&mut writer);
        writer.finish()
    }
}

impl Tape {
    /// The same data with each bigint as text, so that it can be kept as JSON.
    pub fn with_text_figures(&self) -> Tape {
        let mut tape = Writer::default();
        tape.data_with_text_figures(self.root().data());
        tape.finish()
    }

    /// An object of these fields, when the set of fields varies.
    pub fn object(fields: &[(impl AsRef<str>, impl ToTape)]) -> Tape {
        let mut tape = Writer::default();
        tape.object(&mut fields.iter().map(|(name, field)| (name.as_ref(), field as &dyn ToTape)));
        tape.finish()
    }
}

impl ToTape for Tape {
    fn write(&self, tape: &mut Writer) {
        tape.whole(self);
    }
}

impl ToTape for Item<'_> {
    fn write(&self, tape: &mut Writer) {
        tape.data(self.data());
    }
}

impl ToTape for Data<'_> {
    fn write(&self, tape: &mut Writer) {
        tape.data(*self);
    }
}

impl ToTape for bool {
    fn write(&self, tape: &mut Writer) {
        tape.bool(*self);
    }
}

macro_rules! whole {
    ($put:ident: $($type:ty)*) => {
        $(impl ToTape for $type {
            fn write(&self, tape: &mut Writer) {
                tape.$put(&self.digits());
            }
        })*
    };
}
// Money, tokens and their sums are bigints in JS, since a JS number cannot hold all of them.
whole! { bigint: u64 u128 i128 }
whole! { number: u8 u16 u32 }

/// A number in JS, for values that are known to be exact there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Number(pub u128);

impl ToTape for Number {
    fn write(&self, tape: &mut Writer) {
        tape.number(&self.0.digits());
    }
}

impl ToTape for str {
    fn write(&self, tape: &mut Writer) {
        tape.string(self);
    }
}

impl ToTape for Text {
    fn write(&self, tape: &mut Writer) {
        tape.part(self);
    }
}

impl ToTape for String {
    fn write(&self, tape: &mut Writer) {
        tape.string(self);
    }
}

impl<T: ToTape + ?Sized> ToTape for &T {
    fn write(&self, tape: &mut Writer) {
        (**self).write(tape);
    }
}

impl<T: ToTape> ToTape for Option<T> {
    fn write(&self, tape: &mut Writer) {
        match self {
            Some(value) => value.write(tape),
            None => tape.null(),
        }
    }
}

impl<T: ToTape> ToTape for Vec<T> {
    fn write(&self, tape: &mut Writer) {
        self.as_slice().write(tape);
    }
}

impl<T: ToTape> ToTape for [T] {
    fn write(&self, tape: &mut Writer) {
        tape.array(&mut self.iter().map(|item| item as &dyn ToTape));
    }
}

/// The object of these values under these names, which are one text with a comma after each name. Only the
/// last values may be left out.
///
/// Names in one text and values by reference keep each caller small: objects are built only here.
pub fn object_of(names: &'static str, values: &[&dyn ToTape]) -> Tape {
    let mut tape = Writer::default();
    tape.named(names, values);
    tape.finish()
}

/// Gives a struct [`ToTape`]: one camelCase field for each of its own, and a compile error if the list and the struct differ,
/// so no field can be forgotten.
#[doc(hidden)]
#[macro_export]
macro_rules! __to_tape {
    ($type:ty { $($field:ident),* $(,)? }) => {
        impl $crate::tape::ToTape for $type {
            fn write(&self, tape: &mut $crate::tape::Writer) {
                let Self { $($field),* } = self;
                let names = $crate::__camel_case!(concat!($(stringify!($field), ","),*));
                tape.named(names, &[$($field as &dyn $crate::tape::ToTape),*]);
            }
        }
    };
}
/// Snake_case names in camelCase, at compile time.
#[doc(hidden)]
#[macro_export]
macro_rules! __camel_case {
    ($names:expr) => {{
        const SNAKE: &str = $names;
        const CAMEL: [u8; $crate::bindings::camel_len(SNAKE)] = $crate::bindings::camel(SNAKE);
        const NAMES: &str = match ::core::str::from_utf8(&CAMEL) {
            Ok(names) => names,
            Err(_) => panic!("a Rust name is UTF-8"),
        };
        NAMES
    }};
}

pub use {__camel_case as camel_case, __to_tape as to_tape};

/// The length of snake_case names written in camelCase.
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
