//! Whether a request may be sent: every field is checked, and every bad one named at once.
//!
//! The same check serves JS objects, JSON bodies and Rust's typed requests.

use crate::amount::{
    Decimal, DecimalError, Digits, Form, Percentage, Slippage, SlippageUnit, TOKEN_DECIMALS, TokenAmount,
};
use crate::api::address::is_address;
use crate::api::endpoint::{Field, Operation, Row};
use crate::api::request::{Amount, Leg, Request};
use crate::error::{FieldCode, FieldError, Warning, WarningCode};
use crate::reader::{Reader, nearest, printable};
use crate::record;
use crate::tape::{Data, Fields, Item, Items};

/// The longest mint or wallet id, in characters.
const MAX_IDENTIFIER: usize = 128;

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
}

impl Default for Rules {
    fn default() -> Self {
        Rules {
            identifiers: Identifiers::default(),
            max_bundle_size: None,
            slippage_unit: SlippageUnit::default(),
            token_decimals: TOKEN_DECIMALS,
        }
    }
}

impl Rules {
    /// Reads the settings that client and sandbox share: `slippageUnit`, `identifiers`, `maxBundleSize`.
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

/// A value that has passed its check. Only [`validate`] makes one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Valid<T> {
    inner: T,
    warnings: Vec<Warning>,
}

impl<T> Valid<T> {
    /// Warnings about it.
    pub fn warnings(&self) -> &[Warning] {
        &self.warnings
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
        /// Every bad field; none where the request may be sent.
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
/// use launchpad_desk::object;
///
/// let request = object! { "mint": "M", "fromWallet": "", "amountInLamports": 0u64, "slipage": 1u32 };
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
    let mut check = Check { operation, rules, problems: Vec::new(), warnings: Vec::new() };
    match check.request(request) {
        Some(inner) if check.problems.is_empty() => Ok(Valid { inner, warnings: check.warnings }),
        _ => Err(check.problems),
    }
}

/// The checked fields of one object, a request or an element; what is absent or wrong is `None`.
#[derive(Default)]
struct Draft<'a> {
    elements: Option<Items<'a>>,
    mint: Option<String>,
    from_wallet: Option<String>,
    amount: Option<Amount>,
    fee_payer: Option<String>,
    slippage: Option<Slippage>,
    priority_unit_limit: Option<u64>,
    priority_unit_price: Option<u64>,
}

impl Draft<'_> {
    fn leg(self) -> Option<Leg> {
        Some(Leg { from_wallet: self.from_wallet?, amount: self.amount?, slippage: self.slippage })
    }
}

/// A check in progress. A step that gives `None` has recorded a problem.
struct Check<'r> {
    operation: Operation,
    rules: &'r Rules,
    problems: Vec<FieldError>,
    warnings: Vec<Warning>,
}

