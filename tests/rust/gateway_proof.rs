//! A gateway's intents in doubt, settled by the chain around a sandbox: answers and requests that get lost, services that hold a trade
//! back, crashes at every place, nodes that lag, and operators who settle in between. What it proves is what the sandbox did.

use std::collections::BTreeMap;

use crate::gateway::revived;
use crate::rents;

use launchpad_desk::amount::SlippageUnit;
use launchpad_desk::api::endpoint::{Operation, Reply};
use launchpad_desk::chain::address::Address;
use launchpad_desk::launchpad::plan::SplitMix64;
use launchpad_desk::tape::{ToTape, json};
use launchpad_desk_gateway::{
    Account, Fetched, Forward, ForwardResult, Gateway, GatewayChange, GatewayRequest, GatewaySettings,
    GatewayStep, token_hash,
};
use launchpad_desk_sandbox::local_chain::{ChainFaults, LocalChain};
use launchpad_desk_sandbox::{HttpRequest, RateLimit, Sandbox, SandboxConfig};
use serde_json::Value;

const START_MS: u64 = 1_800_000_000_000;
const HOLDS_MS: u64 = 10_000;
const SECRET: &str = "key-of-the-node";

fn settings() -> GatewaySettings {
    let (bot, operator) = (token_hash("bot-token"), token_hash("operator-token"));
    let text = format!(
        r#"{{
            "upstream": "https://service.example",
            "chain": {{ "walletsShared": false, "serviceHoldsMs": {HOLDS_MS} }},
            "desks": [{{ "name": "alpha", "approval": {{ "overSlippage": 5 }} }}],
            "callers": [
                {{ "name": "bot", "desk": "alpha", "tokenSha256": "{bot}" }},
                {{ "name": "eve", "desk": "alpha", "tokenSha256": "{operator}", "role": "operator" }}
            ]
        }}"#
    );
    let url = format!("https://rpc.example/?api-key={SECRET}");
    GatewaySettings::read(&text).unwrap().with_rpc(Some(&url)).unwrap()
}

/// What becomes of a forward.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fate {
    Answered,
    ReplyLost,
    RequestLost,
    /// The gateway stops before the service has it, and the service never gets it.
    CrashedBefore,
    CrashedAfter,
}

struct World {
    gateway: Gateway,
    store: BTreeMap<String, String>,
    sandbox: Sandbox,
    chain: LocalChain,
    now_ms: u64,
    /// Whether the node is silent.
    is_silent: bool,
    /// What the sandbox did with each intent that it got: whether it landed, and the signature.
    truth: BTreeMap<String, (bool, String)>,
    sent: BTreeMap<String, u32>,
    alarm_at_ms: Option<u64>,
}

impl World {
    fn new(faults: ChainFaults) -> World {
        World::of("{}", settings(), faults)
    }

    fn of(sandbox: &str, settings: GatewaySettings, faults: ChainFaults) -> World {
        let config = SandboxConfig::read(json::parse(sandbox.as_bytes()).unwrap().root()).unwrap();
        let sandbox = Sandbox::new(config).unwrap();
        let chain = LocalChain::of(&sandbox, faults, START_MS);
        let (store, now_ms) = (BTreeMap::new(), START_MS + 60_000);
        let (gateway, start) = revived(settings, &store, now_ms);
        let mut world = World {
            gateway,
            store,
            sandbox,
            chain,
            now_ms,
            is_silent: false,
            truth: BTreeMap::new(),
            sent: BTreeMap::new(),
            alarm_at_ms: None,
        };
        world.written(start);
        world
    }

    fn written(&mut self, moved: GatewayChange) -> GatewayStep {
        for row in moved.rows {
            match row.row {
                Some(text) => {
                    assert!(!text.contains(SECRET), "the node's key is in a row");
                    self.store.insert(row.key, text);
                }
                None => drop(self.store.remove(&row.key)),
            }
        }
        self.alarm_at_ms = moved.alarm_at_ms;
        moved.step
    }

    fn crash(&mut self) {
        let (gateway, start) = revived(settings(), &self.store, self.now_ms);
        self.gateway = gateway;
        self.written(start);
        assert!(self.store["head"].ends_with("\"broken\":null}"), "{}", self.store["head"]);
    }

    /// What comes of a call to the node.
    fn node(&mut self, body: &str) -> ForwardResult {
        self.now_ms += 50;
        if self.is_silent {
            return ForwardResult::Timeout;
        }
        ForwardResult::Reply(self.chain.answer(body.as_bytes(), self.now_ms))
    }

