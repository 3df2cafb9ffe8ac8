//! A pasted table for a bundle: a wallet in each row, with its amount or percentage and perhaps its slippage.
//!
//! Each row of the text gives a row of the result, even if something is wrong in it: leaving a row out would leave out a trade,
//! or its limit.

use super::cells::{Cell, Line, Separator, lines};
use super::number::{PERCENT, Problem, Typed, read_amount, read_percentage, read_slippage, reads_as_group};
use crate::amount::{Decimal, Digits, SOL_DECIMALS};
use crate::error::FieldCode;
use crate::hidden::{HIDDEN, is_hidden};
use crate::record;

/// Fraction digits that a weight may have.
const WEIGHT_DECIMALS: u8 = 6;

/// What the trades of a table do, which determines the unit of its amounts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Due {
    /// Amounts are SOL.
    Buy,
    /// Amounts are whole tokens, or percentages.
    Sell {
        /// Fraction digits of a whole token.
        token_decimals: u8,
    },
}

record! {
    /// A pasted table.
    TypedTable {
        /// Every row in order, including those with problems, but not the header or blank rows.
        rows: Vec<TypedRow> => "TypedRow[]",
        /// What is wrong, by line. Do not send a table that has problems.
        problems: Vec<TableProblem> => "TableProblem[]",
    }
}

record! {
    /// A row of a pasted table. A number is exact plain text, `"0.5"` for `0,5`; one with a problem stays as it was pasted.
    TypedRow {
        /// Its line in the text, from 1.
        line: u32 => "number",
        /// The wallet.
        wallet: String => "string",
        /// SOL to spend, or whole tokens to sell.
        amount: Option<String> => "string | null",
        /// The share of what the wallet holds to sell, in percent.
        percentage: Option<String> => "string | null",
        /// Its part of a total that is split by weights, in proportion to those of the other rows.
        weight: Option<String> => "string | null",
        /// Its own slippage, in percent.
        slippage: Option<String> => "string | null",
    }
}

record! {
    /// What is wrong in a pasted table.
    TableProblem {
        /// The line in the text, from 1.
        line: u32 => "number",
        /// The field of the row that it is about; `null` for the row as a whole.
        field: Option<String> => "\"wallet\" | \"amount\" | \"percentage\" | \"weight\" | \"slippage\" | null",
        /// The stable code.
        code: FieldCode => "FieldCode",
        /// A sentence for a person, which names the line.
        message: String => "string",
    }
}

/// Reads a pasted table of CSV or TSV. `names` are what the reader of the table also calls its wallets: they may have spaces.
///
/// ```
/// use launchpad_desk::typed::{Due, read_table};
/// let table = read_table("Wallet;Amount (SOL)\nada;0,5\nbob;1,000", Due::Buy, &[]);
/// assert_eq!(table.rows[0].amount.as_deref(), Some("0.5"));
/// assert_eq!(table.problems[0].message, "line 3: amount may be 1.000 or 1000: type 1.0 or 1000");
/// assert_eq!(read_table("Sniper 1 0.5", Due::Buy, &["Sniper 1"]).rows[0].wallet, "Sniper 1");
/// ```
pub fn read_table(text: &str, due: Due, names: &[&str]) -> TypedTable {
    let separator = Separator::of(text);
    let mut lines: Vec<Line> = lines(text, separator, names, 1).collect();
    let mut reading = Reading { due, names, columns: Vec::new(), problems: Vec::new() };
    if lines.first().is_some_and(is_header) {
        let header = lines.remove(0);
        reading.header(&header);
    } else {
        let widest = lines.iter().map(|line| line.cells.len()).max().unwrap_or(0);
        let usual = [Column::Wallet, Column::Amount(None), Column::Slippage { in_bps: false }];
        reading.columns = usual.into_iter().take(widest.max(1)).collect();
        match separator {
            Separator::Mark(',') => reading.refuse_split_amounts(&lines, true),
            Separator::Spaces => reading.refuse_split_amounts(&lines, false),
            Separator::Mark(_) => {}
        }
    }
    let rows: Vec<TypedRow> = lines.into_iter().map(|line| reading.row(line)).collect();
    reading.refuse_a_mix(&rows);
    TypedTable { rows, problems: reading.problems }
}

