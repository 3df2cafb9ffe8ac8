//! The sandbox's HTTP: what is refused, how, and that nothing else can happen.

use crate::{sandbox, seeded};

use launchpad_desk::bindings::object;
use launchpad_desk::http::status_phrase;
use launchpad_desk::tape::{Data, Tape, ToTape, json};
use launchpad_desk_sandbox::{Answer, HttpRequest, ReplyCut, Sandbox, SandboxConfig};
use proptest::prelude::*;
use sandbox::{ADA, BOB, CYD, MINT, at, body, buy, elements, headers, post, sandbox, sandbox_with, text};

/// A good request, from which each test takes or changes something.
struct Call<'a> {
    method: &'a str,
    path: &'a str,
    headers: &'a [(&'a str, &'a str)],
    body: &'a str,
    now_ms: u64,
}

impl Default for Call<'_> {
    fn default() -> Self {
        let headers = &[("content-type", "application/json")];
        Call { method: "POST", path: "/v1/trade/buy", headers, body: "{}", now_ms: 0 }
    }
}

fn call(sandbox: &mut Sandbox, call: Call) -> Answer {
    let (Call { method, path, body, now_ms, .. }, headers) = (&call, headers(call.headers));
    sandbox.handle(&HttpRequest { method, path, headers: &headers, body: body.as_bytes(), now_ms: *now_ms })
}

fn with_headers(sandbox: &mut Sandbox, headers: &[(&str, &str)]) -> Answer {
    call(sandbox, Call { headers, ..Call::default() })
}

#[track_caller]
fn refused(answer: &Answer, status: u16, message: &str) {
    let reply = body(answer);
    let said = ["type", "title", "status", "detail", "message"].map(|name| text(reply.root(), name));
    let (title, number) = (status_phrase(status), status.to_string());
    assert_eq!((answer.reply.status, said), (status, ["about:blank", title, &number, message, message]));
    assert_eq!(answer.reply.header("content-type"), Some("application/problem+json"));
    assert!(status == 400 || elements(reply.root(), "fields").is_empty());
    assert_eq!(answer.changes, []);
}

#[test]
fn only_the_six_paths_and_only_post() {
    let mut sandbox = sandbox();
    let bundle = "/v1/trade/bundle/sell-by-percentage";
    for path in ["/", "", "/v1/trade", "/v1/trade/buy/", "/v2/trade/buy", "/V1/trade/buy", bundle] {
        refused(&call(&mut sandbox, Call { path, ..Call::default() }), 404, "there is nothing at this path");
    }
    for method in ["GET", "HEAD", "OPTIONS", "PUT", "post", ""] {
        let answer = call(&mut sandbox, Call { method, ..Call::default() });
        refused(&answer, 405, "the method must be POST");
        assert_eq!(answer.reply.header("allow"), Some("POST"));
    }
}

#[test]
fn the_body_must_be_json_and_say_so() {
    let mut sandbox = sandbox();
    let form = "application/x-www-form-urlencoded";
    let others = ["text/plain", "application/jsonx", "text/plain; application/json", "multipart/form-data"];
    for kind in others.into_iter().chain(["", form]) {
        let answer = with_headers(&mut sandbox, &[("content-type", kind)]);
        refused(&answer, 415, "the content type must be application/json");
    }
    refused(&with_headers(&mut sandbox, &[]), 415, "the content type must be application/json");
    for kind in ["application/json", "Application/JSON ; charset=utf-8"] {
        let answer = with_headers(&mut sandbox, &[("CONTENT-TYPE", kind)]);
        assert_eq!(answer.reply.status, 400);
    }
    for charset in ["utf-16", "iso-8859-1", "utf-8, text/plain", "\"utf-16\"", "", "utf-8; charset=utf-16"] {
        let kind = ["application/json; charset=", charset].concat();
        let answer = with_headers(&mut sandbox, &[("content-type", &kind)]);
        refused(&answer, 415, "the charset must be utf-8");
    }
    for parameters in ["charset=UTF-8", "Charset = \"utf-8\"", "profile=x; charset=utf-8", "", " "] {
        let kind = ["application/json;", parameters].concat();
        let answer = with_headers(&mut sandbox, &[("content-type", &kind)]);
        assert_eq!(answer.reply.status, 400, "{kind}");
    }
    let json = ("content-type", "application/json");
    for encodings in [&["gzip"][..], &["br"], &["identity, gzip"], &["identity", "gzip"], &["secret"]] {
        let mut given = vec![json];
        given.extend(encodings.iter().map(|encoding| ("Content-Encoding", *encoding)));
        let answer = with_headers(&mut sandbox, &given);
        refused(&answer, 415, "the body must come without a content-encoding");
        assert_eq!(answer.reply.header("accept-encoding"), Some("identity"));
    }
    for encoding in ["", "identity", "Identity"] {
        let given = [json, ("content-encoding", encoding)];
        assert_eq!(with_headers(&mut sandbox, &given).reply.status, 400);
    }
    let cases = [
        ("", "the body has an unexpected end, at byte 0"),
        ("{\"mint\":", "the body has an unexpected end, at byte 8"),
        ("{\"mint\":\"a\",\"mint\":\"b\"}", "the body has a duplicate field, at byte 18"),
        ("[]", "a request must be an object, not an array"),
    ];
    for (text, message) in cases {
        refused(&call(&mut sandbox, Call { body: text, ..Call::default() }), 400, message);
    }
}

