//! Many trades in one call are the same trades one by one.

use crate::launchpads::with_rates;
use crate::{oracle, seeded};

use launchpad_desk::launchpad::batch::{self, REFUSED};
use launchpad_desk::launchpad::fees::FeeRates;
use launchpad_desk::launchpad::{Completion, Curve, Launchpad, Token};
use oracle::{any_size, curves, rates, real_curve};
use proptest::prelude::*;

/// A launchpad of one tier, and a token on it.
fn market(curve: Curve, rates: FeeRates, completion: Completion) -> (Launchpad, Token) {
    let launchpad = Launchpad { completion, ..with_rates(rates) };
    let token = Token { curve, ..launchpad.new_token() };
    (launchpad, token)
}

/// A column of these amounts is what each of them comes to alone.
fn assert_rows(
    price: fn(&Launchpad, &Token, &mut [u64]),
    (launchpad, token): &(Launchpad, Token),
    amounts: &[u64],
    alone: impl Fn(u64) -> Option<u64>,
) {
    let mut column = amounts.to_vec();
    price(launchpad, token, &mut column);
    let rows: Vec<u64> = amounts.iter().map(|amount| alone(*amount).unwrap_or(REFUSED)).collect();
    assert_eq!(column, rows);
}

proptest! {
    #![proptest_config(seeded::cases(1_000))]

    #[test]
    fn columns_are_rows(
        curve in curves(), rates in rates(),
        amounts in proptest::collection::vec(prop_oneof![any_size(), 0u64..100_000_000_000], 0..16),
    ) {
        for completion in [Completion::Reject, Completion::Partial] {
            let market = market(curve, rates, completion);
            let (launchpad, token) = &market;
            let buy = |lamports| launchpad.buy_exact_in(token, lamports, 1).ok().map(|fill| fill.tokens);
            assert_rows(batch::buys_exact_in, &market, &amounts, buy);
            let buy = |tokens| launchpad.buy_exact_out(token, tokens, u64::MAX - 1).ok();
            assert_rows(batch::buys_exact_out, &market, &amounts, |tokens| Some(buy(tokens)?.wallet_lamports));
            let sell = |tokens| curve.sell_exact_in(tokens, tokens, 0, rates).ok();
            assert_rows(batch::sells_exact_in, &market, &amounts, |tokens| Some(sell(tokens)?.wallet_lamports));
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
