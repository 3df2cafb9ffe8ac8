//! Amounts as people type them, and tables as they paste them: read exactly, or refused with what is wrong. Nothing is guessed,
//! rounded or left out.

mod cells;
mod number;
mod table;

pub use number::{Problem, Typed, read_amount, read_percentage, read_slippage};
pub use table::{Due, TableProblem, TypedRow, TypedTable, read_table};
