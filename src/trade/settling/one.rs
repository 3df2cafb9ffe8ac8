//! Asks the chain about one trade, in doubt or answered by its service, and records what it proves.

use crate::codes::codes;
use crate::intent::{IntentOutcome, Settlement};
use crate::trade::guard::{Found, Guards, LookedUp};
use crate::trade::settle::{UnknownReason, proven};

codes! {
    /// What a driver does next about a trade that the chain is asked about.
    SettlingStep {
        /// Ask the market about the trade alone.
        Ask = "ask",
        /// Ask the market about it beside the other trades of the client.
        AskBesideOthers = "ask_beside_others",
        /// Let the journal record what is proven, and say so.
        Journal = "journal",
        /// The end: there is nothing to tell.
        Agreed = "agreed",
        /// The end: who settles gets what the market says, which changed nothing.
        Unchanged = "unchanged",
        /// The end: the market has said nothing of a trade that was only accepted. Who settles gets it, as unknown.
        Unanswered = "unanswered",
        /// The end: the market has said nothing of a trade in doubt. Who settles gets the market's error.
        Failed = "failed",
        /// The end: it is recorded, and news. Tell who listens and who settles.
        Settled = "settled",
        /// The same, and the opposite of what the service had said.
        Contradicted = "contradicted",
        /// The chain has not shown an answered trade for too long. Say so, and tell the machine.
        NotShown = "not_shown",
    }
}

/// What a market says of a trade.
#[derive(Clone, Copy, Debug)]
pub struct ChainSays<'a> {
    /// How it ended.
    pub outcome: IntentOutcome,
    /// Why it is unknown, if it is.
    pub reason: Option<UnknownReason>,
    /// The signature of its transaction.
    pub signature: Option<&'a str>,
}

/// A machine: [`begin`](Settling::begin) says what to do first; then a driver tells it what came of each step. One that is given up before
/// its end must be [released](Settling::release).
#[derive(Clone, Debug)]
pub struct Settling {
    intent_id: String,
    started_ms: u64,
    /// What its service has said; `None` of a trade in doubt.
    said: Option<IntentOutcome>,
    is_beside_others: bool,
    /// Whether the market has answered once.
    has_answer: bool,
    proven: Option<Settlement>,
    is_claimed: bool,
}

impl Settling {
    /// Asks about a trade that its service has answered.
    pub fn answered(intent_id: &str, started_ms: u64, said: IntentOutcome) -> Settling {
        Settling { said: Some(said), is_beside_others: false, ..Settling::in_doubt(intent_id, started_ms) }
    }

    /// Asks about a trade in doubt.
    pub fn in_doubt(intent_id: &str, started_ms: u64) -> Settling {
        Settling {
            intent_id: intent_id.to_owned(),
            started_ms,
            said: None,
            is_beside_others: true,
            has_answer: false,
            proven: None,
            is_claimed: false,
        }
    }

    /// Records what somebody has found out about the trade in doubt with this id. The next step is [`Journal`](SettlingStep::Journal); `None` if
    /// it is not in doubt, or somebody else records it.
    pub fn found(guards: &mut Guards, intent_id: &str, found: Found) -> Option<Settling> {
        let started_ms = guards.unresolved(intent_id)?.trade.started_at_ms;
        let proven = Some(found.into());
        guards.claim(intent_id).then(|| Settling {
            proven,
            is_claimed: true,
            ..Settling::in_doubt(intent_id, started_ms)
        })
    }

    /// What to do first.
    pub fn begin(&self) -> SettlingStep {
        if self.is_beside_others { SettlingStep::AskBesideOthers } else { SettlingStep::Ask }
    }

    /// Takes what the market says; `None` if it gave no answer.
    pub fn asked(&mut self, guards: &mut Guards, now_ms: u64, says: Option<ChainSays>) -> SettlingStep {
        // The named transaction, or that there is none, is proof without the other trades, which may be thousands.
        let reason = says.and_then(|says| says.reason);
        self.has_answer |= says.is_some();
        if reason.is_some_and(UnknownReason::needs_others) && !self.is_beside_others {
            self.is_beside_others = true;
            return SettlingStep::AskBesideOthers;
        }
        self.proven = says.and_then(|says| proven(says.outcome, says.signature));
        let Some(said) = self.said else { return self.doubted(guards) };
        if guards.ended_at(&self.intent_id, self.started_ms).is_none_or(|ended| ended.proven) {
            // It was corrected meanwhile, or is forgotten: nobody asks about it again.
            guards.forget_answer(&self.intent_id, self.started_ms);
            return SettlingStep::Agreed;
        }
        match guards.looked_up(now_ms, &self.intent_id, self.started_ms, self.proven.as_ref()) {
            LookedUp::Settled | LookedUp::Contradicted => SettlingStep::Journal,
            LookedUp::Confirmed => SettlingStep::Agreed,
            LookedUp::GivenUp => SettlingStep::NotShown,
            LookedUp::Open => self.still_open(said),
        }
    }

