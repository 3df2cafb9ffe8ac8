//! The names and words that cross between JS and the core by their places in one list.

/// Those of all [fields](crate::fields::FIELDS) in the table's order, then what else calls, trades and problems have.
pub static NAMES: [&str; 52] = [
    "buys",
    "sells",
    "mint",
    "fromWallet",
    "amountInLamports",
    "amountInToken",
    "percentage",
    "feePayer",
    "slippage",
    "priorityUnitLimit",
    "priorityUnitPrice",
    // Those of nested limits, of which none may be hidden, either.
    "perSecond",
    "burst",
    "maxQueueMs",
    "unknowns",
    "stopsSells",
    "operation",
    "request",
    "options",
    "field",
    "code",
    "message",
    "status",
    "simulated",
    "result",
    "explorer",
    "launchpad",
    "exact",
    "warnings",
    "raw",
    "intentId",
    "wallet",
    "buyAmount",
    "sellAmount",
    "preTokenBalance",
    "postTokenBalance",
    "signature",
    "transactionResult",
    "success",
    "results",
    "tokenAccount",
    "tokenAccountClosed",
    "tx",
    // The operations and the ways of a trade, each in its order.
    "buy",
    "sell",
    "sellByPercentage",
    "bundleBuy",
    "bundleSell",
    "bundleSellByPercentage",
    "landed",
    "unconfirmed",
    "failed",
];

/// The place of a name or word, which must be among [`NAMES`]: it is for compile time.
pub(crate) const fn place_of(name: &str) -> usize {
    let mut place = 0;
    while !is_same(NAMES[place].as_bytes(), name.as_bytes()) {
        place += 1;
    }
    place
}

const fn is_same(one: &[u8], other: &[u8]) -> bool {
    let mut at = 0;
    while at < one.len() && at < other.len() && one[at] == other[at] {
        at += 1;
    }
    at == one.len() && at == other.len()
}
