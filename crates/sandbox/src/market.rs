//! Rival traders: they move a curve between calls, and between a trade's quote and its execution.

use super::draws::Draws;
use super::recording::{self, RecordedTrade};
use super::row::TokenRow;
use launchpad_desk::amount::Digits;
use launchpad_desk::bindings::reader::{Reader, set};
use launchpad_desk::bindings::settings;
use launchpad_desk::error::FieldCode;
use launchpad_desk::launchpad::Launchpad;

/// More than this at once would be a noticeable pause.
const MAX_TRADES: u32 = 10_000;

/// The most steps of a living market at once.
const MAX_STEPS: u64 = 100_000;

/// The longest step of a living market, in milliseconds.
const MAX_STEP_MS: u64 = 60_000;

settings! {
    /// The rival traders of a sandbox.
    MarketConfig {
        /// The seed of their trades: the same seed gives the same trades. Default: 1.
        seed: u64 => "number | bigint | string" optional,
        /// Their trades of a token before each request for it is quoted, at most 10000. Default: 0.
        trades_between: u32 => "number" optional,
        /// Their trades between a request's quote and its execution: what slippage is for. At most 10000. Default: 0.
        trades_in_flight: u32 => "number" optional,
        /// The most lamports one of them spends. Default: 1000000000; if the market is alive 25000000000, and a typical trade then
        /// spends a hundredth of it.
        max_lamports: Option<u64> => "number | bigint | string" optional,
        /// Whether the market is alive: rivals of several kinds trade as its time passes, tokens are launched, and most of them fail,
        /// as on real launchpads. Default: false.
        alive: bool => "boolean" optional,
        /// Milliseconds between two steps of a living market, 1 to 60000. Default: 400.
        step_ms: u32 => "number" optional,
        /// Milliseconds of the market's time that pass between a request's quote and its execution: what slippage is for. Used
        /// if the market is alive or replays a recording. At most 60000. Default: 400.
        in_flight_ms: u32 => "number" optional,
        /// Milliseconds between two launches, on average; 0 for none. Default: 30000.
        launch_every_ms: u32 => "number" optional,
        /// Launches stop at this many tokens. Default: 240.
        max_tokens: u32 => "number" optional,
        /// The market's time at the start, in milliseconds. Default: the time of the first recorded trade, or 0.
        start_ms: Option<u64> => "number" optional,
        /// How many of the newest trades the market's tape keeps. Default: 10000.
        max_market_trades: u32 => "number" optional,
        /// A recording to replay as the market's time passes: a list of trades in order, or a text of JSON or CSV of at most
        /// 16777216 characters. For more than about 15,000 trades, give the text.
        replay: Vec<RecordedTrade> => "RecordedTrade[] | string" optional,
    }
}

impl Default for MarketConfig {
    fn default() -> Self {
        MarketConfig {
            seed: 1,
            trades_between: 0,
            trades_in_flight: 0,
            max_lamports: None,
            alive: false,
            step_ms: 400,
            in_flight_ms: 400,
            launch_every_ms: 30_000,
            max_tokens: 240,
            start_ms: None,
            max_market_trades: 10_000,
            replay: Vec::new(),
        }
    }
}

impl MarketConfig {
    pub(super) fn read(&mut self, reader: &mut Reader) {
        let count = |r: &mut Reader, name| r.whole_within(name, 0, u64::from(MAX_TRADES)).map(|n| n as u32);
        reader.set_whole("seed", &mut self.seed);
        set(&mut self.trades_between, count(reader, "tradesBetween"));
        set(&mut self.trades_in_flight, count(reader, "tradesInFlight"));
        self.max_lamports = reader.whole_within("maxLamports", 1, u64::MAX);
        set(&mut self.alive, reader.boolean("alive"));
        let ms = |r: &mut Reader, name, least| r.whole_within(name, least, MAX_STEP_MS).map(|ms| ms as u32);
        set(&mut self.step_ms, ms(reader, "stepMs", 1));
        set(&mut self.in_flight_ms, ms(reader, "inFlightMs", 0));
        reader.set_count("launchEveryMs", 0, &mut self.launch_every_ms);
        reader.set_count("maxTokens", 0, &mut self.max_tokens);
        self.start_ms = reader.whole_within("startMs", 0, (1 << 53) - 1);
        reader.set_count("maxMarketTrades", 0, &mut self.max_market_trades);
        set(&mut self.replay, recording::read_all(reader, "replay"));
        if self.moves() && (self.trades_between > 0 || self.trades_in_flight > 0) {
            let what = "and tradesBetween or tradesInFlight contradict each other";
            reader.refuse(if self.alive { "alive" } else { "replay" }, FieldCode::Conflict, what);
        }
    }

    /// Whether anything happens as the market's time passes.
    pub(super) fn moves(&self) -> bool {
        self.alive || !self.replay.is_empty()
    }

    /// The most lamports that a rival spends at once.
    pub(super) fn most_lamports(&self) -> u64 {
        self.max_lamports.unwrap_or(if self.alive { 25_000_000_000 } else { 1_000_000_000 })
    }

    /// The market's time at the start.
    pub(super) fn starts_at(&self) -> u64 {
        self.start_ms.or_else(|| self.replay.first().map(|trade| trade.at_ms.get())).unwrap_or(0)
    }

    /// Whether this much time may pass at once: more would be a noticeable pause.
    ///
    /// # Errors
    ///
    /// What to say about it.
    pub(super) fn may_pass(&self, ms: u64) -> Result<(), String> {
        let most = if self.alive { MAX_STEPS * u64::from(self.step_ms) } else { 1 << 53 };
        match ms <= most {
            true => Ok(()),
            false => Err(["must be at most ", &most.digits(), ": advance in steps"].concat()),
        }
    }

    /// The token after this many rival trades on a launchpad, at most 10000. Rivals bring their own lamports: no more than
    /// `room`, which shrinks by what they bring.
    pub(super) fn moved(
        &self,
        launchpad: &Launchpad,
        token: &TokenRow,
        trades: u32,
        room: &mut u64,
    ) -> TokenRow {
        let mut token = token.clone();
        for _ in 0..trades.min(MAX_TRADES) {
            let number = token.rival_trades.get().digits();
            let mut draws = Draws::of(&["rival", &self.seed.digits(), &token.mint, &number]);
            token.rival_trades = token.rival_trades.plus(1);
            // A refused rival counts as an attempt, but nothing moves.
            if token.rival_tokens > 0 && draws.below(2) == 0 {
                sell(launchpad, &mut token, &mut draws);
            } else {
                self.buy(launchpad, &mut token, &mut draws, room);
            }
        }
        token
    }

    fn buy(&self, launchpad: &Launchpad, token: &mut TokenRow, draws: &mut Draws, room: &mut u64) {
        let lamports = 1 + draws.below(self.most_lamports());
        let Some(left) = room.checked_sub(lamports) else { return };
        let Ok(fill) = token.buys(launchpad, lamports) else { return };
        *room = left;
        token.rival_tokens += fill.tokens;
        token.rival_lamports += i128::from(fill.wallet_lamports);
        token.trade(&fill.curve_after, fill.fees);
    }
}

fn sell(launchpad: &Launchpad, token: &mut TokenRow, draws: &mut Draws) {
    let (held, tokens) = (token.rival_tokens, 1 + draws.below(token.rival_tokens));
    let Ok(fill) = token.sells(launchpad, tokens, held) else { return };
    token.rival_tokens = held - fill.tokens;
    token.rival_lamports -= i128::from(fill.wallet_lamports);
    token.trade(&fill.curve_after, fill.fees);
}
