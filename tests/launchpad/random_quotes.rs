//! Ten thousand random quotes, as native Rust makes them: for each a line with the question, as JS asks it, a tab, and the
//! answer as JSON text. The same maths in other runtimes must give the same bytes.
//!
//!     cargo run --example random-quotes -- 7

use launchpad_desk::amount::{Decimal, decimal_text};
use launchpad_desk::bindings::object;
use launchpad_desk::launchpad::account::{Share, TokenAccount};
use launchpad_desk::launchpad::cost::Priority;
use launchpad_desk::launchpad::fees::{FeeRates, FeeTier};
use launchpad_desk::launchpad::plan::SplitMix64;
use launchpad_desk::launchpad::quote::{Ask, FeePayer, Order, Quote, WarningThresholds, quote};
use launchpad_desk::launchpad::settings::LaunchpadConfig;
use launchpad_desk::launchpad::transaction::{Action, Wallet};
use launchpad_desk::launchpad::view::{MAX_SAFE, account_change, percent_of_ppm, price};
use launchpad_desk::launchpad::{Completion, Curve, Launchpad, Token};
use launchpad_desk::tape::{Data, Item, Number, Tape, ToTape, json};

const QUOTES: u32 = 10_000;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let seed = std::env::args().nth(1).ok_or("usage: random-quotes <seed>")?.parse()?;
    let mut random = SplitMix64 { state: seed };
    for _ in 0..QUOTES {
        println!("{}", line(&mut random).ok_or("a generated market that cannot be")?);
    }
    Ok(())
}

/// Numbers of every size with equal chance, and sometimes one of the limits.
fn any_size(random: &mut SplitMix64) -> u64 {
    match random.below(40) {
        0 => 0,
        1 => u64::MAX,
        _ => random.draw() >> random.below(64),
    }
}

/// A curve as it may be, partly sold, or any four numbers.
fn any_curve(random: &mut SplitMix64, launchpad: &Launchpad) -> Curve {
    if random.below(4) == 0 {
        return Curve {
            virtual_token_reserves: any_size(random),
            virtual_sol_reserves: any_size(random),
            real_token_reserves: any_size(random),
            real_sol_reserves: any_size(random),
        };
    }
    let start = Launchpad::default().new_token();
    let spend = random.below(90_000_000_000);
    let moved =
        Launchpad { completion: Completion::Partial, ..launchpad.clone() }.buy_exact_in(&start, spend, 1);
    moved.map_or(start.curve, |fill| fill.curve_after)
}

fn any_launchpad(random: &mut SplitMix64) -> Option<Launchpad> {
    let mut launchpad = Launchpad::default();
    if random.below(2) == 0 {
        launchpad.fee_tiers.clear();
        for tier in 0..=random.below(3) {
            launchpad.fee_tiers.push(FeeTier {
                market_cap_threshold_lamports: (tier * random.below(80_000_000_000)).into(),
                rates: FeeRates::new(random.below(300) as u16, random.below(300) as u16)?,
            });
        }
    }
    if random.below(20) == 0 {
        let rates = FeeRates::new(random.below(10_001) as u16, random.below(10_001) as u16)?;
        launchpad.fee_tiers = vec![FeeTier { market_cap_threshold_lamports: 0, rates }];
    }
    launchpad.token_decimals = if random.below(4) == 0 { random.below(19) as u8 } else { 6 };
    launchpad.completion = if random.below(2) == 0 { Completion::Reject } else { Completion::Partial };
    launchpad.rent_lamports_per_byte = random.below(10_000);
    Some(launchpad)
}

