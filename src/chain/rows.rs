//! Many curves in one call, for bindings: from rows of bytes to rows of numbers.
//!
//! A row in has [`BYTES`] bytes: what the caller knows of the account ([`KNOWN`]), how many bytes follow (two bytes,
//! little-endian, at most [`MOST`]), and those bytes: the start of the account's data, or of its text in base64. Longer accounts
//! are cut there: no field lies behind.
//!
//! A row out has [`NUMBERS`] numbers: the flags, with the refusal in the lowest byte (its place in [`AccountRefusal::ALL`] counted
//! from one, or zero); the four reserves; the supply as created; the creator's rate.

use base64ct::{Base64, Encoding};

use super::curve::ChainCurve;
use super::unreadable::AccountRefusal;

/// The most bytes of one account's data or text: 168 bytes in base64, which are more than the longest curve has.
pub const MOST: usize = 224;
/// Bytes of a row in.
pub const BYTES: usize = 3 + MOST;
/// Numbers of a row out.
pub const NUMBERS: usize = 7;

/// What a row's first byte says of the account, as its place here.
pub const KNOWN: [&str; 4] = ["bytes", "base64", "missing", "of another owner"];

/// The flags of a row out, each with its bit.
pub const COMPLETE: u64 = 1 << 8;
/// Somebody earns the creator's fee.
pub const HAS_CREATOR: u64 = 1 << 9;
/// The market cap counts the supply as created.
pub const IS_MAYHEM: u64 = 1 << 10;

/// Reads every row. A part of one at the end is left out.
///
/// ```
/// use launchpad_desk::chain::rows::{BYTES, NUMBERS, read};
/// let mut missing = vec![0; BYTES];
/// missing[0] = 2;
/// assert_eq!(read(&missing), [1, 0, 0, 0, 0, 0, 0]);
/// ```
pub fn read(rows: &[u8]) -> Vec<u64> {
    let mut numbers = Vec::with_capacity(rows.len() / BYTES * NUMBERS);
    for row in rows.chunks_exact(BYTES) {
        numbers.extend(match curve(row) {
            Ok(curve) => numbers_of(&curve),
            Err(refusal) => {
                let place = AccountRefusal::ALL.iter().position(|of| *of == refusal);
                [place.map_or(0, |place| place as u64 + 1), 0, 0, 0, 0, 0, 0]
            }
        });
    }
    numbers
}

fn curve(row: &[u8]) -> Result<ChainCurve, AccountRefusal> {
    let [known, low, high, rest @ ..] = row else { return Err(AccountRefusal::Length) };
    let length = usize::from(u16::from_le_bytes([*low, *high]));
    let data = rest.get(..length).ok_or(AccountRefusal::Length)?;
    let mut decoded = [0; MOST];
    let data = match known {
        0 => data,
        1 => Base64::decode(data, &mut decoded).map_err(|_| AccountRefusal::Encoding)?,
        2 => return Err(AccountRefusal::Missing),
        _ => return Err(AccountRefusal::Owner),
    };
    ChainCurve::read_bytes(data).map_err(|unreadable| unreadable.refusal)
}

fn numbers_of(curve: &ChainCurve) -> [u64; NUMBERS] {
    let flag = |is: bool, bit: u64| if is { bit } else { 0 };
    let flags = flag(curve.complete, COMPLETE)
        | flag(curve.creator.is_some(), HAS_CREATOR)
        | flag(curve.is_mayhem == Some(true), IS_MAYHEM);
    let reserves = &curve.reserves;
    [
        flags,
        reserves.virtual_token_reserves,
        reserves.virtual_sol_reserves,
        reserves.real_token_reserves,
        reserves.real_sol_reserves,
        curve.token_total_supply,
        curve.creator_fee_bps.unwrap_or(0),
    ]
}
