//! A request that was packed flat: every value judged by its field's kind, and a body written of them, in one pass.

use crate::block::BLOCK;
use crate::text::{is_plain, is_shortest_amount, is_usual_address};

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
type Room = [u8; ROOM];

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

/// The fields of a bundle's element, in their order.
#[derive(Clone, Copy)]
pub struct Element {
    /// Whose tokens are traded.
    pub wallet: Label,
    /// How many.
    pub amount: Label,
    /// What the price may move by.
    pub slippage: Label,
}

/// The fields of a body, in their order.
#[derive(Clone, Copy)]
pub struct Plan {
    /// The list of elements, and their fields.
    pub list: Option<(Label, Element)>,
    /// The other fields, which follow the list; the rest is empty.
    pub fields: [Option<Label>; 7],
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
    texts: &[u8],
    values: &[f64],
    body: &mut [u8],
) -> Option<usize> {
    let mut texts = Texts { all: texts, at: 0 };
    let (values, others) = values.split_at_checked(3 * elements)?;
    let mut at = 0;
    match &plan.list {
        None if elements == 0 => {}
        Some((list, Element { wallet, amount, slippage })) if elements > 0 => {
            let (amounts, slippages) = (Bounds::of(amount.kind, limits), Bounds::of(slippage.kind, limits));
            at = list.write(room(body, 0)?);
            *body.get_mut(at)? = b'[';
            for [whose, size, limit] in values.as_chunks().0 {
                let start = at + 1;
                at = start + wallet.identifier(*whose, &mut texts, limits, room(body, start)?)?;
                at += if amount.kind == Kind::Tokens && *size < 0.0 {
                    amount.text(*size, &mut texts, room(body, at)?)?
                } else {
                    amount.number(*size, &amounts, room(body, at)?)?
                };
                at += slippage.number(*limit, &slippages, room(body, at)?)?;
                // Each name was written with a comma before it.
                *body.get_mut(start)? = b'{';
                body.get_mut(at..)?.first_chunk_mut()?.clone_from(b"},");
                at += 1;
            }
            *body.get_mut(at)? = b']';
            at += 1;
        }
        _ => return None,
    }
    let mut others = others.iter();
    for label in plan.fields.iter().map_while(Option::as_ref) {
        let value = *others.next()?;
        let room = room(body, at)?;
        at += match label.kind {
            Kind::Identifier if !value.is_nan() => label.identifier(value, &mut texts, limits, room)?,
            Kind::Tokens if value < 0.0 => label.text(value, &mut texts, room)?,
            kind => label.number(value, &Bounds::of(kind, limits), room)?,
        };
    }
    *body.first_mut()? = b'{';
    *body.get_mut(at)? = b'}';
    (texts.at == texts.all.len() && others.next().is_none()).then_some(at + 1)
}

/// What is found of a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// It is for others to say.
    Unsure = 0,
    /// Every value is good.
    Good = 1,
    /// An address is none.
    Bad = 2,
}

/// Judges the values of a body without a list: whether [`write_body`] would write them.
pub fn judge(plan: &Plan, limits: &Limits, texts: &[u8], values: &[f64]) -> Verdict {
    let mut texts = Texts { all: texts, at: 0 };
    let mut labels = plan.fields.iter().map_while(Option::as_ref);
    for value in values {
        let Some(label) = labels.next() else { return Verdict::Unsure };
        let length = match label.kind {
            Kind::Identifier => *value,
            Kind::Tokens => -*value,
            _ => f64::NAN,
        };
        let is_good = if length > 0.0 {
            let Some(Text { text, .. }) = texts.take(length) else { return Verdict::Unsure };
            let is_address = label.kind == Kind::Identifier && limits.base58;
            // One with leading ones takes arithmetic.
            if is_address && !is_usual_address(text) && !text.starts_with(b"1") {
                return Verdict::Bad;
            }
            match label.kind {
                Kind::Tokens => is_shortest_amount(text),
                _ if is_address => !text.starts_with(b"1"),
                _ => is_plain(text),
            }
        } else if value.is_nan() {
            label.nullable
        } else {
            Bounds::of(label.kind, limits).has(*value)
        };
        if !is_good {
            return Verdict::Unsure;
        }
    }
    let is_whole = plan.list.is_none() && labels.next().is_none() && texts.at == texts.all.len();
    if is_whole { Verdict::Good } else { Verdict::Unsure }
}

