//! A record of a client: it sees all through the transport and the journal, and hears what the market says.

use std::collections::BTreeMap;
use std::ops::Deref;
use std::sync::{Arc, Mutex, OnceLock};

use super::TradeError;
use super::journal::{Journal, OutsideMode};
use super::system::{lock, now_ms};
use super::transport::{BoxError, BoxFuture, BoxedError, Incoming, MaybeSend, MaybeSync, Transport};
use launchpad_desk::api::endpoint::Operation;
use launchpad_desk::bindings::{debug_text, object};
use launchpad_desk::error::Code;
use launchpad_desk::intent::{IntentOutcome, Settlement};
use launchpad_desk::tape::{Item, Tape, ToTape, json};
use launchpad_desk::trade::flow::{Get, Head, Lost, Post};
use launchpad_desk::trade::guard::Suspension;
use launchpad_desk::trade::journal::{Recalled, TradeIntent};
use launchpad_desk::trade::plan::{Destination, Plan, PlanPrice};
use launchpad_desk::trade::settle::Settled;
use launchpad_desk_record::{Act, Head as RecordHead, Recorder};

/// The header by which a record knows a trade, if the client sets no other. It is not sent.
pub(super) const OWN_HEADER: &str = "x-record-intent";

/// Where the lines of a record go: a `FileRecord`, or your own.
pub trait RecordStore: MaybeSend + MaybeSync {
    /// The head that was appended last; empty for a new record.
    ///
    /// # Errors
    ///
    /// It cannot be read.
    fn head(&self) -> Result<String, BoxError>;

    /// Appends lines, with their line ends, and then keeps the new head in place of the old one. Lines are kept in the order of the calls,
    /// whichever future is awaited first, and also if one is dropped.
    fn append(&self, lines: String, head: String) -> BoxFuture<'static, Result<(), BoxError>>;
}

/// Writes the record of a desk: one line for each plan, approval, begin, send, answer, end, receipt and piece of evidence, each with the hash
/// of the line before it. The key is never in it, however a service may echo it. Clones write the same record.
///
/// A trade is sent only once its `send` line is kept: if that fails, it is `not_sent`. What comes after the send never changes its outcome; if
/// it cannot be kept, nothing more is sent. What its methods return fails if their line could not be kept.
/// [`Verifier`](launchpad_desk_record::Verifier) verifies the record.
///
/// ```no_run
/// use launchpad_desk_client::{DeskRecord, FileJournal, FileRecord, SandboxTransport};
/// use launchpad_desk::prelude::*;
/// use launchpad_desk_sandbox::{Sandbox, SandboxConfig};
/// use launchpad_desk_client::{Client, TradeError};
///
/// # async fn traded() -> Result<(), Box<dyn std::error::Error>> {
/// let sandbox = Sandbox::new(SandboxConfig::default()).unwrap();
/// let record = DeskRecord::new(FileRecord::open("desk.log")?, "bot-1")?;
/// let client = Client::builder(SandboxTransport::new(sandbox))
///     .journal(FileJournal::open("trades.journal")?)
///     .record(record.clone())
///     .build()?;
/// let plan = client.buy(BuyRequest::new("M", "W", 50_000_000)).plan().await?;
/// record.plan(&plan, None).await?;
/// client.send(&plan).await?;
/// record.written().await?;
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
pub struct DeskRecord(Arc<Inner>);

struct Inner {
    recorder: Mutex<Recorder>,
    store: Box<dyn RecordStore>,
    /// Why a line could not be kept. The recorder is ahead of the store then, so nothing can follow.
    broken: Arc<Mutex<Option<String>>>,
    /// Lines that nobody waits for.
    later: Mutex<Vec<BoxFuture<'static, Result<(), BoxedError>>>>,
    /// By which settings its trades are judged.
    judged_by: OnceLock<String>,
    /// Answers whose bodies have not been read to the end.
    unread: Mutex<BTreeMap<String, Heard>>,
}

