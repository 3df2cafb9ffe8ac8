//! The packed way of a request against the plain one: what it writes is what `encode` writes, and it writes nothing that
//! `validate` has anything to say about.
#![cfg(not(target_arch = "wasm32"))]

use launchpad_desk::amount::SlippageUnit;
use launchpad_desk::api::encode::encode;
use launchpad_desk::api::endpoint::{Field, Operation, Row};
use launchpad_desk::api::packed::{ABSENT, Packed, Verdict, judge, write_body, written_request};
use launchpad_desk::api::validate::{Identifiers, Rules, validate};
use launchpad_desk::json;
use launchpad_desk::value::Value;
use proptest::prelude::*;

/// A value on both ways.
#[derive(Clone, Debug)]
enum Given {
    Absent,
    Text(String),
    Number(f64),
}

impl Given {
    fn value(&self) -> Value {
        match self {
            Given::Absent => Value::Null,
            Given::Text(text) => Value::String(text.clone()),
            Given::Number(number) => Value::Double(printed(*number)),
        }
    }

    fn pack(&self, is_amount: bool, texts: &mut Vec<u8>, values: &mut Vec<f64>) {
        values.push(match self {
            Given::Absent => ABSENT,
            Given::Number(number) => *number,
            Given::Text(text) => {
                texts.extend_from_slice(text.as_bytes());
                text.len() as f64 * if is_amount { -1.0 } else { 1.0 }
            }
        });
    }
}

/// A number as JS prints it, near enough: Rust writes no exponents, so the range that has none in JS is left out alone.
fn printed(number: f64) -> String {
    let size = number.abs();
    if size >= 1e21 || (size > 0.0 && size < 1e-6) {
        format!("{number:e}")
    } else {
        format!("{number}").replace("-0", "0")
    }
}

fn number() -> impl Strategy<Value = f64> {
    let edges = [
        0.0,
        -0.0,
        -1.0,
        0.5,
        1.0,
        100.0,
        100.000001,
        1e-6,
        1e-7,
        0.1 + 0.2,
        1e9 + 0.1,
        4294967295.0,
        4294967296.0,
        99999999.0,
        1e8,
        1e15,
        9007199254740991.0,
        9007199254740992.0,
        1e20,
        1e21,
        f64::INFINITY,
        f64::MIN_POSITIVE,
        123456789.123456,
    ];
    prop_oneof![
        3 => (0u64..1 << 53, 0u32..16).prop_map(|(whole, places)| (whole / 10u64.pow(places)) as f64),
        3 => (0u64..1_000_000_000_000, 0i32..9).prop_map(|(whole, places)| whole as f64 / 10f64.powi(places)),
        1 => (0u64..1 << 50).prop_map(|tenths| tenths as f64 / 10.0),
        1 => any::<f64>().prop_filter("NaN stands for none", |number| !number.is_nan()),
        2 => prop::sample::select(edges.to_vec()),
    ]
}

fn identifier() -> impl Strategy<Value = String> {
    prop_oneof![
        4 => "[2-9A-H][1-9A-HJ-NP-Za-km-z]{42,43}",
        2 => "[!-~]{1,20}",
        1 => "[ -~é]{0,3}",
        1 => "x{126,130}",
    ]
}

fn given(row: &Row) -> BoxedStrategy<Given> {
    let usual = match row.field {
        Field::Mint | Field::FromWallet | Field::FeePayer => identifier().prop_map(Given::Text).boxed(),
        Field::AmountInToken => prop_oneof![
            number().prop_map(Given::Number),
            "[0-9]{1,12}(\\.[0-9]{1,8})?".prop_map(Given::Text),
        ]
        .boxed(),
        Field::Percentage => prop_oneof![number(), (1u32..1001).prop_map(|p| f64::from(p) / 10.0)]
            .prop_map(Given::Number)
            .boxed(),
        _ => number().prop_map(Given::Number).boxed(),
    };
    prop_oneof![9 => usual, 1 => Just(Given::Absent)].boxed()
}

type Request = (Operation, Vec<Vec<Given>>, Vec<Given>, Rules);

