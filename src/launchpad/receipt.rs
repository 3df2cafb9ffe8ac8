//! What a trade did, from its quote and its reply, and where the two disagree.
//!
//! A figure is known if it was observed or reported, or follows from that. The rest is taken from the quote, and says so.
//!
//! A reply has tokens and balances, but no lamports. Those are known if the caller observed how the wallet's lamports changed,
//! or if the order fixes them, as an exact spend does. With several fee tiers they are estimated, because no reply says which
//! one was charged.

use super::bundle::BundleQuote;
use super::config::{Completion, Launchpad};
use super::curve::{Price, Spend};
use super::fees::{BPS, FeeRates, Fees};
use super::quote::{AccountChange, Quote, Side, worst};
use super::slippage::PPM;
use super::transaction::Action;
use crate::amount::{DecimalError, ExactText, TOKEN_DECIMALS};
use crate::api::response::{Status, Trade};
use crate::codes::codes;

/// What a quote says of one trade, as far as its receipt needs that: of a [`Quote`], or of one that was kept as data.
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
    /// What was to happen to the token account.
    pub account: AccountChange,
    /// Rent to be paid for opening the wallet's volume account.
    pub volume_rent_lamports: u64,
    /// The trade with its bound: what was sent.
    pub action: Action,
    pub rates: FeeRates,
    /// Whether these rates apply at every market cap.
    pub rates_fixed: bool,
    /// What the launchpad does with a buy past the end of the curve.
    pub completion: Completion,
    /// What the trading wallet pays of the network fee.
    pub own_network_fee_lamports: u64,
    /// What the trading wallet gains (negative: spends) in total at the bound.
    pub worst_net_lamports: i128,
}

impl From<&Quote> for Quoted {
    fn from(quote: &Quote) -> Quoted {
        Quoted {
            side: quote.side,
            tokens: quote.fill.tokens,
            wallet_lamports: quote.fill.wallet_lamports,
            fees: quote.fill.fees,
            account: quote.account,
            volume_rent_lamports: quote.volume_rent_lamports,
            action: quote.action,
            rates: quote.rates,
            rates_fixed: quote.rates_fixed,
            completion: quote.completion,
            own_network_fee_lamports: quote.own_network_fee_lamports,
            worst_net_lamports: quote.worst_net_lamports,
        }
    }
}

/// What is known about what a trade did to a wallet, in base units; `None` for what is not. It comes from the reply, or from
/// balances that prove what happened ([`Reconciled::reported`](crate::trade::reconcile::Reconciled::reported)).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reported {
    /// What happened to the transaction.
    pub landing: Status,
    /// `buyAmount` or `sellAmount`.
    pub tokens: Option<u64>,
    /// `preTokenBalance`.
    pub tokens_before: Option<u64>,
    /// `postTokenBalance`.
    pub tokens_after: Option<u64>,
    /// `tokenAccountClosed`; sells only.
    pub token_account_closed: Option<bool>,
    /// The total change of the trading wallet's lamports, if the caller observed it by other means.
    pub wallet_lamports_moved: Option<i128>,
}

impl Reported {
    /// What the reply to a bundle says about each of its wallets: nothing but what happened to the transaction.
    pub const fn of_bundle(landing: Status) -> Reported {
        Reported {
            landing,
            tokens: None,
            tokens_before: None,
            tokens_after: None,
            token_account_closed: None,
            wallet_lamports_moved: None,
        }
    }

    /// What the reply to a trade says, of a token with this many decimals.
    ///
    /// # Errors
    ///
    /// An amount that is not a whole number of base units of at most 64 bits.
    pub fn of(trade: &Trade, token_decimals: u8) -> Result<Reported, DecimalError> {
        let result = &trade.result;
        let units = |amount: &Option<ExactText>| {
            amount.as_ref().map(|amount| amount.to_units(token_decimals)).transpose()
        };
        Ok(Reported {
            tokens: units(&result.amount)?,
            tokens_before: units(&result.pre_token_balance)?,
            tokens_after: units(&result.post_token_balance)?,
            token_account_closed: result.token_account_closed,
            ..Reported::of_bundle(trade.status)
        })
    }
}

