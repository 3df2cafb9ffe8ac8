//! Mint and wallet addresses: base58 of 32 bytes.

/// The digits of base58, in their order.
const ALPHABET: &[u8; 58] = b"123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz";

/// The digit that each byte stands for, or [`NO_DIGIT`].
const DIGITS: [u8; 256] = {
    let (mut digits, mut at) = ([NO_DIGIT; 256], 0);
    while at < ALPHABET.len() {
        digits[ALPHABET[at] as usize] = at as u8;
        at += 1;
    }
    digits
};

const NO_DIGIT: u8 = 58;

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
    // The number, 32 bits at a time from the lowest on.
    let mut number = [0u32; 8];
    // 58 to the fifth fits 32 bits.
    for group in text.chunks(5) {
        let (mut carry, mut scale) = (0u64, 1u64);
        for byte in group {
            let digit = DIGITS.get(usize::from(*byte)).copied().unwrap_or(NO_DIGIT);
            if digit == NO_DIGIT {
                return false;
            }
            (carry, scale) = (carry * 58 + u64::from(digit), scale * 58);
        }
        for part in &mut number {
            carry += u64::from(*part) * scale;
            *part = carry as u32;
            carry >>= 32;
        }
        if carry != 0 {
            return false;
        }
    }
    // Each leading zero byte is one leading 1, and no other 1 leads.
    let bytes = number.iter().rev().flat_map(|part| part.to_be_bytes());
    let zeros = bytes.take_while(|byte| *byte == 0).count();
    let ones = text.iter().take_while(|digit| **digit == b'1').count();
    zeros == ones
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Bytes in base58, the long way.
    fn base58(bytes: &[u8]) -> String {
        let (mut digits, mut rest) = (Vec::new(), bytes.to_vec());
        while rest.iter().any(|byte| *byte != 0) {
            let mut carry = 0u32;
            for byte in &mut rest {
                carry = carry * 256 + u32::from(*byte);
                *byte = (carry / 58) as u8;
                carry %= 58;
            }
            digits.push(ALPHABET[carry as usize]);
        }
        digits.extend(bytes.iter().take_while(|byte| **byte == 0).map(|_| b'1'));
        digits.reverse();
        String::from_utf8(digits).unwrap()
    }

    #[test]
    fn an_address_is_32_bytes_and_no_other_number_of_them() {
        let mut state = 1u64;
        for _ in 0..500 {
            let mut bytes = [0u8; 34];
            for byte in &mut bytes {
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                *byte = (state >> 56) as u8;
            }
            // Some with zeros at their start, and some that begin as high as can be.
            let zeros = (state >> 40) as usize % 6;
            bytes[..zeros].fill(0);
            if zeros == 5 {
                bytes[..5].fill(255);
            }
            for length in 28..=34 {
                let text = base58(&bytes[..length]);
                assert_eq!(is_address(&text), length == 32, "{text}");
            }
        }
        assert!(is_address(&base58(&[0; 32])) && is_address(&base58(&[255; 32])));
        let text = base58(&[7; 32]);
        for wrong in ['0', 'O', 'I', 'l', 'é', ' '] {
            assert!(
                !is_address(&text.replacen('2', &wrong.to_string(), 1)) || !text.contains('2'),
                "{wrong}"
            );
        }
    }
}
