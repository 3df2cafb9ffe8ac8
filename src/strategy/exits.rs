//! The next order of a position's exits, and what became of it.

use super::state::{ExitMissing, ExitOrder, ExitReason, ExitState, Label};
use super::units::{Millis, Multiple};
use crate::intent::IntentOutcome;
use crate::launchpad::div::mul_div_floor;
use crate::launchpad::{Launchpad, Token};

/// A look at the market.
#[derive(Clone, Copy, Debug)]
pub struct Tick<'a> {
    /// When, in milliseconds since 1970.
    pub at_ms: u64,
    /// The launchpad's rules.
    pub launchpad: &'a Launchpad,
    /// The token.
    pub token: &'a Token,
    /// Base units of it that the wallet holds, if they are known: with those of other positions.
    pub wallet_tokens: Option<u64>,
}

/// What selling everything that is left would do now.
struct Worth {
    /// Base units that can be sold.
    held: u64,
    /// What it would bring, compared with what was paid.
    multiple: Multiple,
}

/// How long the first attempt waits after one that did not land, in milliseconds. Each further one waits twice as long.
const FIRST_WAIT_MS: u64 = 1_000;
/// The longest of these waits.
const LONGEST_WAIT_MS: u64 = 60_000;

/// Tokens that the wallet does not have at so many looks in a row, over this time, were sold or sent away otherwise.
const GONE_LOOKS: u32 = 5;
const GONE_MS: u64 = 10_000;
/// The same of tokens that no look has shown: a node may lag behind the buy, and giving them up would leave them without a stop.
const UNSEEN_MS: u64 = 300_000;

/// The state after a look at the market, and the order that it asks for. The caller keeps the state before it sends the order, and
/// says by [`settled`] what became of it; until then nothing else is ordered.
///
/// The order of the rules is that of [`ExitReason`]. Take-profits come last, all that are reached in one order. Anything that sells
/// all that is left has the same intent id, whatever rule asks for it.
///
/// Tokens that the wallet has held, and then not at five looks in a row over ten seconds or more, are no longer of the position: its
/// exits never sell what was bought later. Those that no look has shown are given up after five minutes. Without any, it is over.
///
/// ```
/// use launchpad_desk::intent::IntentOutcome;
/// use launchpad_desk::launchpad::{Launchpad, Token};
/// use launchpad_desk::strategy::{ExitPlan, ExitPosition, ExitState, Tick, next, settled};
///
/// let launchpad = Launchpad::default();
/// let bought = launchpad.buy_exact_in(&launchpad.new_token(), 1_000_000_000, 1).unwrap();
/// let token = Token { curve: bought.curve_after, ..launchpad.new_token() };
/// let position = ExitPosition {
///     id: "signal-1".into(),
///     mint: "M".into(),
///     wallet: "W".into(),
///     tokens: bought.tokens,
///     cost_lamports: 1_000_005_000,
///     ..ExitPosition::default()
/// };
/// let plan = ExitPlan { stop_loss: Some("0.99x".parse().unwrap()), ..ExitPlan::default() };
///
/// // Bought and sold at once, it brings less: the fees.
/// let tick = Tick { at_ms: 0, launchpad: &launchpad, token: &token, wallet_tokens: None };
/// let (state, order) = next(ExitState::open(plan, position), &tick);
/// let order = order.unwrap();
/// assert_eq!((order.intent_id.as_str(), order.tokens), ("signal-1/all", bought.tokens));
/// assert_eq!(order.multiple.to_string(), "0.975298762x");
///
/// let state = settled(state, &order.intent_id, IntentOutcome::Landed, 400, None);
/// assert!(state.is_over());
/// ```
pub fn next(mut state: ExitState, tick: &Tick) -> (ExitState, Option<ExitOrder>) {
    let order = state.look(tick, None);
    (state, order)
}

