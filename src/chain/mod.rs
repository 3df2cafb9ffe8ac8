//! What the chain says: accounts as bytes, read exactly or refused by name. It does no I/O: a caller brings the bytes.
//!
//! | module | one idea |
//! |---|---|
//! | [`address`] | 32 bytes and their text; the addresses that programs derive |
//! | [`account`], [`unreadable`] | an account as a node returns it, and why one is refused |
//! | [`curve`], `rows` | a token's bonding curve, and many of them in one call |
//! | [`fee_config`], [`global`] | the rates that every trade pays, and the launchpad's settings |
//! | [`look`] | curve, rules and holdings of one slot |
//! | [`rpc`], [`ReadError`] | a node's replies, and why one says nothing |
//! | [`mint`], [`token_account`] | a token, and what a wallet holds of it |
//! | [`wallets`] | the addresses of wallets that a service names by ids of its own |
//!
//! Every field was appended to what was there before, so an account may end before any later field. A field that does not lie
//! wholly inside the bytes is absent; it is never read as zero.
//!
//! ```
//! use launchpad_desk::chain::address::{Address, curve_address};
//!
//! let mint: Address = "5gPoYaU3R9LTTLCSH1FkXvJ7mJiXkryo8JNeycYrU4gs".parse()?;
//! assert_eq!(curve_address(&mint).to_string(), "EFKxMqJ4Fdin2Be9RrLdQMT7iHQ6kAYM7oeu6F7XdyLM");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

// A hidden module is what the project's other crates and the bindings share, and no part of the public interface.
pub mod account;
pub mod address;
mod bytes;
pub mod curve;
#[doc(hidden)]
pub mod encode;
pub mod fee_config;
pub mod global;
pub mod look;
pub mod mint;
mod read_error;
#[doc(hidden)]
pub mod rows;
pub mod rpc;
pub mod token_account;
pub mod unreadable;
pub mod wallets;

pub use read_error::ReadError;
pub(crate) use read_error::Why;
