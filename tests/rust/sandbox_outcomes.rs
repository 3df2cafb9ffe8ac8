//! Outcomes that a request asks for: each does what its name says, whether asked for in the field or the header.

use crate::sandbox;

use launchpad_desk::api::endpoint::Operation;
use launchpad_desk::bindings::object;
use launchpad_desk::tape::{Data, Tape, json};
use launchpad_desk_sandbox::{Answer, ReplyCut, Sandbox, SandboxOutcome};
use sandbox::{ADA, BOB, JSON, MINT, ask, at, body, buy, post, sandbox, sandbox_with, text, wallet};

/// A request of each operation with a fee payer; each would land.
fn requests(payer: &str) -> Vec<(Operation, Tape)> {
    let leg =
        |wallet: &str, name: &str, amount: &str| Tape::object(&[("fromWallet", wallet), (name, amount)]);
    let request = |operation: Operation| {
        let (name, amount) = match operation {
            Operation::Buy | Operation::BundleBuy => ("amountInLamports", "5000000"),
            Operation::Sell | Operation::BundleSell => ("amountInToken", "2"),
            _ => ("percentage", "5"),
        };
        let legs = [ADA, BOB].map(|wallet| leg(wallet, name, amount)).to_vec();
        let request = match (operation.is_bundle(), operation.is_buy()) {
            (false, _) => {
                Tape::object(&[("mint", MINT), ("fromWallet", ADA), (name, amount), ("feePayer", payer)])
            }
            (_, true) => object! { "mint": MINT, "buys": legs, "feePayer": payer },
            _ => object! { "mint": MINT, "sells": legs, "feePayer": payer },
        };
        (operation, request)
    };
    Operation::ALL.map(request).to_vec()
}

/// A sandbox where both wallets hold tokens.
fn holding(config: &Tape) -> Sandbox {
    let mut sandbox = sandbox_with(config);
    for wallet in [ADA, BOB] {
        assert_eq!(post(&mut sandbox, "/v1/trade/buy", &buy(wallet, 100_000_000)).reply.status, 200);
    }
    sandbox
}

fn by_header(sandbox: &mut Sandbox, outcome: &str, path: &str, body: &str) -> Answer {
    ask(sandbox, "POST", path, &[JSON, ("X-Sandbox-Outcome", outcome)], body)
}

#[test]
fn every_outcome_does_what_its_name_says_in_every_operation() {
    let start = holding(&object! { "slowMs": 60u32 });
    for outcome in SandboxOutcome::ALL {
        let name = outcome.as_str();
        for (operation, request) in requests(&outcome.fee_payer()) {
            let mut sandbox = start.clone();
            let answer = post(&mut sandbox, operation.path(), &json::write(&request));
            // The header does the same to the same request, paid by its first wallet.
            let (_, plain) = requests(ADA).swap_remove(operation as usize);
            let mut other = start.clone();
            assert_eq!(by_header(&mut other, name, operation.path(), &json::write(&plain)), answer, "{name}");
            assert_eq!(other, sandbox, "{name}");

            let executed = sandbox.trades().len() - start.trades().len();
            let landed = executed == 1 && sandbox.trades().last().is_some_and(|trade| trade.success);
            let delivery = answer.delivery;
            let (kind, status) =
                name.rsplit_once('-').map_or((name, None), |(kind, rest)| (kind, rest.parse().ok()));
            match (kind, status) {
                ("rejected" | "not-executed", Some(status)) => {
                    assert_eq!((answer.reply.status, executed), (status, 0), "{name}");
                    assert_eq!(sandbox, start, "{name}");
                    assert_eq!(answer.reply.header("retry-after"), (status == 429).then_some("1"));
                }
                ("executed", Some(status)) => {
                    assert_eq!((answer.reply.status, landed), (status, true), "{name}")
                }
                _ => match name {
                    "landed" => assert_eq!((answer.reply.status, landed), (200, true)),
                    "executed-no-answer" => assert_eq!((delivery.cut, landed), (ReplyCut::BeforeReply, true)),
                    "not-executed-no-answer" => {
                        assert_eq!((delivery.cut, executed), (ReplyCut::BeforeReply, 0))
                    }
                    "connection-refused" => assert_eq!((delivery.cut, executed), (ReplyCut::NoConnection, 0)),
                    "truncated" => assert_eq!((delivery.cut, landed), (ReplyCut::WithinBody, true)),
                    "garbled" => assert!(landed && String::from_utf8(answer.reply.body).is_err()),
                    "slow" => assert_eq!((delivery.latency_ms, delivery.body_ms, landed), (60, 0, true)),
                    "slow-body" => assert_eq!((delivery.latency_ms, delivery.body_ms, landed), (0, 60, true)),
                    _ => {
                        let reason = outcome.refusal().expect("what is left fails").as_str();
                        let reply = body(&answer);
                        assert_eq!(
                            at(reply.root(), "result.transactionResult.success"),
                            Data::Bool(false),
                            "{name}"
                        );
                        let results = text(reply.root(), "result.transactionResult.results.message");
                        assert!(results.starts_with(&[reason, ": "].concat()), "{name}: {results}");
                        let signatures = if operation.is_bundle() { 2 } else { 1 };
                        let fee = if reason.ends_with("network_fee") { 0 } else { 5_000 * signatures };
                        assert_eq!(
                            wallet(&start, ADA).lamports - wallet(&sandbox, ADA).lamports,
                            fee,
                            "{name}"
                        );
                        assert_eq!(wallet(&start, BOB), wallet(&sandbox, BOB), "{name}");
                        assert_eq!(start.tokens(), sandbox.tokens(), "{name}");
                    }
                },
            }
        }
    }
}

