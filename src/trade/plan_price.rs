//! The price of a plan.

use crate::amount::{Decimal, MAX_TOKEN_DECIMALS};
use crate::error::FieldError;
use crate::launchpad::receipt::Quoted;
use crate::launchpad::view::read_leg;
use crate::reader::{self, Reader};
use crate::tape::{Data, Item, Tape, ToTape, Writer};

/// What a plan would do, by the market that it was made for: a quote as data, its figures as decimal text. It is a forecast, and no part
/// of it is sent. A market of one's own may have made it, so any field may be missing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlanPrice(Tape);

impl PlanPrice {
    /// Of a quote, such as [`DryRun::view`](crate::launchpad::dry_run::DryRun::view) gives, or of data that has some of its fields.
    pub fn of(quote: &impl ToTape) -> PlanPrice {
        PlanPrice(quote.to_tape().with_text_figures())
    }

    /// The same price with more fields.
    #[cfg(feature = "chain")]
    pub(crate) fn with(&self, more: &[(&str, &dyn ToTape)]) -> PlanPrice {
        let fields: Vec<(&str, Item)> = self.data().fields().into_iter().flatten().collect();
        let own = fields.iter().map(|(name, value)| (*name, value as &dyn ToTape));
        let mut tape = Writer::default();
        tape.object(&mut own.chain(more.iter().copied()));
        PlanPrice(tape.finish().with_text_figures())
    }

    /// That of a plan that was kept.
    pub(super) fn kept(price: Item) -> PlanPrice {
        PlanPrice(price.to_tape())
    }

    /// Its fields: those of a [`TradeQuote`](crate::launchpad::view::TradeQuote), and what its market adds.
    pub fn data(&self) -> Item<'_> {
        self.0.root()
    }

    /// Its trades, in order, each with its wallet.
    ///
    /// # Errors
    ///
    /// Every field that is missing or wrong.
    pub fn legs(&self) -> Result<Vec<(String, Quoted)>, Vec<FieldError>> {
        self.read(|r| r.need("legs", |r, name| r.list(name, read_leg)))
    }

    pub(crate) fn read<T>(&self, mut read: impl FnMut(&mut Reader) -> T) -> Result<T, Vec<FieldError>> {
        reader::read(self.data(), |r| {
            r.ignore_rest();
            read(r)
        })
    }

    /// The token's decimals: by the rules of its curve or, without them, those by which the whole tokens of a leg are its base units.
    /// `None` if it does not say.
    pub fn token_decimals(&self) -> Option<u8> {
        let rules = self.data().get("curve").and_then(|curve| curve.get("launchpad"));
        let told = rules.and_then(|rules| rules.get("tokenDecimals")).and_then(whole);
        let by_legs = || self.data().get("legs")?.items()?.find_map(decimals_in);
        told.and_then(|told| u8::try_from(told).ok()).or_else(by_legs)
    }
}

impl ToTape for PlanPrice {
    fn write(&self, tape: &mut Writer) {
        self.0.write(tape);
    }
}

/// The decimals by which the whole tokens of a leg are its base units.
fn decimals_in(leg: Item) -> Option<u8> {
    let tokens = leg.get("tokens").and_then(whole).filter(|tokens| *tokens > 0)?;
    let amount = Decimal::from_plain(leg.text_of("tokenAmount")?).ok()?;
    (0..=MAX_TOKEN_DECIMALS).find(|decimals| amount.to_units(*decimals).ok() == Some(tokens))
}

/// A whole number in a price, in whatever form its market gives it.
pub(super) fn whole(item: Item) -> Option<u64> {
    match item.data() {
        Data::Integer(integer) => u64::try_from(integer).ok(),
        Data::Number(text) | Data::Double(text) | Data::BigInt(text) | Data::String(text) => {
            text.parse().ok()
        }
        _ => None,
    }
}
