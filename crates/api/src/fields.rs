//! The one table of request fields: what each is called, what it is, who has it, and what it means.
//!
//! Validation, encoding, the nearest-name hint, the package's TypeScript types, `docs/fields.md` and
//! `docs/openapi.json` all read this table, so a field cannot be checked and then forgotten, or sent and never checked.

use crate::amount::Digits;
use crate::endpoint::Operation::{
    self, BundleBuy, BundleSell, BundleSellByPercentage, Buy, Sell, SellByPercentage,
};
use crate::endpoint::{ALL, BUNDLES, NONE, Operations, SINGLES};
use crate::names::place_of;

/// What a field's value is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// The elements of a bundle: one or more.
    Elements,
    /// The text of a mint or wallet id.
    Identifier,
    /// A whole number of the row's unit, above zero.
    Lamports,
    /// An amount of token, above zero.
    Tokens,
    /// A number of percent, above zero and at most 100.
    Percentage,
    Slippage,
    /// A whole number of the row's unit.
    Whole,
}

/// One row of the field table.
#[derive(Clone, Copy, Debug)]
pub struct FieldRow {
    pub field: Field,
    /// Its exact name.
    pub name: &'static str,
    /// The same as a body has it: after a comma, in quotes, with a colon.
    pub key: &'static str,
    /// What its value is.
    pub kind: Kind,
    /// What its number counts; empty if it is not a number.
    pub unit: &'static str,
    /// The operations whose body has it.
    pub body: Operations,
    /// The operations whose bundle elements have it.
    pub element: Operations,
    /// The operations that require it: absent and null are refused.
    pub required: Operations,
}

impl FieldRow {
    /// Whether the field is in this part of a request of `operation`.
    pub const fn is_in(&self, place: Place, operation: Operation) -> bool {
        match place {
            Place::Body => self.body.contains(operation),
            Place::Element(_) => self.element.contains(operation),
        }
    }
}

/// A part of a request: an object that has fields.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// The request itself.
    Body,
    /// The element of `buys` or `sells` at this index.
    Element(usize),
}

impl Place {
    /// The table's rows of this part, in body order.
    pub fn rows(self, operation: Operation) -> impl Iterator<Item = &'static FieldRow> {
        FIELDS.iter().filter(move |row| row.is_in(self, operation))
    }

    /// The path of the part: `buys[3]`, or nothing for the body.
    pub fn path(self, operation: Operation) -> String {
        match self {
            Place::Body => String::new(),
            Place::Element(index) => [elements_name(operation), "[", &index.digits(), "]"].concat(),
        }
    }

    /// The path of a field of the part: `slippage`, or `buys[3].slippage`.
    pub fn path_of(self, operation: Operation, name: &str) -> String {
        match self {
            Place::Body => name.to_owned(),
            Place::Element(_) => [&self.path(operation), ".", name].concat(),
        }
    }
}

/// What a bundle calls its elements.
pub fn elements_name(operation: Operation) -> &'static str {
    Place::Body.rows(operation).find(|row| row.kind == Kind::Elements).map_or("", |row| row.name)
}

