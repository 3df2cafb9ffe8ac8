//! The trading desk for a token launchpad's `/v1/trade` service.

pub mod amount;
pub mod api;
mod codes;
pub mod error;
pub mod launchpad;
pub mod reader;
pub mod render;
pub mod sandbox;
pub mod tape;
pub mod trade;
#[cfg(target_arch = "wasm32")]
mod wasm;
