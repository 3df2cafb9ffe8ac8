//! A quote on its own, with every number it has, and a curve's reserves: what the launchpad's module adds to [`view`].
//!
//! [`view`]: super::view

use super::curve::Curve;
use super::quote::Quote;
use super::transaction::{Action, Wallet};
use super::view::{account_change, percent_of_ppm, price, side, whole_tokens};
use crate::amount::Digits;
use crate::record;
use crate::value::Value;

record! {
    /// What one trade on a curve would do. Plain data: it may be kept, and a receipt is made of it later.
    CurveQuote {
        /// `buy` or `sell`.
        side: &'static str => "\"buy\" | \"sell\"",
        /// Tokens bought or sold, in base units.
        tokens: u64 => "bigint",
        /// The same in whole tokens, exact.
        token_amount: String => "string",
        /// What the wallet pays (a buy) or receives (a sell) in all, trading fees included.
        wallet_lamports: u64 => "bigint",
        /// What reaches or leaves the curve, before fees.
        curve_lamports: u64 => "bigint",
        /// Fee to the protocol.
        protocol_fee_lamports: u64 => "bigint",
        /// Fee to the token's creator.
        creator_fee_lamports: u64 => "bigint",
        /// How far the fill's price is from the spot price, before fees, in basis points, rounded up.
        price_impact_bps: Value => "number",
        /// Spot price before, in lamports a whole token, to nine places; `null` past 128 bits, as the three below.
        spot_price_before: Option<String> => "string | null",
        /// Spot price after.
        spot_price_after: Option<String> => "string | null",
        /// Average price of this fill before fees.
        average_price: Option<String> => "string | null",
        /// Average price of this fill, trading fees included.
        average_price_with_fees: Option<String> => "string | null",
        /// Market cap before, in lamports.
        market_cap_lamports: Value => "bigint",
        /// Market cap after, in lamports.
        market_cap_after_lamports: Value => "bigint",
        /// Slippage that the bound was made with, in percent.
        slippage_percent: String => "string",
        /// The bound of a buy that spends so many lamports: the fewest tokens to accept.
        min_tokens: Option<u64> => "bigint | null",
        /// The bound of a buy of so many tokens: the most lamports to pay, trading fees included.
        max_lamports: Option<u64> => "bigint | null",
        /// The bound of a sell: the fewest lamports to accept, after trading fees.
        min_lamports: Option<u64> => "bigint | null",
        /// At worst: the fewest tokens bought, or all that are sold; in base units.
        worst_tokens: u64 => "bigint",
        /// The same in whole tokens, exact.
        worst_token_amount: String => "string",
        /// At worst: the most paid or the least received, trading fees included.
        worst_wallet_lamports: u64 => "bigint",
        /// What becomes of the wallet's token account.
        token_account: &'static str => "\"opens\" | \"closes\" | \"stays\" | \"unknown\"",
        /// Rent paid for opening the token account, or refunded by closing it.
        rent_lamports: u64 => "bigint",
        /// What the wallet held before, in base units; `null` where the wallet is unknown.
        held_tokens: Option<u64> => "bigint | null",
        /// The network's fee, whoever pays it; charged even when the transaction fails.
        network_fee_lamports: u64 => "bigint",
        /// What of it the trading wallet pays: all or nothing.
        own_network_fee_lamports: u64 => "bigint",
        /// Lamports the trading wallet gains or, below zero, spends: trade, fees, rent or refund.
        net_lamports: i128 => "bigint",
        /// The same at the bound.
        worst_net_lamports: i128 => "bigint",
        /// Fraction digits of a whole token.
        token_decimals: u8 => "number",
        /// What to know before sending, as stable codes.
        warnings: Vec<&'static str> => "QuoteWarning[]",
    }
}

