//! One desk: its state, and how it answers a request, the reply to a forward, and an alarm.

mod forward;
mod look;
mod operator;
mod plan;
mod proof;
mod restore;
mod trading;

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::Arc;

use crate::admission::{Admitted, GatewayRequest, Route, admit, allowed_origin, with_cors};
use crate::audit::Audit;
use crate::code::GatewayCode;
use crate::doubt::{Doubt, Pending};
use crate::intent::{Intent, RecordedAnswer};
use crate::ledger::{Account, Ledger};
use crate::problem::{Asked, Problem, answer};
use crate::rows::{CLOSED, DeskRows};
use crate::settings::{Caller, Desk, GatewaySettings};
use crate::step::{ANSWER, Fetched, ForwardResult, GatewayChange, GatewayRow, GatewayStep, INTENT, MINT};
use launchpad_desk::api::endpoint::Reply;
use launchpad_desk::bindings::{Forgotten, Latest, debug_text};
use launchpad_desk::intent::{IntentOutcome, IntentState};
use launchpad_desk::tape::{Tape, ToTape, json};
use launchpad_desk::trade::flow::{Flow, Terms};
use launchpad_desk::trade::guard::{Guards, Mode, Suspension, request_of};
use launchpad_desk::trade::redacted;

/// A forwarded trade that has no answer yet.
#[derive(Clone)]
struct Flight {
    flow: Flow,
    asker: Asker,
    /// The origin of the page that may read the answer.
    origin: Option<String>,
}

/// Who gets the answer.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Asker {
    /// The caller; with the key of the intent that this one may duplicate.
    Caller { duplicate_of: Option<String> },
    /// The operator who approved it.
    Operator { name: String },
}

/// One desk of a gateway.
///
/// ```
/// use launchpad_desk_gateway::{Gateway, GatewayRequest, GatewaySettings, DeskRows, GatewayStep};
///
/// let token = launchpad_desk_gateway::token_hash("let me in");
/// let settings = format!(r#"{{
///     "upstream": "https://service.example",
///     "desks": [{{ "name": "alpha", "limits": {{ "maxLamportsPerDay": 5000000 }} }}],
///     "callers": [{{ "name": "bot", "desk": "alpha", "tokenSha256": "{token}" }}]
/// }}"#);
/// let settings = GatewaySettings::read(&settings).unwrap();
/// let (mut gateway, _) = Gateway::restore(settings, "alpha", Some("the-upstream-key"), DeskRows::default(), 0).unwrap();
///
/// let headers = [("authorization", "Bearer let me in"), ("content-type", "application/json"), ("idempotency-key", "a")]
///     .map(|(name, value)| (name.to_owned(), value.to_owned()));
/// let body = br#"{"mint":"M","fromWallet":"W","amountInLamports":600}"#;
/// let request = GatewayRequest { method: "POST", path: "/v1/trade/buy", headers: &headers, body: Some(body) };
/// let GatewayStep::Forward(forward) = gateway.request(1, &[7; 32], &request).step else { panic!() };
/// assert_eq!(forward.url, "https://service.example/v1/trade/buy");
/// // Until the answer comes, the trade is not sent again.
/// assert!(matches!(gateway.request(2, &[8; 32], &request).step, GatewayStep::Wait { .. }));
/// ```
#[derive(Clone)]
pub struct Gateway {
    settings: Arc<GatewaySettings>,
    desk: Desk,
    terms: Arc<Terms>,
    secret: String,
    /// The desk's own guards: its mode, its lists and the limits of one trade. They admit nothing.
    guards: Guards,
    /// The guards of each caller, which admit its trades. Boxed, like every value here under a text: so one map is compiled for all.
    callers: BTreeMap<String, Box<Guards>>,
    /// The signatures of the desk's trades: no other trade of the desk has one of them.
    signatures: Latest,
    /// Refuses any slippage that needs a person's approval.
    narrow: Guards,
    ledger: Ledger,
    intents: BTreeMap<String, Box<Intent>>,
    /// The intents that have not ended.
    open: BTreeSet<String>,
    /// When waiting trades and unsent plans expire, the soonest first.
    expiries: VecDeque<(u64, String)>,
    /// When each intent began, oldest first: the oldest is forgotten first.
    ages: VecDeque<(u64, String)>,
    /// Recent intents whose caller gave no key.
    keyless: VecDeque<(u64, String)>,
    flights: BTreeMap<String, Box<Flight>>,
    mints: BTreeSet<String>,
    audit: Audit,
    /// The callers' breakers as the desk's row has them.
    kept_breakers: Vec<(String, Suspension)>,
    /// When it was restored from its rows.
    started_at_ms: u64,
    next_number: u64,
    /// The intents in doubt that the chain may decide.
    doubts: BTreeMap<String, Box<Doubt>>,
    /// What settles one of them, while the node is asked.
    pending: Option<Box<Pending>>,
    /// How often the node was asked about them.
    asks: u64,
    /// When the desk must wake to see whether a forward has its answer.
    wake_at_ms: Option<u64>,
    /// Until when no trade waits for the node.
    node_rests_until_ms: u64,
    /// The trades that were sent and are forgotten.
    forgotten: Forgotten,
    /// The rows that the current call has changed so far.
    rows: Vec<GatewayRow>,
}

