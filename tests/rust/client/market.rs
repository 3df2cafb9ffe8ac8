//! A client with a market, against the chain around a sandbox: plans with a price, balances before each trade, and how trades ended
//! whose answers were lost. What it calls landed, failed or did not land is what happened.

use std::future::{IntoFuture, pending, poll_fn, ready};
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll};
use std::time::Duration;

use super::{Notes, Shared, block_on};

use launchpad_desk::api::response::Status;
use launchpad_desk::evidence::Seen;
use launchpad_desk::intent::{IntentOutcome, IntentState};
use launchpad_desk::market::MarketRefusal;
use launchpad_desk::prelude::*;
use launchpad_desk::tape::json;
use launchpad_desk::trade::flow::{Head, Lost, Post};
use launchpad_desk::trade::guard::{Found, Settings};
use launchpad_desk::trade::journal::TradeIntent;
use launchpad_desk::trade::plan::Destination;
use launchpad_desk::trade::settle::UnknownReason;
use launchpad_desk_client::{
    BoxError, Client, ClientBuilder, Incoming, Market, MarketOptions, MemoryJournal, NodeError, Note,
    RpcMarket, SettledTrade, Transport,
};
use launchpad_desk_sandbox::local_chain::{ChainFaults, LocalChain};
use launchpad_desk_sandbox::row::TradeRow;
use launchpad_desk_sandbox::{HttpRequest, Sandbox, SandboxConfig};
use serde_json::Value;

const START_MS: u64 = 1_800_000_000_000;

/// What happens to the next trade.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fate {
    Answered,
    /// It is carried out, and its answer is lost.
    ReplyLost,
    /// It does not arrive, and nobody knows.
    RequestLost,
    /// It is carried out, and its answer says that it ended otherwise.
    Lied,
    /// It is not carried out, and its answer says that it landed by a transaction that nobody ever sees.
    Invented,
    /// It is carried out, and its answer only names the signature.
    Accepted,
    /// The same, and it is not carried out.
    Dropped,
}

/// A signature that no transaction has.
const NEVER: &str =
    "5VERv8NMvzbJMEkV8xnrLkEaWRtSz9CosKDYjCJjBRnbJLgp8uirBgmQpjKhoR4tjF3ZpRzrFmBV6UjKdiSZkQUW";

