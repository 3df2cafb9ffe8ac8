//! Waiting until a gateway has decided about an intent: its state is read again and again, and nothing is sent a second time.

use std::sync::Arc;

use crate::amount::Digits;
use crate::api::endpoint::{Operation, Reply};
use crate::api::response::Trade;
use crate::error::{Code, Error, Outcome, Warning};
use crate::intent::{INTENT_STATE, IntentOutcome, IntentState, Settlement};
use crate::reader::MOST_TIMER_MS;
use crate::tape::{Item, json};
use crate::trade::classify::of_one_trade;
use crate::trade::contradiction::Asked;
use crate::trade::flow::{Event, Get, Head, KeySource, Lost, Machine, Step, Terms, Wait};
use crate::trade::guard::{Guards, Intent, Suspension};
use crate::trade::journal::TradeIntent;
use crate::trade::{Key, classify, redacted, retry_after_ms, send_failure};

/// How long to wait before asking again if the gateway does not say, doubled each time.
const FIRST_MS: u32 = 250;

/// The longest of these waits.
const LONGEST_MS: u32 = 10_000;

/// How long an intent is waited for by default: somewhat longer than a gateway waits for an approval by default.
pub const WAIT_FOR_MS: u32 = 1_200_000;

/// One intent of a gateway that is waited for.
#[derive(Clone, Debug)]
pub struct WaitFor {
    terms: Arc<Terms>,
    /// What is known of it: all of it once the guards have it as unresolved.
    intent: TradeIntent,
    timeout_ms: u32,
    at: At,
    key: Option<Key>,
    asks: u32,
    head: Option<Head>,
    /// What the gateway said last, or why it said nothing.
    last: Option<Box<Error>>,
    settlement: Option<Settlement>,
    /// Whether the guards' unresolved intent is claimed, to be settled.
    is_claimed: bool,
    result: Option<Result<Trade, Box<Error>>>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum At {
    Start,
    Recovering,
    AskingKey,
    Sending,
    Reading,
    Waiting,
    Settling,
    Done,
}

impl WaitFor {
    pub fn new(terms: Arc<Terms>, intent_id: String, timeout_ms: u32) -> WaitFor {
        let key = match &terms.key {
            KeySource::Fixed(key) => Some(key.clone()),
            KeySource::None | KeySource::Asked => None,
        };
        let intent = TradeIntent { through_gateway: true, ..intent_id.as_str().into() };
        WaitFor {
            terms,
            intent,
            timeout_ms,
            at: At::Start,
            key,
            asks: 0,
            head: None,
            last: None,
            settlement: None,
            is_claimed: false,
            result: None,
        }
    }

    fn go(&mut self, at: At, step: Step) -> Step {
        self.at = at;
        step
    }

    fn ask_key(&mut self) -> Step {
        match self.terms.key {
            KeySource::Asked => self.go(At::AskingKey, Step::AskKey),
            KeySource::None | KeySource::Fixed(_) => self.get(),
        }
    }

    fn get(&mut self) -> Step {
        self.head = None;
        let path = ["/v1/intents/", &percent_encoded(&self.intent.intent_id)].concat();
        let headers = self.terms.headers.of_get(self.key.as_ref());
        self.go(At::Sending, Step::Get(Get { path, headers }))
    }

    /// Asks again after a while.
    fn later(&mut self, error: Box<Error>) -> Step {
        let own = FIRST_MS.saturating_mul(1 << self.asks.min(16)).min(LONGEST_MS);
        let ms = error.retry_after_ms.map_or(own, |ms| ms.clamp(1, MOST_TIMER_MS) as u32);
        self.asks = self.asks.saturating_add(1);
        let code = error.code;
        self.last = Some(error);
        self.go(At::Waiting, Step::Wait { ms, reason: Wait::Answer(code) })
    }

    fn lost(&mut self, guards: &mut Guards, lost: &Lost) -> Step {
        match lost {
            Lost::Unsupported(what) => {
                self.finish(guards, Err(send_failure(Code::UnsupportedRuntime, what).into()))
            }
            Lost::TooLarge(most) => {
                self.finish(guards, Err(send_failure(Code::ReplyTooLarge, &most.digits()).into()))
            }
            // Whether it arrived does not matter: it only asks.
            Lost::Unsent(_) | Lost::Broken(_) => {
                let error = Error::new(Code::NetworkError, "outcome unknown: the gateway gave no answer");
                self.later(Box::new(error))
            }
        }
    }

