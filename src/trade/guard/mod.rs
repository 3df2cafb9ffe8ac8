//! The guards: what must hold before money may move.
//!
//! ```text
//! admit ─ reserve ──▶ (wait for the turn) ─ (journal) ─ recheck ──▶ dispatch ─▶ settle ─ release or keep
//! ```
//!
//! There is no I/O here: the caller passes the time, in milliseconds since 1970, and does the waiting. A trade is checked in
//! this order. The first guard that refuses gives the error, always `not_sent`:
//!
//! | guard | code |
//! |---|---|
//! | halted: no trades; reducing: only sells | `halted`, `reducing` |
//! | the intent is in flight, unresolved, or has landed | `intent_in_flight`, `intent_unknown`, `intent_landed` |
//! | too many unknown outcomes in a row: no trades, or no buys | `breaker_open` |
//! | allow-lists of mints and of wallets, fee payers included | `mint_not_allowed`, `wallet_not_allowed` |
//! | lamports of one request | `over_trade_limit` |
//! | slippage of each leg | `over_slippage_limit` |
//! | trades of one wallet in flight | `wallet_busy` |
//! | lamports of one day | `over_day_limit` |
//! | trades per second | `over_rate_limit` |
//! | price of a buy: how old, how large its impact | `no_price`, `price_too_old`, `over_impact_limit` |
//! | decimals of an amount in base units | `other_token_decimals`, `token_decimals_unknown` |
//!
//! **Lamports are the most that a trade may take**: what its buys may spend, the rent of the accounts that they may open and 5,000 for each
//! of their signatures ([`Settings::count_charges`]), and what any trade bids for priority. An account counts until a look or a reply has shown it
//! open. A request's limit holds for a sell's priority fee, too, but no sell is refused for the day's: to leave the market, a trader can
//! always sell within the other guards. Its priority fee leaves less of the day for buys.
//!
//! **A day is a UTC day.** A trade counts for the day it is sent on, by the time in its journal entry, from before it is sent.
//! Its lamports are released if nothing was spent (`not_sent`, `rejected`), and kept if something was or may have been (`landed`,
//! `unconfirmed`, `unknown`); of a trade that `failed`, the network's fees are kept. A clock that jumps back frees nothing.
//!
//! **An intent is sent once.** If it was not sent, was rejected or failed, it may be tried again under its id. If it landed or
//! was accepted, it may not. If its outcome is unknown, it may not until you [acknowledge](Guards::acknowledge) what happened
//! to it. All unresolved intents are remembered, and at least the latest 10,000 that landed.
//!
//! **What stops trading survives a restart**, if a journal keeps it: [`Suspension`].
//!
//! **A plan is sent once**, however it ended. The latest 10,000 plans that were sent are remembered as well. [`Guards::check`]
//! says what the guards would do, and reserves nothing.

mod answered;
mod breaker;
mod bucket;
pub(crate) mod day;
pub(crate) mod ended;
mod intents;
pub(crate) mod latest;
mod limits;
pub(crate) mod price;
mod refusal;
mod settings;
mod suspension;
mod worst;

use crate::amount::Digits;
use crate::api::endpoint::Operation;
use crate::api::request::Request;
use crate::api::validate::Valid;
use crate::drivers::REMEMBERED_MS;
use crate::error::{Code, Error, FieldCode};
use crate::few::Few;
use crate::intent::{IntentOutcome, IntentState, Settlement};
use crate::launchpad::rules::RulesByDay;
use crate::to_tape;
use crate::trade::intent::TradeIntent;
use crate::trade::plan_price::PlanPrice;
use crate::trade::reconcile::WalletBalances;
use crate::trade::wallets::wallets;

use answered::{Answered, corrected};
use breaker::Breaker;
use bucket::Bucket;
pub(crate) use day::DAY_MS;
use day::Day;
use ended::Endings;
use intents::{Intents, Reserved};
use latest::Latest;
use refusal::{Refusal, refuse, refuse_field};

pub use answered::LOOK_UP_AFTER_MS;
pub(crate) use answered::LookedUp;
pub use bucket::RateLimit;
pub use ended::{Ended, OtherTrade, has_more, may_have_traded};
pub use intents::{Intent, stranger_in};
pub use latest::REMEMBERED;
pub use price::Priced;
pub use settings::Settings;
pub use suspension::{Mode, Suspension};
pub use worst::{BuysMayExceed, OpenAccounts, Worst, priority_lamports};

pub use crate::trade::intent::{Counted, request_of};
pub use crate::trade::reconcile::Found;

/// A trade that waits longer than this, in milliseconds, gets the time at which it is sent: it is settled by that.
const MOST_WAIT_MS: u64 = 5_000;

/// Permission to send one trade. What it reserves is held until it is [settled](Guards::settle).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Admission {
    /// Identifies the trade until it is settled. Below 2^53, so that a JS number can hold it.
    pub ticket: u64,
    /// How long to wait for its turn, in milliseconds; 0 without a queue.
    pub wait_ms: u32,
}

/// The guards as a panel shows them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GuardState<'a> {
    /// What may be sent.
    pub mode: Mode,
    /// Whether the breaker is open: nothing is sent, or no buy.
    pub breaker_open: bool,
    /// Unknown outcomes in a row.
    pub unknowns_in_a_row: u32,
    /// Lamports spent or reserved today (UTC).
    pub lamports_today: u128,
    /// The limit for that.
    pub max_lamports_per_day: Option<u64>,
    /// Trades that may be sent at once; `null` without a rate limit.
    pub burst_left: Option<u32>,
    pub in_flight: Vec<&'a Intent>,
    /// The unresolved intents, the oldest first.
    pub unresolved: Vec<&'a Intent>,
}
to_tape!(GuardState<'_> {
    mode,
    breaker_open,
    unknowns_in_a_row,
    lamports_today,
    max_lamports_per_day,
    burst_left,
    in_flight,
    unresolved,
});

/// The guards of one client.
///
/// ```
/// use launchpad_desk::api::{endpoint::Operation, validate::{Rules, validate}};
/// use launchpad_desk::{intent::IntentOutcome, trade::guard::{Found, Guards, Settings}};
/// use launchpad_desk::{prelude::BuyRequest, tape::ToTape};
///
/// let request = BuyRequest::new("M", "W", 600_000_000).to_tape();
/// let buy = validate(Operation::Buy, request.root(), &Rules::default()).unwrap();
/// let mut guards = Guards::new(Settings { max_lamports_per_day: Some(1_000_000_000), ..Settings::default() });
///
/// let noon = 43_200_000;
/// let first = guards.admit(noon, "a", &buy).unwrap();
/// assert_eq!(guards.admit(noon, "b", &buy).unwrap_err().code.as_str(), "wallet_busy");
/// guards.recheck(noon, first.ticket).unwrap(); // right before it is sent
/// guards.settle(first.ticket, IntentOutcome::Unknown);
///
/// // It may have landed: it is not sent again, and its lamports are as good as spent.
/// assert_eq!(guards.admit(noon, "a", &buy).unwrap_err().code.as_str(), "intent_unknown");
/// assert_eq!(guards.admit(noon, "b", &buy).unwrap_err().code.as_str(), "over_day_limit");
/// assert!(guards.acknowledge("a", Found::DidNotLand));
/// assert!(guards.admit(noon, "a", &buy).is_ok());
/// ```
#[derive(Clone, Debug)]
pub struct Guards {
    settings: Settings,
    rules: RulesByDay,
    mode: Mode,
    breaker: Breaker,
    day: Day,
    bucket: Option<Bucket>,
    intents: Intents,
    endings: Endings,
    answered: Answered,
    sent_plans: Latest,
    /// The signatures that replies, the chain and a journal have told, also of unresolved trades.
    signatures: Latest,
    open: OpenAccounts,
    /// How many decimals the tokens have that a market was asked about.
    decimals: Few<String, u8>,
    next_ticket: u64,
    /// Whether this process has set the mode, or has closed the breaker. Then what a journal has is older.
    has_set_mode: bool,
    has_resumed: bool,
}

impl Guards {
    /// Guards that have seen nothing yet.
    pub fn new(settings: Settings) -> Self {
        Guards {
            rules: RulesByDay::default(),
            mode: Mode::Active,
            breaker: Breaker::new(settings.breaker_unknowns),
            day: Day::default(),
            bucket: settings.rate_limit.clone().map(Bucket::new),
            intents: Intents::default(),
            endings: Endings::default(),
            answered: Answered::default(),
            sent_plans: Latest::default(),
            signatures: Latest::default(),
            open: OpenAccounts::default(),
            decimals: Few::default(),
            next_ticket: 0,
            has_set_mode: false,
            has_resumed: false,
            settings,
        }
    }

