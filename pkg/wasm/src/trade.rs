//! A trade as JS sees it: the spec's reply with numbers under `result`, the same values under `exact`.

use launchpad_desk::api::response::Trade;
use launchpad_desk::tape::Tape;
use launchpad_desk::trade::plain::{self, About};

/// The trade as JS receives it; the sender adds what it knows about it.
pub fn trade_value(trade: &Trade) -> Tape {
    plain::trade_value(trade, &About::default())
}

/// An HTTP status from a number; an impossible one becomes `u16::MAX`.
pub fn status_of(status: f64) -> u16 {
    let whole = status as u16;
    if f64::from(whole) == status { whole } else { u16::MAX }
}
