//! What a trade did, from its quote and its reply; and where the two disagree.
//!
//! A reply tells tokens and balances, but no lamports. A buy that brought just the tokens it was quoted for cost what it
//! was quoted for; beyond that lamports can only be estimated, unless the caller saw the wallet's move. What is estimated
//! says so.

use super::bundle::{BundleQuote, WalletTotal};
use super::curve::Price;
use super::fees::Fees;
use super::quote::{AccountChange, Quote, Side};
use super::slippage::PPM;
use super::transaction::Action;

/// What a receipt needs of a quote.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Quoted {
    /// Buy or sell.
    pub side: Side,
    /// Base units to be bought or sold.
    pub tokens: u64,
    /// Lamports to be paid or received for them, fees included.
    pub wallet_lamports: u64,
    /// The fees within those.
    pub fees: Fees,
    /// The trade with its bound: what was sent.
    pub action: Action,
    /// What was to become of the token account.
    pub account: AccountChange,
    /// What the trading wallet pays of the network fee.
    pub own_network_fee_lamports: u64,
    /// What the trading wallet gains (or, below zero, spends) in all at the bound.
    pub worst_net_lamports: i128,
}

impl From<&Quote> for Quoted {
    fn from(quote: &Quote) -> Quoted {
        Quoted {
            side: quote.side,
            tokens: quote.fill.tokens,
            wallet_lamports: quote.fill.wallet_lamports,
            fees: quote.fill.fees,
            action: quote.action,
            account: quote.account,
            own_network_fee_lamports: quote.own_network_fee_lamports,
            worst_net_lamports: quote.worst_net_lamports,
        }
    }
}

/// What became of a transaction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Landing {
    /// The service says it succeeded.
    Landed,
    /// The service does not say.
    Unconfirmed,
    /// The service says it failed: nothing moved but the network fee.
    Failed,
}

/// What the reply to a single trade says, in base units; `None` for what it leaves out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reported {
    /// What became of the transaction.
    pub landing: Landing,
    /// `buyAmount` or `sellAmount`.
    pub tokens: Option<u64>,
    /// `preTokenBalance`.
    pub tokens_before: Option<u64>,
    /// `postTokenBalance`.
    pub tokens_after: Option<u64>,
    /// `tokenAccountClosed`; sells only.
    pub token_account_closed: Option<bool>,
    /// How the trading wallet's lamports moved in all, where the caller saw it by other means.
    pub wallet_lamports_moved: Option<i128>,
}

/// A number and where it comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Figure<T> {
    /// It was reported, or follows from what was.
    Known(T),
    /// It was taken from the quote.
    Estimated(T),
}

impl<T: Copy> Figure<T> {
    /// The number, wherever it comes from.
    pub fn value(self) -> T {
        match self {
            Figure::Known(value) | Figure::Estimated(value) => value,
        }
    }

    /// Whether it was taken from the quote.
    pub fn is_estimated(self) -> bool {
        matches!(self, Figure::Estimated(_))
    }

    fn map<U>(self, change: impl FnOnce(T) -> U) -> Figure<U> {
        match self {
            Figure::Known(value) => Figure::Known(change(value)),
            Figure::Estimated(value) => Figure::Estimated(change(value)),
        }
    }
}

/// A disagreement between what was quoted and what was reported, or within the report itself.
/// [`code`](Finding::code) is stable and append-only.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Finding {
    /// A buy brought fewer tokens than its bound, or a sell sold other than its order.
    TokensPastBound,
    /// The balances differ by other than the tokens traded.
    BalancesDisagree,
    /// The balance before is not the one the quote was made for.
    BalanceBeforeDiffers,
    /// A failed transaction moved tokens.
    FailedButMoved,
    /// The account is said to be closed with tokens in it.
    ClosedWithTokens,
    /// The account is said to be open though nothing is left in it.
    LeftOpenEmpty,
    /// The wallet's lamports moved further than the bound allows, fees and rent counted.
    LamportsPastBound,
    /// The reply to a landed trade leaves out the tokens.
    TokensUnreported,
}

