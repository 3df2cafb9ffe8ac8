//! The methods of JSON-RPC that a reader of the chain uses.

use base64ct::{Base64, Encoding};

use super::hash::hash;
use super::ledger::{CarriedOut, LocalChain};
use super::time;
use crate::problem;
use crate::row::TradeLeg;
use crate::step::chain_error;
use launchpad_desk::amount::Digits;
use launchpad_desk::api::endpoint::Reply;
use launchpad_desk::bindings::object;
use launchpad_desk::chain::account::Account;
use launchpad_desk::chain::address::{Address, LAUNCHPAD_PROGRAM};
use launchpad_desk::evidence::{Change, TokenChange};
use launchpad_desk::market::read::Commitment;
use launchpad_desk::tape::{Data, Item, Number, Tape, ToTape, Writer, json};

/// The most accounts of one call, the most signatures of one list, and the most calls of one batch.
const MOST_ACCOUNTS: usize = 100;
const MOST_SIGNATURES: u64 = 1_000;
const MOST_CALLS: usize = 100;

/// A call that is refused: JSON-RPC's code, and why.
struct Refusal(i64, String);

fn refuse<T>(code: i64, why: &str) -> Result<T, Refusal> {
    Err(Refusal(code, why.to_owned()))
}

fn wrong<T>(why: &str) -> Result<T, Refusal> {
    refuse(-32_602, &["Invalid params: ", why].concat())
}

/// A negative number of JSON, which a reply's codes are.
struct Code(i64);

impl ToTape for Code {
    fn write(&self, tape: &mut Writer) {
        tape.integer(self.0);
    }
}

impl LocalChain {
    /// Answers the body of one request: a call, or a batch of them.
    pub fn answer(&mut self, body: &[u8], now_ms: u64) -> Reply {
        self.newest_slot = self.newest_slot.max(time::slot_at(now_ms));
        self.requests += 1;
        if let Some(wait_ms) = self.wait_ms(now_ms) {
            let error = object! { "code": Code(429), "message": "Too many requests for a specific RPC call" };
            let mut reply = reply(429, &object! { "jsonrpc": "2.0", "error": error });
            reply.headers.push(("retry-after".to_owned(), wait_ms.div_ceil(1_000).digits()));
            return reply;
        }
        // What this request sees: all of its calls are answered by one machine.
        let jumps =
            self.faults.jump_back_every.is_some_and(|every| self.requests.is_multiple_of(every.into()));
        let behind = self.faults.lag_slots + if jumps { self.faults.jump_back_slots } else { 0 };
        let seen = View { chain: self, newest: self.newest_slot.saturating_sub(behind) };
        let Ok(tape) = json::parse(body) else {
            return reply(200, &answered(Item::default(), Err(Refusal(-32_700, "Parse error".to_owned()))));
        };
        match tape.root().data() {
            Data::Array(_) if self.faults.refuse_batches => {
                let refused = refuse(-32_600, "Batch requests are not supported");
                reply(200, &answered(Item::default(), refused))
            }
            Data::Array(calls) if (1..=MOST_CALLS).contains(&calls.len()) => {
                reply(200, &calls.map(|call| seen.call(call)).collect::<Vec<_>>())
            }
            Data::Object(_) => reply(200, &seen.call(tape.root())),
            _ => reply(200, &answered(Item::default(), refuse(-32_600, "Invalid request"))),
        }
    }

    /// How long a request must wait, if too many came before it.
    fn wait_ms(&mut self, now_ms: u64) -> Option<u64> {
        let limit = self.faults.rate_limit?;
        let (since, count) = &mut self.window;
        // A clock that was set back opens a new window.
        let age = now_ms.checked_sub(*since).filter(|age| *age < u64::from(limit.per_ms) && *count > 0);
        let Some(age) = age else {
            (*since, *count) = (now_ms, 1);
            return None;
        };
        if *count >= limit.requests {
            return Some(u64::from(limit.per_ms) - age);
        }
        *count += 1;
        None
    }
}

fn reply(status: u16, body: &dyn ToTape) -> Reply {
    problem::reply(status, json::write(&body.to_tape()))
}

fn answered(id: Item, result: Result<Tape, Refusal>) -> Tape {
    match result {
        Ok(result) => object! { "jsonrpc": "2.0", "id": id, "result": result },
        Err(Refusal(code, message)) => {
            let error = object! { "code": Code(code), "message": message };
            object! { "jsonrpc": "2.0", "id": id, "error": error }
        }
    }
}

/// The chain as one machine sees it.
struct View<'a> {
    chain: &'a LocalChain,
    newest: u64,
}

/// The options that come last in a call's parameters.
struct Options<'t> {
    item: Item<'t>,
    commitment: Commitment,
    slot: u64,
}

