//! How a trade of unknown outcome ended, as far as the chain can prove it.
//!
//! [`reconcile`](super::reconcile) has balances alone. Here are also the finalized transactions of the accounts that the trade
//! would have named, and what each did. So an answer has a signature, and amounts.
//!
//! | type | what it is | who fills it |
//! |---|---|---|
//! | [`Sent`] | what was known when the trade was sent | the journal, from a look before the send |
//! | [`Mark`] | a finalized block: slot, height, time | `getSlot`, `getBlockHeight`, `getBlockTime`, all finalized |
//! | [`History`], by [`Listing`] | the transactions of an account | `getSignaturesForAddress`, finalized, `minContextSlot` = `now.slot` |
//! | [`Transaction`] | what one of them did | `getTransaction`, finalized |
//! | [`Snapshot`] | tokens and lamports of one slot | `getMultipleAccounts`, finalized |
//! | [`Evidence`] | all of these | whoever asks the node |
//! | [`Settled`] | how the trade ended | [`settle`] |
//!
//! [`Evidence::signatures`] names the transactions to ask for. `chain::rpc` reads a node's replies into these types.
//!
//! **The books must balance.** For every trading wallet, its token account and the fee payer, the balance before plus what each
//! listed transaction did must be the balance now, and each transaction must be in the lists of all these accounts. A node that
//! hides a transaction, makes one up, changes its amounts or shows old balances breaks that, and the trade stays unknown. So
//! does a list that may be incomplete.
//!
//! **What could be the trade**: a transaction that a trading wallet signed, and that names the mint. It *is* the trade if all trading
//! wallets signed it, the right wallet paid, each wallet's tokens moved as asked, it is the only one, and it could not be another
//! trade of the same client, either ([`Other`]).
//!
//! - *landed*: there is one such transaction, and it did not fail;
//! - *failed*: there is one such transaction, or the service has named one, it failed, none landed, and the blockhash is dead, so that no
//!   second try of the service can land;
//! - *did not land*: there is none, nor any that could be the trade in part, and the blockhash is dead;
//! - *unknown*: everything else, with the reason by name.
//!
//! **When a blockhash is dead.** It lives for 150 blocks ([`Sent::blockhash_blocks`]). Nobody but the service knows which one it took, or when. So
//! [`Evidence::since`] is a block that was made after the service must have taken it ([`Sent::held_ms`]), by the times of blocks: a minute
//! and the service's time after the block of the balances before. The caller's clock at the send counts only as far as that makes it later, and by no
//! more than five minutes after the first block that the chain showed after the send; its clock now does not count. So no clock shortens the wait,
//! and a node that lags does not either, unless the clock was wrong and it lagged by most of a minute at the send. The chain must have come as
//! many blocks and a margin further, in as much time as its slots take. A service that signs with a durable nonce can send at any later time: give
//! no `held_ms`, and nothing is ever proven to have failed, or not to have landed.
//!
//! **The other trades of the client.** A transaction is another trade's if the service reported its signature for that trade, and it
//! does what that trade asked, or not what this one asked. It is not the other's if it was made before the other's balances were read or
//! after its blockhash was dead, both by slots, or if its amounts do not fit: tokens that the other does not sell, or over twice what it spends. Any other
//! transaction that fits may be the other's, also if the service refused that, unless the other is accounted for: it landed or failed by a
//! signature that the chain lists so and no third trade has. A transaction that was made after [`Evidence::now`] may be that of a trade that
//! was sent after the others were listed; whoever finds that there are more of them after the last reading, says so
//! ([`beside_more`](Settled::beside_more)). A service may try again before it reports how a trade ended, so a *failed* transaction may belong to any
//! trade that is not proven to have another one.
//!
//! **Whether others use the wallets** ([`wallets_shared`](Evidence::wallets_shared)). If another program may sign for them, a
//! transaction that fits may be its own. Then *landed* and *failed* stay unknown, with what is likely; *did not land* does not need it.
//!
//! **What a node may do.** It may lag, forget, refuse, and be wrong in one kind of reading: one of the two blocks, lists,
//! transactions, or balances. Behind it there may be several machines: a list counts as complete by what it shows itself, or by what the
//! machine that gave it says. A node that invents a consistent world is found only by asking a second one.

use std::collections::BTreeMap;

use super::reconcile::{Certainty, Finding, Found, Reconciled, Shown, WalletBalances, sold};
use super::wallets::{spent, trading_wallets};
use crate::api::request::{Amount, Request};
use crate::codes::codes;
use crate::evidence::{Change, Entry, History, Mark, Moved, TokenChange, Transaction, WalletMoved};
use crate::intent::{IntentOutcome, Settlement};
use crate::record;
use crate::tape::Number;

#[cfg(doc)]
use crate::evidence::Listing;

/// Blocks that are waited for beyond a blockhash's life: a node may list a transaction some seconds after its block is finalized.
pub const MARGIN_BLOCKS: u64 = 32;
/// Seconds that the network's clock may differ from the caller's, if that is right.
const CLOCKS_DIFFER_BY: u64 = 30;
/// Seconds from the block of the balances before to the send, at most: until it was final, what the node lagged, and a hook.
const SENT_WITHIN: u64 = 60;
/// Seconds that a node may lag, at most, with the time until a block is final: a clock that says that a trade was sent later than that after a
/// block which was shown after the send, is wrong.
const MOST_LAG: u64 = 300;
/// Lamports that a buy may take beside its amount for tips and for the rent of accounts, at most.
const EXTRAS: u128 = 20_000_000;
/// How many transactions that fit are named, at most.
const MOST_NAMED: usize = 9;
/// Slots for each three blocks of a blockhash's life after which it is dead, even on a network where most slots have no block.
const DEAD_AFTER_SLOTS: u64 = 20;

/// What some wallets hold, all read in one slot.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Snapshot {
    /// The finalized slot.
    pub slot: u64,
    pub balances: Vec<WalletBalances>,
}

impl Snapshot {
    fn of(&self, wallet: &str) -> Option<&WalletBalances> {
        self.balances.iter().find(|balances| balances.wallet == wallet)
    }
}

/// What was known of a trade when it was sent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sent {
    /// When the request was sent, in milliseconds since 1970.
    pub at_ms: u64,
    /// The most milliseconds until the service takes its blockhash: its queue and its deadline. `None` if there is no
    /// bound, or if it signs with durable nonces.
    pub held_ms: Option<u64>,
    /// Blocks for which a transaction may use a blockhash: those of the [rules](crate::launchpad::rules), unless the
    /// network has changed that.
    pub blockhash_blocks: u32,
    /// What the trading wallets and the fee payer held, read before the request was sent.
    pub before: Option<Snapshot>,
}

/// Where a wallet holds the token.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TokenAccount {
    pub wallet: String,
    /// Its token account, whether or not it exists.
    pub account: String,
}

/// Another trade of the same client. Give all that share a wallet with the trade in question: those in flight and unresolved,
/// and those that ended and may have a transaction, whatever the service or a person said of them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Other {
    /// What was asked for.
    pub request: Request,
    /// Whether it went to a gateway, which may have sent it to the service much later.
    pub through_gateway: bool,
    /// A finalized slot that was read before it was sent.
    pub before_slot: Option<u64>,
    /// How it ended; `None` while it is in flight or unresolved.
    pub outcome: Option<IntentOutcome>,
    /// The signature of its transaction, if it was reported.
    pub signature: Option<String>,
    /// Whether the chain proves how it ended.
    pub is_proven: bool,
}

/// What was read since.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Evidence {
    /// The block of [`Sent::before`], with its time; `None` if the node does not have it any more.
    pub before: Option<Mark>,
    /// The first finalized block that was read after the send.
    pub after: Option<Mark>,
    /// A block made after the service has taken its blockhash: the first one read whose time is late enough.
    pub since: Option<Mark>,
    /// The newest finalized block, with its time, read before everything below.
    pub now: Option<Mark>,
    /// The token account of each trading wallet.
    pub token_accounts: Vec<TokenAccount>,
    /// The transactions of each trading wallet, each of their token accounts, and the fee payer.
    pub histories: Vec<History>,
    /// What those after the slot of [`Sent::before`] did.
    pub transactions: Vec<Transaction>,
    /// What the trading wallets and the fee payer hold now.
    pub balances: Option<Snapshot>,
    /// Whether anybody else may sign for these wallets.
    pub wallets_shared: bool,
    /// Whether all other trades of the client are known. Otherwise a transaction that fits may be that of one of them, and is not likely.
    pub knows_others: bool,
    /// Fraction digits of a whole token: 6 on the launchpad.
    pub token_decimals: u8,
    /// The signature that the service has named for the trade, if that [failed](answered) and the service does not call the trade failed: it may
    /// have tried again.
    pub failed_try: Option<String>,
}