/// Where a field is written.
fn room(body: &mut [u8], at: usize) -> Option<&mut Room> {
    body.get_mut(at..)?.first_chunk_mut()
}

/// All texts, and where the next one begins.
struct Texts<'a> {
    all: &'a [u8],
    at: usize,
}

impl<'a> Texts<'a> {
    /// The next one, by its length.
    fn take(&mut self, length: f64) -> Option<Text<'a>> {
        if !(1.0..=MAX_IDENTIFIER as f64).contains(&length) {
            return None;
        }
        let beyond = self.all.get(self.at..)?;
        let text = beyond.get(..bits(length) as usize)?;
        self.at += text.len();
        Some(Text { text, beyond })
    }
}

/// A text, and what lies from its start on.
struct Text<'a> {
    text: &'a [u8],
    beyond: &'a [u8],
}

/// What a number may be.
struct Bounds {
    least: f64,
    most: f64,
    whole: bool,
}

impl Bounds {
    fn of(kind: Kind, limits: &Limits) -> Bounds {
        let (least, most, whole) = match kind {
            Kind::Lamports => (1.0, MAX, true),
            Kind::Units => (0.0, MAX, true),
            Kind::Tokens => (f64::MIN_POSITIVE, MAX, false),
            Kind::Percentage => (f64::MIN_POSITIVE, 100.0, false),
            Kind::Slippage => (0.0, limits.slippage, false),
            // None.
            Kind::Identifier => (0.0, -1.0, true),
        };
        Bounds { least, most, whole }
    }

    /// Whether a number is one that is written here.
    fn has(&self, value: f64) -> bool {
        let is_written =
            || nearest(value) == value || (!self.whole && (has_parts(value, 10.0) || has_parts(value, 1e6)));
        (self.least..=self.most).contains(&value) && is_written()
    }
}

// Each of these writes the field to the start of a room: how many bytes. Where the next one begins hangs on that, so it
// is told in registers: to the caller's own code, not by a call.
impl Label {
    #[inline(always)]
    fn write(&self, room: &mut Room) -> usize {
        // It is longer than a label.
        if let Some(start) = room.first_chunk_mut() {
            *start = self.text;
        }
        self.length
    }

    #[inline(always)]
    fn identifier(&self, length: f64, texts: &mut Texts, limits: &Limits, room: &mut Room) -> Option<usize> {
        let text = texts.take(length)?;
        let is_good = if limits.base58 { is_usual_address(text.text) } else { is_plain(text.text) };
        let at = self.write(room);
        if is_good { quote(text, room, at) } else { None }
    }

    fn text(&self, length: f64, texts: &mut Texts, room: &mut Room) -> Option<usize> {
        let text = texts.take(-length)?;
        let at = self.write(room);
        if is_shortest_amount(text.text) { quote(text, room, at) } else { None }
    }

    fn number(&self, value: f64, bounds: &Bounds, room: &mut Room) -> Option<usize> {
        let at = self.write(room);
        if value.is_nan() {
            room.get_mut(at..)?.first_chunk_mut()?.clone_from(b"null");
            return self.nullable.then_some(at + 4);
        }
        if !(bounds.least..=bounds.most).contains(&value) {
            return None;
        }
        if nearest(value) == value {
            return whole(value, room, at);
        }
        if bounds.whole { None } else { decimal(value, room, at) }
    }
}

/// Writes a text between quotes: where it ends. It is copied in blocks, the last with what lies behind it: to copy no
/// more takes a call.
#[inline(always)]
fn quote(Text { text, beyond }: Text, room: &mut Room, at: usize) -> Option<usize> {
    let (open, inside) = room.get_mut(at..)?.split_first_mut()?;
    *open = b'"';
    match (inside.as_chunks_mut::<BLOCK>().0, beyond.as_chunks().0) {
        ([to, ..], [from, ..]) if text.len() <= BLOCK => *to = *from,
        // Most addresses have 43 or 44 characters.
        ([to, to_1, to_2, ..], [from, from_1, from_2, ..]) if text.len() <= 3 * BLOCK => {
            (*to, *to_1, *to_2) = (*from, *from_1, *from_2);
        }
        _ => inside.get_mut(..text.len())?.copy_from_slice(text),
    }
    *inside.get_mut(text.len())? = b'"';
    Some(at + text.len() + 2)
}

