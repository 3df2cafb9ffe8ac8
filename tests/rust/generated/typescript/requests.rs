//! The types of requests, from the field table.

use launchpad_desk::api::endpoint::Operation;
use launchpad_desk::api::fields::{FieldRow, Kind, Place};

use super::{doc_of, tsdoc};

/// The types that fields of several requests have: doc, name and type.
const INPUTS: [(&[&str], &str, &str); 3] = [
    (
        &["A part of a whole, in the unit that its name says: a number, a bigint or text of digits."],
        "Portion",
        "{ percent: number | bigint | string } | { bps: number | bigint | string }",
    ),
    (
        &[
            "A slippage that names its unit, or a bare number in the unit of `slippageUnit`, by default percent.",
        ],
        "SlippageInput",
        "number | bigint | string | Portion",
    ),
    (
        &[
            "An amount of token. A number or text of digits is whole tokens. A bigint has to name its unit: `{ baseUnits }` for what",
            "the launchpad's maths answer in, `{ tokens }` for whole tokens that are exact to the base unit.",
        ],
        "TokenInput",
        "number | string | { tokens: number | bigint | string } | { baseUnits: number | bigint | string }",
    ),
];

pub fn section() -> String {
    let mut file = "\n// Requests\n".to_owned();
    for (doc, name, ts) in INPUTS {
        file.push('\n');
        doc_of(name, doc, &mut file);
        file.push_str(&format!("export type {name} = {ts};\n"));
    }
    for operation in Operation::ALL {
        let doc = format!(" {}: `POST {}`.", operation.meaning().trim_end_matches('.'), operation.path());
        interface(&doc, &request_type(operation), Place::Body, operation, &mut file);
    }
    for operation in Operation::ALL.into_iter().filter(|operation| operation.is_bundle()) {
        let doc = format!("One element of a `{}`.", request_type(operation));
        interface(&doc, &element_type(operation), Place::Element(0), operation, &mut file);
    }
    file.push('\n');
    doc_of("RequestOf", &["Any request, by its operation."], &mut file);
    file.push_str("export interface RequestOf {\n");
    for operation in Operation::ALL {
        file.push_str(&format!("  {}: {};\n", operation.as_str(), request_type(operation)));
    }
    file + "}\n"
}

fn capitalised(operation: Operation) -> String {
    let name = operation.as_str();
    format!("{}{}", name[..1].to_uppercase(), &name[1..])
}

fn request_type(operation: Operation) -> String {
    format!("{}Request", capitalised(operation))
}

fn element_type(operation: Operation) -> String {
    format!("{}Element", capitalised(operation))
}

fn interface(doc: &str, name: &str, place: Place, operation: Operation, file: &mut String) {
    file.push('\n');
    doc_of(name, &[doc], file);
    file.push_str(&format!("export interface {name} {{\n"));
    for row in place.rows(operation) {
        tsdoc(row.field.doc(), "  ", file);
        let is_required = row.required.contains(operation);
        let (mark, or_null) = if is_required { ("", "") } else { ("?", " | null") };
        file.push_str(&format!("  {}{mark}: {}{or_null};\n", row.name, ts(row, operation)));
    }
    file.push_str("}\n");
}

/// The TypeScript type of a field, where it is neither absent nor null.
fn ts(row: &FieldRow, operation: Operation) -> String {
    match row.kind {
        Kind::Elements => format!("{}[]", element_type(operation)),
        Kind::Identifier => "string".to_owned(),
        Kind::Tokens => "TokenInput".to_owned(),
        Kind::Slippage => "SlippageInput".to_owned(),
        Kind::Lamports | Kind::Percentage | Kind::Whole => "number | bigint | string".to_owned(),
    }
}

/// `docs/fields.md`: the fields of each operation, for a reader.
pub fn page() -> String {
    let mut page = "# Request fields\n\nWhat each operation takes. A field that is not required may be left out, or be null: then null is sent.\n\
        A field that is not here is refused: a dropped field would be a trade without its limit. A number may be a number, a bigint\n\
        or text of digits.\n\n\
        This page is generated from the table in `crates/api/src/fields.rs`: `UPDATE=1 cargo test --locked --test rust generated::` writes it.\n"
        .to_owned();
    for operation in Operation::ALL {
        page.push_str(&format!("\n## `{}`\n\n{}\n\n", operation.as_str(), operation.meaning()));
        page.push_str(&format!(
            "`POST {}`\n\n| field | required | unit | meaning |\n|---|---|---|---|\n",
            operation.path()
        ));
        for row in Place::Body.rows(operation) {
            line("", row, operation, &mut page);
            if row.kind == Kind::Elements {
                for inner in Place::Element(0).rows(operation) {
                    line(&format!("{}[].", row.name), inner, operation, &mut page);
                }
            }
        }
    }
    page
}

fn line(path: &str, row: &FieldRow, operation: Operation, page: &mut String) {
    let required = if row.required.contains(operation) { "yes" } else { "" };
    page.push_str(&format!(
        "| `{path}{}` | {required} | {} | {} |\n",
        row.name,
        row.unit,
        row.field.doc().concat().trim()
    ));
}
