//! Recordings of others, by a mapping of their columns: whatever the shape, the trades are the ones that were written.

use crate::seeded;

use launchpad_desk::amount::decimal_text;
use launchpad_desk::launchpad::quote::Side;
use launchpad_desk::recording::{Columns, RecordedTrade};
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
        let columns: Columns = mapping.parse().expect("a mapping");
        let trades = columns.recording(&text);
        let trades: Vec<Row> = trades
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
        text in r#"[\[{]?(\{?"?[a-z.]{0,3}"?[:,;]"?([0-9eE.+-]{0,8}|20[0-9]{2}-[0-9]{2}-[0-9]{2}[T ][0-9:.]{0,12}[Z+-]?)"?\}?[,;\n]?){0,12}"#,
    ) {
        let columns: Columns = mapping.parse().unwrap_or_default();
        let _ = columns.recording(&text);
        let _ = launchpad_desk::recording::recording(&text);
    }
}