impl Finding {
    /// The stable name of this finding, in snake_case.
    pub const fn code(self) -> &'static str {
        match self {
            Finding::TokensPastBound => "tokens_past_bound",
            Finding::BalancesDisagree => "balances_disagree",
            Finding::BalanceBeforeDiffers => "balance_before_differs",
            Finding::FailedButMoved => "failed_but_moved",
            Finding::ClosedWithTokens => "closed_with_tokens",
            Finding::LeftOpenEmpty => "left_open_empty",
            Finding::LamportsPastBound => "lamports_past_bound",
            Finding::TokensUnreported => "tokens_unreported",
        }
    }
}

/// What a single trade did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Receipt {
    /// What became of the transaction.
    pub landing: Landing,
    /// Buy or sell.
    pub side: Side,
    /// Base units bought or sold; nought where it failed.
    pub tokens: Figure<u64>,
    /// Lamports paid (a buy) or received (a sell) for them, fees included; nought where it failed.
    pub lamports: Figure<u64>,
    /// The price of the fill, fees included.
    pub price: Price,
    /// How much worse than quoted, in parts per million of the quote; below zero where better. For a buy in tokens, for
    /// a sell in lamports.
    pub slippage_used_ppm: Figure<i64>,
    /// The fees within `lamports`.
    pub fees: Figure<Fees>,
    /// What became of the token account.
    pub account: Figure<AccountChange>,
    /// What the trading wallet paid of the network fee.
    pub network_fee_lamports: u64,
    /// What the trading wallet gained (or, below zero, spent) in all.
    pub net_lamports: Figure<i128>,
    /// Every disagreement.
    pub findings: Vec<Finding>,
}

/// The receipt of a single trade, whose wallet held `tokens_held` when it was quoted (`None` where that was unknown).
///
/// A transaction that is unconfirmed is taken as landed, as far as the reply goes: every figure it leaves out is
/// estimated.
///
/// ```
/// use launchpad_desk::launchpad::{Launchpad, quote::{Ask, Order, quote}};
/// use launchpad_desk::launchpad::receipt::{Figure, Finding, Landing, Reported, receipt};
/// let launchpad = Launchpad::default();
/// let ask = Ask::new(Order::BuyExactIn { lamports: 1_000_000_000 }, 5_000);
/// let quote = quote(&launchpad, &launchpad.new_token(), &ask).unwrap();
/// let reported = Reported {
///     landing: Landing::Landed,
///     tokens: Some(34_100_000_000_000),
///     tokens_before: Some(0),
///     tokens_after: Some(34_100_000_000_000),
///     token_account_closed: None,
///     wallet_lamports_moved: None,
/// };
/// let receipt = receipt(&quote, None, &reported);
/// assert_eq!(receipt.slippage_used_ppm, Figure::Known(2_900));
/// assert_eq!(receipt.findings, []);
/// ```
pub fn receipt(quote: impl Into<Quoted>, tokens_held: Option<u64>, reported: &Reported) -> Receipt {
    let quote = &quote.into();
    let network_fee_lamports = quote.own_network_fee_lamports;
    let findings = findings(quote, tokens_held, reported);
    if reported.landing == Landing::Failed {
        return Receipt {
            landing: reported.landing,
            side: quote.side,
            tokens: Figure::Known(0),
            lamports: Figure::Known(0),
            price: Price { lamports: 0, tokens: 0 },
            slippage_used_ppm: Figure::Known(0),
            fees: Figure::Known(Fees::default()),
            account: Figure::Known(AccountChange::None),
            network_fee_lamports,
            net_lamports: Figure::Known(-i128::from(network_fee_lamports)),
            findings,
        };
    }
    let tokens = match reported.tokens.or(balance_change(quote.side, reported)) {
        Some(tokens) => Figure::Known(tokens),
        None => Figure::Estimated(quote.tokens),
    };
    let account = account(quote, reported);
    let lamports = lamports(quote, reported, tokens, account);
    let net_lamports = match reported.wallet_lamports_moved {
        Some(moved) => Figure::Known(moved),
        None => {
            let others = account.value().wallet_lamports() - i128::from(network_fee_lamports);
            let net = lamports.map(|lamports| quote.side.signed(lamports) + others);
            if account.is_estimated() { Figure::Estimated(net.value()) } else { net }
        }
    };
    Receipt {
        landing: reported.landing,
        side: quote.side,
        tokens,
        lamports,
        price: Price { lamports: lamports.value(), tokens: tokens.value() },
        slippage_used_ppm: slippage_used(quote, tokens, lamports),
        fees: fees(quote, lamports),
        account,
        network_fee_lamports,
        net_lamports,
        findings,
    }
}

