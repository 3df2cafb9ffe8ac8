//! Whether a request may be sent: every field is checked, and every bad one named at once.
//!
//! The same check serves JS objects, JSON bodies and Rust's typed requests.

use std::borrow::Cow;
use std::cell::Cell;

use crate::address::is_address;
use crate::amount::{
    Decimal, DecimalError, Digits, Form, Percentage, Slippage, SlippageUnit, TOKEN_DECIMALS, TokenAmount,
};
use crate::endpoint::Operation;
use crate::error::{FieldCode, FieldError, Warning, WarningCode};
use crate::fields::{FIELDS, FieldRow, Kind, Place};
use crate::hidden::{HIDDEN, is_hidden};
use crate::reader::{Reader, nearest, printable};
use crate::record;
use crate::request::{Amount, Leg, Request, Value};
use crate::tape::{Data, Fields, Item, Items};

/// The longest mint or wallet id, in characters.
#[doc(hidden)]
pub const MAX_IDENTIFIER: usize = 128;

/// The largest safe integer of a JS number: 2^53 − 1.
const MAX_SAFE_INTEGER: u64 = (1 << 53) - 1;

/// The most problems that are named.
const MAX_PROBLEMS: usize = 1_000;

/// The most unknown names for which the nearest known one is looked up.
const MAX_HINTS: usize = 20;

/// The settings of the check.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rules {
    /// What a mint or wallet id must look like.
    pub identifiers: Identifiers,
    /// The most elements a bundle may have.
    pub max_bundle_size: Option<u32>,
    /// The unit the service counts slippage in.
    pub slippage_unit: SlippageUnit,
    /// Fraction digits of a whole token, for amounts that name their unit.
    pub token_decimals: u8,
    /// The forms that an amount may have.
    pub forms: Forms,
}

impl Default for Rules {
    fn default() -> Self {
        Rules {
            identifiers: Identifiers::default(),
            max_bundle_size: None,
            slippage_unit: SlippageUnit::default(),
            token_decimals: TOKEN_DECIMALS,
            forms: Forms::default(),
        }
    }
}

impl Rules {
    /// Reads the settings that client and sandbox share: `slippageUnit`, `identifiers`, `maxBundleSize`.
    #[doc(hidden)]
    pub fn read(reader: &mut Reader) -> Self {
        let identifiers = [("any", Identifiers::Any), ("base58", Identifiers::Base58)];
        Rules {
            slippage_unit: reader.slippage_unit(),
            identifiers: reader.choice("identifiers", &identifiers).unwrap_or_default(),
            max_bundle_size: reader.count("maxBundleSize", 1),
            ..Rules::default()
        }
    }
}

/// What a mint or wallet id must look like.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Identifiers {
    /// 1 to 128 characters, no white space, no control characters.
    #[default]
    Any,
    /// The same, and 32 bytes in base58.
    Base58,
}

/// The forms that an amount may have.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Forms {
    /// The forms of a program: an amount may name its unit, `{ percent: 5 }` or `{ baseUnits: 5n }`.
    #[default]
    Program,
    /// The forms of the service: a number, or its text.
    Wire,
}

/// Of a bare slippage that is sent as percent.
const BARE_OVER_WHOLE: &str =
    "is over 100, sent as percent; if it is in bps, pass { bps } or set slippageUnit";
/// Of a percentage.
const BELOW_ONE: &str = "is below 1, sent as percent; if it is a part of the whole, 0.5 of it is 50";

/// What a number must be in the service's form.
const WIRE_NUMBER: &str = "a number or its text";

/// A value that has passed its check. Only [`validate`] makes one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Valid<T> {
    inner: T,
    warnings: Vec<Warning>,
    is_in_base_units: bool,
}

impl<T> Valid<T> {
    /// Warnings about it.
    pub fn warnings(&self) -> &[Warning] {
        &self.warnings
    }

    /// Whether one of its amounts was given in base units, and so was counted by [`Rules::token_decimals`].
    pub fn is_in_base_units(&self) -> bool {
        self.is_in_base_units
    }
}

impl<T> std::ops::Deref for Valid<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.inner
    }
}

record! {
    /// What a check found.
    CheckResult {
        /// Every bad field; empty if the request may be sent.
        errors: Vec<FieldError> => "FieldError[]",
        /// Warnings about a request that may be sent.
        warnings: Vec<Warning> => "Warning[]",
    }
}

