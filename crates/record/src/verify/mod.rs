//! Runs the core over a record again: is it unchanged, and was each trade sent as planned and approved, sent once, answered so, and
//! landed at the price that the rules give?
//!
//! A line that was changed is named exactly once the line after it, or the head, tells which of the two it was.

mod acts;
mod ends;
mod open;
mod prices;
mod report;

pub(crate) use prices::gives_price;
pub use report::{RecordCheck, RecordPrice, RecordProblem, RecordProblemCode, RecordTape, Report};

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap, HashMap, HashSet};

use crate::chain::{Break, ChainCheck, Kind};
use crate::hash::sha256;
use crate::line::{Head, read};
use crate::lines::Lines;
use launchpad_desk::amount::{Digits, TOKEN_DECIMALS};
use launchpad_desk::api::request::{Amount, Leg, Request};
use launchpad_desk::api::validate::Valid;
use launchpad_desk::intent::{IntentOutcome, Settlement};
use launchpad_desk::launchpad::quote::Side;
use launchpad_desk::launchpad::receipt::Reported;
use launchpad_desk::recording::RecordedTrade;
use launchpad_desk::tape::{Count, Item, Number, Tape, ToTape, json};
use launchpad_desk::trade::Dialect;
use launchpad_desk::trade::guard::{Guards, Priced, Settings};
use launchpad_desk::trade::journal::TradeIntent;
use launchpad_desk::trade::plan::{Plan, PlanPrice};

use RecordProblemCode as Problem;
use ends::{evidence_of, proves, settlement_of};
use open::{Open, are_alike};
use prices::{price_of, receipts};

/// How many lines apart trades that can be forgotten are looked for.
const SWEEP: u64 = 1_024;

/// For how long a trade without a plan that was not sent may be begun again, in milliseconds.
const AGAIN_MS: u64 = 60_000;

/// How many contradictions are remembered until the end.
const MOST_CONTRADICTIONS: usize = 1_000;

/// How many answers of one trade are compared with its end.
const MOST_ANSWERS: usize = 8;

/// Verifies a record, line by line. It remembers the trades that have not ended, and 8 bytes for each that has.
///
/// ```
/// use launchpad_desk_record::{Entry, Verifier, line::next};
///
/// let halt = Entry { act: "halt".into(), by: "ann".into(), ..Entry::default() };
/// let (_, first, head) = next(None, halt.clone());
/// let (_, second, head) = next(Some(&head), halt);
/// let mut verifier = Verifier::default();
/// verifier.add(&first);
/// verifier.add(&second.replace("ann", "bob"));
/// let report = verifier.end(Some(&head));
/// assert_eq!(report.problems.0, 1);
/// assert_eq!(verifier.take_problems()[0].message, "line 2 was changed");
/// ```
#[derive(Default)]
pub struct Verifier {
    chain: ChainCheck,
    lines: u64,
    trades: u64,
    found: u64,
    /// Either the line before or this one was changed.
    suspect: Option<u64>,
    /// The last line that was named as changed, or 0.
    named: u64,
    /// The last line was reported, so that the next need not hold its hash.
    is_reported: bool,
    dialect: Dialect,
    limits: Option<Settings>,
    /// The line of settings that cannot be read. No client has begun with such: it counts only if a trade is begun with them.
    unread_settings: Option<u64>,
    is_gateway: bool,
    /// How many programs have begun to write.
    run: u64,
    /// The time of the line before, until a clock was set back or another program began.
    last_ms: Option<u64>,
    /// The clock was set back in this run.
    clock_was_set: bool,
    /// A trade whose receipts are in the next line, and what they are.
    due: Option<(String, Tape)>,
    open: BTreeMap<String, Open>,
    landed: HashSet<u64>,
    /// Those whose end the chain has proven since they were begun.
    proven: HashSet<u64>,
    /// Which trade a signature belongs to, both hashed.
    signatures: HashMap<u64, u64>,
    /// Those that have ended otherwise and are forgotten.
    over: HashSet<u64>,
    expired: HashSet<u64>,
    problems: Vec<RecordProblem>,
    /// What its own lines contradict. It counts only if all of them are there: what a damaged line said is not known.
    contradictions: Vec<RecordProblem>,
    is_damaged: bool,
    checks: Vec<RecordCheck>,
    /// A tape of the trades that landed, if anybody asks.
    tape: Option<RecordTape>,
    torn: Lines,
}

