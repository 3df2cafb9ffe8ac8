//! Exact amounts. Nothing here is ever an `f64`.

use std::cmp::Ordering;

/// The longest plain decimal that is read, in characters.
const MAX_TEXT: usize = 128;

/// A whole number as decimal text.
///
/// `Display` would work too, but its formatting code makes the module larger.
///
/// ```
/// use launchpad_desk::amount::Digits;
/// assert_eq!((7u8.digits(), u64::MAX.digits()), ("7".to_owned(), "18446744073709551615".to_owned()));
/// assert_eq!((-40i128).digits(), "-40");
/// ```
pub trait Digits {
    /// Its digits, after a minus sign if it is negative.
    fn digits(self) -> String;
}

impl Digits for u128 {
    fn digits(mut self) -> String {
        let mut digits = Vec::new();
        loop {
            let rest = self / 10;
            digits.push(b'0' + (self - rest * 10) as u8);
            self = rest;
            if rest == 0 {
                digits.reverse();
                // ASCII is UTF-8: nothing is ever lost here.
                return String::from_utf8(digits).unwrap_or_default();
            }
        }
    }
}

impl Digits for i128 {
    fn digits(self) -> String {
        let size = self.unsigned_abs().digits();
        if self < 0 { ["-", &size].concat() } else { size }
    }
}

macro_rules! digits {
    ($($narrow:ty)*) => {
        $(impl Digits for $narrow {
            fn digits(self) -> String {
                (self as u128).digits()
            }
        })*
    };
}
digits! { u8 u16 u32 u64 usize }

/// A non-negative decimal number of any size up to 128 characters, exact.
///
/// Held as plain text without exponent, leading zeros or trailing fraction zeros, so that equal numbers are
/// equal texts.
///
/// ```
/// use launchpad_desk::amount::Decimal;
/// let amount = Decimal::from_number("1.50e3").unwrap();
/// assert_eq!(amount.as_str(), "1500");
/// assert_eq!(Decimal::from_plain("0.000001").unwrap().to_units(6), Ok(1));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Decimal(String);

/// Why a text is not a [`Decimal`], or a [`Decimal`] is not a whole number of units.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DecimalError {
    /// Not a decimal number at all.
    NotANumber,
    /// Below zero.
    Negative,
    /// More than 128 characters, or more units than a `u64` holds.
    TooLarge,
    /// Has a fraction of a unit.
    TooPrecise,
}

impl std::fmt::Display for DecimalError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            DecimalError::NotANumber => "not a decimal number",
            DecimalError::Negative => "below zero",
            DecimalError::TooLarge => "more than 64 bits of units, or 128 characters, can hold",
            DecimalError::TooPrecise => "finer than a unit",
        })
    }
}

impl std::error::Error for DecimalError {}

impl Decimal {
    /// Reads a number as JSON and JS write it: digits, a fraction, an exponent.
    ///
    /// # Errors
    ///
    /// [`DecimalError::NotANumber`], [`DecimalError::Negative`] (minus zero is zero), or
    /// [`DecimalError::TooLarge`] where the plain form passes 128 characters.
    pub fn from_number(text: &str) -> Result<Self, DecimalError> {
        let (digits, exponent) = match text.find(['e', 'E']) {
            Some(at) => {
                let (digits, rest) = text.split_at_checked(at).unwrap_or((text, ""));
                (digits, exponent(rest.get(1..).unwrap_or_default())?)
            }
            None => (text, 0),
        };
        match digits.strip_prefix('-') {
            None => Decimal::read(digits, exponent),
            Some(digits) => match Decimal::read(digits, exponent)? {
                zero if zero.is_zero() => Ok(zero),
                _ => Err(DecimalError::Negative),
            },
        }
    }

    /// Reads plain digits with an optional fraction, as a numeric string has them: `"12.5"`.
    ///
    /// # Errors
    ///
    /// As [`Decimal::from_number`]; an exponent, a plus sign or white space is [`DecimalError::NotANumber`].
    pub fn from_plain(text: &str) -> Result<Self, DecimalError> {
        match text.strip_prefix('-') {
            None => Decimal::read(text, 0),
            Some(digits) => Decimal::read(digits, 0).and(Err(DecimalError::Negative)),
        }
    }

