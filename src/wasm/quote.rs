//! What a trade would do, as JS sees it. Lamports and base units are bigints; prices are exact decimal text.

use wasm_bindgen::prelude::*;

use crate::amount::{Decimal, Digits};
use crate::api::endpoint::Operation;
use crate::launchpad::curve::Price;
use crate::launchpad::quote::{AccountChange, Quote, Side};
use crate::record;
use crate::sandbox::DryRun;
use crate::value::{ToValue, Value};

/// Fraction digits of a price: it is given in lamports for a whole token.
const PRICE_DECIMALS: u8 = 9;

record! {
    /// What a request would do if it were sent now.
    TradeQuote {
        /// The operation quoted.
        operation: Operation => "Operation",
        /// Each trade, in order, on the curve that those before it leave: one for a single operation, none
        /// where one of them has no price.
        legs: Vec<LegQuote> => "LegQuote[]",
        /// What each wallet of the request comes to.
        wallets: Vec<WalletQuote> => "WalletQuote[]",
        /// Paid by the fee payer, even when the transaction fails.
        network_fee_lamports: u64 => "bigint",
        /// Why the transaction would fail; `null` where it would land.
        refused: Option<QuoteRefusal> => "QuoteRefusal | null",
    }
}
record! {
    /// What one trade of a request would do.
    LegQuote {
        /// Id of the wallet that trades.
        wallet: String => "string",
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
        /// Spot price before, in lamports a whole token, to nine places; `null` past 128 bits, as the two below.
        spot_price_before: Option<String> => "string | null",
        /// Spot price after.
        spot_price_after: Option<String> => "string | null",
        /// Average price of this fill before fees.
        average_price: Option<String> => "string | null",
        /// Market cap before, in lamports.
        market_cap_lamports: Value => "bigint",
        /// Slippage that the bound was made with, in percent.
        slippage_percent: String => "string",
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
        /// What to know before sending, as stable codes.
        warnings: Vec<&'static str> => "QuoteWarning[]",
    }
}
record! {
    /// What a request does to one wallet, the network fee counted for the fee payer.
    WalletQuote {
        /// Its id.
        wallet: String => "string",
        /// Lamports gained or, below zero, spent: trades, fees, rent, refunds.
        net_lamports: i128 => "bigint",
        /// The same with every trade at its bound.
        worst_net_lamports: i128 => "bigint",
        /// Base units gained or, below zero, sold.
        net_tokens: i128 => "bigint",
    }
}

record! {
    /// Why a transaction would fail.
    QuoteRefusal {
        /// The launchpad's reason, as a stable code.
        code: &'static str => "string",
        /// The reason as a sentence.
        message: &'static str => "string",
        /// The element of a bundle that fails: `buys[2]`; empty for a single trade and for the whole.
        field: String => "string",
    }
}

#[wasm_bindgen(typescript_custom_section)]
const TYPES: &str = r#"
/** What to know before sending a trade. Append-only. */
export type QuoteWarning =
    | "high_impact" | "slippage_over_bounds" | "no_bound_left" | "unit_suspicion" | "dust_left"
    | "account_cannot_close" | "no_proceeds" | "partial_fill" | "completes_curve" | "insufficient_lamports"
    | "wallet_unknown";
"#;

/// A dry run as JS receives it.
pub fn dry_run_value(run: &DryRun, token_decimals: u8) -> Value {
    let mut legs = Vec::new();
    if let Some(quote) = &run.quote {
        for (leg, wallet) in quote.legs.iter().zip(&run.leg_wallets) {
            legs.push(leg_quote(leg, wallet, token_decimals));
        }
    }
    let mut wallets = Vec::new();
    for (index, wallet) in run.wallets.iter().enumerate() {
        let total = run.quote.as_ref().and_then(|quote| quote.wallets.get(index)).copied();
        let total = total.unwrap_or_default();
        wallets.push(WalletQuote {
            wallet: wallet.clone(),
            net_lamports: total.net_lamports,
            worst_net_lamports: total.worst_net_lamports,
            net_tokens: total.net_tokens,
        });
    }
    TradeQuote {
        operation: run.operation,
        legs,
        wallets,
        network_fee_lamports: run.network_fee_lamports,
        refused: run.refused.as_ref().map(|refused| QuoteRefusal {
            code: refused.refusal.code(),
            message: refused.refusal.message(),
            field: refused.field.clone(),
        }),
    }
    .to_value()
}

fn leg_quote(quote: &Quote, wallet: &str, decimals: u8) -> LegQuote {
    let whole = |units| Decimal::from_units(units, decimals).into_text();
    let fill = &quote.fill;
    let (token_account, rent_lamports) = match quote.account {
        AccountChange::Unknown => ("unknown", 0),
        AccountChange::None => ("stays", 0),
        AccountChange::Opens { rent_lamports } => ("opens", rent_lamports),
        AccountChange::Closes { refund_lamports } => ("closes", refund_lamports),
    };
    LegQuote {
        wallet: wallet.to_owned(),
        side: match quote.side {
            Side::Buy => "buy",
            Side::Sell => "sell",
        },
        tokens: fill.tokens,
        token_amount: whole(fill.tokens),
        wallet_lamports: fill.wallet_lamports,
        curve_lamports: fill.curve_lamports,
        protocol_fee_lamports: fill.fees.protocol_lamports,
        creator_fee_lamports: fill.fees.creator_lamports,
        price_impact_bps: Value::Number(quote.impact_bps.digits()),
        spot_price_before: price(quote.spot_before, decimals),
        spot_price_after: price(quote.spot_after, decimals),
        average_price: price(quote.average, decimals),
        market_cap_lamports: Value::BigInt(quote.market_cap_before_lamports.digits()),
        slippage_percent: Decimal::from_units(quote.slippage_ppm.into(), 4).into_text(),
        worst_tokens: quote.worst_tokens,
        worst_token_amount: whole(quote.worst_tokens),
        worst_wallet_lamports: quote.worst_wallet_lamports,
        token_account,
        rent_lamports,
        warnings: quote.warnings.iter().map(|warning| warning.code()).collect(),
    }
}

/// A price in lamports a whole token, to nine places, floored; `None` past 128 bits.
fn price(price: Price, decimals: u8) -> Option<String> {
    let nano = price.nano_lamports_per_token(decimals)?;
    Some(Decimal::from_wide_units(nano, PRICE_DECIMALS).into_text())
}
