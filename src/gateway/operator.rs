//! What operators see and do: look at the desk, halt and resume, approve and deny, settle what is in doubt; as JSON, or with the
//! forms of the desk's page.

use std::sync::Arc;

use crate::api::encode::encode_reply;
use crate::api::endpoint::Reply;
use crate::api::response::{Trade, TransactionResult};
use crate::gateway::admission::{Act, GatewayRequest, check_json, percent_decoded};
use crate::gateway::code::GatewayCode;
use crate::gateway::desk::{Asker, Gateway};
use crate::gateway::hash::{hash_of, hex, is_same, sha256};
use crate::gateway::intent::{Intent, IntentState, Recorded, id_of};
use crate::gateway::page;
use crate::gateway::problem::{Problem, add, answer, json_of, typed};
use crate::gateway::settings::{Caller, Role};
use crate::gateway::step::Step;
use crate::gateway::view::{DeskView, IntentView, LimitsView, SHOWN, SpentView};
use crate::object;
use crate::reader::{self, Reader};
use crate::tape::{Tape, ToTape, json};
use crate::trade::guard::Found;
use crate::trade::journal::Ending;

/// The body of an act.
#[derive(Default)]
struct About {
    caller: String,
    intent_id: String,
    found: Option<Found>,
    signature: Option<String>,
}

impl Gateway {
    /// `POST /desk/<act>`.
    pub(super) fn act(
        &mut self,
        now_ms: u64,
        request: &GatewayRequest,
        operator: &Caller,
        act: Act,
    ) -> Result<Step, Problem> {
        let body = self.whole_body(request)?;
        let is_form = request.is_form();
        let value = if is_form { self.form(request, operator, body)? } else { self.json(request, body)? };
        let about = read_about(&value, act)?;
        self.refuse_secret(body, about.signature.as_deref())?;
        let mode = |desk: &mut Gateway| {
            desk.put_desk();
            desk.note(now_ms, &operator.name, act.as_str(), "", "");
            let reply = if is_form { see_desk() } else { answer(200, &object! { "mode": desk.mode() }) };
            Ok(Step::Answer(reply))
        };
        match act {
            Act::Halt => {
                self.guards.halt();
                mode(self)
            }
            Act::Reduce => {
                // `reduce` alone would not end a halt.
                self.guards.resume();
                self.guards.reduce();
                mode(self)
            }
            Act::Resume => {
                self.guards.resume();
                for guards in self.callers.values_mut() {
                    guards.resume();
                }
                mode(self)
            }
            Act::Settle => self.settle(now_ms, operator, &about, is_form),
            Act::Approve => self.approve(now_ms, operator, &about, is_form),
            Act::Deny => {
                let intent = self.intent_in(&about, IntentState::Waiting)?;
                self.note(now_ms, &operator.name, act.as_str(), &intent.id(), "");
                let problem = Problem::new(
                    GatewayCode::ApprovalDenied,
                    "an operator denied the trade; nothing was sent",
                );
                let id = intent.id();
                self.end(intent, problem);
                Ok(Step::Answer(self.acted_on(is_form, &id)))
            }
        }
    }

    /// Approves a waiting trade. The policy is checked again, since much may have happened.
    fn approve(
        &mut self,
        now_ms: u64,
        operator: &Caller,
        about: &About,
        is_form: bool,
    ) -> Result<Step, Problem> {
        let intent = self.intent_in(about, IntentState::Waiting)?;
        let settings = Arc::clone(&self.settings);
        let is_its = |caller: &&Caller| {
            caller.name == intent.caller && caller.desk == self.desk.name && caller.role == Role::Trader
        };
        let Some(caller) = settings.callers.iter().find(is_its) else {
            let detail = "its caller is no longer a trader of this desk";
            return Err(Problem::new(GatewayCode::WrongState, detail).about(&intent.key));
        };
        let request = self.request_of(&intent)?;
        self.check(now_ms, caller, &intent, &request)?;
        let asker = Asker::Operator { name: operator.name.clone(), is_form };
        self.forward(now_ms, intent, request, asker)
    }

