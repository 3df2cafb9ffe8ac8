//! The launchpad's settings, from its account.

use super::account::{Account, bytes_of};
use super::address::{GLOBAL, LAUNCHPAD_PROGRAM};
use super::unreadable::{AccountKind, Unreadable};
use crate::launchpad::Curve;
use crate::record;

pub(super) const DISCRIMINATOR: [u8; 8] = [0xa7, 0xe8, 0xe8, 0xb1, 0xc8, 0x6c, 0x72, 0x7f];

record! {
    /// The launchpad's settings that a trade depends on. Fields for which its account is too short are absent.
    ///
    /// The two fee rates in it are not what a trade pays: those are in the fee configuration.
    Global {
        /// Whether the launchpad has been set up.
        initialized: bool => "boolean",
        /// The curve of a new token.
        start: Curve => "CurveReserves",
        /// Supply of a new token, in base units.
        token_total_supply: u64 => "bigint",
        /// Lamports that the move of a complete curve to a pool costs.
        pool_migration_fee_lamports: Option<u64> => "bigint | null",
        /// Whether new tokens belong to the newer token program.
        create_v2_enabled: Option<bool> => "boolean | null",
        /// Whether tokens may be created whose virtual reserves can be reset.
        mayhem_mode_enabled: Option<bool> => "boolean | null",
        /// Whether tokens may be created whose creator's fee goes to the trader.
        cashback_enabled: Option<bool> => "boolean | null",
        /// Whether a token's own creator rate counts.
        creator_fee_configurable: Option<bool> => "boolean | null",
        /// The largest such rate that a creator can choose, in basis points. A rate over it still counts.
        max_configurable_creator_fee_bps: Option<u64> => "bigint | null",
        /// Whether tokens may be created whose creator's fee goes to holders.
        holder_reward_enabled: Option<bool> => "boolean | null",
        /// How many tokens deep a token may be launched upon others.
        max_curve_depth: Option<u8> => "number | null",
    }
}

impl Global {
    /// Reads the launchpad's settings.
    ///
    /// # Errors
    ///
    /// [`AccountRefusal`](super::unreadable::AccountRefusal)`::{Missing, Address, Owner, Length, Discriminator, Bool}`.
    pub fn read(account: Option<&Account>) -> Result<Global, Unreadable> {
        let bytes = bytes_of(account, Some(&GLOBAL), &[LAUNCHPAD_PROGRAM], AccountKind::Global)?;
        bytes.check_discriminator(DISCRIMINATOR)?;
        let number = |at| bytes.required(bytes.u64(at));
        // The rates behind the supply are not used, but an account that ends before them was cut.
        number(105)?;
        Ok(Global {
            initialized: bytes.required(bytes.flag(8)?)?,
            start: Curve {
                virtual_token_reserves: number(73)?,
                virtual_sol_reserves: number(81)?,
                real_token_reserves: number(89)?,
                real_sol_reserves: 0,
            },
            token_total_supply: number(97)?,
            pool_migration_fee_lamports: bytes.u64(146),
            create_v2_enabled: bytes.flag(450)?,
            mayhem_mode_enabled: bytes.flag(515)?,
            cashback_enabled: bytes.flag(740)?,
            creator_fee_configurable: bytes.flag(1045)?,
            max_configurable_creator_fee_bps: bytes.u64(1046),
            holder_reward_enabled: bytes.flag(1086)?,
            max_curve_depth: bytes.u8(1087),
        })
    }
}
