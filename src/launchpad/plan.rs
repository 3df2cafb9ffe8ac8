//! Splitting a budget of lamports into the buys of a bundle.

use super::config::{Launchpad, Token};
use super::curve::Spend;
use super::div::mul_div_floor;
use super::refusal::Refusal;
use super::slippage::PPM;

/// The most wallets a budget is split over: a bound on work and memory, a thousand times what a transaction holds.
pub const MAX_WALLETS: usize = 10_000;

/// `budget_lamports` in `wallets` equal spends that add up to it exactly: the first ones take a lamport more where it
/// does not divide. `None` for no wallets, and for more than [`MAX_WALLETS`].
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

/// `budget_lamports` in spends by weight that add up to it exactly. Each is its floored share; what the floors leave
/// goes, a lamport each, to the largest rests, the first of equal ones first.
///
/// `None` where all weights together are nought or pass 64 bits.
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
    // A share is never over the budget.
    let mut spends: Vec<u64> = weights.iter().map(|weight| (product(*weight) / total) as u64).collect();
    let left = budget_lamports - spends.iter().sum::<u64>();
    let mut by_rest: Vec<usize> = (0..weights.len()).collect();
    by_rest
        .sort_by_key(|index| std::cmp::Reverse(weights.get(*index).map(|weight| product(*weight) % total)));
    for index in by_rest.into_iter().take(left as usize) {
        if let Some(spend) = spends.get_mut(index) {
            *spend += 1;
        }
    }
    Some(spends)
}

/// `budget_lamports` in `wallets` spends that differ by chance, each weighed between `1 − jitter` and `1 + jitter`, that
/// add up to it exactly. The same seed gives the same spends.
///
/// A jitter over 1,000,000 parts per million counts as that. `None` as in [`equal_spends`].
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
    let jitter = u64::from(jitter_ppm).min(whole);
    let mut random = SplitMix64 { state: seed };
    // One more than nought, so that a full jitter cannot leave all weights at nought.
    let weights: Vec<u64> = (0..wallets).map(|_| whole - jitter + random.below(2 * jitter + 1) + 1).collect();
    weighted_spends(budget_lamports, &weights)
}

/// Steele, Lea and Flood's SplitMix64: every seed gives a sequence of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SplitMix64 {
    /// The seed, and then where the sequence has got to.
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

    /// A number below `limit`, each about as likely (to one part in 2⁶⁴ / limit); nought for a limit of nought.
    pub fn below(&mut self, limit: u64) -> u64 {
        ((u128::from(self.draw()) * u128::from(limit)) >> 64) as u64
    }
}

/// A plan by which every wallet gets the same tokens.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EqualTokens {
    /// What every wallet gets at least, in base units; what its last lamport brings beyond is at most that lamport's
    /// worth.
    pub tokens: u64,
    /// What each wallet spends, in order.
    pub spends_lamports: Vec<u64>,
}

/// The spends, in order on one curve, that bring each of `wallets` the same tokens, as many as `budget_lamports` pays
/// for: with one base unit more for each, the spends pass the budget or the curve.
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
/// [`Refusal::ZeroAmount`] for no wallets, [`Refusal::TooManyWallets`] for more than [`MAX_WALLETS`], [`Refusal::OutOfReach`] where the budget does not buy each a base unit, and
/// as [`Launchpad::rates`].
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
    let cost = |tokens: u64| sequence(launchpad, token, tokens, wallets, |_| {});
    // As one buy, all wallets together get a little more than one after the other, each with its own roundings: the
    // guess is brought down by what it costs too much.
    let together = Spend::split(budget_lamports, rates)
        .and_then(|spend| token.curve.tokens_for(spend.net_lamports))
        .map_or(token.curve.real_token_reserves, |tokens| tokens.min(token.curve.real_token_reserves));
    let mut guess = together / count;
    for _ in 0..2 {
        if let Some(scaled) = cost(guess).and_then(|cost| mul_div_floor(guess, budget_lamports, cost)) {
            guess = scaled;
        }
    }
    let affordable = |tokens: u64| cost(tokens).is_some_and(|cost| cost <= budget_lamports);
    let tokens = largest(guess, affordable).ok_or(Refusal::OutOfReach)?;
    let mut spends_lamports = Vec::with_capacity(wallets);
    sequence(launchpad, token, tokens, wallets, |spend| spends_lamports.push(spend));
    Ok(EqualTokens { tokens, spends_lamports })
}

/// Buys at least so many tokens `wallets` times in order, each by its smallest spend, which `each` is told. Returns what
/// they add up to; `None` past the curve or 64 bits.
fn sequence(
    launchpad: &Launchpad,
    token: &Token,
    tokens: u64,
    wallets: usize,
    mut each: impl FnMut(u64),
) -> Option<u64> {
    let mut token = *token;
    let mut cost: u64 = 0;
    for _ in 0..wallets {
        let rates = launchpad.rates(&token).ok()?;
        let (spend, curve_after) = token.curve.smallest_buy_of(tokens, rates).ok()?;
        each(spend);
        cost = cost.checked_add(spend)?;
        token.curve = curve_after;
    }
    Some(cost)
}

/// The largest number, at least one, that holds where the next does not, near `guess`: strides that double away from
/// it, then halve. `None` where one does not hold.
fn largest(guess: u64, holds: impl Fn(u64) -> bool) -> Option<u64> {
    let guess = guess.max(1);
    let mut stride = 1;
    let (mut below, mut above);
    if holds(guess) {
        below = guess;
        loop {
            above = below.saturating_add(stride);
            if above == below {
                return Some(below);
            }
            if !holds(above) {
                break;
            }
            below = above;
            stride = stride.saturating_mul(2);
        }
    } else {
        above = guess;
        loop {
            below = above.saturating_sub(stride);
            if below == 0 {
                break;
            }
            if holds(below) {
                break;
            }
            above = below;
            stride = stride.saturating_mul(2);
        }
    }
    while above - below > 1 {
        let middle = below + (above - below) / 2;
        if holds(middle) {
            below = middle;
        } else {
            above = middle;
        }
    }
    (below > 0).then_some(below)
}
