//! A small bot in the sandbox: `cargo run --example bot`.
//!
//! It buys three times and sells everything. The service loses its second answer, so the outcome of that trade is unknown until
//! the balances prove it.

use std::error::Error;

use launchpad_desk::prelude::*;
use launchpad_desk::trade::reconcile::{Balances, WalletBalances, reconcile};
use launchpad_desk_client::{Client, SandboxTransport, Settings, Transport};
use launchpad_desk_sandbox::{Fault, FaultConfig, FaultKind, Sandbox, SandboxConfig};

/// Trades for one wallet. `holdings` returns what the wallet holds now; a live bot asks the network.
pub async fn trade<T: Transport>(
    client: &Client<T>,
    mint: &str,
    wallet: &str,
    holdings: impl Fn() -> WalletBalances,
) -> Result<(), Box<dyn Error>> {
    for count in 1..=3 {
        // If its network fee is bounded, what a buy paid shows whether it landed.
        let buy = BuyRequest::new(mint, wallet, 100_000_000).slippage("5%".parse()?).priority(200_000, 1_000);
        match client.buy(buy).intent_id(format!("buy-{count}")).before(vec![holdings()]).await {
            Ok(traded) => println!("buy-{count}: {}", traded.trade.status.as_str()),
            // The money may have moved: look before anything else is sent.
            Err(error) if error.outcome == Outcome::Unknown => {
                println!("buy-{count}: {error}");
                settle(client, holdings()).await?;
            }
            Err(error) if error.outcome == Outcome::Failed => {
                println!("buy-{count}: only the network fee moved: {error}");
            }
            Err(error) => println!("buy-{count}: nothing moved: {error}"),
        }
    }
    let sold = client.sell_by_percentage(SellByPercentageRequest::new(mint, wallet, "100%".parse()?)).await?;
    println!("sold {} tokens", sold.trade.result.amount.as_ref().map_or("?", |amount| amount.as_str()));
    Ok(())
}

/// Acknowledges what happened to each unresolved trade, if the balances prove it.
async fn settle<T: Transport>(client: &Client<T>, now: WalletBalances) -> Result<(), Box<dyn Error>> {
    let open = client.pending().await?;
    for intent in &open {
        let seen = intent.trade.before.clone().unwrap_or_default();
        let mut balances = Balances::between(&seen, std::slice::from_ref(&now));
        // Only this bot signs for the wallet. That the trade never landed is not proven as long as it can still land.
        balances.wallets_shared = open.len() > 1;
        let request = intent.trade.request()?;
        let reconciled = reconcile(&request, &balances);
        println!("{}: {}, landed: {:?}", intent.id(), reconciled.certainty.as_str(), reconciled.landed);
        // If nothing is proven, the trade waits for a person.
        if let Some(found) = reconciled.found {
            client.acknowledge(intent.id(), found).await?;
        }
    }
    Ok(())
}

/// A sandbox that loses its second answer.
pub fn sandbox() -> Sandbox {
    let fault = |kind| Fault { kind, ..Fault::default() };
    let script = vec![fault(FaultKind::None), fault(FaultKind::NoAnswer)];
    let faults = FaultConfig { script, ..FaultConfig::default() };
    Sandbox::new(SandboxConfig { faults, ..SandboxConfig::default() }).expect("the default sandbox is sound")
}

/// What the first wallet of a sandbox holds of its first token.
pub fn holdings(sandbox: &Sandbox) -> WalletBalances {
    let wallet = sandbox.wallets().swap_remove(0);
    // A sandbox lists every account, so a wallet without one holds none. What a live bot failed to read is `None`.
    let tokens = wallet.token_accounts.first().map_or(0, |account| account.tokens);
    WalletBalances {
        wallet: wallet.wallet,
        tokens: Some(tokens),
        lamports: Some(wallet.lamports),
        slot: None,
    }
}

#[allow(dead_code)]
fn main() -> Result<(), Box<dyn Error>> {
    let transport = SandboxTransport::new(sandbox());
    let (mint, wallet) = {
        let sandbox = transport.sandbox();
        (sandbox.tokens()[0].mint.clone(), sandbox.wallets()[0].wallet.clone())
    };
    let limits = Settings { max_lamports_per_day: Some(1_000_000_000), ..Settings::default() };
    let client = Client::builder(transport).guards(limits).build()?;
    let holdings = || holdings(&client.transport().sandbox());
    // Any async runtime will do: the client does not depend on one.
    tokio::runtime::Builder::new_current_thread().build()?.block_on(trade(&client, &mint, &wallet, holdings))
}
