//! Which column of a recording of others is what, and in which unit.

use std::cell::Cell;
use std::collections::BTreeSet;

use super::problems::{MOST_PROBLEMS, other_time, unreadable};
use super::recorded::unit_since_1970;
use launchpad_desk::amount::{
    Decimal, DecimalError, Digits, MAX_TOKEN_DECIMALS, SOL_DECIMALS, TOKEN_DECIMALS,
};
use launchpad_desk::api::validate::{Identifiers, identifier_problem};
use launchpad_desk::bindings::reader::{self, Reader};
use launchpad_desk::bindings::{days_since_1970, object};
use launchpad_desk::error::{FieldCode, FieldError};
use launchpad_desk::launchpad::quote::Side;
use launchpad_desk::recording::RecordedTrade;
use launchpad_desk::tape::{Count, Data, Item, Tape, ToTape, json};
use launchpad_desk::typed::shown_text;

/// Which column of a recording is what. A column that is not named has its own name; one of a nested row is a path, `trade.mint`.
///
/// ```
/// use launchpad_desk_sandbox::recording::Columns;
/// let columns = r#"{ "atMs": { "column": "time", "unit": "s" }, "mint": "token", "side": "is_buy", "lamports": { "column": "sol", "unit": "sol" } }"#;
/// let columns: Columns = columns.parse().unwrap();
/// let trades = columns.recording("time,token,is_buy,sol\n1772366401,M,true,0.5").unwrap();
/// assert_eq!((trades[0].at_ms.get(), trades[0].lamports), (1_772_366_401_000, Some(500_000_000)));
/// ```
#[derive(Clone, Debug)]
pub struct Columns {
    /// Where the list of trades is, in an object around it.
    pub(super) rows: Option<String>,
    at_ms: Source,
    /// Of times that are numbers; milliseconds if it is not named.
    time: Option<Unit>,
    mint: Source,
    side: Sides,
    lamports: Source,
    /// Decimals of the unit in which lamports are written.
    sol_decimals: u8,
    has_fees: bool,
    tokens: Source,
    token_decimals: u8,
    wallet: Source,
}

/// Where a value is: the first of these columns that has one, by the side of the trade.
#[derive(Clone, Debug, Default)]
struct Source {
    /// Its field of a mapping, and of a trade.
    field: &'static str,
    buy: Vec<String>,
    sell: Vec<String>,
    /// The same for all.
    value: Option<String>,
    /// Whether a mapping names its columns: then they must be there.
    is_named: bool,
    /// What became of them, of a named one.
    asked: Cell<bool>,
    found: Cell<bool>,
}

/// A unit of time: its name, and how many of its digits milliseconds have more (negative: less).
type Unit = (&'static str, i8);
/// A time that was read: in which row, in which column, and if it was a number, that.
type Timed<'c> = (usize, &'c str, Option<u128>);
const UNITS: [(&str, Unit); 4] = [("ms", ("ms", 0)), ("s", ("s", 3)), ("us", ("us", -3)), ("ns", ("ns", -6))];

/// The first millisecond of the year 2100: no time in a unit since 1970 is later.
const LATEST: u64 = 4_102_444_800_000;

/// Which way a trade goes.
#[derive(Clone, Debug)]
enum Sides {
    /// By a word in a column, or by true and false where its name says of what.
    Word(Source),
    /// By the words of columns: of buys, of sells, and of rows that are no trades.
    Words([Vec<(String, Vec<String>)>; 3]),
}

impl Source {
    fn of(field: &'static str) -> Source {
        let name = vec![field.to_owned()];
        Source { field, buy: name.clone(), sell: name, ..Source::default() }
    }

    /// Reads one; `more` reads its unit.
    fn read(r: &mut Reader, field: &'static str, mut more: impl FnMut(&mut Reader)) -> Source {
        let Some(given) = r.value(field) else { return Source::of(field) };
        let mut source = Source { field, is_named: true, ..Source::default() };
        if let Some(names) = texts(given) {
            (source.buy, source.sell) = (names.clone(), names);
            return source;
        }
        r.within(field, &mut |r| {
            source.value = r.text("value").map(str::to_owned);
            let mut list = |name| r.value(name).map(|given| (name, texts(given)));
            let lists = [list("column"), list("buy"), list("sell")];
            for (name, _) in lists.iter().flatten().filter(|(_, names)| names.is_none()) {
                r.refuse(name, FieldCode::WrongType, "must be the name of a column, or a list of names");
            }
            let [column, buy, sell] = lists.map(|list| list.and_then(|(_, names)| names));
            match (column, buy, sell) {
                (Some(names), None, None) => (source.buy, source.sell) = (names.clone(), names),
                (None, Some(buy), Some(sell)) => (source.buy, source.sell) = (buy, sell),
                (None, None, None) if source.value.is_some() => {}
                _ => r.refuse(
                    "column",
                    FieldCode::Conflict,
                    "or buy and sell, or value must be given, and only one of them",
                ),
            }
            more(r);
        });
        source
    }

