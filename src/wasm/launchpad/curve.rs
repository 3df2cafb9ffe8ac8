//! `Curve`: one token's bonding curve, in the module's memory, so that an amount is all that crosses for a price.

use std::cell::Cell;

use wasm_bindgen::prelude::*;

use crate::launchpad::batch::REFUSED;
use crate::launchpad::curve::Fill;
use crate::launchpad::curve_view::{CurveReserves, reserves};
use crate::launchpad::fees::FeeRates;
use crate::launchpad::known::KnownBuys;
use crate::launchpad::settings::{CurveConfig, LaunchpadConfig};
use crate::launchpad::view::price;
use crate::launchpad::{Launchpad, Refusal, Token, curve_settings};
use crate::object;
use crate::tape::ToTape;
use crate::wasm::convert::to_js;
use crate::wasm::launchpad::input::{amount, settings};
use crate::wasm::launchpad::refuse::refused;

#[wasm_bindgen(typescript_custom_section)]
const TYPES: &str = r#"
/** A token's curve, and the launchpad it is on. Unknown names are refused. */
export interface CurveOptions {
    /** The launchpad's rules. Default: those of `defaultLaunchpad()`. */
    launchpad?: LaunchpadConfig;
    /** Where the curve stands. Default: the launchpad's start. */
    curve?: CurveConfig;
    /** Base units of the token in all. Default: the launchpad's. */
    supply?: Amount;
    /** Whether someone earns the creator's fee. Default: true. */
    hasCreator?: boolean;
}
/**
 * A token as a sandbox shows it (`sandbox.tokens`), and the launchpad it is on. Where the sandbox has rules of its own, hand
 * them over as well: `new Curve({ ...token, launchpad })`.
 */
export interface CurveToken extends SandboxToken {
    /** The launchpad's rules. Default: those of `defaultLaunchpad()`, with the token's decimals. */
    launchpad?: LaunchpadConfig;
}
"#;

/// One token's bonding curve. It lives in the module's memory: only the amount crosses for each price.
///
/// ```js
/// const curve = new Curve({ curve: { virtualTokenReserves, virtualSolReserves, realTokenReserves, realSolReserves } });
/// const tokens = curve.buyExactIn(1_000_000_000n);
/// const simulated = sandbox.curve(mint);
/// ```
///
/// Lamports and base units come out as bigints and go in as bigints, which is fastest, safe integers or digits in a
/// string. What is no whole number of at most 64 bits throws a `TradeNotSentError` with the code `invalid_options`;
/// `isTradeError` of the main import knows it, whose own class is another one.
#[wasm_bindgen]
pub struct Curve {
    launchpad: Launchpad,
    state: Cell<State>,
}

/// Where the token stands, and what follows from that for every price.
#[derive(Clone, Copy)]
struct State {
    token: Token,
    rates: Result<FeeRates, Refusal>,
    buys: Option<KnownBuys>,
}

impl State {
    fn of(launchpad: &Launchpad, token: Token) -> State {
        let rates = launchpad.rates(&token);
        let buys = rates.ok().and_then(|rates| KnownBuys::of(&token.curve, rates));
        State { token, rates, buys }
    }
}

#[wasm_bindgen]
impl Curve {
    /// Makes a curve, of a sandbox's token or of options; without either, that of a token that has just been created.
    ///
    /// @throws {TradeNotSentError} `invalid_options`, with every bad setting in `fields`.
    #[wasm_bindgen(constructor)]
    pub fn new(
        #[wasm_bindgen(unchecked_optional_param_type = "CurveOptions | CurveToken")] options: &JsValue,
    ) -> Result<Curve, JsValue> {
        let (launchpad, token) = settings("curve", options, curve_settings::read)?;
        Ok(Curve::of(launchpad, token))
    }

    /// The tokens that a spend brings, fees included in the spend.
    ///
    /// @throws {RefusalError} where the launchpad refuses the buy.
    #[wasm_bindgen(js_name = buyExactIn)]
    pub fn buy_exact_in(&self, #[wasm_bindgen(unchecked_param_type = "Amount")] lamports: u64) -> i64 {
        let known = self.state.get().buys.and_then(|buys| buys.tokens_for(lamports));
        known.unwrap_or_else(|| self.tokens_or_refused(lamports)) as i64
    }

