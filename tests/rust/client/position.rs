//! `position_of` makes of a buy the position that it opened, to the lamport, after a restart too; where something is missing for that, it
//! says what. `tests/chain/position.test.mjs` has each case of that.

use crate::rents;
use std::sync::Arc;
use std::time::Duration;

use super::market::{Desk, Fate, own_wallets, run};
use super::sandbox;
use crate::exits::plan;

use launchpad_desk::intent::IntentOutcome;
use launchpad_desk::prelude::*;
use launchpad_desk::strategy::{ExitHappening, ExitPosition, NoPosition};
use launchpad_desk::trade::guard::Found;
use launchpad_desk_client::{Client, ClientError, MemoryJournal};
use launchpad_desk_sandbox::local_chain::ChainFaults;

const SOL: u64 = 1_000_000_000;
const PART: u64 = 100_000_000;

fn world(settings: &str, journal: Option<&Arc<MemoryJournal>>) -> (Desk, Client<Desk>, String, Vec<String>) {
    let desk = Desk::new(settings, ChainFaults::default());
    let client = desk.client_with(journal, own_wallets()).build().unwrap();
    let (mint, wallets) = desk.names();
    (desk, client, mint, wallets)
}

fn lamports(desk: &Desk, wallet: usize) -> i128 {
    desk.with(|world| world.sandbox.wallets()[wallet].lamports.into())
}

fn missing(asked: Result<ExitPosition, ClientError>) -> NoPosition {
    asked.unwrap_err().no_position().unwrap()
}

/// A buy of this size, and its position; what the wallet has paid is the position's cost and its rent.
fn bought(world: &(Desk, Client<Desk>, String, Vec<String>), id: &str, buy: BuyRequest) -> ExitPosition {
    let (desk, client, ..) = world;
    let before = lamports(desk, 0);
    run(client.buy(buy).intent_id(id)).unwrap();
    let paid = before - lamports(desk, 0);
    let position = run(client.position_of(id)).unwrap();
    assert_eq!(i128::from(position.cost_lamports) + i128::from(position.rent_locked_lamports), paid, "{id}");
    let leg = desk.last_trade().unwrap().legs.swap_remove(0);
    assert_eq!((position.id.as_str(), position.tokens), (id, leg.tokens));
    position
}

#[test]
fn a_buy_is_a_position_to_the_lamport_by_its_transaction() {
    let world = world("{}", None);
    let (desk, client, mint, wallets) = &world;
    let buy = || BuyRequest::new(mint, &wallets[0], SOL);
    let position = bought(&world, "first", buy());
    let costs = |position: &ExitPosition| (position.cost_lamports, position.rent_locked_lamports);
    assert_eq!(costs(&position), (1_000_005_000, rents::token_account()));
    assert_eq!((&position.mint, &position.wallet, &position.fee_payer), (mint, &wallets[0], &None));
    let (opened_at_ms, now_ms) = (position.opened_at_ms.unwrap().0, desk.with(|world| world.now_ms));
    assert!(opened_at_ms <= now_ms && now_ms - opened_at_ms < 60_000, "{opened_at_ms} {now_ms}");

    // Its account is open now, and another wallet pays the network.
    let mut dear = buy();
    (dear.priority_unit_limit, dear.priority_unit_price) = (Some(200_000), Some(1_000_000));
    let again = bought(&world, "again", dear);
    assert_eq!(costs(&again), (1_000_205_000, 0));
    let paid = bought(&world, "paid", buy().fee_payer(&wallets[1]));
    assert_eq!((paid.cost_lamports, paid.fee_payer.as_ref()), (SOL, Some(&wallets[1])));

    // Each wallet of a bundle has a position of its own.
    let bundle = BundleBuyRequest::new(mint, &wallets[2]).buy(&wallets[1], PART).buy(&wallets[2], PART);
    run(client.bundle_buy(bundle.buy(&wallets[1], PART)).intent_id("bundle")).unwrap();
    assert_eq!(missing(run(client.position_of("bundle"))), NoPosition::SeveralWallets);
    assert_eq!(missing(run(client.position_of_wallet("bundle", &wallets[0]))), NoPosition::OtherWallet);
    let legs = desk.last_trade().unwrap().legs;
    let second = run(client.position_of_wallet("bundle", &wallets[1])).unwrap();
    assert_eq!((second.id, second.fee_payer), (format!("bundle/{}", wallets[1]), Some(wallets[2].clone())));
    assert_eq!((second.tokens, second.cost_lamports), (legs[0].tokens + legs[2].tokens, 2 * PART));
    let third = run(client.position_of_wallet("bundle", &wallets[2])).unwrap();
    assert_eq!((third.tokens, third.cost_lamports), (legs[1].tokens, PART + 5_000 * 2));
}

