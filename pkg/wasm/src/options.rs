//! The options of a client and of a call, checked. What only JS can see about them is passed with them, as `seen`: see
//! `pkg/src/trade/options.ts`.

use std::sync::Arc;

use wasm_bindgen::prelude::*;

use crate::call;
use crate::crossing::{Failure, answer};
use launchpad_desk::bindings::drivers::TRADE_TIMEOUT_MS;
use launchpad_desk::bindings::object;
use launchpad_desk::bindings::reader::{MOST_TIMER_MS, NOT_ITS_OWN, Reader};
use launchpad_desk::error::{FieldCode, FieldError};
use launchpad_desk::intent::intent_id_problem;
use launchpad_desk::tape::{Data, Item};
use launchpad_desk::trade::flow::{
    GATEWAY_INTENT, HeaderProblem, Headers, KEY_HEADER, KeySource, MOST_REPLY_BYTES, MOST_RETRIES, Terms,
    header_name_problem,
};
use launchpad_desk::trade::guard;
use launchpad_desk::trade::plan::{Destination, MOST_VALID_FOR_MS, VALID_FOR_MS};
use launchpad_desk::trade::reconcile::WalletBalances;
use launchpad_desk::trade::{Dialect, Key, SANDBOX_URL, UrlParts};

/// The names of all options, by the calls that take them. JS looks for those that are inherited or hidden.
#[wasm_bindgen(js_name = optionNames)]
pub fn option_names() -> JsValue {
    let (none, headers) = (object! {}, Headers::default());
    let names = |read: &mut dyn FnMut(&mut Reader)| {
        let mut names = Vec::new();
        // Nothing is given, so every option is asked for and found absent, and required ones are reported as missing.
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
        "plan": names(&mut |r| drop(PlanOptions::of(r, seen))),
        "planned": names(&mut |r| _ = timeout_of(r, seen)),
    }))
}

/// What JS saw about the options.
#[derive(Clone, Copy)]
struct Seen<'t>(Item<'t>);

impl<'t> Seen<'t> {
    fn get(self, name: &str) -> Item<'t> {
        self.0.get(name).unwrap_or_default()
    }

    /// The kind of an option, as `typeof` gives it; `undefined` if it is absent.
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

/// Reads the options of a client or a call. An inherited field is not an option, but it is not ignored either, because it may
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
                r.refuse(name, FieldCode::Conflict, NOT_ITS_OWN);
            }
        }
        whole
    });
    read.map_err(|problems: Vec<FieldError>| Failure::of_options(what, problems))
}

/// The settings of a client.
pub struct ClientSettings {
    /// The limits that are checked before money may move.
    pub guards: guard::Settings,
    /// Where it sends.
    pub destination: Destination,
    /// How it sends.
    pub sending: Sending,
}

impl ClientSettings {
    /// Reads the options of a client.
    pub fn read(call: Item) -> Result<ClientSettings, Failure> {
        read_options(call, "client options", ClientSettings::of)
    }

    fn of(r: &mut Reader, seen: Seen) -> ClientSettings {
        let dialect = Dialect::read(r);
        let is_gateway = gateway(r, seen);
        let headers = own_headers(r, is_gateway);
        let mut guards = guard::Settings::read(r, dialect.rules.slippage_unit);
        guards.buys_may_exceed = dialect.buys_may_exceed;
        let settings = SendSettings::of(r, seen, &headers);
        let (base_url, key) = endpoint(r, seen, is_gateway);
        let has_journal = seen.kind("journal") == "object";
        let ask_again = if is_gateway { MOST_RETRIES } else { 0 };
        // A market records what the wallets hold, instead of the hook.
        let has_before_send = seen.kind("market") == "object";
        let terms = Terms {
            has_market: has_before_send,
            dialect,
            key,
            headers,
            has_journal,
            has_before_send,
            ask_again,
            ..Terms::default()
        };
        let settle_after_ms = r.whole_within("settleAfterMs", 1, MOST_TIMER_MS).map(|ms| ms as u32);
        if settle_after_ms.is_some() && !has_before_send {
            r.refuse("settleAfterMs", FieldCode::Conflict, "needs the option market");
        }
        let has_drift = has_before_send && seen.kind("drift") == "function";
        let check_drift = r.boolean("checkDrift");
        if check_drift == Some(true) && !has_drift {
            r.refuse("checkDrift", FieldCode::Conflict, "needs the option market, one that has drift");
        }
        let sending = Sending {
            terms: Arc::new(terms),
            timeout_ms: TRADE_TIMEOUT_MS,
            log_level: INFO,
            settle_after_ms,
            checks_drift: check_drift.unwrap_or(true) && has_drift,
        };
        let kinds = [("journal", "object"), ("begin", "function"), ("settle", "function")];
        need(r, seen, "journal", &kinds, "must have the functions begin and settle");
        let kinds = [
            ("market", "object"),
            ("quoteBody", "function"),
            ("before", "function"),
            ("settleTrade", "function"),
            ("confirm", "function"),
        ];
        need(r, seen, "market", &kinds, "must be a Market of launchpad-desk/market, or a Sandbox");
        let destination = Destination { base_url, is_simulated: seen.get("isSandbox") == Data::Bool(true) };
        ClientSettings { guards, destination, sending: settings.over(&sending) }
    }
}

