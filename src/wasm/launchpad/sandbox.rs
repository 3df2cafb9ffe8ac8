//! The sandbox, whose state never leaves the core. A call of it comes to a [`Move`], which the caller may store before
//! handing it to [`take`](Sandbox::take): until then nothing has moved.

use std::cell::RefCell;

use wasm_bindgen::prelude::*;

use crate::api::endpoint::Reply;
use crate::error::{Error, FieldCode, FieldError};
use crate::object;
use crate::sandbox::{self, Answer, Carried, Change, Delivery, HttpRequest, SandboxConfig};
use crate::tape::{Data, Item, Tape, ToTape};
use crate::wasm::call;
use crate::wasm::crossing::{Failure, answer, answer_handle, given};
use crate::wasm::launchpad::curve::Curve;

/// How many trades rivals try in one call at most.
const MAX_TRIES: f64 = 10_000.0;

/// A simulated launchpad.
#[wasm_bindgen]
pub struct Sandbox {
    sandbox: RefCell<sandbox::Sandbox>,
}

/// What one call of a sandbox moves, and answers if it is a request.
#[wasm_bindgen]
pub struct Move {
    changes: Vec<Change>,
    reply: Reply,
    delivery: Delivery,
}

/// A sandbox by its `config`; without one, with two tokens and three funded wallets.
#[wasm_bindgen(js_name = makeSandbox)]
pub fn make_sandbox(records: &[f64], text: &str) -> JsValue {
    answer_handle(sandbox_of("sandbox config", "config", &given(records, text)).map(Sandbox::of))
}

/// A sandbox that goes on where a snapshot was taken, which is longer than arguments may be. Its `config` is given anew.
#[wasm_bindgen(js_name = restoreSandbox)]
pub fn restore_sandbox(records: &[f64], text: &str, snapshot: &str) -> JsValue {
    answer_handle(config_of("sandbox config", "config", &given(records, text)).and_then(|config| {
        let restored = sandbox::Sandbox::restore(config, snapshot);
        restored.map(Sandbox::of).map_err(|problems| Failure::of_options("sandbox snapshot", problems))
    }))
}

/// What a `request` would do in a `market`, given as a sandbox's config is.
#[wasm_bindgen]
pub fn quote(records: &[f64], text: &str) -> JsValue {
    let given = given(records, text);
    // The operation is checked first.
    answer(
        call::operation(given.root()).and_then(|_| quoted(&sandbox_of("market", "market", &given)?, &given)),
    )
}

#[wasm_bindgen]
impl Sandbox {
    /// What a request comes to: its time, its body, and `method`, `path`, `headers`.
    #[wasm_bindgen(js_name = answer)]
    pub fn handle(&self, now_ms: f64, body: &[u8], records: &[f64], text: &str) -> JsValue {
        let given = given(records, text);
        answer_handle(time(now_ms).map(|now_ms| {
            let request = HttpRequest {
                method: call::text(given.root(), "method").unwrap_or_default(),
                path: call::text(given.root(), "path").unwrap_or_default(),
                headers: &headers_of(&given),
                body,
                now_ms,
            };
            let Answer { reply, delivery, changes } = self.sandbox.borrow().answer(&request);
            Move { changes, reply, delivery }
        }))
    }

    /// What seeded rivals come to who try this many trades of each token.
    pub fn rivals(&self, trades: f64) -> JsValue {
        let whole = Some(trades).filter(|trades| trades.fract() == 0.0 && (0.0..=MAX_TRIES).contains(trades));
        let whole = whole.ok_or_else(|| call::refused("trades", "must be a whole number from 0 to 10000"));
        answer_handle(whole.map(|trades| {
            let changes = self.sandbox.borrow().rivals(trades as u32);
            let reply = Reply { status: 0, headers: Vec::new(), body: Vec::new() };
            Move { changes, reply, delivery: Delivery::default() }
        }))
    }

    /// Moves by what a call came to.
    pub fn take(&self, moved: &Move) {
        self.sandbox.borrow_mut().take(&moved.changes);
    }

    /// What a `request` would do if it were sent now. Nothing moves.
    pub fn quote(&self, records: &[f64], text: &str) -> JsValue {
        answer(quoted(&self.sandbox.borrow(), &given(records, text)))
    }

    /// A curve of the token of a `mint`, as it stands now.
    pub fn curve(&self, records: &[f64], text: &str) -> JsValue {
        let sandbox = self.sandbox.borrow();
        let given = given(records, text);
        let token =
            call::text(given.root(), "mint").and_then(|mint| Some(sandbox.state().token(mint)?.token()));
        let token = token.ok_or_else(|| call::refused("mint", "is not a token of this sandbox"));
        answer_handle(token.map(|token| Curve::of(sandbox.config().launchpad.clone(), token)))
    }

    /// The whole state as JSON text.
    pub fn snapshot(&self) -> String {
        self.sandbox.borrow().snapshot()
    }

    /// The caller's account.
    pub fn account(&self) -> JsValue {
        answer(Ok(self.sandbox.borrow().account().to_tape()))
    }

    /// The wallets and what they hold.
    pub fn wallets(&self) -> JsValue {
        answer(Ok(self.sandbox.borrow().wallets().to_tape()))
    }

