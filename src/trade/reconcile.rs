//! What happened to a trade whose outcome is unknown, as far as balances can tell.
//!
//! A transaction is atomic: all its legs ran, or none did. So there are two hypotheses. Balances read before it was sent and
//! again later support one, the other, or neither.
//!
//! **What a balance can prove.** Tokens leave a wallet only by a transaction that the wallet signed, but anyone may send tokens
//! to it. So
//!
//! - a *sell* that landed took exactly its amount. If the tokens fell by exactly that while the wallet signed nothing else, it
//!   is proven. If they did not move, it is disproven, unless someone sent exactly the same amount;
//! - a *buy* that landed brought tokens and took lamports. More tokens alone may be a gift. More tokens and fewer lamports,
//!   while the wallet signed nothing else, are proof, because lamports also leave only by a signed transaction. Tokens that did
//!   not move are proof against it;
//! - *lamports that contradict the tokens* leave it open: if the tokens did not move, but a buyer's lamports fell by more than
//!   the network's fee, or a seller's rose, then the tokens may have been read from the wrong account, or too early;
//! - the *fee payer's* lamports fall by the network's fee even if the transaction fails. If the buyer pays the fee itself, a
//!   buy is proven only by a fall that the fee cannot explain, and so only if the request bounds the fee (`priorityUnitLimit`
//!   and `priorityUnitPrice`). Otherwise it is likely.
//!
//! **The caller says whether the wallets signed anything else** ([`Wallets`]). If other trades of these wallets ran between
//! the two readings, the same numbers only make an answer likely.
//!
//! **A trade that has not landed may still land.** A transaction lives until its blockhash expires, 150 blocks after it was
//! taken: 60 to 90 seconds. Until then, balances that have not moved prove nothing ([`Chance`]). The time runs from when the
//! service *built* the transaction; if the service may hold a request back, wait that much longer.
//!
//! **If balances disagree**, one wallet showing the trade and another not, something else has moved tokens, and the answer is
//! [`Certainty::Open`].
//!
//! Read balances at the commitment `finalized`: one that a fork can take back proves nothing.

use crate::amount::{Decimal, Digits};
use crate::api::request::{Amount, Request};
use crate::codes::codes;
use crate::error::FieldCode;
use crate::reader::Reader;
use crate::tape::{ToTape, Writer};
use crate::to_tape;

/// Whether the transaction could still land when the balances were read the second time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Chance {
    /// It could: its blockhash may be alive, or the service may not have sent it yet.
    Left,
    /// It could not: enough time has passed since the request was sent.
    Gone,
}

/// What else the trading wallets did between the two readings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wallets {
    /// Nothing: they signed no other transaction.
    Alone,
    /// Unknown: there may have been other trades, other programs, a person.
    Shared,
}

/// A balance of one wallet, before the trade was sent and after.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Change {
    /// Before it was sent.
    pub before: u64,
    /// Later.
    pub after: u64,
}

/// What was read from one wallet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reading {
    /// The wallet's id.
    pub wallet: String,
    /// Its tokens of the trade's mint, in base units; 0 where it has no token account.
    pub tokens: Change,
    /// Its lamports, if they were read. Without them a buy is at most likely.
    pub lamports: Option<Change>,
}

/// All that was read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Balances {
    /// The wallets, in any order. A trading wallet that is missing proves nothing; wallets that do not trade are ignored.
    pub readings: Vec<Reading>,
    /// Fraction digits of a whole token. Default 6.
    pub token_decimals: u8,
    /// Whether the transaction could still land.
    pub chance: Chance,
    /// What else the wallets did.
    pub wallets: Wallets,
}

impl Balances {
    /// What the wallets held before a trade was sent, and what they hold now; a wallet that was read only once is left out. It
    /// assumes that tokens have 6 decimals, that the trade can still land, and that the wallets may have signed other
    /// transactions. For a proof, change the last two.
    pub fn between(before: &[WalletBalances], now: &[WalletBalances]) -> Self {
        let reading = |now: &WalletBalances| {
            let before = before.iter().find(|before| before.wallet == now.wallet)?;
            Some(Reading {
                wallet: now.wallet.clone(),
                tokens: Change { before: before.tokens, after: now.tokens },
                lamports: before.lamports.zip(now.lamports).map(|(before, after)| Change { before, after }),
            })
        };
        let readings = now.iter().filter_map(reading).collect();
        Balances { readings, token_decimals: 6, chance: Chance::Left, wallets: Wallets::Shared }
    }