/// Checks a request of `operation`.
///
/// # Errors
///
/// Every bad field, in the order of the field table, unknown fields first.
///
/// ```
/// use launchpad_desk::api::{endpoint::Operation, request::BuyRequest, validate::{validate, Rules}};
/// use launchpad_desk::tape::json;
///
/// let request = br#"{ "mint": "M", "fromWallet": "", "amountInLamports": 0, "slipage": 1 }"#;
/// let request = json::parse(request).unwrap();
/// let problems = validate(Operation::Buy, request.root(), &Rules::default()).unwrap_err();
/// let codes: Vec<_> = problems.iter().map(|p| (p.field.as_str(), p.code.as_str())).collect();
/// assert_eq!(codes, [
///     ("slipage", "unknown_field"),
///     ("fromWallet", "empty"),
///     ("amountInLamports", "not_positive"),
/// ]);
/// ```
pub fn validate(
    operation: Operation,
    request: Item,
    rules: &Rules,
) -> Result<Valid<Request>, Vec<FieldError>> {
    let mut check = Check {
        operation,
        rules,
        problems: Vec::new(),
        warnings: Vec::new(),
        is_in_base_units: Cell::new(false),
    };
    let inner = check.request(request);
    if check.problems.is_empty() {
        let is_in_base_units = check.is_in_base_units.get();
        Ok(Valid { inner, warnings: check.warnings, is_in_base_units })
    } else {
        Err(check.problems)
    }
}

/// What is wrong with one field, in words that follow its path.
struct Wrong {
    code: FieldCode,
    what: Cow<'static, str>,
}

fn wrong(code: FieldCode, what: &[&str]) -> Wrong {
    Wrong { code, what: what.concat().into() }
}

/// The same in words that are always these.
const fn simply(code: FieldCode, what: &'static str) -> Wrong {
    Wrong { code, what: Cow::Borrowed(what) }
}

/// A check in progress.
struct Check<'r> {
    operation: Operation,
    rules: &'r Rules,
    problems: Vec<FieldError>,
    warnings: Vec<Warning>,
    is_in_base_units: Cell<bool>,
}

