//! Strategies as data: when a position is left.
//!
//! There is no I/O, no clock and no randomness here. The same function decides in a backtest, in the sandbox and live.
//!
//! | module | one idea |
//! |---|---|
//! | [`units`] | multiples, parts and times, as plain JSON writes them |
//! | [`plan`] | an exit plan, and the position it is for |
//! | [`state`] | how far the exits of a position are |
//! | [`exits`] | the next order, and what became of it |

pub mod exits;
pub mod plan;
pub mod state;
pub mod units;

pub use exits::{Tick, next, settled};
pub use plan::{ExitPlan, ExitPosition};
pub use state::{ExitOrder, ExitReason, ExitState};