/// An answer that has begun.
struct Heard {
    status: u16,
    headers: Vec<(String, String)>,
}

debug_text!(DeskRecord, |_| "DeskRecord");

impl DeskRecord {
    /// A record that goes on where its store ends. `by` is who writes, in each line.
    ///
    /// # Errors
    ///
    /// The store has no head, or one that cannot be read.
    #[cfg_attr(
        target_arch = "wasm32",
        expect(clippy::arc_with_non_send_sync, reason = "a page has one thread")
    )]
    pub fn new(store: impl RecordStore + 'static, by: &str) -> Result<DeskRecord, BoxedError> {
        let head = store.head()?;
        let head = match head.trim() {
            "" => None,
            text => Some(
                RecordHead::read(text)
                    .map_err(|_| BoxError::from("the head of the record cannot be read"))?,
            ),
        };
        Ok(DeskRecord(Arc::new(Inner {
            recorder: Mutex::new(Recorder::new(head, by)),
            store: Box::new(store),
            broken: Arc::default(),
            later: Mutex::default(),
            judged_by: OnceLock::new(),
            unread: Mutex::default(),
        })))
    }

    /// Records a plan: where it was made, and before it is sent by another program. With the market that its price is of, as the settings of
    /// a sandbox, that price can be verified; it is kept only if it gives exactly the plan's price.
    pub fn plan(&self, plan: &Plan, market: Option<Item>) -> BoxFuture<'static, Result<(), BoxedError>> {
        let plan = plan.to_tape();
        self.line(|recorder| recorder.plan(now_ms(), plan.root(), market))
    }

    /// Records that a plan waits for a person: from now on an approval is expected before it is sent.
    pub fn ask(&self, plan: &Plan) -> BoxFuture<'static, Result<(), BoxedError>> {
        self.add(Act::Ask, &plan.intent_id, "", &object! { "checksum": plan.checksum })
    }

    /// Records that a person approved exactly this plan.
    pub fn approve(&self, plan: &Plan, by: &str) -> BoxFuture<'static, Result<(), BoxedError>> {
        self.add(Act::Approve, &plan.intent_id, by, &object! { "checksum": plan.checksum })
    }

    /// Records what was found about a trade of unknown outcome. If it is acknowledged so after that, its end counts as proven. A client with
    /// a market does so by itself.
    pub fn evidence(
        &self,
        intent_id: &str,
        outcome: IntentOutcome,
        signature: Option<&str>,
    ) -> BoxFuture<'static, Result<(), BoxedError>> {
        let data = object! { "outcome": outcome, "signature": signature };
        self.add(Act::Evidence, intent_id, outcome.as_str(), &data)
    }

    /// Records the order of an exit, such as an [`ExitOrder`](launchpad_desk::strategy::ExitOrder).
    pub fn exit(
        &self,
        intent_id: &str,
        reason: &str,
        order: &impl ToTape,
    ) -> BoxFuture<'static, Result<(), BoxedError>> {
        self.add(Act::Exit, intent_id, reason, &order.to_tape().with_text_figures())
    }

    /// Waits until everything so far is kept.
    ///
    /// # Errors
    ///
    /// Why a line could not be kept.
    pub async fn written(&self) -> Result<(), BoxedError> {
        let later = std::mem::take(&mut *lock(&self.0.later));
        for kept in later {
            kept.await?;
        }
        match lock(&self.0.broken).clone() {
            Some(why) => Err(BoxError::from(why).into()),
            None => Ok(()),
        }
    }

    fn add(
        &self,
        act: Act,
        intent: &str,
        detail: &str,
        data: &Tape,
    ) -> BoxFuture<'static, Result<(), BoxedError>> {
        self.line(|recorder| recorder.add(now_ms(), act, intent, detail, data))
    }

    /// Writes lines. They have their place once this returns, and are kept once its future is ready.
    fn line(&self, make: impl FnOnce(&mut Recorder) -> String) -> BoxFuture<'static, Result<(), BoxedError>> {
        let inner = &self.0;
        let mut recorder = lock(&inner.recorder);
        if let Some(why) = lock(&inner.broken).clone() {
            return Box::pin(std::future::ready(Err(BoxError::from(why).into())));
        }
        let lines = make(&mut recorder);
        if lines.is_empty() {
            return Box::pin(std::future::ready(Ok(())));
        }
        let head = recorder.head().map(|head| json::write(&head.to_tape())).unwrap_or_default();
        let kept = inner.store.append(lines, head + "\n");
        drop(recorder);
        let broken = Arc::clone(&inner.broken);
        Box::pin(async move {
            let kept = kept.await.inspect_err(|why| {
                lock(&broken).get_or_insert_with(|| why.to_string());
            });
            kept.map_err(BoxedError::from)
        })
    }

    /// The same for what follows a send, or precedes all: a failure stops the next trade.
    fn line_later(&self, make: impl FnOnce(&mut Recorder) -> String) {
        let kept = self.line(make);
        lock(&self.0.later).push(kept);
    }

    fn add_later(&self, act: Act, intent: &str, detail: &str, data: &Tape) {
        self.line_later(|recorder| recorder.add(now_ms(), act, intent, detail, data));
    }

    /// A client begins to work with the record. Whether its trades are judged as those of the clients before it.
    pub(super) fn start(&self, settings: &Tape) -> bool {
        let mut judged_by = String::new();
        let parts = ["gateway", "dialect", "limits"].map(|name| settings.root().get(name));
        parts.into_iter().flatten().for_each(|part| json::write_item(part, &mut judged_by));
        let is_alike = *self.0.judged_by.get_or_init(|| judged_by.clone()) == judged_by;
        if is_alike {
            self.add_later(Act::Start, "", "", settings);
        }
        is_alike
    }

    fn answered(&self, intent: &str, body: Option<Vec<u8>>) {
        if let Some(Heard { status, headers }) = lock(&self.0.unread).remove(intent) {
            self.line_later(|recorder| recorder.answer(now_ms(), intent, status, &headers, body));
        }
    }

    /// Records what the market says of a trade in doubt and, of one that its service has answered, what the answer did not say.
    pub(super) async fn market_evidence(
        &self,
        intent_id: &str,
        said: Option<IntentOutcome>,
        settled: &Settled,
    ) -> Result<(), BoxError> {
        let outcome = settled.outcome;
        if said.is_none_or(|said| outcome != IntentOutcome::Unknown && outcome != said) {
            let data = settled.to_tape().with_text_figures();
            self.add(Act::Evidence, intent_id, outcome.as_str(), &data).await?;
        }
        Ok(())
    }
}

