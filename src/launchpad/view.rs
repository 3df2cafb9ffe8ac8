//! Quotes as JS and JSON see them: lamports and base units as whole numbers, prices and whole tokens as exact decimal text.

use super::bundle::BundleQuote;
use super::config::Completion;
use super::curve::Price;
use super::fees::{FeeRates, Fees};
use super::quote::{AccountChange, Quote, Side, Warning};
use super::receipt::{Quoted, exact_in};
use super::refusal::Refusal;
use crate::amount::decimal_text;
use crate::api::endpoint::Operation;
use crate::reader::Reader;
use crate::record;
use crate::tape::Number;

/// The largest safe integer of JS.
#[doc(hidden)]
pub const MAX_SAFE: u64 = (1 << 53) - 1;

/// Fraction digits of a price, which is in lamports per whole token.
const PRICE_DECIMALS: u8 = 9;

record! {
    /// What one trade of a request would do.
    LegQuote {
        /// Id of the wallet that trades.
        wallet: String => "string",
        /// `buy` or `sell`.
        side: Side => "Side",
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
        /// How far the fill's average price is from the spot price before it, before fees, in basis points, rounded up; 2^53 -
        /// 1 for anything larger.
        price_impact_bps: Number => "number",
        /// How far the trade moves the spot price, up by a buy and down by a sell, in basis points, rounded up; 2^53 - 1 for
        /// anything larger.
        spot_move_bps: Number => "number",
        /// Spot price before, in lamports per whole token, to nine places; `null` past 128 bits, as the others.
        spot_price_before: Option<String> => "string | null",
        /// Spot price after.
        spot_price_after: Option<String> => "string | null",
        /// Average price of this fill before fees.
        average_price: Option<String> => "string | null",
        /// Market cap before, in lamports.
        market_cap_lamports: u128 => "bigint",
        /// Slippage that the bounds below were made with, in percent. They are forecasts: the service makes its own bound
        /// from its own, later quote.
        slippage_percent: String => "string",
        /// At worst, as forecast: the fewest tokens bought, or all that are sold; in base units.
        worst_tokens: u64 => "bigint",
        /// The same in whole tokens, exact.
        worst_token_amount: String => "string",
        /// At worst, as forecast: the most paid or the least received, trading fees included.
        worst_wallet_lamports: u64 => "bigint",
        /// What happens to the wallet's token account.
        token_account: &'static str => "\"opens\" | \"closes\" | \"stays\" | \"unknown\"",
        /// Rent paid for opening the token account, or refunded by closing it.
        rent_lamports: u64 => "bigint",
        /// Rent paid for opening the wallet's volume account too, which its first buy does. No trade gives it back.
        volume_rent_lamports: u64 => "bigint",
        /// What to know before sending, as stable codes.
        warnings: Vec<Warning> => "QuoteWarning[]",
    }
}

record! {
    /// What a request does to one wallet; the fee payer's part includes the network fee.
    WalletQuote {
        /// Its id.
        wallet: String => "string",
        /// Lamports gained (negative: spent): trades, fees, rent, refunds.
        net_lamports: i128 => "bigint",
        /// The same with every trade at its bound, as forecast.
        worst_net_lamports: i128 => "bigint",
        /// Base units gained (negative: sold).
        net_tokens: i128 => "bigint",
        /// What to know about this wallet before sending, as stable codes: warnings that belong to no single trade.
        warnings: Vec<Warning> => "QuoteWarning[]",
    }
}

record! {
    /// What a request would do if it were sent now.
    TradeQuote {
        /// The operation quoted.
        operation: Operation => "Operation",
        /// Each trade, in order, on the curve that those before it leave: one for a single operation, none if one of them has
        /// no price.
        legs: Vec<LegQuote> => "LegQuote[]",
        /// The net result for each wallet of the request.
        wallets: Vec<WalletQuote> => "WalletQuote[]",
        /// Paid by the fee payer, even if the transaction fails.
        network_fee_lamports: u64 => "bigint",
        /// Why the transaction would fail, or has no price (`holdings_unknown`); `null` if it would land.
        refused: Option<QuoteRefusal> => "QuoteRefusal | null",
    }
}

record! {
    /// Why a transaction would fail, or has no price.
    QuoteRefusal {
        /// The launchpad's reason, as a stable code.
        code: Refusal => "RefusalCode",
        /// The reason as a sentence.
        message: String => "string",
        /// The element of a bundle that fails: `buys[2]`; empty for a single trade or if the request as a whole fails.
        field: String => "string",
    }
}

/// A quote as one leg of a request by `wallet`.
pub fn leg_quote(quote: &Quote, wallet: &str, decimals: u8) -> LegQuote {
    let fill = &quote.fill;
    let (token_account, rent_lamports) = account_change(quote.account);
    LegQuote {
        wallet: wallet.to_owned(),
        side: quote.side,
        tokens: fill.tokens,
        token_amount: whole_tokens(fill.tokens, decimals),
        wallet_lamports: fill.wallet_lamports,
        curve_lamports: fill.curve_lamports,
        protocol_fee_lamports: fill.fees.protocol_lamports,
        creator_fee_lamports: fill.fees.creator_lamports,
        price_impact_bps: Number(quote.impact_bps.min(MAX_SAFE).into()),
        spot_move_bps: Number(quote.spot_move_bps.min(MAX_SAFE).into()),
        spot_price_before: price(quote.spot_before, decimals),
        spot_price_after: price(quote.spot_after, decimals),
        average_price: price(quote.average, decimals),
        market_cap_lamports: quote.market_cap_before_lamports,
        slippage_percent: percent_of_ppm(quote.slippage_ppm),
        worst_tokens: quote.worst_tokens,
        worst_token_amount: whole_tokens(quote.worst_tokens, decimals),
        worst_wallet_lamports: quote.worst_wallet_lamports,
        token_account,
        rent_lamports,
        volume_rent_lamports: quote.volume_rent_lamports,
        warnings: quote.warnings.clone(),
    }
}

