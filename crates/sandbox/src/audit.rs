//! Compares a bot's books with what really happened.
//!
//! An entry is matched to a call by intent id if the call has one, and otherwise by the exact bytes of the request. Equal
//! requests are matched in favour of the books: each entry gets a call that it agrees with, as long as there are any.
//!
//! A log that no longer has its oldest calls says nothing about an entry without a call: it may have been among those.

use std::collections::BTreeMap;

use super::actual_outcome::ActualOutcome;
use super::name;
use super::row::{CallRow, Count};
use launchpad_desk::api::endpoint::Operation;
use launchpad_desk::bindings::codes::codes;
use launchpad_desk::bindings::reader::{self, Reader};
use launchpad_desk::bindings::record;
use launchpad_desk::error::FieldError;
use launchpad_desk::intent::IntentOutcome;
use launchpad_desk::tape::Item;

record! {
    /// An entry of a bot's books: an intent of its journal, and how it was settled.
    BookEntry {
        /// The intent's id.
        intent_id: String => "string",
        /// What was asked for.
        operation: Operation => "Operation",
        /// The exact body.
        body: String => "string",
        /// How it ended; null if it was never settled.
        outcome: Option<IntentOutcome> => "IntentOutcome | null",
    }
}

codes! {
    /// How a bot's books are wrong about a trade. Append-only.
    #[non_exhaustive]
    Mismatch {
        /// The books say that nothing was traded, but the transaction landed.
        LandedUnknown = "landed_unknown",
        /// The books say that it landed, but it did not.
        DidNotLand = "did_not_land",
        /// The books say that nothing was executed, but a transaction failed, and its network fee was charged.
        FeeUnknown = "fee_unknown",
        /// The books say that a transaction failed, but none was executed, and no fee was charged.
        NotExecuted = "not_executed",
        /// A transaction was executed for which the books have no entry.
        NoEntry = "no_entry",
    }
}

record! {
    /// A trade that a bot's books are wrong about.
    AuditFinding {
        /// How they are wrong.
        mismatch: Mismatch => "Mismatch",
        /// The entry's intent id; null if there is no entry.
        intent_id: Option<String> => "string | null",
        /// What was asked for.
        operation: Operation => "Operation",
        /// What the books say; null if there is no entry.
        recorded: Option<IntentOutcome> => "IntentOutcome | null",
        /// What really happened to it.
        actual: ActualOutcome => "ActualOutcome",
        /// The call's number in the log; null if none arrived.
        call: Option<Count> => "number | null",
        /// The transaction's signature; null if none was executed.
        signature: Option<String> => "string | null",
    }
}

record! {
    /// What really happened to a trade that a bot's books leave open.
    OpenTrade {
        /// The entry's intent id.
        intent_id: String => "string",
        /// What really happened to it.
        actual: ActualOutcome => "ActualOutcome",
        /// The transaction's signature; null if none was executed.
        signature: Option<String> => "string | null",
    }
}

record! {
    /// What an audit found.
    Audit {
        /// Every trade that the books are wrong about: first those with an entry, in order, then those without.
        findings: Vec<AuditFinding> => "AuditFinding[]",
        /// What really happened to the trades that the books leave open.
        open: Vec<OpenTrade> => "OpenTrade[]",
        /// The intent ids of the settled entries that cannot be checked: the log has no call of theirs, and no longer has its oldest ones.
        unchecked: Vec<String> => "string[]",
        /// How many entries are right.
        right: Count => "number",
    }
}

impl BookEntry {
    /// Whether the books leave it open.
    fn is_open(&self) -> bool {
        matches!(self.outcome, None | Some(IntentOutcome::Unknown))
    }

    fn read(reader: &mut Reader) -> Self {
        let operation = reader.need("operation", |r, name| r.choice(name, Operation::NAMED).map(Some));
        BookEntry {
            intent_id: reader.need("intentId", Reader::text).to_owned(),
            operation: operation.unwrap_or(Operation::Buy),
            body: reader.need("body", Reader::text).to_owned(),
            outcome: reader.choice("outcome", IntentOutcome::NAMED),
        }
    }
}

