//! What operators see and do: look at the desk, halt and resume, approve and deny, settle what is in doubt.

use std::sync::Arc;

use super::look::{Looked, looked};
use super::{Asker, Gateway};
use crate::admission::{Act, GatewayRequest, PageCursors, check_json};
use crate::audit;
use crate::code::GatewayCode;
use crate::intent::{Intent, RecordedAnswer, id_of};
use crate::ledger::Account;
use crate::problem::{Problem, add, answer, json_of, typed};
use crate::settings::{Caller, Role};
use crate::step::{Fetched, GatewayStep};
use crate::view::{Asked, IntentView, SHOWN, limits_view};
use launchpad_desk::amount::Digits;
use launchpad_desk::bindings::object;
use launchpad_desk::bindings::reader::{self, Reader};
use launchpad_desk::error::{FieldCode, FieldError};
use launchpad_desk::intent::{IntentOutcome, IntentState, Settlement};
use launchpad_desk::tape::{Tape, ToTape};
use launchpad_desk::trade::guard::Found;
use launchpad_desk_record::chain::ChainCheck;
use launchpad_desk_record::line::{Entry, Head};

/// How many entries of the audit log an export has at once.
const EXPORTED: u64 = 1_000;

/// The most intents that are settled at once.
const MOST_SETTLED: usize = 1_000;

/// Which intent an act is about, and what was found of it.
#[derive(Default)]
struct About {
    caller: String,
    intent_id: String,
    found: Option<Found>,
    signature: Option<String>,
}

impl Gateway {
    /// `POST /desk/<act>`.
    pub(super) fn act(
        &mut self,
        now_ms: u64,
        request: &GatewayRequest,
        fetched: Fetched,
        operator: &Caller,
        act: Act,
    ) -> Result<GatewayStep, Problem> {
        let body = self.whole_body(request)?;
        check_site(request)?;
        check_json(request)?;
        let value = json_of(body)?;
        self.refuse_secret(body, None)?;
        if act == Act::SettleMany {
            return self.settle_many(now_ms, operator, &value);
        }
        let about = read_about(&value, act)?;
        let mode = |desk: &mut Gateway| {
            desk.put_desk();
            desk.note(now_ms, &operator.name, act.as_str(), "", "");
            Ok(GatewayStep::Answer(answer(200, &object! { "mode": desk.mode() })))
        };
        match act {
            Act::Halt => {
                self.guards.halt();
                mode(self)
            }
            Act::Reduce => {
                // `reduce` alone would not end a halt.
                self.guards.resume();
                self.guards.reduce();
                mode(self)
            }
            Act::Resume => {
                self.guards.resume();
                for guards in self.callers.values_mut() {
                    guards.resume();
                }
                mode(self)
            }
            Act::Acknowledge => {
                let Some(what) = self.audit.broken().map(str::to_owned) else {
                    return Err(Problem::new(GatewayCode::WrongState, "the audit log is not broken"));
                };
                self.audit.acknowledge();
                self.note(now_ms, &operator.name, act.as_str(), "", &what);
                Ok(GatewayStep::Answer(answer(200, &object! { "mode": self.mode() })))
            }
            Act::Settle => {
                let id = self.settle(now_ms, operator, &about)?;
                Ok(self.acted_on(&id))
            }
            // Done above: its body is a list.
            Act::SettleMany => self.settle_many(now_ms, operator, &value),
            Act::Approve => self.approve(now_ms, operator, fetched, &about),
            Act::Deny => self.deny(now_ms, operator, &about),
        }
    }

    /// Ends a waiting trade.
    fn deny(&mut self, now_ms: u64, operator: &Caller, about: &About) -> Result<GatewayStep, Problem> {
        let intent = self.intent_in(about, IntentState::AwaitingApproval)?;
        let id = intent.id();
        self.note(now_ms, &operator.name, Act::Deny.as_str(), &id, "");
        let detail = "an operator denied the trade; nothing was sent";
        self.end(intent, Problem::new(GatewayCode::ApprovalDenied, detail));
        Ok(self.acted_on(&id))
    }

