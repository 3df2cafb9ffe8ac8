//! A strategy, run over recorded trades: what would have become of it.
//!
//! | module | one idea |
//! |---|---|
//! | [`trade_tape`] | recorded trades of others |
//! | [`BacktestTerms`] | what it starts with |
//! | `orders` | an order from its decision to its end |
//! | `equity` | the equity over time |
//! | [`run`] | what a backtest did |
//! | [`mod@sweep`] | many exit plans over one tape, and what chance would have done |

mod equity;
mod orders;
pub mod run;
pub mod sweep;
mod tape_units;
mod terms;
pub mod trade_tape;

pub use run::{BacktestOrder, BacktestRun};
pub use sweep::{SweptPlan, sweep, without_idea};
pub use terms::{BacktestEntry, BacktestSignal, BacktestTerms};
pub use trade_tape::{Rival, RivalTrade, TradeTape};

use std::sync::Arc;

use equity::EquityCurve;
use launchpad_desk::launchpad::account::TokenAccount;
use launchpad_desk::launchpad::cost::Priority;
use launchpad_desk::launchpad::plan::SplitMix64;
use launchpad_desk::launchpad::quote::Side;
use launchpad_desk::launchpad::slippage::least;
use launchpad_desk::launchpad::{Launchpad, Refusal, Token};
use launchpad_desk::strategy::exits::Tick;
use launchpad_desk::strategy::plan::ExitPlan;
use launchpad_desk::strategy::state::ExitState;
use launchpad_desk::strategy::units::Millis;
use run::{BacktestCosts, BacktestPosition, BacktestReason, BacktestReasonRow, BacktestSkipped, part_of};
use trade_tape::TapeRow;

/// What a strategy asks for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BacktestAsk {
    /// Buys a token.
    Buy {
        /// The token's number on the tape.
        mint: u32,
        /// What to spend, fees included, in lamports.
        lamports: u64,
        /// How far the price may move, in parts per million. Default: that of the terms.
        slippage_ppm: Option<u32>,
        /// When to leave the position. Default: when the strategy sells.
        exits: Option<Arc<ExitPlan>>,
    },
    /// Sells base units of a token; of a position that has exits, everything.
    Sell {
        /// The token's number on the tape.
        mint: u32,
        /// Base units, at most what is held.
        tokens: u64,
        /// How far the price may move, in parts per million. Default: that of the position's exit plan, or of the terms.
        slippage_ppm: Option<u32>,
    },
}

/// A trade of the tape, as it went on the curve that our own trades have moved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SeenTrade {
    /// When it was made, in milliseconds of the tape.
    pub at_ms: u64,
    /// The token's number on the tape.
    pub mint: u32,
    /// Which way the lamports went.
    pub side: Side,
    /// Lamports that it moved, fees included; 0 if the launchpad refused it.
    pub lamports: u64,
    /// Base units that it moved; 0 if the launchpad refused it.
    pub tokens: u64,
}

/// A backtest on its way. It never looks at a trade of the tape before that trade's time.
#[derive(Clone, Debug)]
pub struct Backtest {
    terms: Arc<BacktestTerms>,
    tape: Arc<TradeTape>,
    place: usize,
    signal: usize,
    begins_ms: u64,
    now_ms: u64,
    random: SplitMix64,
    lamports: u64,
    desks: Vec<Desk>,
    /// When the next thing happens that is not a trade of the tape.
    due_ms: u64,
    named: u64,
    costs: BacktestCosts,
    orders: Vec<BacktestOrder>,
    positions: Vec<BacktestPosition>,
    skipped: Vec<BacktestSkipped>,
    replayed: u32,
    curve: EquityCurve,
}

/// One token, and what is ours of it.
#[derive(Clone, Debug)]
struct Desk {
    token: Token,
    account: Option<TokenAccount>,
    open: Option<Open>,
    flying: Option<Flying>,
    /// When the entry buys, once its first trade was seen.
    enter_ms: u64,
    has_entered: bool,
    is_seen: bool,
    /// When the exits are to look next, if not after each trade of the token.
    look_ms: u64,
    /// What selling everything would bring, with the rent.
    worth: u64,
}

/// A position.
#[derive(Clone, Debug)]
struct Open {
    opened_at_ms: u64,
    tokens: u64,
    spent: u64,
    paid: u64,
    received: u64,
    sells: u32,
    exits: Option<ExitState>,
    /// The slippage with which it is to be sold as a whole, if the strategy asked for one.
    close_ppm: Option<u32>,
}

