//! The exports of `launchpad-desk/chain`: accounts of the chain as bytes, read exactly or refused by name. JS sees them through
//! `pkg/src/chain.ts` and the folder beside it.

mod accounts;
mod market;
