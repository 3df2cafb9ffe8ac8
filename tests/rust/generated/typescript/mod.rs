//! `pkg/src/generated.ts`: the package's types, from the declarations in `src/`.

mod requests;
mod results;

pub use requests::page as fields_page;

use super::curve_config;
use launchpad_desk::api::encode::BuiltCall;
use launchpad_desk::api::endpoint::Operation;
use launchpad_desk::api::names::NAMES;
use launchpad_desk::api::response::Status;
use launchpad_desk::api::validate::{CheckResult, MAX_IDENTIFIER};
use launchpad_desk::bindings::declaration::{Declaration, Shape};
use launchpad_desk::bindings::settling::SettlingStep;
use launchpad_desk::bindings::{DAY_MS, DAY_SLOTS, drivers};
use launchpad_desk::chain::look::WalletLook;
use launchpad_desk::chain::{
    curve::ChainCurve,
    global::Global,
    mint::Mint,
    token_account::Holding,
    unreadable::{AccountKind, AccountRefusal},
};
use launchpad_desk::error::{self, Code, FieldCode, FieldError, Outcome, WarningCode};
use launchpad_desk::evidence::{Moved, Seen, WalletMoved};
use launchpad_desk::intent::{IntentOutcome, IntentState};
use launchpad_desk::launchpad::capacity::{Fit, LegKind};
use launchpad_desk::launchpad::curve_view::{CurveBundleQuote, ReceiptFigure, TradeReceipt};
use launchpad_desk::launchpad::position::{Holds, Position, PositionDifference};
use launchpad_desk::launchpad::quote::{self, Side};
use launchpad_desk::launchpad::receipt::Finding;
use launchpad_desk::launchpad::rules::{LaunchpadRule, RulesByDay};
use launchpad_desk::launchpad::settings::{FeeTierConfig, LaunchpadConfig};
use launchpad_desk::launchpad::view::{LegQuote, QuoteRefusal, TradeQuote, WalletQuote};
use launchpad_desk::launchpad::{Completion, Curve, Refusal};
use launchpad_desk::market::MarketRefusal;
use launchpad_desk::market::drift::{Drift, DriftCause, WalletDrift};
use launchpad_desk::market::own::{OWN_EVERY_MS, OWN_WITHIN_MS};
use launchpad_desk::market::read::Commitment;
use launchpad_desk::market::settler::MOST_AT_ONCE;
use launchpad_desk::recording::RecordedTrade;
use launchpad_desk::render::{Line, Link, View};
use launchpad_desk::strategy::bought::{SHOWN_EVERY_MS, SHOWN_WITHIN_MS};
use launchpad_desk::strategy::plan::{OnGraduation, TakeProfit, Trailing};
use launchpad_desk::strategy::state::{ExitAnswered, ExitGone, ExitMissing, ExitSold, ExitTries};
use launchpad_desk::strategy::{
    ExitHappening, ExitOrder, ExitPlan, ExitPosition, ExitReason, ExitState, NoPosition,
};
use launchpad_desk::trade::flow::{MARKET_RESTS_MS, NOTE_WITHIN_MS};
use launchpad_desk::trade::guard::{Found, Mode};
use launchpad_desk::trade::guard::{OtherTrade, REMEMBERED};
use launchpad_desk::trade::reconcile::{Certainty, Shown};
use launchpad_desk::trade::settle::SETTLE_EVERY_MS;
use launchpad_desk::trade::settle::{Settled, UnknownReason};
use launchpad_desk::typed::{TableProblem, TypedRow, TypedTable};
use launchpad_desk_record::{Act, RecordCheck, RecordPrice, RecordProblem, RecordProblemCode};
use launchpad_desk_sandbox::backtest::run::{
    BacktestCosts, BacktestDrawdown, BacktestOutcome, BacktestPoint, BacktestPosition, BacktestReason,
    BacktestReasonRow, BacktestSkipped,
};
use launchpad_desk_sandbox::backtest::{BacktestOrder, BacktestRun};
use launchpad_desk_sandbox::local_chain::ChainFaults;
use launchpad_desk_sandbox::row::{AccountRow, CallRow, SkippedTrades, TradeLeg, TradeRow};
use launchpad_desk_sandbox::{
    ActualOutcome, Audit, AuditFinding, BookEntry, Candle, Character, Fault, FaultConfig, FaultKind,
    MarketConfig, MarketCurve, MarketHolder, MarketStart, MarketTokens, MarketTrade, MarketTrades,
    MarketView, MarketWallets, Mismatch, OpenTrade, OutcomeRow, RateLimit, Replay, SandboxConfig,
    SandboxHoldingConfig, SandboxOutcome, SandboxToken, SandboxTokenAccount, SandboxTokenConfig,
    SandboxWallet, SandboxWalletConfig, TraderKind, TradesWithoutToken,
};

