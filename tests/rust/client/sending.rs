//! One trade at a time: how it is sent, and what its caller gets.

use std::future::{Future, IntoFuture, ready};
use std::pin::pin;
use std::task::{Context, Waker};
use std::time::Duration;

use crate::launchpads::first_buy;
use launchpad_desk::amount::from_base_units;
use launchpad_desk::bindings::object;
use launchpad_desk::error::WarningCode;
use launchpad_desk::tape::json;
use launchpad_desk::trade::Key;
use launchpad_desk::trade::guard::{Found, Mode, Settings};
use launchpad_desk::trade::reconcile::{Balances, WalletBalances, reconcile};
use launchpad_desk_client::{MemoryJournal, SendOptions, TradeBuilder, TradeError};

use super::*;

const SHORT: Duration = Duration::from_millis(500);

/// How many trades are in flight, and how many unresolved.
fn open(client: &Client<Script>) -> (usize, usize) {
    let guards = client.guards();
    let state = guards.state(0);
    (state.in_flight.len(), state.unresolved.len())
}

fn ends(order: TradeBuilder<'_, Script>) -> (&'static str, &'static str) {
    match block_on(order.into_future()) {
        Ok(traded) => (traded.trade.status.as_str(), ""),
        Err(error) => (error.outcome.as_str(), error.code.as_str()),
    }
}

#[test]
fn a_trade_in_the_sandbox_lands_and_moves_what_it_says() {
    let (sandbox, mint, wallet) = sandbox("{}");
    let client = Client::new(sandbox);
    let traded = block_on(client.buy(BuyRequest::new(&mint, &wallet, 1_000_000_000)).into_future()).unwrap();
    assert_eq!((traded.trade.status, traded.is_simulated), (Status::Landed, true));
    let (bought, whole) = first_buy(1_000_000_000);
    assert_eq!(traded.trade.result.amount.as_ref().unwrap().as_str(), whole);
    let half = SellByPercentageRequest::new(&mint, &wallet, "50%".parse().unwrap());
    let sold = block_on(client.sell_by_percentage(half).into_future()).unwrap();
    assert_eq!(sold.trade.result.amount.as_ref().unwrap().as_str(), from_base_units(bought / 2, 6));
    let tokens: TokenInput = "99.5".parse().unwrap();
    let sold = block_on(client.sell(SellRequest::new(&mint, &wallet, tokens)).into_future()).unwrap();
    assert_eq!(sold.trade.result.amount.as_ref().unwrap().as_str(), "99.5");
    let other = client.transport().sandbox().wallets()[1].wallet.clone();
    let bundle = BundleBuyRequest::new(&mint, &wallet).buy(&wallet, 5_000_000).buy(&other, 7_000_000);
    assert_eq!(block_on(client.bundle_buy(bundle).into_future()).unwrap().trade.status, Status::Landed);
    assert_eq!(client.transport().sandbox().trades().len(), 4);
    let ids = [traded.intent_id, sold.intent_id];
    assert!(ids[0] != ids[1] && ids.iter().all(|id| id.len() == 32), "{ids:?}");
}

