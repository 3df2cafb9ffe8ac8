//! Exit plans: their fields, their rules one by one, and random histories against a plain model in big integers.

use crate::{oracle, rents, seeded};

use std::collections::BTreeMap;

use launchpad_desk::error::FieldError;
use launchpad_desk::intent::IntentOutcome;
use launchpad_desk::launchpad::{Curve, Launchpad, Token};
use launchpad_desk::strategy::manage::ExitHappening;
use launchpad_desk::strategy::units::Millis;
use launchpad_desk::strategy::{
    ExitOrder, ExitPlan, ExitPosition, ExitReason, ExitState, Tick, corrected, next, settled,
};
use launchpad_desk::tape::{ToTape, json};
use num_bigint::BigInt;
use oracle::big;
use proptest::prelude::*;

pub fn plan(text: &str) -> ExitPlan {
    ExitPlan::from_data(json::parse(text.as_bytes()).unwrap().root()).unwrap()
}

fn problems(text: &str) -> Vec<String> {
    messages(ExitPlan::from_data(json::parse(text.as_bytes()).unwrap().root()).unwrap_err())
}

fn messages(problems: Vec<FieldError>) -> Vec<String> {
    problems.into_iter().map(|problem| problem.message).collect()
}

/// A state as a program that starts again reads it.
fn kept(state: &ExitState) -> ExitState {
    let text = json::write(&state.to_tape());
    ExitState::from_data(json::parse(text.as_bytes()).unwrap().root()).unwrap()
}

/// A token after one buy of 1 SOL, and the position that it opened.
fn opened() -> (Launchpad, Token, ExitPosition) {
    let launchpad = Launchpad::default();
    let bought = launchpad.buy_exact_in(&launchpad.new_token(), 1_000_000_000, 1).unwrap();
    let token = Token { curve: bought.curve_after, ..launchpad.new_token() };
    let position = ExitPosition {
        id: "signal-1".into(),
        mint: "M".into(),
        wallet: "W".into(),
        tokens: bought.tokens,
        cost_lamports: 1_000_005_000,
        rent_locked_lamports: rents::token_account(),
        opened_at_ms: Some(Millis(0)),
        ..ExitPosition::default()
    };
    (launchpad, token, position)
}

/// A market that others move, and the exits of a position in it.
struct Desk {
    launchpad: Launchpad,
    token: Token,
    state: ExitState,
    now_ms: u64,
    wallet_tokens: Option<u64>,
}

impl Desk {
    fn new(text: &str) -> Desk {
        let (launchpad, token, position) = opened();
        let state = ExitState::open(plan(text), position);
        Desk { launchpad, token, state, now_ms: 0, wallet_tokens: None }
    }

    fn shown(&self) -> Tick<'_> {
        let (launchpad, token, wallet_tokens) = (&self.launchpad, &self.token, self.wallet_tokens);
        Tick { at_ms: self.now_ms, launchpad, token, wallet_tokens }
    }

    fn others_buy(&mut self, lamports: u64) {
        self.token.curve = self.launchpad.buy_exact_in(&self.token, lamports, 1).unwrap().curve_after;
    }

    fn tick(&mut self) -> Option<ExitOrder> {
        let (state, order) = next(self.state.clone(), &self.shown());
        self.state = state;
        order
    }

    fn settle(&mut self, order: &ExitOrder, outcome: IntentOutcome) {
        self.state = settled(self.state.clone(), &order.intent_id, outcome, self.now_ms, None);
    }

    /// A tick whose order lands.
    fn lands(&mut self) -> Option<(ExitReason, u64)> {
        let order = self.tick()?;
        let sold = self.launchpad.sell_exact_in(&self.token, order.tokens, order.tokens, 0);
        self.token.curve = sold.map_or(self.token.curve, |fill| fill.curve_after);
        self.settle(&order, IntentOutcome::Landed);
        Some((order.reason, order.tokens))
    }
}

