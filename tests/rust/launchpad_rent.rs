//! A wallet whose lamports a transaction changes ends with none, or with at least the rent-exempt minimum of an empty account.

use crate::launchpads::{account, bundle, holding, orders, plain, reserves, traded};
use crate::{oracle, rents, seeded};

use launchpad_desk::launchpad::account::{Share, TokenAccount};
use launchpad_desk::launchpad::bundle::{Bundle, ExecutedBundle, WalletOrder, price, trade};
use launchpad_desk::launchpad::cost::Priority;
use launchpad_desk::launchpad::goal::Trader;
use launchpad_desk::launchpad::quote::{Ask, FeePayer, Order, Warning, quote};
use launchpad_desk::launchpad::transaction::Wallet;
use launchpad_desk::launchpad::{Launchpad, Refusal, Token};
use oracle::{any_size, curves, is_largest};
use proptest::prelude::*;

const SOL: u64 = 1_000_000_000;
const FEE: u64 = 5_000;

fn leg(wallet: usize, order: Order) -> WalletOrder {
    WalletOrder { wallet, order, slippage_ppm: Some(0) }
}

fn buy(wallet: usize, lamports: u64) -> WalletOrder {
    leg(wallet, Order::BuyExactIn { lamports })
}

fn sell_all(wallet: usize) -> WalletOrder {
    leg(wallet, Order::SellShare { share: Share::WHOLE })
}

/// Priced and executed on the same curve.
fn send(token: &Token, wallets: &[Wallet], legs: &[WalletOrder], fee_payer: usize) -> ExecutedBundle {
    trade(&Launchpad::default(), token, token, &bundle(wallets, legs, fee_payer))
}

fn refusal(settled: &ExecutedBundle) -> Option<Refusal> {
    settled.executed.outcome.as_ref().err().map(|failure| failure.refusal)
}

fn lamports(settled: &ExecutedBundle) -> Vec<u64> {
    settled.executed.wallets.iter().map(|wallet| wallet.lamports).collect()
}

#[test]
fn a_buyer_ends_with_nothing_or_with_the_minimum() {
    let token = traded();
    // A thousand million lamports are spent to the last one.
    let needs = SOL + rents::token_account() + FEE;
    for (left, lands) in [
        (0, true),
        (1, false),
        (rents::empty_account() * 3 / 4, false),
        (rents::empty_account() - 1, false),
        (rents::empty_account(), true),
    ] {
        let settled = send(&token, &[plain(needs + left)], &[buy(0, SOL)], 0);
        assert_eq!(refusal(&settled), (!lands).then_some(Refusal::BelowRentMinimum), "{left}");
        let after = if lands { left } else { needs + left - FEE };
        assert_eq!(lamports(&settled), [after], "the network fee is charged either way");
        assert_eq!(settled.executed.token == token, !lands);
        assert_eq!(settled.failed_leg, None, "no leg is at fault");
    }
}

#[test]
fn every_wallet_of_a_bundle_is_looked_at() {
    let token = traded();
    let enough = 10 * SOL;
    let short = SOL + rents::token_account() + rents::empty_account() - 1;
    let wallets = [plain(enough), plain(short), plain(enough)];
    let legs = [buy(0, SOL), buy(1, SOL)];
    let settled = send(&token, &wallets, &legs, 2);
    assert_eq!(refusal(&settled), Some(Refusal::BelowRentMinimum));
    assert_eq!(lamports(&settled), [enough, short, enough - 3 * FEE]);

    let priced = price(&Launchpad::default(), &token, &bundle(&wallets, &legs, 2)).expect("a price");
    assert_eq!(priced.wallet_warnings, [vec![], vec![Warning::BelowRentMinimum], vec![]]);
    assert!(priced.legs.iter().all(|leg| !leg.warnings.contains(&Warning::BelowRentMinimum)));
    assert!(priced.warns(Warning::BelowRentMinimum));
}

#[test]
fn a_wallet_may_be_short_on_the_way() {
    let token = traded();
    // Between the buy and the sell wallet 1 has 100 lamports.
    let wallets = [plain(10 * SOL), holding(SOL + 100, 0)];
    let legs = [buy(1, SOL), sell_all(1)];
    let settled = send(&token, &wallets, &legs, 0);
    assert_eq!(refusal(&settled), None);
    assert!(!settled.quote.expect("a quote").warns(Warning::BelowRentMinimum));
}

