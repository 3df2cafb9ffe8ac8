//! A market with holdings: wallets that hold tokens before the first call.

use crate::rents;

use launchpad_desk::api::endpoint::Operation;
use launchpad_desk::bindings::object;
use launchpad_desk::error::FieldError;
use launchpad_desk::tape::Data;
use launchpad_desk_sandbox::{Sandbox, SandboxConfig};

fn market(tokens: u64) -> Result<Sandbox, Vec<FieldError>> {
    let curve = object! {
        "virtualTokenReserves": 1_000_000_000_000_000u64, "virtualSolReserves": 32_190_000_000u64,
        "realTokenReserves": 720_100_000_000_000u64, "realSolReserves": 2_190_000_000u64,
    };
    let holdings = vec![object! { "mint": "M", "tokens": tokens }];
    let config = object! {
        "tokens": vec![object! { "mint": "M", "curve": curve }],
        "wallets": vec![object! { "wallet": "W", "lamports": 1_000_000u64, "holdings": holdings }],
    };
    Sandbox::new(SandboxConfig::read(config.root())?)
}

#[test]
fn a_holding_is_sold_and_its_account_closed() {
    let sandbox = market(10_000_000).unwrap();
    let request = object! { "mint": "M", "fromWallet": "W", "percentage": Data::Number("100") };
    let run = sandbox.quote(Operation::SellByPercentage, request.root()).unwrap();
    let leg = &run.quote.unwrap().legs[0];
    // 10000000 · 32190000000 / (10^15 + 10000000), floored; then both fees, each ceiled.
    assert_eq!((leg.fill.tokens, leg.fill.curve_lamports, leg.fill.wallet_lamports), (10_000_000, 321, 316));
    assert_eq!(leg.account.wallet_lamports(), i128::from(rents::token_account()));
}

#[test]
fn more_than_there_is_cannot_be_held() {
    assert!(market(279_900_000_000_000).is_ok());
    let message = &market(279_900_000_000_001).unwrap_err()[0].message;
    assert_eq!(message, "tokens[0].supply is less than the curve, wallets and rivals hold in total");
}
