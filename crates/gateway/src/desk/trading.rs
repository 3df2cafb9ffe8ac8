//! A request for a trade: its key, its check and its policy, until it is forwarded, waits for approval, or gets the answer that
//! was recorded for its key.

use super::{Asker, Gateway};
use crate::admission::{GatewayRequest, check_json};
use crate::code::GatewayCode;
use crate::hash::{hash_of, hex};
use crate::intent::{Intent, RecordedAnswer, id_of};
use crate::policy::{fee_spend, spends};
use crate::problem::{Problem, add, json_of, refused};
use crate::settings::Caller;
use crate::step::{ANSWER, Fetched, GatewayStep};
use launchpad_desk::amount::Digits;
use launchpad_desk::api::endpoint::{Operation, Reply};
use launchpad_desk::api::request::Request;
use launchpad_desk::api::validate::{Forms, Rules, Valid, validate};
use launchpad_desk::intent::{INTENT_STATE, IntentOutcome, IntentState, intent_id_problem};
use launchpad_desk::tape::{Data, json};
use launchpad_desk::trade::plan::Planned;
use launchpad_desk::trade::redacted;

/// How long a client should wait before it asks again about a trade that waits for approval or is in flight.
pub(super) const ASK_AGAIN_MS: u64 = 1_000;

impl Gateway {
    /// Handles a request for one of the six operations.
    pub(super) fn trade(
        &mut self,
        now_ms: u64,
        entropy: &[u8],
        request: &GatewayRequest,
        fetched: Fetched,
        caller: &Caller,
        operation: Operation,
    ) -> Result<GatewayStep, Problem> {
        let given = key_of(request)?;
        let body = self.whole_body(request)?;
        let hash = hex(&hash_of(&[request.path.as_bytes(), body]));
        if let Some(key) = given
            && let Some(intent) = self.known(&id_of(&caller.name, key))
        {
            return self.again(intent, Some(&hash), fetched.rows);
        }
        check_moment(now_ms, request)?;
        check_json(request)?;
        let valid = self.read_request(operation, body)?;
        self.refuse_secret(body, given)?;
        let key = given.map_or_else(|| self.made_key("gw-", now_ms, entropy), str::to_owned);
        let duplicate_of =
            if given.is_none() { self.duplicate_of(now_ms, &caller.name, &hash) } else { None };
        let intent = self.intent(now_ms, caller, key, &valid, hash, given.is_none());
        self.begin(now_ms, caller, intent, valid, fetched, duplicate_of)
    }

    /// The answer to a refused request for a trade. It says `not_recorded` unless an intent with the same key exists, about which
    /// this refusal says nothing.
    pub(super) fn not_recorded(&self, caller: &str, request: &GatewayRequest, problem: &Problem) -> Reply {
        let mut reply = problem.reply();
        let is_known = match key_of(request) {
            Ok(Some(key)) => self.intents.contains_key(&id_of(caller, key)),
            Ok(None) | Err(_) => false,
        };
        if !is_known {
            add(&mut reply, INTENT_STATE, IntentState::NotRecorded.as_str());
        }
        reply
    }