/// Declares the fields, each once: its variant and name, its row of [`FIELDS`], and its meaning.
macro_rules! fields {
    ($(
        $(#[doc = $doc:literal])+
        $field:ident = $name:literal: $kind:ident $(of $unit:literal)?,
        body: $body:expr, element: $element:expr, required: $required:expr;
    )+) => {
        /// A request field of the spec. [`FIELDS`] has its row at its place.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Field {
            $($(#[doc = $doc])+ $field,)+
        }

        /// The request fields of all operations, in body order.
        pub static FIELDS: [FieldRow; [$($name),+].len()] = [$(FieldRow {
            field: Field::$field,
            name: $name,
            key: concat!(",\"", $name, "\":"),
            kind: Kind::$kind,
            unit: concat!("" $(, $unit)?),
            body: $body,
            element: $element,
            required: $required,
        }),+];

        impl Field {
            /// What it means, line by line. It is not part of the row, because the npm package's module contains the rows.
            pub const fn doc(self) -> &'static [&'static str] {
                match self { $(Field::$field => &[$($doc),+],)+ }
            }
        }
    };
}

fields! {
    /// The buys, in order; one or more.
    Buys = "buys": Elements,
        body: Operations::of([BundleBuy]), element: NONE, required: ALL;
    /// The sells, in order; one or more.
    Sells = "sells": Elements,
        body: Operations::of([BundleSell, BundleSellByPercentage]), element: NONE, required: ALL;
    /// Mint address of the token.
    Mint = "mint": Identifier,
        body: ALL, element: NONE, required: ALL;
    /// Id of the wallet that trades.
    FromWallet = "fromWallet": Identifier,
        body: SINGLES, element: BUNDLES, required: ALL;
    /// Lamports to spend, fees included: a whole number above zero.
    ///
    /// A number must be a safe integer.
    AmountInLamports = "amountInLamports": Lamports of "lamports",
        body: Operations::of([Buy]), element: Operations::of([BundleBuy]), required: ALL;
    /// Whole tokens to sell, above zero.
    ///
    /// A number or a numeric string is whole tokens and sent in the form given. `{ baseUnits }` takes base units, as the
    /// launchpad's maths return them; `{ tokens }` takes whole tokens no finer than a base unit. Both are converted exactly or
    /// refused. A bare bigint is refused: it does not say its unit.
    AmountInToken = "amountInToken": Tokens of "whole tokens",
        body: Operations::of([Sell]), element: Operations::of([BundleSell]), required: ALL;
    /// Percentage of the wallet's holdings to sell: 0 < p ≤ 100. 100 sells all and closes the token account.
    Percentage = "percentage": Percentage of "percent",
        body: Operations::of([SellByPercentage]), element: Operations::of([BundleSellByPercentage]), required: ALL;
    /// Id of the wallet that pays for the transaction. A single trade may leave it out; then the trading wallet pays.
    FeePayer = "feePayer": Identifier,
        body: ALL, element: NONE, required: BUNDLES;
    /// How far the price may move against the trade. An element's slippage overrides that of its bundle, which is 0.5 % by
    /// default.
    ///
    /// A bare number is sent unchanged, in the service's unit; `{ percent }` and `{ bps }` are converted to it.
    Slippage = "slippage": Slippage of "percent, or `slippageUnit`",
        body: ALL, element: BUNDLES, required: NONE;
    /// Most priority (compute) units to pay for.
    PriorityUnitLimit = "priorityUnitLimit": Whole of "priority units",
        body: ALL, element: NONE, required: NONE;
    /// Price of one priority (compute) unit. The spec names no unit; the network's is the micro-lamport, a millionth of a
    /// lamport.
    PriorityUnitPrice = "priorityUnitPrice": Whole of "micro-lamports per priority unit",
        body: ALL, element: NONE, required: NONE;
}

/// A field's name crosses by its place in the table.
const _: () = {
    let mut place = 0;
    while place < FIELDS.len() {
        assert!(place_of(FIELDS[place].name) == place);
        place += 1;
    }
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_field_is_its_rows_place() {
        for (place, row) in FIELDS.iter().enumerate() {
            assert_eq!(row.field as usize, place, "{}", row.name);
            assert!(row.name.bytes().all(|byte| byte.is_ascii_alphabetic()), "{}", row.name);
        }
    }

    #[test]
    fn bodies_have_the_specs_fields_in_its_order() {
        let names =
            |place: Place, operation| place.rows(operation).map(|row| row.name).collect::<Vec<_>>().join(" ");
        let tail = "feePayer slippage priorityUnitLimit priorityUnitPrice";
        let bodies = [
            (Buy, format!("mint fromWallet amountInLamports {tail}"), ""),
            (Sell, format!("mint fromWallet amountInToken {tail}"), ""),
            (SellByPercentage, format!("mint fromWallet percentage {tail}"), ""),
            (BundleBuy, format!("buys mint {tail}"), "fromWallet amountInLamports slippage"),
            (BundleSell, format!("sells mint {tail}"), "fromWallet amountInToken slippage"),
            (BundleSellByPercentage, format!("sells mint {tail}"), "fromWallet percentage slippage"),
        ];
        for (operation, body, element) in bodies {
            assert_eq!(names(Place::Body, operation), body);
            assert_eq!(names(Place::Element(0), operation), element);
        }
    }

    #[test]
    fn a_path_names_the_element() {
        assert_eq!(Place::Body.path_of(Buy, "mint"), "mint");
        assert_eq!(Place::Element(3).path_of(BundleBuy, "slippage"), "buys[3].slippage");
        assert_eq!(Place::Element(0).path(BundleSell), "sells[0]");
    }
}