/// The state once it is known what became of the intent with this id. What it has sold may be known to the base unit; otherwise it
/// is what was ordered: of an exit that this state does not know, all that its rung leaves nothing of. Ids that are not of this position, and what is known already, change nothing.
///
/// | outcome | the rung |
/// |---|---|
/// | `landed` | is sold |
/// | `unknown`, `unconfirmed` | waits; nothing is ordered until it is settled |
/// | `not_sent` | may be ordered again under the same id |
/// | `rejected`, `failed`, `did_not_land` | is proven not sold: it may be ordered again under a new id, after a wait of a second that doubles up to a minute |
///
/// It also takes what a journal remembers of exits that this state does not know, because an older one was kept, or none.
pub fn settled(
    mut state: ExitState,
    intent_id: &str,
    outcome: IntentOutcome,
    at_ms: u64,
    sold_tokens: Option<u64>,
) -> ExitState {
    let Some(label) = state.label(intent_id) else { return state };
    let is_ordered = state.order.as_ref().is_some_and(|order| order.intent_id == intent_id);
    match outcome {
        IntentOutcome::Landed => state.land(label, is_ordered, sold_tokens),
        IntentOutcome::NotSent if is_ordered => state.order = None,
        IntentOutcome::NotSent => {}
        IntentOutcome::Rejected | IntentOutcome::Failed | IntentOutcome::DidNotLand => {
            if is_ordered {
                state.order = None;
            }
            if let Some(tries) = state.tries_of(label.rung)
                && tries.failed <= label.attempt
            {
                tries.failed = label.attempt.saturating_add(1);
                let doubled = FIRST_WAIT_MS << label.attempt.min(6);
                let wait = doubled.min(LONGEST_WAIT_MS);
                tries.not_before_ms = Millis(at_ms.saturating_add(wait).min(Millis::MOST));
            }
        }
        IntentOutcome::Unknown | IntentOutcome::Unconfirmed => match &mut state.order {
            Some(order) if is_ordered => order.outcome = Some(outcome),
            Some(_) => {}
            None => state.order = state.recalled(label, intent_id, outcome, at_ms),
        },
    }
    state
}

impl ExitState {
    /// [`next`] in place. The lamports that selling everything would bring may be known already.
    pub(super) fn look(&mut self, tick: &Tick, brings: Option<u64>) -> Option<ExitOrder> {
        if self.order.is_some() {
            self.missing = None;
            return None;
        }
        self.count_missing(tick);
        let worth = self.worth(tick, brings)?;
        if !tick.token.is_complete() {
            self.best = self.best.max(worth.multiple);
        }
        let order = self.order_for(tick, &worth)?;
        self.order = Some(order.clone());
        Some(order)
    }

    /// Notes a look at which the wallet holds less than is left; gives up what is gone.
    fn count_missing(&mut self, tick: &Tick) {
        let Some(held) = tick.wallet_tokens.filter(|held| *held < self.tokens) else {
            self.missing = None;
            self.seen |= tick.wallet_tokens.is_some();
            return;
        };
        let first = ExitMissing { looks: 0, since_ms: Millis(tick.at_ms.min(Millis::MOST)), most: held };
        let missing = self.missing.get_or_insert(first);
        missing.looks = missing.looks.saturating_add(1);
        missing.most = missing.most.max(held);
        // A clock that was set back does not make it take longer.
        missing.since_ms = missing.since_ms.min(Millis(tick.at_ms));
        let least_ms = if self.seen { GONE_MS } else { UNSEEN_MS };
        if missing.looks >= GONE_LOOKS && tick.at_ms.saturating_sub(missing.since_ms.0) >= least_ms {
            let left = missing.most;
            self.missing = None;
            self.keep(left);
        }
    }

    /// Leaves so many base units, and what those cost.
    fn keep(&mut self, left: u64) {
        let gone = self.tokens.saturating_sub(left);
        let cost = mul_div_floor(self.cost_lamports, gone, self.tokens).unwrap_or(self.cost_lamports);
        self.cost_lamports -= cost.min(self.cost_lamports);
        self.tokens -= gone;
    }

    /// Waits from now on: no order, until [`resume`](ExitState::resume) or [`close_now`](ExitState::close_now).
    pub fn pause(&mut self) {
        self.paused = true;
    }

    /// Goes on.
    pub fn resume(&mut self) {
        self.paused = false;
    }

    /// Sells everything at the next tick, paused or not.
    pub fn close_now(&mut self) {
        self.closing = true;
    }

