//! `Sandbox`: the simulated service for JS, in the Fetch API's own shape.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use js_sys::{Array, Date, Function, Reflect, Uint8Array};
use wasm_bindgen::prelude::*;

use crate::api::endpoint::Operation;
use crate::error::{Error, FieldCode, FieldError};
use crate::object;
use crate::sandbox::{self, Answer, Carried, Change, HttpRequest, SandboxConfig};
use crate::tape::Item;
use crate::wasm::argument::{given_options, operation_of, refused};
use crate::wasm::convert::{from_js, method, to_js};
use crate::wasm::error::{invalid_options, to_error};
use crate::wasm::launchpad::curve::Curve;
use crate::wasm::launchpad::dry_run::dry_run_value;

#[wasm_bindgen(module = "/src/wasm/launchpad/fetch_shape.js")]
extern "C" {
    #[wasm_bindgen(js_name = fetchShape)]
    fn fetch_shape(answer: &JsValue) -> Function;
}

/// A simulated launchpad that serves the six endpoints in-process.
///
/// ```js
/// const sandbox = new Sandbox();
/// const client = new TradeClient({ fetch: sandbox.fetch });
/// ```
///
/// Same state, same calls and same time give the same bytes. `fetch` has the Fetch API's shape, so it also serves as
/// `export default { fetch: sandbox.fetch }` of a worker and under the servers of Bun and Deno.
#[wasm_bindgen]
pub struct Sandbox {
    world: Rc<World>,
    fetch: Function,
}

/// How many trades rivals try in one call at most.
const MAX_TRIES: f64 = 10_000.0;

