//! What stands for an id, an address or a name in a record that is shown to others.

use std::collections::{BTreeMap, BTreeSet};

use super::hash::{bytes_of, hex};
use super::line::{Act, Entry};
use crate::amount::Digits;
use crate::api::endpoint::Operation;
use crate::error::{Code, Outcome};
use crate::intent::IntentOutcome;
use crate::launchpad::Refusal;
use crate::launchpad::config::Completion;
use crate::launchpad::curve_view::ReceiptFigure;
use crate::launchpad::quote::Warning;
use crate::launchpad::receipt::Finding;
use crate::launchpad::view::ACCOUNT_CHANGES;
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
    /// In a quote one of a few words, in a reply an address or a URL.
    TokenAccount,
    /// Bytes that are no text, in hexadecimal.
    Bytes,
    /// Anything else. What is known is replaced in it, and what has the form of an address.
    Text,
}

/// How many kinds are counted.
const COUNTED: usize = Kind::Person as usize + 1;

/// What a field has, by its name.
fn kind_of(name: &str) -> Kind {
    match name {
        "mint" | "allowMints" => Kind::Mint,
        "wallet" | "fromWallet" | "feePayer" | "allowWallets" | "creator" | "owner" => Kind::Wallet,
        "signature" | "signatures" => Kind::Signature,
        "intent" | "intentId" | "position" => Kind::Intent,
        "url" | "baseURL" => Kind::Service,
        "symbol" => Kind::Symbol,
        "name" | "label" => Kind::Name,
        "checksum" => Kind::Checksum,
        "tokenAccount" => Kind::TokenAccount,
        "bodyHex" => Kind::Bytes,
        _ => Kind::Text,
    }
}

/// Whether it is one of the words that a record has whoever trades, so that it stays even if somebody gave a token this name.
fn is_word(text: &str) -> bool {
    Operation::from_name(text).is_some()
        || IntentOutcome::from_name(text).is_some()
        || Outcome::from_name(text).is_some()
        || Code::from_name(text).is_some()
        || IntentOutcome::from_name(text).is_some()
        || Warning::from_name(text).is_some()
        || ReceiptFigure::from_name(text).is_some()
        || Finding::from_name(text).is_some()
        || Completion::from_name(text).is_some()
        || ACCOUNT_CHANGES.contains(&text)
        || Refusal::ALL.iter().any(|refusal| refusal.as_str() == text || refusal.message() == text)
        || ["percent", "bps", "any", "base58", "live", "simulated", "true", "false"].contains(&text)
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
    /// The same of those that begin or end with other signs, without these.
    trimmed: BTreeMap<String, String>,
    /// What those begin with that are looked for within a text, and how long the longest of them is.
    begins: BTreeSet<String>,
    longest: usize,
    services: Vec<(String, String)>,
    counts: [u32; COUNTED],
}

impl StandIns {
    /// A line with stand-ins.
    pub fn entry(&mut self, entry: Entry) -> Entry {
        let intent = self.of(Kind::Intent, &entry.intent);
        let by = match NOBODY.contains(&entry.by.as_str()) {
            true => entry.by,
            false => self.of(Kind::Person, &entry.by),
        };
        let act = Act::from_name(&entry.act);
        // A text may come before the field that names what is in it.
        if let Some(data) = &entry.data {
            self.data(data.root());
        }
        let data = entry.data.map(|data| match act {
            Some(Act::Plan) => self.plan(data.root()),
            _ => self.data(data.root()),
        });
        let detail = match act {
            Some(Act::Approve) => self.of(Kind::Person, &entry.detail),
            _ => self.text(&entry.detail),
        };
        Entry { intent, data, by, detail, ..entry }
    }

    fn data(&mut self, item: Item) -> Tape {
        let mut to = Writer::default();
        self.write("", item, &mut to);
        to.finish()
    }

