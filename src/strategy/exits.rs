//! The next order of a position's exits, and what became of it.

use super::happening::ExitHappening;
use super::plan::ExitPosition;
use super::state::{ExitAnswered, ExitGone, ExitMissing, ExitOrder, ExitReason, ExitSold, ExitState, Label};
use super::units::{Millis, Multiple};
use crate::amount::Digits;
use crate::error::{FieldCode, FieldError};
use crate::intent::IntentOutcome;
use crate::launchpad::div::mul_div_floor;
use crate::launchpad::{Launchpad, Token};
use crate::tape::{Item, json};

/// A look at the market.
#[derive(Clone, Copy, Debug)]
pub struct Tick<'a> {
    /// When, in milliseconds since 1970.
    pub at_ms: u64,
    /// The launchpad's rules.
    pub launchpad: &'a Launchpad,
    pub token: &'a Token,
    /// Base units of it that the wallet holds, if they are known: with those of other positions.
    pub wallet_tokens: Option<u64>,
}

/// What selling everything that is left would do now.
struct Worth {
    /// Base units that can be sold.
    held: u64,
    /// What it would bring, compared with what was paid.
    multiple: Multiple,
}

/// How long the first attempt waits after one that did not land, in milliseconds. Each further one waits twice as long.
const FIRST_WAIT_MS: u64 = 1_000;
/// The longest of these waits.
const LONGEST_WAIT_MS: u64 = 60_000;

/// Tokens that the wallet does not have at looks in a row, over this time, were sold or sent away otherwise.
const GONE_MS: u64 = 60_000;
/// The same of tokens that no look has shown: a node may lag behind the buy, and giving them up would leave them without a stop.
const UNSEEN_MS: u64 = 300_000;
/// The most of a gap between two looks that counts for these times: a clock that jumps says nothing of the tokens.
const GAP_MS: u64 = 15_000;
/// How long looks may not show the whole position before that is told.
const UNSHOWN_MS: u64 = 30_000;
/// How long looks may be older than a sell that landed.
const OLDER_MS: u64 = 60_000;
/// The most sells whose answers are remembered: those of the last minutes, which the chain has not shown yet.
const MOST_ANSWERED: usize = 16;

/// From here on a multiple at the first look is that of another unit: from its start to its end, a curve's price rises less than 20 times.
const MOST_AT_FIRST: u64 = 1_000;
/// The same of a cost that is less than any network fee.
const MOST_OF_LITTLE: u64 = 20;
/// The least cost, in lamports, that tokens are compared with: of less than this, fees may be nearly all.
const LEAST_WHOLE_COST: u64 = 1_000_000;

/// The state after a look at the market, and the order that it asks for. The caller keeps the state before it sends the order, and
/// says by [`settled`] what became of it; until then nothing else is ordered.
///
/// The order of the rules is that of [`ExitReason`]. Take-profits come last, all that are reached in one order. Anything that sells
/// all that is left has the same intent id, whatever rule asks for it.
///
/// A look that is older than the buy, or than the last sell, decides nothing: until one has shown all of the position, and again until
/// one no longer shows what the wallet held before the sell, only what a person asks for is sold.
///
/// Tokens that the wallet has held, and then not at looks in a row over a minute, are no longer of the position: its exits never sell what
/// was bought later. Those that no look has shown are given up after five minutes. Without any, it is over. They are of the position
/// again once the wallet holds exactly what it held with them, or, if no look had shown them, exactly them and what is left.
///
/// Nothing is ordered either while the time of the position does not fit that of the look, or what it holds and cost does not fit the
/// price of the first one: [`ExitState::time_problem`] and [`ExitState::unit_problem`] say so.
///
/// ```
/// use launchpad_desk::intent::IntentOutcome;
/// use launchpad_desk::launchpad::{Launchpad, Token};
/// use launchpad_desk::strategy::{ExitPlan, ExitPosition, ExitState, Tick, next, settled};
///
/// let launchpad = Launchpad::default();
/// let bought = launchpad.buy_exact_in(&launchpad.new_token(), 1_000_000_000, 1).unwrap();
/// let token = Token { curve: bought.curve_after, ..launchpad.new_token() };
/// let position = ExitPosition {
///     id: "signal-1".into(),
///     mint: "M".into(),
///     wallet: "W".into(),
///     tokens: bought.tokens,
///     cost_lamports: 1_000_005_000,
///     ..ExitPosition::default()
/// };
/// let plan = ExitPlan { stop_loss: Some("0.99x".parse().unwrap()), ..ExitPlan::default() };
///
/// // Bought and sold at once, it brings less: the fees.
/// let tick = Tick { at_ms: 0, launchpad: &launchpad, token: &token, wallet_tokens: None };
/// let (state, order) = next(ExitState::open(plan, position), &tick);
/// let order = order.unwrap();
/// assert_eq!((order.intent_id.as_str(), order.tokens), ("signal-1/all", bought.tokens));
/// assert_eq!(order.multiple.to_string(), "0.975298762x");
///
/// let state = settled(state, &order.intent_id, IntentOutcome::Landed, 400, None);
/// assert!(state.is_over());
/// ```
pub fn next(mut state: ExitState, tick: &Tick) -> (ExitState, Option<ExitOrder>) {
    let order = if state.unit_problem(tick).is_some() { None } else { state.look(tick, None) };
    (state, order)
}

