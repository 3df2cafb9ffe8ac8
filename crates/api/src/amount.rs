//! Exact amounts. Nothing here is ever an `f64`.

use std::cmp::Ordering;
use std::str::FromStr;

use crate::text::Text;

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
    fn digits(self) -> String {
        decimal_text(self, 0)
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

/// Units as plain decimal text, with `decimals` fraction digits.
///
/// ```
/// use launchpad_desk::amount::decimal_text;
/// assert_eq!(decimal_text(16_990_000, 6), "16.99");
/// ```
pub fn decimal_text(units: u128, decimals: u8) -> String {
    let mut text = String::new();
    push_decimal(units, decimals, &mut text);
    text
}

/// Writes units as plain decimal text at the end of `text`.
pub fn push_decimal(units: u128, decimals: u8, text: &mut String) {
    let mut buffer = [0; MAX_DIGITS];
    let digits = digits_of(units, &mut buffer);
    if decimals == 0 {
        return text.push_str(digits);
    }
    let places = usize::from(decimals);
    let (whole, fraction) =
        digits.split_at_checked(digits.len().saturating_sub(places)).unwrap_or((digits, ""));
    text.push_str(if whole.is_empty() { "0" } else { whole });
    let fraction = without_last_zeros(fraction);
    if !fraction.is_empty() {
        text.push('.');
        for _ in digits.len()..places {
            text.push('0');
        }
        text.push_str(fraction);
    }
}

/// The most digits of 128 bits.
const MAX_DIGITS: usize = 39;

/// The digits of a number, written at the end of `buffer`. Nine at a time, because WebAssembly divides by ten
/// fast only in 32 bits.
fn digits_of(units: u128, buffer: &mut [u8; MAX_DIGITS]) -> &str {
    const GROUP: u128 = 1_000_000_000;
    let (mut rest, mut group, mut left) = (units, 0u32, 0);
    let mut digits = 0;
    for place in buffer.iter_mut().rev() {
        if left == 0 {
            // A group is less than 2³², and most of what is left fits 64 bits.
            (rest, group) = match u64::try_from(rest) {
                Ok(rest) => (u128::from(rest / GROUP as u64), (rest % GROUP as u64) as u32),
                Err(_) => (rest / GROUP, (rest % GROUP) as u32),
            };
            left = 9;
        }
        *place = b'0' + (group % 10) as u8;
        (group, left, digits) = (group / 10, left - 1, digits + 1);
        if group == 0 && rest == 0 {
            break;
        }
    }
    // ASCII is UTF-8: nothing is ever lost here.
    str::from_utf8(buffer.get(MAX_DIGITS - digits..).unwrap_or_default()).unwrap_or_default()
}

/// A non-negative decimal number of at most 128 bits of digits, exact.
///
/// ```
/// use launchpad_desk::amount::Decimal;
/// let amount = Decimal::from_number("1.50e3").unwrap();
/// assert_eq!(amount.text(), "1500");
/// assert_eq!(Decimal::from_plain("0.000001").unwrap().to_units(6), Ok(1));
/// ```
// Packed, because 128 bits are aligned to 16 bytes, which would make a request twice as large.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[repr(Rust, packed(4))]
pub struct Decimal {
    units: u128,
    /// How many of its digits are the fraction. The last of them is not zero, so equal numbers compare equal.
    decimals: u8,
}

/// Why a text is not a [`Decimal`], or a [`Decimal`] is not a whole number of units.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum DecimalError {
    /// Not a decimal number at all.
    NotANumber,
    /// Below zero.
    Negative,
    /// Too many digits, or more units than a `u64` holds.
    TooLarge,
    /// Has a fraction of a unit.
    TooPrecise,
}

impl std::fmt::Display for DecimalError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            DecimalError::NotANumber => "not a decimal number",
            DecimalError::Negative => "below zero",
            DecimalError::TooLarge => "too many digits, or over 64 bits",
            DecimalError::TooPrecise => "finer than a unit",
        })
    }
}

impl std::error::Error for DecimalError {}

/// The most fraction digits of a number that is read.
const MAX_DECIMALS: i32 = 127;

