//! The crate in real browsers, as a Rust program uses it: trades by the page's own fetch and in the sandbox, and what crosses to JS by
//! serde-wasm-bindgen. The server that wasm-bindgen-test has for its page answers a trade with a file of this folder.

#![cfg(target_arch = "wasm32")]

use std::fmt::Debug;

use js_sys::{BigInt, JSON, Map, Object, Reflect, global};
use launchpad_desk::amount::{Percentage, TokenInput};
use launchpad_desk::api::response::Status;
use launchpad_desk::prelude::*;
use launchpad_desk_client::{Client, GlooTransport, SandboxTransport, TradeError, Traded};
use launchpad_desk_sandbox::{Sandbox, SandboxConfig};
use serde::{Serialize, de::DeserializeOwned};
use serde_wasm_bindgen::{Serializer, from_value, to_value};
use wasm_bindgen::prelude::*;
use wasm_bindgen_test::{wasm_bindgen_test, wasm_bindgen_test_configure};

wasm_bindgen_test_configure!(run_in_browser);

#[wasm_bindgen(inline_js = r#"
const { fetch } = window;
const requests = [];
window.fetch = async (...args) => {
    const request = new Request(...args);
    const { method, url, redirect, headers } = request;
    requests.push({ method, url, redirect, headers: [...headers.keys()].join(), body: await request.clone().text() });
    return fetch(request);
};
export const requestsTo = (baseUrl) => requests.filter(({ url }) => url.startsWith(baseUrl));
"#)]
extern "C" {
    /// What this page has fetched there.
    #[wasm_bindgen(js_name = requestsTo)]
    fn requests_to(base_url: &str) -> Vec<JsValue>;
}

/// A value of an object, by its path: `exact.buyAmount`.
fn at(object: &JsValue, path: &str) -> JsValue {
    path.split('.').fold(object.clone(), |value, name| Reflect::get(&value, &name.into()).unwrap())
}

fn text_at(object: &JsValue, path: &str) -> Option<String> {
    at(object, path).as_string()
}

fn parsed(json: &str) -> JsValue {
    JSON::parse(json).unwrap()
}

/// What JS gets; passed back, it is the same.
fn crossed<T: Serialize + DeserializeOwned + PartialEq + Debug>(value: &T) -> JsValue {
    let crossed = to_value(value).unwrap();
    assert!(!crossed.is_instance_of::<Map>());
    assert_eq!(from_value::<T>(crossed.clone()).unwrap(), *value);
    crossed
}

/// A service of this page's own server: the folder of that name.
fn service(name: &str) -> String {
    [&text_at(&global(), "location.origin").unwrap(), "/", name].concat()
}

async fn bought_at(base_url: &str) -> Result<Traded, TradeError> {
    let client = Client::new(GlooTransport::new(base_url)?);
    let request = BuyRequest::new("mint", "wallet", 9_007_199_254_740_993).slippage("0.5%".parse().unwrap());
    let result = client.buy(request).intent_id("signal-1").await;
    assert_eq!(client.pending().await?.len(), 0, "whatever the service answers settles the trade");
    result
}

#[wasm_bindgen_test]
async fn a_buy_is_sent_once_by_the_pages_fetch_and_lands() {
    let landed = service("landed");
    let before = requests_to(&landed).len();
    let bought = bought_at(&landed).await.unwrap();
    assert_eq!((bought.trade.status, bought.is_simulated), (Status::Landed, false));
    assert_eq!(bought.trade.result.amount.unwrap().as_str(), "18446744073709551617.123456");

    let requests = requests_to(&landed).split_off(before);
    assert_eq!(requests.len(), 1);
    let of_request = |name| text_at(&requests[0], name).unwrap();
    assert_eq!(of_request("method"), "POST");
    assert_eq!(of_request("url"), landed + "/v1/trade/buy");
    assert_eq!(of_request("redirect"), "manual");
    assert_eq!(of_request("headers"), "accept,content-type");
    assert_eq!(
        of_request("body"),
        r#"{"mint":"mint","fromWallet":"wallet","amountInLamports":9007199254740993,"feePayer":null,"slippage":0.5,"priorityUnitLimit":null,"priorityUnitPrice":null}"#
    );
}

#[wasm_bindgen_test]
async fn a_buy_that_a_service_refuses_or_that_fails_says_so() {
    let failed = bought_at(&service("failed")).await.unwrap_err();
    assert_eq!((failed.outcome, failed.trade.is_some()), (Outcome::Failed, true));
    // Nothing is there: 404.
    let refused = bought_at(&service("closed")).await.unwrap_err();
    assert_eq!(
        (refused.outcome, refused.code, refused.status),
        (Outcome::Rejected, Code::RejectedByService, Some(404))
    );
}

#[wasm_bindgen_test]
async fn a_sandbox_trades_in_the_page() {
    let sandbox = Sandbox::new(SandboxConfig::default()).unwrap();
    let (mint, wallet) = (sandbox.tokens()[0].mint.clone(), sandbox.wallets()[0].wallet.clone());
    let client = Client::new(SandboxTransport::new(sandbox));
    let bought = client.buy(BuyRequest::new(&mint, &wallet, 1_000_000_000)).await.unwrap();
    assert_eq!((bought.trade.status, bought.is_simulated), (Status::Landed, true));
    let all = SellByPercentageRequest::new(&mint, &wallet, Percentage("100".parse().unwrap()));
    let sold = client.sell_by_percentage(all).await.unwrap();
    assert_eq!(sold.trade.result.token_account_closed, Some(true));
    assert_eq!(sold.trade.result.amount, bought.trade.result.amount);
}