impl Evidence {
    /// Nothing read yet, of a token with 6 decimals, and wallets that others may use.
    pub fn nothing() -> Self {
        Evidence {
            before: None,
            after: None,
            since: None,
            now: None,
            token_accounts: Vec::new(),
            histories: Vec::new(),
            transactions: Vec::new(),
            balances: None,
            wallets_shared: true,
            knows_others: true,
            token_decimals: 6,
            failed_try: None,
        }
    }

    /// A block from before [`since`](Evidence::since) with a time, from which time is counted.
    fn base(&self) -> Option<(Mark, u64)> {
        self.before.or(self.after).and_then(|base| Some((base, base.time?)))
    }

    /// Whether this block was made after the service must have taken its blockhash.
    pub(crate) fn is_held_before(&self, sent: &Sent, mark: &Mark) -> bool {
        let (Some(held_ms), Some(time)) = (sent.held_ms, mark.time) else { return false };
        let Some((base, base_time)) = self.base() else { return false };
        let by_clock = sent.at_ms.div_ceil(1_000).saturating_add(CLOCKS_DIFFER_BY);
        let most =
            self.after.and_then(|after| after.time).map_or(u64::MAX, |time| time.saturating_add(MOST_LAG));
        let sent_by = base_time.saturating_add(SENT_WITHIN).max(by_clock.min(most));
        time >= sent_by.saturating_add(held_ms.div_ceil(1_000)) && mark.slot > base.slot
    }

    /// Slots that the chain makes in this time, at most, by what it took for those since its balances before.
    fn slots_in(&self, ms: u64) -> Option<u64> {
        let (now, (base, base_time)) = (self.now?, self.base()?);
        let (slots, seconds) = (now.slot.checked_sub(base.slot)?, now.time?.checked_sub(base_time)?);
        let most = u128::from(2 * slots) * u128::from(ms.div_ceil(1_000));
        most.checked_div(seconds.into()).and_then(|most| most.try_into().ok())
    }

    fn token_account(&self, wallet: &str) -> Option<&str> {
        let mut accounts = self.token_accounts.iter();
        accounts.find(|account| account.wallet == wallet).map(|account| account.account.as_str())
    }

    /// The signatures of the transactions to read: those that the histories list after this slot, each once.
    pub fn signatures(&self, since_slot: u64) -> Vec<&str> {
        let mut signatures: Vec<&str> = Vec::new();
        for entry in self.histories.iter().flat_map(|history| &history.entries) {
            if entry.slot > since_slot && !signatures.contains(&entry.signature.as_str()) {
                signatures.push(&entry.signature);
            }
        }
        signatures
    }
}

codes! {
    /// Why the evidence does not decide how a trade ended. Append-only.
    #[non_exhaustive]
    UnknownReason {
        /// The balances before the send were not read, or not those of every wallet.
        NoBefore = "no_before",
        /// The node lags: its newest block, a list or a balance is older than what it is compared with.
        Behind = "behind",
        /// A list of transactions is missing, or does not reach back to the send.
        HistoryIncomplete = "history_incomplete",
        /// A transaction can still be taken back by a fork.
        NotFinal = "not_final",
        /// A transaction that is listed was not read.
        TransactionUnread = "transaction_unread",
        /// Two readings contradict each other: an outcome, a slot, or a transaction that one list has and another lacks.
        Contradiction = "contradiction",
        /// The present balances were not read, or not those of every wallet.
        NoBalances = "no_balances",
        /// The transactions do not add up to the balances.
        BooksDiffer = "books_differ",
        /// The trade may still land.
        Alive = "alive",
        /// It is not known by when the service took its blockhash, so it may send the trade at any time. It can still be seen to land;
        /// that it failed or did not land is proven only with the market's `serviceHoldsMs`.
        NoExpiry = "no_expiry",
        /// More than one transaction fits.
        SeveralFit = "several_fit",
        /// A transaction may be the trade, but did not do what was asked.
        Misfit = "misfit",
        /// The transaction that fits may be another trade of the client.
        Rival = "rival",
        /// The transaction that fits may be another program's.
        SharedWallets = "shared_wallets",
        /// The node did not answer: it allows no more calls for now, cannot be reached, or refused.
        Unanswered = "unanswered",
        /// The id of a wallet is no address, and the market's `walletAddresses` has none for it. `problem` names the wallet.
        NoAddress = "no_address",
    }
}

impl UnknownReason {
    /// Whether the other trades of the client may tell, if they were not given.
    pub(crate) const fn needs_others(self) -> bool {
        use UnknownReason::*;
        matches!(self, SharedWallets | SeveralFit | Misfit)
    }

    /// Whether waiting may help: the same question may have another answer some seconds later.
    pub const fn may_pass(self) -> bool {
        use UnknownReason::*;
        matches!(
            self,
            Behind
                | NotFinal
                | TransactionUnread
                | NoBalances
                | BooksDiffer
                | Contradiction
                | Alive
                | NoExpiry
                | Unanswered
        )
    }
}

record! {
    /// How a trade ended, and how that is known.
    Settled {
        /// How it ended: `landed`, `failed` or `did_not_land`, which are proven, or still `unknown`.
        outcome: IntentOutcome => "IntentOutcome",
        /// Why it is unknown; only if it is.
        reason: Option<UnknownReason> => "UnknownReason | null",
        /// Why the node was not asked further, if it was not: the limit, the refusal or the wallet, by name. Of several that fit, their signatures.
        problem: Option<String> => "string | null",
        /// The signature of its transaction, if it reached the chain. Of an unknown trade, that of the transaction that is likely.
        signature: Option<String> => "string | null",
        /// The slot of that transaction.
        slot: Option<u64> => "bigint | null",
        /// When its block was made, in seconds since 1970, if the node says so.
        time: Option<u64> => "bigint | null",
        /// Lamports that the network took for it.
        fee_lamports: Option<u64> => "bigint | null",
        /// What moved in each trading wallet by this transaction alone. A receipt takes it, as it takes what `reconcile` answers.
        reconciled: Reconciled => "object",
    }
}

impl Settled {
    /// The same, if other trades of the client were sent while the node was asked: what was found may be one of theirs.
    pub fn beside_more(self) -> Self {
        match self.outcome {
            IntentOutcome::Landed | IntentOutcome::Failed => {
                let mut reconciled = self.reconciled;
                (reconciled.certainty, reconciled.found) = (Certainty::Likely, None);
                for finding in &mut reconciled.findings {
                    finding.certainty = Certainty::Likely;
                    if finding.shows == Shown::Trade {
                        finding.shows = Shown::Move;
                    }
                }
                let reason = Some(UnknownReason::Behind);
                Settled { outcome: IntentOutcome::Unknown, reason, reconciled, ..self }
            }
            _ => self,
        }
    }

    /// How the guards and a journal record it; `None` if it is still unknown.
    pub fn settlement(&self) -> Option<Settlement> {
        proven(self.outcome, self.signature.as_deref())
    }
}

/// How often a caller who waits asks the chain about its trades again, in milliseconds.
pub const SETTLE_EVERY_MS: u32 = 2_000;

/// The least and the most milliseconds until the chain is asked about a trade again.
pub const LEAST_PAUSE_MS: u64 = 5_000;
pub const MOST_PAUSE_MS: u64 = 3_600_000;

/// How long to wait until the chain is asked about a trade again, in milliseconds: a sixteenth of the time since it was sent, or since it
/// was found, from five seconds to an hour. Where the first question comes sooner than in five seconds, so may the next ones.
pub fn pause_ms(waited_ms: u64, first_after_ms: u64) -> u64 {
    (waited_ms / 16).clamp(first_after_ms.min(LEAST_PAUSE_MS), MOST_PAUSE_MS)
}