impl Options<'_> {
    /// A node has no history of a block that is only processed.
    fn of_history(self) -> Result<Self, Refusal> {
        match self.commitment {
            Commitment::Processed => refuse(-32_602, "Method does not support commitment below `confirmed`"),
            _ => Ok(self),
        }
    }
}

impl View<'_> {
    fn call(&self, call: Item) -> Tape {
        let id = call.get("id").unwrap_or_default();
        let method = call.text_of("method");
        let (Some(method), true) = (method, call.text_of("jsonrpc") == Some("2.0")) else {
            return answered(id, refuse(-32_600, "Invalid request"));
        };
        let params: Vec<Item> = match call.get("params").map(Item::data) {
            None | Some(Data::Null) => Vec::new(),
            Some(Data::Array(params)) => params.collect(),
            _ => return answered(id, wrong("expected an array")),
        };
        answered(id, self.result(method, &params))
    }

    fn result(&self, method: &str, params: &[Item]) -> Result<Tape, Refusal> {
        if self.chain.faults.refuse_methods.iter().any(|refused| refused == method) {
            return refuse(-32_601, "Method not found");
        }
        let options = |at: usize| self.options(params.get(at).copied().unwrap_or_default());
        let first = params.first().copied().unwrap_or_default();
        match method {
            "getSlot" => Ok(Number(options(0)?.slot.into()).to_tape()),
            "getBlockHeight" => Ok(Number(time::height(options(0)?.slot).into()).to_tape()),
            "getBlockTime" => {
                let slot = self.block(first)?;
                Ok(Number(time::block_time(slot).into()).to_tape())
            }
            "getBlock" => self.header(first, &options(1)?.of_history()?),
            "getFirstAvailableBlock" => Ok(Number(self.first_available().into()).to_tape()),
            "getHealth" => Ok("ok".to_tape()),
            "getVersion" => Ok(object! { "solana-core": "3.0.0", "feature-set": 0u32 }),
            "getGenesisHash" => Ok(hash("genesis", self.chain.first_slot).to_tape()),
            "getMinimumBalanceForRentExemption" => match first.whole() {
                Some(bytes) => Ok(Number(self.chain.rent(bytes).into()).to_tape()),
                None => wrong("expected a length in bytes"),
            },
            "getLatestBlockhash" => {
                let slot = options(0)?.slot;
                let height = time::height(slot) + u64::from(self.chain.launchpad.blockhash_blocks);
                let value = object! { "blockhash": hash("block", slot), "lastValidBlockHeight": height };
                Ok(self.in_context(slot, &value))
            }
            "getAccountInfo" => {
                let options = options(1)?;
                let account = self.account(first, &options)?;
                Ok(self.in_context(options.slot, &account))
            }
            "getMultipleAccounts" => {
                let options = options(1)?;
                let Data::Array(addresses) = first.data() else {
                    return wrong("expected a list of addresses");
                };
                if addresses.len() > MOST_ACCOUNTS {
                    return refuse(-32_602, "Too many inputs provided; max 100");
                }
                let accounts: Result<Vec<_>, _> =
                    addresses.map(|address| self.account(address, &options)).collect();
                Ok(self.in_context(options.slot, &accounts?))
            }
            "getSignaturesForAddress" => self.signatures(address(first)?, &options(1)?.of_history()?),
            "getSignatureStatuses" => {
                let Data::Array(signatures) = first.data() else {
                    return wrong("expected a list of signatures");
                };
                let statuses: Vec<_> =
                    signatures.map(|signature| signature.text().and_then(|own| self.status(own))).collect();
                Ok(self.in_context(self.newest, &statuses))
            }
            "getTransaction" => {
                self.transaction(first.text().unwrap_or_default(), &options(1)?.of_history()?)
            }
            _ => refuse(-32_601, "Method not found"),
        }
    }

    fn options<'t>(&self, item: Item<'t>) -> Result<Options<'t>, Refusal> {
        let commitment = match item.get("commitment").filter(|own| !own.is_null()) {
            None => Commitment::Finalized,
            Some(given) => match given.text().and_then(Commitment::from_name) {
                Some(known) => known,
                None => return wrong("unknown commitment"),
            },
        };
        let slot = time::newest_of(commitment, self.newest);
        if item.get("minContextSlot").and_then(Item::whole).is_some_and(|least| slot < least) {
            return refuse(-32_016, "Minimum context slot has not been reached");
        }
        Ok(Options { item, commitment, slot })
    }

    fn in_context(&self, slot: u64, value: &dyn ToTape) -> Tape {
        let context = object! { "apiVersion": "3.0.0", "slot": Number(slot.into()) };
        let value = value.to_tape();
        object! { "context": context, "value": value }
    }

    /// The oldest block whose transactions it still has.
    fn first_available(&self) -> u64 {
        let kept = self.chain.faults.prune_after_slots.map(|slots| self.newest.saturating_sub(slots));
        self.chain.first_slot.max(kept.unwrap_or(0))
    }

    /// The block in a slot, without its transactions.
    fn header(&self, slot: Item, options: &Options) -> Result<Tape, Refusal> {
        if options.item.text_of("transactionDetails") != Some("none") {
            return wrong("this chain writes blocks without their transactions alone");
        }
        let slot = self.block(slot)?;
        if slot > options.slot {
            return refuse(-32_004, &["Block not available for slot ", &slot.digits()].concat());
        }
        Ok(object! {
            "blockhash": hash("block", slot),
            "blockHeight": Number(time::height(slot).into()),
            "blockTime": Number(time::block_time(slot).into()),
        })
    }

    /// A slot that has a block, of which the node still knows something.
    fn block(&self, slot: Item) -> Result<u64, Refusal> {
        let Some(slot) = slot.whole() else { return wrong("expected a slot") };
        if time::is_skipped(slot) {
            let why = ["Slot ", &slot.digits(), " was skipped, or missing in long-term storage"].concat();
            return refuse(-32_009, &why);
        }
        if slot > self.newest || slot < self.first_available() {
            return refuse(-32_004, &["Block not available for slot ", &slot.digits()].concat());
        }
        Ok(slot)
    }

    fn account(&self, at: Item, options: &Options) -> Result<Option<Tape>, Refusal> {
        let encoding = options.item.text_of("encoding");
        if encoding != Some("base64") {
            return wrong("this chain writes accounts in base64 alone");
        }
        let address = address(at)?;
        Ok(self.chain.at(&address, options.slot).map(|account| {
            let Account { owner, lamports, data, .. } = account;
            let text = vec![Base64::encode_string(data), "base64".to_owned()];
            object! {
                "data": text,
                "executable": false,
                "lamports": Number((*lamports).into()),
                "owner": owner.to_string(),
                "rentEpoch": Number(u64::MAX.into()),
                "space": Number(data.len() as u128),
            }
        }))
    }

    /// The transactions that it still has, up to a slot, newest first.
    fn kept(&self, slot: u64) -> impl Iterator<Item = &CarriedOut> {
        let first = self.first_available();
        self.chain.transactions(slot).filter(move |own| own.transaction.slot >= first)
    }

    fn signatures(&self, address: Address, options: &Options) -> Result<Tape, Refusal> {
        let option = |name: &str| options.item.get(name).filter(|own| !own.is_null());
        let limit = match option("limit").map(Item::whole) {
            None => MOST_SIGNATURES,
            Some(Some(limit)) if (1..=MOST_SIGNATURES).contains(&limit) => limit,
            Some(_) => return wrong("the limit must be from 1 to 1000"),
        };
        let (before, until) = (option("before").and_then(Item::text), option("until").and_then(Item::text));
        let account = address.to_string();
        let mut listed: Box<dyn Iterator<Item = &CarriedOut>> = Box::new(self.kept(options.slot));
        if let Some(before) = before {
            listed = Box::new(listed.skip_while(move |own| own.transaction.signature != before).skip(1));
        }
        let listed = listed.take_while(|own| Some(own.transaction.signature.as_str()) != until);
        let listed = listed.filter(|own| own.transaction.names(&account)).take(limit as usize);
        let entry = |own: &CarriedOut| {
            object! {
                "signature": own.transaction.signature,
                "slot": Number(own.transaction.slot.into()),
                "err": error(own),
                "memo": None::<String>,
                "blockTime": own.transaction.time.map(|time| Number(time.into())),
                "confirmationStatus": time::how_sure(own.transaction.slot, self.newest),
            }
        };
        Ok(listed.map(entry).collect::<Vec<_>>().to_tape())
    }

    fn status(&self, signature: &str) -> Option<Tape> {
        let own = self.kept(self.newest).find(|own| own.transaction.signature == signature)?;
        let sure = time::how_sure(own.transaction.slot, self.newest);
        let confirmations = self.newest - own.transaction.slot;
        Some(object! {
            "slot": Number(own.transaction.slot.into()),
            "confirmations": (sure != Commitment::Finalized).then_some(Number(confirmations.into())),
            "err": error(own),
            "confirmationStatus": sure,
        })
    }

    fn transaction(&self, signature: &str, options: &Options) -> Result<Tape, Refusal> {
        let encoding = options.item.get("encoding").filter(|own| !own.is_null());
        if encoding.is_some_and(|encoding| encoding.text() != Some("json")) {
            return wrong("this chain writes transactions in json alone");
        }
        let found = self.kept(options.slot).find(|own| own.transaction.signature == signature);
        let version = self.chain.faults.transaction_version.filter(|_| found.is_some());
        let supported = options.item.get("maxSupportedTransactionVersion").and_then(Item::whole);
        if let Some(version) = version.filter(|version| supported.is_none_or(|most| most < (*version).into()))
        {
            let version = version.digits();
            let why = [
                "Transaction version (",
                &version,
                ") is not supported by the requesting client. Please try the request again ",
                "with the following configuration parameter: \"maxSupportedTransactionVersion\": ",
                &version,
            ];
            return refuse(-32_015, &why.concat());
        }
        Ok(found.map(|own| transaction_value(self.chain, own)).to_tape())
    }
}

