//! Requests, trades and errors through serde: what goes in comes out, exactly, and no secret with it.

use std::fmt::Debug;

use crate::generated::assert_generated;
use crate::seeded;

use launchpad_desk::api::decode::{ReplyNames, decode};
use launchpad_desk::api::endpoint::Reply;
use launchpad_desk::api::validate::{Rules, validate};
use launchpad_desk::bindings::object;
use launchpad_desk::error::{FieldCode, FieldError, Warning, WarningCode};
use launchpad_desk::intent::{IntentOutcome, Settlement};
use launchpad_desk::prelude::*;
use launchpad_desk::text::Text;
use launchpad_desk::trade::guard::{self, Guards};
use launchpad_desk::trade::journal::TradeIntent;
use launchpad_desk::trade::plan::{Destination, PlanPrice, Planned};
use launchpad_desk::trade::reconcile::WalletBalances;
use launchpad_desk::trade::{Dialect, classify};
use launchpad_desk_client::{TradeError, Traded};
use launchpad_desk_sandbox::{Sandbox, SandboxConfig};
use proptest::prelude::*;
use serde::{Serialize, de::DeserializeOwned};
use serde_json::{json, to_value};

/// Its written form; read back, it is the same.
fn written<T: Serialize + DeserializeOwned + PartialEq + Debug>(value: &T) -> serde_json::Value {
    let text = serde_json::to_string(value).unwrap();
    assert_eq!(serde_json::from_str::<T>(&text).unwrap(), *value, "{text}");
    serde_json::from_str(&text).unwrap()
}

#[test]
fn requests_have_the_services_names_and_exact_amounts() {
    let buy = BuyRequest::new("M", "W", u64::MAX).slippage("0.5%".parse().unwrap()).priority(1, 2);
    let expected = json!({
        "mint": "M", "fromWallet": "W", "amountInLamports": u64::MAX, "feePayer": null,
        "slippage": { "percent": "0.5" }, "priorityUnitLimit": 1, "priorityUnitPrice": 2,
    });
    assert_eq!(written(&buy), expected);
    let amount = |amount: TokenInput| written(&SellRequest::new("M", "W", amount))["amountInToken"].clone();
    assert_eq!(amount("16.99".parse().unwrap()), json!({ "tokens": 16.99 }));
    assert_eq!(amount(TokenInput::BaseUnits(u64::MAX)), json!({ "baseUnits": u64::MAX }));
    let bare = |form, text: &str| TokenInput::Bare(TokenAmount { tokens: text.parse().unwrap(), form });
    use launchpad_desk::amount::Form;
    assert_eq!(amount(bare(Form::String, "1.000000000000000001")), json!("1.000000000000000001"));
    assert_eq!(amount(bare(Form::Number, "12")), json!(12));
    // A number that no double holds is written as text, which is exact too.
    let long = to_value(bare(Form::Number, "1.000000000000000001")).unwrap();
    assert_eq!(long, json!("1.000000000000000001"));
    let bundle = BundleSellByPercentageRequest::new("M", "P").sell("W", "12.5%".parse().unwrap());
    assert_eq!(written(&bundle)["sells"][0]["percentage"], json!("12.5"));
    for bare in [json!(5), json!("5"), json!(5.0)] {
        assert_eq!(serde_json::from_value::<Slippage>(bare).unwrap(), Slippage::Bare("5".parse().unwrap()));
    }
}

