//! The clock, the timer and the random numbers of the system that a client runs on. The core has none of them.

#[cfg(target_arch = "wasm32")]
mod browser;
#[cfg(not(target_arch = "wasm32"))]
mod native;

#[cfg(target_arch = "wasm32")]
pub use browser::{new_id, now_ms, sleep};
#[cfg(not(target_arch = "wasm32"))]
pub use native::{new_id, now_ms, sleep};
