//! The exports of `launchpad-desk/launchpad`, the maths and the sandbox: `pkg/src/launchpad.ts` and the folder beside it are
//! what JS sees of them.
//!
//! An amount that may cross as it is comes in as a `u64`; everything else is read by [`input`]. No class is ever borrowed to
//! be changed, so a getter of the caller's may call back.

mod backtest;
mod batch;
mod bundle;
mod curve;
mod goal;
mod input;
mod plan;
mod position;
mod quote;
mod receipt;
mod request;
mod sandbox;
mod trader;