#[test]
fn what_the_volume_account_costs_is_a_cost_and_no_rent_that_comes_back() {
    let settings = r#"{"wallets":[{"wallet":"SimTraderAda1111111111111111111111111111111","lamports":9000000000,"opensVolumeAccount":true}]}"#;
    let world = world(settings, None);
    let (_, _, mint, wallets) = &world;
    let position = bought(&world, "first", BuyRequest::new(mint, &wallets[0], SOL));
    assert_eq!(position.cost_lamports, 1_000_005_000 + rents::volume_account());
    assert_eq!(position.rent_locked_lamports, rents::token_account());
}

#[test]
fn a_buy_whose_answer_was_lost_is_a_position_after_a_restart() {
    let journal = Arc::new(MemoryJournal::default());
    let (desk, client, mint, wallets) = world("{}", Some(&journal));
    desk.with(|world| world.fate = Fate::ReplyLost);
    let lost = run(client.buy(BuyRequest::new(&mint, &wallets[0], SOL)).intent_id("signal-1")).unwrap_err();
    assert_eq!(lost.outcome, Outcome::Unknown);
    drop(client);
    let client = desk.client_with(Some(&journal), own_wallets()).build().unwrap();
    // Nothing proves it yet.
    assert_eq!(missing(run(client.position_of("signal-1"))), NoPosition::InDoubt);
    desk.wait(60_000);
    let position = run(client.position_of("signal-1")).unwrap();
    assert_eq!(position.cost_lamports, 1_000_005_000);
    assert_eq!(run(client.ended_trade("signal-1")).unwrap().unwrap().outcome, IntentOutcome::Landed);

    // And once more, from what the journal has of a trade that has ended.
    let client = desk.client_with(Some(&journal), own_wallets()).build().unwrap();
    assert_eq!(run(client.position_of("signal-1")).unwrap(), position);
}

#[test]
fn what_is_missing_is_named() {
    let (desk, client, mint, wallets) = world("{}", None);
    let of = |id: &str| missing(run(client.position_of(id)));
    let buy = || BuyRequest::new(&mint, &wallets[0], SOL);
    desk.with(|world| world.fate = Fate::RequestLost);
    assert!(run(client.buy(buy()).intent_id("lost")).is_err());
    assert_eq!((of("nobody"), of("lost")), (NoPosition::NotRecorded, NoPosition::InDoubt));
    run(client.acknowledge("lost", Found::Landed)).unwrap();
    assert_eq!(of("lost"), NoPosition::NoSignature);
    // A word of the service that no transaction bears out.
    desk.with(|world| world.fate = Fate::Invented);
    run(client.buy(buy()).intent_id("invented")).unwrap();
    assert_eq!(of("invented"), NoPosition::NotShown);

    // Without a market nothing says what it cost.
    let blind = Client::new(desk.clone());
    run(blind.buy(buy()).intent_id("blind")).unwrap();
    let why = run(blind.position_of("blind")).unwrap_err();
    let told = "the position is not known: The client has no market that shows transactions: what the trade cost is in no reply.";
    assert_eq!(why.to_string(), told);
}

#[test]
fn exits_say_what_they_have_received_so_that_profit_is_one_subtraction() {
    let (sandbox, mint, wallet) = sandbox("{}");
    let held = || i128::from(sandbox.sandbox().wallets()[0].lamports);
    let before = held();
    let client = Client::builder(sandbox.clone()).market(sandbox.clone()).build().unwrap();
    run(client.buy(BuyRequest::new(&mint, &wallet, SOL)).intent_id("signal-1")).unwrap();
    let position = run(client.position_of("signal-1")).unwrap();
    let plan = plan(r#"{ "takeProfit": [{ "at": "0.5x", "sell": "40%" }], "slippage": { "percent": 5 } }"#);
    let mut managed = client.manage(position.clone(), plan, sandbox.clone()).every(Duration::from_millis(1));
    let mut events = Vec::new();
    while let Some(event) = run(managed.next()) {
        let event = event.unwrap();
        if event.what != ExitHappening::Ordered {
            events.push((event.what, event.sold_tokens, event.received_lamports));
        }
        if event.what == ExitHappening::Landed && events.len() == 1 {
            managed.controls().close_now();
        }
    }
    let [
        (ExitHappening::Landed, Some(part), Some(first)),
        (ExitHappening::Landed, Some(rest), Some(second)),
        (ExitHappening::Over, Some(all), Some(received)),
    ] = events[..]
    else {
        panic!("{events:?}")
    };
    assert_eq!((part + rest, all, first + second), (position.tokens, position.tokens, received));
    assert_eq!(received - i128::from(position.cost_lamports), held() - before, "the rent came back");
}
