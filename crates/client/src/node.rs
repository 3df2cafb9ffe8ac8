//! A node of the network, over HTTP: how it is posted to, and when its reply is no answer.

use std::fmt;

#[cfg(any(feature = "reqwest", target_arch = "wasm32"))]
use base64ct::{Base64, Encoding};

#[cfg(any(feature = "reqwest", target_arch = "wasm32"))]
use super::error::{TradeError, bad_option};
use super::transport::{BoxError, BoxFuture};
#[cfg(any(feature = "reqwest", target_arch = "wasm32"))]
use super::transport::{Incoming, body_of};
#[cfg(any(feature = "reqwest", target_arch = "wasm32"))]
use launchpad_desk::bindings::drivers::MOST_REFUSAL_BYTES;
use launchpad_desk::chain::rpc::refusal_of;
use launchpad_desk::market::MarketRefusal;
#[cfg(any(feature = "reqwest", target_arch = "wasm32"))]
use launchpad_desk::trade::flow::{HeaderProblem, Headers, Lost};

/// Posts a body to a node.
#[cfg(not(target_arch = "wasm32"))]
pub type PostToNode = Box<dyn Fn(String) -> BoxFuture<'static, Result<Vec<u8>, BoxError>> + Send + Sync>;
/// Posts a body to a node.
#[cfg(target_arch = "wasm32")]
pub type PostToNode = Box<dyn Fn(String) -> BoxFuture<'static, Result<Vec<u8>, BoxError>>>;

/// Why a node's reply is not read. A function that posts to a node returns this, so that the market's error says it: of any other error it
/// says only that no reply came, because a URL of a node often has a key in it.
#[derive(Clone, PartialEq, Eq)]
pub struct NodeError(Refused);

#[derive(Clone, PartialEq, Eq)]
enum Refused {
    Reply(u16, Vec<u8>),
    TooLong(u32),
}

impl NodeError {
    /// Its HTTP status is none of success: whatever its body says is no answer. That of a web page has its title; without a body, it is
    /// empty. `Debug` leaves it out, because it may say whose key it is.
    pub fn of_reply(status: u16, body: Vec<u8>) -> NodeError {
        NodeError(Refused::Reply(status, body))
    }

    /// The reply is longer than this many bytes.
    pub fn too_long(most: u32) -> NodeError {
        NodeError(Refused::TooLong(most))
    }

    pub fn code(&self) -> MarketRefusal {
        match self.0 {
            Refused::Reply(status, _) => MarketRefusal::of_status(status),
            Refused::TooLong(_) => MarketRefusal::UnreadableReply,
        }
    }

    /// The status and the body; `None` if there is no status.
    pub(super) fn reply(&self) -> Option<(u16, &[u8])> {
        match &self.0 {
            Refused::Reply(status, body) => Some((*status, body)),
            Refused::TooLong(_) => None,
        }
    }
}

impl fmt::Debug for NodeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Refused::Reply(status, _) => write!(f, "Reply({status})"),
            Refused::TooLong(most) => write!(f, "TooLong({most})"),
        }
    }
}

impl fmt::Display for NodeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Refused::Reply(status, body) => refusal_of(*status, body).fmt(f),
            Refused::TooLong(most) => write!(f, "the reply is longer than {most} bytes (max_reply_bytes)"),
        }
    }
}

impl std::error::Error for NodeError {}

/// What the user and the password of a URL say, as a value of the header `authorization`; `None` without them.
#[cfg(any(feature = "reqwest", target_arch = "wasm32"))]
pub(super) fn authorization_of(user: &str, password: &str) -> Option<String> {
    if user.is_empty() && password.is_empty() {
        return None;
    }
    let pair = [bytes_of(user), b":".to_vec(), bytes_of(password)].concat();
    Some(format!("Basic {}", Base64::encode_string(&pair)))
}

/// The headers of each request to a node: the caller's own, and what its URL says.
#[cfg(any(feature = "reqwest", target_arch = "wasm32"))]
pub(super) fn headers_of_node(
    headers: &[(String, String)],
    authorization: Option<String>,
) -> Result<Vec<(String, String)>, TradeError> {
    let own = authorization.map(|authorization| ("authorization".to_owned(), authorization));
    let more: Vec<_> = headers.iter().cloned().chain(own).collect();
    // A node has none of a trade's: its own key may well be in `x-api-key`.
    let headers = Headers { key: String::new(), key_scheme: "", intent: None, more };
    match headers.problem_of_more() {
        None => Ok(headers.more),
        Some(HeaderProblem { code, .. }) => {
            let what = "must map header names to visible ASCII, each once; a user in the URL is the header authorization";
            Err(bad_option("headers", code, what))
        }
    }
}

/// The bytes that a part of a URL stands for. A `%` without two digits is one, as people paste it.
#[cfg(any(feature = "reqwest", target_arch = "wasm32"))]
fn bytes_of(part: &str) -> Vec<u8> {
    let (mut bytes, mut rest) = (Vec::new(), part.as_bytes());
    let digit = |byte: &u8| char::from(*byte).to_digit(16);
    while let Some((first, after)) = rest.split_first() {
        let code = match after {
            [high, low, ..] if *first == b'%' => digit(high).zip(digit(low)),
            _ => None,
        };
        bytes.push(code.map_or(*first, |(high, low)| (high << 4 | low) as u8));
        rest = after.get(if code.is_some() { 2 } else { 0 }..).unwrap_or_default();
    }
    bytes
}

/// The body of a node's reply, unless its status is none of success.
#[cfg(any(feature = "reqwest", target_arch = "wasm32"))]
pub(super) async fn answer_of_node(mut reply: impl Incoming, most: u32) -> Result<Vec<u8>, BoxError> {
    let status = reply.head().status;
    if !(200..300).contains(&status) {
        let body = body_of(&mut reply, most.min(MOST_REFUSAL_BYTES)).await.unwrap_or_default();
        return Err(NodeError::of_reply(status, body).into());
    }
    body_of(&mut reply, most).await.map_err(|lost| match lost {
        Lost::TooLarge(most) => NodeError::too_long(most).into(),
        _ => "the reply is not complete".into(),
    })
}
