//! Limits on one request: wallets, mints, lamports, slippage.

use crate::amount::{Decimal, Digits};
use crate::api::endpoint::Operation;
use crate::api::request::Request;
use crate::error::{Code, FieldCode};
use crate::trade::guard::Settings;
use crate::trade::guard::refusal::{Refusal, refuse, refuse_field};
use crate::trade::guard::worst::{Worst, default_percent, percent};
use crate::trade::wallets::wallets;

/// Checks a request on its own: allow-lists, lamports, slippage.
pub fn check(request: &Request, settings: &Settings, worst: &Worst) -> Refusal {
    check_names(request, settings)?;
    check_lamports(request, settings, worst)?;
    check_slippage(request, settings)
}

fn check_names(request: &Request, settings: &Settings) -> Refusal {
    if settings.allow_mints.as_ref().is_some_and(|mints| !mints.contains(&request.mint)) {
        return refuse_field(Code::MintNotAllowed, "mint", FieldCode::NotAllowed, "is not in allowMints");
    }
    let Some(allowed) = &settings.allow_wallets else { return Ok(()) };
    match wallets(request).find(|(_, wallet)| !allowed.contains(*wallet)) {
        None => Ok(()),
        Some((leg, _)) => refuse_field(
            Code::WalletNotAllowed,
            &wallet_field(request, leg),
            FieldCode::NotAllowed,
            "is not in allowWallets",
        ),
    }
}

fn check_lamports(request: &Request, settings: &Settings, worst: &Worst) -> Refusal {
    let over = |limit: &u64| worst.total() > u128::from(*limit);
    let Some(limit) = settings.max_lamports_per_trade.filter(over) else { return Ok(()) };
    let (total, words) = (worst.total().digits(), worst.in_words());
    let what =
        ["spends up to ", &total, " lamports", &words, "; over maxLamportsPerTrade (", &limit.digits(), ")"];
    let field = spending_field(request.operation, worst);
    refuse_field(Code::OverTradeLimit, field, FieldCode::OutOfRange, &what.concat())
}

/// Checks every leg, since a single leg can lose what it spends. Compares exact decimals, so any excess counts.
fn check_slippage(request: &Request, settings: &Settings) -> Refusal {
    let Some(limit) = settings.max_slippage else { return Ok(()) };
    let Ok(limit) = percent(limit, settings.slippage_unit) else {
        return refuse(Code::OverSlippageLimit, "maxSlippage has too many digits");
    };
    for (index, leg) in request.legs.iter().enumerate() {
        let given = request.slippage_of(leg);
        let own = given.map_or_else(|| Ok(default_percent()), |own| percent(own, settings.slippage_unit));
        if own.is_ok_and(|own| own <= limit) {
            continue;
        }
        let field =
            if leg.slippage.is_some() { request.leg_field(index, "slippage") } else { "slippage".to_owned() };
        let by_default = if given.is_none() { " by default" } else { "" };
        let size = own.map_or_else(|_| "too long a number".to_owned(), Decimal::text);
        let what = ["is ", &size, " %", by_default, ", over maxSlippage (", &limit.text(), " %)"].concat();
        return refuse_field(Code::OverSlippageLimit, &field, FieldCode::OutOfRange, &what);
    }
    Ok(())
}

/// The path of a wallet: a leg's, or the fee payer's.
pub fn wallet_field(request: &Request, leg: Option<usize>) -> String {
    leg.map_or_else(|| "feePayer".to_owned(), |leg| request.leg_field(leg, "fromWallet"))
}

/// The field that says how many lamports a request spends: those of the buys, or the price of priority, if that is more.
pub fn spending_field(operation: Operation, worst: &Worst) -> &'static str {
    if !operation.is_buy() || worst.priority > worst.buys.saturating_add(worst.accounts) {
        "priorityUnitPrice"
    } else if operation.is_bundle() {
        "buys"
    } else {
        "amountInLamports"
    }
}
