//! `docs/openapi.json`: the six endpoints as an OpenAPI 3.1 document, from the tables of request and reply fields; and the paths on which
//! anyone may read the sandbox's market.
//!
//! It describes what the sandbox accepts. A request that fits its schema is accepted if its ids are the sandbox's, with one
//! exception: JSON Schema cannot limit the digits of a number, and one with more digits than a `Decimal` holds is refused. A
//! request that does not fit is refused, unless it gives an amount as text that is within one token, or one percent of
//! slippage, of the largest that is accepted.

use super::open_market;
use launchpad_desk::amount::{Decimal, Digits, TOKEN_DECIMALS};
use launchpad_desk::api::endpoint::Operation;
use launchpad_desk::api::fields::{FieldRow, Kind, Place};
use launchpad_desk::api::response::{Part, ReplyKind, ReplyRow, reply_rows};
use launchpad_desk::bindings::object;
use launchpad_desk::error::FieldCode;
use launchpad_desk::tape::{Tape, ToTape, Writer, json};
use launchpad_desk_sandbox::{Sandbox, SandboxConfig};
use serde_json::{Value, json as value};

/// The most characters of an id, and of a number that is text.
const MAX_LENGTH: u32 = 128;

/// A mint or wallet id: no white space, no control characters, nothing invisible, no broken text.
const IDENTIFIER: &str = concat!(
    "^[^\\u0000-\\u0020\\u007f-\\u00a0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000\\ufeff\\ufffd",
    "\\u00ad\\u034f\\u061c\\u115f\\u1160\\u17b4\\u17b5\\u180b-\\u180f\\u200b-\\u200f\\u202a-\\u202e\\u2060-\\u206f",
    "\\u2800\\u3164\\ufe00-\\ufe0f\\uffa0\\ufff0-\\ufffc",
    "\u{1bca0}-\u{1bca3}\u{1d159}\u{1d173}-\u{1d17a}\u{e0000}-\u{e0fff}]+$"
);

/// The statuses that refuse a request, each with its name here and its meaning.
const REFUSALS: [(&str, &str, &str); 8] = [
    ("400", "BadRequest", "The request is wrong. `fields` has each bad field."),
    ("401", "Unauthorized", "The API key is missing or wrong."),
    ("403", "Forbidden", "The host name, or the origin of a web page, is not allowed. `code` says which."),
    ("405", "MethodNotAllowed", "The method is not POST."),
    ("413", "ContentTooLarge", "The body is too long."),
    ("415", "UnsupportedMediaType", "The body is not JSON in UTF-8."),
    ("429", "TooManyRequests", "Too many requests. `retry-after` says when to come again."),
    ("default", "Unknown", "Anything else. Whether the transaction was sent is unknown."),
];

/// What a path of the market may also answer.
const NOT_FOUND: (&str, &str, &str) = ("404", "NotFound", "The market has no such token or wallet.");

/// What a reader of the document must know of its numbers.
const ABOUT: &str = "Buy and sell tokens on a launchpad, from one wallet or in bundles from several. The examples trade in a new \
    sandbox. Numbers are exact decimals, with more digits than a 64-bit float holds: let a generated client read and write the \
    format `decimal`, and lamports, as decimals or big integers (BigDecimal, Decimal, decimal.Decimal), or send them as text, which \
    every numeric field takes. What begins with `/_market/` only a sandbox has.";

pub fn document() -> Tape {
    let trade = |operation: Operation| (operation.path().to_owned(), object! { "post": post(operation) });
    let paths: Vec<_> = Operation::ALL.map(trade).into_iter().chain(open_market::paths()).collect();
    let mut schemas = Vec::new();
    for operation in Operation::ALL {
        if operation.is_bundle() {
            schemas.push((named(operation, "Element"), part(Place::Element(0), operation)));
        }
        schemas.push((named(operation, "Request"), part(Place::Body, operation)));
        schemas.push((named(operation, "Reply"), reply(operation)));
    }
    schemas.push(("Problem".to_owned(), problem()));
    schemas.extend(open_market::schemas());
    let refusals = REFUSALS.iter().chain([&NOT_FOUND]).map(|(_, name, what)| (*name, refusal(what)));
    object! {
        "openapi": "3.1.0",
        "info": object! {
            "title": "Token trading service",
            "version": env!("CARGO_PKG_VERSION"),
            "description": ABOUT,
        },
        "servers": vec![object! { "url": "/" }],
        "paths": Tape::object(&paths),
        "components": object! {
            "schemas": Tape::object(&schemas),
            "responses": Tape::object(&refusals.collect::<Vec<_>>()),
            "securitySchemes": object! {
                "key": object! { "type": "apiKey", "in": "header", "name": "x-api-key" },
            },
        },
    }
}

