#![cfg(not(target_arch = "wasm32"))]
//! Receipts against what transactions really moved, and positions against the wallet they follow.

#[path = "launchpad/oracle.rs"]
mod oracle;
mod seeded;

use launchpad_desk::launchpad::account::{Share, TokenAccount};
use launchpad_desk::launchpad::bundle::{Bundle, Leg, price};
use launchpad_desk::launchpad::cost::Priority;
use launchpad_desk::launchpad::curve::Price;
use launchpad_desk::launchpad::position::Position;
use launchpad_desk::launchpad::quote::{AccountChange, Ask, Caution, Order, Quote, Side, quote};
use launchpad_desk::launchpad::receipt::{Figure, Finding, Landing, Receipt, Reported, attribution, receipt};
use launchpad_desk::launchpad::transaction::{Action, Step, Transaction, Wallet, execute};
use launchpad_desk::launchpad::{Launchpad, Token};
use oracle::real_curve;
use proptest::prelude::*;

const SOL: u64 = 1_000_000_000;

/// Sends a quoted trade to a curve that may have moved since, and reports on it as a service does.
fn send(launchpad: &Launchpad, now: &Token, wallet: &Wallet, quote: &Quote) -> (Reported, Wallet, Token) {
    let mut steps = Vec::new();
    if quote.side == Side::Buy {
        steps.push(Step { wallet: 0, action: Action::OpenTokenAccount });
    }
    steps.push(Step { wallet: 0, action: quote.action });
    if matches!(quote.account, AccountChange::Closes { .. }) {
        steps.push(Step { wallet: 0, action: Action::CloseTokenAccount });
    }
    let transaction =
        Transaction { fee_payer: 0, signatures: 1, priority: Priority::default(), steps: &steps };
    let executed = execute(launchpad, now, &[*wallet], &transaction);
    let after = executed.wallets[0];
    let reported = Reported {
        landing: if executed.outcome.is_ok() { Landing::Landed } else { Landing::Failed },
        tokens: Some(after.tokens().abs_diff(wallet.tokens())),
        tokens_before: Some(wallet.tokens()),
        tokens_after: Some(after.tokens()),
        token_account_closed: (quote.side == Side::Sell).then_some(after.token_account.is_none()),
        wallet_lamports_moved: None,
    };
    (reported, after, executed.token)
}

fn asked(
    launchpad: &Launchpad,
    token: &Token,
    wallet: &Wallet,
    order: Order,
    slippage_ppm: u32,
) -> Option<Quote> {
    quote(launchpad, token, &Ask { wallet: Some(wallet), ..Ask::new(order, slippage_ppm) }).ok()
}

fn moved(before: &Wallet, after: &Wallet) -> i128 {
    i128::from(after.lamports) - i128::from(before.lamports)
}

/// Own trades, each after a rival's: what to buy or sell, and what the rival spends.
fn trades() -> impl Strategy<Value = Vec<(bool, u64, u64)>> {
    proptest::collection::vec(
        (any::<bool>(), 1u64..=1_000, prop_oneof![Just(0u64), 1u64..100_000_000]),
        1..12,
    )
}

