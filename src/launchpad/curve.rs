//! The bonding curve: virtual reserves that set the price, real reserves that bound it.
//!
//! Every formula is the launchpad program's own, executed and recorded in `tests/vectors`: whole numbers, each
//! division rounded against the trader.

use super::div::{div_known, mul_div_ceil, mul_div_floor};
use super::fees::{BPS, FeeRates, Fees, PLAIN_BELOW};
use super::refusal::Refusal;
use crate::record;

record! {
    /// A curve's reserves. Tokens in base units.
    #[derive(Copy, Default)]
    Curve as "CurveReserves" {
        /// Virtual tokens, which set the price.
        virtual_token_reserves: u64 => "bigint",
        /// Virtual lamports, which set the price.
        virtual_sol_reserves: u64 => "bigint",
        /// Tokens left to buy.
        real_token_reserves: u64 => "bigint",
        /// Lamports available to pay sellers.
        real_sol_reserves: u64 => "bigint",
    }
}

/// What one trade moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fill {
    /// Tokens between wallet and curve, in base units.
    pub tokens: u64,
    /// Lamports between wallet and curve, before fees. Fees never enter the curve.
    pub curve_lamports: u64,
    /// The fees, both paid by the wallet.
    pub fees: Fees,
    /// What the wallet pays in all (a buy) or receives in all (a sell), in lamports.
    pub wallet_lamports: u64,
    /// The curve after the trade.
    pub curve_after: Curve,
}

impl Curve {
    /// Whether every token is sold. A complete curve stops trading.
    #[inline(always)]
    pub const fn is_complete(&self) -> bool {
        self.real_token_reserves == 0
    }

    /// Buys exactly `tokens`, for at most `max_lamports` with fees.
    ///
    /// `sol = tokens · vs / (vt − tokens) + 1`, with one added even if the division is exact; the wallet pays `sol + fee(sol,
    /// protocol) + fee(sol, creator)`.
    ///
    /// ```
    /// use launchpad_desk::launchpad::{Launchpad, fees::FeeRates};
    /// let curve = Launchpad::default().start;
    /// let rates = FeeRates::new(95, 30).unwrap();
    /// let fill = curve.buy_exact_out(34_199_203_120_618, u64::MAX, rates).unwrap();
    /// assert_eq!((fill.curve_lamports, fill.wallet_lamports), (987_654_319, 999_999_999));
    /// ```
    ///
    /// # Errors
    ///
    /// [`Refusal::ZeroAmount`], [`Refusal::EmptyCurve`], [`Refusal::CurveComplete`],
    /// [`Refusal::NotEnoughTokensOnCurve`], [`Refusal::AboveMaximumCost`], [`Refusal::Overflow`].
    #[inline]
    pub fn buy_exact_out(&self, tokens: u64, max_lamports: u64, rates: FeeRates) -> Result<Fill, Refusal> {
        if tokens == 0 {
            return Err(Refusal::ZeroAmount);
        }
        self.check_open()?;
        if tokens > self.real_token_reserves || tokens >= self.virtual_token_reserves {
            return Err(Refusal::NotEnoughTokensOnCurve);
        }
        let left = self.virtual_token_reserves - tokens;
        // A quotient past 64 bits is past any maximum too.
        let curve_lamports = mul_div_floor(tokens, self.virtual_sol_reserves, left)
            .and_then(|lamports| lamports.checked_add(1))
            .ok_or(Refusal::AboveMaximumCost)?;
        let fees = rates.on(curve_lamports);
        let wallet_lamports = u64::try_from(u128::from(curve_lamports) + fees.total())
            .ok()
            .filter(|lamports| *lamports <= max_lamports)
            .ok_or(Refusal::AboveMaximumCost)?;
        let curve_after = self.after_buy(tokens, curve_lamports)?;
        Ok(Fill { tokens, curve_lamports, fees, wallet_lamports, curve_after })
    }

