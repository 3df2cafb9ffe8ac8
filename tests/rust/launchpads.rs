//! What tests of the launchpad's maths begin with.

use crate::oracle::any_size;
use crate::rents;

use launchpad_desk::amount::from_base_units;
use launchpad_desk::launchpad::account::{Share, TokenAccount};
use launchpad_desk::launchpad::bundle::{Bundle, WalletOrder};
use launchpad_desk::launchpad::cost::Priority;
use launchpad_desk::launchpad::fees::{FeeRates, FeeTier};
use launchpad_desk::launchpad::quote::{Order, WarningThresholds};
use launchpad_desk::launchpad::transaction::Wallet;
use launchpad_desk::launchpad::{Curve, Launchpad, Token};
use proptest::prelude::*;

/// A curve by its virtual tokens, virtual lamports, real tokens and real lamports.
pub fn reserves(of: [u64; 4]) -> Curve {
    let [virtual_token_reserves, virtual_sol_reserves, real_token_reserves, real_sol_reserves] = of;
    Curve { virtual_token_reserves, virtual_sol_reserves, real_token_reserves, real_sol_reserves }
}

/// A tier: from this market cap on, a protocol's and a creator's rate in basis points.
pub fn tier(market_cap_threshold_lamports: u128, protocol: u16, creator: u16) -> FeeTier {
    FeeTier { market_cap_threshold_lamports, rates: FeeRates::new(protocol, creator).expect("rates") }
}

pub fn with_tiers(fee_tiers: Vec<FeeTier>) -> Launchpad {
    Launchpad { fee_tiers, ..Launchpad::default() }
}

/// The tokens that the first buy of a new token brings by the newest rules: in base units, and whole ones as replies have them.
pub fn first_buy(lamports: u64) -> (u64, String) {
    let launchpad = Launchpad::default();
    let bought = launchpad.buy_exact_in(&launchpad.new_token(), lamports, 1).expect("a buy").tokens;
    (bought, from_base_units(bought, launchpad.token_decimals))
}

/// A launchpad on which every trade pays these rates.
pub fn with_rates(rates: FeeRates) -> Launchpad {
    with_tiers(vec![FeeTier { market_cap_threshold_lamports: 0, rates }])
}

/// A token account with so many base units, and its rent.
pub fn account(tokens: u64) -> TokenAccount {
    TokenAccount { tokens, lamports: rents::token_account(), ..TokenAccount::default() }
}

pub fn plain(lamports: u64) -> Wallet {
    Wallet { lamports, ..Wallet::default() }
}

pub fn holding(lamports: u64, tokens: u64) -> Wallet {
    Wallet { token_account: Some(account(tokens)), ..plain(lamports) }
}

/// Wallets with lamports of any size; their token accounts have any lamports, too, and may have to stay open.
pub fn wallets() -> impl Strategy<Value = Wallet> {
    let account = (any_size(), prop_oneof![0u64..5_000_000, any_size()], any::<bool>());
    let account = account.prop_map(|(tokens, lamports, stays_open)| TokenAccount {
        tokens,
        lamports,
        stays_open,
        ..TokenAccount::default()
    });
    (any_size(), proptest::option::of(account), any::<bool>()).prop_map(
        |(lamports, token_account, opens_volume_account)| Wallet {
            lamports,
            token_account,
            opens_volume_account,
        },
    )
}

/// Orders of such amounts, and of every thousandth of what is held.
pub fn orders<S: Strategy<Value = u64>>(amount: impl Fn() -> S) -> impl Strategy<Value = Order> {
    let share = |part| Order::SellShare { share: Share::new(part, 1_000).expect("a share") };
    prop_oneof![
        amount().prop_map(|lamports| Order::BuyExactIn { lamports }),
        amount().prop_map(|tokens| Order::BuyExactOut { tokens }),
        amount().prop_map(|tokens| Order::SellExactIn { tokens }),
        (1u128..=1_000).prop_map(share),
    ]
}

/// Legs of these wallets in one transaction.
pub fn bundle<'a>(wallets: &'a [Wallet], legs: &'a [WalletOrder], fee_payer: usize) -> Bundle<'a> {
    let (priority, warn_above) = (Priority::default(), WarningThresholds::default());
    Bundle { wallets, legs, slippage_ppm: None, fee_payer, priority, warn_above }
}

/// A token as it is launched, by the default rules.
pub fn launched() -> (Launchpad, Token) {
    let launchpad = Launchpad::default();
    let token = launchpad.new_token();
    (launchpad, token)
}

/// A token of which others have bought for 20 SOL, so that its curve can pay sellers.
pub fn traded() -> Token {
    let (launchpad, token) = launched();
    Token { curve: launchpad.buy_exact_in(&token, 20_000_000_000, 1).expect("a buy").curve_after, ..token }
}