proptest! {
    #![proptest_config(seeded::cases(2_000))]

    #[test]
    fn receipts_and_positions_follow_the_wallet(curve in real_curve(), trades in trades()) {
        let launchpad = Launchpad::default();
        let mut token = Token { curve, ..launchpad.new_token() };
        let start = Wallet { lamports: 30 * SOL, token_account: None };
        let (mut wallet, mut position) = (start, Position::default());
        for (buys, part, rival) in trades {
            let order = if buys {
                Order::BuyExactIn { lamports: part * 1_000_000 }
            } else {
                Order::SellShare { share: Share::new(part.into(), 1_000).expect("a share") }
            };
            let Some(quote) = asked(&launchpad, &token, &wallet, order, 5_000) else { continue };
            let mut now = token;
            if let Ok(fill) = launchpad.buy_exact_in(&token, rival, 1) {
                now.curve = fill.curve_after;
            }
            let (reported, after, executed) = send(&launchpad, &now, &wallet, &quote);
            let blind = receipt(&quote, Some(wallet.tokens()), &reported);
            let seeing = Reported { wallet_lamports_moved: Some(moved(&wallet, &after)), ..reported };
            let receipt = receipt(&quote, Some(wallet.tokens()), &seeing);
            prop_assert_eq!((&blind.findings, &receipt.findings), (&vec![], &vec![]));
            prop_assert_eq!(receipt.net_lamports, Figure::Known(moved(&wallet, &after)));
            let tokens = after.tokens().abs_diff(wallet.tokens());
            prop_assert_eq!(receipt.tokens, Figure::Known(tokens));
            // What is called known without having seen the lamports is right.
            if let Figure::Known(net) = blind.net_lamports {
                prop_assert_eq!(net, moved(&wallet, &after));
            }
            if let Figure::Known(lamports) = blind.lamports {
                prop_assert_eq!(lamports, receipt.lamports.value());
            }
            if reported.landing == Landing::Landed {
                let used = i128::from(receipt.slippage_used_ppm.value());
                prop_assert!(used <= 5_000, "{}", used);
                prop_assert!(rival > 0 || used == 0);
            }
            position.add(&receipt);
            (wallet, token) = (after, executed);
        }
        prop_assert_eq!(position.tokens, wallet.tokens());
        prop_assert_eq!(position.unmatched_tokens, 0);
        prop_assert_eq!(position.rent_locked_lamports, wallet.token_account.map_or(0, |account| account.lamports));
        // Every lamport is spent on what is held, lost or gained for good, or locked as rent.
        let accounted = position.realised_lamports
            - i128::from(position.cost_lamports)
            - i128::from(position.rent_locked_lamports);
        prop_assert_eq!(moved(&start, &wallet), accounted);
        prop_assert_eq!(position.average_cost().is_some(), position.tokens > 0);
        if let (true, Ok(fill)) =
            (position.tokens > 0, launchpad.sell_exact_in(&token, position.tokens, position.tokens, 0))
        {
            let unrealised = i128::from(fill.wallet_lamports) - i128::from(position.cost_lamports);
            prop_assert_eq!(position.unrealised_lamports(&launchpad, &token), Some(unrealised));
        }
    }

    #[test]
    fn no_report_breaks_a_receipt(
        landing in prop_oneof![Just(Landing::Landed), Just(Landing::Unconfirmed), Just(Landing::Failed)],
        numbers in any::<[Option<u64>; 3]>(), closed in any::<Option<bool>>(), moved in any::<Option<i128>>(),
        held in any::<Option<u64>>(), sells in any::<bool>()
    ) {
        let (launchpad, token, wallet) = holding();
        let order = if sells { Order::SellShare { share: Share::WHOLE } } else { Order::BuyExactIn { lamports: SOL } };
        let quote = asked(&launchpad, &token, &wallet, order, 5_000).expect("a quote");
        let [tokens, tokens_before, tokens_after] = numbers;
        let reported = Reported {
            landing, tokens, tokens_before, tokens_after, token_account_closed: closed, wallet_lamports_moved: moved,
        };
        let receipt = receipt(&quote, held, &reported);
        let mut position = Position { tokens: tokens.unwrap_or(5), cost_lamports: u64::MAX, ..Position::default() };
        for _ in 0..3 {
            position.add(&receipt);
        }
        prop_assert_eq!(position.receipts, 3);
    }
}

fn holding() -> (Launchpad, Token, Wallet) {
    let launchpad = Launchpad::default();
    let token = launchpad.new_token();
    let fill = launchpad.buy_exact_in(&token, 5 * SOL, 1).expect("a buy");
    let account = TokenAccount { tokens: fill.tokens, lamports: 1_488_440 };
    let wallet = Wallet { lamports: 2 * SOL, token_account: Some(account) };
    (launchpad, Token { curve: fill.curve_after, ..token }, wallet)
}

/// A receipt of a report that was tampered with, for a trade that went as quoted.
fn tampered(order: Order, tamper: impl FnOnce(&mut Reported)) -> Receipt {
    let (launchpad, token, wallet) = holding();
    let quote = asked(&launchpad, &token, &wallet, order, 5_000).expect("a quote");
    let (mut reported, _, _) = send(&launchpad, &token, &wallet, &quote);
    tamper(&mut reported);
    receipt(&quote, Some(wallet.tokens()), &reported)
}

#[test]
fn every_disagreement_is_found() {
    let buy = Order::BuyExactIn { lamports: SOL };
    let sell = Order::SellShare { share: Share::WHOLE };
    let part = Order::SellExactIn { tokens: 1_000_000 };
    let found = |order, tamper: fn(&mut Reported)| tampered(order, tamper).findings;
    assert_eq!(found(buy, |_| {}), []);
    assert_eq!(found(sell, |_| {}), []);
    assert_eq!(
        found(buy, |reported| reported.tokens = Some(1)),
        [Finding::TokensPastBound, Finding::BalancesDisagree]
    );
    assert_eq!(found(buy, |reported| reported.tokens_after = Some(7)), [Finding::BalancesDisagree]);
    assert_eq!(found(part, |reported| reported.tokens_after = Some(7)), [Finding::BalancesDisagree]);
    assert_eq!(
        found(part, |reported| {
            reported.tokens_before = Some(1_000_007);
            reported.tokens_after = Some(7);
        }),
        [Finding::BalanceBeforeDiffers]
    );
    assert_eq!(found(buy, |reported| reported.landing = Landing::Failed), [Finding::FailedButMoved]);
    assert_eq!(
        found(part, |reported| reported.token_account_closed = Some(true)),
        [Finding::ClosedWithTokens]
    );
    assert_eq!(found(sell, |reported| reported.token_account_closed = Some(false)), [Finding::LeftOpenEmpty]);
    assert_eq!(found(buy, |reported| reported.tokens = None), [Finding::TokensUnreported]);
    let bound = -i128::from(SOL) - 5_000;
    assert_eq!(tampered(buy, |reported| reported.wallet_lamports_moved = Some(bound)).findings, []);
    let past = tampered(buy, |reported| reported.wallet_lamports_moved = Some(bound - 1));
    assert_eq!(past.findings, [Finding::LamportsPastBound]);
    assert_eq!(past.lamports, Figure::Known(SOL + 1), "the wallet's own lamports are believed");
}

