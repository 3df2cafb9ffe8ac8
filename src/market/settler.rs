//! How a trade ended, as a machine without I/O: it asks one JSON-RPC batch after another until the evidence is complete.
//!
//! ```text
//! next_body() ─▶ the caller posts it ─▶ replied(bytes) ─▶ next_body() … None ─▶ settled()
//! ```
//!
//! A node that does not answer a batch is asked for each of its calls by itself, once; [`BatchReply`] says when. Then no answer says how far
//! back another one goes: each wallet's list must reach a transaction from before the trade.
//!
//! Data that a node does not return is missing, so [`settle()`] leaves the trade open. An error of a node settles nothing.

use std::collections::VecDeque;

use crate::api::request::Request;
use crate::chain::address::{Address, token_account_address};
use crate::chain::mint::Mint;
use crate::chain::rpc::{
    BatchReply, NEWEST_TRANSACTION_VERSION, Replies, read_accounts, read_block, read_number, read_signatures,
    read_transaction, refusal_of,
};
use crate::chain::token_account::read_holding;
use crate::chain::wallets::{NoAddress, WalletAddresses};
use crate::chain::{ReadError, Why};
use crate::evidence::{Listing, Mark, Moved, Transaction};
use crate::intent::IntentOutcome;
use crate::launchpad::Launchpad;
use crate::object;
use crate::tape::{Tape, ToTape, json};
use crate::trade::guard::{OtherTrade, request_of};
use crate::trade::reconcile::WalletBalances;
use crate::trade::settle::{
    self, Evidence, MARGIN_BLOCKS, Other, Sent, Settled, Snapshot, TokenAccount, UnknownReason, answered,
    settle,
};

use super::read::{Asking, call, wallets_of};

/// The most lines of one list, and the most calls of one batch.
const PAGE: usize = 1_000;
const BATCH: usize = 50;
/// How many requests of one settler may be in flight, to a node that refuses batches.
pub const MOST_AT_ONCE: usize = 4;
/// The number of the call for the block of the balances before.
const BEFORE_CALL: u64 = 0;
/// The code of a node that has not reached `minContextSlot` yet.
const MIN_CONTEXT_SLOT: i64 = -32_016;
/// The number of the call for the transaction that the service has named.
const NAMED_CALL: u64 = 4;
/// How many batches one settler may ask for: a node whose lists never end is not asked forever.
const MOST_BATCHES: u32 = 200;

/// What is asked for next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    /// The chain's newest slot and height, and the mint's account.
    Chain,
    /// When its newest block was made, and some before it, that far back that a blockhash may have died since.
    Time,
    /// The transactions of each account.
    Lists,
    /// What each of them did.
    Transactions,
    /// What the wallets hold now.
    Balances,
    /// Nothing more.
    Done,
}

/// What the chain has shown of a trade after its send. Keep it for the next settler of the same trade.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shown {
    /// The block of the balances before, if it was read.
    pub before: Option<Mark>,
    /// The first finalized block that was read after the send.
    pub after: Mark,
    /// The block from which the trade's blockhash must have expired, if one was read: the next settler needs it if the node gives no earlier blocks.
    pub since: Option<Mark>,
}

/// Finds out how one trade ended: asks a node until the evidence is complete.
#[derive(Clone, Debug)]
pub struct Settler {
    request: Request,
    sent: Sent,
    others: Vec<Other>,
    evidence: Evidence,
    mint: Option<Address>,
    /// The wallets that trade and the fee payer, each once.
    wallets: Vec<Address>,
    traders: usize,
    token_accounts: Vec<Address>,
    listings: Vec<Listing>,
    /// The newest of those that were read with the pages; `None` if one was not.
    first_available_slot: Option<u64>,
    /// Blocks before the newest, in the order in which they were asked for, and then what they say.
    earlier_slots: Vec<u64>,
    earlier: Vec<Mark>,
    unread: Vec<String>,
    phase: Phase,
    batches: u32,
    /// Whether the node has not answered a batch, so that each call is a request of its own, and whether it refuses batches as such.
    one_by_one: bool,
    refuses_batches: bool,
    answers_batches: bool,
    /// The most accounts that the node allows a call, if it has refused more, and the call for all of them.
    most_accounts: Option<usize>,
    asking: Option<Asking>,
    /// The numbers of the calls that were asked last; alone, those that are still to be posted, and the replies so far.
    ids: Vec<u64>,
    left: VecDeque<String>,
    gathered: Vec<Result<Vec<u8>, ReadError>>,
    /// Why the node was not asked further; whether it has refused a call for good, and whether because it lags.
    problem: Option<String>,
    has_refused: bool,
    lags: bool,
    /// What the service has said, and the signature that it has named, if it has answered, and what that alone has proven.
    named: Option<(IntentOutcome, String)>,
    by_name: Option<Settled>,
    /// Whether the named transaction may still come.
    may_come: bool,
    /// By which addresses the chain knows the wallets, and the first wallet of the trade that it does not know.
    addresses: WalletAddresses,
    unknown: Option<NoAddress>,
}