/// A transport whose trades and answers are recorded.
pub struct Recorded<T> {
    transport: T,
    record: DeskRecord,
    /// Once the client is built.
    headers: Arc<OnceLock<OwnHeaders>>,
}

/// The headers of a client that a record must know.
pub(super) struct OwnHeaders {
    /// That of the intent id.
    pub(super) intent: String,
    pub(super) key: String,
}

impl<T> Recorded<T> {
    pub(super) fn new(transport: T, record: DeskRecord, headers: Arc<OnceLock<OwnHeaders>>) -> Recorded<T> {
        Recorded { transport, record, headers }
    }

    fn intent_in(&self, headers: &[(String, String)]) -> Option<String> {
        let OwnHeaders { intent, .. } = self.headers.get()?;
        headers.iter().find(|(name, _)| name.eq_ignore_ascii_case(intent)).map(|(_, id)| id.clone())
    }

    fn recorded<R: Incoming>(&self, reply: R, intent: Option<String>) -> RecordedReply<R> {
        if let Some(intent) = &intent {
            let Head { status, retry_after, is_simulated, intent_state } = reply.head();
            let simulated = is_simulated.then(|| "true".to_owned());
            let headers =
                [("intent-state", intent_state), ("retry-after", retry_after), ("x-simulated", simulated)];
            let headers =
                headers.into_iter().filter_map(|(name, value)| Some((name.to_owned(), value?))).collect();
            lock(&self.record.0.unread).insert(intent.clone(), Heard { status, headers });
        }
        RecordedReply { reply, record: self.record.clone(), intent, body: Vec::new() }
    }
}

