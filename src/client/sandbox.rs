//! The sandbox as a transport: no key, no network, no money.

use std::sync::{Arc, Mutex, MutexGuard};

use super::error::TradeError;
use super::shared::lock;
use super::system;
use super::transport::{Incoming, Transport};
use crate::api::endpoint::Operation;
use crate::error::Error;
use crate::sandbox::{HttpRequest, ReplyCut, Sandbox};
use crate::tape::{Item, Tape, ToTape};
use crate::trade::SANDBOX_URL;
use crate::trade::flow::{Head, Lost, Post};
use crate::trade::plan::Destination;

/// Trades in a [`Sandbox`]. Clones share it.
///
/// It knows the truth about each failure: a refused connection is proven unsent.
#[derive(Clone, Debug)]
pub struct SandboxTransport(Arc<Mutex<Sandbox>>);

impl SandboxTransport {
    /// Trades in this sandbox.
    pub fn new(sandbox: Sandbox) -> Self {
        SandboxTransport(Arc::new(Mutex::new(sandbox)))
    }

    /// The sandbox, to look at and to change. No trade can proceed while this lock is held, so hold it only briefly.
    pub fn sandbox(&self) -> MutexGuard<'_, Sandbox> {
        lock(&self.0)
    }
}

/// A reply of the sandbox, on its way. `Debug` shows only its status.
pub struct SandboxReply {
    head: Head,
    body: Vec<u8>,
    /// Milliseconds until the rest of the body.
    body_ms: u32,
    is_whole: bool,
}

impl std::fmt::Debug for SandboxReply {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "SandboxReply({})", self.head.status)
    }
}

impl Transport for SandboxTransport {
    type Reply = SandboxReply;

    fn destination(&self) -> Destination {
        Destination { base_url: SANDBOX_URL.to_owned(), is_simulated: true }
    }

    fn price(&self, operation: Operation, request: Item) -> Result<Option<Tape>, TradeError> {
        let sandbox = self.sandbox();
        let run = sandbox.quote(operation, request).map_err(Error::invalid_request)?;
        Ok(Some(run.view(sandbox.config().launchpad.token_decimals).to_tape()))
    }

    async fn send(&self, post: Post) -> Result<SandboxReply, Lost> {
        let request = HttpRequest {
            method: "POST",
            path: post.path,
            headers: &post.headers,
            body: post.body.as_bytes(),
            now_ms: self.now_ms(),
        };
        let answer = self.sandbox().handle(&request);
        let delivery = answer.delivery;
        if delivery.latency_ms > 0 {
            system::sleep(delivery.latency_ms).await;
        }
        match delivery.cut {
            ReplyCut::NoConnection => return Err(Lost::Unsent("ECONNREFUSED".to_owned())),
            ReplyCut::BeforeReply => return Err(Lost::Broken("ECONNRESET".to_owned())),
            ReplyCut::None | ReplyCut::WithinBody => {}
        }
        let retry_after = answer.reply.header("retry-after").map(str::to_owned);
        Ok(SandboxReply {
            head: Head { status: answer.reply.status, retry_after, is_simulated: true, intent_state: None },
            body: answer.reply.body,
            body_ms: delivery.body_ms,
            is_whole: delivery.cut == ReplyCut::None,
        })
    }
}

impl Incoming for SandboxReply {
    fn head(&self) -> Head {
        self.head.clone()
    }

    async fn chunk(&mut self) -> Result<Option<Vec<u8>>, Lost> {
        if self.body_ms > 0 {
            system::sleep(std::mem::take(&mut self.body_ms)).await;
        }
        if !self.body.is_empty() {
            return Ok(Some(std::mem::take(&mut self.body)));
        }
        if self.is_whole { Ok(None) } else { Err(Lost::Broken("ECONNRESET".to_owned())) }
    }
}
