//! Mint and wallet addresses: base58 of 32 bytes.

/// The digits of base58, in their order.
const ALPHABET: &[u8; 58] = b"123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz";

/// Whether `text` is base58 (the Bitcoin alphabet) of exactly 32 bytes.
///
/// ```
/// use launchpad_desk::api::address::is_address;
///
/// assert!(is_address("So11111111111111111111111111111111111111112"));
/// assert!(!is_address("So1111111111111111111111111111111111111111O"));
/// ```
pub fn is_address(text: &str) -> bool {
    let text = text.as_bytes();
    if !(32..=44).contains(&text.len()) {
        return false;
    }
    let mut bytes = [0u8; 32];
    for byte in text {
        let Some(digit) = ALPHABET.iter().position(|digit| digit == byte) else { return false };
        let mut carry = digit as u32;
        for byte in bytes.iter_mut().rev() {
            carry += u32::from(*byte) * 58;
            *byte = carry as u8;
            carry >>= 8;
        }
        if carry != 0 {
            return false;
        }
    }
    // Each leading zero byte is one leading 1, and no other 1 leads.
    let zeros = bytes.iter().take_while(|byte| **byte == 0).count();
    let ones = text.iter().take_while(|digit| **digit == b'1').count();
    zeros == ones
}
