//! JSON of a known shape, scanned once: where each field's text lies, or that the text is not plain enough to say.
//!
//! Plain is ASCII without escapes, amounts in their shortest form, nothing nested but what the shape has, and no name
//! given twice.

use crate::block::plain_length;

/// Where a field's text begins and ends; as it lies in memory for those who read it there.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(C)]
pub struct Span {
    /// The first byte, which is 0 for none: `true` and `false` are told by `to`.
    pub from: u32,
    /// The byte after the last.
    pub to: u32,
    /// The number that an amount's digits name, where they are few enough to tell; or NaN.
    pub number: f64,
}

/// What stands for absent and for `null`.
pub const NOWHERE: Span = Span { from: 0, to: 0, number: f64::NAN };
/// The end of a `true`.
pub const TRUE: u32 = 1;
/// The end of a `false`.
pub const FALSE: u32 = 2;

/// What may be at a name, besides `null`. What is kept has its place among the spans.
#[derive(Clone, Copy)]
pub enum Holds<'a> {
    /// A string: its text without the quotes.
    Text(usize),
    /// A number, or a string of one: its digits.
    Amount(usize),
    /// `true` or `false`.
    Flag(usize),
    /// A number, a word, or a string with its quotes.
    Scalar(usize),
    /// An object of its own, braces and all.
    Object(usize, &'a [Member<'a>]),
    /// Nothing: such a reply is for another reader.
    Nothing,
}

/// A name that is known, and what may be there.
#[derive(Clone, Copy)]
pub struct Member<'a> {
    /// The name as it mostly stands in a reply, `"name":`, and which of these bits are its own.
    label: [u64; WORDS],
    mask: [u64; WORDS],
    length: usize,
    holds: Holds<'a>,
}

const WORDS: usize = 3;

/// The longest name of a member.
pub const MAX_NAME: usize = 8 * WORDS - 3;

impl<'a> Member<'a> {
    /// A member with a name of at most [`MAX_NAME`] bytes; a longer one is never met.
    pub const fn of(name: &[u8], holds: Holds<'a>) -> Self {
        let (mut label, mut mask) = ([0; WORDS], [0; WORDS]);
        let length = if name.len() > MAX_NAME { 0 } else { name.len() + 3 };
        let mut at = 0;
        while at < length {
            let byte = match at {
                at if at + 1 == length => b':',
                at if at == 0 || at + 2 == length => b'"',
                at => name[at - 1],
            };
            label[at / 8] |= (byte as u64) << (8 * (at % 8));
            mask[at / 8] |= 0xff << (8 * (at % 8));
            at += 1;
        }
        // What is never met: no byte of ASCII is this.
        if length == 0 {
            (label[0], mask[0]) = (0xff, 0xff);
        }
        Member { label, mask, length, holds }
    }

    /// Whether the text starts with the name and a colon.
    fn starts(&self, text: &[u8]) -> bool {
        // The last name of a text has its value behind it, and braces.
        let Some(text) = text.first_chunk::<{ 8 * WORDS }>() else { return false };
        let mut differs = 0;
        for ((word, label), mask) in text.chunks_exact(8).zip(self.label).zip(self.mask) {
            let Some(word) = word.first_chunk() else { return false };
            differs |= (u64::from_le_bytes(*word) ^ label) & mask;
        }
        differs == 0
    }

    fn is_named(&self, name: &[u8]) -> bool {
        let label = self.label.iter().flat_map(|word| word.to_le_bytes()).skip(1);
        name.len() + 3 == self.length && name.iter().zip(label).all(|(a, b)| *a == b)
    }
}

/// The most unknown names of one object.
const MAX_UNKNOWN: usize = 8;

/// Scans an object of the shape of `members`, and nothing after it. `None` is no judgement of the text.
pub fn scan(text: &[u8], members: &[Member], spans: &mut [Span]) -> Option<()> {
    spans.fill(NOWHERE);
    let end = object(text, space(text, 0), members, spans)?;
    (space(text, end) == text.len()).then_some(())
}

// Each of these takes the text and a place in it, and gives the place after what it read.

fn peek(text: &[u8], at: usize) -> u8 {
    text.get(at).copied().unwrap_or(0)
}

fn space(text: &[u8], at: usize) -> usize {
    // Mostly there is none.
    if peek(text, at) > b' ' { at } else { at + spaces(text.get(at..).unwrap_or_default()) }
}

#[inline(never)]
fn spaces(text: &[u8]) -> usize {
    text.iter().take_while(|byte| matches!(byte, b' ' | b'\t' | b'\n' | b'\r')).count()
}

fn take(text: &[u8], at: usize, byte: u8) -> Option<usize> {
    (peek(text, at) == byte).then_some(at + 1)
}

