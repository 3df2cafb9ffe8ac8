//! What stands for an id, an address or a name in a record that is shown to others.

use std::collections::BTreeMap;

use super::hash::{bytes_of, hex};
use super::line::{Act, Entry};
use crate::amount::Digits;
use crate::object;
use crate::sandbox::OUTCOME_PREFIX;
use crate::tape::{Data, Item, Tape, Writer, json};
use crate::trade::plan::Plan;

/// What a text is.
#[derive(Clone, Copy)]
enum Kind {
    Mint,
    Wallet,
    Address,
    Signature,
    Intent,
    Service,
    Symbol,
    Name,
    Person,
    Checksum,
    /// One of a few words, which says nothing about anybody.
    Word,
    /// Bytes that are no text, in hexadecimal.
    Bytes,
    /// Anything else. What is known is replaced in it, and what has the form of an address.
    Text,
}

/// How many kinds are counted.
const COUNTED: usize = Kind::Person as usize + 1;

/// What a field has, by its name.
fn kind_of(name: &str, is_market: bool) -> Kind {
    match name {
        "mint" | "allowMints" => Kind::Mint,
        "wallet" | "fromWallet" | "feePayer" | "allowWallets" | "creator" | "owner" => Kind::Wallet,
        "signature" | "signatures" => Kind::Signature,
        "intent" | "intentId" | "position" => Kind::Intent,
        "url" | "baseURL" => Kind::Service,
        "symbol" if is_market => Kind::Symbol,
        "name" if is_market => Kind::Name,
        "checksum" => Kind::Checksum,
        "bodyHex" => Kind::Bytes,
        "operation" | "outcome" | "code" | "side" | "slippageUnit" | "became" | "mode" | "tokenAccount"
        | "identifiers" | "x-simulated" | "intent-state" => Kind::Word,
        _ => Kind::Text,
    }
}

/// Who writes a record by itself, and is nobody.
const NOBODY: [&str; 4] = ["", "desk", "gateway", "command line"];

/// A shorter text stands for something only where it is all there is: within a sentence it may be a word.
const SHORTEST: usize = 4;

/// Addresses in base58 have at least this many characters, and signatures that many.
const ADDRESS: usize = 32;
const SIGNATURE: usize = 64;

/// What each text was replaced by, so that the same has the same stand-in everywhere.
#[derive(Default)]
pub(super) struct StandIns {
    known: BTreeMap<String, String>,
    services: Vec<(String, String)>,
    counts: [u32; COUNTED],
}

impl StandIns {
    /// A line with stand-ins.
    pub fn entry(&mut self, entry: Entry) -> Entry {
        let intent = self.of(Kind::Intent, &entry.intent);
        let act = Act::from_name(&entry.act);
        let data = entry.data.map(|data| match act {
            Some(Act::Plan) => self.plan(data.root()),
            _ => self.data(data.root()),
        });
        let by = match NOBODY.contains(&entry.by.as_str()) {
            true => entry.by,
            false => self.of(Kind::Person, &entry.by),
        };
        let detail = match act {
            Some(Act::Approve) => self.of(Kind::Person, &entry.detail),
            _ => self.text(&entry.detail),
        };
        Entry { intent, data, by, detail, ..entry }
    }

    fn data(&mut self, item: Item) -> Tape {
        let mut to = Writer::default();
        self.write("", item, false, &mut to);
        to.finish()
    }

    /// A plan, with the checksum of what it now has. One that was not whole stays so.
    fn plan(&mut self, data: Item) -> Tape {
        let changed = self.data(data);
        let whole = Plan::read(data.get("plan").unwrap_or_default()).ok().filter(Plan::is_whole);
        let plan = changed.root().get("plan").map(Plan::read);
        let (Some(whole), Some(Ok(plan))) = (whole, plan) else { return changed };
        let plan = plan.sealed();
        self.known.insert(whole.checksum, plan.checksum.clone());
        match changed.root().get("market") {
            Some(market) => object! { "plan": plan, "market": market },
            None => object! { "plan": plan },
        }
    }

    fn write(&mut self, name: &str, item: Item, is_market: bool, to: &mut Writer) {
        match item.data() {
            Data::String(text) => to.string(&self.of(kind_of(name, is_market), text)),
            Data::Array(items) => {
                let opened = to.open(false);
                items.for_each(|item| self.write(name, item, is_market, to));
                to.close(opened, items.len());
            }
            Data::Object(fields) => {
                let opened = to.open(true);
                for (name, item) in fields {
                    to.name(&self.text(name));
                    self.write(name, item, is_market || name == "market", to);
                }
                to.close(opened, fields.len());
            }
            data => to.data(data),
        }
    }

    /// What stands for a text of this kind.
    fn of(&mut self, kind: Kind, text: &str) -> String {
        match kind {
            Kind::Word => text.to_owned(),
            Kind::Text => self.text(text),
            Kind::Bytes => {
                // Still no UTF-8.
                let bytes = bytes_of(text).unwrap_or_default();
                let text = self.text(&String::from_utf8_lossy(&bytes));
                hex(&[text.as_bytes(), b"\xff"].concat())
            }
            Kind::Checksum => self.known.get(text).cloned().unwrap_or_else(|| "0".repeat(16)),
            Kind::Service => self.service(text),
            // It asks the sandbox for an outcome.
            Kind::Wallet if text.starts_with(OUTCOME_PREFIX) => text.to_owned(),
            _ => self.replaced(kind, text),
        }
    }

