//! A token on a launchpad as settings: the state of its curve, or the token as a sandbox shows it.

use std::num::NonZeroU16;

use super::config::{Launchpad, Token};
use super::curve::Curve;
use super::fees::BPS;
use super::settings::LaunchpadConfig;
use crate::amount::MAX_TOKEN_DECIMALS;
use crate::error::FieldCode;
use crate::object;
use crate::reader::Reader;
use crate::tape::Tape;

/// What a sandbox shows of a token in addition to its curve: names, and numbers that follow from the curve.
const SHOWN: [&str; 7] = [
    "mint",
    "symbol",
    "name",
    "spotPrice",
    "marketCapLamports",
    "protocolFeesLamports",
    "creatorFeesLamports",
];

/// Reads a token and the launchpad it is on. Absent settings are those of a token that has just been created on the default
/// launchpad.
///
/// ```
/// use launchpad_desk::launchpad::{Launchpad, curve_settings};
/// use launchpad_desk::bindings::{object, reader};
/// let (launchpad, token) = reader::read(object! {}.root(), curve_settings::read).unwrap();
/// assert_eq!((token, &launchpad), (launchpad.new_token(), &Launchpad::default()));
/// ```
#[doc(hidden)]
pub fn read(reader: &mut Reader) -> (Launchpad, Token) {
    let mut launchpad = Launchpad::default();
    reader.within("launchpad", &mut |r| LaunchpadConfig::read(r, &mut launchpad));
    let mut token = launchpad.new_token();
    if reader.value("virtualTokenReserves").is_some() {
        token.curve = Curve::read(reader);
        read_decimals(reader, &mut launchpad);
        for name in SHOWN {
            let _ = reader.value(name);
        }
    } else {
        reader.within("curve", &mut |r| token.curve = Curve::read(r));
    }
    read_token(reader, &mut token);
    (launchpad, token)
}

/// What a token has beside its curve.
pub(super) fn read_token(reader: &mut Reader, token: &mut Token) {
    reader.set_whole("supply", &mut token.supply);
    token.has_creator = reader.boolean("hasCreator").unwrap_or(true);
    token.creator_bps = reader.whole_within("creatorBps", 0, BPS).and_then(|bps| NonZeroU16::new(bps as u16));
    token.complete = reader.boolean("complete").unwrap_or(false);
}

/// The token and its launchpad as settings, which [`read`] reads back as the same.
///
/// ```
/// use launchpad_desk::launchpad::{Launchpad, curve_settings};
/// use launchpad_desk::bindings::reader;
/// let launchpad = Launchpad { token_decimals: 9, ..Launchpad::default() };
/// let token = launchpad_desk::launchpad::Token { creator_bps: std::num::NonZeroU16::new(7), complete: true, ..launchpad.new_token() };
/// let settings = curve_settings::write(&launchpad, &token);
/// assert_eq!(reader::read(settings.root(), curve_settings::read).unwrap(), (launchpad, token));
/// ```
#[doc(hidden)]
pub fn write(launchpad: &Launchpad, token: &Token) -> Tape {
    object! {
        "launchpad": LaunchpadConfig::of(launchpad),
        "curve": token.curve,
        "supply": token.supply,
        "hasCreator": token.has_creator,
        "creatorBps": token.creator_bps.map(NonZeroU16::get),
        "complete": token.complete,
    }
}

/// The decimals of a sandbox's token. If the launchpad is given too, its decimals must be the same.
fn read_decimals(reader: &mut Reader, launchpad: &mut Launchpad) {
    let Some(decimals) = reader.whole_within("decimals", 0, MAX_TOKEN_DECIMALS.into()) else { return };
    let decimals = decimals as u8;
    if reader.value("launchpad").is_some() && launchpad.token_decimals != decimals {
        reader.refuse("decimals", FieldCode::Conflict, "and launchpad.tokenDecimals contradict each other");
    }
    launchpad.token_decimals = decimals;
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reader;

    fn problems(settings: Tape) -> Vec<String> {
        let problems = reader::read(settings.root(), read).unwrap_err();
        problems.into_iter().map(|problem| problem.message).collect()
    }

    #[test]
    fn a_sandbox_token_is_its_reserves_its_supply_and_its_decimals() {
        let shown = object! {
            "mint": "M", "spotPrice": "0.1", "decimals": 9u32, "supply": "5", "hasCreator": false,
            "virtualTokenReserves": 4u32, "virtualSolReserves": 3u32, "realTokenReserves": 2u32, "realSolReserves": 1u32,
        };
        let (launchpad, token) = reader::read(shown.root(), read).unwrap();
        assert_eq!((launchpad.token_decimals, token.supply, token.has_creator), (9, 5, false));
        assert_eq!((token.curve.virtual_token_reserves, token.curve.real_sol_reserves), (4, 1));
    }

    #[test]
    fn a_token_on_another_launchpad_than_its_own_is_refused() {
        let reserves = |decimals: u32| {
            object! {
                "virtualTokenReserves": 4u32, "virtualSolReserves": 3u32, "realTokenReserves": 2u32, "realSolReserves": 1u32,
                "decimals": decimals, "launchpad": object! { "tokenDecimals": 6u32 },
            }
        };
        assert_eq!(problems(reserves(9)), ["decimals and launchpad.tokenDecimals contradict each other"]);
        assert!(reader::read(reserves(6).root(), read).is_ok());
    }

    #[test]
    fn what_only_a_sandbox_token_has_is_unknown_without_reserves() {
        assert_eq!(problems(object! { "spotPrice": "0.1" }), ["spotPrice is unknown"]);
    }
}
