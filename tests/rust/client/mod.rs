//! The client for Rust programs: it carries out the machine's steps, and reports truthfully what
//! happened.

mod block_on;
mod canary;
mod drift;
mod examples;
mod file_journal;
#[cfg(feature = "reqwest")]
mod http;
mod manage;
mod market;
mod plans;
mod position;
mod record;
mod scripts;
mod sending;
mod wallet_ids;
mod watch;

use std::collections::VecDeque;
use std::future::pending;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::SystemTime;

use launchpad_desk::intent::Settlement;
use launchpad_desk::prelude::*;
use launchpad_desk::tape::json;
use launchpad_desk::trade::flow::{Get, Head, Lost, Post};
use launchpad_desk::trade::guard::Suspension;
use launchpad_desk::trade::journal::{Recalled, TradeIntent};
use launchpad_desk::trade::plan::Destination;
use launchpad_desk::trade::reconcile::WalletBalances;
use launchpad_desk_client::{
    BoxError, BoxFuture, Client, Hooks, Incoming, Journal, MemoryJournal, Note, SandboxTransport, Seen,
    Transport,
};
use launchpad_desk_sandbox::{Sandbox, SandboxConfig};

pub use block_on::block_on;

pub const KEY: &str = "sk-canary-0123456789";
pub const LANDED: &str = r#"{"result":{"transactionResult":{"success":true}}}"#;
pub const UNPROVEN: &str = r#"{"result":{"transactionResult":{"success":false,"signature":"S","results":"was not confirmed in 30.00 seconds"}}}"#;
pub const FAILED: &str =
    r#"{"result":{"transactionResult":{"success":false,"results":"custom program error: 0x1772"}}}"#;

pub fn buy() -> BuyRequest {
    BuyRequest::new("mint", "wallet", 1_000)
}

/// What happened, in order.
pub type Said = Arc<Mutex<Vec<String>>>;

pub fn say(said: &Said, what: impl Into<String>) {
    said.lock().unwrap().push(what.into());
}

/// What a service does with one request.
#[derive(Clone, Debug)]
pub enum Does {
    Answers(u16, &'static str),
    /// The start of a reply, and then nothing.
    Begins(u16),
    /// A reply whose body is longer than is ever read.
    Floods(u16),
    /// A reply whose body goes on, and has nothing in it.
    Drips(u16),
    Fails(Lost),
    Hangs,
}

/// A service with a script; after it, every trade lands.
#[derive(Clone, Default)]
pub struct Script {
    pub posts: Arc<Mutex<Vec<Post>>>,
    pub script: Arc<Mutex<VecDeque<Does>>>,
    pub said: Said,
    pub base_url: &'static str,
    /// How far its clock is ahead.
    pub ahead_ms: Arc<AtomicU64>,
}

impl Script {
    pub fn of(script: &[Does]) -> Script {
        Script { script: Arc::new(Mutex::new(script.iter().cloned().collect())), ..Script::default() }
    }

    pub fn count(&self) -> usize {
        self.posts.lock().unwrap().len()
    }
}

pub struct Reply(u16, Option<Does>);

impl Transport for Script {
    type Reply = Reply;

    fn destination(&self) -> Destination {
        Destination { base_url: self.base_url.to_owned(), is_simulated: false }
    }

    fn now_ms(&self) -> u64 {
        let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap();
        since.as_millis() as u64 + self.ahead_ms.load(Ordering::Relaxed)
    }

    async fn send(&self, post: Post) -> Result<Reply, Lost> {
        say(&self.said, "send");
        self.posts.lock().unwrap().push(post);
        let does = self.script.lock().unwrap().pop_front().unwrap_or(Does::Answers(200, LANDED));
        match does {
            Does::Answers(status, _) | Does::Begins(status) | Does::Floods(status) | Does::Drips(status) => {
                Ok(Reply(status, Some(does)))
            }
            Does::Fails(lost) => Err(lost),
            Does::Hangs => pending().await,
        }
    }
}

pub fn answering(status: u16, body: &'static str) -> Reply {
    Reply(status, Some(Does::Answers(status, body)))
}

impl Incoming for Reply {
    fn head(&self) -> Head {
        Head { status: self.0, retry_after: Some("7".to_owned()), ..Head::default() }
    }

