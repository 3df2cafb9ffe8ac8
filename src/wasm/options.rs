//! The options of a client and of a call, read and checked.

use js_sys::Reflect;
use wasm_bindgen::prelude::*;
use web_sys::Url;

use crate::error::{FieldCode, FieldError};
use crate::object;
use crate::reader::{self, Reader};
use crate::tape::{Data, Number, Tape, ToTape};
use crate::trade::guard::{self, intent_id_problem};
use crate::trade::reconcile::WalletBalances;
use crate::trade::{Dialect, key_problem};
use crate::wasm::argument::given_options;
use crate::wasm::convert::{is_given, is_hidden, method, property, to_js};
use crate::wasm::error::invalid_options;

/// The longest time that a JS timer can wait.
const MAX_TIMEOUT_MS: u64 = (1 << 31) - 1;

/// The most tries after the first: the wait before each is twice the last.
const MAX_RETRIES: u64 = 10;

/// Where a client with a sandbox's `fetch` and no base URL sends: a name that never resolves.
const NOWHERE: &str = "https://sandbox.invalid";

#[wasm_bindgen(typescript_custom_section)]
const TYPES: &str = r#"
/** Options of a `TradeClient`. Unknown names are refused, and so are options that an object inherits. */
export interface ClientOptions extends SendOptions, CheckOptions, GuardOptions {
    /** Base URL of the service, without `/v1`: https, or http on loopback. Only with the `fetch` of a sandbox may it be left out. */
    baseURL?: string;
    /** API key: visible ASCII, at least 8 characters; or a function that gives it for each trade. Left out, none is sent. */
    apiKey?: string | (() => string | Promise<string>);
    /** Header for the key. Default `x-api-key`. */
    apiKeyHeader?: string;
    /** Sends the key as `authorization: Bearer <key>` instead. */
    authorization?: "bearer";
    /** Allows a key in a page, where anyone who opens the page can read it. With a gateway of your own, a page needs no key. */
    dangerouslyAllowBrowser?: boolean;
    /** Header for each trade's intent id, such as `idempotency-key`. Default: none. */
    intentHeader?: string;
    /**
     * What trades are sent by, called with `this` undefined. With the `fetch` of a `Sandbox` of `launchpad-desk/launchpad`,
     * which needs no `baseURL`, the client trades in that sandbox; any other needs one.
     * Default: on Node a transport over `node:http` that sends once and can prove that nothing was sent, as `nodeFetch` of
     * `launchpad-desk/node` makes it; elsewhere the runtime's own `fetch`. With `fetch: globalThis.fetch`, or any other that
     * proves nothing, each failure after the call is `unknown`.
     */
    fetch?: (url: string, init: FetchInit) => Promise<FetchReply>;
    /** Records each trade before it is sent, and how it ended. A trade that it cannot record is not sent. */
    journal?: Journal;
}

/** What a client calls `fetch` with. */
export interface FetchInit {
    /** `POST` for a trade. */
    method: string;
    /** The headers of a trade, the key among them. */
    headers?: Record<string, string>;
    /** The JSON body of a trade. */
    body?: string;
    /** A redirect is never followed. */
    redirect: "manual";
    /** Aborted at the deadline, and when the caller aborts. */
    signal: AbortSignal;
}

/** What a client reads of a response; `Response` is one. */
export interface FetchReply {
    /** The HTTP status. */
    readonly status: number;
    /** The headers, by name. */
    readonly headers: { get(name: string): string | null };
    /** The body as a stream; without one, `arrayBuffer` is called. */
    readonly body?: unknown;
    /** The whole body. */
    arrayBuffer(): Promise<ArrayBuffer>;
}

/** Limits that are checked before money may move. The first that is exceeded refuses the trade. */
export interface GuardOptions {
    /** The most lamports that one request may spend: the sum of a bundle's buys. Default: no limit. */
    maxLamportsPerTrade?: number | bigint | string;
    /** The most lamports that all buys of one day (UTC) may spend; those of unknown outcome count. Default: no limit. */
    maxLamportsPerDay?: number | bigint | string;
    /** The widest slippage that any leg may have. Default: no limit. */
    maxSlippage?: SlippageInput;
    /** The mints that may be traded. Default: all. */
    allowMints?: string[];
    /** The wallets that may trade and pay fees. Default: all. */
    allowWallets?: string[];
    /** How often trades may be sent. With `maxQueueMs` they wait for their turn; without it they are refused. */
    rateLimit?: { perSecond: number; burst?: number; maxQueueMs?: number };
    /** The most trades of one wallet in flight at once. Default 1. */
    inFlightPerWallet?: number;
    /** How many unknown outcomes in a row stop all trades until `resume()`, or until each is acknowledged. Default 3. */
    breaker?: { unknowns?: number };
}

