//! The fetch transport: one POST, one deadline over all of it, and a reply of bounded size.
//!
//! The request's parts are handed to `fetch` as `(url, init)`, not as a `Request`: an injected `fetch` of
//! another realm or library could not read ours. For the same reason the response is read by property, each
//! read caught: a getter of a foreign object may throw, and an exception that passes through a Rust future
//! would leave its promise pending for ever.

use std::cell::Cell;
use std::rc::Rc;

use gloo_net::http::Headers;
use js_sys::{Array, Function, Object, Promise, Reflect, Uint8Array};
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::JsFuture;
use web_sys::AbortController;

use crate::api::endpoint::{Call, Reply};
use crate::client::Lost;
use crate::wasm::convert::{method, property};

#[wasm_bindgen]
extern "C" {
    #[wasm_bindgen(js_name = setTimeout)]
    fn set_timeout(run: &Function, ms: u32) -> JsValue;

    #[wasm_bindgen(js_name = clearTimeout)]
    fn clear_timeout(timer: &JsValue);
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

/// What ended a call before its reply did.
#[derive(Clone, Copy, PartialEq)]
enum Stop {
    No,
    Timeout,
    Abort,
}

/// Watches the deadline and the caller's signal; lets go of both when dropped.
struct Watch {
    timeout_ms: u32,
    controller: AbortController,
    stop: Rc<Cell<Stop>>,
    /// Resolves when the call is to end, for a `fetch` that does not heed its signal.
    stopped: Promise,
    timer: JsValue,
    signal: JsValue,
    listener: Function,
    _closures: [Closure<dyn FnMut()>; 2],
}

impl Watch {
    fn start(timeout_ms: u32, signal: &JsValue) -> Result<Watch, Lost> {
        let controller =
            AbortController::new().map_err(|_| Lost::Unsupported("this runtime has no AbortController"))?;
        let stop = Rc::new(Cell::new(Stop::No));
        let mut resolve = None;
        let stopped = Promise::new(&mut |done, _| resolve = Some(done));
        let end = |why: Stop| {
            let (controller, stop, resolve) = (controller.clone(), stop.clone(), resolve.clone());
            Closure::<dyn FnMut()>::new(move || {
                if stop.get() == Stop::No {
                    stop.set(why);
                    controller.abort();
                    if let Some(resolve) = &resolve {
                        // A promise's own resolve does not throw.
                        let _ = resolve.call0(&JsValue::UNDEFINED);
                    }
                }
            })
        };
        let closures = [end(Stop::Timeout), end(Stop::Abort)];
        let [on_timeout, on_abort] = &closures;
        let listener: Function = on_abort.as_ref().unchecked_ref::<Function>().clone();
        if let Some(add) = method(signal, "addEventListener") {
            // A signal that cannot be listened to is watched by the deadline alone.
            let _ = add.call2(signal, &JsValue::from_str("abort"), &listener);
        }
        let timer = set_timeout(on_timeout.as_ref().unchecked_ref(), timeout_ms);
        Ok(Watch {
            timeout_ms,
            controller,
            stop,
            stopped,
            timer,
            signal: signal.clone(),
            listener,
            _closures: closures,
        })
    }

    /// Waits for `promise`, or for the stop; `Ok(Err(_))` is what the promise was rejected with.
    async fn on(&self, promise: &JsValue) -> Result<Result<JsValue, JsValue>, Lost> {
        let first = Promise::race(&Array::of2(promise, &self.stopped));
        let settled = JsFuture::from(first).await;
        self.check()?;
        Ok(settled)
    }

    /// What stopped the call, if anything has.
    fn check(&self) -> Result<(), Lost> {
        match self.stop.get() {
            Stop::No => Ok(()),
            Stop::Timeout => Err(Lost::Timeout { after_ms: self.timeout_ms }),
            Stop::Abort => Err(Lost::Aborted),
        }
    }

    /// What a call means that threw: the stop, if there was one, else a broken connection.
    fn broken(&self, thrown: &JsValue) -> Lost {
        self.check().err().unwrap_or_else(|| Lost::Broken(error_code(thrown)))
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        clear_timeout(&self.timer);
        if let Some(remove) = method(&self.signal, "removeEventListener") {
            let _ = remove.call2(&self.signal, &JsValue::from_str("abort"), &self.listener);
        }
        // What is still under way is of no more use: a body half read, a fetch that was outrun.
        self.controller.abort();
    }
}

impl Endpoint {
    /// Sends a call, once, under one deadline over queue, send and body.
    pub async fn send(&self, call: &Call, timeout_ms: u32, signal: &JsValue) -> Result<Reply, Lost> {
        let watch = Watch::start(timeout_ms, signal)?;
        let response = self.dispatch(call, &watch).await?;
        let status = property(&response, "status").as_f64().ok_or(Lost::Broken(None))? as u16;
        let body = self.body(&response, status, &watch).await?;
        Ok(Reply { status, headers: headers(&response), body: self.redacted(body) })
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
        // Sound here: the key was checked when the client was made, so no value is one that Headers refuses.
        let headers = Headers::new();
        headers.set("content-type", "application/json");
        headers.set("accept", "application/json");
        if let Some(key) = &self.key {
            headers.set(&key.header, &[key.scheme, &key.secret].concat());
        }
        let init = Object::new();
        let fields: [(&str, &JsValue); 5] = [
            ("method", &"POST".into()),
            ("headers", &headers.into_raw()),
            ("body", &call.body.as_str().into()),
            // A redirect that is followed would carry the key to wherever it points.
            ("redirect", &"manual".into()),
            ("signal", &watch.controller.signal()),
        ];
        for (name, value) in fields {
            // A fresh object takes any field.
            let _ = Reflect::set(&init, &name.into(), value);
        }
        init.into()
    }

    /// Reads the body, and no more of it than is allowed.
    async fn body(&self, response: &JsValue, status: u16, watch: &Watch) -> Result<Vec<u8>, Lost> {
        let broken = |thrown: JsValue| watch.broken(&thrown);
        let too_large = Lost::TooLarge { status, max_bytes: self.max_reply_bytes };
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
        loop {
            let next = read.call0(&reader).map_err(broken)?;
            let chunk = watch.on(&next).await?.map_err(broken)?;
            if property(&chunk, "done").is_truthy() {
                return Ok(body);
            }
            let room = max - body.len();
            body.extend_from_slice(&bytes_of(&property(&chunk, "value"), room, too_large.clone())?);
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

/// What follows `secret` at the start of `json`, each of its bytes plain, after a backslash, or as `\u00xx`.
fn after_spelling<'a>(mut json: &'a [u8], secret: &[u8]) -> Option<&'a [u8]> {
    let digit = |byte: u8| char::from(byte).to_digit(16);
    for &byte in secret {
        json = match json {
            [b'\\', b'u', b'0', b'0', high, low, rest @ ..]
                if digit(*high).zip(digit(*low)) == Some((u32::from(byte >> 4), u32::from(byte & 15))) =>
            {
                rest
            }
            [b'\\', next, rest @ ..] | [next, rest @ ..] if *next == byte => rest,
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
    let code = error_code(thrown);
    match code {
        // Only the runtime's own fetch is known to try just once, and only Node's and Bun's to tell why.
        Some(code) if !injected && tells_codes() && CONNECT_CODES.contains(&code.as_str()) => {
            Lost::NotConnected(code)
        }
        code => Lost::Broken(code),
    }
}

/// The `code` of an error or of its cause, if it looks like one.
fn error_code(thrown: &JsValue) -> Option<String> {
    let looks_like_one = |code: &String| {
        code.len() <= 64
            && code.bytes().all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit() || byte == b'_')
    };
    [property(&property(thrown, "cause"), "code"), property(thrown, "code")]
        .iter()
        .find_map(JsValue::as_string)
        .filter(looks_like_one)
}

fn tells_codes() -> bool {
    let global = js_sys::global();
    let versions = property(&property(&global, "process"), "versions");
    property(&versions, "node").is_string() && property(&global, "Deno").is_undefined()
}

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