/// The state once it is known what became of the intent with this id. What it has sold, or would have, may be known to the base unit;
/// otherwise it is what was ordered: of an exit that this state does not know, all that its rung leaves nothing of. Ids that are not of
/// this position, and what is known already, change nothing.
///
/// | outcome | the rung |
/// |---|---|
/// | `landed` | is sold |
/// | `unknown`, `unconfirmed` | waits; nothing is ordered until it is settled |
/// | `not_sent` | may be ordered again under the same id |
/// | `rejected`, `failed`, `did_not_land` | is proven not sold: it may be ordered again under a new id, after a wait of a second that doubles up to a minute |
///
/// It also takes what a journal remembers of exits that this state does not know, because an older one was kept, or none.
pub fn settled(
    mut state: ExitState,
    intent_id: &str,
    outcome: IntentOutcome,
    at_ms: u64,
    sold_tokens: Option<u64>,
) -> ExitState {
    let Some(label) = state.label(intent_id) else { return state };
    match outcome {
        IntentOutcome::Landed => {
            let (tokens, cost, rungs) = (state.tokens, state.cost_lamports, state.rungs_sold);
            state.land(label, intent_id, at_ms, sold_tokens);
            let (tokens, cost_lamports) = (tokens - state.tokens, cost - state.cost_lamports);
            state.answer(intent_id, ExitAnswered { landed: true, tokens, cost_lamports, rungs, ..EMPTY });
        }
        IntentOutcome::NotSent => drop(state.take_order(intent_id)),
        IntentOutcome::Rejected | IntentOutcome::Failed | IntentOutcome::DidNotLand => {
            let order = state.take_order(intent_id);
            state.close_tried |= order.as_ref().is_some_and(|order| order.reason == ExitReason::CloseNow);
            if let Some(ExitOrder { tokens, rungs, .. }) = order.filter(|_| outcome == IntentOutcome::Failed)
            {
                state.answer(intent_id, ExitAnswered { tokens, rungs, ..EMPTY });
            }
            if let Some(tries) = state.tries_of(label.rung)
                && tries.failed <= label.attempt
            {
                tries.failed = label.attempt.saturating_add(1);
                let doubled = FIRST_WAIT_MS << label.attempt.min(6);
                let wait = doubled.min(LONGEST_WAIT_MS);
                tries.not_before_ms = Millis(at_ms.saturating_add(wait).min(Millis::MOST));
            }
        }
        IntentOutcome::Unknown | IntentOutcome::Unconfirmed => {
            let mut waiting = state.order.iter_mut().chain(&mut state.doubts);
            match waiting.find(|order| order.intent_id == intent_id) {
                Some(order) => {
                    order.outcome = Some(outcome);
                    // Whoever sent this id before may have sold another amount.
                    let most = sold_tokens.unwrap_or(order.tokens).min(state.tokens);
                    order.tokens = if most > 0 { most } else { order.tokens };
                }
                None => match state.recalled(label, intent_id, outcome, at_ms, sold_tokens) {
                    Some(order) if state.order.is_some() => state.doubts.push(order),
                    order => state.order = state.order.or(order),
                },
            }
        }
    }
    state
}

