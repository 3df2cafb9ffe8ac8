//! Which amount brings what is asked for: exact, so that one more (or less) does not.

use wasm_bindgen::prelude::*;

use crate::error::FieldCode;
use crate::launchpad::curve_view::reserves;
use crate::launchpad::goal::BreakEven;
use crate::launchpad::transaction::Wallet;
use crate::launchpad::view::price;
use crate::object;
use crate::wasm::convert::to_js;
use crate::wasm::launchpad::curve::Curve;
use crate::wasm::launchpad::input::{amount, bad, count, settings};
use crate::wasm::launchpad::refuse::refused;
use crate::wasm::launchpad::trader::Trader;

#[wasm_bindgen(typescript_custom_section)]
const TYPES: &str = r#"
/** An exit that gives back what a position cost. */
export type BreakEven =
    | {
          /** It does already. */
          reached: true;
          /** The fewest base units to sell. */
          tokens: bigint;
      }
    | {
          /** Only once others have bought, and by selling everything. */
          reached: false;
          /** The fewest lamports that others must bring to the curve, before their fees. */
          inflowLamports: bigint;
          /** The price to wait for, in lamports a whole token; `null` past 128 bits. */
          spotPrice: string | null;
          /** Where the curve stands then. */
          reserves: CurveReserves;
      };
"#;

#[wasm_bindgen]
impl Curve {
    /// The most lamports to spend, fees included, whose fill is at most so far over the spot price, before fees.
    ///
    /// @throws {RefusalError} `out_of_reach` where even the smallest buy moves the price further.
    #[wasm_bindgen(js_name = largestBuyWithinImpact)]
    pub fn largest_buy_within_impact(
        &self,
        #[wasm_bindgen(js_name = impactBps, unchecked_param_type = "number")] impact_bps: &JsValue,
    ) -> Result<u64, JsValue> {
        let impact_bps = count("impactBps", impact_bps, u32::MAX)?;
        let rates = self.rates().map_err(refused)?;
        self.token().curve.largest_spend_within_impact(impact_bps, rates).map_err(refused)
    }

    /// The most base units to buy exactly whose fill is at most so far over the spot price, before fees.
    ///
    /// @throws {RefusalError} as `largestBuyWithinImpact`.
    #[wasm_bindgen(js_name = mostTokensWithinImpact)]
    pub fn most_tokens_within_impact(
        &self,
        #[wasm_bindgen(js_name = impactBps, unchecked_param_type = "number")] impact_bps: &JsValue,
    ) -> Result<u64, JsValue> {
        let impact_bps = count("impactBps", impact_bps, u32::MAX)?;
        self.token().curve.largest_tokens_within_impact(impact_bps).map_err(refused)
    }

    /// The most base units to sell whose fill is at most so far under the spot price, before fees, and covers its fees.
    ///
    /// @throws {RefusalError} as `largestBuyWithinImpact`.
    #[wasm_bindgen(js_name = largestSellWithinImpact)]
    pub fn largest_sell_within_impact(
        &self,
        #[wasm_bindgen(js_name = impactBps, unchecked_param_type = "number")] impact_bps: &JsValue,
    ) -> Result<u64, JsValue> {
        let impact_bps = count("impactBps", impact_bps, u32::MAX)?;
        let rates = self.rates().map_err(refused)?;
        self.token().curve.largest_sell_within_impact(impact_bps, rates).map_err(refused)
    }

    /// The fewest lamports to spend that bring at least this many base units, by what `completion` says of a buy past the
    /// curve's end.
    ///
    /// @throws {RefusalError} where the curve has fewer.
    #[wasm_bindgen(js_name = smallestBuyFor)]
    pub fn smallest_buy_for(
        &self,
        #[wasm_bindgen(unchecked_param_type = "Amount")] tokens: &JsValue,
    ) -> Result<u64, JsValue> {
        let tokens = amount("tokens", tokens)?;
        self.launchpad().smallest_spend_for(&self.token(), tokens).map_err(refused)
    }

