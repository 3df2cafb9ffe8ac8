//! The flow of one trade, for the driver in `pkg/src/trade/send.ts`, which tells it what happened and gets the next step.

use std::cell::RefCell;
use std::rc::Rc;

use wasm_bindgen::prelude::*;

use crate::crossing::{CallArgs, answer};
use crate::error::with_details;
use crate::trade::status_of;
use launchpad_desk::bindings::object;
use launchpad_desk::bindings::reader;
use launchpad_desk::error::FieldError;
use launchpad_desk::tape::Tape;
use launchpad_desk::trade::Key;
use launchpad_desk::trade::flow::{Event, Get, Head, Lost, Machine, Post, Step, Wait};
use launchpad_desk::trade::guard::Guards;
use launchpad_desk::trade::plain::{About, trade_value};
use launchpad_desk::trade::plan::PlanPrice;
use launchpad_desk::trade::reconcile::WalletBalances;

/// A trade in flight, and the guards of its client.
#[wasm_bindgen]
pub struct TradeFlow {
    flow: Box<dyn Machine>,
    guards: Rc<RefCell<Guards>>,
    timeout_ms: u32,
    /// Whether its client trades in a sandbox.
    in_sandbox: bool,
    /// The balances that the hook reported, or what is wrong with them, until that is passed on with its event.
    seen: Option<Result<Vec<WalletBalances>, String>>,
}

#[wasm_bindgen]
impl TradeFlow {
    /// Its id.
    #[wasm_bindgen(getter, js_name = intentId)]
    pub fn intent_id(&self) -> String {
        self.flow.intent().intent_id.clone()
    }

    /// What it asks for.
    #[wasm_bindgen(getter)]
    pub fn operation(&self) -> String {
        self.flow.intent().operation.as_str().to_owned()
    }

    /// Its deadline.
    #[wasm_bindgen(getter, js_name = timeoutMs)]
    pub fn timeout_ms(&self) -> u32 {
        self.timeout_ms
    }

    /// What to do after this event. `detail` completes the event: a key, or why there is no reply.
    pub fn next(&mut self, now_ms: f64, event: &str, detail: String) -> JsValue {
        let event = match (event_of(event, detail), self.seen.take()) {
            (Event::HookPassed, Some(Ok(seen))) => Event::HookSaw(seen),
            (Event::HookPassed, Some(Err(why))) => Event::HookMisled(why),
            (event, _) => event,
        };
        self.next_value(now_ms, event)
    }

    /// Keeps the balances that the hook reported, until it has passed.
    pub fn saw(&mut self, args: &mut CallArgs) {
        let seen = reader::read(args.tape().root(), |r| WalletBalances::read_list(r, "before"));
        let what = |problems: Vec<FieldError>| problems.into_iter().next().map(|problem| problem.message);
        self.seen = seen.map_err(|problems| what(problems).unwrap_or_default()).transpose();
    }

    /// The body whose price the guards want before it begins; undefined if they want none.
    #[wasm_bindgen(js_name = unpricedBody)]
    pub fn unpriced_body(&self, now_ms: f64) -> Option<String> {
        let wants = self.flow.wants_price(&self.guards.borrow(), now_ms as u64);
        wants.then(|| self.flow.intent().body.clone())
    }

    /// Whether the trade that it has told to send may still go.
    #[wasm_bindgen(js_name = maySend)]
    pub fn may_send(&self, now_ms: f64) -> bool {
        self.flow.may_send(&self.guards.borrow(), now_ms as u64)
    }

    /// Takes that price.
    pub fn priced(&mut self, now_ms: f64, args: &mut CallArgs) {
        let (args, mut guards) = (args.tape(), self.guards.borrow_mut());
        let price = PlanPrice::of(&args.root().get("price").unwrap_or_default());
        self.flow.priced(&mut guards, &price, now_ms as u64);
    }

    /// What to do now that a reply has begun.
    pub fn answered(
        &mut self,
        now_ms: f64,
        status: f64,
        retry_after: Option<String>,
        is_simulated: bool,
        intent_state: Option<String>,
    ) -> JsValue {
        let head = Head { status: status_of(status), retry_after, is_simulated, intent_state };
        self.next_value(now_ms, Event::Answered(head))
    }

