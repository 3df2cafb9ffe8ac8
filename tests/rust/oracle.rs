//! The launchpad's rules a second time, in big integers and in the order they are written down: slow and plain. It shares only
//! the names of the refusals with the code under test.

use crate::launchpads::reserves;

use launchpad_desk::launchpad::fees::FeeRates;
use launchpad_desk::launchpad::{Curve, Fill, Refusal};
use num_bigint::BigInt;
use proptest::prelude::*;

pub fn big(number: u64) -> BigInt {
    BigInt::from(number)
}

/// Tokens, curve lamports, protocol fee, creator fee, wallet lamports.
pub type Amounts = [BigInt; 5];

pub fn amounts(fill: &Fill) -> Amounts {
    [
        fill.tokens,
        fill.curve_lamports,
        fill.fees.protocol_lamports,
        fill.fees.creator_lamports,
        fill.wallet_lamports,
    ]
    .map(big)
}

/// `ceil(x · bps / 10000)`.
pub fn fee(x: &BigInt, bps: u16) -> BigInt {
    (x * bps + 9_999) / 10_000
}

fn closed(curve: &Curve) -> Result<(), &'static str> {
    match curve {
        Curve { real_token_reserves: 0, .. } => Err("curve_complete"),
        Curve { virtual_token_reserves: 0, .. } | Curve { virtual_sol_reserves: 0, .. } => Err("empty_curve"),
        _ => Ok(()),
    }
}

/// Reserves are 64 bits wide.
fn room(curve: &Curve, tokens_in: &BigInt, sol_in: &BigInt) -> Result<(), &'static str> {
    let fits = |reserve: u64, more: &BigInt| big(reserve) + more <= big(u64::MAX);
    let all = fits(curve.virtual_token_reserves, tokens_in)
        && fits(curve.real_token_reserves, tokens_in)
        && fits(curve.virtual_sol_reserves, sol_in)
        && fits(curve.real_sol_reserves, sol_in);
    if all { Ok(()) } else { Err("overflow") }
}

pub fn buy_exact_out(curve: &Curve, t: u64, max: u64, rates: FeeRates) -> Result<Amounts, &'static str> {
    let (vt, vs) = (big(curve.virtual_token_reserves), big(curve.virtual_sol_reserves));
    if t == 0 {
        return Err("zero_amount");
    }
    closed(curve)?;
    if t > curve.real_token_reserves || big(t) >= vt {
        return Err("not_enough_tokens_on_curve");
    }
    let t = big(t);
    let sol = &t * &vs / (&vt - &t) + 1;
    let (pf, cf) = (fee(&sol, rates.protocol_bps()), fee(&sol, rates.creator_bps()));
    let pay = &sol + &pf + &cf;
    if pay > big(max) {
        return Err("above_maximum_cost");
    }
    room(curve, &big(0), &sol)?;
    Ok([t, sol, pf, cf, pay])
}

pub fn buy_exact_in(curve: &Curve, spend: u64, min: u64, rates: FeeRates) -> Result<Amounts, &'static str> {
    let (vt, vs) = (big(curve.virtual_token_reserves), big(curve.virtual_sol_reserves));
    closed(curve)?;
    let spend = big(spend);
    let mut net =
        &spend * 10_000 / (10_000 + u32::from(rates.protocol_bps()) + u32::from(rates.creator_bps()));
    if net == big(0) {
        return Err("spend_does_not_cover_fees");
    }
    let (pf, cf) = (fee(&net, rates.protocol_bps()), fee(&net, rates.creator_bps()));
    let total = &net + &pf + &cf;
    if total > spend {
        net -= total - &spend;
    }
    if net < big(1) {
        return Err("spend_does_not_cover_fees");
    }
    if &vs + &net - 1 > big(u64::MAX) {
        return Err("overflow");
    }
    let t = (&net - 1) * &vt / (&vs + &net - 1);
    if t < big(min) {
        return Err("below_minimum_tokens");
    }
    if t > big(curve.real_token_reserves) {
        return Err("not_enough_tokens_on_curve");
    }
    room(curve, &big(0), &net)?;
    let pay = &net + &pf + &cf;
    Ok([t, net, pf, cf, pay])
}

