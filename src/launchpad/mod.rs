//! The launchpad's own rules: whole numbers only, to the lamport.
//!
//! Lamports and base units are `u64` with the unit in the name. Nothing here reads a clock, draws random numbers or keeps
//! state: a trade is a function of the curve before it.
//!
//! From the bottom up:
//!
//! | module | one idea |
//! |---|---|
//! | `div` | products over a divisor, exact and fast |
//! | [`refusal`] | why a trade is refused |
//! | [`fees`], [`curve`] | one trade on the curve |
//! | [`account`], [`cost`], [`slippage`], [`capacity`] | what comes with it: rent, network fee, bound, size |
//! | [`rules`] | the rules that change, each with its date and source |
//! | [`config`] | the launchpad as data, with a date |
//! | `settings`, `curve_settings`, `market_settings` | the launchpad, a token on it, and a market, as settings |
//! | [`inverse`] | the amount that reaches a goal |
//! | [`transaction`] | steps of wallets on one curve: all or none |
//! | [`quote`], [`bundle`] | what an order, or several, would do |
//! | [`goal`], [`plan`] | the order that reaches a goal, the split of a budget |
//! | [`receipt`], [`position`] | what a trade did, and what trades add up to |
//! | `request` | orders as the service's requests |
//! | `batch` | many trades in one call |
//! | [`dry_run`] | what a request would do in a market |
//! | [`view`], `curve_view` | a quote as JS and JSON see it |
//!
//! ```
//! use launchpad_desk::launchpad::{Launchpad, quote::{Ask, Order, quote}};
//! let launchpad = Launchpad::default();
//! let token = launchpad.new_token();
//! let quote = quote(&launchpad, &token, &Ask::new(Order::BuyExactIn { lamports: 500_000_000 }, 5_000)).unwrap();
//! assert_eq!(quote.fill.wallet_lamports, 500_000_000);
//! assert!(quote.worst_tokens < quote.fill.tokens);
//! ```

// A hidden module is what the project's other crates and the bindings share, and no part of the public interface.
pub mod account;
#[doc(hidden)]
pub mod batch;
pub mod bundle;
pub mod capacity;
pub mod config;
pub mod cost;
pub mod curve;
#[doc(hidden)]
pub mod curve_settings;
#[doc(hidden)]
pub mod curve_view;
#[doc(hidden)]
pub mod div;
pub mod dry_run;
pub mod fees;
pub mod goal;
pub mod inverse;
#[doc(hidden)]
pub mod market_settings;
pub mod plan;
pub mod position;
pub mod quote;
pub mod receipt;
pub mod refusal;
#[doc(hidden)]
pub mod request;
pub mod rules;
#[doc(hidden)]
pub mod settings;
pub mod slippage;
pub mod transaction;
pub mod view;

pub use config::{Completion, Launchpad, Token};
pub use curve::{Curve, Fill};
pub use refusal::Refusal;
