//! What an edge gateway decides: who may trade what, and that each intent is forwarded at most once. It has no I/O, no clock
//! and no randomness: a worker moves bytes and rows for it.
//!
//! ```text
//! request ─ admission ─▶ key ─┬─ known ──▶ its answer again, or: wait, awaiting approval, another body
//!                             └─ new ─ validate ─ policy ─┬─▶ record, reserve ═▶ forward ─▶ settle, record ─▶ answer
//!                                                         └─▶ record as waiting ─ a person approves ═▶ …
//!                                           (═▶: its rows are written first)
//! ```
//!
//! [`Gateway`] is one desk. Each call changes the desk in memory and returns the [`GatewayRow`]s that changed. The driver writes them in
//! one transaction before it acts on the [`GatewayStep`]. If the transaction fails, nothing was sent; drop the desk in memory, and build
//! it again from the rows with [`Gateway::restore`]. An intent that was in flight is then in doubt until an operator settles it.
//! It is never sent again.
//!
//! [`trade::flow`](launchpad_desk::trade::flow) decides the outcome of a trade, [`trade::guard`](launchpad_desk::trade::guard) what a client may
//! do. This module adds what they do not know: callers, keys, answers, approval, and limits over several callers and any 24
//! hours.

mod admission;
mod audit;
mod chain;
mod code;
mod desk;
mod doubt;
mod hash;
mod intent;
mod ledger;
mod policy;
mod problem;
mod rows;
mod settings;
mod step;
mod view;

pub use admission::{Act, Destination, Front, GatewayRequest};
pub use chain::ChainSettings;
pub use code::GatewayCode;
pub use desk::Gateway;
pub use hash::token_hash;
pub use intent::{Intent, RecordedAnswer};
pub use ledger::{Account, ROLLING_MS, Spend};
pub use policy::{Approval, Limits};
pub use rows::DeskRows;
pub use settings::{Caller, Desk, GatewaySettings, Role};
pub use step::{ChainCall, Fetched, Forward, ForwardResult, GatewayChange, GatewayRow, GatewayStep};
