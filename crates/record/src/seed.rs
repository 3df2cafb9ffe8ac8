//! A sandbox that begins where a record's plans were made.

use super::line::{Act, Entry};
use super::lines::Lines;
use launchpad_desk::tape::{Item, Tape, ToTape};

/// What the plans of a record say about the market: each token and each wallet as it was when the last plan that names it was made. That is a
/// sandbox's settings, as `SandboxConfig::read` takes them.
///
/// Only a plan whose price was of a known market says anything: one of a sandbox, or of a look at the chain. It does not verify the record.
///
/// ```
/// use launchpad_desk::bindings::object;
/// use launchpad_desk_record::{Act, Recorder, RecordSeed};
///
/// let mut recorder = Recorder::new(None, "desk");
/// let market = object! { "tokens": vec![object! { "mint": "M" }], "wallets": vec![object! { "wallet": "W", "lamports": "5" }] };
/// let line = recorder.add(0, Act::Plan, "trade-1", "buy", &object! { "market": market });
/// let mut seed = RecordSeed::default();
/// seed.add(line.as_bytes());
/// assert_eq!(seed.end().unwrap(), market);
/// ```
#[derive(Default)]
pub struct RecordSeed {
    until: Option<String>,
    is_over: bool,
    /// Settings of the market as a whole.
    market: Vec<(String, Tape)>,
    /// Tokens and wallets, each under its id, in the order in which they came.
    tokens: Vec<(String, Tape)>,
    wallets: Vec<Wallet>,
    torn: Lines,
}

struct Wallet {
    id: String,
    fields: Vec<(String, Tape)>,
    /// Each under its mint.
    holdings: Vec<(String, Tape)>,
}

impl RecordSeed {
    /// The market as it was when this trade was planned.
    pub fn at(intent_id: &str) -> RecordSeed {
        RecordSeed { until: Some(intent_id.to_owned()), ..RecordSeed::default() }
    }

    /// Reads the next bytes, which may end within a line.
    pub fn add(&mut self, bytes: &[u8]) {
        let mut lines = std::mem::take(&mut self.torn);
        lines.add(bytes, &mut |line| self.line(line));
        self.torn = lines;
    }

    /// The settings; `None` if no plan says anything about its market, or there is none of the trade that was named.
    pub fn end(mut self) -> Option<Tape> {
        let mut lines = std::mem::take(&mut self.torn);
        lines.end(&mut |line| self.line(line));
        let RecordSeed { until, is_over, mut market, tokens, wallets, .. } = self;
        if tokens.is_empty() || (until.is_some() && !is_over) {
            return None;
        }
        let tokens: Vec<Tape> = tokens.into_iter().map(|(_, token)| token).collect();
        let wallets = wallets.into_iter().map(|Wallet { mut fields, holdings, .. }| {
            if !holdings.is_empty() {
                let holdings: Vec<Tape> = holdings.into_iter().map(|(_, holding)| holding).collect();
                fields.push(("holdings".to_owned(), holdings.to_tape()));
            }
            Tape::object(&fields)
        });
        market.push(("tokens".to_owned(), tokens.to_tape()));
        market.push(("wallets".to_owned(), wallets.collect::<Vec<_>>().to_tape()));
        Some(Tape::object(&market))
    }

    fn line(&mut self, line: &str) {
        if self.is_over {
            return;
        }
        let Ok(Entry { act, intent, data: Some(data), .. }) = Entry::of(line) else { return };
        if act != Act::Plan.as_str() {
            return;
        }
        let market = data.root().get("market").filter(|market| market.is_object());
        if let Some(market) = market {
            self.take(market);
        }
        self.is_over = market.is_some() && self.until.as_ref() == Some(&intent);
    }

    fn take(&mut self, market: Item) {
        for (name, value) in market.fields().into_iter().flatten() {
            if !matches!(name, "tokens" | "wallets") {
                put(&mut self.market, name, value.to_tape());
            }
        }
        let tokens: Vec<(&str, Item)> = list(market, "tokens", "mint").collect();
        for (mint, token) in &tokens {
            put(&mut self.tokens, mint, token.to_tape());
        }
        for (id, wallet) in list(market, "wallets", "wallet") {
            let place = self.wallets.iter().position(|known| known.id == id).unwrap_or_else(|| {
                let wallet = Wallet { id: id.to_owned(), fields: Vec::new(), holdings: Vec::new() };
                self.wallets.push(wallet);
                self.wallets.len() - 1
            });
            let Some(known) = self.wallets.get_mut(place) else { continue };
            let fields = wallet.fields().into_iter().flatten().filter(|(name, _)| *name != "holdings");
            known.fields = fields.map(|(name, value)| (name.to_owned(), value.to_tape())).collect();
            // It says all that the wallet holds of its tokens.
            known.holdings.retain(|(mint, _)| !tokens.iter().any(|(token, _)| token == mint));
            for (mint, holding) in list(wallet, "holdings", "mint") {
                put(&mut known.holdings, mint, holding.to_tape());
            }
        }
    }
}

/// The objects of a list, each with its id.
fn list<'t>(of: Item<'t>, name: &str, id: &'static str) -> impl Iterator<Item = (&'t str, Item<'t>)> {
    let items = of.get(name).and_then(Item::items).into_iter().flatten();
    items.filter_map(move |item| Some((item.get(id)?.text()?, item)))
}

/// Sets the value under a name.
fn put(values: &mut Vec<(String, Tape)>, name: &str, value: Tape) {
    match values.iter_mut().find(|(known, _)| known == name) {
        Some((_, known)) => *known = value,
        None => values.push((name.to_owned(), value)),
    }
}
