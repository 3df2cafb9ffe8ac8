//! What a service has said of trades, until the chain has been asked whether it is true.

use std::collections::VecDeque;

use super::ended::Ended;
use crate::intent::{IntentOutcome, Settlement};

/// The most trades that wait: of more, the oldest are not asked about, which is [told](Answered::has_dropped).
pub const MOST_WAITING: usize = 1_000;
/// How long after a trade began the chain is first asked about it, in milliseconds: by then its transaction is final.
pub const LOOK_UP_AFTER_MS: u64 = 20_000;
/// The least time until it is asked again, in milliseconds. After that half of the time since the trade began, if that is more.
const LEAST_PAUSE_MS: u64 = 5_000;
/// How long after its first question a trade is asked about, in milliseconds.
const GIVE_UP_AFTER_MS: u64 = 900_000;
/// Of trades that a journal has, those are asked about that began at most so many milliseconds ago.
const RESTORED_WITHIN_MS: u64 = 3_600_000;

/// What the chain says about what a service has said of a trade.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LookedUp {
    /// It does not say yet: the trade is asked about again.
    Open,
    /// It says the same.
    Confirmed,
    /// It knows more: how a trade that was only accepted has ended, or that a failed one never reached it.
    Settled,
    /// It says the opposite: money moved, or did not move, against the service's word.
    Contradicted,
    /// It has said nothing for too long: the service's word stays, and the chain is not asked again by itself.
    GivenUp,
}

impl LookedUp {
    /// What a proof says about what a service has said.
    pub(crate) fn of(said: IntentOutcome, proven: IntentOutcome) -> LookedUp {
        let landed = |outcome| outcome == IntentOutcome::Landed;
        if said == proven {
            LookedUp::Confirmed
        } else if said != IntentOutcome::Unconfirmed && landed(said) != landed(proven) {
            LookedUp::Contradicted
        } else {
            LookedUp::Settled
        }
    }
}

/// A trade that the chain is to be asked about.
#[derive(Clone, Debug)]
struct Waiting {
    intent_id: String,
    started_ms: u64,
    due_ms: u64,
    /// When it was first asked about.
    asked_ms: Option<u64>,
    /// Whether its service only accepted it. Then it is waited for until the chain shows or denies it.
    is_accepted: bool,
    /// Whether it is asked about only by who settles.
    is_given_up: bool,
}

/// The trades that the chain is to be asked about, the oldest first.
#[derive(Clone, Debug, Default)]
pub struct Answered {
    waiting: VecDeque<Waiting>,
    /// Whether one was dropped, and nobody was told so.
    has_dropped: bool,
    has_told: bool,
}

impl Answered {
    /// Adds a trade, if its service named a transaction and nothing proves how it ended.
    pub fn add(&mut self, ended: &Ended) {
        if ended.proven || ended.signature.is_none() {
            return;
        }
        if self.waiting.len() >= MOST_WAITING {
            self.waiting.pop_front();
            self.has_dropped = !self.has_told;
        }
        let started_ms = ended.intent.trade.started_at_ms;
        let intent_id = ended.intent.id().to_owned();
        let due_ms = started_ms.saturating_add(LOOK_UP_AFTER_MS);
        let is_accepted = ended.outcome == IntentOutcome::Unconfirmed;
        let waiting =
            Waiting { intent_id, started_ms, due_ms, asked_ms: None, is_accepted, is_given_up: false };
        self.waiting.push_back(waiting);
    }

    /// Adds a trade of an earlier run, if it is not too old, or if its service only accepted it.
    pub fn restore(&mut self, ended: &Ended, newest_ms: u64) {
        let is_accepted = ended.outcome == IntentOutcome::Unconfirmed;
        if is_accepted || newest_ms.saturating_sub(ended.intent.trade.started_at_ms) <= RESTORED_WITHIN_MS {
            self.add(ended);
        }
    }

    /// Whether the oldest were dropped, because more wait than are asked about: said once.
    pub fn has_dropped(&mut self) -> bool {
        let is_news = std::mem::take(&mut self.has_dropped);
        self.has_told |= is_news;
        is_news
    }

    /// Those that their service only accepted, by id and beginning.
    pub fn accepted(&self) -> impl Iterator<Item = (&str, u64)> {
        let accepted = self.waiting.iter().filter(|waiting| waiting.is_accepted);
        accepted.map(|waiting| (waiting.intent_id.as_str(), waiting.started_ms))
    }

    /// Those that are to be asked about at this time, by id and beginning; `early`, also those that nobody has asked about yet, and those
    /// that were only accepted.
    pub fn due(&self, now_ms: u64, early: bool) -> impl Iterator<Item = (&str, u64)> {
        // A longer wait than any pause means that the clock was set back.
        let is_due = move |waiting: &&Waiting| {
            (early && (waiting.is_accepted || waiting.asked_ms.is_none()))
                || !waiting.is_given_up
                    && (waiting.due_ms <= now_ms || waiting.due_ms - now_ms > GIVE_UP_AFTER_MS)
        };
        self.waiting.iter().filter(is_due).map(|waiting| (waiting.intent_id.as_str(), waiting.started_ms))
    }

    fn place(&self, intent_id: &str, started_ms: u64) -> Option<usize> {
        let is_it = |waiting: &Waiting| waiting.started_ms == started_ms && waiting.intent_id == intent_id;
        self.waiting.iter().position(is_it)
    }

    /// Records that the chain was asked in vain; returns `false` once it will not be asked again by itself.
    pub fn in_vain(&mut self, now_ms: u64, intent_id: &str, started_ms: u64) -> bool {
        let Some(waiting) = self.place(intent_id, started_ms).and_then(|at| self.waiting.get_mut(at)) else {
            return false;
        };
        let first_ms = *waiting.asked_ms.get_or_insert(now_ms);
        let pause_ms = (now_ms.saturating_sub(started_ms) / 2).clamp(LEAST_PAUSE_MS, GIVE_UP_AFTER_MS);
        waiting.due_ms = now_ms.saturating_add(pause_ms);
        if now_ms.saturating_sub(first_ms) <= GIVE_UP_AFTER_MS {
            return true;
        }
        if waiting.is_accepted {
            return std::mem::replace(&mut waiting.is_given_up, true);
        }
        self.remove(intent_id, started_ms);
        false
    }

    /// Removes one: it needs no more questions.
    pub fn remove(&mut self, intent_id: &str, started_ms: u64) {
        if let Some(at) = self.place(intent_id, started_ms) {
            self.waiting.remove(at);
        }
    }

    /// Removes all: the market knows no transactions.
    pub fn clear(&mut self) {
        self.waiting.clear();
    }

    /// Milliseconds until the next one is due; `None` if none waits.
    pub fn next_ms(&self, now_ms: u64) -> Option<u64> {
        let goes_on = self.waiting.iter().filter(|waiting| !waiting.is_given_up);
        let due_ms = goes_on.map(|waiting| waiting.due_ms).min()?;
        Some(due_ms.saturating_sub(now_ms).min(GIVE_UP_AFTER_MS))
    }
}

/// How a trade that had ended so has ended by the chain. One that never landed has no signature, whatever its service named.
pub(super) fn corrected(ended: &Ended, settlement: &Settlement) -> Ended {
    let Settlement { outcome, signature, .. } = settlement;
    Ended { intent: ended.intent.clone(), outcome: *outcome, signature: signature.clone(), proven: true }
}
