//! Plans through the machine: the same bytes as without a plan, once, in time, and unchanged.

use std::sync::Arc;

use crate::flow_scripts::Draws;

use launchpad_desk::amount::SlippageUnit;
use launchpad_desk::api::encode::encode;
use launchpad_desk::api::endpoint::Operation;
use launchpad_desk::api::request::Request;
use launchpad_desk::api::validate::{Identifiers, Rules, Valid, validate};
use launchpad_desk::bindings::object;
use launchpad_desk::error::Code;
use launchpad_desk::intent::IntentOutcome;
use launchpad_desk::tape::{self, Data, Tape, ToTape};
use launchpad_desk::trade::flow::{Event, Flow, Head, Lost, Machine, Step, Terms};
use launchpad_desk::trade::guard::{Guards, RateLimit, Settings};
use launchpad_desk::trade::journal::TradeIntent;
use launchpad_desk::trade::plan::{Destination, Plan, PlanPrice, Planned};
use launchpad_desk::trade::reconcile::WalletBalances;
use serde_json::{Map, Value, json};

const NOW: u64 = 1_767_225_600_000;
const LANDED: &str = r#"{"result":{"transactionResult":{"success":true}}}"#;

fn service() -> Destination {
    Destination { base_url: "https://service.example".into(), is_simulated: false }
}

fn valid(operation: Operation, request: &Tape, rules: &Rules) -> Valid<Request> {
    validate(operation, request.root(), rules).unwrap_or_else(|problems| panic!("{problems:?} {request:?}"))
}

fn planned(intent_id: &str) -> Planned {
    let request = object! { "mint": "M", "fromWallet": "W", "amountInLamports": 1_000u64, "slippage": 5u32 };
    let before =
        vec![WalletBalances { wallet: "W".into(), tokens: Some(7), lamports: Some(u64::MAX), slot: None }];
    let trade = TradeIntent { before: Some(before), ..intent_id.into() };
    let rules = Rules::default();
    Planned::new(valid(Operation::Buy, &request, &rules), trade, &rules)
}

fn plan_of(guards: &Guards, intent_id: &str) -> Plan {
    planned(intent_id).plan(guards, &service(), NOW, 60_000)
}

fn flow(plan: &Plan) -> Flow {
    Flow::new(Arc::new(Terms::default()), plan.open(&service(), &Rules::default()).unwrap(), 30_000)
}

/// How a plan ends at this time, with this answer of the transport.
fn send(guards: &mut Guards, plan: &Plan, now_ms: u64, said: Event) -> &'static str {
    let mut flow = flow(plan);
    let mut step = flow.next(guards, now_ms, Event::Begin);
    loop {
        step = match step {
            Step::Send(post) => {
                assert_eq!((post.body, post.path), (plan.body.clone(), "/v1/trade/buy"));
                flow.next(guards, now_ms, said.clone())
            }
            Step::Read { .. } => {
                // A refusal that tells of a trade would be none.
                let is_refused = matches!(&said, Event::Answered(head) if head.status != 200);
                flow.next(guards, now_ms, Event::Body(if is_refused { "{}" } else { LANDED }.into()))
            }
            Step::Done(Ok(trade)) => return trade.status.as_str(),
            Step::Done(Err(error)) => return error.code.as_str(),
            step => panic!("{step:?}"),
        };
    }
}

fn head(status: u16) -> Event {
    Event::Answered(Head { status, ..Head::default() })
}

fn unsent() -> Event {
    Event::Lost(Lost::Unsent(String::new()))
}

/// Why it is refused, or ends.
fn error(step: Step) -> (Code, String) {
    match step {
        Step::Done(Err(error)) => (error.code, error.message),
        step => panic!("{step:?}"),
    }
}

impl Draws {
    fn decimal(&mut self, most: u64, places: u64) -> String {
        let places = self.below(places + 1) as usize;
        let (whole, part) = (self.below(most), self.below(10u64.pow(places as u32)));
        if places == 0 { format!("{}", whole + 1) } else { format!("{whole}.{part:0places$}1") }
    }

    fn slippage(&mut self) -> Tape {
        let number = self.decimal(100, 3);
        match self.below(5) {
            0 => Data::Null.to_tape(),
            1 => Data::Double(&self.decimal(250, 3)).to_tape(),
            2 => number.to_tape(),
            3 => object! { "percent": Data::Double(&number) },
            _ => object! { "bps": number },
        }
    }

