//! The exports of `launchpad-desk/market`: the launchpad's maths, the accounts of the chain and the market that they make, orders and
//! exits. JS sees them through `pkg/src/market.ts` and the folder beside it.
//!
//! An amount that can cross directly is passed as a `u64`; everything else is read by [`input`](crate::input). No class is ever
//! borrowed mutably, so a getter of the caller may call back.

mod accounts;
mod batch;
mod bundle;
mod curve;
mod exits;
mod goal;
mod input;
mod manage;
mod node;
mod plan;
mod position;
mod quote;
mod receipt;
mod request;
mod trader;