    /// A request, until it is answered or forwarded.
    fn asked(&mut self, method: &str, path: &str, token: &str, key: Option<&str>, body: &str) -> GatewayStep {
        let headers = headers(token, key);
        let request = GatewayRequest { method, path, headers: &headers, body: Some(body.as_bytes()) };
        let (mut look, mut rows): (Option<ForwardResult>, Option<Vec<String>>) = (None, None);
        for _ in 0..5 {
            let texts: Option<Vec<&str>> =
                rows.as_ref().map(|rows| rows.iter().map(String::as_str).collect());
            let fetched = Fetched { rows: texts.as_deref(), look: look.as_ref() };
            let moved = self.gateway.request_with(self.now_ms, &self.now_ms.to_le_bytes(), &request, fetched);
            match self.written(moved) {
                GatewayStep::Read { from, until } => {
                    rows = Some(self.store.range(from..until).map(|(_, row)| row.clone()).collect());
                }
                GatewayStep::Look(call) => {
                    assert!(call.url.contains(SECRET));
                    look = Some(self.node(&call.body));
                    rows = None;
                }
                step => return step,
            }
        }
        panic!("{path} is never answered");
    }

    fn answered(&mut self, method: &str, path: &str, token: &str, key: Option<&str>, body: &str) -> Reply {
        match self.asked(method, path, token, key, body) {
            GatewayStep::Answer(reply) => reply,
            step => panic!("{path}: {step:?}"),
        }
    }

    /// The service gets a trade.
    fn service(&mut self, id: &str, operation: Operation, body: &str) -> Reply {
        let headers = [("content-type".into(), "application/json".into())];
        let (path, body, now_ms) = (operation.path(), body.as_bytes(), self.now_ms);
        let answer =
            self.sandbox.answer(&HttpRequest { method: "POST", path, headers: &headers, body, now_ms });
        self.chain.follow(&answer.changes, self.now_ms);
        self.sandbox.take(&answer.changes);
        let trade = self.sandbox.trades().last().expect("a trade");
        let landed = String::from_utf8_lossy(&answer.reply.body).contains("\"success\":true");
        self.truth.insert(id.to_owned(), (landed, trade.signature.clone()));
        answer.reply
    }

    fn forward(&mut self, operation: Operation, forward: &Forward, fate: Fate, held_ms: u64) {
        let id = forward.id.clone();
        *self.sent.entry(id.clone()).or_default() += 1;
        assert_eq!(self.sent[&id], 1, "{id} was forwarded twice");
        if fate == Fate::CrashedBefore {
            return self.crash();
        }
        self.now_ms += held_ms;
        let reply = (fate != Fate::RequestLost).then(|| self.service(&id, operation, &forward.body));
        if fate == Fate::CrashedAfter {
            return self.crash();
        }
        let result = match (fate, reply) {
            (Fate::Answered, Some(reply)) => ForwardResult::Reply(reply),
            _ => ForwardResult::Broken,
        };
        let moved = self.gateway.forwarded(self.now_ms, &id, result);
        self.written(moved);
    }

    /// The alarm, if it is due. `crash_at` is the call to the node after which the gateway stops.
    fn alarm(&mut self, crash_at: Option<u32>) {
        if self.alarm_at_ms.is_none_or(|at_ms| at_ms > self.now_ms) {
            return;
        }
        let moved = self.gateway.alarm(self.now_ms);
        let mut step = self.written(moved);
        for calls in 0..10_000 {
            if crash_at == Some(calls) {
                return self.crash();
            }
            let moved = match step {
                GatewayStep::Nothing => return,
                GatewayStep::Inquire { id, keys } => {
                    let rows: Vec<String> =
                        keys.iter().filter_map(|key| self.store.get(key).cloned()).collect();
                    let rows: Vec<&str> = rows.iter().map(String::as_str).collect();
                    self.gateway.inquire(self.now_ms, &id, &rows)
                }
                GatewayStep::Ask { number, call } => {
                    let result = self.node(&call.body);
                    // A reply that comes twice, or to another call, changes nothing.
                    let stray = self.gateway.replied(self.now_ms, number + 1, &result);
                    assert!(stray.rows.is_empty() && stray.step == GatewayStep::Nothing);
                    self.gateway.replied(self.now_ms, number, &result)
                }
                other => panic!("{other:?}"),
            };
            step = self.written(moved);
            self.check();
        }
        panic!("an alarm never ends");
    }

