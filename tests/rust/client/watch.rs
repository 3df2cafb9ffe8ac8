//! Markets that are watched: the sandbox, the chain by a node and by a stream of accounts. Slots only rise, and what lags says so.

use std::future::ready;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use super::market::{Desk, run};
use super::sandbox;
use crate::launchpads::first_buy;

use launchpad_desk::amount::SlippageUnit;
use launchpad_desk::api::endpoint::Operation;
use launchpad_desk::chain::account::Account;
use launchpad_desk::chain::address::Address;
use launchpad_desk::chain::look::addresses;
use launchpad_desk::chain::wallets::Wallets;
use launchpad_desk::evidence::Seen;
use launchpad_desk::launchpad::Launchpad;
use launchpad_desk::market::MarketRefusal;
use launchpad_desk::market::follow::{AccountUpdate, Follow};
use launchpad_desk::market::read::{Commitment, accounts_body, read_reply};
use launchpad_desk::prelude::*;
use launchpad_desk::tape::json;
use launchpad_desk::trade::journal::TradeIntent;
use launchpad_desk_client::{
    BoxError, Client, Looks, Market, MarketOptions, RpcMarket, SandboxMarket, SandboxTransport, WatchOptions,
};
use launchpad_desk_sandbox::local_chain::ChainFaults;
use launchpad_desk_sandbox::read_launch;

fn options() -> MarketOptions {
    MarketOptions { commitment: Commitment::Processed, ..MarketOptions::default() }
}

/// What the chain around a desk answers a slot later than the time before.
fn asked(desk: &Desk, body: &str) -> Vec<u8> {
    desk.with(|world| {
        world.now_ms += 400;
        world.chain.answer(body.as_bytes(), world.now_ms).body
    })
}

/// The newest slot, and the accounts at these addresses in it.
type AccountsOfSlot = (u64, Vec<Option<Account>>);

fn read(desk: &Desk, addresses: &[Address]) -> AccountsOfSlot {
    read_reply(addresses, &asked(desk, &accounts_body(addresses, Commitment::Processed))).unwrap()
}

/// What a node answers with.
type Replied = std::future::Ready<Result<Vec<u8>, BoxError>>;

fn node(desk: &Desk) -> impl Fn(String) -> Replied + Send + Sync + use<> {
    let desk = desk.clone();
    move |body| ready(Ok(asked(&desk, &body)))
}

fn named(desk: &Desk) -> (Address, Vec<Address>) {
    let (mint, wallets) = desk.names();
    (mint.parse().unwrap(), wallets.iter().map(|wallet| wallet.parse().unwrap()).collect())
}

#[test]
fn a_node_is_watched_and_its_slots_only_rise() {
    let faults = ChainFaults { jump_back_every: Some(3), jump_back_slots: 9, ..ChainFaults::default() };
    let desk = Desk::new("{}", faults);
    let (mint, wallets) = desk.names();
    let market = RpcMarket::new(node(&desk), options());
    let mut watch = market.watch(&mint, WatchOptions { wallets, every: Some(Duration::ZERO) });
    let (mut slots, mut lagged) = (Vec::new(), 0);
    while slots.len() < 6 {
        match run(watch.next()) {
            Ok(look) => slots.push(look.slot),
            Err(why) => {
                assert!(why.to_string().contains("older slot"), "{why}");
                lagged += 1;
            }
        }
    }
    assert!(slots.is_sorted_by(|one, next| one < next), "{slots:?}");
    assert!(lagged >= 2, "{lagged}");
    let mut wrong = market.watch("no address", WatchOptions::default());
    assert!(run(wrong.next()).is_err());
}

