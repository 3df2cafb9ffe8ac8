//! Any calls in any order, faults, limits and controls included: nothing is created or lost, no signature comes twice, a second run gives the
//! same bytes, and the rows of all calls, or the newest of each key, are the state.

use crate::sandbox_market::request;
use crate::{sandbox, seeded};

use std::collections::{BTreeMap, BTreeSet};

use launchpad_desk::bindings::object;
use launchpad_desk::tape::{Tape, json};
use launchpad_desk_sandbox::{Answer, Change, HttpRequest, Sandbox, SandboxOutcome};
use proptest::prelude::*;
use sandbox::{JSON, MINT, headers, sandbox_with};

/// One thing that happens: a method, a path, an outcome that is asked for, a body.
type Event = (&'static str, String, &'static str, String);

fn trade() -> impl Strategy<Value = Event> {
    let outcome = prop::option::of(prop::sample::select(&SandboxOutcome::ALL));
    (request(&[MINT, "M0", "M1"]), outcome).prop_map(|((operation, request), outcome)| {
        let outcome = outcome.map_or("", |outcome| outcome.as_str());
        ("POST", operation.path().to_owned(), outcome, json::write(&request))
    })
}

fn control() -> impl Strategy<Value = Event> {
    let at = |method, path: &str, body: String| (method, ["/_sandbox/", path].concat(), "", body);
    const KINDS: [&str; 6] =
        ["none", "noAnswer", "errorAfter", "errorBefore", "transactionFails", "rateLimited"];
    prop_oneof![
        4 => (0..40_000u64).prop_map(move |ms| at("POST", "time", format!("{{\"advanceMs\":{ms}}}"))),
        1 => (0..3u32, any::<u64>()).prop_map(move |(wallet, lamports)| {
            at("POST", "wallets", format!("{{\"wallet\":\"W{wallet}\",\"lamports\":{lamports}}}"))
        }),
        1 => (0..2u32, 0..10_001u32).prop_map(move |(mint, sold)| {
            at("POST", "tokens", format!("{{\"mint\":\"M{mint}\",\"soldBps\":{sold}}}"))
        }),
        1 => prop::collection::vec(prop::sample::select(&KINDS), 0..4).prop_map(move |script| {
            let faults: Vec<String> = script.iter().map(|kind| format!("{{\"kind\":\"{kind}\"}}")).collect();
            at("PUT", "faults", format!("{{\"script\":[{}]}}", faults.join(",")))
        }),
        1 => Just(at("GET", "state", String::new())),
        1 => prop::bool::weighted(0.3).prop_map(move |resets| at(if resets { "POST" } else { "GET" }, "reset", String::new())),
    ]
}

fn answer(sandbox: &mut Sandbox, (method, path, outcome, body): &Event, now_ms: u64) -> Answer {
    let mut given = vec![JSON, ("x-sandbox-outcome", *outcome)];
    given.retain(|(_, value)| !value.is_empty());
    let given = headers(&given);
    sandbox.handle(&HttpRequest { method, path, headers: &given, body: body.as_bytes(), now_ms })
}

fn world(alive: bool, max_lamports: u64) -> Tape {
    let market = match alive {
        true => {
            object! { "alive": true, "launchEveryMs": 8_000u32, "maxTokens": 8u32, "maxMarketTrades": 60u32, "maxLamports": max_lamports }
        }
        false => object! {},
    };
    let faults = object! { "chanceBps": 2_000u32, "oneOf": vec![object! { "kind": "errorAfter" }, object! { "kind": "garbled" }] };
    let limit = object! { "requests": 16u32, "perMs": 20u32 };
    object! { "control": true, "maxCalls": 20u32, "maxTrades": 1_000u32, "market": market, "faults": faults, "rateLimit": limit }
}

proptest! {
    #![proptest_config(seeded::cases(40))]

    #[test]
    fn the_books_close_whatever_happens(
        alive in any::<bool>(),
        max_lamports in prop_oneof![1..2_000u64, 1_000_000..2_000_000_000u64, any::<u64>().prop_map(|n| n.max(1))],
        events in prop::collection::vec(prop_oneof![3 => trade().boxed(), 1 => control().boxed()], 1..40),
    ) {
        let mut sandbox = sandbox_with(&world(alive, max_lamports));
        let mut again = sandbox.clone();
        let mut log: Vec<String> = Vec::new();
        for (index, event) in events.iter().enumerate() {
            let before = sandbox.clone();
            let told = answer(&mut sandbox, event, index as u64);
            prop_assert_eq!(sandbox.state().check_books(), Ok(()), "{:?}", event);
            prop_assert_eq!(&answer(&mut again, event, index as u64), &told, "{:?}", event);
            for (token, was) in sandbox.state().tokens.iter().zip(before.state().tokens.iter()) {
                // A trade moves what is real and what sets the price alike: the difference is the curve's own.
                if token.mint == was.mint && event.1 != "/_sandbox/reset" {
                    let own = |row: &launchpad_desk_sandbox::row::TokenRow| {
                        (row.virtual_token_reserves - row.real_token_reserves, row.virtual_sol_reserves - row.real_sol_reserves)
                    };
                    prop_assert_eq!(own(token), own(was));
                }
            }
            let signatures: BTreeSet<&str> = sandbox.trades().iter().map(|trade| trade.signature.as_str()).collect();
            prop_assert_eq!(signatures.len(), sandbox.trades().len());
            log.extend(told.changes.iter().map(Change::to_json));
        }
        prop_assert_eq!(&again, &sandbox);
        let rows: Vec<Change> = log.iter().map(|row| Change::from_json(row).expect("its own row")).collect();
        let mut replayed = sandbox_with(&world(alive, max_lamports));
        replayed.apply(&rows).expect("rows that agree");
        prop_assert_eq!(replayed.snapshot(), sandbox.snapshot());
        prop_assert_eq!(&replayed, &sandbox);
        let restored = Sandbox::restore(sandbox.config().clone(), &sandbox.snapshot());
        prop_assert_eq!(restored.as_ref(), Ok(&sandbox));
        let mut restored = restored.expect("its own snapshot");
        prop_assert_eq!(answer(&mut restored, &events[0], 99), answer(&mut sandbox.clone(), &events[0], 99));
        let reset = rows.iter().rposition(|row| *row == Change::Reset).map_or(0, |at| at + 1);
        let newest: BTreeMap<_, Change> = rows[reset..].iter().map(|row| (row.key(), row.clone())).collect();
        let mut rebuilt = sandbox_with(&world(alive, max_lamports));
        rebuilt.apply(&newest.into_values().collect::<Vec<_>>()).expect("rows that agree");
        // By its key, each row comes once: what was made later may stand earlier.
        let held = |sandbox: &Sandbox| {
            let (mut wallets, mut tokens) = (sandbox.wallets(), sandbox.tokens());
            wallets.sort_by(|one, next| one.wallet.cmp(&next.wallet));
            wallets.iter_mut().for_each(|own| own.token_accounts.sort_by(|one, next| one.mint.cmp(&next.mint)));
            tokens.sort_by(|one, next| one.mint.cmp(&next.mint));
            (wallets, tokens)
        };
        prop_assert_eq!((rebuilt.account(), held(&rebuilt)), (sandbox.account(), held(&sandbox)));
        prop_assert_eq!(rebuilt.trades(), sandbox.trades());
        prop_assert!(log.iter().all(|row| json::parse(row.as_bytes()).is_ok()));
    }
}
