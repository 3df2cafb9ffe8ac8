//! Who trades on a living market, and how often.

use super::draws::Draws;
use super::launch_plan::Launch;
use launchpad_desk::bindings::codes::codes;

codes! {
    /// How the rivals around a token behave. Append-only.
    #[non_exhaustive]
    Character, default Unnoticed {
        /// Hardly anyone notices the launch.
        Unnoticed = "unnoticed",
        /// Insiders buy together with the launch, and leave one by one.
        Bundled = "bundled",
        /// Insiders buy together with the launch, and leave all at once.
        Rug = "rug",
        /// Many buy, and fewer and fewer come: it dies slowly.
        Fading = "fading",
        /// Many trade it for some minutes: its price goes far, up or down.
        Runner = "runner",
        /// Crowds trade it for long: until its curve is complete, or all have left.
        Breakout = "breakout",
    }
}

codes! {
    /// Who made a trade of the market. Append-only.
    #[non_exhaustive]
    TraderKind, default Own {
        /// A wallet of the sandbox.
        Own = "own",
        /// A trader of a recording.
        Recorded = "recorded",
        /// Buys in the first moments of a token, and leaves within minutes.
        Sniper = "sniper",
        /// Buys when others just bought.
        Momentum = "momentum",
        /// Buys and sells for no reason.
        Noise = "noise",
        /// Bought early, and waits: a creator, above all.
        Holder = "holder",
        /// A wallet that the creator paid for: buys together with the launch, and leaves.
        Insider = "insider",
        /// Buys and sells again soon.
        Scalper = "scalper",
    }
}

impl Character {
    /// How a launch of this character goes.
    pub(super) const fn launch(self) -> &'static Launch {
        match self {
            Character::Unnoticed => &Launch::UNNOTICED,
            Character::Bundled => &Launch::BUNDLED,
            Character::Rug => &Launch::RUG,
            Character::Fading => &Launch::FADING,
            Character::Runner => &Launch::RUNNER,
            Character::Breakout => &Launch::BREAKOUT,
        }
    }

    /// The character of a new token.
    pub(super) fn drawn(draws: &mut Draws) -> Character {
        let mut drawn = draws.below(Launch::SHARES);
        let is_it = |character: &Character| {
            let (before, share) = (drawn, character.launch().share);
            drawn = drawn.saturating_sub(share);
            before < share
        };
        Character::ALL.into_iter().find(is_it).unwrap_or_default()
    }
}