/// An order on its way.
#[derive(Clone, Debug)]
struct Flying {
    decided_at_ms: u64,
    arrives_at_ms: u64,
    side: Side,
    reason: BacktestReason,
    amount: u64,
    expected: u64,
    limit: u64,
    priority: Priority,
    /// Of an exit.
    intent_id: Option<String>,
    /// Of a buy: when to leave what it buys.
    exits: Option<Arc<ExitPlan>>,
}

/// Later than anything.
const NEVER: u64 = u64::MAX;
/// How long the entry waits at least after a buy that came to nothing: at once it would come to nothing again, without end.
const REFUSED_MS: u64 = 1_000;

impl Backtest {
    /// A backtest at the start of its tape. Ask [`TradeTape::unit_problem`] before: amounts in other units give a result, and a wrong one.
    pub fn new(terms: Arc<BacktestTerms>, tape: Arc<TradeTape>) -> Backtest {
        let desk = |mint: &String| Desk {
            token: terms.start_of(mint),
            account: None,
            open: None,
            flying: None,
            enter_ms: NEVER,
            has_entered: false,
            is_seen: false,
            look_ms: NEVER,
            worth: 0,
        };
        let begins_ms = tape.at_ms(0).unwrap_or(0);
        let mut backtest = Backtest {
            place: 0,
            signal: 0,
            begins_ms,
            now_ms: begins_ms,
            random: SplitMix64 { state: terms.seed },
            lamports: terms.lamports,
            desks: tape.mints().iter().map(desk).collect(),
            due_ms: NEVER,
            named: 0,
            costs: BacktestCosts::default(),
            orders: Vec::new(),
            positions: Vec::new(),
            skipped: Vec::new(),
            replayed: 0,
            curve: EquityCurve::new(begins_ms, terms.lamports),
            terms,
            tape,
        };
        backtest.find_due();
        backtest
    }

    /// The next trade of the tape, after everything that happened before it; `None` at the end.
    ///
    /// ```
    /// use std::sync::Arc;
    /// use launchpad_desk::launchpad::Launchpad;
    /// use launchpad_desk_sandbox::backtest::{Backtest, BacktestAsk, BacktestTerms};
    /// use launchpad_desk_sandbox::backtest::{Rival, TradeTape};
    ///
    /// let mut tape = TradeTape::default();
    /// for second in 0..60 {
    ///     tape.push("M", second * 1_000, Rival::Buy, 500_000_000);
    /// }
    /// // Buys for 1 SOL after the tenth trade, and sells after the fiftieth.
    /// let terms = BacktestTerms::new(Launchpad::default(), 10_000_000_000);
    /// let mut backtest = Backtest::new(Arc::new(terms), Arc::new(tape));
    /// let mut seen = 0;
    /// while let Some(trade) = backtest.step() {
    ///     seen += 1;
    ///     let mint = trade.mint;
    ///     match seen {
    ///         10 => backtest.ask(BacktestAsk::Buy { mint, lamports: 1_000_000_000, slippage_ppm: None, exits: None }),
    ///         50 => backtest.ask(BacktestAsk::Sell { mint, tokens: backtest.held(mint), slippage_ppm: None }),
    ///         _ => {}
    ///     }
    /// }
    /// let run = backtest.finish();
    /// assert_eq!((run.positions.len(), run.wins), (1, 1));
    /// assert_eq!(run.profit_lamports, 1_307_766_225);
    /// ```
    pub fn step(&mut self) -> Option<SeenTrade> {
        let row = self.tape.at(self.place)?;
        while self.due_ms < row.at_ms {
            self.happen();
        }
        self.pass(row.at_ms);
        self.place += 1;
        let seen = self.replay(row);
        let mint = row.mint as usize;
        let terms = &self.terms;
        let Some(desk) = self.desks.get_mut(mint) else { return Some(seen) };
        if !desk.is_seen {
            desk.is_seen = true;
            desk.enter_ms = terms.entry.map_or(NEVER, |entry| row.at_ms.saturating_add(entry.after_ms));
            self.due_ms = self.due_ms.min(desk.enter_ms);
        }
        if desk.open.is_some() {
            let brings = self.mark(mint);
            // An order on its way holds a look up until it arrives.
            if self.terms.look_every_ms == 0 && !self.is_flying(row.mint) {
                self.look(mint, brings);
            } else {
                self.look_by(mint, row.at_ms);
            }
        }
        Some(seen)
    }

