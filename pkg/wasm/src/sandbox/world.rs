//! The sandbox. Its state never leaves the core. Each call returns a [`SandboxChange`], which the caller may store before passing it to
//! [`take`](Sandbox::take). Until then nothing has changed.

use std::cell::{Cell, RefCell};

use wasm_bindgen::prelude::*;

use crate::call;
use crate::crossing::{CallArgs, Failure, answer, answer_handle};
use launchpad_desk::amount::Digits;
use launchpad_desk::api::endpoint::Reply;
use launchpad_desk::bindings::object;
use launchpad_desk::bindings::reader::{self, Reader};
use launchpad_desk::error::{Error, FieldCode, FieldError};
use launchpad_desk::launchpad::curve_settings;
use launchpad_desk::tape::{Data, Item, Tape, ToTape, json};
use launchpad_desk_sandbox::recording::{self, Columns, RecordedTrade};
use launchpad_desk_sandbox::{
    self as sandbox, Answer, Change, Delivery, Funds, HttpRequest, ReplyCut, SandboxConfig, SandboxOutcome,
    read_audit, read_faults, read_launch,
};

/// What is wrong with a mint that is not in this sandbox.
const NO_TOKEN: &str = "is not a token of this sandbox";

/// Precedes each text of a sequence, which may be longer than arguments. JSON never contains it.
const SEPARATOR: char = '\x1e';

/// A simulated launchpad.
#[wasm_bindgen]
pub struct Sandbox {
    sandbox: RefCell<sandbox::Sandbox>,
}

/// A state that is put together from rows of a store.
#[wasm_bindgen]
pub struct Stored {
    stored: RefCell<sandbox::Stored>,
    /// How many rows were applied.
    rows: Cell<u64>,
}

/// What one call of a sandbox changes, and the answer if it is a request.
#[wasm_bindgen]
pub struct SandboxChange {
    changes: Vec<Change>,
    reply: Reply,
    delivery: Delivery,
}

/// A sandbox from its `config`; by default with two tokens and three funded wallets.
#[wasm_bindgen(js_name = makeSandbox)]
pub fn make_sandbox(args: &mut CallArgs) -> JsValue {
    answer_handle(sandbox_of("sandbox config", "config", args.tape()).map(Sandbox::of))
}

/// A sandbox that continues from a snapshot, which may be longer than arguments. Its `config` must be given again.
#[wasm_bindgen(js_name = restoreSandbox)]
pub fn restore_sandbox(args: &mut CallArgs, snapshot: &str) -> JsValue {
    answer_handle(config_of("sandbox config", "config", args.tape()).and_then(|config| {
        let restored = sandbox::Sandbox::restore(config, snapshot);
        restored.map(Sandbox::of).map_err(|problems| Failure::of_options("sandbox snapshot", problems))
    }))
}

/// What a `request` would do in a `market`, which has the form of a sandbox's config.
#[wasm_bindgen]
pub fn quote(args: &mut CallArgs) -> JsValue {
    let args = args.tape();
    // The operation is checked first.
    answer(call::operation(args.root()).and_then(|_| quoted(&sandbox_of("market", "market", args)?, args)))
}

/// Every outcome that a request may ask for.
#[wasm_bindgen(js_name = sandboxOutcomes)]
pub fn sandbox_outcomes() -> JsValue {
    answer(Ok(SandboxOutcome::table().to_tape()))
}

/// The trades of a recording in JSON or CSV, by its `{ columns }` if they are given; `None` stands for a value that is not text, or is too
/// long.
#[wasm_bindgen]
pub fn recording(text: Option<String>, args: &mut CallArgs) -> JsValue {
    let text =
        text.ok_or_else(|| call::refused("text", "must be trades, or text of at most 16777216 characters"));
    answer(text.and_then(|text| Ok(recorded("recording", &text, args)?.to_tape())))
}

/// The trades of a text, by the `{ columns }` of the arguments if they are given.
pub(super) fn recorded(of: &str, text: &str, args: &mut CallArgs) -> Result<Vec<RecordedTrade>, Failure> {
    let args = args.tape();
    let columns = reader::read(args.root(), |r| r.object("columns", Columns::read));
    let trades = columns.and_then(|columns| match columns {
        Some(columns) => columns.recording(text),
        None => recording::recording(text),
    });
    trades.map_err(|problems| Failure::of_options(of, problems))
}

/// Compares a bot's books with what really happened: the JSON text of `{ entries, calls }`; `None` if no such text can be made.
#[wasm_bindgen]
pub fn audit(books: Option<String>) -> JsValue {
    let parsed = books.and_then(|books| json::parse(books.as_bytes()).ok());
    let parsed =
        parsed.ok_or_else(|| call::refused("entries and calls", "must be lists, or calls lines of JSON"));
    answer(parsed.and_then(|books| {
        let read = read_audit(books.root()).map_err(|problems| Failure::of_options("audit", problems));
        Ok(read.map(|(entries, calls)| sandbox::audit(&entries, &calls))?.to_tape())
    }))
}

