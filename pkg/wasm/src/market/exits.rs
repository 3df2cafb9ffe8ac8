//! `OpenExits`: the exits of one position. What carries them out is in [`manage`](super::manage).

use std::cell::Cell;

use wasm_bindgen::prelude::*;

use crate::call;
use crate::crossing::{CallArgs, Failure, answer, answer_handle};
use crate::input::bad;
use crate::market::curve::Curve;
use launchpad_desk::bindings::object;
use launchpad_desk::error::{FieldCode, FieldError};
use launchpad_desk::intent::IntentOutcome;
use launchpad_desk::launchpad::{Launchpad, Token};
use launchpad_desk::strategy::manage::Manager;
use launchpad_desk::strategy::{ExitOrder, ExitPlan, ExitPosition, ExitState, Tick, next, settled};
use launchpad_desk::tape::{Data, Item, Tape, ToTape};

/// The exits of one position. The state is taken out while it is worked on; nothing in between calls back.
#[wasm_bindgen]
pub struct OpenExits {
    state: Cell<Option<ExitState>>,
    /// What carries them out, if something does, and the price that it sees next.
    pub(super) manager: Cell<Option<Manager<u32>>>,
    pub(super) price: Cell<Option<(Launchpad, Token)>>,
}

/// Checks a `plan`.
#[wasm_bindgen(js_name = checkExits)]
pub fn check_exits(args: &mut CallArgs) -> JsValue {
    answer(read("exits", args.tape(), "plan", ExitPlan::from_data).map(|_| Tape::default()))
}

/// The exits of a `plan` for a `position`, or those of a `state` that was kept, of the same plan unless `replacePlan` is true.
#[wasm_bindgen(js_name = openExits)]
pub fn open_exits(args: &mut CallArgs) -> JsValue {
    answer_handle(opened(args.tape()).map(|state| OpenExits {
        state: Cell::new(Some(state)),
        manager: Cell::default(),
        price: Cell::default(),
    }))
}

fn opened(args: &Tape) -> Result<ExitState, Failure> {
    let kept = args.root().get("state").is_some_and(|state| !state.is_null());
    let kept = kept.then(|| read("state", args, "state", ExitState::from_data)).transpose()?;
    let plan = || read("exits", args, "plan", ExitPlan::from_data);
    let position = || read("position", args, "position", ExitPosition::from_data);
    let Some(kept) = kept else {
        let plan = plan()?;
        return Ok(ExitState::open(plan, position()?));
    };
    let (position, plan) = (position()?, plan()?);
    let replaces = args.root().get("replacePlan").is_some_and(|is| is.data() == Data::Bool(true));
    kept.going_on(&position, &plan, replaces).map_err(|problems| Failure::of_options("state", problems))
}

fn read<T>(
    what: &str,
    args: &Tape,
    name: &str,
    read: impl FnOnce(Item) -> Result<T, Vec<FieldError>>,
) -> Result<T, Failure> {
    read(args.root().get(name).unwrap_or_default()).map_err(|problems| Failure::of_options(what, problems))
}

impl OpenExits {
    /// Works on the state.
    pub(super) fn with<T>(&self, work: impl FnOnce(&mut ExitState) -> T) -> Result<T, Failure> {
        let mut state = self.state.take().ok_or_else(|| bad("exits", FieldCode::Conflict, "are in use"))?;
        let result = work(&mut state);
        self.state.set(Some(state));
        Ok(result)
    }

    fn show(&self, show: impl FnOnce(&ExitState) -> Tape) -> JsValue {
        answer(self.with(|state| show(state)))
    }

    fn change(&self, change: impl FnOnce(&mut ExitState)) -> JsValue {
        answer(self.with(change).map(|()| Tape::default()))
    }
}

#[wasm_bindgen]
impl OpenExits {
    /// The order that a look at the market asks for, with its request; `undefined` for none.
    pub fn next(&self, curve: &Curve, at_ms: f64, wallet_tokens: Option<u64>) -> JsValue {
        let (launchpad, token) = (curve.launchpad(), curve.token());
        let tick = Tick { at_ms: at_ms as u64, launchpad, token: &token, wallet_tokens };
        let order = self.with(|state| {
            if let Some(problem) = state.time_problem(tick.at_ms).or_else(|| state.unit_problem(&tick)) {
                return Err(Failure::of_options("position", vec![problem]));
            }
            let order;
            (*state, order) = next(state.clone(), &tick);
            Ok(order.map(|order| shown(state, &order)))
        });
        match order.and_then(|order| order) {
            Ok(None) => JsValue::UNDEFINED,
            order => answer(order.map(Option::unwrap_or_default)),
        }
    }

    /// What the position would get now, as a multiple of what was paid.
    pub fn multiple(&self, curve: &Curve, at_ms: f64, wallet_tokens: Option<u64>) -> JsValue {
        let (launchpad, token) = (curve.launchpad(), curve.token());
        let tick = Tick { at_ms: at_ms as u64, launchpad, token: &token, wallet_tokens };
        self.show(|state| state.multiple(&tick).to_tape())
    }

    /// Takes what became of an intent: `{ intentId, outcome }`, when, and how many base units it sold, if that is known.
    pub fn settled(&self, args: &mut CallArgs, at_ms: f64, sold_tokens: Option<u64>) -> JsValue {
        let args = args.tape();
        let outcome = call::text(args.root(), "outcome").and_then(IntentOutcome::from_name);
        let (Some(intent_id), Some(outcome)) = (call::text(args.root(), "intentId"), outcome) else {
            return answer(Err(bad("outcome", FieldCode::OutOfRange, "must be one of an intent's outcomes")));
        };
        self.change(|state| {
            *state = settled(state.clone(), intent_id, outcome, at_ms as u64, sold_tokens);
        })
    }

    /// Orders nothing until `resume`.
    pub fn pause(&self) -> JsValue {
        self.change(ExitState::pause)
    }

    /// Goes on.
    pub fn resume(&self) -> JsValue {
        self.change(ExitState::resume)
    }

    /// Sells everything at the next look.
    #[wasm_bindgen(js_name = closeNow)]
    pub fn close_now(&self) -> JsValue {
        self.change(ExitState::close_now)
    }

    /// The state, to be saved.
    pub fn state(&self) -> JsValue {
        self.show(ToTape::to_tape)
    }

    /// Whether nothing is left to sell.
    #[wasm_bindgen(js_name = isOver)]
    pub fn is_over(&self) -> bool {
        self.with(|state| state.is_over()).unwrap_or_default()
    }

    /// The order that is not settled, with its request; `null` for none.
    pub fn order(&self) -> JsValue {
        match self.with(|state| state.order.as_ref().map(|order| shown(state, order))) {
            Ok(None) => JsValue::NULL,
            order => answer(order.map(Option::unwrap_or_default)),
        }
    }
}

fn shown(state: &ExitState, order: &ExitOrder) -> Tape {
    object! { "order": order, "request": state.request(order) }
}