// A number is written without a division of 64 bits or a conversion that saturates, both of which are slow in wasm.

/// 2^52. What is added to it is rounded to a whole number, and that is its low bits then.
const SHIFT: f64 = 4_503_599_627_370_496.0;

/// The largest number that is written here.
const MAX: f64 = SHIFT - 1.0;

/// The whole number nearest to one from nought to [`MAX`].
fn nearest(value: f64) -> f64 {
    value + SHIFT - SHIFT
}

/// The same as an integer.
fn bits(value: f64) -> u64 {
    (value + SHIFT).to_bits() & (SHIFT as u64 - 1)
}

/// Writes a whole number: where it ends.
#[inline(always)]
fn whole(value: f64, room: &mut Room, at: usize) -> Option<usize> {
    const EIGHT_DIGITS: i64 = 100_000_000;
    let number = bits(value) as i64;
    if number < 10 {
        *room.get_mut(at)? = b'0' + number as u8;
        return Some(at + 1);
    }
    if number < EIGHT_DIGITS {
        return digits(number as u32, room, at);
    }
    // The quotient may be the next one: then there is less than none left.
    let quotient = bits(value * 1e-8) as i64;
    let rest = number - quotient * EIGHT_DIGITS;
    let borrow = rest >> 63;
    let end = digits((quotient + borrow) as u32, room, at)?;
    word(eight_digits((rest + (borrow & EIGHT_DIGITS)) as u32), 8, room, end)
}

/// A decimal of at most 15 digits is the shortest that names its `f64`, so that its digits are those that JS prints.
const MAX_15_DIGITS: f64 = 999_999_999_999_999.0;

/// Whether a number is so many of such parts of one.
fn has_parts(value: f64, of_one: f64) -> bool {
    let parts = nearest(value * of_one);
    parts <= MAX_15_DIGITS && parts / of_one == value
}

/// Writes a number of at most six decimals, which is not whole: where it ends.
fn decimal(value: f64, room: &mut Room, at: usize) -> Option<usize> {
    let rounded = nearest(value);
    let units = if rounded > value { rounded - 1.0 } else { rounded };
    let point = whole(units, room, at)?;
    *room.get_mut(point)? = b'.';
    // Mostly there is one decimal.
    if has_parts(value, 10.0) {
        *room.get_mut(point + 1)? = b'0' + bits(nearest(value * 10.0) - units * 10.0) as u8;
        return Some(point + 2);
    }
    if !has_parts(value, 1e6) {
        return None;
    }
    let decimals = eight_digits(bits(nearest(value * 1e6) - units * 1e6) as u32 * 100);
    word(decimals, 8 - decimals.leading_zeros() / 8, room, point + 1)
}

/// Writes a number of at most eight digits: where it ends. They are counted beforehand, so that what comes next need not
/// wait for them.
#[inline(always)]
fn digits(number: u32, room: &mut Room, at: usize) -> Option<usize> {
    let highest = 31 - (number | 1).leading_zeros();
    let count = (u64::from(number) + COUNTS.get(highest as usize)?) >> 32;
    word(eight_digits(number) >> (64 - 8 * count), count as u32, room, at)
}

/// Highest bit of a number → the digits of the least such number, in the upper half; in the lower half what carries
/// into it once there is one more.
static COUNTS: [u64; 32] = {
    let mut counts = [0; 32];
    let mut bit = 0;
    while bit < 32 {
        let digits = (1u64 << bit).ilog10() + 1;
        counts[bit] = (digits as u64) << 32;
        if digits < 10 && (10u64.pow(digits) >> bit) < 2 {
            counts[bit] += (1 << 32) - 10u64.pow(digits);
        }
        bit += 1;
    }
    counts
};

/// Writes the first `count` of eight digits: where they end.
#[inline(always)]
fn word(digits: u64, count: u32, room: &mut Room, at: usize) -> Option<usize> {
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
