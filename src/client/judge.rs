//! What came back, and whether money may have moved: the table of outcomes.

use crate::amount::Digits;
use crate::api::decode::{ReplyNames, decode};
use crate::api::endpoint::{Operation, Reply};
use crate::api::response::{Status, Trade};
use crate::error::{Code, Error, Evidence, Outcome};
use crate::json;
use crate::value::Value;

/// The longest service message that is kept, in characters.
const MAX_MESSAGE: usize = 300;

/// How much of a reply that cannot be read is kept, in characters.
const MAX_EVIDENCE: usize = 512;

/// Why no complete reply came back.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Lost {
    /// The runtime lacks what sending takes. Nothing was sent.
    Unsupported(&'static str),
    /// Aborted before anything was sent.
    AbortedBeforeSend,
    /// No connection was made, and the runtime proves it with this code.
    NotConnected(String),
    /// The connection broke, or the runtime does not say what happened. Its code, where it has one.
    Broken(Option<String>),
    /// The deadline passed.
    Timeout {
        /// How long was waited.
        after_ms: u32,
    },
    /// Aborted after the request went out.
    Aborted,
    /// The reply is longer than allowed.
    TooLarge {
        /// The most bytes that are read.
        max_bytes: u32,
    },
    /// A reply began and its body was lost.
    Body {
        /// The reply's status.
        status: u16,
        /// What became of the body.
        why: Box<Lost>,
    },
}

impl From<Lost> for Error {
    fn from(lost: Lost) -> Error {
        use Outcome::{NotSent, Unknown};
        let with_code = |text: &str, code: Option<String>| match code {
            Some(code) => [text, " (", &code, ")"].concat(),
            None => text.to_owned(),
        };
        let (status, lost) = match lost {
            Lost::Body { status, why } => (Some(status), *why),
            lost => (None, lost),
        };
        let (outcome, code, message) = match lost {
            Lost::Unsupported(why) => (NotSent, Code::UnsupportedRuntime, ["not sent: ", why].concat()),
            Lost::AbortedBeforeSend => {
                (NotSent, Code::AbortedBeforeSend, "not sent: aborted before it was".to_owned())
            }
            Lost::NotConnected(code) => {
                let message = with_code("not sent: no connection to the service", Some(code));
                (NotSent, Code::ConnectFailed, message)
            }
            Lost::Broken(code) => {
                let message = with_code("outcome unknown: the connection gave no answer", code);
                (Unknown, Code::NetworkError, message)
            }
            Lost::Timeout { after_ms } => {
                let message = ["outcome unknown: no complete answer within ", &after_ms.digits(), " ms"];
                (Unknown, Code::Timeout, message.concat())
            }
            Lost::Aborted => {
                (Unknown, Code::Aborted, "outcome unknown: aborted after it was sent".to_owned())
            }
            Lost::TooLarge { max_bytes } => {
                let message = ["outcome unknown: the reply is over ", &max_bytes.digits(), " bytes"];
                (Unknown, Code::ReplyTooLarge, message.concat())
            }
            Lost::Body { why, .. } => return Error::from(*why),
        };
        Error { status, ..Error::new(outcome, code, message) }
    }
}

/// What a reply, or the lack of one, means for the trade.
///
/// # Errors
///
/// Everything but a trade that landed or that the reply leaves unconfirmed.
pub fn judge(
    operation: Operation,
    reply: Result<Reply, Lost>,
    names: &ReplyNames,
) -> Result<Trade, Box<Error>> {
    let reply = reply.map_err(Error::from)?;
    if !(200..300).contains(&reply.status) {
        return Err(refused(&reply));
    }
    let trade = match decode(operation, &reply.body, names) {
        Ok(trade) => trade,
        Err(unreadable) => {
            let message = ["outcome unknown: ", &unreadable.message()].concat();
            return Err(answered(Outcome::Unknown, Code::UnreadableReply, message, &reply));
        }
    };
    if trade.status == Status::Failed {
        let message = "the transaction failed: nothing moved but the network fee";
        let mut error = Box::new(Error::new(Outcome::Failed, Code::TransactionFailed, message));
        error.status = Some(reply.status);
        error.service_message = trade_message(&trade);
        error.trade = Some(Box::new(trade));
        return Err(error);
    }
    Ok(trade)
}