/// How the guards and a journal record what is proven of a trade: `None` for an outcome that no evidence proves.
pub fn proven(outcome: IntentOutcome, signature: Option<&str>) -> Option<Settlement> {
    use IntentOutcome::{DidNotLand, Failed, Landed};
    matches!(outcome, Landed | Failed | DidNotLand).then(|| Settlement {
        signature: signature.map(str::to_owned),
        proven: true,
        ..outcome.into()
    })
}

/// Finds out how a trade ended. The rules are [above](self).
///
/// `others` are the other trades of the same client; those of other wallets are ignored.
///
/// ```
/// use launchpad_desk::api::{endpoint::Operation, validate::{Rules, validate}};
/// use launchpad_desk::tape::json;
/// use launchpad_desk::intent::IntentOutcome;
/// use launchpad_desk::trade::settle::{Evidence, UnknownReason, Sent, settle};
///
/// let request = json::parse(br#"{ "mint": "M", "fromWallet": "W", "amountInToken": 2 }"#).unwrap();
/// let sell = validate(Operation::Sell, request.root(), &Rules::default()).unwrap();
/// let sent = Sent { at_ms: 1_000, held_ms: Some(30_000), blockhash_blocks: 150, before: None };
/// let settled = settle(&sell, &sent, &Evidence::nothing(), &[]);
/// assert_eq!((settled.outcome, settled.reason), (IntentOutcome::Unknown, Some(UnknownReason::NoBefore)));
/// ```
pub fn settle(request: &Request, sent: &Sent, evidence: &Evidence, others: &[Other]) -> Settled {
    let case = Case { request, evidence, wallets: trading_wallets(request), others };
    match case.decide(sent) {
        Ok((outcome, transaction)) => case.settled(outcome, None, transaction),
        Err(Undecided { reason, likely, several }) => {
            let problem =
                several.map(|several| ["each of these transactions may be it: ", &several].concat());
            let likely = likely.filter(|_| evidence.knows_others);
            Settled { problem, ..case.settled(IntentOutcome::Unknown, Some(reason), likely) }
        }
    }
}

/// How a trade ended whose service has named this final transaction, by that alone. `None` if it is not the trade's: it does
/// something else, is older, or was named for another trade, too. The clock at the send counts only where the balances before are not known.
/// That it failed decides only if the service calls the trade failed, too: see [`failed_try`](Evidence::failed_try).
pub fn answered(
    request: &Request,
    sent: &Sent,
    evidence: &Evidence,
    transaction: &Transaction,
    others: &[Other],
) -> Option<Settled> {
    let is_anothers = |other: &Other| other.signature.as_ref() == Some(&transaction.signature);
    let before_slot = sent.before.as_ref().map(|before| before.slot);
    let is_own = fit(request, transaction, evidence) != Fit::No
        && (transaction.failed || has_moved(request, transaction, evidence))
        && is_newer(transaction, before_slot, sent.at_ms)
        && !others.iter().any(is_anothers);
    let case = Case { request, evidence, wallets: trading_wallets(request), others };
    let outcome = if transaction.failed { IntentOutcome::Failed } else { IntentOutcome::Landed };
    is_own.then(|| case.settled(outcome, None, Some(transaction)))
}

/// What the transaction that the service has named for a trade has moved in its wallets. The trade was admitted at `at_ms`, after the
/// finalized `before_slot` was read, if one was.
pub fn moved(request: &Request, at_ms: u64, before_slot: Option<u64>, transaction: &Transaction) -> Moved {
    let fits = fit(request, transaction, &Evidence::nothing()) != Fit::No
        && is_newer(transaction, before_slot, at_ms);
    let lamports = |account: &str| transaction.lamports_of(account).map_or(0, Change::moved);
    let wallets = trading_wallets(request).into_iter().map(|wallet| {
        let own = transaction.tokens.iter();
        let own: Vec<_> = own
            .filter(|change| change.owner.as_deref() == Some(wallet) && change.mint == request.mint)
            .collect();
        let rent_lamports = own.iter().map(|change| lamports(&change.account)).sum();
        WalletMoved {
            wallet: wallet.to_owned(),
            tokens: own.iter().map(|change| change.tokens.moved()).sum(),
            lamports: lamports(wallet) + rent_lamports,
            rent_lamports,
        }
    });
    let wallets = if fits { wallets.collect() } else { Vec::new() };
    let at_ms = transaction.time.map(|time| Number(u128::from(time) * 1_000));
    Moved { fits, failed: transaction.failed, at_ms, wallets }
}

/// Whether a transaction is from after a trade was begun. The clock counts only where the balances before are not known.
fn is_newer(transaction: &Transaction, before_slot: Option<u64>, at_ms: u64) -> bool {
    match before_slot {
        Some(slot) => transaction.slot > slot,
        None => transaction.time.is_some_and(|time| time.saturating_add(CLOCKS_DIFFER_BY) >= at_ms / 1_000),
    }
}

/// Why the evidence does not decide, and the transaction that is likely it, or the signatures of those of which each may be it.
struct Undecided<'a> {
    reason: UnknownReason,
    likely: Option<&'a Transaction>,
    several: Option<String>,
}

impl From<UnknownReason> for Undecided<'_> {
    fn from(reason: UnknownReason) -> Self {
        Undecided { reason, likely: None, several: None }
    }
}

/// Whether a transaction is a trade.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Fit {
    Yes,
    Maybe,
    No,
}

/// A trade and what was read of it.
struct Case<'a> {
    request: &'a Request,
    evidence: &'a Evidence,
    wallets: Vec<&'a str>,
    others: &'a [Other],
}

