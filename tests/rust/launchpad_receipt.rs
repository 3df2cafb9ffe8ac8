//! Receipts against what transactions really moved, and positions against the wallet they follow.

use crate::launchpads::{bundle, launched, orders, plain, tier, with_tiers};
use crate::{launchpads, oracle, rents, seeded};

use launchpad_desk::api::endpoint::Operation;
use launchpad_desk::api::response::Status;
use launchpad_desk::api::validate::{Rules, validate};
use launchpad_desk::bindings::object;
use launchpad_desk::launchpad::account::{Share, TokenAccount};
use launchpad_desk::launchpad::bundle::{WalletOrder, price};
use launchpad_desk::launchpad::cost::Priority;
use launchpad_desk::launchpad::curve::Price;
use launchpad_desk::launchpad::fees::{FeeTier, Fees};
use launchpad_desk::launchpad::position::Position;
use launchpad_desk::launchpad::quote::{AccountChange, Ask, FeePayer, Order, Quote, Side, quote};
use launchpad_desk::launchpad::receipt::{Figure, Finding, Receipt, Reported, attribution, receipt};
use launchpad_desk::launchpad::transaction::{Action, Effect, Instruction, Transaction, Wallet, execute};
use launchpad_desk::launchpad::{Completion, Launchpad, Token};
use launchpad_desk::tape::Tape;
use launchpad_desk::trade::reconcile::{Balances, WalletBalances, reconcile};
use oracle::{any_size, big, curves, rates, real_curve};
use proptest::prelude::*;

const SOL: u64 = 1_000_000_000;

fn moved(before: &Wallet, after: &Wallet) -> i128 {
    i128::from(after.lamports) - i128::from(before.lamports)
}

/// Your own trades, each after a rival's: what to buy or sell, and what the rival spends.
fn trades() -> impl Strategy<Value = Vec<(bool, u64, u64)>> {
    proptest::collection::vec(
        (any::<bool>(), 1u64..=1_000, prop_oneof![Just(0u64), 1u64..100_000_000]),
        1..12,
    )
}