impl Settler {
    /// A settler of this trade. `shown` is what [`shown`](Settler::shown) of an earlier settler of it has given. `others` are
    /// the [other trades](crate::trade::guard::Guards::others) of the client that share a wallet with it; `None` if not all of them
    /// are known. Then the wallets count as shared.
    pub fn new(
        request: Request,
        sent: Sent,
        shown: Option<Shown>,
        wallets_shared: bool,
        others: Option<Vec<OtherTrade>>,
    ) -> Settler {
        Settler::at(WalletAddresses::default(), request, sent, shown, wallets_shared, others)
    }

    /// The same for wallets that the chain knows by these addresses.
    pub fn at(
        addresses: WalletAddresses,
        mut request: Request,
        mut sent: Sent,
        shown: Option<Shown>,
        wallets_shared: bool,
        others: Option<Vec<OtherTrade>>,
    ) -> Settler {
        let unknown = addresses.on_chain(&mut request).err();
        // One without an address is not of the trade, or the trade has none either.
        for balances in sent.before.iter_mut().flat_map(|before| &mut before.balances) {
            let _ = addresses.place(&mut balances.wallet);
        }
        let names = wallets_of(&request);
        let is_trader = |name: &str| request.legs.iter().any(|leg| leg.from_wallet == name);
        let traders = names.iter().filter(|name| is_trader(name)).count();
        let wallets: Vec<Address> = names.iter().filter_map(|name| name.parse().ok()).collect();
        let mint = request.mint.parse().ok().filter(|_| unknown.is_none() && sent.before.is_some());
        let read_other = |other| read_other(&addresses, other);
        let others: Option<Vec<Other>> =
            others.and_then(|others| others.into_iter().map(read_other).collect());
        let knows_others = others.is_some();
        let wallets_shared = wallets_shared || !knows_others;
        // One of an earlier trade with the same id says nothing of this one.
        let before_slot = sent.before.as_ref().map_or(0, |before| before.slot);
        let shown = shown.filter(|shown| shown.after.slot >= before_slot);
        let after = shown.map(|shown| shown.after);
        let (before, since) = (shown.and_then(|shown| shown.before), shown.and_then(|shown| shown.since));
        Settler {
            phase: if mint.is_some() { Phase::Chain } else { Phase::Done },
            evidence: Evidence { before, after, since, wallets_shared, knows_others, ..Evidence::nothing() },
            mint,
            wallets,
            traders,
            token_accounts: Vec::new(),
            listings: Vec::new(),
            first_available_slot: Some(0),
            earlier_slots: Vec::new(),
            earlier: Vec::new(),
            unread: Vec::new(),
            batches: 0,
            one_by_one: false,
            refuses_batches: false,
            answers_batches: false,
            most_accounts: None,
            asking: None,
            ids: Vec::new(),
            left: VecDeque::new(),
            gathered: Vec::new(),
            problem: None,
            has_refused: false,
            lags: false,
            named: None,
            by_name: None,
            may_come: false,
            addresses,
            unknown,
            request,
            sent,
            others: others.unwrap_or_default(),
        }
    }

