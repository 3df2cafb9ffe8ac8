//! The clock, the timer and the chance of the system that a client runs on. The core has none of them.

use std::hash::{BuildHasher, RandomState};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// Waits, with one thread for all timers of the process.
pub(super) async fn sleep(ms: u32) {
    futures_timer::Delay::new(Duration::from_millis(ms.into())).await;
}

/// Milliseconds since 1970.
pub(super) fn now_ms() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_millis() as u64)
}

/// 128 random bits, in hexadecimal. A hash with fresh keys is what the standard library has of chance; the clock keeps
/// two processes apart even where the system has none.
pub(super) fn new_id() -> String {
    let half = || RandomState::new().hash_one(SystemTime::now());
    format!("{:016x}{:016x}", half(), half())
}
