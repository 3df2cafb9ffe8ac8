//! `Position` adds up receipts.

use std::cell::Cell;

use wasm_bindgen::prelude::*;

use crate::crossing::{CallArgs, Failure, answer, answer_handle};
use crate::input::settings;
use crate::market::curve::Curve;
use crate::market::receipt::{read_receipt, signed};
use crate::market::trader::Trader;
use launchpad_desk::bindings::object;
use launchpad_desk::bindings::reader::Reader;
use launchpad_desk::launchpad::position;
use launchpad_desk::launchpad::transaction::Wallet;
use launchpad_desk::launchpad::view::price;
use launchpad_desk::tape::{Tape, ToTape};

/// One wallet's position in one token.
#[wasm_bindgen]
pub struct Position {
    position: Cell<position::Position>,
}

/// An empty position, or one that continues from the `state` of another.
#[wasm_bindgen(js_name = makePosition)]
pub fn make_position(args: &mut CallArgs) -> JsValue {
    let args = args.tape();
    let position = match args.root().get("state") {
        None => Ok(position::Position::default()),
        Some(_) => settings("position", args, "state", read_state),
    };
    answer_handle(position.map(|position| Position { position: Cell::new(position) }))
}

#[wasm_bindgen]
impl Position {
    /// Adds a `receipt`.
    pub fn add(&self, args: &mut CallArgs) -> JsValue {
        answer(read_receipt(args.tape()).map(|receipt| {
            let mut position = self.position.get();
            position.add(&receipt);
            self.position.set(position);
            Tape::default()
        }))
    }

    /// How the base units that the wallet holds differ from the position's.
    pub fn check(&self, wallet_tokens: u64) -> JsValue {
        answer(Ok(self.position.get().check(wallet_tokens).to_tape()))
    }

    /// The exit on this curve that recovers what the position cost.
    #[wasm_bindgen(js_name = breakEven)]
    pub fn break_even(&self, curve: &Curve, trader: &Trader) -> JsValue {
        // What is sold is the position, so only the payer of the network fee counts.
        let wallet = Wallet::default();
        let exit = self.position.get().break_even(curve.launchpad(), &curve.token(), &trader.with(&wallet));
        answer(exit.map(|exit| curve.shown(&exit)).map_err(Failure::from))
    }

    /// The position's state, to be saved.
    pub fn state(&self) -> JsValue {
        answer(Ok(self.position.get().to_tape()))
    }

    /// The average cost of each whole token held, in lamports.
    #[wasm_bindgen(js_name = averageCost)]
    pub fn average_cost(&self, curve: &Curve) -> JsValue {
        let average = self.position.get().average_cost();
        answer(Ok(average.and_then(|average| price(average, curve.launchpad().token_decimals)).to_tape()))
    }

    /// What selling everything on this curve would gain (negative: lose) against its cost.
    #[wasm_bindgen(js_name = unrealisedLamports)]
    pub fn unrealised_lamports(&self, curve: &Curve) -> JsValue {
        let unrealised = self.position.get().unrealised_lamports(curve.launchpad(), &curve.token());
        answer(Ok(unrealised.to_tape()))
    }

    /// What a `receipt` would realise here, in lamports, and whether that is an estimate.
    #[wasm_bindgen(js_name = profitOf)]
    pub fn profit_of(&self, args: &mut CallArgs) -> JsValue {
        answer(read_receipt(args.tape()).map(|receipt| {
            let profit = self.position.get().profit_of(&receipt);
            object! { "lamports": profit.value(), "estimated": profit.is_estimated() }
        }))
    }
}

fn read_state(r: &mut Reader) -> position::Position {
    let whole = |r: &mut Reader, name| r.need(name, |r, name| r.whole(name));
    let sum = |r: &mut Reader, name| r.need(name, |r, name| r.wide(name));
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
