//! The drift alarm: a landed trade against the quote that it was made by, and which rule moved in between.
//!
//! The transaction says what each wallet paid or got, what its accounts took, and where the curve stood right before. So the trade is
//! made again, on that curve, by the rules of the quote. What comes out differently is explained by the one rule that reproduces
//! it exactly, or is *unexplained*: then a rule has changed that we do not know, or something else was in the transaction.
//!
//! **Where the curve stood.** Its token account says how many tokens were left. Its lamports do not say the reserves, because fees
//! wait among them; so those follow from the curve's product, which trades change by less than 1,000 lamports of rounding. If nobody
//! traded in between, the curve is the quote's own, to the lamport. Anybody may send tokens to that account, which do not count on
//! the curve. So a trade that is exact on the quote's own curve was made there, whatever the account holds. Of a trade that others came before,
//! too, the two cannot be told apart: more than a few tokens that were sent leave it unexplained. It must stay so. How many were sent is
//! not in the transaction, and any shortfall of any trade is that of some number: a name for it would explain a theft as well.

use super::read::{Commitment, call};
use crate::amount::Percentage;
use crate::api::request::{Amount, Request};
use crate::chain::ReadError;
use crate::chain::address::{Address, curve_address, volume_account_address};
use crate::chain::rpc::{NEWEST_TRANSACTION_VERSION, Replies, read_transaction};
use crate::chain::wallets::{NoAddress, WalletAddresses};
use crate::codes::codes;
use crate::error::FieldError;
use crate::evidence::{Change, TokenChange, Transaction};
use crate::launchpad::account::Share;
use crate::launchpad::bundle::WalletTotal;
use crate::launchpad::fees::{FeeRates, FeeTier};
use crate::launchpad::receipt::Quoted;
use crate::launchpad::view::{read_leg, read_wallet};
use crate::launchpad::{Curve, Launchpad, Token, curve_settings};
use crate::reader::Reader;
use crate::tape::{Number, ToTape, json};
use crate::trade::plan_price::PlanPrice;
use crate::trade::wallets::spent;
use crate::{object, record};

/// Lamports of the virtual reserves by which the rounding of other trades may have moved the curve's product.
const CURVE_LAMPORTS: u64 = 1_000;
/// Lamports that count as rounding on a curve that nobody moved: each of two fees rounds up.
const ROUNDING_LAMPORTS: u64 = 2;
/// The highest rate that is tried as an explanation, in basis points.
const MOST_BPS: u16 = 1_000;

codes! {
    /// Why a trade did something else than its quote said. Append-only.
    #[derive(PartialOrd, Ord)]
    #[non_exhaustive]
    DriftCause {
        /// Others traded between the quote's slot and the trade's: the curve stood elsewhere.
        Curve = "curve",
        /// The curve had moved to another fee tier.
        Tier = "tier",
        /// A fee rate was charged that the quote's rules do not have: `chargedBps` is the sum of both rates.
        Rate = "rate",
        /// An account's rent was different, or an account was opened that the quote did not count.
        Rent = "rent",
        /// The network fee was different: the service set another priority, or signed more often.
        NetworkFee = "network_fee",
        /// A different amount was sold than quoted, because the wallet held a different amount.
        Holding = "holding",
        /// By a lamport or two, and by the tokens that these buy.
        Rounding = "rounding",
        /// No known rule explains it.
        Unexplained = "unexplained",
        /// The signature is that of another trade of this client: the reply that told it was not this trade's own.
        OtherTrade = "other_trade",
        /// A buy has spent more than its amount: the service may buy a number of tokens for at most the amount and its slippage
        /// (`buysMayExceed`).
        OverAmount = "over_amount",
        /// The creator's fee went to the wallet's own account with the launchpad, as it does for a cashback coin. What the trade took is
        /// as quoted.
        Cashback = "cashback",
        /// Somebody has sent tokens to the curve, which do not count there: it stands where its trades have brought it.
        Gift = "gift",
    }
}

record! {
    /// What a trade did to one wallet, and what its quote said.
    WalletDrift {
        /// The wallet.
        wallet: String => "string",
        /// Base units gained (negative: sold), as quoted.
        quoted_tokens: i128 => "bigint",
        /// The same as it was.
        tokens: i128 => "bigint",
        /// Lamports gained (negative: spent) in all, as quoted.
        quoted_lamports: i128 => "bigint",
        /// The same as it was.
        lamports: i128 => "bigint",
        /// Base units that no known rule explains.
        unexplained_tokens: i128 => "bigint",
        /// Lamports that no known rule explains.
        unexplained_lamports: i128 => "bigint",
    }
}

