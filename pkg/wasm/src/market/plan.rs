//! Splits a budget over wallets, and says how many of them fit one transaction.

use std::collections::BTreeMap;

use wasm_bindgen::prelude::*;

use crate::crossing::{CallArgs, Failure, answer, answer_handle};
use crate::input::{arguments, bad};
use crate::market::curve::Curve;
use crate::market::input::{read_portion, read_some};
use launchpad_desk::bindings::object;
use launchpad_desk::bindings::reader::Reader;
use launchpad_desk::error::FieldCode;
use launchpad_desk::launchpad::capacity::{self, Addresses, CAPACITIES, LegKind, ORIGIN, WalletLeg};
use launchpad_desk::launchpad::plan::{self, MAX_WALLETS};
use launchpad_desk::launchpad::slippage::PPM;
use launchpad_desk::tape::{Data, Item, Tape, ToTape};

/// Splits a budget of lamports into equal spends that add up to it exactly.
#[wasm_bindgen(js_name = equalSpends)]
pub fn equal_spends(budget_lamports: u64, wallets: u32) -> JsValue {
    answer_handle(spends(plan::equal_spends(budget_lamports, wallets as usize)))
}

/// Splits a budget of lamports into spends by weight that add up to it exactly.
#[wasm_bindgen(js_name = weightedSpends)]
pub fn weighted_spends(budget_lamports: u64, weights: &[u64]) -> JsValue {
    if weights.len() > MAX_WALLETS {
        return answer(Err(bad("weights", FieldCode::TooMany, "must be at most 10000")));
    }
    let planned = plan::weighted_spends(budget_lamports, weights);
    answer_handle(
        planned.ok_or_else(|| {
            bad("weights", FieldCode::OutOfRange, "must add up to something of at most 64 bits")
        }),
    )
}

/// Splits a budget of lamports into random spends that add up to it exactly: `budgetLamports`, `wallets`, `jitter`, `seed`.
#[wasm_bindgen(js_name = jitteredSpends)]
pub fn jittered_spends(args: &mut CallArgs) -> JsValue {
    let read = arguments(args.tape().root(), |r| {
        let whole = |r: &mut Reader, name| r.need(name, Reader::whole);
        let wallets = r.need("wallets", |r, name| r.whole_within(name, 0, u32::MAX.into()));
        let jitter = r.need("jitter", read_portion);
        if jitter > PPM {
            r.refuse("jitter", FieldCode::OutOfRange, "must be at most 100 %");
        }
        (whole(r, "budgetLamports"), wallets as usize, jitter, whole(r, "seed"))
    });
    answer_handle(read.and_then(|(budget_lamports, wallets, jitter, seed)| {
        spends(plan::jittered_spends(budget_lamports, wallets, jitter, seed))
    }))
}

/// How much fits one transaction, with the origin of the numbers.
#[wasm_bindgen]
pub fn capacities() -> JsValue {
    let mut legs = Vec::new();
    for capacity in CAPACITIES {
        legs.push(object! {
            "kind": capacity.kind,
            "legs": capacity.legs as u32,
            "legsWithLookupTable": capacity.legs_with_lookup_table as u32,
            "legsBesidePayer": capacity.legs_beside_payer as u32,
            "legsBesidePayerWithLookupTable": capacity.legs_beside_payer_with_lookup_table as u32,
        });
    }
    answer(Ok(object! {
        "origin": ORIGIN,
        "legs": legs,
    }))
}

/// Splits a bundle's `quote` into parts that each fit one transaction, with its `addresses` given in this way.
#[wasm_bindgen(js_name = splitBundle)]
pub fn split_bundle(args: &mut CallArgs) -> JsValue {
    answer(split(args.tape()))
}

fn split(args: &Tape) -> Result<Tape, Failure> {
    let addresses = match args.root().get("addresses").unwrap_or_default().data() {
        Data::Null | Data::String("plain") => Addresses::WrittenOut,
        Data::String("with_lookup_table") => Addresses::InTable,
        _ => return Err(bad("addresses", FieldCode::OutOfRange, "must be plain or with_lookup_table")),
    };
    let (fee_payer, named) = read_some("quote", args, &["feePayer", "legs"], |r| {
        (r.need("feePayer", |r, name| r.text(name).map(str::to_owned)), read_legs(r))
    })?;
    // Each wallet by the index at which it is first named, with the fee payer before all others. It has the form of the one map of
    // `trade::settle`, so that they are one in the module.
    let mut places: BTreeMap<&str, usize> = BTreeMap::new();
    places.insert(&fee_payer, 0);
    let mut legs = Vec::with_capacity(named.len());
    for (wallet, kind) in &named {
        let next = places.len();
        legs.push(WalletLeg { wallet: *places.entry(wallet).or_insert(next), kind: *kind });
    }
    let mut parts = Vec::new();
    for range in capacity::split(&legs, 0, addresses) {
        let part = legs.get(range.clone()).unwrap_or_default();
        // The fee payer signs each.
        let mut signers = vec![0];
        for leg in part {
            if !signers.contains(&leg.wallet) {
                signers.push(leg.wallet);
            }
        }
        parts.push(object! {
            "legs": range.map(|leg| leg as u32).collect::<Vec<u32>>(),
            "signatures": signers.len() as u32,
        });
    }
    Ok(parts.to_tape())
}

#[wasm_bindgen]
impl Curve {
    /// The spends, in order on this curve, that bring each wallet the same tokens, as many as the budget pays for.
    #[wasm_bindgen(js_name = equalTokens)]
    pub fn equal_tokens(&self, budget_lamports: u64, wallets: u32) -> JsValue {
        let plan = plan::equal_tokens(self.launchpad(), &self.token(), budget_lamports, wallets as usize);
        answer(plan.map_err(Failure::from).map(|plan| {
            object! { "tokens": plan.tokens, "spendsLamports": plan.spends_lamports }
        }))
    }
}

/// The legs of a quote, by what each adds to the transaction.
fn read_legs(r: &mut Reader) -> Vec<(String, LegKind)> {
    let leg = |value: Item| {
        let text = |name| match value.get(name).map(Item::data) {
            Some(Data::String(text)) => Some(text),
            _ => None,
        };
        let kind = match (text("side")?, text("tokenAccount")?) {
            ("buy", "opens" | "unknown") => LegKind::OpenAndBuy,
            ("buy", "stays") => LegKind::Buy,
            ("sell", "closes" | "unknown") => LegKind::SellAndClose,
            ("sell", "stays") => LegKind::Sell,
            _ => return None,
        };
        Some((text("wallet")?.to_owned(), kind))
    };
    let legs = match r.value("legs").map(Item::data) {
        Some(Data::Array(legs)) => legs.map(leg).collect(),
        _ => None,
    };
    if legs.is_none() {
        r.refuse("legs", FieldCode::WrongType, "must be a quote's legs, with wallet, side and tokenAccount");
    }
    legs.unwrap_or_default()
}

fn spends(planned: Option<Vec<u64>>) -> Result<Vec<u64>, Failure> {
    planned.ok_or_else(|| bad("wallets", FieldCode::OutOfRange, "must be from 1 to 10000"))
}