    /// A whole number of units, `decimals` of which digits are the fraction: 1500000 and 6 is 1.5.
    pub fn from_units(units: u64, decimals: u8) -> Self {
        Decimal::from_wide_units(units.into(), decimals)
    }

    /// [`from_units`](Decimal::from_units) for numbers over 64 bits: a market cap, a scaled price.
    pub fn from_wide_units(units: u128, decimals: u8) -> Self {
        Decimal::place(&units.digits(), -i32::from(decimals)).unwrap_or_else(|_| Decimal("0".into()))
    }

    fn read(text: &str, exponent: i32) -> Result<Self, DecimalError> {
        if text.len() > MAX_TEXT {
            return Err(DecimalError::TooLarge);
        }
        let (whole, fraction) = halves(text).unwrap_or((text, "0"));
        let digits = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
        if !digits(whole) || !digits(fraction) {
            return Err(DecimalError::NotANumber);
        }
        Decimal::place(&[whole, fraction].concat(), exponent - fraction.len() as i32)
    }

    /// The number `digits` · 10^`exponent`.
    fn place(digits: &str, exponent: i32) -> Result<Self, DecimalError> {
        let trimmed = digits.trim_start_matches('0').trim_end_matches('0');
        if trimmed.is_empty() {
            return Ok(Decimal("0".into()));
        }
        let trailing = digits.len() - digits.trim_end_matches('0').len();
        let exponent = exponent + trailing as i32;
        let size = trimmed.len() + exponent.unsigned_abs() as usize;
        if size > MAX_TEXT {
            return Err(DecimalError::TooLarge);
        }
        if exponent >= 0 {
            return Ok(Decimal([trimmed, &"0".repeat(exponent as usize)].concat()));
        }
        let places = exponent.unsigned_abs() as usize;
        Ok(Decimal(if trimmed.len() > places {
            let (whole, fraction) = trimmed.split_at_checked(trimmed.len() - places).unwrap_or((trimmed, ""));
            [whole, ".", fraction].concat()
        } else {
            ["0.", &"0".repeat(places - trimmed.len()), trimmed].concat()
        }))
    }

    /// The number as plain text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The number as an owned plain text.
    pub fn into_text(self) -> String {
        self.0
    }

    /// Whether this is zero.
    pub fn is_zero(&self) -> bool {
        self.0 == "0"
    }

    /// Whether this has no fraction.
    pub fn is_integer(&self) -> bool {
        halves(&self.0).is_none()
    }

    /// This number times 10^`places`.
    ///
    /// # Errors
    ///
    /// [`DecimalError::TooLarge`] where the plain form passes 128 characters.
    pub fn shift(&self, places: i32) -> Result<Self, DecimalError> {
        let (whole, fraction) = halves(&self.0).unwrap_or((&self.0, ""));
        Decimal::place(&[whole, fraction].concat(), places - fraction.len() as i32)
    }

    /// How many units this is when a whole has `decimals` fraction digits.
    ///
    /// # Errors
    ///
    /// [`DecimalError::TooPrecise`] for a fraction of a unit, [`DecimalError::TooLarge`] over `u64::MAX`.
    pub fn to_units(&self, decimals: u8) -> Result<u64, DecimalError> {
        let shifted = self.shift(i32::from(decimals))?;
        if !shifted.is_integer() {
            return Err(DecimalError::TooPrecise);
        }
        shifted.0.parse().map_err(|_| DecimalError::TooLarge)
    }

    /// How many whole units this is; a rest of a unit is dropped.
    ///
    /// # Errors
    ///
    /// [`DecimalError::TooLarge`] over `u64::MAX`.
    pub fn to_units_floor(&self, decimals: u8) -> Result<u64, DecimalError> {
        let shifted = self.shift(i32::from(decimals))?;
        let whole = halves(&shifted.0).map_or(shifted.as_str(), |(whole, _)| whole);
        whole.parse().map_err(|_| DecimalError::TooLarge)
    }
}

/// What stands before the point and after it.
pub(crate) fn halves(text: &str) -> Option<(&str, &str)> {
    let at = text.bytes().position(|byte| byte == b'.')?;
    Some((text.get(..at)?, text.get(at + 1..)?))
}