/// The sandbox itself, shared with its `fetch`.
struct World {
    sandbox: RefCell<sandbox::Sandbox>,
    /// Keeps what moves, where asked for.
    store: RefCell<Option<Function>>,
    /// Whether the store is at work: nothing else may move meanwhile.
    storing: Cell<bool>,
    /// Tells the time, where it is not the system's.
    clock: RefCell<Option<Function>>,
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
        let config = SandboxConfig::read(given_options(config).root()).map_err(bad_config)?;
        Ok(Sandbox::of(sandbox::Sandbox::new(config).map_err(bad_config)?))
    }

    /// Makes a sandbox that goes on where a snapshot was taken. The config is given anew.
    ///
    /// @throws {TradeNotSentError} `invalid_options`, where the snapshot or the config cannot be used.
    pub fn restore(
        #[wasm_bindgen(unchecked_param_type = "string")] snapshot: &JsValue,
        #[wasm_bindgen(unchecked_optional_param_type = "SandboxConfig")] config: &JsValue,
    ) -> Result<Sandbox, JsValue> {
        let config = SandboxConfig::read(given_options(config).root()).map_err(bad_config)?;
        let bad_snapshot = |problems| invalid_options("sandbox snapshot", problems);
        // What is no text is no snapshot.
        let snapshot = snapshot.as_string().unwrap_or_default();
        Ok(Sandbox::of(sandbox::Sandbox::restore(config, &snapshot).map_err(bad_snapshot)?))
    }

    /// Answers a request as the service would. Bound to its sandbox: it may be passed on alone.
    #[wasm_bindgen(
        getter,
        unchecked_return_type = "(input: Request | URL | string, init?: unknown, context?: unknown) => Promise<Response>"
    )]
    pub fn fetch(&self) -> Function {
        self.fetch.clone()
    }

    /// What a request would do if it were sent now. Nothing moves.
    ///
    /// @throws {TradeNotSentError} `invalid_request`, with every bad field in `fields`.
    #[wasm_bindgen(unchecked_return_type = "TradeQuote")]
    pub fn quote(
        &self,
        #[wasm_bindgen(unchecked_param_type = "Operation")] operation: &JsValue,
        #[wasm_bindgen(unchecked_param_type = "RequestOf[Operation]")] request: &JsValue,
    ) -> Result<JsValue, JsValue> {
        // Read before the sandbox is borrowed: a getter of the request may call it.
        let (operation, request) = (operation_of(operation)?, from_js(request));
        quoted(&self.world.sandbox.borrow(), operation, request.root())
    }

    /// A curve of one of its tokens, with the launchpad's rules, as it stands now. Trades to come in the sandbox do not
    /// move it, nor does it move the sandbox: ask again for where the token stands then.
    ///
    /// ```js
    /// const tokens = sandbox.curve(mint).buyExactIn(1_000_000_000n);
    /// ```
    ///
    /// @throws {TradeNotSentError} `invalid_request`, where the sandbox has no such token.
    pub fn curve(
        &self,
        #[wasm_bindgen(unchecked_param_type = "string")] mint: &JsValue,
    ) -> Result<Curve, JsValue> {
        let sandbox = self.world.sandbox.borrow();
        let token = mint.as_string().and_then(|mint| Some(sandbox.state().token(&mint)?.token()));
        let token = token.ok_or_else(|| refused("mint", "is not a token of this sandbox".into()))?;
        Ok(Curve::of(sandbox.config().launchpad.clone(), token))
    }

    /// Lets seeded rivals try this many trades of each token, at most 10000.
    ///
    /// @throws {TradeNotSentError} `invalid_request`, where that is no number of trades; or what the store of
    /// `onChanges` throws. Then nothing has moved.
    pub fn rivals(
        &self,
        #[wasm_bindgen(unchecked_param_type = "number")] trades: &JsValue,
    ) -> Result<(), JsValue> {
        let whole =
            trades.as_f64().filter(|trades| trades.fract() == 0.0 && (0.0..=MAX_TRIES).contains(trades));
        let trades =
            whole.ok_or_else(|| refused("trades", "must be a whole number from 0 to 10000".into()))?;
        let moved = self.world.sandbox.borrow().rivals(trades as u32);
        self.world.move_by(&moved)
    }

    /// Takes the time from `now`, in milliseconds, instead of from the system: for trades that happen at the same
    /// time each time they are run. With `null`, the time is the system's again. Where `now` throws or gives no time,
    /// the request fails, and nothing moves.
    ///
    /// @throws {TradeNotSentError} `invalid_options`, where it is no function.
    #[wasm_bindgen(js_name = useClock)]
    pub fn use_clock(
        &self,
        #[wasm_bindgen(unchecked_param_type = "(() => number) | null")] now: &JsValue,
    ) -> Result<(), JsValue> {
        self.world.clock.replace(function_or_none("useClock", now)?);
        Ok(())
    }

    /// The whole state as JSON text, for `Sandbox.restore`.
    pub fn snapshot(&self) -> String {
        self.world.sandbox.borrow().snapshot()
    }

    /// The caller's account: its level, its transactions and the network fees it paid.
    #[wasm_bindgen(getter, unchecked_return_type = "AccountRow")]
    pub fn account(&self) -> JsValue {
        to_js(&self.world.sandbox.borrow().account())
    }

    /// The wallets and what they hold.
    #[wasm_bindgen(getter, unchecked_return_type = "SandboxWallet[]")]
    pub fn wallets(&self) -> JsValue {
        to_js(&self.world.sandbox.borrow().wallets())
    }

    /// The tokens and their curves.
    #[wasm_bindgen(getter, unchecked_return_type = "SandboxToken[]")]
    pub fn tokens(&self) -> JsValue {
        to_js(&self.world.sandbox.borrow().tokens())
    }

    /// The newest transactions, landed and failed, oldest first.
    #[wasm_bindgen(getter, unchecked_return_type = "TradeRow[]")]
    pub fn trades(&self) -> JsValue {
        to_js(&self.world.sandbox.borrow().trades())
    }

    /// Hands `store` what each request moves, before it counts and before the reply is given. Where `store`
    /// throws, nothing has moved and the request fails with what was thrown: store and sandbox never differ.
    /// Each change is a row as JSON text under a key of its own.
    ///
    /// The store must be synchronous, and must not call the sandbox. With `null`, there is none any more.
    ///
    /// @throws {TradeNotSentError} `invalid_options`, where it is no function.
    #[wasm_bindgen(js_name = onChanges)]
    pub fn on_changes(
        &self,
        #[wasm_bindgen(unchecked_param_type = "((changes: { key: string; row: string }[]) => void) | null")]
        store: &JsValue,
    ) -> Result<(), JsValue> {
        self.world.store.replace(function_or_none("onChanges", store)?);
        Ok(())
    }
}

/// What a request would do in a market: curves, wallets and what these hold, given as a sandbox's config is.
///
/// ```js
/// const market = {
///     tokens: [{ mint, curve }],
///     wallets: [{ wallet, lamports: 5_000_000_000n, holdings: [{ mint, tokens: 1_000_000n }] }],
/// };
/// const { legs, refused } = quote("sellByPercentage", { mint, fromWallet: wallet, percentage: 50 }, market);
/// ```
///
/// @throws {TradeNotSentError} `invalid_request` or `invalid_options`, with every bad field in `fields`.
#[wasm_bindgen(unchecked_return_type = "TradeQuote")]
pub fn quote(
    #[wasm_bindgen(unchecked_param_type = "Operation")] operation: &JsValue,
    #[wasm_bindgen(unchecked_param_type = "RequestOf[Operation]")] request: &JsValue,
    #[wasm_bindgen(unchecked_param_type = "SandboxConfig")] market: &JsValue,
) -> Result<JsValue, JsValue> {
    let operation = operation_of(operation)?;
    let config = SandboxConfig::read(given_options(market).root()).map_err(bad_market)?;
    quoted(&sandbox::Sandbox::new(config).map_err(bad_market)?, operation, from_js(request).root())
}

fn quoted(sandbox: &sandbox::Sandbox, operation: Operation, request: Item) -> Result<JsValue, JsValue> {
    match sandbox.quote(operation, request) {
        Ok(run) => Ok(to_js(&dry_run_value(&run, sandbox.config().launchpad.token_decimals))),
        Err(problems) => Err(to_error(&Error::invalid_request(problems))),
    }
}