impl Gateway {
    /// Handles a request. `entropy` is at least 16 unpredictable bytes, from which new ids are made.
    pub fn request(&mut self, now_ms: u64, entropy: &[u8], request: &GatewayRequest) -> GatewayChange {
        self.request_with(now_ms, entropy, request, Fetched::default())
    }

    /// Handles a request again, with what [`GatewayStep::Read`] or [`GatewayStep::Look`] asked for. After a look, rows must be read again: the desk
    /// may have changed since.
    pub fn request_with(
        &mut self,
        now_ms: u64,
        entropy: &[u8],
        request: &GatewayRequest,
        fetched: Fetched,
    ) -> GatewayChange {
        self.expire(now_ms);
        let settings = Arc::clone(&self.settings);
        let step = match admit(&settings, request) {
            Err(reply) => Ok(GatewayStep::Answer(reply)),
            Ok(admitted) if admitted.caller.desk != self.desk.name => {
                Err(Problem::new(GatewayCode::NotFound, "this is another desk"))
            }
            Ok(admitted) => self.routed(now_ms, entropy, request, fetched, admitted),
        };
        let origin = allowed_origin(&settings, request);
        let dressed = |desk: &Gateway, reply| desk.clean(with_cors(&settings, origin, reply));
        let step = match step {
            Err(problem) => GatewayStep::Answer(dressed(self, problem.reply())),
            Ok(GatewayStep::Answer(reply)) => GatewayStep::Answer(dressed(self, reply)),
            Ok(
                step @ (GatewayStep::Read { .. }
                | GatewayStep::Check { .. }
                | GatewayStep::Look(_)
                | GatewayStep::Inquire { .. }
                | GatewayStep::Ask { .. }),
            ) => step,
            Ok(GatewayStep::Wait { id, wait_ms, reply }) => {
                GatewayStep::Wait { id, wait_ms, reply: dressed(self, reply) }
            }
            Ok(GatewayStep::Forward(forward)) => {
                // The answer comes later, when the request is no longer available.
                if let Some(flight) = self.flights.get_mut(&forward.id) {
                    flight.origin = origin.map(str::to_owned);
                }
                GatewayStep::Forward(forward)
            }
            Ok(GatewayStep::Nothing) => GatewayStep::Nothing,
        };
        self.moved(step)
    }

    /// Handles the reply to a forward. A reply to an unknown forward changes nothing.
    pub fn forwarded(&mut self, now_ms: u64, id: &str, result: ForwardResult) -> GatewayChange {
        let origin = self.flights.get_mut(id).and_then(|flight| flight.origin.take());
        let reply = self.settle_forward(now_ms, id, result);
        let dressed = |reply| self.clean(with_cors(&self.settings, origin.as_deref(), reply));
        let step = reply.map_or(GatewayStep::Nothing, |reply| GatewayStep::Answer(dressed(reply)));
        self.moved(step)
    }

    /// Handles an alarm: expires what has waited too long, forgets old keys, checks what a start has left of the audit log, and asks the
    /// chain about what is in doubt.
    pub fn alarm(&mut self, now_ms: u64) -> GatewayChange {
        self.expire(now_ms);
        self.forget(now_ms);
        let step = match self.audit.unchecked() {
            Some((from, until)) => GatewayStep::Check { from, until },
            None => self.woken(now_ms),
        };
        self.moved(step)
    }