    fn replaced(&mut self, kind: Kind, text: &str) -> String {
        if text.is_empty() {
            return String::new();
        }
        if let Some(known) = self.known.get(text) {
            return known.clone();
        }
        let number = match self.counts.get_mut(kind as usize) {
            Some(count) => {
                *count += 1;
                count.digits()
            }
            None => String::new(),
        };
        let made = match kind {
            Kind::Mint => base58("Mint", &number, 43),
            Kind::Wallet => base58("Trader", &number, 43),
            Kind::Address => base58("Address", &number, 43),
            Kind::Signature => base58("Signature", &number, 87),
            Kind::Symbol => ["TOKEN", &number].concat(),
            Kind::Name => ["Token ", &number].concat(),
            Kind::Person => ["person-", &number].concat(),
            _ => ["trade-", &number].concat(),
        };
        self.known.insert(text.to_owned(), made.clone());
        made
    }

    /// A URL of a service. What follows its base stays.
    fn service(&mut self, url: &str) -> String {
        let end = url.find("/v1/").unwrap_or(url.len());
        let (base, path) = url.split_at_checked(end).unwrap_or((url, ""));
        let base = base.trim_end_matches('/');
        if base.is_empty() {
            return path.to_owned();
        }
        let known = self.services.iter().find(|(known, _)| known == base);
        let made = known.map(|(_, made)| made.clone()).unwrap_or_else(|| {
            let host = ["service-", &(self.services.len() + 1).digits(), ".example"].concat();
            let made = ["https://", &host].concat();
            let own = base.split_once("://").map_or(base, |(_, rest)| rest);
            let own = own.split('/').next().unwrap_or_default();
            self.known.insert(own.to_owned(), host.clone());
            self.known.insert(own.split(':').next().unwrap_or_default().to_owned(), host);
            self.services.push((base.to_owned(), made.clone()));
            made
        });
        made + path
    }

    /// A text in which what is known, and what has the form of an address, is replaced. JSON is looked into.
    fn text(&mut self, text: &str) -> String {
        let is_figure = text.bytes().all(|byte| byte.is_ascii_digit() || b"+-.eE".contains(&byte));
        if is_figure {
            return text.to_owned();
        }
        if text.starts_with(['{', '['])
            && let Ok(inner) = json::parse(text.as_bytes())
        {
            return json::write(&self.data(inner.root()));
        }
        if let Some(known) = self.known.get(text) {
            return known.clone();
        }
        let text = self.without_urls(text);
        let mut clean = String::with_capacity(text.len());
        let mut rest = text.as_str();
        while !rest.is_empty() {
            let end = rest.find(|c| !is_of_word(c)).unwrap_or(rest.len());
            let (word, after) = rest.split_at_checked(end).unwrap_or((rest, ""));
            clean.push_str(&self.word(word));
            let end = after.find(is_of_word).unwrap_or(after.len());
            let (between, next) = after.split_at_checked(end).unwrap_or((after, ""));
            clean.push_str(between);
            rest = next;
        }
        clean
    }

    /// A text in which each URL has the stand-in of its service. Of the path only one of the interface stays.
    fn without_urls(&mut self, text: &str) -> String {
        let (mut clean, mut rest) = (String::with_capacity(text.len()), text);
        while let Some(at) = rest.find("://") {
            let before = rest.get(..at).unwrap_or_default();
            let start = before.trim_end_matches(|c: char| c.is_ascii_alphanumeric()).len();
            let (before, url) = rest.split_at_checked(start).unwrap_or_default();
            clean.push_str(before);
            let is_end = |c: char| c.is_whitespace() || "\"'<>()[]{},;".contains(c);
            let (url, after) =
                url.split_at_checked(url.find(is_end).unwrap_or(url.len())).unwrap_or_default();
            let host = at - start + "://".len();
            let end =
                url.get(host..).and_then(|own| own.find(['/', '?', '#'])).map_or(url.len(), |end| host + end);
            let (origin, path) = url.split_at_checked(end).unwrap_or_default();
            clean.push_str(&self.service(origin));
            if path.starts_with("/v1/trade/") {
                clean.push_str(path);
            }
            rest = after;
        }
        clean.push_str(rest);
        clean
    }

    /// A word of a text. An id may have punctuation in it, or end a sentence.
    fn word(&mut self, word: &str) -> String {
        let id = word.trim_end_matches(['.', ':']);
        let end = word.get(id.len()..).unwrap_or_default();
        if let Some(known) = self.part(id) {
            return known + end;
        }
        let is_between = |c: char| !c.is_ascii_alphanumeric();
        let parts = id.split_inclusive(is_between).map(|part| {
            let own = part.trim_end_matches(is_between);
            let end = part.get(own.len()..).unwrap_or_default();
            self.part(own).unwrap_or_else(|| own.to_owned()) + end
        });
        parts.collect::<String>() + end
    }

    fn part(&mut self, part: &str) -> Option<String> {
        if part.len() < SHORTEST {
            return None;
        }
        if let Some(known) = self.known.get(part) {
            return Some(known.clone());
        }
        let is_address = part.len() >= ADDRESS && part.bytes().all(|byte| BASE58.contains(&byte));
        let kind = if part.len() >= SIGNATURE { Kind::Signature } else { Kind::Address };
        is_address.then(|| self.replaced(kind, part))
    }
}

fn is_of_word(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '-' | '_' | '.' | ':')
}

const BASE58: &[u8] = b"123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz";

/// A text of this many characters that is base58 of 32 or 64 bytes, as an address or a signature is: base58 has no zero.
fn base58(name: &str, number: &str, length: usize) -> String {
    let mut text = [name, &number.replace('0', "o")].concat();
    let fill = length.saturating_sub(text.len());
    text.push_str(&"x".repeat(fill));
    text
}
