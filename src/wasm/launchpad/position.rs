//! `Position`: receipts added up.

use std::cell::Cell;

use wasm_bindgen::prelude::*;

use crate::launchpad::curve_view::PositionState;
use crate::launchpad::position;
use crate::launchpad::view::price;
use crate::object;
use crate::reader::Reader;
use crate::tape::ToTape;
use crate::wasm::convert::to_js;
use crate::wasm::launchpad::curve::Curve;
use crate::wasm::launchpad::input::settings;
use crate::wasm::launchpad::receipt::{read_receipt, signed};

/// One wallet's position in one token: receipts added up, at average cost.
///
/// ```js
/// const position = new Position();
/// position.add(receipt(quote, trade));
/// const { costLamports, realisedLamports } = position.state;
/// const gain = position.unrealisedLamports(curve);
/// ```
#[wasm_bindgen]
pub struct Position {
    position: Cell<position::Position>,
}

#[wasm_bindgen]
impl Position {
    /// Makes an empty position, or one that goes on from the `state` of another.
    ///
    /// @throws {TradeNotSentError} `invalid_options`, with every bad field in `fields`.
    #[wasm_bindgen(constructor)]
    pub fn new(
        #[wasm_bindgen(unchecked_optional_param_type = "PositionState")] state: &JsValue,
    ) -> Result<Position, JsValue> {
        let position = match state.is_undefined() {
            true => position::Position::default(),
            false => settings("position", state, read_state)?,
        };
        Ok(Position { position: Cell::new(position) })
    }

    /// Takes in a receipt; an unconfirmed one as an estimate. What counts is what the wallet's lamports moved by in all,
    /// without the rent.
    ///
    /// @throws {TradeNotSentError} `invalid_options`, where it is none.
    pub fn add(
        &self,
        #[wasm_bindgen(unchecked_param_type = "TradeReceipt")] receipt: &JsValue,
    ) -> Result<(), JsValue> {
        let receipt = read_receipt(receipt)?;
        let mut position = self.position.get();
        position.add(&receipt);
        self.position.set(position);
        Ok(())
    }

    /// The position's state, to be saved.
    #[wasm_bindgen(getter, unchecked_return_type = "PositionState")]
    pub fn state(&self) -> JsValue {
        let position = self.position.get();
        to_js(
            &PositionState {
                tokens: position.tokens,
                cost_lamports: position.cost_lamports,
                realised_lamports: position.realised_lamports,
                fees_lamports: position.fees_lamports,
                network_fees_lamports: position.network_fees_lamports,
                rent_locked_lamports: position.rent_locked_lamports,
                receipts: position.receipts,
                estimated_receipts: position.estimated_receipts,
                estimated_fees: position.estimated_fees,
                unmatched_tokens: position.unmatched_tokens,
            }
            .to_tape(),
        )
    }

    /// What each whole token held cost, in lamports, exact text to nine places; `null` where nothing is held.
    #[wasm_bindgen(js_name = averageCost, unchecked_return_type = "string | null")]
    pub fn average_cost(&self, curve: &Curve) -> JsValue {
        let average = self.position.get().average_cost();
        to_js(&average.and_then(|average| price(average, curve.launchpad().token_decimals)).to_tape())
    }

    /// What selling everything on this curve would gain or, below zero, lose against its cost: after its trading fees,
    /// without the network fee of the sell and without rent. `null` where the launchpad refuses the sell.
    #[wasm_bindgen(js_name = unrealisedLamports, unchecked_return_type = "bigint | null")]
    pub fn unrealised_lamports(&self, curve: &Curve) -> JsValue {
        let unrealised = self.position.get().unrealised_lamports(curve.launchpad(), &curve.token());
        to_js(&unrealised)
    }

    /// What a receipt would realise here, in lamports, and whether that is an estimate.
    ///
    /// @throws {TradeNotSentError} `invalid_options`, where it is none.
    #[wasm_bindgen(js_name = profitOf, unchecked_return_type = "{ lamports: bigint; estimated: boolean }")]
    pub fn profit_of(
        &self,
        #[wasm_bindgen(unchecked_param_type = "TradeReceipt")] receipt: &JsValue,
    ) -> Result<JsValue, JsValue> {
        let profit = self.position.get().profit_of(&read_receipt(receipt)?);
        Ok(to_js(&object! { "lamports": profit.value(), "estimated": profit.is_estimated() }))
    }
}

fn read_state(r: &mut Reader) -> position::Position {
    let whole = |r: &mut Reader, name| r.need(name, |r, name| r.whole(name));
    // Sums of fees are never below zero.
    let sum = |r: &mut Reader, name| r.need(name, signed).unsigned_abs();
    position::Position {
        tokens: whole(r, "tokens"),
        cost_lamports: whole(r, "costLamports"),
        realised_lamports: r.need("realisedLamports", signed),
        fees_lamports: sum(r, "feesLamports"),
        network_fees_lamports: sum(r, "networkFeesLamports"),
        rent_locked_lamports: whole(r, "rentLockedLamports"),
        receipts: whole(r, "receipts"),
        estimated_receipts: whole(r, "estimatedReceipts"),
        estimated_fees: whole(r, "estimatedFees"),
        unmatched_tokens: whole(r, "unmatchedTokens"),
    }
}
