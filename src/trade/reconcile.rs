//! What happened to a trade whose outcome is unknown, as far as balances can tell.
//!
//! A transaction is atomic: all its legs ran, or none did. So there are two hypotheses. Balances read before it was sent and
//! again later support one, the other, or neither.
//!
//! **What a balance can prove.** Tokens leave a wallet only by a transaction that the wallet signed, but anyone may send tokens
//! to it. So
//!
//! - a *sell* that landed took exactly its amount. If the tokens fell by exactly that while the wallet signed nothing else, it
//!   is proven, unless its lamports say that it signed nothing. Zero tokens are less: an account that was not found looks like
//!   one that was sold and closed, so then its lamports must have risen, too;
//! - a *buy* that landed brought tokens and took lamports. More tokens alone may be a gift. More tokens and fewer lamports,
//!   while the wallet signed nothing else, are proof, because lamports also leave only by a signed transaction;
//! - the *fee payer's* lamports fall by the network's fee even if the transaction fails. If the buyer pays the fee itself, a
//!   buy is proven only by a fall that the fee cannot explain, and so only if the request bounds the fee (`priorityUnitLimit`
//!   and `priorityUnitPrice`). Otherwise it is likely.
//!
//! **That a trade did not land** is proven only if tokens *and* lamports rule it out, each by itself, in every wallet that
//! trades: one reading may be of the wrong account, or too early. So all of this must hold:
//!
//! - the tokens of every trading wallet were read, and did not move. They rule out a sell only where it would have moved them:
//!   a percentage that may round to zero base units, or a sell of more than the wallet held, says nothing;
//! - the lamports of every trading wallet and of the fee payer were read, and did not move. The fee of a failed buy is allowed,
//!   if it is bounded and the wallet did not spend as much as the trade would. That of a failed sell is not: it cannot be
//!   told from a sale that brought less than the fee;
//! - *a move of zero rules out nothing if the trade can make it*: a sell may bring exactly the fee. So no sell that one of its own wallets
//!   pays for is proven not to have landed. If another wallet pays, that wallet's lamports would have moved;
//! - *lamports that contradict the tokens* leave it open: if the tokens did not move, but a buyer's lamports fell by more than
//!   the network's fee, or a seller's rose.
//!
//! What only fits is likely, and a person decides. **A value that was not read is absent, never zero** ([`WalletBalances`]).
//!
//! **The caller says whether the wallets signed anything else** ([`wallets_shared`](Balances::wallets_shared)). If other transactions of these wallets or of the
//! fee payer ran between the two readings, the same numbers only make an answer likely.
//!
//! **A trade that has not landed may still land.** A transaction lives until its blockhash expires, 150 blocks after it was
//! taken: 60 to 90 seconds. Until then, balances that have not moved prove nothing ([`can_still_land`](Balances::can_still_land)). The time runs from when the
//! service *built* the transaction; if the service may hold a request back, wait that much longer.
//!
//! **If balances disagree**, one wallet showing the trade and another not, something else has moved tokens, and the answer is
//! [`Certainty::Unknown`].
//!
//! Read balances at the commitment `finalized`: one that a fork can take back proves nothing.

use super::wallets::{bounded_units, spent};
use crate::amount::{Decimal, Digits};
use crate::api::endpoint::Operation;
use crate::api::request::{Amount, Request};
use crate::api::response::Status;
use crate::codes::codes;
use crate::error::FieldCode;
pub use crate::evidence::Change;
use crate::intent::{IntentOutcome, Settlement};
use crate::launchpad::cost::price_of_units;
use crate::launchpad::receipt::Reported;
use crate::launchpad::rules::RulesByDay;
use crate::reader::Reader;
use crate::tape::{ToTape, Writer};
use crate::to_tape;

/// What was read from one wallet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reading {
    /// The wallet's id.
    pub wallet: String,
    /// Its tokens of the trade's mint, in base units, if they were read.
    pub tokens: Option<Change>,
    /// Its lamports, if they were read.
    pub lamports: Option<Change>,
}

/// All that was read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Balances {
    /// The wallets, in any order. A trading wallet that is missing proves nothing. Of the fee payer, only the lamports count if
    /// it does not trade; other wallets are ignored.
    pub readings: Vec<Reading>,
    /// Fraction digits of a whole token. Default 6.
    pub token_decimals: u8,
    /// Whether the transaction could still land at the second reading: its blockhash may be alive, or the service may not have
    /// sent it yet.
    pub can_still_land: bool,
    /// Whether the trading wallets or the fee payer may have signed other transactions between the two readings: for other
    /// trades, for other programs, for a person.
    pub wallets_shared: bool,
}

impl Balances {
    /// What was read from a wallet.
    fn of(&self, wallet: &str) -> Option<&Reading> {
        self.readings.iter().find(|reading| reading.wallet == wallet)
    }

    /// What the wallets held before a trade was sent, and what they hold now; a wallet that was read only once is left out. It
    /// assumes that tokens have 6 decimals, that the trade can still land, and that the wallets may have signed other
    /// transactions. For a proof, change the last two.
    pub fn between(before: &[WalletBalances], now: &[WalletBalances]) -> Self {
        let reading = |now: &WalletBalances| {
            let before = before.iter().find(|before| before.wallet == now.wallet)?;
            let change = |before: Option<u64>, after| Some(Change { before: before?, after: after? });
            Some(Reading {
                wallet: now.wallet.clone(),
                tokens: change(before.tokens, now.tokens),
                lamports: change(before.lamports, now.lamports),
            })
        };
        let readings = now.iter().filter_map(reading).collect();
        Balances { readings, token_decimals: 6, can_still_land: true, wallets_shared: true }
    }

