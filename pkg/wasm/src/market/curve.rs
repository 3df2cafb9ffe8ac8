//! `Curve`: one token's bonding curve, kept in the core so that only an amount crosses for a price.

use std::cell::Cell;

use wasm_bindgen::prelude::*;

use crate::crossing::{CallArgs, Failure, answer, answer_handle};
use crate::input::settings;
use launchpad_desk::bindings::object;
use launchpad_desk::launchpad::batch::REFUSED;
use launchpad_desk::launchpad::curve::{self, Fill};
use launchpad_desk::launchpad::fees::FeeRates;
use launchpad_desk::launchpad::rules::{RULES, RulesByDay};
use launchpad_desk::launchpad::settings::LaunchpadConfig;
use launchpad_desk::launchpad::view::price;
use launchpad_desk::launchpad::{Launchpad, Refusal, Token, curve_settings};
use launchpad_desk::tape::{Tape, ToTape};

/// How many numbers a quote is.
pub const QUOTE_WORDS: usize = 37;

/// One token's bonding curve, in the module's memory: the state of the token, and what every price needs of it. Each part has
/// its own cell, because a price copies what it reads.
#[wasm_bindgen]
pub struct Curve {
    launchpad: Launchpad,
    token: Cell<Token>,
    rates: Cell<Result<FeeRates, Refusal>>,
    /// The numbers of the last quote, where JS reads them.
    pub(super) quote: Cell<[u64; QUOTE_WORDS]>,
    /// Why there is none.
    pub(super) no_quote: Cell<Option<Failure>>,
}

/// A curve from its `options` or from a sandbox's token; without either, the curve of a token that has just been created.
#[wasm_bindgen(js_name = makeCurve)]
pub fn make_curve(args: &mut CallArgs) -> JsValue {
    let made = settings("curve", args.tape(), "options", curve_settings::read);
    answer_handle(made.map(|(launchpad, token)| Curve::of(launchpad, token)))
}

// The three prices are signed, because that crosses fastest. A result below zero was refused, or is at least 2^63: `…OrRefusal`
// says which.
#[wasm_bindgen]
impl Curve {
    /// The tokens that a spend brings, fees included in the spend.
    #[wasm_bindgen(js_name = buyExactIn)]
    pub fn buy_exact_in(&self, lamports: u64) -> i64 {
        self.bought_for(lamports).map_or(REFUSED, |fill| fill.tokens) as i64
    }

    /// What exactly this many base units cost, in lamports, fees included.
    #[wasm_bindgen(js_name = buyExactOut)]
    pub fn buy_exact_out(&self, tokens: u64) -> i64 {
        self.bought(tokens).map_or(REFUSED, |fill| fill.wallet_lamports) as i64
    }

    /// The lamports that exactly this many base units bring, after fees.
    #[wasm_bindgen(js_name = sellExactIn)]
    pub fn sell_exact_in(&self, tokens: u64) -> i64 {
        self.sold(tokens).map_or(REFUSED, |fill| fill.wallet_lamports) as i64
    }

    /// `buyExactIn`, or why not.
    #[wasm_bindgen(js_name = buyExactInOrRefusal)]
    pub fn buy_exact_in_or_refusal(&self, lamports: u64) -> JsValue {
        amount_or_refusal(self.bought_for(lamports).map(|fill| fill.tokens))
    }

    /// `buyExactOut`, or why not.
    #[wasm_bindgen(js_name = buyExactOutOrRefusal)]
    pub fn buy_exact_out_or_refusal(&self, tokens: u64) -> JsValue {
        amount_or_refusal(self.bought(tokens).map(|fill| fill.wallet_lamports))
    }

    /// `sellExactIn`, or why not.
    #[wasm_bindgen(js_name = sellExactInOrRefusal)]
    pub fn sell_exact_in_or_refusal(&self, tokens: u64) -> JsValue {
        amount_or_refusal(self.sold(tokens).map(|fill| fill.wallet_lamports))
    }

    /// Moves the curve by a buy, and returns how many base units it took.
    #[wasm_bindgen(js_name = moveByBuy)]
    pub fn move_by_buy(&self, lamports: u64) -> JsValue {
        amount_or_refusal(self.moved_by(self.bought_for(lamports)).map(|fill| fill.tokens))
    }

    /// Moves the curve by a sell of this many base units, and returns how many lamports it brought after fees.
    #[wasm_bindgen(js_name = moveBySell)]
    pub fn move_by_sell(&self, tokens: u64) -> JsValue {
        amount_or_refusal(self.moved_by(self.sold(tokens)).map(|fill| fill.wallet_lamports))
    }

    /// Sets the curve's `reserves`.
    #[wasm_bindgen(js_name = moveTo)]
    pub fn move_to(&self, args: &mut CallArgs) -> JsValue {
        let curve = settings("reserves", args.tape(), "reserves", curve::Curve::read);
        answer(curve.map(|curve| {
            self.stand_at(Token { curve, ..self.token() });
            Tape::default()
        }))
    }

