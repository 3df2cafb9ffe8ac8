//! Products over a divisor, exact, without paying for a 128-bit division.
//!
//! A u128 division is a library call in WebAssembly, and the whole cost of a quote. Three hardware
//! multiplications and one `f64` division estimate the quotient instead; the remainder, taken modulo 2⁶⁴, says
//! exactly how far off the estimate is.

/// Estimates below this are at most one off: five roundings of 2⁻⁵³ each on less than 2⁵⁰.
const ESTIMATED_BELOW: f64 = (1u64 << 50) as f64;

/// Divisors up to this keep a remainder that is one divisor off within an `i64`.
const DIVISOR_UP_TO: u64 = 1 << 61;

/// `a · b / divisor`, floored; `None` for a divisor of zero or a quotient over `u64::MAX`.
///
/// ```
/// use launchpad_desk::launchpad::div::mul_div_floor;
/// assert_eq!(mul_div_floor(10, 10, 3), Some(33));
/// assert_eq!(mul_div_floor(u64::MAX, u64::MAX, u64::MAX), Some(u64::MAX));
/// assert_eq!(mul_div_floor(u64::MAX, 2, 1), None);
/// assert_eq!(mul_div_floor(1, 1, 0), None);
/// ```
#[inline]
pub fn mul_div_floor(a: u64, b: u64, divisor: u64) -> Option<u64> {
    match divide_by_estimate(a, b, divisor) {
        Some((quotient, _)) => Some(quotient),
        None => mul_div_floor_wide(a, b, divisor),
    }
}

/// `a · b / divisor`, ceiled; `None` for a divisor of zero or a quotient over `u64::MAX`.
///
/// ```
/// use launchpad_desk::launchpad::div::mul_div_ceil;
/// assert_eq!(mul_div_ceil(10, 10, 3), Some(34));
/// assert_eq!(mul_div_ceil(10, 10, 5), Some(20));
/// ```
#[inline]
pub fn mul_div_ceil(a: u64, b: u64, divisor: u64) -> Option<u64> {
    match divide_by_estimate(a, b, divisor) {
        Some((quotient, remainder)) => Some(quotient + u64::from(remainder != 0)),
        None => mul_div_ceil_wide(a, b, divisor),
    }
}

/// Quotient and remainder of `a · b / divisor`, where the estimate is known to be at most one off.
#[inline]
fn divide_by_estimate(a: u64, b: u64, divisor: u64) -> Option<(u64, u64)> {
    let estimate = a as f64 * b as f64 / divisor as f64;
    // A divisor of zero makes the estimate infinite or NaN: neither is below the limit.
    if !(estimate < ESTIMATED_BELOW && divisor <= DIVISOR_UP_TO) {
        return None;
    }
    let quotient = estimate as u64;
    // The true remainder lies in (-divisor, 2 · divisor): its low 64 bits are all of it.
    let remainder = a.wrapping_mul(b).wrapping_sub(quotient.wrapping_mul(divisor)) as i64;
    Some(if remainder < 0 {
        (quotient - 1, remainder.wrapping_add_unsigned(divisor) as u64)
    } else if remainder as u64 >= divisor {
        (quotient + 1, remainder as u64 - divisor)
    } else {
        (quotient, remainder as u64)
    })
}

/// [`mul_div_floor`] the plain way: for what the estimate cannot hold.
#[cold]
#[inline(never)]
fn mul_div_floor_wide(a: u64, b: u64, divisor: u64) -> Option<u64> {
    let product = u128::from(a) * u128::from(b);
    u64::try_from(product.checked_div(u128::from(divisor))?).ok()
}

/// [`mul_div_ceil`] the plain way.
#[cold]
#[inline(never)]
fn mul_div_ceil_wide(a: u64, b: u64, divisor: u64) -> Option<u64> {
    if divisor == 0 {
        return None;
    }
    let product = u128::from(a) * u128::from(b);
    u64::try_from(product.div_ceil(u128::from(divisor))).ok()
}
