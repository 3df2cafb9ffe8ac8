//! The launchpad as data: the numbers that its operators and the network can change, with the date they were read.

use std::num::NonZeroU16;

use super::account::{NEWER_TOKEN_ACCOUNT_BYTES, rent_lamports};
use super::cost::NetworkRates;
use super::curve::{Curve, Fill};
use super::fees::{FeeRates, FeeTier, tier_at};
use super::refusal::Refusal;
use crate::codes::codes;

codes! {
    /// What a buy past the end of the curve does.
    Completion, default Reject {
        /// It is refused.
        Reject = "reject",
        /// It buys the remainder.
        Partial = "partial",
        /// It is filled from the future pool, which cannot be priced yet: it is refused by that name.
        Pool = "pool",
    }
}

/// A launchpad's configuration. The default has the newest numbers of [`rules`](super::rules), as of the date in [`Launchpad::as_of`]: the rules at one time. [`RulesByDay`](super::rules::RulesByDay) has them over time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Launchpad {
    /// The date these numbers were read, `YYYY-MM-DD`. They change, so check them before you rely on them.
    pub as_of: String,
    /// The fee tiers by market cap; at least one.
    pub fee_tiers: Vec<FeeTier>,
    /// The curve of a new token.
    pub start: Curve,
    /// Total supply of a new token, in base units.
    pub token_supply: u64,
    /// Fraction digits of a whole token.
    pub token_decimals: u8,
    /// What a buy past the end of the curve does.
    pub completion: Completion,
    /// Lamports of rent for each byte of an account.
    pub rent_lamports_per_byte: u64,
    /// Bytes of a token account's data: 165, or 170 for a token of the newer token program.
    pub token_account_bytes: u64,
    /// Bytes of the account in which the launchpad counts what a wallet trades.
    pub volume_account_bytes: u64,
    /// What the network charges for a transaction.
    pub network: NetworkRates,
    /// Blocks for which a transaction may use a blockhash: until they are over, a trade of unknown outcome may still land.
    pub blockhash_blocks: u32,
}

/// The refusal of a buy on a launchpad whose builds fill what the curve lacks from the future pool.
fn filled_from_pool(refusal: Refusal) -> Refusal {
    if refusal == Refusal::NotEnoughTokensOnCurve { Refusal::FilledFromPool } else { refusal }
}

/// One token as the launchpad trades it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Token {
    pub curve: Curve,
    /// Total supply, in base units.
    pub supply: u64,
    /// Whether the token has a creator who earns a fee. A curve without a creator charges none.
    pub has_creator: bool,
    /// A creator rate of the token's own in basis points, at most 10,000, in place of the tier's. Without a creator it does not count. A curve's
    /// account has 0 for none.
    pub creator_bps: Option<NonZeroU16>,
    /// Whether trading has ended, even if tokens are left: then every trade is refused. A curve without tokens is complete, too.
    pub complete: bool,
}

impl Token {
    /// A token with a creator who earns the tier's rate.
    pub const fn new(curve: Curve, supply: u64) -> Self {
        Token { curve, supply, has_creator: true, creator_bps: None, complete: false }
    }

    /// Whether trading on its curve has ended.
    pub const fn is_complete(&self) -> bool {
        self.complete || self.curve.is_complete()
    }
}

impl Launchpad {
    /// A token that has just been created here, with a creator.
    pub fn new_token(&self) -> Token {
        Token::new(self.start, self.token_supply)
    }

    /// The rates the next trade of `token` is charged: by its market cap before the trade.
    ///
    /// # Errors
    ///
    /// [`Refusal::CurveComplete`] for a token whose trading has ended with tokens left, or that has moved to a pool, [`Refusal::NoFeeTier`],
    /// [`Refusal::EmptyCurve`].
    #[inline]
    pub fn rates(&self, token: &Token) -> Result<FeeRates, Refusal> {
        // Every price of a token begins here.
        if token.complete {
            return Err(Refusal::CurveComplete);
        }
        let curve = &token.curve;
        if curve.virtual_token_reserves == 0 {
            // The program leaves none to a token that has moved to a pool.
            return Err(if curve.is_complete() { Refusal::CurveComplete } else { Refusal::EmptyCurve });
        }
        let tier = match self.fee_tiers.as_slice() {
            // The usual case does not need the market cap.
            [only] => *only,
            tiers => {
                let cap = u128::from(curve.virtual_sol_reserves) * u128::from(token.supply);
                tier_at(tiers, cap, curve.virtual_token_reserves).ok_or(Refusal::NoFeeTier)?
            }
        };
        Ok(self.rates_in(&tier, token))
    }

    /// The rates `token` is charged in this tier.
    #[inline]
    pub(super) fn rates_in(&self, tier: &FeeTier, token: &Token) -> FeeRates {
        match token.creator_bps {
            _ if !token.has_creator => tier.rates.without_creator(),
            Some(bps) => tier.rates.with_creator(bps.get()),
            None => tier.rates,
        }
    }

    /// Whether `token` is charged the same rates at every market cap.
    pub fn rates_are_fixed(&self, token: &Token) -> bool {
        let rates = |tier: &FeeTier| self.rates_in(tier, token);
        self.fee_tiers.iter().all(|tier| self.fee_tiers.first().map(rates) == Some(rates(tier)))
    }