    /// The body of a request, unless it is too long.
    pub(super) fn whole_body<'r>(&self, request: &GatewayRequest<'r>) -> Result<&'r [u8], Problem> {
        let most = self.settings.max_body_bytes;
        request.body.filter(|body| body.len() <= most as usize).ok_or_else(|| {
            Problem::new(GatewayCode::BodyTooLarge, ["the body is over ", &most.digits(), " bytes"].concat())
        })
    }

    /// Reads and checks the request in a body.
    fn read_request(&self, operation: Operation, body: &[u8]) -> Result<Valid<Request>, Problem> {
        let value = json_of(body)?;
        validate(operation, value.root(), &self.wire_rules()).map_err(Problem::of_fields)
    }

    pub(super) fn wire_rules(&self) -> Rules {
        Rules { forms: Forms::Wire, ..self.settings.dialect.rules.clone() }
    }

    /// Refuses a request that contains the service's key, so that the key is never recorded.
    pub(super) fn refuse_secret(&self, body: &[u8], key: Option<&str>) -> Result<(), Problem> {
        let names = |text: &[u8]| redacted(text.to_vec(), self.secret.as_bytes()) != text;
        if names(body) || key.is_some_and(|key| names(key.as_bytes())) {
            return Err(Problem::new(
                GatewayCode::InvalidRequest,
                "the request contains text that is not allowed",
            ));
        }
        Ok(())
    }

    /// An unpredictable id.
    pub(super) fn made_key(&self, prefix: &str, now_ms: u64, entropy: &[u8]) -> String {
        let hash = hash_of(&[entropy, &self.next_number.to_le_bytes(), &now_ms.to_le_bytes()]);
        [prefix, hex(&hash).get(..32).unwrap_or_default()].concat()
    }

    /// A new intent.
    pub(super) fn intent(
        &self,
        now_ms: u64,
        caller: &Caller,
        key: String,
        request: &Valid<Request>,
        hash: String,
        is_key_made: bool,
    ) -> Intent {
        let planned = Planned::new(request.clone(), "", &self.settings.dialect.rules);
        let shares = self.guards.worst_of_wallets(now_ms, request);
        Intent {
            number: self.next_number,
            caller: caller.name.clone(),
            key,
            is_key_made,
            hash,
            operation: request.operation,
            mint: request.mint.clone(),
            body: planned.body().to_owned(),
            spends: spends(&shares),
            fee: fee_spend(&shares),
            at_ms: now_ms,
            sent_at_ms: None,
            counted_at_ms: None,
            state: IntentState::Planned,
            reasons: String::new(),
            expires_at_ms: None,
            outcome: None,
            answer: None,
            plan: None,
            before: Vec::new(),
            signature: None,
            named_signature: None,
            is_proven: false,
            before_slot: None,
        }
    }

    /// The answer for an intent that exists already.
    pub(super) fn again(
        &self,
        intent: &Intent,
        hash: Option<&str>,
        rows: Option<&[&str]>,
    ) -> Result<GatewayStep, Problem> {
        if hash.is_some_and(|hash| hash != intent.hash) {
            let detail = "the idempotency key was used before, with another request";
            return Err(Problem::new(GatewayCode::IdempotencyKeyReused, detail).about(&intent.key));
        }
        match (&intent.answer, intent.state) {
            (Some(answer), _) => {
                let Some(body) = recorded_body(intent, answer, rows)? else { return Ok(read_answer(intent)) };
                let mut reply = self.about(intent, answer.reply());
                reply.body = body.into_bytes();
                add(&mut reply, "idempotent-replayed", "true");
                Ok(GatewayStep::Answer(reply))
            }
            (None, IntentState::AwaitingApproval) => Ok(GatewayStep::Answer(self.waiting(intent))),
            (None, _) => {
                let detail = "the intent is in flight; ask again with the same key";
                let problem = Problem::new(GatewayCode::IntentInFlight, detail).about(&intent.key);
                let reply = self.about(intent, problem.after(ASK_AGAIN_MS).reply());
                Ok(GatewayStep::Wait { id: intent.id(), wait_ms: self.settings.wait_ms, reply })
            }
        }
    }

    /// Adds the headers that every answer about an intent has.
    pub(super) fn about(&self, intent: &Intent, mut reply: Reply) -> Reply {
        add(&mut reply, "idempotency-key", &intent.key);
        add(&mut reply, INTENT_STATE, intent.state.as_str());
        if self.settings.is_simulated() && reply.header("x-simulated").is_none() {
            add(&mut reply, "x-simulated", "true");
        }
        reply
    }

    pub(super) fn waiting(&self, intent: &Intent) -> Reply {
        let detail = ["an operator must approve the trade: it ", &intent.reasons].concat();
        let problem = Problem::new(GatewayCode::AwaitingApproval, detail).about(&intent.key);
        self.about(intent, problem.after(ASK_AGAIN_MS).reply())
    }

    /// An equal request of the same caller within `duplicateWindowMs`, also without a key.
    fn duplicate_of(&mut self, now_ms: u64, caller: &str, hash: &str) -> Option<String> {
        let window = self.settings.duplicate_window_ms;
        while self.keyless.front().is_some_and(|(at_ms, _)| at_ms.saturating_add(window) <= now_ms) {
            self.keyless.pop_front();
        }
        let mut of_late = self.keyless.iter().rev().filter_map(|(_, id)| self.known(id));
        of_late.find(|intent| intent.caller == caller && intent.hash == hash).map(|intent| intent.key.clone())
    }

    /// Checks a request against the policy as it is now.
    /// Fails with the first limit that it exceeds.
    pub(super) fn check(
        &self,
        now_ms: u64,
        caller: &Caller,
        intent: &Intent,
        request: &Valid<Request>,
    ) -> Result<(), Problem> {
        if let Some(what) = self.audit.broken() {
            let detail = ["the audit log is broken: ", what, "; an operator acknowledges it"].concat();
            return Err(Problem::new(GatewayCode::AuditBroken, detail));
        }
        let id = intent.id();
        self.guards.check(now_ms, &id, request).map_err(|error| refused(*error))?;
        if let Some(guards) = self.callers.get(&caller.name) {
            guards.check(now_ms, &id, request).map_err(|error| refused(*error))?;
        }
        // An account may have been closed since the intent was made.
        let spends = spends(&self.guards.worst_of_wallets(now_ms, request));
        self.desk.limits.check(request, &spends, None, &self.ledger, now_ms)?;
        caller.limits.check(request, &spends, Some(&caller.name), &self.ledger, now_ms)
    }

    /// Why an operator must approve it; empty if no approval is needed.
    pub(super) fn reasons(&self, intent: &Intent, request: &Valid<Request>) -> String {
        let is_wide = self.narrow.check(0, "", request).is_err();
        let is_first = !self.mints.contains(&intent.mint);
        self.desk.approval.reasons(request, &intent.spends, is_wide, is_first)
    }

    /// Checks a new intent against the policy, then forwards it or lets it wait for approval.
    pub(super) fn begin(
        &mut self,
        now_ms: u64,
        caller: &Caller,
        mut intent: Intent,
        request: Valid<Request>,
        fetched: Fetched,
        duplicate_of: Option<String>,
    ) -> Result<GatewayStep, Problem> {
        let key = intent.key.clone();
        self.check(now_ms, caller, &intent, &request).map_err(|problem| problem.about(&key))?;
        self.check_room(now_ms, &intent)?;
        // A plan was counted when it was made.
        let shares = self.guards.worst_of_wallets(now_ms, &request);
        (intent.spends, intent.fee) = (spends(&shares), fee_spend(&shares));
        intent.reasons = self.reasons(&intent, &request);
        if intent.reasons.is_empty() {
            return self.forward(now_ms, intent, request, fetched, Asker::Caller { duplicate_of });
        }
        // It counts for the rate limit, so that no caller can flood the operators' page.
        let guards = self.guards_of(&caller.name);
        let admission =
            guards.admit(now_ms, intent.id().as_str(), &request).map_err(|error| refused(*error))?;
        guards.settle(admission.ticket, IntentOutcome::NotSent);
        intent.state = IntentState::AwaitingApproval;
        intent.expires_at_ms = Some(now_ms.saturating_add(self.settings.approval_ms));
        self.note(now_ms, &caller.name, "awaiting_approval", &intent.id(), &intent.reasons);
        let reply = flagged(self.waiting(&intent), duplicate_of.as_deref());
        self.put(intent);
        Ok(GatewayStep::Answer(reply))
    }

    /// Whether the desk can remember one more intent. Plans give way: they have sent nothing, no rate limit counts them, and they can be
    /// made again. The last tenth is kept for sells, so that a desk full of trades can still leave its positions.
    pub(super) fn check_room(&mut self, now_ms: u64, intent: &Intent) -> Result<(), Problem> {
        let most = self.settings.max_intents as usize;
        let most = if intent.operation.is_buy() { most - most / 10 } else { most };
        if self.intents.len() < most || self.intents.contains_key(&intent.id()) {
            return Ok(());
        }
        self.forget(now_ms);
        while self.intents.len() >= most {
            if !self.drop_a_plan() {
                let detail = "the desk remembers as many intents as maxIntents allows";
                return Err(Problem::new(GatewayCode::DeskFull, detail).after(60_000));
            }
        }
        Ok(())
    }

    /// Drops the oldest unsent plan of the caller who has most of them, so that one caller's plans cost no other caller a plan.
    fn drop_a_plan(&mut self) -> bool {
        let mut plans: Vec<(&str, usize, &str)> = Vec::new();
        for (_, id) in &self.expiries {
            if let Some(intent) = self.known(id).filter(|intent| intent.state == IntentState::Planned) {
                match plans.iter_mut().find(|(caller, ..)| *caller == intent.caller) {
                    Some((_, count, _)) => *count += 1,
                    None => plans.push((&intent.caller, 1, id)),
                }
            }
        }
        let most = plans.into_iter().max_by_key(|(_, count, _)| *count);
        let Some(intent) = most.and_then(|(.., id)| self.known(id)).cloned() else { return false };
        self.unschedule(&intent);
        self.drop_plan(&intent.id());
        true
    }
}