impl Check<'_> {
    fn problem(&mut self, field: String, code: FieldCode, message: String) {
        if self.problems.len() > MAX_PROBLEMS {
            return;
        }
        if self.problems.len() == MAX_PROBLEMS {
            let message = "and more: only the first 1000 are listed".to_owned();
            self.problems.push(FieldError { field: String::new(), code: FieldCode::TooMany, message });
            return;
        }
        self.problems.push(FieldError { field, code, message });
    }

    fn request(&mut self, given: Item) -> Request {
        let mut request = Request::blank(self.operation);
        if let Some(elements) = self.object(given, Place::Body, &mut request) {
            request.legs.reserve_exact(elements.len());
            for (index, element) in elements.enumerate() {
                request.legs.push(Leg::default());
                self.object(element, Place::Element(index), &mut request);
            }
        }
        request
    }

    /// Reads an object's fields by their rows, and reports unknown ones. The caller reads the elements of a bundle.
    fn object<'v>(&mut self, object: Item<'v>, place: Place, request: &mut Request) -> Option<Items<'v>> {
        let Some(fields) = object.fields() else {
            let code = match object.data() {
                Data::Null => FieldCode::Required,
                Data::Foreign(_) => FieldCode::Unreadable,
                _ => FieldCode::WrongType,
            };
            let path = place.path(self.operation);
            let what = if path.is_empty() { "a request" } else { &path };
            let message = [what, " must be an object, not ", object.kind()].concat();
            self.problem(path, code, message);
            return None;
        };
        let given = self.by_row(fields, place);
        let mut elements = None;
        for (row, given) in FIELDS.iter().zip(&given) {
            if !row.is_in(place, self.operation) {
                continue;
            }
            let given = given.filter(|given| !given.is_null());
            let read = match given {
                Some(given) => self.value(row, given),
                None if row.required.contains(self.operation) => {
                    Err(simply(FieldCode::Required, "is missing"))
                }
                None => continue,
            };
            let read = read.and_then(|read| match read {
                Read::Elements(items) => {
                    elements = Some(items);
                    Ok(())
                }
                Read::Value(value) => {
                    self.warn(value, place, row.name);
                    // Every row has a place in a request. The field of a row without one must not be dropped silently.
                    request
                        .put(place, row.field, value)
                        .ok_or_else(|| simply(FieldCode::Conflict, "cannot be sent"))
                }
            });
            if let Err(Wrong { code, what }) = read {
                let path = place.path_of(self.operation, row.name);
                let message = [&path, " ", &*what].concat();
                self.problem(path, code, message);
            }
        }
        elements
    }

    /// The given fields, each at its row's place in the table. Unknown ones are reported.
    #[inline(never)]
    fn by_row<'v>(&mut self, fields: Fields<'v>, place: Place) -> [Option<Item<'v>>; FIELDS.len()] {
        let mut given = [None; FIELDS.len()];
        let (mut next, mut unknown) = (0, false);
        for (name, item) in fields {
            // JS passes the names in the table by their places there. Others are mostly in the table's order.
            let at = item.place().or_else(|| {
                let mut places = (next..FIELDS.len()).chain(0..next);
                places.find(|at| FIELDS.get(*at).is_some_and(|row| row.name == name))
            });
            let row = at.and_then(|at| Some((at, FIELDS.get(at)?, given.get_mut(at)?)));
            match row.filter(|(_, row, _)| row.is_in(place, self.operation)) {
                Some((at, _, known)) => (*known, next) = (Some(item), at + 1),
                None => unknown = true,
            }
        }
        if unknown {
            self.name_unknown(fields, place);
        }
        given
    }

    #[inline(never)]
    fn name_unknown(&mut self, fields: Fields, place: Place) {
        let known: Vec<&str> = place.rows(self.operation).map(|row| row.name).collect();
        for (name, _) in fields.filter(|(name, _)| !known.contains(name)) {
            let shown = printable(name);
            let near = if self.problems.len() < MAX_HINTS { nearest(name, &known) } else { None };
            let hint = match near {
                Some(known) => ["did you mean ", known, "?"].concat(),
                None => ["it has ", &known.join(", ")].concat(),
            };
            let path = place.path(self.operation);
            let what = if path.is_empty() { self.operation.as_str() } else { &path };
            let field = place.path_of(self.operation, &shown);
            let message = [what, " has no field ", &shown, "; ", &hint].concat();
            self.problem(field, FieldCode::UnknownField, message);
        }
    }

    fn warn(&mut self, value: Value, place: Place, name: &str) {
        let unit = self.rules.slippage_unit;
        let (code, what) = match value {
            Value::Slippage(slippage) if slippage.is_over_whole(unit) => {
                let is_bare = matches!(slippage, Slippage::Bare(_)) && unit == SlippageUnit::Percent;
                (WarningCode::SlippageUnit, if is_bare { BARE_OVER_WHOLE } else { Slippage::OVER_WHOLE })
            }
            Value::Amount(Amount::Percentage(Percentage(share))) if share < Decimal::from_units(1, 0) => {
                (WarningCode::PercentageUnit, BELOW_ONE)
            }
            _ => return,
        };
        let field = place.path_of(self.operation, name);
        let message = [&field, " ", what].concat();
        self.warnings.push(Warning { field, code, message });
    }

    /// Reads a value, which is not null, by its row.
    #[inline(never)]
    fn value<'v>(&self, row: &FieldRow, given: Item<'v>) -> Result<Read<'v>, Wrong> {
        if let Data::Foreign(what) = given.data() {
            return Err(wrong(FieldCode::Unreadable, &["is ", what]));
        }
        Ok(Read::Value(match row.kind {
            Kind::Elements => return self.elements(given).map(Read::Elements),
            Kind::Identifier => Value::Text(self.identifier(given)?),
            Kind::Whole => Value::Whole(whole(given, row.unit)?),
            Kind::Slippage if self.rules.forms == Forms::Wire => {
                Value::Slippage(Slippage::Bare(number(given, WIRE_NUMBER)?))
            }
            Kind::Slippage => Value::Slippage(slippage(given)?),
            Kind::Lamports => {
                let lamports = whole(given, row.unit)?;
                above_zero(lamports == 0)?;
                Value::Amount(Amount::Lamports(lamports))
            }
            Kind::Tokens => Value::Amount(Amount::Tokens(self.tokens(given)?)),
            Kind::Percentage => Value::Amount(Amount::Percentage(percentage(given)?)),
        }))
    }

    fn elements<'v>(&self, given: Item<'v>) -> Result<Items<'v>, Wrong> {
        let Data::Array(elements) = given.data() else { return Err(wrong_type("an array", given)) };
        if elements.is_empty() {
            return Err(simply(FieldCode::Empty, "must have at least one element"));
        }
        match self.rules.max_bundle_size {
            Some(max) if elements.len() > max as usize => {
                let what = ["has ", &elements.len().digits(), " elements; at most ", &max.digits()];
                Err(wrong(FieldCode::TooMany, &what))
            }
            _ => Ok(elements),
        }
    }

    fn identifier<'v>(&self, given: Item<'v>) -> Result<&'v str, Wrong> {
        let Data::String(text) = given.data() else { return Err(wrong_type("a string", given)) };
        match identifier_problem(text, self.rules.identifiers) {
            Some((code, what)) => Err(simply(code, what)),
            None => Ok(text),
        }
    }

    #[inline(never)]
    fn tokens(&self, given: Item) -> Result<TokenAmount, Wrong> {
        let due = "a number of whole tokens, { tokens } or { baseUnits }";
        let fields = match given.data() {
            Data::BigInt(_) => {
                let what = "must not be a bare bigint: { baseUnits: 16990000n } for base units, \
                            { tokens: \"16.99\" } or \"16.99\" for whole tokens";
                return Err(simply(FieldCode::WrongType, what));
            }
            _ if self.rules.forms == Forms::Wire => return whole_tokens(given, WIRE_NUMBER),
            Data::Object(fields) => fields,
            _ => return whole_tokens(given, due),
        };
        match only_field(fields) {
            Some(("tokens", amount)) => {
                let amount = whole_tokens(amount, "a number of whole tokens")?;
                self.check_base_units(amount.tokens)?;
                Ok(amount)
            }
            Some(("baseUnits", units)) => {
                let units = whole(units, "base units")?;
                above_zero(units == 0)?;
                self.is_in_base_units.set(true);
                // The spec has a number in a sell, and text in a bundle of sells.
                let form = if self.operation.is_bundle() { Form::String } else { Form::Number };
                Ok(TokenAmount { tokens: Decimal::from_units(units, self.rules.token_decimals), form })
            }
            _ => Err(wrong(FieldCode::WrongType, &["must be ", due, ", nothing else"])),
        }
    }

    /// Checks that whole tokens are a whole number of base units.
    fn check_base_units(&self, tokens: Decimal) -> Result<(), Wrong> {
        let decimals = self.rules.token_decimals;
        match tokens.to_units(decimals) {
            Ok(_) => Ok(()),
            Err(DecimalError::TooPrecise) => {
                let what = ["is finer than the token's ", &decimals.digits(), " decimals"];
                Err(wrong(FieldCode::NotAnInteger, &what))
            }
            Err(_) => Err(simply(FieldCode::OutOfRange, "is more than any wallet can hold")),
        }
    }
}

