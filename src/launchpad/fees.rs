//! What a trade pays to the protocol and to the token's creator.

use super::div::div_rem_known_by;

/// Basis points in a whole.
pub const BPS: u64 = 10_000;

/// The two fee rates of one trade, in basis points of the lamports that reach or leave the curve.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FeeRates {
    protocol_bps: u16,
    creator_bps: u16,
}

impl FeeRates {
    /// No fees: what the curve alone does.
    pub const NONE: FeeRates = FeeRates { protocol_bps: 0, creator_bps: 0 };

    /// Both rates; `None` where one is over 10,000 bps, the whole trade.
    pub const fn new(protocol_bps: u16, creator_bps: u16) -> Option<Self> {
        if protocol_bps as u64 > BPS || creator_bps as u64 > BPS {
            return None;
        }
        Some(FeeRates { protocol_bps, creator_bps })
    }

    /// The protocol's rate.
    pub const fn protocol_bps(self) -> u16 {
        self.protocol_bps
    }

    /// The creator's rate.
    pub const fn creator_bps(self) -> u16 {
        self.creator_bps
    }

    /// The same protocol rate and nothing for a creator: what a curve without a creator charges.
    pub const fn without_creator(self) -> Self {
        FeeRates { creator_bps: 0, ..self }
    }

    /// The same protocol rate and a creator's rate of the token's own; one over the whole trade counts as the whole.
    pub const fn with_creator(self, creator_bps: u16) -> Self {
        let most = BPS as u16;
        FeeRates { creator_bps: if creator_bps > most { most } else { creator_bps }, ..self }
    }

    /// Both rates added up, in basis points.
    pub const fn total_bps(self) -> u64 {
        self.protocol_bps as u64 + self.creator_bps as u64
    }

    /// Both fees on `lamports`, each ceiled on its own (so that the pair can exceed the ceiled sum by one):
    /// `ceil(lamports · bps / 10000)`.
    #[inline(always)]
    pub fn on(self, lamports: u64) -> Fees {
        if lamports < PLAIN_BELOW {
            return self.on_plain(lamports);
        }
        // The whole ten-thousands pay `bps` each; the rest is small.
        let fee = |bps: u16| {
            let bps = u64::from(bps);
            lamports / BPS * bps + (lamports % BPS * bps).div_ceil(BPS)
        };
        Fees { protocol_lamports: fee(self.protocol_bps), creator_lamports: fee(self.creator_bps) }
    }

    /// [`on`](FeeRates::on) for lamports below [`PLAIN_BELOW`].
    #[inline(always)]
    pub(super) fn on_plain(self, lamports: u64) -> Fees {
        // Rounding by a remainder would take a second division. A closure would be called, not inlined.
        Fees {
            protocol_lamports: fee_on_plain(lamports, self.protocol_bps),
            creator_lamports: fee_on_plain(lamports, self.creator_bps),
        }
    }
}

/// `ceil(lamports · bps / 10000)` of lamports below [`PLAIN_BELOW`].
#[inline(always)]
fn fee_on_plain(lamports: u64, bps: u16) -> u64 {
    div_rem_known_by(lamports * u64::from(bps) + ROUND_UP, BPS, OF_BPS).0
}

/// Both fees of one trade, in lamports.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Fees {
    pub protocol_lamports: u64,
    /// To the token's creator.
    pub creator_lamports: u64,
}

impl Fees {
    /// Both together, in 128 bits because each can fill 64.
    #[inline(always)]
    pub fn total(self) -> u128 {
        u128::from(self.protocol_lamports) + u128::from(self.creator_lamports)
    }
}

/// Added to the dividend, it turns a floored division by [`BPS`] into a ceiled one.
const ROUND_UP: u64 = BPS - 1;

/// One basis point of a whole.
pub(super) const OF_BPS: f64 = 1.0 / BPS as f64;

/// Amounts below this times 10,000 stay within 63 bits.
pub(super) const PLAIN_BELOW: u64 = 1 << 49;

/// The rates from a market cap upwards.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FeeTier {
    /// The market cap, in lamports, from which these rates hold.
    pub market_cap_threshold_lamports: u128,
    pub rates: FeeRates,
}

/// The tier that applies at a market cap of `cap_numerator / cap_denominator` lamports, floored: the one with the highest
/// threshold that is not above it, or the first tier. `None` if there are no tiers.
///
/// ```
/// use launchpad_desk::launchpad::fees::{FeeRates, FeeTier, tier_at};
/// let tier = |market_cap_threshold_lamports, bps| FeeTier {
///     market_cap_threshold_lamports,
///     rates: FeeRates::new(bps, 0).unwrap(),
/// };
/// let tiers = [tier(0, 95), tier(1_000, 50)];
/// assert_eq!(tier_at(&tiers, 999, 1), Some(tiers[0]));
/// assert_eq!(tier_at(&tiers, 1_000, 1), Some(tiers[1]));
/// ```
pub fn tier_at(tiers: &[FeeTier], cap_numerator: u128, cap_denominator: u64) -> Option<FeeTier> {
    let first = tiers.first()?;
    // floor(n / d) ≥ threshold is n ≥ threshold · d; a product past 128 bits is beyond any market.
    let reached = |tier: &&FeeTier| {
        let threshold = tier.market_cap_threshold_lamports.checked_mul(u128::from(cap_denominator));
        threshold.is_some_and(|threshold| cap_numerator >= threshold)
    };
    let highest = tiers.iter().filter(reached).max_by_key(|tier| tier.market_cap_threshold_lamports);
    Some(*highest.unwrap_or(first))
}
