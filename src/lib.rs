//! The trading desk for a token launchpad's `/v1/trade` service: check, price, plan, classify, settle and render trades. The
//! async client is `launchpad-desk-client`; `launchpad-desk-sandbox` serves the same six endpoints in your process, with no key, no
//! network and no money.
//!
//! ```text
//! request ─ validate ─▶ Valid ─ encode ─▶ Call ─┬─▶ service, by a Transport
//!            (api)                              └─▶ sandbox: the same bytes, no network
//!                                                          ▼
//!         text, HTML ◀─ render ◀─ Trade | Error ◀─ classify ◀─ Reply
//! ```
//!
//! Every error says first whether money may have moved: [`error::Outcome`].
//!
//! ```
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! use launchpad_desk::prelude::*;
//! use launchpad_desk_client::{Client, SandboxTransport};
//! use launchpad_desk_sandbox::{Sandbox, SandboxConfig};
//!
//! # let run = async {
//! let sandbox = Sandbox::new(SandboxConfig::default()).expect("the default sandbox is sound");
//! let (mint, wallet) = (sandbox.tokens()[0].mint.clone(), sandbox.wallets()[0].wallet.clone());
//! // For the service: `ReqwestTransport::new("https://…")?`, and a key.
//! let client = Client::new(SandboxTransport::new(sandbox));
//!
//! let request = BuyRequest::new(&mint, &wallet, 1_000_000_000).slippage("1%".parse()?);
//! match client.buy(request).await {
//!     Ok(bought) => println!("bought {:?} tokens", bought.trade.result.amount),
//!     Err(error) if error.outcome == Outcome::Unknown => println!("it may have been made: {error}"),
//!     Err(error) if error.outcome == Outcome::Failed => println!("only the network fee moved: {error}"),
//!     Err(error) => println!("nothing moved: {error}"),
//! }
//! # Ok(())
//! # };
//! # let mut run = std::pin::pin!(run);
//! # let mut context = std::task::Context::from_waker(std::task::Waker::noop());
//! # loop {
//! #     if let std::task::Poll::Ready(done) = std::future::Future::poll(run.as_mut(), &mut context) { return done }
//! # }
//! # }
//! ```
//!
//! | to | use |
//! |---|---|
//! | send trades | `launchpad-desk-client` |
//! | show a trade before it is sent, and send what was shown | [`trade::plan`] |
//! | build your own client, gateway or test | [`trade::flow`], [`trade::guard`], [`trade::journal`] |
//! | check a request, write its bytes, read a reply | [`api`], [`trade::classify`] |
//! | calculate what a trade would do, to the lamport | [`launchpad`] |
//! | leave a position by rules that are data | [`strategy`] |
//! | keep the key on a server, and forward each trade once | `launchpad-desk-gateway` |
//! | prove afterwards what a desk did | `launchpad-desk-record` |
//! | try all of it without money, and run a strategy over recorded trades | `launchpad-desk-sandbox` |
//! | read what people type or paste | [`typed`] |
//! | read curves, rates and holdings from the chain's accounts | `chain` (a feature) |
//! | find out what happened to a trade whose outcome is unknown | [`trade::settle`] with the chain, [`trade::reconcile`] with balances alone |
//!
//! # Features
//!
//! No feature is on by default.
//!
//! | feature | what it adds |
//! |---|---|
//! | `chain` | `chain`, the accounts of the chain and the addresses that programs derive |
//! | `serde` | `Serialize` and `Deserialize` of requests, plans, trades, errors and what journals keep; no number is rounded |

pub mod api;
#[doc(hidden)]
pub mod bindings;
#[cfg(feature = "chain")]
pub mod chain;
mod drivers;
pub mod evidence;
mod few;
pub mod launchpad;
#[cfg(feature = "chain")]
pub mod market;
mod page;
pub mod prelude;
pub mod recording;
pub mod render;
pub mod strategy;
pub mod trade;
pub mod typed;

#[doc(inline)]
pub use launchpad_desk_api::{amount, error, http, intent, tape, text};

use bindings::{codes, debug_text, declaration, error_text, hidden, object, reader, record, to_tape};
#[cfg(feature = "serde")]
use bindings::{serde_forms, through_serde};
