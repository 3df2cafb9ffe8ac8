//! What carries out the exits of a position, for the driver in `pkg/src/market/manage.ts`, which tells it what happened and gets the next
//! step. What JS throws stays there: a number stands for it.

use wasm_bindgen::prelude::*;

use crate::call;
use crate::crossing::{CallArgs, Failure, answer};
use crate::input::bad;
use crate::market::curve::Curve;
use crate::market::exits::OpenExits;
use launchpad_desk::bindings::object;
use launchpad_desk::bindings::reader;
use launchpad_desk::error::{Code, FieldCode, WarningCode};
use launchpad_desk::evidence::Seen;
use launchpad_desk::intent::{IntentOutcome, IntentState};
use launchpad_desk::strategy::manage::{
    Checked, Event, Happened, Known, Looked, ManageStep, Manager, Received, Refusal, Sold, Terms, Why,
};
use launchpad_desk::tape::{Data, Item, Tape, ToTape};

/// What a look of a market that stands still says.
const STANDS_STILL: &str = "the market stands still: it has had no new slot for too long";

#[wasm_bindgen]
impl OpenExits {
    /// They are carried out from now on, on these terms.
    pub fn manage(&self, args: &mut CallArgs) -> JsValue {
        let terms = reader::read(args.tape().root(), |r| {
            let usual = Terms::default();
            Terms {
                token_decimals: r.count("tokenDecimals", 0).and_then(|decimals| decimals.try_into().ok()),
                settles: r.boolean("settles").unwrap_or_default(),
                finds: r.boolean("finds").unwrap_or_default(),
                confirms: r.boolean("confirms").unwrap_or_default(),
                every_ms: r.count("everyMs", 1).unwrap_or(usual.every_ms),
                timeout_ms: r.count("timeoutMs", 1).unwrap_or(usual.timeout_ms),
            }
        });
        answer(terms.map_err(|problems| Failure::of_options("options", problems)).map(|terms| {
            self.manager.set(Some(Manager::new(terms)));
            Tape::default()
        }))
    }

    /// Takes the price of a look.
    pub fn see(&self, curve: &Curve) {
        self.price.set(Some((curve.launchpad().clone(), curve.token())));
    }

    /// What to do after this event.
    pub fn step(&self, now_ms: f64, event: &str, args: &mut CallArgs) -> JsValue {
        let price = self.price.take().filter(|_| event == "priced");
        let event = match &price {
            Some((launchpad, token)) => Event::Priced(launchpad, token),
            None => event_of(event, args.tape().root()),
        };
        if let Event::Acknowledge(IntentOutcome::Unknown) = event {
            return answer(Err(bad("found", FieldCode::OutOfRange, "must be landed or did_not_land")));
        }
        let step = self
            .managed(|manager| self.with(|state| manager.next(state, now_ms as u64, event)).map(step_value));
        answer(step.unwrap_or_else(|| Ok(Ok(object! { "step": "done" }))).and_then(|step| step))
    }

    /// What happened and was not told yet.
    pub fn happened(&self) -> JsValue {
        let happened = self.managed(|manager| {
            let all = std::iter::from_fn(|| manager.next_happened());
            all.map(|happened| happened_value(&happened)).collect::<Vec<_>>().to_tape()
        });
        answer(Ok(happened.unwrap_or_default()))
    }

    /// How long to wait for the next look; `undefined` once nothing is left to do.
    #[wasm_bindgen(js_name = waitMs)]
    pub fn wait_ms(&self, now_ms: f64) -> Option<u32> {
        self.managed(|manager| self.with(|state| manager.wait_ms(state, now_ms as u64)).ok()?).flatten()
    }

    /// The next look is due at once.
    pub fn hurry(&self) {
        self.managed(|manager| manager.hurry());
    }

    /// Whether nothing is left to do.
    #[wasm_bindgen(js_name = isDone)]
    pub fn is_done(&self) -> bool {
        self.managed(|manager| self.with(|state| manager.is_over(state)).unwrap_or_default())
            .unwrap_or_default()
    }
}

impl OpenExits {
    fn managed<T>(&self, work: impl FnOnce(&mut Manager<u32>) -> T) -> Option<T> {
        let mut manager = self.manager.take()?;
        let result = work(&mut manager);
        self.manager.set(Some(manager));
        Some(result)
    }
}

