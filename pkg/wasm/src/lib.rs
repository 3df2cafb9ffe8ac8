//! What JS imports. Nothing in Rust imports this crate, and nothing else knows about JS.
//!
//! Values cross as [`Tape`](launchpad_desk::tape::Tape)s ([`crossing`]). No export panics, whatever it is given, and no class is
//! borrowed across an `await`.
//!
//! The package has nine modules, each built from this crate with one feature: `desk`, the main import; `launchpad`, the maths
//! and the sandbox; `curve`, the maths alone; `typed`, what people type and paste; `chain`, what the chain's accounts say; `local-chain`, a chain around a
//! sandbox; `gateway`, what an edge gateway decides; `record`, the log of a desk; and `panel`, three of them in one, for `panel-tag.js`.

#![cfg(target_arch = "wasm32")]

// `typed` returns no handles, and its calls have no options.
#[cfg(any(
    feature = "desk",
    feature = "launchpad",
    feature = "chain",
    feature = "gateway",
    feature = "record"
))]
mod call;
mod crossing;
mod error;

#[cfg(any(feature = "desk", feature = "curve"))]
mod units;

#[cfg(feature = "desk")]
mod check;
#[cfg(feature = "desk")]
mod client;
#[cfg(feature = "desk")]
mod flow;
#[cfg(feature = "desk")]
mod options;
#[cfg(feature = "desk")]
mod render;
#[cfg(feature = "desk")]
mod sent;
#[cfg(feature = "desk")]
mod trade;
#[cfg(feature = "typed")]
mod typed;

#[cfg(feature = "curve")]
mod launchpad;

#[cfg(feature = "chain")]
mod chain;

#[cfg(any(feature = "launchpad", feature = "chain"))]
mod bought;

#[cfg(feature = "local-chain")]
mod local_chain;

#[cfg(feature = "gateway")]
mod gateway;

#[cfg(feature = "record")]
mod record;

/// The standard library's own allocator makes every import 2 KB larger. This one measured equally fast in trades, quotes and
/// restores, and took a tenth more memory after replies of a megabyte.
#[global_allocator]
static ALLOCATOR: rlsf::SmallGlobalTlsf = rlsf::SmallGlobalTlsf::new();
