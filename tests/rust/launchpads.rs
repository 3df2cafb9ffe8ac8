//! What tests of the launchpad's maths begin with.

use crate::rents;

use launchpad_desk::launchpad::account::TokenAccount;
use launchpad_desk::launchpad::bundle::{Bundle, WalletOrder};
use launchpad_desk::launchpad::cost::Priority;
use launchpad_desk::launchpad::fees::{FeeRates, FeeTier};
use launchpad_desk::launchpad::quote::WarningThresholds;
use launchpad_desk::launchpad::transaction::Wallet;
use launchpad_desk::launchpad::{Launchpad, Token};

/// A tier: from this market cap on, a protocol's and a creator's rate in basis points.
pub fn tier(market_cap_threshold_lamports: u128, protocol: u16, creator: u16) -> FeeTier {
    FeeTier { market_cap_threshold_lamports, rates: FeeRates::new(protocol, creator).expect("rates") }
}

pub fn with_tiers(fee_tiers: Vec<FeeTier>) -> Launchpad {
    Launchpad { fee_tiers, ..Launchpad::default() }
}

/// A launchpad on which every trade pays these rates.
pub fn with_rates(rates: FeeRates) -> Launchpad {
    with_tiers(vec![FeeTier { market_cap_threshold_lamports: 0, rates }])
}

/// A token account with so many base units, and its rent.
pub fn account(tokens: u64) -> TokenAccount {
    TokenAccount { tokens, lamports: rents::token_account(), ..TokenAccount::default() }
}

/// Legs of these wallets in one transaction.
pub fn bundle<'a>(wallets: &'a [Wallet], legs: &'a [WalletOrder], fee_payer: usize) -> Bundle<'a> {
    let (priority, warn_above) = (Priority::default(), WarningThresholds::default());
    Bundle { wallets, legs, slippage_ppm: None, fee_payer, priority, warn_above }
}

/// A token of which others have bought for 20 SOL, so that its curve can pay sellers.
pub fn traded() -> Token {
    let launchpad = Launchpad::default();
    let fill = launchpad.buy_exact_in(&launchpad.new_token(), 20_000_000_000, 1).expect("a buy");
    Token { curve: fill.curve_after, ..launchpad.new_token() }
}
