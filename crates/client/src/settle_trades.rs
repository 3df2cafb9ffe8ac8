//! How trades end, by what a market proves: of those in doubt, and of those that a service has answered. It carries out the steps of
//! [`Settling`].

use std::convert::Infallible;
use std::sync::Mutex;
use std::time::Duration;

use super::Client;
use super::client_error::{ClientError, Why};
use super::error::TradeError;
use super::hooks::Note;
use super::market::{Market, SettledTrade, unanswered};
use super::system::lock;
use super::transport::{BoxError, Transport};
use launchpad_desk::bindings::settling::{
    AskAgain, ChainSays, Open, SettleEvent, SettleStep, SettleTimer, Settling, SettlingStep,
};
use launchpad_desk::error::Code;
use launchpad_desk::intent::IntentOutcome;
use launchpad_desk::trade::guard::{Ended, Found, Guards, Suspension, has_more};
use launchpad_desk::trade::journal::{EndedTrade, TradeIntent};
use launchpad_desk::trade::settle::{SETTLE_EVERY_MS, Settled};

impl<T: Transport> Client<T> {
    /// Records what happened to a trade whose outcome was unknown: after [`Found::Landed`] its id is used up, after
    /// [`Found::DidNotLand`] its lamports are free and it may be sent again. The journal records it first. Returns whether the
    /// trade was unresolved and not being acknowledged elsewhere.
    ///
    /// # Errors
    ///
    /// `journal_failed`; then it is still unresolved.
    pub async fn acknowledge(&self, intent_id: &str, found: Found) -> Result<bool, TradeError> {
        let intent = self.unresolved().await?.into_iter().find(|intent| intent.id() == intent_id);
        let Some(intent) = intent else { return Ok(false) };
        let settling = Settling::found(&mut lock(&self.shared.guards), intent_id, found);
        let Some(settling) = settling else { return Ok(false) };
        let mut claim = Claim::of(&self.shared.guards, settling);
        Ok(self.journaled(&mut claim, &intent.trade).await? == SettlingStep::Settled)
    }

    /// Finds out how the unresolved trades ended, by the [market](crate::ClientBuilder::market): their wallets' finalized balances and slot
    /// before, and every transaction since. What is proven is recorded as [`acknowledge`](Client::acknowledge) does; what moved is in
    /// `settled.reconciled`, for receipts and positions. Without proof a trade stays unresolved: it is `unknown`, with the reason. Of a trade
    /// that went to a [gateway](crate::ClientBuilder::gateway) only that it landed is proven; the gateway itself proves the rest.
    ///
    /// What the service has said of the other trades is looked up, too, by their signatures. One whose end the chain shows otherwise is
    /// corrected and returned, with what the service had said in `contradicts`. Once a trade's [end](Client::ended_trade) is `proven`, the
    /// chain agrees.
    ///
    /// ```
    /// use launchpad_desk_client::{Client, ClientError, Transport};
    ///
    /// async fn settled<T: Transport>(client: &Client<T>) -> Result<(), ClientError> {
    ///     for trade in client.settle().await? {
    ///         println!("{}: {}", trade.intent_id, trade.settled.outcome.as_str());
    ///     }
    ///     Ok(())
    /// }
    /// ```
    ///
    /// # Errors
    ///
    /// [`ClientError`]. What was recorded before it stays recorded.
    pub async fn settle(&self) -> Result<Vec<SettledTrade>, ClientError> {
        let market = self.shared.market.as_ref().ok_or(Why::NoMarket)?;
        let mut all = Vec::new();
        for intent in self.unresolved().await? {
            all.extend(self.settle_in_doubt(market.as_ref(), intent.trade).await?);
        }
        let answered = self.guards().answered(self.shared.transport.now_ms(), true);
        all.extend(self.looked_up(market.as_ref(), answered).await?);
        Ok(all)
    }

    /// Asks the market how a trade in doubt ended, and records what is proven.
    pub(super) async fn settle_in_doubt(
        &self,
        market: &dyn Market,
        trade: TradeIntent,
    ) -> Result<Option<SettledTrade>, ClientError> {
        self.settle_one(market, Unsettled::InDoubt(trade)).await
    }

