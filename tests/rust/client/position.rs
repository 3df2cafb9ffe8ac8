//! `position_of` makes of a buy the position that it opened, to the lamport, after a restart too; where something is missing for that, it
//! says what. The cases are those of `tests/chain/position.test.mjs`.

use crate::rents;
use std::future::{Future, pending, ready};
use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::task::{Context, Poll, Waker};
use std::time::Duration;

use super::market::{Desk, Fate, run};

use launchpad_desk::amount::SlippageUnit;
use launchpad_desk::evidence::Seen;
use launchpad_desk::intent::IntentOutcome;
use launchpad_desk::prelude::*;
use launchpad_desk::strategy::{ExitHappening, ExitPlan, ExitPosition, NoPosition};
use launchpad_desk::tape::Tape;
use launchpad_desk::trade::guard::{Found, OtherTrade};
use launchpad_desk::trade::journal::{EndedTrade, TradeIntent};
use launchpad_desk::trade::reconcile::WalletBalances;
use launchpad_desk::trade::settle::Settled;
use launchpad_desk_client::{
    AreAll, Asked, BoxError, BoxFuture, Client, Market, MarketError, MarketOptions, MemoryJournal, RpcMarket,
    SandboxTransport,
};
use launchpad_desk_sandbox::local_chain::ChainFaults;
use launchpad_desk_sandbox::{Sandbox, SandboxConfig};

const SOL: u64 = 1_000_000_000;
const PART: u64 = 100_000_000;

fn options() -> MarketOptions {
    MarketOptions {
        wallets_shared: false,
        service_holds: Some(Duration::from_secs(10)),
        ..MarketOptions::default()
    }
}

/// A desk of these settings, and its client.
fn world(settings: &str, journal: Option<&Arc<MemoryJournal>>) -> (Desk, Client<Desk>, String, Vec<String>) {
    let desk = Desk::new(settings, ChainFaults::default());
    let client = desk.client_with(journal, options()).build().unwrap();
    let (mint, wallets) = desk.names();
    (desk, client, mint, wallets)
}

fn lamports(desk: &Desk, wallet: usize) -> i128 {
    desk.with(|world| world.sandbox.wallets()[wallet].lamports.into())
}

fn missing(asked: Result<ExitPosition, MarketError>) -> NoPosition {
    match asked {
        Err(MarketError::NoPosition(missing)) => missing,
        other => panic!("{other:?}"),
    }
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
    assert_eq!(
        (position.cost_lamports, position.rent_locked_lamports),
        (1_000_005_000, rents::token_account())
    );
    assert_eq!((&position.mint, &position.wallet, &position.fee_payer), (mint, &wallets[0], &None));
    let (opened_at_ms, now_ms) = (position.opened_at_ms.unwrap().0, desk.with(|world| world.now_ms));
    assert!(opened_at_ms <= now_ms && now_ms - opened_at_ms < 60_000, "{opened_at_ms} {now_ms}");

    // Its account is open now, and another wallet pays the network.
    let mut dear = buy();
    (dear.priority_unit_limit, dear.priority_unit_price) = (Some(200_000), Some(1_000_000));
    let again = bought(&world, "again", dear);
    assert_eq!((again.cost_lamports, again.rent_locked_lamports), (1_000_205_000, 0));
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
    assert_eq!(
        (position.cost_lamports, position.rent_locked_lamports),
        (1_000_005_000 + rents::volume_account(), rents::token_account())
    );
}

#[test]
fn a_sandbox_says_the_same_without_a_time() {
    let settings = r#"{"wallets":[{"wallet":"W","lamports":9000000000,"opensVolumeAccount":true}]}"#;
    let settings = launchpad_desk::tape::json::parse(settings.as_bytes()).unwrap();
    let sandbox = Sandbox::new(SandboxConfig::read(settings.root()).unwrap()).unwrap();
    let mint = sandbox.tokens()[0].mint.clone();
    let market = SandboxTransport::new(sandbox);
    let client = Client::builder(market.clone()).market(market.clone()).build().unwrap();
    for (id, cost, rent) in
        [("a", 1_000_005_000 + rents::volume_account(), rents::token_account()), ("b", 1_000_005_000, 0)]
    {
        run(client.buy(BuyRequest::new(&mint, "W", SOL)).intent_id(id)).unwrap();
        let position = run(client.position_of(id)).unwrap();
        let tokens = market.sandbox().trades().last().unwrap().legs[0].tokens;
        assert_eq!((position.id.as_str(), position.tokens, position.opened_at_ms), (id, tokens, None));
        assert_eq!((position.cost_lamports, position.rent_locked_lamports), (cost, rent), "{id}");
    }
}

