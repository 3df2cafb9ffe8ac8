//! What a reply means, and whether money may have moved: the table of outcomes.

use crate::amount::Digits;
use crate::api::decode::decode_whole;
use crate::api::endpoint::Reply;
use crate::api::response::{Status, Trade};
use crate::error::{Code, Error, Evidence, FieldCode, FieldError, Outcome};
use crate::intent::{INTENT_STATE, IntentState};
use crate::page::{first_of, page_in, readable, title_of};
use crate::tape::{Data, Item, json};
use crate::trade::chain_error::Said;
use crate::trade::contradiction::{Asked, contradiction, of_another_trade};
use crate::trade::guard::Guards;
use crate::trade::refusal_evidence::{is_text, tells_of_a_trade};
use crate::trade::{Dialect, retry_after_ms};

/// The longest service message that is kept, in characters.
const MAX_MESSAGE: usize = 300;

/// The most bad fields that are taken from a reply.
const MAX_FIELDS: usize = 1_000;

/// How much of an unreadable reply is kept, in characters.
const MAX_EVIDENCE: usize = 512;

/// What a reply means for the requested trade. `now_ms` is when it arrived, in milliseconds since 1970, for a `retry-after`
/// that is a date.
///
/// # Errors
///
/// Every outcome except landed and unconfirmed.
pub fn classify(asked: Asked, reply: &Reply, dialect: &Dialect, now_ms: u64) -> Result<Trade, Box<Error>> {
    let intent_state = reply.header(INTENT_STATE).and_then(IntentState::from_name);
    if !(200..300).contains(&reply.status) {
        let error = refused(reply, intent_state, &dialect.status_policy, now_ms);
        // A gateway that says that it forwarded nothing knows it.
        let is_proven = error.outcome != Outcome::Rejected || error.code == Code::RefusedByGateway;
        if !is_proven && !is_text(&reply.body) {
            let what = [
                "outcome unknown: the service refused it (",
                &reply.status.digits(),
                "), but its reply cannot be read",
            ];
            return Err(answered(Code::UnreadableReply, what.concat(), reply));
        }
        if is_proven || !tells_of_a_trade(&reply.body, &dialect.reply_names) {
            return Err(error);
        }
        return Err(refused_and_made(asked, reply, dialect));
    }
    if reply.status == 202 && intent_state == Some(IntentState::AwaitingApproval) {
        let message = "outcome unknown: it waits for a person's approval, and may be made later";
        let mut error = answered(Code::AwaitingApproval, message.to_owned(), reply);
        error.retry_after_ms = reply.header("retry-after").and_then(|text| retry_after_ms(text, now_ms));
        return Err(error);
    }
    let (trade, whole) = match decode_whole(asked.operation, &reply.body, &dialect.reply_names) {
        Ok(decoded) => decoded,
        Err(unreadable) => {
            let message = ["outcome unknown: ", &unreadable.message()].concat();
            return Err(answered(Code::UnreadableReply, message, reply));
        }
    };
    if let Some(what) = contradiction(asked, &trade, whole.root()) {
        let message = ["outcome unknown: the reply contradicts the request or itself: ", what].concat();
        let error = answered(Code::ContradictoryReply, message, reply);
        return Err(about(error, asked, &trade, whole.root()));
    }
    if trade.status == Status::Failed {
        // A gateway calls a trade ended only if it knows how, by the same rule and its own settings.
        let is_known = intent_state == Some(IntentState::Ended);
        return Err(failed(trade, whole.root(), reply, is_known || dialect.trusts_failure));
    }
    Ok(trade)
}

/// The result, unless its signature is that of another trade: then something on the way has given an old reply again, and it says nothing
/// of this trade. A gateway gives the recorded answer of an intent as often as it is asked.
pub(super) fn of_one_trade(
    guards: &Guards,
    intent_id: &str,
    is_gateway: bool,
    reply: &Reply,
    result: Result<Trade, Box<Error>>,
) -> Result<Trade, Box<Error>> {
    let signature = match &result {
        Ok(trade) => trade.signature(),
        Err(error) => error.trade.as_deref().and_then(Trade::signature).or(error.signature.as_deref()),
    };
    let Some(signature) = signature.filter(|signature| guards.knows_signature(signature)) else {
        return result;
    };
    let owner = guards.trade_of(signature);
    if is_gateway && owner.is_none_or(|owner| owner == intent_id) {
        return result;
    }
    let whose = owner.map(|owner| [" (", owner, ")"].concat()).unwrap_or_default();
    let what =
        "outcome unknown: the reply contradicts the request or itself: it has the signature of another trade";
    Err(answered(Code::ContradictoryReply, [what, &whose].concat(), reply))
}

