//! Lamports spent on one day (UTC), reserved before they are spent.

/// Milliseconds in a day.
pub const DAY_MS: u64 = 86_400_000;

/// Days since 1970, in UTC.
pub type DayNumber = u64;

/// The lamports of one day.
///
/// The day only moves forward. When the clock jumps back, the later day continues until the clock has caught up, so a
/// jump frees nothing. When it jumps ahead, that day begins early, once.
#[derive(Clone, Debug, Default)]
pub struct Day {
    number: DayNumber,
    lamports: u128,
}

impl Day {
    /// Lamports spent or reserved today.
    pub fn lamports(&self, now_ms: u64) -> u128 {
        if now_ms / DAY_MS > self.number { 0 } else { self.lamports }
    }

    /// Reserves lamports; returns the day they count for.
    pub fn reserve(&mut self, now_ms: u64, lamports: u128) -> DayNumber {
        self.lamports = self.lamports(now_ms).saturating_add(lamports);
        self.number = self.number.max(now_ms / DAY_MS);
        self.number
    }

    /// Counts what was spent at `started_ms`, before this process began; returns the day it counts for. A time in the future
    /// comes from a wrong clock and counts for today.
    pub fn restore(&mut self, now_ms: u64, started_ms: u64, lamports: u128) -> DayNumber {
        self.reserve(now_ms, 0);
        let day = started_ms / DAY_MS;
        // Of the clock: one that was set back continues the later day.
        if day < now_ms / DAY_MS { day } else { self.reserve(now_ms, lamports) }
    }

    /// Whether a day has ended for this clock.
    pub fn is_over(day: DayNumber, now_ms: u64) -> bool {
        now_ms / DAY_MS > day
    }

    /// Releases what was reserved on `day` and not spent. A day that is over has nothing to release.
    pub fn release(&mut self, day: DayNumber, lamports: u128) {
        if day == self.number {
            self.lamports = self.lamports.saturating_sub(lamports);
        }
    }
}

// Days and clocks as such: tests/rust/guard_model.rs.
#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_spent_before_the_process_began_counts_for_its_day() {
        let mut day = Day::default();
        assert_eq!(day.restore(3 * DAY_MS, 3 * DAY_MS + 1, 5), 3);
        assert_eq!(day.restore(3 * DAY_MS, 3 * DAY_MS - 1, 6), 2);
        assert_eq!(day.restore(3 * DAY_MS, u64::MAX, 7), 3);
        assert_eq!(day.lamports(3 * DAY_MS), 12);
        // The clock was set back by a day.
        assert_eq!(day.restore(2 * DAY_MS + 5, 2 * DAY_MS + 1, 7), 3);
        assert_eq!(day.lamports(2 * DAY_MS + 5), 19);
    }
}
