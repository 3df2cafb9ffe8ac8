//! The byte loops of `hot`, against the same said one byte, or one digit, at a time: natively, and with WebAssembly's
//! vectors.

use hot::block::plain_length;
use hot::body::eight_digits;
use hot::text::{is_plain, is_usual_address};
#[cfg(target_arch = "wasm32")]
use wasm_bindgen_test::wasm_bindgen_test;

const ALPHABET: &[u8; 58] = b"123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz";

fn is_plain_byte(byte: u8) -> bool {
    (b'!'..=b'~').contains(&byte) && byte != b'"' && byte != b'\\'
}

#[cfg_attr(not(target_arch = "wasm32"), test)]
#[cfg_attr(target_arch = "wasm32", wasm_bindgen_test)]
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
            assert_eq!(is_usual_address(&text), ALPHABET.contains(&byte), "{text:?}");
        }
    }
    assert!(is_plain(b""));
}

#[cfg_attr(not(target_arch = "wasm32"), test)]
#[cfg_attr(target_arch = "wasm32", wasm_bindgen_test)]
fn eight_digits_are_those_of_the_number() {
    let text =
        |number| String::from_utf8((eight_digits(number) | 0x3030_3030_3030_3030).to_le_bytes().into());
    for number in (0..10_000).chain((0..100_000_000).step_by(997)).chain([99_999_999]) {
        assert_eq!(text(number), Ok(format!("{number:08}")));
    }
}
