//! How trades ended, by a small scripted node: what is proven, and what stays open when the node returns less.

use launchpad_desk::api::endpoint::Operation;
use launchpad_desk::api::request::Request;
use launchpad_desk::api::validate::{Rules, validate};
use launchpad_desk::chain::address::{Address, TOKEN_PROGRAM, token_account_address};
use launchpad_desk::intent::IntentOutcome;
use launchpad_desk::launchpad::Launchpad;
use launchpad_desk::market::read::{Asking, Commitment, accounts_body, read_reply};
use launchpad_desk::market::settler::{Settler, Shown, sent};
use launchpad_desk::tape::json;
use launchpad_desk::trade::reconcile::{Certainty, Found, WalletBalances};
use launchpad_desk::trade::settle::{Settled, UnknownReason};
use serde_json::{Value, json};

const MINT: &str = "5gPoYaU3R9LTTLCSH1FkXvJ7mJiXkryo8JNeycYrU4gs";
const WALLET: &str = "EFKxMqJ4Fdin2Be9RrLdQMT7iHQ6kAYM7oeu6F7XdyLM";
const CURVE: &str = "4wTV1YmiEkRvAtNtsSGPtUrqRYQMe5SKy2uB4Jjaxnjf";
const SYSTEM: &str = "11111111111111111111111111111111";
const SOL: u64 = 1_000_000_000;
const SENT_MS: u64 = 1_700_000_000_000;

fn account() -> String {
    let [wallet, mint]: [Address; 2] = [WALLET, MINT].map(|address| address.parse().unwrap());
    token_account_address(&wallet, &TOKEN_PROGRAM, &mint).to_string()
}

/// An account as a node shows it.
fn account_of(owner: &str, lamports: u64, data: &[u8]) -> Value {
    use base64ct::{Base64, Encoding};
    json!({ "owner": owner, "lamports": lamports, "data": [Base64::encode_string(data), "base64"] })
}

fn refusal(id: &Value, code: i64, message: &str) -> Value {
    json!({ "jsonrpc": "2.0", "id": id, "error": { "code": code, "message": message } })
}

/// What a node says: one transaction of the wallet, or none.
#[derive(Clone)]
struct Node {
    slot: u64,
    transaction: Option<Value>,
    tokens: u64,
    lamports: u64,
    refuses: &'static str,
    forgets_from: u64,
}

impl Node {
    fn quiet() -> Node {
        let (tokens, lamports) = (5_000_000, 3 * SOL);
        Node { slot: 2_000, transaction: None, tokens, lamports, refuses: "", forgets_from: 0 }
    }

    fn refusing(self, refuses: &'static str) -> Node {
        Node { refuses, ..self }
    }

    /// Half of the wallet's tokens were sold at slot 1,500.
    fn sold() -> Node {
        let own = account();
        let transaction = json!({
            "slot": 1_500, "blockTime": SENT_MS / 1_000 + 3, "version": 0,
            "transaction": { "signatures": ["S"], "message": {
                "header": { "numRequiredSignatures": 1 }, "accountKeys": [WALLET, own, MINT, CURVE], "instructions": [] } },
            "meta": {
                "err": null, "fee": 5_000, "preBalances": [3 * SOL, 2_039_280, 1, 50 * SOL], "postBalances": [3 * SOL + 95_000, 2_039_280, 1, 50 * SOL - 100_000],
                "preTokenBalances": [{ "accountIndex": 1, "mint": MINT, "owner": WALLET, "uiTokenAmount": { "amount": "5000000" } }],
                "postTokenBalances": [{ "accountIndex": 1, "mint": MINT, "owner": WALLET, "uiTokenAmount": { "amount": "3000000" } }],
                "loadedAddresses": { "writable": [], "readonly": [] } } });
        let (tokens, lamports) = (3_000_000, 3 * SOL + 95_000);
        Node { transaction: Some(transaction), tokens, lamports, ..Node::quiet() }
    }

    fn time(slot: u64) -> u64 {
        SENT_MS / 1_000 + slot * 2 / 5 - 1_490 * 2 / 5
    }

    /// What it replies to a body: a call, or a list of calls.
    fn reply(&self, calls: &Value) -> (u16, String) {
        let answers: Value = match calls.as_array() {
            Some(calls) => calls.iter().map(|call| self.answer(call)).collect(),
            None => self.answer(calls),
        };
        (200, answers.to_string())
    }

