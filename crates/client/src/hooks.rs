//! Your own code around each trade: what it learns, and where it may stop a trade.

use super::transport::{BoxError, BoxFuture, MaybeSend, MaybeSync};
use launchpad_desk::error::Code;
use launchpad_desk::intent::{IntentOutcome, Settlement};
use launchpad_desk::trade::journal::TradeIntent;
use launchpad_desk::trade::reconcile::WalletBalances;
use launchpad_desk::trade::settle::Settled;

/// The balances that a hook read from the wallets of a trade, if it did.
pub type Seen = Option<Vec<WalletBalances>>;

/// Called before and after each trade. By default each method does nothing.
///
/// ```
/// use launchpad_desk_client::{BoxError, BoxFuture, Hooks, Seen};
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
    /// Awaited right before a trade is sent, after its market was asked what the wallets hold. If it fails, the trade is not sent. It may
    /// return what the wallets hold now. That is kept with the trade, also in the journal, for [`reconcile`](launchpad_desk::trade::reconcile).
    fn before_send<'a>(&'a self, intent: &'a TradeIntent) -> BoxFuture<'a, Result<Seen, BoxError>> {
        let _ = intent;
        Box::pin(std::future::ready(Ok(None)))
    }

    /// Awaited after a trade has ended, until the trade's deadline at most.
    fn after_settle<'a>(&'a self, intent: &'a TradeIntent, settlement: Settlement) -> BoxFuture<'a, ()> {
        let _ = (intent, settlement);
        Box::pin(std::future::ready(()))
    }

    /// Called for each step that is worth a line in a log.
    fn note(&self, intent_id: &str, note: Note<'_>) {
        let _ = (intent_id, note);
    }
}

/// A line for a log. It contains no key, no header and no body.
#[derive(Debug)]
#[non_exhaustive]
pub enum Note<'a> {
    /// The trade is handed to the transport.
    Sending,
    /// It is proven that the trade was not sent, and it is tried again. The text is the failure's code, or empty.
    TryingAgain(&'a str),
    /// Its answer is unknown, for this reason, so the gateway is asked again.
    AskingAgain(Code),
    /// The caller's own code failed, with this reason. A trade's error never repeats the reason, which may contain anything.
    Failed(Code, &'a BoxError),
    /// The market did not say what the wallets hold, for this reason: an unknown outcome will stay unknown.
    MarketSilent(&'a BoxError),
    /// The journal could not record how the trade ended, for this reason.
    EndNotRecorded(&'a BoxError),
    /// The journal did not confirm before the deadline that it recorded how the trade ended.
    EndNotConfirmed,
    /// The hook after the trade did not end before the deadline.
    HookNotEnded,
    /// The market has settled a trade of unknown outcome.
    Settled(&'a Settled),
    /// The chain shows the opposite of what the service had said of a trade. What had counted it is corrected. Log it as an error.
    Contradicted {
        /// What the service had said.
        said: IntentOutcome,
        /// What the chain shows.
        settled: &'a Settled,
    },
    /// The chain has not shown a trade that the service has answered so, and it is not asked again by itself.
    NotShown(IntentOutcome),
    /// More answered trades wait for the chain than are asked about: the oldest are not. Said once.
    AnsweredDropped,
    /// A landed trade was compared with its quote.
    Drift(&'a launchpad_desk::market::drift::Drift),
    /// A landed trade could not be compared with its quote, for this reason.
    NotCompared(&'a BoxError),
    /// The trade has ended.
    Ended(Settlement),
}
