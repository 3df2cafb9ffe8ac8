//! Turns orders of the maths into a client's requests.

use wasm_bindgen::prelude::*;

use crate::crossing::{CallArgs, Failure, answer};
use crate::input::{bad, read_priority, settings};
use crate::market::bundle::read_order;
use launchpad_desk::amount::{Digits, Slippage, SlippageUnit};
use launchpad_desk::api::endpoint::Operation;
use launchpad_desk::bindings::object;
use launchpad_desk::bindings::reader::Reader;
use launchpad_desk::error::{FieldCode, FieldError};
use launchpad_desk::launchpad::cost::Priority;
use launchpad_desk::launchpad::quote::Order;
use launchpad_desk::launchpad::request::{NoRequest, Placed, Terms, bundle_request, trade_request};
use launchpad_desk::tape::{Data, Tape};

/// One `order` for a `mint` as a request.
#[wasm_bindgen(js_name = toRequest)]
pub fn to_request(args: &mut CallArgs) -> JsValue {
    let args = args.tape();
    let read = mint_of(args).and_then(|mint| {
        let order = settings("order", args, "order", |r| {
            let unit = r.slippage_unit();
            (Leg::read(r, unit), Paid::read(r, None))
        });
        Ok((mint, order?))
    });
    answer(read.and_then(|(mint, (leg, paid))| {
        placed(trade_request(&paid.terms(mint), &leg.placed()).map_err(|reason| (None, reason)))
    }))
}

/// A `bundle` of orders for a `mint` as a request.
#[wasm_bindgen(js_name = toBundleRequest)]
pub fn to_bundle_request(args: &mut CallArgs) -> JsValue {
    let args = args.tape();
    let read = mint_of(args).and_then(|mint| {
        let bundle = settings("bundle", args, "bundle", |r| {
            let unit = r.slippage_unit();
            // Used for a quote of the bundle, but not part of a request.
            let _ = (r.value("wallets"), r.value("warnAbove"));
            (r.list("legs", |r| Leg::read(r, unit)).unwrap_or_default(), Paid::read(r, Some(unit)))
        });
        Ok((mint, bundle?))
    });
    answer(read.and_then(|(mint, (legs, paid))| {
        let orders: Vec<Placed> = legs.iter().map(Leg::placed).collect();
        placed(bundle_request(&paid.terms(mint), &orders))
    }))
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
        Placed { from_wallet: &self.from_wallet, order: self.order, slippage: self.slippage }
    }
}

/// The terms of a transaction besides its orders.
struct Paid {
    fee_payer: Option<String>,
    slippage: Option<Slippage>,
    priority: Priority,
}

impl Paid {
    /// Reads those of a single order, or of a bundle, which has its own slippage in the given unit.
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
        let (fee_payer, slippage) = (self.fee_payer.as_deref(), self.slippage);
        Terms { mint, fee_payer, slippage, priority: self.priority }
    }
}

/// A slippage that names its unit, so that it means the same to every client.
fn named_slippage(reader: &mut Reader, unit: SlippageUnit) -> Option<Slippage> {
    Some(match (reader.slippage("slippage")?, unit) {
        (Slippage::Bare(percent), SlippageUnit::Percent) => Slippage::Percent(percent),
        (Slippage::Bare(bps), SlippageUnit::Bps) => Slippage::Bps(bps),
        (named, _) => named,
    })
}

fn mint_of(args: &Tape) -> Result<&str, Failure> {
    match args.root().get("mint").unwrap_or_default().data() {
        Data::String(mint) => Ok(mint),
        Data::Null => Err(bad("mint", FieldCode::Required, "is missing")),
        _ => Err(bad("mint", FieldCode::WrongType, "must be a string")),
    }
}

fn placed(request: Result<(Operation, Tape), (Option<usize>, NoRequest)>) -> Result<Tape, Failure> {
    let (operation, request) = request.map_err(|(leg, reason)| {
        let field = match (leg, reason) {
            (Some(leg), _) => ["legs[", &leg.digits(), "]"].concat(),
            (None, NoRequest::Mixed | NoRequest::Empty) => "legs".to_owned(),
            (None, _) => "order".to_owned(),
        };
        let code = if reason == NoRequest::Empty { FieldCode::Empty } else { FieldCode::OutOfRange };
        Failure::of_options("request", vec![FieldError::of(&field, code, reason.message())])
    })?;
    Ok(object! { "operation": operation, "request": request })
}
