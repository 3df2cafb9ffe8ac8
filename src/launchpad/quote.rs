//! What one trade would do, and the bound that its slippage gives.
//!
//! The bound is a forecast. The service gets the slippage, not the bound, and makes its own bound from its own, later quote. So
//! "worst" here means the worst on the curve as it was quoted.

use std::ops::{Deref, RangeInclusive};

use super::account::Share;
use super::config::{Completion, Launchpad, Token};
use super::cost::Priority;
use super::curve::{Curve, Fill, Price, Spend};
use super::fees::{BPS, FeeRates};
use super::refusal::Refusal;
use super::slippage::{PPM, least, most};
use super::transaction::{Action, Wallet, after_network_fee};
use crate::codes::codes;

/// What a trader asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// Spend this many lamports, fees included.
    BuyExactIn { lamports: u64 },
    /// Buy exactly this many base units.
    BuyExactOut { tokens: u64 },
    /// Sell exactly this many base units.
    SellExactIn { tokens: u64 },
    /// Sell a share of what the wallet holds.
    SellShare { share: Share },
}

codes! {
    /// Which way the lamports go.
    Side {
        /// From the wallet to the curve.
        Buy = "buy",
        /// From the curve to the wallet.
        Sell = "sell",
    }
}

/// Who pays the network fee of a single trade.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum FeePayer {
    /// The trading wallet itself: one signature.
    #[default]
    Trader,
    /// Another wallet: two signatures.
    Other,
}

impl FeePayer {
    /// How many signatures the transaction of a single trade has.
    pub const fn signatures(self) -> u64 {
        match self {
            FeePayer::Trader => 1,
            FeePayer::Other => 2,
        }
    }
}

/// The thresholds of a quote's warnings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WarningThresholds {
    /// Warn above this price impact, in basis points: the average price of the fill compared with the spot price before it.
    pub impact_bps: u64,
    /// Warn above this slippage, in parts per million.
    pub slippage_ppm: u32,
}

impl Default for WarningThresholds {
    /// Impact over 5 %, slippage over 10 %.
    fn default() -> Self {
        WarningThresholds { impact_bps: 500, slippage_ppm: 100_000 }
    }
}

/// Everything a quote depends on, besides launchpad and token.
#[derive(Clone, Copy, Debug)]
pub struct Ask<'a> {
    /// What to trade.
    pub order: Order,
    /// How far the price may move, in parts per million.
    pub slippage_ppm: u32,
    /// The trading wallet, if known. Without one, holdings are not checked and rent is not counted.
    pub wallet: Option<&'a Wallet>,
    /// Who pays the network fee.
    pub fee_payer: FeePayer,
    /// The priority the transaction bids with.
    pub priority: Priority,
    /// The thresholds of the warnings.
    pub warn_above: WarningThresholds,
}

impl Ask<'_> {
    /// An order by an unknown wallet that pays its own network fee without priority.
    pub fn new(order: Order, slippage_ppm: u32) -> Self {
        Ask {
            order,
            slippage_ppm,
            wallet: None,
            fee_payer: FeePayer::default(),
            priority: Priority::default(),
            warn_above: WarningThresholds::default(),
        }
    }
}

/// What a trade does to the wallet's token account.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AccountChange {
    /// Not known, because the wallet is not.
    Unknown,
    /// It stays as it is.
    None,
    /// It opens, and the wallet pays its rent.
    Opens { rent_lamports: u64 },
    /// It closes, and the wallet gets back what it held.
    Closes { refund_lamports: u64 },
}

impl AccountChange {
    /// Lamports that this adds to the wallet (negative: takes from it).
    pub fn wallet_lamports(self) -> i128 {
        match self {
            AccountChange::Unknown | AccountChange::None => 0,
            AccountChange::Opens { rent_lamports } => -i128::from(rent_lamports),
            AccountChange::Closes { refund_lamports } => i128::from(refund_lamports),
        }
    }
}

