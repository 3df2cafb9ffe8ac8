//! A budget split over wallets, and how many of them fit one transaction.

use std::collections::BTreeMap;

use js_sys::BigUint64Array;
use wasm_bindgen::prelude::*;

use crate::error::FieldCode;
use crate::launchpad::capacity::{
    self, Addresses, CAPACITIES, LegKind, MAX_SIGNATURES, ORIGIN, TRANSACTION_BYTES, WalletLeg,
    transaction_size,
};
use crate::launchpad::plan::{self, MAX_WALLETS};
use crate::launchpad::slippage::PPM;
use crate::object;
use crate::reader::Reader;
use crate::tape::{Data, Item};
use crate::wasm::convert::{from_js, to_js};
use crate::wasm::launchpad::curve::Curve;
use crate::wasm::launchpad::input::{amount, bad, column, count, portion_ppm};
use crate::wasm::launchpad::receipt::read_some;
use crate::wasm::launchpad::refuse::refused;

#[wasm_bindgen(typescript_custom_section)]
const TYPES: &str = r#"
/**
 * How much one transaction has room for, where each leg is by a wallet of its own and one of them pays the network fee.
 * Facts to warn by: the service may know better.
 */
export interface Capacities {
    /** Where the numbers come from. */
    origin: string;
    /** Bytes of the largest transaction. */
    transactionBytes: number;
    /** Signatures that fit one transaction. */
    maxSignatures: number;
    /** How many legs of one kind fit one transaction. */
    legs: {
        /** The kind of leg. */
        kind: LegKind;
        /** With every address written out. */
        legs: number;
        /** With an address lookup table. */
        legsWithLookupTable: number;
    }[];
}
/** What a split needs of a bundle's quote, as `quoteBundle` makes it. */
export interface SplittableBundle {
    /** Id of the wallet that pays the network fee: it signs each transaction. */
    feePayer: string;
    /** The trades, in order. */
    legs: readonly {
        /** Id of the wallet that trades. */
        wallet: string;
        side: Side;
        /** What becomes of its token account; one that is unknown is taken to open or close. */
        tokenAccount: "opens" | "closes" | "stays" | "unknown";
    }[];
}
/** One transaction of a bundle that was split. */
export interface BundlePart {
    /** The places of its legs in the bundle, from 0, in order. */
    legs: number[];
    /** How many sign it. */
    signatures: number;
    /** Its bytes, with the addresses as they were asked for. */
    transactionBytes: number;
}
/** Spends that bring each wallet the same tokens. */
export interface EqualTokens {
    /** What every wallet gets at least, in base units. */
    tokens: bigint;
    /** What each wallet spends, in order, in lamports. */
    spendsLamports: BigUint64Array;
}
"#;

/// A budget of lamports in equal spends that add up to it exactly: the first ones take a lamport more where it does not
/// divide.
///
/// @throws {TradeNotSentError} `invalid_options`, for no wallets and for more than 10,000.
#[wasm_bindgen(js_name = equalSpends)]
pub fn equal_spends(
    #[wasm_bindgen(js_name = budgetLamports, unchecked_param_type = "Amount")] budget_lamports: &JsValue,
    #[wasm_bindgen(unchecked_param_type = "number")] wallets: &JsValue,
) -> Result<BigUint64Array, JsValue> {
    let budget = amount("budgetLamports", budget_lamports)?;
    spends(plan::equal_spends(budget, count_of_wallets(wallets)?))
}

/// A budget of lamports in spends by weight that add up to it exactly. Each is its floored share; what the floors leave
/// goes, a lamport each, to the largest rests.
///
/// @throws {TradeNotSentError} `invalid_options`, where all weights together are zero or pass 64 bits, and for more
/// than 10,000 of them.
#[wasm_bindgen(js_name = weightedSpends)]
pub fn weighted_spends(
    #[wasm_bindgen(js_name = budgetLamports, unchecked_param_type = "Amount")] budget_lamports: &JsValue,
    #[wasm_bindgen(unchecked_param_type = "BigUint64Array")] weights: &JsValue,
) -> Result<BigUint64Array, JsValue> {
    let budget = amount("budgetLamports", budget_lamports)?;
    let weights = column("weights", weights)?;
    if weights.len() > MAX_WALLETS {
        return Err(bad("weights", FieldCode::TooMany, "must be at most 10000"));
    }
    let planned = plan::weighted_spends(budget, &weights);
    planned
        .map(|spends| BigUint64Array::from(spends.as_slice()))
        .ok_or_else(|| bad("weights", FieldCode::OutOfRange, "must add up to something of at most 64 bits"))
}

