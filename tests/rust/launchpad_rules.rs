//! A rule holds from its day: what is made or replayed before that day has the rule before it.

use crate::backtest::{AT_ONCE, bought, run, terms};
use crate::sandbox::{self, ADA, MINT};

use launchpad_desk::api::endpoint::Operation;
use launchpad_desk::api::validate::{Rules, validate};
use launchpad_desk::bindings::object;
use launchpad_desk::launchpad::Launchpad;
use launchpad_desk::launchpad::rules::{RULES, RulesByDay};
use launchpad_desk::launchpad::settings::LaunchpadConfig;
use launchpad_desk::tape::ToTape;
use launchpad_desk::trade::guard::{Guards, Settings};
use launchpad_desk_sandbox::Sandbox;
use launchpad_desk_sandbox::backtest::run::BacktestRun;

const SOL: u64 = 1_000_000_000;
const HOUR_MS: u64 = 3_600_000;

/// The last day on which the rent has changed.
fn day_ms() -> u64 {
    let mut rents = RULES.iter().filter(|rule| rule.setting == "rentLamportsPerByte");
    assert!(rents.clone().count() > 1, "the rent has changed");
    rents.next_back().expect("one").from_ms()
}

/// What a token account costs just before the day, and from then on.
fn rents_by(rules: &RulesByDay) -> [u64; 2] {
    [day_ms() - 1, day_ms()].map(|at_ms| rules.at(at_ms).token_account_rent_lamports().unwrap())
}

/// The same by the default rules.
fn rents() -> [u64; 2] {
    let rents = rents_by(&RulesByDay::default());
    assert_ne!(rents[0], rents[1]);
    rents
}

#[test]
fn each_side_of_a_day_has_its_rules() {
    let rules = RulesByDay::default();
    assert_eq!(rules.at(u64::MAX), &Launchpad::default());
    assert_eq!(rules.at(0), &Launchpad::default(), "a market's own clock has no days");
    let before = rules.at(day_ms() - 1);
    let rent_lamports_per_byte = before.rent_lamports_per_byte;
    let as_of = before.as_of.clone();
    assert_eq!(before, &Launchpad { rent_lamports_per_byte, as_of, ..rules.at(day_ms()).clone() });
}

#[test]
fn a_setting_of_ones_own_holds_at_every_time() {
    let own = Launchpad { rent_lamports_per_byte: 1, token_supply: 7, ..Launchpad::default() };
    let rules = RulesByDay::from(own.clone());
    let of = |at_ms| (rules.at(at_ms).rent_lamports_per_byte, rules.at(at_ms).token_supply);
    assert_eq!([of(day_ms() - 1), of(day_ms())], [(1, 7); 2]);
    // What is not one's own follows the days.
    let rules = RulesByDay::from(Launchpad { token_supply: 7, ..Launchpad::default() });
    assert_eq!(rents_by(&rules), rents());
}

/// Buys a token at once and holds it to the end of an hour.
fn backtest_from(begins_ms: u64) -> BacktestRun {
    let tape = bought((0..60).map(|minute| begins_ms + minute * 60_000), SOL / 10);
    run(terms(Some(AT_ONCE), None), &tape)
}

#[test]
fn a_backtest_across_the_day_uses_the_rent_of_each_trades_time() {
    let [old, new] = rents();
    let day = day_ms();
    // The last one buys before the day and sells after it: its account gives back what it was opened with.
    for (begins_ms, rent) in [(day - 2 * HOUR_MS, old), (day, new), (0, new), (day - HOUR_MS / 2, old)] {
        let run = backtest_from(begins_ms);
        assert_eq!(
            (run.costs.rent_paid_lamports, run.costs.rent_returned_lamports),
            (rent, rent),
            "{begins_ms}"
        );
        assert_eq!(run.positions.len(), 1);
        let buy = &run.orders[0];
        assert_eq!(run.positions[0].paid_lamports, buy.lamports + buy.network_fee_lamports + rent);
    }
    // Everything else is alike.
    let [before, after] = [day - 2 * HOUR_MS, day].map(backtest_from);
    assert_eq!((before.profit_lamports, before.replayed), (after.profit_lamports, after.replayed));
}