    /// Spends at most `spend_lamports`, fees included, on at least `min_tokens`.
    ///
    /// `net = spend · 10000 / (10000 + protocol + creator)`, minus the amount by which net and its two ceiled fees exceed the
    /// spend; `tokens = (net − 1) · vt / (vs + net − 1)`.
    ///
    /// ```
    /// use launchpad_desk::launchpad::{Launchpad, fees::FeeRates};
    /// let curve = Launchpad::default().start;
    /// let rates = FeeRates::new(95, 30).unwrap();
    /// let fill = curve.buy_exact_in(1_000_000_000, 1, rates).unwrap();
    /// assert_eq!(fill.tokens, 34_199_203_120_618);
    /// assert_eq!(fill.wallet_lamports, 1_000_000_000);
    /// ```
    ///
    /// # Errors
    ///
    /// [`Refusal::EmptyCurve`], [`Refusal::CurveComplete`], [`Refusal::SpendDoesNotCoverFees`],
    /// [`Refusal::BelowMinimumTokens`], [`Refusal::NotEnoughTokensOnCurve`], [`Refusal::Overflow`].
    #[inline]
    pub fn buy_exact_in(
        &self,
        spend_lamports: u64,
        min_tokens: u64,
        rates: FeeRates,
    ) -> Result<Fill, Refusal> {
        let (spend, tokens) = self.exact_in(spend_lamports, rates)?;
        if tokens < min_tokens {
            return Err(Refusal::BelowMinimumTokens);
        }
        if tokens > self.real_token_reserves {
            return Err(Refusal::NotEnoughTokensOnCurve);
        }
        let curve_after = self.after_buy(tokens, spend.net_lamports)?;
        Ok(Fill {
            tokens,
            curve_lamports: spend.net_lamports,
            fees: spend.fees,
            wallet_lamports: spend.wallet_lamports,
            curve_after,
        })
    }

    /// How a spend is split, and the tokens it brings, whether or not the curve has that many.
    #[inline(always)]
    pub(super) fn exact_in(&self, spend_lamports: u64, rates: FeeRates) -> Result<(Spend, u64), Refusal> {
        self.check_open()?;
        let spend = Spend::split(spend_lamports, rates)?;
        Ok((spend, self.tokens_for(spend.net_lamports)?))
    }

    /// [`buy_exact_out`](Curve::buy_exact_out), or all that is left if the curve has fewer tokens.
    /// Fails as [`buy_exact_out`](Curve::buy_exact_out).
    pub fn buy_exact_out_or_rest(
        &self,
        tokens: u64,
        max_lamports: u64,
        rates: FeeRates,
    ) -> Result<Fill, Refusal> {
        self.check_open()?;
        self.buy_exact_out(tokens.min(self.real_token_reserves), max_lamports, rates)
    }

    /// [`buy_exact_in`](Curve::buy_exact_in), or all that is left if the spend would buy more. Then it costs as much as buying
    /// just those tokens, which is never more than the spend.
    ///
    /// # Errors
    ///
    /// As [`buy_exact_in`](Curve::buy_exact_in), without [`Refusal::NotEnoughTokensOnCurve`] for a spend that is merely too
    /// large.
    pub fn buy_exact_in_or_rest(
        &self,
        spend_lamports: u64,
        min_tokens: u64,
        rates: FeeRates,
    ) -> Result<Fill, Refusal> {
        let overflowed = match self.buy_exact_in(spend_lamports, min_tokens, rates) {
            Err(Refusal::NotEnoughTokensOnCurve) => false,
            // A spend too large for 64 bits of reserves is normally too large for the curve as well.
            Err(Refusal::Overflow) => true,
            decided => return decided,
        };
        if self.real_token_reserves < min_tokens {
            return Err(Refusal::BelowMinimumTokens);
        }
        let rest = self.buy_exact_out(self.real_token_reserves, spend_lamports, rates);
        rest.map_err(|refusal| if overflowed { Refusal::Overflow } else { refusal })
    }