    /// Reads balances as JS gives them: `now` and `before`, each a list of [`WalletBalances`], `tokenDecimals`, `canStillLand`
    /// and `walletsShared`. The last two default to true: the caller must ask for proof. Without a `before`, `seen` is used:
    /// what the intent recorded before it was sent.
    pub fn read(reader: &mut Reader, seen: &[WalletBalances]) -> Self {
        let own = WalletBalances::read_list(reader, "before");
        let now = reader.need("now", WalletBalances::read_list);
        let before = own.as_deref().unwrap_or(seen);
        if before.is_empty() {
            let what = "is missing, and the intent does not say what was seen before it was sent";
            reader.refuse("before", FieldCode::Required, what);
        }
        Balances {
            token_decimals: reader.whole_within("tokenDecimals", 0, 18).unwrap_or(6) as u8,
            chance: if reader.boolean("canStillLand") == Some(false) { Chance::Gone } else { Chance::Left },
            wallets: match reader.boolean("walletsShared") {
                Some(false) => Wallets::Alone,
                _ => Wallets::Shared,
            },
            ..Balances::between(before, &now)
        }
    }
}

/// What one wallet holds, at one moment.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "camelCase"))]
pub struct WalletBalances {
    /// The wallet's id.
    pub wallet: String,
    /// Its tokens of the trade's mint, in base units; 0 where it has no token account.
    #[cfg_attr(feature = "serde", serde(with = "crate::serde_forms::digits"))]
    pub tokens: u64,
    /// Its lamports, where they were read.
    #[cfg_attr(feature = "serde", serde(default, with = "crate::serde_forms::some_digits"))]
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub lamports: Option<u64>,
}

impl WalletBalances {
    /// Reads a list of these, each wallet once: `[{ wallet, tokens, lamports }]`.
    pub fn read_list(reader: &mut Reader, list: &'static str) -> Option<Vec<Self>> {
        let read: Vec<Self> = reader.list(list, |r| WalletBalances {
            wallet: r.need("wallet", Reader::text).to_owned(),
            tokens: r.need("tokens", Reader::whole),
            lamports: r.whole("lamports"),
        })?;
        for (index, balances) in read.iter().enumerate() {
            if read.iter().take(index).any(|earlier| earlier.wallet == balances.wallet) {
                let field = [list, "[", &index.digits(), "].wallet"].concat();
                reader.refuse(&field, FieldCode::Conflict, "was read twice");
            }
        }
        Some(read)
    }
}

/// Amounts are text, as JSON keeps them exactly; lamports that were not read are left out.
impl ToTape for WalletBalances {
    fn write(&self, tape: &mut Writer) {
        let (tokens, lamports) = (self.tokens.digits(), self.lamports.map(|lamports| lamports.digits()));
        let mut fields: Vec<(&str, &dyn ToTape)> = vec![("wallet", &self.wallet), ("tokens", &tokens)];
        fields.extend(lamports.as_ref().map(|lamports| ("lamports", lamports as &dyn ToTape)));
        tape.object(&mut fields.into_iter());
    }
}

codes! {
    /// How sure an answer is.
    Certainty {
        /// The balances allow nothing else, if what the caller said about them is true.
        Proven = "proven",
        /// They fit this answer, but would also fit another.
        Likely = "likely",
        /// They do not say.
        Open = "open",
    }
}

codes! {
    /// What one wallet's balances show of the trade.
    Shown {
        /// What the trade does, and nothing else that the wallet did not sign.
        Trade = "trade",
        /// A move in the trade's direction that may have another cause.
        Move = "move",
        /// Nothing: its tokens are as they were, and its lamports do not contradict that.
        Nothing = "nothing",
        /// A move that neither the trade nor its absence explains.
        Other = "other",
        /// The wallet was not read.
        Unread = "unread",
    }
}

codes! {
    /// What was found out about an unresolved intent.
    Found {
        /// It landed: its lamports are spent, and its id is used up.
        Landed = "landed",
        /// It did not land and never will: its lamports are free, and so is its id.
        DidNotLand = "did_not_land",
    }
}

/// What a wallet shows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// The wallet's id.
    pub wallet: String,
    /// What it shows.
    pub shows: Shown,
}
to_tape!(Finding { wallet, shows });

