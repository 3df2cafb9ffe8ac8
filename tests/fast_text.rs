//! What the byte loops of `hot` say of texts, against arithmetic and the plain way.
#![cfg(not(target_arch = "wasm32"))]

use hot::text::{ALPHABET, is_shortest_amount, is_usual_address};
use launchpad_desk::amount::Decimal;
use launchpad_desk::api::address::is_address;
use num_bigint::BigUint;
use proptest::prelude::*;

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

#[test]
fn base58_has_its_bounds() {
    let is = is_address;
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

proptest! {
    #![proptest_config(ProptestConfig::with_cases(5_000))]

    #[test]
    fn base58_is_what_its_definition_says(ones in 0usize..34, digits in prop::collection::vec(0usize..58, 0..46)) {
        let ones = std::iter::repeat_n(b'1', ones * usize::from(digits.len() < 44));
        let text: Vec<u8> = ones.chain(digits.into_iter().map(|digit| ALPHABET[digit])).collect();
        let is_address_by_definition = is_base58_by_definition(&text);
        prop_assert_eq!(is_usual_address(&text), is_address_by_definition && text[0] != b'1');
        prop_assert_eq!(is_address(str::from_utf8(&text).unwrap()), is_address_by_definition);
    }

    #[test]
    fn base58_of_43_and_44_digits_is_what_its_definition_says(first in 1usize..58, digits in prop::collection::vec(0usize..58, 42..44)) {
        let text: Vec<u8> = std::iter::once(first).chain(digits).map(|digit| ALPHABET[digit]).collect();
        prop_assert_eq!(is_usual_address(&text), is_base58_by_definition(&text));
    }

    #[test]
    fn the_shortest_form_is_the_one_that_is_printed(text in "[0-9]{0,5}(\\.[0-9]{0,4})?") {
        let is_shortest = Decimal::from_plain(&text).is_ok_and(|number| number.as_str() == text && !number.is_zero());
        prop_assert_eq!(is_shortest_amount(text.as_bytes()), is_shortest);
    }
}