/** An admitted trade: what a journal has of it, and what its body says. */
export interface IntentState extends TradeIntent {
    /** Mint address of the token. */
    mint: string;
    /** The wallets that trade, in order, then the fee payer; each of them once. */
    wallets: string[];
    /** Lamports that its buys spend, fees included. */
    lamports: bigint;
}

/** The state of the guards. */
export interface GuardState {
    /** Whether all trades, only sells, or no trades are allowed. */
    mode: GuardMode;
    /** Whether too many unknown outcomes in a row have stopped all trades. */
    breakerOpen: boolean;
    /** Unknown outcomes in a row. */
    unknownsInARow: number;
    /** Lamports spent or reserved today (UTC). */
    lamportsToday: bigint;
    /** Their limit. */
    maxLamportsPerDay: bigint | null;
    /** Trades that may be sent at once; `null` without a rate limit. */
    burstLeft: number | null;
    /** The trades in flight. */
    inFlight: IntentState[];
    /** The unresolved trades, the oldest first. */
    unresolved: IntentState[];
}

/** Options that `withOptions` can change. Unknown names are refused. */
export interface SendOptions {
    /** Deadline over queue, send and body, in milliseconds. Default 30000, at most 2147483647. */
    timeoutMs?: number;
    /** The most bytes of a reply that are read. Default 1048576, at most 16777216. */
    maxReplyBytes?: number;
    /**
     * How often a trade is tried again if its transport proves that it was not sent. Default 0, at most 10. Nothing else is ever
     * tried again, and a runtime's own `fetch` proves nothing.
     */
    retryNotSent?: number;
    /** Checks everything and sends nothing: each trade ends as `not_sent`, with the code `dry_run`. */
    dryRun?: boolean;
    /** Headers of every request, besides the client's own. */
    defaultHeaders?: Record<string, string>;
    /** Called around each trade. */
    hooks?: Hooks;
    /** Gets a line for each step of a trade; `console` works. It never gets a key, a header or a body. */
    logger?: Logger;
    /** The lowest level that is logged. Default `info`. */
    logLevel?: "debug" | "info" | "warn" | "error";
}

/** Options of one call. Unknown names are refused. */
export interface CallOptions {
    /** Aborts the call: `not_sent` before it is sent, `unknown` after. */
    signal?: AbortSignal;
    /** Deadline over queue, send and body, in milliseconds. Default: the client's. */
    timeoutMs?: number;
    /** The trade's id: at most 128 visible ASCII characters. Default: a generated one. */
    intentId?: string;
    /** What the trading wallets hold now. It is kept with the trade, in the journal too, so that `reconcile` can use it if the
     * outcome is unknown. */
    before?: WalletBalances[];
}

/** A trade as journals and hooks get it: everything that is sent except the key. */
export interface TradeIntent {
    /** The trade's id. */
    intentId: string;
    /** What is asked for. */
    operation: Operation;
    /** The exact body. */
    body: string;
    /** When it was admitted, in milliseconds since 1970. It counts for the day (UTC) of this time. */
    startedAtMs: number;
    /** What its wallets held before it was sent, if the caller said so; amounts as decimal text. */
    before?: { wallet: string; tokens: string; lamports?: string }[];
}

/** How a trade ended. */
export interface Settlement {
    /** What became of it; for `acknowledge`, what was found. */
    outcome: TradeStatus | Outcome | "did_not_land";
    /** The error's code; `null` for a trade. */
    code: Code | null;
    /** The HTTP status; `null` without an answer. */
    status: number | null;
}

/** What a client restores from a journal before its first trade, all as of one moment. */
export interface Recalled {
    /** The unresolved trades: begun and never settled, or of unknown outcome. */
    pending: Iterable<TradeIntent>;
    /** The ids of trades that landed or were accepted: none of them is sent again. */
    landed: Iterable<string>;
    /** Lamports that the buys among those spent since `sinceMs`: they count for the day's limit. */
    lamports: bigint;
}

/**
 * Records what is about to be sent, so that nothing that may have moved money is forgotten.
 *
 * A trade that waits past midnight (UTC) before it is sent counts for the new day: it is settled as `not_sent` and begun
 * again first.
 */