    /// What the chain has proven is what the sandbox did.
    fn check(&self) {
        for (key, row) in self.store.iter().filter(|(key, _)| key.starts_with("intent\n")) {
            let row: Value = serde_json::from_str(row).unwrap();
            let id = key.trim_start_matches("intent\n");
            if row["isProven"] != true {
                continue;
            }
            let text = |name| row[name].as_str().unwrap_or_default();
            let (outcome, signature) = (text("outcome"), text("signature"));
            match self.truth.get(id) {
                None => assert_eq!(outcome, "did_not_land", "{id}"),
                Some((true, own)) => assert_eq!((outcome, signature), ("landed", own.as_str()), "{id}"),
                Some((false, own)) => assert_eq!((outcome, signature), ("failed", own.as_str()), "{id}"),
            }
        }
    }

    /// How each intent ended: `landed*` if it is proven.
    fn end(&self, id: &str) -> String {
        let row: Value = serde_json::from_str(&self.store[&format!("intent\n{id}")]).unwrap();
        let star = if row["isProven"] == true { "*" } else { "" };
        row["outcome"].as_str().unwrap_or_default().to_owned() + star
    }

    fn wait(&mut self, ms: u64) {
        let until_ms = self.now_ms + ms;
        while self.now_ms < until_ms {
            self.now_ms = self.alarm_at_ms.unwrap_or(u64::MAX).clamp(self.now_ms + 1, until_ms);
            self.alarm(None);
        }
    }

    fn mint(&self) -> String {
        self.sandbox.tokens()[0].mint.clone()
    }

    fn wallet(&self, place: usize) -> String {
        self.sandbox.wallets()[place].wallet.clone()
    }