    /// Checks the rows for which [`GatewayStep::Check`] asked. As many as are left are due at the next alarm, which is at once.
    pub fn checked(&mut self, now_ms: u64, rows: &DeskRows) -> GatewayChange {
        if self.audit.check(&rows.audit) {
            self.put_head();
        }
        // The node, which may take its time, is asked once all is checked: a broken log must not wait for it.
        let step = if self.audit.unchecked().is_some() { GatewayStep::Nothing } else { self.woken(now_ms) };
        self.moved(step)
    }

    fn moved(&mut self, step: GatewayStep) -> GatewayChange {
        if self.breakers() != self.kept_breakers {
            self.put_desk();
        }
        GatewayChange { rows: std::mem::take(&mut self.rows), alarm_at_ms: self.alarm_at_ms(), step }
    }

    fn alarm_at_ms(&self) -> Option<u64> {
        // Forgetting is not urgent. Rounded to the hour, the alarm rarely changes and rarely has to be written.
        const HOUR_MS: u64 = 3_600_000;
        let expiry = self.expiries.front().map(|(at_ms, _)| *at_ms);
        let age = self.ages.front().map(|(at_ms, _)| {
            at_ms.saturating_add(self.settings.remember_ms).div_ceil(HOUR_MS).saturating_mul(HOUR_MS)
        });
        let check = self.audit.unchecked().map(|_| self.started_at_ms);
        expiry.into_iter().chain(age).chain(self.asks_at_ms()).chain(check).min()
    }

    /// The longest body of a request.
    pub fn max_body_bytes(&self) -> u32 {
        self.settings.max_body_bytes
    }

    /// The remembered intents, each with its id.
    pub fn intents(&self) -> impl Iterator<Item = (&str, &Intent)> {
        self.intents.iter().map(|(id, intent)| (id.as_str(), &**intent))
    }

    /// Lamports counted in the last 24 hours.
    pub fn lamports(&self, account: &Account, now_ms: u64) -> u128 {
        self.ledger.lamports(account, now_ms)
    }

    /// Which trades the desk lets through.
    pub fn mode(&self) -> Mode {
        self.guards.state(0).mode
    }

    fn routed(
        &mut self,
        now_ms: u64,
        entropy: &[u8],
        request: &GatewayRequest,
        fetched: Fetched,
        Admitted { route, caller }: Admitted,
    ) -> Result<GatewayStep, Problem> {
        let rows = fetched.rows;
        match route {
            Route::Trade(operation) => {
                self.trade(now_ms, entropy, request, fetched, caller, operation).or_else(|problem| {
                    Ok(GatewayStep::Answer(self.not_recorded(&caller.name, request, &problem)))
                })
            }
            Route::MakePlan => self.make_plan(now_ms, entropy, request, fetched, caller),
            Route::ShowPlan(id) => self.show_plan(caller, id).map(GatewayStep::Answer),
            Route::SendPlan(id) => self.send_plan(now_ms, request, fetched, caller, id),
            Route::Intent(key) => self.show_intent(now_ms, rows, caller, key),
            Route::Withdraw(key) => self.withdraw(now_ms, caller, key).map(GatewayStep::Answer),
            Route::Ready => Ok(GatewayStep::Answer(answer(200, &self.asked(now_ms, caller)))),
            Route::Desk(cursors) => self.show(now_ms, fetched, cursors),
            Route::Audit { from } => Ok(self.export(rows, from)),
            Route::Act(act) => self.act(now_ms, request, fetched, caller, act),
            // Already answered by `admit`.
            Route::Health | Route::Chain | Route::Market => {
                Err(Problem::new(GatewayCode::NotFound, "there is nothing at this path"))
            }
        }
    }

    /// Who asked, where and when: what proves that an intent is not known there.
    fn asked(&self, now_ms: u64, caller: &Caller) -> Asked {
        let is_simulated = self.settings.is_simulated();
        Asked { desk: self.desk.name.clone(), caller: caller.name.clone(), now_ms, is_simulated }
    }