/// What the reply says of a token with 6 decimals, as all of the launchpad's are by default. If one of its amounts is not a whole
/// number of base units, it is none of such a token, and none of its amounts is known; [`Reported::of`] says why.
impl From<&Trade> for Reported {
    fn from(trade: &Trade) -> Reported {
        Reported::of(trade, TOKEN_DECIMALS).unwrap_or(Reported::of_bundle(trade.status))
    }
}

/// A number and where it comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Figure<T> {
    /// It was observed or reported, or follows from what was.
    Known(T),
    /// It was not, and comes from the quote.
    Estimated(T),
}

impl<T: Copy> Figure<T> {
    /// The number, known or estimated.
    pub fn value(self) -> T {
        match self {
            Figure::Known(value) | Figure::Estimated(value) => value,
        }
    }

    /// Whether it is an estimate.
    pub fn is_estimated(self) -> bool {
        matches!(self, Figure::Estimated(_))
    }

    /// The number, as known if `known`, and otherwise as an estimate.
    pub fn known_if(value: T, known: bool) -> Self {
        if known { Figure::Known(value) } else { Figure::Estimated(value) }
    }

    fn estimated(self) -> Self {
        Figure::Estimated(self.value())
    }

    fn map<U>(self, change: impl FnOnce(T) -> U) -> Figure<U> {
        match self {
            Figure::Known(value) => Figure::Known(change(value)),
            Figure::Estimated(value) => Figure::Estimated(change(value)),
        }
    }
}

codes! {
    /// A disagreement between what was quoted and what was reported, or within the report itself. Append-only.
    #[derive(PartialOrd, Ord)]
    #[non_exhaustive]
    Finding as "ReceiptFinding" {
        /// A buy brought fewer tokens than its bound, or a sell sold a different number of tokens than ordered.
        TokensPastBound = "tokens_past_bound",
        /// The balances do not differ by the tokens traded.
        BalancesDisagree = "balances_disagree",
        /// The balance before is not the one that the quote assumed.
        BalanceBeforeDiffers = "balance_before_differs",
        /// A failed transaction moved tokens.
        FailedButMoved = "failed_but_moved",
        /// The account is said to be closed with tokens in it.
        ClosedWithTokens = "closed_with_tokens",
        /// The account is said to be open although nothing is left in it.
        LeftOpenEmpty = "left_open_empty",
        /// The wallet's lamports moved further than the bound allows, fees and rent included.
        LamportsPastBound = "lamports_past_bound",
        /// The reply to a landed trade leaves out the tokens.
        TokensUnreported = "tokens_unreported",
        /// The wallet's lamports did not move by the sum of trade, rent and network fee.
        LamportsDisagree = "lamports_disagree",
        /// A buy took more than its amount, its network fee and the rent of all accounts that it may open: the service may buy a number of
        /// tokens for at most the amount and its slippage (`buysMayExceed`).
        OverAmount = "over_amount",
    }
}

/// What a single trade did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Receipt {
    /// What happened to the transaction.
    pub landing: Status,
    /// Buy or sell.
    pub side: Side,
    /// Base units bought or sold; zero if it failed.
    pub tokens: Figure<u64>,
    /// Lamports paid (a buy) or received (a sell) for them, fees included; zero if it failed.
    pub lamports: Figure<u64>,
    /// The price of the fill, fees included.
    pub price: Figure<Price>,
    /// How much worse than quoted, in parts per million of the quote; negative if better. For a buy in tokens, for a sell in
    /// lamports.
    pub slippage_used_ppm: Figure<i64>,
    /// The fees within `lamports`.
    pub fees: Figure<Fees>,
    /// What happened to the token account.
    pub account: Figure<AccountChange>,
    /// Rent paid for opening the wallet's volume account, if the quote expected that.
    pub volume_rent_lamports: Figure<u64>,
    /// What the trading wallet paid of the network fee. A transaction that failed may not have been charged it.
    pub network_fee_lamports: Figure<u64>,
    /// What the trading wallet gained (negative: spent) in total.
    pub net_lamports: Figure<i128>,
    /// Every disagreement.
    pub findings: Vec<Finding>,
}