/// The transport itself.
impl<T> Deref for Recorded<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.transport
    }
}

impl<T: Transport> Transport for Recorded<T> {
    type Reply = RecordedReply<T::Reply>;

    fn destination(&self) -> Destination {
        self.transport.destination()
    }

    async fn prepare(&self, post: &Post) -> Result<(), Lost> {
        let intent = self.intent_in(&post.headers).unwrap_or_default();
        let own = self.headers.get();
        let key_header = own.map_or("", |own| own.key.as_str());
        // The id of the trade is no secret.
        let is_intent = |name: &str| own.is_some_and(|own| own.intent.eq_ignore_ascii_case(name));
        let headers: Vec<_> = post.headers.iter().filter(|(name, _)| !is_intent(name)).cloned().collect();
        let url = format!("{}{}", self.destination().base_url, post.path);
        let sent = self.record.line(|recorder| {
            recorder.keep_headers_out(&headers, key_header);
            let data = object! { "url": url, "body": post.body };
            recorder.add(now_ms(), Act::Send, &intent, "", &data)
        });
        // The reason is not passed on: it may contain anything.
        sent.await.map_err(|_| Lost::Unsent("record_failed".to_owned()))?;
        let prepared = self.transport.prepare(&without_own_header(post.clone())).await;
        if prepared.is_err() {
            self.record.add_later(Act::Lost, &intent, "", &object! { "unsent": true });
        }
        prepared
    }

    fn cancel(&self, post: &Post) {
        self.transport.cancel(&without_own_header(post.clone()));
        let intent = self.intent_in(&post.headers).unwrap_or_default();
        self.record.add_later(Act::Lost, &intent, "", &object! { "unsent": true });
    }

    async fn send(&self, post: Post) -> Result<Self::Reply, Lost> {
        let intent = self.intent_in(&post.headers).unwrap_or_default();
        match self.transport.send(without_own_header(post)).await {
            Ok(reply) => Ok(self.recorded(reply, Some(intent))),
            Err(lost) => {
                let (is_unsent, why) = match &lost {
                    Lost::Unsent(why) | Lost::Unsupported(why) => (true, why.as_str()),
                    Lost::Broken(why) => (false, why.as_str()),
                    Lost::TooLarge(_) => (false, ""),
                };
                self.record.add_later(Act::Lost, &intent, why, &object! { "unsent": is_unsent });
                Err(lost)
            }
        }
    }

    async fn get(&self, get: Get) -> Result<Self::Reply, Lost> {
        let intent = self.intent_in(&get.headers);
        Ok(self.recorded(self.transport.get(get).await?, intent))
    }

    fn is_public(&self) -> bool {
        self.transport.is_public()
    }

    fn price(&self, operation: Operation, request: Item) -> Result<Option<PlanPrice>, TradeError> {
        self.transport.price(operation, request)
    }

    fn sleep(&self, ms: u32) -> impl Future<Output = ()> + MaybeSend {
        self.transport.sleep(ms)
    }

    fn now_ms(&self) -> u64 {
        self.transport.now_ms()
    }

    fn new_id(&self) -> String {
        self.transport.new_id()
    }
}

/// The request as it is sent.
fn without_own_header(mut post: Post) -> Post {
    post.headers.retain(|(name, _)| name != OWN_HEADER);
    post
}

/// A reply whose body is recorded once the client has read it.
pub struct RecordedReply<R> {
    reply: R,
    record: DeskRecord,
    intent: Option<String>,
    body: Vec<u8>,
}

