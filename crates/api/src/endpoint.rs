//! The six operations, and what goes over the wire to and from them.

use crate::bindings::debug_text;
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

    /// Its name for people.
    pub const fn title(self) -> &'static str {
        match self {
            Buy => "Buy",
            Sell => "Sell",
            SellByPercentage => "Sell by percentage",
            BundleBuy => "Bundle of buys",
            BundleSell => "Bundle of sells",
            BundleSellByPercentage => "Bundle of sells by percentage",
        }
    }

    pub fn from_path(path: &str) -> Option<Operation> {
        Operation::ALL.into_iter().find(|operation| operation.path() == path)
    }

    /// Whether one request trades from several wallets.
    pub const fn is_bundle(self) -> bool {
        match self {
            Buy | Sell | SellByPercentage => false,
            BundleBuy | BundleSell | BundleSellByPercentage => true,
        }
    }

    /// Whether it buys; the others sell.
    pub const fn is_buy(self) -> bool {
        match self {
            Buy | BundleBuy => true,
            Sell | SellByPercentage | BundleSell | BundleSellByPercentage => false,
        }
    }
}

/// A set of operations: a bit for each. It holds eight; a ninth would not compile.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Operations(u8);

const _: () = assert!(Operation::ALL.len() <= u8::BITS as usize);

impl Operations {
    /// The set of these operations.
    pub const fn of<const N: usize>(operations: [Operation; N]) -> Self {
        let (mut bits, mut at) = (0, 0);
        while at < N {
            bits |= 1 << operations[at] as u8;
            at += 1;
        }
        Operations(bits)
    }

    /// All bundles, or all single trades.
    const fn that_are(bundles: bool) -> Self {
        let (mut bits, mut at) = (0, 0);
        while at < Operation::ALL.len() {
            if Operation::ALL[at].is_bundle() == bundles {
                bits |= 1 << Operation::ALL[at] as u8;
            }
            at += 1;
        }
        Operations(bits)
    }

    pub const fn contains(self, operation: Operation) -> bool {
        self.0 & (1 << operation as u8) != 0
    }
}

/// No operation.
pub(super) const NONE: Operations = Operations::of([]);
/// All six.
pub(super) const ALL: Operations = Operations::of(Operation::ALL);
/// Those that trade from one wallet.
pub(super) const SINGLES: Operations = Operations::that_are(false);
/// Those that trade from several wallets.
pub(super) const BUNDLES: Operations = Operations::that_are(true);

/// A trade as it is sent: the exact bytes, and where they go. `Debug` leaves out the body.
#[derive(Clone, PartialEq, Eq)]
pub struct Call {
    /// What is asked for.
    pub operation: Operation,
    /// The path below the base URL; the method is POST, the content type `application/json`.
    pub path: &'static str,
    /// The JSON body, exactly as sent.
    pub body: String,
}
to_tape!(Call { operation, path, body });

debug_text!(Call, |call| "Call({}, {} bytes)", call.path, call.body.len());

/// An answer as it came over the wire. `Debug` leaves out headers and body.
#[derive(Clone, PartialEq, Eq)]
pub struct Reply {
    /// The HTTP status.
    pub status: u16,
    /// Header names in lower case, with their values.
    pub headers: Vec<(String, String)>,
    /// The body's bytes.
    pub body: Vec<u8>,
}

debug_text!(Reply, |reply| "Reply({}, {} bytes)", reply.status, reply.body.len());

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
    fn names_and_paths_lead_back() {
        for operation in Operation::ALL {
            assert_eq!(Operation::from_name(operation.as_str()), Some(operation));
            assert_eq!(Operation::from_path(operation.path()), Some(operation));
        }
        assert_eq!(Operation::from_path("/v1/trade/buy/"), None);
    }

    #[test]
    fn no_log_shows_what_was_sent_or_answered() {
        let call = Call { operation: Buy, path: "/v1/trade/buy", body: "secret".into() };
        assert_eq!(format!("{call:?}"), "Call(/v1/trade/buy, 6 bytes)");
        let headers = vec![("set-cookie".to_owned(), "secret".to_owned())];
        let reply = Reply { status: 200, headers, body: b"secret".to_vec() };
        assert_eq!(format!("{reply:?}"), "Reply(200, 6 bytes)");
    }
}
