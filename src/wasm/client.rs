//! `TradeClient`: one method for each operation.

use std::rc::Rc;

use js_sys::{Function, Promise, Reflect};
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::future_to_promise;
use web_sys::Url;

use crate::api::endpoint::{Call, Operation, Reply};
use crate::client::{Dialect, Lost, Prepared, Transport, carry_out, prepare};
use crate::error::{Error, FieldCode, FieldError, Warning};
use crate::reader::{self, Reader};
use crate::to_value;
use crate::value::{ToValue, Value};
use crate::wasm::convert::{from_js, property, to_js};
use crate::wasm::error::{invalid_options, to_error, to_error_with};
use crate::wasm::fetch::{Endpoint, Key};
use crate::wasm::sandbox::{InProcess, Sandbox};
use crate::wasm::trade::trade_value;

/// The fewest characters of an API key.
const MIN_KEY: usize = 8;

/// The longest time a timer of JS can wait.
const MAX_TIMEOUT_MS: u64 = (1 << 31) - 1;

/// Where a client with an injected `fetch` and no base URL sends: a name that never resolves.
const NOWHERE: &str = "https://sandbox.invalid";

#[wasm_bindgen(typescript_custom_section)]
const TYPES: &str = r#"
/** Options of a `TradeClient`. Unknown names are refused. */
export interface ClientOptions {
    /** Base URL of the service: https, or http on loopback. Without it the client trades in a sandbox of its own. */
    baseURL?: string;
    /** API key: visible ASCII, at least 8 characters. */
    apiKey?: string;
    /** Header that carries the key. Default `x-api-key`. */
    apiKeyHeader?: string;
    /** Sends the key as `authorization: Bearer <key>` instead. */
    authorization?: "bearer";
    /** Stands in for the runtime's `fetch`: `sandbox.fetch`, for one. Called with `this` undefined. */
    fetch?: (url: string, init: RequestInit) => Promise<Response>;
    /** Deadline over queue, send and body, in milliseconds. Default 30000, at most 2147483647. */
    timeoutMs?: number;
    /** The most bytes of a reply that are read. Default 1048576, at most 16777216. */
    maxReplyBytes?: number;
    /** Unit the service counts slippage in. Default `percent`. */
    slippageUnit?: "percent" | "bps";
    /** `base58` checks that mints and wallet ids are 32 bytes in base58. Default `any`. */
    identifiers?: "any" | "base58";
    /** The most elements of a bundle. Default: no limit. */
    maxBundleSize?: number;
    /** What the service calls the two branded fields of its replies. */
    replyNames?: { explorer?: string; launchpad?: string };
}

/** Options of one call. Unknown names are refused. */
export interface CallOptions {
    /** Aborts the call: `not_sent` before it is sent, `unknown` after. */
    signal?: AbortSignal;
    /** Deadline over queue, send and body, in milliseconds. Default: the client's. */
    timeoutMs?: number;
}
"#;

/// A trade that is checked and written, and not sent.
#[derive(tsify::Tsify)]
pub struct BuiltCall {
    /// What is asked for.
    pub operation: Operation,
    /// Always `POST`.
    #[tsify(type = "\"POST\"")]
    pub method: &'static str,
    /// The whole URL; `null` in a sandbox of the client's own.
    #[tsify(type = "string | null")]
    pub url: Option<String>,
    /// The path below the base URL.
    pub path: String,
    /// The JSON body, exactly as it would be sent.
    pub body: String,
    /// What is odd about the request.
    pub warnings: Vec<Warning>,
}
to_value!(BuiltCall { operation, method, url, path, body, warnings });

/// Sends trades, and says of each whether money may have moved.
///
/// Without a `baseURL` it trades in a sandbox of its own: no key, no network, no money.
///
/// ```js
/// const client = new TradeClient({ baseURL: "https://service.example", apiKey });
/// const trade = await client.buy({ mint, fromWallet, amountInLamports: 1_000_000_000 });
/// ```
///
/// A call resolves when the trade landed (`status: "landed"`) or the reply does not say
/// (`"unconfirmed"`). It rejects with `TradeNotSentError`, `TradeRejectedError`, `TradeFailedError` or
/// `TradeOutcomeUnknownError` otherwise. Nothing is ever sent twice.
#[wasm_bindgen]
pub struct TradeClient {
    shared: Rc<Shared>,
    sandbox: JsValue,
}

