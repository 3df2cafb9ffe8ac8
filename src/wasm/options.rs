//! The options of a client and of a call, judged. What only JS can see of them comes beside them, as `seen`: see
//! `pkg/src/options.ts`.

use wasm_bindgen::prelude::*;

use crate::error::{FieldCode, FieldError};
use crate::object;
use crate::reader::Reader;
use crate::tape::{Data, Item, Number, Tape, ToTape};
use crate::trade::flow::{is_header_name, is_reserved_header};
use crate::trade::guard::{self, intent_id_problem};
use crate::trade::reconcile::WalletBalances;
use crate::trade::{Dialect, UrlParts, key_problem};
use crate::wasm::call;
use crate::wasm::crossing::{Failure, answer};

/// The longest time that a JS timer can wait.
const MAX_TIMEOUT_MS: u64 = (1 << 31) - 1;

/// The most tries after the first: the wait before each is twice the last.
const MAX_RETRIES: u64 = 10;

/// Where a client with a sandbox's `fetch` and no base URL sends: a name that never resolves.
const NOWHERE: &str = "https://sandbox.invalid";

/// The names of all options, by what takes them. JS looks for those that are not an object's own.
#[wasm_bindgen(js_name = optionNames)]
pub fn option_names() -> JsValue {
    let (none, headers) = (object! {}, OwnHeaders::default());
    let names = |read: &mut dyn FnMut(&mut Reader)| {
        let mut names = Vec::new();
        // All that is read of nothing is absent, and some of it is missing.
        let _ = call::options(none.root(), "options", |r| {
            read(r);
            names = r.absent();
        });
        names
    };
    let seen = Seen(none.root());
    answer(Ok(object! {
        "client": names(&mut |r| drop(ClientSettings::of(r, seen))),
        "sending": names(&mut |r| drop(SendSettings::of(r, seen, &headers))),
        "call": names(&mut |r| drop(CallOptions::of(r, seen))),
    }))
}

/// What JS saw of options.
#[derive(Clone, Copy)]
struct Seen<'t>(Item<'t>);

impl<'t> Seen<'t> {
    fn get(self, name: &str) -> Item<'t> {
        self.0.get(name).unwrap_or_default()
    }

    /// What kind of thing an option is, as `typeof` says it; `undefined` where there is none.
    fn kind(self, name: &str) -> &'t str {
        call::text(self.0, name).unwrap_or("undefined")
    }

    /// Whether a list of names has this one.
    fn lists(self, list: &str, name: &str) -> bool {
        match self.get(list).data() {
            Data::Array(mut names) => names.any(|listed| listed == Data::String(name)),
            _ => false,
        }
    }
}

/// Reads the options of a client or a call. What comes from a prototype is no option, and is not dropped either: it may
/// have been meant as a limit.
fn read_options<T>(
    call: Item,
    what: &str,
    mut read: impl FnMut(&mut Reader, Seen) -> T,
) -> Result<T, Failure> {
    let seen = Seen(call.get("seen").unwrap_or_default());
    let read = call::options(call, "options", |r| {
        let whole = read(r, seen);
        for name in r.absent() {
            if seen.lists("hidden", name) {
                r.refuse(
                    name,
                    FieldCode::Conflict,
                    "is inherited or hidden: set it on the options themselves",
                );
            }
        }
        whole
    });
    read.map_err(|problems: Vec<FieldError>| Failure::of_options(what, problems))
}

/// What a client is made of.
pub struct ClientSettings {
    /// How it reads and writes the service's language.
    pub dialect: Dialect,
    /// What must hold before money may move.
    pub guards: guard::Settings,
    /// Where it sends.
    pub endpoint: Endpoint,
    /// What carries the key and the intent id.
    pub headers: OwnHeaders,
    /// How it sends.
    pub sending: SendSettings,
}

impl ClientSettings {
    /// Reads the options of a client.
    pub fn read(call: Item) -> Result<ClientSettings, Failure> {
        read_options(call, "client options", ClientSettings::of)
    }

    fn of(r: &mut Reader, seen: Seen) -> ClientSettings {
        let dialect = Dialect::read(r);
        let headers = OwnHeaders::read(r);
        let settings = ClientSettings {
            guards: guard::Settings::read(r, dialect.rules.slippage_unit),
            dialect,
            sending: SendSettings::of(r, seen, &headers),
            endpoint: Endpoint::read(r, seen),
            headers,
        };
        let kinds = [("journal", "object"), ("begin", "function"), ("settle", "function")];
        need(r, seen, "journal", &kinds, "must have the functions begin and settle");
        settings
    }
}

/// What `withOptions` can change: what is given of it, in the form that `pkg/src/send.ts` needs.
pub struct SendSettings(pub Tape);

impl SendSettings {
    /// Where nothing is given.
    pub fn defaults() -> Tape {
        object! { "timeoutMs": 30_000u32, "maxReplyBytes": 1u32 << 20, "retryNotSent": 0u32, "dryRun": false, "logLevel": 1u32, "headers": object! {} }
    }