#[test]
fn an_outcome_stands_above_faults_and_rivals_and_below_the_checks() {
    let config = object! {
        "faults": object! { "script": vec![object! { "kind": "noAnswer" }; 9] },
        "market": object! { "alive": true, "inFlightMs": 60_000u32 },
        "rateLimit": object! { "requests": 4u32 },
    };
    let mut sandbox = sandbox_with(&config);
    let good = buy(ADA, 1_000_000_000);
    let answer = by_header(&mut sandbox, "landed", "/v1/trade/buy", &good);
    assert_eq!((answer.delivery.cut, answer.reply.status), (ReplyCut::None, 200));
    assert!(sandbox.trades()[0].success, "{}", sandbox.trades()[0].results);
    assert_eq!(by_header(&mut sandbox, "landed", "/v1/trade/buy", "{}").reply.status, 400);
    let answer = post(&mut sandbox, "/v1/trade/buy", &good);
    assert_eq!(answer.delivery.cut, ReplyCut::BeforeReply, "who asks for nothing gets the script's");
    by_header(&mut sandbox, "slow", "/v1/trade/buy", &good);
    assert_eq!(by_header(&mut sandbox, "landed", "/v1/trade/buy", &good).reply.status, 429);
    assert_eq!(sandbox.trades().len(), 3);
}

#[test]
fn an_unknown_outcome_is_a_bad_request() {
    let mut sandbox = sandbox();
    let refused = |answer: &Answer| (answer.reply.status, text(body(answer).root(), "message").to_owned());
    let answer = by_header(&mut sandbox, "executed-no-anwser", "/v1/trade/buy", &buy(ADA, 5_000_000));
    let message = "x-sandbox-outcome asks for the outcome executed-no-anwser, which does not exist; did you mean \
                   executed-no-answer?";
    assert_eq!(refused(&answer), (400, message.to_owned()));
    let request =
        object! { "mint": MINT, "fromWallet": ADA, "amountInLamports": 5u64, "feePayer": "sandbox-outcome-" };
    let answer = post(&mut sandbox, "/v1/trade/buy", &json::write(&request));
    assert_eq!(refused(&answer), (400, "feePayer asks for the outcome , which does not exist".to_owned()));
    assert!(sandbox.trades().is_empty());
}

#[test]
fn a_quote_is_paid_by_the_first_wallet_too() {
    let sandbox = holding(&object! {});
    for (operation, request) in requests("sandbox-outcome-landed") {
        let quote = sandbox.quote(operation, request.root()).expect("a request that can be made");
        let (_, plain) = requests(ADA).swap_remove(operation as usize);
        assert_eq!(Ok(quote), sandbox.quote(operation, plain.root()));
    }
}
