//! JSON of a known shape, scanned once: where each field's text lies, or that the text is not plain enough to say.
//!
//! Plain is ASCII without escapes, amounts in their shortest form, nothing nested but what the shape has, and no name
//! given twice.

use crate::text::{is_shortest_amount, plain_length};

/// Where a field's text begins and ends. Absent or `null`: nowhere. `true`: from 0 to [`TRUE`]; `false`: to [`FALSE`].
pub type Span = [u32; 2];

/// What stands for absent and for `null`.
pub const NOWHERE: Span = [0, 0];
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

fn space(text: &[u8], mut at: usize) -> usize {
    while matches!(peek(text, at), b' ' | b'\t' | b'\n' | b'\r') {
        at += 1;
    }
    at
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
    let (place, start, end) = match holds {
        Holds::Text(place) => (place, at, string(text, at)?),
        Holds::Amount(place) => {
            let end = if first == b'"' { string(text, at)? } else { number(text, at)? };
            (place, at, end)
        }
        Holds::Flag(place) => return flag(text, at, spans.get_mut(place)?),
        Holds::Scalar(place) if matches!(first, b't' | b'f') => return flag(text, at, spans.get_mut(place)?),
        Holds::Scalar(place) => (place, at, scalar(text, at)?),
        Holds::Object(place, members) => (place, at, object(text, at, members, spans)?),
        Holds::Nothing => return None,
    };
    // A scalar keeps its quotes, by which it is known for a text.
    let has_quotes = first == b'"' && !matches!(holds, Holds::Scalar(_));
    let (from, to) = if has_quotes { (start + 1, end - 1) } else { (start, end) };
    if matches!(holds, Holds::Amount(_)) && !is_shortest(text.get(from..to)?) {
        return None;
    }
    *spans.get_mut(place)? = [from as u32, to as u32];
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

fn word(text: &[u8], at: usize, word: &[u8]) -> Option<usize> {
    text.get(at..)?.starts_with(word).then_some(at + word.len())
}

fn flag(text: &[u8], at: usize, span: &mut Span) -> Option<usize> {
    let end = word(text, at, b"true");
    *span = [0, if end.is_some() { TRUE } else { FALSE }];
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

/// Whether an amount, nought among them, is in its one shortest form, and no longer than any.
fn is_shortest(text: &[u8]) -> bool {
    text == b"0" || (text.len() <= 64 && is_shortest_amount(text))
}
