//! Who trades on a living market, and how often.

use crate::codes::codes;

codes! {
    /// How the rivals around a token behave. Append-only.
    Character, default Lively {
        /// Trades are few and small.
        Sleepy = "sleepy",
        /// Rivals buy and sell all the time.
        Lively = "lively",
        /// Buyers chase each rise and flee each fall.
        Hyped = "hyped",
        /// The first buyer sells into each rise.
        Doomed = "doomed",
    }
}

codes! {
    /// Who made a trade of the market. Append-only.
    TraderKind, default Own {
        /// A wallet of the sandbox.
        Own = "own",
        /// A trader of a recording.
        Recorded = "recorded",
        /// Buys in the first moments of a token, and sells at twice the price.
        Sniper = "sniper",
        /// Buys what rises, and sells what falls.
        Momentum = "momentum",
        /// Buys and sells for no reason.
        Noise = "noise",
        /// Bought early, and sells in large parts.
        Dumper = "dumper",
        /// Bought early, and waits.
        Holder = "holder",
    }
}

/// How often things happen: of 10,000 steps of the market.
#[derive(Clone, Copy, Debug)]
pub(super) struct Activity {
    /// Noise trades.
    pub(super) noise: u64,
    /// A momentum trader follows a movement.
    pub(super) momentum: u64,
    /// The dumper sells while the price does not fall.
    pub(super) dump: u64,
    /// How many of 10,000 noise trades buy.
    pub(super) buys: u64,
    /// How much of its holding a noise trader sells at most, in percent.
    pub(super) sells_percent: u64,
    /// A noise trader spends at most the market's maximum divided by this.
    pub(super) spends_one_of: u64,
}

impl Character {
    pub(super) const fn activity(self) -> Activity {
        match self {
            Character::Sleepy => Activity {
                noise: 600,
                momentum: 200,
                dump: 10,
                buys: 5_000,
                sells_percent: 35,
                spends_one_of: 4,
            },
            Character::Lively => Activity {
                noise: 2_500,
                momentum: 1_500,
                dump: 40,
                buys: 6_500,
                sells_percent: 35,
                spends_one_of: 4,
            },
            Character::Hyped => Activity {
                noise: 5_000,
                momentum: 4_000,
                dump: 60,
                buys: 8_500,
                sells_percent: 15,
                spends_one_of: 2,
            },
            Character::Doomed => Activity {
                noise: 2_000,
                momentum: 1_000,
                dump: 1_500,
                buys: 5_500,
                sells_percent: 50,
                spends_one_of: 4,
            },
        }
    }
}

impl TraderKind {
    /// The rivals that act in each step of a living market, in this order.
    pub(super) const RIVALS: [TraderKind; 4] =
        [TraderKind::Sniper, TraderKind::Dumper, TraderKind::Momentum, TraderKind::Noise];

    /// How many wallets of that kind trade around one token.
    pub(super) const fn wallets(self) -> u64 {
        match self {
            TraderKind::Sniper | TraderKind::Momentum => 3,
            TraderKind::Noise => 12,
            _ => 1,
        }
    }
}