impl Check<'_> {
    fn problem(&mut self, field: &str, code: FieldCode, message: &[&str]) {
        if self.problems.len() > MAX_PROBLEMS {
            return;
        }
        if self.problems.len() == MAX_PROBLEMS {
            let message = "and more: only the first 1000 are named".to_owned();
            self.problems.push(FieldError { field: String::new(), code: FieldCode::TooMany, message });
            return;
        }
        self.problems.push(FieldError { field: field.to_owned(), code, message: message.concat() });
    }

    fn request(&mut self, value: Item) -> Option<Request> {
        let operation = self.operation;
        let rows: Vec<&Row> = operation.body_fields().collect();
        let mut draft = self.object(value, "", "a request", &rows)?;
        let mut request = Request {
            operation,
            mint: draft.mint.take().unwrap_or_default(),
            fee_payer: draft.fee_payer.take(),
            slippage: None,
            priority_unit_limit: draft.priority_unit_limit,
            priority_unit_price: draft.priority_unit_price,
            legs: Vec::new(),
        };
        if operation.is_bundle() {
            request.slippage = draft.slippage;
            request.legs = self.legs(draft.elements?)?;
        } else {
            request.legs.push(draft.leg()?);
        }
        Some(request)
    }

    fn legs(&mut self, elements: Items) -> Option<Vec<Leg>> {
        let list = if self.operation.is_buy() { "buys" } else { "sells" };
        let rows: Vec<&Row> = self.operation.element_fields().collect();
        let mut legs = Vec::new();
        for (index, element) in elements.enumerate() {
            let path = [list, "[", &index.digits(), "]"].concat();
            let draft = self.object(element, &path, &path, &rows);
            legs.extend(draft.and_then(Draft::leg));
        }
        (legs.len() == elements.len()).then_some(legs)
    }

    /// Reads an object's fields by their rows, and names unknown ones.
    fn object<'v>(&mut self, value: Item<'v>, path: &str, what: &str, rows: &[&Row]) -> Option<Draft<'v>> {
        let Some(mut fields) = value.fields() else {
            let code = match value.data() {
                Data::Null => FieldCode::Required,
                Data::Foreign(_) => FieldCode::Unreadable,
                _ => FieldCode::WrongType,
            };
            self.problem(path, code, &[what, " must be an object, not ", value.kind()]);
            return None;
        };
        let at = |name: &str| if path.is_empty() { name.to_owned() } else { [path, ".", name].concat() };
        let known: Vec<&str> = rows.iter().map(|row| row.name).collect();
        for (name, _) in fields.by_ref().filter(|(name, _)| !known.contains(name)) {
            let shown = printable(name);
            let near = if self.problems.len() < MAX_HINTS { nearest(name, &known) } else { None };
            let hint = match near {
                Some(known) => ["did you mean ", known, "?"].concat(),
                None => ["it has ", &known.join(", ")].concat(),
            };
            let what = if path.is_empty() { self.operation.as_str() } else { path };
            let message = [what, " has no field ", &shown, "; ", &hint];
            self.problem(&at(&shown), FieldCode::UnknownField, &message);
        }
        let mut draft = Draft::default();
        for row in rows {
            let path = at(row.name);
            let field = value.get(row.name).filter(|field| !field.is_null());
            match field.map(|field| (field, field.data())) {
                None if row.required.contains(self.operation) => {
                    self.problem(&path, FieldCode::Required, &[&path, " is missing"]);
                }
                None => {}
                Some((_, Data::Foreign(what))) => {
                    self.problem(&path, FieldCode::Unreadable, &[&path, " is ", what]);
                }
                Some((value, _)) => self.field(row.field, value, &path, &mut draft),
            }
        }
        Some(draft)
    }

    fn field<'v>(&mut self, field: Field, value: Item<'v>, path: &str, draft: &mut Draft<'v>) {
        match field {
            Field::Buys | Field::Sells => draft.elements = self.elements(value, path),
            Field::Mint => draft.mint = self.identifier(value, path),
            Field::FromWallet => draft.from_wallet = self.identifier(value, path),
            Field::AmountInLamports => draft.amount = self.lamports(value, path).map(Amount::Lamports),
            Field::AmountInToken => draft.amount = self.tokens(value, path).map(Amount::Tokens),
            Field::Percentage => draft.amount = self.percentage(value, path).map(Amount::Percentage),
            Field::FeePayer => draft.fee_payer = self.identifier(value, path),
            Field::Slippage => draft.slippage = self.slippage(value, path),
            Field::PriorityUnitLimit => {
                draft.priority_unit_limit = self.whole(value, path, "priority units");
            }
            Field::PriorityUnitPrice => {
                draft.priority_unit_price = self.whole(value, path, "micro-lamports per priority unit");
            }
        }
    }

    fn wrong_type(&mut self, path: &str, due: &str, value: Item) {
        self.problem(path, FieldCode::WrongType, &[path, " must be ", due, ", not ", value.kind()]);
    }

    fn elements<'v>(&mut self, value: Item<'v>, path: &str) -> Option<Items<'v>> {
        let Data::Array(elements) = value.data() else {
            self.wrong_type(path, "an array", value);
            return None;
        };
        if elements.is_empty() {
            self.problem(path, FieldCode::Empty, &[path, " must have at least one element"]);
        }
        if let Some(max) = self.rules.max_bundle_size.filter(|max| elements.len() > *max as usize) {
            let count = elements.len().digits();
            let max = max.digits();
            self.problem(path, FieldCode::TooMany, &[path, " has ", &count, " elements; at most ", &max]);
            return None;
        }
        Some(elements)
    }

    fn identifier(&mut self, value: Item, path: &str) -> Option<String> {
        let Data::String(text) = value.data() else {
            self.wrong_type(path, "a string", value);
            return None;
        };
        let Some((code, what)) = identifier_problem(text, self.rules.identifiers) else {
            return Some(text.to_owned());
        };
        self.problem(path, code, &[path, " ", what]);
        None
    }

    /// Reads a number in any of the forms it may have: number, bigint or numeric string.
    fn number(&mut self, value: Item, path: &str, due: &str) -> Option<Decimal> {
        let read = match value.data() {
            Data::Number(text) | Data::Double(text) | Data::BigInt(text) => Decimal::from_number(text),
            Data::String("") => {
                self.problem(path, FieldCode::Empty, &[path, " is empty"]);
                return None;
            }
            Data::String(text) => Decimal::from_plain(text),
            _ => {
                self.wrong_type(path, due, value);
                return None;
            }
        };
        self.decimal(read, path)
    }

    fn decimal(&mut self, read: Result<Decimal, DecimalError>, path: &str) -> Option<Decimal> {
        let (code, what) = match read {
            Ok(number) => return Some(number),
            Err(DecimalError::Negative) => (FieldCode::NotPositive, " must not be below zero"),
            Err(DecimalError::NotANumber) => (FieldCode::NotANumber, " is not a decimal number"),
            Err(DecimalError::TooLarge | DecimalError::TooPrecise) => {
                (FieldCode::OutOfRange, " has more digits than any amount")
            }
        };
        self.problem(path, code, &[path, what]);
        None
    }

    /// Reads a whole number that fits a `u64` and that the caller's form holds exactly.
    fn whole(&mut self, value: Item, path: &str, of: &str) -> Option<u64> {
        let due = ["a whole number of ", of].concat();
        let number = self.number(value, path, &due)?;
        if !number.is_integer() {
            self.problem(path, FieldCode::NotAnInteger, &[path, " must be ", &due]);
            return None;
        }
        let Ok(whole) = number.to_units(0) else {
            self.problem(path, FieldCode::OutOfRange, &[path, " is over 18446744073709551615"]);
            return None;
        };
        if matches!(value.data(), Data::Double(_)) && whole > MAX_SAFE_INTEGER {
            let message = " is over 2^53 - 1, where numbers are no longer exact; pass a bigint or a string";
            self.problem(path, FieldCode::NotExact, &[path, message]);
            return None;
        }
        Some(whole)
    }

    fn positive(&mut self, is_zero: bool, path: &str) -> Option<()> {
        if is_zero {
            self.problem(path, FieldCode::NotPositive, &[path, " must be above zero"]);
            return None;
        }
        Some(())
    }

    fn lamports(&mut self, value: Item, path: &str) -> Option<u64> {
        let lamports = self.whole(value, path, "lamports")?;
        self.positive(lamports == 0, path)?;
        Some(lamports)
    }

    fn tokens(&mut self, value: Item, path: &str) -> Option<TokenAmount> {
        let due = "a number of whole tokens, { tokens } or { baseUnits }";
        let fields = match value.data() {
            Data::BigInt(_) => {
                let message = " must name its unit where it is a bigint: { baseUnits: 16990000n } for base units, \
                               { tokens: \"16.99\" } or \"16.99\" for whole tokens";
                self.problem(path, FieldCode::WrongType, &[path, message]);
                return None;
            }
            Data::Object(fields) => fields,
            _ => return self.whole_tokens(value, path, due),
        };
        match only_field(fields) {
            Some(("tokens", amount)) => {
                let amount = self.whole_tokens(amount, path, "a number of whole tokens")?;
                self.base_units(&amount.tokens, path)?;
                Some(amount)
            }
            Some(("baseUnits", units)) => {
                let units = self.whole(units, path, "base units")?;
                self.positive(units == 0, path)?;
                // The spec has a number in a sell, and text in a bundle's.
                let form = if self.operation.is_bundle() { Form::String } else { Form::Number };
                Some(TokenAmount { tokens: Decimal::from_units(units, self.rules.token_decimals), form })
            }
            _ => {
                self.problem(path, FieldCode::WrongType, &[path, " must be ", due, ", nothing else"]);
                None
            }
        }
    }

    fn whole_tokens(&mut self, value: Item, path: &str, due: &str) -> Option<TokenAmount> {
        let tokens = self.number(value, path, due)?;
        self.positive(tokens.is_zero(), path)?;
        let form = if matches!(value.data(), Data::String(_)) { Form::String } else { Form::Number };
        Some(TokenAmount { tokens, form })
    }

    /// Whether whole tokens are base units, to the last digit.
    fn base_units(&mut self, tokens: &Decimal, path: &str) -> Option<u64> {
        let decimals = self.rules.token_decimals;
        match tokens.to_units(decimals) {
            Ok(units) => Some(units),
            Err(DecimalError::TooPrecise) => {
                let message = [path, " is finer than the token's ", &decimals.digits(), " decimals"];
                self.problem(path, FieldCode::NotAnInteger, &message);
                None
            }
            Err(_) => {
                self.problem(path, FieldCode::OutOfRange, &[path, " is more than any wallet can hold"]);
                None
            }
        }
    }

    fn percentage(&mut self, value: Item, path: &str) -> Option<Percentage> {
        let percentage = self.number(value, path, "a number of percent")?;
        self.positive(percentage.is_zero(), path)?;
        if percentage > Decimal::from_units(100, 0) {
            self.problem(path, FieldCode::OutOfRange, &[path, " must be above 0 and at most 100"]);
            return None;
        }
        Some(Percentage(percentage))
    }

    fn slippage(&mut self, value: Item, path: &str) -> Option<Slippage> {
        let due = "a number, { percent } or { bps }";
        let Some(fields) = value.fields() else {
            let number = self.number(value, path, due)?;
            let percent = self.rules.slippage_unit == SlippageUnit::Percent;
            if percent && number > Decimal::from_units(100, 0) {
                let message =
                    " is over 100, sent as percent; if it is in bps, pass { bps } or set slippageUnit";
                self.warnings.push(Warning {
                    field: path.to_owned(),
                    code: WarningCode::SlippageUnit,
                    message: [path, message].concat(),
                });
            }
            return Some(Slippage::Bare(number));
        };
        let slippage = match only_field(fields) {
            Some(("percent", number)) => {
                self.number(number, path, "a number of percent").map(Slippage::Percent)
            }
            Some(("bps", number)) => self.number(number, path, "a number of bps").map(Slippage::Bps),
            _ => {
                self.problem(path, FieldCode::WrongType, &[path, " must be ", due, ", nothing else"]);
                None
            }
        }?;
        if slippage.in_unit(self.rules.slippage_unit).is_err() {
            self.problem(path, FieldCode::OutOfRange, &[path, " has more digits than any amount"]);
            return None;
        }
        Some(slippage)
    }
}

