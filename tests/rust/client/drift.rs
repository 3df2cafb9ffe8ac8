//! The drift alarm, on the chain around a sandbox: each rule that moves between quote and trade is named, and what no rule explains is
//! reported, to the lamport.

use std::pin::pin;
use std::sync::{Arc, Mutex};
use std::task::{Context, Waker};

use super::market::{Desk, run};

use launchpad_desk::chain::wallets::WalletAddresses;
use launchpad_desk::client::{Client, Hooks, MarketError, MarketOptions, Note};
use launchpad_desk::evidence::Transaction;
use launchpad_desk::launchpad::Launchpad;
use launchpad_desk::local_chain::ChainFaults;
use launchpad_desk::market::MarketRefusal;
use launchpad_desk::market::drift::{Drift, DriftCause, Quoted, drift, read_landed, transaction_body};
use launchpad_desk::market::read::Commitment;
use launchpad_desk::prelude::*;
use launchpad_desk::tape::{Data, Item, Tape, ToTape, json};
use launchpad_desk::trade::guard::{Settings, request_of};
use launchpad_desk::trade::plan::Plan;

/// A desk, its client, a mint and the wallets.
fn world(settings: &str, rules: Launchpad) -> (Desk, Client<Desk>, String, Vec<String>) {
    let desk = Desk::new(settings, ChainFaults { transaction_version: Some(1), ..ChainFaults::default() });
    // So that a quote sees the newest trade.
    let options = MarketOptions { rules, commitment: Commitment::Processed, ..MarketOptions::default() };
    let client = desk.client_with(None, options).build().unwrap();
    let (mint, wallets) = desk.names();
    (desk, client, mint, wallets)
}

fn causes(drift: &Drift) -> &[DriftCause] {
    &drift.causes
}

/// Sends a plan, and compares the trade with it once it is confirmed.
fn sent(desk: &Desk, client: &Client<Desk>, plan: &Plan) -> (String, Drift) {
    let traded = run(client.send(plan)).unwrap();
    let signature = traded.trade.signature().unwrap().to_owned();
    desk.wait(5_000);
    let drift = run(client.drift(plan, &signature)).unwrap();
    (signature, drift)
}

fn landed(desk: &Desk, signature: &str) -> Transaction {
    let body = transaction_body(signature, Commitment::Confirmed);
    let reply = desk.with(|world| world.chain.answer(body.as_bytes(), world.now_ms));
    read_landed(&reply.body).unwrap().unwrap()
}

fn judged(plan: &Plan, price: Item, transaction: &Transaction) -> Drift {
    let request = request_of(plan.operation, &plan.body).unwrap();
    drift(&WalletAddresses::default(), &Quoted::read(price).unwrap(), &request, transaction).unwrap()
}

#[test]
fn a_trade_as_quoted_has_no_cause_whatever_its_operation() {
    let (desk, client, mint, wallets) = world("{}", Launchpad::default());
    let buy = run(client.buy(BuyRequest::new(&mint, &wallets[0], 1_000_000_007)).plan()).unwrap();
    let (signature, drift) = sent(&desk, &client, &buy);
    assert_eq!((causes(&drift), drift.explained), (&[][..], true), "{drift:?}");
    assert_eq!((drift.signature, drift.charged_bps), (signature, None));
    assert!(drift.slot.0 >= drift.quoted_slot.0);
    assert_eq!(drift.wallets[0].lamports, drift.wallets[0].quoted_lamports);

    let bundle = BundleBuyRequest::new(&mint, &wallets[2])
        .buy(&wallets[0], 400_000_000)
        .buy(&wallets[1], 300_000_001)
        .buy(&wallets[0], 1_000);
    let bundle = run(client.bundle_buy(bundle).plan()).unwrap();
    assert_eq!(causes(&sent(&desk, &client, &bundle).1), &[]);
    let half = SellByPercentageRequest::new(&mint, &wallets[0], "33.3%".parse().unwrap());
    let half = run(client.sell_by_percentage(half).plan()).unwrap();
    assert_eq!(causes(&sent(&desk, &client, &half).1), &[]);
    let all = SellByPercentageRequest::new(&mint, &wallets[1], "100%".parse().unwrap());
    let all = run(client.sell_by_percentage(all.fee_payer(&wallets[2])).plan()).unwrap();
    assert_eq!(causes(&sent(&desk, &client, &all).1), &[], "the rent comes back");
}

