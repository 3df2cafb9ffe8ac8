//! The curve against an oracle in big integers, on random curves over all of 64 bits and on every small one.

use crate::launchpads::reserves;
use crate::{oracle, seeded};

use launchpad_desk::launchpad::fees::FeeRates;
use launchpad_desk::launchpad::{Curve, Fill, Refusal};
use oracle::{Amounts, amounts, any_size, big, curves, rates};
use proptest::prelude::*;

fn ours(filled: Result<Fill, Refusal>) -> Result<Amounts, &'static str> {
    filled.as_ref().map(amounts).map_err(|refusal| refusal.as_str())
}

/// What a trade moves out of the wallet is in the curve or a fee, and nowhere else.
fn conserved(before: &Curve, fill: &Fill, buys: bool) -> bool {
    let after = &fill.curve_after;
    let sign = if buys { 1 } else { -1 };
    let moved = |after: u64, before: u64| i128::from(after) - i128::from(before);
    let (tokens, lamports) = (sign * i128::from(fill.tokens), sign * i128::from(fill.curve_lamports));
    moved(after.virtual_token_reserves, before.virtual_token_reserves) == -tokens
        && moved(after.real_token_reserves, before.real_token_reserves) == -tokens
        && moved(after.virtual_sol_reserves, before.virtual_sol_reserves) == lamports
        && moved(after.real_sol_reserves, before.real_sol_reserves) == lamports
        && i128::from(fill.wallet_lamports)
            == i128::from(fill.curve_lamports) + sign * fill.fees.total() as i128
}

/// The product of the virtual reserves never falls: no rounding favours the trader, so no round trip gains.
fn product_kept(before: &Curve, after: &Curve) -> bool {
    let product =
        |curve: &Curve| u128::from(curve.virtual_token_reserves) * u128::from(curve.virtual_sol_reserves);
    product(after) >= product(before)
}

proptest! {
    #![proptest_config(seeded::cases(2_000))]

    #[test]
    fn buys_exact_in_agree(curve in curves(), spend in any_size(), min in any_size(), rates in rates()) {
        for min in [0, 1, min] {
            let filled = curve.buy_exact_in(spend, min, rates);
            prop_assert_eq!(ours(filled), oracle::buy_exact_in(&curve, spend, min, rates));
            if let Ok(fill) = filled {
                prop_assert!(fill.wallet_lamports <= spend && spend - fill.wallet_lamports <= 2);
                prop_assert!(conserved(&curve, &fill, true));
                prop_assert!(product_kept(&curve, &fill.curve_after));
            }
        }
    }

    #[test]
    fn buys_exact_out_agree(curve in curves(), tokens in any_size(), max in any_size(), rates in rates()) {
        for max in [max, u64::MAX] {
            let filled = curve.buy_exact_out(tokens, max, rates);
            prop_assert_eq!(ours(filled), oracle::buy_exact_out(&curve, tokens, max, rates));
            if let Ok(fill) = filled {
                prop_assert!(conserved(&curve, &fill, true));
                prop_assert!(product_kept(&curve, &fill.curve_after));
            }
        }
    }

    #[test]
    fn sells_exact_in_agree(
        curve in curves(), tokens in any_size(), held in any_size(), min in any_size(), rates in rates()
    ) {
        for (held, min) in [(held, min), (tokens, 0), (u64::MAX, min)] {
            let filled = curve.sell_exact_in(tokens, held, min, rates);
            prop_assert_eq!(ours(filled), oracle::sell_exact_in(&curve, tokens, held, min, rates));
            if let Ok(fill) = filled {
                prop_assert!(conserved(&curve, &fill, false));
                prop_assert!(product_kept(&curve, &fill.curve_after));
            }
        }
    }

    #[test]
    fn partial_buys_take_the_remainder_within_the_spend(curve in curves(), spend in any_size(), rates in rates()) {
        let whole = curve.buy_exact_in(spend, 1, rates);
        let partial = curve.buy_exact_in_or_rest(spend, 1, rates);
        match (whole, partial) {
            (Ok(whole), partial) => prop_assert_eq!(Ok(whole), partial),
            (Err(Refusal::NotEnoughTokensOnCurve), Err(refusal)) => {
                // Only reserves at the end of 64 bits have no room for what is left.
                prop_assert_eq!(refusal, Refusal::Overflow);
                prop_assert!(curve.real_sol_reserves.checked_add(spend).is_none());
            }
            (Err(Refusal::NotEnoughTokensOnCurve), Ok(fill)) => {
                prop_assert_eq!(fill.tokens, curve.real_token_reserves);
                prop_assert!(fill.wallet_lamports <= spend);
                prop_assert!(fill.curve_after.is_complete());
            }
            (Err(Refusal::Overflow), Ok(fill)) => {
                prop_assert_eq!(fill.tokens, curve.real_token_reserves);
                prop_assert!(fill.wallet_lamports <= spend);
            }
            (Err(refusal), partial) => prop_assert_eq!(partial, Err(refusal)),
        }
    }

    #[test]
    fn market_caps_agree(curve in curves(), supply in any_size()) {
        let cap = curve.market_cap_lamports(supply);
        if curve.virtual_token_reserves == 0 {
            prop_assert_eq!(cap, Err(Refusal::EmptyCurve));
        } else {
            let expected = big(curve.virtual_sol_reserves) * supply / curve.virtual_token_reserves;
            prop_assert_eq!(cap.map(Into::into), Ok(expected));
        }
    }
}

/// Every curve with reserves up to 8 and every amount that means anything on it, and some with reserves up to 64 whose
/// real reserves are all or half of the virtual ones.
#[test]
fn every_small_curve_agrees() {
    let curves = |most: u64, step: usize, part: fn(u64) -> Vec<u64>| {
        let sizes = move || (0..=most).step_by(step);
        let pairs = sizes().flat_map(move |vt| sizes().map(move |vs| (vt, vs)));
        pairs.flat_map(move |(vt, vs)| {
            let reals = part(vt).into_iter().flat_map(move |rt| part(vs).into_iter().map(move |rs| (rt, rs)));
            reals.map(move |(rt, rs)| reserves([vt, vs, rt, rs]))
        })
    };
    let every = curves(8, 1, |of| (0..=of + 1).collect());
    let larger = curves(64, 8, |of| vec![of / 2, of]);
    let rates = [(95, 30), (0, 0), (5_000, 2_500)].map(|(p, c)| FeeRates::new(p, c).expect("rates"));
    let mut trades = 0u64;
    for (index, curve) in every.chain(larger).enumerate() {
        let rates = rates[index % rates.len()];
        for amount in 0..=curve.virtual_token_reserves.max(curve.virtual_sol_reserves) + 3 {
            let bought = ours(curve.buy_exact_in(amount, 0, rates));
            assert_eq!(bought, oracle::buy_exact_in(&curve, amount, 0, rates), "{curve:?} {amount}");
            let bought = ours(curve.buy_exact_out(amount, u64::MAX, rates));
            assert_eq!(bought, oracle::buy_exact_out(&curve, amount, u64::MAX, rates), "{curve:?} {amount}");
            let sold = ours(curve.sell_exact_in(amount, amount, 0, rates));
            assert_eq!(sold, oracle::sell_exact_in(&curve, amount, amount, 0, rates), "{curve:?} {amount}");
            trades += 3;
        }
    }
    assert!(trades > 100_000, "{trades}");
}
