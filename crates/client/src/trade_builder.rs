//! One call: a checked request or a plan, with its options, sent when it is awaited.

use std::future::{Future, IntoFuture};
use std::time::Duration;

use super::drive::Drive;
use super::error::{TradeError, Traded, bad_option};
use super::hooks::Note;
use super::options;
use super::shared::{Sending, Shared};
use super::system::lock;
use super::transport::{BoxFuture, MaybeSend, Transport};
use launchpad_desk::api::request::Request;
use launchpad_desk::api::validate::Valid;
use launchpad_desk::error::{Code, Error, FieldCode};
use launchpad_desk::intent::intent_id_problem;
use launchpad_desk::tape::json;
use launchpad_desk::trade::flow::{Flow, Machine, WAIT_FOR_MS, WaitFor};
use launchpad_desk::trade::guard::stranger_in;
use launchpad_desk::trade::journal::TradeIntent;
use launchpad_desk::trade::plan::{MOST_VALID_FOR_MS, Plan, PlanPrice, Planned, VALID_FOR_MS};
use launchpad_desk::trade::reconcile::WalletBalances;

/// A trade that is sent when it is awaited, or [planned](TradeBuilder::plan).
///
/// Dropping its future gives the trade up. It is not sent if it has not left this machine yet, and unresolved if it may have.
/// [`abort_when`](TradeBuilder::abort_when) does the same and reports which of the two it was.
#[must_use = "a trade is sent when it is awaited"]
pub struct TradeBuilder<'c, T> {
    request: Result<Valid<Request>, TradeError>,
    intent_id: Option<String>,
    before: Option<Vec<WalletBalances>>,
    valid_for: Duration,
    call: CallOptions<'c, T>,
}

impl<'c, T: Transport> TradeBuilder<'c, T> {
    pub(super) fn new(
        shared: &'c Shared<T>,
        sending: &'c Sending,
        request: Result<Valid<Request>, TradeError>,
    ) -> Self {
        let valid_for = Duration::from_millis(VALID_FOR_MS);
        TradeBuilder {
            request,
            intent_id: None,
            before: None,
            valid_for,
            call: CallOptions::new(shared, sending),
        }
    }

    /// The trade's id: at most 128 visible ASCII characters. Default: a random one.
    pub fn intent_id(self, intent_id: impl Into<String>) -> Self {
        TradeBuilder { intent_id: Some(intent_id.into()), ..self }
    }

    /// What the trading wallets hold now. It is kept with the trade, also in the journal, so that
    /// [`reconcile`](launchpad_desk::trade::reconcile) can use it if the outcome is unknown.
    pub fn before(self, before: Vec<WalletBalances>) -> Self {
        TradeBuilder { before: Some(before), ..self }
    }

    /// The deadline for queueing, sending and reading the reply. Default: the client's.
    pub fn timeout(self, timeout: Duration) -> Self {
        TradeBuilder { call: CallOptions { timeout: Some(timeout), ..self.call }, ..self }
    }

    /// Aborts the trade when this future is ready: `not_sent` before the trade is sent, `unknown` after.
    pub fn abort_when(self, signal: impl Future<Output = ()> + MaybeSend + 'c) -> Self {
        TradeBuilder { call: CallOptions { abort: Some(Box::pin(signal)), ..self.call }, ..self }
    }

    /// How long its plan stays valid: 1 ms to a day. Default: a minute.
    pub fn valid_for(self, valid_for: Duration) -> Self {
        TradeBuilder { valid_for, ..self }
    }

