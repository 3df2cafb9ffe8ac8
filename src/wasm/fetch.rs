//! The fetch transport: one POST, one deadline over all of it, and a reply of bounded size.
//!
//! The request's parts are handed to `fetch` as `(url, init)`, not as a `Request`: an injected `fetch` of
//! another realm or library could not read ours. For the same reason the response is read by property, each
//! read caught: a getter of a foreign object may throw, and an exception that passes through a Rust future
//! would leave its promise pending for ever.

use js_sys::{Array, Function, Object, Promise, Reflect, Uint8Array};
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::JsFuture;

use crate::api::endpoint::{Call, Reply};
use crate::client::Lost;
use crate::value::Value;
use crate::wasm::convert::{method, property, to_js};

#[wasm_bindgen(module = "/src/wasm/runtime.js")]
extern "C" {
    #[wasm_bindgen(js_name = provesUnsent)]
    fn proves_unsent() -> bool;

    /// A deadline and a caller's signal, watched for one call.
    #[wasm_bindgen(js_name = Watch)]
    type JsWatch;

    #[wasm_bindgen(constructor, js_class = "Watch", catch)]
    fn new(ms: u32, caller: &JsValue) -> Result<JsWatch, JsValue>;

    #[wasm_bindgen(method, getter)]
    fn stop(this: &JsWatch) -> u32;

    #[wasm_bindgen(method, getter)]
    fn signal(this: &JsWatch) -> JsValue;

    #[wasm_bindgen(method)]
    fn first(this: &JsWatch, promise: &JsValue) -> Promise;

    #[wasm_bindgen(method)]
    fn release(this: &JsWatch);
}

/// Where and how a client sends.
pub struct Endpoint {
    /// Without a trailing slash.
    pub base_url: String,
    /// The header that carries the key, and its value.
    pub key: Option<Key>,
    /// An injected `fetch`; the runtime's own where absent.
    pub fetch: Option<Function>,
    /// The most bytes of a reply that are read.
    pub max_reply_bytes: u32,
}

/// An API key and where it goes.
pub struct Key {
    /// The header's name.
    pub header: String,
    /// What stands before the key in it.
    pub scheme: &'static str,
    /// The key: visible ASCII.
    pub secret: String,
}

/// Watches the deadline and the caller's signal; lets go of both when dropped.
struct Watch {
    timeout_ms: u32,
    js: JsWatch,
}

impl Watch {
    fn start(timeout_ms: u32, signal: &JsValue) -> Result<Watch, Lost> {
        let js = JsWatch::new(timeout_ms, signal);
        let js = js.map_err(|_| Lost::Unsupported("this runtime has no AbortController"))?;
        Ok(Watch { timeout_ms, js })
    }

    /// Waits for `promise`, or for the stop; `Ok(Err(_))` is what the promise was rejected with.
    async fn on(&self, promise: &JsValue) -> Result<Result<JsValue, JsValue>, Lost> {
        let settled = JsFuture::from(self.js.first(promise)).await;
        self.check()?;
        Ok(settled)
    }

    /// What stopped the call, if anything has.
    fn check(&self) -> Result<(), Lost> {
        match self.js.stop() {
            0 => Ok(()),
            1 => Err(Lost::Timeout { after_ms: self.timeout_ms }),
            _ => Err(Lost::Aborted),
        }
    }

    /// What a call means that threw: the stop, if there was one, else a broken connection.
    fn broken(&self, thrown: &JsValue) -> Lost {
        self.check().err().unwrap_or_else(|| Lost::Broken(error_code(thrown)))
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        self.js.release();
    }
}

impl Endpoint {
    /// Sends a call, once, under one deadline over queue, send and body.
    pub async fn send(&self, call: &Call, timeout_ms: u32, signal: &JsValue) -> Result<Reply, Lost> {
        let watch = Watch::start(timeout_ms, signal)?;
        let response = self.dispatch(call, &watch).await.map_err(|lost| self.without_key(lost))?;
        let status = status_of(property(&response, "status").as_f64().ok_or(Lost::Broken(None))?);
        let body = match self.body(&response, &watch).await {
            Ok(body) => self.redacted(body),
            // A refusal is told by its status, whatever becomes of its body.
            Err(_) if !(200..300).contains(&status) => Vec::new(),
            Err(lost) => return Err(Lost::Body { status, why: Box::new(self.without_key(lost)) }),
        };
        Ok(Reply { status, headers: headers(&response), body })
    }

