//! What a gateway tells its driver to do, and what the driver reports back.

use launchpad_desk::api::endpoint::Reply;
use launchpad_desk::bindings::debug_text;

/// The kinds of rows. A key starts with the kind, followed by a line break.
pub(super) const ANSWER: &str = "answer";
pub(super) const DESK: &str = "desk";
pub(super) const INTENT: &str = "intent";
pub(super) const MINT: &str = "mint";

/// A row of the store: `None` deletes it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GatewayRow {
    pub key: String,
    /// JSON text.
    pub row: Option<String>,
}

/// The result of a call: rows to write in one transaction, and what to do after that.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GatewayChange {
    /// The rows that changed.
    pub rows: Vec<GatewayRow>,
    /// When the desk must be woken next, in milliseconds since 1970.
    pub alarm_at_ms: Option<u64>,
    /// What to do.
    pub step: GatewayStep,
}

/// What to do once the rows are written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum GatewayStep {
    /// Nothing more.
    Nothing,
    /// Answer the request.
    Answer(Reply),
    /// Read these rows, in the order of their keys. Then [`Gateway::request_with`](super::Gateway::request_with), with the same
    /// request.
    Read {
        /// The first key.
        from: String,
        /// The key after the last.
        until: String,
    },
    /// Ask the node. Then [`Gateway::request_with`](super::Gateway::request_with), with the same request and whatever came.
    Look(ChainCall),
    /// Read the rows with these keys, as far as they exist. Then [`Gateway::inquire`](super::Gateway::inquire).
    Inquire {
        /// The id of the intent in doubt.
        id: String,
        keys: Vec<String>,
    },
    /// Read these rows of the audit log, in the order of their keys. Then [`Gateway::checked`](super::Gateway::checked).
    Check {
        /// The first key.
        from: String,
        /// The key after the last.
        until: String,
    },
    /// Ask the node. Then [`Gateway::replied`](super::Gateway::replied).
    Ask {
        /// Its number, which goes back with what came.
        number: u64,
        /// What to post.
        call: ChainCall,
    },
    /// Send this, once. Then [`Gateway::forwarded`](super::Gateway::forwarded).
    Forward(Forward),
    /// The same intent is in flight: wait until it has its answer and ask again, or answer this.
    Wait {
        /// The forward to wait for.
        id: String,
        /// The longest wait, in milliseconds.
        wait_ms: u32,
        /// What to answer after that.
        reply: Reply,
    },
}

/// A POST to the service. Nothing else contains the key. `Debug` shows no header and no body.
#[derive(Clone, PartialEq, Eq)]
pub struct Forward {
    /// The id of its intent.
    pub id: String,
    /// Where it goes.
    pub url: String,
    pub headers: Vec<(String, String)>,
    /// The exact body.
    pub body: String,
    /// How long it may take.
    pub timeout_ms: u32,
    /// The longest reply that is read.
    pub max_reply_bytes: u32,
}

debug_text!(Forward, |forward| "Forward({})", forward.id);

/// How a forward ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ForwardResult {
    /// The whole reply.
    Reply(Reply),
    /// The whole reply, on a connection that may have carried others. If the service sent more than one reply to an earlier request,
    /// this one may answer that, so without a signature it proves nothing.
    Shared(Reply),
    /// No complete reply in time.
    Timeout,
    /// The connection broke.
    Broken,
    /// The reply is longer than `maxReplyBytes`.
    TooLarge,
    /// Provably nothing was sent.
    Unsent,
}

/// What a driver has fetched for a request that is handled again.
#[derive(Clone, Copy, Debug, Default)]
pub struct Fetched<'a> {
    /// The rows for which [`GatewayStep::Read`] asked: their texts, in the order of their keys.
    pub rows: Option<&'a [&'a str]>,
    /// What came of the call of [`GatewayStep::Look`].
    pub look: Option<&'a ForwardResult>,
}

/// What to post to the node. `Debug` leaves out the URL.
#[derive(Clone, PartialEq, Eq)]
pub struct ChainCall {
    /// The node's URL. Only this has its key.
    pub url: String,
    /// The body, rewritten: a node could read the caller's own text in another way than the gateway.
    pub body: String,
    /// How long it may take.
    pub timeout_ms: u32,
    /// The longest reply that is read.
    pub max_reply_bytes: u32,
}

debug_text!(ChainCall, |call| "ChainCall({})", call.body);