#[wasm_bindgen]
impl Sandbox {
    /// Answers a request, given by its time, its body, and `method`, `path`, `headers`.
    #[wasm_bindgen(js_name = answer)]
    pub fn handle(&self, now_ms: f64, body: &[u8], args: &mut CallArgs) -> JsValue {
        let args = args.tape();
        answer_handle(time(now_ms).map(|now_ms| {
            let headers = headers_of(args);
            let request = HttpRequest { body, now_ms, ..head_of(args, &headers) };
            let Answer { reply, delivery, changes } = self.sandbox.borrow().answer(&request);
            SandboxChange { changes, reply, delivery }
        }))
    }

    /// What a call that was taken adds to a stream of events with this query.
    pub fn events(&self, query: &str, moved: &SandboxChange) -> String {
        self.sandbox.borrow().events(Some(&moved.changes), query)
    }

    /// The same after the whole state was replaced.
    pub fn restarted(&self, query: &str) -> String {
        self.sandbox.borrow().events(None, query)
    }

    /// The most bytes of the body that the answer to a request needs, given by `method`, `path`, `headers`; −1 if it needs none.
    #[wasm_bindgen(js_name = bodyLimit)]
    pub fn body_limit(&self, args: &mut CallArgs) -> f64 {
        let args = args.tape();
        let headers = headers_of(args);
        self.sandbox.borrow().body_limit(&head_of(args, &headers)).map_or(-1.0, f64::from)
    }

    /// The changes if time passes in the market: `{ ms }`.
    pub fn advance(&self, args: &mut CallArgs) -> JsValue {
        let ms = reader::read(args.tape().root(), |r| r.need("ms", Reader::whole));
        moved(ms.and_then(|ms| self.sandbox.borrow().advance(ms)))
    }

    /// The changes that give lamports to a wallet: `{ wallet, lamports, label }`.
    pub fn fund(&self, args: &mut CallArgs) -> JsValue {
        let funds = Funds::read(args.tape().root());
        moved(funds.and_then(|Funds { wallet, label, lamports }| {
            self.sandbox.borrow().fund(&wallet, label.as_deref(), lamports)
        }))
    }

    /// The changes that launch a token with the given settings.
    pub fn launch(&self, args: &mut CallArgs) -> JsValue {
        let token = read_launch(args.tape().root());
        moved(token.and_then(|token| self.sandbox.borrow().launch(&token)))
    }

    /// The changes that set the given faults.
    #[wasm_bindgen(js_name = setFaults)]
    pub fn set_faults(&self, args: &mut CallArgs) -> JsValue {
        let faults = read_faults(args.tape().root());
        moved(faults.map(|faults| self.sandbox.borrow().set_faults(faults)))
    }

    /// The changes that return to the start.
    pub fn reset(&self) -> JsValue {
        moved(self.sandbox.borrow().reset())
    }

    /// Its state, for rows from a store.
    pub fn stored(&self) -> Stored {
        Stored { stored: RefCell::new(self.sandbox.borrow().stored()), rows: Cell::new(0) }
    }

    /// Takes over a stored state, which then has the state of before.
    pub fn swap(&self, stored: &Stored) -> JsValue {
        let swapped = self.sandbox.borrow_mut().swap(&mut stored.stored.borrow_mut());
        answer(swapped.map(|()| Tape::default()).map_err(bad_rows))
    }

    /// Applies the changes that a call returned.
    pub fn take(&self, moved: &SandboxChange) {
        self.sandbox.borrow_mut().take(&moved.changes);
    }

    /// What a `request` would do if it were sent now. Nothing moves.
    pub fn quote(&self, args: &mut CallArgs) -> JsValue {
        answer(quoted(&self.sandbox.borrow(), args.tape()))
    }

    /// What the transaction of this signature has moved, or null.
    pub fn moved(&self, signature: &str) -> JsValue {
        answer(Ok(self.sandbox.borrow().moved(signature).to_tape()))
    }

    /// The curve of the token of a `mint` as it is now, as the settings of a curve.
    pub fn curve(&self, args: &mut CallArgs) -> JsValue {
        let sandbox = self.sandbox.borrow();
        let args = args.tape();
        let token =
            call::text(args.root(), "mint").and_then(|mint| Some(sandbox.state().token(mint)?.token()));
        let token = token.ok_or_else(|| call::refused("mint", NO_TOKEN));
        answer(token.map(|token| curve_settings::write(sandbox.rules(), &token)))
    }