    /// Reads balances as JS gives them: `now` and `before`, each a list of [`WalletBalances`], `tokenDecimals`, `canStillLand`
    /// and `walletsShared`. The last two default to true: the caller must ask for proof. Without a `before`, `seen` is used:
    /// what the intent recorded before it was sent.
    #[doc(hidden)]
    pub fn read(reader: &mut Reader, seen: &[WalletBalances]) -> Self {
        let own = WalletBalances::read_list(reader, "before");
        let now = reader.need("now", WalletBalances::read_list);
        let before = own.as_deref().unwrap_or(seen);
        if before.is_empty() {
            let what = "is missing, and the intent has none";
            reader.refuse("before", FieldCode::Required, what);
        }
        Balances {
            token_decimals: reader.whole_within("tokenDecimals", 0, 18).unwrap_or(6) as u8,
            can_still_land: reader.boolean("canStillLand").unwrap_or(true),
            wallets_shared: reader.boolean("walletsShared").unwrap_or(true),
            ..Balances::between(before, &now)
        }
    }
}

/// What one wallet holds, at one moment. What was not read is absent, and never zero: a reading that failed, or that found no
/// account where one was expected, is no proof of an empty one.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "camelCase"))]
pub struct WalletBalances {
    /// The wallet's id.
    pub wallet: String,
    /// Its tokens of the trade's mint, in base units, where they were read. Zero means that it has no token account, or an
    /// empty one.
    #[cfg_attr(feature = "serde", serde(default, with = "crate::serde_forms::some_digits"))]
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub tokens: Option<u64>,
    /// Its lamports, where they were read.
    #[cfg_attr(feature = "serde", serde(default, with = "crate::serde_forms::some_digits"))]
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub lamports: Option<u64>,
    /// The finalized slot in which both were read, where a market read them. Without it only balances prove something.
    #[cfg_attr(feature = "serde", serde(default, with = "crate::serde_forms::some_digits"))]
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub slot: Option<u64>,
}

impl WalletBalances {
    /// Reads a list of these, each wallet once: `[{ wallet, tokens, lamports }]`, with at least one of the two numbers.
    #[doc(hidden)]
    pub fn read_list(reader: &mut Reader, list: &'static str) -> Option<Vec<Self>> {
        let read: Vec<Self> = reader.list(list, |r| {
            let wallet = r.need_text("wallet");
            let lamports = r.whole("lamports");
            let tokens =
                if lamports.is_some() { r.whole("tokens") } else { r.needed("tokens", Reader::whole) };
            WalletBalances { wallet, tokens, lamports, slot: r.whole("slot") }
        })?;
        for (index, balances) in read.iter().enumerate() {
            if read.iter().take(index).any(|earlier| earlier.wallet == balances.wallet) {
                let field = [list, "[", &index.digits(), "].wallet"].concat();
                reader.refuse(&field, FieldCode::Conflict, "appears twice");
            }
        }
        Some(read)
    }
}

/// Amounts are text, as JSON keeps them exactly; what was not read is left out.
impl ToTape for WalletBalances {
    fn write(&self, tape: &mut Writer) {
        let amounts = [("tokens", self.tokens), ("lamports", self.lamports), ("slot", self.slot)];
        let amounts = amounts.map(|(name, amount)| (name, amount.map(|amount| amount.digits())));
        let mut fields: Vec<(&str, &dyn ToTape)> = vec![("wallet", &self.wallet)];
        for (name, amount) in &amounts {
            fields.extend(amount.as_ref().map(|amount| (*name, amount as &dyn ToTape)));
        }
        tape.object(&mut fields.into_iter());
    }
}

codes! {
    /// How sure an answer is.
    Certainty {
        /// The balances allow nothing else, if the caller described them correctly.
        Proven = "proven",
        /// They fit this answer, but would also fit another.
        Likely = "likely",
        /// They do not decide it.
        Unknown = "unknown",
    }
}

codes! {
    /// What one wallet's balances show of the trade.
    Shown {
        /// Exactly the trade's move. Only something else that the wallet signed could have made it, too.
        Trade = "trade",
        /// A move in the trade's direction that may have another cause.
        Move = "move",
        /// No move: its tokens are unchanged, and its lamports do not contradict that.
        Nothing = "nothing",
        /// A move that does not fit, whether the trade landed or not.
        Other = "other",
        /// Its tokens were not read.
        Unread = "unread",
        /// No move, but the trade might not have made one: its share may round to zero, or the wallet held too few tokens.
        Silent = "silent",
    }
}

codes! {
    /// What may be acknowledged of an unresolved intent: the two of `IntentOutcome` that end it.
    Found {
        /// It landed: its lamports are spent, and its id is used up.
        Landed = "landed",
        /// It did not land and never will: its lamports are free, and so is its id.
        DidNotLand = "did_not_land",
    }
}

impl From<Found> for Settlement {
    fn from(found: Found) -> Self {
        IntentOutcome::from(found).into()
    }
}

impl From<Found> for IntentOutcome {
    fn from(found: Found) -> Self {
        match found {
            Found::Landed => IntentOutcome::Landed,
            Found::DidNotLand => IntentOutcome::DidNotLand,
        }
    }
}

