//! Quotes of one trade, with every number a panel shows.
//!
//! A quote crosses as numbers in one buffer, which `pkg/src/market/quote.ts` reads: as a tape, its 37 fields would take longer
//! to write and to read than all its maths.

use wasm_bindgen::prelude::*;

use crate::crossing::{CallArgs, Failure, answer};
use crate::input::{arguments, bad};
use crate::market::curve::{Curve, QUOTE_WORDS};
use crate::market::input::read_share;
use crate::market::trader::Trader;
use launchpad_desk::error::FieldCode;
use launchpad_desk::launchpad::Completion;
use launchpad_desk::launchpad::curve::Price;
use launchpad_desk::launchpad::quote::{AccountChange, Numbers, Order, Quote, Side, Warning, numbers, quote};
use launchpad_desk::launchpad::transaction::{Action, Wallet};
use launchpad_desk::launchpad::view::{MAX_SAFE, account_change};
use launchpad_desk::tape::ToTape;

/// Four bits hold the number of a warning, and a word those of a quote.
const _: () = assert!(Warning::ALL.len() < 16);

/// The names of the warnings, in the order of their numbers.
#[wasm_bindgen(js_name = quoteWarnings)]
pub fn quote_warnings() -> JsValue {
    answer(Ok(Warning::ALL.map(Warning::as_str).to_vec().to_tape()))
}

// Each quote returns where its numbers are: in the curve, until the next quote. Zero if there is none, and `whyNoQuote` says why.
#[wasm_bindgen]
impl Curve {
    /// Why the last quote failed.
    #[wasm_bindgen(js_name = whyNoQuote)]
    pub fn why_no_quote(&self) -> JsValue {
        self.no_quote.take().map_or(JsValue::UNDEFINED, |why| answer(Err(why)))
    }

    /// Everything about a buy that spends this many lamports, fees included.
    #[wasm_bindgen(js_name = quoteBuyExactIn)]
    pub fn quote_buy_exact_in(&self, lamports: u64, trader: &Trader, is_whole: bool) -> *const u64 {
        self.quoted(Order::BuyExactIn { lamports }, trader, is_whole)
    }

    /// Everything about a buy of exactly this many base units.
    #[wasm_bindgen(js_name = quoteBuyExactOut)]
    pub fn quote_buy_exact_out(&self, tokens: u64, trader: &Trader, is_whole: bool) -> *const u64 {
        self.quoted(Order::BuyExactOut { tokens }, trader, is_whole)
    }

    /// Everything about a sell of exactly this many base units.
    #[wasm_bindgen(js_name = quoteSellExactIn)]
    pub fn quote_sell_exact_in(&self, tokens: u64, trader: &Trader, is_whole: bool) -> *const u64 {
        self.quoted(Order::SellExactIn { tokens }, trader, is_whole)
    }

    /// Everything about a sell of a `percentage` of what the trader's wallet holds.
    #[wasm_bindgen(js_name = quoteSellPercentage)]
    pub fn quote_sell_percentage(&self, trader: &Trader, is_whole: bool, args: &mut CallArgs) -> *const u64 {
        let args = args.tape();
        let share = arguments(args.root(), |r| r.needed("percentage", read_share));
        let share =
            share.and_then(|share| share.ok_or_else(|| bad("percentage", FieldCode::Required, "is missing")));
        match share {
            Ok(share) => self.quoted(Order::SellShare { share }, trader, is_whole),
            Err(why) => self.refused(why),
        }
    }
}

impl Curve {
    /// A whole quote, or its numbers alone.
    fn quoted(&self, order: Order, trader: &Trader, is_whole: bool) -> *const u64 {
        let wallet = trader.wallet(self.rent_lamports());
        let ask = trader.ask(order, wallet.as_ref());
        let (launchpad, token) = (self.launchpad(), self.token());
        let words = match is_whole {
            true => quote(launchpad, &token, &ask)
                .map(|quote| words(&quote, wallet.as_ref(), launchpad.token_decimals)),
            false => numbers(launchpad, &token, &ask).map(|numbers| words_of_numbers(&numbers)),
        };
        match words {
            Ok(words) => {
                self.quote.set(words);
                self.quote.as_ptr().cast()
            }
            Err(why) => self.refused(why.into()),
        }
    }