/// What the cells of a column are.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Column {
    Wallet,
    /// In the unit that the header names, if any.
    Amount(Option<Unit>),
    Percentage,
    Weight,
    Slippage {
        in_bps: bool,
    },
    /// Unknown: it was refused because of its header.
    Unknown,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Unit {
    Sol,
    Lamports,
    Tokens,
    BaseUnits,
}

/// The names of columns, in lower case and only with letters and digits. The field names of requests are among them.
const COLUMNS: &[(&[&str], Column)] = &[
    (&["wallet", "walletaddress", "address", "fromwallet", "from", "publickey", "pubkey"], Column::Wallet),
    (&["amount"], Column::Amount(None)),
    (&["sol", "amountsol", "amountinsol"], Column::Amount(Some(Unit::Sol))),
    (&["lamports", "amountlamports", "amountinlamports"], Column::Amount(Some(Unit::Lamports))),
    (
        &["token", "tokens", "amounttokens", "amountintoken", "amountintokens"],
        Column::Amount(Some(Unit::Tokens)),
    ),
    (&["baseunits", "amountbaseunits", "amountinbaseunits"], Column::Amount(Some(Unit::BaseUnits))),
    (&["%", "percent", "percentage", "amount%", "amountpercent"], Column::Percentage),
    (&["weight", "weights", "share", "shares"], Column::Weight),
    (&["slippage", "slippage%", "slippagepercent", "slippageinpercent"], Column::Slippage { in_bps: false }),
    (&["slippagebps", "slippageinbps"], Column::Slippage { in_bps: true }),
];

fn column(name: &str) -> Column {
    let letters = name.bytes().filter(|byte| byte.is_ascii_alphanumeric() || *byte == b'%');
    let name: String = letters.map(|letter| char::from(letter.to_ascii_lowercase())).collect();
    let known = COLUMNS.iter().find(|(names, _)| names.contains(&name.as_str()));
    known.map_or(Column::Unknown, |(_, column)| *column)
}

/// A line that contains the name of a column, and no number.
fn is_header(line: &Line) -> bool {
    let has_number =
        |cell: &Cell| cell.text.starts_with(|c: char| c.is_ascii_digit() || matches!(c, '.' | ','));
    line.cells.iter().any(|cell| column(&cell.text) != Column::Unknown) && !line.cells.iter().any(has_number)
}

impl Column {
    /// The field of a row.
    fn field(self) -> Option<&'static str> {
        match self {
            Column::Wallet => Some("wallet"),
            Column::Amount(_) => Some("amount"),
            Column::Percentage => Some("percentage"),
            Column::Weight => Some("weight"),
            Column::Slippage { .. } => Some("slippage"),
            Column::Unknown => None,
        }
    }

    /// Whether only the other kind of trade has such a column.
    fn is_of_others(self, due: Due) -> bool {
        match due {
            Due::Sell { .. } => matches!(self, Column::Amount(Some(Unit::Sol | Unit::Lamports))),
            Due::Buy => {
                matches!(self, Column::Amount(Some(Unit::Tokens | Unit::BaseUnits)) | Column::Percentage)
            }
        }
    }
}

struct Reading<'a> {
    due: Due,
    names: &'a [&'a str],
    columns: Vec<Column>,
    problems: Vec<TableProblem>,
}