    fn answer(&self, call: &Value) -> Value {
        let (method, params) = (call["method"].as_str().unwrap(), &call["params"]);
        if method == self.refuses {
            return refusal(&call["id"], -32_601, "Method not found");
        }
        let result = match method {
            "getSlot" => json!(self.slot),
            "getBlockHeight" => json!(self.slot - 100),
            "getBlockTime" => json!(Node::time(self.slot)),
            // One slot in three has no block.
            "getBlock" => match params[0].as_u64().unwrap() {
                slot if slot % 3 == 0 => return refusal(&call["id"], -32_009, "Slot was skipped"),
                slot => json!({ "blockHeight": slot - 100, "blockTime": Node::time(slot) }),
            },
            "getFirstAvailableBlock" => json!(self.forgets_from),
            "getMultipleAccounts" => {
                let value = |address: &Value| match address.as_str().unwrap() {
                    MINT => {
                        let mut data = vec![0; 82];
                        (data[44], data[45]) = (6, 1);
                        account_of(&TOKEN_PROGRAM.to_string(), 1, &data)
                    }
                    WALLET => account_of(SYSTEM, self.lamports, &[]),
                    _ => {
                        let mut data = vec![0; 165];
                        data[64..72].copy_from_slice(&self.tokens.to_le_bytes());
                        data[108] = 1;
                        account_of(&TOKEN_PROGRAM.to_string(), 2_039_280, &data)
                    }
                };
                let value: Vec<Value> = params[0].as_array().unwrap().iter().map(value).collect();
                json!({ "context": { "slot": self.slot }, "value": value })
            }
            "getSignaturesForAddress" => {
                assert_eq!(params[1]["minContextSlot"], self.slot);
                let entry = |read: &Value| json!({ "signature": "S", "slot": read["slot"], "err": read["meta"]["err"], "confirmationStatus": "finalized" });
                let mut entries: Vec<Value> = self.transaction.iter().map(entry).collect();
                // What brought the wallet its lamports, before the trade.
                if params[0] == WALLET && self.forgets_from <= 1_000 {
                    entries.push(json!({ "signature": "F", "slot": 1_000, "err": null, "confirmationStatus": "finalized" }));
                }
                json!(entries)
            }
            "getTransaction" => self.transaction.clone().unwrap_or_default(),
            other => panic!("{other}"),
        };
        json!({ "jsonrpc": "2.0", "id": call["id"], "result": result })
    }
}

fn sell() -> Request {
    let request = json!({ "mint": MINT, "fromWallet": WALLET, "amountInToken": 2 }).to_string();
    let request = json::parse(request.as_bytes()).unwrap();
    (*validate(Operation::Sell, request.root(), &Rules::default()).unwrap()).clone()
}

fn seen(slot: Option<u64>) -> Vec<WalletBalances> {
    vec![WalletBalances { wallet: WALLET.into(), tokens: Some(5_000_000), lamports: Some(3 * SOL), slot }]
}

fn settler(held_ms: Option<u64>, shown: Option<Shown>, before: &[WalletBalances]) -> Settler {
    let sent = sent(SENT_MS, held_ms, &Launchpad::default(), before);
    Settler::new(sell(), sent, shown, false, Some(Vec::new()))
}

/// How long the service may hold the sell, so that a settler can prove that it did not land.
const HELD_MS: Option<u64> = Some(30_000);

fn patient() -> Settler {
    settler(HELD_MS, None, &seen(Some(1_400)))
}

/// Has all its questions answered, and returns how many were lists of calls, and how many single ones.
fn ask(settler: &mut Settler, mut reply: impl FnMut(&Value) -> (u16, String)) -> (usize, usize) {
    let (mut batches, mut alone) = (0, 0);
    loop {
        let bodies = settler.next_bodies(4);
        assert!(bodies.len() <= 4);
        if bodies.is_empty() {
            return (batches, alone);
        }
        for body in bodies {
            let calls: Value = serde_json::from_str(&body).unwrap();
            *if calls.is_array() { &mut batches } else { &mut alone } += 1;
            let (status, text) = reply(&calls);
            settler.replied(status, text.as_bytes());
        }
    }
}

/// How the sell ended by this node, and the block to keep.
fn inquire(
    node: &Node,
    held_ms: Option<u64>,
    shown: Option<Shown>,
    before: &[WalletBalances],
) -> (Settled, Option<Shown>) {
    let mut settler = settler(held_ms, shown, before);
    let (batches, alone) = ask(&mut settler, |calls| node.reply(calls));
    assert!(batches <= 5 && alone == 0, "{batches} {alone}");
    (settler.settled(), settler.shown())
}