/// The receipt of a single trade. `tokens_held` is what the wallet held when it was quoted (`None` if that was unknown).
///
/// For an unconfirmed transaction, only what was observed is known. It is treated as landed, unless the wallet's lamports did
/// not move or moved only by the network fee.
///
/// ```
/// use launchpad_desk::launchpad::{Launchpad, quote::{Ask, Order, quote}};
/// use launchpad_desk::launchpad::receipt::{Figure, Finding, Reported, receipt};
/// use launchpad_desk::api::response::Status;
/// let launchpad = Launchpad::default();
/// let ask = Ask::new(Order::BuyExactIn { lamports: 1_000_000_000 }, 5_000);
/// let quote = quote(&launchpad, &launchpad.new_token(), &ask).unwrap();
/// let reported = Reported {
///     landing: Status::Landed,
///     tokens: Some(34_100_000_000_000),
///     tokens_before: Some(0),
///     tokens_after: Some(34_100_000_000_000),
///     token_account_closed: None,
///     wallet_lamports_moved: None,
/// };
/// let receipt = receipt(&quote, None, &reported);
/// assert_eq!(receipt.slippage_used_ppm, Figure::Known(2_900));
/// assert_eq!(receipt.lamports, Figure::Known(1_000_000_000));
/// assert_eq!(receipt.findings, []);
/// ```
pub fn receipt(quote: impl Into<Quoted>, tokens_held: Option<u64>, reported: &Reported) -> Receipt {
    let quote = &quote.into();
    let fee = i128::from(quote.own_network_fee_lamports);
    let moved_nothing = reported.wallet_lamports_moved.is_some_and(|moved| moved == 0 || moved == -fee);
    let brings_nothing = quote.side == Side::Sell && worst_lamports(quote) == 0;
    let did_nothing = match reported.landing {
        Status::Landed => false,
        Status::Failed => true,
        Status::Unconfirmed => moved_nothing && !brings_nothing,
    };
    let findings = findings(quote, tokens_held, reported, did_nothing);
    let receipt = match did_nothing {
        true => failed(quote, reported, findings),
        false => landed(quote, reported, findings),
    };
    if reported.landing == Status::Unconfirmed { receipt.unconfirmed(reported) } else { receipt }
}

impl Receipt {
    /// The same for an unconfirmed transaction: only what was observed is known.
    fn unconfirmed(self, reported: &Reported) -> Receipt {
        Receipt {
            tokens: self.tokens.estimated(),
            lamports: self.lamports.estimated(),
            price: self.price.estimated(),
            slippage_used_ppm: self.slippage_used_ppm.estimated(),
            fees: self.fees.estimated(),
            account: self.account.estimated(),
            volume_rent_lamports: self.volume_rent_lamports.estimated(),
            network_fee_lamports: self.network_fee_lamports.estimated(),
            net_lamports: match reported.wallet_lamports_moved {
                Some(moved) => Figure::Known(moved),
                None => self.net_lamports.estimated(),
            },
            ..self
        }
    }
}

/// At most the network fee moved: a payer without the lamports is charged nothing.
fn failed(quote: &Quoted, reported: &Reported, mut findings: Vec<Finding>) -> Receipt {
    let quoted_fee = quote.own_network_fee_lamports;
    let (network_fee_lamports, net_lamports) = match reported.wallet_lamports_moved {
        Some(moved) => {
            let paid = u64::try_from(moved.saturating_neg()).ok();
            let as_quoted = paid == Some(quoted_fee);
            if !as_quoted && !findings.contains(&Finding::LamportsPastBound) {
                findings.push(Finding::LamportsDisagree);
            }
            let possible = paid.is_some_and(|paid| paid <= quoted_fee);
            (Figure::known_if(paid.unwrap_or(0), possible), Figure::Known(moved))
        }
        None => {
            let fee = Figure::known_if(quoted_fee, quoted_fee == 0);
            (fee, fee.map(|fee| -i128::from(fee)))
        }
    };
    // Tokens that moved anyway contradict the failure.
    let believed = !findings.contains(&Finding::FailedButMoved);
    Receipt {
        landing: reported.landing,
        side: quote.side,
        tokens: Figure::known_if(0, believed),
        lamports: Figure::known_if(0, believed),
        price: Figure::known_if(Price { lamports: 0, tokens: 0 }, believed),
        slippage_used_ppm: Figure::known_if(0, believed),
        fees: Figure::known_if(Fees::default(), believed),
        account: Figure::known_if(AccountChange::None, believed),
        volume_rent_lamports: Figure::known_if(0, believed),
        network_fee_lamports,
        net_lamports,
        findings,
    }
}

