//! Plans: what is shown is what is sent, once, in time, and to the right destination.

use std::future::{Future, IntoFuture, poll_fn};
use std::task::Poll;
use std::time::Duration;

use launchpad_desk::tape::Data;
use launchpad_desk::trade::guard::{Charges, Found, Settings};
use launchpad_desk_client::{FileJournal, SandboxTransport, SendPlan};
use launchpad_desk_sandbox::{Sandbox, SandboxConfig};

use super::file_journal::Folder;
use super::*;

fn plan(client: &Client<Script>) -> Plan {
    block_on(client.buy(buy()).intent_id("a").plan()).unwrap()
}

fn ends(order: SendPlan<'_, Script>) -> (&'static str, &'static str) {
    match block_on(order.into_future()) {
        Ok(traded) => (traded.trade.status.as_str(), ""),
        Err(error) => (error.outcome.as_str(), error.code.as_str()),
    }
}

/// Ready once something was sent.
fn sent(script: Script) -> impl Future<Output = ()> {
    poll_fn(move |context| match script.count() {
        0 => {
            context.waker().wake_by_ref();
            Poll::Pending
        }
        _ => Poll::Ready(()),
    })
}

#[test]
fn a_plan_in_the_sandbox_has_its_price_and_comes_to_it() {
    let sandbox = Sandbox::new(SandboxConfig::default()).unwrap();
    let (mint, wallet) = (sandbox.tokens()[0].mint.clone(), sandbox.wallets()[0].wallet.clone());
    let client = Client::new(SandboxTransport::new(sandbox));
    let plan = block_on(client.buy(BuyRequest::new(&mint, &wallet, 1_000_000_000)).plan()).unwrap();
    assert!(plan.is_simulated && plan.refused.is_none() && client.transport().sandbox().trades().is_empty());
    let price = plan.price.clone().unwrap();
    let Data::Array(mut legs) = price.root().get("legs").unwrap().data() else { panic!() };
    let tokens = legs.next().unwrap().get("tokenAmount").unwrap();
    let plan = Plan::from_json(&plan.to_json()).unwrap();
    let bought = block_on(client.send(&plan).into_future()).unwrap();
    assert_eq!(tokens, Data::String(bought.trade.result.amount.as_ref().unwrap().as_str()));
    assert_eq!(bought.intent_id, plan.intent_id);
    // A token that the sandbox does not have has no price there.
    let unknown = block_on(client.buy(BuyRequest::new("nobody", &wallet, 5)).plan()).unwrap_err();
    assert_eq!((unknown.code.as_str(), unknown.fields[0].field.as_str()), ("invalid_request", "mint"));
}

#[test]
fn a_plan_is_sent_once_and_what_was_not_sent_may_be_sent_later() {
    let refused = Does::Fails(Lost::Unsent("ECONNREFUSED".into()));
    let script = Script::of(&[refused, Does::Answers(429, "{}")]);
    let client = Client::new(script.clone());
    let plan = plan(&client);
    assert_eq!(ends(client.send(&plan)), ("not_sent", "connect_failed"));
    block_on(client.halt()).unwrap();
    assert_eq!(ends(client.send(&plan)), ("not_sent", "halted"));
    block_on(client.resume()).unwrap();
    assert_eq!(ends(client.send(&plan)), ("rejected", "rate_limited"));
    // It was sent: its id is free, but the plan is used.
    assert_eq!(ends(client.send(&plan)), ("not_sent", "plan_used"));
    let posts: Vec<String> = script.posts.lock().unwrap().iter().map(|post| post.body.clone()).collect();
    assert_eq!(posts, [plan.body.as_str(), &plan.body]);
    // Another plan of the same intent is another plan.
    script.ahead_ms.store(1, Ordering::Relaxed);
    let again = block_on(client.buy(buy()).intent_id("a").plan()).unwrap();
    assert_eq!(again.body, plan.body);
    assert_eq!(ends(client.send(&again)), ("landed", ""));
    for plan in [&plan, &again] {
        assert_eq!(ends(client.send(plan)), ("not_sent", "plan_used"));
    }
    assert_eq!(script.count(), 3);
}

