//! What JS imports. Nobody in the crate imports this; nothing below it knows of JS.
//!
//! Objects come in as [`Value`](crate::value::Value) trees and leave as plain objects ([`convert`]). No
//! export panics on what it is given, and no class is borrowed across an `await`.

mod check;
mod client;
mod convert;
mod error;
mod fetch;
mod quote;
mod render;
mod sandbox;
#[cfg(test)]
mod tests;
mod trade;
mod types;

/// The standard library's own allocator makes every import 2 KB larger; this one was measured as fast in trades,
/// quotes and restores, and at a tenth more memory after replies of a megabyte.
#[global_allocator]
static ALLOCATOR: rlsf::SmallGlobalTlsf = rlsf::SmallGlobalTlsf::new();
