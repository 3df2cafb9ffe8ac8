//! HTTP in, HTTP out: what a request must be before it becomes a trade.

use super::call_log::Answered;
use super::change::Change;
use super::config::{ApiKey, RateLimit, SandboxConfig};
use super::control::{CONTROL_PREFIX, Control};
use super::fault_plan::{Delivery, FaultPlan};
use super::faults::Fault;
use super::outcome::{self, OUTCOME_HEADER};
use super::problem::{
    bad_request, marked, not_this_method, preflight, problem, reply, too_many, with_header,
};
use super::row::{Count, TrafficRow};
use super::state::State;
use super::window::Window;
use super::{step, web};
use launchpad_desk::amount::Digits;
use launchpad_desk::api::encode::encode_reply;
use launchpad_desk::api::endpoint::{Operation, Reply};
use launchpad_desk::api::validate::{Forms, Rules, validate};
use launchpad_desk::error::FieldError;
use launchpad_desk::http::{HttpRequest, MARKET_PREFIX, NotJson};
use launchpad_desk::launchpad::dry_run::with_a_payer;
use launchpad_desk::tape::{Tape, json};

/// The header with the intent id of a request.
const INTENT_HEADER: &str = "idempotency-key";

/// An answer, how it travels, and what the request changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// The answer as it goes over the wire.
    pub reply: Reply,
    /// How it travels: complete and at once, unless a fault was asked for.
    pub delivery: Delivery,
    /// Every changed row. Empty if nothing changed.
    pub changes: Vec<Change>,
}

/// Answers a request on a state, without changing it.
pub(super) fn answer(config: &SandboxConfig, state: &State, request: &HttpRequest) -> Answer {
    if let Some(reply) = web::refusal(config, request) {
        // Not logged: no page may push anything out of the log.
        return at_once(marked(None, reply));
    }
    let Answer { reply, delivery, changes } = match Route::of(config, request.target().0) {
        None => at_once(nothing_there()),
        Some(route) => match (admit(config, &route, request), route) {
            (Err(reply), Route::Trade(operation)) if request.method == "POST" => {
                // Logged without its body, which a server has not read.
                logged(config, state, operation, &HttpRequest { body: b"", ..*request }, at_once(reply))
            }
            (Err(reply), _) => at_once(reply),
            (Ok(()), Route::Trade(operation)) => {
                let answer = serve(config, state, operation, request);
                logged(config, state, operation, request, answer)
            }
            (Ok(()), Route::Control(control)) => {
                let body = || parse(request);
                let (reply, changes) = control.answer(config, state, request.method, &body);
                Answer { changes, ..at_once(reply) }
            }
            (Ok(()), Route::Market(window)) => {
                let last_event_id = request.header("last-event-id");
                at_once(window.answer(config, state, request.target().1, last_event_id))
            }
        },
    };
    Answer { reply: marked(cors_origin(config, request), reply), delivery, changes }
}

/// The most bytes of the body that the answer needs; `None` if the head alone decides it.
pub(super) fn body_limit(config: &SandboxConfig, request: &HttpRequest) -> Option<u32> {
    let route = Route::of(config, request.target().0)?;
    let is_admitted = web::refusal(config, request).is_none() && admit(config, &route, request).is_ok();
    route.body_limit(config, request.method).filter(|_| is_admitted)
}

/// The origin whose pages may use what is at this path.
fn cors_origin<'c>(config: &'c SandboxConfig, request: &HttpRequest) -> Option<&'c str> {
    config.cors_origin.as_deref().filter(|_| !web::is_control(config, request.path))
}

fn nothing_there() -> Reply {
    problem(404, "there is nothing at this path", &[])
}

/// An answer that changes nothing.
fn at_once(reply: Reply) -> Answer {
    Answer { reply, delivery: Delivery::default(), changes: Vec::new() }
}

/// The answer with its row in the log of calls, if calls are logged.
fn logged(
    config: &SandboxConfig,
    state: &State,
    operation: Operation,
    request: &HttpRequest,
    mut answer: Answer,
) -> Answer {
    if config.max_calls > 0 {
        let number = state.calls.last().map_or(Count::default(), |last| last.number).plus(1);
        let answered = Answered {
            operation,
            intent_id: request.header(INTENT_HEADER).unwrap_or_default(),
            body: request.body,
            at_ms: request.now_ms,
            reply: &answer.reply,
            delivery: answer.delivery,
            changes: &answer.changes,
        };
        let row = answered.row(number);
        answer.changes.push(Change::Call(row));
    }
    answer
}

/// What is at a path.
enum Route {
    Trade(Operation),
    Control(Control),
    Market(Window),
}

impl Route {
    fn of(config: &SandboxConfig, path: &str) -> Option<Route> {
        if let Some(rest) = path.strip_prefix(CONTROL_PREFIX).filter(|_| config.control) {
            return Control::at(rest).map(Route::Control);
        }
        match path.strip_prefix(MARKET_PREFIX).filter(|_| config.watchable) {
            Some(rest) => Window::at(rest).map(Route::Market),
            None => Operation::from_path(path).map(Route::Trade),
        }
    }

    const fn methods(&self) -> &'static [&'static str] {
        match self {
            Route::Trade(_) => &["POST"],
            Route::Control(control) => control.methods(),
            Route::Market(_) => &["GET"],
        }
    }

    /// The longest body that a request of this method may have; `None` if its body does not matter.
    fn body_limit(&self, config: &SandboxConfig, method: &str) -> Option<u32> {
        match self {
            Route::Trade(_) => Some(config.max_body_bytes),
            Route::Control(control) => control.body_limit(config, method),
            Route::Market(_) => None,
        }
    }
}

