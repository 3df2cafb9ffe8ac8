//! The drift alarm, on the chain around a sandbox: each rule that moves between quote and trade is named, and what no rule explains is
//! reported, to the lamport.

use crate::rents;
use std::pin::pin;
use std::sync::Arc;
use std::task::{Context, Waker};

use super::Notes;
use super::market::{Desk, run};

use launchpad_desk::chain::address::{curve_address, volume_account_address};
use launchpad_desk::chain::wallets::WalletAddresses;
use launchpad_desk::evidence::{AccountChange, Change, Transaction};
use launchpad_desk::launchpad::Launchpad;
use launchpad_desk::launchpad::fees::FeeRates;
use launchpad_desk::market::MarketRefusal;
use launchpad_desk::market::drift::{Drift, DriftCause, QuotedPlan, drift, read_landed, transaction_body};
use launchpad_desk::market::read::Commitment;
use launchpad_desk::prelude::*;
use launchpad_desk::tape::{ToTape, json};
use launchpad_desk::trade::guard::{Settings, request_of};
use launchpad_desk::trade::plan::{Plan, PlanPrice};
use launchpad_desk_client::{Client, MarketOptions, Note};
use launchpad_desk_sandbox::local_chain::ChainFaults;

const SOL: u64 = 1_000_000_000;

/// A desk, its client, a mint and the wallets.
struct World {
    desk: Desk,
    client: Client<Desk>,
    mint: String,
    wallets: Vec<String>,
}

impl World {
    fn new() -> World {
        World::of("{}", Launchpad::default())
    }

    fn of(settings: &str, rules: Launchpad) -> World {
        let faults = ChainFaults { transaction_version: Some(1), ..ChainFaults::default() };
        let desk = Desk::new(settings, faults);
        // So that a quote sees the newest trade.
        let commitment = Commitment::Processed;
        let options = MarketOptions { rules: rules.into(), commitment, ..MarketOptions::default() };
        let client = desk.client_with(None, options).build().unwrap();
        let (mint, wallets) = desk.names();
        World { desk, client, mint, wallets }
    }

    fn buy(&self, wallet: usize, lamports: u64) -> BuyRequest {
        BuyRequest::new(&self.mint, &self.wallets[wallet], lamports)
    }

    fn plan(&self, wallet: usize, lamports: u64) -> Plan {
        run(self.client.buy(self.buy(wallet, lamports)).plan()).unwrap()
    }

    fn bundle(&self, payer: usize, buys: &[(usize, u64)]) -> Plan {
        let bundle = BundleBuyRequest::new(&self.mint, &self.wallets[payer]);
        let bundle =
            buys.iter().fold(bundle, |all, (wallet, lamports)| all.buy(&self.wallets[*wallet], *lamports));
        run(self.client.bundle_buy(bundle).plan()).unwrap()
    }

    fn share(&self, wallet: usize, share: &str) -> SellByPercentageRequest {
        SellByPercentageRequest::new(&self.mint, &self.wallets[wallet], share.parse().unwrap())
    }

    fn sale(&self, request: SellByPercentageRequest) -> Plan {
        run(self.client.sell_by_percentage(request).plan()).unwrap()
    }

    /// A trade that moves the price.
    fn moves(&self, wallet: usize, lamports: u64) {
        run(self.client.buy(self.buy(wallet, lamports))).unwrap();
    }

    /// Sends a plan, and compares the trade with it once it is confirmed.
    fn sent(&self, plan: &Plan) -> (String, Drift) {
        let traded = run(self.client.send(plan)).unwrap();
        let signature = traded.trade.signature().unwrap().to_owned();
        self.desk.wait(5_000);
        let drift = run(self.client.drift(plan, &signature)).unwrap();
        (signature, drift)
    }

    /// What a trade of it differs by.
    fn causes(&self, plan: &Plan) -> Vec<DriftCause> {
        self.sent(plan).1.causes
    }

    fn landed(&self, signature: &str) -> Transaction {
        let body = transaction_body(signature, Commitment::Confirmed);
        let reply = self.desk.with(|world| world.chain.answer(body.as_bytes(), world.now_ms));
        read_landed(&reply.body).unwrap().unwrap()
    }
}

fn judged(plan: &Plan, price: &PlanPrice, transaction: &Transaction) -> Drift {
    let request = request_of(plan.operation, &plan.body).unwrap();
    drift(&WalletAddresses::default(), &QuotedPlan::read(price).unwrap(), &request, transaction).unwrap()
}

