//! The form of a record that may be shown to others, as in a bug report.

use super::line::{Act, Entry, Head, next};
use super::lines::Lines;
use super::stand_ins::StandIns;
use super::verify::{RecordProblem, Verifier};
use crate::object;
use crate::tape::Number;

/// How many problems of the record's lines are listed.
const LISTED: usize = 1_000;

/// Redacts a record, line by line. Mints, wallets, token accounts, ids of trades, signatures, names of tokens and people, and addresses of
/// services get stand-ins, each the same one everywhere. Amounts, times and outcomes stay. The lines are chained anew, each under the number that it had,
/// so that the redacted record is verified as the record itself is; its last line says that it is redacted, and which lines of the record
/// were changed, moved or missing. It remembers each text that it has replaced.
///
/// Who knows the chain may still find a trade by its amount and its time.
///
/// ```
/// use launchpad_desk::record::{Entry, Redactor, Verifier, line::next};
///
/// let halt = Entry { act: "halt".into(), by: "ann".into(), ..Entry::default() };
/// let (_, line, head) = next(None, halt);
/// let mut redactor = Redactor::default();
/// let mut redacted = redactor.add(format!("{line}\n").as_bytes());
/// let (rest, end) = redactor.end(Some(&head));
/// redacted += &rest;
/// assert!(redacted.contains(r#""by":"person-1""#) && !redacted.contains("ann"));
///
/// let mut verifier = Verifier::default();
/// verifier.add_bytes(redacted.as_bytes());
/// let report = verifier.end(Some(&end));
/// assert!(report.redacted && report.problems.0 == 0);
/// ```
#[derive(Default)]
pub struct Redactor {
    check: Verifier,
    stand_ins: StandIns,
    problems: Vec<RecordProblem>,
    head: Option<Head>,
    at_ms: u64,
    count: u64,
    torn: Lines,
}

impl Redactor {
    /// The redacted lines of the next bytes, which may end within a line.
    pub fn add(&mut self, bytes: &[u8]) -> String {
        let (mut lines, mut text) = (std::mem::take(&mut self.torn), String::new());
        lines.add(bytes, &mut |line| text.push_str(&self.line(line)));
        self.torn = lines;
        text
    }

    /// The head of the redacted lines so far.
    pub fn head(&self) -> Option<&Head> {
        self.head.as_ref()
    }

    /// The last lines, and the head of the redacted record. `head` is that of the record itself, if it is known.
    pub fn end(mut self, head: Option<&Head>) -> (String, Head) {
        let (mut lines, mut text) = (std::mem::take(&mut self.torn), String::new());
        lines.end(&mut |line| text.push_str(&self.line(line)));
        let end = self.check.end(head).head;
        self.take_problems();
        let problems: Vec<_> = self
            .problems
            .iter()
            .map(|RecordProblem { line, code, message, .. }| {
                object! { "line": *line, "code": *code, "message": message }
            })
            .collect();
        let data = object! { "lines": Number(self.count.into()), "problems": problems, "head": end };
        let entry = Entry {
            at_ms: self.at_ms,
            by: "desk".to_owned(),
            act: Act::Redacted.as_str().to_owned(),
            data: Some(data),
            ..Entry::default()
        };
        let (_, line, head) = next(self.head.as_ref(), entry);
        text.push_str(&line);
        text.push('\n');
        (text, head)
    }

    fn line(&mut self, line: &str) -> String {
        self.count += 1;
        let entry = self.check.entry(line).map(|entry| self.stand_ins.entry(entry));
        self.take_problems();
        let entry = entry.unwrap_or_else(|| Entry {
            at_ms: self.at_ms,
            by: "desk".to_owned(),
            act: Act::Redacted.as_str().to_owned(),
            ..Entry::default()
        });
        self.at_ms = entry.at_ms;
        let (_, mut line, head) = next(self.head.as_ref(), entry);
        self.head = Some(head);
        line.push('\n');
        line
    }

    fn take_problems(&mut self) {
        let room = LISTED.saturating_sub(self.problems.len());
        self.problems.extend(self.check.take_problems().into_iter().take(room));
    }
}