/// What calls in flight hold on to, so that none of them borrows the class.
struct Shared {
    dialect: Dialect,
    timeout_ms: u32,
    carrier: Carrier,
}

/// Where calls go.
enum Carrier {
    Fetch(Endpoint),
    Sandbox(InProcess),
}

#[wasm_bindgen]
impl TradeClient {
    /// Makes a client.
    ///
    /// @throws {TradeNotSentError} `invalid_options`, with every bad option in `fields`.
    #[wasm_bindgen(constructor)]
    pub fn new(
        #[wasm_bindgen(unchecked_optional_param_type = "ClientOptions")] options: &JsValue,
    ) -> Result<TradeClient, JsValue> {
        let given = given_options(options);
        let settings = reader::read(&given, |r| read_settings(r, options));
        let (dialect, timeout_ms, endpoint) =
            settings.map_err(|problems| invalid_options("client options", problems))?;
        let (carrier, sandbox) = match endpoint {
            Some(endpoint) => (Carrier::Fetch(endpoint), JsValue::UNDEFINED),
            None => {
                let sandbox = Sandbox::of_dialect(&dialect)
                    .map_err(|problems| invalid_options("client options", problems))?;
                (Carrier::Sandbox(sandbox.in_process()), sandbox.into())
            }
        };
        Ok(TradeClient { shared: Rc::new(Shared { dialect, timeout_ms, carrier }), sandbox })
    }

    /// The sandbox this client trades in; `undefined` for a client with a `baseURL` or a `fetch`.
    #[wasm_bindgen(getter, unchecked_return_type = "Sandbox | undefined")]
    pub fn sandbox(&self) -> JsValue {
        self.sandbox.clone()
    }

    /// Buys a token from one wallet.
    #[wasm_bindgen(unchecked_return_type = "Promise<BuyTrade>")]
    pub fn buy(
        &self,
        #[wasm_bindgen(unchecked_param_type = "BuyRequest")] request: &JsValue,
        #[wasm_bindgen(unchecked_optional_param_type = "CallOptions")] options: &JsValue,
    ) -> Promise {
        self.trade(Operation::Buy, request, options)
    }

    /// Sells an amount of a token from one wallet.
    #[wasm_bindgen(unchecked_return_type = "Promise<SellTrade>")]
    pub fn sell(
        &self,
        #[wasm_bindgen(unchecked_param_type = "SellRequest")] request: &JsValue,
        #[wasm_bindgen(unchecked_optional_param_type = "CallOptions")] options: &JsValue,
    ) -> Promise {
        self.trade(Operation::Sell, request, options)
    }

    /// Sells a percentage of one wallet's holdings of a token.
    #[wasm_bindgen(js_name = sellByPercentage, unchecked_return_type = "Promise<SellTrade>")]
    pub fn sell_by_percentage(
        &self,
        #[wasm_bindgen(unchecked_param_type = "SellByPercentageRequest")] request: &JsValue,
        #[wasm_bindgen(unchecked_optional_param_type = "CallOptions")] options: &JsValue,
    ) -> Promise {
        self.trade(Operation::SellByPercentage, request, options)
    }

    /// Buys a token from several wallets in one transaction.
    #[wasm_bindgen(js_name = bundleBuy, unchecked_return_type = "Promise<BundleTrade>")]
    pub fn bundle_buy(
        &self,
        #[wasm_bindgen(unchecked_param_type = "BundleBuyRequest")] request: &JsValue,
        #[wasm_bindgen(unchecked_optional_param_type = "CallOptions")] options: &JsValue,
    ) -> Promise {
        self.trade(Operation::BundleBuy, request, options)
    }

    /// Sells amounts of a token from several wallets in one transaction.
    #[wasm_bindgen(js_name = bundleSell, unchecked_return_type = "Promise<BundleTrade>")]
    pub fn bundle_sell(
        &self,
        #[wasm_bindgen(unchecked_param_type = "BundleSellRequest")] request: &JsValue,
        #[wasm_bindgen(unchecked_optional_param_type = "CallOptions")] options: &JsValue,
    ) -> Promise {
        self.trade(Operation::BundleSell, request, options)
    }