/// The state once the chain has shown how a trade ended: the [buy](ExitState::is_buy) of the position, or a sell of it.
/// What its service had said counts no longer, if that was the opposite; anything else changes nothing.
///
/// | the chain shows | so far | from now on |
/// |---|---|---|
/// | the buy failed, or never landed | it is a position | it never was: nothing is sold |
/// | a sell failed, or never landed | sold | of the position again, under a new id |
/// | a sell landed | not sold | sold |
///
/// ```
/// use launchpad_desk::intent::IntentOutcome;
/// use launchpad_desk::strategy::{ExitPlan, ExitPosition, ExitState, corrected, settled};
///
/// let position = ExitPosition { id: "signal-1".into(), tokens: 5, cost_lamports: 7, ..ExitPosition::default() };
/// let sold = settled(ExitState::open(ExitPlan::default(), position), "signal-1/all", IntentOutcome::Landed, 0, None);
/// assert!(sold.is_over());
/// let state = corrected(sold, "signal-1/all", IntentOutcome::Failed);
/// assert_eq!((state.tokens, state.cost_lamports), (5, 7));
/// assert!(corrected(state, "signal-1", IntentOutcome::DidNotLand).is_over());
/// ```
pub fn corrected(mut state: ExitState, intent_id: &str, outcome: IntentOutcome) -> ExitState {
    let never = matches!(outcome, IntentOutcome::Failed | IntentOutcome::DidNotLand);
    if state.is_buy(intent_id) {
        if never && !state.unbought {
            (state.unbought, state.gone, state.missing) = (true, None, None);
            state.keep(0);
            state.trim_orders();
        }
        return state;
    }
    let known = state.answered.iter().position(|answered| answered.intent_id == intent_id);
    let Some(at) = known.filter(|_| state.label(intent_id).is_some()) else { return state };
    let Some(answered) = state.answered.get(at).cloned() else { return state };
    let rungs = state.rungs_sold;
    let counts = if answered.landed && never {
        state.give_back(answered.tokens, answered.cost_lamports);
        (state.rungs_sold, state.sold) = (answered.rungs.min(state.plan.take_profit.len() as u32), None);
        state.counted.retain(|counted| counted != intent_id);
        // A rung that was sold after it may be due again: not under the id that sold it.
        let sells = state.answered.iter().filter(|own| own.landed);
        for Label { rung, attempt } in sells.filter_map(|own| state.label(&own.intent_id)).collect::<Vec<_>>()
        {
            if let Some(tries) = state.tries_of(rung) {
                tries.failed = tries.failed.max(attempt.saturating_add(1));
            }
        }
        ExitAnswered { landed: false, cost_lamports: 0, rungs, ..answered }
    } else if !answered.landed && outcome == IntentOutcome::Landed {
        let (had, left) = (state.tokens, state.tokens.saturating_sub(answered.tokens));
        let cost_lamports = state.keep(left);
        state.rungs_sold = rungs.max(answered.rungs);
        state.trim_orders();
        ExitAnswered { landed: true, tokens: had - left, cost_lamports, rungs, ..answered }
    } else {
        return state;
    };
    state.answered[at] = counts;
    state
}

/// The state once the transaction of a sell that landed shows that it sold so many base units: what is left of those that it counts for is of
/// the position again, with what it cost. None at all are those of another try, which say nothing of this sell.
pub(super) fn sold_by_chain(mut state: ExitState, intent_id: &str, sold: u64) -> ExitState {
    let is_it = |own: &&mut ExitAnswered| own.intent_id == intent_id && own.landed && own.tokens > sold;
    if let Some(own) = state.answered.iter_mut().find(is_it).filter(|_| sold > 0) {
        let tokens = own.tokens - sold;
        let cost = mul_div_floor(own.cost_lamports, tokens, own.tokens).unwrap_or_default();
        (own.tokens, own.cost_lamports) = (sold, own.cost_lamports - cost);
        state.give_back(tokens, cost);
    }
    state
}

/// What a driver tells of a [correction](corrected).
pub fn correction(intent_id: &str, outcome: IntentOutcome) -> String {
    let ends = match outcome {
        IntentOutcome::Landed => " failed, and the chain shows that it landed",
        _ => " landed, and the chain shows that it did not: what it was to sell is of the position again",
    };
    ["the service said that ", intent_id, ends].concat()
}

const EMPTY: ExitAnswered =
    ExitAnswered { intent_id: String::new(), landed: false, tokens: 0, cost_lamports: 0, rungs: 0 };

