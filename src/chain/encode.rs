//! Accounts as a node returns them, from what the readers read: for a simulated chain. Reading gives the same values back.

use super::account::Account;
use super::address::{
    Address, FEE_CONFIG, FEE_PROGRAM, GLOBAL, LAUNCHPAD_PROGRAM, TOKEN_2022_PROGRAM, curve_address,
    volume_account_address,
};
use super::curve::ChainCurve;
use super::global::Global;
use super::mint::Mint;
use super::token_account::{Holding, KIND, LENGTH};
use super::{curve, fee_config, global};
use crate::launchpad::fees::FeeTier;
use crate::launchpad::rules::VOLUME_ACCOUNT_BYTES;

/// What the bytes of a wallet's volume account begin with.
const VOLUME_DISCRIMINATOR: [u8; 8] = [0x56, 0xff, 0x70, 0x0e, 0x66, 0x35, 0x9a, 0xfa];

/// Bytes that are written at fixed places; all others are zero.
struct AccountBytes {
    data: Vec<u8>,
}

impl AccountBytes {
    fn new(discriminator: [u8; 8]) -> Self {
        AccountBytes { data: discriminator.to_vec() }
    }

    fn put(&mut self, at: usize, bytes: &[u8]) {
        let end = at + bytes.len();
        if self.data.len() < end {
            self.data.resize(end, 0);
        }
        if let Some(place) = self.data.get_mut(at..end) {
            place.copy_from_slice(bytes);
        }
    }

    fn put_u64(&mut self, at: usize, number: impl Into<Option<u64>>) {
        if let Some(number) = number.into() {
            self.put(at, &number.to_le_bytes());
        }
    }

    fn put_flag(&mut self, at: usize, flag: impl Into<Option<bool>>) {
        if let Some(flag) = flag.into() {
            self.put(at, &[u8::from(flag)]);
        }
    }
}

/// The curve of `mint`, of the shortest length that has all its fields.
pub fn curve_account(mint: &Address, of: &ChainCurve, lamports: u64) -> Account {
    let mut record = AccountBytes::new(curve::DISCRIMINATOR);
    let reserves = &of.reserves;
    record.put_u64(8, reserves.virtual_token_reserves);
    record.put_u64(16, reserves.virtual_sol_reserves);
    record.put_u64(24, reserves.real_token_reserves);
    record.put_u64(32, reserves.real_sol_reserves);
    record.put_u64(40, of.token_total_supply);
    record.put_flag(48, of.complete);
    if let Some(creator) = &of.creator {
        record.put(curve::CREATOR, creator.as_bytes());
    }
    record.put_flag(81, of.is_mayhem);
    record.put_flag(82, of.is_cashback);
    record.put_u64(115, of.creator_fee_bps);
    record.put_flag(123, of.can_edit_creator_fee);
    record.put_flag(124, of.is_holder_reward);
    record.put_u64(125, of.creator_fee_lamports);
    record.put_u64(133, of.protocol_fees_lamports);
    if let Some(depth) = of.depth {
        record.put(141, &[depth]);
    }
    record.put_u64(142, of.initial_virtual_sol_reserves);
    record.put_u64(150, of.post_complete_tokens_out);
    record.put_u64(158, of.post_complete_lamports_in);
    Account { address: curve_address(mint), owner: LAUNCHPAD_PROGRAM, lamports, data: record.data }
}

/// A mint without extensions.
pub fn mint_account(address: &Address, of: &Mint, lamports: u64) -> Account {
    let mut record = AccountBytes { data: Vec::new() };
    record.put_u64(36, of.supply);
    record.put(44, &[of.decimals, 1]);
    record.put(78, &[0; 4]);
    Account { address: *address, owner: of.token_program, lamports, data: record.data }
}

/// A wallet's token account: 165 bytes, or with the newer program's mark of an owner who cannot change, 170.
pub fn token_account(address: &Address, token_program: &Address, of: &Holding) -> Account {
    let mut record = AccountBytes { data: vec![0; LENGTH] };
    record.put(0, of.mint.as_bytes());
    record.put(32, of.wallet.as_bytes());
    record.put_u64(64, of.tokens);
    for (at, authority) in [(72, &of.delegate), (129, &of.close_authority)] {
        if let Some(authority) = authority {
            record.put(at, &1u32.to_le_bytes());
            record.put(at + 4, authority.as_bytes());
        }
    }
    record.put(108, &[if of.is_frozen { 2 } else { 1 }]);
    record.put_u64(121, of.delegated_tokens);
    if *token_program == TOKEN_2022_PROGRAM {
        // The extension ImmutableOwner is the number 7, and has no bytes of its own.
        record.put(KIND, &[2, 7, 0, 0, 0]);
    }
    Account { address: *address, owner: *token_program, lamports: of.lamports, data: record.data }
}

/// The account in which the launchpad counts what a wallet trades, before it has counted anything.
pub fn volume_account(wallet: &Address, lamports: u64) -> Account {
    let mut record = AccountBytes::new(VOLUME_DISCRIMINATOR);
    record.put(8, wallet.as_bytes());
    record.data.resize(VOLUME_ACCOUNT_BYTES as usize, 0);
    Account { address: volume_account_address(wallet), owner: LAUNCHPAD_PROGRAM, lamports, data: record.data }
}

/// The fee rates, in the length that the fee program gives the account.
pub fn fee_config_account(tiers: &[FeeTier], lamports: u64) -> Account {
    let mut record = AccountBytes::new(fee_config::DISCRIMINATOR);
    let count = u32::try_from(tiers.len()).unwrap_or(u32::MAX);
    record.put(fee_config::TIER_COUNT, &count.to_le_bytes());
    for (index, tier) in tiers.iter().enumerate() {
        let at = fee_config::TIERS + index * fee_config::TIER_BYTES;
        record.put(at, &tier.market_cap_threshold_lamports.to_le_bytes());
        record.put_u64(at + 24, u64::from(tier.rates.protocol_bps()));
        record.put_u64(at + 32, u64::from(tier.rates.creator_bps()));
    }
    let length = record.data.len().max(fee_config::LENGTH);
    record.data.resize(length, 0);
    Account { address: FEE_CONFIG, owner: FEE_PROGRAM, lamports, data: record.data }
}

/// The launchpad's settings, of the shortest length that has all their fields.
pub fn global_account(of: &Global, lamports: u64) -> Account {
    let mut record = AccountBytes::new(global::DISCRIMINATOR);
    record.put_flag(8, of.initialized);
    record.put_u64(73, of.start.virtual_token_reserves);
    record.put_u64(81, of.start.virtual_sol_reserves);
    record.put_u64(89, of.start.real_token_reserves);
    record.put_u64(97, of.token_total_supply);
    record.put_u64(105, 0);
    record.put_u64(146, of.pool_migration_fee_lamports);
    record.put_flag(450, of.create_v2_enabled);
    record.put_flag(515, of.mayhem_mode_enabled);
    record.put_flag(740, of.cashback_enabled);
    record.put_flag(1045, of.creator_fee_configurable);
    record.put_u64(1046, of.max_configurable_creator_fee_bps);
    record.put_flag(1086, of.holder_reward_enabled);
    if let Some(depth) = of.max_curve_depth {
        record.put(1087, &[depth]);
    }
    Account { address: GLOBAL, owner: LAUNCHPAD_PROGRAM, lamports, data: record.data }
}
