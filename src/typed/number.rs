//! One number in a field. It is read at each keystroke, so an unfinished number is not the same as a wrong one.
//!
//! A single dot or a single comma is a decimal mark. Which of them separates thousands depends on the country, and is never guessed: a
//! number with one mark, exactly three digits after it, and before it one to three that do not begin with 0, may be two numbers, such as
//! `1.000` or `33,333`. It is refused with how to type each. What a program fills into a field is written by [`typed_text`].

use crate::amount::{Decimal, DecimalError, Digits};
use crate::error::FieldCode;
use crate::hidden::is_hidden;

/// The most fraction digits of a share in percent: all of them are sent.
const PERCENTAGE_DECIMALS: u8 = 9;

/// The most fraction digits of a slippage in percent: quotes do not use anything finer than a hundredth of a basis point.
const SLIPPAGE_DECIMALS: u8 = 4;

/// The most fraction digits of a multiple: those of an exit plan.
const MULTIPLE_DECIMALS: u8 = 9;

/// What people and their programs write for minus.
const MINUS: [char; 9] = ['-', '−', '–', '—', '‐', '‑', '‒', '﹣', '－'];

/// What they write for percent.
pub(super) const PERCENT: [char; 3] = ['%', '％', '٪'];

/// What they write for times.
const TIMES: [char; 3] = ['x', 'X', '×'];

/// What the text in a field is so far.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Typed {
    /// A number, exact.
    Read(Decimal),
    /// Nothing yet, zero, or a number that is not finished, such as `0.`: no reason for an error message while the user types. Once
    /// they have finished, it is wrong for this reason.
    Incomplete(Problem),
    /// Text that is no number, or may be two.
    Wrong(Problem),
}

/// What is wrong with a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// The stable code.
    pub code: FieldCode,
    /// The end of a sentence after the name of the field: "has more than 9 decimals".
    pub message: String,
}

impl Problem {
    pub(super) fn new(code: FieldCode, message: impl Into<String>) -> Self {
        Problem { code, message: message.into() }
    }
}

/// Reads an amount above zero, in a unit with this many decimals: 9 for SOL, the token's own for tokens. The result is a whole
/// number of lamports or base units, of at most 64 bits.
///
/// ```
/// use launchpad_desk::typed::{Typed, read_amount};
/// assert!(matches!(read_amount("0,05", 9), Typed::Read(sol) if sol.to_units(9) == Ok(50_000_000)));
/// assert!(matches!(read_amount("0.", 9), Typed::Incomplete(why) if why.message == "ends with a decimal mark"));
/// assert!(matches!(read_amount("1.000", 9), Typed::Wrong(why) if why.message == "may be 1.000 or 1000: type 1.0 or 1000"));
/// ```
pub fn read_amount(text: &str, decimals: u8) -> Typed {
    above_zero(read(text, decimals, |number| match number.to_units(decimals) {
        Ok(_) => None,
        Err(_) => Some(too_large()),
    }))
}

/// Reads a share of a holding in percent: 0 < p ≤ 100. A percent sign beside it is allowed.
pub fn read_percentage(text: &str) -> Typed {
    above_zero(read(without_sign(text), PERCENTAGE_DECIMALS, over_100))
}

/// The most that a multiple may be, as in exit plans.
const MOST_MULTIPLE: u64 = 1_000_000;

