//! A count that crosses as a plain number.

use super::{ToTape, Writer};
use crate::amount::Digits;

/// The largest safe integer of JS.
pub const MAX_SAFE_INTEGER: u64 = (1 << 53) - 1;

/// A count or a time in milliseconds, up to 2^53 − 1: a plain number in JS.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Count(u64);

impl Count {
    /// The count, at most 2^53 − 1.
    pub const fn new(count: u64) -> Self {
        Count(if count > MAX_SAFE_INTEGER { MAX_SAFE_INTEGER } else { count })
    }

    /// The number.
    pub const fn get(self) -> u64 {
        self.0
    }

    /// The count increased by this much.
    pub const fn plus(self, more: u64) -> Self {
        Count::new(self.0.saturating_add(more))
    }
}

impl ToTape for Count {
    fn write(&self, tape: &mut Writer) {
        tape.number(&self.0.digits());
    }
}