impl<'a> Case<'a> {
    fn decide(&self, sent: &Sent) -> Result<(IntentOutcome, Option<&'a Transaction>), Undecided<'a>> {
        let before = sent.before.as_ref().ok_or(UnknownReason::NoBefore)?;
        let now = self.evidence.now.ok_or(UnknownReason::Behind)?;
        let listed = self.listed(before.slot, now.slot)?;
        let balances = self.evidence.balances.as_ref().ok_or(UnknownReason::NoBalances)?;
        if balances.slot < now.slot || now.slot < before.slot {
            return Err(UnknownReason::Behind.into());
        }
        self.check_books(before, balances, &listed)?;

        let unknown = listed.iter().filter(|transaction| !self.is_known(transaction));
        let fits = unknown.map(|transaction| (*transaction, fit(self.request, transaction, self.evidence)));
        let fits: Vec<_> = fits.filter(|(_, fit)| *fit != Fit::No).collect();
        let likely = |fits: &[(&'a Transaction, Fit)]| match fits {
            [(transaction, _)] => Some(*transaction),
            _ => None,
        };
        let (failed, landed): (Vec<_>, Vec<_>) = fits.iter().partition(|(transaction, _)| transaction.failed);
        if let Some((transaction, _)) = landed.iter().find(|(_, fit)| *fit == Fit::Maybe) {
            let likely = (fits.len() == 1).then_some(*transaction);
            return Err(Undecided { likely, ..UnknownReason::Misfit.into() });
        }
        let (outcome, candidates) =
            if landed.is_empty() { (IntentOutcome::Failed, failed) } else { (IntentOutcome::Landed, landed) };
        if outcome == IntentOutcome::Failed {
            // Another try may still land.
            self.check_dead(sent, now)
                .map_err(|reason| Undecided { likely: likely(&candidates), ..reason.into() })?;
        }
        let is_named = |own: &&Transaction| self.evidence.failed_try.as_ref() == Some(&own.signature);
        if let Some(own) = candidates.iter().map(|(own, _)| *own).find(is_named) {
            return Ok((outcome, Some(own)));
        }
        let (transaction, fits) = match candidates[..] {
            [] => return Ok((IntentOutcome::DidNotLand, None)),
            [candidate] => candidate,
            _ => {
                let signatures = candidates.iter().take(MOST_NAMED).map(|(own, _)| own.signature.as_str());
                let several = Some(signatures.collect::<Vec<_>>().join(", "));
                return Err(Undecided { several, ..UnknownReason::SeveralFit.into() });
            }
        };
        let open = |reason: UnknownReason| Err(Undecided { likely: Some(transaction), ..reason.into() });
        if fits == Fit::Maybe {
            return open(UnknownReason::Misfit);
        }
        if self.others.iter().any(|other| self.may_own(other, transaction, sent)) {
            return open(UnknownReason::Rival);
        }
        if self.evidence.wallets_shared {
            return open(UnknownReason::SharedWallets);
        }
        // It may be that of a trade which was sent after the others were listed.
        if transaction.slot > now.slot {
            return open(UnknownReason::Behind);
        }
        Ok((outcome, Some(transaction)))
    }

    /// Whether a transaction is that of another trade, by its signature. It is not if this is what was asked for, and not what the other
    /// asked for: the service may have reported it for the wrong trade.
    fn is_known(&self, transaction: &Transaction) -> bool {
        let is_own = || fit(self.request, transaction, self.evidence) == Fit::Yes;
        self.others.iter().any(|other| {
            other.signature.as_ref() == Some(&transaction.signature)
                && !is_older(transaction, other)
                && match fit(&other.request, transaction, self.evidence) {
                    Fit::Yes => true,
                    Fit::Maybe => !is_own(),
                    Fit::No => false,
                }
        })
    }

    /// Whether a transaction that fits may be that of another trade.
    fn may_own(&self, other: &Other, transaction: &Transaction, sent: &Sent) -> bool {
        if other.signature.as_ref() == Some(&transaction.signature) {
            return true;
        }
        let cannot = fit(&other.request, transaction, self.evidence) == Fit::No
            || is_older(transaction, other)
            || is_later(transaction, other, sent, self.evidence)
            || has_other_amounts(&other.request, transaction, self.evidence);
        if cannot {
            return false;
        }
        match other.outcome {
            Some(IntentOutcome::NotSent) => false,
            Some(IntentOutcome::Landed | IntentOutcome::Unconfirmed) => {
                transaction.failed || !self.has_own(other, false)
            }
            Some(IntentOutcome::Failed) => {
                !other.is_proven && (transaction.failed || !self.has_own(other, true))
            }
            // A service may refuse a trade, and carry it out.
            Some(IntentOutcome::DidNotLand | IntentOutcome::Rejected) => !other.is_proven,
            Some(IntentOutcome::Unknown) | None => true,
        }
    }

    /// Whether the chain lists the transaction of another trade, by its reported signature, as one that failed or did not. A signature that
    /// was reported for two trades accounts for neither.
    fn has_own(&self, other: &Other, failed: bool) -> bool {
        let mut entries = self.evidence.histories.iter().flat_map(|history| &history.entries);
        let is_own =
            |entry: &Entry| Some(&entry.signature) == other.signature.as_ref() && entry.failed == failed;
        let reports = self.others.iter().filter(|reported| reported.signature == other.signature).count();
        reports == 1 && entries.any(is_own)
    }

    /// The accounts that every transaction of this trade names, and whose balances say so.
    fn accounts(&self) -> Result<Vec<&'a str>, UnknownReason> {
        let mut accounts = self.wallets.clone();
        let payer = self.request.payer();
        let of_token = self.wallets.iter().map(|wallet| self.evidence.token_account(wallet));
        for account in of_token.chain([Some(payer)]) {
            let account = account.ok_or(UnknownReason::HistoryIncomplete)?;
            if !accounts.contains(&account) {
                accounts.push(account);
            }
        }
        Ok(accounts)
    }

    /// Every transaction that these accounts list after a slot, oldest first: complete, final, read, and the same in all lists.
    fn listed(&self, since_slot: u64, now_slot: u64) -> Result<Vec<&'a Transaction>, UnknownReason> {
        let accounts = self.accounts()?;
        let mut entries: BTreeMap<&str, &Entry> = BTreeMap::new();
        let mut named: Vec<(&str, &History)> = Vec::new();
        for account in accounts {
            let mut own = self.evidence.histories.iter().filter(|history| history.account == account);
            let history =
                own.next().filter(|_| own.next().is_none()).ok_or(UnknownReason::HistoryIncomplete)?;
            if !history.is_complete {
                return Err(UnknownReason::HistoryIncomplete);
            }
            if history.up_to_slot < now_slot {
                return Err(UnknownReason::Behind);
            }
            for entry in history.entries.iter().filter(|entry| entry.slot > since_slot) {
                if !entry.finalized {
                    return Err(UnknownReason::NotFinal);
                }
                if *entries.entry(&entry.signature).or_insert(entry) != entry {
                    return Err(UnknownReason::Contradiction);
                }
            }
            named.push((account, history));
        }
        let mut listed = Vec::new();
        for (signature, entry) in entries {
            let mut own = self.evidence.transactions.iter().filter(|read| read.signature == signature);
            let transaction = own.next().ok_or(UnknownReason::TransactionUnread)?;
            let is_same = transaction.slot == entry.slot && transaction.failed == entry.failed;
            // Lists that were read a moment later may have one more.
            let in_all = named.iter().all(|(account, history)| {
                let has = history.entries.iter().any(|entry| entry.signature == signature);
                has == transaction.names(account) || (!has && transaction.slot > now_slot)
            });
            let is_possible = is_possible(transaction, &self.wallets);
            if !is_same || !in_all || !is_possible || own.next().is_some() {
                return Err(UnknownReason::Contradiction);
            }
            let place = listed.partition_point(|before: &&Transaction| before.slot <= transaction.slot);
            listed.insert(place, transaction);
        }
        Ok(listed)
    }

    /// Checks that the balances are what the transactions made of those before.
    fn check_books(
        &self,
        before: &Snapshot,
        now: &Snapshot,
        listed: &[&Transaction],
    ) -> Result<(), UnknownReason> {
        let counted: Vec<_> =
            listed.iter().filter(|transaction| transaction.slot <= now.slot).copied().collect();
        let lamports = |account: &str| {
            let read = |snapshot: &Snapshot| snapshot.of(account)?.lamports;
            let change = Change {
                before: read(before).ok_or(UnknownReason::NoBefore)?,
                after: read(now).ok_or(UnknownReason::NoBalances)?,
            };
            check_book(change, &counted, |transaction| transaction.lamports_of(account))
        };
        for wallet in &self.wallets {
            lamports(wallet)?;
            let read = |snapshot: &Snapshot| snapshot.of(wallet)?.tokens;
            let change = Change {
                before: read(before).ok_or(UnknownReason::NoBefore)?,
                after: read(now).ok_or(UnknownReason::NoBalances)?,
            };
            let account = self.evidence.token_account(wallet).ok_or(UnknownReason::HistoryIncomplete)?;
            check_book(change, &counted, |transaction| {
                let own =
                    |tokens: &&TokenChange| tokens.account == account && tokens.mint == self.request.mint;
                transaction.tokens.iter().find(own).map(|tokens| tokens.tokens)
            })?;
        }
        lamports(self.request.payer())
    }

    /// Checks that no transaction that the service made for this trade can land any more.
    fn check_dead(&self, sent: &Sent, now: Mark) -> Result<(), UnknownReason> {
        let evidence = self.evidence;
        let held = evidence.since.filter(|since| evidence.is_held_before(sent, since));
        // A service that has answered has taken its blockhashes before that: by the newest block then, of which the newest final one is older.
        let answered = evidence.failed_try.as_ref().and(evidence.after);
        if sent.held_ms.is_none() && answered.is_none() {
            return Err(UnknownReason::NoExpiry);
        }
        let (base, base_time) = evidence.base().ok_or(UnknownReason::Alive)?;
        let blocks = u64::from(sent.blockhash_blocks) + MARGIN_BLOCKS;
        let is_dead = |since: Mark, blocks: u64| {
            let (height, slots) = (now.height.checked_sub(since.height), now.slot.checked_sub(since.slot));
            let is_past = height.is_some_and(|height| height > blocks) && slots >= height;
            // A node that is wrong about heights or slots has the times against it: so many slots take nearly as long as those since the balances
            // before.
            let seconds_since =
                |time: Option<u64>| now.time.and_then(|now| now.checked_sub(time?)).map(u128::from);
            let (passed, all) = (seconds_since(since.time), seconds_since(Some(base_time)));
            let slots_of_all = u128::from(now.slot.saturating_sub(base.slot));
            let takes_as_long = passed
                .zip(all)
                .is_some_and(|(passed, all)| passed * slots_of_all * 4 >= u128::from(blocks) * all * 3);
            is_past && takes_as_long
        };
        let is_dead = held.is_some_and(|since| is_dead(since, blocks))
            || answered.is_some_and(|after| is_dead(after, blocks + MARGIN_BLOCKS));
        if is_dead { Ok(()) } else { Err(UnknownReason::Alive) }
    }