/// What stands above the declarations.
const HEAD: &str = "\
// Generated from the tables in `src/` and `crates/`: `UPDATE=1 cargo test --locked --test rust generated::` writes it.
";

/// Sections of declared types, each with its title.
macro_rules! sections {
    ($($title:literal { $($of:ty),+ $(,)? })+) => { vec![$(($title, vec![$(<$of>::DECLARATION),+])),+] };
}

/// Every declared type, in the order in which the file has them.
fn declarations() -> Vec<(&'static str, Vec<Declaration>)> {
    sections! {
        "Codes" {
            Operation, Outcome, Code, FieldCode, WarningCode, Status, Mode, IntentState, IntentOutcome,
            Found, Certainty, Shown, Refusal, quote::Warning, Side, Completion, Finding, ReceiptFigure,
            LegKind, Fit, FaultKind, SandboxOutcome, Character, TraderKind, ActualOutcome, Mismatch,
            AccountKind, AccountRefusal, MarketRefusal, Commitment, Seen, UnknownReason, SettlingStep,
            DriftCause, NoPosition, ExitReason, ExitHappening, BacktestReason, BacktestOutcome, Act,
            RecordPrice, RecordProblemCode,
        }
        "Checks" { FieldError, error::Warning, CheckResult, BuiltCall }
        "What people paste" { TypedTable, TypedRow, TableProblem }
        "What a person sees" { View, Line, Link }
        "The launchpad's maths" {
            LaunchpadConfig, LaunchpadRule, FeeTierConfig, Curve, CurveBundleQuote, LegQuote,
            WalletQuote, TradeQuote, QuoteRefusal, TradeReceipt, Holds, PositionDifference, Position,
        }
        "Exits" {
            ExitPlan, TakeProfit, Trailing, OnGraduation, ExitPosition, ExitState, ExitOrder, ExitMissing,
            ExitGone, ExitSold, ExitAnswered, ExitTries, BacktestRun, BacktestOrder, BacktestPosition,
            BacktestCosts, BacktestReasonRow, BacktestDrawdown, BacktestSkipped, BacktestPoint,
        }
        "The chain" {
            ChainCurve, Global, Mint, Holding, WalletLook, Settled, WalletDrift, Drift, WalletMoved,
            Moved, ChainFaults, OtherTrade,
        }
        "Records" { RecordCheck, RecordProblem }
        "The sandbox" {
            SandboxConfig, SandboxTokenConfig, SandboxWalletConfig, SandboxHoldingConfig, RateLimit,
            MarketConfig, RecordedTrade, Replay, SkippedTrades, TradesWithoutToken, MarketTrade,
            MarketTokens, MarketWallets, MarketTrades, MarketCurve, MarketHolder, MarketView, MarketStart,
            Candle, CallRow, BookEntry, Audit, AuditFinding, OpenTrade, FaultConfig, Fault, OutcomeRow,
            SandboxToken, SandboxWallet, SandboxTokenAccount, AccountRow, TradeRow, TradeLeg,
        }
    }
}

/// Numbers, each with its name in TypeScript and what it is.
macro_rules! numbers {
    ($($name:ident = $number:expr, $doc:literal;)+) => { vec![$((stringify!($name), $doc, $number as u64)),+] };
}

