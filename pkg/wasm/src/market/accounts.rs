//! One account in one crossing, and many curves in one.

use wasm_bindgen::prelude::*;

use crate::crossing::{CallArgs, Failure, answer};
use launchpad_desk::bindings::object;
use launchpad_desk::bindings::reader::{self, Reader};
use launchpad_desk::chain::account::Account;
use launchpad_desk::chain::address::{Address, curve_address, token_account_address, volume_account_address};
use launchpad_desk::chain::curve::ChainCurve;
use launchpad_desk::chain::fee_config::read_fee_tiers;
use launchpad_desk::chain::global::Global;
use launchpad_desk::chain::mint::Mint;
use launchpad_desk::chain::rows;
use launchpad_desk::chain::token_account::read_holding;
use launchpad_desk::chain::unreadable::{AccountKind, AccountRefusal, Unreadable};
use launchpad_desk::error::{FieldCode, FieldError};
use launchpad_desk::launchpad::settings::FeeTierConfig;
use launchpad_desk::tape::{Tape, ToTape};

/// The arguments of a call.
pub fn arguments<T>(args: &Tape, read: impl FnMut(&mut Reader) -> T) -> Result<T, Failure> {
    reader::read(args.root(), read).map_err(|problems| Failure::of_options("argument", problems))
}

/// What was read, or which account is refused and why: JS throws it as an error of its own kind.
fn read_or_refused<T: ToTape>(read: Result<T, Unreadable>) -> Tape {
    match read {
        Ok(read) => object! { "read": read },
        Err(why) => refused_account(&why, why.to_string()),
    }
}

/// Why an account is not read, with a sentence for a person.
pub fn refused_account(why: &Unreadable, message: String) -> Tape {
    object! { "refused": object! { "message": message, "code": why.refusal, "account": why.kind } }
}

/// Reads the argument `account`, which is null if there is none, and one more by `more`. `bytes` are the account's data, unless
/// `has_bytes` says that they are text in it. Text that is not base64 came from a node, so it refuses the account, not the call.
fn of_account<T: ToTape, M>(
    kind: AccountKind,
    args: &mut CallArgs,
    has_bytes: bool,
    bytes: &[u8],
    mut more: impl FnMut(&mut Reader) -> M,
    read: impl FnOnce(M, Option<&Account>) -> Result<T, Unreadable>,
) -> JsValue {
    let read_account = |r: &mut Reader| {
        let address = r.need("address", Address::read);
        Account::read(r, address, has_bytes.then_some(bytes))
    };
    let arguments =
        match reader::read(args.tape().root(), |r| (more(r), r.object("account", read_account).flatten())) {
            Ok(arguments) => Ok(arguments),
            Err(problems) if problems.iter().all(is_of_encoding) => {
                let why = Unreadable { kind, refusal: AccountRefusal::Encoding };
                return answer(Ok(refused_account(&why, why.to_string())));
            }
            Err(problems) => Err(Failure::of_options("argument", problems)),
        };
    answer(arguments.map(|(more, account)| read_or_refused(read(more, account.as_ref()))))
}

/// Whether a problem is that an account's data cannot be decoded.
fn is_of_encoding(problem: &FieldError) -> bool {
    problem.field == "account.data" && problem.code == FieldCode::Unreadable
}

/// Reads the curve of `mint`.
#[wasm_bindgen(js_name = readCurve)]
pub fn read_curve(args: &mut CallArgs, has_bytes: bool, bytes: &[u8]) -> JsValue {
    let mint = |r: &mut Reader| r.need("mint", Address::read);
    of_account(AccountKind::Curve, args, has_bytes, bytes, mint, |mint, account| {
        ChainCurve::read(&mint, account)
    })
}

/// Reads the token at `mint`.
#[wasm_bindgen(js_name = readMint)]
pub fn read_mint(args: &mut CallArgs, has_bytes: bool, bytes: &[u8]) -> JsValue {
    let mint = |r: &mut Reader| r.need("mint", Address::read);
    of_account(AccountKind::Mint, args, has_bytes, bytes, mint, |mint, account| Mint::read(&mint, account))
}

/// Reads the token account at `address`.
#[wasm_bindgen(js_name = readHolding)]
pub fn read_token_account(args: &mut CallArgs, has_bytes: bool, bytes: &[u8]) -> JsValue {
    let address = |r: &mut Reader| r.need("address", Address::read);
    of_account(AccountKind::TokenAccount, args, has_bytes, bytes, address, |address, account| {
        read_holding(&address, account)
    })
}

/// Reads the fee rates.
#[wasm_bindgen(js_name = readFeeTiers)]
pub fn read_tiers(args: &mut CallArgs, has_bytes: bool, bytes: &[u8]) -> JsValue {
    let settings = |tiers: Vec<_>| tiers.iter().map(FeeTierConfig::of).collect::<Vec<_>>();
    of_account(
        AccountKind::FeeConfig,
        args,
        has_bytes,
        bytes,
        |_| (),
        |(), account| read_fee_tiers(account).map(settings),
    )
}

/// Reads the launchpad's settings.
#[wasm_bindgen(js_name = readGlobal)]
pub fn read_global(args: &mut CallArgs, has_bytes: bool, bytes: &[u8]) -> JsValue {
    of_account(AccountKind::Global, args, has_bytes, bytes, |_| (), |(), account| Global::read(account))
}

/// Where the curve of `mint` is.
#[wasm_bindgen(js_name = curveAddress)]
pub fn address_of_curve(args: &mut CallArgs) -> JsValue {
    let mint = arguments(args.tape(), |r| r.need("mint", Address::read));
    answer(mint.map(|mint| curve_address(&mint).to_tape()))
}

/// Where `wallet` usually holds `mint`, a token of `tokenProgram`.
#[wasm_bindgen(js_name = tokenAccountAddress)]
pub fn address_of_token_account(args: &mut CallArgs) -> JsValue {
    let read = arguments(args.tape(), |r| {
        ["wallet", "tokenProgram", "mint"].map(|name| r.need(name, Address::read))
    });
    answer(read.map(|[wallet, program, mint]| token_account_address(&wallet, &program, &mint).to_tape()))
}

/// Where the launchpad counts what `wallet` trades.
#[wasm_bindgen(js_name = volumeAccountAddress)]
pub fn address_of_volume_account(args: &mut CallArgs) -> JsValue {
    let wallet = arguments(args.tape(), |r| r.need("wallet", Address::read));
    answer(wallet.map(|wallet| volume_account_address(&wallet).to_tape()))
}

/// Reads many curves from rows, as [`rows`] describes them.
#[wasm_bindgen(js_name = readCurves)]
pub fn read_curves(curves: &[u8]) -> Vec<u64> {
    rows::read(curves)
}

/// How many bytes a row has.
#[wasm_bindgen(js_name = curveRowBytes)]
pub fn curve_row_bytes() -> usize {
    rows::BYTES
}
