//! The client's flow against the gateway's own decisions, without a network: both sides understand each answer in the same way.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::gateway::Kept;

use launchpad_desk::api::endpoint::{Operation, Reply};
use launchpad_desk::api::request::Request;
use launchpad_desk::api::response::Status;
use launchpad_desk::api::validate::{Rules, Valid, validate};
use launchpad_desk::bindings::object;
use launchpad_desk::error::{Code, Outcome};
use launchpad_desk::trade::Key;
use launchpad_desk::trade::flow::{
    Event, Flow, GATEWAY_INTENT, Head, Headers, KeySource, Lost, Machine, Post, Step, Terms, Wait, WaitFor,
};
use launchpad_desk::trade::guard::{Guards, Settings};
use launchpad_desk::trade::plan::Planned;
use launchpad_desk_gateway::{ForwardResult, GatewayRequest, GatewayStep, token_hash};

const LANDED: &str = r#"{"result":{"transactionResult":{"success":true}}}"#;
const TOKEN: &str = "token-of-the-bot";

struct Desk(Kept);

impl Desk {
    fn new() -> Desk {
        Desk(Kept::new(BTreeMap::new(), &settings(), 0))
    }

    fn restarted(self) -> Desk {
        Desk(self.0.restarted(&settings(), 0))
    }

    fn asked(&mut self, post: &Post) -> GatewayStep {
        let Post { path, headers, body, .. } = post;
        self.request(&GatewayRequest { method: "POST", path, headers, body: Some(body.as_bytes()) })
    }

    fn request(&mut self, request: &GatewayRequest) -> GatewayStep {
        self.0.request(1_000, request).step
    }

    fn forwarded(&mut self, id: &str, result: ForwardResult) -> GatewayStep {
        self.0.forwarded(1_001, id, result).step
    }
}

fn settings() -> String {
    let (token, operator) = (token_hash(TOKEN), token_hash("operator-token"));
    format!(
        r#"{{ "upstream": "https://service.example",
            "desks": [{{ "name": "alpha", "limits": {{ "maxLamportsPerTrade": 1000, "maxLamportsPerDay": 1000 }}, "approval": {{ "overLamports": 700 }} }}],
            "callers": [{{ "name": "bot", "desk": "alpha", "tokenSha256": "{token}" }},
                {{ "name": "olga", "desk": "alpha", "role": "operator", "tokenSha256": "{operator}" }}] }}"#
    )
}

/// A client's trade of so many lamports.
struct Trade {
    flow: Flow,
    guards: Guards,
}

fn buy(lamports: u64) -> Valid<Request> {
    let request = object! { "mint": "M", "fromWallet": "W", "amountInLamports": lamports };
    validate(Operation::Buy, request.root(), &Rules::default()).unwrap()
}

fn terms(intent: Option<String>) -> Arc<Terms> {
    let headers =
        Headers { key: "authorization".into(), key_scheme: "Bearer ", intent, ..Headers::default() };
    let key = KeySource::Fixed(Key::new(TOKEN).unwrap());
    Arc::new(Terms { ask_again: 3, headers, key, ..Terms::default() })
}

impl Trade {
    fn of(lamports: u64) -> Trade {
        Trade::named("signal-1", lamports)
    }

    fn named(intent_id: &str, lamports: u64) -> Trade {
        let buy = buy(lamports);
        let planned = Planned::new(buy, intent_id, &Rules::default());
        let flow = Flow::new(terms(Some(GATEWAY_INTENT.into())), planned, 60_000);
        Trade { flow, guards: Guards::new(Settings { count_charges: false, ..Settings::default() }) }
    }

    fn told(&mut self, event: Event) -> Step {
        self.flow.next(&mut self.guards, 1_000, event)
    }

    fn begun(&mut self) -> Post {
        posted(self.told(Event::Begin))
    }

