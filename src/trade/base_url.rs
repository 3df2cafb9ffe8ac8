//! What a service's base URL must be. The platform's own parser takes the URL apart.

use crate::error::FieldCode;

/// The base URL of a client that trades in a sandbox: a name that never resolves.
pub const SANDBOX_URL: &str = "https://sandbox.invalid";

/// The parts of an absolute URL, as the URL standard names them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct UrlParts<'u> {
    /// With its colon: `https:`.
    pub protocol: &'u str,
    /// Without the port; an IPv6 address is in brackets.
    pub hostname: &'u str,
    /// User name, or empty.
    pub username: &'u str,
    /// Password, or empty.
    pub password: &'u str,
    /// Scheme, host and port.
    pub origin: &'u str,
    /// From its slash on.
    pub pathname: &'u str,
    /// Query, or empty.
    pub search: &'u str,
    /// Fragment, or empty.
    pub hash: &'u str,
}

impl UrlParts<'_> {
    /// The base URL, without a slash at its end; `refuse` is called with everything that is wrong with it, in words that follow
    /// its name.
    ///
    /// ```
    /// use launchpad_desk::trade::UrlParts;
    /// let parts = UrlParts { protocol: "https:", origin: "https://a.example", pathname: "/base/", ..UrlParts::default() };
    /// assert_eq!(parts.base_url(&mut |_, what| panic!("{what}")), "https://a.example/base");
    /// ```
    pub fn base_url(&self, refuse: &mut dyn FnMut(FieldCode, &str)) -> String {
        let host = self.hostname;
        let is_loopback =
            host == "localhost" || host == "[::1]" || is_ipv4_loopback(host) || host.ends_with(".localhost");
        if self.protocol != "https:" && !(self.protocol == "http:" && is_loopback) {
            refuse(FieldCode::OutOfRange, "must be https, or http on loopback");
        }
        if !self.username.is_empty() || !self.password.is_empty() {
            refuse(FieldCode::OutOfRange, "must not contain a user name or a password");
        }
        if !self.search.is_empty() || !self.hash.is_empty() {
            refuse(FieldCode::OutOfRange, "must not have a query or a fragment");
        }
        let origin_and_path = [self.origin, self.pathname].concat();
        if let Some(before) = before_version(&origin_and_path) {
            let what = ["must end before /v1, which the client adds: ", before].concat();
            refuse(FieldCode::OutOfRange, &what);
        }
        origin_and_path.trim_end_matches('/').to_owned()
    }
}

/// The part before `/v1` in a URL that ends with it, with `/v1/trade` or with the path of an operation.
fn before_version(url: &str) -> Option<&str> {
    let lower = url.trim_end_matches('/').to_ascii_lowercase();
    const TRADE: &[u8] = b"/v1/trade";
    let at = match lower.strip_suffix("/v1") {
        Some(before) => before.len(),
        // The first one; `/v1/trades` is another path.
        None => lower.as_bytes().windows(TRADE.len()).position(|part| part == TRADE).filter(|at| {
            lower.get(at + TRADE.len()..).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
        })?,
    };
    url.get(..at)
}

/// Whether a URL's host is an address of 127.0.0.0/8. A name may begin like one.
fn is_ipv4_loopback(host: &str) -> bool {
    host.starts_with("127.") && host.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.')
}
