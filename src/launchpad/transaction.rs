//! A transaction over wallets and one token: its steps run in order, all of them or none.

use super::account::TokenAccount;
use super::config::{Launchpad, Token};
use super::cost::Priority;
use super::curve::Fill;
use super::refusal::Refusal;

/// A wallet before a transaction.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Wallet {
    /// Its lamports, without those in its token account.
    pub lamports: u64,
    /// Its account of the token, if open.
    pub token_account: Option<TokenAccount>,
    /// Whether its next buy also opens the account in which the launchpad counts what it trades, as a wallet's first buy does. It pays
    /// that account's rent, and no trade gives it back.
    pub opens_volume_account: bool,
}

impl Wallet {
    /// Base units of the token this wallet holds.
    pub fn tokens(&self) -> u64 {
        self.token_account.map_or(0, |account| account.tokens)
    }

    /// Its account of the token, if tokens can go out of it.
    pub(super) fn selling_account(&self) -> Result<TokenAccount, Refusal> {
        self.may_trade()?;
        self.token_account.ok_or(Refusal::TokenAccountNotOpen)
    }

    /// Nothing goes into a frozen account, nor out of it.
    pub(super) fn may_trade(&self) -> Result<(), Refusal> {
        match self.token_account.is_some_and(|account| account.is_frozen) {
            true => Err(Refusal::TokenAccountFrozen),
            false => Ok(()),
        }
    }
}

/// What a step does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Action {
    /// Opens the wallet's token account, unless it is open.
    OpenTokenAccount,
    /// Closes the account, and refunds its lamports. Refused while it holds tokens, and of one that stays open.
    CloseTokenAccount,
    /// Spends at most this many lamports, fees included.
    BuyExactIn {
        /// The spend.
        lamports: u64,
        /// The fewest tokens to accept.
        min_tokens: u64,
    },
    /// Buys exactly this many base units.
    BuyExactOut {
        /// Base units.
        tokens: u64,
        /// The most to pay, fees included.
        max_lamports: u64,
    },
    /// Sells exactly this many base units.
    SellExactIn {
        /// Base units.
        tokens: u64,
        /// The fewest lamports to accept, after fees.
        min_lamports: u64,
    },
}

impl Action {
    /// Whether this trades on the curve.
    pub const fn is_trade(&self) -> bool {
        !matches!(self, Action::OpenTokenAccount | Action::CloseTokenAccount)
    }
}

/// One instruction of a transaction, as far as the launchpad is concerned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Instruction {
    /// Which of the transaction's wallets takes it.
    pub wallet: usize,
    /// What it does.
    pub action: Action,
}

/// A transaction: who pays for it, and its steps.
#[derive(Clone, Copy, Debug)]
pub struct Transaction<'a> {
    /// Which of the wallets pays the network fee.
    pub fee_payer: usize,
    /// How many sign: each wallet that trades and the fee payer, once each.
    pub signatures: u64,
    /// The priority it bids with.
    pub priority: Priority,
    /// Its steps, in order.
    pub steps: &'a [Instruction],
}

/// What a step did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effect {
    /// The token account was open already.
    AlreadyOpen,
    /// The token account was opened for this many lamports of rent.
    Opened {
        /// Paid by the wallet itself.
        rent_lamports: u64,
    },
    /// The token account was closed and this many lamports came back.
    Closed {
        /// All the account held.
        refund_lamports: u64,
    },
    /// A buy.
    Bought(Fill),
    /// A sell.
    Sold(Fill),
}

/// Where and why a transaction failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Failure {
    /// The step that was refused; `None` if the network fee could not be paid, or if a wallet would be left below the rent
    /// minimum.
    pub step: Option<usize>,
    /// Why.
    pub refusal: Refusal,
}

/// What a transaction left behind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Executed {
    /// What the fee payer was charged: the network fee, even on failure, or nothing if it cannot pay.
    pub network_fee_lamports: u64,
    /// The effect of every step, or why there is none.
    pub outcome: Result<Vec<Effect>, Failure>,
    /// The wallets afterwards.
    pub wallets: Vec<Wallet>,
    /// The token afterwards.
    pub token: Token,
}