impl Verifier {
    /// A verifier of the lines after this head.
    pub fn after(head: Head) -> Verifier {
        Verifier { chain: ChainCheck::after(head), ..Verifier::default() }
    }

    /// A verifier that also has a tape of the trades that landed, which a market can replay.
    pub fn with_tape() -> Verifier {
        Verifier { tape: Some(RecordTape::default()), ..Verifier::default() }
    }

    /// The tape of the trades that landed; nothing without [`with_tape`](Verifier::with_tape).
    pub fn into_tape(self) -> RecordTape {
        let RecordTape { trades, left_out } = self.tape.unwrap_or_default();
        // In the order of their times by a heap: the library's sort would be 5 KB of the module.
        let mut times: BinaryHeap<_> =
            trades.iter().enumerate().map(|(at, trade)| Reverse((trade.at_ms, at))).collect();
        let mut trades: Vec<Option<RecordedTrade>> = trades.into_iter().map(Some).collect();
        let in_order =
            std::iter::from_fn(|| times.pop()).filter_map(|Reverse((_, at))| trades.get_mut(at)?.take());
        RecordTape { trades: in_order.collect(), left_out }
    }

    /// The problems found since the last call.
    pub fn take_problems(&mut self) -> Vec<RecordProblem> {
        std::mem::take(&mut self.problems)
    }

    /// The trades that have ended since the last call.
    pub fn take_checks(&mut self) -> Vec<RecordCheck> {
        std::mem::take(&mut self.checks)
    }

    /// Verifies the next bytes, which may end within a line.
    pub fn add_bytes(&mut self, bytes: &[u8]) {
        let mut lines = std::mem::take(&mut self.torn);
        lines.add(bytes, &mut |line| self.add(line));
        self.torn = lines;
    }

    /// Verifies the next line, without its line end.
    pub fn add(&mut self, line: &str) {
        if let Some((at_ms, content)) = self.content(line) {
            let at = self.lines;
            self.judge(at, at_ms, content.root());
            if at.is_multiple_of(SWEEP) {
                self.sweep(at_ms);
            }
        }
    }

    /// The time and the content of the next line, if it is one of this record.
    fn content(&mut self, line: &str) -> Option<(u64, Tape)> {
        self.lines += 1;
        let at = self.lines;
        if !self.follows(at, line) {
            return None;
        }
        let content = json::parse(line.as_bytes()).unwrap_or_default();
        let Ok((_, at_ms)) = read(content.root()) else {
            self.is_damaged = true;
            self.report(at, None, Problem::Unreadable, "it is no line of a record");
            return None;
        };
        Some((at_ms, content))
    }

    /// Whether a line is one of this record, so that its content counts.
    fn follows(&mut self, at: u64, line: &str) -> bool {
        let before = self.chain.last().cloned();
        let (suspect, was_reported) = (self.suspect.take(), std::mem::take(&mut self.is_reported));
        let Err(Break { kind, what, holds_hash }) = self.chain.add(line) else {
            if let (None, Some(Head { number: 1.., .. })) = (&before, self.chain.last()) {
                self.is_damaged = true;
                self.report(at, None, Problem::Missing, "the record does not begin at its first line");
            }
            if let Some(suspect) = suspect {
                // This line holds the hash of the suspect one, so that one is as it was, and the one before it is not.
                self.changed(suspect - 1);
            }
            return true;
        };
        self.is_damaged = true;
        match kind {
            Kind::Foreign => {
                self.changed_since(suspect);
                self.changed(at);
                self.is_reported = true;
                false
            }
            // Its number was changed, or it would not hold the hash of the line before it.
            Kind::Missing | Kind::Moved if holds_hash => {
                self.changed_since(suspect);
                self.changed(at);
                self.is_reported = true;
                if let (Some(before), Some(last)) = (before, self.chain.last().cloned()) {
                    let number = before.number.saturating_add(1);
                    self.chain = ChainCheck::after(Head { number, ..last });
                }
                false
            }
            Kind::Missing => {
                self.changed_since(suspect);
                self.report(at, None, Problem::Missing, &["before it, ", &what].concat());
                true
            }
            Kind::Moved => {
                self.changed_since(suspect);
                self.report(at, None, Problem::Moved, &what);
                if let Some(before) = before {
                    self.chain = ChainCheck::after(before);
                    self.is_reported = was_reported;
                }
                false
            }
            Kind::Changed if was_reported => true,
            Kind::Changed => {
                self.changed_since(suspect);
                self.suspect = Some(at);
                true
            }
        }
    }

