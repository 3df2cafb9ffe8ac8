//! The rules that change, in one place: what each was, as of when, and where that comes from.
//!
//! Everything else reads them here. A [`Launchpad`](super::Launchpad) has all of [`RULES`] as settings. The constants without a row are laid down by an
//! account itself or by the form of a transaction: no setting can change them.
//!
//! ```
//! use launchpad_desk::launchpad::{Launchpad, rules::RULES};
//! let rent = RULES.iter().find(|rule| rule.setting == "rentLamportsPerByte").unwrap();
//! assert!(rent.as_of >= Launchpad::default().as_of.as_str(), "a launchpad's date is that of its oldest rule");
//! ```

use super::cost::NetworkRates;
use super::curve::Curve;
use crate::record;

/// The protocol's and the creator's rate in basis points, at every market cap.
pub const FEE_BPS: [u16; 2] = [95, 30];
/// The curve of a new token.
pub const START: Curve = Curve {
    virtual_token_reserves: 1_073_000_000_000_000,
    virtual_sol_reserves: 30_000_000_000,
    real_token_reserves: 793_100_000_000_000,
    real_sol_reserves: 0,
};
/// Total supply of a new token, in base units.
pub const TOKEN_SUPPLY: u64 = 1_000_000_000_000_000;
/// Fraction digits of a whole token.
pub const TOKEN_DECIMALS: u8 = 6;
/// Lamports of rent for each byte of an account.
pub const RENT_LAMPORTS_PER_BYTE: u64 = 5_080;
/// Bytes of a token account of the first token program, whose accounts have no extensions.
pub const TOKEN_ACCOUNT_BYTES: u64 = 165;
/// Bytes of the account in which the launchpad counts what a wallet trades.
pub const VOLUME_ACCOUNT_BYTES: u64 = 137;
/// What the network charges for a transaction.
pub const NETWORK: NetworkRates =
    NetworkRates { lamports_per_signature: 5_000, default_units_per_trade: 200_000 };
/// Blocks for which a transaction may use a blockhash.
pub const BLOCKHASH_BLOCKS: u32 = 150;

/// Bytes that the network counts for every account in addition to its data.
pub const ACCOUNT_OVERHEAD_BYTES: u64 = 128;
/// Bytes of a token account of the newer token program, for the tokens that the launchpad creates: their accounts have an owner that
/// cannot change. A look reads from the mint which program it is.
pub const NEWER_TOKEN_ACCOUNT_BYTES: u64 = 170;

record! {
    /// A rule of the launchpad or of the network that changes: where its default comes from.
    #[derive(Copy)]
    LaunchpadRule {
        /// The setting of a launchpad that has it.
        setting: &'static str => "keyof LaunchpadConfig",
        /// The date as of which its default holds, `YYYY-MM-DD`.
        as_of: &'static str => "string",
        /// Where the default comes from.
        source: &'static str => "string",
    }
}

/// When the numbers of the chain's own accounts and of the network were read.
const READ: &str = "2026-11-20";
/// When the launchpad program's own build was last executed, and agreed to the lamport.
const EXECUTED: &str = "2026-11-26";

const GLOBAL: &str = "the launchpad's account of settings (Global)";
const PROGRAM: &str = "the launchpad program's build 0.5.0, executed";
const NETWORK_RULES: &str = "the network's rules";

const fn rule(setting: &'static str, as_of: &'static str, source: &'static str) -> LaunchpadRule {
    LaunchpadRule { setting, as_of, source }
}

/// Every rule that changes, in the order of the settings.
pub const RULES: [LaunchpadRule; 11] = [
    rule("feeTiers", READ, "the fee program's account of rates (FeeConfig)"),
    rule("start", READ, GLOBAL),
    rule("tokenSupply", READ, GLOBAL),
    rule("tokenDecimals", EXECUTED, PROGRAM),
    rule("completion", EXECUTED, PROGRAM),
    rule("rentLamportsPerByte", READ, NETWORK_RULES),
    rule("tokenAccountBytes", EXECUTED, PROGRAM),
    rule("volumeAccountBytes", EXECUTED, PROGRAM),
    rule("lamportsPerSignature", READ, NETWORK_RULES),
    rule("defaultUnitsPerTrade", READ, NETWORK_RULES),
    rule("blockhashBlocks", READ, NETWORK_RULES),
];

/// The date of the oldest rule: a launchpad's own date.
pub const AS_OF: &str = READ;
