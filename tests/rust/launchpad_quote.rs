//! What a quote says besides its amounts: prices, impact, bounds, nets and warnings.

use crate::launchpads::{account, holding, orders, plain, tier, traded, wallets, with_tiers};
use crate::{oracle, rents, seeded};

use launchpad_desk::launchpad::account::{Share, TokenAccount, rent_lamports};
use launchpad_desk::launchpad::cost::Priority;
use launchpad_desk::launchpad::curve::Price;
use launchpad_desk::launchpad::fees::{FeeRates, FeeTier};
use launchpad_desk::launchpad::goal::Trader;
use launchpad_desk::launchpad::quote::{
    AccountChange, Ask, FeePayer, Order, Quote, Side, Warning, numbers, quote,
};
use launchpad_desk::launchpad::transaction::{Action, Executed, Instruction, Transaction, Wallet, execute};
use launchpad_desk::launchpad::view::{MAX_SAFE, leg_quote};
use launchpad_desk::launchpad::{Completion, Curve, Launchpad, Refusal, Token};
use num_bigint::BigInt;
use oracle::{any_size, big, curves, rates};
use proptest::prelude::*;

const SOL: u64 = 1_000_000_000;

fn ceil_div(numerator: BigInt, denominator: BigInt) -> BigInt {
    (numerator + &denominator - 1) / denominator
}

/// `|average / spot − 1|` in basis points, ceiled.
fn impact(before: &Curve, quote: &Quote) -> BigInt {
    let paid = big(quote.fill.curve_lamports) * before.virtual_token_reserves;
    let spot = big(quote.fill.tokens) * before.virtual_sol_reserves;
    let off = if paid > spot { &paid - &spot } else { &spot - &paid };
    ceil_div(off * 10_000, spot)
}

/// `|spot after / spot before − 1|` in basis points, ceiled; `None` if no virtual tokens are left.
fn spot_move(before: &Curve, after: &Curve) -> Option<BigInt> {
    let moved = big(after.virtual_sol_reserves) * before.virtual_token_reserves;
    let spot = big(before.virtual_sol_reserves) * after.virtual_token_reserves;
    let off = if moved > spot { &moved - &spot } else { &spot - &moved };
    (spot > big(0)).then(|| ceil_div(off * 10_000, spot))
}

/// Whether the formula itself, before it rounds to whole lamports and base units, is this far from the spot price, to
/// the next basis point: `t / (vt ∓ t)`.
fn is_far_unrounded(before: &Curve, quote: &Quote, bps: u64) -> bool {
    let vt = big(before.virtual_token_reserves);
    let after = if quote.side == Side::Buy { vt - quote.fill.tokens } else { vt + quote.fill.tokens };
    after == big(0) || ceil_div(big(quote.fill.tokens) * 10_000, after) >= big(bps)
}

