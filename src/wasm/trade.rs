//! A trade as JS sees it: the spec's reply with numbers under `result`, the same values under `exact`.

use crate::amount::ExactText;
use crate::api::encode::{amount_name, reply_parts};
use crate::api::response::{Trade, TradeResult};
use crate::tape::json;
use crate::tape::{Tape, ToTape, Writer, object_of};

/// The trade as JS receives it; the sender adds the warnings.
pub fn trade_value(trade: &Trade) -> Tape {
    let [result, explorer, launchpad] = reply_parts(trade);
    let values: [&dyn ToTape; 8] = [
        &trade.operation,
        &trade.status,
        &result.1,
        &explorer.1,
        &launchpad.1,
        &Exact(trade),
        &Vec::<bool>::new(),
        &trade.raw,
    ];
    object_of("operation,status,result,explorer,launchpad,exact,warnings,raw", &values)
}

/// What of a trade a JS value could round, as text. Of a bundle there are no amounts.
struct Exact<'t>(&'t Trade);

fn text(amount: &Option<ExactText>) -> Option<&str> {
    amount.as_ref().map(ExactText::as_str)
}

impl ToTape for Exact<'_> {
    fn write(&self, tape: &mut Writer) {
        let TradeResult { amount, pre_token_balance, post_token_balance, transaction, .. } = &self.0.result;
        let (amount, before, after) = (text(amount), text(pre_token_balance), text(post_token_balance));
        let results = json::write(&transaction.results);
        let fields: [(&str, &dyn ToTape); 4] = [
            ("results", &results),
            (amount_name(self.0.operation), &amount),
            ("preTokenBalance", &before),
            ("postTokenBalance", &after),
        ];
        tape.object(&mut fields.into_iter().take(if self.0.operation.is_bundle() { 1 } else { 4 }));
    }
}

/// An HTTP status from a number; an impossible one becomes `u16::MAX`.
pub fn status_of(status: f64) -> u16 {
    let whole = status as u16;
    if f64::from(whole) == status { whole } else { u16::MAX }
}