#[test]
fn a_trade_that_landed_is_proven_with_its_amounts() {
    let (settled, _) = inquire(&Node::sold(), None, None, &seen(Some(1_400)));
    assert_eq!((settled.outcome, settled.reason), (IntentOutcome::Landed, None));
    assert_eq!((settled.signature.as_deref(), settled.fee_lamports), (Some("S"), Some(5_000)));
    assert_eq!(settled.reconciled.found, Some(Found::Landed));
    let [finding] = &settled.reconciled.findings[..] else { panic!("{settled:?}") };
    assert_eq!((finding.tokens_moved, finding.lamports_moved), (Some(-2_000_000), Some(95_000)));
    // Where not all other trades of the client are known, it may be that of one of them.
    let sent = sent(SENT_MS, None, &Launchpad::default(), &seen(Some(1_400)));
    let mut forgetful = Settler::new(sell(), sent, None, false, None);
    ask(&mut forgetful, |calls| Node::sold().reply(calls));
    let Settled { reason, signature, reconciled, .. } = forgetful.settled();
    assert_eq!((reason, signature), (Some(UnknownReason::SharedWallets), None));
    assert_eq!((reconciled.certainty, reconciled.findings[0].tokens_moved), (Certainty::Unknown, None));
}

#[test]
fn a_named_transaction_that_moved_no_token_of_the_wallet_proves_nothing() {
    let of = |after: &str| {
        let mut node = Node::sold();
        let transaction = node.transaction.as_mut().unwrap();
        transaction["meta"]["postTokenBalances"][0]["uiTokenAmount"]["amount"] = json!(after);
        node.tokens = after.parse().unwrap();
        let mut settler = patient().answered(IntentOutcome::Landed, "S".to_owned());
        ask(&mut settler, |calls| node.reply(calls));
        (settler.settled().outcome, settler.settled().reason)
    };
    assert_eq!(of("3000000"), (IntentOutcome::Landed, None));
    assert_eq!(of("4000000"), (IntentOutcome::Landed, None), "the service has sold less");
    assert_eq!(of("5000000"), (IntentOutcome::Unknown, Some(UnknownReason::Misfit)));
}

/// The same node, with a first try of the sale that failed, and took its fee, at slot 1,450.
fn after_a_failed_try(node: &Node, call: &Value) -> Value {
    let mut failed = Node::sold().transaction.unwrap();
    (failed["slot"], failed["transaction"]["signatures"]) = (json!(1_450), json!(["T"]));
    let meta = &mut failed["meta"];
    meta["err"] = json!({ "InstructionError": [3, { "Custom": 6_002 }] });
    meta["preBalances"] = json!([3 * SOL + 5_000, 2_039_280, 1, 50 * SOL]);
    meta["postBalances"] = json!([3 * SOL, 2_039_280, 1, 50 * SOL]);
    meta["postTokenBalances"] = meta["preTokenBalances"].clone();
    let mut answer = node.answer(call);
    match call["method"].as_str() {
        Some("getTransaction") if call["params"][0] == "T" => answer["result"] = failed,
        Some("getSignaturesForAddress") => {
            let entry = json!({ "signature": "T", "slot": 1_450, "err": failed["meta"]["err"], "confirmationStatus": "finalized" });
            let entries = answer["result"].as_array_mut().unwrap();
            entries.insert(usize::from(node.transaction.is_some()), entry);
        }
        _ => {}
    }
    answer
}

#[test]
fn a_named_try_that_failed_is_no_failure_while_another_one_may_land() {
    use IntentOutcome::{Failed, Landed, Unconfirmed, Unknown};
    let before = vec![WalletBalances { lamports: Some(3 * SOL + 5_000), ..seen(Some(1_400)).remove(0) }];
    let of = |node: Node, said, shared, shown| {
        let sent = sent(SENT_MS, None, &Launchpad::default(), &before);
        let settler = Settler::new(sell(), sent, shown, shared, Some(Vec::new()));
        let mut settler = settler.answered(said, "T".to_owned());
        ask(&mut settler, |calls| {
            let calls = calls.as_array().unwrap().iter();
            (200, calls.map(|call| after_a_failed_try(&node, call)).collect::<Value>().to_string())
        });
        (settler.settled(), settler.shown())
    };
    let ended = |(settled, _): (Settled, _)| (settled.outcome, settled.reason, settled.signature);
    let by = |signature: &str| Some(signature.to_owned());
    for said in [Landed, Unconfirmed] {
        // The second one landed.
        assert_eq!(ended(of(Node::sold(), said, false, None)), (Landed, None, by("S")));
        let shared = ended(of(Node::sold(), said, true, None));
        assert_eq!(shared, (Unknown, Some(UnknownReason::SharedWallets), by("S")));
        // There is none, but one that was sent before the answer may still land.
        let at = |slot| Node { slot, ..Node::quiet() };
        let (settled, shown) = of(at(1_500), said, true, None);
        assert_eq!((settled.outcome, settled.reason), (Unknown, Some(UnknownReason::Alive)));
        assert_eq!(ended(of(at(1_714), said, true, shown)).1, Some(UnknownReason::Alive));
        assert_eq!(ended(of(at(1_715), said, true, shown)), (Failed, None, by("T")));
    }
    assert_eq!(ended(of(Node { slot: 1_460, ..Node::quiet() }, Failed, true, None)), (Failed, None, by("T")));
}

