//! Why what a node has said gives no answer: the one error of reading a chain.

use std::fmt;

use super::unreadable::{AccountKind, AccountRefusal, Unreadable};
use crate::page::find;
use crate::tape::json::JsonError;

/// Why a reply of a node, or an account in it, says nothing. Its text says it to a person; a program asks what it is.
///
/// ```
/// use launchpad_desk::chain::rpc::Replies;
///
/// let refused = br#"{"id":1,"error":{"code":-32602,"message":"Invalid param"}}"#;
/// let error = Replies::parse(refused).unwrap().result(1).unwrap_err();
/// assert!(error.is_refused() && !error.is_busy());
/// assert_eq!(error.to_string(), "the node refused: Invalid param (-32602)");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReadError(pub(crate) Why);

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Why {
    /// The reply is not JSON.
    NotJson(JsonError),
    /// It has no reply to the call of this number.
    NoReply(u64),
    /// The node refused the call: its code, and its words or the start of them.
    Refused { code: i64, message: String },
    /// It says, in a text that is none of JSON-RPC, that too many calls were made.
    Busy,
    /// The HTTP status of its reply is none of success.
    Status(u16),
    /// A web page came in its place, from a proxy or a provider; the title is empty without one.
    Page { status: u16, title: String },
    /// It allows fewer accounts a call than were asked for: its words and code, or its HTTP status.
    Limit { asked: usize, said: String },
    /// The result is not of its method's form: this is missing, or of another kind.
    Unexpected(&'static str),
    /// There are more or fewer accounts than asked for.
    Count,
    /// An account is refused.
    Account(Unreadable),
}

impl ReadError {
    /// That a reply has this HTTP status, which is none of success.
    pub fn of_status(status: u16) -> ReadError {
        ReadError(Why::Status(status))
    }

    /// The result has no readable form of this.
    pub(crate) fn unexpected(what: &'static str) -> ReadError {
        ReadError(Why::Unexpected(what))
    }

    pub(crate) fn no_reply(id: u64) -> ReadError {
        ReadError(Why::NoReply(id))
    }

    pub(crate) fn count() -> ReadError {
        ReadError(Why::Count)
    }

    /// Whether it only says that too many calls were made: the same may be asked again later.
    pub fn is_busy(&self) -> bool {
        match &self.0 {
            Why::Busy => true,
            Why::Status(status) => *status == 429,
            Why::Page { status, title } => *status == 429 || says_busy(title.as_bytes()),
            Why::Refused { code, message } => BUSY_CODES.contains(code) || says_busy(message.as_bytes()),
            _ => false,
        }
    }

    /// Whether the node refused the call in the words of JSON-RPC.
    pub fn is_refused(&self) -> bool {
        matches!(self.0, Why::Refused { .. })
    }

    /// Whether the node allows fewer accounts a call.
    pub fn is_limit(&self) -> bool {
        matches!(self.0, Why::Limit { .. })
    }

    /// The account that is refused, and why, if it is one.
    pub fn account(&self) -> Option<Unreadable> {
        if let Why::Account(unreadable) = self.0 { Some(unreadable) } else { None }
    }

    /// Whether it says that a call asked for too much.
    pub(super) fn says_limit(&self) -> bool {
        match &self.0 {
            Why::Refused { code, message } if !self.is_busy() => {
                says_limit(message.as_bytes())
                    && (*code == INVALID_PARAMS || names_accounts(message.as_bytes()))
            }
            _ => false,
        }
    }
}

/// Codes and words by which nodes say that too many calls were made; -32005 also says that a node is behind.
const BUSY_CODES: [i64; 4] = [429, -32_005, -32_029, -32_429];
const BUSY_WORDS: [&str; 11] = [
    "too many requests",
    "too many calls",
    "rate limit",
    "rate-limit",
    "ratelimit",
    "limit exceeded",
    "per second",
    "request limit",
    "throttl",
    "quota",
    "slow down",
];
/// Words by which they say that a call asked for too much.
const LIMIT_WORDS: [&str; 11] = [
    "too many",
    "too large",
    "too big",
    "too long",
    "limit",
    "max",
    "exceed",
    "at most",
    "up to",
    "more than",
    "fewer",
];
/// Words for what it asked for.
const ACCOUNT_WORDS: [&str; 10] =
    ["account", "address", "pubkey", "public key", "input", "param", "array", "item", "payload", "body"];
/// The code for parameters that a node does not take.
const INVALID_PARAMS: i64 = -32_602;
pub(super) fn says_busy(text: &[u8]) -> bool {
    // The limit on a batch is another one.
    find(text, b"batch").is_none() && has_any(text, &BUSY_WORDS)
}

pub(super) fn says_limit(text: &[u8]) -> bool {
    has_any(text, &LIMIT_WORDS)
}

pub(super) fn names_accounts(text: &[u8]) -> bool {
    has_any(text, &ACCOUNT_WORDS)
}

fn has_any(text: &[u8], words: &[&str]) -> bool {
    words.iter().any(|words| find(text, words.as_bytes()).is_some())
}

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Why::NotJson(error) => {
                write!(f, "the node's reply is not JSON: {} at byte {}", error.what, error.at)
            }
            Why::NoReply(id) => write!(f, "the node's reply has no answer to call {id}"),
            Why::Refused { code, message } => write!(f, "the node refused: {message} ({code})"),
            Why::Busy => f.write_str("the node allows no more calls for now"),
            Why::Status(status) => write!(f, "the node answered with the HTTP status {status}"),
            Why::Page { status, title } => {
                f.write_str("a web page came in place of the node's answer")?;
                if !title.is_empty() {
                    write!(f, ": \"{title}\"")?;
                }
                write!(f, " (HTTP status {status})")
            }
            Why::Limit { asked, said } => {
                write!(
                    f,
                    "the node allows fewer accounts a call than the {asked} that were asked for: {said}"
                )
            }
            Why::Unexpected(what) => write!(f, "the node's reply has no readable {what}"),
            Why::Count => f.write_str("there are more or fewer accounts than asked for"),
            // A new token's accounts are there at first only for the commitment `processed`.
            Why::Account(
                new @ Unreadable {
                    kind: AccountKind::Curve | AccountKind::Mint,
                    refusal: AccountRefusal::Missing,
                },
            ) => write!(f, "{new}, or not yet at this commitment"),
            Why::Account(unreadable) => unreadable.fmt(f),
        }
    }
}

impl std::error::Error for ReadError {}

impl From<Unreadable> for ReadError {
    fn from(unreadable: Unreadable) -> Self {
        ReadError(Why::Account(unreadable))
    }
}
