//! Adds up receipts: what a holding cost, what it earned, and what it is worth. The rent of a volume account is a cost, because no trade
//! gives it back; that of a token account is not.

use super::account::TokenAccount;
use super::config::{Launchpad, Token};
use super::curve::Price;
use super::div::mul_div_floor;
use super::goal::{BreakEven, Trader};
use super::quote::{AccountChange, Side};
use super::receipt::{Figure, Receipt};
use super::refusal::Refusal;
use super::transaction::Wallet;
use crate::api::response::Status;
use crate::codes::codes;
use crate::record;

record! {
    /// The state of a wallet's position in one token. Plain data: a position can continue from it.
    #[derive(Copy, Default)]
    Position as "PositionState" {
        /// Base units held.
        tokens: u64 => "bigint",
        /// What they cost, in lamports, including every fee. Rent is not a cost, because it comes back.
        cost_lamports: u64 => "bigint",
        /// Lamports gained (negative: lost) on tokens sold and on failed transactions.
        realised_lamports: i128 => "bigint",
        /// Protocol and creator fees paid so far, as the receipts have them.
        fees_lamports: u128 => "bigint",
        /// Network fees paid so far.
        network_fees_lamports: u128 => "bigint",
        /// Rent the open account holds.
        rent_locked_lamports: u64 => "bigint",
        /// Receipts added.
        receipts: u64 => "bigint",
        /// How many of them were unconfirmed or had an estimated figure that counts here. If there are any, the sums are
        /// estimates too. Estimated trading fees alone do not count: they are included in the lamports.
        estimated_receipts: u64 => "bigint",
        /// How many of them had estimated trading fees. If there are any, `feesLamports` is an estimate.
        estimated_fees: u64 => "bigint",
        /// Base units sold that were never bought here; they count as free of cost.
        unmatched_tokens: u64 => "bigint",
    }
}

codes! {
    /// How what a wallet holds differs from its position.
    Holds {
        /// The wallet holds more than the position: tokens came in that were not added.
        More = "more",
        /// It holds fewer: tokens went out that were not added.
        Fewer = "fewer",
    }
}

record! {
    /// By how much a wallet differs from its position.
    PositionDifference {
        /// Whether the wallet holds more or fewer tokens than the position.
        wallet_holds: Holds => "Holds",
        /// How many, in base units.
        tokens: u64 => "bigint",
    }
}

impl Position {
    /// Compares the position with the base units that the wallet holds; `None` if they agree.
    ///
    /// ```
    /// use launchpad_desk::launchpad::position::{Holds, Position};
    /// let position = Position { tokens: 5_000_000, ..Position::default() };
    /// assert_eq!(position.check(5_000_000), None);
    /// let difference = position.check(4_000_000).unwrap();
    /// assert_eq!((difference.wallet_holds, difference.tokens), (Holds::Fewer, 1_000_000));
    /// ```
    pub fn check(&self, wallet_tokens: u64) -> Option<PositionDifference> {
        let wallet_holds = if wallet_tokens > self.tokens { Holds::More } else { Holds::Fewer };
        let tokens = wallet_tokens.abs_diff(self.tokens);
        (tokens > 0).then_some(PositionDifference { wallet_holds, tokens })
    }

    /// Adds a receipt; an unconfirmed one counts as an estimate. Sells use the average cost; selling everything takes it all.
    ///
    /// Cost and gain are the total change of the wallet's lamports, without the rent.
    ///
    /// Sums saturate instead of wrapping; no market comes near that.
    pub fn add(&mut self, receipt: &Receipt) {
        self.receipts += 1;
        let estimated = receipt.tokens.is_estimated()
            || receipt.lamports.is_estimated()
            || receipt.account.is_estimated()
            || receipt.network_fee_lamports.is_estimated()
            || receipt.net_lamports.is_estimated()
            || receipt.landing == Status::Unconfirmed;
        self.estimated_receipts += u64::from(estimated);
        self.estimated_fees += u64::from(receipt.fees.is_estimated());
        let network_fee = receipt.network_fee_lamports.value();
        self.network_fees_lamports = self.network_fees_lamports.saturating_add(u128::from(network_fee));
        self.fees_lamports = self.fees_lamports.saturating_add(receipt.fees.value().total());
        let tokens = receipt.tokens.value();
        // Trade and network fee: everything that moved except the rent.
        let gained = receipt.net_lamports.value().saturating_sub(receipt.account.value().wallet_lamports());
        match (receipt.side, u64::try_from(gained.saturating_neg())) {
            (Side::Buy, Ok(spent)) if tokens > 0 => {
                self.tokens = self.tokens.saturating_add(tokens);
                self.cost_lamports = self.cost_lamports.saturating_add(spent);
            }
            (Side::Buy, _) => {
                self.tokens = self.tokens.saturating_add(tokens);
                self.realise(gained);
            }
            (Side::Sell, _) => {
                let matched = tokens.min(self.tokens);
                // A part of the cost, floored. The remainders are counted when the last token is sold.
                let cost = mul_div_floor(self.cost_lamports, matched, self.tokens).unwrap_or(0);
                self.unmatched_tokens = self.unmatched_tokens.saturating_add(tokens - matched);
                self.tokens -= matched;
                self.cost_lamports -= cost;
                self.realise(gained.saturating_sub(i128::from(cost)));
            }
        }
        match receipt.account.value() {
            AccountChange::Opens { rent_lamports } => self.rent_locked_lamports = rent_lamports,
            AccountChange::Closes { .. } => self.rent_locked_lamports = 0,
            AccountChange::None | AccountChange::Unknown => {}
        }
    }