impl ExitState {
    /// Why what the position is said to hold, or to have cost, cannot be in base units and lamports, by the price of its first look: a
    /// curve's price never moves that far.
    ///
    /// ```
    /// use launchpad_desk::launchpad::{Launchpad, Token};
    /// use launchpad_desk::strategy::{ExitPlan, ExitPosition, ExitState, Tick};
    /// let launchpad = Launchpad::default();
    /// let bought = launchpad.buy_exact_in(&launchpad.new_token(), 1_000_000_000, 1).unwrap();
    /// let token = Token { curve: bought.curve_after, ..launchpad.new_token() };
    /// let tick = Tick { at_ms: 0, launchpad: &launchpad, token: &token, wallet_tokens: None };
    /// let problem = |tokens, cost_lamports| {
    ///     let position = ExitPosition { tokens, cost_lamports, ..ExitPosition::default() };
    ///     ExitState::open(ExitPlan::default(), position).unit_problem(&tick).map(|problem| problem.message)
    /// };
    /// assert_eq!(problem(bought.tokens, 1_000_005_000), None);
    /// let in_sol = "position.costLamports is 1, and selling the position would bring 975308639 lamports now: a cost is in lamports, \
    ///               of which 1 SOL has 1000000000; of what was free it is 0";
    /// assert_eq!(problem(bought.tokens, 1).as_deref(), Some(in_sol));
    /// let whole = "position.tokens is 34199203, and selling those would bring 1006 of the 1000005000 lamports that they cost: tokens are \
    ///              in base units, of which a whole one has 1000000";
    /// assert_eq!(problem(34_199_203, 1_000_005_000).as_deref(), Some(whole));
    /// ```
    pub fn unit_problem(&self, tick: &Tick) -> Option<FieldError> {
        let ExitPosition { tokens, cost_lamports: cost, .. } = self.position;
        let is_first = self.best == Multiple::default() && self.tokens == tokens && self.order.is_none();
        if !is_first || self.closing || cost == 0 || tick.token.is_complete() {
            return None;
        }
        let brings = |tokens| tick.launchpad.worth_of(tick.token, tokens);
        let sold = brings(tokens)?;
        let of = |field: &str, given: u64, what: &[&str]| {
            let what = ["is ", &given.digits(), ", and selling ", &what.concat()].concat();
            Some(FieldError::of(&["position.", field].concat(), FieldCode::OutOfRange, &what))
        };
        // The network fee alone is more than what some take for SOL.
        let is_little = cost < tick.launchpad.network.lamports_per_signature;
        let most = if is_little { MOST_OF_LITTLE } else { MOST_AT_FIRST };
        if sold / most >= cost {
            let lamports = " lamports now: a cost is in lamports, of which 1 SOL has 1000000000; of what was free it is 0";
            return of("costLamports", cost, &["the position would bring ", &sold.digits(), lamports]);
        }
        let unit = 10_u64.checked_pow(tick.launchpad.token_decimals.into())?;
        let is_whole = || brings(tokens.checked_mul(unit)?).filter(|whole| *whole >= cost / MOST_OF_LITTLE);
        if cost < LEAST_WHOLE_COST || sold.saturating_mul(MOST_AT_FIRST) > cost || is_whole().is_none() {
            return None;
        }
        let base = " lamports that they cost: tokens are in base units, of which a whole one has ";
        of(
            "tokens",
            tokens,
            &["those would bring ", &sold.digits(), " of the ", &cost.digits(), base, &unit.digits()],
        )
    }

    /// The trades whose end the chain may show otherwise: what may be the position's buy, by its id, and its latest sells.
    pub fn answered_ids(&self) -> Vec<String> {
        let own = [Some(self.position.id.as_str()), self.bundle_id()];
        let own = own.into_iter().flatten().filter(|_| !self.unbought);
        own.chain(self.answered.iter().map(|answered| answered.intent_id.as_str()))
            .map(str::to_owned)
            .collect()
    }

    /// Whether this is the id that the buy of the position has: the position's own or, of a bundle, without the wallet.
    pub fn is_buy(&self, intent_id: &str) -> bool {
        intent_id == self.position.id || self.bundle_id() == Some(intent_id)
    }

    /// The id of the bundle that bought the position, if its id is [made of that and the wallet](super::bought::Bought::position).
    fn bundle_id(&self) -> Option<&str> {
        let id = self.position.id.strip_suffix(self.position.wallet.as_str())?.strip_suffix('/')?;
        (!id.is_empty()).then_some(id)
    }

    /// Whether the trade with this id and body bought the position: of its token, for its wallet.
    pub fn is_bought_by(&self, intent_id: &str, body: &str) -> bool {
        let Ok(body) = json::parse(body.as_bytes()) else { return false };
        let has = |item: Item, name: &str, of: &str| item.text_of(name) == Some(of);
        let (body, ExitPosition { id, mint, wallet, .. }) = (body.root(), &self.position);
        let is_of_wallet =
            |buy: Item| buy.get("amountInLamports").is_some() && has(buy, "fromWallet", wallet);
        let is_of_bundle =
            body.get("buys").and_then(Item::items).is_some_and(|mut buys| buys.any(is_of_wallet));
        self.is_buy(intent_id)
            && has(body, "mint", mint)
            && (is_of_bundle || (intent_id == id && is_of_wallet(body)))
    }

    /// Remembers what counts of a sell whose end its service has said.
    fn answer(&mut self, intent_id: &str, answered: ExitAnswered) {
        let is_known = self.answered.iter().any(|known| known.intent_id == intent_id);
        if answered.tokens == 0 || is_known {
            return;
        }
        if self.answered.len() >= MOST_ANSWERED {
            self.answered.remove(0);
        }
        self.answered.push(ExitAnswered { intent_id: intent_id.to_owned(), ..answered });
    }

    /// Of orders that were made without knowing what was sold since, only what is left can be sold.
    fn trim_orders(&mut self) {
        let left = self.tokens;
        let mut waiting: Vec<ExitOrder> =
            self.order.take().into_iter().chain(self.doubts.drain(..)).collect();
        waiting.iter_mut().for_each(|order| order.tokens = order.tokens.min(left));
        waiting.retain(|order| order.tokens > 0);
        let mut waiting = waiting.into_iter();
        self.order = waiting.next();
        self.doubts = waiting.collect();
    }