#[test]
fn every_bad_field_is_named() {
    let mut sandbox = sandbox();
    let told = |sandbox: &mut Sandbox, request: Tape| -> Vec<String> {
        let answer = post(sandbox, "/v1/trade/bundle/sell", &json::write(&request));
        let reply = body(&answer);
        elements(reply.root(), "fields")
            .into_iter()
            .map(|error| [text(error, "field"), text(error, "code"), text(error, "message")].join("|"))
            .collect()
    };
    let leg = |wallet: &str, amount: Data, slippage: Tape| {
        object! { "fromWallet": wallet, "amountInToken": amount, "slippage": slippage }
    };
    let one = 1u32.to_tape();
    let units = object! { "baseUnits": 5u32 };
    let request = object! {
        "sells": vec![
            leg(ADA, units.root().data(), one.clone()),
            leg("", Data::Bool(true), object! { "bps": 5u32 }),
        ],
        "mint": MINT, "feePayer": ADA, "slippage": object! { "percent": 5u32 }, "priorityUnitPrice": Data::Number("0.5"),
    };
    assert_eq!(
        told(&mut sandbox, request),
        [
            "slippage|wrong_type|slippage must be a number or its text, not an object",
            "priorityUnitPrice|not_an_integer|priorityUnitPrice must be a whole number of micro-lamports per priority unit",
            "sells[0].amountInToken|wrong_type|sells[0].amountInToken must be a number or its text, not an object",
            "sells[1].fromWallet|empty|sells[1].fromWallet is empty",
            "sells[1].amountInToken|wrong_type|sells[1].amountInToken must be a number or its text, not a boolean",
            "sells[1].slippage|wrong_type|sells[1].slippage must be a number or its text, not an object",
        ]
    );
    let request = object! {
        "sells": vec![
            leg("nobody", Data::String("0.0000001"), one.clone()),
            leg(ADA, Data::String("99999999999999999999"), one),
        ],
        "mint": "none", "feePayer": "no-one",
    };
    let body = json::write(&request);
    assert_eq!(
        told(&mut sandbox, request),
        [
            "mint|out_of_range|mint is not one of the sandbox's tokens",
            "sells[0].fromWallet|out_of_range|sells[0].fromWallet is not one of the sandbox's wallets",
            "sells[0].amountInToken|not_an_integer|sells[0].amountInToken is finer than the token's 6 decimals",
            "sells[1].amountInToken|out_of_range|sells[1].amountInToken is more than any wallet can hold",
            "feePayer|out_of_range|feePayer is not one of the sandbox's wallets",
        ]
    );
    let answer = post(&mut sandbox, "/v1/trade/bundle/sell", &body);
    let message = "mint is not one of the sandbox's tokens; sells[0].fromWallet is not one of the sandbox's wallets; \
                   sells[0].amountInToken is finer than the token's 6 decimals; and 2 more";
    refused(&answer, 400, message);
    let answer = post(
        &mut sandbox,
        "/v1/trade/buy",
        r#"{"mint":"M","slipage":1,"fromWallet":"W","amountInLamports":0}"#,
    );
    let message = "buy has no field slipage; did you mean slippage?; amountInLamports must be above zero";
    refused(&answer, 400, message);
    let percentage = format!("0.{}1", "0".repeat(36));
    let fine = object! { "mint": MINT, "fromWallet": ADA, "percentage": Data::Number(&percentage) };
    let answer = post(&mut sandbox, "/v1/trade/sell-by-percentage", &json::write(&fine));
    refused(&answer, 400, "percentage has more than 36 decimals");
}

#[test]
fn every_answer_says_that_it_is_simulated() {
    let mut sandbox = sandbox_with(&object! { "rateLimit": object! { "requests": 2u32, "perMs": 1_000u32 } });
    let good = buy(ADA, 1_000_000);
    let seen = [
        Call { body: &good, ..Call::default() },
        Call { method: "GET", ..Call::default() },
        Call { path: "/", ..Call::default() },
        Call { headers: &[], ..Call::default() },
        Call { body: &good, ..Call::default() },
        Call::default(),
    ];
    let statuses = seen.map(|request| {
        let answer = call(&mut sandbox, request);
        assert_eq!(answer.reply.header("x-simulated"), Some("true"));
        assert_eq!(answer.reply.header("access-control-allow-origin"), None);
        answer.reply.status
    });
    assert_eq!(statuses, [200, 405, 404, 415, 200, 429], "what its head refuses does not count");
}