    /// Records what became of an intent in doubt.
    fn settle(
        &mut self,
        now_ms: u64,
        operator: &Caller,
        about: &About,
        is_form: bool,
    ) -> Result<Step, Problem> {
        let mut intent = self.intent_in(about, IntentState::InDoubt)?;
        let id = intent.id();
        let found = about.found.unwrap_or(Found::Landed);
        self.guards_of(&intent.caller).acknowledge(&id, found);
        let (ending, detail) = match found {
            Found::Landed => {
                self.know_mint(&intent.mint);
                intent.answer = Some(landed(&intent, about.signature.as_deref()));
                (Ending::Landed, "landed")
            }
            Found::DidNotLand => {
                let what = "its outcome was unknown, and an operator found that it did not land";
                let problem = Problem::new(GatewayCode::DidNotLand, what).about(&intent.key);
                intent.answer = Some(Recorded::problem(&problem));
                self.ledger.release(intent.number);
                (Ending::DidNotLand, "did not land")
            }
        };
        intent.state = IntentState::Ended;
        intent.ending = Some(ending);
        self.note(now_ms, &operator.name, Act::Settle.as_str(), &id, detail);
        self.put(intent);
        Ok(Step::Answer(self.acted_on(is_form, &id)))
    }

    /// The intent of an act, if it is in the state that the act needs.
    fn intent_in(&self, about: &About, state: IntentState) -> Result<Intent, Problem> {
        let intent = self.intents.get(&id_of(&about.caller, &about.intent_id));
        let intent =
            intent.ok_or_else(|| Problem::new(GatewayCode::IntentNotFound, "there is no such intent"))?;
        if intent.state == state {
            return Ok(intent.clone());
        }
        let detail = ["the intent is ", intent.state.as_str(), ", not ", state.as_str()].concat();
        Err(Problem::new(GatewayCode::WrongState, detail).about(&intent.key))
    }

    fn acted_on(&self, is_form: bool, id: &str) -> Reply {
        self.intents.get(id).map_or_else(see_desk, |intent| self.acted(is_form, intent))
    }

    /// The answer to an operator who acted on an intent.
    pub(super) fn acted(&self, is_form: bool, intent: &Intent) -> Reply {
        if is_form { see_desk() } else { answer(200, &IntentView::of(intent)) }
    }

    fn json(&self, request: &GatewayRequest, body: &[u8]) -> Result<Tape, Problem> {
        check_json(request)?;
        json_of(body)
    }

    /// The fields of a form of the desk's own page.
    fn form(&self, request: &GatewayRequest, operator: &Caller, body: &[u8]) -> Result<Tape, Problem> {
        let foreign = || Problem::new(GatewayCode::Csrf, "the form is not from the desk's own page");
        if request.header("sec-fetch-site").is_some_and(|site| site != "same-origin") {
            return Err(foreign());
        }
        let mut fields = fields_of(body).ok_or_else(foreign)?;
        let at = fields.iter().position(|(name, _)| name == "csrf").ok_or_else(foreign)?;
        let (_, given) = fields.swap_remove(at);
        let due = self.form_token(operator);
        if !is_same(&sha256(given.as_bytes()), &sha256(due.as_bytes())) {
            return Err(foreign());
        }
        // An empty field counts as left out.
        fields.retain(|(_, value)| !value.is_empty());
        Ok(Tape::object(&fields))
    }

    /// The hidden field of a form: only the desk's page contains it, and it differs for each operator.
    pub(super) fn form_token(&self, operator: &Caller) -> String {
        let inner = hash_of(&[self.form_secret.as_bytes(), operator.name.as_bytes(), &operator.token_sha256]);
        hex(&hash_of(&[self.form_secret.as_bytes(), &inner]))
    }
}

impl Gateway {
    /// `GET /desk`.
    pub(super) fn show(&mut self, now_ms: u64, request: &GatewayRequest, operator: &Caller) -> Reply {
        let view = self.view(now_ms);
        if request.wants_html() {
            return page::desk(&view, &self.form_token(operator), now_ms);
        }
        answer(200, &view)
    }

    /// A refusal, as HTML for a browser at the desk and as JSON for others.
    pub(super) fn refusal(&self, request: &GatewayRequest, problem: &Problem) -> Reply {
        if request.path.starts_with("/desk") && request.wants_html() {
            return page::refusal(problem);
        }
        problem.reply()
    }