proptest! {
    #![proptest_config(seeded::cases(2_000))]

    #[test]
    fn quotes_add_up(
        curve in curves(), order in orders(any_size), wallet in proptest::option::of(wallets()), rates in rates(), supply in any_size(),
        slippage_ppm in prop_oneof![Just(5_000u32), 0u32..=1_000_000, any::<u32>()],
        limit in proptest::option::of(any_size()), price in proptest::option::of(any_size()),
        pays in any::<bool>(), partial in any::<bool>(), has_creator in any::<bool>()
    ) {
        let launchpad = Launchpad {
            fee_tiers: vec![FeeTier { market_cap_threshold_lamports: 0, rates }],
            completion: if partial { Completion::Partial } else { Completion::Reject },
            ..Launchpad::default()
        };
        let token = Token { has_creator, ..Token::new(curve, supply) };
        let ask = Ask {
            wallet: wallet.as_ref(),
            fee_payer: if pays { FeePayer::Trader } else { FeePayer::Other },
            priority: Priority { unit_limit: limit, unit_price_micro_lamports: price },
            ..Ask::new(order, slippage_ppm)
        };
        let quote = quote(&launchpad, &token, &ask);
        prop_assert_eq!(numbers(&launchpad, &token, &ask).err(), quote.as_ref().err().copied());
        let Ok(quote) = quote else { return Ok(()) };
        let fill = quote.fill;

        let impact = impact(&curve, &quote);
        prop_assert_eq!(big(quote.impact_bps), impact.min(big(u64::MAX)));
        let spot_move = spot_move(&curve, &fill.curve_after).unwrap_or(big(u64::MAX));
        prop_assert_eq!(big(quote.spot_move_bps), spot_move.min(big(u64::MAX)));
        // In a request's quote, too, both are numbers that JavaScript holds exactly.
        let leg = leg_quote(&quote, "W", 6);
        prop_assert_eq!(leg.price_impact_bps.0, quote.impact_bps.min(MAX_SAFE).into());
        prop_assert_eq!(leg.spot_move_bps.0, quote.spot_move_bps.min(MAX_SAFE).into());
        prop_assert_eq!(quote.completion, launchpad.completion);
        prop_assert!(quote.rates_fixed);
        let cap = |curve: &Curve| big(curve.virtual_sol_reserves) * supply / curve.virtual_token_reserves;
        prop_assert_eq!(BigInt::from(quote.market_cap_before_lamports), cap(&curve));
        prop_assert_eq!(BigInt::from(quote.market_cap_after_lamports), cap(&fill.curve_after));
        prop_assert_eq!(quote.average, Price { lamports: fill.curve_lamports, tokens: fill.tokens });
        prop_assert_eq!(quote.spot_after, fill.curve_after.spot_price());
        prop_assert!(has_creator || fill.fees.creator_lamports == 0);

        let fee = price.map_or(big(0), |price| ceil_div(big(limit.unwrap_or(200_000)) * price, 1_000_000.into()));
        prop_assert_eq!(big(quote.network_fee_lamports), fee + 5_000 * if pays { 1 } else { 2 });
        let own_fee = if pays { i128::from(quote.network_fee_lamports) } else { 0 };
        let rent = match (quote.side, wallet.and_then(|wallet| wallet.token_account)) {
            (Side::Buy, None) if wallet.is_some() => -i128::from(rents::token_account()),
            (Side::Sell, Some(account)) if account.tokens == fill.tokens && !account.stays_open => i128::from(account.lamports),
            _ => 0,
        };
        prop_assert_eq!(quote.account.wallet_lamports(), rent);
        prop_assert_eq!(quote.account == AccountChange::Unknown, wallet.is_none());
        let opens = quote.side == Side::Buy && wallet.is_some_and(|wallet| wallet.opens_volume_account);
        prop_assert_eq!(quote.volume_rent_lamports, if opens { rents::volume_account() } else { 0 });
        let others = rent - i128::from(quote.volume_rent_lamports) - own_fee;
        prop_assert_eq!(quote.net_lamports, quote.side.signed(fill.wallet_lamports) + others);
        prop_assert_eq!(quote.worst_net_lamports, quote.side.signed(quote.worst_wallet_lamports) + others);
        prop_assert!(quote.worst_net_lamports <= quote.net_lamports);

        // The bound lets the trade through at the curve it was made on, and is as tight as the slippage says.
        let ppm = slippage_ppm.min(1_000_000);
        match quote.action {
            Action::BuyExactIn { lamports, min_tokens } => {
                prop_assert_eq!(order, Order::BuyExactIn { lamports });
                let floored: BigInt = big(fill.tokens) * (1_000_000 - ppm) / 1_000_000;
                prop_assert_eq!(big(min_tokens), floored.max(big(1)));
                prop_assert_eq!((quote.worst_tokens, quote.worst_wallet_lamports), (min_tokens, lamports));
                prop_assert_eq!(launchpad.buy_exact_in(&token, lamports, min_tokens), Ok(fill));
            }
            Action::BuyExactOut { tokens, max_lamports } => {
                prop_assert_eq!(order, Order::BuyExactOut { tokens });
                let ceiled = ceil_div(big(fill.wallet_lamports) * (1_000_000 + u64::from(slippage_ppm)), 1_000_000.into());
                prop_assert_eq!(big(max_lamports), ceiled.min(big(u64::MAX)));
                prop_assert_eq!(quote.worst_wallet_lamports, max_lamports);
                prop_assert_eq!(launchpad.buy_exact_out(&token, tokens, max_lamports), Ok(fill));
            }
            Action::SellExactIn { tokens, min_lamports } => {
                let floored: BigInt = big(fill.wallet_lamports) * (1_000_000 - ppm) / 1_000_000;
                prop_assert_eq!(big(min_lamports), floored.max(big(1)).min(big(fill.wallet_lamports)));
                prop_assert_eq!(launchpad.sell_exact_in(&token, tokens, tokens, min_lamports), Ok(fill));
            }
            Action::OpenTokenAccount | Action::CloseTokenAccount => prop_assert!(false, "no trade"),
        }
        let warns = |warning| quote.warnings.contains(&warning);
        let far = quote.impact_bps > 500 && is_far_unrounded(&curve, &quote, 500);
        prop_assert_eq!(warns(Warning::HighImpact), far);
        prop_assert_eq!(warns(Warning::SlippageOverBounds), slippage_ppm > 100_000);
        prop_assert_eq!(warns(Warning::WalletUnknown), wallet.is_none());
        prop_assert_eq!(warns(Warning::CompletesCurve), fill.curve_after.real_token_reserves == 0);
        prop_assert!(partial || !warns(Warning::PartialFill));
    }

    #[test]
    fn shares_are_floored(held in any_size(), numerator in any::<u128>(), denominator in any::<u128>(), down in 0u32..120) {
        let (numerator, denominator) = (numerator >> down, denominator >> down);
        match Share::new(numerator, denominator) {
            None => prop_assert!(numerator == 0 || numerator > denominator || denominator >= 1 << 127),
            Some(share) => {
                let exact = big(held) * BigInt::from(numerator) / BigInt::from(denominator);
                prop_assert_eq!(big(share.of(held)), exact);
            }
        }
    }

    #[test]
    fn percentages_are_exact(held in any_size(), whole in 0u32..=110, fraction in "[0-9]{1,36}") {
        let text = format!("{whole}.{fraction}");
        let scale = BigInt::from(10).pow(fraction.len() as u32);
        let mantissa = BigInt::from(whole) * &scale + fraction.parse::<BigInt>().expect("digits");
        match Share::of_percent(&text) {
            None => prop_assert!(mantissa == 0.into() || mantissa > &scale * 100),
            Some(share) => prop_assert_eq!(big(share.of(held)), big(held) * mantissa / (scale * 100)),
        }
    }

    #[test]
    fn prices_are_exact_to_a_nano_lamport(lamports in any_size(), tokens in any_size(), decimals in 0u8..20) {
        let price = Price { lamports, tokens }.nano_lamports_per_token(decimals);
        if tokens == 0 || decimals > 18 {
            prop_assert_eq!(price, None);
        } else if let Some(price) = price {
            let scale = BigInt::from(10).pow(u32::from(decimals) + 9);
            prop_assert_eq!(BigInt::from(price), big(lamports) * scale / tokens);
        } else {
            prop_assert!(decimals > 9, "every usual token has a price");
        }
    }
}

