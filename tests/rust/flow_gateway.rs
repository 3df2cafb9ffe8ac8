//! A trade at a gateway that forwards each intent once: when the client asks again, for how long, and what it accepts as an
//! answer. `flow_machine.rs` tries every order of the same events.

use std::sync::Arc;

use launchpad_desk::api::endpoint::Operation;
use launchpad_desk::api::validate::{Rules, validate};
use launchpad_desk::bindings::object;
use launchpad_desk::error::{Code, Error, Outcome};
use launchpad_desk::intent::IntentState;
use launchpad_desk::trade::Key;
use launchpad_desk::trade::flow::{Event, Flow, Head, KeySource, Lost, Machine, Step, Terms, Wait};
use launchpad_desk::trade::guard::{Guards, Settings};
use launchpad_desk::trade::plan::{Destination, Planned};

const LANDED: &str = r#"{"result":{"transactionResult":{"success":true}}}"#;

fn guards() -> Guards {
    Guards::new(Settings { count_charges: false, ..Settings::default() })
}

fn planned(lamports: u64) -> Planned {
    let request = object! { "mint": "M", "fromWallet": "W", "amountInLamports": lamports };
    let buy = validate(Operation::Buy, request.root(), &Rules::default()).unwrap();
    Planned::new(buy, "own", &Rules::default())
}

fn flow(lamports: u64, has_journal: bool) -> Flow {
    let terms = Terms { ask_again: 3, has_journal, ..Terms::default() };
    Flow::new(Arc::new(terms), planned(lamports), 60_000)
}

/// The flow of a plan that is valid until the time 1,100.
fn flow_of_plan(key: KeySource) -> Flow {
    let to = Destination { base_url: "https://x".into(), is_simulated: false };
    let plan = planned(600).plan(&guards(), &to, 1_000, 100);
    let terms = Terms { ask_again: 3, key, ..Terms::default() };
    Flow::new(Arc::new(terms), plan.open(&to, &Rules::default()).unwrap(), 60_000)
}

fn head(status: u16, intent_state: Option<IntentState>, retry_after: Option<&str>) -> Event {
    Event::Answered(Head {
        status,
        retry_after: retry_after.map(str::to_owned),
        intent_state: intent_state.map(|intent_state| intent_state.as_str().to_owned()),
        ..Head::default()
    })
}

/// A client's trade on its way: each event with the step that must follow.
struct Trade {
    guards: Guards,
    flow: Flow,
}

impl Trade {
    fn of(flow: Flow) -> Trade {
        Trade { guards: guards(), flow }
    }

    fn begun(lamports: u64) -> Trade {
        let mut trade = Trade::of(flow(lamports, false));
        assert!(matches!(trade.told(Event::Begin), Step::Send(_)));
        trade
    }

    fn told(&mut self, event: Event) -> Step {
        self.told_at(1_000, event)
    }

    fn told_at(&mut self, now_ms: u64, event: Event) -> Step {
        self.flow.next(&mut self.guards, now_ms, event)
    }

    fn answered(&mut self, status: u16, intent_state: Option<IntentState>, body: &str) -> Step {
        assert!(matches!(self.told(head(status, intent_state, None)), Step::Read { .. }));
        self.told(Event::Body(body.into()))
    }

    /// It waits for this long, and asks again.
    fn asks(&mut self, step: Step, ms: u32, why: Code) {
        assert_eq!(step, Step::Wait { ms, reason: Wait::Answer(why) });
        assert!(matches!(self.told(Event::Woken), Step::Send(_)));
    }

    fn unresolved(&self) -> usize {
        self.guards.state(1_000).unresolved.len()
    }
}

fn lost(why: &str) -> Event {
    Event::Lost(Lost::Broken(why.into()))
}

fn end(step: Step) -> (Outcome, Code) {
    let error = failed(step);
    (error.outcome, error.code)
}

const NO_ANSWER: (Outcome, Code) = (Outcome::Unknown, Code::NetworkError);

fn failed(step: Step) -> Error {
    match step {
        Step::Done(Err(error)) => *error,
        step => panic!("{step:?}"),
    }
}

