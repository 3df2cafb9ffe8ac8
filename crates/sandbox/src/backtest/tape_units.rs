//! Whether the amounts of a tape are in the units that they are said to be in.

use super::BacktestTerms;
use super::trade_tape::{Rival, RivalTrade, TapeRow, TradeTape};

/// A price is at most some fifteen times that of the start when its curve completes.
const MOST_RISE: u128 = 300;
const MOST_FALL: u128 = 20;
/// Lamports below which tips and rounding say more than the price.
const LEAST_ASKED: u128 = 1_000_000;
/// The fewest buys alone, or sells, of which that is asked: the last of a position may be next to nothing.
const FEW: usize = 10;

impl TradeTape {
    /// Why what its trades are said to have moved cannot be in lamports and base units, if it cannot: by the prices at which their tokens
    /// start, from which a curve's price never moves that far. Buys that say both amounts are asked whether these fit, and all
    /// trades whether most move next to nothing: together, and buys and sells alone unless these are few.
    pub fn unit_problem(&self, terms: &BacktestTerms) -> Option<&'static str> {
        // What the network charges for a signature: hardly anybody moves fewer lamports than that.
        let least_moved = u128::from(terms.launchpad.newest().network.lamports_per_signature);
        let starts: Vec<_> = self.mints().iter().map(|mint| terms.start_of(mint)).collect();
        // Of the buys and of the sells: how many there are, and how many of them are tiny.
        let mut sides = [(0_usize, 0_usize); 2];
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
            let (trades, tiny) = &mut sides[usize::from(order == Rival::Sell)];
            *trades += 1;
            *tiny += usize::from(spent.max(cost) < least_moved);
            if spent == 0 || order != Rival::BuyTokens || spent.max(cost) < LEAST_ASKED {
                continue;
            }
            asked += 1;
            over += usize::from(spent / cost >= MOST_RISE);
            under += usize::from(cost / spent >= MOST_FALL);
        }
        let [buys, sells] = sides;
        let are_tiny = |(trades, tiny): (usize, usize)| tiny * 2 > trades;
        let is_side_tiny = sides.into_iter().any(|side| side.0 >= FEW && are_tiny(side));
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
        } else if is_side_tiny || are_tiny((buys.0 + sells.0, buys.1 + sells.1)) {
            Some(
                "has trades of next to nothing: most of its buys or sells move less than the network's fee; tokens are in base units, and \
                 lamports in lamports; name other units in columns, and in start where curves of other tokens stood",
            )
        } else {
            None
        }
    }
}
