//! The rates that every trade pays, from the fee program's account.

use super::account::{Account, bytes_of};
use super::address::{FEE_CONFIG, FEE_PROGRAM};
use super::unreadable::{AccountKind, AccountRefusal, Unreadable};
use crate::launchpad::fees::{FeeRates, FeeTier};

pub(super) const DISCRIMINATOR: [u8; 8] = [0x8f, 0x34, 0x92, 0xbb, 0xdb, 0x7b, 0x4c, 0x9b];

pub(super) const TIER_COUNT: usize = 65;
pub(super) const TIERS: usize = 69;
pub(super) const TIER_BYTES: usize = 40;
/// Bytes that the fee program gives the account at first.
pub(super) const LENGTH: usize = 2512;

/// Reads the fee tiers of tokens that are traded for SOL, as the program stores them: sorted by market cap. Whatever follows them
/// is for other tokens, or left over from a longer list.
///
/// There may be none: a launchpad without tiers refuses every trade.
///
/// # Errors
///
/// [`AccountRefusal::Missing`], [`AccountRefusal::Address`], [`AccountRefusal::Owner`], [`AccountRefusal::Length`],
/// [`AccountRefusal::Discriminator`]; [`AccountRefusal::Range`] for a rate over the whole trade.
pub fn read_fee_tiers(account: Option<&Account>) -> Result<Vec<FeeTier>, Unreadable> {
    let bytes = bytes_of(account, Some(&FEE_CONFIG), &[FEE_PROGRAM], AccountKind::FeeConfig)?;
    bytes.check_discriminator(DISCRIMINATOR)?;
    let count = bytes.required(bytes.u32(TIER_COUNT))? as usize;
    // Checked before anything is allocated, because the count is foreign data.
    if count > bytes.len().saturating_sub(TIERS) / TIER_BYTES {
        return Err(bytes.refused(AccountRefusal::Length));
    }
    let tier = |index: usize| {
        let at = TIERS + index * TIER_BYTES;
        let bps = |at| {
            let bps = bytes.required(bytes.u64(at))?;
            u16::try_from(bps).map_err(|_| bytes.refused(AccountRefusal::Range))
        };
        // Between the threshold and these is the rate of pools, which the curve does not charge.
        let rates = FeeRates::new(bps(at + 24)?, bps(at + 32)?);
        Ok(FeeTier {
            market_cap_threshold_lamports: bytes.required(bytes.u128(at))?,
            rates: rates.ok_or_else(|| bytes.refused(AccountRefusal::Range))?,
        })
    };
    (0..count).map(tier).collect()
}