    /// The same for a trade that its service has said to have ended so, with this signature: that transaction is asked for first, and decides if it
    /// is the trade's. If it failed, and the service does not say so, it has perhaps tried again: then the lists decide. While the transaction may
    /// still come, nothing more is asked.
    pub fn answered(self, said: IntentOutcome, signature: String) -> Settler {
        let mint = self.request.mint.parse().ok().filter(|_| self.unknown.is_none());
        let phase = if mint.is_some() { Phase::Chain } else { Phase::Done };
        Settler { named: Some((said, signature)), mint, phase, ..self }
    }

    /// The same, which asks for each call by itself: an earlier one has found that the node [refuses batches](Settler::refuses_batches).
    pub fn one_by_one(self) -> Settler {
        Settler { one_by_one: true, refuses_batches: true, ..self }
    }

    /// The same for a node that allows a call so many accounts: an earlier one [has found](Settler::most_accounts) that.
    pub fn of_few_accounts(self, most_accounts: Option<usize>) -> Settler {
        Settler { most_accounts, ..self }
    }

    /// The most accounts that the node allows a call, if it has refused more.
    pub fn most_accounts(&self) -> Option<usize> {
        self.most_accounts
    }

    /// Whether the node refuses batches, and answers each call by itself: the next settler need not try.
    pub fn refuses_batches(&self) -> bool {
        self.refuses_batches && self.problem.is_none()
    }

    /// The body to post next; `None` once there is nothing more to ask.
    pub fn next_body(&mut self) -> Option<String> {
        self.next_bodies(1).pop()
    }

    /// The bodies to post next, at most so many, whose replies may come in any order, but are [taken](Settler::replied) in this one. None
    /// once there is nothing more to ask.
    pub fn next_bodies(&mut self, most: usize) -> Vec<String> {
        if self.left.is_empty() {
            self.batches += 1;
            if self.batches > MOST_BATCHES {
                self.phase = Phase::Done;
            }
            let Some(calls) = self.calls() else { return Vec::new() };
            let id = |call: &Tape| call.root().get("id").and_then(|id| read_number(id).ok());
            self.ids = calls.iter().filter_map(id).collect();
            self.gathered.clear();
            if !self.one_by_one {
                return vec![json::write(&calls.to_tape())];
            }
            self.left = calls.iter().map(json::write).collect();
        }
        self.left.drain(..most.min(self.left.len())).collect()
    }

    fn calls(&mut self) -> Option<Vec<Tape>> {
        let finalized = || object! { "commitment": "finalized" };
        let calls: Vec<Tape> = match self.phase {
            Phase::Chain => {
                let options = vec![finalized()];
                let named = self.named.iter().map(|(_, signature)| transaction_call(NAMED_CALL, signature));
                let calls = [
                    call(1u64, "getSlot", options.to_tape()),
                    call(2u64, "getBlockHeight", options.to_tape()),
                    call(3u64, "getMultipleAccounts", accounts_params(self.mint.as_slice(), None)),
                ];
                calls.into_iter().chain(named).collect()
            }
            Phase::Time => {
                let now = self.evidence.now?.slot;
                self.earlier_slots = self.slots_before(now);
                let earlier = self.earlier_slots.iter().enumerate();
                let earlier = earlier.map(|(place, slot)| block_call(place as u64 + 2, *slot));
                // Of several calls each may be answered by another machine: only the block itself says height and time of this slot.
                let newest = match self.one_by_one {
                    true => block_call(1, now),
                    false => call(1u64, "getBlockTime", vec![now].to_tape()),
                };
                // When the balances were read, by the chain.
                let before = self.sent.held_ms.and(self.sent.before.as_ref());
                let before = before.map(|before| block_call(BEFORE_CALL, before.slot));
                std::iter::once(newest).chain(earlier).chain(before).collect()
            }
            Phase::Lists => {
                let min = self.evidence.now?.slot;
                let pages = self.listings.iter().enumerate().filter_map(|(place, listing)| {
                    let before = listing.next()?;
                    let account = self.accounts().nth(place)?;
                    let options = object! {
                        "limit": PAGE as u32, "before": before, "commitment": "finalized", "minContextSlot": min,
                    };
                    let params: [&dyn ToTape; 2] = [&account, &without_null(&options)];
                    Some(call(place as u64, "getSignaturesForAddress", params.to_tape()))
                });
                let none: Vec<Tape> = Vec::new();
                // Of the machine that answers these pages.
                let first = call(self.listings.len() as u64, "getFirstAvailableBlock", none.to_tape());
                pages.chain([first]).collect()
            }
            Phase::Transactions => {
                let read = self.unread.iter().take(BATCH).enumerate();
                read.map(|(place, signature)| transaction_call(place as u64, signature)).collect()
            }
            Phase::Balances => {
                let accounts: Vec<Address> = self.accounts().collect();
                let min = self.evidence.now.map(|now| now.slot);
                let most = self.most_accounts;
                let all = || call(1u64, "getMultipleAccounts", accounts_params(&accounts, min));
                self.asking.get_or_insert_with(|| Asking::of(all(), most)).calls()
            }
            Phase::Done => return None,
        };
        Some(calls)
    }

