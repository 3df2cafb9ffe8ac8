//! Many trades in one crossing: over typed arrays that are copied, or over arrays that live in the module's memory.

use std::cell::RefCell;

use js_sys::BigUint64Array;
use wasm_bindgen::prelude::*;

use crate::error::FieldCode;
use crate::launchpad::batch::{
    REFUSED, buys_exact_in, buys_exact_out, buys_in_sequence, price_buys_exact_in, price_buys_exact_out,
    price_sells_exact_in, sells_exact_in,
};
use crate::launchpad::{Launchpad, Token};
use crate::wasm::launchpad::curve::Curve;
use crate::wasm::launchpad::input::{self, bad, count, rows};

/// A column of amounts in the module's memory, so that a batch over it copies nothing.
///
/// ```js
/// const [spends, tokens] = [new Amounts(100_000), new Amounts(100_000)];
/// spends.values.set(manySpends);
/// curve.fillBuysExactIn(spends, tokens);
/// console.log(tokens.values[0]);
/// ```
#[wasm_bindgen]
pub struct Amounts {
    rows: RefCell<Vec<u64>>,
}

#[wasm_bindgen]
impl Amounts {
    /// Makes a column of this many rows, all zero.
    ///
    /// @throws {TradeNotSentError} `invalid_options`, for more than 2^24 rows.
    #[wasm_bindgen(constructor)]
    pub fn new(
        #[wasm_bindgen(unchecked_param_type = "number")] length: &JsValue,
    ) -> Result<Amounts, JsValue> {
        let length = count("length", length, u32::MAX)?;
        Ok(Amounts { rows: RefCell::new(rows("length", length, 0)?) })
    }

    /// How many rows there are.
    #[wasm_bindgen(getter)]
    pub fn length(&self) -> usize {
        self.rows.borrow().len()
    }

    /// The rows themselves, to be read and written in place. Ask for them anew after any other call: when the module's
    /// memory grows, views of it before are left with no rows at all. A view keeps its column; what is made of a view, such
    /// as a `subarray`, does not. Once a column was freed, by `free()` or since nobody holds it any longer, a view reads and
    /// overwrites what the module keeps there next.
    #[wasm_bindgen(getter)]
    pub fn values(&self) -> BigUint64Array {
        let mut rows = self.rows.borrow_mut();
        // SAFETY: the view is of rows that live as long as this column and never move. Writes through it happen while no
        // Rust code runs, and a view of memory that grew or was freed is JS's own to misread: it has no rows, or others.
        unsafe { BigUint64Array::view_mut_raw(rows.as_mut_ptr(), rows.len()) }
    }
}

type Fill = fn(&Launchpad, &Token, &[u64], &mut [u64]) -> usize;
type Price = fn(&Launchpad, &Token, &mut [u64]);

#[wasm_bindgen]
impl Curve {
    /// The base units that each of these spends would bring, each on the curve as it is; `REFUSED` where it would bring
    /// none.
    ///
    /// @throws {TradeNotSentError} `invalid_options`, for anything but a `BigUint64Array` of at most 2^24 rows.
    #[wasm_bindgen(js_name = buysExactIn)]
    pub fn buys_exact_in(
        &self,
        #[wasm_bindgen(unchecked_param_type = "BigUint64Array")] lamports: &JsValue,
    ) -> Result<BigUint64Array, JsValue> {
        self.copied("lamports", lamports, price_buys_exact_in)
    }

    /// What each of these amounts of base units would cost, in lamports, fees included; `REFUSED` where the launchpad
    /// refuses it.
    ///
    /// @throws {TradeNotSentError} as `buysExactIn`.
    #[wasm_bindgen(js_name = buysExactOut)]
    pub fn buys_exact_out(
        &self,
        #[wasm_bindgen(unchecked_param_type = "BigUint64Array")] tokens: &JsValue,
    ) -> Result<BigUint64Array, JsValue> {
        self.copied("tokens", tokens, price_buys_exact_out)
    }

    /// The lamports that each of these amounts of base units would bring, after fees; `REFUSED` where the launchpad
    /// refuses it.
    ///
    /// @throws {TradeNotSentError} as `buysExactIn`.
    #[wasm_bindgen(js_name = sellsExactIn)]
    pub fn sells_exact_in(
        &self,
        #[wasm_bindgen(unchecked_param_type = "BigUint64Array")] tokens: &JsValue,
    ) -> Result<BigUint64Array, JsValue> {
        self.copied("tokens", tokens, price_sells_exact_in)
    }

    /// The base units that each of these spends would bring, one after the other, each on the curve that those before it
    /// leave. `REFUSED` where it would bring none, and then it leaves the curve as it was. This curve does not move.
    ///
    /// @throws {TradeNotSentError} as `buysExactIn`.
    #[wasm_bindgen(js_name = buysInSequence)]
    pub fn buys_in_sequence(
        &self,
        #[wasm_bindgen(unchecked_param_type = "BigUint64Array")] lamports: &JsValue,
    ) -> Result<BigUint64Array, JsValue> {
        let spends = input::column("lamports", lamports)?;
        let mut tokens = rows("lamports", spends.len() as u32, REFUSED)?;
        buys_in_sequence(self.launchpad(), &self.token(), &spends, &mut tokens);
        Ok(BigUint64Array::from(tokens.as_slice()))
    }

    /// `buysExactIn` from and into columns in the module's memory. The columns must be two, of one length.
    ///
    /// @throws {TradeNotSentError} `invalid_options`, where they are not.
    #[wasm_bindgen(js_name = fillBuysExactIn)]
    pub fn fill_buys_exact_in(&self, lamports: &Amounts, tokens: &Amounts) -> Result<(), JsValue> {
        self.in_place(lamports, tokens, buys_exact_in)
    }

    /// `buysExactOut` from and into columns in the module's memory. The columns must be two, of one length.
    ///
    /// @throws {TradeNotSentError} `invalid_options`, where they are not.
    #[wasm_bindgen(js_name = fillBuysExactOut)]
    pub fn fill_buys_exact_out(&self, tokens: &Amounts, lamports: &Amounts) -> Result<(), JsValue> {
        self.in_place(tokens, lamports, buys_exact_out)
    }

    /// `sellsExactIn` from and into columns in the module's memory. The columns must be two, of one length.
    ///
    /// @throws {TradeNotSentError} `invalid_options`, where they are not.
    #[wasm_bindgen(js_name = fillSellsExactIn)]
    pub fn fill_sells_exact_in(&self, tokens: &Amounts, lamports: &Amounts) -> Result<(), JsValue> {
        self.in_place(tokens, lamports, sells_exact_in)
    }
}

impl Curve {
    fn copied(&self, name: &str, column: &JsValue, price: Price) -> Result<BigUint64Array, JsValue> {
        let mut column = input::column(name, column)?;
        price(self.launchpad(), &self.token(), &mut column);
        Ok(BigUint64Array::from(column.as_slice()))
    }

    fn in_place(&self, from: &Amounts, to: &Amounts, fill: Fill) -> Result<(), JsValue> {
        // One column twice is borrowed already.
        let (Ok(from), Ok(mut to)) = (from.rows.try_borrow(), to.rows.try_borrow_mut()) else {
            return Err(bad("columns", FieldCode::Conflict, "must be two different ones"));
        };
        if from.len() != to.len() {
            return Err(bad("columns", FieldCode::Conflict, "must be of one length"));
        }
        fill(self.launchpad(), &self.token(), &from, &mut to);
        Ok(())
    }
}
