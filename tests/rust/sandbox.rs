//! What the tests of the sandbox share: the names in its default state, and how to call it.

use launchpad_desk::bindings::object;
use launchpad_desk::launchpad::Curve;
use launchpad_desk::tape::{Data, Item, Tape, json};
use launchpad_desk_sandbox::{
    Answer, Change, HttpRequest, Sandbox, SandboxConfig, SandboxToken, SandboxWallet,
};

pub const MINT: &str = "SimMoonRabbit111111111111111111111111111111";
pub const ADA: &str = "SimTraderAda1111111111111111111111111111111";
pub const BOB: &str = "SimTraderBob1111111111111111111111111111111";
pub const CYD: &str = "SimTraderCyd1111111111111111111111111111111";

pub fn sandbox() -> Sandbox {
    sandbox_with(&object! {})
}

pub fn sandbox_with(config: &Tape) -> Sandbox {
    let config = SandboxConfig::read(config.root()).expect("good settings");
    Sandbox::new(config).expect("a world without contradiction")
}

pub fn headers(headers: &[(&str, &str)]) -> Vec<(String, String)> {
    headers.iter().map(|(name, value)| (name.to_string(), value.to_string())).collect()
}

/// Says what kind of text a body is.
pub const JSON: (&str, &str) = ("content-type", "application/json");

pub fn ask(sandbox: &mut Sandbox, method: &str, path: &str, given: &[(&str, &str)], body: &str) -> Answer {
    let headers = headers(given);
    sandbox.handle(&HttpRequest { method, path, headers: &headers, body: body.as_bytes(), now_ms: 7 })
}

pub fn post(sandbox: &mut Sandbox, path: &str, body: &str) -> Answer {
    ask(sandbox, "POST", path, &[("Content-Type", "application/json; charset=utf-8")], body)
}

/// Sends a request that lands, and returns the reply.
#[track_caller]
pub fn land(sandbox: &mut Sandbox, path: &str, request: &Tape) -> Tape {
    let reply = body(&post(sandbox, path, &json::write(request)));
    assert_eq!(at(reply.root(), "result.transactionResult.success"), Data::Bool(true));
    reply
}

pub fn body(answer: &Answer) -> Tape {
    json::parse(&answer.reply.body).expect("replies are JSON")
}

/// The field at a path of names.
pub fn at<'a>(value: Item<'a>, path: &str) -> Item<'a> {
    let names = path.split('.').filter(|name| !name.is_empty());
    names.fold(value, |value, name| value.get(name).unwrap_or_default())
}

pub fn text<'a>(value: Item<'a>, path: &str) -> &'a str {
    match at(value, path).data() {
        Data::String(text) | Data::Number(text) => text,
        other => panic!("{path} is {other:?}"),
    }
}

/// The elements of a list at a path of names.
#[track_caller]
pub fn elements<'a>(value: Item<'a>, path: &str) -> Vec<Item<'a>> {
    let Data::Array(items) = at(value, path).data() else { panic!("{path} of {value:?} is no list") };
    items.collect()
}

pub fn wallet(sandbox: &Sandbox, id: &str) -> SandboxWallet {
    sandbox.wallets().into_iter().find(|wallet| wallet.wallet == id).expect("a wallet of the world")
}

pub fn curve_of(token: &SandboxToken) -> Curve {
    let SandboxToken { virtual_token_reserves, virtual_sol_reserves, .. } = *token;
    let SandboxToken { real_token_reserves, real_sol_reserves, .. } = *token;
    Curve { virtual_token_reserves, virtual_sol_reserves, real_token_reserves, real_sol_reserves }
}

pub fn buy(wallet: &str, lamports: u64) -> String {
    json::write(&object! { "mint": MINT, "fromWallet": wallet, "amountInLamports": lamports })
}

/// Lets time pass, and its books close.
pub fn pass(sandbox: &mut Sandbox, ms: u64) -> Vec<Change> {
    let changes = sandbox.advance(ms).expect("no more than may pass at once");
    sandbox.take(&changes);
    assert_eq!(sandbox.state().check_books(), Ok(()));
    changes
}

/// A new sandbox with these rows, as a store keeps them.
pub fn replayed(sandbox: &Sandbox, rows: &[Change]) -> Sandbox {
    let kept: Vec<Change> =
        rows.iter().map(|row| Change::from_json(&row.to_json()).expect("its own row")).collect();
    assert_eq!(kept, rows);
    let mut other = Sandbox::new(sandbox.config().clone()).expect("a world");
    other.apply(&kept).expect("rows that agree");
    other
}
