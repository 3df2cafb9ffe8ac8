//! Splits add up to the budget, and equal tokens are as many as it pays for.

use crate::launchpads::{launched, reserves, tier, with_rates, with_tiers};
use crate::{oracle, seeded};

use launchpad_desk::launchpad::plan::{
    MAX_WALLETS, SplitMix64, equal_spends, equal_tokens, jittered_spends, weighted_spends,
};
use launchpad_desk::launchpad::{Launchpad, Refusal, Token};
use oracle::{any_size, big, curves, rates};
use proptest::prelude::*;

/// Whether every wallet can get this many tokens, one after the other, within the budget: by the spends that the forward
/// formula accepts, searched one by one.
fn can_have(launchpad: &Launchpad, token: &Token, budget: u64, wallets: usize, tokens: u64) -> bool {
    let mut token = *token;
    let mut left = budget;
    (0..wallets).all(|_| {
        let Ok(rates) = launchpad.rates(&token) else { return false };
        let Ok(spend) = token.curve.smallest_spend_for(tokens, rates) else { return false };
        let Ok(fill) = token.curve.buy_exact_in(spend, tokens, rates) else { return false };
        assert!(token.curve.buy_exact_in(spend - 1, tokens, rates).is_err());
        token.curve = fill.curve_after;
        left.checked_sub(spend).map(|rest| left = rest).is_some()
    })
}

proptest! {
    #![proptest_config(seeded::cases(750))]

    #[test]
    fn equal_spends_add_up(budget in any_size(), wallets in 0usize..50) {
        let spends = equal_spends(budget, wallets).unwrap_or_default();
        prop_assert_eq!(spends.len(), wallets);
        if let (Some(most), Some(least)) = (spends.iter().max(), spends.iter().min()) {
            prop_assert!(most - least <= 1);
            prop_assert_eq!(spends.iter().map(|spend| big(*spend)).sum::<num_bigint::BigInt>(), big(budget));
        }
    }

    #[test]
    fn weighted_spends_add_up(budget in any_size(), weights in proptest::collection::vec(any_size(), 0..20)) {
        let total: num_bigint::BigInt = weights.iter().map(|weight| big(*weight)).sum();
        match weighted_spends(budget, &weights) {
            None => prop_assert!(total == big(0) || total > big(u64::MAX)),
            Some(spends) => {
                prop_assert_eq!(spends.iter().map(|spend| big(*spend)).sum::<num_bigint::BigInt>(), big(budget));
                for (spend, weight) in spends.iter().zip(&weights) {
                    let floor = big(budget) * *weight / &total;
                    prop_assert!(big(*spend) == floor || big(*spend) == floor + 1);
                    prop_assert!(*weight > 0 || *spend == 0);
                }
            }
        }
    }

    #[test]
    fn jittered_spends_stay_within_their_jitter(wallets in 1usize..50, jitter in 0u32..=1_000_000, seed in any::<u64>()) {
        let budget = 1_000_000_000_000;
        let spends = jittered_spends(budget, wallets, jitter, seed).expect("a plan");
        prop_assert_eq!(spends.iter().sum::<u64>(), budget);
        let (least, most) = (spends.iter().min().expect("one"), spends.iter().max().expect("one"));
        let (low, high) = (u128::from(1_000_001 - jitter), u128::from(1_000_001 + jitter));
        prop_assert!(u128::from(*most).saturating_sub(1) * low <= u128::from(*least + 1) * high);
    }

    #[test]
    fn equal_tokens_are_the_most_there_are(
        curve in curves(), budget in any_size(), wallets in 1usize..6, rates in rates()
    ) {
        let launchpad = with_rates(rates);
        let token = Token::new(curve, 1_000_000_000_000_000);
        match equal_tokens(&launchpad, &token, budget, wallets) {
            Ok(plan) => {
                prop_assert_eq!(plan.spends_lamports.len(), wallets);
                prop_assert!(plan.spends_lamports.iter().map(|spend| u128::from(*spend)).sum::<u128>() <= budget.into());
                prop_assert!(can_have(&launchpad, &token, budget, wallets, plan.tokens));
                prop_assert!(!can_have(&launchpad, &token, budget, wallets, plan.tokens + 1));
            }
            Err(_) => prop_assert!(!can_have(&launchpad, &token, budget, wallets, 1)),
        }
    }

    /// Small curves and tiers, more and less expensive ones, compared with trying every number of tokens.
    #[test]
    fn equal_tokens_are_the_best_of_all_across_fee_tiers(
        vt in 2u64..400, vs in 2u64..4_000, left in 1u64..400, wallets in 1usize..6, budget in 1u64..20_000,
        caps in proptest::collection::vec((1u64..400, 0u16..4_000, 0u16..4_000), 1..4)
    ) {
        let curve = reserves([vt, vs, left.min(vt - 1), 0]);
        let mut token = Token::new(curve, 1_000);
        let cap = curve.market_cap_lamports(token.supply).expect("a cap");
        let mut threshold = 0;
        let tiers = caps.iter().map(|(percent, protocol, creator)| {
            let tier = tier(threshold, *protocol, *creator);
            threshold = threshold.max(cap) + cap * u128::from(*percent) / 100;
            tier
        });
        let launchpad = with_tiers(tiers.collect());
        for has_creator in [true, false] {
            token.has_creator = has_creator;
            let best = (1..=vt).rev().find(|tokens| can_have(&launchpad, &token, budget, wallets, *tokens));
            prop_assert_eq!(equal_tokens(&launchpad, &token, budget, wallets).ok().map(|plan| plan.tokens), best);
        }
    }
}