    /// The callers' breakers that have counted anything, or are open.
    fn breakers(&self) -> Vec<(String, Suspension)> {
        let callers = self.callers.iter().map(|(name, guards)| {
            let suspension = Suspension { mode: None, ..guards.suspension() };
            (name.clone(), suspension)
        });
        callers.filter(|(_, suspension)| *suspension != CLOSED).collect()
    }

    fn known(&self, id: &str) -> Option<&Intent> {
        self.intents.get(id).map(|intent| &**intent)
    }

    fn guards_of(&mut self, caller: &str) -> &mut Guards {
        let settings = self.settings.callers.iter().find(|known| known.name == caller);
        let limits = || settings.map(|known| known.limits.guards.clone()).unwrap_or_default();
        self.callers
            .entry(caller.to_owned())
            .or_insert_with(|| Box::new(Guards::new(limits()).knowing(&self.guards)))
    }

    /// Tells all guards of the desk what was learned: any caller may trade with a wallet.
    fn learn(&mut self, learn: impl Fn(&mut Guards)) {
        learn(&mut self.guards);
        self.callers.values_mut().for_each(|guards| learn(guards));
    }

    /// Tells them what the end of a trade shows of its wallets' accounts, or may have changed.
    fn learn_end(&mut self, intent: &Intent, outcome: IntentOutcome, closed: Option<bool>) {
        let Ok(request) = request_of(intent.operation, &intent.body) else { return };
        if outcome != IntentOutcome::NotSent {
            let is_landed = outcome == IntentOutcome::Landed;
            self.learn(|guards| guards.learn_end(&request, is_landed, closed == Some(false)));
        }
    }

    /// Remembers that a trade of the mint has landed. Only a desk that asks for approval of the first one needs to know.
    fn know_mint(&mut self, mint: &str) {
        if self.desk.approval.first_trade_of_mint && self.mints.insert(mint.to_owned()) {
            let key = [MINT, "\n", mint].concat();
            self.rows.push(GatewayRow { key, row: Some("true".to_owned()) });
        }
    }

    /// Stores an intent in memory and in its row. The body of a final answer goes into a row of its own, which is read only
    /// when the answer is asked for again.
    fn put(&mut self, mut intent: Intent) {
        let id = intent.id();
        if !intent.is_open()
            && let Some(answer) = &mut intent.answer
        {
            let body = json::write(&std::mem::take(&mut answer.body).to_tape());
            self.rows.push(GatewayRow { key: [ANSWER, "\n", &id].concat(), row: Some(body) });
        }
        self.rows.push(GatewayRow { key: [INTENT, "\n", &id].concat(), row: Some(intent.to_json()) });
        self.keep(id, Box::new(intent.trimmed()));
    }

    /// Stores in memory an intent that already has a row.
    fn keep(&mut self, id: String, intent: Box<Intent>) {
        if intent.is_open() {
            self.open.insert(id.clone())
        } else {
            self.open.remove(&id)
        };
        if let Some(at_ms) = intent.expires_at_ms {
            self.schedule(at_ms, id.clone());
        }
        self.watch(&id, &intent);
        let (number, at_ms) = (intent.number, intent.at_ms);
        let is_keyless = intent.is_key_made && intent.plan.is_none();
        if self.intents.insert(id.clone(), intent).is_none() {
            self.next_number = self.next_number.max(number.saturating_add(1));
            if is_keyless {
                self.keyless.push_back((at_ms, id.clone()));
            }
            self.ages.push_back((at_ms, id));
        }
    }

    /// Lets an intent expire then.
    fn schedule(&mut self, at_ms: u64, id: String) {
        let expiry = (at_ms, id);
        if let Err(place) = self.expiries.binary_search(&expiry) {
            self.expiries.insert(place, expiry);
        }
    }

    fn unschedule(&mut self, intent: &Intent) {
        if let Some(at_ms) = intent.expires_at_ms
            && let Ok(place) = self.expiries.binary_search(&(at_ms, intent.id()))
        {
            self.expiries.remove(place);
        }
    }

    /// Settles an intent that was forwarded, and counts what it has spent by that.
    fn settle_as(&mut self, intent: &mut Intent, outcome: IntentOutcome) {
        if matches!(outcome, IntentOutcome::Landed | IntentOutcome::Unconfirmed) {
            self.know_mint(&intent.mint);
        }
        let is_known = outcome != IntentOutcome::Unknown;
        intent.state = if is_known { IntentState::Ended } else { IntentState::InDoubt };
        intent.outcome = Some(outcome);
        self.ledger.recount(intent.number, intent.counted());
    }

