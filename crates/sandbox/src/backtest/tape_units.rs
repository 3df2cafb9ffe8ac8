//! Whether the amounts of a tape are in the units that they are said to be in.

use super::BacktestTerms;
use super::trade_tape::{Rival, RivalTrade, TapeRow, TradeTape};

/// A price is at most some fifteen times that of the start when its curve completes.
const MOST_RISE: u128 = 300;
const MOST_FALL: u128 = 20;
/// Lamports below which tips and rounding say more than the price.
const LEAST_ASKED: u128 = 1_000_000;
/// What the network charges for a signature: hardly anybody moves fewer lamports than that.
const LEAST_MOVED: u128 = 5_000;

impl TradeTape {
    /// Why what its trades are said to have moved cannot be in lamports and base units, if it cannot: by the prices at which their tokens
    /// start, from which a curve's price never moves that far. Buys that say both amounts are asked whether these fit, all trades whether
    /// they move next to nothing.
    pub fn unit_problem(&self, terms: &BacktestTerms) -> Option<&'static str> {
        let starts: Vec<_> = self.mints().iter().map(|mint| terms.start_of(mint)).collect();
        let (mut trades, mut tiny) = (0_usize, 0);
        let (mut asked, mut over, mut under) = (0_usize, 0, 0);
        for TapeRow { mint, trade: RivalTrade { order, amount, spent_lamports }, .. } in
            (0..self.len()).map_while(|row| self.at(row))
        {
            let Some(token) = starts.get(mint as usize).filter(|_| amount > 0) else { continue };
            let cost = u128::from(amount) * u128::from(token.curve.virtual_sol_reserves);
            let cost = cost.checked_div(token.curve.virtual_token_reserves.into()).unwrap_or_default();
            let (spent, cost) = match order {
                Rival::Buy => (amount.into(), 1),
                _ => (u128::from(spent_lamports.unwrap_or(0)), cost.max(1)),
            };
            trades += 1;
            tiny += usize::from(spent.max(cost) < LEAST_MOVED);
            if spent == 0 || order != Rival::BuyTokens || spent.max(cost) < LEAST_ASKED {
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
        } else if tiny * 2 > trades {
            Some(
                "has trades of next to nothing: most of them move less than the network's fee; tokens are in base units, and lamports in \
                 lamports; name other units in columns, and in start where curves of other tokens stood",
            )
        } else {
            None
        }
    }
}
