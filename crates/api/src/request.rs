//! What a trader asks for: the six requests with the spec's names, and the one shape they share inside.

use crate::amount::{Decimal, Form, Percentage, Slippage, TokenAmount, TokenInput};
use crate::endpoint::Operation;
use crate::fields::{Field, Place};
use crate::tape::{ToTape, Writer};
use crate::{object, to_tape};

/// Any of the six requests once its fields are read: a single trade is a bundle of one leg.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Request {
    /// Which of the six.
    pub operation: Operation,
    /// Mint address of the token.
    pub mint: String,
    /// Wallet that pays for the transaction; on a single trade the trading wallet pays when this is absent.
    pub fee_payer: Option<String>,
    /// Main slippage.
    pub slippage: Option<Slippage>,
    /// Most priority (compute) units the caller is willing to pay for.
    pub priority_unit_limit: Option<u64>,
    /// Price of one priority (compute) unit. The spec names no unit; the network's is the micro-lamport.
    pub priority_unit_price: Option<u64>,
    /// The trades, in order: one for a single operation, one or more for a bundle.
    pub legs: Vec<Leg>,
}

/// One wallet's trade in a request.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Leg {
    /// Wallet that buys or sells.
    pub from_wallet: String,
    /// How much; the operation says whether a leg has an amount.
    pub amount: Option<Amount>,
    /// On a bundle, overrides the main slippage for this leg.
    pub slippage: Option<Slippage>,
}

/// How much a leg trades.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Amount {
    /// Lamports to spend, fees included.
    Lamports(u64),
    /// Tokens to sell.
    Tokens(TokenAmount),
    /// Share of the wallet's holdings to sell.
    Percentage(Percentage),
}

/// What a field holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Value<'v> {
    /// A mint or a wallet id.
    Text(&'v str),
    /// How much a leg trades.
    Amount(Amount),
    Slippage(Slippage),
    /// A whole number.
    Whole(u64),
}

impl<'v> Value<'v> {
    fn text(self) -> Option<&'v str> {
        if let Value::Text(text) = self { Some(text) } else { None }
    }

    fn amount(self) -> Option<Amount> {
        if let Value::Amount(amount) = self { Some(amount) } else { None }
    }

    fn slippage(self) -> Option<Slippage> {
        if let Value::Slippage(slippage) = self { Some(slippage) } else { None }
    }

    fn whole(self) -> Option<u64> {
        if let Value::Whole(whole) = self { Some(whole) } else { None }
    }
}

// `put` and `value` of a [`Leg`] name every field of the table, without a `_` for the rest: a new field that has no place in a request
// does not compile.
impl Request {
    /// A request without any field yet.
    pub(super) fn blank(operation: Operation) -> Self {
        Request {
            operation,
            mint: String::new(),
            fee_payer: None,
            slippage: None,
            priority_unit_limit: None,
            priority_unit_price: None,
            legs: if operation.is_bundle() { Vec::new() } else { vec![Leg::default()] },
        }
    }

    /// Fills in a field of a part. `None` if that part has no place for it, or not for such a value.
    pub(super) fn put(&mut self, place: Place, field: Field, value: Value) -> Option<()> {
        let has_main_slippage = self.operation.is_bundle();
        match (place, field) {
            (Place::Element(leg), _) => return self.legs.get_mut(leg)?.put(field, value),
            (Place::Body, Field::Mint) => self.mint = value.text()?.to_owned(),
            (Place::Body, Field::FeePayer) => self.fee_payer = Some(value.text()?.to_owned()),
            (Place::Body, Field::PriorityUnitLimit) => self.priority_unit_limit = Some(value.whole()?),
            (Place::Body, Field::PriorityUnitPrice) => self.priority_unit_price = Some(value.whole()?),
            (Place::Body, Field::Slippage) if has_main_slippage => self.slippage = Some(value.slippage()?),
            // A single trade has the fields of a bundle's elements in its body.
            (Place::Body, _) => return self.legs.first_mut()?.put(field, value),
        }
        Some(())
    }

    /// The value of a field of a part; `None` if it is absent.
    pub fn value(&self, place: Place, field: Field) -> Option<Value<'_>> {
        match (place, field) {
            (Place::Element(leg), _) => self.legs.get(leg)?.value(field),
            (Place::Body, Field::Mint) => Some(Value::Text(&self.mint)),
            (Place::Body, Field::FeePayer) => self.fee_payer.as_deref().map(Value::Text),
            (Place::Body, Field::PriorityUnitLimit) => self.priority_unit_limit.map(Value::Whole),
            (Place::Body, Field::PriorityUnitPrice) => self.priority_unit_price.map(Value::Whole),
            (Place::Body, Field::Slippage) if self.operation.is_bundle() => {
                self.slippage.map(Value::Slippage)
            }
            (Place::Body, _) => self.legs.first()?.value(field),
        }
    }

    /// The slippage of a leg: its own, or the main one.
    pub fn slippage_of(&self, leg: &Leg) -> Option<Slippage> {
        leg.slippage.or(self.slippage)
    }

    /// Where a leg's fields are: in an element of a bundle, in the body of a single trade.
    pub fn place_of(&self, leg: usize) -> Place {
        if self.operation.is_bundle() { Place::Element(leg) } else { Place::Body }
    }

    /// The path of a leg's field: `slippage`, or `buys[3].slippage` in a bundle.
    pub fn leg_field(&self, leg: usize, name: &str) -> String {
        self.place_of(leg).path_of(self.operation, name)
    }

    /// The wallet that pays for the transaction.
    pub fn payer(&self) -> &str {
        match (&self.fee_payer, self.legs.first()) {
            (Some(payer), _) => payer,
            (None, Some(leg)) => &leg.from_wallet,
            (None, None) => "",
        }
    }
}

