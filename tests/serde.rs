#![cfg(not(target_arch = "wasm32"))]
//! Requests, trades and errors through serde: what goes in comes out, exactly, and no secret with it.

use std::fmt::Debug;

use launchpad_desk::api::decode::{ReplyNames, decode};
use launchpad_desk::client::TradeError;
use launchpad_desk::error::{FieldCode, FieldError};
use launchpad_desk::prelude::*;
use launchpad_desk::trade::journal::{Ending, Settlement, TradeIntent};
use launchpad_desk::trade::reconcile::WalletBalances;
use serde::{Serialize, de::DeserializeOwned};
use serde_json::{json, to_value};

/// What it is written as; read back, it is the same.
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
fn what_is_none_is_refused() {
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
fn a_trade_keeps_every_figure() {
    let reply = br#"{"result":{"mint":"M","buyAmount":18446744073709551617.123456789,"transactionResult":{"success":true,"results":[1.10,{"a":18446744073709551617}]}},"explorer":{"tx":"T"}}"#;
    let trade = decode(Operation::Buy, reply, &ReplyNames::default()).unwrap();
    let value = written(&trade);
    assert_eq!(value["status"], json!("landed"));
    assert_eq!(value["result"]["amount"], json!("18446744073709551617.123456789"));
    assert_eq!(value["result"]["transaction"]["results"], json!(r#"[1.10,{"a":18446744073709551617}]"#));
}

#[test]
fn an_error_keeps_its_outcome_and_not_its_evidence() {
    let mut error = Error::new(Code::UnreadableReply, "outcome unknown: no");
    error.fields.push(FieldError { field: "a".into(), code: FieldCode::Empty, message: "a is empty".into() });
    error.status = Some(200);
    let mut error = TradeError::from(error);
    error.intent_id = Some("i".into());
    let value = written(&error);
    assert_eq!(
        (&value["error"]["outcome"], &value["error"]["code"]),
        (&json!("unknown"), &json!("unreadable_reply"))
    );
    error.error.evidence = Some(launchpad_desk::error::Evidence("the body".into()));
    assert_eq!(to_value(&error).unwrap(), value);
}

#[test]
fn an_intent_is_as_a_journal_has_it() {
    let before = Some(vec![WalletBalances { wallet: "W".into(), tokens: u64::MAX, lamports: None }]);
    let intent = TradeIntent {
        intent_id: "i".into(),
        operation: Operation::Buy,
        body: "{}".into(),
        started_at_ms: 5,
        before,
    };
    let value = json!({ "intentId": "i", "operation": "buy", "body": "{}", "startedAtMs": 5, "before": [{ "wallet": "W", "tokens": "18446744073709551615" }] });
    assert_eq!(written(&intent), value);
    assert_eq!(
        written(&Settlement::bare(Ending::DidNotLand)),
        json!({ "outcome": "did_not_land", "code": null, "status": null })
    );
}