/// What a wallet shows, and what moved in it between the two readings, whatever moved it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// The wallet's id.
    pub wallet: String,
    pub shows: Shown,
    /// How sure it is that the trade moved this, and nothing else did.
    pub certainty: Certainty,
    /// Its base units before; `None`, as the next three, if they were not read twice.
    pub tokens_before: Option<u64>,
    /// Its base units later.
    pub tokens_after: Option<u64>,
    /// Base units gained (negative: sold).
    pub tokens_moved: Option<i128>,
    /// Lamports gained (negative: spent) in all: the trade, its fees, rent, and the network fee if it is the payer.
    pub lamports_moved: Option<i128>,
}
to_tape!(Finding { wallet, shows, certainty, tokens_before, tokens_after, tokens_moved, lamports_moved });

/// What happened to a trade.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reconciled {
    /// What was asked for.
    pub operation: Operation,
    /// How sure the answer is.
    pub certainty: Certainty,
    /// Whether it landed; `None` if that is unknown.
    pub landed: Option<bool>,
    /// What to acknowledge; only if it is proven.
    pub found: Option<Found>,
    /// What each trading wallet shows, in the order of the legs.
    pub findings: Vec<Finding>,
}
to_tape!(Reconciled { operation, certainty, landed, found, findings });

impl Reconciled {
    /// What the trade did to a wallet, for its [`receipt`](crate::launchpad::receipt::receipt): as a reply would have reported
    /// it, and with the lamports that a reply does not have. What is only likely counts as unconfirmed. `None` if there is
    /// nothing to write into the books: the trade may not have landed.
    pub fn reported(&self, wallet: &str) -> Option<Reported> {
        let landing = match (self.certainty, self.landed?) {
            (Certainty::Proven, true) => Status::Landed,
            (Certainty::Proven, false) => Status::Failed,
            (Certainty::Likely, true) => Status::Unconfirmed,
            _ => return None,
        };
        let reported = Reported::of_bundle(landing);
        let Some(finding) = self.findings.iter().find(|finding| finding.wallet == wallet) else {
            return Some(reported);
        };
        Some(Reported {
            landing: if finding.certainty == Certainty::Likely { Status::Unconfirmed } else { landing },
            tokens: finding.tokens_moved.and_then(|moved| u64::try_from(moved.unsigned_abs()).ok()),
            tokens_before: finding.tokens_before,
            tokens_after: finding.tokens_after,
            wallet_lamports_moved: finding.lamports_moved,
            ..reported
        })
    }
}

/// Finds out what happened to a trade, from what its wallets held before and after. The reasons are [above](self).
///
/// ```
/// use launchpad_desk::api::{endpoint::Operation, validate::{Rules, validate}};
/// use launchpad_desk::trade::reconcile::*;
/// use launchpad_desk::tape::json;
///
/// let request = json::parse(br#"{ "mint": "M", "fromWallet": "W", "amountInToken": 2 }"#).unwrap();
/// let sell = validate(Operation::Sell, request.root(), &Rules::default()).unwrap();
/// let tokens = Change { before: 5_000_000, after: 3_000_000 }; // with 6 decimals, 2 tokens fewer
/// let readings = vec![Reading { wallet: "W".into(), tokens: Some(tokens), lamports: None }];
/// let balances = Balances { readings, token_decimals: 6, can_still_land: true, wallets_shared: false };
/// let reconciled = reconcile(&sell, &balances);
/// assert_eq!((reconciled.certainty, reconciled.found), (Certainty::Proven, Some(Found::Landed)));
/// ```
pub fn reconcile(request: &Request, balances: &Balances) -> Reconciled {
    let mut findings: Vec<Finding> = Vec::new();
    for leg in &request.legs {
        if findings.iter().all(|finding| finding.wallet != leg.from_wallet) {
            findings.push(finding(request, &leg.from_wallet, balances));
        }
    }
    let any = |what| findings.iter().any(|finding| finding.shows == what);
    let alone = !balances.wallets_shared;
    let sure = if alone { Certainty::Proven } else { Certainty::Likely };
    let moved = any(Shown::Trade) || any(Shown::Move);
    let (certainty, landed) = if any(Shown::Other) || (moved && any(Shown::Nothing)) {
        (Certainty::Unknown, None)
    } else if any(Shown::Trade) {
        // If one leg ran, all did.
        (sure, Some(true))
    } else if moved && alone {
        (Certainty::Likely, Some(true))
    } else if any(Shown::Nothing) && !balances.can_still_land {
        // If one leg did not run, none did; but a proof needs all wallets to say so.
        let silent = findings.iter().all(|finding| matches!(finding.shows, Shown::Nothing | Shown::Silent));
        let mut wallets = findings.iter().map(|finding| finding.wallet.as_str()).chain([request.payer()]);
        let still = wallets.all(|wallet| is_still(request, wallet, balances));
        (if silent && still { sure } else { Certainty::Likely }, Some(false))
    } else {
        (Certainty::Unknown, None)
    };
    for finding in &mut findings {
        finding.certainty = match finding.shows {
            Shown::Trade | Shown::Nothing | Shown::Silent => certainty,
            Shown::Move if certainty != Certainty::Unknown => Certainty::Likely,
            Shown::Move | Shown::Other | Shown::Unread => Certainty::Unknown,
        };
    }
    let found = landed.map(|landed| if landed { Found::Landed } else { Found::DidNotLand });
    let found = found.filter(|_| certainty == Certainty::Proven);
    Reconciled { operation: request.operation, certainty, landed, found, findings }
}