    /// The text of a row's value, and the column that has it.
    fn text(&self, row: Item, side: Side) -> Option<(String, &str)> {
        if let Some(value) = &self.value {
            return Some((value.clone(), self.field));
        }
        self.asked.set(true);
        let names = if side == Side::Sell { &self.sell } else { &self.buy };
        names.iter().find_map(|name| {
            let cell = cell(row, name);
            self.found.set(self.found.get() || cell.is_some());
            Some((cell??, name.as_str()))
        })
    }

    /// The column that no row has, of a named one.
    fn missing(&self) -> Option<&str> {
        let is_missing = self.is_named && self.asked.get() && !self.found.get();
        if is_missing { self.buy.first().map(String::as_str) } else { None }
    }
}

/// A text, or a list of texts with something in it.
fn texts(given: Item) -> Option<Vec<String>> {
    let text = |item: Item| item.text().map(str::to_owned);
    match given.data() {
        Data::Array(items) => items.map(text).collect::<Option<Vec<_>>>().filter(|texts| !texts.is_empty()),
        _ => text(given).map(|text| vec![text]),
    }
}

/// What is at a path: a dot goes into an object, or to an element of a list. Nothing is in what is null, or past the end of a list.
pub(super) fn at_path<'t>(row: Item<'t>, path: &str) -> Option<Item<'t>> {
    path.split('.').try_fold(row, |item, part| match item.data() {
        Data::Null => Some(item),
        Data::Array(mut items) => part.parse().ok().map(|at| items.nth(at).unwrap_or_default()),
        _ => item.get(part),
    })
}

/// What a column of a row has, if the row has that column.
fn cell(row: Item, name: &str) -> Option<Option<String>> {
    let text = match row.get(name).or_else(|| at_path(row, name))?.data() {
        Data::String(text) | Data::Number(text) | Data::Double(text) | Data::BigInt(text) => {
            text.trim().to_owned()
        }
        Data::Integer(integer) => integer.to_string(),
        Data::Bool(is) => is.to_string(),
        _ => String::new(),
    };
    Some(Some(text).filter(|text| !text.is_empty()))
}

/// The text of a column of a row, if there is one.
fn text_at(row: Item, name: &str) -> Option<String> {
    cell(row, name).flatten()
}

impl Default for Columns {
    /// Columns with their own names, in lamports, base units and milliseconds.
    fn default() -> Self {
        Columns {
            rows: None,
            at_ms: Source::of("atMs"),
            time: None,
            mint: Source::of("mint"),
            side: Sides::Word(Source::of("side")),
            lamports: Source::of("lamports"),
            sol_decimals: 0,
            has_fees: true,
            tokens: Source::of("tokens"),
            token_decimals: 0,
            wallet: Source::of("wallet"),
        }
    }
}

impl std::str::FromStr for Columns {
    type Err = Vec<FieldError>;

    /// Reads a mapping in JSON.
    fn from_str(text: &str) -> Result<Self, Vec<FieldError>> {
        let tape =
            json::parse(text.as_bytes()).map_err(|found| unreadable(&["the columns have ", found.what]))?;
        reader::read(tape.root(), Columns::read)
    }
}

impl Columns {
    /// Reads a mapping.
    #[doc(hidden)]
    pub fn read(r: &mut Reader) -> Self {
        let mut columns = Columns { rows: r.text("rows").map(str::to_owned), ..Columns::default() };
        let time = &mut columns.time;
        columns.at_ms = Source::read(r, "atMs", |r| *time = r.choice("unit", &UNITS));
        columns.mint = Source::read(r, "mint", |_| {});
        columns.side = Sides::read(r);
        let (decimals, has_fees) = (&mut columns.sol_decimals, &mut columns.has_fees);
        columns.lamports = Source::read(r, "lamports", |r| {
            reader::set(decimals, r.choice("unit", &[("lamports", 0), ("sol", SOL_DECIMALS)]));
            reader::set(has_fees, r.choice("fees", &[("included", true), ("excluded", false)]));
        });
        let decimals = &mut columns.token_decimals;
        columns.tokens = Source::read(r, "tokens", |r| {
            let is_whole = r.choice("unit", &[("baseUnits", false), ("tokens", true)]).unwrap_or_default();
            let of_token = r.whole_within("decimals", 0, MAX_TOKEN_DECIMALS.into());
            if is_whole {
                *decimals = of_token.map_or(TOKEN_DECIMALS, |of_token| of_token as u8);
            }
        });
        columns.wallet = Source::read(r, "wallet", |_| {});
        columns
    }