    /// [`next`] in place. The lamports that selling everything would bring may be known already.
    pub fn look(&mut self, tick: &Tick, brings: Option<u64>) -> Option<ExitOrder> {
        self.completed = tick.token.is_complete();
        if self.time_problem(tick.at_ms).is_some() {
            return None;
        }
        // Without a rule that needs it, a time that was given is not compared with the look's yet.
        if self.position.opened_at_ms.is_none() || self.plan.time_ms.is_some() {
            let first = self.position.opened_at_ms.unwrap_or(Millis(tick.at_ms.min(Millis::MOST)));
            self.opened_at_ms.get_or_insert(first);
        }
        let waits = self.order.is_some();
        if waits {
            self.missing = None;
        }
        let is_older = if waits { self.sold.is_some() } else { self.is_older(tick) };
        if is_older && !self.closing {
            return None;
        }
        let worth = self.worth(tick, brings)?;
        // A peak is one while an order is in doubt, too.
        if !tick.token.is_complete() && !is_older {
            self.best = self.best.max(worth.multiple);
        }
        if waits {
            return None;
        }
        let order = self.order_for(tick, &worth)?;
        self.order = Some(order.clone());
        Some(order)
    }

    /// Whether a look is older than the buy, or than the last sell. Notes what it shows of the wallet.
    fn is_older(&mut self, tick: &Tick) -> bool {
        self.sold.take_if(|sold| {
            // A longer time than that means that the clock was set back: it does not count.
            let is_late = !(1..=OLDER_MS).contains(&sold.until_ms.0.saturating_sub(tick.at_ms));
            is_late || tick.wallet_tokens.is_some_and(|held| held != sold.wallet_tokens)
        });
        if self.sold.is_some() {
            return tick.wallet_tokens.is_some();
        }
        self.count_missing(tick);
        self.shown.is_none() && tick.wallet_tokens.is_some_and(|held| held < self.tokens)
    }

    /// Notes a look at which the wallet holds less than is left; gives up what is gone, and takes back what has come back.
    fn count_missing(&mut self, tick: &Tick) {
        let Some(held) = tick.wallet_tokens else {
            self.missing = None;
            return;
        };
        // More may have been bought later.
        let is_back = |gone: &mut ExitGone| {
            held == gone.wallet_tokens.unwrap_or(self.tokens.saturating_add(gone.tokens))
        };
        if let Some(gone) = self.gone.take_if(is_back) {
            self.tokens = self.tokens.saturating_add(gone.tokens);
            self.cost_lamports = self.cost_lamports.saturating_add(gone.cost_lamports);
        }
        if held >= self.tokens {
            self.missing = None;
            if self.tokens > 0 {
                self.shown = Some(held);
            }
            return;
        }
        let at_ms = Millis(tick.at_ms.min(Millis::MOST));
        let first = ExitMissing { for_ms: Millis(0), last_ms: at_ms, most: held };
        let missing = self.missing.get_or_insert(first);
        let gap_ms = at_ms.0.saturating_sub(missing.last_ms.0).min(GAP_MS);
        missing.for_ms = Millis((missing.for_ms.0 + gap_ms).min(Millis::MOST));
        missing.last_ms = at_ms;
        missing.most = missing.most.max(held);
        let least_ms = if self.shown.is_some() { GONE_MS } else { UNSEEN_MS };
        if missing.for_ms.0 >= least_ms {
            let (all, left) = (self.tokens, missing.most);
            let cost_lamports = self.keep(left);
            let before = self.gone.take();
            let lost = before.as_ref().map_or((0, 0), |gone| (gone.tokens, gone.cost_lamports));
            self.gone = Some(ExitGone {
                tokens: lost.0 + (all - left),
                cost_lamports: lost.1 + cost_lamports,
                wallet_tokens: before.map_or(self.shown, |gone| gone.wallet_tokens),
            });
            self.missing = None;
            // What is left was shown.
            self.shown = Some(held);
        }
    }

    /// Takes back what was not sold after all, and what it cost: no more than the position had.
    fn give_back(&mut self, tokens: u64, cost_lamports: u64) {
        let gone = self.gone.as_ref().map_or((0, 0), |gone| (gone.tokens, gone.cost_lamports));
        let most = if self.unbought { (0, 0) } else { (self.position.tokens, self.position.cost_lamports) };
        let may = |most: u64, left: u64, gone: u64| most.saturating_sub(left).saturating_sub(gone);
        self.cost_lamports += cost_lamports.min(may(most.1, self.cost_lamports, gone.1));
        let given = tokens.min(may(most.0, self.tokens, gone.0));
        self.tokens += given;
        // The wallet holds them beside what is gone, too.
        if let Some(with) = self.gone.as_mut().and_then(|gone| gone.wallet_tokens.as_mut()) {
            *with = with.saturating_add(given);
        }
    }

