//! What a backtest starts with.

use std::collections::BTreeMap;
use std::sync::Arc;

use launchpad_desk::amount::{Slippage, SlippageUnit};
use launchpad_desk::launchpad::Token;
use launchpad_desk::launchpad::cost::Priority;
use launchpad_desk::launchpad::rules::RulesByDay;
use launchpad_desk::strategy::plan::ExitPlan;

/// What a backtest starts with.
#[derive(Clone, Debug)]
pub struct BacktestTerms {
    /// The launchpad's rules: each trade has those of its time on the tape.
    pub launchpad: RulesByDay,
    /// Each token before its first trade on the tape.
    pub start: Token,
    /// Tokens that stood elsewhere than `start`, by their mints.
    pub starts: BTreeMap<String, Token>,
    /// What the wallet has, in lamports.
    pub lamports: u64,
    /// Milliseconds from a decision until its order arrives: one of these, drawn each time. None is zero.
    pub latency_ms: Vec<u64>,
    /// How often the exits look, in milliseconds since their position was opened, as a program does that asks for prices. Zero: after each
    /// trade of their token.
    pub look_every_ms: u64,
    /// The priority of each order, unless an exit plan says otherwise.
    pub priority: Priority,
    /// How far the price may move until an order arrives, in parts per million, unless the order or its exit plan says otherwise.
    pub slippage_ppm: u32,
    /// The unit of a bare slippage of an exit plan, and of a request that is compared: that of the client which sends it.
    pub slippage_unit: SlippageUnit,
    /// What the latency is drawn from.
    pub seed: u64,
    /// Buys at times that are known beforehand.
    pub entry: Option<BacktestEntry>,
    /// When the positions of `entry` are left. Without it they are held to the end.
    pub exits: Option<Arc<ExitPlan>>,
    /// Buys that are each left by an exit plan of their own, in the order of their times.
    pub signals: Vec<BacktestSignal>,
}

/// When to buy each token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BacktestEntry {
    /// What to spend, fees included, in lamports.
    pub lamports: u64,
    /// How long after the token's first trade on the tape, in milliseconds.
    pub after_ms: u64,
    /// Buys again this long after the position was left, or after a buy that came to nothing (then at least a second later), in milliseconds.
    /// Default: never.
    pub every_ms: Option<u64>,
}

/// A buy at a time that is known beforehand.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BacktestSignal {
    /// The token's number on the tape.
    pub mint: u32,
    /// When, in milliseconds of the tape.
    pub at_ms: u64,
    /// What to spend, fees included, in lamports.
    pub lamports: u64,
    /// When to leave. Default: at the end.
    pub exits: Option<Arc<ExitPlan>>,
}

impl BacktestTerms {
    /// A token before its first trade on the tape.
    pub(super) fn start_of(&self, mint: &str) -> Token {
        self.starts.get(mint).copied().unwrap_or(self.start)
    }

    /// Tokens that have just been created, no latency, no priority, the service's slippage, and nothing that buys.
    pub fn new(launchpad: impl Into<RulesByDay>, lamports: u64) -> BacktestTerms {
        let launchpad = launchpad.into();
        BacktestTerms {
            start: launchpad.newest().new_token(),
            starts: BTreeMap::new(),
            launchpad,
            lamports,
            latency_ms: Vec::new(),
            look_every_ms: 0,
            priority: Priority::default(),
            slippage_ppm: Slippage::DEFAULT_PPM,
            slippage_unit: SlippageUnit::default(),
            seed: 0,
            entry: None,
            exits: None,
            signals: Vec::new(),
        }
    }
}
