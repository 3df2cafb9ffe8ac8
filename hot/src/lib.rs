//! The loops over bytes that every trade goes through. They know forms, and nothing of the service: what is written and
//! read, and in which order, is said by the crate above.

pub mod block;
pub mod body;
pub mod reply;
pub mod text;
