//! Journals record what is about to be sent, so that no trade that may have moved money is forgotten.

mod book;
#[cfg(not(target_arch = "wasm32"))]
mod file;
#[cfg(not(target_arch = "wasm32"))]
mod line;
#[cfg(not(target_arch = "wasm32"))]
mod lock;
#[cfg(not(target_arch = "wasm32"))]
mod shared_mode;
#[cfg(not(target_arch = "wasm32"))]
mod stop;

use std::future::ready;
use std::sync::{Mutex, PoisonError};

use super::error::TradeError;
use super::transport::{BoxError, BoxFuture, MaybeSend, MaybeSync};
use launchpad_desk::bindings::error_text;
use launchpad_desk::intent::Settlement;
use launchpad_desk::trade::guard::{Mode, Suspension};
use launchpad_desk::trade::journal::{Recalled, TradeIntent};

use book::Book;
#[cfg(not(target_arch = "wasm32"))]
pub use file::FileJournal;
#[cfg(all(feature = "record", not(target_arch = "wasm32")))]
pub(crate) use file::{file_at, naming};
#[cfg(all(feature = "record", not(target_arch = "wasm32")))]
pub(crate) use lock::{Lock, fresh_file, only_name, still_ours, sync_folder, with_suffix};

/// Records each trade before it is sent, and how it ended.
///
/// A trade that waited past midnight (UTC) counts for the new day, and one that waited for over five seconds by the time of its send: the
/// entry is settled as `not_sent` and begun again.
pub trait Journal: MaybeSend + MaybeSync {
    /// Awaited right before a trade is sent, after the hook. If it fails, the trade is not sent. It must fail for an id that is
    /// unresolved or has landed: another client of the same journal may have sent that one.
    ///
    /// If the future is dropped before it is ready, the trade is not sent. A journal that has recorded it anyway settles it as
    /// `not_sent`.
    fn begin<'a>(&'a self, intent: &'a TradeIntent) -> BoxFuture<'a, Result<(), BoxError>>;

    /// Awaited after a trade has ended, until the trade's deadline at most. If it fails, the trade's outcome does not change.
    /// `suspension` is what the end has changed about what stops trading; [add](Suspension::add) it to what is kept, in the same write.
    fn settle<'a>(
        &'a self,
        intent: &'a TradeIntent,
        settlement: Settlement,
        suspension: Suspension,
    ) -> BoxFuture<'a, Result<(), BoxError>>;

    /// Records that trading was stopped, or may go on: [add](Suspension::add) it to what is kept. If it fails, the caller of
    /// `halt`, `reduce` or `resume` gets the error.
    fn keep_suspension(&self, change: Suspension) -> BoxFuture<'_, Result<(), BoxError>>;

    /// What a client needs to know before its first trade. Lamports count from `since_ms` on, in milliseconds since 1970.
    fn recall(&self, since_ms: u64) -> BoxFuture<'_, Result<Recalled, BoxError>>;

    /// What another program has said of all trading since, such as `launchpad-desk halt`: asked right before each send, so it must not wait
    /// for anything. `None` if nobody has, or if this journal has said something since.
    fn outside_mode(&self) -> Option<OutsideMode> {
        None
    }
}

/// Why a journal of this crate failed, and the same with its file, which a client's error says. Of another journal it says nothing, because
/// that text may contain anything.
#[derive(Debug)]
pub(crate) struct JournalSays {
    pub why: String,
    pub named: String,
}

error_text!(JournalSays, |says| &says.why);

/// The error of a failed journal, with what is known of its failure.
pub(super) fn with_reason(mut error: TradeError, why: &BoxError) -> TradeError {
    if let Some(JournalSays { named, .. }) = why.downcast_ref() {
        error.error.message = format!("{} ({named})", error.error.message);
    }
    error
}

/// What another program has said of all trading.
///
/// ```
/// use launchpad_desk_client::OutsideMode;
/// use launchpad_desk::trade::guard::Mode;
///
/// let outside = OutsideMode { text: r#"{"mode":"reducing","id":"7"}"#.to_owned(), mode: Mode::Reducing };
/// assert_eq!(outside.mode.as_str(), "reducing");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OutsideMode {
    /// Its exact words: others are news.
    pub text: String,
    /// What may be sent.
    pub mode: Mode,
}

/// A journal that lasts as long as the process: for tests, and for programs that share one between clients.
#[derive(Debug, Default)]
pub struct MemoryJournal(Mutex<Book>);

impl MemoryJournal {
    fn book(&self) -> std::sync::MutexGuard<'_, Book> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Journal for MemoryJournal {
    fn begin<'a>(&'a self, intent: &'a TradeIntent) -> BoxFuture<'a, Result<(), BoxError>> {
        Box::pin(ready(self.book().begin(intent.clone()).map_err(Into::into)))
    }

    fn settle<'a>(
        &'a self,
        intent: &'a TradeIntent,
        settlement: Settlement,
        suspension: Suspension,
    ) -> BoxFuture<'a, Result<(), BoxError>> {
        self.book().settle(&intent.intent_id, &settlement, suspension);
        Box::pin(ready(Ok(())))
    }

    fn keep_suspension(&self, change: Suspension) -> BoxFuture<'_, Result<(), BoxError>> {
        self.book().keep_suspension(change);
        Box::pin(ready(Ok(())))
    }

    fn recall(&self, since_ms: u64) -> BoxFuture<'_, Result<Recalled, BoxError>> {
        Box::pin(ready(Ok(self.book().recall(since_ms))))
    }
}
