//! The launchpad's own rules: whole numbers only, to the lamport.
//!
//! Lamports and base units are `u64` with the unit in the name. Nothing here reads a clock, draws a random
//! number or keeps a state: a trade is a function of the curve before it.
//!
//! From the bottom up: [`div`] divides, [`fees`] and [`curve`] are one trade, [`account`] and [`cost`] what
//! surrounds it, [`config`] the launchpad as data, [`transaction`] runs a transaction's steps, [`quote`] prices an
//! order, [`bundle`] several of them on one curve.

pub mod account;
pub mod backtest;
pub mod batch;
pub mod bundle;
pub mod capacity;
pub mod config;
pub mod cost;
pub mod curve;
pub mod div;
pub mod fees;
pub mod goal;
pub mod inverse;
pub mod plan;
pub mod quote;
pub mod refusal;
pub mod slippage;
pub mod transaction;

pub use config::{Completion, Launchpad, Token};
pub use curve::{Curve, Fill};
pub use refusal::Refusal;
