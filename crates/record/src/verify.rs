//! Runs the core over a record again: is it unchanged, and was each trade sent as planned and approved, sent once, answered so, and
//! landed at the price that the rules give?
//!
//! A line that was changed is named exactly once the line after it, or the head, tells which of the two it was.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap, HashMap, HashSet};

use super::chain::{Break, ChainCheck, Kind};
use super::hash::{bytes_of, sha256};
use super::line::{Act, Head, read};
use super::lines::Lines;
use launchpad_desk::amount::{Digits, TOKEN_DECIMALS};
use launchpad_desk::api::endpoint::{Operation, Reply};
use launchpad_desk::api::request::{Amount, Leg, Request};
use launchpad_desk::api::response::Trade;
use launchpad_desk::api::validate::{Rules, Valid};
use launchpad_desk::bindings::codes::codes;
use launchpad_desk::bindings::reader::{self, Reader};
use launchpad_desk::bindings::{record, to_tape};
use launchpad_desk::error::Code;
use launchpad_desk::intent::{IntentOutcome, Settlement};
use launchpad_desk::launchpad::curve_view::TradeReceipt;
use launchpad_desk::launchpad::dry_run::{OUTCOME_PREFIX, Terms, dry_run};
use launchpad_desk::launchpad::market_settings::MarketSettings;
use launchpad_desk::launchpad::quote::Side;
use launchpad_desk::launchpad::receipt::{Quoted, Reported, attribution_of};
use launchpad_desk::recording::RecordedTrade;
use launchpad_desk::tape::{Count, Data, Item, Number, Tape, ToTape, json};
use launchpad_desk::trade::guard::{Guards, Priced, Settings};
use launchpad_desk::trade::journal::TradeIntent;
use launchpad_desk::trade::plan::{Destination, Plan, PlanPrice};
use launchpad_desk::trade::{Asked, Dialect, classify, classify_head};

use RecordProblemCode as Problem;

codes! {
    /// What is wrong with a line of a record. Append-only.
    #[non_exhaustive]
    RecordProblemCode {
        /// It is not a line of a record.
        Unreadable = "unreadable",
        /// It was changed after it was written.
        Changed = "changed",
        /// Lines before it are missing.
        Missing = "missing",
        /// It belongs further up, or is there twice.
        Moved = "moved",
        /// The record does not end where its head says.
        CutOff = "cut_off",
        /// The plan is not as it was made, or its body is not what the core writes for its request.
        PlanAltered = "plan_altered",
        /// The price of the plan is not the one that the rules give in its market.
        PriceDiffers = "price_differs",
        /// Other bytes were sent than planned or approved.
        NotAsApproved = "not_as_approved",
        /// It was sent although it waited for a person who has not approved it.
        NotApproved = "not_approved",
        /// The limits of the client would have refused it.
        OverLimits = "over_limits",
        /// It was sent after its plan had expired.
        SentLate = "sent_late",
        /// It was sent a second time, although it was not proven unsent.
        SentTwice = "sent_twice",
        /// It was sent before it was begun.
        NotBegun = "not_begun",
        /// The recorded end is not what the answer says.
        AnswerDiffers = "answer_differs",
        /// The recorded end counts as proven, and no evidence says so.
        Unproven = "unproven",
        /// It landed at a price beyond the bound of its plan.
        PastBound = "past_bound",
        /// The receipt is not the one that plan and answer give.
        ReceiptDiffers = "receipt_differs",
        /// It counts as made by the transaction of another trade.
        SharedSignature = "shared_signature",
        /// It has an answer or an end that only a sent trade has, and no line says that it was sent.
        NeverSent = "never_sent",
        /// Its lines cannot have come in this order.
        OutOfOrder = "out_of_order",
        /// It was begun or has ended a second time.
        EndedTwice = "ended_twice",
        /// Plan and answer give a receipt, and there is none.
        ReceiptMissing = "receipt_missing",
        /// Its plan is of a sandbox, and its answer does not say that it is.
        ModeDiffers = "mode_differs",
        /// Evidence shows that a buy took more lamports than were counted for it.
        OverAmount = "over_amount",
    }
}

codes! {
    /// What a record says about the price at which a trade landed. Append-only.
    #[non_exhaustive]
    RecordPrice {
        /// Exactly the one that the rules give in the market of its plan.
        Exact = "exact",
        /// Another one, within the bound of its plan: the market had moved.
        Within = "within",
        /// One beyond the bound of its plan.
        Past = "past",
        /// Neither plan, answer nor evidence says it.
        Unknown = "unknown",
    }
}

record! {
    /// What is wrong in a record, and where.
    RecordProblem {
        /// The line, from one; one past the last if the end is missing.
        line: Number => "number",
        /// The trade's id, if it is about one.
        intent_id: Option<String> => "string | null",
        /// The stable code.
        code: RecordProblemCode => "RecordProblemCode",
        /// A sentence for a person.
        message: String => "string",
    }
}

