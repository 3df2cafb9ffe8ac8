//! A market of any function that returns the chain's accounts.

use std::future::Future;

use super::chain_reading::{MarketOptions, Reading, addresses_of, for_exits, names_in};
use super::market::{AreAll, Market};
use super::transport::{BoxError, BoxFuture, BoxedError, MaybeSend, MaybeSync};
use super::watch::{ExitLook, Looks};
use crate::amount::SlippageUnit;
use crate::api::endpoint::Operation;
use crate::chain::account::Account;
use crate::chain::address::Address;
use crate::chain::look::{Look, addresses, read_wallets};
use crate::chain::mint::Mint;
use crate::evidence::Seen;
use crate::market::MarketRefusal;
use crate::market::read::{Commitment, balances_of};
use crate::tape::Tape;
use crate::trade::guard::{OtherTrade, request_of};
use crate::trade::journal::TradeIntent;
use crate::trade::reconcile::WalletBalances;
use crate::trade::settle::Settled;

/// Accounts as of one slot.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AccountsOfSlot {
    /// The slot.
    pub slot: u64,
    /// In the order in which they were asked for; `None` for one that does not exist.
    pub accounts: Vec<Option<Account>>,
}

/// Prices and holdings from a function that returns the accounts at these addresses, all of one slot. It knows no transactions, so it
/// settles and confirms nothing.
///
/// ```
/// use launchpad_desk::chain::address::Address;
/// use launchpad_desk::client::{AccountsMarket, AccountsOfSlot, BoxError, MarketOptions};
///
/// async fn accounts(addresses: Vec<Address>) -> Result<AccountsOfSlot, BoxError> {
///     Err(format!("read these accounts: {addresses:?}").into())
/// }
/// let market = AccountsMarket::new(accounts, MarketOptions::default());
/// ```
pub struct AccountsMarket<A> {
    accounts: A,
    reading: Reading,
}

/// Shows none of its contents.
impl<A> std::fmt::Debug for AccountsMarket<A> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("AccountsMarket")
    }
}

impl<A, F> AccountsMarket<A>
where
    A: Fn(Vec<Address>) -> F + MaybeSend + MaybeSync,
    F: Future<Output = Result<AccountsOfSlot, BoxError>> + MaybeSend,
{
    /// A market of this function.
    pub fn new(accounts: A, options: MarketOptions) -> Self {
        AccountsMarket { accounts, reading: Reading::new(options) }
    }

    /// Takes the time, in milliseconds since 1970, from this function, and not from the system.
    pub fn clock(self, now_ms: impl Fn() -> u64 + MaybeSend + MaybeSync + 'static) -> Self {
        AccountsMarket { reading: self.reading.clock(now_ms), ..self }
    }

    /// A token's curve and rules, and what these wallets hold: one call, one slot.
    ///
    /// # Errors
    ///
    /// The accounts give no look, or are of an older slot than earlier ones.
    pub async fn look(&self, mint: &Address, wallets: &[Address]) -> Result<Look, BoxedError> {
        Ok(self.looked(mint, wallets).await?)
    }

    async fn looked(&self, mint: &Address, wallets: &[Address]) -> Result<Look, BoxError> {
        let addresses = addresses(mint, wallets);
        let read = self.read(&addresses, self.reading.options.commitment).await?;
        let rules = &self.reading.options.rules;
        Ok(Look::read(mint, wallets, &addresses, read.slot, &read.accounts, rules)?)
    }

    async fn read(&self, addresses: &[Address], commitment: Commitment) -> Result<AccountsOfSlot, BoxError> {
        let known = self.reading.newest(commitment);
        let read = self.reading.given((self.accounts)(addresses.to_vec())).await?;
        self.reading.rises_to(read.slot, commitment, known)?;
        Ok(read)
    }
}

impl<A, F> Looks for AccountsMarket<A>
where
    A: Fn(Vec<Address>) -> F + MaybeSend + MaybeSync,
    F: Future<Output = Result<AccountsOfSlot, BoxError>> + MaybeSend,
{
    type Look = Look;
    const EVERY_MS: u32 = 2_000;

    fn look_at<'a>(&'a self, mint: &'a str, wallets: &'a [String]) -> BoxFuture<'a, Result<Look, BoxError>> {
        Box::pin(async move {
            let (mint, wallets) = addresses_of(mint, wallets)?;
            self.looked(&mint, &wallets).await
        })
    }

    fn is_news(before: &Look, look: &Look) -> bool {
        look.slot > before.slot
    }

    fn for_exits<'l>(look: &'l Look, _: &str, wallet: &str) -> ExitLook<'l> {
        for_exits(look, wallet)
    }

    fn stale(&self) -> Option<BoxError> {
        self.reading.fresh().err()
    }
}

impl<A, F> Market for AccountsMarket<A>
where
    A: Fn(Vec<Address>) -> F + MaybeSend + MaybeSync,
    F: Future<Output = Result<AccountsOfSlot, BoxError>> + MaybeSend,
{
    fn quote_body<'a>(
        &'a self,
        operation: Operation,
        body: &'a str,
        slippage_unit: SlippageUnit,
    ) -> BoxFuture<'a, Result<Tape, BoxError>> {
        Box::pin(async move {
            let (mint, wallets) = names_in(&*request_of(operation, body)?)?;
            let look = self.looked(&mint, &wallets).await?;
            self.reading.quoted(&look, operation, body, slippage_unit)
        })
    }

    fn decimals_of<'a>(&'a self, mint: &'a str) -> BoxFuture<'a, Result<Option<u8>, BoxError>> {
        Box::pin(async move {
            let mint: Address = mint.parse()?;
            let read = self.reading.given((self.accounts)(vec![mint])).await?;
            let account = read.accounts.first().and_then(Option::as_ref);
            Ok(Some(Mint::read(&mint, account)?.decimals))
        })
    }

    /// The function's accounts must be finalized for that.
    fn before<'a>(&'a self, intent: &'a TradeIntent) -> BoxFuture<'a, Result<Vec<WalletBalances>, BoxError>> {
        Box::pin(async move {
            let (mint, wallets) = names_in(&*intent.request()?)?;
            let addresses = addresses(&mint, &wallets);
            let read = self.read(&addresses, Commitment::Finalized).await?;
            Ok(balances_of(read.slot, &read_wallets(&mint, &wallets, &addresses, &read.accounts)?))
        })
    }

    fn has_history(&self) -> bool {
        false
    }

    fn settle_trade<'a>(
        &'a self,
        _: &'a TradeIntent,
        _: Option<Vec<OtherTrade>>,
        _: &'a AreAll<'a>,
    ) -> BoxFuture<'a, Result<Settled, BoxError>> {
        Box::pin(std::future::ready(Err(MarketRefusal::NoHistory.into())))
    }

    fn confirm<'a>(&'a self, _: &'a str) -> BoxFuture<'a, Result<Seen, BoxError>> {
        Box::pin(std::future::ready(Err(MarketRefusal::NoHistory.into())))
    }
}
