//! A quote on its own with all its numbers, a bundle's, and a receipt, as JS and JSON see them; the parts of a quote that has a request
//! are in [`view`].
//!
//! [`view`]: super::view

use super::capacity::Fit;
use super::config::Completion;
use super::curve::Curve;
use super::quote::{Side, Warning};
use super::receipt::{Finding, Receipt};
use super::transaction::Action;
use super::view::{LegQuote, WalletQuote, account_change, price};
use crate::api::response::Status;
use crate::codes::codes;
use crate::record;
use crate::tape::Number;

/// The largest safe integer of JS.
pub const MAX_SAFE: u64 = (1 << 53) - 1;

record! {
    /// What one trade on a curve would do. Plain data: you can keep it, and make a receipt from it later.
    CurveQuote {
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
        /// Rate of the fee to the protocol, in basis points of the lamports that reach or leave the curve.
        protocol_fee_bps: u16 => "number",
        /// Rate of the fee to the token's creator, in basis points of the same lamports.
        creator_fee_bps: u16 => "number",
        /// Whether the launchpad charges these rates at every market cap. If not, a trade that executes later may be charged
        /// different rates.
        rates_fixed: bool => "boolean",
        /// Whether the launchpad refuses a buy past the end of the curve or fills a part of it.
        completion: Completion => "Completion",
        /// How far the fill's average price is from the spot price before it, before fees, in basis points, rounded up; 2^53 -
        /// 1 for anything larger.
        price_impact_bps: Number => "number",
        /// How far the trade moves the spot price, up by a buy and down by a sell, in basis points, rounded up; 2^53 - 1 for
        /// anything larger.
        spot_move_bps: Number => "number",
        /// Spot price before, in lamports per whole token, to nine places; `null` past 128 bits, as the three below.
        spot_price_before: Option<String> => "string | null",
        /// Spot price after.
        spot_price_after: Option<String> => "string | null",
        /// Average price of this fill before fees.
        average_price: Option<String> => "string | null",
        /// Average price of this fill, trading fees included.
        average_price_with_fees: Option<String> => "string | null",
        /// Market cap before, in lamports.
        market_cap_lamports: u128 => "bigint",
        /// Market cap after, in lamports.
        market_cap_after_lamports: u128 => "bigint",
        /// Slippage that the bounds below were made with, in percent. They are forecasts: the service makes its own bound
        /// from its own, later quote.
        slippage_percent: String => "string",
        /// The bound of a buy that spends this many lamports, as forecast: the fewest tokens to accept.
        min_tokens: Option<u64> => "bigint | null",
        /// The bound of a buy of this many tokens, as forecast: the most lamports to pay, trading fees included.
        max_lamports: Option<u64> => "bigint | null",
        /// The bound of a sell, as forecast: the fewest lamports to accept, after trading fees.
        min_lamports: Option<u64> => "bigint | null",
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
        /// What the wallet held before, in base units; `null` if the wallet is unknown.
        held_tokens: Option<u64> => "bigint | null",
        /// The network's fee, no matter who pays it; charged even if the transaction fails.
        network_fee_lamports: u64 => "bigint",
        /// The part that the trading wallet pays: all or nothing.
        own_network_fee_lamports: u64 => "bigint",
        /// Lamports the trading wallet gains (negative: spends): trade, fees, rent or refund.
        net_lamports: i128 => "bigint",
        /// The same at the bound, as forecast.
        worst_net_lamports: i128 => "bigint",
        /// Fraction digits of a whole token.
        token_decimals: u8 => "number",
        /// What to know before sending, as stable codes.
        warnings: Vec<Warning> => "QuoteWarning[]",
    }
}

record! {
    /// What a bundle would do: all its trades, or none.
    CurveBundleQuote {
        /// Each trade, in order, on the curve that those before it leave.
        legs: Vec<LegQuote> => "LegQuote[]",
        /// The net result for each wallet, in their order; the fee payer's includes the network fee.
        wallets: Vec<WalletQuote> => "WalletQuote[]",
        /// Id of the wallet that pays the network fee.
        fee_payer: String => "string",
        /// How many sign: each trading wallet and the fee payer, once.
        signatures: u32 => "number",
        /// Paid by the fee payer, even when the bundle fails.
        network_fee_lamports: u64 => "bigint",
        /// Whether the legs fit one transaction, by the table of `capacities`: with every address written out, only with an address
        /// lookup table, or not at all. The service decides. `splitBundle` splits one that does not fit.
        fits: Fit => "TransactionFit",
        /// The curve's reserves afterwards.
        reserves_after: Curve => "CurveReserves",
    }
}

codes! {
    /// A figure of a receipt that may be an estimate.
    ReceiptFigure {
        /// The tokens bought or sold.
        Tokens = "tokens",
        /// The lamports paid or received for them.
        Lamports = "lamports",
        /// The price of the fill.
        Price = "price",
        /// How much worse than quoted it was.
        SlippageUsedPpm = "slippageUsedPpm",
        /// Both trading fees.
        Fees = "fees",
        /// What happened to the token account, and its rent.
        TokenAccount = "tokenAccount",
        /// The rent paid for opening the wallet's volume account.
        VolumeRentLamports = "volumeRentLamports",
        /// What the trading wallet paid of the network fee.
        NetworkFeeLamports = "networkFeeLamports",
        /// What the trading wallet gained or spent in all.
        NetLamports = "netLamports",
    }
}