    /// Somebody was told that the chain has not shown it.
    pub fn noted(&self) -> SettlingStep {
        self.said.map_or(SettlingStep::Agreed, |said| self.still_open(said))
    }

    /// Who settles gets each trade that was only accepted.
    fn still_open(&self, said: IntentOutcome) -> SettlingStep {
        match said {
            IntentOutcome::Unconfirmed if self.has_answer => SettlingStep::Unchanged,
            IntentOutcome::Unconfirmed => SettlingStep::Unanswered,
            _ => SettlingStep::Agreed,
        }
    }

    /// Meanwhile a trade in doubt may have been found not to have landed, and sent again under its id.
    fn doubted(&mut self, guards: &mut Guards) -> SettlingStep {
        if !self.has_answer {
            return SettlingStep::Failed;
        }
        let is_it =
            guards.unresolved(&self.intent_id).is_some_and(|own| own.trade.started_at_ms == self.started_ms);
        self.is_claimed = self.proven.is_some() && is_it && guards.claim(&self.intent_id);
        if self.is_claimed { SettlingStep::Journal } else { SettlingStep::Unchanged }
    }

    /// How the journal records it, once that is the step.
    pub fn settlement(&self) -> Option<&Settlement> {
        self.proven.as_ref()
    }

    /// The journal has recorded it, or there is none.
    pub fn journaled(&mut self, guards: &mut Guards, now_ms: u64) -> SettlingStep {
        let Some(proven) = self.proven.take() else { return SettlingStep::Agreed };
        let Some(said) = self.said else {
            self.is_claimed = false;
            return match guards.acknowledge(&self.intent_id, proven) {
                true => SettlingStep::Settled,
                false => SettlingStep::Unchanged,
            };
        };
        if !guards.correct(now_ms, &self.intent_id, self.started_ms, &proven) {
            return SettlingStep::Agreed;
        }
        match LookedUp::of(said, proven.outcome) {
            LookedUp::Contradicted => SettlingStep::Contradicted,
            _ => SettlingStep::Settled,
        }
    }

