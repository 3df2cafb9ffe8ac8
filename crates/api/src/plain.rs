//! Trades and errors as plain data, and back: the one form in which they cross JSON, `postMessage` and `serde`.
//!
//! | | its fields |
//! |---|---|
//! | a trade | `operation`, `status`, `simulated`, `result`, `explorer`, `launchpad`, `exact`, `warnings`, `raw`; from a client also `intentId` |
//! | an error | `name`, `message`, `code`, `outcome`; if known `simulated`, `field` and `fields`, `status`, `serviceMessage`, `retryAfterMs`, `signature`, `trade`; from a client also `intentId`, `warnings` |
//!
//! The trade within an error has neither `raw` nor the fields that the error itself has. The start of a reply that cannot be
//! trusted is left out.
//!
//! **Data that is read is not trusted.** It must contain everything that makes an outcome, and agree with itself: an error
//! whose code belongs to another outcome is refused. So broken data is never read as a milder outcome.

use crate::amount::ExactText;
use crate::decode::{ReplyNames, read};
use crate::encode::reply_parts;
use crate::endpoint::Operation;
use crate::error::{Code, Error, FieldCode, FieldError, Outcome, Warning, WarningCode};
use crate::intent::intent_id_problem;
use crate::names::place_of;
use crate::response::{ReplyValue, Status, Trade, reply_rows};
use crate::tape::{Data, Item, Tape, ToTape, Writer, json};
use crate::{error_text, object};

/// What a client knows about a trade besides its result.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct About {
    /// The trade's id; `None` if no client sent it.
    pub intent_id: Option<String>,
    /// Warnings about its request.
    pub warnings: Vec<Warning>,
    /// Whether it was for a sandbox; `None` if that is not known. A trade's own signature says it as well.
    pub is_simulated: Option<bool>,
}

/// Why plain data is not a trade, or not an error: a field, and what is wrong with it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NotPlain {
    field: &'static str,
    what: &'static str,
}

impl NotPlain {
    /// The end of a sentence for a person: "its outcome is missing".
    pub fn problem(self) -> String {
        ["its ", self.field, " is ", self.what].concat()
    }
}

error_text!(NotPlain, |own| &own.problem());

const fn no(field: &'static str, what: &'static str) -> NotPlain {
    NotPlain { field, what }
}

const MISSING: &str = "missing";
const UNKNOWN: &str = "unknown here";

/// The fields of a trade, by their places among the names that JS knows.
const NAMES_OF_A_TRADE: [usize; 10] = [
    place_of("operation"),
    place_of("status"),
    place_of("simulated"),
    place_of("result"),
    place_of("explorer"),
    place_of("launchpad"),
    place_of("exact"),
    place_of("warnings"),
    place_of("raw"),
    place_of("intentId"),
];

const RESULTS: usize = place_of("results");

/// The first operation, and the first way of a trade; the others follow in their order.
const BUY: usize = place_of("buy");
const LANDED: usize = place_of("landed");

/// One of the words that JS knows, by its place there.
struct Word(usize);

impl ToTape for Word {
    fn write(&self, tape: &mut Writer) {
        tape.word(self.0);
    }
}

/// A trade as plain data.
pub fn trade_value(trade: &Trade, about: &About) -> Tape {
    let [result, explorer, launchpad] = reply_parts(trade);
    let is_simulated = about.is_simulated == Some(true) || trade.is_simulated();
    let values: [&dyn ToTape; 10] = [
        &Word(BUY + trade.operation as usize),
        &Word(LANDED + trade.status as usize),
        &is_simulated,
        &result.1,
        &explorer.1,
        &launchpad.1,
        &Exact(trade),
        &about.warnings,
        &trade.raw,
        &about.intent_id,
    ];
    let own = if about.intent_id.is_some() { 10 } else { 9 };
    let mut tape = Writer::sharing(&trade.raw);
    let opened = tape.open(true);
    for (name, value) in NAMES_OF_A_TRADE.iter().zip(values).take(own) {
        tape.known(*name);
        value.write(&mut tape);
    }
    tape.close(opened, own);
    tape.finish().into_trade()
}