#[test]
fn a_fee_payer_that_would_lose_the_minimum_is_charged_nothing() {
    let token = traded();
    for (left, lands) in
        [(0, true), (1, false), (rents::empty_account() - 1, false), (rents::empty_account(), true)]
    {
        // It only pays: two sign.
        let wallets = [plain(10 * SOL), plain(2 * FEE + left)];
        let settled = send(&token, &wallets, &[buy(0, SOL)], 1);
        // A wallet that never had the minimum is only checked at the end, when the fee is already paid.
        let had_it = 2 * FEE + left >= rents::empty_account();
        assert_eq!(refusal(&settled), (!lands).then_some(Refusal::BelowRentMinimum), "{left}");
        let charged = lands || !had_it;
        assert_eq!(settled.executed.network_fee_lamports, if charged { 2 * FEE } else { 0 });
        assert_eq!(lamports(&settled)[1], if charged { left } else { 2 * FEE + left });
        let quote =
            price(&Launchpad::default(), &token, &bundle(&wallets, &[buy(0, SOL)], 1)).expect("a price");
        let warnings = if lands { vec![] } else { vec![Warning::BelowRentMinimum] };
        assert_eq!(quote.wallet_warnings, [vec![], warnings]);
    }
    let quote = price(&Launchpad::default(), &token, &bundle(&[plain(SOL), plain(9)], &[buy(0, FEE)], 1));
    let warnings = quote.expect("a price").wallet_warnings;
    assert_eq!(warnings, [vec![], vec![Warning::InsufficientLamports]]);
}

#[test]
fn a_failed_transaction_takes_no_fee_that_would_leave_too_little() {
    let token = traded();
    // Nothing to sell: it fails whatever the wallets have.
    for (payer, charged) in
        [(rents::empty_account() + FEE, FEE), (rents::empty_account() + FEE - 1, 0), (FEE, FEE)]
    {
        let settled = send(&token, &[plain(payer)], &[sell_all(0)], 0);
        assert_eq!(settled.executed.network_fee_lamports, charged, "{payer}");
        assert_eq!(lamports(&settled), [payer - charged]);
        let expected = if charged == 0 { Refusal::BelowRentMinimum } else { Refusal::TokenAccountNotOpen };
        assert_eq!(refusal(&settled), Some(expected));
    }
}

#[test]
fn a_seller_needs_the_minimum_for_the_fee_and_for_what_it_ends_with() {
    let token = traded();
    let held = 1_000_000_000_000;
    // The sale brings some 50 million lamports and the refund, and comes too late for the fee.
    for (before, lands) in [
        (rents::empty_account() + FEE, true),
        (rents::empty_account() + FEE - 1, false),
        (rents::empty_account(), false),
        (FEE, true),
    ] {
        let wallets = [holding(before, held)];
        let settled = send(&token, &wallets, &[sell_all(0)], 0);
        assert_eq!(refusal(&settled), (!lands).then_some(Refusal::BelowRentMinimum), "{before}");
        let order = Order::SellShare { share: Share::WHOLE };
        let ask = Ask { wallet: Some(&wallets[0]), ..Ask::new(order, 0) };
        let quote = quote(&Launchpad::default(), &token, &ask).expect("a quote");
        assert_eq!(quote.warnings.contains(&Warning::BelowRentMinimum), !lands);
    }
    // Another wallet pays, and a small part brings too few lamports to open the wallet.
    let part = leg(0, Order::SellExactIn { tokens: 1_000_000_000 });
    let settled = send(&token, &[holding(0, held), plain(SOL)], &[part], 1);
    assert_eq!(refusal(&settled), Some(Refusal::BelowRentMinimum));
}

#[test]
fn who_keeps_the_exit_fee_can_sell_again() {
    let launchpad = Launchpad::default();
    for (start, priority) in
        [(SOL, None), (3 * SOL + 1, Some(7_000_001)), (rents::token_account() + 700_000 + FEE, None)]
    {
        let wallet = plain(start);
        let priority = Priority { unit_limit: None, unit_price_micro_lamports: priority };
        let trader = Trader { wallet: &wallet, fee_payer: FeePayer::Trader, priority };
        let send = |token: Token, wallet: Wallet, order| {
            let (wallets, legs) = ([wallet], [order]);
            trade(&launchpad, &token, &token, &Bundle { priority, ..bundle(&wallets, &legs, 0) })
        };
        let spend = launchpad.largest_buy_keeping_exit_fee(&traded(), &trader).expect("a buy");
        let bought = send(traded(), wallet, buy(0, spend)).executed;
        assert!(bought.outcome.is_ok());
        assert_eq!(bought.wallets[0].lamports, rents::empty_account() + bought.network_fee_lamports);
        let sold = send(bought.token, bought.wallets[0], sell_all(0)).executed;
        assert!(sold.outcome.is_ok(), "{:?}", sold.outcome);

        // Without it, the last lamport goes in, and the exit cannot be paid for.
        let spend = launchpad.largest_buy_within_balance(&traded(), &trader).expect("a buy");
        let bought = send(traded(), wallet, buy(0, spend)).executed;
        assert_eq!(bought.wallets[0].lamports, 0);
        let stuck = send(bought.token, bought.wallets[0], sell_all(0));
        assert_eq!(refusal(&stuck), Some(Refusal::InsufficientLamportsForNetworkFee));
    }
}

