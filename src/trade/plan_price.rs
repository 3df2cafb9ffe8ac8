//! The price of a plan.

use crate::amount::{Decimal, MAX_TOKEN_DECIMALS};
use crate::error::FieldError;
use crate::launchpad::receipt::QuotedLeg;
use crate::launchpad::view::read_leg as read_quoted;
use crate::reader::{self, Reader};
use crate::tape::{Item, Tape, ToTape, Writer};

/// What a plan would do, by the market that it was made for: a quote as data, its figures as decimal text. It is a forecast, and no part
/// of it is sent. A market of one's own may have made it, so any field may be missing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlanPrice(Tape);

impl PlanPrice {
    /// Of a quote, such as [`DryRun::view`](crate::launchpad::dry_run::DryRun::view) gives, or of data that has some of its fields.
    pub fn of(quote: &impl ToTape) -> PlanPrice {
        PlanPrice(quote.to_tape().with_text_figures())
    }

    /// That of a plan that was kept.
    pub(super) fn kept(price: Item) -> PlanPrice {
        PlanPrice(price.to_tape())
    }

    /// Its fields: those of a [`TradeQuote`](crate::launchpad::view::TradeQuote), and what its market adds.
    pub fn data(&self) -> Item<'_> {
        self.0.root()
    }

    /// Its trades, in order.
    ///
    /// # Errors
    ///
    /// Every field that is missing or wrong.
    pub fn legs(&self) -> Result<Vec<PricedLeg>, Vec<FieldError>> {
        reader::read(self.data(), |r| {
            r.ignore_rest();
            read_legs(r)
        })
    }
}

impl ToTape for PlanPrice {
    fn write(&self, tape: &mut Writer) {
        self.0.write(tape);
    }
}

/// One trade of a plan's price.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PricedLeg {
    /// The wallet that trades.
    pub wallet: String,
    /// What it would do.
    pub quoted: QuotedLeg,
    /// The token's decimals, by which its whole tokens are its base units. `None` if they do not say.
    pub token_decimals: Option<u8>,
}

pub(crate) fn read_legs(r: &mut Reader) -> Vec<PricedLeg> {
    r.need("legs", |r, name| r.list(name, read_leg))
}

fn read_leg(r: &mut Reader) -> PricedLeg {
    r.ignore_rest();
    let quoted = read_quoted(r);
    PricedLeg {
        wallet: r.need("wallet", Reader::text).to_owned(),
        token_decimals: r.text("tokenAmount").and_then(|amount| decimals_of(quoted.tokens, amount)),
        quoted,
    }
}

/// The decimals by which this amount of whole tokens is so many base units.
pub fn decimals_of(tokens: u64, amount: &str) -> Option<u8> {
    let amount = Decimal::from_plain(amount).ok().filter(|_| tokens > 0)?;
    (0..=MAX_TOKEN_DECIMALS).find(|decimals| amount.to_units(*decimals).ok() == Some(tokens))
}