#[test]
fn invalid_percentages_are_refused() {
    for text in ["", ".", "1.", ".5", "-1", "+1", "1e2", " 1", "0", "0.0", "100.0000001", "101", "٣", "1,5"]
    {
        assert_eq!(Share::of_percent(text), None, "{text}");
    }
    let longest = format!("0.{}1", "0".repeat(35));
    assert!(Share::of_percent(&longest).is_some());
    assert_eq!(Share::of_percent(&format!("{longest}0")), None, "one digit more");
    assert_eq!(Share::of_percent(&format!("1{}", "0".repeat(40))), None);
}

fn quoted(order: Order, held: u64) -> Result<Quote, Refusal> {
    let ask = Ask { wallet: Some(&holding(SOL, held)), ..Ask::new(order, 5_000) };
    quote(&Launchpad::default(), &traded(), &ask)
}

fn sold(tokens: u64, held: u64) -> Result<Quote, Refusal> {
    quoted(Order::SellExactIn { tokens }, held)
}

/// What these actions of a wallet do in one transaction.
fn sent(wallet: Wallet, actions: &[Action]) -> Executed {
    let steps: Vec<_> = actions.iter().map(|&action| Instruction { wallet: 0, action }).collect();
    let transaction =
        Transaction { fee_payer: 0, signatures: 1, priority: Priority::default(), steps: &steps };
    execute(&Launchpad::default(), &traded(), &[wallet], &transaction)
}

