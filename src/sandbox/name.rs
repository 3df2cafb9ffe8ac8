//! Names the sandbox makes up: the same for the same past, and never to be taken for real ones.

use super::draws::Draws;

const BASE58: &[u8; 58] = b"123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz";

/// The address of a wallet's account of a token: `Sim` and 40 digits, the base58 text of 32 bytes.
pub(super) fn token_account_address(wallet: &str, mint: &str) -> String {
    made_up("Sim", &[wallet, mint], 40)
}

/// The signature of a transaction: `SIM` and 85 digits. As base58 has no `I`, no network can have given it.
pub(super) fn signature(transaction: u64, fee_payer: &str, mint: &str) -> String {
    made_up("SIM", &[&transaction.to_string(), fee_payer, mint], 85)
}

fn made_up(prefix: &str, of: &[&str], digits: usize) -> String {
    let mut draws = Draws::of(of);
    let digit = |draw: u64| BASE58.get(draw as usize).map_or('1', |digit| char::from(*digit));
    prefix.chars().chain((0..digits).map(|_| digit(draws.below(58)))).collect()
}
