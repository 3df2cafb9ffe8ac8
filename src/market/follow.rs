//! A look that follows a stream of accounts, such as a node's subscriptions.

use super::read::read_reply;
use crate::chain::ReadError;
use crate::chain::account::Account;
use crate::chain::address::Address;
use crate::chain::look::{Look, addresses};
use crate::chain::wallets::Wallets;
use crate::launchpad::rules::RulesByDay;

/// What a stream tells: an account as of a slot, or only that this slot has begun.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AccountUpdate {
    pub slot: u64,
    /// The account's address, and the account; `None` if it is gone. `None` as a whole for a slot alone.
    pub account: Option<(Address, Option<Account>)>,
}

/// Looks at a token from the updates of its accounts, after a first look by a call.
///
/// A look is of one slot, and the accounts of a slot come one after the other. So a look comes when its slot is over: at the first
/// update of a later slot. Pass the slots themselves, too, so that no look waits for the next change, and each slot has one. A node tells
/// slots as processed: accounts that it tells later, as confirmed or final, are not in the look of their slot. Slots only rise; an update that comes
/// after the look of its slot is in the next one.
///
/// ```
/// use launchpad_desk::chain::address::Address;
/// use launchpad_desk::chain::wallets::Wallets;
/// use launchpad_desk::launchpad::Launchpad;
/// use launchpad_desk::market::follow::Follow;
///
/// let mint: Address = "5gPoYaU3R9LTTLCSH1FkXvJ7mJiXkryo8JNeycYrU4gs".parse()?;
/// let follow = Follow::new(mint, Wallets::default(), Launchpad::default());
/// assert_eq!(follow.addresses().len(), 4); // what to subscribe to: the curve, the rates, the settings, the mint
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Follow {
    mint: Address,
    wallets: Wallets,
    rules: RulesByDay,
    addresses: Vec<Address>,
    /// In their order, each with the slot as of which it is known; none before the first look.
    accounts: Vec<(u64, Option<Account>)>,
    /// The newest slot that has begun, and that of the newest look.
    newest: u64,
    looked: u64,
}

impl Follow {
    /// A follower of this token and these wallets. `rules` has what accounts do not say, by day.
    pub fn new(mint: Address, wallets: Wallets, rules: impl Into<RulesByDay>) -> Follow {
        let rules = rules.into();
        let addresses = addresses(&mint, &wallets);
        Follow { mint, wallets, rules, addresses, accounts: Vec::new(), newest: 0, looked: 0 }
    }

    /// The accounts to read first, in one call, and then to subscribe to.
    pub fn addresses(&self) -> &[Address] {
        &self.addresses
    }

    /// Takes the accounts at these addresses, all of one slot, now, in milliseconds since 1970: the first look, or one after the stream was broken.
    ///
    /// # Errors
    ///
    /// [`ReadError`]; without a first look there is none from updates.
    pub fn begin(
        &mut self,
        slot: u64,
        accounts: Vec<Option<Account>>,
        now_ms: u64,
    ) -> Result<Look, ReadError> {
        let look = self.look(slot, &accounts, now_ms)?;
        self.accounts = accounts.into_iter().map(|account| (slot, account)).collect();
        (self.newest, self.looked) = (slot, slot);
        Ok(look)
    }

    /// The same from the reply to `getMultipleAccounts`.
    pub fn begin_with(&mut self, reply: &[u8], now_ms: u64) -> Result<Look, ReadError> {
        let (slot, accounts) = read_reply(&self.addresses, reply)?;
        self.begin(slot, accounts, now_ms)
    }

    /// Takes an update, now, in milliseconds since 1970. A look, if one has become complete by it.
    ///
    /// # Errors
    ///
    /// [`ReadError`], of the slot that is over.
    pub fn take(&mut self, update: AccountUpdate, now_ms: u64) -> Result<Option<Look>, ReadError> {
        let AccountUpdate { slot, account } = update;
        if self.accounts.is_empty() {
            return Ok(None);
        }
        let is_over = slot > self.newest && self.newest > self.looked;
        let look = is_over.then(|| {
            let accounts: Vec<Option<Account>> =
                self.accounts.iter().map(|(_, account)| account.clone()).collect();
            self.looked = self.newest;
            self.look(self.looked, &accounts, now_ms)
        });
        self.newest = self.newest.max(slot);
        // The updates of one account may come late beside those of another, but never after a newer one of its own.
        if let Some((address, account)) = account
            && let Some(place) = self.addresses.iter().position(|own| *own == address)
            && let Some(kept) = self.accounts.get_mut(place)
            && slot >= kept.0
        {
            *kept = (slot, account);
        }
        look.transpose()
    }

    fn look(&self, slot: u64, accounts: &[Option<Account>], now_ms: u64) -> Result<Look, ReadError> {
        Look::read(&self.mint, &self.wallets, &self.addresses, slot, accounts, self.rules.at(now_ms))
    }
}
