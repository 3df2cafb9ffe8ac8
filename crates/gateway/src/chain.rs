//! The node: how the gateway reaches it, and a page's look at the chain. The node's URL often has a key in it, so no page may hold it: the gateway passes calls on that only read.
//!
//! That touches no desk, so the worker does it without waking a Durable Object.

use crate::code::GatewayCode;
use crate::problem::{Problem, json_of, typed};
use crate::step::{ChainCall, ForwardResult};
use launchpad_desk::amount::Digits;
use launchpad_desk::api::endpoint::Reply;
use launchpad_desk::bindings::drivers::NODE_TIMEOUT_MS;
use launchpad_desk::bindings::reader::Reader;
use launchpad_desk::bindings::{debug_text, object};
use launchpad_desk::chain::rpc::{limit_of, refusal_of};
use launchpad_desk::launchpad::rules::RulesByDay;
use launchpad_desk::market::read::Commitment;
use launchpad_desk::tape::{Data, Item, Tape, ToTape, json};
use launchpad_desk::trade::redacted;

/// The methods that are passed on: those by which a market reads prices and holdings, and finds out how a trade ended.
const METHODS: [&str; 9] = [
    "getMultipleAccounts",
    "getSlot",
    "getBlockHeight",
    "getBlockTime",
    "getBlock",
    "getFirstAvailableBlock",
    "getSignaturesForAddress",
    "getTransaction",
    "getSignatureStatuses",
];
/// The most calls in one body.
const MOST_CALLS: usize = 100;
/// The longest reply: a page of signatures for each account of a bundle.
const MOST_REPLY_BYTES: u32 = 1 << 22;
/// The longest time, in milliseconds, that a service may hold a trade back: a day.
const MOST_HOLD_MS: u64 = 86_400_000;
/// The least part of the URL that may be a key.
const LEAST_SECRET: usize = 8;

/// A node's URL. `Debug` leaves it out.
#[derive(Clone, PartialEq, Eq)]
pub(super) struct Rpc(String);

debug_text!(Rpc, |_| "Rpc");

impl Rpc {
    /// # Errors
    ///
    /// What is wrong with the URL, without the URL.
    pub fn new(url: &str) -> Result<Rpc, &'static str> {
        let rest = match url.strip_prefix("https://") {
            Some(rest) => rest,
            None => url.strip_prefix("http://").filter(|rest| is_loopback(rest)).unwrap_or_default(),
        };
        let is_plain = rest.bytes().all(|byte| byte.is_ascii_graphic() && !b"@\\#\"<>".contains(&byte));
        if rest.is_empty() || rest.starts_with(['/', '?', ':']) || !is_plain {
            return Err("must be a URL with https, or with http on loopback");
        }
        Ok(Rpc(url.to_owned()))
    }

    pub fn call(&self, body: String, timeout_ms: u32) -> ChainCall {
        ChainCall { url: self.0.clone(), body, timeout_ms, max_reply_bytes: MOST_REPLY_BYTES }
    }

    /// What the node said, without what may be a key.
    pub fn clean(&self, said: Vec<u8>) -> String {
        let clean = self.secrets().fold(said, |said, secret| redacted(said, secret.as_bytes()));
        String::from_utf8_lossy(&clean).into_owned()
    }

    /// The parts of the URL that may be a key: a node may repeat them in an error.
    fn secrets(&self) -> impl Iterator<Item = &str> {
        let path = self.0.splitn(4, '/').nth(3).unwrap_or_default();
        path.split(['/', '?', '&', '=']).filter(|part| part.len() >= LEAST_SECRET)
    }
}

/// Whether what follows `http://` is on this machine.
fn is_loopback(rest: &str) -> bool {
    let host = rest.split(['/', '?']).next().unwrap_or_default();
    let name = match host.rsplit_once(':') {
        Some((name, port)) if port.bytes().all(|byte| byte.is_ascii_digit()) => name,
        _ => host,
    };
    name == "localhost" || name == "127.0.0.1" || name == "[::1]"
}

/// What to post for a request with this body; `None` if the body is too long.
pub(super) fn call(rpc: &Rpc, body: Option<&[u8]>) -> Result<ChainCall, Problem> {
    let Some(body) = body else {
        return Err(Problem::new(GatewayCode::BodyTooLarge, "the body is longer than maxBodyBytes"));
    };
    let asked = json_of(body)?;
    let calls = match asked.root().data() {
        Data::Array(calls) => calls.map(read_call).collect::<Result<Vec<Tape>, Problem>>()?,
        _ => vec![read_call(asked.root())?],
    };
    if calls.is_empty() || calls.len() > MOST_CALLS {
        let detail = ["the body must have 1 to ", &(MOST_CALLS as u64).digits(), " calls"].concat();
        return Err(Problem::new(GatewayCode::InvalidRequest, detail));
    }
    let body = match (asked.root().data(), calls.as_slice()) {
        (Data::Array(_), calls) => json::write(&calls.to_tape()),
        (_, [call]) => json::write(call),
        _ => String::new(),
    };
    Ok(rpc.call(body, NODE_TIMEOUT_MS as u32))
}

