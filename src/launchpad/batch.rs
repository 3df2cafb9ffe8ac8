//! Many trades in one call: a column of amounts is replaced by what each trade comes to.
//!
//! A column is a slice, so that it can be a typed array in JS. The result of a refused trade is [`REFUSED`], which is never an amount.

use super::config::{Launchpad, Token};

/// The result of a refused trade.
pub const REFUSED: u64 = u64::MAX;

/// The largest amount in a row.
const MOST: u64 = REFUSED - 1;

/// The tokens that each spend would bring, each on the same curve, by the launchpad's rates and completion. A spend
/// that brings nothing is refused.
///
/// ```
/// use launchpad_desk::launchpad::{Launchpad, batch};
/// let launchpad = Launchpad::default();
/// let mut column = [1_000_000_000, 1];
/// batch::buys_exact_in(&launchpad, &launchpad.new_token(), &mut column);
/// assert_eq!(column, [34_199_203_120_618, batch::REFUSED]);
/// ```
pub fn buys_exact_in(launchpad: &Launchpad, token: &Token, column: &mut [u64]) {
    replace(column, |spend| launchpad.buy_exact_in(token, spend, 1).map_or(REFUSED, |fill| fill.tokens));
}

/// The lamports, fees included, that each amount of base units would cost, each on the same curve.
pub fn buys_exact_out(launchpad: &Launchpad, token: &Token, column: &mut [u64]) {
    replace(column, |tokens| {
        launchpad.buy_exact_out(token, tokens, MOST).map_or(REFUSED, |fill| fill.wallet_lamports)
    });
}

/// The lamports, after fees, that each amount of base units would bring, each on the same curve.
pub fn sells_exact_in(launchpad: &Launchpad, token: &Token, column: &mut [u64]) {
    replace(column, |tokens| {
        launchpad.sell_exact_in(token, tokens, tokens, 0).map_or(REFUSED, |fill| fill.wallet_lamports)
    });
}

/// The tokens that each spend brings, each on the curve the ones before it left, at the fee tier that holds then. A refused
/// spend leaves the curve as it was. Returns the token afterwards.
pub fn buys_in_sequence(launchpad: &Launchpad, token: &Token, column: &mut [u64]) -> Token {
    let mut token = *token;
    replace(column, |spend| match launchpad.buy_exact_in(&token, spend, 1) {
        Ok(fill) => {
            token.curve = fill.curve_after;
            fill.tokens
        }
        Err(_) => REFUSED,
    });
    token
}

#[inline(always)]
fn replace(column: &mut [u64], mut row: impl FnMut(u64) -> u64) {
    for amount in column {
        *amount = row(*amount);
    }
}