    /// Approves a waiting trade. The policy is checked again, since much may have happened.
    fn approve(
        &mut self,
        now_ms: u64,
        operator: &Caller,
        fetched: Fetched,
        about: &About,
    ) -> Result<GatewayStep, Problem> {
        let intent = self.intent_in(about, IntentState::AwaitingApproval)?;
        let settings = Arc::clone(&self.settings);
        let is_its = |caller: &&Caller| {
            caller.name == intent.caller && caller.desk == self.desk.name && caller.role == Role::Trader
        };
        let Some(caller) = settings.callers.iter().find(is_its) else {
            let detail = "its caller is no longer a trader of this desk";
            return Err(Problem::new(GatewayCode::WrongState, detail).about(&intent.key));
        };
        let request = self.request_of(&intent)?;
        self.check(now_ms, caller, &intent, &request)?;
        let asker = Asker::Operator { name: operator.name.clone() };
        self.forward(now_ms, intent, request, fetched, asker)
    }

    /// Records the outcome of each intent of a list. Each is answered on its own: one that cannot be settled changes nothing.
    fn settle_many(&mut self, now_ms: u64, operator: &Caller, value: &Tape) -> Result<GatewayStep, Problem> {
        let found = reader::read(value.root(), |r| {
            let list = r.needed("settlements", |r, name| r.list(name, |r| read_intent(r, true)));
            list.unwrap_or_default()
        });
        let list = found.map_err(Problem::of_fields)?;
        if list.is_empty() || list.len() > MOST_SETTLED {
            let what = ["must have from 1 to ", &(MOST_SETTLED as u64).digits(), " elements"].concat();
            let problem = FieldError::of("settlements", FieldCode::OutOfRange, &what);
            return Err(Problem::of_fields(vec![problem]));
        }
        let results: Vec<Tape> = list
            .iter()
            .map(|about| match self.settle(now_ms, operator, about) {
                Ok(id) => self.known(&id).map(IntentView::of).to_tape(),
                Err(problem) => object! {
                    "caller": about.caller,
                    "intentId": about.intent_id,
                    "code": problem.code,
                    "detail": problem.detail,
                },
            })
            .collect();
        Ok(GatewayStep::Answer(answer(200, &object! { "results": results })))
    }

    /// Records the outcome of an intent in doubt. Returns its id.
    fn settle(&mut self, now_ms: u64, operator: &Caller, about: &About) -> Result<String, Problem> {
        self.refuse_secret(&[], about.signature.as_deref())?;
        let mut intent = self.intent_in(about, IntentState::InDoubt)?;
        let found = about.found.unwrap_or(Found::Landed);
        if let (Found::Landed, Some(signature)) = (found, &about.signature) {
            if intent.named_signature.as_ref() != Some(signature) && self.signatures.contains(signature) {
                let of_another = FieldError::of("signature", FieldCode::Conflict, "is that of another trade");
                return Err(Problem::of_fields(vec![of_another]).about(&intent.key));
            }
            self.signatures.insert(signature);
        }
        let id = intent.id();
        self.guards_of(&intent.caller).acknowledge(&id, found);
        match found {
            Found::Landed => {
                let results = "its outcome was unknown, and an operator found that it landed".to_tape();
                let signature = about.signature.as_deref();
                intent.answer = Some(RecordedAnswer::found(&intent, true, signature, results, |_| ()));
                intent.signature.clone_from(&about.signature);
            }
            Found::DidNotLand => {
                let what = "its outcome was unknown, and an operator found that it did not land";
                let problem = Problem::new(GatewayCode::DidNotLand, what).about(&intent.key);
                intent.answer = Some(RecordedAnswer::problem(&problem));
            }
        }
        let outcome = IntentOutcome::from(found);
        self.settle_as(&mut intent, outcome);
        let signature = intent.signature.clone();
        let ended = Settlement { outcome, code: None, status: None, signature, proven: false };
        let (act, said) = (Act::Settle.as_str(), outcome.as_str());
        self.note_with(now_ms, &operator.name, act, &id, said, Some(ended.to_tape()));
        self.put(intent);
        Ok(id)
    }