    /// Sells exactly `tokens` of the `held_tokens`, for at least `min_lamports` after fees.
    ///
    /// `sol = tokens · vs / (vt + tokens)`; the wallet receives `sol − fee(sol, protocol) − fee(sol, creator)`.
    ///
    /// ```
    /// use launchpad_desk::launchpad::{Launchpad, fees::FeeRates};
    /// let rates = FeeRates::new(95, 30).unwrap();
    /// let bought = Launchpad::default().start.buy_exact_in(1_000_000_000, 1, rates).unwrap();
    /// let sold = bought.curve_after.sell_exact_in(bought.tokens, bought.tokens, 0, rates).unwrap();
    /// assert_eq!((sold.curve_lamports, sold.wallet_lamports), (987_654_319, 975_308_639));
    /// ```
    ///
    /// # Errors
    ///
    /// [`Refusal::ZeroAmount`], [`Refusal::EmptyCurve`], [`Refusal::CurveComplete`],
    /// [`Refusal::NotEnoughTokensHeld`], [`Refusal::FeesOrReservesExceeded`],
    /// [`Refusal::BelowMinimumLamports`], [`Refusal::Overflow`].
    #[inline]
    pub fn sell_exact_in(
        &self,
        tokens: u64,
        held_tokens: u64,
        min_lamports: u64,
        rates: FeeRates,
    ) -> Result<Fill, Refusal> {
        if tokens > held_tokens {
            return Err(Refusal::NotEnoughTokensHeld);
        }
        let (curve_lamports, fees, wallet_lamports) = self.sold(tokens, rates)?;
        if wallet_lamports < min_lamports {
            return Err(Refusal::BelowMinimumLamports);
        }
        if curve_lamports > self.real_sol_reserves {
            return Err(Refusal::FeesOrReservesExceeded);
        }
        let curve_after = self.after_sell(tokens, curve_lamports)?;
        Ok(Fill { tokens, curve_lamports, fees, wallet_lamports, curve_after })
    }

    /// What selling this many tokens brings, after fees, in lamports: the `wallet_lamports` of
    /// [`sell_exact_in`](Curve::sell_exact_in) of a wallet that has them and takes any price. `None` if that would be refused.
    #[inline]
    pub fn worth_of(&self, tokens: u64, rates: FeeRates) -> Option<u64> {
        let (curve_lamports, _, wallet_lamports) = self.sold(tokens, rates).ok()?;
        let fits = self.real_token_reserves.checked_add(tokens).is_some();
        (fits && curve_lamports <= self.real_sol_reserves).then_some(wallet_lamports)
    }

    /// What a sell takes from the curve, its fees, and what is left for the wallet.
    #[inline(always)]
    fn sold(&self, tokens: u64, rates: FeeRates) -> Result<(u64, Fees, u64), Refusal> {
        if tokens == 0 {
            return Err(Refusal::ZeroAmount);
        }
        self.check_open()?;
        let curve_lamports = self.lamports_for(tokens)?;
        let fees = rates.on(curve_lamports);
        let wallet_lamports = after_fees(curve_lamports, fees).ok_or(Refusal::FeesOrReservesExceeded)?;
        Ok((curve_lamports, fees, wallet_lamports))
    }

    /// The spot price: `vs` lamports for `vt` base units.
    pub const fn spot_price(&self) -> Price {
        Price { lamports: self.virtual_sol_reserves, tokens: self.virtual_token_reserves }
    }

    /// What the whole supply is worth at the spot price: `vs · supply / vt` lamports, floored.
    ///
    /// # Errors
    ///
    /// [`Refusal::EmptyCurve`] if there are no virtual tokens.
    pub fn market_cap_lamports(&self, token_supply: u64) -> Result<u128, Refusal> {
        match mul_div_floor(self.virtual_sol_reserves, token_supply, self.virtual_token_reserves) {
            Some(lamports) => Ok(u128::from(lamports)),
            // Past 64 bits, or a division by zero.
            None => (u128::from(self.virtual_sol_reserves) * u128::from(token_supply))
                .checked_div(u128::from(self.virtual_token_reserves))
                .ok_or(Refusal::EmptyCurve),
        }
    }

    /// Tokens that `net_lamports` (one or more) bring: `(net − 1) · vt / (vs + net − 1)`, floored.
    #[inline(always)]
    pub(super) fn tokens_for(&self, net_lamports: u64) -> Result<u64, Refusal> {
        let counted = net_lamports - 1;
        let divisor = self.virtual_sol_reserves.checked_add(counted).ok_or(Refusal::Overflow)?;
        mul_div_floor(counted, self.virtual_token_reserves, divisor).ok_or(Refusal::EmptyCurve)
    }