#[test]
fn a_buy_whose_answer_was_lost_is_a_position_after_a_restart() {
    let journal = Arc::new(MemoryJournal::default());
    let (desk, client, mint, wallets) = world("{}", Some(&journal));
    desk.with(|world| world.fate = Fate::ReplyLost);
    let lost = run(client.buy(BuyRequest::new(&mint, &wallets[0], SOL)).intent_id("signal-1")).unwrap_err();
    assert_eq!(lost.outcome, Outcome::Unknown);
    drop(client);
    let client = desk.client_with(Some(&journal), options()).build().unwrap();
    // Nothing proves it yet.
    assert_eq!(missing(run(client.position_of("signal-1"))), NoPosition::InDoubt);
    desk.wait(60_000);
    let position = run(client.position_of("signal-1")).unwrap();
    assert_eq!(
        (position.cost_lamports, position.rent_locked_lamports),
        (1_000_005_000, rents::token_account())
    );
    assert_eq!(run(client.ended_trade("signal-1")).unwrap().unwrap().outcome, IntentOutcome::Landed);

    // And once more, from what the journal has of a trade that has ended.
    let client = desk.client_with(Some(&journal), options()).build().unwrap();
    assert_eq!(run(client.position_of("signal-1")).unwrap(), position);
}

#[test]
fn what_is_missing_is_named_and_nothing_is_guessed() {
    let journal = Arc::new(MemoryJournal::default());
    let (desk, client, mint, wallets) = world("{}", Some(&journal));
    let of = |id: &str| missing(run(client.position_of(id)));
    let buy = || BuyRequest::new(&mint, &wallets[0], SOL);
    let with = |fate: Fate, id: &str| {
        desk.with(|world| world.fate = fate);
        let sent = run(client.buy(buy()).intent_id(id));
        desk.with(|world| world.fate = Fate::Answered);
        sent
    };
    assert_eq!(of("nobody"), NoPosition::NotRecorded);

    run(client.buy(buy()).intent_id("bought")).unwrap();
    run(client
        .sell_by_percentage(SellByPercentageRequest::new(&mint, &wallets[0], "50%".parse().unwrap()))
        .intent_id("sold"))
    .unwrap();
    assert_eq!(of("sold"), NoPosition::NotABuy);

    // A word of the service that no transaction bears out, and then one that the chain denies.
    with(Fate::Invented, "invented").unwrap();
    assert_eq!(of("invented"), NoPosition::NotShown);
    let poor = BuyRequest::new(&mint, &wallets[0], 900 * SOL);
    desk.with(|world| world.fate = Fate::Lied);
    run(client.buy(poor).intent_id("lied")).unwrap();
    desk.with(|world| world.fate = Fate::Answered);
    assert_eq!(of("lied"), NoPosition::DidNotLand);

    // A person's word has no transaction.
    assert!(with(Fate::RequestLost, "lost").is_err());
    assert_eq!(of("lost"), NoPosition::InDoubt);
    run(client.acknowledge("lost", Found::Landed)).unwrap();
    assert_eq!(of("lost"), NoPosition::NoSignature);
    assert!(with(Fate::RequestLost, "never").is_err());
    run(client.acknowledge("never", Found::DidNotLand)).unwrap();
    assert_eq!(of("never"), NoPosition::DidNotLand);

    let long = "x".repeat(101);
    run(client.buy(buy()).intent_id(&long)).unwrap();
    assert_eq!(of(&long), NoPosition::IdTooLong);

    // A transaction from before the trade is not its own: a client that knows whose it is doubts the answer, another one the transaction.
    assert!(with(Fate::Copied, "copied").is_err());
    assert_eq!(of("copied"), NoPosition::InDoubt);
    assert_eq!(run(client.position_of("bought")).unwrap().cost_lamports, 1_000_005_000);
    let stranger = desk.client_with(None, options()).build().unwrap();
    desk.wait(60_000);
    desk.with(|world| world.fate = Fate::Copied);
    run(stranger.buy(buy()).intent_id("stranger")).unwrap();
    assert_eq!(missing(run(stranger.position_of("stranger"))), NoPosition::OtherTransaction);
    desk.with(|world| world.fate = Fate::Answered);

    // Without a market nothing says what it cost.
    let blind = Client::new(desk.clone());
    run(blind.buy(buy()).intent_id("blind")).unwrap();
    let why = run(blind.position_of("blind")).unwrap_err();
    let told = "the position is not known: The client has no market that shows transactions: what the trade cost is in no reply.";
    assert_eq!(why.to_string(), told);
}