    /// What was lost, without a code that an injected fetch made of the key.
    fn without_key(&self, lost: Lost) -> Lost {
        match (lost, &self.key) {
            (Lost::Broken(Some(code)), Some(key)) if holds(code.as_bytes(), key.secret.as_bytes()) => {
                Lost::Broken(None)
            }
            (lost, _) => lost,
        }
    }

    /// Calls `fetch`, once.
    async fn dispatch(&self, call: &Call, watch: &Watch) -> Result<JsValue, Lost> {
        let own = self.fetch.clone();
        let injected = own.is_some();
        let fetch = own.or_else(|| method(&js_sys::global(), "fetch"));
        let fetch = fetch.ok_or(Lost::Unsupported("this runtime has no fetch; pass one"))?;
        let url = [&self.base_url, call.path.as_str()].concat();
        let init = self.init(call, watch);
        // `this` is undefined: a bound fetch needs none, and a browser's refuses any but its own.
        let sent = fetch.call2(&JsValue::UNDEFINED, &url.into(), &init);
        let response = match sent {
            Ok(promise) => watch.on(&promise).await?,
            Err(thrown) => Err(thrown),
        };
        watch.check()?;
        response.map_err(|thrown| network_error(&thrown, injected))
    }

    fn init(&self, call: &Call, watch: &Watch) -> JsValue {
        // A plain object: an injected fetch of whatever realm or library can read it.
        let json = || Value::String("application/json".into());
        let mut headers = vec![("content-type".into(), json()), ("accept".into(), json())];
        if let Some(key) = &self.key {
            headers.push((key.header.clone().into(), Value::String([key.scheme, &key.secret].concat())));
        }
        let init = Object::new();
        let fields: [(&str, &JsValue); 5] = [
            ("method", &"POST".into()),
            ("headers", &to_js(&Value::Object(headers))),
            ("body", &call.body.as_str().into()),
            // A redirect that is followed would carry the key to wherever it points.
            ("redirect", &"manual".into()),
            ("signal", &watch.js.signal()),
        ];
        for (name, value) in fields {
            // A fresh object takes any field.
            let _ = Reflect::set(&init, &name.into(), value);
        }
        init.into()
    }

    /// Reads the body, and no more of it than is allowed.
    async fn body(&self, response: &JsValue, watch: &Watch) -> Result<Vec<u8>, Lost> {
        let broken = |thrown: JsValue| watch.broken(&thrown);
        let too_large = Lost::TooLarge { max_bytes: self.max_reply_bytes };
        let max = self.max_reply_bytes as usize;
        let stream = property(response, "body");
        let Some(get_reader) = method(&stream, "getReader") else {
            // An injected fetch may answer with something simpler than a stream.
            let Some(array_buffer) = method(response, "arrayBuffer") else { return Ok(Vec::new()) };
            let buffer = array_buffer.call0(response).map_err(broken)?;
            let buffer = watch.on(&buffer).await?.map_err(broken)?;
            return bytes_of(&buffer, max, too_large);
        };
        let reader = get_reader.call0(&stream).map_err(broken)?;
        let read = method(&reader, "read").ok_or(Lost::Broken(None))?;
        let mut body = Vec::new();
        let mut empty = 0;
        loop {
            let next = read.call0(&reader).map_err(broken)?;
            let chunk = watch.on(&next).await?.map_err(broken)?;
            if property(&chunk, "done").is_truthy() {
                return Ok(body);
            }
            let bytes = bytes_of(&property(&chunk, "value"), max - body.len(), too_large.clone())?;
            // A stream of nothing without end would leave no turn to the deadline.
            empty = if bytes.is_empty() { empty + 1 } else { 0 };
            if empty > MAX_EMPTY {
                return Err(Lost::Broken(None));
            }
            body.extend_from_slice(&bytes);
        }
    }

