//! Many trades in one crossing: over columns that are copied, or over columns that live in the module's memory.

use std::cell::RefCell;

use wasm_bindgen::prelude::*;

use crate::crossing::{Failure, answer, answer_handle};
use crate::input::{bad, memory_for};
use crate::market::curve::Curve;
use launchpad_desk::error::FieldCode;
use launchpad_desk::launchpad::batch::{buys_exact_in, buys_exact_out, buys_in_sequence, sells_exact_in};
use launchpad_desk::launchpad::{Launchpad, Token};
use launchpad_desk::tape::Tape;

/// A column of amounts in the module's memory, so that a batch over it copies nothing.
#[wasm_bindgen]
pub struct Amounts {
    rows: RefCell<Vec<u64>>,
}

/// A column of this many rows, all zero.
#[wasm_bindgen(js_name = makeAmounts)]
pub fn make_amounts(length: usize) -> JsValue {
    answer_handle(memory_for("length", length, 1).map(|mut rows| {
        rows.resize(length, 0);
        Amounts { rows: RefCell::new(rows) }
    }))
}

#[wasm_bindgen]
impl Amounts {
    /// How many rows there are.
    pub fn length(&self) -> usize {
        self.rows.borrow().len()
    }

    /// Where the rows begin in the module's memory. They never move.
    pub fn address(&self) -> usize {
        self.rows.borrow_mut().as_mut_ptr() as usize
    }
}

/// The module's memory. The module already exports it as `memory`, but JS cannot reach that export.
#[wasm_bindgen(js_name = memoryOfModule)]
pub fn memory() -> JsValue {
    wasm_bindgen::memory()
}

type Fill = fn(&Launchpad, &Token, &mut [u64]);

#[wasm_bindgen]
impl Curve {
    /// The base units that each of these spends would bring, each on the curve as it is; [`REFUSED`] if it brings none.
    ///
    /// [`REFUSED`]: launchpad_desk::launchpad::batch::REFUSED
    #[wasm_bindgen(js_name = buysExactIn)]
    pub fn buys_exact_in(&self, mut column: Vec<u64>) -> Vec<u64> {
        buys_exact_in(self.launchpad(), &self.token(), &mut column);
        column
    }

    /// What each of these amounts of base units would cost, in lamports, fees included.
    #[wasm_bindgen(js_name = buysExactOut)]
    pub fn buys_exact_out(&self, mut column: Vec<u64>) -> Vec<u64> {
        buys_exact_out(self.launchpad(), &self.token(), &mut column);
        column
    }

    /// The lamports that each of these amounts of base units would bring, after fees.
    #[wasm_bindgen(js_name = sellsExactIn)]
    pub fn sells_exact_in(&self, mut column: Vec<u64>) -> Vec<u64> {
        sells_exact_in(self.launchpad(), &self.token(), &mut column);
        column
    }

    /// The base units that each of these spends would bring, one after the other.
    #[wasm_bindgen(js_name = buysInSequence)]
    pub fn buys_in_sequence(&self, lamports: &[u64]) -> JsValue {
        answer_handle(memory_for("lamports", lamports.len(), 1).map(|mut tokens| {
            tokens.extend_from_slice(lamports);
            buys_in_sequence(self.launchpad(), &self.token(), &mut tokens);
            tokens
        }))
    }

    /// `buysExactIn` from and into columns in the module's memory.
    #[wasm_bindgen(js_name = fillBuysExactIn)]
    pub fn fill_buys_exact_in(&self, lamports: &Amounts, tokens: &Amounts) -> JsValue {
        answer(self.in_place(lamports, tokens, buys_exact_in))
    }

    /// `buysExactOut` from and into columns in the module's memory.
    #[wasm_bindgen(js_name = fillBuysExactOut)]
    pub fn fill_buys_exact_out(&self, tokens: &Amounts, lamports: &Amounts) -> JsValue {
        answer(self.in_place(tokens, lamports, buys_exact_out))
    }

    /// `sellsExactIn` from and into columns in the module's memory.
    #[wasm_bindgen(js_name = fillSellsExactIn)]
    pub fn fill_sells_exact_in(&self, tokens: &Amounts, lamports: &Amounts) -> JsValue {
        answer(self.in_place(tokens, lamports, sells_exact_in))
    }
}

impl Curve {
    fn in_place(&self, from: &Amounts, to: &Amounts, fill: Fill) -> Result<Tape, Failure> {
        // Passing the same column twice fails here, because it is already borrowed.
        let (Ok(from), Ok(mut to)) = (from.rows.try_borrow(), to.rows.try_borrow_mut()) else {
            return Err(bad("columns", FieldCode::Conflict, "must differ"));
        };
        if from.len() != to.len() {
            return Err(bad("columns", FieldCode::Conflict, "must have the same length"));
        }
        to.copy_from_slice(&from);
        fill(self.launchpad(), &self.token(), &mut to);
        Ok(Tape::default())
    }
}
