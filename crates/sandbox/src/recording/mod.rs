//! A recorded list of trades, as JSON or CSV. A market replays it as time passes, and your own trades change its prices.

mod columns;
mod problems;
mod recorded;

pub use columns::Columns;
pub use launchpad_desk::recording::RecordedTrade;
use problems::{MOST_PROBLEMS, other_time, unreadable};
pub use recorded::{OtherUnit, Rival, RivalTrade, is_other_clock, other_unit};

use launchpad_desk::amount::Digits;
use launchpad_desk::api::validate::{Identifiers, identifier_problem};
use launchpad_desk::bindings::cells::{self, Line, Separator};
use launchpad_desk::bindings::object;
use launchpad_desk::bindings::reader::{self, Reader};
use launchpad_desk::error::{FieldCode, FieldError};
use launchpad_desk::launchpad::quote::Side;
use launchpad_desk::tape::{Count, Data, Item, Tape, ToTape, json};

/// The columns of a recording.
const COLUMNS: [&str; 6] = ["atMs", "mint", "side", "lamports", "tokens", "wallet"];

/// Reads a trade.
#[doc(hidden)]
pub fn read_trade(reader: &mut Reader) -> RecordedTrade {
    // A tape has further columns, such as the price.
    reader.ignore_rest();
    let side = reader.need("side", |r, name| r.choice(name, Side::NAMED).map(Some)).unwrap_or(Side::Buy);
    let trade = RecordedTrade {
        at_ms: Count::new(reader.need("atMs", read_time)),
        mint: reader.need("mint", read_mint).to_owned(),
        side,
        lamports: reader.whole("lamports"),
        tokens: reader.whole("tokens"),
        wallet: reader.text("wallet").map(str::to_owned),
    };
    if trade.tokens.is_none() && (side == Side::Sell || trade.lamports.is_none()) {
        let what = if side == Side::Sell { "is missing" } else { "or lamports must be given" };
        reader.refuse("tokens", FieldCode::Required, what);
    }
    trade
}

/// The trades of a list.
fn read_list(reader: &mut Reader, name: &'static str) -> Option<Vec<RecordedTrade>> {
    let trades = reader.foreign_list(name, MOST_PROBLEMS, read_trade)?;
    let first = trades.first().map_or(0, |trade| trade.at_ms.get());
    if let Some(what) = other_time(first, true, "atMs") {
        let field = [name, "[0].atMs"].concat();
        reader.refuse(&field, FieldCode::OutOfRange, &what);
    }
    Some(trades)
}

/// Reads the setting `name`: a list of trades, or the text of one, JSON or CSV.
pub(crate) fn read_all(reader: &mut Reader, name: &'static str) -> Option<Vec<RecordedTrade>> {
    let given = reader.value(name)?;
    let read = match given.data() {
        Data::String(text) => recording(text).map(Some),
        _ => check_rows(given).map(|()| None),
    };
    let trades = match read {
        Ok(Some(trades)) => trades,
        Ok(None) => read_list(reader, name)?,
        Err(problems) => {
            for problem in problems {
                reader.refuse(name, problem.code, &["has a bad trade: ", &problem.message].concat());
            }
            return None;
        }
    };
    if let Some(at) = trades.windows(2).position(|pair| matches!(pair, [one, next] if next.at_ms < one.at_ms))
    {
        let what = ["is out of order: trade ", &(at + 1).digits(), " is earlier than the one before it"];
        reader.refuse(name, FieldCode::Conflict, &what.concat());
    }
    Some(trades)
}

