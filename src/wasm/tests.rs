//! The exports as JS finds them, in Node and in browsers.

use js_sys::{Array, Function, Object, Promise, Reflect};
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::JsFuture;
use wasm_bindgen_test::wasm_bindgen_test;

use crate::value::Value;
use crate::wasm::client::TradeClient;
use crate::wasm::convert::{from_js, property, to_js};
use crate::wasm::sandbox::Sandbox;
use crate::wasm::{check, render};

/// The value of a JS expression.
fn js(expression: &str) -> JsValue {
    Function::new_no_args(&format!("return ({expression})")).call0(&JsValue::UNDEFINED).unwrap()
}

/// What a promise comes to: the value, or what was thrown.
async fn settled(promise: Promise) -> Result<JsValue, JsValue> {
    JsFuture::from(promise).await
}

fn text(value: &JsValue, path: &str) -> String {
    let found = path.split('.').fold(value.clone(), |value, name| property(&value, name));
    match found.as_string() {
        Some(text) => text,
        None => from_number(&found),
    }
}

fn from_number(value: &JsValue) -> String {
    match from_js(value) {
        Value::Double(text) | Value::BigInt(text) => text,
        Value::Bool(is) => is.to_string(),
        other => format!("{other:?}"),
    }
}

fn request(sandbox: &Sandbox, wallet: u32, field: &str, value: &str) -> JsValue {
    let mint = text(&Reflect::get_u32(&sandbox.tokens(), 0).unwrap(), "mint");
    let wallet = text(&Reflect::get_u32(&sandbox.wallets(), wallet).unwrap(), "wallet");
    js(&format!("{{ mint: '{mint}', fromWallet: '{wallet}', {field}: {value} }}"))
}

fn client_of(options: &str) -> Result<TradeClient, JsValue> {
    TradeClient::new(&js(options))
}

/// A client whose fetch is the JS function, and a buy to send with it.
async fn buy_through(fetch: &str, more: &str) -> Result<JsValue, JsValue> {
    let client =
        client_of(&format!("{{ baseURL: 'https://service.example', fetch: {fetch}, {more} }}")).unwrap();
    let request = js("{ mint: 'M', fromWallet: 'W', amountInLamports: 5n }");
    settled(client.buy(&request, &JsValue::UNDEFINED)).await
}

#[wasm_bindgen_test]
fn numbers_of_every_kind_keep_their_digits() {
    let read =
        from_js(&js("[0.1, 1e21, -0, NaN, -Infinity, 2 ** 53, 18446744073709551615n, -5n, 2n ** 200n]"));
    let double = |text: &str| Value::Double(text.into());
    assert_eq!(
        read,
        Value::Array(vec![
            double("0.1"),
            double("1e+21"),
            double("0"),
            double("NaN"),
            double("-Infinity"),
            double("9007199254740992"),
            Value::BigInt("18446744073709551615".into()),
            Value::BigInt("-5".into()),
            Value::Foreign("a bigint of over 128 bits"),
        ])
    );
}

#[wasm_bindgen_test]
fn nothing_that_js_has_traps_or_hangs() {
    let cyclic = "(() => { const a = []; a.push(a, a, a, a, a, a, a, a, a, a); return { a }; })()";
    for hostile in [
        cyclic,
        "{ get mint() { throw new Error('no') } }",
        "new Proxy({}, { ownKeys() { throw 1 } })",
        "new Proxy({}, { ownKeys: () => ['a'], getOwnPropertyDescriptor: () => ({ enumerable: true, configurable: true }), get() { throw 1 } })",
        "Object.create(null)",
        "new Array(4294967295)",
        "{ mint: 'x'.repeat(10_000_000) }",
        "{ mint: Symbol('s'), fromWallet() {}, amountInLamports: new Date() }",
        "new Map([['mint', 'M']])",
        "10n ** 100_000n",
        "undefined",
        "null",
        "() => 1",
    ] {
        let found = check::validate_request(&"buy".into(), &js(hostile), &JsValue::UNDEFINED).unwrap();
        let errors: Array = property(&found, "errors").unchecked_into();
        assert!(errors.length() > 0, "{hostile}");
    }
}

