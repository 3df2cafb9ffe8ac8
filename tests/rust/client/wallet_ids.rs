//! Wallets that a service names by ids of its own: what is known of them without an address, and with a table of addresses. The cases are those
//! of `tests/chain/wallet-ids.test.mjs`.

use std::sync::{Arc, Mutex};

use super::Notes;
use super::market::{Desk, Fate, own_wallets, run};

use launchpad_desk::chain::wallets::WalletAddresses;
use launchpad_desk::intent::IntentOutcome;
use launchpad_desk::market::read::Commitment;
use launchpad_desk::prelude::*;
use launchpad_desk::trade::settle::UnknownReason;
use launchpad_desk_client::{ClientError, Looks, MarketOptions, MemoryJournal, Note, RpcMarket};
use launchpad_desk_sandbox::local_chain::ChainFaults;
use serde_json::Value;

const SOL: u64 = 1_000_000_000;
const SEVEN: &str = "wallet-7";
const EIGHT: &str = "6f1c0e9a-3b57-4c1e-9a55-0d2f4b8f7a10";
const SENTENCE: &str = "the wallet wallet-7 is no address: the market's walletAddresses can give it one";

/// A custodian's service, and what its client's market is told.
fn world(table: &[(&str, usize)]) -> (Desk, MarketOptions, String, Vec<String>) {
    let desk = Desk::new("{}", ChainFaults::default());
    let (mint, wallets) = desk.names();
    desk.with(|world| world.ids = vec![(SEVEN, wallets[0].clone()), (EIGHT, wallets[1].clone())]);
    let entries = table.iter().map(|(id, place)| (*id, wallets[*place].as_str()));
    let options = MarketOptions {
        commitment: Commitment::Processed,
        wallet_addresses: WalletAddresses::new(entries).unwrap(),
        ..own_wallets()
    };
    (desk, options, mint, wallets)
}

/// What the market does not say before a trade.
fn silence(_: &str, note: Note<'_>) -> Option<String> {
    match note {
        Note::MarketSilent(why) => Some(why.to_string()),
        _ => None,
    }
}

fn price_of(plan: &Plan) -> Value {
    serde_json::from_str::<Value>(&plan.to_json()).unwrap()["price"].clone()
}

#[test]
fn without_its_address_a_wallet_trades_and_one_sentence_says_what_is_not_known() {
    let (desk, options, mint, _) = world(&[]);
    let said = Arc::new(Mutex::new(Vec::new()));
    let journal = Arc::new(MemoryJournal::default());
    let hooks = Notes(said.clone(), silence);
    let client = desk.client_with(Some(&journal), options).hooks(hooks).build().unwrap();
    let plan = run(client.buy(BuyRequest::new(&mint, SEVEN, SOL)).plan()).unwrap();
    assert_eq!(price_of(&plan)["legs"][0]["tokenAccount"], "unknown");
    assert_eq!(price_of(&plan).get("refused"), Some(&Value::Null));
    let traded = run(client.send(&plan)).unwrap();
    assert!(desk.last_trade().unwrap().success);
    assert_eq!(traded.trade.result.wallet.as_deref(), Some(SEVEN));

    let half = SellByPercentageRequest::new(&mint, SEVEN, "50".parse().unwrap());
    let half = run(client.sell_by_percentage(half).plan()).unwrap();
    assert_eq!(price_of(&half)["refused"]["code"], "holdings_unknown");
    assert!(half.refused.is_none());
    run(client.send(&half)).unwrap();

    desk.with(|world| world.fate = Fate::ReplyLost);
    run(client.buy(BuyRequest::new(&mint, SEVEN, SOL)).intent_id("lost")).unwrap_err();
    desk.with(|world| world.fate = Fate::Answered);
    let settled = run(client.settle()).unwrap();
    let lost = &settled.iter().find(|one| one.intent_id == "lost").unwrap().settled;
    let no_address = Some(UnknownReason::NoAddress);
    assert_eq!((lost.outcome, lost.reason), (IntentOutcome::Unknown, no_address));
    assert_eq!(lost.problem.as_deref(), Some(SENTENCE));
    let silent = |why: ClientError| why.market().unwrap().to_string();
    let signature = traded.trade.signature().unwrap();
    desk.wait(60_000);
    assert_eq!(silent(run(client.drift(&plan, signature)).unwrap_err()), SENTENCE);
    assert_eq!(silent(run(client.position_of(&plan.intent_id)).unwrap_err()), SENTENCE);
    assert!(said.lock().unwrap().iter().any(|why| why == SENTENCE), "{said:?}");
}

