//! How values cross between JS and the core: `pkg/src/crossing.ts` is the other side.
//!
//! An export takes its arguments as one [`CallArgs`] and returns what [`answer`] or [`answer_handle`] makes:
//!
//! ```ignore
//! #[wasm_bindgen(js_name = toBaseUnits)]
//! pub fn to_base_units(args: &mut CallArgs) -> JsValue {
//!     answer(units(args.tape().root()).map(|units| units.to_tape()))
//! }
//! ```

use wasm_bindgen::prelude::*;

use crate::error::error_fields;
#[cfg(feature = "trade")]
use crate::error::with_details;
use launchpad_desk::error::{Code, Error, FieldError};
#[cfg(any(feature = "trade", feature = "market"))]
use launchpad_desk::tape::ToTape;
use launchpad_desk::tape::{Tape, TapeValue};

#[wasm_bindgen(raw_module = "build:crossing")]
extern "C" {
    #[wasm_bindgen(js_name = answer)]
    fn hand_over(
        failed: bool,
        records: *const TapeValue,
        text: *const u8,
        length: usize,
        body: usize,
    ) -> JsValue;
}

/// The memory that both sides read and write.
#[wasm_bindgen(js_name = sharedMemory)]
pub fn memory() -> JsValue {
    wasm_bindgen::memory()
}

/// The arguments of a call, by name. JS writes them in place, and passes them with the call.
#[wasm_bindgen]
#[derive(Default)]
pub struct CallArgs {
    tape: Tape,
    text: Vec<u8>,
}

#[wasm_bindgen]
impl CallArgs {
    /// Empty: nothing is reserved yet.
    #[wasm_bindgen(constructor)]
    pub fn new() -> CallArgs {
        CallArgs::default()
    }

    /// Reserves space for this many values and this many bytes of their text. The old space is freed.
    pub fn reserve(&mut self, values: usize, bytes: usize) {
        self.tape = Tape::from_records(vec![TapeValue::default(); values], String::new());
        self.text = vec![0; bytes];
    }

    /// Where the values are written.
    #[wasm_bindgen(getter, js_name = recordsAt)]
    pub fn records_at(&self) -> *const TapeValue {
        self.tape.records().as_ptr()
    }

    /// Where their text is written. JS puts its length into the first record, as that of a name: the outermost value has none.
    #[wasm_bindgen(getter, js_name = textAt)]
    pub fn text_at(&self) -> *const u8 {
        self.text.as_ptr()
    }
}

impl CallArgs {
    /// The arguments as written. An `undefined` one is absent.
    #[inline(never)]
    pub fn tape(&mut self) -> &Tape {
        let length = self.bytes().len();
        // JS always writes UTF-8.
        let text = self.text.get(..length).map(str::from_utf8);
        self.tape.set_text(text.and_then(Result::ok).unwrap_or_default());
        &self.tape
    }

    /// The text as written: of a body, all that there is.
    pub fn bytes(&self) -> &[u8] {
        let length = self.tape.records().first().map_or(0, |[_, _, length, ..]| *length as usize);
        self.text.get(..length).unwrap_or_default()
    }
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

#[cfg(feature = "market")]
impl From<launchpad_desk::launchpad::bundle::LegRefusal> for Failure {
    fn from(refused: launchpad_desk::launchpad::bundle::LegRefusal) -> Self {
        let mut fields = vec![
            ("message", refused.refusal.message().to_tape()),
            ("code", refused.refusal.as_str().to_tape()),
        ];
        fields.extend(refused.leg.map(|leg| ("leg", (leg as u32).to_tape())));
        Failure(Tape::object(&fields))
    }
}

#[cfg(feature = "market")]
impl From<launchpad_desk::launchpad::Refusal> for Failure {
    fn from(refusal: launchpad_desk::launchpad::Refusal) -> Self {
        launchpad_desk::launchpad::bundle::LegRefusal { leg: None, refusal }.into()
    }
}

impl Failure {
    /// An error with what is known about its trade.
    #[cfg(feature = "trade")]
    pub fn about(error: &Error, about: &launchpad_desk::trade::plain::About) -> Failure {
        Failure(with_details(error, about))
    }

    /// The same with whether the client trades in a sandbox.
    #[cfg(feature = "trade")]
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

/// What JS gets from a call: plain data, or the failure that `result` of `crossing.ts` throws.
pub fn answer(answer: Result<Tape, Failure>) -> JsValue {
    answer_within(0, answer)
}

/// The same where the answer's text begins with this many bytes of a body, which JS has.
#[inline(never)]
pub fn answer_within(body: usize, answer: Result<Tape, Failure>) -> JsValue {
    match answer {
        Ok(tape) => cross(false, &tape, body),
        Err(Failure(fields)) => cross(true, &fields, 0),
    }
}

/// The same for a call that makes a handle.
pub fn answer_handle<T: Into<JsValue>>(made: Result<T, Failure>) -> JsValue {
    made.map_or_else(|Failure(fields)| cross(true, &fields, 0), Into::into)
}

#[inline(never)]
fn cross(failed: bool, tape: &Tape, body: usize) -> JsValue {
    hand_over(failed, tape.records().as_ptr(), tape.text().as_ptr(), tape.text().len(), body)
}