    /// The suspect line does not fit the one after it either.
    fn changed_since(&mut self, suspect: Option<u64>) {
        if let Some(suspect) = suspect {
            self.changed(suspect);
        }
    }

    fn changed(&mut self, line: u64) {
        self.is_damaged = true;
        // It fits neither the line before it nor the one after it.
        if std::mem::replace(&mut self.named, line) == line {
            return;
        }
        let message = ["line ", &line.digits(), " was changed"].concat();
        self.found += 1;
        self.problems.push(RecordProblem {
            line: Number(line.into()),
            intent_id: None,
            code: Problem::Changed,
            message,
        });
    }

    /// Ends the record. `head` is what was kept beside it, or in a second place. Without one, missing lines at the end are not found.
    pub fn end(&mut self, head: Option<&Head>) -> Report {
        let mut lines = std::mem::take(&mut self.torn);
        lines.end(&mut |line| self.add(line));
        self.miss_receipt(self.lines + 1);
        let suspect = self.suspect.take();
        let last = self.chain.last().cloned();
        match (head, &last) {
            (Some(head), Some(last)) if head.number == last.number => match (head == last, suspect) {
                (true, Some(suspect)) => self.changed(suspect.saturating_sub(1).max(1)),
                (true, None) => {}
                (false, _) if self.is_reported => {}
                (false, _) => self.changed(self.lines),
            },
            (Some(head), _) => {
                self.changed_since(suspect);
                if let Err(what) = self.chain.end(head) {
                    self.is_damaged = true;
                    let line = match &last {
                        Some(last) if last.number > head.number => {
                            self.lines.saturating_sub(last.number - head.number - 1)
                        }
                        _ => self.lines + 1,
                    };
                    self.report(line, None, Problem::CutOff, &what);
                }
            }
            (None, _) => {
                if let Some(suspect) = suspect {
                    let before = (suspect - 1).digits();
                    let what = ["it or line ", &before, " was changed: only the head tells which"].concat();
                    self.report(suspect, None, Problem::Changed, &what);
                }
            }
        }
        for (intent_id, open) in std::mem::take(&mut self.open) {
            if open.begun.is_some() || open.is_sent {
                self.finish(intent_id, open);
            }
        }
        if !self.is_damaged {
            self.found += self.contradictions.len() as u64;
            self.problems.append(&mut self.contradictions);
        }
        let (lines, trades, problems) = (self.lines, self.trades, self.found);
        let number = |count: u64| Number(count.into());
        let (lines, trades, problems) = (number(lines), number(trades), number(problems));
        Report { lines, trades, problems, head: last }
    }

    fn report(&mut self, line: u64, intent_id: Option<&str>, code: RecordProblemCode, what: &str) {
        use Problem::{EndedTwice, ModeDiffers, NeverSent, OutOfOrder, ReceiptMissing};
        let message = ["line ", &line.digits(), ": ", what].concat();
        if let Some(open) = intent_id.and_then(|id| self.open.get_mut(id)) {
            open.problems += 1;
        }
        let intent_id = intent_id.map(str::to_owned);
        let problem = RecordProblem { line: Number(line.into()), intent_id, code, message };
        if matches!(code, EndedTwice | ModeDiffers | NeverSent | OutOfOrder | ReceiptMissing) {
            if self.contradictions.len() < MOST_CONTRADICTIONS {
                self.contradictions.push(problem);
            }
            return;
        }
        self.found += 1;
        self.problems.push(problem);
    }

