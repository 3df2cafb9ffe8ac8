//! The clock, the timer and the random numbers of an operating system.

use std::hash::{BuildHasher, RandomState};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// Waits, with one thread for all timers of the process.
pub async fn sleep(ms: u32) {
    futures_timer::Delay::new(Duration::from_millis(ms.into())).await;
}

/// Milliseconds since 1970.
pub fn now_ms() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_millis() as u64)
}

/// 128 random bits, in hexadecimal. A hash with fresh keys is the only randomness in the standard library; the clock keeps two
/// processes apart even on a system without any.
pub fn new_id() -> String {
    let half = || RandomState::new().hash_one(SystemTime::now());
    format!("{:016x}{:016x}", half(), half())
}
