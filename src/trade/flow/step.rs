//! What a driver tells the machine, and what the machine tells the driver to do.

use std::fmt;

use crate::api::endpoint::Operation;
use crate::api::response::Trade;
use crate::debug_text;
use crate::error::{Code, Error};
use crate::intent::Settlement;
use crate::trade::Key;
use crate::trade::reconcile::WalletBalances;

/// What has happened. Each answers a [`Step`], except the first and the two stops.
///
/// `Debug` shows no key and no body.
#[derive(Clone, PartialEq, Eq)]
pub enum Event {
    /// The driver is ready. The first event.
    Begin,
    /// The guards were given what the journal remembers: answers [`Step::Recover`].
    Recovered,
    /// The journal has recorded it: answers [`Step::JournalBegin`] and [`Step::JournalSettle`].
    Journaled,
    /// The journal failed: answers the same, and [`Step::Recover`].
    JournalFailed,
    /// The wait is over: answers [`Step::Wait`].
    Woken,
    /// The key: answers [`Step::AskKey`].
    Key(Key),
    /// There is no usable key: answers [`Step::AskKey`].
    KeyFailed,
    /// The hook has no objection: answers [`Step::BeforeSend`].
    HookPassed,
    /// The same, with what the wallets hold. That is kept with the trade, and is in the journal before the trade is sent.
    HookSaw(Vec<WalletBalances>),
    /// The hook returned balances that cannot be used, and why: answers [`Step::BeforeSend`].
    HookMisled(String),
    /// The hook failed: answers [`Step::BeforeSend`].
    HookFailed,
    /// The start of a reply: answers [`Step::Send`] and [`Step::Get`].
    Answered(Head),
    /// The whole body of the reply: answers [`Step::Read`].
    Body(Vec<u8>),
    /// No reply, or not all of it: answers [`Step::Send`] and [`Step::Read`].
    Lost(Lost),
    /// The hook has ended, in any way: answers [`Step::AfterSettle`].
    HookEnded,
    /// The deadline has passed. It may come at any step.
    Deadline,
    /// The caller has given up. It may come at any step.
    Abort,
    /// The step did not end within the moment that it had left: answers [`Step::Cancel`], [`Step::Hurry`] and, once the trade
    /// is stopped, any step.
    MomentOver,
}

impl fmt::Debug for Event {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Event::Begin => f.write_str("Begin"),
            Event::Recovered => f.write_str("Recovered"),
            Event::Journaled => f.write_str("Journaled"),
            Event::JournalFailed => f.write_str("JournalFailed"),
            Event::Woken => f.write_str("Woken"),
            Event::Key(_) => f.write_str("Key"),
            Event::KeyFailed => f.write_str("KeyFailed"),
            Event::HookPassed => f.write_str("HookPassed"),
            Event::HookSaw(seen) => write!(f, "HookSaw({} wallets)", seen.len()),
            Event::HookMisled(why) => write!(f, "HookMisled({why:?})"),
            Event::HookFailed => f.write_str("HookFailed"),
            Event::Answered(head) => write!(f, "Answered({})", head.status),
            Event::Body(body) => write!(f, "Body({} bytes)", body.len()),
            Event::Lost(lost) => write!(f, "Lost({lost:?})"),
            Event::HookEnded => f.write_str("HookEnded"),
            Event::Deadline => f.write_str("Deadline"),
            Event::Abort => f.write_str("Abort"),
            Event::MomentOver => f.write_str("MomentOver"),
        }
    }
}

/// The start of a reply. `Debug` shows only its status.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct Head {
    /// The HTTP status.
    pub status: u16,
    /// Its header `retry-after`.
    pub retry_after: Option<String>,
    /// Whether its header `x-simulated: true` says that nothing real is traded.
    pub is_simulated: bool,
    /// Its header `intent-state`: what a gateway says about the intent.
    pub intent_state: Option<String>,
}

debug_text!(Head, |head| "Head({})", head.status);

