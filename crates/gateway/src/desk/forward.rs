//! Forwarding an intent, once, and recording how it ended.

use std::sync::Arc;

use super::proof::Before;
use super::trading::flagged;
use super::{Asker, Flight, Gateway};
use crate::admission::Act;
use crate::code::GatewayCode;
use crate::intent::{Intent, RecordedAnswer};
use crate::policy::{fee_spend, spends};
use crate::problem::{self, Problem, refused, seconds};
use crate::step::{Fetched, Forward, ForwardResult, GatewayStep};
use crate::view::IntentView;
use launchpad_desk::amount::Digits;
use launchpad_desk::api::endpoint::Reply;
use launchpad_desk::api::request::Request;
use launchpad_desk::api::response::Trade;
use launchpad_desk::api::validate::Valid;
use launchpad_desk::bindings::object;
use launchpad_desk::bindings::page::page_in;
use launchpad_desk::error::{Error, Outcome};
use launchpad_desk::intent::{IntentOutcome, IntentState, Settlement};
use launchpad_desk::tape::{Number, Tape, json};
use launchpad_desk::trade::flow::{Event, Flow, Head, Lost, Machine, Step as FlowStep};
use launchpad_desk::trade::plan::Planned;
use launchpad_desk::trade::{Asked, Dialect, classify, redacted};
use launchpad_desk_record::hash::hex;
use launchpad_desk_record::line::Act as RecordAct;

impl Gateway {
    /// Forwards an intent. From here on it is in flight, so it is never forwarded again.
    /// Fails if a guard refuses it. Nothing has changed then.
    pub(super) fn forward(
        &mut self,
        now_ms: u64,
        mut intent: Intent,
        request: Valid<Request>,
        fetched: Fetched,
        asker: Asker,
    ) -> Result<GatewayStep, Problem> {
        let id = intent.id();
        intent.before = match self.before(now_ms, &request, fetched.look) {
            Before::Ask(call) => return Ok(GatewayStep::Look(call)),
            Before::Known(before) => before,
        };
        let shares = self.guards.worst_of_wallets(now_ms, &request);
        (intent.spends, intent.fee) = (spends(&shares), fee_spend(&shares));
        self.learn(|guards| guards.learn_holdings(&request.mint, &intent.before));
        let planned = Planned::new(request, id.as_str(), &self.settings.dialect.rules);
        if planned.body() != intent.body {
            let detail = "the gateway's settings have changed: it would be another trade now";
            return Err(Problem::new(GatewayCode::WrongState, detail).about(&intent.key));
        }
        let mut flow = Flow::new(Arc::clone(&self.terms), planned, self.settings.timeout_ms);
        let post = match flow.next(self.guards_of(&intent.caller), now_ms, Event::Begin) {
            FlowStep::Send(post) => post,
            FlowStep::Done(Err(error)) => return Err(refused(*error).about(&intent.key)),
            // A gateway's terms have no journal, queue or hook, so there is no other first step.
            _ => return Err(Problem::new(GatewayCode::WrongState, "the trade cannot be sent")),
        };
        let counted_at_ms = self.ledger.reserve(now_ms, intent.number, &intent.caller, &intent.spends);
        intent.counted_at_ms = Some(counted_at_ms).filter(|at_ms| *at_ms != now_ms);
        self.unschedule(&intent);
        intent.state = IntentState::InFlight;
        intent.sent_at_ms = Some(now_ms);
        intent.expires_at_ms = None;
        self.put(intent);
        if let Asker::Operator { name } = &asker {
            self.note(now_ms, name, Act::Approve.as_str(), &id, "");
        }
        self.wake_after_forward(now_ms);
        self.flights.insert(id.clone(), Box::new(Flight { flow, asker, origin: None }));
        let url = [self.settings.base_url(), post.path].concat();
        let (timeout_ms, max_reply_bytes) = (self.settings.timeout_ms, self.settings.max_reply_bytes);
        Ok(GatewayStep::Forward(Forward {
            id,
            url,
            headers: post.headers,
            body: post.body,
            timeout_ms,
            max_reply_bytes,
        }))
    }

    /// Whether a trade that is about to be forwarded may still go: trading may have been stopped since its rows were written. Ask this right
    /// before the request is sent, and if it may not, report it as [unsent](ForwardResult::Unsent).
    pub fn may_send(&self, id: &str) -> bool {
        let Some(intent) = self.known(id).filter(|_| self.flights.contains_key(id)) else { return false };
        let own = self.callers.get(&intent.caller).map(|guards| &**guards);
        !own.into_iter().chain([&self.guards]).any(|guards| guards.stops(intent.operation))
    }