    /// Sells percentages of several wallets' holdings of a token in one transaction.
    #[wasm_bindgen(js_name = bundleSellByPercentage, unchecked_return_type = "Promise<BundleTrade>")]
    pub fn bundle_sell_by_percentage(
        &self,
        #[wasm_bindgen(unchecked_param_type = "BundleSellByPercentageRequest")] request: &JsValue,
        #[wasm_bindgen(unchecked_optional_param_type = "CallOptions")] options: &JsValue,
    ) -> Promise {
        self.trade(Operation::BundleSellByPercentage, request, options)
    }

    /// Checks a request and writes its exact bytes. Nothing is sent.
    ///
    /// @throws {TradeNotSentError} `invalid_request`, with every bad field in `fields`.
    #[wasm_bindgen(unchecked_return_type = "BuiltCall")]
    pub fn build(
        &self,
        #[wasm_bindgen(unchecked_param_type = "Operation")] operation: &JsValue,
        #[wasm_bindgen(unchecked_param_type = "RequestOf[Operation]")] request: &JsValue,
    ) -> Result<JsValue, JsValue> {
        let operation = operation_of(operation)?;
        let Prepared { call, warnings } =
            self.prepare(operation, request).map_err(|error| to_error(&error))?;
        let Call { operation, path, body } = call;
        let url = match &self.shared.carrier {
            Carrier::Fetch(endpoint) => Some([&endpoint.base_url, path.as_str()].concat()),
            Carrier::Sandbox(_) => None,
        };
        Ok(to_js(&BuiltCall { operation, method: "POST", url, path, body, warnings }.to_value()))
    }
}

impl TradeClient {
    fn prepare(&self, operation: Operation, request: &JsValue) -> Result<Prepared, Box<Error>> {
        prepare(operation, &from_js(request), &self.shared.dialect)
    }

    fn trade(&self, operation: Operation, request: &JsValue, options: &JsValue) -> Promise {
        let options = CallOptions::read(options, self.shared.timeout_ms);
        let prepared = self.prepare(operation, request);
        let shared = self.shared.clone();
        future_to_promise(async move {
            let options = options?;
            let prepared = prepared.map_err(|error| to_error(&error))?;
            let sending = Sending { carrier: &shared.carrier, options };
            let judged = carry_out(&sending, &prepared, &shared.dialect).await;
            match judged {
                Ok(trade) => Ok(to_js(&trade_value(&trade, &prepared.warnings))),
                Err(error) => Err(to_error_with(&error, &prepared.warnings)),
            }
        })
    }
}

/// One call on its way, to wherever it goes.
struct Sending<'a> {
    carrier: &'a Carrier,
    options: CallOptions,
}

impl Transport for Sending<'_> {
    async fn send(&self, call: &Call) -> Result<Reply, Lost> {
        let CallOptions { timeout_ms, signal } = &self.options;
        if property(signal, "aborted").is_truthy() {
            return Err(Lost::AbortedBeforeSend);
        }
        match self.carrier {
            Carrier::Fetch(endpoint) => endpoint.send(call, *timeout_ms, signal).await,
            Carrier::Sandbox(sandbox) => sandbox.send(call),
        }
    }
}

/// The operation that a JS value names.
pub fn operation_of(name: &JsValue) -> Result<Operation, JsValue> {
    name.as_string().and_then(|name| Operation::from_name(&name)).ok_or_else(|| {
        let names: Vec<&str> = Operation::ALL.iter().map(|operation| operation.name()).collect();
        let message = ["operation must be one of ", &names.join(", ")].concat();
        let problem = FieldError { field: "operation".into(), code: FieldCode::OutOfRange, message };
        to_error(&Error::invalid_request(vec![problem]))
    })
}

/// Options as given: none at all is the same as an empty object.
pub(super) fn given_options(options: &JsValue) -> Value {
    if options.is_undefined() || options.is_null() { Value::Object(Vec::new()) } else { from_js(options) }
}

/// Options of one call.
struct CallOptions {
    timeout_ms: u32,
    signal: JsValue,
}