/// What a service says of a buy.
fn answer_of(mint: &str, wallet: &str, signature: &str, success: bool) -> Vec<u8> {
    let results = if success { "ok" } else { r#"{\"InstructionError\":[3,{\"Custom\":6002}]}"# };
    let amounts = if success { r#""buyAmount":5,"preTokenBalance":0,"postTokenBalance":5,"# } else { "" };
    format!(
        r#"{{"result":{{"mint":"{mint}","wallet":"{wallet}",{amounts}"transactionResult":{{"success":{success},"signature":"{signature}","results":"{results}"}}}}}}"#
    )
    .into_bytes()
}

/// A service that trades in a sandbox, the chain around it, and the time.
pub(super) struct World {
    pub(super) sandbox: Sandbox,
    pub(super) chain: LocalChain,
    pub(super) now_ms: u64,
    pub(super) fate: Fate,
    /// What the service calls wallets, and their addresses.
    pub(super) ids: Vec<(&'static str, String)>,
}

#[derive(Clone)]
pub(super) struct Desk(Arc<Mutex<World>>);

pub(super) struct Answer(u16, Option<Vec<u8>>);

impl Desk {
    pub(super) fn new(settings: &str, faults: ChainFaults) -> Desk {
        let settings = json::parse(settings.as_bytes()).unwrap();
        let sandbox = Sandbox::new(SandboxConfig::read(settings.root()).unwrap()).unwrap();
        let chain = LocalChain::of(&sandbox, faults, START_MS);
        let (now_ms, fate) = (START_MS + 60_000, Fate::Answered);
        Desk(Arc::new(Mutex::new(World { sandbox, chain, now_ms, fate, ids: Vec::new() })))
    }

    pub(super) fn with<T>(&self, work: impl FnOnce(&mut World) -> T) -> T {
        work(&mut self.0.lock().unwrap())
    }

    pub(super) fn wait(&self, ms: u64) {
        self.with(|world| world.now_ms += ms);
    }

    pub(super) fn last_trade(&self) -> Option<TradeRow> {
        self.with(|world| world.sandbox.trades().last().cloned())
    }

    fn client(&self, journal: Option<&Arc<MemoryJournal>>, wallets_shared: bool) -> Client<Desk> {
        self.client_with(journal, MarketOptions { wallets_shared, ..own_wallets() }).build().unwrap()
    }

    pub(super) fn client_with(
        &self,
        journal: Option<&Arc<MemoryJournal>>,
        options: MarketOptions,
    ) -> ClientBuilder<Desk> {
        let guards = Settings { breaker_unknowns: 99, ..Settings::default() };
        let mut builder = Client::builder(self.clone()).market(self.market(options)).guards(guards);
        if let Some(journal) = journal {
            builder = builder.journal(Shared(journal.clone()));
        }
        builder
    }

    fn market(&self, options: MarketOptions) -> impl Market + use<> {
        let (node, clock) = (self.clone(), self.clone());
        let post = move |body: String| {
            let reply = node.with(|world| {
                world.now_ms += 1;
                world.chain.answer(body.as_bytes(), world.now_ms)
            });
            let reply: Result<Vec<u8>, BoxError> =
                if reply.status == 200 { Ok(reply.body) } else { Err("too many requests".into()) };
            ready(reply)
        };
        RpcMarket::new(post, options).clock(move || clock.with(|world| world.now_ms))
    }

    pub(super) fn names(&self) -> (String, Vec<String>) {
        self.with(|world| {
            let wallets = world.sandbox.wallets();
            let names = wallets.iter().map(|own| own.wallet.clone()).collect();
            (world.sandbox.tokens()[0].mint.clone(), names)
        })
    }
}

impl Transport for Desk {
    type Reply = Answer;

    fn destination(&self) -> Destination {
        Destination { base_url: "https://service.example".to_owned(), is_simulated: false }
    }

    async fn send(&self, post: Post) -> Result<Answer, Lost> {
        let lost = Lost::Broken("ECONNRESET".to_owned());
        self.with(|world| {
            if world.fate == Fate::RequestLost {
                return Err(lost);
            }
            let ids = world.ids.clone();
            let body = ids.iter().fold(post.body, |body, (id, address)| body.replace(id, address));
            let (path, headers, now_ms) = (post.path, &post.headers, world.now_ms);
            let request = HttpRequest { method: "POST", path, headers, body: body.as_bytes(), now_ms };
            if world.fate == Fate::Invented {
                let body: Value = serde_json::from_str(&body).unwrap();
                let [mint, wallet] = ["mint", "fromWallet"].map(|name| body[name].as_str().unwrap());
                return Ok(Answer(200, Some(answer_of(mint, wallet, NEVER, true))));
            }
            let accepted = |signature: &str| {
                let body = format!(r#"{{"result":{{"signature":"{signature}"}}}}"#);
                Ok(Answer(202, Some(body.into_bytes())))
            };
            if world.fate == Fate::Dropped {
                return accepted(NEVER);
            }
            let answer = world.sandbox.answer(&request);
            world.chain.follow(&answer.changes, world.now_ms);
            world.sandbox.take(&answer.changes);
            match world.fate {
                Fate::Answered => {
                    let said = String::from_utf8(answer.reply.body).unwrap();
                    let said = ids.iter().fold(said, |said, (id, address)| said.replace(address, id));
                    Ok(Answer(answer.reply.status, Some(said.into_bytes())))
                }
                Fate::Accepted => accepted(&world.sandbox.trades().last().unwrap().signature),
                Fate::Lied => {
                    let trade = world.sandbox.trades().last().unwrap();
                    let (wallet, signature) = (&trade.legs[0].wallet, &trade.signature);
                    Ok(Answer(200, Some(answer_of(&trade.mint, wallet, signature, !trade.success))))
                }
                _ => Err(lost),
            }
        })
    }

    /// Nothing is late, and whoever polls lets time pass.
    async fn sleep(&self, ms: u32) {
        match ms {
            250 | 500 | 2_000 => {
                self.wait(ms.into());
                // Whoever polls it sees the time.
                let mut has_waited = false;
                poll_fn(|context| ready_if(std::mem::replace(&mut has_waited, true), context)).await;
            }
            _ => pending().await,
        }
    }

    fn now_ms(&self) -> u64 {
        self.with(|world| world.now_ms)
    }
}

impl Incoming for Answer {
    fn head(&self) -> Head {
        Head { status: self.0, ..Head::default() }
    }

    async fn chunk(&mut self) -> Result<Option<Vec<u8>>, Lost> {
        Ok(self.1.take())
    }
}

/// For wallets that nobody else uses, at a service that holds a trade back for ten seconds at most.
pub(super) fn own_wallets() -> MarketOptions {
    let service_holds = Some(Duration::from_secs(10));
    MarketOptions { wallets_shared: false, service_holds, ..MarketOptions::default() }
}

/// Polled again at once until it is ready.
pub(super) fn ready_if(is_ready: bool, context: &mut Context<'_>) -> Poll<()> {
    if is_ready {
        return Poll::Ready(());
    }
    context.waker().wake_by_ref();
    Poll::Pending
}

pub(super) fn run<F: IntoFuture>(work: F) -> F::Output {
    block_on(work.into_future())
}

fn ends(settled: &[SettledTrade]) -> Vec<(&str, IntentOutcome, Option<UnknownReason>)> {
    settled.iter().map(|own| (own.intent_id.as_str(), own.settled.outcome, own.settled.reason)).collect()
}

#[test]
fn a_plan_is_priced_by_the_market_with_its_slot() {
    let desk = Desk::new("{}", ChainFaults::default());
    let (mint, wallets) = desk.names();
    let client = desk.client(None, false);
    let buy = || BuyRequest::new(&mint, &wallets[0], 50_000_000);
    let plan = run(client.buy(buy()).plan()).unwrap();
    let price = plan.price.as_ref().unwrap().data();
    assert!(price.get("slot").is_some() && price.get("atMs").is_some(), "{}", plan.to_json());
    assert_eq!(run(client.send(&plan)).unwrap().trade.status, Status::Landed);

    let refuse_methods = vec!["getMultipleAccounts".into()];
    let silent = Desk::new("{}", ChainFaults { refuse_methods, ..ChainFaults::default() });
    let client = silent.client(None, false);
    let error = run(client.buy(buy()).plan()).unwrap_err();
    let told = (error.code, error.to_string());
    assert_eq!(told, (Code::HookFailed, "not sent: the market gave no price".to_owned()));
    // A trade is made all the same.
    assert!(run(client.buy(buy())).is_ok());
}

#[test]
fn a_node_that_hangs_holds_up_one_trade_and_one_that_lags_is_asked_again() {
    let desk = Desk::new("{}", ChainFaults::default());
    let (mint, wallets) = desk.names();
    let asked = Arc::new(AtomicU32::new(0));
    let counted = asked.clone();
    let hangs = move |_body: String| {
        counted.fetch_add(1, Ordering::Relaxed);
        pending::<Result<Vec<u8>, BoxError>>()
    };
    let journal = Arc::new(MemoryJournal::default());
    let builder = desk.client_with(Some(&journal), MarketOptions::default());
    let client = builder.market(RpcMarket::new(hangs, MarketOptions::default())).build().unwrap();
    let sell = || run(client.buy(BuyRequest::new(&mint, &wallets[0], 1_000_000)));
    let begun = desk.now_ms();
    assert_eq!(sell().unwrap().trade.status, Status::Landed);
    assert_eq!(desk.now_ms() - begun, 2_000);
    assert_eq!(sell().unwrap().trade.status, Status::Landed);
    assert_eq!((desk.now_ms() - begun, asked.load(Ordering::Relaxed)), (2_000, 1), "it is left alone");
    desk.wait(28_000);
    assert!(sell().is_ok());
    assert_eq!(asked.load(Ordering::Relaxed), 1);
    desk.wait(2_000);
    assert!(sell().is_ok());
    assert_eq!(asked.load(Ordering::Relaxed), 2);
    // A clock that is set back does not make it rest longer.
    desk.with(|world| world.now_ms -= 3_600_000);
    assert!(sell().is_ok());
    assert_eq!(asked.load(Ordering::Relaxed), 3);

    // Every second answer is of an older slot than the one before.
    let faults = ChainFaults { jump_back_every: Some(2), jump_back_slots: 9, ..ChainFaults::default() };
    let desk = Desk::new("{}", faults);
    let client = desk.client(None, false);
    for id in ["one", "two", "three"] {
        desk.with(|world| world.fate = Fate::ReplyLost);
        run(client.buy(BuyRequest::new(&mint, &wallets[0], 1_000_000)).intent_id(id)).unwrap_err();
        desk.wait(1_000);
    }
    assert!(run(client.pending()).unwrap().iter().all(|own| own.trade.before.is_some()));

    // A function that hangs is a source without a reply.
    let options = MarketOptions { timeout: Duration::from_millis(20), ..MarketOptions::default() };
    let silent = RpcMarket::new(|_body: String| pending::<Result<Vec<u8>, BoxError>>(), options);
    let why = run(silent.look(&mint.parse().unwrap(), &[])).unwrap_err();
    assert_eq!(why.to_string(), "The source gave no reply.");
}

#[test]
fn a_limit_on_the_impact_and_a_market_work_in_one_call() {
    let desk = Desk::new("{}", ChainFaults::default());
    let (mint, wallets) = desk.names();
    let buy = |lamports| BuyRequest::new(&mint, &wallets[0], lamports);
    let limits = || Settings { max_impact_bps: Some(100), ..Settings::default() };
    let client = desk.client_with(None, MarketOptions::default()).guards(limits()).build().unwrap();
    assert_eq!(run(client.buy(buy(1_000_000))).unwrap().trade.status, Status::Landed);
    // A price from before it decides nothing.
    desk.wait(5_000);
    assert_eq!(run(client.buy(buy(50_000_000_000))).unwrap_err().code, Code::OverImpactLimit);
    let blind = Client::builder(desk.clone()).guards(limits()).build().unwrap();
    assert_eq!(run(blind.buy(buy(1_000_000))).unwrap_err().code, Code::NoPrice);
    let hangs = |_body: String| pending::<Result<Vec<u8>, BoxError>>();
    let hanging = desk.client_with(None, MarketOptions::default()).guards(limits());
    let hanging = hanging.market(RpcMarket::new(hangs, MarketOptions::default())).build().unwrap();
    let late = run(hanging.buy(buy(1_000_000)).timeout(Duration::from_millis(2_000))).unwrap_err();
    assert_eq!(late.code, Code::TimeoutBeforeSend);
}

#[test]
fn unknown_trades_are_settled_as_landed_failed_not_landed_or_unknown() {
    // Of the newest version, which a node refuses to who does not ask for it.
    let desk = Desk::new("{}", ChainFaults { transaction_version: Some(1), ..ChainFaults::default() });
    let (mint, wallets) = desk.names();
    let client = desk.client(None, false);
    let buy = |id: &str, wallet: usize, lamports: u64, fate: Fate| {
        desk.with(|world| world.fate = fate);
        let buy = BuyRequest::new(&mint, &wallets[wallet], lamports);
        assert_eq!(run(client.buy(buy).intent_id(id)).unwrap_err().outcome, Outcome::Unknown);
    };
    buy("landed", 0, 1_000_000_000, Fate::ReplyLost);
    let landed = desk.last_trade().unwrap();
    buy("failed", 1, 900_000_000_000_000, Fate::ReplyLost);
    let failed = desk.last_trade().unwrap();
    buy("never", 2, 1_000_000_000, Fate::RequestLost);
    // Nothing is final yet.
    assert!(run(client.settle()).unwrap().iter().all(|own| own.settled.outcome == IntentOutcome::Unknown));
    assert_eq!(run(client.pending()).unwrap().len(), 3);
    desk.wait(20_000);
    let first = run(client.settle()).unwrap();
    let alive = (IntentOutcome::Unknown, Some(UnknownReason::Alive));
    let due =
        [("landed", IntentOutcome::Landed, None), ("failed", alive.0, alive.1), ("never", alive.0, alive.1)];
    assert_eq!(ends(&first), due);
    assert_eq!(first[0].settled.signature.as_ref(), Some(&landed.signature));
    let finding = &first[0].settled.reconciled.findings[0];
    assert_eq!(finding.tokens_moved, Some(i128::from(landed.legs[0].tokens)));

    let begun = desk.now_ms();
    let rest = run(client.settle_within(Duration::from_secs(600))).unwrap();
    let due = [("failed", IntentOutcome::Failed, None), ("never", IntentOutcome::DidNotLand, None)];
    assert_eq!(ends(&rest), due);
    assert_eq!(rest[0].settled.signature.as_ref(), Some(&failed.signature));
    assert_eq!(rest[0].settled.fee_lamports, Some(failed.network_fee_lamports));
    let waited = desk.now_ms() - begun;
    assert!((60_000..200_000).contains(&waited), "{waited} ms until no blockhash was alive");
    assert!(run(client.pending()).unwrap().is_empty());
    // What landed is used up, and what did not may be sent again.
    desk.with(|world| world.fate = Fate::Answered);
    let again = |id: &str| run(client.buy(BuyRequest::new(&mint, &wallets[2], 1_000_000)).intent_id(id));
    assert_eq!(again("landed").unwrap_err().code, Code::IntentLanded);
    assert!(again("never").is_ok());

    // For wallets that others use, too, no transaction is proven to be a certain trade.
    let shared = desk.client(None, true);
    desk.with(|world| world.fate = Fate::ReplyLost);
    run(shared.buy(BuyRequest::new(&mint, &wallets[0], 1_000_000)).intent_id("shared")).unwrap_err();
    desk.wait(20_000);
    let open = run(shared.settle_within(Duration::from_secs(600))).unwrap();
    assert_eq!(ends(&open), [("shared", IntentOutcome::Unknown, Some(UnknownReason::SharedWallets))]);
    assert!(desk.now_ms() - begun < 300_000, "waiting would not help");
}

#[test]
fn unknown_trades_are_settled_without_a_call_and_not_before_their_time() {
    let desk = Desk::new("{}", ChainFaults::default());
    let (mint, wallets) = desk.names();
    let told = Arc::new(Mutex::new(Vec::new()));
    let hooks = Notes(told.clone(), settlement);
    let client = desk.client_with(None, own_wallets()).hooks(hooks).build().unwrap();
    for (wallet, id, fate) in [(0, "landed", Fate::ReplyLost), (1, "never", Fate::RequestLost)] {
        desk.with(|world| world.fate = fate);
        run(client.buy(BuyRequest::new(&mint, &wallets[wallet], 1_000_000)).intent_id(id)).unwrap_err();
    }
    let begun = desk.now_ms();
    // It has no end of its own: here it ends once nothing is left.
    let asks = client.settle_after(Duration::from_secs(90));
    let mut asks = std::pin::pin!(asks);
    let mut first_ms = None;
    run(poll_fn(|context| {
        assert!(asks.as_mut().poll(context).is_pending());
        if !lock(&told).is_empty() {
            first_ms.get_or_insert(desk.now_ms());
        }
        ready_if(client.guards().state(0).unresolved.is_empty(), context)
    }));
    assert!(first_ms.unwrap() - begun >= 90_000);
    assert!(desk.now_ms() - begun < 600_000, "{}", desk.now_ms() - begun);
    let mut told = lock(&told).clone();
    told.sort();
    assert_eq!(told, [("landed".to_owned(), "landed"), ("never".to_owned(), "did_not_land")]);
    let blind = Client::builder(desk.clone()).build().unwrap();
    assert!(run(blind.settle_after(Duration::from_secs(1))).unwrap_err().has_no_market());
}

#[test]
fn a_trade_that_is_sent_again_once_it_was_settled_is_settled_again() {
    let desk = Desk::new("{}", ChainFaults::default());
    let (mint, wallets) = desk.names();
    let told = Arc::new(Mutex::new(Vec::new()));
    let client =
        desk.client_with(None, own_wallets()).hooks(Notes(told.clone(), settlement)).build().unwrap();
    desk.with(|world| world.fate = Fate::RequestLost);
    let loses = || {
        run(client.buy(BuyRequest::new(&mint, &wallets[0], 1_000_000)).intent_id("a")).unwrap_err();
    };
    loses();
    let mut asks = Box::pin(client.settle_after(Duration::from_secs(90)));
    let (begun, mut is_again) = (desk.now_ms(), false);
    run(poll_fn(|context| {
        assert!(asks.as_mut().poll(context).is_pending());
        if !lock(&told).is_empty() && !std::mem::replace(&mut is_again, true) {
            loses();
        }
        ready_if(lock(&told).len() == 2 || desk.now_ms() - begun > 600_000, context)
    }));
    assert_eq!(*lock(&told), vec![("a".to_owned(), "did_not_land"); 2]);
}

fn settlement(intent_id: &str, note: Note<'_>) -> Option<(String, &'static str)> {
    match note {
        Note::Settled(settled) => Some((intent_id.to_owned(), settled.outcome.as_str())),
        _ => None,
    }
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap()
}

#[test]
fn a_node_that_allows_fewer_accounts_a_call_is_named_and_so_is_one_that_refuses() {
    let mint = Desk::new("{}", ChainFaults::default()).names().0.parse().unwrap();
    let refuses = |status: u16| {
        let refusal = move |_| ready(Err(NodeError::of_reply(status, b"too many accounts".to_vec()).into()));
        run(RpcMarket::new(refusal, MarketOptions::default()).look(&mint, &[])).unwrap_err()
    };
    let named = "the node allows fewer accounts a call than the 4 that were asked for: HTTP status 413";
    assert_eq!(refuses(413).to_string(), named);
    assert_eq!(refuses(429).downcast_ref().map(NodeError::code), Some(MarketRefusal::NodeRefused));
}

#[test]
fn of_a_trade_that_went_to_a_gateway_only_that_it_landed_is_proven() {
    let desk = Desk::new("{}", ChainFaults::default());
    let (mint, wallets) = desk.names();
    let client = desk.client(None, false);
    let fates = [("landed", Fate::ReplyLost), ("never", Fate::RequestLost)];
    for (wallet, (id, fate)) in fates.into_iter().enumerate() {
        desk.with(|world| world.fate = fate);
        run(client.buy(BuyRequest::new(&mint, &wallets[wallet], 1_000_000)).intent_id(id)).unwrap_err();
    }
    desk.wait(600_000);
    let market = desk.market(own_wallets());
    let pending: Vec<TradeIntent> = run(client.pending()).unwrap().into_iter().map(|own| own.trade).collect();
    let ended = |through_gateway: bool| -> Vec<_> {
        let settle = |trade: &TradeIntent| {
            let trade = TradeIntent { through_gateway, ..trade.clone() };
            let settled = run(market.settle_trade(&trade, Some(Vec::new()), &|| true)).unwrap();
            (settled.outcome, settled.reason)
        };
        pending.iter().map(settle).collect()
    };
    assert_eq!(ended(false), [(IntentOutcome::Landed, None), (IntentOutcome::DidNotLand, None)]);
    // A person may still approve it there.
    let open = (IntentOutcome::Unknown, Some(UnknownReason::NoExpiry));
    assert_eq!(ended(true), [(IntentOutcome::Landed, None), open]);
}

#[test]
fn of_a_node_that_lags_it_is_the_reason_that_it_lags_whatever_accounts_it_lacks() {
    let desk = Desk::new("{}", ChainFaults::default());
    desk.wait(60_000);
    let (mint, _) = desk.names();
    let lags = Arc::new(AtomicBool::new(false));
    let (node, late, clock) = (desk.clone(), lags.clone(), desk.clone());
    let post = move |body: String| {
        let count = body.split('[').nth(2).unwrap_or_default().split(',').count().saturating_sub(1);
        let none = vec!["null"; count].join(",");
        let old =
            format!(r#"{{"jsonrpc":"2.0","id":1,"result":{{"context":{{"slot":1}},"value":[{none}]}}}}"#);
        let now = || node.with(|world| world.chain.answer(body.as_bytes(), world.now_ms)).body;
        ready(Ok::<_, BoxError>(if late.load(Ordering::Relaxed) { old.into_bytes() } else { now() }))
    };
    let market =
        RpcMarket::new(post, MarketOptions::default()).clock(move || clock.with(|world| world.now_ms));
    let mint = mint.parse().unwrap();
    run(market.look(&mint, &[])).unwrap();
    lags.store(true, Ordering::Relaxed);
    let why = run(market.look(&mint, &[])).unwrap_err();
    assert_eq!(why.downcast_ref(), Some(&MarketRefusal::WentBack), "{why}");
}

/// What was told of the service's words: the trade, what the service had said, and what the chain shows.
fn contradiction(intent_id: &str, note: Note<'_>) -> Option<(String, IntentOutcome, IntentOutcome)> {
    match note {
        Note::Contradicted { said, settled } => Some((intent_id.to_owned(), said, settled.outcome)),
        _ => None,
    }
}

#[test]
fn what_the_chain_contradicts_is_corrected_everywhere_and_told() {
    use IntentOutcome::{DidNotLand, Failed, Landed};
    const SOL: u64 = 1_000_000_000;
    let lies = [
        ("landed, and it failed", Fate::Lied, 900_000 * SOL, Landed, Failed),
        ("landed, and it never reached the chain", Fate::Invented, SOL, Landed, DidNotLand),
        ("failed, and it landed", Fate::Lied, SOL, Failed, Landed),
    ];
    for (name, fate, lamports, said, is) in lies {
        let desk = Desk::new("{}", ChainFaults::default());
        let (mint, wallets) = desk.names();
        let (journal, told) = (Arc::new(MemoryJournal::default()), Arc::new(Mutex::new(Vec::new())));
        let options = MarketOptions { wallets_shared: true, ..own_wallets() };
        let hooks = Notes(told.clone(), contradiction);
        let client = desk.client_with(Some(&journal), options.clone()).hooks(hooks);
        let client = client.build().unwrap();
        desk.with(|world| world.fate = fate);
        let made = run(client.buy(BuyRequest::new(&mint, &wallets[0], lamports)).intent_id("lie"));
        let made = made.map(|traded| traded.trade).map_err(|error| error.error);
        assert_eq!(IntentOutcome::of(&made), said, "{name}");
        let counted = run(client.ended_trade("lie")).unwrap().unwrap().intent.counted.unwrap();
        let spent = |outcome| match outcome {
            Landed => counted.lamports,
            Failed => counted.fees,
            _ => 0,
        };
        let today = |client: &Client<Desk>| client.guards().state(desk.now_ms()).lamports_today;
        assert_eq!(today(&client), spent(said), "{name}");
        assert!(run(client.settle()).unwrap().is_empty(), "{name}: nothing is final yet");
        desk.wait(240_000);
        let settled = run(client.settle()).unwrap();
        let [SettledTrade { settled, contradicts, .. }] = &settled[..] else { panic!("{name}: {settled:?}") };
        assert_eq!((settled.outcome, *contradicts), (is, Some(said)), "{name}");
        assert_eq!(*lock(&told), [("lie".to_owned(), said, is)], "{name}");
        assert!(run(client.settle()).unwrap().is_empty(), "{name}: once");
        let restarted = desk.client_with(Some(&journal), options).build().unwrap();
        run(restarted.pending()).unwrap();
        for client in [&client, &restarted] {
            assert_eq!(today(client), spent(is), "{name}");
            let state = if is == Landed { IntentState::Ended } else { IntentState::NotRecorded };
            assert_eq!(run(client.intent_state("lie")).unwrap(), Some(state), "{name}");
        }
        let ended = run(restarted.ended_trade("lie")).unwrap().unwrap();
        assert_eq!((ended.outcome, ended.proven), (is, true), "{name}");
    }
}

#[test]
fn what_was_only_accepted_is_pending_and_named_until_the_chain_shows_or_denies_it() {
    for (fate, is) in [(Fate::Accepted, IntentOutcome::Landed), (Fate::Dropped, IntentOutcome::DidNotLand)] {
        let desk = Desk::new("{}", ChainFaults::default());
        let (mint, wallets) = desk.names();
        let journal = Arc::new(MemoryJournal::default());
        let client = || desk.client(Some(&journal), false);
        desk.with(|world| world.fate = fate);
        let first = client();
        let buy = first.buy(BuyRequest::new(&mint, &wallets[0], 1_000_000)).intent_id("taken");
        assert_eq!(run(buy).unwrap().trade.status, Status::Unconfirmed);
        for client in [&first, &client()] {
            let pending = run(client.pending()).unwrap();
            assert!(pending.len() == 1 && pending[0].trade.named_signature.is_some(), "{pending:?}");
            assert!(!run(client.acknowledge("taken", Found::DidNotLand)).unwrap(), "only the chain ends it");
            assert_eq!(client.guards().state(desk.now_ms()).unresolved.len(), 0);
        }
        let alive = run(first.settle()).unwrap();
        assert_eq!(ends(&alive), [("taken", IntentOutcome::Unknown, Some(UnknownReason::Alive))]);
        let silent = RpcMarket::new(|_| ready(Err("offline".into())), MarketOptions::default());
        let silent = desk.client_with(Some(&journal), own_wallets()).market(silent).build().unwrap();
        let unanswered = run(silent.settle()).unwrap();
        assert_eq!(ends(&unanswered), [("taken", IntentOutcome::Unknown, Some(UnknownReason::Unanswered))]);
        desk.wait(240_000);
        let restarted = client();
        assert_eq!(ends(&run(restarted.settle()).unwrap()), [("taken", is, None)], "{fate:?}");
        assert!(run(restarted.pending()).unwrap().is_empty() && run(client().pending()).unwrap().is_empty());
    }
}

#[test]
fn what_a_gateway_only_accepted_stays_open_whatever_a_journal_has_kept_of_it() {
    let desk = Desk::new("{}", ChainFaults::default());
    let (mint, wallets) = desk.names();
    let journal = Arc::new(MemoryJournal::default());
    desk.with(|world| world.fate = Fate::Dropped);
    let direct = desk.client(Some(&journal), false);
    run(direct.buy(BuyRequest::new(&mint, &wallets[0], 1_000_000)).intent_id("taken")).unwrap();
    let gateway = desk.client_with(Some(&journal), own_wallets()).gateway().build().unwrap();
    desk.wait(240_000);
    assert!(run(gateway.pending()).unwrap()[0].trade.through_gateway);
    let settled = run(gateway.settle()).unwrap();
    assert_eq!(ends(&settled), [("taken", IntentOutcome::Unknown, Some(UnknownReason::NoExpiry))]);
}

#[test]
fn answers_are_looked_up_without_a_call_and_one_that_is_true_is_proven_quietly() {
    let desk = Desk::new("{}", ChainFaults { lag_slots: 100, ..ChainFaults::default() });
    let (mint, wallets) = desk.names();
    let told = Arc::new(Mutex::new(Vec::new()));
    let options = MarketOptions::default();
    let hooks = Notes(told.clone(), contradiction);
    let client = desk.client_with(None, options).hooks(hooks).build().unwrap();
    run(client.buy(BuyRequest::new(&mint, &wallets[0], 1_000_000)).intent_id("true")).unwrap();
    desk.with(|world| world.fate = Fate::Lied);
    run(client.buy(BuyRequest::new(&mint, &wallets[1], 900_000_000_000_000)).intent_id("lie")).unwrap();
    let mut asks = Box::pin(client.settle_after(Duration::from_secs(90)));
    run(poll_fn(|context| {
        assert!(asks.as_mut().poll(context).is_pending());
        ready_if(client.guards().answered_next_ms(desk.now_ms()).is_none(), context)
    }));
    assert_eq!(*lock(&told), [("lie".to_owned(), IntentOutcome::Landed, IntentOutcome::Failed)]);
    let ended = run(client.ended_trade("true")).unwrap().unwrap();
    assert_eq!((ended.outcome, ended.proven), (IntentOutcome::Landed, true));
}

#[test]
fn a_services_answer_is_checked_on_the_chain() {
    let desk = Desk::new("{}", ChainFaults::default());
    let (mint, wallets) = desk.names();
    let client = desk.client(None, false);
    let traded = run(client.buy(BuyRequest::new(&mint, &wallets[0], 1_000_000_000))).unwrap();
    assert_eq!(run(client.confirm(&traded.trade)).unwrap(), Seen::NotSeen, "not final yet");
    desk.wait(20_000);
    assert_eq!(run(client.confirm(&traded.trade)).unwrap(), Seen::Finalized);
    let failed = run(client.buy(BuyRequest::new(&mint, &wallets[0], 900_000_000_000_000))).unwrap_err();
    desk.wait(20_000);
    assert_eq!(run(client.confirm(failed.trade.as_ref().unwrap())).unwrap(), Seen::Failed);
    let blind = Client::new(desk.clone());
    assert!(run(blind.settle()).unwrap_err().has_no_market());
    assert!(run(blind.confirm(&traded.trade)).unwrap_err().has_no_market());
}
