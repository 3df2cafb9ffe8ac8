//! The replies of a node's JSON-RPC, read into plain values. Sending and waiting are the caller's.
//!
//! | method, commitment `finalized` | reader |
//! |---|---|
//! | `getSlot`, `getBlockHeight`, `getBlockTime`, `getFirstAvailableBlock` | [`read_number`] |
//! | `getBlock`, `transactionDetails` `none` | [`read_block`] |
//! | `getMultipleAccounts`, encoding `base64` | [`read_accounts`] |
//! | `getSignaturesForAddress` | [`read_signatures`] |
//! | `getTransaction`, encoding `json`, `maxSupportedTransactionVersion` [`NEWEST_TRANSACTION_VERSION`] | [`read_transaction`] |
//!
//! Nothing is guessed: a field that is missing or of another kind is an error, which names it.
//!
//! ```
//! use launchpad_desk::chain::rpc::{Replies, read_number};
//!
//! let replies = Replies::parse(br#"[{"jsonrpc":"2.0","id":2,"result":7},{"jsonrpc":"2.0","id":1,"error":{"code":-32004,"message":"Block not available"}}]"#)?;
//! assert_eq!(read_number(replies.result(2)?), Ok(7));
//! assert_eq!(replies.result(1).unwrap_err().to_string(), "the node refused: Block not available (-32004)");
//! # Ok::<(), launchpad_desk::chain::ReadError>(())
//! ```

use super::account::{Account, data_of};
use super::address::Address;
use super::read_error::{ReadError, Why, names_accounts, says_busy, says_limit};
use crate::evidence::{AccountChange, Change, Entry, Mark, TokenChange, Transaction};
use crate::page::title_of;
use crate::tape::{Data, Item, Tape, json};

/// The most bytes of a text in which words are looked for.
const MOST_WORDS: usize = 1_000;
/// The most characters of a node's message that are kept.
const MOST_MESSAGE: usize = 200;

/// Why a reply with a status other than one of success is no answer. Not in its words, which may say whose key it is, but for those of
/// JSON-RPC that name a limit.
pub fn refusal_of(status: u16, body: &[u8]) -> ReadError {
    refused_by(status, &Replies::parse(body), body)
}

fn refused_by(status: u16, read: &Result<Replies, ReadError>, body: &[u8]) -> ReadError {
    match (busy_of(read, body), read) {
        (_, Err(ReadError(Why::Page { title, .. }))) if !title.is_empty() => {
            ReadError(Why::Page { status, title: title.clone() })
        }
        (Some(busy), _) => busy,
        _ => ReadError::of_status(status),
    }
}

/// What a reply says of too many calls, if it does: an error, or a text.
fn busy_of(read: &Result<Replies, ReadError>, body: &[u8]) -> Option<ReadError> {
    let is_text = match read {
        Ok(replies) => match replies.errors().into_iter().find(ReadError::is_busy) {
            Some(busy) => return Some(busy),
            None => replies.is_foreign(),
        },
        Err(page @ ReadError(Why::Page { .. })) => return Some(page.clone()).filter(ReadError::is_busy),
        Err(_) => true,
    };
    (is_text && body.len() <= MOST_WORDS && says_busy(body)).then_some(ReadError(Why::Busy))
}

/// The limit by which a node has refused a call for so many accounts; `None` if it has not.
pub fn limit_of(status: u16, body: &[u8], asked: usize) -> Option<ReadError> {
    let read = Replies::parse(body);
    if status == 429 || busy_of(&read, body).is_some() {
        return None;
    }
    let errors = read.map(|replies| replies.errors()).unwrap_or_default();
    let text = body.get(..MOST_WORDS).unwrap_or(body);
    let said = match errors.into_iter().find(ReadError::says_limit) {
        Some(ReadError(Why::Refused { code, message })) => format!("{message} ({code})"),
        _ if status == 413 => format!("HTTP status {status}"),
        _ if matches!(status, 400 | 414 | 422) && says_limit(text) && names_accounts(text) => {
            format!("HTTP status {status}")
        }
        _ => return None,
    };
    Some(ReadError(Why::Limit { asked, said }))
}

