//! A bundle is its legs in order: all of them or none.

use crate::launchpads::{account, bundle, launched, plain, traded};
use crate::rents;

use launchpad_desk::launchpad::account::{Share, TokenAccount};
use launchpad_desk::launchpad::bundle::{LegRefusal, WalletOrder, price, trade};
use launchpad_desk::launchpad::capacity::Fit;
use launchpad_desk::launchpad::quote::{AccountChange, Ask, Order, Warning, quote};
use launchpad_desk::launchpad::transaction::{Effect, Wallet};
use launchpad_desk::launchpad::{Launchpad, Refusal, Token};

const SOL: u64 = 1_000_000_000;
/// Lamports in a token account, which give nothing away of the rent.
const HELD: u64 = 2_000_001;

fn rich() -> Wallet {
    plain(10 * SOL)
}

fn holding(tokens: u64) -> Wallet {
    Wallet { token_account: Some(TokenAccount { lamports: HELD, ..account(tokens) }), ..plain(SOL) }
}

fn buy(wallet: usize, lamports: u64) -> WalletOrder {
    WalletOrder { wallet, order: Order::BuyExactIn { lamports }, slippage_ppm: None }
}

fn sell_share(wallet: usize, percent: &str) -> WalletOrder {
    let share = Share::of_percent(percent).expect("a percentage");
    WalletOrder { wallet, order: Order::SellShare { share }, slippage_ppm: None }
}

#[test]
fn legs_run_on_the_curve_the_legs_before_them_leave() {
    let (launchpad, token) = launched();
    let wallets = [rich(), rich()];
    let legs = [buy(0, SOL), buy(1, SOL)];
    let priced = price(&launchpad, &token, &bundle(&wallets, &legs, 0)).expect("a price");

    let first = launchpad.buy_exact_in(&token, SOL, 1).expect("a buy");
    let moved = Token { curve: first.curve_after, ..token };
    let second = launchpad.buy_exact_in(&moved, SOL, 1).expect("a buy");
    assert_eq!(priced.legs[0].fill, first);
    assert_eq!(priced.legs[1].fill, second);
    assert!(second.tokens < first.tokens);
    assert_eq!(priced.token_after.curve, second.curve_after);
    assert_eq!((priced.signatures, priced.network_fee_lamports), (2, 10_000));
    assert_eq!(priced.wallets[0].net_lamports, -i128::from(SOL + rents::token_account() + 10_000));
    assert_eq!(priced.wallets[1].net_lamports, -i128::from(SOL + rents::token_account()));
    assert_eq!(priced.wallets[1].net_tokens, i128::from(second.tokens));
    assert_eq!(priced.fit, Fit::Plain);
}

#[test]
fn an_unmoved_curve_executes_just_what_was_priced() {
    let (launchpad, token) = (Launchpad::default(), traded());
    let wallets = [rich(), holding(1_000_000_000_000), holding(7)];
    let legs = [buy(0, SOL), sell_share(1, "100"), sell_share(2, "50"), sell_share(0, "33.3")];
    let settled = trade(&launchpad, &token, &token, &bundle(&wallets, &legs, 0));
    let priced = settled.quote.expect("a price");
    assert_eq!(settled.failed_leg, None);
    assert!(settled.executed.outcome.is_ok());
    assert_eq!(settled.executed.token, priced.token_after);
    for ((before, after), total) in wallets.iter().zip(&settled.executed.wallets).zip(&priced.wallets) {
        assert_eq!(i128::from(after.lamports) - i128::from(before.lamports), total.net_lamports);
        assert_eq!(i128::from(after.tokens()) - i128::from(before.tokens()), total.net_tokens);
    }
    assert_eq!(settled.executed.wallets[1].token_account, None, "a sell of everything closes the account");
    assert_eq!(settled.executed.wallets[2].tokens(), 4, "half of seven is three");
    assert_eq!(priced.legs[1].account, AccountChange::Closes { refund_lamports: HELD });
}