codes! {
    /// What a trader should know before sending a trade. Append-only.
    #[derive(PartialOrd, Ord)]
    #[non_exhaustive]
    Warning as "QuoteWarning" {
        /// The average price of the fill, before fees, is more than 5 % (or `warnAbove`) away from the spot price
        /// before it. The spot price itself moves about twice as far: `spotMoveBps`. Rounding to whole lamports and base units
        /// does not cause it.
        HighImpact = "high_impact",
        /// The slippage is over 10 % (or `warnAbove`).
        SlippageOverBounds = "slippage_over_bounds",
        /// At 100 % slippage and over, no bound is left.
        NoBoundLeft = "no_bound_left",
        /// The trade is worth less than the fee of a signature: perhaps the amount was meant in another unit.
        UnitSuspicion = "unit_suspicion",
        /// The sell leaves tokens that are worth less than the fee of a signature.
        DustLeft = "dust_left",
        /// The sell leaves tokens that are worth less than the rent they keep locked.
        AccountCannotClose = "account_cannot_close",
        /// The sell brings no lamports.
        NoProceeds = "no_proceeds",
        /// The curve has less than was ordered; the buy takes the remainder.
        PartialFill = "partial_fill",
        /// The buy takes the curve's last token: after it, trading stops.
        CompletesCurve = "completes_curve",
        /// At worst the wallet has too few lamports for this.
        InsufficientLamports = "insufficient_lamports",
        /// The wallet is unknown: holdings are unchecked, rent is not counted.
        WalletUnknown = "wallet_unknown",
        /// The wallet may be left with less than an empty account's rent, but not with zero: then the transaction fails.
        BelowRentMinimum = "below_rent_minimum",
    }
}

/// The numbers of a trade that move when it is made. A bot asks for them on every tick, without the prices, impact, market caps and
/// warnings of a whole [`Quote`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Numbers {
    /// Buy or sell.
    pub side: Side,
    /// Amounts, fees and the curve afterwards.
    pub fill: Fill,
    /// The rates charged.
    pub rates: FeeRates,
    /// The trade with the bound that the slippage gives on this curve, a forecast.
    pub action: Action,
    /// The fewest tokens this buys, or all it sells: a forecast, as the bound is.
    pub worst_tokens: u64,
    /// The most this pays, or the least it receives, fees included: a forecast, as the bound is.
    pub worst_wallet_lamports: u64,
    /// What happens to the token account.
    pub account: AccountChange,
    /// Rent that this buy pays for opening the wallet's volume account; zero if it is open, or the wallet is not known.
    pub volume_rent_lamports: u64,
    /// The network fee, no matter who pays it.
    pub network_fee_lamports: u64,
    /// The part that the trading wallet pays: all or nothing.
    pub own_network_fee_lamports: u64,
    /// What the trading wallet gains (negative: spends) in total: trade, rents or refund, and the network fee if it pays that.
    pub net_lamports: i128,
    /// The same at the bound: a forecast, as the bound is.
    pub worst_net_lamports: i128,
}

/// What one trade would do: its [`Numbers`], which are read as its own fields, and what a person reads beside them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Quote {
    /// What moves.
    pub numbers: Numbers,
    /// Whether the launchpad charges its rates at every market cap. If not, a trade that executes later may be charged different
    /// rates.
    pub rates_fixed: bool,
    /// What the launchpad does with a buy past the end of the curve.
    pub completion: Completion,
    /// The price before: `vs / vt`.
    pub spot_before: Price,
    pub spot_after: Price,
    /// The price of this fill, before fees.
    pub average: Price,
    /// The price of this fill, fees included.
    pub average_with_fees: Price,
    /// How far the fill's price before fees is from the spot price, in basis points, ceiled: `|average / spot_before − 1| ·
    /// 10000`. `u64::MAX` past 64 bits.
    pub impact_bps: u64,
    /// How far the trade moves the spot price, in basis points, ceiled: `|spot_after / spot_before − 1| · 10000`. `u64::MAX`
    /// past 64 bits.
    pub spot_move_bps: u64,
    pub market_cap_before_lamports: u128,
    pub market_cap_after_lamports: u128,
    /// The slippage the bound was made with, in parts per million.
    pub slippage_ppm: u32,
    /// What to know before sending.
    pub warnings: Vec<Warning>,
}