/// The body of a recorded answer; `None` if its row must be read first.
/// Fails if there is no such row.
pub(super) fn recorded_body(
    intent: &Intent,
    answer: &RecordedAnswer,
    rows: Option<&[&str]>,
) -> Result<Option<String>, Problem> {
    if intent.is_open() {
        return Ok(Some(answer.body.clone()));
    }
    let Some(rows) = rows else { return Ok(None) };
    let value = rows.first().and_then(|row| json::parse(row.as_bytes()).ok()).unwrap_or_default();
    match value.root().data() {
        Data::String(body) => Ok(Some(body.to_owned())),
        _ => {
            let detail = "outcome unknown: the recorded answer cannot be read";
            Err(Problem::new(GatewayCode::Interrupted, detail).about(&intent.key))
        }
    }
}

/// Reads the row of a recorded answer.
pub(super) fn read_answer(intent: &Intent) -> GatewayStep {
    let from = [ANSWER, "\n", &intent.id()].concat();
    // The next key that there can be.
    let until = [&from, "\0"].concat();
    GatewayStep::Read { from, until }
}

/// Adds the key of the intent that this one may duplicate.
pub(super) fn flagged(mut reply: Reply, duplicate_of: Option<&str>) -> Reply {
    if let Some(key) = duplicate_of {
        add(&mut reply, "x-possible-duplicate", key);
    }
    reply
}

