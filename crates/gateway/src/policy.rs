//! What a desk and its callers may do. [`trade::guard`](launchpad_desk::trade::guard) checks the limits of one request, the lists, the
//! slippage and the rate. This module adds what only a gateway has: limits over any 24 hours and for each wallet, percentages,
//! the size of a bundle, and when an operator must approve.

use crate::code::GatewayCode;
use crate::ledger::{Account, Ledger, Spend};
use crate::problem::Problem;
use launchpad_desk::amount::{Decimal, Digits, Slippage, SlippageUnit};
use launchpad_desk::api::request::{Amount, Request};
use launchpad_desk::bindings::reader::Reader;
use launchpad_desk::error::{FieldCode, FieldError};
use launchpad_desk::trade::Dialect;
use launchpad_desk::trade::guard::{Settings, Worst};

/// The limits of a desk, or of one of its callers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    /// What the guards check. Their limit for a calendar day is not used.
    pub guards: Settings,
    /// The most lamports that trades may take in any 24 hours.
    pub max_lamports_per_day: Option<u64>,
    /// The same for each wallet.
    pub max_lamports_per_wallet_per_day: Option<u64>,
    /// The largest percentage of its holdings that a wallet may sell at once. A sell of an amount has none.
    pub max_percentage: Option<Decimal>,
    /// The most elements of a bundle.
    pub max_bundle_size: Option<u32>,
}

impl Limits {
    /// Reads `limits`: the limits of the guards, and `maxLamportsPerWalletPerDay`, `maxPercentage`, `maxBundleSize`.
    pub(super) fn read(r: &mut Reader, dialect: &Dialect) -> Limits {
        let mut guards = Settings::read(r, dialect.rules.slippage_unit);
        guards.buys_may_exceed = dialect.buys_may_exceed;
        // A client's defaults would be too strict for a desk with many traders.
        if r.value("inFlightPerWallet").is_none() {
            guards.in_flight_per_wallet = u32::MAX;
        }
        if r.value("breaker").is_none() {
            guards.breaker_unknowns = u32::MAX;
        }
        for name in ["maxImpactBps", "maxPriceAgeMs"] {
            if r.value(name).is_some() {
                r.refuse(
                    name,
                    FieldCode::Conflict,
                    "belongs to a client: a gateway has no price when it forwards",
                );
            }
        }
        if guards.rate_limit.as_ref().is_some_and(|rate| rate.max_queue_ms > 0) {
            let what = "must not have maxQueueMs: a gateway refuses at once";
            r.refuse("rateLimit", FieldCode::Conflict, what);
        }
        Limits {
            max_lamports_per_day: guards.max_lamports_per_day.take(),
            max_lamports_per_wallet_per_day: r.whole("maxLamportsPerWalletPerDay"),
            max_percentage: r.decimal("maxPercentage"),
            max_bundle_size: r.count("maxBundleSize", 1),
            guards,
        }
    }

    /// Reads the limits of a desk, which has none of those that are only for a caller.
    pub(super) fn read_of_desk(r: &mut Reader, dialect: &Dialect) -> Limits {
        for name in ["rateLimit", "inFlightPerWallet", "breaker"] {
            if r.value(name).is_some() {
                r.refuse(name, FieldCode::Conflict, "belongs to the limits of a caller");
            }
        }
        Limits::read(r, dialect)
    }

    /// Checks the limits that the guards do not know.
    /// Fails with the first limit that the request exceeds.
    pub(super) fn check(
        &self,
        request: &Request,
        spends: &[Spend],
        caller: Option<&str>,
        ledger: &Ledger,
        now_ms: u64,
    ) -> Result<(), Problem> {
        self.check_bundle(request)?;
        self.check_percentages(request)?;
        let field = if request.operation.is_bundle() { "buys" } else { "amountInLamports" };
        let total = spends.iter().map(|spend| spend.lamports).sum();
        // What leaves the market passes, even if the day is used up.
        if !request.operation.is_buy() {
            return Ok(());
        }
        let over = |name: &str, limit: u64, lamports: u128, account: &Account, code| {
            let left = u128::from(limit).saturating_sub(ledger.lamports(account, now_ms));
            if lamports == 0 || lamports <= left {
                return Ok(());
            }
            let (spends, left, limit) = (lamports.digits(), left.digits(), limit.digits());
            let what =
                ["spends up to ", &spends, " lamports; ", name, " (", &limit, ") leaves ", &left].concat();
            Err(blamed(code, field, &what))
        };
        if let Some(limit) = self.max_lamports_per_day {
            over("maxLamportsPerDay", limit, total, &Account::of(caller, None), GatewayCode::OverDayLimit)?;
        }
        if let Some(limit) = self.max_lamports_per_wallet_per_day {
            for Spend { wallet, lamports } in spends {
                let account = Account::of(caller, Some(wallet));
                let name = "maxLamportsPerWalletPerDay";
                over(name, limit, *lamports, &account, GatewayCode::OverWalletDayLimit)?;
            }
        }
        Ok(())
    }

