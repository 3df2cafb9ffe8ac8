//! What the service refuses, as problem details (RFC 9457), and the headers of every answer.

use launchpad_desk::amount::Digits;
use launchpad_desk::api::endpoint::Reply;
use launchpad_desk::bindings::codes::codes;
use launchpad_desk::error::{FieldCode, FieldError};
use launchpad_desk::http::status_phrase;
use launchpad_desk::tape::{Tape, ToTape, json};

codes! {
    /// Why a served sandbox refuses a request before it reads the body: the `code` of its problem. Append-only.
    #[non_exhaustive]
    SandboxRefusal {
        /// The host name of the request is not this machine's, and `allowedHosts` does not name it (403).
        HostNotAllowed = "host_not_allowed",
        /// It comes from a page of another origin, and `corsOrigin` does not name that (403).
        OriginNotAllowed = "origin_not_allowed",
        /// It comes from a web page, and `/_sandbox/` is closed to all of them (403).
        ControlClosedToPages = "control_closed_to_pages",
        /// The body took longer than `bodyTimeoutMs` (408).
        BodyTooSlow = "body_too_slow",
        /// The bodies that are being read take too much memory (429).
        TooManyBodies = "too_many_bodies",
    }
}

/// The header that says that nothing real was traded.
const SIMULATED: (&str, &str) = ("x-simulated", "true");

/// The headers of an answer that a page on another origin may read.
const EXPOSED: &str = "allow, retry-after, www-authenticate, x-simulated";

/// How long a browser may cache the answer about a page's requests, in seconds.
const PREFLIGHT_SECONDS: &str = "600";

/// An answer with a JSON body.
pub(super) fn reply(status: u16, body: String) -> Reply {
    typed(status, "application/json", body)
}

pub(super) fn typed(status: u16, content_type: &str, body: String) -> Reply {
    let headers = [("content-type", content_type), ("cache-control", "no-store")];
    let headers = headers.map(|(name, value)| (name.to_owned(), value.to_owned())).into();
    Reply { status, headers, body: body.into_bytes() }
}

/// The answer with one more header.
pub(super) fn with_header(mut reply: Reply, name: &str, value: &str) -> Reply {
    reply.headers.push((name.to_owned(), value.to_owned()));
    reply
}

/// The one field that is wrong; `what` follows its name in the message.
pub(super) fn bad(field: &str, code: FieldCode, what: &str) -> Vec<FieldError> {
    vec![FieldError::of(field, code, what)]
}

/// A problem. `message` repeats `detail`, for clients that look for that name.
pub(super) fn problem(status: u16, detail: &str, fields: &[FieldError]) -> Reply {
    coded(status, None, detail, fields)
}

/// 403 for a request of a web page.
pub(super) fn refused(code: SandboxRefusal, detail: &str) -> Reply {
    coded(403, Some(code), detail, &[])
}

fn coded(status: u16, code: Option<SandboxRefusal>, detail: &str, fields: &[FieldError]) -> Reply {
    // The type `about:blank` means that the problem adds nothing to its status; then the title is the phrase of the status.
    let mut problem = vec![
        ("type", "about:blank".to_tape()),
        ("title", status_phrase(status).to_tape()),
        ("status", status.to_tape()),
    ];
    problem.extend(code.map(|code| ("code", code.to_tape())));
    problem.extend([
        ("detail", detail.to_tape()),
        ("message", detail.to_tape()),
        ("fields", fields.to_vec().to_tape()),
    ]);
    typed(status, "application/problem+json", json::write(&Tape::object(&problem)))
}

pub(super) fn bad_request(problems: &[FieldError]) -> Reply {
    let sentences: Vec<&str> = problems.iter().take(3).map(|problem| problem.message.as_str()).collect();
    let mut detail = sentences.join("; ");
    if problems.len() > sentences.len() {
        let more = (problems.len() - sentences.len()).digits();
        detail.push_str(&["; and ", &more, " more"].concat());
    }
    problem(400, &detail, problems)
}

/// 429, with when to try again.
pub(super) fn too_many(retry_after_ms: u64) -> Reply {
    // Whole seconds, rounded up: a client that waits this long is let in.
    let seconds = retry_after_ms.div_ceil(1_000).digits();
    with_header(problem(429, "too many requests", &[]), "retry-after", &seconds)
}

/// 405, with the methods that this path allows.
pub(super) fn not_this_method(cors_origin: Option<&str>, methods: &[&str]) -> Reply {
    let reply = problem(405, &["the method must be ", &methods.join(" or ")].concat(), &[]);
    with_header(reply, "allow", &allowed(cors_origin, methods))
}

/// The answer to a browser's preflight request: which methods and headers a page of another origin may use.
pub(super) fn preflight(cors_origin: Option<&str>, methods: &[&str], headers: Option<&str>) -> Reply {
    let reply = Reply { status: 200, headers: Vec::new(), body: Vec::new() };
    let allowed = allowed(cors_origin, methods);
    let reply = with_header(reply, "allow", &allowed);
    let reply = with_header(reply, "access-control-allow-methods", &allowed);
    let reply = with_header(reply, "access-control-max-age", PREFLIGHT_SECONDS);
    // This is for development, so any header may be sent. Only one-line text is copied into a header.
    let is_line = |names: &&str| names.bytes().all(|byte| byte == b' ' || byte.is_ascii_graphic());
    match headers.filter(is_line) {
        Some(names) => with_header(reply, "access-control-allow-headers", names),
        None => reply,
    }
}

/// The answer with the headers that every answer has.
pub(super) fn marked(cors_origin: Option<&str>, reply: Reply) -> Reply {
    let reply = with_header(reply, SIMULATED.0, SIMULATED.1);
    let Some(origin) = cors_origin else { return reply };
    let reply = with_header(reply, "access-control-allow-origin", origin);
    let reply = with_header(reply, "access-control-expose-headers", EXPOSED);
    if origin == "*" { reply } else { with_header(reply, "vary", "origin") }
}

fn allowed(cors_origin: Option<&str>, methods: &[&str]) -> String {
    let asked = cors_origin.map(|_| "OPTIONS");
    methods.iter().copied().chain(asked).collect::<Vec<_>>().join(", ")
}