    fn refused(&self, why: Failure) -> *const u64 {
        self.no_quote.set(Some(why));
        std::ptr::null()
    }
}

/// The bound of a quote, and its kind.
fn bound_of(action: Action) -> (u64, u64) {
    match action {
        Action::BuyExactIn { min_tokens, .. } => (min_tokens, 1),
        Action::BuyExactOut { max_lamports, .. } => (max_lamports, 2),
        Action::SellExactIn { min_lamports, .. } => (min_lamports, 3),
        Action::OpenTokenAccount | Action::CloseTokenAccount => (0, 0),
    }
}

/// The numbers at the places that they have in a whole quote. Nothing else is there.
fn words_of_numbers(numbers: &Numbers) -> [u64; QUOTE_WORDS] {
    let fill = &numbers.fill;
    let (bound, bound_kind) = bound_of(numbers.action);
    let mut words = [0; QUOTE_WORDS];
    words[0] = bound_kind << 5;
    words[8..17].copy_from_slice(&[
        fill.tokens,
        fill.wallet_lamports,
        fill.curve_lamports,
        fill.fees.protocol_lamports,
        fill.fees.creator_lamports,
        bound,
        numbers.worst_tokens,
        numbers.worst_wallet_lamports,
        account_change(numbers.account).1,
    ]);
    words[18..20].copy_from_slice(&[numbers.network_fee_lamports, numbers.own_network_fee_lamports]);
    put_wide(&mut words[24..28], &[numbers.net_lamports as u128, numbers.worst_net_lamports as u128]);
    words[36] = numbers.volume_rent_lamports;
    words
}

/// Numbers of 128 bits, each as two words, the low one first.
fn put_wide(words: &mut [u64], numbers: &[u128]) {
    for (words, number) in words.chunks_exact_mut(2).zip(numbers) {
        words.copy_from_slice(&[*number as u64, (number >> 64) as u64]);
    }
}

/// A whole quote: its numbers, and what a person reads beside them.
fn words(quote: &Quote, wallet: Option<&Wallet>, decimals: u8) -> [u64; QUOTE_WORDS] {
    let account = match quote.account {
        AccountChange::Unknown => 0,
        AccountChange::None => 1,
        AccountChange::Opens { .. } => 2,
        AccountChange::Closes { .. } => 3,
    };
    let prices = [quote.spot_before, quote.spot_after, quote.average, quote.average_with_fees];
    let prices = prices.map(|price: Price| price.nano_lamports_per_token(decimals));
    let mut words = words_of_numbers(&quote.numbers);
    words[0] |= u64::from(quote.side == Side::Sell)
        | u64::from(quote.rates_fixed) << 1
        | u64::from(quote.completion == Completion::Partial) << 2
        | account << 3
        | u64::from(wallet.is_some()) << 7
        | u64::from(quote.completion == Completion::Pool) << 12;
    for (place, price) in prices.iter().enumerate() {
        words[0] |= u64::from(price.is_some()) << (8 + place);
    }
    words[1..8].copy_from_slice(&[
        decimals.into(),
        quote.rates.protocol_bps().into(),
        quote.rates.creator_bps().into(),
        quote.slippage_ppm.into(),
        quote.impact_bps.min(MAX_SAFE),
        quote.spot_move_bps.min(MAX_SAFE),
        // Four bits for each warning, in their order, with its number from one.
        quote.warnings.iter().rev().fold(0, |all, warning| all << 4 | (*warning as u64 + 1)),
    ]);
    words[17] = wallet.map_or(0, Wallet::tokens);
    put_wide(&mut words[20..24], &[quote.market_cap_before_lamports, quote.market_cap_after_lamports]);
    put_wide(&mut words[28..36], &prices.map(Option::unwrap_or_default));
    words
}