/// The trade within an error, without the fields that the error itself has.
fn own_trade(trade: &Trade) -> Tape {
    let [result, explorer, launchpad] = reply_parts(trade);
    object! {
        "operation": trade.operation,
        "status": trade.status,
        "result": result.1,
        "explorer": explorer.1,
        "launchpad": launchpad.1,
        "exact": Exact(trade),
    }
}

/// The fields that a JS number could round, as text. A bundle has no amounts.
struct Exact<'t>(&'t Trade);

impl ToTape for Exact<'_> {
    fn write(&self, tape: &mut Writer) {
        let Exact(trade) = self;
        let opened = tape.open(true);
        let mut own = 1;
        tape.known(RESULTS);
        json::write(&trade.result.transaction.results).write(tape);
        for row in reply_rows(trade.operation) {
            if let ReplyValue::Amount(amount) = trade.value(row.field) {
                tape.known(row.place);
                amount.as_ref().map(ExactText::text).write(tape);
                own += 1;
            }
        }
        tape.close(opened, own);
    }
}

/// An error as plain data.
pub fn error_value(error: &Error, about: &About) -> Tape {
    let mut fields = vec![("name", class_of(error.outcome).to_tape())];
    fields.extend(error_fields(error, about));
    fields.extend(error.trade.as_deref().map(|trade| ("trade", own_trade(trade))));
    Tape::object(&fields)
}

/// The fields of an error, other than its name and its trade. Unknown ones are left out.
pub fn error_fields(error: &Error, about: &About) -> Vec<(&'static str, Tape)> {
    let mut fields = vec![
        ("message", error.message.to_tape()),
        ("code", error.code.to_tape()),
        ("outcome", error.outcome.to_tape()),
    ];
    let mut some = |name: &'static str, value: Tape| {
        if !value.root().is_null() {
            fields.push((name, value));
        }
    };
    some("simulated", is_simulated(about.is_simulated, error.trade.as_deref()).to_tape());
    if let Some(first) = error.fields.first() {
        some("field", first.field.to_tape());
        some("fields", error.fields.to_tape());
    }
    some("status", error.status.to_tape());
    some("serviceMessage", error.service_message.to_tape());
    // A wait in milliseconds: every one that matters is exact as a number.
    some("retryAfterMs", error.retry_after_ms.map(|ms| ms.min(u64::from(u32::MAX)) as u32).to_tape());
    some("signature", error.signature.to_tape());
    some("intentId", about.intent_id.to_tape());
    if !about.warnings.is_empty() {
        some("warnings", about.warnings.to_tape());
    }
    fields
}

/// Whether an error comes from a sandbox, by what is known about its service and by the trade within it.
pub fn is_simulated(known: Option<bool>, trade: Option<&Trade>) -> Option<bool> {
    let of_trade = trade.map(Trade::is_simulated);
    if known == Some(true) { known } else { of_trade.or(known) }
}

/// The class that an error of this outcome has in JS.
fn class_of(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::NotSent => "TradeNotSentError",
        Outcome::Rejected => "TradeRejectedError",
        Outcome::Failed => "TradeFailedError",
        Outcome::Unknown => "TradeOutcomeUnknownError",
    }
}

