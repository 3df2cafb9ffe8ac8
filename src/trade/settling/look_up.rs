//! Asks the chain about one trade that its service has answered, and corrects what the chain contradicts.

use crate::codes::codes;
use crate::intent::{IntentOutcome, Settlement};
use crate::trade::guard::{Ended, Guards, LookedUp};
use crate::trade::settle::{UnknownReason, proven};

codes! {
    /// What a driver does next about a trade that its service has answered.
    LookUpStep {
        /// Ask the market once more, beside the other trades of the client.
        AskBesideOthers = "ask_beside_others",
        /// Let the journal record what the market has proven, and say so.
        Journal = "journal",
        /// The end: the chain agrees, or the trade was corrected meanwhile.
        Agreed = "agreed",
        /// The end: the chain knows more than the service. Tell who listens.
        Settled = "settled",
        /// The end: the chain shows the opposite of what the service had said. Tell who listens.
        Contradicted = "contradicted",
        /// The end for now: the chain does not say yet, and the trade is asked about again.
        Open = "open",
        /// The same of a trade that was only accepted: who settles gets it, as unknown.
        StillAccepted = "still_accepted",
        /// The end: the chain has not shown the trade for too long. Say so.
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

/// A machine: a driver asks the market about the trade alone, and tells [`asked`](LookUp::asked) what it says; [`journaled`](LookUp::journaled)
/// follows once the journal has that.
#[derive(Clone, Debug)]
pub struct LookUp {
    intent_id: String,
    started_ms: u64,
    said: IntentOutcome,
    is_beside_others: bool,
    proven: Option<Settlement>,
}

impl LookUp {
    /// Asks about this trade.
    pub fn new(ended: &Ended) -> LookUp {
        LookUp {
            intent_id: ended.intent.id().to_owned(),
            started_ms: ended.intent.trade.started_at_ms,
            said: ended.outcome,
            is_beside_others: false,
            proven: None,
        }
    }

    /// The same, named by its id and its beginning; `None` if it is not known any more.
    pub fn of(guards: &Guards, intent_id: &str, started_ms: u64) -> Option<LookUp> {
        guards.ended_at(intent_id, started_ms).map(LookUp::new)
    }

    /// Takes what the market says; `None` if it gave no answer.
    pub fn asked(&mut self, guards: &mut Guards, now_ms: u64, says: Option<ChainSays>) -> LookUpStep {
        // The named transaction, or that there is none, is proof without the other trades, which may be thousands.
        let reason = says.and_then(|says| says.reason);
        if reason.is_some_and(UnknownReason::needs_others) && !self.is_beside_others {
            self.is_beside_others = true;
            return LookUpStep::AskBesideOthers;
        }
        self.proven = says.and_then(|says| proven(says.outcome, says.signature));
        match guards.looked_up(now_ms, &self.intent_id, self.started_ms, self.proven.as_ref()) {
            LookedUp::Settled | LookedUp::Contradicted => LookUpStep::Journal,
            LookedUp::Confirmed => LookUpStep::Agreed,
            LookedUp::GivenUp => LookUpStep::NotShown,
            LookedUp::Open if says.is_some() && self.said == IntentOutcome::Unconfirmed => {
                LookUpStep::StillAccepted
            }
            LookedUp::Open => LookUpStep::Open,
        }
    }

    /// The journal has recorded it, or there is none.
    pub fn journaled(&mut self, guards: &mut Guards, now_ms: u64) -> LookUpStep {
        let Some(proven) = self.proven.take() else { return LookUpStep::Agreed };
        if !guards.correct(now_ms, &self.intent_id, self.started_ms, &proven) {
            return LookUpStep::Agreed;
        }
        match LookedUp::of(self.said, proven.outcome) {
            LookedUp::Contradicted => LookUpStep::Contradicted,
            _ => LookUpStep::Settled,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::api::endpoint::Operation;
    use crate::trade::guard::{Intent, Settings, request_of};
    use IntentOutcome::{Failed, Landed, Unconfirmed, Unknown};

    /// Guards that know a trade of which the service has said this.
    fn said(outcome: IntentOutcome) -> (Guards, LookUp) {
        let mut guards = Guards::new(Settings::default());
        let body = r#"{"mint":"M","fromWallet":"W","amountInLamports":5}"#;
        let request = request_of(Operation::Buy, body).unwrap();
        let worst = guards.worst(0, &request);
        let intent = Intent::new("trade".into(), &request, 0, worst);
        let settlement = Settlement { signature: Some("S".to_owned()), ..outcome.into() };
        guards.restore_ended(0, Ended::of(intent, settlement).unwrap());
        let look_up = LookUp::of(&guards, "trade", 0).unwrap();
        (guards, look_up)
    }

    fn says(outcome: IntentOutcome, reason: Option<UnknownReason>) -> Option<ChainSays<'static>> {
        Some(ChainSays { outcome, reason, signature: Some("S") })
    }

    #[test]
    fn what_the_chain_shows_is_corrected_once_the_journal_has_it() {
        for (service, chain, end) in [
            (Landed, Failed, LookUpStep::Contradicted),
            (Failed, Landed, LookUpStep::Contradicted),
            (Unconfirmed, Landed, LookUpStep::Settled),
        ] {
            let (mut guards, mut look_up) = said(service);
            let mut again = look_up.clone();
            assert_eq!(look_up.asked(&mut guards, 1, says(chain, None)), LookUpStep::Journal);
            assert_eq!(guards.ended("trade").unwrap().outcome, service, "not before the journal");
            assert_eq!(again.asked(&mut guards, 1, says(chain, None)), LookUpStep::Journal);
            assert_eq!(look_up.journaled(&mut guards, 2), end);
            assert_eq!(guards.ended("trade").unwrap().outcome, chain);
            assert_eq!(
                again.journaled(&mut guards, 3),
                LookUpStep::Agreed,
                "another has corrected it meanwhile"
            );
        }
        let (mut guards, mut look_up) = said(Landed);
        assert_eq!(look_up.asked(&mut guards, 1, says(Landed, None)), LookUpStep::Agreed);
        assert!(guards.ended("trade").unwrap().proven);
    }

    #[test]
    fn the_others_are_asked_beside_once_and_only_where_they_may_tell() {
        let (mut guards, mut look_up) = said(Unconfirmed);
        let shared = says(Unknown, Some(UnknownReason::SharedWallets));
        assert_eq!(look_up.asked(&mut guards, 1, shared), LookUpStep::AskBesideOthers);
        assert_eq!(look_up.asked(&mut guards, 1, shared), LookUpStep::StillAccepted);
        let (mut guards, mut look_up) = said(Landed);
        let alive = says(Unknown, Some(UnknownReason::Alive));
        assert_eq!(look_up.asked(&mut guards, 1, alive), LookUpStep::Open);
    }

    #[test]
    fn silence_settles_nothing_and_ends_after_a_quarter_of_an_hour() {
        for service in [Landed, Unconfirmed] {
            let (mut guards, mut look_up) = said(service);
            assert_eq!(look_up.asked(&mut guards, 1, None), LookUpStep::Open);
            assert_eq!(look_up.asked(&mut guards, 900_001, None), LookUpStep::Open);
            assert_eq!(look_up.asked(&mut guards, 900_002, None), LookUpStep::NotShown);
            assert_eq!(guards.ended("trade").unwrap().outcome, service);
        }
    }
}
