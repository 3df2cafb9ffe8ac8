//! An order from its decision to its end, and the position that it opens, changes or closes.

use std::sync::Arc;

use launchpad_desk::amount::Digits;
use launchpad_desk::intent::IntentOutcome;
use launchpad_desk::launchpad::Refusal;
use launchpad_desk::launchpad::cost::Priority;
use launchpad_desk::launchpad::quote::Side;
use launchpad_desk::launchpad::slippage::least;
use launchpad_desk::launchpad::transaction::{
    Action, Effect, Executed, Instruction, Transaction, Wallet, execute,
};
use launchpad_desk::strategy::exits::settled;
use launchpad_desk::strategy::plan::{ExitPlan, ExitPosition};
use launchpad_desk::strategy::state::ExitState;
use launchpad_desk::strategy::units::Millis;

use super::run::{BacktestOrder, BacktestOutcome, BacktestPosition, BacktestReason};
use super::{Backtest, Desk, Flying, NEVER, Open, REFUSED_MS};

impl Backtest {
    /// An order that is decided now, at any price.
    pub(super) fn order(&self, side: Side, reason: BacktestReason, amount: u64) -> Flying {
        Flying {
            decided_at_ms: self.now_ms,
            arrives_at_ms: 0,
            side,
            reason,
            amount,
            expected: 0,
            limit: 0,
            priority: self.terms.priority,
            intent_id: None,
            exits: None,
        }
    }

    pub(super) fn buy(
        &mut self,
        mint: usize,
        lamports: u64,
        slippage_ppm: Option<u32>,
        exits: Option<Arc<ExitPlan>>,
        reason: BacktestReason,
    ) {
        let Some(desk) = self.desks.get(mint) else { return };
        // A new token's first trade is its launch: before it nobody can buy.
        let is_there = desk.is_seen
            || desk.token.curve.real_sol_reserves > 0
            || self.terms.starts.contains_key(self.tape.mint(mint as u32));
        let quoted = self.rules().buy_exact_in(&desk.token, lamports, 1);
        // The exits of a position are for what was bought at its start.
        let is_managed = desk.open.as_ref().is_some_and(|open| open.exits.is_some() || exits.is_some());
        let expected = quoted.map(|fill| fill.tokens);
        let flying = Flying {
            expected: expected.unwrap_or(0),
            limit: least(expected.unwrap_or(0), slippage_ppm.unwrap_or(self.terms.slippage_ppm)).max(1),
            exits,
            ..self.order(Side::Buy, reason, lamports)
        };
        match expected {
            Err(refusal) => self.not_sent(mint, flying, Some(refusal)),
            Ok(_) if !is_there || is_managed || desk.flying.is_some() => self.not_sent(mint, flying, None),
            Ok(_) => self.send(mint, flying),
        }
    }

    pub(super) fn sell(&mut self, mint: usize, tokens: u64, slippage_ppm: Option<u32>) {
        let Some(desk) = self.desks.get(mint) else { return };
        let held = desk.account.map_or(0, |account| account.tokens);
        let quoted = self.rules().sell_exact_in(&desk.token, tokens, held, 0);
        let expected = quoted.map(|fill| fill.wallet_lamports);
        let flying = Flying {
            expected: expected.unwrap_or(0),
            limit: least(expected.unwrap_or(0), slippage_ppm.unwrap_or(self.terms.slippage_ppm)),
            ..self.order(Side::Sell, BacktestReason::Strategy, tokens)
        };
        match expected {
            Err(refusal) => self.not_sent(mint, flying, Some(refusal)),
            Ok(_) if desk.flying.is_some() => self.not_sent(mint, flying, None),
            Ok(_) => self.send(mint, flying),
        }
    }

    pub(super) fn send(&mut self, mint: usize, flying: Flying) {
        let drawn = self.random.below(self.terms.latency_ms.len() as u64) as usize;
        let latency = self.terms.latency_ms.get(drawn).copied().unwrap_or(0);
        let arrives_at_ms = self.now_ms.saturating_add(latency);
        if let Some(desk) = self.desks.get_mut(mint) {
            desk.flying = Some(Flying { arrives_at_ms, ..flying });
            self.due_ms = self.due_ms.min(arrives_at_ms);
        }
    }

    pub(super) fn not_sent(&mut self, mint: usize, flying: Flying, refusal: Option<Refusal>) {
        let mut order = self.ended_order(mint, flying, BacktestOutcome::NotSent, refusal);
        order.arrived_at_ms = None;
        self.orders.push(order);
    }

    fn ended_order(
        &self,
        mint: usize,
        flying: Flying,
        outcome: BacktestOutcome,
        refusal: Option<Refusal>,
    ) -> BacktestOrder {
        BacktestOrder {
            at_ms: Millis(flying.decided_at_ms),
            arrived_at_ms: Some(Millis(flying.arrives_at_ms.min(Millis::MOST))),
            mint: self.tape.mint(mint as u32).to_owned(),
            side: flying.side,
            reason: flying.reason,
            amount: flying.amount,
            expected: flying.expected,
            outcome,
            refusal,
            tokens: 0,
            lamports: 0,
            network_fee_lamports: 0,
        }
    }