impl Reading<'_> {
    fn refuse(&mut self, line: u32, field: Option<&str>, code: FieldCode, what: &[&str]) {
        self.add(line, field, code, &[field.unwrap_or("the row"), " ", &what.concat()]);
    }

    fn refuse_missing(&mut self, line: u32, field: &str) {
        self.refuse(line, Some(field), FieldCode::Required, &["is missing"]);
    }

    fn refuse_column(&mut self, line: u32, name: &str, code: FieldCode, what: &str) {
        self.add(line, None, code, &["the column ", name, " ", what]);
    }

    /// Adds a problem after those of its line and the lines before it.
    fn add(&mut self, line: u32, field: Option<&str>, code: FieldCode, what: &[&str]) {
        let message = ["line ", &line.digits(), ": ", &what.concat()].concat();
        let place = self.problems.partition_point(|before| before.line <= line);
        self.problems.insert(place, TableProblem { line, field: field.map(str::to_owned), code, message });
    }

    fn header(&mut self, header: &Line) {
        for cell in &header.cells {
            let mut found = column(&cell.text);
            let is_again =
                found.field().is_some() && self.columns.iter().any(|column| column.field() == found.field());
            let wrong = match found {
                // A spreadsheet's empty column. If a cell below is not empty, it is refused in its row.
                Column::Unknown if cell.text.is_empty() => None,
                Column::Unknown => Some((
                    FieldCode::UnknownField,
                    "is unknown: remove it, or name it wallet, amount, percentage, weight or slippage",
                )),
                _ if is_again => Some((FieldCode::Conflict, "appears twice")),
                _ if found.is_of_others(self.due) => Some(match self.due {
                    Due::Buy => (FieldCode::Conflict, "is for a sell, but these are buys"),
                    Due::Sell { .. } => (FieldCode::Conflict, "is for a buy, but these are sells"),
                }),
                _ => None,
            };
            if let Some((code, what)) = wrong {
                found = Column::Unknown;
                self.refuse_column(header.number, &cell.text, code, what);
            }
            self.columns.push(found);
        }
        if !self.columns.contains(&Column::Wallet) {
            self.refuse_column(header.number, "wallet", FieldCode::Required, "is missing");
        }
    }

    /// Without a header, `ada,1,5` may mean one and a half, or one with a slippage of five; `ada 1 000` and `ada,1,000.5` a thousand, or one
    /// without any.
    fn refuse_split_amounts(&mut self, lines: &[Line], are_commas: bool) {
        let is_digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
        for line in lines {
            if are_commas {
                self.refuse_split_name(line);
            }
            let [amount, slippage] =
                [1, 2].map(|at| line.cells.get(at).map_or("", |cell| cell.text.as_str()));
            let (whole, fraction) = slippage.split_once('.').unwrap_or((slippage, "0"));
            let is_decimal = are_commas && whole == slippage;
            let may_be_one = is_decimal || reads_as_group(amount, whole);
            if may_be_one && [amount, whole, fraction].into_iter().all(is_digits) {
                let mark = if is_decimal { "." } else { "" };
                let both = [amount, mark, slippage, ", or ", amount].concat();
                let what =
                    ["may have the amount ", &both, " and a slippage: add a line with the columns' names"];
                self.refuse(line.number, None, FieldCode::Ambiguous, &what);
            }
        }
    }

    /// Refuses a name that is also a shorter one with a number after it: `Sniper 1,5` without a header may be 1.5 for Sniper.
    fn refuse_split_name(&mut self, line: &Line) {
        let [wallet, amount] = [0, 1].map(|at| line.cells.get(at).map_or("", |cell| cell.text.as_str()));
        let Some((name, digits)) = wallet.rsplit_once(' ') else { return };
        let is_known = |name| self.names.contains(&name);
        let are_digits =
            [digits, amount].into_iter().all(|text| text.bytes().all(|byte| byte.is_ascii_digit()));
        if is_known(wallet) && is_known(name) && are_digits && line.cells.len() == 2 {
            let whole = [digits, ".", amount, " for ", name].concat();
            let other = [amount, " for ", wallet, ": add a line with the columns' names"].concat();
            self.refuse(
                line.number,
                None,
                FieldCode::Ambiguous,
                &["may have the amount ", &whole, ", or ", &other],
            );
        }
    }

    fn row(&mut self, line: Line) -> TypedRow {
        let number = line.number;
        let mut row = TypedRow {
            line: number,
            wallet: String::new(),
            amount: None,
            percentage: None,
            weight: None,
            slippage: None,
        };
        let mut cells = line.cells.into_iter();
        for column in self.columns.clone() {
            let Cell { text, problem } = cells.next().unwrap_or_default();
            if let Some(problem) = problem {
                self.refuse(number, column.field(), FieldCode::Unreadable, &["has ", problem]);
            }
            self.read(column, text, &mut row);
        }
        if cells.any(|cell| cell.has_something()) {
            let most = self.columns.len().digits();
            let what = ["has more than ", &most, " cells: an amount with a comma needs quotes around it"];
            self.refuse(number, None, FieldCode::TooMany, &what);
        }
        if row.wallet.is_empty() {
            self.refuse_missing(number, "wallet");
        }
        // A list with only wallets is allowed: amounts may be added later.
        let has_weights = self.columns.contains(&Column::Weight);
        if has_weights && row.weight.is_none() {
            self.refuse_missing(number, "weight");
        }
        if has_weights && (row.amount.is_some() || row.percentage.is_some()) {
            let what = "has a weight and an amount or a percentage: use only one";
            self.refuse(number, None, FieldCode::Conflict, &[what]);
        }
        if !has_weights && self.columns.len() > 1 && row.amount.is_none() && row.percentage.is_none() {
            self.refuse_missing(number, "amount");
        }
        if row.amount.is_some() && row.percentage.is_some() {
            let what = "has an amount and a percentage: use only one";
            self.refuse(number, None, FieldCode::Conflict, &[what]);
        }
        row
    }

    /// Reads a cell into its row.
    fn read(&mut self, column: Column, text: String, row: &mut TypedRow) {
        let column = match column {
            // A percent sign names the unit.
            Column::Amount(None) if text.ends_with(PERCENT) => Column::Percentage,
            column => column,
        };
        if text.is_empty() {
            return;
        }
        match column {
            Column::Unknown => {
                self.refuse(
                    row.line,
                    None,
                    FieldCode::UnknownField,
                    &["has “", &text, "” in an unknown column"],
                );
            }
            Column::Wallet => {
                let is_name = self.names.iter().any(|name| name.eq_ignore_ascii_case(&text));
                if !is_name && let Some((code, what)) = wallet_problem(&text) {
                    self.refuse(row.line, Some("wallet"), code, &[what]);
                }
                row.wallet = text;
            }
            Column::Percentage if self.due == Due::Buy => {
                let what = "is a percentage, and a buy spends SOL";
                self.refuse(row.line, Some("amount"), FieldCode::Conflict, &[what]);
                row.amount = Some(text);
            }
            Column::Amount(unit) => {
                let amount = match (unit, self.due) {
                    (Some(Unit::Lamports), _) => whole_units(&text, SOL_DECIMALS),
                    (Some(Unit::BaseUnits), Due::Sell { token_decimals }) => {
                        whole_units(&text, token_decimals)
                    }
                    (_, Due::Sell { token_decimals }) => read_amount(&text, token_decimals),
                    (_, Due::Buy) => read_amount(&text, SOL_DECIMALS),
                };
                row.amount = Some(self.number(row.line, "amount", amount, text));
            }
            Column::Percentage => {
                row.percentage = Some(self.number(row.line, "percentage", read_percentage(&text), text));
            }
            Column::Weight => {
                row.weight = Some(self.number(row.line, "weight", read_amount(&text, WEIGHT_DECIMALS), text));
            }
            Column::Slippage { in_bps } => {
                let slippage = if in_bps { slippage_in_bps(&text) } else { read_slippage(&text) };
                row.slippage = Some(self.number(row.line, "slippage", slippage, text));
            }
        }
    }

    /// The number as exact text, or the text as it was pasted.
    fn number(&mut self, line: u32, field: &str, typed: Typed, text: String) -> String {
        let problem = match typed {
            Typed::Read(number) => return number.text(),
            // In a pasted table, an unfinished number is wrong.
            Typed::Incomplete(problem) | Typed::Wrong(problem) => problem,
        };
        self.refuse(line, Some(field), problem.code, &[&problem.message]);
        text
    }

    /// Sells by amount and by percentage are different operations, so a table has one or the other.
    fn refuse_a_mix(&mut self, rows: &[TypedRow]) {
        let percentages = rows.iter().filter(|row| row.percentage.is_some()).count();
        let odd_is_percentage = percentages * 2 < rows.len();
        let amounts = rows.iter().filter(|row| row.amount.is_some()).count();
        if percentages == 0 || amounts == 0 {
            return;
        }
        let (odd, others) =
            if odd_is_percentage { ("percentage", "amounts") } else { ("amount", "percentages") };
        for row in rows
            .iter()
            .filter(|row| if odd_is_percentage { row.percentage.is_some() } else { row.amount.is_some() })
        {
            let what = ["must not be mixed with other rows' ", others, " in one bundle"];
            self.refuse(row.line, Some(odd), FieldCode::Conflict, &what);
        }
    }
}