    /// Admits a trade and reserves what it takes: its id, its wallets, its lamports, its turn. Whatever happens after, it
    /// must be [settled](Guards::settle).
    ///
    /// # Errors
    ///
    /// `not_sent`, with the code of the first guard that refuses, in the order of the [table](self); then nothing is
    /// reserved. For `over_rate_limit`, `retry_after_ms` says when there is a turn.
    pub fn admit(
        &mut self,
        now_ms: u64,
        trade: impl Into<TradeIntent>,
        request: &Valid<Request>,
    ) -> Refusal<Admission> {
        let trade = trade.into();
        if let Some(bucket) = &mut self.bucket {
            bucket.no_later_than(now_ms);
        }
        let wait_ms = self.checked(now_ms, &trade.intent_id, request)?;
        let worst = self.worst(now_ms, request);
        let mut intent = Intent::new(trade, request, now_ms, worst);
        // A journal must know it: the body does not say which accounts were open.
        intent.trade.counted = Some(worst.into());
        if let Some(bucket) = &mut self.bucket {
            bucket.take(now_ms);
        }
        let ticket = self.next_ticket;
        self.next_ticket += 1;
        let day = self.day.reserve(now_ms, intent.lamports);
        self.intents.in_flight.push(Reserved { ticket, day, intent, is_taken_up: false, is_claimed: false });
        Ok(Admission { ticket, wait_ms })
    }

    /// Whether a trade would be admitted now. Nothing is reserved, so the answer may change a moment later.
    /// Fails as [`admit`](Guards::admit).
    pub fn check(&self, now_ms: u64, intent_id: &str, request: &Valid<Request>) -> Refusal {
        self.checked(now_ms, intent_id, request).map(|_| ())
    }

    /// Whether the price of a trade is within the limits, and the trade within all others. Only buys need a price, and only if a limit
    /// on it is set.
    /// Fails as [`check`](Guards::check); then `no_price`, `price_too_old`, `over_impact_limit`.
    pub fn check_price(
        &self,
        now_ms: u64,
        intent_id: &str,
        request: &Valid<Request>,
        price: Option<Priced>,
    ) -> Refusal {
        if !request.operation.is_buy() || !self.settings.limit_prices() {
            return Ok(());
        }
        self.check(now_ms, intent_id, request)?;
        price::check(&self.settings, now_ms, price)
    }

    /// Checks again, right before a trade is sent, that its price has not become too old.
    /// Fails as [`check_price`](Guards::check_price), without the other guards.
    pub fn recheck_price(&self, now_ms: u64, operation: Operation, price: Option<Priced>) -> Refusal {
        if !operation.is_buy() || !self.settings.limit_prices() {
            return Ok(());
        }
        price::check(&self.settings, now_ms, price)
    }

    /// Asks all guards; returns how long the trade would wait for its turn.
    fn checked(&self, now_ms: u64, intent_id: &str, request: &Valid<Request>) -> Refusal<u32> {
        self.check_mode(request.operation.is_buy())?;
        self.check_intent(intent_id)?;
        self.check_breaker(request.operation.is_buy())?;
        let worst = self.worst(now_ms, request);
        limits::check(request, &self.settings, &worst)?;
        self.check_wallets(request)?;
        self.check_day(now_ms, request.operation, &worst)?;
        self.check_turn(now_ms)
    }

    /// Checks again, right before a trade is sent: much may have happened while it waited for its turn or its journal. Returns
    /// the time it counts by, in milliseconds since 1970. A trade that waited past midnight counts for the new day from here
    /// on, and one that waited for long has the present time: if the journal has a different time, it must get the new one before the
    /// trade is sent.
    ///
    /// # Errors
    ///
    /// `not_sent`: `halted`, `reducing`, `breaker_open`, `over_day_limit`, or `aborted_before_send` for a ticket that has
    /// already been settled. The trade must still be settled, as [`IntentOutcome::NotSent`].
    pub fn recheck(&mut self, now_ms: u64, ticket: u64) -> Refusal<u64> {
        let Some(held) = self.intents.flight(ticket) else {
            return refuse(Code::AbortedBeforeSend, "aborted before sending");
        };
        let Reserved {
            day,
            intent: Intent { trade: TradeIntent { operation, started_at_ms, .. }, lamports, .. },
            ..
        } = *held;
        self.check_mode(operation.is_buy())?;
        self.check_breaker(operation.is_buy())?;
        let is_over = Day::is_over(day, now_ms);
        if !is_over && now_ms.saturating_sub(started_at_ms) <= MOST_WAIT_MS {
            return Ok(started_at_ms);
        }
        let today = match is_over {
            true => {
                self.check_day(now_ms, operation, &Worst { buys: lamports, ..Worst::default() })?;
                self.day.reserve(now_ms, lamports)
            }
            false => day,
        };
        if let Some(held) = self.intents.flight(ticket) {
            (held.day, held.intent.trade.started_at_ms) = (today, now_ms);
        }
        Ok(now_ms)
    }

    /// Takes up an unresolved trade to send it again unchanged, to a gateway that forwards each intent once. Returns its ticket
    /// and the time it counts by. It already has its reservation, so limits and breaker are not checked. `None` if there is no
    /// unresolved trade with this id, operation and body that went to a gateway, if that is so long ago that the gateway may have forgotten
    /// it, or if it is [claimed](Guards::claim): no gateway knows what went to a service, and would make it again.
    ///
    /// # Errors
    ///
    /// `not_sent`: `halted`, `reducing`. It stays unresolved.
    pub fn take_up(
        &mut self,
        now_ms: u64,
        intent_id: &str,
        operation: Operation,
        body: &str,
    ) -> Refusal<Option<(u64, u64)>> {
        let is_same = |Intent { trade, .. }: &Intent| {
            let is_remembered = now_ms.abs_diff(trade.started_at_ms) < REMEMBERED_MS;
            trade.through_gateway && is_remembered && trade.operation == operation && trade.body == body
        };
        let unresolved = self.intents.unresolved_mut(intent_id);
        if !unresolved.is_some_and(|held| is_same(&held.intent) && !held.is_claimed) {
            return Ok(None);
        }
        self.check_mode(operation.is_buy())?;
        let Some(held) = self.intents.take_unresolved(intent_id) else { return Ok(None) };
        let ticket = self.next_ticket;
        self.next_ticket += 1;
        let started_ms = held.intent.trade.started_at_ms;
        self.intents.in_flight.push(Reserved { ticket, is_taken_up: true, ..held });
        Ok(Some((ticket, started_ms)))
    }

    /// Like [`recheck`](Guards::recheck), for a trade that may have been sent: the time it counts by does not change. Only the
    /// mode is checked, since everything else is reserved.
    ///
    /// # Errors
    ///
    /// `not_sent`: `halted`, `reducing`, or `aborted_before_send`.
    pub fn recheck_mode(&self, ticket: u64) -> Refusal<u64> {
        let Some(held) = self.intents.in_flight.iter().find(|held| held.ticket == ticket) else {
            return refuse(Code::AbortedBeforeSend, "aborted before sending");
        };
        self.check_mode(held.intent.trade.operation.is_buy())?;
        Ok(held.intent.trade.started_at_ms)
    }

    /// Whether a trade that has passed all checks must not be sent any more, because trading was stopped since, or the breaker has opened.
    pub fn stops(&self, operation: Operation) -> bool {
        let is_buy = operation.is_buy();
        self.check_mode(is_buy).and_then(|()| self.check_breaker(is_buy)).is_err()
    }

    /// Takes over what another program, or an operator, has said of all trading: the same as [`halt`](Guards::halt),
    /// [`reduce`](Guards::reduce) or [`resume`](Guards::resume).
    pub fn obey(&mut self, mode: Mode) -> Suspension {
        match mode {
            Mode::Halted => self.halt(),
            Mode::Reducing => self.reduce(),
            Mode::Active => self.resume(),
        }
    }

    /// Keeps what the wallets of a trade in flight hold before it is sent.
    pub fn saw(&mut self, ticket: u64, before: &[WalletBalances]) {
        if let Some(held) = self.intents.flight(ticket) {
            held.intent.trade.before = Some(before.to_vec());
            let mint = held.intent.mint.clone();
            self.learn_holdings(&mint, before);
        }
    }

    /// Learns what wallets hold of a token: one that holds some has an open account.
    pub fn learn_holdings(&mut self, mint: &str, holdings: &[WalletBalances]) {
        for WalletBalances { wallet, tokens, .. } in holdings {
            if let Some(tokens) = tokens {
                self.open.saw(wallet, mint, *tokens);
            }
        }
    }

    /// The most that a request may take, as limits count it: with the accounts that it may open and the network's fees.
    pub fn worst(&self, now_ms: u64, request: &Request) -> Worst {
        worst::worst(request, &self.settings.rates(self.rules.at(now_ms)), &self.open)
    }

