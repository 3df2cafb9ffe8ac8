//! `Trader`: who trades, and how the transaction is paid for.

use wasm_bindgen::prelude::*;

use crate::launchpad::bundle::DEFAULT_SLIPPAGE_PPM;
use crate::launchpad::cost::Priority;
use crate::launchpad::goal;
use crate::launchpad::quote::{Ask, Caution, FeePayer, Order};
use crate::launchpad::transaction::Wallet;
use crate::reader::Reader;
use crate::wasm::launchpad::input::{WalletState, read_caution, read_priority, read_slippage, settings};

#[wasm_bindgen(typescript_custom_section)]
const TYPES: &str = r#"
/** Who trades, and how the transaction is paid for. Unknown names are refused. */
export interface TraderOptions {
    /** The trading wallet. Without one, holdings go unchecked and rent uncounted. */
    wallet?: WalletState;
    /** How far the price may move. Default: 0.5 %. Finer than a hundredth of a basis point is dropped. */
    slippage?: SlippageInput;
    /** Unit of a slippage that does not name its own, as for clients. Default: `percent`. */
    slippageUnit?: "percent" | "bps";
    /** Whether the trading wallet pays the network fee itself, or another does. Default: `trader`. */
    feePayer?: "trader" | "other";
    /** Priority units to pay for. Default: the launchpad's. */
    priorityUnitLimit?: Amount;
    /** Micro-lamports for each of them. Default: no priority fee. */
    priorityUnitPrice?: Amount;
    /** From where to warn. */
    caution?: CautionOptions;
}
"#;

/// Who trades, and how the transaction is paid for. It never changes: make another for another wallet.
///
/// ```js
/// const trader = new Trader({ wallet: { lamports: 5_000_000_000n }, slippage: { percent: 1 } });
/// const { netLamports, warnings } = curve.quoteBuyExactIn(1_000_000_000n, trader);
/// ```
#[wasm_bindgen]
pub struct Trader {
    wallet: Option<WalletState>,
    slippage_ppm: u32,
    fee_payer: FeePayer,
    priority: Priority,
    caution: Caution,
}

#[wasm_bindgen]
impl Trader {
    /// Makes a trader; without options, an unknown wallet that pays its own network fee.
    ///
    /// @throws {TradeNotSentError} `invalid_options`, with every bad setting in `fields`.
    #[wasm_bindgen(constructor)]
    pub fn new(
        #[wasm_bindgen(unchecked_optional_param_type = "TraderOptions")] options: &JsValue,
    ) -> Result<Trader, JsValue> {
        settings("trader", options, Trader::read)
    }
}

impl Trader {
    fn read(reader: &mut Reader) -> Self {
        let unit = reader.slippage_unit();
        let payers = [("trader", FeePayer::Trader), ("other", FeePayer::Other)];
        Trader {
            wallet: reader.object("wallet", WalletState::read),
            slippage_ppm: read_slippage(reader, "slippage", unit).unwrap_or(DEFAULT_SLIPPAGE_PPM),
            fee_payer: reader.choice("feePayer", &payers).unwrap_or_default(),
            priority: read_priority(reader),
            caution: read_caution(reader, unit),
        }
    }

    /// The wallet, where known, on a launchpad of this rent.
    pub fn wallet(&self, rent_lamports: u64) -> Option<Wallet> {
        self.wallet.map(|wallet| wallet.wallet(rent_lamports))
    }

    /// The priority its transactions bid with.
    pub fn priority(&self) -> Priority {
        self.priority
    }

    /// What it asks with this order.
    pub fn ask<'a>(&self, order: Order, wallet: Option<&'a Wallet>) -> Ask<'a> {
        Ask {
            order,
            slippage_ppm: self.slippage_ppm,
            wallet,
            fee_payer: self.fee_payer,
            priority: self.priority,
            caution: self.caution,
        }
    }

    /// The trader of a goal.
    pub fn with<'a>(&self, wallet: &'a Wallet) -> goal::Trader<'a> {
        goal::Trader { wallet, fee_payer: self.fee_payer, priority: self.priority }
    }
}