    /// The average cost of the base units held, as lamports for base units; `None` if nothing is held.
    pub fn average_cost(&self) -> Option<Price> {
        (self.tokens > 0).then_some(Price { lamports: self.cost_lamports, tokens: self.tokens })
    }

    /// What selling everything now would gain (negative: lose) against its cost: the sale after its fees, without the network
    /// fee of the sell and without rent. `None` if the launchpad refuses the sell.
    pub fn unrealised_lamports(&self, launchpad: &Launchpad, token: &Token) -> Option<i128> {
        if self.tokens == 0 {
            return Some(-i128::from(self.cost_lamports));
        }
        let fill = launchpad.sell_exact_in(token, self.tokens, self.tokens, 0).ok()?;
        Some(i128::from(fill.wallet_lamports) - i128::from(self.cost_lamports))
    }

    /// The exit that recovers what the position cost: after the sell's trading fees, and its network fee if the trader pays it.
    /// Rent does not count: it was not a cost, and comes back at closing. The trader needs no known wallet: the position is sold.
    ///
    /// ```
    /// use launchpad_desk::launchpad::{Launchpad, cost::Priority, goal::{BreakEven, Trader}};
    /// use launchpad_desk::launchpad::{position::Position, quote::FeePayer, transaction::Wallet};
    /// let launchpad = Launchpad::default();
    /// let token = launchpad.new_token();
    /// let bought = launchpad.buy_exact_in(&token, 1_000_000_000, 1).unwrap();
    /// let token = launchpad_desk::launchpad::Token { curve: bought.curve_after, ..token };
    /// let position = Position { tokens: bought.tokens, cost_lamports: 1_000_005_000, ..Position::default() };
    /// let wallet = Wallet { lamports: 1_000_000, ..Wallet::default() };
    /// let trader = Trader { wallet: &wallet, fee_payer: FeePayer::Trader, priority: Priority::default() };
    /// let exit = position.break_even(&launchpad, &token, &trader).unwrap();
    /// assert!(matches!(exit, BreakEven::After { .. }));
    /// ```
    ///
    /// Fails as [`Launchpad::break_even`].
    pub fn break_even(
        &self,
        launchpad: &Launchpad,
        token: &Token,
        trader: &Trader,
    ) -> Result<BreakEven, Refusal> {
        if self.tokens == 0 {
            return Ok(BreakEven::Now { tokens: 0 });
        }
        // An account that refunds nothing: the cost has no rent in it, either.
        let account = TokenAccount { tokens: self.tokens, ..TokenAccount::default() };
        let wallet = Wallet { token_account: Some(account), ..*trader.wallet };
        launchpad.break_even(token, &Trader { wallet: &wallet, ..*trader }, self.cost_lamports)
    }

    /// What a receipt gains (negative: loses) against this position.
    pub fn profit_of(&self, receipt: &Receipt) -> Figure<i128> {
        let mut after = *self;
        after.add(receipt);
        let profit = after.realised_lamports.saturating_sub(self.realised_lamports);
        if after.estimated_receipts > 0 { Figure::Estimated(profit) } else { Figure::Known(profit) }
    }

    fn realise(&mut self, lamports: i128) {
        self.realised_lamports = self.realised_lamports.saturating_add(lamports);
    }
}