impl Decimal {
    /// Reads a number as JSON and JS write it: digits, a fraction, an exponent.
    ///
    /// # Errors
    ///
    /// [`DecimalError::NotANumber`], [`DecimalError::Negative`] (minus zero is zero), or [`DecimalError::TooLarge`] for more
    /// than 128 characters, 128 bits of digits or 127 of the fraction.
    pub fn from_number(text: &str) -> Result<Self, DecimalError> {
        if let Some(units) = small(text) {
            return Ok(Decimal { units: units.into(), decimals: 0 });
        }
        let Scientific { is_negative, digits, exponent } = Scientific::read(text)?;
        match Decimal::read(digits, exponent)? {
            number if is_negative && !number.is_zero() => Err(DecimalError::Negative),
            number => Ok(number),
        }
    }

    /// Reads plain digits with an optional fraction, as a numeric string has them: `"12.5"`.
    /// Fails as [`Decimal::from_number`]; an exponent, a plus sign or white space is [`DecimalError::NotANumber`].
    pub fn from_plain(text: &str) -> Result<Self, DecimalError> {
        match text.strip_prefix('-') {
            None => Decimal::read(text, 0),
            Some(digits) => Decimal::read(digits, 0).and(Err(DecimalError::Negative)),
        }
    }

    /// A whole number.
    ///
    /// # Errors
    ///
    /// [`DecimalError::Negative`].
    pub fn from_integer(integer: i64) -> Result<Self, DecimalError> {
        let units = u64::try_from(integer).map_err(|_| DecimalError::Negative)?;
        Ok(Decimal { units: units.into(), decimals: 0 })
    }

    /// A whole number of units with `decimals` fraction digits: 1500000 with 6 is 1.5.
    pub fn from_units(units: u64, decimals: u8) -> Self {
        Decimal::from_wide_units(units.into(), decimals)
    }

    /// [`from_units`](Decimal::from_units) for numbers over 64 bits.
    pub fn from_wide_units(mut units: u128, mut decimals: u8) -> Self {
        while decimals > 0 && units.is_multiple_of(10) {
            (units, decimals) = if units == 0 { (0, 0) } else { (units / 10, decimals - 1) };
        }
        Decimal { units, decimals }
    }

    /// The number `digits` · 10^`exponent`.
    fn read(digits: &str, exponent: i32) -> Result<Self, DecimalError> {
        let (whole, fraction) = number_parts(digits)?;
        let units = append(append(0, whole)?, fraction)?;
        match exponent {
            0 => Ok(Decimal { units, decimals: fraction.len() as u8 }),
            _ => Decimal::scaled(units, exponent - fraction.len() as i32),
        }
    }

    /// The number `units` · 10^`exponent`.
    fn scaled(units: u128, exponent: i32) -> Result<Self, DecimalError> {
        match exponent {
            _ if units == 0 => Ok(Decimal::default()),
            0.. => Ok(Decimal { units: times_ten(units, exponent.unsigned_abs())?, decimals: 0 }),
            _ => {
                // Zeros at the end may bring the fraction back within its limit.
                let (mut units, mut decimals) = (units, exponent.unsigned_abs());
                while decimals > 0 && units.is_multiple_of(10) {
                    (units, decimals) = (units / 10, decimals - 1);
                }
                match u8::try_from(decimals) {
                    Ok(decimals) if i32::from(decimals) <= MAX_DECIMALS => Ok(Decimal { units, decimals }),
                    _ => Err(DecimalError::TooLarge),
                }
            }
        }
    }

    /// The number as plain text, without an exponent or redundant zeros.
    pub fn text(self) -> String {
        decimal_text(self.units, self.decimals)
    }

    /// Writes the number as plain text at the end of `text`.
    pub fn push_to(self, text: &mut String) {
        push_decimal(self.units, self.decimals, text);
    }

    pub fn is_zero(self) -> bool {
        self.units == 0
    }

    /// Whether this has no fraction.
    pub fn is_integer(self) -> bool {
        self.decimals == 0
    }

    /// How many digits its fraction has, without zeros at the end.
    pub fn decimals(self) -> u8 {
        self.decimals
    }

    /// Its digits, as a whole number: 15 for 1.5.
    pub fn units(self) -> u128 {
        self.units
    }

    /// This number times 10^`places`.
    ///
    /// # Errors
    ///
    /// [`DecimalError::TooLarge`] for more than 128 bits of digits, or 127 of the fraction.
    pub fn shift(self, places: i32) -> Result<Self, DecimalError> {
        Decimal::scaled(self.units, places.saturating_sub(i32::from(self.decimals)))
    }