/// A timer that is given more than this does not wait at all.
#[test]
fn a_gateways_longer_retry_after_is_respected_up_to_the_longest_timer() {
    for seconds in ["2", "2147483", "2147484", "3000000", "99999999999"] {
        let mut trade = Trade::begun(600);
        let head = head(409, Some(IntentState::InFlight), Some(seconds));
        assert!(matches!(trade.told(head), Step::Read { .. }));
        let Step::Wait { ms, .. } = trade.told(Event::Body(Vec::new())) else { panic!() };
        let due = (seconds.parse::<u64>().unwrap() * 1_000).min(2_147_483_647);
        assert_eq!(u64::from(ms), due);
    }
}

#[test]
fn it_gives_up_asking_in_the_end() {
    let mut trade = Trade::begun(600);
    for ms in [100, 200, 400] {
        let step = trade.answered(503, None, "");
        trade.asks(step, ms, Code::ServiceError);
    }
    let error = failed(trade.answered(503, None, ""));
    assert_eq!((error.outcome, error.code, error.status), (Outcome::Unknown, Code::ServiceError, Some(503)));
    assert_eq!(trade.unresolved(), 1);
}

/// Asking is the same request. If the first one never arrived, one that asks makes the trade, at the price of that moment.
#[test]
fn a_gateway_that_may_not_have_the_trade_is_asked_for_five_seconds_only() {
    // The trade was sent at 1,000.
    for (lost_at, asks) in [(1_000, true), (5_900, true), (5_901, false), (26_000, false)] {
        let step = Trade::begun(600).told_at(lost_at, lost("ENETUNREACH"));
        assert_eq!(matches!(step, Step::Wait { .. }), asks, "{lost_at}");
        assert!(asks || end(step) == NO_ANSWER);
    }

    // A refusal on the way and a longer retry-after change nothing.
    let mut trade = Trade::begun(600);
    assert!(matches!(trade.told(head(503, None, Some("6"))), Step::Read { .. }));
    assert_eq!(end(trade.told(Event::Body(Vec::new()))), (Outcome::Unknown, Code::ServiceError));
    assert_eq!(trade.unresolved(), 1);

    // The machine slept while it waited.
    let mut trade = Trade::begun(600);
    assert!(matches!(trade.told(lost("ENETUNREACH")), Step::Wait { ms: 100, .. }));
    let error = failed(trade.told_at(6_001, Event::Woken));
    assert_eq!((error.outcome, error.code), NO_ANSWER);
    assert_eq!(error.message, "outcome unknown: the connection gave no answer (ENETUNREACH)");
}

#[test]
fn a_gateway_that_has_the_trade_is_asked_for_longer() {
    let mut trade = Trade::begun(600);
    let step = trade.answered(409, Some(IntentState::InFlight), "{}");
    trade.asks(step, 100, Code::UnexpectedStatus);
    // Its later answers may be lost: the trade exists already.
    let step = trade.told_at(60_000, lost("ECONNRESET"));
    assert!(matches!(step, Step::Wait { ms: 200, .. }));
    assert!(matches!(trade.told_at(60_200, Event::Woken), Step::Send(_)));
}

