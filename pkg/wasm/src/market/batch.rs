//! Many trades in one crossing, over columns.

use wasm_bindgen::prelude::*;

use crate::crossing::answer_handle;
use crate::input::memory_for;
use crate::market::curve::Curve;
use launchpad_desk::launchpad::batch::{buys_exact_in, buys_exact_out, buys_in_sequence, sells_exact_in};

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
}
