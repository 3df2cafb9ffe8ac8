//! A market while time passes: tokens are launched, rivals and a recording trade, and every trade is put on the tape.
//!
//! It holds copies of what moves in a state, and returns what has changed.

use std::borrow::Cow;
use std::collections::VecDeque;

use super::change::Change;
use super::config::SandboxConfig;
use super::crowd::RivalOrder;
use super::draws::Draws;
use super::row::{Count, CrowdRow, MarketTradeRow, TokenRow, WorldRow};
use super::state::{Kept, State};
use super::{name, token_names};
use crate::character::{Character, TraderKind};
use crate::launch_plan::Launch;
use crate::recording::{RecordedTrade, RivalTrade};
use crate::skip_reason::SkipReason;
use launchpad_desk::amount::Digits;
use launchpad_desk::error::FieldError;
use launchpad_desk::launchpad::quote::Side;
use launchpad_desk::launchpad::{Fill, Refusal};

/// The most that the rivals around a token do in one step.
const MOST_IN_STEP: u32 = 32;

/// The state at the start, once the recorded trades from before it are made.
pub(super) fn begin(config: &SandboxConfig) -> Result<State, Vec<FieldError>> {
    let mut state = State::start(config)?;
    let earlier = MovingMarket::of(config, &state).begun();
    state.apply(&earlier, Kept::of(config));
    Ok(state)
}

/// The market of a sandbox while time passes.
pub(super) struct MovingMarket<'a> {
    config: &'a SandboxConfig,
    before: &'a State,
    world: WorldRow,
    /// Tokens that have not moved are still borrowed from the state.
    tokens: Vec<Cow<'a, TokenRow>>,
    /// The rivals around each token, in the order of the tokens; empty in a market that is not alive. Those who do nothing are still
    /// borrowed.
    crowds: Vec<Cow<'a, CrowdRow>>,
    /// The newest trades since it began to move.
    prints: VecDeque<MarketTradeRow>,
    /// How many more lamports rivals may bring.
    room: u64,
}

impl<'a> MovingMarket<'a> {
    /// The current market of a state.
    pub(super) fn of(config: &'a SandboxConfig, state: &'a State) -> Self {
        let mut moving = MovingMarket {
            config,
            before: state,
            world: state.world.clone(),
            tokens: state.tokens.iter().map(Cow::Borrowed).collect(),
            crowds: Vec::new(),
            prints: VecDeque::new(),
            room: state.lamports_room(),
        };
        if config.market.alive {
            let now_ms = moving.world.now_ms;
            for token in &mut moving.tokens {
                let kept = state.crowds.get(&token.mint).map(Cow::Borrowed);
                moving.crowds.push(kept.unwrap_or_else(|| {
                    let character = config.character(&token.mint);
                    Cow::Owned(CrowdRow::gather(token.to_mut(), character, &config.market, now_ms))
                }));
            }
        }
        moving
    }

    /// The token of that mint address, as it is now.
    pub(super) fn token(&self, mint: &str) -> Option<&TokenRow> {
        self.tokens.iter().find(|token| token.mint == mint).map(Cow::as_ref)
    }

    /// Lets time pass.
    pub(super) fn advance(&mut self, ms: u64) {
        let (config, from) = (self.config, self.world.now_ms);
        let to = from.plus(ms);
        let step_ms = u64::from(config.market.step_ms);
        if config.market.alive {
            // Steps are on a fixed grid of the market's time, so the result is the same whether time passes at once or in
            // parts.
            for step in from.get() / step_ms + 1..=to.get() / step_ms {
                self.world.now_ms = Count::new(step * step_ms);
                self.replay();
                self.step(step);
            }
        }
        self.world.now_ms = to;
        self.replay();
    }

    /// Every row that changes when the recorded trades from before the start are made.
    fn begun(mut self) -> Vec<Change> {
        let start_ms = self.world.now_ms;
        self.replay_all(|trade| trade.at_ms < start_ms);
        self.changes()
    }

    /// Makes the recorded trades whose time has come.
    fn replay(&mut self) {
        let now_ms = self.world.now_ms;
        self.replay_all(|trade| trade.at_ms <= now_ms);
    }

