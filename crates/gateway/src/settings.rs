//! The settings of a gateway, read from one JSON text. Every bad field is reported.

use crate::chain::{ChainSettings, Rpc};
use crate::hash::{Hash, from_hex, sha256};
use crate::policy::{Approval, Limits};
use launchpad_desk::amount::Digits;
use launchpad_desk::bindings::codes::codes;
use launchpad_desk::bindings::drivers::TRADE_TIMEOUT_MS;
use launchpad_desk::bindings::reader::{self, MOST_TIMER_MS, Reader};
use launchpad_desk::bindings::{has_part, object};
use launchpad_desk::error::{FieldCode, FieldError};
use launchpad_desk::tape::{Data, Item, json};
use launchpad_desk::trade::flow::{GATEWAY_INTENT, Headers, KEY_HEADER, header_name_problem};
use launchpad_desk::trade::plan::{MOST_VALID_FOR_MS, VALID_FOR_MS};
use launchpad_desk::trade::{Dialect, SANDBOX_URL, UrlParts};

use super::ledger::ROLLING_MS;
use super::rows::broken;

codes! {
    /// What the token of a caller is for.
    Role as "GatewayRole", default Trader {
        /// It sends trades.
        Trader = "trader",
        /// It sees the desk, approves, denies, settles and halts; it does not trade.
        Operator = "operator",
    }
}

/// Who may call. Only the hash of a caller's token is known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Caller {
    /// Its name, which is unique.
    pub name: String,
    /// The desk that it belongs to.
    pub desk: String,
    /// The SHA-256 of its token; while a token is replaced, of both.
    pub token_sha256: Vec<Hash>,
    /// What it may do.
    pub role: Role,
    /// Its own limits, in addition to those of its desk.
    pub limits: Limits,
}

/// Callers who share limits, an operators' page and a Durable Object.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Desk {
    pub name: String,
    /// What all its callers together may do.
    pub limits: Limits,
    /// When a person must approve.
    pub approval: Approval,
}

#[derive(Clone, Debug)]
pub struct GatewaySettings {
    /// The base URL of the service; `None` if a sandbox is behind the gateway: see [`base_url`](GatewaySettings::base_url).
    pub upstream: Option<String>,
    /// The headers of forwarded requests.
    pub headers: Headers,
    /// The service's units and names.
    pub dialect: Dialect,
    /// Whether the service behind `upstream` is a sandbox on this machine.
    pub is_upstream_simulated: bool,
    /// The node that pages and the desks read the chain from. Its URL is a secret, so it is not in the text of the settings.
    pub(super) rpc: Option<Rpc>,
    /// How the desks read it.
    pub chain: ChainSettings,
    /// The origins of pages that may call.
    pub origins: Vec<String>,
    /// How long the service may take.
    pub timeout_ms: u32,
    /// How long a request waits for the answer to the same intent.
    pub wait_ms: u32,
    /// The longest body of a request.
    pub max_body_bytes: u32,
    /// The longest reply of the service.
    pub max_reply_bytes: u32,
    /// How long a key is remembered: from its request on, or from when its trade was sent.
    pub remember_ms: u64,
    /// How long equal requests without a key are flagged.
    pub duplicate_window_ms: u64,
    /// How long a trade waits for approval.
    pub approval_ms: u64,
    /// How long a plan may be sent.
    pub plan_ms: u64,
    /// The most intents that a desk remembers.
    pub max_intents: u32,
    pub desks: Vec<Desk>,
    /// The callers. Without any, the gateway is closed.
    pub callers: Vec<Caller>,
}

/// The longest time that a setting may have: ten years.
const MOST_MS: u64 = 10 * 366 * ROLLING_MS;

/// The longest body or reply. Even if every byte must be escaped, it fits into a row of a Durable Object (2 MB).
const MOST_BYTES: u64 = 1 << 18;

