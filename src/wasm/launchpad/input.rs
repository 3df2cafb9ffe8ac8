//! What JS hands in, exact or refused: an amount is a bigint, a safe integer or digits in a string.

use js_sys::{BigUint64Array, Uint8Array};
use wasm_bindgen::prelude::*;

use crate::amount::{Digits, Slippage, SlippageUnit};
use crate::error::{FieldCode, FieldError};
use crate::launchpad::account::{Share, TokenAccount};
use crate::launchpad::cost::Priority;
use crate::launchpad::quote::Caution;
use crate::launchpad::transaction::Wallet;
use crate::object;
use crate::reader::{self, Reader};
use crate::tape::Tape;
use crate::wasm::convert::from_js;
use crate::wasm::error::invalid_options;

#[wasm_bindgen(module = "/src/wasm/launchpad/input.js")]
extern "C" {
    #[wasm_bindgen(js_name = isAmount)]
    fn is_amount(value: &JsValue) -> bool;

    #[wasm_bindgen(js_name = amountOf)]
    fn amount_of(value: &JsValue) -> u64;

    #[wasm_bindgen(js_name = isColumn)]
    fn is_column(value: &JsValue, name: &str) -> bool;
}

#[wasm_bindgen(typescript_custom_section)]
const TYPES: &str = r#"
/** Lamports or base units: a bigint, a safe integer, or digits in a string. */
export type Amount = bigint | number | string;
/** A wallet, as it is before a trade. */
export interface WalletState {
    /** Its lamports, without those in its token account. */
    lamports: Amount;
    /** Its account of the token; absent or null where none is open. */
    tokenAccount?: {
        /** Base units held. */
        tokens: Amount;
        /** Lamports the account itself holds, refunded when it closes. Default: the launchpad's rent. */
        lamports?: Amount;
    } | null;
}
/** From where a quote warns. */
export interface CautionOptions {
    /** Price impact over this warns, in basis points. Default: 500. */
    impactBps?: number;
    /** Slippage over this warns. Default: 10 %. */
    slippage?: SlippageInput;
}
"#;

/// The most rows of a column: a bound on memory, 128 MiB.
const MAX_ROWS: u32 = 1 << 24;

/// An amount given as the argument `name`.
///
/// # Errors
///
/// `invalid_options`, where it is no whole number of at most 64 bits.
pub fn amount(name: &'static str, value: &JsValue) -> Result<u64, JsValue> {
    if is_amount(value) {
        return Ok(amount_of(value));
    }
    argument(name, value, |r, name| r.whole(name))
}

/// A whole number of at most `max`, given as the argument `name`.
///
/// # Errors
///
/// `invalid_options`, where it is none.
pub fn count(name: &'static str, value: &JsValue, max: u32) -> Result<u32, JsValue> {
    match value.as_f64() {
        Some(number) if number >= 0.0 && number <= f64::from(max) && number.trunc() == number => {
            Ok(number as u32)
        }
        _ => argument(name, value, |r, name| r.whole_within(name, 0, max.into())).map(|count| count as u32),
    }
}

/// A percentage of a holding, given as the argument `name`.
///
/// # Errors
///
/// `invalid_options`, unless it is over 0 and at most 100.
pub fn percentage(name: &'static str, value: &JsValue) -> Result<Share, JsValue> {
    let share = argument(name, value, |r, name| read_share(r, name).map(Some))?;
    share.ok_or_else(|| bad(name, FieldCode::Required, "is missing"))
}

/// A part of a whole in parts per million, given as the argument `name`.
///
/// # Errors
///
/// `invalid_options`, where it names no unit or more than one.
pub fn portion_ppm(name: &'static str, value: &JsValue) -> Result<u32, JsValue> {
    argument(name, value, read_portion)
}

/// Settings, all of which may be absent.
///
/// # Errors
///
/// `invalid_options`, with every bad setting.
pub fn settings<T>(what: &str, value: &JsValue, read: impl FnMut(&mut Reader) -> T) -> Result<T, JsValue> {
    let given = if value.is_undefined() {
        object! {}
    } else {
        from_js(value)
    };
    reader::read(given.root(), read).map_err(|problems| invalid_options(what, problems))
}

/// A column of amounts, copied.
///
/// # Errors
///
/// `invalid_options`, where it is no `BigUint64Array` or too long.
pub fn column(name: &str, value: &JsValue) -> Result<Vec<u64>, JsValue> {
    if !is_column(value, "BigUint64Array") {
        return Err(bad(name, FieldCode::WrongType, "must be a BigUint64Array"));
    }
    let array: &BigUint64Array = value.unchecked_ref();
    let mut rows = rows(name, array.length(), 0)?;
    // A detached column has no rows, and throws where it is asked for them.
    if !rows.is_empty() {
        array.copy_to(&mut rows);
    }
    Ok(rows)
}

