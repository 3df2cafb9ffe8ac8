//! A request that was packed flat, written as JSON: every value judged by its field's kind, in one pass.

use crate::text::{is_base58_of_32_bytes, is_plain, is_shortest_amount};

/// 2^53 − 1, up to which each whole `f64` is one number alone.
const MAX_SAFE: f64 = 9_007_199_254_740_991.0;

/// The longest identifier.
const MAX_IDENTIFIER: usize = 128;

/// What a field holds.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// A mint or a wallet id.
    Identifier,
    /// A whole number above zero.
    Lamports,
    /// A number above zero, or the text of one.
    Tokens,
    /// Above zero and at most 100.
    Percentage,
    /// A number within [`Limits::slippage`].
    Slippage,
    /// A whole number.
    Units,
}

/// What is allowed of all requests.
pub struct Limits {
    /// Whether an identifier must be base58 of 32 bytes.
    pub base58: bool,
    /// The highest slippage.
    pub slippage: f64,
}

/// The most bytes of a name as it stands in a body, and so many are copied of any.
const LABEL: usize = 24;

/// The most bytes that a field is written in.
const ROOM: usize = LABEL + MAX_IDENTIFIER + 32;

/// A field: its name as it stands in a body, `,"name":`, and what may be there.
#[derive(Clone, Copy)]
pub struct Label {
    kind: Kind,
    nullable: bool,
    text: [u8; LABEL],
    length: usize,
}

impl Label {
    /// The label of a name of at most 20 bytes.
    pub const fn of(name: &str, kind: Kind, nullable: bool) -> Label {
        let mut text = [0; LABEL];
        (text[0], text[1]) = (b',', b'"');
        let mut length = 2;
        while length < name.len() + 2 {
            text[length] = name.as_bytes()[length - 2];
            length += 1;
        }
        (text[length], text[length + 1]) = (b'"', b':');
        Label { kind, nullable, text, length: length + 2 }
    }
}

/// The fields of a body, in their order; the rest of each list is empty.
#[derive(Clone, Copy)]
pub struct Plan {
    /// The list of elements.
    pub list: Option<Label>,
    /// The fields of one element.
    pub element: [Option<Label>; 3],
    /// The other fields of the body, which follow the list.
    pub body: [Option<Label>; 7],
}

/// Writes the body to the start of `body`: its length, where every value is good.
///
/// `values` has one for each field, of the elements first: a number as it is, a text's length in `texts`, below zero
/// where the text is an amount, NaN for none. A field is written in a room that is larger than it, so `body` has to be
/// that much larger, too.
pub fn write_body(
    plan: &Plan,
    limits: &Limits,
    elements: usize,
    mut texts: &[u8],
    mut values: &[f64],
    body: &mut [u8],
) -> Option<usize> {
    let mut at = 0;
    if plan.list.is_some() != (elements > 0) {
        return None;
    }
    if let Some(label) = &plan.list {
        body.first_chunk_mut()?.clone_from(&label.text);
        at = label.length;
    }
    // The elements, then the object that holds them: one loop, so that what it counts stays in registers.
    for index in 0..=elements {
        let is_element = index < elements;
        let start = if is_element { at + 1 } else { 0 };
        if is_element {
            *body.get_mut(at)? = if index == 0 { b'[' } else { b',' };
            at += 1;
        }
        let labels: &[Option<Label>] = if is_element { &plan.element } else { &plan.body };
        for label in labels {
            let Some(label) = label else { break };
            let (value, others) = values.split_first()?;
            values = others;
            let room = body.get_mut(at..)?.first_chunk_mut()?;
            at += label.write(*value, &mut texts, limits, room)?;
        }
        // Each name was written with a comma before it.
        *body.get_mut(start)? = b'{';
        *body.get_mut(at)? = b'}';
        at += 1;
        if is_element && index + 1 == elements {
            *body.get_mut(at)? = b']';
            at += 1;
        }
    }
    (texts.is_empty() && values.is_empty()).then_some(at)
}