    /// Makes a plan of it: the exact body, the guards' verdict, and a price where the transport knows the market, as the
    /// sandbox does. Nothing is sent and nothing is reserved; [`Client::send`](super::Client::send) sends it.
    ///
    /// ```
    /// use launchpad_desk_client::SandboxTransport;
    /// use launchpad_desk::prelude::*;
    /// use launchpad_desk_sandbox::{Sandbox, SandboxConfig};
    /// use launchpad_desk_client::{Client, TradeError, Traded};
    ///
    /// # async fn trade() -> Result<(), TradeError> {
    /// let sandbox = Sandbox::new(SandboxConfig::default()).expect("the default sandbox is sound");
    /// let (mint, wallet) = (sandbox.tokens()[0].mint.clone(), sandbox.wallets()[0].wallet.clone());
    /// let client = Client::new(SandboxTransport::new(sandbox));
    ///
    /// let plan = client.buy(BuyRequest::new(mint, wallet, 1_000_000_000)).plan().await?;
    /// let kept = plan.to_json(); // to show, to store, to approve
    /// let bought = client.send(&Plan::from_json(&kept)?).await?;
    /// assert_eq!(bought.intent_id, plan.intent_id);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// `not_sent`: `invalid_request`, `invalid_options`, or `journal_failed`. What the guards say is in the plan.
    pub async fn plan(self) -> Result<Plan, TradeError> {
        let shared = self.call.shared;
        self.made().await.map_err(|error| shared.own(error))
    }

    async fn made(self) -> Result<Plan, TradeError> {
        let (shared, valid_for) = (self.call.shared, self.valid_for);
        let most = Duration::from_millis(MOST_VALID_FOR_MS);
        if !(Duration::from_millis(1)..=most).contains(&valid_for) {
            return Err(bad_option("valid_for", FieldCode::OutOfRange, "must be from 1 ms to a day"));
        }
        let slippage_unit = self.call.sending.terms.dialect.rules.slippage_unit;
        let (planned, _) = self.planned()?;
        let body = json::parse(planned.body().as_bytes()).unwrap_or_default();
        let price = match &shared.market {
            None => shared.transport.price(planned.operation(), body.root())?,
            Some(market) => {
                let price = market.quote_body(planned.operation(), planned.body(), slippage_unit).await;
                Some(price.map_err(|why| {
                    shared.note("", Note::Failed(Code::HookFailed, &why));
                    Error::new(Code::HookFailed, "not sent: the market gave no price")
                })?)
            }
        };
        shared.recovered().await.map_err(|why| shared.journal_failed("", &why))?;
        let (now_ms, destination) = (shared.transport.now_ms(), shared.transport.destination());
        let planned = match price {
            Some(price) => planned.priced(price),
            None => planned,
        };
        shared.obey_outside_mode();
        let mut guards = lock(&shared.guards);
        planned.tell(&mut guards);
        Ok(planned.plan(&guards, &destination, now_ms, valid_for.as_millis() as u64))
    }

    /// What is to be sent, and how.
    fn planned(self) -> Result<(Planned, CallOptions<'c, T>), TradeError> {
        let TradeBuilder { request, intent_id, before, call, .. } = self;
        let request = request?;
        if let Some((code, what)) = intent_id.as_deref().and_then(intent_id_problem) {
            return Err(bad_option("intent_id", code, what));
        }
        if let Some(problem) = before.as_deref().and_then(|before| stranger_in(before, &request)) {
            let message = format!("not sent: {}", problem.message);
            return Err(Error { fields: vec![problem], ..Error::new(Code::InvalidOptions, message) }.into());
        }
        let intent_id = intent_id.unwrap_or_else(|| call.shared.transport.new_id());
        let trade = TradeIntent { before, ..intent_id.as_str().into() };
        Ok((Planned::new(request, trade, &call.sending.terms.dialect.rules), call))
    }
}

impl<'c, T: Transport> IntoFuture for TradeBuilder<'c, T> {
    type Output = Result<Traded, TradeError>;
    type IntoFuture = BoxFuture<'c, Self::Output>;

    fn into_future(self) -> Self::IntoFuture {
        let shared = self.call.shared;
        Box::pin(async move {
            let (planned, call) = self.planned().map_err(|error| shared.own(error))?;
            call.send(planned).await
        })
    }
}

/// A plan that is sent, or a gateway's decision that is waited for, when it is awaited. Dropping its future gives a plan's trade up, as with a
/// [`TradeBuilder`]; of a decision it ends only the wait.
#[must_use = "nothing happens until it is awaited"]
pub struct Awaited<'c, T> {
    what: What,
    call: CallOptions<'c, T>,
}

enum What {
    Plan(Box<Result<Planned, TradeError>>),
    Decision(String),
}

