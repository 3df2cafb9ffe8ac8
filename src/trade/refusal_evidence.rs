//! Whether the body of a refusal nevertheless tells of a trade. Then the status and the body contradict each other, and the trade may
//! have been made.

use super::part::places;
use crate::api::decode::ReplyNames;
use crate::api::response::{Part, REPLY};
use crate::tape::{Data, Item, json};

/// The names under which services tell of a transaction, wherever they stand.
const TELLING: [&str; 2] = ["signature", "transactionResult"];

/// Whether a body has a signature or a transaction result, or a `result` with any of a reply's fields, at any depth. A body that is not
/// JSON, or only the start of it, tells of a trade if it has such a name in quotation marks.
pub(super) fn tells_of_a_trade(body: &[u8], names: &ReplyNames) -> bool {
    match json::parse(body) {
        Ok(body) => tells(body.root(), names),
        Err(_) => [TELLING[0], TELLING[1], RESULT].iter().any(|name| is_named(body, name)),
    }
}

/// The name of the object that a trade's fields are in.
const RESULT: &str = "result";

fn tells(value: Item, names: &ReplyNames) -> bool {
    match value.data() {
        // JSON within a text.
        Data::String(text) => tells_of_a_trade(text.as_bytes(), names),
        Data::Array(mut items) => items.any(|item| tells(item, names)),
        Data::Object(mut fields) => fields.any(|(name, item)| {
            (TELLING.contains(&name) && says_something(item))
                || (name == RESULT && has_a_field_of_a_reply(item))
                || ((name == names.explorer || name == names.launchpad) && item.is_object())
                || tells(item, names)
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

/// Whether a name stands in a text as a name of JSON, escaped or not.
fn is_named(text: &[u8], name: &str) -> bool {
    let is_quoted = |at: usize| {
        let before = at.checked_sub(1).and_then(|at| text.get(at));
        let after = text.get(at + name.len());
        before == Some(&b'"') && matches!(after, Some(b'"' | b'\\'))
    };
    places(text, name).any(is_quoted)
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
            r#""{\"transactionResult\":{\"success\":true}}""#,
            r#"{"result":{"signature":"5K"#,
            r#"{"result":{"buyAmount":3419"#,
            r#"service says: {"transactionResult": {"success": true"#,
            r#"{"detail":"{\"data\":\"{\\\"result\\\":{\\\"wallet\\\":\\\"W\\\"}}\"}"}"#,
            r#"{"data":{"result":{"sellAmount":"5"}}}"#,
            r#"{"signature":5}"#,
            &format!(r#"{}{{"signature":"5Kt"}}{}"#, "[".repeat(60), "]".repeat(60)),
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
            r#"{"detail":"{\"result\":null,\"error\":\"busy\"}"}"#,
            r#"{"fields":[{"field":"mint","code":"missing","message":"mint is missing"}]}"#,
            &deep,
        ] {
            assert!(!tells_of_a_trade(body.as_bytes(), &ReplyNames::default()), "{body}");
        }
    }
}
