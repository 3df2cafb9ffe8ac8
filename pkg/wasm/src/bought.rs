//! The position that a buy has opened: the rule of every market that shows transactions.

use wasm_bindgen::prelude::*;

use crate::call;
use crate::crossing::{CallArgs, answer};
use launchpad_desk::bindings::object;
use launchpad_desk::bindings::reader::{self, Reader};
use launchpad_desk::evidence::{Moved, WalletMoved};
use launchpad_desk::intent::{IntentOutcome, IntentState};
use launchpad_desk::strategy::bought::{Bought, NoPosition};
use launchpad_desk::tape::{Number, Tape, ToTape};
use launchpad_desk::trade::guard::request_of;

/// What a market has read of the trade's transaction, if it was asked.
fn moved(args: &Tape) -> Option<Moved> {
    let moved = args.root().get("moved").filter(|moved| !moved.is_null())?;
    let read = reader::read(moved, |r| Moved {
        fits: r.boolean("fits").unwrap_or(false),
        failed: r.boolean("failed").unwrap_or(true),
        at_ms: r.whole("atMs").map(|at_ms| Number(at_ms.into())),
        wallets: r.need("wallets", |r, name| {
            r.list(name, |r| WalletMoved {
                wallet: r.need("wallet", Reader::text).to_owned(),
                tokens: r.need("tokens", Reader::signed),
                lamports: r.need("lamports", Reader::signed),
                rent_lamports: r.need("rentLamports", Reader::signed),
            })
        }),
    });
    read.ok()
}

/// The position that a buy has opened, `{ position }`, from what a client knows of the trade and from what its transaction has `moved`;
/// or `{ missing, message, mayPass }`.
#[wasm_bindgen(js_name = positionOf)]
pub fn position_of(args: &mut CallArgs) -> JsValue {
    let args = args.tape();
    let text = |name| call::text(args.root(), name);
    let operation = call::operation(args.root()).ok();
    let request = operation.zip(text("body")).and_then(|(operation, body)| request_of(operation, body).ok());
    let bought = Bought {
        intent_id: text("intentId").unwrap_or_default(),
        state: text("state").and_then(IntentState::from_name),
        outcome: text("outcome").and_then(IntentOutcome::from_name),
        request: request.as_deref(),
        signature: text("signature"),
        wallet: text("wallet"),
    };
    let said: Result<_, NoPosition> = bought.position(moved(args).as_ref());
    answer(Ok(match said {
        Ok(position) => object! { "position": position },
        Err(missing) => {
            object! { "missing": missing, "message": missing.meaning(), "mayPass": missing.may_pass() }
        }
    }
    .to_tape()))
}
