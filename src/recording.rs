//! A recorded list of trades, as JSON or CSV. A market replays it as time passes, and your own trades change its prices.

use crate::amount::Digits;
use crate::error::{FieldCode, FieldError};
use crate::launchpad::quote::Side;
use crate::launchpad::recorded::other_unit;
use crate::object;
use crate::reader::{self, Reader};
use crate::record;
use crate::tape::{Count, Data, Item, Tape, ToTape, json};
use crate::typed::cells::{self, Line, Separator};

record! {
    /// A recorded trade.
    RecordedTrade {
        /// When it was made, in milliseconds of the market's time; not before the trade that precedes it.
        at_ms: Count => "number",
        /// Mint address of the token.
        mint: String => "string",
        /// Which way the lamports go.
        side: Side => "Side",
        /// What a buy spends, fees included. It counts for a buy without `tokens`.
        lamports: Option<u64> => "number | bigint | string | null" optional,
        /// Base units that a buy buys, or a sell sells.
        tokens: Option<u64> => "number | bigint | string | null" optional,
        /// Whose trade it is. A replay does not ask.
        wallet: Option<String> => "string | null" optional,
    }
}

/// The columns of a recording in CSV; any others are ignored.
const COLUMNS: [&str; 6] = ["atMs", "mint", "side", "lamports", "tokens", "wallet"];

