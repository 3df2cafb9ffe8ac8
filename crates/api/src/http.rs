//! What servers share of HTTP: a request as one has it, which bodies are JSON, and the phrases of statuses. The sandbox and a gateway
//! are two of them.

use crate::bindings::debug_text;

/// A request as it comes over the wire. `Debug` leaves out headers and body.
#[derive(Clone, Copy)]
pub struct HttpRequest<'a> {
    /// The method, as it came.
    pub method: &'a str,
    /// The path, with the query if there is one: no origin.
    pub path: &'a str,
    /// Header names, in any case, with their values.
    pub headers: &'a [(String, String)],
    /// The body's bytes.
    pub body: &'a [u8],
    /// The time in milliseconds, by the caller's clock. Only the rate limit and the trades' `atMs` use it.
    pub now_ms: u64,
}

debug_text!(
    HttpRequest<'_>,
    |request| "HttpRequest({} {}, {} bytes)",
    request.method,
    request.path,
    request.body.len()
);

impl HttpRequest<'_> {
    /// The path alone, and the query without its question mark.
    pub fn target(&self) -> (&str, &str) {
        self.path.split_once('?').unwrap_or((self.path, ""))
    }

    /// The first header of that name.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.all(name).next()
    }

    /// The length of the body: as it is here, or as its header says if it was not read.
    pub fn length(&self) -> u64 {
        let declared = self.header("content-length").and_then(|text| text.parse::<u64>().ok());
        declared.unwrap_or_default().max(self.body.len() as u64)
    }

    /// Every header of that name.
    pub fn all(&self, name: &str) -> impl Iterator<Item = &str> {
        named(self.headers, name)
    }
}

/// The values of every header of that name.
pub fn named<'h>(headers: &'h [(String, String)], name: &str) -> impl Iterator<Item = &'h str> {
    let own = headers.iter().filter(move |(header, _)| header.eq_ignore_ascii_case(name));
    own.map(|(_, value)| value.trim())
}

/// A percent-encoded text; `None` if it is not UTF-8, or a percent sign is not followed by two digits.
#[doc(hidden)]
pub fn percent_decoded(text: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        let mut digit = || char::from(rest.next()?).to_digit(16);
        bytes.push(if byte == b'%' { (digit()? << 4 | digit()?) as u8 } else { byte });
    }
    String::from_utf8(bytes).ok()
}

/// The start of all paths at which a sandbox shows its market, and a gateway that of the sandbox behind it.
pub const MARKET_PREFIX: &str = "/_market/";

/// Why a body is not JSON in UTF-8 without a content encoding, by the headers of its request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NotJson {
    /// The content type is another.
    Type,
    /// The charset is another.
    Charset,
    /// It has a content encoding.
    Encoding,
}

impl NotJson {
    /// What the headers `content-type` and `content-encoding` of a request say, the latter as often as it is given.
    pub fn of<'a>(content_type: &str, encodings: impl Iterator<Item = &'a str>) -> Option<NotJson> {
        let mut parts = content_type.split(';');
        if !parts.next().is_some_and(|essence| essence.trim().eq_ignore_ascii_case("application/json")) {
            return Some(NotJson::Type);
        }
        if !parts.all(is_utf8_or_no_charset) {
            return Some(NotJson::Charset);
        }
        let mut encodings = encodings.flat_map(|value| value.split(','));
        let is_plain =
            |encoding: &str| matches!(encoding.trim().to_ascii_lowercase().as_str(), "" | "identity");
        (!encodings.all(is_plain)).then_some(NotJson::Encoding)
    }

    /// The same as a sentence.
    pub const fn detail(self) -> &'static str {
        match self {
            NotJson::Type => "the content type must be application/json",
            NotJson::Charset => "the charset must be utf-8",
            NotJson::Encoding => "the body must come without a content-encoding",
        }
    }
}

fn is_utf8_or_no_charset(parameter: &str) -> bool {
    let (name, value) = parameter.split_once('=').unwrap_or((parameter, ""));
    let value = value.trim();
    let value = value.strip_prefix('"').and_then(|value| value.strip_suffix('"')).unwrap_or(value);
    !name.trim().eq_ignore_ascii_case("charset") || value.eq_ignore_ascii_case("utf-8")
}

/// The phrase of a status (RFC 9110).
pub const fn status_phrase(status: u16) -> &'static str {
    match status {
        202 => "Accepted",
        400 => "Bad Request",
        401 => "Unauthorized",
        403 => "Forbidden",
        404 => "Not Found",
        405 => "Method Not Allowed",
        408 => "Request Timeout",
        409 => "Conflict",
        413 => "Content Too Large",
        415 => "Unsupported Media Type",
        421 => "Misdirected Request",
        422 => "Unprocessable Content",
        429 => "Too Many Requests",
        500 => "Internal Server Error",
        501 => "Not Implemented",
        502 => "Bad Gateway",
        503 => "Service Unavailable",
        504 => "Gateway Timeout",
        _ => "Error",
    }
}