/// A little more for each takes the second buy past the threshold, and the third one costs less.
#[test]
fn more_tokens_for_each_can_cost_less() {
    let token = Launchpad::default().new_token();
    let cap = token.curve.market_cap_lamports(token.supply).expect("a cap");
    let launchpad = with_tiers(vec![tier(0, 95, 30), tier(cap * 12 / 10, 50, 20)]);
    let (budget, known) = (10_717_426_498, 93_489_492_955_884);
    assert!(can_have(&launchpad, &token, 10_706_746_250, 3, known));
    let plan = equal_tokens(&launchpad, &token, budget, 3).expect("a plan");
    assert!(plan.tokens >= known, "{}", plan.tokens);
    let mut bought = token;
    for spend in &plan.spends_lamports {
        bought.curve = launchpad.buy_exact_in(&bought, *spend, plan.tokens).expect("as planned").curve_after;
    }
    assert_eq!(plan.spends_lamports.len(), 3);
    assert!(plan.spends_lamports.iter().sum::<u64>() <= budget);
    for more in (1..10_000).chain((1..10_000).map(|step| step * 10_000_019)) {
        assert!(!can_have(&launchpad, &token, budget, 3, plan.tokens + more), "{more}");
    }
}

#[test]
fn a_jitter_over_the_whole_is_refused() {
    assert!(jittered_spends(1_000_000_000, 5, 1_000_000, 7).is_some());
    assert_eq!(jittered_spends(1_000_000_000, 5, 1_000_001, 7), None);
}

/// The first numbers of seed 1234567, as the algorithm's authors publish them.
#[test]
fn the_random_sequence_is_splitmix64() {
    let mut random = SplitMix64 { state: 1_234_567 };
    let drawn: Vec<u64> = (0..5).map(|_| random.draw()).collect();
    assert_eq!(
        drawn,
        [
            6_457_827_717_110_365_317,
            3_203_168_211_198_807_973,
            9_817_491_932_198_370_423,
            4_593_380_528_125_082_431,
            16_408_922_859_458_223_821
        ]
    );
    assert_eq!(random.below(0), 0);
    assert!((0..1_000).all(|_| random.below(7) < 7));
}

#[test]
fn a_plan_is_made_for_some_wallets_but_not_for_any_number() {
    let (launchpad, token) = launched();
    let sol = 1_000_000_000;
    for (wallets, refusal) in [(0, Refusal::ZeroAmount), (MAX_WALLETS + 1, Refusal::TooManyWallets)] {
        assert_eq!(equal_spends(sol, wallets), None);
        assert_eq!(jittered_spends(sol, wallets, 1_000, 1), None);
        assert_eq!(equal_tokens(&launchpad, &token, sol, wallets), Err(refusal));
    }
    assert_eq!(equal_spends(sol, MAX_WALLETS).map(|spends| spends.len()), Some(MAX_WALLETS));
}