/// Reads a recording: a JSON array of trades, a JSON object on each line, or CSV whose first line names the columns `atMs`, `mint`, `side`,
/// `lamports`, `tokens` and `wallet` in any order, separated by commas, semicolons or tabs. Other columns are ignored in both, so the text
/// of a market's trades is a recording, too. No trade is left out: text with one that cannot be read is refused. [`Columns`] read files with
/// columns of other names.
///
/// ```
/// use launchpad_desk_sandbox::recording::recording;
/// let trades = recording("atMs,side,mint,lamports,tokens\n0,buy,M,1000000,\n400,sell,M,,5000").unwrap();
/// assert_eq!((trades.len(), trades[1].tokens), (2, Some(5000)));
/// assert_eq!(recording("atMs,side,mint,tokens\n0,buy,,5").unwrap_err()[0].message, "trades[0].mint is missing");
/// ```
///
/// # Errors
///
/// What a foreign file has and what it lacks, once; otherwise the first 100 fields that cannot be read, by path (`trades[3].atMs`), and how
/// many more there are.
pub fn recording(text: &str) -> Result<Vec<RecordedTrade>, Vec<FieldError>> {
    let (list, what) = rows_of(text, None)?;
    if let Some(what) = what.or(columns::need_mapping(&rows(list.root())).then_some("columns ")) {
        check_names(what, list.root())?;
    }
    // One object of JSON is one trade.
    let list = if list.root().is_object() { vec![list].to_tape() } else { list };
    let whole = object! { "trades": list };
    reader::read(whole.root(), |r| r.need("trades", read_list))
}

impl Columns {
    /// Reads a recording of others, [as `recording` does](recording), by these columns.
    ///
    /// # Errors
    ///
    /// A column that the recording does not have; otherwise the first 100 values that cannot be read, and how many more there are.
    pub fn recording(&self, text: &str) -> Result<Vec<RecordedTrade>, Vec<FieldError>> {
        let (list, _) = rows_of(text, Some(self))?;
        let found =
            self.rows.as_deref().map_or(Some(list.root()), |place| columns::at_path(list.root(), place));
        match found.map(|found| (found, found.data())) {
            Some((_, Data::Array(items))) => self.trades(&items.collect::<Vec<_>>()),
            Some((row, Data::Object(_))) if self.rows.is_none() => self.trades(&[row]),
            _ => Err(unreadable(&[
                "the recording has no list of trades at ",
                self.rows.as_deref().unwrap_or("its top"),
            ])),
        }
    }
}

/// The rows of a text as a list, or the one object that it is, and what their values are called, unless a first line names those of a
/// recording.
fn rows_of(text: &str, columns: Option<&Columns>) -> Result<(Tape, Option<&'static str>), Vec<FieldError>> {
    let text = text.trim_start_matches('\u{feff}').trim();
    match text.chars().next() {
        Some('[') => Ok((parse(text)?, Some("fields "))),
        Some('{') => Ok((json::parse(text.as_bytes()).or_else(|_| parse_lines(text))?, Some("fields "))),
        _ => {
            let (rows, is_foreign) = table(text, columns)?;
            Ok((rows, is_foreign.then_some("columns ")))
        }
    }
}

/// Refuses a list of others as a whole, as the text of one is refused.
#[doc(hidden)]
pub fn check_rows(list: Item) -> Result<(), Vec<FieldError>> {
    check_names("fields ", list)
}

fn rows(list: Item) -> Vec<Item> {
    if let Data::Array(items) = list.data() { items.collect() } else { Vec::new() }
}

/// How deep a list of trades is looked for.
const DEEPEST: usize = 4;

/// The place of the first list of objects within an object.
fn place_of(object: Item, depth: usize) -> Option<(String, Item)> {
    let is_list = |value: Item| {
        let Data::Array(mut items) = value.data() else { return false };
        items.next().is_some_and(Item::is_object)
    };
    let mut fields = object.fields()?;
    if let Some((name, list)) = object.fields()?.find(|(_, value)| is_list(*value)) {
        return Some((name.to_owned(), list));
    }
    let below = |(name, value): (&str, _)| {
        let (place, list) = place_of(value, depth + 1)?;
        Some(([name, ".", &place].concat(), list))
    };
    if depth < DEEPEST { fields.find_map(below) } else { None }
}