record! {
    /// What a record says about one trade.
    RecordCheck {
        /// Its id.
        intent_id: String => "string",
        /// What was asked for; `null` if it was not begun.
        operation: Option<Operation> => "Operation | null",
        /// The line of its plan or its begin, from one.
        line: Number => "number",
        /// Whether its plan is in the record.
        planned: bool => "boolean",
        /// Whether a person approved it.
        approved: bool => "boolean",
        /// Whether it was sent.
        sent: bool => "boolean",
        /// How it ended; `null` if the record does not say.
        outcome: Option<IntentOutcome> => "IntentOutcome | null",
        /// Whether evidence in the record proves that.
        proven: bool => "boolean",
        /// Whether it was only said later how it ended, by a person or a gateway, without evidence.
        acknowledged: bool => "boolean",
        /// The signature of its transaction.
        signature: Option<String> => "string | null",
        /// The price at which it landed.
        price: RecordPrice => "RecordPrice",
        /// How many problems it has.
        problems: u32 => "number",
    }
}

/// What was found in all.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Report {
    /// How many lines were read.
    pub lines: Number,
    /// How many trades were begun.
    pub trades: Number,
    /// How many problems were found.
    pub problems: Number,
    /// The number and the hash of the last line.
    pub head: Option<Head>,
}
to_tape!(Report { lines, trades, problems, head });

/// The trades of a record that landed, as a market replays them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RecordTape {
    /// The trades, by the time of their answers, in milliseconds since 1970: one for each wallet.
    pub trades: Vec<RecordedTrade>,
    /// How many have no place on it, because the record does not say how much was sold.
    pub left_out: u32,
}

/// How many lines apart trades that can be forgotten are looked for.
const SWEEP: u64 = 1_024;

/// How many contradictions are remembered until the end.
const MOST_CONTRADICTIONS: usize = 1_000;

/// How many answers of one trade are compared with its end.
const MOST_ANSWERS: usize = 8;

/// A trade that the record has not ended.
#[derive(Default)]
struct Open {
    line: u64,
    plan: Option<Plan>,
    /// The line of a plan that is not as it was made. It counts only if it is sent.
    altered: Option<u64>,
    has_market: bool,
    /// The checksum of the plan that a person was asked for.
    asked: Option<String>,
    approved: Option<String>,
    begun: Option<TradeIntent>,
    /// What its body asks for, if it can be read.
    request: Option<Valid<Request>>,
    is_in_flight: bool,
    is_sent: bool,
    is_unsent: bool,
    /// What was sent last has neither an answer nor a loss yet.
    awaits: bool,
    /// What was sent last was lost.
    is_lost: bool,
    /// In which run its plan, its begin and its evidence are: a program that was started again does not know what came before.
    planned_in: u64,
    begun_in: u64,
    evidence_in: u64,
    answers: Vec<Settlement>,
    trade: Option<Trade>,
    evidence: Option<Evidence>,
    ended: Option<Settlement>,
    answered_ms: Option<u64>,
    /// The status of an answer whose body was not read to the end.
    unread_status: Option<u16>,
    problems: u32,
}