    /// Settles a trade that was forwarded.
    pub(super) fn settle_forward(&mut self, now_ms: u64, id: &str, result: ForwardResult) -> Option<Reply> {
        let Flight { mut flow, asker, .. } = *self.flights.remove(id)?;
        let mut intent = self.known(id)?.clone();
        let doubted = match &result {
            ForwardResult::Shared(reply) if self.may_be_anothers(now_ms, &intent, reply) => {
                Some(reply.status)
            }
            _ => None,
        };
        let result = if doubted.is_some() { ForwardResult::Broken } else { result };
        let forwarded = Forwarded::of(result, self.secret.as_bytes(), self.settings.max_reply_bytes);
        let last = self.tell_flow(now_ms, &intent.caller, &mut flow, &forwarded.events);
        let ended = flow.settlement().unwrap_or(IntentOutcome::Unknown.into());
        let line = self.line_of(now_ms, &intent, &flow, &forwarded, &ended);
        let outcome = ended.outcome;
        intent.signature = ended.signature;
        if outcome == IntentOutcome::Unknown {
            intent.named_signature.clone_from(&intent.signature);
        }
        let mut flow_closed = None;
        let answer = match last {
            FlowStep::Done(mut result) => {
                flow_closed = result.as_ref().ok().and_then(|trade| trade.result.token_account_closed);
                if let (Err(error), Some(status)) = (&mut result, doubted) {
                    error.message = format!(
                        "outcome unknown: the reply ({status}) has no signature, and its connection carried other \
                         requests: it may be that to another"
                    );
                }
                let answer = recorded(result, forwarded.status, &forwarded.body, &intent.key);
                RecordedAnswer { is_simulated: forwarded.is_simulated, ..answer }
            }
            _ => RecordedAnswer::problem(
                &Problem::new(GatewayCode::IntentUnknown, "outcome unknown").about(&intent.key),
            ),
        };
        self.learn_end(&intent, outcome, flow_closed);
        intent.answer = Some(answer);
        self.settle_as(&mut intent, outcome);
        let spent = intent.lamports().digits();
        let detail = [intent.operation.as_str(), ", ", &spent, " lamports: ", outcome.as_str()].concat();
        self.note_with(now_ms, &intent.caller, RecordAct::Trade.as_str(), id, &detail, Some(line));
        let reply = self.answer_to(&asker, &intent);
        self.put(intent);
        Some(reply)
    }

    /// Tells a flow what came of its forward, by its caller's guards with the desk's signatures, and with its mode: what was not sent because
    /// the desk has stopped since says so.
    fn tell_flow(&mut self, now_ms: u64, caller: &str, flow: &mut Flow, events: &[Event]) -> FlowStep {
        let (mode, mut signatures) = (self.mode(), std::mem::take(&mut self.signatures));
        let guards = self.guards_of(caller);
        let own_mode = guards.swap_mode(mode);
        guards.swap_signatures(&mut signatures);
        let tell = |_, event: &Event| flow.next(guards, now_ms, event.clone());
        let last = events.iter().fold(FlowStep::Nothing, tell);
        let guards = self.guards_of(caller);
        guards.swap_signatures(&mut signatures);
        guards.swap_mode(own_mode);
        self.signatures = signatures;
        last
    }

    /// A trade as a line of a record has it.
    fn line_of(
        &self,
        now_ms: u64,
        intent: &Intent,
        flow: &Flow,
        forwarded: &Forwarded,
        ended: &Settlement,
    ) -> Tape {
        let (dialect, body) = (&self.settings.dialect, &flow.intent().body);
        let url = [self.settings.base_url(), intent.operation.path()].concat();
        let line = object! {
            "dialect": Some(dialect).filter(|own| **own != Dialect::default()),
            "begin": flow.intent(),
            "send": object! { "url": url, "body": body },
            "sentAtMs": Number(intent.sent_at_ms.unwrap_or(now_ms).into()),
            "answer": Some(&forwarded.line).filter(|_| forwarded.status > 0),
            "lost": Some(&forwarded.line).filter(|_| forwarded.status == 0),
            "settle": ended,
        };
        line.with_text_figures()
    }

