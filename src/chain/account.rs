//! An account as a node returns it.

use std::fmt;

use super::address::Address;
use super::bytes::Bytes;
use super::unreadable::{AccountKind, AccountRefusal, Unreadable};

/// An account: who owns it, what it holds, its bytes. A node returns `null` for one that does not exist.
#[derive(Clone, PartialEq, Eq)]
pub struct Account {
    /// Where it is.
    pub address: Address,
    /// The program that owns it, which alone writes its bytes.
    pub owner: Address,
    /// Lamports it holds, its rent among them. An account without lamports is closed, whatever bytes are left.
    pub lamports: u64,
    /// Its bytes.
    pub data: Vec<u8>,
}

impl fmt::Debug for Account {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Account { address, owner, lamports, data } = self;
        write!(f, "Account({address}, owner {owner}, {lamports} lamports, {} bytes)", data.len())
    }
}

/// The bytes of an account that exists, at this address if one is due, and that one of these programs owns.
pub(super) fn bytes_of<'a>(
    account: Option<&'a Account>,
    address: Option<&Address>,
    owners: &[Address],
    kind: AccountKind,
) -> Result<Bytes<'a>, Unreadable> {
    let refuse = |refusal| Err(Unreadable { kind, refusal });
    let Some(account) = account.filter(|account| account.lamports > 0) else {
        return refuse(AccountRefusal::Missing);
    };
    if address.is_some_and(|due| account.address != *due) {
        return refuse(AccountRefusal::Address);
    }
    if !owners.contains(&account.owner) {
        return refuse(AccountRefusal::Owner);
    }
    Ok(Bytes { data: &account.data, kind })
}