export interface Journal {
    /** Awaited before a trade is sent. If it throws, the trade is not sent. */
    begin(intent: TradeIntent): unknown;
    /** Awaited after a trade ended. If it throws, the trade's outcome does not change. */
    settle(intent: TradeIntent, settlement: Settlement): unknown;
    /** The unresolved trades: begun and never settled, or of unknown outcome. Called once, before the first trade. */
    pending?(): Iterable<TradeIntent> | Promise<Iterable<TradeIntent>>;
    /** The trades that landed or were accepted, of those admitted at `sinceMs` or later. They count for the day's limit,
     * so all of them are needed. */
    landed?(sinceMs: number): Iterable<TradeIntent> | Promise<Iterable<TradeIntent>>;
    /** Replaces `pending` and `landed` in a journal that keeps sums. Called once, before the first trade. */
    recall?(sinceMs: number): Recalled | Promise<Recalled>;
}

/** Called around each trade. */
export interface Hooks {
    /** Awaited before a trade is sent. If it throws, the trade is not sent. */
    beforeSend?(intent: TradeIntent): unknown;
    /** Awaited after a trade ended. What it throws changes nothing. */
    afterSettle?(intent: TradeIntent, settlement: Settlement): unknown;
}

/** Where log lines go. */
export interface Logger {
    /** Each step. */
    debug?(message: string, details: object): void;
    /** A trade that landed. */
    info?(message: string, details: object): void;
    /** A trade that was not made. */
    warn?(message: string, details: object): void;
    /** A trade of unknown outcome. */
    error?(message: string, details: object): void;
}
"#;

#[wasm_bindgen(module = "/src/wasm/runtime.js")]
extern "C" {
    #[wasm_bindgen(js_name = isPage)]
    fn is_page() -> bool;
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
    /// The journal, or `undefined`.
    pub journal: JsValue,
    /// How it sends.
    pub send: SendSettings,
}

/// Where a client sends.
pub struct Endpoint {
    /// Without a trailing slash.
    pub base_url: String,
    /// The key: text, a function, or `undefined`.
    pub key: JsValue,
    /// An injected `fetch`, or `undefined`.
    pub fetch: JsValue,
}

/// The headers that are each trade's own.
#[derive(Clone)]
pub struct OwnHeaders {
    /// Of the key, and what stands before the key in it.
    key: (String, &'static str),
    /// Of the intent id.
    intent: Option<String>,
}

/// What `withOptions` can change; absent is the default, or as it was.
pub struct SendSettings {
    settings: Tape,
    hooks: JsValue,
    logger: JsValue,
}

/// Reads the options of a client or a call. What comes from a prototype is no option, and is not dropped either: it may
/// have been meant as a limit.
fn read_options<T>(options: &JsValue, mut read: impl FnMut(&mut Reader) -> T) -> Result<T, Vec<FieldError>> {
    reader::read(given_options(options).root(), |r| {
        let whole = read(r);
        for name in r.absent() {
            if options.is_object() && is_hidden(options, name) {
                r.refuse(
                    name,
                    FieldCode::Conflict,
                    "is inherited or hidden: set it on the options themselves",
                );
            }
        }
        whole
    })
}

impl ClientSettings {
    /// Reads the options of a client.
    pub fn read(options: &JsValue) -> Result<ClientSettings, JsValue> {
        let read = read_options(options, |r| {
            let dialect = Dialect::read(r);
            let headers = OwnHeaders::read(r);
            ClientSettings {
                guards: guard::Settings::read(r, dialect.rules.slippage_unit),
                dialect,
                send: SendSettings::of(r, options, &headers),
                endpoint: Endpoint::read(r, options),
                headers,
                journal: read_journal(r, options),
            }
        });
        read.map_err(|problems| invalid_options("client options", problems))
    }
}

impl SendSettings {
    /// Reads what `withOptions` of a client with these headers is given, and nothing else.
    pub fn read(options: &JsValue, own: &OwnHeaders) -> Result<SendSettings, JsValue> {
        let read = read_options(options, |r| SendSettings::of(r, options, own));
        read.map_err(|problems| invalid_options("client options", problems))
    }

    fn of(r: &mut Reader, options: &JsValue, own: &OwnHeaders) -> SendSettings {
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
        let (hooks, logger) = ("hooks", "logger");
        SendSettings {
            settings: Tape::object(&settings),
            hooks: with_methods(r, options, hooks, &[], "must be an object of functions"),
            logger: with_methods(r, options, logger, &[], "must be an object of functions"),
        }
    }

