//! Restores a desk from its rows: after a start, a crash, or a failed transaction.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::Arc;

use super::Gateway;
use crate::audit::Audit;
use crate::code::GatewayCode;
use crate::intent::{Intent, Intents, RecordedAnswer};
use crate::ledger::Ledger;
use crate::problem::{Problem, json_of};
use crate::rows::{CLOSED, DeskRow, DeskRows, broken};
use crate::settings::GatewaySettings;
use crate::step::{DESK, GatewayChange, GatewayRow, GatewayStep, MINT};
use launchpad_desk::api::request::Request;
use launchpad_desk::api::validate::{Valid, validate};
use launchpad_desk::bindings::{Forgotten, Latest, object};
use launchpad_desk::error::FieldError;
use launchpad_desk::intent::{IntentOutcome, IntentState};
use launchpad_desk::tape::{Tape, json};
use launchpad_desk::trade::Key;
use launchpad_desk::trade::flow::{KeySource, Terms};
use launchpad_desk::trade::guard::{self, Guards, REMEMBERED, Suspension};

impl Gateway {
    /// Restores the desk of that name from the rows of its state and of its audit log, in the order of their keys. The returned
    /// step is [`GatewayStep::Nothing`], but its rows must be written like those of any other move.
    ///
    /// # Errors
    ///
    /// The settings do not have the desk; no header can hold the key; the rows do not fit together.
    pub fn restore(
        settings: GatewaySettings,
        desk: &str,
        upstream_key: Option<&str>,
        rows: DeskRows,
        now_ms: u64,
    ) -> Result<(Gateway, GatewayChange), Vec<FieldError>> {
        let Some(own) = settings.desk(desk).cloned() else {
            return Err(broken("desk", "is not in the settings"));
        };
        if let Some(what) = settings.key_problem(upstream_key) {
            return Err(broken("upstreamKey", what));
        }
        let key = match upstream_key.and_then(|key| Key::new(key).ok()) {
            Some(key) => KeySource::Fixed(key),
            None => KeySource::None,
        };
        let terms = Terms {
            dialect: settings.dialect.clone(),
            key,
            headers: settings.headers.clone(),
            max_reply_bytes: settings.max_reply_bytes,
            ..Terms::default()
        };
        let unit = settings.dialect.rules.slippage_unit;
        let mut gateway = Gateway {
            guards: Guards::new(own.limits.guards.clone()),
            narrow: Guards::new(own.approval.slippage_guards(unit)),
            settings: Arc::new(settings),
            desk: own,
            terms: Arc::new(terms),
            secret: upstream_key.unwrap_or_default().to_owned(),
            callers: BTreeMap::new(),
            signatures: Latest::default(),
            ledger: Ledger::default(),
            intents: BTreeMap::new(),
            open: BTreeSet::new(),
            expiries: VecDeque::new(),
            ages: VecDeque::new(),
            keyless: VecDeque::new(),
            flights: BTreeMap::new(),
            mints: BTreeSet::new(),
            audit: Audit::default(),
            kept_breakers: Vec::new(),
            doubts: BTreeMap::new(),
            pending: None,
            asks: 0,
            wake_at_ms: None,
            node_rests_until_ms: 0,
            forgotten: Forgotten::default(),
            started_at_ms: now_ms,
            next_number: 0,
            rows: Vec::new(),
        };
        let settings = Arc::clone(&gateway.settings);
        for caller in settings.callers.iter().filter(|caller| caller.desk == desk) {
            gateway.guards_of(&caller.name);
        }
        let is_new = rows.desk.is_none();
        gateway.take_up(now_ms, rows);
        if is_new {
            gateway.put_desk();
            // So a desk without a head has lost its log.
            gateway.note(now_ms, "gateway", "open", "", "");
        }
        let start = gateway.moved(GatewayStep::Nothing);
        Ok((gateway, start))
    }

    fn take_up(&mut self, now_ms: u64, rows: DeskRows) {
        let DeskRows { mut intents, mut signatures, mints, audit, head, desk } = rows;
        let mut switches = false;
        if let Some(DeskRow { mode, is_simulated, breakers, forgotten }) = desk {
            switches = is_simulated != Some(self.settings.is_simulated());
            self.forgotten = forgotten;
            let (audit, is_broken) = Audit::restored(audit, head);
            self.audit = audit;
            if is_broken {
                self.put_head();
            }
            self.kept_breakers = breakers;
            self.guards.restore_suspension(Suspension { mode: Some(mode), ..Suspension::default() });
        }
        signatures.sort_by_cached_key(|(number, _)| *number);
        for (_, signature) in &signatures {
            self.signatures.insert(signature);
        }
        if !switches {
            self.mints.extend(mints);
            return self.take_intents(now_ms, intents);
        }
        // What was asked for where no money moves is not sent where it does, and its mints are new there.
        let unknown = mints.iter().map(|mint| GatewayRow { key: [MINT, "\n", mint].concat(), row: None });
        self.rows.extend(unknown);
        intents.iter_mut().for_each(|intent| intent.expires_at_ms = intent.expires_at_ms.map(|_| 0));
        self.take_intents(now_ms, intents);
        self.expire(now_ms);
        self.put_desk();
    }

