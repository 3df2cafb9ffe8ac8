//! Whole tokens and base units, SOL and lamports: the modules `trade` and `sandbox` both have these.

use wasm_bindgen::prelude::*;

use crate::crossing::{CallArgs, Failure, answer};
use launchpad_desk::amount::{
    Decimal, DecimalError, Digits, MAX_TOKEN_DECIMALS, SOL_DECIMALS, TOKEN_DECIMALS, from_base_units,
};
use launchpad_desk::bindings::reader::{self, Reader};
use launchpad_desk::error::FieldCode;
use launchpad_desk::tape::{Data, Item, ToTape};

/// The argument `tokens` in base units; `decimals` are the fraction digits of a token.
#[wasm_bindgen(js_name = toBaseUnits)]
pub fn to_base_units(args: &mut CallArgs) -> JsValue {
    answer_units(args, |r| units(r, "tokens", None))
}

/// The argument `baseUnits` in whole tokens.
#[wasm_bindgen(js_name = fromBaseUnits)]
pub fn to_tokens(args: &mut CallArgs) -> JsValue {
    answer_units(args, |r| whole(r, "baseUnits", None))
}

/// The argument `sol` in lamports.
#[wasm_bindgen(js_name = solToLamports)]
pub fn sol_to_lamports(args: &mut CallArgs) -> JsValue {
    answer_units(args, |r| units(r, "sol", Some(SOL_DECIMALS)))
}

/// The argument `lamports` in SOL.
#[wasm_bindgen(js_name = lamportsToSol)]
pub fn lamports_to_sol(args: &mut CallArgs) -> JsValue {
    answer_units(args, |r| whole(r, "lamports", Some(SOL_DECIMALS)))
}

fn answer_units<T: Default + ToTape>(
    args: &mut CallArgs,
    mut read: impl FnMut(&mut Reader) -> Option<T>,
) -> JsValue {
    let read = reader::read(args.tape().root(), |r| read(r).unwrap_or_default());
    answer(read.map(|amount| amount.to_tape()).map_err(|problems| Failure::of_options("argument", problems)))
}

fn decimals(reader: &mut Reader) -> u8 {
    let decimals = reader.whole_within("decimals", 0, MAX_TOKEN_DECIMALS.into());
    decimals.map_or(TOKEN_DECIMALS, |decimals| decimals as u8)
}

/// The argument `name`, an amount of whole tokens or SOL, in base units. `fixed` are its decimals; if absent, they are an
/// argument.
fn units(reader: &mut Reader, name: &'static str, fixed: Option<u8>) -> Option<u64> {
    let decimals = fixed.unwrap_or_else(|| decimals(reader));
    if let Some(Data::BigInt(_)) = reader.value(name).map(Item::data) {
        reader.refuse(name, FieldCode::WrongType, "must not be a bigint: that already counts units");
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

/// The argument `name`, an amount of base units, in whole tokens or SOL.
fn whole(reader: &mut Reader, name: &'static str, fixed: Option<u8>) -> Option<String> {
    let decimals = fixed.unwrap_or_else(|| decimals(reader));
    let units = reader.needed(name, Reader::signed)?;
    Some(from_base_units(units, decimals))
}
