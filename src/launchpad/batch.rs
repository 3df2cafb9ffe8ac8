//! Many trades in one call: a column of amounts is replaced by what each trade comes to.
//!
//! A column is a slice, so that it can be a typed array in JS. The result of a refused trade is [`REFUSED`], which is never an amount.

use super::config::{Completion, Launchpad, Token};
use super::known::{KnownBuys, KnownSequence};

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
    match known_buys(launchpad, token) {
        Some(buys) => replace(column, |spend| buys.tokens_for(spend).unwrap_or(REFUSED)),
        None => replace(column, |spend| {
            launchpad.buy_exact_in(token, spend, 1).map_or(REFUSED, |fill| fill.tokens)
        }),
    }
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

/// The checks made once for all spends. `None` also if a buy may take what is left, because then a spend that fails these
/// checks need not be refused.
fn known_buys(launchpad: &Launchpad, token: &Token) -> Option<KnownBuys> {
    let rates = launchpad.rates(token).ok().filter(|_| launchpad.completion == Completion::Reject)?;
    KnownBuys::of(&token.curve, rates)
}

/// The tokens that each spend brings, each on the curve the ones before it left, at the fee tier that holds then. A refused
/// spend leaves the curve as it was. Returns the token afterwards.
pub fn buys_in_sequence(launchpad: &Launchpad, token: &Token, column: &mut [u64]) -> Token {
    let mut token = *token;
    // The rates are constant only if there is one tier.
    let one_tier = launchpad.fee_tiers.len() == 1;
    let known = |token: &Token| match (one_tier, launchpad.rates(token)) {
        (true, Ok(rates)) => KnownSequence::from(&token.curve, rates),
        _ => None,
    };
    let mut sequence = known(&token);
    replace(column, |spend_lamports| {
        if let Some(tokens) = sequence.as_mut().and_then(|sequence| sequence.buy(spend_lamports)) {
            return tokens;
        }
        // The short way works for nearly all spends. The others take the launchpad's full rules, and the run continues from
        // there.
        if let Some(sequence) = &sequence {
            token.curve = sequence.curve();
        }
        match launchpad.buy_exact_in(&token, spend_lamports, 1) {
            Ok(fill) => {
                token.curve = fill.curve_after;
                sequence = known(&token);
                fill.tokens
            }
            Err(_) => REFUSED,
        }
    });
    if let Some(sequence) = &sequence {
        token.curve = sequence.curve();
    }
    token
}

#[inline(always)]
fn replace(column: &mut [u64], mut row: impl FnMut(u64) -> u64) {
    for amount in column {
        *amount = row(*amount);
    }
}
