//! What anyone may read of the sandbox's market, in `docs/openapi.json`: the paths from the sandbox's own, the schemas from the declared types.

use super::curve_config;
use crate::sandbox;
use launchpad_desk::bindings::declaration::{Declaration, Property, Shape};
use launchpad_desk::bindings::object;
use launchpad_desk::launchpad::Completion;
use launchpad_desk::launchpad::quote::Side;
use launchpad_desk::launchpad::settings::{FeeTierConfig, LaunchpadConfig};
use launchpad_desk::tape::{Tape, ToTape, json};
use launchpad_desk_sandbox::{
    MarketCurve, MarketHolder, MarketStart, MarketTokens, MarketTrade, MarketTrades, MarketView,
    MarketWallets, Sandbox, SandboxToken, SandboxTokenAccount, SandboxWallet, TraderKind,
};

/// The start of the paths.
const PREFIX: &str = "/_market/";

/// The types of the answers and of the events, and those inside them.
const TYPES: [Declaration; 16] = [
    MarketStart::DECLARATION,
    MarketTokens::DECLARATION,
    MarketWallets::DECLARATION,
    MarketTrades::DECLARATION,
    MarketView::DECLARATION,
    MarketCurve::DECLARATION,
    MarketHolder::DECLARATION,
    MarketTrade::DECLARATION,
    SandboxToken::DECLARATION,
    SandboxWallet::DECLARATION,
    SandboxTokenAccount::DECLARATION,
    LaunchpadConfig::DECLARATION,
    FeeTierConfig::DECLARATION,
    Completion::DECLARATION,
    Side::DECLARATION,
    TraderKind::DECLARATION,
];

/// A path of the market.
struct Page {
    path: &'static str,
    id: &'static str,
    summary: &'static str,
    description: &'static str,
    parameters: Vec<Tape>,
    /// The type of its answer; none for the stream of events.
    answer: Option<&'static str>,
    /// What a new sandbox is asked for the example.
    example: String,
}

/// The wallet and the mint of the examples.
fn ids(sandbox: &Sandbox) -> (String, String) {
    (sandbox.wallets()[0].wallet.clone(), sandbox.tokens()[0].mint.clone())
}

fn pages() -> Vec<Page> {
    let (wallet, mint) = ids(&traded());
    let mint_only = || query("mint", "Only of this token.", string(None));
    let digits = |what| query("after", what, string(Some("^[0-9]{1,19}(?:-[0-9a-f]{8})?$")));
    vec![
        Page {
            path: "tokens",
            id: "marketTokens",
            summary: "The tokens of the market",
            description: "Each with its curve, in the order in which they were launched.",
            parameters: vec![query("after", "`next` of the page before: a mint.", string(None)), limit()],
            answer: Some("MarketTokens"),
            example: "tokens?limit=1".to_owned(),
        },
        Page {
            path: "tokens/{mint}",
            id: "marketToken",
            summary: "A token and its curve",
            description: "404 if the market has no such token.",
            parameters: vec![in_path("mint", "The token's mint address.")],
            answer: Some("SandboxToken"),
            example: format!("tokens/{mint}"),
        },
        Page {
            path: "wallets",
            id: "marketWallets",
            summary: "The wallets of the market",
            description: "Each with what it holds, in the order in which they were made.",
            parameters: vec![query("after", "`next` of the page before: a wallet.", string(None)), limit()],
            answer: Some("MarketWallets"),
            example: "wallets?limit=1".to_owned(),
        },
        Page {
            path: "wallets/{wallet}",
            id: "marketWallet",
            summary: "A wallet and what it holds",
            description: "404 if the market has no such wallet.",
            parameters: vec![in_path("wallet", "The wallet's id.")],
            answer: Some("SandboxWallet"),
            example: format!("wallets/{wallet}"),
        },
        Page {
            path: "trades",
            id: "marketTrades",
            summary: "The trades of the market, oldest first",
            description: "Without `after`, the newest.",
            parameters: vec![
                digits(
                    "`next` of the page before, an event's id, or the number of a trade. What follows it is shown.",
                ),
                mint_only(),
                limit(),
            ],
            answer: Some("MarketTrades"),
            example: "trades?after=0&limit=1".to_owned(),
        },
        Page {
            path: "looks/{mint}",
            id: "marketLook",
            summary: "A token's curve with its rules, and what wallets hold, at one moment",
            description: "404 if the market has no such token. Wallets that the market does not have are left out.",
            parameters: vec![
                in_path("mint", "The token's mint address."),
                query(
                    "wallet",
                    "A wallet to look at. May be given 32 times.",
                    object! { "type": "array", "items": object! { "type": "string" }, "maxItems": 32u32 },
                ),
            ],
            answer: Some("MarketView"),
            example: format!("looks/{mint}?wallet={wallet}"),
        },
        Page {
            path: "events",
            id: "marketEvents",
            summary: "The market as it moves: a stream of server-sent events that does not end",
            description: "`start` (MarketStart), then each `token` (SandboxToken) as it is; from then on each `trade` (MarketTrade), each \
                `token` that it changed, and `time`. A reader that comes again with `last-event-id` gets every trade since.",
            parameters: vec![
                digits("Where to begin, without `last-event-id`: the number of a trade, or an event's id."),
                mint_only(),
            ],
            answer: None,
            example: format!("events?after=0&mint={mint}"),
        },
    ]
}