    /// The sum of both.
    ///
    /// # Errors
    ///
    /// [`DecimalError::TooLarge`] for more than 128 bits of digits.
    pub fn plus(self, other: Decimal) -> Result<Self, DecimalError> {
        let decimals = self.decimals.max(other.decimals);
        let units = |of: Decimal| times_ten(of.units, (decimals - of.decimals).into());
        let sum = units(self)?.checked_add(units(other)?).ok_or(DecimalError::TooLarge)?;
        Ok(Decimal::from_wide_units(sum, decimals))
    }

    /// This number, if it has no fraction.
    pub fn to_whole(self) -> Option<u128> {
        self.is_integer().then_some(self.units)
    }

    /// How many units this is when a whole has `decimals` fraction digits.
    ///
    /// # Errors
    ///
    /// [`DecimalError::TooPrecise`] for a fraction of a unit, [`DecimalError::TooLarge`] over `u64::MAX`.
    pub fn to_units(self, decimals: u8) -> Result<u64, DecimalError> {
        let places = decimals.checked_sub(self.decimals).ok_or(DecimalError::TooPrecise)?;
        narrow(times_ten(self.units, places.into())?)
    }

    /// How many whole units this is, rounded down.
    ///
    /// # Errors
    ///
    /// [`DecimalError::TooLarge`] over `u64::MAX`.
    pub fn to_units_floor(self, decimals: u8) -> Result<u64, DecimalError> {
        match self.decimals.checked_sub(decimals) {
            None | Some(0) => self.to_units(decimals),
            // A divisor that does not fit is larger than any units.
            Some(more) => narrow(10u128.checked_pow(more.into()).map_or(0, |divisor| self.units / divisor)),
        }
    }
}

/// The number in a text that has only digits, and few enough to fit 64 bits. Most numbers are like that.
fn small(text: &str) -> Option<u64> {
    if !(1..=18).contains(&text.len()) {
        return None;
    }
    let mut units = 0;
    for byte in text.as_bytes() {
        if !byte.is_ascii_digit() {
            return None;
        }
        units = units * 10 + u64::from(byte - b'0');
    }
    Some(units)
}

/// A number with a sign and an exponent, taken apart.
struct Scientific<'a> {
    is_negative: bool,
    digits: &'a str,
    exponent: i32,
}

impl<'a> Scientific<'a> {
    fn read(text: &'a str) -> Result<Self, DecimalError> {
        let (digits, exponent) = match text.bytes().position(|byte| matches!(byte, b'e' | b'E')) {
            Some(at) => {
                let (digits, rest) = text.split_at_checked(at).unwrap_or((text, ""));
                (digits, read_exponent(rest.get(1..).unwrap_or_default())?)
            }
            None => (text, 0),
        };
        let unsigned = digits.strip_prefix('-');
        Ok(Scientific { is_negative: unsigned.is_some(), digits: unsigned.unwrap_or(digits), exponent })
    }
}

/// The exponent of a number in scientific form. An exponent too large for any digits stays too large.
fn read_exponent(text: &str) -> Result<i32, DecimalError> {
    let digits = text.strip_prefix(['+', '-']).unwrap_or(text);
    if !is_digits(digits) {
        return Err(DecimalError::NotANumber);
    }
    let append = |size: i32, digit: u8| (size * 10 + i32::from(digit - b'0')).min(9_999);
    let size = digits.bytes().fold(0, append);
    Ok(if text.starts_with('-') { -size } else { size })
}

