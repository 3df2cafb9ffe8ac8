#![cfg(not(target_arch = "wasm32"))]
//! Inverses are exact: the answer holds, and one unit past it does not.

#[path = "launchpad/oracle.rs"]
mod oracle;
mod seeded;

use launchpad_desk::launchpad::fees::FeeRates;
use launchpad_desk::launchpad::{Curve, Fill, Refusal};
use oracle::{any_size, curves, rates, within_impact};
use proptest::prelude::*;

fn impacts() -> impl Strategy<Value = u32> {
    prop_oneof![Just(500), Just(1), 0u32..10_000, any::<u32>()]
}

fn holds_within(curve: &Curve, filled: Result<Fill, Refusal>, bps: u32) -> bool {
    filled.is_ok_and(|fill| within_impact(curve, fill.tokens, fill.curve_lamports, bps))
}

fn within_spend(curve: &Curve, spend: u64, bps: u32, rates: FeeRates) -> bool {
    holds_within(curve, curve.buy_exact_in(spend, 1, rates), bps)
}

fn within_tokens(curve: &Curve, tokens: u64, bps: u32) -> bool {
    holds_within(curve, curve.buy_exact_out(tokens, u64::MAX, FeeRates::NONE), bps)
}

fn within_sell(curve: &Curve, tokens: u64, bps: u32) -> bool {
    holds_within(curve, curve.sell_exact_in(tokens, tokens, 0, FeeRates::NONE), bps)
}

fn costs_at_most(curve: &Curve, spend: u64, lamports: u64, rates: FeeRates) -> bool {
    curve.buy_exact_in(spend, 1, rates).is_ok_and(|fill| fill.wallet_lamports <= lamports)
}

fn brings(curve: &Curve, tokens: u64, lamports: u64, rates: FeeRates) -> bool {
    curve.sell_exact_in(tokens, tokens, lamports, rates).is_ok()
}

proptest! {
    #![proptest_config(seeded::cases(8_000))]

    #[test]
    fn smallest_spends_are_exact(curve in curves(), tokens in any_size(), rates in rates()) {
        match curve.smallest_spend_for(tokens, rates) {
            Ok(spend) => {
                prop_assert!(curve.buy_exact_in(spend, tokens, rates).is_ok());
                prop_assert!(curve.buy_exact_in(spend - 1, tokens, rates).is_err());
            }
            // Whatever a spend can buy has a smallest spend.
            Err(_) => if let Ok(fill) = curve.buy_exact_in(tokens, 1, rates) {
                let spend = curve.smallest_spend_for(fill.tokens, rates);
                prop_assert!(spend.is_ok_and(|spend| spend <= tokens));
            }
        }
    }

    #[test]
    fn largest_spends_within_impact_are_exact(
        curve in curves(), bps in impacts(), rates in rates(), other in any_size()
    ) {
        match curve.largest_spend_within_impact(bps, rates) {
            Ok(spend) => {
                prop_assert!(within_spend(&curve, spend, bps, rates));
                for more in [1, 2, 3, 10, 1_000, other] {
                    let past = spend.saturating_add(more);
                    prop_assert!(past == spend || !within_spend(&curve, past, bps, rates));
                }
            }
            Err(_) => prop_assert!(!within_spend(&curve, other, bps, rates)),
        }
    }

    #[test]
    fn largest_tokens_within_impact_are_exact(curve in curves(), bps in impacts(), other in any_size()) {
        match curve.largest_tokens_within_impact(bps) {
            Ok(tokens) => {
                prop_assert!(within_tokens(&curve, tokens, bps));
                for more in [1, 2, 3, 10, 1_000, other] {
                    let past = tokens.saturating_add(more);
                    prop_assert!(past == tokens || !within_tokens(&curve, past, bps));
                }
            }
            Err(_) => prop_assert!(!within_tokens(&curve, other, bps)),
        }
    }

    #[test]
    fn largest_sells_within_impact_are_exact(curve in curves(), bps in impacts(), other in any_size()) {
        match curve.largest_sell_within_impact(bps) {
            Ok(tokens) => {
                prop_assert!(within_sell(&curve, tokens, bps));
                for more in [1, 2, 3, 10, 1_000, other] {
                    let past = tokens.saturating_add(more);
                    prop_assert!(past == tokens || !within_sell(&curve, past, bps));
                }
            }
            Err(_) => prop_assert!(!within_sell(&curve, other, bps)),
        }
    }

    #[test]
    fn largest_spends_within_a_cost_are_exact(
        curve in curves(), lamports in any_size(), rates in rates(), other in any_size()
    ) {
        match curve.largest_spend_within_cost(lamports, rates) {
            Ok(spend) => {
                prop_assert!(costs_at_most(&curve, spend, lamports, rates));
                for more in [1, 2, 3, 10, 1_000, other] {
                    let past = spend.saturating_add(more);
                    prop_assert!(past == spend || !costs_at_most(&curve, past, lamports, rates));
                }
            }
            Err(_) => prop_assert!(!costs_at_most(&curve, other, lamports, rates)),
        }
    }

    #[test]
    fn smallest_sells_are_exact(curve in curves(), lamports in any_size(), rates in rates(), other in any_size()) {
        match curve.smallest_sell_for(lamports, rates) {
            Ok(tokens) => {
                prop_assert!(brings(&curve, tokens, lamports, rates));
                for less in [1, 2, 3, 10, 1_000, other] {
                    prop_assert!(!brings(&curve, tokens.saturating_sub(less), lamports, rates) || less == 0);
                }
            }
            Err(_) => prop_assert!(!brings(&curve, other, lamports, rates)),
        }
    }
}