    /// Gives up: a trade in doubt is as it was.
    pub fn release(&mut self, guards: &mut Guards) {
        if std::mem::take(&mut self.is_claimed) {
            guards.release(&self.intent_id);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::api::endpoint::Operation;
    use crate::trade::guard::{Ended, Intent, Settings, request_of};
    use IntentOutcome::{DidNotLand, Failed, Landed, Unconfirmed, Unknown};

    /// Guards that know a trade of which the service has said this.
    fn said(outcome: IntentOutcome) -> (Guards, Settling) {
        let mut guards = Guards::new(Settings::default());
        let body = r#"{"mint":"M","fromWallet":"W","amountInLamports":5}"#;
        let request = request_of(Operation::Buy, body).unwrap();
        let worst = guards.worst(0, &request);
        let intent = Intent::new("trade".into(), &request, 0, worst);
        if outcome == Unknown {
            guards.restore_unresolved(0, 0, "trade", &request);
            return (guards, Settling::in_doubt("trade", 0));
        }
        let settlement = Settlement { signature: Some("S".to_owned()), ..outcome.into() };
        guards.restore_ended(0, Ended::of(intent, settlement).unwrap());
        (guards, Settling::answered("trade", 0, outcome))
    }

    fn says(outcome: IntentOutcome, reason: Option<UnknownReason>) -> Option<ChainSays<'static>> {
        Some(ChainSays { outcome, reason, signature: Some("S") })
    }

    #[test]
    fn what_the_chain_shows_is_corrected_once_the_journal_has_it() {
        for (service, chain, end) in [
            (Landed, Failed, SettlingStep::Contradicted),
            (Failed, Landed, SettlingStep::Contradicted),
            (Unconfirmed, Landed, SettlingStep::Settled),
        ] {
            let (mut guards, mut settling) = said(service);
            let mut again = settling.clone();
            assert_eq!(settling.asked(&mut guards, 1, says(chain, None)), SettlingStep::Journal);
            assert_eq!(guards.ended("trade").unwrap().outcome, service, "not before the journal");
            assert_eq!(again.asked(&mut guards, 1, says(chain, None)), SettlingStep::Journal);
            assert_eq!(settling.journaled(&mut guards, 2), end);
            assert_eq!(guards.ended("trade").unwrap().outcome, chain);
            assert_eq!(again.journaled(&mut guards, 3), SettlingStep::Agreed, "another has corrected it");
        }
        let (mut guards, mut settling) = said(Landed);
        assert_eq!(settling.asked(&mut guards, 1, says(Landed, None)), SettlingStep::Agreed);
        assert!(guards.ended("trade").unwrap().proven);
    }

    #[test]
    fn what_was_restored_beside_its_correction_is_asked_about_once() {
        let (mut guards, mut settling) = said(Unconfirmed);
        let mut corrected = guards.ended("trade").cloned().unwrap();
        (corrected.outcome, corrected.proven) = (Landed, true);
        guards.restore_ended(0, corrected);
        assert!(guards.answered_next_ms(1).is_some());
        assert_eq!(settling.asked(&mut guards, 1, says(Landed, None)), SettlingStep::Agreed);
        assert_eq!(guards.answered_next_ms(1), None);
    }

    #[test]
    fn the_others_are_asked_beside_once_and_only_where_they_may_tell() {
        let (mut guards, mut settling) = said(Unconfirmed);
        let shared = says(Unknown, Some(UnknownReason::SharedWallets));
        assert_eq!(settling.begin(), SettlingStep::Ask);
        assert_eq!(settling.asked(&mut guards, 1, shared), SettlingStep::AskBesideOthers);
        let mut silent = settling.clone();
        assert_eq!(settling.asked(&mut guards, 1, shared), SettlingStep::Unchanged);
        // Only the second question fails: the first answer is told.
        assert_eq!(silent.asked(&mut guards, 1, None), SettlingStep::Unchanged);
        let (mut guards, mut settling) = said(Landed);
        let alive = says(Unknown, Some(UnknownReason::Alive));
        assert_eq!(settling.asked(&mut guards, 1, alive), SettlingStep::Agreed);
        let (_, doubted) = said(Unknown);
        assert_eq!(doubted.begin(), SettlingStep::AskBesideOthers);
    }

    #[test]
    fn silence_settles_nothing_ends_after_a_quarter_of_an_hour_and_leaves_out_no_accepted_trade() {
        for (service, open) in [(Landed, SettlingStep::Agreed), (Unconfirmed, SettlingStep::Unanswered)] {
            let (mut guards, mut settling) = said(service);
            assert_eq!(settling.asked(&mut guards, 1, None), open);
            assert_eq!(settling.asked(&mut guards, 900_001, None), open);
            assert_eq!(settling.asked(&mut guards, 900_002, None), SettlingStep::NotShown);
            assert_eq!(settling.noted(), open);
            assert_eq!(guards.ended("trade").unwrap().outcome, service);
        }
        let (mut guards, mut doubted) = said(Unknown);
        assert_eq!(doubted.asked(&mut guards, 1, None), SettlingStep::Failed);
        assert!(guards.is_unresolved("trade"));
    }

    #[test]
    fn a_trade_in_doubt_is_recorded_by_one_at_a_time_and_never_as_another_under_its_id() {
        let (mut guards, mut settling) = said(Unknown);
        let mut other = settling.clone();
        let mut earlier = Settling::in_doubt("trade", 7);
        assert_eq!(earlier.asked(&mut guards, 1, says(DidNotLand, None)), SettlingStep::Unchanged);
        assert_eq!(settling.asked(&mut guards, 1, says(Landed, None)), SettlingStep::Journal);
        assert_eq!(settling.settlement().map(|own| (own.outcome, own.proven)), Some((Landed, true)));
        assert_eq!(other.asked(&mut guards, 1, says(Landed, None)), SettlingStep::Unchanged);
        assert!(Settling::found(&mut guards, "trade", Found::DidNotLand).is_none());
        // The journal failed.
        settling.release(&mut guards);
        let mut person = Settling::found(&mut guards, "trade", Found::DidNotLand).unwrap();
        assert_eq!(person.settlement().map(|own| (own.outcome, own.proven)), Some((DidNotLand, false)));
        assert_eq!(person.journaled(&mut guards, 2), SettlingStep::Settled);
        assert!(!guards.is_unresolved("trade"));
        assert!(Settling::found(&mut guards, "trade", Found::Landed).is_none());
    }
}