#[test]
fn base_units_are_counted_by_the_tokens_own_decimals_or_nothing_is_sent() {
    let (sandbox, mint, wallet) = sandbox(r#"{"launchpad":{"tokenDecimals":9}}"#);
    let client = Client::new(sandbox);
    block_on(client.buy(BuyRequest::new(&mint, &wallet, 1_000_000_000)).into_future()).unwrap();
    let (units, whole) = (TokenInput::BaseUnits(5_000), "0.000005".parse::<TokenInput>().unwrap());
    let sell = |amount: &TokenInput| client.sell(SellRequest::new(&mint, &wallet, *amount));
    let plan = block_on(sell(&units).plan()).unwrap();
    assert_eq!((plan.refused.unwrap().code.as_str(), plan.counted_by), ("other_token_decimals", Some(6)));
    let bundle = BundleSellRequest::new(&mint, &wallet).sell(&wallet, units);
    let refused = [block_on(sell(&units).into_future()), block_on(client.bundle_sell(bundle).into_future())];
    assert!(refused.into_iter().all(|refused| refused.unwrap_err().code.as_str() == "other_token_decimals"));
    assert_eq!(block_on(sell(&whole).into_future()).unwrap().trade.status, Status::Landed);
    assert_eq!(client.transport().sandbox().trades().len(), 2);
}

#[test]
fn each_error_says_whether_it_is_of_a_sandbox() {
    let (sandbox, mint, _) = sandbox("{}");
    let poor = sandbox.sandbox().wallets()[2].wallet.clone();
    let limits = Settings { max_lamports_per_trade: Some(5_000_000_000), ..Settings::default() };
    let client = Client::builder(sandbox).guards(limits).build().unwrap();
    for (request, outcome) in [
        (BuyRequest::new("unknown", &poor, 1_000), "rejected"),
        (BuyRequest::new(&mint, &poor, 4_000_000_000), "failed"),
        (BuyRequest::new(&mint, &poor, 6_000_000_000), "not_sent"),
        (BuyRequest::new("", "", 0), "not_sent"),
    ] {
        let error = block_on(client.buy(request).into_future()).unwrap_err();
        assert_eq!((error.outcome.as_str(), error.is_simulated), (outcome, Some(true)));
    }
    let script = Script::of(&[Does::Answers(503, "{}"), Does::Fails(Lost::Unsent("ECONNREFUSED".into()))]);
    let client = Client::new(script);
    for request in [buy(), buy(), BuyRequest::new("", "", 0)] {
        let error = block_on(client.buy(request).into_future()).unwrap_err();
        assert_eq!(error.is_simulated, Some(false), "{error}");
    }
    let no_service = Client::builder(Script::default()).api_key("two words").build().map(drop).unwrap_err();
    assert_eq!(no_service.is_simulated, None);
}

#[test]
fn each_thing_a_service_does_has_its_outcome() {
    let lost = |lost| Does::Fails(lost);
    for (does, outcome) in [
        (Does::Answers(200, LANDED), ("landed", "")),
        (Does::Answers(202, r#"{"result":{}}"#), ("unconfirmed", "")),
        (Does::Answers(200, FAILED), ("failed", "transaction_failed")),
        (Does::Answers(429, "{}"), ("rejected", "rate_limited")),
        (Does::Answers(503, "{}"), ("unknown", "service_error")),
        (Does::Begins(200), ("unknown", "timeout")),
        // Its body may still tell of a trade.
        (Does::Begins(401), ("unknown", "timeout")),
        (Does::Floods(200), ("unknown", "reply_too_large")),
        (Does::Floods(400), ("unknown", "reply_too_large")),
        (Does::Drips(200), ("unknown", "network_error")),
        (Does::Hangs, ("unknown", "timeout")),
        (lost(Lost::Unsent("ECONNREFUSED".into())), ("not_sent", "connect_failed")),
        (lost(Lost::Broken("ECONNRESET".into())), ("unknown", "network_error")),
        (lost(Lost::Unsupported("no network here".into())), ("not_sent", "unsupported_runtime")),
    ] {
        let script = Script::of(std::slice::from_ref(&does));
        let client = Client::new(script.clone());
        assert_eq!(ends(client.buy(buy()).timeout(SHORT)), outcome, "{does:?}");
        assert_eq!(script.count(), 1);
        assert_eq!(open(&client), (0, usize::from(outcome.0 == "unknown")), "{does:?}");
    }
}

#[test]
fn a_post_has_the_services_headers_and_the_exact_body() {
    let script = Script::default();
    let sending = SendOptions { headers: vec![("x-desk".into(), "eleven".into())], ..SendOptions::default() };
    let builder = Client::builder(script.clone()).api_key(KEY).intent_header("idempotency-key");
    let client = builder.sending(sending).build().unwrap();
    assert_eq!(ends(client.buy(buy()).intent_id("i-1")), ("landed", ""));
    let bearer = Client::builder(script.clone()).api_key(KEY).bearer().build().unwrap();
    assert_eq!(ends(bearer.buy(buy())), ("landed", ""));
    let posts = script.posts.lock().unwrap();
    let header = |name: &str, value: &str| (name.to_owned(), value.to_owned());
    let own = [
        header("x-desk", "eleven"),
        header("content-type", "application/json"),
        header("accept", "application/json"),
        header("x-api-key", KEY),
        header("idempotency-key", "i-1"),
    ];
    assert_eq!(posts[0].headers, own);
    assert_eq!(posts[0].path, "/v1/trade/buy");
    let body = r#"{"mint":"mint","fromWallet":"wallet","amountInLamports":1000,"feePayer":null,"slippage":null,"priorityUnitLimit":null,"priorityUnitPrice":null}"#;
    assert_eq!(posts[0].body, body);
    assert_eq!(posts[1].headers[2], header("authorization", &["Bearer ", KEY].concat()));
}

/// A hook that looks, or fails to.
struct Looks(Vec<WalletBalances>);

impl Hooks for Looks {
    fn before_send<'a>(&'a self, _intent: &'a TradeIntent) -> BoxFuture<'a, Result<Seen, BoxError>> {
        Box::pin(ready(Ok(Some(self.0.clone()))))
    }
}

#[test]
fn what_the_hook_saw_is_in_the_journal_before_the_trade_is_sent_and_settles_it_later() {
    let holds = |tokens, lamports| {
        vec![WalletBalances { tokens: Some(tokens), lamports: Some(lamports), ..super::holds("wallet") }]
    };
    let script = Script::of(&[Does::Fails(Lost::Broken(String::new()))]);
    let witness = Witness { said: script.said.clone(), ..Witness::default() };
    let builder = Client::builder(script.clone()).journal(witness);
    let client = builder.hooks(Looks(holds(0, 9_000_000))).build().unwrap();
    let order = client.buy(buy().priority(200_000, 1_000)).intent_id("a").before(holds(7, 7));
    assert_eq!(ends(order), ("unknown", "network_error"));
    let due = ["recall", "begin a", "send", "settle a unknown"];
    assert_eq!(heard(&script), due);
    let intent = block_on(client.pending()).unwrap().remove(0);
    let before = intent.trade.before.clone().unwrap();
    assert_eq!(before, holds(0, 9_000_000));
    let mut balances = Balances::between(&before, &holds(5, 8_000_000));
    assert_eq!(reconcile(&intent.trade.request().unwrap(), &balances).found, None);
    balances.wallets_shared = false;
    let found = reconcile(&intent.trade.request().unwrap(), &balances).found;
    assert_eq!(found, Some(Found::Landed));
    assert!(block_on(client.acknowledge(intent.id(), found.unwrap())).unwrap());
    assert_eq!(ends(client.buy(buy()).intent_id("a")), ("not_sent", "intent_landed"));
}

#[test]
fn a_wallet_that_does_not_trade_is_refused_by_name() {
    let script = Script::default();
    let client = Client::new(script.clone());
    let order = client.buy(buy()).before(vec![holds("wallet"), holds("walet")]);
    let error = block_on(order.into_future()).unwrap_err();
    let message = "not sent: before[1].wallet is not a wallet of this trade";
    assert_eq!((error.code.as_str(), error.message.as_str()), ("invalid_options", message));
    assert_eq!(error.fields[0].field, "before[1].wallet");

    let client = Client::builder(script.clone()).hooks(Looks(vec![holds("walet")])).build().unwrap();
    let error = block_on(client.buy(buy()).into_future()).unwrap_err();
    let message = "not sent: the hook before the send returned something that cannot be used (before[0].wallet is not a wallet of this trade)";
    assert_eq!((error.code.as_str(), error.message.as_str()), ("hook_failed", message));
    assert_eq!(script.count(), 0);
}

#[test]
fn what_fails_on_the_way_keeps_a_trade_from_being_sent_and_only_the_notes_say_why() {
    let journal = "journal_failed";
    for (fails, code) in [("recall", journal), ("begin", journal), ("before", "hook_failed")] {
        let script = Script::default();
        let client = watched(&script, Witness { fails: Some(fails), ..Witness::default() });
        let error = block_on(client.buy(buy()).into_future()).unwrap_err();
        assert_eq!((error.outcome, error.code.as_str()), (Outcome::NotSent, code));
        assert!(!format!("{error} {error:?}").contains("out of order"));
        if fails == "recall" {
            let told = block_on(client.pending()).unwrap_err().to_string();
            assert_eq!(told, "not sent: the journal could not record it");
        }
        assert!(heard(&script).iter().any(|line| line.contains("out of order")), "{fails}");
        assert_eq!(script.count(), 0);
    }
    // After the trade they change nothing.
    for fails in ["settle", "after"] {
        let script = Script::default();
        let client = watched(&script, Witness { fails: Some(fails), ..Witness::default() });
        assert_eq!(ends(client.buy(buy())), ("landed", ""));
    }
}

#[test]
fn the_caller_has_the_result_by_the_deadline_whatever_hangs() {
    for (hangs, outcome, sent) in [
        ("recall", ("not_sent", "timeout_before_send"), 0),
        ("begin", ("not_sent", "timeout_before_send"), 0),
        ("before", ("not_sent", "timeout_before_send"), 0),
        ("settle", ("landed", ""), 1),
        ("after", ("landed", ""), 1),
    ] {
        let script = Script::default();
        let client = watched(&script, Witness { hangs: Some(hangs), ..Witness::default() });
        assert_eq!(ends(client.buy(buy()).intent_id("a").timeout(SHORT)), outcome, "{hangs}");
        assert_eq!(script.count(), sent);
        let lines = heard(&script);
        let last = lines.last().map(String::as_str);
        match hangs {
            "settle" => assert_eq!(lines[4..], ["settle a landed", "EndNotConfirmed", "after landed"]),
            "after" => assert_eq!(last, Some("HookNotEnded")),
            // An entry that a journal refused, or has not confirmed, is not settled.
            "begin" => assert!(!lines.iter().any(|line| line.starts_with("settle")), "{lines:?}"),
            _ => assert_eq!(last, Some("after not_sent")),
        }
    }
}

/// Hooks of a machine that sleeps before a send, and of which the last never ends.
struct Asleep(Arc<AtomicU64>);

impl Hooks for Asleep {
    fn before_send<'a>(&'a self, _intent: &'a TradeIntent) -> BoxFuture<'a, Result<Seen, BoxError>> {
        self.0.fetch_add(60_000, Ordering::Relaxed);
        Box::pin(ready(Ok(None)))
    }

    fn after_settle<'a>(&'a self, _intent: &'a TradeIntent, _: Settlement) -> BoxFuture<'a, ()> {
        Box::pin(pending())
    }
}

#[test]
fn a_deadline_that_comes_after_the_trade_was_late_by_the_clock_changes_nothing() {
    let script = Script::default();
    let client = Client::builder(script.clone()).hooks(Asleep(script.ahead_ms.clone())).build().unwrap();
    assert_eq!(ends(client.buy(buy()).timeout(SHORT)), ("not_sent", "timeout_before_send"));
    assert_eq!(script.count(), 0);
}

#[test]
fn a_key_is_asked_for_with_each_trade_and_its_failure_is_in_no_text() {
    let script = Script::default();
    let asked = Client::builder(script.clone()).api_key_from(|| async { Ok(Key::new(KEY).unwrap()) });
    assert_eq!(ends(asked.build().unwrap().buy(buy())), ("landed", ""));
    assert!(script.posts.lock().unwrap()[0].headers.contains(&("x-api-key".to_owned(), KEY.to_owned())));
    // A reply that repeats it.
    let echoes = Script::of(&[Does::Answers(401, r#"{"message":"no sk-canary-0123456789"}"#)]);
    let asked = Client::builder(echoes).api_key_from(|| async { Ok(Key::new(KEY).unwrap()) });
    let error = block_on(asked.build().unwrap().buy(buy()).into_future()).unwrap_err();
    assert!(format!("{error:?}").contains("[redacted]") && !format!("{error:?}").contains(KEY));
    let sealed = Client::builder(script.clone()).api_key_from(|| ready(Err("the vault is sealed".into())));
    let error = block_on(sealed.build().unwrap().buy(buy()).into_future()).unwrap_err();
    assert_eq!((error.code, script.count()), (Code::ApiKeyUnavailable, 1));
    assert!(!format!("{error:?}").contains("sealed"));
}

#[test]
fn a_dropped_trade_is_settled_as_what_is_known_of_it() {
    for (hangs, fate) in [(Some("before"), "not_sent"), (None, "unknown")] {
        let script = Script::of(&[Does::Hangs]);
        let client = watched(&script, Witness { hangs, ..Witness::default() });
        let mut order = client.buy(buy()).intent_id("a").into_future();
        let mut context = std::task::Context::from_waker(std::task::Waker::noop());
        assert!(order.as_mut().poll(&mut context).is_pending());
        assert_eq!(open(&client).0, 1);
        drop(order);
        let lines = heard(&script);
        assert_eq!(lines.last(), Some(&format!("after {fate}")));
        // The journal gets a trade right before it is sent.
        assert_eq!(lines.contains(&"settle a unknown".to_owned()), fate == "unknown", "{lines:?}");
        assert_eq!(open(&client), (0, usize::from(fate == "unknown")));
    }
    // One that was never polled was never begun.
    let script = Script::default();
    drop(Client::new(script.clone()).buy(buy()).into_future());
    assert_eq!(script.count(), 0);
}

#[test]
fn guards_hold_for_all_clones_and_an_unresolved_trade_waits_for_acknowledgement() {
    let script = Script::of(&[Does::Fails(Lost::Broken(String::new()))]);
    let limits = Settings { max_lamports_per_day: Some(1_500), count_charges: false, ..Settings::default() };
    let client =
        Client::builder(script.clone()).guards(limits).journal(MemoryJournal::default()).build().unwrap();
    assert_eq!(ends(client.buy(buy()).intent_id("a")), ("unknown", "network_error"));
    assert_eq!(ends(client.clone().buy(buy()).intent_id("a")), ("not_sent", "intent_unknown"));
    assert_eq!(ends(client.buy(buy())), ("not_sent", "over_day_limit"));
    let unresolved = block_on(client.pending()).unwrap();
    assert_eq!((unresolved.len(), unresolved[0].id(), unresolved[0].lamports), (1, "a", 1_000));
    assert!(!block_on(client.acknowledge("b", Found::Landed)).unwrap());
    assert!(block_on(client.acknowledge("a", Found::DidNotLand)).unwrap());
    assert!(!block_on(client.acknowledge("a", Found::Landed)).unwrap());
    assert_eq!(ends(client.buy(buy()).intent_id("a")), ("landed", ""));
    assert_eq!(ends(client.buy(buy()).intent_id("a")), ("not_sent", "intent_landed"));
    block_on(client.halt()).unwrap();
    assert_eq!(client.guards().state(0).mode, Mode::Halted);
    let dry = client.with(|send| send.dry_run = true).unwrap();
    assert_eq!(ends(dry.buy(buy())), ("not_sent", "halted"));
    block_on(client.resume()).unwrap();
    assert_eq!(ends(dry.buy(BuyRequest::new("mint", "wallet", 400))), ("not_sent", "dry_run"));
    assert_eq!(script.count(), 2);
}

#[test]
fn a_trade_that_is_being_acknowledged_is_not_asked_for_at_the_same_time() {
    let script = Script::of(&[Does::Answers(503, "{}")]);
    let witness = Witness { said: script.said.clone(), hangs: Some("settle"), ..Witness::default() };
    let client = Client::builder(script.clone()).gateway().journal(witness).build().unwrap();
    let again = || ends(client.buy(buy()).intent_id("a").timeout(SHORT));
    // It asks to wait for seven seconds, which is too long to ask with the same request.
    assert_eq!(again(), ("unknown", "service_error"));
    {
        let mut first = pin!(client.acknowledge("a", Found::DidNotLand));
        assert!(first.as_mut().poll(&mut Context::from_waker(Waker::noop())).is_pending());
        assert_eq!(again(), ("not_sent", "intent_unknown"));
        assert!(!block_on(client.acknowledge("a", Found::Landed)).unwrap());
        assert_eq!(script.count(), 1);
    }
    // The caller has given that up.
    assert_eq!(again(), ("landed", ""));
    assert_eq!(script.count(), 2);
}

#[test]
fn a_gateways_trade_is_one_whatever_a_journal_has_kept_of_it() {
    let script = Script::default();
    let body = r#"{"mint":"mint","fromWallet":"wallet","amountInLamports":5}"#.to_owned();
    let recalls = vec![TradeIntent { body, ..TradeIntent::from("a") }];
    let witness = Witness { said: script.said.clone(), recalls, ..Witness::default() };
    let client = Client::builder(script.clone()).gateway().journal(witness).build().unwrap();
    assert!(block_on(client.pending()).unwrap()[0].trade.through_gateway);
    assert!(block_on(client.acknowledge("a", Found::DidNotLand)).unwrap());
    assert_eq!(heard(&script), ["recall", "settle a did_not_land through a gateway"]);
}

#[test]
fn what_cannot_be_used_is_refused_by_name() {
    let refused = |error: TradeError| {
        assert_eq!((error.outcome, error.intent_id.as_deref()), (Outcome::NotSent, None));
        (error.code.as_str(), error.to_string())
    };
    let client = Client::new(Script::default());
    let of = |order: TradeBuilder<'_, Script>| refused(block_on(order.into_future()).unwrap_err());
    let message = "not sent: amountInLamports must be above zero";
    assert_eq!(of(client.buy(BuyRequest::new("mint", "wallet", 0))), ("invalid_request", message.to_owned()));
    let option = |what: &str| ("invalid_options", ["not sent: ", what].concat());
    assert_eq!(of(client.buy(buy()).intent_id("")), option("intent_id is empty"));
    let range = option("timeout must be from 1 ms to 2147483647 ms");
    assert_eq!(of(client.buy(buy()).timeout(Duration::ZERO)), range);
    assert_eq!(refused(client.with(|send| send.timeout = Duration::MAX).unwrap_err()), range);
    let retries = client.with(|send| send.retry_not_sent = 11).unwrap_err();
    assert_eq!(refused(retries), option("retry_not_sent must be from 0 to 10"));
    let asking = client.with(|send| send.ask_again_within = Duration::MAX).unwrap_err();
    assert_eq!(refused(asking), option("ask_again_within must be at most 2147483647 ms"));
    let bytes = client.with(|send| send.max_reply_bytes = 0).unwrap_err();
    assert_eq!(refused(bytes), option("max_reply_bytes must be from 1 to 16777216"));
    let builder = || Client::builder(Script::default());
    let key = option("api_key must have at least 8 characters");
    assert_eq!(refused(builder().api_key("short").build().unwrap_err()), key);
    let header = option("intent_header is the header of the API key");
    assert_eq!(refused(builder().intent_header("X-Api-Key").build().unwrap_err()), header);
    let header = option("api_key_header is a header that the request needs for itself");
    assert_eq!(refused(builder().api_key_header("Accept").build().unwrap_err()), header);
    let with = |name: &str, value: &str| client.with(|send| send.headers = vec![(name.into(), value.into())]);
    let header = option("headers must map header names, other than the client's own, to visible ASCII");
    assert_eq!(refused(with("a b", "").unwrap_err()), header);
    assert_eq!(refused(with("a", "\n").unwrap_err()), header);
    let header =
        option("headers must not name a header twice, nor the header of the API key or the intent id");
    assert_eq!(refused(with("X-API-KEY", "x").unwrap_err()), header);
}

#[test]
fn a_json_text_trades_too_and_warnings_come_back() {
    let client = Client::new(Script::default());
    let request = object! { "mint": "M", "fromWallet": "W", "amountInLamports": "5", "slippage": 500u32 };
    let request = json::parse(json::write(&request).as_bytes()).unwrap();
    let traded = block_on(client.trade(Operation::Buy, request.root()).into_future()).unwrap();
    assert_eq!(traded.warnings[0].code, WarningCode::SlippageUnit);
}

#[test]
fn an_order_can_go_to_another_thread() {
    fn can_be_spawned(_: impl Send + 'static) {}
    let client = Client::new(Script::default());
    can_be_spawned(async move { client.buy(buy()).await });
}

/// A gateway that answers each GET with the next of these, and records the requests.
struct Records(Mutex<VecDeque<(u16, &'static str)>>, Script);

impl Transport for Records {
    type Reply = <Script as Transport>::Reply;

    fn destination(&self) -> Destination {
        self.1.destination()
    }

    async fn send(&self, post: Post) -> Result<Self::Reply, Lost> {
        self.1.send(post).await
    }

    async fn get(&self, get: Get) -> Result<Self::Reply, Lost> {
        say(&self.1.said, format!("get {}", get.path));
        let (status, body) = self.0.lock().unwrap().pop_front().unwrap();
        Ok(answering(status, body))
    }

    async fn sleep(&self, ms: u32) {
        if ms > 60_000 {
            std::future::pending().await
        }
    }
}

#[test]
fn a_client_waits_for_what_a_gateway_decides_and_sends_nothing() {
    let open = r#"{"intentId":"a/b","operation":"buy","state":"awaiting_approval"}"#;
    let landed = r#"{"intentId":"a/b","operation":"buy","state":"ended","answer":{"status":200,"body":"{\"result\":{\"transactionResult\":{\"success\":true}}}"}}"#;
    let script = Script::default();
    let records = Records(Mutex::new([(200, open), (503, ""), (200, landed)].into()), script.clone());
    let client = Client::builder(records).gateway().build().unwrap();
    let traded = block_on(client.wait_for("a/b").into_future()).unwrap();
    assert_eq!((traded.trade.status, traded.intent_id.as_str()), (Status::Landed, "a/b"));
    assert_eq!(*script.said.lock().unwrap(), vec!["get /v1/intents/a%2Fb"; 3]);
    let refused = |client: &Client<Records>, id| block_on(client.wait_for(id).into_future()).unwrap_err();
    assert_eq!(refused(&client, "").message, "not sent: intent_id is empty");
    let service = Client::new(Records(Mutex::default(), script.clone()));
    let message = "not sent: gateway is needed: only a gateway remembers intents";
    assert_eq!(refused(&service, "a/b").message, message);
    let other = Client::builder(Script::default()).gateway().intent_header("x-id").build().map(drop);
    let message =
        "not sent: intent_header and gateway contradict each other: a gateway has a header of its own";
    assert_eq!(other.unwrap_err().message, message);
    // A transport that only sends.
    let sends = Client::builder(Script::default()).gateway().build().unwrap();
    let error = block_on(sends.wait_for("a/b").into_future()).unwrap_err();
    assert_eq!(error.code, Code::UnsupportedRuntime);
    assert_eq!(error.message, "not sent: this transport only sends trades");
}
