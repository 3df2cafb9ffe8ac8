//! The exact amount that reaches a goal: one more (or less) does not.

use wasm_bindgen::prelude::*;

use crate::crossing::{CallArgs, Failure, answer, answer_handle};
use crate::input::{bad, settings};
use crate::market::curve::{Curve, amount_or_refusal};
use crate::market::trader::Trader;
use launchpad_desk::bindings::object;
use launchpad_desk::error::FieldCode;
use launchpad_desk::launchpad::Refusal;
use launchpad_desk::launchpad::goal::BreakEven;
use launchpad_desk::launchpad::transaction::Wallet;
use launchpad_desk::launchpad::view::price;
use launchpad_desk::tape::Tape;

#[wasm_bindgen]
impl Curve {
    /// The most lamports to spend, fees included, whose fill is at most this far over the spot price, before fees.
    #[wasm_bindgen(js_name = largestBuyWithinImpact)]
    pub fn largest_buy_within_impact(&self, impact_bps: u32) -> JsValue {
        let within = |rates| self.token().curve.largest_spend_within_impact(impact_bps, rates);
        amount_or_refusal(self.rates().and_then(within))
    }

    /// The most base units to buy exactly whose fill is at most this far over the spot price, before fees.
    #[wasm_bindgen(js_name = mostTokensWithinImpact)]
    pub fn most_tokens_within_impact(&self, impact_bps: u32) -> JsValue {
        // The reserves alone do not say that the curve is complete.
        let within = |_| self.token().curve.largest_tokens_within_impact(impact_bps);
        amount_or_refusal(self.rates().and_then(within))
    }

    /// The most base units to sell whose fill is at most this far under the spot price, before fees, and covers its fees.
    #[wasm_bindgen(js_name = largestSellWithinImpact)]
    pub fn largest_sell_within_impact(&self, impact_bps: u32) -> JsValue {
        let within = |rates| self.token().curve.largest_sell_within_impact(impact_bps, rates);
        amount_or_refusal(self.rates().and_then(within))
    }

    /// The fewest lamports to spend that bring at least this many base units.
    #[wasm_bindgen(js_name = smallestBuyFor)]
    pub fn smallest_buy_for(&self, tokens: u64) -> JsValue {
        amount_or_refusal(self.launchpad().smallest_spend_for(&self.token(), tokens))
    }

    /// The fewest base units to sell that bring at least this many lamports, after fees.
    #[wasm_bindgen(js_name = smallestSellFor)]
    pub fn smallest_sell_for(&self, lamports: u64) -> JsValue {
        let sell = |rates| self.token().curve.smallest_sell_for(lamports, rates);
        amount_or_refusal(self.rates().and_then(sell))
    }

    /// The most lamports to spend that the trader's wallet can pay for, with what `options` say it keeps.
    #[wasm_bindgen(js_name = largestBuyWithinBalance)]
    pub fn largest_buy_within_balance(&self, trader: &Trader, args: &mut CallArgs) -> JsValue {
        let keep = settings("options", args.tape(), "options", |r| r.boolean("keepExitFee").unwrap_or(false));
        answer_handle(keep.and_then(|keep_exit_fee| {
            self.for_wallet(trader, |wallet| {
                let (token, trader) = (self.token(), trader.with(wallet));
                match keep_exit_fee {
                    true => self.launchpad().largest_buy_keeping_exit_fee(&token, &trader),
                    false => self.launchpad().largest_buy_within_balance(&token, &trader),
                }
            })
        }))
    }

    /// The fewest base units to sell so that the wallet gains at least this many lamports.
    #[wasm_bindgen(js_name = smallestSellBringing)]
    pub fn smallest_sell_bringing(&self, lamports: u64, trader: &Trader) -> JsValue {
        answer_handle(self.for_wallet(trader, |wallet| {
            self.launchpad().smallest_sell_bringing(&self.token(), &trader.with(wallet), lamports)
        }))
    }

    /// The exit that recovers what was paid for the tokens in the trader's wallet.
    #[wasm_bindgen(js_name = breakEven)]
    pub fn break_even(&self, cost_lamports: u64, trader: &Trader) -> JsValue {
        let exit = self.for_wallet(trader, |wallet| {
            self.launchpad().break_even(&self.token(), &trader.with(wallet), cost_lamports)
        });
        answer(exit.map(|exit| self.shown(&exit)))
    }
}

impl Curve {
    /// The trader's wallet, or a failure for calls that need one.
    pub fn known_wallet(&self, trader: &Trader) -> Result<Wallet, Failure> {
        let wallet = trader.wallet(self.rent_lamports());
        wallet.ok_or_else(|| bad("trader", FieldCode::Required, "needs a wallet here"))
    }

    fn for_wallet<T>(
        &self,
        trader: &Trader,
        find: impl FnOnce(&Wallet) -> Result<T, Refusal>,
    ) -> Result<T, Failure> {
        Ok(find(&self.known_wallet(trader)?)?)
    }

    /// An exit as JS sees it.
    pub fn shown(&self, exit: &BreakEven) -> Tape {
        match exit {
            BreakEven::Now { tokens } => object! { "reached": true, "tokens": *tokens },
            BreakEven::After { inflow_lamports, curve, spot_price } => object! {
                "reached": false,
                "inflowLamports": *inflow_lamports,
                "spotPrice": price(*spot_price, self.launchpad().token_decimals),
                "reserves": *curve,
            },
        }
    }
}