/// What trades must have.
const NEEDED: [&str; 3] = ["atMs", "mint", "side"];

/// Refuses a file of others as a whole: what each of its rows lacks would be told a hundred times.
fn check_names(what: &str, given: Item) -> Result<(), Vec<FieldError>> {
    let is_named = |rows: &[Item]| {
        let names = columns::names(rows);
        names.is_empty() || NEEDED.iter().all(|needed| names.iter().any(|name| name == needed))
    };
    let is_own = |rows: &[Item]| is_named(rows) && !columns::need_mapping(rows);
    let (place, rows): (_, Vec<Item>) = match given.data() {
        Data::Array(_) => (None, rows(given)),
        Data::Object(_) if is_own(&[given]) => return Ok(()),
        Data::Object(_) => match place_of(given, 0) {
            Some((place, list)) => (Some(place), rows(list)),
            None => (None, vec![given]),
        },
        _ => return Ok(()),
    };
    if rows.is_empty() || (place.is_none() && is_own(&rows)) {
        return Ok(());
    }
    let names = columns::names(&rows);
    let at = place.as_deref().map_or(String::new(), |place| ["at ", place, " "].concat());
    let (mapping, has_time) = columns::suggested(&rows, &names, place.as_deref(), is_named(&rows));
    let needs = "; it needs atMs (milliseconds), mint, side (buy or sell), and tokens (base units) or, of buys, lamports (fees included)";
    let no_time = if has_time || mapping.is_none() {
        ""
    } else {
        "; no column is a time: write the time of receipt into each row, as atMs"
    };
    let mapping = mapping.map_or(String::new(), |mapping| {
        ["; or say which column is what, and check the units: columns: ", &mapping].concat()
    });
    Err(unreadable(&[
        "the recording has ",
        &at,
        "the ",
        what,
        &columns::listed(&names),
        needs,
        no_time,
        &mapping,
    ]))
}

/// A JSON object on each line, as a service streams them.
fn parse_lines(text: &str) -> Result<Tape, Vec<FieldError>> {
    let lines = (1u64..).zip(text.lines()).filter(|(_, line)| !line.trim().is_empty());
    let rows: Result<Vec<Tape>, _> = lines
        .map(|(number, line)| {
            json::parse(line.as_bytes()).map_err(|found| {
                unreadable(&["the recording has ", found.what, ", in line ", &number.digits()])
            })
        })
        .collect();
    Ok(rows?.to_tape())
}

fn read_mint<'t>(reader: &mut Reader<'t>, name: &'static str) -> Option<&'t str> {
    let mint = reader.text(name)?;
    let Some((code, what)) = identifier_problem(mint, Identifiers::Any) else { return Some(mint) };
    reader.refuse(name, code, what);
    None
}

/// When a trade was made.
fn read_time(reader: &mut Reader, name: &'static str) -> Option<u64> {
    let at_ms = reader.whole(name)?;
    match other_time(at_ms, false, name) {
        Some(what) => {
            reader.refuse(name, FieldCode::OutOfRange, &what);
            None
        }
        None => reader.whole_within(name, 0, (1 << 53) - 1),
    }
}

fn parse(text: &str) -> Result<Tape, Vec<FieldError>> {
    json::parse(text.as_bytes()).map_err(|found| vec![FieldError::of_json("the recording has ", found)])
}

/// The most lines that a cell in quotes may have, such as a token's name.
const MOST_LINES: usize = 64;