#[test]
fn a_page_of_another_origin_may_trade_where_a_setting_says_so() {
    let asks =
        [("origin", "http://localhost:5173"), ("access-control-request-headers", "content-type,x-api-key")];
    for origin in ["*", "http://localhost:5173"] {
        let mut sandbox = sandbox_with(&object! { "corsOrigin": origin, "apiKey": "k" });
        let answer = call(&mut sandbox, Call { method: "OPTIONS", headers: &asks, ..Call::default() });
        let header = |name| answer.reply.header(name).unwrap_or_default();
        assert_eq!(
            (answer.reply.status, answer.reply.body.len()),
            (200, 0),
            "without a key, as browsers ask"
        );
        assert_eq!(header("access-control-allow-origin"), origin);
        assert_eq!(header("access-control-allow-methods"), "POST, OPTIONS");
        assert_eq!(header("access-control-allow-headers"), "content-type,x-api-key");
        assert_eq!(header("vary"), if origin == "*" { "" } else { "origin" });
        let answer = call(&mut sandbox, Call::default());
        assert_eq!(answer.reply.status, 401);
        assert_eq!(answer.reply.header("access-control-allow-origin"), Some(origin));
        let exposed = answer.reply.header("access-control-expose-headers").unwrap_or_default();
        assert!(exposed.contains("retry-after") && exposed.contains("x-simulated"), "{exposed}");
        let answer = call(&mut sandbox, Call { method: "GET", ..Call::default() });
        assert_eq!(answer.reply.header("allow"), Some("POST, OPTIONS"));
        let odd = [("access-control-request-headers", "a\r\nset-cookie: b")];
        let answer = call(&mut sandbox, Call { method: "OPTIONS", headers: &odd, ..Call::default() });
        assert_eq!(answer.reply.header("access-control-allow-headers"), None);
    }
    let mut sandbox = sandbox_with(&object! { "corsOrigin": "*", "control": true });
    for (method, path) in [("GET", "/_sandbox/state"), ("POST", "/_sandbox/reset"), ("GET", "/_sandbox/none")]
    {
        let answer = call(&mut sandbox, Call { method, path, ..Call::default() });
        let cors = answer.reply.headers.iter().find(|(name, _)| name.starts_with("access-control"));
        assert_eq!(cors, None, "{path}");
    }
    let answer = call(&mut sandbox, Call { method: "OPTIONS", path: "/_sandbox/reset", ..Call::default() });
    assert_eq!((answer.reply.status, answer.reply.header("allow")), (405, Some("POST")));
    for origin in ["localhost", "http://", "https://a.example/", "https://a b", ""] {
        let problems = SandboxConfig::read(object! { "corsOrigin": origin }.root()).expect_err("no origin");
        assert_eq!(
            problems[0].message, "corsOrigin must be * or an origin, as https://example.com",
            "{origin}"
        );
    }
}

const PAGE_MESSAGE: &str = "pages of this origin may not use this sandbox; allow the origin with corsOrigin";

/// Asks with headers that a browser sets, and returns the status and the code of the refusal.
fn asked_by(sandbox: &mut Sandbox, path: &str, browser: &[(&str, &str)]) -> (u16, String) {
    let before = sandbox.clone();
    let headers = [browser, &[("content-type", "application/json")]].concat();
    let method = if path.ends_with("state") { "GET" } else { "POST" };
    let answer = call(sandbox, Call { path, headers: &headers, method, ..Call::default() });
    if answer.reply.status != 403 {
        return (answer.reply.status, String::new());
    }
    assert_eq!(*sandbox, before, "nothing is done, and nothing logged");
    assert_eq!(answer.reply.header("access-control-allow-origin"), None);
    let code = text(body(&answer).root(), "code").to_owned();
    let message =
        if code == "origin_not_allowed" { PAGE_MESSAGE } else { "/_sandbox/ is closed to web pages" };
    refused(&answer, 403, message);
    (403, code)
}

#[test]
fn a_page_of_a_foreign_origin_is_refused() {
    let mut open = sandbox_with(&object! { "control": true });
    let here = ("host", "localhost:8787");
    for (origin, host) in [
        ("http://evil.example", here),
        ("null", here),
        ("http://localhost:5173", here),
        ("http://localhost", here),
        ("file://", here),
        ("", ("host", "")),
        ("http://localhost:8787", ("x-host", "localhost:8787")),
    ] {
        let found = asked_by(&mut open, "/v1/trade/buy", &[("origin", origin), host]);
        assert_eq!(found, (403, "origin_not_allowed".into()), "{origin}");
        let found = asked_by(&mut open, "/nowhere", &[("origin", origin), host]);
        assert_eq!(found, (403, "origin_not_allowed".into()), "{origin}");
    }
    for origin in ["http://localhost:8787", "https://LOCALHOST:8787"] {
        assert_eq!(
            asked_by(&mut open, "/v1/trade/buy", &[("origin", origin), here]).0,
            400,
            "its own: {origin}"
        );
    }
    let mut named = sandbox_with(&object! { "corsOrigin": "http://localhost:5173" });
    assert_eq!(asked_by(&mut named, "/v1/trade/buy", &[("origin", "http://localhost:5173"), here]).0, 400);
    let two = [("origin", "http://localhost:5173"), ("origin", "http://evil.example"), here];
    assert_eq!(asked_by(&mut named, "/v1/trade/buy", &two).0, 403);
    let mut all = sandbox_with(&object! { "corsOrigin": "*" });
    assert_eq!(asked_by(&mut all, "/v1/trade/buy", &[("origin", "null"), here]).0, 400);
}