/// The event of this name. One that is unknown fits nothing.
fn event_of(event: &str, about: Item) -> Event<'static, u32> {
    let outcome = || call::text(about, "outcome").and_then(IntentOutcome::from_name);
    let thrown = || number(about, "thrown");
    let list = |name: &str| match about.get(name).map(Item::data) {
        Some(Data::Array(items)) => Some(items),
        _ => None,
    };
    match event {
        "begin" => Event::Begin,
        "acknowledge" => {
            let is_found =
                |found: &IntentOutcome| matches!(found, IntentOutcome::Landed | IntentOutcome::DidNotLand);
            Event::Acknowledge(outcome().filter(is_found).unwrap_or(IntentOutcome::Unknown))
        }
        "recalled" => {
            let of = |one| (call::text(one, "intentId").unwrap_or_default().to_owned(), known_of(one));
            Event::Recalled(list("known").into_iter().flatten().map(of).collect())
        }
        "checked" => Event::Checked(list("warnings").map(|warnings| {
            let of = |one| {
                let message = call::text(one, "message").unwrap_or_default().to_owned();
                Some((call::text(one, "code").and_then(WarningCode::from_name)?, message))
            };
            Checked {
                refused: call::text(about, "refused").and_then(Code::from_name),
                warnings: warnings.filter_map(of).collect(),
            }
        })),
        "known" => Event::Known(known_of(about)),
        "looked" => Event::Looked(Looked {
            at_ms: number(about, "atMs"),
            wallet_tokens: number(about, "walletTokens"),
            stale: is(about, "stale").then(|| Why::Says(STANDS_STILL.into())),
        }),
        "sold" => Event::Sold(Sold {
            outcome: outcome(),
            code: call::text(about, "code").and_then(Code::from_name),
            amount: call::text(about, "amount").map(str::to_owned),
            error: thrown(),
        }),
        "confirmed" => {
            let seen = call::text(about, "seen").and_then(Seen::from_name);
            Event::Confirmed(seen.unwrap_or(Seen::NotSeen))
        }
        "found" => Event::Found(outcome()),
        "received" => Event::Received(match number(about, "tokens").zip(number(about, "lamports")) {
            Some((tokens, lamports)) => Received::Moved(tokens, lamports),
            None if is(about, "never") => Received::Never,
            None => Received::NotYet,
        }),
        "late" => Event::Late,
        "threw" => Event::Threw(thrown().unwrap_or_default()),
        _ => Event::Done,
    }
}

fn known_of(about: Item) -> Known {
    let text = |name: &str| call::text(about, name);
    Known {
        state: text("state").and_then(IntentState::from_name),
        ended: text("ended").and_then(IntentOutcome::from_name),
        proven: is(about, "proven"),
        signature: text("signature").map(str::to_owned),
        body: text("body").map(str::to_owned),
    }
}

fn is(about: Item, name: &str) -> bool {
    about.get(name).is_some_and(|value| value.data() == Data::Bool(true))
}

/// A whole number, if it is one of this type.
fn number<T: std::str::FromStr + TryFrom<i64>>(about: Item, name: &str) -> Option<T> {
    match about.get(name)?.data() {
        Data::Integer(whole) => T::try_from(whole).ok(),
        Data::BigInt(digits) => digits.parse().ok(),
        _ => None,
    }
}

/// The step as TypeScript has it: see `ManageStep` there.
fn step_value(step: ManageStep<u32>) -> Result<Tape, Failure> {
    Ok(match step {
        ManageStep::Recall(intent_ids) => object! { "step": "recall", "intentIds": intent_ids },
        ManageStep::Check(request, within_ms) => {
            object! { "step": "check", "request": request, "withinMs": within_ms }
        }
        ManageStep::Ended(intent_id) => object! { "step": "ended", "intentId": intent_id },
        ManageStep::Known(intent_id) => object! { "step": "known", "intentId": intent_id },
        ManageStep::Look(within_ms, is_cut) => {
            object! { "step": "look", "withinMs": within_ms, "isCut": is_cut }
        }
        ManageStep::Price => object! { "step": "price" },
        ManageStep::Keep => object! { "step": "keep" },
        ManageStep::Send(order, request) => {
            object! { "step": "send", "intentId": order.intent_id, "request": request }
        }
        ManageStep::Confirm(signature, within_ms) => {
            object! { "step": "confirm", "signature": signature, "withinMs": within_ms }
        }
        ManageStep::Settle(within_ms) => object! { "step": "settle", "withinMs": within_ms },
        ManageStep::SettleOn(within_ms) => object! { "step": "settleOn", "withinMs": within_ms },
        ManageStep::Find(intent_id, within_ms) => {
            object! { "step": "find", "intentId": intent_id, "withinMs": within_ms }
        }
        ManageStep::Acknowledge(intent_id, found) => {
            object! { "step": "acknowledge", "intentId": intent_id, "found": found }
        }
        ManageStep::Receive(intent_id, within_ms) => {
            object! { "step": "receive", "intentId": intent_id, "withinMs": within_ms }
        }
        ManageStep::Done => object! { "step": "done" },
        // It is what was thrown last.
        ManageStep::Throw(_) => object! { "step": "throw" },
        ManageStep::Refuse(Refusal::Position(problem)) => {
            return Err(Failure::of_options("position", vec![problem]));
        }
        ManageStep::Refuse(Refusal::Client(problem)) => {
            object! { "step": "refuse", "message": problem.message, "always": false }
        }
        ManageStep::Refuse(Refusal::Always) => {
            object! { "step": "refuse", "message": Refusal::ALWAYS, "always": true }
        }
    })
}

fn happened_value(happened: &Happened<u32>) -> Tape {
    let Happened { what, order, why, sold_tokens, received_lamports } = happened;
    let (words, thrown) = match why {
        None => (None, None),
        Some(Why::Says(words)) => (Some(&**words), None),
        Some(Why::Threw(thrown)) => (None, Some(*thrown)),
    };
    object! {
        "what": what,
        "order": order,
        "words": words,
        "thrown": thrown,
        "soldTokens": sold_tokens,
        "receivedLamports": received_lamports,
    }
}