    /// The intent of an act, if it is in the state that the act needs.
    fn intent_in(&self, about: &About, state: IntentState) -> Result<Intent, Problem> {
        let intent = self.known(&id_of(&about.caller, &about.intent_id));
        let intent =
            intent.ok_or_else(|| Problem::new(GatewayCode::IntentNotFound, "there is no such intent"))?;
        if intent.state == state {
            return Ok(intent.clone());
        }
        let detail = ["the intent is ", intent.state.as_str(), ", not ", state.as_str()].concat();
        Err(Problem::new(GatewayCode::WrongState, detail).about(&intent.key))
    }

    fn acted_on(&self, id: &str) -> GatewayStep {
        GatewayStep::Answer(answer(200, &self.known(id).map(IntentView::of)))
    }
}

impl Gateway {
    /// `GET /desk`.
    pub(super) fn show(
        &mut self,
        now_ms: u64,
        fetched: Fetched,
        cursors: PageCursors,
    ) -> Result<GatewayStep, Problem> {
        let (before, audit): (_, Vec<Entry>) = match (cursors.audit, fetched.rows) {
            (None, _) => {
                let next = self.audit.head().map_or(0, |head| head.number.saturating_add(1));
                (next, self.audit.newest().take(SHOWN).cloned().collect())
            }
            (Some(before), Some(rows)) => {
                let read = rows.iter().rev().filter_map(|row| Entry::of(row).ok());
                (before, read.collect())
            }
            (Some(before), None) => {
                let from = before.saturating_sub(SHOWN as u64);
                return Ok(GatewayStep::Read { from: audit::key_of(from), until: audit::key_of(before) });
            }
        };
        // However the node answers, or if it does not, the desk is shown.
        if fetched.look.is_none()
            && let Some(call) = self.look_at_waiting()
        {
            return Ok(GatewayStep::Look(call));
        }
        let looked = fetched.look.map(looked);
        let older_audit = before.checked_sub(SHOWN as u64).filter(|older| *older > 0);
        let shown = self.shown(now_ms, cursors.trades, looked.as_ref(), &audit, older_audit);
        Ok(GatewayStep::Answer(answer(200, &shown)))
    }

    /// `GET /desk/audit`: some of the audit log, each line the exact text of a row. The entry before the first is read too, so
    /// that the product checks what it exports.
    pub(super) fn export(&mut self, rows: Option<&[&str]>, from: u64) -> GatewayStep {
        let head = self.audit.head().cloned();
        let next = head.as_ref().map_or(0, |head| head.number.saturating_add(1));
        let until = from.saturating_add(EXPORTED).min(next);
        let before = from.saturating_sub(1);
        let Some(rows) = rows else {
            return GatewayStep::Read {
                from: audit::key_of(before),
                until: audit::key_of(until.max(before)),
            };
        };
        self.check_exported(rows);
        let own = rows.get(usize::from(from > before)..).unwrap_or_default();
        let mut reply = typed(200, "application/x-ndjson", own.iter().flat_map(|row| [row, "\n"]).collect());
        if let Some(Head { number, hash }) = head {
            add(&mut reply, "audit-head", &[&number.digits(), " ", &hash].concat());
        }
        if until < next {
            let link = ["</desk/audit?from=", &until.digits(), ">; rel=\"next\""].concat();
            add(&mut reply, "link", &link);
        }
        GatewayStep::Answer(reply)
    }

    /// Checks rows that are exported. What was acknowledged as broken is not reported again.
    fn check_exported(&mut self, rows: &[&str]) {
        let (mut check, first) = (ChainCheck::default(), self.audit.first_checked());
        for row in rows {
            let checked = check.add(row);
            let is_new =
                check.last().is_some_and(|last| last.number > first) && self.audit.broken().is_none();
            if let (Err(broken), true) = (checked, is_new) {
                self.audit.break_off(broken.what);
                self.put_head();
            }
        }
    }

    /// The open intents in this state, the oldest first.
    pub(super) fn in_state(&self, state: IntentState) -> Vec<&Intent> {
        let open = self.open.iter().filter_map(|id| self.known(id));
        let mut found: Vec<&Intent> = open.filter(|intent| intent.state == state).collect();
        found.sort_by_cached_key(|intent| intent.number);
        found
    }