    fn name(&mut self) -> String {
        let letters = ["A", "ß", "\u{1f600}", "\"", "\\", "/", "z", "é"];
        (0..=self.below(8)).map(|_| letters[self.below(8) as usize]).collect()
    }

    fn amount(&mut self, operation: Operation) -> (&'static str, Tape) {
        use Operation::*;
        match operation {
            Buy | BundleBuy => {
                let lamports = (1 + self.below(u64::MAX - 1)).to_string();
                let forms = [Data::BigInt(&lamports), Data::String(&lamports), Data::Double("5")];
                ("amountInLamports", forms[self.below(3) as usize].to_tape())
            }
            Sell | BundleSell => {
                let (tokens, units) = (self.decimal(1 << 30, 5), (1 + self.below(1 << 59)).to_string());
                let forms = [
                    Data::Double(&tokens).to_tape(),
                    tokens.to_tape(),
                    object! { "tokens": tokens },
                    object! { "baseUnits": Data::BigInt(&units) },
                ];
                ("amountInToken", forms[self.below(4) as usize].clone())
            }
            SellByPercentage | BundleSellByPercentage => {
                ("percentage", Data::Double(&self.decimal(99, 6)).to_tape())
            }
        }
    }

    fn leg(&mut self, operation: Operation) -> Vec<(&'static str, Tape)> {
        let (wallet, slippage) = (self.name().to_tape(), self.slippage());
        vec![("fromWallet", wallet), self.amount(operation), ("slippage", slippage)]
    }

    fn request(&mut self, operation: Operation) -> Tape {
        let mut fields = vec![("mint", self.name().to_tape())];
        if operation.is_bundle() {
            let legs: Vec<Tape> = (0..=self.below(4)).map(|_| Tape::object(&self.leg(operation))).collect();
            fields.push((if operation.is_buy() { "buys" } else { "sells" }, legs.to_tape()));
            fields.push(("feePayer", self.name().to_tape()));
            fields.push(("slippage", self.slippage()));
        } else {
            fields.extend(self.leg(operation));
        }
        if self.below(2) == 0 {
            fields.push(("priorityUnitPrice", self.below(u64::MAX).to_tape()));
        }
        Tape::object(&fields)
    }
}

#[test]
fn whatever_is_planned_is_sent_byte_for_byte_as_without_a_plan() {
    let mut draws = Draws(20_261_122);
    let mut warned = 0;
    for round in 0..6_000u64 {
        let operation = Operation::ALL[(round % 6) as usize];
        let unit = if draws.below(2) == 0 { SlippageUnit::Percent } else { SlippageUnit::Bps };
        let rules = Rules { slippage_unit: unit, token_decimals: 6 + (round % 4) as u8, ..Rules::default() };
        let request = valid(operation, &draws.request(operation), &rules);
        let (body, warnings) = (encode(&request, unit).body, request.warnings().to_vec());
        let mut guards = Guards::new(Settings::default());
        let plan = Planned::new(request, "a", &rules).plan(&guards, &service(), NOW, 60_000);
        let kept = plan.to_json();
        let back = Plan::from_json(&kept).unwrap();
        assert_eq!((&back, back.to_json()), (&plan, kept));
        let opened = back.open(&service(), &rules).unwrap_or_else(|error| panic!("{error}: {body}"));
        let mut flow = Flow::new(Arc::new(Terms::default()), opened, 30_000);
        assert_eq!(flow.warnings(), warnings);
        warned += usize::from(!warnings.is_empty());
        let Step::Send(post) = flow.next(&mut guards, NOW, Event::Begin) else { panic!("{body}") };
        assert_eq!((post.body, post.operation, post.path), (body, operation, operation.path()));
    }
    assert!(warned > 10, "only {warned} with a warning");
}

#[test]
fn a_plan_is_sent_once_however_that_ends() {
    for (said, then) in [
        (head(200), "plan_used"),
        (head(401), "plan_used"),
        (head(503), "plan_used"),
        (Event::Lost(Lost::Broken(String::new())), "plan_used"),
        (unsent(), "landed"),
        (Event::Lost(Lost::Unsupported(String::new())), "landed"),
    ] {
        let mut guards = Guards::new(Settings::default());
        let plan = plan_of(&guards, "a");
        send(&mut guards, &plan, NOW, said.clone());
        // Whoever has found that it did not land has freed its id, and not the plan.
        guards.acknowledge("a", IntentOutcome::DidNotLand);
        assert_eq!(send(&mut guards, &plan, NOW + 1, head(200)), then, "{said:?}");
        assert_eq!(send(&mut guards, &plan, NOW + 2, head(200)), "plan_used", "{said:?}");
    }
}