proptest! {
    #![proptest_config(seeded::cases(500))]

    #[test]
    fn receipts_and_positions_follow_the_wallet(curve in real_curve(), trades in trades()) {
        let launchpad = Launchpad::default();
        let mut token = Token { curve, ..launchpad.new_token() };
        let start = plain(30 * SOL);
        let (mut wallet, mut position) = (start, Position::default());
        for (buys, part, rival) in trades {
            let order = if buys {
                Order::BuyExactIn { lamports: part * 1_000_000 }
            } else {
                Order::SellShare { share: Share::new(part.into(), 1_000).expect("a share") }
            };
            let scene = Scene { token, wallet, order, rival: (true, rival), ..holding() };
            let Some(quote) = scene.quote() else { continue };
            let truth = scene.execute(&quote);
            let (reported, after) = (report(&scene, &quote, &truth, EVERYTHING), truth.wallet_after);
            let blind = Reported { wallet_lamports_moved: None, ..reported };
            let blind = receipt(&quote, Some(wallet.tokens()), &blind);
            let receipt = receipt(&quote, Some(wallet.tokens()), &reported);
            prop_assert_eq!((&blind.findings, &receipt.findings), (&vec![], &vec![]));
            prop_assert_eq!(receipt.net_lamports, Figure::Known(moved(&wallet, &after)));
            let tokens = after.tokens().abs_diff(wallet.tokens());
            prop_assert_eq!(receipt.tokens, Figure::Known(tokens));
            // A figure marked as known is right, even if the lamports were not observed.
            if let Figure::Known(net) = blind.net_lamports {
                prop_assert_eq!(net, moved(&wallet, &after));
            }
            if let Figure::Known(lamports) = blind.lamports {
                prop_assert_eq!(lamports, receipt.lamports.value());
            }
            if reported.landing == Status::Landed {
                let used = i128::from(receipt.slippage_used_ppm.value());
                prop_assert!(used <= 5_000, "{}", used);
                prop_assert!(rival > 0 || used == 0);
            }
            position.add(&receipt);
            (wallet, token) = (after, truth.token_after);
        }
        prop_assert_eq!(position.tokens, wallet.tokens());
        prop_assert_eq!(position.unmatched_tokens, 0);
        prop_assert_eq!(position.rent_locked_lamports, wallet.token_account.map_or(0, |account| account.lamports));
        // Every lamport is spent on holdings, lost or gained, or locked as rent.
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
        landing in prop_oneof![Just(Status::Landed), Just(Status::Unconfirmed), Just(Status::Failed)],
        numbers in any::<[Option<u64>; 3]>(), closed in any::<Option<bool>>(), moved in any::<Option<i128>>(),
        held in any::<Option<u64>>(), sells in any::<bool>()
    ) {
        let order = if sells { Order::SellShare { share: Share::WHOLE } } else { Order::BuyExactIn { lamports: SOL } };
        let quote = Scene { order, ..holding() }.quote().expect("a quote");
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

/// A launchpad, a market on it, and what happens between a quote and its trade.
#[derive(Clone, Debug)]
struct Scene {
    launchpad: Launchpad,
    token: Token,
    wallet: Wallet,
    is_wallet_known: bool,
    order: Order,
    slippage_ppm: u32,
    fee_payer: FeePayer,
    priority: Priority,
    /// What a rival buys for or sells before the trade executes.
    rival: (bool, u64),
}

fn tiers() -> impl Strategy<Value = Vec<FeeTier>> {
    // Market caps of real curves are from 28 to 411 SOL.
    let threshold = prop_oneof![Just(0u128), 28_000_000_000u128..411_000_000_000, any::<u128>()];
    let tier = (threshold, rates())
        .prop_map(|(market_cap_threshold_lamports, rates)| FeeTier { market_cap_threshold_lamports, rates });
    proptest::collection::vec(tier, 1..4)
}

fn amounts() -> impl Strategy<Value = u64> {
    prop_oneof![any_size(), 1u64..50, 1u64..20 * SOL, 1u64..400_000_000_000_000]
}

fn scenes() -> impl Strategy<Value = Scene> {
    let account = (amounts(), amounts()).prop_map(|(tokens, lamports)| TokenAccount {
        tokens,
        lamports,
        ..TokenAccount::default()
    });
    let lamports = prop_oneof![2 => Just(100 * SOL), 1 => 0u64..10_000, 1 => any_size()];
    let wallet = (lamports, proptest::option::of(account), any::<bool>()).prop_map(
        |(lamports, token_account, opens_volume_account)| Wallet {
            lamports,
            token_account,
            opens_volume_account,
        },
    );
    let priority = (proptest::option::of(0u64..2_000_000), proptest::option::of(0u64..1_000_000)).prop_map(
        |(unit_limit, unit_price_micro_lamports)| Priority { unit_limit, unit_price_micro_lamports },
    );
    let market = (tiers(), prop_oneof![3 => real_curve(), 1 => curves()], any::<[bool; 2]>(), 0u64..6_000);
    let trade = (orders(amounts), wallet, 0u32..500_000, any::<[bool; 2]>(), priority);
    let rival = prop_oneof![
        2 => Just((true, 0)),
        2 => (any::<bool>(), 0u64..SOL),
        1 => (any::<bool>(), amounts()),
    ];
    (market, trade, rival).prop_map(|(market, trade, rival)| {
        let (fee_tiers, curve, [has_creator, partial], rent_lamports_per_byte) = market;
        let (order, wallet, slippage_ppm, [is_wallet_known, pays], priority) = trade;
        let completion = if partial { Completion::Partial } else { Completion::Reject };
        let launchpad = Launchpad { fee_tiers, completion, rent_lamports_per_byte, ..Launchpad::default() };
        Scene {
            token: Token { curve, has_creator, ..launchpad.new_token() },
            launchpad,
            wallet,
            is_wallet_known,
            order,
            slippage_ppm,
            fee_payer: if pays { FeePayer::Trader } else { FeePayer::Other },
            priority,
            rival,
        }
    })
}

/// What really happened.
#[derive(Debug)]
struct Truth {
    landed: bool,
    tokens: u64,
    lamports: u64,
    fees: Fees,
    account: AccountChange,
    volume_rent: u64,
    network_fee: u64,
    moved: i128,
    wallet_after: Wallet,
    token_after: Token,
}

/// A wallet that bought for 5 SOL and buys for one more.
fn holding() -> Scene {
    let (launchpad, token) = launched();
    let fill = launchpad.buy_exact_in(&token, 5 * SOL, 1).expect("a buy");
    Scene {
        launchpad,
        token: Token { curve: fill.curve_after, ..token },
        wallet: launchpads::holding(2 * SOL, fill.tokens),
        is_wallet_known: true,
        order: Order::BuyExactIn { lamports: SOL },
        slippage_ppm: 5_000,
        fee_payer: FeePayer::Trader,
        priority: Priority::default(),
        rival: (true, 0),
    }
}

impl Scene {
    /// Quotes and executes it, and reports all of it.
    fn sent(&self) -> (Quote, Reported, Truth) {
        let quote = self.quote().expect("a quote");
        let truth = self.execute(&quote);
        (quote.clone(), report(self, &quote, &truth, EVERYTHING), truth)
    }

    fn quote(&self) -> Option<Quote> {
        let ask = Ask {
            wallet: Some(&self.wallet).filter(|_| self.is_wallet_known),
            fee_payer: self.fee_payer,
            priority: self.priority,
            ..Ask::new(self.order, self.slippage_ppm)
        };
        quote(&self.launchpad, &self.token, &ask).ok()
    }

    /// Executes the quoted trade on the curve that the rival leaves, as a service sends it.
    fn execute(&self, quote: &Quote) -> Truth {
        let mut now = self.token;
        let (buys, amount) = self.rival;
        let rival = match buys {
            true => self.launchpad.buy_exact_in(&now, amount, 1),
            false => self.launchpad.sell_exact_in(&now, amount, amount, 0),
        };
        if let Ok(fill) = rival {
            now.curve = fill.curve_after;
        }
        let step = |action| Instruction { wallet: 0, action };
        let empties = quote.side == Side::Sell && quote.fill.tokens == self.wallet.tokens();
        let stays_open = self.wallet.token_account.is_some_and(|account| account.stays_open);
        let mut steps = vec![step(quote.action)];
        if quote.side == Side::Buy {
            steps.insert(0, step(Action::OpenTokenAccount));
        } else if empties && !stays_open {
            steps.push(step(Action::CloseTokenAccount));
        }
        let payer = plain(1_000 * SOL);
        let transaction = Transaction {
            fee_payer: usize::from(self.fee_payer == FeePayer::Other),
            signatures: self.fee_payer.signatures(),
            priority: self.priority,
            steps: &steps,
        };
        let executed = execute(&self.launchpad, &now, &[self.wallet, payer], &transaction);
        let mut truth = Truth {
            landed: executed.outcome.is_ok(),
            tokens: 0,
            lamports: 0,
            fees: Fees::default(),
            account: AccountChange::None,
            volume_rent: 0,
            network_fee: if transaction.fee_payer == 0 { executed.network_fee_lamports } else { 0 },
            moved: moved(&self.wallet, &executed.wallets[0]),
            wallet_after: executed.wallets[0],
            token_after: executed.token,
        };
        for effect in executed.outcome.into_iter().flatten() {
            match effect {
                Effect::AlreadyOpen => {}
                Effect::Opened { rent_lamports } => truth.account = AccountChange::Opens { rent_lamports },
                Effect::Closed { refund_lamports } => {
                    truth.account = AccountChange::Closes { refund_lamports };
                }
                Effect::Bought(fill) | Effect::Sold(fill) => {
                    truth.tokens = fill.tokens;
                    truth.lamports = fill.wallet_lamports;
                    truth.fees = fill.fees;
                    let opened = self.wallet.opens_volume_account && !truth.wallet_after.opens_volume_account;
                    let rent = self.launchpad.rent_lamports_per_byte * (137 + 128);
                    truth.volume_rent = if opened { rent } else { 0 };
                }
            }
        }
        truth
    }
}

/// What a reply leaves out, and whether the caller observed the lamports.
#[derive(Clone, Copy, Debug)]
struct Told {
    status: bool,
    tokens: bool,
    before: bool,
    after: bool,
    closed: bool,
    lamports: bool,
}

const EVERYTHING: Told =
    Told { status: true, tokens: true, before: true, after: true, closed: true, lamports: true };

fn told() -> impl Strategy<Value = Told> {
    let often = || prop::bool::weighted(0.7);
    (prop::bool::weighted(0.9), often(), often(), often(), often(), any::<bool>()).prop_map(
        |(status, tokens, before, after, closed, lamports)| Told {
            status,
            tokens,
            before,
            after,
            closed,
            lamports,
        },
    )
}

fn report(scene: &Scene, quote: &Quote, truth: &Truth, told: Told) -> Reported {
    let landing = match (told.status, truth.landed) {
        (false, _) => Status::Unconfirmed,
        (true, true) => Status::Landed,
        (true, false) => Status::Failed,
    };
    let closed = matches!(truth.account, AccountChange::Closes { .. });
    Reported {
        landing,
        tokens: Some(truth.tokens).filter(|_| told.tokens && truth.landed),
        tokens_before: Some(scene.wallet.tokens()).filter(|_| told.before),
        tokens_after: Some(truth.wallet_after.tokens()).filter(|_| told.after),
        token_account_closed: Some(closed).filter(|_| told.closed && quote.side == Side::Sell),
        wallet_lamports_moved: Some(truth.moved).filter(|_| told.lamports),
    }
}

/// How much worse than quoted in parts per million, in big numbers.
fn worse(quoted: u64, got: u64) -> i64 {
    let short = (big(quoted) - big(got)) * 1_000_000;
    let ppm = if quoted == 0 { big(0) } else { short / big(quoted) };
    i64::try_from(ppm.clone()).unwrap_or(if ppm < big(0) { i64::MIN } else { i64::MAX })
}

proptest! {
    #![proptest_config(seeded::cases(2_500))]

    #[test]
    fn what_is_not_called_an_estimate_is_what_happened(scene in scenes(), told in told()) {
        let Some(quote) = scene.quote() else { return Ok(()) };
        let truth = scene.execute(&quote);
        let reported = report(&scene, &quote, &truth, told);
        let held = Some(scene.wallet.tokens()).filter(|_| scene.is_wallet_known);
        let receipt = receipt(&quote, held, &reported);
        fn known<T: PartialEq + Copy>(figure: Figure<T>, truth: T) -> bool {
            figure.is_estimated() || figure.value() == truth
        }
        let context = || format!("{receipt:?}\n{truth:?}\n{reported:?}\n{quote:?}");
        prop_assert!(known(receipt.tokens, truth.tokens), "tokens {}", context());
        prop_assert!(known(receipt.lamports, truth.lamports), "lamports {}", context());
        let price = Price { lamports: truth.lamports, tokens: truth.tokens };
        prop_assert!(known(receipt.price, price), "price {}", context());
        prop_assert!(known(receipt.fees, truth.fees), "fees {}", context());
        prop_assert!(known(receipt.account, truth.account), "account {}", context());
        prop_assert!(known(receipt.volume_rent_lamports, truth.volume_rent), "volume {}", context());
        prop_assert!(known(receipt.network_fee_lamports, truth.network_fee), "network fee {}", context());
        prop_assert!(known(receipt.net_lamports, truth.moved), "net {}", context());
        let used = match quote.action {
            _ if !truth.landed => 0,
            Action::BuyExactIn { .. } => worse(quote.fill.tokens, truth.tokens),
            Action::BuyExactOut { .. } => worse(quote.fill.wallet_lamports, truth.lamports).saturating_neg(),
            _ => worse(quote.fill.wallet_lamports, truth.lamports),
        };
        prop_assert!(known(receipt.slippage_used_ppm, used), "slippage {}", context());

        // What must be known.
        if told.lamports {
            prop_assert_eq!(receipt.net_lamports, Figure::Known(truth.moved), "{}", context());
        }
        if told.status && !truth.landed {
            prop_assert!(!receipt.tokens.is_estimated() && !receipt.lamports.is_estimated());
            prop_assert!(!receipt.fees.is_estimated() && !receipt.account.is_estimated());
        }
        let one_rate = scene.launchpad.fee_tiers.len() == 1;
        let told_tokens = told.tokens || told.before && told.after;
        let fixed = one_rate && told_tokens && matches!(quote.action, Action::BuyExactIn { .. })
            && scene.launchpad.completion == Completion::Reject;
        if told.status && truth.landed && fixed {
            prop_assert!(!receipt.lamports.is_estimated() && !receipt.fees.is_estimated(), "{}", context());
        }
        if told.status && told.lamports && told.closed && truth.landed && scene.is_wallet_known
            && quote.side == Side::Sell
        {
            prop_assert!(!receipt.lamports.is_estimated(), "{}", context());
        }

        // An honest reply disagrees about nothing except a fee that could not be charged.
        let mut findings = Vec::new();
        if truth.landed && !told.tokens {
            findings.push(Finding::TokensUnreported);
        }
        let uncharged = truth.network_fee != quote.own_network_fee_lamports;
        if told.lamports && uncharged {
            findings.push(Finding::LamportsDisagree);
        }
        prop_assert!(!told.status || receipt.findings == findings, "{}", context());

        // The position books what the wallet lost or gained.
        if told.lamports && !receipt.account.is_estimated() {
            let mut position = Position::default();
            position.add(&receipt);
            let booked = position.realised_lamports - i128::from(position.cost_lamports)
                + truth.account.wallet_lamports();
            prop_assert_eq!(booked, truth.moved, "{}", context());
        }
    }
}

#[test]
fn the_fees_of_another_tier_are_not_the_quotes() {
    for order in [Order::BuyExactIn { lamports: SOL }, Order::SellShare { share: Share::WHOLE }] {
        let mut scene = Scene { order, slippage_ppm: 50_000, rival: (true, 1_000_000), ..holding() };
        let cap = scene.token.curve.market_cap_lamports(scene.token.supply).expect("a cap");
        scene.launchpad = with_tiers(vec![tier(0, 95, 30), tier(cap + 1, 50, 20)]);
        let (quote, reported, _) = scene.sent();
        assert_eq!(reported.landing, Status::Landed);
        let held = reported.tokens_before;
        let blind = Reported { wallet_lamports_moved: None, ..reported };
        assert!(receipt(&quote, held, &blind).fees.is_estimated());
        let seen = receipt(&quote, held, &reported);
        assert!(seen.fees.is_estimated() && !seen.net_lamports.is_estimated());
        let mut position = Position { tokens: scene.wallet.tokens(), ..Position::default() };
        position.add(&seen);
        let estimated = u64::from(seen.lamports.is_estimated());
        assert_eq!((position.estimated_fees, position.estimated_receipts), (1, estimated));
    }
}

#[test]
fn of_an_unconfirmed_trade_only_what_was_seen_is_known() {
    let (quote, reported, truth) = holding().sent();
    let unconfirmed = |moved| {
        let reported =
            Reported { landing: Status::Unconfirmed, wallet_lamports_moved: Some(moved), ..reported };
        receipt(&quote, reported.tokens_before, &reported)
    };
    let landed = unconfirmed(truth.moved);
    assert_eq!(landed.net_lamports, Figure::Known(-i128::from(SOL) - 5_000));
    assert_eq!(landed.tokens, Figure::Estimated(quote.fill.tokens));
    assert_eq!(landed.lamports, Figure::Estimated(SOL));
    // A wallet that did not move did not buy, whatever the reply expects.
    for moved in [0, -5_000] {
        let idle = unconfirmed(moved);
        assert_eq!((idle.tokens, idle.lamports), (Figure::Estimated(0), Figure::Estimated(0)));
        assert_eq!(idle.net_lamports, Figure::Known(moved));
        let mut position = Position::default();
        position.add(&idle);
        assert_eq!((position.cost_lamports, position.realised_lamports), (0, moved));
        assert_eq!(position.estimated_receipts, 1);
    }
}

#[test]
fn what_was_seen_overrides_a_reply_it_does_not_fit() {
    let moved = |lamports: i128| {
        tampered(Order::BuyExactIn { lamports: SOL }, |reported| {
            reported.wallet_lamports_moved = Some(lamports)
        })
    };
    // Said to have landed, but the wallet paid nothing, or less than the trade.
    let free = moved(0);
    assert_eq!((free.net_lamports, free.lamports), (Figure::Known(0), Figure::Estimated(0)));
    assert_eq!(free.findings, [Finding::LamportsDisagree]);
    let mut position = Position::default();
    position.add(&free);
    assert_eq!((position.cost_lamports, position.realised_lamports), (0, 0));
    // Another network fee than quoted: the order fixes the rest.
    let sponsored = moved(-i128::from(SOL));
    assert_eq!((sponsored.lamports, sponsored.fees.is_estimated()), (Figure::Known(SOL), false));
    assert_eq!(sponsored.network_fee_lamports, Figure::Estimated(0));
    assert_eq!(sponsored.findings, [Finding::LamportsDisagree]);
}

type Tamper = fn(&mut Reported);

/// A receipt of a report that was tampered with, for a trade that went as quoted.
fn tampered(order: Order, tamper: impl FnOnce(&mut Reported)) -> Receipt {
    let (quote, mut reported, _) = Scene { order, ..holding() }.sent();
    let held = reported.tokens_before;
    reported.wallet_lamports_moved = None;
    tamper(&mut reported);
    receipt(&quote, held, &reported)
}

#[test]
fn every_disagreement_is_found() {
    let buy = Order::BuyExactIn { lamports: SOL };
    let sell = Order::SellShare { share: Share::WHOLE };
    let part = Order::SellExactIn { tokens: 1_000_000 };
    let shifted = |told: &mut Reported| (told.tokens_before, told.tokens_after) = (Some(1_000_007), Some(7));
    // The service bought a number of tokens for at most the amount and 30 %.
    let over = |told: &mut Reported| told.wallet_lamports_moved = Some(-i128::from(SOL) * 13 / 10);
    let cases: [(Order, Tamper, &[Finding]); 11] = [
        (buy, |_| {}, &[]),
        (sell, |_| {}, &[]),
        (buy, |told| told.tokens = Some(1), &[Finding::TokensPastBound, Finding::BalancesDisagree]),
        (buy, |told| told.tokens_after = Some(7), &[Finding::BalancesDisagree]),
        (part, |told| told.tokens_after = Some(7), &[Finding::BalancesDisagree]),
        (part, shifted, &[Finding::BalanceBeforeDiffers]),
        (buy, |told| told.landing = Status::Failed, &[Finding::FailedButMoved]),
        (part, |told| told.token_account_closed = Some(true), &[Finding::ClosedWithTokens]),
        (sell, |told| told.token_account_closed = Some(false), &[Finding::LeftOpenEmpty]),
        (buy, |told| told.tokens = None, &[Finding::TokensUnreported]),
        (buy, over, &[Finding::LamportsPastBound, Finding::OverAmount]),
    ];
    for (order, tamper, findings) in cases {
        assert_eq!(tampered(order, tamper).findings, findings);
    }
    let bound = -i128::from(SOL) - 5_000;
    assert_eq!(tampered(buy, |reported| reported.wallet_lamports_moved = Some(bound)).findings, []);
    let past = tampered(buy, |reported| reported.wallet_lamports_moved = Some(bound - 1));
    assert_eq!(past.findings, [Finding::LamportsPastBound]);
    assert_eq!(past.net_lamports, Figure::Known(bound - 1), "the wallet's own lamports are believed");
    assert_eq!(past.lamports, Figure::Known(SOL), "the order allows no more");
    assert_eq!(past.network_fee_lamports, Figure::Estimated(5_001));
}

#[test]
fn an_account_that_stays_open_as_quoted_is_no_finding() {
    let sell = Order::SellShare { share: Share::WHOLE };
    let mut scene = Scene { order: sell, ..holding() };
    scene.wallet.token_account.as_mut().expect("an account").stays_open = true;
    let (quote, reported, _) = scene.sent();
    assert_eq!((reported.tokens_after, reported.token_account_closed), (Some(0), Some(false)));
    let held = reported.tokens_before;
    assert_eq!(receipt(&quote, held, &reported).findings, []);
    let order = Order::SellExactIn { tokens: scene.wallet.tokens() };
    let unknown = Scene { is_wallet_known: false, order, ..scene.clone() }.quote().expect("a quote");
    let found = receipt(&unknown, None, &reported).findings;
    assert_eq!(found, [Finding::LeftOpenEmpty], "nothing said so before");
    // A part was to be sold, and something else took the rest.
    let order = Order::SellExactIn { tokens: scene.wallet.tokens() / 2 };
    let part = Scene { order, ..scene }.quote().expect("a quote");
    let found = receipt(&part, held, &reported).findings;
    assert!(found.contains(&Finding::LeftOpenEmpty), "{found:?}");
}

#[test]
fn what_a_reply_cannot_tell_is_an_estimate() {
    let bought = tampered(Order::BuyExactIn { lamports: SOL }, |_| {});
    assert_eq!(bought.lamports, Figure::Known(SOL));
    assert_eq!(bought.price, Figure::Known(Price { lamports: SOL, tokens: bought.tokens.value() }));
    assert_eq!(
        (bought.account, bought.net_lamports),
        (Figure::Known(AccountChange::None), Figure::Known(-i128::from(SOL) - 5_000))
    );
    // No reply reports that an account opened, but the observed lamports that the order does not explain are rent.
    let (quote, reported, _) = Scene { wallet: plain(2 * SOL), ..holding() }.sent();
    let opened = receipt(&quote, Some(0), &reported);
    let rent = AccountChange::Opens { rent_lamports: rents::token_account() };
    assert_eq!((opened.lamports, opened.account), (Figure::Known(SOL), Figure::Known(rent)));
    assert_eq!(opened.net_lamports, Figure::Known(-i128::from(SOL + rents::token_account() + 5_000)));
    let blind = receipt(&quote, Some(0), &Reported { wallet_lamports_moved: None, ..reported });
    assert_eq!((blind.lamports, blind.account), (Figure::Known(SOL), Figure::Estimated(rent)));
    assert!(blind.net_lamports.is_estimated());
    let sold = tampered(Order::SellShare { share: Share::WHOLE }, |_| {});
    assert!(
        sold.lamports.is_estimated()
            && sold.net_lamports.is_estimated()
            && sold.slippage_used_ppm.is_estimated()
    );
    assert_eq!(
        sold.account,
        Figure::Known(AccountChange::Closes { refund_lamports: rents::token_account() })
    );
    let nothing = Reported::of_bundle(Status::Unconfirmed);
    let silent = tampered(Order::BuyExactIn { lamports: SOL }, |reported| *reported = nothing);
    assert!(silent.tokens.is_estimated() && silent.net_lamports.is_estimated());
    assert_eq!(silent.findings, [], "what is unconfirmed need not tell");
    let failed = tampered(Order::BuyExactIn { lamports: SOL }, |reported| {
        reported.landing = Status::Failed;
        reported.tokens_after = reported.tokens_before;
    });
    assert_eq!((failed.net_lamports, failed.findings), (Figure::Estimated(-5_000), vec![]));
}

#[test]
fn a_profit_is_counted_against_the_average_cost() {
    let share = Share::of_percent("50").expect("a share");
    let scene = Scene { order: Order::SellShare { share }, ..holding() };
    let mut position =
        Position { tokens: scene.wallet.tokens(), cost_lamports: 5 * SOL, ..Position::default() };
    let (quote, reported, truth) = scene.sent();
    let receipt = receipt(&quote, reported.tokens_before, &reported);
    let profit = truth.moved - i128::from(5 * SOL / 2);
    // An odd number of base units leaves half a unit's cost behind.
    assert!((position.profit_of(&receipt).value() - profit).abs() <= 1);
    assert!(!position.profit_of(&receipt).is_estimated());
    position.add(&receipt);
    assert!(position.cost_lamports.abs_diff(5 * SOL / 2) <= 1);
    assert_eq!(position.tokens, truth.wallet_after.tokens());
}

#[test]
fn a_bundles_attribution_is_an_estimate_but_for_wallets_that_paid_no_fee_of_a_failed_one() {
    let Scene { launchpad, token, wallet, .. } = holding();
    let wallets = [wallet, plain(3 * SOL)];
    let legs = [
        WalletOrder { wallet: 1, order: Order::BuyExactIn { lamports: SOL }, slippage_ppm: None },
        WalletOrder { wallet: 0, order: Order::SellShare { share: Share::WHOLE }, slippage_ppm: None },
    ];
    let quote = price(&launchpad, &token, &bundle(&wallets, &legs, 1)).expect("a quote");
    let landed = attribution(&quote, 1, |_| Reported::of_bundle(Status::Landed));
    assert!(
        landed.iter().all(|receipt| receipt.net_lamports.is_estimated() && receipt.tokens.is_estimated())
    );
    assert_eq!(landed[1].net_lamports.value(), -i128::from(SOL + rents::token_account() + 10_000));
    for (receipt, total) in landed.iter().zip(&quote.wallets) {
        assert_eq!(receipt.net_lamports.value(), total.net_lamports);
        assert_eq!(-receipt.side.signed(receipt.tokens.value()), total.net_tokens);
        assert_eq!(receipt.findings, []);
    }
    let failed = attribution(&quote, 1, |_| Reported::of_bundle(Status::Failed));
    assert_eq!(failed[0].net_lamports, Figure::Known(0));
    // A payer without the lamports is charged nothing.
    assert_eq!(failed[1].net_lamports, Figure::Estimated(-10_000));
}

/// What balances prove of a trade whose reply was lost.
fn proven(request: &Tape, operation: Operation, before: &Wallet, after: &Wallet) -> Reported {
    let request = validate(operation, request.root(), &Rules::default()).expect("a request");
    let held = |wallet: &Wallet| WalletBalances {
        slot: None,
        wallet: "W".into(),
        tokens: Some(wallet.tokens()),
        lamports: Some(wallet.lamports),
    };
    let balances = Balances {
        can_still_land: false,
        wallets_shared: false,
        ..Balances::between(&[held(before)], &[held(after)])
    };
    reconcile(&request, &balances).reported("W").expect("a proof")
}

#[test]
fn a_trade_whose_reply_was_lost_reaches_the_books_by_its_balances() {
    let mut token = Launchpad::default().new_token();
    let start = plain(9 * SOL);
    let (mut wallet, mut position) = (start, Position::default());
    for (order, landing) in [
        (Order::BuyExactIn { lamports: SOL }, Status::Landed),
        (Order::SellExactIn { tokens: 10_000_000_000_000 }, Status::Landed),
        (Order::BuyExactIn { lamports: SOL / 7 }, Status::Landed),
        (Order::SellShare { share: Share::WHOLE }, Status::Landed),
    ] {
        let (quote, _, truth) = Scene { token, wallet, order, ..holding() }.sent();
        let after = truth.wallet_after;
        let (operation, request) = match quote.side {
            Side::Buy => (
                Operation::Buy,
                object! {
                    "mint": "M", "fromWallet": "W", "amountInLamports": quote.fill.wallet_lamports,
                    "priorityUnitLimit": 200_000u32, "priorityUnitPrice": 0u32,
                },
            ),
            Side::Sell => (
                Operation::Sell,
                object! {
                    "mint": "M", "fromWallet": "W",
                    "amountInToken": object! { "baseUnits": quote.fill.tokens },
                },
            ),
        };
        let reported = proven(&request, operation, &wallet, &after);
        assert_eq!(reported.landing, landing);
        let receipt = receipt(&quote, Some(wallet.tokens()), &reported);
        assert_eq!(receipt.net_lamports, Figure::Known(moved(&wallet, &after)));
        assert_eq!(receipt.tokens, Figure::Known(after.tokens().abs_diff(wallet.tokens())));
        assert_eq!(receipt.findings, []);
        position.add(&receipt);
        (wallet, token) = (after, truth.token_after);
        assert_eq!(position.check(wallet.tokens()), None);
        let spent = i128::from(position.cost_lamports) + i128::from(position.rent_locked_lamports);
        assert_eq!(position.realised_lamports - spent, moved(&start, &wallet));
    }
    // It never ran: nothing moved, and the books say so.
    let quote = Scene { token, wallet, ..holding() }.quote().expect("a quote");
    let request = object! { "mint": "M", "fromWallet": "W", "amountInLamports": SOL };
    let reported = proven(&request, Operation::Buy, &wallet, &wallet);
    let nothing = receipt(&quote, None, &reported);
    assert_eq!((nothing.landing, nothing.net_lamports), (Status::Failed, Figure::Known(0)));
    let before = position;
    position.add(&nothing);
    assert_eq!(Position { receipts: before.receipts, ..position }, before);
}

#[test]
fn a_first_buy_pays_for_the_volume_account_too_and_no_later_one() {
    let wallet = Wallet { opens_volume_account: true, ..plain(2 * SOL) };
    let (quote, reported, _) = Scene { wallet, ..holding() }.sent();
    let volume = rents::volume_account();
    let spent = SOL + rents::token_account() + volume + 5_000;
    assert_eq!((quote.volume_rent_lamports, quote.net_lamports), (volume, -i128::from(spent)));
    let reported = |moved: Option<u64>| Reported {
        wallet_lamports_moved: moved.map(|moved| -i128::from(moved)),
        ..reported
    };
    let paid = receipt(&quote, Some(0), &reported(Some(spent)));
    assert_eq!(paid.volume_rent_lamports, Figure::Known(volume));
    assert_eq!(paid.account, Figure::Known(AccountChange::Opens { rent_lamports: rents::token_account() }));
    assert_eq!(paid.findings, []);
    // Another buy opened it in between.
    let unpaid = receipt(&quote, Some(0), &reported(Some(spent - volume)));
    assert_eq!(unpaid.volume_rent_lamports, Figure::Known(0));
    assert_eq!(unpaid.findings, []);
    // Whether it did cannot be seen in a reply.
    let unseen = receipt(&quote, Some(0), &reported(None));
    assert_eq!(unseen.volume_rent_lamports, Figure::Estimated(volume));
    assert_eq!(unseen.net_lamports, Figure::Estimated(-i128::from(spent)));
    // No sell gives it back, so it is a cost.
    let mut position = Position::default();
    position.add(&paid);
    assert_eq!(position.cost_lamports, SOL + volume + 5_000);
}
