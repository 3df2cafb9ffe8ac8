//! The landed trades that wait to be compared with their quotes.

use launchpad_desk::api::endpoint::Operation;
use launchpad_desk::api::response::{Status, Trade};
use launchpad_desk::bindings::settling::{CompareStep, Comparison, MOST_COMPARED};
use launchpad_desk::tape::Item;
use launchpad_desk::trade::journal::TradeIntent;
use launchpad_desk::trade::plan::PlanPrice;

/// A landed trade that waits to be compared with its quote.
pub(super) struct Landed {
    pub(super) intent_id: String,
    pub(super) operation: Operation,
    pub(super) body: String,
    pub(super) price: PlanPrice,
    pub(super) signature: String,
    comparison: Comparison,
    due_ms: u64,
}

/// All that wait: none unless somebody asks for that.
#[derive(Default)]
pub(super) struct Comparisons {
    askers: u32,
    trades: Vec<Landed>,
}

impl Comparisons {
    /// Somebody compares from now on.
    pub(super) fn begin(&mut self) {
        self.askers += 1;
    }

    /// And does so no longer.
    pub(super) fn end(&mut self) {
        self.askers -= 1;
        if self.askers == 0 {
            self.trades.clear();
        }
    }

    /// The quote of a trade, if it will be compared with that: only a market's names the curve that it was made from.
    pub(super) fn wanted(&self, price: Option<&PlanPrice>) -> Option<PlanPrice> {
        let is_of_market = |price: &&PlanPrice| price.data().get("curve").is_some_and(Item::is_object);
        price.filter(is_of_market).filter(|_| self.askers > 0).cloned()
    }

    /// Takes note of a trade that was quoted, if it has landed.
    pub(super) fn landed(&mut self, intent: &TradeIntent, price: PlanPrice, trade: &Trade, now_ms: u64) {
        let is_wanted = self.askers > 0 && self.trades.len() < MOST_COMPARED;
        let signature = trade.signature().filter(|_| is_wanted && trade.status == Status::Landed);
        let Some(signature) = signature else { return };
        let landed = Landed {
            intent_id: intent.intent_id.clone(),
            operation: intent.operation,
            body: intent.body.clone(),
            price,
            signature: signature.to_owned(),
            comparison: Comparison::default(),
            due_ms: now_ms,
        };
        self.ask_again(landed, None, now_ms);
    }

    /// One that is due. Nobody else takes it up.
    pub(super) fn take(&mut self, now_ms: u64) -> Option<Landed> {
        let due = self.trades.iter().position(|trade| trade.due_ms <= now_ms)?;
        Some(self.trades.swap_remove(due))
    }

    /// Takes one that has landed, or that the market was asked about in vain, with an error of this code. Returns its id if it is not
    /// compared, and that is to be said.
    pub(super) fn ask_again(&mut self, mut trade: Landed, code: Option<&str>, now_ms: u64) -> Option<String> {
        match trade.comparison.next(code) {
            CompareStep::AskAfter(ms) => {
                trade.due_ms = now_ms.saturating_add(ms.into());
                self.trades.push(trade);
                None
            }
            CompareStep::Report => Some(trade.intent_id),
            CompareStep::Drop => None,
        }
    }
}
