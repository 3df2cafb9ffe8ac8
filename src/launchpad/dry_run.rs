//! A dry run: what a request would do in a market as it is. Nothing moves. Every market prices by it: the sandbox, the chain's, and the
//! check of a record.
//!
//! ```text
//! Request ─ find ─▶ Found ─ settle ─▶ ExecutedBundle ─▶ DryRun ─ view ─▶ TradeQuote
//!       names, units      the launchpad's rules
//! ```

use std::borrow::Cow;

use super::account::{Share, TokenAccount};
use super::bundle::{Bundle, BundleQuote, ExecutedBundle, WalletOrder, trade};
use super::config::{Launchpad, Token};
use super::cost::Priority;
use super::quote::{AccountChange, Order, Warning, WarningThresholds};
use super::refusal::Refusal;
use super::transaction::Wallet;
use super::view::{QuoteRefusal, TradeQuote, leg_quote, wallet_quote};
use crate::amount::{DecimalError, Digits, Percentage, Slippage, SlippageUnit, TokenAmount};
use crate::api::endpoint::Operation;
use crate::api::request::{Amount, Request};
use crate::api::validate::{Rules, validate};
use crate::error::{FieldCode, FieldError};
use crate::tape::Item;

/// What a fee payer begins with that only asks a simulated launchpad for an outcome. It pays nothing: the first wallet does.
pub const OUTCOME_PREFIX: &str = "sandbox-outcome-";

/// Tokens and wallets as they are.
pub trait Market {
    fn token(&self, mint: &str) -> Option<Token>;

    /// The wallet of this id, with its account of the token.
    fn wallet(&self, id: &str, mint: &str) -> Option<Wallet>;

    /// Ids of further wallets, of which nothing is known: the curve alone says what they would trade, and not for a part of what they hold.
    fn unknown_wallets(&self) -> &[String] {
        &[]
    }

    /// Whose tokens and wallets they are, for messages: `the sandbox's`.
    fn whose(&self) -> &'static str;
}

/// What holds for every request of a market.
pub struct Terms<'a> {
    /// The launchpad's rules.
    pub launchpad: &'a Launchpad,
    /// What requests are checked against.
    pub rules: Rules,
    /// The slippage of a single trade that does not set its own, in parts per million; `None` if it is too wide for that.
    pub default_slippage_ppm: Option<u32>,
}

impl<'a> Terms<'a> {
    /// Those of a launchpad whose service is as the spec says, but for the unit of a bare slippage.
    pub fn of(launchpad: &'a Launchpad, slippage_unit: SlippageUnit) -> Self {
        let rules = Rules { slippage_unit, token_decimals: launchpad.token_decimals, ..Rules::default() };
        Terms { launchpad, rules, default_slippage_ppm: Some(Slippage::DEFAULT_PPM) }
    }
}

/// What a request would do now.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DryRun {
    /// What is asked for.
    pub operation: Operation,
    /// Mint address of the token.
    pub mint: String,
    /// Prices, bounds and fees, each trade on the curve that those before it leave; `None` if one of them has no price.
    pub quote: Option<BundleQuote>,
    /// Why the transaction would fail; `None` if it would land.
    pub refused: Option<Refused>,
    /// Id of the wallet of each trade, in order.
    pub leg_wallets: Vec<String>,
    /// Ids of the wallets that take part, each once, the fee payer among them.
    pub wallets: Vec<String>,
    pub before: Vec<Wallet>,
    /// Those wallets as the transaction would leave them, landed or failed.
    pub after: Vec<Wallet>,
    /// The token as the transaction would leave it, landed or failed.
    pub token_after: Token,
    /// What the fee payer would be charged; 0 if it cannot pay.
    pub network_fee_lamports: u64,
}

/// Why a transaction would fail, or has no price.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refused {
    /// The launchpad's reason.
    pub refusal: Refusal,
    /// The element of a bundle that fails: `buys[2]`; empty for a single trade or if the request as a whole fails.
    pub field: String,
}