    /// An order arrives.
    pub(super) fn land(&mut self, mint: usize) {
        let Some(desk) = self.desks.get_mut(mint) else { return };
        let Some(flying) = desk.flying.take() else { return };
        let held = desk.account.map_or(0, |account| account.tokens);
        let step = |action| Instruction { wallet: 0, action };
        let steps = match flying.side {
            Side::Buy => {
                let buy = Action::BuyExactIn { lamports: flying.amount, min_tokens: flying.limit };
                [step(Action::OpenTokenAccount), step(buy)]
            }
            Side::Sell => {
                let sell = Action::SellExactIn { tokens: flying.amount, min_lamports: flying.limit };
                [step(sell), step(Action::CloseTokenAccount)]
            }
        };
        let some = if flying.side == Side::Sell && flying.amount < held { 1 } else { 2 };
        let (executed, plan) = (self.execute(mint, &steps[..some], flying.priority), flying.exits.clone());
        let (side, reason, intent_id) = (flying.side, flying.reason, flying.intent_id.clone());
        let (outcome, refusal) = match &executed.outcome {
            Ok(_) => (BacktestOutcome::Landed, None),
            Err(failure) => (BacktestOutcome::Failed, Some(failure.refusal)),
        };
        let mut order = self.ended_order(mint, flying, outcome, refusal);
        order.network_fee_lamports = executed.network_fee_lamports;
        let fill = executed.outcome.iter().flatten().find_map(|effect| match effect {
            Effect::Bought(fill) | Effect::Sold(fill) => Some(fill),
            _ => None,
        });
        let (tokens, lamports) = fill.map_or((0, 0), |fill| (fill.tokens, fill.wallet_lamports));
        (order.tokens, order.lamports) = (tokens, lamports);
        self.orders.push(order);
        if side == Side::Buy && tokens > 0 {
            self.bought(mint, tokens, lamports, executed.network_fee_lamports, plan);
        }
        if side == Side::Buy && tokens == 0 && self.desks.get(mint).is_some_and(|desk| desk.open.is_none()) {
            self.enter_again(mint, REFUSED_MS);
        }
        if side == Side::Sell {
            self.tell_exits(mint, intent_id.as_deref(), outcome, tokens);
            self.after_sell(mint, outcome, reason);
        }
        let is_held_up = self.desks.get(mint).is_some_and(|desk| desk.look_ms <= self.now_ms);
        self.find_look(mint);
        if self.terms.look_every_ms > 0 {
            self.look_by(mint, self.now_ms.saturating_add(1));
        } else if is_held_up {
            self.look_by(mint, self.now_ms);
        }
        self.mark(mint);
    }

    /// Executes a transaction, and books what it moved.
    fn execute(&mut self, mint: usize, steps: &[Instruction], priority: Priority) -> Executed {
        let launchpad = self.terms.launchpad.at(self.now_ms);
        let refused = Executed {
            network_fee_lamports: 0,
            outcome: Ok(Vec::new()),
            wallets: Vec::new(),
            token: self.terms.start,
        };
        let Some(desk) = self.desks.get_mut(mint) else { return refused };
        let wallet = Wallet { lamports: self.lamports, token_account: desk.account, ..Wallet::default() };
        let transaction = Transaction { fee_payer: 0, signatures: 1, priority, steps };
        let executed = execute(launchpad, &desk.token, &[wallet], &transaction);
        let after = executed.wallets.first().copied().unwrap_or(wallet);
        (desk.token, desk.account, self.lamports) = (executed.token, after.token_account, after.lamports);
        if let Some(open) = &mut desk.open {
            open.paid += wallet.lamports.saturating_sub(after.lamports);
            open.received += after.lamports.saturating_sub(wallet.lamports);
        }
        let costs = &mut self.costs;
        let bid = launchpad.network.priority_fee_lamports(1, priority).unwrap_or(0);
        let bid = bid.min(executed.network_fee_lamports);
        costs.priority_fees_lamports += bid;
        costs.network_fees_lamports += executed.network_fee_lamports - bid;
        for effect in executed.outcome.iter().flatten() {
            match effect {
                Effect::Opened { rent_lamports } => costs.rent_paid_lamports += rent_lamports,
                Effect::Closed { refund_lamports } => costs.rent_returned_lamports += refund_lamports,
                Effect::Bought(fill) | Effect::Sold(fill) => {
                    costs.protocol_fees_lamports += fill.fees.protocol_lamports;
                    costs.creator_fees_lamports += fill.fees.creator_lamports;
                }
                Effect::AlreadyOpen => {}
            }
        }
        executed
    }