/// What a wallet shows; how sure that is depends on the others.
fn finding(request: &Request, wallet: &str, balances: &Balances) -> Finding {
    let reading = balances.of(wallet);
    let tokens = reading.and_then(|reading| reading.tokens);
    Finding {
        wallet: wallet.to_owned(),
        shows: shown(request, wallet, balances),
        certainty: Certainty::Unknown,
        tokens_before: tokens.map(|tokens| tokens.before),
        tokens_after: tokens.map(|tokens| tokens.after),
        tokens_moved: tokens.map(Change::moved),
        lamports_moved: reading.and_then(|reading| reading.lamports).map(Change::moved),
    }
}

fn shown(request: &Request, wallet: &str, balances: &Balances) -> Shown {
    let Some(reading) = balances.of(wallet) else { return Shown::Unread };
    let Some(Change { before, after }) = reading.tokens else { return Shown::Unread };
    let is_alone = !balances.wallets_shared;
    let sold = || {
        let amounts = request.legs.iter().filter(|leg| leg.from_wallet == wallet).map(|leg| leg.amount);
        sold(before, amounts, balances.token_decimals)
    };
    if before == after {
        let contradicts = reading.lamports.is_some_and(|lamports| !is_idle(request, wallet, lamports));
        if contradicts && is_alone {
            return Shown::Other;
        }
        let would_move = request.operation.is_buy() || sold().is_some_and(|due| due.least > 0);
        return if would_move { Shown::Nothing } else { Shown::Silent };
    }
    if request.operation.is_buy() {
        // What was spent; `None` if the balance rose.
        let spent = reading.lamports.map(|lamports| lamports.before.checked_sub(lamports.after));
        let fee = if request.payer() == wallet { most_network_fee(request) } else { Some(0) };
        return match (after > before, spent, fee) {
            (false, _, _) | (true, Some(None | Some(0)), _) => Shown::Other,
            (true, Some(Some(spent)), Some(fee)) if u128::from(spent) > fee => Shown::Trade,
            (true, _, _) => Shown::Move,
        };
    }
    let has_earned = reading.lamports.is_some_and(|lamports| lamports.after > lamports.before);
    if is_alone && !has_earned && reading.lamports.is_some_and(|lamports| !is_idle(request, wallet, lamports))
    {
        // More lamports left than a sell can cost.
        return Shown::Other;
    }
    match (sold(), before.checked_sub(after)) {
        (_, None) => Shown::Other,
        // An account that is gone, or that was not found.
        (Some(_), Some(_)) if after == 0 && !has_earned => Shown::Move,
        (Some(due), Some(fallen)) if (due.least..=due.most).contains(&fallen) => Shown::Trade,
        // Some of it may have been sent back, or the service may have rounded.
        (_, Some(_)) => Shown::Move,
    }
}

/// Whether a wallet that did not trade, and signed nothing else, can have moved its lamports like this: by the fee of a
/// transaction that failed, or by a gift, which in a sell could as well be its proceeds.
fn is_idle(request: &Request, wallet: &str, Change { before, after }: Change) -> bool {
    let is_buy = request.operation.is_buy();
    let Some(fallen) = before.checked_sub(after).map(u128::from) else { return is_buy };
    if request.payer() != wallet {
        return fallen == 0;
    }
    match most_network_fee(request) {
        Some(most) => fallen <= most,
        None => !is_buy || fallen < spent(request, wallet),
    }
}

/// Whether a wallet's lamports alone rule out that the trade landed: they did not move, or fell by what a failed buy costs, and
/// by less than a buy that landed would. What a sell brings to its own payer may be exactly the fee.
fn is_still(request: &Request, wallet: &str, balances: &Balances) -> bool {
    let sells = !request.operation.is_buy() && request.legs.iter().any(|leg| leg.from_wallet == wallet);
    if sells && request.payer() == wallet {
        return false;
    }
    let lamports = balances.of(wallet).and_then(|reading| reading.lamports);
    let fallen = lamports.and_then(|lamports| lamports.before.checked_sub(lamports.after)).map(u128::from);
    let fee = most_network_fee(request).filter(|_| request.operation.is_buy() && request.payer() == wallet);
    let spent = spent(request, wallet);
    match (fallen, fee) {
        (Some(0), _) => true,
        (Some(fallen), Some(fee)) => fallen <= fee && (spent == 0 || fallen < spent),
        _ => false,
    }
}

/// The most lamports that the network may charge, where the request bounds it: for signatures, of which a transaction has room for
/// 12, by the dearest of the rules; and the price of its units, in millionths of a lamport.
fn most_network_fee(request: &Request) -> Option<u128> {
    let priority = price_of_units(bounded_units(request)?.into(), request.priority_unit_price?.into());
    let rules = RulesByDay::default();
    let signature = rules.each().map(|rules| rules.network.lamports_per_signature).max()?;
    Some(12 * u128::from(signature) + priority)
}

/// How many base units legs take, whichever way the service rounds a percentage.
pub(super) struct Due {
    pub(super) least: u64,
    pub(super) most: u64,
}