/// What a status that is no success means.
fn refused(reply: &Reply) -> Box<Error> {
    let (outcome, code, what) = match reply.status {
        401 | 403 => (Outcome::Rejected, Code::Unauthorized, "rejected: the service does not accept the key"),
        429 => (Outcome::Rejected, Code::RateLimited, "rejected: too many requests"),
        400 | 404 | 405 | 413 | 415 | 422 => {
            (Outcome::Rejected, Code::RejectedByService, "rejected by the service")
        }
        // A browser shows a redirect that it was told not to follow as status 0.
        0 | 300..=399 => {
            (Outcome::Unknown, Code::Redirected, "outcome unknown: the service answered with a redirect")
        }
        500..=599 => (Outcome::Unknown, Code::ServiceError, "outcome unknown: the service had an error"),
        _ => (Outcome::Unknown, Code::UnexpectedStatus, "outcome unknown: an unexpected status"),
    };
    let message = [what, " (", &reply.status.digits(), ")"].concat();
    let retry_after = reply.header("retry-after").and_then(|seconds| seconds.trim().parse::<u64>().ok());
    let mut error = answered(outcome, code, message, reply);
    error.retry_after_ms = retry_after.and_then(|seconds| seconds.checked_mul(1_000));
    error
}

/// An error that has an answer to show.
fn answered(outcome: Outcome, code: Code, message: String, reply: &Reply) -> Box<Error> {
    let text = match std::str::from_utf8(&reply.body) {
        Ok(text) => text,
        // What comes before the first broken byte is evidence enough.
        Err(error) => {
            str::from_utf8(reply.body.get(..error.valid_up_to()).unwrap_or_default()).unwrap_or_default()
        }
    };
    let mut error = Box::new(Error::new(outcome, code, message));
    error.status = Some(reply.status);
    error.service_message = service_message(&reply.body);
    if outcome == Outcome::Unknown {
        error.evidence = Some(Evidence(text.chars().take(MAX_EVIDENCE).collect()));
    }
    error
}

/// What the service says in the body of an error: `message`, `error`, `detail` or `title` of a JSON object
/// (or of the object that one of them holds), else plain text. One line, at most 300 characters.
pub fn service_message(body: &[u8]) -> Option<String> {
    let text = match json::parse(body) {
        Ok(value) => said(&value)?.to_owned(),
        // Markup is a proxy's page, not the service's word.
        Err(_) => {
            let text = std::str::from_utf8(body).ok()?;
            if text.trim_start().starts_with(['<', '{', '[']) {
                return None;
            }
            text.to_owned()
        }
    };
    one_line(&text)
}

fn said(value: &Value) -> Option<&str> {
    match value {
        Value::String(text) => Some(text),
        Value::Object(_) => ["message", "error", "detail", "title"]
            .iter()
            .filter_map(|name| value.get(name))
            .find_map(|inner| match inner {
                Value::String(text) => Some(text.as_str()),
                Value::Object(_) => {
                    ["message", "detail", "title"].iter().find_map(|name| match inner.get(name) {
                        Some(Value::String(text)) => Some(text.as_str()),
                        _ => None,
                    })
                }
                _ => None,
            }),
        _ => None,
    }
}

fn one_line(text: &str) -> Option<String> {
    let (mut line, mut length, mut gap) = (String::new(), 0, false);
    for c in text.chars().take(4 * MAX_MESSAGE) {
        let is_space = c.is_whitespace() || c.is_control();
        let parts = usize::from(gap && length > 0);
        if !is_space && length + parts < MAX_MESSAGE {
            if parts == 1 {
                line.push(' ');
            }
            line.push(c);
            length += parts + 1;
        }
        gap = is_space;
    }
    (length > 0).then_some(line)
}