    /// The candles of a token: `{ mint, intervalMs }`.
    pub fn candles(&self, args: &mut CallArgs) -> JsValue {
        let sandbox = self.sandbox.borrow();
        let asked = of_token(&sandbox, args, "intervalMs");
        answer(asked.map(|(mint, interval_ms)| sandbox.candles(&mint, interval_ms).to_tape()))
    }

    /// The newest trades of a token: `{ mint, most }`.
    #[wasm_bindgen(js_name = newestTrades)]
    pub fn newest_trades(&self, args: &mut CallArgs) -> JsValue {
        let sandbox = self.sandbox.borrow();
        let asked = of_token(&sandbox, args, "most");
        answer(asked.map(|(mint, most)| sandbox.newest_trades(&mint, most as usize).to_tape()))
    }

    /// The newest trades of the market, by all traders, oldest first.
    #[wasm_bindgen(js_name = marketTrades)]
    pub fn market_trades(&self) -> JsValue {
        answer(Ok(self.sandbox.borrow().market_trades().to_tape()))
    }

    /// How far the replay of the recording is, and what was skipped.
    pub fn replay(&self) -> JsValue {
        answer(Ok(self.sandbox.borrow().replay().to_tape()))
    }

    /// The market's time in milliseconds, up to 2^53 − 1.
    #[wasm_bindgen(js_name = nowMs)]
    pub fn now_ms(&self) -> f64 {
        self.sandbox.borrow().now_ms() as f64
    }

    /// The newest calls and what really happened to each, oldest first.
    pub fn calls(&self) -> JsValue {
        answer(Ok(self.sandbox.borrow().calls().map(ToTape::to_tape).collect::<Vec<_>>().to_tape()))
    }

    /// The same, one line of JSON for each.
    #[wasm_bindgen(js_name = callsNdjson)]
    pub fn calls_ndjson(&self) -> String {
        self.sandbox.borrow().calls_ndjson()
    }

    /// At most `most` rows of the whole state, without the first `skip`, each as JSON text.
    pub fn rows(&self, skip: f64, most: f64) -> JsValue {
        let rows = self.sandbox.borrow().rows_between(skip as usize, most as usize);
        answer(Ok(rows.iter().map(Change::to_json).collect::<Vec<_>>().to_tape()))
    }

