//! What a token itself decides: whether it trades, and what its creator earns.

use std::num::NonZeroU16;

use launchpad_desk::bindings::{object, reader};
use launchpad_desk::launchpad::cost::Priority;
use launchpad_desk::launchpad::fees::FeeRates;
use launchpad_desk::launchpad::goal::Trader;
use launchpad_desk::launchpad::quote::{Ask, FeePayer, Order, quote};
use launchpad_desk::launchpad::{Completion, Launchpad, Refusal, Token, curve_settings};
use launchpad_desk_sandbox::{Sandbox, SandboxConfig};

use crate::launchpads::{plain, reserves, tier, with_tiers};
use crate::sandbox::post;

const SOL: u64 = 1_000_000_000;

#[test]
fn a_creators_own_rate_replaces_the_tiers() {
    let launchpad = with_tiers(vec![tier(0, 95, 30), tier(40 * u128::from(SOL), 95, 5)]);
    let token = launchpad.new_token();
    let own = Token { creator_bps: NonZeroU16::new(100), ..token };
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
fn a_creator_rate_of_zero_is_none_of_the_tokens_own_as_in_its_account() {
    let settings = object! { "creatorBps": 0u32 };
    let (launchpad, token) = reader::read(settings.root(), curve_settings::read).unwrap();
    assert_eq!(launchpad.rates(&token), launchpad.rates(&launchpad.new_token()));
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
    assert_eq!((token.creator_bps, token.complete), (NonZeroU16::new(100), true));
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

/// The reserves of a token that has moved to a pool: the program sets all of them to zero.
fn migrated(complete: bool) -> Token {
    Token { curve: reserves([0, 0, 0, 0]), complete, ..Launchpad::default().new_token() }
}

#[test]
fn a_token_that_is_complete_or_has_moved_to_a_pool_trades_no_more_whoever_asks() {
    let tiers = with_tiers(vec![tier(0, 95, 30), tier(40 * u128::from(SOL), 95, 30)]);
    let mut with_tokens_left = Launchpad::default().new_token();
    with_tokens_left.complete = true;
    assert!(with_tokens_left.is_complete() && !with_tokens_left.curve.is_complete());
    for launchpad in [Launchpad::default(), tiers] {
        for token in [migrated(false), migrated(true), with_tokens_left] {
            let refused = Refusal::CurveComplete;
            assert_eq!(launchpad.buy_exact_in(&token, SOL, 1), Err(refused));
            assert_eq!(launchpad.buy_exact_out(&token, 1_000_000, u64::MAX), Err(refused));
            assert_eq!(launchpad.sell_exact_in(&token, 1, 1, 0), Err(refused));
            assert_eq!(launchpad.smallest_spend_for(&token, 1), Err(refused));
            let trader = Trader {
                wallet: &plain(9 * SOL),
                fee_payer: FeePayer::Trader,
                priority: Priority::default(),
            };
            assert_eq!(launchpad.largest_buy_within_balance(&token, &trader), Err(refused));
            assert_eq!(launchpad.largest_buy_keeping_exit_fee(&token, &trader), Err(refused));
            let (lamports, tokens) = (SOL, 1);
            for order in
                [Order::BuyExactIn { lamports }, Order::BuyExactOut { tokens }, Order::SellExactIn { tokens }]
            {
                assert_eq!(quote(&launchpad, &token, &Ask::new(order, 5_000)), Err(refused));
            }
        }
        for token in [migrated(false), migrated(true)] {
            assert_eq!(launchpad.rates(&token), Err(Refusal::CurveComplete));
        }
    }
    // One that has tokens and no price was never a token of the launchpad.
    let odd = Token { curve: reserves([0, 0, 1, 0]), ..migrated(false) };
    assert_eq!(Launchpad::default().rates(&odd), Err(Refusal::EmptyCurve));
}

#[test]
fn a_sandbox_begins_with_a_token_that_has_moved_to_a_pool() {
    let sandbox = |complete: bool| {
        let token = object! { "mint": "M", "curve": reserves([0, 0, 0, 0]), "supply": "1000000000000000", "complete": complete };
        let wallet = object! { "wallet": "W", "lamports": SOL };
        let settings = object! { "tokens": vec![token], "wallets": vec![wallet] };
        Sandbox::new(SandboxConfig::read(settings.root()).unwrap())
    };
    for complete in [true, false] {
        let mut sandbox = sandbox(complete).unwrap();
        assert!(sandbox.tokens()[0].complete);
        let reply = post(
            &mut sandbox,
            "/v1/trade/buy",
            r#"{"mint":"M","fromWallet":"W","amountInLamports":1000000}"#,
        );
        let said = String::from_utf8(reply.reply.body).unwrap();
        assert!(said.contains("curve_complete"), "{said}");
        // What it has become can be kept, and begun with again.
        assert!(Sandbox::restore(sandbox.config().clone(), &sandbox.snapshot()).is_ok());
        assert!(sandbox.advance(60_000).is_ok());
    }
}