fn is_digits(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// The digits of a plain number before its point and after it, without the zeros at the end of a fraction.
fn number_parts(digits: &str) -> Result<(&str, &str), DecimalError> {
    if digits.len() > MAX_TEXT {
        return Err(DecimalError::TooLarge);
    }
    let (whole, fraction) = halves(digits).unwrap_or((digits, "0"));
    if !is_digits(whole) || !is_digits(fraction) {
        return Err(DecimalError::NotANumber);
    }
    Ok((whole, without_last_zeros(fraction)))
}

fn without_last_zeros(digits: &str) -> &str {
    digits.trim_end_matches('0')
}

/// Appends these digits to those of `units`.
fn append(mut units: u128, digits: &str) -> Result<u128, DecimalError> {
    // The first 18 digits in 64 bits, because 128 bits are slow in WebAssembly.
    let mut rest = digits;
    if units == 0 {
        let first;
        (first, rest) = digits.split_at_checked(18).unwrap_or((digits, ""));
        units = first.bytes().fold(0u64, |units, digit| units * 10 + u64::from(digit - b'0')).into();
    }
    for digit in rest.bytes() {
        units = times_ten(units, 1)?.checked_add(u128::from(digit - b'0')).ok_or(DecimalError::TooLarge)?;
    }
    Ok(units)
}

fn times_ten(mut units: u128, places: u32) -> Result<u128, DecimalError> {
    // Zero stays zero. Any other number is past 128 bits after a few rounds.
    for _ in 0..if units == 0 { 0 } else { places } {
        if units > u128::MAX / 10 {
            return Err(DecimalError::TooLarge);
        }
        units *= 10;
    }
    Ok(units)
}

fn narrow(units: u128) -> Result<u64, DecimalError> {
    u64::try_from(units).map_err(|_| DecimalError::TooLarge)
}

/// A non-negative decimal number of any size up to 128 characters, as exact plain text: an amount in a reply.
///
/// It has no exponent and no redundant zeros, so equal numbers are equal texts.
///
/// ```
/// use launchpad_desk::amount::ExactText;
/// assert_eq!(ExactText::from_number("1.50e3").unwrap().as_str(), "1500");
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ExactText(Text);

impl ExactText {
    /// Reads a number as JSON and JS write it.
    /// Fails as [`Decimal::from_number`], but only more than 128 characters of plain text are too large.
    pub fn from_number(text: &str) -> Result<Self, DecimalError> {
        ExactText::from_text(text.into())
    }

    /// The same of a text that others may share: it is kept if it is exact.
    pub(crate) fn from_text(text: Text) -> Result<Self, DecimalError> {
        if is_exact(text.as_bytes()) {
            return Ok(ExactText(text));
        }
        let Scientific { is_negative, digits, exponent } = Scientific::read(&text)?;
        let (whole, fraction) = number_parts(digits)?;
        let plain = place(&[whole, fraction].concat(), exponent - fraction.len() as i32)?;
        if is_negative && plain != "0" { Err(DecimalError::Negative) } else { Ok(ExactText(plain.into())) }
    }

    /// A whole number of units with `decimals` fraction digits.
    pub fn from_units(units: u64, decimals: u8) -> Self {
        ExactText(decimal_text(units.into(), decimals).into())
    }

    /// Whole tokens in base units, if the token has this many decimals.
    ///
    /// ```
    /// use launchpad_desk::amount::{DecimalError, ExactText};
    /// let bought = ExactText::from_number("16.990001").unwrap();
    /// assert_eq!(bought.to_units(6), Ok(16_990_001));
    /// assert_eq!(bought.to_units(2), Err(DecimalError::TooPrecise));
    /// ```
    ///
    /// # Errors
    ///
    /// [`DecimalError::TooPrecise`] for a part of a base unit, [`DecimalError::TooLarge`] for more than 64 bits.
    pub fn to_units(&self, decimals: u8) -> Result<u64, DecimalError> {
        to_base_units(&self.0, decimals)
    }

    /// The text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The same, with what it shares.
    pub(crate) fn text(&self) -> &Text {
        &self.0
    }
}

/// Whether a text is already in the exact form: digits and perhaps a fraction, without redundant zeros.
fn is_exact(text: &[u8]) -> bool {
    let mut point = None;
    for (at, byte) in text.iter().enumerate() {
        match byte {
            b'0'..=b'9' => {}
            b'.' if point.is_none() => point = Some(at),
            _ => return false,
        }
    }
    let whole = point.unwrap_or(text.len());
    let starts_well = whole == 1 || (whole > 1 && text.first() != Some(&b'0'));
    let ends_well = point.is_none() || matches!(text.last(), Some(b'1'..=b'9'));
    starts_well && ends_well && text.len() <= MAX_TEXT
}

/// The number `digits` · 10^`exponent` as plain text.
fn place(digits: &str, exponent: i32) -> Result<String, DecimalError> {
    let significant = without_last_zeros(digits);
    let exponent = exponent + (digits.len() - significant.len()) as i32;
    let digits = significant.trim_start_matches('0').as_bytes();
    if digits.is_empty() {
        return Ok("0".to_owned());
    }
    // Positions are counted from the first digit. A point before that digit gets a zero in front of it.
    let length = digits.len() as i32;
    let point = length + exponent;
    let (start, end) = (0.min(point - 1), length.max(point));
    if end - start > MAX_TEXT as i32 {
        return Err(DecimalError::TooLarge);
    }
    let mut plain = String::with_capacity((end - start) as usize + 1);
    for at in start..end {
        if at == point {
            plain.push('.');
        }
        let digit = usize::try_from(at).ok().and_then(|at| digits.get(at));
        plain.push(char::from(digit.copied().unwrap_or(b'0')));
    }
    Ok(plain)
}

/// The parts before and after the point; `None` if there is no point.
pub fn halves(text: &str) -> Option<(&str, &str)> {
    let at = text.bytes().position(|byte| byte == b'.')?;
    Some((text.get(..at)?, text.get(at + 1..)?))
}

impl PartialOrd for Decimal {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Decimal {
    fn cmp(&self, other: &Self) -> Ordering {
        if self.decimals > other.decimals {
            return other.cmp(self).reverse();
        }
        // In the units of the number with more decimals. If the other one does not fit there, it is the
        // larger one.
        let places = u32::from(other.decimals - self.decimals);
        times_ten(self.units, places).map_or(Ordering::Greater, |units| units.cmp(&{ other.units }))
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
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TokenAmount {
    /// Whole tokens, decimals allowed; above zero.
    pub tokens: Decimal,
    /// Number or string.
    pub form: Form,
}

/// An amount of token as the caller gives it. [`TokenAmount`] is what is sent.
///
/// Plain numbers are whole tokens. Base units, which the launchpad's maths use, must be named: read as whole tokens they would
/// sell a million times too much.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TokenInput {
    /// Whole tokens, sent as they are.
    Bare(TokenAmount),
    /// `{ tokens: "16.99" }`: whole tokens, refused if they are finer than a base unit.
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
/// Fails as [`Decimal::from_plain`] and [`Decimal::to_units`]: nothing is ever rounded.
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
    let size = decimal_text(base_units.unsigned_abs(), decimals);
    if base_units < 0 { ["-", &size].concat() } else { size }
}

/// SOL, as plain decimal text, in lamports.
///
/// ```
/// use launchpad_desk::amount::sol_to_lamports;
/// assert_eq!(sol_to_lamports("1.5"), Ok(1_500_000_000));
/// ```
///
/// Fails as [`to_base_units`].
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
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
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
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
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
    /// [`DecimalError::TooLarge`] where the converted number has too many digits.
    pub fn in_unit(self, unit: SlippageUnit) -> Result<Decimal, DecimalError> {
        match (self, unit) {
            (Slippage::Percent(number), SlippageUnit::Bps) => number.shift(2),
            (Slippage::Bps(number), SlippageUnit::Percent) => number.shift(-2),
            (Slippage::Bare(number) | Slippage::Percent(number) | Slippage::Bps(number), _) => Ok(number),
        }
    }

    /// The message for a slippage that is too wide for [`to_ppm`](Slippage::to_ppm); it follows the field's
    /// name.
    pub const TOO_WIDE: &'static str = "is over 429496.7295 %";

    /// The message for a slippage that [`is_over_whole`](Slippage::is_over_whole); it follows the field's name.
    pub const OVER_WHOLE: &'static str =
        "is over 100 %, which bounds no price; 5 % is { percent: 5 } or { bps: 500 }";

    /// Whether it is over 100 %, where a bare number is in `unit`.
    pub fn is_over_whole(self, unit: SlippageUnit) -> bool {
        let (number, whole) = match (self, unit) {
            (Slippage::Percent(number), _) | (Slippage::Bare(number), SlippageUnit::Percent) => (number, 100),
            (Slippage::Bps(number), _) | (Slippage::Bare(number), SlippageUnit::Bps) => (number, 10_000),
        };
        number > Decimal::from_units(whole, 0)
    }

    /// Parts per million; 1 bps is 100 of them. A finer part is dropped, which makes the bound tighter.
    /// 100 % is 1,000,000. `None` past 32 bits: over 429,496.7295 %.
    pub fn to_ppm(self, unit: SlippageUnit) -> Option<u32> {
        let places = match (self, unit) {
            (Slippage::Percent(_), _) | (Slippage::Bare(_), SlippageUnit::Percent) => 4,
            (Slippage::Bps(_), _) | (Slippage::Bare(_), SlippageUnit::Bps) => 2,
        };
        let (Slippage::Bare(number) | Slippage::Percent(number) | Slippage::Bps(number)) = self;
        u32::try_from(number.to_units_floor(places).ok()?).ok()
    }
}

/// As [`Decimal::from_plain`].
impl FromStr for Decimal {
    type Err = DecimalError;

    fn from_str(text: &str) -> Result<Self, DecimalError> {
        Decimal::from_plain(text)
    }
}

impl std::fmt::Display for Decimal {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.text())
    }
}

