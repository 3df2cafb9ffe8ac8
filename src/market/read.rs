//! A look at a token by JSON-RPC.

use crate::amount::Digits;
use crate::chain::account::Account;
use crate::chain::address::Address;
use crate::chain::look::{Look, WalletLook, read_wallets};
use crate::chain::mint::Mint;
use crate::chain::rpc::{Replies, limit_of, read_accounts, read_number, refusal_of};
use crate::chain::wallets::Wallets;
use crate::chain::{ReadError, Why};
use crate::codes::codes;
use crate::evidence::Seen;
use crate::launchpad::Launchpad;
use crate::object;
use crate::tape::{Item, Tape, ToTape, json};
use crate::trade::reconcile::WalletBalances;
pub use crate::trade::wallets::wallets_of;

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

/// A call in JSON-RPC.
pub(super) fn call(id: impl ToTape, method: &str, params: Tape) -> Tape {
    object! { "jsonrpc": "2.0", "id": id, "method": method, "params": params }
}

/// How often accounts are asked for in parts, at most, until all parts are of one slot.
const MOST_ROUNDS: u32 = 8;

/// A call to a node, in as many parts as it needs: some nodes allow few accounts a call. The parts of one answer are all of one slot.
///
/// ```text
/// bodies() ─▶ the caller posts them at once ─▶ replied(status, bytes) for each, in their order ─▶ bodies() … none ─▶ answer()
/// ```
#[derive(Clone, Debug)]
pub struct Asking {
    call: Tape,
    accounts: Vec<String>,
    /// The most accounts of one call.
    most: usize,
    rounds: u32,
    came: Vec<(u16, Vec<u8>)>,
    answer: Option<Result<Vec<u8>, ReadError>>,
}

impl Asking {
    /// Asks what this body says. `most_accounts` is what an earlier one [has found](Asking::most_accounts).
    pub fn new(body: &str, most_accounts: Option<usize>) -> Asking {
        Asking::of(json::parse(body.as_bytes()).unwrap_or_default(), most_accounts)
    }

    pub(super) fn of(call: Tape, most_accounts: Option<usize>) -> Asking {
        let asks_accounts = call.root().text_of("method") == Some("getMultipleAccounts");
        let accounts = item_of(call.root().get("params").filter(|_| asks_accounts), 0);
        let accounts = accounts.and_then(Item::items).into_iter().flatten();
        let accounts = accounts.filter_map(Item::text).map(str::to_owned).collect();
        let most = most_accounts.unwrap_or(usize::MAX).max(1);
        Asking { call, accounts, most, rounds: 0, came: Vec::new(), answer: None }
    }

    /// The bodies to post next, whose replies may come in any order; none once it is answered.
    pub fn bodies(&self) -> Vec<String> {
        self.calls().iter().map(json::write).collect()
    }

    /// The same as calls, each with a number of its own.
    pub(super) fn calls(&self) -> Vec<Tape> {
        if self.answer.is_some() {
            return Vec::new();
        }
        if self.is_whole() {
            return vec![self.call.clone()];
        }
        let options = item_of(self.call.root().get("params"), 1);
        let of_part = |(id, part): (u64, &[String])| {
            let params: [&dyn ToTape; 2] = [&part, &options];
            call(id, "getMultipleAccounts", params.to_tape())
        };
        (1..).zip(self.accounts.chunks(self.most)).map(of_part).collect()
    }

    /// Whether one call is enough.
    fn is_whole(&self) -> bool {
        self.accounts.len() <= self.most
    }

    /// Takes the reply to one of them, with its HTTP status, 200 where the way to the node does not say it; in their order.
    pub fn replied(&mut self, status: u16, reply: &[u8]) {
        self.came.push((status, reply.to_vec()));
        let parts = if self.is_whole() { 1 } else { self.accounts.len().div_ceil(self.most) };
        if self.came.len() < parts {
            return;
        }
        let (asked, part) = (self.accounts.len(), self.accounts.len().min(self.most));
        let came = std::mem::take(&mut self.came);
        let limit = came.iter().find_map(|(status, reply)| limit_of(*status, reply, asked));
        if let Some(limit) = limit.filter(|_| asked > 1) {
            self.answer = (part < 2).then_some(Err(limit));
            self.most = part.div_ceil(2);
            return;
        }
        let refusal = came.iter().find(|(status, _)| !(200..300).contains(status));
        let read = match (refusal, self.is_whole()) {
            (Some((status, reply)), _) => Err(refusal_of(*status, reply)),
            (None, true) => Ok(came.into_iter().next().map(|(_, reply)| reply)),
            (None, false) => self.joined(&came),
        };
        self.rounds += 1;
        self.answer = match read {
            Ok(None) if self.rounds < MOST_ROUNDS => None,
            Ok(None) => {
                let said = "its answers in parts are never of one slot".to_owned();
                Some(Err(ReadError(Why::Limit { asked, said })))
            }
            Ok(Some(reply)) => Some(Ok(reply)),
            Err(error) => Some(Err(error)),
        };
    }