    fn sources(&self) -> impl Iterator<Item = &Source> {
        let side = if let Sides::Word(source) = &self.side { Some(source) } else { None };
        [&self.at_ms, &self.mint, &self.lamports, &self.tokens, &self.wallet].into_iter().chain(side)
    }

    /// Whether a value is looked for in this column.
    pub(super) fn ask_for(&self, name: &str) -> bool {
        let words = if let Sides::Words(all) = &self.side { all.as_slice() } else { &[] };
        self.sources().any(|source| source.buy.iter().chain(&source.sell).any(|own| own == name))
            || words.iter().flatten().any(|(own, _)| own == name)
    }

    /// The trades of rows. Rows that come the newest first are read from the end.
    pub(super) fn trades(&self, rows: &[Item]) -> Result<Vec<RecordedTrade>, Vec<FieldError>> {
        let mut reading = Reading { columns: self, problems: Vec::new(), more: 0, ends: None };
        let mut trades: Vec<RecordedTrade> =
            rows.iter().enumerate().filter_map(|(at, row)| reading.trade(at, *row)).collect();
        let missing = |source: &Source| source.missing().map(|name| (source.field, name.to_owned()));
        let missing: Vec<_> = self.sources().filter_map(missing).collect();
        if !missing.is_empty() {
            let has = listed(&names(rows));
            let told = |(field, name): &(&str, String)| {
                let name = shown_text(name, MOST_OF_NAME);
                unreadable(&[
                    "no row has the column ",
                    &name,
                    ", which columns.",
                    field,
                    " names; the recording has ",
                    &has,
                ])
            };
            return Err(missing.iter().flat_map(told).collect());
        }
        // At one time nothing says which came first: then they stay as they are.
        let falls = trades.first().map(|one| one.at_ms) > trades.last().map(|one| one.at_ms)
            && trades.windows(2).all(|pair| matches!(pair, [one, next] if next.at_ms <= one.at_ms));
        if falls {
            trades.reverse();
        }
        if let Some([first, last]) = reading.ends {
            reading.first_time(if falls { last } else { first });
        }
        let problems = reading.problems();
        if !problems.is_empty() {
            return Err(problems);
        }
        if trades.is_empty() && !rows.is_empty() {
            return Err(unreadable(&["no row is a trade: by columns.side all of them are skipped"]));
        }
        Ok(trades)
    }
}

impl Sides {
    fn read(r: &mut Reader) -> Sides {
        let is_words = r.value("side").is_some_and(|given| given.get("buy").is_some());
        if !is_words {
            return Sides::Word(Source::read(r, "side", |_| {}));
        }
        let mut all = [Vec::new(), Vec::new(), Vec::new()];
        r.within("side", &mut |r| {
            for (name, words) in ["buy", "sell", "skip"].into_iter().zip(&mut all) {
                let Some(given) = r.value(name) else {
                    if name != "skip" {
                        r.refuse(name, FieldCode::Required, "is missing");
                    }
                    continue;
                };
                let read = |(column, given): (&str, Item)| Some((column.to_owned(), texts(given)?));
                match given.fields().and_then(|fields| fields.map(read).collect()) {
                    Some(read) => *words = read,
                    None => r.refuse(
                        name,
                        FieldCode::WrongType,
                        "must be words by column, such as {\"type\": \"buy\"}",
                    ),
                }
            }
        });
        Sides::Words(all)
    }

    /// Which way a row goes; none if it is no trade.
    fn of(&self, row: Item) -> Result<Option<Side>, String> {
        let unknown = |text: &str| {
            let text = shown_text(text, MOST_OF_NAME);
            ["is ", &text, ": say in columns.side which words are buy, sell and skip"].concat()
        };
        match self {
            Sides::Word(source) => {
                let Some((text, name)) = source.text(row, Side::Buy) else {
                    return Err("is missing".to_owned());
                };
                let (word, name) = (text.to_ascii_lowercase(), name.to_ascii_lowercase());
                let is_of = [name.contains("buy"), name.contains("sell")];
                match (word.as_str(), is_of) {
                    ("buy", _) | ("true" | "1", [true, false]) | ("false" | "0", [false, true]) => {
                        Ok(Some(Side::Buy))
                    }
                    ("sell", _) | ("false" | "0", [true, false]) | ("true" | "1", [false, true]) => {
                        Ok(Some(Side::Sell))
                    }
                    _ => Err(unknown(&text)),
                }
            }
            Sides::Words(all) => {
                let fits =
                    all.each_ref().map(|words| words.iter().any(|(name, words)| has_word(row, name, words)));
                match fits {
                    [true, false, false] => Ok(Some(Side::Buy)),
                    [false, true, false] => Ok(Some(Side::Sell)),
                    [false, false, true] => Ok(None),
                    [false, false, false] => {
                        let mut names = all.iter().flatten();
                        let text = names.find_map(|(name, _)| text_at(row, name));
                        Err(unknown(text.as_deref().unwrap_or("nothing")))
                    }
                    _ => Err("is two of buy, sell and skip".to_owned()),
                }
            }
        }
    }
}