    fn read(&mut self, guards: &mut Guards, now_ms: u64, body: Vec<u8>) -> Step {
        let Head { status, retry_after, intent_state, .. } = self.head.clone().unwrap_or_default();
        let secret = self.key.as_ref().map_or("", Key::expose);
        let body = redacted(body, secret.as_bytes());
        let retry_after_ms = retry_after.and_then(|text| retry_after_ms(&text, now_ms));
        let unknown = |code, message: &str| {
            let message = ["outcome unknown: ", message].concat();
            Box::new(Error { status: Some(status), retry_after_ms, ..Error::new(code, message) })
        };
        let value = json::parse(&body).unwrap_or_default();
        let (root, digits) = (value.root(), status.digits());
        match status {
            200..=299 => {}
            404 if root.text_of("code") == Some("intent_not_found") => {
                let error = unknown(Code::IntentNotFound, "the gateway has no such intent");
                return self.finish(guards, Err(error));
            }
            401 => {
                let message = "the gateway does not accept the token (401)";
                return self.finish(guards, Err(unknown(Code::UnexpectedStatus, message)));
            }
            408 | 409 | 429 | 500..=599 => {
                let message = ["the gateway had an error (", &digits, ")"].concat();
                return self.later(unknown(Code::ServiceError, &message));
            }
            _ => {
                let message = ["the gateway answered with an unexpected status (", &digits, ")"].concat();
                return self.finish(guards, Err(unknown(Code::UnexpectedStatus, &message)));
            }
        }
        let operation = root.text_of("operation").and_then(Operation::from_name);
        let is_its = root.text_of("intentId") == Some(&self.intent.intent_id);
        let (Some(operation), true) = (operation, is_its) else {
            let message = "the gateway's answer is not about this intent";
            return self.finish(guards, Err(unknown(Code::UnreadableReply, message)));
        };
        let own = self.unresolved(guards).map(|intent| &intent.trade);
        let is_of_mint =
            |mint| own.and_then(|own| own.request().ok()).is_none_or(|request| request.mint == mint);
        let is_other = own.is_some_and(|own| own.operation != operation);
        if is_other || !root.text_of("mint").is_none_or(is_of_mint) {
            let message = "the gateway has another trade under this id";
            return self.finish(guards, Err(unknown(Code::ContradictoryReply, message)));
        }
        self.intent.operation = operation;
        let Some(answer) = root.get("answer").filter(|answer| !answer.is_null()) else {
            let error = match root.text_of("state").and_then(IntentState::from_name) {
                Some(IntentState::AwaitingApproval) => {
                    unknown(Code::AwaitingApproval, "it waits for a person's approval, and may be made later")
                }
                _ => unknown(Code::NetworkError, "it has no answer yet"),
            };
            return self.later(error);
        };
        let status = answer.get("status").and_then(Item::whole).and_then(|status| u16::try_from(status).ok());
        let (Some(status), Some(body)) = (status, answer.text_of("body")) else {
            let message = "the gateway's recorded answer is missing or cannot be read";
            return self.finish(guards, Err(unknown(Code::UnreadableReply, message)));
        };
        self.recorded(guards, now_ms, status, body, intent_state)
    }

    /// The answer that the gateway has recorded, as if it came from the service.
    fn recorded(
        &mut self,
        guards: &mut Guards,
        now_ms: u64,
        status: u16,
        body: &str,
        intent_state: Option<String>,
    ) -> Step {
        let operation = self.intent.operation;
        let headers = intent_state.map(|state| (INTENT_STATE.to_owned(), state)).into_iter().collect();
        let reply = Reply { status, headers, body: body.as_bytes().to_vec() };
        // Where this client sent it, the answer must fit its request.
        let request = self.unresolved(guards).and_then(|intent| intent.trade.request().ok());
        let asked = match &request {
            Some(request) => Asked::from(&**request),
            None => Asked::from(operation),
        };
        let result = classify(asked, &reply, &self.terms.dialect, now_ms);
        let result = of_one_trade(guards, &self.intent.intent_id, true, &reply, result);
        self.finish(guards, result)
    }

