//! What is true for every trade: nothing is created or lost, a quote is what happens, and bounds are kept.

use crate::launchpads::first_buy;
use crate::{sandbox, seeded};

use launchpad_desk::api::endpoint::Operation;
use launchpad_desk::bindings::object;
use launchpad_desk::tape::{Data, Number, Tape, ToTape, json};
use launchpad_desk_sandbox::{Sandbox, SandboxConfig};
use proptest::prelude::*;
use sandbox::{ADA, BOB, CYD, MINT, at, body, post, sandbox, sandbox_with, text, wallet};

const WALLETS: [&str; 3] = [ADA, BOB, CYD];

/// Lamports of all sizes: dust, ordinary, more than anyone has.
fn lamports() -> impl Strategy<Value = u64> {
    prop_oneof![1..2_000u64, 1_000_000..2_000_000_000u64, Just(u64::MAX), 0..=200_000_000_000u64]
        .prop_map(|n| n.max(1))
}

/// How much a leg trades, as its field.
fn amount(operation: Operation) -> BoxedStrategy<(&'static str, Tape)> {
    match operation {
        Operation::Buy | Operation::BundleBuy => {
            lamports().prop_map(|n| ("amountInLamports", Number(n.into()).to_tape())).boxed()
        }
        Operation::Sell | Operation::BundleSell => {
            let tokens = prop_oneof!["[1-9][0-9]{0,8}\\.[0-9]{1,6}", "0\\.00000[1-9]", "[1-9][0-9]{0,12}"];
            tokens.prop_map(|n| ("amountInToken", Data::Number(&n).to_tape())).boxed()
        }
        _ => {
            let percentage =
                prop_oneof![Just("100".to_owned()), "[1-9][0-9]?(\\.[0-9]{1,5})?", "0\\.0{0,30}1"];
            percentage.prop_map(|n| ("percentage", Data::Number(&n).to_tape())).boxed()
        }
    }
}

fn leg(operation: Operation) -> impl Strategy<Value = Tape> {
    (prop::sample::select(&WALLETS), amount(operation)).prop_map(|(wallet, (name, amount))| {
        Tape::object(&[("fromWallet", wallet.to_tape()), (name, amount)])
    })
}

/// A valid request for one of these tokens; the launchpad decides how it ends.
pub fn request(mints: &'static [&'static str]) -> impl Strategy<Value = (Operation, Tape)> {
    let operation = prop::sample::select(Operation::ALL.to_vec());
    let common = (
        prop::option::of(prop::sample::select(vec!["0", "0.5", "20", "100", "1000"])),
        prop::option::of(0..2_000_000_000u64),
        prop::sample::select(&WALLETS),
        prop::sample::select(mints),
    );
    (operation, common).prop_flat_map(|(operation, (slippage, price, payer, mint))| {
        let size = if operation.is_bundle() { 1..6 } else { 1..2 };
        prop::collection::vec(leg(operation), size).prop_map(move |legs| {
            let list = legs.to_tape();
            let mut fields: Vec<(&str, Tape)> = match (operation.is_bundle(), operation.is_buy()) {
                (false, _) => {
                    legs[0].root().fields().unwrap().map(|(name, field)| (name, field.to_tape())).collect()
                }
                (_, true) => vec![("buys", list)],
                (_, false) => vec![("sells", list)],
            };
            fields.push(("mint", mint.to_tape()));
            fields.push(("feePayer", payer.to_tape()));
            fields.push(("slippage", slippage.map(Data::Number).to_tape()));
            fields.push(("priorityUnitPrice", price.map(|price| Number(price.into())).to_tape()));
            (operation, Tape::object(&fields))
        })
    })
}

/// Base units of the token that curve and wallets have, where nobody else trades.
fn issued(sandbox: &Sandbox) -> u64 {
    let accounts = sandbox.state().token_accounts.iter().filter(|row| row.mint == MINT);
    let curve = sandbox.tokens().into_iter().find(|token| token.mint == MINT).expect("the token");
    curve.real_token_reserves + accounts.map(|row| row.tokens).sum::<u64>()
}

/// What a failed transaction may not move: everything but the fee payer's lamports, the counters and the log.
fn unmoved(sandbox: &Sandbox, payer: &str) -> (Vec<Tape>, Vec<u64>) {
    let state = sandbox.state();
    let others = state.wallets.iter().filter(|row| row.wallet != payer).map(ToTape::to_tape);
    let accounts = state.token_accounts.iter().map(ToTape::to_tape);
    (others.chain(accounts).collect(), state.wallets.iter().map(|row| row.level.get()).collect())
}