fn serve(config: &SandboxConfig, state: &State, operation: Operation, request: &HttpRequest) -> Answer {
    let body = parse(request);
    let asked = outcome::asked(request.header(OUTCOME_HEADER), body.as_ref().ok().map(Tape::root));
    let fault = || state.fault(config).map(Fault::plan);
    let plan = match &asked {
        Ok(Some(outcome)) => outcome.plan(config.slow_ms),
        _ => fault().unwrap_or_default(),
    };
    let mut traffic = TrafficRow { requests: state.traffic.requests.plus(1), ..state.traffic.clone() };
    let early = plan.early_reply().or_else(|| {
        let limit = config.rate_limit.as_ref()?;
        count(limit, &mut traffic, request.now_ms).err().map(too_many)
    });
    let mut changes = Vec::new();
    if state.counts_requests(config) {
        changes.push(Change::Traffic(traffic));
    }
    let executed = || {
        let body = body?;
        let traded = asked.map_err(|unknown| vec![unknown]);
        traded
            .and_then(|_| trade(config, state, operation, &body, &plan, request.now_ms))
            .map_err(|found| bad_request(&found))
    };
    let mut reply = early.unwrap_or_else(|| match executed() {
        Err(reply) => reply,
        Ok((reply, moved)) => {
            changes.extend(moved);
            plan.late_reply(reply)
        }
    });
    plan.spoil(&mut reply);
    Answer { reply, delivery: plan.delivery, changes }
}

/// The body as JSON, or why it is not.
fn parse(request: &HttpRequest) -> Result<Tape, Reply> {
    json::parse(request.body).map_err(|found| bad_request(&[FieldError::of_json("the body has ", found)]))
}

/// What can be decided without reading the body.
fn admit(config: &SandboxConfig, route: &Route, request: &HttpRequest) -> Result<(), Reply> {
    let (cors_origin, methods) = (cors_origin(config, request), route.methods());
    if request.method == "OPTIONS" && cors_origin.is_some() {
        return Err(preflight(cors_origin, methods, request.header("access-control-request-headers")));
    }
    if !methods.contains(&request.method) {
        return Err(not_this_method(cors_origin, methods));
    }
    let is_locked = !matches!(route, Route::Market(_));
    if is_locked && config.api_key.as_ref().is_some_and(|key| !brings_key(config, key, request)) {
        let reply = problem(401, "the API key is missing or wrong", &[]);
        let scheme = if config.authorization.is_some() { "Bearer" } else { "ApiKey" };
        return Err(with_header(reply, "www-authenticate", scheme));
    }
    match route.body_limit(config, request.method) {
        Some(most) if request.length() > u64::from(most) => {
            Err(problem(413, &["the body is over ", &most.digits(), " bytes"].concat(), &[]))
        }
        Some(_) => readable(request),
        None => Ok(()),
    }
}

fn brings_key(config: &SandboxConfig, key: &ApiKey, request: &HttpRequest) -> bool {
    if config.authorization.is_none() {
        let name = config.api_key_header.as_deref().unwrap_or("x-api-key");
        return request.header(name).is_some_and(|given| key.is(given));
    }
    let given = request.header("authorization").and_then(|given| given.split_once(' '));
    given.is_some_and(|(scheme, given)| scheme.eq_ignore_ascii_case("bearer") && key.is(given.trim_start()))
}

/// Counts a request in the window of the rate limit.
/// Fails with the milliseconds until the next window, if this one is full.
fn count(limit: &RateLimit, traffic: &mut TrafficRow, now_ms: u64) -> Result<(), u64> {
    let now = Count::new(now_ms);
    // A clock that was set back opens a new window: waiting for the old one could take forever.
    let age = now.get().checked_sub(traffic.window_since_ms.get());
    match age.filter(|age| *age < u64::from(limit.per_ms)) {
        Some(age) if traffic.window_requests.get() >= u64::from(limit.requests) => {
            return Err(u64::from(limit.per_ms) - age);
        }
        Some(_) if traffic.window_requests > Count::default() => {
            traffic.window_requests = traffic.window_requests.plus(1);
        }
        _ => {
            traffic.window_since_ms = now;
            traffic.window_requests = Count::new(1);
        }
    }
    Ok(())
}

/// Whether the headers say that the body is JSON in UTF-8, without a content encoding.
fn readable(request: &HttpRequest) -> Result<(), Reply> {
    let content_type = request.header("content-type").unwrap_or_default();
    let Some(why) = NotJson::of(content_type, request.all("content-encoding")) else { return Ok(()) };
    let reply = problem(415, why.detail(), &[]);
    Err(match why {
        NotJson::Encoding => with_header(reply, "accept-encoding", "identity"),
        NotJson::Type => with_header(reply, "accept", "application/json"),
        NotJson::Charset => reply,
    })
}

/// Executes a request: the service's answer, and what it changes.
fn trade(
    config: &SandboxConfig,
    state: &State,
    operation: Operation,
    body: &Tape,
    plan: &FaultPlan,
    now_ms: u64,
) -> Result<(Reply, Vec<Change>), Vec<FieldError>> {
    let valid = validate(operation, body.root(), &Rules { forms: Forms::Wire, ..config.rules() })?;
    let request = with_a_payer(&valid);
    let order = step::resolve(config, state, &request)?;
    let (trade, changes) = step::execute(config, state, &order, plan.execution, Count::new(now_ms));
    Ok((reply(200, encode_reply(&trade)), changes))
}