    /// Lets go of trades that were not sent and have ended, and of plans that have expired.
    fn sweep(&mut self, at_ms: u64) {
        // One that was not sent may be begun again: by its plan, or soon.
        let is_past = |open: &Open| match (&open.plan, &open.begun) {
            (Some(plan), _) => plan.expires_at_ms < at_ms,
            (None, begun) => {
                begun.as_ref().is_some_and(|begun| begun.started_at_ms.saturating_add(AGAIN_MS) < at_ms)
            }
        };
        let is_over = |open: &Open| match (&open.begun, open.ended.as_ref().map(|ended| ended.outcome)) {
            (None, _) | (_, Some(IntentOutcome::NotSent)) => is_past(open),
            (_, outcome) => outcome.is_some_and(|outcome| outcome != IntentOutcome::Unknown),
        };
        // The receipt of a trade that has just ended is in the next line.
        let is_over = |(id, open): &(&String, &Open)| is_over(open) && self.receipts_of(id).is_none();
        let over: Vec<String> = self.open.iter().filter(is_over).map(|(id, _)| id.clone()).collect();
        for intent_id in over {
            let Some(open) = self.open.remove(&intent_id) else { continue };
            if open.begun.is_some() {
                self.finish(intent_id, open);
            } else {
                self.expired.insert(key_of(&intent_id));
            }
        }
    }
    /// Whether the last evidence about a trade says the same, or more: also what moved.
    pub(super) fn has_evidence(&self, intent: &str, data: Item) -> bool {
        let known = self.open.get(intent).and_then(|open| open.evidence.as_ref());
        known.zip(evidence_of(data)).is_some_and(|(known, new)| {
            let is_same = (known.outcome, &known.reason, &known.signature)
                == (new.outcome, &new.reason, &new.signature);
            is_same && (new.moved.is_empty() || new.moved == known.moved)
        })
    }

    /// An end that somebody has found, as the evidence of this run proves it; `None` for any other.
    pub(super) fn proven(&self, intent: &str, data: Item) -> Option<Tape> {
        let open = self.open.get(intent).filter(|open| open.evidence_in == self.run)?;
        let (evidence, ended) = (open.evidence.as_ref()?, settlement_of(data)?);
        let is_found = ended.status.is_none() && ended.code.is_none() && !ended.proven;
        let signature = ended.signature.clone().or_else(|| evidence.signature.clone());
        let fits = evidence.signature.is_none() || evidence.signature == signature;
        let is_proven = ended.outcome != IntentOutcome::NotSent && proves(evidence, ended.outcome);
        (is_found && fits && is_proven).then(|| Settlement { proven: true, signature, ..ended }.to_tape())
    }

    /// The receipts that a trade has by its plan and its answer.
    pub fn receipts_of(&self, intent: &str) -> Option<Tape> {
        let open = self.open.get(intent)?;
        let ended = open.ended.as_ref()?;
        let has_ended = matches!(
            ended.outcome,
            IntentOutcome::Landed | IntentOutcome::Unconfirmed | IntentOutcome::Failed
        );
        if !has_ended {
            return None;
        }
        receipts(open.plan.as_ref()?, open.trade.as_ref()?)
    }

    fn receipt(&mut self, at: u64, intent: &str, data: Item) {
        let due = self.due.take().filter(|(due, _)| due == intent).map(|(_, due)| due);
        let due = due.or_else(|| self.receipts_of(intent));
        if !are_alike(due.as_ref().map(Tape::root), data.get("receipts")) {
            let what = "the receipt is not the one that plan and answer give";
            self.report(at, Some(intent), Problem::ReceiptDiffers, what);
        }
        self.close(intent);
    }

    /// Ends a trade.
    fn close(&mut self, intent: &str) {
        if let Some(open) = self.open.remove(intent) {
            self.finish(intent.to_owned(), open);
        }
    }

    fn finish(&mut self, intent_id: String, open: Open) {
        let ended = open.ended.as_ref();
        let outcome = ended.map(|ended| ended.outcome);
        if outcome
            .is_some_and(|outcome| !matches!(outcome, IntentOutcome::Landed | IntentOutcome::Unconfirmed))
        {
            self.over.insert(key_of(&intent_id));
        }
        if let (Some(tape), Some(begun), Some(IntentOutcome::Landed)) = (&mut self.tape, &open.begun, outcome)
        {
            match recorded_of(begun, &open) {
                Some(trades) => tape.trades.extend(trades),
                None => tape.left_out += 1,
            }
        }
        let proven = ended.is_some_and(|ended| ended.proven);
        self.checks.push(RecordCheck {
            operation: open.begun.as_ref().map(|begun| begun.operation),
            line: Number(open.line.into()),
            planned: open.plan.is_some(),
            approved: open.approved.is_some(),
            sent: open.is_sent,
            outcome,
            proven,
            acknowledged: !proven
                && ended.is_some_and(|ended| ended.status.is_none() && ended.code.is_none()),
            signature: ended.and_then(|ended| ended.signature.clone()),
            price: price_of(&open),
            problems: open.problems,
            intent_id,
        });
    }
}

