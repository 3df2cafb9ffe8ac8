//! `Trader`: who trades, and how the transaction is paid for.

use wasm_bindgen::prelude::*;

use crate::crossing::{CallArgs, answer_handle};
use crate::input::{read_priority, read_slippage, settings};
use crate::market::input::{WalletState, read_warning_thresholds};
use launchpad_desk::bindings::reader::Reader;
use launchpad_desk::launchpad::bundle::DEFAULT_SLIPPAGE_PPM;
use launchpad_desk::launchpad::cost::Priority;
use launchpad_desk::launchpad::goal;
use launchpad_desk::launchpad::quote::{Ask, FeePayer, Order, WarningThresholds};
use launchpad_desk::launchpad::transaction::Wallet;

/// Who trades, and how the transaction is paid for.
#[wasm_bindgen]
pub struct Trader {
    wallet: Option<WalletState>,
    slippage_ppm: u32,
    fee_payer: FeePayer,
    priority: Priority,
    warn_above: WarningThresholds,
}

/// A trader from its `options`; by default an unknown wallet that pays its own network fee.
#[wasm_bindgen(js_name = makeTrader)]
pub fn make_trader(args: &mut CallArgs) -> JsValue {
    answer_handle(settings("trader", args.tape(), "options", Trader::read))
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
            warn_above: read_warning_thresholds(reader, unit),
        }
    }

    /// The wallet, if known, on a launchpad with this rent.
    pub fn wallet(&self, rent_lamports: u64) -> Option<Wallet> {
        self.wallet.map(|wallet| wallet.wallet(rent_lamports))
    }

    /// The priority its transactions bid with.
    pub fn priority(&self) -> Priority {
        self.priority
    }

    /// A quote's input, for this order.
    pub fn ask<'a>(&self, order: Order, wallet: Option<&'a Wallet>) -> Ask<'a> {
        Ask {
            order,
            slippage_ppm: self.slippage_ppm,
            wallet,
            fee_payer: self.fee_payer,
            priority: self.priority,
            warn_above: self.warn_above,
        }
    }

    /// The input of a goal.
    pub fn with<'a>(&self, wallet: &'a Wallet) -> goal::Trader<'a> {
        goal::Trader { wallet, fee_payer: self.fee_payer, priority: self.priority }
    }
}