/// What the reply to a batch means.
#[derive(Clone, Debug)]
pub enum BatchReply {
    /// A reply to each call.
    Answered(Replies),
    /// Too many calls were made: nothing is decided, and the same may be asked again later.
    Busy(ReadError),
    /// The node has not answered the batch: each call may be asked by itself, and from now on if that is `lasting`.
    Unanswered {
        /// Whether it refuses batches as such, and not only this one.
        lasting: bool,
    },
}

impl BatchReply {
    /// Reads the reply to calls with these numbers; its status is 200 where the way to the node does not say it.
    pub fn read(status: u16, body: &[u8], ids: &[u64]) -> BatchReply {
        let replies = Replies::parse(body);
        let refused = refused_by(status, &replies, body);
        if refused.is_busy() {
            return BatchReply::Busy(refused);
        }
        let has_status = (200..300).contains(&status);
        match replies {
            Ok(replies) if has_status => match ids.iter().filter(|id| replies.has(**id)).count() {
                answered if answered == ids.len() => BatchReply::Answered(replies),
                answered => BatchReply::Unanswered { lasting: answered == 0 },
            },
            _ => BatchReply::Unanswered { lasting: status < 500 || status == 501 },
        }
    }
}

/// The body of a response: one reply, or those of a batch, in any order.
#[derive(Clone, Debug)]
pub struct Replies(Tape);

impl Replies {
    /// Reads a response's body.
    pub fn parse(body: &[u8]) -> Result<Replies, ReadError> {
        json::parse(body).map(Replies).map_err(|error| match title_of(body) {
            Some(title) => ReadError(Why::Page { status: 200, title }),
            None => ReadError(Why::NotJson(error)),
        })
    }

    /// Reads the bodies of several responses as those of one batch.
    pub fn parse_each(bodies: &[Vec<u8>]) -> Result<Replies, ReadError> {
        Replies::parse(&[b"[", &bodies.join(&b","[..])[..], b"]"].concat())
    }

    /// The replies of a batch; of a single reply none.
    fn each(&self) -> impl Iterator<Item = Item<'_>> {
        self.0.root().items().into_iter().flatten()
    }

    /// The errors in it, whichever call they answer.
    fn errors(&self) -> Vec<ReadError> {
        self.each().chain([self.0.root()]).filter_map(|reply| check_refused(reply).err()).collect()
    }

    /// Whether it is an object of another protocol.
    fn is_foreign(&self) -> bool {
        let root = self.0.root();
        root.is_object() && root.get("result").is_none() && root.get("error").is_none()
    }

    /// Whether a batch has one reply to this call.
    fn has(&self, id: u64) -> bool {
        self.each().filter(|reply| reply.get("id").and_then(Item::whole) == Some(id)).count() == 1
    }

    /// The reply of a batch to this call, as a body of its own.
    pub(crate) fn body_of(&self, id: u64) -> Vec<u8> {
        let mut body = String::new();
        let own = self.each().find(|reply| reply.get("id").and_then(Item::whole) == Some(id));
        json::write_item(own.unwrap_or_default(), &mut body);
        body.into_bytes()
    }

    /// The result of the call that was sent with this `id`.
    ///
    /// # Errors
    ///
    /// [`ReadError`] if there is none, or two, or the node refused.
    pub fn result(&self, id: u64) -> Result<Item<'_>, ReadError> {
        let is_own = |reply: &Item| reply.get("id").and_then(Item::whole) == Some(id);
        let mut own = match self.0.root().data() {
            Data::Array(replies) => replies.filter(is_own).collect::<Vec<_>>(),
            // A node that cannot read a call answers without its id.
            _ => vec![self.0.root()],
        }
        .into_iter();
        let (Some(reply), None) = (own.next(), own.next()) else { return Err(ReadError::no_reply(id)) };
        check_refused(reply)?;
        reply.get("result").filter(|_| is_own(&reply)).ok_or(ReadError::no_reply(id))
    }

    /// The id and the result of the only reply, to a call whose id is text.
    pub fn only(&self) -> Result<(&str, Item<'_>), ReadError> {
        let reply = self.0.root();
        check_refused(reply)?;
        let (id, result) = (reply.text_of("id"), reply.get("result"));
        id.zip(result).ok_or(ReadError::unexpected("result"))
    }
}