/// How a client sends.
#[derive(Clone, Default)]
pub struct Sending {
    /// The terms of each trade's flow.
    pub terms: Arc<Terms>,
    /// The deadline.
    pub timeout_ms: u32,
    /// The lowest level that is logged: its index in `LEVELS` of `pkg/src/trade/sender.ts`.
    pub log_level: u32,
    /// How long after a trade was left without an outcome the market is asked by itself.
    pub settle_after_ms: Option<u32>,
    /// Whether landed trades are compared with their quotes.
    pub checks_drift: bool,
}

/// The level that is logged by default.
const INFO: u32 = 1;

/// The options that `withOptions` can change; `None` for those that are not given.
pub struct SendSettings {
    timeout_ms: Option<u32>,
    max_reply_bytes: Option<u32>,
    retry_not_sent: Option<u32>,
    ask_again_within_ms: Option<u32>,
    dry_run: Option<bool>,
    log_level: Option<u32>,
    headers: Option<Vec<(String, String)>>,
    has_hooks: bool,
}

impl SendSettings {
    /// Reads the options that are given to `withOptions` of a client with these headers.
    pub fn read(call: Item, own: &Headers) -> Result<SendSettings, Failure> {
        read_options(call, "client options", |r, seen| SendSettings::of(r, seen, own))
    }

    fn of(r: &mut Reader, seen: Seen, own: &Headers) -> SendSettings {
        const LEVELS: [(&str, u32); 4] = [("debug", 0), ("info", INFO), ("warn", 2), ("error", 3)];
        let mut whole = |name, min, max| r.whole_within(name, min, max).map(|whole| whole as u32);
        let settings = SendSettings {
            timeout_ms: whole("timeoutMs", 1, MOST_TIMER_MS),
            max_reply_bytes: whole("maxReplyBytes", 1, MOST_REPLY_BYTES.into()),
            retry_not_sent: whole("retryNotSent", 0, MOST_RETRIES.into()),
            ask_again_within_ms: whole("askAgainWithinMs", 0, MOST_TIMER_MS),
            dry_run: r.boolean("dryRun"),
            log_level: r.choice("logLevel", &LEVELS),
            headers: default_headers(r, own),
            has_hooks: seen.kind("hooks") == "object",
        };
        for name in ["hooks", "logger"] {
            need(r, seen, name, &[(name, "object")], "must be an object of functions");
        }
        settings
    }

    /// These settings, with those of `sending` for the rest.
    pub fn over(self, sending: &Sending) -> Sending {
        let mut terms = (*sending.terms).clone();
        // JS calls the functions that the hooks have at the time of the call.
        terms.has_before_send |= self.has_hooks;
        terms.has_after_settle |= self.has_hooks;
        terms.max_reply_bytes = self.max_reply_bytes.unwrap_or(terms.max_reply_bytes);
        terms.retry_not_sent = self.retry_not_sent.unwrap_or(terms.retry_not_sent);
        terms.ask_again_within_ms = self.ask_again_within_ms.unwrap_or(terms.ask_again_within_ms);
        terms.dry_run = self.dry_run.unwrap_or(terms.dry_run);
        if let Some(headers) = self.headers {
            terms.headers.more = headers;
        }
        Sending {
            terms: Arc::new(terms),
            timeout_ms: self.timeout_ms.unwrap_or(sending.timeout_ms),
            log_level: self.log_level.unwrap_or(sending.log_level),
            settle_after_ms: sending.settle_after_ms,
            checks_drift: sending.checks_drift,
        }
    }
}

