//! When the chain is asked without a call about what is open: some time after it was left so, and ever more seldom after that.
//!
//! A machine: [`next`](SettleTimer::next) takes the time and an event, and says what to do. It asks once at a time.

use crate::trade::settle::pause_ms;

/// What has happened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SettleEvent {
    /// Something may have been left open.
    Left,
    /// Time has passed.
    Passed,
    /// The chain was asked, and this is still open.
    Asked(Open),
}

/// What an answer of the chain leaves open.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Open {
    /// Nothing that waiting may settle.
    Nothing,
    /// Something that waiting may settle.
    Something,
    /// Something that is due in so many milliseconds.
    DueIn(u64),
}

/// What to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SettleStep {
    /// Nothing until the next event.
    Rest,
    /// Wait so many milliseconds, in place of any wait before, and say that time has passed.
    Wait(u64),
    /// Ask the chain, and say what it has left open.
    Ask,
}

/// Says when to ask.
///
/// ```
/// use launchpad_desk::bindings::settling::{Open, SettleEvent::*, SettleStep::*, SettleTimer};
///
/// let mut timer = SettleTimer::new(90_000);
/// assert_eq!(timer.next(0, Left), Wait(90_000));
/// assert_eq!(timer.next(90_000, Passed), Ask);
/// assert_eq!(timer.next(91_000, Asked(Open::Something)), Wait(5_687));
/// assert_eq!(timer.next(96_687, Passed), Ask);
/// assert_eq!(timer.next(97_000, Asked(Open::Nothing)), Rest);
/// ```
#[derive(Clone, Debug)]
pub struct SettleTimer {
    after_ms: u64,
    /// The time of the last event.
    now_ms: u64,
    /// Since when something is open, the newest.
    since_ms: u64,
    due_ms: Option<u64>,
    is_asking: bool,
    /// Whether something was left open while the chain was asked.
    is_left: bool,
}

impl SettleTimer {
    /// Asks this many milliseconds after something was left open.
    pub fn new(after_ms: u64) -> SettleTimer {
        SettleTimer { after_ms, now_ms: 0, since_ms: 0, due_ms: None, is_asking: false, is_left: false }
    }

    /// Takes an event, and says what to do.
    pub fn next(&mut self, now_ms: u64, event: SettleEvent) -> SettleStep {
        // A clock that was set back makes nobody wait longer.
        let back_ms = self.now_ms.saturating_sub(now_ms);
        self.since_ms = self.since_ms.saturating_sub(back_ms);
        self.due_ms = self.due_ms.map(|due_ms| due_ms.saturating_sub(back_ms));
        self.now_ms = now_ms;
        match event {
            SettleEvent::Left if self.is_asking => self.is_left = true,
            SettleEvent::Left => self.left(now_ms),
            SettleEvent::Passed if !self.is_asking && self.due_ms.is_some_and(|due_ms| due_ms <= now_ms) => {
                (self.due_ms, self.is_asking, self.is_left) = (None, true, false);
                return SettleStep::Ask;
            }
            SettleEvent::Passed => {}
            SettleEvent::Asked(open) => {
                self.is_asking = false;
                let pause_ms = match open {
                    Open::Nothing => None,
                    Open::Something => Some(pause_ms(now_ms.saturating_sub(self.since_ms), self.after_ms)),
                    Open::DueIn(ms) => Some(ms),
                };
                self.due_ms = pause_ms.map(|ms| now_ms.saturating_add(ms));
                if std::mem::take(&mut self.is_left) {
                    self.left(now_ms);
                }
            }
        }
        self.due_ms.map_or(SettleStep::Rest, |due_ms| SettleStep::Wait(due_ms.saturating_sub(now_ms)))
    }

    /// An old trade that stays unknown is asked about seldom: a new one does not wait for that, now or after the next answer.
    fn left(&mut self, now_ms: u64) {
        let first_ms = now_ms.saturating_add(self.after_ms);
        self.since_ms = now_ms;
        self.due_ms = Some(self.due_ms.map_or(first_ms, |due_ms| due_ms.min(first_ms)));
    }
}

