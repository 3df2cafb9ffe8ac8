//! The orders that reach a goal with every cost counted: fees, rent, refund and network fee.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::ops::RangeInclusive;

use super::account::TokenAccount;
use super::config::{Launchpad, Token};
use super::cost::Priority;
use super::curve::{Curve, Price, Spend};
use super::fees::FeeRates;
use super::inverse::smallest_sale_for;
use super::quote::FeePayer;
use super::refusal::Refusal;
use super::transaction::{Wallet, after_network_fee};

/// Who trades, and how the transaction is paid for.
#[derive(Clone, Copy, Debug)]
pub struct Trader<'a> {
    /// The trading wallet.
    pub wallet: &'a Wallet,
    /// Who pays the network fee.
    pub fee_payer: FeePayer,
    /// The priority the transaction bids with.
    pub priority: Priority,
}

/// An exit that recovers what a position cost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BreakEven {
    /// Possible now: the fewest base units to sell.
    Now {
        /// Base units.
        tokens: u64,
    },
    /// Reached by selling everything once others have bought for this much.
    After {
        /// The fewest lamports that others must bring to the curve, before their fees.
        inflow_lamports: u64,
        /// The curve after that.
        curve: Curve,
        /// Its spot price: the price to wait for.
        spot_price: Price,
    },
}

impl Launchpad {
    /// The most lamports that the wallet can spend on a buy, once rent and network fee are paid.
    ///
    /// The buy leaves the wallet nothing if it can, and otherwise at least its rent minimum: any amount in between would fail
    /// the transaction. To keep the fee for selling again, use
    /// [`largest_buy_keeping_exit_fee`](Launchpad::largest_buy_keeping_exit_fee).
    ///
    /// ```
    /// use launchpad_desk::launchpad::Launchpad;
    /// use launchpad_desk::launchpad::{cost::Priority, goal::Trader, quote::FeePayer, transaction::Wallet};
    /// let launchpad = Launchpad::default();
    /// let wallet = Wallet { lamports: 1_000_000_000, ..Wallet::default() };
    /// let trader = Trader { wallet: &wallet, fee_payer: FeePayer::Trader, priority: Priority::default() };
    /// let spend = launchpad.largest_buy_within_balance(&launchpad.new_token(), &trader).unwrap();
    /// assert_eq!(spend, 1_000_000_000 - launchpad.token_account_rent_lamports().unwrap() - 5_000);
    /// ```
    ///
    /// # Errors
    ///
    /// [`Refusal::InsufficientLamports`] if the balance does not cover rent and network fee; [`Refusal::BelowRentMinimum`] if
    /// it covers those but not the rent minimum; [`Refusal::OutOfReach`] if the rest buys nothing; those of
    /// [`Launchpad::rates`].
    pub fn largest_buy_within_balance(&self, token: &Token, trader: &Trader) -> Result<u64, Refusal> {
        let (left, rates) = (self.left_for_a_buy(trader)?, self.rates(token)?);
        let most = token.curve.largest_spend_within_cost(left, rates)?;
        if self.may_leave(left - Spend::split(most, rates)?.wallet_lamports) {
            return Ok(most);
        }
        let left = left.checked_sub(self.wallet_rent_minimum_lamports()).ok_or(Refusal::BelowRentMinimum)?;
        token.curve.largest_spend_within_cost(left, rates)
    }

    /// Like [`largest_buy_within_balance`](Launchpad::largest_buy_within_balance), but the wallet keeps its rent minimum
    /// and, if it pays network fees itself, the fee for selling again.
    /// Fails as [`largest_buy_within_balance`](Launchpad::largest_buy_within_balance).
    pub fn largest_buy_keeping_exit_fee(&self, token: &Token, trader: &Trader) -> Result<u64, Refusal> {
        let (left, rates) = (self.left_for_a_buy(trader)?, self.rates(token)?);
        let exit_fee = self.own_network_fee(trader)?;
        let keeps = self.wallet_rent_minimum_lamports().checked_add(exit_fee).ok_or(Refusal::Overflow)?;
        let left = left.checked_sub(keeps).ok_or(Refusal::BelowRentMinimum)?;
        token.curve.largest_spend_within_cost(left, rates)
    }