    /// Slots before this one from which a blockhash is dead by now, if the service can have taken it by then: more of them than one,
    /// because a slot may have no block, and the fewer blocks there were, the further back it is.
    fn slots_before(&self, now: u64) -> Vec<u64> {
        let blocks = u64::from(self.sent.blockhash_blocks) + MARGIN_BLOCKS + 1;
        let since = self.sent.before.as_ref().map_or(0, |before| before.slot);
        if self.sent.held_ms.is_none() || self.evidence.since.is_some() || now <= since.saturating_add(blocks)
        {
            return Vec::new();
        }
        let back = [blocks + blocks / 20, blocks + blocks / 8, blocks + blocks / 2, 3 * blocks];
        back.iter().filter_map(|slots| now.checked_sub(*slots)).collect()
    }

    /// The wallets, then the token accounts of those that trade.
    fn accounts(&self) -> impl Iterator<Item = Address> {
        self.wallets.iter().chain(&self.token_accounts).copied()
    }

    /// Takes the reply to the last body, with its HTTP status, 200 where the way to the node does not say it; of several bodies, those to each in
    /// their order.
    pub fn replied(&mut self, status: u16, reply: &[u8]) {
        let read = match self.one_by_one {
            false => match BatchReply::read(status, reply, &self.ids) {
                BatchReply::Answered(replies) => {
                    self.answers_batches = true;
                    self.read(&replies)
                }
                BatchReply::Busy(busy) => Err(busy),
                // A node that has answered a batch has refused only this one.
                BatchReply::Unanswered { lasting } => {
                    (self.one_by_one, self.refuses_batches) = (true, lasting && !self.answers_batches);
                    Ok(())
                }
            },
            true => self.replied_alone(status, reply),
        };
        if let Err(error) = read {
            self.give_up(&error.to_string());
            self.has_refused = error.is_refused() && !error.is_busy();
            self.lags = matches!(error.0, Why::Refused { code: MIN_CONTEXT_SLOT, .. });
        }
    }

    /// Takes the reply to one call, and reads all once each has come. A call that was not answered is like one that was refused.
    fn replied_alone(&mut self, status: u16, reply: &[u8]) -> Result<(), ReadError> {
        let refusal = refusal_of(status, reply);
        if refusal.is_busy() {
            return Err(refusal);
        }
        if let Some(asking) = &mut self.asking {
            asking.replied(status, reply);
            return self.read_balances();
        }
        self.gathered.push(match (200..300).contains(&status) {
            true => Replies::parse(reply).map(|_| reply.to_vec()),
            false => Err(refusal),
        });
        if self.gathered.len() < self.ids.len() {
            return Ok(());
        }
        let gathered = std::mem::take(&mut self.gathered);
        let answered: Vec<Vec<u8>> = gathered.iter().flatten().cloned().collect();
        let read = Replies::parse_each(&answered).and_then(|replies| self.read(&replies));
        read.map_err(|error| match (&error, gathered.into_iter().find_map(Result::err)) {
            (ReadError(Why::NoReply(_)), Some(refusal)) => refusal,
            _ => error,
        })
    }

    /// Ends it: no reply came.
    pub fn give_up(&mut self, why: &str) {
        self.problem = Some(why.to_owned());
        self.phase = Phase::Done;
        self.left.clear();
    }

