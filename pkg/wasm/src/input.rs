//! Reads what JS passes, exactly or not at all: an amount is a bigint, a safe integer or digits in a string.

use wasm_bindgen::prelude::*;

use crate::crossing::{CallArgs, Failure, answer, answer_handle};
use launchpad_desk::amount::{Digits, Slippage, SlippageUnit};
use launchpad_desk::bindings::object;
use launchpad_desk::bindings::reader::{self, Reader};
use launchpad_desk::error::{FieldCode, FieldError};
use launchpad_desk::launchpad::cost::Priority;
use launchpad_desk::tape::{Data, Item, Tape};

/// The most rows of a column: a bound on memory, 128 MiB.
const MAX_ROWS: usize = 1 << 24;

/// The names of amounts that functions take as separate arguments.
const AMOUNTS: [&str; 5] = ["lamports", "tokens", "walletTokens", "costLamports", "budgetLamports"];
/// The names of such counts.
const COUNTS: [&str; 3] = ["length", "wallets", "impactBps"];

/// Converts an amount that is not a bigint of 64 bits to one: `{ name, value }`.
#[wasm_bindgen(js_name = readAmount)]
pub fn read_amount(args: &mut CallArgs) -> JsValue {
    answer_handle(alone(args.tape(), &AMOUNTS, |r, name| r.whole(name)))
}

/// Converts a count that is not a whole number of 32 bits to one, if possible: `{ name, value }`.
#[wasm_bindgen(js_name = readCount)]
pub fn read_count(args: &mut CallArgs) -> JsValue {
    let count = alone(args.tape(), &COUNTS, |r, name| r.whole_within(name, 0, u32::MAX.into()));
    answer_handle(count.map(|count| count as u32))
}

/// Reads an argument without the others of its call.
fn alone(
    args: &Tape,
    names: &[&'static str],
    get: impl for<'a> Fn(&mut Reader<'a>, &'static str) -> Option<u64>,
) -> Result<u64, Failure> {
    let field = |name| args.root().get(name).unwrap_or_default();
    let known = names.iter().find(|name| field("name") == Data::String(name));
    let name = known.copied().unwrap_or("it");
    let argument = Tape::object(&[(name, field("value"))]);
    arguments(argument.root(), |r| r.need(name, |r, name| get(r, name)))
}

/// The arguments of a call.
///
/// # Errors
///
/// `invalid_options`, with every bad one.
pub fn arguments<T>(args: Item, read: impl FnMut(&mut Reader) -> T) -> Result<T, Failure> {
    reader::read(args, read).map_err(|problems| Failure::of_options("argument", problems))
}

/// An argument that cannot be used; `what` follows its name in the message.
#[inline(never)]
pub fn bad(name: &str, code: FieldCode, what: &str) -> Failure {
    Failure::of_options("argument", vec![FieldError::of(name, code, what)])
}

/// Reads an argument that is an object of settings, which may all be absent.
///
/// # Errors
///
/// `invalid_options`, with every bad setting. The message begins with `what`.
pub fn settings<T>(
    what: &str,
    args: &Tape,
    name: &str,
    read: impl FnMut(&mut Reader) -> T,
) -> Result<T, Failure> {
    let none = object! {};
    let settings = args.root().get(name).unwrap_or(none.root());
    reader::read(settings, read).map_err(|problems| Failure::of_options(what, problems))
}

/// Checks whether a column can be passed in. Only JS knows its kind and length, and says both beforehand.
#[wasm_bindgen(js_name = checkColumn)]
pub fn check_column(name: &str, kind: &str, is_kind: bool, length: usize, copies: usize) -> JsValue {
    let checked = match is_kind {
        true => memory_for::<u64>(name, length, copies).map(|_| Tape::default()),
        false => Err(bad(name, FieldCode::WrongType, &["must be a ", kind].concat())),
    };
    answer(checked)
}

/// Memory for this many columns of this many rows.
///
/// # Errors
///
/// `invalid_options`, if there are too many.
pub fn memory_for<T>(name: &str, rows: usize, columns: usize) -> Result<Vec<T>, Failure> {
    let mut memory = Vec::new();
    if rows > MAX_ROWS || memory.try_reserve_exact(rows.saturating_mul(columns)).is_err() {
        let most = ["must have at most ", &(MAX_ROWS as u64).digits(), " rows"].concat();
        return Err(bad(name, FieldCode::OutOfRange, &most));
    }
    Ok(memory)
}

/// A slippage as in requests, in parts per million; anything finer is dropped.
pub fn read_slippage(reader: &mut Reader, name: &'static str, unit: SlippageUnit) -> Option<u32> {
    let slippage = reader.slippage(name)?;
    ppm(reader, name, slippage, unit)
}

/// A slippage in parts per million.
pub fn ppm(reader: &mut Reader, name: &'static str, slippage: Slippage, unit: SlippageUnit) -> Option<u32> {
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
