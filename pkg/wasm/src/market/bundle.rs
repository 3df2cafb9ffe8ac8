//! Several trades of several wallets on one curve, in one transaction.

use wasm_bindgen::prelude::*;

use crate::crossing::{CallArgs, Failure, answer};
use crate::input::{read_priority, read_slippage, settings};
use crate::market::curve::Curve;
use crate::market::input::{WalletState, read_share, read_warning_thresholds};
use launchpad_desk::amount::SlippageUnit;
use launchpad_desk::bindings::reader::Reader;
use launchpad_desk::error::FieldCode;
use launchpad_desk::launchpad::bundle::{Bundle, BundleQuote, WalletOrder, price};
use launchpad_desk::launchpad::cost::Priority;
use launchpad_desk::launchpad::curve_view::CurveBundleQuote;
use launchpad_desk::launchpad::quote::{Order, WarningThresholds};
use launchpad_desk::launchpad::transaction::Wallet;
use launchpad_desk::launchpad::view::{leg_quote, wallet_quote};
use launchpad_desk::tape::{Tape, ToTape};

#[wasm_bindgen]
impl Curve {
    /// What a `bundle` would do: each leg on the curve that those before it leave, in one transaction.
    #[wasm_bindgen(js_name = quoteBundle)]
    pub fn quote_bundle(&self, args: &mut CallArgs) -> JsValue {
        let order = settings("bundle", args.tape(), "bundle", BundleOrder::read);
        answer(order.and_then(|order| self.bundle_quoted(&order)))
    }
}

impl Curve {
    fn bundle_quoted(&self, order: &BundleOrder) -> Result<Tape, Failure> {
        let rent = self.rent_lamports();
        let wallets: Vec<Wallet> = order.wallets.iter().map(|wallet| wallet.state.wallet(rent)).collect();
        let bundle = Bundle {
            wallets: &wallets,
            legs: &order.legs,
            slippage_ppm: order.slippage_ppm,
            fee_payer: order.fee_payer,
            priority: order.priority,
            warn_above: order.warn_above,
        };
        let quote = price(self.launchpad(), &self.token(), &bundle)?;
        Ok(order.view(&quote, self.launchpad().token_decimals).to_tape())
    }
}

/// A bundle as JS gives it, with the names of its wallets.
#[derive(Default)]
struct BundleOrder {
    wallets: Vec<NamedWallet>,
    legs: Vec<WalletOrder>,
    slippage_ppm: Option<u32>,
    fee_payer: usize,
    priority: Priority,
    warn_above: WarningThresholds,
}

struct NamedWallet {
    wallet: String,
    state: WalletState,
}

impl BundleOrder {
    fn read(reader: &mut Reader) -> Self {
        let named = |r: &mut Reader| NamedWallet {
            wallet: r.need("wallet", Reader::text).to_owned(),
            state: WalletState::read(r),
        };
        let unit = reader.slippage_unit();
        let wallets = reader.list("wallets", named).unwrap_or_default();
        let legs = reader.list("legs", |r| read_leg(r, &wallets, unit)).unwrap_or_default();
        for (name, is_empty) in [("wallets", wallets.is_empty()), ("legs", legs.is_empty())] {
            if is_empty {
                reader.refuse(name, FieldCode::Empty, "must have at least one element");
            }
        }
        BundleOrder {
            fee_payer: read_wallet(reader, "feePayer", &wallets),
            slippage_ppm: read_slippage(reader, "slippage", unit),
            priority: read_priority(reader),
            warn_above: read_warning_thresholds(reader, unit),
            wallets,
            legs,
        }
    }

    fn id(&self, wallet: usize) -> &str {
        self.wallets.get(wallet).map_or("", |named| &named.wallet)
    }

    fn view(&self, quote: &BundleQuote, decimals: u8) -> CurveBundleQuote {
        let legs = self.legs.iter().zip(&quote.legs);
        let wallets = self.wallets.iter().enumerate();
        CurveBundleQuote {
            legs: legs.map(|(leg, quote)| leg_quote(quote, self.id(leg.wallet), decimals)).collect(),
            wallets: wallets.map(|(place, named)| wallet_quote(Some(quote), place, &named.wallet)).collect(),
            fee_payer: self.id(self.fee_payer).to_owned(),
            // Never more than the number of wallets.
            signatures: quote.signatures as u32,
            network_fee_lamports: quote.network_fee_lamports,
            fits: quote.fit,
            reserves_after: quote.token_after.curve,
        }
    }
}

fn read_leg(reader: &mut Reader, wallets: &[NamedWallet], unit: SlippageUnit) -> WalletOrder {
    WalletOrder {
        wallet: read_wallet(reader, "fromWallet", wallets),
        order: read_order(reader),
        slippage_ppm: read_slippage(reader, "slippage", unit),
    }
}

/// The order of a leg: exactly one of these names.
pub fn read_order(reader: &mut Reader) -> Order {
    let orders = [
        reader.whole("buyExactIn").map(|lamports| Order::BuyExactIn { lamports }),
        reader.whole("buyExactOut").map(|tokens| Order::BuyExactOut { tokens }),
        reader.whole("sellExactIn").map(|tokens| Order::SellExactIn { tokens }),
        read_share(reader, "sellPercentage").map(|share| Order::SellShare { share }),
    ];
    let mut given = orders.into_iter().flatten();
    let (order, second) = (given.next(), given.next());
    if order.is_none() || second.is_some() {
        let words = "must be given: buyExactIn, buyExactOut, sellExactIn or sellPercentage";
        reader.refuse("one order", FieldCode::Required, words);
    }
    order.unwrap_or(Order::BuyExactIn { lamports: 0 })
}

/// The index of the wallet with that id.
fn read_wallet(reader: &mut Reader, name: &'static str, wallets: &[NamedWallet]) -> usize {
    let id = reader.need(name, |r, name| r.text(name).map(str::to_owned));
    let place = wallets.iter().position(|named| named.wallet == id);
    if place.is_none() && !id.is_empty() {
        reader.refuse(name, FieldCode::OutOfRange, "is not one of the wallets");
    }
    place.unwrap_or_default()
}