    /// One reply with the accounts of all parts; `None` if they are of several slots.
    fn joined(&self, came: &[(u16, Vec<u8>)]) -> Result<Option<Vec<u8>>, ReadError> {
        let (mut at, mut values) = (None, String::new());
        for (id, ((_, reply), part)) in (1u64..).zip(came.iter().zip(self.accounts.chunks(self.most))) {
            let replies = Replies::parse(reply)?;
            let result = replies.result(id)?;
            let slot = slot_in(result)?;
            let accounts = result.get("value").and_then(Item::items).ok_or(ReadError::unexpected("value"))?;
            if accounts.len() != part.len() {
                return Err(ReadError::unexpected("value for each address"));
            }
            if *at.get_or_insert(slot) != slot {
                return Ok(None);
            }
            for account in accounts {
                if !values.is_empty() {
                    values.push(',');
                }
                json::write_item(account, &mut values);
            }
        }
        let id = json::write(&self.call.root().get("id").to_tape());
        let slot = at.unwrap_or_default().digits();
        let reply = ["{\"jsonrpc\":\"2.0\",\"id\":", &id, ",\"result\":{\"context\":{\"slot\":", &slot];
        Ok(Some([&reply.concat(), "},\"value\":[", &values, "]}}"].concat().into_bytes()))
    }

    /// The most accounts that the node allows a call, if it has refused more. Keep it for the next one.
    pub fn most_accounts(&self) -> Option<usize> {
        Some(self.most).filter(|most| *most < usize::MAX && !matches!(self.answer, Some(Err(_))))
    }

    pub(super) fn is_answered(&self) -> bool {
        self.answer.is_some()
    }

    /// The reply to the whole call.
    ///
    /// # Errors
    ///
    /// Why there is none: a status that is none of success, or the node's limit.
    pub fn answer(self) -> Result<Vec<u8>, ReadError> {
        self.answer.unwrap_or(Err(ReadError::unexpected("answer")))
    }
}

fn item_of(list: Option<Item<'_>>, place: usize) -> Option<Item<'_>> {
    list?.items()?.nth(place)
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
pub fn accounts_call(id: impl ToTape, addresses: &[Address], commitment: Commitment) -> Tape {
    let options = object! { "encoding": "base64", "commitment": commitment };
    let params: [&dyn ToTape; 2] = [&addresses, &options];
    call(id, "getMultipleAccounts", params.to_tape())
}

/// What wallets hold, as of this slot. A wallet that the chain does not have holds nothing: the network keeps no empty accounts.
pub fn balances_of(slot: u64, wallets: &[WalletLook]) -> Vec<WalletBalances> {
    let read = wallets.iter().map(|own| WalletBalances {
        wallet: own.wallet.clone(),
        tokens: Some(own.holding.as_ref().map_or(0, |holding| holding.tokens)),
        lamports: Some(own.lamports.unwrap_or(0)),
        slot: Some(slot),
    });
    read.collect()
}

/// The body of the call that asks what became of a signature.
pub fn status_body(signature: &str) -> String {
    let signatures = vec![signature];
    let options = object! { "searchTransactionHistory": true };
    let params: [&dyn ToTape; 2] = [&signatures, &options];
    json::write(&call(1u64, "getSignatureStatuses", params.to_tape()))
}

/// What the node has of the signature, from the reply to that call.
pub fn read_status(reply: &[u8]) -> Result<Seen, ReadError> {
    let replies = Replies::parse(reply)?;
    let statuses = replies.result(1)?.get("value").and_then(Item::items);
    let mut statuses = statuses.ok_or(ReadError::unexpected("status"))?;
    let (Some(status), None) = (statuses.next(), statuses.next()) else {
        return Err(ReadError::unexpected("status"));
    };
    if status.is_null() {
        return Ok(Seen::NotSeen);
    }
    let err = status.get("err").ok_or(ReadError::unexpected("status"))?;
    let is_final = status.text_of("confirmationStatus") == Some("finalized");
    Ok(match (is_final, err.is_null()) {
        (false, _) => Seen::NotSeen,
        (true, true) => Seen::Finalized,
        (true, false) => Seen::Failed,
    })
}

/// The accounts at these addresses from the reply to that call, and their slot.
pub fn read_reply(addresses: &[Address], reply: &[u8]) -> Result<(u64, Vec<Option<Account>>), ReadError> {
    read_accounts(addresses, Replies::parse(reply)?.result(1)?)
}

/// The slot of that reply, whatever is in its accounts.
///
/// # Errors
///
/// [`ReadError`].
pub fn read_slot(reply: &[u8]) -> Result<u64, ReadError> {
    slot_in(Replies::parse(reply)?.result(1)?)
}

fn slot_in(result: Item) -> Result<u64, ReadError> {
    let slot = result.get("context").and_then(|context| context.get("slot"));
    slot.ok_or(ReadError::unexpected("context.slot")).and_then(read_number)
}

/// What wallets hold, from the same reply, and its slot. There may be no such token yet: then they hold none of it.
pub fn read_wallets_reply(
    mint: &Address,
    wallets: &Wallets,
    addresses: &[Address],
    reply: &[u8],
) -> Result<(u64, Vec<WalletLook>), ReadError> {
    let (slot, accounts) = read_reply(addresses, reply)?;
    Ok((slot, read_wallets(mint, wallets, addresses, &accounts)?))
}

/// How many decimals a token has, from the reply that has [its mint](accounts_body) alone. They never change, so it may be of any slot.
pub fn read_decimals(mint: &Address, reply: &[u8]) -> Result<u8, ReadError> {
    let (_, accounts) = read_reply(std::slice::from_ref(mint), reply)?;
    let account = accounts.first().and_then(Option::as_ref);
    Ok(Mint::read(mint, account)?.decimals)
}

/// The look at these addresses, which [`addresses`](crate::chain::look::addresses) has given, from the reply.
pub fn read_look(
    mint: &Address,
    wallets: &Wallets,
    addresses: &[Address],
    reply: &[u8],
    rules: &Launchpad,
) -> Result<Look, ReadError> {
    let (slot, accounts) = read_reply(addresses, reply)?;
    Look::read(mint, wallets, addresses, slot, &accounts, rules)
}