impl GatewaySettings {
    /// Reads the settings.
    ///
    /// # Errors
    ///
    /// Every bad setting, by path.
    ///
    /// ```
    /// use launchpad_desk_gateway::GatewaySettings;
    /// let problems = GatewaySettings::read(r#"{"upstream":"http://service.example","desk":[]}"#).unwrap_err();
    /// let messages: Vec<&str> = problems.iter().map(|problem| problem.message.as_str()).collect();
    /// assert_eq!(messages, ["upstream must be https, or http on loopback", "desk is unknown; did you mean desks?"]);
    /// ```
    pub fn read(text: &str) -> Result<GatewaySettings, Vec<FieldError>> {
        let value = json::parse(text.as_bytes())
            .map_err(|error| vec![FieldError::of_json("the settings are not JSON: ", error)])?;
        reader::read(value.root(), GatewaySettings::read_fields)
    }

    fn read_fields(r: &mut Reader) -> GatewaySettings {
        let upstream = read_upstream(r);
        // Who starts the sandbox reads its config.
        if r.value("sandbox").is_some() && upstream.is_some() {
            r.refuse("sandbox", FieldCode::Conflict, "and upstream contradict each other");
        }
        let dialect = Dialect::read(r);
        let headers = read_headers(r);
        let timer = |r: &mut Reader, name, otherwise| {
            r.whole_within(name, 1, MOST_TIMER_MS).map_or(otherwise, |ms| ms as u32)
        };
        let size = |r: &mut Reader, name, otherwise| {
            r.whole_within(name, 1, MOST_BYTES).map_or(otherwise, |bytes| bytes as u32)
        };
        let time = |r: &mut Reader, name, least, otherwise| {
            r.whole_within(name, least, MOST_MS).unwrap_or(otherwise)
        };
        let mut settings = GatewaySettings {
            is_upstream_simulated: read_simulated(r, upstream.as_deref()),
            rpc: None,
            chain: r.object("chain", ChainSettings::read).unwrap_or_default(),
            upstream,
            headers,
            dialect,
            origins: read_origins(r),
            timeout_ms: timer(r, "timeoutMs", TRADE_TIMEOUT_MS),
            wait_ms: timer(r, "waitMs", 10_000),
            max_body_bytes: size(r, "maxBodyBytes", 1 << 16),
            max_reply_bytes: size(r, "maxReplyBytes", MOST_BYTES as u32),
            // At least 24 hours: a forgotten trade no longer counts towards the limits.
            remember_ms: time(r, "rememberMs", ROLLING_MS, 7 * ROLLING_MS),
            duplicate_window_ms: time(r, "duplicateWindowMs", 0, 60_000),
            approval_ms: time(r, "approvalMs", 1, 900_000),
            plan_ms: time(r, "planMs", 1, VALID_FOR_MS).min(MOST_VALID_FOR_MS),
            max_intents: r.count("maxIntents", 1).unwrap_or(50_000),
            desks: Vec::new(),
            callers: Vec::new(),
        };
        let dialect = &settings.dialect.clone();
        settings.desks = r
            .list("desks", |r| Desk {
                name: read_name(r, "name"),
                limits: r
                    .object("limits", |r| Limits::read_of_desk(r, dialect))
                    .unwrap_or_else(|| no_limits(dialect)),
                approval: r.object("approval", Approval::read).unwrap_or_default(),
            })
            .unwrap_or_default();
        settings.callers = r.list("callers", |r| read_caller(r, dialect)).unwrap_or_default();
        settings.check_names(r);
        settings
    }

    /// The same with a node, from which the desks read the chain.
    ///
    /// # Errors
    ///
    /// The URL is not https, or http on loopback.
    pub fn with_rpc(mut self, url: Option<&str>) -> Result<GatewaySettings, Vec<FieldError>> {
        if let Some(url) = url {
            self.rpc = Some(Rpc::new(url).map_err(|what| broken("rpc", what))?);
        }
        Ok(self)
    }

    pub fn desk(&self, name: &str) -> Option<&Desk> {
        self.desks.iter().find(|desk| desk.name == name)
    }