    /// Leaves so many base units, and what those cost; returns what the others cost.
    fn keep(&mut self, left: u64) -> u64 {
        let gone = self.tokens.saturating_sub(left);
        let cost = mul_div_floor(self.cost_lamports, gone, self.tokens).unwrap_or(self.cost_lamports);
        let cost = cost.min(self.cost_lamports);
        self.cost_lamports -= cost;
        self.tokens -= gone;
        cost
    }

    /// Takes the order with this id; the next one that waits takes its place.
    fn take_order(&mut self, intent_id: &str) -> Option<ExitOrder> {
        let order = self.order.take_if(|order| order.intent_id == intent_id).or_else(|| {
            let at = self.doubts.iter().position(|order| order.intent_id == intent_id)?;
            Some(self.doubts.remove(at))
        });
        if self.order.is_none() && !self.doubts.is_empty() {
            self.order = Some(self.doubts.remove(0));
        }
        order
    }

    /// Waits from now on: no order, until [`resume`](ExitState::resume) or [`close_now`](ExitState::close_now).
    pub fn pause(&mut self) {
        self.paused = true;
    }

    /// Goes on.
    pub fn resume(&mut self) {
        self.paused = false;
    }

    /// Sells everything at the next tick, paused or not. On a complete curve that is tried once.
    pub fn close_now(&mut self) {
        self.closing = true;
        self.close_tried = false;
    }

    /// What selling everything that is left would bring now, compared with what was paid for it; `None` if nothing is left, if it has no
    /// price, or if the look is older than the buy or the last sell.
    pub fn multiple(&self, tick: &Tick) -> Option<Multiple> {
        if tick.token.is_complete() || self.clone().is_older(tick) {
            return None;
        }
        self.worth(tick, None).map(|worth| worth.multiple)
    }

    /// On a complete curve it has no price, and only a person can ask to sell it: the service may trade it elsewhere.
    fn worth(&self, tick: &Tick, brings: Option<u64>) -> Option<Worth> {
        let held = tick.wallet_tokens.map_or(self.tokens, |tokens| tokens.min(self.tokens));
        if held == 0 {
            return None;
        }
        if tick.token.is_complete() {
            let is_asked = self.closing && !self.close_tried;
            return is_asked.then_some(Worth { held, multiple: Multiple::default() });
        }
        let Some(sold) = brings.or_else(|| tick.launchpad.worth_of(tick.token, held)) else {
            return self.closing.then_some(Worth { held, multiple: Multiple::default() });
        };
        let fee = self.fee_lamports(tick);
        // An account that keeps tokens of another position stays open.
        let closes = tick.wallet_tokens.is_none_or(|tokens| tokens <= self.tokens);
        let rent = if closes { self.position.rent_locked_lamports } else { 0 };
        let brings = sold.saturating_add(rent).saturating_sub(fee);
        let cost = match held == self.tokens {
            true => self.cost_lamports,
            false => mul_div_floor(self.cost_lamports, held, self.tokens).unwrap_or(self.cost_lamports),
        };
        Some(Worth { held, multiple: Multiple::of(brings, cost.saturating_add(rent)) })
    }

    /// The rule that fires, if one does.
    fn order_for(&mut self, tick: &Tick, worth: &Worth) -> Option<ExitOrder> {
        if !self.closing && self.paused {
            return None;
        }
        if let Some(reason) = self.reason_to_leave(tick, worth) {
            return self.order_of(tick, worth, reason, self.rungs_sold, worth.held);
        }
        let rungs = self.plan.take_profit.iter().take_while(|rung| rung.at <= worth.multiple).count() as u32;
        // A rung's own order pays a network fee of its own: it must bring the rung's multiple, too.
        let (rungs, tokens) = (self.rungs_sold + 1..=rungs).rev().find_map(|rungs| {
            // It sells down to what the rungs leave, so that tokens which are already gone are not sold a second time.
            let tokens = worth.held.saturating_sub(self.left_after(rungs));
            let at = self.plan.take_profit.get(rungs as usize - 1)?.at;
            (self.part_multiple(tick, worth, tokens)? >= at).then_some((rungs, tokens))
        })?;
        self.order_of(tick, worth, ExitReason::TakeProfit, rungs, tokens)
    }

    /// What selling only a part would bring, compared with what that part has cost.
    fn part_multiple(&self, tick: &Tick, worth: &Worth, tokens: u64) -> Option<Multiple> {
        if tokens == worth.held {
            return Some(worth.multiple);
        }
        let brings = tick.launchpad.worth_of(tick.token, tokens)?.saturating_sub(self.fee_lamports(tick));
        Some(Multiple::of(brings, mul_div_floor(self.cost_lamports, tokens, self.tokens)?))
    }