    fn body(&self, wallet: usize, lamports: u64) -> String {
        let (mint, wallet) = (self.mint(), self.wallet(wallet));
        format!(r#"{{"mint":"{mint}","fromWallet":"{wallet}","amountInLamports":{lamports}}}"#)
    }

    fn buy(&mut self, key: &str, wallet: usize, lamports: u64, fate: Fate) {
        let forward = self.forwarding(key, &self.body(wallet, lamports));
        self.forward(Operation::Buy, &forward, fate, 0);
    }

    fn forwarding(&mut self, key: &str, body: &str) -> Forward {
        match self.asked("POST", "/v1/trade/buy", "bot-token", Some(key), body) {
            GatewayStep::Forward(forward) => forward,
            step => panic!("{step:?}"),
        }
    }

    fn lamports(&self) -> u128 {
        self.gateway.lamports(&Account::of(None, None), self.now_ms)
    }
}

fn headers(token: &str, key: Option<&str>) -> Vec<(String, String)> {
    let mut headers = vec![("authorization".to_owned(), format!("Bearer {token}"))];
    headers.push(("content-type".to_owned(), "application/json".to_owned()));
    headers.extend(key.map(|key| ("idempotency-key".to_owned(), key.to_owned())));
    headers
}

#[test]
fn a_service_that_got_a_trade_late_holds_it_from_then_on() {
    let mut own = settings();
    own.timeout_ms = 240_000;
    let mut world = World::of("{}", own, ChainFaults::default());
    let body = world.body(0, 1_000_000_000);
    let forward = world.forwarding("late", &body);
    // Its connection opened at the last moment, and broke once the request was written.
    world.now_ms += 239_999;
    let moved = world.gateway.forwarded(world.now_ms, &forward.id, ForwardResult::Broken);
    world.written(moved);
    // The blockhash that the service took in time lives for a minute.
    world.wait(HOLDS_MS + 59_000);
    assert_eq!(world.end("bot/late"), "unknown");
    world.service("bot/late", Operation::Buy, &body);
    world.wait(300_000);
    assert_eq!(world.end("bot/late"), "landed*");
}

/// More than any wallet has.
const TOO_MUCH: u64 = 900_000_000_000_000;

#[test]
fn lost_answers_and_crashes_are_settled_as_the_sandbox_has_them() {
    let mut world = World::new(ChainFaults::default());
    world.buy("landed", 0, 1_000_000_000, Fate::ReplyLost);
    world.buy("never", 1, 250_000_000, Fate::CrashedBefore);
    world.buy("failed", 2, TOO_MUCH, Fate::ReplyLost);
    let in_doubt = world.lamports();
    world.wait(30_000);
    let ends = |world: &World| ["landed", "never", "failed"].map(|key| world.end(&format!("bot/{key}")));
    assert_eq!(ends(&world), ["landed*", "unknown", "unknown"]);
    world.wait(300_000);
    assert_eq!(ends(&world), ["landed*", "did_not_land*", "failed*"]);
    let released = 250_000_000 + u128::from(TOO_MUCH);
    // Beside their amounts both counted what a first buy opens, and its signature, which the failed one has paid.
    let released = released + 2 * u128::from(rents::first_buy()) + 5_000;
    assert_eq!(world.lamports(), in_doubt - released, "only what landed counts");
    world.buy("crashed", 0, 500_000_000, Fate::CrashedAfter);
    world.wait(60_000);
    assert_eq!(world.end("bot/crashed"), "landed*");

    // The caller gets the answer in the service's form, with what moved.
    let body = world.body(0, 1_000_000_000);
    let reply = world.answered("POST", "/v1/trade/buy", "bot-token", Some("landed"), &body);
    let answer: Value = serde_json::from_slice(&reply.body).unwrap();
    assert_eq!(
        (reply.status, answer["result"]["signature"].as_str()),
        (200, Some(&*world.truth["bot/landed"].1))
    );
    let tokens = world.sandbox.trades()[0].legs[0].tokens;
    let bought = launchpad_desk::amount::decimal_text(tokens.into(), 6);
    let text = String::from_utf8(reply.body.clone()).unwrap();
    let moved = format!(r#""buyAmount":{bought},"preTokenBalance":0,"postTokenBalance":{bought}"#);
    assert!(text.contains(&moved), "{text}");
    // It is in the log, with its evidence.
    let is_proof =
        |row: &&String| row.contains(r#""act":"evidence""#) && row.contains(r#""outcome":"landed""#);
    assert_eq!(world.store.values().filter(is_proof).count(), 2);
}

#[test]
fn a_node_that_is_silent_or_lags_proves_nothing_and_stops_nothing() {
    let mut world = World::new(ChainFaults::default());
    world.is_silent = true;
    world.buy("blind", 0, 1_000_000_000, Fate::ReplyLost);
    world.is_silent = false;
    world.buy("resting", 1, 1_000_000_000, Fate::ReplyLost);
    world.now_ms += 31_000;
    world.buy("seen", 2, 5_000_000, Fate::ReplyLost);
    world.wait(300_000);
    let ends = ["blind", "resting", "seen"].map(|key| world.end(&format!("bot/{key}")));
    assert_eq!(ends, ["unknown", "unknown", "landed*"]);
    let reply = world.answered("GET", "/desk", "operator-token", None, "");
    assert_eq!(reply.status, 200);

    let mut world =
        World::new(ChainFaults { refuse_methods: vec!["getTransaction".into()], ..ChainFaults::default() });
    world.buy("open", 0, 1_000_000_000, Fate::ReplyLost);
    world.wait(60_000);
    let reply = world.answered("GET", "/desk", "operator-token", None, "");
    let text = String::from_utf8(reply.body).unwrap();
    assert!(text.contains("\"reason\":\"transaction_unread\""), "{text}");
    world.chain.set_faults(ChainFaults::default());
    world.wait(60_000);
    assert_eq!(world.end("bot/open"), "landed*");
}

#[test]
fn trades_of_one_wallet_are_told_apart_by_their_signatures_after_a_restart_too() {
    for is_restarted in [false, true] {
        let mut world = World::new(ChainFaults::default());
        world.buy("lost", 0, 100_000_000, Fate::RequestLost);
        world.now_ms += 1_000;
        world.buy("made", 0, 100_000_000, Fate::Answered);
        if is_restarted {
            world.crash();
        }
        world.wait(400_000);
        let ends = ["bot/lost", "bot/made"].map(|id| world.end(id));
        assert_eq!(ends, ["did_not_land*", "landed"], "{is_restarted}");
        assert_eq!(world.lamports(), 100_000_000 + u128::from(rents::first_buy()) + 5_000);
    }
}

#[test]
fn a_trade_that_was_forgotten_by_a_wrong_clock_is_still_another_trade_by_its_slot() {
    let mut world = World::new(ChainFaults::default());
    world.buy("made", 0, 100_000_000, Fate::Answered);
    world.now_ms += 1_000;
    // It begins before the transaction of the other is final.
    world.buy("lost", 0, 100_000_000, Fate::RequestLost);
    // As a clock that was ten days behind when it was sent has recorded it: once that is right, its time is over.
    let row = world.store.get_mut("intent\nbot/made").unwrap();
    let mut made: Value = serde_json::from_str(row).unwrap();
    for name in ["atMs", "sentAtMs"] {
        made[name] = (made[name].as_u64().unwrap() - 864_000_000).into();
    }
    *row = made.to_string();
    world.crash();
    for _ in 0..2 {
        world.wait(400_000);
        assert!(!world.store.contains_key("intent\nbot/made"), "it is forgotten");
        assert_eq!(world.end("bot/lost"), "unknown");
        world.crash();
    }
}

#[test]
fn a_request_is_forwarded_once_whatever_happens_while_its_wallets_are_looked_at() {
    let mut world = World::new(ChainFaults::default());
    let [trade, planned, wide] = [(0, 5), (1, 5), (2, 10)].map(|(place, slippage)| {
        world.body(place, 5_000_000).replace('}', &format!(r#","slippage":{slippage}}}"#))
    });
    let plan = format!(r#"{{"operation":"buy","request":{planned}}}"#);
    let made = world.answered("POST", "/v1/plans", "bot-token", None, &plan);
    // It has the price of what would be bought now, by the node.
    let told = json::parse(&made.body).unwrap();
    let price = told.root().get("price").unwrap();
    let asked = json::parse(planned.as_bytes()).unwrap();
    let expected =
        world.sandbox.quote(Operation::Buy, asked.root()).unwrap().view(6).to_tape().with_text_figures();
    for name in ["legs", "wallets", "networkFeeLamports"] {
        let [of_node, own] = [price, expected.root()].map(|of| json::write(&of.get(name).unwrap().to_tape()));
        assert_eq!(of_node, own, "{name}");
    }
    assert!(price.get("slot").is_some_and(|slot| !slot.is_null()));
    world.is_silent = true;
    let blind = world.answered("POST", "/v1/plans", "bot-token", None, &plan);
    let told: Value = serde_json::from_slice(&blind.body).unwrap();
    assert_eq!(told["priceProblem"], "it has no price now: the node did not answer in time");
    assert_eq!((blind.status, told.get("price")), (201, Some(&Value::Null)));
    world.is_silent = false;
    let sends = format!("{}/send", made.header("location").unwrap());
    let waiting = world.answered("POST", "/v1/trade/buy", "bot-token", Some("wide"), &wide);
    assert_eq!(waiting.status, 202);
    let approval = r#"{"caller":"bot","intentId":"wide"}"#;
    for (path, token, key, body) in [
        ("/v1/trade/buy", "bot-token", Some("key"), trade.as_str()),
        (&sends, "bot-token", None, "{}"),
        ("/desk/approve", "operator-token", None, approval),
    ] {
        let headers = headers(token, key);
        let request = GatewayRequest { method: "POST", path, headers: &headers, body: Some(body.as_bytes()) };
        let ask = |world: &mut World, look: Option<&ForwardResult>| {
            let fetched = Fetched { look, ..Fetched::default() };
            let moved = world.gateway.request_with(world.now_ms, &[7; 32], &request, fetched);
            world.written(moved)
        };
        // It stops while the node is asked: nothing was sent, and nothing is lost.
        let GatewayStep::Look(_) = ask(&mut world, None) else { panic!("{path}") };
        world.crash();
        // It is asked twice, and both ask the node.
        let GatewayStep::Look(call) = ask(&mut world, None) else { panic!("{path}") };
        let GatewayStep::Look(_) = ask(&mut world, None) else { panic!("{path}") };
        let result = world.node(&call.body);
        let GatewayStep::Forward(forward) = ask(&mut world, Some(&result)) else { panic!("{path}") };
        match ask(&mut world, Some(&result)) {
            GatewayStep::Wait { .. } => {}
            GatewayStep::Answer(reply) => assert_eq!((path, reply.status), ("/desk/approve", 422)),
            step => panic!("{path}: {step:?}"),
        }
        world.forward(Operation::Buy, &forward, Fate::CrashedAfter, 0);
    }
    world.wait(60_000);
    assert_eq!(world.truth.len(), 3);
    for id in world.truth.keys() {
        assert_eq!(world.end(id), "landed*", "{id}");
    }
}

#[test]
fn a_price_reads_the_slippage_in_the_unit_of_the_service() {
    let mut own = settings();
    own.dialect.rules.slippage_unit = SlippageUnit::Bps;
    let mut world = World::of("{}", own, ChainFaults::default());
    let request = world.body(0, 5_000_000).replace('}', r#","slippage":50}"#);
    let plan = format!(r#"{{"operation":"buy","request":{request}}}"#);
    let made = world.answered("POST", "/v1/plans", "bot-token", None, &plan);
    let told: Value = serde_json::from_slice(&made.body).unwrap();
    let leg = &told["price"]["legs"][0];
    let half = json::parse(request.replace("50}", "0.5}").as_bytes()).unwrap();
    let due = world.sandbox.quote(Operation::Buy, half.root()).unwrap().view(6);
    assert_eq!(leg["slippagePercent"], "0.5");
    assert_eq!(leg["worstTokenAmount"], due.legs[0].worst_token_amount.as_str());
}

#[test]
fn all_that_waits_is_priced_by_one_call_whose_reply_names_its_accounts() {
    let mut world = World::new(ChainFaults { refuse_batches: true, ..ChainFaults::default() });
    let mint = world.mint();
    // One call has room for the accounts of 24 wallets.
    for place in 0..26u8 {
        let wallet =
            if place < 2 { world.wallet(place.into()) } else { Address::new([place; 32]).to_string() };
        let lamports = 1_000_000 * (1 + u64::from(place));
        let amount = format!(r#""amountInLamports":{lamports},"slippage":10"#);
        let buy = format!(r#"{{"mint":"{mint}","fromWallet":"{wallet}",{amount}}}"#);
        let reply = world.answered("POST", "/v1/trade/buy", "bot-token", Some(&format!("t{place}")), &buy);
        assert_eq!(reply.status, 202);
    }
    let priced = |reply: &Reply| -> BTreeMap<String, (Value, Value)> {
        let told: Value = serde_json::from_slice(&reply.body).unwrap();
        let waiting = told["awaitingApproval"].as_array().unwrap().iter();
        let id = |trade: &Value| trade["intentId"].as_str().unwrap().to_owned();
        let price = |trade: &Value| (trade["price"]["legs"].clone(), trade["priceProblem"].clone());
        waiting.map(|trade| (id(trade), price(trade))).collect()
    };
    let shown = world.answered("GET", "/desk", "operator-token", None, "");
    let all = priced(&shown);
    let unpriced: Vec<&str> =
        all.iter().filter(|(_, (legs, _))| legs.is_null()).map(|(id, _)| id.as_str()).collect();
    assert_eq!(unpriced, ["t24", "t25"]);
    let full = "it has no price now: so many trades wait that only the oldest are priced";
    assert_eq!(all["t25"].1, full);

    // While the node is asked, the oldest is denied: the others keep the prices of their own accounts.
    let headers = headers("operator-token", None);
    let request = GatewayRequest { method: "GET", path: "/desk", headers: &headers, body: Some(b"") };
    let moved = world.gateway.request_with(world.now_ms, &[7; 32], &request, Fetched::default());
    let GatewayStep::Look(call) = world.written(moved) else { panic!() };
    let denial = r#"{"caller":"bot","intentId":"t0"}"#;
    let denied = world.answered("POST", "/desk/deny", "operator-token", None, denial);
    assert_eq!(denied.status, 200);
    let result = world.node(&call.body);
    let fetched = Fetched { look: Some(&result), ..Fetched::default() };
    let moved = world.gateway.request_with(world.now_ms, &[7; 32], &request, fetched);
    let GatewayStep::Answer(shown) = world.written(moved) else { panic!() };
    let mut rest = all;
    rest.remove("t0");
    assert_eq!(priced(&shown), rest);
}

#[test]
fn an_operator_who_settles_while_the_node_is_asked_has_the_last_word() {
    let mut world = World::new(ChainFaults::default());
    world.buy("given-up", 0, 5_000_000, Fate::ReplyLost);
    world.now_ms += 30_000;
    let moved = world.gateway.alarm(world.now_ms);
    let GatewayStep::Inquire { id, keys } = world.written(moved) else { panic!() };
    assert_eq!((id.as_str(), keys.len()), ("bot/given-up", 0));
    let moved = world.gateway.inquire(world.now_ms, &id, &[]);
    let mut step = world.written(moved);
    let body = r#"{"caller":"bot","intentId":"given-up","found":"did_not_land"}"#;
    let reply = world.answered("POST", "/desk/settle", "operator-token", None, body);
    assert_eq!(reply.status, 200);
    while let GatewayStep::Ask { number, call } = step {
        let result = world.node(&call.body);
        let moved = world.gateway.replied(world.now_ms, number, &result);
        step = world.written(moved);
    }
    assert_eq!((step, world.end("bot/given-up")), (GatewayStep::Nothing, "did_not_land".to_owned()));
}

fn run(seed: u64, ends: &mut BTreeMap<String, u32>) {
    let mut random = SplitMix64 { state: seed };
    let mut below = |most: u64| random.below(most);
    let faults = ChainFaults {
        lag_slots: if below(3) == 0 { 40 } else { 0 },
        jump_back_every: (below(3) == 0).then_some(3),
        jump_back_slots: 200,
        prune_after_slots: (below(4) == 0).then_some(300),
        refuse_methods: if below(12) == 0 { vec!["getTransaction".into()] } else { Vec::new() },
        rate_limit: (below(8) == 0).then_some(RateLimit { requests: 20, per_ms: 1_000 }),
        refuse_batches: seed.is_multiple_of(5),
        transaction_version: (seed % 3).checked_sub(1).map(|version| version as u32),
    };
    // Rivals trade the same token meanwhile.
    let market = r#"{"market":{"alive":true,"launchEveryMs":0,"inFlightMs":2000}}"#;
    let mut world = World::of(market, settings(), faults);
    let (mint, wallets) = (world.mint(), world.sandbox.wallets().len() as u64);
    for number in 0..12 {
        world.is_silent = below(8) == 0;
        let wallet = world.wallet(below(wallets) as usize);
        let key = format!("t{number}");
        let (operation, body) = match below(5) {
            4 => {
                let lamports = 1_000_000 * (1 + below(2_900));
                let legs = [0, 1].map(|place| {
                    format!(r#"{{"fromWallet":"{}","amountInLamports":{lamports}}}"#, world.wallet(place))
                });
                let legs = legs.join(",");
                let body = format!(r#"{{"mint":"{mint}","feePayer":"{wallet}","buys":[{legs}]}}"#);
                (Operation::BundleBuy, body)
            }
            0 => {
                let share = [25, 50, 100][below(3) as usize];
                let body = format!(r#"{{"mint":"{mint}","fromWallet":"{wallet}","percentage":{share}}}"#);
                (Operation::SellByPercentage, body)
            }
            kind => {
                let lamports = match kind {
                    1 => 100_000_000,
                    2 => 1_000_000 * (1 + below(2_900)),
                    _ => [TOO_MUCH, 300_000_000][below(2) as usize],
                };
                let amount = format!(r#""amountInLamports":{lamports}"#);
                (Operation::Buy, format!(r#"{{"mint":"{mint}","fromWallet":"{wallet}",{amount}}}"#))
            }
        };
        let fates =
            [Fate::Answered, Fate::ReplyLost, Fate::RequestLost, Fate::CrashedBefore, Fate::CrashedAfter];
        let (fate, held_ms) = (fates[below(5) as usize], below(HOLDS_MS));
        let step = world.asked("POST", operation.path(), "bot-token", Some(&key), &body);
        if let GatewayStep::Forward(forward) = step {
            world.forward(operation, &forward, fate, held_ms);
        }
        world.check();
        if below(5) == 0 {
            world.crash();
        }
        world.now_ms += below(60_000);
        let crash_at = (below(4) == 0).then(|| below(12) as u32);
        world.alarm(crash_at);
        if below(10) == 0 {
            let body = format!(r#"{{"caller":"bot","intentId":"t{}","found":"landed"}}"#, below(12));
            world.asked("POST", "/desk/settle", "operator-token", None, &body);
        }
        world.check();
    }
    world.is_silent = false;
    world.wait(600_000);
    world.check();
    for id in world.sent.keys() {
        *ends.entry(world.end(id)).or_default() += 1;
    }
}

#[test]
fn nothing_that_is_proven_is_false() {
    let mut ends = BTreeMap::new();
    for seed in 0..8 {
        run(seed, &mut ends);
    }
    println!("{ends:?}");
    for end in ["landed*", "did_not_land*", "failed*", "unknown"] {
        assert!(ends.contains_key(end), "no {end}: {ends:?}");
    }
}
