//! How each kind of launch goes, in numbers.

/// How a launch goes. Rates are per billion milliseconds.
#[derive(Clone, Copy, Debug)]
pub(super) struct Launch {
    /// How many of [`Launch::SHARES`] launches are like this.
    pub(super) share: u64,
    /// How many wallets insiders have.
    pub(super) insiders: u64,
    /// Whether all of them leave at once.
    pub(super) together: bool,
    /// How many snipers buy in the launch's own step, at most.
    pub(super) snipers: u64,
    /// How many of 100 who want to sell frighten most others.
    pub(super) panics: u64,
    /// How many come at first, in the median of such launches.
    pub(super) interest: u64,
    /// The time after which a quarter of them still come, in milliseconds.
    pub(super) fades_ms: u64,
}

impl Launch {
    /// The total of all shares.
    pub(super) const SHARES: u64 = 10_000;

    pub(super) const UNNOTICED: Launch = Launch {
        share: 5_700,
        insiders: 0,
        together: false,
        snipers: 3,
        panics: 5,
        interest: 15_000,
        fades_ms: 120_000,
    };

    pub(super) const BUNDLED: Launch =
        Launch { share: 100, insiders: 4, snipers: 4, interest: 160_000, ..Launch::UNNOTICED };

    pub(super) const RUG: Launch =
        Launch { together: true, insiders: 5, fades_ms: 90_000, ..Launch::BUNDLED };

    pub(super) const FADING: Launch =
        Launch { share: 2_400, snipers: 4, interest: 120_000, fades_ms: 300_000, ..Launch::UNNOTICED };

    pub(super) const RUNNER: Launch = Launch {
        share: 1_200,
        snipers: 12,
        panics: 12,
        interest: 160_000,
        fades_ms: 600_000,
        ..Launch::UNNOTICED
    };

    pub(super) const BREAKOUT: Launch = Launch {
        share: 500,
        snipers: 20,
        panics: 20,
        interest: 500_000,
        fades_ms: 1_800_000,
        ..Launch::RUNNER
    };
}