#[wasm_bindgen_test]
async fn a_trade_is_an_object_in_js_and_comes_back() {
    let bought = bought_at(&service("landed")).await.unwrap();
    let trade = crossed(&bought.trade);
    assert_eq!(text_at(&trade, "status").unwrap(), "landed");
    assert_eq!(text_at(&trade, "exact.buyAmount").unwrap(), "18446744073709551617.123456");
    assert_eq!(at(&trade, "result.transactionResult.success"), JsValue::TRUE);
    assert_eq!(text_at(&trade, "explorer.tx").unwrap(), "https://explorer.example/tx/signature");
    let traded = crossed(&bought);
    assert_eq!(text_at(&traded, "intentId").unwrap(), "signal-1");
    assert_eq!(at(&traded, "simulated"), JsValue::FALSE);
}

/// Its evidence and its trade's raw reply do not cross.
#[wasm_bindgen_test]
async fn an_error_is_an_object_in_js_and_comes_back() {
    let failed = bought_at(&service("failed")).await.unwrap_err();
    let failed = crossed(&from_value::<TradeError>(to_value(&failed).unwrap()).unwrap());
    assert_eq!(text_at(&failed, "name").unwrap(), "TradeFailedError");
    assert_eq!(text_at(&failed, "outcome").unwrap(), "failed");
    assert_eq!(text_at(&failed, "intentId").unwrap(), "signal-1");
    assert_eq!(at(&failed, "trade.result.transactionResult.success"), JsValue::FALSE);

    let refused = bought_at(&service("closed")).await.unwrap_err();
    assert_eq!(text_at(&to_value(&refused).unwrap(), "code").unwrap(), "rejected_by_service");
}

#[wasm_bindgen_test]
async fn a_plan_is_an_object_in_js_and_comes_back() {
    let client = Client::new(GlooTransport::new(&service("landed")).unwrap());
    let plan = client.buy(BuyRequest::new("mint", "wallet", 5)).plan().await.unwrap();
    let shown = crossed(&plan);
    assert_eq!(text_at(&shown, "operation").unwrap(), "buy");
    assert_eq!(client.send(&from_value::<Plan>(shown).unwrap()).await.unwrap().trade.status, Status::Landed);
}

#[wasm_bindgen_test]
fn a_request_is_an_object_in_js_and_comes_back() {
    let buy = BuyRequest::new("M", "W", 5).slippage("0.5%".parse().unwrap()).priority(1, 2);
    let object = crossed(&buy);
    assert_eq!(at(&object, "amountInLamports"), JsValue::from(5));
    assert_eq!(text_at(&object, "slippage.percent").unwrap(), "0.5");
    crossed(&SellRequest::new("M", "W", TokenInput::BaseUnits(16_996_189)));
    crossed(&BundleSellByPercentageRequest::new("M", "P").sell("W", Percentage("12.5".parse().unwrap())));
}

#[wasm_bindgen_test]
fn an_amount_that_no_number_of_js_holds_is_refused_or_a_bigint() {
    let buy = BuyRequest::new("M", "W", u64::MAX);
    let error = to_value(&buy).unwrap_err().to_string();
    assert!(error.contains("can't be represented as a JavaScript number"), "{error}");
    let object = buy.serialize(&Serializer::new().serialize_large_number_types_as_bigints(true)).unwrap();
    assert_eq!(at(&object, "amountInLamports"), JsValue::from(BigInt::from(u64::MAX)));
    assert_eq!(from_value::<BuyRequest>(object).unwrap(), buy);
}

#[wasm_bindgen_test]
fn what_js_writes_is_a_request() {
    let written = parsed(
        r#"{ "mint": "M", "fromWallet": "W", "amountInLamports": 5, "slippage": { "percent": "0.5" } }"#,
    );
    let buy = BuyRequest::new("M", "W", 5).slippage("0.5%".parse().unwrap());
    assert_eq!(from_value::<BuyRequest>(written.clone()).unwrap(), buy);
    let map: Map = Map::new();
    Object::keys(&written.clone().into()).iter().for_each(|name| {
        map.set(&name, &Reflect::get(&written, &name).unwrap());
    });
    assert_eq!(from_value::<BuyRequest>(map.into()).unwrap(), buy);
    for (wrong, says) in [
        (
            r#"{ "mint": "M", "fromWallet": "W", "amountInLamports": 5, "slipage": 1 }"#,
            "unknown field `slipage`",
        ),
        (r#"{ "mint": "M", "fromWallet": "W" }"#, "missing field `amountInLamports`"),
        (r#"{ "mint": "M", "fromWallet": "W", "amountInLamports": 0.5 }"#, "invalid type"),
    ] {
        let error = from_value::<BuyRequest>(parsed(wrong)).unwrap_err().to_string();
        assert!(error.contains(says), "{error}");
    }
    let in_a_bundle = r#"{ "mint": "M", "feePayer": "P", "buys": [{ "fromWallet": "W", "amountInLamports": 5, "slipage": 1 }] }"#;
    let error = from_value::<BundleBuyRequest>(parsed(in_a_bundle)).unwrap_err().to_string();
    assert!(error.contains("unknown field `slipage`"), "{error}");
}