    fn settled(
        &self,
        outcome: IntentOutcome,
        reason: Option<UnknownReason>,
        transaction: Option<&Transaction>,
    ) -> Settled {
        let proven = (outcome != IntentOutcome::Unknown).then_some(outcome == IntentOutcome::Landed);
        let landed = proven.or_else(|| transaction.map(|likely| !likely.failed));
        let certainty = match (proven, landed) {
            (Some(_), _) => Certainty::Proven,
            (None, Some(_)) => Certainty::Likely,
            (None, None) => Certainty::Unknown,
        };
        let found = landed.map(|landed| if landed { Found::Landed } else { Found::DidNotLand });
        let findings = self.wallets.iter().map(|wallet| {
            let tokens = transaction.and_then(|own| tokens_of(self.request, wallet, own, self.evidence));
            let lamports = transaction.and_then(|own| own.lamports_of(wallet));
            Finding {
                wallet: (*wallet).to_owned(),
                shows: match landed {
                    Some(true) if certainty == Certainty::Proven => Shown::Trade,
                    Some(true) => Shown::Move,
                    Some(false) => Shown::Nothing,
                    None => Shown::Unread,
                },
                certainty,
                tokens_before: tokens.map(|tokens| tokens.before),
                tokens_after: tokens.map(|tokens| tokens.after),
                tokens_moved: tokens.map(Change::moved),
                lamports_moved: lamports.map(Change::moved),
            }
        });
        Settled {
            outcome,
            reason,
            problem: None,
            signature: transaction.map(|own| own.signature.clone()),
            slot: transaction.map(|own| own.slot),
            time: transaction.and_then(|own| own.time),
            fee_lamports: transaction.map(|own| own.fee),
            reconciled: Reconciled {
                operation: self.request.operation,
                certainty,
                landed,
                found: found.filter(|_| certainty == Certainty::Proven),
                findings: findings.collect(),
            },
        }
    }
}

/// Whether a block was made before another trade was sent: its balances were read after such a block. Its clock does not count.
fn is_older(transaction: &Transaction, other: &Other) -> bool {
    other.before_slot.is_some_and(|slot| transaction.slot <= slot)
}

/// Whether a block was made after every blockhash that the service can have taken for a trade was dead.
fn is_later(transaction: &Transaction, other: &Other, sent: &Sent, evidence: &Evidence) -> bool {
    let held_ms = sent.held_ms.filter(|_| !other.through_gateway);
    let held_slots =
        held_ms.and_then(|held_ms| evidence.slots_in(held_ms.saturating_add(SENT_WITHIN * 1_000)));
    let (Some(slots), Some(slot)) = (held_slots, other.before_slot) else { return false };
    let dead_slots = DEAD_AFTER_SLOTS * u64::from(sent.blockhash_blocks) / 3;
    transaction.slot > slot.saturating_add(slots).saturating_add(dead_slots)
}

/// Whether a transaction that landed moved what a trade can never have asked for: tokens that it does not sell, or over twice what
/// it spends.
fn has_other_amounts(request: &Request, transaction: &Transaction, evidence: &Evidence) -> bool {
    !transaction.failed
        && trading_wallets(request).iter().any(|wallet| {
            let legs = || request.legs.iter().filter(|leg| leg.from_wallet == *wallet);
            if request.operation.is_buy() {
                return paid(request, wallet, transaction) > 2 * spent(request, wallet) + EXTRAS;
            }
            // A percentage may be one of another balance, and a sale of more than there is may be one of all.
            let is_exact = legs().all(|leg| matches!(leg.amount, Some(Amount::Tokens(_))));
            let tokens = tokens_of(request, wallet, transaction, evidence);
            is_exact
                && tokens.is_some_and(|Change { before, after }| {
                    let due = sold(before, legs().map(|leg| leg.amount), evidence.token_decimals);
                    let fallen = before.saturating_sub(after);
                    after > 0 && due.is_some_and(|due| !(due.least..=due.most).contains(&fallen))
                })
        })
}

/// Lamports that a transaction took from a wallet, without the network's fee.
fn paid(request: &Request, wallet: &str, transaction: &Transaction) -> u128 {
    let fee = if request.payer() == wallet { transaction.fee } else { 0 };
    let moved = transaction.lamports_of(wallet).map_or(0, Change::moved);
    u128::try_from(-moved - i128::from(fee)).unwrap_or_default()
}

/// Checks that one balance is what these transactions, oldest first, made of it.
fn check_book(
    balance: Change,
    transactions: &[&Transaction],
    of: impl Fn(&Transaction) -> Option<Change>,
) -> Result<(), UnknownReason> {
    let mut held = balance.before;
    for in_slot in transactions.chunk_by(|one, other| one.slot == other.slot) {
        let changes: Vec<Change> = in_slot.iter().filter_map(|transaction| of(transaction)).collect();
        // The order within a slot is not known.
        if !changes.is_empty() && changes.iter().all(|change| change.before != held) {
            return Err(UnknownReason::BooksDiffer);
        }
        let moved: i128 = changes.iter().map(|change| change.moved()).sum();
        held = u64::try_from(i128::from(held) + moved).map_err(|_| UnknownReason::BooksDiffer)?;
    }
    if held == balance.after { Ok(()) } else { Err(UnknownReason::BooksDiffer) }
}

/// Whether a transaction is this trade. It is not if it has nothing to do with the token, names none of the wallets, or moved their
/// tokens the other way. A node's list of signers alone does not decide: the moves count, too.
fn fit(request: &Request, transaction: &Transaction, evidence: &Evidence) -> Fit {
    let wallets = trading_wallets(request);
    let mut accounts = evidence.token_accounts.iter().filter(|own| wallets.contains(&own.wallet.as_str()));
    let is_of_token = transaction.names(&request.mint) || accounts.any(|own| transaction.names(&own.account));
    if !is_of_token {
        return Fit::No;
    }
    let is_paid = transaction.accounts.first().is_some_and(|first| first.address == request.payer());
    let is_whole = is_paid && wallets.iter().all(|wallet| transaction.is_signed_by(wallet));
    if transaction.failed {
        let is_of_wallets = wallets.iter().any(|wallet| transaction.names(wallet));
        return if is_whole {
            Fit::Yes
        } else if is_of_wallets {
            Fit::Maybe
        } else {
            Fit::No
        };
    }
    let of_wallets = wallets.iter().map(|wallet| fit_of_wallet(request, wallet, transaction, evidence));
    let of_wallets: Vec<Fit> = of_wallets.collect();
    if of_wallets.iter().all(|fit| *fit == Fit::No) {
        Fit::No
    } else if is_whole && of_wallets.iter().all(|fit| *fit == Fit::Yes) {
        Fit::Yes
    } else {
        Fit::Maybe
    }
}

/// Whether a transaction that landed moved what the trade asks of one wallet.
fn fit_of_wallet(request: &Request, wallet: &str, transaction: &Transaction, evidence: &Evidence) -> Fit {
    let is_buy = request.operation.is_buy();
    let tokens = tokens_of(request, wallet, transaction, evidence).unwrap_or(Change { before: 0, after: 0 });
    let lamports = transaction.lamports_of(wallet).map_or(0, Change::moved);
    let moved = tokens.moved();
    let is_reverse = if is_buy { moved < 0 } else { moved > 0 };
    // Anyone may send tokens to a wallet, but not take its lamports.
    let is_gift = moved > 0 && lamports >= 0 && !transaction.is_signed_by(wallet);
    if is_reverse || is_gift || (moved == 0 && !transaction.names(wallet)) {
        return Fit::No;
    }
    let amounts = request.legs.iter().filter(|leg| leg.from_wallet == wallet).map(|leg| leg.amount);
    let is_asked = if is_buy {
        let (paid, asked) = (paid(request, wallet, transaction), spent(request, wallet));
        moved > 0 && paid > 0 && paid >= asked / 2 && paid <= 2 * asked + EXTRAS
    } else {
        let due = sold(tokens.before, amounts, evidence.token_decimals);
        let fallen = tokens.before.saturating_sub(tokens.after);
        fallen > 0 && due.is_some_and(|due| (due.least..=due.most).contains(&fallen))
    };
    if is_asked { Fit::Yes } else { Fit::Maybe }
}