    /// The same for each of its wallets: the fee payer pays the network's fees.
    pub fn worst_of_wallets<'r>(&self, now_ms: u64, request: &'r Request) -> Vec<(&'r str, Worst)> {
        worst::shares(request, &self.settings.rates(self.rules.at(now_ms)), &self.open)
    }

    /// Learns what the market's price of a request shows: which accounts are open, and how many decimals its token has.
    pub fn learn(&mut self, request: &Request, price: &PlanPrice) {
        self.open.learn(request, price.data());
        if let Some(decimals) = price.token_decimals() {
            self.learn_decimals(&request.mint, decimals);
        }
    }

    /// Learns how many decimals a token has: they never change.
    pub fn learn_decimals(&mut self, mint: &str, decimals: u8) {
        if self.decimals.len() >= REMEMBERED {
            self.decimals.clear();
        }
        self.decimals.insert(mint.to_owned(), decimals);
    }

    /// How many decimals a token has, if the market has said so.
    pub fn token_decimals(&self, mint: &str) -> Option<u8> {
        self.decimals.get(mint).copied()
    }

    /// Refuses an amount in base units that was counted by other decimals than the token has.
    ///
    /// # Errors
    ///
    /// `other_token_decimals`; `token_decimals_unknown` if a market is there that has not said how many there are.
    pub fn check_decimals(
        &self,
        operation: Operation,
        mint: &str,
        counted_by: Option<u8>,
        has_market: bool,
    ) -> Refusal {
        let Some(ours) = counted_by else { return Ok(()) };
        let field = if operation.is_bundle() { "sells" } else { "amountInToken" };
        let by = ["is in base units, counted by tokenDecimals (", &u64::from(ours).digits(), ")"].concat();
        match self.token_decimals(mint) {
            Some(theirs) if theirs == ours => Ok(()),
            Some(theirs) => {
                let theirs = u64::from(theirs).digits();
                let advice = ": set tokenDecimals to the token's own, or name whole tokens, { tokens }";
                let what = [&by, ", and the token has ", &theirs, " decimals", advice].concat();
                refuse_field(Code::OtherTokenDecimals, field, FieldCode::Conflict, &what)
            }
            None if has_market => {
                let advice = ": plan or send the sell once it answers, or name whole tokens, { tokens }";
                let what =
                    [&by, ", and the market has not said how many decimals the token has", advice].concat();
                refuse_field(Code::TokenDecimalsUnknown, field, FieldCode::Conflict, &what)
            }
            None => Ok(()),
        }
    }

    /// Learns from how a trade has ended which accounts are open. `is_left_open`: the reply says that the sell left its token account open.
    pub fn learn_end(&mut self, request: &Request, is_landed: bool, is_left_open: bool) {
        self.open.ended(request, is_landed, is_left_open);
    }

    /// What limits have counted for the trade with this ticket.
    pub fn counted(&self, ticket: u64) -> Option<Counted> {
        let held = self.intents.in_flight.iter().find(|held| held.ticket == ticket);
        held.and_then(|held| held.intent.trade.counted)
    }

    /// Records how a trade ended, once; a ticket that is already settled changes nothing. A trade that spent nothing releases
    /// what it reserved, except its turn.
    pub fn settle(&mut self, ticket: u64, settlement: impl Into<Settlement>) {
        let Some(mut held) = self.intents.take_flight(ticket) else { return };
        let (settlement, is_taken_up) = (settlement.into(), held.is_taken_up);
        self.know_signature(settlement.signature.as_deref());
        if settlement.outcome == IntentOutcome::Unknown && settlement.signature.is_some() {
            held.intent.trade.named_signature = settlement.signature.clone();
        }
        match settlement.outcome {
            IntentOutcome::NotSent => self.day.release(held.day, held.intent.lamports),
            IntentOutcome::Rejected | IntentOutcome::Failed | IntentOutcome::DidNotLand => {
                self.day.release(held.day, held.intent.unspent(settlement.outcome));
                self.breaker.answered();
                self.end(held.intent, settlement);
            }
            IntentOutcome::Landed | IntentOutcome::Unconfirmed => {
                self.intents.land(held.intent.id());
                self.breaker.answered();
                self.end(held.intent, settlement);
            }
            // It stays unresolved, and counts as an answer: nothing is wrong with the way to the service.
            IntentOutcome::Unknown if settlement.awaits_approval() => {
                self.intents.unresolved.push(held);
                self.breaker.answered();
            }
            // A trade that was asked about again counts only once.
            IntentOutcome::Unknown if is_taken_up => self.intents.unresolved.push(held),
            IntentOutcome::Unknown => {
                self.intents.unresolved.push(held);
                self.breaker.unknown();
            }
        }
        if is_taken_up && self.intents.unresolved.is_empty() {
            self.breaker.close();
        }
    }

    fn end(&mut self, intent: Intent, settlement: Settlement) {
        self.know_signature(settlement.signature.as_deref());
        if let Some(ended) = Ended::of(intent, settlement) {
            self.answered.add(&ended);
            self.endings.add(ended);
        }
    }

    fn know_signature(&mut self, signature: Option<&str>) {
        if let Some(signature) = signature {
            self.signatures.insert(signature);
        }
    }

    /// Whether this is the signature of a trade that is known here. The latest ten thousand are, at least.
    pub fn knows_signature(&self, signature: &str) -> bool {
        self.signatures.contains(signature)
    }

    /// The id of the trade that has this signature, if it is remembered: it has ended with it, or its outcome is unknown.
    pub fn trade_of(&self, signature: &str) -> Option<&str> {
        let ended = self.endings.of_signature(signature).map(|ended| &ended.intent);
        let mut open = self.intents.unresolved.iter().chain(&self.intents.in_flight).map(|held| &held.intent);
        let is_its = |intent: &&Intent| intent.trade.named_signature.as_deref() == Some(signature);
        ended.or_else(|| open.find(is_its)).map(Intent::id)
    }

    /// Whether another trade has this signature.
    pub fn is_of_other(&self, intent_id: &str, signature: &str) -> bool {
        self.trade_of(signature).is_some_and(|owner| owner != intent_id)
    }

    /// The same guards, with what others have learned of accounts and tokens.
    pub fn knowing(self, others: &Guards) -> Self {
        Guards { open: others.open.clone(), decimals: others.decimals.clone(), ..self }
    }

    /// Swaps the mode: that of a desk counts for each of its callers' guards.
    pub fn swap_mode(&mut self, mode: Mode) -> Mode {
        std::mem::replace(&mut self.mode, mode)
    }

    /// Swaps the known signatures: several guards of one desk know them together.
    pub fn swap_signatures(&mut self, signatures: &mut Latest) {
        std::mem::swap(&mut self.signatures, signatures);
    }

    /// The trades that a service has answered, and that the chain is to be asked about at this time; `early`, also those that nobody has asked
    /// about yet. Where there is no market nobody asks.
    pub fn answered(&self, now_ms: u64, early: bool) -> Vec<Ended> {
        let names = self.answered.due(now_ms, early);
        names.filter_map(|(intent_id, started_ms)| self.endings.at(intent_id, started_ms)).cloned().collect()
    }

    /// The trades that their service only accepted, with a signature, and that the chain has neither shown nor denied, the oldest first. Where
    /// there is no market nobody asks.
    pub fn accepted(&self) -> impl Iterator<Item = &Ended> {
        let waiting = self.answered.accepted();
        waiting.filter_map(|(intent_id, started_ms)| self.endings.at(intent_id, started_ms))
    }

    /// How this attempt of a trade ended, if that is remembered.
    pub(crate) fn ended_at(&self, intent_id: &str, started_ms: u64) -> Option<&Ended> {
        self.endings.at(intent_id, started_ms)
    }

    /// Whether so many answered trades wait that the oldest are not asked about: said once.
    pub fn has_dropped_answered(&mut self) -> bool {
        self.answered.has_dropped()
    }

    /// How many milliseconds until the next of them is due; `None` if none waits.
    pub fn answered_next_ms(&self, now_ms: u64) -> Option<u64> {
        self.answered.next_ms(now_ms)
    }

    /// Asks about none of them any more: the market knows no transactions.
    pub fn forget_answered(&mut self) {
        self.answered.clear();
    }

    /// Asks no longer about one of them.
    pub(crate) fn forget_answer(&mut self, intent_id: &str, started_ms: u64) {
        self.answered.remove(intent_id, started_ms);
    }

    /// Takes what the chain has said of an answered trade, named by its id and its beginning: what it proves, if anything. What it confirms
    /// is recorded here; what it [settles or contradicts](LookedUp) is for the journal first, and then for [`correct`](Guards::correct).
    pub(crate) fn looked_up(
        &mut self,
        now_ms: u64,
        intent_id: &str,
        started_ms: u64,
        proven: Option<&Settlement>,
    ) -> LookedUp {
        let ended = self.endings.at(intent_id, started_ms);
        let word = match ended.zip(proven) {
            Some((ended, proven)) => LookedUp::of(ended.outcome, proven.outcome),
            None => LookedUp::Open,
        };
        let is_open = self.intents.is_in_flight(intent_id) || self.intents.is_unresolved(intent_id);
        match (word, ended.zip(proven)) {
            (LookedUp::Confirmed, Some((ended, proven))) => {
                let confirmed = corrected(ended, proven);
                self.endings.correct(confirmed);
                self.answered.remove(intent_id, started_ms);
                word
            }
            // Its id was sent again: a journal could not tell the two apart until that one has ended.
            (LookedUp::Settled | LookedUp::Contradicted, _) if !is_open => word,
            _ if self.answered.in_vain(now_ms, intent_id, started_ms) => LookedUp::Open,
            _ => LookedUp::GivenUp,
        }
    }

    /// Corrects how an answered trade ended, by the chain's proof; returns whether it had ended otherwise. What it spent counts for its day
    /// as the proof says, and its id is used up if it landed, and free if it did not.
    pub(crate) fn correct(
        &mut self,
        now_ms: u64,
        intent_id: &str,
        started_ms: u64,
        settlement: &Settlement,
    ) -> bool {
        self.answered.remove(intent_id, started_ms);
        let known = self.endings.at(intent_id, started_ms).filter(|ended| !ended.proven);
        let Some(ended) = known else { return false };
        let (corrected, intent, said) = (corrected(ended, settlement), ended.intent.clone(), ended.outcome);
        let has_landed = |outcome| matches!(outcome, IntentOutcome::Landed | IntentOutcome::Unconfirmed);
        let unspent = |outcome| if has_landed(outcome) { 0 } else { intent.unspent(outcome) };
        let (before, now) = (unspent(said), unspent(settlement.outcome));
        match now.checked_sub(before) {
            Some(more) => self.day.release(started_ms / DAY_MS, more),
            None => drop(self.day.restore(now_ms, started_ms, before - now)),
        }
        match has_landed(settlement.outcome) {
            true => self.intents.land(intent_id),
            false => self.intents.unland(intent_id),
        }
        self.endings.correct(corrected);
        true
    }

    /// The other trades that share a wallet with this one: those in flight, unresolved, and ended, unless the chain shows that they were sent about
    /// a day before it. `None` if not all of them are known.
    pub fn others(&self, intent_id: &str) -> Option<Vec<OtherTrade>> {
        let others = self.others_of(intent_id)?;
        others.into_iter().map(|(intent, ended)| OtherTrade::of(intent, ended)).collect()
    }

    /// The ids of these. Whoever settles a trade reads them before and after, and tells [`beside_more`](crate::trade::settle::Settled::beside_more)
    /// if [one was added](has_more): its transaction may be the one that was found.
    pub fn other_ids(&self, intent_id: &str) -> Option<Vec<String>> {
        let others = self.others_of(intent_id)?;
        Some(others.into_iter().map(|(intent, _)| intent.id().to_owned()).collect())
    }

    fn others_of(&self, intent_id: &str) -> Option<Vec<(&Intent, Option<&Ended>)>> {
        let open = || self.intents.in_flight.iter().chain(&self.intents.unresolved).map(|held| &held.intent);
        let own = open().find(|intent| intent.id() == intent_id);
        let own = own.or_else(|| self.endings.get(intent_id).map(|ended| &ended.intent))?;
        let shares = |other: &Intent| other.wallets.iter().any(|wallet| own.wallets.contains(wallet));
        let is_own =
            |other: &Intent| other.id() == own.id() && other.trade.started_at_ms == own.trade.started_at_ms;
        let others = open().filter(|intent| !is_own(intent) && shares(intent));
        let ended = self.endings.beside(own)?;
        // An earlier attempt of the same trade that the service refused is the trade.
        let is_refused =
            |ended: &Ended| ended.outcome == IntentOutcome::Rejected && ended.intent.id() == own.id();
        let ended =
            ended.filter(|ended| shares(&ended.intent) && !is_own(&ended.intent) && !is_refused(ended));
        let others = others.map(|intent| (intent, None));
        Some(others.chain(ended.map(|ended| (&ended.intent, Some(ended)))).collect())
    }

    /// Restores a trade that a journal has as ended.
    pub fn restore_ended(&mut self, now_ms: u64, ended: Ended) {
        self.know_signature(ended.signature.as_deref());
        self.know_signature(ended.intent.trade.named_signature.as_deref());
        self.answered.restore(&ended, now_ms);
        self.endings.add(ended);
    }

    /// Records that trades that began up to this time are not known: no journal has them.
    pub fn forget_ended(&mut self, up_to_ms: u64) {
        self.endings.forget(up_to_ms);
    }

    /// Records that the plan of this checksum was sent.
    pub fn plan_sent(&mut self, checksum: &str) {
        self.sent_plans.insert(checksum);
    }

    /// Whether the plan of this checksum is remembered as sent.
    pub fn has_sent_plan(&self, checksum: &str) -> bool {
        self.sent_plans.contains(checksum)
    }

    /// Claims an unresolved intent while its journal records what happened to it. Until it is [acknowledged](Guards::acknowledge)
    /// or [released](Guards::release), nobody else can claim it, and it is not taken up. Returns whether it was unresolved and
    /// not claimed.
    pub fn claim(&mut self, intent_id: &str) -> bool {
        self.intents
            .unresolved_mut(intent_id)
            .is_some_and(|held| !std::mem::replace(&mut held.is_claimed, true))
    }

    /// Gives up a claim: the intent is unresolved as before.
    pub fn release(&mut self, intent_id: &str) {
        if let Some(held) = self.intents.unresolved_mut(intent_id) {
            held.is_claimed = false;
        }
    }

    /// Records what happened to an unresolved intent; returns whether there was one. With the last one, an open breaker closes.
    pub fn acknowledge(&mut self, intent_id: &str, settlement: impl Into<Settlement>) -> bool {
        let settlement = settlement.into();
        if settlement.outcome == IntentOutcome::Unknown {
            return false;
        }
        let Some(held) = self.intents.take_unresolved(intent_id) else { return false };
        match settlement.outcome {
            IntentOutcome::Landed | IntentOutcome::Unconfirmed => self.intents.land(intent_id),
            outcome => self.day.release(held.day, held.intent.unspent(outcome)),
        }
        self.end(held.intent, settlement);
        if self.intents.unresolved.is_empty() {
            self.breaker.close();
        }
        true
    }

    pub fn unresolved(&self, intent_id: &str) -> Option<&Intent> {
        let held = self.intents.unresolved.iter().find(|held| held.intent.id() == intent_id);
        held.map(|held| &held.intent)
    }

    pub fn is_unresolved(&self, intent_id: &str) -> bool {
        self.intents.is_unresolved(intent_id)
    }

    /// How far the intent with this id is: in flight, in doubt, or ended, if it landed or was accepted. Any other may be sent: it is not
    /// recorded.
    pub fn intent_state(&self, intent_id: &str) -> IntentState {
        if self.intents.is_in_flight(intent_id) {
            IntentState::InFlight
        } else if self.intents.is_unresolved(intent_id) {
            IntentState::InDoubt
        } else if self.intents.has_landed(intent_id) {
            IntentState::Ended
        } else {
            IntentState::NotRecorded
        }
    }

    /// How the trade with this id ended, if it was sent, has ended, and is remembered.
    pub fn ended(&self, intent_id: &str) -> Option<&Ended> {
        self.endings.get(intent_id)
    }

    /// Restores an intent that a journal has as begun but not settled: it is unresolved until it is acknowledged. Does nothing
    /// if the intent is known.
    pub fn restore_unresolved(
        &mut self,
        now_ms: u64,
        started_ms: u64,
        trade: impl Into<TradeIntent>,
        request: &Valid<Request>,
    ) {
        let trade = trade.into();
        if self.intents.is_known(&trade.intent_id) {
            return;
        }
        self.know_signature(trade.named_signature.as_deref());
        let worst = self.worst(started_ms, request);
        let intent = Intent::new(trade, request, started_ms, worst);
        let day = self.day.restore(now_ms, started_ms, intent.lamports);
        // No ticket leads to it: it is no longer in flight.
        let held = Reserved { ticket: u64::MAX, day, intent, is_taken_up: false, is_claimed: false };
        self.intents.unresolved.push(held);
    }

    /// Restores an intent that a journal has as landed: its id is used up, and its lamports count for its day. Does nothing if
    /// the intent is known.
    pub fn restore_landed(
        &mut self,
        now_ms: u64,
        started_ms: u64,
        trade: impl Into<TradeIntent>,
        request: &Valid<Request>,
    ) {
        let TradeIntent { intent_id, counted, .. } = trade.into();
        if self.intents.is_known(&intent_id) {
            return;
        }
        let counted = counted.unwrap_or_else(|| self.worst(started_ms, request).into());
        self.day.restore(now_ms, started_ms, counted.lamports);
        self.intents.land(&intent_id);
    }

    /// Restores the id of a landed intent whose lamports are in the journal's sum of the day.
    pub fn restore_landed_id(&mut self, intent_id: &str) {
        // One that has landed lands again: to look for it would take as long.
        if !self.intents.is_in_flight(intent_id) && !self.intents.is_unresolved(intent_id) {
            self.intents.land(intent_id);
        }
    }

    /// Restores what stopped trading before this process began. Call it once the unresolved intents are restored. Without a count,
    /// each of them counts as unknown, and without any the breaker is closed. It has no effect on what this process has decided
    /// already.
    pub fn restore_suspension(&mut self, suspension: Suspension) {
        if let Some(mode) = suspension.mode.filter(|_| !self.has_set_mode) {
            self.mode = mode;
        }
        let unresolved = self.intents.unresolved.len() as u32;
        if unresolved > 0 && !self.has_resumed {
            let in_a_row = suspension.unknowns_in_a_row.unwrap_or(unresolved);
            self.breaker.restore(in_a_row, suspension.breaker_open == Some(true));
        }
    }

    /// What stops trading now, all of it.
    pub fn suspension(&self) -> Suspension {
        Suspension {
            mode: Some(self.mode),
            breaker_open: Some(self.breaker.is_open()),
            unknowns_in_a_row: Some(self.breaker.in_a_row()),
        }
    }

    /// Restores that a trade took its turn at this time. Call it for each turn, in order.
    pub fn restore_turn(&mut self, at_ms: u64) {
        if let Some(bucket) = &mut self.bucket {
            bucket.took(at_ms);
        }
    }

    /// Restores a journal's sum of the lamports spent today. Call it once.
    pub fn restore_spent(&mut self, now_ms: u64, lamports: u128) {
        self.day.reserve(now_ms, lamports);
    }

    /// Admits nothing, and stops what has not been sent. Returns what a journal has to keep.
    pub fn halt(&mut self) -> Suspension {
        self.set(Mode::Halted)
    }

    /// Admits only sells, and stops buys that have not been sent. Returns what a journal has to keep.
    pub fn reduce(&mut self) -> Suspension {
        self.set(Mode::Reducing)
    }

    /// Admits everything again, and closes the breaker. Unresolved intents stay unresolved. Returns what a journal has to keep.
    pub fn resume(&mut self) -> Suspension {
        self.breaker.close();
        self.has_resumed = true;
        Suspension { breaker_open: Some(false), unknowns_in_a_row: Some(0), ..self.set(Mode::Active) }
    }

    fn set(&mut self, mode: Mode) -> Suspension {
        (self.mode, self.has_set_mode) = (mode, true);
        Suspension { mode: Some(mode), ..Suspension::default() }
    }

    /// The current state.
    pub fn state(&self, now_ms: u64) -> GuardState<'_> {
        GuardState {
            mode: self.mode,
            breaker_open: self.breaker.is_open(),
            unknowns_in_a_row: self.breaker.in_a_row(),
            lamports_today: self.day.lamports(now_ms),
            max_lamports_per_day: self.settings.max_lamports_per_day,
            burst_left: self.bucket.as_ref().map(|bucket| bucket.tokens(now_ms)),
            in_flight: intents_of(&self.intents.in_flight),
            unresolved: intents_of(&self.intents.unresolved),
        }
    }

    fn check_mode(&self, is_buy: bool) -> Refusal {
        match self.mode {
            Mode::Halted => refuse(Code::Halted, "the client is halted until trading is resumed"),
            Mode::Reducing if is_buy => {
                refuse(Code::Reducing, "the client allows only sells until trading is resumed")
            }
            _ => Ok(()),
        }
    }

    /// Refuses an intent that is in flight, unresolved, or has landed.
    pub(super) fn check_intent(&self, intent_id: &str) -> Refusal {
        if self.intents.is_in_flight(intent_id) {
            refuse(Code::IntentInFlight, "this intent is already in flight")
        } else if self.intents.is_claimed(intent_id) {
            refuse(Code::IntentUnknown, "this intent is being acknowledged; wait until that is done")
        } else if self.intents.is_unresolved(intent_id) {
            refuse(Code::IntentUnknown, "this intent may have landed; check, then acknowledge it")
        } else if self.intents.has_landed(intent_id) {
            refuse(Code::IntentLanded, "this intent has already landed or been accepted")
        } else {
            Ok(())
        }
    }

    pub(super) fn check_breaker(&self, is_buy: bool) -> Refusal {
        if !self.breaker.is_open() || !(is_buy || self.settings.breaker_stops_sells) {
            return Ok(());
        }
        refuse(
            Code::BreakerOpen,
            "too many unknown outcomes in a row; check and acknowledge each intent, or resume trading",
        )
    }

    fn check_wallets(&self, request: &Request) -> Refusal {
        let limit = self.settings.in_flight_per_wallet;
        let is_busy = |wallet: &str| self.intents.flights_of(wallet) >= limit as usize;
        let Some((leg, _)) = wallets(request).find(|(_, wallet)| is_busy(wallet)) else { return Ok(()) };
        let what = ["has ", &limit.digits(), " in flight, as many as inFlightPerWallet allows"].concat();
        let field = limits::wallet_field(request, leg);
        refuse_field(Code::WalletBusy, &field, FieldCode::Conflict, &what)
    }

    fn check_day(&self, now_ms: u64, operation: Operation, worst: &Worst) -> Refusal {
        let Some(limit) = self.settings.max_lamports_per_day else { return Ok(()) };
        let left = u128::from(limit).saturating_sub(self.day.lamports(now_ms));
        // What leaves the market passes, even if the day is used up.
        if !operation.is_buy() || worst.total() <= left {
            return Ok(());
        }
        let (total, left, limit) = (worst.total().digits(), left.digits(), limit.digits());
        let leaves = ["; maxLamportsPerDay (", &limit, ") leaves ", &left].concat();
        let what = ["spends up to ", &total, " lamports", &worst.in_words(), &leaves].concat();
        let field = limits::spending_field(operation, worst);
        refuse_field(Code::OverDayLimit, field, FieldCode::OutOfRange, &what)
    }

    /// How long to wait for a turn.
    fn check_turn(&self, now_ms: u64) -> Refusal<u32> {
        let Some(bucket) = &self.bucket else { return Ok(0) };
        match bucket.wait_ms(now_ms) {
            Ok(wait_ms) => Ok(wait_ms),
            Err(wait_ms) => refuse(Code::OverRateLimit, "over rateLimit").map_err(|mut error: Box<Error>| {
                error.retry_after_ms = Some(wait_ms);
                error
            }),
        }
    }
}