    /// What selling everything that is left would bring now, compared with what was paid for it; `None` if nothing is left, or if
    /// it has no price.
    pub fn multiple(&self, tick: &Tick) -> Option<Multiple> {
        if tick.token.is_complete() {
            return None;
        }
        self.worth(tick, None).map(|worth| worth.multiple)
    }

    /// On a complete curve it has no price, and only a person can ask to sell it: the service may trade it elsewhere.
    fn worth(&self, tick: &Tick, brings: Option<u64>) -> Option<Worth> {
        let held = tick.wallet_tokens.map_or(self.tokens, |tokens| tokens.min(self.tokens));
        if held == 0 {
            return None;
        }
        if tick.token.is_complete() {
            return self.closing.then_some(Worth { held, multiple: Multiple::default() });
        }
        // Until a look has shown all of it, a node may lag behind the buy: the part that it shows would have another multiple. A curve that
        // cannot pay for all of it says that a part was sold.
        let sold_for = |tokens| Some((tokens, tick.launchpad.worth_of(tick.token, tokens)?));
        let whole = if self.seen { None } else { sold_for(self.tokens) };
        let Some((priced, sold)) = brings.map(|sold| (held, sold)).or(whole).or_else(|| sold_for(held))
        else {
            return self.closing.then_some(Worth { held, multiple: Multiple::default() });
        };
        let fee = match self.position.pays() {
            true => tick.launchpad.network.fee_lamports(1, 1, self.plan.priority()).unwrap_or(u64::MAX),
            false => 0,
        };
        // An account that keeps tokens of another position stays open.
        let closes = tick.wallet_tokens.is_none_or(|tokens| tokens <= self.tokens);
        let rent = if closes { self.position.rent_locked_lamports } else { 0 };
        let brings = sold.saturating_add(rent).saturating_sub(fee);
        let cost = match priced == self.tokens {
            true => self.cost_lamports,
            false => mul_div_floor(self.cost_lamports, priced, self.tokens).unwrap_or(self.cost_lamports),
        };
        Some(Worth { held, multiple: Multiple::of(brings, cost.saturating_add(rent)) })
    }

    /// The rule that fires, if one does.
    fn order_for(&mut self, tick: &Tick, worth: &Worth) -> Option<ExitOrder> {
        if !self.closing && self.paused {
            return None;
        }
        if let Some(reason) = self.reason_to_leave(tick, worth) {
            return self.order_of(tick, worth, reason, self.rungs_sold, worth.held);
        }
        let rungs = self.plan.take_profit.iter().take_while(|rung| rung.at <= worth.multiple).count() as u32;
        if rungs <= self.rungs_sold {
            return None;
        }
        // It sells down to what the rungs leave, so that tokens which are already gone are not sold a second time.
        let keeps = self.left_after(rungs);
        self.order_of(tick, worth, ExitReason::TakeProfit, rungs, worth.held.saturating_sub(keeps))
    }

    fn reason_to_leave(&self, tick: &Tick, worth: &Worth) -> Option<ExitReason> {
        let (plan, multiple) = (&self.plan, worth.multiple);
        let start = tick.launchpad.start.real_token_reserves;
        let bought = start.saturating_sub(tick.token.curve.real_token_reserves);
        let graduates = plan.on_graduation.as_ref().is_some_and(|on| {
            u128::from(bought) * 1_000_000 >= u128::from(start) * u128::from(on.from.millionths())
        });
        let trails = plan.trailing.as_ref().is_some_and(|trailing| {
            trailing.from.is_none_or(|from| self.best >= from) && multiple <= self.best.less(trailing.by)
        });
        let had = |best: Option<Multiple>| best.is_some_and(|best| self.best >= best);
        let is_over = |ms: Millis| tick.at_ms >= self.position.opened_at_ms.0.saturating_add(ms.0);
        if self.closing {
            Some(ExitReason::CloseNow)
        } else if graduates {
            Some(ExitReason::Graduation)
        } else if plan.stop_loss.is_some_and(|stop| multiple <= stop) {
            Some(ExitReason::StopLoss)
        } else if multiple <= Multiple::ONE && had(plan.break_even_after) {
            Some(ExitReason::BreakEven)
        } else if trails {
            Some(ExitReason::Trailing)
        } else if plan.time_ms.is_some_and(is_over) {
            Some(ExitReason::Time)
        } else {
            None
        }
    }

