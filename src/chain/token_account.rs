//! What a wallet holds of a token, from its token account.

use super::account::{Account, bytes_of};
use super::address::{Address, TOKEN_2022_PROGRAM, TOKEN_PROGRAM};
use super::bytes::Bytes;
use super::unreadable::{AccountKind, AccountRefusal, Unreadable};
use crate::launchpad::account::TOKEN_ACCOUNT_BYTES;
use crate::record;

/// Bytes of a token account without extensions.
pub(super) const LENGTH: usize = TOKEN_ACCOUNT_BYTES as usize;
/// Where the newer program's accounts with extensions say whether they are a mint or a token account.
pub(super) const KIND: usize = LENGTH;
/// The byte there of a token account.
const IS_TOKEN_ACCOUNT: u8 = 2;
/// Bytes of an account with several owners, a length that the programs give to nothing else.
const MULTISIG: usize = 355;

/// An account that is longer than its kind must be the newer program's, and marked as that kind.
pub(super) fn is_one_of(bytes: Bytes<'_>, token_program: Address, mark: u8) -> Result<(), Unreadable> {
    if token_program != TOKEN_2022_PROGRAM || bytes.len() <= KIND || bytes.len() == MULTISIG {
        return Err(bytes.refused(AccountRefusal::Length));
    }
    if bytes.u8(KIND) == Some(mark) { Ok(()) } else { Err(bytes.refused(AccountRefusal::Discriminator)) }
}

record! {
    /// What a wallet holds of a token.
    #[derive(Copy)]
    Holding {
        /// The token.
        mint: Address => "string",
        /// The wallet.
        wallet: Address => "string",
        /// Base units held. A transfer fee that is withheld is not among them.
        tokens: u64 => "bigint",
        /// Lamports that the account holds. The wallet gets all of them when it closes, unless only somebody else may close it.
        lamports: u64 => "bigint",
        /// Whether the tokens are frozen: held, but not sold.
        is_frozen: bool => "boolean",
        /// Who may spend some of the tokens in the wallet's name.
        delegate: Option<Address> => "string | null",
        /// Base units that the delegate may spend.
        delegated_tokens: u64 => "bigint",
        /// Who may close the account in the wallet's place.
        close_authority: Option<Address> => "string | null",
    }
}

impl Holding {
    /// Whether only somebody else may close the account, such as a service that has paid for it.
    pub fn stays_open(&self) -> bool {
        self.close_authority.is_some_and(|closer| closer != self.wallet)
    }
}

/// Reads the token account at this address. `Ok(None)` if there is none: the wallet holds nothing in it.
///
/// # Errors
///
/// [`AccountRefusal::Address`], [`AccountRefusal::Owner`], [`AccountRefusal::Length`], [`AccountRefusal::Bool`];
/// [`AccountRefusal::Discriminator`] for a mint, or an account that was not set up.
pub fn read_holding(address: &Address, account: Option<&Account>) -> Result<Option<Holding>, Unreadable> {
    let Some(account) = account.filter(|account| account.exists()) else { return Ok(None) };
    let owners = [TOKEN_PROGRAM, TOKEN_2022_PROGRAM];
    let bytes = bytes_of(Some(account), Some(address), &owners, AccountKind::TokenAccount)?;
    if bytes.len() != LENGTH {
        is_one_of(bytes, account.owner, IS_TOKEN_ACCOUNT)?;
    }
    let is_frozen = match bytes.u8(108) {
        Some(1) => false,
        Some(2) => true,
        _ => return Err(bytes.refused(AccountRefusal::Discriminator)),
    };
    // An address behind four bytes that say whether there is one.
    let optional = |at| match bytes.required(bytes.u32(at))? {
        0 => Ok(None),
        1 => bytes.required(bytes.array(at + 4)).map(|bytes| Some(Address::new(bytes))),
        _ => Err(bytes.refused(AccountRefusal::Bool)),
    };
    Ok(Some(Holding {
        mint: Address::new(bytes.required(bytes.array(0))?),
        wallet: Address::new(bytes.required(bytes.array(32))?),
        tokens: bytes.required(bytes.u64(64))?,
        lamports: account.lamports,
        is_frozen,
        delegate: optional(72)?,
        delegated_tokens: bytes.required(bytes.u64(121))?,
        close_authority: optional(129)?,
    }))
}
