//! The desk's own look at the chain: what a trade that waits for approval would cost or bring now.
//!
//! Each call of the one body has the number of its intent as its id. So the reply says by itself what belongs to what, however the
//! desk has changed since, and nothing is kept while it is on its way.

use crate::api::request::Request;
use crate::chain::address::Address;
use crate::chain::look::{MOST_WALLETS, addresses};
use crate::chain::rpc::{Replies, RpcError};
use crate::gateway::chain::silence;
use crate::gateway::desk::Gateway;
use crate::gateway::intent::Intent;
use crate::gateway::step::{ChainCall, ForwardResult};
use crate::gateway::view::{PriceView, Priced};
use crate::intent::IntentState;
use crate::market::quote::quote_at;
use crate::market::read::{ReadError, accounts_body, accounts_call, read_look_of, wallets_of};
use crate::tape::{Tape, ToTape, json};
use crate::trade::guard::request_of;

/// The number of the call for the price of a plan, which is alone in its body.
const ALONE: u64 = 1;
/// The most waiting trades that are priced at once. Each takes some accounts of one call.
const MOST_PRICED: usize = 20;
/// How long a person waits for prices, in milliseconds.
const LOOK_TIMEOUT_MS: u32 = 3_000;

/// The mint and the wallets of a request as addresses of the chain.
///
/// # Errors
///
/// Why they are not, in words.
pub(super) fn accounts_of(request: &Request) -> Result<(Address, Vec<Address>), &'static str> {
    let mint = request.mint.parse().map_err(|_| "its mint is not an address of the chain")?;
    let wallets: Result<Vec<Address>, _> = wallets_of(request).into_iter().map(str::parse).collect();
    let wallets = wallets.map_err(|_| "one of its wallets is not an address of the chain")?;
    if wallets.len() > MOST_WALLETS {
        return Err("it has more wallets than one look reads");
    }
    Ok((mint, wallets))
}

/// The same for an intent.
fn accounts_of_intent(intent: &Intent) -> Result<(Address, Vec<Address>), &'static str> {
    let request = request_of(intent.operation, &intent.body).map_err(|_| "its body cannot be read")?;
    accounts_of(&request)
}

impl Gateway {
    /// What to ask the node so that a person sees what the waiting trades would cost or bring now; `None` without a node, or if
    /// nothing waits.
    pub(super) fn look_at_waiting(&self) -> Option<ChainCall> {
        let rpc = self.settings.rpc.as_ref().filter(|_| self.sandbox.is_none())?;
        let commitment = self.settings.chain.commitment;
        let priced = self.in_state(IntentState::AwaitingApproval).into_iter().take(MOST_PRICED);
        let calls: Vec<Tape> = priced
            .filter_map(|intent| {
                let (mint, wallets) = accounts_of_intent(intent).ok()?;
                Some(accounts_call(intent.number, &addresses(&mint, &wallets), commitment))
            })
            .collect();
        (!calls.is_empty()).then(|| rpc.call(json::write(&calls.to_tape()), LOOK_TIMEOUT_MS))
    }

    /// What to ask the node for the price of a trade that is planned; `None` without a node, or if its names are not the chain's.
    pub(super) fn look_at_planned(&self, request: &Request) -> Option<ChainCall> {
        let rpc = self.settings.rpc.as_ref().filter(|_| self.sandbox.is_none())?;
        let (mint, wallets) = accounts_of(request).ok()?;
        let body = accounts_body(&addresses(&mint, &wallets), self.settings.chain.commitment);
        Some(rpc.call(body, LOOK_TIMEOUT_MS))
    }

    /// What a trade that is planned would cost or bring now: `None` without a node.
    pub(super) fn planned_price(
        &self,
        now_ms: u64,
        intent: &Intent,
        came: Option<&ForwardResult>,
    ) -> Option<Priced> {
        self.settings.rpc.as_ref()?;
        let look = came.map(read_look);
        Some(self.price_at(now_ms, ALONE, intent, look.as_ref()).map_err(no_price))
    }

    /// What a waiting trade would cost or bring now: `None` if nobody knows its market.
    pub(super) fn price_of(
        &self,
        now_ms: u64,
        place: usize,
        intent: &Intent,
        look: Option<&Look>,
    ) -> Option<Priced> {
        if let Some(sandbox) = &self.sandbox {
            let body = json::parse(intent.body.as_bytes()).unwrap_or_default();
            let quoted = sandbox.quote(intent.operation, body.root());
            let decimals = sandbox.config().launchpad.token_decimals;
            let price = quoted.map(|run| PriceView::of(run.view(decimals), now_ms, None));
            return Some(price.map_err(|_| "the sandbox cannot price it".to_owned()));
        }
        self.settings.rpc.as_ref()?;
        if place >= MOST_PRICED {
            return Some(Err("so many trades wait that only the oldest are priced".to_owned()));
        }
        Some(self.price_at(now_ms, intent.number, intent, look).map_err(no_price))
    }

    /// The price at a look, the reply to the call of this number.
    fn price_at(&self, now_ms: u64, call: u64, intent: &Intent, look: Option<&Look>) -> Priced {
        let (mint, wallets) = accounts_of_intent(intent)?;
        let replies = match look {
            Some(Ok(replies)) => replies,
            Some(Err(why)) => return Err((*why).to_owned()),
            None => return Err("the chain was not asked".to_owned()),
        };
        let addresses = addresses(&mint, &wallets);
        let chain = &self.settings.chain;
        let look = read_look_of(call, &mint, &wallets, &addresses, replies, &chain.rules);
        // Not in the node's words: its error may have the key of the URL in it.
        let look = look.map_err(|error| match &error {
            ReadError::Look(why) => why.to_string(),
            ReadError::Rpc(RpcError::Refused { .. }) => "the node refused the call".to_owned(),
            ReadError::Rpc(_) => "the node's reply cannot be read".to_owned(),
        })?;
        let quote = quote_at(&look, intent.operation, &intent.body).map_err(|error| error.message)?;
        Ok(PriceView::of(quote, now_ms, Some((look.slot, chain.commitment))))
    }
}

fn no_price(why: String) -> String {
    ["it has no price now: ", &why].concat()
}

/// The node's replies, or why there are none.
pub(super) type Look = Result<Replies, &'static str>;

/// Reads what came of a look.
pub(super) fn read_look(came: &ForwardResult) -> Look {
    match came {
        ForwardResult::Reply(reply) if reply.status == 200 => {
            Replies::parse(&reply.body).map_err(|_| "the node's reply cannot be read")
        }
        other => Err(silence(other)),
    }
}