    /// Makes the next recorded trades, as long as they are due.
    fn replay_all(&mut self, is_due: impl Fn(&RecordedTrade) -> bool) {
        let recording = &self.config.market.replay;
        let place = usize::try_from(self.world.replayed.get()).unwrap_or(usize::MAX);
        let (mut due_now, now_ms) = (0, self.world.now_ms);
        let trades: Vec<&RecordedTrade> =
            recording.get(place..).unwrap_or_default().iter().take_while(|trade| is_due(trade)).collect();
        for trade in trades {
            self.world.now_ms = trade.at_ms.max(self.before.world.now_ms);
            if let Err(reason) = self.make_recorded(trade) {
                self.world.skip(reason);
            }
            due_now += 1;
        }
        self.world.now_ms = now_ms;
        self.world.replayed = self.world.replayed.plus(due_now);
    }

    /// Makes a recorded trade on the curve as your own trades left it.
    /// Fails with why it cannot be made. Then nothing has changed.
    fn make_recorded(&mut self, trade: &RecordedTrade) -> Result<(), SkipReason> {
        let index = self.tokens.iter().position(|token| token.mint == trade.mint);
        let index = index.ok_or(SkipReason::NoSuchToken)?;
        let launchpad = self.config.launchpad.at(trade.at_ms.get());
        let row = self.tokens[index].to_mut();
        let fill = RivalTrade::of(trade.side, trade.lamports, trade.tokens).again(launchpad, &row.token())?;
        if trade.side == Side::Buy && fill.wallet_lamports > self.room {
            return Err(Refusal::Overflow.into());
        }
        match trade.side {
            Side::Buy => row.rival_tokens += fill.tokens,
            // The seller may have held them before the recording began. Then they come from outside, up to the supply.
            Side::Sell => match row.rival_tokens.checked_sub(fill.tokens) {
                Some(left) => row.rival_tokens = left,
                None => {
                    let more = fill.tokens - row.rival_tokens;
                    match row.issued_tokens.checked_add(more).filter(|issued| *issued <= row.supply) {
                        Some(issued) => (row.issued_tokens, row.rival_tokens) = (issued, 0),
                        None => return Err(SkipReason::AboveSupply),
                    }
                }
            },
        }
        self.fill(index, TraderKind::Recorded, String::new(), trade.side, &fill);
        self.stir(index);
        Ok(())
    }

    /// One step of a living market.
    fn step(&mut self, step: u64) {
        self.launch(step);
        for index in 0..self.tokens.len() {
            let (Some(token), Some(crowd)) = (self.tokens.get(index), self.crowds.get(index)) else {
                continue;
            };
            if crowd.due_ms <= self.world.now_ms && token.real_token_reserves > 0 {
                self.step_token(index, crowd.character.launch());
            }
        }
    }

    /// A step of a token's rivals: whoever is due acts.
    fn step_token(&mut self, index: usize, launch: &Launch) {
        let now_ms = self.world.now_ms;
        for _ in 0..MOST_IN_STEP {
            let (Some(token), Some(crowd)) = (self.tokens.get(index), self.crowds.get_mut(index)) else {
                return;
            };
            if crowd.due_ms > now_ms {
                return;
            }
            let due_ms = crowd.due_ms;
            for order in crowd.to_mut().act(launch, self.config, token, now_ms) {
                self.make(index, order);
            }
            self.wait(index, launch, due_ms);
        }
        // More than fit into a step wait for the next.
        self.wait(index, launch, now_ms);
    }

    /// Draws when a token's rivals act next, from this time on.
    fn wait(&mut self, index: usize, launch: &Launch, from_ms: Count) {
        let (Some(token), Some(crowd)) = (self.tokens.get(index), self.crowds.get_mut(index)) else { return };
        crowd.to_mut().wait(launch, &self.config.market, token, from_ms);
    }

    /// Makes a rival's trade; nothing if the launchpad refuses it.
    fn make(&mut self, index: usize, order: RivalOrder) {
        let (Some(row), Some(crowd)) = (self.tokens.get(index), self.crowds.get_mut(index)) else { return };
        let (launchpad, crowd) = (self.config.launchpad.at(self.world.now_ms.get()), crowd.to_mut());
        let rival = crowd.rival(order.trader, &order.wallet);
        let fill = match order.side {
            Side::Sell => row.sells(launchpad, order.amount, rival.tokens),
            Side::Buy => row.buys_or_completes(launchpad, order.amount.min(self.room)),
        };
        if let Ok(fill) = &fill {
            match order.side {
                Side::Buy => rival.tokens += fill.tokens,
                Side::Sell => rival.tokens -= fill.tokens,
            }
        }
        // Of thousands of wallets few hold a token.
        crowd.rivals.retain(|rival| rival.tokens > 0);
        let Ok(fill) = fill else { return };
        if order.side == Side::Buy {
            crowd.heat_up(&self.config.market, fill.wallet_lamports, self.world.now_ms);
        }
        self.fill(index, order.trader, order.wallet, order.side, &fill);
    }