/// The exponent of a number in scientific form.
fn exponent(text: &str) -> Result<i32, DecimalError> {
    let digits = text.strip_prefix(['+', '-']).unwrap_or(text);
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(DecimalError::NotANumber);
    }
    // A larger exponent than this is out of range for any digits that are read.
    let size = digits.trim_start_matches('0');
    let size = if size.len() > 4 { 9_999 } else { size.parse().unwrap_or(0) };
    Ok(if text.starts_with('-') { -size } else { size })
}

impl PartialOrd for Decimal {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Decimal {
    fn cmp(&self, other: &Self) -> Ordering {
        let whole = |text: &str| halves(text).map_or(text.len(), |(whole, _)| whole.len());
        whole(&self.0).cmp(&whole(&other.0)).then_with(|| self.0.cmp(&other.0))
    }
}

/// How a caller wrote an amount: it is sent in the same form.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// A JSON number.
    Number,
    /// A JSON string of digits.
    String,
}

/// An amount of token to sell, in whole tokens, with the form it is sent in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TokenAmount {
    /// Whole tokens, decimals allowed; above zero.
    pub tokens: Decimal,
    /// Number or string.
    pub form: Form,
}

/// An amount of token as the caller gives it. [`TokenAmount`] is what is sent.
///
/// Plain numbers are whole tokens. Base units, which the launchpad's maths use, must be named: read as whole tokens they
/// would sell a million times too much.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TokenInput {
    /// Whole tokens, sent as they are.
    Bare(TokenAmount),
    /// `{ tokens: "16.99" }`: whole tokens, refused where they are finer than a base unit.
    Tokens(TokenAmount),
    /// `{ baseUnits: 16990000n }`: base units, converted exactly.
    BaseUnits(u64),
}

impl From<TokenAmount> for TokenInput {
    fn from(amount: TokenAmount) -> Self {
        TokenInput::Bare(amount)
    }
}

/// Fraction digits of a whole token, by default.
pub const TOKEN_DECIMALS: u8 = 6;

/// The most fraction digits that a setting may give a token: more have no price in whole nano-lamports.
pub const MAX_TOKEN_DECIMALS: u8 = 18;

/// Fraction digits of a SOL, whose base unit is the lamport.
pub const SOL_DECIMALS: u8 = 9;

/// Whole tokens, as plain decimal text, in base units.
///
/// ```
/// use launchpad_desk::amount::{DecimalError, to_base_units};
/// assert_eq!(to_base_units("16.99", 6), Ok(16_990_000));
/// assert_eq!(to_base_units("16.9900001", 6), Err(DecimalError::TooPrecise));
/// ```
///
/// # Errors
///
/// As [`Decimal::from_plain`] and [`Decimal::to_units`]: nothing is ever rounded.
pub fn to_base_units(tokens: &str, decimals: u8) -> Result<u64, DecimalError> {
    Decimal::from_plain(tokens)?.to_units(decimals)
}

/// Base units in whole tokens, as exact decimal text; negative for a balance that fell.
///
/// ```
/// use launchpad_desk::amount::from_base_units;
/// assert_eq!(from_base_units(16_990_000u64, 6), "16.99");
/// assert_eq!(from_base_units(-1, 6), "-0.000001");
/// ```
pub fn from_base_units(base_units: impl Into<i128>, decimals: u8) -> String {
    let base_units: i128 = base_units.into();
    let size = Decimal::from_wide_units(base_units.unsigned_abs(), decimals).into_text();
    if base_units < 0 { ["-", &size].concat() } else { size }
}

/// SOL, as plain decimal text, in lamports.
///
/// ```
/// use launchpad_desk::amount::sol_to_lamports;
/// assert_eq!(sol_to_lamports("1.5"), Ok(1_500_000_000));
/// ```
///
/// # Errors
///
/// As [`to_base_units`].
pub fn sol_to_lamports(sol: &str) -> Result<u64, DecimalError> {
    to_base_units(sol, SOL_DECIMALS)
}

