//! Recordings of others, by a mapping of their columns: whatever the shape, the trades are the ones that were written.

use crate::seeded;

use launchpad_desk::amount::decimal_text;
use launchpad_desk::error::FieldError;
use launchpad_desk::launchpad::quote::Side;
use launchpad_desk_sandbox::recording::{Columns, RecordedTrade, recording};
use proptest::prelude::*;

/// When, whether it buys, lamports, base units.
type Row = (u64, bool, u64, u64);

/// A date and a time of day, by the days of the Gregorian calendar in eras of 400 years.
fn iso(at_ms: u64, between: &str, zone: &str) -> String {
    let (days, ms) = ((at_ms / 86_400_000) as i64, at_ms % 86_400_000);
    let z = days + 719_468;
    let (era, doe) = (z / 146_097, z % 146_097);
    let yoe = (doe - doe / 1_460 + doe / 36_524 - doe / 146_096) / 365;
    let doy = doe - (365 * yoe + yoe / 4 - yoe / 100);
    let mp = (5 * doy + 2) / 153;
    let (day, month) = (doy - (153 * mp + 2) / 5 + 1, if mp < 10 { mp + 3 } else { mp - 9 });
    let year = yoe + era * 400 + i64::from(month <= 2);
    let (hour, minute, second) = (ms / 3_600_000, ms / 60_000 % 60, ms / 1_000 % 60);
    format!("{year:04}-{month:02}-{day:02}{between}{hour:02}:{minute:02}:{second:02}.{:03}{zone}", ms % 1_000)
}

