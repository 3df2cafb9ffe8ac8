//! The own trades that a look has to show: what was read before an own trade decides nothing after it.
//!
//! A trade names its transaction, and the node says in which slot that is. A look of that slot or a later one shows the trade. A trade that
//! the node does not find, or whose signature is not known, is waited for over some slots: it may never have landed. Who cannot wait
//! takes the [last look with the trade](with_trade).

use std::collections::VecDeque;

use crate::amount::Decimal;
use crate::api::endpoint::Operation;
use crate::chain::ReadError;
use crate::chain::rpc::{Replies, read_number};
use crate::launchpad::Token;
use crate::launchpad::dry_run::{Market, Terms, dry_run};
use crate::launchpad::transaction::Wallet;
use crate::object;
use crate::tape::{Item, ToTape, json};

use super::read::{Commitment, call};

/// The most trades that are remembered.
const MOST: usize = 64;

/// For how long a look waits until it shows the own trades, and how often it is read again meanwhile, in milliseconds.
pub const OWN_WITHIN_MS: u32 = 10_000;
/// See [`OWN_WITHIN_MS`].
pub const OWN_EVERY_MS: u32 = 400;
/// Slots after the first look that came after a trade, for which the trade is waited for: one with a signature, and one of which nothing is
/// known.
const NAMED_SLOTS: u64 = 75;
const UNNAMED_SLOTS: u64 = 32;

/// A trade that looks have to show.
#[derive(Clone, Debug)]
struct OwnTrade {
    /// Its token, and its wallets.
    names: Vec<String>,
    signature: Option<String>,
    /// The slot of its transaction, once the node has said it, or that until which it was waited for.
    slot: Option<u64>,
    /// The slot of the first look after it.
    first: Option<u64>,
    /// Whether a look has shown it.
    is_shown: bool,
}

impl OwnTrade {
    /// One of which nothing is known holds up looks at its own token only: stops of others go on.
    fn concerns(&self, names: &[&str]) -> bool {
        let most = if self.signature.is_some() { self.names.len() } else { 1 };
        self.names.iter().take(most).any(|own| names.contains(&own.as_str()))
    }
}

/// The latest own trades that looks have to show.
///
/// ```
/// use launchpad_desk::market::own::OwnTrades;
///
/// let mut own = OwnTrades::default();
/// own.traded(&["mint", "wallet"], Some("signature"));
/// let body = own.body(&["mint"]).unwrap();
/// own.found(&body, br#"{ "jsonrpc": "2.0", "id": 1, "result": { "value": [{ "slot": 7, "err": null }] } }"#).unwrap();
/// assert!(!own.shows(&["mint"], 6));
/// assert!(own.shows(&["mint"], 7));
/// ```
#[derive(Clone, Debug, Default)]
pub struct OwnTrades {
    trades: VecDeque<OwnTrade>,
    takes_processed: bool,
}

impl OwnTrades {
    /// None yet, of a market whose looks are this sure.
    pub fn of(commitment: Commitment) -> OwnTrades {
        OwnTrades { takes_processed: commitment == Commitment::Processed, ..OwnTrades::default() }
    }

    /// A trade of this token and these wallets has ended, or was left without an outcome. `signature` is of its transaction, if its service
    /// named one.
    pub fn traded(&mut self, names: &[&str], signature: Option<&str>) {
        if self.trades.len() >= MOST {
            let shown = self.trades.iter().position(|own| own.is_shown);
            self.trades.remove(shown.unwrap_or(0));
        }
        self.trades.push_back(OwnTrade {
            names: names.iter().map(|name| (*name).to_owned()).collect(),
            signature: signature.map(str::to_owned),
            slot: None,
            first: None,
            is_shown: false,
        });
    }

    /// The body of the call that asks for the slots that are not known, before a look at this token or these wallets is judged; `None` if
    /// there is nothing to ask.
    pub fn body(&self, names: &[&str]) -> Option<String> {
        let own = self.trades.iter().filter(|own| own.slot.is_none() && own.concerns(names));
        let signatures: Vec<&str> = own.filter_map(|own| own.signature.as_deref()).collect();
        if signatures.is_empty() {
            return None;
        }
        let options = object! { "searchTransactionHistory": false };
        let params: [&dyn ToTape; 2] = [&signatures, &options];
        Some(json::write(&call(1u64, "getSignatureStatuses", params.to_tape())))
    }

