//! When and how the chain is asked about trades without a call of its own: machines that say what to do, so that the drivers in Rust and
//! TypeScript decide nothing.

mod ask_again;
mod comparison;
mod one;
mod timer;

pub use ask_again::AskAgain;
pub use comparison::{CompareStep, Comparison, MOST_COMPARED};
pub use one::{ChainSays, Settling, SettlingStep};
pub use timer::{Open, SettleEvent, SettleStep, SettleTimer};