#[test]
fn a_rival_between_price_and_execution_fails_every_leg() {
    let (launchpad, token) = launched();
    let rival = launchpad.buy_exact_in(&token, SOL, 1).expect("a rival's buy");
    let moved = Token { curve: rival.curve_after, ..token };
    let wallets = [rich(), rich()];
    let legs = [WalletOrder { slippage_ppm: Some(500_000), ..buy(0, SOL) }, buy(1, SOL)];
    let settled = trade(&launchpad, &token, &moved, &bundle(&wallets, &legs, 0));
    assert_eq!(settled.failed_leg, Some(1), "the first leg's own slippage is wide enough");
    let failure = settled.executed.outcome.expect_err("a failure");
    assert_eq!(failure.refusal, Refusal::BelowMinimumTokens);
    assert_eq!(settled.executed.wallets[0].lamports, 10 * SOL - 10_000, "the network fee is charged");
    assert_eq!(settled.executed.wallets[1], wallets[1]);
    assert_eq!(settled.executed.token, moved);
}

#[test]
fn a_leg_refused_when_priced_fails_the_transaction_and_costs_the_fee() {
    let (launchpad, token) = launched();
    let wallets = [rich(), rich()];
    let legs = [buy(0, SOL), sell_share(1, "100")];
    let refused = price(&launchpad, &token, &bundle(&wallets, &legs, 0));
    assert_eq!(refused, Err(LegRefusal { leg: Some(1), refusal: Refusal::TokenAccountNotOpen }));
    let settled = trade(&launchpad, &token, &token, &bundle(&wallets, &legs, 0));
    assert_eq!((settled.failed_leg, settled.quote), (Some(1), None));
    assert_eq!(settled.executed.network_fee_lamports, 10_000);
    assert_eq!(settled.executed.wallets[0].lamports, 10 * SOL - 10_000);
    assert_eq!(settled.executed.token, token);
}

#[test]
fn a_fee_payer_who_cannot_pay_is_charged_nothing() {
    let (launchpad, token) = launched();
    let wallets = [plain(9_999), rich()];
    let legs = [buy(1, SOL)];
    let settled = trade(&launchpad, &token, &token, &bundle(&wallets, &legs, 0));
    let failure = settled.executed.outcome.expect_err("a failure");
    assert_eq!((failure.step, failure.refusal), (None, Refusal::InsufficientLamportsForNetworkFee));
    assert_eq!(settled.executed.wallets, wallets);
    assert_eq!(settled.executed.network_fee_lamports, 0);
}

#[test]
fn a_wallet_short_by_one_lamport_fails_and_the_exact_lamport_does_not() {
    let (launchpad, token) = launched();
    let legs = [buy(0, SOL)];
    let need = SOL + rents::token_account() + 5_000;
    for (lamports, refusal) in [(need, None), (need - 1, Some(Refusal::InsufficientLamports))] {
        let wallets = [plain(lamports)];
        let bundle = bundle(&wallets, &legs, 0);
        let settled = trade(&launchpad, &token, &token, &bundle);
        assert_eq!(settled.executed.outcome.as_ref().err().map(|failure| failure.refusal), refusal);
        let ask = Ask { wallet: Some(&wallets[0]), ..Ask::new(legs[0].order, 5_000) };
        let quote = quote(&launchpad, &token, &ask).expect("a quote");
        assert_eq!(quote.warnings.contains(&Warning::InsufficientLamports), refusal.is_some());
    }
}

#[test]
fn every_effect_is_reported_in_order() {
    let (launchpad, token) = (Launchpad::default(), traded());
    let wallets = [rich()];
    let legs = [buy(0, SOL), sell_share(0, "100"), buy(0, SOL)];
    let settled = trade(&launchpad, &token, &token, &bundle(&wallets, &legs, 0));
    let effects = settled.executed.outcome.expect("effects");
    let name = |effect: &Effect| format!("{effect:?}").split([' ', '(']).next().map(str::to_owned);
    let names: Vec<String> = effects.iter().filter_map(name).collect();
    assert_eq!(names, ["Opened", "Bought", "Sold", "Closed", "Opened", "Bought"]);
    assert!(settled.executed.wallets[0].tokens() > 0);
}