impl Deref for Quote {
    type Target = Numbers;

    fn deref(&self) -> &Numbers {
        &self.numbers
    }
}

/// Quotes one trade.
///
/// ```
/// use launchpad_desk::launchpad::{Launchpad, quote::{Ask, Order, quote}};
/// let launchpad = Launchpad::default();
/// let ask = Ask::new(Order::BuyExactIn { lamports: 1_000_000_000 }, 5_000);
/// let quote = quote(&launchpad, &launchpad.new_token(), &ask).unwrap();
/// assert_eq!(quote.fill.tokens, 34_199_203_120_618);
/// assert_eq!((quote.impact_bps, quote.spot_move_bps), (330, 670));
/// assert_eq!(quote.worst_tokens, 34_028_207_105_014);
/// ```
///
/// # Errors
///
/// What the launchpad refuses ([`Refusal`]). A wallet with too few lamports is a warning, not an error: the
/// price of a trade does not depend on it.
pub fn quote(launchpad: &Launchpad, token: &Token, ask: &Ask) -> Result<Quote, Refusal> {
    let mut quote = quote_within(launchpad, token, ask)?;
    if let Some(wallet) = ask.wallet {
        let fee = quote.own_network_fee_lamports;
        if ends_below_rent(launchpad, wallet.lamports, fee, quote.worst_net_lamports..=quote.net_lamports) {
            quote.warnings.push(Warning::BelowRentMinimum);
        }
    }
    Ok(quote)
}

/// Whether a wallet with this network fee and a net anywhere from the worst to the expected one may end with a balance that the
/// network does not allow.
pub(super) fn ends_below_rent(
    launchpad: &Launchpad,
    wallet_lamports: u64,
    own_network_fee_lamports: u64,
    nets: RangeInclusive<i128>,
) -> bool {
    let paid = after_network_fee(launchpad, wallet_lamports, own_network_fee_lamports);
    let minimum = i128::from(launchpad.wallet_rent_minimum_lamports());
    let least = i128::from(wallet_lamports) + nets.start();
    let most = i128::from(wallet_lamports) + nets.end();
    let moves = *nets.start() != 0 || *nets.end() != 0;
    // Some amount between the two is above zero and below the minimum.
    paid == Err(Refusal::BelowRentMinimum) || moves && least.max(1) <= most.min(minimum - 1)
}

/// The numbers of a [`quote`] alone, in a fraction of its time. It refuses what that refuses.
///
/// ```
/// use launchpad_desk::launchpad::{Launchpad, quote::{Ask, Order, numbers}};
/// let launchpad = Launchpad::default();
/// let ask = Ask::new(Order::BuyExactIn { lamports: 1_000_000_000 }, 5_000);
/// let numbers = numbers(&launchpad, &launchpad.new_token(), &ask).unwrap();
/// assert_eq!((numbers.fill.tokens, numbers.worst_tokens), (34_199_203_120_618, 34_028_207_105_014));
/// ```
///
/// Fails as [`quote`].
pub fn numbers(launchpad: &Launchpad, token: &Token, ask: &Ask) -> Result<Numbers, Refusal> {
    let rates = launchpad.rates(token)?;
    let (side, fill) = fill(launchpad, token, ask)?;
    let action = bounded(ask, &fill);
    let (worst_tokens, worst_wallet_lamports) = worst(action, fill.tokens);
    let account = account_change(launchpad, ask, side, &fill)?;
    let network_fee_lamports = launchpad
        .network
        .fee_lamports(ask.fee_payer.signatures(), 1, ask.priority)
        .ok_or(Refusal::Overflow)?;
    let own_network_fee_lamports = match ask.fee_payer {
        FeePayer::Trader => network_fee_lamports,
        FeePayer::Other => 0,
    };
    let opens = side == Side::Buy && ask.wallet.is_some_and(|wallet| wallet.opens_volume_account);
    let volume_rent_lamports = launchpad.volume_rent_lamports(opens)?;
    let others =
        account.wallet_lamports() - i128::from(volume_rent_lamports) - i128::from(own_network_fee_lamports);
    let net = |lamports: u64| side.signed(lamports) + others;
    Ok(Numbers {
        side,
        rates,
        action,
        worst_tokens,
        worst_wallet_lamports,
        account,
        volume_rent_lamports,
        network_fee_lamports,
        own_network_fee_lamports,
        net_lamports: net(fill.wallet_lamports),
        worst_net_lamports: net(worst_wallet_lamports),
        fill,
    })
}

