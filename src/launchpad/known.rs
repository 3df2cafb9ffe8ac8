//! Buys of exact spends, with checks that are made once for many of them.

use super::curve::Curve;
use super::div::{div_rem_known_by, mul_div_known};
use super::fees::{BPS, FeeRates, OF_BPS, PLAIN_BELOW};

/// Virtual tokens below this keep every quotient exact.
const TOKENS_BELOW: u64 = 1 << 50;

/// Virtual lamports below this stay below 2⁵³ with any spend added.
const LAMPORTS_BELOW: u64 = 1 << 52;

/// Rates, with the numbers that splitting a spend needs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct KnownRates {
    protocol_bps: u64,
    whole_bps: u64,
    of_whole_bps: f64,
}

impl KnownRates {
    pub(super) fn of(rates: FeeRates) -> KnownRates {
        let whole_bps = BPS + rates.total_bps();
        let of_whole_bps = 1.0 / whole_bps as f64;
        KnownRates { protocol_bps: rates.protocol_bps().into(), whole_bps, of_whole_bps }
    }

    /// The part of a spend below [`PLAIN_BELOW`] that reaches the curve; zero if its fees take it all.
    #[inline(always)]
    pub(super) fn net_of(&self, spend_lamports: u64) -> u64 {
        let (net, rest) = div_rem_known_by(spend_lamports * BPS, self.whole_bps, self.of_whole_bps);
        // Net and rounded-up fees exceed the spend by a lamport if `0 < left < 10000 − rest`, and never by more. That
        // lamport is cut from the net.
        let (_, left) = div_rem_known_by(net * self.protocol_bps, BPS, OF_BPS);
        let cut = u64::from(left != 0) & u64::from(left + rest < BPS);
        net - cut
    }
}

/// A curve and its rates, prepared so that a price needs no further check.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct KnownBuys {
    virtual_token_reserves: u64,
    virtual_sol_reserves: u64,
    rates: KnownRates,
    first_spend: u64,
    /// The last spend minus the first one.
    more_lamports: u64,
}

impl KnownBuys {
    /// The buys of this curve. `None` if no spend buys, or if its numbers are too large to be left unchecked: virtual tokens
    /// from 2⁵⁰, lamports from 2⁵², spends from 2⁴⁹.
    ///
    /// ```
    /// use launchpad_desk::launchpad::{Launchpad, fees::FeeRates, known::KnownBuys};
    /// let buys = KnownBuys::of(&Launchpad::default().start, FeeRates::new(95, 30).unwrap()).unwrap();
    /// assert_eq!(buys.tokens_for(1_000_000_000), Some(34_199_203_120_618));
    /// assert_eq!(buys.tokens_for(1), None);
    /// ```
    pub fn of(curve: &Curve, rates: FeeRates) -> Option<KnownBuys> {
        let spends = curve.spends_that_buy(rates)?;
        let known = curve.virtual_token_reserves < TOKENS_BELOW
            && curve.virtual_sol_reserves < LAMPORTS_BELOW
            && *spends.end() < PLAIN_BELOW;
        known.then(|| KnownBuys {
            virtual_token_reserves: curve.virtual_token_reserves,
            virtual_sol_reserves: curve.virtual_sol_reserves,
            rates: KnownRates::of(rates),
            first_spend: *spends.start(),
            more_lamports: spends.end() - spends.start(),
        })
    }

    /// The tokens that a spend brings, fees included; `None` if the curve refuses it.
    #[inline(always)]
    pub fn tokens_for(&self, spend_lamports: u64) -> Option<u64> {
        // One comparison for both ends: a spend below the first one wraps to a large number.
        if spend_lamports.wrapping_sub(self.first_spend) > self.more_lamports {
            return None;
        }
        let counted = self.rates.net_of(spend_lamports).wrapping_sub(1);
        let divisor = self.virtual_sol_reserves.wrapping_add(counted);
        Some(mul_div_known(counted, self.virtual_token_reserves, divisor))
    }
}

/// A curve during many buys at the same rates.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct KnownSequence {
    curve: Curve,
    rates: KnownRates,
}

impl KnownSequence {
    /// The sequence that begins with this curve; `None` if its numbers are too large to be left unchecked.
    pub(super) fn from(curve: &Curve, rates: FeeRates) -> Option<KnownSequence> {
        let known = curve.check_open().is_ok()
            && curve.virtual_token_reserves < TOKENS_BELOW
            && curve.real_token_reserves <= curve.virtual_token_reserves
            // Both reserves of lamports rise together, and each buy checks the virtual ones.
            && curve.real_sol_reserves < LAMPORTS_BELOW;
        known.then(|| KnownSequence { curve: *curve, rates: KnownRates::of(rates) })
    }

    /// The curve as it is now.
    pub(super) fn curve(&self) -> Curve {
        self.curve
    }

    /// The tokens that the next spend brings. `None` if it must be checked; then the curve has not moved.
    #[inline(always)]
    pub(super) fn buy(&mut self, spend_lamports: u64) -> Option<u64> {
        let curve = &mut self.curve;
        if spend_lamports >= PLAIN_BELOW || curve.virtual_sol_reserves >= LAMPORTS_BELOW {
            return None;
        }
        let net = self.rates.net_of(spend_lamports);
        if net <= 1 {
            return None;
        }
        let divisor = curve.virtual_sol_reserves + net - 1;
        let tokens = mul_div_known(net - 1, curve.virtual_token_reserves, divisor);
        // The last token closes the curve: that buy must be checked.
        if tokens == 0 || tokens >= curve.real_token_reserves {
            return None;
        }
        curve.virtual_token_reserves -= tokens;
        curve.virtual_sol_reserves += net;
        curve.real_token_reserves -= tokens;
        curve.real_sol_reserves += net;
        Some(tokens)
    }
}
