//! Removes the API key from a text, for services that echo what they were sent.

use std::collections::BinaryHeap;

/// What replaces the secret.
pub const REDACTED: &str = "[redacted]";

/// How many levels of encoding are undone: one for JSON, two for JSON within JSON, and so on.
const LEVELS: usize = 3;

/// The least secret that is also looked for in base64 and hexadecimal, in characters: the least key. The code of a shorter one is
/// found in ordinary text.
const LEAST_CODED: usize = 8;

/// The text without the secret, however it is encoded:
///
/// - plain, or from 8 characters on also in hexadecimal (either case), or in base64 or base64url, with or without padding, alone or
///   anywhere within what was encoded, as in `Basic base64(user:key)`;
/// - each character of these as it is, escaped as in JSON or JavaScript, percent-encoded or as an HTML entity;
/// - any of these encoded again, as in JSON within JSON, up to three times.
///
/// Not found are hexadecimal digits and base64 with white space or other signs between them, base64 of base64, and other codes.
///
/// A secret is ASCII, like every key that fits a header.
///
/// ```
/// use launchpad_desk::trade::redacted;
/// let clean = redacted(br#"{"message":"bad key \u0073%65c&#114;\\u0065t"}"#.to_vec(), b"secret");
/// assert_eq!(clean, br#"{"message":"bad key [redacted]"}"#);
/// ```
pub fn redacted(text: Vec<u8>, secret: &[u8]) -> Vec<u8> {
    let count = match secret.len() {
        0 => return text,
        1..LEAST_CODED => 1,
        _ => SPELLINGS.len(),
    };
    let spellings = SPELLINGS.get(..count).unwrap_or_default();
    let starts = Starts::of(spellings, secret);
    let mut readings = None;
    let mut clean = Vec::new();
    let (mut at, mut kept) = (0, 0);
    while let Some((place, some)) = starts.next(&text, at) {
        let readings = readings.get_or_insert_with(|| Readings::of(&text, secret));
        let some = readings.begun(&starts, place, some);
        let begun = spellings.iter().enumerate().filter(|(index, _)| some & (1 << index) != 0);
        match begun.filter_map(|(_, spelling)| readings.end_of(*spelling, secret, place)).max() {
            Some(end) => {
                clean.extend_from_slice(text.get(kept..place).unwrap_or_default());
                clean.extend_from_slice(REDACTED.as_bytes());
                (at, kept) = (end, end);
            }
            None => at = place + 1,
        }
    }
    if kept == 0 {
        return text;
    }
    clean.extend_from_slice(text.get(kept..).unwrap_or_default());
    clean
}

/// What a byte of a text must be, in a spelling of the secret.
#[derive(Clone, Copy)]
enum Sign {
    Plain(u8),
    /// A hexadecimal digit of this value.
    Hex(u8),
    /// A sign of base64 whose value has these bits under this mask: at the edges, it has bits of what is beside the secret, too.
    Base64 {
        bits: u8,
        mask: u8,
    },
}

impl Sign {
    fn is(self, byte: u8) -> bool {
        match self {
            Sign::Plain(plain) => plain == byte,
            Sign::Hex(digit) => char::from(byte).to_digit(16) == Some(digit.into()),
            Sign::Base64 { bits, mask } => base64_value(byte).is_some_and(|value| value & mask == bits),
        }
    }

    /// Calls `each` with the bytes that it may be.
    fn bytes(self, mut each: impl FnMut(u8)) {
        match self {
            Sign::Plain(byte) => each(byte),
            _ => (b'+'..=b'z').filter(|byte| self.is(*byte)).for_each(each),
        }
    }
}

/// The value of a sign of base64 or base64url.
const fn base64_value(byte: u8) -> Option<u8> {
    Some(match byte {
        b'A'..=b'Z' => byte - b'A',
        b'a'..=b'z' => byte - b'a' + 26,
        b'0'..=b'9' => byte - b'0' + 52,
        b'+' | b'-' => 62,
        b'/' | b'_' => 63,
        _ => return None,
    })
}

/// How a secret may be spelled.
#[derive(Clone, Copy)]
enum Spelling {
    Plain,
    Hex,
    /// Base64 with so many bytes before the secret, less any whole groups of three.
    Base64(usize),
}

const SPELLINGS: [Spelling; 5] =
    [Spelling::Plain, Spelling::Hex, Spelling::Base64(0), Spelling::Base64(1), Spelling::Base64(2)];