fn named(operation: Operation, what: &str) -> String {
    let (first, rest) = operation.as_str().split_at(1);
    [&first.to_ascii_uppercase(), rest, what].concat()
}

fn reference(operation: Operation, what: &str) -> Tape {
    object! { "$ref": ["#/components/schemas/", &named(operation, what)].concat() }
}

fn post(operation: Operation) -> Tape {
    let answered = object! {
        "description": "The transaction was sent. `result.transactionResult.success` says whether it succeeded.",
        "content": object! { "application/json": object! { "schema": reference(operation, "Reply") } },
    };
    let mut responses = vec![("200", answered)];
    responses.extend(
        REFUSALS.map(|(status, name, _)| {
            (status, object! { "$ref": ["#/components/responses/", name].concat() })
        }),
    );
    // A sandbox without a key asks for none.
    let security = vec![object! {}, object! { "key": Vec::<String>::new() }];
    object! {
        "operationId": operation.as_str(),
        "summary": operation.title(),
        "description": operation.meaning(),
        "security": security,
        "requestBody": object! {
            "required": true,
            "content": object! {
                "application/json": object! {
                    "schema": reference(operation, "Request"),
                    "example": example(Place::Body, operation, 0),
                },
            },
        },
        "responses": Tape::object(&responses),
    }
}

/// A request that a new sandbox takes, or its element of this number. It has what is required.
fn example(place: Place, operation: Operation, number: usize) -> Tape {
    let rows = place.rows(operation).filter(|row| row.required.contains(operation));
    let fields: Vec<_> = rows.map(|row| (row.name, example_of(operation, row, number))).collect();
    Tape::object(&fields)
}

fn example_of(operation: Operation, row: &FieldRow, number: usize) -> Tape {
    let sandbox = Sandbox::new(SandboxConfig::default()).expect("the defaults are allowed");
    match row.kind {
        Kind::Identifier if row.name == "mint" => sandbox.tokens()[0].mint.to_tape(),
        Kind::Identifier => sandbox.wallets()[number].wallet.to_tape(),
        Kind::Elements => {
            [0, 1].map(|number| example(Place::Element(number), operation, number)).to_vec().to_tape()
        }
        Kind::Lamports => 50_000_000u32.to_tape(),
        Kind::Tokens => exactly(Decimal::from_units(10_250_000, TOKEN_DECIMALS)),
        Kind::Percentage => 50u32.to_tape(),
        Kind::Slippage => exactly(Decimal::from_units(5, 1)),
        Kind::Whole => 200_000u32.to_tape(),
    }
}

fn refusal(what: &str) -> Tape {
    let schema = object! { "schema": object! { "$ref": "#/components/schemas/Problem" } };
    object! { "description": what, "content": object! { "application/problem+json": schema } }
}

/// A request, or an element of one.
fn part(place: Place, operation: Operation) -> Tape {
    let rows = || place.rows(operation);
    let properties: Vec<_> = rows().map(|row| (row.name, field(operation, row))).collect();
    let required = rows().filter(|row| row.required.contains(operation)).map(|row| row.name);
    object! {
        "type": "object",
        "properties": Tape::object(&properties),
        "required": required.collect::<Vec<_>>(),
        "additionalProperties": false,
    }
}

fn field(operation: Operation, row: &FieldRow) -> Tape {
    let mut forms = forms(operation, row);
    if !row.required.contains(operation) {
        forms.push(object! { "type": "null" });
    }
    // What follows an empty line is about callers in a program.
    let doc = row.field.doc().split(|line| line.is_empty()).next().unwrap_or_default().concat();
    let examples = vec![example_of(operation, row, 0)];
    object! { "description": doc.trim(), "anyOf": forms, "examples": examples }
}

/// The forms that a field's value may have.
fn forms(operation: Operation, row: &FieldRow) -> Vec<Tape> {
    match row.kind {
        Kind::Elements => {
            vec![object! { "type": "array", "items": reference(operation, "Element"), "minItems": 1u32 }]
        }
        Kind::Identifier => {
            vec![object! { "type": "string", "maxLength": MAX_LENGTH, "pattern": IDENTIFIER }]
        }
        Kind::Lamports => whole(1),
        Kind::Whole => whole(0),
        Kind::Tokens => tokens(),
        Kind::Percentage => {
            let below = [positive("99"), fraction(36)].concat();
            vec![
                object! {
                    "type": "number",
                    "format": "decimal",
                    "minimum": exactly(Decimal::from_units(1, 36)),
                    "maximum": 100u32,
                },
                text(&[&below, &positive_fraction(36), "0*100(?:\\.0+)?"]),
            ]
        }
        Kind::Slippage => slippage(),
    }
}