record! {
    /// A landed trade against its quote.
    Drift {
        /// The trade's transaction.
        signature: String => "string",
        /// The slot of the quote.
        quoted_slot: Number => "number",
        /// The slot of the trade.
        slot: Number => "number",
        /// Why it did something else than quoted, each reason once. Empty if it did exactly what was quoted.
        causes: Vec<DriftCause> => "DriftCause[]",
        /// Whether all of it is explained. More than a buy's amount never is.
        explained: bool => "boolean",
        /// The fee rates together, in basis points, if another one was charged than the quote's rules have.
        charged_bps: Option<u16> => "number | null",
        /// Each wallet of the trade, the fee payer among them.
        wallets: Vec<WalletDrift> => "WalletDrift[]",
    }
}

impl Drift {
    /// Says that the transaction is another trade's, so nothing explains it as this one.
    #[must_use]
    pub fn of_other_trade(mut self) -> Self {
        self.causes.push(DriftCause::OtherTrade);
        self.explained = false;
        self
    }
}

/// The quote of a plan, which a market has made: the slot, the rules and the curve that it was made from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct QuotedPlan {
    slot: u64,
    launchpad: Launchpad,
    token: Token,
    legs: Vec<(String, Quoted)>,
    wallets: Vec<(String, WalletTotal)>,
    network_fee_lamports: u64,
}

impl QuotedPlan {
    /// Reads the price of a plan. Amounts may be text, as a plan has them.
    ///
    /// # Errors
    ///
    /// What is missing or wrong: a price that no market of the chain has made lacks `slot` and `curve`.
    pub fn read(price: &PlanPrice) -> Result<QuotedPlan, Vec<FieldError>> {
        price.read(|r| {
            let curve = r.needed("curve", |r, name| r.object(name, curve_settings::read));
            let (launchpad, token) = curve.unwrap_or_else(|| {
                let launchpad = Launchpad::default();
                let token = launchpad.new_token();
                (launchpad, token)
            });
            QuotedPlan {
                slot: r.need("slot", Reader::whole),
                launchpad,
                token,
                legs: r.need("legs", |r, name| r.list(name, read_leg)),
                wallets: r.need("wallets", |r, name| r.list(name, read_wallet)),
                network_fee_lamports: r.need("networkFeeLamports", Reader::whole),
            }
        })
    }

    fn sum_of(&self, wallet: &str, of: impl Fn(&Quoted) -> i128) -> i128 {
        self.legs.iter().filter(|(own, _)| own == wallet).map(|(_, leg)| of(leg)).sum()
    }

    fn quoted_rent(&self, wallet: &str) -> i128 {
        self.sum_of(wallet, |leg| leg.account.wallet_lamports() - volume_lamports(leg))
    }

    fn place_of(&self, wallet: &str) -> Option<usize> {
        self.wallets.iter().position(|(own, _)| own == wallet)
    }
}

/// What its volume account takes.
fn volume_lamports(leg: &Quoted) -> i128 {
    leg.volume_rent_lamports.into()
}

/// The body of the call that reads a transaction. A node has none of a block that is only `processed`.
pub fn transaction_body(signature: &str, commitment: Commitment) -> String {
    let commitment = match commitment {
        Commitment::Processed => Commitment::Confirmed,
        surer => surer,
    };
    let options = object! {
        "encoding": "json", "commitment": commitment,
        "maxSupportedTransactionVersion": NEWEST_TRANSACTION_VERSION,
    };
    let params: [&dyn ToTape; 2] = [&signature, &options];
    json::write(&call(1u64, "getTransaction", params.to_tape()))
}

/// The landed transaction in the reply to that call; `None` if the node knows none, or it failed.
pub fn read_landed(reply: &[u8]) -> Result<Option<Transaction>, ReadError> {
    let read = read_transaction(Replies::parse(reply)?.result(1)?)?;
    Ok(read.filter(|transaction| !transaction.failed))
}

/// What moved in a wallet by a transaction.
struct Observed {
    /// Base units that it held right before.
    held: u64,
    tokens: i128,
    lamports: i128,
    /// What its token accounts and its volume account gave it (negative: took).
    rent_lamports: i128,
    /// What its volume account has got besides the rent that opens it: rent at other rules or, of a cashback coin, the creator's fee.
    volume_gain_lamports: i128,
    network_fee_lamports: i128,
}