    /// Ends an intent that was not forwarded.
    fn end(&mut self, mut intent: Intent, problem: Problem) {
        self.unschedule(&intent);
        intent.state = IntentState::Ended;
        intent.outcome = Some(IntentOutcome::NotSent);
        intent.expires_at_ms = None;
        let problem = problem.about(&intent.key);
        intent.answer = Some(RecordedAnswer::problem(&problem));
        self.put(intent);
    }

    /// Ends trades that were not approved in time, and drops plans that were not sent in time.
    fn expire(&mut self, now_ms: u64) {
        while let Some((at_ms, id)) = self.expiries.front().cloned()
            && at_ms <= now_ms
        {
            self.expiries.pop_front();
            match self.known(&id).cloned() {
                Some(intent) if intent.state == IntentState::AwaitingApproval => {
                    self.note(now_ms, "gateway", "approval_expired", &id, &intent.reasons);
                    let detail = "nobody approved the trade in time; nothing was sent";
                    self.end(intent, Problem::new(GatewayCode::ApprovalExpired, detail));
                }
                Some(intent) if intent.state == IntentState::Planned => self.drop_plan(&id),
                _ => {}
            }
        }
    }

    /// Forgets intents that are older than `rememberMs`. Open ones are kept.
    fn forget(&mut self, now_ms: u64) {
        let (remember_ms, known) = (self.settings.remember_ms, self.forgotten);
        while self.ages.front().is_some_and(|(at_ms, _)| at_ms.saturating_add(remember_ms) <= now_ms)
            && let Some((_, id)) = self.ages.pop_front()
        {
            // A trade that was approved late counts from when it was sent, so it is remembered from then.
            let intent = self.known(&id);
            let sent_at_ms = intent.and_then(|intent| intent.sent_at_ms).unwrap_or_default();
            let slot = intent.and_then(Intent::slot);
            if self.open.contains(&id) {
                self.ages.push_back((now_ms, id));
            } else if sent_at_ms.saturating_add(remember_ms) > now_ms {
                self.ages.push_back((sent_at_ms, id));
            } else {
                if sent_at_ms > 0 {
                    self.forgotten.add(sent_at_ms, slot);
                }
                self.drop_rows(&id);
            }
        }
        if self.forgotten != known {
            self.put_desk();
        }
    }

    /// Drops a plan that was not sent.
    fn drop_plan(&mut self, id: &str) {
        self.drop_rows(id);
        // Searched from the end: a plan is one of the youngest.
        if let Some(at) = self.ages.iter().rposition(|(_, known)| known == id) {
            self.ages.remove(at);
        }
    }

    fn drop_rows(&mut self, id: &str) {
        let Some(intent) = self.intents.remove(id) else { return };
        self.ledger.forget(intent.number);
        self.rows.push(GatewayRow { key: [INTENT, "\n", id].concat(), row: None });
        if intent.answer.is_some() {
            self.rows.push(GatewayRow { key: [ANSWER, "\n", id].concat(), row: None });
        }
        self.open.remove(id);
    }

    /// Adds an entry to the audit log.
    fn note(&mut self, now_ms: u64, by: &str, act: &str, intent: &str, detail: &str) {
        self.note_with(now_ms, by, act, intent, detail, None);
    }

    /// The same with data.
    fn note_with(
        &mut self,
        now_ms: u64,
        by: &str,
        act: &str,
        intent: &str,
        detail: &str,
        data: Option<Tape>,
    ) {
        let rows = self.audit.add(now_ms, by, act, intent, detail, data);
        self.rows.extend(rows.map(|(key, row)| GatewayRow { key, row: Some(row) }));
    }

    /// The answer with the service's key removed, wherever it stood.
    fn clean(&self, mut reply: Reply) -> Reply {
        let secret = self.secret.as_bytes();
        reply.body = redacted(std::mem::take(&mut reply.body), secret);
        reply.headers.retain(|(_, value)| redacted(value.clone().into_bytes(), secret) == value.as_bytes());
        reply
    }
}

debug_text!(Gateway, |gateway| "Gateway({}, {} intents)", gateway.desk.name, gateway.intents.len());
