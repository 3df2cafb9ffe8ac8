//! A token bucket: trades per second, and trades at once. Its tokens are permits to send, not a mint's tokens.

/// Parts of one token. Rates are in thousandths per second, so a millisecond adds a whole number of parts.
const TOKEN: i64 = 1_000_000;

/// How often trades may be sent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RateLimit {
    /// Trades per thousand seconds: 1 to 1,000,000,000.
    pub per_1000_seconds: u32,
    /// Trades that may be sent at once after a pause: 1 or more.
    pub burst: u32,
    /// How long a trade may wait for its turn, in milliseconds; 0 refuses it instead. Below 2^31.
    pub max_queue_ms: u32,
}

/// The bucket of a [`RateLimit`]. It starts full.
///
/// A trade that may wait takes its token in advance, so turns come in the order of the requests. A clock that jumps back
/// adds nothing, and tokens come from then on; one that jumps ahead adds at most a burst.
#[derive(Clone, Debug)]
pub struct Bucket {
    limit: RateLimit,
    /// In parts of a token; below zero while trades wait.
    level: i64,
    at_ms: u64,
}

impl Bucket {
    /// The full bucket of a limit.
    pub fn new(limit: RateLimit) -> Self {
        Bucket { level: i64::from(limit.burst) * TOKEN, at_ms: 0, limit }
    }

    fn level(&self, now_ms: u64) -> i64 {
        let passed = now_ms.saturating_sub(self.at_ms);
        let added = passed.saturating_mul(self.limit.per_1000_seconds.into());
        self.level.saturating_add_unsigned(added).min(i64::from(self.limit.burst) * TOKEN)
    }

    /// Whole tokens available.
    pub fn tokens(&self, now_ms: u64) -> u32 {
        (self.level(now_ms).max(0) / TOKEN) as u32
    }

    /// How long a trade has to wait for a token, in milliseconds.
    ///
    /// # Errors
    ///
    /// That time, if it is longer than a trade may wait.
    pub fn wait_ms(&self, now_ms: u64) -> Result<u32, u64> {
        let missing = TOKEN.saturating_sub(self.level(now_ms)).max(0).unsigned_abs();
        let wait = missing.div_ceil(self.limit.per_1000_seconds.max(1).into());
        if wait > self.limit.max_queue_ms.into() { Err(wait) } else { Ok(wait as u32) }
    }

    /// Restores that a token was taken before this process started. The level does not fall below zero: if the rate has been
    /// lowered since, no trade waits for turns that were allowed then.
    pub fn took(&mut self, at_ms: u64) {
        self.level = self.level(at_ms).saturating_sub(TOKEN).max(0);
        self.at_ms = at_ms;
    }

    /// Lets tokens come from now on if the clock was set back, not only once it has caught up: a stop would wait as long.
    pub fn no_later_than(&mut self, now_ms: u64) {
        self.at_ms = self.at_ms.min(now_ms);
    }

    /// Takes a token, even if none is available.
    pub fn take(&mut self, now_ms: u64) {
        self.level = self.level(now_ms).saturating_sub(TOKEN);
        self.at_ms = now_ms;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bucket(per_1000_seconds: u32, burst: u32, max_queue_ms: u32) -> Bucket {
        Bucket::new(RateLimit { per_1000_seconds, burst, max_queue_ms })
    }

    #[test]
    fn a_burst_then_the_rate() {
        let mut bucket = bucket(2_000, 3, 0);
        for _ in 0..3 {
            assert_eq!(bucket.wait_ms(1_000), Ok(0));
            bucket.take(1_000);
        }
        assert_eq!((bucket.wait_ms(1_000), bucket.wait_ms(1_001)), (Err(500), Err(499)));
        assert_eq!((bucket.wait_ms(1_500), bucket.tokens(1_500), bucket.tokens(u64::MAX)), (Ok(0), 1, 3));
    }

    #[test]
    fn turns_come_in_order_and_no_later_than_allowed() {
        let mut bucket = bucket(1_000, 1, 2_500);
        let waits: Vec<_> = (0..4)
            .map(|_| {
                let wait = bucket.wait_ms(0);
                wait.is_ok().then(|| bucket.take(0));
                wait
            })
            .collect();
        assert_eq!(waits, [Ok(0), Ok(1_000), Ok(2_000), Err(3_000)]);
        assert_eq!(bucket.tokens(0), 0);
    }

    #[test]
    fn odd_rates_are_exact_and_no_clock_breaks_it() {
        let mut slow = bucket(3, 1, 0);
        slow.take(7);
        assert_eq!((slow.wait_ms(333_340), slow.wait_ms(333_341)), (Err(1), Ok(0)));
        slow.take(0);
        assert_eq!(slow.wait_ms(0), Err(666_667), "a clock that jumps back adds nothing");
        let mut ahead = bucket(1_000, 1, 0);
        ahead.take(1_000_000);
        ahead.no_later_than(5_000);
        assert_eq!(
            (ahead.wait_ms(5_000), ahead.wait_ms(6_000)),
            (Err(1_000), Ok(0)),
            "and tokens come from then on"
        );
        let mut quick = bucket(1_000_000_000, u32::MAX, i32::MAX as u32);
        for now in [u64::MAX, 0, u64::MAX, 1] {
            quick.take(now);
        }
        assert_eq!(quick.tokens(u64::MAX), u32::MAX);
    }
}