impl CallOptions {
    fn read(options: &JsValue, timeout_ms: u32) -> Result<CallOptions, JsValue> {
        let signal = property(options, "signal");
        let is_signal = property(&signal, "aborted").as_bool().is_some();
        let read = reader::read(&given_options(options), |r| {
            if r.value("signal").is_some() && !is_signal {
                r.refuse("signal", FieldCode::WrongType, "must be an AbortSignal");
            }
            r.whole_within("timeoutMs", 1, MAX_TIMEOUT_MS).map_or(timeout_ms, |ms| ms as u32)
        });
        match read {
            Ok(timeout_ms) => Ok(CallOptions { timeout_ms, signal }),
            Err(problems) => Err(invalid_options("call options", problems)),
        }
    }
}

fn read_settings(r: &mut Reader, options: &JsValue) -> (Dialect, u32, Option<Endpoint>) {
    let dialect = Dialect::read(r);
    let timeout_ms = r.whole_within("timeoutMs", 1, MAX_TIMEOUT_MS).unwrap_or(30_000) as u32;
    let max_reply_bytes = r.whole_within("maxReplyBytes", 1, 1 << 24).unwrap_or(1 << 20) as u32;
    let base_url = read_base_url(r);
    let is_lost = Reflect::has(options, &"baseURL".into()).unwrap_or(false);
    if is_lost && r.value("baseURL").is_none() {
        // One that got lost on the way here would turn real trades into simulated ones.
        r.refuse(
            "baseURL",
            FieldCode::Required,
            "is given without a value; leave it out to trade in a sandbox",
        );
    }
    let fetch = property(options, "fetch").dyn_into::<Function>().ok();
    if r.value("fetch").is_some() && fetch.is_none() {
        r.refuse("fetch", FieldCode::WrongType, "must be a function");
    }
    let key = read_key(r);
    if base_url.is_none() && fetch.is_none() {
        let is_given = |name| r.value(name).is_some();
        if key.is_some() && !["baseURL", "fetch"].into_iter().any(is_given) {
            // A base URL that got lost on the way here would turn real trades into simulated ones.
            r.refuse("apiKey", FieldCode::Conflict, "is of no use without baseURL: the sandbox takes no key");
        }
        return (dialect, timeout_ms, None);
    }
    let base_url = base_url.unwrap_or_else(|| NOWHERE.to_owned());
    (dialect, timeout_ms, Some(Endpoint { base_url, key, fetch, max_reply_bytes }))
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
    Some(origin_and_path.trim_end_matches('/').to_owned())
}

/// Whether a host of a URL is an address of 127.0.0.0/8: a name may begin like one.
fn is_ipv4_loopback(host: &str) -> bool {
    host.starts_with("127.") && host.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.')
}

fn read_key(r: &mut Reader) -> Option<Key> {
    let header = r.text("apiKeyHeader");
    let bearer = r.choice("authorization", &[("bearer", ())]);
    if header.is_some() && bearer.is_some() {
        r.refuse("authorization", FieldCode::Conflict, "and apiKeyHeader contradict each other");
    }
    let is_token = |name: &str| {
        !name.is_empty() && name.bytes().all(|b| b.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&b))
    };
    if header.is_some_and(|name| !is_token(name)) {
        r.refuse("apiKeyHeader", FieldCode::OutOfRange, "must be a header name");
    }
    if header.is_some_and(|name| ["content-type", "accept"].iter().any(|own| name.eq_ignore_ascii_case(own)))
    {
        r.refuse("apiKeyHeader", FieldCode::Conflict, "is a header that the request needs for itself");
    }
    let secret = r.text("apiKey")?;
    if secret.is_empty() {
        r.refuse("apiKey", FieldCode::Empty, "is empty");
    } else if !secret.bytes().all(|byte| byte.is_ascii_graphic()) {
        r.refuse("apiKey", FieldCode::WhiteSpace, "must be visible ASCII, without white space");
    } else if secret.len() < MIN_KEY {
        // A shorter one would be taken out of replies where it is no key at all.
        r.refuse("apiKey", FieldCode::OutOfRange, "must have at least 8 characters");
    }
    let secret = secret.to_owned();
    Some(match bearer {
        Some(()) => Key { header: "authorization".into(), scheme: "Bearer ", secret },
        None => Key { header: header.unwrap_or("x-api-key").to_owned(), scheme: "", secret },
    })
}