/// A transaction as a node tells of it.
fn transaction_value(chain: &LocalChain, own: &CarriedOut) -> Tape {
    let transaction = &own.transaction;
    let lamports = |of: fn(Change) -> u64| -> Vec<Number> {
        transaction.accounts.iter().map(|account| Number(of(account.lamports).into())).collect()
    };
    let place = |address: &str| transaction.accounts.iter().position(|own| own.address == address);
    // An account that does not exist is left out.
    let tokens = |of: fn(Change) -> u64| -> Vec<Tape> {
        let exists = |account: &str| transaction.lamports_of(account).is_some_and(|own| of(own) > 0);
        let there = transaction.tokens.iter().filter(|tokens| exists(&tokens.account));
        let balance = |tokens: &TokenChange| {
            let amount = of(tokens.tokens);
            object! {
                "accountIndex": Number(place(&tokens.account).unwrap_or_default() as u128),
                "mint": tokens.mint,
                "owner": tokens.owner,
                "uiTokenAmount": object! { "amount": amount.digits(), "decimals": chain.token_decimals() },
            }
        };
        there.map(balance).collect()
    };
    let logs = own.trade.iter().map(|trade| ["Program log: ", &trade.results].concat());
    let nothing = Vec::<String>::new;
    let version = match chain.faults.transaction_version {
        Some(version) => version.to_tape(),
        None => "legacy".to_tape(),
    };
    object! {
        "slot": Number(transaction.slot.into()),
        "blockTime": transaction.time.map(|time| Number(time.into())),
        "version": version,
        "transaction": sent(own),
        "meta": object! {
            "err": error(own),
            "fee": Number(transaction.fee.into()),
            "preBalances": lamports(|own| own.before),
            "postBalances": lamports(|own| own.after),
            "preTokenBalances": tokens(|own| own.before),
            "postTokenBalances": tokens(|own| own.after),
            "loadedAddresses": object! { "writable": nothing(), "readonly": nothing() },
            "logMessages": logs.collect::<Vec<_>>(),
        },
    }
}