#[test]
fn what_the_gateway_knows_is_not_asked_for_again() {
    let cases = [
        (IntentState::Ended, 503, Code::ServiceError),
        (IntentState::InDoubt, 502, Code::ServiceError),
        (IntentState::AwaitingApproval, 202, Code::AwaitingApproval),
        (IntentState::Ended, 403, Code::RefusedByGateway),
        (IntentState::Ended, 429, Code::RateLimited),
        (IntentState::NotRecorded, 403, Code::RefusedByGateway),
        // Its settings cannot be used.
        (IntentState::NotRecorded, 503, Code::RefusedByGateway),
    ];
    for (intent_state, status, code) in cases {
        let mut trade = Trade::begun(600);
        let error = failed(trade.answered(status, Some(intent_state), r#"{"detail":"why"}"#));
        assert_eq!((error.code, error.outcome), (code, code.outcome()), "{intent_state:?}");
        assert_eq!(error.service_message.as_deref(), Some("why"));
    }
}

#[test]
fn a_refusal_on_the_way_says_nothing_of_an_earlier_request() {
    assert_eq!(end(Trade::begun(600).answered(401, None, "")).0, Outcome::Rejected);

    let mut trade = Trade::begun(600);
    let step = trade.told(lost(""));
    trade.asks(step, 100, Code::NetworkError);
    for ms in [200, 400] {
        let step = trade.answered(401, None, "");
        trade.asks(step, ms, Code::UnexpectedStatus);
    }
    // Nor does it that nobody is there any more.
    assert_eq!(end(trade.told(Event::Lost(Lost::Unsent("ECONNREFUSED".into())))), NO_ANSWER);
}

/// A trade whose answer was lost, and which asks once more after a first answer that does not say how it ended.
fn asked_again(status: u16, intent_state: IntentState) -> Trade {
    let mut trade = Trade::begun(600);
    let step = trade.told(lost("ECONNRESET"));
    trade.asks(step, 100, Code::NetworkError);
    let step = trade.answered(status, Some(intent_state), "{}");
    trade.asks(step, 200, Code::UnexpectedStatus);
    trade
}

#[test]
fn an_answer_that_is_lost_is_asked_for_until_it_comes() {
    use IntentState::{Ended, InFlight, NotRecorded};
    for (status, intent_state) in [(409, InFlight), (403, NotRecorded), (503, NotRecorded)] {
        let mut trade = asked_again(status, intent_state);
        assert!(matches!(trade.answered(200, Some(Ended), LANDED), Step::Done(Ok(_))));
        assert_eq!(trade.unresolved(), 0);
    }
}

/// A gateway that has not taken this request may have taken the one before: who is told `rejected` would buy twice.
#[test]
fn a_request_that_was_not_taken_says_nothing_of_an_earlier_one() {
    for status in [403, 503] {
        let mut trade = asked_again(status, IntentState::NotRecorded);
        let step = trade.answered(status, Some(IntentState::NotRecorded), "{}");
        trade.asks(step, 400, Code::UnexpectedStatus);
        let (outcome, _) = end(trade.answered(status, Some(IntentState::NotRecorded), "{}"));
        assert_eq!((outcome, trade.unresolved()), (Outcome::Unknown, 1), "{status}");
    }
}

#[test]
fn an_answer_that_breaks_off_is_reported_as_such() {
    let mut trade = Trade::begun(600);
    assert!(matches!(trade.told(head(200, None, None)), Step::Read { .. }));
    assert!(matches!(trade.told(lost("ECONNRESET")), Step::Wait { .. }));
    let error = failed(trade.told(Event::Deadline));
    assert_eq!((error.code, error.status), (Code::Timeout, Some(200)));
    assert!(error.message.ends_with("; before that: the answer broke off (ECONNRESET)"), "{error}");
}

#[test]
fn what_stops_it_from_asking_leaves_it_unknown() {
    let mut trade = Trade::begun(600);
    assert!(matches!(trade.told(lost("")), Step::Wait { .. }));
    let error = failed(trade.told(Event::Deadline));
    assert_eq!(error.code, Code::Timeout);
    let before = "before that: the connection gave no answer";
    assert_eq!(error.message, format!("outcome unknown: no complete answer within 60000 ms; {before}"));

    let mut trade = Trade::begun(600);
    assert!(matches!(trade.told(lost("")), Step::Wait { .. }));
    trade.guards.halt();
    assert_eq!(end(trade.told(Event::Woken)), NO_ANSWER);
    assert_eq!(trade.unresolved(), 1);
}

#[test]
fn a_stop_while_it_asks_again_keeps_what_the_last_answer_said() {
    let refusal = r#"{"detail":"a key of this intent"}"#;
    for (stop, code) in [(Event::Deadline, Code::Timeout), (Event::Abort, Code::Aborted)] {
        for is_sending in [false, true] {
            let mut trade = Trade::begun(600);
            assert!(matches!(trade.told(head(503, None, Some("3"))), Step::Read { .. }));
            assert!(matches!(trade.told(Event::Body(refusal.into())), Step::Wait { .. }));
            if is_sending {
                assert!(matches!(trade.told(Event::Woken), Step::Send(_)));
                assert_eq!(trade.told(stop.clone()), Step::Cancel);
            }
            let error = failed(trade.told(if is_sending { Event::MomentOver } else { stop.clone() }));
            assert_eq!((error.outcome, error.code, error.status), (Outcome::Unknown, code, Some(503)));
            assert_eq!(error.service_message.as_deref(), Some("a key of this intent"));
            assert_eq!(error.evidence.as_ref().map(|evidence| evidence.0.as_str()), Some(refusal));
            assert_eq!(error.retry_after_ms, Some(3_000));
            assert!(error.message.contains("; before that: the service had an error (503)"), "{error}");
            assert_eq!(trade.flow.settlement().and_then(|settlement| settlement.status), Some(503));
        }
    }
}

#[test]
fn trading_that_stops_right_before_it_asks_again_keeps_what_the_last_answer_said() {
    let mut trade = Trade::begun(600);
    let step = trade.answered(503, None, r#"{"detail":"why"}"#);
    trade.asks(step, 100, Code::ServiceError);
    trade.guards.halt();
    let error = failed(trade.told(Event::Lost(Lost::Unsent("ECANCELED".into()))));
    assert_eq!((error.outcome, error.code, error.status), (Outcome::Unknown, Code::ServiceError, Some(503)));
    assert_eq!((error.service_message.as_deref(), trade.unresolved()), (Some("why"), 1));
}

#[test]
fn a_plan_that_expires_while_it_asks_again_is_not_posted_again() {
    let mut trade = Trade::of(flow_of_plan(KeySource::None));
    assert!(matches!(trade.told(Event::Begin), Step::Send(_)));
    assert!(matches!(trade.told(lost("ECONNRESET")), Step::Wait { .. }));
    let error = failed(trade.told_at(1_100, Event::Woken));
    assert_eq!((error.outcome, error.code), NO_ANSWER);
    assert_eq!(error.message, "outcome unknown: the connection gave no answer (ECONNRESET)");
    assert_eq!(trade.unresolved(), 1);
}

#[test]
fn an_expired_plan_of_unknown_outcome_is_not_taken_up() {
    let in_doubt = || {
        let mut trade = Trade::of(flow_of_plan(KeySource::None));
        assert!(matches!(trade.told(Event::Begin), Step::Send(_)));
        assert_eq!(failed(trade.answered(502, Some(IntentState::InDoubt), "")).outcome, Outcome::Unknown);
        trade
    };
    // In time, it is.
    let mut trade = in_doubt();
    trade.flow = flow_of_plan(KeySource::None);
    assert!(matches!(trade.told_at(1_099, Event::Begin), Step::Send(_)));

    let mut trade = in_doubt();
    trade.flow = flow_of_plan(KeySource::None);
    let error = failed(trade.told_at(1_100, Event::Begin));
    let message = "not sent: the plan has expired, and its trade may have landed; find out with pending and reconcile, then acknowledge it";
    assert_eq!((error.code, error.message.as_str()), (Code::PlanUsed, message));
    assert_eq!(trade.unresolved(), 1);

    // It expires while its key is asked for.
    let mut trade = in_doubt();
    trade.flow = flow_of_plan(KeySource::Asked);
    assert_eq!(trade.told_at(1_099, Event::Begin), Step::AskKey);
    let error = failed(trade.told_at(1_100, Event::Key(Key::new("key-12345678").unwrap())));
    assert_eq!(error.outcome, Outcome::Unknown);
    assert!(error.message.ends_with("the plan has expired"), "{error}");
    assert_eq!(trade.unresolved(), 1);
}

#[test]
fn an_unresolved_trade_is_taken_up_by_the_same_request_under_its_id() {
    let mut trade = Trade::begun(600);
    let waiting = failed(trade.answered(202, Some(IntentState::AwaitingApproval), ""));
    assert_eq!((waiting.code, trade.unresolved()), (Code::AwaitingApproval, 1));

    // Another request under the same id is another trade.
    trade.flow = flow(700, false);
    assert_eq!(failed(trade.told(Event::Begin)).code, Code::IntentUnknown);
    // When halted, nothing is sent; the trade stays unresolved.
    trade.guards.halt();
    trade.flow = flow(600, false);
    let error = failed(trade.told(Event::Begin));
    assert_eq!((error.outcome, error.code, trade.unresolved()), (Outcome::NotSent, Code::Halted, 1));
    trade.guards.resume();

    trade.flow = flow(600, false);
    assert!(matches!(trade.told(Event::Begin), Step::Send(_)));
    assert_eq!(trade.unresolved(), 0);
    let Step::Done(Ok(_)) = trade.answered(200, Some(IntentState::Ended), LANDED) else { panic!() };
    let state = trade.guards.state(1_000);
    assert_eq!((state.lamports_today, state.in_flight.len(), state.unresolved.len()), (600, 0, 0));
}

/// A gateway that has forgotten the id, or never had the trade, would make it now.
#[test]
fn an_unresolved_trade_that_a_gateway_may_have_forgotten_is_not_sent_again() {
    let half_a_day = 12 * 3_600_000;
    let sent_ms = 2 * half_a_day;
    // A clock that was wrong proves nothing of the age.
    for (now_ms, is_sent) in [
        (sent_ms + half_a_day - 1, true),
        (sent_ms + half_a_day, false),
        (sent_ms - 1, true),
        (sent_ms - half_a_day, false),
    ] {
        let mut trade = Trade::of(flow(600, false));
        assert!(matches!(trade.told_at(sent_ms, Event::Begin), Step::Send(_)));
        trade.told_at(sent_ms, lost(""));
        assert_eq!(failed(trade.told_at(sent_ms, Event::Abort)).outcome, Outcome::Unknown);
        trade.flow = flow(600, false);
        match trade.told_at(now_ms, Event::Begin) {
            Step::Send(_) => assert!(is_sent, "{now_ms}"),
            step => {
                let error = failed(step);
                let message = "not sent: this intent may have landed; check, then acknowledge it";
                assert_eq!((error.code, error.message.as_str()), (Code::IntentUnknown, message));
                assert_eq!((is_sent, trade.unresolved()), (false, 1), "{now_ms}");
            }
        }
    }
}

#[test]
fn asked_for_again_and_still_unknown_it_counts_once() {
    let mut trade = Trade::begun(600);
    for _ in 0..5 {
        assert_eq!(end(trade.answered(502, Some(IntentState::InDoubt), "")).0, Outcome::Unknown);
        trade.flow = flow(600, false);
        assert!(matches!(trade.told(Event::Begin), Step::Send(_)));
    }
    let state = trade.guards.state(1_000);
    assert_eq!((state.unknowns_in_a_row, state.breaker_open, state.lamports_today), (1, false, 600));
}

#[test]
fn one_that_is_taken_up_has_its_entry_in_the_journal() {
    let mut trade = Trade::of(flow(600, true));
    assert_eq!(trade.told(Event::Begin), Step::Recover);
    assert_eq!(trade.told(Event::Recovered), Step::JournalBegin);
    assert!(matches!(trade.told(Event::Journaled), Step::Send(_)));
    assert!(matches!(trade.answered(202, Some(IntentState::AwaitingApproval), ""), Step::JournalSettle(_)));
    assert_eq!(failed(trade.told(Event::Journaled)).code, Code::AwaitingApproval);

    trade.flow = flow(600, true);
    assert_eq!(trade.told(Event::Begin), Step::Recover);
    assert!(matches!(trade.told(Event::Recovered), Step::Send(_)));
    let Step::JournalSettle(settlement) = trade.answered(200, None, LANDED) else { panic!() };
    assert_eq!(settlement.outcome.as_str(), "landed");
}