/// What a reply without its body means, if its status and headers say all: that the outcome is unknown, or that a gateway forwarded
/// nothing. A refusal does not: its body may tell of a trade.
pub fn classify_head(head: &Reply, dialect: &Dialect, now_ms: u64) -> Option<Box<Error>> {
    if (200..300).contains(&head.status) {
        return None;
    }
    let error = refused(
        head,
        head.header(INTENT_STATE).and_then(IntentState::from_name),
        &dialect.status_policy,
        now_ms,
    );
    (error.outcome == Outcome::Unknown || error.code == Code::RefusedByGateway).then_some(error)
}

/// A transaction that the service says failed. That is proven by the chain's own error, or if its word `is_proof`.
fn failed(trade: Trade, whole: Item, reply: &Reply, is_proof: bool) -> Box<Error> {
    if !is_proof && !Said::of(whole).is_proof() {
        let message = "outcome unknown: the service says that it failed, but not that the chain refused it: it may still land";
        let mut error =
            answered_saying(Code::UnprovenFailure, message.to_owned(), reply, trade_message(&trade));
        error.signature = trade.signature().map(str::to_owned);
        return error;
    }
    let message = "the transaction failed: nothing moved but the network fee";
    let mut error = Box::new(Error::new(Code::TransactionFailed, message));
    error.status = Some(reply.status);
    error.add_service_message(trade_message(&trade).or_else(|| service_message(&reply.body)));
    error.trade = Some(Box::new(trade));
    error
}

/// A refusal whose body tells of a trade. Only a transaction that says itself that it failed has moved nothing.
fn refused_and_made(asked: Asked, reply: &Reply, dialect: &Dialect) -> Box<Error> {
    if let Ok((trade, whole)) = decode_whole(asked.operation, &reply.body, &dialect.reply_names)
        && trade.status == Status::Failed
        && contradiction(asked, &trade, whole.root()).is_none()
    {
        return failed(trade, whole.root(), reply, dialect.trusts_failure);
    }
    let status = reply.status.digits();
    let message = ["outcome unknown: the service refused it (", &status, "), but its reply tells of a trade"];
    let error = answered(Code::ContradictoryReply, message.concat(), reply);
    match decode_whole(asked.operation, &reply.body, &dialect.reply_names) {
        Ok((trade, whole)) => about(error, asked, &trade, whole.root()),
        // A signature in a sentence may be another trade's.
        Err(_) => error,
    }
}

/// The error of a reply that contradicts itself, with the signature in it, unless that may be another trade's.
fn about(mut error: Box<Error>, asked: Asked, trade: &Trade, whole: Item) -> Box<Error> {
    if of_another_trade(asked, trade, whole).is_none() {
        error.signature = trade.signature().map(str::to_owned);
    }
    error
}