impl<'c, T: Transport> Awaited<'c, T> {
    /// The plan, compared with this quote once it has landed.
    pub(super) fn plan(
        shared: &'c Shared<T>,
        sending: &'c Sending,
        planned: Result<Planned, TradeError>,
        quoted: Option<PlanPrice>,
    ) -> Self {
        Awaited {
            what: What::Plan(Box::new(planned)),
            call: CallOptions { quoted, ..CallOptions::new(shared, sending) },
        }
    }

    /// What a gateway decides about an intent.
    pub(super) fn gateway(shared: &'c Shared<T>, sending: &'c Sending, intent_id: &str) -> Self {
        Awaited { what: What::Decision(intent_id.to_owned()), call: CallOptions::new(shared, sending) }
    }

    /// The deadline for queueing, sending and reading the reply of a plan; default: the client's. Of a decision, how long to wait: by default
    /// 20 minutes, somewhat longer than a gateway waits for an approval by default.
    pub fn timeout(self, timeout: Duration) -> Self {
        Awaited { call: CallOptions { timeout: Some(timeout), ..self.call }, ..self }
    }

    /// Aborts the trade, or ends the wait, when this future is ready.
    pub fn abort_when(self, signal: impl Future<Output = ()> + MaybeSend + 'c) -> Self {
        Awaited { call: CallOptions { abort: Some(Box::pin(signal)), ..self.call }, ..self }
    }
}

impl<'c, T: Transport> IntoFuture for Awaited<'c, T> {
    type Output = Result<Traded, TradeError>;
    type IntoFuture = BoxFuture<'c, Self::Output>;

    fn into_future(self) -> Self::IntoFuture {
        let Awaited { what, call } = self;
        let shared = call.shared;
        Box::pin(async move {
            match what {
                What::Plan(planned) => call.send((*planned).map_err(|error| shared.own(error))?).await,
                What::Decision(intent_id) => match intent_id_problem(&intent_id) {
                    Some((code, what)) => Err(shared.own(bad_option("intent_id", code, what))),
                    None => call.wait_for(intent_id).await,
                },
            }
        })
    }
}

/// How one trade is sent: by whom, by when, and what stops it.
struct CallOptions<'c, T> {
    shared: &'c Shared<T>,
    sending: &'c Sending,
    timeout: Option<Duration>,
    abort: Option<BoxFuture<'c, ()>>,
    quoted: Option<PlanPrice>,
}

impl<'c, T: Transport> CallOptions<'c, T> {
    fn new(shared: &'c Shared<T>, sending: &'c Sending) -> Self {
        CallOptions { shared, sending, timeout: None, abort: None, quoted: None }
    }

    async fn send(self, planned: Planned) -> Result<Traded, TradeError> {
        let timeout_ms = self.timeout_ms(self.sending.timeout_ms)?;
        let flow = Flow::new(self.sending.terms.clone(), planned, timeout_ms);
        self.drive(flow, timeout_ms).await
    }

    async fn wait_for(self, intent_id: String) -> Result<Traded, TradeError> {
        let terms = &self.sending.terms;
        if !terms.is_gateway() {
            let what = "is needed: only a gateway remembers intents";
            return Err(self.shared.own(bad_option("gateway", FieldCode::Required, what)));
        }
        let timeout_ms = self.timeout_ms(WAIT_FOR_MS)?;
        let wait = WaitFor::new(terms.clone(), intent_id, timeout_ms);
        self.drive(wait, timeout_ms).await
    }

    fn timeout_ms(&self, otherwise: u32) -> Result<u32, TradeError> {
        let timeout_ms = self.timeout.map_or(Ok(otherwise), options::timeout_ms);
        timeout_ms.map_err(|error| self.shared.own(error))
    }

    async fn drive(self, flow: impl Machine + Send + 'static, timeout_ms: u32) -> Result<Traded, TradeError> {
        let CallOptions { shared, abort, .. } = self;
        let deadline = Box::pin(shared.transport.sleep(timeout_ms));
        let drive = Drive::new(shared, flow, timeout_ms, deadline, abort);
        let drive = drive.quoted(self.quoted);
        drive.run().await
    }
}
