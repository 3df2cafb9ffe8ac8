//! Orders that reach a goal, against quotes of the same orders and of those one unit off.

use crate::launchpads::{account, holding, plain, reserves, tier, wallets, with_rates, with_tiers};
use crate::{oracle, rents, seeded};

use launchpad_desk::api::response::Status;
use launchpad_desk::launchpad::account::{Share, TokenAccount};
use launchpad_desk::launchpad::cost::Priority;
use launchpad_desk::launchpad::fees::{FeeRates, FeeTier};
use launchpad_desk::launchpad::goal::{BreakEven, Trader};
use launchpad_desk::launchpad::position::Position;
use launchpad_desk::launchpad::quote::{Ask, FeePayer, Order, Quote, quote};
use launchpad_desk::launchpad::receipt::{Reported, receipt};
use launchpad_desk::launchpad::transaction::Wallet;
use launchpad_desk::launchpad::{Curve, Launchpad, Refusal, Token};
use oracle::{any_size, curves, rates, real_curve};
use proptest::prelude::*;

fn payers() -> impl Strategy<Value = FeePayer> {
    prop_oneof![Just(FeePayer::Trader), Just(FeePayer::Other)]
}

/// Three tiers, the fees falling as the market cap grows, around where a real curve is.
fn tiered([second, third]: [u64; 2]) -> Launchpad {
    with_tiers(vec![tier(0, 95, 30), tier(second.into(), 50, 20), tier(third.into(), 300, 5)])
}

fn token(curve: Curve) -> Token {
    Token::new(curve, 1_000_000_000_000_000)
}

fn quoted(launchpad: &Launchpad, token: &Token, trader: &Trader, order: Order) -> Result<Quote, Refusal> {
    let ask = Ask { wallet: Some(trader.wallet), fee_payer: trader.fee_payer, ..Ask::new(order, 5_000) };
    quote(launchpad, token, &ask)
}

fn gains(launchpad: &Launchpad, token: &Token, trader: &Trader, tokens: u64, lamports: u64) -> bool {
    quoted(launchpad, token, trader, Order::SellExactIn { tokens })
        .is_ok_and(|quote| quote.net_lamports >= i128::from(lamports))
}

/// The curve after others brought it this many lamports, in one buy without fees.
fn after_inflow(curve: &Curve, lamports: u64) -> Option<Curve> {
    Some(curve.buy_exact_in(lamports, 0, FeeRates::NONE).ok()?.curve_after)
}

