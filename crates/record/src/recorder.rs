//! Writes the lines of a desk.

use super::hash::hex;
use super::line::{Act, Entry, Head, next};
use super::verify::{Verifier, gives_price};
use launchpad_desk::amount::Digits;
use launchpad_desk::bindings::{MIN_KEY, object};
use launchpad_desk::tape::{Data, Item, Number, Tape, ToTape, Writer, json};
use launchpad_desk::trade::flow::GATEWAY_INTENT;
use launchpad_desk::trade::redacted;

/// Headers that have no secret.
const OPEN_HEADERS: [&str; 4] = ["accept", "content-type", "user-agent", GATEWAY_INTENT];

/// Headers that are made for a secret.
const SECRET_HEADERS: [&str; 2] = ["authorization", "proxy-authorization"];

/// What may stand before a secret in other headers.
const SCHEMES: [&str; 4] = ["basic", "bearer", "digest", "token"];

/// A record that grows. It verifies what it writes, and so knows each trade's receipt.
///
/// ```
/// use launchpad_desk::bindings::object;
/// use launchpad_desk_record::{Act, Recorder};
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
    /// The time of the line before, if this wrote it.
    last_ms: Option<u64>,
}

impl Recorder {
    /// A record that goes on after `head`, or a new one. `by` is who writes.
    pub fn new(head: Option<Head>, by: &str) -> Recorder {
        let verifier = head.clone().map_or_else(Verifier::default, Verifier::after);
        Recorder { head, verifier, by: by.to_owned(), secrets: Vec::new(), last_ms: None }
    }

    /// Keeps a secret out of all later lines, however it is encoded.
    pub fn keep_out(&mut self, secret: &str) {
        if !secret.is_empty() && !self.secrets.iter().any(|known| known == secret) {
            self.secrets.push(secret.to_owned());
        }
    }

    /// Keeps what is secret in the headers of a request out of all later lines: the value of `key_header`, which has the API key, and of
    /// `authorization`, at any length; the value of another header only from 8 characters on, because a shorter one is found in ordinary
    /// text. The header of the intent id must not be among them.
    ///
    /// ```
    /// use launchpad_desk::bindings::object;
    /// use launchpad_desk_record::{Act, Recorder};
    ///
    /// let header = |name: &str, value: &str| (name.to_owned(), value.to_owned());
    /// let mut recorder = Recorder::new(None, "desk");
    /// recorder.keep_headers_out(&[header("x-version", "1"), header("authorization", "Bearer abc")], "x-api-key");
    /// let line = recorder.add(1, Act::Lost, "trade-1", "", &object! { "unsent": false, "why": "1 abc" });
    /// assert!(line.contains(r#""why":"1 [redacted]""#));
    /// ```
    pub fn keep_headers_out(&mut self, headers: &[(String, String)], key_header: &str) {
        for (name, value) in headers {
            let is = |known: &str| name.eq_ignore_ascii_case(known);
            if OPEN_HEADERS.into_iter().any(is) {
                continue;
            }
            let is_secret = SECRET_HEADERS.into_iter().any(is);
            let is_scheme =
                |text: &str| is_secret || SCHEMES.into_iter().any(|scheme| scheme.eq_ignore_ascii_case(text));
            let own = value.split_once(' ').filter(|(scheme, _)| is_scheme(scheme)).map(|(_, own)| own);
            for secret in [Some(value.as_str()), own].into_iter().flatten() {
                if is_secret || is(key_header) || secret.len() >= MIN_KEY {
                    self.keep_out(secret);
                }
            }
        }
    }

    /// The end of what was written.
    pub fn head(&self) -> Option<&Head> {
        self.head.as_ref()
    }

    /// A plan, with the market of its price if that gives the price exactly.
    pub fn plan(&mut self, at_ms: u64, plan: Item, market: Option<Item>) -> String {
        let text = |name| plan.text_of(name).unwrap_or_default();
        let market = market.map(|market| market.to_tape().with_text_figures());
        let market = market.filter(|market| gives_price(plan, market.root()));
        let data = match &market {
            Some(market) => object! { "plan": plan, "market": market },
            None => object! { "plan": plan },
        };
        self.add(at_ms, Act::Plan, text("intentId"), text("operation"), &data)
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

    /// Writes a line, and after an end the receipt that plan and answer give. Returns the text with line ends. Evidence that says the same as
    /// before is no line: a trade in doubt is asked about again and again. An end that somebody has found is proven if evidence says so.
    pub fn add(&mut self, at_ms: u64, act: Act, intent: &str, detail: &str, data: &Tape) -> String {
        if act == Act::Evidence && self.verifier.has_evidence(intent, data.root()) {
            return String::new();
        }
        let proven = self.verifier.proven(intent, data.root()).filter(|_| act == Act::Settle);
        let data = proven.as_ref().unwrap_or(data);
        let mut lines = String::new();
        if let Some(back_ms) = self.last_ms.and_then(|last| last.checked_sub(at_ms)).filter(|back| *back > 0)
        {
            lines = self.line(at_ms, Act::Clock, "", "", &object! { "backMs": Number(back_ms.into()) });
        }
        lines += &self.line(at_ms, act, intent, detail, data);
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
        self.last_ms = Some(at_ms);
        self.head = Some(head);
        line + "\n"
    }

    fn clean(&self, text: String) -> String {
        let bytes = self.secrets.iter().fold(text.into_bytes(), |text, key| redacted(text, key.as_bytes()));
        String::from_utf8(bytes).unwrap_or_default()
    }

    fn clean_data(&self, data: &Tape) -> Tape {
        let text = json::write(data);
        if self.clean(text.clone()) == text {
            return data.clone();
        }
        let mut to = Writer::default();
        self.write_clean(data.root(), &mut to);
        to.finish()
    }

    /// Each value by itself, so that what has none of the secrets stays as it is. A number with one becomes a text.
    fn write_clean(&self, item: Item, to: &mut Writer) {
        match item.data() {
            Data::String(text) => to.string(&self.clean(text.to_owned())),
            Data::Array(items) => {
                let opened = to.open(false);
                items.for_each(|item| self.write_clean(item, to));
                to.close(opened, items.len());
            }
            Data::Object(fields) => {
                let opened = to.open(true);
                for ((name, item), place) in fields.zip(1_usize..) {
                    let clean = self.clean(name.to_owned());
                    // Two names of one object must differ.
                    let clean = if clean == name { clean } else { [&clean, " ", &place.digits()].concat() };
                    to.name(&clean);
                    self.write_clean(item, to);
                }
                to.close(opened, fields.len());
            }
            data => {
                let mut text = String::new();
                json::write_item(item, &mut text);
                let clean = self.clean(text.clone());
                if clean == text { to.data(data) } else { to.string(&clean) }
            }
        }
    }
}
