//! `Sandbox`: the simulated service for JS, in the Fetch API's own shape.

use std::cell::RefCell;
use std::rc::Rc;

use gloo_net::http::Response;
use js_sys::{Array, Date, Function, Promise, Uint8Array};
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::{JsFuture, future_to_promise};

use crate::api::endpoint::{Call, Reply};
use crate::client::{Dialect, Lost, Transport};
use crate::error::FieldError;
use crate::sandbox::{self, HttpRequest, SandboxConfig};
use crate::value::ToValue;
use crate::wasm::client::given_options;
use crate::wasm::convert::{method, property, to_js};
use crate::wasm::error::invalid_options;

#[wasm_bindgen]
extern "C" {
    #[wasm_bindgen(js_namespace = Array, js_name = from, catch)]
    fn array_from(iterable: &JsValue) -> Result<Array, JsValue>;

    /// A `Request` of this realm, made from whatever `fetch` was given.
    #[wasm_bindgen(js_name = Request)]
    type FetchRequest;

    #[wasm_bindgen(constructor, js_class = "Request", catch)]
    fn new(input: &JsValue, init: &JsValue) -> Result<FetchRequest, JsValue>;
}

/// A simulated launchpad that serves the six endpoints in-process.
///
/// ```js
/// const sandbox = new Sandbox();
/// const client = new TradeClient({ fetch: sandbox.fetch });
/// ```
///
/// Same state and same calls give the same bytes. `fetch` has the Fetch API's shape, so it also serves as
/// `export default { fetch: sandbox.fetch }` of a worker and under the servers of Bun and Deno.
#[wasm_bindgen]
pub struct Sandbox {
    world: InProcess,
    fetch: Function,
}

/// The sandbox itself, shared with clients and calls in flight.
#[derive(Clone)]
pub struct InProcess {
    sandbox: Rc<RefCell<sandbox::Sandbox>>,
    on_changes: Rc<RefCell<Option<Function>>>,
}

#[wasm_bindgen]
impl Sandbox {
    /// Makes a sandbox; without a config, one with two tokens and three funded wallets.
    ///
    /// @throws {TradeNotSentError} `invalid_options`, with every bad setting in `fields`.
    #[wasm_bindgen(constructor)]
    pub fn new(
        #[wasm_bindgen(unchecked_optional_param_type = "SandboxConfig")] config: &JsValue,
    ) -> Result<Sandbox, JsValue> {
        let config = SandboxConfig::read(&given_options(config)).map_err(bad_config)?;
        Ok(Sandbox::of(sandbox::Sandbox::new(config).map_err(bad_config)?))
    }

    /// Makes a sandbox that goes on where a snapshot was taken. The config is given anew.
    ///
    /// @throws {TradeNotSentError} `invalid_options`, where the snapshot or the config cannot be used.
    pub fn restore(
        snapshot: &str,
        #[wasm_bindgen(unchecked_optional_param_type = "SandboxConfig")] config: &JsValue,
    ) -> Result<Sandbox, JsValue> {
        let config = SandboxConfig::read(&given_options(config)).map_err(bad_config)?;
        let bad_snapshot = |problems| invalid_options("sandbox snapshot", problems);
        Ok(Sandbox::of(sandbox::Sandbox::restore(config, snapshot).map_err(bad_snapshot)?))
    }

    /// Answers a request as the service would. Bound to its sandbox: it may be passed on alone.
    #[wasm_bindgen(
        getter,
        unchecked_return_type = "(input: Request | URL | string, init?: unknown, context?: unknown) => Promise<Response>"
    )]
    pub fn fetch(&self) -> Function {
        self.fetch.clone()
    }

    /// The whole state as JSON text, for `Sandbox.restore`.
    pub fn snapshot(&self) -> String {
        self.world.sandbox.borrow().snapshot()
    }

    /// The caller's account: its level, its transactions and the network fees it paid.
    #[wasm_bindgen(getter, unchecked_return_type = "AccountRow")]
    pub fn account(&self) -> JsValue {
        to_js(&self.world.sandbox.borrow().account().to_value())
    }

    /// The wallets and what they hold.
    #[wasm_bindgen(getter, unchecked_return_type = "SandboxWallet[]")]
    pub fn wallets(&self) -> JsValue {
        to_js(&self.world.sandbox.borrow().wallets().to_value())
    }

    /// The tokens and their curves.
    #[wasm_bindgen(getter, unchecked_return_type = "SandboxToken[]")]
    pub fn tokens(&self) -> JsValue {
        to_js(&self.world.sandbox.borrow().tokens().to_value())
    }

    /// The newest transactions, landed and failed, oldest first.
    #[wasm_bindgen(getter, unchecked_return_type = "TradeRow[]")]
    pub fn trades(&self) -> JsValue {
        to_js(&self.world.sandbox.borrow().trades().to_vec().to_value())
    }

    /// Calls `store` with what each request moved, before its reply is given. Where `store` throws, the
    /// sandbox stays as it was and the request fails with what was thrown: store and sandbox never differ.
    #[wasm_bindgen(js_name = onChanges)]
    pub fn on_changes(
        &self,
        #[wasm_bindgen(unchecked_param_type = "((changes: Change[]) => void) | null")] store: &JsValue,
    ) {
        self.world.on_changes.replace(store.dyn_ref::<Function>().cloned());
    }
}

