//! Everything that is decided about a trade from its check to its result. The caller sends and waits.
//!
//! ```text
//! validate ─▶ Valid ─ guard ─▶ encode ─▶ Call ─ send ─▶ Reply ─── classify ─▶ Trade,
//!                                                │ (not here)         │       or Error, which says
//!                                                └─ or no reply ─ send_failure whether money may have moved
//! ```

mod base_url;
mod chain_error;
mod classify;
mod contradiction;
mod dialect;
pub mod flow;
pub mod guard;
mod intent;
pub mod journal;
pub(crate) mod key;
pub(crate) mod part;
pub mod plan;
pub(crate) mod plan_price;
pub mod reconcile;
mod redact;
mod refusal_evidence;
mod retry_after;
mod send_failure;
pub mod settle;
pub(crate) mod settling;
pub(crate) mod wallets;

pub use base_url::{SANDBOX_URL, UrlParts};
pub use classify::{classify, classify_head, service_message};
pub use contradiction::Asked;
pub use dialect::Dialect;
pub use key::{Key, key_problem};
#[doc(inline)]
pub use launchpad_desk_api::plain;
pub(crate) use part::has_part;
pub use redact::redacted;
pub use retry_after::retry_after_ms;
pub use send_failure::{send_failure, suspension_not_kept};
