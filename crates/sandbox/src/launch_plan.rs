//! How each kind of launch goes, in numbers.

/// How a launch goes. Rates are per billion milliseconds, spends are in hundredths of the market's `maxLamports`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Launch {
    /// How many of [`Launch::SHARES`] launches are like this.
    pub(super) share: u64,
    /// What insiders spend together with the launch, in the median.
    pub(super) bundle: u64,
    /// How many wallets they have.
    pub(super) insiders: u64,
    /// How often one of them leaves.
    pub(super) leaving: u64,
    /// Whether all of them leave at once.
    pub(super) together: bool,
    /// How many snipers buy in the launch's own step, at most.
    pub(super) snipers: u64,
    /// How many buyers come at first, in the median of such launches.
    pub(super) interest: u64,
    /// The time after which a quarter of them still come, in milliseconds.
    pub(super) fades_ms: u64,
    /// How many more come when the curve's lamports have doubled, in percent.
    pub(super) pull: u64,
}

impl Launch {
    /// The total of all shares.
    pub(super) const SHARES: u64 = 10_000;

    pub(super) const UNNOTICED: Launch = Launch {
        share: 3_880,
        bundle: 2,
        insiders: 1,
        leaving: 4_000,
        together: false,
        snipers: 2,
        interest: 15_000,
        fades_ms: 120_000,
        pull: 0,
    };

    pub(super) const BUNDLED: Launch = Launch {
        share: 2_300,
        bundle: 24,
        insiders: 4,
        leaving: 14_000,
        snipers: 4,
        interest: 160_000,
        fades_ms: 120_000,
        ..Launch::UNNOTICED
    };

    pub(super) const RUG: Launch = Launch {
        share: 2_000,
        bundle: 28,
        insiders: 5,
        leaving: 16_000,
        together: true,
        interest: 200_000,
        fades_ms: 90_000,
        ..Launch::BUNDLED
    };

    pub(super) const FADING: Launch = Launch {
        share: 1_250,
        bundle: 10,
        insiders: 2,
        leaving: 5_000,
        interest: 120_000,
        fades_ms: 400_000,
        ..Launch::BUNDLED
    };

    pub(super) const RUNNER: Launch = Launch {
        share: 320,
        bundle: 20,
        insiders: 3,
        leaving: 6_000,
        snipers: 5,
        interest: 450_000,
        fades_ms: 200_000,
        pull: 20,
        ..Launch::BUNDLED
    };

    pub(super) const BREAKOUT: Launch =
        Launch { share: 250, interest: 2_500_000, fades_ms: 900_000, pull: 80, ..Launch::RUNNER };
}