/// The numbers of the core that drivers in TypeScript have, too.
fn numbers() -> Vec<(&'static str, &'static str, u64)> {
    let default_units = RulesByDay::default().newest().network.default_units_per_trade;
    numbers! {
        NOTE_WITHIN_MS = NOTE_WITHIN_MS, "How long a market has to say what is noted before a trade.";
        MARKET_RESTS_MS = MARKET_RESTS_MS, "How long a market that did not say so in time is left alone.";
        SETTLE_EVERY_MS = SETTLE_EVERY_MS, "How often a caller who waits asks the chain about trades.";
        SHOWN_WITHIN_MS = SHOWN_WITHIN_MS, "How long a position's buy is waited for.";
        SHOWN_EVERY_MS = SHOWN_EVERY_MS, "How often a market is asked whether it shows a buy.";
        OWN_WITHIN_MS = OWN_WITHIN_MS, "How long a look waits until it shows the own trades.";
        OWN_EVERY_MS = OWN_EVERY_MS, "How often it is read again meanwhile.";
        MOST_AT_ONCE = MOST_AT_ONCE, "How many requests of one settler may be in flight.";
        DAY_MS = DAY_MS, "Milliseconds of a day.";
        DAY_SLOTS = DAY_SLOTS, "Slots after which a trade makes no transaction any more.";
        REMEMBERED = REMEMBERED, "How many of the latest trades are remembered.";
        SUMS_OF_DAYS = drivers::SUMS_OF_DAYS, "For how many days a journal keeps sums.";
        DEFAULT_UNITS = default_units, "Priority units that are paid for each trade, where a request sets no limit.";
        MOST_OF_ID = MAX_IDENTIFIER, "The most characters of the id of a mint or a wallet.";
        MAX_LINE = drivers::MAX_LINE, "The longest line of a file, in bytes.";
        JOURNAL_GROWTH = drivers::JOURNAL_GROWTH, "By how many bytes a journal has grown when it is shortened.";
        MAX_AGE_MS = drivers::MAX_AGE_MS, "How old a look may be, by default.";
        NODE_TIMEOUT_MS = drivers::NODE_TIMEOUT_MS, "How long a node may take, by default.";
        LOOK_EVERY_MS = drivers::LOOK_EVERY_MS, "How often a node is asked for a look, by default.";
        MOST_NODE_BYTES = drivers::MOST_NODE_BYTES, "The most bytes of a node's reply, by default.";
        MOST_REFUSAL_BYTES = drivers::MOST_REFUSAL_BYTES, "The most bytes of a refusal that are read.";
        MOST_EMPTY = drivers::MOST_EMPTY, "How many empty pieces of a body may come in a row.";
        CONNECT_TIMEOUT_MS = drivers::CONNECT_TIMEOUT_MS, "How long connecting may take, by default.";
        REMEMBERED_MS = drivers::REMEMBERED_MS,
            "How long a trade may be asked for again under its id: a gateway that has forgotten it would make a new one.";
        KEEP_ALIVE_MS = drivers::KEEP_ALIVE_MS, "How long an idle connection is kept, by default.";
    }
}

/// The words of the command line for what is not known of a trade: a file of its own, because only that loads them.
pub fn meanings() -> String {
    // They stand beside other text, where a name needs no marks.
    let meaning = |name: &str, means: &str| format!("  {name}: {:?},\n", means.replace('`', ""));
    let reasons = UnknownReason::ALL.map(|of| meaning(of.as_str(), of.meaning()));
    let states = IntentState::ALL.map(|of| meaning(of.as_str(), of.meaning()));
    let all = reasons.concat() + &states.concat();
    format!(
        "{HEAD}\n/** What a reason or a state says of a trade of unknown outcome. */\nexport const MEANINGS: Readonly<Record<string, string>> = {{\n{all}}};\n"
    )
}