/// Reads a trade. `results` is the JSON text of its `transactionResult.results`; if it is empty, they are read from the
/// trade itself.
///
/// # Errors
///
/// The data is not a trade, or contradicts itself.
pub fn read_trade(plain: Item, results: &str) -> Result<(Trade, About), NotPlain> {
    let fields = Fields(plain);
    let operation = fields.text("operation")?.ok_or(no("operation", MISSING))?;
    let operation = Operation::from_name(operation).ok_or(no("operation", UNKNOWN))?;
    let amounts_in = if fields.get("exact").is_some() { "exact" } else { "result" };
    let mut trade = read(operation, plain, &ReplyNames::default(), amounts_in)
        .map_err(|_| no("result", "not one of its operation, or a link or an amount in it cannot be read"))?;
    if fields.text("status")?.is_some_and(|status| status != trade.status.as_str()) {
        return Err(no("status", "not that of its result"));
    }
    let given = &mut trade.result.transaction.results;
    if !results.is_empty() {
        *given = json::parse(results.as_bytes()).map_err(|_| no("exact.results", "not JSON"))?;
    } else if matches!(given.root().data(), Data::Foreign(_)) {
        *given = Tape::default();
    }
    trade.raw = fields.text("raw")?.unwrap_or_default().into();
    Ok((trade, fields.about()?))
}

/// Reads an error. `trade` is the trade within it, if any, and `results` the JSON text of that trade's results.
///
/// # Errors
///
/// The data is not the error of a trade, or contradicts itself.
pub fn read_error(plain: Item, trade: Option<Item>, results: &str) -> Result<(Error, About), NotPlain> {
    let fields = Fields(plain);
    let outcome = fields.text("outcome")?.ok_or(no("outcome", MISSING))?;
    let outcome = Outcome::from_name(outcome).ok_or(no("outcome", UNKNOWN))?;
    let code = fields.text("code")?.ok_or(no("code", MISSING))?;
    let code = Code::from_name(code).ok_or(no("code", UNKNOWN))?;
    if code.outcome() != outcome {
        return Err(no("code", "not one of its outcome"));
    }
    if fields.text("name")? != Some(class_of(outcome)) {
        return Err(no("name", "not that of its outcome"));
    }
    let mut error = Error::new(code, fields.text("message")?.ok_or(no("message", MISSING))?);
    let trade = trade.filter(|trade| !trade.is_null());
    if trade.is_some() != (outcome == Outcome::Failed) {
        return Err(no("trade", if trade.is_some() { "not one that failed" } else { MISSING }));
    }
    if let Some(trade) = trade {
        let (trade, _) = read_trade(trade, results)?;
        if trade.status != Status::Failed {
            return Err(no("trade", "not one that failed"));
        }
        error.trade = Some(Box::new(trade));
    }
    for [field, code, message] in fields.problems("fields")? {
        let code = FieldCode::from_name(code).ok_or(no("fields", UNKNOWN))?;
        error.fields.push(FieldError { field: field.to_owned(), code, message: message.to_owned() });
    }
    let status = fields.whole("status")?.map(u16::try_from).transpose();
    error.status = status.map_err(|_| no("status", NOT_WHOLE))?;
    error.service_message = fields.text("serviceMessage")?.map(str::to_owned);
    error.retry_after_ms = fields.whole("retryAfterMs")?;
    error.signature = fields.text("signature")?.map(str::to_owned);
    Ok((error, fields.about()?))
}

const NOT_WHOLE: &str = "not a whole number in its range";

/// The fields of plain data. One that is null is absent; one of the wrong type makes all of it unreadable.
#[derive(Clone, Copy)]
struct Fields<'t>(Item<'t>);

