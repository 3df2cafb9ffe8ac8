//! What people type and paste is read to the last digit, or refused: checked with num-bigint, on random texts.

use crate::seeded;

use launchpad_desk::error::FieldCode;
use launchpad_desk::typed::{
    Due, Problem, Typed, read_amount, read_multiple, read_percentage, read_slippage, read_table, shown_text,
    typed_text,
};
use num_bigint::BigUint;
use proptest::prelude::*;

/// The units that a plain decimal with any mark is, if it is a whole number of them.
fn units(text: &str, decimals: u8) -> Option<BigUint> {
    let (whole, fraction) = text.split_once(['.', ',']).unwrap_or((text, ""));
    let fraction = fraction.trim_end_matches('0');
    let padding = usize::from(decimals).checked_sub(fraction.len())?;
    [if whole.is_empty() { "0" } else { whole }, fraction, &"0".repeat(padding)].concat().parse().ok()
}

/// Every possible meaning of the mark in a plain number, in any country.
fn meanings(text: &str) -> usize {
    match text.split_once(['.', ',']) {
        Some((whole, fraction))
            if fraction.len() == 3 && (1..=3).contains(&whole.len()) && !whole.starts_with('0') =>
        {
            2
        }
        _ => 1,
    }
}

/// A text in every way in which CSV may write it.
fn quoted(text: &str, quotes: bool) -> String {
    if quotes { format!("\"{}\"", text.replace('"', "\"\"")) } else { text.to_owned() }
}

/// Texts with characters that nobody sees.
const PERHAPS_HIDDEN: &str =
    "(\\PC|[\u{200b}-\u{200f}\u{202a}-\u{202e}\u{2060}-\u{206f}\n\t\u{1b}\u{fe0f}]){0,80}";