    fn answered(&mut self, step: GatewayStep) -> Step {
        let reply = match step {
            GatewayStep::Answer(reply) | GatewayStep::Wait { reply, .. } => reply,
            step => panic!("{step:?}"),
        };
        self.told(Event::Answered(head(&reply)));
        self.told(Event::Body(reply.body))
    }
}

fn head(reply: &Reply) -> Head {
    let header = |name| reply.header(name).map(str::to_owned);
    let (retry_after, intent_state) = (header("retry-after"), header("intent-state"));
    Head { status: reply.status, retry_after, intent_state, ..Head::default() }
}

fn posted(step: Step) -> Post {
    match step {
        Step::Send(post) => post,
        step => panic!("{step:?}"),
    }
}

fn came(status: u16, body: &str) -> ForwardResult {
    ForwardResult::Reply(Reply { status, headers: Vec::new(), body: body.into() })
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
    let GatewayStep::Forward(forward) = desk.asked(&post) else { panic!() };
    // The client's connection breaks, and it comes again while the first is in flight.
    let step = desk.asked(&post);
    let step = trade.answered(step);
    assert!(matches!(step, Step::Wait { reason: Wait::Answer(_), .. }), "{step:?}");
    desk.forwarded(&forward.id, came(200, LANDED));
    let post = posted(trade.told(Event::Woken));
    let step = desk.asked(&post);
    assert!(matches!(trade.answered(step), Step::Done(Ok(_))));
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
        let GatewayStep::Forward(forward) = desk.asked(&trade.begun()) else { panic!() };
        let step = desk.forwarded(&forward.id, came(status, body));
        assert_eq!(failed(trade.answered(step)).0, Outcome::Unknown, "{status} {body}");
        // The same intent is not forwarded again, nor after a restart.
        for _ in 0..2 {
            let mut again = Trade::of(600);
            let step = desk.asked(&again.begun());
            assert!(matches!(step, GatewayStep::Answer(_)));
            assert_eq!(failed(again.answered(step)).0, Outcome::Unknown);
            desk = desk.restarted();
        }
        // It counts towards a limit for one trade.
        let mut other = Trade::named("signal-2", 600);
        let step = desk.asked(&other.begun());
        assert!(matches!(step, GatewayStep::Answer(_)));
        assert_eq!(failed(other.answered(step)).0, Outcome::Rejected);
    }
}

