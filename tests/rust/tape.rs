//! Plain data is unchanged on every way in and out, and no input breaks a way in.

use crate::seeded;

use launchpad_desk::tape::{Data, Item, Tape, TapeValue, ToTape, json};
use proptest::prelude::*;
use serde_json::Value;

/// Names and texts: plain, of two, three and four bytes a character, with all that JSON has to escape.
fn text() -> impl Strategy<Value = String> {
    prop_oneof![4 => "[a-z]{0,6}", 2 => "[aé€😀\u{fffd}\u{feff}]{1,5}", 2 => "[\u{0}-\u{1f}\"\\\\/\u{7f}]{1,4}", 1 => any::<String>()]
}

/// A JSON number in each of its forms.
fn digits() -> impl Strategy<Value = String> {
    prop_oneof![
        any::<u64>().prop_map(|n| n.to_string()),
        (0..=1u64 << 33).prop_map(|n| n.to_string()),
        "-?(0|[1-9][0-9]{0,40})(\\.[0-9]{1,20})?([eE][+-]?[0-9]{1,4})?",
    ]
}

/// A leaf that JSON can express.
fn plain_leaf() -> BoxedStrategy<Tape> {
    prop_oneof![
        Just(Data::Null.to_tape()),
        any::<bool>().prop_map(|is| is.to_tape()),
        digits().prop_map(|digits| Data::Number(&digits).to_tape()),
        text().prop_map(|text| text.to_tape()),
    ]
    .boxed()
}

/// A leaf that JS may pass.
fn any_leaf() -> BoxedStrategy<Tape> {
    let double = prop_oneof![prop::num::f64::ANY.prop_map(js_number), (0..9u32).prop_map(|n| n.to_string())];
    prop_oneof![
        plain_leaf(),
        double.prop_map(|text| Data::Double(&text).to_tape()),
        any::<i128>().prop_map(|n| n.to_tape()),
        text().prop_map(|what| Data::Foreign(&what).to_tape()),
    ]
    .boxed()
}

/// A double as text: much like JS prints it, and with all the words that JS has for those without digits.
fn js_number(double: f64) -> String {
    if double.is_infinite() {
        format!("{}Infinity", if double < 0.0 { "-" } else { "" })
    } else {
        format!("{double:?}")
    }
}

/// Trees of these leaves, with unique names.
fn tree(leaf: BoxedStrategy<Tape>) -> impl Strategy<Value = Tape> {
    leaf.prop_recursive(8, 64, 8, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..8).prop_map(|items| items.to_tape()),
            prop::collection::btree_map(text(), inner, 0..8)
                .prop_map(|fields| Tape::object(&fields.into_iter().collect::<Vec<_>>())),
        ]
    })
}

/// The same tree with other leaves.
fn mapped(item: Item, leaf: &dyn Fn(Data) -> Tape) -> Tape {
    match item.data() {
        Data::Array(items) => items.map(|item| mapped(item, leaf)).collect::<Vec<_>>().to_tape(),
        Data::Object(fields) => {
            Tape::object(&fields.map(|(name, item)| (name, mapped(item, leaf))).collect::<Vec<_>>())
        }
        other => leaf(other),
    }
}

/// What JSON makes of a tree: of all that is a number its digits, of what it has no word for null.
fn in_json(tape: &Tape) -> Tape {
    mapped(tape.root(), &|leaf| match leaf {
        Data::Double("NaN" | "Infinity" | "-Infinity") | Data::Foreign(_) => Data::Null.to_tape(),
        Data::Double(digits) | Data::BigInt(digits) => Data::Number(digits).to_tape(),
        other => other.to_tape(),
    })
}

/// The same tree with each number that JS may hand over as an integer as one.
fn with_integers(tape: &Tape) -> Tape {
    mapped(tape.root(), &|leaf| match leaf {
        Data::Number(digits) => {
            digits.parse().map_or(leaf.to_tape(), |integer| Data::Integer(integer).to_tape())
        }
        other => other.to_tape(),
    })
}