impl Observed {
    fn of(transaction: &Transaction, request: &Request, quoted: &QuotedPlan, wallet: &str) -> Observed {
        let moved = |address: &str| transaction.lamports_of(address).map_or(0, Change::moved);
        let own = transaction.tokens.iter();
        let own: Vec<_> = own
            .filter(|change| change.owner.as_deref() == Some(wallet) && change.mint == request.mint)
            .collect();
        let volume = wallet.parse().ok().map(|wallet: Address| volume_account_address(&wallet).to_string());
        let accounts: i128 = own.iter().map(|change| moved(&change.account)).sum();
        let volume = volume.as_deref().and_then(|address| transaction.lamports_of(address));
        let volume_moved = volume.map_or(0, Change::moved);
        let before = volume.map_or(0, |lamports| lamports.before);
        let opens = match quoted.sum_of(wallet, volume_lamports) {
            // The quote did not count it.
            0 if volume.is_some() && before == 0 => {
                quoted.launchpad.volume_rent_lamports(true).unwrap_or_default().into()
            }
            // Somebody has sent lamports there, or another trade has opened it meanwhile.
            opens => (opens - i128::from(before)).max(0),
        };
        Observed {
            held: own.iter().fold(0, |held, change| held.saturating_add(change.tokens.before)),
            tokens: own.iter().map(|change| change.tokens.moved()).sum(),
            lamports: moved(wallet),
            rent_lamports: -accounts - volume_moved,
            volume_gain_lamports: (volume_moved - opens).max(0),
            network_fee_lamports: if request.payer() == wallet { transaction.fee.into() } else { 0 },
        }
    }

    /// What the trade alone moved.
    fn trade_lamports(&self) -> i128 {
        self.lamports - self.rent_lamports + self.network_fee_lamports
    }

    /// The same wallet, of whose volume account only the rent is the wallet's own.
    fn with_cashback(&self) -> Observed {
        Observed {
            rent_lamports: self.rent_lamports + self.volume_gain_lamports,
            volume_gain_lamports: 0,
            ..*self
        }
    }
}

/// What a trade moves in each wallet, without rent and the network's fee: tokens, then lamports.
type Moves = Vec<(i128, i128)>;

/// Compares a landed trade with its quote. `request` is what the plan's body asks for, and the chain knows the wallets by these addresses.
///
/// ```
/// use launchpad_desk::market::drift::QuotedPlan;
/// use launchpad_desk::tape::json;
/// use launchpad_desk::trade::plan::PlanPrice;
///
/// let price = json::parse(br#"{ "legs": [], "wallets": [], "networkFeeLamports": "5000" }"#).unwrap();
/// let problems = QuotedPlan::read(&PlanPrice::of(&price)).unwrap_err();
/// assert_eq!(problems[0].message, "curve is missing"); // no market of the chain has made this price
/// ```
///
/// # Errors
///
/// The first wallet without an address.
pub fn drift(
    addresses: &WalletAddresses,
    quoted: &QuotedPlan,
    request: &Request,
    transaction: &Transaction,
) -> Result<Drift, NoAddress> {
    let (mut quoted, mut request) = (quoted.clone(), request.clone());
    addresses.on_chain(&mut request)?;
    let legs = quoted.legs.iter_mut().map(|(wallet, _)| wallet);
    let wallets = quoted.wallets.iter_mut().map(|(wallet, _)| wallet);
    legs.chain(wallets).try_for_each(|wallet| addresses.place(wallet))?;
    let mut drift = Case::new(&quoted, &request, transaction).judge();
    drift.wallets.iter_mut().for_each(|own| addresses.name(&mut own.wallet));
    Ok(drift)
}

/// Where the curve may have stood.
#[derive(Clone, Copy)]
struct Stood {
    token: Token,
    /// Lamports of its virtual reserves that are not known.
    slack: u64,
    /// Whether others had moved it since the quote.
    is_moved: bool,
}

struct Case<'a> {
    quoted: &'a QuotedPlan,
    request: &'a Request,
    transaction: &'a Transaction,
    observed: Vec<Observed>,
    causes: Vec<DriftCause>,
}