/// Whether a transaction moved tokens of each trading wallet, as the trade asks.
fn has_moved(request: &Request, transaction: &Transaction, evidence: &Evidence) -> bool {
    trading_wallets(request).iter().all(|wallet| {
        let moved = tokens_of(request, wallet, transaction, evidence).map_or(0, Change::moved);
        if request.operation.is_buy() { moved > 0 } else { moved < 0 }
    })
}

/// What a transaction did to all that a wallet holds of the trade's token.
fn tokens_of(
    request: &Request,
    wallet: &str,
    transaction: &Transaction,
    evidence: &Evidence,
) -> Option<Change> {
    let account = evidence.token_account(wallet);
    let is_own = |tokens: &&TokenChange| {
        let is_of_wallet =
            tokens.owner.as_deref() == Some(wallet) || Some(tokens.account.as_str()) == account;
        is_of_wallet && tokens.mint == request.mint
    };
    let own: Vec<Change> = transaction.tokens.iter().filter(is_own).map(|tokens| tokens.tokens).collect();
    let sum = |part: fn(&Change) -> u64| own.iter().map(part).try_fold(0u64, u64::checked_add);
    (!own.is_empty()).then_some(Change { before: sum(|own| own.before)?, after: sum(|own| own.after)? })
}

/// Whether a transaction can be as the node reports it: lamports neither appear nor vanish, the payer signs, and nobody's lamports
/// leave without a signature.
fn is_possible(transaction: &Transaction, wallets: &[&str]) -> bool {
    let sum = |part: fn(Change) -> u64| -> u128 {
        transaction.accounts.iter().map(|account| u128::from(part(account.lamports))).sum()
    };
    let adds_up = sum(|own| own.before) == sum(|own| own.after) + u128::from(transaction.fee);
    let is_paid = transaction.accounts.first().is_some_and(|payer| payer.signed);
    let is_signed = |wallet: &&str| {
        let has_paid = transaction.lamports_of(wallet).is_some_and(|own| own.moved() < 0);
        !has_paid || transaction.is_signed_by(wallet)
    };
    adds_up && is_paid && wallets.iter().all(is_signed)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::api::endpoint::Operation;
    use crate::api::response::Status;
    use crate::api::validate::{Rules, Valid, validate};
    use crate::evidence::{AccountChange, Listing};
    use crate::tape::json;

    const TIME: u64 = 1_700_000_000;

    fn buy() -> Valid<Request> {
        let request = br#"{"mint":"M","fromWallet":"W","amountInLamports":1000000}"#;
        validate(Operation::Buy, json::parse(request).unwrap().root(), &Rules::default()).unwrap()
    }

    /// A buy of one million lamports that brought 40 base units.
    fn bought() -> Transaction {
        let account = |address: &str, signed, before, after| AccountChange {
            address: address.into(),
            signed,
            lamports: Change { before, after },
        };
        let accounts = vec![
            account("W", true, 9_000_000, 7_995_000),
            account("A", false, 0, 0),
            account("V", false, 0, 1_000_000),
        ];
        let tokens = Change { before: 2, after: 42 };
        let tokens =
            vec![TokenChange { account: "A".into(), owner: Some("W".into()), mint: "M".into(), tokens }];
        let time = Some(TIME + 5);
        Transaction { signature: "S".into(), slot: 110, time, failed: false, fee: 5_000, accounts, tokens }
    }

    fn history(account: &str, entries: &[(&str, u64)]) -> History {
        let mut listing = Listing::new(account, 100);
        let entry = |(signature, slot): &(&str, u64)| Entry {
            signature: (*signature).into(),
            slot: *slot,
            failed: false,
            finalized: true,
        };
        listing.add(entries.iter().map(entry).collect(), 1_000);
        listing.finish(Some(0), 600)
    }

    /// What was sent, and what is read once the blockhash is dead; the buy landed if it is given.
    fn case(bought: Option<Transaction>) -> (Sent, Evidence) {
        let held = |slot, tokens, lamports| Snapshot {
            slot,
            balances: vec![WalletBalances { wallet: "W".into(), tokens, lamports, slot: None }],
        };
        let sent = Sent {
            at_ms: TIME * 1_000,
            held_ms: Some(30_000),
            blockhash_blocks: 150,
            before: Some(held(100, Some(2), Some(9_000_000))),
        };
        let mark =
            |slot, height, seconds| Some(Mark { slot, height, time: TIME.checked_add_signed(seconds) });
        let entries: &[(&str, u64)] = if bought.is_some() { &[("S", 110)] } else { &[] };
        let now = if bought.is_some() { (Some(42), Some(7_995_000)) } else { (Some(2), Some(9_000_000)) };
        let evidence = Evidence {
            before: mark(100, 90, -14),
            after: mark(100, 90, -14),
            since: mark(300, 290, 80),
            now: mark(600, 580, 180),
            token_accounts: vec![TokenAccount { wallet: "W".into(), account: "A".into() }],
            histories: vec![history("W", entries), history("A", entries)],
            transactions: bought.into_iter().collect(),
            balances: Some(held(600, now.0, now.1)),
            wallets_shared: false,
            ..Evidence::nothing()
        };
        (sent, evidence)
    }

    /// The same buy, sent at the same time.
    fn other(outcome: Option<IntentOutcome>, signature: Option<&str>) -> Other {
        Other {
            request: (*buy()).clone(),
            through_gateway: false,
            before_slot: None,
            outcome,
            signature: signature.map(str::to_owned),
            is_proven: false,
        }
    }

    fn of(sent: &Sent, evidence: &Evidence) -> (IntentOutcome, Option<UnknownReason>) {
        let settled = settle(&buy(), sent, evidence, &[]);
        (settled.outcome, settled.reason)
    }

    const fn open(reason: UnknownReason) -> (IntentOutcome, Option<UnknownReason>) {
        (IntentOutcome::Unknown, Some(reason))
    }

    #[test]
    fn a_buy_that_landed_is_reported_with_its_amounts() {
        let (sent, mut evidence) = case(Some(bought()));
        let settled = settle(&buy(), &sent, &evidence, &[]);
        assert_eq!((settled.outcome, settled.signature.as_deref()), (IntentOutcome::Landed, Some("S")));
        assert_eq!((settled.slot, settled.fee_lamports), (Some(110), Some(5_000)));
        let reported = settled.reconciled.reported("W").unwrap();
        assert_eq!((reported.landing, reported.tokens), (Status::Landed, Some(40)));
        assert_eq!(reported.wallet_lamports_moved, Some(-1_005_000));
        // A trade that landed need not wait for its blockhash to die.
        evidence.since = None;
        assert_eq!(of(&sent, &evidence), (IntentOutcome::Landed, None));

        evidence.wallets_shared = true;
        let settled = settle(&buy(), &sent, &evidence, &[]);
        assert_eq!(settled.reason, Some(UnknownReason::SharedWallets));
        assert_eq!((settled.reconciled.certainty, settled.reconciled.found), (Certainty::Likely, None));
        assert_eq!(settled.reconciled.reported("W").unwrap().landing, Status::Unconfirmed);

        evidence.wallets_shared = false;
        assert_eq!(
            settle(&buy(), &sent, &evidence, &[other(None, None)]).reason,
            Some(UnknownReason::Rival),
            "either trade may be this transaction"
        );
        let known = settle(&buy(), &sent, &evidence, &[other(Some(IntentOutcome::Landed), Some("S"))]);
        assert_eq!(
            (known.outcome, known.reason),
            open(UnknownReason::Alive),
            "it is another trade, so this one may land"
        );
    }

    #[test]
    fn a_transaction_of_another_trade_of_the_client_is_never_this_one() {
        let (sent, evidence) = case(Some(bought()));
        let with = |other: Other| {
            let settled = settle(&buy(), &sent, &evidence, &[other]);
            (settled.outcome, settled.reason)
        };
        let (landed, rival) = ((IntentOutcome::Landed, None), open(UnknownReason::Rival));
        use IntentOutcome::*;
        for (outcome, signature, expected) in [
            (None, None, rival),
            (Some(Landed), None, rival),
            (Some(Unconfirmed), None, rival),
            // The service told a signature that the chain does not list.
            (Some(Landed), Some("T"), rival),
            // A person said so, and may be wrong.
            (Some(DidNotLand), None, rival),
            // So did the service, without a transaction that failed.
            (Some(Failed), None, rival),
            (Some(Failed), Some("T"), rival),
            (Some(Rejected), None, rival),
            (Some(NotSent), None, landed),
        ] {
            assert_eq!(with(other(outcome, signature)), expected, "{outcome:?} {signature:?}");
        }
        for outcome in [DidNotLand, Failed, Rejected] {
            assert_eq!(with(Other { is_proven: true, ..other(Some(outcome), None) }), landed, "{outcome:?}");
        }
        // The one that has the signature must be able to have made it.
        let stranger = Other { before_slot: Some(110), ..other(Some(Landed), Some("S")) };
        assert_eq!(with(stranger), rival);
        // Its balances were read with what that transaction did, or it was dead before it: by slots, whatever its clock was.
        let noted = |before_slot| Other { before_slot, ..other(None, None) };
        assert_eq!((with(noted(Some(110))), with(noted(Some(109)))), (landed, rival));
        assert_eq!(with(noted(None)), rival, "nobody knows when it was sent");
        let late = |slots: u64| {
            let (sent, mut evidence) = case(Some(bought()));
            // 90 seconds take 463 slots or fewer, and a blockhash dies within a thousand.
            let by = 1_463 + slots - 10;
            let Some(before) = &sent.before else { panic!() };
            let sent = Sent { before: Some(Snapshot { slot: before.slot + by, ..before.clone() }), ..sent };
            for mark in [&mut evidence.before, &mut evidence.after, &mut evidence.since, &mut evidence.now] {
                mark.as_mut().unwrap().slot += by;
            }
            evidence.transactions[0].slot += by;
            for history in &mut evidence.histories {
                history.entries[0].slot += by;
                history.up_to_slot += by;
            }
            evidence.balances.as_mut().unwrap().slot += by;
            let settled = |other| settle(&buy(), &sent, &evidence, &[other]).reason;
            let approved = Other { through_gateway: true, ..noted(Some(100)) };
            [settled(noted(Some(100))), settled(approved)]
        };
        assert_eq!(late(0), [Some(UnknownReason::Rival); 2]);
        assert_eq!(
            late(1),
            [None, Some(UnknownReason::Rival)],
            "it may have waited for a person at the gateway"
        );

        // What another trade sells or spends tells it apart, if no service could have made it so.
        let spends = |lamports: u64| with(other_of(lamports, None, None));
        assert_eq!((spends(1), spends(9_000_000_000)), (rival, rival));
        let mut rich = case(Some(bought()));
        for account in &mut rich.1.transactions[0].accounts {
            let lamports = &mut account.lamports;
            if account.address == "W" {
                *lamports = Change { before: 99_000_000, after: 57_995_000 };
            } else if account.address == "V" {
                lamports.after = 41_000_000;
            }
        }
        let apart = has_other_amounts(&buy(), &rich.1.transactions[0], &rich.1);
        assert!(apart, "it took 41 million lamports");
    }

    /// The same buy of another amount, by another trade.
    fn other_of(lamports: u64, outcome: Option<IntentOutcome>, signature: Option<&str>) -> Other {
        let text = format!(r#"{{"mint":"M","fromWallet":"W","amountInLamports":{lamports}}}"#);
        let request =
            validate(Operation::Buy, json::parse(text.as_bytes()).unwrap().root(), &Rules::default());
        Other { request: (*request.unwrap()).clone(), ..other(outcome, signature) }
    }

    #[test]
    fn a_transaction_that_was_finalized_after_the_others_were_listed_waits() {
        let (sent, mut evidence) = case(Some(bought()));
        // A trade that was sent a moment ago may have made it, and is in no list of others.
        evidence.transactions[0].slot = 601;
        for history in &mut evidence.histories {
            history.entries[0].slot = 601;
        }
        evidence.balances.as_mut().unwrap().slot = 602;
        assert_eq!(of(&sent, &evidence), open(UnknownReason::Behind));
        evidence.now.as_mut().unwrap().slot = 602;
        for history in &mut evidence.histories {
            history.up_to_slot = 602;
        }
        assert_eq!(of(&sent, &evidence), (IntentOutcome::Landed, None));
    }

    #[test]
    fn a_signature_that_was_reported_for_the_wrong_trade_proves_nothing() {
        let (sent, evidence) = case(Some(bought()));
        let with = |others: &[Other]| {
            let settled = settle(&buy(), &sent, &evidence, others);
            (settled.outcome, settled.reason)
        };
        let landed = Some(IntentOutcome::Landed);
        // A reply to this trade was taken for one to another, which spends nine times as much.
        assert_eq!(with(&[other_of(9_000_000, landed, Some("S"))]), open(UnknownReason::Rival));
        assert_eq!(with(&[other_of(1_900_000, landed, Some("S"))]).1, None, "it may as well be that one");

        // A second reply to one trade was taken for one to another: whose the second transaction is, nobody knows.
        let (sent, mut evidence) = case(Some(bought()));
        let mut second = bought();
        (second.signature, second.slot) = ("T".into(), 120);
        second.accounts[0].lamports = Change { before: 7_995_000, after: 6_990_000 };
        second.accounts[2].lamports = Change { before: 1_000_000, after: 2_000_000 };
        second.tokens[0].tokens = Change { before: 42, after: 82 };
        evidence.transactions.push(second);
        let entries = [("T", 120), ("S", 110)];
        evidence.histories = vec![history("W", &entries), history("A", &entries)];
        let balances = vec![WalletBalances {
            wallet: "W".into(),
            tokens: Some(82),
            lamports: Some(6_990_000),
            slot: None,
        }];
        evidence.balances = Some(Snapshot { slot: 600, balances });
        let with = |others: &[Other]| {
            let settled = settle(&buy(), &sent, &evidence, others);
            (settled.outcome, settled.reason)
        };
        let first = || other(landed, Some("S"));
        assert_eq!(with(&[first()]), (IntentOutcome::Landed, None));
        assert_eq!(with(&[first(), other(landed, Some("S"))]), open(UnknownReason::Rival));
    }

    #[test]
    fn another_trade_that_failed_by_a_listed_transaction_has_no_other_one() {
        let (sent, mut evidence) = case(Some(bought()));
        let mut failed = bought();
        (failed.signature, failed.slot, failed.failed) = ("T".into(), 105, true);
        failed.accounts[0].lamports = Change { before: 9_005_000, after: 9_000_000 };
        failed.accounts[2].lamports = Change { before: 0, after: 0 };
        failed.tokens[0].tokens = Change { before: 2, after: 2 };
        evidence.transactions.push(failed);
        let entry = |signature: &str, slot, failed| Entry {
            signature: signature.into(),
            slot,
            failed,
            finalized: true,
        };
        for history in &mut evidence.histories {
            history.entries = vec![entry("S", 110, false), entry("T", 105, true)];
        }
        let mut sent = sent;
        sent.before.as_mut().unwrap().balances[0].lamports = Some(9_005_000);
        let with = |signature| {
            settle(&buy(), &sent, &evidence, &[other(Some(IntentOutcome::Failed), signature)]).reason
        };
        assert_eq!(
            (with(Some("T")), with(Some("U")), with(None)),
            (None, Some(UnknownReason::Rival), Some(UnknownReason::Rival))
        );
    }

    #[test]
    fn what_is_found_while_others_are_sent_waits() {
        let (sent, evidence) = case(Some(bought()));
        let settled = settle(&buy(), &sent, &evidence, &[]).beside_more();
        assert_eq!((settled.outcome, settled.reason), open(UnknownReason::Behind));
        assert_eq!((settled.reconciled.certainty, settled.reconciled.found), (Certainty::Likely, None));
        assert_eq!(settled.reconciled.reported("W").unwrap().landing, Status::Unconfirmed);
        let (sent, evidence) = case(None);
        let never = settle(&buy(), &sent, &evidence, &[]).beside_more();
        assert_eq!(never.outcome, IntentOutcome::DidNotLand, "no transaction of others changes that");
    }

    #[test]
    fn a_failed_transaction_may_be_any_other_trades_first_try() {
        let mut failed = bought();
        failed.failed = true;
        failed.accounts[0].lamports.after = 8_995_000;
        failed.accounts[2].lamports.after = 0;
        failed.tokens[0].tokens.after = 2;
        let (sent, mut evidence) = case(Some(failed));
        evidence.transactions[0].fee = 5_000;
        for history in &mut evidence.histories {
            history.entries[0].failed = true;
        }
        evidence.balances = sent.before.clone().map(|before| Snapshot { slot: 600, ..before });
        evidence.balances.as_mut().unwrap().balances[0].lamports = Some(8_995_000);
        assert_eq!(of(&sent, &evidence), (IntentOutcome::Failed, None));
        let with = |other: Other| settle(&buy(), &sent, &evidence, &[other]).reason;
        for (outcome, is_proven, expected) in [
            (IntentOutcome::Landed, false, Some(UnknownReason::Rival)),
            (IntentOutcome::Landed, true, Some(UnknownReason::Rival)),
            (IntentOutcome::Failed, false, Some(UnknownReason::Rival)),
            (IntentOutcome::Failed, true, None),
            (IntentOutcome::DidNotLand, true, None),
        ] {
            let reason = with(Other { is_proven, ..other(Some(outcome), Some("T")) });
            assert_eq!(reason, expected, "{outcome:?} {is_proven}");
        }
    }

    #[test]
    fn a_trade_that_never_ran_is_reported_once_it_cannot_run() {
        let (sent, evidence) = case(None);
        assert_eq!(of(&sent, &evidence), (IntentOutcome::DidNotLand, None));
        let with = |change: &dyn Fn(&mut Sent, &mut Evidence)| {
            let (mut sent, mut evidence) = (sent.clone(), evidence.clone());
            change(&mut sent, &mut evidence);
            of(&sent, &evidence)
        };
        let late =
            with(&|_, evidence| evidence.now = Some(Mark { slot: 600, height: 472, time: Some(TIME + 180) }));
        assert_eq!(late, open(UnknownReason::Alive), "182 blocks later");
        let since = |seconds: i64| {
            move |_: &mut Sent, evidence: &mut Evidence| {
                evidence.since.as_mut().unwrap().time = TIME.checked_add_signed(seconds);
            }
        };
        let never = (IntentOutcome::DidNotLand, None);
        assert_eq!(
            with(&since(75)),
            open(UnknownReason::Alive),
            "the service may have taken its blockhash later"
        );
        assert_eq!(with(&since(76)), never, "a minute after the balances, and 30 seconds");
        // The clock at the send counts only for as long as it makes it later, and for no longer than five minutes after a block from after it.
        let clock = |wrong_ms: i64, seconds: i64| {
            with(&move |sent, evidence| {
                sent.at_ms = sent.at_ms.checked_add_signed(wrong_ms).unwrap();
                since(seconds)(sent, evidence);
                evidence.now.as_mut().unwrap().time = Some(TIME + 900);
            })
        };
        for wrong_ms in [-86_400_000, -120_000, -16_000, 16_000] {
            assert_eq!(clock(wrong_ms, 75), open(UnknownReason::Alive), "{wrong_ms}");
            assert_eq!(clock(wrong_ms, 76), never, "{wrong_ms}");
        }
        assert_eq!((clock(60_000, 119), clock(60_000, 120)), (open(UnknownReason::Alive), never));
        assert_eq!((clock(86_400_000, 315), clock(86_400_000, 316)), (open(UnknownReason::Alive), never));
        let none_before = with(&|_, evidence| evidence.before = None);
        assert_eq!(none_before, never, "the first block after the send tells as much");
        let none = with(&|_, evidence| (evidence.before, evidence.after) = (None, None));
        assert_eq!(none, open(UnknownReason::Alive));
        let fast = with(&|_, evidence| evidence.since.as_mut().unwrap().time = Some(TIME + 170));
        assert_eq!(fast, open(UnknownReason::Alive), "280 blocks do not take 10 seconds");
        assert_eq!(with(&|sent, _| sent.held_ms = None), open(UnknownReason::NoExpiry));
        assert_eq!(with(&|sent, _| sent.before = None), open(UnknownReason::NoBefore));
        assert_eq!(
            with(&|_, evidence| drop(evidence.histories.pop())),
            open(UnknownReason::HistoryIncomplete)
        );
        assert_eq!(with(&|_, evidence| evidence.histories[1].up_to_slot = 599), open(UnknownReason::Behind));
        let holds = |tokens, lamports| {
            with(&move |_, evidence| {
                let balances = vec![WalletBalances { wallet: "W".into(), tokens, lamports, slot: None }];
                evidence.balances = Some(Snapshot { slot: 600, balances });
            })
        };
        assert_eq!(
            holds(Some(42), Some(7_995_000)),
            open(UnknownReason::BooksDiffer),
            "hidden from the lists"
        );
        assert_eq!(holds(None, Some(9_000_000)), open(UnknownReason::NoBalances));
    }

    #[test]
    fn readings_that_contradict_each_other_settle_nothing() {
        let with = |change: &dyn Fn(&mut Evidence)| {
            let (sent, mut evidence) = case(Some(bought()));
            change(&mut evidence);
            of(&sent, &evidence)
        };
        let contradiction = open(UnknownReason::Contradiction);
        assert_eq!(with(&|evidence| evidence.transactions[0].failed = true), contradiction);
        assert_eq!(
            with(&|evidence| evidence.transactions[0].fee = 4_999),
            contradiction,
            "a lamport vanished"
        );
        assert_eq!(with(&|evidence| evidence.histories[1] = history("A", &[])), contradiction);
        assert_eq!(with(&|evidence| evidence.histories[0].entries[0].slot = 111), contradiction);
        assert_eq!(with(&|evidence| evidence.transactions.clear()), open(UnknownReason::TransactionUnread));
        let not_final = with(&|evidence| evidence.histories[0].entries[0].finalized = false);
        assert_eq!(not_final, open(UnknownReason::NotFinal));
        let more = with(&|evidence| evidence.transactions[0].tokens[0].tokens.after = 43);
        assert_eq!(more, open(UnknownReason::BooksDiffer));
    }

    #[test]
    fn a_list_is_complete_only_if_it_reaches_back_or_nothing_was_forgotten() {
        let entry = |signature: &str, slot| Entry {
            signature: signature.into(),
            slot,
            failed: false,
            finalized: true,
        };
        let listing = |page: Vec<Entry>, limit| {
            let mut listing = Listing::new("W", 100);
            listing.add(page, limit);
            listing
        };
        let full = || vec![entry("b", 130), entry("a", 120)];
        assert_eq!(listing(full(), 2).next(), Some(Some("a")), "a full page may have one before it");
        assert!(!listing(full(), 2).finish(Some(0), 200).is_complete);
        assert!(listing(full(), 3).finish(Some(100), 200).is_complete);
        assert!(!listing(full(), 3).finish(Some(101), 200).is_complete, "pruned");
        assert!(
            !listing(full(), 3).finish(None, 200).is_complete,
            "nobody said since when the node has blocks"
        );
        assert!(listing(vec![entry("b", 130), entry("a", 100)], 2).finish(None, 200).is_complete);
        let disordered = listing(vec![entry("a", 120), entry("b", 130)], 3);
        assert_eq!(disordered.next(), None);
        assert!(!disordered.finish(Some(0), 200).is_complete);
        assert!(!listing(vec![entry("a", 120), entry("a", 120)], 3).finish(Some(0), 200).is_complete);
    }
}
