//! Each landed trade that was quoted, against its quote.

use std::convert::Infallible;
use std::sync::Mutex;

use super::Client;
use super::client_error::{ClientError, Why};
use super::comparisons::{Comparisons, Landed};
use super::hooks::Note;
use super::node::NodeError;
use super::system::lock;
use super::transport::{BoxError, Transport};
use launchpad_desk::api::endpoint::Operation;
use launchpad_desk::chain::wallets::NoAddress;
use launchpad_desk::market::MarketRefusal;
use launchpad_desk::market::drift::Drift;
use launchpad_desk::trade::plan::{Plan, PlanPrice};
use launchpad_desk::trade::settle::SETTLE_EVERY_MS;

/// While there is one, landed trades are noted.
struct Asker<'c>(&'c Mutex<Comparisons>);

impl<'c> Asker<'c> {
    fn of(comparisons: &'c Mutex<Comparisons>) -> Asker<'c> {
        lock(comparisons).begin();
        Asker(comparisons)
    }
}

impl Drop for Asker<'_> {
    fn drop(&mut self) {
        lock(self.0).end();
    }
}

fn code_of(why: &BoxError) -> Option<MarketRefusal> {
    let of_node = || why.downcast_ref().map(NodeError::code);
    let of_wallet = || why.downcast_ref::<NoAddress>().map(|_| MarketRefusal::NoAddress);
    why.downcast_ref().copied().or_else(of_node).or_else(of_wallet)
}

impl<T: Transport> Client<T> {
    /// Compares a landed trade with the price of its plan, by the [market](super::ClientBuilder::market): what each wallet paid and got,
    /// against the quote, and which rule moved in between. The result is also a [note](Note::Drift). What is not
    /// [explained](Drift::explained) means that the rules in use are no longer the launchpad's.
    ///
    /// # Errors
    ///
    /// [`ClientError`]; [`has_no_price`](ClientError::has_no_price) for a plan without one.
    pub async fn drift(&self, plan: &Plan, signature: &str) -> Result<Drift, ClientError> {
        let price = plan.price.as_ref();
        self.compared(&plan.intent_id, plan.operation, &plan.body, price, signature).await
    }

    async fn compared(
        &self,
        intent_id: &str,
        operation: Operation,
        body: &str,
        price: Option<&PlanPrice>,
        signature: &str,
    ) -> Result<Drift, ClientError> {
        let market = self.shared.market.as_ref().ok_or(Why::NoMarket)?;
        let price = price.ok_or(Why::NoPrice)?;
        let drift = market.drift(operation, body, price, signature).await;
        let mut drift = drift.map_err(Why::Silent)?;
        if self.guards().is_of_other(intent_id, signature) {
            drift = drift.of_other_trade();
        }
        self.shared.note(intent_id, Note::Drift(&drift));
        Ok(drift)
    }

    /// Compares each landed trade that was quoted, by a plan or for a limit on its price, with its quote, some seconds after it has landed, for
    /// as long as the returned future is polled: let your runtime run it beside the program, before the first trade, and drop it to end
    /// that. It asks the market four times at most for each trade, and no trade waits for it. What came of it is a [note](Note::Drift), or
    /// [why there is none](Note::NotCompared). At most 16 trades wait at once: of more, the newest are not compared.
    ///
    /// ```no_run
    /// use launchpad_desk_client::{Client, ReqwestTransport};
    ///
    /// # async fn run(client: Client<ReqwestTransport>) {
    /// let comparing = client.clone();
    /// tokio::spawn(async move { comparing.check_drift().await });
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// [`ClientError::has_no_market`], at once. Any other failure is a note, and it goes on.
    pub async fn check_drift(&self) -> Result<Infallible, ClientError> {
        if self.shared.market.is_none() {
            return Err(Why::NoMarket.into());
        }
        let (transport, comparisons) = (&self.shared.transport, &self.shared.comparisons);
        let _asker = Asker::of(comparisons);
        loop {
            loop {
                let due = lock(comparisons).take(transport.now_ms());
                let Some(trade) = due else { break };
                let Landed { intent_id, operation, body, price, signature, .. } = &trade;
                let compared = self.compared(intent_id, *operation, body, Some(price), signature).await;
                let Err(ClientError(Why::Silent(why))) = compared else { continue };
                let code = code_of(&why).map(MarketRefusal::as_str);
                let report = lock(comparisons).ask_again(trade, code, transport.now_ms());
                if let Some(intent_id) = report {
                    self.shared.note(&intent_id, Note::NotCompared(&why));
                }
            }
            transport.sleep(SETTLE_EVERY_MS).await;
        }
    }
}
