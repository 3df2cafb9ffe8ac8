//! `docs/codes.md`, `docs/fields.md`, `docs/openapi.json`, `pkg/src/generated.ts` and `pkg/src/cli/meanings.ts` are what the Rust tables say.
//! `UPDATE=1 cargo test --locked --test rust generated::` writes them.

mod open_market;
mod openapi;
mod typescript;

use std::path::Path;
use std::{env, fs};

use crate::ROOT;

use launchpad_desk::api::response::Status;
use launchpad_desk::bindings::declaration::{Declaration, Property, Shape};
use launchpad_desk::chain::unreadable::{AccountKind, AccountRefusal};
use launchpad_desk::error::{Code, FieldCode, Outcome, WarningCode};
use launchpad_desk::evidence::Seen;
use launchpad_desk::intent::{IntentOutcome, IntentState};
use launchpad_desk::launchpad::capacity::{Fit, LegKind};
use launchpad_desk::launchpad::curve_view::ReceiptFigure;
use launchpad_desk::launchpad::quote::Warning;
use launchpad_desk::launchpad::receipt::Finding;
use launchpad_desk::launchpad::rules::{RULES, RulesByDay};
use launchpad_desk::launchpad::settings::LaunchpadConfig;
use launchpad_desk::launchpad::{Curve, Refusal};
use launchpad_desk::market::MarketRefusal;
use launchpad_desk::market::drift::DriftCause;
use launchpad_desk::market::read::Commitment;
use launchpad_desk::strategy::{ExitHappening, ExitReason, NoPosition};
use launchpad_desk::tape::{Data, Item, ToTape, json};
use launchpad_desk::trade::guard::Mode;
use launchpad_desk::trade::reconcile::{Certainty, Found, Shown};
use launchpad_desk::trade::settle::UnknownReason;
use launchpad_desk_gateway::GatewayCode;
use launchpad_desk_record::Act;
use launchpad_desk_record::verify::{RecordPrice, RecordProblemCode};
use launchpad_desk_sandbox::backtest::run::{BacktestOutcome, BacktestReason};
use launchpad_desk_sandbox::{
    ActualOutcome, Character, FaultKind, Mismatch, SandboxOutcome, SandboxRefusal, TraderKind,
};

/// A curve's reserves as settings: whole numbers in any form.
fn curve_config() -> Declaration {
    let Shape::Object(fields) = Curve::DECLARATION.shape else { panic!("an object") };
    let given = |field: &Property| Property { ts: "number | bigint | string", ..*field };
    let fields: Vec<Property> = fields.iter().map(given).collect();
    Declaration { name: "CurveConfig", shape: Shape::Object(fields.leak()), ..Curve::DECLARATION }
}

/// A table of names, each with what follows it.
fn table<const COLUMNS: usize>(heading: [&str; COLUMNS], rows: Vec<[String; COLUMNS]>) -> String {
    let line = |cells: &[String]| format!("| {} |\n", cells.join(" | "));
    let body: String = rows.iter().map(|row| line(row)).collect();
    format!("{}{}|\n{body}", line(&heading.map(str::to_owned)), "|---".repeat(COLUMNS))
}

fn code(name: &str) -> String {
    format!("`{name}`")
}

