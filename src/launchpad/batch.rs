//! Many trades in one call, over columns of numbers.
//!
//! Columns are slices, so that they can be typed arrays on the far side of a crossing. Where a trade is refused, its
//! row says [`REFUSED`], which no amount can be. Columns of unequal length are worked as far as the shortest goes; the
//! functions return how many rows that was.

use super::config::{Launchpad, Token};
use super::curve::Curve;
use super::fees::FeeRates;
use super::refusal::Refusal;

/// What stands in the row of a refused trade.
pub const REFUSED: u64 = u64::MAX;

/// The most a row can say.
const MOST: u64 = REFUSED - 1;

/// The tokens that each spend would bring, each on the same curve. What brings nothing is refused.
///
/// ```
/// use launchpad_desk::launchpad::{Launchpad, batch, fees::FeeRates};
/// let curve = Launchpad::default().start;
/// let rates = FeeRates::new(95, 30).unwrap();
/// let mut tokens = [0; 2];
/// assert_eq!(batch::buys_exact_in(&curve, rates, &[1_000_000_000, 1], &mut tokens), 2);
/// assert_eq!(tokens, [34_199_203_120_618, batch::REFUSED]);
/// ```
pub fn buys_exact_in(curve: &Curve, rates: FeeRates, spends_lamports: &[u64], tokens: &mut [u64]) -> usize {
    let Some(spends) = curve.spends_that_buy(rates) else {
        return each(spends_lamports, tokens, |_| REFUSED);
    };
    // Which spends go through, and how large the numbers get, is asked once for the column.
    if curve.is_known_up_to(*spends.end()) {
        each(spends_lamports, tokens, |spend| match spends.contains(&spend) {
            true => curve.tokens_for_known(spend, rates),
            false => REFUSED,
        })
    } else {
        each(spends_lamports, tokens, |spend| {
            curve.buy_exact_in(spend, 1, rates).map_or(REFUSED, |fill| fill.tokens)
        })
    }
}

/// The lamports, fees included, that each amount of base units would cost, each on the same curve.
pub fn buys_exact_out(curve: &Curve, rates: FeeRates, tokens: &[u64], lamports: &mut [u64]) -> usize {
    each(tokens, lamports, |tokens| {
        curve.buy_exact_out(tokens, MOST, rates).map_or(REFUSED, |fill| fill.wallet_lamports)
    })
}

/// The lamports, after fees, that each amount of base units would bring, each on the same curve.
pub fn sells_exact_in(curve: &Curve, rates: FeeRates, tokens: &[u64], lamports: &mut [u64]) -> usize {
    each(tokens, lamports, |tokens| {
        curve.sell_exact_in(tokens, tokens, 0, rates).map_or(REFUSED, |fill| fill.wallet_lamports)
    })
}

/// The tokens that each spend brings, each on the curve the ones before it left, at the fee tier of its turn. What is
/// refused leaves the curve as it was. Returns the token afterwards.
pub fn buys_in_sequence(
    launchpad: &Launchpad,
    token: &Token,
    spends_lamports: &[u64],
    tokens: &mut [u64],
) -> Token {
    let mut token = *token;
    each(spends_lamports, tokens, |spend_lamports| {
        let bought = launchpad.rates(&token).and_then(|rates| {
            let (spend, tokens) = token.curve.exact_in(spend_lamports, rates)?;
            if tokens == 0 || tokens > token.curve.real_token_reserves {
                return Err(Refusal::NotEnoughTokensOnCurve);
            }
            Ok((tokens, token.curve.after_buy(tokens, spend.net_lamports)?))
        });
        // The short way holds for nearly all; what it refuses, the launchpad may still sell in part.
        let bought = bought.or_else(|_| {
            let fill = launchpad.buy_exact_in(&token, spend_lamports, 1)?;
            Ok::<_, Refusal>((fill.tokens, fill.curve_after))
        });
        match bought {
            Ok((tokens, curve_after)) => {
                token.curve = curve_after;
                tokens
            }
            Err(_) => REFUSED,
        }
    });
    token
}

#[inline(always)]
fn each(from: &[u64], to: &mut [u64], mut row: impl FnMut(u64) -> u64) -> usize {
    let mut rows = 0;
    for (from, to) in from.iter().zip(to) {
        *to = row(*from);
        rows += 1;
    }
    rows
}