    /// Asks the market how a trade ended, and records what is proven. `None` if there is nothing to tell.
    async fn settle_one(
        &self,
        market: &dyn Market,
        asked: Unsettled,
    ) -> Result<Option<SettledTrade>, ClientError> {
        let shared = &self.shared;
        let mut claim = Claim::of(&shared.guards, asked.settling());
        let (trade, said) = asked.trade();
        let intent_id = &trade.intent_id;
        let (mut found, mut why) = (None, None);
        let mut step = claim.settling.begin();
        loop {
            step = match step {
                SettlingStep::Ask | SettlingStep::AskBesideOthers => {
                    let answer = self.asked(market, &asked, step == SettlingStep::AskBesideOthers).await;
                    let says = answer.as_ref().ok().map(|found: &Settled| ChainSays {
                        outcome: found.outcome,
                        reason: found.reason,
                        signature: found.signature.as_deref(),
                    });
                    let now_ms = shared.transport.now_ms();
                    let step = claim.settling.asked(&mut lock(&shared.guards), now_ms, says);
                    answer.map_or_else(|thrown| why = Some(thrown), |answer| found = Some(answer));
                    step
                }
                SettlingStep::Journal => self.journaled(&mut claim, trade).await?,
                SettlingStep::NotShown => {
                    said.into_iter().for_each(|said| shared.note(intent_id, Note::NotShown(said)));
                    claim.settling.noted()
                }
                SettlingStep::Unanswered => {
                    found = Some(unanswered(trade.operation));
                    SettlingStep::Unchanged
                }
                SettlingStep::Agreed => return Ok(None),
                SettlingStep::Failed
                | SettlingStep::Unchanged
                | SettlingStep::Settled
                | SettlingStep::Contradicted => {
                    break;
                }
            };
        }
        let Some(settled) = found else { return why.map_or(Ok(None), |why| Err(Why::Silent(why).into())) };
        let contradicts = said.filter(|_| step == SettlingStep::Contradicted);
        match (step, contradicts) {
            (SettlingStep::Settled, _) => shared.note(intent_id, Note::Settled(&settled)),
            (_, Some(said)) => shared.note(intent_id, Note::Contradicted { said, settled: &settled }),
            _ => {}
        }
        Ok(Some(SettledTrade { intent_id: intent_id.clone(), settled, contradicts }))
    }

    /// What the market says of a trade, alone or beside the others of the client.
    async fn asked(&self, market: &dyn Market, asked: &Unsettled, beside: bool) -> Result<Settled, BoxError> {
        let (TradeIntent { intent_id: id, .. }, _) = asked.trade();
        let (others, known) = match beside {
            true => {
                let guards = self.guards();
                (guards.others(id), Some(guards.other_ids(id)))
            }
            false => (None, None),
        };
        let has_more =
            |known: &Option<Vec<String>>| has_more(known.as_deref(), self.guards().other_ids(id).as_deref());
        let are_all = || !known.as_ref().is_some_and(has_more);
        let settled = match asked {
            Unsettled::InDoubt(trade) => market.settle_trade(trade, others, &are_all).await?,
            Unsettled::Answered(trade) => market.look_up(trade, others, &are_all).await?,
        };
        #[cfg(feature = "record")]
        if let Some(record) = &self.shared.record {
            record.market_evidence(id, asked.trade().1, &settled).await?;
        }
        Ok(settled)
    }

    /// Lets the journal record what is proven of a trade.
    async fn journaled(
        &self,
        claim: &mut Claim<'_>,
        trade: &TradeIntent,
    ) -> Result<SettlingStep, TradeError> {
        let shared = &self.shared;
        if let (Some(journal), Some(proven)) = (&shared.journal, claim.settling.settlement().cloned()) {
            let kept = journal.settle(trade, proven, Suspension::default()).await;
            kept.map_err(|why| shared.journal_failed(&trade.intent_id, &why))?;
        }
        Ok(claim.settling.journaled(&mut lock(&shared.guards), shared.transport.now_ms()))
    }

    /// Asks the market about trades that the service has answered, and corrects what it contradicts. Returns what the answers did not say.
    async fn looked_up(
        &self,
        market: &dyn Market,
        answered: Vec<Ended>,
    ) -> Result<Vec<SettledTrade>, ClientError> {
        let shared = &self.shared;
        let mut all = Vec::new();
        if !market.has_history() {
            lock(&shared.guards).forget_answered();
            return Ok(all);
        }
        if lock(&shared.guards).has_dropped_answered() {
            shared.note("", Note::AnsweredDropped);
        }
        for mut ended in answered {
            // A journal of one's own may not keep it.
            ended.intent.trade.through_gateway |= self.sending.terms.is_gateway();
            all.extend(self.settle_one(market, Unsettled::Answered(ended.into())).await?);
        }
        Ok(all)
    }