/// [`quote`] for one of several trades in a transaction. The balances of wallets are only checked at the end of the
/// transaction.
pub(super) fn quote_within(launchpad: &Launchpad, token: &Token, ask: &Ask) -> Result<Quote, Refusal> {
    let numbers = numbers(launchpad, token, ask)?;
    let fill = numbers.fill;
    let mut quote = Quote {
        numbers,
        rates_fixed: launchpad.rates_are_fixed(token),
        completion: launchpad.completion,
        spot_before: token.curve.spot_price(),
        spot_after: fill.curve_after.spot_price(),
        average: Price { lamports: fill.curve_lamports, tokens: fill.tokens },
        average_with_fees: Price { lamports: fill.wallet_lamports, tokens: fill.tokens },
        impact_bps: impact_bps(&token.curve, &fill),
        spot_move_bps: spot_move_bps(&token.curve, &fill.curve_after),
        market_cap_before_lamports: token.curve.market_cap_lamports(token.supply)?,
        market_cap_after_lamports: fill.curve_after.market_cap_lamports(token.supply)?,
        slippage_ppm: ask.slippage_ppm,
        warnings: Vec::new(),
    };
    quote.warnings = warnings(launchpad, token, ask, &quote);
    Ok(quote)
}

impl Side {
    /// `lamports` with the wallet's sign: negative for a buy, positive for a sell.
    pub fn signed(self, lamports: u64) -> i128 {
        match self {
            Side::Buy => -i128::from(lamports),
            Side::Sell => i128::from(lamports),
        }
    }
}

/// How far a fill's price before fees is from the spot price, in basis points, ceiled so that it is never understated:
/// `|curve_lamports · vt / (tokens · vs) − 1| · 10000`. `u64::MAX` past 64 bits, and for a fill of no tokens.
pub fn impact_bps(before: &Curve, fill: &Fill) -> u64 {
    let paid = u128::from(fill.curve_lamports) * u128::from(before.virtual_token_reserves);
    let spot = u128::from(fill.tokens) * u128::from(before.virtual_sol_reserves);
    off_bps(paid, spot)
}

/// How far one spot price is from another before it, in basis points, ceiled: `|vs′ · vt / (vt′ · vs) − 1| · 10000`. `u64::MAX`
/// past 64 bits, and if no virtual tokens are left.
pub fn spot_move_bps(before: &Curve, after: &Curve) -> u64 {
    let moved = u128::from(after.virtual_sol_reserves) * u128::from(before.virtual_token_reserves);
    let spot = u128::from(after.virtual_token_reserves) * u128::from(before.virtual_sol_reserves);
    off_bps(moved, spot)
}

/// The impact of a fill by the formula, without rounding to whole lamports and base units, in basis points, ceiled: `tokens /
/// (vt ∓ tokens) · 10000`. A buy takes the tokens from the curve, a sell adds them to it.
fn unrounded_impact_bps(before: &Curve, side: Side, tokens: u64) -> u64 {
    let (vt, tokens) = (u128::from(before.virtual_token_reserves), u128::from(tokens));
    match side {
        Side::Buy => off_bps(vt, vt.saturating_sub(tokens)),
        Side::Sell => off_bps(vt, vt + tokens),
    }
}

