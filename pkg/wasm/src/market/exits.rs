//! `OpenExits`: the exits of one position.

use std::cell::Cell;

use wasm_bindgen::prelude::*;

use crate::call;
use crate::crossing::{CallArgs, Failure, answer, answer_handle};
use crate::input::bad;
use crate::market::curve::Curve;
use launchpad_desk::bindings::object;
use launchpad_desk::error::{Code, FieldCode, FieldError};
use launchpad_desk::evidence::Seen;
use launchpad_desk::intent::{IntentOutcome, IntentState};
use launchpad_desk::strategy::manage::{
    ExitHappening, confirmed_outcome, found_outcome, is_lasting, other_decimals, outcome_of_sell,
    recalled_outcome, tokens_of_sell,
};
use launchpad_desk::strategy::{
    ExitOrder, ExitPlan, ExitPosition, ExitState, Tick, corrected, correction, next, settled,
};
use launchpad_desk::tape::{Data, Item, Tape, ToTape};

/// The exits of one position. The state is taken out while it is worked on; nothing in between calls back.
#[wasm_bindgen]
pub struct OpenExits {
    state: Cell<Option<ExitState>>,
    /// The state that was kept, and the one whose news were told.
    kept: Cell<Option<ExitState>>,
    told: Cell<Option<ExitState>>,
}

/// Checks a `plan`.
#[wasm_bindgen(js_name = checkExits)]
pub fn check_exits(args: &mut CallArgs) -> JsValue {
    answer(read("exits", args.tape(), "plan", ExitPlan::from_data).map(|_| Tape::default()))
}

/// The exits of a `plan` for a `position`, or those of a `state` that was kept, of the same plan unless `replacePlan` is true.
#[wasm_bindgen(js_name = openExits)]
pub fn open_exits(args: &mut CallArgs) -> JsValue {
    let args = args.tape();
    let state = match args.root().get("state").filter(|state| !state.is_null()) {
        Some(_) => read("state", args, "state", ExitState::from_data).and_then(|state| {
            let position = read("position", args, "position", ExitPosition::from_data)?;
            let plan = read("exits", args, "plan", ExitPlan::from_data)?;
            let refused = |problems: Vec<FieldError>| Failure::of_options("state", problems);
            if let Some(problem) = state.stranger_to(&position) {
                return Err(refused(vec![problem]));
            }
            if args
                .root()
                .get("replacePlan")
                .is_some_and(|replaces| matches!(replaces.data(), Data::Bool(true)))
            {
                return state.replace_plan(&plan).map_err(refused);
            }
            let problems = state.other_plan(&plan);
            if problems.is_empty() { Ok(state) } else { Err(refused(problems)) }
        }),
        None => read("exits", args, "plan", ExitPlan::from_data).and_then(|plan| {
            let position = read("position", args, "position", ExitPosition::from_data)?;
            Ok(ExitState::open(plan, position))
        }),
    };
    answer_handle(state.map(|state| OpenExits {
        state: Cell::new(Some(state)),
        kept: Cell::default(),
        told: Cell::default(),
    }))
}

fn named(outcome: Option<IntentOutcome>) -> Option<String> {
    outcome.map(|outcome| outcome.as_str().to_owned())
}

/// The outcome that counts for an exit whose sell ended so, by the names of its outcome and its error's code. What is no outcome is unknown.
#[wasm_bindgen(js_name = exitOutcomeOfSell)]
pub fn exit_outcome_of_sell(outcome: &str, code: &str) -> String {
    let outcome = IntentOutcome::from_name(outcome).unwrap_or(IntentOutcome::Unknown);
    outcome_of_sell(outcome, Code::from_name(code)).as_str().to_owned()
}

/// What an order that ended so means for its exit.
#[wasm_bindgen(js_name = exitHappening)]
pub fn exit_happening(outcome: &str) -> String {
    let outcome = IntentOutcome::from_name(outcome).unwrap_or(IntentOutcome::Unknown);
    ExitHappening::from(outcome).as_str().to_owned()
}

/// What a journal says of an exit before the first look; `undefined` if it says nothing.
#[wasm_bindgen(js_name = exitRecalled)]
pub fn exit_recalled(state: &str, ended: &str) -> Option<String> {
    named(recalled_outcome(IntentState::from_name(state)?, IntentOutcome::from_name(ended)))
}

/// What became of an exit of unknown outcome, by its client; `undefined` if that is still unknown.
#[wasm_bindgen(js_name = exitFound)]
pub fn exit_found(state: &str, ended: &str, was_in_doubt: bool) -> Option<String> {
    named(found_outcome(IntentState::from_name(state), IntentOutcome::from_name(ended), was_in_doubt))
}

/// What became of an exit that was not confirmed; `undefined` if that is still unknown.
#[wasm_bindgen(js_name = exitConfirmed)]
pub fn exit_confirmed(seen: &str, held: u64, ordered: u64, wallet_tokens: Option<u64>) -> Option<String> {
    named(confirmed_outcome(Seen::from_name(seen), held, ordered, wallet_tokens))
}

/// Base units that the sell with this body is of; `undefined` if it does not say.
#[wasm_bindgen(js_name = exitTokensOf)]
pub fn exit_tokens_of(body: &str, token_decimals: u8) -> Option<u64> {
    tokens_of_sell(body, token_decimals)
}