impl Label {
    /// Writes the field with its value: how many bytes.
    fn write(&self, value: f64, texts: &mut &[u8], limits: &Limits, room: &mut [u8; ROOM]) -> Option<usize> {
        room.first_chunk_mut()?.clone_from(&self.text);
        let at = self.length;
        if value.is_nan() {
            room.get_mut(at..at + 4)?.copy_from_slice(b"null");
            return self.nullable.then_some(at + 4);
        }
        let (least, most, is_whole) = match self.kind {
            Kind::Tokens if value >= 0.0 => (f64::MIN_POSITIVE, MAX_SAFE, false),
            Kind::Percentage => (f64::MIN_POSITIVE, 100.0, false),
            Kind::Slippage => (0.0, limits.slippage, false),
            Kind::Lamports => (1.0, MAX_SAFE, true),
            Kind::Units => (0.0, MAX_SAFE, true),
            Kind::Identifier | Kind::Tokens => {
                // What is no length saturates to none, or to one that does not fit.
                let (text, others) = texts.split_at_checked(value.abs() as i32 as usize)?;
                *texts = others;
                let is_good = text.len() <= MAX_IDENTIFIER
                    && match self.kind {
                        Kind::Tokens => is_shortest_amount(text),
                        _ if value < 1.0 => false,
                        _ if limits.base58 => is_base58_of_32_bytes(text),
                        _ => is_plain(text),
                    };
                return if is_good { quote(text, room, at) } else { None };
            }
        };
        if !(least..=most).contains(&value) {
            return None;
        }
        let units = value as i64;
        let is_whole_number = units as f64 == value;
        let millionths = if is_whole_number { 0 } else { (value * 1e6 + 0.5) as i64 };
        if !is_whole_number && (is_whole || millionths > MAX_15_DIGITS || millionths as f64 / 1e6 != value) {
            return None;
        }
        let at = digits(units as u64, room, at)?;
        if is_whole_number {
            return Some(at);
        }
        *room.get_mut(at)? = b'.';
        let fraction = eight_digits((millionths - units * 1_000_000) as u32 * 100);
        word(fraction, 8 - fraction.leading_zeros() / 8, room, at + 1)
    }
}

/// A whole number of at most 15 digits. A decimal of no more is the shortest that names its `f64`, so that its digits
/// are those that JS prints.
const MAX_15_DIGITS: i64 = 999_999_999_999_999;

/// Writes a text between quotes: where it ends.
fn quote(text: &[u8], room: &mut [u8; ROOM], at: usize) -> Option<usize> {
    let end = at + text.len() + 1;
    let [open, inside @ .., close] = room.get_mut(at..=end)? else { return None };
    (*open, *close) = (b'"', b'"');
    let words = inside.chunks_exact_mut(8).zip(text.chunks_exact(8));
    words.for_each(|(to, from)| to.copy_from_slice(from));
    // The last word overlaps the one before: to copy what is left would take a call.
    match (inside.last_chunk_mut::<8>(), text.last_chunk::<8>()) {
        (Some(to), Some(from)) => *to = *from,
        _ => inside.copy_from_slice(text),
    }
    Some(end + 1)
}

/// Writes a number of at most 16 digits: where it ends.
fn digits(number: u64, room: &mut [u8; ROOM], at: usize) -> Option<usize> {
    const EIGHT_DIGITS: u64 = 100_000_000;
    // Divisions of 64 bits are slow.
    let high = u32::try_from(number)
        .map_or_else(|_| number / EIGHT_DIGITS, |number| (number / EIGHT_DIGITS as u32).into());
    let first = eight_digits(if high > 0 { high as u32 } else { number as u32 });
    // The last digit is written, be it nought.
    let noughts = (first.trailing_zeros() / 8).min(7);
    let end = word(first >> (8 * noughts), 8 - noughts, room, at)?;
    if high == 0 {
        Some(end)
    } else {
        word(eight_digits((number - high * EIGHT_DIGITS) as u32), 8, room, end)
    }
}

/// Writes the first `count` of eight digits: where they end.
fn word(digits: u64, count: u32, room: &mut [u8; ROOM], at: usize) -> Option<usize> {
    room.get_mut(at..)?.first_chunk_mut()?.clone_from(&(digits | 0x3030_3030_3030_3030).to_le_bytes());
    Some(at + count as usize)
}

/// The digits of a number of at most eight, one in each byte, the first in the lowest: halved three times, all halves
/// at once, by products in place of divisions.
pub fn eight_digits(number: u32) -> u64 {
    let high = u64::from(number / 10_000);
    let fours = high | (u64::from(number) - high * 10_000) << 32;
    let high = ((fours * 10_486) >> 20) & 0x0000_007f_0000_007f;
    let twos = high | (fours - high * 100) << 16;
    let high = ((twos * 103) >> 10) & 0x000f_000f_000f_000f;
    high | (twos - high * 10) << 8
}