/// Lamports in SOL, as exact decimal text.
///
/// ```
/// use launchpad_desk::amount::lamports_to_sol;
/// assert_eq!(lamports_to_sol(1_500_000_000u64), "1.5");
/// ```
pub fn lamports_to_sol(lamports: impl Into<i128>) -> String {
    from_base_units(lamports, SOL_DECIMALS)
}

/// A share of a holding in percent: 0 < p ≤ 100.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Percentage(pub Decimal);

/// The unit a service counts slippage in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SlippageUnit {
    /// 5 means 5 %.
    #[default]
    Percent,
    /// 500 means 5 %.
    Bps,
}

/// A slippage as its caller gave it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Slippage {
    /// A bare number: already in the service's unit, sent unchanged.
    Bare(Decimal),
    /// `{ percent: 5 }`.
    Percent(Decimal),
    /// `{ bps: 500 }`.
    Bps(Decimal),
}

impl Slippage {
    /// What the spec gives a bundle without a main slippage: 0.5 %.
    pub const DEFAULT_PPM: u32 = 5_000;

    /// The number to send to a service that counts in `unit`.
    ///
    /// # Errors
    ///
    /// [`DecimalError::TooLarge`] where the converted number passes 128 characters.
    pub fn in_unit(&self, unit: SlippageUnit) -> Result<Decimal, DecimalError> {
        match (self, unit) {
            (Slippage::Percent(number), SlippageUnit::Bps) => number.shift(2),
            (Slippage::Bps(number), SlippageUnit::Percent) => number.shift(-2),
            (Slippage::Bare(number) | Slippage::Percent(number) | Slippage::Bps(number), _) => {
                Ok(number.clone())
            }
        }
    }

    /// What is wrong with a slippage that has no [`to_ppm`](Slippage::to_ppm), after its name.
    pub const TOO_WIDE: &'static str = "is over 429496.7295 %";