    /// What a sell of the wallet pays to the network.
    fn fee_lamports(&self, tick: &Tick) -> u64 {
        match self.position.pays() {
            true => tick.launchpad.network.fee_lamports(1, 1, self.plan.priority()).unwrap_or(u64::MAX),
            false => 0,
        }
    }

    fn reason_to_leave(&self, tick: &Tick, worth: &Worth) -> Option<ExitReason> {
        let (plan, multiple) = (&self.plan, worth.multiple);
        let start = tick.launchpad.start.real_token_reserves;
        let bought = start.saturating_sub(tick.token.curve.real_token_reserves);
        let graduates = plan.on_graduation.as_ref().is_some_and(|on| {
            u128::from(bought) * 1_000_000 >= u128::from(start) * u128::from(on.from.millionths())
        });
        let trails = plan.trailing.as_ref().is_some_and(|trailing| {
            trailing.from.is_none_or(|from| self.best >= from) && multiple <= self.best.less(trailing.by)
        });
        let had = |best: Option<Multiple>| best.is_some_and(|best| self.best >= best);
        let is_over = |ms: Millis| tick.at_ms >= self.opened_ms().saturating_add(ms.0);
        if self.closing {
            Some(ExitReason::CloseNow)
        } else if graduates {
            Some(ExitReason::Graduation)
        } else if plan.stop_loss.is_some_and(|stop| multiple <= stop) {
            Some(ExitReason::StopLoss)
        } else if multiple <= Multiple::ONE && had(plan.break_even_after) {
            Some(ExitReason::BreakEven)
        } else if trails {
            Some(ExitReason::Trailing)
        } else if plan.time_ms.is_some_and(is_over) {
            Some(ExitReason::Time)
        } else {
            None
        }
    }

    fn order_of(
        &mut self,
        tick: &Tick,
        worth: &Worth,
        reason: ExitReason,
        rungs: u32,
        tokens: u64,
    ) -> Option<ExitOrder> {
        let fill = tick.launchpad.sell_exact_in(tick.token, tokens, worth.held, 0);
        let order = self.unpriced(reason, rungs, tokens, tokens < worth.held, tick.at_ms)?;
        Some(ExitOrder {
            expected_lamports: fill.map_or(0, |fill| fill.wallet_lamports),
            multiple: worth.multiple,
            wallet_tokens: tick.wallet_tokens,
            ..order
        })
    }

    /// An order without what only a look says; `None` while it has to wait.
    fn unpriced(
        &mut self,
        reason: ExitReason,
        rungs: u32,
        tokens: u64,
        leaves: bool,
        at_ms: u64,
    ) -> Option<ExitOrder> {
        let rung = leaves.then_some(rungs);
        let tries = self.tries_of(rung)?.clone();
        // A longer wait than the longest means that the clock was set back: it does not count.
        let wait_ms = tries.not_before_ms.0.saturating_sub(at_ms);
        if tokens == 0 || (1..=LONGEST_WAIT_MS).contains(&wait_ms) {
            return None;
        }
        Some(ExitOrder {
            intent_id: self.intent_id(Label { rung, attempt: tries.failed }),
            reason,
            rungs,
            tokens,
            expected_lamports: 0,
            multiple: Multiple::default(),
            at_ms: Millis(at_ms.min(Millis::MOST)),
            wallet_tokens: None,
            outcome: None,
        })
    }

    /// The order of a person who closes the position while no look counts: nothing else is sold without one.
    pub(super) fn close_unseen(&mut self, at_ms: u64) -> Option<ExitOrder> {
        if !self.closing || self.order.is_some() || (self.completed && self.close_tried) {
            return None;
        }
        self.order = self.unpriced(ExitReason::CloseNow, self.rungs_sold, self.tokens, false, at_ms);
        self.order.clone()
    }

    /// Base units that are left once the first `rungs` are sold.
    fn left_after(&self, rungs: u32) -> u64 {
        self.position.tokens - self.plan.sold_by(rungs as usize).of(self.position.tokens)
    }