/// A budget of lamports in spends that differ by chance and add up to it exactly: each weighs between `1 − jitter` and
/// `1 + jitter`. The same seed gives the same spends.
///
/// @throws {TradeNotSentError} `invalid_options`, for no wallets, for more than 10,000, and for a jitter over 100 %.
#[wasm_bindgen(js_name = jitteredSpends)]
pub fn jittered_spends(
    #[wasm_bindgen(js_name = budgetLamports, unchecked_param_type = "Amount")] budget_lamports: &JsValue,
    #[wasm_bindgen(unchecked_param_type = "number")] wallets: &JsValue,
    #[wasm_bindgen(unchecked_param_type = "Portion")] jitter: &JsValue,
    #[wasm_bindgen(unchecked_param_type = "Amount")] seed: &JsValue,
) -> Result<BigUint64Array, JsValue> {
    let budget = amount("budgetLamports", budget_lamports)?;
    let wallets = count_of_wallets(wallets)?;
    let (jitter, seed) = (portion_ppm("jitter", jitter)?, amount("seed", seed)?);
    if jitter > PPM {
        return Err(bad("jitter", FieldCode::OutOfRange, "must be at most 100 %"));
    }
    spends(plan::jittered_spends(budget, wallets, jitter, seed))
}

/// How much one transaction has room for, with the origin of the numbers.
#[wasm_bindgen(unchecked_return_type = "Capacities")]
pub fn capacities() -> JsValue {
    let mut legs = Vec::new();
    for capacity in CAPACITIES {
        legs.push(object! {
            "kind": capacity.kind,
            "legs": capacity.legs as u32,
            "legsWithLookupTable": capacity.legs_with_lookup_table as u32,
        });
    }
    to_js(&object! {
        "origin": ORIGIN,
        "transactionBytes": TRANSACTION_BYTES,
        "maxSignatures": MAX_SIGNATURES as u32,
        "legs": legs,
    })
}

/// Whether legs of these kinds with this many signatures fit one transaction of 1,232 bytes: with every address written
/// out, only with an address lookup table, or not at all. Two compute-budget instructions are counted.
///
/// As many wallets trade as sign, but not more than there are legs: each signature over the legs is a payer's. With fewer
/// signatures than legs some wallets trade more than once; they are taken to be those that need the most bytes.
/// `quoteBundle` knows which, and is exact.
///
/// ```js
/// fitsTransaction(["buy", "buy", "buy"], 3); // "plain": 1,188 bytes
/// fitsTransaction(["buy", "buy", "buy"], 4); // "with_lookup_table": a payer more takes 96 bytes
/// ```
///
/// @throws {TradeNotSentError} `invalid_options`, for a kind there is not.
#[wasm_bindgen(js_name = fitsTransaction, unchecked_return_type = "TransactionFit")]
pub fn fits_transaction(
    #[wasm_bindgen(unchecked_param_type = "LegKind[]")] legs: &JsValue,
    #[wasm_bindgen(unchecked_param_type = "number")] signatures: &JsValue,
) -> Result<String, JsValue> {
    let not_kinds = || {
        bad(
            "legs",
            FieldCode::OutOfRange,
            &["must be a list of ", &LegKind::ALL.map(LegKind::as_str).join(", ")].concat(),
        )
    };
    let legs = from_js(legs);
    let Data::Array(given) = legs.root().data() else { return Err(not_kinds()) };
    let mut kinds = Vec::new();
    for kind in given {
        let kind = if let Data::String(code) = kind.data() { LegKind::from_name(code) } else { None };
        kinds.push(kind.ok_or_else(not_kinds)?);
    }
    let signatures = count("signatures", signatures, u32::MAX)?;
    Ok(capacity::fit(&kinds, signatures.into()).as_str().to_owned())
}

