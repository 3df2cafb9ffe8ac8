//! An account as a node returns it.

use std::fmt;

use base64ct::{Base64, Encoding};

use super::address::Address;
use super::bytes::Bytes;
use super::unreadable::{AccountKind, AccountRefusal, Unreadable};
use crate::error::FieldCode;
use crate::reader::Reader;
use crate::tape::{Data, Item};

/// The longest account that the chain allows, in bytes.
const LONGEST: usize = 10 * 1024 * 1024;

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

impl Account {
    /// Whether a program has made it. Anybody may send lamports to an address at which there is nothing yet; the system keeps them there,
    /// without data, until the account is made.
    pub fn exists(&self) -> bool {
        self.lamports > 0 && !(self.owner.is_zero() && self.data.is_empty())
    }

    /// Reads an account as a node returns it, without its address: `owner`, `lamports` and `data` (base64 text, alone or in
    /// a list with the word `base64`). Other fields are ignored. `bytes` is its data, if it was passed separately.
    #[doc(hidden)]
    pub fn read(reader: &mut Reader, address: Address, bytes: Option<&[u8]>) -> Option<Account> {
        reader.ignore_rest();
        let owner = reader.needed("owner", Address::read);
        let lamports = reader.needed("lamports", Reader::whole);
        let data = match bytes {
            Some(bytes) => Some(bytes.to_vec()),
            None => reader.needed("data", read_data),
        };
        if data.as_ref().is_some_and(|data| data.len() > LONGEST) {
            reader.refuse("data", FieldCode::OutOfRange, "is longer than any account");
            return None;
        }
        Some(Account { address, owner: owner?, lamports: lamports?, data: data? })
    }
}

/// Bytes in base64: the text, or a list of it and the word `base64`.
fn read_data(reader: &mut Reader, name: &'static str) -> Option<Vec<u8>> {
    let value = reader.value(name)?;
    let bytes = match value.data() {
        Data::String(text) => Base64::decode_vec(text).ok(),
        _ => data_of(value),
    };
    if bytes.is_none() {
        reader.refuse(name, FieldCode::Unreadable, "must be base64: ask the node for that encoding");
    }
    bytes
}

/// The bytes in a list of base64 text and the word `base64`, as a node returns them. Text alone would be base58 there.
pub(super) fn data_of(value: Item) -> Option<Vec<u8>> {
    let Data::Array(mut items) = value.data() else { return None };
    match (items.next()?.data(), items.next()?.data(), items.next()) {
        (Data::String(text), Data::String("base64"), None) => Base64::decode_vec(text).ok(),
        _ => None,
    }
}

/// The bytes of an existing account that one of these programs owns, at this address if one is expected.
pub(super) fn bytes_of<'a>(
    account: Option<&'a Account>,
    address: Option<&Address>,
    owners: &[Address],
    kind: AccountKind,
) -> Result<Bytes<'a>, Unreadable> {
    let refuse = |refusal| Err(Unreadable { kind, refusal });
    let Some(account) = account.filter(|account| account.exists()) else {
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