#[cfg(test)]
mod tests {
    use super::{Open, SettleEvent, SettleStep, SettleTimer};
    use SettleEvent::{Asked, Left, Passed};
    use SettleStep::{Ask, Rest, Wait};

    const HOUR_MS: u64 = 3_600_000;

    #[test]
    fn a_clock_that_is_set_back_makes_nobody_wait_longer() {
        let mut timer = SettleTimer::new(100);
        assert_eq!(timer.next(2 * HOUR_MS, Left), Wait(100));
        assert_eq!(timer.next(HOUR_MS, Passed), Wait(100));
        assert_eq!(timer.next(HOUR_MS + 100, Passed), Ask);
    }

    #[test]
    fn it_asks_ever_more_seldom_and_an_hour_apart_at_most() {
        let mut timer = SettleTimer::new(90_000);
        let (mut now_ms, mut pauses) = (0, Vec::new());
        let mut step = timer.next(now_ms, Left);
        for _ in 0..200 {
            let Wait(ms) = step else { panic!("{step:?}") };
            pauses.push(ms);
            now_ms += ms;
            assert_eq!(timer.next(now_ms, Passed), Ask);
            step = timer.next(now_ms, Asked(Open::Something));
        }
        assert_eq!((pauses[0], pauses[1]), (90_000, 90_000 / 16));
        assert!(pauses[1..].is_sorted() && pauses.last() == Some(&HOUR_MS), "{pauses:?}");
    }

    #[test]
    fn a_new_trade_waits_neither_for_the_pause_of_an_old_one_nor_after_the_answer() {
        let mut timer = SettleTimer::new(90_000);
        timer.next(0, Left);
        timer.next(90_000, Passed);
        timer.next(90_000, Asked(Open::Something));
        // The old one has been open for days.
        let now_ms = 100 * HOUR_MS;
        assert_eq!(timer.next(now_ms, Passed), Ask);
        assert_eq!(timer.next(now_ms, Asked(Open::Something)), Wait(HOUR_MS));
        assert_eq!(timer.next(now_ms, Left), Wait(90_000));
        // The old one is due just before the new one: the answer to that leaves the new one open, and it is asked about soon.
        let mut timer =
            SettleTimer { since_ms: 0, due_ms: Some(now_ms + 10_000), ..SettleTimer::new(90_000) };
        assert_eq!(timer.next(now_ms, Left), Wait(10_000));
        assert_eq!(timer.next(now_ms + 10_000, Passed), Ask);
        assert_eq!(timer.next(now_ms + 10_000, Asked(Open::Something)), Wait(5_000));
    }

    #[test]
    fn it_asks_once_at_a_time_and_forgets_nothing_that_is_left_meanwhile() {
        let mut timer = SettleTimer::new(1_000);
        assert_eq!(timer.next(0, Passed), Rest, "nothing is open");
        timer.next(0, Left);
        assert_eq!(timer.next(999, Passed), Wait(1), "a wait may end too soon");
        assert_eq!(timer.next(1_000, Passed), Ask);
        assert_eq!(timer.next(1_100, Left), Rest);
        assert_eq!(timer.next(9_000, Passed), Rest);
        assert_eq!(timer.next(9_000, Asked(Open::Nothing)), Wait(1_000));
        assert_eq!(timer.next(10_000, Passed), Ask);
        assert_eq!(timer.next(10_000, Asked(Open::DueIn(7))), Wait(7));
    }

    #[test]
    fn a_clock_that_is_set_back_stops_nothing() {
        let mut timer = SettleTimer::new(90_000);
        timer.next(HOUR_MS, Left);
        timer.next(HOUR_MS + 90_000, Passed);
        assert_eq!(timer.next(0, Asked(Open::Something)), Wait(5_000));
    }
}
