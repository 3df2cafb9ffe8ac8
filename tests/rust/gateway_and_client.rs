//! The client's flow against the gateway's own decisions, without a network: both sides understand each answer in the same way.

use std::sync::Arc;

use launchpad_desk::api::endpoint::{Operation, Reply};
use launchpad_desk::api::validate::{Rules, validate};
use launchpad_desk::error::{Code, Outcome};
use launchpad_desk::gateway::{self, Came, Gateway, GatewayRequest, GatewaySettings, Move, Row, Rows};
use launchpad_desk::object;
use launchpad_desk::tape::{Data, json};
use launchpad_desk::trade::Key;
use launchpad_desk::trade::flow::{Event, Flow, GATEWAY_INTENT, Head, Headers, KeySource, Step, Terms, Wait};
use launchpad_desk::trade::guard::{Guards, Record, Settings};
use launchpad_desk::trade::plan::Planned;

const LANDED: &str = r#"{"result":{"transactionResult":{"success":true}}}"#;
const TOKEN: &str = "token-of-the-bot";

/// A gateway, with the rows that it has written.
struct Desk {
    gateway: Gateway,
    rows: Vec<Row>,
}

impl Desk {
    fn new() -> Desk {
        let mut desk = Desk { gateway: gateway_of(&[]).0, rows: Vec::new() };
        desk.restart();
        desk
    }

    fn written(&mut self, step: Move) -> gateway::Step {
        for row in step.rows {
            self.rows.retain(|old| old.key != row.key);
            self.rows.push(row);
        }
        match step.step {
            gateway::Step::Recall { key, mut reply } => {
                let row = self.rows.iter().find(|row| row.key == key).unwrap();
                let body = json::parse(row.row.as_deref().unwrap().as_bytes()).unwrap();
                let Data::String(body) = body.root().data() else { panic!("{key}") };
                reply.body = body.into();
                gateway::Step::Answer(reply)
            }
            step => step,
        }
    }

    /// It stops, and starts again with what was written.
    fn restart(&mut self) {
        let (gateway, start) = gateway_of(&self.rows);
        self.gateway = gateway;
        self.written(start);
    }

    /// What a POST comes to.
    fn asked(&mut self, post: &launchpad_desk::trade::flow::Post) -> gateway::Step {
        let request = GatewayRequest {
            method: "POST",
            path: post.path,
            headers: &post.headers,
            body: Some(post.body.as_bytes()),
        };
        let step = self.gateway.request(1_000, &[7; 32], &request);
        self.written(step)
    }

    fn forwarded(&mut self, id: &str, came: Came) -> gateway::Step {
        let step = self.gateway.forwarded(1_001, id, came);
        self.written(step)
    }
}

fn gateway_of(rows: &[Row]) -> (Gateway, Move) {
    let token = gateway::token_hash(TOKEN);
    let settings = format!(
        r#"{{ "upstream": "https://service.example",
            "desks": [{{ "name": "alpha", "limits": {{ "maxLamportsPerTrade": 1000, "maxLamportsPerDay": 1000 }}, "approval": {{ "overLamports": 700 }} }}],
            "callers": [{{ "name": "bot", "desk": "alpha", "tokenSha256": "{token}" }}] }}"#
    );
    let settings = GatewaySettings::read(&settings).unwrap();
    let kept = rows.iter().filter_map(|row| Some((row.key.as_str(), row.row.as_deref()?)));
    let kept = Rows::of(kept).unwrap();
    Gateway::restore(settings, "alpha", Some("the-upstream-key"), kept, 0, &[7; 32]).unwrap()
}

/// A client's trade of so many lamports.
struct Trade {
    flow: Flow,
    guards: Guards,
}

impl Trade {
    fn of(lamports: u64) -> Trade {
        Trade::named("signal-1", lamports)
    }

