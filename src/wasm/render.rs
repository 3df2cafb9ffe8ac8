//! Rendering for JS: any trade, any error, anything that was caught.

use wasm_bindgen::prelude::*;

use crate::api::decode::{ReplyNames, read};
use crate::api::endpoint::Operation;
use crate::api::response::Trade;
use crate::error::{Code, Error, FieldCode, FieldError, Outcome};
use crate::render::View;
use crate::tape::json;
use crate::tape::{Data, Item, Tape};
use crate::wasm::convert::{from_js, from_js_shallow, property, to_js};

/// What a person sees of a trade or of anything caught: title, status, facts, links.
///
/// An error that is not this package's is shown as an unknown outcome.
#[wasm_bindgen(unchecked_return_type = "View")]
pub fn view(
    #[wasm_bindgen(js_name = tradeOrError, unchecked_param_type = "unknown")] trade_or_error: &JsValue,
) -> JsValue {
    to_js(&view_of(trade_or_error))
}

/// A trade or an error as plain text, one fact per line.
#[wasm_bindgen(js_name = renderText)]
pub fn render_text(
    #[wasm_bindgen(js_name = tradeOrError, unchecked_param_type = "unknown")] trade_or_error: &JsValue,
) -> String {
    view_of(trade_or_error).to_text()
}

/// A trade or an error as an HTML fragment, all foreign text escaped: a `section` of class
/// `trade trade-<status>` with a heading, a list of facts, and links that are http or https.
#[wasm_bindgen(js_name = renderHtml)]
pub fn render_html(
    #[wasm_bindgen(js_name = tradeOrError, unchecked_param_type = "unknown")] trade_or_error: &JsValue,
) -> String {
    view_of(trade_or_error).to_html()
}

fn view_of(value: &JsValue) -> View {
    match trade_of(value) {
        Some(trade) => View::of_trade(&trade),
        None => View::of_error(&error_of(value)),
    }
}

/// The trade that a JS object holds, if it is one of ours.
fn trade_of(value: &JsValue) -> Option<Trade> {
    let operation = Operation::from_name(&property(value, "operation").as_string()?)?;
    let fields = ["result", "exact", "explorer", "launchpad"];
    // `results`, which can be anything, is deeper than this; its exact text is used instead.
    let shape = fields.map(|name| (name, from_js_shallow(&property(value, name))));
    let mut trade = read(operation, Tape::object(&shape).root(), &ReplyNames::default()).ok()?;
    let results = property(&property(value, "exact"), "results").as_string().unwrap_or_default();
    trade.result.transaction.results = json::parse(results.as_bytes()).unwrap_or_default();
    Some(trade)
}

fn error_of(value: &JsValue) -> Error {
    let text = |name: &str| property(value, name).as_string();
    let message = text("message").unwrap_or_else(|| "something that is not an error was thrown".into());
    let known = text("outcome").and_then(|outcome| Outcome::from_name(&outcome));
    let known = known.zip(text("code").and_then(|code| Code::from_name(&code)));
    let Some((outcome, code)) = known else {
        return Error::new(Code::UnexpectedError, message);
    };
    Error {
        outcome,
        fields: fields_of(from_js(&property(value, "fields")).root()),
        status: property(value, "status").as_f64().map(|status| status as u16),
        service_message: text("serviceMessage"),
        retry_after_ms: property(value, "retryAfterMs").as_f64().map(|ms| ms as u64),
        trade: trade_of(&property(value, "trade")).map(Box::new),
        ..Error::new(code, message)
    }
}

fn fields_of(fields: Item) -> Vec<FieldError> {
    let mut errors = Vec::new();
    if let Data::Array(items) = fields.data() {
        for item in items {
            let text = |name: &str| match item.get(name).map(Item::data) {
                Some(Data::String(text)) => Some(text),
                _ => None,
            };
            let code = text("code").and_then(FieldCode::from_name);
            if let (Some(field), Some(code), Some(message)) = (text("field"), code, text("message")) {
                errors.push(FieldError { field: field.to_owned(), code, message: message.to_owned() });
            }
        }
    }
    errors
}