fn landed(quote: &Quoted, reported: &Reported, mut findings: Vec<Finding>) -> Receipt {
    let tokens = match reported.tokens.or(balance_change(quote.side, reported)) {
        Some(tokens) => Figure::known_if(tokens, !findings.contains(&Finding::BalancesDisagree)),
        None => Figure::Estimated(quote.tokens),
    };
    let account = account(quote, reported, &findings);
    let is_fixed = is_fixed(quote, tokens, &findings);
    let paid = match reported.wallet_lamports_moved {
        Some(moved) if is_fixed => {
            let paid = |volume_rent| seen_beside_the_order(quote, account, volume_rent, moved);
            let expected = paid(quote.volume_rent_lamports);
            // Another buy may have opened the volume account first.
            let unpaid = (!expected.explained).then(|| paid(0)).filter(|unpaid| unpaid.explained);
            unpaid.unwrap_or(expected)
        }
        Some(moved) => seen(quote, account, moved),
        None => Paid {
            lamports: Figure::known_if(quote.wallet_lamports, is_fixed),
            account,
            volume_rent_lamports: expected_volume_rent(quote),
            network_fee_lamports: Figure::Known(quote.own_network_fee_lamports),
            explained: true,
        },
    };
    let Paid { lamports, account, volume_rent_lamports, network_fee_lamports, explained } = paid;
    if !explained && !findings.contains(&Finding::LamportsPastBound) {
        findings.push(Finding::LamportsDisagree);
    }
    let net_lamports = match reported.wallet_lamports_moved {
        Some(moved) => Figure::Known(moved),
        None => {
            let others = account.value().wallet_lamports()
                - i128::from(volume_rent_lamports.value())
                - i128::from(network_fee_lamports.value());
            let net = quote.side.signed(lamports.value()) + others;
            let rents_known = !account.is_estimated() && !volume_rent_lamports.is_estimated();
            Figure::known_if(net, !lamports.is_estimated() && rents_known)
        }
    };
    Receipt {
        landing: reported.landing,
        side: quote.side,
        tokens,
        lamports,
        price: Figure::known_if(
            Price { lamports: lamports.value(), tokens: tokens.value() },
            !lamports.is_estimated() && !tokens.is_estimated(),
        ),
        slippage_used_ppm: slippage_used(quote, tokens, lamports),
        fees: fees(quote, lamports),
        account,
        volume_rent_lamports,
        network_fee_lamports,
        net_lamports,
        findings,
    }
}

/// The tokens traded, by the balances.
fn balance_change(side: Side, reported: &Reported) -> Option<u64> {
    let (before, after) = (reported.tokens_before?, reported.tokens_after?);
    match side {
        Side::Buy => after.checked_sub(before),
        Side::Sell => before.checked_sub(after),
    }
}

/// What happened to the token account: the reply reports if it closed, and the balance before a buy shows if it opened.
fn account(quote: &Quoted, reported: &Reported, findings: &[Finding]) -> Figure<AccountChange> {
    let same_wallet = !findings.contains(&Finding::BalanceBeforeDiffers);
    match (quote.side, quote.account, reported.token_account_closed) {
        _ if findings.contains(&Finding::ClosedWithTokens) => Figure::Estimated(AccountChange::None),
        (Side::Sell, closes @ AccountChange::Closes { .. }, Some(true)) => {
            Figure::known_if(closes, same_wallet)
        }
        // It closed, but the lamports that it held are not known.
        (Side::Sell, _, Some(true)) => Figure::Estimated(AccountChange::Closes { refund_lamports: 0 }),
        (Side::Sell, _, Some(false)) => Figure::Known(AccountChange::None),
        // Tokens before a buy, or after a sell, are in an account that is open.
        (Side::Buy, _, _) if reported.tokens_before.is_some_and(|tokens| tokens > 0) => {
            Figure::Known(AccountChange::None)
        }
        (Side::Sell, _, None) if reported.tokens_after.is_some_and(|tokens| tokens > 0) => {
            Figure::Known(AccountChange::None)
        }
        (_, quoted, _) => Figure::Estimated(quoted),
    }
}

