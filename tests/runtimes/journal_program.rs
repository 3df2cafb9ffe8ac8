//! A Rust program with a journal, for journal-in-rust.test.mjs. It opens the file, prints what it remembers, begins and settles
//! as its arguments say, and confirms each. `begin:<id>`, `try:<id>`, which may fail, `settle:<id>:<outcome>`, `wait` for a line on standard input.

#[cfg(not(target_arch = "wasm32"))]
fn main() -> Result<(), launchpad_desk_client::BoxError> {
    use launchpad_desk::intent::IntentOutcome;
    use launchpad_desk::prelude::*;
    use launchpad_desk::trade::guard::Suspension;
    use launchpad_desk::trade::journal::TradeIntent;
    use launchpad_desk_client::{FileJournal, Journal};

    let intent = |id: &str| TradeIntent {
        intent_id: id.to_owned(),
        operation: Operation::Buy,
        body: r#"{"mint":"M","fromWallet":"W","amountInLamports":18446744073709551615}"#.to_owned(),
        started_at_ms: 86_400_000,
        before: None,
        through_gateway: id.starts_with("gateway"),
        counted: None,
        named_signature: None,
    };
    let mut words = std::env::args().skip(1);
    let path = words.next().ok_or("which file?")?;
    let journal = FileJournal::open(path)?;
    let runtime = tokio::runtime::Builder::new_current_thread().build()?;
    let recalled = runtime.block_on(journal.recall(0))?;
    let pending: Vec<&str> = recalled.pending.iter().map(|intent| intent.intent_id.as_str()).collect();
    let before = recalled.pending.first().and_then(|intent| intent.before.clone()).unwrap_or_default();
    let through_gateway: Vec<&str> = recalled
        .pending
        .iter()
        .filter(|intent| intent.through_gateway)
        .map(|intent| intent.intent_id.as_str())
        .collect();
    let tokens: Vec<String> =
        before.iter().filter_map(|seen| seen.tokens).map(|tokens| tokens.to_string()).collect();
    let lamports = recalled.lamports.to_string();
    let Suspension { mode, breaker_open, unknowns_in_a_row } = recalled.suspension;
    let suspension = serde_json::json!({
        "mode": mode.map(|mode| format!("{mode:?}")),
        "breakerOpen": breaker_open,
        "unknownsInARow": unknowns_in_a_row,
    });
    println!(
        "{}",
        serde_json::json!({
            "pending": pending,
            "landed": recalled.landed,
            "lamports": lamports,
            "tokens": tokens,
            "throughGateway": through_gateway,
            "suspension": suspension,
        })
    );
    for word in words {
        match word.split(':').collect::<Vec<_>>().as_slice() {
            ["begin", id] => runtime.block_on(journal.begin(&intent(id)))?,
            ["try", id] => match runtime.block_on(journal.begin(&intent(id))) {
                Ok(()) => println!("begun {id}"),
                Err(why) => println!("refused: {why}"),
            },
            ["settle", id, outcome] => {
                let outcome = IntentOutcome::from_name(outcome).ok_or("no outcome")?;
                runtime.block_on(journal.settle(&intent(id), outcome.into(), Suspension::default()))?;
            }
            _ => {
                println!("waiting");
                std::io::stdin().read_line(&mut String::new())?;
            }
        }
    }
    Ok(())
}

#[cfg(target_arch = "wasm32")]
fn main() {}
