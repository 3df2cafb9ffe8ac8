//! JSON text to a tape and back, without loss.
//!
//! Numbers keep their digits. Ambiguous JSON is refused: duplicate names, bytes that are not UTF-8, half a surrogate pair.
//! Depth is bounded, so no input can exhaust the stack.

use super::{Data, Item, Span, Tape, Writer};
use crate::amount::Digits;
use crate::error_text;

/// How deep arrays and objects may nest.
pub const MAX_DEPTH: usize = 64;

/// The most fields of one object: each new name is compared with the earlier ones.
const MAX_FIELDS: usize = 1024;

/// The most values of one text. This bounds memory, since a value takes many times the bytes of its text.
const MAX_VALUES: usize = 1 << 22;

/// Why a text is not unambiguous JSON, and at which byte.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct JsonError {
    /// What is wrong, in words.
    pub what: &'static str,
    /// The number of bytes before it.
    pub at: usize,
}

error_text!(JsonError, |error| &["byte ", &error.at.digits(), ": ", error.what].concat());

/// Reads one JSON text (RFC 8259). A leading byte order mark is skipped.
///
/// # Errors
///
/// [`JsonError`] for anything that is not exactly one JSON value in UTF-8, nests deeper than [`MAX_DEPTH`],
/// names a field twice in one object, has an object of more than 1024 fields, or more than 4194304 values in all.
///
/// ```
/// use launchpad_desk::tape::{Data, json};
/// let tape = json::parse(b"18446744073709551617").unwrap();
/// assert_eq!(tape.root().data(), Data::Number("18446744073709551617"));
/// assert_eq!(json::parse(b"{\"a\":1,\"a\":2}").unwrap_err().what, "a duplicate field");
/// ```
pub fn parse(bytes: &[u8]) -> Result<Tape, JsonError> {
    // Positions on a tape have 32 bits, and a string with escapes is on it twice.
    if i32::try_from(bytes.len()).is_err() {
        return Err(JsonError { what: "more than 2 GiB", at: 0 });
    }
    let text = match std::str::from_utf8(bytes) {
        Ok(text) => text,
        Err(error) => return Err(JsonError { what: "bytes that are not UTF-8", at: error.valid_up_to() }),
    };
    let at = if text.starts_with('\u{feff}') { 3 } else { 0 };
    let tape = Writer::over(text);
    let mut parser = Parser { text, at, tape, names: Vec::with_capacity(32) };
    parser.space();
    parser.value(0)?;
    parser.space();
    if parser.at < text.len() {
        return Err(parser.error("text after the value"));
    }
    Ok(parser.tape.finish())
}

struct Parser<'a> {
    text: &'a str,
    at: usize,
    tape: Writer,
    /// The names of the open objects on the tape, to find duplicates.
    names: Vec<Span>,
}

impl<'a> Parser<'a> {
    /// The text from `start` to here. Both are next to ASCII characters, so no character is cut.
    #[inline(always)]
    fn since(&self, start: usize) -> Span {
        Span { start: start as u32, len: (self.at - start) as u32 }
    }

    /// Skips the bytes for which `is_next` is true.
    #[inline(always)]
    fn skip(&mut self, is_next: impl Fn(u8) -> bool) {
        let (bytes, mut at) = (self.text.as_bytes(), self.at);
        while bytes.get(at).is_some_and(|byte| is_next(*byte)) {
            at += 1;
        }
        self.at = at;
    }

    fn error(&self, what: &'static str) -> JsonError {
        JsonError { what, at: self.at }
    }

    #[inline(always)]
    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    #[inline(always)]
    fn space(&mut self) {
        self.skip(|byte| matches!(byte, b' ' | b'\t' | b'\n' | b'\r'));
    }

    /// Skips `byte` if it is next; returns whether it was.
    #[inline(always)]
    fn take(&mut self, byte: u8) -> bool {
        let next = self.peek() == Some(byte);
        if next {
            self.at += 1;
        }
        next
    }

    fn word(&mut self, word: &str) -> Result<(), JsonError> {
        if !self.text.get(self.at..).is_some_and(|rest| rest.starts_with(word)) {
            return Err(self.error("an unknown word"));
        }
        self.at += word.len();
        match word {
            "null" => self.tape.null(),
            word => self.tape.bool(word == "true"),
        }
        Ok(())
    }