    /// In the form that `carrier.js` needs.
    pub fn to_js(&self) -> JsValue {
        let settings = to_js(&self.settings);
        put(&settings, "hooks", &self.hooks);
        put(&settings, "logger", &self.logger);
        settings
    }
}

/// Adds a field to a fresh object, if there is a value.
fn put(object: &JsValue, name: &str, value: &JsValue) {
    if !value.is_undefined() {
        // A fresh object takes any field.
        let _ = Reflect::set(object, &name.into(), value);
    }
}

/// An object of JS that is more than data, with methods that it must have.
fn with_methods(
    r: &mut Reader,
    options: &JsValue,
    name: &'static str,
    methods: &[&str],
    what: &str,
) -> JsValue {
    if r.value(name).is_none() {
        return JsValue::UNDEFINED;
    }
    let object = property(options, name);
    if !object.is_object() || methods.iter().any(|name| method(&object, name).is_none()) {
        r.refuse(name, FieldCode::WrongType, what);
    }
    object
}

fn read_journal(r: &mut Reader, options: &JsValue) -> JsValue {
    with_methods(r, options, "journal", &["begin", "settle"], "must have the functions begin and settle")
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
            || is_reserved(name)
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

fn is_header_name(name: &str) -> bool {
    !name.is_empty() && name.bytes().all(|b| b.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&b))
}

/// Headers that the request needs for itself, that runtimes set or drop on their own, or that no request sends.
const RESERVED: &str = "content-type accept host content-length connection keep-alive transfer-encoding te upgrade expect cookie __proto__";

fn is_reserved(name: &str) -> bool {
    RESERVED.split(' ').any(|own| name.eq_ignore_ascii_case(own))
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

impl Endpoint {
    fn read(r: &mut Reader, options: &JsValue) -> Endpoint {
        let fetch = read_fetch(r, options);
        let base_url = read_base_url(r);
        // One that is inherited or hidden is refused as such.
        if r.value("baseURL").is_none() && !(options.is_object() && is_hidden(options, "baseURL")) {
            if !is_sandbox(&fetch) {
                let what =
                    "is missing; for a simulation pass the fetch of a Sandbox of launchpad-desk/launchpad";
                r.refuse("baseURL", FieldCode::Required, what);
            } else if is_lost(options, "baseURL") {
                // One that got lost on the way here would turn real trades into simulated ones.
                let what = "is given without a value; leave it out to trade in a sandbox";
                r.refuse("baseURL", FieldCode::Required, what);
            }
        }
        let key = read_key(r, options);
        if r.value("apiKey").is_none() && is_lost(options, "apiKey") {
            r.refuse("apiKey", FieldCode::Required, "is given without a value; leave it out to send none");
        }
        Endpoint { base_url: base_url.unwrap_or_else(|| NOWHERE.to_owned()), key, fetch }
    }

    /// In the form that `carrier.js` needs.
    pub fn to_js(&self, headers: &OwnHeaders) -> JsValue {
        let endpoint = to_js(&object! {
            "baseURL": self.base_url,
            "keyHeader": headers.key.0,
            "keyScheme": headers.key.1,
            "intentHeader": headers.intent,
        });
        put(&endpoint, "apiKey", &self.key);
        put(&endpoint, "fetch", &self.fetch);
        endpoint
    }
}

/// Whether an option that has no value is there all the same.
fn is_lost(options: &JsValue, name: &str) -> bool {
    options.is_object() && is_given(options, name)
}

fn read_fetch(r: &mut Reader, options: &JsValue) -> JsValue {
    if r.value("fetch").is_none() {
        return JsValue::UNDEFINED;
    }
    let fetch = property(options, "fetch");
    if !fetch.is_function() {
        r.refuse("fetch", FieldCode::WrongType, "must be a function");
    }
    fetch
}

/// Whether a `fetch` is a sandbox's, of this copy of the package or of another: `fetch_shape.js` says so.
fn is_sandbox(fetch: &JsValue) -> bool {
    Reflect::get(fetch, &js_sys::Symbol::for_("launchpad-desk.sandbox")).is_ok_and(|is| is == JsValue::TRUE)
}

fn read_base_url(r: &mut Reader) -> Option<String> {
    let text = r.text("baseURL")?;
    let Ok(url) = Url::new(text) else {
        r.refuse("baseURL", FieldCode::OutOfRange, "must be an absolute URL");
        return None;
    };
    let part = |name| property(&url, name).as_string().unwrap_or_default();
    let has = |name| !part(name).is_empty();
    let (protocol, host) = (part("protocol"), part("hostname"));
    let loopback =
        host == "localhost" || host == "[::1]" || is_ipv4_loopback(&host) || host.ends_with(".localhost");
    if protocol != "https:" && !(protocol == "http:" && loopback) {
        r.refuse("baseURL", FieldCode::OutOfRange, "must be https, or http on loopback");
    }
    if has("username") || has("password") {
        r.refuse("baseURL", FieldCode::OutOfRange, "must not hold a user name or a password");
    }
    if has("search") || has("hash") {
        r.refuse("baseURL", FieldCode::OutOfRange, "must not have a query or a fragment");
    }
    let origin_and_path = [part("origin"), part("pathname")].concat();
    if let Some(before) = before_version(&origin_and_path) {
        let what = ["must end before /v1, which the client adds: ", before].concat();
        r.refuse("baseURL", FieldCode::OutOfRange, &what);
    }
    Some(origin_and_path.trim_end_matches('/').to_owned())
}

/// What stands before `/v1` in a URL that ends with it, with `/v1/trade` or with the path of an operation.
fn before_version(url: &str) -> Option<&str> {
    let lower = url.trim_end_matches('/').to_ascii_lowercase();
    let at = match lower.strip_suffix("/v1") {
        Some(before) => before.len(),
        None => lower.find("/v1/trade").filter(|at| {
            // `/v1/trades` is another path.
            lower.get(at + "/v1/trade".len()..).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
        })?,
    };
    url.get(..at)
}

/// Whether a URL's host is an address of 127.0.0.0/8. A name may begin like one.
fn is_ipv4_loopback(host: &str) -> bool {
    host.starts_with("127.") && host.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.')
}

/// The name of a header that the request does not need for itself.
fn header_name<'a>(r: &mut Reader<'a>, option: &'static str) -> Option<&'a str> {
    let name = r.text(option)?;
    if !is_header_name(name) {
        r.refuse(option, FieldCode::OutOfRange, "must be a header name");
    } else if is_reserved(name) {
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

fn read_key(r: &mut Reader, options: &JsValue) -> JsValue {
    let allowed = r.boolean("dangerouslyAllowBrowser").unwrap_or(false);
    if r.value("apiKey").is_none() {
        return JsValue::UNDEFINED;
    }
    let key = property(options, "apiKey");
    if !key.is_function()
        && let Some((code, what)) = r.text("apiKey").and_then(key_problem)
    {
        r.refuse("apiKey", code, what);
    }
    if !allowed && is_page() {
        let what = "can be read by anyone who opens this page; use a gateway, or set dangerouslyAllowBrowser";
        r.refuse("apiKey", FieldCode::Conflict, what);
    }
    key
}

/// Options of one call.
pub struct CallOptions {
    /// Deadline in milliseconds.
    pub timeout_ms: Option<u32>,
    /// The caller's signal.
    pub signal: JsValue,
    /// The trade's id.
    pub intent_id: Option<String>,
    /// What its wallets hold before it is sent.
    pub before: Option<Vec<WalletBalances>>,
}

impl CallOptions {
    /// Reads the options of a call.
    pub fn read(options: &JsValue) -> Result<CallOptions, JsValue> {
        if options.is_undefined() {
            let signal = JsValue::UNDEFINED;
            return Ok(CallOptions { timeout_ms: None, signal, intent_id: None, before: None });
        }
        let mut signal = JsValue::UNDEFINED;
        let read = read_options(options, |r| {
            if r.value("signal").is_some() {
                signal = property(options, "signal");
                if property(&signal, "aborted").as_bool().is_none() {
                    r.refuse("signal", FieldCode::WrongType, "must be an AbortSignal");
                }
            }
            let intent_id = r.text("intentId").map(str::to_owned);
            if let Some((code, what)) = intent_id.as_deref().and_then(intent_id_problem) {
                r.refuse("intentId", code, what);
            }
            CallOptions {
                timeout_ms: r.whole_within("timeoutMs", 1, MAX_TIMEOUT_MS).map(|ms| ms as u32),
                signal: signal.clone(),
                intent_id,
                before: WalletBalances::read_list(r, "before"),
            }
        });
        read.map_err(|problems| invalid_options("call options", problems))
    }
}