    /// Orders something, as of now: when the last trade was seen, or the last wait was over.
    pub fn ask(&mut self, ask: BacktestAsk) {
        match ask {
            BacktestAsk::Buy { mint, lamports, slippage_ppm, exits } => {
                self.buy(mint as usize, lamports, slippage_ppm, exits, BacktestReason::Strategy);
            }
            BacktestAsk::Sell { mint, tokens, slippage_ppm } => {
                let mint = mint as usize;
                let Some(desk) = self.desks.get_mut(mint) else { return };
                match &mut desk.open {
                    Some(Open { exits: Some(exits), close_ppm, .. }) => {
                        exits.close_now();
                        *close_ppm = slippage_ppm;
                        self.look(mint, None);
                        // An order on its way holds it up.
                        self.look_by(mint, self.now_ms);
                    }
                    _ => self.sell(mint, tokens, slippage_ppm),
                }
            }
        }
    }

    /// The time, in milliseconds of the tape: of what was seen last, or of the end of a wait.
    pub fn now_ms(&self) -> u64 {
        self.now_ms
    }

    /// What the wallet has, in lamports.
    pub fn lamports(&self) -> u64 {
        self.lamports
    }

    /// Base units of a token that the wallet holds.
    pub fn held(&self, mint: u32) -> u64 {
        self.desks.get(mint as usize).and_then(|desk| desk.account).map_or(0, |account| account.tokens)
    }

    /// What a position has cost so far and brought so far, in lamports, and when it was opened; `None` without one.
    pub fn position(&self, mint: u32) -> Option<(u64, u64, u64)> {
        let open = self.desks.get(mint as usize)?.open.as_ref()?;
        Some((open.paid, open.received, open.opened_at_ms))
    }

    /// Whether an order of a token is on its way.
    pub fn is_flying(&self, mint: u32) -> bool {
        self.desks.get(mint as usize).is_some_and(|desk| desk.flying.is_some())
    }

    /// The token as it is now.
    pub fn token(&self, mint: u32) -> Option<&Token> {
        self.desks.get(mint as usize).map(|desk| &desk.token)
    }

    /// Every order that has ended so far.
    pub fn orders(&self) -> &[BacktestOrder] {
        &self.orders
    }

    /// Runs what is left of the tape, without asking a strategy.
    pub fn run(mut self) -> BacktestRun {
        while self.step().is_some() {}
        self.finish()
    }

    /// Ends it: exits whose look is due at this very moment take it, what arrives then is made, and what is held is sold at the last price.
    /// A look that would come later is not taken, and an order that would arrive later is not sent, because nobody knows the prices of then.
    pub fn finish(mut self) -> BacktestRun {
        let ends_ms = self.now_ms;
        for mint in 0..self.desks.len() {
            if self.desks.get(mint).is_some_and(|desk| desk.look_ms <= ends_ms) {
                self.look(mint, None);
            }
        }
        // What is sold at the end pays for none of it.
        let arrives = |(mint, desk): (usize, &Desk)| Some((desk.flying.as_ref()?.arrives_at_ms, mint));
        while let Some((at_ms, mint)) = self.desks.iter().enumerate().filter_map(arrives).min() {
            if at_ms <= ends_ms {
                self.land(mint);
            } else if let Some(flying) = self.desks.get_mut(mint).and_then(|desk| desk.flying.take()) {
                self.not_sent(mint, flying, None);
            }
        }
        for mint in 0..self.desks.len() {
            self.close(mint);
        }
        self.pass(ends_ms);
        self.curve.see(ends_ms, self.lamports, 0);
        self.leave_out_late();
        self.total(ends_ms)
    }

    /// Tells of the entries and signals that the tape has no price for: they came with its last trade or after it.
    fn leave_out_late(&mut self) {
        let signals = self.terms.signals.get(self.signal..).unwrap_or_default().iter();
        let signals = signals.map(|signal| (signal.mint as usize, signal.at_ms, signal.lamports));
        let waiting = self.desks.iter().enumerate().filter(|(_, desk)| desk.is_seen && !desk.has_entered);
        let entry = self.terms.entry.map_or(0, |entry| entry.lamports);
        let entries = waiting.map(|(mint, desk)| (mint, desk.enter_ms, entry));
        let late: Vec<(usize, u64, u64)> =
            entries.filter(|(_, at_ms, _)| *at_ms != NEVER).chain(signals).collect();
        for (mint, decided_at_ms, lamports) in late {
            let order = self.order(Side::Buy, BacktestReason::Entry, lamports);
            let decided_at_ms = decided_at_ms.min(Millis::MOST);
            self.not_sent(mint, Flying { decided_at_ms, ..order }, None);
        }
    }