record! {
    /// What a trade did to one wallet. Plain data: you can keep it, and add it to a position later.
    TradeReceipt {
        /// Id of that wallet; `null` if the reply does not say.
        wallet: Option<String> => "string | null",
        /// `landed`, `failed`, or `unconfirmed` if the service does not say.
        status: Status => "TradeStatus",
        /// `buy` or `sell`.
        side: Side => "Side",
        /// Base units bought or sold; zero if it failed.
        tokens: u64 => "bigint",
        /// Lamports paid (a buy) or received (a sell) for them, trading fees included; zero if it failed.
        lamports: u64 => "bigint",
        /// The price of the fill, trading fees included, in lamports per whole token; `null` if nothing was traded, and in a
        /// bundle.
        price: Option<String> => "string | null",
        /// How much worse than quoted, in parts per million of the quote; negative if better. For a buy in tokens, for a sell
        /// in lamports.
        slippage_used_ppm: i128 => "bigint",
        /// Fee to the protocol within `lamports`.
        protocol_fee_lamports: u64 => "bigint",
        /// Fee to the token's creator within `lamports`.
        creator_fee_lamports: u64 => "bigint",
        /// What happened to the wallet's token account.
        token_account: &'static str => "\"opens\" | \"closes\" | \"stays\" | \"unknown\"",
        /// Rent paid for opening it, or refunded by closing it.
        rent_lamports: u64 => "bigint",
        /// Rent paid for opening the wallet's volume account, as quoted. No trade gives it back.
        volume_rent_lamports: u64 => "bigint",
        /// What the trading wallet paid of the network fee. A transaction that failed may not have been charged it.
        network_fee_lamports: u64 => "bigint",
        /// Lamports the trading wallet gained (negative: spent) in total.
        net_lamports: i128 => "bigint",
        /// The figures that come from the quote, because they were not observed or reported and do not follow from those that were.
        estimated: Vec<ReceiptFigure> => "ReceiptFigure[]",
        /// Every disagreement, as stable codes.
        findings: Vec<Finding> => "ReceiptFinding[]",
    }
}

impl TradeReceipt {
    /// A receipt as JS and JSON see it. A bundle's quote does not say how many decimals its token has, so its prices are left out.
    pub fn of(wallet: Option<String>, receipt: &Receipt, decimals: Option<u8>) -> TradeReceipt {
        let (token_account, rent_lamports) = account_change(receipt.account.value());
        let figures = [
            (ReceiptFigure::Tokens, receipt.tokens.is_estimated()),
            (ReceiptFigure::Lamports, receipt.lamports.is_estimated()),
            (ReceiptFigure::Price, receipt.price.is_estimated()),
            (ReceiptFigure::SlippageUsedPpm, receipt.slippage_used_ppm.is_estimated()),
            (ReceiptFigure::Fees, receipt.fees.is_estimated()),
            (ReceiptFigure::TokenAccount, receipt.account.is_estimated()),
            (ReceiptFigure::VolumeRentLamports, receipt.volume_rent_lamports.is_estimated()),
            (ReceiptFigure::NetworkFeeLamports, receipt.network_fee_lamports.is_estimated()),
            (ReceiptFigure::NetLamports, receipt.net_lamports.is_estimated()),
        ];
        let fees = receipt.fees.value();
        TradeReceipt {
            wallet,
            status: receipt.landing,
            side: receipt.side,
            tokens: receipt.tokens.value(),
            lamports: receipt.lamports.value(),
            price: decimals.and_then(|decimals| price(receipt.price.value(), decimals)),
            slippage_used_ppm: receipt.slippage_used_ppm.value().into(),
            protocol_fee_lamports: fees.protocol_lamports,
            creator_fee_lamports: fees.creator_lamports,
            token_account,
            rent_lamports,
            volume_rent_lamports: receipt.volume_rent_lamports.value(),
            network_fee_lamports: receipt.network_fee_lamports.value(),
            net_lamports: receipt.net_lamports.value(),
            estimated: figures.into_iter().filter_map(|(figure, is)| is.then_some(figure)).collect(),
            findings: receipt.findings.clone(),
        }
    }
}

/// Fewest tokens, most lamports, fewest lamports: the one of them that bounds this trade.
pub const fn bounds(action: Action) -> (Option<u64>, Option<u64>, Option<u64>) {
    match action {
        Action::BuyExactIn { min_tokens, .. } => (Some(min_tokens), None, None),
        Action::BuyExactOut { max_lamports, .. } => (None, Some(max_lamports), None),
        Action::SellExactIn { min_lamports, .. } => (None, None, Some(min_lamports)),
        Action::OpenTokenAccount | Action::CloseTokenAccount => (None, None, None),
    }
}