#[test]
fn a_node_that_stands_still_makes_no_price_and_says_so_once() {
    let desk = Desk::new("{}", ChainFaults::default());
    let (mint, wallets) = desk.names();
    let asked = Arc::new(AtomicU32::new(0));
    let began = desk.with(|world| world.now_ms);
    let (node, requests, clock) = (desk.clone(), asked.clone(), desk.clone());
    let post = move |body: String| {
        let now_ms = if requests.fetch_add(1, Ordering::Relaxed) < 7 { began } else { began + 60_000 };
        let reply = node.with(|world| world.chain.answer(body.as_bytes(), now_ms));
        ready(Ok::<_, BoxError>(reply.body))
    };
    let options = MarketOptions { max_age: Duration::from_secs(5), ..options() };
    let market = RpcMarket::new(post, options).clock(move || clock.with(|world| world.now_ms));
    let body = format!(r#"{{"mint":"{mint}","fromWallet":"{}","amountInLamports":1000000}}"#, wallets[0]);
    let quote = || market.quote_body(Operation::Buy, &body, SlippageUnit::Percent);
    let quoted = || run(quote()).map(drop).map_err(|why| why.to_string());
    let at_once = WatchOptions { every: Some(Duration::ZERO), ..WatchOptions::default() };
    let mut watch = market.watch(&mint, at_once);
    let first = run(watch.next()).unwrap();
    assert_eq!(quoted(), Ok(()));
    desk.wait(5_000);
    assert_eq!(quoted(), Ok(()), "not longer than that");
    let stale = "The look is older than `maxAgeMs`, or its node has had no newer slot for that long: it stands still.";
    for set_back_ms in [3_600_000, 0] {
        desk.with(|world| world.now_ms -= set_back_ms);
        desk.wait(u64::from(set_back_ms == 0));
        assert_eq!(quoted(), Err(stale.to_owned()));
        desk.wait(set_back_ms);
    }
    assert_eq!(run(watch.next()).unwrap_err().to_string(), stale);
    // Not said again before the slot rises, three requests later.
    let goes_on = run(watch.next()).unwrap();
    assert!(goes_on.slot > first.slot);
    assert_eq!((quoted(), asked.load(Ordering::Relaxed)), (Ok(()), 9));
}

#[test]
fn a_node_that_stands_still_gives_no_look_from_before_an_own_trade() {
    let desk = Desk::new("{}", ChainFaults::default());
    let (mint, wallets) = named(&desk);
    let (node, clock, began) = (desk.clone(), desk.clone(), desk.with(|world| world.now_ms));
    let post = move |body: String| {
        let reply = node.with(|world| world.chain.answer(body.as_bytes(), began));
        ready(Ok::<_, BoxError>(reply.body))
    };
    let options = MarketOptions { max_age: Duration::from_secs(5), ..options() };
    let market = RpcMarket::new(post, options).clock(move || clock.with(|world| world.now_ms));
    run(market.look(&mint, &wallets)).unwrap();
    let body = format!(r#"{{"mint":"{mint}","fromWallet":"{}","amountInLamports":1000000}}"#, wallets[0]);
    market.traded(&TradeIntent { body, ..TradeIntent::from("own") }, Some("S"));
    desk.wait(5_001);
    let why = run(market.look(&mint, &wallets)).unwrap_err();
    assert_eq!(why.downcast_ref(), Some(&MarketRefusal::Stale), "{why}");
}

#[test]
fn a_slow_node_is_not_asked_for_an_own_trade_longer_than_a_quick_one() {
    let desk = Desk::new("{}", ChainFaults::default());
    let (mint, wallets) = named(&desk);
    let (node, clock) = (desk.clone(), desk.clone());
    let post = move |body: String| {
        let reply = node.with(|world| {
            world.now_ms += 4_000;
            world.chain.answer(body.as_bytes(), world.now_ms)
        });
        ready(Ok::<_, BoxError>(reply.body))
    };
    let market = RpcMarket::new(post, options()).clock(move || clock.with(|world| world.now_ms));
    let body = format!(r#"{{"mint":"{mint}","fromWallet":"{}","amountInLamports":1000000}}"#, wallets[0]);
    market.traded(&TradeIntent { body, ..TradeIntent::from("own") }, Some("S"));
    let why = run(market.look(&mint, &wallets)).map(drop).unwrap_err();
    assert_eq!(why.downcast_ref(), Some(&MarketRefusal::NotShown), "{why}");
}

#[test]
fn a_stream_of_accounts_gives_the_looks_that_calls_would() {
    let desk = Desk::new("{}", ChainFaults::default());
    let (mint, wallets) = named(&desk);
    let market = RpcMarket::new(node(&desk), options());
    let (mut follow, first) = run(market.follow(&mint, &wallets)).unwrap();
    let addresses = addresses(&mint, &Wallets::from(&wallets[..]));
    assert_eq!(follow.addresses(), addresses);
    let client = desk.client_with(None, MarketOptions::default()).build().unwrap();
    let mut before = read(&desk, &addresses);
    let (mut expected, mut looks) = (Vec::new(), Vec::new());
    let mut late: Option<AccountUpdate> = None;
    for round in 0..30u64 {
        let wallet = wallets[round as usize % wallets.len()].to_string();
        if round % 4 != 3 {
            run(client.buy(BuyRequest::new(mint.to_string(), wallet, 1_000_000 + round))).unwrap();
        }
        let now = read(&desk, &addresses);
        let moved = addresses.iter().zip(before.1.iter().zip(&now.1));
        let moved = moved.filter(|(_, (before, now))| before != now);
        let slot = now.0;
        let update = |(address, (_, account)): (&Address, (_, &Option<Account>))| AccountUpdate {
            slot,
            account: Some((*address, account.clone())),
        };
        let mut updates: Vec<AccountUpdate> = moved.map(update).collect();
        if round % 2 == 1 {
            updates.reverse();
        }
        // One that comes after the next slot has begun is in the look of that one.
        let held = (round % 5 == 4).then(|| updates.pop()).flatten();
        updates.push(AccountUpdate { slot, account: None });
        for update in late.take().into_iter().chain(updates) {
            looks.extend(follow.take(update, 0).unwrap());
        }
        // A slot without a block answers as the one before, whose accounts may have moved since.
        expected.retain(|own: &AccountsOfSlot| own.0 != slot);
        if held.is_none() {
            expected.push(now.clone());
        }
        late = held;
        before = now;
    }
    let last = before.0 + 1;
    looks.extend(follow.take(AccountUpdate { slot: last, account: None }, 0).unwrap());
    assert!(looks.is_sorted_by(|one, next| one.slot < next.slot) && looks[0].slot > first.slot);
    let mut compared = 0;
    for (slot, accounts) in expected {
        let Some(look) = looks.iter().find(|look| look.slot == slot) else { continue };
        let mut called = Follow::new(mint, Wallets::from(&wallets[..]), Launchpad::default());
        assert_eq!(*look, called.begin(slot, accounts, 0).unwrap());
        compared += 1;
    }
    assert!(compared > 20, "{compared}");
}

#[test]
fn of_a_token_that_is_not_finalized_a_wallet_holds_none() {
    let desk = Desk::new(r#"{"tokens":[]}"#, ChainFaults::default());
    let mint = "SimMoonRabbit111111111111111111111111111111";
    let wallet = desk.with(|world| world.sandbox.wallets()[0].clone());
    desk.with(|world| {
        world.now_ms += 60_000;
        let launch = json::parse(format!(r#"{{"mint":"{mint}"}}"#).as_bytes()).unwrap();
        let changes = world.sandbox.launch(&read_launch(launch.root()).unwrap()).unwrap();
        world.chain.follow(&changes, world.now_ms);
        world.sandbox.take(&changes);
    });
    let market = RpcMarket::new(node(&desk), options());
    let body = format!(r#"{{"mint":"{mint}","fromWallet":"{}","amountInLamports":1000000}}"#, wallet.wallet);
    let intent = TradeIntent { body, started_at_ms: 1, ..TradeIntent::from("a") };
    let own: Address = mint.parse().unwrap();
    assert!(run(market.look(&own, &[])).is_ok(), "its curve is there in the newest slot");
    let before = run(market.before(&intent)).unwrap();
    assert_eq!((before[0].tokens, before[0].lamports), (Some(0), Some(wallet.lamports)));
    assert!(before[0].slot.is_some());
    desk.wait(60_000);
    assert_eq!(run(market.before(&intent)).unwrap()[0].tokens, Some(0));
}

#[test]
fn a_sandbox_is_watched_and_prices_confirms_and_notes() {
    let (market, mint, wallet) = sandbox("{}");
    let client = Client::builder(market.clone()).market(market.clone()).build().unwrap();
    let options = WatchOptions { wallets: vec![wallet.clone()], every: Some(Duration::from_millis(1)) };
    let mut watch = market.watch(&mint, options);
    let first = run(watch.next()).unwrap();
    assert_eq!(first.wallets[0].lamports, 100_000_000_000);
    let traded = run(client.buy(BuyRequest::new(&mint, &wallet, 1_000_000_000))).unwrap();
    let second = run(watch.next()).unwrap();
    assert!(second.token.curve.virtual_sol_reserves > first.token.curve.virtual_sol_reserves);
    assert_eq!(second.wallets[0].holding.as_ref().unwrap().tokens, first_buy(1_000_000_000).0);
    assert_eq!(run(client.confirm(&traded.trade)).unwrap(), Seen::Finalized);
    assert_eq!(run(market.confirm("SIM")).unwrap(), Seen::NotSeen);
    let mut unknown = market.watch("nothing", WatchOptions::default());
    assert_eq!(run(unknown.next()).unwrap_err().to_string(), "the sandbox has no such token");
}

#[test]
fn a_sandbox_that_is_served_elsewhere_is_looked_at_as_one_in_this_process() {
    let config = r#"{ "tokens": [{ "mint": "Ä/?&%", "creatorBps": 100 }, { "mint": "M" }], "wallets": [{ "wallet": "one&two", "lamports": 5000000000 }] }"#;
    let (own, ..) = sandbox(config);
    let served = SandboxMarket::new(own.clone());
    let (mint, wallets) = ("Ä/?&%", ["one&two".to_owned(), "nobody".to_owned()]);
    assert_eq!(run(served.look(mint, &wallets)).unwrap(), own.look(mint, &wallets).unwrap());
    let options = WatchOptions { wallets: wallets.to_vec(), every: Some(Duration::from_millis(1)) };
    let mut watch = served.watch(mint, options);
    let first = run(watch.next()).unwrap();
    assert_eq!((first.wallets.len(), &first.wallets[0].holding), (1, &None));
    run(Client::new(own.clone()).buy(BuyRequest::new(mint, &wallets[0], 1_000_000_000))).unwrap();
    let second = run(watch.next()).unwrap();
    assert_eq!(second, own.look(mint, &wallets).unwrap());
    let held = second.wallets[0].holding.as_ref().unwrap().tokens;
    let seen = SandboxMarket::<SandboxTransport>::for_exits(&second, mint, &wallets[0]);
    assert_eq!((seen.wallet_tokens, seen.at_ms), (Some(held), Some(second.at_ms)));
    assert_eq!(run(served.look("nothing", &[])).unwrap_err().to_string(), "the market has no such token");
    let many: Vec<String> = (0..33).map(|wallet| wallet.to_string()).collect();
    let refused = run(served.look(mint, &many)).unwrap_err().to_string();
    assert!(refused.contains("at most 32 times"), "{refused}");
}

#[test]
fn what_a_market_fails_with_goes_through_a_question_mark_into_any_boxed_error() {
    async fn asked(mint: Address) -> Result<(), Box<dyn std::error::Error>> {
        let post = |_: String| ready(Err::<Vec<u8>, BoxError>("offline".into()));
        let market = RpcMarket::new(post, MarketOptions::default());
        assert!(market.follow(&mint, &[]).await.is_err());
        let watched = market.watch(&mint.to_string(), WatchOptions::default()).next().await;
        assert_eq!(watched.unwrap_err().to_string(), "The source gave no reply.");
        market.look(&mint, &[]).await?;
        Ok(())
    }
    let error = run(asked(Address::default())).unwrap_err();
    assert_eq!(error.to_string(), "The source gave no reply.");
}