/// Why there is no reply, or not all of it.
///
/// `Debug` leaves out the details: they come from the transport.
#[derive(Clone, PartialEq, Eq)]
pub enum Lost {
    /// The transport proves that nothing was sent, not even in an earlier attempt that it made by itself. The
    /// text is an error code, or empty. Once a reply has begun, this proves nothing.
    Unsent(String),
    /// Sending is not possible here; nothing was sent. The text says what is missing. A driver that cannot even begin sends
    /// this instead of [`Event::Begin`].
    Unsupported(String),
    /// The connection broke, or something else failed: the trade may have been made. The text is an error code, or empty.
    Broken(String),
    /// The reply has more than this many bytes.
    TooLarge(u32),
}

impl fmt::Debug for Lost {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Lost::Unsent(_) => "Unsent",
            Lost::Unsupported(_) => "Unsupported",
            Lost::Broken(_) => "Broken",
            Lost::TooLarge(_) => "TooLarge",
        })
    }
}

/// What a driver does next. When it is done, it says so with the event that the step names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step {
    /// Nothing new: the driver continues with what it is doing. Also returned for an event that does not fit.
    Nothing,
    /// Give the guards what the journal remembers, unless this was already done for this client. Then [`Event::Recovered`] or
    /// [`Event::JournalFailed`].
    Recover,
    /// Wait this many milliseconds. Then [`Event::Woken`].
    Wait {
        /// How long.
        ms: u32,
        /// What for.
        reason: Wait,
    },
    /// Have the journal record the flow's intent, on disk if it has one. Then [`Event::Journaled`] or
    /// [`Event::JournalFailed`].
    JournalBegin,
    /// Have the journal record how the trade ended. Then [`Event::Journaled`] or [`Event::JournalFailed`].
    JournalSettle(Settlement),
    /// Ask for the key. Then [`Event::Key`] or [`Event::KeyFailed`].
    AskKey,
    /// Call the hook before sending. Then [`Event::HookPassed`], [`Event::HookSaw`], [`Event::HookMisled`] or
    /// [`Event::HookFailed`].
    BeforeSend,
    /// Send this, once. Then [`Event::Answered`] or [`Event::Lost`]. Any next step but [`Step::Read`], [`Step::Cancel`] and
    /// [`Step::Nothing`] means that the transport is no longer waited for.
    Send(Post),
    /// Send this GET: it asks, and makes no trade. Then as after [`Step::Send`].
    Get(Get),
    /// Read the body of the reply. Then [`Event::Body`] or [`Event::Lost`].
    Read {
        /// At most this many bytes; more are [`Lost::TooLarge`].
        most: u32,
    },
    /// Tell the transport to give up, and give it a moment: it may prove that nothing was sent. Then [`Event::Answered`],
    /// [`Event::Lost`] or [`Event::MomentOver`].
    Cancel,
    /// The trade was stopped: the current step has only a moment left. Then its own event or [`Event::MomentOver`].
    Hurry,
    /// Call the hook after a trade. Then [`Event::HookEnded`].
    AfterSettle(Settlement),
    /// The result, for the caller. It is returned once.
    Done(Result<Box<Trade>, Box<Error>>),
}

/// What a trade waits for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Wait {
    /// Its turn, under the rate limit.
    Turn,
    /// Its next attempt: the transport proved that the last one sent nothing. The text is that failure's code, or empty.
    Retry(String),
    /// Asking again, at a gateway that forwards each intent once, because the answer is unknown for this reason.
    Answer(Code),
}

/// One POST request, the only thing that makes a trade. It holds the key. `Debug` shows no header and no body.
#[derive(Clone, PartialEq, Eq)]
pub struct Post {
    /// What is asked for.
    pub operation: Operation,
    /// The path below the base URL.
    pub path: &'static str,
    pub headers: Vec<(String, String)>,
    /// The exact body.
    pub body: String,
}

/// One GET request. It holds the key, too. `Debug` shows no header.
#[derive(Clone, PartialEq, Eq)]
pub struct Get {
    /// The path below the base URL.
    pub path: String,
    pub headers: Vec<(String, String)>,
}

debug_text!(Get, |get| "Get({})", get.path);

debug_text!(Post, |post| "Post({})", post.path);
