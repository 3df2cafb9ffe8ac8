//! Strategies as data: when a position is left.
//!
//! There is no I/O, no clock and no randomness here. The same function decides in a backtest, in the sandbox and live.
//!
//! | module | one idea |
//! |---|---|
//! | [`units`] | multiples, parts and times, as plain JSON writes them |
//! | [`plan`] | an exit plan, and the position it is for |
//! | [`bought`] | the position that a buy has opened |
//! | [`state`] | how far the exits of a position are |
//! | [`exits`] | the next order, and what became of it |
//! | [`happening`] | what happens to an exit that is carried out |
//! | `manage` | carries out exits: what to do next, as a client, a market and a person answer |

// A hidden module is what the project's other crates and the bindings share, and no part of the public interface.
pub mod bought;
pub mod exits;
pub mod happening;
#[doc(hidden)]
pub mod manage;
pub mod plan;
pub mod state;
pub mod units;

pub use bought::NoPosition;
pub use exits::{Tick, corrected, correction, next, settled};
pub use happening::ExitHappening;
pub use plan::{ExitPlan, ExitPosition, OnGraduation, TakeProfit, Trailing};
pub use state::{ExitOrder, ExitReason, ExitState};
