//! A trade as JS sees it: the spec's reply with numbers under `result`, the same values under `exact`.

use crate::amount::ExactText;
use crate::api::encode::reply_value;
use crate::api::response::Trade;
use crate::object;
use crate::tape::json;
use crate::tape::{Tape, ToTape, Writer};

/// The trade as JS receives it; the sender adds the warnings.
pub fn trade_value(trade: &Trade) -> Tape {
    let result = &trade.result;
    let text = |amount: &Option<ExactText>| amount.as_ref().map(|amount| amount.as_str().to_owned());
    let (results, amount) = (json::write(&result.transaction.results), text(&result.amount));
    let (before, after) = (text(&result.pre_token_balance), text(&result.post_token_balance));
    let exact = match (trade.operation.is_bundle(), trade.operation.is_buy()) {
        // Of a bundle there are no amounts.
        (true, _) => object! { "results": results },
        (false, true) => {
            object! { "results": results, "buyAmount": amount, "preTokenBalance": before, "postTokenBalance": after }
        }
        (false, false) => {
            object! { "results": results, "sellAmount": amount, "preTokenBalance": before, "postTokenBalance": after }
        }
    };
    let head = object! { "operation": trade.operation, "status": trade.status.as_str() };
    let tail = object! { "exact": exact, "warnings": Vec::<Tape>::new(), "raw": trade.raw };
    let parts = [head, reply_value(trade), tail];
    let fields = parts.iter().flat_map(|part| part.root().fields()).flatten().collect::<Vec<_>>();
    let mut tape = Writer::default();
    tape.object(&mut fields.iter().map(|(name, field)| (*name, field as &dyn ToTape)));
    tape.finish()
}

/// An HTTP status from a number; an impossible one becomes `u16::MAX`.
pub fn status_of(status: f64) -> u16 {
    let whole = status as u16;
    if f64::from(whole) == status { whole } else { u16::MAX }
}