    /// A copy of the curve.
    #[wasm_bindgen(js_name = clone)]
    pub fn another(&self) -> Curve {
        Curve::of(self.launchpad.clone(), self.token())
    }

    /// The curve's reserves.
    pub fn reserves(&self) -> JsValue {
        answer(Ok(self.token().curve.to_tape()))
    }

    /// Total supply of the token, in base units.
    pub fn supply(&self) -> u64 {
        self.token().supply
    }

    /// Whether the token has a creator who earns a fee.
    #[wasm_bindgen(js_name = hasCreator)]
    pub fn has_creator(&self) -> bool {
        self.token().has_creator
    }

    /// Whether trading has ended.
    pub fn complete(&self) -> bool {
        self.token().is_complete()
    }

    /// The current price, in lamports per whole token.
    #[wasm_bindgen(js_name = spotPrice)]
    pub fn spot_price(&self) -> JsValue {
        answer(Ok(price(self.token().curve.spot_price(), self.launchpad.token_decimals).to_tape()))
    }

    /// What the whole supply is worth at that price, in lamports.
    #[wasm_bindgen(js_name = marketCapLamports)]
    pub fn market_cap_lamports(&self) -> JsValue {
        let token = self.token();
        answer(Ok(token.curve.market_cap_lamports(token.supply).ok().to_tape()))
    }

    /// The rates that the next trade is charged, at the current market cap.
    #[wasm_bindgen(js_name = feeRates)]
    pub fn fee_rates(&self) -> JsValue {
        answer(self.rates().map_err(Failure::from).map(|rates| {
            let (protocol_bps, creator_bps) = (rates.protocol_bps(), rates.creator_bps());
            object! { "protocolBps": protocol_bps, "creatorBps": creator_bps }
        }))
    }

    /// What opening a token account costs, in lamports.
    #[wasm_bindgen(js_name = tokenAccountRentLamports)]
    pub fn token_account_rent_lamports(&self) -> JsValue {
        amount_or_refusal(self.launchpad.token_account_rent_lamports())
    }

    /// The curve as settings, of which `makeCurve` makes the same again.
    pub fn options(&self) -> JsValue {
        answer(Ok(curve_settings::write(&self.launchpad, &self.token())))
    }

    /// The launchpad's rules as data.
    #[wasm_bindgen(js_name = launchpad)]
    pub fn rules(&self) -> JsValue {
        answer(Ok(LaunchpadConfig::of(&self.launchpad).to_tape()))
    }
}

/// Where each of the default rules comes from.
#[wasm_bindgen(js_name = launchpadRules)]
pub fn launchpad_rules() -> JsValue {
    answer(Ok(RULES.to_tape()))
}

/// The launchpad's default rules, of a time or the newest.
#[wasm_bindgen(js_name = defaultLaunchpad)]
pub fn default_launchpad(at_ms: Option<f64>) -> JsValue {
    let rules = RulesByDay::default();
    answer(Ok(LaunchpadConfig::of(at_ms.map_or(rules.newest(), |at_ms| rules.at(at_ms as u64))).to_tape()))
}

/// An amount, or why there is none.
pub fn amount_or_refusal(amount: Result<u64, Refusal>) -> JsValue {
    answer_handle(amount.map_err(Failure::from))
}

impl Curve {
    /// The curve of a token on a launchpad.
    pub fn of(launchpad: Launchpad, token: Token) -> Curve {
        Curve {
            rates: Cell::new(launchpad.rates(&token)),
            launchpad,
            token: Cell::new(token),
            quote: Cell::new([0; QUOTE_WORDS]),
            no_quote: Cell::default(),
        }
    }

    /// The launchpad's rules.
    pub fn launchpad(&self) -> &Launchpad {
        &self.launchpad
    }

    /// The token as it is now.
    pub fn token(&self) -> Token {
        self.token.get()
    }

    /// The rates of the next trade.
    pub fn rates(&self) -> Result<FeeRates, Refusal> {
        self.rates.get()
    }

    /// The rent that a token account holds. With a rent past 64 bits there can be no accounts.
    pub fn rent_lamports(&self) -> u64 {
        self.launchpad.token_account_rent_lamports().unwrap_or(0)
    }

    fn stand_at(&self, token: Token) {
        self.rates.set(self.launchpad.rates(&token));
        self.token.set(token);
    }

    fn moved_by(&self, fill: Result<Fill, Refusal>) -> Result<Fill, Refusal> {
        let fill = fill?;
        self.stand_at(Token { curve: fill.curve_after, ..self.token() });
        Ok(fill)
    }

    fn bought_for(&self, lamports: u64) -> Result<Fill, Refusal> {
        self.launchpad.buy_exact_in(&self.token(), lamports, 1)
    }

    fn bought(&self, tokens: u64) -> Result<Fill, Refusal> {
        self.launchpad.buy_exact_out(&self.token(), tokens, u64::MAX)
    }

    fn sold(&self, tokens: u64) -> Result<Fill, Refusal> {
        self.launchpad.sell_exact_in(&self.token(), tokens, tokens, 0)
    }
}