#[wasm_bindgen_test]
fn what_goes_out_is_plain_data_whatever_its_names() {
    let value = crate::json::parse(br#"{"__proto__":{"polluted":true},"a":[1,2.5,null],"b":"c"}"#).unwrap();
    let object = to_js(&value);
    assert!(property(&object, "polluted").is_undefined());
    let own = Object::keys(object.unchecked_ref::<Object>());
    assert_eq!(own.join(",").as_string().unwrap(), "__proto__,a,b");
    assert_eq!(js_sys::JSON::stringify(&property(&object, "a")).unwrap(), "[1,2.5,null]");
}

#[wasm_bindgen_test]
async fn a_client_without_a_service_trades_in_its_own_sandbox() {
    let client = client_of("{}").unwrap();
    let own = client.sandbox();
    let wallets = property(&own, "wallets");
    let mint = text(&Reflect::get_u32(&property(&own, "tokens"), 0).unwrap(), "mint");
    let wallet = text(&Reflect::get_u32(&wallets, 0).unwrap(), "wallet");
    let buy = js(&format!("{{ mint: '{mint}', fromWallet: '{wallet}', amountInLamports: 1_000_000_000n }}"));
    let bought = settled(client.buy(&buy, &JsValue::UNDEFINED)).await.unwrap();
    assert_eq!(text(&bought, "status"), "landed");
    assert_eq!(text(&bought, "exact.buyAmount"), "34199203.120618");
    assert_eq!(text(&bought, "result.buyAmount"), "34199203.120618");
    assert!(text(&bought, "result.signature").starts_with("SIM"));
    let sell = js(&format!("{{ mint: '{mint}', fromWallet: '{wallet}', percentage: 100 }}"));
    let sold = settled(client.sell_by_percentage(&sell, &JsValue::UNDEFINED)).await.unwrap();
    assert_eq!(text(&sold, "result.tokenAccountClosed"), "true");
    assert_eq!(text(&sold, "exact.postTokenBalance"), "0");
}

#[wasm_bindgen_test]
async fn a_sandbox_serves_a_client_through_fetch() {
    let sandbox = Sandbox::new(&JsValue::UNDEFINED).unwrap();
    let options = Object::new();
    Reflect::set(&options, &"fetch".into(), &sandbox.fetch()).unwrap();
    let client = TradeClient::new(&options).unwrap();
    let buy = request(&sandbox, 0, "amountInLamports", "'1000000000'");
    let bought = settled(client.buy(&buy, &JsValue::UNDEFINED)).await.unwrap();
    assert_eq!(text(&bought, "exact.buyAmount"), "34199203.120618");
    assert_eq!(text(&sandbox.account(), "level"), "1");
    let restored = Sandbox::restore(&sandbox.snapshot().into(), &JsValue::UNDEFINED).unwrap();
    assert_eq!(restored.snapshot(), sandbox.snapshot());
    let refused = request(&sandbox, 2, "amountInLamports", "5000000000");
    let error = settled(client.buy(&refused, &JsValue::UNDEFINED)).await.unwrap_err();
    assert_eq!(text(&error, "outcome"), "failed");
    assert_eq!(text(&error, "trade.status"), "failed");
    assert!(render::render_text(&error).contains("insufficient_lamports"));
}

#[wasm_bindgen_test]
async fn a_store_that_fails_leaves_the_sandbox_as_it_was() {
    let sandbox = Sandbox::new(&JsValue::UNDEFINED).unwrap();
    let before = sandbox.snapshot();
    sandbox.on_changes(&js("() => { throw new Error('disk full') }")).unwrap();
    let options = Object::new();
    Reflect::set(&options, &"fetch".into(), &sandbox.fetch()).unwrap();
    let client = TradeClient::new(&options).unwrap();
    let buy = request(&sandbox, 0, "amountInLamports", "1000000000");
    assert!(settled(client.buy(&buy, &JsValue::UNDEFINED)).await.is_err());
    assert_eq!(sandbox.snapshot(), before);
}

#[wasm_bindgen_test]
async fn a_store_is_synchronous_alone_at_work_and_told_of_rivals() {
    let sandbox = Sandbox::new(&JsValue::UNDEFINED).unwrap();
    let before = sandbox.snapshot();
    sandbox.on_changes(&js("async () => {}")).unwrap();
    assert!(text(&sandbox.rivals(&5.into()).unwrap_err(), "message").contains("synchronous"));
    assert_eq!(sandbox.snapshot(), before);
    let rows = Array::new();
    let keep = Closure::<dyn Fn(Array)>::new({
        let rows = rows.clone();
        move |changes: Array| {
            for change in changes.iter() {
                rows.push(&property(&change, "row"));
            }
        }
    });
    sandbox.on_changes(keep.as_ref()).unwrap();
    sandbox.rivals(&5.into()).unwrap();
    assert!(rows.length() > 0 && sandbox.snapshot() != before);
}

#[wasm_bindgen_test]
async fn at_the_same_time_the_same_calls_leave_the_same_bytes() {
    let run = async || {
        let sandbox = Sandbox::new(&JsValue::UNDEFINED).unwrap();
        sandbox.use_clock(&js("() => 1_700_000_000_000")).unwrap();
        let options = Object::new();
        Reflect::set(&options, &"fetch".into(), &sandbox.fetch()).unwrap();
        let buy = request(&sandbox, 0, "amountInLamports", "1000000000");
        settled(TradeClient::new(&options).unwrap().buy(&buy, &JsValue::UNDEFINED)).await.unwrap();
        sandbox.snapshot()
    };
    let first = run().await;
    assert!(first.contains("\"atMs\":1700000000000"));
    assert_eq!(run().await, first);
}

#[wasm_bindgen_test]
async fn every_way_to_lose_a_reply_is_told() {
    let cases = [
        ("() => { throw new Error('x') }", "unknown", "network_error"),
        (
            "async () => { throw Object.assign(new Error('x'), { code: 'ECONNREFUSED' }) }",
            "unknown",
            "network_error",
        ),
        ("async () => undefined", "unknown", "network_error"),
        ("async () => new Response('{', { status: 200 })", "unknown", "unreadable_reply"),
        ("async () => new Response('{\"result\":{}}', { status: 503 })", "unknown", "service_error"),
        (
            "async () => new Response(null, { status: 307, headers: { location: '/' } })",
            "unknown",
            "redirected",
        ),
        (
            "async () => new Response('{\"message\":\"no\"}', { status: 422 })",
            "rejected",
            "rejected_by_service",
        ),
        (
            "async () => new Response('slow', { status: 429, headers: { 'retry-after': '3' } })",
            "rejected",
            "rate_limited",
        ),
        ("async () => new Response('x'.repeat(2_000_000))", "unknown", "reply_too_large"),
        (
            "async () => new Response(new ReadableStream({ pull(c) { c.error(new Error('cut')) } }))",
            "unknown",
            "network_error",
        ),
        (
            "async () => ({ status: 200, get headers() { throw 1 }, get body() { throw 1 } })",
            "unknown",
            "network_error",
        ),
    ];
    for (fetch, outcome, code) in cases {
        let error = buy_through(fetch, "").await.unwrap_err();
        assert_eq!(
            (text(&error, "outcome").as_str(), text(&error, "code").as_str()),
            (outcome, code),
            "{fetch}"
        );
    }
    let limited = buy_through(cases[7].0, "").await.unwrap_err();
    assert_eq!(
        (text(&limited, "retryAfterMs"), text(&limited, "serviceMessage")),
        ("3000".into(), "slow".into())
    );
}

#[wasm_bindgen_test]
async fn the_deadline_holds_even_where_fetch_ignores_it() {
    let error = buy_through("() => new Promise(() => {})", "timeoutMs: 5").await.unwrap_err();
    assert_eq!((text(&error, "outcome"), text(&error, "code")), ("unknown".into(), "timeout".into()));
    let hung_body = "async () => new Response(new ReadableStream({ pull: () => new Promise(() => {}) }))";
    let error = buy_through(hung_body, "timeoutMs: 5").await.unwrap_err();
    assert_eq!(text(&error, "code"), "timeout");
}

#[wasm_bindgen_test]
async fn an_abort_is_not_sent_before_and_unknown_after() {
    let buy = js("{ mint: 'M', fromWallet: 'W', amountInLamports: 5 }");
    for reason in ["'a string'", "null", "new Error('x')", "Object.freeze({})", "undefined"] {
        let client =
            client_of("{ baseURL: 'https://service.example', fetch: () => new Promise(() => {}) }").unwrap();
        let aborted = js(&format!("{{ signal: AbortSignal.abort({reason}) }}"));
        let error = settled(client.buy(&buy, &aborted)).await.unwrap_err();
        assert_eq!(
            (text(&error, "outcome"), text(&error, "code")),
            ("not_sent".into(), "aborted_before_send".into())
        );
        let later = js(&format!(
            "(() => {{ const c = new AbortController(); setTimeout(() => c.abort({reason}), 1); return {{ signal: c.signal }}; }})()"
        ));
        let error = settled(client.buy(&buy, &later)).await.unwrap_err();
        assert_eq!((text(&error, "outcome"), text(&error, "code")), ("unknown".into(), "aborted".into()));
    }
}

#[wasm_bindgen_test]
async fn the_request_carries_the_key_and_nothing_else_does() {
    let seen = "(globalThis.seen = [], async (url, init) => { seen.push([url, new Headers(init.headers).get('x-api-key'), init.redirect, init.method, init.body, init.keepalive]); return new Response('key is hunter2!', { status: 400 }) })";
    let error = buy_through(seen, "apiKey: 'hunter2!', dangerouslyAllowBrowser: true").await.unwrap_err();
    let seen = js_sys::JSON::stringify(&property(&js_sys::global(), "seen")).unwrap();
    assert_eq!(
        String::from(seen),
        r#"[["https://service.example/v1/trade/buy","hunter2!","manual","POST","{\"mint\":\"M\",\"fromWallet\":\"W\",\"amountInLamports\":5,\"feePayer\":null,\"slippage\":null,\"priorityUnitLimit\":null,\"priorityUnitPrice\":null}",null]]"#
    );
    assert_eq!(text(&error, "serviceMessage"), "key is [redacted]");
    let shown = [text(&error, "message"), render::render_html(&error), text(&error, "stack")].concat();
    assert!(!shown.contains("hunter2!"));
}

#[wasm_bindgen_test]
async fn a_refusal_is_told_by_its_status_whatever_becomes_of_its_body() {
    let cut = "async () => new Response(new ReadableStream({ pull(c) { c.error(new Error('cut')) } }), { status: 401 })";
    let error = buy_through(cut, "").await.unwrap_err();
    assert_eq!((text(&error, "code"), text(&error, "status")), ("unauthorized".into(), "401".into()));
    let endless = "async () => new Response(new ReadableStream({ pull: () => new Promise(() => {}) }), { status: 429, headers: { 'retry-after': '7' } })";
    let error = buy_through(endless, "timeoutMs: 5").await.unwrap_err();
    assert_eq!((text(&error, "code"), text(&error, "retryAfterMs")), ("rate_limited".into(), "7000".into()));
}

#[wasm_bindgen_test]
async fn a_success_whose_body_is_lost_is_unknown_and_keeps_its_status() {
    let bodies = [
        ("pull(c) { c.error(new Error('cut')) }", "network_error"),
        ("pull: () => new Promise(() => {})", "timeout"),
        ("pull(c) { c.enqueue(new Uint8Array(2_000_000)) }", "reply_too_large"),
    ];
    for (body, code) in bodies {
        let fetch = format!("async () => new Response(new ReadableStream({{ {body} }}), {{ status: 201 }})");
        let error = buy_through(&fetch, "timeoutMs: 200").await.unwrap_err();
        let found = [text(&error, "outcome"), text(&error, "code"), text(&error, "status")];
        assert_eq!(found, ["unknown", code, "201"]);
    }
}

#[wasm_bindgen_test]
async fn a_stream_of_nothing_without_end_leaves_the_deadline_its_turn() {
    let nothing =
        "async () => new Response(new ReadableStream({ pull(c) { c.enqueue(new Uint8Array(0)) } }))";
    let error = buy_through(nothing, "").await.unwrap_err();
    assert_eq!((text(&error, "outcome"), text(&error, "code")), ("unknown".into(), "network_error".into()));
}

#[wasm_bindgen_test]
async fn a_fetch_that_somebody_put_there_proves_nothing() {
    let own = property(&js_sys::global(), "fetch");
    let refused = js("async () => { throw Object.assign(new Error('x'), { code: 'ECONNREFUSED' }) }");
    Reflect::set(&js_sys::global(), &"fetch".into(), &refused).unwrap();
    let client = client_of("{ baseURL: 'https://service.example' }").unwrap();
    let buy = js("{ mint: 'M', fromWallet: 'W', amountInLamports: 5 }");
    let error = settled(client.buy(&buy, &JsValue::UNDEFINED)).await.unwrap_err();
    Reflect::set(&js_sys::global(), &"fetch".into(), &own).unwrap();
    assert_eq!(text(&error, "outcome"), "unknown");
}

#[wasm_bindgen_test]
async fn what_was_odd_about_a_request_is_told_with_its_failure() {
    let failed = "async () => new Response('{\"result\":{\"buyAmount\":7,\"transactionResult\":{\"success\":false}}}')";
    let client = client_of(&format!("{{ baseURL: 'https://service.example', fetch: {failed} }}")).unwrap();
    let odd = js("{ mint: 'M', fromWallet: 'W', amountInLamports: 5, slippage: 500 }");
    let error = settled(client.buy(&odd, &JsValue::UNDEFINED)).await.unwrap_err();
    assert_eq!(text(&error, "warnings.0.code"), "slippage_unit");
    assert_eq!(text(&error, "trade.warnings.0.code"), "slippage_unit");
    // A failed trade bought nothing, whatever its reply repeats.
    assert!(!render::render_text(&error).contains("Bought"));
}

#[wasm_bindgen_test]
fn a_getter_of_a_class_is_a_field_and_bytes_are_none() {
    let getters = js(
        "new (class { mint = 'M'; fromWallet = 'W'; amountInLamports = 5; get slippage() { return 7 } })()",
    );
    let built = client_of("{}").unwrap().build(&"buy".into(), &getters).unwrap();
    assert!(text(&built, "body").contains("\"slippage\":7"));
    for heavy in ["new Uint8Array(1e7)", "new String('x'.repeat(1e6))"] {
        assert_eq!(from_js(&js(heavy)), Value::Foreign("an object of more than 1024 fields"));
    }
    let shared = js("Array(5000).fill('x'.repeat(1 << 20))");
    assert!(matches!(from_js(&shared), Value::Array(_)));
}

#[wasm_bindgen_test]
fn a_trade_is_rendered_from_what_is_exact() {
    let results = format!("[{}18446744073709551615]", "[0],".repeat(60_000));
    let reply = format!(
        r#"{{"result":{{"transactionResult":{{"success":true,"results":{results}}},"tokenAccount":"T","buyAmount":"1e-7"}}}}"#
    );
    let read = |status: JsValue| {
        check::read_reply(&"buy".into(), &status, &reply.as_str().into(), &JsValue::UNDEFINED)
    };
    let trade = read(200.into()).unwrap();
    let shown = render::render_text(&trade);
    assert!(shown.starts_with("Buy landed\nBought: 0.0000001\nToken account: T"), "{shown}");
    for odd in ["200.5", "NaN", "-200", "1e9", "200n", "'200'", "({})"] {
        let error = read(js(odd)).unwrap_err();
        assert_eq!(text(&error, "code"), "unexpected_status");
    }
}

#[wasm_bindgen_test]
fn options_are_refused_by_name() {
    let refused = |options: &str| {
        let error = client_of(options).map(|_| ()).unwrap_err();
        [text(&error, "name"), text(&error, "code"), text(&error, "field")].join(" ")
    };
    let invalid = |field: &str| format!("TradeNotSentError invalid_options {field}");
    assert_eq!(refused("{ timeoutMS: 5 }"), invalid("timeoutMS"));
    assert_eq!(refused("{ baseURL: 'ftp://x' }"), invalid("baseURL"));
    assert_eq!(refused("{ baseURL: 'http://service.example' }"), invalid("baseURL"));
    assert_eq!(refused("{ baseURL: 'https://u:p@service.example' }"), invalid("baseURL"));
    assert_eq!(
        refused("{ apiKey: 'long enough'.replace(' ', '-'), dangerouslyAllowBrowser: true }"),
        invalid("apiKey")
    );
    assert_eq!(
        refused("{ baseURL: 'https://s.example', apiKey: 'short', dangerouslyAllowBrowser: true }"),
        invalid("apiKey")
    );
    assert_eq!(refused("{ baseURL: undefined }"), invalid("baseURL"));
    assert_eq!(refused("{ baseURL: 'http://127.evil.example' }"), invalid("baseURL"));
    assert_eq!(
        refused("{ baseURL: 'https://s.example', apiKey: 'abcdefg\\nb', dangerouslyAllowBrowser: true }"),
        invalid("apiKey")
    );
    assert_eq!(refused("{ baseURL: 'https://s.example', apiKeyHeader: 'a b' }"), invalid("apiKeyHeader"));
    assert_eq!(
        refused("{ baseURL: 'https://s.example', apiKeyHeader: 'Content-Type' }"),
        invalid("apiKeyHeader")
    );
    assert_eq!(refused("{ timeoutMs: 2147483648 }"), invalid("timeoutMs"));
    assert_eq!(refused("{ fetch: 5 }"), invalid("fetch"));
    assert_eq!(refused("[]"), invalid(""));
    assert!(
        client_of("{ baseURL: 'http://127.0.0.1:1', apiKey: 'hunter2!', authorization: 'bearer', dangerouslyAllowBrowser: true }").is_ok()
    );
}