    /// Reads what `withOptions` of a client with these headers is given, and nothing else.
    pub fn read(call: Item, own: &OwnHeaders) -> Result<SendSettings, Failure> {
        read_options(call, "client options", |r, seen| SendSettings::of(r, seen, own))
    }

    fn of(r: &mut Reader, seen: Seen, own: &OwnHeaders) -> SendSettings {
        const LEVELS: [(&str, u32); 4] = [("debug", 0), ("info", 1), ("warn", 2), ("error", 3)];
        let mut settings = Vec::new();
        let mut set =
            |name: &'static str, value: Option<Tape>| settings.extend(value.map(|value| (name, value)));
        for (name, min, max) in [
            ("timeoutMs", 1, MAX_TIMEOUT_MS),
            ("maxReplyBytes", 1, 1 << 24),
            ("retryNotSent", 0, MAX_RETRIES),
        ] {
            set(name, r.whole_within(name, min, max).map(|whole| Number(whole.into()).to_tape()));
        }
        set("dryRun", r.boolean("dryRun").map(|is| is.to_tape()));
        set("logLevel", r.choice("logLevel", &LEVELS).map(|level| level.to_tape()));
        set("headers", default_headers(r, own));
        for name in ["hooks", "logger"] {
            need(r, seen, name, &[(name, "object")], "must be an object of functions");
        }
        SendSettings(Tape::object(&settings))
    }
}

/// Refuses an option of another kind, or one that JS could not read.
fn need(r: &mut Reader, seen: Seen, name: &'static str, kinds: &[(&str, &str)], what: &str) {
    let is_given = r.value(name).is_some() || seen.kind(name) != "undefined";
    if is_given && kinds.iter().any(|(seen_as, kind)| seen.kind(seen_as) != *kind) {
        r.refuse(name, FieldCode::WrongType, what);
    }
}

/// Reads `defaultHeaders`.
fn default_headers(r: &mut Reader, own: &OwnHeaders) -> Option<Tape> {
    const NAME: &str = "defaultHeaders";
    let headers = r.value(NAME)?;
    let Some(fields) = headers.fields() else {
        r.refuse(NAME, FieldCode::WrongType, "must be an object");
        return None;
    };
    for (at, (name, value)) in fields.enumerate() {
        let is_text = |text: &str| text.bytes().all(|byte| matches!(byte, b' '..=b'~'));
        if !is_header_name(name)
            || is_reserved_header(name)
            || !matches!(value.data(), Data::String(text) if is_text(text))
        {
            let what = "must map header names, other than the client's own, to visible ASCII";
            r.refuse(NAME, FieldCode::OutOfRange, what);
            return None;
        }
        // One would replace the other, or both would be sent.
        if own.have(name) || fields.into_iter().take(at).any(|(other, _)| other.eq_ignore_ascii_case(name)) {
            let what = "must not name a header twice, nor the header of the API key or the intent id";
            r.refuse(NAME, FieldCode::Conflict, what);
            return None;
        }
    }
    Some(headers.to_tape())
}

/// The headers that are each trade's own.
#[derive(Clone)]
pub struct OwnHeaders {
    /// Of the key, and what stands before the key in it.
    key: (String, &'static str),
    /// Of the intent id.
    intent: Option<String>,
}

impl Default for OwnHeaders {
    fn default() -> Self {
        OwnHeaders { key: ("x-api-key".into(), ""), intent: None }
    }
}

impl OwnHeaders {
    fn read(r: &mut Reader) -> OwnHeaders {
        let key = key_header(r);
        let intent = header_name(r, "intentHeader").map(str::to_owned);
        if intent.as_ref().is_some_and(|intent| intent.eq_ignore_ascii_case(&key.0)) {
            r.refuse("intentHeader", FieldCode::Conflict, "is the header of the API key");
        }
        OwnHeaders { key, intent }
    }

    /// Whether one of them has this name.
    fn have(&self, name: &str) -> bool {
        [Some(&self.key.0), self.intent.as_ref()]
            .into_iter()
            .flatten()
            .any(|own| own.eq_ignore_ascii_case(name))
    }
}

/// Where a client sends.
pub struct Endpoint {
    /// Without a trailing slash.
    pub base_url: String,
    /// The key, where it is text.
    key: Option<String>,
}

impl Endpoint {
    fn read(r: &mut Reader, seen: Seen) -> Endpoint {
        need(r, seen, "fetch", &[("fetch", "function")], "must be a function");
        let base_url = read_base_url(r, seen);
        // One that is inherited or hidden is refused as such.
        if r.value("baseURL").is_none() && !seen.lists("hidden", "baseURL") {
            if seen.get("isSandbox") != Data::Bool(true) {
                let what =
                    "is missing; for a simulation pass the fetch of a Sandbox of launchpad-desk/launchpad";
                r.refuse("baseURL", FieldCode::Required, what);
            } else if seen.lists("own", "baseURL") {
                // One that got lost on the way here would turn real trades into simulated ones.
                let what = "is given without a value; leave it out to trade in a sandbox";
                r.refuse("baseURL", FieldCode::Required, what);
            }
        }
        let key = read_key(r, seen);
        Endpoint { base_url: base_url.unwrap_or_else(|| NOWHERE.to_owned()), key }
    }

