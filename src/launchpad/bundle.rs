//! Several trades of several wallets on one curve, in one transaction: all of them or none.
//!
//! ```text
//! legs ── price ──▶ BundleQuote ── steps ──▶ transaction::execute
//! ```
//!
//! A single trade is a bundle of one leg.

use super::capacity::{self, Fit, LegKind, WalletLeg};
use super::config::{Launchpad, Token};
use super::cost::Priority;
use super::quote::{
    AccountChange, Ask, FeePayer, Order, Quote, Side, Warning, WarningThresholds, ends_below_rent,
    quote_within,
};
use super::refusal::Refusal;
use super::transaction::{Action, Executed, Failure, Instruction, Transaction, Wallet, execute, refuse};
use crate::error_text;

/// The slippage of a bundle that names none, in parts per million: 0.5 %.
pub const DEFAULT_SLIPPAGE_PPM: u32 = 5_000;

/// One wallet's part of a bundle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WalletOrder {
    /// Which of the bundle's wallets trades.
    pub wallet: usize,
    /// What it trades.
    pub order: Order,
    /// Its own slippage in parts per million; if absent, the bundle's.
    pub slippage_ppm: Option<u32>,
}

/// A bundle as it is ordered.
#[derive(Clone, Copy, Debug)]
pub struct Bundle<'a> {
    /// The wallets that take part.
    pub wallets: &'a [Wallet],
    /// The trades, in order.
    pub legs: &'a [WalletOrder],
    /// Slippage of legs without their own, in parts per million; if absent, 0.5 %.
    pub slippage_ppm: Option<u32>,
    /// Which of the wallets pays the network fee.
    pub fee_payer: usize,
    /// The priority the transaction bids with.
    pub priority: Priority,
    /// The thresholds of the warnings.
    pub warn_above: WarningThresholds,
}

/// What a bundle would do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BundleQuote {
    /// Each leg on the curve that the legs before it leave. Their nets do not include the network fee, which is paid once for
    /// all.
    pub legs: Vec<Quote>,
    /// What is sent.
    pub steps: Vec<Instruction>,
    /// How many sign: each trading wallet and the fee payer, once.
    pub signatures: u64,
    /// Paid by the fee payer, even if the bundle fails.
    pub network_fee_lamports: u64,
    /// The net result for each wallet, in their order; the fee payer's includes the network fee.
    pub wallets: Vec<WalletTotal>,
    /// Warnings for each wallet, in their order, if no single leg shows them.
    pub wallet_warnings: Vec<Vec<Warning>>,
    /// The token afterwards.
    pub token_after: Token,
    /// Each leg, by what it adds to a transaction: the input of [`split`](super::capacity::split).
    pub wallet_legs: Vec<WalletLeg>,
    /// Whether they fit one transaction.
    pub fit: Fit,
}

/// What a bundle does to one wallet.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct WalletTotal {
    /// Lamports gained (negative: spent): trades, rent, refunds and the network fee.
    pub net_lamports: i128,
    /// The same with every leg at its bound.
    pub worst_net_lamports: i128,
    /// Base units gained (negative: sold).
    pub net_tokens: i128,
}

/// Which leg of a bundle was refused, and why.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LegRefusal {
    /// The leg's index, from zero; `None` for the bundle as a whole.
    pub leg: Option<usize>,
    /// Why.
    pub refusal: Refusal,
}

error_text!(LegRefusal, |leg| &leg.refusal.message());