#[test]
fn tokens_that_the_wallet_does_not_have_any_more_are_given_up_once_that_is_sure_and_come_back() {
    let mut desk = Desk::new(r#"{ "timeMs": 6000000 }"#);
    let all = desk.state.tokens;
    let look = |desk: &mut Desk, wallet_tokens, at_ms| {
        (desk.wallet_tokens, desk.now_ms) = (Some(wallet_tokens), at_ms);
        assert_eq!(desk.tick(), None);
        desk.state.tokens
    };
    // A node that lags behind the buy.
    for at_ms in (0..300_000).step_by(15_000) {
        assert_eq!(look(&mut desk, 0, at_ms), all);
    }
    assert_eq!((look(&mut desk, all, 300_000), &desk.state.missing), (all, &None));
    // For eleven seconds, with a hundred answers, it shows no account; then a clock jumps by an hour, and back.
    for at_ms in (300_100..311_100).step_by(100) {
        assert_eq!(look(&mut desk, 0, at_ms), all);
    }
    assert_eq!(look(&mut desk, all, 311_100), all);
    for at_ms in [311_200, 3_911_300, 3_911_400, 311_400, 312_400, 313_400] {
        assert_eq!(look(&mut desk, 0, at_ms), all);
    }
    assert_eq!(look(&mut desk, all, 320_000), all);
    // A part was sold by hand. They were shown, so that takes less time; of several looks the largest counts.
    for (wallet, at_ms) in [(all / 4, 335_000), (all / 2, 350_000), (0, 365_000), (all / 2, 380_000)] {
        assert_eq!(look(&mut desk, wallet, at_ms), all);
    }
    assert_eq!(kept(&desk.state), desk.state);
    assert_eq!(look(&mut desk, all / 2, 395_000), all / 2);
    assert_eq!(desk.state.cost_lamports, 500_002_500);
    assert_eq!(kept(&desk.state), desk.state);
    // A sell that the chain denies leaves what is gone as it was.
    let sold = settled(desk.state.clone(), "signal-1/all", IntentOutcome::Landed, 395_000, Some(all / 4));
    let denied = corrected(sold, "signal-1/all", IntentOutcome::DidNotLand);
    assert_eq!((denied.tokens, &denied.gone), (desk.state.tokens, &desk.state.gone));
    // They come back with what was there beside them, and nothing else does.
    assert_eq!(look(&mut desk, all - 1, 396_000), all / 2);
    assert_eq!(look(&mut desk, all, 397_000), all);
    assert_eq!((desk.state.cost_lamports, &desk.state.gone), (1_000_005_000, &None));
    for at_ms in (400_000..460_000).step_by(15_000) {
        look(&mut desk, 0, at_ms);
        assert!(!desk.state.is_over());
    }
    look(&mut desk, 0, 460_000);
    assert!(desk.state.is_over());
    // What is bought later stays.
    assert_eq!(look(&mut desk, all + 1, 700_000), 0);
    assert_eq!(look(&mut desk, all, 700_001), all);

    // What no look has ever shown: sold by hand before the first.
    let mut desk = Desk::new(r#"{ "timeMs": 600000 }"#);
    for at_ms in (0..300_000).step_by(15_000) {
        assert_eq!(look(&mut desk, 0, at_ms), all);
    }
    assert_eq!(look(&mut desk, 0, 300_000), 0);
    // What is bought later is not of it, either.
    assert_eq!(look(&mut desk, all + 1, 300_001), 0);
    assert_eq!(look(&mut desk, all, 300_002), all);
}

#[test]
fn a_look_that_is_older_than_the_buy_decides_nothing_but_what_a_person_asks_for() {
    // Half a sol was held, and nine were bought a moment ago. The node is behind the buy.
    let launchpad = Launchpad::default();
    let first = launchpad.buy_exact_in(&launchpad.new_token(), 500_000_000, 1).unwrap();
    let before = Token { curve: first.curve_after, ..launchpad.new_token() };
    let bought = launchpad.buy_exact_in(&before, 9_000_000_000, 1).unwrap();
    let after = Token { curve: bought.curve_after, ..launchpad.new_token() };
    let plans = [
        r#"{ "stopLoss": "0.7x" }"#,
        r#"{ "stopLoss": "0.0001x", "timeMs": 1 }"#,
        r#"{ "takeProfit": [{ "at": "0.00001x", "sell": "50%" }] }"#,
        r#"{ "onGraduation": { "from": "0.0001%" } }"#,
        r#"{ "trailing": { "by": "0.0001%" } }"#,
    ];
    for text in plans {
        let mut desk = Desk::new(text);
        (desk.state.position.tokens, desk.state.tokens) = (bought.tokens, bought.tokens);
        (desk.state.position.cost_lamports, desk.state.cost_lamports) = (9_000_005_000, 9_000_005_000);
        (desk.token, desk.wallet_tokens) = (before, Some(first.tokens));
        for at_ms in (0..18_000).step_by(400) {
            desk.now_ms = at_ms;
            assert_eq!(desk.tick(), None, "{text}");
            assert_eq!(desk.state.best.billionths(), 0);
            assert_eq!(desk.state.multiple(&desk.shown()), None);
        }
        if text.contains("0.7x") {
            (desk.token, desk.wallet_tokens) = (after, Some(first.tokens + bought.tokens));
            assert_eq!(desk.tick(), None, "it stands at 0.97x");
            assert!(desk.state.best > "0.97x".parse().unwrap(), "{}", desk.state.best);
        } else {
            desk.state.close_now();
            let order = desk.tick().unwrap();
            assert_eq!((order.reason, order.tokens), (ExitReason::CloseNow, first.tokens));
        }
    }
}

#[test]
fn a_time_that_is_not_of_the_clock_of_the_looks_is_named_and_nothing_is_sold() {
    const NOW: u64 = 1_795_848_000_000;
    let given = |opened_ms: Option<u64>, text: &str, now_ms| {
        let mut desk = Desk::new(text);
        desk.state.position.opened_at_ms = opened_ms.map(Millis);
        desk.now_ms = now_ms;
        let problem = desk.state.time_problem(now_ms);
        (problem.map(|problem| problem.field), desk.tick().map(|order| order.reason))
    };
    let hour = r#"{ "timeMs": 3600000 }"#;
    let refused = (Some("position.openedAtMs".to_owned()), None);
    // Zero, seconds, microseconds, a day ahead; and now, where the looks have a clock of their own.
    for opened_ms in [0, NOW / 1_000, NOW * 1_000, NOW + 86_400_000] {
        assert_eq!(given(Some(opened_ms), hour, NOW), refused, "{opened_ms}");
    }
    assert_eq!(given(Some(NOW), hour, 60_000), refused);
    assert_eq!(given(Some(NOW / 1_000), hour, 60_000), refused);
    for (opened_ms, now_ms) in
        [(Some(NOW - 1), NOW), (Some(NOW + 1_000), NOW), (None, NOW), (None, 0), (Some(0), 5)]
    {
        assert_eq!(given(opened_ms, hour, now_ms), (None, None), "{opened_ms:?}");
    }
    assert_eq!(given(Some(NOW - 3_600_000), hour, NOW), (None, Some(ExitReason::Time)));
    assert_eq!(given(Some(0), hour, 3_600_000), (None, Some(ExitReason::Time)));
    // Without a rule of time it does not matter.
    assert_eq!(given(Some(0), r#"{ "stopLoss": "0.99x" }"#, NOW), (None, Some(ExitReason::StopLoss)));
    // Left out, it is the first look's; and a clock that is set later does not refuse what has fitted.
    let mut desk = Desk::new(hour);
    desk.state.position.opened_at_ms = None;
    desk.now_ms = NOW;
    assert_eq!(desk.tick(), None);
    desk.state = kept(&desk.state);
    desk.now_ms = NOW + 3_599_999;
    assert_eq!(desk.tick(), None);
    desk.now_ms = 1_000;
    assert_eq!((desk.tick(), desk.state.time_problem(1_000)), (None, None));
    desk.now_ms = NOW + 3_600_000;
    assert_eq!(desk.tick().map(|order| order.reason), Some(ExitReason::Time));
}

#[test]
fn a_position_in_other_units_is_named_at_its_first_look_and_nothing_is_sold() {
    const SOL: u64 = 1_000_000_000;
    let looked = |tokens: u64, cost_lamports: u64, is_closing: bool| {
        let mut desk = Desk::new(r#"{ "takeProfit": [{ "at": "2x", "sell": "50%" }], "stopLoss": "0.5x" }"#);
        let ExitState { plan, position, .. } = desk.state;
        let position = ExitPosition { tokens, cost_lamports, rent_locked_lamports: 0, ..position };
        desk.state = ExitState::open(plan, position);
        desk.state.closing = is_closing;
        let problem = desk.state.unit_problem(&desk.shown());
        (problem.map(|problem| problem.field), desk.tick().map(|order| order.reason))
    };
    let all = Desk::new(r#"{ "stopLoss": "0.5x" }"#).state.tokens;
    let whole = all / 1_000_000;
    let named = |field: &str| (Some(["position.", field].concat()), None);
    // SOL, thousandths of it, and SOL beside whole tokens.
    for (tokens, cost) in [(all, 1), (all, 1_000), (all, SOL / 1_000_000), (whole, 1), (all / 1_000, 1)] {
        assert_eq!(looked(tokens, cost, false), named("costLamports"), "{tokens} {cost}");
    }
    for cost in [SOL, SOL + 5_000, SOL / 3, 3 * SOL] {
        assert_eq!(looked(whole, cost, false), named("tokens"), "{cost}");
    }
    // What may be so: bought, bought at a tenth or ten times of it, free, so little that the fees are all of it.
    for (tokens, cost, reason) in [
        (all, SOL + 5_000, None),
        (all, SOL / 10, Some(ExitReason::TakeProfit)),
        (all, 10 * SOL, Some(ExitReason::StopLoss)),
        (all, 0, Some(ExitReason::TakeProfit)),
        (30, 5_001, Some(ExitReason::StopLoss)),
    ] {
        assert_eq!(looked(tokens, cost, false), (None, reason), "{tokens} {cost}");
    }
    // A person who closes it gets it sold. And what has fitted once is not asked again.
    assert_eq!(looked(all, 1, true), (None, Some(ExitReason::CloseNow)));
    let mut desk = Desk::new(r#"{ "takeProfit": [{ "at": "100x", "sell": "50%" }] }"#);
    assert_eq!(desk.tick(), None);
    desk.state.cost_lamports = 1;
    assert_eq!(desk.tick().map(|order| order.reason), Some(ExitReason::TakeProfit));
}

#[test]
fn another_plan_replaces_what_has_not_acted_and_differs_by_name() {
    let two = r#"{ "takeProfit": [{ "at": "0.9x", "sell": "50%" }, { "at": "9x", "sell": "25%" }], "stopLoss": "0.5x" }"#;
    let mut desk = Desk::new(two);
    desk.lands().unwrap();
    assert_eq!(desk.state.other_plan(&plan(two)), []);
    let other = plan(r#"{ "stopLoss": "0.99x", "timeMs": 7, "slippage": { "percent": 5 } }"#);
    let told: Vec<String> = desk.state.other_plan(&other).into_iter().map(|problem| problem.field).collect();
    assert_eq!(told, ["plan.takeProfit", "plan.stopLoss", "plan.timeMs", "plan.slippage"]);
    let state = desk.state.clone().replace_plan(&other).unwrap();
    assert_eq!((state.rungs_sold, state.tokens), (1, desk.state.tokens));
    // What has acted stays, and the same plan given again is the plan.
    assert_eq!((state.plan.take_profit.len(), state.tries.len()), (1, 2));
    assert_eq!(state.other_plan(&other), []);
    assert_eq!(kept(&state), state);
    desk.state = state;
    assert_eq!(desk.tick().map(|order| order.reason), Some(ExitReason::StopLoss));
    // An order that waits acts, too.
    let mut desk = Desk::new(two);
    desk.tick().unwrap();
    let state = desk.state.clone().replace_plan(&other).unwrap();
    assert_eq!((state.plan.take_profit.len(), state.order), (1, desk.state.order.clone()));
    // A ladder that does not fit above it is refused, by name.
    let lower = plan(r#"{ "takeProfit": [{ "at": "0.8x", "sell": "60%" }] }"#);
    assert_eq!(
        messages(desk.state.replace_plan(&lower).unwrap_err()),
        [
            "takeProfit[1].at must be above that of the rung before it",
            "takeProfit[1].sell is more than the rungs before it leave of 100%"
        ]
    );
}

#[test]
fn every_order_without_a_clear_answer_waits_with_its_own_amount_before_another_is_made() {
    use IntentOutcome::{DidNotLand, Landed, Unconfirmed, Unknown};
    let desk = || Desk::new(r#"{ "stopLoss": "0.99x" }"#);
    let all = desk().state.tokens;
    let told = |told: &[(&str, IntentOutcome, Option<u64>)]| {
        let mut desk = desk();
        // The wallet holds more of the token, bought for another purpose.
        desk.wallet_tokens = Some(2 * all);
        for (id, outcome, tokens) in told {
            desk.state = settled(desk.state.clone(), id, *outcome, 0, *tokens);
        }
        desk.now_ms = 90_000;
        desk
    };
    let part = all / 5;
    let mut both = told(&[("signal-1/all", Unknown, Some(part)), ("signal-1/all.2", Unconfirmed, Some(all))]);
    assert_eq!(both.tick(), None);
    assert_eq!(waiting_ids(&both.state), ["signal-1/all", "signal-1/all.2"]);
    assert_eq!(kept(&both.state), both.state);
    // In whatever order the answers come.
    for (first, second) in [("signal-1/all", "signal-1/all.2"), ("signal-1/all.2", "signal-1/all")] {
        let ends = [Landed, DidNotLand];
        for (one, other) in ends.into_iter().flat_map(|one| ends.map(|other| (one, other))) {
            let mut desk = Desk { state: both.state.clone(), ..told(&[]) };
            desk.state = settled(desk.state.clone(), first, one, 1, None);
            assert_eq!(desk.tick(), None, "{first} {one:?}");
            desk.state = settled(desk.state.clone(), second, other, 1, None);
            let landed = [(first, one), (second, other)].into_iter().filter(|(_, end)| *end == Landed);
            let sold: u64 = landed.map(|(id, _)| if id == "signal-1/all" { part } else { all }).sum();
            let left = all.saturating_sub(sold);
            assert_eq!(desk.state.tokens, left, "{first} {one:?}, {second} {other:?}");
            desk.now_ms = 180_000;
            let order = desk.tick();
            assert_eq!(order.as_ref().map_or(0, |order| order.tokens), left);
            if let Some(order) = order {
                assert!(!["signal-1/all", "signal-1/all.2"].contains(&order.intent_id.as_str()));
            }
        }
    }
    // One that landed counts with its amount, and told twice, once.
    let again = told(&[
        ("signal-1/all", Landed, Some(part)),
        ("signal-1/all", Landed, Some(part)),
        ("signal-1/all.2", Unknown, Some(all)),
    ]);
    assert_eq!(again.state.tokens, all - part);
    assert_eq!(again.state.order.map(|order| order.tokens), Some(all - part));
}

#[test]
fn what_the_chain_shows_counts_instead_of_what_the_service_had_said() {
    use IntentOutcome::{DidNotLand, Failed, Landed, Unknown};
    // A take-profit that was never sold is due again, under a new id.
    for never in [Failed, DidNotLand] {
        let ladder = r#"[{ "at": "1.1x", "sell": "50%" }, { "at": "9x", "sell": "50%" }]"#;
        let mut desk = Desk::new(&format!(r#"{{ "takeProfit": {ladder}, "stopLoss": "0.5x" }}"#));
        let opened = desk.state.clone();
        desk.others_buy(10_000_000_000);
        let order = desk.tick().unwrap();
        desk.settle(&order, Landed);
        let sold = desk.state.clone();
        assert_eq!((sold.tokens, sold.rungs_sold), (opened.tokens - order.tokens, 1));
        for nothing_new in [Landed, Unknown] {
            assert_eq!(corrected(sold.clone(), &order.intent_id, nothing_new), sold);
        }
        desk.state = kept(&corrected(kept(&sold), &order.intent_id, never));
        let (tokens, cost) = (opened.tokens, opened.cost_lamports);
        assert_eq!((desk.state.tokens, desk.state.cost_lamports, desk.state.rungs_sold), (tokens, cost, 0));
        assert_eq!(corrected(desk.state.clone(), &order.intent_id, never), desk.state, "once");
        let again = desk.tick().unwrap();
        assert_eq!((again.intent_id.as_str(), again.tokens), ("signal-1/tp1.2", order.tokens));
    }
    // One that was sold after it counts once, and is due again under a new id.
    let mut desk =
        Desk::new(r#"{ "takeProfit": [{ "at": "1.2x", "sell": "50%" }, { "at": "2x", "sell": "25%" }] }"#);
    for lamports in [5_000_000_000, 15_000_000_000] {
        desk.others_buy(lamports);
        assert!(desk.lands().is_some());
    }
    desk.state = corrected(desk.state.clone(), "signal-1/tp1", DidNotLand);
    assert_eq!(settled(kept(&desk.state), "signal-1/tp2", Landed, 0, None), desk.state);
    assert_eq!(desk.tick().map(|order| order.intent_id).as_deref(), Some("signal-1/tp2.2"));

    // A position that seemed over is not, and its stop sells it.
    let mut desk = Desk::new(r#"{ "stopLoss": "100x" }"#);
    let all = desk.state.tokens;
    let order = desk.tick().unwrap();
    desk.settle(&order, Landed);
    assert!(desk.state.is_over());
    desk.state = corrected(desk.state.clone(), &order.intent_id, DidNotLand);
    let again = desk.tick().unwrap();
    assert_eq!((again.intent_id.as_str(), again.tokens), ("signal-1/all.2", all));

    // What failed by the service's word, and landed, is not sold a second time.
    let mut desk = Desk::new(r#"{ "stopLoss": "100x" }"#);
    let order = desk.tick().unwrap();
    desk.settle(&order, Failed);
    desk.now_ms += 1_000;
    assert!(desk.tick().is_some(), "by the word it is not sold");
    desk.state = kept(&corrected(desk.state.clone(), &order.intent_id, Landed));
    assert!(desk.state.is_over() && desk.state.order.is_none());

    // A position that was never bought sells nothing, and says so once.
    for never in [Failed, DidNotLand] {
        let mut desk = Desk::new(r#"{ "stopLoss": "100x" }"#);
        let opened = desk.state.clone();
        assert_eq!(corrected(opened.clone(), "signal-1", Landed), opened);
        // Nor is an order in doubt one of its own.
        let order = desk.tick().unwrap();
        desk.settle(&order, Unknown);
        desk.state = kept(&corrected(desk.state, "signal-1", never));
        assert_eq!(desk.state.order, None);
        desk.wallet_tokens = Some(opened.tokens);
        assert_eq!((desk.tick(), desk.state.is_over()), (None, true));
        let why = "the chain shows that the buy of this position did not land: there is nothing to sell";
        assert_eq!(desk.state.news_since(&opened), [(ExitHappening::Over, Some(why))]);
        assert_eq!(desk.state.news_since(&desk.state.clone()), []);
    }
    let state = Desk::new(r#"{ "stopLoss": "100x" }"#).state;
    let buy = r#"{"mint":"M","fromWallet":"W","amountInLamports":5}"#;
    let bundle = r#"{"mint":"M","feePayer":"P","buys":[{"fromWallet":"V","amountInLamports":5},{"fromWallet":"W","amountInLamports":5}]}"#;
    let other = |from: &str, to: &str| buy.replace(from, to);
    let others =
        [other("\"M\"", "\"N\""), other("\"W\"", "\"V\""), other("Lamports", "Token"), String::new()];
    let bodies = [buy, bundle].into_iter().chain(others.iter().map(String::as_str));
    let its_buys: Vec<&str> = bodies.filter(|body| state.is_bought_by("signal-1", body)).collect();
    assert_eq!(its_buys, [buy, bundle]);
    assert_eq!(state.answered_ids(), ["signal-1"]);
    assert!(!state.is_bought_by("signal-2", buy));

    // Of a bundle, each wallet's position has the bundle's id and the wallet.
    let position = ExitPosition { id: "signal-1/W".into(), ..state.position };
    let opened = ExitState::open(state.plan, position);
    assert_eq!(opened.answered_ids(), ["signal-1/W", "signal-1"]);
    let told = [("signal-1", bundle), ("signal-1", buy), ("signal-1/W", buy)];
    assert_eq!(told.map(|(id, body)| opened.is_bought_by(id, body)), [true, false, true]);
    for never in [Failed, DidNotLand] {
        let denied = kept(&corrected(opened.clone(), "signal-1", never));
        assert_eq!((denied.is_over(), denied.unbought, denied.answered_ids()), (true, true, vec![]));
    }
    assert_eq!(corrected(opened.clone(), "signal", DidNotLand), opened);
}

#[test]
fn what_another_plan_has_sold_counts_once() {
    let mut desk = Desk::new(r#"{ "stopLoss": "0.99x" }"#);
    let all = desk.state.tokens;
    assert!(desk.state.intent_ids().contains(&"signal-1/tp2.16".to_owned()));
    for _ in 0..2 {
        desk.state = settled(desk.state, "signal-1/tp2", IntentOutcome::Landed, 0, Some(5));
        desk.state = kept(&desk.state);
        assert_eq!((desk.state.tokens, desk.state.rungs_sold), (all - 5, 0));
    }
    desk.state = settled(desk.state, "signal-1/tp3", IntentOutcome::Unknown, 0, Some(7));
    assert_eq!(desk.tick(), None);
    desk.state = settled(desk.state, "signal-1/tp3", IntentOutcome::Landed, 0, None);
    assert_eq!(desk.tick().map(|order| order.tokens), Some(all - 12));
}

fn waiting_ids(state: &ExitState) -> Vec<&str> {
    state.order.iter().chain(&state.doubts).map(|order| order.intent_id.as_str()).collect()
}

#[test]
fn a_complete_curve_is_told_and_what_a_person_asks_for_is_tried_once() {
    let mut desk = Desk::new(r#"{ "stopLoss": "0.5x" }"#);
    let told = desk.state.untold();
    assert_eq!((desk.tick(), desk.state.news_since(&told).len()), (None, 0));
    desk.state.close_now();
    let order = desk.tick().unwrap();
    // It completes while the sell is on its way.
    desk.token.complete = true;
    desk.settle(&order, IntentOutcome::Failed);
    desk.now_ms = 600_000;
    for _ in 0..3 {
        assert_eq!(desk.tick(), None, "it was tried");
        desk.now_ms += 600_000;
    }
    let what: Vec<_> = desk.state.news_since(&told).into_iter().map(|(what, _)| what.as_str()).collect();
    assert_eq!(what, ["completed"]);
    assert_eq!(desk.state.news_since(&desk.state), []);
    assert_eq!(desk.state.news_since(&desk.state.untold()).len(), 1, "a program that begins tells it again");
    desk.state = kept(&desk.state);
    assert_eq!(desk.tick(), None);
    // Asked again, it tries again; what was not sent is no try.
    desk.state.close_now();
    let order = desk.tick().unwrap();
    desk.settle(&order, IntentOutcome::NotSent);
    let order = desk.tick().unwrap();
    desk.settle(&order, IntentOutcome::Rejected);
    desk.now_ms += 600_000;
    assert_eq!(desk.tick(), None);
}

#[test]
fn every_bad_field_of_a_plan_is_named() {
    assert_eq!(
        problems(
            r#"{ "takeProfit": [{ "at": 2, "sell": "50%" }, { "at": "3", "sell": "0.00001%" }, { "sell": 50 }],
                 "stopLos": "0.7x", "stopLoss": "-30%", "trailing": { "by": "100%", "form": "2x" },
                 "breakEvenAfter": "1x", "timeMs": 0, "onGraduation": true, "slippage": "wide", "priorityUnitPrice": -1 }"#
        ),
        [
            "takeProfit[0].at must be a multiple of what was paid, as text such as \"2x\", not a number",
            "takeProfit[1].at must be a multiple of what was paid, such as \"2x\": above 0, at most 1000000x, to nine places",
            "takeProfit[1].sell must be a percentage, such as \"50%\": above 0%, at most 100%, to four places",
            "takeProfit[2].at is missing: a multiple of what was paid, as text such as \"2x\"",
            "takeProfit[2].sell must be a percentage, as text such as \"50%\", not a number",
            "stopLoss must be a multiple of what was paid, such as \"2x\": above 0, at most 1000000x, to nine places",
            "trailing.by must be a percentage, such as \"50%\": above 0%, below 100%, to four places",
            "trailing.form is unknown; did you mean from?",
            "timeMs must be from 1 to 9007199254740991: milliseconds",
            "onGraduation must be an object, not a boolean: an object such as { from: \"95%\" }",
            "slippage must be a decimal number, zero or above: { percent: 10 } or { bps: 1000 }",
            "priorityUnitPrice must be a decimal number, zero or above: micro-lamports for each priority unit",
            "breakEvenAfter must be above 1x",
            "stopLos is unknown; did you mean stopLoss?",
        ]
    );
    assert_eq!(
        problems(
            r#"{ "takeProfit": [{ "at": "2x", "sell": "60%" }, { "at": "2x", "sell": "30%" }, { "at": "3x", "sell": "10.0001%" },
                 { "at": "4x", "sell": "1%" }], "stopLoss": "2x" }"#
        ),
        [
            "takeProfit[1].at must be above that of the rung before it",
            "takeProfit[2].sell is more than the rungs before it leave of 100%",
            "stopLoss must be below takeProfit[0].at",
        ]
    );
    assert_eq!(
        problems(
            r#"{ "takeProfit": "2x", "breakEvenAfter": 2, "trailing": {}, "onGraduation": { "from": 95 }, "timeMs": "1h",
                 "stopLoss": "30%", "priorityUnitPrice": 0.5 }"#
        ),
        [
            "takeProfit must be an array, not a string: a list such as [{ at: \"2x\", sell: \"50%\" }]",
            "stopLoss must be a multiple of what was paid, such as \"2x\": above 0, at most 1000000x, to nine places",
            "trailing.by is missing: a percentage, as text such as \"50%\"",
            "breakEvenAfter must be a multiple of what was paid, as text such as \"2x\", not a number",
            "timeMs must be a decimal number, zero or above: milliseconds",
            "onGraduation.from must be a percentage, as text such as \"50%\", not a number",
            "priorityUnitPrice must be a whole number of at most 64 bits: micro-lamports for each priority unit",
        ]
    );
    let no_object =
        "trailing must be an object, not a string: an object such as { by: \"30%\", from: \"1.5x\" }";
    assert_eq!(problems(r#"{ "trailing": "30%" }"#), [no_object]);
    let over = "slippage is over 100 %, which bounds no price; 5 % is { percent: 5 } or { bps: 500 }";
    for slippage in [r#"{ "percent": 500 }"#, r#"{ "percent": "100.01" }"#, r#"{ "bps": 50000 }"#, "50000"] {
        assert_eq!(problems(&format!(r#"{{ "stopLoss": "0.5x", "slippage": {slippage} }}"#)), [over]);
    }
    for slippage in [r#"{ "percent": 100 }"#, r#"{ "bps": 10000 }"#, "500"] {
        plan(&format!(r#"{{ "stopLoss": "0.5x", "slippage": {slippage} }}"#));
    }
    let none = "takeProfit or another rule must be given: a plan without one never sells";
    assert_eq!([problems("{}"), problems(r#"{ "takeProfit": [], "slippage": 5 }"#)], [[none], [none]]);
    assert_eq!(problems("[]"), ["it must be an object, not an array"]);
    let rungs: Vec<String> = (1..=65).map(|at| format!(r#"{{ "at": "{at}x", "sell": "1%" }}"#)).collect();
    let ladder = format!(r#"{{ "takeProfit": [{}] }}"#, rungs.join(","));
    assert_eq!(problems(&ladder), ["takeProfit has over 64 rungs"]);
}

#[test]
fn every_bad_field_of_a_position_is_named() {
    let read = |text: &str| {
        messages(ExitPosition::from_data(json::parse(text.as_bytes()).unwrap().root()).unwrap_err())
    };
    let numbers = r#""tokens": "1.5", "costLamports": 0, "openedAtMs": 9007199254740992"#;
    assert_eq!(
        read(&format!(r#"{{ "id": "two words", "mint": "", "wallet": 5, {numbers} }}"#)),
        [
            "id must be visible ASCII, without white space: the intent id of its buy",
            "mint is empty: the token's mint address",
            "wallet must be a string, not a number: the id of the wallet that holds it",
            "tokens must be a whole number of at most 64 bits: base units of the token, not whole tokens",
            "costLamports must be from 1 to 18446744073709551615: lamports, of which 1 SOL has 1000000000",
            "openedAtMs must be from 0 to 9007199254740991: milliseconds since 1970",
        ]
    );
    for (id, why) in [("x".repeat(101), "is longer than 100 characters"), (String::new(), "is empty")] {
        assert_eq!(
            read(&format!(r#"{{ "id": "{id}", "mint": 5, "tokens": 1, "costLamports": "0.5" }}"#)),
            [
                &format!("id {why}: the intent id of its buy"),
                "mint must be a string, not a number: the token's mint address",
                "wallet is missing: the id of the wallet that holds it",
                "costLamports must be a whole number of at most 64 bits: lamports, of which 1 SOL has 1000000000",
            ]
        );
    }
}

#[test]
fn a_state_that_contradicts_itself_is_refused() {
    let mut desk = Desk::new(r#"{ "takeProfit": [{ "at": "0.9x", "sell": "50%" }], "stopLoss": "0.5x" }"#);
    desk.tick().unwrap();
    let kept = json::write(&desk.state.to_tape());
    let read = |text: &str| ExitState::from_data(json::parse(text.as_bytes()).unwrap().root());
    let bought = desk.state.tokens;
    let (half, more) = ((bought / 2).to_string(), (bought + 1).to_string());
    assert_eq!(read(&kept), Ok(desk.state));
    for (from, to, message) in [
        (r#""rungsSold":0"#, r#""rungsSold":2"#, "rungsSold is more than the plan's 1 take-profits"),
        (r#""rungs":1"#, r#""rungs":2"#, "order.rungs is more than the plan's 1 take-profits"),
        ("signal-1/tp1", "signal-1/tp65", "order.intentId is not the id of an exit of this position"),
        ("signal-1/tp1", "signal-1/tp1.1", "order.intentId is not the id of an exit of this position"),
        (&half, &more, "order.tokens must be above 0, and at most the tokens that are left"),
        (r#""paused":false"#, r#""paused":0"#, "paused must be true or false, not a number"),
        (
            r#""stopLoss":"0.5x""#,
            r#""stopLoss":0.5"#,
            "plan.stopLoss must be a multiple of what was paid, as text such as \"2x\", not a number",
        ),
        (
            r#"[{"failed":0,"notBeforeMs":0},"#,
            "[",
            "tries must have one for each take-profit, and one for everything",
        ),
    ] {
        let altered = kept.replacen(from, to, 1);
        assert_ne!(altered, kept, "{from}");
        assert_eq!(messages(read(&altered).unwrap_err()), [message]);
    }
    let missing = messages(read("{}").unwrap_err());
    let fields =
        ["plan", "position", "tokens", "costLamports", "rungsSold", "best", "tries", "paused", "closing"];
    assert_eq!(missing, fields.map(|field| format!("{field} is missing")));
}

/// What lamports are of the position's cost, with the rent that comes back, as a multiple below one.
fn part_of_cost(lamports: u64, rent: u64) -> String {
    let cost = u128::from(1_000_005_000 + rent);
    let billionths = format!("0.{:09}", u128::from(lamports) * 1_000_000_000 / cost);
    billionths.trim_end_matches('0').to_owned() + "x"
}

#[test]
fn the_price_is_what_this_position_would_get() {
    let multiple = |change: &dyn Fn(&mut Desk)| {
        let mut desk = Desk::new(r#"{ "stopLoss": "0.1x" }"#);
        change(&mut desk);
        desk.state.multiple(&desk.shown()).map(|multiple| multiple.to_string())
    };
    let part = |lamports, rent| Some(part_of_cost(lamports, rent));
    // The lamports for the sell, less the network fee, plus the rent on both sides.
    let rent = rents::token_account();
    let (launchpad, token, ExitPosition { tokens, .. }) = opened();
    let brings = launchpad.sell_exact_in(&token, tokens, tokens, 0).unwrap().wallet_lamports;
    assert_eq!(multiple(&|_| {}), part(brings - 5_000 + rent, rent));
    // With tokens of another position in the wallet, the account stays open and its rent locked.
    assert_eq!(multiple(&|desk| desk.wallet_tokens = Some(u64::MAX)), part(brings - 5_000, 0));
    let paid_by_another = multiple(&|desk| desk.state.position.fee_payer = Some("P".into()));
    assert_eq!(paid_by_another, part(brings + rent, rent));
    let hurried = multiple(&|desk| desk.state.plan.priority_unit_price = Some(1_000_000));
    assert_eq!(hurried, part(brings - 205_000 + rent, rent));
    assert_eq!(multiple(&|desk| desk.wallet_tokens = Some(0)), None);
    assert_eq!(multiple(&|desk| desk.token.complete = true), None);
}

#[test]
fn a_part_that_was_sold_before_the_first_look_does_not_take_the_stop_of_the_rest() {
    // Nobody else has bought: the curve cannot pay for all of it a second time.
    let mut desk = Desk::new(r#"{ "stopLoss": "0.99x" }"#);
    let launchpad = Launchpad::default();
    let half = desk.state.tokens / 2;
    let sold = launchpad.sell_exact_in(&desk.token, half, desk.state.tokens, 0).unwrap();
    desk.token.curve = sold.curve_after;
    let left = desk.state.tokens - half;
    desk.wallet_tokens = Some(left);
    // A node that lags behind the buy looks the same, for a while.
    for at_ms in (0..300_000).step_by(15_000) {
        desk.now_ms = at_ms;
        assert_eq!(desk.tick(), None);
    }
    let (told, before) = (desk.state.untold(), desk.state.clone());
    let news = before.news_since(&told);
    assert_eq!((news.len(), news[0].0.as_str()), (1, "no_look"));
    desk.now_ms = 300_000;
    let order = desk.tick().unwrap();
    assert_eq!((order.reason, order.tokens), (ExitReason::StopLoss, left));
    let news = desk.state.news_since(&before);
    assert_eq!((news.len(), news[0].0.as_str()), (1, "gone"));
}

#[test]
fn a_word_about_no_order_of_this_position_or_an_older_attempt_changes_nothing() {
    let mut desk = Desk::new(r#"{ "stopLoss": "0.99x" }"#);
    for _ in 0..3 {
        let order = desk.tick().unwrap();
        desk.settle(&order, IntentOutcome::Failed);
        desk.now_ms += 60_000;
    }
    assert_eq!(desk.tick().unwrap().intent_id, "signal-1/all.4");
    let before = desk.state;
    let late = settled(before.clone(), "signal-1/all.3", IntentOutcome::Failed, 0, None);
    assert_eq!(late, before);
    let strangers = "signal-1 signal-1/tp65 signal-2/all signal-1/all.01 signal-1/all.1 signal-1/all.";
    for stranger in strangers.split(' ').chain([""]) {
        assert_eq!(settled(before.clone(), stranger, IntentOutcome::Landed, 0, None), before, "{stranger}");
    }
}

#[test]
fn a_clock_that_was_set_back_holds_up_no_stop_and_no_loss() {
    let mut desk = Desk::new(r#"{ "stopLoss": "0.99x" }"#);
    desk.now_ms = 31_536_000_000;
    let order = desk.tick().unwrap();
    desk.settle(&order, IntentOutcome::Rejected);
    // By a right clock a year less has passed: no wait is that long.
    desk.now_ms = 1_000;
    let order = desk.tick().unwrap();
    assert_eq!(order.intent_id, "signal-1/all.2");
    desk.settle(&order, IntentOutcome::Failed);
    desk.now_ms -= 1_000;
    assert_eq!(desk.tick(), None, "it waits as long as it has to");
    desk.now_ms += 3_000;
    assert_eq!(desk.tick().unwrap().intent_id, "signal-1/all.3");

    // Tokens that are gone are given up a minute later by this clock, too.
    let mut desk = Desk::new(r#"{ "stopLoss": "0.1x" }"#);
    let all = desk.state.tokens;
    let looks = [31_536_000_000, 1_000, 16_000, 31_000, 46_000, 60_999].map(|at_ms| (0, at_ms));
    for (wallet, at_ms) in [(all, 31_536_000_000)].into_iter().chain(looks) {
        (desk.wallet_tokens, desk.now_ms) = (Some(wallet), at_ms);
        desk.tick();
        assert_eq!(desk.state.tokens, all);
    }
    desk.now_ms = 61_000;
    desk.tick();
    assert!(desk.state.is_over());
}

#[test]
fn a_complete_curve_is_sold_before_and_then_only_if_asked() {
    let mut desk = Desk::new(r#"{ "onGraduation": { "from": "50%" }, "stopLoss": "0.99x", "timeMs": 1 }"#);
    desk.token.complete = true;
    desk.now_ms = 5;
    assert_eq!(desk.tick(), None);
    desk.state.close_now();
    let order = desk.tick().unwrap();
    assert_eq!((order.reason, order.expected_lamports), (ExitReason::CloseNow, 0));

    let mut desk = Desk::new(r#"{ "onGraduation": { "from": "50%" } }"#);
    desk.others_buy(10_000_000_000);
    assert_eq!(desk.tick(), None);
    desk.others_buy(10_000_000_000);
    assert_eq!(desk.tick().map(|order| order.reason), Some(ExitReason::Graduation));
}

#[test]
fn a_new_state_learns_from_a_journal_what_was_sold() {
    let ladder = r#"{ "takeProfit": [{ "at": "1.5x", "sell": "50%" }, { "at": "2x", "sell": "25%" }], "stopLoss": "0.9x" }"#;
    let desk = Desk::new(ladder);
    let ids = desk.state.intent_ids();
    assert_eq!(ids.len(), 768 + 62 * 16);
    assert_eq!([&ids[0], &ids[257]], ["signal-1/tp1", "signal-1/tp2.2"]);
    let told = |told: &[(&str, IntentOutcome)]| {
        told.iter().fold(desk.state.clone(), |state, (id, outcome)| settled(state, id, *outcome, 7, None))
    };
    use IntentOutcome::{Landed, Unknown};
    let first = told(&[("signal-1/tp1", Landed), ("signal-1/tp1", Landed)]);
    let bought = desk.state.tokens;
    assert_eq!((first.rungs_sold, first.tokens), (1, bought - bought / 2));
    // Told twice, with what it sold, it has sold once.
    let sold = |state| settled(state, "signal-1/tp1", Landed, 7, Some(1_000));
    let once = sold(desk.state.clone());
    assert_eq!(once.tokens, desk.state.tokens - 1_000);
    assert_eq!(sold(once.clone()).tokens, once.tokens);
    // The second rung's order sold both.
    let both = told(&[("signal-1/tp2.4", Landed), ("signal-1/tp1", Landed)]);
    assert_eq!((both.rungs_sold, both.tokens), (2, bought - bought / 2 - bought / 4));
    assert!(told(&[("signal-1/all", Landed)]).is_over());
    let doubt = told(&[("signal-1/tp1", Landed), ("signal-1/tp2", Unknown)]);
    let order = doubt.order.as_ref().unwrap();
    assert_eq!((order.tokens, order.outcome, order.rungs), (bought / 4, Some(Unknown), 2));
    let settled_later = settled(doubt, "signal-1/tp2", Landed, 9, None);
    assert_eq!(settled_later.tokens, both.tokens);
}

/// The rules a second time, from the text of a plan's numbers, in big integers.
#[derive(Clone, Debug)]
struct Rules {
    /// Multiples in billionths, parts in millionths.
    rungs: Vec<(u64, u32)>,
    stop: Option<u64>,
    trailing: Option<(u32, Option<u64>)>,
    even: Option<u64>,
    time: Option<u64>,
    graduation: Option<u32>,
    pays: bool,
}

impl Rules {
    fn json(&self) -> String {
        let times = |billionths: u64| {
            format!("\"{}.{:09}x\"", billionths / 1_000_000_000, billionths % 1_000_000_000)
        };
        let part = |millionths: u32| format!("\"{}.{:04}%\"", millionths / 10_000, millionths % 10_000);
        let rung = |(at, sell): &(u64, u32)| format!(r#"{{"at":{},"sell":{}}}"#, times(*at), part(*sell));
        let mut fields =
            vec![format!(r#""takeProfit":[{}]"#, self.rungs.iter().map(rung).collect::<Vec<_>>().join(","))];
        fields.extend(self.stop.map(|stop| format!(r#""stopLoss":{}"#, times(stop))));
        fields.extend(self.trailing.map(|(by, from)| {
            let from = from.map_or(String::new(), |from| format!(r#","from":{}"#, times(from)));
            format!(r#""trailing":{{"by":{}{from}}}"#, part(by))
        }));
        fields.extend(self.even.map(|even| format!(r#""breakEvenAfter":{}"#, times(even))));
        fields.extend(self.time.map(|time| format!(r#""timeMs":{time}"#)));
        fields.extend(self.graduation.map(|from| format!(r#""onGraduation":{{"from":{}}}"#, part(from))));
        format!("{{{}}}", fields.join(","))
    }
}

fn rules() -> impl Strategy<Value = Rules> {
    let rungs = prop::collection::vec((1_000_000u64..900_000_000, 1u32..400_000), 0..5).prop_map(|rungs| {
        let (mut at, mut left) = (950_000_000, 1_000_000);
        let rising = rungs.into_iter().map(|(step, sell)| {
            at += step;
            let sell = sell.min(left);
            left -= sell;
            (at, sell)
        });
        rising.filter(|(_, sell)| *sell > 0).collect::<Vec<_>>()
    });
    let option = prop::option::of::<std::ops::Range<u64>>;
    (
        rungs,
        option(400_000_000..950_000_000),
        prop::option::of((1_000u32..600_000, option(500_000_000..3_000_000_000))),
        option(1_000_000_001..3_000_000_000),
        option(1..100_000),
        prop::option::of(1u32..=1_000_000),
        any::<bool>(),
    )
        .prop_map(|(rungs, stop, trailing, even, time, graduation, pays)| Rules {
            rungs,
            stop,
            trailing,
            even,
            // At least one rule.
            time: time.or(Some(90_000)),
            graduation,
            pays,
        })
}

/// What happens between two ticks.
#[derive(Clone, Debug)]
enum Happens {
    /// Others buy, in millions of lamports.
    Buy(u64),
    /// Others sell, in parts per thousand of what the curve has sold.
    Sell(u64),
    Time(u64),
    Settle(IntentOutcome),
    Pause,
    Resume,
    CloseNow,
    /// The program ends: the state goes through JSON.
    Restart,
    /// Other tokens come into the wallet, or it shows too few.
    Wallet(Option<u64>),
}

fn happens() -> impl Strategy<Value = Happens> {
    let outcome = prop::sample::select(IntentOutcome::ALL.to_vec());
    prop_oneof![
        6 => (1..9_000u64).prop_map(Happens::Buy),
        6 => (1..700u64).prop_map(Happens::Sell),
        3 => (1..40_000u64).prop_map(Happens::Time),
        1 => (40_000..400_000u64).prop_map(Happens::Time),
        6 => outcome.prop_map(Happens::Settle),
        4 => Just(Happens::Settle(IntentOutcome::Landed)),
        1 => Just(Happens::Pause),
        2 => Just(Happens::Resume),
        1 => Just(Happens::CloseNow),
        3 => Just(Happens::Restart),
        1 => prop::option::of(prop_oneof![Just(u64::MAX), 0..40_000_000_000_000u64]).prop_map(Happens::Wallet),
    ]
}

struct Model {
    rules: Rules,
    start: u64,
    left: u64,
    cost: u64,
    sold_rungs: usize,
    best: BigInt,
    open: Option<(String, u64, usize)>,
    /// Orders that did not land or were the last word, and when the next may come, by the rung's name.
    tries: BTreeMap<String, (u32, u64)>,
    paused: bool,
    closing: bool,
    /// The looks in a row at which the wallet held less than is left: when, and how much.
    short: Vec<(u64, u64)>,
    /// What the wallet was last seen to hold with all that is left.
    shown: Option<u64>,
    /// What it lost otherwise, and its cost, and what the wallet held with it.
    gone: Option<(u64, u64, Option<u64>)>,
    /// What the wallet held before the last sell, and until when looks may be older than that.
    sold: Option<(u64, u64)>,
}

/// What selling so many tokens brings.
fn brought(launchpad: &Launchpad, token: &Token, tokens: u64) -> Option<BigInt> {
    let rates = launchpad.rates(token).ok()?;
    Some(oracle::sell_exact_in(&token.curve, tokens, tokens, 0, rates).ok()?[4].clone())
}

impl Model {
    /// The id, the amount and the reason of what must be ordered.
    fn expects(
        &mut self,
        launchpad: &Launchpad,
        token: &Token,
        now: u64,
        wallet: Option<u64>,
    ) -> Option<(String, u64, &'static str)> {
        if self.open.is_some() {
            self.short.clear();
            // A peak is one while an order is in doubt, too.
            if self.sold.is_none() {
                let now = self.multiple(launchpad, token, wallet);
                self.best = now.into_iter().fold(self.best.clone(), BigInt::max);
            }
            return None;
        }
        // Until a look shows another balance than before the sell, for a minute.
        let is_past = |before, until| now >= until || wallet.is_some_and(|tokens| tokens != before);
        self.sold = self.sold.filter(|(before, until)| !is_past(*before, *until));
        let mut older = self.sold.is_some() && wallet.is_some();
        if self.sold.is_none() {
            if let Some((tokens, cost, with)) = self.gone
                && wallet.is_some_and(|held| held == with.unwrap_or(self.left + tokens))
            {
                (self.left, self.cost, self.gone) = (self.left + tokens, self.cost + cost, None);
            }
            match wallet {
                Some(tokens) if tokens < self.left => self.short.push((now, tokens)),
                Some(tokens) if self.left > 0 => {
                    self.short.clear();
                    self.shown = Some(tokens);
                }
                _ => self.short.clear(),
            }
            let passed: u64 = self.short.windows(2).map(|two| (two[1].0 - two[0].0).min(15_000)).sum();
            if !self.short.is_empty() && passed >= if self.shown.is_some() { 60_000 } else { 300_000 } {
                let left = self.short.iter().map(|(_, tokens)| *tokens).max().unwrap();
                let cost = u64::try_from(big(self.cost) * (self.left - left) / self.left).unwrap();
                let (lost, paid, with) = self.gone.unwrap_or((0, 0, self.shown));
                self.gone = Some((lost + self.left - left, paid + cost, with));
                (self.cost, self.left, self.shown) = (self.cost - cost, left, wallet);
                self.short.clear();
            }
            older = self.shown.is_none() && wallet.is_some_and(|tokens| tokens < self.left);
        }
        if older && !self.closing {
            return None;
        }
        let held = self.left.min(wallet.unwrap_or(u64::MAX));
        if held == 0 {
            return None;
        }
        let multiple = self.multiple(launchpad, token, wallet);
        if let Some(now) = multiple.clone().filter(|_| !older) {
            self.best = self.best.clone().max(now);
        }
        if self.paused && !self.closing {
            return None;
        }
        let least = |limit: u64| multiple.as_ref().is_some_and(|now| *now <= big(limit));
        let had = |limit: u64| self.best >= big(limit);
        let start = big(launchpad.start.real_token_reserves);
        let bought = (start.clone() - big(token.curve.real_token_reserves)).max(big(0));
        let mut everything = None;
        if self.closing {
            everything = Some("close_now");
        } else {
            multiple.as_ref()?;
            if self.rules.graduation.is_some_and(|from| bought * 1_000_000 >= start * from) {
                everything = Some("graduation");
            } else if self.rules.stop.is_some_and(least) {
                everything = Some("stop_loss");
            } else if self.rules.even.is_some_and(had) && least(1_000_000_000) {
                everything = Some("break_even");
            } else if let Some((by, from)) = self.rules.trailing
                && from.is_none_or(had)
                && multiple.as_ref().is_some_and(|now| *now <= &self.best * (1_000_000 - by) / 1_000_000)
            {
                everything = Some("trailing");
            } else if self.rules.time.is_some_and(|time| now >= time) {
                everything = Some("time");
            }
        }
        let (reason, amount, rungs) = match everything {
            Some(reason) => (reason, held, self.sold_rungs),
            None => {
                let reached = |(at, _): &&(u64, u32)| multiple.as_ref().is_some_and(|now| *now >= big(*at));
                let most = self.rules.rungs.iter().filter(reached).count();
                // The sell of a part pays a fee of its own, and brings the multiple of its rung after that.
                let pays = |rungs: usize| {
                    let amount = held.checked_sub(self.start - self.share(rungs))?;
                    if amount == 0 {
                        return None;
                    }
                    if amount < held {
                        let fee = big(if self.rules.pays { 5_000u64 } else { 0 });
                        let brings = (brought(launchpad, token, amount)? - fee).max(big(0));
                        let paid = big(self.cost) * amount / self.left;
                        let at = big(self.rules.rungs[rungs - 1].0);
                        if paid > big(0) && brings * 1_000_000_000u64 / paid < at {
                            return None;
                        }
                    }
                    Some((amount, rungs))
                };
                let (amount, rungs) = (self.sold_rungs + 1..=most).rev().find_map(pays)?;
                ("take_profit", amount, rungs)
            }
        };
        let name = if amount == held { "all".to_owned() } else { format!("tp{rungs}") };
        let (tried, from) = self.tries.get(&name).copied().unwrap_or_default();
        if now < from {
            return None;
        }
        let id = match tried {
            0 => format!("p/{name}"),
            tried => format!("p/{name}.{}", tried + 1),
        };
        self.open = Some((name, amount, rungs));
        Some((id, amount, reason))
    }

    /// What the wallet's tokens of it would bring, compared with what they have cost.
    fn multiple(&self, launchpad: &Launchpad, token: &Token, wallet: Option<u64>) -> Option<BigInt> {
        let held = self.left.min(wallet.unwrap_or(u64::MAX));
        let brings = (held > 0).then(|| brought(launchpad, token, held))??;
        let rent =
            big(if wallet.is_none_or(|tokens| tokens <= self.left) { rents::token_account() } else { 0 });
        let fee = big(if self.rules.pays { 5_000u64 } else { 0 });
        let paid = big(self.cost) * held / self.left + &rent;
        Some((brings + rent - fee).max(big(0)) * 1_000_000_000u64 / paid)
    }

    /// What the first rungs sell of the whole position.
    fn share(&self, rungs: usize) -> u64 {
        let parts: u64 = self.rules.rungs[..rungs].iter().map(|(_, sell)| u64::from(*sell)).sum();
        u64::try_from(big(self.start) * parts / 1_000_000).unwrap()
    }

    fn settle(&mut self, outcome: IntentOutcome, now: u64, wallet: Option<u64>) {
        let Some((name, amount, rungs)) = self.open.clone() else { return };
        let tries = self.tries.entry(name.clone()).or_default();
        match outcome {
            IntentOutcome::Unknown | IntentOutcome::Unconfirmed => return,
            IntentOutcome::NotSent => {}
            IntentOutcome::Landed => {
                let cost = big(self.cost) * amount / self.left;
                self.cost -= u64::try_from(cost).unwrap();
                self.left -= amount;
                if let Some((_, _, Some(with))) = &mut self.gone {
                    *with = with.saturating_sub(amount);
                }
                self.sold = wallet.map(|wallet| (wallet, now + 60_000));
                if name == "all" {
                    tries.0 += 1;
                } else {
                    self.sold_rungs = rungs;
                }
            }
            IntentOutcome::Rejected | IntentOutcome::Failed | IntentOutcome::DidNotLand => {
                let wait = [1, 2, 4, 8, 16, 32].get(tries.0 as usize).unwrap_or(&60) * 1_000;
                *tries = (tries.0 + 1, now + wait);
            }
        }
        self.open = None;
    }
}

proptest! {
    #![proptest_config(seeded::cases(500))]

    #[test]
    fn histories_give_the_orders_that_the_rules_call_for(rules in rules(), history in prop::collection::vec(happens(), 1..120)) {
        let (launchpad, mut token, position) = opened();
        let payer = (!rules.pays).then(|| "payer".to_owned());
        let position = ExitPosition { id: "p".into(), fee_payer: payer, ..position };
        let (start, cost) = (position.tokens, position.cost_lamports);
        let mut model = Model {
            rules: rules.clone(), start, cost, left: start, sold_rungs: 0, best: big(0), open: None, tries: BTreeMap::new(),
            paused: false, closing: false,
            short: Vec::new(), shown: None, gone: None, sold: None,
        };
        let mut state = ExitState::open(plan(&rules.json()), position);
        let (mut now, mut wallet) = (0, None);
        let mut landed: BTreeMap<String, u64> = BTreeMap::new();
        for event in history {
            match event {
                Happens::Buy(millions) => {
                    if let Ok(fill) = launchpad.buy_exact_in(&token, millions * 1_000_000, 1) {
                        token.curve = fill.curve_after;
                    }
                }
                Happens::Sell(part) => {
                    let sold = launchpad.start.real_token_reserves - token.curve.real_token_reserves;
                    if let Ok(fill) = launchpad.sell_exact_in(&token, sold / 1_000 * part, u64::MAX, 0) {
                        token.curve = Curve { real_token_reserves: fill.curve_after.real_token_reserves, ..fill.curve_after };
                    }
                }
                Happens::Time(ms) => now += ms,
                Happens::Settle(outcome) => {
                    if let Some(order) = state.order.clone() {
                        model.settle(outcome, now, order.wallet_tokens);
                        state = settled(state, &order.intent_id, outcome, now, None);
                        if outcome == IntentOutcome::Landed {
                            prop_assert!(landed.insert(order.intent_id, order.tokens).is_none(), "landed twice");
                        }
                    }
                }
                Happens::Pause => { state.pause(); model.paused = true; }
                Happens::Resume => { state.resume(); model.paused = false; }
                Happens::CloseNow => { state.close_now(); model.closing = true; }
                Happens::Restart => prop_assert_eq!(kept(&state), state.clone()),
                Happens::Wallet(tokens) => wallet = tokens,
            }
            let tick = Tick { at_ms: now, launchpad: &launchpad, token: &token, wallet_tokens: wallet };
            let (after, order) = next(state, &tick);
            state = after;
            let told = order.map(|order| (order.intent_id, order.tokens, order.reason.as_str()));
            prop_assert_eq!(told, model.expects(&launchpad, &token, now, wallet));
            prop_assert_eq!((state.tokens, state.cost_lamports, state.rungs_sold as usize), (model.left, model.cost, model.sold_rungs));
            prop_assert_eq!(big(state.best.billionths()), model.best.clone());
            prop_assert_eq!(landed.values().sum::<u64>() + state.tokens + model.gone.map_or(0, |(tokens, ..)| tokens), start);
        }
    }

    /// Whatever text comes in for a plan, a position or a state, it is read or refused; and a state that was read goes on.
    #[test]
    fn hostile_json_is_refused_without_a_panic(
        swaps in prop::collection::vec((any::<prop::sample::Index>(), hostile()), 1..4),
        cut in prop::option::of(any::<prop::sample::Index>()),
        id in prop::sample::select(vec!["p/all", "p/tp1", "p/tp4294967295.4294967295", "p/all.4294967295", "/", "p/tp0"]),
        outcome in prop::sample::select(IntentOutcome::ALL.to_vec()),
    ) {
        let (launchpad, token, position) = opened();
        let position = ExitPosition { id: "p".into(), ..position };
        let ladder = r#"{ "takeProfit": [{ "at": "0.9x", "sell": "50%" }], "stopLoss": "0.5x", "trailing": { "by": "5%" }, "timeMs": 9 }"#;
        let tick = |at_ms| Tick { at_ms, launchpad: &launchpad, token: &token, wallet_tokens: None };
        let (state, _) = next(ExitState::open(plan(ladder), position), &tick(0));
        let mut text = json::write(&state.to_tape());
        for (at, value) in swaps {
            // Every value of the state has a colon before it.
            let colons: Vec<usize> = text.match_indices(':').map(|(at, _)| at + 1).collect();
            let from = *at.get(&colons);
            let to = text[from..].find([',', '}', ']']).map_or(text.len(), |to| from + to);
            text.replace_range(from..to, value);
        }
        if let Some(cut) = cut {
            let mut at = cut.index(text.len());
            while !text.is_char_boundary(at) { at -= 1; }
            text.truncate(at);
        }
        let Ok(read) = json::parse(text.as_bytes()) else { return Ok(()) };
        let _ = ExitPlan::from_data(read.root());
        let _ = ExitPosition::from_data(read.root());
        if let Ok(state) = ExitState::from_data(read.root()) {
            prop_assert_eq!(kept(&state), state.clone());
            let (state, _) = next(state, &tick(u64::MAX));
            let state = settled(state, id, outcome, u64::MAX, Some(u64::MAX));
            let (state, _) = next(state, &Tick { wallet_tokens: Some(u64::MAX), ..tick(0) });
            kept(&state);
        }
    }
}

/// What stands in for a value of a state.
fn hostile() -> impl Strategy<Value = &'static str> {
    let values = r#"null 0 1 -1 1.5 1e400 4294967295 9007199254740991 18446744073709551615 18446744073709551616
        true [] {} [[]] "" "x" "0x" "1e5x" "100%" "-5%" "take_profit" "p/all" "p/tp1.4294967295"
        "18446744073709551615" "18446744073.709551615x""#;
    prop::sample::select(values.split_whitespace().collect::<Vec<_>>())
}
