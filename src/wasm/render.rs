//! Rendering for JS: any trade, any error, anything that was caught.
//!
//! What is shown comes as the argument `shown`, the fields that a trade or an error may have, and beside it, as `trade`, those
//! of an error's own trade. A trade's exact results come as JSON text, since they may be anything of any length.

use wasm_bindgen::prelude::*;

use crate::api::decode::{ReplyNames, read};
use crate::api::endpoint::Operation;
use crate::api::response::Trade;
use crate::error::{Code, Error, FieldCode, FieldError, Outcome};
use crate::render::View;
use crate::tape::json;
use crate::tape::{Data, Item, ToTape};
use crate::wasm::call;
use crate::wasm::crossing::{answer, given};

/// What a person sees of it.
#[wasm_bindgen]
pub fn view(results: &str, records: &[f64], text: &str) -> JsValue {
    answer(Ok(view_of(results, records, text).to_tape()))
}

/// The same as plain text.
#[wasm_bindgen(js_name = renderText)]
pub fn render_text(results: &str, records: &[f64], text: &str) -> String {
    view_of(results, records, text).to_text()
}

/// The same as HTML.
#[wasm_bindgen(js_name = renderHtml)]
pub fn render_html(results: &str, records: &[f64], text: &str) -> String {
    view_of(results, records, text).to_html()
}

fn view_of(results: &str, records: &[f64], text: &str) -> View {
    let call = given(records, text);
    let argument = |name| call.root().get(name).unwrap_or_default();
    match trade_of(argument("shown"), results) {
        Some(trade) => View::of_trade(&trade),
        None => View::of_error(&error_of(argument("shown"), trade_of(argument("trade"), results))),
    }
}

/// The trade that an object holds, if it is one of ours.
fn trade_of(shown: Item, results: &str) -> Option<Trade> {
    let operation = Operation::from_name(call::text(shown, "operation")?)?;
    let mut trade = read(operation, shown, &ReplyNames::default()).ok()?;
    trade.result.transaction.results = json::parse(results.as_bytes()).unwrap_or_default();
    Some(trade)
}

fn error_of(shown: Item, trade: Option<Trade>) -> Error {
    let text = |name: &str| call::text(shown, name).map(str::to_owned);
    let whole = |name: &str| match shown.get(name)?.data() {
        Data::Double(digits) => digits.parse::<u64>().ok(),
        _ => None,
    };
    let message = text("message").unwrap_or_else(|| "something that is not an error was thrown".into());
    let known = call::text(shown, "outcome").and_then(Outcome::from_name);
    let known = known.zip(call::text(shown, "code").and_then(Code::from_name));
    let Some((outcome, code)) = known else {
        return Error::new(Code::UnexpectedError, message);
    };
    Error {
        outcome,
        fields: fields_of(shown.get("fields").unwrap_or_default()),
        status: whole("status").and_then(|status| status.try_into().ok()),
        service_message: text("serviceMessage"),
        retry_after_ms: whole("retryAfterMs"),
        trade: trade.map(Box::new),
        ..Error::new(code, message)
    }
}

fn fields_of(fields: Item) -> Vec<FieldError> {
    let mut errors = Vec::new();
    if let Data::Array(items) = fields.data() {
        for item in items {
            let code = call::text(item, "code").and_then(FieldCode::from_name);
            let texts = (call::text(item, "field"), code, call::text(item, "message"));
            if let (Some(field), Some(code), Some(message)) = texts {
                errors.push(FieldError { field: field.to_owned(), code, message: message.to_owned() });
            }
        }
    }
    errors
}
