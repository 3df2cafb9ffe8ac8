//! Whole tokens and base units, SOL and lamports: both modules of the package have these.

use wasm_bindgen::prelude::*;

use crate::amount::{
    Decimal, DecimalError, Digits, MAX_TOKEN_DECIMALS, SOL_DECIMALS, TOKEN_DECIMALS, from_base_units,
};
use crate::error::{FieldCode, FieldError};
use crate::reader::{self, Reader};
use crate::tape::{Data, Item, Tape};
use crate::wasm::convert::from_js;
use crate::wasm::error::invalid_options;

/// Whole tokens in base units, exactly: `toBaseUnits("16.99", 6)` is `16990000n`.
///
/// A number is read as the decimal that JS prints for it. A bigint is refused: it counts base units already.
///
/// @param decimals - fraction digits of a whole token, 6 where they are left out.
/// @throws {TradeNotSentError} `invalid_options`, for what is finer than a base unit, below zero, or past 64 bits.
#[wasm_bindgen(js_name = toBaseUnits)]
pub fn to_base_units_of(
    #[wasm_bindgen(unchecked_param_type = "string | number")] tokens: &JsValue,
    #[wasm_bindgen(unchecked_optional_param_type = "number")] decimals: &JsValue,
) -> Result<u64, JsValue> {
    read(&[("tokens", tokens), ("decimals", decimals)], |r| units(r, "tokens", None))
}

/// Base units in whole tokens, as exact text: `fromBaseUnits(16990000n, 6)` is `"16.99"`.
///
/// Takes negative amounts as well, such as a quote's `netTokens`; a number must be a safe integer.
///
/// @param decimals - fraction digits of a whole token, 6 where they are left out.
/// @throws {TradeNotSentError} `invalid_options`, for anything but a whole number of at most 127 bits.
#[wasm_bindgen(js_name = fromBaseUnits)]
pub fn from_base_units_of(
    #[wasm_bindgen(js_name = baseUnits, unchecked_param_type = "bigint | number | string")]
    base_units: &JsValue,
    #[wasm_bindgen(unchecked_optional_param_type = "number")] decimals: &JsValue,
) -> Result<String, JsValue> {
    read(&[("baseUnits", base_units), ("decimals", decimals)], |r| whole(r, "baseUnits", None))
}

/// SOL in lamports, exactly: `solToLamports("1.5")` is `1500000000n`.
///
/// A number is read as the decimal that JS prints for it. A bigint is refused: it counts lamports already.
///
/// @throws {TradeNotSentError} `invalid_options`, for what is finer than a lamport, below zero, or past 64 bits.
#[wasm_bindgen(js_name = solToLamports)]
pub fn sol_to_lamports_of(
    #[wasm_bindgen(unchecked_param_type = "string | number")] sol: &JsValue,
) -> Result<u64, JsValue> {
    read(&[("sol", sol)], |r| units(r, "sol", Some(SOL_DECIMALS)))
}

/// Lamports in SOL, as exact text: `lamportsToSol(1500000000n)` is `"1.5"`.
///
/// Takes negative amounts as well, such as a quote's `netLamports`; a number must be a safe integer.
///
/// @throws {TradeNotSentError} `invalid_options`, for anything but a whole number of at most 127 bits.
#[wasm_bindgen(js_name = lamportsToSol)]
pub fn lamports_to_sol_of(
    #[wasm_bindgen(unchecked_param_type = "bigint | number | string")] lamports: &JsValue,
) -> Result<String, JsValue> {
    read(&[("lamports", lamports)], |r| whole(r, "lamports", Some(SOL_DECIMALS)))
}

/// Arguments by their names.
fn read<T: Default>(
    arguments: &[(&'static str, &JsValue)],
    mut read: impl FnMut(&mut Reader) -> Option<T>,
) -> Result<T, JsValue> {
    let mut given = Vec::new();
    for (name, value) in arguments {
        given.push((*name, from_js(value)));
    }
    let read = reader::read(Tape::object(&given).root(), |r| read(r).unwrap_or_default());
    read.map_err(|problems: Vec<FieldError>| invalid_options("argument", problems))
}

fn decimals(reader: &mut Reader) -> u8 {
    let decimals = reader.whole_within("decimals", 0, MAX_TOKEN_DECIMALS.into());
    decimals.map_or(TOKEN_DECIMALS, |decimals| decimals as u8)
}

/// The argument `name`, a count of wholes, in units. `fixed` are its decimals; where absent, they are an argument.
fn units(reader: &mut Reader, name: &'static str, fixed: Option<u8>) -> Option<u64> {
    let decimals = fixed.unwrap_or_else(|| decimals(reader));
    if let Some(Data::BigInt(_)) = reader.value(name).map(Item::data) {
        reader.refuse(name, FieldCode::WrongType, "must not be a bigint, which counts units already");
        return None;
    }
    let wholes: Decimal = reader.needed(name, Reader::decimal)?;
    match wholes.to_units(decimals) {
        Ok(units) => Some(units),
        Err(DecimalError::TooPrecise) => {
            let what = ["is finer than ", &decimals.digits(), " decimals"].concat();
            reader.refuse(name, FieldCode::NotAnInteger, &what);
            None
        }
        Err(_) => {
            reader.refuse(name, FieldCode::OutOfRange, "is over 18446744073709551615 units");
            None
        }
    }
}

/// The argument `name`, a count of units, in wholes.
fn whole(reader: &mut Reader, name: &'static str, fixed: Option<u8>) -> Option<String> {
    let decimals = fixed.unwrap_or_else(|| decimals(reader));
    let units = reader.needed(name, Reader::signed)?;
    Some(from_base_units(units, decimals))
}