/// A whole number of 64 bits, as a number or as text.
fn whole(least: u32) -> Vec<Tape> {
    let digits = [&positive(&u64::MAX.digits()), "(?:\\.0+)?"].concat();
    let zero = if least == 0 { vec!["0+(?:\\.0+)?"] } else { Vec::new() };
    vec![
        object! { "type": "integer", "minimum": least, "maximum": u64::MAX },
        text(&[&[digits.as_str()], zero.as_slice()].concat()),
    ]
}

/// An amount of tokens above zero, not finer than base units and not more than a wallet can hold.
fn tokens() -> Vec<Tape> {
    let most = u64::MAX / 10u64.pow(TOKEN_DECIMALS.into()) - 1;
    let above_one = [positive(&most.digits()), fraction(TOKEN_DECIMALS)].concat();
    vec![
        object! {
            "type": "number",
            "format": "decimal",
            "minimum": exactly(Decimal::from_units(1, TOKEN_DECIMALS)),
            "maximum": exactly(Decimal::from_units(u64::MAX, TOKEN_DECIMALS)),
            "multipleOf": exactly(Decimal::from_units(1, TOKEN_DECIMALS)),
        },
        text(&[&above_one, &positive_fraction(TOKEN_DECIMALS)]),
    ]
}

/// A slippage in percent: what 32 bits of parts per million hold.
fn slippage() -> Vec<Tape> {
    let most = Decimal::from_units(1 << 32, 4);
    let whole = most.to_units_floor(0).unwrap() - 1;
    let digits = ["(?:0+|", &positive(&whole.digits()), ")", &fraction(28)].concat();
    let number = object! {
        "type": "number",
        "format": "decimal",
        "minimum": 0u32,
        "exclusiveMaximum": exactly(most),
    };
    vec![number, text(&[&digits])]
}

/// The text of a number, of one of these patterns.
fn text(patterns: &[&str]) -> Tape {
    let pattern = ["^(?:", &patterns.join("|"), ")$"].concat();
    object! { "type": "string", "maxLength": MAX_LENGTH, "pattern": pattern }
}

/// A pattern of the whole numbers from 1 to `most`.
fn positive(most: &str) -> String {
    let shorter = ["[1-9][0-9]{0,", &(most.len().max(2) - 2).digits(), "}"].concat();
    let mut patterns = vec![most.to_owned()];
    patterns.extend((most.len() > 1).then_some(shorter));
    // As long as the most, and less at one digit.
    for (at, digit) in most.bytes().enumerate() {
        let least = if at == 0 { b'1' } else { b'0' };
        if digit > least {
            let (before, after) = (&most[..at], (most.len() - at - 1).digits());
            let range = [char::from(least), '-', char::from(digit - 1)].iter().collect::<String>();
            patterns.push([before, "[", &range, "][0-9]{", &after, "}"].concat());
        }
    }
    ["0*(?:", &patterns.join("|"), ")"].concat()
}

/// A pattern of what may follow a whole number: so many digits after a point, and zeros.
fn fraction(places: u8) -> String {
    ["(?:\\.[0-9]{1,", &places.digits(), "}0*)?"].concat()
}

/// A pattern of the numbers above zero and below one with so many digits after the point.
fn positive_fraction(places: u8) -> String {
    let digits = (0..places)
        .map(|zeros| ["0{", &zeros.digits(), "}[1-9][0-9]{0,", &(places - zeros - 1).digits(), "}"].concat());
    ["0+\\.(?:", &digits.collect::<Vec<_>>().join("|"), ")0*"].concat()
}

fn exactly(number: Decimal) -> Tape {
    let mut tape = Writer::default();
    tape.number(&number.text());
    tape.finish()
}

/// A reply: its three objects.
fn reply(operation: Operation) -> Tape {
    let mut result = fields_of(Part::Result, operation);
    result.push(("transactionResult", object_of(fields_of(Part::Transaction, operation))));
    object_of(vec![
        ("result", object_of(result)),
        ("explorer", object_of(fields_of(Part::Explorer, operation))),
        ("launchpad", object_of(fields_of(Part::Launchpad, operation))),
    ])
}