/// Whole tokens, sent as a number.
impl FromStr for TokenAmount {
    type Err = DecimalError;

    fn from_str(text: &str) -> Result<Self, DecimalError> {
        Ok(TokenAmount { tokens: text.parse()?, form: Form::Number })
    }
}

/// Whole tokens, refused if they are finer than a base unit.
///
/// ```
/// use launchpad_desk::amount::TokenInput;
/// assert!(matches!("16.99".parse().unwrap(), TokenInput::Tokens(_)));
/// ```
impl FromStr for TokenInput {
    type Err = DecimalError;

    fn from_str(text: &str) -> Result<Self, DecimalError> {
        text.parse().map(TokenInput::Tokens)
    }
}

/// With or without a percent sign.
///
/// ```
/// use launchpad_desk::amount::Percentage;
/// assert_eq!("12.5%".parse::<Percentage>(), "12.5".parse());
/// ```
impl FromStr for Percentage {
    type Err = DecimalError;

    fn from_str(text: &str) -> Result<Self, DecimalError> {
        text.strip_suffix('%').unwrap_or(text).parse().map(Percentage)
    }
}

/// A number and its unit: `"0.5%"` or `"50bps"`. A bare number does not say its unit, and is refused.
///
/// ```
/// use launchpad_desk::amount::{DecimalError, Slippage};
/// let percent: Slippage = "0.5%".parse().unwrap();
/// let bps: Slippage = "50bps".parse().unwrap();
/// assert_eq!(percent.to_ppm(Default::default()), bps.to_ppm(Default::default()));
/// assert_eq!("0.5".parse::<Slippage>(), Err(DecimalError::NotANumber));
/// ```
impl FromStr for Slippage {
    type Err = DecimalError;