/// Why a transaction failed, in the reply's own words.
fn trade_message(trade: &Trade) -> Option<String> {
    match &trade.result.transaction.results {
        Value::Null => None,
        Value::String(text) => one_line(text),
        other => one_line(&json::write(other)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reply(status: u16, body: &str) -> Result<Reply, Lost> {
        Ok(Reply { status, headers: vec![("retry-after".into(), "7".into())], body: body.into() })
    }

    fn judged(reply: Result<Reply, Lost>) -> Result<Trade, Box<Error>> {
        judge(Operation::Buy, reply, &ReplyNames::default())
    }

    #[test]
    fn each_status_has_its_outcome() {
        let rejected = [400, 401, 403, 404, 405, 413, 415, 422, 429];
        let unknown = [
            0, 300, 301, 302, 303, 304, 307, 308, 402, 408, 409, 410, 418, 425, 451, 500, 502, 503, 599, 600,
        ];
        for status in rejected {
            assert_eq!(judged(reply(status, "")).unwrap_err().outcome, Outcome::Rejected, "{status}");
        }
        for status in unknown {
            assert_eq!(judged(reply(status, "")).unwrap_err().outcome, Outcome::Unknown, "{status}");
        }
        let limited = judged(reply(429, r#"{"error":{"message":"slow\n down"}}"#)).unwrap_err();
        assert_eq!(limited.retry_after_ms, Some(7_000));
        assert_eq!(limited.service_message.as_deref(), Some("slow down"));
    }

    #[test]
    fn a_success_that_cannot_be_read_is_unknown_with_bounded_evidence() {
        let deep = "[".repeat(10_000);
        let long = format!("{{\"result\":\"{}", "x".repeat(1_000_000));
        for body in ["", "{\"result\":{", "ok", "[]", "{}", &deep, &long, "{\"result\":{\"mint\":1}}"] {
            let error = judged(reply(200, body)).unwrap_err();
            assert_eq!((error.outcome, error.code), (Outcome::Unknown, Code::UnreadableReply));
            assert!(error.evidence.unwrap().0.chars().count() <= MAX_EVIDENCE);
        }
    }

    #[test]
    fn success_is_landed_silence_is_unconfirmed_and_failure_is_an_error() {
        let body = |success: &str| {
            format!(r#"{{"result":{{"transactionResult":{{"success":{success},"results":{{"a":1}}}}}}}}"#)
        };
        assert_eq!(judged(reply(201, &body("true"))).unwrap().status, Status::Landed);
        assert_eq!(judged(reply(200, &body("null"))).unwrap().status, Status::Unconfirmed);
        let failed = judged(reply(200, &body("false"))).unwrap_err();
        assert_eq!((failed.outcome, failed.code), (Outcome::Failed, Code::TransactionFailed));
        assert_eq!(failed.service_message.as_deref(), Some("{\"a\":1}"));
        assert_eq!(failed.trade.unwrap().status, Status::Failed);
    }

    #[test]
    fn what_is_lost_before_the_wire_was_not_sent() {
        for lost in [
            Lost::Unsupported("no fetch"),
            Lost::AbortedBeforeSend,
            Lost::NotConnected("ECONNREFUSED".into()),
        ] {
            assert_eq!(judged(Err(lost)).unwrap_err().outcome, Outcome::NotSent);
        }
        for lost in [
            Lost::Broken(None),
            Lost::Timeout { after_ms: 5 },
            Lost::Aborted,
            Lost::TooLarge { max_bytes: 9 },
            Lost::Body { status: 200, why: Box::new(Lost::Aborted) },
        ] {
            assert_eq!(judged(Err(lost)).unwrap_err().outcome, Outcome::Unknown);
        }
    }

    #[test]
    fn no_body_shows_in_debug_or_message() {
        let error = judged(reply(200, r#"{"result":{"mint":"secret-body"#)).unwrap_err();
        assert!(error.evidence.as_ref().unwrap().0.contains("secret-body"));
        assert!(!format!("{error:?} {error}").contains("secret"));
    }

    #[test]
    fn messages_are_found_in_every_shape() {
        let cases = [
            (r#"{"message":"a"}"#, Some("a")),
            (r#"{"error":"b","detail":"c"}"#, Some("b")),
            (r#"{"error":{"detail":"c"}}"#, Some("c")),
            (r#"{"type":"about:blank","title":"d","status":400}"#, Some("d")),
            (r#""e""#, Some("e")),
            ("plain  text\r\n", Some("plain text")),
            ("<html>gateway</html>", None),
            ("[1]", None),
            ("", None),
            (r#"{"message":5}"#, None),
        ];
        for (body, message) in cases {
            assert_eq!(service_message(body.as_bytes()).as_deref(), message, "{body}");
        }
        assert_eq!(service_message("x".repeat(9_999).as_bytes()).unwrap().len(), MAX_MESSAGE);
    }
}