impl Spelling {
    /// What its byte of this number must be; `None` after its end.
    fn sign(self, secret: &[u8], index: usize) -> Option<Sign> {
        match self {
            Spelling::Plain => secret.get(index).map(|byte| Sign::Plain(*byte)),
            Spelling::Hex => {
                let byte = secret.get(index / 2)?;
                Some(Sign::Hex(if index.is_multiple_of(2) { byte >> 4 } else { byte & 15 }))
            }
            Spelling::Base64(before) => {
                // The first bit of the sign, counted from the first byte of the group that the secret begins in.
                let bit = 6 * (8 * before / 6 + index);
                let byte = |at: usize| at.checked_sub(before).and_then(|at| secret.get(at));
                let two = [byte(bit / 8), byte(bit / 8 + 1)];
                let six = |of: fn(Option<&u8>) -> u8| {
                    (u16::from_be_bytes(two.map(of)) >> (10 - bit % 8) & 63) as u8
                };
                let mask = six(|byte| if byte.is_some() { u8::MAX } else { 0 });
                let bits = six(|byte| byte.copied().unwrap_or(0));
                (mask != 0).then_some(Sign::Base64 { bits, mask })
            }
        }
    }
}

/// Which spellings may begin with a byte, and which may have it second, a bit for each: most places of a text need no closer look.
struct Starts {
    first: [u8; 256],
    second: [u8; 256],
}

impl Starts {
    fn of(spellings: &[Spelling], secret: &[u8]) -> Starts {
        let (mut first, mut second) = ([0; 256], [0; 256]);
        for (index, spelling) in spellings.iter().enumerate() {
            let mark = |table: &mut [u8; 256], sign: Option<Sign>| match sign {
                Some(sign) => sign.bytes(|byte| table[usize::from(byte)] |= 1 << index),
                None => table.iter_mut().for_each(|some| *some |= 1 << index),
            };
            mark(&mut first, spelling.sign(secret, 0));
            mark(&mut second, spelling.sign(secret, 1));
        }
        Starts { first, second }
    }

    /// Which spellings may begin with a byte of the text, which may be encoded; and which may have it second.
    fn of_text(table: &[u8; 256], byte: u8) -> u8 {
        if is_marker(byte) { u8::MAX } else { table[usize::from(byte)] }
    }

    /// The first place from here on where a spelling may begin, and which may.
    fn next(&self, text: &[u8], from: usize) -> Option<(usize, u8)> {
        for (offset, byte) in text.get(from..)?.iter().enumerate() {
            let mut some = Starts::of_text(&self.first, *byte);
            if some != 0 && !is_marker(*byte) {
                let next = text.get(from + offset + 1);
                some &= next.map_or(u8::MAX, |next| Starts::of_text(&self.second, *next));
            }
            if some != 0 {
                return Some((from + offset, some));
            }
        }
        None
    }
}

/// What every encoding but the plain one begins with.
const fn is_marker(byte: u8) -> bool {
    matches!(byte, b'\\' | b'%' | b'&')
}

/// What each position of a text may stand for: a byte, and where its encoding ends.
struct Readings<'a> {
    text: &'a [u8],
    /// Besides the plain bytes, in the order of their positions.
    spelled: Vec<(u8, usize)>,
    /// Where those of each position begin in `spelled`; empty if there are none yet.
    from: Vec<u32>,
    /// The characters that are looked for by their HTML name.
    entities: Vec<(&'static str, u8)>,
}

/// These in their order, each once. By a heap, because the library's sort would be 11 KB of every module that answers come through.
fn each_once(readings: Vec<(u8, usize)>) -> Vec<(u8, usize)> {
    let mut sorted = BinaryHeap::from(readings).into_sorted_vec();
    sorted.dedup();
    sorted
}

impl<'a> Readings<'a> {
    /// The readings of a text that may matter to a secret: encodings, encodings of encodings, and so on.
    fn of(text: &'a [u8], secret: &[u8]) -> Self {
        let mut readings = Readings { text, spelled: Vec::new(), from: Vec::new(), entities: Vec::new() };
        if text.iter().any(|byte| is_marker(*byte)) {
            let matters = |sign: &u8| is_marker(*sign) || b"#;+/-_".contains(sign) || secret.contains(sign);
            readings.entities = ENTITIES.iter().filter(|(_, sign)| matters(sign)).copied().collect();
            for _ in 0..LEVELS {
                let before = readings.spelled.len();
                readings.deepen();
                if readings.spelled.len() == before {
                    break;
                }
            }
        }
        readings
    }

