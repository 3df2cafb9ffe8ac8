//! A token, from its mint account.

use super::account::{Account, bytes_of};
use super::address::{Address, TOKEN_2022_PROGRAM, TOKEN_PROGRAM};
use super::token_account::is_one_of;
use super::unreadable::{AccountKind, AccountRefusal, Unreadable};
use crate::amount::MAX_TOKEN_DECIMALS;
use crate::record;

const LENGTH: usize = 82;
/// The byte that marks a longer account as a mint.
const IS_MINT: u8 = 1;

record! {
    /// A token.
    #[derive(Copy)]
    Mint {
        /// The token program that it belongs to. It decides how large a token account is, and where it is.
        token_program: Address => "string",
        /// Supply in base units. Burns lower it.
        supply: u64 => "bigint",
        /// Fraction digits of a whole token.
        decimals: u8 => "number",
    }
}

impl Mint {
    /// Reads the mint at this address.
    ///
    /// # Errors
    ///
    /// [`AccountRefusal::Missing`], [`AccountRefusal::Address`], [`AccountRefusal::Owner`], [`AccountRefusal::Length`],
    /// [`AccountRefusal::Bool`]; [`AccountRefusal::Discriminator`] for a token account, or a mint that was not set up;
    /// [`AccountRefusal::Range`] for more decimals than an amount may have.
    pub fn read(mint: &Address, account: Option<&Account>) -> Result<Mint, Unreadable> {
        let owners = [TOKEN_PROGRAM, TOKEN_2022_PROGRAM];
        let bytes = bytes_of(account, Some(mint), &owners, AccountKind::Mint)?;
        let token_program = account.map_or(TOKEN_PROGRAM, |account| account.owner);
        if bytes.len() != LENGTH {
            is_one_of(bytes, token_program, IS_MINT)?;
        }
        if !bytes.required(bytes.flag(45)?)? {
            return Err(bytes.refused(AccountRefusal::Discriminator));
        }
        let decimals = bytes.required(bytes.u8(44))?;
        if decimals > MAX_TOKEN_DECIMALS {
            return Err(bytes.refused(AccountRefusal::Range));
        }
        Ok(Mint { token_program, supply: bytes.required(bytes.u64(36))?, decimals })
    }
}