    /// The fewest net lamports that bring `tokens`, the inverse of [`tokens_for`](Curve::tokens_for): `ceil(tokens · vs / (vt −
    /// tokens)) + 1`. `None` if no amount does.
    pub(super) fn net_lamports_for(&self, tokens: u64) -> Option<u64> {
        let left = self.virtual_token_reserves.checked_sub(tokens)?;
        mul_div_ceil(tokens, self.virtual_sol_reserves, left)?.checked_add(1)
    }

    /// Lamports that `tokens` bring before fees: `tokens · vs / (vt + tokens)`, floored.
    #[inline(always)]
    pub(super) fn lamports_for(&self, tokens: u64) -> Result<u64, Refusal> {
        let divisor = self.virtual_token_reserves.checked_add(tokens).ok_or(Refusal::Overflow)?;
        mul_div_floor(tokens, self.virtual_sol_reserves, divisor).ok_or(Refusal::EmptyCurve)
    }

    /// The fewest tokens that bring `curve_lamports` before fees, the inverse of [`lamports_for`](Curve::lamports_for):
    /// `ceil(sol · vt / (vs − sol))`. `None` if no amount does.
    pub(super) fn tokens_to_sell_for(&self, curve_lamports: u64) -> Option<u64> {
        let left = self.virtual_sol_reserves.checked_sub(curve_lamports)?;
        mul_div_ceil(curve_lamports, self.virtual_token_reserves, left)
    }

    /// The most lamports that fit into 64 bits of reserves.
    pub(super) fn most_lamports_in(&self) -> u64 {
        u64::MAX - self.virtual_sol_reserves.max(self.real_sol_reserves)
    }

    #[inline(always)]
    pub(super) fn check_open(&self) -> Result<(), Refusal> {
        if self.is_complete() {
            return Err(Refusal::CurveComplete);
        }
        if self.virtual_token_reserves == 0 || self.virtual_sol_reserves == 0 {
            return Err(Refusal::EmptyCurve);
        }
        Ok(())
    }

    #[inline(always)]
    pub(super) fn after_buy(&self, tokens: u64, lamports: u64) -> Result<Curve, Refusal> {
        Ok(Curve {
            virtual_token_reserves: self
                .virtual_token_reserves
                .checked_sub(tokens)
                .ok_or(Refusal::Overflow)?,
            virtual_sol_reserves: self.virtual_sol_reserves.checked_add(lamports).ok_or(Refusal::Overflow)?,
            real_token_reserves: self.real_token_reserves.checked_sub(tokens).ok_or(Refusal::Overflow)?,
            real_sol_reserves: self.real_sol_reserves.checked_add(lamports).ok_or(Refusal::Overflow)?,
        })
    }

    #[inline(always)]
    fn after_sell(&self, tokens: u64, lamports: u64) -> Result<Curve, Refusal> {
        Ok(Curve {
            virtual_token_reserves: self
                .virtual_token_reserves
                .checked_add(tokens)
                .ok_or(Refusal::Overflow)?,
            virtual_sol_reserves: self.virtual_sol_reserves.checked_sub(lamports).ok_or(Refusal::Overflow)?,
            real_token_reserves: self.real_token_reserves.checked_add(tokens).ok_or(Refusal::Overflow)?,
            real_sol_reserves: self.real_sol_reserves.checked_sub(lamports).ok_or(Refusal::Overflow)?,
        })
    }
}

/// A price as an exact ratio: this many lamports for this many base units.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Price {
    /// Lamports.
    pub lamports: u64,
    /// Base units of the token.
    pub tokens: u64,
}