/// A string as JSON may spell it, and now and then as it may not.
fn spelled() -> impl Strategy<Value = String> {
    let good = r#"a b é 😀 \n \b \f \r \t \/ \\ \" \u0061 \u00E9 \ud83d\ude00 \uDBFF\uDFFF"#;
    let bad = "\\ud83d \\ude00 \\ud83d\\u0061 \\u00 \\u+061 \\x \u{1f} \n \u{0}";
    let of = |pieces: &'static str| prop::sample::select(pieces.split(' ').collect::<Vec<_>>());
    let piece = prop_oneof![60 => of(good), 1 => of(bad)];
    prop::collection::vec(piece, 0..4).prop_map(|pieces| format!("\"{}\"", pieces.concat()))
}

/// With white space around it, or without.
fn spaced(text: impl Strategy<Value = String>) -> impl Strategy<Value = String> {
    ("[ \t\r\n]?", text, "[ \t\r\n]?").prop_map(|(before, text, after)| before + &text + &after)
}

/// A text that mostly is JSON: names stand twice in an object, and each part may be spelled wrongly.
fn nearly_json() -> impl Strategy<Value = Vec<u8>> {
    let leaf = prop_oneof![
        4 => spelled(),
        4 => digits(),
        4 => prop::sample::select(vec!["null", "true", "false", "[]", "{}"]).prop_map(str::to_owned),
        1 => "-?[0-9]{0,2}(\\.[0-9]{0,2})?([eE][+-]?[0-9]{0,2})?",
    ];
    let text = leaf.prop_recursive(4, 12, 4, |inner| {
        let field = (spaced(spelled()), inner.clone()).prop_map(|(name, value)| name + ":" + &value);
        spaced(prop_oneof![
            prop::collection::vec(inner, 1..4).prop_map(|items| format!("[{}]", items.join(","))),
            prop::collection::vec(field, 1..4).prop_map(|fields| format!("{{{}}}", fields.join(","))),
        ])
    });
    let byte = prop_oneof![any::<u8>(), prop::sample::select(b"{}[],:\"\\0e.-+ ".to_vec())];
    (text, 0..8u8, any::<prop::sample::Index>(), byte).prop_map(|(text, change, at, byte)| {
        let mut text = text.into_bytes();
        let at = at.index(text.len() + 1);
        match change {
            0 => text.insert(at, byte),
            1 => text.truncate(at),
            2 if at < text.len() => text[at] = byte,
            _ => {}
        }
        text
    })
}

/// Parts of JSON in any order.
fn soup() -> impl Strategy<Value = Vec<u8>> {
    let parts =
        "{ } [ ] , : \" \\ \"a\" \"b\": null true fals 0 - e +5 \n é \u{feff} \u{1} [[[[[[[[[[[[[[[[[[";
    prop::collection::vec(prop::sample::select(parts.split(' ').collect::<Vec<_>>()), 0..30)
        .prop_map(|parts| parts.concat().into_bytes())
}

/// Brackets around nothing, about as many as may be.
fn nested() -> impl Strategy<Value = Vec<u8>> {
    (60..70usize, any::<bool>()).prop_map(|(levels, is_array)| {
        let (open, close) = if is_array { ("[", "]") } else { ("{\"a\":", "}") };
        [open.repeat(levels), "0".into(), close.repeat(levels)].concat().into_bytes()
    })
}

/// How many names a JSON text has, and how deep it nests.
fn names_and_depth(text: &[u8]) -> (usize, usize) {
    let (mut names, mut depth, mut deepest, mut quoted, mut escaped) = (0, 0usize, 0, false, false);
    for byte in text {
        match byte {
            _ if escaped => escaped = false,
            b'\\' => escaped = quoted,
            b'"' => quoted = !quoted,
            _ if quoted => {}
            b':' => names += 1,
            b'[' | b'{' => depth += 1,
            b']' | b'}' => depth = depth.saturating_sub(1),
            _ => {}
        }
        deepest = deepest.max(depth);
    }
    (names, deepest)
}

fn fields_of(value: &Value) -> usize {
    match value {
        Value::Array(items) => items.iter().map(fields_of).sum(),
        Value::Object(fields) => fields.len() + fields.values().map(fields_of).sum::<usize>(),
        _ => 0,
    }
}