/// The idempotency key of a request, quoted or bare.
fn key_of<'r>(request: &GatewayRequest<'r>) -> Result<Option<&'r str>, Problem> {
    let mut given = request.all("idempotency-key");
    let Some(text) = given.next() else { return Ok(None) };
    let bare = text.strip_prefix('"').and_then(|text| text.strip_suffix('"')).unwrap_or(text);
    let what = if given.next().is_some() {
        Some("appears twice")
    } else if bare.contains(['"', '\\']) {
        Some("must not have quotes or backslashes in it")
    } else {
        intent_id_problem(bare).map(|(_, what)| what)
    };
    match what {
        None => Ok(Some(bare)),
        Some(what) => {
            let detail = ["the idempotency-key ", what].concat();
            Err(Problem::new(GatewayCode::InvalidIdempotencyKey, detail))
        }
    }
}

/// Refuses a request that came after the time in its header `not-after`, in milliseconds since 1970 by the gateway's clock.
/// After that time an unknown intent is no longer accepted, however late a copy of its request arrives.
pub(super) fn check_moment(now_ms: u64, request: &GatewayRequest) -> Result<(), Problem> {
    let mut given = request.all("not-after");
    let Some(text) = given.next() else { return Ok(()) };
    let last_ms = text.bytes().all(|byte| byte.is_ascii_digit()).then(|| text.parse::<u64>().ok()).flatten();
    match (last_ms, given.next()) {
        (Some(last_ms), None) if now_ms <= last_ms => Ok(()),
        (Some(_), None) => {
            let detail = "it arrived later than its sender allows (not-after), and went no further";
            Err(Problem::new(GatewayCode::TooLate, detail))
        }
        _ => {
            let detail = "the header not-after must appear once, in milliseconds since 1970";
            Err(Problem::new(GatewayCode::InvalidRequest, detail))
        }
    }
}