/// CSV as a list of objects, one for each line. Its first line says what separates cells. Of a recording's own columns the others and empty
/// cells are left out; a foreign file, and one by the `columns` of a mapping, is kept whole. Also whether it is foreign.
fn table(text: &str, columns: Option<&Columns>) -> Result<(Tape, bool), Vec<FieldError>> {
    // A spreadsheet may say what separates cells in a line before the names, `sep=;`.
    let before = usize::from(text.starts_with("sep="));
    let separator = match Separator::of(text.lines().nth(before).unwrap_or_default()) {
        Separator::Spaces => Separator::Mark(','),
        mark => mark,
    };
    let mut lines = cells::lines(text, separator, &[], MOST_LINES).skip(before);
    let names = lines.next().map(texts).transpose()?.unwrap_or_default();
    let is_foreign = !NEEDED.iter().all(|needed| names.iter().any(|name| name == needed));
    let is_whole = columns.is_some() || is_foreign;
    let is_told = |name: &str| columns.map_or(COLUMNS.contains(&name), |columns| columns.ask_for(name));
    let is_twice = |name: &&String| is_told(name) && names.iter().filter(|other| other == name).count() > 1;
    if let Some(twice) = names.iter().find(is_twice) {
        return Err(unreadable(&["the recording has the column ", twice, " twice"]));
    }
    let nothing = String::new();
    let rows = lines.map(|line| {
        let number = line.number;
        let cells = texts(line)?;
        // Such as an amount with its thousands separated: what is left of it would be another amount.
        if cells.iter().skip(names.len()).any(|cell| !cell.is_empty()) {
            return Err(unreadable(&[
                "the recording has more cells than columns, in line ",
                &number.digits(),
            ]));
        }
        let is_kept = |(name, cell): &(&String, &String)| {
            is_whole || (COLUMNS.contains(&name.as_str()) && !cell.is_empty())
        };
        Ok(Tape::object(
            &names
                .iter()
                .zip(cells.iter().chain(std::iter::repeat(&nothing)))
                .filter(is_kept)
                .collect::<Vec<_>>(),
        ))
    });
    let rows = rows.collect::<Result<Vec<Tape>, Vec<FieldError>>>()?;
    // Such as a web page in one line that came in place of an export.
    if rows.is_empty() && is_foreign && columns.is_none() && !text.is_empty() {
        return Err(unreadable(&[
            "the recording has no trades, only the columns ",
            &columns::listed(&names),
        ]));
    }
    Ok((rows.to_tape(), is_foreign))
}

/// The texts of a line's cells. A broken quote in any of them may have swallowed others.
fn texts(line: Line) -> Result<Vec<String>, Vec<FieldError>> {
    match line.cells.iter().find_map(|cell| cell.problem) {
        Some(what) => Err(unreadable(&["the recording has ", what, ", in line ", &line.number.digits()])),
        None => Ok(line.cells.into_iter().map(|cell| cell.text).collect()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_that_does_not_fit_the_columns_is_refused() {
        let refused = |text: &str| recording(text).unwrap_err()[0].message.clone();
        // A million with its thousands separated is no buy of one lamport.
        assert_eq!(
            refused("atMs,side,mint,tokens,lamports\n0,buy,M,,5\n0,buy,M,,1,000,000"),
            "the recording has more cells than columns, in line 3"
        );
        assert_eq!(
            refused("atMs,side,mint,lamports,lamports\n0,buy,M,1,2"),
            "the recording has the column lamports twice"
        );
        assert_eq!(recording("atMs,side,mint,lamports,\"x\",\"x\"\n0,buy,M,5,,,,\n").unwrap().len(), 1);
    }

    #[test]
    fn a_spreadsheets_line_of_the_separator_is_none_of_the_names() {
        let tape = "sep=;\r\natMs;side;mint;lamports\r\n0;buy;M;5\r\n1;buy;;5";
        assert_eq!(recording(tape).unwrap_err()[0].field, "trades[1].mint");
        let read = recording(tape.trim_end_matches("\r\n1;buy;;5")).unwrap();
        assert_eq!((read.len(), read[0].lamports), (1, Some(5)));
    }

    #[test]
    fn the_problems_of_a_foreign_file_are_few() {
        let text = format!("atMs,side,mint\n{}", "x,y,\n".repeat(5_000));
        let problems = recording(&text).unwrap_err();
        assert_eq!(problems.len(), 101);
        assert_eq!(problems[100].message, "trades has 19900 more problems");
    }
}