proptest! {
    #![proptest_config(seeded::cases(150))]

    #[test]
    fn nothing_is_made_or_lost_and_a_quote_is_what_happens(requests in prop::collection::vec(request(&[MINT]), 1..12)) {
        let mut sandbox = sandbox();
        let (lamports, tokens, mut levels) = (sandbox.state().lamports(), issued(&sandbox), 0);
        for (operation, request) in requests {
            let quote = sandbox.quote(operation, request.root()).expect("a request that can be made");
            let before = sandbox.clone();
            let answer = post(&mut sandbox, operation.path(), &json::write(&request));
            prop_assert_eq!(answer.reply.status, 200);
            prop_assert_eq!((sandbox.state().lamports(), issued(&sandbox)), (lamports, tokens));
            prop_assert_eq!(sandbox.state().check_books(), Ok(()));

            let trade = sandbox.trades().last().expect("a transaction is logged").clone();
            prop_assert_eq!(trade.success, quote.refused.is_none());
            prop_assert_eq!(trade.network_fee_lamports, quote.network_fee_lamports);
            for (id, after) in quote.wallets.iter().zip(&quote.after) {
                prop_assert_eq!(wallet(&sandbox, id).lamports, after.lamports);
                let account = sandbox.state().token_account(id, MINT).map(|row| row.account());
                prop_assert_eq!(account, after.token_account);
            }
            if let Some(refused) = &quote.refused {
                prop_assert!(trade.results.starts_with(refused.refusal.as_str()));
                prop_assert_eq!(unmoved(&sandbox, &trade.fee_payer), unmoved(&before, &trade.fee_payer));
                prop_assert_eq!(sandbox.tokens(), before.tokens());
                let paid = wallet(&before, &trade.fee_payer).lamports - wallet(&sandbox, &trade.fee_payer).lamports;
                prop_assert_eq!(paid, trade.network_fee_lamports);
            } else {
                let priced = quote.quote.expect("what lands has a price");
                for (leg, expected) in trade.legs.iter().zip(&priced.legs) {
                    prop_assert_eq!((leg.tokens, leg.lamports), (expected.fill.tokens, expected.fill.wallet_lamports));
                }
                levels += if operation.is_buy() { trade.legs.len() as u64 } else { 0 };
            }
            prop_assert_eq!(sandbox.account().level.get(), levels);
            prop_assert_eq!(sandbox.wallets().iter().map(|wallet| wallet.level.get()).sum::<u64>(), levels);
        }
    }

    #[test]
    fn bounds_hold_against_rivals(requests in prop::collection::vec(request(&[MINT]), 1..12), seed in 0..1_000u64) {
        let market = object! { "seed": seed, "alive": true, "inFlightMs": 4_000u32, "launchEveryMs": 0u32 };
        let mut sandbox = sandbox_with(&object! { "market": market });
        for (operation, request) in requests {
            let before = sandbox.clone();
            post(&mut sandbox, operation.path(), &json::write(&request));
            prop_assert_eq!(sandbox.state().check_books(), Ok(()));
            let trade = sandbox.trades().last().expect("a transaction is logged");
            if !trade.success {
                prop_assert_eq!(unmoved(&sandbox, &trade.fee_payer), unmoved(&before, &trade.fee_payer));
                continue;
            }
            let priced = before.quote(operation, request.root()).expect("good").quote.expect("what lands had a price");
            for (leg, expected) in trade.legs.iter().zip(&priced.legs) {
                prop_assert!(leg.tokens >= expected.worst_tokens, "{:?} under {:?}", leg, expected);
                let fair = if operation.is_buy() { leg.lamports <= expected.worst_wallet_lamports } else { leg.lamports >= expected.worst_wallet_lamports };
                prop_assert!(fair, "{:?} past {:?}", leg, expected);
            }
        }
    }
}

#[test]
fn a_price_that_moves_past_the_slippage_costs_the_network_fee_alone() {
    let price = |sandbox: &Sandbox| sandbox.tokens()[2].virtual_sol_reserves;
    let buy = |sandbox: &mut Sandbox, slippage: &str| {
        let mint = &sandbox.tokens()[2].mint;
        let request = object! { "mint": mint, "fromWallet": ADA, "amountInLamports": 1_000_000u64, "slippage": Data::Number(slippage) };
        body(&post(sandbox, Operation::Buy.path(), &json::write(&request)))
    };
    let success = |reply: &Tape| at(reply.root(), "result.transactionResult.success") == Data::Bool(true);
    // One that a crowd buys.
    let fails = |seed: u64| {
        let mut sandbox = sandbox_with(&object! { "market": object! { "alive": true, "seed": seed } });
        let (before, reply) = (price(&sandbox), buy(&mut sandbox, "0"));
        (!success(&reply)).then_some((before, sandbox, reply))
    };
    let (before, mut sandbox, reply) = (1..100).find_map(fails).expect("a price that rises");
    let results = text(reply.root(), "result.transactionResult.results.message");
    assert!(results.starts_with("below_minimum_tokens: "), "{results}");
    let ada = wallet(&sandbox, ADA);
    assert_eq!((ada.lamports, ada.level.get(), ada.token_accounts.len()), (100_000_000_000 - 5_000, 0, 0));
    assert!(price(&sandbox) > before, "the rivals' trades stay");
    assert!(success(&buy(&mut sandbox, "90")));
}

