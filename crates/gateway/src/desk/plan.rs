//! Plans: trades that are checked, written and priced, but not sent. At a gateway a plan is an intent that is recorded and not
//! yet forwarded. Its exact bytes stay at the desk until `send`, which forwards once however often it is called.

use super::Gateway;
use super::trading::{ASK_AGAIN_MS, check_moment, read_answer, recorded_body};
use crate::admission::{GatewayRequest, check_json};
use crate::code::GatewayCode;
use crate::hash::{hash_of, hex};
use crate::intent::{Intent, RecordedAnswer, id_of};
use crate::problem::{Problem, add, answer, json_of, seconds};
use crate::settings::Caller;
use crate::step::{Fetched, GatewayStep};
use crate::view::IntentView;
use launchpad_desk::api::endpoint::{Operation, Reply};
use launchpad_desk::api::validate::validate;
use launchpad_desk::bindings::object;
use launchpad_desk::bindings::reader::{self, Reader};
use launchpad_desk::http::percent_decoded;
use launchpad_desk::intent::{INTENT_STATE, IntentState};
use launchpad_desk::tape::{Item, Tape, ToTape, json};

impl Gateway {
    /// `POST /v1/plans`: `{ operation, request }`.
    pub(super) fn make_plan(
        &mut self,
        now_ms: u64,
        entropy: &[u8],
        request: &GatewayRequest,
        fetched: Fetched,
        caller: &Caller,
    ) -> Result<GatewayStep, Problem> {
        let body = self.whole_body(request)?;
        check_json(request)?;
        let value = json_of(body)?;
        let (operation, asked) = read_asked(value.root())?;
        let valid = validate(operation, asked, &self.wire_rules()).map_err(Problem::of_fields)?;
        self.refuse_secret(body, None)?;
        if fetched.look.is_none()
            && let Some(call) = self.look_at_planned(&valid)
        {
            return Ok(GatewayStep::Look(call));
        }
        let key = self.made_key("plan-", now_ms, entropy);
        let hash = hex(&hash_of(&[request.path.as_bytes(), body]));
        let mut intent = self.intent(now_ms, caller, key, &valid, hash, true);
        self.check_room(now_ms, &intent)?;
        let refused = self.check(now_ms, caller, &intent, &valid).err();
        let (price, problem) = match self.planned_price(now_ms, &intent, fetched.look) {
            Some(Ok(price)) => (Some(price.to_tape()), None),
            Some(Err(why)) => (None, Some(why)),
            None => (None, None),
        };
        let verdict = object! {
            "refused": refused,
            "needsApproval": Some(self.reasons(&intent, &valid)).filter(|reasons| !reasons.is_empty()),
            "warnings": valid.warnings().to_vec(),
            "price": price,
            "priceProblem": problem,
        };
        intent.plan = Some(json::write(&verdict));
        intent.expires_at_ms = Some(now_ms.saturating_add(self.settings.plan_ms));
        let mut reply = answer(201, &self.plan_view(&intent));
        add(&mut reply, "location", &["/v1/plans/", &intent.key].concat());
        if self.settings.is_simulated() {
            add(&mut reply, "x-simulated", "true");
        }
        self.put(intent);
        Ok(GatewayStep::Answer(reply))
    }

    /// `GET /v1/plans/<id>`.
    pub(super) fn show_plan(&self, caller: &Caller, id: &str) -> Result<Reply, Problem> {
        let intent = self.plan(caller, id)?;
        Ok(answer(200, &self.plan_view(intent)))
    }

    /// `POST /v1/plans/<id>/send`: the policy is checked again, and exactly the planned bytes are sent.
    pub(super) fn send_plan(
        &mut self,
        now_ms: u64,
        request: &GatewayRequest,
        fetched: Fetched,
        caller: &Caller,
        id: &str,
    ) -> Result<GatewayStep, Problem> {
        let intent = self.plan(caller, id)?.clone();
        if intent.state != IntentState::Planned {
            return self.again(&intent, None, fetched.rows);
        }
        check_moment(now_ms, request)?;
        let request = self.request_of(&intent)?;
        self.unschedule(&intent);
        let expires_at_ms = intent.expires_at_ms;
        let key = id_of(&caller.name, id);
        let step = self.begin(now_ms, caller, intent, request, fetched, None);
        // A plan that is refused, or whose wallets are looked at first, may still be sent until it expires.
        if let (Err(_) | Ok(GatewayStep::Look(_)), Some(at_ms)) = (&step, expires_at_ms) {
            self.schedule(at_ms, key);
        }
        step
    }

