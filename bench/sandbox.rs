//! The native side of the sandbox benchmark: the same Rust, compiled for this machine, trading in the world of
//! bench/sandbox/world.mjs.

use std::io::{BufRead, stdin};
use std::time::Instant;

use launchpad_desk_sandbox::{HttpRequest, Sandbox, SandboxConfig, SandboxTokenConfig, SandboxWalletConfig};

const CALLS: usize = 20_000;
const ANSWERED: usize = 2_000;
const IN_A_RUN: usize = 2_000;

struct Call {
    path: &'static str,
    body: Vec<u8>,
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [wallets, tokens] = arguments.as_slice() else {
        return Err("usage: bench-sandbox <wallets> <tokens>".into());
    };
    let (wallets, tokens) = (wallets.parse()?, tokens.parse()?);
    let mut sandbox = Sandbox::new(world(wallets, tokens)).map_err(|found| format!("{found:?}"))?;
    let calls = calls(wallets, tokens);
    let headers = [("content-type".to_owned(), "application/json".to_owned())];
    let mut calls = calls.iter().cycle();
    let mut trade = || {
        let Call { path, body } = calls.next().expect("a cycle goes on");
        sandbox.handle(&HttpRequest { method: "POST", path, headers: &headers, body, now_ms: 0 })
    };
    let mut sum = 0i32;
    for _ in 0..ANSWERED {
        for byte in trade().reply.body {
            sum = sum.wrapping_mul(31).wrapping_add(i32::from(byte));
        }
    }
    println!("{sum}");
    for line in stdin().lock().lines() {
        let runs: usize = line?.trim().parse()?;
        let began = Instant::now();
        for _ in 0..runs * IN_A_RUN {
            std::hint::black_box(trade());
        }
        println!("{}", began.elapsed().as_secs_f64() * 1e3);
    }
    Ok(())
}

fn world(wallets: usize, tokens: usize) -> SandboxConfig {
    let mut config = SandboxConfig::default();
    let (token, lamports) = (config.tokens[0].clone(), 90_000_000_000);
    config.tokens = (0..tokens)
        .map(|number| {
            let (mint, symbol) = (format!("mint-{number}"), "mint".to_owned());
            SandboxTokenConfig { mint, name: symbol.clone(), symbol, ..token.clone() }
        })
        .collect();
    config.wallets = (0..wallets)
        .map(|number| {
            let wallet = format!("wallet-{number}");
            SandboxWalletConfig {
                label: wallet.clone(),
                wallet,
                lamports,
                opens_volume_account: false,
                holdings: Vec::new(),
            }
        })
        .collect();
    config
}

/// For each wallet, a buy of a token and a sale of all of it, in turns with the others.
fn calls(wallets: usize, tokens: usize) -> Vec<Call> {
    let call = |number: usize| {
        let pair = number / 2;
        let (wallet, mint) = (pair * 7_919 % wallets, pair % tokens);
        let (path, amount) = match number % 2 {
            0 => ("/v1/trade/buy", "\"amountInLamports\":10000000"),
            _ => ("/v1/trade/sell-by-percentage", "\"percentage\":100"),
        };
        let names = format!("\"mint\":\"mint-{mint}\",\"fromWallet\":\"wallet-{wallet}\"");
        let absent =
            "\"feePayer\":null,\"slippage\":null,\"priorityUnitLimit\":null,\"priorityUnitPrice\":null";
        Call { path, body: format!("{{{names},{amount},{absent}}}").into_bytes() }
    };
    (0..CALLS).map(call).collect()
}