    /// What to do now that the body of the reply is here.
    pub fn body(&mut self, now_ms: f64, body: Vec<u8>) -> JsValue {
        self.next_value(now_ms, Event::Body(body))
    }
}

impl TradeFlow {
    /// A flow that has not begun.
    pub fn new(
        flow: impl Machine + 'static,
        guards: Rc<RefCell<Guards>>,
        timeout_ms: u32,
        in_sandbox: bool,
    ) -> TradeFlow {
        let flow = Box::new(flow);
        TradeFlow { flow, guards, timeout_ms, in_sandbox, seen: None }
    }

    #[inline(never)]
    fn next_value(&mut self, now_ms: f64, event: Event) -> JsValue {
        let step = self.flow.next(&mut self.guards.borrow_mut(), now_ms as u64, event);
        answer(Ok(self.step_value(step)))
    }

    /// The step as TypeScript has it: see `Step` there.
    fn step_value(&self, step: Step) -> Tape {
        let intent = self.flow.intent();
        match step {
            Step::Nothing => object! { "step": "nothing" },
            Step::Recover => object! { "step": "recover" },
            Step::Wait { ms, reason } => {
                let (why, code) = match reason {
                    Wait::Turn => (None, None),
                    Wait::Retry(code) => (Some("not sent, trying again"), Some(code)),
                    Wait::Answer(code) => {
                        (Some("outcome unknown, asking the gateway again"), Some(code.as_str().to_owned()))
                    }
                };
                object! { "step": "wait", "ms": ms, "why": why, "code": code }
            }
            Step::JournalBegin => object! { "step": "journalBegin", "intent": intent },
            Step::JournalSettle(settlement) => {
                let suspension = self.flow.suspension();
                object! { "step": "journalSettle", "intent": intent, "settlement": settlement, "suspension": suspension }
            }
            Step::AskKey => object! { "step": "askKey" },
            Step::BeforeSend => object! { "step": "beforeSend", "intent": intent },
            Step::Send(Post { path, headers, body, .. }) => {
                object! { "step": "send", "path": path, "headers": Tape::object(&headers), "body": body }
            }
            Step::Get(Get { path, headers }) => {
                object! { "step": "get", "path": path, "headers": Tape::object(&headers) }
            }
            Step::Read { most } => object! { "step": "read", "most": most },
            Step::Cancel => object! { "step": "cancel" },
            Step::Hurry => object! { "step": "hurry" },
            Step::AfterSettle(settlement) => {
                object! { "step": "afterSettle", "intent": intent, "settlement": settlement }
            }
            Step::Done(result) => {
                let is_simulated = self.in_sandbox || self.flow.is_answered_by_sandbox();
                let about = About { is_simulated: Some(is_simulated), ..About::default() };
                let (trade, error) = match &result {
                    Ok(trade) => (Some(trade_value(trade, &about)), None),
                    Err(error) => (None, Some(with_details(error, &about))),
                };
                object! {
                    "step": "done",
                    "intent": intent,
                    "settlement": self.flow.settlement(),
                    "warnings": self.flow.warnings(),
                    "trade": trade,
                    "error": error,
                }
            }
        }
    }
}

/// What has happened, by its name in TypeScript.
fn event_of(event: &str, detail: String) -> Event {
    match event {
        "begin" => Event::Begin,
        "recovered" => Event::Recovered,
        "journaled" => Event::Journaled,
        "journalFailed" => Event::JournalFailed,
        "woken" => Event::Woken,
        "key" => Key::new(detail).map_or(Event::KeyFailed, Event::Key),
        "keyFailed" => Event::KeyFailed,
        "hookPassed" => Event::HookPassed,
        "hookFailed" => Event::HookFailed,
        "unsent" => Event::Lost(Lost::Unsent(detail)),
        "unsupported" => Event::Lost(Lost::Unsupported(detail)),
        "tooLarge" => Event::Lost(Lost::TooLarge(detail.parse().unwrap_or(u32::MAX))),
        "hookEnded" => Event::HookEnded,
        "deadline" => Event::Deadline,
        "abort" => Event::Abort,
        "momentOver" => Event::MomentOver,
        // An unknown event counts as a broken connection.
        _ => Event::Lost(Lost::Broken(detail)),
    }
}