/// Reads a multiple of what was paid: `2.5x`, or the change in percent with its sign, as `+150 %`, which is 2.5x, or `−30 %`, which is 0.7x.
///
/// ```
/// use launchpad_desk::typed::{Typed, read_multiple};
/// let read = |text: &str| if let Typed::Read(multiple) = read_multiple(text) { multiple.text() } else { "none".to_owned() };
/// assert_eq!(["2,5x", "+150 %", "−30 %", "150 %", "2"].map(read), ["2.5", "2.5", "0.7", "none", "none"]);
/// ```
pub fn read_multiple(text: &str) -> Typed {
    let text = text.trim();
    if let Some(number) = text.strip_suffix(TIMES).or(text.strip_prefix(TIMES)) {
        let is_over = |multiple| multiple > Decimal::from_units(MOST_MULTIPLE, 0);
        let over = || Problem::new(FieldCode::OutOfRange, "is over 1000000x");
        return above_zero(read(number, MULTIPLE_DECIMALS, |multiple| is_over(multiple).then(over)));
    }
    let Some(percent) = text.strip_suffix(PERCENT) else {
        let number = text.strip_prefix('+').or(text.strip_prefix(MINUS)).unwrap_or(text);
        return match read(number, MULTIPLE_DECIMALS, |_| None) {
            Typed::Read(_) => {
                let message = match number == text {
                    true => ["has no unit: type ", text, "x, +", text, " % or −", text, " %"].concat(),
                    false => ["has no unit: type ", text, " %"].concat(),
                };
                Typed::Incomplete(Problem::new(FieldCode::NotANumber, message))
            }
            typed => typed,
        };
    };
    let percent = percent.trim_end();
    let (number, is_less) = match (percent.strip_prefix('+'), percent.strip_prefix(MINUS)) {
        (Some(more), _) => (more, Some(false)),
        (_, Some(less)) => (less, Some(true)),
        _ => (percent, None),
    };
    let change = match read(number, MULTIPLE_DECIMALS - 2, |_| None) {
        Typed::Read(change) => change,
        typed => return typed,
    };
    // A percent has two digits more than the multiple that it is.
    let Ok(change) = change.to_units(MULTIPLE_DECIMALS - 2) else { return Typed::Wrong(too_large()) };
    let multiple = |billionths: u64| Decimal::from_units(billionths, MULTIPLE_DECIMALS);
    let one = 10u64.pow(MULTIPLE_DECIMALS.into());
    match is_less {
        Some(false) if change > (MOST_MULTIPLE - 1) * one => Typed::Wrong(too_large()),
        Some(false) => Typed::Read(multiple(one + change)),
        Some(true) if change >= one => {
            Typed::Wrong(Problem::new(FieldCode::OutOfRange, "must be above −100 %"))
        }
        Some(true) => Typed::Read(multiple(one - change)),
        None => {
            let message =
                ["may be ", &multiple(change).text(), "x or +", number.trim(), " %: type one of them"];
            Typed::Wrong(Problem::new(FieldCode::Ambiguous, message.concat()))
        }
    }
}

/// A number as a field can hold it: what is read back is this number, never an ambiguous one. Any other text stays as it is.
///
/// ```
/// use launchpad_desk::typed::typed_text;
/// assert_eq!(["33.333", "1.000", "0.125", "1.5"].map(typed_text), ["33.3330", "1.0", "0.125", "1.5"]);
/// ```
pub fn typed_text(number: &str) -> String {
    match number.split_once('.') {
        Some((whole, fraction))
            if reads_as_group(whole, fraction) && is_digits(whole) && is_digits(fraction) =>
        {
            unambiguous(whole, fraction)
        }
        _ => number.to_owned(),
    }
}

fn is_digits(text: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii_digit())
}

/// Reads a slippage in percent, from 0 to 100. A percent sign beside it is allowed.
///
/// The service has no upper bound, but anyone who types more has mistaken the unit.
pub fn read_slippage(text: &str) -> Typed {
    read(without_sign(text), SLIPPAGE_DECIMALS, over_100)
}

/// Zero is unfinished: it may become `0.05`.
fn above_zero(typed: Typed) -> Typed {
    match typed {
        Typed::Read(number) if number.is_zero() => {
            Typed::Incomplete(Problem::new(FieldCode::NotPositive, "must be above zero"))
        }
        typed => typed,
    }
}

fn without_sign(text: &str) -> &str {
    let text = text.trim();
    text.strip_suffix(PERCENT).or(text.strip_prefix(PERCENT)).unwrap_or(text)
}