/// Whether a column has one of these words; `+` and `-` are any number with that sign, an empty word is nothing.
fn has_word(row: Item, name: &str, words: &[String]) -> bool {
    let Some(text) = text_at(row, name) else { return words.iter().any(String::is_empty) };
    let number = Decimal::from_number(text.strip_prefix(['+', '-']).unwrap_or(&text));
    let sign = number.ok().map(|number| match text.starts_with('-') {
        _ if number.is_zero() => "0",
        true => "-",
        false => "+",
    });
    words.iter().any(|word| word.eq_ignore_ascii_case(&text) || sign == Some(word))
}

/// The rows being read.
struct Reading<'c> {
    columns: &'c Columns,
    problems: Vec<Problem>,
    more: usize,
    /// The times of the first trade and of the last.
    ends: Option<[Timed<'c>; 2]>,
}

/// What is wrong with a column, in the first row that has it.
struct Problem {
    name: String,
    what: String,
    code: FieldCode,
    first: usize,
    rows: usize,
}

impl<'c> Reading<'c> {
    /// Notes a problem of a row: a wrong unit is one of all rows, and told once.
    fn refuse(&mut self, at: usize, name: &str, code: FieldCode, what: &str) {
        let name = shown_text(name, MOST_OF_NAME);
        let is_full = self.problems.len() >= MOST_PROBLEMS;
        let known = self
            .problems
            .iter_mut()
            .find(|known| known.code == code && known.name == name && known.what == what);
        match known {
            Some(known) => known.rows += 1,
            None if is_full => self.more += 1,
            None => self.problems.push(Problem { name, what: what.to_owned(), code, first: at, rows: 1 }),
        }
    }

    fn problems(&self) -> Vec<FieldError> {
        let told = |Problem { name, what, code, first, rows }: &Problem| {
            let field = ["trades[", &first.digits(), "].", name].concat();
            let mut message = [&field, " ", what].concat();
            if *rows > 1 {
                message = [&message, ", and so in ", &(rows - 1).digits(), " more rows"].concat();
            }
            FieldError { field, code: *code, message }
        };
        let mut problems: Vec<FieldError> = self.problems.iter().map(told).collect();
        if self.more > 0 {
            problems.extend(unreadable(&["trades has ", &self.more.digits(), " more problems"]));
        }
        problems
    }

    /// Refuses the time of the first trade if it is in another unit than that of the mapping. A later one of a market's own time may look
    /// like seconds since 1970.
    fn first_time(&mut self, (at, name, number): Timed<'c>) {
        let named = self.columns.time.map_or("ms", |(unit, _)| unit);
        let Some((number, unit)) = number.and_then(|number| Some((number, unit_since_1970(number)?))) else {
            return;
        };
        if unit != named {
            let what = match self.columns.time {
                None => u64::try_from(number).ok().and_then(|number| other_time(number, true, name)),
                Some(_) => None,
            };
            let is = || {
                [
                    "is ",
                    &number.digits(),
                    ", which is in ",
                    unit,
                    " since 1970, and columns.atMs has the unit ",
                    named,
                ]
                .concat()
            };
            self.refuse(at, name, FieldCode::OutOfRange, &what.unwrap_or_else(is));
        }
    }

    /// The trade of a row; none if it is no trade, or has a problem.
    fn trade(&mut self, at: usize, row: Item) -> Option<RecordedTrade> {
        let columns = self.columns;
        let side = match columns.side.of(row) {
            Ok(side) => side?,
            Err(what) => {
                self.refuse(at, "side", FieldCode::OutOfRange, &what);
                return None;
            }
        };
        let at_ms =
            self.needed(at, row, side, &columns.at_ms).and_then(|(text, name)| self.time(at, &text, name));
        let mint =
            self.needed(at, row, side, &columns.mint).and_then(|(text, name)| {
                match identifier_problem(&text, Identifiers::Any) {
                    Some((code, what)) => {
                        self.refuse(at, name, code, what);
                        None
                    }
                    None => Some(text),
                }
            });
        let lamports =
            self.amount(at, row, side, &columns.lamports, columns.sol_decimals, "is finer than a lamport");
        let tokens =
            self.amount(at, row, side, &columns.tokens, columns.token_decimals, "is finer than a base unit");
        let (lamports, tokens) = (lamports?, tokens?);
        // What a buy has spent is with its fees.
        let lamports = lamports.filter(|_| columns.has_fees);
        if tokens.is_none() && (side == Side::Sell || lamports.is_none()) {
            let what = if side == Side::Sell { "is missing" } else { "or lamports with fees must be given" };
            self.refuse(at, "tokens", FieldCode::Required, what);
            return None;
        }
        let wallet = columns.wallet.text(row, side).map(|(text, _)| text);
        let ((at_ms, time), mint) = (at_ms?, mint?);
        self.ends = Some([self.ends.map_or(time, |[first, _]| first), time]);
        Some(RecordedTrade { at_ms: Count::new(at_ms), mint, side, lamports, tokens, wallet })
    }

