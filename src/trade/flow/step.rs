//! What a driver tells the machine, and what the machine tells the driver to do.

use std::fmt;

use crate::api::endpoint::Operation;
use crate::api::response::Trade;
use crate::error::{Code, Error};
use crate::trade::Key;
use crate::trade::journal::Settlement;
use crate::trade::reconcile::WalletBalances;

/// What has happened. Each answers a [`Step`], except for the first and the two stops.
///
/// `Debug` shows no key and no body.
#[derive(Clone, PartialEq, Eq)]
pub enum Event {
    /// The driver is ready. The first event.
    Begin,
    /// What the journal remembers was given to the guards: answers [`Step::Recover`].
    Recovered,
    /// The journal has recorded it: answers [`Step::JournalBegin`] and [`Step::JournalSettle`].
    Journaled,
    /// The journal failed: answers the same, and [`Step::Recover`].
    JournalFailed,
    /// The time is over: answers [`Step::Wait`].
    Woken,
    /// The key: answers [`Step::AskKey`].
    Key(Key),
    /// There is no usable key: answers [`Step::AskKey`].
    KeyFailed,
    /// The hook has no objection: answers [`Step::BeforeSend`].
    HookPassed,
    /// The same, and this is what the wallets hold: it is kept with the trade, in the journal before the trade is sent.
    HookSaw(Vec<WalletBalances>),
    /// The hook failed: answers [`Step::BeforeSend`].
    HookFailed,
    /// The start of a reply: answers [`Step::Send`].
    Answered(Head),
    /// The whole body of the reply: answers [`Step::Read`].
    Body(Vec<u8>),
    /// No reply, or not all of it: answers [`Step::Send`] and [`Step::Read`].
    Lost(Lost),
    /// The hook has ended, however: answers [`Step::AfterSettle`].
    HookEnded,
    /// The trade's time is over, whatever the driver is doing.
    Deadline,
    /// The caller has given up, whatever the driver is doing.
    Abort,
    /// What the driver is doing has not ended within its moment: answers [`Step::Cancel`], [`Step::Hurry`] and, once the
    /// trade was stopped, any step.
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

/// The start of a reply. `Debug` shows its status alone.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct Head {
    /// The HTTP status.
    pub status: u16,
    /// Its `retry-after`.
    pub retry_after: Option<String>,
    /// Whether it says by `x-simulated: true` that nothing real is traded.
    pub is_simulated: bool,
    /// Its `intent-state`: what a gateway says of the intent.
    pub intent_state: Option<String>,
}

impl fmt::Debug for Head {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Head({})", self.status)
    }
}

/// Why there is no reply, or not all of it.
///
/// `Debug` leaves out the details: they come from the transport.
#[derive(Clone, PartialEq, Eq)]
pub enum Lost {
    /// The transport proves that nothing was sent, by this try or by one that it made on its own before. The text is an
    /// error code, or empty. Within a reply it proves nothing any more.
    Unsent(String),
    /// Sending is not possible here; nothing was sent. The text says what is lacking. A driver that cannot even begin tells
    /// this in place of [`Event::Begin`].
    Unsupported(String),
    /// The connection broke, or whatever else: the trade may have been made. The text is an error code, or empty.
    Broken(String),
    /// The reply is over this many bytes.
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
    /// Nothing new: the driver goes on with what it is doing. Also the answer to an event that does not fit.
    Nothing,
    /// Give the guards what the journal remembers, unless that was done for this client. Then [`Event::Recovered`] or
    /// [`Event::JournalFailed`].
    Recover,
    /// Wait this many milliseconds. Then [`Event::Woken`].
    Wait {
        /// How long.
        ms: u32,
        /// What for.
        reason: Wait,
    },
    /// Have the journal record the [intent](super::Flow::intent), on disk where it has one. Then [`Event::Journaled`] or
    /// [`Event::JournalFailed`].
    JournalBegin,
    /// Have the journal record how it ended. Then [`Event::Journaled`] or [`Event::JournalFailed`].
    JournalSettle(Settlement),
    /// Ask for the key. Then [`Event::Key`] or [`Event::KeyFailed`].
    AskKey,
    /// Call the hook before sending. Then [`Event::HookPassed`], [`Event::HookSaw`] or [`Event::HookFailed`].
    BeforeSend,
    /// Send this, once. Then [`Event::Answered`] or [`Event::Lost`]. Any step after it but [`Step::Read`], [`Step::Cancel`]
    /// and [`Step::Nothing`] means that nobody waits for the transport any more.
    Send(Post),
    /// Read the body of the reply. Then [`Event::Body`] or [`Event::Lost`].
    Read {
        /// At most so many bytes; more are [`Lost::TooLarge`].
        most: u32,
    },
    /// Tell the transport to give up, and hear it for a moment: it may prove that nothing was sent. Then
    /// [`Event::Answered`], [`Event::Lost`] or [`Event::MomentOver`].
    Cancel,
    /// The trade was stopped: what the driver is doing has only a moment left. Then its own event or
    /// [`Event::MomentOver`].
    Hurry,
    /// Call the hook after a trade. Then [`Event::HookEnded`].
    AfterSettle(Settlement),
    /// The result, for the caller. It comes once.
    Done(Result<Box<Trade>, Box<Error>>),
}

/// What a trade waits for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Wait {
    /// Its turn, by the rate limit.
    Turn,
    /// Its next try: the transport proved that the last one sent nothing. The text is that failure's code, or empty.
    Retry(String),
    /// The same request again, at a gateway that forwards each intent once: its answer is not known. This is why.
    Answer(Code),
}

/// One POST: the only thing that holds the key. `Debug` shows no header and no body.
#[derive(Clone, PartialEq, Eq)]
pub struct Post {
    /// What is asked for.
    pub operation: Operation,
    /// The path below the base URL.
    pub path: &'static str,
    /// All headers.
    pub headers: Vec<(String, String)>,
    /// The exact body.
    pub body: String,
}

impl fmt::Debug for Post {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Post({})", self.path)
    }
}
