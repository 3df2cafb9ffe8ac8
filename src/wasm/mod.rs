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

/// The standard library's own allocator takes four times the room in the module, and this one is as fast.
#[global_allocator]
static ALLOCATOR: rlsf::SmallGlobalTlsf = rlsf::SmallGlobalTlsf::new();
