//! Refusals, as problem details (RFC 9457).

use crate::code::GatewayCode;
use launchpad_desk::amount::Digits;
use launchpad_desk::api::endpoint::Reply;
use launchpad_desk::error::{Code, Error, FieldError};
use launchpad_desk::http::status_phrase;
use launchpad_desk::tape::{Tape, ToTape, Writer, json};

/// Why a request has no better answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Problem {
    pub code: GatewayCode,
    pub detail: String,
    pub fields: Vec<FieldError>,
    pub retry_after_ms: Option<u64>,
    pub intent_id: Option<String>,
    /// An additional header of the answer.
    pub header: Option<Box<(&'static str, String)>>,
    /// For an intent that is not known: who asked, and when.
    pub asked: Option<Box<Asked>>,
}

/// Where and when an intent was not known. A caller has its own intents at each desk, so elsewhere it may be known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Asked {
    pub desk: String,
    pub caller: String,
    pub now_ms: u64,
    /// Whether it serves a sandbox.
    pub is_simulated: bool,
}

impl Problem {
    pub fn new(code: GatewayCode, detail: impl Into<String>) -> Problem {
        Problem {
            code,
            detail: detail.into(),
            fields: Vec::new(),
            retry_after_ms: None,
            intent_id: None,
            header: None,
            asked: None,
        }
    }

    /// Every bad field of a request.
    pub fn of_fields(fields: Vec<FieldError>) -> Problem {
        Problem::from(Error::invalid_request(fields))
    }

    /// Adds the intent that the problem is about.
    pub fn about(self, key: &str) -> Problem {
        Problem { intent_id: Some(key.to_owned()), ..self }
    }

    pub fn with_header(self, name: &'static str, value: impl Into<String>) -> Problem {
        Problem { header: Some(Box::new((name, value.into()))), ..self }
    }

    pub fn asked(self, asked: Asked) -> Problem {
        Problem { asked: Some(Box::new(asked)), ..self }
    }

    pub fn after(self, retry_after_ms: u64) -> Problem {
        Problem { retry_after_ms: Some(retry_after_ms), ..self }
    }

    pub fn body(&self) -> String {
        json::write(&self.to_tape())
    }

    pub fn reply(&self) -> Reply {
        let mut reply = typed(self.code.status(), PROBLEM_JSON, self.body());
        if let Some(ms) = self.retry_after_ms {
            add(&mut reply, "retry-after", &seconds(ms));
        }
        if let Some((name, value)) = self.header.as_deref() {
            add(&mut reply, name, value);
        }
        reply
    }
}

impl Asked {
    fn fields(&self) -> [(&'static str, &dyn ToTape); 4] {
        let Asked { desk, caller, now_ms, is_simulated } = self;
        [("desk", desk), ("caller", caller), ("nowMs", now_ms), ("simulated", is_simulated)]
    }
}

impl ToTape for Asked {
    fn write(&self, tape: &mut Writer) {
        tape.object(&mut self.fields().into_iter());
    }
}

/// From a guard's refusal or a trade's error.
impl From<Error> for Problem {
    fn from(error: Error) -> Self {
        let detail = error.message.strip_prefix("not sent: ").unwrap_or(&error.message).to_owned();
        Problem {
            fields: error.fields,
            retry_after_ms: error.retry_after_ms,
            ..Problem::new(GatewayCode::of(error.code), detail)
        }
    }
}

/// The type is `about:blank`, for which the RFC prescribes the status phrase as the title. `message` repeats `detail`, for
/// clients that look for it there.
impl ToTape for Problem {
    fn write(&self, tape: &mut Writer) {
        let status = self.code.status();
        let fields: [(&str, &dyn ToTape); 8] = [
            ("type", &"about:blank"),
            ("title", &status_phrase(status)),
            ("status", &status),
            ("detail", &self.detail),
            ("message", &self.detail),
            ("code", &self.code),
            ("outcome", &self.code.outcome()),
            ("fields", &self.fields),
        ];
        let intent_id = self.intent_id.as_ref().map(|id| ("intentId", id as &dyn ToTape));
        let retry = self.retry_after_ms.as_ref().map(|ms| ("retryAfterMs", ms as &dyn ToTape));
        let asked = self.asked.iter().flat_map(|asked| asked.fields());
        tape.object(&mut fields.into_iter().chain(intent_id).chain(retry).chain(asked));
    }
}

pub(super) const PROBLEM_JSON: &str = "application/problem+json";

/// Whole seconds, rounded up, so that a client that waits this long is let in.
pub(super) fn seconds(ms: u64) -> String {
    ms.div_ceil(1_000).digits()
}

pub(super) fn typed(status: u16, content_type: &str, body: String) -> Reply {
    let mut reply = Reply { status, headers: Vec::new(), body: body.into_bytes() };
    add(&mut reply, "content-type", content_type);
    add(&mut reply, "cache-control", "no-store");
    add(&mut reply, "x-content-type-options", "nosniff");
    reply
}

pub(super) fn add(reply: &mut Reply, name: &str, value: &str) {
    reply.headers.push((name.to_owned(), value.to_owned()));
}

pub(super) fn answer(status: u16, value: &impl ToTape) -> Reply {
    typed(status, "application/json", json::write(&value.to_tape()))
}

/// A guard's refusal, or that nothing was sent, worded for a gateway's caller.
pub(super) fn refused(error: Error) -> Problem {
    let detail = match error.code {
        Code::Halted => Some("the desk is halted"),
        Code::Reducing => Some("the desk only sells"),
        Code::BreakerOpen => Some("too many unknown outcomes in a row; an operator settles them or resumes"),
        Code::ConnectFailed => {
            Some("no connection to the service, so nothing was sent: try again under a new id")
        }
        _ => None,
    };
    let problem = Problem::from(error);
    match detail {
        Some(detail) => Problem { detail: detail.to_owned(), ..problem },
        None => problem,
    }
}

pub(super) fn json_of(body: &[u8]) -> Result<Tape, Problem> {
    json::parse(body).map_err(|found| Problem::of_fields(vec![FieldError::of_json("the body has ", found)]))
}