    /// What is wrong with the service's key. A key without a service is refused: its owner means to trade live and would trade
    /// in the sandbox.
    pub(super) fn key_problem(&self, key: Option<&str>) -> Option<&'static str> {
        let key = key?;
        match launchpad_desk::trade::key_problem(key) {
            Some((_, what)) => Some(what),
            None if self.has_sandbox() => Some("is given, and the settings have no upstream"),
            None => None,
        }
    }

    /// Where trades are sent: the base URL of the service. Without one it is a name that never resolves, by which a driver knows that a
    /// request is for its sandbox.
    pub fn base_url(&self) -> &str {
        self.upstream.as_deref().unwrap_or(SANDBOX_URL)
    }

    /// Whether a sandbox is behind it in place of a service.
    pub fn has_sandbox(&self) -> bool {
        self.upstream.is_none()
    }

    /// Whether no money moves here.
    pub fn is_simulated(&self) -> bool {
        self.has_sandbox() || self.is_upstream_simulated
    }

    fn check_names(&self, r: &mut Reader) {
        let repeats = |names: &[&str]| {
            names.iter().enumerate().any(|(at, name)| names.iter().take(at).any(|other| other == name))
        };
        if repeats(&self.desks.iter().map(|desk| desk.name.as_str()).collect::<Vec<_>>()) {
            r.refuse("desks", FieldCode::Conflict, "must not repeat a name");
        }
        if repeats(&self.callers.iter().map(|caller| caller.name.as_str()).collect::<Vec<_>>()) {
            r.refuse("callers", FieldCode::Conflict, "must not repeat a name");
        }
        let is_shared = self.callers.iter().enumerate().any(|(at, caller)| {
            let others = self.callers.iter().take(at);
            others.flat_map(|other| &other.token_sha256).any(|token| caller.token_sha256.contains(token))
        });
        if is_shared {
            r.refuse("callers", FieldCode::Conflict, "must not repeat a token");
        }
        for (at, caller) in self.callers.iter().enumerate() {
            if self.desk(&caller.desk).is_none() {
                let field = ["callers[", &(at as u64).digits(), "].desk"].concat();
                r.refuse(&field, FieldCode::OutOfRange, "is not one of desks");
            }
        }
    }
}

/// The limits of a caller or desk that sets none.
fn no_limits(dialect: &Dialect) -> Limits {
    reader::read(object! {}.root(), |r| Limits::read(r, dialect)).unwrap_or_default()
}

fn read_caller(r: &mut Reader, dialect: &Dialect) -> Caller {
    let token_sha256 = read_tokens(r);
    Caller {
        name: read_name(r, "name"),
        desk: read_name(r, "desk"),
        token_sha256,
        role: r.choice("role", Role::NAMED).unwrap_or_default(),
        limits: r.object("limits", |r| Limits::read(r, dialect)).unwrap_or_else(|| no_limits(dialect)),
    }
}

/// The hashes of a caller's tokens: one, or a list of two.
fn read_tokens(r: &mut Reader) -> Vec<Hash> {
    const NAME: &str = "tokenSha256";
    let given = r.needed(NAME, Reader::value);
    let Some(given) = given else { return Vec::new() };
    let items: Vec<Item> = match given.data() {
        Data::Array(items) => items.collect(),
        _ => vec![given],
    };
    if items.is_empty() || items.len() > 2 {
        r.refuse(NAME, FieldCode::OutOfRange, "must be one hash, or a list of one or two");
    }
    let mut hashes = Vec::new();
    for item in items {
        match item.text().and_then(from_hex) {
            None => r.refuse(NAME, FieldCode::OutOfRange, "must be the 64 hexadecimal digits of a SHA-256"),
            // What `sha256sum` prints if the variable with the token is not set: everybody knows that token.
            Some(hash) if hash == sha256(b"") => {
                r.refuse(NAME, FieldCode::Empty, "is the hash of an empty token");
            }
            Some(hash) => hashes.push(hash),
        }
    }
    hashes
}

