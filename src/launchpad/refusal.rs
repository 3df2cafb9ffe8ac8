//! Why the launchpad refuses a trade. If the program's own answers were recorded (`tests/vectors`), the codes match them.

use crate::codes::codes;
use crate::error_text;

codes! {
    /// Why the launchpad's program, or the network under it, refuses a trade. Append-only.
    #[derive(PartialOrd, Ord)]
    #[non_exhaustive]
    Refusal as "RefusalCode" {
        /// The amount is zero.
        ZeroAmount = "zero_amount",
        /// The curve has no virtual reserves, so it has no price.
        EmptyCurve = "empty_curve",
        /// The curve is complete: it trades no longer. All its tokens are sold.
        CurveComplete = "curve_complete",
        /// The curve has fewer tokens left than this buys.
        NotEnoughTokensOnCurve = "not_enough_tokens_on_curve",
        /// The spend is used up by its own fees.
        SpendDoesNotCoverFees = "spend_does_not_cover_fees",
        /// Fewer tokens than the minimum: the price moved past the slippage. A buy that brings none is one, too.
        BelowMinimumTokens = "below_minimum_tokens",
        /// Costs more than the maximum: the price moved past the slippage.
        AboveMaximumCost = "above_maximum_cost",
        /// The wallet holds fewer tokens than this sells.
        NotEnoughTokensHeld = "not_enough_tokens_held",
        /// The fees exceed the sale, or the sale exceeds the curve's lamports.
        FeesOrReservesExceeded = "fees_or_reserves_exceeded",
        /// Fewer lamports than the minimum: the price moved past the slippage.
        BelowMinimumLamports = "below_minimum_lamports",
        /// This percentage of the holdings is less than one base unit.
        PercentageSellsNothing = "percentage_sells_nothing",
        /// A number is over 64 bits.
        Overflow = "overflow",
        /// The wallet has too few lamports for this trade.
        InsufficientLamports = "insufficient_lamports",
        /// The wallet has too few lamports for its token account's rent.
        InsufficientLamportsForRent = "insufficient_lamports_for_rent",
        /// The fee payer has too few lamports for the network fee. The transaction is never processed.
        InsufficientLamportsForNetworkFee = "insufficient_lamports_for_network_fee",
        /// The wallet's token account is not open. Nor is that of a wallet that is not known.
        TokenAccountNotOpen = "token_account_not_open",
        /// The token account still holds tokens.
        TokenAccountNotEmpty = "token_account_not_empty",
        /// The wallet is not part of this transaction.
        UnknownWallet = "unknown_wallet",
        /// The launchpad has no fee tier. So its fees are not known.
        NoFeeTier = "no_fee_tier",
        /// No amount reaches this.
        OutOfReach = "out_of_reach",
        /// A plan is made for at most 10,000 wallets.
        TooManyWallets = "too_many_wallets",
        /// A wallet would be left with less than an empty account's rent, but not with zero. That rent is 128 ×
        /// `rentLamportsPerByte`.
        BelowRentMinimum = "below_rent_minimum",
        /// The curve has fewer tokens left than this buys; the rest would come from the future pool, which cannot
        /// be priced yet.
        FilledFromPool = "filled_from_pool",
        /// The wallet's token account is frozen: it can neither sell nor buy.
        TokenAccountFrozen = "token_account_frozen",
        /// How much this sells is not known, because the wallet's id is no address: the market's walletAddresses
        /// can give it one. It is no refusal of the launchpad: there is no price, and the trade may land.
        HoldingsUnknown = "holdings_unknown",
        /// Only somebody else may close the token account.
        TokenAccountStaysOpen = "token_account_stays_open",
    }
}

impl Refusal {
    /// The refusal in a trader's words: the first sentence of its meaning, to stand in another one.
    pub fn message(self) -> String {
        let meaning = self.meaning();
        let end = meaning.as_bytes().windows(2).position(|two| two == b". ").unwrap_or(meaning.len() - 1);
        let mut message = meaning.get(..end).unwrap_or(meaning).to_owned();
        if let Some(first) = message.get_mut(..1) {
            first.make_ascii_lowercase();
        }
        message
    }
}

error_text!(Refusal, |refusal| &refusal.message());
