//! Where a client's prices come from, and what proves how its trades ended.

use super::transport::{BoxError, BoxFuture, MaybeSend, MaybeSync};
use launchpad_desk::amount::SlippageUnit;
use launchpad_desk::api::endpoint::Operation;
use launchpad_desk::evidence::{Moved, Seen};
use launchpad_desk::intent::IntentOutcome;
use launchpad_desk::market::{MarketRefusal, drift::Drift};
use launchpad_desk::trade::guard::OtherTrade;
use launchpad_desk::trade::journal::{EndedTrade, TradeIntent};
use launchpad_desk::trade::plan::PlanPrice;
use launchpad_desk::trade::reconcile::{Certainty, Reconciled, WalletBalances};
use launchpad_desk::trade::settle::{Settled, UnknownReason};

/// Whether the other trades that a market was given are still all of them.
#[cfg(not(target_arch = "wasm32"))]
pub type AreAll<'a> = dyn Fn() -> bool + Send + Sync + 'a;
/// Whether the other trades that a market was given are still all of them.
#[cfg(target_arch = "wasm32")]
pub type AreAll<'a> = dyn Fn() -> bool + 'a;

/// What a client asks of its market. With the feature `chain`, `RpcMarket` asks a node of the network.
///
/// Its errors are not part of any trade's error, because they may contain anything.
pub trait Market: MaybeSend + MaybeSync {
    /// The price of a plan with this body, whose slippage is in this unit: what the request would do now.
    fn quote_body<'a>(
        &'a self,
        operation: Operation,
        body: &'a str,
        slippage_unit: SlippageUnit,
    ) -> BoxFuture<'a, Result<PlanPrice, BoxError>>;

    /// How many decimals a token has. Before a sell in base units a client asks this instead of a price: they never change, so no trade is
    /// waited for. By default a market does not say it, and is asked for the price.
    fn decimals_of<'a>(&'a self, mint: &'a str) -> BoxFuture<'a, Result<Option<u8>, BoxError>> {
        let _ = mint;
        Box::pin(std::future::ready(Ok(None)))
    }

    /// What the wallets of a trade hold, at a finalized slot. A client records it before it sends.
    fn before<'a>(&'a self, intent: &'a TradeIntent) -> BoxFuture<'a, Result<Vec<WalletBalances>, BoxError>>;

    /// How a trade of unknown outcome ended, beside the [other trades](launchpad_desk::trade::guard::Guards::others) of the client; `None` if not
    /// all of those are known. Trades that are sent while the node is asked may have made what is found: once it has answered, `are_all` says
    /// whether those are still all, and if not, the answer is that of [`beside_more`](Settled::beside_more). Of a trade that went [through a gateway](TradeIntent::through_gateway) only that it landed can be proven.
    fn settle_trade<'a>(
        &'a self,
        trade: &'a TradeIntent,
        others: Option<Vec<OtherTrade>>,
        are_all: &'a AreAll<'a>,
    ) -> BoxFuture<'a, Result<Settled, BoxError>>;

    /// Called after each trade that was sent and may have a transaction, with the signature that its service named: what was read before it
    /// decides nothing after it. By default that is not noted.
    fn traded(&self, trade: &TradeIntent, signature: Option<&str>) {
        let _ = (trade, signature);
    }

    /// Whether it knows transactions: one that has only accounts, or a sandbox, is asked about none. Default: true.
    fn has_history(&self) -> bool {
        true
    }

    /// How a trade ended that its service has answered, and whose transaction it may have named: still unknown until the chain shows it. By
    /// default it is asked about like one of unknown outcome.
    fn look_up<'a>(
        &'a self,
        trade: &'a EndedTrade,
        others: Option<Vec<OtherTrade>>,
        are_all: &'a AreAll<'a>,
    ) -> BoxFuture<'a, Result<Settled, BoxError>> {
        self.settle_trade(&trade.intent, others, are_all)
    }

    /// Whether the transaction of this signature is final.
    fn confirm<'a>(&'a self, signature: &'a str) -> BoxFuture<'a, Result<Seen, BoxError>>;

    /// What the transaction that the service has named for a trade has moved in the trade's wallets; the answer is `None` if it is not shown,
    /// or not yet. [`position_of`](super::Client::position_of) and exits ask this. By default there is nothing to ask: the market shows no
    /// transactions.
    fn moved<'a>(&'a self, trade: &'a EndedTrade) -> Option<Asked<'a>> {
        let _ = trade;
        None
    }

    /// A landed trade against its quote: the plan's body and price, and the signature of its transaction. By default a market knows no
    /// transactions.
    fn drift<'a>(
        &'a self,
        operation: Operation,
        body: &'a str,
        price: &'a PlanPrice,
        signature: &'a str,
    ) -> BoxFuture<'a, Result<Drift, BoxError>> {
        let _ = (operation, body, price, signature);
        Box::pin(std::future::ready(Err(MarketRefusal::NoHistory.into())))
    }
}

/// What a market is asked about a transaction.
pub type Asked<'a> = BoxFuture<'a, Result<Option<Moved>, BoxError>>;

/// How an unresolved trade ended, as the market has it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct SettledTrade {
    /// The trade's id.
    pub intent_id: String,
    /// How it ended.
    pub settled: Settled,
    /// What the service had said of it, if the chain shows the opposite.
    pub contradicts: Option<IntentOutcome>,
}

impl SettledTrade {
    /// Whether it is unknown for a reason that waiting may settle.
    pub(super) fn may_pass(&self) -> bool {
        let Settled { outcome, reason, .. } = &self.settled;
        *outcome == IntentOutcome::Unknown && reason.is_some_and(UnknownReason::may_pass)
    }
}

/// Of a trade that was only accepted, and of which the market has said nothing.
pub(super) fn unanswered(operation: Operation) -> Settled {
    Settled {
        outcome: IntentOutcome::Unknown,
        reason: Some(UnknownReason::Unanswered),
        problem: None,
        signature: None,
        slot: None,
        time: None,
        fee_lamports: None,
        reconciled: Reconciled {
            operation,
            certainty: Certainty::Unknown,
            landed: None,
            found: None,
            findings: Vec::new(),
        },
    }
}
