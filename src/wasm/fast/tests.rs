//! The fast ways against the plain ones, in Node and in browsers: what the fast ways do say is what the plain ones say.

use js_sys::{Reflect, Uint8Array};
use wasm_bindgen::prelude::*;
use wasm_bindgen_test::wasm_bindgen_test;

use crate::api::decode::{ReplyNames, decode};
use crate::api::encode::encode;
use crate::api::endpoint::Operation;
use crate::api::response::Status;
use crate::api::validate::{Rules, validate};
use crate::json;
use crate::reader;
use crate::value::ToValue;
use crate::wasm::client::BuiltCall;
use crate::wasm::convert::{from_js, property, to_js};
use crate::wasm::fast::{bits, fast_call, fast_trade, start, take_written, verdict};
use crate::wasm::trade::trade_value;

#[wasm_bindgen(module = "/tests/fast/random.js")]
extern "C" {
    #[wasm_bindgen(js_name = requestOf)]
    fn request_of(seed: u32) -> JsValue;
    #[wasm_bindgen(js_name = replyOf)]
    fn reply_of(seed: u32) -> JsValue;
    fn show(value: &JsValue) -> String;
}

fn operation_in(case: &JsValue) -> (JsValue, Operation) {
    let name = property(case, "operation");
    let operation = Operation::from_name(&name.as_string().unwrap()).unwrap();
    (name, operation)
}

#[wasm_bindgen_test]
fn a_request_goes_both_ways_alike() {
    // A test's module does not start by itself.
    start();
    let (mut good, mut refused) = (0, 0);
    for seed in 0..1_000 {
        // Made anew for each way: a getter may say another thing the next time.
        let case = || request_of(seed);
        let (name, operation) = operation_in(&case());
        let rules = reader::read(&from_js(&property(&case(), "rules")), Rules::read).unwrap();
        let fast =
            fast_call(&name, &property(&case(), "request"), bits(&rules), &"https://service.example".into());
        let verdict = verdict(&name, &property(&case(), "request"), bits(&rules));
        assert_eq!(verdict == Some(true), !fast.is_undefined(), "seed {seed}");
        let plain = validate(operation, &from_js(&property(&case(), "request")), &rules);
        match verdict {
            Some(true) => good += 1,
            Some(false) => {
                refused += 1;
                assert!(plain.is_err(), "seed {seed}");
                continue;
            }
            None => continue,
        }
        let plain = plain.unwrap_or_else(|problems| panic!("seed {seed}: {problems:?}, but {}", show(&fast)));
        assert_eq!(plain.warnings(), [], "seed {seed}");
        let call = encode(&plain, rules.slippage_unit);
        let written = take_written();
        let body = json::parse(call.body.as_bytes()).unwrap();
        assert_eq!(written, validate(operation, &body, &rules).ok(), "seed {seed}");
        assert_eq!(take_written(), None, "it is taken once");
        let url = Some(["https://service.example", &call.path].concat());
        let (path, body, warnings) = (call.path, call.body, Vec::new());
        let built = BuiltCall { operation, method: "POST", url, path, body, warnings };
        assert_eq!(show(&fast), show(&to_js(&built.to_value())), "seed {seed}");
    }
    assert!(good > 250, "only {good} went the fast way");
    assert!(refused > 20, "only {refused} were refused the fast way");
}

#[wasm_bindgen_test]
fn a_reply_goes_both_ways_alike() {
    // A test's module does not start by itself.
    start();
    let mut plain_ones = 0;
    for seed in 0..1_000 {
        let case = reply_of(seed);
        let (name, operation) = operation_in(&case);
        let (reply, names) = (property(&case, "reply"), property(&case, "names"));
        let fast = fast_trade(&name, &reply, &names, &JsValue::UNDEFINED);
        // A lone surrogate has no bytes of its own.
        let text = reply.as_string().unwrap();
        let bytes = Uint8Array::from(text.as_bytes());
        let of_bytes = fast_trade(&name, &text.as_str().into(), &names, &bytes);
        assert_eq!(show(&fast), show(&of_bytes), "seed {seed}");
        if fast.is_undefined() {
            continue;
        }
        plain_ones += 1;
        let given = |name| property(&names, name).as_string().unwrap();
        let names = ReplyNames { explorer: given("explorer"), launchpad: given("launchpad") };
        let trade = decode(operation, text.as_bytes(), &names)
            .unwrap_or_else(|error| panic!("seed {seed}: {}, but {}", error.message(), show(&fast)));
        assert_ne!(trade.status, Status::Failed, "seed {seed}");
        assert_eq!(show(&fast), show(&to_js(&trade_value(&trade))), "seed {seed}: {text}");
    }
    assert!(plain_ones > 100, "only {plain_ones} went the fast way");
}

#[wasm_bindgen_test]
fn a_request_read_within_another_takes_the_plain_way() {
    start();
    let nested = js_sys::Function::new_with_args(
        "inner",
        "const leg = (n) => ({ fromWallet: `W${n}`, amountInLamports: n });
        const buys = [leg(1), leg(2)];
        Object.defineProperty(buys[1], 'slippage', { enumerable: true, get() { this.seen = inner(); return 5; } });
        return { mint: 'M', feePayer: 'P', buys };",
    );
    let bits = bits(&Rules::default());
    let inner = Closure::<dyn Fn() -> bool>::new(move || {
        let request = js_sys::JSON::parse(r#"{"mint":"X","fromWallet":"Y","amountInLamports":9}"#).unwrap();
        verdict(&"buy".into(), &request, bits).is_some()
    });
    let request = nested.call1(&JsValue::UNDEFINED, inner.as_ref()).unwrap();
    let call = fast_call(&"bundleBuy".into(), &request, bits, &JsValue::UNDEFINED);
    let body = property(&call, "body").as_string().unwrap();
    assert!(body.contains(r#"[{"fromWallet":"W1","amountInLamports":1,"#), "{body}");
    assert!(body.contains(r#","mint":"M","feePayer":"P","#), "{body}");
    let element = Reflect::get_u32(&property(&request, "buys"), 1).unwrap();
    assert_eq!(property(&element, "seen").as_bool(), Some(false));
}
