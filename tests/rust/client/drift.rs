//! The drift alarm, on the chain around a sandbox: each rule that moves between quote and trade is named, and what no rule explains is
//! reported, to the lamport.

use crate::rents;
use std::pin::pin;
use std::sync::{Arc, Mutex};
use std::task::{Context, Waker};

use super::market::{Desk, run};

use launchpad_desk::chain::address::{curve_address, volume_account_address};
use launchpad_desk::chain::wallets::WalletAddresses;
use launchpad_desk::evidence::{AccountChange, Change, Transaction};
use launchpad_desk::launchpad::Launchpad;
use launchpad_desk::market::MarketRefusal;
use launchpad_desk::market::drift::{Drift, DriftCause, QuotedPlan, drift, read_landed, transaction_body};
use launchpad_desk::market::read::Commitment;
use launchpad_desk::prelude::*;
use launchpad_desk::tape::{ToTape, json};
use launchpad_desk::trade::guard::{Settings, request_of};
use launchpad_desk::trade::plan::{Plan, PlanPrice};
use launchpad_desk_client::{Client, ClientError, Hooks, MarketOptions, Note};
use launchpad_desk_sandbox::local_chain::ChainFaults;

/// A desk, its client, a mint and the wallets.
fn world(settings: &str, rules: Launchpad) -> (Desk, Client<Desk>, String, Vec<String>) {
    let desk = Desk::new(settings, ChainFaults { transaction_version: Some(1), ..ChainFaults::default() });
    // So that a quote sees the newest trade.
    let options =
        MarketOptions { rules: rules.into(), commitment: Commitment::Processed, ..MarketOptions::default() };
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

fn judged(plan: &Plan, price: &PlanPrice, transaction: &Transaction) -> Drift {
    let request = request_of(plan.operation, &plan.body).unwrap();
    drift(&WalletAddresses::default(), &QuotedPlan::read(price).unwrap(), &request, transaction).unwrap()
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
fn with_rates(plan: &Plan, protocol: u16, creator: u16) -> PlanPrice {
    let text = json::write(&plan.price.to_tape());
    let tier = |protocol: u16, creator: u16| format!(r#""protocolBps":{protocol},"creatorBps":{creator}"#);
    assert!(text.contains(&tier(95, 30)), "{text}");
    let other = text.replace(&tier(95, 30), &tier(protocol, creator));
    PlanPrice::of(&json::parse(other.as_bytes()).unwrap())
}

#[test]
fn another_rate_is_found_by_what_it_took() {
    let (desk, client, mint, wallets) = world("{}", Launchpad::default());
    let plan = run(client.buy(BuyRequest::new(&mint, &wallets[0], 1_000_000_000)).plan()).unwrap();
    run(client.buy(BuyRequest::new(&mint, &wallets[1], 700_000_000))).unwrap();
    let (signature, _) = sent(&desk, &client, &plan);
    let transaction = landed(&desk, &signature);
    for (protocol, creator) in [(100, 30), (95, 5), (95, 0), (94, 30)] {
        let drift = judged(&plan, &with_rates(&plan, protocol, creator), &transaction);
        assert_eq!((drift.charged_bps, drift.explained), (Some(125), true), "{protocol} {creator}");
        assert_eq!(causes(&drift), [DriftCause::Curve, DriftCause::Rate]);
    }
    // Only their sum shows.
    assert_eq!(judged(&plan, &with_rates(&plan, 90, 20), &transaction).charged_bps, Some(125));
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
        judged(&plan, &price, &other)
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
    assert_eq!(causes(&judged(&plan, &price, &other)), [DriftCause::Rent]);
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

    let refused = |error: ClientError| error.to_string();
    let unknown = run(client.drift(&plan, "5".repeat(64).as_str())).unwrap_err();
    assert_eq!(
        refused(unknown),
        "the market gave no answer: The node knows no landed transaction of this signature: it failed, is not confirmed yet, or is forgotten."
    );
    let unpriced = Plan { price: None, ..plan.clone() };
    assert_eq!(refused(run(client.drift(&unpriced, &signature)).unwrap_err()), "the plan has no price");
    let other = Plan { price: Some(PlanPrice::of(&json::parse(br#"{"legs":[]}"#).unwrap())), ..plan.clone() };
    assert!(refused(run(client.drift(&other, &signature)).unwrap_err()).contains("curve is missing"));
    assert!(run(Client::new(desk.clone()).drift(&plan, &signature)).unwrap_err().has_no_market());
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
    assert!(run(blind.check_drift()).unwrap_err().has_no_market());
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
    let rents = |plan: &Plan| -> Vec<u64> {
        let legs = plan.price.as_ref().unwrap().legs().unwrap();
        legs.iter().map(|leg| leg.quoted.volume_rent_lamports).collect()
    };
    assert_eq!(rents(&bundle), [rents::volume_account(), 0, 0]);
    let (signature, drift) = sent(&desk, &client, &bundle);
    assert_eq!(causes(&drift), &[], "{drift:?}");
    assert_eq!(
        drift.wallets[0].lamports,
        -400_000_000 - 300_000_000 - i128::from(rents::token_account() + rents::volume_account())
    );
    let volume = launchpad_desk::chain::address::volume_account_address(&wallets[0].parse().unwrap());
    let landed = landed(&desk, &signature);
    assert_eq!(
        landed.lamports_of(&volume.to_string()).map(|lamports| lamports.moved()),
        Some(i128::from(rents::volume_account()))
    );
    let later = run(client.buy(BuyRequest::new(&mint, &wallets[0], 100_000_000)).plan()).unwrap();
    assert_eq!(rents(&later), [0]);
    assert_eq!(causes(&sent(&desk, &client, &later).1), &[]);
}

/// The transaction of an own trade, and what the accounts that somebody else may send to have in it.
struct Landed {
    transaction: Transaction,
    mint: String,
}

impl Landed {
    fn account(&mut self, address: &str) -> &mut Change {
        let accounts = &mut self.transaction.accounts;
        if accounts.iter().all(|own| own.address != address) {
            let lamports = Change { before: 2_000_000, after: 2_000_000 };
            accounts.push(AccountChange { address: address.to_owned(), signed: false, lamports });
        }
        &mut accounts.iter_mut().find(|own| own.address == address).unwrap().lamports
    }

    /// The creator's fee goes to the wallet's own account, as the program does it for a cashback coin.
    fn cashback(&mut self, wallet: &str, lamports: u64) {
        let volume = volume_account_address(&wallet.parse().unwrap()).to_string();
        self.account(&volume).after += lamports;
    }

    /// A stranger has sent tokens to the curve before.
    fn curve_tokens(&mut self, more: u64) {
        let curve = curve_address(&self.mint.parse().unwrap()).to_string();
        let own = self.transaction.tokens.iter_mut().find(|own| own.owner.as_ref() == Some(&curve)).unwrap();
        own.tokens = Change { before: own.tokens.before + more, after: own.tokens.after + more };
    }

    /// The same of lamports.
    fn curve_lamports(&mut self, more: u64) {
        let curve = curve_address(&self.mint.parse().unwrap()).to_string();
        let own = self.account(&curve);
        *own = Change { before: own.before + more, after: own.after + more };
    }
}

/// Wallets, and what each has paid to the creator.
type Creators = Vec<(String, u64)>;

/// Plans, each with its transaction and the creator's fees that its wallets have paid: buys, sells and a bundle, on a curve that others
/// move before every other one.
fn traded() -> Vec<(Plan, Landed, Creators)> {
    let rich = ["Ada", "Bob", "Cyd"].map(|name| {
        format!(r#"{{"wallet":"SimTrader{name}1111111111111111111111111111111","lamports":90000000000}}"#)
    });
    let (desk, client, mint, wallets) =
        world(&format!(r#"{{"wallets":[{}]}}"#, rich.join(",")), Launchpad::default());
    let mut all = Vec::new();
    let creators = |of: &[&str]| -> Creators {
        let trade = desk.last_trade().unwrap();
        let fees = |wallet: &str| {
            let legs = trade.legs.iter().filter(|leg| leg.wallet == wallet);
            legs.map(|leg| leg.creator_fee_lamports).sum()
        };
        of.iter().map(|wallet| ((*wallet).to_owned(), fees(wallet))).collect()
    };
    for round in 0..24_u64 {
        let own = wallets[(round % 2) as usize].as_str();
        let (plan, of) = match round % 4 {
            0 | 1 => {
                let buy = BuyRequest::new(&mint, own, 200_000_000 + round * 7_000_003);
                (run(client.buy(buy).plan()).unwrap(), vec![own])
            }
            2 => {
                let share = SellByPercentageRequest::new(&mint, own, "33.3%".parse().unwrap());
                (run(client.sell_by_percentage(share).plan()).unwrap(), vec![own])
            }
            _ => {
                let (one, two) = (wallets[0].as_str(), wallets[1].as_str());
                let bundle = BundleBuyRequest::new(&mint, &wallets[2])
                    .buy(one, 40_000_000)
                    .buy(two, 30_000_001)
                    .buy(one, 1_000);
                (run(client.bundle_buy(bundle).plan()).unwrap(), vec![one, two])
            }
        };
        if round % 2 == 1 {
            run(client.buy(BuyRequest::new(&mint, &wallets[2], 90_000_000))).unwrap();
        }
        let (signature, _) = sent(&desk, &client, &plan);
        all.push((
            plan,
            Landed { transaction: landed(&desk, &signature), mint: mint.clone() },
            creators(&of),
        ));
    }
    all
}

#[test]
fn an_exact_trade_of_a_cashback_coin_is_explained_and_named() {
    let mut named = 0;
    for (plan, mut told, creators) in traded() {
        let price = plan.price.clone().unwrap();
        let plain = judged(&plan, &price, &told.transaction);
        for (wallet, fee) in &creators {
            told.cashback(wallet, *fee);
        }
        let drift = judged(&plan, &price, &told.transaction);
        let mut due = plain.causes.clone();
        due.push(DriftCause::Cashback);
        assert_eq!((&drift.causes, drift.explained), (&due, true), "{drift:?}");
        named += 1;

        // What the wallet has paid besides is still reported, and so is more than the fee that came back.
        told.account(&creators[0].0).after -= 2_000_000;
        assert!(!judged(&plan, &price, &told.transaction).explained);
    }
    assert_eq!(named, 24);

    // The first buy also opens that account, and both are read apart.
    let settings = r#"{"wallets":[{"wallet":"SimTraderAda1111111111111111111111111111111","lamports":9000000000,"opensVolumeAccount":true}]}"#;
    let (desk, client, mint, wallets) = world(settings, Launchpad::default());
    let plan = run(client.buy(BuyRequest::new(&mint, &wallets[0], 1_000_000_000)).plan()).unwrap();
    let (signature, _) = sent(&desk, &client, &plan);
    let mut told = Landed { transaction: landed(&desk, &signature), mint };
    told.cashback(&wallets[0], desk.last_trade().unwrap().legs[0].creator_fee_lamports);
    let price = plan.price.clone().unwrap();
    let drift = judged(&plan, &price, &told.transaction);
    assert_eq!((causes(&drift), drift.explained), (&[DriftCause::Cashback][..], true), "{drift:?}");
    // Somebody has sent lamports there before, or another trade has opened it meanwhile: it takes less of the wallet, or nothing.
    let volume = volume_account_address(&wallets[0].parse().unwrap()).to_string();
    for there in [1, rents::volume_account() / 2, rents::volume_account()] {
        let mut told = Landed { transaction: told.transaction.clone(), mint: told.mint.clone() };
        told.account(&volume).before += there;
        told.account(&wallets[0]).after += there;
        let drift = judged(&plan, &price, &told.transaction);
        let due = [DriftCause::Rent, DriftCause::Cashback];
        assert_eq!((causes(&drift), drift.explained), (&due[..], true), "{there}: {drift:?}");
    }
}

#[test]
fn another_rate_of_a_cashback_coin_is_found_by_what_it_took() {
    for (plan, mut told, creators) in traded() {
        for (wallet, fee) in &creators {
            told.cashback(wallet, *fee);
        }
        for (protocol, creator) in [(100, 30), (95, 5), (94, 30)] {
            let drift = judged(&plan, &with_rates(&plan, protocol, creator), &told.transaction);
            assert_eq!(
                (drift.charged_bps, drift.explained),
                (Some(125), true),
                "{protocol} {creator}: {drift:?}"
            );
            assert!(!drift.causes.contains(&DriftCause::Rent), "{drift:?}");
            assert!(drift.causes.contains(&DriftCause::Cashback), "{drift:?}");
        }
    }
}

#[test]
fn what_strangers_send_to_the_curve_is_no_alarm() {
    for (plan, told, _) in traded() {
        let price = plan.price.clone().unwrap();
        let plain = judged(&plan, &price, &told.transaction);
        let of = |more_tokens: u64, more_lamports: u64| {
            let mut told = Landed { transaction: told.transaction.clone(), mint: told.mint.clone() };
            told.curve_tokens(more_tokens);
            told.curve_lamports(more_lamports);
            judged(&plan, &price, &told.transaction)
        };
        assert_eq!(of(0, 1), plain);
        assert_eq!(of(0, 5_000_000_000), plain);
        // One base unit, one token, a hundredth and a tenth of all that there are.
        let is_moved = plain.causes.contains(&DriftCause::Curve);
        for more in [1, 1_000_000, 10_000_000_000_000, 100_000_000_000_000] {
            let drift = of(more, 0);
            // Together with trades of others, a few tokens more are as good as a few more of those trades, and many are not told apart.
            assert_eq!(drift.explained, !is_moved || more <= 1_000_000, "{more}: {drift:?}");
            assert_eq!(drift.causes.contains(&DriftCause::Gift), !is_moved, "{more}: {drift:?}");
            assert_eq!(drift.causes.contains(&DriftCause::Curve), is_moved);
        }
    }
}