impl<'t> Fields<'t> {
    fn get(self, name: &str) -> Option<Data<'t>> {
        self.0.get(name).map(Item::data).filter(|data| *data != Data::Null)
    }

    #[inline(never)]
    fn text(self, name: &'static str) -> Result<Option<&'t str>, NotPlain> {
        match self.get(name) {
            None => Ok(None),
            Some(Data::String(text)) => Ok(Some(text)),
            Some(_) => Err(no(name, "not text")),
        }
    }

    #[inline(never)]
    fn whole(self, name: &'static str) -> Result<Option<u64>, NotPlain> {
        match self.get(name) {
            None => Ok(None),
            Some(Data::Integer(whole)) => whole.try_into().map(Some).map_err(|_| no(name, NOT_WHOLE)),
            Some(Data::Number(digits) | Data::Double(digits)) => {
                digits.parse().map(Some).map_err(|_| no(name, NOT_WHOLE))
            }
            Some(_) => Err(no(name, NOT_WHOLE)),
        }
    }

    /// A list of problems or warnings: each field's path, code and sentence.
    #[inline(never)]
    fn problems(self, name: &'static str) -> Result<Vec<[&'t str; 3]>, NotPlain> {
        let mut problems = Vec::new();
        let items = match self.get(name) {
            None => return Ok(problems),
            Some(Data::Array(items)) => items,
            Some(_) => return Err(no(name, "not a list")),
        };
        for item in items {
            let mut problem = [""; 3];
            for (text, part) in problem.iter_mut().zip(["field", "code", "message"]) {
                *text = Fields(item).text(part)?.ok_or(no(name, "incomplete"))?;
            }
            problems.push(problem);
        }
        Ok(problems)
    }

    #[inline(never)]
    fn about(self) -> Result<About, NotPlain> {
        let intent_id = self.text("intentId")?;
        if intent_id.and_then(intent_id_problem).is_some() {
            return Err(no("intentId", "not valid"));
        }
        let mut warnings = Vec::new();
        for [field, code, message] in self.problems("warnings")? {
            let code = WarningCode::from_name(code).ok_or(no("warnings", UNKNOWN))?;
            warnings.push(Warning { field: field.to_owned(), code, message: message.to_owned() });
        }
        let is_simulated = match self.get("simulated") {
            None => None,
            Some(Data::Bool(is)) => Some(is),
            Some(_) => return Err(no("simulated", "not true or false")),
        };
        Ok(About { intent_id: intent_id.map(str::to_owned), warnings, is_simulated })
    }
}

#[cfg(feature = "serde")]
pub(crate) mod through_serde {
    use serde::de::{Deserialize, Deserializer, Error as _};
    use serde::ser::{Serialize, SerializeStruct, Serializer};

    use super::{
        About, Error, Item, NotPlain, Tape, Trade, error_value, read_error, read_trade, trade_value,
    };
    use crate::declaration::{Declaration, Shape};
    use crate::fields::FIELDS;
    use crate::response::REPLY;
    use crate::tape::Data;

    /// The service's own JSON, with any names.
    const FREE: &str = "results";

    /// The fields of trades, errors and plans that no table has.
    const OTHERS: &[&str] = &[
        "before",
        "body",
        "checksum",
        "code",
        "counted",
        "createdAtMs",
        "exact",
        "expiresAtMs",
        "explorer",
        "fees",
        "field",
        "fields",
        "intentId",
        "lamports",
        "launchpad",
        "message",
        "name",
        "operation",
        "outcome",
        "price",
        "raw",
        "refused",
        "result",
        "retryAfterMs",
        "serviceMessage",
        "simulated",
        "slippageUnit",
        "status",
        "tokenDecimals",
        "tokens",
        "tokensAfter",
        "tokensBefore",
        "trade",
        "transactionResult",
        "url",
        "wallet",
        "warnings",
    ];

    /// Writes a trade, an error or a plan as structs, of which `serde-wasm-bindgen` makes plain objects; of a map it makes a `Map`.
    /// Objects with names of others stay maps. Beside the value are the declarations of what else is in it.
    pub struct Plain<'t>(pub Item<'t>, pub &'static [Declaration]);