/// A time as it is written, and its place in a mapping.
fn time(form: u8, at_ms: u64) -> (String, &'static str) {
    match form {
        0 => (at_ms.to_string(), r#""t""#),
        1 => (decimal_text(at_ms.into(), 3), r#"{"column":"t","unit":"s"}"#),
        2 => ((at_ms * 1_000 + 999).to_string(), r#"{"column":["nothing","t"],"unit":"us"}"#),
        3 => (iso(at_ms, "T", "Z"), r#""t""#),
        4 => (iso(at_ms, " ", " UTC"), r#""t""#),
        5 => (iso(at_ms, " ", ""), r#""t""#),
        6 => (iso(at_ms + 19_800_000, "T", "+05:30"), r#""t""#),
        _ => (iso(at_ms - 25_200_000, " ", "-07"), r#""t""#),
    }
}

/// The words of a side, and its place in a mapping.
fn side(form: u8, is_buy: bool) -> (&'static str, &'static str) {
    match (form, is_buy) {
        (0, true) => ("Buy", r#""way""#),
        (0, false) => ("SELL", r#""way""#),
        (_, true) => ("in", r#"{"buy":{"way":["in","create"]},"sell":{"way":"out"},"skip":{"way":"note"}}"#),
        (_, false) => {
            ("out", r#"{"buy":{"way":["in","create"]},"sell":{"way":"out"},"skip":{"way":"note"}}"#)
        }
    }
}

/// A recording with characters of several bytes, a part of which is other text or none.
fn broken() -> impl Strategy<Value = String> {
    let csv = "atMs,mint,side,tokens,näme\n7,M,buy,5,\"日本, é\"\n8,M,sell,5,🐇";
    let json = r#"[{"atMs":7,"mint":"M","side":"buy","tokens":5,"näme":"日本 é🐇"}]"#;
    let place = any::<prop::sample::Index>;
    (prop::sample::select(vec![csv, json]), place(), place(), "[\\PC\n,\"\\[\\]{}]{0,8}").prop_map(
        |(text, from, to, put)| {
            let mut chars: Vec<char> = text.chars().collect();
            let (from, to) = (from.index(chars.len() + 1), to.index(chars.len() + 1));
            chars.splice(from.min(to)..from.max(to), put.chars());
            chars.into_iter().collect()
        },
    )
}

proptest! {
    #![proptest_config(seeded::cases(500))]

    #[test]
    fn whatever_its_shape_the_trades_are_those_that_were_written(
        mut rows in proptest::collection::vec((1_600_000_000_000..2_100_000_000_000u64, any::<bool>(), 1..1_000_000_000_000u64, 1..1_000_000_000_000_000u64), 1..12),
        times in 0..8u8,
        words in 0..2u8,
        (sol, whole, is_signed, newest_first) in (any::<bool>(), any::<bool>(), any::<bool>(), any::<bool>()),
        shape in 0..5u8,
    ) {
        rows.sort_unstable();
        rows.dedup_by_key(|row: &mut Row| row.0);
        let sign = |is_minus: bool| if is_signed && is_minus { "-" } else { "" };
        let mut written: Vec<[String; 5]> = rows.iter().map(|(at_ms, is_buy, lamports, tokens)| {
            [
                time(times, *at_ms).0,
                side(words, *is_buy).0.to_owned(),
                sign(*is_buy).to_owned() + &if sol { decimal_text((*lamports).into(), 9) } else { lamports.to_string() },
                sign(!is_buy).to_owned() + &if whole { decimal_text((*tokens).into(), 6) } else { tokens.to_string() },
                "M".to_owned(),
            ]
        }).collect();
        if words == 1 {
            written.insert(rows.len() / 2, ["".into(), "note".into(), "".into(), "".into(), "".into()]);
        }
        if newest_first {
            written.reverse();
        }
        let names = ["t", "way", "paid.sol", "got", "coin"];
        let object = |row: &[String; 5]| {
            let [t, way, paid, got, coin] = row;
            format!(r#"{{"t":"{t}","way":"{way}","paid":{{"sol":"{paid}"}},"got":"{got}","coin":"{coin}"}}"#)
        };
        let objects: Vec<String> = written.iter().map(object).collect();
        let text = match shape {
            0 => format!("[{}]", objects.join(",")),
            1 => objects.join("\n"),
            2 => format!("{{\"more\": 1,\n\"result\": {{\"rows\": [{}]}}}}", objects.join(",\n")),
            _ => {
                let separator = if shape == 3 { ";" } else { "\t" };
                let lines: Vec<String> = written.iter().map(|row| row.join(separator)).collect();
                format!("{}\n{}", names.join(separator), lines.join("\n"))
            }
        };
        let place = if shape == 2 { r#""rows":"result.rows","# } else { "" };
        let (t, way) = (time(times, 1_700_000_000_000).1, side(words, true).1);
        let (sol, whole) = (if sol { "sol" } else { "lamports" }, if whole { "tokens" } else { "baseUnits" });
        let mapping = format!(
            r#"{{{place}"atMs":{t},"mint":"coin","side":{way},"lamports":{{"column":"paid.sol","unit":"{sol}"}},"tokens":{{"column":"got","unit":"{whole}"}}}}"#
        );
        let trades: Vec<Row> = read(&mapping, &text)
            .map_err(|problems| TestCaseError::fail(format!("{problems:?} of {text} by {mapping}")))?
            .iter()
            .map(|one: &RecordedTrade| (one.at_ms.get(), one.side == Side::Buy, one.lamports.unwrap_or(0), one.tokens.unwrap_or(0)))
            .collect();
        prop_assert_eq!(trades, rows, "{} by {}", text, mapping);
    }

    /// Whatever a mapping and a text are, there is an answer.
    #[test]
    fn no_mapping_and_no_text_panics(
        mapping in r#"\{("(rows|atMs|mint|side|lamports|tokens|wallet|buy|column|unit)": ?("[a-z.0-9]{0,5}"|[0-9]|\[\]|\{"(column|buy|sell|unit|value)": ?("[a-z.]{0,3}"|\{"a":"b"\}|\["a"\])\}),?){0,4}\}"#,
        text in prop_oneof![broken(), r"\PC{0,200}", r#"[\[{]?(\{?"?[a-z.]{0,3}"?[:,;]"?([0-9eE.+-]{0,8}|20[0-9]{2}-[0-9]{2}-[0-9]{2}[T ][0-9:.]{0,12}[Z+-]?)"?\}?[,;\n]?){0,12}"#],
    ) {
        let columns: Columns = mapping.parse().unwrap_or_default();
        let _ = columns.recording(&text);
        if let Err(problems) = recording(&text) {
            prop_assert!((1..=101).contains(&problems.len()));
        }
    }
}

fn read(mapping: &str, text: &str) -> Result<Vec<RecordedTrade>, Vec<FieldError>> {
    mapping.parse::<Columns>()?.recording(text)
}

fn told(mapping: &str, text: &str) -> Vec<String> {
    let problems = read(mapping, text).expect_err("what is wrong");
    problems.into_iter().map(|problem| problem.message).collect()
}

#[test]
fn a_side_by_a_word_or_a_sign_a_list_of_columns_and_numbers_as_a_float_prints_them_are_read() {
    let by_word = (
        r#"{"atMs":{"column":"at","unit":"s"},"mint":"token","side":"is_buy","lamports":{"column":"sol","unit":"sol"},
            "tokens":{"column":"amount","unit":"tokens"}}"#,
        "at,token,is_buy,sol,amount\n1772366401.0,M,True,5e-1,17000000.250000004\n1772366403.0,M,False,0.48,1.700000025e7",
    );
    let by_sign = (
        r#"{"atMs":{"column":"at","unit":"us"},"mint":{"value":"M"},"side":{"buy":{"change":"+"},"sell":{"change":"-"}},
            "lamports":"sol","tokens":"change"}"#,
        "at\tchange\tsol\n1772366401000000\t17000000250000\t-500000000\n1772366403000000\t-17000000250000\t480000000",
    );
    let by_list = (
        r#"{"tokens":{"column":["tokenAmount","initialBuy"],"unit":"tokens"}}"#,
        "atMs,mint,side,lamports,tokenAmount,initialBuy\n1772366401000,M,buy,500000000,,17000000.25\n1772366403000,M,sell,480000000,17000000.25,1",
    );
    for (mapping, text) in [by_word, by_sign, by_list] {
        let trades = read(mapping, text).expect("trades");
        let is: Vec<Row> = trades
            .iter()
            .map(|one| (one.at_ms.get(), one.side == Side::Buy, one.lamports.unwrap(), one.tokens.unwrap()))
            .collect();
        let tokens = 17_000_000_250_000;
        let due =
            [(1_772_366_401_000, true, 500_000_000, tokens), (1_772_366_403_000, false, 480_000_000, tokens)];
        assert_eq!(is, due, "{mapping}");
    }
}

#[test]
fn what_a_mapping_or_a_row_has_wrong_is_named() {
    let mapping = r#"{"atMs":"t","lamports":{"column":"sol","unit":"sol"},"tokens":"tokens"}"#;
    let no_time = "trades[0].t is no time such as 1772366401000 or 2026-03-01T12:00:01Z";
    let no_number = "trades[0].sol is not a number with the digits 0-9 and a dot";
    let columns =
        "no row has the column time, which columns.atMs names; the recording has t, mint, side, sol, tokens";
    let side = "trades[0].side is swap: say in columns.side which words are buy, sell and skip";
    for (from, to, why) in [
        ("\"t\"", "\"time\"", columns),
        ("\"t\"", r#"{"column":"t","unit":"minutes"}"#, "atMs.unit must be one of ms, s, us, ns"),
        (
            "\"tokens\"}",
            r#"{"column":"tokens","unit":"sol"}}"#,
            "tokens.unit must be one of baseUnits, tokens",
        ),
        ("buy", "swap", side),
        ("1772366401000", "yesterday", no_time),
        ("1772366401000", "2026-13-01T00:00:00Z", no_time),
        ("0.5", "0.0000000004", "trades[0].sol is finer than a lamport"),
        ("0.5", "\"1,000\"", no_number),
        (",5", ",5.5", "trades[0].tokens is finer than a base unit"),
    ] {
        let text = ["t,mint,side,sol,tokens\n", &"1772366401000,M,buy,0.5,5".replace(from, to)].concat();
        assert_eq!(told(&mapping.replace(from, to), &text)[0], why);
    }
}

#[test]
fn a_unit_that_the_times_do_not_have_is_refused_at_the_first_trade() {
    let text = |time: &str| format!("time,mint,side,lamports\n{time},M,buy,5");
    for (unit, time, is) in [
        ("ms", "1772366401", "s"),
        ("us", "1772366401000", "ms"),
        ("us", "1772366401", "s"),
        ("ns", "1772366401000", "ms"),
        ("ns", "1772366401000000", "us"),
    ] {
        let mapping = format!(r#"{{"atMs":{{"column":"time","unit":"{unit}"}}}}"#);
        let why = format!(
            "trades[0].time is {time}, which is in {is} since 1970, and columns.atMs has the unit {unit}"
        );
        assert_eq!(told(&mapping, &text(time)), [why]);
    }
    // The first trade, which need not be the first row.
    let words = r#"{"side":{"buy":{"way":"buy"},"sell":{"way":"sell"},"skip":{"way":"migrate"}}}"#;
    let why = "trades[1].atMs is 1772366401, which is in seconds since 1970: times of a recording are in milliseconds, or name their \
               unit: columns: {\"atMs\":{\"column\":\"atMs\",\"unit\":\"s\"}}";
    assert_eq!(told(words, "atMs,mint,way,tokens\n1772366401,M,migrate,\n1772366401,M,buy,5"), [why]);
    let newest_first = "atMs,mint,way,tokens\n1772366401000,M,buy,5\n1772366401,M,buy,5";
    assert_eq!(told(words, newest_first).len(), 1);
}

#[test]
fn trades_of_one_time_stay_as_they_are() {
    let text = "atMs,mint,side,tokens\n7,M,buy,5\n7,M,buy,6\n7,M,sell,5";
    let trades = Columns::default().recording(text).unwrap();
    assert_eq!(trades.iter().map(|trade| trade.tokens.unwrap()).collect::<Vec<_>>(), [5, 6, 5]);
}

#[test]
fn what_is_wrong_with_a_column_is_told_once() {
    let rows = "1,M,buy,\"0,5\"\n".repeat(5_000);
    let mapping = r#"{"lamports":{"column":"sol","unit":"sol"}}"#;
    let why = "trades[0].sol is not a number with the digits 0-9 and a dot, and so in 4999 more rows";
    assert_eq!(told(mapping, &format!("atMs,mint,side,sol\n{rows}")), [why]);
    let skips = r#"{"side":{"buy":{"side":"in"},"sell":{"side":"out"},"skip":{"side":"buy"}}}"#;
    let all = "no row is a trade: by columns.side all of them are skipped";
    assert_eq!(told(skips, "atMs,mint,side,lamports\n1,M,buy,5"), [all]);
    let hidden = "trades[0].mint has an invisible character or a mark of direction in it";
    assert_eq!(told("{}", "atMs,mint,side,lamports\n1,M\u{200b},buy,5"), [hidden]);
}

/// What the mapping that a refusal tells makes of the text.
fn followed(text: &str) -> (String, Vec<RecordedTrade>) {
    let problems = recording(text).expect_err("foreign names or units");
    assert_eq!(problems.len(), 1, "{problems:?}");
    let (_, mapping) = problems[0].message.split_once("columns: ").unwrap_or_else(|| panic!("{problems:?}"));
    let trades = read(mapping, text);
    (mapping.to_owned(), trades.unwrap_or_else(|problems| panic!("{problems:?} by {mapping}")))
}

#[test]
fn the_mapping_that_is_told_has_each_amount_in_its_place() {
    const M: &str = "9BB6NFEcjBCtnNLFko2FqVQBq8HHM13kCyYcdQbgpump";
    const SOL: &str = "So11111111111111111111111111111111111111112";
    let by_tokens = format!(
        r#"{{"data":{{"Solana":{{"DEXTradeByTokens":[{{"Block":{{"Time":"2026-03-01T12:00:01Z"}},"Trade":{{"Currency":{{"MintAddress":"{M}"}},
            "Side":{{"Type":"buy","Amount":"0.5","Currency":{{"MintAddress":"{SOL}"}}}},"Amount":"17000000.25","Account":{{"Owner":"W"}}}}}}]}}}}}}"#
    );
    let base_and_quote = format!(
        r#"{{"data":{{"items":[{{"quote":{{"address":"{SOL}","amount":500000000}},"base":{{"address":"{M}","amount":17000000250000}},
            "blockUnixTime":1772366401,"side":"buy","owner":"W"}}]}}}}"#
    );
    let of_a_set = format!(
        "block_time,slot,signing_wallet,direction,base_coin,base_coin_amount,quote_coin_amount,fee\n\
         2026-03-01 12:00:01,3,W,buy,{M},17000000250000,500000000,4\n"
    );
    let from_and_to = format!(
        "BLOCK_TIMESTAMP,SWAPPER,SWAP_FROM_MINT,SWAP_FROM_AMOUNT,SWAP_TO_MINT,SWAP_TO_AMOUNT\n\
         2026-03-01T12:00:01.000Z,W,{SOL},0.5,{M},17000000.25\n"
    );
    let with_a_greeting = format!(
        "{{\"receivedAt\":1772366400000,\"message\":\"Successfully subscribed to keys.\"}}\n\
         {{\"receivedAt\":1772366401000,\"mint\":\"{M}\",\"traderPublicKey\":\"W\",\"txType\":\"buy\",\"tokenAmount\":17000000.25,\"solAmount\":0.5}}\n"
    );
    let parsed = format!(
        r#"[{{"timestamp":1772366401,"feePayer":"W","tokenTransfers":[{{"mint":"{M}","tokenAmount":17000000.25}}],"events":{{"swap":{{
            "nativeInput":{{"amount":"500000000"}},"nativeOutput":null,"tokenInputs":[],
            "tokenOutputs":[{{"mint":"{M}","rawTokenAmount":{{"tokenAmount":"17000000250000","decimals":6}}}}]}}}}}}]"#
    );
    for text in [by_tokens, base_and_quote, of_a_set, from_and_to, with_a_greeting, parsed] {
        let (mapping, trades) = followed(&text);
        let is: Vec<_> = trades
            .iter()
            .map(|one| {
                (
                    one.at_ms.get(),
                    one.mint.as_str(),
                    one.side,
                    one.lamports,
                    one.tokens,
                    one.wallet.as_deref(),
                )
            })
            .collect();
        let due = (1_772_366_401_000, M, Side::Buy, Some(500_000_000), Some(17_000_000_250_000), Some("W"));
        assert_eq!(is, [due], "{text} by {mapping}");
    }
}