/// `|value / base − 1| · 10000`, ceiled; `u64::MAX` past 64 bits.
fn off_bps(value: u128, base: u128) -> u64 {
    if base == 0 {
        return u64::MAX;
    }
    let off = value.abs_diff(base);
    let whole = if off < base { 0 } else { off / base };
    let part = ceil_bps(if off < base { off } else { off % base }, base);
    match u64::try_from(whole).ok().and_then(|whole| whole.checked_mul(BPS)) {
        Some(whole) => whole.saturating_add(part),
        None => u64::MAX,
    }
}

/// `part · 10000 / whole`, ceiled, for `part < whole`.
fn ceil_bps(part: u128, whole: u128) -> u64 {
    // Doubles and adds over the bits of 10,000, reducing as it goes: no product can pass 128 bits.
    let reduced = |sum: u128, more: u128| match more.checked_sub(whole - sum) {
        Some(rest) => (1, rest),
        None => (0, sum + more),
    };
    let (mut quotient, mut remainder) = (0u64, 0u128);
    for bit in (0..=BPS.ilog2()).rev() {
        let (carry, doubled) = reduced(remainder, remainder);
        quotient = quotient * 2 + carry;
        let (carry, added) = reduced(doubled, if BPS >> bit & 1 == 1 { part } else { 0 });
        quotient += carry;
        remainder = added;
    }
    quotient + u64::from(remainder != 0)
}

/// The trade on the curve as it is, without a bound.
fn fill(launchpad: &Launchpad, token: &Token, ask: &Ask) -> Result<(Side, Fill), Refusal> {
    match ask.order {
        Order::BuyExactIn { lamports } => Ok((Side::Buy, launchpad.buy_exact_in(token, lamports, 1)?)),
        Order::BuyExactOut { tokens } => Ok((Side::Buy, launchpad.buy_exact_out(token, tokens, u64::MAX)?)),
        Order::SellExactIn { .. } | Order::SellShare { .. } => {
            let (tokens, held) = tokens_to_sell(ask)?;
            Ok((Side::Sell, launchpad.sell_exact_in(token, tokens, held, 0)?))
        }
    }
}

/// The tokens of a sell order, and what the wallet holds.
fn tokens_to_sell(ask: &Ask) -> Result<(u64, u64), Refusal> {
    let account = match ask.wallet {
        Some(wallet) => Some(wallet.selling_account()?),
        None => None,
    };
    match (ask.order, account) {
        (Order::SellShare { share }, Some(account)) => match share.of(account.tokens) {
            0 => Err(Refusal::PercentageSellsNothing),
            tokens => Ok((tokens, account.tokens)),
        },
        (Order::SellExactIn { tokens }, Some(account)) => Ok((tokens, account.tokens)),
        (Order::SellExactIn { tokens }, None) => Ok((tokens, tokens)),
        // A share of unknown holdings, or not a sell.
        _ => Err(Refusal::TokenAccountNotOpen),
    }
}

/// The trade with the bound its slippage gives on this curve.
fn bounded(ask: &Ask, fill: &Fill) -> Action {
    match ask.order {
        Order::BuyExactIn { lamports } => {
            Action::BuyExactIn { lamports, min_tokens: least(fill.tokens, ask.slippage_ppm) }
        }
        Order::BuyExactOut { tokens } => {
            Action::BuyExactOut { tokens, max_lamports: most(fill.wallet_lamports, ask.slippage_ppm) }
        }
        Order::SellExactIn { .. } | Order::SellShare { .. } => Action::SellExactIn {
            tokens: fill.tokens,
            min_lamports: least(fill.wallet_lamports, ask.slippage_ppm),
        },
    }
}

/// Tokens and wallet lamports at the bound, of a trade that fills so many tokens.
pub(super) fn worst(action: Action, filled: u64) -> (u64, u64) {
    match action {
        Action::BuyExactIn { lamports, min_tokens } => (min_tokens, lamports),
        Action::BuyExactOut { max_lamports, .. } => (filled, max_lamports),
        Action::SellExactIn { min_lamports, .. } => (filled, min_lamports),
        Action::OpenTokenAccount | Action::CloseTokenAccount => (0, 0),
    }
}