proptest! {
    #![proptest_config(seeded::cases(1_500))]

    #[test]
    fn the_smallest_sell_bringing_a_gain_is_exact(
        curve in curves(), wallet in wallets(), fee_payer in payers(), rates in rates(), goal in any_size(),
        other in any_size()
    ) {
        let (launchpad, token) = (with_rates(rates), token(curve));
        let trader = Trader { wallet: &wallet, fee_payer, priority: Priority::default() };
        match launchpad.smallest_sell_bringing(&token, &trader, goal) {
            Ok(tokens) => {
                prop_assert!(gains(&launchpad, &token, &trader, tokens, goal));
                for less in [1, 2, 3, 1_000, other] {
                    let under = tokens.saturating_sub(less);
                    prop_assert!(under == tokens || !gains(&launchpad, &token, &trader, under, goal));
                }
            }
            Err(_) => {
                prop_assert!(!gains(&launchpad, &token, &trader, other, goal));
                prop_assert!(!gains(&launchpad, &token, &trader, wallet.tokens(), goal));
            }
        }
    }

    #[test]
    fn a_break_even_on_any_curve_holds_and_one_lamport_less_does_not(
        curve in curves(), wallet in wallets(), rates in rates(), cost in any_size()
    ) {
        let (launchpad, token) = (with_rates(rates), token(curve));
        let trader = Trader { wallet: &wallet, fee_payer: FeePayer::Trader, priority: Priority::default() };
        let all = wallet.tokens();
        let even = |curve| gains(&launchpad, &Token { curve, ..token }, &trader, all, cost);
        match launchpad.break_even(&token, &trader, cost) {
            Ok(BreakEven::Now { tokens }) => {
                prop_assert!(gains(&launchpad, &token, &trader, tokens, cost));
                prop_assert!(!gains(&launchpad, &token, &trader, tokens - 1, cost));
            }
            Ok(BreakEven::After { inflow_lamports, curve: moved, spot_price }) => {
                prop_assert!(!even(curve));
                prop_assert_eq!(after_inflow(&curve, inflow_lamports), Some(moved));
                prop_assert_eq!(spot_price, moved.spot_price());
                prop_assert!(even(moved));
                let less = after_inflow(&curve, inflow_lamports - 1);
                prop_assert!(less.is_none_or(|less| !even(less)));
            }
            Err(_) => prop_assert!(!even(curve)),
        }
    }

    #[test]
    fn a_break_even_across_fee_tiers_is_the_first(
        curve in real_curve(), part in 1u64..200, up in 1u64..400, caps in (1u64..60, 1u64..60), other in any_size()
    ) {
        // Bought here, at this cost. The price must rise by some percent, past tiers that begin on the way.
        let token = token(curve);
        let cap = curve.market_cap_lamports(token.supply).expect("a cap") as u64;
        let second = cap + cap / 100 * caps.0;
        let launchpad = tiered([second, second + cap / 100 * caps.1]);
        let share = Share::new(u128::from(part), 1_000).expect("a share");
        let tokens = share.of(1_073_000_000_000_000 - curve.virtual_token_reserves);
        prop_assume!(tokens > 1_000_000);
        let wallet = holding(0, tokens);
        let trader = Trader { wallet: &wallet, fee_payer: FeePayer::Trader, priority: Priority::default() };
        let Ok(worth) = launchpad.sell_exact_in(&token, tokens, tokens, 0) else { return Ok(()) };
        let cost = worth.wallet_lamports + worth.wallet_lamports / 1_000 * up;
        let even = |inflow| {
            let curve = after_inflow(&curve, inflow)?;
            Some(gains(&launchpad, &Token { curve, ..token }, &trader, tokens, cost))
        };
        match launchpad.break_even(&token, &trader, cost) {
            Ok(BreakEven::Now { .. }) => prop_assert!(gains(&launchpad, &token, &trader, tokens, cost)),
            Ok(BreakEven::After { inflow_lamports, .. }) => {
                prop_assert_eq!(even(inflow_lamports), Some(true));
                for less in [1, 2, 3, 1_000, other % inflow_lamports, inflow_lamports / 2] {
                    prop_assert!(less == 0 || even(inflow_lamports.saturating_sub(less)) != Some(true));
                }
            }
            Err(refusal) => {
                prop_assert_eq!(refusal, Refusal::OutOfReach);
                prop_assert_ne!(even(other), Some(true));
            }
        }
    }
}

/// How many inflows are tried; fees of nearly the whole can ask for more.
const TRIED: u64 = 4_000;