    fn named(intent_id: &str, lamports: u64) -> Trade {
        let request = object! { "mint": "M", "fromWallet": "W", "amountInLamports": lamports };
        let buy = validate(Operation::Buy, request.root(), &Rules::default()).unwrap();
        let headers = Headers {
            key: "authorization".into(),
            key_scheme: "Bearer ",
            intent: Some(GATEWAY_INTENT.into()),
            ..Headers::default()
        };
        let key = KeySource::Fixed(Key::new(TOKEN).unwrap());
        let terms = Terms { ask_again: 3, headers, key, ..Terms::default() };
        let record = Record { intent_id: intent_id.into(), ..Record::default() };
        let flow = Flow::new(Arc::new(terms), Planned::new(buy, record, &Rules::default()), 60_000);
        Trade { flow, guards: Guards::new(Settings::default()) }
    }

    fn told(&mut self, event: Event) -> Step {
        self.flow.next(&mut self.guards, 1_000, event)
    }

    fn begun(&mut self) -> launchpad_desk::trade::flow::Post {
        posted(self.told(Event::Begin))
    }

    fn answered(&mut self, step: gateway::Step) -> Step {
        let reply = match step {
            gateway::Step::Answer(reply) | gateway::Step::Wait { reply, .. } => reply,
            step => panic!("{step:?}"),
        };
        let header = |name| reply.header(name).map(str::to_owned);
        let head = Head {
            status: reply.status,
            retry_after: header("retry-after"),
            intent_state: header("intent-state"),
            ..Head::default()
        };
        self.told(Event::Answered(head));
        self.told(Event::Body(reply.body))
    }
}

fn posted(step: Step) -> launchpad_desk::trade::flow::Post {
    match step {
        Step::Send(post) => post,
        step => panic!("{step:?}"),
    }
}

fn landed() -> Came {
    Came::Reply(Reply { status: 200, headers: Vec::new(), body: LANDED.into() })
}

fn failed(step: Step) -> (Outcome, Code) {
    match step {
        Step::Done(Err(error)) => (error.outcome, error.code),
        step => panic!("{step:?}"),
    }
}

#[test]
fn in_flight_is_asked_for_again_until_the_answer_is_there() {
    let (mut desk, mut trade) = (Desk::new(), Trade::of(600));
    let post = trade.begun();
    let gateway::Step::Forward(forward) = desk.asked(&post) else { panic!() };
    // The client's connection breaks, and it comes again while the first is in flight.
    let step = desk.asked(&post);
    let step = trade.answered(step);
    assert!(matches!(step, Step::Wait { reason: Wait::Answer(_), .. }), "{step:?}");
    desk.forwarded(&forward.id, landed());
    let post = posted(trade.told(Event::Woken));
    let step = desk.asked(&post);
    assert!(matches!(trade.answered(step), Step::Done(Ok(_))));
}

#[test]
fn what_was_in_flight_at_a_crash_is_unknown_and_not_asked_for_on_and_on() {
    let (mut desk, mut trade) = (Desk::new(), Trade::of(600));
    let post = trade.begun();
    assert!(matches!(desk.asked(&post), gateway::Step::Forward(_)));
    desk.restart();
    let step = desk.asked(&post);
    assert_eq!(failed(trade.answered(step)).0, Outcome::Unknown);
}

#[test]
fn a_services_outcome_that_nobody_knows_is_not_asked_for_either() {
    let (mut desk, mut trade) = (Desk::new(), Trade::of(600));
    let gateway::Step::Forward(forward) = desk.asked(&trade.begun()) else { panic!() };
    let step = desk.forwarded(&forward.id, Came::Timeout);
    assert_eq!(failed(trade.answered(step)).0, Outcome::Unknown);
}