    /// Takes the reply to that body.
    ///
    /// # Errors
    ///
    /// [`ReadError`]: the slots stay unknown.
    pub fn found(&mut self, body: &str, reply: &[u8]) -> Result<(), ReadError> {
        let replies = Replies::parse(reply)?;
        let unexpected = || ReadError::unexpected("status");
        let asked = json::parse(body.as_bytes()).map_err(|_| unexpected())?;
        let params = asked.root().get("params").and_then(Item::items);
        let signatures = params.and_then(|mut params| params.next()?.items()).ok_or_else(unexpected)?;
        let statuses = replies.result(1)?.get("value").and_then(Item::items).ok_or_else(unexpected)?;
        for (signature, status) in signatures.zip(statuses) {
            let Some(signature) = signature.text().filter(|_| !status.is_null()) else { continue };
            // On a fork it may come to be in another one.
            let confirmation = status.text_of("confirmationStatus");
            if confirmation == Some("processed") && !self.takes_processed {
                continue;
            }
            let slot = read_number(status.get("slot").ok_or_else(unexpected)?)?;
            let own = self.trades.iter_mut().filter(|own| own.signature.as_deref() == Some(signature));
            own.for_each(|own| own.slot = Some(slot));
        }
        Ok(())
    }

    /// Whether a look at this token and these wallets at this slot shows every own trade of theirs. One that was waited for long enough counts as
    /// shown. An older look may come after the one that has shown a trade.
    pub fn shows(&mut self, names: &[&str], slot: u64) -> bool {
        let mut shows = true;
        for own in self.trades.iter_mut().filter(|own| own.concerns(names)) {
            let first = *own.first.get_or_insert(slot);
            let waits = if own.signature.is_some() { NAMED_SLOTS } else { UNNAMED_SLOTS };
            if own.slot.is_none() && slot > first.saturating_add(waits) {
                own.slot = Some(slot);
            }
            let is_shown = own.slot.is_some_and(|own| slot >= own);
            own.is_shown |= is_shown;
            shows &= is_shown;
        }
        shows
    }
}

/// What a look becomes by an own trade that it may not show yet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WithTrade {
    pub token: Token,
    /// The wallets of the trade, by their ids.
    pub wallets: Vec<(String, Wallet)>,
}

/// A look as an own trade that landed leaves it: as it is, if it shows the trade, and otherwise with what the trade did there. `body` is
/// what was sent; `before` and `after` are whole tokens that the wallet held, by the reply. `None` if that does not say whether the look is
/// from before the trade, as of a bundle, or if the look's own figures refuse the trade: then nothing is known yet.
///
/// ```
/// use launchpad_desk::amount::SlippageUnit;
/// use launchpad_desk::api::endpoint::Operation;
/// use launchpad_desk::bindings::object;
/// use launchpad_desk::launchpad::{dry_run::Terms, market_settings::MarketSettings};
/// use launchpad_desk::market::own::with_trade;
///
/// let wallets = vec![object! { "wallet": "W", "lamports": 2_000_000_000u64 }];
/// let look = object! { "tokens": vec![object! { "mint": "M" }], "wallets": wallets };
/// let look = MarketSettings::read(look.root(), 1_800_000_000_000).unwrap();
/// let terms = Terms::of(&look.launchpad, SlippageUnit::Percent);
/// let body = r#"{ "mint": "M", "fromWallet": "W", "amountInLamports": 1000000000 }"#;
///
/// let bought = with_trade(&terms, &look, Operation::Buy, body, Some("0"), Some("34199203.120618")).unwrap();
/// assert_eq!(bought.wallets[0].1.token_account.unwrap().tokens, 34_199_203_120_618);
/// assert_eq!(with_trade(&terms, &look, Operation::Buy, body, Some("5"), Some("34199208.120618")), None);
/// ```
pub fn with_trade(
    terms: &Terms,
    look: &dyn Market,
    operation: Operation,
    body: &str,
    before: Option<&str>,
    after: Option<&str>,
) -> Option<WithTrade> {
    let request = json::parse(body.as_bytes()).ok()?;
    let run = dry_run(terms, look, operation, request.root()).ok()?;
    let [traded] = run.leg_wallets.as_slice() else { return None };
    let held = look.wallet(traded, &run.mint)?.token_account.map_or(0, |account| account.tokens);
    let units =
        |tokens: &str| Decimal::from_plain(tokens).ok()?.to_units(terms.launchpad.token_decimals).ok();
    if after.and_then(units) == Some(held) {
        return Some(WithTrade { token: look.token(&run.mint)?, wallets: Vec::new() });
    }
    if before.and_then(units) != Some(held) || run.refused.is_some() {
        return None;
    }
    Some(WithTrade { token: run.token_after, wallets: run.wallets.into_iter().zip(run.after).collect() })
}