    fn needed<'s>(
        &mut self,
        at: usize,
        row: Item,
        side: Side,
        source: &'s Source,
    ) -> Option<(String, &'s str)> {
        let found = source.text(row, side);
        if found.is_none() {
            self.refuse(at, source.field, FieldCode::Required, "is missing");
        }
        found
    }

    /// An amount without its sign; none inside if there is none, none at all if it cannot be read.
    fn amount(
        &mut self,
        at: usize,
        row: Item,
        side: Side,
        source: &Source,
        decimals: u8,
        finer: &str,
    ) -> Option<Option<u64>> {
        let Some((text, name)) = source.text(row, side) else { return Some(None) };
        match units(&text, decimals) {
            Ok(units) => Some(Some(units)),
            Err(error) => {
                let what = match error {
                    DecimalError::TooPrecise => finer,
                    DecimalError::TooLarge => "is too large",
                    _ => "is not a number with the digits 0-9 and a dot",
                };
                self.refuse(at, name, FieldCode::NotANumber, what);
                None
            }
        }
    }

    /// A time in milliseconds, and how it was written.
    fn time(&mut self, at: usize, text: &str, name: &'c str) -> Option<(u64, Timed<'c>)> {
        let (number, unit) = (Decimal::from_number(text).ok(), self.columns.time);
        let whole = |number: Decimal| number.to_units_floor(0).ok();
        let at_ms = match (number, unit) {
            (Some(number), Some((_, shift))) => {
                number.shift(shift.into()).ok().and_then(whole).filter(|at_ms| *at_ms < LATEST)
            }
            (Some(number), None) => whole(number),
            (None, _) => time_of(text),
        };
        let Some(at_ms) = at_ms else {
            let what = match unit {
                Some((unit, _)) => &["is no time in ", unit].concat(),
                None => "is no time such as 1772366401000 or 2026-03-01T12:00:01Z",
            };
            self.refuse(at, name, FieldCode::NotANumber, what);
            return None;
        };
        // Such as the seconds of a clock that begins at zero.
        if unit.is_none()
            && let Some(number) = number.filter(|number| !number.is_integer())
            && unit_since_1970(at_ms.into()).is_none()
        {
            let what = [
                "is ",
                &number.text(),
                ", which is no whole number of milliseconds: name its unit in columns.atMs",
            ];
            self.refuse(at, name, FieldCode::OutOfRange, &what.concat());
            return None;
        }
        match other_time(at_ms, false, name) {
            Some(what) if unit.is_none() && number.is_some() => {
                self.refuse(at, name, FieldCode::OutOfRange, &what);
                None
            }
            _ => Some((
                at_ms,
                (at, name, number.and_then(|number| number.to_units_floor(0).ok()).map(u128::from)),
            )),
        }
    }
}

/// A number without its sign in whole units. A float of 64 bits that a program has printed is off by less than a tenth of one.
fn units(text: &str, decimals: u8) -> Result<u64, DecimalError> {
    let number = Decimal::from_number(text.strip_prefix(['-', '+']).unwrap_or(text))?;
    let finer = match number.to_units(decimals) {
        Err(DecimalError::TooPrecise) => number.shift(decimals.into())?.text(),
        read => return read,
    };
    let (whole, fraction) = finer.split_once('.').unwrap_or((&finer, ""));
    let whole: u64 = whole.parse().map_err(|_| DecimalError::TooLarge)?;
    match fraction.as_bytes().first() {
        Some(b'0') => Ok(whole),
        Some(b'9') => whole.checked_add(1).ok_or(DecimalError::TooLarge),
        _ => Err(DecimalError::TooPrecise),
    }
}