/// Tables of enums that `codes!` declares: the title, if a section begins, the names' heading, and what stands above.
macro_rules! codes {
    ($($(# $title:literal)? $heading:literal => $of:ident: $text:literal;)+) => {
        [$(concat!($("\n## ", $title, "\n",)? "\n", $text, "\n\n").to_owned() + &table(
            [$heading, "meaning"],
            $of::ALL.map(|of| [code(of.as_str()), of.meaning().to_owned()]).to_vec(),
        )),+].concat()
    };
}

fn page() -> String {
    let errors = Code::ALL
        .map(|error| [code(error.as_str()), code(error.outcome().as_str()), error.meaning().to_owned()]);
    let mut page =
        "# Codes\n\nEvery stable name that the package gives. Names are added, never changed or removed.\n\n\
        This page is generated from the tables in `src/` and `crates/`: \
        `UPDATE=1 cargo test --locked --test rust generated::` writes it.\n"
            .to_owned();
    page += &codes! {
        # "Outcomes" "outcome" => Outcome: "`error.outcome` says first whether money may have moved:";
    };
    page += "\n## Error codes\n\n`error.code` says why. Each code has one outcome:\n\n";
    page += &table(["code", "outcome", "meaning"], errors.to_vec());
    page += &codes! {
        # "Field codes" "field code" => FieldCode:
            "Each of `error.fields` has the field's path (`buys[3].amountInLamports`), a message for a person, and \
            a code:";
        # "Warning codes" "warning code" => WarningCode:
            "A request that is odd and sent all the same has `warnings` on its trade:";
        # "Trade statuses" "status" => Status: "`status` of a trade. One that failed is thrown, as `error.trade`:";
        # "Guard modes" "mode" => Mode: "`client.guards.mode`, what the client lets through:";
        # "Intent states" "state" => IntentState:
            "How far an intent is at a gateway: the header `intent-state`, `state` in `GET /v1/intents/<key>`, and \
            the panel:";
        # "Intent outcomes" "outcome" => IntentOutcome:
            "How an intent ended, in a `Settlement`, in journals, at a gateway, in the panel and in `audit`:";
        # "Reconciliation" "certainty" => Certainty: "`certainty` of what `reconcile` answers:";
        "shows" => Shown: "What each wallet of its `findings` `shows`:";
        # "Refusal codes" "refusal code" => Refusal:
            "Where the launchpad would refuse a trade, its maths throw a `RefusalError` with one of these codes. \
            A dry run\n(`quote`) has it in `refused`; in a column, `REFUSED` stands in the row. A transaction that \
            fails in the sandbox\nbegins its `results` with it.";
        # "Accounts" "code" => AccountRefusal:
            "Why an account of the chain is not read, the `code` of an `AccountError`:";
        "account" => AccountKind: "Its `account` says which account was expected:";
        # "Markets" "code" => MarketRefusal: "Why a market gives no answer, the `code` of a `MarketError`:";
        "commitment" => Commitment: "How sure a node is, its `commitment`:";
        # "Settling" "reason" => UnknownReason:
            "Why the `outcome` of a trade is still `unknown`, the `reason` that `client.settle` gives:";
        "seen" => Seen: "What `confirm` says of a signature:";
        # "Drift" "cause" => DriftCause:
            "Why a landed trade did something else than its quote said, its `causes` by `client.drift`:";
        # "Quote warnings" "quote warning" => Warning:
            "A quote's `warnings`, of the maths and of the main import alike:";
        # "Records" "act" => Act: "What a line of a record says, its `act`:";
        "code" => RecordProblemCode: "What is wrong with one, the `code` of a problem that `verifyRecord` finds:";
        "price" => RecordPrice: "The `price` at which a trade of a record landed:";
        # "Exits" "reason" => ExitReason:
            "Why a position is sold, the `reason` of an exit's order. If several rules fire at once, the first of \
            them counts:";
        "what" => ExitHappening:
            "What happened to an exit that `client.manage` carries out, the `what` of an event:";
        "code" => NoPosition:
            "Why the position of a buy is not known, the `code` of a `PositionError` of `client.positionOf`:";
        # "Backtests" "reason" => BacktestReason: "Why an order of a backtest was made, its `reason`:";
        "outcome" => BacktestOutcome: "How it ended, its `outcome`:";
        # "Receipt findings" "finding" => Finding:
            "A receipt's `findings`, where a reply disagrees with its quote or with itself:";
        "figure" => ReceiptFigure: "What `estimated` of a receipt names:";
        # "Legs and transactions" "leg" => LegKind: "What `capacities` calls a leg of a bundle:";
        "fit" => Fit: "Whether legs fit one transaction:";
        # "Fault kinds" "fault kind" => FaultKind:
            "What goes wrong in the sandbox on purpose: the `kind` of a fault in `new Sandbox({ faults })`. Its \
            settings are in\nparentheses; each has `latencyMs` and `bodyMs`.";
        # "Sandbox outcomes" "outcome" => SandboxOutcome:
            "The outcomes that a request to the sandbox may ask for, in the header `x-sandbox-outcome` or, after\n\
            `sandbox-outcome-`, in `feePayer`: see `docs/sandbox.md`.";
        # "Refusals of a served sandbox" "code" => SandboxRefusal:
            "The `code` of a problem with which a sandbox refuses a request before it reads its body:";
        # "Traders of a market" "trader" => TraderKind: "Who made a trade on the tape of a sandbox's market:";
        "character" => Character: "How the rivals around one of its tokens behave:";
        # "Audits" "mismatch" => Mismatch:
            "How a bot's books are wrong about a trade, the `mismatch` of what `audit` finds:";
        "actual" => ActualOutcome: "What really happened to a call:";
    };
    page
}

/// A file of this project that is generated: written where `UPDATE` is set, else compared.
pub fn assert_generated(path: &str, text: &str) {
    let file = Path::new(ROOT).join(path);
    if env::var_os("UPDATE").is_some() {
        fs::write(&file, text).unwrap();
    }
    let hint = "is out of date: UPDATE=1 cargo test --locked --test rust generated:: serde::";
    assert!(fs::read_to_string(&file).unwrap() == text, "{path} {hint}");
}

#[test]
fn the_page_of_codes_is_what_the_tables_say() {
    assert_generated("docs/codes.md", &page());
}

/// Holds the table that stands between the marks of this name in a page.
fn assert_marked(path: &str, name: &str, table: &str) {
    let page = fs::read_to_string(Path::new(ROOT).join(path)).unwrap();
    let (begin, end) = (format!("<!-- {name}: generated -->\n"), format!("<!-- {name}: end -->"));
    let (before, rest) = page.split_once(&begin).expect("a mark where the table begins");
    let (_, after) = rest.split_once(&end).expect("a mark where the table ends");
    assert_generated(path, &[before, &begin, table, &end, after].concat());
}

#[test]
fn the_sandboxs_page_has_every_outcome() {
    let rows = SandboxOutcome::table().into_iter();
    let rows = rows.map(|row| [code(row.outcome.as_str()), code(&row.fee_payer), row.meaning.to_owned()]);
    let heading = ["`x-sandbox-outcome`", "or `feePayer`", "what happens to the request"];
    assert_marked("docs/sandbox.md", "outcomes", &table(heading, rows.collect()));
}

#[test]
fn the_page_of_the_maths_has_every_rule_with_its_date_and_source() {
    let rows = RULES.map(|rule| {
        let values = LaunchpadConfig::of(RulesByDay::default().at(rule.from_ms())).to_tape();
        let value = values.root().get(rule.setting).expect("a setting");
        let text = match value.data() {
            Data::String(text) => text.to_owned(),
            _ => json::write(&value.to_tape()),
        };
        [code(rule.setting), code(&text), rule.as_of.to_owned(), rule.source.to_owned()]
    });
    assert_marked("docs/maths.md", "rules", &table(["setting", "value", "as of", "source"], rows.to_vec()));
    let Shape::Object(settings) = LaunchpadConfig::DECLARATION.shape else { panic!("settings") };
    let settings = settings.iter().map(|setting| setting.name).filter(|name| *name != "asOf");
    let mut ruled = RULES.map(|rule| rule.setting).to_vec();
    ruled.dedup();
    assert!(settings.eq(ruled), "every setting has a rule, every rule a setting");
}

#[test]
fn the_gateways_page_has_every_code() {
    let mut rows = GatewayCode::ALL.map(|of| {
        let (status, outcome) = (of.status().to_string(), code(of.outcome().as_str()));
        [status, code(of.as_str()), outcome, of.meaning().to_owned()]
    });
    rows.sort_by(|one, other| one[0].cmp(&other[0]));
    let heading = ["status", "`code`", "`outcome`", "meaning"];
    assert_marked("docs/gateway.md", "codes", &table(heading, rows.to_vec()));
}

#[test]
fn the_types_of_the_package_are_what_the_tables_say() {
    assert_generated("pkg/src/generated.ts", &typescript::file());
    assert_generated("pkg/src/cli/meanings.ts", &typescript::meanings());
}

/// JSON with a line for each value.
fn lines(item: Item, indent: &str, text: &mut String) {
    let deeper = format!("{indent}  ");
    let mut before = ("[", "{");
    match item.data() {
        Data::Array(items) if !items.is_empty() => {
            for item in items {
                *text += &format!("{}\n{deeper}", before.0);
                lines(item, &deeper, text);
                before.0 = ",";
            }
            *text += &format!("\n{indent}]");
        }
        Data::Object(fields) if fields.len() > 0 => {
            for (name, item) in fields {
                *text += &format!("{}\n{deeper}{}: ", before.1, json::write(&name.to_tape()));
                lines(item, &deeper, text);
                before.1 = ",";
            }
            *text += &format!("\n{indent}}}");
        }
        data => *text += &json::write(&data.to_tape()),
    }
}

#[test]
fn the_openapi_document_is_what_the_tables_say() {
    let mut text = String::new();
    lines(openapi::document().root(), "", &mut text);
    assert_generated("docs/openapi.json", &(text + "\n"));
}

#[test]
fn the_page_of_fields_is_what_the_table_says() {
    assert_generated("docs/fields.md", &typescript::fields_page());
}

#[test]
fn every_meaning_is_a_sentence_that_fits_a_table() {
    let page = page();
    let rows: Vec<&str> = page.lines().filter(|line| line.starts_with("| `")).collect();
    assert!(rows.len() > 100, "only {} rows", rows.len());
    for row in rows {
        let cells: Vec<&str> = row.split(" | ").collect();
        assert!((2..=3).contains(&cells.len()) && row.ends_with(". |"), "{row}");
        assert!(row.len() > 15 && !row.contains("  ") && !row.contains("[`"), "{row}");
    }
}

#[test]
fn the_readme_names_every_outcome_in_order() {
    let readme = fs::read_to_string(Path::new(ROOT).join("README.md")).unwrap();
    let rows = readme.lines().skip_while(|line| !line.starts_with("| outcome | class |")).skip(2);
    let named: Vec<&str> =
        rows.map_while(|row| row.strip_prefix("| `")).filter_map(|row| row.split('`').next()).collect();
    assert_eq!(named, Outcome::ALL.map(Outcome::as_str));
}

/// A client, a gateway, a backtest and the sandbox each say how a trade ended. What they have in common has one name.
#[test]
fn how_a_trade_ended_has_one_spelling() {
    let of_an_intent = IntentOutcome::ALL.map(IntentOutcome::as_str);
    let names = [
        &Outcome::ALL.map(Outcome::as_str)[..],
        &Status::ALL.map(Status::as_str),
        &Found::ALL.map(Found::as_str),
        &BacktestOutcome::ALL.map(BacktestOutcome::as_str),
    ];
    for name in names.concat() {
        assert!(of_an_intent.contains(&name), "{name}");
    }
    let only_the_sandbox_knows = ["not_executed", "never_arrived", "not_logged"];
    for name in ActualOutcome::ALL.map(ActualOutcome::as_str) {
        assert!(of_an_intent.contains(&name) != only_the_sandbox_knows.contains(&name), "{name}");
    }
}