    /// The same, again and again within this time, as long as waiting can still settle a trade: every two seconds. Returns what was
    /// proven, and then what is still unknown.
    ///
    /// # Errors
    ///
    /// [`ClientError`].
    pub async fn settle_within(&self, within: Duration) -> Result<Vec<SettledTrade>, ClientError> {
        let transport = &self.shared.transport;
        let within_ms = u64::try_from(within.as_millis()).unwrap_or(u64::MAX);
        let mut again = AskAgain::new(transport.now_ms(), within_ms, SETTLE_EVERY_MS);
        let mut ended = Vec::new();
        loop {
            let settled = self.settle().await?.into_iter();
            let (open, done): (Vec<_>, Vec<_>) = settled
                .partition(|SettledTrade { settled, .. }| again.is_open(settled.outcome, settled.reason));
            ended.extend(done);
            let is_answered = self.guards().answered_next_ms(transport.now_ms()).is_some();
            let Some(ms) = again.next(transport.now_ms(), is_answered) else {
                ended.extend(open);
                return Ok(ended);
            };
            transport.sleep(ms).await;
        }
    }

    /// Settles the unknown trades by itself, this long after they were left without an outcome or were found in the journal, for as long as
    /// the returned future is polled: let your runtime run it beside the program, and drop it to end that. Somewhat more than the life of a
    /// blockhash is enough, such as 90 seconds. It asks again, ever more seldom, while waiting may settle a trade. What is proven is a
    /// [note](Note::Settled). It also looks up what the service has said of trades, once that is final: what the chain contradicts is a
    /// [note](Note::Contradicted).
    ///
    /// ```no_run
    /// use std::time::Duration;
    /// use launchpad_desk_client::{Client, ReqwestTransport};
    ///
    /// # async fn run(client: Client<ReqwestTransport>) {
    /// let settling = client.clone();
    /// tokio::spawn(async move { settling.settle_after(Duration::from_secs(90)).await });
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// [`ClientError::has_no_market`], at once. Any other failure is a [note](Note::Failed), and it goes on.
    pub async fn settle_after(&self, after: Duration) -> Result<Infallible, ClientError> {
        let market = self.shared.market.as_ref().ok_or(Why::NoMarket)?;
        let transport = &self.shared.transport;
        let failed = |why: BoxError| self.shared.note("", Note::Failed(Code::HookFailed, &why));
        let after_ms = u64::try_from(after.as_millis()).unwrap_or(u64::MAX);
        let mut timer = SettleTimer::new(after_ms);
        let mut known: Vec<TradeIntent> = Vec::new();
        loop {
            match self.unresolved().await {
                Err(error) => failed(Box::new(error)),
                Ok(pending) => {
                    // A trade may have been sent again under its id.
                    let is_new = pending.iter().any(|intent| !known.contains(&intent.trade));
                    known = pending.into_iter().map(|intent| intent.trade).collect();
                    if is_new {
                        timer.next(transport.now_ms(), SettleEvent::Left);
                    }
                    if !known.is_empty()
                        && timer.next(transport.now_ms(), SettleEvent::Passed) == SettleStep::Ask
                    {
                        let may_pass = match self.settle().await {
                            Ok(settled) => settled.iter().any(SettledTrade::may_pass),
                            Err(error) => {
                                failed(Box::new(error));
                                true
                            }
                        };
                        let open = if may_pass { Open::Something } else { Open::Nothing };
                        timer.next(transport.now_ms(), SettleEvent::Asked(open));
                    }
                }
            }
            let answered = self.guards().answered(transport.now_ms(), false);
            if let Err(error) = self.looked_up(market.as_ref(), answered).await {
                failed(Box::new(error));
            }
            transport.sleep(SETTLE_EVERY_MS).await;
        }
    }
}

/// A trade that the market is asked about.
enum Unsettled {
    /// Its outcome is unknown.
    InDoubt(TradeIntent),
    /// Its service has answered.
    Answered(EndedTrade),
}

impl Unsettled {
    fn settling(&self) -> Settling {
        match self {
            Unsettled::InDoubt(trade) => Settling::in_doubt(&trade.intent_id, trade.started_at_ms),
            Unsettled::Answered(EndedTrade { intent, outcome, .. }) => {
                Settling::answered(&intent.intent_id, intent.started_at_ms, *outcome)
            }
        }
    }

    /// The trade, and what its service has said of it.
    fn trade(&self) -> (&TradeIntent, Option<IntentOutcome>) {
        match self {
            Unsettled::InDoubt(trade) => (trade, None),
            Unsettled::Answered(ended) => (&ended.intent, Some(ended.outcome)),
        }
    }
}

/// Nobody else acknowledges the trade, or asks a gateway for it, while the journal writes. Dropped before its end, it is as before.
struct Claim<'c> {
    guards: &'c Mutex<Guards>,
    settling: Settling,
}

impl<'c> Claim<'c> {
    fn of(guards: &'c Mutex<Guards>, settling: Settling) -> Claim<'c> {
        Claim { guards, settling }
    }
}

impl Drop for Claim<'_> {
    fn drop(&mut self) {
        self.settling.release(&mut lock(self.guards));
    }
}