impl Leg {
    fn put(&mut self, field: Field, value: Value) -> Option<()> {
        match field {
            Field::FromWallet => self.from_wallet = value.text()?.to_owned(),
            Field::Slippage => self.slippage = Some(value.slippage()?),
            Field::AmountInLamports | Field::AmountInToken | Field::Percentage => {
                self.amount = Some(value.amount()?);
            }
            Field::Buys
            | Field::Sells
            | Field::Mint
            | Field::FeePayer
            | Field::PriorityUnitLimit
            | Field::PriorityUnitPrice => return None,
        }
        Some(())
    }

    fn value(&self, field: Field) -> Option<Value<'_>> {
        match field {
            Field::FromWallet => Some(Value::Text(&self.from_wallet)),
            Field::Slippage => self.slippage.map(Value::Slippage),
            Field::AmountInLamports | Field::AmountInToken | Field::Percentage => {
                self.amount.map(Value::Amount)
            }
            Field::Buys
            | Field::Sells
            | Field::Mint
            | Field::FeePayer
            | Field::PriorityUnitLimit
            | Field::PriorityUnitPrice => None,
        }
    }
}

/// A request or an element of one: what it must have, and what it may leave out. What each field means is in the table of
/// [`fields`](crate::fields).
macro_rules! typed {
    (
        $(#[$doc:meta])*
        $name:ident { $($own:ident : $type:ty),* $(,)? } may have { $($more:ident : $value:ty),* }
    ) => {
        $(#[$doc])*
        #[derive(Clone, Debug, PartialEq, Eq)]
        #[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
        #[cfg_attr(feature = "serde", serde(rename_all = "camelCase", deny_unknown_fields, remote = "Self"))]
        #[allow(missing_docs)]
        pub struct $name {
            $(pub $own: $type,)*
            $(pub $more: Option<$value>,)*
        }
        to_tape!($name { $($own,)* $($more),* });
        #[cfg(feature = "serde")]
        crate::serde_forms::all_fields!($name);

        impl $name {
            /// Without what it may leave out.
            pub(super) fn required($($own: $type),*) -> Self {
                $name { $($own,)* $($more: None),* }
            }
        }
    };
}

/// One of the six requests: its own fields, in addition to those that all six have.
macro_rules! request {
    ($(#[$doc:meta])* $name:ident { $($own:tt)* }) => {
        typed! {
            $(#[$doc])*
            $name { mint: String, $($own)* }
            may have { slippage: Slippage, priority_unit_limit: u64, priority_unit_price: u64 }
        }
    };
}

/// One element of a bundle's `buys` or `sells`.
macro_rules! element {
    ($(#[$doc:meta])* $name:ident { $($own:tt)* }) => {
        typed! { $(#[$doc])* $name { from_wallet: String, $($own)* } may have { slippage: Slippage } }
    };
}

request! {
    /// Buys a token from one wallet: `POST /v1/trade/buy`.
    BuyRequest { from_wallet: String, amount_in_lamports: u64, fee_payer: Option<String> }
}
request! {
    /// Sells an amount of a token from one wallet: `POST /v1/trade/sell`.
    SellRequest { from_wallet: String, amount_in_token: TokenInput, fee_payer: Option<String> }
}
request! {
    /// Sells a percentage of one wallet's holdings: `POST /v1/trade/sell-by-percentage`.
    SellByPercentageRequest { from_wallet: String, percentage: Percentage, fee_payer: Option<String> }
}
request! {
    /// Buys a token from several wallets in one transaction: `POST /v1/trade/bundle/buy`.
    BundleBuyRequest { buys: Vec<BundleBuyElement>, fee_payer: String }
}
request! {
    /// Sells amounts of a token from several wallets in one transaction: `POST /v1/trade/bundle/sell`.
    BundleSellRequest { sells: Vec<BundleSellElement>, fee_payer: String }
}
request! {
    /// Sells percentages of several wallets' holdings in one transaction: `POST /v1/trade/bundle/sell/by-percentage`.
    BundleSellByPercentageRequest { sells: Vec<BundleSellByPercentageElement>, fee_payer: String }
}
element! {
    /// One buy of a bundle.
    BundleBuyElement { amount_in_lamports: u64 }
}
element! {
    /// One sell of a bundle.
    BundleSellElement { amount_in_token: TokenInput }
}
element! {
    /// One sell by percentage of a bundle.
    BundleSellByPercentageElement { percentage: Percentage }
}

impl ToTape for Decimal {
    fn write(&self, tape: &mut Writer) {
        tape.number(&self.text());
    }
}

impl ToTape for Percentage {
    fn write(&self, tape: &mut Writer) {
        self.0.write(tape);
    }
}

impl ToTape for TokenAmount {
    fn write(&self, tape: &mut Writer) {
        match self.form {
            Form::Number => self.tokens.write(tape),
            Form::String => tape.string(&self.tokens.text()),
        }
    }
}

impl ToTape for TokenInput {
    fn write(&self, tape: &mut Writer) {
        match self {
            TokenInput::Bare(amount) => amount.write(tape),
            TokenInput::Tokens(amount) => object! { "tokens": amount }.write(tape),
            TokenInput::BaseUnits(units) => object! { "baseUnits": units }.write(tape),
        }
    }
}

impl ToTape for Slippage {
    fn write(&self, tape: &mut Writer) {
        match self {
            Slippage::Bare(number) => number.write(tape),
            Slippage::Percent(percent) => object! { "percent": percent }.write(tape),
            Slippage::Bps(bps) => object! { "bps": bps }.write(tape),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fields::{FieldRow, Kind};
    use crate::tape::Tape;

    fn sample(row: &FieldRow) -> Value<'static> {
        match row.kind {
            Kind::Identifier => Value::Text(row.name),
            Kind::Lamports => Value::Amount(Amount::Lamports(5)),
            Kind::Tokens => Value::Amount(Amount::Tokens(TokenAmount {
                tokens: Decimal::from_units(5, 1),
                form: Form::String,
            })),
            Kind::Percentage => Value::Amount(Amount::Percentage(Percentage(Decimal::from_units(5, 0)))),
            Kind::Slippage => Value::Slippage(Slippage::Bps(Decimal::from_units(7, 0))),
            Kind::Whole | Kind::Elements => Value::Whole(row.field as u64),
        }
    }

    #[test]
    fn every_field_of_the_table_has_its_own_place_in_a_request() {
        for operation in Operation::ALL {
            let mut request = Request::blank(operation);
            request.legs.resize(1, Leg::default());
            for place in [Place::Body, Place::Element(0)] {
                let rows = || place.rows(operation).filter(|row| row.kind != Kind::Elements);
                for row in rows() {
                    assert_eq!(
                        request.put(place, row.field, sample(row)),
                        Some(()),
                        "{operation:?} {}",
                        row.name
                    );
                }
                for row in rows() {
                    assert_eq!(
                        request.value(place, row.field),
                        Some(sample(row)),
                        "{operation:?} {}",
                        row.name
                    );
                }
            }
        }
    }

    #[test]
    fn a_field_without_a_place_is_not_taken() {
        assert_eq!(Request::blank(Operation::Buy).put(Place::Body, Field::Mint, Value::Whole(1)), None);
        assert_eq!(
            Request::blank(Operation::BundleBuy).put(Place::Body, Field::Slippage, Value::Text("x")),
            None
        );
    }

    #[test]
    fn the_typed_requests_have_the_tables_fields() {
        let names = |tape: Tape| {
            let mut names: Vec<_> = tape.root().fields().unwrap().map(|(name, _)| name.to_owned()).collect();
            names.sort();
            names
        };
        let rows = |place: Place, operation| {
            let mut names: Vec<_> = place.rows(operation).map(|row| row.name.to_owned()).collect();
            names.sort();
            names
        };
        let (units, share) = (TokenInput::BaseUnits(1), Percentage(Decimal::default()));
        for (operation, body) in [
            (Operation::Buy, BuyRequest::new("M", "W", 1).to_tape()),
            (Operation::Sell, SellRequest::new("M", "W", units).to_tape()),
            (Operation::SellByPercentage, SellByPercentageRequest::new("M", "W", share).to_tape()),
            (Operation::BundleBuy, BundleBuyRequest::new("M", "P").to_tape()),
            (Operation::BundleSell, BundleSellRequest::new("M", "P").to_tape()),
            (Operation::BundleSellByPercentage, BundleSellByPercentageRequest::new("M", "P").to_tape()),
        ] {
            assert_eq!(names(body), rows(Place::Body, operation));
        }
        for (operation, element) in [
            (Operation::BundleBuy, BundleBuyElement::new("W", 1).to_tape()),
            (Operation::BundleSell, BundleSellElement::new("W", units).to_tape()),
            (Operation::BundleSellByPercentage, BundleSellByPercentageElement::new("W", share).to_tape()),
        ] {
            assert_eq!(names(element), rows(Place::Element(0), operation));
        }
    }
}