#[test]
fn a_plan_in_flight_is_not_sent_by_somebody_else_as_well() {
    let mut guards = Guards::new(Settings { in_flight_per_wallet: 9, ..Settings::default() });
    let plan = plan_of(&guards, "a");
    let mut first = flow(&plan);
    assert!(matches!(first.next(&mut guards, NOW, Event::Begin), Step::Send(_)));
    let second = error(flow(&plan).next(&mut guards, NOW, Event::Begin));
    let message = "not sent: the plan was used: this intent is already in flight";
    assert_eq!(second, (Code::PlanUsed, message.to_owned()));
}

/// No error advises a new plan while this one's trade may have landed.
#[test]
fn a_plan_of_unknown_outcome_is_not_replaced_before_it_is_settled() {
    let mut guards = Guards::new(Settings::default());
    let plan = plan_of(&guards, "a");
    assert_eq!(send(&mut guards, &plan, NOW, head(503)), "service_error");
    let mut refused = |now_ms| error(flow(&plan).next(&mut guards, now_ms, Event::Begin));
    let used = "not sent: the plan was used: this intent may have landed; check, then acknowledge it";
    assert_eq!(refused(NOW + 1), (Code::PlanUsed, used.to_owned()));
    let expired = "not sent: the plan has expired, and its trade may have landed; find out with pending and reconcile, then acknowledge it";
    assert_eq!(refused(NOW + 60_000), (Code::PlanUsed, expired.to_owned()));
}

#[test]
fn a_plan_expires_while_it_waits_and_between_two_tries() {
    let queue = RateLimit { per_1000_seconds: 10, burst: 1, max_queue_ms: 200_000 };
    let mut guards = Guards::new(Settings { rate_limit: Some(queue), ..Settings::default() });
    let plan = plan_of(&guards, "a");
    assert_eq!(send(&mut guards, &plan, NOW + 60_000, head(200)), "plan_expired");
    assert_eq!(send(&mut guards, &plan, NOW + 59_999, unsent()), "connect_failed");
    let mut waits = flow(&plan);
    assert!(matches!(waits.next(&mut guards, NOW + 59_999, Event::Begin), Step::Wait { .. }));
    let expired = (Code::PlanExpired, "not sent: the plan has expired; make a new one".to_owned());
    assert_eq!(error(waits.next(&mut guards, NOW + 90_000, Event::Woken)), expired);
    assert_eq!(guards.state(NOW).in_flight.len(), 0);

    let mut guards = Guards::new(Settings::default());
    let terms = Terms { retry_not_sent: 1, ..Terms::default() };
    let mut flow = Flow::new(Arc::new(terms), plan.open(&service(), &Rules::default()).unwrap(), 30_000);
    assert!(matches!(flow.next(&mut guards, NOW, Event::Begin), Step::Send(_)));
    assert!(matches!(flow.next(&mut guards, NOW, unsent()), Step::Wait { .. }));
    assert_eq!(error(flow.next(&mut guards, NOW + 60_000, Event::Woken)), expired);
}

#[test]
fn a_plan_from_the_future_is_not_sent() {
    // The clock was set back. A few seconds may be the difference between two machines.
    let mut guards = Guards::new(Settings::default());
    let plan = plan_of(&guards, "a");
    assert_eq!(send(&mut guards, &plan, NOW - 5_001, head(200)), "plan_expired");
    let why = "not sent: the plan's timestamp is in the future by this client's clock; make a new one";
    assert_eq!(error(flow(&plan).next(&mut guards, 0, Event::Begin)).1, why);
    assert_eq!(send(&mut guards, &plan, NOW - 5_000, head(200)), "landed");
}

#[test]
fn a_verdict_reserves_nothing_and_is_that_of_the_admission() {
    let rate_limit = Some(RateLimit { per_1000_seconds: 1_000, burst: 1, max_queue_ms: 0 });
    let max_lamports_per_day = Some(1_500);
    let settings = Settings { rate_limit, max_lamports_per_day, count_charges: false, ..Settings::default() };
    let mut guards = Guards::new(settings);
    for _ in 0..3 {
        assert_eq!(plan_of(&guards, "a").refused, None);
    }
    let state = guards.state(NOW);
    assert_eq!((state.burst_left, state.lamports_today, state.in_flight.len()), (Some(1), 0, 0));
    let plan = plan_of(&guards, "a");
    assert_eq!(send(&mut guards, &plan, NOW, head(200)), "landed");
    let says = |guards: &Guards, id: &str| plan_of(guards, id).refused.map(|refusal| refusal.code);
    assert_eq!(says(&guards, "a"), Some(Code::IntentLanded));
    assert_eq!(says(&guards, "b"), Some(Code::OverDayLimit));
    guards.halt();
    assert_eq!(says(&guards, "b"), Some(Code::Halted));
    let plan = plan_of(&guards, "b");
    assert_eq!(send(&mut guards, &plan, NOW, head(200)), "halted");
}

