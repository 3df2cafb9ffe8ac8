//! What a program hears of its trades, and where it may object.

use super::transport::{BoxError, BoxFuture, MaybeSend, MaybeSync};
use crate::error::Code;
use crate::trade::journal::{Settlement, TradeIntent};
use crate::trade::reconcile::WalletBalances;

/// What a hook saw in the wallets of a trade, if it looked.
pub type Seen = Option<Vec<WalletBalances>>;

/// Called around each trade. Each method does nothing unless it is overridden.
///
/// ```
/// use launchpad_desk::client::{BoxError, BoxFuture, Hooks, Seen};
/// use launchpad_desk::trade::journal::TradeIntent;
///
/// struct NotOnSundays;
///
/// impl Hooks for NotOnSundays {
///     fn before_send<'a>(&'a self, intent: &'a TradeIntent) -> BoxFuture<'a, Result<Seen, BoxError>> {
///         Box::pin(async move {
///             let day = intent.started_at_ms / 86_400_000; // 1 January 1970 was a Thursday
///             if day % 7 == 3 { Err("it is Sunday".into()) } else { Ok(None) }
///         })
///     }
/// }
/// ```
pub trait Hooks: MaybeSend + MaybeSync {
    /// Awaited before a trade is sent. If it fails, the trade is not sent. What it returns, if anything, is what the wallets
    /// hold now: it is kept with the trade, in the journal too, for [`reconcile`](crate::trade::reconcile).
    fn before_send<'a>(&'a self, intent: &'a TradeIntent) -> BoxFuture<'a, Result<Seen, BoxError>> {
        let _ = intent;
        Box::pin(std::future::ready(Ok(None)))
    }

    /// Awaited after a trade ended, until its deadline at most.
    fn after_settle<'a>(&'a self, intent: &'a TradeIntent, settlement: Settlement) -> BoxFuture<'a, ()> {
        let _ = (intent, settlement);
        Box::pin(std::future::ready(()))
    }

    /// Hears of each step that is worth a line in a log.
    fn note(&self, intent_id: &str, note: Note<'_>) {
        let _ = (intent_id, note);
    }
}

/// A line for a log. It has no key, no header and no body.
#[derive(Debug)]
#[non_exhaustive]
pub enum Note<'a> {
    /// The trade is given to the transport.
    Sending,
    /// It was not sent, which is proven, and is tried again. The text is the failure's code, or empty.
    TryingAgain(&'a str),
    /// Its answer is not known, for this reason, and the gateway is asked for it again.
    AskingAgain(Code),
    /// The caller's own code failed, and why. An error never says that, since the reason may name anything.
    Failed(Code, &'a BoxError),
    /// The journal did not record how it ended, and why.
    EndNotRecorded(&'a BoxError),
    /// The journal has not confirmed by the deadline how it ended.
    EndNotConfirmed,
    /// The hook after the trade has not ended by the deadline.
    HookNotEnded,
    /// It has ended.
    Ended(Settlement),
}
