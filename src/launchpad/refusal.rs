//! Why the launchpad refuses a trade. If the program's own answers were recorded (`tests/vectors`), the codes match them.

use std::fmt;

use crate::codes::codes;

codes! {
    /// Why the launchpad's program, or the network under it, refuses a trade. Append-only.
    #[derive(PartialOrd, Ord)]
    #[non_exhaustive]
    Refusal as "RefusalCode" {
        /// The amount is zero.
        ZeroAmount = "zero_amount",
        /// The curve has no virtual reserves, so it has no price.
        EmptyCurve = "empty_curve",
        /// All tokens of the curve are sold, so trading has ended.
        CurveComplete = "curve_complete",
        /// The curve has fewer tokens left than this buys.
        NotEnoughTokensOnCurve = "not_enough_tokens_on_curve",
        /// The spend is used up by its own fees.
        SpendDoesNotCoverFees = "spend_does_not_cover_fees",
        /// The buy brings fewer tokens than its minimum, or none at all.
        BelowMinimumTokens = "below_minimum_tokens",
        /// The buy costs more than its maximum.
        AboveMaximumCost = "above_maximum_cost",
        /// The wallet holds fewer tokens than this sells.
        NotEnoughTokensHeld = "not_enough_tokens_held",
        /// The fees exceed the sale, or the sale exceeds the curve's lamports.
        FeesOrReservesExceeded = "fees_or_reserves_exceeded",
        /// The sell brings fewer lamports than its minimum.
        BelowMinimumLamports = "below_minimum_lamports",
        /// This percentage of the holdings is less than one base unit.
        PercentageSellsNothing = "percentage_sells_nothing",
        /// A number does not fit into 64 bits.
        Overflow = "overflow",
        /// The wallet has too few lamports for this trade.
        InsufficientLamports = "insufficient_lamports",
        /// The wallet has too few lamports for its token account's rent.
        InsufficientLamportsForRent = "insufficient_lamports_for_rent",
        /// The fee payer has too few lamports for the network fee: the transaction is never processed.
        InsufficientLamportsForNetworkFee = "insufficient_lamports_for_network_fee",
        /// The wallet's token account is not open, or the wallet is unknown.
        TokenAccountNotOpen = "token_account_not_open",
        /// The token account still holds tokens.
        TokenAccountNotEmpty = "token_account_not_empty",
        /// The wallet is not part of this transaction.
        UnknownWallet = "unknown_wallet",
        /// The launchpad has no fee tier, so its fees are not known.
        NoFeeTier = "no_fee_tier",
        /// No amount reaches the goal.
        OutOfReach = "out_of_reach",
        /// A plan is made for at most 10,000 wallets.
        TooManyWallets = "too_many_wallets",
        /// A wallet would be left with less than an empty account's rent (128 × `rentLamportsPerByte`), but not with zero.
        BelowRentMinimum = "below_rent_minimum",
        /// The curve has fewer tokens left than this buys, and the rest would come from the future pool, which cannot be priced
        /// yet.
        FilledFromPool = "filled_from_pool",
        /// The wallet's token account is frozen: it can neither sell nor buy.
        TokenAccountFrozen = "token_account_frozen",
        /// No refusal of the launchpad: the amount is a part of what the wallet holds, and that is not known, because the wallet's id is no address
        /// and `walletAddresses` of the market has none for it. There is no price; the trade may land.
        HoldingsUnknown = "holdings_unknown",
    }
}

impl Refusal {
    /// The refusal in a trader's words.
    pub const fn message(self) -> &'static str {
        match self {
            Refusal::ZeroAmount => "the amount is zero",
            Refusal::EmptyCurve => "the curve has no virtual reserves, so it has no price",
            Refusal::CurveComplete => "the curve is complete: it trades no longer",
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
            Refusal::Overflow => "a number is over 64 bits",
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
                "a wallet would be left with less than an empty account's rent, but not with zero"
            }
            Refusal::FilledFromPool => {
                "the curve has fewer tokens left than this buys; the rest would come from the future pool, which cannot be priced yet"
            }
            Refusal::TokenAccountFrozen => {
                "the wallet's token account is frozen: it can neither sell nor buy"
            }
            Refusal::HoldingsUnknown => {
                "how much this sells is not known, because the wallet's id is no address: the market's walletAddresses can give it one"
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