    /// A plan, with the checksum of what it now has. One that was not whole stays so.
    fn plan(&mut self, data: Item) -> Tape {
        let changed = self.data(data);
        let whole = Plan::read(data.get("plan").unwrap_or_default()).ok().filter(Plan::is_whole);
        let plan = changed.root().get("plan").map(Plan::read);
        let (Some(whole), Some(Ok(plan))) = (whole, plan) else { return changed };
        let plan = plan.sealed();
        self.know(&whole.checksum, &plan.checksum);
        match changed.root().get("market") {
            Some(market) => object! { "plan": plan, "market": market },
            None => object! { "plan": plan },
        }
    }

    fn write(&mut self, name: &str, item: Item, to: &mut Writer) {
        match item.data() {
            Data::String(text) => to.string(&self.of(kind_of(name), text)),
            Data::Array(items) => {
                let opened = to.open(false);
                items.for_each(|item| self.write(name, item, to));
                to.close(opened, items.len());
            }
            Data::Object(fields) => {
                let opened = to.open(true);
                for (name, item) in fields {
                    // The name of a field; otherwise an id, under which something is kept.
                    let is_field = name.len() < ADDRESS
                        && name.bytes().all(|byte| byte.is_ascii_alphabetic() || byte == b'-');
                    to.name(&if is_field { name.to_owned() } else { self.text(name) });
                    self.write(name, item, to);
                }
                to.close(opened, fields.len());
            }
            data => to.data(data),
        }
    }

    /// What stands for a text of this kind.
    fn of(&mut self, kind: Kind, text: &str) -> String {
        match kind {
            Kind::TokenAccount if ACCOUNT_CHANGES.contains(&text) => text.to_owned(),
            Kind::TokenAccount => self.of(Kind::Address, text),
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
            _ => {
                // Of a URL, the service is known from now on.
                self.without_urls(text);
                self.replaced(kind, text)
            }
        }
    }

    /// From now on, a text has this stand-in, unless it has one.
    fn know(&mut self, text: &str, made: &str) {
        if text.is_empty() || self.known.contains_key(text) {
            return;
        }
        self.known.insert(text.to_owned(), made.to_owned());
        let own = text.trim_matches(|c| Sign::of(c) == Sign::Other);
        if own.len() >= SHORTEST {
            self.longest = self.longest.max(own.len());
            self.begins.insert(run(own).0.to_owned());
            if own != text {
                self.trimmed.entry(own.to_owned()).or_insert_with(|| made.to_owned());
            }
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
        self.know(text, &made);
        made
    }

    /// A URL of a service. The path of an operation stays.
    fn service(&mut self, url: &str) -> String {
        let path = path_of(url);
        let base = url.strip_suffix(path).unwrap_or(url).trim_end_matches('/');
        if base.is_empty() {
            return path.to_owned();
        }
        let known = self.services.iter().find(|(known, _)| known == base);
        let made = known.map(|(_, made)| made.clone()).unwrap_or_else(|| {
            let host = ["service-", &(self.services.len() + 1).digits(), ".example"].concat();
            let made = ["https://", &host].concat();
            let own = base.split_once("://").map_or(base, |(_, rest)| rest);
            let own = own.split(['/', '?', '#']).next().unwrap_or_default();
            let own = own.rsplit('@').next().unwrap_or_default();
            self.know(own, &host);
            self.know(own.rsplit_once(':').map_or("", |(name, _)| name), &host);
            self.services.push((base.to_owned(), made.clone()));
            made
        });
        made + path
    }

    /// A URL in a text, which may be one of a service that is known, or a page.
    fn url(&mut self, url: &str) -> String {
        let is_of = |base: &str| url.strip_prefix(base).is_some_and(|rest| rest.starts_with(['/', '?', '#']));
        let base = self
            .services
            .iter()
            .map(|(base, _)| base)
            .filter(|base| is_of(base))
            .max_by_key(|base| base.len());
        let host = url.find("://").map_or(0, |at| at + "://".len());
        let end =
            url.get(host..).and_then(|own| own.find(['/', '?', '#'])).map_or(url.len(), |end| host + end);
        match (path_of(url), base) {
            ("", Some(base)) => self.service(&base.clone()),
            ("", None) => self.service(url.get(..end).unwrap_or_default()),
            _ => self.service(url),
        }
    }

    /// A text in which what is known, and what has the form of an address, is replaced. JSON is looked into.
    fn text(&mut self, text: &str) -> String {
        let is_figure = text.bytes().all(|byte| byte.is_ascii_digit() || b"+-.eE".contains(&byte))
            && text.bytes().filter(|byte| *byte == b'.').count() < 2;
        if is_figure || is_word(text) {
            return text.to_owned();
        }
        if text.trim_start().starts_with(['{', '['])
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
            let (own, after) = run(rest);
            let known = self.longest_known(rest).map(|(length, made)| (made, rest.get(length..)));
            let known = known.or_else(|| Some((self.address(own)?, Some(after))));
            let (made, after) =
                known.as_ref().map_or((own, Some(after)), |(made, after)| (made.as_str(), *after));
            clean.push_str(made);
            rest = after.unwrap_or_default();
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
            clean.push_str(&self.url(url));
            rest = after;
        }
        clean.push_str(rest);
        clean
    }