    /// The body without the key, for a service that echoes what it was sent, in whatever way JSON spells it.
    fn redacted(&self, body: Vec<u8>) -> Vec<u8> {
        let secret = self.key.as_ref().map_or(&[][..], |key| key.secret.as_bytes());
        if secret.is_empty() {
            return body;
        }
        let mut clean = Vec::with_capacity(body.len());
        let mut rest = body.as_slice();
        while let Some((first, others)) = rest.split_first() {
            match rest.strip_prefix(secret).or_else(|| after_spelling(rest, secret)) {
                Some(after) => {
                    clean.extend_from_slice(b"[redacted]");
                    rest = after;
                }
                None => {
                    clean.push(*first);
                    rest = others;
                }
            }
        }
        clean
    }
}

/// The bytes of an array buffer or a typed array, of whatever realm.
fn bytes_of(value: &JsValue, room: usize, too_large: Lost) -> Result<Vec<u8>, Lost> {
    let length = property(value, "byteLength").as_f64().ok_or(Lost::Broken(None))?;
    if length > room as f64 {
        return Err(too_large);
    }
    // By `Reflect`, since a buffer that was detached throws.
    let made = method(&js_sys::global(), "Uint8Array")
        .and_then(|array| Reflect::construct(&array, &Array::of1(value)).ok())
        .and_then(|bytes| bytes.dyn_into::<Uint8Array>().ok());
    made.map(|bytes| bytes.to_vec()).ok_or(Lost::Broken(None))
}

fn holds(text: &[u8], part: &[u8]) -> bool {
    text.windows(part.len()).any(|window| window == part)
}

/// What follows `secret` at the start of `json`, each of its bytes plain, after a backslash, as `\u00xx`, or as `%xx`
/// of a URL.
fn after_spelling<'a>(mut json: &'a [u8], secret: &[u8]) -> Option<&'a [u8]> {
    let digit = |byte: u8| char::from(byte).to_digit(16);
    for &byte in secret {
        json = match json {
            [b'\\', b'u', b'0', b'0', high, low, rest @ ..] | [b'%', high, low, rest @ ..]
                if digit(*high).zip(digit(*low)) == Some((u32::from(byte >> 4), u32::from(byte & 15))) =>
            {
                rest
            }
            // The three that JSON may put a backslash before, and still mean themselves.
            [b'\\', next @ (b'"' | b'\\' | b'/'), rest @ ..] if *next == byte => rest,
            [next, rest @ ..] if *next == byte => rest,
            _ => return None,
        };
    }
    Some(json)
}

/// The reply's headers that mean something to a trade: `retry-after`.
fn headers(response: &JsValue) -> Vec<(String, String)> {
    let name = "retry-after";
    let headers = property(response, "headers");
    let value = method(&headers, "get").and_then(|get| get.call1(&headers, &name.into()).ok());
    let value = value.and_then(|value| value.as_string());
    value.map(|value| (name.to_owned(), value)).into_iter().collect()
}

/// What a rejected `fetch` proves.
fn network_error(thrown: &JsValue, injected: bool) -> Lost {
    match error_code(thrown) {
        Some(code) if !injected && proves_unsent() && CONNECT_CODES.contains(&code.as_str()) => {
            Lost::NotConnected(code)
        }
        code => Lost::Broken(code),
    }
}

/// An HTTP status as a number has it; one that no status can be is no known one.
pub fn status_of(status: f64) -> u16 {
    let whole = status as u16;
    if f64::from(whole) == status { whole } else { u16::MAX }
}

/// The `code` of an error or of its cause, if it looks like one.
fn error_code(thrown: &JsValue) -> Option<String> {
    let looks_like_one = |code: &String| {
        code.len() <= 64 && code.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
    };
    [property(&property(thrown, "cause"), "code"), property(thrown, "code")]
        .iter()
        .find_map(|code| code.as_string().filter(looks_like_one))
}

/// How many empty pieces of a body may come in a row.
const MAX_EMPTY: u32 = 1_000;

/// Codes of failures before a connection is there to send on.
const CONNECT_CODES: [&str; 10] = [
    "ECONNREFUSED",
    "ENOTFOUND",
    "CERT_HAS_EXPIRED",
    "CERT_NOT_YET_VALID",
    "DEPTH_ZERO_SELF_SIGNED_CERT",
    "ERR_TLS_CERT_ALTNAME_INVALID",
    "SELF_SIGNED_CERT_IN_CHAIN",
    "UNABLE_TO_GET_ISSUER_CERT_LOCALLY",
    "UNABLE_TO_VERIFY_LEAF_SIGNATURE",
    // Bun's own word for a refused connection.
    "ConnectionRefused",
];
