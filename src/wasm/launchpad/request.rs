//! Orders of the maths as requests of a client.

use wasm_bindgen::prelude::*;

use crate::amount::{Digits, Slippage, SlippageUnit};
use crate::api::endpoint::Operation;
use crate::error::{FieldCode, FieldError};
use crate::launchpad::cost::Priority;
use crate::launchpad::quote::Order;
use crate::launchpad::request::{NoRequest, Placed, Terms, bundle_request, trade_request};
use crate::object;
use crate::reader::Reader;
use crate::tape::{Data, Tape};
use crate::wasm::convert::{from_js, to_js};
use crate::wasm::error::invalid_options;
use crate::wasm::launchpad::bundle::read_order;
use crate::wasm::launchpad::input::{bad, read_priority, settings};

#[wasm_bindgen(typescript_custom_section)]
const TYPES: &str = r#"
/** One wallet's trade, and how its transaction is paid for. Unknown names are refused. */
export type TradeOrder = BundleLeg & {
    /** Unit of a slippage that does not name its own, as for clients. Default: `percent`. */
    slippageUnit?: "percent" | "bps";
    /** Id of the wallet that pays the network fee. Default: the wallet that trades. */
    feePayer?: string;
    /** Priority units to pay for. */
    priorityUnitLimit?: Amount;
    /** Micro-lamports for each of them. */
    priorityUnitPrice?: Amount;
};
/** A bundle to place: that of `quoteBundle`, or one without the state of its wallets. */
export type PlacedBundle = Omit<BundleOrder, "wallets"> & Partial<Pick<BundleOrder, "wallets">>;
/** A request, and the method of a client that takes it. */
export type PlacedRequest<O extends Operation> = O extends Operation ? { operation: O; request: RequestOf[O] } : never;
/** The operation that does what an order asks for; none buys an exact amount of tokens. */
export type OperationOf<L> = L extends { buyExactIn: Amount } ? "buy" : L extends { sellExactIn: Amount } ? "sell" : L extends { sellPercentage: number | string } ? "sellByPercentage" : never;
/** The same for the legs of a bundle. */
export type BundleOperationOf<L> = L extends { buyExactIn: Amount } ? "bundleBuy" : L extends { sellExactIn: Amount } ? "bundleSell" : L extends { sellPercentage: number | string } ? "bundleSellByPercentage" : never;
/**
 * One order of the maths as a client's request. Amounts keep their unit: base units to sell become `{ baseUnits }`. What
 * the order leaves out is left to the service.
 *
 * ```js
 * const { operation, request } = toRequest(mint, { fromWallet, sellExactIn: curve.smallestSellFor(500n), slippage: { percent: 1 } });
 * const trade = await client[operation](request);
 * ```
 *
 * @throws {TradeNotSentError} `invalid_options`, with every bad setting in `fields`; for `buyExactOut` too, which the
 * service does not do: spend what `smallestBuyFor` says.
 */
export function toRequest<L extends TradeOrder>(mint: string, order: L): PlacedRequest<OperationOf<L>>;
/**
 * A bundle of the maths as a client's request: all buys, all sells, or all sells by percentage, in their order.
 *
 * ```js
 * const legs = Array.from(equalSpends(3_000_000_000n, 3), (buyExactIn, index) => ({ fromWallet: wallets[index], buyExactIn }));
 * const { operation, request } = toBundleRequest(mint, { legs, feePayer: wallets[0] });
 * const trade = await client[operation](request);
 * ```
 *
 * @throws {TradeNotSentError} `invalid_options`, as `toRequest` does; for a mixed bundle too, which the service does not
 * take.
 */
export function toBundleRequest<L extends BundleLeg>(mint: string, bundle: PlacedBundle & { legs: L[] }): PlacedRequest<BundleOperationOf<L>>;
"#;

/// One order as a request; the declaration above has its type.
#[wasm_bindgen(js_name = toRequest, skip_typescript)]
pub fn to_request(mint: &JsValue, order: &JsValue) -> Result<JsValue, JsValue> {
    let mint = mint_of(mint)?;
    let given = settings("order", order, |r| {
        let unit = r.slippage_unit();
        (Leg::read(r, unit), Paid::read(r, None))
    });
    let (leg, paid) = given?;
    placed(trade_request(&paid.terms(&mint), &leg.placed()).map_err(|reason| (None, reason)))
}