proptest! {
    #![proptest_config(seeded::cases(375))]

    /// Small curves whose reserves may not be consistent, compared with trying every inflow.
    #[test]
    fn a_break_even_on_any_small_curve_is_the_first(
        vt in 1u64..60, vs in 1u64..60, rt in 1u64..60, rs in 0u64..60, held in 1u64..90, refund in 0u64..4, cost in 0u64..60,
        fees in prop_oneof![Just((95u16, 30u16)), Just((500, 380)), Just((0, 0)), Just((5_000, 5_000)), (0u16..6_000, 0u16..6_000)],
        further in proptest::option::of((1u128..200, 0u16..5_000)),
        stays_open in any::<bool>(),
    ) {
        let curve = reserves([vt, vs, rt, rs]);
        let token = Token::new(curve, 100);
        let mut launchpad = with_rates(FeeRates::new(fees.0, fees.1).expect("rates"));
        if let (Some((percent, bps)), Ok(cap)) = (further, curve.market_cap_lamports(token.supply)) {
            let rates = FeeRates::new(bps, 0).expect("rates");
            launchpad.fee_tiers.push(FeeTier { market_cap_threshold_lamports: cap + cap * percent / 100 + 1, rates });
        }
        let account = TokenAccount { lamports: refund, stays_open, ..account(held) };
        let wallet = Wallet { token_account: Some(account), ..plain(0) };
        let trader = Trader { wallet: &wallet, fee_payer: FeePayer::Other, priority: Priority::default() };
        let now = (1..=held).find(|tokens| gains(&launchpad, &token, &trader, *tokens, cost));
        let later = || {
            let moved = (1..TRIED).map_while(|inflow| Some((inflow, after_inflow(&curve, inflow)?)));
            let even = |curve| gains(&launchpad, &Token { curve, ..token }, &trader, held, cost);
            moved.into_iter().find(|(_, curve)| even(*curve)).map(|(inflow, _)| inflow)
        };
        match launchpad.break_even(&token, &trader, cost) {
            Ok(BreakEven::Now { tokens }) => prop_assert_eq!(Some(tokens), now),
            Ok(BreakEven::After { inflow_lamports, .. }) => {
                prop_assert_eq!(now, None);
                prop_assert_eq!(Some(inflow_lamports).filter(|inflow| *inflow < TRIED), later());
            }
            Err(_) => prop_assert_eq!((now, later()), (None, None)),
        }
    }
}

proptest! {
    #![proptest_config(seeded::cases(750))]

    /// A buy, then trades by others, then the exit at the break-even and one unit off it.
    #[test]
    fn a_position_breaks_even_at_what_it_cost_without_the_rent(
        spent in prop_oneof![10_000_000..2_000_000_000u64, 100_000..20_000_000u64],
        early in 0..20_000_000_000u64,
        others in prop_oneof![0..40_000_000_000u64, 0..300_000_000u64],
        is_open in any::<bool>(),
        fee_payer in payers(),
    ) {
        let launchpad = Launchpad::default();
        let mut token = launchpad.new_token();
        token.curve = after_inflow(&token.curve, early + 1).expect("a curve");
        let rent = rents::token_account();
        let token_account = is_open.then(|| account(0));
        let mut wallet = Wallet { lamports: 3_000_000_000, token_account, ..Wallet::default() };
        let start = wallet.lamports;
        let trader = Trader { wallet: &wallet, fee_payer, priority: Priority::default() };
        let entry = quoted(&launchpad, &token, &trader, Order::BuyExactIn { lamports: spent }).expect("a quote");
        let reported = |quote: &Quote, wallet: &Wallet, closes| Reported {
            tokens: Some(quote.fill.tokens),
            tokens_before: Some(wallet.tokens()),
            token_account_closed: closes,
            wallet_lamports_moved: Some(quote.net_lamports),
            ..Reported::of_bundle(Status::Landed)
        };
        let mut position = Position::default();
        position.add(&receipt(&entry, Some(0), &reported(&entry, &wallet, None)));
        prop_assert_eq!(position.cost_lamports, entry.fill.wallet_lamports + entry.own_network_fee_lamports);
        wallet.lamports = u64::try_from(i128::from(start) + entry.net_lamports).expect("lamports");
        wallet.token_account = Some(account(entry.fill.tokens));
        token.curve = after_inflow(&entry.fill.curve_after, others + 1).expect("a curve");

        // What a sell leaves against the cost; what is locked in the account comes back, or is still there.
        let trader = Trader { wallet: &wallet, fee_payer, priority: Priority::default() };
        let nets = |curve, tokens| {
            let quote = quoted(&launchpad, &Token { curve, ..token }, &trader, Order::SellExactIn { tokens }).ok()?;
            Some(quote.net_lamports - quote.account.wallet_lamports() - i128::from(position.cost_lamports))
        };
        let all = position.tokens;
        // The wallet's account says nothing about the position.
        let unknown = plain(0);
        let blind = position.break_even(&launchpad, &token, &Trader { wallet: &unknown, ..trader });
        let exit = position.break_even(&launchpad, &token, &trader);
        prop_assert_eq!(blind, exit);
        match exit {
            Ok(BreakEven::Now { tokens }) => {
                prop_assert!(tokens <= all);
                prop_assert!(nets(token.curve, tokens) >= Some(0), "{:?}", nets(token.curve, tokens));
                prop_assert!(nets(token.curve, tokens - 1) < Some(0));
            }
            Ok(BreakEven::After { inflow_lamports, curve, .. }) => {
                prop_assert!(nets(token.curve, all) < Some(0));
                prop_assert!(nets(curve, all) >= Some(0), "{:?}", nets(curve, all));
                prop_assert!(after_inflow(&token.curve, inflow_lamports - 1).is_none_or(|less| nets(less, all) < Some(0)));
                // The wallet has at least what it had before the entry, to the lamport, and the position no loss.
                let moved = Token { curve, ..token };
                let sell = quoted(&launchpad, &moved, &trader, Order::SellShare { share: Share::WHOLE }).expect("a quote");
                let refund = if is_open { i128::from(rent) } else { 0 };
                prop_assert!(i128::from(wallet.lamports) + sell.net_lamports >= i128::from(start) + refund);
                position.add(&receipt(&sell, Some(all), &reported(&sell, &wallet, Some(true))));
                prop_assert!(position.realised_lamports >= 0);
                prop_assert_eq!(position.tokens, 0);
            }
            Err(refusal) => prop_assert!(false, "{refusal:?}"),
        }
    }
}