/// What a status outside 2xx means.
fn refused(
    reply: &Reply,
    intent_state: Option<IntentState>,
    policy: &[(u16, Outcome)],
    now_ms: u64,
) -> Box<Error> {
    let agreed = policy.iter().find(|(status, _)| *status == reply.status).map(|(_, outcome)| *outcome);
    let refused_by_gateway = (Code::RefusedByGateway, "rejected by the gateway");
    let (code, what) = match reply.status {
        _ if agreed == Some(Outcome::Rejected) => (Code::RejectedByService, "rejected by the service"),
        100..=499 if agreed == Some(Outcome::Unknown) => {
            (Code::UnexpectedStatus, "outcome unknown: an unexpected status")
        }
        // An intent ends with a 403 only where the gateway refused it.
        403 if intent_state == Some(IntentState::Ended) => refused_by_gateway,
        403 | 503 if intent_state == Some(IntentState::NotRecorded) => refused_by_gateway,
        401 | 403 => (Code::Unauthorized, "rejected: the service does not accept the key"),
        429 => (Code::RateLimited, "rejected: too many requests"),
        400 | 404 | 405 | 413 | 415 | 422 => (Code::RejectedByService, "rejected by the service"),
        // A browser shows a redirect that it was told not to follow as status 0.
        0 | 300..=399 => (Code::Redirected, "outcome unknown: the service answered with a redirect"),
        500..=599 => (Code::ServiceError, "outcome unknown: the service had an error"),
        _ => (Code::UnexpectedStatus, "outcome unknown: an unexpected status"),
    };
    // A page says nothing of the service, and so nothing of the key.
    let is_said = code == Code::RateLimited || code.outcome() != Outcome::Rejected;
    let what = if is_said || title_of(&reply.body).is_none() { what } else { "rejected" };
    let message = [what, " (", &reply.status.digits(), ")"].concat();
    let mut error = answered(code, message, reply);
    if error.outcome == Outcome::Rejected {
        error.fields = named_fields(&reply.body);
    }
    error.retry_after_ms = reply.header("retry-after").and_then(|text| retry_after_ms(text, now_ms));
    error
}

/// An error of a gateway's caller: it is the gateway that does not accept the token.
pub(super) fn from_gateway(mut error: Box<Error>, reply: &Reply) -> Box<Error> {
    if error.code == Code::Unauthorized && title_of(&reply.body).is_none() {
        error.message = match error.status {
            Some(401) | None => "rejected: the gateway does not accept the token (401)".to_owned(),
            Some(status) => ["rejected by the gateway (", &status.digits(), ")"].concat(),
        };
    }
    error
}

fn answered(code: Code, message: String, reply: &Reply) -> Box<Error> {
    answered_saying(code, message, reply, None)
}

/// An error that came with an answer, which has this to say; otherwise what its body says.
fn answered_saying(code: Code, message: String, reply: &Reply, said: Option<String>) -> Box<Error> {
    let mut error = Box::new(Error::new(code, message));
    error.status = Some(reply.status);
    error.add_service_message(said.or_else(|| service_message(&reply.body)));
    if let Some(page) = page_in(&reply.body) {
        error.message.push_str(": ");
        error.message.push_str(&page);
    }
    if error.outcome == Outcome::Unknown {
        error.evidence = Some(Evidence(readable(&reply.body).chars().take(MAX_EVIDENCE).collect()));
    }
    error
}

/// The bad fields that an error body names as the sandbox and the gateway do: a list `fields` of `field`, `code`, `message`.
/// Codes that this version does not know are left out.
fn named_fields(body: &[u8]) -> Vec<FieldError> {
    let Ok(body) = json::parse(body) else { return Vec::new() };
    let Some(items) = body.root().get("fields").and_then(Item::items) else { return Vec::new() };
    let text = |item: Item<'_>, name| one_line(item.get(name)?.text()?);
    let field = |item: Item<'_>| {
        let code = FieldCode::from_name(&text(item, "code")?)?;
        Some(FieldError { field: text(item, "field")?, code, message: text(item, "message")? })
    };
    items.take(MAX_FIELDS).filter_map(field).collect()
}

/// The service's message in an error body of any shape: the first text under a name that error messages have, at any
/// usual depth, or else plain text. One line, at most 300 characters.
pub fn service_message(body: &[u8]) -> Option<String> {
    let text = match json::parse(body) {
        Ok(value) => said(value.root(), MAX_DEPTH)?.to_owned(),
        // Markup comes from a proxy's page, not from the service.
        Err(_) => {
            let text = std::str::from_utf8(body).ok()?;
            if matches!(first_of(body), Some(b'<' | b'{' | b'[')) {
                return None;
            }
            text.to_owned()
        }
    };
    one_line(&text)
}

/// The names that error messages have, the likeliest first.
const MESSAGE_NAMES: [&str; 9] =
    ["message", "error", "detail", "title", "errors", "description", "error_description", "reason", "msg"];

/// How deep a message is looked for.
const MAX_DEPTH: u8 = 6;