/// Several orders as a request; the declaration above has its type.
#[wasm_bindgen(js_name = toBundleRequest, skip_typescript)]
pub fn to_bundle_request(mint: &JsValue, bundle: &JsValue) -> Result<JsValue, JsValue> {
    let mint = mint_of(mint)?;
    let given = settings("bundle", bundle, |r| {
        let unit = r.slippage_unit();
        // What a bundle is quoted with, and no request has.
        let _ = (r.value("wallets"), r.value("caution"));
        (r.list("legs", |r| Leg::read(r, unit)).unwrap_or_default(), Paid::read(r, Some(unit)))
    });
    let (legs, paid) = given?;
    let orders: Vec<Placed> = legs.iter().map(Leg::placed).collect();
    placed(bundle_request(&paid.terms(&mint), &orders))
}

struct Leg {
    from_wallet: String,
    order: Order,
    slippage: Option<Slippage>,
}

impl Leg {
    fn read(reader: &mut Reader, unit: SlippageUnit) -> Self {
        Leg {
            from_wallet: reader.need("fromWallet", Reader::text).to_owned(),
            order: read_order(reader),
            slippage: named_slippage(reader, unit),
        }
    }

    fn placed(&self) -> Placed<'_> {
        Placed { from_wallet: &self.from_wallet, order: self.order, slippage: self.slippage.clone() }
    }
}

/// The terms of a transaction besides its orders.
struct Paid {
    fee_payer: Option<String>,
    slippage: Option<Slippage>,
    priority: Priority,
}

impl Paid {
    /// Reads a single order's, or, where it has a slippage of its own in some unit, a bundle's.
    fn read(reader: &mut Reader, bundle: Option<SlippageUnit>) -> Self {
        let payer = match bundle {
            Some(_) => Some(reader.need("feePayer", Reader::text)),
            None => reader.text("feePayer"),
        };
        Paid {
            fee_payer: payer.map(str::to_owned),
            slippage: bundle.and_then(|unit| named_slippage(reader, unit)),
            priority: read_priority(reader),
        }
    }

    fn terms<'a>(&'a self, mint: &'a str) -> Terms<'a> {
        let (fee_payer, slippage) = (self.fee_payer.as_deref(), self.slippage.clone());
        Terms { mint, fee_payer, slippage, priority: self.priority }
    }
}

/// A slippage that names its unit, so that it means the same to whatever client it is handed to.
fn named_slippage(reader: &mut Reader, unit: SlippageUnit) -> Option<Slippage> {
    Some(match (reader.slippage("slippage")?, unit) {
        (Slippage::Bare(percent), SlippageUnit::Percent) => Slippage::Percent(percent),
        (Slippage::Bare(bps), SlippageUnit::Bps) => Slippage::Bps(bps),
        (named, _) => named,
    })
}

fn mint_of(mint: &JsValue) -> Result<String, JsValue> {
    match from_js(mint).root().data() {
        Data::String(mint) => Ok(mint.to_owned()),
        Data::Null => Err(bad("mint", FieldCode::Required, "is missing")),
        _ => Err(bad("mint", FieldCode::WrongType, "must be a string")),
    }
}

fn placed(request: Result<(Operation, Tape), (Option<usize>, NoRequest)>) -> Result<JsValue, JsValue> {
    let (operation, request) = request.map_err(|(leg, reason)| {
        let field = match (leg, reason) {
            (Some(leg), _) => ["legs[", &leg.digits(), "]"].concat(),
            (None, NoRequest::Mixed | NoRequest::Empty) => "legs".to_owned(),
            (None, _) => "order".to_owned(),
        };
        let code = if reason == NoRequest::Empty { FieldCode::Empty } else { FieldCode::OutOfRange };
        let message = [&field, " ", reason.message()].concat();
        invalid_options("request", vec![FieldError { field, code, message }])
    })?;
    Ok(to_js(&object! { "operation": operation, "request": request }))
}
