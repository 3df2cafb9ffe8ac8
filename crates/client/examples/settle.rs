//! A trade whose answer is lost, and what the chain proves of it: `cargo run --example settle`.
//!
//! The service is a sandbox and the node is the chain around it, so that this needs no key and no network. A live bot has a
//! `ReqwestTransport` and posts the bodies to a node of the network.

use std::error::Error;
use std::future::{pending, ready};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use launchpad_desk::prelude::*;
use launchpad_desk_client::{
    BoxError, Client, Destination, Head, Incoming, Lost, MarketOptions, Post, RpcMarket, Transport,
};
use launchpad_desk_sandbox::local_chain::{ChainFaults, LocalChain};
use launchpad_desk_sandbox::{HttpRequest, Sandbox, SandboxConfig};

/// A service, a node and a clock that runs as fast as it is asked to.
#[derive(Clone)]
struct World(Arc<Mutex<(Sandbox, LocalChain, u64)>>);

impl World {
    fn new() -> Result<World, Box<dyn Error>> {
        let sandbox = Sandbox::new(SandboxConfig::default()).map_err(|_| "the settings are wrong")?;
        let chain = LocalChain::of(&sandbox, ChainFaults::default(), 1_800_000_000_000);
        Ok(World(Arc::new(Mutex::new((sandbox, chain, 1_800_000_060_000)))))
    }

    fn with<R>(&self, work: impl FnOnce(&mut Sandbox, &mut LocalChain, &mut u64) -> R) -> R {
        let (sandbox, chain, now_ms) = &mut *self.0.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        work(sandbox, chain, now_ms)
    }
}

/// The service carries a trade out, and then the connection breaks.
impl Transport for World {
    type Reply = NoReply;

    fn destination(&self) -> Destination {
        Destination { base_url: "https://service.example".to_owned(), is_simulated: false }
    }

    async fn send(&self, post: Post) -> Result<NoReply, Lost> {
        self.with(|sandbox, chain, now_ms| {
            let (path, headers, body) = (post.path, &post.headers[..], post.body.as_bytes());
            let answer =
                sandbox.answer(&HttpRequest { method: "POST", path, headers, body, now_ms: *now_ms });
            chain.follow(&answer.changes, *now_ms);
            sandbox.take(&answer.changes);
        });
        Err(Lost::Broken("ECONNRESET".to_owned()))
    }

    /// Two seconds, between two questions, pass at once; a trade's deadline never comes.
    async fn sleep(&self, ms: u32) {
        match ms {
            2_000 => self.with(|_, _, now_ms| *now_ms += 2_000),
            _ => pending().await,
        }
    }

    fn now_ms(&self) -> u64 {
        self.with(|_, _, now_ms| *now_ms)
    }
}

struct NoReply;

impl Incoming for NoReply {
    fn head(&self) -> Head {
        Head::default()
    }

    async fn chunk(&mut self) -> Result<Option<Vec<u8>>, Lost> {
        Ok(None)
    }
}

async fn trade(world: World) -> Result<(), Box<dyn Error>> {
    let (node, clock) = (world.clone(), world.clone());
    let post = move |body: String| {
        let reply = node.with(|_, chain, now_ms| chain.answer(body.as_bytes(), *now_ms));
        ready(Ok::<_, BoxError>(reply.body))
    };
    // Nobody else signs for these wallets, and the service takes its blockhash within ten seconds.
    let options = MarketOptions {
        wallets_shared: false,
        service_holds: Some(Duration::from_secs(10)),
        ..Default::default()
    };
    let market = RpcMarket::new(post, options).clock(move || clock.now_ms());
    let client = Client::builder(world.clone()).market(market).build()?;

    let (mint, wallet) =
        world.with(|sandbox, _, _| (sandbox.tokens()[0].mint.clone(), sandbox.wallets()[0].wallet.clone()));
    let bought = client.buy(BuyRequest::new(mint, wallet, 100_000_000)).intent_id("buy-1").await;
    println!("buy-1: {}", bought.err().ok_or("it was answered")?);
    for trade in client.settle_within(Duration::from_secs(180)).await? {
        let tokens = trade.settled.reconciled.findings.first().and_then(|finding| finding.tokens_moved);
        println!(
            "{}: {}, {} base units",
            trade.intent_id,
            trade.settled.outcome.as_str(),
            tokens.unwrap_or(0)
        );
    }
    println!("unresolved: {}", client.pending().await?.len());
    Ok(())
}

#[cfg(not(target_arch = "wasm32"))]
fn main() -> Result<(), Box<dyn Error>> {
    let runtime = tokio::runtime::Builder::new_current_thread().build()?;
    runtime.block_on(trade(World::new()?))
}

#[cfg(target_arch = "wasm32")]
fn main() {}