    fn unresolved<'g>(&self, guards: &'g Guards) -> Option<&'g Intent> {
        guards.unresolved(&self.intent.intent_id)
    }

    /// It is decided, or given up. What is known now settles the unresolved trade, if this client has it.
    fn finish(&mut self, guards: &mut Guards, result: Result<Trade, Box<Error>>) -> Step {
        let settlement = Settlement::of(&result, None);
        let is_known = !matches!(settlement.outcome, IntentOutcome::Unknown | IntentOutcome::NotSent);
        (self.settlement, self.result) = (Some(settlement.clone()), Some(result));
        let intent = self.unresolved(guards).cloned();
        if let (true, Some(intent)) = (is_known, intent) {
            self.is_claimed = guards.claim(&self.intent.intent_id);
            self.intent = intent.trade;
            if self.is_claimed && self.terms.has_journal {
                return self.go(At::Settling, Step::JournalSettle(settlement));
            }
        }
        self.settled(guards)
    }

    fn settled(&mut self, guards: &mut Guards) -> Step {
        if std::mem::take(&mut self.is_claimed) {
            let settlement = self.settlement.clone();
            guards.acknowledge(&self.intent.intent_id, settlement.unwrap_or(IntentOutcome::Unknown.into()));
        }
        self.at = At::Done;
        match self.result.take() {
            Some(result) => Step::Done(result.map(Box::new)),
            None => Step::Nothing,
        }
    }

    fn stopped(&mut self, guards: &mut Guards, is_abort: bool) -> Step {
        match self.at {
            At::Done => return Step::Nothing,
            At::Settling => return Step::Hurry,
            _ => {}
        }
        let (code, what) = match is_abort {
            true => (Code::Aborted, "the wait was aborted".to_owned()),
            false => (Code::Timeout, ["no decision within ", &self.timeout_ms.digits(), " ms"].concat()),
        };
        let last = self.last.take().map(|last| *last).unwrap_or_else(|| Error::new(code, ""));
        let before = last.message.strip_prefix("outcome unknown: ").filter(|before| !before.is_empty());
        let message = match before {
            Some(before) => ["outcome unknown: ", &what, "; before that: ", before].concat(),
            None => ["outcome unknown: ", &what].concat(),
        };
        self.finish(guards, Err(Box::new(Error { code, outcome: Outcome::Unknown, message, ..last })))
    }
}

impl Machine for WaitFor {
    fn next(&mut self, guards: &mut Guards, now_ms: u64, event: Event) -> Step {
        if self.at == At::Start {
            self.intent.started_at_ms = now_ms;
        }
        match (self.at, event) {
            (_, Event::Deadline) => self.stopped(guards, false),
            (_, Event::Abort) => self.stopped(guards, true),
            (At::Start, Event::Begin) => match self.terms.has_journal {
                true => self.go(At::Recovering, Step::Recover),
                false => self.ask_key(),
            },
            (At::Start | At::Sending | At::Reading, Event::Lost(lost)) => self.lost(guards, &lost),
            (At::Recovering, Event::Recovered) => self.ask_key(),
            (At::Recovering, Event::JournalFailed) => {
                self.finish(guards, Err(send_failure(Code::JournalFailed, "").into()))
            }
            (At::AskingKey, Event::Key(key)) => {
                self.key = Some(key);
                self.get()
            }
            (At::AskingKey, Event::KeyFailed) => {
                self.finish(guards, Err(send_failure(Code::ApiKeyUnavailable, "").into()))
            }
            (At::Sending, Event::Answered(head)) => {
                self.head = Some(head);
                self.go(At::Reading, Step::Read { most: self.terms.max_reply_bytes })
            }
            (At::Reading, Event::Body(body)) => self.read(guards, now_ms, body),
            (At::Waiting, Event::Woken) => self.get(),
            (At::Settling, Event::Journaled | Event::JournalFailed | Event::MomentOver) => {
                self.settled(guards)
            }
            _ => Step::Nothing,
        }
    }

    fn intent(&self) -> &TradeIntent {
        &self.intent
    }

    fn warnings(&self) -> &[Warning] {
        &[]
    }

    fn settlement(&self) -> Option<Settlement> {
        self.settlement.clone()
    }

    fn suspension(&self) -> Suspension {
        Suspension::default()
    }

    fn is_answered_by_sandbox(&self) -> bool {
        self.head.as_ref().is_some_and(|head| head.is_simulated)
    }

    fn is_done(&self) -> bool {
        self.at == At::Done
    }
}

/// An id as a segment of a path.
fn percent_encoded(id: &str) -> String {
    let digit = |four: u8| char::from_digit(four.into(), 16).unwrap_or('0').to_ascii_uppercase();
    let mut text = String::new();
    for byte in id.bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~".contains(&byte) {
            text.push(char::from(byte));
        } else {
            text.extend(['%', digit(byte >> 4), digit(byte & 15)]);
        }
    }
    text
}
