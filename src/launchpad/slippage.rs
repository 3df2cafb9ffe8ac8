//! From a quote to the bound that a trade is sent with.

/// Parts per million in a whole: 1 bps is 100 of them.
pub const PPM: u32 = 1_000_000;

/// The least to accept of `expected` at a slippage of `slippage_ppm`:
/// `expected · (1000000 − ppm) / 1000000`, floored.
///
/// It is never below one, since zero would not be a bound; at 100 % and over it is one. It is never above `expected`: if
/// nothing is expected (selling dust to close an account), there is no bound.
///
/// ```
/// use launchpad_desk::launchpad::slippage::least;
/// assert_eq!(least(1_000, 5_000), 995);
/// assert_eq!(least(1_000, 1_000_000), 1);
/// assert_eq!(least(0, 5_000), 0);
/// ```
pub fn least(expected: u64, slippage_ppm: u32) -> u64 {
    let kept = u64::from(PPM.saturating_sub(slippage_ppm));
    let whole = u64::from(PPM);
    // The whole millions keep `kept` each; both products stay within 64 bits.
    let floored = expected / whole * kept + expected % whole * kept / whole;
    floored.max(1).min(expected)
}

/// The most to pay for what is expected to cost `expected` at a slippage of `slippage_ppm`:
/// `expected · (1000000 + ppm) / 1000000`, ceiled; `u64::MAX` where that passes 64 bits.
///
/// ```
/// use launchpad_desk::launchpad::slippage::most;
/// assert_eq!(most(1_000, 5_000), 1_005);
/// assert_eq!(most(1_001, 5_000), 1_007);
/// ```
pub fn most(expected: u64, slippage_ppm: u32) -> u64 {
    let added = (u128::from(expected) * u128::from(slippage_ppm)).div_ceil(u128::from(PPM));
    u64::try_from(u128::from(expected) + added).unwrap_or(u64::MAX)
}