impl<'a> Case<'a> {
    fn new(quoted: &'a QuotedPlan, request: &'a Request, transaction: &'a Transaction) -> Self {
        let wallets = quoted.wallets.iter();
        let observed =
            wallets.map(|(wallet, _)| Observed::of(transaction, request, quoted, wallet)).collect();
        Case { quoted, request, transaction, observed, causes: Vec::new() }
    }

    fn add(&mut self, cause: DriftCause) {
        if !self.causes.contains(&cause) {
            self.causes.push(cause);
        }
    }

    fn judge(mut self) -> Drift {
        let by_tokens = self.stood_by_tokens();
        let exact = self.exact(by_tokens);
        let Stood { token, slack, is_moved } = exact.unwrap_or(by_tokens);
        if by_tokens.is_moved && !is_moved {
            self.add(DriftCause::Gift);
        }
        if is_moved {
            self.add(DriftCause::Curve);
        }
        let (is_explained, charged_bps) = self.explain(&token, slack, exact.is_some());
        self.add_differences(&token);
        let due = if is_explained { None } else { self.moves(&self.quoted.launchpad, &token) };
        let wallets = self.quoted.wallets.iter().zip(&self.observed).enumerate();
        let wallets = wallets.map(|(place, ((wallet, quoted), own))| {
            // A trade that cannot be made on that curve leaves what it moved unexplained, all of it.
            let due = due.as_ref().map_or((0, 0), |due| due.get(place).copied().unwrap_or_default());
            let open = |moved: i128, due: i128| if is_explained { 0 } else { moved - due };
            WalletDrift {
                wallet: wallet.clone(),
                quoted_tokens: quoted.net_tokens,
                tokens: own.tokens,
                quoted_lamports: quoted.net_lamports,
                lamports: own.lamports,
                unexplained_tokens: open(own.tokens, due.0),
                unexplained_lamports: open(own.trade_lamports(), due.1),
            }
        });
        Drift {
            signature: self.transaction.signature.clone(),
            quoted_slot: Number(self.quoted.slot.into()),
            slot: Number(self.transaction.slot.into()),
            explained: is_explained,
            charged_bps,
            wallets: wallets.collect(),
            causes: DriftCause::ALL.into_iter().filter(|cause| self.causes.contains(cause)).collect(),
        }
    }

    /// Where the curve stood if the trade did exactly what the quote's rules say: first of all where the quote had it.
    fn exact(&mut self, by_tokens: Stood) -> Option<Stood> {
        let unmoved = Stood { token: self.quoted.token, slack: 0, is_moved: false };
        self.either(|case| [unmoved, by_tokens].into_iter().find(|stood| case.is_exact_at(stood)))
    }

    /// What explains the trade, if part of what a volume account has got is the creator's fee, as of a cashback coin, or else without.
    fn either<T>(&mut self, explains: impl Fn(&Self) -> Option<T>) -> Option<T> {
        if self.observed.iter().any(|own| own.volume_gain_lamports > 0) {
            let cashback = self.observed.iter().map(Observed::with_cashback).collect();
            let own = std::mem::replace(&mut self.observed, cashback);
            let found = explains(self);
            if found.is_some() {
                self.add(DriftCause::Cashback);
                return found;
            }
            self.observed = own;
        }
        explains(self)
    }

    /// What was different from the quote beside the trade on the curve.
    fn add_differences(&mut self, token: &Token) {
        let quoted = self.quoted;
        let mut wallets = quoted.wallets.iter().zip(&self.observed);
        if wallets.any(|((wallet, _), own)| quoted.quoted_rent(wallet) != own.rent_lamports) {
            self.add(DriftCause::Rent);
        }
        if self.transaction.fee != quoted.network_fee_lamports {
            self.add(DriftCause::NetworkFee);
        }
        let mut legs = quoted.legs.iter().map(|(wallet, leg)| (self.sold(wallet), leg.tokens));
        if !self.request.operation.is_buy()
            && legs.any(|(sold, quoted)| sold.is_some_and(|tokens| tokens != quoted))
        {
            self.add(DriftCause::Holding);
        }
        let rates = |token: &Token| quoted.launchpad.rates(token).ok();
        if rates(token) != rates(&quoted.token) {
            self.add(DriftCause::Tier);
        }
    }