/// What happened to a trade.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reconciled {
    /// How sure the answer is.
    pub certainty: Certainty,
    /// Whether it landed; `None` if that is open.
    pub landed: Option<bool>,
    /// What to acknowledge; only if it is proven.
    pub found: Option<Found>,
    /// What each trading wallet shows, in the order of the legs.
    pub findings: Vec<Finding>,
}
to_tape!(Reconciled { certainty, landed, found, findings });

/// Finds out what happened to a trade, from what its wallets held before and after. The reasons are [above](self).
///
/// ```
/// use launchpad_desk::api::{endpoint::Operation, validate::{Rules, validate}};
/// use launchpad_desk::trade::reconcile::*;
/// use launchpad_desk::object;
///
/// let request = object! { "mint": "M", "fromWallet": "W", "amountInToken": 2u32 };
/// let sell = validate(Operation::Sell, request.root(), &Rules::default()).unwrap();
/// let tokens = Change { before: 5_000_000, after: 3_000_000 }; // with 6 decimals, 2 tokens fewer
/// let readings = vec![Reading { wallet: "W".into(), tokens, lamports: None }];
/// let balances = Balances { readings, token_decimals: 6, chance: Chance::Left, wallets: Wallets::Alone };
/// let reconciled = reconcile(&sell, &balances);
/// assert_eq!((reconciled.certainty, reconciled.found), (Certainty::Proven, Some(Found::Landed)));
/// ```
pub fn reconcile(request: &Request, balances: &Balances) -> Reconciled {
    let mut findings: Vec<Finding> = Vec::new();
    for leg in &request.legs {
        if findings.iter().all(|finding| finding.wallet != leg.from_wallet) {
            let shows = shown(request, &leg.from_wallet, balances);
            findings.push(Finding { wallet: leg.from_wallet.clone(), shows });
        }
    }
    let any = |what| findings.iter().any(|finding| finding.shows == what);
    let alone = balances.wallets == Wallets::Alone;
    let sure = if alone { Certainty::Proven } else { Certainty::Likely };
    let moved = any(Shown::Trade) || any(Shown::Move);
    let (certainty, landed) = if any(Shown::Other) || (moved && any(Shown::Nothing)) {
        (Certainty::Open, None)
    } else if any(Shown::Trade) {
        // If one leg ran, all did.
        (sure, Some(true))
    } else if moved && alone {
        (Certainty::Likely, Some(true))
    } else if any(Shown::Nothing) && balances.chance == Chance::Gone {
        // If one leg did not run, none did.
        (sure, Some(false))
    } else {
        (Certainty::Open, None)
    };
    let found = landed.map(|landed| if landed { Found::Landed } else { Found::DidNotLand });
    Reconciled { certainty, landed, found: found.filter(|_| certainty == Certainty::Proven), findings }
}