fn request() -> impl Strategy<Value = Request> {
    let rules = (any::<bool>(), any::<bool>(), prop::option::of(1u32..3)).prop_map(
        |(base58, bps, max_bundle_size)| Rules {
            identifiers: if base58 { Identifiers::Base58 } else { Identifiers::Any },
            slippage_unit: if bps { SlippageUnit::Bps } else { SlippageUnit::Percent },
            max_bundle_size,
        },
    );
    (prop::sample::select(Operation::ALL.to_vec()), 0usize..4, rules).prop_flat_map(
        |(operation, elements, rules)| {
            let elements = if operation.is_bundle() { elements } else { 0 };
            let element: Vec<_> = operation.element_fields().map(given).collect();
            let body: Vec<_> = operation.body_fields().filter(|row| !is_list(row)).map(given).collect();
            (Just(operation), prop::collection::vec(element, elements..=elements), body, Just(rules))
        },
    )
}

fn is_list(row: &Row) -> bool {
    matches!(row.field, Field::Buys | Field::Sells)
}

fn object(rows: &[&Row], given: &[Given]) -> Value {
    Value::Object(rows.iter().zip(given).map(|(row, given)| (row.name.into(), given.value())).collect())
}

/// What becomes of a request.
struct Ways {
    /// What the packed way writes.
    fast: Option<String>,
    /// What is found of it as a single trade, and the body that JS puts together.
    verdict: Verdict,
    composed: String,
    /// What the plain way writes, where it has nothing to say.
    plain: Option<String>,
    is_refused: bool,
}

/// A body as JS puts it together.
fn compose(rows: &[&Row], given: &[Given]) -> String {
    let fields = rows.iter().zip(given).map(|(row, given)| {
        let value = match given {
            Given::Absent => "null".to_owned(),
            Given::Text(text) => format!("\"{text}\""),
            Given::Number(number) => printed(*number),
        };
        format!("\"{}\":{value}", row.name)
    });
    format!("{{{}}}", fields.collect::<Vec<_>>().join(","))
}

fn both_ways((operation, elements, body, rules): &Request) -> Ways {
    let element_rows: Vec<_> = operation.element_fields().collect();
    let body_rows: Vec<_> = operation.body_fields().filter(|row| !is_list(row)).collect();
    let (mut texts, mut values) = (Vec::new(), Vec::new());
    let rows =
        elements.iter().flat_map(|given| element_rows.iter().zip(given)).chain(body_rows.iter().zip(body));
    for (row, given) in rows {
        given.pack(row.field == Field::AmountInToken, &mut texts, &mut values);
    }
    let mut room = vec![0; 4096];
    let packed = Packed { operation: *operation, elements: elements.len(), texts: &texts, values: &values };
    let fast = write_body(packed, rules, &mut room)
        .map(|length| String::from_utf8(room[..length].to_vec()).unwrap());

    let mut request = object(&body_rows, body);
    if let (Value::Object(fields), true) = (&mut request, operation.is_bundle()) {
        let list = operation.body_fields().find(|row| is_list(row)).unwrap();
        fields.push((
            list.name.into(),
            Value::Array(elements.iter().map(|given| object(&element_rows, given)).collect()),
        ));
    }
    if let Some(body) = &fast {
        let read = validate(*operation, &json::parse(body.as_bytes()).unwrap(), rules);
        assert_eq!(written_request(packed), read.ok(), "{body}");
    }
    let verdict = judge(packed, rules);
    let composed = compose(&body_rows, body);
    let plain = validate(*operation, &request, rules);
    let is_refused = plain.is_err();
    let plain = plain.ok().filter(|valid| valid.warnings().is_empty());
    Ways {
        fast,
        verdict,
        composed,
        plain: plain.map(|valid| encode(&valid, rules.slippage_unit).body),
        is_refused,
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(5_000))]

    #[test]
    fn what_is_written_is_what_encode_writes(request in request()) {
        let Ways { fast, verdict, composed, plain, is_refused } = both_ways(&request);
        if !request.0.is_bundle() {
            prop_assert_eq!(verdict == Verdict::Good, fast.is_some());
        }
        match verdict {
            Verdict::Good => prop_assert_eq!(Some(composed), plain.clone()),
            Verdict::Bad => prop_assert!(is_refused),
            Verdict::Unsure => {}
        }
        if fast.is_some() {
            prop_assert_eq!(fast, plain);
        }
    }
}

#[test]
fn what_is_common_goes_the_fast_way() {
    let text = |text: &str| Given::Text(text.into());
    for number in [1.0, 5.0, 0.5, 12.5, 0.000001, 99.999999, 100.0] {
        let request = (
            Operation::SellByPercentage,
            vec![],
            vec![
                text("M"),
                text("W"),
                Given::Number(number),
                Given::Absent,
                Given::Number(number),
                Given::Absent,
                Given::Absent,
            ],
            Rules::default(),
        );
        let Ways { fast, plain, .. } = both_ways(&request);
        assert!(fast.is_some(), "{number}");
        assert_eq!(fast, plain);
    }
}