#[test]
fn one_that_never_reached_the_chain_is_proven_only_once_its_blockhash_is_dead() {
    let before = seen(Some(1_400));
    assert_eq!(inquire(&Node::quiet(), None, None, &before).0.reason, Some(UnknownReason::NoExpiry));
    let (settled, since) = inquire(&Node { slot: 1_700, ..Node::quiet() }, HELD_MS, None, &before);
    assert_eq!((settled.outcome, settled.reason), (IntentOutcome::Unknown, Some(UnknownReason::Alive)));
    let first = since.and_then(|shown| shown.since).map(|since| since.slot);
    assert_eq!(first, Some(1_700), "every block before it is too early");
    let silent = Node::quiet().refusing("getBlock");
    let (settled, _) = inquire(&silent, HELD_MS, since, &before);
    let found = (settled.outcome, settled.reconciled.found);
    assert_eq!(found, (IntentOutcome::DidNotLand, Some(Found::DidNotLand)));
    // Without the block of the earlier settler, and without one from before, nothing says when it was alive.
    assert_eq!(inquire(&silent, HELD_MS, None, &before).0.outcome, IntentOutcome::Unknown);
}

#[test]
fn a_first_settler_proves_it_by_blocks_from_before_which_the_node_still_has() {
    let before = seen(Some(1_400));
    let (settled, since) = inquire(&Node::quiet(), HELD_MS, None, &before);
    let since = since.and_then(|shown| shown.since).map(|since| since.slot);
    assert_eq!((settled.outcome, since), (IntentOutcome::DidNotLand, Some(1_726)));
    // The oldest of them that a service which holds requests for longer must have passed is too young.
    assert_eq!(inquire(&Node::quiet(), Some(130_000), None, &before).0.outcome, IntentOutcome::Unknown);
    // A network on which a blockhash lives for longer.
    let rules = Launchpad { blockhash_blocks: 400, ..Launchpad::default() };
    let sent = sent(SENT_MS, HELD_MS, &rules, &before);
    let mut longer = Settler::new(sell(), sent, None, false, Some(Vec::new()));
    ask(&mut longer, |calls| Node::quiet().reply(calls));
    assert_eq!(longer.settled().outcome, IntentOutcome::Unknown);
}

#[test]
fn missing_replies_leave_it_open() {
    let before = seen(Some(1_400));
    let either = "getSlot getBlockHeight getBlockTime getMultipleAccounts getSignaturesForAddress".split(' ');
    let cases = either.flat_map(|refuses| [Node::sold().refusing(refuses), Node::quiet().refusing(refuses)]);
    for node in cases.chain([Node::sold().refusing("getTransaction")]) {
        let (settled, _) = inquire(&node, HELD_MS, None, &before);
        assert_eq!(settled.outcome, IntentOutcome::Unknown, "{}", node.refuses);
    }
    // A node that has forgotten the time of the send, and one that shows old balances.
    let pruned = Node { forgets_from: 1_900, ..Node::sold() };
    assert_eq!(inquire(&pruned, None, None, &before).0.reason, Some(UnknownReason::HistoryIncomplete));
    let stale = Node { tokens: 5_000_000, ..Node::sold() };
    assert_eq!(inquire(&stale, None, None, &before).0.reason, Some(UnknownReason::BooksDiffer));
    // Balances without a slot, or of two slots, prove nothing here.
    assert_eq!(inquire(&Node::sold(), None, None, &seen(None)).0.reason, Some(UnknownReason::NoBefore));
}

/// How the sell ended by a node that refuses batches, by an error or by its HTTP status, and how many requests that took.
fn inquire_one_by_one(
    answer: impl Fn(&Value) -> Value,
    held_ms: Option<u64>,
    has_status: bool,
) -> (Settled, usize) {
    let mut settler = settler(held_ms, None, &seen(Some(1_400)));
    let error = refusal(&Value::Null, -32_600, "no batches");
    let (batches, alone) = ask(&mut settler, |calls| match (calls.is_array(), has_status) {
        (true, true) => (413, String::new()),
        (true, false) => (200, error.to_string()),
        (false, _) => (200, answer(calls).to_string()),
    });
    assert_eq!(settler.refuses_batches(), settler.problem().is_none());
    (settler.settled(), batches + alone)
}

