//! What a gateway remembers about a trade: one row for each intent, written before the trade is forwarded and kept until its
//! key is forgotten.

use crate::ledger::Spend;
use crate::problem::{PROBLEM_JSON, Problem, add, typed};
use launchpad_desk::api::encode::encode_reply;
use launchpad_desk::api::endpoint::{Operation, Reply};
use launchpad_desk::api::response::{Trade, TransactionResult};
use launchpad_desk::bindings::reader::{self, Reader};
use launchpad_desk::bindings::{debug_text, slot_of, to_tape};
use launchpad_desk::error::FieldError;
use launchpad_desk::intent::{IntentOutcome, IntentState};
use launchpad_desk::tape::{Item, Tape, ToTape, Writer, json};
use launchpad_desk::text::Text;
use launchpad_desk::trade::reconcile::WalletBalances;

/// A recorded answer, which is given again for the same key.
#[derive(Clone, PartialEq, Eq)]
pub struct RecordedAnswer {
    pub status: u16,
    /// The content type: chosen by the gateway, never copied from the service.
    pub content_type: String,
    /// The body, with the key removed; empty once the intent has ended, when it is in a row of its own.
    pub body: String,
    /// The header `retry-after`: seconds.
    pub retry_after: Option<String>,
    /// Whether the trade was simulated.
    pub is_simulated: bool,
}
to_tape!(RecordedAnswer { status, content_type, body, retry_after, is_simulated });

debug_text!(RecordedAnswer, |answer| "RecordedAnswer({}, {} bytes)", answer.status, answer.body.len());

impl RecordedAnswer {
    pub(super) fn problem(problem: &Problem) -> RecordedAnswer {
        RecordedAnswer {
            status: problem.code.status(),
            content_type: PROBLEM_JSON.to_owned(),
            body: problem.body(),
            retry_after: problem.retry_after_ms.map(super::problem::seconds),
            is_simulated: false,
        }
    }

    /// Records the answer, in the service's form, to a trade whose outcome was unknown and has been found: `say` adds what moved.
    pub(super) fn found(
        intent: &Intent,
        landed: bool,
        signature: Option<&str>,
        results: Tape,
        say: impl FnOnce(&mut Trade),
    ) -> RecordedAnswer {
        let mut trade = Trade::empty(intent.operation);
        let signature = signature.map(Text::from);
        trade.result.mint = Some(intent.mint.as_str().into());
        let body = json::parse(intent.body.as_bytes()).unwrap_or_default();
        trade.result.wallet = body.root().text_of("fromWallet").map(Text::from);
        trade.result.signature.clone_from(&signature);
        trade.result.transaction = TransactionResult { success: Some(landed), signature, results };
        say(&mut trade);
        RecordedAnswer {
            status: 200,
            content_type: "application/json".to_owned(),
            body: encode_reply(&trade),
            retry_after: None,
            is_simulated: false,
        }
    }

    /// The answer as a reply.
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

/// What is remembered about a trade. `Debug` leaves its body out.
#[derive(Clone, PartialEq, Eq)]
pub struct Intent {
    /// Its number at the desk, in order of arrival.
    pub number: u64,
    /// Who asked.
    pub caller: String,
    /// The idempotency key: the caller's, or one that the gateway made.
    pub key: String,
    /// Whether the gateway made the key.
    pub is_key_made: bool,
    /// The hash of the path and the body as they arrived.
    pub hash: String,
    pub operation: Operation,
    pub mint: String,
    /// The exact body to forward; empty in memory once the intent has ended.
    pub body: String,
    /// What each of its wallets may lose, as limits count it.
    pub spends: Vec<Spend>,
    /// The part of them that its fee payer pays the network, even if the transaction fails.
    pub fee: Option<Spend>,
    /// When it was recorded.
    pub at_ms: u64,
    /// When it was forwarded: from then on its lamports count.
    pub sent_at_ms: Option<u64>,
    /// The time from which its lamports count, if the clock had gone back when it was forwarded.
    pub counted_at_ms: Option<u64>,
    pub state: IntentState,
    /// Why an operator must approve it; empty if no approval is needed.
    pub reasons: String,
    /// When it stops waiting for approval or, as a plan, can no longer be sent.
    pub expires_at_ms: Option<u64>,
    /// How it ended; `unknown` while it is in doubt, `None` before.
    pub outcome: Option<IntentOutcome>,
    pub answer: Option<RecordedAnswer>,
    /// The plan, as JSON text.
    pub plan: Option<String>,
    /// What its wallets held before it was forwarded, if a node said so; empty in memory once the intent has ended.
    pub before: Vec<WalletBalances>,
    /// The signature of its transaction, if it is known; only in the row once the intent has ended.
    pub signature: Option<String>,
    /// The signature that the service named while its outcome stayed unknown: no other trade has it. Only in the row once the intent has
    /// ended.
    pub named_signature: Option<String>,
    /// Whether the chain proves how it ended.
    pub is_proven: bool,
    /// Of one in memory that has ended, the newest slot of `before`.
    pub(super) before_slot: Option<u64>,
}

debug_text!(
    Intent,
    |intent| "Intent({} {} {})",
    intent.id(),
    intent.operation.as_str(),
    intent.state.as_str()
);

/// Many intents: as the list grows and is sorted, none is moved.
pub(super) type Intents = Vec<Box<Intent>>;

/// The id of an intent, unique among all callers of a desk.
pub(super) fn id_of(caller: &str, key: &str) -> String {
    [caller, "/", key].concat()
}

impl Intent {
    /// Its id, unique among all callers, here and at the service. The name of a caller never contains a slash.
    pub fn id(&self) -> String {
        id_of(&self.caller, &self.key)
    }