    /// Whether a reply would end the trade without a signature, which is all that no other trade has.
    fn may_be_anothers(&self, now_ms: u64, intent: &Intent, reply: &Reply) -> bool {
        match classify(Asked::from(intent.operation), reply, &self.settings.dialect, now_ms) {
            Ok(trade) => trade.signature().is_none(),
            Err(error) => {
                let trade = error.trade.as_deref();
                error.outcome != Outcome::Unknown && trade.and_then(Trade::signature).is_none()
            }
        }
    }

    fn answer_to(&self, asker: &Asker, intent: &Intent) -> Reply {
        match (asker, &intent.answer) {
            (Asker::Caller { duplicate_of }, Some(answer)) => {
                flagged(self.about(intent, answer.reply()), duplicate_of.as_deref())
            }
            (Asker::Operator { .. }, _) => problem::answer(200, &IntentView::of(intent)),
            (Asker::Caller { .. }, None) => self.waiting(intent),
        }
    }
}

/// What came of a forward: as its flow is told, and as a line of a record has it.
struct Forwarded {
    events: Vec<Event>,
    /// 0 without an answer.
    status: u16,
    is_simulated: bool,
    body: Vec<u8>,
    line: Tape,
}

impl Forwarded {
    fn of(result: ForwardResult, secret: &[u8], most: u32) -> Forwarded {
        let line = object! { "unsent": matches!(result, ForwardResult::Unsent) };
        let events = match result {
            ForwardResult::Reply(reply) | ForwardResult::Shared(reply) => {
                return Forwarded::answer(reply, secret);
            }
            ForwardResult::Timeout => vec![Event::Deadline, Event::MomentOver],
            ForwardResult::Broken => vec![Event::Lost(Lost::Broken(String::new()))],
            ForwardResult::Unsent => vec![Event::Lost(Lost::Unsent(String::new()))],
            ForwardResult::TooLarge => vec![Event::Lost(Lost::TooLarge(most))],
        };
        Forwarded { events, status: 0, is_simulated: false, body: Vec::new(), line }
    }

    fn answer(reply: Reply, secret: &[u8]) -> Forwarded {
        let (status, retry_after) = (reply.status, reply.header("retry-after").map(str::to_owned));
        let is_simulated = reply.header("x-simulated") == Some("true");
        let kept = reply.headers.iter().filter(|(name, value)| {
            matches!(name.as_str(), "retry-after" | "x-simulated")
                && redacted(value.clone().into_bytes(), secret) == value.as_bytes()
        });
        let headers = Tape::object(&kept.cloned().collect::<Vec<_>>());
        let body = redacted(reply.body, secret);
        let line = match std::str::from_utf8(&body) {
            Ok(body) => object! { "status": status, "headers": headers, "body": body },
            Err(_) => object! { "status": status, "headers": headers, "bodyHex": hex(&body) },
        };
        let head = Head { status, retry_after, is_simulated, intent_state: None };
        let events = vec![Event::Answered(head), Event::Body(body.clone())];
        Forwarded { events, status, is_simulated, body, line }
    }
}

/// The statuses of a plain refusal by the service. They are passed on with the service's own words.
const PASSED_ON: [u16; 7] = [400, 404, 405, 413, 415, 422, 429];

/// The answer to a forwarded trade. The flow has decided its outcome. A success and a plain refusal are passed on unchanged,
/// except that the key is removed. An unknown outcome becomes a problem of the gateway's own, whatever the status was, because
/// some statuses make browsers send the request again.
fn recorded(result: Result<Box<Trade>, Box<Error>>, status: u16, body: &[u8], key: &str) -> RecordedAnswer {
    let as_it_came = |status, retry_after_ms: Option<u64>| {
        let content_type =
            if json::parse(body).is_ok() { "application/json" } else { "text/plain; charset=utf-8" };
        RecordedAnswer {
            status,
            content_type: content_type.to_owned(),
            body: String::from_utf8_lossy(body).into_owned(),
            retry_after: retry_after_ms.map(seconds),
            is_simulated: false,
        }
    };
    let error = match result {
        Ok(_) => return as_it_came(200, None),
        Err(error) => error,
    };
    match error.outcome {
        Outcome::Failed => as_it_came(200, None),
        Outcome::Rejected if PASSED_ON.contains(&status) => as_it_came(status, error.retry_after_ms),
        Outcome::Rejected if matches!(status, 401 | 403) => {
            let page = page_in(body);
            let detail = page.as_deref().unwrap_or("the service does not accept the gateway's key");
            RecordedAnswer::problem(&Problem::new(GatewayCode::UpstreamUnauthorized, detail).about(key))
        }
        _ => RecordedAnswer::problem(&refused(*error).about(key)),
    }
}
