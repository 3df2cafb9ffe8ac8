//! The redactor: no encoding of a key gets through, and nothing else is touched.

use crate::seeded;

use launchpad_desk::trade::redacted;
use proptest::prelude::*;
use proptest::test_runner::{RngAlgorithm, TestRng};

fn clean(text: &str, key: &str) -> String {
    String::from_utf8(redacted(text.into(), key.as_bytes())).expect("UTF-8 stays UTF-8")
}

/// The names that HTML has for ASCII characters, by the list in its standard.
const NAMED: [(char, &str); 16] = [
    ('&', "amp"),
    ('<', "LT"),
    ('>', "gt"),
    ('"', "quot"),
    ('\'', "apos"),
    ('%', "percnt"),
    ('\\', "bsol"),
    ('/', "sol"),
    ('_', "lowbar"),
    ('.', "period"),
    ('+', "plus"),
    ('=', "equals"),
    ('$', "dollar"),
    ('#', "num"),
    ('{', "lbrace"),
    (':', "colon"),
];

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
        10 => match NAMED.iter().find(|(sign, _)| *sign == c) {
            Some((_, name)) => format!("&{name};"),
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
    #![proptest_config(seeded::cases(2_000))]

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
        // Where nothing can be read in two ways, all the rest stays.
        let plain = |text: &str| !text.contains(['\\', '%', '&']);
        if plain(&text) && !"[redacted]".contains(&key) {
            prop_assert_eq!(read, text.replace(&key, "[redacted]"));
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
