//! From a quote to a position, and out again, in the sandbox: `cargo run --example position`.

use std::error::Error;

use launchpad_desk::amount::{from_base_units, lamports_to_sol, sol_to_lamports, to_base_units};
use launchpad_desk::launchpad::account::TokenAccount;
use launchpad_desk::launchpad::position::Position;
use launchpad_desk::launchpad::quote::{Ask, Order, Quote, quote};
use launchpad_desk::launchpad::receipt::{Reported, receipt};
use launchpad_desk::launchpad::transaction::Wallet;
use launchpad_desk::prelude::*;
use launchpad_desk_client::{Client, SandboxTransport};
use launchpad_desk_sandbox::row::TokenRow;
use launchpad_desk_sandbox::{Sandbox, SandboxConfig};

/// The same for the quotes and for the trades, so that what is quoted is what may happen.
const SLIPPAGE: &str = "1%";
const SLIPPAGE_PPM: u32 = 10_000;

/// What an order of the first wallet would do to the first token now. A live program reads both from the chain.
fn quoted(sandbox: &Sandbox, order: Order) -> Result<Quote, Box<dyn Error>> {
    let owner = sandbox.wallets().swap_remove(0);
    let account = owner.token_accounts.first();
    let account = account.map(|account| TokenAccount {
        tokens: account.tokens,
        lamports: account.lamports,
        is_frozen: account.is_frozen,
        stays_open: account.stays_open,
    });
    let wallet = Wallet {
        lamports: owner.lamports,
        token_account: account,
        opens_volume_account: owner.opens_volume_account,
    };
    let token = sandbox.state().token(&sandbox.tokens()[0].mint).map(TokenRow::token).ok_or("no token")?;
    let ask = Ask { wallet: Some(&wallet), ..Ask::new(order, SLIPPAGE_PPM) };
    Ok(quote(sandbox.rules(), &token, &ask)?)
}

async fn trade(client: &Client<SandboxTransport>, mint: &str, wallet: &str) -> Result<(), Box<dyn Error>> {
    let sandbox = || client.transport().sandbox();
    let decimals = sandbox().config().token_decimals();
    let tokens = |units: u64| from_base_units(units, decimals);
    let wallet_lamports = || i128::from(sandbox().wallets()[0].lamports);
    let before = wallet_lamports();

    // What half a SOL buys, and then the buy.
    let lamports = sol_to_lamports("0.5")?;
    let expected = quoted(&sandbox(), Order::BuyExactIn { lamports })?;
    println!("quoted: {} tokens for {} SOL", tokens(expected.fill.tokens), lamports_to_sol(lamports));
    let buy = BuyRequest::new(mint, wallet, lamports).slippage(SLIPPAGE.parse()?);
    let bought = client.buy(buy).await?;

    // What it did, by its reply, and what the wallet holds from it.
    let mut position = Position::default();
    position.add(&receipt(&expected, None, &Reported::from(&bought)));
    println!(
        "holds: {} tokens, for {} SOL",
        tokens(position.tokens),
        lamports_to_sol(position.cost_lamports)
    );

    // A part first: the amount as a person writes it, in base units.
    let part = to_base_units("1000000.5", decimals)?;
    let expected = quoted(&sandbox(), Order::SellExactIn { tokens: part })?;
    let sell = SellRequest::new(mint, wallet, TokenInput::BaseUnits(part)).slippage(SLIPPAGE.parse()?);
    let sold = client.sell(sell).await?;
    position.add(&receipt(&expected, Some(position.tokens), &Reported::from(&sold)));
    println!(
        "holds: {} tokens, for {} SOL",
        tokens(position.tokens),
        lamports_to_sol(position.cost_lamports)
    );

    // Then the rest.
    let rest = position.tokens;
    let expected = quoted(&sandbox(), Order::SellExactIn { tokens: rest })?;
    let all = SellByPercentageRequest::new(mint, wallet, "100%".parse()?).slippage(SLIPPAGE.parse()?);
    let sold = client.sell_by_percentage(all).await?;
    position.add(&receipt(&expected, Some(rest), &Reported::from(&sold)));
    println!("holds: {} tokens", tokens(position.tokens));
    println!("gained: {} SOL, fees included", lamports_to_sol(position.realised_lamports));
    println!("wallet: {} SOL", lamports_to_sol(wallet_lamports() - before));
    Ok(())
}

fn main() -> Result<(), Box<dyn Error>> {
    let sandbox = Sandbox::new(SandboxConfig::default()).expect("the default sandbox is sound");
    let (mint, wallet) = (sandbox.tokens()[0].mint.clone(), sandbox.wallets()[0].wallet.clone());
    let client = Client::new(SandboxTransport::new(sandbox));
    // Any async runtime will do: the client does not depend on one.
    tokio::runtime::Builder::new_current_thread().build()?.block_on(trade(&client, &mint, &wallet))
}