    /// What the wallet has left after rent and network fee.
    fn left_for_a_buy(&self, trader: &Trader) -> Result<u64, Refusal> {
        trader.wallet.may_trade()?;
        let lamports = trader.wallet.lamports;
        let fee = self.own_network_fee(trader)?;
        let left = after_network_fee(self, lamports, fee).map_err(|refusal| match refusal {
            Refusal::BelowRentMinimum => refusal,
            _ => Refusal::InsufficientLamports,
        })?;
        let rent = match trader.wallet.token_account {
            Some(_) => 0,
            None => self.token_account_rent_lamports()?,
        };
        let volume_rent = self.volume_rent_lamports(trader.wallet.opens_volume_account)?;
        let rents = rent.checked_add(volume_rent).ok_or(Refusal::Overflow)?;
        left.checked_sub(rents).ok_or(Refusal::InsufficientLamports)
    }

    /// The fewest base units to sell so that the wallet gains at least `lamports` after trading fees and network fee. Selling
    /// everything also refunds the token account, unless that stays open.
    ///
    /// # Errors
    ///
    /// [`Refusal::OutOfReach`] if even selling everything brings less; [`Refusal::TokenAccountNotOpen`]; those of
    /// [`Launchpad::rates`].
    pub fn smallest_sell_bringing(
        &self,
        token: &Token,
        trader: &Trader,
        lamports: u64,
    ) -> Result<u64, Refusal> {
        let account = trader.wallet.selling_account()?;
        let exit = self.exit(trader, account, lamports)?;
        let rates = self.rates(token)?;
        match token.curve.smallest_sell_for(exit.part_lamports, rates) {
            Ok(tokens) if tokens <= account.tokens => Ok(tokens),
            Ok(_) | Err(Refusal::OutOfReach) => match exit.brings(&token.curve, rates) {
                true => Ok(account.tokens),
                false => Err(Refusal::OutOfReach),
            },
            Err(refusal) => Err(refusal),
        }
    }

    /// The exit that recovers `cost_lamports`: all that was paid for the position, with fees, rent and network fees. The
    /// exit's own fees are counted here, and so is the account's refund if everything is sold.
    ///
    /// If the price is too low now, the answer is the smallest single buy by others after which selling everything recovers the
    /// cost, at the fees that apply then.
    ///
    /// # Errors
    ///
    /// [`Refusal::OutOfReach`] if even a curve with one token left brings less, or if the search gives up after 65,536
    /// steps, which can happen on a curve whose real lamports cannot pay its sellers; those of
    /// [`smallest_sell_bringing`](Launchpad::smallest_sell_bringing).
    pub fn break_even(
        &self,
        token: &Token,
        trader: &Trader,
        cost_lamports: u64,
    ) -> Result<BreakEven, Refusal> {
        match self.smallest_sell_bringing(token, trader, cost_lamports) {
            Ok(tokens) => return Ok(BreakEven::Now { tokens }),
            Err(Refusal::OutOfReach) => {}
            Err(refusal) => return Err(refusal),
        }
        let account = trader.wallet.selling_account()?;
        let exit = self.exit(trader, account, cost_lamports)?;
        let inflow_lamports = self.smallest_inflow(token, &exit)?.ok_or(Refusal::OutOfReach)?;
        let curve = bought_by_others(&token.curve, inflow_lamports).ok_or(Refusal::OutOfReach)?;
        Ok(BreakEven::After { inflow_lamports, curve, spot_price: curve.spot_price() })
    }

    fn own_network_fee(&self, trader: &Trader) -> Result<u64, Refusal> {
        match trader.fee_payer {
            FeePayer::Trader => {
                let signatures = trader.fee_payer.signatures();
                self.network.fee_lamports(signatures, 1, trader.priority).ok_or(Refusal::Overflow)
            }
            FeePayer::Other => Ok(0),
        }
    }