/// Whether a client that refuses an exit by this code would refuse every order of its plan.
#[wasm_bindgen(js_name = isLastingRefusal)]
pub fn is_lasting_refusal(code: &str) -> bool {
    Code::from_name(code).is_some_and(is_lasting)
}

/// Why a client that counts a token by other decimals than it has cannot carry out its exits; `undefined` if they are the same.
#[wasm_bindgen(js_name = exitOtherDecimals)]
pub fn exit_other_decimals(client: u8, curve: &Curve) -> Option<String> {
    other_decimals(client, curve.launchpad().token_decimals)
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
    fn with<T>(&self, work: impl FnOnce(ExitState) -> (ExitState, T)) -> Result<T, Failure> {
        let state = self.state.take().ok_or_else(|| bad("exits", FieldCode::Conflict, "are in use"))?;
        let (state, result) = work(state);
        self.state.set(Some(state));
        Ok(result)
    }

    fn show(&self, show: impl FnOnce(&ExitState) -> Tape) -> JsValue {
        answer(self.with(|state| {
            let shown = show(&state);
            (state, shown)
        }))
    }

    fn change(&self, change: impl FnOnce(&mut ExitState)) -> JsValue {
        answer(self.with(|mut state| {
            change(&mut state);
            (state, Tape::default())
        }))
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
                return (state, Err(Failure::of_options("position", vec![problem])));
            }
            let (state, order) = next(state, &tick);
            let shown = order.map(|order| shown(&state, &order));
            (state, Ok(shown))
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
        answer(
            self.with(|state| {
                (settled(state, intent_id, outcome, at_ms as u64, sold_tokens), Tape::default())
            }),
        )
    }

    /// The ids of trades whose end the chain may show otherwise.
    pub fn answered(&self) -> JsValue {
        self.show(|state| state.answered_ids().to_tape())
    }

    /// Takes how one of them, with this body, ended by the chain; what a driver tells of that, if it changes anything: nothing of the buy, which
    /// is in the news.
    pub fn corrected(&self, intent_id: &str, outcome: &str, body: &str) -> Option<String> {
        let outcome = IntentOutcome::from_name(outcome)?;
        let told = self.with(|state| {
            let is_own = state.is_buy(intent_id);
            if is_own && !state.is_bought_by(intent_id, body) {
                return (state, None);
            }
            let before = state.clone();
            let state = corrected(state, intent_id, outcome);
            // That it will be over is news again.
            if before.is_over() && !state.is_over() {
                self.told.set(Some(state.untold()));
            }
            let told = (state != before)
                .then(|| if is_own { String::new() } else { correction(intent_id, outcome) });
            (state, told)
        });
        told.ok().flatten()
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

    /// The state, which is being kept now.
    pub fn keeping(&self) -> JsValue {
        self.show(|state| {
            self.kept.set(Some(state.clone()));
            state.to_tape()
        })
    }

    /// Whether the state is kept as it is.
    #[wasm_bindgen(js_name = isKept)]
    pub fn is_kept(&self) -> bool {
        let kept = self.kept.take();
        let is_kept = self.with(|state| {
            let is_kept = kept.as_ref() == Some(&state);
            (state, is_kept)
        });
        self.kept.set(kept);
        is_kept.unwrap_or_default()
    }

    /// A driver begins: its news are what still holds, and what changes from now on.
    #[wasm_bindgen(js_name = beginNews)]
    pub fn begin_news(&self) {
        let untold = self.with(|state| {
            let untold = state.untold();
            (state, untold)
        });
        self.told.set(untold.ok());
    }

    /// What has changed since this was asked last: `{ what, why }` each.
    pub fn news(&self) -> JsValue {
        self.show(|state| {
            let told = self.told.replace(Some(state.clone())).unwrap_or_else(|| state.untold());
            let news = state.news_since(&told).into_iter();
            news.map(|(what, why)| object! { "what": what, "why": why }).collect::<Vec<_>>().to_tape()
        })
    }

    /// Whether looks are of no use any more: nothing is left, and nothing may come back.
    #[wasm_bindgen(js_name = isDone)]
    pub fn is_done(&self) -> bool {
        self.with(|state| {
            let is_done = state.is_over() && state.gone.is_none();
            (state, is_done)
        })
        .unwrap_or_default()
    }

    /// The best multiple that was seen, in billionths.
    pub fn best(&self) -> u64 {
        self.with(|state| {
            let best = state.best.billionths();
            (state, best)
        })
        .unwrap_or_default()
    }

    /// Whether nothing is left to sell.
    #[wasm_bindgen(js_name = isOver)]
    pub fn is_over(&self) -> bool {
        self.with(|state| {
            let is_over = state.is_over();
            (state, is_over)
        })
        .unwrap_or_default()
    }

    /// The order that is not settled, with its request; `null` for none.
    pub fn order(&self) -> JsValue {
        let order = self.with(|state| {
            let shown = state.order.as_ref().map(|order| shown(&state, order));
            (state, shown)
        });
        match order {
            Ok(None) => JsValue::NULL,
            order => answer(order.map(Option::unwrap_or_default)),
        }
    }

    /// The intent ids that its exits may have had.
    #[wasm_bindgen(js_name = intentIds)]
    pub fn intent_ids(&self) -> JsValue {
        self.show(|state| state.intent_ids().to_tape())
    }
}

fn shown(state: &ExitState, order: &ExitOrder) -> Tape {
    object! { "order": order, "request": state.request(order) }
}
