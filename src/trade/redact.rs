//! Removes the API key from a text, for services that echo what they were sent.

/// What replaces the secret.
pub const REDACTED: &str = "[redacted]";

/// How many levels of encoding are undone: one for JSON, two for JSON within JSON, and so on.
const LEVELS: usize = 3;

/// The text without the secret, however it is encoded: plain; escaped as in JSON or JavaScript, percent-encoded or as HTML
/// entities, each character possibly in a different way; and any of these encoded again, as in JSON within JSON.
///
/// A secret is ASCII, like every key that fits a header.
///
/// ```
/// use launchpad_desk::trade::redacted;
/// let clean = redacted(br#"{"message":"bad key \u0073%65c&#114;\\u0065t"}"#.to_vec(), b"secret");
/// assert_eq!(clean, br#"{"message":"bad key [redacted]"}"#);
/// ```
pub fn redacted(text: Vec<u8>, secret: &[u8]) -> Vec<u8> {
    let Some(first) = secret.first() else { return text };
    let readings = Readings::of(&text, secret);
    let mut clean = Vec::new();
    let (mut at, mut kept) = (0, 0);
    while let Some(byte) = text.get(at) {
        let may_begin = byte == first || is_marker(*byte);
        match may_begin.then(|| readings.end_of(secret, at)).flatten() {
            Some(end) => {
                clean.extend_from_slice(text.get(kept..at).unwrap_or_default());
                clean.extend_from_slice(REDACTED.as_bytes());
                (at, kept) = (end, end);
            }
            None => at += 1,
        }
    }
    if kept == 0 {
        return text;
    }
    clean.extend_from_slice(text.get(kept..).unwrap_or_default());
    clean
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

impl<'a> Readings<'a> {
    /// The readings of a text that may matter to a secret: encodings, encodings of encodings, and so on.
    fn of(text: &'a [u8], secret: &[u8]) -> Self {
        let matters = |sign: &u8| is_marker(*sign) || b"#;".contains(sign) || secret.contains(sign);
        let entities = ENTITIES.iter().filter(|(_, sign)| matters(sign)).copied().collect();
        let mut readings = Readings { text, spelled: Vec::new(), from: Vec::new(), entities };
        if text.iter().any(|byte| is_marker(*byte)) {
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
        self.text.get(at).map(|byte| (*byte, at + 1)).into_iter().chain(spelled.iter().copied())
    }

    /// The last position where `secret` may end, if it begins at `at`.
    fn end_of(&self, secret: &[u8], at: usize) -> Option<usize> {
        // Each with the byte that was read before it: the same type as elsewhere, so that one sort function is compiled.
        let (mut ends, mut next) = (vec![(0, at)], Vec::new());
        for &byte in secret {
            for &(_, end) in &ends {
                next.extend(self.at(end).filter(|(read, _)| *read == byte));
            }
            if next.is_empty() {
                return None;
            }
            next.sort_unstable();
            next.dedup();
            ends.clear();
            std::mem::swap(&mut ends, &mut next);
        }
        ends.last().map(|(_, end)| *end)
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
            here.sort_unstable();
            here.dedup();
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
