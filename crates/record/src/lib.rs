//! The log of a desk: each plan with its bytes and the verdict of the limits, approval, send, answer, evidence, receipt and exit, one
//! JSON line each. Every line holds the hash of the one before it, and the head, which is kept beside the record, the hash of the
//! last. No key is ever in it.
//!
//! ```text
//! {"number":0,"atMs":1767225600000,"by":"desk","act":"start","intent":"","detail":"…","data":{…},"previous":""}
//! {"number":1,"atMs":1767225600100,"by":"desk","act":"plan","intent":"signal-1","detail":"buy","data":{"plan":{…}},"previous":"9f86…"}
//! ```
//!
//! | module | one idea |
//! |---|---|
//! | [`mod@line`] | what a line is; the head |
//! | [`chain`] | whether lines follow each other |
//! | [`verify`](mod@verify) | whether a record is unchanged, and whether each of its trades was made as it says |
//! | [`recorder`] | writes the lines of a desk |
//! | [`seed`] | a sandbox that begins where a record's plans were made |
//!
//! The audit log of a gateway is a record of such lines, too.

pub mod chain;
pub mod hash;
pub mod line;
mod lines;
pub mod recorder;
pub mod seed;
pub mod verify;

pub use chain::ChainCheck;
pub use line::{Act, Entry, Head};
pub use recorder::Recorder;
pub use seed::RecordSeed;
pub use verify::{RecordCheck, RecordPrice, RecordProblem, RecordProblemCode, RecordTape, Report, Verifier};
