//! Whether the body of a refusal nevertheless tells of a trade. Then the status and the body contradict each other, and the trade may
//! have been made.

use super::chain_error::is_open;
use super::part::places;
use crate::api::decode::ReplyNames;
use crate::api::response::{Part, REPLY};
use crate::page::title_of;
use crate::tape::{Data, Item, json};

/// The names under which services tell of a transaction, wherever they stand, in small letters, and without the `_` that some have.
const TELLING: [&str; 9] = [
    "signature",
    "transactionresult",
    "signatures",
    "txid",
    "tx",
    "txhash",
    "transactionid",
    "transactionsignature",
    "bundleid",
];

fn is_telling(name: &str) -> bool {
    let mut name = name.as_bytes().to_ascii_lowercase();
    name.retain(|letter| *letter != b'_');
    TELLING.iter().any(|own| own.as_bytes() == name)
}

/// Whether a body has a signature or a transaction result, or a `result` with any of a reply's fields, at any depth; or says that nobody knows
/// how it ended, or that the request succeeded. A body that is not JSON, or only the start of it, tells of a trade if it has such a name in
/// quotation marks.
pub(super) fn tells_of_a_trade(body: &[u8], names: &ReplyNames) -> bool {
    let Ok(value) = json::parse(body) else {
        let text = body.to_ascii_lowercase();
        // The script of a page has timeouts of its own.
        return TELLING.iter().chain(&[RESULT]).any(|name| is_named(&text, name))
            || signatures(body).next().is_some()
            || (is_open(&text) && title_of(body).is_none());
    };
    let root = value.root();
    tells(root, names) || root.get("success").is_some_and(|said| matches!(said.data(), Data::Bool(true)))
}

/// Whether a body can be read at all, and so tells of no trade by its silence: not one that is still compressed, or in UTF-16. A page may be
/// in an old encoding.
pub(super) fn is_text(body: &[u8]) -> bool {
    !body.contains(&0) && (std::str::from_utf8(body).is_ok() || title_of(body).is_some())
}

/// The signatures in a text: as many digits of base58 as 64 bytes have.
fn signatures(text: &[u8]) -> impl Iterator<Item = &[u8]> {
    let is_digit = |byte: &u8| byte.is_ascii_alphanumeric() && !b"0OIl".contains(byte);
    text.split(move |byte| !is_digit(byte)).filter(|digits| matches!(digits.len(), 86..=88))
}

/// The name of the object that a trade's fields are in.
const RESULT: &str = "result";

fn tells(value: Item, names: &ReplyNames) -> bool {
    match value.data() {
        // JSON within a text.
        Data::String(text) => tells_of_a_trade(text.as_bytes(), names),
        Data::Array(mut items) => items.any(|item| tells(item, names)),
        Data::Object(mut fields) => fields.any(|(name, item)| {
            (is_telling(name) && says_something(item))
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

    const SIGNATURE: &str =
        "5KtPn1LGuxhFiwjxErkxTb7XoEqjFvCzAxH2xuk9YbB35KtPn1LGuxhFiwjxErkxTb7XoEqjFvCzAxH2xuk9YbB";

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
            r#"{"success":true}"#,
            r#"{"error":"late","txid":"5Kt"}"#,
            r#"{"error":"late","tx":"5Kt"}"#,
            r#"{"error":"late","txHash":"5Kt"}"#,
            r#"{"error":"late","tx_hash":"5Kt"}"#,
            r#"{"error":"late","bundleId":"c2f1"}"#,
            r#"{"error":"late","signatures":["5Kt"]}"#,
            r#"{"error":"late","transactionSignature":"5Kt"}"#,
            r#"{"error":"late","Signature":"5Kt"}"#,
            r#"{"error":"late","TXID":"5K"#,
            &format!(r#"{{"error":"late","seen":"https://explorer/tx/{SIGNATURE}?x"}}"#),
            &format!(r#"{{"error":"late:\n{SIGNATURE}"}}"#),
            &format!("late: {SIGNATURE}."),
            &format!("<html><title>Error</title><pre>Error: late: {SIGNATURE}</pre>"),
            &format!(r#"{}{{"signature":"5Kt"}}{}"#, "[".repeat(60), "]".repeat(60)),
        ] {
            assert!(tells_of_a_trade(body.as_bytes(), &ReplyNames::default()), "{body}");
        }
        let names = ReplyNames { explorer: "scan".into(), ..ReplyNames::default() };
        assert!(tells_of_a_trade(br#"{"scan":{"tx":"https://x"}}"#, &names));
    }

    /// The sentences with which services say that they do not know.
    #[test]
    fn a_refusal_that_says_that_the_outcome_is_open_tells_of_a_trade() {
        for open in [
            "Transaction was not confirmed in 30.00 seconds. It is unknown if it succeeded or failed.",
            "TransactionExpiredTimeoutError",
            "Signature 5Kt has expired: block height exceeded.",
            "This transaction has already been processed",
            "429 Too Many Requests: confirming transaction 5Kt timed out",
            "Attempt 1: custom program error: 0x1. Attempt 2 timed out",
            "unable to confirm transaction. This can happen in situations such as transaction expiration",
            "Failed to confirm transaction",
            "The network has progressed past the last block for which this transaction could have been committed.",
            "Solana error #1; Decode this error by running",
            "context deadline exceeded",
            "deadline has elapsed",
            "connect ETIMEDOUT",
        ] {
            for body in [
                open.to_owned(),
                format!(r#"{{"error":"{open}"}}"#),
                format!(r#"{{"error":{{"name":"E","message":"{open}"}}}}"#),
                format!(r#"{{"detail":"upstream said {{\"error\":\"{open}\"}}"}}"#),
                format!(r#"{{"error":"{open}"#),
            ] {
                assert!(tells_of_a_trade(body.as_bytes(), &ReplyNames::default()), "{body}");
            }
        }
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
            r#"{"success":false,"checks":{"wallet":{"success":true}}}"#,
            r#"{"result":{"error":"no such mint"}}"#,
            r#"{"detail":"{\"result\":null,\"error\":\"busy\"}"}"#,
            r#"{"fields":[{"field":"mint","code":"missing","message":"mint is missing"}]}"#,
            &deep,
            r#"{"error":"custom program error: 0x1"}"#,
            r#"{"error":"insufficient funds for fee","code":"0x1"}"#,
            r#"{"error":"too many requests","timeout":30}"#,
            "Solana error #1000; no such account",
            // A script in a page says nothing of a trade.
            "<!DOCTYPE html><title>Attention</title><script>setTimeout(check, 5000)</script>",
            r#"{"error":"no such wallet: SunRabbit11111111111111111111111111111111111"}"#,
        ] {
            assert!(!tells_of_a_trade(body.as_bytes(), &ReplyNames::default()), "{body}");
        }
    }
}