    impl Serialize for Plain<'_> {
        fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            let fields = match self.0.data() {
                Data::Array(items) => return serializer.collect_seq(items.map(|item| Plain(item, self.1))),
                Data::Object(fields) => fields,
                _ => return self.0.serialize(serializer),
            };
            let Some(names) = fields.map(|(name, _)| own_name(name, self.1)).collect::<Option<Vec<_>>>()
            else {
                return self.0.serialize(serializer);
            };
            let mut object = serializer.serialize_struct("Object", names.len())?;
            for (name, (_, value)) in names.into_iter().zip(fields) {
                match name {
                    FREE => object.serialize_field(name, &value)?,
                    _ => object.serialize_field(name, &Plain(value, self.1))?,
                }
            }
            object.end()
        }
    }

    fn own_name(name: &str, declared: &'static [Declaration]) -> Option<&'static str> {
        let properties = declared.iter().flat_map(|record| match record.shape {
            Shape::Object(properties) => properties,
            Shape::Names(_) => &[],
        });
        let tables = FIELDS.iter().map(|row| row.name).chain(REPLY.iter().map(|row| row.name));
        OTHERS
            .iter()
            .copied()
            .chain(tables)
            .chain(properties.map(|property| property.name))
            .find(|own| *own == name)
    }

    impl Serialize for Trade {
        fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            Plain(trade_value(self, &About::default()).root(), &[]).serialize(serializer)
        }
    }

    impl<'de> Deserialize<'de> for Trade {
        fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
            whole_trade(&Tape::deserialize(deserializer)?).map(|(trade, _)| trade).map_err(D::Error::custom)
        }
    }

    impl Serialize for Error {
        fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            Plain(error_value(self, &About::default()).root(), &[]).serialize(serializer)
        }
    }

    impl<'de> Deserialize<'de> for Error {
        fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
            whole_error(&Tape::deserialize(deserializer)?).map(|(error, _)| error).map_err(D::Error::custom)
        }
    }

    /// Reads a trade that contains its results.
    pub fn whole_trade(plain: &Tape) -> Result<(Trade, About), NotPlain> {
        read_trade(plain.root(), results_of(plain.root()))
    }

    /// Reads an error that contains its trade.
    pub fn whole_error(plain: &Tape) -> Result<(Error, About), NotPlain> {
        let trade = plain.root().get("trade");
        read_error(plain.root(), trade, trade.map(results_of).unwrap_or_default())
    }

    fn results_of(trade: Item<'_>) -> &str {
        match trade.get("exact").and_then(|exact| exact.get("results")).map(Item::data) {
            Some(Data::String(results)) => results,
            _ => "",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::decode::decode;
    use crate::names::NAMES;

    #[test]
    fn operations_and_statuses_are_among_the_words_in_their_order() {
        assert_eq!(
            Operation::ALL.map(|one| NAMES[BUY + one as usize]),
            Operation::ALL.map(Operation::as_str)
        );
        assert_eq!(Status::ALL.map(|one| NAMES[LANDED + one as usize]), Status::ALL.map(Status::as_str));
    }

    #[test]
    fn a_trade_leaves_in_the_text_of_its_reply() {
        let body = r#"{"result":{"mint":"M","wallet":"\u0057","buyAmount":"1.5","preTokenBalance":1.50,
            "transactionResult":{"success":true,"signature":"S","results":["é"]}},"explorer":{"tx":"https://e/S"}}"#;
        let trade = decode(Operation::Buy, body.as_bytes(), &ReplyNames::default()).unwrap();
        let tape = trade_value(&trade, &About::default());
        // What is not in it as it is: a text with an escape, another form of a number (in two places), and what JSON is written of.
        assert_eq!(tape.text(), [body, "W", "1.5", "é", "[\"é\"]", "1.5"].concat());
        assert_eq!(
            json::write(&tape),
            [
                r#"{"operation":"buy","status":"landed","simulated":false,"result":{"mint":"M","wallet":"W","#,
                r#""buyAmount":1.5,"preTokenBalance":1.5,"postTokenBalance":null,"signature":null,"#,
                r#""transactionResult":{"success":true,"signature":"S","results":["é"]},"tokenAccount":null},"#,
                r#""explorer":{"mint":null,"wallet":null,"tx":"https://e/S"},"launchpad":{"mint":null},"#,
                r#""exact":{"results":"[\"é\"]","buyAmount":"1.5","preTokenBalance":"1.5","postTokenBalance":null},"#,
                r#""warnings":[],"raw":"#,
                &json::write(&body.to_tape()),
                "}",
            ]
            .concat()
        );
    }
}