fn check_refused(reply: Item) -> Result<(), ReadError> {
    let Some(error) = reply.get("error").filter(|error| !error.is_null()) else { return Ok(()) };
    let message = error.text_of("message").or(error.text()).unwrap_or("without a reason");
    Err(ReadError(Why::Refused {
        code: error.get("code").and_then(signed).unwrap_or_default(),
        message: message.chars().filter(|c| !c.is_control()).take(MOST_MESSAGE).collect(),
    }))
}

/// A number: the result of `getSlot`, `getBlockHeight`, `getBlockTime` and their like.
pub fn read_number(result: Item) -> Result<u64, ReadError> {
    result.whole().ok_or(ReadError::unexpected("number"))
}

/// The height and the time of the block in this slot.
///
/// # Errors
///
/// [`ReadError`]; a node may know a block without its height or time.
pub fn read_block(slot: u64, result: Item) -> Result<Mark, ReadError> {
    let height =
        result.get("blockHeight").and_then(Item::whole).ok_or(ReadError::unexpected("blockHeight"))?;
    let time = result.get("blockTime").and_then(Item::whole).ok_or(ReadError::unexpected("blockTime"))?;
    Ok(Mark { slot, height, time: Some(time) })
}

/// The accounts at these addresses, which were asked for in this order, and the slot in which all of them were read. `None`
/// is an account that does not exist.
///
/// # Errors
///
/// [`ReadError`], also if there are more or fewer than asked for.
pub fn read_accounts(addresses: &[Address], result: Item) -> Result<(u64, Vec<Option<Account>>), ReadError> {
    let slot = result.get("context").and_then(|context| context.get("slot")).and_then(Item::whole);
    let slot = slot.ok_or(ReadError::unexpected("context.slot"))?;
    let values = result.get("value").and_then(Item::items).ok_or(ReadError::unexpected("value"))?;
    if values.len() != addresses.len() {
        return Err(ReadError::unexpected("value for each address"));
    }
    let accounts = values.zip(addresses).map(|(value, address)| {
        if value.is_null() { Ok(None) } else { read_account(*address, value).map(Some) }
    });
    Ok((slot, accounts.collect::<Result<_, ReadError>>()?))
}

fn read_account(address: Address, value: Item) -> Result<Account, ReadError> {
    let owner = value.text_of("owner").and_then(|owner| owner.parse().ok());
    Ok(Account {
        address,
        owner: owner.ok_or(ReadError::unexpected("owner"))?,
        lamports: value.get("lamports").and_then(Item::whole).ok_or(ReadError::unexpected("lamports"))?,
        data: value.get("data").and_then(data_of).ok_or(ReadError::unexpected("data in base64"))?,
    })
}

/// A page of the transactions that name an account, newest first.
pub fn read_signatures(result: Item) -> Result<Vec<Entry>, ReadError> {
    let page = result.items().ok_or(ReadError::unexpected("list of signatures"))?;
    let entry = |entry: Item| {
        Ok(Entry {
            signature: owned(entry.get("signature"), "signature")?,
            slot: entry.get("slot").and_then(Item::whole).ok_or(ReadError::unexpected("slot"))?,
            failed: !entry.get("err").ok_or(ReadError::unexpected("err"))?.is_null(),
            finalized: entry.text_of("confirmationStatus") == Some("finalized"),
        })
    };
    page.into_iter().map(entry).collect()
}

/// The newest version of transactions that is asked for. A node refuses one of a newer version than that (-32015), and without the option
/// each that has a version. What a transaction did is told in the same form whatever its version, so [`read_transaction`] reads each.
pub const NEWEST_TRANSACTION_VERSION: u32 = 1;