    /// The desk as its operators see it.
    fn shown(
        &mut self,
        now_ms: u64,
        before: Option<u64>,
        looked: Option<&Looked>,
        audit: &[Entry],
        older_audit: Option<u64>,
    ) -> Tape {
        let (limits, callers) = (&self.desk.limits, &self.settings.callers);
        let spent = self.ledger.sums(now_ms).map(|(Account { caller, wallet }, lamports)| {
            let own = caller.as_ref().map(|name| callers.iter().find(|caller| caller.name == *name));
            let limits = own.map_or(Some(limits), |caller| caller.map(|caller| &caller.limits));
            let limit = limits.and_then(|limits| match wallet {
                None => limits.max_lamports_per_day,
                Some(_) => limits.max_lamports_per_wallet_per_day,
            });
            object! { "caller": caller, "wallet": wallet, "lamports": lamports, "limit": limit }
        });
        let spent: Vec<Tape> = spent.collect();
        let traders = callers.iter().filter(|of| of.desk == self.desk.name && of.role == Role::Trader);
        let traders = traders.map(|of| {
            let is_open = self.callers.get(&of.name).is_some_and(|guards| guards.state(now_ms).breaker_open);
            object! { "caller": of.name, "breakerOpen": is_open, "limits": limits_view(&of.limits) }
        });
        let traders: Vec<Tape> = traders.collect();
        let in_state = |state| {
            let is_waiting = state == IntentState::AwaitingApproval;
            let open = self.in_state(state).into_iter().map(|intent| IntentView {
                doubt: self.doubts.get(&intent.id()).and_then(|doubt| doubt.told.clone()),
                asked: Some(Asked::of(intent, self.settings.dialect.rules.slippage_unit)),
                price: is_waiting.then(|| self.price_of(now_ms, intent, looked)).flatten(),
                ..IntentView::of(intent)
            });
            open.collect::<Vec<_>>()
        };
        let newest = self.ages.iter().rev().filter_map(|(_, id)| self.known(id));
        let is_before = |intent: &&Intent| before.is_none_or(|before| intent.number < before);
        let mut ended = newest.filter(|intent| !intent.is_open()).filter(is_before).peekable();
        let recent: Vec<&Intent> = ended.by_ref().take(SHOWN).collect();
        let older_trades = ended.peek().and(recent.last()).map(|intent| intent.number);
        let recent: Vec<_> = recent.into_iter().map(IntentView::of).collect();
        object! {
            "desk": self.desk.name,
            "mode": self.mode(),
            "simulated": self.settings.is_simulated(),
            "spent": spent,
            "inDoubt": in_state(IntentState::InDoubt),
            "awaitingApproval": in_state(IntentState::AwaitingApproval),
            "inFlight": in_state(IntentState::InFlight),
            "recent": recent,
            // The cursors of what comes before; `null` if there is nothing.
            "olderTrades": older_trades,
            "auditBroken": self.audit.broken(),
            "audit": audit,
            "olderAudit": older_audit,
            "remembered": self.intents.len() as u32,
            "limits": limits_view(&self.desk.limits),
            "callers": traders,
        }
    }
}

/// No page but the desk's own acts. Browsers send this header themselves, and no page can change it; a page's JSON from another origin is
/// refused before.
fn check_site(request: &GatewayRequest) -> Result<(), Problem> {
    match request.header("sec-fetch-site") {
        None | Some("same-origin" | "none") => Ok(()),
        Some(_) => Err(Problem::new(GatewayCode::Csrf, "the request is not from the desk's own page")),
    }
}

fn read_about(value: &Tape, act: Act) -> Result<About, Problem> {
    let read = reader::read(value.root(), |r| match act {
        Act::Settle => read_intent(r, true),
        Act::Approve | Act::Deny => read_intent(r, false),
        _ => About::default(),
    });
    read.map_err(Problem::of_fields)
}

/// The intent that an act is about; to settle it, also what was found.
fn read_intent(r: &mut Reader, is_settled: bool) -> About {
    let found = [("landed", Found::Landed), ("did_not_land", Found::DidNotLand)];
    About {
        caller: r.need("caller", Reader::text).to_owned(),
        intent_id: r.need("intentId", Reader::text).to_owned(),
        found: is_settled.then(|| r.needed("found", |r, name| r.choice(name, &found))).flatten(),
        signature: is_settled.then(|| r.text("signature").map(str::to_owned)).flatten(),
    }
}