    /// Moves a token by a trade of a rival, whose lamports come from outside and go there.
    fn fill(&mut self, index: usize, trader: TraderKind, wallet: String, side: Side, fill: &Fill) {
        let Some(token) = self.tokens.get_mut(index).map(Cow::to_mut) else { return };
        token.trade(&fill.curve_after, fill.fees);
        token.rival_lamports -= side.signed(fill.wallet_lamports);
        self.room = match side {
            Side::Buy => self.room.saturating_sub(fill.wallet_lamports),
            Side::Sell => self.room.saturating_add(fill.wallet_lamports),
        };
        let print = MarketTradeRow::of(token, trader, wallet, side, fill);
        self.print(print);
    }

    /// Puts a trade on the tape.
    fn print(&mut self, print: MarketTradeRow) {
        self.prints.push_back(self.world.print(print));
        if self.prints.len() > self.config.market.max_market_trades as usize {
            self.prints.pop_front();
        }
    }

    /// Takes over what wallets of the sandbox have traded: the token as it is now, and each trade.
    pub(super) fn take(&mut self, token: TokenRow, prints: Vec<MarketTradeRow>) {
        if let Some(index) = self.tokens.iter().position(|row| row.mint == token.mint) {
            if let Some(crowd) = self.crowds.get_mut(index) {
                let before = self.tokens[index].virtual_sol_reserves;
                crowd.to_mut().moved_lamports += i128::from(token.virtual_sol_reserves) - i128::from(before);
            }
            self.tokens[index] = Cow::Owned(token);
            self.stir(index);
        }
        for print in prints {
            self.print(print);
        }
    }

    /// Lets rivals see a trade of somebody else.
    fn stir(&mut self, index: usize) {
        if let Some(launch) = self.crowds.get(index).map(|crowd| crowd.character.launch()) {
            self.wait(index, launch, self.world.now_ms);
        }
    }

    /// Launches a token, if one is due and there is room for it.
    fn launch(&mut self, step: u64) {
        let market = &self.config.market;
        let mut draws = Draws::of(&["launch", &market.seed.digits(), &step.digits()]);
        let every_ms = u64::from(market.launch_every_ms);
        let is_due = every_ms > 0 && draws.below(every_ms) < u64::from(market.step_ms);
        let launchpad = self.config.launchpad.at(self.world.now_ms.get());
        let put_in = launchpad.start.real_sol_reserves;
        if !is_due || self.tokens.len() >= market.max_tokens as usize || self.room < put_in {
            return;
        }
        self.world.launched = self.world.launched.plus(1);
        let mint = name::mint(&market.seed.digits(), self.world.launched.get());
        if self.token(&mint).is_some() {
            return;
        }
        let (symbol, name) = token_names::name(draws.below(12), draws.below(12));
        let character = Character::drawn(&mut draws);
        let mut token = TokenRow::new(mint, symbol, name, true, launchpad.token_supply, &launchpad.start);
        // The lamports that a launched curve begins with come from outside.
        token.rival_lamports = i128::from(put_in);
        self.room -= put_in;
        self.crowds.push(Cow::Owned(CrowdRow::gather(&mut token, character, market, self.world.now_ms)));
        self.tokens.push(Cow::Owned(token));
    }

    /// Every changed row.
    pub(super) fn changes(self) -> Vec<Change> {
        let mut changes = Vec::new();
        if self.world != self.before.world {
            changes.push(Change::World(self.world));
        }
        for token in self.tokens {
            let Cow::Owned(token) = token else { continue };
            if self.before.token(&token.mint) != Some(&token) {
                changes.push(Change::Token(token));
            }
        }
        for crowd in self.crowds {
            let Cow::Owned(crowd) = crowd else { continue };
            if self.before.crowds.get(&crowd.mint) != Some(&crowd) {
                changes.push(Change::Crowd(crowd));
            }
        }
        changes.extend(self.prints.into_iter().map(Change::MarketTrade));
        changes
    }
}
