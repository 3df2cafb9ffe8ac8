//! Addresses: 32 bytes, written in base58. Programs derive the addresses of their accounts from seeds.

use std::fmt;
use std::str::FromStr;

use curve25519_dalek::edwards::CompressedEdwardsY;
use sha2::{Digest, Sha256};

use crate::error::FieldCode;
use crate::error_text;
use crate::reader::Reader;
use crate::tape::{ToTape, Writer};

/// The address of an account, a mint, a wallet or a program. The default is all zeros, by which accounts say "none".
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Address([u8; 32]);

/// An address in base58 that the program knows when it is compiled; a wrong one does not compile.
const fn known(base58: &str) -> Address {
    match bs58::decode(base58.as_bytes()).into_array_const::<32>() {
        Ok(bytes) => Address(bytes),
        Err(_) => panic!("not an address"),
    }
}

/// The launchpad's program, which owns curves and the global settings.
pub const LAUNCHPAD_PROGRAM: Address = known("6EF8rrecthR5Dkzon8Nwu78hRvfCKubJ14M5uBEwF6P");
/// The program that owns the fee configuration.
pub const FEE_PROGRAM: Address = known("pfeeUxB6jkeY1Hxd7CsFCAjcbHA9rWtchMGdZ6VojVZ");
/// The first token program.
pub const TOKEN_PROGRAM: Address = known("TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA");
/// The newer token program, whose accounts may have extensions.
pub const TOKEN_2022_PROGRAM: Address = known("TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb");
/// The program that derives a wallet's usual account of a token.
pub const ASSOCIATED_TOKEN_PROGRAM: Address = known("ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL");
/// Where the launchpad's settings are: derived by its program from `global`.
pub const GLOBAL: Address = known("4wTV1YmiEkRvAtNtsSGPtUrqRYQMe5SKy2uB4Jjaxnjf");
/// Where the fee rates are: derived by the fee program from `fee_config` and the launchpad's program.
pub const FEE_CONFIG: Address = known("8Wf5TiAheLUqBrKXeYg2JtAFFMWtKdG2BSFgqUcPVwTt");

impl Address {
    /// An address from its bytes.
    pub const fn new(bytes: [u8; 32]) -> Self {
        Address(bytes)
    }

    pub const fn as_bytes(&self) -> &[u8; 32] {
        &self.0
    }

    /// Reads an address in base58.
    #[doc(hidden)]
    pub fn read(reader: &mut Reader, name: &'static str) -> Option<Address> {
        let address = reader.text(name)?.parse().ok();
        if address.is_none() {
            reader.refuse(name, FieldCode::Unreadable, "must be an address: base58 of 32 bytes");
        }
        address
    }

    /// Its text. The library's `into_string` can panic: its message brings Rust's `Debug` of bytes into the modules.
    fn base58(&self) -> String {
        let mut text = Vec::new();
        let Ok(_) = bs58::encode(self.0).onto(&mut text) else { unreachable!("a list of bytes grows") };
        text.into_iter().map(char::from).collect()
    }

    /// Whether every byte is zero, by which accounts say "none".
    pub fn is_zero(&self) -> bool {
        self.0 == [0; 32]
    }
}

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.base58())
    }
}

impl fmt::Debug for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl ToTape for Address {
    fn write(&self, tape: &mut Writer) {
        tape.string(&self.base58());
    }
}

/// A text that is not base58 of 32 bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NotAnAddress;

error_text!(NotAnAddress, |_| "not an address: base58 of 32 bytes");

impl FromStr for Address {
    type Err = NotAnAddress;

    fn from_str(text: &str) -> Result<Self, NotAnAddress> {
        let mut bytes = [0; 32];
        match bs58::decode(text).onto(&mut bytes) {
            Ok(32) => Ok(Address(bytes)),
            _ => Err(NotAnAddress),
        }
    }
}

/// The address that `program` derives from these seeds, and the bump that makes it one: SHA-256 of the seeds, the bump, the
/// program and the text `ProgramDerivedAddress`, with the first bump from 255 down whose hash is not a point of the curve
/// ed25519. So nobody has a key for it.
///
/// `None` if no bump does; no such seeds are known.
pub fn derived_address(seeds: &[&[u8]], program: &Address) -> Option<(Address, u8)> {
    (0..=u8::MAX).rev().find_map(|bump| {
        let mut hash = Sha256::new();
        seeds.iter().for_each(|seed| hash.update(seed));
        hash.update([bump]);
        hash.update(program.0);
        hash.update("ProgramDerivedAddress");
        let bytes: [u8; 32] = hash.finalize().into();
        CompressedEdwardsY(bytes).decompress().is_none().then_some((Address(bytes), bump))
    })
}

/// Only the derived address; all zeros if there were none, where no program has an account.
fn derived(seeds: &[&[u8]], program: &Address) -> Address {
    derived_address(seeds, program).map_or(Address([0; 32]), |(address, _)| address)
}

/// Where the bonding curve of a token is.
pub fn curve_address(mint: &Address) -> Address {
    derived(&[b"bonding-curve", mint.as_bytes()], &LAUNCHPAD_PROGRAM)
}

/// Where the launchpad counts what a wallet has traded. A wallet's first buy may open it, and pays its rent.
pub fn volume_account_address(wallet: &Address) -> Address {
    derived(&[b"user_volume_accumulator", wallet.as_bytes()], &LAUNCHPAD_PROGRAM)
}

/// Where a wallet usually holds a token. It may have other accounts of it.
///
/// `token_program` is the program that owns the mint.
pub fn token_account_address(wallet: &Address, token_program: &Address, mint: &Address) -> Address {
    derived(&[wallet.as_bytes(), token_program.as_bytes(), mint.as_bytes()], &ASSOCIATED_TOKEN_PROGRAM)
}