fn shown(request: &Request, wallet: &str, balances: &Balances) -> Shown {
    let Some(reading) = balances.readings.iter().find(|reading| reading.wallet == wallet) else {
        return Shown::Unread;
    };
    let Change { before, after } = reading.tokens;
    if before == after {
        let is_idle = reading.lamports.is_none_or(|lamports| is_idle(request, wallet, lamports));
        return if is_idle || balances.wallets == Wallets::Shared { Shown::Nothing } else { Shown::Other };
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
    let amounts = request.legs.iter().filter(|leg| leg.from_wallet == wallet).map(|leg| leg.amount);
    match (sold(before, amounts, balances.token_decimals), before.checked_sub(after)) {
        (_, None) => Shown::Other,
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

/// The lamports that the buys of one wallet spend.
fn spent(request: &Request, wallet: &str) -> u128 {
    let own = request.legs.iter().filter(|leg| leg.from_wallet == wallet);
    own.map(|leg| if let Some(Amount::Lamports(lamports)) = leg.amount { lamports.into() } else { 0 }).sum()
}

/// The most lamports that the network may charge, where the request bounds it: 5000 a signature, of which a transaction
/// has room for 12, and the price of its units, in millionths of a lamport.
fn most_network_fee(request: &Request) -> Option<u128> {
    let units = u128::from(request.priority_unit_limit?) * u128::from(request.priority_unit_price?);
    Some(12 * 5_000 + units.div_ceil(1_000_000))
}

/// How many base units legs take, whichever way the service rounds a percentage.
struct Due {
    least: u64,
    most: u64,
}

/// What the sells of one wallet take from `before` base units, in order; `None` if that is not known.
fn sold(before: u64, amounts: impl Iterator<Item = Option<Amount>>, decimals: u8) -> Option<Due> {
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
    use crate::api::endpoint::Operation;
    use crate::api::validate::{Rules, Valid, validate};
    use crate::tape::{Data, Tape, ToTape, json};
    use crate::{object, reader};

    fn valid(operation: Operation, request: &str) -> Valid<Request> {
        validate(operation, json::parse(request.as_bytes()).unwrap().root(), &Rules::default()).unwrap()
    }

    /// wallet, tokens before and after, lamports before and after
    type Row = (&'static str, u64, u64, Option<(u64, u64)>);

    fn balances(rows: &[Row], chance: Chance, wallets: Wallets) -> Balances {
        let reading = |&(wallet, before, after, lamports): &Row| Reading {
            wallet: wallet.into(),
            tokens: Change { before, after },
            lamports: lamports.map(|(before, after)| Change { before, after }),
        };
        Balances { readings: rows.iter().map(reading).collect(), token_decimals: 6, chance, wallets }
    }

    const PROVEN: (Certainty, Option<bool>) = (Certainty::Proven, Some(true));
    const LIKELY: (Certainty, Option<bool>) = (Certainty::Likely, Some(true));
    const OPEN: (Certainty, Option<bool>) = (Certainty::Open, None);

    fn of(request: &Request, rows: &[Row], chance: Chance, wallets: Wallets) -> (Certainty, Option<bool>) {
        let Reconciled { certainty, landed, .. } = reconcile(request, &balances(rows, chance, wallets));
        (certainty, landed)
    }

    #[test]
    fn what_has_not_moved_is_proof_only_once_it_cannot_move() {
        let sell = valid(Operation::Sell, r#"{"mint":"M","fromWallet":"W","amountInToken":2}"#);
        let buy = valid(Operation::Buy, r#"{"mint":"M","fromWallet":"W","amountInLamports":2}"#);
        for request in [&sell, &buy] {
            let rows = [("W", 5, 5, None)];
            assert_eq!(of(request, &rows, Chance::Left, Wallets::Alone), OPEN);
            assert_eq!(of(request, &rows, Chance::Gone, Wallets::Alone), (Certainty::Proven, Some(false)));
            assert_eq!(of(request, &rows, Chance::Gone, Wallets::Shared), (Certainty::Likely, Some(false)));
            assert_eq!(of(request, &[], Chance::Gone, Wallets::Alone), OPEN);
        }
    }

    #[test]
    fn lamports_that_only_the_trade_can_have_moved_contradict_tokens_that_did_not_move() {
        let buy = |rest: &str| {
            let request = format!(r#"{{"mint":"M","fromWallet":"W","amountInLamports":1000000{rest}}}"#);
            valid(Operation::Buy, &request)
        };
        let sell = |rest: &str| {
            valid(Operation::Sell, &format!(r#"{{"mint":"M","fromWallet":"W","amountInToken":2{rest}}}"#))
        };
        const DID_NOT: (Certainty, Option<bool>) = (Certainty::Proven, Some(false));
        let bound = r#","priorityUnitLimit":200000,"priorityUnitPrice":10000000"#;
        let before = 9_000_000;
        for (request, after, due, why) in [
            (buy(""), before, DID_NOT, "nothing moved"),
            (buy(""), before + 1, DID_NOT, "a gift"),
            (buy(""), before - 999_999, DID_NOT, "a failed transaction's fee, which is not bounded"),
            (buy(""), before - 1_000_000, OPEN, "the whole amount is gone"),
            (buy(bound), before - 2_060_000, DID_NOT, "the most that a failed transaction can cost"),
            (buy(bound), before - 2_060_001, OPEN, "more than a fee"),
            (buy(r#","feePayer":"P""#), before, DID_NOT, "another wallet pays the fee"),
            (buy(r#","feePayer":"P""#), before - 1, OPEN, "another wallet pays the fee"),
            (sell(""), before - 5_000, DID_NOT, "a failed transaction's fee"),
            (sell(""), before + 1, OPEN, "proceeds, or a gift"),
            (sell(bound), before - 2_060_001, OPEN, "more than a fee"),
            (sell(r#","feePayer":"P""#), before - 1, OPEN, "another wallet pays the fee"),
        ] {
            let rows = [("W", 5, 5, Some((before, after)))];
            assert_eq!(of(&request, &rows, Chance::Gone, Wallets::Alone), due, "{why}");
            // Other transactions of the wallet may have moved them.
            assert_eq!(of(&request, &rows, Chance::Gone, Wallets::Shared), (Certainty::Likely, Some(false)));
        }
        let two = r#"{"mint":"M","feePayer":"W","buys":[{"fromWallet":"W","amountInLamports":600000},{"fromWallet":"W","amountInLamports":600000}]}"#;
        let two = valid(Operation::BundleBuy, two);
        let fell = |lamports| [("W", 5, 5, Some((before, before - lamports)))];
        assert_eq!(of(&two, &fell(1_199_999), Chance::Gone, Wallets::Alone), DID_NOT);
        assert_eq!(of(&two, &fell(1_200_000), Chance::Gone, Wallets::Alone), OPEN);
    }

    #[test]
    fn a_sell_is_known_by_its_amount() {
        let sell = valid(Operation::Sell, r#"{"mint":"M","fromWallet":"W","amountInToken":"2.5"}"#);
        let fell = |after, wallets| of(&sell, &[("W", 5_000_000, after, None)], Chance::Left, wallets);
        assert_eq!(fell(2_500_000, Wallets::Alone), PROVEN);
        assert_eq!(fell(2_500_000, Wallets::Shared), LIKELY);
        assert_eq!(fell(2_500_001, Wallets::Alone), LIKELY);
        assert_eq!(fell(2_500_001, Wallets::Shared), OPEN);
        assert_eq!(fell(5_000_001, Wallets::Alone), OPEN);
        let fine = valid(Operation::Sell, r#"{"mint":"M","fromWallet":"W","amountInToken":"0.0000001"}"#);
        assert_eq!(of(&fine, &[("W", 5, 4, None)], Chance::Left, Wallets::Alone), LIKELY);
    }

    #[test]
    fn a_percentage_may_be_rounded_either_way() {
        let sell = |percentage: &str| {
            let request = format!(r#"{{"mint":"M","fromWallet":"W","percentage":{percentage}}}"#);
            valid(Operation::SellByPercentage, &request)
        };
        let fell = |percentage: &str, before, after| {
            of(&sell(percentage), &[("W", before, after, None)], Chance::Left, Wallets::Alone)
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
        assert_eq!(of(&twice, &[("W", 8, 2, None)], Chance::Left, Wallets::Alone), PROVEN);
        assert_eq!(of(&twice, &[("W", 8, 4, None)], Chance::Left, Wallets::Alone), LIKELY);
    }

    #[test]
    fn a_buy_takes_lamports_and_brings_tokens() {
        let buy = |rest: &str| {
            let request = format!(r#"{{"mint":"M","fromWallet":"W","amountInLamports":900{rest}}}"#);
            valid(Operation::Buy, &request)
        };
        let paid = buy(r#","feePayer":"P""#);
        let rose =
            |request: &Request, lamports| of(request, &[("W", 0, 5, lamports)], Chance::Left, Wallets::Alone);
        assert_eq!(rose(&paid, Some((1_000, 100))), PROVEN);
        assert_eq!(rose(&paid, None), LIKELY, "it may be a gift");
        assert_eq!(rose(&paid, Some((1_000, 1_000))), OPEN, "a gift");
        assert_eq!(rose(&paid, Some((1_000, 1_001))), OPEN);
        assert_eq!(of(&paid, &[("W", 5, 4, Some((9, 1)))], Chance::Left, Wallets::Alone), OPEN);
        // Its own fee payer: a failed transaction's fee and a gift look the same.
        let own = buy("");
        assert_eq!(rose(&own, Some((1_000_000, 0))), LIKELY);
        let bounded = buy(r#","priorityUnitLimit":200000,"priorityUnitPrice":10000000"#);
        assert_eq!(rose(&bounded, Some((9_000_000, 9_000_000 - 2_060_001))), PROVEN);
        assert_eq!(rose(&bounded, Some((9_000_000, 9_000_000 - 2_060_000))), LIKELY);
        let dear =
            buy(r#","priorityUnitLimit":"18446744073709551615","priorityUnitPrice":"18446744073709551615""#);
        assert_eq!(rose(&dear, Some((u64::MAX, 0))), LIKELY);
    }

    #[test]
    fn one_leg_speaks_for_all_and_two_that_disagree_for_none() {
        let request = r#"{"mint":"M","feePayer":"P","sells":[{"fromWallet":"W","amountInToken":1},{"fromWallet":"X","amountInToken":2},{"fromWallet":"W","amountInToken":1}]}"#;
        let bundle = valid(Operation::BundleSell, request);
        let sold = ("W", 5_000_000, 3_000_000, None);
        let still = ("X", 5_000_000, 5_000_000, None);
        assert_eq!(of(&bundle, &[sold], Chance::Left, Wallets::Alone), PROVEN);
        assert_eq!(of(&bundle, &[still], Chance::Gone, Wallets::Alone), (Certainty::Proven, Some(false)));
        assert_eq!(of(&bundle, &[still], Chance::Left, Wallets::Alone), OPEN);
        assert_eq!(of(&bundle, &[sold, still], Chance::Gone, Wallets::Alone), OPEN);
        let stranger = ("Y", 5, 1, None);
        let shows =
            |rows: &[Row]| reconcile(&bundle, &balances(rows, Chance::Gone, Wallets::Alone)).to_tape();
        let finding = |wallet, shows| object! { "wallet": wallet, "shows": shows };
        let findings = vec![finding("W", "nothing"), finding("X", "unread")];
        let expected = object! {
            "certainty": "proven", "landed": false, "found": "did_not_land", "findings": findings,
        };
        assert_eq!(shows(&[("W", 5, 5, None), stranger]), expected);
        let findings = vec![finding("W", "move"), finding("X", "other")];
        let expected = object! {
            "certainty": "open", "landed": Data::Null, "found": Data::Null, "findings": findings,
        };
        assert_eq!(shows(&[("W", 5, 4, None), ("X", 5, 6, None)]), expected);
    }

    #[test]
    fn proof_has_to_be_asked_for() {
        let seen = [WalletBalances { wallet: "W".into(), tokens: 5, lamports: Some(9) }];
        let read = |value: &Tape| reader::read(value.root(), |r| Balances::read(r, &seen));
        let row = object! { "wallet": "W", "tokens": "4" };
        let cautious = read(&object! { "now": vec![row.clone()] }).unwrap();
        assert_eq!(cautious, balances(&[("W", 5, 4, None)], Chance::Left, Wallets::Shared));
        let given = object! { "now": vec![row.clone()], "canStillLand": false, "walletsShared": false };
        assert_eq!(read(&given).unwrap(), balances(&[("W", 5, 4, None)], Chance::Gone, Wallets::Alone));
        let both = object! { "wallet": "W", "tokens": 4u64, "lamports": 8u64 };
        let other = object! { "wallet": "X", "tokens": 7u64 };
        let given = object! { "now": vec![both.clone(), other.clone()] };
        let unread = balances(&[("W", 5, 4, Some((9, 8)))], Chance::Left, Wallets::Shared);
        assert_eq!(read(&given).unwrap(), unread, "of a wallet that was not seen before, nothing is known");
        let given = object! { "now": vec![both, other.clone()], "before": vec![other] };
        let own = balances(&[("X", 7, 7, None)], Chance::Left, Wallets::Shared);
        assert_eq!(read(&given).unwrap(), own, "what the caller says goes before what the intent says");

        let half = object! { "wallet": "W", "lamports": 1u64 };
        let problems = read(&object! { "now": vec![row, half], "alone": true }).unwrap_err();
        let messages: Vec<&str> = problems.iter().map(|problem| problem.message.as_str()).collect();
        assert_eq!(
            messages,
            ["now[1].tokens is missing", "now[1].wallet was read twice", "alone is unknown"]
        );
        let blind = reader::read(object! { "now": Vec::<Tape>::new() }.root(), |r| Balances::read(r, &[]));
        let message = "before is missing, and the intent does not say what was seen before it was sent";
        assert_eq!(blind.unwrap_err()[0].message, message);
    }

    #[test]
    fn what_was_seen_is_written_as_it_is_read() {
        let seen = object! { "before": vec![
            object! { "wallet": "W", "tokens": "18446744073709551615", "lamports": "0" },
            object! { "wallet": "X", "tokens": "0" },
        ] };
        let read = reader::read(seen.root(), |r| WalletBalances::read_list(r, "before")).unwrap().unwrap();
        assert_eq!(object! { "before": read.to_tape() }, seen);
    }
}