/// Executes a transaction: the network fee first, then every step in order on one curve, and finally a check of what each
/// wallet is left with ([`Launchpad::may_leave`]). A refusal undoes every step, but not the fee.
///
/// ```
/// use launchpad_desk::launchpad::{Launchpad, cost::Priority};
/// use launchpad_desk::launchpad::transaction::{Action, Instruction, Transaction, Wallet, execute};
/// let launchpad = Launchpad::default();
/// let wallet = Wallet { lamports: 2_000_000_000, ..Wallet::default() };
/// let steps = [
///     Instruction { wallet: 0, action: Action::OpenTokenAccount },
///     Instruction { wallet: 0, action: Action::BuyExactIn { lamports: 1_000_000_000, min_tokens: 1 } },
/// ];
/// let transaction = Transaction { fee_payer: 0, signatures: 1, priority: Priority::default(), steps: &steps };
/// let executed = execute(&launchpad, &launchpad.new_token(), &[wallet], &transaction);
/// assert!(executed.outcome.is_ok());
/// assert_eq!(executed.wallets[0].lamports, 2_000_000_000 - 1_000_000_000 - launchpad.token_account_rent_lamports().unwrap() - 5_000);
/// assert_eq!(executed.wallets[0].tokens(), 34_199_203_120_618);
/// ```
pub fn execute(
    launchpad: &Launchpad,
    token: &Token,
    wallets: &[Wallet],
    transaction: &Transaction,
) -> Executed {
    let mut executed = Executed {
        network_fee_lamports: 0,
        outcome: Ok(Vec::new()),
        wallets: wallets.to_vec(),
        token: *token,
    };
    let trades = transaction.steps.iter().filter(|step| step.action.is_trade()).count() as u64;
    match charge_network_fee(launchpad, &mut executed.wallets, transaction, trades) {
        Ok(lamports) => executed.network_fee_lamports = lamports,
        Err(refusal) => {
            executed.outcome = Err(Failure { step: None, refusal });
            return executed;
        }
    }
    let (mut token, before, mut wallets) = (*token, wallets, executed.wallets.clone());
    let mut effects = Vec::with_capacity(transaction.steps.len());
    for (index, step) in transaction.steps.iter().enumerate() {
        let wallet = wallets.get_mut(step.wallet).ok_or(Refusal::UnknownWallet);
        match wallet.and_then(|wallet| act(launchpad, &mut token, wallet, step.action)) {
            Ok(effect) => effects.push(effect),
            Err(refusal) => {
                executed.outcome = Err(Failure { step: Some(index), refusal });
                return executed;
            }
        }
    }
    // Compared with the wallets before the fee, because paying only the fee also changes a balance.
    if wallets.iter().zip(before).any(|(after, before)| !may_end(launchpad, before, after)) {
        executed.outcome = Err(Failure { step: None, refusal: Refusal::BelowRentMinimum });
        return executed;
    }
    Executed { outcome: Ok(effects), wallets, token, ..executed }
}

/// Whether the network lets a transaction take a wallet from `before` to `after`. A wallet whose lamports do not change is not
/// checked.
pub(super) fn may_end(launchpad: &Launchpad, before: &Wallet, after: &Wallet) -> bool {
    after.lamports == before.lamports || launchpad.may_leave(after.lamports)
}

/// A transaction that fails before its first step, for a reason found elsewhere. It moves nothing but the network fee, which is
/// computed for this many trades.
pub fn refuse(
    launchpad: &Launchpad,
    token: &Token,
    wallets: &[Wallet],
    transaction: &Transaction,
    trades: u64,
    failure: Failure,
) -> Executed {
    let mut wallets = wallets.to_vec();
    let (network_fee_lamports, failure) =
        match charge_network_fee(launchpad, &mut wallets, transaction, trades) {
            Ok(lamports) => (lamports, failure),
            Err(refusal) => (0, Failure { step: None, refusal }),
        };
    Executed { network_fee_lamports, outcome: Err(failure), wallets, token: *token }
}

fn charge_network_fee(
    launchpad: &Launchpad,
    wallets: &mut [Wallet],
    transaction: &Transaction,
    trades: u64,
) -> Result<u64, Refusal> {
    let fee = launchpad.network.fee_lamports(transaction.signatures, trades, transaction.priority);
    let fee = fee.ok_or(Refusal::Overflow)?;
    let payer = wallets.get_mut(transaction.fee_payer).ok_or(Refusal::UnknownWallet)?;
    payer.lamports = after_network_fee(launchpad, payer.lamports, fee)?;
    Ok(fee)
}

