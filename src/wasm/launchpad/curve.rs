//! `Curve`: one token's bonding curve, in the module's memory, so that an amount is all that crosses for a price.

use std::cell::Cell;

use wasm_bindgen::prelude::*;

use crate::launchpad::batch::REFUSED;
use crate::launchpad::curve::Fill;
use crate::launchpad::{Launchpad, Refusal, Token};
use crate::reader::{self, Reader};
use crate::sandbox::{CurveConfig, LaunchpadConfig};
use crate::value::Value;
use crate::wasm::convert::from_js;
use crate::wasm::launchpad::amount::amount;
use crate::wasm::launchpad::refuse::{invalid, refused};

#[wasm_bindgen(typescript_custom_section)]
const TYPES: &str = r#"
/** A token's curve, and the launchpad it is on. Unknown names are refused. */
export interface CurveOptions {
    /** The launchpad's rules. Default: the launchpad's as it is without settings. */
    launchpad?: LaunchpadConfig;
    /** Where the curve stands. Default: the launchpad's start. */
    curve?: CurveConfig;
    /** Base units of the token in all. Default: the launchpad's. */
    supply?: Amount;
    /** Whether someone earns the creator's fee. Default: true. */
    hasCreator?: boolean;
}
"#;

/// One token's bonding curve. It lives in the module's memory: only the amount crosses for each price.
///
/// ```js
/// const curve = new Curve({ curve: { virtualTokenReserves, virtualSolReserves, realTokenReserves, realSolReserves } });
/// const tokens = curve.buyExactIn(1_000_000_000n);
/// ```
///
/// Lamports and base units go in as bigints, safe integers or digits in a string, and come out as bigints. Bigints are
/// fastest. What is no whole number of at most 64 bits throws a `TradeNotSentError` with `invalid_options`.
#[wasm_bindgen]
pub struct Curve {
    launchpad: Launchpad,
    token: Cell<Token>,
}

#[wasm_bindgen]
impl Curve {
    /// Makes a curve; without options, that of a token that has just been created.
    ///
    /// @throws {TradeNotSentError} `invalid_options`, with every bad setting in `fields`.
    #[wasm_bindgen(constructor)]
    pub fn new(
        #[wasm_bindgen(unchecked_optional_param_type = "CurveOptions")] options: &JsValue,
    ) -> Result<Curve, JsValue> {
        let given = match from_js(options) {
            Value::Null => Value::Object(Vec::new()),
            given => given,
        };
        reader::read(&given, read_curve).map_err(|problems| invalid("curve", problems))
    }

    /// The tokens that a spend brings, fees included in the spend.
    ///
    /// @throws {RefusalError} where the launchpad refuses the buy.
    #[wasm_bindgen(js_name = buyExactIn)]
    pub fn buy_exact_in(&self, #[wasm_bindgen(unchecked_param_type = "Amount")] lamports: u64) -> u64 {
        self.bought(lamports).map_or(REFUSED, |fill| fill.tokens)
    }

    /// The same where it says anything but an amount, or is given anything but one.
    #[wasm_bindgen(js_name = whyBuyExactIn, skip_typescript)]
    pub fn why_buy_exact_in(&self, lamports: &JsValue) -> Result<u64, JsValue> {
        let lamports = amount("lamports", lamports)?;
        self.bought(lamports).map(|fill| fill.tokens).map_err(refused)
    }
}

impl Curve {
    fn bought(&self, lamports: u64) -> Result<Fill, Refusal> {
        self.launchpad.buy_exact_in(&self.token.get(), lamports, 1)
    }
}

fn read_curve(reader: &mut Reader) -> Curve {
    let mut launchpad = Launchpad::default();
    reader.within("launchpad", &mut |r| LaunchpadConfig::read(r, &mut launchpad));
    let mut token = launchpad.new_token();
    reader.within("curve", &mut |r| token.curve = CurveConfig::read(r).curve());
    reader.set_whole("supply", &mut token.supply);
    token.has_creator = reader.boolean("hasCreator").unwrap_or(true);
    Curve { launchpad, token: Cell::new(token) }
}