/// A name that is safe in row keys, headers and paths.
fn read_name(r: &mut Reader, name: &'static str) -> String {
    let text = r.need_text(name);
    let is_name =
        text.len() <= 64 && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_".contains(&byte));
    if !is_name {
        r.refuse(name, FieldCode::OutOfRange, "must have at most 64 letters, digits, - and _");
    }
    text
}

fn read_headers(r: &mut Reader) -> Headers {
    let header = r.text("apiKeyHeader");
    let bearer = r.choice("authorization", &[("bearer", ())]);
    if header.is_some() && bearer.is_some() {
        r.refuse("authorization", FieldCode::Conflict, "and apiKeyHeader contradict each other");
    }
    if let Some((code, what)) = header.and_then(header_name_problem) {
        r.refuse("apiKeyHeader", code, what);
    }
    let (key, key_scheme) = match bearer {
        Some(()) => ("authorization".to_owned(), "Bearer "),
        None => (header.unwrap_or(KEY_HEADER).to_owned(), ""),
    };
    let headers = Headers { key, key_scheme, intent: Some(GATEWAY_INTENT.to_owned()), more: Vec::new() };
    if let Some(problem) = headers.problem_of_intent() {
        r.refuse("apiKeyHeader", problem.code, "is the header of the intent");
    }
    headers
}

