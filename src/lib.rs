//! The trading desk for a token launchpad's `/v1/trade` service.
//!
//! # Features
//!
//! None is on by default.
//!
//! | feature | what it adds |
//! |---|---|
//! | `client` | the async `client`, with the sandbox as a transport and the file journal |
//! | `reqwest` | to the client: HTTP by `reqwest`, with rustls, on a Tokio runtime |
//! | `gloo` | to the client: `fetch` by `gloo-net`, for Rust programs in a page or a worker |
//! | `desk` | to a build for wasm32, and nothing to any other: the exports of the npm package's main import, and the package's global allocator |
//! | `launchpad` | the same for its `launchpad-desk/launchpad` |

pub mod amount;
pub mod api;
#[cfg(all(feature = "client", any(not(target_arch = "wasm32"), feature = "gloo")))]
pub mod client;
mod codes;
pub mod declaration;
pub mod error;
pub mod launchpad;
pub mod prelude;
pub mod reader;
pub mod render;
pub mod sandbox;
pub mod tape;
pub mod trade;
#[cfg(all(target_arch = "wasm32", any(feature = "desk", feature = "launchpad")))]
mod wasm;
