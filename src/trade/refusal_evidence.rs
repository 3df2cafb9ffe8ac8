//! Whether the body of a refusal tells of a trade all the same. Then the status and the body contradict each other, and the trade may
//! have been made.

use crate::api::decode::ReplyNames;
use crate::api::response::{Part, REPLY};
use crate::tape::{Data, Item, json};

/// How deep a body is searched.
const MAX_DEPTH: u8 = 6;

/// The names under which services tell of a transaction, wherever they stand.
const TELLING: [&str; 2] = ["signature", "transactionResult"];

/// Whether a body has a signature or a transaction result, or a `result` with any of a reply's fields. A body that is not JSON, or only
/// the start of it, tells of one if it has such a name in quotation marks.
pub(super) fn tells_of_a_trade(body: &[u8], names: &ReplyNames) -> bool {
    match json::parse(body) {
        Ok(body) => tells(body.root(), names, MAX_DEPTH),
        Err(_) => names_a_transaction(body),
    }
}

fn tells(value: Item, names: &ReplyNames, depth: u8) -> bool {
    match value.data() {
        // JSON within a text.
        Data::String(text) => names_a_transaction(text.as_bytes()),
        _ if depth == 0 => false,
        Data::Array(mut items) => items.any(|item| tells(item, names, depth - 1)),
        Data::Object(mut fields) => fields.any(|(name, item)| {
            (TELLING.contains(&name) && says_something(item))
                || (name == "result" && has_a_field_of_a_reply(item))
                || ((name == names.explorer || name == names.launchpad) && item.is_object())
                || tells(item, names, depth - 1)
        }),
        _ => false,
    }
}

/// Whether a `result` has any of the fields that only a trade has.
fn has_a_field_of_a_reply(result: Item) -> bool {
    let mut rows = REPLY.iter().filter(|row| row.part == Part::Result);
    rows.any(|row| result.get(row.name).is_some_and(says_something))
}

fn says_something(item: Item) -> bool {
    match item.data() {
        Data::Null => false,
        Data::String(text) => !text.trim().is_empty(),
        Data::Array(items) => !items.is_empty(),
        Data::Object(mut fields) => fields.any(|(_, item)| says_something(item)),
        _ => true,
    }
}

/// Whether one of the telling names stands in a text as a name of JSON, escaped or not.
fn names_a_transaction(text: &[u8]) -> bool {
    TELLING.iter().any(|name| {
        let is_quoted = |at: usize| {
            let before = at.checked_sub(1).and_then(|at| text.get(at));
            let after = text.get(at + name.len());
            before == Some(&b'"') && matches!(after, Some(b'"' | b'\\'))
        };
        text.windows(name.len()).enumerate().any(|(at, part)| part == name.as_bytes() && is_quoted(at))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_body_that_has_parts_of_a_trade_tells_of_one() {
        for body in [
            r#"{"signature":"5Kt"}"#,
            r#"{"error":"late","data":{"signature":"5Kt"}}"#,
            r#"[{"transactionResult":{"success":true}}]"#,
            r#"{"result":{"transactionResult":{"success":false}}}"#,
            r#"{"result":{"mint":"M"}}"#,
            r#"{"result":{"buyAmount":0}}"#,
            r#"{"explorer":{"tx":"https://x"}}"#,
            r#"{"detail":"upstream said {\"signature\":\"5Kt\"}"}"#,
            r#""{\"transactionResult\":{}}""#,
            r#"{"result":{"signature":"5K"#,
            r#"service says: {"transactionResult": {"success": true"#,
        ] {
            assert!(tells_of_a_trade(body.as_bytes(), &ReplyNames::default()), "{body}");
        }
        let names = ReplyNames { explorer: "scan".into(), ..ReplyNames::default() };
        assert!(tells_of_a_trade(br#"{"scan":{"tx":"https://x"}}"#, &names));
    }

    #[test]
    fn a_body_that_only_refuses_tells_of_none() {
        let deep = format!("{}1{}", "[".repeat(50), "]".repeat(50));
        for body in [
            "",
            "{}",
            "no funds",
            "<html>404</html>",
            r#"{"message":"the signature is missing"}"#,
            r#"{"error":{"field":"signature","code":"missing"}}"#,
            r#"{"signature":null,"transactionResult":{},"result":null}"#,
            r#"{"signature":" ","transactionResult":{"success":null}}"#,
            r#"{"result":"error","ok":false}"#,
            r#"{"result":{"error":"no such mint"}}"#,
            r#"{"fields":[{"field":"mint","code":"missing","message":"mint is missing"}]}"#,
            &deep,
        ] {
            assert!(!tells_of_a_trade(body.as_bytes(), &ReplyNames::default()), "{body}");
        }
    }
}