#[test]
fn a_trade_as_quoted_has_no_cause_whatever_its_operation() {
    let world = World::new();
    let (signature, drift) = world.sent(&world.plan(0, SOL + 7));
    assert_eq!((&drift.causes[..], drift.explained), (&[][..], true), "{drift:?}");
    assert_eq!((drift.signature, drift.charged_bps), (signature, None));
    assert!(drift.slot.0 >= drift.quoted_slot.0);
    assert_eq!(drift.wallets[0].lamports, drift.wallets[0].quoted_lamports);

    assert_eq!(world.causes(&world.bundle(2, &[(0, 400_000_000), (1, 300_000_001), (0, 1_000)])), []);
    assert_eq!(world.causes(&world.sale(world.share(0, "33.3%"))), []);
    let all = world.sale(world.share(1, "100%").fee_payer(&world.wallets[2]));
    assert_eq!(world.causes(&all), [], "the rent comes back");
}

#[test]
fn each_rule_that_moved_is_named() {
    // Others trade in between, and then others trade and a percentage is of another holding.
    let world = World::new();
    let moved = world.plan(0, SOL);
    world.moves(1, 40_000_000);
    let (_, drift) = world.sent(&moved);
    assert_eq!((&drift.causes[..], drift.explained), (&[DriftCause::Curve][..], true), "{drift:?}");
    assert!(drift.wallets[0].tokens < drift.wallets[0].quoted_tokens);
    let share = world.sale(world.share(0, "50%"));
    world.moves(0, 40_000_000);
    assert_eq!(world.causes(&share), [DriftCause::Curve, DriftCause::Holding]);

    // Rents and network fees that the quote's rules have otherwise.
    let rent = Launchpad { rent_lamports_per_byte: 6_960, ..Launchpad::default() };
    let mut fee = Launchpad::default();
    fee.network.lamports_per_signature = 10_000;
    for (rules, cause) in [(rent, DriftCause::Rent), (fee, DriftCause::NetworkFee)] {
        let world = World::of("{}", rules);
        assert_eq!(world.causes(&world.plan(0, SOL)), [cause]);
    }

    // A tier that others have come into.
    let tiers = r#"{"launchpad":{"feeTiers":[{"marketCapThresholdLamports":0,"protocolBps":95,"creatorBps":30},
        {"marketCapThresholdLamports":29000000000,"protocolBps":90,"creatorBps":60}]}}"#;
    let world = World::of(tiers, Launchpad::default());
    let plan = world.plan(0, SOL);
    world.moves(1, 2 * SOL);
    assert_eq!(world.causes(&plan), [DriftCause::Curve, DriftCause::Tier]);
}

/// The rates of the newest rules.
fn rates() -> FeeRates {
    Launchpad::default().fee_tiers[0].rates
}

/// Other rates than those.
fn others() -> [(u16, u16); 4] {
    let (protocol, creator) = (rates().protocol_bps(), rates().creator_bps());
    [(protocol + 5, creator), (protocol, creator - 25), (protocol, 0), (protocol - 1, creator)]
}

fn charged() -> Option<u16> {
    u16::try_from(rates().total_bps()).ok()
}