fn read_call(call: Item) -> Result<Tape, Problem> {
    let Some(method) = call.text_of("method") else {
        return Err(Problem::new(GatewayCode::InvalidRequest, "a call has no method"));
    };
    let Some(method) = METHODS.iter().find(|known| **known == method) else {
        let detail = ["only these methods are passed on: ", &METHODS.join(", ")].concat();
        return Err(Problem::new(GatewayCode::ChainMethodNotAllowed, detail));
    };
    let (given, none) = (call.get("params"), Vec::<Tape>::new());
    let params: &dyn ToTape = if given.is_some() { &given } else { &none };
    Ok(object! { "jsonrpc": "2.0", "id": call.get("id"), "method": *method, "params": params })
}

/// The answer to a caller, from the result of the call.
pub(super) fn answer(rpc: &Rpc, result: ForwardResult) -> Reply {
    let silent = |result: &_| Problem::new(GatewayCode::ChainUnavailable, silence(result));
    match result {
        ForwardResult::Reply(reply) if reply.status == 200 => {
            // The type is ours, so that no browser reads it as anything else.
            typed(200, "application/json", rpc.clean(reply.body))
        }
        // Its body may say whose key it is.
        result if is_busy(&result) => silent(&result).after(1_000).reply(),
        // In the words of JSON-RPC: it may refuse batches, and a reader then asks for each call by itself.
        ForwardResult::Reply(ref reply) if (400..500).contains(&reply.status) => {
            let head = r#"{"jsonrpc":"2.0","id":null,"error":{"code":-32000,"message":""#;
            typed(200, "application/json", [head, silence(&result), r#""}}"#].concat())
        }
        result => silent(&result).reply(),
    }
}

/// Whether the node has named a limit: on its calls, or on the accounts of one.
pub(super) fn names_a_limit(result: &ForwardResult) -> bool {
    let has_limit = |reply: &Reply| limit_of(reply.status, &reply.body, 0).is_some();
    is_busy(result) || matches!(result, ForwardResult::Reply(reply) if has_limit(reply))
}

/// Whether the node has had too many calls.
fn is_busy(result: &ForwardResult) -> bool {
    matches!(result, ForwardResult::Reply(reply) if refusal_of(reply.status, &reply.body).is_busy())
}

/// Why a call has no answer, in words that have nothing of the node's.
pub(super) fn silence(result: &ForwardResult) -> &'static str {
    match result {
        result if is_busy(result) => "the node has had too many calls",
        // A market splits a call that is refused by these words.
        result if names_a_limit(result) => "the node allows fewer accounts a call than were asked for",
        ForwardResult::Reply(_) | ForwardResult::Shared(_) => "the node refused the call",
        ForwardResult::Timeout => "the node did not answer in time",
        ForwardResult::TooLarge => "the node's reply is too long",
        ForwardResult::Broken | ForwardResult::Unsent => "the connection to the node broke",
    }
}

/// How a desk reads the chain, and what a node cannot know.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChainSettings {
    /// How sure the node must be of what prices are made from.
    pub commitment: Commitment,
    /// The launchpad's rules that accounts do not have, such as the rent. Default: those of the day.
    pub rules: RulesByDay,
    /// Whether anybody but the desk signs for its wallets. Then no trade is proven to have landed or failed. Default: true.
    pub wallets_shared: bool,
    /// The longest time from a request until the service takes its blockhash, in milliseconds. Without it, or if the service signs with
    /// durable nonces, no trade is ever said to have failed or never landed.
    pub service_holds_ms: Option<u64>,
}

impl ChainSettings {
    /// Reads them from an object.
    pub(super) fn read(r: &mut Reader) -> ChainSettings {
        let mut rules = RulesByDay::default();
        let commitment = r.choice("commitment", Commitment::NAMED).unwrap_or_default();
        r.within("rules", &mut |r| rules = RulesByDay::read(r));
        let wallets_shared = r.boolean("walletsShared").unwrap_or(true);
        let service_holds_ms = r.whole_within("serviceHoldsMs", 0, MOST_HOLD_MS);
        ChainSettings { commitment, rules, wallets_shared, service_holds_ms }
    }
}

impl Default for ChainSettings {
    fn default() -> Self {
        let (commitment, rules) = (Commitment::default(), RulesByDay::default());
        ChainSettings { commitment, rules, wallets_shared: true, service_holds_ms: None }
    }
}
