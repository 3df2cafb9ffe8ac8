//! A gateway's intents under every order of events there is: asked, recorded, forwarded, answered, lost, crashed, asked again,
//! approved, denied, withdrawn, settled, halted, expired.
//!
//! The explorer walks the whole graph of what can happen to a desk, from each of its states by each event, until nothing new
//! comes up. A crash may come before the rows of a call are written, after that and before the forward, and after the forward:
//! then the desk is restored from the written rows. A separate book, which does not know the gateway's states, records what the
//! service saw and what callers got, and says what must hold: no intent is forwarded twice, no answer is lost, no cap is
//! overshot.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::sync::OnceLock;

use crate::gateway::{KEY, NOW, read, revived};

use launchpad_desk::api::endpoint::Reply;
use launchpad_desk_gateway::{
    Account, ForwardResult, Gateway, GatewayChange, GatewayRequest, GatewaySettings, GatewayStep, token_hash,
};

/// Each fits alone, and no two together.
const CAP: u128 = 800;

fn settings() -> GatewaySettings {
    static ONCE: OnceLock<GatewaySettings> = OnceLock::new();
    ONCE.get_or_init(read_settings).clone()
}

fn read_settings() -> GatewaySettings {
    let (bot, operator) = (token_hash("bot-token"), token_hash("operator-token"));
    let text = format!(
        r#"{{
            "upstream": "https://service.example",
            "approvalMs": 1000, "planMs": 1000,
            "desks": [{{ "name": "alpha", "limits": {{ "maxLamportsPerDay": {CAP} }}, "approval": {{ "overLamports": 550 }} }}],
            "callers": [
                {{ "name": "bot", "desk": "alpha", "tokenSha256": "{bot}" }},
                {{ "name": "eve", "desk": "alpha", "tokenSha256": "{operator}", "role": "operator" }}
            ]
        }}"#
    );
    let mut settings = GatewaySettings::read(&text).unwrap();
    // So that figures are small: of these trades only the amounts count.
    settings.desks[0].limits.guards.count_charges = false;
    settings
}

/// The trades there are: a small one, one that a person must approve, and a plan.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum Trade {
    A,
    B,
    Plan,
}

impl Trade {
    fn lamports(self) -> u128 {
        match self {
            Trade::A => 400,
            Trade::B => 600,
            Trade::Plan => 500,
        }
    }

