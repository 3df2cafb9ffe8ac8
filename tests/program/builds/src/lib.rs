//! Only what this crate depends on is used.