#[test]
fn a_plan_is_the_same_json_with_serde_and_without() {
    let sandbox = Sandbox::new(SandboxConfig::default()).unwrap();
    let request = object! {
        "mint": sandbox.tokens()[0].mint, "fromWallet": sandbox.wallets()[0].wallet, "amountInLamports": u64::MAX,
    };
    let quote = sandbox.quote(Operation::Buy, request.root()).unwrap().view(6);
    let guards = Guards::new(guard::Settings { max_lamports_per_trade: Some(5), ..Default::default() });
    let to = Destination { base_url: "https://service.example".into(), is_simulated: false };
    let buy = validate(Operation::Buy, request.root(), &Rules::default()).unwrap();
    let trade = TradeIntent {
        before: Some(vec![WalletBalances {
            wallet: "W".into(),
            tokens: Some(u64::MAX),
            lamports: None,
            slot: None,
        }]),
        ..TradeIntent::from("signal-1")
    };
    let plan = Planned::new(buy, trade, &Rules::default()).priced(PlanPrice::of(&quote)).plan(
        &guards,
        &to,
        1_767_225_600_000,
        60_000,
    );
    assert_eq!(plan.refused.as_ref().unwrap().code, Code::OverTradeLimit);
    let json = written(&plan);
    assert_eq!(json, serde_json::from_str::<serde_json::Value>(&plan.to_json()).unwrap());
    // In a map that sorts its fields, too.
    assert!(serde_json::from_value::<Plan>(json.clone()).unwrap().open(&to, &Rules::default()).is_ok());
    assert_eq!(json["price"]["networkFeeLamports"], json!("5000"));
    assert_eq!(json["expiresAtMs"], json!(1_767_225_660_000u64));
}

#[test]
fn invalid_data_is_refused() {
    for bad in [
        json!(-1),
        json!("1e3"),
        json!(""),
        json!({ "percent": 1, "bps": 1 }),
        json!({ "ppm": 1 }),
        json!(null),
        json!([1]),
    ] {
        assert!(serde_json::from_value::<Slippage>(bad.clone()).is_err(), "{bad}");
    }
    let unknown = json!({ "mint": "M", "fromWallet": "W", "amountInLamports": 5, "slipage": 1 });
    let error = serde_json::from_value::<BuyRequest>(unknown).unwrap_err().to_string();
    assert!(error.contains("unknown field `slipage`"), "{error}");
    assert!(
        serde_json::from_value::<Code>(json!("sunk"))
            .unwrap_err()
            .to_string()
            .contains("sunk is unknown here")
    );
}