#[test]
fn a_column_that_is_not_asked_for_may_be_there_twice() {
    let mapping = r#"{"atMs":"t","side":{"buy":{"way":"in"},"sell":{"way":"out"}}}"#;
    let read =
        |names: &str| read(mapping, &format!("{names}\n7,M,in,5,9,x,x\n")).map(|trades| trades[0].lamports);
    assert_eq!(read("t,mint,way,lamports,tokens,,"), Ok(Some(5)), "a spreadsheet's empty columns");
    assert_eq!(read("t,mint,way,lamports,tokens,note,note"), Ok(Some(5)));
    for (names, twice) in [("t,mint,way,lamports,tokens,t,", "t"), ("t,mint,way,lamports,tokens,way,", "way")]
    {
        assert_eq!(
            read(names).unwrap_err()[0].message,
            format!("the recording has the column {twice} twice")
        );
    }
}

#[test]
fn a_quoted_cell_may_have_line_breaks() {
    let text =
        "atMs,mint,side,tokens,name\r\n7,M,buy,5,\"Two\r\n\r\n\"\"lines\"\"\"\r\n8,M,sell,5,\"One\"\r\n";
    let times =
        |text: &str| recording(text).unwrap().iter().map(|trade| trade.at_ms.get()).collect::<Vec<_>>();
    assert_eq!(times(text), [7, 8]);
    assert_eq!(times(&text.replace("\r\n", "\r")), [7, 8]);
    let message = |text: &str| recording(text).unwrap_err()[0].message.clone();
    // A line after it has its own number.
    assert_eq!(message(&[text, "9,M,buy,5,\"\n"].concat()), "the recording has an unclosed quote, in line 6");
    let swallowed = text.replacen("lines\"\"\"", "lines", 1);
    assert_eq!(message(&swallowed), "the recording has text after its closing quote, in line 2");
}