fn account_change(
    launchpad: &Launchpad,
    ask: &Ask,
    side: Side,
    fill: &Fill,
) -> Result<AccountChange, Refusal> {
    let Some(wallet) = ask.wallet else {
        return Ok(AccountChange::Unknown);
    };
    wallet.may_trade()?;
    Ok(match (side, wallet.token_account) {
        (Side::Buy, None) => AccountChange::Opens { rent_lamports: launchpad.token_account_rent_lamports()? },
        (Side::Sell, Some(account)) if account.tokens == fill.tokens && !account.stays_open => {
            AccountChange::Closes { refund_lamports: account.lamports }
        }
        _ => AccountChange::None,
    })
}

fn warnings(launchpad: &Launchpad, token: &Token, ask: &Ask, quote: &Quote) -> Vec<Warning> {
    let mut warnings = Vec::new();
    let mut warn = |warning, holds: bool| {
        if holds {
            warnings.push(warning);
        }
    };
    let fill = &quote.fill;
    let signature = launchpad.network.lamports_per_signature;
    let closes = matches!(quote.account, AccountChange::Closes { .. });
    // With a few lamports, rounding alone exceeds any threshold.
    let unrounded = || unrounded_impact_bps(&token.curve, quote.side, fill.tokens);
    let most = ask.warn_above.impact_bps;
    warn(Warning::HighImpact, quote.impact_bps > most && unrounded() >= most);
    warn(Warning::SlippageOverBounds, ask.slippage_ppm > ask.warn_above.slippage_ppm);
    warn(Warning::NoBoundLeft, ask.slippage_ppm >= PPM && !matches!(ask.order, Order::BuyExactOut { .. }));
    warn(Warning::UnitSuspicion, fill.curve_lamports < signature && !closes);
    if let (Side::Sell, Some(account)) = (quote.side, ask.wallet.and_then(|wallet| wallet.token_account)) {
        let left = account.tokens.saturating_sub(fill.tokens);
        let worth = fill.curve_after.lamports_for(left).unwrap_or(u64::MAX);
        warn(Warning::DustLeft, left > 0 && worth < signature);
        warn(Warning::AccountCannotClose, left > 0 && worth < account.lamports && !account.stays_open);
    }
    warn(Warning::NoProceeds, quote.side == Side::Sell && fill.wallet_lamports == 0);
    warn(
        Warning::PartialFill,
        launchpad.completion == Completion::Partial && is_partial(token, ask.order, quote),
    );
    warn(Warning::CompletesCurve, fill.curve_after.is_complete());
    match ask.wallet {
        Some(wallet) => warn(Warning::InsufficientLamports, outlay(quote) > i128::from(wallet.lamports)),
        None => warn(Warning::WalletUnknown, true),
    }
    warnings
}

/// Whether the curve held less than the order asked for.
fn is_partial(token: &Token, order: Order, quote: &Quote) -> bool {
    match order {
        Order::BuyExactOut { tokens } => quote.fill.tokens < tokens,
        Order::BuyExactIn { lamports } => Spend::split(lamports, quote.rates)
            .and_then(|spend| token.curve.tokens_for(spend.net_lamports))
            // Only a spend larger than any reserves can hold has no answer.
            .map_or(true, |uncut| quote.fill.tokens < uncut),
        Order::SellExactIn { .. } | Order::SellShare { .. } => false,
    }
}

/// What the wallet must hold for the trade to execute at its bound: everything it pays before anything comes back.
fn outlay(quote: &Quote) -> i128 {
    let trade = match quote.side {
        Side::Buy => i128::from(quote.worst_wallet_lamports),
        Side::Sell => 0,
    };
    let rent = (-quote.account.wallet_lamports()).max(0);
    let volume_rent = i128::from(quote.volume_rent_lamports);
    let fee = i128::from(quote.own_network_fee_lamports);
    trade + rent + volume_rent + fee
}