fn over_100(percent: Decimal) -> Option<Problem> {
    (percent > Decimal::from_units(100, 0)).then(|| Problem::new(FieldCode::OutOfRange, "is over 100 %"))
}

fn too_large() -> Problem {
    Problem::new(FieldCode::OutOfRange, "is too large")
}

fn read(text: &str, decimals: u8, refuse: impl Fn(Decimal) -> Option<Problem>) -> Typed {
    let text = text.trim();
    let plain = match plain(text) {
        Ok(plain) => plain,
        Err(problem) => return Typed::Wrong(problem),
    };
    let unfinished = || Typed::Incomplete(Problem::new(FieldCode::NotANumber, "ends with a decimal mark"));
    let Some(plain) = plain else {
        return if text.is_empty() { Typed::Incomplete(missing()) } else { unfinished() };
    };
    match Decimal::from_plain(&plain) {
        Ok(number) if number.decimals() > decimals => {
            let most = match decimals {
                0 => "must be a whole number".to_owned(),
                _ => ["has more than ", &decimals.digits(), " decimals"].concat(),
            };
            Typed::Wrong(Problem::new(FieldCode::NotAnInteger, most))
        }
        Ok(number) => match refuse(number) {
            Some(problem) => Typed::Wrong(problem),
            // A decimal mark needs digits after it.
            None if text.ends_with(MARKS) => unfinished(),
            None => Typed::Read(number),
        },
        Err(DecimalError::TooLarge) => Typed::Wrong(too_large()),
        Err(_) => Typed::Wrong(not_a_number()),
    }
}

const MARKS: [char; 2] = ['.', ','];

/// What people group digits with, besides dots and commas.
fn is_group_mark(c: char) -> bool {
    c.is_whitespace() || matches!(c, '\'' | '’' | '_')
}

fn missing() -> Problem {
    Problem::new(FieldCode::Required, "is missing")
}

fn not_a_number() -> Problem {
    Problem::new(FieldCode::NotANumber, "is not a number")
}

/// Whether a character is a sign for a unit: of a currency, or of a share.
pub(super) fn is_unit_sign(c: char) -> bool {
    PERCENT.contains(&c) || matches!(c, '$' | '£' | '¥' | '¢' | '\u{20a0}'..='\u{20cf}' | '◎' | '‰')
}

/// Words that multiply the number before them: without its word it is another number.
const FACTORS: [&str; 18] = [
    "k", "kk", "tsd", "thousand", "m", "mm", "mn", "mio", "mln", "million", "millions", "b", "bn", "mrd",
    "billion", "t", "lakh", "crore",
];

/// A text before and from a position; without one, all of it is before. Rust's `split_at` can panic, and its
/// message brings a table of all printable characters into the modules.
fn halves(text: &str, at: Option<usize>) -> (&str, &str) {
    at.and_then(|at| text.split_at_checked(at)).unwrap_or((text, ""))
}