/// A sandbox whose transactions are shown only after they were asked for so often.
#[derive(Clone)]
struct Late(SandboxTransport, Arc<AtomicU32>);

impl Market for Late {
    fn quote_body<'a>(
        &'a self,
        operation: Operation,
        body: &'a str,
        unit: SlippageUnit,
    ) -> BoxFuture<'a, Result<Tape, BoxError>> {
        self.0.quote_body(operation, body, unit)
    }

    fn before<'a>(&'a self, intent: &'a TradeIntent) -> BoxFuture<'a, Result<Vec<WalletBalances>, BoxError>> {
        Market::before(&self.0, intent)
    }

    fn settle_trade<'a>(
        &'a self,
        trade: &'a TradeIntent,
        others: Option<Vec<OtherTrade>>,
        are_all: &'a AreAll<'a>,
    ) -> BoxFuture<'a, Result<Settled, BoxError>> {
        self.0.settle_trade(trade, others, are_all)
    }

    fn confirm<'a>(&'a self, signature: &'a str) -> BoxFuture<'a, Result<Seen, BoxError>> {
        self.0.confirm(signature)
    }

    fn moved<'a>(&'a self, trade: &'a EndedTrade) -> Option<Asked<'a>> {
        let is_late =
            self.1.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| left.checked_sub(1)).is_ok();
        if is_late { Some(Box::pin(ready(Ok(None)))) } else { self.0.moved(trade) }
    }
}

/// What happened, with the tokens sold and the lamports received.
type Told = (ExitHappening, Option<u64>, Option<i128>);

/// A position of a sandbox, sold by these exits: what the events say was sold and received, and what the wallet has gained in all.
fn sold(late: u32) -> (Vec<Told>, ExitPosition, i128) {
    let sandbox = Sandbox::new(SandboxConfig::default()).unwrap();
    let (mint, wallet) = (sandbox.tokens()[0].mint.clone(), sandbox.wallets()[0].wallet.clone());
    let sandbox = SandboxTransport::new(sandbox);
    let held = || i128::from(sandbox.sandbox().wallets()[0].lamports);
    let before = held();
    let asked = Arc::new(AtomicU32::new(0));
    let market = Late(sandbox.clone(), asked.clone());
    let client = Client::builder(sandbox.clone()).market(market).build().unwrap();
    run(client.buy(BuyRequest::new(&mint, &wallet, SOL)).intent_id("signal-1")).unwrap();
    let position = run(client.position_of("signal-1")).unwrap();
    asked.store(late, Ordering::Relaxed);
    let plan =
        r#"{ "takeProfit": [{ "at": "0.5x", "sell": "40%" }], "timeMs": 1, "slippage": { "percent": 5 } }"#;
    let plan =
        ExitPlan::from_data(launchpad_desk::tape::json::parse(plan.as_bytes()).unwrap().root()).unwrap();
    let plan = ExitPlan { time_ms: None, break_even_after: None, ..plan };
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
    (events, position, held() - before)
}