    /// The longest text with a stand-in that this one begins with: its length and the stand-in. It ends where a run of letters ends.
    fn longest_known(&self, text: &str) -> Option<(usize, String)> {
        let (own, _) = run(text);
        if !self.begins.contains(own) {
            return None;
        }
        let (mut end, mut found) = (own.len(), None);
        while let Some(part) = text.get(..end).filter(|part| part.len() <= self.longest) {
            if part.len() >= SHORTEST
                && let Some(made) = self.known.get(part).or_else(|| self.trimmed.get(part))
            {
                found = Some((end, made.clone()));
            }
            let (mut next, after) = run(text.get(end..).unwrap_or_default());
            if next.chars().next().map(Sign::of) == Some(Sign::Other) {
                end += next.len();
                next = run(after).0;
            }
            if next.is_empty() {
                break;
            }
            end += next.len();
        }
        found
    }

    /// What stands for a part of a text, if that has the form of an address.
    fn address(&mut self, part: &str) -> Option<String> {
        let is_address = part.len() >= ADDRESS && part.bytes().all(|byte| BASE58.contains(&byte));
        let kind = if part.len() >= SIGNATURE { Kind::Signature } else { Kind::Address };
        is_address.then(|| self.replaced(kind, part))
    }
}

/// The path of an operation at the end of a URL; empty if there is none.
fn path_of(url: &str) -> &'static str {
    let mut paths = Operation::ALL.iter().map(|operation| operation.path());
    paths.find(|path| url.ends_with(path)).unwrap_or_default()
}

/// What a sign of a text is. Addresses may stand between letters of another script.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Sign {
    Ascii,
    Letter,
    Other,
}

impl Sign {
    fn of(sign: char) -> Sign {
        match sign {
            _ if sign.is_ascii_alphanumeric() => Sign::Ascii,
            _ if sign.is_alphanumeric() => Sign::Letter,
            _ => Sign::Other,
        }
    }
}

/// The signs of one sort that a text begins with, and the rest.
fn run(text: &str) -> (&str, &str) {
    let first = text.chars().next().map_or(Sign::Other, Sign::of);
    let end = text.find(|sign| Sign::of(sign) != first).unwrap_or(text.len());
    text.split_at_checked(end).unwrap_or((text, ""))
}

const BASE58: &[u8] = b"123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz";

/// A text of this many characters that is base58 of 32 or 64 bytes, as an address or a signature is: base58 has no zero.
fn base58(name: &str, number: &str, length: usize) -> String {
    let mut text = [name, &number.replace('0', "o")].concat();
    let fill = length.saturating_sub(text.len());
    text.push_str(&"x".repeat(fill));
    text
}
