//! The fast way from a reply: where each of its fields stands, without a tree and without a copy.
//!
//! It reads what [`decode`](crate::api::decode::decode) reads, or nothing: what is not plain ASCII, has an amount in
//! another than its shortest form, a name twice, an object where the spec has none, or contradicts the spec, takes the
//! plain way.

use hot::reply::{Holds, Member, Span, scan};

use crate::api::decode::ReplyNames;
use crate::api::encode::amount_name;
use crate::api::endpoint::Operation;

/// The fields of a reply, by the order of their spans.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// `result.mint`
    Mint,
    /// `result.wallet`
    Wallet,
    /// `result.buyAmount` or `result.sellAmount`
    Amount,
    /// `result.preTokenBalance`
    PreTokenBalance,
    /// `result.postTokenBalance`
    PostTokenBalance,
    /// `result.signature`
    Signature,
    /// `result.transactionResult.success`
    Success,
    /// `result.transactionResult.signature`
    TransactionSignature,
    /// `result.transactionResult.results`, quotes and all
    Results,
    /// `result.tokenAccount`
    TokenAccount,
    /// `result.tokenAccountClosed`
    TokenAccountClosed,
    /// `explorer.mint`
    ExplorerMint,
    /// `explorer.wallet`
    ExplorerWallet,
    /// `explorer.tx`
    ExplorerTx,
    /// `explorer.tokenAccount`
    ExplorerTokenAccount,
    /// `launchpad.mint`
    LaunchpadMint,
    /// `result`
    Result,
    /// `result.transactionResult`
    TransactionResult,
    /// `explorer`
    Explorer,
    /// `launchpad`
    Launchpad,
}

/// How many fields there are.
pub const PLACES: usize = Place::Launchpad as usize + 1;

const fn member(name: &str, holds: Holds<'static>) -> Member<'static> {
    Member::of(name.as_bytes(), holds)
}

const fn text(name: &'static str, place: Place) -> Member<'static> {
    member(name, Holds::Text(place as usize))
}

const fn amount(name: &'static str, place: Place) -> Member<'static> {
    member(name, Holds::Amount(place as usize))
}

static TRANSACTION_RESULT: [Member; 3] = [
    member("success", Holds::Flag(Place::Success as usize)),
    text("signature", Place::TransactionSignature),
    member("results", Holds::Scalar(Place::Results as usize)),
];

const fn result_of(operation: Operation) -> [Member<'static>; 9] {
    [
        text("mint", Place::Mint),
        text("wallet", Place::Wallet),
        amount(amount_name(operation), Place::Amount),
        amount("preTokenBalance", Place::PreTokenBalance),
        amount("postTokenBalance", Place::PostTokenBalance),
        text("signature", Place::Signature),
        member("transactionResult", Holds::Object(Place::TransactionResult as usize, &TRANSACTION_RESULT)),
        text("tokenAccount", Place::TokenAccount),
        member("tokenAccountClosed", Holds::Flag(Place::TokenAccountClosed as usize)),
    ]
}

static BUY_RESULT: [Member; 9] = result_of(Operation::Buy);
static SELL_RESULT: [Member; 9] = result_of(Operation::Sell);

static EXPLORER: [Member; 4] = [
    text("mint", Place::ExplorerMint),
    text("wallet", Place::ExplorerWallet),
    text("tx", Place::ExplorerTx),
    text("tokenAccount", Place::ExplorerTokenAccount),
];

static LAUNCHPAD: [Member; 1] = [text("mint", Place::LaunchpadMint)];

/// What a reply looks like, to those who know the names of its branded fields.
pub struct Shape([[Member<'static>; 4]; 2]);

impl Shape {
    /// The shape of replies with these names; `None` where they take other fields' names.
    pub fn of(ReplyNames { explorer, launchpad }: &ReplyNames) -> Option<Shape> {
        if explorer == launchpad
            || [explorer, launchpad].iter().any(|name| ["result", "exact"].contains(&name.as_str()))
        {
            return None;
        }
        let of_result = |result| {
            [
                member("result", Holds::Object(Place::Result as usize, result)),
                member(explorer, Holds::Object(Place::Explorer as usize, &EXPLORER)),
                member(launchpad, Holds::Object(Place::Launchpad as usize, &LAUNCHPAD)),
                // A trade of this package's own, whose amounts are there.
                member("exact", Holds::Nothing),
            ]
        };
        Some(Shape([&BUY_RESULT, &SELL_RESULT].map(|result| of_result(result))))
    }

    /// Finds the fields of a reply to `operation`: each at its [`Place`].
    ///
    /// `None` where the plain way has to read it; that is no judgement of the reply.
    pub fn find_fields(&self, operation: Operation, reply: &[u8], spans: &mut [Span; PLACES]) -> Option<()> {
        let Shape([of_buys, of_sells]) = self;
        scan(reply, if operation.is_buy() { of_buys } else { of_sells }, spans)?;
        (spans[Place::Result as usize].from > 0).then_some(())
    }
}