/// Splits a bundle, in its order, into as few transactions as have room for it. The fee payer signs each of them.
///
/// Only bytes count here: neither compute units, nor what happens to the price between the transactions. Parts can
/// land without each other: what was all or none is so no longer.
///
/// ```js
/// const quote = curve.quoteBundle(bundle);
/// for (const { legs } of splitBundle(quote)) {
///   const part = { ...bundle, legs: legs.map((leg) => bundle.legs[leg]) };
/// }
/// ```
///
/// @param addresses - `plain`, with every address written out, is the default; `with_lookup_table` for a service that
/// has the shared addresses in one.
/// @throws {TradeNotSentError} `invalid_options`, where it is no such quote.
#[wasm_bindgen(js_name = splitBundle, unchecked_return_type = "BundlePart[]")]
pub fn split_bundle(
    #[wasm_bindgen(unchecked_param_type = "SplittableBundle")] quote: &JsValue,
    #[wasm_bindgen(unchecked_optional_param_type = "Exclude<TransactionFit, \"no\">")] addresses: &JsValue,
) -> Result<JsValue, JsValue> {
    let addresses = match from_js(addresses).root().data() {
        Data::Null | Data::String("plain") => Addresses::WrittenOut,
        Data::String("with_lookup_table") => Addresses::InTable,
        _ => return Err(bad("addresses", FieldCode::OutOfRange, "must be plain or with_lookup_table")),
    };
    let (fee_payer, named) = read_some("quote", from_js(quote).root(), &["feePayer", "legs"], |r| {
        (r.need("feePayer", |r, name| r.text(name).map(str::to_owned)), read_legs(r))
    })?;
    // Each wallet by the place where it is first named; the fee payer before them all.
    let mut places = BTreeMap::from([(fee_payer, 0)]);
    let mut legs = Vec::with_capacity(named.len());
    for (wallet, kind) in named {
        let next = places.len();
        legs.push(WalletLeg { wallet: *places.entry(wallet).or_insert(next), kind });
    }
    let mut parts = Vec::new();
    for range in capacity::split(&legs, 0, addresses) {
        let part = legs.get(range.clone()).unwrap_or_default();
        let size = transaction_size(part, 0);
        parts.push(object! {
            "legs": range.map(|leg| leg as u32).collect::<Vec<u32>>(),
            "signatures": size.signatures as u32,
            "transactionBytes": size.bytes_with(addresses) as u32,
        });
    }
    Ok(to_js(&parts))
}

#[wasm_bindgen]
impl Curve {
    /// The spends, in order on this curve, that bring each wallet the same tokens, as many as the budget pays for: one
    /// base unit more for each would pass it.
    ///
    /// @throws {RefusalError} `out_of_reach` where the budget does not buy each a base unit; `too_many_wallets`.
    #[wasm_bindgen(js_name = equalTokens, unchecked_return_type = "EqualTokens")]
    pub fn equal_tokens(
        &self,
        #[wasm_bindgen(js_name = budgetLamports, unchecked_param_type = "Amount")] budget_lamports: &JsValue,
        #[wasm_bindgen(unchecked_param_type = "number")] wallets: &JsValue,
    ) -> Result<JsValue, JsValue> {
        let budget = amount("budgetLamports", budget_lamports)?;
        let wallets = count("wallets", wallets, u32::MAX)? as usize;
        let plan = plan::equal_tokens(self.launchpad(), &self.token(), budget, wallets).map_err(refused)?;
        let object = to_js(&object! { "tokens": plan.tokens });
        let spends = BigUint64Array::from(plan.spends_lamports.as_slice());
        js_sys::Reflect::set(&object, &"spendsLamports".into(), &spends)?;
        Ok(object)
    }
}

/// The legs of a quote, by what each puts into the transaction.
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

fn count_of_wallets(wallets: &JsValue) -> Result<usize, JsValue> {
    count("wallets", wallets, u32::MAX).map(|wallets| wallets as usize)
}

fn spends(planned: Option<Vec<u64>>) -> Result<BigUint64Array, JsValue> {
    planned
        .map(|spends| BigUint64Array::from(spends.as_slice()))
        .ok_or_else(|| bad("wallets", FieldCode::OutOfRange, "must be from 1 to 10000"))
}
