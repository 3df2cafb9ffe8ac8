//! What JS imports. Nothing in Rust imports this crate, and nothing else knows about JS.
//!
//! Values cross as [`Tape`](launchpad_desk::tape::Tape)s ([`crossing`]). No export panics, whatever it is given, and no class is
//! borrowed across an `await`.
//!
//! The package has five modules, each built from this crate with one feature: `trade`, the main import; `market`, the maths, the
//! chain, orders and exits; `sandbox`, the simulated launchpad, its chain and backtests; `gateway`, what an edge gateway decides;
//! `record`, the log of a desk. Each class of JS is in one of them: what is made in one reaches another as data.

#![cfg(target_arch = "wasm32")]

mod call;
mod crossing;
mod error;

#[cfg(any(feature = "trade", feature = "sandbox"))]
mod units;

#[cfg(feature = "trade")]
mod check;
#[cfg(feature = "trade")]
mod client;
#[cfg(feature = "trade")]
mod flow;
#[cfg(feature = "trade")]
mod options;
#[cfg(feature = "trade")]
mod render;
#[cfg(feature = "trade")]
mod sent;
#[cfg(feature = "trade")]
mod trade;
#[cfg(feature = "trade")]
mod typed;

#[cfg(feature = "market")]
mod market;

#[cfg(feature = "sandbox")]
mod sandbox;

#[cfg(any(feature = "market", feature = "sandbox"))]
mod bought;
#[cfg(any(feature = "market", feature = "sandbox"))]
mod input;

#[cfg(feature = "gateway")]
mod gateway;

#[cfg(feature = "record")]
mod record;

/// The standard library's own allocator makes every import 2 KB larger. This one measured equally fast in trades, quotes and
/// restores, and took a tenth more memory after replies of a megabyte.
#[global_allocator]
static ALLOCATOR: rlsf::SmallGlobalTlsf = rlsf::SmallGlobalTlsf::new();