/// A transaction that says itself that it failed has moved nothing: its lamports are free for the next trade.
#[test]
fn a_refusal_by_the_service_with_a_failed_transaction_is_failed() {
    let (mut desk, mut trade) = (Desk::new(), Trade::of(600));
    let GatewayStep::Forward(forward) = desk.asked(&trade.begun()) else { panic!() };
    let body = LANDED.replace("true", r#"false,"results":"custom program error: 0x1772""#);
    let step = desk.forwarded(&forward.id, came(404, &body));
    assert_eq!(failed(trade.answered(step)).0, Outcome::Failed);
    let mut other = Trade::named("signal-2", 600);
    assert!(matches!(desk.asked(&other.begun()), GatewayStep::Forward(_)));
}

#[test]
fn a_refusal_is_the_gateways() {
    let (mut desk, mut trade) = (Desk::new(), Trade::of(1_001));
    let step = desk.asked(&trade.begun());
    assert_eq!(failed(trade.answered(step)), (Outcome::Rejected, Code::RefusedByGateway));
}

/// A client that waits for what the gateway decides, with the guards of the one that sent the trade.
struct Waiting {
    wait: WaitFor,
    guards: Guards,
}

impl Waiting {
    fn of(trade: Trade) -> Waiting {
        Waiting { wait: WaitFor::new(terms(None), "signal-1".into(), 60_000), guards: trade.guards }
    }

    fn told(&mut self, event: Event) -> Step {
        self.wait.next(&mut self.guards, 1_000, event)
    }

    /// The desk's result for the step after this event.
    fn asked(&mut self, desk: &mut Desk, event: Event) -> Step {
        let Step::Get(get) = self.told(event) else { panic!("it asks nothing") };
        let GatewayStep::Answer(reply) = desk.got(&get.path, &get.headers) else { panic!() };
        self.told(Event::Answered(head(&reply)));
        self.told(Event::Body(reply.body))
    }
}

impl Desk {
    fn got(&mut self, path: &str, headers: &[(String, String)]) -> GatewayStep {
        self.request(&GatewayRequest { method: "GET", path, headers, body: Some(b"") })
    }

    /// What the operator does about the one intent.
    fn act(&mut self, act: &str) -> GatewayStep {
        let headers = [("authorization", "Bearer operator-token"), ("content-type", "application/json")];
        let headers = headers.map(|(name, value)| (name.to_owned(), value.to_owned()));
        let request = GatewayRequest {
            method: "POST",
            path: &format!("/desk/{act}"),
            headers: &headers,
            body: Some(br#"{"caller":"bot","intentId":"signal-1"}"#),
        };
        self.request(&request)
    }
}

/// A desk at which a trade waits for approval, and the client that waits for it.
fn awaiting() -> (Desk, Waiting) {
    let (mut desk, mut trade) = (Desk::new(), Trade::of(800));
    let step = desk.asked(&trade.begun());
    let Step::Done(Err(error)) = trade.answered(step) else { panic!() };
    assert_eq!((error.code, error.retry_after_ms), (Code::AwaitingApproval, Some(1_000)));
    assert!(trade.guards.is_unresolved("signal-1"));
    (desk, Waiting::of(trade))
}

const ASKING: Step = Step::Wait { ms: 1_000, reason: Wait::Answer(Code::AwaitingApproval) };

#[test]
fn a_wait_ends_with_the_trade_once_it_is_approved() {
    let (mut desk, mut waiting) = awaiting();
    assert_eq!(waiting.asked(&mut desk, Event::Begin), ASKING);
    assert_eq!(waiting.asked(&mut desk, Event::Woken), ASKING);
    let GatewayStep::Forward(forward) = desk.act("approve") else { panic!() };
    assert!(matches!(waiting.asked(&mut desk, Event::Woken), Step::Wait { ms: 1_000, .. }));
    desk.forwarded(&forward.id, came(200, LANDED));
    let Step::Done(Ok(trade)) = waiting.asked(&mut desk, Event::Woken) else { panic!() };
    assert_eq!(trade.status, Status::Landed);
    assert!(!waiting.guards.is_unresolved("signal-1"));
    let known = waiting.guards.check(1_000, "signal-1", &buy(800)).unwrap_err();
    assert_eq!(known.code, Code::IntentLanded);
}

#[test]
fn a_wait_ends_with_the_refusal_or_the_doubt_that_is_recorded() {
    let (mut desk, mut waiting) = awaiting();
    desk.act("deny");
    let denied = failed(waiting.asked(&mut desk, Event::Begin));
    assert_eq!(denied, (Outcome::Rejected, Code::RefusedByGateway));
    assert!(!waiting.guards.is_unresolved("signal-1"));

    let (mut desk, mut waiting) = awaiting();
    let GatewayStep::Forward(forward) = desk.act("approve") else { panic!() };
    desk.forwarded(&forward.id, ForwardResult::Broken);
    let doubt = failed(waiting.asked(&mut desk, Event::Begin));
    assert_eq!(doubt, (Outcome::Unknown, Code::ServiceError));
    assert!(waiting.guards.is_unresolved("signal-1"));
}

#[test]
fn a_wait_proves_nothing_where_the_gateway_says_nothing_of_the_intent() {
    let answers = [
        (401, "{}", "outcome unknown: the gateway does not accept the token (401)"),
        (404, r#"{"code":"intent_not_found"}"#, "outcome unknown: the gateway has no such intent"),
        (404, "{}", "outcome unknown: the gateway answered with an unexpected status (404)"),
        (200, "{}", "outcome unknown: the gateway's answer is not about this intent"),
        (
            200,
            r#"{"intentId":"signal-2","operation":"buy","answer":{"status":403,"body":""}}"#,
            "outcome unknown: the gateway's answer is not about this intent",
        ),
        (
            200,
            r#"{"intentId":"signal-1","operation":"buy","answer":{}}"#,
            "outcome unknown: the gateway's recorded answer is missing or cannot be read",
        ),
        // Another trade than the one that this client sent.
        (
            200,
            r#"{"intentId":"signal-1","operation":"sell","answer":{"status":200,"body":"{\"result\":{\"transactionResult\":{\"success\":true}}}"}}"#,
            "outcome unknown: the gateway has another trade under this id",
        ),
        (
            200,
            r#"{"intentId":"signal-1","operation":"buy","mint":"N","answer":{"status":403,"body":"{}"}}"#,
            "outcome unknown: the gateway has another trade under this id",
        ),
        (
            200,
            r#"{"intentId":"signal-1","operation":"buy","answer":{"status":200,"body":"{\"result\":{\"mint\":\"N\",\"transactionResult\":{\"success\":true}}}"}}"#,
            "outcome unknown: the reply contradicts the request or itself: it names a different mint than the request",
        ),
    ];
    for (status, body, message) in answers {
        let (_, mut waiting) = awaiting();
        waiting.told(Event::Begin);
        waiting.told(Event::Answered(Head { status, ..Head::default() }));
        let Step::Done(Err(error)) = waiting.told(Event::Body(body.into())) else { panic!("{body}") };
        assert_eq!((error.outcome, error.message.as_str()), (Outcome::Unknown, message));
        assert!(waiting.guards.is_unresolved("signal-1"));
    }
}

#[test]
fn a_wait_goes_on_over_errors_of_the_way_and_ends_at_its_deadline() {
    let (mut desk, mut waiting) = awaiting();
    waiting.told(Event::Begin);
    let lost = waiting.told(Event::Lost(Lost::Broken(String::new())));
    assert!(matches!(lost, Step::Wait { ms: 250, .. }), "{lost:?}");
    waiting.told(Event::Woken);
    waiting.told(Event::Answered(Head { status: 502, ..Head::default() }));
    let error = waiting.told(Event::Body(Vec::new()));
    assert!(matches!(error, Step::Wait { ms: 500, .. }), "{error:?}");
    assert_eq!(waiting.asked(&mut desk, Event::Woken), ASKING);
    let mut other = Waiting { wait: waiting.wait.clone(), guards: waiting.guards.clone() };
    let Step::Done(Err(error)) = waiting.told(Event::Deadline) else { panic!() };
    assert_eq!(
        (error.outcome, error.code, error.retry_after_ms),
        (Outcome::Unknown, Code::Timeout, Some(1_000))
    );
    let before = "it waits for a person's approval, and may be made later";
    assert_eq!(error.message, format!("outcome unknown: no decision within 60000 ms; before that: {before}"));
    let Step::Done(Err(error)) = other.told(Event::Abort) else { panic!() };
    assert_eq!((error.code, waiting.guards.is_unresolved("signal-1")), (Code::Aborted, true));
    assert_eq!(error.message, format!("outcome unknown: the wait was aborted; before that: {before}"));
}

#[test]
fn a_gateway_that_refuses_the_token_is_named() {
    for (status, message) in [
        (401, "rejected: the gateway does not accept the token (401)"),
        (403, "rejected by the gateway (403)"),
    ] {
        let mut trade = Trade::of(600);
        trade.begun();
        trade.told(Event::Answered(Head { status, ..Head::default() }));
        let Step::Done(Err(error)) = trade.told(Event::Body(b"{}".into())) else { panic!() };
        assert_eq!((error.code, error.message.as_str()), (Code::Unauthorized, message));
    }
}
