//! The redactor: no encoding of a key gets through, and nothing else is touched.

use crate::seeded;

use base64ct::{Base64, Base64Unpadded, Base64Url, Base64UrlUnpadded, Encoding};
use launchpad_desk::trade::redacted;
use proptest::prelude::*;
use proptest::test_runner::{RngAlgorithm, TestRng};

fn clean(text: &str, key: &str) -> String {
    String::from_utf8(redacted(text.into(), key.as_bytes())).expect("UTF-8 stays UTF-8")
}

/// Names that HTML has for ASCII characters, by the list in its standard, each behind its character.
const NAMED: &str =
    "&amp <LT >gt \"quot 'apos %percnt \\bsol /sol _lowbar .period +plus =equals $dollar #num {lbrace :colon";

/// A character in one of its encodings, whose own characters are encoded again as often as `depth` allows.
fn spell(c: char, depth: u32, rng: &mut TestRng) -> String {
    let code = u32::from(c);
    let ways = if depth == 0 { 1 } else { 11 };
    let written = match rng.random_range(0..ways) {
        1 => format!("%{code:02x}"),
        2 => format!("%{code:02X}"),
        3 => format!("\\u{code:04x}"),
        4 => format!("\\u{code:04X}"),
        5 => format!("\\x{code:02x}"),
        6 => format!("&#{code};"),
        7 => format!("&#x{code:X};"),
        8 => format!("&#X{code:04x};"),
        9 if c.is_ascii_punctuation() => format!("\\{c}"),
        10 => match NAMED.split(' ').find_map(|named| named.strip_prefix(c)) {
            Some(name) => format!("&{name};"),
            None => format!("&#0{code};"),
        },
        _ => return c.to_string(),
    };
    // Now and then a character of an encoding is itself encoded.
    let mut spelled = String::new();
    for c in written.chars() {
        let deeper = if rng.random_range(0..4) == 0 { depth - 1 } else { 0 };
        spelled.push_str(&spell(c, deeper, rng));
    }
    spelled
}

const KEY: &str = "[!-~]{1,24}";

proptest! {
    #![proptest_config(seeded::cases(500))]

    #[test]
    fn any_mix_of_spellings_is_redacted(key in KEY, seed in any::<[u8; 32]>(), depth in 0..=3u32) {
        let mut rng = TestRng::from_seed(RngAlgorithm::ChaCha, &seed);
        let spelled: String = key.chars().map(|c| spell(c, depth, &mut rng)).collect();
        // Nothing around it can be a part of it.
        let text = format!("é {spelled} é");
        prop_assert_eq!(clean(&text, &key), "é [redacted] é", "{}", text);
        prop_assert_eq!(clean(&format!("{text}{text}"), &key), "é [redacted] éé [redacted] é");
    }

    #[test]
    fn a_text_without_the_key_stays_as_it_is(key in "k[a-z]{0,9}", text in "([!-jl-~]|é|\\n|%[0-57-9][0-9a-f]|\\\\u00[0-57-9][0-9]|&amp;|&#3[0-9];){0,80}") {
        // A "k" is 6b, 107 or itself: there is none of it in the text, nor of what could spell one.
        prop_assume!(!["6b", "6B", "107"].iter().any(|spelled| text.contains(spelled)));
        prop_assert_eq!(clean(&text, &key), text);
    }

    #[test]
    fn json_stays_json(key in "[a-zA-Z0-9][!-~]{2,20}[a-zA-Z0-9]", parts in prop::collection::vec("[ -~]{0,12}", 1..5)) {
        let text = parts.join(&key);
        let json = serde_json::to_string(&text).expect("any text can be written");
        let read: String = serde_json::from_str(&clean(&json, &key)).expect("what is left is JSON");
        prop_assert!(!read.contains(&key) || "[redacted]".contains(&key));
        // If nothing is ambiguous, the rest of the text stays.
        let plain = |text: &str| !text.contains(['\\', '%', '&']);
        if plain(&text) && !"[redacted]".contains(&key) {
            prop_assert_eq!(read, text.replace(&key, "[redacted]"));
        }
    }
}

const LONG_KEY: &str = "[!-~]{8,48}";