/// A trade's lamports.
struct Paid {
    lamports: Figure<u64>,
    account: Figure<AccountChange>,
    volume_rent_lamports: Figure<u64>,
    network_fee_lamports: Figure<u64>,
    /// Whether trade, rent and network fee add up to what was observed.
    explained: bool,
}

/// The rent of the volume account as quoted: whether this buy was the one that opened it cannot be seen.
fn expected_volume_rent(quote: &Quoted) -> Figure<u64> {
    let is_known = quote.volume_rent_lamports == 0 && knows_volume(quote);
    Figure::known_if(quote.volume_rent_lamports, is_known)
}

/// Whether the quote knew if the wallet has a volume account, or did not need to.
fn knows_volume(quote: &Quoted) -> bool {
    quote.side == Side::Sell || quote.account != AccountChange::Unknown
}

/// Whether the order fixes what is paid: a spend at rates that apply everywhere, that is never cut, and that did bring tokens.
fn is_fixed(quote: &Quoted, tokens: Figure<u64>, findings: &[Finding]) -> bool {
    matches!(quote.action, Action::BuyExactIn { .. })
        && quote.rates_fixed
        && quote.completion != Completion::Partial
        && !tokens.is_estimated()
        && !findings.contains(&Finding::TokensPastBound)
}

/// What the observed change says about a trade whose order fixes what it pays: the rest is rent and network fee. `volume_rent` is what it
/// paid for the volume account, if all of it is explained so.
fn seen_beside_the_order(
    quote: &Quoted,
    account: Figure<AccountChange>,
    volume_rent: u64,
    moved: i128,
) -> Paid {
    let moved = moved.saturating_add(i128::from(volume_rent));
    let fee = i128::from(quote.own_network_fee_lamports);
    let paid = Paid {
        lamports: Figure::Known(quote.wallet_lamports),
        account,
        volume_rent_lamports: Figure::known_if(volume_rent, knows_volume(quote)),
        network_fee_lamports: Figure::Known(quote.own_network_fee_lamports),
        explained: true,
    };
    // If negative, what was paid in addition to trade and network fee.
    let beside = moved.saturating_add(i128::from(quote.wallet_lamports)).saturating_add(fee);
    if beside > fee {
        // Less was paid than the trade costs: the reply and the observed change do not match.
        return Paid {
            lamports: Figure::Estimated(clamped(moved.saturating_neg())),
            account: Figure::Estimated(AccountChange::None),
            network_fee_lamports: Figure::Estimated(0),
            explained: false,
            volume_rent_lamports: Figure::Estimated(0),
        };
    }
    let rent = -account.value().wallet_lamports();
    match account {
        _ if beside == -rent && rent > 0 => Paid { account: Figure::Known(account.value()), ..paid },
        // Without rent, an account that opens and one that stays open look the same.
        Figure::Estimated(AccountChange::Opens { rent_lamports: 0 }) if beside == 0 => paid,
        Figure::Estimated(AccountChange::Unknown) if beside == 0 => {
            Paid { account: Figure::Estimated(AccountChange::None), ..paid }
        }
        Figure::Estimated(AccountChange::Unknown) if beside < 0 => {
            let rent_lamports = clamped(beside.saturating_neg());
            Paid { account: Figure::Estimated(AccountChange::Opens { rent_lamports }), ..paid }
        }
        _ if beside == 0 => Paid { account: Figure::Known(AccountChange::None), ..paid },
        // A wallet that the quote does not know may have paid for its volume account.
        Figure::Known(_) if beside < 0 && !knows_volume(quote) => {
            Paid { volume_rent_lamports: Figure::Estimated(clamped(beside.saturating_neg())), ..paid }
        }
        Figure::Known(_) => Paid {
            volume_rent_lamports: expected_volume_rent(quote),
            network_fee_lamports: Figure::Estimated(clamped(fee.saturating_sub(beside))),
            explained: false,
            ..paid
        },
        Figure::Estimated(_) => Paid {
            volume_rent_lamports: expected_volume_rent(quote),
            network_fee_lamports: Figure::Estimated(quote.own_network_fee_lamports),
            explained: false,
            ..paid
        },
    }
}

