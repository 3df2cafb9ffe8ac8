//! What the tests of the sandbox share: the names in its default state, and how to call it.

use launchpad_desk::bindings::object;
use launchpad_desk::tape::{Data, Item, Tape, json};
use launchpad_desk_sandbox::{Answer, Change, HttpRequest, Sandbox, SandboxConfig, SandboxWallet};

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

pub fn post(sandbox: &mut Sandbox, path: &str, body: &str) -> Answer {
    let headers = headers(&[("Content-Type", "application/json; charset=utf-8")]);
    sandbox.handle(&HttpRequest { method: "POST", path, headers: &headers, body: body.as_bytes(), now_ms: 7 })
}

pub fn body(answer: &Answer) -> Tape {
    json::parse(&answer.reply.body).expect("replies are JSON")
}

/// The field at a path of names.
pub fn at<'a>(value: Item<'a>, path: &str) -> Item<'a> {
    path.split('.').fold(value, |value, name| value.get(name).unwrap_or_default())
}

pub fn text<'a>(value: Item<'a>, path: &str) -> &'a str {
    match at(value, path).data() {
        Data::String(text) | Data::Number(text) => text,
        other => panic!("{path} is {other:?}"),
    }
}

pub fn wallet(sandbox: &Sandbox, id: &str) -> SandboxWallet {
    sandbox.wallets().into_iter().find(|wallet| wallet.wallet == id).expect("a wallet of the world")
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