    /// Whether all of it is explained, and the sum of both rates if another one was charged.
    fn explain(&mut self, token: &Token, slack: u64, is_exact: bool) -> (bool, Option<u16>) {
        let (rules, rounding) = (&self.quoted.launchpad, slack.max(ROUNDING_LAMPORTS));
        let named = |case: &Self| match case.other_rate(token, slack) {
            Some(bps) => Some((Some(DriftCause::Rate), Some(bps))),
            None => case
                .fits(rules, token, rounding, ROUNDING_LAMPORTS)
                .then_some((Some(DriftCause::Rounding), None)),
        };
        let (cause, charged_bps) = match self.adds_up() {
            true if is_exact => (None, None),
            true => self.either(named).unwrap_or((Some(DriftCause::Unexplained), None)),
            false => (Some(DriftCause::Unexplained), None),
        };
        let over = self.is_over_amount().then_some(DriftCause::OverAmount);
        cause.into_iter().chain(over).for_each(|cause| self.add(cause));
        (cause != Some(DriftCause::Unexplained) && over.is_none(), charged_bps)
    }

    /// Whether a wallet's buys have spent more than their amounts, trading fees included.
    fn is_over_amount(&self) -> bool {
        let most = |wallet: &str| spent(self.request, wallet) + u128::from(ROUNDING_LAMPORTS);
        let mut wallets = self.quoted.wallets.iter().zip(&self.observed);
        let is_over = |paid: i128, most: u128| u128::try_from(paid).is_ok_and(|paid| paid > most);
        self.request.operation.is_buy()
            && wallets.any(|((wallet, _), seen)| is_over(-seen.trade_lamports(), most(wallet)))
    }

    /// What a wallet sold, if it has one leg: of several only the sum is known. Another holding than the quote's explains what is between the
    /// quoted amount and what the order sells of the tokens that the wallet held right before, nothing else.
    fn sold(&self, wallet: &str) -> Option<u64> {
        let mut legs = self.request.legs.iter().zip(&self.quoted.legs);
        let (leg, (_, priced)) = legs.find(|(leg, _)| leg.from_wallet == wallet)?;
        if legs.any(|(other, _)| other.from_wallet == wallet) {
            return None;
        }
        let (own, quoted) = (self.observed.get(self.quoted.place_of(wallet)?)?, priced.tokens);
        let due = match &leg.amount {
            Some(Amount::Percentage(Percentage(percent))) => Share::of_percent(&percent.text())?.of(own.held),
            _ => quoted.min(own.held),
        };
        let sold = u64::try_from(-own.tokens).ok()?;
        // A service may round a share up.
        let range = due.min(quoted).saturating_sub(1)..=due.max(quoted).saturating_add(1);
        range.contains(&sold).then_some(sold)
    }

    /// What the curve's token account did.
    fn of_curve(&self) -> Option<Change> {
        let mint: Address = self.request.mint.parse().ok()?;
        let owner = curve_address(&mint).to_string();
        let is_own = |change: &&TokenChange| {
            change.owner.as_deref() == Some(&owner) && change.mint == self.request.mint
        };
        self.transaction.tokens.iter().find(is_own).map(|change| change.tokens)
    }

    /// Whether the wallets have got from the curve what it gave.
    fn adds_up(&self) -> bool {
        let got: i128 = self.observed.iter().map(|own| own.tokens).sum();
        self.of_curve().is_none_or(|tokens| tokens.moved() + got == 0)
    }

    /// Where the token stood by the tokens that its curve had left right before the trade.
    fn stood_by_tokens(&self) -> Stood {
        let (token, launchpad) = (self.quoted.token, &self.quoted.launchpad);
        let quoted = token.curve;
        let unmoved = Stood { token, slack: 0, is_moved: false };
        // The curve also holds what the pool will start with, which is not for sale.
        let kept = launchpad.token_supply.saturating_sub(launchpad.start.real_token_reserves);
        let tokens = self.of_curve().map(|tokens| tokens.before);
        let Some(real) = tokens.and_then(|tokens| tokens.checked_sub(kept)) else { return unmoved };
        if real == quoted.real_token_reserves {
            return unmoved;
        }
        let virtual_tokens = i128::from(quoted.virtual_token_reserves) + i128::from(real)
            - i128::from(quoted.real_token_reserves);
        let product = u128::from(quoted.virtual_token_reserves) * u128::from(quoted.virtual_sol_reserves);
        let virtual_sol = u128::try_from(virtual_tokens).ok().and_then(|tokens| product.checked_div(tokens));
        let (Ok(virtual_token_reserves), Some(Ok(virtual_sol_reserves))) =
            (u64::try_from(virtual_tokens), virtual_sol.map(u64::try_from))
        else {
            return unmoved;
        };
        let moved = i128::from(virtual_sol_reserves) - i128::from(quoted.virtual_sol_reserves);
        let real_sol = i128::from(quoted.real_sol_reserves) + moved;
        let curve = Curve {
            virtual_token_reserves,
            virtual_sol_reserves,
            real_token_reserves: real,
            real_sol_reserves: u64::try_from(real_sol).unwrap_or_default(),
        };
        Stood { token: Token { curve, ..token }, slack: CURVE_LAMPORTS, is_moved: true }
    }

