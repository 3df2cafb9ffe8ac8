//! What a trade may take from its wallets at most: what limits count.
//!
//! | part | what it is |
//! |---|---|
//! | buys | `amountInLamports` of each leg; with [`BuysMayExceed::Slippage`], that and its slippage, rounded up |
//! | accounts | the rent of the accounts that buys may open: a token account for each wallet, and its first account at the launchpad |
//! | priority | what the request bids for priority |
//! | signatures | the network's fee for each wallet that signs a buy: who leaves the market is not counted for it |

use crate::amount::{Decimal, DecimalError, Digits, Slippage, SlippageUnit};
use crate::api::request::{Amount, Request};
use crate::codes::codes;
use crate::launchpad::Launchpad;
use crate::launchpad::cost::price_of_units;
use crate::tape::Item;
use crate::trade::guard::latest::Latest;
use crate::trade::intent::Counted;
use crate::trade::plan_price::whole;
use crate::trade::wallets::bounded_units;

codes! {
    /// Whether a service may spend more on a buy than `amountInLamports`.
    BuysMayExceed as "BuysMayExceed", default Nothing {
        /// `amountInLamports` is all that is spent.
        Nothing = "nothing",
        /// It buys a number of tokens, for at most the amount and its slippage.
        Slippage = "slippage",
    }
}

/// What the network and the launchpad charge for a trade, in lamports, in the worst case.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Charges {
    pub signature: u64,
    /// The rent of a wallet's token account, of the program whose accounts are larger.
    pub token_account: u64,
    /// The rent of the account in which the launchpad counts what a wallet trades, which its first buy opens.
    pub volume_account: u64,
}

impl Charges {
    /// Nothing: only what a request itself says counts.
    pub const NONE: Charges = Charges { signature: 0, token_account: 0, volume_account: 0 };

    /// Those of the launchpad's rules.
    pub fn of(launchpad: &Launchpad) -> Self {
        let [token_account, volume_account] = launchpad.first_rents_lamports();
        Charges { signature: launchpad.network.lamports_per_signature, token_account, volume_account }
    }
}

/// By what a worst case is counted.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rates {
    pub slippage_unit: SlippageUnit,
    pub buys_may_exceed: BuysMayExceed,
    pub charges: Charges,
    /// Priority units of each trade of a request that sets no limit.
    pub units_per_trade: u64,
}

/// The most that a trade may take from its wallets, in lamports.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Worst {
    /// What buys spend, trading fees included.
    pub buys: u128,
    /// Rent of the accounts that they may open.
    pub accounts: u128,
    /// What is bid for priority.
    pub priority: u128,
    /// The network's fee for signatures.
    pub signatures: u128,
}

impl Worst {
    /// All of it.
    pub fn total(&self) -> u128 {
        self.buys.saturating_add(self.accounts).saturating_add(self.fees())
    }

    /// The part that a transaction pays even if it fails.
    pub fn fees(&self) -> u128 {
        self.priority.saturating_add(self.signatures)
    }

    /// What of it is not for the buys, in words after the total: empty if that is all.
    pub(super) fn in_words(&self) -> String {
        let parts = [
            (self.priority, "priority"),
            (self.signatures, "signatures"),
            (self.accounts, "accounts that it may open"),
        ];
        let mut words = String::new();
        for (lamports, what) in parts.into_iter().filter(|(lamports, _)| *lamports > 0) {
            words.push_str(if words.is_empty() { ": " } else { ", " });
            words.push_str(&[&lamports.digits(), " for ", what].concat());
        }
        words
    }
}

impl From<Worst> for Counted {
    fn from(worst: Worst) -> Self {
        Counted { lamports: worst.total(), fees: worst.fees() }
    }
}

/// The accounts that are known to be open: a look or the reply to an earlier trade has shown them. Of any other,
/// and of one that is forgotten, the rent counts.
#[derive(Clone, Debug, Default)]
pub struct OpenAccounts {
    tokens: Latest,
    volumes: Latest,
}

/// No mint or wallet has a line break.
fn token_account(wallet: &str, mint: &str) -> String {
    [wallet, "\n", mint].concat()
}

impl OpenAccounts {
    /// A token account that was seen open.
    pub(super) fn holds(&mut self, wallet: &str, mint: &str) {
        self.tokens.insert(&token_account(wallet, mint));
    }

    /// A wallet whose account at the launchpad was seen open: nothing closes it.
    pub(super) fn has_bought(&mut self, wallet: &str) {
        self.volumes.insert(wallet);
    }

    /// What the market's price of a buy shows: for an account that is open, it has no rent.
    pub(super) fn learn(&mut self, request: &Request, price: Item) {
        let Some(legs) = price.get("legs").and_then(Item::items) else { return };
        let mut seen = Vec::new();
        for leg in legs.filter(|_| request.operation.is_buy()) {
            let Some(wallet) = leg.text_of("wallet") else { continue };
            // The price for a wallet that nobody has looked at has no rent either.
            let is_unknown = leg.text_of("tokenAccount") == Some("unknown");
            let is_open = |rent| !is_unknown && leg.get(rent).and_then(whole) == Some(0);
            // A wallet's second buy of a bundle opens nothing, whatever its first one does.
            if seen.contains(&wallet) {
                continue;
            }
            seen.push(wallet);
            if is_open("rentLamports") {
                self.holds(wallet, &request.mint);
            }
            if is_open("volumeRentLamports") {
                self.has_bought(wallet);
            }
        }
    }