/// Quotes every leg on the curve that the legs before it leave.
///
/// ```
/// use launchpad_desk::launchpad::{Launchpad, cost::Priority, transaction::Wallet};
/// use launchpad_desk::launchpad::{bundle::{Bundle, WalletOrder, price}, quote::{WarningThresholds, Order}};
/// let launchpad = Launchpad::default();
/// let wallets = [Wallet { lamports: 2_000_000_000, ..Wallet::default() }; 2];
/// let order = Order::BuyExactIn { lamports: 1_000_000_000 };
/// let legs = [0, 1].map(|wallet| WalletOrder { wallet, order, slippage_ppm: None });
/// let (slippage_ppm, fee_payer) = (None, 0);
/// let (priority, warn_above) = (Priority::default(), WarningThresholds::default());
/// let bundle = Bundle { wallets: &wallets, legs: &legs, slippage_ppm, fee_payer, priority, warn_above };
/// let quote = price(&launchpad, &launchpad.new_token(), &bundle).unwrap();
/// assert!(quote.legs[1].fill.tokens < quote.legs[0].fill.tokens);
/// assert_eq!((quote.signatures, quote.network_fee_lamports), (2, 10_000));
/// ```
///
/// # Errors
///
/// The first leg the launchpad refuses. Too few lamports are a warning, as in a single quote.
pub fn price(launchpad: &Launchpad, token: &Token, bundle: &Bundle) -> Result<BundleQuote, LegRefusal> {
    let signatures = bundle.signatures();
    let network_fee_lamports = launchpad
        .network
        .fee_lamports(signatures, bundle.legs.len() as u64, bundle.priority)
        .ok_or(LegRefusal { leg: None, refusal: Refusal::Overflow })?;
    let mut wallets = bundle.wallets.to_vec();
    let mut totals = vec![WalletTotal::default(); wallets.len()];
    match (wallets.get_mut(bundle.fee_payer), totals.get_mut(bundle.fee_payer)) {
        (Some(payer), Some(total)) => {
            payer.lamports = payer.lamports.saturating_sub(network_fee_lamports);
            total.net_lamports -= i128::from(network_fee_lamports);
            total.worst_net_lamports -= i128::from(network_fee_lamports);
        }
        _ => return Err(LegRefusal { leg: None, refusal: Refusal::UnknownWallet }),
    }
    let mut token = *token;
    let mut legs = Vec::with_capacity(bundle.legs.len());
    let mut steps = Vec::with_capacity(2 * bundle.legs.len());
    for (index, leg) in bundle.legs.iter().enumerate() {
        let refused = |refusal| LegRefusal { leg: Some(index), refusal };
        let (Some(wallet), Some(total)) = (wallets.get_mut(leg.wallet), totals.get_mut(leg.wallet)) else {
            return Err(refused(Refusal::UnknownWallet));
        };
        let quote = quote_within(launchpad, &token, &bundle.ask(leg, wallet)).map_err(refused)?;
        total.add(&quote);
        settle(wallet, &quote).map_err(refused)?;
        token.curve = quote.fill.curve_after;
        steps.extend(leg_steps(leg.wallet, &quote));
        legs.push(quote);
    }
    let wallet_leg =
        |(leg, quote): (&WalletOrder, &Quote)| WalletLeg { wallet: leg.wallet, kind: leg_kind(quote) };
    let wallet_legs: Vec<WalletLeg> = bundle.legs.iter().zip(&legs).map(wallet_leg).collect();
    let fit = capacity::fit(&wallet_legs, bundle.fee_payer);
    let wallet_warnings = (0..totals.len())
        .map(|wallet| bundle.wallet_warnings(launchpad, wallet, &totals, network_fee_lamports))
        .collect();
    Ok(BundleQuote {
        legs,
        steps,
        signatures,
        network_fee_lamports,
        wallets: totals,
        wallet_warnings,
        token_after: token,
        wallet_legs,
        fit,
    })
}

/// The result of a bundle that was priced on one curve and executed on another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExecutedBundle {
    /// The bundle as it was priced; `None` if a leg was refused at that point.
    pub quote: Option<BundleQuote>,
    /// The transaction.
    pub executed: Executed,
    /// The leg that failed, if one did.
    pub failed_leg: Option<usize>,
}

/// Prices a bundle on `quoted` and executes it on `now`. If rivals have moved the curve in between, the bounds decide. A leg
/// that is refused when it is priced fails the transaction as well. The fee payer is charged the network fee either way.
pub fn trade(launchpad: &Launchpad, quoted: &Token, now: &Token, bundle: &Bundle) -> ExecutedBundle {
    let quote = match price(launchpad, quoted, bundle) {
        Ok(quote) => quote,
        Err(LegRefusal { leg, refusal }) => {
            let trades = bundle.legs.len() as u64;
            let failure = Failure { step: None, refusal };
            let transaction = bundle.transaction(&[]);
            let executed = refuse(launchpad, now, bundle.wallets, &transaction, trades, failure);
            // A network fee that cannot be paid fails the transaction before any leg does.
            let failed_leg = leg.filter(|_| executed.outcome.as_ref().err() == Some(&failure));
            return ExecutedBundle { quote: None, executed, failed_leg };
        }
    };
    let executed = execute(launchpad, now, bundle.wallets, &bundle.transaction(&quote.steps));
    let failed_leg = executed.outcome.as_ref().err().and_then(|failure| failure.step).map(|step| {
        // A leg's trade comes before its closing and after its opening.
        let done = quote.steps.iter().take(step + 1);
        let opening = matches!(quote.steps.get(step).map(|step| step.action), Some(Action::OpenTokenAccount));
        (done.filter(|step| step.action.is_trade()).count() + usize::from(opening)).saturating_sub(1)
    });
    ExecutedBundle { quote: Some(quote), executed, failed_leg }
}