fn said(value: Item<'_>, depth: u8) -> Option<&str> {
    match value.data() {
        Data::String(text) => Some(text).filter(|text| !text.trim().is_empty()),
        _ if depth == 0 => None,
        Data::Array(mut items) => items.find_map(|item| said(item, depth - 1)),
        Data::Object(_) => {
            MESSAGE_NAMES.iter().filter_map(|name| value.get(name)).find_map(|inner| said(inner, depth - 1))
        }
        _ => None,
    }
}

fn one_line(text: &str) -> Option<String> {
    let (mut line, mut length, mut gap) = (String::new(), 0, false);
    for c in text.chars().take(4 * MAX_MESSAGE) {
        let is_space = c.is_whitespace() || c.is_control();
        let parts = usize::from(gap && length > 0);
        if !is_space && length + parts < MAX_MESSAGE {
            if parts == 1 {
                line.push(' ');
            }
            line.push(c);
            length += parts + 1;
        }
        gap = is_space;
    }
    (length > 0).then_some(line)
}

/// Why a transaction failed, in the reply's own words.
fn trade_message(trade: &Trade) -> Option<String> {
    let results = &trade.result.transaction.results;
    match results.root().data() {
        Data::Null => None,
        Data::String(text) => one_line(text),
        _ => match said(results.root(), MAX_DEPTH) {
            Some(text) => one_line(text),
            None => one_line(&json::write(results)),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::api::endpoint::Operation;
    use crate::api::validate::{Rules, validate};
    use crate::intent::{IntentOutcome, Settlement};
    use crate::trade::guard::Settings;

    fn reply(status: u16, body: &str) -> Reply {
        Reply { status, headers: vec![("retry-after".into(), "7".into())], body: body.into() }
    }

    fn classified(reply: Reply) -> Result<Trade, Box<Error>> {
        classify(Operation::Buy.into(), &reply, &Dialect::default(), 0)
    }

    #[test]
    fn each_status_has_its_outcome() {
        let rejected = [400, 401, 403, 404, 405, 413, 415, 422, 429];
        let unknown = [
            0, 300, 301, 302, 303, 304, 307, 308, 402, 406, 408, 409, 410, 411, 418, 423, 424, 425, 426, 428,
            451, 500, 501, 502, 503, 505, 507, 508, 520, 524, 598, 599, 600,
        ];
        for status in rejected {
            assert_eq!(classified(reply(status, "")).unwrap_err().outcome, Outcome::Rejected, "{status}");
        }
        for status in unknown {
            assert_eq!(classified(reply(status, "")).unwrap_err().outcome, Outcome::Unknown, "{status}");
        }
        let limited = classified(reply(429, r#"{"error":{"message":"slow\n down"}}"#)).unwrap_err();
        assert_eq!(limited.retry_after_ms, Some(7_000));
        assert_eq!(limited.service_message.as_deref(), Some("slow down"));
    }

    #[test]
    fn a_refusal_that_tells_of_a_trade_is_not_a_refusal() {
        let body = |success: &str| {
            format!(
                r#"{{"error":"too late","result":{{"signature":"S","transactionResult":{{"success":{success}}}}}}}"#
            )
        };
        for status in [400, 401, 403, 404, 405, 413, 415, 422, 429] {
            for made in ["true", "null"] {
                let error = classified(reply(status, &body(made))).unwrap_err();
                assert_eq!(
                    (error.outcome, error.code),
                    (Outcome::Unknown, Code::ContradictoryReply),
                    "{status}"
                );
                assert_eq!((error.status, error.trade.is_some()), (Some(status), false));
                assert_eq!(error.evidence.unwrap().0, body(made));
            }
            let error = classified(reply(status, &body("false"))).unwrap_err();
            assert_eq!((error.outcome, error.code), (Outcome::Unknown, Code::UnprovenFailure), "{status}");
            assert_eq!((error.signature.as_deref(), error.trade), (Some("S"), None));
            let proven = body(r#"false,"results":"custom program error: 0x1""#);
            let error = classified(reply(status, &proven)).unwrap_err();
            assert_eq!((error.outcome, error.code), (Outcome::Failed, Code::TransactionFailed), "{status}");
            assert_eq!(error.trade.unwrap().result.signature.as_deref(), Some("S"));
        }
        let error = classified(reply(404, r#"{"signature":"S"}"#)).unwrap_err();
        assert_eq!(
            error.message,
            "outcome unknown: the service refused it (404), but its reply tells of a trade"
        );
        // It says itself that nobody knows, and names what to look for.
        let signature =
            "5KtPn1LGuxhFiwjxErkxTb7XoEqjFvCzAxH2xuk9YbB35KtPn1LGuxhFiwjxErkxTb7XoEqjFvCzAxH2xuk9YbB";
        let open = [
            r#"{"error":"Transaction was not confirmed in 30.00 seconds. It is unknown if it succeeded or failed. Check signature "#,
            signature,
            r#" using the Solana Explorer or CLI tools."}"#,
        ];
        for status in [400, 401, 403, 404, 422, 429] {
            let error = classified(reply(status, &open.concat())).unwrap_err();
            assert_eq!((error.outcome, error.code), (Outcome::Unknown, Code::ContradictoryReply), "{status}");
            assert_eq!(error.signature, None, "it may be another trade's");
        }
        // A failure of another trade proves nothing of this one.
        let other = r#"{"result":{"sellAmount":5,"transactionResult":{"success":false,"results":"custom program error: 0x1"}}}"#;
        assert_eq!(classified(reply(400, other)).unwrap_err().code, Code::ContradictoryReply);
        // Whatever was agreed about a status was agreed about refusals.
        let dialect = Dialect { status_policy: vec![(503, Outcome::Rejected)], ..Dialect::default() };
        let error = classify(Operation::Buy.into(), &reply(503, &body("true")), &dialect, 0).unwrap_err();
        assert_eq!(error.code, Code::ContradictoryReply);
        // A status that leaves the outcome open says more than the body.
        assert_eq!(classified(reply(500, &body("false"))).unwrap_err().code, Code::ServiceError);
    }

    #[test]
    fn a_refusal_that_nobody_can_read_rules_no_trade_out() {
        let of = |body: &[u8]| {
            let error = classified(Reply { body: body.to_vec(), ..reply(400, "") }).unwrap_err();
            (error.outcome, error.code)
        };
        let utf_16: Vec<u8> = r#"{"signature":"S"}"#.encode_utf16().flat_map(u16::to_le_bytes).collect();
        for body in [
            utf_16.as_slice(),
            // What is left compressed: gzip, zstd, and brotli, which has no mark of its own.
            b"\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\x03\xabV*N\x2d",
            b"\x28\xb5\x2f\xfd\x20\x11\x89\x00\x00{\"signature\":5}",
            b"\x8b\x08\x80{\"signature\":5}\x03",
            // Cut within a character.
            b"{\"error\":\"r\xc3",
        ] {
            assert_eq!(of(body), (Outcome::Unknown, Code::UnreadableReply), "{body:?}");
        }
        for body in
            [&b"no funds"[..], b"{\"error\":\"refus\xc3\xa9\"}", b"\xef\xbb\xbf{}", b"<html>refus\xe9</html>"]
        {
            assert_eq!(of(body), (Outcome::Rejected, Code::RejectedByService), "{body:?}");
        }
    }

    #[test]
    fn a_policy_says_what_a_status_means_here() {
        let dialect = Dialect {
            status_policy: [409, 422]
                .map(|status| (status, Outcome::Rejected))
                .into_iter()
                .chain([400, 401, 404, 429].map(|status| (status, Outcome::Unknown)))
                .collect(),
            ..Dialect::default()
        };
        let classified = |status| {
            let error = classify(Operation::Buy.into(), &reply(status, ""), &dialect, 0).unwrap_err();
            (error.outcome, error.code)
        };
        for status in [409, 422] {
            assert_eq!(classified(status), (Outcome::Rejected, Code::RejectedByService), "{status}");
        }
        for status in [400, 401, 404, 429] {
            assert_eq!(classified(status), (Outcome::Unknown, Code::UnexpectedStatus), "{status}");
        }
        assert_eq!(classified(405).0, Outcome::Rejected);
    }

    #[test]
    fn a_success_that_cannot_be_read_is_unknown_with_bounded_evidence() {
        let deep = "[".repeat(10_000);
        let long = format!("{{\"result\":\"{}", "x".repeat(1_000_000));
        for body in ["", "{\"result\":{", "ok", "[]", "{}", &deep, &long, "{\"result\":{\"mint\":1}}"] {
            let error = classified(reply(200, body)).unwrap_err();
            assert_eq!((error.outcome, error.code), (Outcome::Unknown, Code::UnreadableReply));
            assert!(error.evidence.unwrap().0.chars().count() <= MAX_EVIDENCE);
        }
    }

    #[test]
    fn success_is_landed_silence_is_unconfirmed_and_failure_is_an_error() {
        let body = |success: &str| format!(r#"{{"result":{{"transactionResult":{{"success":{success}}}}}}}"#);
        assert_eq!(classified(reply(201, &body("true"))).unwrap().status, Status::Landed);
        assert_eq!(classified(reply(200, &body("null"))).unwrap().status, Status::Unconfirmed);
        let why = r#"{"InstructionError":[3,{"Custom":6003}]}"#;
        let failed = classified(reply(200, &body(&["false,\"results\":", why].concat()))).unwrap_err();
        assert_eq!((failed.outcome, failed.code), (Outcome::Failed, Code::TransactionFailed));
        assert_eq!(failed.service_message.as_deref(), Some(why));
        assert_eq!(failed.trade.unwrap().status, Status::Failed);
    }

    #[test]
    fn a_failure_without_the_chains_error_is_unknown_with_the_services_words() {
        let said = "Transaction was not confirmed in 30.00 seconds. It is unknown if it succeeded or failed.";
        let body = format!(
            r#"{{"result":{{"transactionResult":{{"success":false,"signature":"S","results":"{said}"}}}}}}"#
        );
        let error = classified(reply(200, &body)).unwrap_err();
        assert_eq!((error.outcome, error.code), (Outcome::Unknown, Code::UnprovenFailure));
        assert_eq!((error.signature.as_deref(), error.status), (Some("S"), Some(200)));
        assert_eq!(error.evidence.unwrap().0, body);
        let what = "outcome unknown: the service says that it failed, but not that the chain refused it: it may still land: ";
        assert_eq!(error.message, [what, said].concat());
        // Where the service means it, its word is proof; so is the word of a gateway that knows how the trade ended.
        let dialect = Dialect { trusts_failure: true, ..Dialect::default() };
        for status in [200, 400] {
            let error = classify(Operation::Buy.into(), &reply(status, &body), &dialect, 0).unwrap_err();
            assert_eq!((error.outcome, error.code), (Outcome::Failed, Code::TransactionFailed));
        }
        let ended = Reply { headers: vec![(INTENT_STATE.into(), "ended".into())], ..reply(200, &body) };
        assert_eq!(classified(ended).unwrap_err().outcome, Outcome::Failed);
        let open = Reply { headers: vec![(INTENT_STATE.into(), "in_doubt".into())], ..reply(200, &body) };
        assert_eq!(classified(open).unwrap_err().outcome, Outcome::Unknown);
    }

    #[test]
    fn the_signature_of_a_reply_that_contradicts_itself_is_kept_unless_it_may_be_anothers() {
        let of = |body: &str| {
            let error = classified(reply(200, body)).unwrap_err();
            assert_eq!(error.code, Code::ContradictoryReply, "{body}");
            error.signature
        };
        let own = r#"{"result":{"transactionResult":{"success":true,"signature":"S","results":{"err":{"InstructionError":[3,{"Custom":6002}]}}}}}"#;
        assert_eq!(of(own).as_deref(), Some("S"));
        let other = r#"{"result":{"sellAmount":5,"transactionResult":{"success":true,"signature":"S"}}}"#;
        assert_eq!(of(other), None);
        let refused = r#"{"result":{"transactionResult":{"success":true,"signature":"S"}}}"#;
        assert_eq!(classified(reply(400, refused)).unwrap_err().signature.as_deref(), Some("S"));
    }

    #[test]
    fn a_reply_that_contradicts_itself_is_unknown_whatever_it_says_of_success() {
        for success in ["true", "false", "null"] {
            let body = format!(
                r#"{{"result":{{"sellAmount":5,"transactionResult":{{"success":{success}}}}},"padding":"{}"}}"#,
                "x".repeat(1_000)
            );
            let error = classified(reply(200, &body)).unwrap_err();
            assert_eq!((error.outcome, error.code), (Outcome::Unknown, Code::ContradictoryReply));
            assert_eq!((error.status, error.trade), (Some(200), None));
            assert_eq!(error.evidence.unwrap().0, body[..MAX_EVIDENCE]);
            assert_eq!(
                error.message,
                "outcome unknown: the reply contradicts the request or itself: it answers a buy with a sellAmount"
            );
        }
    }

    #[test]
    fn a_signature_belongs_to_one_trade() {
        let request = json::parse(br#"{"mint":"M","fromWallet":"W","amountInLamports":1}"#).unwrap();
        let buy = validate(Operation::Buy, request.root(), &Rules::default()).unwrap();
        let mut guards = Guards::new(Settings::default());
        let landed = reply(200, r#"{"result":{"transactionResult":{"success":true,"signature":"S"}}}"#);
        let of = |guards: &Guards, id: &str, is_gateway, reply: &Reply| {
            let result = classify(Operation::Buy.into(), reply, &Dialect::default(), 0);
            of_one_trade(guards, id, is_gateway, reply, result)
        };
        let first = guards.admit(0, "a", &buy).unwrap();
        let result = of(&guards, "a", false, &landed);
        assert!(result.is_ok());
        guards.settle(first.ticket, Settlement::of(&result, Some(200)));
        // Whatever else the reply says, and also for the same id, which is sent again only once it is known not to have landed.
        let unproven = reply(200, r#"{"result":{"transactionResult":{"success":false,"signature":"S"}}}"#);
        for (id, is_gateway) in [("b", false), ("a", false), ("b", true)] {
            for reply in [&landed, &unproven] {
                let error = of(&guards, id, is_gateway, reply).unwrap_err();
                assert_eq!((error.outcome, error.code), (Outcome::Unknown, Code::ContradictoryReply));
                assert_eq!((error.signature.as_deref(), error.evidence.is_some()), (None, true));
                let what = "outcome unknown: the reply contradicts the request or itself: it has the signature of another trade (a)";
                assert_eq!(error.message, what);
            }
        }
        // A gateway repeats an intent's own answer.
        assert!(of(&guards, "a", true, &landed).is_ok());
        // The signature of a trade that stays unknown is its own, too.
        let second = guards.admit(0, "c", &buy).unwrap();
        let open = Settlement { signature: Some("T".into()), ..IntentOutcome::Unknown.into() };
        guards.settle(second.ticket, open);
        let other = reply(200, r#"{"result":{"signature":"T"}}"#);
        for is_gateway in [false, true] {
            let error = of(&guards, "d", is_gateway, &other).unwrap_err();
            assert_eq!(error.code, Code::ContradictoryReply);
            assert!(
                error.message.ends_with("it has the signature of another trade (c)"),
                "{}",
                error.message
            );
        }
        // A gateway is asked about it again.
        assert!(of(&guards, "c", true, &other).is_ok());
    }

    #[test]
    fn the_message_has_the_services_own_reason() {
        let said = |status, body: &str| classified(reply(status, body)).unwrap_err().message;
        assert_eq!(said(400, r#"{"message":"no\nfunds"}"#), "rejected by the service (400): no funds");
        assert_eq!(said(400, ""), "rejected by the service (400)");
        assert_eq!(said(503, "busy"), "outcome unknown: the service had an error (503): busy");
        assert_eq!(
            said(200, r#"{"error":"no funds"}"#),
            "outcome unknown: in the reply, result is missing: no funds"
        );
        let failed =
            r#"{"result":{"transactionResult":{"success":false,"results":"custom program error: 0x1772"}}}"#;
        assert_eq!(
            said(200, failed),
            "the transaction failed: nothing moved but the network fee: custom program error: 0x1772"
        );
        let elsewhere =
            r#"{"error":"custom program error: 0x1772","result":{"transactionResult":{"success":false}}}"#;
        assert_eq!(said(200, elsewhere), said(200, failed));
        // Of an object, its words.
        let words = r#"{"result":{"transactionResult":{"success":false,"results":{"err":{"InstructionError":[0,{"Custom":1}]},"message":"too few lamports"}}}}"#;
        assert_eq!(
            said(200, words),
            "the transaction failed: nothing moved but the network fee: too few lamports"
        );
        assert!(said(400, &"x".repeat(9_999)).len() < MAX_MESSAGE + 100);
    }

    #[test]
    fn a_page_that_came_in_place_of_the_answer_is_named_by_its_title() {
        let page = |title: &str| format!("<!DOCTYPE html>\n<html><head><title>{title}</title></head></html>");
        let cloudflare = page("Attention Required! | Cloudflare");
        let came = "a web page came in place of the answer";
        for (status, body, message) in [
            (403, cloudflare.as_str(), "rejected (403): CAME: \"Attention Required! | Cloudflare\""),
            (401, cloudflare.as_str(), "rejected (401): CAME: \"Attention Required! | Cloudflare\""),
            (400, cloudflare.as_str(), "rejected (400): CAME: \"Attention Required! | Cloudflare\""),
            (404, &page("404\n Not  Found\u{202e}\u{7}"), "rejected (404): CAME: \"404 Not Found\""),
            (429, &page(""), "rejected: too many requests (429): CAME"),
            (403, "\u{feff} <HTML><body>no</body>", "rejected (403): CAME"),
            (
                503,
                &page("Just a moment..."),
                "outcome unknown: the service had an error (503): CAME: \"Just a moment...\"",
            ),
            (302, "<html>", "outcome unknown: the service answered with a redirect (302): CAME"),
            (409, "<html>", "outcome unknown: an unexpected status (409): CAME"),
            (
                200,
                &page("Sign in"),
                "outcome unknown: the reply has an unexpected character, at byte 0: CAME: \"Sign in\"",
            ),
            // No page: the service itself, or something that is not HTML.
            (403, "", "rejected: the service does not accept the key (403)"),
            (403, "Forbidden", "rejected: the service does not accept the key (403): Forbidden"),
            (403, r#"{"message":"<html>"}"#, "rejected: the service does not accept the key (403): <html>"),
            (403, "<?xml version=\"1.0\"?><Error/>", "rejected: the service does not accept the key (403)"),
        ] {
            let error = classified(reply(status, body)).unwrap_err();
            let before = refused(&reply(status, ""), None, &[], 0);
            assert_eq!(error.message, message.replace("CAME", came), "{status} {body}");
            assert_eq!(error.status, Some(status));
            if status != 200 {
                assert_eq!(
                    (error.outcome, error.code),
                    (before.outcome, before.code),
                    "what it proves stays"
                );
            }
            assert_eq!(
                error.service_message.is_some(),
                message.contains("key (403): "),
                "a page says nothing of the service"
            );
            let heard = from_gateway(error, &reply(status, body));
            assert_eq!(heard.message.contains(came), message.contains("CAME"), "{}", heard.message);
        }
    }

    #[test]
    fn no_body_shows_in_debug_or_message() {
        let error = classified(reply(200, r#"{"result":{"mint":"secret-body"#)).unwrap_err();
        assert!(error.evidence.as_ref().unwrap().0.contains("secret-body"));
        assert!(!format!("{error:?} {error}").contains("secret"));
    }

    #[test]
    fn messages_are_found_in_every_shape() {
        let cases = [
            (r#"{"message":"a"}"#, Some("a")),
            (r#"{"error":"b","detail":"c"}"#, Some("b")),
            (r#"{"error":{"detail":"c"}}"#, Some("c")),
            (r#"{"type":"about:blank","title":"d","status":400}"#, Some("d")),
            (r#""e""#, Some("e")),
            ("plain  text\r\n", Some("plain text")),
            ("<html>gateway</html>", None),
            ("[1]", None),
            (r#"{"errors":[{"code":7},{"message":"first"},{"message":"second"}]}"#, Some("first")),
            (r#"[{"error":{"reason":"why"}}]"#, Some("why")),
            (r#"{"message":" ","detail":"c"}"#, Some("c")),
            (r#"{"mint":"M","amount":"5"}"#, None),
            ("", None),
            (r#"{"message":5}"#, None),
        ];
        for (body, message) in cases {
            assert_eq!(service_message(body.as_bytes()).as_deref(), message, "{body}");
        }
        assert_eq!(service_message("x".repeat(9_999).as_bytes()).unwrap().len(), MAX_MESSAGE);
    }
}
