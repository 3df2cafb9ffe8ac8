//! Strategies as data: when a position is left, and what would have become of it.
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
//! | [`manage`] | carries out exits: what to do next, as a client, a market and a person answer |
//! | [`trade_tape`] | recorded trades of others |
//! | [`backtest`] | a strategy over a tape, one trade after the other |
//! | [`run`] | what a backtest did |
//! | [`mod@sweep`] | many exit plans over one tape, and what chance would have done |

pub mod backtest;
pub mod bought;
pub mod exits;
pub mod happening;
pub mod manage;
pub mod plan;
pub mod run;
pub mod state;
pub mod sweep;
pub mod trade_tape;
pub mod units;

pub use backtest::{Backtest, BacktestAsk, BacktestEntry, BacktestSignal, BacktestTerms};
pub use bought::NoPosition;
pub use exits::{Tick, corrected, correction, next, settled};
pub use happening::ExitHappening;
pub use plan::{ExitPlan, ExitPosition, OnGraduation, TakeProfit, Trailing};
pub use run::{BacktestOrder, BacktestRun};
pub use state::{ExitOrder, ExitReason, ExitState};
pub use sweep::{SweptPlan, sweep, without_idea};
pub use trade_tape::{Recorded, Rival, TradeTape};