/// The service's base URL. Only a plain one is accepted, which `fetch` cannot read differently.
fn read_upstream(r: &mut Reader) -> Option<String> {
    let url = r.text("upstream")?;
    let parts = url.find(':').and_then(|at| {
        let (protocol, rest) = (url.get(..at + 1)?, url.get(at + 1..)?.strip_prefix("//")?);
        let path_at = rest.find('/').unwrap_or(rest.len());
        let (host, pathname) = (rest.get(..path_at)?, rest.get(path_at..)?);
        let (name, port) = match host.rsplit_once(':') {
            Some((name, port)) if !host.ends_with(']') => (name, port),
            _ => (host, "1"),
        };
        let is_name = name == "[::1]"
            || (!name.is_empty()
                && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-.".contains(&byte)));
        let is_port = port.parse::<u16>().is_ok() && port.bytes().all(|byte| byte.is_ascii_digit());
        let is_path = pathname.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-._~/".contains(&byte))
            && !has_part(pathname, "/.")
            && !has_part(pathname, "//");
        let origin = url.get(..at + 3 + path_at)?;
        (is_name && is_port && is_path).then_some(UrlParts {
            protocol,
            hostname: name,
            origin,
            pathname,
            ..UrlParts::default()
        })
    });
    match parts {
        Some(parts) => Some(parts.base_url(&mut |code, what| r.refuse("upstream", code, what))),
        None => {
            let what = "must be a plain URL such as https://service.example/base";
            r.refuse("upstream", FieldCode::OutOfRange, what);
            None
        }
    }
}

/// Only a service on this machine may be called a sandbox: of any other, that could be a lie about real money.
fn read_simulated(r: &mut Reader, upstream: Option<&str>) -> bool {
    let is_simulated = r.boolean("simulated").unwrap_or_default();
    if is_simulated && !upstream.is_some_and(|url| url.starts_with("http://")) {
        r.refuse("simulated", FieldCode::Conflict, "needs an upstream with http on loopback");
    }
    is_simulated
}

fn read_origins(r: &mut Reader) -> Vec<String> {
    let Some(value) = r.value("origins") else { return Vec::new() };
    let Data::Array(items) = value.data() else {
        r.refuse("origins", FieldCode::WrongType, "must be an array");
        return Vec::new();
    };
    let mut origins = Vec::new();
    for (at, item) in items.enumerate() {
        match item.text() {
            Some(origin) if is_origin(origin) => origins.push(origin.to_owned()),
            _ => {
                let field = ["origins[", &(at as u64).digits(), "]"].concat();
                r.refuse(&field, FieldCode::OutOfRange, "must be an origin such as https://panel.example");
            }
        }
    }
    origins
}

/// Whether a text is an origin in the form browsers send.
fn is_origin(text: &str) -> bool {
    let rest = text.strip_prefix("https://").or_else(|| text.strip_prefix("http://"));
    rest.is_some_and(|rest| {
        let is_part =
            |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || b"-.:[]".contains(&byte);
        !rest.is_empty() && rest.bytes().all(is_part)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(text: &str) -> Vec<String> {
        GatewaySettings::read(text).unwrap_err().into_iter().map(|problem| problem.message).collect()
    }

    #[test]
    fn nothing_given_is_a_closed_sandbox() {
        let settings = GatewaySettings::read("{}").unwrap();
        assert!(settings.is_simulated() && settings.callers.is_empty() && settings.origins.is_empty());
        assert_eq!(settings.headers.key, "x-api-key");
    }

    #[test]
    fn only_plain_urls_are_taken() {
        let read = |url: &str| GatewaySettings::read(&format!(r#"{{"upstream":"{url}"}}"#));
        for (url, base) in [
            ("https://service.example/", "https://service.example"),
            ("https://service.example:8443/base/", "https://service.example:8443/base"),
            ("http://127.0.0.1:8080", "http://127.0.0.1:8080"),
            ("http://[::1]:80/x", "http://[::1]:80/x"),
        ] {
            assert_eq!(read(url).unwrap().upstream.as_deref(), Some(base));
        }
        for url in [
            "",
            "service.example",
            "https://",
            "https://a@b.example",
            "https://b.example?x",
            "https://b.example#x",
            "https://b.example/../x",
            "https://b.example/%2e",
            "https://b.example:99999",
            "https://b.example:+1",
            "https://b\\\\c",
            "http://b.example",
            "ftp://b.example",
            "https://b.example/v1",
            "https://bü.example",
            "https://b.example/a b",
        ] {
            assert!(read(url).is_err(), "{url}");
        }
    }

    #[test]
    fn every_bad_field_is_named() {
        let text = r#"{
            "origins": ["https://a.example", "https://a.example/", "*", 5],
            "rememberMs": 5,
            "apiKeyHeader": "x y",
            "desks": [{ "name": "a b", "limits": { "rateLimit": { "perSecond": 1 } } }, { "limits": { "maxLamportsPerTrade": -1, "maxPriceAgeMs": 5 } }],
            "callers": [
                { "name": "bot", "desk": "elsewhere", "tokenSha256": "abc", "limits": { "maxImpactBps": 5 } },
                { "name": "bot", "desk": "elsewhere", "tokenSha256": "abc", "limits": { "rateLimit": { "perSecond": 1, "maxQueueMs": 5 } } }
            ]
        }"#;
        let expected = [
            "apiKeyHeader must be a header name",
            "origins[1] must be an origin such as https://panel.example",
            "origins[2] must be an origin such as https://panel.example",
            "origins[3] must be an origin such as https://panel.example",
            "rememberMs must be from 86400000 to 316224000000",
            "desks[0].name must have at most 64 letters, digits, - and _",
            "desks[0].limits.rateLimit belongs to the limits of a caller",
            "desks[1].name is missing",
            "desks[1].limits.maxLamportsPerTrade must be a decimal number, zero or above",
            "desks[1].limits.maxPriceAgeMs belongs to a client: a gateway has no price when it forwards",
            "callers[0].tokenSha256 must be the 64 hexadecimal digits of a SHA-256",
            "callers[0].limits.maxImpactBps belongs to a client: a gateway has no price when it forwards",
            "callers[1].tokenSha256 must be the 64 hexadecimal digits of a SHA-256",
            "callers[1].limits.rateLimit must not have maxQueueMs: a gateway refuses at once",
            "callers must not repeat a name",
            "callers[0].desk is not one of desks",
            "callers[1].desk is not one of desks",
        ];
        assert_eq!(refused(text), expected);
        assert_eq!(
            refused(r#"{"upstream":"https://b.example","sandbox":{}}"#),
            ["sandbox and upstream contradict each other"]
        );
        assert_eq!(refused("{"), ["the settings are not JSON: a field without a name, at byte 1"]);
    }
}