impl Bundle<'_> {
    /// How many sign: each trading wallet and the fee payer, once.
    pub fn signatures(&self) -> u64 {
        // A mark for each wallet. A wallet that is not listed does not sign, and is refused as unknown.
        let mut signs = vec![false; self.wallets.len()];
        for wallet in self.legs.iter().map(|leg| leg.wallet).chain([self.fee_payer]) {
            if let Some(signs) = signs.get_mut(wallet) {
                *signs = true;
            }
        }
        signs.iter().filter(|signs| **signs).count() as u64
    }

    /// The slippage of a leg: its own, or the bundle's, or 0.5 %.
    pub fn slippage_ppm(&self, leg: &WalletOrder) -> u32 {
        leg.slippage_ppm.or(self.slippage_ppm).unwrap_or(DEFAULT_SLIPPAGE_PPM)
    }

    fn wallet_warnings(
        &self,
        launchpad: &Launchpad,
        wallet: usize,
        totals: &[WalletTotal],
        network_fee_lamports: u64,
    ) -> Vec<Warning> {
        let (Some(before), Some(total)) = (self.wallets.get(wallet), totals.get(wallet)) else {
            return Vec::new();
        };
        let own_fee = if wallet == self.fee_payer { network_fee_lamports } else { 0 };
        let nets = total.worst_net_lamports..=total.net_lamports;
        let mut warnings = Vec::new();
        if before.lamports < own_fee {
            warnings.push(Warning::InsufficientLamports);
        }
        if ends_below_rent(launchpad, before.lamports, own_fee, nets) {
            warnings.push(Warning::BelowRentMinimum);
        }
        warnings
    }

    fn ask<'a>(&self, leg: &WalletOrder, wallet: &'a Wallet) -> Ask<'a> {
        Ask {
            order: leg.order,
            slippage_ppm: self.slippage_ppm(leg),
            wallet: Some(wallet),
            // The network fee belongs to the bundle, not to a leg.
            fee_payer: FeePayer::Other,
            priority: Priority::default(),
            warn_above: self.warn_above,
        }
    }

    fn transaction<'a>(&self, steps: &'a [Instruction]) -> Transaction<'a> {
        Transaction {
            fee_payer: self.fee_payer,
            signatures: self.signatures(),
            priority: self.priority,
            steps,
        }
    }
}

impl BundleQuote {
    /// Whether any leg or wallet has this warning.
    pub fn warns(&self, warning: Warning) -> bool {
        let legs = self.legs.iter().map(|leg| &leg.warnings);
        legs.chain(&self.wallet_warnings).any(|warnings| warnings.contains(&warning))
    }
}

impl WalletTotal {
    fn add(&mut self, quote: &Quote) {
        self.net_lamports += quote.net_lamports;
        self.worst_net_lamports += quote.worst_net_lamports;
        self.net_tokens -= quote.side.signed(quote.fill.tokens);
    }
}

/// The wallet after a leg. Missing lamports are already a warning, so the balance stops at zero.
fn settle(wallet: &mut Wallet, quote: &Quote) -> Result<(), Refusal> {
    let moved = u64::try_from(quote.net_lamports.unsigned_abs()).map_err(|_| Refusal::Overflow)?;
    wallet.lamports = match quote.net_lamports < 0 {
        true => wallet.lamports.saturating_sub(moved),
        false => wallet.lamports.checked_add(moved).ok_or(Refusal::Overflow)?,
    };
    wallet.opens_volume_account &= quote.side == Side::Sell;
    if let AccountChange::Closes { .. } = quote.account {
        wallet.token_account = None;
        return Ok(());
    }
    let mut account = wallet.token_account.unwrap_or_default();
    if let AccountChange::Opens { rent_lamports } = quote.account {
        account.lamports = rent_lamports;
    }
    let tokens = match quote.side {
        Side::Buy => account.tokens.checked_add(quote.fill.tokens),
        Side::Sell => account.tokens.checked_sub(quote.fill.tokens),
    };
    account.tokens = tokens.ok_or(Refusal::Overflow)?;
    wallet.token_account = Some(account);
    Ok(())
}

/// A leg's steps: a buy opens its token account if needed, a sell of everything closes it.
fn leg_steps(wallet: usize, quote: &Quote) -> impl Iterator<Item = Instruction> {
    let open = (quote.side == Side::Buy).then_some(Action::OpenTokenAccount);
    let close = matches!(quote.account, AccountChange::Closes { .. }).then_some(Action::CloseTokenAccount);
    let actions = open.into_iter().chain([quote.action]).chain(close);
    actions.map(move |action| Instruction { wallet, action })
}

fn leg_kind(quote: &Quote) -> LegKind {
    match (quote.side, quote.account) {
        (_, AccountChange::Opens { .. }) => LegKind::OpenAndBuy,
        (_, AccountChange::Closes { .. }) => LegKind::SellAndClose,
        (Side::Buy, _) => LegKind::Buy,
        (Side::Sell, _) => LegKind::Sell,
    }
}