/// What a transaction did; `None` if the node does not know it, or has forgotten it.
///
/// # Errors
///
/// [`ReadError`]; a node that does not record what transactions do has no `meta`.
pub fn read_transaction(result: Item) -> Result<Option<Transaction>, ReadError> {
    if result.is_null() {
        return Ok(None);
    }
    let meta = result.get("meta").filter(|meta| meta.is_object()).ok_or(ReadError::unexpected("meta"))?;
    let sent = result.get("transaction").unwrap_or_default();
    let message = sent.get("message").unwrap_or_default();
    let signatures = sent.get("signatures").and_then(list).unwrap_or_default();
    let required =
        message.get("header").and_then(|header| header.get("numRequiredSignatures")).and_then(Item::whole);
    let required = required.filter(|required| *required as usize == signatures.len());
    let required = required.ok_or(ReadError::unexpected("numRequiredSignatures"))?;

    let own = message.get("accountKeys").and_then(list).ok_or(ReadError::unexpected("accountKeys"))?;
    let loaded = |kind| meta.get("loadedAddresses").and_then(|loaded| loaded.get(kind)).and_then(list);
    let loaded = ["writable", "readonly"].map(|kind| loaded(kind).unwrap_or_default()).concat();
    let (before, after) = (numbers(meta, "preBalances")?, numbers(meta, "postBalances")?);
    let addresses = [own, loaded].concat();
    if addresses.len() != before.len() || addresses.len() != after.len() {
        return Err(ReadError::unexpected("balance of each account"));
    }
    let accounts = addresses.into_iter().zip(before.into_iter().zip(after)).enumerate();
    let accounts = accounts.map(|(place, (address, (before, after)))| {
        Ok(AccountChange {
            address: owned(Some(address), "accountKeys")?,
            signed: (place as u64) < required,
            lamports: Change { before, after },
        })
    });
    let accounts: Vec<AccountChange> = accounts.collect::<Result<_, ReadError>>()?;

    Ok(Some(Transaction {
        signature: owned(signatures.first().copied(), "signatures")?,
        slot: result.get("slot").and_then(Item::whole).ok_or(ReadError::unexpected("slot"))?,
        time: result.get("blockTime").and_then(Item::whole),
        failed: !meta.get("err").ok_or(ReadError::unexpected("err"))?.is_null(),
        fee: meta.get("fee").and_then(Item::whole).ok_or(ReadError::unexpected("fee"))?,
        tokens: token_changes(meta, &accounts)?,
        accounts,
    }))
}

/// What a transaction did to the token accounts among its accounts.
fn token_changes(meta: Item, accounts: &[AccountChange]) -> Result<Vec<TokenChange>, ReadError> {
    let mut tokens: Vec<TokenChange> = Vec::new();
    for (list, is_after) in [("preTokenBalances", false), ("postTokenBalances", true)] {
        for balance in meta.get(list).and_then(Item::items).ok_or(ReadError::unexpected(list))? {
            let place = balance.get("accountIndex").and_then(Item::whole);
            let account = place.and_then(|place| accounts.get(usize::try_from(place).ok()?));
            let account = &account.ok_or(ReadError::unexpected("accountIndex"))?.address;
            let mint = owned(balance.get("mint"), "mint")?;
            let owner = balance.text_of("owner");
            let amount =
                balance.get("uiTokenAmount").and_then(|amount| amount.get("amount")).and_then(Item::text);
            let amount = amount.and_then(|amount| amount.parse().ok());
            let amount: u64 = amount.ok_or(ReadError::unexpected("uiTokenAmount.amount"))?;
            let is_own = |known: &&mut TokenChange| {
                known.account == *account && known.mint == mint && known.owner.as_deref() == owner
            };
            let change = match tokens.iter_mut().find(is_own) {
                Some(known) => &mut known.tokens,
                None => {
                    let tokens_of = |tokens| TokenChange {
                        account: account.clone(),
                        owner: owner.map(str::to_owned),
                        mint,
                        tokens,
                    };
                    tokens.push(tokens_of(Change { before: 0, after: 0 }));
                    let Some(new) = tokens.last_mut() else { continue };
                    &mut new.tokens
                }
            };
            if is_after { change.after = amount } else { change.before = amount }
        }
    }
    Ok(tokens)
}

fn signed(item: Item) -> Option<i64> {
    match item.data() {
        Data::Number(digits) => digits.parse().ok(),
        Data::Integer(integer) => Some(integer),
        _ => None,
    }
}

