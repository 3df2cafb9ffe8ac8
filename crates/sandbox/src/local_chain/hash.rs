//! Signatures and hashes that name something of the chain, and mean nothing.

use sha2::{Digest, Sha256};

use launchpad_desk::chain::address::Address;

/// 32 bytes in base58 that belong to a name and a number.
pub(super) fn hash(name: &str, number: u64) -> String {
    let mut hash = Sha256::new();
    hash.update(name);
    hash.update(number.to_le_bytes());
    Address::new(hash.finalize().into()).to_string()
}