pub fn file() -> String {
    let mut file = HEAD.to_owned();
    let names = NAMES.map(|name| format!("{name:?}")).join(", ");
    file.push_str(&format!("\n/** The names that cross by their places here. */\nexport const NAMES: readonly string[] = [{names}];\n"));
    let refusals = AccountRefusal::ALL.map(|of| format!("{:?}", of.as_str())).join(", ");
    file.push_str(&format!("\n/** Why an account is refused, by its place in a column. */\nexport const ACCOUNT_REFUSAL_CODES: readonly AccountRefusalCode[] = [{refusals}];\n"));
    file.push_str("\n// How long and how often drivers wait and ask, and how much they keep and read: the core's numbers.\n");
    for (name, doc, number) in numbers() {
        file.push_str(&format!("\n/** {doc} */\nexport const {name} = {number};\n"));
    }
    let sides = Operation::ALL.map(|operation| {
        format!("{}: {:?}", operation.as_str(), if operation.is_buy() { "buy" } else { "sell" })
    });
    let paths = Operation::ALL.map(|operation| format!("{}: {:?}", operation.as_str(), operation.path()));
    file.push_str(&format!("\n/** The path of each operation, below the base URL. */\nexport const PATHS: Readonly<Record<Operation, string>> = {{ {} }};\n", paths.join(", ")));
    file.push_str(&format!("\n/** The side of each operation. */\nexport const SIDES: Readonly<Record<Operation, Side>> = {{ {} }};\n", sides.join(", ")));
    for (title, types) in declarations() {
        file.push_str(&format!("\n// {title}\n"));
        for declaration in types {
            file.push('\n');
            if declaration.name == Curve::DECLARATION.name {
                declare(curve_config(), &mut file);
                file.push('\n');
            }
            declare(declaration, &mut file);
        }
        if title == "Codes" {
            file.push_str(&requests::section());
            file.push_str(&results::section());
            file.push_str(&results::trades());
        }
    }
    file
}

/// The export at which a reader sees each of these types at work: it has an example. Only these are public by name; all other
/// types are parts of them.
const SEEN_AT: &[(&str, &[&str])] = &[
    ("LocalChain.setFaults", &["ChainFaults"]),
    ("TradeError", &["Outcome", "Code"]),
    ("validate", &["FieldError", "Warning", "CheckResult"]),
    ("readReply", &["Trade"]),
    ("readTypedTable", &["TypedTable"]),
    ("view", &["View"]),
    ("TradeClient.acknowledge", &["Found"]),
    ("TradeClient.waitFor", &["IntentState"]),
    ("Hooks", &["IntentOutcome"]),
    ("TradeClient.build", &["Operation", "RequestOf", "BuiltCall"]),
    ("TradeClient.buy", &["BuyRequest", "SlippageInput", "BuyTrade"]),
    ("TradeClient.sell", &["SellRequest", "TokenInput", "SellTrade"]),
    ("TradeClient.sellByPercentage", &["SellByPercentageRequest"]),
    ("TradeClient.bundleBuy", &["BundleBuyRequest", "BundleBuyElement", "BundleTrade"]),
    ("TradeClient.bundleSell", &["BundleSellRequest", "BundleSellElement"]),
    (
        "TradeClient.bundleSellByPercentage",
        &["BundleSellByPercentageRequest", "BundleSellByPercentageElement"],
    ),
    ("RefusalError", &["RefusalCode"]),
    ("Curve.quoteBuyExactIn", &["QuoteWarning"]),
    ("defaultLaunchpad", &["LaunchpadConfig", "FeeTierConfig"]),
    ("CurveOptions", &["CurveConfig"]),
    ("Curve.reserves", &["CurveReserves"]),
    ("Curve.complete", &["Completion"]),
    ("Curve.quoteBuyExactIn", &["Side"]),
    ("Curve.quoteBundle", &["CurveBundleQuote"]),
    ("receipt", &["TradeReceipt"]),
    ("Position.state", &["PositionState"]),
    ("Exits", &["ExitPlan"]),
    ("Exits.open", &["ExitPosition", "ExitState"]),
    ("OpenExits", &["ExitOrder", "ExitReason"]),
    ("backtest", &["BacktestRun", "BacktestOrder", "BacktestPosition"]),
    ("verifyRecord", &["RecordCheck", "RecordProblem"]),
    ("readCurve", &["ChainCurve"]),
    ("readGlobal", &["Global"]),
    ("readMint", &["Mint"]),
    ("readHolding", &["Holding"]),
    ("TradeClient.settle", &["SettlingStep"]),
    ("Market.drift", &["Drift"]),
    ("Market.moved", &["Moved"]),
    ("quote", &["TradeQuote", "LegQuote"]),
    ("Sandbox", &["SandboxConfig", "SandboxTokenConfig", "SandboxWalletConfig"]),
    ("Sandbox.setFaults", &["FaultConfig", "Fault", "FaultKind"]),
    ("sandboxOutcomes", &["SandboxOutcome"]),
    ("Sandbox.calls", &["CallRow"]),
    ("audit", &["Audit", "BookEntry"]),
    ("recording", &["RecordedTrade"]),
    ("Sandbox.advance", &["MarketConfig"]),
    ("Sandbox.marketTrades", &["MarketTrade"]),
    ("SandboxMarket.look", &["MarketView", "MarketCurve", "MarketHolder"]),
    ("Sandbox.replay", &["Replay"]),
    ("Sandbox.candles", &["Candle"]),
    ("Sandbox.tokens", &["SandboxToken"]),
    ("Sandbox.wallets", &["SandboxWallet", "SandboxTokenAccount"]),
    ("Sandbox.trades", &["TradeRow"]),
];