proptest! {
    #![proptest_config(seeded::cases(500))]

    /// Whatever stands before and after the key in what was encoded, no sign that has a bit of the key is left.
    #[test]
    fn a_key_in_base64_is_redacted(
        key in LONG_KEY, before in "[ -~]{0,7}", after in "[ -~]{0,7}", is_url in any::<bool>(), is_padded in any::<bool>(),
        depth in 0..=2u32, seed in any::<[u8; 32]>(),
    ) {
        let encoded = match (is_url, is_padded) {
            (false, false) => Base64Unpadded::encode_string,
            (false, true) => Base64::encode_string,
            (true, false) => Base64UrlUnpadded::encode_string,
            (true, true) => Base64Url::encode_string,
        };
        let whole = encoded(format!("{before}{key}{after}").as_bytes());
        let first = 8 * before.len() / 6;
        let end = (8 * (before.len() + key.len())).div_ceil(6);
        let left = format!("é {}[redacted]{} é", &whole[..first], &whole[end..]);
        prop_assert_eq!(clean(&format!("é {whole} é"), &key), left.clone());
        // Encoded again, as in JSON.
        let mut rng = TestRng::from_seed(RngAlgorithm::ChaCha, &seed);
        let spelled: String = whole[first..end].chars().map(|c| spell(c, depth, &mut rng)).collect();
        let text = format!("é {}{spelled}{} é", &whole[..first], &whole[end..]);
        prop_assert_eq!(clean(&text, &key), left, "{}", text);
    }

    #[test]
    fn a_key_in_hexadecimal_is_redacted(key in LONG_KEY, cases in any::<u64>(), seed in any::<[u8; 32]>(), depth in 0..=2u32) {
        let digits: String = key.bytes().map(|byte| format!("{byte:02x}")).collect();
        let upper = |(at, c): (usize, char)| if cases >> (at % 64) & 1 == 1 { c.to_ascii_uppercase() } else { c };
        let mixed: String = digits.chars().enumerate().map(upper).collect();
        for hex in [digits.to_uppercase(), digits, mixed.clone()] {
            prop_assert_eq!(clean(&format!("0x{hex} é"), &key), "0x[redacted] é");
        }
        let mut rng = TestRng::from_seed(RngAlgorithm::ChaCha, &seed);
        let spelled: String = mixed.chars().map(|c| spell(c, depth, &mut rng)).collect();
        prop_assert_eq!(clean(&format!("é {spelled} é"), &key), "é [redacted] é", "{}", spelled);
    }

    #[test]
    fn what_has_only_a_part_of_a_coded_key_stays(key in "[a-z]{8,24}", other in "[A-Z0-9 ]{0,60}") {
        let half = &key.as_bytes()[..key.len() / 2];
        for text in [half, other.as_bytes()].map(Base64::encode_string) {
            prop_assert_eq!(clean(&text, &key), text);
        }
    }
}

#[test]
fn the_ways_that_services_have_of_echoing() {
    let key = r#"sk-edge/7f3a"9c\"#;
    let json = |text: &str| serde_json::to_string(text).expect("any text can be written");
    let inner = |text: &str| json(text).trim_matches('"').to_owned();
    let percent: String = key.bytes().map(|byte| format!("%{byte:02x}")).collect();
    let component = "sk-edge%2F7f3a%229c%5C";
    let html = r"sk-edge/7f3a&quot;9c\";
    for echo in [
        key.to_owned(),
        percent.to_uppercase(),
        percent.replace('%', "%25"),
        percent.replace('%', "%2525"),
        percent,
        component.to_owned(),
        component.to_lowercase(),
        html.to_owned(),
        html.replace('&', "&amp;"),
        html.replace('&', "&amp;amp;"),
        key.chars().map(|c| format!("&#{}", u32::from(c))).collect(),
        key.chars().map(|c| format!("&#x{:x};", u32::from(c))).collect(),
    ] {
        assert_eq!(
            clean(&format!("<p>bad key {echo} here</p>"), key),
            "<p>bad key [redacted] here</p>",
            "{echo}"
        );
        let once = json(&format!("bad key {echo} here"));
        assert_eq!(clean(&once, key), "\"bad key [redacted] here\"");
    }
    let twice = inner(&inner(key));
    assert_eq!(clean(&format!("bad key {twice} here"), key), "bad key [redacted] here");
    assert_eq!(clean(&format!("bad key {} here", inner(&twice)), key), "bad key [redacted] here");
}

#[test]
fn edges() {
    // Too short a key is only looked for as it is.
    assert_eq!(clean("c2VjcmV0 736563726574 secret", "secret"), "c2VjcmV0 736563726574 [redacted]");
    assert_eq!(clean("text", ""), "text");
    assert_eq!(clean("", "key"), "");
    assert_eq!(clean("ke", "key"), "ke");
    assert_eq!(clean("kekey", "key"), "ke[redacted]");
    assert_eq!(clean("keykey", "key"), "[redacted][redacted]");
    assert_eq!(clean("100%, 5 % and \\", "key"), "100%, 5 % and \\");
    assert_eq!(clean("&#99999999999;&#x;&;&#;%6%", "key"), "&#99999999999;&#x;&;&#;%6%");
    // Bytes that are not text stay, too.
    assert_eq!(redacted(vec![0xff, b'k', b'e', b'y', 0xfe], b"key"), b"\xff[redacted]\xfe");
}

/// Input that could make each position be tried in many ways: it is redacted, and in time.
#[test]
fn a_text_of_escapes_is_read() {
    for piece in ["\\", "%", "&", "%25", "\\u005c", "&amp;", "&#", "%5c", "&#x26;", "\\\\u005cu005c%5c&#92;"]
    {
        let text = piece.repeat((1 << 16) / piece.len());
        assert_eq!(clean(&text, "\\%&key"), text);
    }
}
