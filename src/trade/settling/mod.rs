//! When and how the chain is asked about trades without a call of its own: machines that say what to do, so that the drivers in Rust and
//! TypeScript decide nothing.

mod ask_again;
mod comparison;
mod look_up;
mod timer;

pub use ask_again::AskAgain;
pub use comparison::{CompareStep, Comparison, MOST_COMPARED};
pub use look_up::{ChainSays, LookUp, LookUpStep};
pub use timer::{Open, SettleEvent, SettleStep, SettleTimer};
