//! One call: a checked request and its options, sent when it is awaited.

use std::future::{Future, IntoFuture};
use std::time::Duration;

use super::drive::Drive;
use super::error::{TradeError, Traded, bad_option};
use super::options;
use super::shared::{Sending, Shared};
use super::transport::{BoxFuture, MaybeSend, Transport};
use crate::api::request::Request;
use crate::api::validate::Valid;
use crate::trade::flow::Flow;
use crate::trade::guard::{Record, intent_id_problem};
use crate::trade::reconcile::WalletBalances;

/// A trade that is sent when it is awaited.
///
/// Dropping its future gives the trade up: it is not sent if it has not left this machine, and unresolved if it may have.
/// [`abort_when`](Order::abort_when) does the same and tells which.
#[must_use = "a trade is sent when it is awaited"]
pub struct Order<'c, T> {
    shared: &'c Shared<T>,
    sending: &'c Sending,
    request: Result<Valid<Request>, TradeError>,
    intent_id: Option<String>,
    before: Option<Vec<WalletBalances>>,
    timeout: Option<Duration>,
    abort: Option<BoxFuture<'c, ()>>,
}

impl<'c, T: Transport> Order<'c, T> {
    pub(super) fn new(
        shared: &'c Shared<T>,
        sending: &'c Sending,
        request: Result<Valid<Request>, TradeError>,
    ) -> Self {
        Order { shared, sending, request, intent_id: None, before: None, timeout: None, abort: None }
    }

    /// The trade's id: at most 128 visible ASCII characters. Default: a random one.
    pub fn intent_id(self, intent_id: impl Into<String>) -> Self {
        Order { intent_id: Some(intent_id.into()), ..self }
    }

    /// What the trading wallets hold now. It is kept with the trade, in the journal too, so that
    /// [`reconcile`](crate::trade::reconcile) can use it if the outcome is unknown.
    pub fn before(self, before: Vec<WalletBalances>) -> Self {
        Order { before: Some(before), ..self }
    }

    /// Its deadline over queue, send and body. Default: the client's.
    pub fn timeout(self, timeout: Duration) -> Self {
        Order { timeout: Some(timeout), ..self }
    }

    /// Aborts it when this is ready: `not_sent` before it is sent, `unknown` after.
    pub fn abort_when(self, signal: impl Future<Output = ()> + MaybeSend + 'c) -> Self {
        Order { abort: Some(Box::pin(signal)), ..self }
    }

    async fn run(self) -> Result<Traded, TradeError> {
        let Order { shared, sending, request, intent_id, before, timeout, abort } = self;
        let request = request?;
        if let Some((code, what)) = intent_id.as_deref().and_then(intent_id_problem) {
            return Err(bad_option("intent_id", code, what));
        }
        let timeout_ms = timeout.map_or(Ok(sending.timeout_ms), options::timeout_ms)?;
        let intent_id = intent_id.unwrap_or_else(|| shared.transport.new_id());
        let record = Record { intent_id, body: None, before };
        let flow = Flow::new(sending.terms.clone(), request, record, timeout_ms);
        let deadline = Box::pin(shared.transport.sleep(timeout_ms));
        Drive::new(shared, flow, deadline, abort).run().await
    }
}

impl<'c, T: Transport> IntoFuture for Order<'c, T> {
    type Output = Result<Traded, TradeError>;
    type IntoFuture = BoxFuture<'c, Self::Output>;

    fn into_future(self) -> Self::IntoFuture {
        Box::pin(self.run())
    }
}
