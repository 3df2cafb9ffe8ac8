//! Where prices come from on the chain, without I/O: the bodies of JSON-RPC calls, and what their replies say.
//!
//! | module | one idea |
//! |---|---|
//! | [`read`] | a look at a token: one call, one slot |
//! | [`quote`](mod@quote) | what a request would do at a look |
//! | [`settler`] | a trade's outcome: calls until the evidence is complete |
//! | [`follow`](mod@follow) | looks from a stream of accounts |
//! | [`own`] | the own trades that a look has to show |
//! | [`drift`](mod@drift) | a landed trade against its quote, and which rule moved |
//!
//! A caller posts each body to a node of its choice, and passes on the bytes of the reply.

pub mod drift;
pub mod follow;
pub mod own;
pub mod quote;
pub mod read;
pub mod settler;

use crate::chain::{ReadError, Why};
use crate::codes::codes;
use crate::error_text;

codes! {
    /// Why a market gives no answer. Append-only.
    #[non_exhaustive]
    MarketRefusal as "MarketErrorCode" {
        /// The source gave no reply.
        Unreachable = "unreachable",
        /// The node refused the call: it does not know the method, or allows no more calls for now (an HTTP status from 400 to 499).
        NodeRefused = "node_refused",
        /// The reply cannot be read, or is longer than `maxReplyBytes`.
        UnreadableReply = "unreadable_reply",
        /// The reply is from an older slot than one that was known when it was asked for: the source lags, or two nodes answer in turn.
        WentBack = "went_back",
        /// The look is older than `maxAgeMs`, or its node has had no newer slot for that long: it stands still.
        Stale = "stale",
        /// The source has accounts, but no transactions.
        NoHistory = "no_history",
        /// The node knows no landed transaction of this signature: it failed, is not confirmed yet, or is forgotten.
        NoTransaction = "no_transaction",
        /// The source does not show an own trade yet: what it says is from before that trade, and decides nothing after it.
        NotShown = "not_shown",
        /// The id of a wallet is no address, and `walletAddresses` has none for it: the chain cannot be asked about it.
        NoAddress = "no_address",
    }
}

impl MarketRefusal {
    /// That of a reply with this HTTP status, which is none of success.
    pub fn of_status(status: u16) -> MarketRefusal {
        if (400..500).contains(&status) { MarketRefusal::NodeRefused } else { MarketRefusal::Unreachable }
    }

    /// That of a node's reply which says nothing; `None` for an account, which has [a code of its own](ReadError::account).
    pub fn of(error: &ReadError) -> Option<MarketRefusal> {
        match &error.0 {
            Why::Account(_) => None,
            Why::Refused { .. } | Why::Limit { .. } => Some(MarketRefusal::NodeRefused),
            Why::Status(status) | Why::Page { status, .. } if !(200..300).contains(status) => {
                Some(MarketRefusal::of_status(*status))
            }
            _ => Some(MarketRefusal::UnreadableReply),
        }
    }
}

error_text!(MarketRefusal, |refusal| refusal.meaning());
