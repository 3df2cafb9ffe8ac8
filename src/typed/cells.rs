//! A text as lines of cells: CSV as in RFC 4180, or columns separated by tabs, semicolons or spaces. An unclosed quote affects only its
//! own line, not the rest of the table.

use super::number::is_unit_sign;

/// What is wrong with a cell that does not end.
const UNCLOSED: &str = "an unclosed quote";

/// A line that is not blank.
pub struct Line {
    /// Its number in the text, from 1.
    pub number: u32,
    pub cells: Vec<Cell>,
}

/// A cell, trimmed and without its quotes.
#[derive(Default)]
pub struct Cell {
    pub text: String,
    /// What is wrong with its quotes, after "has".
    pub problem: Option<&'static str>,
}

impl Cell {
    /// Whether the cell contains anything.
    pub fn has_something(&self) -> bool {
        !self.text.is_empty() || self.problem.is_some()
    }
}

/// What stands between the cells of every line.
#[derive(Clone, Copy, PartialEq)]
pub enum Separator {
    Mark(char),
    Spaces,
}

impl Separator {
    /// The separator of a text: the first of these that occurs anywhere outside quotes.
    pub fn of(text: &str) -> Self {
        let has = |mark: char| text.split(['\n', '\r']).any(|line| outside_quotes(line).any(|c| c == mark));
        ['\t', ';', ','].into_iter().find(|mark| has(*mark)).map_or(Separator::Spaces, Separator::Mark)
    }
}

fn outside_quotes(line: &str) -> impl Iterator<Item = char> {
    let mut quoted = false;
    line.chars().filter(move |c| {
        quoted ^= *c == '"';
        !quoted
    })
}

/// Every line of a text, except blank ones and those with nothing but separators, such as a spreadsheet's empty rows.
///
/// `names` are cells of their own where spaces separate, whatever spaces they have themselves. A cell in quotes may go on for so many
/// lines: in what a person pastes a quote that is not closed is more likely.
pub fn lines(text: &str, separator: Separator, names: &[&str], most: usize) -> impl Iterator<Item = Line> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    // Old spreadsheets end lines with a carriage return alone; before a line feed it is white space.
    let end = if text.contains('\n') { '\n' } else { '\r' };
    let is_closed = |cells: &[Cell]| cells.iter().all(|cell| cell.problem != Some(UNCLOSED));
    let mut rest = Some((1, text));
    let lines = std::iter::from_fn(move || {
        let (number, text) = rest?;
        let ends = text.match_indices(end).map(|(at, _)| at).chain([text.len()]).take(most);
        let mut read = ends.zip(number + 1..).map(|(at, next)| {
            (
                cells(text.get(..at).unwrap_or_default(), separator, names),
                text.get(at + 1..).map(|rest| (next, rest)),
            )
        });
        let first = read.next()?;
        let (cells, after) = if is_closed(&first.0) {
            first
        } else {
            read.find(|(cells, _)| is_closed(cells)).unwrap_or(first)
        };
        rest = after;
        Some(Line { number, cells })
    });
    lines.filter(|line| line.cells.iter().any(Cell::has_something))
}

fn cells(line: &str, separator: Separator, names: &[&str]) -> Vec<Cell> {
    let Separator::Mark(mark) = separator else { return words(line, names) };
    let mut cells = Vec::new();
    let mut rest = Some(line);
    while let Some(text) = rest {
        let (cell, after) = cell(text, mark);
        cells.push(cell);
        rest = after;
    }
    cells
}

fn words(line: &str, names: &[&str]) -> Vec<Cell> {
    let mut cells = Vec::new();
    let mut rest = line.trim();
    while !rest.is_empty() {
        let is_here = |name: &str| {
            let halves = rest.split_at_checked(name.len());
            halves.is_some_and(|(head, after)| {
                let is_whole = after.chars().next().is_none_or(char::is_whitespace);
                is_whole && !name.is_empty() && head.eq_ignore_ascii_case(name)
            })
        };
        let found: Vec<usize> = names.iter().filter(|name| is_here(name)).map(|name| name.len()).collect();
        let longest = found.iter().max();
        let word = rest.find(char::is_whitespace).unwrap_or(rest.len());
        // A wallet "Sniper" with the amount 1, or a wallet "Sniper 1".
        let problem = (found.iter().min() != longest)
            .then_some("more than one known name in it: put a tab or a comma after it");
        let (text, after) = rest.split_at_checked(*longest.unwrap_or(&word)).unwrap_or((rest, ""));
        rest = after.trim_start();
        // The unit of the number before it, which is no wallet.
        let is_unit = text.chars().all(is_unit_sign) || text.eq_ignore_ascii_case("sol");
        match cells.iter_mut().skip(1).next_back() {
            Some(Cell { text: number, .. })
                if is_unit && number.starts_with(|c: char| c.is_ascii_digit()) =>
            {
                *number = [number, " ", text].concat();
            }
            _ => cells.push(Cell { text: text.to_owned(), problem }),
        }
    }
    cells
}

/// The first cell of a text, and what follows the separator after it, if there is one.
fn cell(text: &str, mark: char) -> (Cell, Option<&str>) {
    let inner = text.trim_start_matches(|c: char| c.is_whitespace() && c != mark);
    let Some(mut rest) = inner.strip_prefix('"') else {
        let (cell, after) = halves(text, mark);
        return (Cell { text: cell.trim().to_owned(), problem: None }, after);
    };
    let mut quoted = String::new();
    loop {
        let Some(end) = rest.find('"') else {
            return (
                Cell { text: [&quoted, rest].concat().trim().to_owned(), problem: Some(UNCLOSED) },
                None,
            );
        };
        quoted.push_str(rest.get(..end).unwrap_or_default());
        rest = rest.get(end + 1..).unwrap_or_default();
        // Two quotes stand for one in the text.
        match rest.strip_prefix('"') {
            Some(more) => (quoted.push('"'), rest = more).1,
            None => break,
        }
    }
    let (stray, after) = halves(rest, mark);
    let problem = (!stray.trim().is_empty()).then_some("text after its closing quote");
    quoted.push_str(stray.trim_end());
    (Cell { text: quoted.trim().to_owned(), problem }, after)
}

fn halves(text: &str, mark: char) -> (&str, Option<&str>) {
    text.split_once(mark).map_or((text, None), |(before, after)| (before, Some(after)))
}