impl Price {
    /// Lamports for one whole token of `decimals` fraction digits, scaled by 10⁹ and floored: nano-lamports a
    /// token. `None` for a price of no tokens, more than 18 decimals, or a result past 128 bits.
    pub fn nano_lamports_per_token(self, decimals: u8) -> Option<u128> {
        if decimals > 18 || self.tokens == 0 {
            return None;
        }
        let (whole, rest) = (self.lamports / self.tokens, self.lamports % self.tokens);
        // With few decimals the scale has 64 bits, and the division is fast.
        let part = |scale| Some((scale, mul_div_floor(rest, scale, self.tokens)?));
        if let Some((scale, part)) = 10u64.checked_pow(u32::from(decimals) + 9).and_then(part) {
            return Some(u128::from(whole) * u128::from(scale) + u128::from(part));
        }
        let scale = 10u128.pow(u32::from(decimals) + 9);
        let part = u128::from(rest).checked_mul(scale)? / u128::from(self.tokens);
        u128::from(whole).checked_mul(scale)?.checked_add(part)
    }
}

/// A sale minus its fees; `None` if they exceed it.
#[inline(always)]
pub(super) fn after_fees(curve_lamports: u64, fees: Fees) -> Option<u64> {
    curve_lamports.checked_sub(fees.protocol_lamports)?.checked_sub(fees.creator_lamports)
}

/// A spend, split into what reaches the curve and its fees.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Spend {
    pub(super) net_lamports: u64,
    pub(super) fees: Fees,
    /// Net and fees together: never more than the spend, sometimes a lamport or two less.
    pub(super) wallet_lamports: u64,
}

impl Spend {
    #[inline(always)]
    pub(super) fn split(spend_lamports: u64, rates: FeeRates) -> Result<Spend, Refusal> {
        let net = net_before_fees(spend_lamports, rates);
        // The net is never over the spend.
        let fees = if spend_lamports < PLAIN_BELOW { rates.on_plain(net) } else { rates.on(net) };
        let spend = Spend::cut(spend_lamports, net, fees);
        // Each fee is at least a lamport unless its rate is zero, so the cut can take all of a small net.
        if net == 0 || spend.net_lamports == 0 || spend.net_lamports > net {
            return Err(Refusal::SpendDoesNotCoverFees);
        }
        Ok(spend)
    }

    /// Takes the amount by which net and fees exceed the spend from the net.
    #[inline(always)]
    pub(super) fn cut(spend_lamports: u64, net: u64, fees: Fees) -> Spend {
        // Net and fees differ from the spend by a few lamports at most, so the difference modulo 2⁶⁴ is exact.
        let total = net.wrapping_add(fees.protocol_lamports).wrapping_add(fees.creator_lamports);
        // About every other spend is exceeded, so this has no branch: no processor could predict it.
        let cut = (total.wrapping_sub(spend_lamports) as i64).max(0) as u64;
        Spend { net_lamports: net.wrapping_sub(cut), fees, wallet_lamports: total.wrapping_sub(cut) }
    }
}

/// `spend · 10000 / (10000 + protocol + creator)`, floored, without leaving 64 bits.
#[inline]
pub(super) fn net_before_fees(spend_lamports: u64, rates: FeeRates) -> u64 {
    let divisor = BPS + rates.total_bps();
    if spend_lamports < PLAIN_BELOW {
        div_known(spend_lamports * BPS, divisor)
    } else {
        // The whole part of the quotient and the rest, each separately.
        spend_lamports / divisor * BPS + spend_lamports % divisor * BPS / divisor
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::launchpad::plan::SplitMix64;

    #[test]
    fn what_a_sell_is_worth_is_what_the_whole_sell_pays() {
        let mut random = SplitMix64 { state: 27 };
        let mut refused = 0;
        for _ in 0..50_000 {
            let mut amount = || {
                let shift = random.below(64);
                random.below(u64::MAX) >> shift
            };
            let curve = Curve {
                virtual_token_reserves: amount(),
                virtual_sol_reserves: amount(),
                real_token_reserves: amount(),
                real_sol_reserves: amount(),
            };
            let (tokens, rest) = (amount(), amount());
            let rates = FeeRates::new((rest % 10_001) as u16, (rest >> 32) as u16 % 10_001).unwrap();
            for tokens in [tokens, 0, 1, u64::MAX] {
                let sold = curve.sell_exact_in(tokens, tokens, 0, rates);
                assert_eq!(curve.worth_of(tokens, rates), sold.ok().map(|fill| fill.wallet_lamports));
                refused += u32::from(sold.is_err());
            }
        }
        assert!((50_000..150_000).contains(&refused), "{refused}");
    }
}
