//! HTTP in, HTTP out: what a request must be before it becomes a trade.

use super::change::Change;
use super::config::{ApiKey, RateLimit, SandboxConfig};
use super::row::{Count, RateRow};
use super::state::State;
use super::step;
use crate::amount::Slippage;
use crate::api::encode::encode_reply;
use crate::api::endpoint::{Operation, Reply};
use crate::api::request::Request;
use crate::api::validate::validate;
use crate::error::{FieldCode, FieldError};
use crate::json;
use crate::object;

/// A request as it comes over the wire.
#[derive(Clone, Copy, Debug)]
pub struct HttpRequest<'a> {
    /// The method, as it came.
    pub method: &'a str,
    /// The path alone: no origin, no query.
    pub path: &'a str,
    /// Header names, in any case, with their values.
    pub headers: &'a [(String, String)],
    /// The body's bytes.
    pub body: &'a [u8],
    /// The time in milliseconds, by the caller's clock. Only the rate limit and the trades' `atMs` use it.
    pub now_ms: u64,
}

impl HttpRequest<'_> {
    fn header(&self, name: &str) -> Option<&str> {
        let found = self.headers.iter().find(|(header, _)| header.eq_ignore_ascii_case(name));
        found.map(|(_, value)| value.trim())
    }
}

/// An answer, and what the request moved.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// The answer as it goes over the wire.
    pub reply: Reply,
    /// Every row that is not as it was. Empty where nothing moved.
    pub changes: Vec<Change>,
}

/// Answers a request on a state, which stays as it is.
pub(super) fn answer(config: &SandboxConfig, state: &State, request: &HttpRequest) -> Answer {
    let refused = |reply| Answer { reply, changes: Vec::new() };
    let operation = match admit(config, request) {
        Ok(operation) => operation,
        Err(reply) => return refused(reply),
    };
    let mut changes = Vec::new();
    if let Some(limit) = config.rate_limit {
        match count(&limit, &state.rate, request.now_ms) {
            Ok(rate) => changes.push(Change::Rate(rate)),
            Err(retry_after_ms) => return refused(too_many(retry_after_ms)),
        }
    }
    if request.body.len() > config.max_body_bytes as usize {
        let message = ["the body is over ", &config.max_body_bytes.to_string(), " bytes"].concat();
        return Answer { reply: error(413, &message, &[]), changes };
    }
    if !is_json(request.header("content-type")) {
        return Answer { reply: error(415, "the content type must be application/json", &[]), changes };
    }
    let reply = match trade(config, state, operation, request) {
        Ok((reply, moved)) => {
            changes.extend(moved);
            reply
        }
        Err(problems) => bad_request(&problems),
    };
    Answer { reply, changes }
}

/// What can be said of a request without reading its body.
fn admit(config: &SandboxConfig, request: &HttpRequest) -> Result<Operation, Reply> {
    let operation =
        Operation::from_path(request.path).ok_or_else(|| error(404, "there is nothing at this path", &[]))?;
    if request.method != "POST" {
        let reply = error(405, "the method must be POST", &[]);
        return Err(with_header(reply, "allow", "POST"));
    }
    match &config.api_key {
        Some(key) if !brings_key(config, key, request) => {
            let reply = error(401, "the API key is missing or wrong", &[]);
            let scheme = if config.authorization.is_some() { "Bearer" } else { "ApiKey" };
            Err(with_header(reply, "www-authenticate", scheme))
        }
        _ => Ok(operation),
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

/// The window with one more request in it, or how long until the next one opens.
fn count(limit: &RateLimit, window: &RateRow, now_ms: u64) -> Result<RateRow, u64> {
    let now = Count::new(now_ms);
    // A clock that was set back opens a new window: waiting for the old one could take for ever.
    let age = now.get().checked_sub(window.since_ms.get()).filter(|age| *age < u64::from(limit.per_ms));
    match age {
        _ if window.requests == Count::default() => Ok(RateRow { since_ms: now, requests: Count::new(1) }),
        None => Ok(RateRow { since_ms: now, requests: Count::new(1) }),
        Some(age) if window.requests.get() >= u64::from(limit.requests) => Err(u64::from(limit.per_ms) - age),
        Some(_) => Ok(RateRow { requests: window.requests.plus(1), ..window.clone() }),
    }
}

fn is_json(content_type: Option<&str>) -> bool {
    let essence = content_type.and_then(|given| given.split(';').next());
    essence.is_some_and(|essence| essence.trim().eq_ignore_ascii_case("application/json"))
}

fn trade(
    config: &SandboxConfig,
    state: &State,
    operation: Operation,
    request: &HttpRequest,
) -> Result<(Reply, Vec<Change>), Vec<FieldError>> {
    let value = json::parse(request.body).map_err(|found| {
        let message = ["the body has ", found.what, ", at byte ", &found.at.to_string()].concat();
        vec![FieldError { field: String::new(), code: FieldCode::Unreadable, message }]
    })?;
    let valid = validate(operation, &value, &config.rules())?;
    let mut problems = named_units(&valid);
    let order = match step::resolve(config, state, &valid) {
        Ok(order) if problems.is_empty() => order,
        Ok(_) => return Err(problems),
        Err(found) => {
            problems.extend(found);
            return Err(problems);
        }
    };
    let (trade, changes) = step::execute(config, state, &order, Count::new(request.now_ms));
    Ok((reply(200, encode_reply(&trade)), changes))
}

/// `{ percent }` and `{ bps }` are a client's words; on the wire the spec has a number.
fn named_units(request: &Request) -> Vec<FieldError> {
    let legs = request.legs.iter().enumerate().map(|(index, leg)| {
        let field = [&step::element(request.operation, index), "slippage"].concat();
        (field, &leg.slippage)
    });
    let main = [("slippage".to_owned(), &request.slippage)];
    let named = |slippage: &Option<Slippage>| !matches!(slippage, None | Some(Slippage::Bare(_)));
    let problems = main.into_iter().chain(legs).filter(|(_, slippage)| named(slippage));
    problems
        .map(|(field, _)| {
            let message = [&field, " must be a number"].concat();
            FieldError { field, code: FieldCode::WrongType, message }
        })
        .collect()
}

fn reply(status: u16, body: String) -> Reply {
    let headers = [("content-type", "application/json"), ("cache-control", "no-store")];
    let headers = headers.map(|(name, value)| (name.to_owned(), value.to_owned())).into();
    Reply { status, headers, body: body.into_bytes() }
}

fn with_header(mut reply: Reply, name: &str, value: &str) -> Reply {
    reply.headers.push((name.to_owned(), value.to_owned()));
    reply
}

fn error(status: u16, message: &str, problems: &[FieldError]) -> Reply {
    reply(status, json::write(&object! { "message": message, "errors": problems.to_vec() }))
}

fn bad_request(problems: &[FieldError]) -> Reply {
    let sentences: Vec<&str> = problems.iter().take(3).map(|problem| problem.message.as_str()).collect();
    let mut message = sentences.join("; ");
    if problems.len() > sentences.len() {
        let more = (problems.len() - sentences.len()).to_string();
        message.push_str(&["; and ", &more, " more"].concat());
    }
    error(400, &message, problems)
}

fn too_many(retry_after_ms: u64) -> Reply {
    // Whole seconds, rounded up: a client that waits so long is let in.
    let seconds = retry_after_ms.div_ceil(1_000).to_string();
    with_header(error(429, "too many requests", &[]), "retry-after", &seconds)
}