    fn take_intents(&mut self, now_ms: u64, mut intents: Intents) {
        intents.sort_by_cached_key(|intent| intent.number);
        let spent = intents
            .iter()
            .filter_map(|intent| Some((intent.counted_at_ms.or(intent.sent_at_ms)?, &**intent)));
        let mut spent: Vec<(u64, &Intent)> = spent.collect();
        spent.sort_by_cached_key(|(at_ms, _)| *at_ms);
        let counted = spent
            .iter()
            .map(|(at_ms, intent)| (*at_ms, intent.number, intent.caller.as_str(), intent.counted()));
        self.ledger = Ledger::restored(counted);
        self.restore_guards(now_ms, &intents);
        for intent in intents {
            if intent.state == IntentState::InFlight {
                self.doubt(now_ms, *intent);
            } else {
                self.keep(intent.id(), intent);
            }
        }
    }

    /// Gives the guards of each caller what its intents have left of their limits.
    fn restore_guards(&mut self, now_ms: u64, intents: &[Box<Intent>]) {
        // The intents that counted for the rate limit: they were forwarded or had to wait for approval.
        let took_turns =
            intents.iter().filter(|intent| intent.sent_at_ms.is_some() || !intent.reasons.is_empty());
        let took_turns = took_turns.map(|intent| (intent.sent_at_ms.unwrap_or(intent.at_ms), &**intent));
        let mut took_turns: Vec<(u64, &Intent)> = took_turns.collect();
        took_turns.sort_by_cached_key(|(at_ms, _)| *at_ms);
        // Those that were in flight when the desk stopped: they count as unknown.
        let mut interrupted: Vec<&str> = Vec::new();
        let mut landed: Vec<&Intent> = Vec::new();
        for (at_ms, intent) in took_turns {
            let guards = self.guards_of(&intent.caller);
            guards.restore_turn(at_ms);
            match intent.state {
                _ if intent.sent_at_ms.is_none() => {}
                IntentState::InFlight | IntentState::InDoubt => {
                    if intent.state == IntentState::InFlight {
                        interrupted.push(&intent.caller);
                    }
                    // Read without the current settings, which may allow less than when it was sent. Even an unreadable one stays
                    // in doubt until an operator settles it.
                    if let Ok(request) = guard::request_of(intent.operation, &intent.body) {
                        guards.restore_unresolved(now_ms, at_ms, intent.id().as_str(), &request);
                    }
                }
                _ if matches!(intent.outcome, Some(IntentOutcome::Landed | IntentOutcome::Unconfirmed)) => {
                    landed.push(intent);
                }
                _ => {}
            }
        }
        for (name, guards) in &mut self.callers {
            let kept = self.kept_breakers.iter().find(|(of, _)| of == name);
            let mut suspension = kept.map_or(CLOSED, |(_, suspension)| *suspension);
            let count = suspension.unknowns_in_a_row.unwrap_or(0);
            let interrupted = interrupted.iter().filter(|of| *of == name).count() as u32;
            suspension.unknowns_in_a_row = Some(count.saturating_add(interrupted));
            guards.restore_suspension(suspension);
        }
        // The guards of a caller forget all but the latest.
        let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
        landed.reverse();
        landed.retain(|intent| {
            let count = counts.entry(&intent.caller).or_default();
            *count += 1;
            *count <= REMEMBERED
        });
        for intent in landed.into_iter().rev() {
            self.guards_of(&intent.caller).restore_landed_id(&intent.id());
        }
    }

    /// Marks an intent that was in flight when the desk stopped: its outcome is unknown, and it is never sent again.
    fn doubt(&mut self, now_ms: u64, mut intent: Intent) {
        let detail =
            "outcome unknown: the gateway stopped while the trade was in flight; an operator settles it";
        let problem = Problem::new(GatewayCode::IntentUnknown, detail).about(&intent.key);
        intent.state = IntentState::InDoubt;
        intent.outcome = Some(IntentOutcome::Unknown);
        intent.answer = Some(RecordedAnswer::problem(&problem));
        self.note(now_ms, "gateway", "in_doubt", &intent.id(), "the gateway stopped while it was in flight");
        self.put(intent);
    }

    /// The request of an intent, read from the recorded bytes.
    /// Fails if the settings now allow less than when it was recorded.
    pub(super) fn request_of(&self, intent: &Intent) -> Result<Valid<Request>, Problem> {
        let value = json_of(intent.body.as_bytes())?;
        let rules = self.wire_rules();
        validate(intent.operation, value.root(), &rules)
            .map_err(|problems| Problem::of_fields(problems).about(&intent.key))
    }

    /// Writes the head of the audit log.
    pub(super) fn put_head(&mut self) {
        let head = self.audit.head_row();
        self.rows.extend(head.map(|(key, row)| GatewayRow { key, row: Some(row) }));
    }

    /// Writes the desk's own row.
    pub(super) fn put_desk(&mut self) {
        self.kept_breakers = self.breakers();
        let of =
            |(name, suspension): &(String, Suspension)| object! { "name": name, "suspension": suspension };
        let breakers: Vec<Tape> = self.kept_breakers.iter().map(of).collect();
        let Forgotten { ms, slot, has_slotless } = self.forgotten;
        let row = object! {
            "mode": self.mode(), "simulated": self.settings.is_simulated(), "breakers": breakers, "forgottenMs": ms,
            "forgottenSlot": slot, "hasForgottenSlotless": has_slotless,
        };
        self.rows.push(GatewayRow { key: DESK.to_owned(), row: Some(json::write(&row)) });
    }
}