/// Reads books and a log of calls: `{ entries, calls }`, each a list.
/// Fails with every field that is wrong, by path.
pub fn read_audit(given: Item) -> Result<(Vec<BookEntry>, Vec<CallRow>), Vec<FieldError>> {
    reader::read(given, |r| {
        let entries = r.need("entries", |r, name| r.list(name, BookEntry::read));
        (entries, r.need("calls", |r, name| r.list(name, CallRow::read)))
    })
}

/// Reports every trade that a bot's books are wrong about.
///
/// ```
/// use launchpad_desk::intent::IntentOutcome;
/// use launchpad_desk_sandbox::{HttpRequest, Sandbox, SandboxConfig, audit, BookEntry};
///
/// let mut sandbox = Sandbox::new(SandboxConfig { max_calls: 100, ..SandboxConfig::default() }).unwrap();
/// let (mint, wallet) = (sandbox.tokens()[0].mint.clone(), sandbox.wallets()[0].wallet.clone());
/// let body = format!(r#"{{"mint":"{mint}","fromWallet":"{wallet}","amountInLamports":1000000000}}"#);
/// let headers = ["content-type", "x-sandbox-outcome"].map(str::to_owned);
/// let values = ["application/json", "executed-no-answer"].map(str::to_owned);
/// sandbox.handle(&HttpRequest {
///     method: "POST",
///     path: "/v1/trade/buy",
///     headers: &std::iter::zip(headers, values).collect::<Vec<_>>(),
///     body: body.as_bytes(),
///     now_ms: 0,
/// });
/// let operation = launchpad_desk::api::endpoint::Operation::Buy;
/// let entry = BookEntry { intent_id: "buy-1".into(), operation, body, outcome: Some(IntentOutcome::NotSent) };
/// let report = audit(&[entry], sandbox.calls());
/// assert_eq!(report.findings[0].mismatch.as_str(), "landed_unknown");
/// ```
pub fn audit<'a>(entries: &[BookEntry], calls: impl IntoIterator<Item = &'a CallRow>) -> Audit {
    let mut books = Books::new(entries, calls.into_iter().collect());
    let says = |entry: &BookEntry, any: &[IntentOutcome]| {
        entry.outcome.is_some_and(|outcome| any.contains(&outcome))
    };
    use IntentOutcome::{DidNotLand, Failed, Landed, Rejected, Unconfirmed};
    // Entries that are right come first, the most definite before the others, so that equal requests are matched in their
    // favour.
    books.settle(|entry, actual| says(entry, &[Landed, Unconfirmed, Failed]) && actual.agrees(entry.outcome));
    books.settle(|entry, actual| says(entry, &[DidNotLand]) && actual == ActualOutcome::Failed);
    books.settle(|entry, actual| says(entry, &[Rejected, DidNotLand]) && actual.agrees(entry.outcome));
    // An entry that is wrong but claims an answer is a closer match than one that leaves it open.
    books.settle(|entry, _| says(entry, &[Landed, Unconfirmed, Failed, Rejected]));
    books.settle(|entry, actual| entry.is_open() && actual != ActualOutcome::NotExecuted);
    books.settle(|entry, _| entry.is_open());
    // Calls that were executed and are still free belong to entries that deny it.
    books.settle(|_, actual| actual != ActualOutcome::NotExecuted);
    books.report()
}

/// Entries and calls, and which of them are matched so far.
struct Books<'a> {
    entries: &'a [BookEntry],
    calls: Vec<&'a CallRow>,
    /// The indexes of the calls that may belong to each entry.
    candidates: Vec<Vec<usize>>,
    /// The call of each entry.
    found: Vec<Option<usize>>,
    taken: Vec<bool>,
}