/// What the sells of one wallet take from `before` base units, in order; `None` if that is not known.
pub(super) fn sold(before: u64, amounts: impl Iterator<Item = Option<Amount>>, decimals: u8) -> Option<Due> {
    // What is left, at most and at least.
    let (mut most, mut least) = (before, before);
    for amount in amounts {
        match amount {
            None | Some(Amount::Lamports(_)) => return None,
            Some(Amount::Tokens(amount)) => {
                let units = amount.tokens.to_units(decimals).ok()?;
                (most, least) = (most.checked_sub(units)?, least.checked_sub(units)?);
            }
            Some(Amount::Percentage(percentage)) => {
                most = most.checked_sub(share(most, percentage.0)?.least)?;
                least = least.checked_sub(share(least, percentage.0)?.most)?;
            }
        }
    }
    Some(Due { least: before - most, most: before - least })
}

/// The base units of `percentage` of `balance`, rounded down and up; `None` for one finer than 16 digits after the point.
fn share(balance: u64, percentage: Decimal) -> Option<Due> {
    const WHOLE: u128 = 100 * 10u128.pow(16);
    // At most 10^18, which times any balance fits 128 bits.
    let product = u128::from(balance) * u128::from(percentage.to_units(16).ok()?);
    let of = |units: u128| u64::try_from(units).ok();
    Some(Due { least: of(product / WHOLE)?, most: of(product.div_ceil(WHOLE))? })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::api::validate::{Rules, Valid, validate};
    use crate::tape::{Data, Tape, ToTape, json};
    use crate::{object, reader};

    fn valid(operation: Operation, request: &str) -> Valid<Request> {
        validate(operation, json::parse(request.as_bytes()).unwrap().root(), &Rules::default()).unwrap()
    }

    /// wallet, tokens before and after, lamports before and after
    type Row = (&'static str, u64, u64, Option<(u64, u64)>);

    fn balances(rows: &[Row], can_still_land: bool, wallets_shared: bool) -> Balances {
        let reading = |&(wallet, before, after, lamports): &Row| Reading {
            wallet: wallet.into(),
            tokens: Some(Change { before, after }),
            lamports: lamports.map(|(before, after)| Change { before, after }),
        };
        Balances {
            readings: rows.iter().map(reading).collect(),
            token_decimals: 6,
            can_still_land,
            wallets_shared,
        }
    }

    // Whether the trade can still land, and whether the wallets may have signed other transactions.
    const LIVE: bool = true;
    const EXPIRED: bool = false;
    const ALONE: bool = false;
    const SHARED: bool = true;

    const PROVEN: (Certainty, Option<bool>) = (Certainty::Proven, Some(true));
    const LIKELY: (Certainty, Option<bool>) = (Certainty::Likely, Some(true));
    const OPEN: (Certainty, Option<bool>) = (Certainty::Unknown, None);

    fn of(
        request: &Request,
        rows: &[Row],
        can_still_land: bool,
        wallets_shared: bool,
    ) -> (Certainty, Option<bool>) {
        let Reconciled { certainty, landed, .. } =
            reconcile(request, &balances(rows, can_still_land, wallets_shared));
        (certainty, landed)
    }

    #[test]
    fn what_has_not_moved_is_proof_only_once_it_cannot_move() {
        let sell = valid(Operation::Sell, r#"{"mint":"M","fromWallet":"W","amountInToken":"0.000002"}"#);
        let buy = valid(Operation::Buy, r#"{"mint":"M","fromWallet":"W","amountInLamports":2}"#);
        for (request, due) in [(&sell, LIKELY_NOT), (&buy, DID_NOT)] {
            let rows = [("W", 5, 5, Some((9, 9)))];
            assert_eq!(of(request, &rows, LIVE, ALONE), OPEN);
            assert_eq!(of(request, &rows, EXPIRED, ALONE), due, "a sell may bring exactly its fee");
            assert_eq!(of(request, &rows, EXPIRED, SHARED), LIKELY_NOT);
            let blind = [("W", 5, 5, None)];
            assert_eq!(of(request, &blind, EXPIRED, ALONE), LIKELY_NOT, "lamports unread");
            assert_eq!(of(request, &[], EXPIRED, ALONE), OPEN);
        }
    }

    #[test]
    fn lamports_that_only_the_trade_can_have_moved_contradict_tokens_that_did_not_move() {
        let buy = |rest: &str| {
            let request = format!(r#"{{"mint":"M","fromWallet":"W","amountInLamports":1000000{rest}}}"#);
            valid(Operation::Buy, &request)
        };
        let sell = |rest: &str| {
            let request = format!(r#"{{"mint":"M","fromWallet":"W","amountInToken":"0.000002"{rest}}}"#);
            valid(Operation::Sell, &request)
        };
        let bound = r#","priorityUnitLimit":200000,"priorityUnitPrice":10000000"#;
        let before = 9_000_000;
        for (request, after, due, why) in [
            (buy(""), before, DID_NOT, "nothing moved"),
            (buy(""), before + 1, LIKELY_NOT, "a gift, which may hide what was spent"),
            (buy(""), before - 5_000, LIKELY_NOT, "a failed transaction's fee, which is not bounded"),
            (buy(""), before - 999_999, LIKELY_NOT, "the same"),
            (buy(""), before - 1_000_000, OPEN, "the whole amount is gone"),
            (buy(bound), before - 999_999, DID_NOT, "a failed transaction's fee"),
            (buy(bound), before - 1_000_000, LIKELY_NOT, "a fee, or the whole amount"),
            (buy(bound), before - 2_060_000, LIKELY_NOT, "the most that a failed transaction can cost"),
            (buy(bound), before - 2_060_001, OPEN, "more than a fee"),
            (buy(r#","feePayer":"P""#), before, LIKELY_NOT, "another wallet pays the fee, and was not read"),
            (buy(r#","feePayer":"P""#), before - 1, OPEN, "another wallet pays the fee"),
            (sell(""), before, LIKELY_NOT, "nothing moved, or the proceeds were exactly the fee"),
            (
                sell(""),
                before - 5_000,
                LIKELY_NOT,
                "a failed transaction's fee, or one with proceeds of nothing",
            ),
            (sell(""), before - 4_923, LIKELY_NOT, "proceeds below the fee"),
            (sell(""), before + 1, OPEN, "proceeds, or a gift"),
            (sell(bound), before - 2_060_001, OPEN, "more than a fee"),
            (sell(r#","feePayer":"P""#), before - 1, OPEN, "another wallet pays the fee"),
        ] {
            let rows = [("W", 5, 5, Some((before, after)))];
            assert_eq!(of(&request, &rows, EXPIRED, ALONE), due, "{why}");
            // Other transactions of the wallet may have moved them.
            assert_eq!(of(&request, &rows, EXPIRED, SHARED), LIKELY_NOT);
        }
        let two = r#"{"mint":"M","feePayer":"W","buys":[{"fromWallet":"W","amountInLamports":600000},{"fromWallet":"W","amountInLamports":600000}],"priorityUnitLimit":200000,"priorityUnitPrice":10000000}"#;
        let two = valid(Operation::BundleBuy, two);
        let fell = |lamports| [("W", 5, 5, Some((before, before - lamports)))];
        assert_eq!(of(&two, &fell(1_199_999), EXPIRED, ALONE), DID_NOT);
        assert_eq!(of(&two, &fell(1_200_000), EXPIRED, ALONE), LIKELY_NOT);
    }

    const DID_NOT: (Certainty, Option<bool>) = (Certainty::Proven, Some(false));
    const LIKELY_NOT: (Certainty, Option<bool>) = (Certainty::Likely, Some(false));

    #[test]
    fn a_trade_that_would_have_changed_nothing_proves_nothing() {
        let percent = |percentage: &str| {
            let request =
                format!(r#"{{"mint":"M","fromWallet":"W","percentage":{percentage},"feePayer":"P"}}"#);
            valid(Operation::SellByPercentage, &request)
        };
        let sell =
            valid(Operation::Sell, r#"{"mint":"M","fromWallet":"W","amountInToken":2,"feePayer":"P"}"#);
        let fine = valid(
            Operation::Sell,
            r#"{"mint":"M","fromWallet":"W","amountInToken":"0.0000001","feePayer":"P"}"#,
        );
        for (request, tokens, due, why) in [
            (percent("1"), 50, OPEN, "half a base unit, which a service may round to zero"),
            (percent("1"), 100, DID_NOT, "one base unit"),
            (percent("100"), 0, OPEN, "all of nothing"),
            (sell.clone(), 0, OPEN, "there is nothing to sell: the readings are of another account"),
            (sell.clone(), 1_999_999, OPEN, "less than it sells"),
            (sell, 2_000_000, DID_NOT, "as much as it sells"),
            (fine, 5, OPEN, "finer than a base unit"),
        ] {
            let rows = [("W", tokens, tokens, Some((9, 9))), ("P", 0, 0, Some((9, 9)))];
            assert_eq!(of(&request, &rows, EXPIRED, ALONE), due, "{why}");
        }
    }

    #[test]
    fn a_proven_negative_needs_tokens_and_lamports_of_every_wallet() {
        let sell =
            valid(Operation::Sell, r#"{"mint":"M","fromWallet":"W","amountInToken":2,"feePayer":"P"}"#);
        let still = ("W", 2_000_000, 2_000_000, Some((9, 9)));
        let gone = |rows: &[Row]| of(&sell, rows, EXPIRED, ALONE);
        assert_eq!(gone(&[still, ("P", 0, 0, Some((9_000, 9_000)))]), DID_NOT);
        assert_eq!(gone(&[("W", 2_000_000, 2_000_000, None), ("P", 0, 0, Some((9_000, 9_000)))]), LIKELY_NOT);
        assert_eq!(gone(&[still, ("P", 0, 0, None)]), LIKELY_NOT);
        assert_eq!(gone(&[still]), LIKELY_NOT, "the payer was not read");
        assert_eq!(gone(&[still, ("P", 0, 0, Some((9_000, 4_000)))]), LIKELY_NOT, "a transaction ran");
    }

    #[test]
    fn an_account_that_is_gone_is_proof_only_if_lamports_came() {
        let all = valid(Operation::SellByPercentage, r#"{"mint":"M","fromWallet":"W","percentage":100}"#);
        let now = |lamports| of(&all, &[("W", 7, 0, lamports)], LIVE, ALONE);
        assert_eq!(now(Some((9, 10))), PROVEN);
        assert_eq!(now(Some((9, 9))), LIKELY, "or its account was not found");
        assert_eq!(now(None), LIKELY);
        assert_eq!(of(&all, &[("W", 7, 0, Some((9, 10)))], LIVE, SHARED), LIKELY);
    }

    #[test]
    fn a_sell_is_known_by_its_amount() {
        let sell = valid(Operation::Sell, r#"{"mint":"M","fromWallet":"W","amountInToken":"2.5"}"#);
        let fell = |after, wallets| of(&sell, &[("W", 5_000_000, after, None)], LIVE, wallets);
        assert_eq!(fell(2_500_000, ALONE), PROVEN);
        assert_eq!(fell(2_500_000, SHARED), LIKELY);
        assert_eq!(fell(2_500_001, ALONE), LIKELY);
        assert_eq!(fell(2_500_001, SHARED), OPEN);
        assert_eq!(fell(5_000_001, ALONE), OPEN);
        let paid = |lamports| of(&sell, &[("W", 5_000_000, 2_500_000, Some(lamports))], LIVE, ALONE);
        assert_eq!(paid((9, 8)), PROVEN, "proceeds below its fee");
        let payer = r#"{"mint":"M","fromWallet":"W","amountInToken":"2.5","feePayer":"P"}"#;
        let payer = valid(Operation::Sell, payer);
        let row = [("W", 5_000_000, 2_500_000, Some((9, 8)))];
        assert_eq!(of(&payer, &row, LIVE, ALONE), OPEN, "a sell takes no lamports");
        let fine = valid(Operation::Sell, r#"{"mint":"M","fromWallet":"W","amountInToken":"0.0000001"}"#);
        assert_eq!(of(&fine, &[("W", 5, 4, None)], LIVE, ALONE), LIKELY);
    }

    #[test]
    fn a_percentage_may_be_rounded_either_way() {
        let sell = |percentage: &str| {
            let request = format!(r#"{{"mint":"M","fromWallet":"W","percentage":{percentage}}}"#);
            valid(Operation::SellByPercentage, &request)
        };
        let fell = |percentage: &str, before, after| {
            of(&sell(percentage), &[("W", before, after, Some((9, 10)))], LIVE, ALONE)
        };
        for (percentage, before, after, due) in [
            ("100", u64::MAX, 0, PROVEN),
            ("100", 7, 1, LIKELY),
            ("50", 7, 4, PROVEN),
            ("50", 7, 3, PROVEN),
            ("50", 7, 2, LIKELY),
            ("50", 8, 4, PROVEN),
            ("50", 8, 3, LIKELY),
            ("0.0000000000000001", u64::MAX, u64::MAX - 18, PROVEN),
            ("0.00000000000000001", u64::MAX, u64::MAX - 1, LIKELY),
        ] {
            assert_eq!(fell(percentage, before, after), due, "{percentage} % of {before} leaves {after}");
        }
        // Half, then half of what is left.
        let twice = r#"{"mint":"M","feePayer":"P","sells":[{"fromWallet":"W","percentage":50},{"fromWallet":"W","percentage":50}]}"#;
        let twice = valid(Operation::BundleSellByPercentage, twice);
        assert_eq!(of(&twice, &[("W", 8, 2, None)], LIVE, ALONE), PROVEN);
        assert_eq!(of(&twice, &[("W", 8, 4, None)], LIVE, ALONE), LIKELY);
    }

    #[test]
    fn a_buy_takes_lamports_and_brings_tokens() {
        let buy = |rest: &str| {
            let request = format!(r#"{{"mint":"M","fromWallet":"W","amountInLamports":900{rest}}}"#);
            valid(Operation::Buy, &request)
        };
        let paid = buy(r#","feePayer":"P""#);
        let rose = |request: &Request, lamports| of(request, &[("W", 0, 5, lamports)], LIVE, ALONE);
        assert_eq!(rose(&paid, Some((1_000, 100))), PROVEN);
        assert_eq!(rose(&paid, None), LIKELY, "it may be a gift");
        assert_eq!(rose(&paid, Some((1_000, 1_000))), OPEN, "a gift");
        assert_eq!(rose(&paid, Some((1_000, 1_001))), OPEN);
        assert_eq!(of(&paid, &[("W", 5, 4, Some((9, 1)))], LIVE, ALONE), OPEN);
        // Its own fee payer: a failed transaction's fee and a gift look the same.
        let own = buy("");
        assert_eq!(rose(&own, Some((1_000_000, 0))), LIKELY);
        let bounded = buy(r#","priorityUnitLimit":200000,"priorityUnitPrice":10000000"#);
        assert_eq!(rose(&bounded, Some((9_000_000, 9_000_000 - 2_060_001))), PROVEN);
        assert_eq!(rose(&bounded, Some((9_000_000, 9_000_000 - 2_060_000))), LIKELY);
        let unbounded = buy(r#","priorityUnitLimit":0,"priorityUnitPrice":10000000"#);
        assert_eq!(rose(&unbounded, Some((9_000_000, 9_000_000 - 2_060_001))), LIKELY);
        let dear =
            buy(r#","priorityUnitLimit":"18446744073709551615","priorityUnitPrice":"18446744073709551615""#);
        assert_eq!(rose(&dear, Some((u64::MAX, 0))), LIKELY);
    }

    #[test]
    fn one_leg_speaks_for_all_and_two_that_disagree_for_none() {
        let request = r#"{"mint":"M","feePayer":"P","sells":[{"fromWallet":"W","amountInToken":1},{"fromWallet":"X","amountInToken":2},{"fromWallet":"W","amountInToken":1}]}"#;
        let bundle = valid(Operation::BundleSell, request);
        let paid = valid(Operation::BundleSell, &request.replace(r#""feePayer":"P""#, r#""feePayer":"X""#));
        let sold = ("W", 5_000_000, 3_000_000, None);
        let still = ("X", 5_000_000, 5_000_000, Some((9, 9)));
        let quiet = [("W", 5_000_000, 5_000_000, Some((9, 9))), still, ("P", 0, 0, Some((9, 9)))];
        assert_eq!(of(&bundle, &[sold], LIVE, ALONE), PROVEN);
        assert_eq!(of(&bundle, &quiet, EXPIRED, ALONE), DID_NOT);
        assert_eq!(of(&bundle, &quiet[..2], EXPIRED, ALONE), LIKELY_NOT, "not the payer");
        assert_eq!(of(&bundle, &quiet[1..], EXPIRED, ALONE), LIKELY_NOT, "not every wallet");
        assert_eq!(of(&paid, &quiet, EXPIRED, ALONE), LIKELY_NOT, "one of the sellers pays");
        assert_eq!(of(&bundle, &[still], LIVE, ALONE), OPEN);
        assert_eq!(of(&bundle, &[sold, still], EXPIRED, ALONE), OPEN);
        let stranger = ("Y", 5, 1, None);
        let shows = |rows: &[Row]| reconcile(&bundle, &balances(rows, EXPIRED, ALONE)).to_tape();
        let finding = |wallet, shows, certainty, [before, after]: [u64; 2]| {
            object! {
                "wallet": wallet, "shows": shows, "certainty": certainty, "tokensBefore": before, "tokensAfter": after,
                "tokensMoved": i128::from(after) - i128::from(before), "lamportsMoved": Data::Null,
            }
        };
        let unread = object! {
            "wallet": "X", "shows": "unread", "certainty": "unknown", "tokensBefore": Data::Null,
            "tokensAfter": Data::Null, "tokensMoved": Data::Null, "lamportsMoved": Data::Null,
        };
        let findings = vec![finding("W", "nothing", "likely", [5_000_000; 2]), unread];
        let expected = object! {
            "operation": "bundleSell", "certainty": "likely", "landed": false, "found": Data::Null, "findings": findings,
        };
        assert_eq!(shows(&[("W", 5_000_000, 5_000_000, None), stranger]), expected);
        let findings =
            vec![finding("W", "move", "unknown", [5, 4]), finding("X", "other", "unknown", [5, 6])];
        let expected = object! {
            "operation": "bundleSell", "certainty": "unknown", "landed": Data::Null, "found": Data::Null, "findings": findings,
        };
        assert_eq!(shows(&[("W", 5, 4, None), ("X", 5, 6, None)]), expected);
    }

    #[test]
    fn proof_has_to_be_asked_for() {
        let seen = [WalletBalances { wallet: "W".into(), tokens: Some(5), lamports: Some(9), slot: None }];
        let read = |value: &Tape| reader::read(value.root(), |r| Balances::read(r, &seen));
        let row = object! { "wallet": "W", "tokens": "4" };
        let cautious = read(&object! { "now": vec![row.clone()] }).unwrap();
        assert_eq!(cautious, balances(&[("W", 5, 4, None)], LIVE, SHARED));
        let given = object! { "now": vec![row.clone()], "canStillLand": false, "walletsShared": false };
        assert_eq!(read(&given).unwrap(), balances(&[("W", 5, 4, None)], EXPIRED, ALONE));
        let both = object! { "wallet": "W", "tokens": 4u64, "lamports": 8u64 };
        let other = object! { "wallet": "X", "tokens": 7u64 };
        let payer = object! { "now": vec![object! { "wallet": "W", "lamports": 8u64 }] };
        let half =
            Reading { wallet: "W".into(), tokens: None, lamports: Some(Change { before: 9, after: 8 }) };
        assert_eq!(read(&payer).unwrap().readings, [half], "what was not read is no zero");
        let given = object! { "now": vec![both.clone(), other.clone()] };
        let unread = balances(&[("W", 5, 4, Some((9, 8)))], LIVE, SHARED);
        assert_eq!(read(&given).unwrap(), unread, "of a wallet that was not seen before, nothing is known");
        let given = object! { "now": vec![both, other.clone()], "before": vec![other] };
        let own = balances(&[("X", 7, 7, None)], LIVE, SHARED);
        assert_eq!(read(&given).unwrap(), own, "what the caller says goes before what the intent says");

        let half = object! { "wallet": "W" };
        let problems = read(&object! { "now": vec![row, half], "alone": true }).unwrap_err();
        let messages: Vec<&str> = problems.iter().map(|problem| problem.message.as_str()).collect();
        assert_eq!(messages, ["now[1].tokens is missing", "now[1].wallet appears twice", "alone is unknown"]);
        let blind = reader::read(object! { "now": Vec::<Tape>::new() }.root(), |r| Balances::read(r, &[]));
        let message = "before is missing, and the intent has none";
        assert_eq!(blind.unwrap_err()[0].message, message);
    }

    #[test]
    fn what_was_seen_is_written_as_it_is_read() {
        let seen = object! { "before": vec![
            object! { "wallet": "W", "tokens": "18446744073709551615", "lamports": "0" },
            object! { "wallet": "X", "tokens": "0" },
            object! { "wallet": "Y", "lamports": "0" },
        ] };
        let read = reader::read(seen.root(), |r| WalletBalances::read_list(r, "before")).unwrap().unwrap();
        assert_eq!(object! { "before": read.to_tape() }, seen);
    }
}
