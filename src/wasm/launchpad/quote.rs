//! Quotes of one trade, with every number a panel shows.

use wasm_bindgen::prelude::*;

use crate::error::FieldCode;
use crate::launchpad::curve_view::curve_quote;
use crate::launchpad::quote::{Order, quote};
use crate::tape::{Tape, ToTape};
use crate::wasm::crossing::{Failure, Given, answer};
use crate::wasm::launchpad::curve::Curve;
use crate::wasm::launchpad::input::{arguments, bad, read_share};
use crate::wasm::launchpad::trader::Trader;

#[wasm_bindgen]
impl Curve {
    /// Everything about a buy that spends this many lamports, fees included.
    #[wasm_bindgen(js_name = quoteBuyExactIn)]
    pub fn quote_buy_exact_in(&self, lamports: u64, trader: &Trader) -> JsValue {
        answer(self.quoted(Order::BuyExactIn { lamports }, trader))
    }

    /// Everything about a buy of exactly this many base units.
    #[wasm_bindgen(js_name = quoteBuyExactOut)]
    pub fn quote_buy_exact_out(&self, tokens: u64, trader: &Trader) -> JsValue {
        answer(self.quoted(Order::BuyExactOut { tokens }, trader))
    }

    /// Everything about a sell of exactly this many base units.
    #[wasm_bindgen(js_name = quoteSellExactIn)]
    pub fn quote_sell_exact_in(&self, tokens: u64, trader: &Trader) -> JsValue {
        answer(self.quoted(Order::SellExactIn { tokens }, trader))
    }

    /// Everything about a sell of a `percentage` of what the trader's wallet holds.
    #[wasm_bindgen(js_name = quoteSellPercentage)]
    pub fn quote_sell_percentage(&self, trader: &Trader, given: &mut Given) -> JsValue {
        let given = given.tape();
        let share = arguments(given.root(), |r| r.needed("percentage", read_share));
        let share =
            share.and_then(|share| share.ok_or_else(|| bad("percentage", FieldCode::Required, "is missing")));
        answer(share.and_then(|share| self.quoted(Order::SellShare { share }, trader)))
    }
}

impl Curve {
    fn quoted(&self, order: Order, trader: &Trader) -> Result<Tape, Failure> {
        let wallet = trader.wallet(self.rent_lamports());
        let ask = trader.ask(order, wallet.as_ref());
        let quote = quote(self.launchpad(), &self.token(), &ask)?;
        Ok(curve_quote(&quote, wallet.as_ref(), self.launchpad().token_decimals).to_tape())
    }
}