/// The field of an object that has one and no more.
fn only_field<'v>(mut fields: Fields<'v>) -> Option<(&'v str, Item<'v>)> {
    fields.next().filter(|_| fields.next().is_none())
}

/// What is wrong with a mint or a wallet id, in words that follow its field; `None` where requests can name it.
pub fn identifier_problem(text: &str, identifiers: Identifiers) -> Option<(FieldCode, &'static str)> {
    if text.is_empty() {
        Some((FieldCode::Empty, "is empty"))
    } else if text.chars().nth(MAX_IDENTIFIER).is_some() {
        Some((FieldCode::TooLong, "is longer than 128 characters"))
    } else if text
        .chars()
        .any(|c| c.is_whitespace() || c.is_control() || matches!(c, '\u{feff}' | '\u{fffd}'))
    {
        Some((FieldCode::WhiteSpace, "has white space, a control character or broken text in it"))
    } else if identifiers == Identifiers::Base58 && !is_address(text) {
        Some((FieldCode::NotBase58, "is not the base58 text of 32 bytes"))
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::amount::TokenInput;
    use crate::api::request::{BundleSellElement, BundleSellRequest};
    use crate::object;
    use crate::tape::{Tape, ToTape, json};

    fn problems(operation: Operation, request: &Tape) -> Vec<(String, &'static str)> {
        match validate(operation, request.root(), &Rules::default()) {
            Ok(_) => Vec::new(),
            Err(problems) => problems.into_iter().map(|p| (p.field, p.code.as_str())).collect(),
        }
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
                    Amount::Tokens(tokens) => Ok(json::write(&tokens.to_tape())),
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
            "amountInToken must name its unit where it is a bigint: { baseUnits: 16990000n } for base units, \
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
        let typed = BundleSellRequest {
            sells: vec![BundleSellElement {
                from_wallet: "W".into(),
                amount_in_token: TokenInput::BaseUnits(5),
                slippage: None,
            }],
            mint: "M".into(),
            fee_payer: "W".into(),
            slippage: None,
            priority_unit_limit: None,
            priority_unit_price: None,
        };
        let nine = Rules { token_decimals: 9, ..Rules::default() };
        let valid = validate(Operation::BundleSell, typed.to_tape().root(), &nine).unwrap();
        let five = TokenAmount { tokens: Decimal::from_plain("0.000000005").unwrap(), form: Form::String };
        assert_eq!(valid.legs[0].amount, Amount::Tokens(five));
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
            assert_eq!(valid.slippage, Some(Slippage::Bare(five.clone())));
            assert_eq!(valid.legs[0].slippage, Some(Slippage::Percent(five.clone())));
            assert_eq!(valid.legs[0].amount, Amount::Percentage(Percentage(five)));
            assert_eq!((valid.priority_unit_limit, valid.priority_unit_price), (Some(5), Some(5)));
            let buy = object! { "mint": "M", "fromWallet": "W", "amountInLamports": form };
            let valid = validate(Operation::Buy, buy.root(), &Rules::default()).unwrap();
            assert_eq!(valid.legs[0].amount, Amount::Lamports(5));
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
    fn what_is_not_an_object_is_refused_as_a_whole() {
        let none = Vec::<Tape>::new().to_tape();
        for value in [Data::Null, none.root().data(), Data::String("x"), Data::Foreign("a function")] {
            let found = problems(Operation::Buy, &value.to_tape());
            assert_eq!(found.len(), 1, "{value:?}");
            assert_eq!(found[0].0, "");
        }
    }
}