record! {
    /// Where a curve stands. Tokens in base units.
    CurveReserves {
        /// Tokens the price is made of.
        virtual_token_reserves: u64 => "bigint",
        /// Lamports the price is made of.
        virtual_sol_reserves: u64 => "bigint",
        /// Tokens left to buy.
        real_token_reserves: u64 => "bigint",
        /// Lamports left to pay sellers with.
        real_sol_reserves: u64 => "bigint",
    }
}

/// A quote on its own, of a trade by `wallet` where that is known.
///
/// ```
/// use launchpad_desk::launchpad::{Launchpad, curve_view::curve_quote, quote::{Ask, Order, quote}};
/// let launchpad = Launchpad::default();
/// let ask = Ask::new(Order::BuyExactIn { lamports: 1_000_000_000 }, 5_000);
/// let quote = curve_quote(&quote(&launchpad, &launchpad.new_token(), &ask).unwrap(), None, 6);
/// assert_eq!(quote.token_amount, "34199203.120618");
/// assert_eq!((quote.min_tokens, quote.max_lamports), (Some(34_028_207_105_014), None));
/// ```
pub fn curve_quote(quote: &Quote, wallet: Option<&Wallet>, decimals: u8) -> CurveQuote {
    let fill = &quote.fill;
    let (token_account, rent_lamports) = account_change(quote.account);
    let (min_tokens, max_lamports, min_lamports) = bounds(quote.action);
    CurveQuote {
        side: side(quote.side),
        tokens: fill.tokens,
        token_amount: whole_tokens(fill.tokens, decimals),
        wallet_lamports: fill.wallet_lamports,
        curve_lamports: fill.curve_lamports,
        protocol_fee_lamports: fill.fees.protocol_lamports,
        creator_fee_lamports: fill.fees.creator_lamports,
        price_impact_bps: Value::Number(quote.impact_bps.digits()),
        spot_price_before: price(quote.spot_before, decimals),
        spot_price_after: price(quote.spot_after, decimals),
        average_price: price(quote.average, decimals),
        average_price_with_fees: price(quote.average_with_fees, decimals),
        market_cap_lamports: Value::BigInt(quote.market_cap_before_lamports.digits()),
        market_cap_after_lamports: Value::BigInt(quote.market_cap_after_lamports.digits()),
        slippage_percent: percent_of_ppm(quote.slippage_ppm),
        min_tokens,
        max_lamports,
        min_lamports,
        worst_tokens: quote.worst_tokens,
        worst_token_amount: whole_tokens(quote.worst_tokens, decimals),
        worst_wallet_lamports: quote.worst_wallet_lamports,
        token_account,
        rent_lamports,
        held_tokens: wallet.map(Wallet::tokens),
        network_fee_lamports: quote.network_fee_lamports,
        own_network_fee_lamports: quote.own_network_fee_lamports,
        net_lamports: quote.net_lamports,
        worst_net_lamports: quote.worst_net_lamports,
        token_decimals: decimals,
        warnings: quote.warnings.iter().map(|warning| warning.code()).collect(),
    }
}

/// Where a curve stands.
pub fn reserves(curve: &Curve) -> CurveReserves {
    CurveReserves {
        virtual_token_reserves: curve.virtual_token_reserves,
        virtual_sol_reserves: curve.virtual_sol_reserves,
        real_token_reserves: curve.real_token_reserves,
        real_sol_reserves: curve.real_sol_reserves,
    }
}

/// Fewest tokens, most lamports, fewest lamports: the one bound that a trade is sent with.
fn bounds(action: Action) -> (Option<u64>, Option<u64>, Option<u64>) {
    match action {
        Action::BuyExactIn { min_tokens, .. } => (Some(min_tokens), None, None),
        Action::BuyExactOut { max_lamports, .. } => (None, Some(max_lamports), None),
        Action::SellExactIn { min_lamports, .. } => (None, None, Some(min_lamports)),
        Action::OpenTokenAccount | Action::CloseTokenAccount => (None, None, None),
    }
}
