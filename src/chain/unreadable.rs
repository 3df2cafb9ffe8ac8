//! Why an account is refused.

use std::fmt;

use crate::codes::codes;

codes! {
    /// The accounts that are read.
    AccountKind {
        /// A token's bonding curve.
        Curve = "curve",
        /// The launchpad's settings.
        Global = "global",
        /// The launchpad's fee rates.
        FeeConfig = "fee_config",
        /// A token.
        Mint = "mint",
        /// What a wallet holds of a token.
        TokenAccount = "token_account",
    }
}

codes! {
    /// Why an account is not read. Append-only.
    #[non_exhaustive]
    AccountRefusal as "AccountRefusalCode" {
        /// It does not exist, or it has no lamports and so is closed.
        Missing = "missing",
        /// Another program owns it, so its bytes mean something else.
        Owner = "owner",
        /// It is not at its expected address.
        Address = "address",
        /// Its length is invalid: it was cut off.
        Length = "length",
        /// It is another kind of account.
        Discriminator = "discriminator",
        /// A flag is neither 0 nor 1.
        Bool = "bool",
        /// The token is not traded for SOL.
        Quote = "quote",
        /// A number is out of its range.
        Range = "range",
        /// Its data is not valid base64.
        Encoding = "encoding",
        /// It is another wallet's, who was given it.
        Wallet = "wallet",
        /// It is of another token.
        Mint = "mint",
    }
}

/// An account that is not read: which one, and why.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unreadable {
    /// The expected kind.
    pub kind: AccountKind,
    /// Why it is refused.
    pub refusal: AccountRefusal,
}

impl fmt::Display for Unreadable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let account = match self.kind {
            AccountKind::Curve => "the token's curve",
            AccountKind::Global => "the launchpad's settings account",
            AccountKind::FeeConfig => "the launchpad's fee account",
            AccountKind::Mint => "the mint",
            AccountKind::TokenAccount => "the token account",
        };
        let reason = match self.refusal {
            AccountRefusal::Missing => "does not exist",
            AccountRefusal::Owner => "belongs to another program",
            AccountRefusal::Address => "is at another address",
            AccountRefusal::Length => "has an invalid length",
            AccountRefusal::Discriminator => "is another kind of account",
            AccountRefusal::Bool => "has a flag that is neither 0 nor 1",
            AccountRefusal::Quote => "is not traded for SOL",
            AccountRefusal::Range => "has a number that is out of range",
            AccountRefusal::Encoding => "is not in base64: ask the node for that encoding",
            AccountRefusal::Wallet => "belongs to another wallet",
            AccountRefusal::Mint => "is of another token",
        };
        write!(f, "{account} {reason}")
    }
}

impl std::error::Error for Unreadable {}