/// What the observed change says about any other trade: what is left after rent and network fee.
fn seen(quote: &Quoted, account: Figure<AccountChange>, moved: i128) -> Paid {
    let volume_rent_lamports = expected_volume_rent(quote);
    let others = account.value().wallet_lamports()
        - i128::from(quote.volume_rent_lamports)
        - i128::from(quote.own_network_fee_lamports);
    let trade = moved.saturating_sub(others);
    let lamports = match quote.side {
        Side::Buy => trade.saturating_neg(),
        Side::Sell => trade,
    };
    let possible = match quote.action {
        Action::BuyExactIn { lamports: most, .. } | Action::BuyExactOut { max_lamports: most, .. } => {
            (1..=i128::from(most)).contains(&lamports)
        }
        _ => lamports >= worst_lamports(quote) && lamports <= i128::from(u64::MAX),
    };
    let rents_estimated = account.is_estimated() || volume_rent_lamports.is_estimated();
    let explained = possible || rents_estimated && lamports >= 0;
    Paid {
        lamports: Figure::known_if(clamped(lamports), possible && !rents_estimated),
        account,
        volume_rent_lamports,
        network_fee_lamports: Figure::known_if(quote.own_network_fee_lamports, explained),
        explained,
    }
}

/// The fewest lamports a sell accepts.
fn worst_lamports(quote: &Quoted) -> i128 {
    match quote.action {
        Action::SellExactIn { min_lamports, .. } => min_lamports.into(),
        _ => 0,
    }
}

fn clamped(lamports: i128) -> u64 {
    u64::try_from(lamports.max(0)).unwrap_or(u64::MAX)
}

/// The fees within this many lamports: known if only one pair of fees fits, and otherwise scaled from the quote.
fn fees(quote: &Quoted, lamports: Figure<u64>) -> Figure<Fees> {
    if let (Figure::Known(lamports), true) = (lamports, quote.rates_fixed)
        && let Some(fees) = only_fees(quote, lamports)
    {
        return Figure::Known(fees);
    }
    let quoted = quote.wallet_lamports;
    let scaled = |fee: u64| {
        let scaled = u128::from(fee) * u128::from(lamports.value()) / u128::from(quoted.max(1));
        u64::try_from(scaled).unwrap_or(u64::MAX)
    };
    if lamports.value() == quoted {
        return Figure::Estimated(quote.fees);
    }
    Figure::Estimated(Fees {
        protocol_lamports: scaled(quote.fees.protocol_lamports),
        creator_lamports: scaled(quote.fees.creator_lamports),
    })
}

/// The fees of a trade of exactly this many lamports at the quote's rates; `None` if several pairs are possible.
fn only_fees(quote: &Quoted, lamports: u64) -> Option<Fees> {
    let mut found: Option<Fees> = None;
    let mut several = false;
    let mut fits = |fees: Fees| {
        several |= found.is_some_and(|found| found != fees);
        found = Some(fees);
    };
    let (rates, total) = (quote.rates, i128::from(lamports));
    match quote.action {
        Action::BuyExactIn { lamports: spend, .. } => {
            if let Ok(split) = Spend::split(spend, rates)
                && split.wallet_lamports == lamports
            {
                fits(split.fees);
            }
            // A buy that was cut costs what its tokens cost.
            if quote.completion == Completion::Partial {
                fees_coming_to(total, rates, Side::Buy)?.for_each(&mut fits);
            }
        }
        Action::BuyExactOut { .. } => fees_coming_to(total, rates, Side::Buy)?.for_each(&mut fits),
        Action::SellExactIn { .. } => fees_coming_to(total, rates, Side::Sell)?.for_each(&mut fits),
        Action::OpenTokenAccount | Action::CloseTokenAccount => {}
    }
    found.filter(|_| !several)
}

