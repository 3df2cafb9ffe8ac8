//! Quotes of one trade, with every number a panel shows.

use wasm_bindgen::prelude::*;

use crate::launchpad::curve_view::curve_quote;
use crate::launchpad::quote::{Order, quote};
use crate::wasm::convert::to_js;
use crate::wasm::launchpad::curve::Curve;
use crate::wasm::launchpad::input::{amount, percentage};
use crate::wasm::launchpad::refuse::refused;
use crate::wasm::launchpad::trader::Trader;

#[wasm_bindgen]
impl Curve {
    /// Everything about a buy that spends this many lamports, fees included.
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

    /// Everything about a buy of exactly this many base units.
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

    /// Everything about a sell of exactly this many base units.
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
        Ok(to_js(&curve_quote(&quote, wallet.as_ref(), self.launchpad().token_decimals)))
    }
}