fn bad_market(problems: Vec<FieldError>) -> JsValue {
    invalid_options("market", problems)
}

impl Sandbox {
    fn of(sandbox: sandbox::Sandbox) -> Sandbox {
        let world = Rc::new(World {
            sandbox: RefCell::new(sandbox),
            store: RefCell::default(),
            storing: Cell::new(false),
            clock: RefCell::default(),
        });
        let served = world.clone();
        let answer = Closure::<dyn Fn(String, String, Array, Vec<u8>) -> Result<JsValue, JsValue>>::new(
            move |method, path, headers, body| served.fetched(method, path, headers, body),
        );
        Sandbox { world, fetch: fetch_shape(&answer.into_js_value()) }
    }
}

impl World {
    /// Answers one request once its changes are stored; `Err` is what the store threw.
    fn handle(&self, request: &HttpRequest) -> Result<Answer, JsValue> {
        let answer = self.sandbox.borrow().answer(request);
        self.move_by(&answer.changes)?;
        Ok(answer)
    }

    /// Has changes stored, then moves by them.
    fn move_by(&self, changes: &[Change]) -> Result<(), JsValue> {
        if self.storing.get() {
            return Err(bad_store("must not call its sandbox"));
        }
        let store = self.store.borrow().clone();
        if let Some(store) = store.filter(|_| !changes.is_empty()) {
            let mut rows = Vec::new();
            for change in changes {
                rows.push(object! { "key": change.key(), "row": change.to_json() });
            }
            self.storing.set(true);
            let stored = store.call1(&JsValue::UNDEFINED, &to_js(&rows));
            self.storing.set(false);
            if method(&stored?, "then").is_some() {
                return Err(bad_store("must be synchronous"));
            }
        }
        self.sandbox.borrow_mut().take(changes);
        Ok(())
    }

    /// The time, in milliseconds.
    ///
    /// # Errors
    ///
    /// What the clock threw, or an error of ours where it gave no time.
    fn now_ms(&self) -> Result<u64, JsValue> {
        let Some(clock) = self.clock.borrow().clone() else { return Ok(Date::now() as u64) };
        let told = clock.call0(&JsValue::UNDEFINED)?.as_f64().filter(|ms| ms.is_finite() && *ms >= 0.0);
        let told = told.ok_or_else(|| bad_call("useClock", "must give milliseconds, zero or more"))?;
        Ok(told as u64)
    }

    /// The answer to what `fetch` was called with, for `fetch_shape.js` to deliver.
    fn fetched(
        &self,
        method: String,
        path: String,
        headers: Array,
        body: Vec<u8>,
    ) -> Result<JsValue, JsValue> {
        let mut pairs = Vec::new();
        for pair in headers.iter() {
            let pair: Array = pair.unchecked_into();
            if let (Some(name), Some(value)) = (pair.get(0).as_string(), pair.get(1).as_string()) {
                pairs.push((name, value));
            }
        }
        let now_ms = self.now_ms()?;
        let request = HttpRequest { method: &method, path: &path, headers: &pairs, body: &body, now_ms };
        let Answer { reply, delivery, .. } = self.handle(&request)?;
        let mut headers = Vec::new();
        for (name, value) in &reply.headers {
            headers.push(vec![name, value]);
        }
        let delivered = to_js(&object! {
            "status": reply.status,
            "headers": headers,
            "carried": match delivery.carried {
                Carried::Whole => "whole",
                Carried::Refused => "refused",
                Carried::Nothing => "nothing",
                Carried::Part => "part",
            },
            "latencyMs": delivery.latency_ms,
            "bodyMs": delivery.body_ms,
        });
        Reflect::set(&delivered, &"body".into(), &Uint8Array::from(reply.body.as_slice()))?;
        Ok(delivered)
    }
}

fn bad_config(problems: Vec<FieldError>) -> JsValue {
    invalid_options("sandbox config", problems)
}

fn bad_store(what: &str) -> JsValue {
    let message = ["the store of onChanges ", what].concat();
    let problem = FieldError { field: "onChanges".into(), code: FieldCode::Conflict, message };
    invalid_options("sandbox", vec![problem])
}

/// What a method of the sandbox was given, or got from that, and cannot use.
fn bad_call(name: &str, what: &str) -> JsValue {
    let message = ["the function of ", name, " ", what].concat();
    let problem = FieldError { field: name.into(), code: FieldCode::WrongType, message };
    invalid_options("sandbox", vec![problem])
}

fn function_or_none(name: &str, value: &JsValue) -> Result<Option<Function>, JsValue> {
    if value.is_null() || value.is_undefined() {
        return Ok(None);
    }
    let function = value.dyn_ref::<Function>().cloned();
    function.map(Some).ok_or_else(|| bad_call(name, "must be a function, or null for none"))
}