    fn read(&mut self, replies: &Replies) -> Result<(), ReadError> {
        match self.phase {
            Phase::Chain => self.read_chain(replies)?,
            Phase::Time => {
                let newest = replies.result(1)?;
                // A slot without a block, or a node that has forgotten it, gives none.
                let earlier = (2..).zip(&self.earlier_slots);
                let read = earlier.filter_map(|(id, slot)| read_block(*slot, replies.result(id).ok()?).ok());
                self.earlier = read.collect();
                if let Some(now) = &mut self.evidence.now {
                    *now = match self.one_by_one {
                        true => read_block(now.slot, newest)?,
                        false => Mark { time: Some(read_number(newest)?), ..*now },
                    };
                }
                let before = self.sent.before.as_ref().map_or(0, |before| before.slot);
                let read = replies.result(BEFORE_CALL).and_then(|block| read_block(before, block));
                self.evidence.before = self.evidence.before.or(read.ok());
                self.evidence.after = self.evidence.after.or(self.evidence.now);
                self.phase = Phase::Lists;
            }
            Phase::Lists => {
                for (place, listing) in self.listings.iter_mut().enumerate() {
                    if listing.next().is_some() {
                        listing.add(read_signatures(replies.result(place as u64)?)?, PAGE);
                    }
                }
                // A node that keeps everything may not return this.
                let first = replies.result(self.listings.len() as u64).and_then(read_number).ok();
                let known = self.first_available_slot.zip(first);
                self.first_available_slot = known.map(|(known, first)| known.max(first));
                if self.listings.iter().all(|listing| listing.next().is_none()) {
                    self.end_lists();
                }
            }
            Phase::Transactions => {
                let asked = self.unread.len().min(BATCH);
                for place in 0..asked {
                    self.evidence.transactions.extend(read_transaction(replies.result(place as u64)?)?);
                }
                self.unread.drain(..asked);
                if self.unread.is_empty() {
                    self.phase = Phase::Balances;
                }
            }
            Phase::Balances => {
                for id in &self.ids {
                    if let Some(asking) = &mut self.asking {
                        asking.replied(200, &replies.body_of(*id));
                    }
                }
                self.read_balances()?;
            }
            Phase::Done => {}
        }
        Ok(())
    }

    fn read_chain(&mut self, replies: &Replies) -> Result<(), ReadError> {
        let (slot, height) = (read_number(replies.result(1)?)?, read_number(replies.result(2)?)?);
        let (_, accounts) = read_accounts(self.mint.as_slice(), replies.result(3)?)?;
        let mint = self.mint.ok_or(ReadError::unexpected("mint"))?;
        let token = accounts.first().and_then(Option::as_ref);
        let token = Mint::read(&mint, token).map_err(|_| ReadError::unexpected("mint"))?;
        self.evidence.now = Some(Mark { slot, height, time: None });
        self.evidence.token_decimals = token.decimals;
        let traders = self.wallets.iter().take(self.traders);
        self.token_accounts =
            traders.map(|wallet| token_account_address(wallet, &token.token_program, &mint)).collect();
        self.evidence.token_accounts = self.wallets.iter().zip(&self.token_accounts).map(named).collect();
        let since = self.sent.before.as_ref().map_or(0, |before| before.slot);
        self.listings = self.accounts().map(|account| Listing::new(&account.to_string(), since)).collect();
        self.phase = Phase::Time;
        if let Some((said, signature)) = &self.named {
            let named = read_transaction(replies.result(NAMED_CALL)?)?;
            let by_name = named
                .and_then(|named| answered(&self.request, &self.sent, &self.evidence, &named, &self.others));
            let failed = by_name.as_ref().filter(|own| own.outcome == IntentOutcome::Failed);
            if let Some(failed) = failed.filter(|failed| *said != failed.outcome) {
                self.evidence.failed_try = Some(signature.clone());
                // One from before the answer does not count.
                self.evidence.after = self.evidence.after.filter(|after| Some(after.slot) >= failed.slot);
            } else {
                self.by_name = by_name;
                self.may_come = slot <= since.saturating_add(self.sent.blockhash_blocks.into());
            }
            if self.by_name.is_some() || self.sent.before.is_none() || self.may_come {
                self.phase = Phase::Done;
            }
        }
        Ok(())
    }