    fn value(&mut self, depth: usize) -> Result<(), JsonError> {
        if self.tape.len() == MAX_VALUES {
            return Err(self.error("more than 4194304 values"));
        }
        match self.peek() {
            Some(b'{') => self.object(depth),
            Some(b'[') => self.array(depth),
            Some(b'"') => {
                let text = self.string()?;
                self.tape.string_at(text);
                Ok(())
            }
            Some(b'-' | b'0'..=b'9') => self.number(),
            Some(b't') => self.word("true"),
            Some(b'f') => self.word("false"),
            Some(b'n') => self.word("null"),
            Some(_) => Err(self.error("an unexpected character")),
            None => Err(self.error("an unexpected end")),
        }
    }

    fn open(&mut self, depth: usize) -> Result<(), JsonError> {
        if depth == MAX_DEPTH {
            return Err(self.error("more than 64 levels"));
        }
        self.at += 1;
        self.space();
        Ok(())
    }

    fn array(&mut self, depth: usize) -> Result<(), JsonError> {
        self.open(depth)?;
        let opened = self.tape.open(false);
        let mut own = 0;
        while !(own == 0 && self.take(b']')) {
            self.value(depth + 1)?;
            own += 1;
            self.space();
            if self.take(b']') {
                break;
            }
            if !self.take(b',') {
                return Err(self.error("no comma or ] after an element"));
            }
            self.space();
        }
        self.tape.close(opened, own);
        Ok(())
    }

    fn object(&mut self, depth: usize) -> Result<(), JsonError> {
        self.open(depth)?;
        let opened = self.tape.open(true);
        let outer = self.names.len();
        while !(self.names.len() == outer && self.take(b'}')) {
            if self.peek() != Some(b'"') {
                return Err(self.error("a field without a name"));
            }
            let name = self.string()?;
            let own = self.names.get(outer..).unwrap_or_default();
            if own.iter().any(|own| own.len == name.len && self.tape.text_at(*own) == self.tape.text_at(name))
            {
                return Err(self.error("a duplicate field"));
            }
            if own.len() == MAX_FIELDS {
                return Err(self.error("more than 1024 fields in an object"));
            }
            self.space();
            if !self.take(b':') {
                return Err(self.error("no colon after a name"));
            }
            self.space();
            self.tape.name_at(name);
            self.names.push(name);
            self.value(depth + 1)?;
            self.space();
            if self.take(b'}') {
                break;
            }
            if !self.take(b',') {
                return Err(self.error("no comma or } after a field"));
            }
            self.space();
        }
        self.tape.close(opened, self.names.len() - outer);
        self.names.truncate(outer);
        Ok(())
    }

    fn number(&mut self) -> Result<(), JsonError> {
        let start = self.at;
        self.take(b'-');
        if !self.take(b'0') {
            self.digits()?;
        }
        if self.take(b'.') {
            self.digits()?;
        }
        if matches!(self.peek(), Some(b'e' | b'E')) {
            self.at += 1;
            if matches!(self.peek(), Some(b'+' | b'-')) {
                self.at += 1;
            }
            self.digits()?;
        }
        self.tape.number_at(self.since(start));
        Ok(())
    }

    fn digits(&mut self) -> Result<(), JsonError> {
        let start = self.at;
        self.skip(|byte| byte.is_ascii_digit());
        if start == self.at { Err(self.error("a missing digit")) } else { Ok(()) }
    }

    /// Reads a string; the opening quote is next. Its place is in the text itself, or behind it if the string
    /// has escapes.
    fn string(&mut self) -> Result<Span, JsonError> {
        self.at += 1;
        let (start, decoded) = (self.at, self.tape.end());
        loop {
            let plain = self.at;
            self.at += plain_length(self.text.as_bytes().get(plain..).unwrap_or_default());
            let piece = self.since(plain);
            let ends = match self.peek() {
                Some(byte @ (b'"' | b'\\')) => byte == b'"',
                Some(_) => return Err(self.error("a control character in a string")),
                None => return Err(self.error("an unterminated string")),
            };
            self.at += 1;
            if ends && plain == start {
                return Ok(piece);
            }
            self.tape.push(self.text.get(plain..plain + piece.len as usize).unwrap_or_default());
            if ends {
                return Ok(Span { start: decoded, len: self.tape.end() - decoded });
            }
            let escaped = self.escape()?;
            self.tape.push(escaped.encode_utf8(&mut [0; 4]));
        }
    }