#[test]
fn a_node_that_refuses_batches_is_asked_for_each_call_by_itself() {
    for has_status in [false, true] {
        let of = |node: Node, held_ms| inquire_one_by_one(move |call| node.answer(call), held_ms, has_status);
        let (settled, requests) = of(Node::sold(), None);
        assert_eq!((settled.outcome, settled.signature.as_deref()), (IntentOutcome::Landed, Some("S")));
        assert!(requests <= 12, "one batch, and each call once: {requests}");
        assert_eq!(of(Node::quiet(), HELD_MS).0.outcome, IntentOutcome::DidNotLand);
        // What it refuses one by one ends it.
        for refuses in ["getSlot", "getBlock", "getMultipleAccounts", "getSignaturesForAddress"] {
            let ended = of(Node::quiet().refusing(refuses), HELD_MS).0.outcome;
            assert_eq!(ended, IntentOutcome::Unknown, "{refuses}");
        }
    }
    // Behind its URL there are several machines, and that which says the height is far ahead of the others: the blockhash lives on.
    let young = Node { slot: 1_700, ..Node::quiet() };
    let ahead = |call: &Value| match call["method"].as_str() {
        Some("getBlockHeight") => json!({ "id": call["id"], "result": 1_000_000 }),
        _ => young.answer(call),
    };
    assert_eq!(inquire_one_by_one(ahead, HELD_MS, false).0.outcome, IntentOutcome::Unknown);
}

/// The sale failed, and somebody gave its fee back: the wallet holds what it held. Of two machines behind one URL, one remembers both, and
/// the other nothing before slot 1,900.
#[test]
fn no_machine_says_how_far_back_another_one_remembers() {
    let (remembers, forgets) = (Node::quiet(), Node { forgets_from: 1_900, ..Node::quiet() });
    let one_by_one = |call: &Value| match call["method"].as_str() {
        Some("getFirstAvailableBlock") => remembers.answer(call),
        _ => forgets.answer(call),
    };
    let (settled, _) = inquire_one_by_one(one_by_one, HELD_MS, false);
    assert_eq!(settled.reason, Some(UnknownReason::HistoryIncomplete));

    // Each batch is answered by one of them.
    let (mut settler, mut node) = (patient(), &remembers);
    ask(&mut settler, |calls| std::mem::replace(&mut node, &forgets).reply(calls));
    assert_eq!(settler.settled().reason, Some(UnknownReason::HistoryIncomplete));
}

/// What becomes of a sell by a node that answers each batch so, and each call by itself: how it ended, whether that is remembered, and how many
/// batches and single calls it took.
fn inquire_with(batch: (u16, &str)) -> (IntentOutcome, bool, usize, usize) {
    let (mut settler, node) = (patient(), Node::quiet());
    let (batches, alone) = ask(&mut settler, |calls| match calls.is_array() {
        true => (batch.0, batch.1.to_owned()),
        false => node.reply(calls),
    });
    (settler.settled().outcome, settler.refuses_batches(), batches, alone)
}

