//! Whether a caller who waits asks again: as long as waiting may bring another answer, and within its time.

use crate::intent::IntentOutcome;
use crate::trade::settle::UnknownReason;

/// A machine: [`next`](AskAgain::next) takes what an answer has left, and says how long to wait.
#[derive(Clone, Debug)]
pub struct AskAgain {
    within_ms: u64,
    every_ms: u32,
    /// The time of the last answer, and how long its caller was to wait after it.
    last_ms: u64,
    waited_ms: u32,
    passed_ms: u64,
    /// Whether the last answer has left a trade open that waiting may settle.
    may_pass: bool,
}

impl AskAgain {
    /// Asks again within this time and this often, from now on.
    pub fn new(now_ms: u64, within_ms: u64, every_ms: u32) -> AskAgain {
        AskAgain { within_ms, every_ms, last_ms: now_ms, waited_ms: 0, passed_ms: 0, may_pass: false }
    }

    /// Takes what was found of one trade; returns whether it is still open, so that only the last answer about it counts.
    pub fn is_open(&mut self, outcome: IntentOutcome, reason: Option<UnknownReason>) -> bool {
        self.may_pass |= reason.is_some_and(UnknownReason::may_pass);
        outcome == IntentOutcome::Unknown
    }

    /// The milliseconds to wait before the next question; `None` if there is none. `may_pass` says whether waiting may bring another answer,
    /// beside what was found of the trades.
    pub fn next(&mut self, now_ms: u64, may_pass: bool) -> Option<u32> {
        // A clock that was set back makes nobody wait longer: the wait itself has passed.
        let passed_ms = now_ms.saturating_sub(self.last_ms).max(self.waited_ms.into());
        self.passed_ms = self.passed_ms.saturating_add(passed_ms);
        let may_pass = std::mem::take(&mut self.may_pass) || may_pass;
        let goes_on = may_pass && self.passed_ms.saturating_add(self.every_ms.into()) <= self.within_ms;
        (self.last_ms, self.waited_ms) = (now_ms, self.every_ms);
        goes_on.then_some(self.every_ms)
    }
}

#[cfg(test)]
mod tests {
    use super::{AskAgain, IntentOutcome, UnknownReason};

    #[test]
    fn it_asks_within_its_time_and_while_waiting_may_help() {
        let mut again = AskAgain::new(1_000, 4_000, 2_000);
        assert_eq!(again.next(1_000, true), Some(2_000));
        assert_eq!(again.next(3_000, true), Some(2_000), "the last wait ends just in time");
        assert_eq!(again.next(5_000, true), None);
        assert_eq!(AskAgain::new(0, 4_000, 2_000).next(0, false), None);
        assert_eq!(AskAgain::new(0, 4_000, 2_000).next(2_001, true), None, "the answer took so long");
        assert_eq!(AskAgain::new(0, 0, 2_000).next(0, true), None);
    }

    #[test]
    fn what_is_open_for_a_reason_that_passes_is_asked_about_again() {
        let mut again = AskAgain::new(0, 60_000, 2_000);
        assert!(!again.is_open(IntentOutcome::Landed, None));
        assert!(again.is_open(IntentOutcome::Unknown, Some(UnknownReason::Alive)));
        assert_eq!(again.next(0, false), Some(2_000));
        assert!(again.is_open(IntentOutcome::Unknown, Some(UnknownReason::SharedWallets)));
        assert_eq!(again.next(2_000, false), None);
    }

    #[test]
    fn a_clock_that_is_set_back_makes_nobody_wait_longer() {
        let mut again = AskAgain::new(3_600_000, 4_000, 2_000);
        assert_eq!(again.next(0, true), Some(2_000));
        assert_eq!(again.next(1_000, true), Some(2_000), "it waited two seconds, whatever the clock says");
        assert_eq!(again.next(3_000, true), None);
    }
}
