//! The desk's own look at the chain: what a trade that waits for approval would cost or bring now.
//!
//! All of them are priced by one call, so that it needs no batch, and all prices are of one slot. Its id names the accounts that it asks
//! for. So the reply says by itself what belongs to what, however the desk has changed since, and nothing is kept while it is on its way.

use super::Gateway;
use crate::chain::{names_a_limit, silence};
use crate::intent::Intent;
use crate::settings::GatewaySettings;
use crate::step::{ChainCall, ForwardResult};
use crate::view::Priced;
use launchpad_desk::api::request::Request;
use launchpad_desk::chain::ReadError;
use launchpad_desk::chain::account::Account;
use launchpad_desk::chain::address::Address;
use launchpad_desk::chain::look::{Look, MOST_WALLETS, addresses};
use launchpad_desk::chain::rpc::{Replies, read_accounts};
use launchpad_desk::chain::wallets::{WalletAddresses, Wallets};
use launchpad_desk::intent::IntentState;
use launchpad_desk::market::quote::quote_at;
use launchpad_desk::market::read::{accounts_body, accounts_call, wallets_of};
use launchpad_desk::tape::json;
use launchpad_desk::trade::guard::request_of;

/// The most accounts of one call.
const MOST_ACCOUNTS: usize = 100;
/// How long a person waits for prices, in milliseconds.
const LOOK_TIMEOUT_MS: u32 = 3_000;
const UNREADABLE: &str = "the node's reply cannot be read";

/// What the node has at the accounts of all that wait, of one slot, or why it has not said that.
pub(super) type Looked = Result<(u64, Vec<(Address, Option<Account>)>), &'static str>;

/// The mint and the wallets of a request as addresses of the chain.
/// Fails with the reason, in words.
pub(super) fn accounts_of(request: &Request) -> Result<(Address, Wallets), &'static str> {
    let mint = request.mint.parse().map_err(|_| "its mint is not an address of the chain")?;
    let wallets = WalletAddresses::default().wallets(wallets_of(request));
    if !wallets.unknown.is_empty() {
        return Err("one of its wallets is not an address of the chain");
    }
    if wallets.known.len() > MOST_WALLETS {
        return Err("it has more wallets than one look reads");
    }
    Ok((mint, wallets))
}

/// The same for an intent.
fn accounts_of_intent(intent: &Intent) -> Result<(Address, Wallets), &'static str> {
    let request = request_of(intent.operation, &intent.body).map_err(|_| "its body cannot be read")?;
    accounts_of(&request)
}

impl Gateway {
    /// What to ask the node so that a person sees what the waiting trades would cost or bring now; `None` without a node, or if
    /// nothing waits.
    pub(super) fn look_at_waiting(&self) -> Option<ChainCall> {
        let rpc = self.settings.rpc.as_ref()?;
        let mut asked: Vec<Address> = Vec::new();
        for intent in self.in_state(IntentState::AwaitingApproval) {
            // One that is not of the chain takes no room.
            let Ok((mint, wallets)) = accounts_of_intent(intent) else { continue };
            let mut own = addresses(&mint, &wallets);
            own.retain(|address| !asked.contains(address));
            if asked.len() + own.len() > MOST_ACCOUNTS {
                break;
            }
            asked.extend(own);
        }
        let names: Vec<String> = asked.iter().map(Address::to_string).collect();
        let call = accounts_call(names.join(" "), &asked, self.settings.chain.commitment);
        (!asked.is_empty()).then(|| rpc.call(json::write(&call), LOOK_TIMEOUT_MS))
    }

    /// What to ask the node for the price of a trade that is planned; `None` without a node, or if its names are not the chain's.
    pub(super) fn look_at_planned(&self, request: &Request) -> Option<ChainCall> {
        let rpc = self.settings.rpc.as_ref()?;
        let (mint, wallets) = accounts_of(request).ok()?;
        let body = accounts_body(&addresses(&mint, &wallets), self.settings.chain.commitment);
        Some(rpc.call(body, LOOK_TIMEOUT_MS))
    }

    /// What a trade that is planned would cost or bring now: `None` without a node.
    pub(super) fn planned_price(
        &self,
        now_ms: u64,
        intent: &Intent,
        result: Option<&ForwardResult>,
    ) -> Option<Priced> {
        self.price_at(now_ms, intent, |addresses| {
            let replies = replies_of(result.ok_or("the chain was not asked")?)?;
            let read = replies.result(1).and_then(|accounts| read_accounts(addresses, accounts));
            read.map_err(|error| why_not(&error))
        })
    }

    /// What a waiting trade would cost or bring now: `None` without a node.
    pub(super) fn price_of(&self, now_ms: u64, intent: &Intent, looked: Option<&Looked>) -> Option<Priced> {
        self.price_at(now_ms, intent, |addresses| {
            let (slot, known) = looked.ok_or("the chain was not asked")?.as_ref().map_err(|why| *why)?;
            let of = |address: &Address| known.iter().find(|(known, _)| known == address);
            let read = addresses.iter().map(|address| of(address).map(|(_, account)| account.clone()));
            let accounts: Option<Vec<Option<Account>>> = read.collect();
            Ok((*slot, accounts.ok_or("so many trades wait that only the oldest are priced")?))
        })
    }

    /// The price of a trade by what is at its accounts, or why there is none; `None` without a node.
    fn price_at(
        &self,
        now_ms: u64,
        intent: &Intent,
        accounts: impl FnOnce(&[Address]) -> Result<(u64, Vec<Option<Account>>), &'static str>,
    ) -> Option<Priced> {
        let GatewaySettings { rpc: Some(_), chain, dialect, .. } = &*self.settings else { return None };
        let priced = accounts_of_intent(intent).map_err(str::to_owned).and_then(|(mint, wallets)| {
            let addresses = addresses(&mint, &wallets);
            let (slot, accounts) = accounts(&addresses)?;
            let look = Look::read(&mint, &wallets, &addresses, slot, &accounts, chain.rules.at(now_ms));
            let look = look.map_err(|why| why.to_string())?;
            let Intent { operation, body, .. } = intent;
            let unit = dialect.rules.slippage_unit;
            quote_at(&look, *operation, body, unit, now_ms, chain.commitment).map_err(|error| error.message)
        });
        Some(priced.map_err(|why| ["it has no price now: ", &why].concat()))
    }
}

/// What came of the look at all that wait.
pub(super) fn looked(result: &ForwardResult) -> Looked {
    let replies = replies_of(result)?;
    let (names, result) = replies.only().map_err(|error| why_not(&error))?;
    let asked: Result<Vec<Address>, _> = names.split(' ').map(str::parse).collect();
    let asked = asked.map_err(|_| UNREADABLE)?;
    let (slot, accounts) = read_accounts(&asked, result).map_err(|error| why_not(&error))?;
    Ok((slot, asked.into_iter().zip(accounts).collect()))
}

/// Why a reply has no accounts. Not in the node's words: its error may have the key of the URL in it.
fn why_not(error: &ReadError) -> &'static str {
    if error.is_refused() { "the node refused the call" } else { UNREADABLE }
}

/// The node's replies, or why there are none.
fn replies_of(result: &ForwardResult) -> Result<Replies, &'static str> {
    match result {
        ForwardResult::Reply(reply) if reply.status == 200 && !names_a_limit(result) => {
            Replies::parse(&reply.body).map_err(|_| UNREADABLE)
        }
        other => Err(silence(other)),
    }
}
