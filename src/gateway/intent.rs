//! What a gateway remembers of a trade: a row for each intent, from before it is forwarded until its key is forgotten.

use crate::api::endpoint::{Operation, Reply};
use crate::codes::codes;
use crate::error::FieldError;
use crate::gateway::ledger::Spend;
use crate::gateway::problem::{PROBLEM_JSON, Problem, add, typed};
use crate::reader::{self, Reader};
use crate::tape::{Item, Number, ToTape, Writer, json};
use crate::to_tape;
use crate::trade::Standing;
use crate::trade::journal::Ending;

codes! {
    /// How far an intent is.
    IntentState {
        /// A plan that was not sent yet.
        Planned = "planned",
        /// A person must approve it.
        Waiting = "awaiting_approval",
        /// It was forwarded, and no answer has come.
        InFlight = "in_flight",
        /// It was forwarded, and nobody knows what became of it: an operator settles it.
        InDoubt = "in_doubt",
        /// It has its final answer.
        Ended = "ended",
    }
}

/// An answer as it is given again.
#[derive(Clone, PartialEq, Eq)]
pub struct Recorded {
    /// The status.
    pub status: u16,
    /// One of the gateway's own: never the service's text.
    pub content_type: String,
    /// The body, without the key; empty where it is in a row of its own, once the intent has ended.
    pub body: String,
    /// Seconds, as text.
    pub retry_after: Option<String>,
    /// Whether it says that nothing real was traded.
    pub is_simulated: bool,
}
to_tape!(Recorded { status, content_type, body, retry_after, is_simulated });

impl std::fmt::Debug for Recorded {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Recorded({}, {} bytes)", self.status, self.body.len())
    }
}

impl Recorded {
    /// A problem, to be given again.
    pub(super) fn problem(problem: &Problem) -> Recorded {
        Recorded {
            status: problem.code.status(),
            content_type: PROBLEM_JSON.to_owned(),
            body: problem.body(),
            retry_after: problem.retry_after_ms.map(super::problem::seconds),
            is_simulated: false,
        }
    }

    /// The answer.
    pub(super) fn reply(&self) -> Reply {
        let mut reply = typed(self.status, &self.content_type, self.body.clone());
        if let Some(seconds) = &self.retry_after {
            add(&mut reply, "retry-after", seconds);
        }
        if self.is_simulated {
            add(&mut reply, "x-simulated", "true");
        }
        reply
    }
}

/// What is remembered of a trade. `Debug` leaves its body out.
#[derive(Clone, PartialEq, Eq)]
pub struct Intent {
    /// Its place in the order of the desk.
    pub number: u64,
    /// Who asked.
    pub caller: String,
    /// The caller's key, or one that the gateway made.
    pub key: String,
    /// Whether the gateway made the key.
    pub is_key_made: bool,
    /// The hash of the path and the body as they came.
    pub hash: String,
    /// What is asked for.
    pub operation: Operation,
    /// The token.
    pub mint: String,
    /// The exact body that is forwarded; empty in memory once the intent has ended.
    pub body: String,
    /// What its wallets spend.
    pub spends: Vec<Spend>,
    /// When it was recorded.
    pub at_ms: u64,
    /// When it was forwarded: from then on its lamports count.
    pub sent_at_ms: Option<u64>,
    /// How far it is.
    pub state: IntentState,
    /// Why a person must approve it; empty where nobody must.
    pub reasons: String,
    /// Until when it waits, or may be sent.
    pub expires_at_ms: Option<u64>,
    /// How it ended, once forwarded.
    pub ending: Option<Ending>,
    /// What is answered from now on.
    pub answer: Option<Recorded>,
    /// The plan, as JSON text.
    pub plan: Option<String>,
}

impl Intent {
    /// What its caller's client needs to know of it.
    pub(super) fn standing(&self) -> Standing {
        match self.state {
            IntentState::Waiting => Standing::Waiting,
            IntentState::InFlight => Standing::InFlight,
            IntentState::InDoubt => Standing::InDoubt,
            // A service's 403 is told as one of the gateway's.
            IntentState::Ended if self.answer.as_ref().is_some_and(|answer| answer.status == 403) => {
                Standing::Refused
            }
            IntentState::Planned | IntentState::Ended => Standing::Answered,
        }
    }
}

impl std::fmt::Debug for Intent {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Intent({} {} {})", self.id(), self.operation.as_str(), self.state.as_str())
    }
}

