//! The exports of `launchpad-desk/launchpad`, the maths and the sandbox. JS sees them through `pkg/src/launchpad.ts` and the
//! folder beside it.
//!
//! An amount that can cross directly is passed as a `u64`; everything else is read by [`input`]. No class is ever borrowed
//! mutably, so a getter of the caller may call back.

#[cfg(feature = "launchpad")]
mod backtest;
mod batch;
mod bundle;
mod curve;
#[cfg(feature = "launchpad")]
mod exits;
mod goal;
mod input;
mod plan;
mod position;
mod quote;
mod receipt;
mod request;
#[cfg(feature = "launchpad")]
mod sandbox;
mod trader;
