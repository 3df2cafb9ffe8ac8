//! Who trades on a living market, and how often.

use super::draws::Draws;
use super::launch_plan::Launch;
use crate::codes::codes;

codes! {
    /// What a living market is like. Append-only.
    MarketRegime, default Realistic {
        /// Most launches fail, as on real launchpads: insiders leave, attention fades, few tokens run, and fewer graduate.
        Realistic = "realistic",
        /// Rivals trade at a steady rate, and no token dies: for demos and tests.
        Calm = "calm",
    }
}

codes! {
    /// How the rivals around a token behave. The first four are those of a calm market. Append-only.
    Character, default Lively {
        /// Trades are few and small.
        Sleepy = "sleepy",
        /// Rivals buy and sell all the time.
        Lively = "lively",
        /// Buyers chase each rise and flee each fall.
        Hyped = "hyped",
        /// The first buyer sells into each rise.
        Doomed = "doomed",
        /// Hardly anyone notices the launch.
        Unnoticed = "unnoticed",
        /// Insiders buy together with the launch, and leave one by one.
        Bundled = "bundled",
        /// Insiders buy together with the launch, and leave at once, mostly within minutes.
        Rug = "rug",
        /// Many buy, and fewer and fewer come: it dies slowly.
        Fading = "fading",
        /// The price multiplies, and falls again.
        Runner = "runner",
        /// Buyers keep coming until the curve is complete.
        Breakout = "breakout",
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
        /// Bought together with the launch, and leaves once others have bought.
        Insider = "insider",
        /// Sells into strength: as soon as others, or you, have raised the price a little.
        Scalper = "scalper",
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

/// What a character makes rivals do.
#[derive(Clone, Copy, Debug)]
pub(super) enum Behaviour {
    /// In each step of the market they act with the same chance, for ever.
    Steady(Activity),
    /// They come and go as a launch goes.
    Launch(&'static Launch),
}

impl Behaviour {
    /// How the launch goes, if it is one.
    pub(super) fn launch(self) -> Option<&'static Launch> {
        match self {
            Behaviour::Launch(launch) => Some(launch),
            Behaviour::Steady(_) => None,
        }
    }
}

impl Character {
    /// The characters of a calm market.
    pub(super) const CALM: [Character; 4] =
        [Character::Sleepy, Character::Lively, Character::Hyped, Character::Doomed];

    /// The characters of a realistic market.
    pub(super) const REALISTIC: [Character; 6] = [
        Character::Unnoticed,
        Character::Bundled,
        Character::Rug,
        Character::Fading,
        Character::Runner,
        Character::Breakout,
    ];

    pub(super) const fn behaviour(self) -> Behaviour {
        match self {
            Character::Sleepy => Behaviour::Steady(Activity {
                noise: 600,
                momentum: 200,
                dump: 10,
                buys: 5_000,
                sells_percent: 35,
                spends_one_of: 4,
            }),
            Character::Lively => Behaviour::Steady(Activity {
                noise: 2_500,
                momentum: 1_500,
                dump: 40,
                buys: 6_500,
                sells_percent: 35,
                spends_one_of: 4,
            }),
            Character::Hyped => Behaviour::Steady(Activity {
                noise: 5_000,
                momentum: 4_000,
                dump: 60,
                buys: 8_500,
                sells_percent: 15,
                spends_one_of: 2,
            }),
            Character::Doomed => Behaviour::Steady(Activity {
                noise: 2_000,
                momentum: 1_000,
                dump: 1_500,
                buys: 5_500,
                sells_percent: 50,
                spends_one_of: 4,
            }),
            Character::Unnoticed => Behaviour::Launch(&Launch::UNNOTICED),
            Character::Bundled => Behaviour::Launch(&Launch::BUNDLED),
            Character::Rug => Behaviour::Launch(&Launch::RUG),
            Character::Fading => Behaviour::Launch(&Launch::FADING),
            Character::Runner => Behaviour::Launch(&Launch::RUNNER),
            Character::Breakout => Behaviour::Launch(&Launch::BREAKOUT),
        }
    }

    /// The character of a new token.
    pub(super) fn drawn(regime: MarketRegime, draws: &mut Draws) -> Character {
        match regime {
            MarketRegime::Calm => {
                let drawn = draws.below(Character::CALM.len() as u64) as usize;
                Character::CALM.get(drawn).copied().unwrap_or_default()
            }
            MarketRegime::Realistic => {
                let mut drawn = draws.below(Launch::SHARES);
                let mut is_it = |character: &Character| {
                    let Behaviour::Launch(launch) = character.behaviour() else { return false };
                    let before = drawn;
                    drawn = drawn.saturating_sub(launch.share);
                    before < launch.share
                };
                Character::REALISTIC
                    .into_iter()
                    .find(|character| is_it(character))
                    .unwrap_or(Character::Unnoticed)
            }
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