/// The fees of every amount on the curve that adds up to `total` with its fees; `None` if those are too many to check.
fn fees_coming_to(total: i128, rates: FeeRates, side: Side) -> Option<impl Iterator<Item = Fees>> {
    /// Two lamports of rounding at rates up to 96 %.
    const MOST_TRIED: i128 = 64;
    let (whole, rate) = (i128::from(BPS), i128::from(rates.total_bps()));
    // Each of the two fees is rounded up by less than a lamport.
    let (least, most) = match side {
        Side::Buy => ((total - 2) * whole / (whole + rate), total * whole / (whole + rate) + 1),
        Side::Sell if rate < whole => {
            (total * whole / (whole - rate), (total + 2) * whole / (whole - rate) + 1)
        }
        Side::Sell => return None,
    };
    if most - least > MOST_TRIED {
        return None;
    }
    let amounts = (least.max(0)..=most).filter_map(|amount| u64::try_from(amount).ok());
    Some(amounts.filter_map(move |amount| {
        let fees = rates.on(amount);
        let fee = i128::try_from(fees.total()).ok()?;
        let sum = match side {
            Side::Buy => i128::from(amount) + fee,
            Side::Sell => i128::from(amount) - fee,
        };
        (sum == total).then_some(fees)
    }))
}

/// How much worse than quoted: in tokens bought, lamports received or, for a buy of exact tokens, lamports paid.
fn slippage_used(quote: &Quoted, tokens: Figure<u64>, lamports: Figure<u64>) -> Figure<i64> {
    let short = |quoted: u64, got: u64| {
        let short = (i128::from(quoted) - i128::from(got)) * i128::from(PPM);
        // Floored in favour of the trade, and saturated if the quote was close to zero.
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

fn findings(quote: &Quoted, tokens_held: Option<u64>, reported: &Reported, failed: bool) -> Vec<Finding> {
    let mut findings = Vec::new();
    let mut find = |finding, holds: bool| {
        if holds {
            findings.push(finding);
        }
    };
    let Reported { tokens, tokens_before, tokens_after, token_account_closed: closed, .. } = *reported;
    let past_bound = |tokens: u64| match quote.action {
        Action::BuyExactIn { min_tokens, .. } => tokens < min_tokens,
        // The curve may hold more or less than it did.
        Action::BuyExactOut { tokens: ordered, .. } if quote.completion == Completion::Partial => {
            tokens > ordered
        }
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
    // As quoted, if all that was held was to be sold.
    let stays = quote.account == AccountChange::None && tokens_held.is_none_or(|held| held == quote.tokens);
    find(Finding::LeftOpenEmpty, !failed && closed == Some(false) && emptied && !stays);
    if let Some(moved) = reported.wallet_lamports_moved {
        let least = match failed {
            true => -i128::from(quote.own_network_fee_lamports),
            false => quote.worst_net_lamports,
        };
        // The quote for an unknown wallet does not count rent.
        let bounded = failed || quote.side == Side::Sell || quote.account != AccountChange::Unknown;
        find(Finding::LamportsPastBound, bounded && moved < least);
        if let (false, Action::BuyExactIn { lamports, .. }) = (failed, quote.action) {
            let [token_rent, volume_rent] = Launchpad::default().first_rents_lamports();
            let most = [lamports, quote.own_network_fee_lamports, token_rent, volume_rent].map(i128::from);
            find(Finding::OverAmount, bounded && moved < least.min(-most.iter().sum::<i128>()));
        }
    }
    find(Finding::TokensUnreported, reported.landing == Status::Landed && tokens.is_none());
    findings
}

/// A trade whose bounds are these, as an order whose input is exact: what else it may have been, no leg of a bundle says.
pub(super) fn exact_in(side: Side, worst_tokens: u64, worst_lamports: u64) -> Action {
    match side {
        Side::Buy => Action::BuyExactIn { lamports: worst_lamports, min_tokens: worst_tokens },
        Side::Sell => Action::SellExactIn { tokens: worst_tokens, min_lamports: worst_lamports },
    }
}

impl Quoted {
    /// Base units and lamports at worst.
    pub fn worst(&self) -> (u64, u64) {
        worst(self.action, self.tokens)
    }

    /// The trades of one wallet in a bundle as one. No rates apply to them all, so they prove no fees.
    fn together(legs: &[Quoted], own_network_fee_lamports: u64) -> Quoted {
        let sum = |of: fn(&Quoted) -> i128| legs.iter().map(of).fold(0, i128::saturating_add);
        let fees = |of: fn(Fees) -> u64| clamped(legs.iter().map(|leg| i128::from(of(leg.fees))).sum());
        let tokens = sum(|leg| -leg.side.signed(leg.tokens));
        let side = if tokens < 0 { Side::Sell } else { Side::Buy };
        let own = |lamports: i128| clamped(if side == Side::Buy { -lamports } else { lamports });
        let worst_lamports = sum(|leg| leg.side.signed(leg.worst().1));
        let worst_tokens = own(sum(|leg| leg.side.signed(leg.worst().0)));
        let rent = sum(|leg| leg.account.wallet_lamports());
        let volume_rent = sum(|leg| leg.volume_rent_lamports.into());
        Quoted {
            side,
            tokens: clamped(tokens.saturating_abs()),
            wallet_lamports: own(sum(|leg| leg.side.signed(leg.wallet_lamports))),
            fees: Fees {
                protocol_lamports: fees(|fees| fees.protocol_lamports),
                creator_lamports: fees(|fees| fees.creator_lamports),
            },
            account: match rent {
                _ if legs.iter().any(|leg| leg.account == AccountChange::Unknown) => AccountChange::Unknown,
                ..0 => AccountChange::Opens { rent_lamports: clamped(-rent) },
                0 => AccountChange::None,
                1.. => AccountChange::Closes { refund_lamports: clamped(rent) },
            },
            volume_rent_lamports: clamped(volume_rent),
            action: exact_in(side, worst_tokens, own(worst_lamports)),
            rates: FeeRates::NONE,
            rates_fixed: false,
            completion: Completion::Partial,
            own_network_fee_lamports,
            worst_net_lamports: worst_lamports + rent - volume_rent - i128::from(own_network_fee_lamports),
        }
    }
}

/// What a bundle did to each of its wallets, by its quote and by what was `reported` of each. Its reply reports nothing but the
/// landing ([`Reported::of_bundle`]), so every figure is an estimate, unless the bundle failed: then nothing moved, except
/// perhaps the payer's network fee. Balances report more.
pub fn attribution(
    quote: &BundleQuote,
    fee_payer: usize,
    reported: impl Fn(usize) -> Reported,
) -> Vec<Receipt> {
    let one = |wallet: usize| {
        let legs = quote.legs.iter().zip(&quote.wallet_legs).filter(|(_, leg)| leg.wallet == wallet);
        let legs: Vec<Quoted> = legs.map(|(quote, _)| quote.into()).collect();
        let network_fee = if wallet == fee_payer { quote.network_fee_lamports } else { 0 };
        attribution_of(&legs, network_fee, &reported(wallet))
    };
    (0..quote.wallets.len()).map(one).collect()
}

/// What a bundle did to one of its wallets, by its own trades in it and by what it pays of the network fee.
pub fn attribution_of(legs: &[Quoted], own_network_fee_lamports: u64, reported: &Reported) -> Receipt {
    let quoted = Quoted::together(legs, own_network_fee_lamports);
    if legs.is_empty() {
        // It only paid.
        let paid = failed(&quoted, reported, Vec::new());
        return if reported.landing == Status::Unconfirmed { paid.unconfirmed(reported) } else { paid };
    }
    let mut receipt = receipt(quoted, None, reported);
    receipt.findings.retain(|finding| *finding != Finding::TokensUnreported);
    receipt
}