/// The price with other fee rates among its rules.
fn with_rates(plan: &Plan, protocol: u16, creator: u16) -> PlanPrice {
    let text = json::write(&plan.price.to_tape());
    let tier = |protocol: u16, creator: u16| format!(r#""protocolBps":{protocol},"creatorBps":{creator}"#);
    let now = tier(rates().protocol_bps(), rates().creator_bps());
    assert!(text.contains(&now), "{text}");
    let other = text.replace(&now, &tier(protocol, creator));
    PlanPrice::of(&json::parse(other.as_bytes()).unwrap())
}

#[test]
fn another_rate_is_found_by_what_it_took() {
    let world = World::new();
    let plan = world.plan(0, SOL);
    world.moves(1, 700_000_000);
    let transaction = world.landed(&world.sent(&plan).0);
    for (protocol, creator) in others() {
        let drift = judged(&plan, &with_rates(&plan, protocol, creator), &transaction);
        assert_eq!((drift.charged_bps, drift.explained), (charged(), true), "{protocol} {creator}");
        assert_eq!(drift.causes, [DriftCause::Curve, DriftCause::Rate]);
    }
    // Only their sum shows.
    assert_eq!(
        judged(
            &plan,
            &with_rates(&plan, rates().protocol_bps() - 5, rates().creator_bps() - 10),
            &transaction
        )
        .charged_bps,
        charged()
    );
}

#[test]
fn what_no_rule_explains_is_reported_to_the_lamport() {
    let world = World::new();
    let plan = world.plan(0, SOL);
    let price = plan.price.clone().unwrap();
    let (own, wallets) = (world.landed(&world.sent(&plan).0), &world.wallets);
    let tampered = |lamports: u64, tokens: u64| {
        let mut other = own.clone();
        other.accounts[0].lamports.after -= lamports;
        let owned = other.tokens.iter_mut().find(|own| own.owner.as_ref() == Some(&wallets[0]));
        owned.unwrap().tokens.after -= tokens;
        judged(&plan, &price, &other)
    };
    let tip = tampered(1_000_000, 0);
    let paid_more = vec![DriftCause::Unexplained, DriftCause::OverAmount];
    assert_eq!((&tip.causes, tip.explained), (&paid_more, false), "more than the amount is named");
    assert_eq!((tip.wallets[0].unexplained_lamports, tip.wallets[0].unexplained_tokens), (-1_000_000, 0));
    let fewer = tampered(0, 34_000_000_000);
    assert_eq!((fewer.explained, fewer.wallets[0].unexplained_tokens), (false, -34_000_000_000));
    // As many fewer as another rate would give, but the curve has given the others, too.
    let at_135_bps = 33_766_527_513;
    assert!(!tampered(0, at_135_bps).explained);
    assert_eq!(tampered(2, 0).causes, [DriftCause::Rounding]);
    assert!(!tampered(3, 0).explained);
    // An account of the wallet's volume, opened by its first buy, is rent.
    let mut other = own.clone();
    other.accounts[0].lamports.after -= 1_844_400;
    let volume = volume_account_address(&wallets[0].parse().unwrap()).to_string();
    let opened = other.accounts.iter_mut().find(|own| own.address == volume).unwrap();
    opened.lamports = Change { before: 0, after: 1_844_400 };
    assert_eq!(judged(&plan, &price, &other).causes, [DriftCause::Rent]);
}

#[test]
fn a_sale_of_more_than_was_asked_is_no_other_holding() {
    let world = World::new();
    world.moves(0, SOL);
    let sell = |units: u64| {
        let units = TokenInput::BaseUnits(units);
        run(world.client.sell(SellRequest::new(&world.mint, &world.wallets[0], units)).plan()).unwrap()
    };
    let share = world.sale(world.share(0, "10%"));
    let due = share.price.as_ref().unwrap().legs().unwrap()[0].1.tokens;
    let asked = [share, sell(due)];
    let half = world.sale(world.share(0, "50%"));
    let rounded = world.landed(&world.sent(&sell(due + 1)).0);
    let transaction = world.landed(&world.sent(&half).0);
    for plan in &asked {
        let causes = |landed| judged(plan, &plan.price.clone().unwrap(), landed).causes;
        assert_eq!(causes(&transaction), [DriftCause::Curve, DriftCause::Unexplained]);
        assert_eq!(causes(&rounded), [DriftCause::Holding], "a service may round a share up");
    }
}

/// What a client is told of its trades.
fn compared(intent_id: &str, note: Note<'_>) -> Option<String> {
    match note {
        Note::Drift(drift) => Some(format!("{intent_id} {:?}", drift.causes)),
        Note::NotCompared(why) => Some(format!("{intent_id}: {why}")),
        _ => None,
    }
}

#[test]
fn one_call_is_one_note_and_what_cannot_be_compared_says_so() {
    let world = World::new();
    let (desk, client) = (&world.desk, &world.client);
    let plan = run(client.buy(world.buy(0, SOL)).intent_id("a").plan()).unwrap();
    let told = Arc::default();
    let hooks = Notes(Arc::clone(&told), compared);
    let heard = desk.client_with(None, MarketOptions::default()).hooks(hooks).build().unwrap();
    let (signature, _) = world.sent(&plan);
    assert!(told.lock().unwrap().is_empty());
    run(heard.drift(&plan, &signature)).unwrap();
    assert_eq!(*told.lock().unwrap(), ["a []"]);

    // The signature of the first trade, as a reply from a cache has it for the second.
    let plan_b = world.plan(0, 400_000_000);
    run(client.send(&plan_b)).unwrap();
    let shared = run(client.drift(&plan_b, &signature)).unwrap();
    assert_eq!((shared.causes.last(), shared.explained), (Some(&DriftCause::OtherTrade), false));

    let refused = |plan: &Plan, signature: &str| run(client.drift(plan, signature)).unwrap_err().to_string();
    let unknown = "the market gave no answer: The node knows no landed transaction of this signature: it failed, is not confirmed yet, or is forgotten.";
    assert_eq!(refused(&plan, &"5".repeat(64)), unknown);
    let unpriced = Plan { price: None, ..plan.clone() };
    assert_eq!(refused(&unpriced, &signature), "the plan has no price");
    let other = Plan { price: Some(PlanPrice::of(&json::parse(br#"{"legs":[]}"#).unwrap())), ..plan.clone() };
    assert!(refused(&other, &signature).contains("curve is missing"));
    assert!(run(Client::new(desk.clone()).drift(&plan, &signature)).unwrap_err().has_no_market());
}

#[test]
fn each_landed_trade_that_was_quoted_is_compared_without_a_call() {
    let desk = Desk::new("{}", ChainFaults::default());
    let (mint, wallets) = desk.names();
    let told = Arc::default();
    let options = MarketOptions { commitment: Commitment::Processed, ..MarketOptions::default() };
    let limits = Settings { max_impact_bps: Some(9_999), ..Settings::default() };
    let hooks = Notes(Arc::clone(&told), compared);
    let client = desk.client_with(None, options).guards(limits).hooks(hooks).build().unwrap();
    let buy =
        |id: &str, wallet: usize| client.buy(BuyRequest::new(&mint, &wallets[wallet], SOL)).intent_id(id);
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
            std::mem::take(&mut *told.lock().unwrap())
        };
        looks(1);
        run(client.send(&plan("planned", 0))).unwrap();
        next_slot();
        run(buy("limited", 1)).unwrap();
        // A sell needs no quote, so there is nothing to compare.
        let half = SellByPercentageRequest::new(&mint, &wallets[0], "50%".parse().unwrap());
        run(client.sell_by_percentage(half)).unwrap();
        next_slot();
        let failing = client.buy(BuyRequest::new(&mint, &wallets[0], 900_000_000_000_000)).plan();
        run(client.send(&run(failing).unwrap())).unwrap_err();
        assert!(told.lock().unwrap().is_empty(), "no result waits for it");
        let mut compared = looks(2);
        compared.sort();
        assert_eq!(compared, ["limited []", "planned []"]);

        // A node that does not have the transaction is asked four times: after 2, 6, 14 and 30 seconds.
        let late = plan("late", 1);
        let faults = ChainFaults { lag_slots: 10_000, ..ChainFaults::default() };
        desk.with(|world| world.chain.set_faults(faults));
        run(client.send(&late)).unwrap();
        assert!(looks(15).is_empty());
        assert_eq!(looks(2), [format!("late: {}", MarketRefusal::NoTransaction)]);
        assert!(looks(30).is_empty());
    }
    desk.with(|world| world.chain.set_faults(ChainFaults::default()));
    run(client.send(&plan("nobody-asks-any-more", 0))).unwrap();
    assert!(told.lock().unwrap().is_empty());
    let blind = Client::new(desk.clone());
    assert!(run(blind.check_drift()).unwrap_err().has_no_market());
}

#[test]
fn a_first_buy_is_quoted_with_the_rent_of_its_volume_account() {
    let settings = r#"{"wallets":[
        {"wallet":"SimTraderAda1111111111111111111111111111111","lamports":9000000000,"opensVolumeAccount":true},
        {"wallet":"SimTraderBob1111111111111111111111111111111","lamports":9000000000}]}"#;
    let world = World::of(settings, Launchpad::default());
    let bundle = world.bundle(1, &[(0, 400_000_000), (0, 300_000_000), (1, 200_000_000)]);
    let rents = |plan: &Plan| -> Vec<u64> {
        let legs = plan.price.as_ref().unwrap().legs().unwrap();
        legs.iter().map(|(_, leg)| leg.volume_rent_lamports).collect()
    };
    assert_eq!(rents(&bundle), [rents::volume_account(), 0, 0]);
    let (signature, drift) = world.sent(&bundle);
    assert_eq!(drift.causes, [], "{drift:?}");
    let opened = i128::from(rents::token_account() + rents::volume_account());
    assert_eq!(drift.wallets[0].lamports, -400_000_000 - 300_000_000 - opened);
    let volume = volume_account_address(&world.wallets[0].parse().unwrap()).to_string();
    let moved = world.landed(&signature).lamports_of(&volume).map(|lamports| lamports.moved());
    assert_eq!(moved, Some(i128::from(rents::volume_account())));
    let later = world.plan(0, 100_000_000);
    assert_eq!((rents(&later), world.causes(&later)), (vec![0], vec![]));
}

/// The transaction of an own trade, and what the accounts that somebody else may send to have in it.
#[derive(Clone)]
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
    let world = World::of(&format!(r#"{{"wallets":[{}]}}"#, rich.join(",")), Launchpad::default());
    let mut all = Vec::new();
    let creators = |of: &[usize]| -> Creators {
        let trade = world.desk.last_trade().unwrap();
        let fees = |wallet: &str| {
            let legs = trade.legs.iter().filter(|leg| leg.wallet == wallet);
            legs.map(|leg| leg.creator_fee_lamports).sum()
        };
        of.iter().map(|own| world.wallets[*own].clone()).map(|own| (own.clone(), fees(&own))).collect()
    };
    for round in 0..24_u64 {
        let own = (round % 2) as usize;
        let (plan, of) = match round % 4 {
            0 | 1 => (world.plan(own, 200_000_000 + round * 7_000_003), vec![own]),
            2 => (world.sale(world.share(own, "33.3%")), vec![own]),
            _ => (world.bundle(2, &[(0, 40_000_000), (1, 30_000_001), (0, 1_000)]), vec![0, 1]),
        };
        if round % 2 == 1 {
            world.moves(2, 90_000_000);
        }
        let transaction = world.landed(&world.sent(&plan).0);
        all.push((plan, Landed { transaction, mint: world.mint.clone() }, creators(&of)));
    }
    all
}

#[test]
fn an_exact_trade_of_a_cashback_coin_is_explained_and_named() {
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

        // What the wallet has paid besides is still reported, and so is more than the fee that came back.
        told.account(&creators[0].0).after -= 2_000_000;
        assert!(!judged(&plan, &price, &told.transaction).explained);
    }

    // The first buy also opens that account, and both are read apart.
    let settings = r#"{"wallets":[{"wallet":"SimTraderAda1111111111111111111111111111111","lamports":9000000000,"opensVolumeAccount":true}]}"#;
    let world = World::of(settings, Launchpad::default());
    let (plan, wallets) = (world.plan(0, SOL), &world.wallets);
    let mut told = Landed { transaction: world.landed(&world.sent(&plan).0), mint: world.mint.clone() };
    told.cashback(&wallets[0], world.desk.last_trade().unwrap().legs[0].creator_fee_lamports);
    let price = plan.price.clone().unwrap();
    let drift = judged(&plan, &price, &told.transaction);
    assert_eq!((drift.causes, drift.explained), (vec![DriftCause::Cashback], true));
    // Somebody has sent lamports there before, or another trade has opened it meanwhile: it takes less of the wallet, or nothing.
    let volume = volume_account_address(&wallets[0].parse().unwrap()).to_string();
    for there in [1, rents::volume_account() / 2, rents::volume_account()] {
        let mut told = told.clone();
        told.account(&volume).before += there;
        told.account(&wallets[0]).after += there;
        let drift = judged(&plan, &price, &told.transaction);
        let due = vec![DriftCause::Rent, DriftCause::Cashback];
        assert_eq!((drift.causes, drift.explained), (due, true), "{there}");
    }
}

#[test]
fn another_rate_of_a_cashback_coin_is_found_by_what_it_took() {
    for (plan, mut told, creators) in traded() {
        for (wallet, fee) in &creators {
            told.cashback(wallet, *fee);
        }
        for (protocol, creator) in others().into_iter().filter(|(_, creator)| *creator > 0) {
            let drift = judged(&plan, &with_rates(&plan, protocol, creator), &told.transaction);
            assert_eq!((drift.charged_bps, drift.explained), (charged(), true), "{drift:?}");
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
            let mut told = told.clone();
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