/// A time as ISO 8601 has it, `2026-03-01T12:00:01.5Z`, or with a space and `UTC`. One without a zone is in UTC.
fn time_of(text: &str) -> Option<u64> {
    let (date, time) = text.split_once(['T', 't', ' '])?;
    let mut date = date.split('-');
    let (year, month, day) = (number(date.next()?, 4)?, number(date.next()?, 2)?, number(date.next()?, 2)?);
    let ends = time.find(|c: char| !c.is_ascii_digit() && !matches!(c, ':' | '.')).unwrap_or(time.len());
    let (time, zone) = (time.get(..ends)?, time.get(ends..)?.trim());
    let (time, fraction) = time.split_once('.').unwrap_or((time, "0"));
    let mut clock = time.split(':');
    let (hour, minute) = (number(clock.next()?, 2)?, number(clock.next()?, 2)?);
    let second = clock.next().map_or(Some(0), |second| number(second, 2))?;
    let is_date = date.next().is_none() && (1970..2100).contains(&year) && (1..=12).contains(&month);
    let is_clock = clock.next().is_none() && hour < 24 && minute < 60 && second <= 60;
    let days = days_since_1970(year, month);
    let is_day = is_date && (1..=days_since_1970(year, month + 1) - days).contains(&day);
    if !is_day || !is_clock || !fraction.bytes().all(|digit| digit.is_ascii_digit()) {
        return None;
    }
    let days = days + day - 1;
    let ms = fraction.bytes().chain(*b"000").take(3).fold(0, |ms, digit| ms * 10 + u64::from(digit - b'0'));
    let at_ms = ((days * 24 + hour) * 60 + minute) * 60_000 + second * 1_000 + ms;
    match zone {
        "" | "Z" | "z" | "UTC" | "GMT" => Some(at_ms),
        _ => {
            let (east, offset) = zone
                .strip_prefix('+')
                .map(|offset| (true, offset))
                .or(zone.strip_prefix('-').map(|offset| (false, offset)))?;
            let digits = offset.replacen(':', "", 1);
            let (hours, minutes) = digits.split_at_checked(2)?;
            let minutes = if minutes.is_empty() { 0 } else { number(minutes, 2)? };
            let offset = (number(hours, 2)? * 60 + minutes) * 60_000;
            if east { at_ms.checked_sub(offset) } else { Some(at_ms + offset) }
        }
    }
}

fn number(text: &str, digits: usize) -> Option<u64> {
    let is_digits = text.len() == digits && text.bytes().all(|digit| digit.is_ascii_digit());
    if is_digits { text.parse().ok() } else { None }
}

/// The most names of a foreign file that are told, and the most characters of one.
const MOST_NAMES: usize = 40;
const MOST_OF_NAME: usize = 64;
/// The rows whose names are told: of a stream, the first may be another message than the next.
const LOOKED_AT: usize = 20;
/// How deep a value may be whose name is told.
const DEEPEST: usize = 6;

/// The names of rows, each once: of a nested one the paths to its values.
pub(super) fn names(rows: &[Item]) -> Vec<String> {
    let (mut names, mut known) = (Vec::new(), BTreeSet::new());
    for row in rows.iter().take(LOOKED_AT) {
        add_names(*row, "", 0, &mut |name| {
            if known.insert(name.clone()) {
                names.push(name);
            }
        });
    }
    names
}

fn add_names(value: Item, path: &str, depth: usize, add: &mut dyn FnMut(String)) {
    let below = |name: &str| if path.is_empty() { name.to_owned() } else { [path, ".", name].concat() };
    match value.data() {
        Data::Object(fields) if depth < DEEPEST => {
            fields.for_each(|(name, value)| add_names(value, &below(name), depth + 1, add))
        }
        // The first of a list stands for all.
        Data::Array(mut items) if depth < DEEPEST => match items.next() {
            Some(first) => add_names(first, &below("0"), depth + 1, add),
            None => add(path.to_owned()),
        },
        _ if path.is_empty() => {}
        _ => add(path.to_owned()),
    }
}

/// Names as they are told.
pub(super) fn listed(names: &[String]) -> String {
    let told: Vec<String> =
        names.iter().take(MOST_NAMES).map(|name| shown_text(name, MOST_OF_NAME)).collect();
    match names.len().saturating_sub(MOST_NAMES) {
        0 => told.join(", "),
        more => [&told.join(", "), ", and ", &more.digits(), " more"].concat(),
    }
}

/// The mint of wrapped SOL.
const SOL: &str = "So11111111111111111111111111111111111111112";

/// Names by which others call a column, in small letters and digits: the first that is there is it.
const KNOWN: [(&str, &str); 6] = [
    (
        "atMs",
        "atms blocktime blocktimestamp receivedat timestamp timestampms time datetime createdat tradetime blockunixtime unixtime ts",
    ),
    (
        "mint",
        "mint mintaddress coinmint tokenmint tokenmintaddress tokenaddress basemint baseaddress basecoin contractaddress token ca",
    ),
    ("side", "side txtype txntype transactiontype isbuy tradetype direction action kind event type"),
    (
        "lamports",
        "lamports solamount amountsol sol solamountlamports amountlamports quoteamount quotecoinamount sideamount volumesol",
    ),
    ("tokens", "tokens tokenamount amounttoken amounttokens baseamount basecoinamount amount"),
    (
        "wallet",
        "wallet walletaddress signingwallet trader traderid traderpublickey swapper user useraddress owner signer maker feepayer",
    ),
];