#[test]
fn with_its_address_a_wallet_is_looked_at_a_position_and_compared_by_the_services_id() {
    let (desk, options, mint, wallets) = world(&[(SEVEN, 0), (EIGHT, 1), ("of nobody here", 2)]);
    let journal = Arc::new(MemoryJournal::default());
    let client = desk.client_with(Some(&journal), options.clone()).build().unwrap();
    let plan = run(client.buy(BuyRequest::new(&mint, SEVEN, SOL)).intent_id("bought").plan()).unwrap();
    assert_eq!(price_of(&plan)["legs"][0]["tokenAccount"], "opens");
    let traded = run(client.send(&plan)).unwrap();
    desk.wait(5_000);
    let drift = run(client.drift(&plan, traded.trade.signature().unwrap())).unwrap();
    assert_eq!((drift.causes.len(), drift.wallets[0].wallet.as_str()), (0, SEVEN));
    let position = run(client.position_of("bought")).unwrap();
    assert_eq!(position.wallet, SEVEN);

    let (node, clock) = (desk.clone(), desk.clone());
    let post = move |body: String| {
        let reply = node.with(|world| world.chain.answer(body.as_bytes(), world.now_ms));
        std::future::ready(Ok(reply.body))
    };
    let market = RpcMarket::new(post, options).clock(move || clock.with(|world| world.now_ms));
    let ids = [SEVEN, EIGHT, "wallet-9"].map(str::to_owned);
    let look = run(market.look_at(&mint, &ids)).unwrap();
    let held: Vec<&str> = look.wallets.iter().map(|own| own.wallet.as_str()).collect();
    assert_eq!((held, look.unknown_wallets.as_slice()), (vec![SEVEN, EIGHT], &ids[2..]));
    let by_address = run(market.look(&mint.parse().unwrap(), &[wallets[0].parse().unwrap()])).unwrap();
    assert_eq!(by_address.wallets[0], look.wallets[0]);
}

#[test]
fn a_table_names_each_value_that_is_no_address_and_gives_an_address_one_id() {
    let (_, _, _, wallets) = world(&[]);
    let messages = |entries: &[(&str, &str)]| match WalletAddresses::new(entries.iter().copied()) {
        Ok(_) => Vec::new(),
        Err(error) => error.fields.into_iter().map(|field| field.message).collect(),
    };
    assert_eq!(messages(&[(SEVEN, &wallets[0]), (SEVEN, &wallets[0])]), [""; 0]);
    let none = |id| format!("walletAddresses.{id} must be an address: base58 of 32 bytes");
    assert_eq!(messages(&[(SEVEN, "9xQe"), (EIGHT, "")]), [none(SEVEN), none(EIGHT)]);
    let twice = format!("walletAddresses.{EIGHT} is the address of {SEVEN}, too");
    assert_eq!(messages(&[(SEVEN, &wallets[0]), (EIGHT, &wallets[0])]), [twice]);
    let table = WalletAddresses::new([(SEVEN, wallets[0].as_str())]).unwrap();
    let by_address = table.address_of(&wallets[0]).unwrap_err().to_string();
    let due = format!("the wallet {} is {SEVEN} in the market's walletAddresses: name it so", wallets[0]);
    assert_eq!(by_address, due);
}