#[test]
fn each_rule_that_moved_is_named() {
    let (desk, client, mint, wallets) = world("{}", Launchpad::default());
    let plan = |lamports| run(client.buy(BuyRequest::new(&mint, &wallets[0], lamports)).plan()).unwrap();

    // Others trade in between, and then others trade and a percentage is of another holding.
    let moved = plan(1_000_000_000);
    run(client.buy(BuyRequest::new(&mint, &wallets[1], 40_000_000))).unwrap();
    let (_, drift) = sent(&desk, &client, &moved);
    assert_eq!((causes(&drift), drift.explained), (&[DriftCause::Curve][..], true), "{drift:?}");
    assert!(drift.wallets[0].tokens < drift.wallets[0].quoted_tokens);
    let share = SellByPercentageRequest::new(&mint, &wallets[0], "50%".parse().unwrap());
    let share = run(client.sell_by_percentage(share).plan()).unwrap();
    run(client.buy(BuyRequest::new(&mint, &wallets[0], 40_000_000))).unwrap();
    assert_eq!(causes(&sent(&desk, &client, &share).1), [DriftCause::Curve, DriftCause::Holding]);

    // Rents and network fees that the quote's rules have otherwise.
    let rules = Launchpad { rent_lamports_per_byte: 6_960, ..Launchpad::default() };
    let (desk, client, mint, wallets) = world("{}", rules);
    let plan = run(client.buy(BuyRequest::new(&mint, &wallets[0], 1_000_000_000)).plan()).unwrap();
    assert_eq!(causes(&sent(&desk, &client, &plan).1), [DriftCause::Rent]);
    let mut rules = Launchpad::default();
    rules.network.lamports_per_signature = 10_000;
    let (desk, client, mint, wallets) = world("{}", rules);
    let plan = run(client.buy(BuyRequest::new(&mint, &wallets[0], 1_000_000_000)).plan()).unwrap();
    assert_eq!(causes(&sent(&desk, &client, &plan).1), [DriftCause::NetworkFee]);

    // A tier that others have come into.
    let tiers = r#"{"launchpad":{"feeTiers":[{"marketCapThresholdLamports":0,"protocolBps":95,"creatorBps":30},
        {"marketCapThresholdLamports":29000000000,"protocolBps":90,"creatorBps":60}]}}"#;
    let (desk, client, mint, wallets) = world(tiers, Launchpad::default());
    let plan = run(client.buy(BuyRequest::new(&mint, &wallets[0], 1_000_000_000)).plan()).unwrap();
    run(client.buy(BuyRequest::new(&mint, &wallets[1], 2_000_000_000))).unwrap();
    let (_, drift) = sent(&desk, &client, &plan);
    assert_eq!(causes(&drift), [DriftCause::Curve, DriftCause::Tier], "{drift:?}");
}