    fn check_bundle(&self, request: &Request) -> Result<(), Problem> {
        match self.max_bundle_size {
            Some(most) if request.operation.is_bundle() && request.legs.len() > most as usize => {
                let field = if request.operation.is_buy() { "buys" } else { "sells" };
                let has = (request.legs.len() as u64).digits();
                let what = ["has ", &has, " elements, over maxBundleSize (", &most.digits(), ")"].concat();
                Err(blamed(GatewayCode::OverBundleSize, field, &what))
            }
            _ => Ok(()),
        }
    }

    /// What a bundle sells of one wallet is added up: a service may take each part of the whole, or of what is left.
    fn check_percentages(&self, request: &Request) -> Result<(), Problem> {
        let Some(most) = self.max_percentage else { return Ok(()) };
        let mut sold: Vec<(&str, Decimal)> = Vec::new();
        for (index, leg) in request.legs.iter().enumerate() {
            let Some(Amount::Percentage(share)) = leg.amount else { continue };
            let before = sold.iter().rev().find(|(wallet, _)| *wallet == leg.from_wallet);
            let before = before.map_or(Decimal::default(), |(_, sum)| *sum);
            let sum = before.plus(share.0).ok().filter(|sum| *sum <= most);
            let Some(sum) = sum else {
                let and = match before.is_zero() {
                    true => String::new(),
                    false => [", and ", &before.text(), " of the same wallet before it"].concat(),
                };
                let limit = ["maxPercentage (", &most.text(), ")"].concat();
                let what = ["is ", &share.0.text(), &and, ", over ", &limit].concat();
                let field = request.leg_field(index, "percentage");
                return Err(blamed(GatewayCode::OverPercentageLimit, &field, &what));
            };
            sold.push((&leg.from_wallet, sum));
        }
        Ok(())
    }
}

fn blamed(code: GatewayCode, field: &str, what: &str) -> Problem {
    let blame = FieldError::of(field, FieldCode::OutOfRange, what);
    Problem { detail: blame.message.clone(), fields: vec![blame], ..Problem::new(code, "") }
}

/// When an operator must approve a trade.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Approval {
    /// If it may take more lamports than this: by its buys, with the accounts that they may open and the network's fees; of a sell, for
    /// priority.
    pub over_lamports: Option<u64>,
    /// If a leg has a wider slippage than this.
    pub over_slippage: Option<Slippage>,
    /// If it is a bundle of more elements than this.
    pub over_bundle_size: Option<u32>,
    /// If no trade of the mint has landed at this desk yet.
    pub first_trade_of_mint: bool,
}

impl Approval {
    pub(super) fn read(r: &mut Reader) -> Approval {
        Approval {
            over_lamports: r.whole("overLamports"),
            over_slippage: r.slippage("overSlippage"),
            over_bundle_size: r.count("overBundleSize", 1),
            first_trade_of_mint: r.boolean("firstTradeOfMint").unwrap_or(false),
        }
    }

    /// Guard settings that refuse a slippage wider than `overSlippage`.
    pub(super) fn slippage_guards(&self, unit: SlippageUnit) -> Settings {
        Settings { max_slippage: self.over_slippage, slippage_unit: unit, ..Settings::default() }
    }

    /// Why an operator must approve the request; empty if no approval is needed.
    pub(super) fn reasons(
        &self,
        request: &Request,
        spends: &[Spend],
        is_wide: bool,
        is_first_of_mint: bool,
    ) -> String {
        let lamports: u128 = spends.iter().map(|spend| spend.lamports).sum();
        let is_large = request.operation.is_bundle()
            && self.over_bundle_size.is_some_and(|most| request.legs.len() > most as usize);
        let reasons = [
            (
                self.over_lamports.is_some_and(|most| lamports > most.into()),
                "may spend more than overLamports",
            ),
            (is_wide, "has more slippage than overSlippage"),
            (is_large, "has more elements than overBundleSize"),
            (self.first_trade_of_mint && is_first_of_mint, "is the first trade of its mint"),
        ];
        let reasons: Vec<&str> = reasons.iter().filter(|(holds, _)| *holds).map(|(_, why)| *why).collect();
        reasons.join("; ")
    }
}

/// What the fee payer of a request pays the network, even if the transaction fails.
pub(super) fn fee_spend(shares: &[(&str, Worst)]) -> Option<Spend> {
    let fees =
        shares.iter().map(|(wallet, worst)| Spend { wallet: (*wallet).to_owned(), lamports: worst.fees() });
    fees.into_iter().find(|spend| spend.lamports > 0)
}

/// What each wallet of a request may lose.
pub(super) fn spends(shares: &[(&str, Worst)]) -> Vec<Spend> {
    let spends =
        shares.iter().map(|(wallet, worst)| Spend { wallet: (*wallet).to_owned(), lamports: worst.total() });
    spends.filter(|spend| spend.lamports > 0).collect()
}