    /// What exactly so many base units cost, in lamports, fees included.
    ///
    /// @throws {RefusalError} where the launchpad refuses the buy.
    #[wasm_bindgen(js_name = buyExactOut)]
    pub fn buy_exact_out(&self, #[wasm_bindgen(unchecked_param_type = "Amount")] tokens: u64) -> i64 {
        self.bought(tokens).map_or(REFUSED, |fill| fill.wallet_lamports) as i64
    }

    /// The lamports that exactly so many base units bring, after fees.
    ///
    /// @throws {RefusalError} where the launchpad refuses the sell.
    #[wasm_bindgen(js_name = sellExactIn)]
    pub fn sell_exact_in(&self, #[wasm_bindgen(unchecked_param_type = "Amount")] tokens: u64) -> i64 {
        self.sold(tokens).map_or(REFUSED, |fill| fill.wallet_lamports) as i64
    }

    /// `buyExactIn` of anything: what the face asks where the hot way has no answer.
    #[wasm_bindgen(js_name = buyExactInOf, skip_typescript)]
    pub fn buy_exact_in_of(&self, lamports: &JsValue) -> Result<u64, JsValue> {
        let lamports = amount("lamports", lamports)?;
        self.bought_for(lamports).map(|fill| fill.tokens).map_err(refused)
    }

    /// `buyExactOut` of anything.
    #[wasm_bindgen(js_name = buyExactOutOf, skip_typescript)]
    pub fn buy_exact_out_of(&self, tokens: &JsValue) -> Result<u64, JsValue> {
        let tokens = amount("tokens", tokens)?;
        self.bought(tokens).map(|fill| fill.wallet_lamports).map_err(refused)
    }

    /// `sellExactIn` of anything.
    #[wasm_bindgen(js_name = sellExactInOf, skip_typescript)]
    pub fn sell_exact_in_of(&self, tokens: &JsValue) -> Result<u64, JsValue> {
        let tokens = amount("tokens", tokens)?;
        self.sold(tokens).map(|fill| fill.wallet_lamports).map_err(refused)
    }

    /// Moves the curve by a buy, one's own or another's, and says how many base units it took.
    ///
    /// @throws {RefusalError} where the launchpad refuses the buy; then nothing has moved.
    #[wasm_bindgen(js_name = moveByBuy)]
    pub fn move_by_buy(
        &self,
        #[wasm_bindgen(unchecked_param_type = "Amount")] lamports: &JsValue,
    ) -> Result<u64, JsValue> {
        let fill = self.bought_for(amount("lamports", lamports)?).map_err(refused)?;
        self.stand_at(Token { curve: fill.curve_after, ..self.token() });
        Ok(fill.tokens)
    }

    /// Moves the curve by a sell of so many base units, and says how many lamports it brought after fees.
    ///
    /// @throws {RefusalError} where the launchpad refuses the sell; then nothing has moved.
    #[wasm_bindgen(js_name = moveBySell)]
    pub fn move_by_sell(
        &self,
        #[wasm_bindgen(unchecked_param_type = "Amount")] tokens: &JsValue,
    ) -> Result<u64, JsValue> {
        let fill = self.sold(amount("tokens", tokens)?).map_err(refused)?;
        self.stand_at(Token { curve: fill.curve_after, ..self.token() });
        Ok(fill.wallet_lamports)
    }

    /// Puts the curve where it stands now, by news of the chain.
    ///
    /// @throws {TradeNotSentError} `invalid_options`, with every bad setting in `fields`.
    #[wasm_bindgen(js_name = moveTo)]
    pub fn move_to(
        &self,
        #[wasm_bindgen(unchecked_param_type = "CurveConfig")] reserves: &JsValue,
    ) -> Result<(), JsValue> {
        let curve = settings("reserves", reserves, |r| CurveConfig::read(r).curve())?;
        self.stand_at(Token { curve, ..self.token() });
        Ok(())
    }

    /// The same curve once more, to move without moving this one.
    #[wasm_bindgen(js_name = clone)]
    pub fn another(&self) -> Curve {
        Curve { launchpad: self.launchpad.clone(), state: self.state.clone() }
    }

    /// Where the curve stands.
    #[wasm_bindgen(getter, unchecked_return_type = "CurveReserves")]
    pub fn reserves(&self) -> JsValue {
        let reserves: CurveReserves = reserves(&self.token().curve);
        to_js(&reserves)
    }

    /// Base units of the token in all.
    #[wasm_bindgen(getter)]
    pub fn supply(&self) -> u64 {
        self.token().supply
    }