impl<'a> Books<'a> {
    fn new(entries: &'a [BookEntry], calls: Vec<&'a CallRow>) -> Self {
        let mut by_intent: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
        let mut by_bytes: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
        for (place, call) in calls.iter().enumerate() {
            match call.intent_id.as_str() {
                "" => by_bytes.entry(&call.fingerprint).or_default().push(place),
                intent => by_intent.entry(intent).or_default().push(place),
            }
        }
        let candidates = entries.iter().map(|entry| {
            let bytes = name::fingerprint(entry.operation.as_str(), &entry.body);
            let named = by_intent.get(entry.intent_id.as_str());
            named.or_else(|| by_bytes.get(bytes.as_str())).cloned().unwrap_or_default()
        });
        Books {
            entries,
            candidates: candidates.collect(),
            found: vec![None; entries.len()],
            taken: vec![false; calls.len()],
            calls,
        }
    }

    /// Gives each entry that has no call yet the first free one that fits.
    fn settle(&mut self, fits: impl Fn(&BookEntry, ActualOutcome) -> bool) {
        for (index, entry) in self.entries.iter().enumerate() {
            let (Some(found), Some(places)) = (self.found.get_mut(index), self.candidates.get(index)) else {
                continue;
            };
            if found.is_some() {
                continue;
            }
            let free = places.iter().copied().find(|place| {
                let call = self.calls.get(*place);
                self.taken.get(*place) == Some(&false) && call.is_some_and(|call| fits(entry, call.actual))
            });
            if let Some(taken) = free.and_then(|place| self.taken.get_mut(place)) {
                *taken = true;
                *found = free;
            }
        }
    }

    fn report(self) -> Audit {
        let mut audit =
            Audit { findings: Vec::new(), open: Vec::new(), unchecked: Vec::new(), right: Count::default() };
        let is_whole = self.calls.first().is_none_or(|first| first.number == Count::new(1));
        let without = if is_whole { ActualOutcome::NeverArrived } else { ActualOutcome::NotLogged };
        for (entry, found) in self.entries.iter().zip(&self.found) {
            let call = found.and_then(|place| self.calls.get(place)).copied();
            let actual = call.map_or(without, |call| call.actual);
            let signature = signature(call);
            if entry.is_open() {
                audit.open.push(OpenTrade { intent_id: entry.intent_id.clone(), actual, signature });
            } else if actual == ActualOutcome::NotLogged {
                audit.unchecked.push(entry.intent_id.clone());
            } else if actual.agrees(entry.outcome) {
                audit.right = audit.right.plus(1);
            } else {
                audit.findings.push(AuditFinding {
                    mismatch: mismatch(entry.outcome, actual),
                    intent_id: Some(entry.intent_id.clone()),
                    operation: entry.operation,
                    recorded: entry.outcome,
                    actual,
                    call: call.map(|call| call.number),
                    signature,
                });
            }
        }
        let free = self.calls.iter().zip(&self.taken).filter(|(_, taken)| !**taken).map(|(call, _)| *call);
        for call in free.filter(|call| call.actual != ActualOutcome::NotExecuted) {
            audit.findings.push(AuditFinding {
                mismatch: Mismatch::NoEntry,
                intent_id: None,
                operation: call.operation,
                recorded: None,
                actual: call.actual,
                call: Some(call.number),
                signature: signature(Some(call)),
            });
        }
        audit
    }
}

fn signature(call: Option<&CallRow>) -> Option<String> {
    call.map(|call| call.signature.clone()).filter(|signature| !signature.is_empty())
}

/// How an entry is wrong that does not agree with what happened.
fn mismatch(recorded: Option<IntentOutcome>, actual: ActualOutcome) -> Mismatch {
    match (recorded, actual) {
        (_, ActualOutcome::Landed) => Mismatch::LandedUnknown,
        (Some(IntentOutcome::Landed | IntentOutcome::Unconfirmed), _) => Mismatch::DidNotLand,
        (_, ActualOutcome::Failed) => Mismatch::FeeUnknown,
        _ => Mismatch::NotExecuted,
    }
}