/// What its signers have sent.
fn sent(CarriedOut { transaction, trade }: &CarriedOut) -> Tape {
    let signers = transaction.accounts.iter().filter(|account| account.signed).count();
    let keys: Vec<&str> = transaction.accounts.iter().map(|account| account.address.as_str()).collect();
    let legs = trade.as_ref().map_or(&[][..], |trade| &trade.legs);
    let launchpad = LAUNCHPAD_PROGRAM.to_string();
    let program = keys.iter().position(|key| *key == launchpad).unwrap_or_default();
    let accounts: Vec<Number> = (0..keys.len()).map(|place| Number(place as u128)).collect();
    let instruction = |_: &TradeLeg| {
        let (program, accounts) = (Number(program as u128), &accounts);
        object! { "programIdIndex": program, "accounts": accounts, "data": "" }
    };
    let mut signatures = vec![transaction.signature.clone()];
    // Those of the other signers, which name nothing.
    signatures.extend((1..signers).map(|place| hash(&transaction.signature, place as u64)));
    let message = object! {
        "header": object! {
            "numRequiredSignatures": Number(signers as u128),
            "numReadonlySignedAccounts": 0u32,
            "numReadonlyUnsignedAccounts": 4u32,
        },
        "accountKeys": keys,
        "recentBlockhash": hash("block", transaction.slot),
        "instructions": legs.iter().map(instruction).collect::<Vec<_>>(),
    };
    object! { "signatures": signatures, "message": message }
}

/// Why a transaction failed, as the network has it. Only trades fail here.
fn error(own: &CarriedOut) -> Option<Tape> {
    own.trade.as_ref().filter(|_| own.transaction.failed).map(chain_error)
}

fn address(item: Item) -> Result<Address, Refusal> {
    match item.text().map(str::parse) {
        Some(Ok(address)) => Ok(address),
        _ => wrong("expected an address: base58 of 32 bytes"),
    }
}
