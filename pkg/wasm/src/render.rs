//! Rendering for JS: any trade, any error, anything that was caught. Also reads an error that went through JSON.
//!
//! The argument `plain` has the fields of a trade or an error, and `trade` those of an error's own trade. A trade's exact
//! results are passed as JSON text, since they may be anything and of any length.

use wasm_bindgen::prelude::*;

use crate::call;
use crate::crossing::{CallArgs, Failure, answer};
use launchpad_desk::error::{Code, Error};
use launchpad_desk::render::View;
use launchpad_desk::tape::{Item, ToTape};
use launchpad_desk::trade::plain::{self, About, NotPlain};

/// What a person sees of a trade or an error.
#[wasm_bindgen]
pub fn view(results: &str, args: &mut CallArgs) -> JsValue {
    answer(Ok(view_of(results, args).to_tape()))
}

/// The same as plain text.
#[wasm_bindgen(js_name = renderText)]
pub fn render_text(results: &str, args: &mut CallArgs) -> String {
    view_of(results, args).to_text()
}

/// The same as HTML.
#[wasm_bindgen(js_name = renderHtml)]
pub fn render_html(results: &str, args: &mut CallArgs) -> String {
    view_of(results, args).to_html()
}

/// The error that plain data describes, as a failure; or a sentence on why it is not an error.
#[wasm_bindgen(js_name = readError)]
pub fn read_error(results: &str, args: &mut CallArgs) -> JsValue {
    answer(match error_of(args.tape().root(), results) {
        Ok((error, about)) => Err(Failure::about(&error, &about)),
        Err(not) => Ok(not.problem().to_tape()),
    })
}

fn view_of(results: &str, args: &mut CallArgs) -> View {
    let call = args.tape();
    let plain = call.root().get("plain").unwrap_or_default();
    let view = |view: View, about: &About| view.simulated_if(about.is_simulated == Some(true));
    if let Ok((trade, about)) = plain::read_trade(plain, results) {
        return view(View::of_trade(&trade), &about);
    }
    // Anything that cannot be read as an error has an unknown outcome, whatever it says.
    let foreign = || {
        let message = call::text(plain, "message").unwrap_or("something that is not an error was thrown");
        Error::new(Code::UnexpectedError, message)
    };
    match error_of(call.root(), results) {
        Ok((error, about)) => view(View::of_error(&error), &about),
        Err(_) => View::of_error(&foreign()),
    }
}

fn error_of(call: Item, results: &str) -> Result<(Error, About), NotPlain> {
    plain::read_error(call.get("plain").unwrap_or_default(), call.get("trade"), results)
}
