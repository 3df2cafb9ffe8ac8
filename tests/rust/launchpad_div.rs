//! The estimated division against the plain one.

use crate::{oracle, seeded};

use launchpad_desk::launchpad::div::{Ratio, mul_div_ceil, mul_div_floor, mul_div_rem, mul_div_scaled_floor};
use oracle::{any_size, big};
use proptest::prelude::*;

fn plain(a: u64, b: u64, divisor: u64) -> Option<(u64, u64)> {
    let product = u128::from(a) * u128::from(b);
    let quotient = product.checked_div(divisor.into())?;
    Some((u64::try_from(quotient).ok()?, (product % u128::from(divisor)) as u64))
}

fn agrees(a: u64, b: u64, divisor: u64) {
    let expected = plain(a, b, divisor);
    assert_eq!(mul_div_rem(a, b, divisor), expected, "{a} · {b} / {divisor}");
    assert_eq!(mul_div_floor(a, b, divisor), expected.map(|(quotient, _)| quotient));
    let ceiled = expected.and_then(|(quotient, remainder)| quotient.checked_add(u64::from(remainder > 0)));
    assert_eq!(mul_div_ceil(a, b, divisor), ceiled);
}

#[test]
fn every_small_division_agrees() {
    for a in 0..=64 {
        for b in 0..=64 {
            for divisor in 0..=130 {
                agrees(a, b, divisor);
            }
        }
    }
}

/// Products that are a multiple of the divisor, and one off: where a wrong estimate would show.
#[test]
fn exact_quotients_and_their_neighbours_agree() {
    let mut state = 7u64;
    let mut random = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        state >> (state >> 59)
    };
    for _ in 0..60_000 {
        let (a, divisor) = (random(), random().max(1));
        // a · b near k · divisor.
        let k = random();
        let b = (u128::from(k) * u128::from(divisor)).checked_div(a.into()).unwrap_or(0) as u64;
        for b in [b.wrapping_sub(1), b, b.wrapping_add(1)] {
            agrees(a, b, divisor);
            agrees(divisor, b, divisor);
        }
    }
}

/// Quotients and divisors on both sides of where the estimate is trusted.
#[test]
fn the_estimates_limits_agree() {
    for bit in 48..=52 {
        for off in 0..2_000u64 {
            let quotient = (1u64 << bit) - 1_000 + off;
            for divisor in
                [3, 10_125, 30_000_000_001, (1 << 53) - 1, 1 << 53, (1 << 53) + 1, 1 << 61, u64::MAX]
            {
                agrees(quotient, divisor, divisor);
                agrees(quotient, divisor - 1, divisor);
                agrees(quotient, divisor, divisor - 1);
            }
        }
    }
}

proptest! {
    #![proptest_config(seeded::cases(10_000))]

    #[test]
    fn every_division_agrees(a in any_size(), b in any_size(), divisor in any_size()) {
        agrees(a, b, divisor);
    }

    #[test]
    fn scaled_divisions_agree(
        a in any_size(), b in any_size(), divisor in any_size(), numerator in any_size(), denominator in any::<u32>()
    ) {
        let numerator = numerator >> 1;
        let scaled = mul_div_scaled_floor(a, b, divisor, Ratio { numerator, denominator });
        if divisor == 0 || denominator == 0 {
            prop_assert_eq!(scaled, None);
        } else {
            let exact = big(a) * b * numerator / (big(divisor) * denominator);
            // A quotient before scaling that passes 64 bits is given up on.
            let before = big(a) * b / divisor > big(u64::MAX) || exact > big(u64::MAX);
            prop_assert_eq!(scaled.map(big), if before { None } else { Some(exact) });
        }
    }
}