/// Refuses an option of the wrong kind, or one that JS could not read.
fn need(r: &mut Reader, seen: Seen, name: &'static str, kinds: &[(&str, &str)], what: &str) {
    let is_given = r.value(name).is_some() || seen.kind(name) != "undefined";
    if is_given && kinds.iter().any(|(seen_as, kind)| seen.kind(seen_as) != *kind) {
        r.refuse(name, FieldCode::WrongType, what);
    }
}

/// Reads `defaultHeaders`.
fn default_headers(r: &mut Reader, own: &Headers) -> Option<Vec<(String, String)>> {
    const NAME: &str = "defaultHeaders";
    let Some(fields) = r.value(NAME)?.fields() else {
        r.refuse(NAME, FieldCode::WrongType, "must be an object");
        return None;
    };
    // A value that is not text is replaced by one that no header can have, and so refused.
    let text = |value: Item| if let Data::String(text) = value.data() { text } else { "\n" }.to_owned();
    let more = fields.map(|(name, value)| (name.to_owned(), text(value))).collect();
    let headers = Headers { more, ..own.clone() };
    if let Some(HeaderProblem { code, what, .. }) = headers.problem_of_more() {
        r.refuse(NAME, code, what);
        return None;
    }
    Some(headers.more)
}

/// Reads whether it sends to a gateway that forwards each intent once.
fn gateway(r: &mut Reader, seen: Seen) -> bool {
    let is_gateway = r.boolean("gateway").unwrap_or(false);
    if is_gateway && seen.get("isSandbox") == Data::Bool(true) {
        // A sandbox makes every trade that is sent to it, even the same one twice.
        r.refuse("gateway", FieldCode::Conflict, "and the fetch of a sandbox contradict each other");
    }
    is_gateway
}

/// Reads which headers carry the key and the intent id.
fn own_headers(r: &mut Reader, is_gateway: bool) -> Headers {
    let (key, key_scheme) = key_header(r, is_gateway);
    let intent = header_name(r, "intentHeader").map(str::to_owned);
    if is_gateway && intent.is_some() {
        let what = "and gateway contradict each other: a gateway has a header of its own";
        r.refuse("intentHeader", FieldCode::Conflict, what);
    }
    let intent = if is_gateway { Some(GATEWAY_INTENT.to_owned()) } else { intent };
    let headers = Headers { key, key_scheme, intent, more: Vec::new() };
    if let Some(HeaderProblem { code, what, .. }) = headers.problem_of_intent() {
        r.refuse("intentHeader", code, what);
    }
    headers
}

/// Reads where a client sends, and with which key.
fn endpoint(r: &mut Reader, seen: Seen, is_gateway: bool) -> (String, KeySource) {
    need(r, seen, "fetch", &[("fetch", "function")], "must be a function");
    let base_url = read_base_url(r, seen);
    // An inherited or hidden one is refused elsewhere.
    if r.value("baseURL").is_none() && !seen.lists("hidden", "baseURL") {
        if seen.get("isSandbox") != Data::Bool(true) {
            let what = "is missing; for a simulation pass the fetch of a Sandbox of launchpad-desk/sandbox";
            r.refuse("baseURL", FieldCode::Required, what);
        } else if seen.lists("own", "baseURL") {
            // A base URL that got lost on the way would turn real trades into simulated ones.
            let what = "is given without a value; leave it out to trade in a sandbox";
            r.refuse("baseURL", FieldCode::Required, what);
        }
    }
    let key = read_key(r, seen, is_gateway);
    (base_url.unwrap_or_else(|| SANDBOX_URL.to_owned()), key)
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
    if let Some((code, what)) = header_name_problem(name) {
        r.refuse(option, code, what);
    }
    Some(name)
}

/// Callers send a gateway their token as a bearer token.
fn key_header(r: &mut Reader, is_gateway: bool) -> (String, &'static str) {
    let header = header_name(r, "apiKeyHeader");
    let bearer = r.choice("authorization", &[("bearer", ())]);
    if header.is_some() && bearer.is_some() {
        r.refuse("authorization", FieldCode::Conflict, "and apiKeyHeader contradict each other");
    }
    match bearer {
        Some(()) => ("authorization".into(), "Bearer "),
        None if is_gateway && header.is_none() => ("authorization".into(), "Bearer "),
        None => (header.unwrap_or(KEY_HEADER).to_owned(), ""),
    }
}

