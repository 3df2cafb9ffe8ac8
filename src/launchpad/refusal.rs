//! Why the launchpad refuses a trade.

use std::fmt;

/// Why the launchpad's program, or the network under it, refuses a trade.
///
/// [`code`](Refusal::code) is stable and append-only. Where the program's own answers were recorded
/// (`tests/vectors`), the codes are theirs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Refusal {
    /// An amount of nothing.
    ZeroAmount,
    /// A curve with no virtual reserves has no price.
    EmptyCurve,
    /// Every token of the curve is sold: it trades no more.
    CurveComplete,
    /// A buy of more tokens than the curve has left.
    NotEnoughTokensOnCurve,
    /// A spend that leaves nothing once its fees are taken.
    SpendDoesNotCoverFees,
    /// A buy that brings fewer tokens than its minimum.
    BelowMinimumTokens,
    /// A buy that costs more lamports than its maximum.
    AboveMaximumCost,
    /// A sell of more tokens than the wallet holds.
    NotEnoughTokensHeld,
    /// A sell whose fees exceed it, or that asks for more lamports than the curve holds.
    FeesOrReservesExceeded,
    /// A sell that brings fewer lamports than its minimum.
    BelowMinimumLamports,
    /// A percentage of holdings that comes to less than one base unit.
    PercentageSellsNothing,
    /// A number that passes 64 bits.
    Overflow,
    /// A wallet without the lamports for its trade.
    InsufficientLamports,
    /// A wallet without the lamports for its token account's rent.
    InsufficientLamportsForRent,
    /// A fee payer without the lamports for the network fee: the transaction is never processed.
    InsufficientLamportsForNetworkFee,
    /// A trade on a token account that is not open.
    TokenAccountNotOpen,
    /// Closing a token account that still holds tokens.
    TokenAccountNotEmpty,
    /// A wallet that is not among the transaction's wallets.
    UnknownWallet,
    /// A launchpad without a fee tier charges no known fee.
    NoFeeTier,
    /// No amount reaches what was asked for.
    OutOfReach,
    /// A budget split over more wallets than a plan is made for.
    TooManyWallets,
    /// A wallet that would be left with less than the rent-exempt minimum of an empty account, but not with nothing.
    BelowRentMinimum,
}

impl Refusal {
    /// The stable name of this refusal, in snake_case.
    pub const fn code(self) -> &'static str {
        match self {
            Refusal::ZeroAmount => "zero_amount",
            Refusal::EmptyCurve => "empty_curve",
            Refusal::CurveComplete => "curve_complete",
            Refusal::NotEnoughTokensOnCurve => "not_enough_tokens_on_curve",
            Refusal::SpendDoesNotCoverFees => "spend_does_not_cover_fees",
            Refusal::BelowMinimumTokens => "below_minimum_tokens",
            Refusal::AboveMaximumCost => "above_maximum_cost",
            Refusal::NotEnoughTokensHeld => "not_enough_tokens_held",
            Refusal::FeesOrReservesExceeded => "fees_or_reserves_exceeded",
            Refusal::BelowMinimumLamports => "below_minimum_lamports",
            Refusal::PercentageSellsNothing => "percentage_sells_nothing",
            Refusal::Overflow => "overflow",
            Refusal::InsufficientLamports => "insufficient_lamports",
            Refusal::InsufficientLamportsForRent => "insufficient_lamports_for_rent",
            Refusal::InsufficientLamportsForNetworkFee => "insufficient_lamports_for_network_fee",
            Refusal::TokenAccountNotOpen => "token_account_not_open",
            Refusal::TokenAccountNotEmpty => "token_account_not_empty",
            Refusal::UnknownWallet => "unknown_wallet",
            Refusal::NoFeeTier => "no_fee_tier",
            Refusal::OutOfReach => "out_of_reach",
            Refusal::TooManyWallets => "too_many_wallets",
            Refusal::BelowRentMinimum => "below_rent_minimum",
        }
    }

    /// The refusal in a trader's words.
    pub const fn message(self) -> &'static str {
        match self {
            Refusal::ZeroAmount => "the amount is zero",
            Refusal::EmptyCurve => "the curve has no virtual reserves, so it has no price",
            Refusal::CurveComplete => "the curve is complete: all its tokens are sold",
            Refusal::NotEnoughTokensOnCurve => "the curve has fewer tokens left than this buys",
            Refusal::SpendDoesNotCoverFees => "the spend is used up by its own fees",
            Refusal::BelowMinimumTokens => "fewer tokens than the minimum: the price moved past the slippage",
            Refusal::AboveMaximumCost => "costs more than the maximum: the price moved past the slippage",
            Refusal::NotEnoughTokensHeld => "the wallet holds fewer tokens than this sells",
            Refusal::FeesOrReservesExceeded => {
                "the fees exceed the sale, or the sale exceeds the curve's lamports"
            }
            Refusal::BelowMinimumLamports => {
                "fewer lamports than the minimum: the price moved past the slippage"
            }
            Refusal::PercentageSellsNothing => "this percentage of the holdings is less than one base unit",
            Refusal::Overflow => "a number passes 64 bits",
            Refusal::InsufficientLamports => "the wallet has too few lamports for this trade",
            Refusal::InsufficientLamportsForRent => {
                "the wallet has too few lamports for its token account's rent"
            }
            Refusal::InsufficientLamportsForNetworkFee => {
                "the fee payer has too few lamports for the network fee"
            }
            Refusal::TokenAccountNotOpen => "the wallet's token account is not open",
            Refusal::TokenAccountNotEmpty => "the token account still holds tokens",
            Refusal::UnknownWallet => "the wallet is not part of this transaction",
            Refusal::NoFeeTier => "the launchpad has no fee tier",
            Refusal::OutOfReach => "no amount reaches this",
            Refusal::TooManyWallets => "a plan is made for at most 10,000 wallets",
            Refusal::BelowRentMinimum => {
                "a wallet would be left with less than an empty account's rent, and not with nothing"
            }
        }
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.message())
    }
}

impl std::error::Error for Refusal {}