    /// Counts a sell that landed, once.
    fn land(&mut self, label: Label, intent_id: &str, at_ms: u64, sold_tokens: Option<u64>) {
        let order = self.take_order(intent_id);
        let tried = self.tries_of(label.rung).map_or(0, |tries| tries.failed);
        let is_others = self.is_of_other_plan(label);
        let is_counted = match label.rung {
            _ if is_others => self.counted.iter().any(|counted| counted == intent_id),
            // The attempts before this one are settled, and so is the one that sold a rung.
            Some(rung) if rung <= self.rungs_sold => label.attempt <= tried,
            _ => label.attempt < tried,
        };
        if order.is_none() && is_counted {
            return;
        }
        let sold = sold_tokens.or(order.as_ref().map(|order| order.tokens));
        let left = match (sold, label.rung) {
            (Some(sold), _) => self.tokens.saturating_sub(sold),
            (None, Some(rung)) => self.left_after(rung).min(self.tokens),
            (None, None) => 0,
        };
        if let Some(tries) = self.tries_of(label.rung) {
            // What the wallet did not hold then, if it ever comes, is sold under another id.
            let used = if label.rung.is_none() { label.attempt.saturating_add(1) } else { label.attempt };
            tries.failed = tries.failed.max(used);
        }
        if is_others {
            self.counted.push(intent_id.to_owned());
        } else {
            self.rungs_sold = self.rungs_sold.max(label.rung.unwrap_or(0));
        }
        if let Some(gone) = &mut self.gone
            && let Some(with) = &mut gone.wallet_tokens
        {
            *with = with.saturating_sub(self.tokens - left);
        }
        self.keep(left);
        if let Some(order) = order {
            self.last = Some(order.reason);
            let until_ms = Millis(at_ms.saturating_add(OLDER_MS).min(Millis::MOST));
            self.sold = order.wallet_tokens.map(|wallet_tokens| ExitSold { wallet_tokens, until_ms });
        }
        self.trim_orders();
    }

    /// An order that only a journal remembers, of unknown outcome.
    fn recalled(
        &self,
        label: Label,
        intent_id: &str,
        outcome: IntentOutcome,
        at_ms: u64,
        of_tokens: Option<u64>,
    ) -> Option<ExitOrder> {
        let is_others = self.is_of_other_plan(label);
        let (rungs, left) = match label.rung {
            Some(rung) if !is_others => (rung, self.left_after(rung)),
            _ => (self.rungs_sold, 0),
        };
        let tokens = of_tokens.map_or(self.tokens.saturating_sub(left), |tokens| tokens.min(self.tokens));
        let at = label.rung.map_or(self.tries.len().checked_sub(1)?, |rung| rung as usize - 1);
        let tried = if is_others { 0 } else { self.tries.get(at)?.failed };
        // The attempts before it are settled, and so is the one that sold a rung.
        let is_settled = match label.rung {
            _ if is_others => self.counted.iter().any(|counted| counted == intent_id),
            Some(rung) if rung <= self.rungs_sold => label.attempt <= tried || of_tokens.is_none(),
            _ => label.attempt < tried,
        };
        (tokens > 0 && !is_settled).then(|| ExitOrder {
            intent_id: intent_id.to_owned(),
            reason: if label.rung.is_some() { ExitReason::TakeProfit } else { ExitReason::CloseNow },
            rungs,
            tokens,
            expected_lamports: 0,
            multiple: Multiple::default(),
            at_ms: Millis(at_ms.min(Millis::MOST)),
            wallet_tokens: None,
            outcome: Some(outcome),
        })
    }

    /// What a driver tells once the looks at a market, or what became of an order, have changed the state that it `told` last: that the
    /// plan does not protect any more, or not yet, and that nothing is left; with why that is, where the order does not say it.
    pub fn news_since(&self, told: &ExitState) -> Vec<(ExitHappening, Option<&'static str>)> {
        let mut news = Vec::new();
        let lost = |state: &ExitState| state.gone.as_ref().map_or(0, |gone| gone.tokens);
        let waited = |state: &ExitState| {
            let missing = state.missing.as_ref().filter(|_| state.shown.is_none());
            missing.is_some_and(|missing| missing.for_ms.0 >= UNSHOWN_MS)
        };
        const NOT_HELD: &str = "the wallet has not held what is left of the position for over a minute";
        const UNBOUGHT: &str =
            "the chain shows that the buy of this position did not land: there is nothing to sell";
        if self.is_over() {
            let why = if self.unbought { Some(UNBOUGHT) } else { self.gone.as_ref().map(|_| NOT_HELD) };
            news.extend((!told.is_over()).then_some((ExitHappening::Over, why)));
            return news;
        }
        if self.completed && !told.completed {
            const WHY: &str = "the curve is complete, so no rule of the plan sells any more; only closing now tries to, once";
            news.push((ExitHappening::Completed, Some(WHY)));
        }
        if lost(self) > lost(told) {
            news.push((ExitHappening::Gone, Some(NOT_HELD)));
        }
        if waited(self) && !waited(told) {
            const WHY: &str =
                "the looks do not show the whole position: until one does, nothing but closing now sells";
            news.push((ExitHappening::NoLook, Some(WHY)));
        }
        news
    }

    /// What a driver that begins has told: what still holds is told again.
    pub fn untold(&self) -> ExitState {
        ExitState { completed: false, missing: None, ..self.clone() }
    }
}
