//! A gateway's answers: who may come in, what is refused and how, what is remembered, and what an operator sees and
//! does.

use crate::seeded;

use std::collections::BTreeMap;
use std::ops::Deref;

use launchpad_desk::api::endpoint::Reply;
use launchpad_desk::error::Outcome;
use launchpad_desk::intent::IntentState;
use launchpad_desk::tape::{Data, json};
use launchpad_desk_gateway::{
    Account, DeskRows, Destination, Fetched, Forward, ForwardResult, Front, Gateway, GatewayChange,
    GatewayCode, GatewayRequest, GatewaySettings, GatewayStep, token_hash,
};
use launchpad_desk_record::{ChainCheck, Head, RecordCheck, Verifier};
use proptest::prelude::*;

pub const NOW: u64 = 1_000 * 86_400_000;
pub const KEY: &str = "sk-canary-0123456789";
const LANDED: &str = r#"{"result":{"mint":"M","transactionResult":{"success":true}},"note":"your key is sk-canary-0123456789 or \u0073k-canary%2d0123456789"}"#;
const SIGNED: &str = r#"{"result":{"mint":"M","signature":"S","transactionResult":{"success":true}}}"#;
const FAILED: &str = r#"{"result":{"mint":"M","transactionResult":{"success":false,"results":"custom program error: 0x1772"}}}"#;
const UNPROVEN: &str = r#"{"result":{"mint":"M","transactionResult":{"success":false,"signature":"S","results":"was not confirmed in 30.00 seconds"}}}"#;