impl DryRun {
    /// As JS and JSON see it: lamports and base units whole, prices as exact decimal text. `token_decimals` are the
    /// fraction digits of a whole token.
    pub fn view(&self, token_decimals: u8) -> TradeQuote {
        let mut legs = Vec::new();
        if let Some(quote) = &self.quote {
            for (leg, wallet) in quote.legs.iter().zip(&self.leg_wallets) {
                legs.push(leg_quote(leg, wallet, token_decimals));
            }
        }
        let mut wallets = Vec::new();
        for (place, wallet) in self.wallets.iter().enumerate() {
            wallets.push(wallet_quote(self.quote.as_ref(), place, wallet));
        }
        TradeQuote {
            operation: self.operation,
            legs,
            wallets,
            network_fee_lamports: self.network_fee_lamports,
            refused: self.refused.as_ref().map(|refused| QuoteRefusal {
                code: refused.refusal,
                message: refused.refusal.message(),
                field: refused.field.clone(),
            }),
        }
    }
}

/// What a wallet of which nothing is known has: more than any trade needs, so that only the curve may refuse one.
const UNKNOWN: Wallet = Wallet {
    lamports: u64::MAX / 4,
    token_account: Some(TokenAccount {
        tokens: u64::MAX / 4,
        lamports: 0,
        is_frozen: false,
        stays_open: false,
    }),
    opens_volume_account: false,
};

/// What a request would do in a market.
///
/// # Errors
///
/// Every bad field, as a reply of status 400 names them.
///
/// ```
/// use launchpad_desk::amount::SlippageUnit;
/// use launchpad_desk::api::endpoint::Operation;
/// use launchpad_desk::bindings::object;
/// use launchpad_desk::launchpad::dry_run::{Market, Terms, dry_run};
/// use launchpad_desk::launchpad::{Launchpad, Token, transaction::Wallet};
///
/// struct New(Launchpad);
/// impl Market for New {
///     fn token(&self, mint: &str) -> Option<Token> {
///         (mint == "M").then(|| self.0.new_token())
///     }
///     fn wallet(&self, _: &str, _: &str) -> Option<Wallet> {
///         Some(Wallet { lamports: 1_000_000_000, ..Wallet::default() })
///     }
///     fn whose(&self) -> &'static str {
///         "the launchpad's"
///     }
/// }
/// let market = New(Launchpad::default());
/// let request = object! { "mint": "M", "fromWallet": "W", "amountInLamports": 50_000_000u64, "slippage": 50u32 };
/// let terms = Terms::of(&market.0, SlippageUnit::Bps);
/// let quote = dry_run(&terms, &market, Operation::Buy, request.root()).unwrap().view(6);
/// assert_eq!((quote.legs[0].wallet_lamports, quote.legs[0].slippage_percent.as_str()), (50_000_000, "0.5"));
/// ```
pub fn dry_run(
    terms: &Terms,
    market: &dyn Market,
    operation: Operation,
    request: Item,
) -> Result<DryRun, Vec<FieldError>> {
    let valid = validate(operation, request, &terms.rules)?;
    let request = with_a_payer(&valid);
    let found = find(terms, market, &request)?;
    let mut settled = found.settle(terms.launchpad, &found.token, &found.token);
    let is_unknown = |wallet: usize| {
        found.ids.get(wallet).is_some_and(|id| market.unknown_wallets().iter().any(|unknown| unknown == id))
    };
    let refused = settled.executed.outcome.as_ref().err().map(|failure| Refused {
        refusal: failure.refusal,
        field: found.failed_element(&settled).unwrap_or_default(),
    });
    let part_of = |leg: &WalletOrder| matches!(leg.order, Order::SellShare { .. }) && is_unknown(leg.wallet);
    let unpriced = found.legs.iter().position(part_of);
    // What a leg before it is refused for is so in any case.
    let unpriced = unpriced.filter(|place| settled.failed_leg.is_none_or(|failed| failed >= *place));
    let refused = match unpriced {
        None => refused,
        Some(place) => {
            settled.quote = None;
            let field = request.place_of(place).path(operation);
            Some(Refused { refusal: Refusal::HoldingsUnknown, field })
        }
    };
    if let Some(quote) = &mut settled.quote {
        for (quote, _) in quote.legs.iter_mut().zip(&found.legs).filter(|(_, leg)| is_unknown(leg.wallet)) {
            quote.numbers.account = AccountChange::Unknown;
            quote.warnings.push(Warning::WalletUnknown);
        }
        let only_pays = found.legs.iter().all(|leg| leg.wallet != found.fee_payer);
        if let Some(warnings) = quote.wallet_warnings.get_mut(found.fee_payer)
            && only_pays
            && is_unknown(found.fee_payer)
        {
            warnings.push(Warning::WalletUnknown);
        }
    }
    Ok(DryRun {
        operation,
        mint: request.mint.clone(),
        refused,
        leg_wallets: request.legs.iter().map(|leg| leg.from_wallet.clone()).collect(),
        wallets: found.ids.iter().map(|id| (*id).to_owned()).collect(),
        quote: settled.quote,
        network_fee_lamports: settled.executed.network_fee_lamports,
        token_after: settled.executed.token,
        after: settled.executed.wallets,
        before: found.wallets,
    })
}