    fn total(self, ends_ms: u64) -> BacktestRun {
        let tape_ms = ends_ms - self.begins_ms;
        let none = |reason| BacktestReasonRow { reason, positions: 0, wins: 0, profit_lamports: 0 };
        let mut reasons: Vec<BacktestReasonRow> = BacktestReason::ALL.into_iter().map(none).collect();
        let mut wins = 0;
        for position in &self.positions {
            let won = u32::from(position.profit_lamports > 0);
            wins += won;
            for row in reasons.iter_mut().filter(|row| row.reason == position.reason) {
                row.positions += 1;
                row.wins += won;
                row.profit_lamports += position.profit_lamports;
            }
        }
        reasons.retain(|row| row.positions > 0);
        let profit = i128::from(self.lamports) - i128::from(self.terms.lamports);
        let costs = self.costs;
        let paid = [
            costs.protocol_fees_lamports,
            costs.creator_fees_lamports,
            costs.network_fees_lamports,
            costs.priority_fees_lamports,
            costs.rent_paid_lamports,
        ];
        let paid = paid.into_iter().map(i128::from).sum::<i128>() - i128::from(costs.rent_returned_lamports);
        let curve = self.curve;
        BacktestRun {
            seed: self.terms.seed,
            replayed: self.replayed,
            skipped: self.skipped,
            tape_ms: Millis(tape_ms),
            start_lamports: self.terms.lamports,
            end_lamports: self.lamports,
            profit_lamports: profit,
            price_profit_lamports: profit + paid,
            costs,
            wins,
            win_rate: part_of(wins.into(), self.positions.len() as u128),
            reasons,
            drawdown: curve.drawdown,
            most_exposed_lamports: curve.most_exposed,
            exposure: part_of(curve.exposed_time, curve.equity_time),
            in_market_ms: Millis(curve.in_market_ms),
            in_market: part_of(curve.in_market_ms.into(), tape_ms.into()),
            positions: self.positions,
            orders: self.orders,
            equity: curve.points,
        }
    }

    /// Makes a recorded trade again, on the curve as it is now.
    fn replay(&mut self, row: TapeRow) -> SeenTrade {
        let side = if row.trade.order == Rival::Sell { Side::Sell } else { Side::Buy };
        let token = self.desks.get(row.mint as usize).map(|desk| &desk.token).ok_or(Refusal::Overflow);
        let filled = token.and_then(|token| row.trade.again(self.rules(), token));
        let seen = SeenTrade { at_ms: row.at_ms, mint: row.mint, side, lamports: 0, tokens: 0 };
        match filled {
            Ok(fill) => {
                if let Some(desk) = self.desks.get_mut(row.mint as usize) {
                    desk.token.curve = fill.curve_after;
                }
                self.replayed += 1;
                SeenTrade { lamports: fill.wallet_lamports, tokens: fill.tokens, ..seen }
            }
            Err(reason) => {
                match self.skipped.iter_mut().find(|row| row.reason == reason) {
                    Some(row) => row.trades += 1,
                    None => self.skipped.push(BacktestSkipped { reason, trades: 1 }),
                }
                seen
            }
        }
    }

    /// The rules of now.
    fn rules(&self) -> &Launchpad {
        self.terms.launchpad.at(self.now_ms)
    }

    /// Lets the time pass.
    fn pass(&mut self, at_ms: u64) {
        self.curve.pass(at_ms);
        self.now_ms = at_ms;
    }

    /// The first thing that is due before the next trade of the tape.
    fn happen(&mut self) {
        let due_ms = self.due_ms;
        self.pass(due_ms);
        if let Some(signal) = self.terms.signals.get(self.signal)
            && signal.at_ms <= due_ms
        {
            let signal = signal.clone();
            self.signal += 1;
            self.buy(signal.mint as usize, signal.lamports, None, signal.exits, BacktestReason::Entry);
            self.find_due();
            return;
        }
        let first = self.desks.iter().position(|desk| desk.due_ms() <= due_ms);
        if let Some(mint) = first {
            self.happen_to(mint, due_ms);
        }
        self.find_due();
    }

    fn happen_to(&mut self, mint: usize, due_ms: u64) {
        let Some(desk) = self.desks.get_mut(mint) else { return };
        if desk.flying.as_ref().is_some_and(|flying| flying.arrives_at_ms <= due_ms) {
            self.land(mint);
        } else if desk.enter_ms <= due_ms {
            (desk.enter_ms, desk.has_entered) = (NEVER, true);
            if let Some(entry) = self.terms.entry {
                let exits = self.terms.exits.clone();
                self.buy(mint, entry.lamports, None, exits, BacktestReason::Entry);
                if self.desks.get(mint).is_some_and(|desk| desk.flying.is_none() && desk.open.is_none()) {
                    self.enter_again(mint, REFUSED_MS);
                }
            }
        } else {
            self.find_look(mint);
            self.look(mint, None);
        }
        self.mark(mint);
    }