impl<R: Incoming> Incoming for RecordedReply<R> {
    fn head(&self) -> Head {
        self.reply.head()
    }

    async fn chunk(&mut self) -> Result<Option<Vec<u8>>, Lost> {
        let piece = self.reply.chunk().await?;
        if let Some(intent) = &self.intent {
            match &piece {
                Some(piece) => self.body.extend_from_slice(piece),
                None => self.record.answered(intent, Some(std::mem::take(&mut self.body))),
            }
        }
        Ok(piece)
    }
}

/// How a trade ends that its journal has not begun, because it failed or nobody waits for it any more: it is not sent.
struct Unbegun<'a> {
    record: &'a DeskRecord,
    id: &'a str,
    end: Option<Settlement>,
}

impl Drop for Unbegun<'_> {
    fn drop(&mut self) {
        if let Some(end) = self.end.take() {
            self.record.add_later(Act::Settle, self.id, end.outcome.as_str(), &end.to_tape());
        }
    }
}

/// A journal that records what begins and how it ends.
pub(super) struct RecordedJournal {
    pub(super) journal: Box<dyn Journal>,
    pub(super) record: DeskRecord,
    /// What another program has said that the record has a line of.
    pub(super) last_mode: Mutex<Option<OutsideMode>>,
}

impl Journal for RecordedJournal {
    fn begin<'a>(&'a self, intent: &'a TradeIntent) -> BoxFuture<'a, Result<(), BoxError>> {
        let (id, operation) = (&intent.intent_id, intent.operation.as_str());
        let begun = self.record.add(Act::Begin, id, operation, &intent.to_tape().with_text_figures());
        let unbegun = Unbegun { record: &self.record, id, end: Some(IntentOutcome::NotSent.into()) };
        Box::pin(async move {
            let mut unbegun = unbegun;
            begun.await?;
            // What follows a trade must be kept before the next.
            self.record.written().await?;
            let begun = self.journal.begin(intent).await;
            let failed = Settlement { code: Some(Code::JournalFailed), ..IntentOutcome::NotSent.into() };
            unbegun.end = begun.is_err().then_some(failed);
            begun
        })
    }

    fn settle<'a>(
        &'a self,
        intent: &'a TradeIntent,
        settlement: Settlement,
        suspension: Suspension,
    ) -> BoxFuture<'a, Result<(), BoxError>> {
        let id = &intent.intent_id;
        // A client that has stopped reading has judged the answer by its head.
        self.record.answered(id, None);
        self.record.add_later(Act::Settle, id, settlement.outcome.as_str(), &settlement.to_tape());
        let settled = self.journal.settle(intent, settlement, suspension);
        Box::pin(async move {
            let settled = settled.await;
            // If it fails, the next trade does not begin, and `written` says why.
            let _ = self.record.written().await;
            settled
        })
    }

    fn keep_suspension(&self, change: Suspension) -> BoxFuture<'_, Result<(), BoxError>> {
        let mode = change.mode.map_or("", |mode| mode.as_str());
        self.record.add_later(Act::Suspend, "", mode, &change.to_tape());
        let kept = self.journal.keep_suspension(change);
        *lock(&self.last_mode) = None;
        kept
    }

    fn recall(&self, since_ms: u64) -> BoxFuture<'_, Result<Recalled, BoxError>> {
        self.journal.recall(since_ms)
    }

    fn outside_mode(&self) -> Option<OutsideMode> {
        let outside = self.journal.outside_mode();
        let mut last_mode = lock(&self.last_mode);
        if let Some(outside) = outside.as_ref().filter(|outside| last_mode.as_ref() != Some(*outside)) {
            let mode = outside.mode.as_str();
            self.record.add_later(Act::Suspend, "", mode, &object! { "mode": mode, "outside": true });
        }
        last_mode.clone_from(&outside);
        outside
    }
}