    fn end_lists(&mut self) {
        let up_to = self.evidence.now.map_or(0, |now| now.slot);
        let (first, wallets, one_by_one) = (self.first_available_slot, self.wallets.len(), self.one_by_one);
        let lists = self.listings.drain(..).enumerate().map(|(place, listing)| {
            // Of several calls each may be answered by another machine, with another history. A list that goes back to before the trade shows
            // by itself how far its machine remembers. Every transaction of the trade is in the list of each wallet, so those of the token
            // accounts need not: what they lack, the books show.
            let is_bound = place >= wallets || !one_by_one;
            listing.finish(first.filter(|_| is_bound), up_to)
        });
        self.evidence.histories = lists.collect();
        let since = self.sent.before.as_ref().map_or(0, |before| before.slot);
        self.unread = self.evidence.signatures(since).into_iter().map(str::to_owned).collect();
        self.phase = if self.unread.is_empty() { Phase::Balances } else { Phase::Transactions };
    }

    /// Reads the balances once the call for them is answered.
    fn read_balances(&mut self) -> Result<(), ReadError> {
        let Some(asking) = self.asking.take_if(|asking| asking.is_answered()) else { return Ok(()) };
        self.most_accounts = asking.most_accounts().or(self.most_accounts);
        let replies = Replies::parse(&asking.answer()?)?;
        let accounts: Vec<Address> = self.accounts().collect();
        let (slot, read) = read_accounts(&accounts, replies.result(1)?)?;
        let mut balances = Vec::new();
        for (place, wallet) in self.wallets.iter().enumerate() {
            let own = read.get(place).and_then(Option::as_ref);
            let tokens = match self.token_accounts.get(place) {
                None => None,
                Some(account) => {
                    let held = read.get(self.wallets.len() + place).and_then(Option::as_ref);
                    let held =
                        read_holding(account, held).map_err(|_| ReadError::unexpected("token account"))?;
                    Some(held.map_or(0, |held| held.tokens))
                }
            };
            // The network keeps no empty accounts: a wallet that does not exist holds no lamports.
            let lamports = Some(own.map_or(0, |own| own.lamports));
            balances.push(WalletBalances { wallet: wallet.to_string(), tokens, lamports, slot: Some(slot) });
        }
        self.evidence.balances = Some(Snapshot { slot, balances });
        self.phase = Phase::Done;
        Ok(())
    }

    /// The block from which the trade's blockhash must have expired: the first one read that was made after the service must have
    /// taken it.
    fn since(&self) -> Option<Mark> {
        // One that is no proof stays none, however often it is kept.
        let is_late = |mark: &Mark| self.evidence.is_held_before(&self.sent, mark);
        let read = self.earlier.iter().copied().chain(self.evidence.now).filter(is_late);
        self.evidence.since.filter(is_late).or(read.min_by_key(|mark| mark.slot))
    }

    /// What the chain has shown after the send. Keep it for the next settler of the same trade.
    pub fn shown(&self) -> Option<Shown> {
        let before = self.evidence.before;
        self.evidence.after.map(|after| Shown { before, after, since: self.since() })
    }

    /// Why the node was not asked further, if it was not.
    pub fn problem(&self) -> Option<&str> {
        self.problem.as_deref()
    }

    /// How the trade ended. If the others that it was given are no longer [all](Settled::beside_more), only the transaction that the service has
    /// named proves anything.
    pub fn settled_beside(&self, are_all: bool) -> Settled {
        match are_all || self.by_name.is_some() {
            true => self.settled(),
            false => self.settled().beside_more(),
        }
    }

    /// How the trade ended.
    pub fn settled(&self) -> Settled {
        let mut settled = self.settled_by_address();
        for finding in &mut settled.reconciled.findings {
            self.addresses.name(&mut finding.wallet);
        }
        match &self.unknown {
            None => settled,
            Some(unknown) => Settled {
                reason: Some(UnknownReason::NoAddress),
                problem: Some(unknown.to_string()),
                ..settled
            },
        }
    }

