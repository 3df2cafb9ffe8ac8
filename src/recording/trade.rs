//! A recorded trade, and what is said of one that cannot be read.

use crate::amount::Digits;
use crate::error::{FieldCode, FieldError};
use crate::launchpad::quote::Side;
use crate::launchpad::recorded::{OtherUnit, other_unit};
use crate::object;
use crate::record;
use crate::tape::{Count, json};

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

/// The most problems of a recording that are named.
pub(super) const MOST_PROBLEMS: usize = 100;

/// Why a time is that of another unit than milliseconds, and how to say so.
pub(super) fn other_time(at_ms: u64, is_first: bool, column: &str) -> Option<String> {
    let OtherUnit { unit, why } = other_unit(at_ms, is_first)?;
    let mapping = object! { "atMs": object! { "column": column, "unit": unit } };
    let way = [", or name their unit: columns: ", &json::write(&mapping)].concat();
    Some(["is ", &at_ms.digits(), ", which ", why, &way].concat())
}

pub(super) fn unreadable(message: &[&str]) -> Vec<FieldError> {
    vec![FieldError { field: String::new(), code: FieldCode::Unreadable, message: message.concat() }]
}
