//! Products over a divisor, exact, without paying for a 128-bit division.
//!
//! A u128 division is a library call in WebAssembly, and the whole cost of a quote. Three hardware
//! multiplications and one `f64` division estimate the quotient instead; the remainder, taken modulo 2⁶⁴, says
//! exactly how far off the estimate is.

/// Quotients below this are estimated to less than half a unit by three roundings of 2⁻⁵³ each.
const ESTIMATED_BELOW: f64 = (1u64 << 50) as f64;

/// Numbers below this convert to `f64` exactly.
const EXACT_BELOW: u64 = 1 << 53;

/// Added to a smaller number, it leaves the nearest whole number in the low 52 bits.
const TO_WHOLE: f64 = (1u64 << 52) as f64;

/// Quotient and remainder of `a · b / divisor`; `None` for a divisor of zero or a quotient over `u64::MAX`.
///
/// ```
/// use launchpad_desk::launchpad::div::mul_div_rem;
/// assert_eq!(mul_div_rem(10, 10, 3), Some((33, 1)));
/// assert_eq!(mul_div_rem(u64::MAX, u64::MAX, u64::MAX), Some((u64::MAX, 0)));
/// assert_eq!(mul_div_rem(u64::MAX, 2, 1), None);
/// assert_eq!(mul_div_rem(1, 1, 0), None);
/// ```
#[inline(always)]
pub fn mul_div_rem(a: u64, b: u64, divisor: u64) -> Option<(u64, u64)> {
    let estimate = estimate(a, b, divisor);
    // A divisor of zero makes the estimate infinite or NaN, and neither is below the limit.
    if (a | b | divisor) < EXACT_BELOW && estimate < ESTIMATED_BELOW {
        Some(floored(a.wrapping_mul(b), divisor, estimate))
    } else {
        mul_div_rem_wide(a, b, divisor)
    }
}

/// `dividend / divisor`, floored, if it is known that the dividend is below 2⁶³, that the divisor is below 2⁵³ and not zero and
/// that the quotient is below 2⁵⁰. A division of integers takes several times as long.
#[inline(always)]
pub(super) fn div_known(dividend: u64, divisor: u64) -> u64 {
    floored(dividend, divisor, dividend as i64 as f64 / (divisor as i64 as f64)).0
}

/// Quotient and remainder of [`div_known`] by a divisor whose `reciprocal` is at hand.
#[inline(always)]
pub(super) fn div_rem_known_by(dividend: u64, divisor: u64, reciprocal: f64) -> (u64, u64) {
    floored(dividend, divisor, dividend as i64 as f64 * reciprocal)
}

/// Signed conversions are one instruction, unsigned ones many.
#[inline(always)]
fn estimate(a: u64, b: u64, divisor: u64) -> f64 {
    a as i64 as f64 * (b as i64 as f64) / (divisor as i64 as f64)
}

/// Quotient and remainder from the dividend modulo 2⁶⁴ and an estimate of the quotient that is less than half a unit off
/// and below 2⁵¹.
///
/// The nearest whole number to such an estimate is the floored quotient or one more. The sign of the remainder tells which. It
/// is corrected without a branch, because no processor could predict it.
#[inline(always)]
fn floored(dividend: u64, divisor: u64, estimate: f64) -> (u64, u64) {
    let nearest = (estimate + TO_WHOLE).to_bits() & ((1 << 52) - 1);
    // The true remainder lies in [-divisor, divisor), so its low 64 bits are enough.
    let remainder = dividend.wrapping_sub(nearest.wrapping_mul(divisor)) as i64;
    // All ones if the remainder is below zero.
    let over = (remainder >> 63) as u64;
    (nearest.wrapping_add(over), (remainder as u64).wrapping_add(divisor & over))
}

/// [`mul_div_rem`] the plain way, for numbers too large for the estimate.
#[cold]
#[inline(never)]
fn mul_div_rem_wide(a: u64, b: u64, divisor: u64) -> Option<(u64, u64)> {
    let product = u128::from(a) * u128::from(b);
    let quotient = u64::try_from(product.checked_div(u128::from(divisor))?).ok()?;
    // Less than the divisor, so its low 64 bits are enough.
    let remainder = a.wrapping_mul(b).wrapping_sub(quotient.wrapping_mul(divisor));
    Some((quotient, remainder))
}

/// `a · b / divisor`, floored; `None` for a divisor of zero or a quotient over `u64::MAX`.
#[inline(always)]
pub fn mul_div_floor(a: u64, b: u64, divisor: u64) -> Option<u64> {
    mul_div_rem(a, b, divisor).map(|(quotient, _)| quotient)
}

/// `a · b / divisor`, ceiled; `None` for a divisor of zero or a quotient over `u64::MAX`.
#[inline(always)]
pub fn mul_div_ceil(a: u64, b: u64, divisor: u64) -> Option<u64> {
    let (quotient, remainder) = mul_div_rem(a, b, divisor)?;
    quotient.checked_add(u64::from(remainder != 0))
}

/// A small ratio, such as the factor of a bound in basis points.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ratio {
    /// The numerator; below 2⁶³.
    pub numerator: u64,
    pub denominator: u32,
}

/// `a · b / divisor · ratio`, floored once; `None` for a division by zero or a result over `u64::MAX`.
pub fn mul_div_scaled_floor(a: u64, b: u64, divisor: u64, ratio: Ratio) -> Option<u64> {
    let (quotient, remainder) = mul_div_rem(a, b, divisor)?;
    // ratio · (quotient + remainder / divisor): the whole part first, then what both divisions leave, over
    // their common divisor. No product passes 128 bits.
    let (whole, left) = mul_div_rem(ratio.numerator, quotient, u64::from(ratio.denominator))?;
    let rest = u128::from(left) * u128::from(divisor);
    let rest = rest.checked_add(u128::from(ratio.numerator) * u128::from(remainder))?;
    let divisor = u128::from(ratio.denominator) * u128::from(divisor);
    whole.checked_add(u64::try_from(rest / divisor).ok()?)
}
