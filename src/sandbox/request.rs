//! A request as a server has it.

use std::fmt;

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

impl fmt::Debug for HttpRequest<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "HttpRequest({} {}, {} bytes)", self.method, self.path, self.body.len())
    }
}

impl HttpRequest<'_> {
    /// The path alone, and the query without its question mark.
    pub(super) fn target(&self) -> (&str, &str) {
        self.path.split_once('?').unwrap_or((self.path, ""))
    }

    pub(super) fn header(&self, name: &str) -> Option<&str> {
        self.all(name).next()
    }

    /// The length of the body: as it is here, or as its header says if it was not read.
    pub(super) fn length(&self) -> u64 {
        let declared = self.header("content-length").and_then(|text| text.parse::<u64>().ok());
        declared.unwrap_or_default().max(self.body.len() as u64)
    }

    /// Every header of that name.
    pub(super) fn all(&self, name: &str) -> impl Iterator<Item = &str> {
        let named = self.headers.iter().filter(move |(header, _)| header.eq_ignore_ascii_case(name));
        named.map(|(_, value)| value.trim())
    }
}