proptest! {
    #![proptest_config(seeded::cases(1_000))]

    #[test]
    fn a_plain_number_is_exact_or_refused(text in "[0-9]{0,12}([.,][0-9]{0,11})?", decimals in 0..10u8) {
        let exact = units(&text, decimals);
        match read_amount(&text, decimals) {
            Typed::Read(number) => {
                prop_assert_eq!(number.to_units(decimals).ok().map(BigUint::from), exact);
                prop_assert_eq!(meanings(&text), 1);
                prop_assert!(!number.is_zero());
            }
            Typed::Incomplete(Problem { code: FieldCode::Required, .. }) => prop_assert_eq!(text, ""),
            Typed::Incomplete(Problem { code: FieldCode::NotPositive, .. }) => prop_assert_eq!(exact, Some(BigUint::ZERO)),
            Typed::Incomplete(problem) => prop_assert!(text.ends_with(['.', ',']), "{}: {}", text, problem.message),
            Typed::Wrong(Problem { code: FieldCode::Ambiguous, .. }) => prop_assert_eq!(meanings(&text), 2),
            Typed::Wrong(Problem { code: FieldCode::NotAnInteger, .. }) => prop_assert_eq!(exact, None),
            Typed::Wrong(Problem { code: FieldCode::OutOfRange, .. }) => prop_assert!(exact.unwrap() > BigUint::from(u64::MAX)),
            Typed::Wrong(problem) => prop_assert!(false, "{}: {}", text, problem.message),
        }
    }

    /// Typing a correct amount shows no error on the way, except where a mark may still be that of a group.
    #[test]
    fn nothing_is_wrong_on_the_way_to_an_amount(text in "(0|[1-9][0-9]{0,7})([.,][0-9]{1,9})?") {
        prop_assume!(!matches!(read_amount(&text, 9), Typed::Wrong(_)));
        for end in 0..text.len() {
            let before = &text[..end];
            let wrong = matches!(read_amount(before, 9), Typed::Wrong(_));
            prop_assert_eq!(wrong, meanings(before) == 2, "{} of {}", before, text);
        }
    }

    #[test]
    fn what_a_program_fills_in_is_read_back(units in 1..u64::MAX, decimals in 0..10u8, shift in 0..60u32) {
        let units = (units >> shift).max(1);
        let text = typed_text(&launchpad_desk::amount::decimal_text(units.into(), decimals));
        let read = read_amount(&text, decimals);
        prop_assert!(matches!(&read, Typed::Read(number) if number.to_units(decimals) == Ok(units)), "{}: {:?}", text, read);
    }

    /// Ten million times a multiple less one is its change in percent, in units of seven decimals.
    #[test]
    fn a_multiple_is_its_change_in_percent(billionths in 1..1_000_000_000_000_000u64) {
        let text = |units: u64, decimals| typed_text(&launchpad_desk::amount::decimal_text(units.into(), decimals));
        let one = 1_000_000_000;
        let change = if billionths < one { ["−", &text(one - billionths, 7)].concat() } else { ["+", &text(billionths - one, 7)].concat() };
        for text in [text(billionths, 9) + "x", change + " %"] {
            let read = read_multiple(&text);
            prop_assert!(matches!(&read, Typed::Read(multiple) if multiple.to_units(9) == Ok(billionths)), "{}: {:?}", text, read);
        }
    }

    #[test]
    fn what_is_shown_hides_nothing(text in PERHAPS_HIDDEN) {
        let shown = shown_text(&text, 64);
        prop_assert!(shown.chars().count() <= 65);
        for c in shown.chars() {
            let hides = matches!(c, '\u{200b}'..='\u{200c}' | '\u{200e}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}');
            prop_assert!(!c.is_control() && !hides);
        }
    }

    #[test]
    fn no_text_panics_or_gains_a_digit(text in "\\PC{0,24}|[0-9.,'’ %−-]{0,16}") {
        let _ = (read_multiple(&text), typed_text(&text), shown_text(&text, 5));
        for typed in [read_amount(&text, 9), read_percentage(&text), read_slippage(&text)] {
            if let Typed::Read(number) = typed {
                let digits = |text: &str| text.trim_matches(|c: char| !c.is_ascii_digit() || c == '0').matches(|c: char| c.is_ascii_digit()).count();
                prop_assert!(digits(&number.text()) <= digits(&text), "{}", text);
                prop_assert!(text.trim().chars().filter(|c| matches!(c, '.' | ',')).count() <= 1);
            }
        }
    }

    #[test]
    fn no_row_of_a_table_is_dropped(text in "([a-c]{0,3}|[0-9]{0,4}|[,;\t\"'. %\r\n]){0,60}") {
        // The first line is no header.
        let text = format!("zoe\n{text}");
        let table = read_table(&text, Due::Sell { token_decimals: 6 }, &[]);
        // A row is a line that has more in it than separators and quotes.
        let end = if text.contains('\n') { '\n' } else { '\r' };
        for (number, line) in (1..).zip(text.split(end)) {
            let has_text = line.contains(|c: char| c.is_ascii_alphanumeric() || matches!(c, '%' | '\'' | '.'));
            let rows = table.rows.iter().filter(|row| row.line == number).count();
            prop_assert!(rows == 1 || !has_text, "line {} of {:?}", number, text);
        }
    }

    #[test]
    fn a_table_reads_as_it_was_written(
        rows in proptest::collection::vec(("[A-Za-z0-9]{1,8}", 1..u64::MAX, proptest::option::of(0..1_000_000u64), any::<bool>()), 1..9),
        separator in prop_oneof![Just("\t"), Just(";"), Just(","), Just(" ; "), Just("\t ")],
        end in prop_oneof![Just("\n"), Just("\r\n"), Just("\n\n")],
        comma in any::<bool>(),
    ) {
        let plain = |units: u64, decimals| launchpad_desk::amount::decimal_text(units.into(), decimals);
        let mut text = format!("Wallet{separator}Amount{separator}Slippage{end}");
        for (wallet, lamports, slippage, quotes) in &rows {
            // A comma between commas is what the other tests are about.
            let amount = typed_text(&plain(*lamports, 9));
            let amount = if comma && separator != "," { amount.replace('.', ",") } else { amount };
            let slippage = slippage.map_or(String::new(), |slippage| typed_text(&plain(slippage, 4)));
            text += &[quoted(wallet, *quotes), quoted(&amount, !quotes), slippage].join(separator);
            text += end;
        }
        let table = read_table(&text, Due::Buy, &[]);
        prop_assert_eq!(&table.problems, &vec![], "{}", text);
        prop_assert_eq!(table.rows.len(), rows.len());
        for (row, (wallet, lamports, slippage, _)) in table.rows.iter().zip(&rows) {
            prop_assert_eq!(&row.wallet, wallet);
            prop_assert_eq!(row.amount.clone(), Some(plain(*lamports, 9)));
            prop_assert_eq!(row.slippage.clone(), slippage.map(|slippage| plain(slippage, 4)));
        }
    }
}