#[test]
fn an_elements_slippage_overrides_the_main_one_and_half_a_percent_stands_in_for_none() {
    let sandbox = sandbox_with(&object! { "defaultSlippage": object! { "percent": 2u32 } });
    let ppm = |operation, request: Tape| -> Vec<u32> {
        let quote = sandbox.quote(operation, request.root()).expect("good").quote.expect("a price");
        quote.legs.iter().map(|leg| leg.slippage_ppm).collect()
    };
    let number = Data::Number;
    let legs = || {
        let leg = |slippage: Data| object! { "fromWallet": ADA, "amountInLamports": 1_000_000u64, "slippage": slippage };
        vec![leg(number("1.5")), leg(Data::Null), leg(number("0"))]
    };
    let bundle = |main: Data| object! { "buys": legs(), "mint": MINT, "feePayer": ADA, "slippage": main };
    assert_eq!(ppm(Operation::BundleBuy, bundle(number("3"))), [15_000, 30_000, 0]);
    assert_eq!(ppm(Operation::BundleBuy, bundle(Data::Null)), [15_000, 5_000, 0]);
    let single = |slippage: Data| object! { "mint": MINT, "fromWallet": ADA, "amountInLamports": 1_000_000u64, "slippage": slippage };
    assert_eq!(ppm(Operation::Buy, single(Data::Null)), [20_000]);
    assert_eq!(ppm(Operation::Buy, single(object! { "bps": 5u32 }.root().data())), [500]);
    assert_eq!(ppm(Operation::Buy, single(number("500"))), [5_000_000]);
    // Wider than parts per million can express: refused, not narrowed.
    let wide = |slippage| {
        sandbox
            .quote(Operation::Buy, single(number(slippage)).root())
            .map_err(|problems| problems[0].message.clone())
    };
    assert_eq!(wide("429496.7296").expect_err("too wide"), "slippage is over 429496.7295 %");
    let leg = object! { "fromWallet": ADA, "amountInLamports": 5u32, "slippage": number("1e9") };
    let bundle = object! { "buys": vec![leg], "mint": MINT, "feePayer": ADA };
    let problems = sandbox.quote(Operation::BundleBuy, bundle.root());
    assert_eq!(problems.expect_err("too wide")[0].field, "buys[0].slippage");
    let config = SandboxConfig::read(object! { "defaultSlippage": object! { "percent": 500_000u32 } }.root());
    assert_eq!(config.expect_err("too wide")[0].message, "defaultSlippage is over 429496.7295 %");
}

#[test]
fn a_quote_names_what_is_missing_and_moves_nothing() {
    let sandbox = sandbox();
    let before = sandbox.clone();
    let quote = |operation, request: &Tape| {
        sandbox.quote(operation, request.root()).expect("a request that can be made")
    };
    let request = object! { "mint": MINT, "fromWallet": CYD, "amountInLamports": 1_000_000_000u64 };
    let short = quote(Operation::Buy, &request);
    let refused = short.refused.expect("rent and fee come on top");
    assert_eq!((refused.refusal.as_str(), refused.field.as_str()), ("insufficient_lamports", ""));
    assert_eq!(short.quote.expect("a price all the same").legs[0].fill.tokens, first_buy(1_000_000_000).0);
    assert_eq!((short.before[0].lamports, short.after[0].lamports), (1_000_000_000, 1_000_000_000 - 5_000));
    let sells = vec![object! { "fromWallet": ADA, "percentage": 5u32 }];
    let none =
        quote(Operation::BundleSellByPercentage, &object! { "sells": sells, "mint": MINT, "feePayer": BOB });
    let refused = none.refused.expect("nothing to sell");
    assert_eq!((refused.refusal.as_str(), refused.field.as_str()), ("token_account_not_open", "sells[0]"));
    assert_eq!(
        (none.wallets, none.leg_wallets, none.network_fee_lamports),
        (vec![ADA.into(), BOB.into()], vec![ADA.into()], 10_000)
    );
    let problems =
        sandbox.quote(Operation::Buy, object! { "mint": MINT }.root()).expect_err("two fields are missing");
    assert_eq!(problems.len(), 2);
    assert_eq!(sandbox, before);
}
