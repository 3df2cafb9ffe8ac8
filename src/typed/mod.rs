//! Amounts as people type them, and tables as they paste them. Both are read exactly, or refused with a reason. Nothing is
//! guessed, rounded or left out.

pub(crate) mod cells;
mod number;
mod table;

pub use crate::hidden::shown_text;
pub use number::{Problem, Typed, read_amount, read_multiple, read_percentage, read_slippage, typed_text};
pub use table::{Due, TableProblem, TypedRow, TypedTable, read_table};
