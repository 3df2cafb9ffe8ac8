//! The six operations, where they live, and the one table of their request fields.

use crate::codes::codes;
use crate::to_tape;

codes! {
    /// One of the six operations of the service.
    #[derive(PartialOrd, Ord, Hash)]
    Operation {
        /// Spend lamports on a token.
        Buy = "buy",
        /// Sell an amount of token.
        Sell = "sell",
        /// Sell a percentage of a wallet's holdings.
        SellByPercentage = "sellByPercentage",
        /// Several buys of one token from several wallets, in one transaction.
        BundleBuy = "bundleBuy",
        /// Several sells of one token from several wallets, in one transaction.
        BundleSell = "bundleSell",
        /// Several sells by percentage, in one transaction.
        BundleSellByPercentage = "bundleSellByPercentage",
    }
}

use Operation::*;

impl Operation {
    /// The path below the base URL. The method is POST for all six.
    pub const fn path(self) -> &'static str {
        match self {
            Buy => "/v1/trade/buy",
            Sell => "/v1/trade/sell",
            SellByPercentage => "/v1/trade/sell-by-percentage",
            BundleBuy => "/v1/trade/bundle/buy",
            BundleSell => "/v1/trade/bundle/sell",
            BundleSellByPercentage => "/v1/trade/bundle/sell/by-percentage",
        }
    }

    /// The operation at that path.
    pub fn from_path(path: &str) -> Option<Operation> {
        Operation::ALL.into_iter().find(|operation| operation.path() == path)
    }

    /// Whether one request trades from several wallets.
    pub const fn is_bundle(self) -> bool {
        BUNDLES.contains(self)
    }

    /// Whether it buys; the others sell.
    pub const fn is_buy(self) -> bool {
        matches!(self, Buy | BundleBuy)
    }

    /// The field table's rows of this operation's body, in body order.
    pub fn body_fields(self) -> impl Iterator<Item = &'static Row> {
        FIELDS.iter().filter(move |row| row.body.contains(self))
    }

    /// The field table's rows of one element of this operation's `buys` or `sells`, in body order.
    pub fn element_fields(self) -> impl Iterator<Item = &'static Row> {
        FIELDS.iter().filter(move |row| row.element.contains(self))
    }
}

/// A set of operations.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Operations(u8);

impl Operations {
    /// These.
    pub const fn of<const N: usize>(operations: [Operation; N]) -> Self {
        let (mut bits, mut at) = (0, 0);
        while at < N {
            bits |= 1 << operations[at] as u8;
            at += 1;
        }
        Operations(bits)
    }

    /// Whether `operation` is one of them.
    pub const fn contains(self, operation: Operation) -> bool {
        self.0 & (1 << operation as u8) != 0
    }
}

/// No operation.
pub(super) const NONE: Operations = Operations::of([]);
/// All six.
pub(super) const ALL: Operations = Operations::of(Operation::ALL);
/// Those of one wallet.
pub(super) const SINGLES: Operations = Operations::of([Buy, Sell, SellByPercentage]);
/// Those of several.
pub(super) const BUNDLES: Operations = Operations::of([BundleBuy, BundleSell, BundleSellByPercentage]);

/// A request field of the spec.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Field {
    /// `buys`
    Buys,
    /// `sells`
    Sells,
    /// `mint`
    Mint,
    /// `fromWallet`
    FromWallet,
    /// `amountInLamports`
    AmountInLamports,
    /// `amountInToken`
    AmountInToken,
    /// `percentage`
    Percentage,
    /// `feePayer`
    FeePayer,
    /// `slippage`
    Slippage,
    /// `priorityUnitLimit`
    PriorityUnitLimit,
    /// `priorityUnitPrice`
    PriorityUnitPrice,
}

/// One row of the field table.
#[derive(Clone, Copy, Debug)]
pub struct Row {
    /// Which field.
    pub field: Field,
    /// Its exact name.
    pub name: &'static str,
    /// The operations whose body has it.
    pub body: Operations,
    /// The operations whose bundle elements have it.
    pub element: Operations,
    /// Where it may be neither absent nor null.
    pub required: Operations,
}

const fn row(field: Field, name: &'static str, [body, element, required]: [Operations; 3]) -> Row {
    Row { field, name, body, element, required }
}

/// The request fields of all six operations, in body order.
///
/// Validation, encoding and the nearest-name hint all read this table, so a field cannot be checked and
/// then forgotten, or sent and never checked.
#[rustfmt::skip]
pub const FIELDS: [Row; 11] = [
    //                                                  body                                                  element                                   required
    row(Field::Buys,              "buys",              [Operations::of([BundleBuy]),                          NONE,                                     ALL]),
    row(Field::Sells,             "sells",             [Operations::of([BundleSell, BundleSellByPercentage]), NONE,                                     ALL]),
    row(Field::Mint,              "mint",              [ALL,                                                  NONE,                                     ALL]),
    row(Field::FromWallet,        "fromWallet",        [SINGLES,                                              BUNDLES,                                  ALL]),
    row(Field::AmountInLamports,  "amountInLamports",  [Operations::of([Buy]),                                Operations::of([BundleBuy]),              ALL]),
    row(Field::AmountInToken,     "amountInToken",     [Operations::of([Sell]),                               Operations::of([BundleSell]),             ALL]),
    row(Field::Percentage,        "percentage",        [Operations::of([SellByPercentage]),                   Operations::of([BundleSellByPercentage]), ALL]),
    row(Field::FeePayer,          "feePayer",          [ALL,                                                  NONE,                                     BUNDLES]),
    row(Field::Slippage,          "slippage",          [ALL,                                                  BUNDLES,                                  NONE]),
    row(Field::PriorityUnitLimit, "priorityUnitLimit", [ALL,                                                  NONE,                                     NONE]),
    row(Field::PriorityUnitPrice, "priorityUnitPrice", [ALL,                                                  NONE,                                     NONE]),
];

/// A trade as it is sent: the exact bytes, and where they go.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(all(target_arch = "wasm32", any(feature = "desk", feature = "launchpad")), derive(tsify::Tsify))]
pub struct Call {
    /// What is asked for.
    pub operation: Operation,
    /// The path below the base URL; the method is POST, the content type `application/json`.
    pub path: String,
    /// The JSON body, exactly as sent.
    pub body: String,
}
to_tape!(Call { operation, path, body });

/// An answer as it came over the wire.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reply {
    /// The HTTP status.
    pub status: u16,
    /// Header names in lower case, with their values.
    pub headers: Vec<(String, String)>,
    /// The body's bytes.
    pub body: Vec<u8>,
}

impl Reply {
    /// The first header of that lower-case name.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(header, _)| header == name).map(|(_, value)| value.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bodies_have_the_specs_fields_in_its_order() {
        let names = |rows: Vec<&Row>| rows.iter().map(|row| row.name).collect::<Vec<_>>().join(" ");
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
            assert_eq!(names(operation.body_fields().collect()), body);
            assert_eq!(names(operation.element_fields().collect()), element);
        }
    }

    #[test]
    fn names_and_paths_lead_back() {
        for operation in Operation::ALL {
            assert_eq!(Operation::from_name(operation.as_str()), Some(operation));
            assert_eq!(Operation::from_path(operation.path()), Some(operation));
        }
        assert_eq!(Operation::from_path("/v1/trade/buy/"), None);
    }
}