    fn escape(&mut self) -> Result<char, JsonError> {
        let plain = match self.peek() {
            Some(b'"') => '"',
            Some(b'\\') => '\\',
            Some(b'/') => '/',
            Some(b'b') => '\u{8}',
            Some(b'f') => '\u{c}',
            Some(b'n') => '\n',
            Some(b'r') => '\r',
            Some(b't') => '\t',
            Some(b'u') => {
                self.at += 1;
                return self.unicode();
            }
            _ => return Err(self.error("an unknown escape")),
        };
        self.at += 1;
        Ok(plain)
    }

    fn unicode(&mut self) -> Result<char, JsonError> {
        let first = self.hex4()?;
        let code = if (0xd800..0xdc00).contains(&first) && self.take(b'\\') && self.take(b'u') {
            let second = self.hex4()?;
            if !(0xdc00..0xe000).contains(&second) {
                return Err(self.error("half a surrogate pair"));
            }
            0x1_0000 + ((first - 0xd800) << 10) + (second - 0xdc00)
        } else {
            first
        };
        char::from_u32(code).ok_or_else(|| self.error("half a surrogate pair"))
    }

    fn hex4(&mut self) -> Result<u32, JsonError> {
        let mut code = 0;
        for _ in 0..4 {
            let digit = self.peek().and_then(|byte| (byte as char).to_digit(16));
            code = code * 16 + digit.ok_or_else(|| self.error("a missing hex digit"))?;
            self.at += 1;
        }
        Ok(code)
    }
}

/// How many bytes of a string stand for themselves in JSON, up to a quote, a backslash or a control character. Eight at a time: a reply is
/// mostly strings.
fn plain_length(mut bytes: &[u8]) -> usize {
    const ONES: u64 = u64::MAX / 255;
    let mut length = 0;
    while let Some((eight, rest)) = bytes.split_first_chunk() {
        let eight = u64::from_le_bytes(*eight);
        // The lowest high bit is that of the first byte below `least`; those above it may be wrong.
        let below = |eight: u64, least: u64| eight.wrapping_sub(ONES * least) & !eight;
        let quote = below(eight ^ (ONES * u64::from(b'"')), 1);
        let backslash = below(eight ^ (ONES * u64::from(b'\\')), 1);
        let ends = (below(eight, 0x20) | quote | backslash) & (ONES << 7);
        if ends != 0 {
            return length + ends.trailing_zeros() as usize / 8;
        }
        (bytes, length) = (rest, length + 8);
    }
    length + bytes.iter().take_while(|byte| !matches!(byte, ..0x20 | b'"' | b'\\')).count()
}

/// Writes a tape's value as JSON, without white space, fields in their order.
///
/// Values that JSON lacks (what is not data, a double that is not finite) are written as `null`.
pub fn write(tape: &Tape) -> String {
    let mut text = String::new();
    write_item(tape.root(), &mut text);
    text
}

/// Writes one value of a tape as JSON.
pub fn write_item(item: Item, text: &mut String) {
    match item.data() {
        Data::Null | Data::Foreign(_) => text.push_str("null"),
        Data::Bool(true) => text.push_str("true"),
        Data::Bool(false) => text.push_str("false"),
        Data::Integer(integer) => text.push_str(&i128::from(integer).digits()),
        Data::Double(digits) if digits.ends_with(['N', 'y']) => text.push_str("null"),
        Data::Number(digits) | Data::Double(digits) | Data::BigInt(digits) => text.push_str(digits),
        Data::String(string) => write_string(string, text),
        Data::Array(items) => {
            text.push('[');
            for (index, item) in items.enumerate() {
                if index > 0 {
                    text.push(',');
                }
                write_item(item, text);
            }
            text.push(']');
        }
        Data::Object(fields) => {
            text.push('{');
            for (index, (name, field)) in fields.enumerate() {
                if index > 0 {
                    text.push(',');
                }
                write_string(name, text);
                text.push(':');
                write_item(field, text);
            }
            text.push('}');
        }
    }
}

