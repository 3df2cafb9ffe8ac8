//! How values cross between JS and the core: `pkg/src/crossing.ts` is the other side.
//!
//! An export takes its arguments as one flat object and gives what [`answer`] or [`answer_handle`] makes:
//!
//! ```ignore
//! #[wasm_bindgen(js_name = toBaseUnits)]
//! pub fn to_base_units(records: &[f64], text: &str) -> JsValue {
//!     answer(units(given(records, text).root()).map(|units| units.to_tape()))
//! }
//! ```

use wasm_bindgen::prelude::*;

use crate::error::{Code, Error, FieldError};
use crate::tape::{Data, Flat, Tape, ToTape};
use crate::wasm::error::error_fields;
#[cfg(feature = "desk")]
use crate::wasm::error::with_details;

#[wasm_bindgen(raw_module = "build:crossing")]
extern "C" {
    #[wasm_bindgen(js_name = answer)]
    fn hand_over(failed: bool, records: &[f64], text: &str) -> JsValue;
}

/// The arguments of a call, by their names. One that is `undefined` is absent.
#[inline(never)]
pub fn given(records: &[f64], text: &str) -> Tape {
    let tape = Tape::from_flat(records, text);
    // Two texts of which each has half of one character: nothing else that was made flat does not read.
    tape.unwrap_or_else(|_| Data::Foreign("an object with broken text in it").to_tape())
}

/// Why a call failed: the fields of the error that JS throws.
pub struct Failure(Tape);

impl From<Box<Error>> for Failure {
    fn from(error: Box<Error>) -> Self {
        Failure(error_fields(&error))
    }
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        Failure(error_fields(&error))
    }
}

#[cfg(feature = "launchpad")]
impl From<crate::launchpad::bundle::LegRefusal> for Failure {
    fn from(refused: crate::launchpad::bundle::LegRefusal) -> Self {
        let mut fields = vec![
            ("message", refused.refusal.message().to_tape()),
            ("code", refused.refusal.as_str().to_tape()),
        ];
        fields.extend(refused.leg.map(|leg| ("leg", (leg as u32).to_tape())));
        Failure(Tape::object(&fields))
    }
}

#[cfg(feature = "launchpad")]
impl From<crate::launchpad::Refusal> for Failure {
    fn from(refusal: crate::launchpad::Refusal) -> Self {
        crate::launchpad::bundle::LegRefusal { leg: None, refusal }.into()
    }
}

impl Failure {
    /// An error with what is known about its trade.
    #[cfg(feature = "desk")]
    pub fn about(error: &Error, about: &crate::trade::plain::About) -> Failure {
        Failure(with_details(error, about))
    }

    /// The same of a client that trades in a sandbox, or of one that does not.
    #[cfg(feature = "desk")]
    pub fn simulated(self, is_simulated: bool) -> Failure {
        let fields = self.0.root().fields().into_iter().flatten();
        let fields = fields.map(|(name, value)| (name, value.to_tape()));
        Failure(Tape::object(&fields.chain([("simulated", is_simulated.to_tape())]).collect::<Vec<_>>()))
    }

    /// Options that cannot be used.
    #[inline(never)]
    pub fn of_options(what: &str, problems: Vec<FieldError>) -> Failure {
        let sentences: Vec<&str> = problems.iter().map(|problem| problem.message.as_str()).collect();
        let message = [what, ": ", &sentences.join("; ")].concat();
        Error { fields: problems, ..Error::new(Code::InvalidOptions, message) }.into()
    }
}

/// What JS gets of a call: plain data, or the failure that `result` of `crossing.ts` throws.
#[inline(never)]
pub fn answer(answer: Result<Tape, Failure>) -> JsValue {
    match answer {
        Ok(tape) => cross(false, &tape),
        Err(Failure(fields)) => cross(true, &fields),
    }
}

/// The same for a call that makes a handle.
pub fn answer_handle<T: Into<JsValue>>(made: Result<T, Failure>) -> JsValue {
    made.map_or_else(|Failure(fields)| cross(true, &fields), Into::into)
}

#[inline(never)]
fn cross(failed: bool, tape: &Tape) -> JsValue {
    let Flat { records, text } = tape.to_flat();
    hand_over(failed, &records, &text)
}
