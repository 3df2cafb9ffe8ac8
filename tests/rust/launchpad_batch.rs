//! Many trades in one call are the same trades one by one.

use crate::{oracle, seeded};

use launchpad_desk::launchpad::batch::{self, REFUSED};
use launchpad_desk::launchpad::fees::{FeeRates, FeeTier};
use launchpad_desk::launchpad::{Completion, Curve, Launchpad, Token};
use oracle::{any_size, curves, rates, real_curve};
use proptest::prelude::*;

/// A launchpad of one tier, and a token on it.
fn market(curve: Curve, rates: FeeRates, completion: Completion) -> (Launchpad, Token) {
    let fee_tiers = vec![FeeTier { market_cap_threshold_lamports: 0, rates }];
    let launchpad = Launchpad { fee_tiers, completion, ..Launchpad::default() };
    let token = Token { curve, ..launchpad.new_token() };
    (launchpad, token)
}

/// What a column of these amounts comes to.
fn of(
    price: fn(&Launchpad, &Token, &mut [u64]),
    launchpad: &Launchpad,
    token: &Token,
    amounts: &[u64],
) -> Vec<u64> {
    let mut column = amounts.to_vec();
    price(launchpad, token, &mut column);
    column
}

proptest! {
    #![proptest_config(seeded::cases(1_000))]

    #[test]
    fn columns_are_rows(curve in curves(), amounts in proptest::collection::vec(any_size(), 0..8), rates in rates()) {
        let mut amounts = amounts;
        if let Some(spends) = curve.spends_that_buy(rates) {
            // Where trades begin and stop being accepted.
            for at in [*spends.start(), *spends.end()] {
                amounts.extend([at.saturating_sub(1), at, at.saturating_add(1)]);
            }
        } else {
            prop_assert!(amounts.iter().all(|amount| curve.buy_exact_in(*amount, 1, rates).is_err()));
        }
        for completion in [Completion::Reject, Completion::Partial] {
            let (launchpad, token) = market(curve, rates, completion);
            let column = of(batch::buys_exact_in, &launchpad, &token, &amounts);
            for (amount, row) in amounts.iter().zip(&column) {
                let filled = launchpad.buy_exact_in(&token, *amount, 1);
                prop_assert_eq!(filled.map_or(REFUSED, |fill| fill.tokens), *row);
            }
            let column = of(batch::buys_exact_out, &launchpad, &token, &amounts);
            for (amount, row) in amounts.iter().zip(&column) {
                let filled = launchpad.buy_exact_out(&token, *amount, u64::MAX - 1);
                prop_assert_eq!(filled.map_or(REFUSED, |fill| fill.wallet_lamports), *row);
            }
            let column = of(batch::sells_exact_in, &launchpad, &token, &amounts);
            for (amount, row) in amounts.iter().zip(&column) {
                let filled = curve.sell_exact_in(*amount, *amount, 0, rates);
                prop_assert_eq!(filled.map_or(REFUSED, |fill| fill.wallet_lamports), *row);
            }
        }
    }

    /// Where prices are known in advance: real curves, their first and last spends, every rate.
    #[test]
    fn known_prices_are_the_plain_ones(
        curve in real_curve(), amounts in proptest::collection::vec(0u64..100_000_000_000, 0..40), rates in rates()
    ) {
        let mut amounts = amounts;
        if let Some(spends) = curve.spends_that_buy(rates) {
            for at in [*spends.start(), *spends.end()] {
                amounts.extend((0..40).map(|off| at.saturating_sub(20).saturating_add(off)));
            }
        }
        for completion in [Completion::Reject, Completion::Partial] {
            let (launchpad, token) = market(curve, rates, completion);
            let column = of(batch::buys_exact_in, &launchpad, &token, &amounts);
            for (amount, row) in amounts.iter().zip(&column) {
                let filled = launchpad.buy_exact_in(&token, *amount, 1);
                prop_assert_eq!(filled.map_or(REFUSED, |fill| fill.tokens), *row);
            }
        }
    }

    #[test]
    fn a_sequence_moves_the_curve(curve in real_curve(), spends in proptest::collection::vec(0u64..3_000_000_000, 0..40)) {
        let launchpad = Launchpad::default();
        let mut token = Token { curve, ..launchpad.new_token() };
        let mut column = spends.clone();
        let after = batch::buys_in_sequence(&launchpad, &token, &mut column);
        for (spend, row) in spends.iter().zip(&column) {
            match launchpad.buy_exact_in(&token, *spend, 1) {
                Ok(fill) => {
                    token.curve = fill.curve_after;
                    prop_assert_eq!(fill.tokens, *row);
                }
                Err(_) => prop_assert_eq!(*row, REFUSED),
            }
        }
        prop_assert_eq!(after, token);
    }
}
