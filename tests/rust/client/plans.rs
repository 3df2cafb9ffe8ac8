//! Plans: what is shown is what is sent, once, in time, and to the right destination.

use std::future::{Future, IntoFuture, poll_fn};

use launchpad_desk::tape::Data;
use launchpad_desk::trade::guard::Found;
use launchpad_desk_client::{Awaited, FileJournal};

use super::file_journal::Folder;
use super::market::ready_if;
use super::*;

fn plan(client: &Client<Script>) -> Plan {
    block_on(client.buy(buy()).intent_id("a").plan()).unwrap()
}

fn ends(order: Awaited<'_, Script>) -> (&'static str, &'static str) {
    match block_on(order.into_future()) {
        Ok(traded) => (traded.trade.status.as_str(), ""),
        Err(error) => (error.outcome.as_str(), error.code.as_str()),
    }
}

/// Ready once something was sent.
fn sent(script: Script) -> impl Future<Output = ()> {
    poll_fn(move |context| ready_if(script.count() > 0, context))
}

#[test]
fn a_plan_in_the_sandbox_has_its_price_and_comes_to_it() {
    let (sandbox, mint, wallet) = sandbox("{}");
    let client = Client::new(sandbox);
    let plan = block_on(client.buy(BuyRequest::new(&mint, &wallet, 1_000_000_000)).plan()).unwrap();
    assert!(plan.is_simulated && plan.refused.is_none() && client.transport().sandbox().trades().is_empty());
    let price = plan.price.clone().unwrap();
    let Data::Array(mut legs) = price.data().get("legs").unwrap().data() else { panic!() };
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
fn a_plan_is_used_after_a_restart_if_it_may_have_been_made() {
    for (does, found, last) in [
        (Does::Answers(200, LANDED), None, "plan_used"),
        (Does::Hangs, None, "plan_used"),
        (Does::Hangs, Some(Found::Landed), "plan_used"),
        (Does::Fails(Lost::Unsent(String::new())), None, ""),
    ] {
        let (folder, is_hanging) = (Folder::new(), matches!(does, Does::Hangs));
        let start = |does: Does| {
            let journal = FileJournal::open(folder.path()).unwrap();
            Client::builder(Script::of(&[does])).journal(journal).build().unwrap()
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