fn intents_of(held: &[Reserved]) -> Vec<&Intent> {
    held.iter().map(|held| &held.intent).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::amount::SlippageUnit;
    use crate::api::endpoint::Operation;
    use crate::api::validate::{Rules, validate};
    use crate::launchpad::Launchpad;
    use crate::tape::{Data, Number, Tape, ToTape, json};
    use crate::trade::reconcile::WalletBalances;
    use crate::{object, reader};

    const NOON: u64 = 43_200_000;

    /// A gateway answered that it waits for approval.
    const WAITING: Settlement = Settlement {
        outcome: IntentOutcome::Unknown,
        code: Some(Code::AwaitingApproval),
        status: Some(202),
        signature: None,
        proven: false,
    };

    /// Guards that count what a request itself says.
    fn guards(settings: Tape) -> Guards {
        let settings = reader::read(settings.root(), |r| Settings::read(r, SlippageUnit::Percent)).unwrap();
        Guards::new(Settings { count_charges: false, ..settings })
    }

    fn valid(operation: Operation, request: &Tape) -> Valid<Request> {
        validate(operation, request.root(), &Rules::default()).unwrap()
    }

    fn buy(wallet: &str, lamports: u64) -> Valid<Request> {
        let request = object! { "mint": "M", "fromWallet": wallet, "amountInLamports": lamports };
        valid(Operation::Buy, &request)
    }

    fn sell(wallet: &str) -> Valid<Request> {
        valid(Operation::Sell, &object! { "mint": "M", "fromWallet": wallet, "amountInToken": 5u32 })
    }

    fn bundle(legs: &[(&str, u64, Data)], slippage: Data) -> Valid<Request> {
        let leg = |(wallet, lamports, slippage): &(&str, u64, Data)| {
            object! { "fromWallet": wallet, "amountInLamports": lamports, "slippage": slippage }
        };
        let buys: Vec<Tape> = legs.iter().map(leg).collect();
        let request = object! { "mint": "M", "feePayer": "P", "buys": buys, "slippage": slippage };
        valid(Operation::BundleBuy, &request)
    }

    fn code<T: std::fmt::Debug>(refusal: Refusal<T>) -> &'static str {
        let error = refusal.unwrap_err();
        assert_eq!(error.outcome, crate::error::Outcome::NotSent);
        assert!(error.message.starts_with("not sent: "), "{}", error.message);
        error.code.as_str()
    }

    /// The code, the field and the message of a refusal for a field.
    fn blamed<T: std::fmt::Debug>(refusal: Refusal<T>) -> (&'static str, String, String) {
        let error = *refusal.unwrap_err();
        let [problem] = error.fields.as_slice() else { panic!("{error:?}") };
        (error.code.as_str(), problem.field.clone(), error.message)
    }

    #[test]
    fn what_is_to_blame_is_named() {
        let mut guards = guards(object! {
            "maxLamportsPerTrade": 1_000u64,
            "maxLamportsPerDay": 1_500u64,
            "maxSlippage": 5u32,
            "allowMints": vec!["M"],
            "allowWallets": vec!["P", "W", "X"],
        });
        let mut refused = |request: &Valid<Request>| blamed(guards.admit(NOON, "a", request));
        let none = Data::Null;
        let named = |code, field: &str, message: &str| (code, field.to_owned(), message.to_owned());

        let other = object! { "mint": "N", "fromWallet": "W", "amountInLamports": 1u64 };
        assert_eq!(
            refused(&valid(Operation::Buy, &other)),
            named("mint_not_allowed", "mint", "not sent: mint is not in allowMints")
        );
        assert_eq!(
            refused(&bundle(&[("W", 1, none), ("Y", 1, none)], none)),
            named(
                "wallet_not_allowed",
                "buys[1].fromWallet",
                "not sent: buys[1].fromWallet is not in allowWallets"
            )
        );
        let payer = object! { "mint": "M", "fromWallet": "W", "amountInLamports": 1u64, "feePayer": "Y" };
        assert_eq!(refused(&valid(Operation::Buy, &payer)).1, "feePayer");
        let message = "not sent: buys spends up to 1001 lamports; over maxLamportsPerTrade (1000)";
        assert_eq!(
            refused(&bundle(&[("W", 500, none), ("X", 501, none)], none)),
            named("over_trade_limit", "buys", message)
        );
        assert_eq!(refused(&buy("W", u64::MAX)).1, "amountInLamports");
        let most = (0..3).map(|_| ("W", u64::MAX, none)).collect::<Vec<_>>();
        let message =
            "not sent: buys spends up to 55340232221128654845 lamports; over maxLamportsPerTrade (1000)";
        assert_eq!(refused(&bundle(&most, none)), named("over_trade_limit", "buys", message));
        let wide = object! { "bps": Data::Number("500.000001") };
        assert_eq!(
            refused(&bundle(&[("W", 1, Data::Number("5")), ("X", 1, wide.root().data())], none)),
            named(
                "over_slippage_limit",
                "buys[1].slippage",
                "not sent: buys[1].slippage is 5.00000001 %, over maxSlippage (5 %)"
            )
        );
        assert_eq!(refused(&bundle(&[("W", 1, none)], Data::Number("6"))).1, "slippage");

        guards.admit(NOON, "a", &buy("W", 1_000)).unwrap();
        let message = "not sent: fromWallet has 1 in flight, as many as inFlightPerWallet allows";
        let busy = blamed(guards.admit(NOON, "b", &sell("W")));
        assert_eq!(busy, named("wallet_busy", "fromWallet", message));
        let message =
            "not sent: amountInLamports spends up to 501 lamports; maxLamportsPerDay (1500) leaves 500";
        let over = blamed(guards.admit(NOON, "b", &buy("X", 501)));
        assert_eq!(over, named("over_day_limit", "amountInLamports", message));
        assert!(guards.admit(NOON, "b", &buy("X", 500)).is_ok());
    }

    #[test]
    fn a_request_without_slippage_has_the_services_own() {
        let mut under = guards(object! { "maxSlippage": object! { "bps": 49u32 } });
        let message = "not sent: slippage is 0.5 % by default, over maxSlippage (0.49 %)";
        assert_eq!(blamed(under.admit(NOON, "a", &buy("W", 1))).2, message);
        let mut at = guards(object! { "maxSlippage": object! { "percent": Data::Number("0.5") } });
        assert!(at.admit(NOON, "a", &buy("W", 1)).is_ok());
        // A leg's own slippage replaces a main one that is too wide.
        let narrow = bundle(&[("X", 1, Data::Number("0.1"))], Data::Number("90"));
        assert!(at.admit(NOON, "b", &narrow).is_ok());
    }

    #[test]
    fn bare_slippage_is_in_the_services_unit() {
        let given = object! { "maxSlippage": 500u32 };
        let settings = reader::read(given.root(), |r| Settings::read(r, SlippageUnit::Bps)).unwrap();
        let mut guards = Guards::new(settings);
        let of = |slippage: u32| {
            let request =
                object! { "mint": "M", "fromWallet": "W", "amountInToken": 1u32, "slippage": slippage };
            valid(Operation::Sell, &request)
        };
        assert_eq!(code(guards.admit(NOON, "a", &of(501))), "over_slippage_limit");
        assert!(guards.admit(NOON, "a", &of(500)).is_ok());
    }

    #[test]
    fn a_priority_fee_is_spent_by_buys_and_sells() {
        let settings =
            object! { "maxLamportsPerTrade": 100u64, "maxLamportsPerDay": 150u64, "inFlightPerWallet": 9u32 };
        let mut guards = guards(settings);
        // 200,000 units a trade if the request has no limit; each fee is rounded up.
        let buys = |lamports: u64, limit: Option<u64>, price: u64| {
            let request = object! {
                "mint": "M", "fromWallet": "W", "amountInLamports": lamports,
                "priorityUnitLimit": limit, "priorityUnitPrice": price,
            };
            valid(Operation::Buy, &request)
        };
        let sells = |limit: Option<u64>, price: u64| {
            let request = object! {
                "mint": "M", "fromWallet": "W", "amountInToken": 5u32,
                "priorityUnitLimit": limit, "priorityUnitPrice": price,
            };
            valid(Operation::Sell, &request)
        };
        assert_eq!(
            blamed(guards.admit(NOON, "a", &buys(60, Some(41_000), 1_000))),
            (
                "over_trade_limit",
                "amountInLamports".to_owned(),
                "not sent: amountInLamports spends up to 101 lamports: 41 for priority; over maxLamportsPerTrade (100)"
                    .to_owned()
            )
        );
        assert_eq!(
            blamed(guards.admit(NOON, "a", &sells(None, 501))),
            (
                "over_trade_limit",
                "priorityUnitPrice".to_owned(),
                "not sent: priorityUnitPrice spends up to 101 lamports: 101 for priority; over maxLamportsPerTrade (100)".to_owned()
            )
        );
        assert_eq!(code(guards.admit(NOON, "a", &sells(Some(u64::MAX), u64::MAX))), "over_trade_limit");
        // A service that tests the field for truth takes its own units.
        assert_eq!(code(guards.admit(NOON, "a", &sells(Some(0), 501))), "over_trade_limit");
        // A transaction that failed has paid for its priority; one that was refused has not.
        for (outcome, spent) in
            [(IntentOutcome::Rejected, 0), (IntentOutcome::Failed, 40), (IntentOutcome::Unknown, 140)]
        {
            let ticket = guards.admit(NOON, "a", &buys(60, Some(40_000), 1_000)).unwrap().ticket;
            guards.settle(ticket, outcome);
            assert_eq!(guards.state(NOON).lamports_today, spent);
        }
        guards.acknowledge("a", IntentOutcome::Failed);
        assert_eq!(guards.state(NOON).lamports_today, 80);
        // A sell leaves less of the day for buys, and is never refused for it.
        for id in ["b", "c"] {
            let ticket = guards.admit(NOON, id, &sells(Some(99_001), 1_000)).unwrap().ticket;
            guards.settle(ticket, IntentOutcome::Landed);
        }
        assert_eq!(guards.state(NOON).lamports_today, 280);
        let (code, field, message) = blamed(guards.admit(NOON, "d", &buys(1, Some(1), 1)));
        assert_eq!((code, field.as_str()), ("over_day_limit", "amountInLamports"));
        assert!(
            message.contains("spends up to 2 lamports: 1 for priority; maxLamportsPerDay (150) leaves 0"),
            "{message}"
        );
    }

    #[test]
    fn a_buy_that_may_exceed_its_amount_counts_with_its_slippage() {
        let most = |slippage: Data, unit: SlippageUnit| {
            let settings = Settings {
                buys_may_exceed: BuysMayExceed::Slippage,
                slippage_unit: unit,
                count_charges: false,
                ..Settings::default()
            };
            let mut guards = Guards::new(settings);
            let request = object! { "mint": "M", "fromWallet": "W", "amountInLamports": 1_001u64, "slippage": slippage };
            guards.admit(NOON, "a", &valid(Operation::Buy, &request)).unwrap();
            guards.state(NOON).lamports_today
        };
        assert_eq!(most(Data::Null, SlippageUnit::Percent), 1_007, "0.5 % by default, rounded up");
        assert_eq!(most(Data::Number("30"), SlippageUnit::Percent), 1_302);
        assert_eq!(most(Data::Number("500"), SlippageUnit::Bps), 1_052);
        let mut guards = Guards::new(Settings {
            buys_may_exceed: BuysMayExceed::Slippage,
            max_lamports_per_trade: Some(1_300),
            count_charges: false,
            ..Settings::default()
        });
        let legs = [("W", 500, Data::Number("100")), ("X", 200, Data::Null)];
        let (code, field, message) = blamed(guards.admit(NOON, "a", &bundle(&legs, Data::Number("51"))));
        assert_eq!((code, field.as_str()), ("over_trade_limit", "buys"));
        assert_eq!(message, "not sent: buys spends up to 1302 lamports; over maxLamportsPerTrade (1300)");
    }

    #[test]
    fn the_worst_case_has_the_accounts_that_are_not_known_to_be_open() {
        let mut guards = Guards::new(Settings::default());
        let request = buy("W", 100);
        let rules = Launchpad::default();
        let [token_account, volume_account] = rules.first_rents_lamports();
        let signature = rules.network.lamports_per_signature;
        let accounts = |guards: &Guards| guards.worst(NOON, &request).accounts;
        assert_eq!(accounts(&guards), u128::from(token_account + volume_account));
        assert_eq!(guards.worst(NOON, &request).signatures, u128::from(signature));
        guards.learn_end(&request, true, false);
        assert_eq!(accounts(&guards), 0, "the reply to a buy shows both");
        guards.learn_end(&sell("W"), true, true);
        assert_eq!(accounts(&guards), 0);
        guards.learn_end(&sell("W"), true, false);
        assert_eq!(accounts(&guards), u128::from(token_account), "a sell may have closed it");
        let holds = |tokens| {
            vec![WalletBalances { wallet: "W".into(), tokens: Some(tokens), lamports: None, slot: None }]
        };
        guards.learn_holdings("M", &holds(7));
        assert_eq!(accounts(&guards), 0);
        guards.learn_holdings("M", &holds(0));
        assert_eq!(accounts(&guards), u128::from(token_account));
        let legs = [("W", 100, Data::Null), ("W", 100, Data::Null), ("X", 100, Data::Null)];
        let both = guards.worst(NOON, &bundle(&legs, Data::Null));
        assert_eq!(
            both.accounts,
            u128::from(2 * token_account + volume_account),
            "each wallet opens its own once"
        );
        assert_eq!((both.signatures, both.fees()), (15_000, 15_000));
        assert_eq!(guards.worst(NOON, &sell("W")).accounts, 0);
    }

    #[test]
    fn small_buys_of_new_tokens_do_not_pass_below_the_limits() {
        let rules = Launchpad::default();
        let ([token, volume], signature) =
            (rules.first_rents_lamports(), rules.network.lamports_per_signature);
        let of_token = 100 + signature + token;
        let first = of_token + volume;
        let today = first + of_token + 100 + signature;
        let limits = Settings {
            max_lamports_per_trade: Some(first),
            max_lamports_per_day: Some(today + of_token - 1),
            ..Settings::default()
        };
        let buy = |mint: &str| {
            valid(Operation::Buy, &object! { "mint": mint, "fromWallet": "W", "amountInLamports": 100u64 })
        };
        let spends = |all, accounts| {
            format!(
                "not sent: amountInLamports spends up to {all} lamports: {signature} for signatures, {accounts} for accounts that it may open; "
            )
        };
        let mut guards = Guards::new(Settings { max_lamports_per_trade: Some(first - 1), ..limits.clone() });
        let message = spends(first, token + volume) + &format!("over maxLamportsPerTrade ({})", first - 1);
        let over = blamed(guards.admit(NOON, "a", &buy("M")));
        assert_eq!(over, ("over_trade_limit", "amountInLamports".to_owned(), message));
        guards = Guards::new(limits);
        for (id, mint, today) in [("a", "M", first), ("b", "N", first + of_token), ("c", "M", today)] {
            let ticket = guards.admit(NOON, id, &buy(mint)).unwrap().ticket;
            guards.settle(ticket, IntentOutcome::Landed);
            guards.learn_end(&buy(mint), true, false);
            assert_eq!(guards.state(NOON).lamports_today, u128::from(today), "{mint}");
        }
        let left = of_token - 1;
        let message =
            spends(of_token, token) + &format!("maxLamportsPerDay ({}) leaves {left}", today + left);
        let over = blamed(guards.admit(NOON, "d", &buy("O")));
        assert_eq!(over, ("over_day_limit", "amountInLamports".to_owned(), message));
        assert!(guards.admit(NOON, "d", &sell("W")).is_ok(), "no sell is refused for it");
    }

    #[test]
    fn a_price_shows_an_account_open_only_if_it_knows_the_wallet() {
        let price = |account: &str| {
            let leg = format!(
                r#"{{"wallet":"W","tokenAccount":"{account}","rentLamports":"0","volumeRentLamports":"0"}}"#
            );
            json::parse(format!(r#"{{"legs":[{leg}]}}"#).as_bytes()).unwrap()
        };
        for (account, rent) in [("unknown", 2_860_040), ("stays", 0)] {
            let mut guards = Guards::new(Settings::default());
            guards.learn(&buy("W", 1), &PlanPrice::of(&price(account)));
            assert_eq!(guards.worst(NOON, &buy("W", 1)).accounts, rent, "{account}");
        }
    }

    #[test]
    fn the_others_of_a_trade_are_chosen_by_the_chain_and_not_by_a_clock_that_may_be_wrong() {
        let mut guards = Guards::new(Settings::default());
        let record = |id: &str, slot| {
            let seen =
                WalletBalances { wallet: "W".into(), tokens: Some(0), lamports: Some(0), slot: Some(slot) };
            TradeIntent { before: Some(vec![seen]), body: "{}".into(), ..TradeIntent::from(id) }
        };
        let other = guards.admit(NOON, record("other", 900), &buy("W", 1)).unwrap();
        guards.settle(other.ticket, IntentOutcome::Landed);
        // The clock is three days ahead.
        let own = guards.admit(NOON + 3 * DAY_MS, record("own", 1_000), &buy("W", 1)).unwrap();
        guards.settle(own.ticket, IntentOutcome::Unknown);
        assert_eq!(guards.others("own").map(|others| others.len()), Some(1));
        assert_eq!(guards.other_ids("own"), Some(vec!["other".to_owned()]));
    }

    #[test]
    fn an_amount_in_base_units_is_counted_by_the_tokens_own_decimals() {
        let mut guards = guards(object! {});
        let check = |guards: &Guards, operation, by, has_market| {
            guards
                .check_decimals(operation, "M", by, has_market)
                .map_err(|error| (error.code.as_str(), error.message))
        };
        assert_eq!(check(&guards, Operation::Sell, None, true), Ok(()));
        assert_eq!(check(&guards, Operation::Sell, Some(6), false), Ok(()));
        let unknown = "not sent: amountInToken is in base units, counted by tokenDecimals (6), and the market has not said how many decimals \
                       the token has: plan or send the sell once it answers, or name whole tokens, { tokens }";
        let refused = check(&guards, Operation::Sell, Some(6), true);
        assert_eq!(refused, Err(("token_decimals_unknown", unknown.to_owned())));
        guards.learn_decimals("M", 9);
        let other = "not sent: sells is in base units, counted by tokenDecimals (6), and the token has 9 decimals: set tokenDecimals to the \
                     token's own, or name whole tokens, { tokens }";
        for has_market in [true, false] {
            let refused = check(&guards, Operation::BundleSell, Some(6), has_market);
            assert_eq!(refused, Err(("other_token_decimals", other.to_owned())));
            assert_eq!(check(&guards, Operation::Sell, Some(9), has_market), Ok(()));
        }
    }

    #[test]
    fn an_intent_is_sent_once() {
        let mut guards = guards(object! {});
        let request = buy("W", 1);
        for (settlement, then) in [
            (IntentOutcome::NotSent.into(), None),
            (IntentOutcome::Rejected.into(), None),
            (IntentOutcome::Failed.into(), None),
            (WAITING, Some("intent_unknown")),
            (IntentOutcome::Unknown.into(), Some("intent_unknown")),
            (IntentOutcome::Landed.into(), Some("intent_landed")),
        ] {
            let ticket = guards.admit(NOON, "a", &request).unwrap().ticket;
            assert_eq!(code(guards.admit(NOON, "a", &buy("X", 1))), "intent_in_flight");
            assert!(!guards.acknowledge("a", Found::DidNotLand), "it is in flight, not unresolved");
            guards.settle(ticket, settlement.clone());
            guards.settle(ticket, IntentOutcome::NotSent);
            assert_eq!(code(guards.recheck(NOON, ticket)), "aborted_before_send");
            if let Some(refused) = then {
                assert_eq!(code(guards.admit(NOON, "a", &request)), refused);
            }
            let is_unresolved = settlement.outcome == IntentOutcome::Unknown;
            assert_eq!(guards.acknowledge("a", Found::DidNotLand), is_unresolved);
        }
        let ticket = guards.admit(NOON, "b", &request).unwrap().ticket;
        guards.settle(ticket, IntentOutcome::Unknown);
        assert!(guards.acknowledge("b", Found::Landed));
        assert_eq!(code(guards.admit(NOON, "b", &request)), "intent_landed");
    }

    #[test]
    fn what_went_to_a_service_is_not_sent_to_a_gateway_again() {
        let mut guards = guards(object! {});
        for (id, through_gateway) in [("direct", false), ("gateway", true)] {
            let record = TradeIntent { body: "{}".into(), through_gateway, ..TradeIntent::from(id) };
            guards.restore_unresolved(NOON, NOON, record, &buy(id, 1));
            let taken = guards.take_up(NOON, id, Operation::Buy, "{}").unwrap();
            assert_eq!(taken.is_some(), through_gateway, "{id}");
        }
    }

    #[test]
    fn an_intent_that_is_claimed_is_not_taken_up() {
        let mut guards = guards(object! {});
        let request = buy("W", 1);
        let record = TradeIntent { body: "{}".into(), through_gateway: true, ..TradeIntent::from("a") };
        assert!(!guards.claim("a"));
        let ticket = guards.admit(NOON, record, &request).unwrap().ticket;
        assert!(!guards.claim("a"), "it is in flight");
        guards.settle(ticket, IntentOutcome::Unknown);
        assert!(guards.claim("a") && !guards.claim("a"));
        assert_eq!(guards.take_up(NOON, "a", Operation::Buy, "{}"), Ok(None));
        let error = guards.admit(NOON, "a", &request).unwrap_err();
        let message = "not sent: this intent is being acknowledged; wait until that is done";
        assert_eq!((error.code, error.message.as_str()), (Code::IntentUnknown, message));
        guards.release("a");
        let Ok(Some((ticket, _))) = guards.take_up(NOON, "a", Operation::Buy, "{}") else { panic!() };
        assert!(!guards.claim("a"), "it is in flight");
        guards.settle(ticket, IntentOutcome::Unknown);
        assert!(guards.claim("a") && guards.acknowledge("a", Found::DidNotLand));
        guards.release("a");
        assert!(guards.admit(NOON, "a", &request).is_ok());
    }

    #[test]
    fn a_trade_counts_for_the_day_it_is_sent_on() {
        let day = 86_400_000;
        let mut guards = guards(object! { "maxLamportsPerDay": 10u64 });
        let early = guards.admit(day - 1, "a", &buy("W", 6)).unwrap().ticket;
        let other = guards.admit(day, "b", &buy("X", 6)).unwrap().ticket;
        assert_eq!(code(guards.recheck(day, early)), "over_day_limit");
        guards.settle(other, IntentOutcome::Rejected);
        assert_eq!(guards.recheck(day + 5, early), Ok(day + 5), "the time that it counts by");
        assert_eq!(guards.state(day).lamports_today, 6);
        assert_eq!(guards.recheck(day + 9, early), Ok(day + 5), "it counts once");
        assert_eq!(guards.state(day).lamports_today, 6);
        guards.settle(early, IntentOutcome::NotSent);
        assert_eq!(guards.state(day).lamports_today, 0);
    }

    #[test]
    fn a_turn_is_waited_for_or_refused() {
        let rate = |max_queue_ms: u32| {
            let rate = object! { "perSecond": 1u32, "burst": 1u32, "maxQueueMs": max_queue_ms };
            object! { "rateLimit": rate, "inFlightPerWallet": 9u32 }
        };
        let mut queued = guards(rate(1_500));
        let waits: Vec<_> = ["a", "b"].map(|id| queued.admit(NOON, id, &buy("W", 1)).unwrap().wait_ms).into();
        assert_eq!(waits, [0, 1_000]);
        let refused = queued.admit(NOON, "c", &buy("W", 1)).unwrap_err();
        assert_eq!((refused.code.as_str(), refused.retry_after_ms), ("over_rate_limit", Some(2_000)));
        assert_eq!(queued.state(NOON).in_flight.len(), 2, "what is refused reserves nothing");
        let mut refusing = guards(rate(0));
        refusing.admit(NOON, "a", &buy("W", 1)).unwrap();
        assert_eq!(code(refusing.admit(NOON + 999, "b", &buy("W", 1))), "over_rate_limit");
        let hour_before = NOON - 3_600_000;
        assert_eq!(code(refusing.admit(hour_before, "c", &buy("W", 1))), "over_rate_limit");
        assert!(
            refusing.admit(hour_before + 1_000, "c", &buy("V", 1)).is_ok(),
            "a clock that was set right stops no trade for long"
        );
        assert!(refusing.admit(NOON + 1_000, "b", &buy("W", 1)).is_ok());
    }

    #[test]
    fn a_journal_brings_back_what_is_in_doubt_and_what_was_spent() {
        let mut guards = guards(object! { "maxLamportsPerDay": 10u64 });
        for _ in 0..2 {
            guards.restore_unresolved(NOON, NOON - 5, "a", &buy("W", 4));
            guards.restore_landed(NOON, NOON - 9, "b", &buy("W", 5));
        }
        assert_eq!(guards.state(NOON).lamports_today, 9);
        assert_eq!(code(guards.admit(NOON, "a", &buy("W", 1))), "intent_unknown");
        assert_eq!(code(guards.admit(NOON, "b", &buy("W", 1))), "intent_landed");
        assert_eq!(code(guards.admit(NOON, "c", &buy("W", 2))), "over_day_limit");
        assert!(guards.acknowledge("a", Found::DidNotLand));
        assert!(guards.admit(NOON, "c", &buy("W", 5)).is_ok());
    }

    #[test]
    fn a_journals_sum_counts_and_its_ids_are_used_up() {
        let mut guards = guards(object! { "maxLamportsPerDay": 10u64 });
        guards.restore_unresolved(NOON, NOON - 5, "a", &buy("W", 1));
        guards.restore_landed_id("a");
        guards.restore_landed_id("b");
        guards.restore_spent(NOON, 7);
        assert_eq!(guards.state(NOON).lamports_today, 8);
        assert_eq!(code(guards.admit(NOON, "a", &buy("W", 1))), "intent_unknown");
        assert_eq!(code(guards.admit(NOON, "b", &buy("W", 1))), "intent_landed");
        assert_eq!(code(guards.admit(NOON, "c", &buy("W", 3))), "over_day_limit");
        assert!(guards.admit(NOON, "c", &buy("W", 2)).is_ok());
    }

    #[test]
    fn a_panel_sees_all_of_it() {
        let mut guards = guards(object! { "maxLamportsPerDay": 10u64 });
        let before =
            vec![WalletBalances { wallet: "W".into(), tokens: Some(3), lamports: Some(9), slot: None }];
        let record = TradeIntent { body: "{}".into(), before: Some(before), ..TradeIntent::from("a") };
        let legs = [("W", 3, Data::Null), ("W", 1, Data::Null)];
        let unresolved = guards.admit(NOON, record, &bundle(&legs, Data::Null)).unwrap();
        guards.settle(unresolved.ticket, IntentOutcome::Unknown);
        guards.reduce();
        let intent = object! {
            "intentId": "a",
            "operation": "bundleBuy",
            "startedAtMs": Number(NOON.into()),
            "body": "{}",
            "mint": "M",
            "wallets": vec!["W", "P"],
            "lamports": 4u64,
            "before": vec![object! { "wallet": "W", "tokens": "3", "lamports": "9" }],
            "counted": object! { "lamports": "4", "fees": "0" },
        };
        let expected = object! {
            "mode": "reducing",
            "breakerOpen": false,
            "unknownsInARow": 1u32,
            "lamportsToday": 4u64,
            "maxLamportsPerDay": 10u64,
            "burstLeft": Data::Null,
            "inFlight": Vec::<Tape>::new(),
            "unresolved": vec![intent],
        };
        assert_eq!(guards.state(NOON).to_tape(), expected);
    }
}
