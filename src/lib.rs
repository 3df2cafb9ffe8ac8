//! The trading desk for a token launchpad's `/v1/trade` service.
//!
//! # Features
//!
//! None is on by default, and a Rust program needs none: everything documented here is in the crate without them.
//!
//! | feature | what it adds to a build for wasm32, and nothing to any other |
//! |---|---|
//! | `desk` | the exports of the npm package's main import, and the package's global allocator |
//! | `launchpad` | the exports of its `launchpad-desk/launchpad`, and the package's global allocator |

pub mod amount;
pub mod api;
mod codes;
pub mod declaration;
pub mod error;
pub mod launchpad;
pub mod reader;
pub mod render;
pub mod sandbox;
pub mod tape;
pub mod trade;
#[cfg(all(target_arch = "wasm32", any(feature = "desk", feature = "launchpad")))]
mod wasm;