    fn bought(
        &mut self,
        mint: usize,
        tokens: u64,
        spent: u64,
        network_fee_lamports: u64,
        plan: Option<Arc<ExitPlan>>,
    ) {
        let cost_lamports = spent.saturating_add(network_fee_lamports);
        let Some(desk) = self.desks.get_mut(mint) else { return };
        let rent = desk.account.map_or(0, |account| account.lamports);
        if let Some(open) = &mut desk.open {
            open.tokens += tokens;
            open.spent += spent;
            return;
        }
        self.named += 1;
        let exits = plan.map(|plan| {
            let position = ExitPosition {
                id: ["p", &self.named.digits()].concat(),
                mint: self.tape.mint(mint as u32).to_owned(),
                wallet: "backtest".into(),
                tokens,
                cost_lamports,
                rent_locked_lamports: rent,
                opened_at_ms: Some(Millis(self.now_ms)),
                fee_payer: None,
            };
            let priority = self.terms.priority;
            // What its orders pay for is in its multiple, too.
            let plan = ExitPlan {
                priority_unit_limit: plan.priority_unit_limit.or(priority.unit_limit),
                priority_unit_price: plan.priority_unit_price.or(priority.unit_price_micro_lamports),
                ..ExitPlan::clone(&plan)
            };
            ExitState::open(plan, position)
        });
        // The account is opened with the position, because an empty one is closed.
        let paid = cost_lamports.saturating_add(rent);
        let opened_at_ms = self.now_ms;
        desk.open =
            Some(Open { opened_at_ms, tokens, spent, paid, received: 0, sells: 0, exits, close_ppm: None });
        self.curve.open += 1;
    }

    fn tell_exits(&mut self, mint: usize, intent_id: Option<&str>, outcome: BacktestOutcome, tokens: u64) {
        let open = self.desks.get_mut(mint).and_then(|desk| desk.open.as_mut());
        if let Some(open) = open
            && let Some(id) = intent_id
            && let Some(state) = open.exits.take()
        {
            let (outcome, sold) = match outcome {
                BacktestOutcome::Landed => (IntentOutcome::Landed, Some(tokens)),
                _ => (IntentOutcome::Failed, None),
            };
            open.exits = Some(settled(state, id, outcome, self.now_ms, sold));
        }
    }

    fn after_sell(&mut self, mint: usize, outcome: BacktestOutcome, reason: BacktestReason) {
        let Some(desk) = self.desks.get_mut(mint) else { return };
        let Some(open) = &mut desk.open else { return };
        if outcome == BacktestOutcome::Landed {
            open.sells += 1;
        }
        if desk.account.is_none_or(|account| account.tokens == 0) {
            self.enter_again(mint, 0);
            self.ended(mint, reason);
        }
    }

    /// When the entry buys the next time. Its first buy, if that is still to come, stays where it is: a signal's position may have ended.
    pub(super) fn enter_again(&mut self, mint: usize, least_ms: u64) {
        let every = self.terms.entry.and_then(|entry| entry.every_ms);
        // A complete curve takes no buys any more.
        let takes_buys =
            |desk: &&mut Desk| desk.is_seen && desk.enter_ms == NEVER && !desk.token.is_complete();
        if let Some(desk) = self.desks.get_mut(mint).filter(takes_buys) {
            desk.enter_ms = every.map_or(NEVER, |every| self.now_ms.saturating_add(every.max(least_ms)));
        }
    }

    /// A position is over.
    fn ended(&mut self, mint: usize, reason: BacktestReason) {
        let Some(desk) = self.desks.get_mut(mint) else { return };
        let Some(open) = desk.open.take() else { return };
        self.curve.open -= 1;
        self.positions.push(BacktestPosition {
            mint: self.tape.mint(mint as u32).to_owned(),
            opened_at_ms: Millis(open.opened_at_ms),
            closed_at_ms: Millis(self.now_ms.min(Millis::MOST)),
            tokens: open.tokens,
            spent_lamports: open.spent,
            paid_lamports: open.paid,
            received_lamports: open.received,
            profit_lamports: i128::from(open.received) - i128::from(open.paid),
            reason,
            sells: open.sells,
        });
    }

    /// The tape is over: what is held is sold at any price.
    pub(super) fn close(&mut self, mint: usize) {
        let Some(desk) = self.desks.get(mint).filter(|desk| desk.open.is_some()) else { return };
        let tokens = desk.account.map_or(0, |account| account.tokens);
        let quoted = self.terms.launchpad.at(self.now_ms).sell_exact_in(&desk.token, tokens, tokens, 0);
        let Ok(fill) = quoted else {
            self.ended(mint, BacktestReason::Unsold);
            return;
        };
        let exits = desk.open.as_ref().and_then(|open| open.exits.as_ref());
        let priority = exits.map_or(self.terms.priority, |exits| exits.plan.priority());
        let order = self.order(Side::Sell, BacktestReason::End, tokens);
        let last = Flying { arrives_at_ms: self.now_ms, expected: fill.wallet_lamports, priority, ..order };
        if let Some(desk) = self.desks.get_mut(mint) {
            desk.flying = Some(last);
        }
        self.land(mint);
        // It cannot pay for the transaction.
        self.ended(mint, BacktestReason::Unsold);
    }
}