    /// In the form that `pkg/src/send.ts` needs.
    pub fn to_tape(&self, headers: &OwnHeaders) -> Tape {
        object! {
            "baseURL": self.base_url,
            "apiKey": self.key,
            "keyHeader": headers.key.0,
            "keyScheme": headers.key.1,
            "intentHeader": headers.intent,
        }
    }
}

/// Reads `baseURL`, which JS has taken apart.
fn read_base_url(r: &mut Reader, seen: Seen) -> Option<String> {
    r.text("baseURL")?;
    let url = seen.get("url");
    if !url.is_object() {
        r.refuse("baseURL", FieldCode::OutOfRange, "must be an absolute URL");
        return None;
    }
    let part = |name| call::text(url, name).unwrap_or_default();
    let parts = UrlParts {
        protocol: part("protocol"),
        hostname: part("hostname"),
        username: part("username"),
        password: part("password"),
        origin: part("origin"),
        pathname: part("pathname"),
        search: part("search"),
        hash: part("hash"),
    };
    Some(parts.base_url(&mut |code, what| r.refuse("baseURL", code, what)))
}

/// The name of a header that the request does not need for itself.
fn header_name<'a>(r: &mut Reader<'a>, option: &'static str) -> Option<&'a str> {
    let name = r.text(option)?;
    if !is_header_name(name) {
        r.refuse(option, FieldCode::OutOfRange, "must be a header name");
    } else if is_reserved_header(name) {
        r.refuse(option, FieldCode::Conflict, "is a header that the request needs for itself");
    }
    Some(name)
}

fn key_header(r: &mut Reader) -> (String, &'static str) {
    let header = header_name(r, "apiKeyHeader");
    let bearer = r.choice("authorization", &[("bearer", ())]);
    if header.is_some() && bearer.is_some() {
        r.refuse("authorization", FieldCode::Conflict, "and apiKeyHeader contradict each other");
    }
    match bearer {
        Some(()) => ("authorization".into(), "Bearer "),
        None => (header.unwrap_or("x-api-key").to_owned(), ""),
    }
}

/// Whether a key that a function gave can be used.
pub fn is_key(key: &str) -> bool {
    key_problem(key).is_none()
}

/// Reads `apiKey`; the key, where it is text.
fn read_key(r: &mut Reader, seen: Seen) -> Option<String> {
    let allowed = r.boolean("dangerouslyAllowBrowser").unwrap_or(false);
    if r.value("apiKey").is_none() {
        if seen.lists("own", "apiKey") {
            r.refuse("apiKey", FieldCode::Required, "is given without a value; leave it out to send none");
        }
        return None;
    }
    let mut key = None;
    if seen.kind("apiKey") != "function" {
        key = r.text("apiKey");
        if let Some((code, what)) = key.and_then(key_problem) {
            r.refuse("apiKey", code, what);
        }
    }
    if !allowed && seen.get("isPage") == Data::Bool(true) {
        let what = "can be read by anyone who opens this page; use a gateway, or set dangerouslyAllowBrowser";
        r.refuse("apiKey", FieldCode::Conflict, what);
    }
    key.map(str::to_owned)
}

/// Options of one call.
pub struct CallOptions {
    /// Deadline in milliseconds.
    pub timeout_ms: Option<u32>,
    /// The trade's id.
    pub intent_id: Option<String>,
    /// What its wallets hold before it is sent.
    pub before: Option<Vec<WalletBalances>>,
}

impl CallOptions {
    /// Reads the options of a call.
    pub fn read(call: Item) -> Result<CallOptions, Failure> {
        if call.get("options").is_none() {
            return Ok(CallOptions { timeout_ms: None, intent_id: None, before: None });
        }
        read_options(call, "call options", CallOptions::of)
    }

    fn of(r: &mut Reader, seen: Seen) -> CallOptions {
        need(r, seen, "signal", &[("aborted", "boolean")], "must be an AbortSignal");
        let intent_id = r.text("intentId").map(str::to_owned);
        if let Some((code, what)) = intent_id.as_deref().and_then(intent_id_problem) {
            r.refuse("intentId", code, what);
        }
        CallOptions {
            timeout_ms: r.whole_within("timeoutMs", 1, MAX_TIMEOUT_MS).map(|ms| ms as u32),
            intent_id,
            before: WalletBalances::read_list(r, "before"),
        }
    }
}