#[test]
fn exits_say_what_they_have_received_so_that_profit_is_one_subtraction() {
    let (events, position, gained) = sold(0);
    let [(ExitHappening::Landed, Some(part), Some(_)), (ExitHappening::Landed, Some(rest), Some(_)), over] =
        events[..]
    else {
        panic!("{events:?}")
    };
    assert_eq!(part + rest, position.tokens);
    let (what, all, received) = over;
    assert_eq!((what, all), (ExitHappening::Over, Some(position.tokens)));
    assert_eq!(received.unwrap() - i128::from(position.cost_lamports), gained, "the rent came back");
    assert_eq!(events.iter().take(2).filter_map(|(.., received)| *received).sum::<i128>(), received.unwrap());

    // What a market shows only later is told then, and that it is over last.
    let (late, _, same) = sold(2);
    let what: Vec<ExitHappening> = late.iter().map(|(what, ..)| *what).collect();
    let [ExitHappening::Landed, ref told @ .., ExitHappening::Over] = what[..] else { panic!("{what:?}") };
    assert!(told.contains(&ExitHappening::Received), "{told:?}");
    assert_eq!((late[0].1, late[0].2), (Some(part), None), "the reply has the tokens");
    assert_eq!((late.last().unwrap().2, same), (received, gained));
}

/// What comes of work that waits for nothing but the desk's own pauses.
fn at_once<F: Future>(work: F) -> F::Output {
    let mut work = pin!(work);
    for _ in 0..100 {
        if let Poll::Ready(output) = work.as_mut().poll(&mut Context::from_waker(Waker::noop())) {
            return output;
        }
    }
    panic!("it waits for the node")
}

#[test]
fn no_look_waits_for_what_an_earlier_sell_has_brought() {
    let desk = Desk::new("{}", ChainFaults::default());
    let (mint, wallets) = desk.names();
    let (is_silent, asked) = (Arc::new(AtomicBool::new(false)), Arc::new(AtomicU32::new(0)));
    // A node that does not answer what a transaction was, from some time on.
    let node = || {
        let (desk, clock, is_silent, asked) = (desk.clone(), desk.clone(), is_silent.clone(), asked.clone());
        let post = move |body: String| {
            let hangs = is_silent.load(Ordering::Relaxed) && body.contains("getTransaction");
            asked.fetch_add(hangs.into(), Ordering::Relaxed);
            let reply = desk.with(|world| world.chain.answer(body.as_bytes(), world.now_ms)).body;
            async move { if hangs { pending().await } else { Ok::<_, BoxError>(reply) } }
        };
        RpcMarket::new(post, options()).clock(move || clock.with(|world| world.now_ms))
    };
    let client = desk.client_with(None, options()).market(node()).build().unwrap();
    let buy = |wallet: usize, sol: u64, id: &str| {
        run(client.buy(BuyRequest::new(&mint, &wallets[wallet], sol * SOL)).intent_id(id)).unwrap();
        desk.wait(20_000);
    };
    buy(0, 1, "signal-1");
    let position = run(client.position_of("signal-1")).unwrap();
    is_silent.store(true, Ordering::Relaxed);
    let plan = r#"{ "takeProfit": [{ "at": "0.5x", "sell": "40%" }, { "at": "1.5x", "sell": "20%" }], "slippage": { "percent": 5 } }"#;
    let plan =
        ExitPlan::from_data(launchpad_desk::tape::json::parse(plan.as_bytes()).unwrap().root()).unwrap();
    let mut managed = client.manage(position, plan, node()).timeout(Duration::MAX);
    // What a look told, how long it took, and how many sells it asked about.
    let mut look = || {
        let (begun, before) = (desk.with(|world| world.now_ms), asked.load(Ordering::Relaxed));
        let events = at_once(managed.tick()).unwrap();
        let told: Vec<&str> = events.iter().map(|event| event.what.as_str()).collect();
        let took_ms = desk.with(|world| world.now_ms) - begun;
        desk.wait(60_000);
        (told.join(" "), took_ms, asked.load(Ordering::Relaxed) - before)
    };
    assert_eq!(look(), ("ordered landed".to_owned(), 250, 1));
    buy(1, 9, "rival");
    assert_eq!(look(), ("ordered landed".to_owned(), 250, 1));
    // Two are to be asked about, and no look asks about both.
    assert_eq!(look(), (String::new(), 250, 1));
    assert_eq!(look(), (String::new(), 250, 1));
}