    fn settled_by_address(&self) -> Settled {
        if let Some(settled) = &self.by_name {
            return settled.clone();
        }
        let evidence = Evidence { since: self.since(), ..self.evidence.clone() };
        let mut settled = settle(&self.request, &self.sent, &evidence, &self.others);
        if self.may_come && self.sent.before.is_some() {
            settled.reason = Some(UnknownReason::Alive);
        }
        let Some(problem) = self.problem.clone().filter(|_| settled.reason.is_some()) else { return settled };
        // What it refused for good has the reason that follows from that; only that it lags must be its own word.
        let is_behind = settled.reason == Some(UnknownReason::Behind);
        let is_unanswered = !self.has_refused || (is_behind && !self.lags);
        let reason = if is_unanswered { Some(UnknownReason::Unanswered) } else { settled.reason };
        Settled { reason, problem: Some(problem), ..settled }
    }
}

fn transaction_call(id: u64, signature: &str) -> Tape {
    let options = object! {
        "encoding": "json", "commitment": "finalized",
        "maxSupportedTransactionVersion": NEWEST_TRANSACTION_VERSION,
    };
    let params: [&dyn ToTape; 2] = [&signature, &options];
    call(id, "getTransaction", params.to_tape())
}

fn block_call(id: u64, slot: u64) -> Tape {
    let options = object! {
        "transactionDetails": "none", "rewards": false, "commitment": "finalized",
        "maxSupportedTransactionVersion": NEWEST_TRANSACTION_VERSION,
    };
    let params: [&dyn ToTape; 2] = [&slot, &options];
    call(id, "getBlock", params.to_tape())
}

/// Another trade, with the request that its body has. If the service has refused one of which the chain does not know each wallet, that is the
/// reason, and it has no transaction.
fn read_other(addresses: &WalletAddresses, other: OtherTrade) -> Option<Other> {
    let OtherTrade { through_gateway, before_slot, outcome, signature, proven, .. } = other;
    let mut request = (*request_of(other.operation, &other.body).ok()?).clone();
    let is_unknown = addresses.on_chain(&mut request).is_err();
    let is_proven = proven || (is_unknown && outcome == Some(IntentOutcome::Rejected));
    Some(Other { request, through_gateway, before_slot, outcome, signature, is_proven })
}

fn named((wallet, account): (&Address, &Address)) -> TokenAccount {
    TokenAccount { wallet: wallet.to_string(), account: account.to_string() }
}

fn accounts_params(addresses: &[Address], min_slot: Option<u64>) -> Tape {
    let options = object! { "encoding": "base64", "commitment": "finalized", "minContextSlot": min_slot };
    let params: [&dyn ToTape; 2] = [&addresses, &without_null(&options)];
    params.to_tape()
}

/// An object without its fields that are null: nodes refuse those.
fn without_null(object: &Tape) -> Tape {
    let fields = object.root().fields().into_iter().flatten();
    let fields: Vec<_> =
        fields.filter(|(_, value)| !value.is_null()).map(|(name, value)| (name, value.to_tape())).collect();
    Tape::object(&fields)
}

/// What the transaction that the service has named for a trade has moved in its wallets: [`settle::moved`], of wallets that the chain knows by these
/// addresses.
///
/// # Errors
///
/// The first wallet of the trade without an address.
pub fn moved(
    addresses: &WalletAddresses,
    request: &Request,
    at_ms: u64,
    before_slot: Option<u64>,
    transaction: &Transaction,
) -> Result<Moved, NoAddress> {
    let mut request = request.clone();
    addresses.on_chain(&mut request)?;
    let mut moved = settle::moved(&request, at_ms, before_slot, transaction);
    moved.wallets.iter_mut().for_each(|own| addresses.name(&mut own.wallet));
    Ok(moved)
}

/// The state before a trade, from the balances recorded then, which all have the same slot.
pub fn sent(at_ms: u64, held_ms: Option<u64>, rules: &Launchpad, before: &[WalletBalances]) -> Sent {
    let slot = before.first().and_then(|first| first.slot);
    let slot = slot.filter(|slot| before.iter().all(|balances| balances.slot == Some(*slot)));
    let before = slot.map(|slot| Snapshot { slot, balances: before.to_vec() });
    Sent { at_ms, held_ms, blockhash_blocks: rules.blockhash_blocks, before }
}
