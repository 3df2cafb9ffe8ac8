//! Splitting a budget of lamports into the buys of a bundle.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::config::{Launchpad, Token};
use super::curve::{Curve, Spend};
use super::div::mul_div_floor;
use super::fees::FeeTier;
use super::refusal::Refusal;
use super::slippage::PPM;

/// The most wallets a budget is split over: a bound on work and memory, about a thousand times what fits a transaction.
pub const MAX_WALLETS: usize = 10_000;

/// Splits `budget_lamports` into `wallets` equal spends that add up to it exactly. If it does not divide evenly, the first ones
/// get a lamport more. `None` for no wallets, and for more than [`MAX_WALLETS`].
///
/// ```
/// use launchpad_desk::launchpad::plan::equal_spends;
/// assert_eq!(equal_spends(11, 3), Some(vec![4, 4, 3]));
/// ```
pub fn equal_spends(budget_lamports: u64, wallets: usize) -> Option<Vec<u64>> {
    let count = Some(wallets).filter(|wallets| *wallets <= MAX_WALLETS)? as u64;
    let each = budget_lamports.checked_div(count)?;
    let more = budget_lamports % count;
    Some((0..count).map(|index| each + u64::from(index < more)).collect())
}

/// Splits `budget_lamports` into spends by weight that add up to it exactly. Shares are floored; the lamports left over go to
/// the largest remainders, one each, with equal remainders in order.
///
/// `None` if all weights together are zero or pass 64 bits.
///
/// ```
/// use launchpad_desk::launchpad::plan::weighted_spends;
/// assert_eq!(weighted_spends(100, &[1, 2, 3]), Some(vec![17, 33, 50]));
/// assert_eq!(weighted_spends(100, &[0]), None);
/// ```
pub fn weighted_spends(budget_lamports: u64, weights: &[u64]) -> Option<Vec<u64>> {
    let total = weights.iter().try_fold(0u64, |total, weight| total.checked_add(*weight))?;
    let total = u128::from(Some(total).filter(|total| *total > 0)?);
    let product = |weight: u64| u128::from(budget_lamports) * u128::from(weight);
    // A share is never larger than the budget.
    let mut spends: Vec<u64> = weights.iter().map(|weight| (product(*weight) / total) as u64).collect();
    let left = budget_lamports - spends.iter().sum::<u64>();
    // A heap takes a tenth of the code of a sort.
    let rests = weights.iter().enumerate().map(|(index, weight)| (product(*weight) % total, Reverse(index)));
    let mut by_rest: BinaryHeap<_> = rests.collect();
    for _ in 0..left {
        if let Some(spend) = by_rest.pop().and_then(|(_, Reverse(index))| spends.get_mut(index)) {
            *spend += 1;
        }
    }
    Some(spends)
}

/// Splits `budget_lamports` into `wallets` random spends that add up to it exactly, each with a weight between `1 − jitter` and
/// `1 + jitter`. The same seed gives the same spends.
///
/// `None` for a jitter over 1,000,000 parts per million, and as for [`equal_spends`].
///
/// ```
/// use launchpad_desk::launchpad::plan::jittered_spends;
/// let spends = jittered_spends(1_000_000_000, 5, 200_000, 7).unwrap();
/// assert_eq!(spends.iter().sum::<u64>(), 1_000_000_000);
/// assert_eq!(jittered_spends(1_000_000_000, 5, 200_000, 7), Some(spends.clone()));
/// assert_ne!(jittered_spends(1_000_000_000, 5, 200_000, 8), Some(spends));
/// ```
pub fn jittered_spends(budget_lamports: u64, wallets: usize, jitter_ppm: u32, seed: u64) -> Option<Vec<u64>> {
    let wallets = Some(wallets).filter(|wallets| *wallets <= MAX_WALLETS)?;
    let whole = u64::from(PPM);
    let jitter = Some(u64::from(jitter_ppm)).filter(|jitter| *jitter <= whole)?;
    let mut random = SplitMix64 { state: seed };
    // Plus one, so that a full jitter cannot leave all weights at zero.
    let weights: Vec<u64> = (0..wallets).map(|_| whole - jitter + random.below(2 * jitter + 1) + 1).collect();
    weighted_spends(budget_lamports, &weights)
}

/// Steele, Lea and Flood's SplitMix64: every seed gives its own sequence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SplitMix64 {
    /// The seed, then the position in the sequence.
    pub state: u64,
}

impl SplitMix64 {
    /// The next number of the sequence.
    pub fn draw(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.state;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A number below `limit`, each about as likely (to one part in 2⁶⁴ / limit); zero for a limit of zero.
    pub fn below(&mut self, limit: u64) -> u64 {
        ((u128::from(self.draw()) * u128::from(limit)) >> 64) as u64
    }
}

/// A plan that gives every wallet the same tokens.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EqualTokens {
    /// The base units that every wallet gets at least. It may get more, by at most a lamport's worth.
    pub tokens: u64,
    /// What each wallet spends, in order.
    pub spends_lamports: Vec<u64>,
}