/// What is asked and what comes of it.
fn line(random: &mut SplitMix64) -> Option<String> {
    let launchpad = any_launchpad(random)?;
    let curve = any_curve(random, &launchpad);
    let supply = if random.below(8) == 0 { any_size(random) } else { launchpad.token_supply };
    let token = Token { has_creator: random.below(4) > 0, ..Token::new(curve, supply) };
    let tokens = any_size(random);
    let account = TokenAccount { tokens, lamports: any_size(random), ..TokenAccount::default() };
    let wallet = Wallet {
        lamports: any_size(random),
        token_account: Some(account).filter(|_| random.below(3) > 0),
        opens_volume_account: random.below(2) == 0,
    };
    let wallet = Some(wallet).filter(|_| random.below(5) > 0);
    let widest = if random.below(10) == 0 { 1_000_001 } else { 60_000 };
    let slippage_ppm = random.below(widest) as u32;
    let fee_payer = if random.below(2) == 0 { FeePayer::Trader } else { FeePayer::Other };
    let price = random.below(2) == 0;
    let priority = Priority {
        unit_limit: Some(random.below(1_400_000)).filter(|_| random.below(2) == 0),
        unit_price_micro_lamports: Some(random.below(10_000_000)).filter(|_| price),
    };
    let amount = any_size(random);
    let percent = Decimal::from_units(1 + random.below(1_000_000), 4);
    let (method, argument, order) = match random.below(4) {
        0 => ("quoteBuyExactIn", amount.to_tape(), Order::BuyExactIn { lamports: amount }),
        1 => ("quoteBuyExactOut", amount.to_tape(), Order::BuyExactOut { tokens: amount }),
        2 => {
            // Half of what is held, or any other number.
            let amount = if random.below(2) == 0 { tokens / 2 } else { amount };
            ("quoteSellExactIn", amount.to_tape(), Order::SellExactIn { tokens: amount })
        }
        _ => {
            let share = Share::of_percent(&percent.text())?;
            ("quoteSellPercentage", percent.text().to_tape(), Order::SellShare { share })
        }
    };
    let asked = object! {
        "curve": object! {
            "launchpad": LaunchpadConfig::of(&launchpad),
            "curve": token.curve,
            "supply": token.supply,
            "hasCreator": token.has_creator,
        },
        "trader": object! {
            "wallet": wallet.map(|wallet| object! {
                "lamports": wallet.lamports,
                "tokenAccount": wallet.token_account.map(|account| object! {
                    "tokens": account.tokens,
                    "lamports": account.lamports,
                }),
                "opensVolumeAccount": wallet.opens_volume_account,
            }),
            "slippage": object! { "percent": Decimal::from_units(slippage_ppm.into(), 4).text() },
            "feePayer": if fee_payer == FeePayer::Trader { "trader" } else { "other" },
            "priorityUnitLimit": priority.unit_limit,
            "priorityUnitPrice": priority.unit_price_micro_lamports,
        },
        "method": method,
        "argument": argument,
    };
    let warn_above = WarningThresholds::default();
    let ask = Ask { order, slippage_ppm, wallet: wallet.as_ref(), fee_payer, priority, warn_above };
    let answer = match quote(&launchpad, &token, &ask) {
        Ok(quote) => curve_quote(&quote, wallet.as_ref(), launchpad.token_decimals),
        Err(refusal) => object! { "refused": refusal.as_str() },
    };
    Some([json::write(&exact(asked.root())), json::write(&answer)].join("\t"))
}

/// The same with every bigint as text, which JSON carries to JS without loss.
fn exact(value: Item) -> Tape {
    match value.data() {
        Data::BigInt(digits) => digits.to_tape(),
        Data::Array(items) => items.map(exact).collect::<Vec<_>>().to_tape(),
        Data::Object(fields) => {
            Tape::object(&fields.map(|(name, field)| (name, exact(field))).collect::<Vec<_>>())
        }
        other => other.to_tape(),
    }
}

/// A quote as JS has it, for a trade by this wallet.
fn curve_quote(quote: &Quote, wallet: Option<&Wallet>, decimals: u8) -> Tape {
    let fill = &quote.fill;
    let (token_account, rent_lamports) = account_change(quote.account);
    let (min_tokens, max_lamports, min_lamports) = match quote.action {
        Action::BuyExactIn { min_tokens, .. } => (Some(min_tokens), None, None),
        Action::BuyExactOut { max_lamports, .. } => (None, Some(max_lamports), None),
        Action::SellExactIn { min_lamports, .. } => (None, None, Some(min_lamports)),
        Action::OpenTokenAccount | Action::CloseTokenAccount => (None, None, None),
    };
    object! {
        "side": quote.side,
        "tokens": fill.tokens,
        "tokenAmount": decimal_text(fill.tokens.into(), decimals),
        "walletLamports": fill.wallet_lamports,
        "curveLamports": fill.curve_lamports,
        "protocolFeeLamports": fill.fees.protocol_lamports,
        "creatorFeeLamports": fill.fees.creator_lamports,
        "protocolFeeBps": quote.rates.protocol_bps(),
        "creatorFeeBps": quote.rates.creator_bps(),
        "ratesFixed": quote.rates_fixed,
        "completion": quote.completion,
        "priceImpactBps": Number(quote.impact_bps.min(MAX_SAFE).into()),
        "spotMoveBps": Number(quote.spot_move_bps.min(MAX_SAFE).into()),
        "spotPriceBefore": price(quote.spot_before, decimals),
        "spotPriceAfter": price(quote.spot_after, decimals),
        "averagePrice": price(quote.average, decimals),
        "averagePriceWithFees": price(quote.average_with_fees, decimals),
        "marketCapLamports": quote.market_cap_before_lamports,
        "marketCapAfterLamports": quote.market_cap_after_lamports,
        "slippagePercent": percent_of_ppm(quote.slippage_ppm),
        "minTokens": min_tokens,
        "maxLamports": max_lamports,
        "minLamports": min_lamports,
        "worstTokens": quote.worst_tokens,
        "worstTokenAmount": decimal_text(quote.worst_tokens.into(), decimals),
        "worstWalletLamports": quote.worst_wallet_lamports,
        "tokenAccount": token_account,
        "rentLamports": rent_lamports,
        "volumeRentLamports": quote.volume_rent_lamports,
        "heldTokens": wallet.map(Wallet::tokens),
        "networkFeeLamports": quote.network_fee_lamports,
        "ownNetworkFeeLamports": quote.own_network_fee_lamports,
        "netLamports": quote.net_lamports,
        "worstNetLamports": quote.worst_net_lamports,
        "tokenDecimals": decimals,
        "warnings": quote.warnings.clone(),
    }
}