#[test]
fn what_calls_itself_a_number_is_one_or_refused() {
    use launchpad_desk::tape::Tape;
    let of = |digits| format!(r#"{{"$serde_json::private::Number":"{digits}"}}"#);
    assert_eq!(
        serde_json::from_str::<Tape>(&of("1.50")).unwrap(),
        serde_json::from_str::<Tape>("1.50").unwrap()
    );
    for digits in ["1,2", "", "1 ", "true", "[1]", "NaN", "0x1"] {
        assert!(serde_json::from_str::<Tape>(&of(digits)).is_err(), "{digits}");
    }
}

#[test]
fn an_error_keeps_its_outcome_and_not_its_evidence() {
    let mut error = Error::new(Code::UnreadableReply, "outcome unknown: no");
    error.fields.push(FieldError { field: "a".into(), code: FieldCode::Empty, message: "a is empty".into() });
    error.status = Some(200);
    let mut error = TradeError::from(error);
    error.intent_id = Some("i".into());
    let value = written(&error);
    let expected = json!({
        "name": "TradeOutcomeUnknownError", "message": "outcome unknown: no", "code": "unreadable_reply",
        "outcome": "unknown", "field": "a", "fields": [{ "field": "a", "code": "empty", "message": "a is empty" }],
        "status": 200, "intentId": "i",
    });
    assert_eq!(value, expected);
    error.error.evidence = Some(launchpad_desk::error::Evidence("the body".into()));
    assert_eq!(to_value(&error).unwrap(), value);
}

/// Replies, and what the package makes of each as JSON; then plain data that is no error, and why; one a line. The package's own tests
/// hold its side to the same file. `UPDATE=1 cargo test --locked --features client,reqwest,serde --test rust serde::` writes it.
#[test]
fn the_json_of_trades_and_errors_is_the_one_that_the_package_writes() {
    let single = r#"{"result":{"mint":"M","wallet":"W","buyAmount":18446744073709551617.5,"preTokenBalance":"0.10","postTokenBalance":1e3,"signature":"S","transactionResult":{"success":SUCCESS,"signature":"S","results":[1.10,{"deep":[null,"\u00e9",1e400]}]},"tokenAccount":"T"},"explorer":{"tx":"https://e.example/tx/S"},"launchpad":{"mint":null},"more":1}"#;
    let body = |success: &str| single.replace("SUCCESS", success);
    let mut replies = Vec::new();
    for (operation, status, body) in [
        (Operation::Buy, 200, body("true")),
        (Operation::Buy, 201, body("null")),
        (Operation::Buy, 200, body("false").replace("[1.10,", r#"["custom program error: 0x1772",1.10,"#)),
        (Operation::Sell, 200, r#"{"result":{"sellAmount":"5","tokenAccountClosed":true}}"#.to_owned()),
(
            Operation::BundleBuy,
            200,
            r#"{"result":{"mint":"M","signature":"S","transactionResult":{"success":false,"results":"custom program error: 0x1772"}},"explorer":{"tx":"https://e.example/tx/S"}}"#.to_owned(),
        ),
        (
            Operation::BundleSell,
            200,
            r#"{"result":{"mint":"M","transactionResult":{"success":true}}}"#.to_owned(),
        ),
        (Operation::Buy, 200, "{".to_owned()),
        (Operation::Buy, 307, String::new()),
        (Operation::Buy, 401, r#"{"message":"no \"key\" of yours"}"#.to_owned()),
        (Operation::Buy, 429, r#"{"error":"slow down"}"#.to_owned()),
        (Operation::Buy, 503, "<html>".to_owned()),
    ] {
        let reply = Reply { status, headers: Vec::new(), body: body.clone().into_bytes() };
        let plain = match classify(operation.into(), &reply, &Dialect::default(), 0) {
            Ok(trade) => written(&trade),
            Err(error) => {
                let again: Error = serde_json::from_value(to_value(&error).unwrap()).unwrap();
                let raw =
                    |trade: Option<Box<Trade>>| trade.map(|trade| Trade { raw: Text::default(), ..*trade });
                assert_eq!(raw(again.trade.clone()), raw(error.trade.clone()));
                assert_eq!(
                    Error { trade: None, ..again },
                    Error { trade: None, evidence: None, ..*error.clone() }
                );
                to_value(error).unwrap()
            }
        };
        replies.push(json!({ "operation": operation, "status": status, "body": body, "plain": plain }));
    }
    let failed = replies[2]["plain"].clone();
    let unknown = json!({ "name": "TradeOutcomeUnknownError", "message": "m", "code": "timeout", "outcome": "unknown" });
    let with = |mut plain: serde_json::Value, field: &str, value: serde_json::Value| {
        let fields = plain.as_object_mut().unwrap();
        if value.is_null() {
            fields.remove(field)
        } else {
            fields.insert(field.to_owned(), value)
        };
        plain
    };
    let refused: Vec<serde_json::Value> = [
        json!(null),
        json!("unknown"),
        json!([unknown]),
        json!({}),
        json!({ "name": "Error", "message": "outcome unknown: no complete answer", "stack": "Error" }),
        with(unknown.clone(), "outcome", json!("not_sent")),
        with(unknown.clone(), "outcome", json!("fine")),
        with(unknown.clone(), "outcome", json!(["unknown"])),
        with(unknown.clone(), "outcome", json!(null)),
        with(unknown.clone(), "code", json!("halted")),
        with(unknown.clone(), "code", json!("of_a_later_version")),
        with(unknown.clone(), "code", json!(null)),
        with(unknown.clone(), "name", json!("TradeNotSentError")),
        with(unknown.clone(), "name", json!(null)),
        with(unknown.clone(), "message", json!(null)),
        with(unknown.clone(), "message", json!(5)),
        with(unknown.clone(), "status", json!("503")),
        with(unknown.clone(), "status", json!(65_536)),
        with(unknown.clone(), "status", json!(-1)),
        with(unknown.clone(), "retryAfterMs", json!(0.5)),
        with(unknown.clone(), "serviceMessage", json!({})),
        with(unknown.clone(), "intentId", json!("two words")),
        with(unknown.clone(), "intentId", json!(7)),
        with(unknown.clone(), "fields", json!({})),
        with(unknown.clone(), "fields", json!([{ "field": "a", "code": "empty" }])),
        with(unknown.clone(), "fields", json!([null])),
        with(unknown.clone(), "warnings", json!([{ "field": "a", "code": "empty", "message": "m" }])),
        with(unknown.clone(), "trade", failed["trade"].clone()),
        with(failed.clone(), "trade", json!(null)),
        with(failed.clone(), "trade", json!({})),
        with(failed.clone(), "trade", replies[0]["plain"].clone()),
        with(failed.clone(), "trade", with(failed["trade"].clone(), "status", json!("landed"))),
        with(failed.clone(), "trade", with(failed["trade"].clone(), "operation", json!("give"))),
        with(failed.clone(), "trade", with(failed["trade"].clone(), "result", json!(null))),
        with(failed.clone(), "trade", with(failed["trade"].clone(), "exact", json!({ "results": "{" }))),
        with(failed.clone(), "trade", with(failed["trade"].clone(), "exact", json!({ "buyAmount": "many" }))),
    ]
    .into_iter()
    .map(|plain| {
        let problem = serde_json::from_value::<Error>(plain.clone()).unwrap_err().to_string();
        json!({ "plain": plain, "problem": problem })
    })
    .collect();
    let lines =
        |of: &[serde_json::Value]| of.iter().map(|one| one.to_string()).collect::<Vec<_>>().join(",\n");
    let text = format!("{{\"replies\":[\n{}\n],\"refused\":[\n{}\n]}}\n", lines(&replies), lines(&refused));
    assert_generated("tests/vectors/plain.json", &text);
}

#[test]
fn a_trade_of_a_client_keeps_what_the_client_knows_of_it() {
    let reply = br#"{"result":{"transactionResult":{"success":true}}}"#;
    let trade = decode(Operation::Buy, reply, &ReplyNames::default()).unwrap();
    let plain = with_fields(to_value(&trade).unwrap(), json!({ "intentId": "i", "simulated": true }));
    let traded: Traded = serde_json::from_value(plain.clone()).unwrap();
    assert_eq!((traded.intent_id.as_str(), traded.is_simulated, &traded.trade), ("i", true, &trade));
    assert_eq!(written(&traded), plain);
    for (more, problem) in [
        (json!({}), "its intentId is missing"),
        (json!({ "intentId": "" }), "its intentId is not valid"),
        (json!({ "intentId": "i", "simulated": 1 }), "its simulated is not true or false"),
        (json!({ "intentId": "i", "status": "failed" }), "its status is not that of its result"),
        (json!({ "intentId": "i", "operation": null }), "its operation is missing"),
        (
            json!({ "intentId": "i", "result": null }),
            "its result is not one of its operation, or a link or an amount in it cannot be read",
        ),
    ] {
        let plain = with_fields(to_value(&trade).unwrap(), more);
        assert_eq!(serde_json::from_value::<Traded>(plain).unwrap_err().to_string(), problem);
    }
    let twice = r#"{"operation":"buy","operation":"sell"}"#;
    let problem = serde_json::from_str::<Trade>(twice).unwrap_err().to_string();
    assert!(problem.starts_with("the field operation twice"), "{problem}");
}

fn with_fields(mut plain: serde_json::Value, more: serde_json::Value) -> serde_json::Value {
    plain.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    plain
}

fn texts() -> impl Strategy<Value = String> {
    "[ -~é\u{2028}😀\"\\\\]{0,20}"
}

/// Any error that a client may end a trade with.
fn errors() -> impl Strategy<Value = TradeError> {
    let field = (texts(), proptest::sample::select(&FieldCode::ALL[..]), texts());
    let fields = proptest::collection::vec(
        field.prop_map(|(field, code, message)| FieldError { field, code, message }),
        0..3,
    );
    let warning = (texts(), texts()).prop_map(|(field, message)| Warning {
        field,
        code: WarningCode::SlippageUnit,
        message,
    });
    let heard = (
        proptest::option::of(0u16..),
        proptest::option::of(texts()),
        proptest::option::of(0u64..=u32::MAX.into()),
    );
    let simulated = proptest::option::of(any::<bool>());
    let about = (proptest::option::of("[!-~]{1,128}"), proptest::collection::vec(warning, 0..2), simulated);
    let error = (proptest::sample::select(&Code::ALL[..]), texts(), fields, heard, texts());
    (error, about).prop_map(|((code, message, fields, (status, service_message, retry_after_ms), results), (intent_id, warnings, simulated))| {
        let mut error = Error { fields, status, service_message, retry_after_ms, ..Error::new(code, message) };
        if code.outcome() == Outcome::Failed {
            let reply = json!({ "result": { "mint": results, "transactionResult": { "success": false, "results": results } } });
            let mut trade = decode(Operation::Buy, reply.to_string().as_bytes(), &ReplyNames::default()).unwrap();
            trade.raw = Text::default();
            error.trade = Some(Box::new(trade));
        }
        let mut error = TradeError::from(error);
        (error.intent_id, error.warnings) = (intent_id, warnings);
        // A reply's own signature is not of a sandbox here.
        if simulated == Some(true) || error.trade.is_none() {
            error.is_simulated = simulated;
        }
        error
    })
}

/// Any JSON value of a small size.
fn values() -> impl Strategy<Value = serde_json::Value> {
    let words = ["unknown", "not_sent", "timeout", "halted", "TradeNotSentError", "landed", "buy", ""];
    let leaf = prop_oneof![
        Just(json!(null)),
        any::<bool>().prop_map(|is| json!(is)),
        any::<i64>().prop_map(|whole| json!(whole)),
        proptest::sample::select(words.to_vec()).prop_map(|word| json!(word)),
    ];
    let names = ["name", "outcome", "code", "message", "trade", "status", "result", "operation"];
    leaf.prop_recursive(3, 12, 4, move |inner| {
        prop_oneof![
            proptest::collection::vec(inner.clone(), 0..3).prop_map(serde_json::Value::from),
            proptest::collection::btree_map(proptest::sample::select(names.to_vec()), inner, 0..4)
                .prop_map(|fields| json!(fields)),
        ]
    })
}

proptest! {
    #![proptest_config(seeded::cases(256))]

    #[test]
    fn every_error_is_the_same_after_json(error in errors()) {
        let value = written(&error);
        prop_assert_eq!(value["outcome"].as_str(), Some(error.outcome.as_str()));
        prop_assert_eq!(serde_json::from_value::<Error>(value).unwrap(), *error.error);
    }

    #[test]
    fn whatever_happens_to_one_field_the_outcome_is_the_same_or_the_whole_is_refused(
        error in errors(), field in 0usize..12, value in values()
    ) {
        let mut plain = to_value(&error).unwrap();
        let fields = plain.as_object_mut().unwrap();
        let Some(name) = fields.keys().nth(field).cloned() else { return Ok(()) };
        if value.is_null() { fields.remove(&name) } else { fields.insert(name, value) };
        if let Ok(read) = serde_json::from_value::<TradeError>(plain) {
            prop_assert_eq!(read.outcome, error.outcome);
            prop_assert_eq!(read.code.outcome(), error.outcome);
        }
    }

    #[test]
    fn what_is_put_together_at_random_is_no_error(value in values()) {
        prop_assert!(serde_json::from_value::<TradeError>(value).is_err());
    }
}

#[test]
fn an_intent_is_as_a_journal_has_it() {
    let before =
        Some(vec![WalletBalances { wallet: "W".into(), tokens: Some(u64::MAX), lamports: None, slot: None }]);
    let intent = TradeIntent { body: "{}".into(), started_at_ms: 5, before, ..TradeIntent::from("i") };
    let value = json!({ "intentId": "i", "operation": "buy", "body": "{}", "startedAtMs": 5, "before": [{ "wallet": "W", "tokens": "18446744073709551615" }] });
    assert_eq!(written(&intent), value);
    assert_eq!(written(&TradeIntent { through_gateway: true, ..intent })["throughGateway"], json!(true));
    assert_eq!(
        written(&Settlement::from(IntentOutcome::DidNotLand)),
        json!({ "outcome": "did_not_land", "code": null, "status": null, "signature": null, "proven": false })
    );
}
