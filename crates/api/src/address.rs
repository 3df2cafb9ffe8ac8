//! Mint and wallet addresses: base58 of 32 bytes.

/// The digits of base58 in order, which is also their ASCII order: of two numbers with equally many digits, the larger one is
/// the larger text.
const ALPHABET: &[u8; 58] = b"123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz";

/// Which bytes are digits.
static IS_DIGIT: [bool; 256] = {
    let (mut is_digit, mut at) = ([false; 256], 0);
    while at < ALPHABET.len() {
        is_digit[ALPHABET[at] as usize] = true;
        at += 1;
    }
    is_digit
};

/// The most digits of 32 bytes.
const MOST: usize = 44;

/// The largest numbers of 30, 31 and 32 bytes: all but one address in 65,536 need no other. All 33 take 1.6 KB.
static LARGEST: [([u8; MOST], usize); 3] = [largest_of(30), largest_of(31), largest_of(32)];

/// The largest number of this many bytes: its digits, and how many there are.
const fn largest_of(bytes: usize) -> ([u8; MOST], usize) {
    let (mut rest, mut digits, mut length) = ([255u8; 32], [0; MOST], 0);
    // Digits are found from last to first.
    let mut backwards = [0; MOST];
    loop {
        let (mut carry, mut is_zero, mut at) = (0u32, true, 0);
        while at < bytes {
            carry = carry * 256 + rest[at] as u32;
            rest[at] = (carry / 58) as u8;
            is_zero = is_zero && rest[at] == 0;
            carry %= 58;
            at += 1;
        }
        backwards[length] = ALPHABET[carry as usize];
        length += 1;
        if is_zero {
            break;
        }
    }
    let mut at = 0;
    while at < length {
        digits[at] = backwards[length - 1 - at];
        at += 1;
    }
    (digits, length)
}

/// Whether a number without leading zeros is at most the largest of this many bytes.
fn fits(digits: &[u8], bytes: usize) -> bool {
    let made;
    let (largest, length) = match bytes.checked_sub(30).and_then(|place| LARGEST.get(place)) {
        Some(known) => known,
        None => {
            made = largest_of(bytes);
            &made
        }
    };
    digits.len() < *length
        || (digits.len() == *length && largest.get(..*length).is_some_and(|most| digits <= most))
}

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
    if !(32..=MOST).contains(&text.len()) {
        return false;
    }
    for byte in text {
        if !IS_DIGIT.get(usize::from(*byte)).is_some_and(|is_digit| *is_digit) {
            return false;
        }
    }
    // Each leading 1 is a leading zero byte. The rest must be exactly the remaining bytes, the first of which is not zero.
    let mut ones = 0;
    while text.get(ones) == Some(&b'1') {
        ones += 1;
    }
    let number = text.get(ones..).unwrap_or_default();
    match 32usize.checked_sub(ones) {
        Some(0) => number.is_empty(),
        Some(bytes) => fits(number, bytes) && !fits(number, bytes - 1),
        None => false,
    }
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