    /// What a position may stand for, and where that ends.
    fn at(&self, at: usize) -> impl Iterator<Item = (u8, usize)> {
        let place = |at: usize| self.from.get(at).map_or(0, |from| *from as usize);
        let spelled = self.spelled.get(place(at)..place(at + 1)).unwrap_or_default();
        #[cfg(test)]
        tests::READ.with(|read| read.set(read.get() + 1 + spelled.len()));
        self.text.get(at).map(|byte| (*byte, at + 1)).into_iter().chain(spelled.iter().copied())
    }

    /// Which of these spellings have a first and a second sign here, by what the positions may stand for. Without this, a text of
    /// nothing but backslashes would be looked at as closely as a secret, at each of its positions.
    fn begun(&self, starts: &Starts, at: usize, some: u8) -> u8 {
        let mut begun = 0;
        for (byte, end) in self.at(at) {
            let first = some & starts.first[usize::from(byte)] & !begun;
            if first != 0 {
                let seconds = self.at(end).map(|(next, _)| starts.second[usize::from(next)]);
                begun |= first & seconds.reduce(|all, second| all | second).unwrap_or(u8::MAX);
            }
        }
        begun
    }

    /// The last position where a spelling may end, if it begins at `at`.
    fn end_of(&self, spelling: Spelling, secret: &[u8], mut at: usize) -> Option<usize> {
        let mut signs = (0..).map_while(|index| spelling.sign(secret, index));
        // Mostly there is one reading, and it differs at once.
        while !self.is_spelled(at) {
            let Some(sign) = signs.next() else { return Some(at) };
            if !sign.is(*self.text.get(at)?) {
                return None;
            }
            at += 1;
        }
        // Each with the byte that was read before it: the same type as elsewhere, so that it is compiled once.
        let (mut ends, mut next) = (vec![(0, at)], Vec::new());
        for sign in signs {
            for &(_, end) in &ends {
                next.extend(self.at(end).filter(|(read, _)| sign.is(*read)));
            }
            if next.is_empty() {
                return None;
            }
            ends = each_once(std::mem::replace(&mut next, ends));
            next.clear();
        }
        ends.iter().map(|(_, end)| *end).max()
    }

    /// Whether a position may stand for anything but its byte.
    fn is_spelled(&self, at: usize) -> bool {
        let place = |at: usize| self.from.get(at).copied().unwrap_or_default();
        place(at) < place(at + 1)
    }

    /// Adds the encodings of these readings.
    fn deepen(&mut self) {
        let (mut spelled, mut from, mut here) = (Vec::new(), Vec::new(), Vec::new());
        for (at, byte) in self.text.iter().enumerate() {
            from.push(spelled.len() as u32);
            if !is_marker(*byte) {
                continue;
            }
            for (byte, end) in self.at(at) {
                // The plain byte is a reading already.
                if end > at + 1 {
                    here.push((byte, end));
                }
                let push = &mut |byte: u8, end: usize| here.push((byte, end));
                match byte {
                    b'%' => self.digits(end, 0, 2, push),
                    b'\\' => self.escaped(end, push),
                    b'&' => self.entity(end, push),
                    _ => {}
                }
            }
            here = each_once(here);
            spelled.append(&mut here);
        }
        from.push(spelled.len() as u32);
        (self.spelled, self.from) = (spelled, from);
    }

    /// This many more hexadecimal digits of a number.
    fn digits(&self, at: usize, number: u32, count: u32, push: &mut dyn FnMut(u8, usize)) {
        if count == 0 {
            if let Ok(byte) = u8::try_from(number) {
                push(byte, at);
            }
            return;
        }
        for (byte, end) in self.at(at) {
            if let Some(digit) = char::from(byte).to_digit(16) {
                self.digits(end, number * 16 + digit, count - 1, push);
            }
        }
    }

    /// What follows a backslash: `u0073`, `x73`, or a character that then means itself.
    fn escaped(&self, at: usize, push: &mut dyn FnMut(u8, usize)) {
        for (byte, end) in self.at(at) {
            match byte {
                b'u' => self.digits(end, 0, 4, push),
                b'x' => self.digits(end, 0, 2, push),
                sign if sign.is_ascii_punctuation() => push(sign, end),
                _ => {}
            }
        }
    }

