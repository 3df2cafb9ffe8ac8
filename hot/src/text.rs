//! What mints, wallet ids and amounts are made of.

use crate::block::Class;

/// The digits of base58, in their order.
pub const ALPHABET: &[u8; 58] = b"123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz";

const BASE58: Class = Class::of(ALPHABET);
/// Visible ASCII that JSON writes as it is.
const VISIBLE: Class = Class::between(b'!', b'~').without(b"\"\\");

/// Whether `text` is visible ASCII that JSON writes as it is.
pub fn is_plain(text: &[u8]) -> bool {
    VISIBLE.has_all(text, b'x')
}

/// Whether `text` is base58 (the Bitcoin alphabet) of exactly 32 bytes, the first of which is not nought: that holds for
/// all but one of 256 addresses, and those have no leading ones.
///
/// The alphabet is in the order of ASCII, so that numbers of as many digits are in the order of their texts: one
/// comparison with 256^31 or 256^32 − 1 judges.
pub fn is_usual_address(text: &[u8]) -> bool {
    const LEAST: &[u8] = b"4uQeVj5tqViQh7yWWGStvkEG1Zmhx6uasJtWCJziofM";
    const GREATEST: &[u8] = b"JEKNVnkbo3jma5nREBBJCDoXFVeKkD56V3xKrvRmWxFG";
    let Some(first) = text.first() else { return false };
    // The first digit nearly always says it.
    let is_within = if text.len() == GREATEST.len() {
        *first != b'1' && (*first < b'J' || text <= GREATEST)
    } else {
        text.len() == LEAST.len() && (*first > b'4' || text >= LEAST)
    };
    is_within && BASE58.has_all(text, b'x')
}

/// Whether a numeric text is above zero and in its one shortest form.
pub fn is_shortest_amount(text: &[u8]) -> bool {
    let (mut points, mut odd) = (0u32, false);
    for byte in text {
        points += u32::from(*byte == b'.');
        odd |= byte.wrapping_sub(b'0') > 9 && *byte != b'.';
    }
    let is_shortest = match text {
        [b'0', b'.', .., last] | [b'1'..=b'9', .., last] if points == 1 => matches!(last, b'1'..=b'9'),
        [first, ..] => points == 0 && *first != b'0',
        [] => false,
    };
    is_shortest && !odd
}
