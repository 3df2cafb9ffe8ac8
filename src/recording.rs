//! A recorded trade: what a record has of the trades of a desk, and what a sandbox makes again.

use crate::launchpad::quote::Side;
use crate::record;
use crate::tape::Count;

record! {
    /// A recorded trade.
    RecordedTrade {
        /// When it was made, in milliseconds of the market's time; not before the trade that precedes it.
        at_ms: Count => "number",
        /// Mint address of the token.
        mint: String => "string",
        /// Which way the lamports go.
        side: Side => "Side",
        /// What a buy spends, fees included. It counts for a buy without `tokens`.
        lamports: Option<u64> => "number | bigint | string | null" optional,
        /// Base units that a buy buys, or a sell sells.
        tokens: Option<u64> => "number | bigint | string | null" optional,
        /// Whose trade it is. A replay does not ask.
        wallet: Option<String> => "string | null" optional,
    }
}