/// What a swap was paid in SOL, and what it brought, in a parsed transaction.
const PAID: &str = ".nativeInput.amount";
const BROUGHT: &str = ".nativeOutput.amount";

fn letters(name: &str) -> String {
    let letters = name.chars().filter(char::is_ascii_alphanumeric);
    letters.map(|letter| letter.to_ascii_lowercase()).collect()
}

/// The last part of a path.
fn last(name: &str) -> String {
    letters(name.rsplit('.').next().unwrap_or_default())
}

fn last_two(name: &str) -> String {
    let two = name.rmatch_indices('.').nth(1).map(|(at, _)| at);
    letters(two.and_then(|at| name.get(at..)).unwrap_or(name))
}

/// Others' rows, and what their values are called.
struct Foreign<'r> {
    rows: &'r [Item<'r>],
    names: &'r [String],
}

impl<'r> Foreign<'r> {
    /// The column with the first of these names. What is deeper is of something else: of a trade's side, or of its pool.
    fn find(&self, known: &str, fits: &dyn Fn(&str) -> bool) -> Option<&'r str> {
        known.split(' ').find_map(|known| {
            let is_it = |name: &&String| (last(name) == known || last_two(name) == known) && fits(name);
            let found = self.names.iter().filter(is_it).min_by_key(|name| name.matches('.').count());
            found.map(String::as_str)
        })
    }

    /// The column of one side of a swap.
    fn of_side(&self, way: [&str; 3], what: &[&str]) -> Option<&'r str> {
        let is_it = |name: &&String| {
            let whole = letters(name);
            way.iter().any(|way| whole.contains(way)) && what.iter().any(|what| last(name).ends_with(what))
        };
        self.names.iter().find(is_it).map(String::as_str)
    }

    fn values(&self, name: &str) -> impl Iterator<Item = String> {
        self.rows.iter().take(LOOKED_AT).filter_map(move |row| text_at(*row, name))
    }

    fn says_side(&self, name: &str) -> bool {
        let is_word = |text: &str| matches!(text, "buy" | "sell" | "true" | "false" | "0" | "1");
        self.values(name).any(|text| is_word(&text.to_ascii_lowercase()))
    }

    /// The mapping of a field to the column with one of its names.
    fn mapped(&self, field: &str, known: &str) -> Option<Tape> {
        let name = self.find(known, &|name| field != "side" || self.says_side(name))?;
        if let Some(words) = (field == "side").then(|| words_of(self.rows, name)).flatten() {
            return Some(words);
        }
        // The first trade of a token may have another name for what it bought.
        let first = self.find("initialbuy", &|_| field == "tokens");
        let column = first.map_or_else(|| name.to_tape(), |first| vec![name, first].to_tape());
        // What is called as in a recording and whole may be what it is called.
        let is_other = |value: &String| name != field || field == "atMs" || is_fraction(value);
        let unit = self.values(name).next().filter(is_other).and_then(|value| unit_of(field, name, &value));
        Some(match unit {
            Some(unit) => object! { "column": column, "unit": unit },
            None => column,
        })
    }
}

/// The mapping that the names and first values of foreign rows suggest, as JSON; none if hardly any is known, or each has its own name and that
/// was not all (`is_named`). Also whether it has a time.
pub(super) fn suggested(
    rows: &[Item],
    names: &[String],
    place: Option<&str>,
    is_named: bool,
) -> (Option<String>, bool) {
    let foreign = Foreign { rows, names };
    let (bought, sold) = (["bought", "tradebuy", "swapto"], ["sold", "tradesell", "swapfrom"]);
    let both = |what: &[&str]| foreign.of_side(bought, what).zip(foreign.of_side(sold, what));
    let (mints, amounts) = (both(&["mint", "mintaddress"]), both(&["amount"]));
    // A transaction that was parsed says what went into its swap, and what came out.
    let swap = names.iter().find_map(|name| name.strip_suffix(PAID).or(name.strip_suffix(BROUGHT)));
    let of_sides = |field| match (field, mints, amounts) {
        ("mint", Some((bought, sold)), _) => Some(object! { "buy": bought, "sell": sold }),
        ("side", Some((bought, sold)), _) => {
            Some(object! { "buy": has(sold, SOL), "sell": has(bought, SOL) })
        }
        ("lamports", _, Some((bought, sold))) => Some(object! { "buy": sold, "sell": bought, "unit": "sol" }),
        ("tokens", _, Some((bought, sold))) => {
            Some(object! { "buy": bought, "sell": sold, "unit": "tokens" })
        }
        _ => None,
    };
    let mapped = KNOWN.into_iter().filter_map(|(field, known)| {
        let of_swap = swap.and_then(|swap| of_swap(field, swap));
        let mapped = of_swap.or_else(|| of_sides(field)).or_else(|| foreign.mapped(field, known))?;
        Some((field, mapped))
    });
    let place = place.map(|place| ("rows", place.to_tape()));
    let fields: Vec<(&str, Tape)> = place.into_iter().chain(mapped).collect();
    let is_own = |(field, mapped): &(&str, Tape)| mapped.root().text() == Some(field);
    let is_of_use = fields.len() > 1 && (is_named || !fields.iter().all(is_own));
    let has_time = fields.iter().any(|(field, _)| *field == "atMs");
    (is_of_use.then(|| json::write(&Tape::object(&fields))), has_time)
}