/// Why a text with something else than ASCII digits and marks is no number, and what to type in its place.
fn what_to_type(text: &str) -> Problem {
    let problem = |message: String| Problem::new(FieldCode::NotANumber, message);
    if text.contains(is_hidden) {
        return problem("has an invisible character in it: type it again".to_owned());
    }
    if let Some(number) =
        text.strip_prefix('+').filter(|number| number.starts_with(|c: char| c.is_ascii_digit()))
    {
        return match plain(number) {
            Ok(_) => problem(["has a sign in it: type ", number, " without +"].concat()),
            Err(found) => found,
        };
    }
    let is_of_number = |c: char| c.is_ascii_digit() || MARKS.contains(&c);
    let (before, rest) = halves(text, text.find(is_of_number));
    let (number, after) = halves(rest, rest.find(|c| !is_of_number(c)));
    let unit = [before, after].concat();
    let unit = unit.trim();
    let is_of_unit = |c: char| c.is_ascii_alphabetic() || matches!(c, ' ' | '.') || is_unit_sign(c);
    // A letter that looks like a digit is one that was mistyped.
    let is_digit = matches!(unit, "O" | "o" | "I" | "l");
    let is_beside = before.is_empty() != after.is_empty() && !is_digit && unit.chars().all(is_of_unit);
    if is_beside && number.contains(|c: char| c.is_ascii_digit()) {
        let word = after.trim().split([' ', '.']).next().unwrap_or_default().to_ascii_lowercase();
        if FACTORS.contains(&word.as_str()) {
            return problem(["has a multiplier in it, ", &word, ": type all digits of the number"].concat());
        }
        // The field's own unit is not known here, and 50 basis points are not 50 %.
        let number = number.trim_end_matches(MARKS);
        return match plain(number) {
            Ok(_) => problem(["has a unit in it: type ", number, " if this field is in ", unit].concat()),
            Err(found) => found,
        };
    }
    if !text.is_ascii() {
        return problem("has characters in it that are not 0-9: type 0-9 and a dot".to_owned());
    }
    match text.contains(|c: char| c.is_ascii_digit()) {
        true => problem("is not a number: type 0-9 and a dot".to_owned()),
        false => not_a_number(),
    }
}

/// The number with a dot, and a digit before the dot; `None` if no digit has been typed yet.
fn plain(text: &str) -> Result<Option<String>, Problem> {
    if text
        .strip_prefix(MINUS)
        .is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit() || MARKS.contains(&c)))
    {
        return Err(Problem::new(FieldCode::NotPositive, "is below zero"));
    }
    if text.chars().any(|c| !c.is_ascii_digit() && !MARKS.contains(&c) && !is_group_mark(c)) {
        return Err(what_to_type(text));
    }
    let mut parts = text.split(MARKS);
    let (whole, fraction, more) = (parts.next().unwrap_or_default(), parts.next(), parts.next());
    if text.contains(is_group_mark) || more.is_some() {
        let how = "has group marks: write it with one dot or comma, before the decimals";
        return Err(Problem::new(FieldCode::Ambiguous, how));
    }
    let fraction = match fraction {
        Some(fraction) if reads_as_group(whole, fraction) => {
            let (decimal, grouped) = (unambiguous(whole, fraction), [whole, fraction].concat());
            let message =
                ["may be ", whole, ".", fraction, " or ", &grouped, ": type ", &decimal, " or ", &grouped];
            return Err(Problem::new(FieldCode::Ambiguous, message.concat()));
        }
        fraction => fraction.unwrap_or_default(),
    };
    if whole.is_empty() && fraction.is_empty() {
        return Ok(None);
    }
    let (whole, fraction) =
        (if whole.is_empty() { "0" } else { whole }, if fraction.is_empty() { "0" } else { fraction });
    Ok(Some([whole, ".", fraction].concat()))
}

/// A number that reads as a group, written so that it does not: with more or fewer than three digits after its dot.
fn unambiguous(whole: &str, fraction: &str) -> String {
    let fraction = match fraction.trim_end_matches('0') {
        "" => "0",
        short if short.len() < fraction.len() => short,
        _ => &[fraction, "0"].concat(),
    };
    [whole, ".", fraction].concat()
}