    fn exit(&self, trader: &Trader, account: TokenAccount, lamports: u64) -> Result<Exit, Refusal> {
        let needed = u128::from(lamports) + u128::from(self.own_network_fee(trader)?);
        // No sale brings that much, so anything past 64 bits can be treated as the maximum.
        let within = |lamports: u128| u64::try_from(lamports).unwrap_or(u64::MAX);
        let part_lamports = within(needed);
        let refund = if account.stays_open { 0 } else { account.lamports };
        let all_lamports = within(needed.saturating_sub(u128::from(refund)));
        Ok(Exit { tokens: account.tokens, part_lamports, all_lamports })
    }

    /// The fewest net lamports after which selling everything brings enough. Each stretch with one fee tier is searched
    /// separately, because higher fees can take back what a higher price brought.
    fn smallest_inflow(&self, token: &Token, exit: &Exit) -> Result<Option<u64>, Refusal> {
        // Buying the last token closes the curve, so an exit needs one left.
        let open = Curve { real_token_reserves: token.curve.real_token_reserves - 1, ..token.curve };
        let end = open.most_net_lamports();
        let mut starts = BinaryHeap::from([Reverse(1)]);
        for tier in &self.fee_tiers {
            starts.extend(reaches_cap(token, tier.market_cap_threshold_lamports, end).map(Reverse));
        }
        while let Some(Reverse(start)) = starts.pop() {
            let last = match starts.peek() {
                Some(Reverse(next)) if *next == start => continue,
                Some(Reverse(next)) => next - 1,
                None => end,
            };
            let Some(curve) = bought_by_others(&token.curve, start) else { break };
            let rates = self.rates(&Token { curve, ..*token })?;
            if let Some(inflow) = exit.first_inflow(&token.curve, start..=last, rates) {
                return Ok(Some(inflow));
            }
        }
        Ok(None)
    }
}

/// How many steps the search for an exit takes at most. On a curve that can pay its sellers, a few are enough.
const MOST_LOOKS: u32 = 1 << 16;

/// What an exit must bring from its sale, after the sale's fees.
struct Exit {
    /// Everything the wallet holds.
    tokens: u64,
    /// If the account stays open.
    part_lamports: u64,
    /// If everything is sold and the account's refund comes on top.
    all_lamports: u64,
}

impl Exit {
    /// Whether selling everything on this curve brings enough.
    fn brings(&self, curve: &Curve, rates: FeeRates) -> bool {
        curve.sell_exact_in(self.tokens, self.tokens, self.all_lamports, rates).is_ok()
    }

    /// The first inflow within `range`, all of one fee tier, after which selling everything brings enough.
    fn first_inflow(&self, curve: &Curve, range: RangeInclusive<u64>, rates: FeeRates) -> Option<u64> {
        let (mut from, last) = range.into_inner();
        let mut sale_from = 0;
        for _ in 0..MOST_LOOKS {
            let needed = smallest_sale_for(self.all_lamports, sale_from, rates)?;
            let guess = self.inflow_near(curve, needed);
            let inflow = first(from..=last, guess, |inflow| self.sells_for(needed, curve, inflow))?;
            let moved = bought_by_others(curve, inflow)?;
            if self.brings(&moved, rates) {
                return Some(inflow);
            }
            let sale = moved.lamports_for(self.tokens).ok()?;
            if sale > moved.real_sol_reserves {
                from = self.inflow_to_pay(curve, &moved)?.max(inflow.checked_add(1)?);
            } else {
                // Both fees rounded up at once, so a larger sale is needed.
                sale_from = sale.checked_add(1)?;
            }
        }
        None
    }