/// Which word a column has.
fn has(name: &str, word: &str) -> Tape {
    Tape::object(&[(name, word)])
}

/// The mapping of a field to the columns of a parsed transaction's swap.
fn of_swap(field: &str, swap: &str) -> Option<Tape> {
    let of = |buy: &str, sell: &str| object! { "buy": [swap, buy].concat(), "sell": [swap, sell].concat() };
    let plus = |amount: &str| has(&[swap, amount].concat(), "+");
    match field {
        "mint" => Some(of(".tokenOutputs.0.mint", ".tokenInputs.0.mint")),
        "side" => Some(object! { "buy": plus(PAID), "sell": plus(BROUGHT) }),
        "lamports" => Some(of(PAID, BROUGHT)),
        "tokens" => Some(of(
            ".tokenOutputs.0.rawTokenAmount.tokenAmount",
            ".tokenInputs.0.rawTokenAmount.tokenAmount",
        )),
        _ => None,
    }
}

fn is_fraction(text: &str) -> bool {
    Decimal::from_number(text).is_ok_and(|number| !number.is_integer())
}

/// Whether the first rows have, under a recording's own names, values that only a mapping reads: amounts in whole SOL or tokens, a date.
pub(super) fn need_mapping(rows: &[Item]) -> bool {
    rows.iter().take(LOOKED_AT).any(|row| {
        let has = |name, is: &dyn Fn(&str) -> bool| text_at(*row, name).is_some_and(|text| is(&text));
        let is_case = |text: &str| {
            text != text.to_ascii_lowercase() && matches!(text.to_ascii_lowercase().as_str(), "buy" | "sell")
        };
        has("lamports", &is_fraction)
            || has("tokens", &is_fraction)
            || has("atMs", &|text| time_of(text).is_some())
            || has("side", &is_case)
    })
}

/// The words of a column that says the side, if it has others than buy and sell: a token's creation is the first buy, and what is neither,
/// or nothing, is no trade.
fn words_of(rows: &[Item], name: &str) -> Option<Tape> {
    let (mut buys, mut others) = (vec!["buy".to_owned()], BTreeSet::new());
    for row in rows.iter().take(LOOKED_AT) {
        let Some(text) = text_at(*row, name) else {
            others.insert(String::new());
            continue;
        };
        match text.to_ascii_lowercase().as_str() {
            "buy" | "sell" | "true" | "false" | "0" | "1" => {}
            "create" if buys.len() == 1 => buys.push(text),
            "create" => {}
            _ => drop(others.insert(text)),
        }
    }
    if buys.len() == 1 && others.is_empty() {
        return None;
    }
    let words = |words: Vec<String>| Tape::object(&[(name, words)]);
    let mut sides = vec![("buy", words(buys)), ("sell", words(vec!["sell".to_owned()]))];
    if !others.is_empty() {
        sides.push(("skip", words(others.into_iter().collect())));
    }
    Some(Tape::object(&sides))
}

/// The unit that a value suggests, if it is not that of a recording.
fn unit_of(field: &str, name: &str, value: &str) -> Option<&'static str> {
    let number = Decimal::from_number(value.strip_prefix('-').unwrap_or(value)).ok()?;
    let is_below = |most: u64| number < Decimal::from_units(most, 0);
    let is_small = |most| !number.is_integer() || value.contains(['.', 'e']) || is_below(most);
    match field {
        "atMs" if is_below(1_000_000_000) => None,
        "atMs" if is_below(100_000_000_000) => Some("s"),
        "atMs" if is_below(100_000_000_000_000) => None,
        "atMs" if is_below(100_000_000_000_000_000) => Some("us"),
        "atMs" => Some("ns"),
        "lamports" if is_fraction(value) => Some("sol"),
        "lamports" if !letters(name).contains("lamport") && is_small(1_000_000) => Some("sol"),
        "tokens" if is_small(1_000_000_000) => Some("tokens"),
        _ => None,
    }
}
