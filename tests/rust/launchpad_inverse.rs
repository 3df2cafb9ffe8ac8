//! Inverses are exact: the answer holds, and one unit past it does not.

use crate::launchpads::reserves;
use crate::{oracle, seeded};

use launchpad_desk::launchpad::fees::FeeRates;
use launchpad_desk::launchpad::{Curve, Fill, Refusal};
use oracle::{any_size, curves, is_largest, rates, within_impact};
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

fn within_sell(curve: &Curve, tokens: u64, bps: u32, rates: FeeRates) -> bool {
    holds_within(curve, curve.sell_exact_in(tokens, tokens, 0, rates), bps)
}

fn costs_at_most(curve: &Curve, spend: u64, lamports: u64, rates: FeeRates) -> bool {
    curve.buy_exact_in(spend, 1, rates).is_ok_and(|fill| fill.wallet_lamports <= lamports)
}

fn brings(curve: &Curve, tokens: u64, lamports: u64, rates: FeeRates) -> bool {
    curve.sell_exact_in(tokens, tokens, lamports, rates).is_ok()
}

proptest! {
    #![proptest_config(seeded::cases(2_000))]

    #[test]
    fn smallest_spends_are_exact(curve in curves(), tokens in any_size(), rates in rates(), all in any::<bool>()) {
        type Inverse = fn(&Curve, u64, FeeRates) -> Result<u64, Refusal>;
        type Buy = fn(&Curve, u64, u64, FeeRates) -> Result<Fill, Refusal>;
        let ways: [(Inverse, Buy); 2] = [
            (Curve::smallest_spend_for, Curve::buy_exact_in),
            (Curve::smallest_spend_for_or_rest, Curve::buy_exact_in_or_rest),
        ];
        let tokens = if all { curve.real_token_reserves } else { tokens };
        for (smallest_spend_for, buy) in ways {
            match smallest_spend_for(&curve, tokens, rates) {
                Ok(spend) => {
                    prop_assert!(buy(&curve, spend, tokens, rates).is_ok());
                    prop_assert!(buy(&curve, spend - 1, tokens, rates).is_err());
                }
                // Everything that a spend can buy has a smallest spend.
                Err(_) => if let Ok(fill) = buy(&curve, tokens, 1, rates) {
                    let spend = smallest_spend_for(&curve, fill.tokens, rates);
                    prop_assert!(spend.is_ok_and(|spend| spend <= tokens));
                }
            }
        }
    }

    #[test]
    fn largest_amounts_are_exact(
        curve in curves(), bps in impacts(), rates in rates(), lamports in any_size(), other in any_size()
    ) {
        let spend = curve.largest_spend_within_impact(bps, rates);
        is_largest(spend, |spend| within_spend(&curve, spend, bps, rates), other)?;
        let tokens = curve.largest_tokens_within_impact(bps);
        is_largest(tokens, |tokens| within_tokens(&curve, tokens, bps), other)?;
        let sell = curve.largest_sell_within_impact(bps, rates);
        is_largest(sell, |tokens| within_sell(&curve, tokens, bps, rates), other)?;
        let spend = curve.largest_spend_within_cost(lamports, rates);
        is_largest(spend, |spend| costs_at_most(&curve, spend, lamports, rates), other)?;
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

fn rates_of(protocol_bps: u16, creator_bps: u16) -> FeeRates {
    FeeRates::new(protocol_bps, creator_bps).expect("rates up to the whole")
}

/// If a token costs more lamports than the largest spend in 64 bits brings, that spend is not an answer.
#[test]
fn a_spend_within_impact_is_one_that_can_be_made() {
    let curve = reserves([2, 6_865_693_045_150_197_861, 1, 0]);
    let rates = rates_of(7_141, 9_727);
    assert_eq!(curve.largest_spend_within_impact(10_001, rates), Err(Refusal::OutOfReach));
    assert!(curve.buy_exact_in(u64::MAX, 1, rates).is_err());
    // With lower fees, the token can be bought.
    let spend = curve.largest_spend_within_impact(10_001, rates_of(5_000, 5_000)).expect("a spend");
    assert!(within_spend(&curve, spend, 10_001, rates_of(5_000, 5_000)));
}

/// A sale of one lamport owes two.
#[test]
fn a_sell_within_impact_covers_its_fees() {
    let curve = reserves([398, 58, 339, 5]);
    let rates = rates_of(95, 30);
    assert!(curve.sell_exact_in(7, 7, 0, rates).is_err());
    assert_eq!(curve.largest_sell_within_impact(500, FeeRates::NONE), Ok(7));
    let best = (1..1_000).rev().find(|tokens| within_sell(&curve, *tokens, 500, rates));
    assert_eq!(curve.largest_sell_within_impact(500, rates).ok(), best);
}

/// Where both rates together are the whole, one sale in many covers its fees: looked for by steps of one lamport, these
/// took a second each.
#[test]
fn a_sell_for_nothing_is_found_at_fees_of_the_whole() {
    let mut found = 0;
    for step in 1..2_000u64 {
        let curve = reserves([
            1_000_000 + 7_919 * step,
            10_000_000_000_000_000 + 104_729 * step,
            500_000,
            10_000_000_000_000_000,
        ]);
        let rates = rates_of(9_999 - (step % 4) as u16, 1 + (step % 4) as u16);
        if let Ok(tokens) = curve.smallest_sell_for(0, rates) {
            assert!(brings(&curve, tokens, 0, rates));
            // All before it, or the last thousand of them.
            assert!(!(tokens.saturating_sub(1_000)..tokens).any(|fewer| brings(&curve, fewer, 0, rates)));
            found += 1;
        }
    }
    assert!(found > 1_000, "{found}");
}

/// Every small curve, compared with trying every amount.
#[test]
fn small_inverses_are_the_best_of_all() {
    const MOST: u64 = 160;
    let all_rates = [(95, 30), (0, 0), (5_000, 2_500), (3_333, 6_667), (5_000, 5_000), (9_000, 999)];
    let all_rates = all_rates.map(|(p, c)| FeeRates::new(p, c).expect("rates"));
    let mut answers = 0;
    for (vt, vs) in (1..=12).chain([23, 37, 63, 64]).flat_map(|vt| (1..=64).map(move |vs| (vt, vs))) {
        for (real_token_reserves, real_sol_reserves) in [(vt, vs), (vt / 2 + 1, vs / 3)] {
            let curve = reserves([vt, vs, real_token_reserves, real_sol_reserves]);
            let rates = all_rates[((vt + vs) % 6) as usize];
            let largest = |holds: &dyn Fn(u64) -> bool| (1..=MOST).rev().find(|amount| holds(*amount));
            let smallest = |holds: &dyn Fn(u64) -> bool| (1..=MOST).find(|amount| holds(*amount));
            for bps in [0, 1, 500, 2_500, 9_999, 10_000, 30_000, 1_000_000] {
                let found = curve.largest_spend_within_impact(bps, rates).ok();
                agree(&mut answers, found, largest(&|spend| within_spend(&curve, spend, bps, rates)), MOST);
                let found = curve.largest_tokens_within_impact(bps).ok();
                agree(&mut answers, found, largest(&|tokens| within_tokens(&curve, tokens, bps)), MOST);
                let found = curve.largest_sell_within_impact(bps, rates).ok();
                agree(&mut answers, found, largest(&|tokens| within_sell(&curve, tokens, bps, rates)), MOST);
            }
            for goal in 0..=40 {
                let found = curve.largest_spend_within_cost(goal, rates).ok();
                agree(&mut answers, found, largest(&|spend| costs_at_most(&curve, spend, goal, rates)), MOST);
                let found = curve.smallest_sell_for(goal, rates).ok();
                agree(&mut answers, found, smallest(&|tokens| brings(&curve, tokens, goal, rates)), MOST);
                let found = curve.smallest_spend_for(goal.max(1), rates).ok();
                let buys = |spend| curve.buy_exact_in(spend, goal.max(1), rates).is_ok();
                agree(&mut answers, found, smallest(&buys), MOST);
                let found = curve.smallest_spend_for_or_rest(goal.max(1), rates).ok();
                let buys = |spend| curve.buy_exact_in_or_rest(spend, goal.max(1), rates).is_ok();
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