#[test]
fn a_sale_of_everything_closes_each_account_that_the_wallet_may_close() {
    let (launchpad, token) = (Launchpad::default(), traded());
    for (lamports, stays_open) in [(7, false), (0, false), (7, true)] {
        let account = TokenAccount { lamports, stays_open, ..account(1_000_000) };
        let wallet = Wallet { token_account: Some(account), ..plain(SOL) };
        let ask = Ask { wallet: Some(&wallet), ..Ask::new(Order::SellShare { share: Share::WHOLE }, 5_000) };
        let quoted = quote(&launchpad, &token, &ask).expect("a quote");
        let closes = AccountChange::Closes { refund_lamports: lamports };
        assert_eq!(quoted.account, if stays_open { AccountChange::None } else { closes });
        let both = [quoted.action, Action::CloseTokenAccount];
        // The token program lets only the close authority close it, and its error undoes the sale, too.
        let refused = sent(wallet, &both).outcome.err().map(|failure| failure.refusal);
        assert_eq!(refused, stays_open.then_some(Refusal::TokenAccountStaysOpen));
        let after = sent(wallet, if stays_open { &both[..1] } else { &both }).wallets[0];
        let left = TokenAccount { tokens: 0, ..account };
        assert_eq!(after.token_account, stays_open.then_some(left));
        assert_eq!(i128::from(after.lamports) - i128::from(SOL), quoted.net_lamports);
    }
}

#[test]
fn a_frozen_account_neither_sells_nor_buys_and_no_amount_is_found_for_it() {
    let (launchpad, token) = (Launchpad::default(), traded());
    let free = holding(SOL, 1_000_000);
    let account = TokenAccount { is_frozen: true, ..free.token_account.expect("an account") };
    let frozen = Wallet { token_account: Some(account), ..free };
    let actions = [
        Action::SellExactIn { tokens: 1_000, min_lamports: 0 },
        Action::BuyExactIn { lamports: SOL / 100, min_tokens: 1 },
        Action::BuyExactOut { tokens: 1_000, max_lamports: SOL / 100 },
    ];
    let orders = [
        Order::SellExactIn { tokens: 1_000 },
        Order::SellShare { share: Share::WHOLE },
        Order::BuyExactIn { lamports: SOL / 100 },
        Order::BuyExactOut { tokens: 1_000 },
    ];
    for (wallet, refused) in [(free, None), (frozen, Some(Refusal::TokenAccountFrozen))] {
        for order in orders {
            let ask = Ask { wallet: Some(&wallet), ..Ask::new(order, 5_000) };
            assert_eq!(quote(&launchpad, &token, &ask).err(), refused, "{order:?}");
        }
        for action in actions {
            let failed = sent(wallet, &[action]).outcome.err();
            assert_eq!(failed.map(|failure| failure.refusal), refused, "{action:?}");
        }
        let trader = Trader { wallet: &wallet, fee_payer: FeePayer::Other, priority: Priority::default() };
        assert_eq!(launchpad.largest_buy_within_balance(&token, &trader).err(), refused);
        assert_eq!(launchpad.smallest_sell_bringing(&token, &trader, 1).err(), refused);
        assert_eq!(launchpad.break_even(&token, &trader, 1).err(), refused);
    }
}

#[test]
fn what_a_sell_leaves_behind_is_reported() {
    let warned = |tokens, held| sold(tokens, held).expect("a quote").warnings;
    assert_eq!(warned(1_000_000_000, 1_000_000_000), []);
    assert_eq!(warned(1_000_000_000, 2_000_000_000_000_000), []);
    assert_eq!(warned(1_000_000_000, 1_000_000_001), [Warning::DustLeft, Warning::AccountCannotClose]);
    // Worth the fee of a signature, but not the rent that it locks.
    assert_eq!(warned(1_000_000_000, 2_000_000_000), [Warning::AccountCannotClose]);
    assert_eq!(warned(1, 1), [Warning::NoProceeds]);
    assert_eq!(sold(1, 1).expect("a quote").action, Action::SellExactIn { tokens: 1, min_lamports: 0 });
    assert_eq!(sold(2, 1), Err(Refusal::NotEnoughTokensHeld));
    let share = Share::of_percent("33").expect("a share");
    assert_eq!(quoted(Order::SellShare { share }, 3), Err(Refusal::PercentageSellsNothing));
}

