//! Runs an exit plan over a recorded tape: what is sold, why, and for how much. `node examples/exits.mjs` prints the same.

use std::error::Error;

use launchpad_desk::amount::lamports_to_sol;
use launchpad_desk::intent::IntentOutcome;
use launchpad_desk::launchpad::{Curve, Launchpad, Token};
use launchpad_desk::strategy::{
    ExitPlan, ExitPosition, ExitState, TakeProfit, Tick, Trailing, next, settled,
};

const TAPE: &str = include_str!("exits/tape.csv");

fn main() -> Result<(), Box<dyn Error>> {
    let rung = |at: &str, sell: &str| -> Result<_, Box<dyn Error>> {
        Ok(TakeProfit { at: at.parse()?, sell: sell.parse()? })
    };
    let plan = ExitPlan {
        take_profit: vec![rung("1.4x", "40%")?, rung("2.2x", "30%")?],
        stop_loss: Some("0.7x".parse()?),
        trailing: Some(Trailing { by: "35%".parse()?, from: Some("1.5x".parse()?) }),
        ..ExitPlan::default()
    };

    let launchpad = Launchpad::default();
    let mut token = launchpad.new_token();
    let bought = launchpad.buy_exact_in(&token, 1_000_000_000, 1)?;
    token.curve = bought.curve_after;
    let position = ExitPosition {
        id: "tape".into(),
        mint: "M".into(),
        wallet: "W".into(),
        tokens: bought.tokens,
        cost_lamports: 1_000_005_000,
        rent_locked_lamports: 1_488_440,
        ..ExitPosition::default()
    };

    let (mut state, mut received) = (ExitState::open(plan, position), 0);
    for row in TAPE.lines().skip(1) {
        let cells: Vec<&str> = row.split(',').collect();
        let [at_ms, side, lamports, tokens] = cells[..] else { return Err("a row has four cells".into()) };
        token.curve = moved(&launchpad, &token, side, lamports, tokens)?;
        let at_ms = at_ms.parse()?;
        let tick = Tick { at_ms, launchpad: &launchpad, token: &token, wallet_tokens: None };
        let order;
        (state, order) = next(state, &tick);
        let Some(order) = order else { continue };
        // Our own sells move the price, too.
        let fill = launchpad.sell_exact_in(&token, order.tokens, order.tokens, 0)?;
        token.curve = fill.curve_after;
        state = settled(state, &order.intent_id, IntentOutcome::Landed, at_ms, None);
        received += fill.wallet_lamports;
        let (reason, multiple) = (order.reason.as_str(), order.multiple);
        let (tokens, brought, id) = (order.tokens, fill.wallet_lamports, &order.intent_id);
        println!("{at_ms} ms: {reason} at {multiple} sells {tokens} for {brought} lamports ({id})");
    }
    let left = if state.is_over() { "nothing".to_owned() } else { state.tokens.to_string() };
    println!("received {} SOL; {left} left", lamports_to_sol(received));
    Ok(())
}

/// The curve after another trader's trade.
fn moved(
    launchpad: &Launchpad,
    token: &Token,
    side: &str,
    lamports: &str,
    tokens: &str,
) -> Result<Curve, Box<dyn Error>> {
    let fill = match side {
        "buy" => launchpad.buy_exact_in(token, lamports.parse()?, 1)?,
        _ => {
            let tokens = tokens.parse()?;
            launchpad.sell_exact_in(token, tokens, tokens, 0)?
        }
    };
    Ok(fill.curve_after)
}