    fn plan(&self, caller: &Caller, id: &str) -> Result<&Intent, Problem> {
        let intent = self.known(&id_of(&caller.name, id)).filter(|intent| intent.plan.is_some());
        let detail = "there is no such plan; an unsent plan expires";
        intent.ok_or_else(|| Problem::new(GatewayCode::PlanNotFound, detail))
    }

    fn plan_view(&self, intent: &Intent) -> Tape {
        let verdict = intent.plan.as_deref().and_then(|plan| json::parse(plan.as_bytes()).ok());
        let verdict = verdict.unwrap_or_default();
        let of_verdict = |name| verdict.root().get(name).unwrap_or_default().to_tape();
        object! {
            "planId": intent.key,
            "state": intent.state,
            "operation": intent.operation,
            "simulated": self.settings.is_simulated(),
            "body": intent.body,
            "createdAtMs": intent.at_ms,
            "expiresAtMs": intent.expires_at_ms,
            "refused": of_verdict("refused"),
            "needsApproval": of_verdict("needsApproval"),
            "warnings": of_verdict("warnings"),
            "price": of_verdict("price"),
            "priceProblem": of_verdict("priceProblem"),
        }
    }

    /// `GET /v1/intents/<key>`: the state of a caller's own intent, and its recorded answer once there is one.
    pub(super) fn show_intent(
        &self,
        now_ms: u64,
        rows: Option<&[&str]>,
        caller: &Caller,
        key: &str,
    ) -> Result<GatewayStep, Problem> {
        let intent = self.own_intent(now_ms, caller, key)?;
        let view = IntentView::of(intent);
        let Some(recorded) = &intent.answer else {
            let mut reply = answer(200, &view);
            add(&mut reply, "retry-after", &seconds(ASK_AGAIN_MS));
            return Ok(GatewayStep::Answer(self.about(intent, reply)));
        };
        let Some(body) = recorded_body(intent, recorded, rows)? else { return Ok(read_answer(intent)) };
        let recorded = RecordedAnswer { body, ..recorded.clone() };
        let view = IntentView { answer: Some(recorded), ..view };
        Ok(GatewayStep::Answer(self.about(intent, answer(200, &view))))
    }

    /// `POST /v1/intents/<key>/withdraw`: a caller takes back its trade, as long as nobody has approved it. Then nothing was sent.
    pub(super) fn withdraw(&mut self, now_ms: u64, caller: &Caller, key: &str) -> Result<Reply, Problem> {
        let intent = self.own_intent(now_ms, caller, key)?.clone();
        let id = intent.id();
        if intent.state != IntentState::AwaitingApproval {
            let detail = ["it cannot be withdrawn: the intent is ", intent.state.as_str()].concat();
            return Err(Problem::new(GatewayCode::WrongState, detail).about(&intent.key));
        }
        self.note(now_ms, &caller.name, GatewayCode::Withdrawn.as_str(), &id, &intent.reasons);
        let detail = "its caller withdrew the trade; nothing was sent";
        self.end(intent, Problem::new(GatewayCode::Withdrawn, detail));
        let ended = self.own_intent(now_ms, caller, key)?;
        Ok(self.about(ended, answer(200, &IntentView::of(ended))))
    }

    /// A caller's intent, by its percent-encoded key.
    fn own_intent(&self, now_ms: u64, caller: &Caller, key: &str) -> Result<&Intent, Problem> {
        let key = percent_decoded(key).unwrap_or_default();
        self.known(&id_of(&caller.name, &key)).ok_or_else(|| {
            Problem::new(GatewayCode::IntentNotFound, "there is no such intent")
                .with_header(INTENT_STATE, IntentState::NotRecorded.as_str())
                .asked(self.asked(now_ms, caller))
        })
    }
}

fn read_asked(value: Item) -> Result<(Operation, Item), Problem> {
    let named = Operation::ALL.map(|operation| (operation.as_str(), operation));
    let operation = reader::read(value, |r| {
        r.needed("request", Reader::value);
        r.needed("operation", |r, name| r.choice(name, &named)).unwrap_or(Operation::Buy)
    });
    Ok((operation.map_err(Problem::of_fields)?, value.get("request").unwrap_or_default()))
}