#[test]
fn what_a_reply_cannot_tell_is_an_estimate() {
    let bought = tampered(Order::BuyExactIn { lamports: SOL }, |_| {});
    assert_eq!(bought.lamports, Figure::Known(SOL));
    assert_eq!(bought.price, Price { lamports: SOL, tokens: bought.tokens.value() });
    assert_eq!(
        (bought.account, bought.net_lamports),
        (Figure::Known(AccountChange::None), Figure::Known(-i128::from(SOL) - 5_000))
    );
    // An account that opens takes rent out of the same lamports, and no reply tells of openings.
    let (launchpad, token, _) = holding();
    let fresh = Wallet { lamports: 2 * SOL, token_account: None };
    let quote =
        asked(&launchpad, &token, &fresh, Order::BuyExactIn { lamports: SOL }, 5_000).expect("a quote");
    let (mut reported, after, _) = send(&launchpad, &token, &fresh, &quote);
    reported.wallet_lamports_moved = Some(moved(&fresh, &after));
    let opened = receipt(&quote, Some(0), &reported);
    assert_eq!(opened.lamports, Figure::Estimated(SOL));
    assert_eq!(opened.account, Figure::Estimated(AccountChange::Opens { rent_lamports: 1_488_440 }));
    assert_eq!(opened.net_lamports, Figure::Known(-i128::from(SOL + 1_488_440 + 5_000)));
    let sold = tampered(Order::SellShare { share: Share::WHOLE }, |_| {});
    assert!(
        sold.lamports.is_estimated()
            && sold.net_lamports.is_estimated()
            && sold.slippage_used_ppm.is_estimated()
    );
    assert_eq!(sold.account, Figure::Known(AccountChange::Closes { refund_lamports: 1_488_440 }));
    let silent = tampered(Order::BuyExactIn { lamports: SOL }, |reported| {
        *reported = Reported {
            landing: Landing::Unconfirmed,
            tokens: None,
            tokens_before: None,
            tokens_after: None,
            token_account_closed: None,
            wallet_lamports_moved: None,
        };
    });
    assert!(silent.tokens.is_estimated() && silent.net_lamports.is_estimated());
    assert_eq!(silent.findings, [], "what is unconfirmed need not tell");
    let failed = tampered(Order::BuyExactIn { lamports: SOL }, |reported| {
        reported.landing = Landing::Failed;
        reported.tokens_after = reported.tokens_before;
    });
    assert_eq!((failed.net_lamports, failed.findings), (Figure::Known(-5_000), vec![]));
}

#[test]
fn a_profit_is_counted_against_the_average_cost() {
    let (launchpad, token, wallet) = holding();
    let mut position = Position { tokens: wallet.tokens(), cost_lamports: 5 * SOL, ..Position::default() };
    let share = Share::of_percent("50").expect("a share");
    let quote = asked(&launchpad, &token, &wallet, Order::SellShare { share }, 5_000).expect("a quote");
    let (mut reported, after, _) = send(&launchpad, &token, &wallet, &quote);
    reported.wallet_lamports_moved = Some(moved(&wallet, &after));
    let receipt = receipt(&quote, Some(wallet.tokens()), &reported);
    let profit = moved(&wallet, &after) - i128::from(5 * SOL / 2);
    // An odd number of base units leaves half a unit's cost behind.
    assert!((position.profit_of(&receipt).value() - profit).abs() <= 1);
    assert!(!position.profit_of(&receipt).is_estimated());
    position.add(&receipt);
    assert!(position.cost_lamports.abs_diff(5 * SOL / 2) <= 1);
    assert_eq!(position.tokens, after.tokens());
}

#[test]
fn a_bundles_attribution_is_an_estimate_unless_it_failed() {
    let (launchpad, token, wallet) = holding();
    let wallets = [wallet, Wallet { lamports: 3 * SOL, token_account: None }];
    let legs = [
        Leg { wallet: 1, order: Order::BuyExactIn { lamports: SOL }, slippage_ppm: None },
        Leg { wallet: 0, order: Order::SellShare { share: Share::WHOLE }, slippage_ppm: None },
    ];
    let bundle = Bundle {
        wallets: &wallets,
        legs: &legs,
        slippage_ppm: None,
        fee_payer: 1,
        priority: Priority::default(),
        caution: Caution::default(),
    };
    let quote = price(&launchpad, &token, &bundle).expect("a quote");
    let landed = attribution(&quote, 1, Landing::Landed);
    assert!(landed.iter().all(|figure| figure.is_estimated()));
    assert_eq!(landed[1].value().net_lamports, -i128::from(SOL + 1_488_440 + 10_000));
    let failed = attribution(&quote, 1, Landing::Failed);
    assert_eq!(failed[0].value().net_lamports, 0);
    assert_eq!(failed[1].value().net_lamports, -10_000);
    assert!(!failed.iter().any(|figure| figure.is_estimated()));
}