/// The spends, in order on one curve, that give each of `wallets` the same tokens, and as many as `budget_lamports` pays for:
/// one base unit more for each would exceed the budget or the curve.
///
/// ```
/// use launchpad_desk::launchpad::{Launchpad, plan::equal_tokens};
/// let launchpad = Launchpad::default();
/// let plan = equal_tokens(&launchpad, &launchpad.new_token(), 3_000_000_000, 3).unwrap();
/// assert_eq!(plan.tokens, 32_149_812_669_599);
/// assert!(plan.spends_lamports.is_sorted(), "each buys from a dearer curve than the one before");
/// ```
///
/// # Errors
///
/// [`Refusal::ZeroAmount`] for no wallets, [`Refusal::TooManyWallets`] for more than [`MAX_WALLETS`],
/// [`Refusal::OutOfReach`] if the budget does not buy each a base unit, and those of [`Launchpad::rates`].
pub fn equal_tokens(
    launchpad: &Launchpad,
    token: &Token,
    budget_lamports: u64,
    wallets: usize,
) -> Result<EqualTokens, Refusal> {
    let count = match wallets {
        0 => return Err(Refusal::ZeroAmount),
        1..=MAX_WALLETS => wallets as u64,
        _ => return Err(Refusal::TooManyWallets),
    };
    let rates = launchpad.rates(token)?;
    token.curve.check_open()?;
    let search = Search { launchpad, token, wallets, budget_lamports: budget_lamports.into() };
    let most = token.curve.real_token_reserves / count;
    // One buy for all brings a little more than separate ones, which round each time. So the guess is scaled down by the amount
    // that it is too expensive. Then it is right to within a lamport or two, a few base units for each wallet.
    let together =
        Spend::split(budget_lamports, rates).and_then(|spend| token.curve.tokens_for(spend.net_lamports));
    let guess = together.map_or(most, |tokens| most.min(tokens / count));
    let cost = search.least_cost(guess, guess).and_then(|cost| u64::try_from(cost).ok());
    let scaled = cost.and_then(|cost| mul_div_floor(guess, budget_lamports, cost));
    let guess = scaled.map_or(guess, |scaled| scaled.min(most));
    let (low, high) = (guess.saturating_sub(NEAR).max(1), guess.saturating_add(NEAR).min(most));
    let found = search.most(high.saturating_add(1), most).or_else(|| search.most(low, high));
    let tokens = found.or_else(|| search.most(1, low - 1)).ok_or(Refusal::OutOfReach)?;
    let mut spends_lamports = Vec::with_capacity(wallets);
    sequence(launchpad, token, tokens, wallets, |spend| spends_lamports.push(spend))?;
    Ok(EqualTokens { tokens, spends_lamports })
}

/// How far around the guess the search begins, in base units.
const NEAR: u64 = 1 << 10;

/// The search for the most tokens that each wallet can have.
struct Search<'a> {
    launchpad: &'a Launchpad,
    token: &'a Token,
    wallets: usize,
    budget_lamports: u128,
}

impl Search<'_> {
    /// The most tokens of a range that the budget pays for. A larger amount can cost less if it reaches a cheaper fee
    /// tier, so a part of the range is skipped only if the least that any of it can cost is too much.
    fn most(&self, from: u64, mut to: u64) -> Option<u64> {
        if from > to || !self.may_afford(from, to) {
            return None;
        }
        while from < to {
            let middle = from + (to - from).div_ceil(2);
            if let Some(tokens) = self.most(middle, to) {
                return Some(tokens);
            }
            to = middle - 1;
            // With one tier, what `from` costs does not depend on where the range ends.
            if self.launchpad.fee_tiers.len() > 1 && !self.may_afford(from, to) {
                return None;
            }
        }
        Some(from)
    }

    fn may_afford(&self, from: u64, to: u64) -> bool {
        self.least_cost(from, to).is_some_and(|cost| cost <= self.budget_lamports)
    }

    /// The least that any number of tokens from `from` to `to` for each wallet can cost; the cost itself if the two are
    /// equal. `None` if the curve has too few.
    ///
    /// More tokens for each never cost fewer lamports before fees, and never lower the market cap for the next buy. So each buy
    /// costs at least what `from` takes, at the cheapest rates between the market caps of `from` and `to`.
    fn least_cost(&self, from: u64, to: u64) -> Option<u128> {
        let (launchpad, supply) = (self.launchpad, self.token.supply);
        let tiered = launchpad.fee_tiers.len() > 1 && from < to;
        let (mut low, mut high) = (*self.token, Some(self.token.curve).filter(|_| tiered));
        let mut cost: u128 = 0;
        for _ in 0..self.wallets {
            let (net, curve_after) = low.curve.smallest_net_for(from).ok()?;
            let mut fees = launchpad.rates(&low).ok()?.on(net).total();
            if tiered {
                let cap = |curve: &Curve| curve.market_cap_lamports(supply).unwrap_or(u128::MAX);
                let caps = cap(&low.curve)..=high.as_ref().map_or(u128::MAX, cap);
                let on_the_way = |tier: &&FeeTier| caps.contains(&tier.market_cap_threshold_lamports);
                for tier in launchpad.fee_tiers.iter().filter(on_the_way) {
                    fees = fees.min(launchpad.rates_in(tier, self.token).on(net).total());
                }
                high = high.and_then(|high| Some(high.smallest_net_for(to).ok()?.1));
            }
            cost = cost.checked_add(u128::from(net) + fees)?;
            low.curve = curve_after;
        }
        Some(cost)
    }
}

/// Buys at least this many tokens `wallets` times in order, each time with the smallest spend, which is passed to `each`.
fn sequence(
    launchpad: &Launchpad,
    token: &Token,
    tokens: u64,
    wallets: usize,
    mut each: impl FnMut(u64),
) -> Result<(), Refusal> {
    let mut token = *token;
    for _ in 0..wallets {
        let rates = launchpad.rates(&token)?;
        let (spend, curve_after) = token.curve.smallest_buy_of(tokens, rates)?;
        each(spend);
        token.curve = curve_after;
    }
    Ok(())
}
