//! A look at a token by JSON-RPC.

use std::fmt;

use super::MarketRefusal;
use crate::api::request::Request;
use crate::chain::account::Account;
use crate::chain::address::Address;
use crate::chain::look::{Look, LookError, WalletLook, read_wallets};
use crate::chain::rpc::{Replies, RpcError, read_accounts, refusal_of};
use crate::codes::codes;
use crate::evidence::Seen;
use crate::launchpad::Launchpad;
use crate::object;
use crate::tape::{Data, Item, Tape, ToTape, json};
use crate::trade::reconcile::WalletBalances;

codes! {
    /// How sure a node is of what it says.
    Commitment, default Confirmed {
        /// Its newest block, which a fork may take back.
        Processed = "processed",
        /// A block that most of the network has voted for.
        Confirmed = "confirmed",
        /// A block that no fork can take back.
        Finalized = "finalized",
    }
}

/// Why a reply gives no look.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ReadError {
    /// The reply cannot be read, or the node refused.
    Rpc(RpcError),
    /// An account is refused.
    Look(LookError),
}

impl ReadError {
    /// The code of it; `None` for an account, which has its own.
    pub fn code(&self) -> Option<MarketRefusal> {
        match self {
            ReadError::Rpc(error) => Some(error.into()),
            ReadError::Look(LookError::Count) => Some(MarketRefusal::UnreadableReply),
            ReadError::Look(LookError::Unreadable(_)) => None,
        }
    }
}

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ReadError::Rpc(error) => error.fmt(f),
            ReadError::Look(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for ReadError {}

impl From<RpcError> for ReadError {
    fn from(error: RpcError) -> Self {
        ReadError::Rpc(error)
    }
}

impl From<LookError> for ReadError {
    fn from(error: LookError) -> Self {
        ReadError::Look(error)
    }
}

/// A call in JSON-RPC.
pub(super) fn call(id: impl ToTape, method: &str, params: Tape) -> Tape {
    object! { "jsonrpc": "2.0", "id": id, "method": method, "params": params }
}

/// Why the reply to this body, with an HTTP status that is none of success, is no answer.
pub fn refusal(body: &str, status: u16, reply: &[u8]) -> RpcError {
    let asked = json::parse(body.as_bytes()).unwrap_or_default();
    let accounts = asked.root().get("params").and_then(|params| match params.data() {
        Data::Array(mut params) => params.next(),
        _ => None,
    });
    let of_accounts =
        matches!(asked.root().get("method").map(Item::data), Some(Data::String("getMultipleAccounts")));
    let accounts = match accounts.filter(|_| of_accounts).map(Item::data) {
        Some(Data::Array(accounts)) => accounts.count(),
        _ => 0,
    };
    refusal_of(status, reply).of_accounts(accounts)
}

/// The body of the one call that reads these accounts.
///
/// ```
/// use launchpad_desk::chain::address::GLOBAL;
/// use launchpad_desk::market::read::{Commitment, accounts_body};
/// assert_eq!(
///     accounts_body(&[GLOBAL], Commitment::Confirmed),
///     r#"{"jsonrpc":"2.0","id":1,"method":"getMultipleAccounts","params":[["4wTV1YmiEkRvAtNtsSGPtUrqRYQMe5SKy2uB4Jjaxnjf"],{"encoding":"base64","commitment":"confirmed"}]}"#
/// );
/// ```
pub fn accounts_body(addresses: &[Address], commitment: Commitment) -> String {
    json::write(&accounts_call(1u64, addresses, commitment))
}

/// The same call with another `id`.
pub(crate) fn accounts_call(id: impl ToTape, addresses: &[Address], commitment: Commitment) -> Tape {
    let options = object! { "encoding": "base64", "commitment": commitment };
    let params: [&dyn ToTape; 2] = [&addresses, &options];
    call(id, "getMultipleAccounts", params.to_tape())
}

/// What wallets hold, as of this slot. A wallet that the chain does not have holds nothing: the network keeps no empty accounts.
pub fn balances_of(slot: u64, wallets: &[WalletLook]) -> Vec<WalletBalances> {
    let read = wallets.iter().map(|own| WalletBalances {
        wallet: own.wallet.to_string(),
        tokens: Some(own.holding.as_ref().map_or(0, |holding| holding.tokens)),
        lamports: Some(own.lamports.unwrap_or(0)),
        slot: Some(slot),
    });
    read.collect()
}

/// The wallets of a request, those that trade first, then the fee payer; each once.
pub(crate) fn wallets_of(request: &Request) -> Vec<&str> {
    let mut names: Vec<&str> = Vec::new();
    for name in request.legs.iter().map(|leg| leg.from_wallet.as_str()).chain([request.payer()]) {
        if !names.contains(&name) {
            names.push(name);
        }
    }
    names
}

/// The body of the call that asks what became of a signature.
pub fn status_body(signature: &str) -> String {
    let signatures = vec![signature];
    let options = object! { "searchTransactionHistory": true };
    let params: [&dyn ToTape; 2] = [&signatures, &options];
    json::write(&call(1u64, "getSignatureStatuses", params.to_tape()))
}

/// What the node has of the signature, from the reply to that call.
///
/// # Errors
///
/// [`RpcError`].
pub fn read_status(reply: &[u8]) -> Result<Seen, RpcError> {
    let replies = Replies::parse(reply)?;
    let mut statuses = match replies.result(1)?.get("value").map(Item::data) {
        Some(Data::Array(statuses)) => statuses,
        _ => return Err(RpcError::Unexpected("status")),
    };
    let (Some(status), None) = (statuses.next(), statuses.next()) else {
        return Err(RpcError::Unexpected("status"));
    };
    if status.is_null() {
        return Ok(Seen::NotSeen);
    }
    let err = status.get("err").ok_or(RpcError::Unexpected("status"))?;
    let is_final =
        matches!(status.get("confirmationStatus").map(Item::data), Some(Data::String("finalized")));
    Ok(match (is_final, err.is_null()) {
        (false, _) => Seen::NotSeen,
        (true, true) => Seen::Finalized,
        (true, false) => Seen::Failed,
    })
}

/// The accounts at these addresses from the reply to that call, and their slot.
///
/// # Errors
///
/// [`RpcError`].
pub fn read_reply(addresses: &[Address], reply: &[u8]) -> Result<(u64, Vec<Option<Account>>), RpcError> {
    let replies = Replies::parse(reply)?;
    let result = replies.result(1).map_err(|error| error.of_accounts(addresses.len()))?;
    read_accounts(addresses, result)
}

/// What wallets hold, from the same reply, and its slot. There may be no such token yet: then they hold none of it.
///
/// # Errors
///
/// [`ReadError`].
pub fn read_wallets_reply(
    mint: &Address,
    wallets: &[Address],
    addresses: &[Address],
    reply: &[u8],
) -> Result<(u64, Vec<WalletLook>), ReadError> {
    let (slot, accounts) = read_reply(addresses, reply)?;
    Ok((slot, read_wallets(mint, wallets, addresses, &accounts)?))
}

/// The look at these addresses, which [`addresses`](crate::chain::look::addresses) has given, from the reply.
///
/// # Errors
///
/// [`ReadError`].
pub fn read_look(
    mint: &Address,
    wallets: &[Address],
    addresses: &[Address],
    reply: &[u8],
    rules: &Launchpad,
) -> Result<Look, ReadError> {
    let (slot, accounts) = read_reply(addresses, reply)?;
    Ok(Look::read(mint, wallets, addresses, slot, &accounts, rules)?)
}