#[test]
fn an_address_that_is_none_is_bad() {
    let good =
        ["So11111111111111111111111111111111111111112", "JEKNVnkbo3jma5nREBBJCDoXFVeKkD56V3xKrvRmWxFG"];
    let verdict_on = |mint: &str, payer: &str| {
        let [mint, wallet, payer] = [mint, good[1], payer].map(|text| Given::Text(text.into()));
        let others = [Given::Number(5.0), Given::Absent, Given::Absent];
        let body = [vec![mint, wallet, Given::Number(12.5), payer], others.to_vec()].concat();
        let base58 = Rules { identifiers: Identifiers::Base58, ..Rules::default() };
        let ways = both_ways(&(Operation::SellByPercentage, vec![], body, base58));
        assert!(ways.is_refused == (ways.verdict != Verdict::Good));
        ways.verdict
    };
    assert_eq!(verdict_on(good[0], good[1]), Verdict::Good);
    assert_eq!(verdict_on(&good[0].replace('S', "0"), good[1]), Verdict::Bad);
    assert_eq!(verdict_on(&good[0][2..], good[1]), Verdict::Unsure, "leading ones take arithmetic");
    assert_eq!(verdict_on(good[0], &good[1][2..]), Verdict::Bad);
    assert_eq!(verdict_on(good[0], &"x".repeat(129)), Verdict::Unsure, "too long to look at");
}

#[test]
fn a_number_below_zero_is_no_texts_length() {
    let given = |size| {
        let texts = ["M", "W"].map(|text| Given::Text(text.into()));
        [&texts[..], &[Given::Number(size)], &[const { Given::Absent }; 4]].concat()
    };
    for size in [-1.0, -5.0, -12.0, -0.5] {
        for operation in [Operation::Buy, Operation::Sell, Operation::SellByPercentage] {
            let ways = both_ways(&(operation, vec![], given(size), Rules::default()));
            assert_eq!(ways.verdict, Verdict::Unsure, "{size}");
        }
    }
}

#[test]
fn what_does_not_fit_or_add_up_is_not_written() {
    let texts = b"MintWallet";
    let values = [4.0, 6.0, 1e9, ABSENT, 0.5, ABSENT, ABSENT];
    let write = |operation, elements, texts: &[u8], values: &[f64], room: usize| {
        write_body(Packed { operation, elements, texts, values }, &Rules::default(), &mut vec![0; room])
    };
    let whole = write(Operation::Buy, 0, texts, &values, 1024).unwrap();
    for room in 0..whole {
        assert_eq!(write(Operation::Buy, 0, texts, &values, room), None, "{room}");
    }
    assert_eq!(write(Operation::Buy, 1, texts, &values, 1024), None, "an element of a single trade");
    assert_eq!(write(Operation::BundleBuy, 0, texts, &values, 1024), None, "a bundle of none");
    assert_eq!(write(Operation::Buy, 0, &texts[..9], &values, 1024), None, "too little text");
    assert_eq!(write(Operation::Buy, 0, b"MintWalletx", &values, 1024), None, "text that belongs nowhere");
    assert_eq!(write(Operation::Buy, 0, texts, &values[..6], 1024), None, "too few values");
    assert_eq!(write(Operation::Buy, 0, texts, &[&values[..], &[1.0]].concat(), 1024), None, "too many");
    for length in [f64::INFINITY, f64::NEG_INFINITY, -4.0, 0.0, 0.5, 1e300] {
        let values = [&[length][..], &values[1..]].concat();
        assert_eq!(write(Operation::Buy, 0, texts, &values, 1024), None, "a text of {length}");
    }
    let read = |elements, texts, values| {
        written_request(Packed { operation: Operation::Buy, elements, texts, values })
    };
    assert!(read(0, texts, &values).is_some());
    assert_eq!(read(0, &texts[..9], &values), None, "too little text");
    assert_eq!(read(0, b"MintWalletx", &values), None, "text that belongs nowhere");
    assert_eq!(read(0, texts, &values[..2]), None, "too few values");
    assert_eq!(read(0, texts, &[&values[..], &[1.0]].concat()), None, "too many");
}