    /// What follows an ampersand: `#115;`, `#x73;` or the name of a character, as browsers read them, with or without the
    /// semicolon.
    fn entity(&self, at: usize, push: &mut dyn FnMut(u8, usize)) {
        for (byte, end) in self.at(at) {
            if byte == b'#' {
                self.number(end, 0, 10, MAX_DIGITS, push);
                for (_, end) in self.at(end).filter(|(byte, _)| byte.eq_ignore_ascii_case(&b'x')) {
                    self.number(end, 0, 16, MAX_DIGITS, push);
                }
            } else if byte.is_ascii_alphabetic() {
                for (name, sign) in &self.entities {
                    self.name(at, name.as_bytes(), *sign, push);
                }
            }
        }
    }

    /// Reads the rest of a name, and its end.
    fn name(&self, at: usize, name: &[u8], sign: u8, push: &mut dyn FnMut(u8, usize)) {
        let Some((letter, rest)) = name.split_first() else { return self.close(at, sign, push) };
        for (_, end) in self.at(at).filter(|(byte, _)| byte.eq_ignore_ascii_case(letter)) {
            self.name(end, rest, sign, push);
        }
    }

    /// Reads at most this many more digits of a number, up to its end.
    fn number(&self, at: usize, number: u32, radix: u32, left: u32, push: &mut dyn FnMut(u8, usize)) {
        let digits = || self.at(at).filter_map(|(byte, end)| Some((char::from(byte).to_digit(radix)?, end)));
        if digits().next().is_none() {
            if let Ok(byte) = u8::try_from(number) {
                self.close(at, byte, push);
            }
            return;
        }
        for (digit, end) in digits().filter(|_| left > 0) {
            self.number(end, number.saturating_mul(radix).saturating_add(digit), radix, left - 1, push);
        }
    }

    fn close(&self, at: usize, byte: u8, push: &mut dyn FnMut(u8, usize)) {
        push(byte, at);
        self.at(at).filter(|(read, _)| *read == b';').for_each(|(_, end)| push(byte, end));
    }
}

/// The most digits of an entity, leading zeros included.
const MAX_DIGITS: u32 = 8;

/// The ASCII characters that HTML has names for.
const ENTITIES: &[(&str, u8)] = &[
    ("amp", b'&'),
    ("lt", b'<'),
    ("gt", b'>'),
    ("quot", b'"'),
    ("apos", b'\''),
    ("excl", b'!'),
    ("num", b'#'),
    ("dollar", b'$'),
    ("percnt", b'%'),
    ("lpar", b'('),
    ("rpar", b')'),
    ("ast", b'*'),
    ("midast", b'*'),
    ("plus", b'+'),
    ("comma", b','),
    ("period", b'.'),
    ("sol", b'/'),
    ("colon", b':'),
    ("semi", b';'),
    ("equals", b'='),
    ("quest", b'?'),
    ("commat", b'@'),
    ("lsqb", b'['),
    ("lbrack", b'['),
    ("bsol", b'\\'),
    ("rsqb", b']'),
    ("rbrack", b']'),
    ("hat", b'^'),
    ("lowbar", b'_'),
    ("underbar", b'_'),
    ("grave", b'`'),
    ("diacriticalgrave", b'`'),
    ("lcub", b'{'),
    ("lbrace", b'{'),
    ("verbar", b'|'),
    ("vert", b'|'),
    ("verticalline", b'|'),
    ("rcub", b'}'),
    ("rbrace", b'}'),
];

#[cfg(test)]
mod tests {
    use super::*;

    thread_local! {
        /// How many readings were looked at.
        pub(super) static READ: std::cell::Cell<usize> = const { std::cell::Cell::new(0) };
    }

    fn read(text: &str, secret: &str) -> usize {
        READ.with(|read| read.set(0));
        assert_eq!(redacted(text.as_bytes().to_vec(), secret.as_bytes()), text.as_bytes());
        READ.with(std::cell::Cell::get)
    }

    #[test]
    fn the_work_grows_with_the_text_and_slowly() {
        let secrets = ["sk-edge/7f3a\"9c\\", "0123456789abcdef", "\\\\x\\\\\\", "%%%%%%%5"];
        for piece in [
            "\\", "%", "&", "%25", "&amp;", "&#38;", "\\u005c", "\\\\u", "\\x5", "&#0", "%5c", "\\%&", "s\\",
            "&num", "0\\",
        ] {
            for secret in secrets {
                let of = |count: usize| read(&piece.repeat(count / piece.len()), secret);
                let (small, large) = (of(1_500), of(3_000));
                assert!(large <= 2 * small + small / 10, "{piece}, {secret}: {small}, {large}");
                let most = if is_marker(secret.as_bytes()[0]) { 300 } else { 60 };
                assert!(large <= 3_000 * most, "{piece}, {secret}: {} a byte", large / 3_000);
            }
        }
    }
}
