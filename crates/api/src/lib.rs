//! The interface of a token launchpad's `/v1/trade` service, exactly: its fields, what is asked and answered, and the bytes of both.
//! Most programs use it through the crate [`launchpad-desk`](https://docs.rs/launchpad-desk), which has all of this under the same
//! names, and prices, guards, sends and classifies trades.
//!
//! One file for each step: the service's fields ([`fields`]), what is asked ([`request`]), where ([`endpoint`]), whether it may be
//! sent ([`validate`](mod@validate)), its bytes ([`encode`](mod@encode)), what is answered ([`response`]), and how that is read
//! ([`decode`](mod@decode)).
//!
//! # Features
//!
//! `serde`: `Serialize` and `Deserialize` of requests, trades and errors; no number is rounded. It is not on by default.

pub mod address;
pub mod amount;
#[doc(hidden)]
pub mod bindings;
mod codes;
mod declaration;
pub mod decode;
pub mod encode;
pub mod endpoint;
pub mod error;
pub mod fields;
mod hidden;
pub mod http;
pub mod intent;
mod make;
#[doc(hidden)]
pub mod names;
pub mod plain;
mod reader;
pub mod request;
pub mod response;
#[cfg(feature = "serde")]
mod serde_forms;
pub mod tape;
pub mod text;
pub mod validate;

pub(crate) use bindings::{error_text, object};
pub(crate) use declaration::record;
pub(crate) use tape::to_tape;