/// The request as it is carried out: a fee payer that asks for an outcome pays nothing.
pub fn with_a_payer(request: &Request) -> Cow<'_, Request> {
    let asks = request.fee_payer.as_deref().is_some_and(|payer| payer.starts_with(OUTCOME_PREFIX));
    match request.legs.first().filter(|_| asks) {
        Some(leg) => Cow::Owned(Request { fee_payer: Some(leg.from_wallet.clone()), ..request.clone() }),
        None => Cow::Borrowed(request),
    }
}

/// A request with every name found and every amount in base units.
pub struct Found<'a> {
    pub request: &'a Request,
    /// The token that it names.
    pub token: Token,
    /// Ids of the wallets that take part, each once.
    pub ids: Vec<&'a str>,
    /// The same wallets as a transaction finds them.
    pub wallets: Vec<Wallet>,
    /// Which of them pays the network fee.
    pub fee_payer: usize,
    pub legs: Vec<WalletOrder>,
    slippage_ppm: u32,
}

/// Finds what a request names.
///
/// # Errors
///
/// Every name that is not in the market, and every amount that is not a whole number of base units. These are mistakes of the
/// caller, so a service answers 400 and makes no transaction.
pub fn find<'a>(
    terms: &Terms,
    market: &dyn Market,
    request: &'a Request,
) -> Result<Found<'a>, Vec<FieldError>> {
    let mut problems = Vec::new();
    let (mut ids, mut wallets): (Vec<&str>, Vec<Wallet>) = (Vec::new(), Vec::new());
    let mut place = |id: &'a str, field: &dyn Fn() -> String, problems: &mut Vec<FieldError>| {
        if let Some(index) = ids.iter().position(|known| *known == id) {
            return index;
        }
        let unknown = || market.unknown_wallets().iter().any(|unknown| unknown == id).then_some(UNKNOWN);
        match market.wallet(id, &request.mint).or_else(unknown) {
            Some(wallet) => {
                ids.push(id);
                wallets.push(wallet);
            }
            None => foreign(problems, field(), market, "wallets"),
        }
        ids.len().saturating_sub(1)
    };
    let token = market.token(&request.mint);
    if token.is_none() {
        foreign(&mut problems, "mint".into(), market, "tokens");
    }
    let mut legs = Vec::with_capacity(request.legs.len());
    for (index, leg) in request.legs.iter().enumerate() {
        let at = |name: &str| request.leg_field(index, name);
        let wallet = place(&leg.from_wallet, &|| at("fromWallet"), &mut problems);
        let order =
            leg_order(leg.amount, terms.launchpad.token_decimals, &at).map_err(|found| problems.push(found));
        if let Ok(order) = order {
            let slippage_ppm = leg.slippage.and_then(|slippage| {
                let ppm = slippage.to_ppm(terms.rules.slippage_unit);
                if ppm.is_none() {
                    problem(&mut problems, at("slippage"), FieldCode::OutOfRange, Slippage::TOO_WIDE);
                }
                ppm
            });
            legs.push(WalletOrder { wallet, order, slippage_ppm });
        }
    }
    let fee_payer = place(request.payer(), &|| "feePayer".into(), &mut problems);
    let slippage_ppm = match &request.slippage {
        Some(main) => main.to_ppm(terms.rules.slippage_unit),
        None if request.operation.is_bundle() => Some(Slippage::DEFAULT_PPM),
        None => terms.default_slippage_ppm,
    };
    if slippage_ppm.is_none() {
        problem(&mut problems, "slippage".into(), FieldCode::OutOfRange, Slippage::TOO_WIDE);
    }
    let token = token.filter(|_| problems.is_empty()).ok_or(problems)?;
    let slippage_ppm = slippage_ppm.unwrap_or(Slippage::DEFAULT_PPM);
    Ok(Found { request, token, ids, wallets, fee_payer, legs, slippage_ppm })
}

