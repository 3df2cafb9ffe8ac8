//! [`Error`] as the fields of the JS error that its outcome has.

use launchpad_desk::error::Error;
use launchpad_desk::tape::{Tape, ToTape};
use launchpad_desk::trade::plain::{self, About};

/// The fields of the JS error. The sender adds what it knows about the trade.
pub fn error_fields(error: &Error) -> Tape {
    with_details(error, &About::default())
}

/// The same with what is known about the trade.
pub fn with_details(error: &Error, about: &About) -> Tape {
    let mut fields = plain::error_fields(error, about);
    fields.extend(error.evidence.as_ref().map(|evidence| ("evidence", evidence.0.to_tape())));
    // Errors of the other modules never have a trade.
    #[cfg(feature = "trade")]
    fields.extend(error.trade.as_deref().map(|trade| ("trade", plain::trade_value(trade, about))));
    Tape::object(&fields)
}
