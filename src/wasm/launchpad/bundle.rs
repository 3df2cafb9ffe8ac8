//! Several trades of several wallets on one curve, in one transaction.

use wasm_bindgen::prelude::*;

use crate::amount::SlippageUnit;
use crate::error::FieldCode;
use crate::launchpad::bundle::{Bundle, BundleQuote, WalletOrder, price};
use crate::launchpad::cost::Priority;
use crate::launchpad::curve_view::{CurveBundleQuote, reserves};
use crate::launchpad::quote::{Caution, Order};
use crate::launchpad::transaction::Wallet;
use crate::launchpad::view::{leg_quote, wallet_quote};
use crate::reader::Reader;
use crate::tape::{Number, ToTape};
use crate::wasm::convert::to_js;
use crate::wasm::launchpad::curve::Curve;
use crate::wasm::launchpad::input::{
    WalletState, read_caution, read_priority, read_share, read_slippage, settings,
};
use crate::wasm::launchpad::refuse::leg_refused;

#[wasm_bindgen(typescript_custom_section)]
const TYPES: &str = r#"
/** A bundle as it is asked for. Unknown names are refused. */
export interface BundleOrder {
    /** The wallets that take part. */
    wallets: (WalletState & {
        /** Its id, as the legs name it. */
        wallet: string;
    })[];
    /** The trades, in order. */
    legs: BundleLeg[];
    /** Id of the wallet that pays the network fee. */
    feePayer: string;
    /** Slippage of legs without their own. Default: 0.5 %. Finer than a hundredth of a basis point is dropped. */
    slippage?: SlippageInput;
    /** Unit of slippages that do not name their own, as for clients. Default: `percent`. */
    slippageUnit?: "percent" | "bps";
    /** Priority units to pay for. Default: the launchpad's, for each leg. */
    priorityUnitLimit?: Amount;
    /** Micro-lamports for each of them. Default: no priority fee. */
    priorityUnitPrice?: Amount;
    /** From where to warn. */
    caution?: CautionOptions;
}
/** One wallet's trade in a bundle: one order and no second. */
export type BundleLeg = {
    /** Id of the wallet that trades. */
    fromWallet: string;
    /** Its own slippage; the bundle's where absent. */
    slippage?: SlippageInput;
} & (
    | { /** Spend this many lamports, fees included. */ buyExactIn: Amount }
    | { /** Buy exactly this many base units. */ buyExactOut: Amount }
    | { /** Sell exactly this many base units. */ sellExactIn: Amount }
    | { /** Sell so much of what the wallet holds, in percent. */ sellPercentage: number | string }
);
"#;

#[wasm_bindgen]
impl Curve {
    /// What a bundle would do: each leg on the curve that those before it leave, in one transaction. The curve does not
    /// move.
    ///
    /// @throws {RefusalError} where the launchpad refuses a leg, whose place is in `leg`. Too few lamports are a warning.
    /// @throws {TradeNotSentError} `invalid_options`, with every bad setting in `fields`.
    #[wasm_bindgen(js_name = quoteBundle, unchecked_return_type = "CurveBundleQuote")]
    pub fn quote_bundle(
        &self,
        #[wasm_bindgen(unchecked_param_type = "BundleOrder")] bundle: &JsValue,
    ) -> Result<JsValue, JsValue> {
        let order = settings("bundle", bundle, BundleOrder::read)?;
        let rent = self.rent_lamports();
        let wallets: Vec<Wallet> = order.wallets.iter().map(|wallet| wallet.state.wallet(rent)).collect();
        let bundle = Bundle {
            wallets: &wallets,
            legs: &order.legs,
            slippage_ppm: order.slippage_ppm,
            fee_payer: order.fee_payer,
            priority: order.priority,
            caution: order.caution,
        };
        let quote = price(self.launchpad(), &self.token(), &bundle).map_err(leg_refused)?;
        Ok(to_js(&order.view(&quote, self.launchpad().token_decimals).to_tape()))
    }
}

/// A bundle as JS asks for it, with the names of its wallets.
#[derive(Default)]
struct BundleOrder {
    wallets: Vec<NamedWallet>,
    legs: Vec<WalletOrder>,
    slippage_ppm: Option<u32>,
    fee_payer: usize,
    priority: Priority,
    caution: Caution,
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
            caution: read_caution(reader, unit),
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
            // Never more than there are wallets.
            signatures: quote.signatures as u32,
            network_fee_lamports: quote.network_fee_lamports,
            transaction_bytes: Number(quote.size.bytes as u128),
            fits: quote.fit,
            reserves_after: reserves(&quote.token_after.curve),
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

/// The one order of a leg, by its name.
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
        let words = "must be given, and no other of buyExactIn, buyExactOut, sellExactIn, sellPercentage";
        reader.refuse("one order", FieldCode::Required, words);
    }
    order.unwrap_or(Order::BuyExactIn { lamports: 0 })
}

/// The place of the wallet of that id.
fn read_wallet(reader: &mut Reader, name: &'static str, wallets: &[NamedWallet]) -> usize {
    let id = reader.need(name, |r, name| r.text(name).map(str::to_owned));
    let place = wallets.iter().position(|named| named.wallet == id);
    if place.is_none() && !id.is_empty() {
        reader.refuse(name, FieldCode::OutOfRange, "is none of the wallets");
    }
    place.unwrap_or_default()
}