    /// Parts per million; 1 bps is 100 of them. A finer part is dropped, which makes the bound tighter.
    /// 100 % is 1,000,000. `None` past 32 bits: over 429,496.7295 %.
    pub fn to_ppm(&self, unit: SlippageUnit) -> Option<u32> {
        let places = match (self, unit) {
            (Slippage::Percent(_), _) | (Slippage::Bare(_), SlippageUnit::Percent) => 4,
            (Slippage::Bps(_), _) | (Slippage::Bare(_), SlippageUnit::Bps) => 2,
        };
        let (Slippage::Bare(number) | Slippage::Percent(number) | Slippage::Bps(number)) = self;
        u32::try_from(number.to_units_floor(places).ok()?).ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn number(text: &str) -> String {
        Decimal::from_number(text).unwrap().into_text()
    }

    #[test]
    fn one_number_has_one_text() {
        let cases = [
            ("0", "0"),
            ("-0.00", "0"),
            ("007", "7"),
            ("1.50", "1.5"),
            ("1e21", "1000000000000000000000"),
            ("1E+2", "100"),
            ("12.5e1", "125"),
            ("1e-7", "0.0000001"),
            ("120e-1", "12"),
            ("0e99999999999", "0"),
            ("18446744073709551615", "18446744073709551615"),
        ];
        for (given, plain) in cases {
            assert_eq!(number(given), plain, "{given}");
        }
    }

    #[test]
    fn what_is_no_number_is_refused() {
        for text in [
            "", ".", "1.", ".5", "+1", " 1", "1 ", "0x10", "1_000", "1,5", "NaN", "Infinity", "1e", "1e+",
            "٣",
        ] {
            assert_eq!(Decimal::from_number(text), Err(DecimalError::NotANumber), "{text}");
        }
        assert_eq!(Decimal::from_plain("1e3"), Err(DecimalError::NotANumber));
        assert_eq!(Decimal::from_plain("-1"), Err(DecimalError::Negative));
        assert_eq!(Decimal::from_plain("-"), Err(DecimalError::NotANumber));
        assert_eq!(Decimal::from_plain("--1"), Err(DecimalError::NotANumber));
        assert_eq!(Decimal::from_number("-1e-9"), Err(DecimalError::Negative));
        assert_eq!(Decimal::from_number("1e128"), Err(DecimalError::TooLarge));
        assert_eq!(Decimal::from_number("1e-999999999999999999"), Err(DecimalError::TooLarge));
        assert_eq!(Decimal::from_plain(&"9".repeat(129)), Err(DecimalError::TooLarge));
    }

    #[test]
    fn units_are_exact_or_refused() {
        let units = |text: &str, decimals| Decimal::from_number(text).unwrap().to_units(decimals);
        assert_eq!(units("1.000001", 6), Ok(1_000_001));
        assert_eq!(units("1.0000001", 6), Err(DecimalError::TooPrecise));
        assert_eq!(units("18446744073709.551615", 6), Ok(u64::MAX));
        assert_eq!(units("18446744073709.551616", 6), Err(DecimalError::TooLarge));
        assert_eq!(units("5", 0), Ok(5));
        assert_eq!(Decimal::from_units(1_500_000, 6).as_str(), "1.5");
        assert_eq!(Decimal::from_units(7, 6).as_str(), "0.000007");
        assert_eq!(Decimal::from_units(0, 6).as_str(), "0");
        assert_eq!(Decimal::from_units(u64::MAX, 255).to_units_floor(0), Ok(0));
    }

    #[test]
    fn whole_and_base_units_lead_back_to_each_other() {
        for (tokens, decimals, units) in [
            ("0", 6, 0),
            ("16.99", 6, 16_990_000),
            ("0.000001", 6, 1),
            ("18446744073709.551615", 6, u64::MAX),
            ("5", 0, 5),
            ("18.446744073709551615", 18, u64::MAX),
        ] {
            assert_eq!(to_base_units(tokens, decimals), Ok(units));
            assert_eq!(from_base_units(units, decimals), tokens);
        }
        for (text, error) in [
            ("", DecimalError::NotANumber),
            ("1e3", DecimalError::NotANumber),
            ("-1", DecimalError::Negative),
            ("0.0000001", DecimalError::TooPrecise),
            ("18446744073709.551616", DecimalError::TooLarge),
        ] {
            assert_eq!(to_base_units(text, 6), Err(error), "{text}");
        }
        assert_eq!(sol_to_lamports("0.000000001"), Ok(1));
        assert_eq!(sol_to_lamports("0.0000000001"), Err(DecimalError::TooPrecise));
        assert_eq!(lamports_to_sol(-1_500_000_000i64), "-1.5");
        assert_eq!(lamports_to_sol(i128::MIN), "-170141183460469231731687303715.884105728");
    }

    #[test]
    fn order_is_by_size_not_by_text() {
        let less = [("9", "10"), ("99.5", "100"), ("0.5", "0.51"), ("0.09", "0.1"), ("1", "1.5")];
        for (a, b) in less {
            assert!(Decimal::from_plain(a).unwrap() < Decimal::from_plain(b).unwrap(), "{a} < {b}");
        }
    }

    #[test]
    fn slippage_crosses_units_exactly() {
        let percent = Slippage::Percent(Decimal::from_plain("0.5").unwrap());
        let bps = Slippage::Bps(Decimal::from_plain("50").unwrap());
        let bare = Slippage::Bare(Decimal::from_plain("500").unwrap());
        assert_eq!(percent.in_unit(SlippageUnit::Bps).unwrap().as_str(), "50");
        assert_eq!(bps.in_unit(SlippageUnit::Percent).unwrap().as_str(), "0.5");
        assert_eq!(bare.in_unit(SlippageUnit::Bps).unwrap().as_str(), "500");
        for slippage in [&percent, &bps] {
            assert_eq!(slippage.to_ppm(SlippageUnit::Percent), Some(Slippage::DEFAULT_PPM));
            assert_eq!(slippage.to_ppm(SlippageUnit::Bps), Some(Slippage::DEFAULT_PPM));
        }
        assert_eq!(bare.to_ppm(SlippageUnit::Bps), Some(50_000));
        assert_eq!(bare.to_ppm(SlippageUnit::Percent), Some(5_000_000));
        let percent = |text| Slippage::Bare(Decimal::from_plain(text).unwrap()).to_ppm(SlippageUnit::Percent);
        assert_eq!(percent("0.00009"), Some(0));
        assert_eq!(percent("429496.72959"), Some(u32::MAX));
        assert_eq!(percent("429496.7296"), None);
        assert_eq!(percent("99999999999999999999"), None);
    }
}