#[test]
fn no_page_may_use_the_control() {
    for origin in [object! { "control": true }, object! { "control": true, "corsOrigin": "*" }] {
        let mut open = sandbox_with(&origin);
        let here = ("host", "localhost:8787");
        for browser in [
            ("origin", "http://evil.example"),
            ("origin", "null"),
            ("origin", "http://localhost:8787"),
            ("sec-fetch-site", "cross-site"),
            ("sec-fetch-site", "same-site"),
            ("sec-fetch-site", "anything"),
        ] {
            for path in ["/_sandbox/reset", "/_sandbox/state", "/_sandbox/none"] {
                let found = asked_by(&mut open, path, &[browser, here]);
                assert_eq!(found, (403, "control_closed_to_pages".into()), "{path} {browser:?}");
            }
        }
        for site in ["none", "same-origin"] {
            let found = asked_by(&mut open, "/_sandbox/state", &[("sec-fetch-site", site), here]);
            assert_eq!(found.0, 200, "somebody looks at it: {site}");
        }
        assert_eq!(asked_by(&mut open, "/_sandbox/reset", &[here]).0, 200, "no browser");
    }
}

#[test]
fn what_the_head_refuses_needs_no_body() {
    let sandbox = sandbox_with(&object! { "apiKey": "k", "control": true, "maxBodyBytes": 100u32 });
    let json = ("content-type", "application/json");
    let limit = |method: &str, path: &str, given: &[(&str, &str)]| {
        let given = headers(given);
        sandbox.body_limit(&HttpRequest { method, path, headers: &given, body: b"", now_ms: 0 })
    };
    let good = [json, ("x-api-key", "k"), ("content-length", "100")];
    assert_eq!(limit("POST", "/v1/trade/buy", &good), Some(100));
    assert_eq!(limit("POST", "/_sandbox/wallets", &good), Some(100));
    assert_eq!(limit("PUT", "/_sandbox/state", &[json, ("x-api-key", "k")]), Some(u32::MAX));
    for (method, path) in [
        ("POST", "/nowhere"),
        ("PUT", "/v1/trade/buy"),
        ("GET", "/_sandbox/state"),
        ("POST", "/_sandbox/reset"),
        ("POST", "/_sandbox/none"),
    ] {
        assert_eq!(limit(method, path, &good), None, "{method} {path}");
    }
    for given in [
        &[json, ("content-length", "1")][..],
        &[("x-api-key", "k"), ("content-length", "1")],
        &[json, ("x-api-key", "k"), ("content-length", "101")],
        &[json, ("x-api-key", "k"), ("origin", "http://evil.example")],
        &[json, ("x-api-key", "k"), ("content-encoding", "gzip")],
    ] {
        assert_eq!(limit("POST", "/v1/trade/buy", given), None, "{given:?}");
    }
}

