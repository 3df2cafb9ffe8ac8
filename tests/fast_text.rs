//! The byte loops of `hot`, against the same said one byte, or one digit, at a time.
#![cfg(not(target_arch = "wasm32"))]

use hot::body::eight_digits;
use hot::text::{is_base58_of_32_bytes, is_plain, is_shortest_amount, plain_length};
use launchpad_desk::amount::Decimal;
use num_bigint::BigUint;
use proptest::prelude::*;

const ALPHABET: &[u8; 58] = b"123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz";

/// Base58 by its definition: leading ones are zero bytes, the rest is a number.
fn is_base58_by_definition(text: &[u8]) -> bool {
    let mut number = BigUint::ZERO;
    for byte in text {
        let Some(digit) = ALPHABET.iter().position(|letter| letter == byte) else { return false };
        number = number * 58u8 + digit;
    }
    let zeros = text.iter().take_while(|byte| **byte == b'1').count();
    let bytes = if number == BigUint::ZERO { 0 } else { number.to_bytes_be().len() };
    zeros + bytes == 32
}

fn is_plain_byte(byte: u8) -> bool {
    (b'!'..=b'~').contains(&byte) && byte != b'"' && byte != b'\\'
}

#[test]
fn each_byte_is_judged_at_each_place() {
    for byte in 0..=255u8 {
        for length in 1..=24 {
            for at in 0..length {
                let mut text = vec![b'a'; length];
                text[at] = byte;
                assert_eq!(is_plain(&text), is_plain_byte(byte), "{text:?}");
                let ends = !(0x20..0x80).contains(&byte) || byte == b'"' || byte == b'\\';
                assert_eq!(plain_length(&text), if ends { at } else { length }, "{text:?}");
            }
        }
        for at in 1..44 {
            let mut text = [b'2'; 44];
            text[at] = byte;
            assert_eq!(is_base58_of_32_bytes(&text), ALPHABET.contains(&byte), "{text:?}");
        }
    }
    assert!(is_plain(b""));
}

#[test]
fn base58_has_its_bounds() {
    let is = |text: &str| is_base58_of_32_bytes(text.as_bytes());
    assert!(is("So11111111111111111111111111111111111111112"));
    assert!(is("11111111111111111111111111111111"));
    assert!(is("JEKNVnkbo3jma5nREBBJCDoXFVeKkD56V3xKrvRmWxFG"));
    assert!(!is("JEKNVnkbo3jma5nREBBJCDoXFVeKkD56V3xKrvRmWxFH"));
    assert!(is("4uQeVj5tqViQh7yWWGStvkEG1Zmhx6uasJtWCJziofM"));
    assert!(!is("4uQeVj5tqViQh7yWWGStvkEG1Zmhx6uasJtWCJziofL"));
    assert!(!is("111111111111111111111111111111111"));
    assert!(!is("So1111111111111111111111111111111111111111O"));
    assert!(!is("So111111111111111111111111111111111111111é"));
    assert!(!is("2"));
    assert!(!is(""));
}

#[test]
fn eight_digits_are_those_of_the_number() {
    let text =
        |number| String::from_utf8((eight_digits(number) | 0x3030_3030_3030_3030).to_le_bytes().into());
    for number in (0..10_000).chain((0..100_000_000).step_by(997)).chain([99_999_999]) {
        assert_eq!(text(number), Ok(format!("{number:08}")));
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(5_000))]

    #[test]
    fn base58_is_what_its_definition_says(ones in 0usize..34, digits in prop::collection::vec(0usize..58, 0..46)) {
        let ones = std::iter::repeat_n(b'1', ones * usize::from(digits.len() < 44));
        let text: Vec<u8> = ones.chain(digits.into_iter().map(|digit| ALPHABET[digit])).collect();
        prop_assert_eq!(is_base58_of_32_bytes(&text), is_base58_by_definition(&text));
    }

    #[test]
    fn base58_of_43_and_44_digits_is_what_its_definition_says(first in 1usize..58, digits in prop::collection::vec(0usize..58, 42..44)) {
        let text: Vec<u8> = std::iter::once(first).chain(digits).map(|digit| ALPHABET[digit]).collect();
        prop_assert_eq!(is_base58_of_32_bytes(&text), is_base58_by_definition(&text));
    }

    #[test]
    fn the_shortest_form_is_the_one_that_is_printed(text in "[0-9]{0,5}(\\.[0-9]{0,4})?") {
        let is_shortest = Decimal::from_plain(&text).is_ok_and(|number| number.as_str() == text && !number.is_zero());
        prop_assert_eq!(is_shortest_amount(text.as_bytes()), is_shortest);
    }
}