/// Tokens traded, as the balances tell.
fn balance_change(side: Side, reported: &Reported) -> Option<u64> {
    let (before, after) = (reported.tokens_before?, reported.tokens_after?);
    match side {
        Side::Buy => after.checked_sub(before),
        Side::Sell => before.checked_sub(after),
    }
}

/// What became of the token account: the reply tells of closings, and the balance before a buy of openings.
fn account(quote: &Quoted, reported: &Reported) -> Figure<AccountChange> {
    match (quote.side, quote.account, reported.token_account_closed) {
        (Side::Sell, closes @ AccountChange::Closes { .. }, Some(true)) => Figure::Known(closes),
        (Side::Sell, _, Some(false)) => Figure::Known(AccountChange::None),
        // Tokens before the buy are held in an account that was open.
        (Side::Buy, _, _) if reported.tokens_before.is_some_and(|tokens| tokens > 0) => {
            Figure::Known(AccountChange::None)
        }
        (_, quoted, _) => Figure::Estimated(quoted),
    }
}

/// Lamports paid or received for the tokens.
fn lamports(
    quote: &Quoted,
    reported: &Reported,
    tokens: Figure<u64>,
    account: Figure<AccountChange>,
) -> Figure<u64> {
    let others = account.value().wallet_lamports() - i128::from(quote.own_network_fee_lamports);
    let seen = reported.wallet_lamports_moved.and_then(|moved| {
        let trade = moved.checked_sub(others)?;
        let lamports = match quote.side {
            Side::Buy => trade.checked_neg()?,
            Side::Sell => trade,
        };
        u64::try_from(lamports).ok()
    });
    // Another curve would have brought another number of tokens for the spend.
    let as_quoted =
        matches!(quote.action, Action::BuyExactIn { .. }) && tokens == Figure::Known(quote.tokens);
    match seen {
        Some(lamports) if account.is_estimated() => Figure::Estimated(lamports),
        Some(lamports) => Figure::Known(lamports),
        None if as_quoted => Figure::Known(quote.wallet_lamports),
        None => Figure::Estimated(quote.wallet_lamports),
    }
}

/// The fees within so many lamports: those of the quote where it came to the same, else scaled from it.
fn fees(quote: &Quoted, lamports: Figure<u64>) -> Figure<Fees> {
    let quoted = quote.wallet_lamports;
    if lamports.value() == quoted {
        return lamports.map(|_| quote.fees);
    }
    let scaled = |fee: u64| match u128::from(fee) * u128::from(lamports.value()) / u128::from(quoted.max(1)) {
        scaled if scaled <= u128::from(u64::MAX) => scaled as u64,
        _ => u64::MAX,
    };
    Figure::Estimated(Fees {
        protocol_lamports: scaled(quote.fees.protocol_lamports),
        creator_lamports: scaled(quote.fees.creator_lamports),
    })
}

