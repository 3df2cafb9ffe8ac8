//! Limits on one request: wallets, mints, lamports, slippage.

use crate::amount::{Decimal, DecimalError, Digits, Slippage, SlippageUnit};
use crate::api::endpoint::Operation;
use crate::api::request::Request;
use crate::error::{Code, FieldCode};
use crate::trade::guard::Settings;
use crate::trade::guard::intents::{lamports, wallets};
use crate::trade::guard::refusal::{Refusal, refuse, refuse_field};

/// Checks a request on its own: allow-lists, lamports, slippage.
pub fn check(request: &Request, settings: &Settings) -> Refusal {
    check_names(request, settings)?;
    check_lamports(request, settings)?;
    check_slippage(request, settings)
}

fn check_names(request: &Request, settings: &Settings) -> Refusal {
    if settings.allow_mints.as_ref().is_some_and(|mints| !mints.contains(&request.mint)) {
        return refuse_field(Code::MintNotAllowed, "mint", FieldCode::NotAllowed, "is not in allowMints");
    }
    let Some(allowed) = &settings.allow_wallets else { return Ok(()) };
    match wallets(request).find(|(_, wallet)| !allowed.contains(wallet)) {
        None => Ok(()),
        Some((leg, _)) => refuse_field(
            Code::WalletNotAllowed,
            &wallet_field(request, leg),
            FieldCode::NotAllowed,
            "is not in allowWallets",
        ),
    }
}

fn check_lamports(request: &Request, settings: &Settings) -> Refusal {
    let spends = lamports(request);
    match settings.max_lamports_per_trade {
        Some(limit) if spends > limit.into() => {
            let (spends, limit) = (spends.digits(), limit.digits());
            let what = ["spends ", &spends, " lamports, over maxLamportsPerTrade (", &limit, ")"].concat();
            refuse_field(
                Code::OverTradeLimit,
                spending_field(request.operation),
                FieldCode::OutOfRange,
                &what,
            )
        }
        _ => Ok(()),
    }
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

/// The service's slippage for a request that names none.
fn default_percent() -> Decimal {
    Decimal::from_units(Slippage::DEFAULT_PPM.into(), 4)
}

/// A slippage in percent, exact.
fn percent(slippage: Slippage, unit: SlippageUnit) -> Result<Decimal, DecimalError> {
    match (slippage, unit) {
        (Slippage::Bare(number), SlippageUnit::Bps) => number.shift(-2),
        _ => slippage.in_unit(SlippageUnit::Percent),
    }
}

/// The path of a wallet: a leg's, or the fee payer's.
pub fn wallet_field(request: &Request, leg: Option<usize>) -> String {
    leg.map_or_else(|| "feePayer".to_owned(), |leg| request.leg_field(leg, "fromWallet"))
}

/// The field that says how many lamports a request spends.
pub fn spending_field(operation: Operation) -> &'static str {
    if operation.is_bundle() { "buys" } else { "amountInLamports" }
}
