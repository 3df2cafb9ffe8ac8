//! Names that the sandbox generates: the same for the same history, and never mistaken for real ones.

use super::draws::Draws;
use launchpad_desk::amount::Digits;

const BASE58: &[u8; 58] = b"123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz";

/// The address of a wallet's account of a token: `Sim` and 40 digits, valid base58 of 32 bytes.
pub(super) fn token_account_address(wallet: &str, mint: &str) -> String {
    made_up("Sim", &[wallet, mint], 40)
}

/// The signature of a transaction: `SIM` and 85 digits. Base58 has no `I`, so no network can have made it.
pub(super) fn signature(transaction: u64, fee_payer: &str, mint: &str) -> String {
    made_up("SIM", &[&transaction.digits(), fee_payer, mint], 85)
}

/// The wallet of a rival of a living market, by its kind and its number.
pub(super) fn rival(kind: &str, number: u64) -> String {
    made_up("SimR", &["rival", kind, &number.digits()], 39)
}

/// The mint address of the token that a living market launches, by its number.
pub(super) fn mint(seed: &str, number: u64) -> String {
    made_up("Sim", &["mint", seed, &number.digits()], 40)
}

/// Identifies a request in the log of calls: the same bytes give the same text, and other bytes almost never do.
pub(super) fn fingerprint(operation: &str, body: &str) -> String {
    made_up("", &["call", operation, body], 22)
}

fn made_up(prefix: &str, of: &[&str], digits: usize) -> String {
    let mut draws = Draws::of(of);
    let digit = |draw: u64| BASE58.get(draw as usize).map_or('1', |digit| char::from(*digit));
    prefix.chars().chain((0..digits).map(|_| digit(draws.below(58)))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use launchpad_desk::api::endpoint::Operation;
    use launchpad_desk::api::validate::{Identifiers, Rules, validate};
    use launchpad_desk::bindings::object;

    #[test]
    fn addresses_are_base58_and_signatures_never_are() {
        let address = token_account_address("W", "M");
        assert_eq!(address, token_account_address("W", "M"));
        assert_ne!(address, token_account_address("WM", ""));
        let request = object! { "mint": address, "fromWallet": address, "amountInLamports": 1u64 };
        let rules = Rules { identifiers: Identifiers::Base58, ..Rules::default() };
        assert!(validate(Operation::Buy, request.root(), &rules).is_ok(), "{address}");
        let signature = signature(1, "W", "M");
        assert_eq!((signature.len(), signature.contains('I')), (88, true));
        assert!(signature.bytes().skip(3).all(|digit| BASE58.contains(&digit)));
    }
}