    /// The fewest base units to sell that bring at least this many lamports, after fees.
    ///
    /// @throws {RefusalError} `out_of_reach` where no sell does.
    #[wasm_bindgen(js_name = smallestSellFor)]
    pub fn smallest_sell_for(
        &self,
        #[wasm_bindgen(unchecked_param_type = "Amount")] lamports: &JsValue,
    ) -> Result<u64, JsValue> {
        let lamports = amount("lamports", lamports)?;
        let rates = self.rates().map_err(refused)?;
        self.token().curve.smallest_sell_for(lamports, rates).map_err(refused)
    }

    /// The most lamports to spend so that the trader's wallet can pay for trade, rent and network fee, and is left with
    /// nothing or with its own rent minimum: what is left between the two fails the transaction.
    ///
    /// @param options - `keepExitFee` leaves the wallet with its rent minimum and the network fee of selling again, where
    /// it pays that itself. Otherwise it is left with nothing where that can be.
    /// @throws {RefusalError} `insufficient_lamports` where it has too few for rent and network fee alone;
    /// `below_rent_minimum` where it has enough for those, and not for the rent minimum; `out_of_reach` where what they
    /// leave buys nothing.
    #[wasm_bindgen(js_name = largestBuyWithinBalance)]
    pub fn largest_buy_within_balance(
        &self,
        trader: &Trader,
        #[wasm_bindgen(unchecked_optional_param_type = "{ keepExitFee?: boolean }")] options: &JsValue,
    ) -> Result<u64, JsValue> {
        let keep_exit_fee = settings("options", options, |r| r.boolean("keepExitFee").unwrap_or(false))?;
        let wallet = self.known_wallet(trader)?;
        let (token, trader) = (self.token(), trader.with(&wallet));
        let largest = match keep_exit_fee {
            true => self.launchpad().largest_buy_keeping_exit_fee(&token, &trader),
            false => self.launchpad().largest_buy_within_balance(&token, &trader),
        };
        largest.map_err(refused)
    }

    /// The fewest base units to sell so that the wallet gains at least this many lamports: after every fee, and with the
    /// account's refund where everything must go.
    ///
    /// @throws {RefusalError} `out_of_reach` where not even everything brings as much.
    #[wasm_bindgen(js_name = smallestSellBringing)]
    pub fn smallest_sell_bringing(
        &self,
        #[wasm_bindgen(unchecked_param_type = "Amount")] lamports: &JsValue,
        trader: &Trader,
    ) -> Result<u64, JsValue> {
        let lamports = amount("lamports", lamports)?;
        let wallet = self.known_wallet(trader)?;
        self.launchpad()
            .smallest_sell_bringing(&self.token(), &trader.with(&wallet), lamports)
            .map_err(refused)
    }

    /// The exit that gives back `costLamports`: all that was paid for what the trader's wallet holds, its fees, rent
    /// and network fees included.
    ///
    /// @throws {RefusalError} `out_of_reach` where not even a completed curve brings as much.
    #[wasm_bindgen(js_name = breakEven, unchecked_return_type = "BreakEven")]
    pub fn break_even(
        &self,
        #[wasm_bindgen(js_name = costLamports, unchecked_param_type = "Amount")] cost_lamports: &JsValue,
        trader: &Trader,
    ) -> Result<JsValue, JsValue> {
        let cost_lamports = amount("costLamports", cost_lamports)?;
        let wallet = self.known_wallet(trader)?;
        let exit = self.launchpad().break_even(&self.token(), &trader.with(&wallet), cost_lamports);
        Ok(to_js(&match exit.map_err(refused)? {
            BreakEven::Now { tokens } => object! { "reached": true, "tokens": tokens },
            BreakEven::After { inflow_lamports, curve, spot_price } => object! {
                "reached": false,
                "inflowLamports": inflow_lamports,
                "spotPrice": price(spot_price, self.launchpad().token_decimals),
                "reserves": reserves(&curve),
            },
        }))
    }
}

impl Curve {
    /// The trader's wallet, which this cannot do without.
    pub fn known_wallet(&self, trader: &Trader) -> Result<Wallet, JsValue> {
        let wallet = trader.wallet(self.rent_lamports());
        wallet.ok_or_else(|| bad("trader", FieldCode::Required, "has no wallet, and needs one here"))
    }
}