/// A column of bytes, copied.
///
/// # Errors
///
/// `invalid_options`, where it is no `Uint8Array` or too long.
pub fn bytes(name: &str, value: &JsValue) -> Result<Vec<u8>, JsValue> {
    if !is_column(value, "Uint8Array") {
        return Err(bad(name, FieldCode::WrongType, "must be a Uint8Array"));
    }
    let array: &Uint8Array = value.unchecked_ref();
    let mut rows = rows(name, array.length(), 0)?;
    // A detached column has no rows, and throws where it is asked for them.
    if !rows.is_empty() {
        array.copy_to(&mut rows);
    }
    Ok(rows)
}

/// So many rows of nothing.
///
/// # Errors
///
/// `invalid_options`, where there are too many.
pub fn rows<T: Clone>(name: &str, length: u32, nothing: T) -> Result<Vec<T>, JsValue> {
    let mut rows = Vec::new();
    if length > MAX_ROWS || rows.try_reserve_exact(length as usize).is_err() {
        let most = ["must have at most ", &MAX_ROWS.digits(), " rows"].concat();
        return Err(bad(name, FieldCode::OutOfRange, &most));
    }
    rows.resize(length as usize, nothing);
    Ok(rows)
}

/// An argument that cannot be used; `what` follows its name in the message.
pub fn bad(name: &str, code: FieldCode, what: &str) -> JsValue {
    let message = [name, " ", what].concat();
    invalid_options("argument", vec![FieldError { field: name.to_owned(), code, message }])
}

/// One argument by the rules for settings, and with their words.
fn argument<T: Default>(
    name: &'static str,
    value: &JsValue,
    get: impl for<'a> Fn(&mut Reader<'a>, &'static str) -> Option<T>,
) -> Result<T, JsValue> {
    let given = Tape::object(&[(name, from_js(value))]);
    let read = reader::read(given.root(), |r| r.need(name, |r, name| get(r, name)));
    read.map_err(|problems| invalid_options("argument", problems))
}

/// A share of a holding in percent.
pub fn read_share(reader: &mut Reader, name: &'static str) -> Option<Share> {
    let percent = reader.decimal(name)?;
    let share = Share::of_percent(&percent.text());
    if share.is_none() {
        reader.refuse(name, FieldCode::OutOfRange, "must be over 0 and at most 100");
    }
    share
}

/// A slippage as requests have it, in parts per million; finer than one of them is dropped.
pub fn read_slippage(reader: &mut Reader, name: &'static str, unit: SlippageUnit) -> Option<u32> {
    let slippage = reader.slippage(name)?;
    ppm(reader, name, slippage, unit)
}

/// A part of a whole that names its unit, in parts per million.
pub fn read_portion(reader: &mut Reader, name: &'static str) -> Option<u32> {
    let (percent, bps) = reader.object(name, |r| (r.decimal("percent"), r.decimal("bps")))?;
    match (percent, bps) {
        (Some(percent), None) => ppm(reader, name, Slippage::Percent(percent), SlippageUnit::default()),
        (None, Some(bps)) => ppm(reader, name, Slippage::Bps(bps), SlippageUnit::default()),
        _ => {
            reader.refuse(name, FieldCode::Required, "must be { percent } or { bps }");
            None
        }
    }
}

fn ppm(reader: &mut Reader, name: &'static str, slippage: Slippage, unit: SlippageUnit) -> Option<u32> {
    let ppm = slippage.to_ppm(unit);
    if ppm.is_none() {
        reader.refuse(name, FieldCode::OutOfRange, Slippage::TOO_WIDE);
    }
    ppm
}

/// The priority a transaction bids with, by its two settings.
pub fn read_priority(reader: &mut Reader) -> Priority {
    Priority {
        unit_limit: reader.whole("priorityUnitLimit"),
        unit_price_micro_lamports: reader.whole("priorityUnitPrice"),
    }
}

/// From where to warn. A slippage that does not name its unit is in `unit`.
pub fn read_caution(reader: &mut Reader, unit: SlippageUnit) -> Caution {
    let mut caution = Caution::default();
    reader.within("caution", &mut |r| {
        r.set_whole("impactBps", &mut caution.impact_bps);
        caution.slippage_ppm = read_slippage(r, "slippage", unit).unwrap_or(caution.slippage_ppm);
    });
    caution
}

/// A wallet, whose token account may hold what the launchpad's rent is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct WalletState {
    lamports: u64,
    /// Base units, and lamports where they are given.
    token_account: Option<(u64, Option<u64>)>,
}

impl WalletState {
    /// Reads the two settings of a wallet.
    pub fn read(reader: &mut Reader) -> Self {
        let lamports = reader.need("lamports", |r, name| r.whole(name));
        let account = |r: &mut Reader| (r.need("tokens", |r, name| r.whole(name)), r.whole("lamports"));
        WalletState { lamports, token_account: reader.object("tokenAccount", account) }
    }

    /// The wallet itself, where an account's rent is `rent_lamports`.
    pub fn wallet(&self, rent_lamports: u64) -> Wallet {
        let account = |(tokens, lamports): (u64, Option<u64>)| TokenAccount {
            tokens,
            lamports: lamports.unwrap_or(rent_lamports),
        };
        Wallet { lamports: self.lamports, token_account: self.token_account.map(account) }
    }
}
