//! The exact bytes: a valid request's body, and (for the sandbox) a reply's.

use crate::amount::{Form, Percentage, SlippageUnit, TokenAmount, push_decimal};
use crate::endpoint::{Call, Operation};
use crate::error::Warning;
use crate::fields::{FIELDS, Kind, Place};
use crate::names::place_of;
use crate::record;
use crate::request::{Amount, Request, Value};
use crate::response::{Part, ReplyField, ReplyKind, ReplyValue, Trade, reply_rows};
use crate::tape::{Tape, ToTape, Writer, json};
use crate::validate::Valid;

record! {
    /// A trade that is checked and written, but not sent.
    BuiltCall {
        /// What is asked for.
        operation: Operation => "Operation",
        /// Always `POST`.
        method: &'static str => "\"POST\"",
        /// The whole URL; `null` if no client wrote it.
        url: Option<String> => "string | null",
        /// The path below the base URL.
        path: String => "string",
        /// The JSON body, exactly as it would be sent.
        body: String => "string",
        /// Warnings about the request.
        warnings: Vec<Warning> => "Warning[]",
    }
}

/// Writes a request: its path and its JSON body, with every field of the spec in the spec's order, absent nullable ones as
/// `null`, and without white space.
///
/// ```
/// use launchpad_desk::api::{encode::encode, endpoint::Operation, validate::{validate, Rules}};
/// use launchpad_desk::{amount::SlippageUnit, prelude::BuyRequest, tape::ToTape};
///
/// let request = BuyRequest::new("M", "W", 1_000_000_000).to_tape();
/// let request = validate(Operation::Buy, request.root(), &Rules::default()).unwrap();
/// let call = encode(&request, SlippageUnit::Percent);
/// assert_eq!(call.path, "/v1/trade/buy");
/// assert_eq!(call.body, concat!(
///     r#"{"mint":"M","fromWallet":"W","amountInLamports":1000000000,"feePayer":null,"#,
///     r#""slippage":null,"priorityUnitLimit":null,"priorityUnitPrice":null}"#,
/// ));
/// ```
pub fn encode(request: &Valid<Request>, unit: SlippageUnit) -> Call {
    let mut body = String::with_capacity(384 + 128 * request.legs.len());
    write_fields(request, Place::Body, unit, &mut body);
    let operation = request.operation;
    Call { operation, path: operation.path(), body }
}

fn write_fields(request: &Request, place: Place, unit: SlippageUnit, body: &mut String) {
    body.push('{');
    // There is no comma before the first.
    let mut from = 1;
    for row in &FIELDS {
        if !row.is_in(place, request.operation) {
            continue;
        }
        body.push_str(row.key.get(from..).unwrap_or_default());
        from = 0;
        match row.kind {
            Kind::Elements => write_legs(request, unit, body),
            _ => write_value(request.value(place, row.field), unit, body),
        }
    }
    body.push('}');
}

fn write_legs(request: &Request, unit: SlippageUnit, body: &mut String) {
    let mut before = "[";
    for leg in 0..request.legs.len() {
        body.push_str(before);
        write_fields(request, Place::Element(leg), unit, body);
        before = ",";
    }
    body.push(']');
}

fn write_value(value: Option<Value>, unit: SlippageUnit, body: &mut String) {
    match value {
        None => body.push_str("null"),
        Some(Value::Text(text)) => json::write_string(text, body),
        Some(Value::Whole(whole) | Value::Amount(Amount::Lamports(whole))) => {
            push_decimal(whole.into(), 0, body);
        }
        Some(Value::Amount(Amount::Percentage(Percentage(percentage)))) => percentage.push_to(body),
        Some(Value::Amount(Amount::Tokens(TokenAmount { tokens, form }))) => {
            let quote = if form == Form::String { "\"" } else { "" };
            body.push_str(quote);
            tokens.push_to(body);
            body.push_str(quote);
        }
        Some(Value::Slippage(slippage)) => match slippage.in_unit(unit) {
            Ok(number) => number.push_to(body),
            // No valid request has such a slippage.
            Err(_) => body.push_str("null"),
        },
    }
}

/// Writes a trade as the service's reply to it.
pub fn encode_reply(trade: &Trade) -> String {
    json::write(&reply_value(trade))
}

/// A trade in the shape of the service's reply to it: exactly the spec's fields, numbers as numbers. `explorer.tokenAccount` is
/// included if the trade has it.
pub fn reply_value(trade: &Trade) -> Tape {
    Tape::object(&reply_parts(trade))
}

/// The three objects of a reply, under their names.
pub fn reply_parts(trade: &Trade) -> [(&'static str, ReplyPart<'_>); 3] {
    [("result", Part::Result), ("explorer", Part::Explorer), ("launchpad", Part::Launchpad)]
        .map(|(name, part)| (name, ReplyPart { part, trade }))
}

/// An object of a reply, which can be written anywhere.
pub struct ReplyPart<'t> {
    part: Part,
    trade: &'t Trade,
}

impl ToTape for ReplyPart<'_> {
    fn write(&self, tape: &mut Writer) {
        let &ReplyPart { part, trade } = self;
        let opened = tape.open(true);
        let mut own = 0;
        for row in reply_rows(trade.operation) {
            if row.part == part {
                let value = trade.value(row.field);
                if row.kind == ReplyKind::OptionalText && matches!(value, ReplyValue::Text(None)) {
                    continue;
                }
                tape.known(row.place);
                value.write(tape);
                own += 1;
            } else if row.field == ReplyField::Success && part == Part::Result {
                // The object stands where its first field does in the table.
                const NAME: usize = place_of("transactionResult");
                tape.known(NAME);
                ReplyPart { part: Part::Transaction, trade }.write(tape);
                own += 1;
            }
        }
        tape.close(opened, own);
    }
}