fn owned(item: Option<Item>, what: &'static str) -> Result<String, ReadError> {
    item.and_then(Item::text).map(str::to_owned).ok_or(ReadError::unexpected(what))
}

fn list(item: Item<'_>) -> Option<Vec<Item<'_>>> {
    Some(item.items()?.collect())
}

fn numbers(meta: Item, list: &'static str) -> Result<Vec<u64>, ReadError> {
    let numbers = meta.get(list).and_then(Item::items).ok_or(ReadError::unexpected(list))?;
    numbers.map(|number| number.whole().ok_or(ReadError::unexpected(list))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn result(text: &str) -> Tape {
        json::parse(text.as_bytes()).unwrap()
    }

    #[test]
    fn a_batch_may_answer_in_any_order_and_in_part() {
        let replies = Replies::parse(
            br#"[{"id":2,"result":null},{"id":1,"result":5},{"id":3,"result":1},{"id":3,"result":2}]"#,
        )
        .unwrap();
        assert_eq!(replies.result(1).map(read_number), Ok(Ok(5)));
        assert!(replies.result(2).unwrap().is_null());
        assert_eq!(replies.result(3).unwrap_err(), ReadError::no_reply(3), "two answers are none");
        assert_eq!(replies.result(4).unwrap_err().to_string(), "the node's reply has no answer to call 4");
        let refused =
            Replies::parse(br#"{"id":null,"error":{"code":-32005,"message":"Node is\n behind"}}"#).unwrap();
        assert_eq!(refused.result(1).unwrap_err().to_string(), "the node refused: Node is behind (-32005)");
        let other = Replies::parse(br#"{"id":7,"result":5}"#).unwrap();
        assert_eq!(other.result(1).unwrap_err(), ReadError::no_reply(1));
        let error = Replies::parse(b"none").unwrap_err();
        assert_eq!(error.to_string(), "the node's reply is not JSON: an unknown word at byte 0");
    }

    #[test]
    fn an_account_is_read_whatever_its_rent_epoch() {
        let mint: Address = "5gPoYaU3R9LTTLCSH1FkXvJ7mJiXkryo8JNeycYrU4gs".parse().unwrap();
        let reply = result(
            r#"{"context":{"slot":9007199254740993,"apiVersion":"3"},"value":[null,{"data":["AQI=","base64"],
            "owner":"TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA","lamports":9007199254740995,"executable":false,
            "space":2,"rentEpoch":18446744073709551615}]}"#,
        );
        let (slot, accounts) = read_accounts(&[mint, mint], reply.root()).unwrap();
        assert_eq!((slot, &accounts[0]), (9_007_199_254_740_993, &None));
        let account = accounts[1].as_ref().unwrap();
        assert_eq!((account.lamports, &account.data[..]), (9_007_199_254_740_995, &[1u8, 2][..]));
        let few = read_accounts(&[mint], reply.root()).unwrap_err();
        assert_eq!(few.to_string(), "the node's reply has no readable value for each address");
        for (cut, what) in [
            (r#"{"value":[]}"#, "context.slot"),
            (
                r#"{"context":{"slot":1},"value":[{"data":"AQI=","owner":"11111111111111111111111111111111","lamports":1}]}"#,
                "data in base64",
            ),
            (
                r#"{"context":{"slot":1},"value":[{"data":["AQI=","base64"],"owner":"1","lamports":1}]}"#,
                "owner",
            ),
            (
                r#"{"context":{"slot":1},"value":[{"data":["AQI=","base64"],"owner":"11111111111111111111111111111111","lamports":-1}]}"#,
                "lamports",
            ),
        ] {
            assert_eq!(read_accounts(&[mint], result(cut).root()), Err(ReadError::unexpected(what)));
        }
    }

    #[test]
    fn signatures_say_whether_they_failed_and_are_final() {
        let page = result(
            r#"[{"signature":"b","slot":12,"err":{"InstructionError":[3,{"Custom":6002}]},"memo":null,"blockTime":5,"confirmationStatus":"finalized"},
            {"signature":"a","slot":11,"err":null,"memo":null,"blockTime":null,"confirmationStatus":"confirmed"}]"#,
        );
        let entry = |signature: &str, slot, failed, finalized| Entry {
            signature: signature.into(),
            slot,
            failed,
            finalized,
        };
        assert_eq!(
            read_signatures(page.root()),
            Ok(vec![entry("b", 12, true, true), entry("a", 11, false, false)])
        );
        let without = result(r#"[{"signature":"b","slot":12,"confirmationStatus":"finalized"}]"#);
        assert_eq!(
            read_signatures(without.root()),
            Err(ReadError::unexpected("err")),
            "no word is not success"
        );
        assert!(read_signatures(result("null").root()).is_err());
    }

    const TRANSACTION: &str = r#"{"slot":70,"blockTime":1700000000,"version":0,
        "transaction":{"signatures":["S"],"message":{"header":{"numRequiredSignatures":1,"numReadonlySignedAccounts":0,"numReadonlyUnsignedAccounts":1},
            "accountKeys":["W","A"],"instructions":[]}},
        "meta":{"err":null,"fee":5000,"preBalances":[90,9,1,0],"postBalances":[50,9,1,30],
            "preTokenBalances":[{"accountIndex":1,"mint":"M","owner":"W","uiTokenAmount":{"amount":"18446744073709551615","decimals":6,"uiAmount":null}}],
            "postTokenBalances":[{"accountIndex":3,"mint":"M","owner":"V","uiTokenAmount":{"amount":"4"}}],
            "loadedAddresses":{"writable":["M"],"readonly":["B"]},"logMessages":[]}}"#;

    #[test]
    fn a_transaction_has_the_accounts_of_lookup_tables_and_the_tokens_of_closed_accounts() {
        let read = read_transaction(result(TRANSACTION).root()).unwrap().unwrap();
        assert_eq!(
            (read.signature.as_str(), read.slot, read.time, read.failed, read.fee),
            ("S", 70, Some(1_700_000_000), false, 5_000)
        );
        assert_eq!(read.lamports_of("B"), Some(Change { before: 0, after: 30 }), "loaded, writable first");
        assert_eq!(["W", "A", "M"].map(|account| read.is_signed_by(account)), [true, false, false]);
        let [closed, opened] = &read.tokens[..] else { panic!("{:?}", read.tokens) };
        assert_eq!((closed.account.as_str(), closed.tokens), ("A", Change { before: u64::MAX, after: 0 }));
        assert_eq!((opened.owner.as_deref(), opened.tokens), (Some("V"), Change { before: 0, after: 4 }));
        assert_eq!(read_transaction(result("null").root()), Ok(None));
    }

    #[test]
    fn a_transaction_that_is_cut_is_refused_and_never_read_as_zero() {
        for (part, by, what) in [
            (r#""err":null,"#, "", "err"),
            (r#""fee":5000,"#, "", "fee"),
            (r#""preBalances":[90,9,1,0]"#, r#""preBalances":[90,9,1]"#, "balance of each account"),
            (r#""preBalances":[90,9,1,0]"#, r#""preBalances":[90,9,1,0.5]"#, "preBalances"),
            (r#""preTokenBalances":["#, r#""preTokenBalances":null,"x":["#, "preTokenBalances"),
            (r#""accountIndex":3"#, r#""accountIndex":4"#, "accountIndex"),
            (r#""amount":"4""#, r#""amount":4"#, "uiTokenAmount.amount"),
            (r#""signatures":["S"]"#, r#""signatures":[]"#, "numRequiredSignatures"),
            (r#""accountKeys":["W","A"]"#, r#""accountKeys":["W",{}]"#, "accountKeys"),
            (
                r#""loadedAddresses":{"writable":["M"],"readonly":["B"]}"#,
                r#""x":1"#,
                "balance of each account",
            ),
        ] {
            assert!(TRANSACTION.contains(part), "{part}");
            let cut = result(&TRANSACTION.replace(part, by));
            assert_eq!(read_transaction(cut.root()), Err(ReadError::unexpected(what)), "{part}");
        }
    }
}
