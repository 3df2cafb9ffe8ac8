//! A chain around the sandbox: its state as accounts, its trades as transactions, and a node that answers for both.
//!
//! ```text
//! Sandbox ─ Vec<Change> ─▶ LocalChain ─ accounts of each slot, transactions ─ JSON-RPC ─▶ whoever reads a chain
//! ```
//!
//! It follows the sandbox by its changes, as a store does, and needs no more of it. A slot takes 400 milliseconds of the caller's
//! clock; a block is finalized 32 slots later. The same changes, requests and times give the same bytes.
//!
//! It has no blocks, no programs, and no transactions besides the sandbox's trades and those that bring lamports to wallets. Rivals move
//! the curve without one. A trade of a sandbox that was restored is in no block: the chain begins when it is made, which
//! `getFirstAvailableBlock` says, and all that its wallets hold comes in its first block.

mod faults;
mod hash;
mod ledger;
mod methods;
mod time;

pub use faults::ChainFaults;
pub use ledger::LocalChain;
