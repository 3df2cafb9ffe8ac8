//! The clock, the timer and the random numbers of the system that a client runs on. The core has none of them. And its locks.

use std::sync::{Mutex, MutexGuard, PoisonError};

#[cfg(target_arch = "wasm32")]
mod browser;
#[cfg(not(target_arch = "wasm32"))]
mod native;

#[cfg(target_arch = "wasm32")]
pub use browser::{new_id, now_ms, sleep};
#[cfg(not(target_arch = "wasm32"))]
pub use native::{new_id, now_ms, sleep};

pub(super) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    // The data is consistent after every call, so it can be used even if another thread panicked.
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