    /// What opening a token account costs, in lamports.
    ///
    /// # Errors
    ///
    /// [`Refusal::Overflow`] past 64 bits.
    pub fn token_account_rent_lamports(&self) -> Result<u64, Refusal> {
        rent_lamports(self.token_account_bytes, self.rent_lamports_per_byte).ok_or(Refusal::Overflow)
    }

    /// What a buy costs in addition if it opens the wallet's volume account, in lamports: zero if it does not.
    ///
    /// ```
    /// use launchpad_desk::launchpad::Launchpad;
    /// let launchpad = Launchpad::default();
    /// assert_eq!(launchpad.volume_rent_lamports(true), Ok((137 + 128) * launchpad.rent_lamports_per_byte));
    /// ```
    ///
    /// # Errors
    ///
    /// [`Refusal::Overflow`] past 64 bits.
    pub fn volume_rent_lamports(&self, opens: bool) -> Result<u64, Refusal> {
        match opens {
            true => {
                rent_lamports(self.volume_account_bytes, self.rent_lamports_per_byte).ok_or(Refusal::Overflow)
            }
            false => Ok(0),
        }
    }

    /// The most rent that a wallet's first buy of a token may pay, in lamports: for its token account, of the program whose accounts are
    /// larger, and for its volume account.
    pub(crate) fn first_rents_lamports(&self) -> [u64; 2] {
        let token_account_bytes = self.token_account_bytes.max(NEWER_TOKEN_ACCOUNT_BYTES);
        [token_account_bytes, self.volume_account_bytes]
            .map(|bytes| rent_lamports(bytes, self.rent_lamports_per_byte).unwrap_or(u64::MAX))
    }

    /// The least that a wallet may be left with, other than zero: the rent-exempt minimum of an account
    /// without data, in lamports. `u64::MAX` past 64 bits: no wallet reaches that.
    ///
    /// ```
    /// use launchpad_desk::launchpad::Launchpad;
    /// let launchpad = Launchpad::default();
    /// assert_eq!(launchpad.wallet_rent_minimum_lamports(), 128 * launchpad.rent_lamports_per_byte);
    /// ```
    pub fn wallet_rent_minimum_lamports(&self) -> u64 {
        rent_lamports(0, self.rent_lamports_per_byte).unwrap_or(u64::MAX)
    }

    /// Whether a transaction may leave a wallet with this many lamports: with none, or with the rent-exempt minimum.
    pub fn may_leave(&self, wallet_lamports: u64) -> bool {
        wallet_lamports == 0 || wallet_lamports >= self.wallet_rent_minimum_lamports()
    }

    /// [`Curve::buy_exact_in`] at this launchpad's rates and completion.
    /// Fails as the curve's, and as [`Launchpad::rates`].
    pub fn buy_exact_in(&self, token: &Token, spend_lamports: u64, min_tokens: u64) -> Result<Fill, Refusal> {
        let rates = self.rates(token)?;
        match self.completion {
            Completion::Reject => token.curve.buy_exact_in(spend_lamports, min_tokens, rates),
            Completion::Pool => {
                token.curve.buy_exact_in(spend_lamports, min_tokens, rates).map_err(filled_from_pool)
            }
            Completion::Partial => token.curve.buy_exact_in_or_rest(spend_lamports, min_tokens, rates),
        }
    }

    /// [`Curve::buy_exact_out`] at this launchpad's rates and completion.
    /// Fails as the curve's, and as [`Launchpad::rates`].
    pub fn buy_exact_out(&self, token: &Token, tokens: u64, max_lamports: u64) -> Result<Fill, Refusal> {
        let rates = self.rates(token)?;
        match self.completion {
            Completion::Reject => token.curve.buy_exact_out(tokens, max_lamports, rates),
            Completion::Pool => {
                token.curve.buy_exact_out(tokens, max_lamports, rates).map_err(filled_from_pool)
            }
            Completion::Partial => token.curve.buy_exact_out_or_rest(tokens, max_lamports, rates),
        }
    }

    /// [`Curve::smallest_spend_for`] at this launchpad's rates and completion.
    /// Fails as the curve's, and as [`Launchpad::rates`].
    pub fn smallest_spend_for(&self, token: &Token, tokens: u64) -> Result<u64, Refusal> {
        let rates = self.rates(token)?;
        match self.completion {
            Completion::Reject => token.curve.smallest_spend_for(tokens, rates),
            Completion::Pool => token.curve.smallest_spend_for(tokens, rates).map_err(filled_from_pool),
            Completion::Partial => token.curve.smallest_spend_for_or_rest(tokens, rates),
        }
    }

    /// [`Curve::worth_of`] at this launchpad's rates.
    #[inline]
    pub fn worth_of(&self, token: &Token, tokens: u64) -> Option<u64> {
        token.curve.worth_of(tokens, self.rates(token).ok()?)
    }

    /// [`Curve::sell_exact_in`] at this launchpad's rates.
    /// Fails as the curve's, and as [`Launchpad::rates`].
    pub fn sell_exact_in(
        &self,
        token: &Token,
        tokens: u64,
        held_tokens: u64,
        min_lamports: u64,
    ) -> Result<Fill, Refusal> {
        token.curve.sell_exact_in(tokens, held_tokens, min_lamports, self.rates(token)?)
    }
}