/// A wallet as a request may have it. If it contains a separator, its row is separated differently from the others.
fn wallet_problem(wallet: &str) -> Option<(FieldCode, &'static str)> {
    if wallet.contains(|c: char| c.is_whitespace() || c.is_control()) {
        return Some((FieldCode::WhiteSpace, "has white space or control characters in it"));
    }
    if wallet.contains(is_hidden) {
        return Some((FieldCode::WhiteSpace, HIDDEN));
    }
    if wallet.contains([',', ';', '"', '|', '，', '；']) {
        return Some((FieldCode::Unreadable, "contains a separator: use a tab, ; or , in all lines"));
    }
    let is_long = wallet.chars().nth(128).is_some();
    is_long.then_some((FieldCode::TooLong, "is longer than 128 characters"))
}

/// A whole number of base units, converted to whole tokens or SOL.
fn whole_units(text: &str, decimals: u8) -> Typed {
    match read_amount(text, 0) {
        Typed::Read(units) => match units.to_units(0) {
            Ok(units) => Typed::Read(Decimal::from_units(units, decimals)),
            Err(_) => Typed::Wrong(Problem::new(FieldCode::OutOfRange, "is too large")),
        },
        typed => typed,
    }
}

/// A slippage in basis points, in percent.
fn slippage_in_bps(text: &str) -> Typed {
    let over = || Typed::Wrong(Problem::new(FieldCode::OutOfRange, "is over 10000 basis points"));
    match read_amount(text, 2) {
        Typed::Read(bps) if bps > Decimal::from_units(10_000, 0) => over(),
        Typed::Read(bps) => bps.shift(-2).map_or_else(|_| over(), Typed::Read),
        // Zero is a valid slippage: the bound is the quote itself.
        Typed::Incomplete(Problem { code: FieldCode::NotPositive, .. }) => Typed::Read(Decimal::default()),
        typed => typed,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SELL: Due = Due::Sell { token_decimals: 6 };

    /// The rows, one a line, and the problems.
    fn shown(text: &str, due: Due) -> (String, Vec<String>) {
        let table = read_table(text, due, &[]);
        let figure = |figure: &Option<String>| figure.clone().unwrap_or("-".to_owned());
        let row = |row: &TypedRow| {
            let figures = [&row.amount, &row.percentage, &row.slippage].map(figure);
            [&row.line.digits(), &row.wallet, &figures[0], &figures[1], &figures[2]]
                .map(String::as_str)
                .join(" ")
        };
        let rows: Vec<String> = table.rows.iter().map(row).collect();
        (rows.join("\n"), table.problems.into_iter().map(|problem| problem.message).collect())
    }

    fn problems(text: &str, due: Due) -> Vec<String> {
        let (_, problems) = shown(text, due);
        problems
    }

    #[test]
    fn a_number_after_a_known_name_may_be_of_the_name_or_of_the_amount() {
        let names = ["Sniper", "Sniper 1", "Ada 2"];
        let said = |text: &str| -> Vec<String> {
            read_table(text, Due::Buy, &names).problems.into_iter().map(|problem| problem.message).collect()
        };
        let ambiguous = "line 1: the row may have the amount 1.5 for Sniper, or 5 for Sniper 1: add a line with the columns' names";
        assert_eq!(said("Sniper 1,5"), [ambiguous]);
        for clear in ["Sniper 1;5", "Sniper 1;1,5", "Ada 2,5", "Sniper,5", "wallet,amount\nSniper 1,5"] {
            assert_eq!(said(clear), [""; 0], "{clear}");
        }
    }

    #[test]
    fn a_known_name_is_a_wallet_whatever_spaces_it_has() {
        let names = ["Sniper 1", "Sniper 12", "Ada"];
        let read = |text: &str| {
            let TypedTable { rows, problems } = read_table(text, Due::Buy, &names);
            let row = |row: TypedRow| (row.wallet, row.amount.unwrap_or_default());
            let said: Vec<String> = problems.into_iter().map(|problem| problem.message).collect();
            (rows.into_iter().map(row).collect::<Vec<_>>(), said)
        };
        let rows = |rows: &[(&str, &str)]| -> Vec<(String, String)> {
            rows.iter().map(|(wallet, amount)| ((*wallet).to_owned(), (*amount).to_owned())).collect()
        };
        for text in
            ["Sniper 1\nsniper 12\nada", " Sniper 1 \n  sniper 12\nada", "Sniper 1;\nsniper 12;\nada;"]
        {
            let (read, problems) = read(text);
            assert_eq!(read, rows(&[("Sniper 1", ""), ("sniper 12", ""), ("ada", "")]), "{text:?}");
            assert!(problems.is_empty() || text.contains(';'), "{problems:?}");
        }
        for text in
            ["Sniper 1 0.5\nSniper 12 2", "Sniper 1\t0.5\nSniper 12\t2", "\"Sniper 1\",0.5\nSniper 12,2"]
        {
            assert_eq!(read(text), (rows(&[("Sniper 1", "0.5"), ("Sniper 12", "2")]), vec![]), "{text:?}");
        }
        // Of a name that nobody knows, a space ends it, as of any wallet.
        assert_eq!(read("Sniper 3 0.5").0, rows(&[("Sniper", "3")]));
        assert_eq!(read("Sniper 3\t0.5").1, ["line 1: wallet has white space or control characters in it"],);
        let two = read_table("Sniper 1 0.5", Due::Buy, &["Sniper", "Sniper 1"]);
        assert_eq!(
            two.problems[0].message,
            "line 1: wallet has more than one known name in it: put a tab or a comma after it",
        );
        assert_eq!(read_table("Sniper 1,0.5", Due::Buy, &["Sniper", "Sniper 1"]).problems, []);
    }

    #[test]
    fn weights_stand_in_the_place_of_amounts() {
        for text in ["wallet,weight\nada,3\nbob,0.5", "Wallet\tShare\nada\t3\nbob\t0,5"] {
            let TypedTable { rows, problems } = read_table(text, Due::Buy, &[]);
            let weights: Vec<_> =
                rows.iter().map(|row| (row.wallet.as_str(), row.weight.as_deref())).collect();
            assert_eq!(weights, [("ada", Some("3")), ("bob", Some("0.5"))]);
            assert!(problems.is_empty() && rows.iter().all(|row| row.amount.is_none()), "{problems:?}");
        }
        let wrong = "wallet,weight,amount\nada,3,\nbob,,1\ncyd,30%,\ndee,2,1\neve,0,";
        assert_eq!(
            problems(wrong, SELL),
            [
                "line 3: weight is missing",
                "line 3: the row has a weight and an amount or a percentage: use only one",
                "line 4: weight has a unit in it: type 30 if this field is in %",
                "line 5: the row has a weight and an amount or a percentage: use only one",
                "line 6: weight must be above zero",
            ]
        );
    }

    #[test]
    fn every_separator_gives_the_same_rows() {
        let rows = "2 ada 0.5 - 1\n3 bob 1.25 - -";
        for text in [
            "wallet,amount,slippage\nada,0.5,1\nbob,1.25,",
            "Wallet\tAmount (SOL)\tSlippage %\r\nada\t0,5\t1\r\nbob\t1.25",
            "\u{feff}From Wallet; SOL; Slippage\nada; 0,5; 1%\nbob;1.25;\n\n",
            "wallet amount slippage\nada .5 1\nbob  1.25  ",
            "fromWallet,amountInLamports,slippage_bps\r\"ada\",500000000,100\r bob , 1250000000 ,,\r,,\r",
            "slippage;wallet;amount\n1;ada;\"0,5\"\n;bob;\"1.25\"",
        ] {
            assert_eq!(shown(text, Due::Buy), (rows.to_owned(), vec![]), "{text}");
        }
        assert_eq!(shown("ada,0.5,1\nbob,1.25", Due::Buy).0, "1 ada 0.5 - 1\n2 bob 1.25 - -");
        assert_eq!(shown("ada\nbob\n", Due::Buy), ("1 ada - - -\n2 bob - - -".to_owned(), vec![]));
        assert_eq!(shown("wallet\nada", SELL), ("2 ada - - -".to_owned(), vec![]));
        assert_eq!(shown("  \n \n", Due::Buy), (String::new(), vec![]));
    }

    #[test]
    fn a_sell_has_tokens_or_percentages() {
        assert_eq!(shown("wallet,tokens\nada,1.5", SELL).0, "2 ada 1.5 - -");
        assert_eq!(shown("wallet,baseUnits\nada,1500000", SELL).0, "2 ada 1.5 - -");
        assert_eq!(shown("wallet,percentage\nada,50\nbob,12.5%", SELL).0, "2 ada - 50 -\n3 bob - 12.5 -");
        assert_eq!(shown("ada;50 %\nbob;100%", SELL), ("1 ada - 50 -\n2 bob - 100 -".to_owned(), vec![]));
        let mixed = "line 3: percentage must not be mixed with other rows' amounts in one bundle";
        assert_eq!(problems("ada,1\nbob,2\ncy,50%", SELL), [mixed]);
        let both = "line 2: the row has an amount and a percentage: use only one";
        assert_eq!(problems("wallet,amount,percentage\nada,1,50", SELL)[0], both);
    }

    #[test]
    fn a_unit_after_a_space_belongs_to_its_number() {
        for text in ["ada 50 %\nbob 12.5 ％", "ada 50％\nbob 12.5٪", "wallet amount\nada 50 %\nbob 12.5%"]
        {
            assert_eq!(problems(text, SELL), [""; 0], "{text}");
            assert!(shown(text, SELL).0.ends_with("bob - 12.5 -"), "{text}");
        }
        assert_eq!(shown("ada 0.5 5 %", Due::Buy), ("1 ada 0.5 - 5".to_owned(), vec![]));
        for unit in ["SOL", "sol", "◎"] {
            let why = ["line 1: amount has a unit in it: type 0.5 if this field is in ", unit].concat();
            assert_eq!(problems(&["ada 0.5 ", unit].concat(), Due::Buy), [why]);
        }
        assert_eq!(problems("ada 50 percent", SELL), ["line 1: slippage is not a number"]);
        assert_eq!(shown("from 50", Due::Buy), ("1 from 50 - -".to_owned(), vec![]), "a wallet of that name");
        assert_eq!(shown("wallet SOL\nada 1", Due::Buy), ("2 ada 1 - -".to_owned(), vec![]));
        assert_eq!(shown("amount wallet\n1 SOL", Due::Buy), ("2 SOL 1 - -".to_owned(), vec![]));
    }

    #[test]
    fn a_separator_that_is_none_is_refused() {
        for text in ["wallet|amount\nada|0.5", "ada，0.5", "ada；0.5"] {
            let why = "wallet contains a separator: use a tab, ; or , in all lines";
            assert!(problems(text, Due::Buy)[0].ends_with(why), "{text}");
        }
    }

    #[test]
    fn a_column_that_is_not_due_is_refused() {
        for (header, due, problem) in [
            ("wallet,tokens", Due::Buy, "line 1: the column tokens is for a sell, but these are buys"),
            (
                "wallet,amountInLamports",
                SELL,
                "line 1: the column amountInLamports is for a buy, but these are sells",
            ),
            (
                "wallet,note",
                Due::Buy,
                "line 1: the column note is unknown: remove it, or name it wallet, amount, percentage, weight or slippage",
            ),
            ("wallet,amount,SOL", Due::Buy, "line 1: the column SOL appears twice"),
            ("amount,slippage", Due::Buy, "line 1: the column wallet is missing"),
        ] {
            assert_eq!(problems(header, due), [problem]);
        }
        let (rows, problems) = shown("wallet,amount,note\nada,1,all", Due::Buy);
        assert_eq!(
            (rows.as_str(), &*problems[1]),
            ("2 ada 1 - -", "line 2: the row has “all” in an unknown column")
        );
    }

    #[test]
    fn each_bad_row_is_named_and_kept() {
        let text = "wallet;amount;slippage\nada;1,000;0.5\n;1\nbob;;\ncy;0;\ndee;5.;200\neve;x;1,0000\nf g;1\ngus;1;1;1\nhal;0.0000000001\n\"ida;1\n\"jo\"e;1\nkim,1";
        let (rows, found) = shown(text, Due::Buy);
        assert_eq!(rows.lines().count(), 12);
        assert_eq!(rows.lines().next(), Some("2 ada 1,000 - 0.5"));
        assert_eq!(
            found,
            [
                "line 2: amount may be 1.000 or 1000: type 1.0 or 1000",
                "line 3: wallet is missing",
                "line 4: amount is missing",
                "line 5: amount must be above zero",
                "line 6: amount ends with a decimal mark",
                "line 6: slippage is over 100 %",
                "line 7: amount is not a number",
                "line 8: wallet has white space or control characters in it",
                "line 9: the row has more than 3 cells: an amount with a comma needs quotes around it",
                "line 10: amount has more than 9 decimals",
                "line 11: wallet has an unclosed quote",
                "line 11: wallet contains a separator: use a tab, ; or , in all lines",
                "line 11: amount is missing",
                "line 12: wallet has text after its closing quote",
                "line 13: wallet contains a separator: use a tab, ; or , in all lines",
                "line 13: amount is missing",
            ]
        );
        assert_eq!(problems_of_slippage("10001"), ["line 2: slippage is over 10000 basis points"]);
        assert_eq!(problems_of_slippage("0"), [""; 0]);
        assert_eq!(problems("ada,50%", Due::Buy), ["line 1: amount is a percentage, and a buy spends SOL"]);
    }

    fn problems_of_slippage(bps: &str) -> Vec<String> {
        problems(&["wallet,amount,slippage bps\nada,1,", bps].concat(), Due::Buy)
    }

    #[test]
    fn decimal_commas_between_commas_are_not_guessed() {
        let either = "line 1: the row may have the amount 1.5, or 1 and a slippage: add a line with the columns' names";
        assert_eq!(problems("ada,1,5", Due::Buy), [either]);
        assert_eq!(problems("ada,1.5,5", Due::Buy), [""; 0]);
        let more = "line 2: the row has more than 2 cells: an amount with a comma needs quotes around it";
        assert_eq!(problems("wallet,amount\nada,1,5", Due::Buy), [more]);
        assert_eq!(shown("wallet,amount\nada,\"1,5\"", Due::Buy), ("2 ada 1.5 - -".to_owned(), vec![]));
    }

    #[test]
    fn thousands_between_spaces_are_not_guessed() {
        for (line, amount, first) in [
            ("ada 1 000", "1000", "1"),
            ("ada\u{a0}25\u{202f}050", "25050", "25"),
            ("ada 1 000.5", "1000.5", "1"),
            ("ada,1,000.50", "1000.50", "1"),
        ] {
            let either = format!(
                "line 1: the row may have the amount {amount}, or {first} and a slippage: add a line with the columns' names"
            );
            assert_eq!(problems(line, Due::Buy), [either], "{line}");
        }
        assert_eq!(problems("ada 1.5 100", Due::Buy), [""; 0]);
        assert_eq!(problems("ada 1 5", Due::Buy), [""; 0]);
        assert_eq!(problems("ada 1 5.5", Due::Buy), [""; 0]);
        assert_eq!(problems("wallet amount slippage\nada 1 050", Due::Buy), [""; 0]);
    }
}