/// Holds our reading of a text against that of serde_json, which takes a name twice, nests deeper, and skips no mark.
fn agrees(bytes: &[u8]) -> Result<(), TestCaseError> {
    let ours = json::parse(bytes);
    let marked = bytes.strip_prefix("\u{feff}".as_bytes());
    let Ok(theirs) = serde_json::from_slice::<Value>(marked.unwrap_or(bytes)) else {
        prop_assert!(ours.is_err(), "{:?}", ours);
        return Ok(());
    };
    let (names, depth) = names_and_depth(bytes);
    if depth > json::MAX_DEPTH || fields_of(&theirs) < names {
        let what = ours.map_err(|error| error.what);
        prop_assert!(matches!(what, Err("a duplicate field" | "more than 64 levels")), "{:?}", what);
        return Ok(());
    }
    let ours = ours.map(|tape| json::write(&tape));
    let again = ours.as_ref().map(|text| serde_json::from_str::<Value>(text).expect("JSON"));
    prop_assert_eq!(again, Ok(theirs), "{:?}", ours);
    Ok(())
}

/// Reads all that records and a text say, as JSON and as another tape.
fn read_and_write(records: Vec<TapeValue>, text: &str) {
    let tape = Tape::from_records(records, text.to_owned());
    json::write(&tape);
    tape.to_tape();
}

/// A record of which each number may be anything, small ones and kinds above all.
fn record() -> impl Strategy<Value = TapeValue> {
    let number = || prop_oneof![6 => 0..14u32, 1 => any::<u32>(), 1 => Just(u32::MAX)];
    [number(), number(), number(), number(), number()]
}

proptest! {
    #![proptest_config(seeded::cases(500))]

    #[test]
    fn what_is_written_as_json_is_read_as_the_same(tape in tree(plain_leaf())) {
        prop_assert_eq!(json::parse(json::write(&tape).as_bytes()), Ok(tape));
    }

    #[test]
    fn what_json_has_no_word_for_is_null_and_every_number_keeps_its_digits(tape in tree(any_leaf())) {
        prop_assert_eq!(json::parse(json::write(&tape).as_bytes()), Ok(in_json(&tape)));
    }

    #[test]
    fn what_crosses_is_read_as_the_same(tape in tree(any_leaf())) {
        let tape = with_integers(&tape);
        let read = Tape::from_records(tape.records().to_vec(), tape.text().to_owned());
        prop_assert_eq!(&read, &tape);
    }

    #[test]
    fn a_copy_is_equal_and_a_value_is_equal_to_no_other(one in tree(any_leaf()), other in tree(any_leaf())) {
        prop_assert_eq!(&one.to_tape(), &one);
        prop_assert_eq!(&mapped(one.root(), &|leaf| leaf.to_tape()), &one);
        prop_assert_eq!(one == other, format!("{one:?}") == format!("{other:?}"));
    }

    #[test]
    fn no_records_make_a_panic(records in prop::collection::vec(record(), 0..12), text in text()) {
        read_and_write(records, &text);
    }

    #[test]
    fn no_change_to_a_flat_value_makes_a_panic(
        tape in tree(any_leaf()),
        at in any::<prop::sample::Index>(),
        record in record(),
        cut in any::<prop::sample::Index>(),
    ) {
        // A value may then lie in many others, so few are tried at once.
        let mut records = tape.records().iter().copied().take(12).collect::<Vec<_>>();
        let place = at.index(records.len());
        records[place] = record;
        let shorter: String = tape.text().chars().take(cut.index(tape.text().len() + 1)).collect();
        for text in [tape.text(), &shorter] {
            read_and_write(records.clone(), text);
        }
    }
}

proptest! {
    #![proptest_config(seeded::cases(1_000))]

    #[test]
    fn json_is_what_serde_accepts_as_json(
        bytes in prop_oneof![
            16 => nearly_json(), 2 => soup(), 1 => nested(), 1 => prop::collection::vec(any::<u8>(), 0..40),
        ],
    ) {
        agrees(&bytes)?;
    }
}