/// What a line of evidence says.
struct Evidence {
    outcome: IntentOutcome,
    reason: Option<String>,
    signature: Option<String>,
    /// By how much each wallet's lamports moved.
    moved: Vec<(String, Option<i128>)>,
}

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
        let is_over = |open: &Open| match (&open.begun, &open.ended, &open.plan) {
            (Some(_), Some(ended), _) => ended.outcome != IntentOutcome::Unknown,
            (None, _, Some(plan)) => plan.expires_at_ms < at_ms,
            _ => false,
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

    fn judge(&mut self, at: u64, at_ms: u64, line: Item) {
        let text = |name| line.text_of(name).unwrap_or_default();
        let (intent, detail) = (text("intent"), text("detail"));
        let data = line.get("data").filter(|data| !data.is_null());
        let (Some(act), Some(data)) = (Act::from_name(text("act")), data) else { return };
        if self.due.as_ref().is_some_and(|(due, _)| act != Act::Receipt || due != intent) {
            match act {
                // A power cut may have torn it off.
                Act::Start => self.due = None,
                _ => self.miss_receipt(at),
            }
        }
        if act != Act::Trade {
            self.timed(at, at_ms, act, intent);
        }
        // What a line says in a word, it says in its data, too.
        let word = match act {
            Act::Begin => data.text_of("operation"),
            Act::Settle | Act::Evidence => data.text_of("outcome"),
            Act::Plan => data.get("plan").and_then(|plan| plan.text_of("operation")),
            _ => None,
        };
        if word.is_some_and(|word| !detail.is_empty() && word != detail) {
            let what = "its description says otherwise than its data";
            self.report(at, Some(intent), Problem::Unreadable, what);
        }
        match act {
            Act::Start => self.started(at, data),
            Act::Exit | Act::Suspend | Act::Clock => {}
            Act::Trade => self.forwarded(at, at_ms, intent, data),
            Act::Plan => self.planned(at, intent, data),
            Act::Ask => self.asked(at, intent, data),
            Act::Approve => self.approved(at, intent, data),
            Act::Begin => self.begun(at, at_ms, intent, data),
            Act::Send => self.sent(at, at_ms, intent, data),
            Act::Lost => self.lost(at, intent, data),
            Act::Answer => self.answered(at, at_ms, intent, data),
            Act::Evidence => match evidence_of(data) {
                Some(evidence) => {
                    let run = self.run;
                    let open = self.opened(at, intent);
                    (open.evidence, open.evidence_in) = (Some(evidence), run);
                }
                None => self.report(at, Some(intent), Problem::Unreadable, "its evidence cannot be read"),
            },
            Act::Settle => self.settled(at, intent, data),
            Act::Receipt => self.receipt(at, intent, data),
        }
    }

    /// Times never go back, unless a line says that the clock was set, or another program writes.
    fn timed(&mut self, at: u64, at_ms: u64, act: Act, intent: &str) {
        if act == Act::Start {
            (self.run, self.clock_was_set) = (self.run + 1, false);
        }
        self.clock_was_set |= act == Act::Clock;
        let may_go_back = matches!(act, Act::Start | Act::Clock);
        if self.last_ms.replace(at_ms).is_some_and(|last| at_ms < last) && !may_go_back {
            let about = Some(intent).filter(|intent| !intent.is_empty());
            let what =
                "it was written before the line above it, and no line says that the clock was set back";
            self.report(at, about, Problem::OutOfOrder, what);
        }
    }

    /// The receipt that was due is not in this record.
    fn miss_receipt(&mut self, at: u64) {
        if let Some((intent, _)) = self.due.take() {
            let what = "before it, the receipt that plan and answer give is missing";
            self.report(at, Some(&intent), Problem::ReceiptMissing, what);
        }
    }

    fn asked(&mut self, at: u64, intent: &str, data: Item) {
        let checksum = data.text_of("checksum").unwrap_or_default().to_owned();
        self.opened(at, intent).asked = Some(checksum);
    }

    fn approved(&mut self, at: u64, intent: &str, data: Item) {
        let checksum = data.text_of("checksum").unwrap_or_default().to_owned();
        let open = self.opened(at, intent);
        let is_late = open.is_in_flight;
        open.approved = Some(checksum);
        if is_late {
            self.report(at, Some(intent), Problem::OutOfOrder, "it was approved after it was sent");
        }
    }

    /// A trade of a gateway, which has all of it in one line.
    fn forwarded(&mut self, at: u64, at_ms: u64, intent: &str, data: Item) {
        let part = |name| data.get(name).filter(|part| part.is_object());
        let sent_at_ms = reader::read(data, |r| {
            r.ignore_rest();
            r.need("sentAtMs", Reader::whole)
        });
        let (Ok(sent_at_ms), Some(begin), Some(send), Some(settle)) =
            (sent_at_ms, part("begin"), part("send"), part("settle"))
        else {
            return self.report(at, Some(intent), Problem::Unreadable, "its trade cannot be read");
        };
        let dialect = part("dialect").and_then(|dialect| reader::read(dialect, Dialect::read).ok());
        self.dialect = dialect.unwrap_or_default();
        self.begun(at, at_ms, intent, begin);
        self.sent(at, sent_at_ms, intent, send);
        match part("answer") {
            Some(answer) => self.answered(at, at_ms, intent, answer),
            None => self.lost(at, intent, part("lost").unwrap_or_default()),
        }
        self.settled(at, intent, settle);
    }

    fn lost(&mut self, at: u64, intent: &str, data: Item) {
        let is_unsent = matches!(data.get("unsent").map(Item::data), Some(Data::Bool(true)));
        let is_gateway = self.is_gateway;
        let open = self.opened(at, intent);
        let was_awaited = std::mem::take(&mut open.awaits) || is_gateway || open.begun.is_none();
        open.is_in_flight &= !is_unsent;
        (open.is_unsent, open.is_lost) = (is_unsent, true);
        if !was_awaited {
            let what = "it was lost, and was not sent before, or was answered";
            self.report(at, Some(intent), Problem::NeverSent, what);
        }
    }

    fn opened(&mut self, at: u64, intent: &str) -> &mut Open {
        self.open.entry(intent.to_owned()).or_insert_with(|| Open { line: at, ..Open::default() })
    }

    /// A client's settings, as far as they say what replies mean and what the limits are.
    fn started(&mut self, at: u64, data: Item) {
        let read = reader::read(data, |r| {
            let mut dialect = Dialect::default();
            r.within("dialect", &mut |r| dialect = Dialect::read(r));
            let mut limits = None;
            let unit = dialect.rules.slippage_unit;
            r.within("limits", &mut |r| limits = Some(Settings::read(r, unit)));
            let is_gateway = r.boolean("gateway").unwrap_or(false);
            r.ignore_rest();
            (dialect, limits, is_gateway)
        });
        self.unread_settings = read.is_err().then_some(at);
        if let Ok(read) = read {
            (self.dialect, self.limits, self.is_gateway) = read;
        }
    }

    fn planned(&mut self, at: u64, intent: &str, data: Item) {
        let plan = Plan::read(data.get("plan").unwrap_or_default());
        let run = self.run;
        let open = self.opened(at, intent);
        let Ok(plan) = plan else {
            open.altered = Some(at);
            return;
        };
        if open.begun.is_some() && open.ended.is_none() && open.begun_in == run {
            // Of a trade that is in flight, another plan is refused: it changes nothing.
            if plan.refused.is_none() {
                self.report(at, Some(intent), Problem::OutOfOrder, "it was planned after it was begun");
            }
            return;
        }
        // What may have been sent was sent by the plan before.
        if open.is_in_flight {
            return;
        }
        if open.plan.is_none() && open.begun.is_none() && (open.asked.is_some() || open.approved.is_some()) {
            self.report(at, Some(intent), Problem::OutOfOrder, "a person was asked before it was planned");
        }
        let open = self.opened(at, intent);
        open.planned_in = run;
        // A plan is written again where it is sent by another program than the one that made it.
        let is_again = open.plan.as_ref().is_some_and(|before| before.checksum == plan.checksum);
        let market = data.get("market").filter(|market| !market.is_null());
        open.has_market = market.is_some() || (is_again && open.has_market);
        let base = plan.url.strip_suffix(plan.operation.path()).map(str::to_owned);
        let rules = Rules { slippage_unit: plan.slippage_unit, ..self.dialect.rules.clone() };
        let to = Destination { base_url: base.unwrap_or_default(), is_simulated: plan.is_simulated };
        let is_whole = plan.intent_id == intent && plan.open(&to, &rules).is_ok();
        let is_mispriced = match (market, &plan.price) {
            (Some(market), Some(price)) if is_whole => !is_priced_so(&plan, price, market),
            _ => false,
        };
        if is_mispriced {
            let what = "the price is not the one that the rules give in the plan's market";
            self.report(at, Some(intent), Problem::PriceDiffers, what);
        }
        let open = self.opened(at, intent);
        (open.plan, open.altered) = (Some(plan), (!is_whole).then_some(at));
    }

    fn begun(&mut self, at: u64, at_ms: u64, intent: &str, data: Item) {
        let Ok(begun) = reader::read(data, TradeIntent::read) else {
            return self.report(at, Some(intent), Problem::Unreadable, "its trade cannot be read");
        };
        if let Some(start) = self.unread_settings.take() {
            self.report(start, None, Problem::Unreadable, "its settings cannot be read");
        }
        if let Some(plan) = self.opened(at, intent).altered.take() {
            self.report(plan, Some(intent), Problem::PlanAltered, "the plan is not as it was made");
        }
        let (request, own) = (begun.request().ok(), key_of(intent));
        let problem = self.begin_problem(intent, own, &begun, request.as_ref(), at_ms);
        let is_new = self.opened(at, intent).begun.is_none();
        self.trades += u64::from(is_new);
        self.over.remove(&own);
        self.proven.remove(&own);
        if let Some((code, what)) = problem {
            self.report(at, Some(intent), code, &what);
        }
        let run = self.run;
        let open = self.opened(at, intent);
        (open.begun, open.request, open.begun_in, open.ended) = (Some(begun), request, run, None);
    }

    fn begin_problem(
        &self,
        intent: &str,
        own: u64,
        begun: &TradeIntent,
        request: Option<&Valid<Request>>,
        at_ms: u64,
    ) -> Option<(RecordProblemCode, String)> {
        if begun.intent_id != intent {
            return Some((Problem::Unreadable, "it names another trade in its data".to_owned()));
        }
        let open = self.open.get(intent);
        let is_again =
            |open: &Open| open.begun.is_some() && open.ended.is_none() && open.begun_in == self.run;
        if !self.is_gateway && open.is_some_and(is_again) {
            return Some((Problem::EndedTwice, "it was begun before, and has not ended".to_owned()));
        }
        let planned_ms = open
            .filter(|open| open.planned_in == self.run)
            .and_then(|open| Some(open.plan.as_ref()?.created_at_ms));
        if !self.clock_was_set
            && (begun.started_at_ms > at_ms
                || planned_ms.is_some_and(|planned| begun.started_at_ms < planned))
        {
            let what = "its time is after this line, or before its plan".to_owned();
            return Some((Problem::OutOfOrder, what));
        }
        if let Some(plan) = open.and_then(|open| open.plan.as_ref())
            && (plan.body != begun.body || plan.operation != begun.operation)
        {
            return Some((Problem::NotAsApproved, "it has another body than its plan".to_owned()));
        }
        if self.landed.contains(&own) {
            return Some((Problem::SentTwice, "this trade had landed before".to_owned()));
        }
        let Some(request) = request else {
            return Some((Problem::Unreadable, "its body is no request".to_owned()));
        };
        let limits = self.limits.as_ref()?;
        over_limit(limits, begun, request, open.and_then(|open| open.plan.as_ref()))
            .map(|message| (Problem::OverLimits, ["the limits would have refused it: ", &message].concat()))
    }

    fn sent(&mut self, at: u64, at_ms: u64, intent: &str, data: Item) {
        let is_gateway = self.is_gateway;
        let was_expired = !self.expired.is_empty() && self.expired.contains(&key_of(intent));
        let open = self.opened(at, intent);
        let body = data.text_of("body").unwrap_or_default();
        let url = data.text_of("url").unwrap_or_default();
        let problem = match (&open.begun, &open.plan) {
            (None, _) => Some((Problem::NotBegun, "it was sent before it was begun")),
            (Some(begun), _) if begun.body != body => {
                Some((Problem::NotAsApproved, "other bytes were sent than begun"))
            }
            (Some(begun), _) if !url.ends_with(begun.operation.path()) => {
                Some((Problem::NotAsApproved, "it was sent to another operation"))
            }
            (_, Some(plan)) if plan.url != url => {
                Some((Problem::NotAsApproved, "it was sent elsewhere than planned"))
            }
            _ if open.asked.is_some() && open.approved.is_none() => {
                Some((Problem::NotApproved, "it was sent although no person had approved it"))
            }
            (_, Some(plan))
                if [&open.asked, &open.approved]
                    .into_iter()
                    .flatten()
                    .any(|about| *about != plan.checksum) =>
            {
                Some((Problem::NotAsApproved, "another plan was approved"))
            }
            (_, None) if open.asked.is_some() && open.asked != open.approved => {
                Some((Problem::NotAsApproved, "another plan was approved"))
            }
            (_, Some(plan)) if at_ms >= plan.expires_at_ms && !is_gateway => {
                Some((Problem::SentLate, "its plan had expired"))
            }
            (_, None) if was_expired => Some((Problem::SentLate, "its plan had expired")),
            _ if open.is_in_flight && !is_gateway => {
                Some((Problem::SentTwice, "it was sent before, and that was not proven unsent"))
            }
            _ => None,
        };
        (open.is_sent, open.is_in_flight, open.is_unsent) = (true, true, false);
        (open.awaits, open.is_lost) = (true, false);
        if let Some((code, what)) = problem {
            self.report(at, Some(intent), code, what);
        }
    }

    fn answered(&mut self, at: u64, at_ms: u64, intent: &str, data: Item) {
        let read = reply_of(data);
        let (dialect, is_gateway) = (self.dialect.clone(), self.is_gateway);
        let open = self.opened(at, intent);
        let was_awaited = std::mem::take(&mut open.awaits) || is_gateway;
        let request = if read.is_some() { open.request.take() } else { None };
        let (Some((reply, is_whole)), Some(request)) = (read, request) else {
            return self.report(at, Some(intent), Problem::Unreadable, "its answer cannot be read");
        };
        let is_of_sandbox =
            reply.header("x-simulated") == Some("true") || !(200..300).contains(&reply.status);
        let is_planned_otherwise = open.plan.as_ref().is_some_and(|plan| plan.is_simulated) && !is_of_sandbox;
        if !was_awaited {
            let what = "it has an answer, and was not sent before, or was answered or lost";
            self.report(at, Some(intent), Problem::NeverSent, what);
        }
        if is_planned_otherwise {
            let what = "its plan is of a sandbox, and its answer does not say that it is";
            self.report(at, Some(intent), Problem::ModeDiffers, what);
        }
        let open = self.opened(at, intent);
        open.unread_status = (!is_whole).then_some(reply.status);
        let result = if is_whole {
            Some(classify(Asked::from(&*request), &reply, &dialect, at_ms))
        } else {
            // Its body was not read to the end, so that it proves nothing.
            classify_head(&reply, &dialect, at_ms).map(Err)
        };
        open.request = Some(request);
        let Some(result) = result else { return };
        if open.answers.len() == MOST_ANSWERS {
            open.answers.remove(0);
        }
        open.answers.push(Settlement::of(&result, Some(reply.status)));
        open.answered_ms = Some(at_ms);
        open.trade = match result {
            Ok(trade) => Some(trade),
            Err(error) => error.trade.map(|trade| *trade),
        };
    }

    fn settled(&mut self, at: u64, intent: &str, data: Item) {
        let Some(settlement) = settlement_of(data) else {
            return self.report(at, Some(intent), Problem::Unreadable, "its end cannot be read");
        };
        let (run, is_gateway) = (self.run, self.is_gateway);
        let own = key_of(intent);
        let (had_landed, has_landed) =
            (self.landed.contains(&own), settlement.outcome == IntentOutcome::Landed);
        let was_over = self.over.contains(&own) || had_landed;
        // The chain contradicts a service, and not itself.
        let is_turned = self.proven.contains(&own) && had_landed != has_landed;
        let likely = self.open.get(intent).and_then(|open| open.evidence.as_ref()?.signature.as_deref());
        let owner = likely.and_then(|likely| self.signatures.get(&key_of(likely)));
        let is_anothers = owner.is_some_and(|owner| *owner != own);
        let open = self.opened(at, intent);
        // What another trade has moved is no evidence.
        open.evidence = open.evidence.take().filter(|_| !is_anothers);
        let problem = match &open.begun {
            _ if is_turned => Some((Problem::EndedTwice, "it was proven to have ended otherwise")),
            None if was_over && !settlement.proven => Some((Problem::EndedTwice, "it had ended before")),
            None => settle_problem(open, &settlement),
            Some(_) => {
                end_problem(open, &settlement, run, is_gateway).or_else(|| settle_problem(open, &settlement))
            }
        };
        open.ended = Some(settlement.clone());
        let owner =
            settlement.signature.as_deref().map(|told| *self.signatures.entry(key_of(told)).or_insert(own));
        let is_shared = owner.is_some_and(|owner| owner != own);
        let shared = (Problem::SharedSignature, "its signature is that of another trade");
        let problem = if is_shared { Some(shared) } else { problem };
        let Some(open) = self.open.get_mut(intent) else { return };
        open.is_in_flight &= settlement.outcome == IntentOutcome::Unknown;
        if matches!(settlement.outcome, IntentOutcome::Landed | IntentOutcome::Unconfirmed) {
            self.landed.insert(own);
        } else if settlement.proven {
            // The chain has contradicted an earlier word: its id is free again.
            self.landed.remove(&own);
        }
        if settlement.proven {
            self.proven.insert(own);
        }
        if let Some((code, what)) = problem {
            self.report(at, Some(intent), code, what);
        }
        self.compare_with_plan(at, intent);
        let is_open = matches!(settlement.outcome, IntentOutcome::Unknown)
            || (settlement.outcome == IntentOutcome::NotSent
                && !self.open.get(intent).is_some_and(|o| o.is_sent));
        match self.receipts_of(intent) {
            None if !is_open => self.close(intent),
            // The program that wrote this line knew both, and wrote the receipt with it.
            Some(due) if self.open.get(intent).is_some_and(|o| o.planned_in == run && o.begun_in == run) => {
                self.due = Some((intent.to_owned(), due));
            }
            _ => {}
        }
    }

    /// Reports a trade that has moved more than its plan said.
    fn compare_with_plan(&mut self, at: u64, intent: &str) {
        let Some(open) = self.open.get(intent) else { return };
        let (is_past, has_more) = (price_of(open) == RecordPrice::Past, takes_more(open));
        if is_past {
            self.report(at, Some(intent), Problem::PastBound, "it landed beyond the bound of its plan");
        }
        if has_more {
            let what = "it took more lamports than were counted for it";
            self.report(at, Some(intent), Problem::OverAmount, what);
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

/// Whether both are the same in JSON. Most are the same value, which is seen without writing them.
fn are_alike(one: Option<Item>, other: Option<Item>) -> bool {
    one == other || one.map(json_of) == other.map(json_of)
}

fn json_of(item: Item) -> String {
    let mut text = String::new();
    json::write_item(item, &mut text);
    text
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

fn is_priced_so(plan: &Plan, price: &PlanPrice, market: Item) -> bool {
    let body = json::parse(plan.body.as_bytes()).unwrap_or_default();
    let Ok(market) = MarketSettings::read(market, plan.created_at_ms) else { return false };
    let terms = Terms::of(&market.launchpad, plan.slippage_unit);
    let Ok(run) = dry_run(&terms, &market, plan.operation, body.root()) else { return false };
    let due = run.view(market.launchpad.token_decimals).to_tape().with_text_figures();
    let mut fields = due.root().fields().into_iter().flatten();
    // A market's own price also says its slot.
    fields.all(|(name, value)| are_alike(price.data().get(name), Some(value)))
}

/// Whether a market gives the price of a plan exactly.
pub(super) fn gives_price(plan: Item, market: Item) -> bool {
    match Plan::read(plan) {
        Ok(plan) => plan.price.as_ref().is_some_and(|price| is_priced_so(&plan, price, market)),
        Err(_) => false,
    }
}

/// The answer, and whether its body was read to the end.
fn reply_of(data: Item) -> Option<(Reply, bool)> {
    let status = reader::read(data, |r| {
        let status = r.need("status", |r, name| r.whole_within(name, 0, 65_535)) as u16;
        r.ignore_rest();
        status
    });
    let headers = data.get("headers").and_then(Item::fields).into_iter().flatten();
    let headers =
        headers.filter_map(|(name, value)| Some((name.to_owned(), value.text()?.to_owned()))).collect();
    let body = match (data.text_of("body"), data.text_of("bodyHex")) {
        (Some(body), _) => Some(body.as_bytes().to_vec()),
        (None, Some(hex)) => Some(bytes_of(hex)?),
        (None, None) => None,
    };
    let is_whole = body.is_some();
    Some((Reply { status: status.ok()?, headers, body: body.unwrap_or_default() }, is_whole))
}

fn settlement_of(data: Item) -> Option<Settlement> {
    let read = reader::read(data, |r| {
        let outcome = r.needed("outcome", |r, name| r.choice(name, IntentOutcome::NAMED));
        Settlement {
            outcome: outcome.unwrap_or(IntentOutcome::Unknown),
            code: r.choice("code", Code::NAMED),
            status: r.whole_within("status", 0, 65_535).map(|status| status as u16),
            signature: r.text("signature").map(str::to_owned),
            proven: r.boolean("proven").unwrap_or(false),
        }
    });
    read.ok()
}

fn evidence_of(data: Item) -> Option<Evidence> {
    let outcome = IntentOutcome::from_name(data.text_of("outcome")?)?;
    let findings = data.get("reconciled").and_then(|reconciled| reconciled.get("findings"));
    let findings = findings.and_then(Item::items);
    let signed = |item: Item| match item.data() {
        Data::String(text) | Data::BigInt(text) | Data::Number(text) => text.parse().ok(),
        Data::Integer(integer) => Some(i128::from(integer)),
        _ => None,
    };
    let moved = findings.into_iter().flatten().filter_map(|finding| {
        let lamports = finding.get("lamportsMoved").and_then(signed);
        Some((finding.text_of("wallet")?.to_owned(), lamports))
    });
    let moved = moved.collect();
    let text = |name| data.text_of(name).map(str::to_owned);
    Some(Evidence { outcome, reason: text("reason"), signature: text("signature"), moved })
}

/// What no trade that was begun can end with, whatever its answers say.
fn end_problem(
    open: &Open,
    settlement: &Settlement,
    run: u64,
    is_gateway: bool,
) -> Option<(RecordProblemCode, &'static str)> {
    use IntentOutcome::{DidNotLand, NotSent, Unknown};
    let Settlement { outcome, code, status, proven, .. } = settlement;
    let is_first = open.ended.is_none();
    if open.ended.as_ref().is_some_and(|ended| ended.outcome != Unknown || *outcome == Unknown)
        && !is_gateway
        && !proven
    {
        return Some((Problem::EndedTwice, "it had ended before"));
    }
    // A program that was killed before it sent may have left a trade that did not land.
    if !open.is_sent && !matches!(outcome, NotSent | DidNotLand) {
        return Some((Problem::NeverSent, "it has an end of a trade that was sent, and was not sent"));
    }
    if is_gateway {
        return None;
    }
    if open.is_unsent && !matches!(outcome, NotSent | DidNotLand) {
        return Some((Problem::AnswerDiffers, "nothing of it was sent, and it counts as sent"));
    }
    let is_lost = *outcome == Unknown && status.is_none() && *code == Some(Code::NetworkError);
    if is_first && is_lost && !open.is_lost {
        return Some((Problem::AnswerDiffers, "it counts as lost, and no line says so"));
    }
    let is_told = status.is_none() && code.is_none() && !proven;
    if is_first && is_told && open.is_in_flight && open.begun_in == run {
        return Some((Problem::AnswerDiffers, "a person has ended it before its program did"));
    }
    let is_known =
        open.evidence_in == run && open.evidence.as_ref().is_some_and(|evidence| proves(evidence, *outcome));
    if is_told && is_known {
        return Some((Problem::Unproven, "evidence proves it, and it does not count as proven"));
    }
    None
}

fn proves(evidence: &Evidence, outcome: IntentOutcome) -> bool {
    use IntentOutcome::{DidNotLand, Failed, Landed, NotSent};
    matches!(
        (evidence.outcome, outcome),
        (Landed, Landed) | (Failed, Failed | DidNotLand) | (DidNotLand, DidNotLand | NotSent)
    )
}

/// What is wrong with how a trade is said to have ended.
fn settle_problem(open: &Open, settlement: &Settlement) -> Option<(RecordProblemCode, &'static str)> {
    let Settlement { outcome, status, proven, .. } = settlement;
    if *proven {
        let fits = open.evidence.as_ref().is_some_and(|evidence| {
            proves(evidence, *outcome)
                && (evidence.signature.is_none() || evidence.signature == settlement.signature)
        });
        return (!fits).then_some((Problem::Unproven, "it counts as proven, and no evidence says so"));
    }
    if status.is_some() {
        let says = |answer: &Settlement| {
            answer.outcome == *outcome
                && answer.code == settlement.code
                && answer.signature == settlement.signature
                && answer.status == *status
        };
        // Without its whole body an answer may leave it open.
        let is_unread = *outcome == IntentOutcome::Unknown && open.unread_status == *status;
        // Its signature may be that of a trade before this record.
        let is_anothers = *outcome == IntentOutcome::Unknown
            && settlement.code == Some(Code::ContradictoryReply)
            && settlement.signature.is_none()
            && open.answers.iter().any(|answer| answer.signature.is_some() && answer.status == *status);
        let fits = is_unread || is_anothers || open.answers.iter().any(says);
        return (!fits).then_some((Problem::AnswerDiffers, "no answer in the record says so"));
    }
    match outcome {
        // A deadline may end the wait for an answer that comes all the same.
        IntentOutcome::Unknown => None,
        IntentOutcome::NotSent if open.is_in_flight && !open.is_unsent => {
            Some((Problem::AnswerDiffers, "it counts as not sent, and nothing proves that"))
        }
        IntentOutcome::NotSent => None,
        // A person said so, of a trade without an answer, or with one that leaves it open.
        _ if settlement.code.is_none() => open
            .answers
            .iter()
            .any(|answer| answer.outcome != IntentOutcome::Unknown && answer.outcome != *outcome)
            .then_some((Problem::AnswerDiffers, "an answer in the record says otherwise")),
        _ => Some((Problem::AnswerDiffers, "no answer in the record says so")),
    }
}

/// What the plan, and the answer or the evidence, say about the price.
fn price_of(open: &Open) -> RecordPrice {
    let landed = open.ended.as_ref().is_some_and(|ended| ended.outcome == IntentOutcome::Landed);
    let Some(price) = open.plan.as_ref().and_then(|plan| plan.price.as_ref()).filter(|_| landed) else {
        return RecordPrice::Unknown;
    };
    let legs = price.legs().unwrap_or_default();
    if let Some(evidence) = open.evidence.as_ref().filter(|evidence| !evidence.moved.is_empty()) {
        return by_evidence(price, evidence);
    }
    let Some(trade) = &open.trade else { return RecordPrice::Unknown };
    match (legs.as_slice(), price.token_decimals()) {
        // Of a sell, no reply says what it brought.
        ([(_, leg)], Some(decimals)) if leg.side == Side::Buy && !trade.operation.is_bundle() => {
            let reported = Reported::of(trade, decimals);
            match reported.ok().and_then(|reported| reported.tokens) {
                Some(tokens) if tokens == leg.tokens && open.has_market => RecordPrice::Exact,
                Some(tokens) if tokens < leg.worst().0 => RecordPrice::Past,
                Some(_) => RecordPrice::Within,
                None => RecordPrice::Unknown,
            }
        }
        _ => RecordPrice::Unknown,
    }
}

/// Whether evidence shows that a buy that landed took more lamports than were counted for it.
fn takes_more(open: &Open) -> bool {
    let landed = open.ended.as_ref().is_some_and(|ended| ended.outcome == IntentOutcome::Landed);
    let (Some(begun), Some(evidence)) = (&open.begun, &open.evidence) else { return false };
    let Some(counted) = begun.counted.filter(|_| landed && begun.operation.is_buy()) else { return false };
    let moved: Option<i128> = evidence.moved.iter().map(|(_, moved)| *moved).sum();
    moved.is_some_and(|moved| moved < 0 && moved.unsigned_abs() > counted.lamports)
}

/// Compares what moved in each wallet with what the plan says.
fn by_evidence(price: &PlanPrice, evidence: &Evidence) -> RecordPrice {
    let Some(wallets) = price.data().get("wallets").and_then(Item::items) else {
        return RecordPrice::Unknown;
    };
    let signed = |item: Item, name| item.text_of(name).and_then(|text| text.parse::<i128>().ok());
    let mut found = RecordPrice::Exact;
    for wallet in wallets {
        let moved = evidence.moved.iter().find(|(id, _)| Some(id.as_str()) == wallet.text_of("wallet"));
        let (Some((_, Some(moved))), Some(net), Some(worst)) =
            (moved, signed(wallet, "netLamports"), signed(wallet, "worstNetLamports"))
        else {
            return RecordPrice::Unknown;
        };
        if *moved < worst {
            return RecordPrice::Past;
        }
        if *moved != net {
            found = RecordPrice::Within;
        }
    }
    found
}

/// What a trade did to each wallet.
fn receipts(plan: &Plan, trade: &Trade) -> Option<Tape> {
    let price = plan.price.as_ref()?;
    let legs = price.legs().ok()?;
    let ((first, _), decimals) = (legs.first()?, price.token_decimals()?);
    let fee_payer = json::parse(plan.body.as_bytes()).ok()?;
    let fee_payer = fee_payer.root().text_of("feePayer").map(str::to_owned);
    // One that only asks a sandbox for an outcome pays nothing: the first wallet does.
    let fee_payer = match fee_payer {
        Some(payer) if plan.is_simulated && payer.starts_with(OUTCOME_PREFIX) => Some(first.clone()),
        payer => payer,
    };
    let network_fee = price.data().text_of("networkFeeLamports")?.parse::<u64>().ok()?;
    let mut wallets: Vec<&String> = Vec::new();
    for (wallet, _) in &legs {
        if !wallets.contains(&wallet) {
            wallets.push(wallet);
        }
    }
    let is_bundle = plan.operation.is_bundle();
    let receipts = wallets.into_iter().map(|wallet| {
        let own: Vec<Quoted> = legs.iter().filter(|(id, _)| id == wallet).map(|(_, leg)| *leg).collect();
        let pays = fee_payer.as_ref().map_or(!is_bundle, |payer| payer == wallet);
        let reported = match is_bundle {
            true => Reported::of_bundle(trade.status),
            false => Reported::of(trade, decimals).unwrap_or(Reported::of_bundle(trade.status)),
        };
        let receipt = attribution_of(&own, if pays { network_fee } else { 0 }, &reported);
        TradeReceipt::of(Some(wallet.clone()), &receipt, None).to_tape()
    });
    Some(receipts.collect::<Vec<Tape>>().to_tape().with_text_figures())
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