    /// The tokens and their curves.
    pub fn tokens(&self) -> JsValue {
        answer(Ok(self.sandbox.borrow().tokens().to_tape()))
    }

    /// The newest transactions, landed and failed, oldest first.
    pub fn trades(&self) -> JsValue {
        answer(Ok(self.sandbox.borrow().trades().to_tape()))
    }
}

#[wasm_bindgen]
impl Move {
    /// What moves: rows as JSON text, each under a key of its own.
    pub fn changes(&self) -> JsValue {
        let row = |change: &Change| object! { "key": change.key(), "row": change.to_json() };
        answer(Ok(self.changes.iter().map(row).collect::<Vec<Tape>>().to_tape()))
    }

    /// The answer, without its body, and how it travels.
    pub fn reply(&self) -> JsValue {
        let pair = |(name, value): &(String, String)| [name.clone(), value.clone()].to_tape();
        answer(Ok(object! {
            "status": self.reply.status,
            "headers": self.reply.headers.iter().map(pair).collect::<Vec<Tape>>(),
            "carried": match self.delivery.carried {
                Carried::Whole => "whole",
                Carried::Refused => "refused",
                Carried::Nothing => "nothing",
                Carried::Part => "part",
            },
            "latencyMs": self.delivery.latency_ms,
            "bodyMs": self.delivery.body_ms,
        }))
    }

    /// The answer's body.
    pub fn body(&self) -> Vec<u8> {
        self.reply.body.clone()
    }
}

/// Whether a method of the sandbox can use its argument: `{ name, value }`.
#[wasm_bindgen(js_name = checkFunction)]
pub fn check_function(records: &[f64], text: &str) -> JsValue {
    let given = given(records, text);
    answer(match given.root().get("value").unwrap_or_default().data() {
        Data::Null | Data::Foreign("a function") => Ok(Tape::default()),
        _ => {
            let name = call::text(given.root(), "name").unwrap_or_default();
            Err(bad_call(name, "must be a function, or null for none"))
        }
    })
}

/// Why a store cannot be used that promises to have stored later.
#[wasm_bindgen(js_name = storeMustBeSynchronous)]
pub fn store_must_be_synchronous() -> JsValue {
    answer(Err(bad_store("must be synchronous")))
}

/// Why a store cannot be used that calls its sandbox.
#[wasm_bindgen(js_name = storeMustNotCall)]
pub fn store_must_not_call() -> JsValue {
    answer(Err(bad_store("must not call its sandbox")))
}

impl Sandbox {
    fn of(sandbox: sandbox::Sandbox) -> Sandbox {
        Sandbox { sandbox: RefCell::new(sandbox) }
    }
}

/// The settings given as `name`; `what` they are begins the message where they cannot be used.
fn config_of(what: &str, name: &str, given: &Tape) -> Result<SandboxConfig, Failure> {
    let none = object! {};
    let config = given.root().get(name).filter(|config| !config.is_null()).unwrap_or(none.root());
    SandboxConfig::read(config).map_err(|problems| Failure::of_options(what, problems))
}

fn sandbox_of(what: &str, name: &str, given: &Tape) -> Result<sandbox::Sandbox, Failure> {
    let config = config_of(what, name, given)?;
    sandbox::Sandbox::new(config).map_err(|problems| Failure::of_options(what, problems))
}

fn quoted(sandbox: &sandbox::Sandbox, given: &Tape) -> Result<Tape, Failure> {
    let (operation, request) =
        (call::operation(given.root())?, given.root().get("request").unwrap_or_default());
    let run = sandbox.quote(operation, request).map_err(Error::invalid_request)?;
    Ok(run.view(sandbox.config().launchpad.token_decimals).to_tape())
}

/// The time, as the system or the caller's clock tells it.
fn time(now_ms: f64) -> Result<u64, Failure> {
    let told = now_ms.is_finite() && now_ms >= 0.0;
    if told { Ok(now_ms as u64) } else { Err(bad_call("useClock", "must give milliseconds, zero or more")) }
}

fn headers_of(given: &Tape) -> Vec<(String, String)> {
    let pair = |pair: Item| match pair.data() {
        Data::Array(mut texts) => match (texts.next()?.data(), texts.next()?.data()) {
            (Data::String(name), Data::String(value)) => Some((name.to_owned(), value.to_owned())),
            _ => None,
        },
        _ => None,
    };
    match given.root().get("headers").unwrap_or_default().data() {
        Data::Array(pairs) => pairs.filter_map(pair).collect(),
        _ => Vec::new(),
    }
}

fn bad_store(what: &str) -> Failure {
    let message = ["the store of onChanges ", what].concat();
    let problem = FieldError { field: "onChanges".into(), code: FieldCode::Conflict, message };
    Failure::of_options("sandbox", vec![problem])
}

/// What a method of the sandbox was given, or got from that, and cannot use.
fn bad_call(name: &str, what: &str) -> Failure {
    let message = ["the function of ", name, " ", what].concat();
    let problem = FieldError { field: name.into(), code: FieldCode::WrongType, message };
    Failure::of_options("sandbox", vec![problem])
}