/// The price with other fee rates among its rules.
fn with_rates(plan: &Plan, protocol: u16, creator: u16) -> Tape {
    let text = json::write(plan.price.as_ref().unwrap());
    let tier = |protocol: u16, creator: u16| format!(r#""protocolBps":{protocol},"creatorBps":{creator}"#);
    assert!(text.contains(&tier(95, 30)), "{text}");
    json::parse(text.replace(&tier(95, 30), &tier(protocol, creator)).as_bytes()).unwrap()
}

#[test]
fn another_rate_is_found_by_what_it_took() {
    let (desk, client, mint, wallets) = world("{}", Launchpad::default());
    let plan = run(client.buy(BuyRequest::new(&mint, &wallets[0], 1_000_000_000)).plan()).unwrap();
    run(client.buy(BuyRequest::new(&mint, &wallets[1], 700_000_000))).unwrap();
    let (signature, _) = sent(&desk, &client, &plan);
    let transaction = landed(&desk, &signature);
    for (protocol, creator) in [(100, 30), (95, 5), (95, 0), (94, 30)] {
        let drift = judged(&plan, with_rates(&plan, protocol, creator).root(), &transaction);
        assert_eq!((drift.charged_bps, drift.explained), (Some(125), true), "{protocol} {creator}");
        assert_eq!(causes(&drift), [DriftCause::Curve, DriftCause::Rate]);
    }
    // Only their sum shows.
    assert_eq!(judged(&plan, with_rates(&plan, 90, 20).root(), &transaction).charged_bps, Some(125));
}

#[test]
fn what_no_rule_explains_is_reported_to_the_lamport() {
    let (desk, client, mint, wallets) = world("{}", Launchpad::default());
    let plan = run(client.buy(BuyRequest::new(&mint, &wallets[0], 1_000_000_000)).plan()).unwrap();
    let (signature, _) = sent(&desk, &client, &plan);
    let price = plan.price.clone().unwrap();
    let own = landed(&desk, &signature);
    let tampered = |lamports: u64, tokens: u64| {
        let mut other = own.clone();
        other.accounts[0].lamports.after -= lamports;
        let owned = other.tokens.iter_mut().find(|own| own.owner.as_ref() == Some(&wallets[0]));
        owned.unwrap().tokens.after -= tokens;
        judged(&plan, price.root(), &other)
    };
    let tip = tampered(1_000_000, 0);
    let paid_more = [DriftCause::Unexplained, DriftCause::OverAmount];
    assert_eq!((causes(&tip), tip.explained), (&paid_more[..], false), "more than the amount is named");
    assert_eq!((tip.wallets[0].unexplained_lamports, tip.wallets[0].unexplained_tokens), (-1_000_000, 0));
    let fewer = tampered(0, 34_000_000_000);
    assert_eq!((fewer.explained, fewer.wallets[0].unexplained_tokens), (false, -34_000_000_000));
    // As many fewer as another rate would give, but the curve has given the others, too.
    let at_135_bps = 33_766_527_513;
    assert!(!tampered(0, at_135_bps).explained);
    assert_eq!(causes(&tampered(2, 0)), [DriftCause::Rounding]);
    assert!(!tampered(3, 0).explained);
    // An account of the wallet's volume, opened by its first buy, is rent.
    let mut other = own.clone();
    other.accounts[0].lamports.after -= 1_844_400;
    let wallet = wallets[0].parse().unwrap();
    let volume = launchpad_desk::chain::address::volume_account_address(&wallet).to_string();
    let opened = other.accounts.iter_mut().find(|own| own.address == volume).unwrap();
    opened.lamports = launchpad_desk::evidence::Change { before: 0, after: 1_844_400 };
    assert_eq!(causes(&judged(&plan, price.root(), &other)), [DriftCause::Rent]);
}

/// Keeps what it is told.
#[derive(Clone, Default)]
struct Told(Arc<Mutex<Vec<String>>>);

impl Hooks for Told {
    fn note(&self, intent_id: &str, note: Note<'_>) {
        let told = match note {
            Note::Drift(drift) => format!("{intent_id} {:?}", drift.causes),
            Note::NotCompared(why) => format!("{intent_id}: {why}"),
            _ => return,
        };
        self.0.lock().unwrap().push(told);
    }
}

#[test]
fn one_call_is_one_note_and_what_cannot_be_compared_says_so() {
    let (desk, client, mint, wallets) = world("{}", Launchpad::default());
    let plan =
        run(client.buy(BuyRequest::new(&mint, &wallets[0], 1_000_000_000)).intent_id("a").plan()).unwrap();
    let told = Told::default();
    let heard = desk.client_with(None, MarketOptions::default()).hooks(told.clone()).build().unwrap();
    let (signature, _) = sent(&desk, &client, &plan);
    assert!(told.0.lock().unwrap().is_empty());
    run(heard.drift(&plan, &signature)).unwrap();
    assert_eq!(*told.0.lock().unwrap(), ["a []"]);

    // The signature of the first trade, as a reply from a cache has it for the second.
    let plan_b =
        run(client.buy(BuyRequest::new(&mint, &wallets[0], 400_000_000)).intent_id("b").plan()).unwrap();
    run(client.send(&plan_b)).unwrap();
    let shared = run(client.drift(&plan_b, &signature)).unwrap();
    assert_eq!((shared.causes.last(), shared.explained), (Some(&DriftCause::OtherTrade), false));

    let refused = |error: MarketError| error.to_string();
    let unknown = run(client.drift(&plan, "5".repeat(64).as_str())).unwrap_err();
    assert_eq!(
        refused(unknown),
        "the market gave no answer: The node knows no landed transaction of this signature: it failed, is not confirmed yet, or is forgotten."
    );
    let unpriced = Plan { price: None, ..plan.clone() };
    assert_eq!(refused(run(client.drift(&unpriced, &signature)).unwrap_err()), "the plan has no price");
    let other = Plan { price: Some(json::parse(br#"{"legs":[]}"#).unwrap()), ..plan.clone() };
    assert!(refused(run(client.drift(&other, &signature)).unwrap_err()).contains("curve is missing"));
    assert!(matches!(run(Client::new(desk.clone()).drift(&plan, &signature)), Err(MarketError::NoMarket)));
}

#[test]
fn each_landed_trade_that_was_quoted_is_compared_without_a_call() {
    let desk = Desk::new("{}", ChainFaults::default());
    let (mint, wallets) = desk.names();
    let told = Told::default();
    let options = MarketOptions { commitment: Commitment::Processed, ..MarketOptions::default() };
    let limits = Settings { max_impact_bps: Some(9_999), ..Settings::default() };
    let client = desk.client_with(None, options).guards(limits).hooks(told.clone()).build().unwrap();
    let buy = |id: &str, wallet: usize| {
        client.buy(BuyRequest::new(&mint, &wallets[wallet], 1_000_000_000)).intent_id(id)
    };
    // A price from before the last trade decides nothing.
    let next_slot = || desk.wait(800);
    let plan = |id: &str, wallet: usize| {
        next_slot();
        run(buy(id, wallet).plan()).unwrap()
    };
    run(client.send(&plan("before-anybody-asked", 0))).unwrap();

    // A runtime may move it between threads.
    fn sendable(_: impl Send) {}
    sendable(client.check_drift());
    {
        let mut compares = pin!(client.check_drift());
        // Each time it has looked, two seconds pass.
        let mut looks = |times: u32| {
            for _ in 0..times {
                assert!(compares.as_mut().poll(&mut Context::from_waker(Waker::noop())).is_pending());
            }
            std::mem::take(&mut *told.0.lock().unwrap())
        };
        looks(1);
        run(client.send(&plan("planned", 0))).unwrap();
        next_slot();
        run(buy("limited", 1)).unwrap();
        // A sell needs no quote, so there is nothing to compare.
        run(client.sell_by_percentage(SellByPercentageRequest::new(
            &mint,
            &wallets[0],
            "50%".parse().unwrap(),
        )))
        .unwrap();
        next_slot();
        let failing = client.buy(BuyRequest::new(&mint, &wallets[0], 900_000_000_000_000)).plan();
        run(client.send(&run(failing).unwrap())).unwrap_err();
        assert!(told.0.lock().unwrap().is_empty(), "no result waits for it");
        let mut compared = looks(2);
        compared.sort();
        assert_eq!(compared, ["limited []", "planned []"]);

        // A node that does not have the transaction is asked four times: after 2, 6, 14 and 30 seconds.
        let late = plan("late", 1);
        desk.with(|world| {
            world.chain.set_faults(ChainFaults { lag_slots: 10_000, ..ChainFaults::default() })
        });
        run(client.send(&late)).unwrap();
        assert!(looks(15).is_empty());
        let not_compared = format!("late: {}", MarketRefusal::NoTransaction);
        assert_eq!(looks(2), [not_compared]);
        assert!(looks(30).is_empty());
    }
    desk.with(|world| world.chain.set_faults(ChainFaults::default()));
    run(client.send(&plan("nobody-asks-any-more", 0))).unwrap();
    assert!(told.0.lock().unwrap().is_empty());
    let blind = Client::new(desk.clone());
    assert!(matches!(run(blind.check_drift()), Err(MarketError::NoMarket)));
}

#[test]
fn a_first_buy_is_quoted_with_the_rent_of_its_volume_account() {
    let settings = r#"{"wallets":[
        {"wallet":"SimTraderAda1111111111111111111111111111111","lamports":9000000000,"opensVolumeAccount":true},
        {"wallet":"SimTraderBob1111111111111111111111111111111","lamports":9000000000}]}"#;
    let (desk, client, mint, wallets) = world(settings, Launchpad::default());
    let bundle = BundleBuyRequest::new(&mint, &wallets[1])
        .buy(&wallets[0], 400_000_000)
        .buy(&wallets[0], 300_000_000)
        .buy(&wallets[1], 200_000_000);
    let bundle = run(client.bundle_buy(bundle).plan()).unwrap();
    let rents = |plan: &Plan| -> Vec<String> {
        let price = json::parse(json::write(plan.price.as_ref().unwrap()).as_bytes()).unwrap();
        let legs = price.root().get("legs").map(Item::data);
        let Some(Data::Array(legs)) = legs else { panic!("no legs") };
        legs.map(|leg| json::write(&leg.get("volumeRentLamports").unwrap().to_tape())).collect()
    };
    assert_eq!(rents(&bundle), [r#""1346200""#, r#""0""#, r#""0""#]);
    let (signature, drift) = sent(&desk, &client, &bundle);
    assert_eq!(causes(&drift), &[], "{drift:?}");
    assert_eq!(drift.wallets[0].lamports, -400_000_000 - 300_000_000 - 1_488_440 - 1_346_200);
    let volume = launchpad_desk::chain::address::volume_account_address(&wallets[0].parse().unwrap());
    let landed = landed(&desk, &signature);
    assert_eq!(landed.lamports_of(&volume.to_string()).map(|lamports| lamports.moved()), Some(1_346_200));
    let later = run(client.buy(BuyRequest::new(&mint, &wallets[0], 100_000_000)).plan()).unwrap();
    assert_eq!(rents(&later), [r#""0""#]);
    assert_eq!(causes(&sent(&desk, &client, &later).1), &[]);
}
