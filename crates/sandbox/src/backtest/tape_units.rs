//! Whether the amounts of a tape are in the units that they are said to be in.

use super::BacktestTerms;
use super::trade_tape::{Recorded, Rival, Row, TradeTape};

/// A price is at most some fifteen times that of the start when its curve completes.
const MOST_RISE: u128 = 300;
const MOST_FALL: u128 = 20;
/// Lamports below which tips and rounding say more than the price.
const LEAST_ASKED: u128 = 1_000_000;

impl TradeTape {
    /// Why what its buys are said to have spent cannot be in lamports, or what they bought in base units, if it cannot: by the prices at
    /// which their tokens start, from which a curve's price never moves that far. Only trades that say both are asked.
    pub fn unit_problem(&self, terms: &BacktestTerms) -> Option<&'static str> {
        let starts: Vec<_> = self.mints().iter().map(|mint| terms.start_of(mint)).collect();
        let (mut asked, mut over, mut under) = (0_usize, 0, 0);
        for Row { mint, trade, .. } in (0..self.len()).map_while(|row| self.at(row)) {
            let (Recorded { order: Rival::BuyTokens, amount, spent_lamports: Some(spent) }, Some(token)) =
                (trade, starts.get(mint as usize))
            else {
                continue;
            };
            let cost = u128::from(amount) * u128::from(token.curve.virtual_sol_reserves);
            let cost = cost.checked_div(token.curve.virtual_token_reserves.into()).unwrap_or_default();
            let (spent, cost) = (u128::from(spent), cost.max(1));
            if spent == 0 || amount == 0 || spent.max(cost) < LEAST_ASKED {
                continue;
            }
            asked += 1;
            over += usize::from(spent / cost >= MOST_RISE);
            under += usize::from(cost / spent >= MOST_FALL);
        }
        if over * 2 > asked {
            Some(
                "has buys that spent hundreds of times what their tokens cost: tokens are in base units, and lamports in lamports; name \
                 other units in columns, and in start where curves of other tokens stood",
            )
        } else if under * 2 > asked {
            Some(
                "has buys that spent a small part of what their tokens cost: lamports are in lamports, and tokens in base units; name other \
                 units in columns, and in start where curves of other tokens stood",
            )
        } else {
            None
        }
    }
}