    /// A lower bound for the inflow after which the curve can pay for everything, from a curve `moved` that cannot. With
    /// `q` virtual tokens, `V` virtual lamports and `g = V − real − 1`, it pays if `q · (V − g) > g · held`. More inflow
    /// only lowers `q`.
    fn inflow_to_pay(&self, curve: &Curve, moved: &Curve) -> Option<u64> {
        let unreal = moved.virtual_sol_reserves.checked_sub(moved.real_sol_reserves)?.checked_sub(1)?;
        let past = u128::from(unreal) * u128::from(self.tokens) / u128::from(moved.virtual_token_reserves);
        let reserves = u64::try_from(past.checked_add(u128::from(unreal) + 1)?).ok()?;
        Some(reserves.saturating_sub(curve.virtual_sol_reserves))
    }

    /// Whether everything would sell for at least `lamports` before fees after this inflow, if the curve can pay. Also true for
    /// an inflow that others cannot bring, so that the search stays below it.
    fn sells_for(&self, lamports: u64, curve: &Curve, inflow: u64) -> bool {
        let Some(moved) = bought_by_others(curve, inflow) else { return true };
        let room = moved.real_token_reserves.checked_add(self.tokens).is_some();
        room && moved.lamports_for(self.tokens).is_ok_and(|sale| sale >= lamports)
    }

    /// About where the sale reaches `lamports`: `h · V² / (vs · vt + h · V) = lamports`, solved for `V − vs`.
    fn inflow_near(&self, curve: &Curve, lamports: u64) -> u64 {
        let product = curve.virtual_sol_reserves as f64 * curve.virtual_token_reserves as f64;
        let sale = lamports as f64;
        let reserves = (sale + (sale * sale + 4.0 * sale * product / self.tokens as f64).sqrt()) / 2.0;
        (reserves - curve.virtual_sol_reserves as f64) as u64
    }
}

/// The curve after others have brought it this many net lamports in one buy; `None` where they cannot.
fn bought_by_others(curve: &Curve, net_lamports: u64) -> Option<Curve> {
    let tokens = curve.tokens_for(net_lamports).ok()?;
    Some(Curve {
        virtual_token_reserves: curve.virtual_token_reserves.checked_sub(tokens)?,
        virtual_sol_reserves: curve.virtual_sol_reserves.checked_add(net_lamports)?,
        real_token_reserves: curve.real_token_reserves.checked_sub(tokens)?,
        real_sol_reserves: curve.real_sol_reserves.checked_add(net_lamports)?,
    })
}

/// The first inflow up to `end` after which the market cap is at least `threshold`.
fn reaches_cap(token: &Token, threshold: u128, end: u64) -> Option<u64> {
    let curve = &token.curve;
    let product = curve.virtual_sol_reserves as f64 * curve.virtual_token_reserves as f64;
    let reserves = (threshold as f64 * product / token.supply as f64).sqrt();
    let guess = (reserves - curve.virtual_sol_reserves as f64) as u64;
    first(1..=end, guess, |inflow| {
        let Some(moved) = bought_by_others(curve, inflow) else { return true };
        moved.market_cap_lamports(token.supply).is_ok_and(|cap| cap >= threshold)
    })
}

/// The first of `range` for which `holds` is true; it must be true for all after it. `None` if it never is. Steps away
/// from `guess` in doubling strides, then bisects.
fn first(range: RangeInclusive<u64>, guess: u64, holds: impl Fn(u64) -> bool) -> Option<u64> {
    let (mut low, mut high) = range.into_inner();
    if low > high || !holds(high) {
        return None;
    }
    // It is from `low` to `high`: the strides narrow that from one side, until one of them passes it.
    let (mut at, mut stride) = (guess.clamp(low, high), 1u64);
    let goes_down = holds(at);
    while low < high {
        let is_true = holds(at);
        if is_true {
            high = at
        } else {
            low = at + 1
        }
        if is_true != goes_down {
            break;
        }
        at = if goes_down { at.saturating_sub(stride).max(low) } else { at.saturating_add(stride).min(high) };
        stride = stride.saturating_mul(2);
    }
    while low < high {
        let middle = low + (high - low) / 2;
        if holds(middle) { high = middle } else { low = middle + 1 }
    }
    Some(high)
}