/// What a fee payer has left. The network checks the payer after the fee is taken and before any step. If that takes it below
/// the rent minimum, the transaction is not processed, whatever it would bring.
pub(super) fn after_network_fee(
    launchpad: &Launchpad,
    payer_lamports: u64,
    fee_lamports: u64,
) -> Result<u64, Refusal> {
    let left = payer_lamports.checked_sub(fee_lamports).ok_or(Refusal::InsufficientLamportsForNetworkFee)?;
    if launchpad.may_leave(payer_lamports) && !launchpad.may_leave(left) {
        return Err(Refusal::BelowRentMinimum);
    }
    Ok(left)
}

/// One wallet's action, applied to the wallet and the token in place. If it is refused half way, the caller must undo it.
pub(super) fn act(
    launchpad: &Launchpad,
    token: &mut Token,
    wallet: &mut Wallet,
    action: Action,
) -> Result<Effect, Refusal> {
    if action.is_trade() {
        wallet.may_trade()?;
    }
    match action {
        Action::OpenTokenAccount => open(launchpad, wallet),
        Action::CloseTokenAccount => close(wallet),
        Action::BuyExactIn { lamports, min_tokens } => {
            buy(launchpad, wallet, token, |token| launchpad.buy_exact_in(token, lamports, min_tokens))
        }
        Action::BuyExactOut { tokens, max_lamports } => {
            buy(launchpad, wallet, token, |token| launchpad.buy_exact_out(token, tokens, max_lamports))
        }
        Action::SellExactIn { tokens, min_lamports } => {
            let account = wallet.token_account.as_mut().ok_or(Refusal::TokenAccountNotOpen)?;
            let fill = launchpad.sell_exact_in(token, tokens, account.tokens, min_lamports)?;
            account.tokens = account.tokens.checked_sub(fill.tokens).ok_or(Refusal::NotEnoughTokensHeld)?;
            wallet.lamports = wallet.lamports.checked_add(fill.wallet_lamports).ok_or(Refusal::Overflow)?;
            token.curve = fill.curve_after;
            Ok(Effect::Sold(fill))
        }
    }
}

fn open(launchpad: &Launchpad, wallet: &mut Wallet) -> Result<Effect, Refusal> {
    if wallet.token_account.is_some() {
        return Ok(Effect::AlreadyOpen);
    }
    let rent_lamports = launchpad.token_account_rent_lamports()?;
    let left = wallet.lamports.checked_sub(rent_lamports).ok_or(Refusal::InsufficientLamportsForRent)?;
    wallet.lamports = left;
    wallet.token_account = Some(TokenAccount { lamports: rent_lamports, ..TokenAccount::default() });
    Ok(Effect::Opened { rent_lamports })
}

fn close(wallet: &mut Wallet) -> Result<Effect, Refusal> {
    let account = wallet.token_account.ok_or(Refusal::TokenAccountNotOpen)?;
    if account.tokens > 0 {
        return Err(Refusal::TokenAccountNotEmpty);
    }
    if account.stays_open {
        return Err(Refusal::TokenAccountStaysOpen);
    }
    let lamports = wallet.lamports.checked_add(account.lamports).ok_or(Refusal::Overflow)?;
    wallet.lamports = lamports;
    wallet.token_account = None;
    Ok(Effect::Closed { refund_lamports: account.lamports })
}

fn buy(
    launchpad: &Launchpad,
    wallet: &mut Wallet,
    token: &mut Token,
    fill: impl FnOnce(&Token) -> Result<Fill, Refusal>,
) -> Result<Effect, Refusal> {
    let account = wallet.token_account.as_mut().ok_or(Refusal::TokenAccountNotOpen)?;
    let fill = fill(token)?;
    let rent = launchpad.volume_rent_lamports(wallet.opens_volume_account)?;
    let left = wallet.lamports.checked_sub(rent).ok_or(Refusal::InsufficientLamportsForRent)?;
    wallet.lamports = left.checked_sub(fill.wallet_lamports).ok_or(Refusal::InsufficientLamports)?;
    wallet.opens_volume_account = false;
    account.tokens = account.tokens.checked_add(fill.tokens).ok_or(Refusal::Overflow)?;
    token.curve = fill.curve_after;
    Ok(Effect::Bought(fill))
}