    async fn chunk(&mut self) -> Result<Option<Vec<u8>>, Lost> {
        match &self.1 {
            Some(Does::Answers(_, body)) => {
                let body = body.as_bytes().to_vec();
                self.1 = None;
                Ok(Some(body))
            }
            Some(Does::Floods(_)) => Ok(Some(vec![b' '; 1 << 16])),
            Some(Does::Drips(_)) => Ok(Some(Vec::new())),
            Some(_) => pending().await,
            None => Ok(None),
        }
    }
}

/// What a hook saw: one base unit in this wallet.
pub fn holds(wallet: &str) -> WalletBalances {
    WalletBalances { wallet: wallet.into(), tokens: Some(1), lamports: None, slot: None }
}

/// A sandbox of these settings, with the mint of its first token and its first wallet.
pub fn sandbox(settings: &str) -> (SandboxTransport, String, String) {
    let settings = json::parse(settings.as_bytes()).unwrap();
    let sandbox = Sandbox::new(SandboxConfig::read(settings.root()).unwrap()).unwrap();
    let (mint, wallet) = (sandbox.tokens()[0].mint.clone(), sandbox.wallets()[0].wallet.clone());
    (SandboxTransport::new(sandbox), mint, wallet)
}

/// Hooks that keep what a test wants of the notes.
pub struct Notes<T>(pub Arc<Mutex<Vec<T>>>, pub fn(&str, Note<'_>) -> Option<T>);

impl<T: Send + 'static> Hooks for Notes<T> {
    fn note(&self, intent_id: &str, note: Note<'_>) {
        self.0.lock().unwrap().extend((self.1)(intent_id, note));
    }
}

/// A journal that is also looked at from outside.
pub struct Shared(pub Arc<MemoryJournal>);

impl Journal for Shared {
    fn begin<'a>(&'a self, intent: &'a TradeIntent) -> BoxFuture<'a, Result<(), BoxError>> {
        self.0.begin(intent)
    }

    fn settle<'a>(
        &'a self,
        intent: &'a TradeIntent,
        settlement: Settlement,
        suspension: Suspension,
    ) -> BoxFuture<'a, Result<(), BoxError>> {
        self.0.settle(intent, settlement, suspension)
    }

    fn keep_suspension(&self, change: Suspension) -> BoxFuture<'_, Result<(), BoxError>> {
        self.0.keep_suspension(change)
    }

    fn recall(&self, since_ms: u64) -> BoxFuture<'_, Result<Recalled, BoxError>> {
        self.0.recall(since_ms)
    }
}

/// Hooks and a journal that record their calls, and fail or hang on request.
#[derive(Clone, Default)]
pub struct Witness {
    pub said: Said,
    pub fails: Option<&'static str>,
    pub hangs: Option<&'static str>,
    /// What it has from an earlier run.
    pub recalls: Vec<TradeIntent>,
}

impl Witness {
    async fn asked(&self, what: &'static str, detail: String) -> Result<(), BoxError> {
        say(&self.said, [what, &detail].concat());
        if self.hangs == Some(what) {
            pending::<()>().await;
        }
        if self.fails == Some(what) { Err(format!("{what} is out of order").into()) } else { Ok(()) }
    }
}

impl Journal for Witness {
    fn begin<'a>(&'a self, intent: &'a TradeIntent) -> BoxFuture<'a, Result<(), BoxError>> {
        Box::pin(self.asked("begin", format!(" {}", intent.intent_id)))
    }

    fn settle<'a>(
        &'a self,
        intent: &'a TradeIntent,
        settlement: Settlement,
        _change: Suspension,
    ) -> BoxFuture<'a, Result<(), BoxError>> {
        let through = if intent.through_gateway { " through a gateway" } else { "" };
        let what = format!(" {} {}{through}", intent.intent_id, settlement.outcome.as_str());
        Box::pin(self.asked("settle", what))
    }

    fn keep_suspension(&self, change: Suspension) -> BoxFuture<'_, Result<(), BoxError>> {
        Box::pin(self.asked("suspension", format!(" {:?}", change.mode)))
    }

    fn recall(&self, _since_ms: u64) -> BoxFuture<'_, Result<Recalled, BoxError>> {
        let recalled = Recalled { pending: self.recalls.clone(), ..Recalled::default() };
        Box::pin(async { self.asked("recall", String::new()).await.map(|()| recalled) })
    }
}

impl Hooks for Witness {
    fn before_send<'a>(&'a self, _intent: &'a TradeIntent) -> BoxFuture<'a, Result<Seen, BoxError>> {
        Box::pin(async { self.asked("before", String::new()).await.map(|()| None) })
    }

    fn after_settle<'a>(&'a self, _intent: &'a TradeIntent, settlement: Settlement) -> BoxFuture<'a, ()> {
        Box::pin(async move {
            let _ = self.asked("after", format!(" {}", settlement.outcome.as_str())).await;
        })
    }

    fn note(&self, _intent_id: &str, note: Note<'_>) {
        if !matches!(note, Note::Sending | Note::Ended(_)) {
            say(&self.said, format!("{note:?}"));
        }
    }
}

/// A client with a witness for its journal and its hooks, which also records the transport.
pub fn watched(script: &Script, witness: Witness) -> Client<Script> {
    let witness = Witness { said: script.said.clone(), ..witness };
    let builder = Client::builder(script.clone()).api_key(KEY).journal(witness.clone()).hooks(witness);
    builder.build().unwrap()
}

pub fn heard(script: &Script) -> Vec<String> {
    std::mem::take(&mut script.said.lock().unwrap())
}
