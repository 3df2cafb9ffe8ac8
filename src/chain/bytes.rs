//! Fields at fixed places of an account's bytes, little-endian.

use super::address::Address;
use super::unreadable::{AccountKind, AccountRefusal, Unreadable};

/// The bytes of an account that is being read.
#[derive(Clone, Copy)]
pub(super) struct Bytes<'a> {
    pub(super) data: &'a [u8],
    pub(super) kind: AccountKind,
}

impl Bytes<'_> {
    pub(super) fn len(self) -> usize {
        self.data.len()
    }

    pub(super) fn refused(self, refusal: AccountRefusal) -> Unreadable {
        Unreadable { kind: self.kind, refusal }
    }

    /// The bytes of a field; `None` if it does not lie wholly inside.
    pub(super) fn array<const N: usize>(self, at: usize) -> Option<[u8; N]> {
        self.data.get(at..at.checked_add(N)?)?.try_into().ok()
    }

    pub(super) fn u8(self, at: usize) -> Option<u8> {
        self.data.get(at).copied()
    }

    pub(super) fn u32(self, at: usize) -> Option<u32> {
        self.array(at).map(u32::from_le_bytes)
    }

    pub(super) fn u64(self, at: usize) -> Option<u64> {
        self.array(at).map(u64::from_le_bytes)
    }

    pub(super) fn u128(self, at: usize) -> Option<u128> {
        self.array(at).map(u128::from_le_bytes)
    }

    /// A flag, which is one byte, 0 or 1.
    pub(super) fn flag(self, at: usize) -> Result<Option<bool>, Unreadable> {
        match self.u8(at) {
            None => Ok(None),
            Some(0) => Ok(Some(false)),
            Some(1) => Ok(Some(true)),
            Some(_) => Err(self.refused(AccountRefusal::Bool)),
        }
    }

    /// An address; `None` if it is absent or all zeros, by which accounts say "none".
    pub(super) fn address(self, at: usize) -> Option<Address> {
        self.array(at).map(Address::new).filter(|address| !address.is_zero())
    }

    /// A field that every such account has.
    pub(super) fn required<T>(self, field: Option<T>) -> Result<T, Unreadable> {
        field.ok_or_else(|| self.refused(AccountRefusal::Length))
    }

    /// Checks the eight bytes by which programs mark their kinds of account.
    pub(super) fn check_discriminator(self, due: [u8; 8]) -> Result<(), Unreadable> {
        if self.required(self.array::<8>(0))? == due {
            Ok(())
        } else {
            Err(self.refused(AccountRefusal::Discriminator))
        }
    }
}