/// Wallets that have about what a buy of at most some SOL needs.
fn wallets() -> impl Strategy<Value = Wallet> {
    let some = prop_oneof![0u64..4_000_000, 0u64..5 * SOL, any_size()];
    let wallet = (some, proptest::option::of(any_size()), any::<bool>());
    wallet.prop_map(|(lamports, tokens, opens_volume_account)| Wallet {
        lamports,
        token_account: tokens.map(account),
        opens_volume_account,
    })
}

proptest! {
    #![proptest_config(seeded::cases(1_500))]

    #[test]
    fn a_quote_without_slippage_warns_where_the_trade_fails(
        curve in curves(), wallet in wallets(), order in orders(|| prop_oneof![0u64..5 * SOL, any_size()]), near in 0u64..2 * rents::empty_account(), aim in any::<bool>()
    ) {
        let launchpad = Launchpad::default();
        let token = Token { curve, ..launchpad.new_token() };
        let asked = |wallet: &Wallet| quote(&launchpad, &token, &Ask { wallet: Some(wallet), ..Ask::new(order, 0) });
        let Ok(quoted) = asked(&wallet) else { return Ok(()) };
        // Half of them with just about enough.
        let aimed = u64::try_from(i128::from(near) - quoted.net_lamports).ok().filter(|_| aim);
        let wallet = Wallet { lamports: aimed.unwrap_or(wallet.lamports), ..wallet };
        let quoted = asked(&wallet).expect("no price depends on a balance");
        let settled = send(&token, &[wallet], &[leg(0, order)], 0);
        if refusal(&settled) == Some(Refusal::Overflow) {
            return Ok(()); // More tokens than an account can hold: no quote's business.
        }
        if quoted.warnings.contains(&Warning::InsufficientLamports) {
            prop_assert!(settled.executed.outcome.is_err());
        } else if quoted.worst_net_lamports == quoted.net_lamports {
            let fails = quoted.warnings.contains(&Warning::BelowRentMinimum);
            prop_assert_eq!(refusal(&settled) == Some(Refusal::BelowRentMinimum), fails);
        } else {
            // A spend that is not fully used: the quote takes both amounts into account.
            let fails = refusal(&settled) == Some(Refusal::BelowRentMinimum);
            prop_assert!(!fails || quoted.warnings.contains(&Warning::BelowRentMinimum));
        }
    }

    #[test]
    fn the_largest_buy_within_a_balance_lands(
        curve in curves(), wallet in wallets(), other in any_size(), pays in any::<bool>()
    ) {
        let launchpad = Launchpad::default();
        let token = Token { curve, ..launchpad.new_token() };
        // An account has room for what it buys.
        let wallet = Wallet { token_account: wallet.token_account.map(|held| TokenAccount { tokens: 0, ..held }), ..wallet };
        let fee_payer = if pays { FeePayer::Trader } else { FeePayer::Other };
        let trader = Trader { wallet: &wallet, fee_payer, priority: Priority::default() };
        let wallets = [wallet, plain(SOL)];
        let lands = |spend| send(&token, &wallets, &[buy(0, spend)], usize::from(!pays)).executed.outcome.is_ok();
        let keeps = |spend| {
            let settled = send(&token, &[wallet], &[buy(0, spend)], 0);
            settled.executed.outcome.is_ok() && lamports(&settled)[0] >= rents::empty_account() + FEE
        };
        let all = wallet.lamports.saturating_sub(rents::token_account() + FEE);
        let keeping = Trader { fee_payer: FeePayer::Trader, ..trader };
        for other in [other, all, rents::empty_account()] {
            is_largest(launchpad.largest_buy_within_balance(&token, &trader), lands, other)?;
            is_largest(launchpad.largest_buy_keeping_exit_fee(&token, &keeping), keeps, other)?;
        }
    }
}

/// Every small balance on a curve where a lamport is dear, against trying every spend.
#[test]
fn the_largest_buy_of_a_small_balance_is_the_best_of_all() {
    let mut launchpad =
        Launchpad { rent_lamports_per_byte: 1, token_account_bytes: 2, ..Launchpad::default() };
    launchpad.network.lamports_per_signature = 7;
    let curve = reserves([900, 400, 300, 0]);
    let token = Token { curve, ..launchpad.new_token() };
    let mut found = 0;
    for balance in 0..1_200 {
        let wallet = plain(balance);
        let trader = Trader { wallet: &wallet, fee_payer: FeePayer::Trader, priority: Priority::default() };
        let lands = |spend: &u64| {
            let (wallets, legs) = ([wallet], [buy(0, *spend)]);
            trade(&launchpad, &token, &token, &bundle(&wallets, &legs, 0)).executed.outcome.is_ok()
        };
        let best = (1..1_300).rev().find(lands);
        assert_eq!(launchpad.largest_buy_within_balance(&token, &trader).ok(), best, "{balance}");
        found += u32::from(best.is_some());
    }
    assert!(found > 500, "{found}");
}