#[test]
fn a_number_is_a_number_or_its_text_and_null_is_absent() {
    let calls = [
        ("buy", r#""amountInLamports":#1000000000#"#, ""),
        ("sell", r#""amountInToken":#12.5#"#, ""),
        ("sell-by-percentage", r#""percentage":#40#"#, ""),
        ("bundle/buy", r#""amountInLamports":#1000000#"#, "buys"),
        ("bundle/sell", r#""amountInToken":#2.25#"#, "sells"),
        ("bundle/sell/by-percentage", r#""percentage":#1.5#"#, "sells"),
    ];
    let run = |quote: &str, options: &str| -> Vec<String> {
        let mut sandbox = sandbox();
        let replies = calls.iter().map(|(path, amount, list)| {
            let leg = format!(r##""fromWallet":"{ADA}",{amount}"##);
            let legs = match *list {
                "" => leg,
                list => format!(r##""{list}":[{{{leg},"slippage":#1#}},{{{leg}}}],"feePayer":"{BOB}""##),
            };
            let body = format!(r##"{{"mint":"{MINT}",{legs}{options}}}"##).replace('#', quote);
            let answer = post(&mut sandbox, &["/v1/trade/", path].concat(), &body);
            assert_eq!(answer.reply.status, 200, "{body}");
            assert_eq!(
                at(self::body(&answer).root(), "result.transactionResult.success"),
                Data::Bool(true),
                "{body}"
            );
            String::from_utf8(answer.reply.body).expect("text")
        });
        replies.collect()
    };
    let options = r##","slippage":#0.5#,"priorityUnitLimit":#250000#,"priorityUnitPrice":#1000#"##;
    assert_eq!(run("", options), run("\"", options));
    let nulls = r#","slippage":null,"priorityUnitLimit":null,"priorityUnitPrice":null"#;
    assert_eq!(run("", nulls), run("\"", ""));
}

#[test]
fn a_key_is_asked_for_where_it_is_set() {
    let good = buy(ADA, 1_000_000);
    let json = ("content-type", "application/json");
    let tried = |config: Tape, header: (&str, &str)| {
        let mut sandbox = sandbox_with(&config);
        let answer = call(&mut sandbox, Call { headers: &[json, header], body: &good, ..Call::default() });
        let status = answer.reply.status;
        if status == 401 {
            refused(&answer, 401, "the API key is missing or wrong");
            assert!(answer.reply.header("www-authenticate").is_some());
        }
        status
    };
    let own = || object! { "apiKey": "k-123" };
    assert_eq!(tried(own(), ("X-Api-Key", "k-123")), 200);
    for wrong in ["k-12", "k-1234", "K-123", "", "k-123,k-123"] {
        assert_eq!(tried(own(), ("x-api-key", wrong)), 401, "{wrong}");
    }
    assert_eq!(tried(own(), ("authorization", "Bearer k-123")), 401);
    let header = || object! { "apiKey": "k", "apiKeyHeader": "X-Key" };
    assert_eq!(tried(header(), ("x-key", "k")), 200);
    assert_eq!(tried(header(), ("x-api-key", "k")), 401);
    let bearer = || object! { "apiKey": "k", "authorization": "bearer" };
    assert_eq!(tried(bearer(), ("authorization", "bearer k")), 200);
    for wrong in ["k", "Basic k", "Bearer", "Bearer kk", "Bearer k k"] {
        assert_eq!(tried(bearer(), ("authorization", wrong)), 401, "{wrong}");
    }
    assert_eq!(tried(object! {}, ("x-api-key", "any")), 200);
}

#[test]
fn the_key_shows_nowhere() {
    let mut sandbox = sandbox_with(&object! { "apiKey": "sEcReT-value" });
    let answer = call(&mut sandbox, Call::default());
    let shown = format!("{sandbox:?} {answer:?} {} {:?}", sandbox.snapshot(), body(&answer));
    assert!(!shown.contains("sEcReT"));
}

#[test]
fn a_body_may_be_so_long_and_no_longer() {
    let good = buy(ADA, 1_000_000);
    let exact = good.len() as u64;
    let mut sandbox = sandbox_with(&object! { "maxBodyBytes": exact });
    assert_eq!(post(&mut sandbox, "/v1/trade/buy", &good).reply.status, 200);
    let answer = post(&mut sandbox, "/v1/trade/buy", &format!("{good} "));
    refused(&answer, 413, &format!("the body is over {exact} bytes"));
}

#[test]
fn a_rate_limit_goes_by_the_time_handed_in() {
    let config = object! { "rateLimit": object! { "requests": 2u32, "perMs": 1500u32 }, "apiKey": "k" };
    let mut sandbox = sandbox_with(&config);
    let headers = [("content-type", "application/json"), ("x-api-key", "k")];
    let mut at = |now_ms: u64| {
        let answer = call(&mut sandbox, Call { headers: &headers, now_ms, ..Call::default() });
        (answer.reply.status, answer.reply.header("retry-after").map(str::to_owned))
    };
    let limited = |seconds: &str| (429, Some(seconds.to_owned()));
    assert_eq!([at(10_000).0, at(10_001).0], [400, 400]);
    assert_eq!(at(10_001), limited("2"));
    assert_eq!(at(10_600), limited("1"));
    assert_eq!(at(11_499), limited("1"));
    assert_eq!([at(11_500).0, at(11_500).0], [400, 400]);
    assert_eq!(at(11_500), limited("2"));
    // A clock that is set back, or never ran, locks nobody out.
    assert_eq!([at(0).0, at(u64::MAX).0, at(u64::MAX).0], [400, 400, 400]);
    // A request without the key does not count.
    let mut sandbox = sandbox_with(&config);
    for _ in 0..5 {
        assert_eq!(call(&mut sandbox, Call::default()).reply.status, 401);
    }
    assert_eq!(with_headers(&mut sandbox, &headers).reply.status, 400);
}

fn faulty(kinds: &str) -> Sandbox {
    let script: Vec<Tape> = kinds.split(' ').map(|kind| object! { "kind": kind }).collect();
    sandbox_with(&object! { "faults": object! { "script": script } })
}

#[test]
fn faults_come_in_the_order_of_the_script() {
    let good = buy(ADA, 1_000_000);
    let mut sandbox = faulty(
        "none refused rateLimited errorBefore errorAfter noAnswer truncated garbled transactionFails dropped",
    );
    let mut traded = 0;
    // Status, what arrives, whether the body is JSON, whether a trade was made.
    let expected = [
        (200, ReplyCut::None, true, true),
        (503, ReplyCut::NoConnection, true, false),
        (429, ReplyCut::None, true, false),
        (503, ReplyCut::None, true, false),
        (503, ReplyCut::None, true, true),
        (200, ReplyCut::BeforeReply, true, true),
        (200, ReplyCut::WithinBody, false, true),
        (200, ReplyCut::None, false, true),
        (200, ReplyCut::None, true, true),
        (503, ReplyCut::BeforeReply, true, false),
        (200, ReplyCut::None, true, true),
    ];
    for (index, (status, cut, readable, executed)) in expected.into_iter().enumerate() {
        let answer = post(&mut sandbox, "/v1/trade/buy", &good);
        traded += usize::from(executed);
        let found = (answer.reply.status, answer.delivery.cut, json::parse(&answer.reply.body).is_ok());
        assert_eq!(found, (status, cut, readable), "{index}");
        assert_eq!(sandbox.trades().len(), traded, "{index}");
    }
    let failed: Vec<bool> = sandbox.trades().iter().map(|trade| !trade.success).collect();
    assert_eq!(failed, [false, false, false, false, false, true, false]);
    assert!(sandbox.trades()[5].results.starts_with("below_minimum_tokens: "));
    assert_eq!(sandbox.account().level.get(), 6);
}

#[test]
fn a_failure_on_purpose_charges_the_fee_and_moves_nothing() {
    let mut sandbox = faulty("transactionFails");
    let before = sandbox.clone();
    let request = object! {
        "buys": vec![object! { "fromWallet": ADA, "amountInLamports": 5_000u64 }, object! { "fromWallet": BOB, "amountInLamports": 5_000u64 }],
        "mint": MINT, "feePayer": CYD, "priorityUnitLimit": 100_000u64, "priorityUnitPrice": 1_000_001u64,
    };
    let reply = body(&post(&mut sandbox, "/v1/trade/bundle/buy", &json::write(&request)));
    let results = text(reply.root(), "result.transactionResult.results.message");
    assert!(results.starts_with("below_minimum_tokens: ") && results.ends_with(" (buys[0])"), "{results}");
    let fee = 3 * 5_000 + 100_001;
    assert_eq!(sandbox.wallets()[2].lamports, before.wallets()[2].lamports - fee);
    assert_eq!(
        (sandbox.wallets()[..2].to_vec(), sandbox.tokens()),
        (before.wallets()[..2].to_vec(), before.tokens())
    );
}

#[test]
fn faults_by_chance_follow_from_the_seed() {
    let run = |seed: u64| {
        let faults = object! {
            "seed": seed, "chanceBps": 3_000u32,
            "oneOf": vec![
                object! { "kind": "errorAfter", "status": 502u32, "latencyMs": 40u32 },
                object! { "kind": "rateLimited", "retryAfterMs": 2_500u32, "bodyMs": 9u32 },
            ],
        };
        let mut sandbox = sandbox_with(&object! { "faults": faults });
        (0..400).map(|_| post(&mut sandbox, "/v1/trade/buy", &buy(ADA, 1_000_000))).collect::<Vec<_>>()
    };
    let answers = run(1);
    assert_eq!(answers, run(1));
    assert_ne!(answers, run(2));
    let count = |status: u16| answers.iter().filter(|answer| answer.reply.status == status).count();
    assert_eq!(count(200) + count(502) + count(429), 400);
    assert!(
        (30..90).contains(&count(502)) && (30..90).contains(&count(429)),
        "{} {}",
        count(502),
        count(429)
    );
    for answer in &answers {
        let delays = (answer.delivery.latency_ms, answer.delivery.body_ms);
        match answer.reply.status {
            502 => assert_eq!(delays, (40, 0)),
            429 => assert_eq!((delays, answer.reply.header("retry-after")), ((0, 9), Some("3"))),
            _ => assert_eq!(delays, (0, 0)),
        }
    }
}

#[test]
fn settings_are_refused_by_path() {
    let problems = |config: Tape| -> Vec<String> {
        match SandboxConfig::read(config.root()).and_then(Sandbox::new) {
            Ok(_) => Vec::new(),
            Err(problems) => problems.into_iter().map(|problem| problem.message).collect(),
        }
    };
    let wallets = |lamports: u64| {
        vec![object! { "wallet": "a", "lamports": lamports }, object! { "wallet": "a", "lamports": 1u64 }]
    };
    assert_eq!(problems(object! {}), Vec::<String>::new());
    assert_eq!(
        problems(object! {
            "wallet": 1u32,
            "tokens": vec![object! { "mint": 5u32, "supply": "x" }, object! { "curve": object! { "realTokenReserves": 1u64 } }],
            "launchpad": object! { "feeTiers": Vec::<Tape>::new(), "completion": "half", "tokenDecimals": 19u32 },
            "slippageUnit": "pct", "explorerBase": "javascript:alert(1)", "apiKey": "k\n", "apiKeyHeader": "k",
            "authorization": "bearer", "rateLimit": object! { "perMs": 0u32 }, "maxBodyBytes": 0u32,
            "defaultSlippage": object! { "percent": 1u32, "bps": 100u32 },
            "faults": object! { "script": vec![object! { "kind": "fire", "status": 200u32 }] },
            "market": object! { "stepMs": 0u32 },
        }),
        [
            "tokens[0].mint must be a string, not a number",
            "tokens[0].supply must be a decimal number, zero or above",
            "tokens[1].mint is missing",
            "tokens[1].curve.virtualTokenReserves is missing",
            "tokens[1].curve.virtualSolReserves is missing",
            "tokens[1].curve.realSolReserves is missing",
            "launchpad.tokenDecimals must be from 0 to 18",
            "launchpad.completion must be one of reject, partial, pool",
            "market.stepMs must be from 1 to 60000",
            "slippageUnit must be one of percent, bps",
            "defaultSlippage.percent or bps must be given, and only one of them",
            "explorerBase must be an http or https address",
            "maxBodyBytes must be from 1 to 4294967295",
            "rateLimit.requests is missing",
            "rateLimit.perMs must be from 1 to 4294967295",
            "faults.script[0].kind must be one of none, refused, rateLimited, errorBefore, errorAfter, noAnswer, \
             truncated, garbled, transactionFails, dropped",
            "faults.script[0].status must be from 400 to 599",
            "apiKey must be visible ASCII characters",
            "authorization and apiKeyHeader contradict each other",
            "wallet is unknown; did you mean wallets?",
        ]
    );
    assert_eq!(
        problems(object! { "wallets": wallets(u64::MAX), "identifiers": "base58" }),
        [
            "wallets[0].wallet is not 32 bytes in base58",
            "wallets[1].wallet is not 32 bytes in base58",
            "wallets[1].wallet already exists",
            "wallets hold more than 64 bits of lamports",
        ]
    );
    assert_eq!(problems(object! { "tokens": vec![object! { "mint": "M", "supply": 5u64 }] }).len(), 1);
    assert_eq!(
        problems(object! { "identifiers": "base58" }),
        Vec::<String>::new(),
        "the default world has base58 names"
    );
}

/// Text near to a request: real words in wrong places as well as noise.
fn near_request() -> impl Strategy<Value = String> {
    let words = "mint fromWallet buys sells amountInLamports amountInToken percentage slippage feePayer priorityUnitPrice";
    let words: Vec<&str> = words.split(' ').chain([MINT, ADA]).collect();
    let word =
        prop_oneof![12 => prop::sample::select(words).prop_map(str::to_owned), 1 => "[a-z0-9. -]{0,6}"];
    let leaf = prop_oneof![
        Just(Data::Null.to_tape()),
        any::<bool>().prop_map(|is| is.to_tape()),
        word.clone().prop_map(|text| text.to_tape()),
        "-?[0-9]{1,22}(\\.[0-9]{1,12})?(e[0-9]{1,3})?".prop_map(|text| Data::Number(&text).to_tape()),
    ];
    let tree = leaf.prop_recursive(3, 24, 6, move |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(|items| items.to_tape()),
            prop::collection::vec((word.clone(), inner), 0..8).prop_map(|fields| Tape::object(&fields)),
        ]
    });
    tree.prop_map(|value| json::write(&value))
}

proptest! {
    #![proptest_config(seeded::cases(400))]

    #[test]
    fn no_bytes_are_answered_with_a_5xx(
        method in prop_oneof![Just("POST".to_owned()), "\\PC{0,8}"],
        path in prop_oneof![
            prop::sample::select(launchpad_desk::api::endpoint::Operation::ALL.map(|o| o.path().to_owned()).to_vec()),
            "\\PC{0,30}",
        ],
        kind in prop_oneof![Just("application/json".to_owned()), "\\PC{0,20}"],
        body in prop_oneof![
            near_request().prop_map(String::into_bytes),
            prop::collection::vec(any::<u8>(), 0..300),
        ],
        now_ms in any::<u64>(),
    ) {
        let mut sandbox = sandbox_with(&object! { "rateLimit": object! { "requests": 1_000u32 } });
        let headers = [("content-type".to_owned(), kind)];
        let before = sandbox.clone();
        let request = HttpRequest { method: &method, path: &path, headers: &headers, body: &body, now_ms };
        let answer = sandbox.handle(&request);
        prop_assert!([200, 400, 404, 405, 415].contains(&answer.reply.status));
        prop_assert!(json::parse(&answer.reply.body).is_ok());
        let mut again = before.clone();
        prop_assert_eq!(again.handle(&request), answer.clone());
        let mut rebuilt = before;
        rebuilt.apply(&answer.changes).expect("its own changes");
        prop_assert_eq!(rebuilt, sandbox);
    }

    #[test]
    fn no_text_makes_a_snapshot_panic(text in prop_oneof![near_request(), "\\PC{0,200}"], cut in any::<prop::sample::Index>(), byte in "[0-9a-z\"{}\\[\\],:-]") {
        prop_assert!(Sandbox::restore(SandboxConfig::default(), &text).is_err());
        // One letter of a real one changed: read as another state, or refused; never a panic, and never a state
        // that contradicts itself.
        let mut sandbox = sandbox();
        post(&mut sandbox, "/v1/trade/buy", &buy(ADA, 1_000_000_000));
        let mut snapshot = sandbox.snapshot();
        let at = cut.index(snapshot.len());
        snapshot.replace_range(at..=at, &byte);
        if let Ok(mut other) = Sandbox::restore(SandboxConfig::default(), &snapshot) {
            let again = Sandbox::restore(SandboxConfig::default(), &other.snapshot());
            prop_assert_eq!(again.as_ref(), Ok(&other));
            let answer = post(&mut other, "/v1/trade/buy", &buy(BOB, 1_000_000_000));
            prop_assert!(answer.reply.status == 200 || answer.reply.status == 400);
        }
    }
}

#[test]
fn a_snapshot_that_contradicts_itself_is_refused() {
    let mut sandbox = sandbox();
    post(&mut sandbox, "/v1/trade/buy", &buy(ADA, 1_000_000_000));
    let snapshot = sandbox.snapshot();
    let ids = [ADA, BOB].map(|id| format!("\"wallet\":\"{id}\""));
    let version = "version must be 5: another version of this package wrote it";
    let decimals = "tokenDecimals must be 6, as in the configuration";
    let open = "tokenAccounts[0].open must not be false: leave out closed accounts";
    let supply = "tokens[0].supply is less than the curve, wallets and rivals hold in total";
    let price = "tokens[1].virtualSolReserves is zero: no price";
    let json = "the snapshot is not JSON: no comma or ] after an element, at byte 10";
    let account = "\"tokenAccounts\":[{\"wallet\":\"Sim";
    for (from, to, why) in [
        ("\"version\":5", "\"version\":4", version),
        ("\"tokenDecimals\":6", "\"tokenDecimals\":9", decimals),
        ("\"label\":\"Ada\",", "", "wallets[0].label is missing"),
        ("\"label\":\"Ada\"", "\"label\":\"Ada\",\"x\":1", "wallets[0].x is unknown"),
        ("\"open\":true", "\"open\":false", open),
        (&ids[1], &ids[0], "wallets[1].wallet already exists"),
        ("\"supply\":1000000000000000", "\"supply\":7", supply),
        ("\"rivalTokens\":0", "\"rivalTokens\":999999999999999", supply),
        ("\"virtualSolReserves\":30000000000", "\"virtualSolReserves\":0", price),
        ("\"transactions\":1", "\"transactions\":0", "trades[0].transaction is out of order"),
        ("{", "[", json),
        (&[account, "TraderAda"].concat(), account, "tokenAccounts[0].wallet is not one of the wallets"),
    ] {
        assert!(snapshot.contains(from), "{from} is not in {snapshot}");
        let restored = Sandbox::restore(SandboxConfig::default(), &snapshot.replacen(from, to, 1));
        assert_eq!(restored.expect_err(why)[0].message, why);
    }
}

#[test]
fn a_wrong_change_is_refused_and_takes_nothing_in() {
    use launchpad_desk_sandbox::Change;
    let mut sandbox = sandbox();
    let before = sandbox.clone();
    let text = r#"{"kind":"tokenAccount","wallet":"nobody","mint":"M","open":true,"tokens":1,"lamports":2,"isFrozen":false,"staysOpen":false}"#;
    let change = Change::from_json(text).expect("a change by itself");
    assert_eq!(change.to_json(), text);
    assert_eq!(sandbox.apply(&[change]).expect_err("no such wallet").len(), 2);
    assert_eq!(sandbox, before);
    let problems = |text: &str| Change::from_json(text).expect_err("no change")[0].message.clone();
    assert_eq!(problems("{}"), "kind is missing");
    assert_eq!(
        problems(r#"{"kind":"wallets"}"#),
        "kind must be one of account, traffic, wallet, token, tokenAccount, trade, world, crowd, marketTrade, call, faults, reset"
    );
    assert_eq!(
        problems(r#"{"kind":"wallet","wallet":"W","label":"L","lamports":-1,"level":0}"#),
        "lamports must be a decimal number, zero or above"
    );
    assert_eq!(problems("nope"), "the change is not JSON: an unknown word, at byte 0");
}