/// How much worse than quoted: tokens bought, lamports received, or, of a buy of exact tokens, lamports paid.
fn slippage_used(quote: &Quoted, tokens: Figure<u64>, lamports: Figure<u64>) -> Figure<i64> {
    let short = |quoted: u64, got: u64| {
        let short = (i128::from(quoted) - i128::from(got)) * i128::from(PPM);
        // Floored towards better, saturated where the quote was next to nothing.
        let ppm = short.checked_div(i128::from(quoted)).unwrap_or(0);
        i64::try_from(ppm).unwrap_or(if ppm < 0 { i64::MIN } else { i64::MAX })
    };
    match quote.action {
        Action::BuyExactIn { .. } => tokens.map(|tokens| short(quote.tokens, tokens)),
        Action::BuyExactOut { .. } => {
            lamports.map(|lamports| short(quote.wallet_lamports, lamports).saturating_neg())
        }
        _ => lamports.map(|lamports| short(quote.wallet_lamports, lamports)),
    }
}

fn findings(quote: &Quoted, tokens_held: Option<u64>, reported: &Reported) -> Vec<Finding> {
    let mut findings = Vec::new();
    let mut find = |finding, holds: bool| {
        if holds {
            findings.push(finding);
        }
    };
    let Reported { tokens, tokens_before, tokens_after, token_account_closed: closed, .. } = *reported;
    let failed = reported.landing == Landing::Failed;
    let past_bound = |tokens: u64| match quote.action {
        Action::BuyExactIn { min_tokens, .. } => tokens < min_tokens,
        _ => tokens != quote.tokens,
    };
    find(Finding::TokensPastBound, !failed && tokens.is_some_and(past_bound));
    if let (Some(before), Some(after)) = (tokens_before, tokens_after) {
        let moved = balance_change(quote.side, reported);
        find(Finding::BalancesDisagree, !failed && (moved.is_none() || tokens.is_some() && tokens != moved));
        find(Finding::FailedButMoved, failed && before != after);
    }
    let differs = |before: u64| tokens_held.is_some_and(|held| held != before);
    find(Finding::BalanceBeforeDiffers, tokens_before.is_some_and(differs));
    find(Finding::ClosedWithTokens, closed == Some(true) && tokens_after.is_some_and(|after| after > 0));
    let emptied = quote.side == Side::Sell && tokens_after == Some(0);
    find(Finding::LeftOpenEmpty, !failed && closed == Some(false) && emptied);
    if let Some(moved) = reported.wallet_lamports_moved {
        let least = match failed {
            true => -i128::from(quote.own_network_fee_lamports),
            false => quote.worst_net_lamports,
        };
        find(Finding::LamportsPastBound, moved < least);
    }
    find(Finding::TokensUnreported, reported.landing == Landing::Landed && tokens.is_none());
    findings
}

/// What a bundle did to each wallet, by its quote: its reply tells nothing of single wallets, so every figure is
/// estimated, but for the network fee of a failed one, which is known.
pub fn attribution(quote: &BundleQuote, fee_payer: usize, landing: Landing) -> Vec<Figure<WalletTotal>> {
    attribution_of(&quote.wallets, quote.network_fee_lamports, fee_payer, landing)
}

/// [`attribution`] from what it needs of a bundle's quote.
pub fn attribution_of(
    wallets: &[WalletTotal],
    network_fee_lamports: u64,
    fee_payer: usize,
    landing: Landing,
) -> Vec<Figure<WalletTotal>> {
    if landing != Landing::Failed {
        return wallets.iter().copied().map(Figure::Estimated).collect();
    }
    let fee = -i128::from(network_fee_lamports);
    let left = |index: usize| {
        let net_lamports = if index == fee_payer { fee } else { 0 };
        WalletTotal { net_lamports, worst_net_lamports: net_lamports, net_tokens: 0 }
    };
    (0..wallets.len()).map(|index| Figure::Known(left(index))).collect()
}