#[test]
fn a_position_without_tokens_has_nothing_to_recover() {
    let launchpad = Launchpad::default();
    let wallet = plain(0);
    let trader = Trader { wallet: &wallet, fee_payer: FeePayer::Trader, priority: Priority::default() };
    let exit = Position::default().break_even(&launchpad, &launchpad.new_token(), &trader);
    assert_eq!(exit, Ok(BreakEven::Now { tokens: 0 }));
}

/// After 18 lamports the curve can pay for everything, and after 11 it could already; between them it cannot.
#[test]
fn a_curve_that_can_pay_its_sellers_now_and_then_is_met_when_it_first_can() {
    let curve = reserves([14, 27, 10, 18]);
    let launchpad = with_rates(FeeRates::new(500, 380).expect("rates"));
    let wallet = Wallet { token_account: Some(TokenAccount { lamports: 1, ..account(41) }), ..plain(0) };
    let trader = Trader { wallet: &wallet, fee_payer: FeePayer::Other, priority: Priority::default() };
    let Ok(BreakEven::After { inflow_lamports, .. }) = launchpad.break_even(&token(curve), &trader, 19)
    else {
        panic!("a break-even that others bring about")
    };
    assert_eq!(inflow_lamports, 11);
}

/// Every one of these has a curve that could not pay its sellers for longer than anyone waits.
#[test]
fn a_curve_that_never_pays_is_given_up() {
    let launchpad = with_rates(FeeRates::NONE);
    for (vt, vs, held, unreal) in [(1_000_000, 1_000_000, 500_000_000_000, 3), (1 << 31, 1 << 33, 1 << 62, 5)]
    {
        let curve = reserves([vt, vs, vt, vs - unreal]);
        let wallet =
            Wallet { token_account: Some(TokenAccount { lamports: 0, ..account(held) }), ..plain(0) };
        let trader = Trader { wallet: &wallet, fee_payer: FeePayer::Other, priority: Priority::default() };
        match launchpad.break_even(&token(curve), &trader, vs) {
            Ok(BreakEven::After { curve, .. }) => {
                assert!(gains(&launchpad, &token(curve), &trader, held, vs));
            }
            other => assert_eq!(other, Err(Refusal::OutOfReach)),
        }
    }
}
