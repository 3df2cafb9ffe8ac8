//! Quotes of one trade, with every number a panel shows.

use wasm_bindgen::prelude::*;

use crate::amount::Digits;
use crate::launchpad::curve_view::{CurveQuote, curve_quote};
use crate::launchpad::quote::{Order, quote};
use crate::value::Value;
use crate::wasm::launchpad::curve::Curve;
use crate::wasm::launchpad::input::{amount, percentage};
use crate::wasm::launchpad::refuse::refused;
use crate::wasm::launchpad::trader::Trader;

#[wasm_bindgen(module = "/src/wasm/launchpad/quote.js")]
extern "C" {
    #[wasm_bindgen(js_name = quoteObject)]
    fn quote_object(
        text: &str,
        tokens: u64,
        wallet_lamports: u64,
        curve_lamports: u64,
        protocol_fee_lamports: u64,
        creator_fee_lamports: u64,
        protocol_fee_bps: u16,
        creator_fee_bps: u16,
        rates_fixed: bool,
        price_impact_bps: f64,
        spot_move_bps: f64,
        min_tokens: Option<u64>,
        max_lamports: Option<u64>,
        min_lamports: Option<u64>,
        worst_tokens: u64,
        worst_wallet_lamports: u64,
        rent_lamports: u64,
        held_tokens: Option<u64>,
        network_fee_lamports: u64,
        own_network_fee_lamports: u64,
        token_decimals: u8,
        market_cap_lamports: u64,
        market_cap_after_lamports: u64,
        net_lamports: i64,
        worst_net_lamports: i64,
    ) -> JsValue;
}

#[wasm_bindgen]
impl Curve {
    /// Everything about a buy that spends so many lamports, fees included.
    ///
    /// @param trader - who buys; without one, an unknown wallet with a slippage of 0.5 %.
    /// @throws {RefusalError} where the launchpad refuses it. Too few lamports are a warning: no price depends on them.
    #[wasm_bindgen(js_name = quoteBuyExactIn, unchecked_return_type = "CurveQuote")]
    pub fn quote_buy_exact_in(
        &self,
        #[wasm_bindgen(unchecked_param_type = "Amount")] lamports: &JsValue,
        #[wasm_bindgen(unchecked_optional_param_type = "Trader")] trader: &Trader,
    ) -> Result<JsValue, JsValue> {
        let lamports = amount("lamports", lamports)?;
        self.quoted(Order::BuyExactIn { lamports }, trader)
    }

    /// Everything about a buy of exactly so many base units.
    ///
    /// @throws {RefusalError} as `quoteBuyExactIn`.
    #[wasm_bindgen(js_name = quoteBuyExactOut, unchecked_return_type = "CurveQuote")]
    pub fn quote_buy_exact_out(
        &self,
        #[wasm_bindgen(unchecked_param_type = "Amount")] tokens: &JsValue,
        #[wasm_bindgen(unchecked_optional_param_type = "Trader")] trader: &Trader,
    ) -> Result<JsValue, JsValue> {
        let tokens = amount("tokens", tokens)?;
        self.quoted(Order::BuyExactOut { tokens }, trader)
    }

    /// Everything about a sell of exactly so many base units.
    ///
    /// @throws {RefusalError} as `quoteBuyExactIn`, and where a known wallet holds too few.
    #[wasm_bindgen(js_name = quoteSellExactIn, unchecked_return_type = "CurveQuote")]
    pub fn quote_sell_exact_in(
        &self,
        #[wasm_bindgen(unchecked_param_type = "Amount")] tokens: &JsValue,
        #[wasm_bindgen(unchecked_optional_param_type = "Trader")] trader: &Trader,
    ) -> Result<JsValue, JsValue> {
        let tokens = amount("tokens", tokens)?;
        self.quoted(Order::SellExactIn { tokens }, trader)
    }

    /// Everything about a sell of a percentage of what the trader's wallet holds; 100 is exactly all of it.
    ///
    /// @throws {RefusalError} as `quoteSellExactIn`; `token_account_not_open` where the wallet is unknown.
    #[wasm_bindgen(js_name = quoteSellPercentage, unchecked_return_type = "CurveQuote")]
    pub fn quote_sell_percentage(
        &self,
        #[wasm_bindgen(unchecked_param_type = "number | string")] percent: &JsValue,
        #[wasm_bindgen(unchecked_param_type = "Trader")] trader: &Trader,
    ) -> Result<JsValue, JsValue> {
        let share = percentage("percentage", percent)?;
        self.quoted(Order::SellShare { share }, trader)
    }
}