    /// What was seen of a token account: tokens in it, or none.
    pub(super) fn saw(&mut self, wallet: &str, mint: &str, tokens: u64) {
        if tokens > 0 { self.holds(wallet, mint) } else { self.may_close(wallet, mint) }
    }

    /// What a trade that has landed shows, or may have changed.
    pub(super) fn ended(&mut self, request: &Request, is_landed: bool, is_left_open: bool) {
        let is_buy = request.operation.is_buy();
        for leg in &request.legs {
            if is_landed && (is_buy || is_left_open) {
                self.holds(&leg.from_wallet, &request.mint);
                if is_buy {
                    self.has_bought(&leg.from_wallet);
                }
            } else if !is_buy {
                self.may_close(&leg.from_wallet, &request.mint);
            }
        }
    }

    /// A token account that a sell may have closed.
    pub(super) fn may_close(&mut self, wallet: &str, mint: &str) {
        self.tokens.remove(&token_account(wallet, mint));
    }

    fn rent_of(&self, wallet: &str, mint: &str, charges: &Charges) -> u128 {
        let token =
            if self.tokens.contains(&token_account(wallet, mint)) { 0 } else { charges.token_account };
        let volume = if self.volumes.contains(wallet) { 0 } else { charges.volume_account };
        u128::from(token) + u128::from(volume)
    }
}

/// What each wallet of a request may lose, its fee payer with the network's fees.
pub(super) fn shares<'r>(request: &'r Request, rates: &Rates, open: &OpenAccounts) -> Vec<(&'r str, Worst)> {
    let mut shares: Vec<(&str, Worst)> = Vec::new();
    for leg in &request.legs {
        let is_known = shares.iter().any(|(wallet, _)| *wallet == leg.from_wallet);
        let share = share_of(&mut shares, &leg.from_wallet);
        if let Some(Amount::Lamports(lamports)) = leg.amount {
            let most = most_spent(lamports, request.slippage_of(leg), rates);
            share.buys = share.buys.saturating_add(most);
        }
        if request.operation.is_buy() && !is_known {
            share.accounts = open.rent_of(&leg.from_wallet, &request.mint, &rates.charges);
        }
    }
    let payer = share_of(&mut shares, request.payer());
    payer.priority = priority_lamports(request, rates.units_per_trade);
    if request.operation.is_buy() {
        let signatures = shares.len() as u128 * u128::from(rates.charges.signature);
        share_of(&mut shares, request.payer()).signatures = signatures;
    }
    shares
}

fn share_of<'s, 'r>(shares: &'s mut Vec<(&'r str, Worst)>, wallet: &'r str) -> &'s mut Worst {
    let at = shares.iter().position(|(known, _)| *known == wallet).unwrap_or_else(|| {
        shares.push((wallet, Worst::default()));
        shares.len() - 1
    });
    &mut shares[at].1
}

/// What a request may take in all.
pub(super) fn worst(request: &Request, rates: &Rates, open: &OpenAccounts) -> Worst {
    shares(request, rates, open).into_iter().fold(Worst::default(), |sum, (_, share)| Worst {
        buys: sum.buys.saturating_add(share.buys),
        accounts: sum.accounts.saturating_add(share.accounts),
        priority: sum.priority.saturating_add(share.priority),
        signatures: sum.signatures.saturating_add(share.signatures),
    })
}

/// More than a wallet has: more than the network has in all. Nothing counts as more, so that no sum passes 128 bits, and what was added can
/// be taken away again.
const MOST: u128 = u64::MAX as u128;

/// The most that a buy of this amount spends: the amount, or `ceil(amount · (100 + slippage) / 100)`. A slippage that cannot be counted
/// may take all.
fn most_spent(lamports: u64, slippage: Option<Slippage>, rates: &Rates) -> u128 {
    if rates.buys_may_exceed == BuysMayExceed::Nothing {
        return lamports.into();
    }
    let percent = slippage.map_or(Ok(default_percent()), |own| percent(own, rates.slippage_unit));
    percent.ok().and_then(|percent| with_percent(lamports, percent)).unwrap_or(MOST).min(MOST)
}

/// `ceil(lamports · (100 + percent) / 100)`; `None` past 128 bits.
fn with_percent(lamports: u64, percent: Decimal) -> Option<u128> {
    let scale = 10u128.checked_pow(percent.decimals().into())?.checked_mul(100)?;
    let factor = scale.checked_add(percent.units())?;
    let whole = u128::from(lamports).checked_mul(factor / scale)?;
    let part = u128::from(lamports).checked_mul(factor % scale)?.div_ceil(scale);
    whole.checked_add(part)
}

/// Lamports that a request bids for priority: `ceil(unit limit · unit price / 10⁶)`. Without a limit, `units_per_trade` count for each.
pub fn priority_lamports(request: &Request, units_per_trade: u64) -> u128 {
    let Some(price) = request.priority_unit_price else { return 0 };
    let units = match bounded_units(request) {
        Some(limit) => u128::from(limit),
        None => u128::from(units_per_trade) * request.legs.len() as u128,
    };
    price_of_units(units, price.into()).min(MOST)
}

/// The service's slippage for a request that names none.
pub fn default_percent() -> Decimal {
    Decimal::from_units(Slippage::DEFAULT_PPM.into(), 4)
}

/// A slippage in percent, exact.
pub fn percent(slippage: Slippage, unit: SlippageUnit) -> Result<Decimal, DecimalError> {
    match (slippage, unit) {
        (Slippage::Bare(number), SlippageUnit::Bps) => number.shift(-2),
        _ => slippage.in_unit(SlippageUnit::Percent),
    }
}