/// What an intent is known by among all callers.
pub(super) fn id_of(caller: &str, key: &str) -> String {
    [caller, "/", key].concat()
}

impl Intent {
    /// What it is known by among all callers, here and at the service. No name of a caller has a slash.
    pub fn id(&self) -> String {
        id_of(&self.caller, &self.key)
    }

    /// Lamports that it spends in all.
    pub fn lamports(&self) -> u128 {
        self.spends.iter().map(|spend| spend.lamports).sum()
    }

    /// Whether its lamports count: it was forwarded, and something was or may have been spent.
    pub fn counts(&self) -> bool {
        let is_free = matches!(
            self.ending,
            Some(Ending::NotSent | Ending::Rejected | Ending::Failed | Ending::DidNotLand)
        );
        self.sent_at_ms.is_some() && !is_free
    }

    /// Whether something may still happen to it by itself or by a person.
    pub fn is_open(&self) -> bool {
        self.state != IntentState::Ended
    }

    /// As it is kept in memory. Of those that have ended there are many: what is needed no more is in the row alone.
    pub(super) fn trimmed(mut self) -> Intent {
        if !self.is_open() && self.plan.is_none() {
            self.body = String::new();
        }
        self
    }

    /// Its row as JSON text.
    pub fn to_json(&self) -> String {
        json::write(&self.to_tape())
    }

    /// The intent of a row.
    ///
    /// # Errors
    ///
    /// Every bad field.
    pub fn from_item(value: Item) -> Result<Intent, Vec<FieldError>> {
        reader::read(value, Intent::read)
    }

    fn read(r: &mut Reader) -> Intent {
        let named = Operation::ALL.map(|operation| (operation.as_str(), operation));
        let text = |r: &mut Reader, name| r.need(name, Reader::text).to_owned();
        Intent {
            number: r.need("number", Reader::whole),
            caller: text(r, "caller"),
            key: text(r, "key"),
            is_key_made: r.need("isKeyMade", Reader::boolean),
            hash: text(r, "hash"),
            operation: r.needed("operation", |r, name| r.choice(name, &named)).unwrap_or(Operation::Buy),
            mint: text(r, "mint"),
            body: text(r, "body"),
            spends: r
                .list("spends", |r| Spend {
                    wallet: r.need("wallet", Reader::text).to_owned(),
                    lamports: r.need("lamports", Reader::wide),
                })
                .unwrap_or_default(),
            at_ms: r.need("atMs", Reader::whole),
            sent_at_ms: r.whole("sentAtMs"),
            state: r
                .needed("state", |r, name| r.choice(name, IntentState::NAMED))
                .unwrap_or(IntentState::InDoubt),
            reasons: text(r, "reasons"),
            expires_at_ms: r.whole("expiresAtMs"),
            ending: r.choice("ending", Ending::NAMED),
            answer: r.object("answer", |r| Recorded {
                status: r.need("status", |r, name| r.whole_within(name, 100, 599)) as u16,
                content_type: r.need("contentType", Reader::text).to_owned(),
                body: r.need("body", Reader::text).to_owned(),
                retry_after: r.text("retryAfter").map(str::to_owned),
                is_simulated: r.need("isSimulated", Reader::boolean),
            }),
            plan: r.text("plan").map(str::to_owned),
        }
    }
}

impl ToTape for Intent {
    fn write(&self, tape: &mut Writer) {
        let ms = |ms: u64| Number(ms.into());
        let (number, at_ms) = (ms(self.number), ms(self.at_ms));
        let (sent_at_ms, expires_at_ms) = (self.sent_at_ms.map(ms), self.expires_at_ms.map(ms));
        let fields: [(&str, &dyn ToTape); 17] = [
            ("number", &number),
            ("caller", &self.caller),
            ("key", &self.key),
            ("isKeyMade", &self.is_key_made),
            ("hash", &self.hash),
            ("operation", &self.operation),
            ("mint", &self.mint),
            ("body", &self.body),
            ("spends", &self.spends),
            ("atMs", &at_ms),
            ("sentAtMs", &sent_at_ms),
            ("state", &self.state),
            ("reasons", &self.reasons),
            ("expiresAtMs", &expires_at_ms),
            ("ending", &self.ending),
            ("answer", &self.answer),
            ("plan", &self.plan),
        ];
        tape.object(&mut fields.into_iter());
    }
}
