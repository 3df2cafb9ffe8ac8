//! What accounts cost by the newest rules: the bytes of their data and 128 more, each at the rent of a byte.

use launchpad_desk::launchpad::Launchpad;

fn of(bytes: u64) -> u64 {
    (bytes + 128) * Launchpad::default().rent_lamports_per_byte
}

/// A token account of the first token program.
pub fn token_account() -> u64 {
    of(165)
}

/// The account in which the launchpad counts what a wallet trades.
pub fn volume_account() -> u64 {
    of(137)
}

/// The most that a wallet's first buy opens: a token account of the newer program, and the volume account.
pub fn first_buy() -> u64 {
    of(170) + volume_account()
}

/// An account without data: the least that a wallet may be left with, besides nothing.
pub fn empty_account() -> u64 {
    of(0)
}