#[test]
fn a_sandbox_across_the_day_uses_the_rent_of_the_markets_time() {
    let [old, new] = rents();
    let settings = object! {
        "control": true,
        "market": object! { "startMs": day_ms() - HOUR_MS },
    };
    let mut sandbox = sandbox::sandbox_with(&settings);
    let rent_of = |sandbox: &Sandbox, wallet: &str| {
        let accounts = sandbox::wallet(sandbox, wallet).token_accounts;
        accounts.iter().find(|account| account.mint == MINT).map(|account| account.lamports)
    };
    let quoted = |sandbox: &Sandbox, wallet: &str| {
        let request = object! { "mint": MINT, "fromWallet": wallet, "amountInLamports": 1_000_000u64 };
        sandbox.quote(Operation::Buy, request.root()).unwrap().view(6).legs[0].rent_lamports
    };
    assert_eq!(quoted(&sandbox, ADA), old);
    sandbox::post(&mut sandbox, "/v1/trade/buy", &sandbox::buy(ADA, 1_000_000));
    assert_eq!(rent_of(&sandbox, ADA), Some(old));
    let passed = sandbox.advance(2 * HOUR_MS).expect("no more than may pass at once");
    sandbox.take(&passed);
    assert_eq!(quoted(&sandbox, sandbox::BOB), new);
    sandbox::post(&mut sandbox, "/v1/trade/buy", &sandbox::buy(sandbox::BOB, 1_000_000));
    assert_eq!((rent_of(&sandbox, ADA), rent_of(&sandbox, sandbox::BOB)), (Some(old), Some(new)));
    // What its transactions have moved is told by the rents of their days.
    let locked = sandbox.trades().iter().map(|trade| trade.signature.clone()).collect::<Vec<_>>();
    let locked = locked.iter().map(|signature| sandbox.moved(signature).unwrap().wallets[0].rent_lamports);
    assert_eq!(locked.collect::<Vec<_>>(), [i128::from(old), i128::from(new)]);
}

#[test]
fn limits_count_the_rent_of_the_trades_day() {
    let guards = Guards::new(Settings::default());
    let request = object! { "mint": MINT, "fromWallet": ADA, "amountInLamports": 100u64 };
    let request = validate(Operation::Buy, request.root(), &Rules::default()).unwrap();
    let counted = |at_ms| guards.worst(at_ms, &request).accounts;
    let per_byte = |at_ms| u128::from(RulesByDay::default().at(at_ms).rent_lamports_per_byte);
    let [before, after] = [day_ms() - 1, day_ms()];
    assert_eq!(counted(before) * per_byte(after), counted(after) * per_byte(before));
    assert_ne!(counted(before), counted(after));
}

/// A record of one buy of a desk in a sandbox, planned at this time, whose market says nothing of the rules.
fn recorded_at(now_ms: u64) -> String {
    use launchpad_desk::trade::plan::{Destination, PlanPrice, Planned};
    use launchpad_desk_record::Recorder;

    let sandbox = sandbox::sandbox_with(&object! { "market": object! { "startMs": now_ms } });
    let request = object! { "mint": MINT, "fromWallet": ADA, "amountInLamports": SOL };
    let valid = validate(Operation::Buy, request.root(), &Rules::default()).unwrap();
    let quote = sandbox.quote(Operation::Buy, request.root()).unwrap();
    let to = Destination { base_url: "https://sandbox.example".into(), is_simulated: true };
    let planned = Planned::new(valid, "trade-1", &Rules::default()).priced(PlanPrice::of(&quote.view(6)));
    let plan = planned.plan(&Guards::new(Settings::default()), &to, now_ms, 60_000);
    let market = object! {
        "tokens": vec![object! { "mint": MINT }],
        "wallets": vec![object! { "wallet": ADA, "lamports": sandbox::wallet(&sandbox, ADA).lamports }],
    };
    Recorder::new(None, "desk").plan(now_ms, plan.to_tape().root(), Some(market.root()))
}

#[test]
fn a_record_across_the_day_is_verified_by_the_rules_of_each_plans_time() {
    use launchpad_desk_record::Verifier;

    let rents = rents();
    for (now_ms, rent) in [(day_ms() - 1, rents[0]), (day_ms(), rents[1])] {
        let line = recorded_at(now_ms);
        // A market that does not give the plan's price is left out.
        assert!(line.contains("\"market\":"), "the rules of {now_ms} give the plan's price");
        assert!(line.contains(&format!("\"rentLamports\":\"{rent}\"")), "{line}");
        let mut verifier = Verifier::default();
        verifier.add_bytes(line.as_bytes());
        let _ = verifier.end(None);
        let codes: Vec<&str> = verifier.take_problems().iter().map(|problem| problem.code.as_str()).collect();
        assert!(!codes.contains(&"price_differs"), "{codes:?}");
    }
}

#[test]
fn a_launchpad_as_settings_is_read_back_as_its_rules_by_day() {
    use launchpad_desk::bindings::reader;
    for launchpad in [Launchpad::default(), RulesByDay::default().at(day_ms() - 1).clone()] {
        let settings = LaunchpadConfig::of(&launchpad).to_tape();
        let rules = reader::read(settings.root(), RulesByDay::read).unwrap();
        assert_eq!((rules.newest(), &rules), (&launchpad, &launchpad.clone().into()));
    }
}
