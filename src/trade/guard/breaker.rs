//! Stops sending after several unknown outcomes in a row.

/// Opens after `limit` unknown outcomes in a row; stays open until a person has checked.
#[derive(Clone, Debug)]
pub struct Breaker {
    limit: u32,
    in_a_row: u32,
    open: bool,
}

impl Breaker {
    /// A breaker that opens at `limit` unknown outcomes in a row.
    pub fn new(limit: u32) -> Self {
        Breaker { limit, in_a_row: 0, open: false }
    }

    pub fn is_open(&self) -> bool {
        self.open
    }

    /// Unknown outcomes in a row, up to now.
    pub fn in_a_row(&self) -> u32 {
        self.in_a_row
    }

    /// Counts an unknown outcome.
    pub fn unknown(&mut self) {
        self.in_a_row = self.in_a_row.saturating_add(1);
        self.open |= self.in_a_row >= self.limit;
    }

    /// An answer ends the row. An open breaker stays open, because the answer is to an earlier trade.
    pub fn answered(&mut self) {
        self.in_a_row = 0;
    }

    /// Continues a row from before this process began.
    pub fn restore(&mut self, in_a_row: u32, was_open: bool) {
        self.in_a_row = self.in_a_row.max(in_a_row);
        self.open |= was_open || self.in_a_row >= self.limit;
    }

    /// Closes the breaker: a person has checked.
    pub fn close(&mut self) {
        *self = Breaker::new(self.limit);
    }
}