fn object(text: &[u8], at: usize, members: &[Member], spans: &mut [Span]) -> Option<usize> {
    let mut at = space(text, take(text, at, b'{')?);
    if let Some(end) = take(text, at, b'}') {
        return Some(end);
    }
    let (mut seen, mut next) = (0u32, 0);
    let (mut unknown, mut unknowns) = ([&[][..]; MAX_UNKNOWN], 0);
    loop {
        // Most replies have their names in the spec's order, and no space after them.
        let known = match members.get(next) {
            Some(member) if member.starts(text.get(at..)?) => {
                at += member.length;
                Some(next)
            }
            _ => {
                let end = string(text, at)?;
                let name = text.get(at + 1..end - 1)?;
                at = take(text, space(text, end), b':')?;
                let known = members.iter().position(|member| member.is_named(name));
                if known.is_none() {
                    if unknown.contains(&name) {
                        return None;
                    }
                    *unknown.get_mut(unknowns)? = name;
                    unknowns += 1;
                }
                known
            }
        };
        at = space(text, at);
        at = match known {
            Some(index) if seen & 1 << index == 0 => {
                seen |= 1 << index;
                next = index + 1;
                value(text, at, members.get(index)?.holds, spans)?
            }
            Some(_) => return None,
            None => scalar(text, at)?,
        };
        at = space(text, at);
        match peek(text, at) {
            b',' => at = space(text, at + 1),
            b'}' => return Some(at + 1),
            _ => return None,
        }
    }
}

fn value(text: &[u8], at: usize, holds: Holds, spans: &mut [Span]) -> Option<usize> {
    let first = peek(text, at);
    if first == b'n' && !matches!(holds, Holds::Nothing) {
        return word(text, at, b"null");
    }
    // A scalar keeps its quotes, by which it is known for a text.
    let (place, from, to, end) = match holds {
        Holds::Text(place) => {
            let end = string(text, at)?;
            (place, at + 1, end - 1, end)
        }
        Holds::Amount(place) => {
            let from = at + usize::from(first == b'"');
            let (to, number) = amount(text, from)?;
            spans.get_mut(place)?.number = number;
            (place, from, to, if from > at { take(text, to, b'"')? } else { to })
        }
        Holds::Flag(place) => return flag(text, at, spans.get_mut(place)?),
        Holds::Scalar(place) if matches!(first, b't' | b'f') => return flag(text, at, spans.get_mut(place)?),
        Holds::Scalar(place) => {
            let end = scalar(text, at)?;
            (place, at, end, end)
        }
        Holds::Object(place, members) => {
            let end = object(text, at, members, spans)?;
            (place, at, end, end)
        }
        Holds::Nothing => return None,
    };
    let span = spans.get_mut(place)?;
    (span.from, span.to) = (from as u32, to as u32);
    Some(end)
}

fn scalar(text: &[u8], at: usize) -> Option<usize> {
    match peek(text, at) {
        b'"' => string(text, at),
        b't' => word(text, at, b"true"),
        b'f' => word(text, at, b"false"),
        b'n' => word(text, at, b"null"),
        _ => number(text, at),
    }
}

#[inline(never)]
fn word(text: &[u8], at: usize, word: &[u8]) -> Option<usize> {
    text.get(at..)?.starts_with(word).then_some(at + word.len())
}

#[inline(never)]
fn flag(text: &[u8], at: usize, span: &mut Span) -> Option<usize> {
    let end = word(text, at, b"true");
    span.to = if end.is_some() { TRUE } else { FALSE };
    end.or_else(|| word(text, at, b"false"))
}

fn string(text: &[u8], at: usize) -> Option<usize> {
    let start = take(text, at, b'"')?;
    take(text, start + plain_length(text.get(start..)?), b'"')
}

fn number(text: &[u8], at: usize) -> Option<usize> {
    let at = take(text, at, b'-').unwrap_or(at);
    let mut end = take(text, at, b'0').or_else(|| digits(text, at))?;
    if let Some(at) = take(text, end, b'.') {
        end = digits(text, at)?;
    }
    if matches!(peek(text, end), b'e' | b'E') {
        let sign = matches!(peek(text, end + 1), b'+' | b'-');
        end = digits(text, end + 1 + usize::from(sign))?;
    }
    Some(end)
}

fn digits(text: &[u8], start: usize) -> Option<usize> {
    let mut at = start;
    while peek(text, at).is_ascii_digit() {
        at += 1;
    }
    (at > start).then_some(at)
}

/// The most digits of an amount.
const MAX_DIGITS: usize = 64;

/// Reads the digits of an amount in its one shortest form: where they end, and the number that they name.
///
/// Up to 2^53 a whole number is exact in `f64`, and so is 10^22: their quotient is rounded once, as the digits' own value
/// is when it is read.
fn amount(text: &[u8], start: usize) -> Option<(usize, f64)> {
    const POWERS: [f64; 16] =
        [1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15];
    let (mut at, mut number, mut point) = (start, 0u64, None);
    loop {
        match peek(text, at) {
            digit @ b'0'..=b'9' => number = number.wrapping_mul(10).wrapping_add(u64::from(digit - b'0')),
            b'.' if point.is_none() => point = Some(at),
            _ => break,
        }
        at += 1;
    }
    let whole = point.unwrap_or(at) - start;
    let decimals = point.map_or(0, |point| at - point - 1);
    let is_shortest = whole > 0
        && (whole == 1 || peek(text, start) != b'0')
        && (point.is_none() || matches!(peek(text, at - 1), b'1'..=b'9'))
        && at - start <= MAX_DIGITS;
    let is_exact = whole + decimals <= 15;
    is_shortest
        .then(|| (at, if is_exact { number as f64 / POWERS.get(decimals).unwrap_or(&1.0) } else { f64::NAN }))
}
