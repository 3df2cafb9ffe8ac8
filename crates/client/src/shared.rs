//! What the clones of a client have in common, and how one of them sends.

use std::future::{Future, poll_fn};
use std::pin::pin;
use std::sync::{Arc, Mutex};
use std::task::Poll;
use std::time::Duration;

use super::comparisons::Comparisons;
use super::error::TradeError;
use super::hooks::{Hooks, Note};
use super::journal::{Journal, OutsideMode, with_reason};
use super::market::Market;
use super::system::lock;
use super::transport::{BoxError, BoxFuture, Transport};
use launchpad_desk::bindings::drivers::TRADE_TIMEOUT_MS;
use launchpad_desk::error::Code;
use launchpad_desk::trade::flow::Terms;
use launchpad_desk::trade::guard::{self, Guards, Suspension};
use launchpad_desk::trade::journal::midnight_before;
use launchpad_desk::trade::{Key, send_failure};

/// Where a key comes from at each trade.
#[cfg(not(target_arch = "wasm32"))]
pub(super) type AskKey = Box<dyn Fn() -> BoxFuture<'static, Result<Key, BoxError>> + Send + Sync>;
#[cfg(target_arch = "wasm32")]
pub(super) type AskKey = Box<dyn Fn() -> BoxFuture<'static, Result<Key, BoxError>>>;

/// What all clones have in common.
pub(super) struct Shared<T> {
    pub(super) transport: T,
    pub(super) guards: Mutex<Guards>,
    pub(super) journal: Option<Box<dyn Journal>>,
    pub(super) hooks: Option<Box<dyn Hooks>>,
    pub(super) market: Option<Box<dyn Market>>,
    pub(super) ask_key: Option<AskKey>,
    pub(super) is_recovered: Mutex<bool>,
    /// What another program has said of all trading last, with the mode that this client has said since. It is held while the client itself
    /// says something.
    pub(super) obeyed: Mutex<Option<OutsideMode>>,
    /// Until when the market is not asked what wallets hold.
    pub(super) market_rests_until_ms: Mutex<u64>,
    pub(super) comparisons: Mutex<Comparisons>,
    #[cfg(feature = "record")]
    pub(super) record: Option<super::record::DeskRecord>,
}

/// How one clone sends.
pub(super) struct Sending {
    pub(super) terms: Arc<Terms>,
    pub(super) timeout_ms: u32,
}

impl Default for Sending {
    fn default() -> Self {
        Sending { terms: Arc::default(), timeout_ms: TRADE_TIMEOUT_MS }
    }
}

impl<T: Transport> Shared<T> {
    /// Without a journal, hooks or a function for the key.
    pub(super) fn new(transport: T, guards: guard::Settings) -> Self {
        Shared {
            transport,
            guards: Mutex::new(Guards::new(guards)),
            journal: None,
            hooks: None,
            market: None,
            ask_key: None,
            is_recovered: Mutex::default(),
            obeyed: Mutex::default(),
            market_rests_until_ms: Mutex::default(),
            comparisons: Mutex::default(),
            #[cfg(feature = "record")]
            record: None,
        }
    }

    /// Gives the guards what the journal remembers, unless that was done. If several trades ask at once, the first answer is
    /// used; no trade begins before it.
    pub(super) async fn recovered(&self) -> Result<(), BoxError> {
        let Some(journal) = &self.journal else { return Ok(()) };
        if *lock(&self.is_recovered) {
            return Ok(());
        }
        let now_ms = self.transport.now_ms();
        let recalled = journal.recall(midnight_before(now_ms)).await?;
        let mut is_recovered = lock(&self.is_recovered);
        if !*is_recovered {
            recalled.restore(&mut lock(&self.guards), now_ms)?;
            *is_recovered = true;
        }
        Ok(())
    }

    /// Obeys what another program has said of all trading, if that is new. It waits for nothing, so that a stop comes before the next send.
    pub(super) fn obey_outside_mode(&self) {
        let Some(journal) = &self.journal else { return };
        let mut obeyed = lock(&self.obeyed);
        let outside = journal.outside_mode();
        let is_heard = |outside: &&OutsideMode| {
            obeyed.as_ref().is_some_and(|heard| heard.text == outside.text && heard.mode >= outside.mode)
        };
        if let Some(outside) = outside.as_ref().filter(|outside| !is_heard(outside)) {
            lock(&self.guards).obey(outside.mode);
        }
        // Once nobody says anything, the same words are news again.
        *obeyed = outside;
    }

    /// Changes what stops trading now, and gives the change to the journal: both before anything else is heard.
    pub(super) fn say(
        &self,
        change: impl FnOnce(&mut Guards) -> Suspension,
    ) -> Option<BoxFuture<'_, Result<(), BoxError>>> {
        let mut obeyed = lock(&self.obeyed);
        let change = change(&mut lock(&self.guards));
        let kept = self.journal.as_ref().map(|journal| journal.keep_suspension(change));
        // While a journal still says what was heard, that counts again over what stops less.
        if let (Some(heard), Some(mode)) = (&mut *obeyed, change.mode) {
            heard.mode = mode;
        }
        kept
    }

    pub(super) fn note(&self, intent_id: &str, note: Note<'_>) {
        if let Some(hooks) = &self.hooks {
            hooks.note(intent_id, note);
        }
    }

    pub(super) fn journal_failed(&self, intent_id: &str, why: &BoxError) -> TradeError {
        self.note(intent_id, Note::Failed(Code::JournalFailed, why));
        with_reason(self.own(send_failure(Code::JournalFailed, "").into()), why)
    }

    /// Adds to an error whether this client trades in a sandbox.
    pub(super) fn own(&self, error: TradeError) -> TradeError {
        TradeError { is_simulated: Some(self.transport.destination().is_simulated), ..error }
    }
}

/// A time in whole milliseconds, at most 49 days.
pub(super) fn whole_ms(time: Duration) -> u32 {
    u32::try_from(time.as_millis()).unwrap_or(u32::MAX)
}

/// What comes of the work, unless the time is over first.
pub(super) async fn within<T>(over: impl Future<Output = ()>, work: impl Future<Output = T>) -> Option<T> {
    let (mut over, mut work) = (pin!(over), pin!(work));
    poll_fn(|context| match work.as_mut().poll(context) {
        Poll::Ready(output) => Poll::Ready(Some(output)),
        Poll::Pending => over.as_mut().poll(context).map(|()| None),
    })
    .await
}