#[test]
fn an_amount_in_the_wrong_unit_is_suspected() {
    let (launchpad, token) = (Launchpad::default(), traded());
    let warned = |order| quote(&launchpad, &token, &Ask::new(order, 5_000)).expect("a quote").warnings;
    // One SOL was meant, but one lamport (or a few) was given.
    assert!(warned(Order::BuyExactIn { lamports: 5 }).contains(&Warning::UnitSuspicion));
    assert!(!warned(Order::BuyExactIn { lamports: SOL }).contains(&Warning::UnitSuspicion));
    // One thousand tokens were meant, but that many base units were given.
    assert!(warned(Order::SellExactIn { tokens: 1_000 }).contains(&Warning::UnitSuspicion));
    assert!(!warned(Order::SellExactIn { tokens: 1_000_000_000 }).contains(&Warning::UnitSuspicion));
}

#[test]
fn rates_are_fixed_where_every_tier_has_the_same() {
    let token = Launchpad::default().new_token();
    let orphan = Token { has_creator: false, ..token };
    let fixed = |fee_tiers, token| with_tiers(fee_tiers).rates_are_fixed(token);
    assert!(fixed(vec![tier(0, 95, 30)], &token));
    assert!(fixed(vec![tier(0, 95, 30), tier(9, 95, 30)], &token));
    assert!(!fixed(vec![tier(0, 95, 30), tier(9, 95, 20)], &token));
    assert!(fixed(vec![tier(0, 95, 30), tier(9, 95, 20)], &orphan), "it pays no creator");
    assert!(!fixed(vec![tier(0, 95, 30), tier(9, 50, 30)], &orphan));
}

#[test]
fn a_buy_past_the_end_is_refused_or_takes_the_rest() {
    let reject = Launchpad::default();
    let partial = Launchpad { completion: Completion::Partial, ..Launchpad::default() };
    let token = reject.new_token();
    let ask = Ask::new(Order::BuyExactIn { lamports: 100 * SOL }, 5_000);
    assert_eq!(quote(&reject, &token, &ask), Err(Refusal::NotEnoughTokensOnCurve));
    let rest = quote(&partial, &token, &ask).expect("a quote");
    assert_eq!(rest.fill.tokens, token.curve.real_token_reserves);
    assert!(rest.fill.wallet_lamports < 100 * SOL);
    assert!(
        rest.warnings.contains(&Warning::PartialFill) && rest.warnings.contains(&Warning::CompletesCurve)
    );
    let exact = Ask::new(Order::BuyExactOut { tokens: token.curve.real_token_reserves }, 5_000);
    let whole = quote(&partial, &token, &exact).expect("a quote");
    assert!(!whole.warnings.contains(&Warning::PartialFill), "nothing was cut");
    assert_eq!(whole.fill, rest.fill);
    let complete = Token { curve: rest.fill.curve_after, ..token };
    assert_eq!(quote(&partial, &complete, &ask), Err(Refusal::CurveComplete));
}

#[test]
fn tiers_are_chosen_by_the_market_cap_before_the_trade() {
    let tier = |threshold, bps| tier(threshold, bps, 0);
    let token = Launchpad::default().new_token();
    let cap = token.curve.market_cap_lamports(token.supply).expect("a cap");
    let charged = |fee_tiers| with_tiers(fee_tiers).rates(&token).map(FeeRates::protocol_bps);
    assert_eq!(charged(vec![tier(0, 95), tier(cap, 50), tier(cap + 1, 20)]), Ok(50));
    assert_eq!(charged(vec![tier(0, 95), tier(cap + 1, 50)]), Ok(95));
    assert_eq!(
        charged(vec![tier(cap + 2, 95), tier(cap + 1, 50)]),
        Ok(95),
        "the first, where none is reached"
    );
    assert_eq!(charged(vec![tier(cap, 50), tier(0, 95)]), Ok(50), "in any order");
    assert_eq!(charged(vec![tier(0, 95), tier(u128::MAX, 50)]), Ok(95));
    assert_eq!(charged(vec![]), Err(Refusal::NoFeeTier));
    assert_eq!(FeeRates::new(10_001, 0), None);
}

#[test]
fn rents_are_by_the_byte() {
    assert_eq!(rent_lamports(165, 5_080), Some(1_488_440));
    assert_eq!(rent_lamports(170, 6_960), Some(2_074_080));
    assert_eq!(rent_lamports(u64::MAX, 1), None);
    assert_eq!(rent_lamports(1, u64::MAX), None);
}