/// Every small curve, against trying every amount.
#[test]
fn small_inverses_are_the_best_of_all() {
    const MOST: u64 = 160;
    let all_rates = [(95, 30), (0, 0), (5_000, 2_500), (3_333, 6_667)];
    let all_rates = all_rates.map(|(p, c)| FeeRates::new(p, c).expect("rates"));
    let mut answers = 0;
    for (vt, vs) in (1..=12).chain([23, 37, 63, 64]).flat_map(|vt| (1..=64).map(move |vs| (vt, vs))) {
        for (real_token_reserves, real_sol_reserves) in [(vt, vs), (vt / 2 + 1, vs / 3)] {
            let curve = Curve {
                virtual_token_reserves: vt,
                virtual_sol_reserves: vs,
                real_token_reserves,
                real_sol_reserves,
            };
            let rates = all_rates[((vt + vs) % 4) as usize];
            let largest = |holds: &dyn Fn(u64) -> bool| (1..=MOST).rev().find(|amount| holds(*amount));
            let smallest = |holds: &dyn Fn(u64) -> bool| (1..=MOST).find(|amount| holds(*amount));
            for bps in [0, 1, 500, 2_500, 9_999, 10_000, 30_000, 1_000_000] {
                let found = curve.largest_spend_within_impact(bps, rates).ok();
                agree(&mut answers, found, largest(&|spend| within_spend(&curve, spend, bps, rates)), MOST);
                let found = curve.largest_tokens_within_impact(bps).ok();
                agree(&mut answers, found, largest(&|tokens| within_tokens(&curve, tokens, bps)), MOST);
                let found = curve.largest_sell_within_impact(bps).ok();
                agree(&mut answers, found, largest(&|tokens| within_sell(&curve, tokens, bps)), MOST);
            }
            for goal in 0..=40 {
                let found = curve.largest_spend_within_cost(goal, rates).ok();
                agree(&mut answers, found, largest(&|spend| costs_at_most(&curve, spend, goal, rates)), MOST);
                let found = curve.smallest_sell_for(goal, rates).ok();
                agree(&mut answers, found, smallest(&|tokens| brings(&curve, tokens, goal, rates)), MOST);
                let found = curve.smallest_spend_for(goal.max(1), rates).ok();
                let buys = |spend| curve.buy_exact_in(spend, goal.max(1), rates).is_ok();
                agree(&mut answers, found, smallest(&buys), MOST);
            }
        }
    }
    assert!(answers > 40_000, "{answers}");
}

/// What was found is what trying everything up to `most` finds; an answer past `most` was not among the tried.
#[track_caller]
fn agree(answers: &mut u64, found: Option<u64>, tried: Option<u64>, most: u64) {
    if found.is_none_or(|found| found <= most) && tried != Some(most) {
        assert_eq!(found, tried);
        *answers += u64::from(found.is_some());
    }
}