    /// Finds when the next thing is due that is not a trade of the tape.
    fn find_due(&mut self) {
        let signal = self.terms.signals.get(self.signal).map_or(NEVER, |signal| signal.at_ms);
        self.due_ms = self.desks.iter().map(Desk::due_ms).fold(signal, u64::min);
    }

    /// Asks the exits of a position what they want; what selling it would bring may be known already.
    fn look(&mut self, mint: usize, brings: Option<u64>) {
        let Some(desk) = self.desks.get_mut(mint).filter(|desk| desk.flying.is_none()) else { return };
        let Some(open) = &mut desk.open else { return };
        let Some(state) = &mut open.exits else { return };
        let tick = Tick {
            at_ms: self.now_ms,
            launchpad: self.terms.launchpad.at(self.now_ms),
            token: &desk.token,
            wallet_tokens: desk.account.map(|account| account.tokens),
        };
        let Some(order) = state.look(&tick, brings) else { return };
        let plan = &state.plan;
        let of_plan = || plan.slippage.and_then(|slippage| slippage.to_ppm(self.terms.slippage_unit));
        let slippage_ppm = open.close_ppm.or_else(of_plan).unwrap_or(self.terms.slippage_ppm);
        let flying = Flying {
            expected: order.expected_lamports,
            limit: least(order.expected_lamports, slippage_ppm),
            priority: plan.priority(),
            intent_id: Some(order.intent_id),
            ..self.order(Side::Sell, order.reason.into(), order.tokens)
        };
        self.send(mint, flying);
    }

    /// When the exits are to look without a trade of the token: when their time is over, and when they may try again.
    fn find_look(&mut self, mint: usize) {
        let now_ms = self.now_ms;
        let Some(desk) = self.desks.get_mut(mint) else { return };
        desk.look_ms = NEVER;
        let Some(state) = desk.open.as_ref().and_then(|open| open.exits.as_ref()) else { return };
        let over = state.plan.time_ms.map(|time| state.opened_ms().saturating_add(time.0));
        let again = state.tries.iter().map(|tries| tries.not_before_ms.0);
        if let Some(at_ms) = over.into_iter().chain(again).filter(|at_ms| *at_ms > now_ms).min() {
            self.look_by(mint, at_ms);
        }
    }

    /// Something happens at `at_ms` that the exits see then, or at their next look. If nothing does, a look changes nothing.
    fn look_by(&mut self, mint: usize, at_ms: u64) {
        let Some(desk) = self.desks.get_mut(mint) else { return };
        let Some(state) = desk.open.as_ref().and_then(|open| open.exits.as_ref()) else { return };
        let every_ms = self.terms.look_every_ms;
        let opened_ms = state.opened_ms();
        let look_ms = match every_ms {
            0 => at_ms,
            _ => at_ms
                .saturating_sub(opened_ms)
                .div_ceil(every_ms)
                .saturating_mul(every_ms)
                .saturating_add(opened_ms),
        };
        desk.look_ms = desk.look_ms.min(look_ms);
        self.due_ms = self.due_ms.min(desk.look_ms);
    }

    /// Values what is held of a token: the lamports that selling all of it would bring.
    fn mark(&mut self, mint: usize) -> Option<u64> {
        let launchpad = self.terms.launchpad.at(self.now_ms);
        let desk = self.desks.get_mut(mint)?;
        let account = desk.account.filter(|account| account.tokens > 0);
        let brings = account.and_then(|TokenAccount { tokens, .. }| launchpad.worth_of(&desk.token, tokens));
        let rent = account.map_or(0, |account| account.lamports);
        let worth = brings.map_or(0, |lamports| lamports.saturating_add(rent));
        let exposed = self.curve.exposed - desk.worth + worth;
        desk.worth = worth;
        self.curve.see(self.now_ms, self.lamports, exposed);
        brings
    }
}

impl Desk {
    fn due_ms(&self) -> u64 {
        let arrives = self.flying.as_ref().map(|flying| flying.arrives_at_ms);
        let looks = if self.flying.is_some() { NEVER } else { self.look_ms };
        arrives.unwrap_or(NEVER).min(self.enter_ms).min(looks)
    }
}