fn text(more: &str) -> String {
    let limits = r#","limits":{"rateLimit":{"perSecond":1,"burst":2}}"#;
    let callers = [
        ("bot", "alpha", "trader", ""),
        ("other", "alpha", "trader", limits),
        ("eve", "alpha", "operator", ""),
        ("far", "beta", "trader", ""),
    ]
    .map(|(name, desk, role, limits)| {
        let token = token_hash(&format!("{name}-token"));
        format!(r#"{{"name":"{name}","desk":"{desk}","tokenSha256":"{token}","role":"{role}"{limits}}}"#)
    })
    .join(",");
    let more = if more.is_empty() { r#""upstream":"https://service.example""# } else { more };
    let desks = if more.contains("desks") { "" } else { r#","desks":[{"name":"alpha"},{"name":"beta"}]"# };
    format!(r#"{{{more}{desks},"callers":[{callers}]}}"#)
}

/// A desk, and what its driver has written.
pub struct Kept {
    gateway: Gateway,
    store: BTreeMap<String, String>,
}

impl Deref for Kept {
    type Target = Gateway;

    fn deref(&self) -> &Gateway {
        &self.gateway
    }
}

impl Kept {
    pub fn new(store: BTreeMap<String, String>, settings: &str, now: u64) -> Kept {
        let mut settings = GatewaySettings::read(settings).unwrap();
        // So that figures are small: of these trades only the amounts count.
        for limits in settings
            .desks
            .iter_mut()
            .map(|desk| &mut desk.limits)
            .chain(settings.callers.iter_mut().map(|caller| &mut caller.limits))
        {
            limits.guards.count_charges = false;
        }
        let key = settings.upstream.is_some().then_some(KEY);
        let mut rows = DeskRows::default();
        let read = |rows: &mut DeskRows, from: &str, until: &str| {
            let some = store.range(from.to_owned()..until.to_owned());
            some.for_each(|(key, row)| rows.add(key, row).unwrap());
        };
        read(&mut rows, DeskRows::STATE.0, DeskRows::STATE.1);
        let (from, until) = rows.audit_range();
        read(&mut rows, &from, &until);
        let (gateway, start) = Gateway::restore(settings, "alpha", key, rows, now).unwrap();
        let mut kept = Kept { gateway, store };
        kept.written(start);
        kept
    }

    /// Stops, and restarts from the written rows, with these settings.
    pub fn restarted(self, settings: &str, now: u64) -> Kept {
        Kept::new(self.store, settings, now)
    }

    /// Works as a driver: writes the rows first, then answers from them.
    fn written(&mut self, moved: GatewayChange) -> GatewayChange {
        for row in &moved.rows {
            match &row.row {
                Some(text) => drop(self.store.insert(row.key.clone(), text.clone())),
                None => drop(self.store.remove(&row.key)),
            }
        }
        moved
    }

    /// Handles alarms as long as they check the log; returns how many did.
    fn checked(&mut self, now: u64) -> usize {
        for alarms in 0.. {
            let moved = self.gateway.alarm(now);
            let moved = self.written(moved);
            let GatewayStep::Check { from, until } = moved.step else { return alarms };
            assert!(moved.alarm_at_ms.unwrap() <= now, "it is due at once");
            let rows = self.store.range(from..until).map(|(key, row)| (key.as_str(), row.as_str()));
            let rows = DeskRows::of(rows).unwrap();
            let moved = self.gateway.checked(now, &rows);
            assert!(matches!(self.written(moved).step, GatewayStep::Nothing));
        }
        unreachable!()
    }

    pub fn request(&mut self, now: u64, request: &GatewayRequest) -> GatewayChange {
        let moved = self.gateway.request(now, &now.to_le_bytes(), request);
        let moved = self.written(moved);
        let GatewayStep::Read { from, until } = &moved.step else { return moved };
        let again = read(&mut self.gateway, &self.store, [from, until], now, request);
        let mut again = self.written(again);
        again.rows.splice(0..0, moved.rows);
        again
    }

    pub fn forwarded(&mut self, now: u64, id: &str, result: ForwardResult) -> GatewayChange {
        let moved = self.gateway.forwarded(now, id, result);
        self.written(moved)
    }

    fn alarm(&mut self, now: u64) -> GatewayChange {
        let moved = self.gateway.alarm(now);
        self.written(moved)
    }

    /// The lamports that count for the whole desk.
    fn counts(&self, now: u64) -> u128 {
        self.lamports(&Account::of(None, None), now)
    }
}

/// A desk that starts with what it has written.
pub fn revived(
    settings: GatewaySettings,
    store: &BTreeMap<String, String>,
    now: u64,
) -> (Gateway, GatewayChange) {
    let rows = DeskRows::of(store.iter().map(|(key, row)| (key.as_str(), row.as_str()))).unwrap();
    Gateway::restore(settings, "alpha", Some(KEY), rows, now).unwrap()
}

/// What a request comes to with the rows that it reads.
pub fn read(
    gateway: &mut Gateway,
    store: &BTreeMap<String, String>,
    [from, until]: [&String; 2],
    now: u64,
    request: &GatewayRequest,
) -> GatewayChange {
    let rows = store.range(from.clone()..until.clone());
    let rows: Vec<&str> = rows.map(|(_, row)| row.as_str()).collect();
    let fetched = Fetched { rows: Some(&rows), ..Fetched::default() };
    gateway.request_with(now, &now.to_le_bytes(), request, fetched)
}

fn gateway(more: &str) -> Kept {
    Kept::new(BTreeMap::new(), &text(more), NOW)
}

/// Settings in which the desk alpha has this policy.
fn policy(of_alpha: &str) -> String {
    let service = r#""upstream":"https://service.example""#;
    format!(r#"{service},"desks":[{{"name":"alpha",{of_alpha}}},{{"name":"beta"}}]"#)
}

fn pair(name: &str, value: &str) -> (String, String) {
    (name.to_owned(), value.to_owned())
}

/// A request of `bot`'s, with these headers more.
fn ask_at(gateway: &mut Kept, now: u64, path: &str, more: &[(&str, &str)], body: &str) -> GatewayChange {
    let mut headers =
        vec![pair("content-type", "application/json"), pair("authorization", "Bearer bot-token")];
    for (name, value) in more {
        headers.retain(|(known, _)| known != name);
        headers.push(pair(name, value));
    }
    let method = if body == "GET" { "GET" } else { "POST" };
    let body = Some(if body == "GET" { &b""[..] } else { body.as_bytes() });
    gateway.request(now, &GatewayRequest { method, path, headers: &headers, body })
}

fn ask(gateway: &mut Kept, path: &str, more: &[(&str, &str)], body: &str) -> GatewayChange {
    ask_at(gateway, NOW, path, more, body)
}

fn answered(moved: &GatewayChange) -> (u16, String) {
    match &moved.step {
        GatewayStep::Answer(reply) => (reply.status, String::from_utf8(reply.body.clone()).unwrap()),
        step => panic!("{step:?}"),
    }
}

fn header<'r>(moved: &'r GatewayChange, name: &str) -> Option<&'r str> {
    let GatewayStep::Answer(reply) = &moved.step else { panic!("{:?}", moved.step) };
    reply.header(name)
}

fn code(moved: &GatewayChange) -> String {
    let (_, body) = answered(moved);
    let (_, rest) = body.split_once("\"code\":\"").unwrap_or_else(|| panic!("{body}"));
    rest.split('"').next().unwrap().to_owned()
}

fn buy(lamports: u64) -> String {
    format!(r#"{{"mint":"M","fromWallet":"W","amountInLamports":{lamports}}}"#)
}

fn reply(status: u16, body: &str) -> ForwardResult {
    ForwardResult::Reply(Reply {
        status,
        headers: vec![pair("retry-after", "7")],
        body: body.as_bytes().to_vec(),
    })
}

fn passes(moved: &GatewayChange) -> bool {
    matches!(moved.step, GatewayStep::Forward(_))
}

/// Where a request without a body goes, or its answer.
fn routed<'f>(
    front: &'f Front,
    method: &str,
    path: &str,
    headers: &[(&str, &str)],
) -> Result<Destination<'f>, Box<Reply>> {
    let headers: Vec<_> = headers.iter().map(|(name, value)| pair(name, value)).collect();
    front.route(&GatewayRequest { method, path, headers: &headers, body: None }).map_err(Box::new)
}

/// The forward of a request that passes.
#[track_caller]
fn forward_of(moved: GatewayChange) -> Forward {
    match moved.step {
        GatewayStep::Forward(forward) => forward,
        step => panic!("{step:?}"),
    }
}

#[track_caller]
fn says(moved: &GatewayChange, part: &str) {
    let (_, body) = answered(moved);
    assert!(body.contains(part), "{part}: {body}");
}

/// A buy of `bot`'s under this key.
fn buys(gateway: &mut Kept, key: &str, lamports: u64) -> GatewayChange {
    ask(gateway, BUY, &[("idempotency-key", key)], &buy(lamports))
}

/// A buy of `other`'s under this key.
fn other_buys(gateway: &mut Kept, now: u64, key: &str, lamports: u64) -> GatewayChange {
    ask_at(gateway, now, BUY, &[("idempotency-key", key), OTHER], &buy(lamports))
}

/// What the operator sees.
fn desk(gateway: &mut Kept) -> GatewayChange {
    ask(gateway, "/desk", &[EVE], "GET")
}

/// What the operator does.
fn act(gateway: &mut Kept, path: &str, about: &str) -> GatewayChange {
    ask(gateway, path, &[EVE], about)
}

const EVE: (&str, &str) = ("authorization", "Bearer eve-token");
const OTHER: (&str, &str) = ("authorization", "Bearer other-token");
const SELL: &str = "/v1/trade/sell";
const SELLS: &str = r#"{"mint":"M","fromWallet":"W","amountInToken":5}"#;
const BUY: &str = "/v1/trade/buy";
const BY_PERCENTAGE: &str = "/v1/trade/bundle/sell/by-percentage";

/// Sends a trade and has it answered.
fn trade(gateway: &mut Kept, key: &str, body: &str, result: ForwardResult) -> GatewayChange {
    trade_at(gateway, NOW, &[("idempotency-key", key)], body, result)
}

fn trade_at(
    gateway: &mut Kept,
    now: u64,
    more: &[(&str, &str)],
    body: &str,
    result: ForwardResult,
) -> GatewayChange {
    let forward = forward_of(ask_at(gateway, now, BUY, more, body));
    gateway.forwarded(now, &forward.id, result)
}

#[test]
fn an_answer_is_given_again_byte_for_byte_and_only_to_the_same_request() {
    let mut gateway = gateway("");
    let first = trade(&mut gateway, "a", &buy(5), reply(200, LANDED));
    assert_eq!(header(&first, "idempotent-replayed"), None);
    assert_eq!(header(&first, "idempotency-key"), Some("a"));
    assert!(!answered(&first).1.contains("canary"), "{}", answered(&first).1);
    for key in ["a", "\"a\""] {
        let again = buys(&mut gateway, key, 5);
        assert_eq!(answered(&again), answered(&first));
        assert_eq!(header(&again, "idempotent-replayed"), Some("true"));
        assert!(again.rows.is_empty());
    }
    assert_eq!(code(&buys(&mut gateway, "a", 6)), "idempotency_key_reused");
    let elsewhere = ask(&mut gateway, SELL, &[("idempotency-key", "a")], &buy(5));
    assert_eq!(code(&elsewhere), "idempotency_key_reused");
    assert_eq!(header(&elsewhere, "intent-state"), None, "it says nothing of the first");
    let refused = trade(&mut gateway, "r", &buy(5), reply(429, "no"));
    let again = buys(&mut gateway, "r", 5);
    assert_eq!((answered(&again), header(&again, "retry-after")), (answered(&refused), Some("7")));
    // Another caller's key of the same name is another key.
    assert!(passes(&other_buys(&mut gateway, NOW, "a", 5)));
}

/// A service, or a cache before it, that answers with the reply of an earlier trade.
#[test]
fn a_signature_belongs_to_one_trade_of_a_desk_whoever_sends_it_and_after_a_restart() {
    let mut gateway = gateway("");
    assert_eq!(answered(&trade(&mut gateway, "a", &buy(5), reply(200, SIGNED))).0, 200);
    let again = trade(&mut gateway, "b", &buy(5), reply(200, SIGNED));
    assert_eq!((answered(&again).0, code(&again).as_str()), (502, "contradictory_reply"));
    let forward = forward_of(other_buys(&mut gateway, NOW, "c", 6));
    assert_eq!(code(&gateway.forwarded(NOW, &forward.id, reply(200, SIGNED))), "contradictory_reply");
    let mut gateway = gateway.restarted(&text(""), NOW);
    assert_eq!(code(&trade(&mut gateway, "d", &buy(5), reply(200, SIGNED))), "contradictory_reply");
    let another = SIGNED.replace("\"S\"", "\"T\"");
    assert_eq!(answered(&trade(&mut gateway, "e", &buy(5), reply(200, &another))).0, 200);
    // What may have been spent counts towards the caps.
    assert_eq!(gateway.counts(NOW), 26);
    // The same for that of a trade that stays in doubt, also once an operator has settled it.
    for (signature, found) in [("\"U\"", "landed"), ("\"V\"", "did_not_land"), ("\"W\"", "")] {
        let (key, mut gateway) = (&signature[1..2], self::gateway(""));
        let open = UNPROVEN.replace("\"S\"", signature);
        assert_eq!(code(&trade(&mut gateway, key, &buy(5), reply(200, &open))), "unproven_failure");
        if !found.is_empty() {
            let about = format!(r#"{{"caller":"bot","intentId":"{key}","found":"{found}"}}"#);
            assert_eq!(answered(&act(&mut gateway, "/desk/settle", &about)).0, 200);
        }
        let mut gateway = gateway.restarted(&text(""), NOW);
        let theirs = SIGNED.replace("\"S\"", signature);
        let other = format!("other-{key}");
        assert_eq!(code(&trade(&mut gateway, &other, &buy(5), reply(200, &theirs))), "contradictory_reply");
    }
}

#[test]
fn a_signature_by_which_an_operator_settled_belongs_to_that_trade_too() {
    let mut gateway = gateway("");
    let settle = |gateway: &mut Kept, key: &str, signature: &str| {
        let of = format!(r#""caller":"bot","intentId":"{key}""#);
        act(gateway, "/desk/settle", &format!(r#"{{{of},"found":"landed","signature":"{signature}"}}"#))
    };
    for key in ["a", "b"] {
        trade(&mut gateway, key, &buy(5), ForwardResult::Broken);
    }
    assert_eq!(answered(&settle(&mut gateway, "a", "S")).0, 200);
    let another = settle(&mut gateway, "b", "S");
    assert_eq!((answered(&another).0, code(&another).as_str()), (400, "invalid_request"));
    says(&another, "signature is that of another trade");
    assert_eq!(code(&trade(&mut gateway, "c", &buy(5), reply(200, SIGNED))), "contradictory_reply");
    // The one that the service named is the trade's own.
    trade(&mut gateway, "d", &buy(5), reply(200, &UNPROVEN.replace("\"S\"", "\"T\"")));
    assert_eq!(answered(&settle(&mut gateway, "d", "T")).0, 200);
}

#[test]
fn a_reported_failure_without_the_chains_error_stays_in_doubt_with_its_answer_unless_the_service_is_trusted()
{
    let mut gateway = gateway("");
    let first = trade(&mut gateway, "a", &buy(5), reply(200, UNPROVEN));
    let again = buys(&mut gateway, "a", 5);
    assert_eq!(answered(&again), answered(&first), "it is answered again, and not forwarded");
    assert_eq!(header(&again, "intent-state"), Some("in_doubt"));
    let (_, intent) = gateway.intents().next().unwrap();
    assert_eq!(intent.signature.as_deref(), Some("S"), "the chain is asked for it");
    let mut trusting = self::gateway(r#""upstream":"https://service.example","trustsFailure":true"#);
    let moved = trade(&mut trusting, "a", &buy(5), reply(200, UNPROVEN));
    assert_eq!((answered(&moved).0, header(&moved, "intent-state")), (200, Some("ended")));
    assert_eq!(trusting.counts(NOW), 0);
}

#[test]
fn every_end_has_its_status_and_says_whether_money_may_have_moved() {
    let cases = [
        (reply(200, LANDED), 200, ""),
        (reply(200, FAILED), 200, ""),
        (reply(422, r#"{"message":"no"}"#), 422, ""),
        (reply(429, "slow down"), 429, ""),
        (reply(401, ""), 403, "upstream_unauthorized"),
        (reply(403, ""), 403, "upstream_unauthorized"),
        (reply(403, "<html><title>Attention Required!</title>"), 403, "upstream_unauthorized"),
        (reply(302, ""), 502, "redirected"),
        (reply(408, ""), 502, "unexpected_status"),
        (reply(409, ""), 502, "unexpected_status"),
        (reply(421, ""), 502, "unexpected_status"),
        (reply(503, "busy"), 502, "service_error"),
        (reply(200, "<html>"), 502, "unreadable_reply"),
        (reply(200, &SIGNED.replace("\"M\"", "\"N\"")), 502, "contradictory_reply"),
        (reply(200, UNPROVEN), 502, "unproven_failure"),
        (reply(400, UNPROVEN), 502, "unproven_failure"),
        (ForwardResult::Timeout, 502, "timeout"),
        (ForwardResult::Broken, 502, "network_error"),
        (ForwardResult::TooLarge, 502, "reply_too_large"),
    ];
    for (result, status, expected) in cases {
        let mut gateway = gateway("");
        let what = format!("{result:?}");
        let is_page = result == reply(403, "<html><title>Attention Required!</title>");
        let moved = trade(&mut gateway, "a", &buy(5), result);
        assert_eq!(answered(&moved).0, status, "{what}");
        if !expected.is_empty() {
            assert_eq!(code(&moved), expected, "{what}");
        }
        let (_, body) = answered(&moved);
        let came = r#"a web page came in place of the answer: \"Attention Required!\""#;
        assert_eq!(body.contains(came), is_page, "{body}");
        let (_, intent) = gateway.intents().next().unwrap();
        let is_known = status != 502;
        assert_eq!(intent.state, if is_known { IntentState::Ended } else { IntentState::InDoubt }, "{what}");
        let counts = status == 200 && !answered(&moved).1.contains("false") || !is_known;
        assert_eq!(gateway.counts(NOW), if counts { 5 } else { 0 }, "{what}");
    }
}

#[test]
fn a_priority_fee_counts_for_limits_and_approval_and_is_spent_by_a_trade_that_failed() {
    let limits =
        r#""limits":{"maxLamportsPerTrade":100,"maxLamportsPerDay":150},"approval":{"overLamports":60}"#;
    let mut gateway = gateway(&policy(limits));
    let sell = |price: u64| {
        format!(
            r#"{{"mint":"M","fromWallet":"W","amountInToken":1,"feePayer":"P","priorityUnitLimit":1000000,"priorityUnitPrice":{price}}}"#
        )
    };
    let bids = |lamports: u64, price: u64| {
        buy(lamports).replace('}', &format!(",\"priorityUnitLimit\":1000000,\"priorityUnitPrice\":{price}}}"))
    };
    for (path, body) in [(SELL, sell(101)), (BUY, bids(50, 51))] {
        let moved = ask(&mut gateway, path, &[("idempotency-key", "a")], &body);
        assert_eq!((answered(&moved).0, code(&moved).as_str()), (403, "over_trade_limit"), "{body}");
    }
    // Over `overLamports`, a person must approve a sell, too.
    let waits = ask(&mut gateway, SELL, &[("idempotency-key", "b")], &sell(61));
    assert_eq!(answered(&waits).0, 202);
    trade(&mut gateway, "c", &bids(10, 50), reply(200, FAILED));
    assert_eq!(gateway.counts(NOW), 50, "the fee payer has paid for priority");
    trade(&mut gateway, "d", &bids(10, 50), reply(200, LANDED));
    assert_eq!(gateway.counts(NOW), 110);
    let over = ask(&mut gateway, BUY, &[("idempotency-key", "e")], &bids(1, 40));
    assert_eq!(code(&over), "over_day_limit");
    // What leaves the market passes, and counts.
    assert!(passes(&ask(&mut gateway, SELL, &[("idempotency-key", "f")], &sell(60))));
    assert_eq!(gateway.counts(NOW), 170);
    assert_eq!(gateway.lamports(&Account::of(None, Some("P")), NOW), 60);
}

/// A sum that wrapped let it pass as 999 lamports.
#[test]
fn a_buy_whose_slippage_cannot_be_counted_is_over_every_limit_and_takes_nothing_of_what_is_counted() {
    let desks = |of_alpha: &str| policy(of_alpha) + r#","buysMayExceed":"slippage""#;
    let uncounted = "0.5000000000000000000000000000000000001";
    let legs = |first: &str| {
        format!(
            r#"{{"mint":"M","feePayer":"A","slippage":{uncounted},"buys":[{{"fromWallet":"A","amountInLamports":{first}}},
            {{"fromWallet":"B","amountInLamports":1000}}]}}"#
        )
    };
    let bundle = |gateway: &mut Kept, key: &str, first: &str| {
        ask(gateway, "/v1/trade/bundle/buy", &[("idempotency-key", key)], &legs(first))
    };
    let mut limited =
        gateway(&desks(r#""limits":{"maxLamportsPerDay":1000000},"approval":{"overLamports":10}"#));
    let over = bundle(&mut limited, "a", "100000000000");
    assert_eq!((answered(&over).0, code(&over).as_str()), (403, "over_day_limit"));
    let mut waiting = gateway(&desks(r#""approval":{"overLamports":1000}"#));
    assert_eq!(answered(&bundle(&mut waiting, "a", "100000000000")).0, 202);
    let mut free = gateway(&desks(r#""limits":{}"#));
    trade(&mut free, "a", &buy(1_000), reply(200, LANDED));
    let refused = forward_of(bundle(&mut free, "b", "1")).id;
    free.forwarded(NOW, &refused, reply(400, "{}"));
    assert_eq!(free.counts(NOW), 1_005, "what landed goes on counting");
}

#[test]
fn each_rule_refuses_by_its_code_and_forwards_nothing() {
    let limits = r#""maxLamportsPerTrade":100,"maxLamportsPerDay":150,"maxLamportsPerWalletPerDay":120,"maxSlippage":5,
        "allowMints":["M"],"allowWallets":["W","V"],"maxPercentage":50,"maxBundleSize":2"#;
    let more = policy(&format!(r#""limits":{{{limits}}}"#)) + r#","maxBodyBytes":400"#;
    let mut gateway = gateway(&more);
    trade(&mut gateway, "first", &buy(100), reply(200, LANDED));
    let bundle = r#"{"mint":"M","feePayer":"W","slippage":1,"buys":[{"fromWallet":"W","amountInLamports":1},{"fromWallet":"V","amountInLamports":1},{"fromWallet":"W","amountInLamports":1}]}"#;
    let percent = r#"{"mint":"M","fromWallet":"W","percentage":50.1}"#;
    let shares = |legs: &[(&str, &str)]| {
        let leg =
            |(wallet, share): &(&str, &str)| format!(r#"{{"fromWallet":"{wallet}","percentage":{share}}}"#);
        let legs: Vec<String> = legs.iter().map(leg).collect();
        format!(r#"{{"mint":"M","feePayer":"W","slippage":1,"sells":[{}]}}"#, legs.join(","))
    };
    let cases = [
        (BUY, buy(101), 403, "over_trade_limit"),
        (BUY, buy(21), 403, "over_wallet_day_limit"),
        (BUY, buy(51).replace("\"W\"", "\"V\""), 403, "over_day_limit"),
        (BUY, buy(1).replace("\"M\"", "\"N\""), 403, "mint_not_allowed"),
        (BUY, buy(1).replace("\"W\"", "\"X\""), 403, "wallet_not_allowed"),
        (BUY, buy(1).replace('}', ",\"slippage\":6}"), 403, "over_slippage_limit"),
        ("/v1/trade/bundle/buy", bundle.to_owned(), 403, "over_bundle_size"),
        ("/v1/trade/sell-by-percentage", percent.to_owned(), 403, "over_percentage_limit"),
        (BY_PERCENTAGE, shares(&[("W", "30"), ("W", "20.1")]), 403, "over_percentage_limit"),
        (BY_PERCENTAGE, shares(&[("V", "50"), ("W", "51")]), 403, "over_percentage_limit"),
        (BUY, "{}".to_owned(), 400, "invalid_request"),
        (BUY, "{".to_owned(), 400, "invalid_request"),
        (BUY, "\u{0}".to_owned(), 400, "invalid_request"),
        (BUY, buy(1).replace("\"W\"", "\"sk-canary-\\u0030123456789\""), 400, "invalid_request"),
        (BUY, format!("{}{}", buy(1), " ".repeat(400)), 413, "body_too_large"),
    ];
    for (path, body, status, expected) in cases {
        let moved = ask(&mut gateway, path, &[("idempotency-key", "b")], &body);
        assert_eq!((answered(&moved).0, code(&moved).as_str()), (status, expected), "{body}");
        assert!(moved.rows.is_empty(), "{body}");
        assert!(!answered(&moved).1.contains("canary"));
    }
    let (_, data) = answered(&desk(&mut gateway));
    for limit in [r#""maxLamportsPerTrade":100"#, r#""maxSlippage":"5 %""#, r#""maxBundleSize":2"#] {
        assert!(data.contains(limit), "{limit}: {data}");
    }
    assert!(data.contains(r#"{"caller":"bot","wallet":"W","lamports":100,"limit":null}"#), "{data}");
    assert!(data.contains(r#"{"caller":null,"wallet":null,"lamports":100,"limit":150}"#), "{data}");
    let parts = shares(&[("W", "29.9"), ("W", "20.1")]);
    assert!(passes(&ask(&mut gateway, BY_PERCENTAGE, &[("idempotency-key", "p")], &parts)));
    // The remaining room is exact to the lamport.
    assert!(passes(&buys(&mut gateway, "c", 20)));
}

#[test]
fn only_exact_paths_known_tokens_and_json_come_in() {
    let mut gateway = gateway("");
    let paths = "//v1/trade/buy /v1/trade/buy/ /v1/trade/BUY /v1/trade/%62uy /v1/trade/./buy /v1/trade/buy?x=1 \
                 /v1//trade/buy / /desk/ /sandbox/state";
    for path in paths.split(' ').chain([""]) {
        assert_eq!(code(&ask(&mut gateway, path, &[], &buy(1))), "not_found", "{path}");
    }
    let double = "Bearer bot-token, Bearer bot-token";
    for token in ["", "Bearer", "Bearer ", "Bearer nobody", "bot-token", "Basic Ym90OmJvdC10b2tlbg==", double]
    {
        let moved = ask(&mut gateway, BUY, &[("authorization", token)], &buy(1));
        let told = (answered(&moved).0, header(&moved, "www-authenticate"));
        assert_eq!(told, (401, Some("Bearer")), "{token}");
    }
    for (header, due) in [
        (("content-type", "text/plain"), "unsupported_media_type"),
        (("content-type", "application/json; charset=latin1"), "unsupported_media_type"),
        (("content-encoding", "gzip"), "unsupported_media_type"),
        (("origin", "https://evil.example"), "origin_not_allowed"),
        (EVE, "not_a_trader"),
        (("authorization", "Bearer far-token"), "not_found"),
    ] {
        assert_eq!(code(&ask(&mut gateway, BUY, &[header], &buy(1))), due, "{header:?}");
    }
    for key in ["", "two words", "\"a\"b\"", "é", &"x".repeat(129)] {
        assert_eq!(code(&buys(&mut gateway, key, 1)), "invalid_idempotency_key", "{key}");
    }
    assert_eq!(code(&ask(&mut gateway, BUY, &[], "GET")), "method_not_allowed");
    assert_eq!(code(&ask(&mut gateway, "/desk", &[], "GET")), "not_an_operator");
    assert_eq!(gateway.intents().count(), 0);
}

#[test]
fn pages_of_named_origins_may_call() {
    let more = r#""upstream":"https://service.example","origins":["https://panel.example"]"#;
    let front = Front::of(Some(&text(more)), Some(KEY));
    let route = |method, path, headers: &[(&str, &str)]| routed(&front, method, path, headers);
    const PANEL: (&str, &str) = ("origin", "https://panel.example");
    let preflight =
        |origin| route("OPTIONS", BUY, &[origin, ("access-control-request-method", "POST")]).unwrap_err();
    let allowed = preflight(PANEL);
    assert_eq!((allowed.status, allowed.header("access-control-allow-origin")), (204, Some(PANEL.1)));
    let may_send = "authorization, content-type, idempotency-key, last-event-id, not-after";
    assert_eq!(allowed.header("access-control-allow-headers"), Some(may_send));
    // A page has it behind it before its trade: a browser asks once for all that it sends there.
    let ahead = |token| {
        let answer = route("HEAD", BUY, &[PANEL, ("authorization", token)]).unwrap_err();
        (answer.status, answer.header("access-control-allow-origin").is_some(), answer.body.len())
    };
    assert_eq!(ahead("Bearer far-token"), (204, true, 0));
    assert_eq!(ahead("Bearer other").0, 401);
    let refused = preflight(("origin", "https://evil.example"));
    assert_eq!((refused.status, refused.header("access-control-allow-origin")), (403, None));
    let two = route("OPTIONS", BUY, &[PANEL, ("Origin", PANEL.1)]);
    assert_eq!(two.unwrap_err().status, 403, "no browser names two");
    let desk = route("OPTIONS", "/desk", &[PANEL]);
    assert_eq!(desk.unwrap_err().status, 403, "the desk is for its own page alone");
    let trade = route("POST", BUY, &[("authorization", "Bearer far-token")]);
    assert_eq!(trade, Ok(Destination::Desk("beta")));
}

/// Once its time is over, no copy of a request is accepted, so an intent that is unknown then did not land.
#[test]
fn a_late_request_is_refused() {
    let mut gateway = gateway("");
    let moment = NOW.to_string();
    let late = [("idempotency-key", "late"), ("not-after", moment.as_str())];
    let moved = ask_at(&mut gateway, NOW + 1, BUY, &late, &buy(1));
    assert_eq!((answered(&moved).0, code(&moved).as_str()), (403, "too_late"));
    assert_eq!(header(&moved, "intent-state"), Some("not_recorded"));
    says(&moved, "it arrived later than its sender allows (not-after), and went no further");

    let asked = ask_at(&mut gateway, NOW + 2, "/v1/intents/late", &[], "GET");
    assert_eq!(header(&asked, "intent-state"), Some("not_recorded"));
    let (status, body) = answered(&asked);
    let end = |now| format!(r#""desk":"alpha","caller":"bot","nowMs":{now},"simulated":false}}"#);
    assert!(status == 404 && body.ends_with(&end(NOW + 2)), "{body}");
    let ready = answered(&ask_at(&mut gateway, NOW + 3, "/v1/ready", &[], "GET"));
    assert_eq!(ready, (200, "{".to_owned() + &end(NOW + 3)));

    // In time it is, and later requests ask for its answer.
    trade_at(&mut gateway, NOW, &late, &buy(1), reply(200, LANDED));
    let moved = ask_at(&mut gateway, NOW + 99_000, BUY, &late, &buy(1));
    assert_eq!((answered(&moved).0, header(&moved, "idempotent-replayed")), (200, Some("true")));

    for bad in ["", "soon", "-1", "1e3", "99999999999999999999"] {
        let moved = ask(&mut gateway, BUY, &[("idempotency-key", "bad"), ("not-after", bad)], &buy(1));
        assert_eq!((answered(&moved).0, code(&moved).as_str()), (400, "invalid_request"), "{bad}");
    }

    // No plan is sent too late, either.
    let path = planned(&mut gateway, &[], 0) + "/send";
    let moved = ask_at(&mut gateway, NOW + 1, &path, &[("not-after", moment.as_str())], "{}");
    assert_eq!(code(&moved), "too_late");
    assert!(passes(&ask(&mut gateway, &path, &[("not-after", moment.as_str())], "{}")));
}

#[test]
fn bad_settings_serve_nothing_and_health_tells_nothing() {
    let health = |front: &Front| routed(front, "GET", "/health", &[]).unwrap_err();
    for settings in [None, Some(""), Some(r#"{"desk":1}"#)] {
        let front = Front::of(settings, None);
        assert!(!front.problems().is_empty());
        let answer = health(&front);
        assert_eq!((answer.status, answer.header("intent-state")), (503, Some("not_recorded")));
    }
    let good = health(&Front::of(Some(&text("")), Some(KEY)));
    assert_eq!(good.body, br#"{"status":"ok","simulated":false}"#);
}

#[test]
fn a_key_is_made_and_what_looks_like_a_copy_is_flagged() {
    let mut gateway = gateway("");
    let ask_and_land = |gateway: &mut Kept, now| trade_at(gateway, now, &[], &buy(5), reply(200, LANDED));
    let first = ask_and_land(&mut gateway, NOW);
    let key = header(&first, "idempotency-key").unwrap().to_owned();
    assert!(key.starts_with("gw-") && key.len() == 35);
    assert_eq!(header(&first, "x-possible-duplicate"), None);
    let second = ask_and_land(&mut gateway, NOW + 59_999);
    assert_eq!(header(&second, "x-possible-duplicate"), Some(key.as_str()));
    let third = ask_and_land(&mut gateway, NOW + 200_000);
    assert_eq!(header(&third, "x-possible-duplicate"), None);
    let again = buys(&mut gateway, &key, 5);
    assert_eq!(answered(&again), answered(&first));
}

#[test]
fn keys_are_forgotten_when_their_time_is_over_and_doubts_are_not() {
    let mut gateway = gateway("");
    trade(&mut gateway, "a", &buy(5), reply(200, LANDED));
    trade(&mut gateway, "b", &buy(5), ForwardResult::Timeout);
    let week = 7 * 86_400_000;
    assert!(gateway.alarm(NOW + week - 1).rows.is_empty());
    let moved = gateway.alarm(NOW + week);
    let gone: Vec<_> = moved.rows.iter().map(|row| (row.key.as_str(), row.row.is_none())).collect();
    // The desk remembers up to when it has forgotten: no proof may count on knowing all trades since.
    assert_eq!(gone, [("intent\nbot/a", true), ("answer\nbot/a", true), ("desk", false)]);
    assert_eq!(gateway.intents().map(|(id, _)| id).collect::<Vec<_>>(), ["bot/b"]);
}

/// A clock steps a day ahead and back, and the desk restarts at each step. Nobody can tell a step ahead from a day without trades, so
/// the cap is free again then; once the clock is back, all of it counts.
#[test]
fn a_clock_that_steps_a_day_and_back_frees_nothing() {
    let day = 86_400_000;
    let more = text(&policy(r#""limits":{"maxLamportsPerDay":30}"#));
    let mut gateway = Kept::new(BTreeMap::new(), &more, NOW);
    let mut number = 0;
    let mut landed = |gateway: &mut Kept, now: u64| {
        let mut landed = 0;
        for _ in 0..5 {
            number += 1;
            let key = format!("k{number}");
            let moved = ask_at(gateway, now, BUY, &[("idempotency-key", &key)], &buy(10));
            let GatewayStep::Forward(forward) = moved.step else { continue };
            gateway.forwarded(now, &forward.id, reply(200, LANDED));
            landed += 1;
        }
        landed
    };
    assert_eq!(landed(&mut gateway, NOW), 3);
    gateway = gateway.restarted(&more, NOW + day);
    assert_eq!(landed(&mut gateway, NOW + day), 3);
    for now in [NOW + 1_000, NOW + day / 2, NOW + 2_000, NOW - day, NOW + day - 1] {
        assert_eq!(landed(&mut gateway, now), 0, "{now}");
        gateway = gateway.restarted(&more, now);
        gateway.alarm(now);
        assert_eq!(landed(&mut gateway, now), 0, "{now}, restarted");
    }
    assert_eq!(gateway.counts(NOW), 60);
    assert_eq!(landed(&mut gateway, NOW + 2 * day), 3, "a day after the last of them");

    // A clock that was behind: what was traded then counts for a day of the clock that is right.
    let mut gateway = Kept::new(BTreeMap::new(), &more, NOW);
    for (key, now) in [("x", NOW), ("y", NOW - day), ("z", NOW - day)] {
        trade_at(&mut gateway, now, &[("idempotency-key", key)], &buy(10), reply(200, LANDED));
        gateway = gateway.restarted(&more, now);
    }
    assert_eq!(gateway.counts(NOW + 1), 30);
}

#[test]
fn an_end_without_a_signature_on_a_connection_that_carried_others_proves_nothing() {
    let shared = |status: u16, body: &str| match reply(status, body) {
        ForwardResult::Reply(reply) => ForwardResult::Shared(reply),
        other => other,
    };
    let more = policy(r#""limits":{"maxLamportsPerDay":30}"#);
    let ends = [(200, LANDED), (200, FAILED), (200, r#"{"result":{"mint":"M"}}"#)];
    let refusals = [(400, "no"), (401, ""), (403, "no"), (404, ""), (422, "{}"), (429, "slow down")];
    for (status, body) in ends.into_iter().chain(refusals) {
        let mut gateway = gateway(&more);
        let moved = trade(&mut gateway, "a", &buy(30), shared(status, body));
        let ended = (answered(&moved).0, header(&moved, "intent-state"));
        assert_eq!(ended, (502, Some("in_doubt")), "{status}");
        let detail = "has no signature, and its connection carried other requests: it may be that to another";
        says(&moved, &format!("outcome unknown: the reply ({status}) {detail}"));
        assert_eq!(gateway.counts(NOW), 30, "its limit is kept");
        let refusal = format!("\"answer\":{{\"status\":{status}");
        let is_told = gateway.store.values().any(|row| row.contains(&refusal));
        assert!(!is_told, "nothing says that the service answered this trade");
    }
    let mut gateway = gateway(&more);
    let signed = |body: &str, signature: &str| {
        let own = format!(r#""signature":"{signature}","transactionResult""#);
        shared(200, &body.replace(r#""transactionResult""#, &own))
    };
    for (key, result) in [
        ("a", signed(LANDED, "S")),
        ("b", signed(FAILED, "T")),
        ("c", reply(400, "no")),
        ("d", reply(200, LANDED)),
    ] {
        let moved = trade(&mut gateway, key, &buy(5), result);
        assert_eq!(header(&moved, "intent-state"), Some("ended"), "{key}");
    }
    assert_eq!(gateway.counts(NOW), 10);
}

#[test]
fn what_was_approved_late_is_remembered_for_its_day() {
    let day = 86_400_000;
    let more = policy(r#""approval":{"overLamports":10}"#) + &format!(r#","rememberMs":{day}"#);
    let mut gateway = gateway(&more);
    buys(&mut gateway, "a", 11);
    let late = NOW + 800_000;
    let approved = ask_at(&mut gateway, late, "/desk/approve", &[EVE], r#"{"caller":"bot","intentId":"a"}"#);
    gateway.forwarded(late, &forward_of(approved).id, reply(200, LANDED));
    assert!(gateway.alarm(late + day - 1).rows.is_empty());
    assert_eq!(gateway.alarm(late + day).rows.len(), 3);
}

#[test]
fn the_longest_reply_fits_a_row_of_the_store() {
    let mut gateway = gateway("");
    let moved = trade(&mut gateway, "a", &buy(5), reply(400, &"\u{1}".repeat(1 << 18)));
    assert!(moved.rows.iter().filter_map(|row| row.row.as_ref()).all(|row| row.len() < 2_000_000));
}

fn approving() -> Kept {
    gateway(&policy(r#""approval":{"overLamports":10,"firstTradeOfMint":true}"#))
}

#[test]
fn a_person_approves_or_denies_and_the_same_intent_gets_the_answer() {
    let mut gateway = approving();
    let waits = buys(&mut gateway, "a", 11);
    assert_eq!((answered(&waits).0, code(&waits).as_str()), (202, "awaiting_approval"));
    says(&waits, "may spend more than overLamports; is the first trade of its mint");
    assert_eq!(answered(&buys(&mut gateway, "a", 11)).0, 202);
    let about = r#"{"caller":"bot","intentId":"a"}"#;
    // A caller cannot approve for itself.
    assert_eq!(code(&ask(&mut gateway, "/desk/approve", &[], about)), "not_an_operator");
    let forward = forward_of(act(&mut gateway, "/desk/approve", about));
    assert_eq!(code(&act(&mut gateway, "/desk/approve", about)), "wrong_state");
    let done = gateway.forwarded(NOW, &forward.id, reply(200, LANDED));
    says(&done, r#""outcome":"landed""#);
    assert_eq!(answered(&buys(&mut gateway, "a", 11)).0, 200);
    // Its mint is known from now on.
    assert!(passes(&buys(&mut gateway, "b", 10)));

    buys(&mut gateway, "c", 11);
    let denied = act(&mut gateway, "/desk/deny", r#"{"caller":"bot","intentId":"c"}"#);
    assert_eq!(answered(&denied).0, 200);
    says(&denied, r#""state":"ended""#);
    says(&denied, r#""outcome":"not_sent""#);
    assert_eq!(code(&buys(&mut gateway, "c", 11)), "approval_denied");

    buys(&mut gateway, "d", 11);
    let late = ask_at(&mut gateway, NOW + 900_000, BUY, &[("idempotency-key", "d")], &buy(11));
    assert_eq!(code(&late), "approval_expired");
}

#[test]
fn a_caller_withdraws_its_own_trade_while_it_waits_and_then_nobody_can_send_it() {
    let desks = policy(r#""approval":{"overLamports":10}"#);
    let mut gateway = gateway(&desks);
    let post = |gateway: &mut Kept, key: &str, token: &str| {
        ask(gateway, &format!("/v1/intents/{key}/withdraw"), &[("authorization", token)], "")
    };
    let (bot, other) = ("Bearer bot-token", "Bearer other-token");
    assert_eq!(code(&buys(&mut gateway, "a/b", 11)), "awaiting_approval");
    // Nobody else's, and none that there is not.
    assert_eq!(code(&post(&mut gateway, "a%2fb", other)), "intent_not_found");
    assert_eq!(code(&post(&mut gateway, "b", bot)), "intent_not_found");
    assert_eq!(code(&post(&mut gateway, "a%2fb", EVE.1)), "not_a_trader");
    let withdrawn = post(&mut gateway, "a%2fb", bot);
    assert_eq!(answered(&withdrawn).0, 200);
    says(&withdrawn, r#""state":"ended""#);
    says(&withdrawn, r#""outcome":"not_sent""#);
    // The approval came too late, the same request sends nothing, and no alarm is left.
    let about = r#"{"caller":"bot","intentId":"a/b"}"#;
    assert_eq!(code(&act(&mut gateway, "/desk/approve", about)), "wrong_state");
    let mut gateway = gateway.restarted(&text(&desks), NOW);
    assert_eq!(code(&act(&mut gateway, "/desk/approve", about)), "wrong_state");
    assert_eq!(code(&buys(&mut gateway, "a/b", 11)), "withdrawn");
    assert_eq!(code(&post(&mut gateway, "a%2fb", bot)), "wrong_state");
    let audit = ask(&mut gateway, "/desk/audit", &[EVE], "GET");
    says(&audit, r#""by":"bot","act":"withdrawn","intent":"bot/a/b""#);

    // One that was approved is on its way: that cannot be taken back.
    buys(&mut gateway, "c", 11);
    let forward = forward_of(act(&mut gateway, "/desk/approve", r#"{"caller":"bot","intentId":"c"}"#));
    let late = post(&mut gateway, "c", bot);
    assert_eq!(code(&late), "wrong_state");
    says(&late, "it cannot be withdrawn: the intent is in_flight");
    let done = gateway.forwarded(NOW, &forward.id, reply(200, LANDED));
    says(&done, r#""outcome":"landed""#);
}

#[test]
fn a_plan_shows_what_would_happen_and_sends_those_bytes_once() {
    let mut gateway = gateway("");
    let made = ask(&mut gateway, "/v1/plans", &[], &format!(r#"{{"operation":"buy","request":{}}}"#, buy(5)));
    assert_eq!(answered(&made).0, 201);
    let path = header(&made, "location").unwrap().to_owned();
    says(&made, r#""refused":null,"needsApproval":null"#);
    assert_eq!(answered(&ask(&mut gateway, &path, &[], "GET")).0, 200);
    assert_eq!(code(&ask(&mut gateway, &path, &[OTHER], "GET")), "plan_not_found");
    let send = format!("{path}/send");
    // The policy is asked again.
    act(&mut gateway, "/desk/halt", "{}");
    assert_eq!(code(&ask(&mut gateway, &send, &[], "")), "halted");
    act(&mut gateway, "/desk/resume", "{}");
    let forward = forward_of(ask(&mut gateway, &send, &[], ""));
    assert!(answered(&made).1.contains(&forward.body.replace('"', "\\\"")));
    assert!(matches!(ask(&mut gateway, &send, &[], "").step, GatewayStep::Wait { .. }));
    let landed = gateway.forwarded(NOW, &forward.id, reply(200, LANDED));
    assert_eq!(answered(&ask(&mut gateway, &send, &[], "")), answered(&landed));
}

#[test]
fn the_switch_applies_to_the_very_next_request_and_survives_a_restart() {
    let mut gateway = gateway("");
    act(&mut gateway, "/desk/halt", "{}");
    assert_eq!(code(&buys(&mut gateway, "a", 1)), "halted");
    assert_eq!(code(&ask(&mut gateway, SELL, &[], SELLS)), "halted");
    let mut gateway = gateway.restarted(&text(""), NOW);
    assert_eq!(code(&buys(&mut gateway, "a", 1)), "halted");
    act(&mut gateway, "/desk/reduce", "{}");
    assert_eq!(code(&buys(&mut gateway, "a", 1)), "reducing");
    assert!(passes(&ask(&mut gateway, SELL, &[], SELLS)));
    act(&mut gateway, "/desk/resume", "{}");
    assert!(passes(&buys(&mut gateway, "a", 1)));
}

#[test]
fn a_stop_between_the_record_of_a_trade_and_its_request_keeps_it_back() {
    for (stop, said) in [("/desk/halt", "halted"), ("/desk/reduce", "reducing")] {
        let mut gateway = gateway("");
        let mut forward = |path, body: &str| forward_of(ask(&mut gateway, path, &[], body)).id;
        let (buys, sells) = (forward(BUY, &buy(5)), forward(SELL, SELLS));
        let may = |gateway: &Kept| [&buys, &sells].map(|id| gateway.gateway.may_send(id));
        assert_eq!((may(&gateway), gateway.gateway.may_send("nobody's")), ([true, true], false));
        ask(&mut gateway, stop, &[EVE], "{}");
        assert_eq!(may(&gateway), [false, stop == "/desk/reduce"]);
        let answer = gateway.forwarded(NOW, &buys, ForwardResult::Unsent);
        assert_eq!((answered(&answer).0, code(&answer).as_str()), (403, said), "{}", answered(&answer).1);
        says(&answer, r#""outcome":"rejected""#);
        assert_eq!(gateway.counts(NOW), 0);
        // What comes of it once trading goes on is no longer said to be stopped.
        act(&mut gateway, "/desk/resume", "{}");
        let answer = gateway.forwarded(NOW, &sells, ForwardResult::Unsent);
        assert_eq!(code(&answer), "connect_failed", "{}", answered(&answer).1);
        assert!(passes(&ask(&mut gateway, BUY, &[], &buy(6))));
    }
}

#[test]
fn a_forward_that_is_proven_unsent_is_no_refusal_by_the_service_and_a_new_id_may_be_sent() {
    let mut gateway = gateway("");
    let answer = trade(&mut gateway, "a", &buy(5), ForwardResult::Unsent);
    let (status, body) = answered(&answer);
    assert_eq!((status, header(&answer, "intent-state")), (403, Some("ended")));
    let why = "no connection to the service, so nothing was sent: try again under a new id";
    for part in [r#""code":"connect_failed""#, r#""outcome":"not_sent""#, why] {
        says(&answer, part);
    }
    assert_eq!(gateway.counts(NOW), 0);
    let again = buys(&mut gateway, "a", 5);
    assert_eq!(answered(&again), (status, body), "the id has its answer");
    let known = ask(&mut gateway, "/v1/intents/a", &[], "GET");
    says(&known, r#""state":"ended""#);
    says(&known, r#","outcome":"not_sent","status":403"#);
    assert_eq!(answered(&trade(&mut gateway, "b", &buy(5), reply(200, LANDED))).0, 200);
}

#[test]
fn a_breaker_stays_open_over_a_restart_and_closed_after_a_resume() {
    let begin = |gateway: &mut Kept, key: &str| {
        let moved = buys(gateway, key, 1);
        match &moved.step {
            GatewayStep::Forward(_) => "forwarded".to_owned(),
            _ => code(&moved),
        }
    };
    let limits = r#""name":"bot","limits":{"allowMints":["M"],"rateLimit":{"perSecond":0.5,"burst":9},"breaker":{"unknowns":3,"stopsSells":false}},"#;
    let settings = text("").replace(r#""name":"bot","#, limits);
    let mut gateway = Kept::new(BTreeMap::new(), &settings, NOW);
    for key in ["a", "b"] {
        trade(&mut gateway, key, &buy(1), ForwardResult::Broken);
    }
    // The third has no answer when the desk stops: that counts, too.
    assert_eq!(begin(&mut gateway, "c"), "forwarded");
    for _ in 0..2 {
        gateway = gateway.restarted(&settings, NOW);
        assert_eq!(begin(&mut gateway, "d"), "breaker_open");
        let shown = desk(&mut gateway);
        says(&shown, r#""callers":[{"caller":"bot","breakerOpen":true,"limits":{"#);
        says(
            &shown,
            r#""allowMints":["M"],"allowWallets":null,"tradesPerSecond":0.5,"burst":9,"inFlightPerWallet":null,"#,
        );
        says(
            &shown,
            r#""breakerUnknowns":3,"breakerStopsSells":false}},{"caller":"other","breakerOpen":false,"#,
        );
    }
    act(&mut gateway, "/desk/resume", "{}");
    says(&desk(&mut gateway), r#""callers":[{"caller":"bot","breakerOpen":false,"#);
    gateway = gateway.restarted(&settings, NOW);
    trade(&mut gateway, "d", &buy(1), ForwardResult::Broken);
    trade(&mut gateway, "e", &buy(1), ForwardResult::Broken);
    gateway = gateway.restarted(&settings, NOW);
    trade(&mut gateway, "f", &buy(1), reply(200, LANDED));
    gateway = gateway.restarted(&settings, NOW);
    trade(&mut gateway, "g", &buy(1), ForwardResult::Broken);
    gateway = gateway.restarted(&settings, NOW);
    assert_eq!(begin(&mut gateway, "h"), "forwarded", "an answer ends the row");
    // One that is about to be sent when another opens it is kept back.
    let settings = settings.replace(r#""unknowns":3"#, r#""unknowns":1"#);
    let mut gateway = Kept::new(BTreeMap::new(), &settings, NOW);
    assert_eq!(begin(&mut gateway, "e"), "forwarded");
    trade(&mut gateway, "f", &buy(1), ForwardResult::Broken);
    assert!(!gateway.gateway.may_send("bot/e"));
    assert_eq!(code(&gateway.forwarded(NOW, "bot/e", ForwardResult::Unsent)), "breaker_open");
}

#[test]
fn an_operator_sees_what_would_be_sent() {
    let settings = policy(r#""approval":{"firstTradeOfMint":true}"#);
    for (unit, shown) in [("percent", "15 %"), ("bps", "15 bps")] {
        let mut gateway = gateway(&format!(r#"{settings},"slippageUnit":"{unit}""#));
        let sell = r#"{"mint":"M","fromWallet":"W","amountInToken":"16.99","slippage":15,"feePayer":"V","priorityUnitLimit":1000000,"priorityUnitPrice":7000000}"#;
        let sells = r#"{"mint":"M","feePayer":"W","sells":[{"fromWallet":"W","percentage":12.5},{"fromWallet":"V","percentage":100,"slippage":15}]}"#;
        for (path, key, body) in [(SELL, "a", sell), (BY_PERCENTAGE, "b", sells), (BUY, "c", &buy(11))] {
            assert_eq!(answered(&ask(&mut gateway, path, &[("idempotency-key", key)], body)).0, 202);
        }
        let data = desk(&mut gateway);
        for told in [
            format!("W sells 16.99 tokens, with a slippage of {shown}."),
            "V pays the network fee, and bids 0.007 SOL for priority.".to_owned(),
            "W sells 12.5 % of what it holds, with the service's own slippage.".to_owned(),
            format!("V sells 100 % of what it holds, with a slippage of {shown}."),
            "W spends 0.000000011 SOL, with the service's own slippage.".to_owned(),
        ] {
            says(&data, &format!("\"{told}\""));
        }
        says(&data, r#""request":{"mint":"M","fromWallet":"W","amountInToken":"16.99","feePayer":"V""#);
        // What was sent is told until it has ended.
        let forward = forward_of(act(&mut gateway, "/desk/approve", r#"{"caller":"bot","intentId":"a"}"#));
        says(&desk(&mut gateway), r#""inFlight":[{"caller":"bot","intentId":"a""#);
        says(&desk(&mut gateway), "W sells 16.99 tokens, with");
        gateway.forwarded(NOW, &forward.id, ForwardResult::Broken);
        says(&desk(&mut gateway), "W sells 16.99 tokens, with");
        act(&mut gateway, "/desk/settle", r#"{"caller":"bot","intentId":"a","found":"did_not_land"}"#);
        assert!(!answered(&desk(&mut gateway)).1.contains("sells 16.99"));
        // However large a bundle is, each of its trades is told: none is approved unseen.
        let leg = |at: u32| format!(r#"{{"fromWallet":"W{at}","amountInLamports":{at}}}"#);
        let buys: Vec<String> = (1..=40).map(leg).collect();
        let large = format!(r#"{{"mint":"M","feePayer":"W1","buys":[{}]}}"#, buys.join(","));
        ask(&mut gateway, "/v1/trade/bundle/buy", &[("idempotency-key", "d")], &large);
        says(&desk(&mut gateway), "W40 spends 0.00000004 SOL, with the service's own slippage.");
    }
}

#[test]
fn a_browser_at_the_desk_gets_the_page_and_no_other_page_acts() {
    let front = Front::of(Some(&text("")), Some(KEY));
    let html = ("accept", "text/html,*/*;q=0.8");
    // The token of eve, after a name that counts for nothing, as a browser sends it.
    let basic = ("authorization", "Basic b3A6ZXZlLXRva2Vu");
    let (eve, bot) = ([basic, html], [("authorization", "Bearer bot-token"), html]);
    for (method, path, headers, expected) in [
        ("GET", "/desk", &eve[..], Ok(Destination::Page)),
        ("GET", "/desk?trades=5&audit=7", &eve, Ok(Destination::Page)),
        ("GET", "/desk", &[basic], Ok(Destination::Desk("alpha"))),
        ("GET", "/desk/audit", &eve, Ok(Destination::Desk("alpha"))),
        ("POST", "/desk/halt", &eve, Ok(Destination::Desk("alpha"))),
        ("GET", "/desk?trades=x", &eve, Err(404)),
        ("POST", "/desk", &eve, Err(405)),
        ("GET", "/desk", &bot, Err(403)),
        ("GET", "/desk", &[html], Err(401)),
    ] {
        let found = routed(&front, method, path, headers);
        assert_eq!(found.map_err(|reply| reply.status), expected, "{method} {path}");
    }

    let mut gateway = approving();
    buys(&mut gateway, "a", 11);
    let about = r#"{"caller":"bot","intentId":"a"}"#;
    let deny = |gateway: &mut Kept, more: &[(&str, &str)]| {
        ask(gateway, "/desk/deny", &[&[basic], more].concat(), about)
    };
    for kind in ["application/x-www-form-urlencoded", "text/plain", "multipart/form-data"] {
        assert_eq!(code(&deny(&mut gateway, &[("content-type", kind)])), "unsupported_media_type", "{kind}");
    }
    for site in ["cross-site", "same-site", "Same-Origin", ""] {
        assert_eq!(code(&deny(&mut gateway, &[("sec-fetch-site", site)])), "csrf", "{site}");
    }
    let elsewhere = [("origin", "https://evil.example"), ("host", "desk.example")];
    assert_eq!(code(&deny(&mut gateway, &elsewhere)), "origin_not_allowed");
    let own =
        [("origin", "https://desk.example"), ("host", "desk.example"), ("sec-fetch-site", "same-origin")];
    assert_eq!(answered(&deny(&mut gateway, &own)).0, 200);
}

#[test]
fn the_audit_log_is_verified_like_the_record_of_any_desk() {
    let mut gateway = gateway("");
    trade(&mut gateway, "a", &buy(5), reply(200, LANDED));
    trade(&mut gateway, "b", &buy(6), reply(400, r#"{"message":"no"}"#));
    trade(&mut gateway, "c", &buy(7), ForwardResult::Timeout);
    trade(&mut gateway, "d", &buy(8), ForwardResult::Unsent);
    let found = r#"{"caller":"bot","intentId":"c","found":"landed","signature":"S"}"#;
    assert_eq!(answered(&act(&mut gateway, "/desk/settle", found)).0, 200);
    let log = |gateway: &Kept| {
        let rows = gateway.store.iter().filter(|(key, _)| key.starts_with("audit\n"));
        rows.map(|(_, row)| row.clone() + "\n").collect::<String>()
    };
    let verified = |log: &str| {
        let mut verifier = Verifier::default();
        verifier.add_bytes(log.as_bytes());
        let trades = verifier.end(None).trades.0;
        let problems = verifier.take_problems().into_iter().map(|problem| problem.message);
        let problems: Vec<String> = problems.collect();
        let end = |check: RecordCheck| (check.intent_id, check.outcome.unwrap().as_str(), check.acknowledged);
        (trades, problems, verifier.take_checks().into_iter().map(end).collect::<Vec<_>>())
    };
    let (trades, problems, mut ends) = verified(&log(&gateway));
    ends.sort();
    assert_eq!((trades, problems), (4, Vec::<String>::new()));
    let due =
        [("a", "landed", false), ("b", "rejected", false), ("c", "landed", true), ("d", "not_sent", false)];
    assert_eq!(ends, due.map(|(key, end, acknowledged)| (format!("bot/{key}"), end, acknowledged)));
    // An answer that was changed does not fit its end, whatever the hashes say.
    let changed = log(&gateway).replacen("\\\"success\\\":true", "\\\"success\\\":false", 1);
    assert!(verified(&changed).1.iter().any(|problem| problem.contains("no answer in the record says so")));
}

fn audit_key(number: u64) -> String {
    format!("audit\n{number:016}")
}

/// A desk whose log has the entries 0 to 8.
fn logged() -> Kept {
    let mut gateway = gateway("");
    for act in ["halt", "resume", "reduce", "resume", "halt", "resume"] {
        self::act(&mut gateway, &format!("/desk/{act}"), "{}");
    }
    for key in ["a", "b"] {
        trade(&mut gateway, key, &buy(5), reply(200, LANDED));
    }
    assert!(gateway.store.contains_key(&audit_key(8)) && !gateway.store.contains_key(&audit_key(9)));
    gateway
}

fn swapped(store: &mut BTreeMap<String, String>, key: &str, from: &str, to: &str) {
    let row = store[key].replace(from, to);
    assert_ne!(row, store[key]);
    store.insert(key.to_owned(), row);
}

fn not_the_hash(of: u64) -> String {
    format!("entry {} does not hold the hash of entry {of}: one of the two was changed", of + 1)
}

/// What somebody did to the rows of a log.
type Damage = fn(&mut BTreeMap<String, String>);

#[test]
fn a_log_that_was_changed_stops_forwarding_until_an_operator_acknowledges_it() {
    let cases: [(Damage, &str); 9] = [
        (|store| swapped(store, &audit_key(7), "buy, 5", "buy, 4"), &not_the_hash(7)),
        (|store| swapped(store, &audit_key(8), "buy, 5", "buy, 4"), "entry 8 was changed"),
        (|store| swapped(store, &audit_key(3), "}", ""), "the row after entry 2 does not belong to the log"),
        (|store| drop(store.remove(&audit_key(8))), "the entries after 7, to 8, are missing"),
        (
            |store| store.retain(|key, _| *key < audit_key(6) || *key > audit_key(9)),
            "the entries after 5, to 8, are missing",
        ),
        (|store| drop(store.remove(&audit_key(4))), "entry 4 is missing"),
        (
            |store| store.retain(|key, _| *key < audit_key(0) || *key > audit_key(9)),
            "all entries to 8 are missing",
        ),
        (|store| drop(store.remove(&audit_key(0))), "the entries before 1 are missing"),
        (|store| drop(store.remove("head")), "its head is missing"),
    ];
    for (damage, what) in cases {
        let mut gateway = logged();
        damage(&mut gateway.store);
        let mut gateway = gateway.restarted(&text(""), NOW);
        let refused = buys(&mut gateway, "c", 5);
        let detail = format!("the audit log is broken: {what}; an operator acknowledges it");
        assert_eq!((answered(&refused).0, code(&refused).as_str()), (403, "audit_broken"));
        says(&refused, &format!(r#""detail":"{detail}""#));
        assert_eq!(header(&refused, "intent-state"), Some("not_recorded"));
        // What was answered is given again.
        assert_eq!(answered(&buys(&mut gateway, "a", 5)).0, 200);
        says(&desk(&mut gateway), &format!(r#""auditBroken":"{what}""#));
        // Later entries and a start do not hide it.
        act(&mut gateway, "/desk/reduce", "{}");
        act(&mut gateway, "/desk/resume", "{}");
        let mut gateway = gateway.restarted(&text(""), NOW);
        assert_eq!(code(&buys(&mut gateway, "c", 5)), "audit_broken");
        assert_eq!(code(&ask(&mut gateway, "/desk/acknowledge", &[], "{}")), "not_an_operator");
        let seen = act(&mut gateway, "/desk/acknowledge", "{}");
        assert_eq!(answered(&seen).0, 200);
        assert!(seen.rows.iter().any(|row| row.row.as_ref().is_some_and(|text| text.contains(what))));
        for _ in 0..2 {
            gateway = gateway.restarted(&text(""), NOW);
            assert_eq!(code(&act(&mut gateway, "/desk/acknowledge", "{}")), "wrong_state", "{what}");
        }
        let moved = buys(&mut gateway, "c", 5);
        assert!(passes(&moved), "{what}");
    }
}

#[test]
fn what_a_start_leaves_of_a_long_log_is_checked_at_the_alarms_after_it() {
    let mut long = gateway("");
    for _ in 0..1_300 {
        act(&mut long, "/desk/halt", "{}");
        act(&mut long, "/desk/resume", "{}");
    }
    let store = long.store;
    assert!(store.contains_key(&audit_key(2_600)) && !store.contains_key(&audit_key(2_601)));
    // The start checks the entries from 1601 on.
    let cases: [(Damage, &str); 8] = [
        (|_| (), ""),
        (|store| swapped(store, &audit_key(3), "halt", "holt"), &not_the_hash(3)),
        (|store| swapped(store, &audit_key(1_000), "resume", "resumed"), &not_the_hash(1_000)),
        (|store| swapped(store, &audit_key(1_600), "resume", "resumed"), &not_the_hash(1_600)),
        (|store| drop(store.remove(&audit_key(0))), "entry 0 is missing"),
        (|store| drop(store.remove(&audit_key(1_000))), "entry 1000 is missing"),
        (|store| drop(store.remove(&audit_key(1_600))), "entry 1600 is missing"),
        (|store| store.retain(|key, _| *key < audit_key(0) || *key > audit_key(1_600)), "entry 0 is missing"),
    ];
    for (damage, what) in cases {
        let mut store = store.clone();
        damage(&mut store);
        let mut gateway = Kept::new(store, &text(""), NOW);
        let first = buys(&mut gateway, "a", 5);
        assert!(passes(&first), "the first trade does not wait for it: {what}");
        let alarms = gateway.checked(NOW);
        assert_eq!(gateway.checked(NOW), 0, "each row is checked once");
        if what.is_empty() {
            assert_eq!(alarms, 2);
        }
        let told = if what.is_empty() { "null".to_owned() } else { format!("{what:?}") };
        says(&desk(&mut gateway), &format!(r#""auditBroken":{told}"#));
        let mut gateway = gateway.restarted(&text(""), NOW);
        let second = buys(&mut gateway, "b", 6);
        match what {
            "" => assert!(passes(&second)),
            _ => assert_eq!(code(&second), "audit_broken", "{what}"),
        }
    }
}

#[test]
fn no_number_is_given_twice_after_the_tail_was_deleted() {
    let mut gateway = logged();
    gateway.store.remove(&audit_key(8));
    let mut gateway = gateway.restarted(&text(""), NOW);
    act(&mut gateway, "/desk/halt", "{}");
    assert!(!gateway.store.contains_key(&audit_key(8)) && gateway.store.contains_key(&audit_key(9)));
}

#[test]
fn the_log_is_exported_from_a_cursor_and_checked_on_the_way() {
    let mut gateway = gateway("");
    for _ in 0..600 {
        act(&mut gateway, "/desk/halt", "{}");
        act(&mut gateway, "/desk/resume", "{}");
    }
    let export = |gateway: &mut Kept, path: &str| ask(gateway, path, &[EVE], "GET");
    let first = export(&mut gateway, "/desk/audit");
    assert_eq!(header(&first, "content-type"), Some("application/x-ndjson"));
    assert_eq!(header(&first, "link"), Some("</desk/audit?from=1000>; rel=\"next\""));
    let second = export(&mut gateway, "/desk/audit?from=1000");
    assert_eq!(header(&second, "link"), None);
    let all = answered(&first).1 + &answered(&second).1;
    let mut check = ChainCheck::default();
    assert_eq!(all.lines().map(|row| check.add(row).unwrap()).count(), 1_201);
    let Head { number, hash } = check.last().unwrap();
    assert_eq!(header(&second, "audit-head"), Some(format!("{number} {hash}").as_str()));
    assert_eq!(answered(&export(&mut gateway, "/desk/audit?from=1201")), (200, String::new()));
    for path in ["/desk/audit?from=x", "/desk/audit?to=1"] {
        assert!(answered(&export(&mut gateway, path)).0 >= 400, "{path}");
    }
    assert_eq!(code(&ask(&mut gateway, "/desk/audit", &[], "GET")), "not_an_operator");
    // Older than what a start checks, here changed while it runs.
    swapped(&mut gateway.store, &audit_key(1_000), "resume", "reduce");
    let part = export(&mut gateway, "/desk/audit?from=1001");
    assert!(answered(&part).1.starts_with(r#"{"number":1001,"#));
    assert_eq!(code(&buys(&mut gateway, "c", 5)), "audit_broken");
    assert!(gateway.store["head"].contains(&not_the_hash(1_000)));
}

#[test]
fn the_page_leads_to_all_trades_and_entries() {
    let mut gateway = gateway("");
    for key in 0..120 {
        trade(&mut gateway, &key.to_string(), &buy(5), reply(200, LANDED));
    }
    let mut walk = |query: &str, list: &str, older: &str| {
        let (mut path, mut count) = ("/desk".to_owned(), 0);
        loop {
            let (_, text) = answered(&act(&mut gateway, &path, "GET"));
            let data = json::parse(text.as_bytes()).unwrap();
            let Data::Array(items) = data.root().get(list).unwrap().data() else { panic!("{list}") };
            count += items.count();
            let (_, rest) = text.split_once(&format!("\"{older}\":")).unwrap();
            let before: String = rest.chars().take_while(char::is_ascii_digit).collect();
            if before.is_empty() {
                return count;
            }
            path = format!("/desk?{query}={before}");
        }
    };
    assert_eq!((walk("trades", "recent", "olderTrades"), walk("audit", "audit", "olderAudit")), (120, 121));
    assert_eq!(answered(&ask(&mut gateway, "/desk?trades=1&trades=2", &[EVE], "GET")).0, 404);
}

#[test]
fn many_doubts_are_settled_at_once_each_on_its_own() {
    let mut gateway = gateway("");
    for key in ["a", "b", "c"] {
        trade(&mut gateway, key, &buy(5), ForwardResult::Broken);
    }
    trade(&mut gateway, "known", &buy(5), reply(200, LANDED));
    let proof =
        |key: &str, found: &str| format!(r#"{{"caller":"bot","intentId":"{key}","found":"{found}"}}"#);
    let settle = |gateway: &mut Kept, list: &[String]| {
        act(gateway, "/desk/settle-many", &format!(r#"{{"settlements":[{}]}}"#, list.join(",")))
    };
    let cases = [
        (proof("a", "landed"), r#""outcome":"landed""#),
        (proof("known", "landed"), r#""code":"wrong_state""#),
        (proof("nobody", "landed"), r#""code":"intent_not_found""#),
        (proof("b", "did_not_land"), r#""outcome":"did_not_land""#),
    ];
    let (status, body) = answered(&settle(&mut gateway, &cases.clone().map(|(proof, _)| proof)));
    let parts: Vec<&str> = body.split("{\"caller\"").skip(1).collect();
    assert_eq!((status, parts.len()), (200, cases.len()), "{body}");
    for (part, (_, told)) in parts.iter().zip(&cases) {
        assert!(part.contains(told), "{part}");
    }
    let doubts = gateway.intents().filter(|(_, intent)| intent.state == IntentState::InDoubt);
    assert_eq!(doubts.map(|(id, _)| id).collect::<Vec<_>>(), ["bot/c"]);
    // A list with an element that cannot be read settles nothing.
    let bad = settle(&mut gateway, &[proof("c", "landed"), proof("c", "lost")]);
    assert_eq!(code(&bad), "invalid_request");
    says(&bad, "settlements[1].found");
    assert_eq!(code(&settle(&mut gateway, &[])), "invalid_request");
    assert_eq!(gateway.counts(NOW), 15);
}

#[test]
fn a_token_is_replaced_while_the_old_one_still_counts() {
    let hashes = |text: &str, tokens: &[&str]| {
        let list: Vec<String> = tokens.iter().map(|token| format!("{:?}", token_hash(token))).collect();
        text.replace(&format!("{:?}", token_hash("bot-token")), &format!("[{}]", list.join(",")))
    };
    let both = hashes(&text(""), &["bot-token", "bot-next"]);
    let mut gateway = gateway("").restarted(&both, NOW);
    for (token, key) in [("bot-token", "a"), ("bot-next", "b")] {
        let bearer = format!("Bearer {token}");
        let more = [("authorization", bearer.as_str()), ("idempotency-key", key)];
        assert!(passes(&ask(&mut gateway, BUY, &more, &buy(5))));
    }
    let mut gateway = gateway.restarted(&hashes(&text(""), &["bot-next"]), NOW);
    assert_eq!(answered(&buys(&mut gateway, "c", 5)).0, 401);
    let nameless = text("").replace(r#""name":"bot""#, r#""name":"""#);
    for (settings, what) in [
        (hashes(&text(""), &[]), "callers[0].tokenSha256 must be one hash, or a list of one or two"),
        (
            hashes(&text(""), &["a", "b", "c"]),
            "callers[0].tokenSha256 must be one hash, or a list of one or two",
        ),
        (hashes(&text(""), &["bot-token", "other-token"]), "callers must not repeat a token"),
        (hashes(&text(""), &["bot-token", ""]), "callers[0].tokenSha256 is the hash of an empty token"),
        (nameless, "callers[0].name is empty"),
    ] {
        let problems = GatewaySettings::read(&settings).unwrap_err();
        assert!(problems.iter().any(|problem| problem.message == what), "{problems:?}");
    }
}

#[test]
fn the_state_of_an_intent_comes_with_its_recorded_answer() {
    let mut gateway = gateway("");
    let get = |gateway: &mut Kept, key: &str| ask(gateway, &format!("/v1/intents/{key}"), &[], "GET");
    assert!(passes(&buys(&mut gateway, "a", 5)));
    let in_flight = get(&mut gateway, "a");
    assert_eq!(header(&in_flight, "intent-state"), Some("in_flight"));
    assert!(!answered(&in_flight).1.contains("answer"));
    gateway.forwarded(NOW, "bot/a", reply(200, SIGNED));
    let ended = get(&mut gateway, "a");
    assert_eq!((answered(&ended).0, header(&ended, "intent-state")), (200, Some("ended")));
    says(&ended, r#""answer":{"status":200,"contentType":"application/json","body":"{\"result\":{\"mint\":"#);
    trade(&mut gateway, "b", &buy(5), ForwardResult::Broken);
    let doubt = get(&mut gateway, "b");
    assert_eq!(header(&doubt, "intent-state"), Some("in_doubt"));
    says(&doubt, r#"\"code\":\"network_error\""#);
}

#[test]
fn without_a_service_trades_are_for_the_sandbox_of_the_driver_and_never_look_real() {
    let mut gateway = gateway(r#""sandbox":{"maxTrades":5}"#);
    let forward = forward_of(buys(&mut gateway, "a", 5));
    assert_eq!(forward.url, "https://sandbox.invalid/v1/trade/buy");
    assert!(gateway.may_send("bot/a"));
    // Whatever the reply says of itself.
    let landed = gateway.forwarded(NOW, "bot/a", reply(200, LANDED));
    assert_eq!((answered(&landed).0, header(&landed, "x-simulated")), (200, Some("true")));
    let plan = format!(r#"{{"operation":"buy","request":{}}}"#, buy(5));
    let planned = ask(&mut gateway, "/v1/plans", &[], &plan);
    assert_eq!(header(&planned, "x-simulated"), Some("true"));
    says(&planned, r#""simulated":true"#);
    let lost = trade(&mut gateway, "b", &buy(5), ForwardResult::Broken);
    assert_eq!((answered(&lost).0, header(&lost, "x-simulated")), (502, Some("true")));
    assert!(answered(&desk(&mut gateway)).1.contains(r#""simulated":true"#));
}

#[test]
fn a_row_that_no_gateway_wrote_keeps_a_desk_from_starting() {
    for broken in ["{", "{}", r#"{"number":0}"#] {
        assert!(DeskRows::of([("intent\nbot/a", broken)]).is_err());
    }
}

#[test]
fn a_market_is_read_from_the_sandbox_by_traders_alone() {
    let front = |more| Front::of(Some(&text(more)), None);
    let (simulated, live) = (front(r#""sandbox":{},"origins":["https://page.example"]"#), front(""));
    for (token, method, refused) in [
        ("Bearer far-token", "GET", None),
        ("Bearer far-token", "POST", Some(405)),
        (EVE.1, "GET", Some(403)),
        ("Bearer nobody", "GET", Some(401)),
    ] {
        let headers = [pair("authorization", token), pair("origin", "https://page.example")];
        let request = GatewayRequest { method, path: "/_market/tokens", headers: &headers, body: None };
        let Some(status) = refused else {
            assert_eq!(simulated.route(&request), Ok(Destination::Market("beta")));
            assert_eq!(live.route(&request).unwrap_err().status, 404);
            let answer = simulated.market_answer(&request, 200, "text/event-stream");
            let header = |name| answer.header(name);
            assert_eq!(
                ["content-type", "x-simulated", "cache-control", "access-control-allow-origin"].map(header),
                ["text/event-stream", "true", "no-store", "https://page.example"].map(Some)
            );
            continue;
        };
        assert_eq!(simulated.route(&request).unwrap_err().status, status, "{token} {method}");
    }
}

const BUNDLE: &str = r#"{"mint":"M","feePayer":"W","buys":[{"fromWallet":"W","amountInLamports":1},{"fromWallet":"V","amountInLamports":1}]}"#;

#[test]
fn settings_that_allow_less_keep_no_desk_from_starting_and_no_doubt_from_being_settled() {
    let path = "/v1/trade/bundle/buy";
    for found in ["landed", "did_not_land"] {
        let mut gateway = gateway("");
        ask(&mut gateway, path, &[("idempotency-key", "broken")], BUNDLE);
        gateway.forwarded(NOW, "bot/broken", ForwardResult::Broken);
        // In flight when it stops.
        assert!(passes(&ask(&mut gateway, path, &[("idempotency-key", "lost")], BUNDLE)));
        let less = r#""upstream":"https://service.example","maxBundleSize":1,"identifiers":"base58""#;
        let mut gateway = gateway.restarted(&text(less), NOW + 1);
        let (_, desk) = answered(&desk(&mut gateway));
        for key in ["broken", "lost"] {
            assert!(desk.contains(&format!(r#""intentId":"{key}","state":"in_doubt""#)), "{desk}");
            let again = ask(&mut gateway, path, &[("idempotency-key", key)], BUNDLE);
            assert_eq!((answered(&again).0, header(&again, "intent-state")), (502, Some("in_doubt")));
            let about = format!(r#"{{"caller":"bot","intentId":"{key}","found":"{found}"}}"#);
            assert_eq!(answered(&act(&mut gateway, "/desk/settle", &about)).0, 200);
        }
        let counts = if found == "landed" { 4 } else { 0 };
        assert_eq!(gateway.counts(NOW + 1), counts);
    }
}

#[test]
fn a_caller_that_is_none_of_the_desk_any_more_has_nothing_approved_and_its_doubts_settled() {
    let mut gateway = approving();
    buys(&mut gateway, "waits", 11);
    let mut doubtful = Kept::new(gateway.store.clone(), &text(""), NOW);
    trade(&mut doubtful, "doubt", &buy(5), ForwardResult::Broken);
    let elsewhere = text("").replace(r#""name":"bot","desk":"alpha""#, r#""name":"bot","desk":"beta""#);
    let operator = text("").replacen(r#""role":"trader""#, r#""role":"operator""#, 1);
    let gone = text("").replace(r#""name":"bot""#, r#""name":"somebody""#);
    for settings in [elsewhere, operator, gone] {
        let mut gateway = Kept::new(doubtful.store.clone(), &settings, NOW);
        let waits = r#"{"caller":"bot","intentId":"waits"}"#;
        assert_eq!(code(&act(&mut gateway, "/desk/approve", waits)), "wrong_state", "{settings}");
        let doubt = r#"{"caller":"bot","intentId":"doubt","found":"did_not_land"}"#;
        assert_eq!(answered(&act(&mut gateway, "/desk/settle", doubt)).0, 200);
        assert_eq!(answered(&act(&mut gateway, "/desk/deny", waits)).0, 200);
    }
}

#[test]
fn a_callers_rate_is_its_own_and_holds_over_a_restart() {
    let mut gateway = gateway("");
    let other = |gateway: &mut Kept, now, key| other_buys(gateway, now, key, 1);
    for key in ["a", "b"] {
        assert!(passes(&other(&mut gateway, NOW, key)));
        gateway.forwarded(NOW, &format!("other/{key}"), reply(200, LANDED));
    }
    let refused = other(&mut gateway, NOW, "c");
    assert_eq!((answered(&refused).0, code(&refused).as_str()), (429, "over_rate_limit"));
    assert_eq!(header(&refused, "retry-after"), Some("1"));
    assert!(passes(&buys(&mut gateway, "c", 1)));
    let mut gateway = gateway.restarted(&text(""), NOW + 500);
    assert_eq!(code(&other(&mut gateway, NOW + 500, "c")), "over_rate_limit");
    assert!(passes(&other(&mut gateway, NOW + 1_000, "d")));
    // With a lower rate, nobody waits for trades that the old one allowed.
    let slower = text("").replace(r#""perSecond":1,"burst":2"#, r#""perSecond":0.5,"burst":1"#);
    let mut gateway = gateway.restarted(&slower, NOW + 2_999);
    assert_eq!(code(&other(&mut gateway, NOW + 2_999, "e")), "over_rate_limit");
    assert!(passes(&other(&mut gateway, NOW + 3_000, "f")));
}

#[test]
fn a_mint_that_was_traded_in_the_sandbox_is_new_when_it_goes_live() {
    let live = policy(r#""approval":{"firstTradeOfMint":true}"#);
    let more = live.replace(r#""upstream":"https://service.example""#, r#""sandbox":{}"#);
    let mut gateway = gateway(&more);
    let buys = |gateway: &mut Kept, key| buys(gateway, key, 5);
    assert_eq!(answered(&buys(&mut gateway, "a")).0, 202);
    act(&mut gateway, "/desk/approve", r#"{"caller":"bot","intentId":"a"}"#);
    gateway.forwarded(NOW, "bot/a", reply(200, LANDED));
    assert!(passes(&buys(&mut gateway, "b")));
    gateway.forwarded(NOW, "bot/b", reply(200, LANDED));
    let mut gateway = gateway.restarted(&text(&more), NOW);
    assert!(passes(&buys(&mut gateway, "c")), "known in the sandbox");
    let mut gateway = gateway.restarted(&text(&live), NOW);
    assert_eq!(code(&buys(&mut gateway, "d")), "awaiting_approval");
    let mut gateway = gateway.restarted(&text(&live), NOW);
    assert_eq!(code(&buys(&mut gateway, "d")), "awaiting_approval", "it goes live once");
}

#[test]
fn what_waits_or_is_planned_in_the_sandbox_is_not_sent_when_it_goes_live() {
    let live = policy(r#""approval":{"overLamports":3}"#);
    let more = live.replace(r#""upstream":"https://service.example""#, r#""sandbox":{}"#);
    let mut gateway = gateway(&more);
    assert_eq!(code(&buys(&mut gateway, "a", 5)), "awaiting_approval");
    let plan = planned(&mut gateway, &[], 0);
    let mut gateway = gateway.restarted(&text(&more), NOW);
    assert_eq!(code(&buys(&mut gateway, "a", 5)), "awaiting_approval", "the sandbox goes on");
    let mut gateway = gateway.restarted(&text(&live), NOW);
    let approved = act(&mut gateway, "/desk/approve", r#"{"caller":"bot","intentId":"a"}"#);
    assert_eq!(code(&approved), "wrong_state");
    assert_eq!(code(&ask(&mut gateway, &format!("{plan}/send"), &[], "{}")), "plan_not_found");
    assert_eq!(code(&buys(&mut gateway, "a", 5)), "approval_expired");
}

/// An account that was open when the plan was made may have been closed since.
#[test]
fn a_plan_needs_approval_by_what_it_may_take_when_it_is_sent() {
    let settings = GatewaySettings::read(&text(&policy(r#""approval":{"overLamports":1000000}"#))).unwrap();
    let store = BTreeMap::new();
    let mut gateway = Kept { gateway: revived(settings, &store, NOW).0, store };
    let waits = ask(&mut gateway, BUY, &[("idempotency-key", "a")], &buy(5));
    assert_eq!(answered(&waits).0, 202, "it opens accounts");
    let approved = act(&mut gateway, "/desk/approve", r#"{"caller":"bot","intentId":"a"}"#);
    gateway.forwarded(NOW, &forward_of(approved).id, reply(200, LANDED));
    let plan = planned(&mut gateway, &[], 0);
    let sell = ask(&mut gateway, SELL, &[], SELLS);
    gateway.forwarded(NOW, &forward_of(sell).id, reply(200, LANDED));
    assert_eq!(answered(&ask(&mut gateway, &format!("{plan}/send"), &[], "{}")).0, 202);
}

#[test]
fn a_plan_that_nobody_sends_leaves_nothing() {
    let mut gateway = gateway("");
    let path = planned(&mut gateway, &[], 0);
    let before = gateway.store.len();
    gateway.alarm(NOW + 60_000);
    assert_eq!((gateway.intents().count(), gateway.store.len()), (0, before - 1));
    assert_eq!(code(&ask_at(&mut gateway, NOW + 60_000, &path, &[], "GET")), "plan_not_found");
    let send = planned(&mut gateway, &[], 1) + "/send";
    assert_eq!(code(&ask_at(&mut gateway, NOW + 60_001, &send, &[], "")), "plan_not_found");
}

/// The location of a plan of `bot`'s, or of the caller with this token.
fn planned(gateway: &mut Kept, more: &[(&str, &str)], at_ms: u64) -> String {
    let plan = format!(r#"{{"operation":"buy","request":{}}}"#, buy(5));
    let made = ask_at(gateway, NOW + at_ms, "/v1/plans", more, &plan);
    assert_eq!(answered(&made).0, 201, "{}", answered(&made).1);
    header(&made, "location").unwrap().to_owned()
}

#[test]
fn a_desk_full_of_one_callers_plans_keeps_no_other_caller_out() {
    let settings = r#""upstream":"https://service.example","maxIntents":4"#;
    let mut gateway = gateway(settings);
    let theirs = planned(&mut gateway, &[OTHER], 1);
    let mut plans: Vec<String> = (2..=10).map(|at_ms| planned(&mut gateway, &[], at_ms)).collect();
    assert_eq!(gateway.intents().count(), 4, "the newest plan replaces the caller's own oldest");
    let mut gateway = gateway.restarted(&text(settings), NOW);
    let is_there = |gateway: &mut Kept, path: &str, more: &[(&str, &str)]| {
        answered(&ask(gateway, path, more, "GET")).0 == 200
    };
    assert!(is_there(&mut gateway, &theirs, &[OTHER]), "another caller's plan stays");
    let kept: Vec<String> = plans.iter().filter(|path| is_there(&mut gateway, path, &[])).cloned().collect();
    assert_eq!(kept, plans.split_off(6));

    // The trades of others, too.
    forward_of(ask(&mut gateway, SELL, &[("idempotency-key", "sell"), OTHER], SELLS));
    forward_of(other_buys(&mut gateway, NOW, "buy", 2));
    forward_of(ask(&mut gateway, &format!("{}/send", kept[2]), &[], ""));
    assert_eq!(gateway.intents().count(), 4);
    assert_eq!(gateway.store.keys().filter(|key| key.starts_with("intent\n")).count(), 4);
}

#[test]
fn a_desk_full_of_trades_still_sells() {
    let mut gateway = gateway(r#""upstream":"https://service.example","maxIntents":10"#);
    for number in 0..9 {
        trade(&mut gateway, &format!("buy-{number}"), &buy(5), reply(200, LANDED));
    }
    assert_eq!(code(&buys(&mut gateway, "over", 5)), "desk_full");
    let plan = format!(r#"{{"operation":"buy","request":{}}}"#, buy(5));
    assert_eq!(code(&ask(&mut gateway, "/v1/plans", &[], &plan)), "desk_full");
    forward_of(ask(&mut gateway, SELL, &[("idempotency-key", "a")], SELLS));
    assert_eq!(code(&ask(&mut gateway, SELL, &[("idempotency-key", "b")], SELLS)), "desk_full");
    // What is remembered is answered again.
    assert_eq!(answered(&buys(&mut gateway, "buy-0", 5)).0, 200);
}

#[test]
fn a_key_with_signs_that_paths_escape_is_found() {
    let mut gateway = gateway("");
    trade(&mut gateway, "a/b?c%<d>", &buy(5), reply(200, LANDED));
    let (status, body) = answered(&ask(&mut gateway, "/v1/intents/a%2Fb%3fc%25%3Cd%3E", &[], "GET"));
    assert_eq!(status, 200, "{body}");
    for path in ["/v1/intents/a/b%3fc%%3Cd%3E", "/v1/intents/%ff", "/v1/intents/%+f", "/v1/intents/"] {
        assert_eq!(code(&ask(&mut gateway, path, &[], "GET")), "intent_not_found", "{path}");
    }
}

#[test]
fn every_code_says_what_its_status_says() {
    for code in GatewayCode::ALL {
        let outcome = match code.status() {
            202 | 409 | 502 => Outcome::Unknown,
            403 if code == GatewayCode::ConnectFailed => Outcome::NotSent,
            400..=429 | 503 => Outcome::Rejected,
            status => panic!("{status}"),
        };
        assert_eq!(code.outcome(), outcome);
    }
}

proptest! {
    #![proptest_config(seeded::cases(64))]

    /// Trades in any order, with any ends and at any time: what counts is what a day of simple addition says, and never over a cap.
    #[test]
    fn no_order_of_trades_overshoots_a_cap(steps in proptest::collection::vec((0u8..2, 1u64..60, 0u8..4, 0u64..30_000_000), 1..40)) {
        let mut gateway = gateway(&policy(r#""limits":{"maxLamportsPerDay":150,"maxLamportsPerWalletPerDay":100}"#));
        let (mut now, mut out, mut spent) = (NOW, Vec::new(), Vec::<(u64, u8, u64)>::new());
        for (number, (wallet, lamports, end, pause)) in steps.into_iter().enumerate() {
            now += pause;
            let sum = |spent: &[(u64, u8, u64)], of: Option<u8>| -> u64 {
                let counts = spent.iter().filter(|(at, who, _)| at + 86_400_000 > now && of.is_none_or(|of| of == *who));
                counts.map(|(_, _, lamports)| lamports).sum()
            };
            let body = buy(lamports).replace("\"W\"", &format!("\"W{wallet}\""));
            let key = number.to_string();
            let moved = ask_at(&mut gateway, now, BUY, &[("idempotency-key", &key)], &body);
            let fits = sum(&spent, None) + lamports <= 150 && sum(&spent, Some(wallet)) + lamports <= 100;
            match moved.step {
                GatewayStep::Forward(forward) => {
                    prop_assert!(fits);
                    spent.push((now, wallet, lamports));
                    out.push((forward.id, now, wallet, lamports));
                }
                _ => prop_assert!(!fits, "{:?}", answered(&moved)),
            }
            if end > 0 && !out.is_empty() {
                let (id, at, wallet, lamports) = out.remove(0);
                gateway.forwarded(now, &id, [ForwardResult::Timeout, reply(200, LANDED), reply(400, "")][usize::from(end) - 1].clone());
                if end == 3 {
                    let place = spent.iter().position(|known| *known == (at, wallet, lamports)).unwrap();
                    spent.remove(place);
                }
            }
            prop_assert_eq!(gateway.counts(now), u128::from(sum(&spent, None)));
        }
    }

    /// Whatever comes in, it is answered or forwarded, and nothing panics.
    #[test]
    fn foreign_data_is_answered(path in "(/v1/(trade/buy|plans|plans/x/send|intents/.{0,5})|/desk(/[a-z]{0,7})?|.{0,20})", name in "[a-z-]{1,16}", value in ".{0,40}", body in ".{0,80}") {
        let mut gateway = gateway("");
        for token in ["Bearer bot-token", "Bearer eve-token", "Basic b3A6ZXZlLXRva2Vu"] {
            for kind in ["application/json", "application/x-www-form-urlencoded"] {
                let moved = ask(&mut gateway, &path, &[("authorization", token), ("content-type", kind), (name.as_str(), value.as_str())], &body);
                if let GatewayStep::Answer(reply) = moved.step {
                    prop_assert!((200..600).contains(&reply.status));
                }
            }
        }
    }
}