fn fields_of(part: Part, operation: Operation) -> Vec<(&'static str, Tape)> {
    let rows = reply_rows(operation).filter(|row| row.part == part);
    let schema = |row: &ReplyRow| {
        let of: &[(&str, Tape)] = &match row.kind {
            ReplyKind::Text if row.name == "signature" => vec![("type", vec!["string", "null"].to_tape())],
            ReplyKind::Text | ReplyKind::OptionalText => vec![("type", "string".to_tape())],
            ReplyKind::Amount => vec![("type", "number".to_tape()), ("format", "decimal".to_tape())],
            ReplyKind::Flag => vec![("type", "boolean".to_tape())],
            ReplyKind::Any => Vec::new(),
        };
        Tape::object(&[&[("description", row.field.doc().trim().to_tape())], of].concat())
    };
    rows.map(|row| (row.name, schema(row))).collect()
}

/// An object that has all of these fields, except for the one that the interface describes and its sample lacks.
fn object_of(fields: Vec<(&str, Tape)>) -> Tape {
    let required = fields.iter().map(|(name, _)| *name).filter(|name| *name != "tokenAccount");
    let required = required.collect::<Vec<_>>();
    object! { "type": "object", "properties": Tape::object(&fields), "required": required }
}

/// What comes with a refusal: problem details (RFC 9457), with the bad fields.
fn problem() -> Tape {
    let text = || object! { "type": "string" };
    let field = object! {
        "type": "object",
        "properties": object! {
            "field": object! { "type": "string", "description": "Its path, as `buys[3].slippage`; empty for the whole body." },
            "code": object! { "enum": FieldCode::ALL.map(FieldCode::as_str).to_vec() },
            "message": text(),
        },
        "required": vec!["field", "code", "message"],
    };
    object! {
        "type": "object",
        "properties": object! {
            "type": text(),
            "title": text(),
            "status": object! { "type": "integer" },
            "code": text(),
            "detail": text(),
            "message": text(),
            "fields": object! { "type": "array", "items": field },
        },
        "required": vec!["title", "status", "detail"],
    }
}

fn example_in(document: &Value, operation: Operation) -> Value {
    let content = &document["paths"][operation.path()]["post"]["requestBody"]["content"]["application/json"];
    content["example"].clone()
}

/// What a new sandbox answers to a request.
fn status(operation: Operation, body: &Value) -> u16 {
    let mut sandbox = Sandbox::new(SandboxConfig::default()).unwrap();
    crate::sandbox::post(&mut sandbox, operation.path(), &body.to_string()).reply.status
}

#[test]
fn a_new_sandbox_takes_each_example_of_the_document() {
    let document: Value = serde_json::from_str(&json::write(&document())).unwrap();
    for operation in Operation::ALL {
        let body = example_in(&document, operation);
        assert_eq!(status(operation, &body), 200, "{body}");
    }
}

#[test]
fn each_least_number_of_the_document_is_the_least_that_is_accepted() {
    let document: Value = serde_json::from_str(&json::write(&document())).unwrap();
    let mut checked = 0;
    for operation in Operation::ALL {
        let name = operation.as_str();
        let name = [&name[..1].to_uppercase(), &name[1..]].concat();
        for part in ["Request", "Element"] {
            let schema = &document["components"]["schemas"][[&name, part].concat()];
            let Some(fields) = schema["properties"].as_object() else { continue };
            for (field, schema) in fields {
                let forms = schema["anyOf"].as_array().unwrap();
                let Some(form) = forms.iter().find(|form| form["minimum"].is_number()) else { continue };
                let least = &form["minimum"];
                let below = match least.as_f64().unwrap() {
                    0.0 => value!(-1),
                    one if form["type"] == "integer" => value!(one as u64 - 1),
                    some => value!(some / 10.0),
                };
                let is_accepted = |value: &Value| {
                    let mut body = example_in(&document, operation);
                    match part {
                        "Request" => body[field] = value.clone(),
                        _ if operation.is_buy() => body["buys"][0][field] = value.clone(),
                        _ => body["sells"][0][field] = value.clone(),
                    }
                    status(operation, &body) == 200
                };
                assert!(is_accepted(least), "{name}.{field}: {least}");
                assert!(!is_accepted(&below), "{name}.{field}: {below}");
                checked += 1;
            }
        }
    }
    assert!(checked > 20, "{checked}");
}