    /// Whether the trade did there what the quote's rules say.
    fn is_exact_at(&self, stood: &Stood) -> bool {
        self.fits(&self.quoted.launchpad, &stood.token, stood.slack, 0)
    }

    /// What the trade moves by these rules on this curve; `None` if it is refused there.
    fn moves(&self, launchpad: &Launchpad, token: &Token) -> Option<Moves> {
        let mut token = *token;
        let mut moves = vec![(0, 0); self.quoted.wallets.len()];
        for (place, leg) in self.request.legs.iter().enumerate() {
            let (tokens, lamports) = moves.get_mut(self.quoted.place_of(&leg.from_wallet)?)?;
            let fill = if self.request.operation.is_buy() {
                let Some(Amount::Lamports(spend)) = leg.amount else { return None };
                let fill = launchpad.buy_exact_in(&token, spend, 1).ok()?;
                *tokens += i128::from(fill.tokens);
                *lamports -= i128::from(fill.wallet_lamports);
                fill
            } else {
                let quoted = || self.quoted.legs.get(place).map(|(_, leg)| leg.tokens);
                let sold = self.sold(&leg.from_wallet).or_else(quoted)?;
                let fill = launchpad.sell_exact_in(&token, sold, sold, 0).ok()?;
                *tokens -= i128::from(fill.tokens);
                *lamports += i128::from(fill.wallet_lamports);
                fill
            };
            token.curve = fill.curve_after;
        }
        Some(moves)
    }

    /// Whether the trade did what these rules say on this curve, or on one whose virtual lamports are so many away.
    fn fits(&self, launchpad: &Launchpad, token: &Token, slack: u64, more_lamports: u64) -> bool {
        let at = |lamports: u64| {
            let mut token = *token;
            let moved = i128::from(lamports) - i128::from(token.curve.virtual_sol_reserves);
            let real = i128::from(token.curve.real_sol_reserves) + moved;
            token.curve.virtual_sol_reserves = lamports;
            token.curve.real_sol_reserves = u64::try_from(real).unwrap_or_default();
            self.moves(launchpad, &token)
        };
        let sol = token.curve.virtual_sol_reserves;
        let (Some(low), Some(high)) = (at(sol.saturating_sub(slack)), at(sol.saturating_add(slack))) else {
            return false;
        };
        let within = |moved: i128, low: i128, high: i128, more: i128| {
            (low.min(high) - more..=low.max(high) + more).contains(&moved)
        };
        let both = low.iter().zip(&high).zip(&self.observed);
        both.fold(true, |fits, ((low, high), own)| {
            fits && within(own.tokens, low.0, high.0, 0)
                && within(own.trade_lamports(), low.1, high.1, more_lamports.into())
        })
    }

    /// The sum of the rates that alone explains the trade. Of a trade so small that several do, none explains it.
    fn other_rate(&self, token: &Token, slack: u64) -> Option<u16> {
        let rates = self.quoted.launchpad.rates(token).ok()?;
        let (protocol, creator) = (rates.protocol_bps(), rates.creator_bps());
        let others = (0..=MOST_BPS).flat_map(|bps| [(bps, creator), (protocol, bps)]);
        let mut token = *token;
        (token.has_creator, token.creator_bps) = (true, None);
        let mut explains = None;
        for (protocol, creator) in others {
            let rates = FeeRates::new(protocol, creator)?;
            let tier = FeeTier { market_cap_threshold_lamports: 0, rates };
            let launchpad = Launchpad { fee_tiers: vec![tier], ..self.quoted.launchpad.clone() };
            if self.fits(&launchpad, &token, slack, 0) {
                let total = protocol.saturating_add(creator);
                if explains.is_some_and(|known| known != total) {
                    return None;
                }
                explains = Some(total);
            }
        }
        explains
    }
}