impl Curve {
    fn quoted(&self, order: Order, trader: &Trader) -> Result<JsValue, JsValue> {
        let wallet = trader.wallet(self.rent_lamports());
        let ask = trader.ask(order, wallet.as_ref());
        let quote = quote(self.launchpad(), &self.token(), &ask).map_err(refused)?;
        Ok(object(curve_quote(&quote, wallet.as_ref(), self.launchpad().token_decimals)))
    }
}

/// The quote as a plain object; a field forgotten here is an error of the compiler's.
fn object(quote: CurveQuote) -> JsValue {
    let CurveQuote {
        side,
        tokens,
        token_amount,
        wallet_lamports,
        curve_lamports,
        protocol_fee_lamports,
        creator_fee_lamports,
        protocol_fee_bps,
        creator_fee_bps,
        rates_fixed,
        completion,
        price_impact_bps,
        spot_move_bps,
        spot_price_before,
        spot_price_after,
        average_price,
        average_price_with_fees,
        market_cap_lamports,
        market_cap_after_lamports,
        slippage_percent,
        min_tokens,
        max_lamports,
        min_lamports,
        worst_tokens,
        worst_token_amount,
        worst_wallet_lamports,
        token_account,
        rent_lamports,
        held_tokens,
        network_fee_lamports,
        own_network_fee_lamports,
        net_lamports,
        worst_net_lamports,
        token_decimals,
        warnings,
    } = quote;
    let absent = |text: Option<String>| text.unwrap_or_default();
    let (cap, cap_text) = narrow_cap(market_cap_lamports);
    let (cap_after, cap_after_text) = narrow_cap(market_cap_after_lamports);
    let (net, net_text) = narrow(net_lamports);
    let (worst_net, worst_net_text) = narrow(worst_net_lamports);
    let lines: [&str; 14] = [
        side.as_str(),
        &token_amount,
        &absent(spot_price_before),
        &absent(spot_price_after),
        &absent(average_price),
        &absent(average_price_with_fees),
        &cap_text,
        &cap_after_text,
        &slippage_percent,
        &worst_token_amount,
        token_account,
        &net_text,
        &worst_net_text,
        completion.as_str(),
    ];
    let mut text = String::with_capacity(256);
    let warnings = warnings.iter().map(|warning| warning.as_str());
    for (index, line) in lines.into_iter().chain(warnings).enumerate() {
        if index > 0 {
            text.push('\n');
        }
        text.push_str(line);
    }
    // Digits of a number that JS holds exactly.
    let bps = |value: Value| number(value).parse::<u64>().unwrap_or(u64::MAX) as f64;
    quote_object(
        &text,
        tokens,
        wallet_lamports,
        curve_lamports,
        protocol_fee_lamports,
        creator_fee_lamports,
        protocol_fee_bps,
        creator_fee_bps,
        rates_fixed,
        bps(price_impact_bps),
        bps(spot_move_bps),
        min_tokens,
        max_lamports,
        min_lamports,
        worst_tokens,
        worst_wallet_lamports,
        rent_lamports,
        held_tokens,
        network_fee_lamports,
        own_network_fee_lamports,
        token_decimals,
        cap,
        cap_after,
        net,
        worst_net,
    )
}

fn number(value: Value) -> String {
    match value {
        Value::Number(text) | Value::BigInt(text) => text,
        _ => String::new(),
    }
}

/// A market cap in 64 bits, or else as text.
fn narrow_cap(value: Value) -> (u64, String) {
    let text = number(value);
    match text.parse() {
        Ok(cap) => (cap, String::new()),
        Err(_) => (0, text),
    }
}

/// Lamports with a sign in 64 bits, or else as text.
fn narrow(lamports: i128) -> (i64, String) {
    match i64::try_from(lamports) {
        Ok(narrow) => (narrow, String::new()),
        Err(_) => (0, lamports.digits()),
    }
}