#[test]
fn an_empty_word_in_a_column_that_no_row_has_skips_no_trade_in_silence() {
    let columns = r#"{"side":{"buy":{"way":"in"},"sell":{"way":"out"},"skip":{"wya":""}}}"#;
    let why = "trades[0].side is two of buy, sell and skip";
    assert_eq!(
        told(columns, r#"[{"atMs":1,"mint":"M","way":"in","tokens":5},{"atMs":2,"mint":"M"}]"#),
        [why]
    );
}

#[test]
fn a_word_for_a_number_is_no_other_word() {
    let mapping = r#"{"side":{"buy":{"way":"0"},"sell":{"way":"1"}}}"#;
    let row = |way: &str| format!("atMs,mint,way,tokens\n7,M,{way},5");
    let why = "trades[0].side is migrate: say in columns.side which words are buy, sell and skip";
    assert_eq!(told(mapping, &row("migrate")), [why]);
    assert_eq!(read(mapping, &row("0.0")).unwrap()[0].side, Side::Buy);
    let signs = r#"{"side":{"buy":{"way":"+"},"sell":{"way":"-"}}}"#;
    let why = "trades[0].side is -none: say in columns.side which words are buy, sell and skip";
    assert_eq!(told(signs, &row("-none")), [why]);
}

#[test]
fn a_time_with_a_fraction_is_in_a_unit_that_is_named() {
    let read = |mapping: &str, time: &str| {
        let trades = read(mapping, &format!("t,mint,side,tokens\n{time},M,buy,5"));
        trades.map(|trades| trades[0].at_ms.get()).map_err(|problems| problems[0].message.clone())
    };
    // Seconds since a launch, and the days of a spreadsheet.
    for time in ["0.4", "46082.50001"] {
        let why = format!(
            "trades[0].t is {time}, which is no whole number of milliseconds: name its unit in columns.atMs"
        );
        assert_eq!(read(r#"{"atMs":"t"}"#, time), Err(why));
    }
    assert_eq!(read(r#"{"atMs":{"column":"t","unit":"s"}}"#, "0.4"), Ok(400));
    assert_eq!(read(r#"{"atMs":{"column":"t","unit":"ms"}}"#, "0.4"), Ok(0));
    assert_eq!(read(r#"{"atMs":"t"}"#, "1772366401123.9"), Ok(1_772_366_401_123));
}

#[test]
fn a_recording_with_its_own_names_and_the_units_of_others_is_answered_with_a_mapping() {
    let refused = |text: &str| {
        let (_, trades) = followed(text);
        (trades[0].at_ms.get(), trades[0].side, trades[0].lamports, trades[0].tokens)
    };
    let is = (1_772_366_401_000, Side::Buy, Some(500_000_000), Some(17_000_000_250_000));
    let header = "atMs,mint,side,lamports,tokens\n";
    assert_eq!(refused(&[header, "1772366401000,M,buy,0.5,17000000.25"].concat()), is);
    assert_eq!(refused(&[header, "2026-03-01T12:00:01Z,M,buy,500000000,17000000250000"].concat()), is);
    assert_eq!(refused(&[header, "1772366401000,M,BUY,500000000,17000000250000"].concat()), is);
    // A column that says nothing of sides is not taken for one, and all its rows for no trades.
    let message = |text: &str| recording(text).unwrap_err()[0].message.clone();
    let kind = message(r#"[{"block_time":1772366401,"type":"trade","kind":"buy","mint":"M","sol":0.5}]"#);
    assert!(kind.contains(r#""side":"kind""#), "{kind}");
    let none = message(r#"[{"block_time":1772366401,"type":"trade","mint":"M","sol":0.5}]"#);
    assert!(!none.contains(r#""side":"#), "{none}");
    let page = message("<!doctype html><title>404</title>");
    assert_eq!(page, "the recording has no trades, only the columns <!doctype html><title>404</title>");
}