    /// The settings that decide the results of calls, by path.
    pub fn origin(&self) -> JsValue {
        let origin = self.sandbox.borrow().origin();
        answer(origin.map(|settings| Tape::object(&settings)).map_err(refused))
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
impl Stored {
    /// Applies the next rows: a sequence of their JSON texts; `None` stands for a value that is not a list of texts.
    pub fn apply(&self, rows: Option<String>) -> JsValue {
        let rows = rows.ok_or_else(|| call::refused("rows", "must be a list of strings"));
        answer(rows.and_then(|rows| {
            let mut stored = self.stored.borrow_mut();
            for row in rows.split(SEPARATOR).skip(1) {
                let change =
                    Change::from_json(row).map_err(|problems| bad_rows(at_row(self.rows.get(), problems)))?;
                stored.apply(&[change]);
                self.rows.set(self.rows.get() + 1);
            }
            Ok(Tape::default())
        }))
    }
}

#[wasm_bindgen]
impl SandboxChange {
    /// The changed rows as JSON text, each under its own key.
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
            "cut": match self.delivery.cut {
                ReplyCut::None => "none",
                ReplyCut::NoConnection => "no connection",
                ReplyCut::BeforeReply => "before reply",
                ReplyCut::WithinBody => "within body",
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
pub fn check_function(args: &mut CallArgs) -> JsValue {
    let args = args.tape();
    answer(match args.root().get("value").unwrap_or_default().data() {
        Data::Null | Data::Foreign("a function") => Ok(Tape::default()),
        _ => {
            let name = call::text(args.root(), "name").unwrap_or_default();
            Err(bad_call(name, "must be a function, or null for none"))
        }
    })
}

/// The failure for a store that returns a promise.
#[wasm_bindgen(js_name = storeMustBeSynchronous)]
pub fn store_must_be_synchronous() -> JsValue {
    answer(Err(bad_store("must be synchronous")))
}

/// The failure for a store that changes its own sandbox.
#[wasm_bindgen(js_name = storeMustNotMove)]
pub fn store_must_not_move() -> JsValue {
    answer(Err(bad_store("must not change or free its sandbox")))
}

impl SandboxChange {
    /// Changes without a request.
    fn of(changes: Vec<Change>) -> SandboxChange {
        let reply = Reply { status: 0, headers: Vec::new(), body: Vec::new() };
        SandboxChange { changes, reply, delivery: Delivery::default() }
    }
}

/// What a method of a sandbox returns: its changes, or a failure.
fn moved(changes: Result<Vec<Change>, Vec<FieldError>>) -> JsValue {
    answer_handle(changes.map(SandboxChange::of).map_err(refused))
}

/// What is asked of a token: `{ mint, <number> }`, where the number is a whole one above zero.
fn of_token(
    sandbox: &sandbox::Sandbox,
    args: &mut CallArgs,
    number: &'static str,
) -> Result<(String, u64), Failure> {
    reader::read(args.tape().root(), |r| {
        let mint = r.need("mint", Reader::text).to_owned();
        if !mint.is_empty() && sandbox.state().token(&mint).is_none() {
            r.refuse("mint", FieldCode::OutOfRange, NO_TOKEN);
        }
        (mint, r.need(number, |r, name| r.whole_within(name, 1, (1 << 53) - 1)))
    })
    .map_err(refused)
}

fn refused(problems: Vec<FieldError>) -> Failure {
    Error::invalid_request(problems).into()
}

fn bad_rows(problems: Vec<FieldError>) -> Failure {
    Failure::of_options("sandbox rows", problems)
}

/// What is wrong with the row at this place. The first broken row is enough: in a foreign file all rows are.
fn at_row(index: u64, problems: Vec<FieldError>) -> Vec<FieldError> {
    let place = ["rows[", &index.digits(), "]"].concat();
    let at_place = |problem: FieldError| {
        let dot = if problem.field.is_empty() { "" } else { "." };
        let field = [&place, dot, &problem.field].concat();
        FieldError { message: [&place, ": ", &problem.message].concat(), field, ..problem }
    };
    problems.into_iter().map(at_place).collect()
}

impl Sandbox {
    fn of(sandbox: sandbox::Sandbox) -> Sandbox {
        Sandbox { sandbox: RefCell::new(sandbox) }
    }
}

/// The settings given as `name`. If they cannot be used, the message begins with `what`.
fn config_of(what: &str, name: &str, args: &Tape) -> Result<SandboxConfig, Failure> {
    let none = object! {};
    let config = args.root().get(name).filter(|config| !config.is_null()).unwrap_or(none.root());
    SandboxConfig::read(config).map_err(|problems| Failure::of_options(what, problems))
}

fn sandbox_of(what: &str, name: &str, args: &Tape) -> Result<sandbox::Sandbox, Failure> {
    let config = config_of(what, name, args)?;
    sandbox::Sandbox::new(config).map_err(|problems| Failure::of_options(what, problems))
}

/// What a call's `request` would do; for a plan, the request in its exact `body`.
fn quoted(sandbox: &sandbox::Sandbox, args: &Tape) -> Result<Tape, Failure> {
    let operation = call::operation(args.root())?;
    let body = call::text(args.root(), "body").map(|body| json::parse(body.as_bytes()).unwrap_or_default());
    let request = body.as_ref().map_or_else(|| args.root().get("request"), |body| Some(body.root()));
    let request = request.unwrap_or_default();
    let run = sandbox.quote(operation, request).map_err(Error::invalid_request)?;
    Ok(run.view(sandbox.config().token_decimals()).to_tape())
}

/// The time, from the system's or the caller's clock.
fn time(now_ms: f64) -> Result<u64, Failure> {
    let is_time = now_ms.is_finite() && now_ms >= 0.0;
    if is_time {
        Ok(now_ms as u64)
    } else {
        Err(bad_call("useClock", "must return milliseconds, zero or more"))
    }
}

/// A request without its body and its time.
fn head_of<'a>(args: &'a Tape, headers: &'a [(String, String)]) -> HttpRequest<'a> {
    HttpRequest {
        method: call::text(args.root(), "method").unwrap_or_default(),
        path: call::text(args.root(), "path").unwrap_or_default(),
        headers,
        body: b"",
        now_ms: 0,
    }
}

fn headers_of(args: &Tape) -> Vec<(String, String)> {
    let pair = |pair: Item| match pair.data() {
        Data::Array(mut texts) => match (texts.next()?.data(), texts.next()?.data()) {
            (Data::String(name), Data::String(value)) => Some((name.to_owned(), value.to_owned())),
            _ => None,
        },
        _ => None,
    };
    match args.root().get("headers").unwrap_or_default().data() {
        Data::Array(pairs) => pairs.filter_map(pair).collect(),
        _ => Vec::new(),
    }
}

fn bad_store(what: &str) -> Failure {
    let message = ["the store of onChanges ", what].concat();
    let problem = FieldError { field: "onChanges".into(), code: FieldCode::Conflict, message };
    Failure::of_options("sandbox", vec![problem])
}

/// The failure for an argument of a method, or a value that it returned, that cannot be used.
fn bad_call(name: &str, what: &str) -> Failure {
    let message = ["the function of ", name, " ", what].concat();
    let problem = FieldError { field: name.into(), code: FieldCode::WrongType, message };
    Failure::of_options("sandbox", vec![problem])
}