    fn order_of(
        &mut self,
        tick: &Tick,
        worth: &Worth,
        reason: ExitReason,
        rungs: u32,
        tokens: u64,
    ) -> Option<ExitOrder> {
        let rung = (tokens < worth.held).then_some(rungs);
        let tries = self.tries_of(rung)?.clone();
        // A longer wait than the longest means that the clock was set back: it does not count.
        let wait_ms = tries.not_before_ms.0.saturating_sub(tick.at_ms);
        if tokens == 0 || (1..=LONGEST_WAIT_MS).contains(&wait_ms) {
            return None;
        }
        let fill = tick.launchpad.sell_exact_in(tick.token, tokens, worth.held, 0);
        Some(ExitOrder {
            intent_id: self.intent_id(Label { rung, attempt: tries.failed }),
            reason,
            rungs,
            tokens,
            expected_lamports: fill.map_or(0, |fill| fill.wallet_lamports),
            multiple: worth.multiple,
            at_ms: Millis(tick.at_ms.min(Millis::MOST)),
            wallet_tokens: tick.wallet_tokens,
            outcome: None,
        })
    }

    /// Base units that are left once the first `rungs` are sold.
    fn left_after(&self, rungs: u32) -> u64 {
        self.position.tokens - self.plan.sold_by(rungs as usize).of(self.position.tokens)
    }

    /// Counts a sell that landed, once.
    fn land(&mut self, label: Label, is_ordered: bool, sold_tokens: Option<u64>) {
        let order = if is_ordered { self.order.take() } else { None };
        let tried = self.tries_of(label.rung).map_or(0, |tries| tries.failed);
        let is_counted = match label.rung {
            Some(rung) => rung <= self.rungs_sold,
            // The attempts before this one are settled.
            None => !is_ordered && label.attempt < tried,
        };
        if is_counted {
            return;
        }
        let ordered = sold_tokens.or(order.as_ref().map(|order| order.tokens));
        let left = match (ordered, label.rung) {
            (Some(sold), _) => self.tokens.saturating_sub(sold),
            (None, Some(rung)) => self.left_after(rung).min(self.tokens),
            (None, None) => 0,
        };
        if label.rung.is_none()
            && let Some(tries) = self.tries_of(None)
        {
            // What the wallet did not hold then, if it ever comes, is sold under another id.
            tries.failed = tries.failed.max(label.attempt.saturating_add(1));
        }
        self.rungs_sold = self.rungs_sold.max(label.rung.unwrap_or(0));
        self.keep(left);
        if let Some(order) = order {
            self.last = Some(order.reason);
        }
        // Of an order that was made without knowing this, only what is left can be sold.
        if let Some(order) = &mut self.order {
            order.tokens = order.tokens.min(left);
        }
        self.order.take_if(|order| order.tokens == 0);
    }

    /// An order that only a journal remembers, of unknown outcome.
    fn recalled(
        &self,
        label: Label,
        intent_id: &str,
        outcome: IntentOutcome,
        at_ms: u64,
    ) -> Option<ExitOrder> {
        let (rungs, left) = match label.rung {
            Some(rung) => (rung, self.left_after(rung)),
            None => (self.rungs_sold, 0),
        };
        let tokens = self.tokens.saturating_sub(left);
        let at = label.rung.map_or(self.tries.len().checked_sub(1)?, |rung| rung as usize - 1);
        // The attempts before it are settled.
        let is_settled = label.attempt < self.tries.get(at)?.failed;
        (tokens > 0 && !is_settled && label.rung.is_none_or(|rung| rung > self.rungs_sold)).then(|| {
            ExitOrder {
                intent_id: intent_id.to_owned(),
                reason: if label.rung.is_some() { ExitReason::TakeProfit } else { ExitReason::CloseNow },
                rungs,
                tokens,
                expected_lamports: 0,
                multiple: Multiple::default(),
                at_ms: Millis(at_ms.min(Millis::MOST)),
                wallet_tokens: None,
                outcome: Some(outcome),
            }
        })
    }
}
