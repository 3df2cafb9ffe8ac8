//! A chain around a sandbox, which JS sees through `pkg/src/sandbox/local-chain.ts`: it follows the sandbox
//! by the rows that it changes.

use std::cell::RefCell;

use wasm_bindgen::prelude::*;

use crate::crossing::{CallArgs, Failure, answer, answer_handle};
use launchpad_desk::amount::Digits;
use launchpad_desk::api::endpoint::Reply;
use launchpad_desk::bindings::object;
use launchpad_desk::bindings::reader;
use launchpad_desk::launchpad::Launchpad;
use launchpad_desk::launchpad::settings::LaunchpadConfig;
use launchpad_desk::tape::{Tape, ToTape, json};
use launchpad_desk_sandbox::Change;
use launchpad_desk_sandbox::local_chain::{self, ChainFaults};

/// Precedes each text of a sequence. JSON never contains it.
const SEPARATOR: char = '\x1e';

/// A chain around a sandbox.
#[wasm_bindgen]
pub struct LocalChain {
    chain: RefCell<local_chain::LocalChain>,
}

/// The answer of its node.
#[wasm_bindgen]
pub struct Answered {
    reply: Reply,
}

/// The chain of a sandbox with these rules, as JSON text, and a node with these `faults`.
#[wasm_bindgen(js_name = makeLocalChain)]
pub fn make_local_chain(args: &mut CallArgs, launchpad: &str, now_ms: f64) -> JsValue {
    let faults = read_faults(args.tape());
    answer_handle(faults.and_then(|faults| {
        let mut rules = Launchpad::default();
        // What the sandbox itself wrote.
        let text = json::parse(launchpad.as_bytes()).unwrap_or_default();
        let read = reader::read(text.root(), |r| LaunchpadConfig::read(r, &mut rules));
        read.map_err(|problems| Failure::of_options("launchpad", problems))?;
        let chain = local_chain::LocalChain::new(&rules, faults, now_ms as u64);
        Ok(LocalChain { chain: RefCell::new(chain) })
    }))
}

fn read_faults(args: &Tape) -> Result<ChainFaults, Failure> {
    reader::read(args.root(), |r| r.object("faults", ChainFaults::read).unwrap_or_default())
        .map_err(|problems| Failure::of_options("argument", problems))
}

#[wasm_bindgen]
impl LocalChain {
    /// Writes what a call of the sandbox changed: a sequence of rows as JSON text.
    pub fn follow(&self, rows: &str, now_ms: f64) -> JsValue {
        let rows = rows.split(SEPARATOR).skip(1).enumerate().map(|(place, row)| {
            let what = || ["row ", &place.digits()].concat();
            Change::from_json(row).map_err(|problems| Failure::of_options(&what(), problems))
        });
        let changes: Result<Vec<Change>, Failure> = rows.collect();
        answer(changes.map(|changes| {
            self.chain.borrow_mut().follow(&changes, now_ms as u64);
            Tape::default()
        }))
    }

    /// Answers the body of a request.
    pub fn answer(&self, body: &[u8], now_ms: f64) -> Answered {
        Answered { reply: self.chain.borrow_mut().answer(body, now_ms as u64) }
    }

    /// Replaces what goes wrong with its node: `faults`.
    #[wasm_bindgen(js_name = setFaults)]
    pub fn set_faults(&self, args: &mut CallArgs) -> JsValue {
        answer(read_faults(args.tape()).map(|faults| {
            self.chain.borrow_mut().set_faults(faults);
            Tape::default()
        }))
    }
}

#[wasm_bindgen]
impl Answered {
    /// Its status and its headers.
    pub fn head(&self) -> JsValue {
        let pair = |(name, value): &(String, String)| [name.clone(), value.clone()].to_tape();
        let headers = self.reply.headers.iter().map(pair).collect::<Vec<Tape>>();
        answer(Ok(object! { "status": self.reply.status, "headers": headers }))
    }

    /// Its body.
    pub fn body(&self) -> Vec<u8> {
        self.reply.body.clone()
    }
}
