//! How a sandbox's market moves: by rival traders, or by a recording.

use super::recording::{self, RecordedTrade};
use launchpad_desk::amount::Digits;
use launchpad_desk::bindings::reader::{Reader, set};
use launchpad_desk::bindings::settings;

/// The most steps of a living market at once.
const MAX_STEPS: u64 = 100_000;

/// The longest step of a living market, in milliseconds.
const MAX_STEP_MS: u64 = 60_000;

settings! {
    /// The rival traders of a sandbox.
    MarketConfig {
        /// The seed of their trades: the same seed gives the same trades. Default: 1.
        seed: u64 => "number | bigint | string" optional,
        /// The most lamports one of them spends; a typical trade spends a hundredth of it. Default: 25000000000.
        max_lamports: u64 => "number | bigint | string" optional,
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
            max_lamports: 25_000_000_000,
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
        reader.set_whole("seed", &mut self.seed);
        set(&mut self.max_lamports, reader.whole_within("maxLamports", 1, u64::MAX));
        set(&mut self.alive, reader.boolean("alive"));
        let ms = |r: &mut Reader, name, least| r.whole_within(name, least, MAX_STEP_MS).map(|ms| ms as u32);
        set(&mut self.step_ms, ms(reader, "stepMs", 1));
        set(&mut self.in_flight_ms, ms(reader, "inFlightMs", 0));
        reader.set_count("launchEveryMs", 0, &mut self.launch_every_ms);
        reader.set_count("maxTokens", 0, &mut self.max_tokens);
        self.start_ms = reader.whole_within("startMs", 0, (1 << 53) - 1);
        reader.set_count("maxMarketTrades", 0, &mut self.max_market_trades);
        set(&mut self.replay, recording::read_all(reader, "replay"));
    }

    /// Whether anything happens as the market's time passes.
    pub(super) fn moves(&self) -> bool {
        self.alive || !self.replay.is_empty()
    }

    /// The market's time at the start.
    pub(super) fn starts_at(&self) -> u64 {
        self.start_ms.or_else(|| self.replay.first().map(|trade| trade.at_ms.get())).unwrap_or(0)
    }

    /// Whether this much time may pass at once: more would be a noticeable pause.
    pub(super) fn may_pass(&self, ms: u64) -> Result<(), String> {
        let most = if self.alive { MAX_STEPS * u64::from(self.step_ms) } else { 1 << 53 };
        match ms <= most {
            true => Ok(()),
            false => Err(["must be at most ", &most.digits(), ": advance in steps"].concat()),
        }
    }
}