/// A service that makes a trade and answers with an error status has it made once, and it counts.
#[test]
fn a_refusal_by_the_service_that_tells_of_a_trade_is_not_forwarded_again() {
    let bodies = [
        r#"{"error":"timeout","signature":"S"}"#,
        r#"{"error":"timeout","result":{"buyAmount":5}}"#,
        r#"{"transactionResult":{"success":true}}"#,
        LANDED,
        r#"{"result":{"signature":"S"#,
    ];
    for (status, body) in [400, 401, 403, 404, 422, 429].iter().flat_map(|s| bodies.map(|body| (*s, body))) {
        let (mut desk, mut trade) = (Desk::new(), Trade::of(600));
        let gateway::Step::Forward(forward) = desk.asked(&trade.begun()) else { panic!() };
        let step = desk.forwarded(&forward.id, came(status, body));
        assert_eq!(failed(trade.answered(step)).0, Outcome::Unknown, "{status} {body}");
        // The same intent is not forwarded again, nor after a restart.
        for _ in 0..2 {
            let mut again = Trade::of(600);
            let step = desk.asked(&again.begun());
            assert!(matches!(step, gateway::Step::Answer(_)));
            assert_eq!(failed(again.answered(step)).0, Outcome::Unknown);
            desk.restart();
        }
        // It counts towards a limit for one trade.
        let mut other = Trade::named("signal-2", 600);
        let step = desk.asked(&other.begun());
        assert!(matches!(step, gateway::Step::Answer(_)));
        assert_eq!(failed(other.answered(step)).0, Outcome::Rejected);
    }
}

/// A transaction that says itself that it failed has moved nothing: its lamports are free for the next trade.
#[test]
fn a_refusal_by_the_service_with_a_failed_transaction_is_failed() {
    let (mut desk, mut trade) = (Desk::new(), Trade::of(600));
    let gateway::Step::Forward(forward) = desk.asked(&trade.begun()) else { panic!() };
    let step = desk.forwarded(&forward.id, came(404, &LANDED.replace("true", "false")));
    assert_eq!(failed(trade.answered(step)).0, Outcome::Failed);
    let mut other = Trade::named("signal-2", 600);
    assert!(matches!(desk.asked(&other.begun()), gateway::Step::Forward(_)));
}

fn came(status: u16, body: &str) -> Came {
    Came::Reply(Reply { status, headers: Vec::new(), body: body.into() })
}

#[test]
fn a_refusal_is_the_gateways_and_says_nothing_of_an_earlier_request_that_may_be_on_its_way() {
    let (mut desk, mut trade) = (Desk::new(), Trade::of(1_001));
    let step = desk.asked(&trade.begun());
    assert_eq!(failed(trade.answered(step)), (Outcome::Rejected, Code::RefusedByGateway));

    let (mut desk, mut trade) = (Desk::new(), Trade::of(1_001));
    let post = trade.begun();
    let _lost = desk.asked(&post);
    let lost = launchpad_desk::trade::flow::Lost::Broken(String::new());
    assert!(matches!(trade.told(Event::Lost(lost)), Step::Wait { .. }));
    for _ in 0..3 {
        let step = desk.asked(&posted(trade.told(Event::Woken)));
        let step = trade.answered(step);
        if let Step::Done(_) = step {
            assert_eq!(failed(step).0, Outcome::Unknown);
            return;
        }
    }
    panic!("it asks on and on");
}

#[test]
fn one_that_needs_approval_waits() {
    let (mut desk, mut trade) = (Desk::new(), Trade::of(800));
    let step = desk.asked(&trade.begun());
    assert_eq!(failed(trade.answered(step)), (Outcome::Unknown, Code::AwaitingApproval));
}

#[test]
fn another_body_under_a_known_key_says_nothing_of_the_first() {
    let (mut desk, mut first) = (Desk::new(), Trade::of(600));
    assert!(matches!(desk.asked(&first.begun()), gateway::Step::Forward(_)));
    let mut other = Trade::of(500);
    let gateway::Step::Answer(reply) = desk.asked(&other.begun()) else { panic!() };
    assert_eq!((reply.status, reply.header("intent-state")), (422, None));
}