pub fn sell_exact_in(
    curve: &Curve,
    t: u64,
    held: u64,
    min: u64,
    rates: FeeRates,
) -> Result<Amounts, &'static str> {
    let (vt, vs) = (big(curve.virtual_token_reserves), big(curve.virtual_sol_reserves));
    if t == 0 {
        return Err("zero_amount");
    }
    if t > held {
        return Err("not_enough_tokens_held");
    }
    closed(curve)?;
    let t = big(t);
    if &vt + &t > big(u64::MAX) {
        return Err("overflow");
    }
    let sol = &t * &vs / (&vt + &t);
    let (pf, cf) = (fee(&sol, rates.protocol_bps()), fee(&sol, rates.creator_bps()));
    let out = &sol - &pf - &cf;
    if out < big(0) {
        return Err("fees_or_reserves_exceeded");
    }
    if out < big(min) {
        return Err("below_minimum_lamports");
    }
    if sol > big(curve.real_sol_reserves) {
        return Err("fees_or_reserves_exceeded");
    }
    room(curve, &t, &big(0))?;
    Ok([t, sol, pf, cf, out])
}

/// Whether a fill is at most this many basis points off the spot price, before fees.
pub fn within_impact(curve: &Curve, tokens: u64, lamports: u64, bps: u32) -> bool {
    let paid = big(lamports) * curve.virtual_token_reserves;
    let spot = big(tokens) * curve.virtual_sol_reserves;
    let off = if paid > spot { &paid - &spot } else { &spot - &paid };
    off * 10_000 <= spot * bps
}

/// Whole numbers of every size up to 64 bits, small and large ones alike, and those beside the powers of two.
pub fn any_size() -> impl Strategy<Value = u64> {
    prop_oneof![
        4 => (0u32..=64, any::<u64>()).prop_map(|(bits, number)| number.checked_shr(64 - bits).unwrap_or(0)),
        1 => (0u32..64, -1i64..=1).prop_map(|(bit, off)| (1u64 << bit).wrapping_add_signed(off)),
        1 => Just(u64::MAX),
    ]
}

/// Curves as a launchpad has them, partly sold.
pub fn real_curve() -> impl Strategy<Value = Curve> {
    (0u64..85_000_000_000).prop_map(|raised| {
        let product = 1_073_000_000_000_000u128 * 30_000_000_000;
        let vs = 30_000_000_000 + raised;
        let vt = (product / u128::from(vs)) as u64 + 1;
        reserves([vt, vs, vt - 279_900_000_000_000, raised])
    })
}

/// Those, and curves over the whole of 64 bits.
pub fn curves() -> impl Strategy<Value = Curve> {
    prop_oneof![[any_size(), any_size(), any_size(), any_size()].prop_map(reserves), real_curve()]
}

/// Rates up to the whole, the usual ones among them.
pub fn rates() -> impl Strategy<Value = FeeRates> {
    let usual = prop_oneof![Just((95u16, 30u16)), Just((100, 0)), Just((0, 0))];
    let any = prop_oneof![(0u16..=500, 0u16..=500), (0u16..=10_000, 0u16..=10_000)];
    prop_oneof![usual, any].prop_filter_map("rates up to the whole", |(p, c)| FeeRates::new(p, c))
}

/// An amount that was found holds, and none above it does; or no other amount holds, either.
pub fn is_largest(
    found: Result<u64, Refusal>,
    holds: impl Fn(u64) -> bool,
    other: u64,
) -> Result<(), TestCaseError> {
    let Ok(amount) = found else {
        prop_assert!(!holds(other));
        return Ok(());
    };
    prop_assert!(holds(amount));
    for more in [1, 2, 3, 10, 1_000, other] {
        let past = amount.saturating_add(more);
        prop_assert!(past == amount || !holds(past), "{amount} + {more}");
    }
    Ok(())
}