#[test]
fn an_expired_plan_is_not_sent_however_late_it_expires() {
    let script = Script::default();
    let client = Client::new(script.clone());
    let plan = block_on(client.buy(buy()).valid_for(Duration::from_secs(5)).plan()).unwrap();
    assert_eq!(plan.expires_at_ms, plan.created_at_ms + 5_000);
    script.ahead_ms.store(5_000, Ordering::Relaxed);
    assert_eq!(ends(client.send(&plan)), ("not_sent", "plan_expired"));
    assert_eq!(script.count(), 0);
    for wrong in [Duration::ZERO, Duration::from_secs(86_401)] {
        let error = block_on(client.buy(buy()).valid_for(wrong).plan()).unwrap_err();
        assert_eq!(error.message, "not sent: valid_for must be from 1 ms to a day");
    }
}

#[test]
fn the_guards_say_what_they_would_do_and_are_asked_again() {
    let limits =
        || Settings { max_lamports_per_day: Some(1_500), charges: Charges::NONE, ..Settings::default() };
    let client = Client::builder(Script::default()).guards(limits()).build().unwrap();
    let first = plan(&client);
    let second = block_on(client.buy(buy()).intent_id("b").plan()).unwrap();
    assert_eq!((&first.refused, &second.refused), (&None, &None));
    assert_eq!(client.guards().state(0).in_flight.len(), 0);
    assert_eq!(ends(client.send(&first)), ("landed", ""));
    assert_eq!(ends(client.send(&second)), ("not_sent", "over_day_limit"));
    let third = block_on(client.buy(buy()).intent_id("c").plan()).unwrap();
    let refused = third.refused.clone().unwrap();
    assert_eq!((refused.code, refused.fields[0].field.as_str()), (Code::OverDayLimit, "amountInLamports"));
    assert_eq!(Plan::from_json(&third.to_json()).unwrap(), third);
}

#[test]
fn a_plan_is_used_after_a_restart_if_it_may_have_been_made() {
    for (does, found, last) in [
        (Does::Answers(200, LANDED), None, "plan_used"),
        (Does::Hangs, None, "plan_used"),
        (Does::Hangs, Some(Found::Landed), "plan_used"),
        (Does::Fails(Lost::Unsent(String::new())), None, ""),
    ] {
        let (folder, is_hanging) = (Folder::new(), matches!(does, Does::Hangs));
        let start = |does: Does| {
            let builder =
                Client::builder(Script::of(&[does])).journal(FileJournal::open(folder.path()).unwrap());
            builder.build().unwrap()
        };
        let before = start(does);
        let plan = plan(&before);
        let order = before.send(&plan);
        // After the send, nobody waits for what hangs.
        let _ = ends(if is_hanging { order.abort_when(sent(before.transport().clone())) } else { order });
        drop(before);
        let after = start(Does::Answers(200, LANDED));
        if let Some(found) = found {
            assert!(block_on(after.acknowledge("a", found)).unwrap());
        }
        let plan = Plan::from_json(&plan.to_json()).unwrap();
        assert_eq!(ends(after.send(&plan)).1, last);
        assert_eq!(after.transport().count(), usize::from(last.is_empty()));
    }
}

#[test]
fn a_plan_goes_where_it_was_meant_to_go() {
    let live = Client::new(Script { base_url: "https://service.example", ..Script::default() });
    let plan = plan(&live);
    let elsewhere = Client::new(Script { base_url: "https://other.example", ..Script::default() });
    let simulated = Client::new(SandboxTransport::new(Sandbox::new(SandboxConfig::default()).unwrap()));
    assert_eq!(ends(elsewhere.send(&plan)), ("not_sent", "plan_for_another_service"));
    let error = block_on(simulated.send(&plan).into_future()).unwrap_err();
    assert_eq!(error.message, "not sent: the plan is for a service, and this client trades in a sandbox");
    let (mint, wallet) = {
        let sandbox = simulated.transport().sandbox();
        (sandbox.tokens()[0].mint.clone(), sandbox.wallets()[0].wallet.clone())
    };
    let plan = block_on(simulated.buy(BuyRequest::new(mint, wallet, 5_000)).plan()).unwrap();
    assert_eq!(ends(live.send(&plan)), ("not_sent", "plan_for_another_service"));
}