#[test]
fn a_batch_that_is_not_answered_is_asked_once_singly() {
    let invalid = r#"{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"Invalid request"}}"#;
    let in_list = format!("[{invalid}]");
    for (status, body, lasting) in [
        (200, "Batch requests are not supported", true),
        (200, "<html><head><title>Welcome</title></head></html>", true),
        (200, "", true),
        (204, "", true),
        (200, "[]", true),
        (200, "{}", true),
        (200, "null", true),
        (200, invalid, true),
        (200, &in_list, true),
        (200, r#"[{"jsonrpc":"2.0","id":"1","result":5}]"#, true),
        (403, "<html><head><title>Just a moment...</title></head></html>", true),
        (413, "Payload Too Large", true),
        (501, "", true),
        // These may be of the moment.
        (200, r#"[{"jsonrpc":"2.0","id":1,"result":5}]"#, false),
        (500, "Internal Server Error", false),
        (502, "<html>Bad Gateway</html>", false),
        (503, "", false),
    ] {
        let (outcome, remembered, batches, alone) = inquire_with((status, body));
        assert_eq!(
            (outcome, remembered, batches),
            (IntentOutcome::DidNotLand, lasting, 1),
            "{status} {body}"
        );
        assert!((8..20).contains(&alone), "{status} {body}: {alone}");
    }
}

#[test]
fn a_rate_limit_ends_a_try_and_says_nothing_of_batches() {
    let mut limits = vec![(429, String::new()), (429, "<html>Slow down</html>".to_owned())];
    for (code, message) in [
        (429, "Too many requests for this key"),
        (-32_005, "limit exceeded"),
        (-32_005, "Node is behind by 150 slots"),
        (-32_029, "calls are limited"),
        (-32_429, "calls are limited"),
        (-32_000, "Rate limit reached, try again later"),
        (-32_097, "exceeded the compute units of your plan: throttled"),
        (-32_600, "Your app has exceeded its requests per second capacity"),
        (-32_007, "50/second request limit reached"),
        (0, "monthly quota used up"),
    ] {
        let error = refusal(&Value::Null, code, message);
        limits.push((200, error.to_string()));
        limits.push((403, error.to_string()));
        limits.push((200, json!([error]).to_string()));
        limits.push((200, json!([{ "jsonrpc": "2.0", "id": 2, "result": 5 }, error]).to_string()));
    }
    for (status, body) in limits {
        assert_eq!(inquire_with((status, &body)), (IntentOutcome::Unknown, false, 1, 0), "{status} {body}");
    }
}

#[test]
fn a_limit_in_any_words_ends_a_try_by_its_name() {
    let limited = r#"{"jsonrpc":"2.0","error":{"code":-32005,"message":"Limit Exceeded"},"id":null}"#;
    for (status, body, problem) in [
        (200, limited, "the node refused: Limit Exceeded (-32005)"),
        (403, limited, "the node refused: Limit Exceeded (-32005)"),
        (200, "Too Many Requests", "the node allows no more calls for now"),
        (503, "RATE LIMIT reached", "the node allows no more calls for now"),
        (429, "", "the node answered with the HTTP status 429"),
        (200, r#"{"error":"Rate limit exceeded"}"#, "the node refused: Rate limit exceeded (0)"),
        (
            503,
            "<html><title>429 Too Many Requests</title></html>",
            "a web page came in place of the node's answer: \"429 Too Many Requests\" (HTTP status 503)",
        ),
    ] {
        for one_by_one in [false, true] {
            let mut settler = if one_by_one { patient().one_by_one() } else { patient() };
            assert!(settler.next_body().is_some());
            settler.replied(status, body.as_bytes());
            assert!(settler.next_body().is_none());
            let Settled { reason, problem: told, .. } = settler.settled();
            assert_eq!((reason, told.as_deref()), (Some(UnknownReason::Unanswered), Some(problem)));
            assert!(UnknownReason::Unanswered.may_pass() && !settler.refuses_batches());
        }
    }
}

#[test]
fn a_node_that_has_answered_a_batch_has_refused_only_the_next_one() {
    let refusals =
        [(413, ""), (200, "[]"), (200, "batch size limit exceeded"), (403, "Batch limit: 3 calls")];
    for (status, body) in refusals {
        let (mut settler, mut is_first) = (patient(), true);
        ask(&mut settler, |calls| match calls.is_array() && !std::mem::take(&mut is_first) {
            true => (status, body.to_owned()),
            false => Node::quiet().reply(calls),
        });
        assert_eq!(settler.settled().outcome, IntentOutcome::DidNotLand, "{body}");
        assert!(!settler.refuses_batches(), "{body}");
    }
}

/// Addresses of the chain, and the account at each.
fn twelve() -> Vec<Address> {
    (1..=12).map(|n| Address::new([n; 32])).collect()
}

fn twelfth(at: &Value) -> Value {
    let place = twelve().iter().position(|own| own.to_string() == *at).unwrap();
    account_of(SYSTEM, place as u64, &[])
}

/// What a node with a limit answers to a question for twelve accounts; its calls come in these slots.
fn ask_for_twelve(
    known: Option<usize>,
    refusal: &(u16, String),
    mut slots: impl FnMut() -> u64,
) -> (Result<u64, String>, Option<usize>, Vec<usize>) {
    let mut asking = Asking::new(&accounts_body(&twelve(), Commitment::Confirmed), known);
    let mut asked = Vec::new();
    loop {
        let bodies = asking.bodies();
        if bodies.is_empty() {
            break;
        }
        for body in bodies {
            let call: Value = serde_json::from_str(&body).unwrap();
            assert_eq!(call["params"][1], json!({ "encoding": "base64", "commitment": "confirmed" }));
            let addresses = call["params"][0].as_array().unwrap();
            asked.push(addresses.len());
            if addresses.len() > 5 {
                asking.replied(refusal.0, refusal.1.as_bytes());
                continue;
            }
            let value: Vec<Value> = addresses.iter().map(twelfth).collect();
            let reply = json!({ "jsonrpc": "2.0", "id": call["id"], "result": { "context": { "slot": slots() }, "value": value } });
            asking.replied(200, reply.to_string().as_bytes());
        }
    }
    let most = asking.most_accounts();
    let read = asking.answer().map_err(|error| error.to_string()).map(|reply| {
        let (slot, accounts) = read_reply(&twelve(), &reply).unwrap();
        let lamports: Vec<u64> = accounts.iter().map(|own| own.as_ref().unwrap().lamports).collect();
        assert_eq!(lamports, (0..12).collect::<Vec<u64>>(), "in the order of the addresses");
        slot
    });
    (read, most, asked)
}

#[test]
fn accounts_are_asked_for_in_parts_where_a_node_allows_fewer_a_call() {
    let error = |code, message: &str| refusal(&json!(1), code, message).to_string();
    for refusal in [
        (413, "Payload Too Large".to_owned()),
        (200, error(-32_602, "Too many inputs provided; max 5")),
        (400, error(-32_602, "Too many inputs provided; max 5")),
        (200, error(-32_602, "array length exceeds 5")),
        (200, error(-32_010, "getMultipleAccounts is LIMITED to 5 accounts on your plan")),
        (400, "too many accounts".to_owned()),
        (422, r#"{"message":"at most 5 addresses"}"#.to_owned()),
    ] {
        let (read, most, asked) = ask_for_twelve(None, &refusal, || 7);
        assert_eq!((read, most, asked), (Ok(7), Some(3), vec![12, 6, 6, 3, 3, 3, 3]), "{refusal:?}");
        // Once it is known, no call is refused.
        assert_eq!(ask_for_twelve(most, &refusal, || 8), (Ok(8), most, vec![3; 4]));
    }
}

#[test]
fn parts_of_several_slots_are_asked_for_again_or_the_limit_is_named() {
    let refusal = (413, String::new());
    let mut slots = [7, 7, 8, 8, 9, 9, 9, 9].into_iter();
    assert_eq!(ask_for_twelve(Some(3), &refusal, || slots.next().unwrap()), (Ok(9), Some(3), vec![3; 8]));
    let mut slots = 1..;
    let never = ask_for_twelve(Some(5), &refusal, || slots.next().unwrap());
    let named = "the node allows fewer accounts a call than the 12 that were asked for: its answers in parts are never of one slot";
    assert_eq!((never.0, never.2.len()), (Err(named.to_owned()), 24));
}

#[test]
fn what_cannot_be_split_is_named() {
    let asked_of = |count: usize, status: u16, reply: &str| {
        let mut asking = Asking::new(&accounts_body(&twelve()[..count], Commitment::Confirmed), None);
        let mut calls = 0;
        while let Some(body) = asking.bodies().first().cloned() {
            for _ in asking.bodies() {
                asking.replied(status, reply.as_bytes());
                calls += 1;
            }
            assert!(calls < 100, "{body}");
        }
        (asking.most_accounts(), asking.answer().map_err(|error| error.to_string()).unwrap_err(), calls)
    };
    let limit = "the node allows fewer accounts a call than the 12 that were asked for: HTTP status 413";
    assert_eq!(asked_of(12, 413, ""), (None, limit.to_owned(), 1 + 2 + 4 + 6 + 12));
    assert_eq!(asked_of(1, 413, "").1, "the node answered with the HTTP status 413");
    // A rate limit is another one, and so is a key that is refused.
    for (status, reply, error) in [
        (429, "Too many accounts", "the node answered with the HTTP status 429"),
        (400, "rate limit exceeded: too many requests", "the node allows no more calls for now"),
        (401, "your key's limit of accounts is exceeded", "the node answered with the HTTP status 401"),
    ] {
        assert_eq!(asked_of(12, status, reply), (None, error.to_owned(), 1), "{reply}");
    }
}

#[test]
fn the_balances_of_a_bundle_are_read_in_parts_too() {
    let wallets: Vec<Address> = (1..=3).map(|n| Address::new([n; 32])).collect();
    let sells: Vec<Value> =
        wallets.iter().map(|own| json!({ "fromWallet": own.to_string(), "amountInToken": 2 })).collect();
    let request = json!({ "mint": MINT, "feePayer": WALLET, "sells": sells }).to_string();
    let request = json::parse(request.as_bytes()).unwrap();
    let request = (*validate(Operation::BundleSell, request.root(), &Rules::default()).unwrap()).clone();
    let held = |own: &Address| {
        let (wallet, lamports) = (own.to_string(), Some(2_039_280));
        WalletBalances { wallet, lamports, ..seen(Some(1_400)).remove(0) }
    };
    let mut before: Vec<WalletBalances> = wallets.iter().map(held).collect();
    before.push(WalletBalances { tokens: None, ..seen(Some(1_400)).remove(0) });
    let answer = |call: &Value| match call["params"][0].as_array() {
        Some(accounts) if accounts.len() > 5 => {
            refusal(&call["id"], -32_602, "Too many inputs provided; max 5")
        }
        _ => Node::quiet().answer(call),
    };
    for one_by_one in [false, true] {
        let mut known = None;
        for refused in [1, 0] {
            let sent = sent(SENT_MS, HELD_MS, &Launchpad::default(), &before);
            let settler = Settler::new(request.clone(), sent, None, false, Some(Vec::new()));
            let settler = settler.of_few_accounts(known);
            let mut settler = if one_by_one { settler.one_by_one() } else { settler };
            let mut refusals = 0;
            ask(&mut settler, |calls| {
                let reply: Value = match calls.as_array() {
                    Some(calls) => calls.iter().map(answer).collect(),
                    None => answer(calls),
                };
                refusals += usize::from(reply.to_string().contains("max 5"));
                (200, reply.to_string())
            });
            assert_eq!((settler.problem(), refusals), (None, refused));
            known = settler.most_accounts();
            assert_eq!(known, Some(4));
            if !one_by_one {
                assert_eq!(settler.settled().outcome, IntentOutcome::DidNotLand);
            }
        }
    }
}

#[test]
fn what_a_node_refuses_by_its_status_is_refused_as_by_an_error() {
    // Its plan has no old blocks, and says so by a status: the other calls settle what they can.
    let of = |refuses: &str, status: u16, body: &str| {
        let mut settler = patient().one_by_one();
        ask(&mut settler, |call| match call["method"] == refuses {
            true => (status, body.to_owned()),
            false => Node::sold().reply(call),
        });
        (settler.settled(), settler.problem().unwrap_or_default().to_owned())
    };
    let page = "<!DOCTYPE html>\n<html><head><TITLE>\n Just a  moment... </TITLE></head></html>";
    let (settled, problem) = of("getFirstAvailableBlock", 403, page);
    let incomplete = Some(UnknownReason::HistoryIncomplete);
    assert_eq!((settled.reason, problem.as_str()), (incomplete, ""), "it is asked further");
    let (settled, problem) = of("getTransaction", 403, page);
    assert_eq!(settled.outcome, IntentOutcome::Unknown);
    let named = "a web page came in place of the node's answer: \"Just a moment...\" (HTTP status 403)";
    assert_eq!(problem, named);
    let (_, problem) = of("getSlot", 402, "{}");
    assert_eq!(problem, "the node answered with the HTTP status 402");
}

/// A blockhash of the hold's end, an honest node, and a clock that was slow at the send: what could still land is not called never.
#[test]
fn no_clock_makes_a_trade_never_before_its_last_block() {
    for slot_ms in [350, 390, 450] {
        let slow = [(-60_000, 1_000), (-45_000, 1_500), (-180_000, 0), (-300_000, 700), (-86_400_000, 1_500)];
        for (clock_wrong_ms, hook_ms) in slow.into_iter().chain([(0, 0), (300_000, 0)]) {
            let begin_ms = SENT_MS - (32 * slot_ms + hook_ms) - 1_400 * slot_ms;
            let last_valid = (SENT_MS + HELD_MS.unwrap() - begin_ms) / slot_ms + 150;
            let time = |slot: u64| (begin_ms + slot * slot_ms) / 1_000;
            let mut shown = None;
            let mut ended = None;
            for after_s in (70..600).step_by(5) {
                let slot = (SENT_MS + after_s * 1_000 - begin_ms) / slot_ms - 32;
                let node = Node { slot, ..Node::quiet() };
                let answer = |call: &Value| {
                    let result = match call["method"].as_str() {
                        Some("getBlockTime") => json!(time(slot)),
                        Some("getBlock") => {
                            let slot = call["params"][0].as_u64().unwrap();
                            json!({ "blockHeight": slot - 100, "blockTime": time(slot) })
                        }
                        _ => return node.answer(call),
                    };
                    json!({ "jsonrpc": "2.0", "id": call["id"], "result": result })
                };
                let at_ms = SENT_MS.checked_add_signed(clock_wrong_ms).unwrap();
                let sent = sent(at_ms, HELD_MS, &Launchpad::default(), &seen(Some(1_400)));
                // Some programs keep what they were shown, others ask as if for the first time.
                for kept in [shown, None] {
                    let mut settler = Settler::new(sell(), sent.clone(), kept, false, Some(Vec::new()));
                    ask(&mut settler, |calls| {
                        (200, calls.as_array().unwrap().iter().map(answer).collect::<Value>().to_string())
                    });
                    if settler.settled().outcome == IntentOutcome::DidNotLand {
                        assert!(
                            slot > last_valid,
                            "{slot_ms} {clock_wrong_ms} {hook_ms}: {slot} {last_valid}"
                        );
                        ended = ended.or(Some(after_s));
                    }
                    shown = shown.or(settler.shown());
                }
                if ended.is_some() {
                    break;
                }
            }
            // However wrong it was, it does end.
            let most_s = if clock_wrong_ms > 0 { 600 } else { 220 };
            assert!(ended.is_some_and(|ended| ended < most_s), "{slot_ms} {clock_wrong_ms}: {ended:?}");
        }
    }
}

#[test]
fn invalid_replies_end_it() {
    for reply in [&b"<html>"[..], b"[]", b"{}", b"null", b"[{\"id\":1,\"result\":null}]"] {
        let mut settler = settler(None, None, &seen(Some(1)));
        // The batch, and then each of its calls.
        for _ in 0..4 {
            assert!(settler.next_body().is_some());
            settler.replied(200, reply);
        }
        assert!(settler.problem().is_some(), "{}", String::from_utf8_lossy(reply));
        assert_eq!((settler.next_body(), settler.settled().outcome), (None, IntentOutcome::Unknown));
    }
}