    /// The lamports that it spends in total.
    pub fn lamports(&self) -> u128 {
        self.spends.iter().map(|spend| spend.lamports).sum()
    }

    /// What counts of its spends: nothing before it is forwarded, and then what was or may have been spent.
    pub fn counted(&self) -> &[Spend] {
        use IntentOutcome::{DidNotLand, Failed, NotSent, Rejected};
        match self.outcome {
            _ if self.sent_at_ms.is_none() => &[],
            Some(NotSent | Rejected | DidNotLand) => &[],
            Some(Failed) => self.fee.as_slice(),
            _ => &self.spends,
        }
    }

    /// Whether it has not ended.
    pub fn is_open(&self) -> bool {
        self.state != IntentState::Ended
    }

    /// The form kept in memory. There are many ended intents: what is no longer needed stays only in the row.
    pub(super) fn trimmed(mut self) -> Intent {
        if !self.is_open() && self.plan.is_none() {
            self.body = String::new();
        }
        if !self.is_open() {
            (self.before_slot, self.before) = (self.slot(), Vec::new());
            (self.signature, self.named_signature) = (None, None);
        }
        self
    }

    /// The slot before which its transaction cannot have been made, if a node has shown it.
    pub(super) fn slot(&self) -> Option<u64> {
        slot_of(&self.before, false).or(self.before_slot)
    }

    /// Its row as JSON text, without what is absent.
    pub fn to_json(&self) -> String {
        let (whole, mut fields) = (self.to_tape(), Vec::new());
        for (name, value) in whole.root().fields().into_iter().flatten() {
            if !value.is_null() {
                fields.push((name, value));
            }
        }
        json::write(&Tape::object(&fields))
    }

    /// Reads an intent from its row.
    /// Fails with all bad fields.
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
            spends: r.list("spends", Spend::read).unwrap_or_default(),
            fee: r.object("priority", Spend::read),
            at_ms: r.need("atMs", Reader::whole),
            sent_at_ms: r.whole("sentAtMs"),
            counted_at_ms: r.whole("countedAtMs"),
            state: r
                .needed("state", |r, name| r.choice(name, IntentState::NAMED))
                .unwrap_or(IntentState::InDoubt),
            reasons: text(r, "reasons"),
            expires_at_ms: r.whole("expiresAtMs"),
            outcome: r.choice("outcome", IntentOutcome::NAMED),
            answer: r.object("answer", |r| RecordedAnswer {
                status: r.need("status", |r, name| r.whole_within(name, 100, 599)) as u16,
                content_type: r.need("contentType", Reader::text).to_owned(),
                body: r.need("body", Reader::text).to_owned(),
                retry_after: r.text("retryAfter").map(str::to_owned),
                is_simulated: r.need("isSimulated", Reader::boolean),
            }),
            plan: r.text("plan").map(str::to_owned),
            before: WalletBalances::read_list(r, "before").unwrap_or_default(),
            signature: r.text("signature").map(str::to_owned),
            named_signature: r.text("namedSignature").map(str::to_owned),
            is_proven: r.boolean("isProven").unwrap_or_default(),
            before_slot: None,
        }
    }
}

impl ToTape for Intent {
    fn write(&self, tape: &mut Writer) {
        let fields: [(&str, &dyn ToTape); 23] = [
            ("number", &self.number),
            ("caller", &self.caller),
            ("key", &self.key),
            ("isKeyMade", &self.is_key_made),
            ("hash", &self.hash),
            ("operation", &self.operation),
            ("mint", &self.mint),
            ("body", &self.body),
            ("spends", &self.spends),
            ("priority", &self.fee),
            ("atMs", &self.at_ms),
            ("sentAtMs", &self.sent_at_ms),
            ("countedAtMs", &self.counted_at_ms),
            ("state", &self.state),
            ("reasons", &self.reasons),
            ("expiresAtMs", &self.expires_at_ms),
            ("outcome", &self.outcome),
            ("answer", &self.answer),
            ("plan", &self.plan),
            ("before", &self.before),
            ("signature", &self.signature),
            ("namedSignature", &self.named_signature),
            ("isProven", &self.is_proven),
        ];
        tape.object(&mut fields.into_iter());
    }
}
