//! Writes the lines of a desk.

use super::hash::hex;
use super::line::{Act, Entry, Head, next};
use super::verify::{Verifier, gives_price};
use crate::object;
use crate::tape::{Data, Item, Tape, ToTape, json};
use crate::trade::redacted;

/// A record that grows. It verifies what it writes, and so knows each trade's receipt.
///
/// ```
/// use launchpad_desk::bindings::object;
/// use launchpad_desk::record::{Act, Recorder};
///
/// let mut recorder = Recorder::new(None, "desk");
/// recorder.keep_out("a-secret-key");
/// let lines = recorder.add(1_000, Act::Lost, "trade-1", "a-secret-key was refused", &object! { "unsent": false });
/// assert!(lines.starts_with(r#"{"number":0,"atMs":1000,"by":"desk","act":"lost","intent":"trade-1","detail":"[redacted] was refused""#));
/// ```
pub struct Recorder {
    head: Option<Head>,
    verifier: Verifier,
    by: String,
    secrets: Vec<String>,
}

impl Recorder {
    /// A record that goes on after `head`, or a new one. `by` is who writes.
    pub fn new(head: Option<Head>, by: &str) -> Recorder {
        let verifier = head.clone().map_or_else(Verifier::default, Verifier::after);
        Recorder { head, verifier, by: by.to_owned(), secrets: Vec::new() }
    }

    /// Keeps a secret out of all later lines, however it is encoded.
    pub fn keep_out(&mut self, secret: &str) {
        if !secret.is_empty() && !self.secrets.iter().any(|known| known == secret) {
            self.secrets.push(secret.to_owned());
        }
    }

    /// The end of what was written.
    pub fn head(&self) -> Option<&Head> {
        self.head.as_ref()
    }

    /// A plan, with the market of its price if that gives the price exactly.
    pub fn plan(&mut self, at_ms: u64, plan: Item, market: Option<Item>) -> String {
        let text = |name| match plan.get(name).map(Item::data) {
            Some(Data::String(text)) => text.to_owned(),
            _ => String::new(),
        };
        let market = market.map(|market| market.to_tape().with_text_figures());
        let market = market.filter(|market| gives_price(plan, market.root()));
        let data = match &market {
            Some(market) => object! { "plan": plan, "market": market },
            None => object! { "plan": plan },
        };
        self.add(at_ms, Act::Plan, &text("intentId"), &text("operation"), &data)
    }

    /// An answer. A body that is not UTF-8 is kept in hexadecimal; of one that was not read to the end nothing is kept.
    pub fn answer(
        &mut self,
        at_ms: u64,
        intent: &str,
        status: u16,
        headers: &[(String, String)],
        body: Option<Vec<u8>>,
    ) -> String {
        let headers = Tape::object(headers);
        let clean =
            |body: Vec<u8>| self.secrets.iter().fold(body, |body, key| redacted(body, key.as_bytes()));
        let data = match body.map(clean).map(String::from_utf8) {
            None => object! { "status": status, "headers": headers },
            Some(Ok(body)) => object! { "status": status, "headers": headers, "body": body },
            Some(Err(bytes)) => {
                object! { "status": status, "headers": headers, "bodyHex": hex(bytes.as_bytes()) }
            }
        };
        self.add(at_ms, Act::Answer, intent, "", &data)
    }

    /// Writes a line, and after an end the receipt that plan and answer give. Returns the text with line ends.
    pub fn add(&mut self, at_ms: u64, act: Act, intent: &str, detail: &str, data: &Tape) -> String {
        let mut lines = self.line(at_ms, act, intent, detail, data);
        if act == Act::Settle
            && let Some(receipts) = self.verifier.receipts_of(intent)
        {
            lines.push_str(&self.line(at_ms, Act::Receipt, intent, "", &object! { "receipts": receipts }));
        }
        // What it finds is for those who verify the record.
        let _ = (self.verifier.take_problems(), self.verifier.take_checks());
        lines
    }

    fn line(&mut self, at_ms: u64, act: Act, intent: &str, detail: &str, data: &Tape) -> String {
        let entry = Entry {
            at_ms,
            by: self.by.clone(),
            act: act.as_str().to_owned(),
            intent: intent.to_owned(),
            detail: self.clean(detail.to_owned()),
            data: Some(self.clean_data(data)),
            ..Entry::default()
        };
        let (_, line, head) = next(self.head.as_ref(), entry);
        self.verifier.add(&line);
        self.head = Some(head);
        line + "\n"
    }

    fn clean(&self, text: String) -> String {
        let bytes = self.secrets.iter().fold(text.into_bytes(), |text, key| redacted(text, key.as_bytes()));
        String::from_utf8(bytes).unwrap_or_default()
    }

    fn clean_data(&self, data: &Tape) -> Tape {
        let text = json::write(data);
        let clean = self.clean(text.clone());
        // A secret of digits alone may have been a number.
        if clean == text { data.clone() } else { json::parse(clean.as_bytes()).unwrap_or_default() }
    }
}