/// The doc comment of a type; of a public one with a link to where a reader sees it at work.
fn doc_of(name: &str, lines: &[&str], file: &mut String) {
    match seen_at(name) {
        Some(seen_at) => tsdoc(&[lines, &["", &format!("@see {{@link {seen_at}}}")]].concat(), "", file),
        None => tsdoc(lines, "", file),
    }
}

fn seen_at(name: &str) -> Option<&'static str> {
    SEEN_AT.iter().find(|(_, types)| types.contains(&name)).map(|(seen_at, _)| *seen_at)
}

/// The declaration of an object. A part of another type is an alias: what nobody can name, declarations of programs have to spell out, and
/// TypeScript does not do that with an interface.
fn object(name: &str, base: Option<&str>, body: &str) -> String {
    match (seen_at(name), base) {
        (Some(_), None) => format!("export interface {name} {{\n{body}}}\n"),
        (Some(_), Some(base)) => format!("export interface {name} extends {base} {{\n{body}}}\n"),
        (None, None) => format!("export type {name} = {{\n{body}}};\n"),
        (None, Some(base)) => format!("export type {name} = {base} & {{\n{body}}};\n"),
    }
}

/// A doc comment as TSDoc.
fn tsdoc(lines: &[&str], indent: &str, file: &mut String) {
    let lines: Vec<&str> = lines.iter().map(|line| line.strip_prefix(' ').unwrap_or(line)).collect();
    if let [line] = lines[..] {
        file.push_str(&format!("{indent}/** {line} */\n"));
        return;
    }
    file.push_str(&format!("{indent}/**\n"));
    for line in lines {
        file.push_str(format!("{indent} * {line}").trim_end());
        file.push('\n');
    }
    file.push_str(&format!("{indent} */\n"));
}

fn declare(Declaration { name, doc, shape }: Declaration, file: &mut String) {
    doc_of(name, doc, file);
    match shape {
        Shape::Names(names) => {
            file.push_str(&format!("export type {name} =\n"));
            for (name, meaning) in names {
                tsdoc(&[meaning], "  ", file);
                file.push_str(&format!("  | \"{name}\"\n"));
            }
            // The semicolon ends the last line.
            file.insert(file.len() - 1, ';');
        }
        Shape::Object(properties) => {
            let mut body = String::new();
            for property in properties {
                tsdoc(property.doc, "  ", &mut body);
                let mark = if property.is_optional { "?" } else { "" };
                body.push_str(&format!("  {}{mark}: {};\n", property.name, property.ts));
            }
            file.push_str(&object(name, None, &body));
        }
    }
}