/// Writes a JSON string, quotes included.
pub(crate) fn write_string(string: &str, text: &mut String) {
    const HEX: &[u8; 16] = b"0123456789abcdef";
    text.push('"');
    let mut rest = string;
    loop {
        let (plain, after) = rest.split_at_checked(plain_length(rest.as_bytes())).unwrap_or_default();
        text.push_str(plain);
        let Some(&byte) = after.as_bytes().first() else { break };
        rest = after.get(1..).unwrap_or_default();
        match byte {
            b'"' => text.push_str("\\\""),
            b'\\' => text.push_str("\\\\"),
            b'\n' => text.push_str("\\n"),
            b'\r' => text.push_str("\\r"),
            b'\t' => text.push_str("\\t"),
            _ => {
                text.push_str("\\u00");
                text.push(HEX[usize::from(byte >> 4)] as char);
                text.push(HEX[usize::from(byte & 15)] as char);
            }
        }
    }
    text.push('"');
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(text: &str) -> (&'static str, usize) {
        let error = parse(text.as_bytes()).unwrap_err();
        (error.what, error.at)
    }

    #[test]
    fn refuses_what_could_be_read_in_two_ways() {
        assert_eq!(refused("{\"a\":1,\"\\u0061\":2}"), ("a duplicate field", 15));
        assert_eq!(refused("\"\\ud800\""), ("half a surrogate pair", 7));
        assert_eq!(refused("\"\\ud800\\u0041\""), ("half a surrogate pair", 13));
        assert_eq!(parse(b"\"\xff\"").unwrap_err().what, "bytes that are not UTF-8");
        assert_eq!(refused("1 2"), ("text after the value", 2));
        assert_eq!(refused("01"), ("text after the value", 1));
        assert_eq!(refused(""), ("an unexpected end", 0));
        assert_eq!(refused("{\"a\":"), ("an unexpected end", 5));
        assert_eq!(refused("nul"), ("an unknown word", 0));
    }

    #[test]
    fn a_string_ends_where_it_ends() {
        for ending in (0..=u8::MAX).chain([b'"', b'\\', 0]) {
            for before in [
                &b""[..],
                b"abcdefg",
                b"abcdefgh",
                b"!#[]~\x7f \xc3\xa9",
                "é€😀 and more text than that".as_bytes(),
            ] {
                for after in [&b""[..], b"\"\"\"", b"a\x00\\\"bcdefgh", b"\xff\xff\xff\xff\xff\xff\xff\xff"] {
                    let text = [before, &[ending], after].concat();
                    let plain =
                        text.iter().take_while(|byte| **byte >= 0x20 && !b"\"\\".contains(byte)).count();
                    assert_eq!(plain_length(&text), plain, "{text:?}");
                    let Ok(text) = str::from_utf8(&text) else { continue };
                    let mut written = String::new();
                    write_string(text, &mut written);
                    assert_eq!(parse(written.as_bytes()).unwrap().root().data(), Data::String(text));
                }
            }
        }
    }

    #[test]
    fn the_fields_of_an_object_are_told_apart_and_bounded() {
        let object = |fields: usize, last: &str| {
            let fields: Vec<String> = (1..fields).map(|n| format!("\"f{n}\":{n}")).collect();
            format!("{{{},\"{last}\":0}}", fields.join(","))
        };
        assert!(parse(object(MAX_FIELDS, "last").as_bytes()).is_ok());
        assert_eq!(refused(&object(MAX_FIELDS, "f3")).0, "a duplicate field");
        assert_eq!(refused(&object(MAX_FIELDS + 1, "last")).0, "more than 1024 fields in an object");
    }

    #[test]
    fn the_number_of_values_is_bounded() {
        let list = |items: usize| ["[", &"0,".repeat(items - 1), "0]"].concat();
        assert!(parse(list(MAX_VALUES - 1).as_bytes()).is_ok());
        assert_eq!(parse(list(MAX_VALUES).as_bytes()).unwrap_err().what, "more than 4194304 values");
    }

    #[test]
    fn depth_is_bounded() {
        let nested = |levels: usize| format!("{}{}", "[".repeat(levels), "]".repeat(levels));
        assert!(parse(nested(MAX_DEPTH).as_bytes()).is_ok());
        assert_eq!(refused(&nested(MAX_DEPTH + 1)), ("more than 64 levels", MAX_DEPTH));
        assert_eq!(refused(&"[".repeat(1_000_000)).0, "more than 64 levels");
    }

    #[test]
    fn a_byte_order_mark_is_skipped_and_text_survives() {
        let text = "\u{feff} {\"a\\n\\u00e9\":[1.50e+3,-0,\"\\ud83d\\ude00\",true,null,{}]}";
        assert_eq!(write(&parse(text.as_bytes()).unwrap()), "{\"a\\né\":[1.50e+3,-0,\"😀\",true,null,{}]}");
    }
}
