//! What a token itself decides: whether it trades, and what its creator earns.

use launchpad_desk::bindings::{object, reader};
use launchpad_desk::launchpad::fees::{FeeRates, FeeTier};
use launchpad_desk::launchpad::quote::{Ask, Order, quote};
use launchpad_desk::launchpad::{Completion, Launchpad, Refusal, Token, curve_settings};

const SOL: u64 = 1_000_000_000;

#[test]
fn a_complete_token_trades_no_more_even_with_tokens_left() {
    let launchpad = Launchpad::default();
    let token = Token { complete: true, ..launchpad.new_token() };
    assert!(token.is_complete() && !token.curve.is_complete());
    let refusals = [
        launchpad.buy_exact_in(&token, SOL, 1),
        launchpad.buy_exact_out(&token, 1_000_000, u64::MAX),
        launchpad.sell_exact_in(&token, 1, 1, 0),
    ];
    assert!(refusals.iter().all(|refused| *refused == Err(Refusal::CurveComplete)), "{refusals:?}");
    assert_eq!(launchpad.smallest_spend_for(&token, 1), Err(Refusal::CurveComplete));
    for order in [
        Order::BuyExactIn { lamports: SOL },
        Order::BuyExactOut { tokens: 1 },
        Order::SellExactIn { tokens: 1 },
    ] {
        assert_eq!(quote(&launchpad, &token, &Ask::new(order, 5_000)).unwrap_err(), Refusal::CurveComplete);
    }
}

#[test]
fn a_creators_own_rate_replaces_the_tiers() {
    let tier = |threshold, protocol, creator| FeeTier {
        market_cap_threshold_lamports: threshold,
        rates: FeeRates::new(protocol, creator).unwrap(),
    };
    let launchpad = Launchpad {
        fee_tiers: vec![tier(0, 95, 30), tier(40 * u128::from(SOL), 95, 5)],
        ..Launchpad::default()
    };
    let token = launchpad.new_token();
    let own = Token { creator_bps: Some(100), ..token };
    assert!(!launchpad.rates_are_fixed(&token));
    assert!(launchpad.rates_are_fixed(&own), "the protocol's rate is the same in both");
    assert_eq!(launchpad.rates(&own), Ok(FeeRates::new(95, 100).unwrap()));
    let (tiers, owns) =
        (launchpad.buy_exact_in(&token, SOL, 1).unwrap(), launchpad.buy_exact_in(&own, SOL, 1).unwrap());
    assert!(owns.fees.creator_lamports > tiers.fees.creator_lamports && owns.tokens < tiers.tokens);
    let nobody = Token { has_creator: false, ..own };
    assert_eq!(launchpad.rates(&nobody), Ok(FeeRates::new(95, 0).unwrap()));
}

#[test]
fn without_tiers_nothing_is_priced() {
    let launchpad = Launchpad { fee_tiers: Vec::new(), ..Launchpad::default() };
    assert_eq!(launchpad.buy_exact_in(&launchpad.new_token(), SOL, 1), Err(Refusal::NoFeeTier));
}

#[test]
fn a_buy_that_the_future_pool_would_fill_has_a_refusal_of_its_own() {
    let launchpad = Launchpad { completion: Completion::Pool, ..Launchpad::default() };
    let token = launchpad.new_token();
    let past = token.curve.real_token_reserves + 1;
    assert_eq!(launchpad.buy_exact_out(&token, past, u64::MAX), Err(Refusal::FilledFromPool));
    assert_eq!(launchpad.buy_exact_in(&token, 200 * SOL, 1), Err(Refusal::FilledFromPool));
    assert_eq!(launchpad.smallest_spend_for(&token, past), Err(Refusal::FilledFromPool));
    assert_eq!(launchpad.buy_exact_in(&token, SOL, 1), Launchpad::default().buy_exact_in(&token, SOL, 1));
}

#[test]
fn settings_say_all_of_it() {
    let settings = object! {
        "hasCreator": true, "creatorBps": 100u32, "complete": true,
        "launchpad": object! { "completion": "pool", "blockhashBlocks": 151u32 },
    };
    let (launchpad, token) = reader::read(settings.root(), curve_settings::read).unwrap();
    assert_eq!((token.creator_bps, token.complete), (Some(100), true));
    assert_eq!((launchpad.completion, launchpad.blockhash_blocks), (Completion::Pool, 151));
    for (wrong, message) in [
        (object! { "creatorBps": 10_001u32 }, "creatorBps must be from 0 to 10000"),
        (
            object! { "launchpad": object! { "blockhashBlocks": 149u32 } },
            "launchpad.blockhashBlocks must be from 150 to 4294967295",
        ),
    ] {
        assert_eq!(reader::read(wrong.root(), curve_settings::read).unwrap_err()[0].message, message);
    }
}