/// What was read from a field.
enum Read<'v> {
    Value(Value<'v>),
    Elements(Items<'v>),
}

fn wrong_type(due: &str, given: Item) -> Wrong {
    wrong(FieldCode::WrongType, &["must be ", due, ", not ", given.kind()])
}

/// Reads a number in any of the forms it may have: number, bigint or numeric string.
fn number(given: Item, due: &str) -> Result<Decimal, Wrong> {
    let read = match given.data() {
        Data::Integer(integer) => Decimal::from_integer(integer),
        Data::Number(text) | Data::Double(text) | Data::BigInt(text) => Decimal::from_number(text),
        Data::String("") => return Err(simply(FieldCode::Empty, "is empty")),
        Data::String(text) => Decimal::from_plain(text),
        _ => return Err(wrong_type(due, given)),
    };
    read.map_err(|error| match error {
        DecimalError::Negative => simply(FieldCode::NotPositive, "must not be below zero"),
        DecimalError::NotANumber => simply(FieldCode::NotANumber, "is not a decimal number"),
        DecimalError::TooLarge | DecimalError::TooPrecise => {
            simply(FieldCode::OutOfRange, "has more digits than any amount")
        }
    })
}

/// Reads a whole number that fits a `u64` and that the caller's form holds exactly.
fn whole(given: Item, unit: &str) -> Result<u64, Wrong> {
    match given.data() {
        Data::Integer(whole @ 0..) => return Ok(whole as u64),
        Data::Integer(_) | Data::Number(_) | Data::Double(_) | Data::BigInt(_) | Data::String(_) => {}
        _ => return Err(wrong_type(&["a whole number of ", unit].concat(), given)),
    }
    let number = number(given, "")?;
    if !number.is_integer() {
        return Err(wrong(FieldCode::NotAnInteger, &["must be a whole number of ", unit]));
    }
    let Ok(whole) = number.to_units(0) else {
        return Err(simply(FieldCode::OutOfRange, "is over 18446744073709551615"));
    };
    if matches!(given.data(), Data::Double(_)) && whole > MAX_SAFE_INTEGER {
        let what = "is over 2^53 - 1, where numbers are no longer exact; pass a bigint or a string";
        return Err(simply(FieldCode::NotExact, what));
    }
    Ok(whole)
}

fn above_zero(is_zero: bool) -> Result<(), Wrong> {
    if is_zero { Err(simply(FieldCode::NotPositive, "must be above zero")) } else { Ok(()) }
}

fn whole_tokens(given: Item, due: &str) -> Result<TokenAmount, Wrong> {
    let tokens = number(given, due)?;
    above_zero(tokens.is_zero())?;
    let form = if matches!(given.data(), Data::String(_)) { Form::String } else { Form::Number };
    Ok(TokenAmount { tokens, form })
}

fn percentage(given: Item) -> Result<Percentage, Wrong> {
    let percentage = number(given, "a number of percent")?;
    above_zero(percentage.is_zero())?;
    if percentage > Decimal::from_units(100, 0) {
        return Err(simply(FieldCode::OutOfRange, "must be above 0 and at most 100"));
    }
    Ok(Percentage(percentage))
}

fn slippage(given: Item) -> Result<Slippage, Wrong> {
    let due = "a number, { percent } or { bps }";
    let Some(fields) = given.fields() else { return number(given, due).map(Slippage::Bare) };
    let slippage = match only_field(fields) {
        Some(("percent", percent)) => Slippage::Percent(number(percent, "a number of percent")?),
        Some(("bps", bps)) => Slippage::Bps(number(bps, "a number of bps")?),
        _ => return Err(wrong(FieldCode::WrongType, &["must be ", due, ", nothing else"])),
    };
    // It must fit both units, so that it can be sent in the one that the service uses.
    match (slippage.in_unit(SlippageUnit::Percent), slippage.in_unit(SlippageUnit::Bps)) {
        (Ok(_), Ok(_)) => Ok(slippage),
        _ => Err(simply(FieldCode::OutOfRange, "has more digits than any amount")),
    }
}

/// The field of an object that has exactly one.
fn only_field<'v>(mut fields: Fields<'v>) -> Option<(&'v str, Item<'v>)> {
    fields.next().filter(|_| fields.next().is_none())
}