fn foreign(problems: &mut Vec<FieldError>, field: String, market: &dyn Market, what: &str) {
    problem(problems, field, FieldCode::OutOfRange, &["is not one of ", market.whose(), " ", what].concat());
}

fn problem(problems: &mut Vec<FieldError>, field: String, code: FieldCode, what: &str) {
    problems.push(FieldError::of(&field, code, what));
}

fn leg_order(amount: Option<Amount>, decimals: u8, at: &dyn Fn(&str) -> String) -> Result<Order, FieldError> {
    let refuse = |name: &str, code, what: &[&str]| Err(FieldError::of(&at(name), code, &what.concat()));
    match amount {
        // No current operation has such legs.
        None => refuse("fromWallet", FieldCode::Required, &["has no amount to trade"]),
        Some(Amount::Lamports(lamports)) => Ok(Order::BuyExactIn { lamports }),
        Some(Amount::Tokens(TokenAmount { tokens, .. })) => match tokens.to_units(decimals) {
            Ok(tokens) => Ok(Order::SellExactIn { tokens }),
            Err(DecimalError::TooPrecise) => {
                let what = ["is finer than the token's ", &decimals.digits(), " decimals"];
                refuse("amountInToken", FieldCode::NotAnInteger, &what)
            }
            Err(_) => refuse("amountInToken", FieldCode::OutOfRange, &["is more than any wallet can hold"]),
        },
        Some(Amount::Percentage(Percentage(percent))) => match Share::of_percent(&percent.text()) {
            Some(share) => Ok(Order::SellShare { share }),
            None => refuse("percentage", FieldCode::OutOfRange, &["has more than 36 decimals"]),
        },
    }
}

impl Found<'_> {
    /// Prices the order on one state of the token and executes it on another.
    pub fn settle(&self, launchpad: &Launchpad, quoted: &Token, now: &Token) -> ExecutedBundle {
        trade(launchpad, quoted, now, &self.bundle())
    }

    /// The orders as one transaction, which executes all or none.
    pub fn bundle(&self) -> Bundle<'_> {
        Bundle {
            wallets: &self.wallets,
            legs: &self.legs,
            slippage_ppm: Some(self.slippage_ppm),
            fee_payer: self.fee_payer,
            priority: Priority {
                unit_limit: self.request.priority_unit_limit,
                unit_price_micro_lamports: self.request.priority_unit_price,
            },
            warn_above: WarningThresholds::default(),
        }
    }

    /// The element of a bundle that failed: `buys[2]`.
    pub fn failed_element(&self, settled: &ExecutedBundle) -> Option<String> {
        let path = self.request.place_of(settled.failed_leg?).path(self.request.operation);
        Some(path).filter(|path| !path.is_empty())
    }
}