    fn from_str(text: &str) -> Result<Self, DecimalError> {
        match (text.strip_suffix('%'), text.strip_suffix("bps")) {
            (Some(percent), _) => percent.parse().map(Slippage::Percent),
            (_, Some(bps)) => bps.parse().map(Slippage::Bps),
            _ => Err(DecimalError::NotANumber),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn number(text: &str) -> String {
        let text_of_units = Decimal::from_number(text).unwrap().text();
        assert_eq!(ExactText::from_number(text).unwrap().as_str(), text_of_units);
        text_of_units
    }

    #[test]
    fn one_number_has_one_text() {
        for (given, plain) in [("-0.00", "0"), ("007", "7"), ("1e-7", "0.0000001"), ("0e99999999999", "0")] {
            assert_eq!(number(given), plain, "{given}");
        }
    }

    #[test]
    fn anything_but_a_number_is_refused() {
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
        assert_eq!(Decimal::from_units(u64::MAX, 255).to_units_floor(0), Ok(0));
        assert_eq!(sol_to_lamports("0.000000001"), Ok(1));
        assert_eq!(sol_to_lamports("0.0000000001"), Err(DecimalError::TooPrecise));
        assert_eq!(lamports_to_sol(-1_500_000_000i64), "-1.5");
        assert_eq!(lamports_to_sol(i128::MIN), "-170141183460469231731687303715.884105728");
    }

    #[test]
    fn slippage_crosses_units_exactly() {
        let percent = Slippage::Percent(Decimal::from_plain("0.5").unwrap());
        let bps = Slippage::Bps(Decimal::from_plain("50").unwrap());
        let bare = Slippage::Bare(Decimal::from_plain("500").unwrap());
        assert_eq!(percent.in_unit(SlippageUnit::Bps).unwrap().text(), "50");
        assert_eq!(bps.in_unit(SlippageUnit::Percent).unwrap().text(), "0.5");
        assert_eq!(bare.in_unit(SlippageUnit::Bps).unwrap().text(), "500");
        for slippage in [percent, bps] {
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