impl RecordedTrade {
    /// Reads one.
    #[doc(hidden)]
    pub fn read(reader: &mut Reader) -> Self {
        // A tape has further columns, such as the price.
        reader.ignore_rest();
        let side = reader.need("side", |r, name| r.choice(name, Side::NAMED).map(Some)).unwrap_or(Side::Buy);
        let trade = RecordedTrade {
            at_ms: Count::new(reader.need("atMs", read_time)),
            mint: reader.need("mint", Reader::text).to_owned(),
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
    fn list(reader: &mut Reader, name: &'static str) -> Option<Vec<RecordedTrade>> {
        let trades = reader.foreign_list(name, MOST_PROBLEMS, RecordedTrade::read)?;
        let first = trades.first().map_or(0, |trade| trade.at_ms.get());
        if let Some(why) = other_unit(first, true) {
            let field = [name, "[0].atMs"].concat();
            reader.refuse(&field, FieldCode::OutOfRange, &["is ", &first.digits(), ", which ", why].concat());
        }
        Some(trades)
    }

    /// Reads the setting `name`: a list of trades, or the text of one, JSON or CSV.
    pub fn read_all(reader: &mut Reader, name: &'static str) -> Option<Vec<RecordedTrade>> {
        let given = reader.value(name)?;
        let trades = match given.data() {
            Data::String(text) => match recording(text) {
                Ok(trades) => trades,
                Err(problems) => {
                    for problem in problems {
                        reader.refuse(name, problem.code, &["has a bad trade: ", &problem.message].concat());
                    }
                    return None;
                }
            },
            _ => RecordedTrade::list(reader, name)?,
        };
        if let Some(at) =
            trades.windows(2).position(|pair| matches!(pair, [one, next] if next.at_ms < one.at_ms))
        {
            let what = ["is out of order: trade ", &(at + 1).digits(), " is earlier than the one before it"];
            reader.refuse(name, FieldCode::Conflict, &what.concat());
        }
        Some(trades)
    }
}

/// Reads a recording: a JSON array of trades, a JSON object on each line, or CSV whose first line names the columns `atMs`, `mint`, `side`,
/// `lamports`, `tokens` and `wallet` in any order, separated by commas, semicolons or tabs. Other columns are ignored in both, so the text of a market's trades is a recording, too. No trade is left
/// out: text with one that cannot be read is refused.
///
/// ```
/// use launchpad_desk::recording::recording;
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
    let text = text.trim_start_matches('\u{feff}').trim();
    let (list, what, names) = match text.chars().next() {
        Some('[') => fields_of(parse(text)?),
        Some('{') => fields_of(parse_lines(text)?),
        _ => {
            let (rows, names) = table(text)?;
            (rows, "columns ", names)
        }
    };
    check_names(what, &names, list.root())?;
    let whole = object! { "trades": list };
    reader::read(whole.root(), |r| r.need("trades", RecordedTrade::list))
}

/// A list of JSON, with the names of its first element.
fn fields_of(list: Tape) -> (Tape, &'static str, Vec<String>) {
    let first = if let Data::Array(mut items) = list.root().data() { items.next() } else { None };
    let names = first.and_then(Item::fields).map(|fields| fields.map(|(name, _)| name.to_owned()).collect());
    let names = names.unwrap_or_default();
    (list, "fields ", names)
}

/// The most names of a foreign file that are told.
const MOST_NAMES: usize = 20;

/// Refuses a file of others as a whole: what each of its rows lacks would be told a hundred times.
fn check_names(what: &str, names: &[String], list: Item) -> Result<(), Vec<FieldError>> {
    let has = |needed: &&str| names.iter().any(|name| name == needed);
    let is_empty = if let Data::Array(mut items) = list.data() { items.next().is_none() } else { true };
    if is_empty || names.is_empty() || ["atMs", "mint", "side"].iter().all(has) {
        return Ok(());
    }
    let told = names.get(..MOST_NAMES).unwrap_or(names).join(", ");
    let more = match names.len().saturating_sub(MOST_NAMES) {
        0 => String::new(),
        more => [", and ", &more.digits(), " more"].concat(),
    };
    let needs = "; it needs atMs (milliseconds), mint, side (buy or sell), and tokens (base units) or, of buys, lamports (fees included)";
    Err(unreadable(&["the recording has the ", what, &told, &more, needs]))
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

/// When a trade was made.
fn read_time(reader: &mut Reader, name: &'static str) -> Option<u64> {
    let at_ms = reader.whole(name)?;
    match other_unit(at_ms, false) {
        Some(why) => {
            reader.refuse(name, FieldCode::OutOfRange, &["is ", &at_ms.digits(), ", which ", why].concat());
            None
        }
        None => reader.whole_within(name, 0, (1 << 53) - 1),
    }
}

/// The most problems of a recording that are named.
const MOST_PROBLEMS: usize = 100;

fn parse(text: &str) -> Result<Tape, Vec<FieldError>> {
    json::parse(text.as_bytes())
        .map_err(|found| unreadable(&["the recording has ", found.what, ", at byte ", &found.at.digits()]))
}

/// CSV as a list of objects, one for each line, without empty cells, and the names of its columns. Its first line says what separates cells.
fn table(text: &str) -> Result<(Tape, Vec<String>), Vec<FieldError>> {
    let separator = match Separator::of(text.lines().next().unwrap_or_default()) {
        Separator::Spaces => Separator::Mark(','),
        mark => mark,
    };
    let mut lines = cells::lines(text, separator);
    let names = lines.next().map(texts).transpose()?.unwrap_or_default();
    if let Some(twice) = COLUMNS.iter().find(|column| names.iter().filter(|name| name == *column).count() > 1)
    {
        return Err(unreadable(&["the recording has the column ", twice, " twice"]));
    }
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
        let known = |(name, cell): &(&String, &String)| COLUMNS.contains(&name.as_str()) && !cell.is_empty();
        Ok(Tape::object(&names.iter().zip(&cells).filter(known).collect::<Vec<_>>()))
    });
    let rows: Result<Vec<Tape>, Vec<FieldError>> = rows.collect();
    Ok((rows?.to_tape(), names))
}

/// The texts of a line's cells. A broken quote in any of them may have swallowed others.
fn texts(line: Line) -> Result<Vec<String>, Vec<FieldError>> {
    match line.cells.iter().find_map(|cell| cell.problem) {
        Some(what) => Err(unreadable(&["the recording has ", what, ", in line ", &line.number.digits()])),
        None => Ok(line.cells.into_iter().map(|cell| cell.text).collect()),
    }
}

fn unreadable(message: &[&str]) -> Vec<FieldError> {
    vec![FieldError { field: String::new(), code: FieldCode::Unreadable, message: message.concat() }]
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
    fn the_problems_of_a_foreign_file_are_few() {
        let text = format!("atMs,side,mint\n{}", "x,y,\n".repeat(5_000));
        let problems = recording(&text).unwrap_err();
        assert_eq!(problems.len(), 101);
        assert_eq!(problems[100].message, "trades has 19900 more problems");
    }
}