    fn body(self) -> String {
        let lamports = self.lamports();
        let trade = format!(r#"{{"mint":"M","fromWallet":"W{self:?}","amountInLamports":{lamports}}}"#);
        match self {
            Trade::Plan => format!(r#"{{"operation":"buy","request":{trade}}}"#),
            _ => trade,
        }
    }
}

/// What the service answers.
const REPLIES: [(u16, &str); 5] = [
    (200, r#"{"result":{"mint":"M","transactionResult":{"success":true,"results":"sk-canary-0123456789"}}}"#),
    (
        200,
        r#"{"result":{"mint":"M","transactionResult":{"success":false,"results":"custom program error: 0x1772"}}}"#,
    ),
    (422, r#"{"message":"no"}"#),
    (503, "busy"),
    (200, "<html>"),
];

/// The place of a refusal among them.
const REFUSED: usize = 2;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Crash {
    No,
    /// The rows of the call are not written.
    BeforeWriting,
    /// They are written, and nothing else is done.
    AfterWriting,
}

#[derive(Clone, Copy, Debug)]
enum Happening {
    Asked(Trade, Crash),
    AskedOtherwise(Trade),
    Replied(Trade, Option<usize>, Crash),
    Crashed,
    Approved(Trade, Crash),
    Denied(Trade, Crash),
    Withdrawn(Trade, Crash),
    Settled(Trade, bool, Crash),
    Acted(&'static str),
    TimePassed,
}

/// All that can happen to these trades. One alone is crashed at every place, and answered in every way; beside another there is
/// what the cap that they share can see of it.
fn happenings(trades: &[Trade]) -> Vec<Happening> {
    let is_alone = trades.len() == 1;
    let mut all = vec![Happening::Crashed];
    if is_alone {
        all.push(Happening::TimePassed);
        all.extend(["halt", "resume"].map(Happening::Acted));
        all.extend(trades.iter().copied().map(Happening::AskedOtherwise));
    }
    let crashes: &[Crash] =
        if is_alone { &[Crash::No, Crash::BeforeWriting, Crash::AfterWriting] } else { &[Crash::No] };
    for &trade in trades {
        for &crash in crashes {
            all.push(Happening::Asked(trade, crash));
            all.push(Happening::Replied(trade, None, crash));
            let replies = (0..REPLIES.len()).filter(|at| is_alone || *at == REFUSED);
            all.extend(replies.map(|reply| Happening::Replied(trade, Some(reply), crash)));
            all.push(Happening::Settled(trade, false, crash));
            if is_alone {
                all.push(Happening::Settled(trade, true, crash));
                all.push(Happening::Denied(trade, crash));
                all.push(Happening::Withdrawn(trade, crash));
            }
            if trade == Trade::B {
                all.push(Happening::Approved(trade, crash));
            }
        }
    }
    all
}

/// What is known of a trade by those outside.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
struct Seen {
    /// How often the service got it.
    sent: u32,
    /// Whether the service has it, and has not answered this object.
    is_out: bool,
    /// Whether it is known that nothing was spent.
    is_refused: bool,
    /// The last answer that a caller got after the forward, or that ended it; and whether that may still change, by an operator.
    answer: Option<(u16, Vec<u8>, bool)>,
    plan: Option<String>,
}

#[derive(Clone)]
struct World {
    gateway: Gateway,
    store: BTreeMap<String, String>,
    book: BTreeMap<Trade, Seen>,
    late: u64,
    mode: &'static str,
}

fn header(name: &str, value: &str) -> (String, String) {
    (name.to_owned(), value.to_owned())
}

impl World {
    fn start() -> World {
        let store = BTreeMap::new();
        let (gateway, start) = revived(settings(), &store, 0);
        let mut world = World { gateway, store, book: BTreeMap::new(), late: 0, mode: "active" };
        world.write(&start);
        world
    }

    fn now(&self) -> u64 {
        NOW + self.late * 2_000
    }

    /// The id of a trade's intent.
    fn key(&self, trade: Trade) -> String {
        let plan = self.book.get(&trade).and_then(|seen| seen.plan.clone());
        plan.unwrap_or_else(|| format!("{trade:?}"))
    }

    fn write(&mut self, moved: &GatewayChange) {
        for row in &moved.rows {
            match &row.row {
                Some(text) => {
                    assert!(!text.contains(KEY), "the key is in a row");
                    let before = self.store.insert(row.key.clone(), text.clone());
                    assert!(!row.key.starts_with("audit") || before.is_none(), "an audit row was changed");
                }
                None => drop(self.store.remove(&row.key)),
            }
        }
    }

    fn crash(&mut self) {
        let (gateway, start) = revived(settings(), &self.store, self.now());
        self.gateway = gateway;
        self.write(&start);
        let head = &self.store["head"];
        assert!(head.ends_with("\"broken\":null}"), "the log is broken: {head}");
        for seen in self.book.values_mut() {
            seen.is_out = false;
        }
    }

    fn ask(&mut self, path: &str, token: &str, key: Option<&str>, body: &str) -> GatewayChange {
        let token = format!("Bearer {token}");
        let mut headers = vec![header("authorization", &token), header("content-type", "application/json")];
        headers.extend(key.map(|key| header("idempotency-key", key)));
        let request = GatewayRequest { method: "POST", path, headers: &headers, body: Some(body.as_bytes()) };
        let now = self.now();
        let moved = self.gateway.request(now, &now.to_le_bytes(), &request);
        let GatewayStep::Read { from, until } = &moved.step else { return moved };
        // Nothing comes between the two calls, not even a crash.
        assert!(moved.rows.is_empty());
        read(&mut self.gateway, &self.store, [from, until], now, &request)
    }

    /// Executes a call's step, or crashes on the way. Answers to callers are recorded.
    fn carry(&mut self, trade: Trade, moved: &GatewayChange, crash: Crash) -> Option<Reply> {
        if crash == Crash::BeforeWriting {
            self.crash();
            return None;
        }
        self.write(moved);
        if crash == Crash::AfterWriting {
            self.crash();
            return None;
        }
        match &moved.step {
            GatewayStep::Forward(forward) => {
                assert!(forward.headers.iter().any(|(name, value)| name == "x-api-key" && value == KEY));
                assert!(forward.body.contains(&format!("\"W{trade:?}\"")));
                let seen = self.book.entry(trade).or_default();
                seen.sent += 1;
                seen.is_out = true;
                assert_eq!(seen.sent, 1, "{trade:?} was forwarded twice");
                assert_ne!(self.mode, "halted", "{trade:?} was forwarded while halted");
                None
            }
            GatewayStep::Answer(reply) => Some(reply.clone()),
            GatewayStep::Wait { reply, .. } => {
                let is_out = self.book.get(&trade).is_some_and(|seen| seen.is_out);
                assert!(is_out, "{trade:?} is waited for in vain");
                assert_eq!(reply.status, 409);
                None
            }
            _ => None,
        }
    }

    /// The answers that a caller may get after its earlier ones.
    fn hear(&mut self, trade: Trade, reply: &Reply) {
        let body = String::from_utf8(reply.body.clone()).unwrap();
        assert!(!body.contains(KEY), "the key is in an answer");
        let seen = self.book.entry(trade).or_default();
        let code = |name: &str| body.contains(&format!("\"code\":\"{name}\""));
        let is_refused_for_now = code("halted") || code("over_day_limit");
        let is_waiting = reply.status == 202 || reply.status == 201;
        if is_refused_for_now || is_waiting {
            assert!(seen.sent == 0, "{trade:?} was forwarded, and is answered {body}");
            assert!(seen.answer.is_none(), "{trade:?} had an answer: {:?}, and gets {body}", seen.answer);
            return;
        }
        let may_change = reply.status == 502;
        if let Some((status, before, false)) = &seen.answer {
            assert_eq!((*status, before), (reply.status, &reply.body), "{trade:?} got another answer");
        }
        if let Some((_, before, true)) = &seen.answer {
            let is_same = reply.status == 200 || code("did_not_land") || *before == reply.body;
            assert!(is_same, "{trade:?}: an answer in doubt changed by itself: {body}");
        }
        seen.answer = Some((reply.status, reply.body.clone(), may_change));
        seen.is_refused |= code("did_not_land") || reply.status == 422 || body.contains("\"success\":false");
    }

    fn happen(&mut self, happening: Happening) {
        match happening {
            Happening::Crashed => self.crash(),
            Happening::TimePassed => {
                if self.late == 0 {
                    self.late = 1;
                    let moved = self.gateway.alarm(self.now());
                    self.write(&moved);
                }
            }
            Happening::Acted(act) => {
                let moved = self.ask(&format!("/desk/{act}"), "operator-token", None, "{}");
                self.write(&moved);
                self.mode = if act == "halt" { "halted" } else { "active" };
            }
            Happening::AskedOtherwise(trade) => {
                let known = self.store.contains_key(&format!("intent\nbot/{trade:?}"));
                if known {
                    let moved = self.ask("/v1/trade/buy", "bot-token", Some(&format!("{trade:?}")), "{}");
                    let GatewayStep::Answer(reply) = &moved.step else {
                        panic!("{trade:?}: {:?}", moved.step)
                    };
                    assert_eq!(reply.status, 422);
                    self.write(&moved);
                }
            }
            Happening::Asked(trade, crash) => {
                let plan = self.book.get(&trade).and_then(|seen| seen.plan.clone());
                // A trade whose id got lost is never sent: one such is enough.
                let is_lost =
                    plan.is_none() && self.store.keys().any(|key| key.starts_with("intent\nbot/plan-"));
                if trade == Trade::Plan && is_lost {
                    return;
                }
                let moved = match (trade, plan) {
                    (Trade::Plan, Some(id)) => {
                        self.ask(&format!("/v1/plans/{id}/send"), "bot-token", None, "")
                    }
                    (Trade::Plan, None) => self.ask("/v1/plans", "bot-token", None, &trade.body()),
                    _ => self.ask("/v1/trade/buy", "bot-token", Some(&format!("{trade:?}")), &trade.body()),
                };
                if let Some(reply) = self.carry(trade, &moved, crash) {
                    if reply.status == 201 {
                        let location = reply.header("location").unwrap();
                        let id = location.trim_start_matches("/v1/plans/").to_owned();
                        self.book.entry(trade).or_default().plan = Some(id);
                    }
                    self.hear(trade, &reply);
                }
            }
            Happening::Replied(trade, reply, crash) => {
                if self.book.get(&trade).is_none_or(|seen| !seen.is_out) {
                    return;
                }
                let key = self.key(trade);
                let result = match reply.and_then(|at| REPLIES.get(at)) {
                    Some((status, body)) => ForwardResult::Reply(Reply {
                        status: *status,
                        headers: Vec::new(),
                        body: body.as_bytes().to_vec(),
                    }),
                    None => ForwardResult::Timeout,
                };
                let moved = self.gateway.forwarded(self.now(), &format!("bot/{key}"), result);
                self.book.entry(trade).or_default().is_out = false;
                if let Some(reply) = self.carry(trade, &moved, crash) {
                    // That of the other goes to the operator who approved it.
                    if trade != Trade::B {
                        self.hear(trade, &reply);
                    }
                }
            }
            Happening::Approved(trade, crash) | Happening::Denied(trade, crash) => {
                let act = if matches!(happening, Happening::Approved(..)) { "approve" } else { "deny" };
                let body = format!(r#"{{"caller":"bot","intentId":"{trade:?}"}}"#);
                let moved = self.ask(&format!("/desk/{act}"), "operator-token", None, &body);
                self.carry(trade, &moved, crash);
            }
            Happening::Withdrawn(trade, crash) => {
                let path = format!("/v1/intents/{}/withdraw", self.key(trade));
                let moved = self.ask(&path, "bot-token", None, "");
                self.carry(trade, &moved, crash);
            }
            Happening::Settled(trade, landed, crash) => {
                let key = self.key(trade);
                let found = if landed { "landed" } else { "did_not_land" };
                let body = format!(r#"{{"caller":"bot","intentId":"{key}","found":"{found}"}}"#);
                let moved = self.ask("/desk/settle", "operator-token", None, &body);
                self.carry(trade, &moved, crash);
            }
        }
        self.check();
    }

    /// What must hold at any time.
    fn check(&self) {
        let counted = self.gateway.lamports(&Account::of(None, None), self.now());
        assert!(counted <= CAP, "{counted} lamports count, over the cap");
        // Possible spends count: all that the service got, unless it is known that nothing was spent.
        let open = |trade: &Trade, seen: &Seen| {
            let row = self.store.get(&format!("intent\nbot/{}", self.key(*trade)));
            let is_free = |row: &String| {
                let ends = ["did_not_land", "rejected", "failed"];
                ends.iter().any(|end| row.contains(&format!("\"outcome\":\"{end}\"")))
            };
            seen.sent > 0 && !row.is_some_and(is_free)
        };
        let spent = self.book.iter().filter(|(trade, seen)| open(trade, seen));
        let spent: u128 = spent.map(|(trade, _)| trade.lamports()).sum();
        assert!(spent <= counted, "{spent} lamports may be spent, and {counted} count");
    }

    fn fingerprint(&self) -> String {
        let mut text = format!("{} {:?} ", self.late, self.book);
        for (key, row) in self.store.iter().filter(|(key, _)| !key.starts_with("audit") && *key != "head") {
            write!(text, "{key}={row};").unwrap();
        }
        text
    }
}

/// Walks the whole graph, which has more states than that.
fn explore(trades: &[Trade], least: usize) {
    let happenings = happenings(trades);
    let start = World::start();
    let mut known = BTreeSet::from([start.fingerprint()]);
    let mut worlds = vec![start];
    while let Some(world) = worlds.pop() {
        for &happening in &happenings {
            let mut next = world.clone();
            next.happen(happening);
            if known.insert(next.fingerprint()) {
                worlds.push(next);
            }
        }
    }
    assert!(known.len() > least, "only {} states", known.len());
}

#[test]
fn one_trade_is_forwarded_once_and_keeps_its_answer() {
    explore(&[Trade::A], 30);
}

#[test]
fn a_trade_that_a_person_must_approve_is_forwarded_once_and_only_then() {
    explore(&[Trade::B], 30);
}

#[test]
fn a_plan_is_sent_once() {
    explore(&[Trade::Plan], 30);
}

#[test]
fn trades_beside_each_other_never_overshoot_their_cap() {
    explore(&[Trade::A, Trade::B, Trade::Plan], 500);
}