#[test]
fn a_changed_or_invalid_plan_is_not_sent() {
    let guards = Guards::new(Settings::default());
    let plan = plan_of(&guards, "a");
    let json = plan.to_json();
    for (from, to, why) in [
        ("1000", "1001", "not sent: the plan was changed after it was made"),
        (r#""intentId""#, r#""intentID""#, "not sent: this is not a plan: "),
        ("percent", "%", "not sent: this is not a plan: "),
    ] {
        assert!(json.contains(from), "{from}");
        let read = Plan::from_json(&json.replace(from, to));
        let error = read.and_then(|plan| plan.open(&service(), &Rules::default())).unwrap_err();
        assert!(error.code == Code::PlanAltered && error.message.starts_with(why), "{from}: {error}");
    }
    // The command line names the profile that made a plan.
    let of_profile = |value: &str| format!(r#"{},"profile":{value}}}"#, &json[..json.len() - 1]);
    let of_live = Plan::from_json(&of_profile("\"live\"")).unwrap();
    assert!(of_live == plan && of_live.open(&service(), &Rules::default()).is_ok());
    assert_eq!(Plan::from_json(&of_profile("5")).unwrap_err().code, Code::PlanAltered);
    for none in ["", "null", "[]", "5", "{}", r#""plan""#, &json[..json.len() - 1]] {
        assert_eq!(Plan::from_json(none).unwrap_err().code, Code::PlanAltered, "{none}");
    }
    let priced = planned("a").priced(PlanPrice::of(&object! { "tokens": u64::MAX }));
    let priced = priced.plan(&guards, &service(), NOW, 60_000);
    assert_eq!(tape::json::write(&priced.price.to_tape()), r#"{"tokens":"18446744073709551615"}"#);
    assert!(Plan::from_json(&priced.to_json()).unwrap().open(&service(), &Rules::default()).is_ok());
}

/// Every value in a JSON text, as the path to it.
fn leaves(value: &Value, path: &str, found: &mut Vec<String>) {
    match value {
        Value::Object(fields) if !fields.is_empty() => {
            fields.iter().for_each(|(name, value)| leaves(value, &format!("{path}/{name}"), found));
        }
        Value::Array(items) if !items.is_empty() => {
            items.iter().enumerate().for_each(|(at, value)| leaves(value, &format!("{path}/{at}"), found));
        }
        _ => found.push(path.to_owned()),
    }
}

/// A plan is what somebody was shown and approved: no part of it may differ when it is sent.
#[test]
fn no_part_of_a_plan_may_differ_when_it_is_sent() {
    let max_lamports_per_trade = Some(1);
    let guards =
        Guards::new(Settings { max_lamports_per_trade, count_charges: false, ..Settings::default() });
    let request =
        object! { "mint": "M", "fromWallet": "W", "amountInLamports": 1_000u64, "slippage": 500u32 };
    let rules = Rules::default();
    let buy = valid(Operation::Buy, &request, &rules);
    let seen = WalletBalances { wallet: "W".into(), tokens: Some(7), lamports: None, slot: None };
    let trade = TradeIntent { before: Some(vec![seen]), ..TradeIntent::from("a") };
    let plan = Planned::new(buy, trade, &rules).priced(PlanPrice::of(&object! {
        "legs": vec![object! { "tokens": u64::MAX, "impact": 12u32, "text": "x" }],
        "refused": false
    }));
    let plan = plan.plan(&guards, &service(), NOW, 60_000);
    let whole: Value = serde_json::from_str(&plan.to_json()).unwrap();
    let open = |value: &Value| {
        Plan::from_json(&value.to_string()).and_then(|plan| plan.open(&service(), &rules)).map(|_| ())
    };
    assert_eq!(open(&whole), Ok(()));
    let mut found = Vec::new();
    leaves(&whole, "", &mut found);
    let parts = "/price/legs/0/tokens /price/refused /refused/message /warnings/0/message /simulated";
    for part in parts.split(' ') {
        assert!(found.iter().any(|path| path == part), "{part} in {found:?}");
    }
    for path in &found {
        let others = [json!(null), json!("999999999999"), json!(999_999_999_999_u64), json!(true), json!([])];
        for other in others {
            let mut altered = whole.clone();
            let part = altered.pointer_mut(path).unwrap();
            // Without a unit it is percent, as this one.
            if *part == other || (path == "/slippageUnit" && other.is_null()) {
                continue;
            }
            *part = other;
            let error = open(&altered).expect_err(path);
            assert_eq!(error.code, Code::PlanAltered, "{path}: {altered}");
        }
    }
    // A field more or less in the price.
    type Change = fn(&mut Map<String, Value>) -> Option<Value>;
    let changes: [Change; 2] = [|leg| leg.remove("impact"), |leg| leg.insert("more".into(), json!(1))];
    for change in changes {
        let mut altered = whole.clone();
        change(altered.pointer_mut("/price/legs/0").unwrap().as_object_mut().unwrap());
        assert_eq!(open(&altered).unwrap_err().code, Code::PlanAltered);
    }
    // What a database does to JSON changes nothing: the order of fields, the way in which a number is written.
    let written = whole.to_string();
    let other = written.replace(r#""impact":12"#, r#""impact":12.0"#);
    assert_ne!(written, other);
    assert!(Plan::from_json(&other).unwrap().open(&service(), &rules).is_ok());
    let sorted: std::collections::BTreeMap<String, Value> = serde_json::from_str(&written).unwrap();
    let sorted = Plan::from_json(&serde_json::to_string(&sorted).unwrap()).unwrap();
    assert!(sorted.open(&service(), &rules).is_ok());
}

#[test]
fn a_plan_fits_one_service_and_the_rules_of_its_sender() {
    let plan = plan_of(&Guards::new(Settings::default()), "a");
    let rules = Rules::default();
    let sandbox = Destination { is_simulated: true, ..service() };
    let other = Destination { base_url: "https://other.example".into(), ..service() };
    let bps = Rules { slippage_unit: SlippageUnit::Bps, ..Rules::default() };
    for (to, rules, message) in [
        (sandbox, &rules, "the plan is for a service, and this client trades in a sandbox"),
        (other, &rules, "the plan is for another base URL than this client's"),
        (service(), &bps, "the plan is for a service that counts slippage in another unit"),
    ] {
        let error = plan.open(&to, rules).unwrap_err();
        assert_eq!(error.code, Code::PlanForAnotherService);
        assert_eq!(error.message, format!("not sent: {message}"));
    }
    let strict = Rules { identifiers: Identifiers::Base58, ..Rules::default() };
    assert_eq!(plan.open(&service(), &strict).unwrap_err().code, Code::InvalidRequest);
}

#[test]
fn no_log_shows_a_body() {
    let plan = plan_of(&Guards::new(Settings::default()), "a");
    assert_eq!(format!("{plan:?}"), "Plan(buy a until 1767225660000)");
    let planned = plan.open(&service(), &Rules::default()).unwrap();
    assert_eq!(format!("{planned:?}"), "Planned(TradeIntent(buy a at 0))");
}

#[test]
fn a_price_that_has_become_too_old_or_was_never_given_stops_a_buy_before_it_is_sent() {
    let (max_price_age_ms, max_impact_bps) = (Some(5_000), Some(100));
    let mut guards = Guards::new(Settings { max_price_age_ms, max_impact_bps, ..Settings::default() });
    let plan = |id: &str, impact: u32| {
        let price = object! { "legs": vec![object! { "priceImpactBps": impact }], "atMs": NOW };
        planned(id).priced(PlanPrice::of(&price)).plan(&guards, &service(), NOW, 60_000)
    };
    let (good, wide, unpriced) = (plan("a", 100), plan("b", 101), plan_of(&guards, "c"));
    let refused = [&good, &wide, &unpriced].map(|plan| plan.refused.as_ref().map(|refusal| refusal.code));
    assert_eq!(refused, [None, Some(Code::OverImpactLimit), Some(Code::NoPrice)]);
    let waiting = plan("d", 5);
    assert_eq!(send(&mut guards, &wide, NOW, head(200)), "over_impact_limit");
    assert_eq!(send(&mut guards, &unpriced, NOW, head(200)), "no_price");
    assert_eq!(send(&mut guards, &good, NOW + 5_001, head(200)), "price_too_old");
    assert_eq!(send(&mut guards, &good, NOW + 5_000, head(200)), "landed");
    // What stops everything is named first.
    guards.halt();
    assert_eq!(send(&mut guards, &waiting, NOW + 5_001, head(200)), "halted");
}
