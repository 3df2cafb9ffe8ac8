//! `Position`: receipts added up.

use std::cell::Cell;

use wasm_bindgen::prelude::*;

use crate::launchpad::position;
use crate::launchpad::view::price;
use crate::object;
use crate::reader::Reader;
use crate::record;
use crate::tape::ToTape;
use crate::wasm::convert::to_js;
use crate::wasm::launchpad::curve::Curve;
use crate::wasm::launchpad::input::settings;
use crate::wasm::launchpad::receipt::{read_receipt, signed};

record! {
    /// The state of a wallet's position in one token. Plain data: a position can continue from it.
    PositionState {
        /// Base units held.
        tokens: u64 => "bigint",
        /// What they cost, in lamports, every fee counted. Rent is no cost: it comes back.
        cost_lamports: u64 => "bigint",
        /// What was gained or, below zero, lost on tokens sold and on transactions that failed, in lamports.
        realised_lamports: i128 => "bigint",
        /// Protocol and creator fees paid so far, as the receipts have them.
        fees_lamports: u128 => "bigint",
        /// Network fees paid so far.
        network_fees_lamports: u128 => "bigint",
        /// Rent the open account holds.
        rent_locked_lamports: u64 => "bigint",
        /// Receipts added.
        receipts: u64 => "bigint",
        /// How many of them were unconfirmed or had an estimated figure that counts here: with any, the sums are
        /// estimates too. Trading fees alone do not: they are within the lamports.
        estimated_receipts: u64 => "bigint",
        /// How many of them had estimated trading fees: with any, `feesLamports` is an estimate.
        estimated_fees: u64 => "bigint",
        /// Base units sold that were never bought here: they count as having cost nothing.
        unmatched_tokens: u64 => "bigint",
    }
}

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