    fn view(&mut self, now_ms: u64) -> DeskView {
        let in_state = |state| {
            let open = self.open.iter().filter_map(|id| self.intents.get(id));
            let mut found: Vec<&Intent> = open.filter(|intent| intent.state == state).collect();
            found.sort_by_key(|intent| intent.number);
            found.into_iter().map(IntentView::of).collect()
        };
        let newest = self.ages.iter().rev().filter_map(|(_, id)| self.intents.get(id));
        let recent = newest.filter(|intent| !intent.is_open()).take(SHOWN).map(IntentView::of).collect();
        let (in_doubt, waiting, in_flight) =
            (in_state(IntentState::InDoubt), in_state(IntentState::Waiting), in_state(IntentState::InFlight));
        let limits = &self.desk.limits;
        let callers = &self.settings.callers;
        let spent = self.ledger.sums(now_ms).map(|(account, lamports)| {
            let of_caller = account.caller.as_ref();
            let own = of_caller.map(|name| callers.iter().find(|caller| caller.name == *name));
            let limits = own.map_or(Some(limits), |caller| caller.map(|caller| &caller.limits));
            SpentView {
                caller: account.caller.clone(),
                wallet: account.wallet.clone(),
                lamports,
                limit: limits.and_then(|limits| match account.wallet {
                    None => limits.max_lamports_per_day,
                    Some(_) => limits.max_lamports_per_wallet_per_day,
                }),
            }
        });
        let spent = spent.collect();
        DeskView {
            desk: self.desk.name.clone(),
            mode: self.mode(),
            simulated: self.sandbox.is_some(),
            spent,
            in_doubt,
            waiting,
            in_flight,
            recent,
            audit: self.audit.newest().take(SHOWN).cloned().collect(),
            remembered: self.intents.len() as u32,
            limits: LimitsView::of(&self.desk.limits),
        }
    }
}

fn read_about(value: &Tape, act: Act) -> Result<About, Problem> {
    let is_of_intent = matches!(act, Act::Settle | Act::Approve | Act::Deny);
    let found = [("landed", Found::Landed), ("did_not_land", Found::DidNotLand)];
    let read = reader::read(value.root(), |r| {
        if !is_of_intent {
            return About::default();
        }
        About {
            caller: r.need("caller", Reader::text).to_owned(),
            intent_id: r.need("intentId", Reader::text).to_owned(),
            found: (act == Act::Settle)
                .then(|| r.needed("found", |r, name| r.choice(name, &found)))
                .flatten(),
            signature: (act == Act::Settle).then(|| r.text("signature").map(str::to_owned)).flatten(),
        }
    });
    read.map_err(Problem::of_fields)
}

/// The answer, in the service's form, to a trade that an operator found to have landed.
fn landed(intent: &Intent, signature: Option<&str>) -> Recorded {
    let mut trade = Trade::empty(intent.operation);
    let signature = signature.map(str::to_owned);
    trade.result.mint = Some(intent.mint.clone());
    trade.result.wallet = wallet_of(intent);
    trade.result.signature = signature.clone();
    trade.result.transaction = TransactionResult {
        success: Some(true),
        signature,
        results: "its outcome was unknown, and an operator found that it landed".to_tape(),
    };
    Recorded {
        status: 200,
        content_type: "application/json".to_owned(),
        body: encode_reply(&trade),
        retry_after: None,
        is_simulated: false,
    }
}

fn wallet_of(intent: &Intent) -> Option<String> {
    let body = json::parse(intent.body.as_bytes()).ok()?;
    match body.root().get("fromWallet")?.data() {
        crate::tape::Data::String(wallet) => Some(wallet.to_owned()),
        _ => None,
    }
}

/// Redirects to the page, so that a reload does not send the form again.
fn see_desk() -> Reply {
    let mut reply = typed(303, "text/plain; charset=utf-8", String::new());
    add(&mut reply, "location", "/desk");
    reply
}

/// The fields of a form, each name once.
fn fields_of(body: &[u8]) -> Option<Vec<(String, String)>> {
    let mut fields: Vec<(String, String)> = Vec::new();
    for pair in body.split(|byte| *byte == b'&').filter(|pair| !pair.is_empty()) {
        let at = pair.iter().position(|byte| *byte == b'=').unwrap_or(pair.len());
        let name = decoded(pair.get(..at)?)?;
        let value = decoded(pair.get(at + 1..).unwrap_or_default())?;
        if fields.iter().any(|(known, _)| *known == name) {
            return None;
        }
        fields.push((name, value));
    }
    Some(fields)
}

fn decoded(text: &[u8]) -> Option<String> {
    let spaced: Vec<u8> = text.iter().map(|byte| if *byte == b'+' { b' ' } else { *byte }).collect();
    percent_decoded(&spaced)
}