    /// Whether the token has a creator who earns a fee.
    #[wasm_bindgen(getter, js_name = hasCreator)]
    pub fn has_creator(&self) -> bool {
        self.token().has_creator
    }

    /// Whether every token is sold: such a curve trades no more.
    #[wasm_bindgen(getter)]
    pub fn complete(&self) -> bool {
        self.token().curve.is_complete()
    }

    /// The price as it stands, in lamports a whole token, exact text to nine places; `null` where there is none.
    #[wasm_bindgen(getter, js_name = spotPrice, unchecked_return_type = "string | null")]
    pub fn spot_price(&self) -> JsValue {
        to_js(&price(self.token().curve.spot_price(), self.launchpad.token_decimals).to_tape())
    }

    /// What the whole supply is worth at that price, in lamports; `null` where there is no price.
    #[wasm_bindgen(getter, js_name = marketCapLamports, unchecked_return_type = "bigint | null")]
    pub fn market_cap_lamports(&self) -> JsValue {
        let token = self.token();
        token.curve.market_cap_lamports(token.supply).map_or(JsValue::NULL, JsValue::from)
    }

    /// The rates the next trade is charged, by the market cap as it is.
    ///
    /// @throws {RefusalError} where the curve has no price.
    #[wasm_bindgen(getter, js_name = feeRates, unchecked_return_type = "{ protocolBps: number; creatorBps: number }")]
    pub fn fee_rates(&self) -> Result<JsValue, JsValue> {
        let rates = self.rates().map_err(refused)?;
        let (protocol_bps, creator_bps) = (rates.protocol_bps(), rates.creator_bps());
        Ok(to_js(&object! { "protocolBps": protocol_bps, "creatorBps": creator_bps }))
    }

    /// What opening a token account costs, in lamports.
    ///
    /// @throws {RefusalError} past 64 bits.
    #[wasm_bindgen(getter, js_name = tokenAccountRentLamports)]
    pub fn token_account_rent_lamports(&self) -> Result<u64, JsValue> {
        self.launchpad.token_account_rent_lamports().map_err(refused)
    }

    /// The launchpad's rules as data, with the date they were read.
    #[wasm_bindgen(getter, js_name = launchpad, unchecked_return_type = "Required<LaunchpadConfig>")]
    pub fn rules(&self) -> JsValue {
        to_js(&LaunchpadConfig::of(&self.launchpad).to_tape())
    }
}

/// The launchpad's rules as they are without settings: data, with the date they were read. They change, so compare
/// `asOf` before you rely on them.
#[wasm_bindgen(js_name = defaultLaunchpad, unchecked_return_type = "Required<LaunchpadConfig>")]
pub fn default_launchpad() -> JsValue {
    to_js(&LaunchpadConfig::of(&Launchpad::default()).to_tape())
}

impl Curve {
    /// The curve of a token on a launchpad.
    pub fn of(launchpad: Launchpad, token: Token) -> Curve {
        let state = Cell::new(State::of(&launchpad, token));
        Curve { launchpad, state }
    }

    /// The launchpad's rules.
    pub fn launchpad(&self) -> &Launchpad {
        &self.launchpad
    }

    /// The token as it stands.
    pub fn token(&self) -> Token {
        self.state.get().token
    }

    /// The rates of the next trade.
    pub fn rates(&self) -> Result<FeeRates, Refusal> {
        self.state.get().rates
    }

    /// What a token account holds; of a rent past 64 bits there can be none.
    pub fn rent_lamports(&self) -> u64 {
        self.launchpad.token_account_rent_lamports().unwrap_or(0)
    }

    fn stand_at(&self, token: Token) {
        self.state.set(State::of(&self.launchpad, token));
    }

    fn bought_for(&self, lamports: u64) -> Result<Fill, Refusal> {
        self.launchpad.buy_exact_in(&self.token(), lamports, 1)
    }

    /// Kept apart, so that what is known need not make room for it.
    #[cold]
    #[inline(never)]
    fn tokens_or_refused(&self, lamports: u64) -> u64 {
        self.bought_for(lamports).map_or(REFUSED, |fill| fill.tokens)
    }

    fn bought(&self, tokens: u64) -> Result<Fill, Refusal> {
        self.launchpad.buy_exact_out(&self.token(), tokens, u64::MAX)
    }

    fn sold(&self, tokens: u64) -> Result<Fill, Refusal> {
        self.launchpad.sell_exact_in(&self.token(), tokens, tokens, 0)
    }
}