/// The paths, each with an example that a sandbox gave.
pub fn paths() -> Vec<(String, Tape)> {
    let sandbox = traded();
    let path = |page: Page| {
        let reply = shown(&sandbox, &page.example);
        let content = match page.answer {
            Some(name) => object! {
                "application/json": object! {
                    "schema": reference(name),
                    "example": json::parse(reply.as_bytes()).expect("the sandbox writes JSON"),
                },
            },
            None => {
                object! { "text/event-stream": object! { "schema": object! { "type": "string" }, "example": reply } }
            }
        };
        let mut responses =
            vec![("200", object! { "description": "What was asked for.", "content": content })];
        let refusal = |name: &str| object! { "$ref": ["#/components/responses/", name].concat() };
        responses.push(("400", refusal("BadRequest")));
        responses.push(("403", refusal("Forbidden")));
        if page.path.contains('{') {
            responses.push(("404", refusal("NotFound")));
        }
        let get = object! {
            "operationId": page.id,
            "summary": page.summary,
            "description": page.description,
            "tags": vec!["market"],
            // The market is open: the key is not asked for.
            "security": Vec::<String>::new(),
            "parameters": page.parameters,
            "responses": Tape::object(&responses),
        };
        ([PREFIX, page.path].concat(), object! { "get": get })
    };
    pages().into_iter().map(path).collect()
}

pub fn schemas() -> Vec<(String, Tape)> {
    let schema = |of: &Declaration| (of.name.to_owned(), described(of.doc, declared(of)));
    TYPES.iter().chain([&curve_config()]).map(schema).collect()
}

fn declared(of: &Declaration) -> Vec<(&'static str, Tape)> {
    match of.shape {
        Shape::Names(names) => {
            vec![
                ("type", "string".to_tape()),
                ("enum", names.iter().map(|(name, _)| *name).collect::<Vec<_>>().to_tape()),
            ]
        }
        Shape::Object(properties) => {
            let schema = |of: &Property| (of.name, described(of.doc, typed(of.ts)));
            let required = properties.iter().filter(|of| !of.is_optional).map(|of| of.name);
            vec![
                ("type", "object".to_tape()),
                ("properties", Tape::object(&properties.iter().map(schema).collect::<Vec<_>>())),
                ("required", required.collect::<Vec<_>>().to_tape()),
            ]
        }
    }
}

/// A schema with the first paragraph of a doc comment.
fn described(doc: &[&str], schema: Vec<(&'static str, Tape)>) -> Tape {
    let doc = doc.split(|line| line.is_empty()).next().unwrap_or_default().concat();
    Tape::object(&[vec![("description", doc.trim().to_tape())], schema].concat())
}

/// The schema of a TypeScript type. A figure is text, as in every answer of the market.
fn typed(ts: &str) -> Vec<(&'static str, Tape)> {
    if let Some(inner) = ts.strip_suffix(" | null") {
        return vec![("anyOf", vec![Tape::object(&typed(inner)), object! { "type": "null" }].to_tape())];
    }
    if let Some(item) = ts.strip_suffix("[]") {
        return vec![("type", "array".to_tape()), ("items", Tape::object(&typed(item)))];
    }
    match ts {
        "string" | "boolean" => vec![("type", ts.to_tape())],
        "number" => vec![("type", "integer".to_tape())],
        "bigint" | "number | bigint | string" => {
            vec![("type", "string".to_tape()), ("pattern", "^-?[0-9]+$".to_tape())]
        }
        name => vec![("$ref", ["#/components/schemas/", name].concat().to_tape())],
    }
}

fn reference(name: &str) -> Tape {
    Tape::object(&typed(name))
}

fn string(pattern: Option<&str>) -> Tape {
    let mut schema = vec![("type", "string".to_tape())];
    schema.extend(pattern.map(|pattern| ("pattern", pattern.to_tape())));
    Tape::object(&schema)
}

fn query(name: &str, description: &str, schema: Tape) -> Tape {
    object! { "name": name, "in": "query", "description": description, "schema": schema }
}

fn limit() -> Tape {
    let schema = object! { "type": "integer", "minimum": 1u32, "maximum": 1_000u32, "default": 100u32 };
    query("limit", "The most rows of the page.", schema)
}

fn in_path(name: &str, description: &str) -> Tape {
    object! { "name": name, "in": "path", "required": true, "description": description, "schema": string(None) }
}

/// A new sandbox in which one trade was made.
fn traded() -> Sandbox {
    let mut sandbox = sandbox::sandbox();
    let (wallet, mint) = ids(&sandbox);
    let request =
        object! { "mint": mint, "fromWallet": wallet, "amountInLamports": 50_000_000u32, "slippage": 5u32 };
    sandbox::land(&mut sandbox, "/v1/trade/buy", &request);
    sandbox
}

/// The text that a sandbox answers with.
fn shown(sandbox: &Sandbox, path: &str) -> String {
    let path = [PREFIX, path].concat();
    let reply = sandbox::ask(&mut sandbox.clone(), "GET", &path, &[], "").reply;
    assert_eq!(reply.status, 200, "{path}");
    String::from_utf8(reply.body).expect("the sandbox writes UTF-8")
}