/// Reads `apiKey`. For a gateway it is the caller's own token, so a page may hold it.
fn read_key(r: &mut Reader, seen: Seen, is_gateway: bool) -> KeySource {
    let allowed = r.boolean("dangerouslyAllowBrowser").unwrap_or(false) || is_gateway;
    if r.value("apiKey").is_none() {
        if seen.lists("own", "apiKey") {
            r.refuse("apiKey", FieldCode::Required, "is given without a value; leave it out to send none");
        }
        return KeySource::None;
    }
    let mut source = KeySource::Asked;
    if seen.kind("apiKey") != "function" {
        source = match r.text("apiKey").map(Key::new) {
            Some(Ok(key)) => KeySource::Fixed(key),
            Some(Err((code, what))) => {
                r.refuse("apiKey", code, what);
                KeySource::None
            }
            None => KeySource::None,
        };
    }
    if !allowed && seen.get("isPage") == Data::Bool(true) {
        let what = "can be read by anyone who opens this page; use a gateway, or set dangerouslyAllowBrowser";
        r.refuse("apiKey", FieldCode::Conflict, what);
    }
    source
}

/// What a caller says about the trade itself.
pub struct OwnOptions {
    /// The trade's id.
    pub intent_id: Option<String>,
    /// What its wallets hold before it is sent.
    pub before: Option<Vec<WalletBalances>>,
}

impl OwnOptions {
    fn of(r: &mut Reader) -> OwnOptions {
        let intent_id = r.text("intentId").map(str::to_owned);
        if let Some((code, what)) = intent_id.as_deref().and_then(intent_id_problem) {
            r.refuse("intentId", code, what);
        }
        OwnOptions { intent_id, before: WalletBalances::read_list(r, "before") }
    }
}

/// Reads how long a call may take, and what aborts it.
fn timeout_of(r: &mut Reader, seen: Seen) -> Option<u32> {
    need(r, seen, "signal", &[("aborted", "boolean")], "must be an AbortSignal");
    r.whole_within("timeoutMs", 1, MOST_TIMER_MS).map(|ms| ms as u32)
}

/// Options of one call.
pub struct CallOptions {
    /// What the caller says about the trade.
    pub own: OwnOptions,
    /// Deadline in milliseconds.
    pub timeout_ms: Option<u32>,
}

impl CallOptions {
    /// Reads the options of a call.
    pub fn read(call: Item) -> Result<CallOptions, Failure> {
        if call.get("options").is_none() {
            return Ok(CallOptions { own: OwnOptions { intent_id: None, before: None }, timeout_ms: None });
        }
        read_options(call, "call options", CallOptions::of)
    }

    /// Reads the options of a call that sends a plan; everything else is in the plan.
    pub fn read_timeout(call: Item) -> Result<Option<u32>, Failure> {
        if call.get("options").is_none() {
            return Ok(None);
        }
        read_options(call, "call options", timeout_of)
    }

    fn of(r: &mut Reader, seen: Seen) -> CallOptions {
        CallOptions { timeout_ms: timeout_of(r, seen), own: OwnOptions::of(r) }
    }
}

/// Options of a plan.
pub struct PlanOptions {
    /// What the caller says about the trade.
    pub own: OwnOptions,
    /// How long the plan stays valid.
    pub valid_for_ms: u64,
}

impl PlanOptions {
    /// Reads the options of a plan.
    pub fn read(call: Item) -> Result<PlanOptions, Failure> {
        if call.get("options").is_none() {
            let own = OwnOptions { intent_id: None, before: None };
            return Ok(PlanOptions { own, valid_for_ms: VALID_FOR_MS });
        }
        read_options(call, "plan options", PlanOptions::of)
    }

    fn of(r: &mut Reader, seen: Seen) -> PlanOptions {
        need(r, seen, "price", &[("price", "function")], "must be a function");
        let valid_for_ms = r.whole_within("validForMs", 1, MOST_VALID_FOR_MS).unwrap_or(VALID_FOR_MS);
        PlanOptions { own: OwnOptions::of(r), valid_for_ms }
    }
}