/// A trade as a market replays it. Of a percentage only the price of the plan says how much was sold.
fn recorded_of(begun: &TradeIntent, open: &Open) -> Option<Vec<RecordedTrade>> {
    let request = open.request.as_ref()?;
    let price = open.plan.as_ref().and_then(|plan| plan.price.as_ref());
    let priced = price.and_then(|price| price.legs().ok()).unwrap_or_default();
    let decimals = price.and_then(PlanPrice::token_decimals).unwrap_or(TOKEN_DECIMALS);
    let reported = open.trade.as_ref().and_then(|trade| Reported::of(trade, decimals).ok());
    let bought = reported.filter(|_| request.legs.len() == 1).and_then(|reported| reported.tokens);
    let trade = |(leg, place): (&Leg, usize)| {
        let (side, lamports, tokens) = match leg.amount? {
            Amount::Lamports(lamports) => (Side::Buy, Some(lamports), bought),
            Amount::Tokens(amount) => (Side::Sell, None, Some(amount.tokens.to_units(decimals).ok()?)),
            Amount::Percentage(_) => (Side::Sell, None, Some(priced.get(place)?.1.tokens)),
        };
        Some(RecordedTrade {
            at_ms: Count::new(open.answered_ms.unwrap_or(begun.started_at_ms)),
            mint: request.mint.clone(),
            side,
            lamports,
            tokens,
            wallet: Some(leg.from_wallet.clone()),
        })
    };
    request.legs.iter().zip(0..).map(trade).collect()
}

/// 8 bytes that stand for an id.
fn key_of(intent: &str) -> u64 {
    let hash = sha256(intent.as_bytes());
    hash.iter().take(8).fold(0, |key, byte| key << 8 | u64::from(*byte))
}

/// What the limits of one trade say, as of when it was admitted. Those of a day, and what stops trading, depend on more than the record
/// has.
fn over_limit(
    limits: &Settings,
    begun: &TradeIntent,
    request: &Valid<Request>,
    plan: Option<&Plan>,
) -> Option<String> {
    if let (true, Some(counted), Some(limit)) =
        (request.operation.is_buy(), begun.counted, limits.max_lamports_per_trade)
        && counted.lamports > limit.into()
    {
        let (counted, limit) = (counted.lamports.digits(), limit.digits());
        return Some(
            ["it counted ", &counted, " lamports, over maxLamportsPerTrade (", &limit, ")"].concat(),
        );
    }
    // Which accounts were known to be open is in no line, but what was counted for them is.
    let alone =
        Settings { max_lamports_per_day: None, rate_limit: None, count_charges: false, ..limits.clone() };
    let (guards, now_ms, id) = (Guards::new(alone), begun.started_at_ms, &begun.intent_id);
    let checked = guards.check(now_ms, id, request).and_then(|()| {
        // Without a plan, its client asked for a price that is in no line.
        let Some(Plan { price, created_at_ms, .. }) = plan else { return Ok(()) };
        let price = price.as_ref().map(|price| Priced::of(price, *created_at_ms));
        guards.check_price(now_ms, id, request, price)
    });
    let error = checked.err()?;
    Some(error.message.strip_prefix("not sent: ").unwrap_or(&error.message).to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tape_is_in_the_order_of_its_times_and_then_of_the_record() {
        let trade = |at_ms, wallet: &str| RecordedTrade {
            at_ms: Count::new(at_ms),
            mint: "M".to_owned(),
            side: Side::Buy,
            lamports: None,
            tokens: None,
            wallet: Some(wallet.to_owned()),
        };
        let trades = vec![trade(5, "a"), trade(9, "b"), trade(5, "c"), trade(1, "d")];
        let verifier = Verifier { tape: Some(RecordTape { trades, left_out: 2 }), ..Verifier::default() };
        let tape = verifier.into_tape();
        let wallets: Vec<&str> = tape.trades.iter().filter_map(|trade| trade.wallet.as_deref()).collect();
        assert_eq!((wallets, tape.left_out), (vec!["d", "a", "c", "b"], 2));
    }
}
