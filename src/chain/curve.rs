//! A token's bonding curve, from its account.

use super::account::{Account, bytes_of};
use super::address::{Address, LAUNCHPAD_PROGRAM, curve_address};
use super::bytes::Bytes;
use super::unreadable::{AccountKind, AccountRefusal, Unreadable};
use crate::launchpad::{Curve, Launchpad};
use crate::record;

pub(super) const DISCRIMINATOR: [u8; 8] = [0x17, 0xb7, 0xf8, 0x37, 0x60, 0xd8, 0xac, 0x60];

/// Where the flag `complete` ends, the last field that every curve has.
const SHORTEST: usize = 49;
pub(super) const CREATOR: usize = 49;
const QUOTE_MINT: usize = 83;

record! {
    /// A curve as the chain holds it. Fields for which its account is too short are absent.
    ChainCurve {
        /// The reserves, which set the price. After the move to a pool all four are zero.
        reserves: Curve => "CurveReserves",
        /// Supply of the token as the curve was created, in base units. Burns change the mint's supply, not this one.
        token_total_supply: u64 => "bigint",
        /// Whether trading on the curve has ended. It may have tokens left.
        complete: bool => "boolean",
        /// Who earns the creator's fee. Absent if nobody does: then no such fee is charged.
        creator: Option<Address> => "string | null",
        /// Whether the token's virtual reserves may be reset, and its market cap counts the supply as created.
        is_mayhem: Option<bool> => "boolean | null",
        /// Whether the creator's fee goes to the trader's own account with the program. The totals of a trade are the same.
        is_cashback: Option<bool> => "boolean | null",
        /// A creator rate of the token's own in basis points, which counts if the launchpad allows it. Zero is none.
        creator_fee_bps: Option<u64> => "bigint | null",
        /// Whether that rate can still be changed.
        can_edit_creator_fee: Option<bool> => "boolean | null",
        /// Whether the creator's fee goes to holders. The totals of a trade are the same.
        is_holder_reward: Option<bool> => "boolean | null",
        /// Creator's fees that wait to be collected, in lamports.
        creator_fee_lamports: Option<u64> => "bigint | null",
        /// Protocol fees that wait to be collected, in lamports.
        protocol_fees_lamports: Option<u64> => "bigint | null",
        /// How many tokens this one is launched upon.
        depth: Option<u8> => "number | null",
        /// Virtual lamports at the start of the curve.
        initial_virtual_sol_reserves: Option<u64> => "bigint | null",
        /// Base units that the future pool has sold to buys past the end of the curve.
        post_complete_tokens_out: Option<u64> => "bigint | null",
        /// Lamports that the future pool has taken for them.
        post_complete_lamports_in: Option<u64> => "bigint | null",
    }
}

impl ChainCurve {
    /// Reads the curve of `mint`. A node's `null` is `None`.
    ///
    /// The bytes do not name their mint, so the account's address must be the one that is derived from it.
    ///
    /// # Errors
    ///
    /// [`AccountRefusal::Missing`], [`AccountRefusal::Address`], [`AccountRefusal::Owner`], [`AccountRefusal::Length`],
    /// [`AccountRefusal::Discriminator`], [`AccountRefusal::Bool`], [`AccountRefusal::Quote`].
    pub fn read(mint: &Address, account: Option<&Account>) -> Result<ChainCurve, Unreadable> {
        ChainCurve::read_at(&curve_address(mint), account)
    }

    /// [`read`](ChainCurve::read), for a caller that has derived the curve's address already: the search for it takes longer than
    /// all of the reading.
    /// Fails as [`read`](ChainCurve::read).
    pub fn read_at(address: &Address, account: Option<&Account>) -> Result<ChainCurve, Unreadable> {
        ChainCurve::of(bytes_of(account, Some(address), &[LAUNCHPAD_PROGRAM], AccountKind::Curve)?)
    }

    /// Reads a curve's bytes, whose owner and address the caller has checked.
    ///
    /// # Errors
    ///
    /// [`AccountRefusal::Length`], [`AccountRefusal::Discriminator`], [`AccountRefusal::Bool`], [`AccountRefusal::Quote`].
    pub fn read_bytes(data: &[u8]) -> Result<ChainCurve, Unreadable> {
        ChainCurve::of(Bytes { data, kind: AccountKind::Curve })
    }

    fn of(bytes: Bytes<'_>) -> Result<ChainCurve, Unreadable> {
        bytes.check_discriminator(DISCRIMINATOR)?;
        // A cut inside of an address would read as "no creator" or as SOL.
        let cuts_an_address = |start: usize| (start + 1..start + 32).contains(&bytes.len());
        if bytes.len() < SHORTEST || cuts_an_address(CREATOR) || cuts_an_address(QUOTE_MINT) {
            return Err(bytes.refused(AccountRefusal::Length));
        }
        let number = |at| bytes.required(bytes.u64(at));
        let curve = ChainCurve {
            reserves: Curve {
                virtual_token_reserves: number(8)?,
                virtual_sol_reserves: number(16)?,
                real_token_reserves: number(24)?,
                real_sol_reserves: number(32)?,
            },
            token_total_supply: number(40)?,
            complete: bytes.required(bytes.flag(48)?)?,
            creator: bytes.address(CREATOR),
            is_mayhem: bytes.flag(81)?,
            is_cashback: bytes.flag(82)?,
            creator_fee_bps: bytes.u64(115),
            can_edit_creator_fee: bytes.flag(123)?,
            is_holder_reward: bytes.flag(124)?,
            creator_fee_lamports: bytes.u64(125),
            protocol_fees_lamports: bytes.u64(133),
            depth: bytes.u8(141),
            initial_virtual_sol_reserves: bytes.u64(142),
            post_complete_tokens_out: bytes.u64(150),
            post_complete_lamports_in: bytes.u64(158),
        };
        if bytes.address(QUOTE_MINT).is_some() {
            return Err(bytes.refused(AccountRefusal::Quote));
        }
        Ok(curve)
    }

    /// The curve of a token that has just been launched, with every field, and without a creator.
    pub fn at_start(launchpad: &Launchpad) -> ChainCurve {
        ChainCurve {
            reserves: launchpad.start,
            token_total_supply: launchpad.token_supply,
            complete: false,
            creator: None,
            is_mayhem: Some(false),
            is_cashback: Some(false),
            creator_fee_bps: Some(0),
            can_edit_creator_fee: Some(false),
            is_holder_reward: Some(false),
            creator_fee_lamports: Some(0),
            protocol_fees_lamports: Some(0),
            depth: Some(0),
            initial_virtual_sol_reserves: Some(launchpad.start.virtual_sol_reserves),
            post_complete_tokens_out: Some(0),
            post_complete_lamports_in: Some(0),
        }
    }

    /// Whether the curve trades: it is not complete, and has the reserves that give a price.
    pub fn trades(&self) -> bool {
        let Curve { virtual_token_reserves, virtual_sol_reserves, real_token_reserves, .. } = self.reserves;
        !self.complete && virtual_token_reserves > 0 && virtual_sol_reserves > 0 && real_token_reserves > 0
    }
}