impl Sandbox {
    /// The sandbox of a client that was given no service: it speaks the client's dialect.
    pub fn of_dialect(dialect: &Dialect) -> Result<Sandbox, Vec<FieldError>> {
        let config = SandboxConfig {
            slippage_unit: dialect.rules.slippage_unit,
            identifiers: dialect.rules.identifiers,
            max_bundle_size: dialect.rules.max_bundle_size,
            ..SandboxConfig::default()
        };
        Ok(Sandbox::of(sandbox::Sandbox::new(config)?))
    }

    /// The same sandbox as a transport.
    pub fn in_process(&self) -> InProcess {
        self.world.clone()
    }

    fn of(sandbox: sandbox::Sandbox) -> Sandbox {
        let world =
            InProcess { sandbox: Rc::new(RefCell::new(sandbox)), on_changes: Rc::new(RefCell::new(None)) };
        let served = world.clone();
        let fetch =
            Closure::<dyn Fn(JsValue, JsValue, JsValue) -> Promise>::new(move |input, init, context| {
                let served = served.clone();
                future_to_promise(serve(served, input, init, context))
            });
        Sandbox { world, fetch: fetch.into_js_value().unchecked_into() }
    }
}

impl InProcess {
    /// Answers one request and has its changes stored; `Err` is what the store threw.
    fn handle(&self, request: &HttpRequest) -> Result<Reply, JsValue> {
        let store = self.on_changes.borrow().clone();
        let Some(store) = store else {
            return Ok(self.sandbox.borrow_mut().handle(request).reply);
        };
        let before = self.sandbox.borrow().clone();
        let answer = self.sandbox.borrow_mut().handle(request);
        if !answer.changes.is_empty()
            && let Err(thrown) = store.call1(&JsValue::UNDEFINED, &to_js(&answer.changes.to_value()))
        {
            self.sandbox.replace(before);
            return Err(thrown);
        }
        Ok(answer.reply)
    }
}

/// A client's own sandbox is called with the same bytes that fetch would send.
impl Transport for InProcess {
    async fn send(&self, call: &Call) -> Result<Reply, Lost> {
        let headers = [(String::from("content-type"), String::from("application/json"))];
        let request = HttpRequest {
            method: "POST",
            path: &call.path,
            headers: &headers,
            body: call.body.as_bytes(),
            now_ms: now_ms(),
        };
        self.handle(&request).map_err(|_| Lost::Broken(None))
    }
}

fn bad_config(problems: Vec<FieldError>) -> JsValue {
    invalid_options("sandbox config", problems)
}

fn now_ms() -> u64 {
    Date::now() as u64
}

/// `fetch(input, init)` of the sandbox.
async fn serve(
    world: InProcess,
    input: JsValue,
    init: JsValue,
    context: JsValue,
) -> Result<JsValue, JsValue> {
    let request = request_of(&input, &init, &context)?;
    let signal = property(&request, "signal");
    if property(&signal, "aborted").is_truthy() {
        return Err(property(&signal, "reason"));
    }
    let text = |name: &str| property(&request, name).as_string().unwrap_or_default();
    let (http_method, url) = (text("method"), text("url"));
    let headers = headers_of(&request)?;
    let body = body_of(&request).await?;
    let reply = world.handle(&HttpRequest {
        method: &http_method,
        path: path_of(&url),
        headers: &headers,
        body: &body,
        now_ms: now_ms(),
    })?;
    let mut response = Response::builder().status(reply.status);
    for (name, value) in &reply.headers {
        response = response.header(name, value);
    }
    let body = String::from_utf8_lossy(&reply.body);
    match response.body(Some(body.as_ref())) {
        Ok(response) => Ok(web_sys::Response::from(response).into()),
        Err(error) => Err(JsError::new(&error.to_string()).into()),
    }
}

/// The request that `fetch` was called with. Servers call their handler with a request and something of
/// their own, an environment or a connection: only a plain object in second and last place is an init.
fn request_of(input: &JsValue, init: &JsValue, context: &JsValue) -> Result<JsValue, JsValue> {
    let is_request = method(input, "arrayBuffer").is_some() && property(input, "url").is_string();
    let is_init = context.is_undefined() && is_plain(init);
    if is_request && !is_init {
        return Ok(input.clone());
    }
    let init = if is_init { init } else { &JsValue::UNDEFINED };
    FetchRequest::new(input, init).map(Into::into)
}

fn is_plain(value: &JsValue) -> bool {
    let plain = js_sys::Object::get_prototype_of(&js_sys::Object::new());
    value.is_object() && {
        let prototype = js_sys::Reflect::get_prototype_of(value.unchecked_ref());
        prototype.is_ok_and(|prototype| prototype.is_null() || prototype == plain)
    }
}

fn headers_of(request: &JsValue) -> Result<Vec<(String, String)>, JsValue> {
    let pairs = array_from(&property(request, "headers"))?;
    Ok(pairs
        .iter()
        .filter_map(|pair| {
            let pair: Array = pair.dyn_into().ok()?;
            Some((pair.get(0).as_string()?.to_ascii_lowercase(), pair.get(1).as_string()?))
        })
        .collect())
}

async fn body_of(request: &JsValue) -> Result<Vec<u8>, JsValue> {
    let Some(read) = method(request, "arrayBuffer") else { return Ok(Vec::new()) };
    let promise: Promise = read.call0(request)?.dyn_into()?;
    let buffer = JsFuture::from(promise).await?;
    Ok(Uint8Array::new(&buffer).to_vec())
}

/// The path of an absolute URL, without query and fragment.
fn path_of(url: &str) -> &str {
    let after_scheme = url.split_once("://").map_or(url, |(_, rest)| rest);
    let path = after_scheme.find('/').map_or("/", |at| &after_scheme[at..]);
    path.split(['?', '#']).next().unwrap_or("/")
}