/// Whether a mark between these may be a thousands separator. The first group never begins with zero.
pub(super) fn reads_as_group(whole: &str, fraction: &str) -> bool {
    fraction.len() == 3 && (1..=3).contains(&whole.len()) && !whole.starts_with('0')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(typed: Typed) -> String {
        match typed {
            Typed::Read(number) => number.text(),
            Typed::Incomplete(Problem { code, message }) => ["… ", code.as_str(), ": ", &message].concat(),
            Typed::Wrong(Problem { code, message }) => [code.as_str(), ": ", &message].concat(),
        }
    }

    #[test]
    fn a_dot_and_a_comma_are_decimal_marks() {
        for (text, number) in [
            ("1", "1"),
            ("0.05", "0.05"),
            ("0,05", "0.05"),
            (" 12.5 ", "12.5"),
            (".5", "0.5"),
            (",5", "0.5"),
            ("007", "7"),
            ("1.0000", "1"),
            ("1.2345", "1.2345"),
            ("1,2345", "1.2345"),
            ("0,125", "0.125"),
            ("0.125", "0.125"),
            ("1234,567", "1234.567"),
            ("1234.567", "1234.567"),
            ("1.000000000000", "1"),
            ("18446744073.709551615", "18446744073.709551615"),
            (",500", "0.5"),
            ("00,500", "0.5"),
        ] {
            assert_eq!(shown(read_amount(text, 9)), number, "{text}");
        }
    }

    #[test]
    fn what_is_not_finished_is_not_wrong() {
        let (missing, zero, mark) = (
            "… required: is missing",
            "… not_positive: must be above zero",
            "… not_a_number: ends with a decimal mark",
        );
        for (texts, why) in [
            (&["", " "][..], missing),
            (&["0", "00", "0.0", "0,000", "0.000000000"], zero),
            (&[".", ",", "0.", "0,", "5.", "5, "], mark),
        ] {
            for text in texts {
                assert_eq!(shown(read_amount(text, 9)), why, "{text}");
            }
        }
        assert_eq!(shown(read_percentage("0.")), mark);
        assert_eq!(shown(read_percentage("5. %")), mark);
        assert_eq!(shown(read_percentage("%")), missing);
        assert_eq!(shown(read_percentage("0 %")), zero);
        assert_eq!(shown(read_slippage("")), missing);
        assert_eq!(shown(read_slippage("0,")), mark);
    }

    #[test]
    fn no_group_mark_is_guessed() {
        let or = |one: &str, typed: &str, other: &str| {
            format!("ambiguous: may be {one} or {other}: type {typed} or {other}")
        };
        for mark in [".", ","] {
            let shown = |text: &str, decimals| shown(read_amount(&text.replace('.', mark), decimals));
            assert_eq!(shown("1.000", 9), or("1.000", "1.0", "1000"));
            assert_eq!(shown("12.345", 0), or("12.345", "12.3450", "12345"));
            assert_eq!(shown("250.500", 9), or("250.500", "250.5", "250500"));
            assert_eq!(shown("999.999", 9), or("999.999", "999.9990", "999999"));
        }
        for text in ["33.333", "33,333", "33.333 %", "33,333%"] {
            let either = or("33.333", "33.3330", "33333");
            assert_eq!(
                (shown(read_percentage(text)), shown(read_slippage(text))),
                (either.clone(), either),
                "{text}"
            );
        }
        let marks = "ambiguous: has group marks: write it with one dot or comma, before the decimals";
        let grouped =
            "1.000,5|1,000.5|1.000.000|1,000,000|1 000|1\u{a0}000|1\u{202f}000,5|1'000|1’000.5|1_000|..|1.,";
        for text in grouped.split('|') {
            assert_eq!(shown(read_amount(text, 9)), marks, "{text}");
        }
    }

    #[test]
    fn an_invalid_amount_is_refused() {
        for text in ["abc", "+", "-", "--", "NaN", "%", "max", ".SOL"] {
            assert_eq!(shown(read_amount(text, 9)), "not_a_number: is not a number", "{text}");
        }
        let type_instead = |texts: &[&str], why: &str| {
            for text in texts {
                assert_eq!(shown(read_amount(text, 9)), ["not_a_number: ", why].concat(), "{text}");
            }
        };
        let foreign: Vec<&str> =
            "٠٫٥ ۰٫۵ ٣ １ ０．５ 1２ ०.५ ½ 1½ 1² 1٬000 ௫ 五 𝟏 1·5 1´000 1‘000 ≈5 −".split(' ').collect();
        type_instead(&foreign, "has characters in it that are not 0-9: type 0-9 and a dot");
        type_instead(
            &["1e9", "0x10", "--1", "1-", "1/2", "(5)", "~5", "1\0", "1 000 SOL", "l.5", "O.5", "1O", "2I"],
            "is not a number: type 0-9 and a dot",
        );
        type_instead(&["+5"], "has a sign in it: type 5 without +");
        // What a unit means in a field of another one is not said: 50 basis points typed as 50 would be 50 %.
        for (text, number, unit) in [
            ("0.5 SOL", "0.5", "SOL"),
            ("0.5SOL", "0.5", "SOL"),
            ("+0.5 SOL", "0.5", "SOL"),
            ("SOL 0.5", "0.5", "SOL"),
            ("◎0.5", "0.5", "◎"),
            ("$5", "5", "$"),
            ("5 €", "5", "€"),
            ("1.SOL", "1", "SOL"),
            ("2,5x", "2,5", "x"),
            ("25 %", "25", "%"),
            ("25%", "25", "%"),
            ("5%%", "5", "%%"),
            ("50 bps", "50", "bps"),
            ("500000000 lamports", "500000000", "lamports"),
        ] {
            type_instead(
                &[text],
                &["has a unit in it: type ", number, " if this field is in ", unit].concat(),
            );
        }
        for (text, factor) in
            [("1.5k", "k"), ("2K", "k"), ("1,5 Mio", "mio"), ("1.5 Mio. SOL", "mio"), ("3 m SOL", "m")]
        {
            let why = ["has a multiplier in it, ", factor, ": type all digits of the number"].concat();
            type_instead(&[text], &why);
        }
        assert_eq!(shown(read_amount("1.000 SOL", 9)), "ambiguous: may be 1.000 or 1000: type 1.0 or 1000");
        type_instead(
            &["1\u{200b}5", "\u{202e}15", "0.5\u{200f}"],
            "has an invisible character in it: type it again",
        );
        for text in ["-5", "−5", "–5", "—5", "‐5", "－5", "-0.5", "-.5", "-0", "-0.5 SOL"] {
            assert_eq!(shown(read_amount(text, 9)), "not_positive: is below zero", "{text}");
        }
        assert_eq!(shown(read_amount("0.0000000001", 9)), "not_an_integer: has more than 9 decimals");
        assert_eq!(shown(read_amount("1.5", 0)), "not_an_integer: must be a whole number");
        let large = "out_of_range: is too large";
        assert_eq!(shown(read_amount("18446744073.709551616", 9)), large);
        assert_eq!(shown(read_amount(&"9".repeat(400), 9)), large);
        assert_eq!(shown(read_amount(&["99999999999999999999", "."].concat(), 9)), large);
    }

    #[test]
    fn percentages_are_at_most_a_hundred() {
        const AMBIGUOUS: &str = "ambiguous: may be 1.000 or 1000: type 1.0 or 1000";
        const UNIT: &str = "not_a_number: has a unit in it: type 5 if this field is in %";
        for (text, percentage, slippage) in [
            ("50", "50", "50"),
            ("50%", "50", "50"),
            (" 12,5 % ", "12.5", "12.5"),
            ("%25", "25", "25"),
            ("25％", "25", "25"),
            ("0", "… not_positive: must be above zero", "0"),
            ("100", "100", "100"),
            ("100.1", "out_of_range: is over 100 %", "out_of_range: is over 100 %"),
            ("5000", "out_of_range: is over 100 %", "out_of_range: is over 100 %"),
            ("0.00001", "0.00001", "not_an_integer: has more than 4 decimals"),
            ("1,000", AMBIGUOUS, AMBIGUOUS),
            ("5%%", UNIT, UNIT),
        ] {
            assert_eq!(
                (shown(read_percentage(text)), shown(read_slippage(text))),
                (percentage.to_owned(), slippage.to_owned()),
                "{text}"
            );
        }
    }
}