/// What happens to a token account, in a word, and the rent that this moves.
pub const fn account_change(account: AccountChange) -> (&'static str, u64) {
    match account {
        AccountChange::Unknown => ("unknown", 0),
        AccountChange::None => ("stays", 0),
        AccountChange::Opens { rent_lamports } => ("opens", rent_lamports),
        AccountChange::Closes { refund_lamports } => ("closes", refund_lamports),
    }
}

/// Reads a [`LegQuote`] that was kept: its wallet, and what it says of it. It has no rates, so it proves no fees.
#[doc(hidden)]
pub fn read_leg(r: &mut Reader) -> (String, Quoted) {
    r.ignore_rest();
    let quoted = read_quoted(r);
    (r.need("wallet", Reader::text).to_owned(), quoted)
}

/// The same, but for its wallet.
#[doc(hidden)]
pub fn read_quoted(r: &mut Reader) -> Quoted {
    let (side, tokens) = (read_side(r), r.need("tokens", Reader::whole));
    let wallet_lamports = r.need("walletLamports", Reader::whole);
    let (fees, account) = (read_fees(r), read_account(r));
    let volume_rent_lamports = r.whole("volumeRentLamports").unwrap_or(0);
    let worst_tokens = r.need("worstTokens", Reader::whole);
    let worst_lamports = r.need("worstWalletLamports", Reader::whole);
    let rents = account.wallet_lamports() - i128::from(volume_rent_lamports);
    Quoted {
        side,
        tokens,
        wallet_lamports,
        fees,
        account,
        volume_rent_lamports,
        action: exact_in(side, worst_tokens, worst_lamports),
        rates: FeeRates::NONE,
        rates_fixed: false,
        completion: Completion::Partial,
        own_network_fee_lamports: 0,
        worst_net_lamports: side.signed(worst_lamports) + rents,
    }
}

/// Reads a [`WalletQuote`] that was kept: its wallet, and what it says of it.
#[cfg(feature = "chain")]
pub(crate) fn read_wallet(r: &mut Reader) -> (String, super::bundle::WalletTotal) {
    r.ignore_rest();
    let wallet = r.need("wallet", Reader::text).to_owned();
    let total = super::bundle::WalletTotal {
        net_lamports: r.need("netLamports", Reader::signed),
        worst_net_lamports: r.need("worstNetLamports", Reader::signed),
        net_tokens: r.need("netTokens", Reader::signed),
    };
    (wallet, total)
}

/// Reads which side a trade is on.
#[doc(hidden)]
pub fn read_side(r: &mut Reader) -> Side {
    r.needed("side", |r, name| r.choice(name, Side::NAMED)).unwrap_or(Side::Buy)
}

/// Reads the fees of a trade.
#[doc(hidden)]
pub fn read_fees(r: &mut Reader) -> Fees {
    Fees {
        protocol_lamports: r.need("protocolFeeLamports", Reader::whole),
        creator_lamports: r.need("creatorFeeLamports", Reader::whole),
    }
}

/// Reads what [`account_change`] says.
#[doc(hidden)]
pub fn read_account(r: &mut Reader) -> AccountChange {
    let rent_lamports = r.need("rentLamports", Reader::whole);
    let changes = [
        ("unknown", AccountChange::Unknown),
        ("stays", AccountChange::None),
        ("opens", AccountChange::Opens { rent_lamports }),
        ("closes", AccountChange::Closes { refund_lamports: rent_lamports }),
    ];
    r.needed("tokenAccount", |r, name| r.choice(name, &changes)).unwrap_or(AccountChange::Unknown)
}

/// A price in lamports per whole token, to nine places, floored; `None` past 128 bits.
pub fn price(price: Price, decimals: u8) -> Option<String> {
    let nano = price.nano_lamports_per_token(decimals)?;
    Some(decimal_text(nano, PRICE_DECIMALS))
}

fn whole_tokens(units: u64, decimals: u8) -> String {
    decimal_text(units.into(), decimals)
}

/// Parts per million in percent, exact.
pub fn percent_of_ppm(ppm: u32) -> String {
    decimal_text(ppm.into(), 4)
}

/// What a bundle does to one of its wallets; zeros if there is no such wallet, or no quote.
pub fn wallet_quote(quote: Option<&BundleQuote>, place: usize, wallet: &str) -> WalletQuote {
    let total = quote.and_then(|quote| quote.wallets.get(place)).copied().unwrap_or_default();
    let warnings = quote.and_then(|quote| quote.wallet_warnings.get(place));
    WalletQuote {
        wallet: wallet.to_owned(),
        net_lamports: total.net_lamports,
        worst_net_lamports: total.worst_net_lamports,
        net_tokens: total.net_tokens,
        warnings: warnings.cloned().unwrap_or_default(),
    }
}
