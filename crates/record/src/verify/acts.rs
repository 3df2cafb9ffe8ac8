//! What each line does to its trade, and what must have come before it.

use super::ends::{end_problem, evidence_of, reply_of, settle_problem, settlement_of};
use super::prices::{is_priced_so, price_of, takes_more};
use super::{MOST_ANSWERS, Open, Problem, RecordPrice, Verifier, key_of, over_limit};
use crate::line::Act;
use launchpad_desk::api::request::Request;
use launchpad_desk::api::validate::{Rules, Valid};
use launchpad_desk::bindings::reader::{self, Reader};
use launchpad_desk::intent::{IntentOutcome, Settlement};
use launchpad_desk::tape::{Data, Item};
use launchpad_desk::trade::guard::Settings;
use launchpad_desk::trade::journal::TradeIntent;
use launchpad_desk::trade::plan::{Destination, Plan};
use launchpad_desk::trade::{Asked, Dialect, classify, classify_head};

impl Verifier {
    pub(super) fn judge(&mut self, at: u64, at_ms: u64, line: Item) {
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
    pub(super) fn miss_receipt(&mut self, at: u64) {
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
    ) -> Option<(Problem, String)> {
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
}