/// What is wrong with a mint or a wallet id, in words that follow its field; `None` if requests can name it.
pub fn identifier_problem(text: &str, identifiers: Identifiers) -> Option<(FieldCode, &'static str)> {
    // An address has none of the other problems.
    if identifiers == Identifiers::Base58 && is_address(text) {
        None
    } else if text.is_empty() {
        Some((FieldCode::Empty, "is empty"))
    } else if text.len() > MAX_IDENTIFIER && text.chars().nth(MAX_IDENTIFIER).is_some() {
        Some((FieldCode::TooLong, "is longer than 128 characters"))
    } else if !is_visible(text.as_bytes())
        && text.chars().any(|c| c.is_whitespace() || c.is_control() || matches!(c, '\u{feff}' | '\u{fffd}'))
    {
        Some((FieldCode::WhiteSpace, "has white space, a control character or broken text in it"))
    } else if !is_visible(text.as_bytes()) && text.chars().any(is_hidden) {
        Some((FieldCode::WhiteSpace, HIDDEN))
    } else if identifiers == Identifiers::Base58 {
        Some((FieldCode::NotBase58, "is not 32 bytes in base58"))
    } else {
        None
    }
}

/// Whether all of it is visible ASCII.
fn is_visible(text: &[u8]) -> bool {
    for byte in text {
        if !byte.is_ascii_graphic() {
            return false;
        }
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::amount::TokenInput;
    use crate::object;
    use crate::request::BundleSellRequest;
    use crate::tape::{Tape, ToTape, json};

    #[test]
    fn an_identifier_shows_all_of_its_characters() {
        let of = |text: &str| identifier_problem(text, Identifiers::Any);
        for hidden in [
            "Sim\u{202e}Trader",
            "W\u{200b}",
            "\u{2066}W",
            "W\u{200d}1",
            "a\u{ad}b",
            "W\u{fe0f}",
            "\u{e0041}W",
            "W\u{3164}",
            "W\u{2800}",
            "\u{fff0}W",
            "W\u{fffc}",
            "W\u{1bca0}1",
            "W\u{1d159}",
        ] {
            let why =
                Some((FieldCode::WhiteSpace, "has an invisible character or a mark of direction in it"));
            assert_eq!(of(hidden), why, "{hidden:?}");
        }
        for shown in ["wallet-7", "Käse", "кошелёк", "محفظة", "錢包", "🐇"] {
            assert_eq!(of(shown), None, "{shown}");
        }
    }

    fn problems(operation: Operation, request: &Tape) -> Vec<(String, &'static str)> {
        match validate(operation, request.root(), &Rules::default()) {
            Ok(_) => Vec::new(),
            Err(problems) => problems.into_iter().map(|p| (p.field, p.code.as_str())).collect(),
        }
    }

    #[test]
    fn on_the_wire_an_amount_names_no_unit() {
        let told = |operation: Operation, body: &str| {
            let rules = Rules { forms: Forms::Wire, ..Rules::default() };
            let request = json::parse(body.as_bytes()).unwrap();
            validate(operation, request.root(), &rules)
                .map(|_| ())
                .map_err(|problems| problems[0].message.clone())
        };
        let wire = "must be a number or its text, not an object";
        let sell = |amount: &str, slippage: &str| {
            let body = [
                r#"{"mint":"M","fromWallet":"W","amountInToken":"#,
                amount,
                r#","slippage":"#,
                slippage,
                "}",
            ];
            told(Operation::Sell, &body.concat())
        };
        assert_eq!(sell("1.5", "0.5"), Ok(()));
        assert_eq!(sell(r#""1.5""#, r#""0.5""#), Ok(()));
        assert_eq!(sell(r#"{"baseUnits":5}"#, "null"), Err(["amountInToken ", wire].concat()));
        assert_eq!(sell(r#"{"tokens":"5"}"#, "null"), Err(["amountInToken ", wire].concat()));
        assert_eq!(sell("5", r#"{"percent":5}"#), Err(["slippage ", wire].concat()));
        assert_eq!(
            sell("true", "1"),
            Err("amountInToken must be a number or its text, not a boolean".into())
        );
        let legs =
            r#"{"mint":"M","feePayer":"W","sells":[{"fromWallet":"W","percentage":5,"slippage":{"bps":5}}]}"#;
        assert_eq!(told(Operation::BundleSellByPercentage, legs), Err(["sells[0].slippage ", wire].concat()));
    }

    #[test]
    fn lamports_are_exact_or_refused() {
        let check = |lamports: Data| {
            let request = object! { "mint": "M", "fromWallet": "W", "amountInLamports": lamports };
            problems(Operation::Buy, &request).pop().map(|(_, code)| code)
        };
        assert_eq!(check(Data::Double("9007199254740991")), None);
        assert_eq!(check(Data::Double("9007199254740992")), Some("not_exact"));
        assert_eq!(check(Data::Number("9007199254740993")), None);
        assert_eq!(check(Data::Number("1e9")), None);
        assert_eq!(check(Data::BigInt("18446744073709551615")), None);
        assert_eq!(check(Data::BigInt("18446744073709551616")), Some("out_of_range"));
        assert_eq!(check(Data::BigInt("-5")), Some("not_positive"));
        assert_eq!(check(Data::String("1000")), None);
        assert_eq!(check(Data::String("")), Some("empty"));
        assert_eq!(check(Data::String("1e3")), Some("not_a_number"));
        assert_eq!(check(Data::String(" 1")), Some("not_a_number"));
        assert_eq!(check(Data::Double("0.5")), Some("not_an_integer"));
        assert_eq!(check(Data::Double("-1")), Some("not_positive"));
        assert_eq!(check(Data::Double("0")), Some("not_positive"));
        for text in ["NaN", "Infinity", "-Infinity"] {
            assert_eq!(check(Data::Double(text)), Some("not_a_number"), "{text}");
        }
        assert_eq!(check(Data::Bool(true)), Some("wrong_type"));
        assert_eq!(check(Data::Foreign("a function")), Some("unreadable"));
        assert_eq!(check(Data::Null), Some("required"));
    }

    #[test]
    fn tokens_name_their_unit_or_are_whole() {
        let sent = |operation: Operation, amount: Tape| {
            let leg = object! { "fromWallet": "W", "amountInToken": amount };
            let request = match operation {
                Operation::Sell => object! { "mint": "M", "fromWallet": "W", "amountInToken": amount },
                _ => object! { "mint": "M", "feePayer": "W", "sells": vec![leg] },
            };
            let rules = Rules { token_decimals: 6, ..Rules::default() };
            match validate(operation, request.root(), &rules) {
                Ok(valid) => match &valid.legs[0].amount {
                    Some(Amount::Tokens(tokens)) => Ok(json::write(&tokens.to_tape())),
                    other => panic!("{other:?}"),
                },
                Err(problems) => Err((problems[0].code.as_str(), problems[0].message.clone())),
            }
        };
        let sell = |amount: Tape| sent(Operation::Sell, amount);
        fn base(units: impl ToTape) -> Tape {
            object! { "baseUnits": units }
        }
        fn tokens(tokens: impl ToTape) -> Tape {
            object! { "tokens": tokens }
        }

        let (code, message) = sell(Data::BigInt("16996189").to_tape()).unwrap_err();
        assert_eq!(code, "wrong_type");
        assert_eq!(
            message,
            "amountInToken must not be a bare bigint: { baseUnits: 16990000n } for base units, \
             { tokens: \"16.99\" } or \"16.99\" for whole tokens"
        );
        for (amount, text) in [
            ("16.99".to_tape(), r#""16.99""#),
            (Data::Double("16.99").to_tape(), "16.99"),
            ("16.9900001".to_tape(), r#""16.9900001""#),
            (base(16_996_189u64), "16.996189"),
            (base("16996189"), "16.996189"),
            (base(Data::Double("1000000")), "1"),
            (base(u64::MAX), "18446744073709.551615"),
            (tokens("16.99"), r#""16.99""#),
            (tokens(Data::Double("16.99")), "16.99"),
            (tokens(Data::BigInt("5")), "5"),
        ] {
            assert_eq!(sell(amount.clone()), Ok(text.to_owned()), "{amount:?}");
        }
        for (amount, code) in [
            (base("1.5"), "not_an_integer"),
            (base(Data::BigInt("18446744073709551616")), "out_of_range"),
            (base(Data::Double("9007199254740993")), "not_exact"),
            (base(0u64), "not_positive"),
            (base(""), "empty"),
            (tokens("16.9900001"), "not_an_integer"),
            (tokens(Data::Double("0.30000000000000004")), "not_an_integer"),
            (tokens("18446744073709.551616"), "out_of_range"),
            (tokens("0"), "not_positive"),
            (tokens(object! { "tokens": 1u32 }), "wrong_type"),
            (object! {}, "wrong_type"),
            (object! { "tokens": 1u32, "baseUnits": 1u64 }, "wrong_type"),
            (object! { "lamports": 1u64 }, "wrong_type"),
        ] {
            assert_eq!(sell(amount.clone()).map_err(|(code, _)| code), Err(code), "{amount:?}");
        }
        assert_eq!(sent(Operation::BundleSell, base(16_996_189u64)), Ok(r#""16.996189""#.into()));
        let typed = BundleSellRequest::new("W", "W").sell("W", TokenInput::BaseUnits(5));
        let nine = Rules { token_decimals: 9, ..Rules::default() };
        let valid = validate(Operation::BundleSell, typed.to_tape().root(), &nine).unwrap();
        let five = TokenAmount { tokens: Decimal::from_plain("0.000000005").unwrap(), form: Form::String };
        assert_eq!(valid.legs[0].amount, Some(Amount::Tokens(five)));
    }

    #[test]
    fn every_numeric_field_takes_a_number_a_bigint_and_text() {
        for form in [Data::Double("5"), Data::BigInt("5"), Data::String("5")] {
            let leg = object! {
                "fromWallet": "W", "percentage": form, "slippage": object! { "percent": form },
            };
            let bundle = object! {
                "sells": vec![leg], "mint": "M", "feePayer": "W",
                "slippage": form, "priorityUnitLimit": form, "priorityUnitPrice": form,
            };
            let valid =
                validate(Operation::BundleSellByPercentage, bundle.root(), &Rules::default()).unwrap();
            let five = Decimal::from_plain("5").unwrap();
            assert_eq!(valid.slippage, Some(Slippage::Bare(five)));
            assert_eq!(valid.legs[0].slippage, Some(Slippage::Percent(five)));
            assert_eq!(valid.legs[0].amount, Some(Amount::Percentage(Percentage(five))));
            assert_eq!((valid.priority_unit_limit, valid.priority_unit_price), (Some(5), Some(5)));
            let buy = object! { "mint": "M", "fromWallet": "W", "amountInLamports": form };
            let valid = validate(Operation::Buy, buy.root(), &Rules::default()).unwrap();
            assert_eq!(valid.legs[0].amount, Some(Amount::Lamports(5)));
        }
        let empty = object! {
            "sells": vec![object! { "fromWallet": "W", "percentage": "", "slippage": "" }],
            "mint": "M", "feePayer": "W", "slippage": object! { "bps": "" },
            "priorityUnitLimit": "", "priorityUnitPrice": "",
        };
        let found = problems(Operation::BundleSellByPercentage, &empty);
        assert_eq!(found.len(), 5, "{found:?}");
        assert!(found.iter().all(|(_, code)| *code == "empty"), "{found:?}");
    }

    #[test]
    fn a_price_is_no_number_of_units() {
        let request = object! {
            "mint": "M", "fromWallet": "W", "amountInLamports": 1u64,
            "priorityUnitLimit": "1.5", "priorityUnitPrice": "1.5",
        };
        let problems = validate(Operation::Buy, request.root(), &Rules::default()).unwrap_err();
        let messages: Vec<_> = problems.iter().map(|problem| problem.message.as_str()).collect();
        assert_eq!(
            messages,
            [
                "priorityUnitLimit must be a whole number of priority units",
                "priorityUnitPrice must be a whole number of micro-lamports per priority unit",
            ]
        );
    }

    #[test]
    fn every_bad_field_is_named_with_its_path() {
        let request = object! {
            "sells": vec![
                object! { "fromWallet": "a b", "percentage": 0u32, "slipage": 1u32 },
                object! { "fromWallet": "W", "percentage": 100u32 },
                object! { "percentage": Data::Number("100.0000001"), "slippage": object! { "pct": 5u32 } },
                Data::Null.to_tape(),
            ],
            "mint": "",
            "amountInToken": 5u32,
            "slippage": true,
        };
        let expected = [
            ("amountInToken", "unknown_field"),
            ("mint", "empty"),
            ("feePayer", "required"),
            ("slippage", "wrong_type"),
            ("sells[0].slipage", "unknown_field"),
            ("sells[0].fromWallet", "white_space"),
            ("sells[0].percentage", "not_positive"),
            ("sells[2].fromWallet", "required"),
            ("sells[2].percentage", "out_of_range"),
            ("sells[2].slippage", "wrong_type"),
            ("sells[3]", "required"),
        ];
        let expected: Vec<_> = expected.map(|(field, code)| (field.to_owned(), code)).into();
        assert_eq!(problems(Operation::BundleSellByPercentage, &request), expected);
    }

    #[test]
    fn messages_name_the_nearest_field_and_never_echo_a_value() {
        let request =
            object! { "mint": "secret secret", "fromwallet": "W", "amountInLamports": "secret", "x\n": 1u32 };
        let problems = validate(Operation::Buy, request.root(), &Rules::default()).unwrap_err();
        let messages: Vec<_> = problems.iter().map(|problem| problem.message.as_str()).collect();
        assert_eq!(
            messages,
            [
                "buy has no field fromwallet; did you mean fromWallet?",
                "buy has no field x\u{fffd}; it has mint, fromWallet, amountInLamports, feePayer, slippage, \
                 priorityUnitLimit, priorityUnitPrice",
                "mint has white space, a control character or broken text in it",
                "fromWallet is missing",
                "amountInLamports is not a decimal number",
            ]
        );
    }

    #[test]
    fn bundles_have_bounds() {
        let rules = Rules { max_bundle_size: Some(2), ..Rules::default() };
        let leg = || object! { "fromWallet": "W", "amountInLamports": 1u64 };
        let bundle = |size: usize| {
            let buys: Vec<Tape> = (0..size).map(|_| leg()).collect();
            object! { "mint": "M", "feePayer": "W", "buys": buys }
        };
        assert!(validate(Operation::BundleBuy, bundle(2).root(), &rules).is_ok());
        let problem = &validate(Operation::BundleBuy, bundle(3).root(), &rules).unwrap_err()[0];
        assert_eq!(
            (problem.code, problem.message.as_str()),
            (FieldCode::TooMany, "buys has 3 elements; at most 2")
        );
        assert_eq!(problems(Operation::BundleBuy, &bundle(0)), [("buys".to_owned(), "empty")]);
    }

    #[test]
    fn a_bare_slippage_over_100_percent_is_sent_with_a_warning() {
        let request =
            json::parse(br#"{"mint":"M","fromWallet":"W","amountInLamports":1,"slippage":500}"#).unwrap();
        let valid = validate(Operation::Buy, request.root(), &Rules::default()).unwrap();
        assert_eq!(valid.warnings()[0].code, WarningCode::SlippageUnit);
        assert!(valid.warnings()[0].message.contains("slippageUnit"));
        let bps = Rules { slippage_unit: SlippageUnit::Bps, ..Rules::default() };
        assert!(validate(Operation::Buy, request.root(), &bps).unwrap().warnings().is_empty());
    }

    #[test]
    fn an_amount_that_fits_another_unit_is_sent_with_a_warning() {
        let over =
            Some("slippage is over 100 %, which bounds no price; 5 % is { percent: 5 } or { bps: 500 }");
        let below =
            Some("percentage is below 1, sent as percent; if it is a part of the whole, 0.5 of it is 50");
        let bps = Rules { slippage_unit: SlippageUnit::Bps, ..Rules::default() };
        for (percentage, slippage, rules, warning) in [
            ("50", r#"{"percent":500}"#, Rules::default(), over),
            ("50", r#"{"percent":"100.1"}"#, bps.clone(), over),
            ("50", r#"{"bps":50000}"#, Rules::default(), over),
            ("50", "50000", bps.clone(), over),
            ("50", r#"{"percent":100}"#, Rules::default(), None),
            ("50", r#"{"bps":10000}"#, bps, None),
            ("0.5", "1", Rules::default(), below),
            ("\"0.99\"", "1", Rules::default(), below),
            ("1", "1", Rules::default(), None),
        ] {
            let text =
                format!(r#"{{"mint":"M","fromWallet":"W","percentage":{percentage},"slippage":{slippage}}}"#);
            let request = json::parse(text.as_bytes()).unwrap();
            let valid = validate(Operation::SellByPercentage, request.root(), &rules).unwrap();
            let warned: Vec<&str> = valid.warnings().iter().map(|warning| warning.message.as_str()).collect();
            assert_eq!(warned, warning.into_iter().collect::<Vec<_>>(), "{text}");
        }
    }

    #[test]
    fn what_is_not_an_object_is_refused_as_a_whole() {
        let none = Vec::<Tape>::new().to_tape();
        for value in [Data::Null, none.root().data(), Data::String("x"), Data::Foreign("a function")] {
            let found = problems(Operation::Buy, &value.to_tape());
            assert_eq!(found.len(), 1, "{value:?}");
            assert_eq!(found[0].0, "");
        }
    }
}
