//! Many trades in one call are the same trades one by one.

use crate::{oracle, seeded};

use launchpad_desk::launchpad::account::{Share, TokenAccount};
use launchpad_desk::launchpad::backtest::{Backtest, Kind, Outcomes, Trades};
use launchpad_desk::launchpad::batch::{self, REFUSED};
use launchpad_desk::launchpad::bundle::{Bundle, WalletOrder, trade};
use launchpad_desk::launchpad::cost::Priority;
use launchpad_desk::launchpad::fees::{FeeRates, FeeTier};
use launchpad_desk::launchpad::quote::{Order, WarningThresholds};
use launchpad_desk::launchpad::transaction::Wallet;
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
            let mut column = vec![7; amounts.len()];
            prop_assert_eq!(batch::buys_exact_in(&launchpad, &token, &amounts, &mut column), amounts.len());
            for (amount, row) in amounts.iter().zip(&column) {
                let filled = launchpad.buy_exact_in(&token, *amount, 1);
                prop_assert_eq!(filled.map_or(REFUSED, |fill| fill.tokens), *row);
            }
            batch::buys_exact_out(&launchpad, &token, &amounts, &mut column);
            for (amount, row) in amounts.iter().zip(&column) {
                let filled = launchpad.buy_exact_out(&token, *amount, u64::MAX - 1);
                prop_assert_eq!(filled.map_or(REFUSED, |fill| fill.wallet_lamports), *row);
            }
            batch::sells_exact_in(&launchpad, &token, &amounts, &mut column);
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
            let mut column = vec![7; amounts.len()];
            batch::buys_exact_in(&launchpad, &token, &amounts, &mut column);
            for (amount, row) in amounts.iter().zip(&column) {
                let filled = launchpad.buy_exact_in(&token, *amount, 1);
                prop_assert_eq!(filled.map_or(REFUSED, |fill| fill.tokens), *row);
            }
            for (fill, price) in [
                (batch::buys_exact_in as fn(_, _, &[u64], &mut [u64]) -> usize, batch::price_buys_exact_in as fn(_, _, &mut [u64])),
                (batch::buys_exact_out, batch::price_buys_exact_out),
                (batch::sells_exact_in, batch::price_sells_exact_in),
            ] {
                let mut replaced = amounts.clone();
                price(&launchpad, &token, &mut replaced);
                fill(&launchpad, &token, &amounts, &mut column);
                prop_assert_eq!(&replaced, &column);
            }
        }
    }

    #[test]
    fn a_sequence_moves_the_curve(curve in real_curve(), spends in proptest::collection::vec(0u64..3_000_000_000, 0..40)) {
        let launchpad = Launchpad::default();
        let mut token = Token { curve, ..launchpad.new_token() };
        let mut column = vec![7; spends.len()];
        let after = batch::buys_in_sequence(&launchpad, &token, &spends, &mut column);
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

    /// Each own trade of a backtest against the same trade as a bundle of one leg.
    #[test]
    fn a_backtest_is_its_transactions(
        curve in real_curve(),
        rows in proptest::collection::vec((0u8..6, any_size(), 0u64..3), 0..30),
        lamports in 0u64..20_000_000_000,
        price in 0u64..5_000_000
    ) {
        let launchpad = Launchpad::default();
        let token = Token { curve, ..launchpad.new_token() };
        let wallet = Wallet { lamports, token_account: None };
        let priority = Priority { unit_limit: None, unit_price_micro_lamports: Some(price) };
        let rows: Vec<(u8, u64, u64)> = rows
            .into_iter()
            .map(|(kind, amount, limit)| match kind {
                0 | 3 => (kind, amount % 4_000_000_000, limit),
                // Everything, quite often; and invalid shares.
                2 => (kind, (amount % 2_000_000).min(1_000_000 + amount % 5 / 4), limit),
                _ => (kind, amount % 50_000_000_000_000, limit),
            })
            .collect();
        let kinds: Vec<u8> = rows.iter().map(|row| row.0).collect();
        let amounts: Vec<u64> = rows.iter().map(|row| row.1).collect();
        let limits: Vec<u64> = rows.iter().map(|row| row.2).collect();
        let mut columns = [vec![7; rows.len()], vec![7; rows.len()], vec![7; rows.len()]];
        let [tokens, spent, equity] = &mut columns;
        let summary = Backtest { launchpad: &launchpad, token, wallet, priority }.run(
            &Trades { kinds: &kinds, amounts: &amounts, limits: &limits },
            &mut Outcomes { tokens, lamports: spent, equity_lamports: equity },
        );
        prop_assert_eq!(summary.rows, rows.len());

        let (mut token, mut wallets) = (token, [wallet]);
        for (index, (kind, amount, limit)) in rows.iter().copied().enumerate() {
            let before = wallets[0];
            let order = match Kind::from_number(kind) {
                Some(Kind::Buy) => Order::BuyExactIn { lamports: amount },
                Some(Kind::Sell) => Order::SellExactIn { tokens: amount },
                Some(Kind::SellShare) => match Share::new(amount.into(), 1_000_000) {
                    Some(share) => Order::SellShare { share },
                    None => Order::SellExactIn { tokens: 0 },
                },
                rival => {
                    let filled = match rival {
                        Some(Kind::RivalBuy) => launchpad.buy_exact_in(&token, amount, limit).ok(),
                        Some(Kind::RivalSell) => launchpad.sell_exact_in(&token, amount, amount, limit).ok(),
                        _ => None,
                    };
                    prop_assert_eq!(columns[0][index], filled.map_or(REFUSED, |fill| fill.tokens));
                    token.curve = filled.map_or(token.curve, |fill| fill.curve_after);
                    continue;
                }
            };
            // Full slippage leaves a bound of one, which a limit of zero or one is; two is tested by its refusals.
            let legs = [WalletOrder { wallet: 0, order, slippage_ppm: Some(1_000_000) }];
            let bundle = Bundle {
                wallets: &wallets,
                legs: &legs,
                slippage_ppm: None,
                fee_payer: 0,
                priority,
                warn_above: WarningThresholds::default(),
            };
            let settled = trade(&launchpad, &token, &token, &bundle);
            let quoted = settled.quote.filter(|_| settled.executed.outcome.is_ok());
            if let Some(fill) = quoted.as_ref().map(|quote| quote.legs[0].fill) {
                if fill.tokens < 2 || fill.wallet_lamports < 2 {
                    return Ok(()); // At the limit itself the two may rightly differ.
                }
                prop_assert_eq!((columns[0][index], columns[1][index]), (fill.tokens, fill.wallet_lamports));
            } else {
                prop_assert_eq!((columns[0][index], columns[1][index]), (REFUSED, REFUSED));
                prop_assert_eq!(settled.executed.wallets[0].tokens(), before.tokens());
            }
            token = settled.executed.token;
            wallets = [settled.executed.wallets[0]];
            let exit = match wallets[0].token_account {
                Some(TokenAccount { tokens, lamports }) => launchpad
                    .sell_exact_in(&token, tokens, tokens, 0)
                    .map_or(0, |fill| fill.wallet_lamports + lamports),
                None => 0,
            };
            prop_assert_eq!(columns[2][index], wallets[0].lamports + exit);
        }
        prop_assert_eq!(summary.wallet, wallets[0]);
        prop_assert_eq!(summary.token, token);
    }
}

#[test]
fn columns_of_unequal_length_go_as_far_as_the_shortest() {
    let launchpad = Launchpad::default();
    let mut column = [5; 3];
    assert_eq!(batch::buys_exact_in(&launchpad, &launchpad.new_token(), &[1_000_000], &mut column), 1);
    assert_eq!(column[1..], [5, 5]);
}
