//! Reads what JS passes, exactly or not at all: an amount is a bigint, a safe integer or digits in a string.

use wasm_bindgen::prelude::*;

use crate::crossing::{CallArgs, Failure, answer, answer_handle};
use launchpad_desk::amount::{Digits, Slippage, SlippageUnit};
use launchpad_desk::bindings::object;
use launchpad_desk::bindings::reader::{self, Reader};
use launchpad_desk::error::{FieldCode, FieldError};
use launchpad_desk::launchpad::account::{Share, TokenAccount};
use launchpad_desk::launchpad::cost::Priority;
use launchpad_desk::launchpad::quote::WarningThresholds;
use launchpad_desk::launchpad::transaction::Wallet;
use launchpad_desk::tape::{Data, Item, Tape, ToTape};

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
    let message = [name, " ", what].concat();
    Failure::of_options("argument", vec![FieldError { field: name.to_owned(), code, message }])
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

/// Reads the fields of these names from the argument `what`, and ignores any others.
pub fn read_some<T>(
    what: &str,
    args: &Tape,
    names: &[&str],
    read: impl FnMut(&mut Reader) -> T,
) -> Result<T, Failure> {
    let value = args.root().get(what).unwrap_or_default();
    let chosen = match value.fields() {
        Some(fields) => {
            let chosen = fields.filter(|(name, _)| names.contains(name));
            Tape::object(&chosen.map(|(name, value)| (name, value.to_tape())).collect::<Vec<_>>())
        }
        None => value.to_tape(),
    };
    reader::read(chosen.root(), read).map_err(|problems| Failure::of_options(what, problems))
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

/// A share of a holding in percent.
pub fn read_share(reader: &mut Reader, name: &'static str) -> Option<Share> {
    let percent = reader.decimal(name)?;
    let share = Share::of_percent(&percent.text());
    if share.is_none() {
        reader.refuse(name, FieldCode::OutOfRange, "must be above 0 and at most 100");
    }
    share
}

/// A slippage as in requests, in parts per million; anything finer is dropped.
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

/// The thresholds of warnings. A slippage that does not name its unit is in `unit`.
pub fn read_warning_thresholds(reader: &mut Reader, unit: SlippageUnit) -> WarningThresholds {
    let mut warn_above = WarningThresholds::default();
    reader.within("warnAbove", &mut |r| {
        r.set_whole("impactBps", &mut warn_above.impact_bps);
        warn_above.slippage_ppm = read_slippage(r, "slippage", unit).unwrap_or(warn_above.slippage_ppm);
    });
    warn_above
}

/// A wallet. If its token account does not name its lamports, it holds the launchpad's rent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct WalletState {
    lamports: u64,
    /// Base units, lamports if they are given, and whether it is frozen.
    token_account: Option<(u64, Option<u64>, bool)>,
    opens_volume_account: bool,
}

impl WalletState {
    /// Reads the settings of a wallet.
    pub fn read(reader: &mut Reader) -> Self {
        let lamports = reader.need("lamports", |r, name| r.whole(name));
        let account = |r: &mut Reader| {
            let tokens = r.need("tokens", |r, name| r.whole(name));
            (tokens, r.whole("lamports"), r.boolean("isFrozen").unwrap_or(false))
        };
        WalletState {
            lamports,
            token_account: reader.object("tokenAccount", account),
            opens_volume_account: reader.boolean("opensVolumeAccount").unwrap_or(false),
        }
    }

    /// The wallet, on a launchpad where an account's rent is `rent_lamports`.
    pub fn wallet(&self, rent_lamports: u64) -> Wallet {
        let account = |(tokens, lamports, is_frozen): (u64, Option<u64>, bool)| TokenAccount {
            tokens,
            lamports: lamports.unwrap_or(rent_lamports),
            is_frozen,
        };
        Wallet {
            lamports: self.lamports,
            token_account: self.token_account.map(account),
            opens_volume_account: self.opens_volume_account,
        }
    }
}
