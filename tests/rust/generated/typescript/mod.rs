//! `pkg/src/generated.ts`: the package's types, from the declarations in `src/`.

mod requests;
mod results;

pub use requests::page as fields_page;

use launchpad_desk::api::encode::BuiltCall;
use launchpad_desk::api::endpoint::Operation;
use launchpad_desk::api::fields::NAMES;
use launchpad_desk::api::response::Status;
use launchpad_desk::api::validate::CheckResult;
use launchpad_desk::bindings::declaration::{Declaration, Shape};
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
use launchpad_desk::launchpad::curve_view::{
    CurveBundleQuote, CurveQuote, CurveReserves, PositionState, ReceiptFigure, TradeReceipt,
};
use launchpad_desk::launchpad::position::{Holds, PositionDifference};
use launchpad_desk::launchpad::quote::{self, Side};
use launchpad_desk::launchpad::receipt::Finding;
use launchpad_desk::launchpad::rules::LaunchpadRule;
use launchpad_desk::launchpad::settings::{CurveConfig, FeeTierConfig, LaunchpadConfig};
use launchpad_desk::launchpad::view::{LegQuote, QuoteRefusal, TradeQuote, WalletQuote};
use launchpad_desk::launchpad::{Completion, Refusal};
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
use launchpad_desk::trade::guard::OtherTrade;
use launchpad_desk::trade::guard::{Found, LookedUp, Mode};
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

/// Every declared type, in the order in which the file has them.
fn declarations() -> Vec<(&'static str, Vec<Declaration>)> {
    vec![
        (
            "Codes",
            vec![
                Operation::DECLARATION,
                Outcome::DECLARATION,
                Code::DECLARATION,
                FieldCode::DECLARATION,
                WarningCode::DECLARATION,
                Status::DECLARATION,
                Mode::DECLARATION,
                IntentState::DECLARATION,
                IntentOutcome::DECLARATION,
                Found::DECLARATION,
                Certainty::DECLARATION,
                Shown::DECLARATION,
                Refusal::DECLARATION,
                quote::Warning::DECLARATION,
                Side::DECLARATION,
                Completion::DECLARATION,
                Finding::DECLARATION,
                ReceiptFigure::DECLARATION,
                LegKind::DECLARATION,
                Fit::DECLARATION,
                FaultKind::DECLARATION,
                SandboxOutcome::DECLARATION,
                Character::DECLARATION,
                TraderKind::DECLARATION,
                ActualOutcome::DECLARATION,
                Mismatch::DECLARATION,
                AccountKind::DECLARATION,
                AccountRefusal::DECLARATION,
                MarketRefusal::DECLARATION,
                Commitment::DECLARATION,
                Seen::DECLARATION,
                UnknownReason::DECLARATION,
                LookedUp::DECLARATION,
                DriftCause::DECLARATION,
                NoPosition::DECLARATION,
                ExitReason::DECLARATION,
                ExitHappening::DECLARATION,
                BacktestReason::DECLARATION,
                BacktestOutcome::DECLARATION,
                Act::DECLARATION,
                RecordPrice::DECLARATION,
                RecordProblemCode::DECLARATION,
            ],
        ),
        (
            "Checks",
            vec![
                FieldError::DECLARATION,
                error::Warning::DECLARATION,
                CheckResult::DECLARATION,
                BuiltCall::DECLARATION,
            ],
        ),
        (
            "What people paste",
            vec![TypedTable::DECLARATION, TypedRow::DECLARATION, TableProblem::DECLARATION],
        ),
        ("What a person sees", vec![View::DECLARATION, Line::DECLARATION, Link::DECLARATION]),
        (
            "The launchpad's maths",
            vec![
                LaunchpadConfig::DECLARATION,
                LaunchpadRule::DECLARATION,
                FeeTierConfig::DECLARATION,
                CurveConfig::DECLARATION,
                CurveReserves::DECLARATION,
                CurveQuote::DECLARATION,
                CurveBundleQuote::DECLARATION,
                LegQuote::DECLARATION,
                WalletQuote::DECLARATION,
                TradeQuote::DECLARATION,
                QuoteRefusal::DECLARATION,
                TradeReceipt::DECLARATION,
                Holds::DECLARATION,
                PositionDifference::DECLARATION,
                PositionState::DECLARATION,
            ],
        ),
        (
            "Exits",
            vec![
                ExitPlan::DECLARATION,
                TakeProfit::DECLARATION,
                Trailing::DECLARATION,
                OnGraduation::DECLARATION,
                ExitPosition::DECLARATION,
                ExitState::DECLARATION,
                ExitOrder::DECLARATION,
                ExitMissing::DECLARATION,
                ExitGone::DECLARATION,
                ExitSold::DECLARATION,
                ExitAnswered::DECLARATION,
                ExitTries::DECLARATION,
                BacktestRun::DECLARATION,
                BacktestOrder::DECLARATION,
                BacktestPosition::DECLARATION,
                BacktestCosts::DECLARATION,
                BacktestReasonRow::DECLARATION,
                BacktestDrawdown::DECLARATION,
                BacktestSkipped::DECLARATION,
                BacktestPoint::DECLARATION,
            ],
        ),
        (
            "The chain",
            vec![
                ChainCurve::DECLARATION,
                Global::DECLARATION,
                Mint::DECLARATION,
                Holding::DECLARATION,
                WalletLook::DECLARATION,
                Settled::DECLARATION,
                WalletDrift::DECLARATION,
                Drift::DECLARATION,
                WalletMoved::DECLARATION,
                Moved::DECLARATION,
                ChainFaults::DECLARATION,
                OtherTrade::DECLARATION,
            ],
        ),
        ("Records", vec![RecordCheck::DECLARATION, RecordProblem::DECLARATION]),
        (
            "The sandbox",
            vec![
                SandboxConfig::DECLARATION,
                SandboxTokenConfig::DECLARATION,
                SandboxWalletConfig::DECLARATION,
                SandboxHoldingConfig::DECLARATION,
                RateLimit::DECLARATION,
                MarketConfig::DECLARATION,
                RecordedTrade::DECLARATION,
                Replay::DECLARATION,
                SkippedTrades::DECLARATION,
                TradesWithoutToken::DECLARATION,
                MarketTrade::DECLARATION,
                MarketTokens::DECLARATION,
                MarketWallets::DECLARATION,
                MarketTrades::DECLARATION,
                MarketCurve::DECLARATION,
                MarketHolder::DECLARATION,
                MarketView::DECLARATION,
                MarketStart::DECLARATION,
                Candle::DECLARATION,
                CallRow::DECLARATION,
                BookEntry::DECLARATION,
                Audit::DECLARATION,
                AuditFinding::DECLARATION,
                OpenTrade::DECLARATION,
                FaultConfig::DECLARATION,
                Fault::DECLARATION,
                OutcomeRow::DECLARATION,
                SandboxToken::DECLARATION,
                SandboxWallet::DECLARATION,
                SandboxTokenAccount::DECLARATION,
                AccountRow::DECLARATION,
                TradeRow::DECLARATION,
                TradeLeg::DECLARATION,
            ],
        ),
    ]
}

/// The numbers of the core that drivers in TypeScript carry out, too.
const NUMBERS: [(&str, &str, u64); 8] = [
    ("NOTE_WITHIN_MS", "How long a market has to say what is noted before a trade.", NOTE_WITHIN_MS as u64),
    ("MARKET_RESTS_MS", "How long a market that did not say so in time is left alone.", MARKET_RESTS_MS),
    ("SETTLE_EVERY_MS", "How often a caller who waits asks the chain about trades.", SETTLE_EVERY_MS as u64),
    ("SHOWN_WITHIN_MS", "How long a position's buy is waited for.", SHOWN_WITHIN_MS as u64),
    ("SHOWN_EVERY_MS", "How often a market is asked whether it shows a buy.", SHOWN_EVERY_MS as u64),
    ("OWN_WITHIN_MS", "How long a look waits until it shows the own trades.", OWN_WITHIN_MS as u64),
    ("OWN_EVERY_MS", "How often it is read again meanwhile.", OWN_EVERY_MS as u64),
    ("MOST_AT_ONCE", "How many requests of one settler may be in flight.", MOST_AT_ONCE as u64),
];

/// The whole file.
pub fn file() -> String {
    let mut file = HEAD.to_owned();
    let names = NAMES.map(|name| format!("{name:?}")).join(", ");
    file.push_str(&format!("\n/** The names that cross by their places here. */\nexport const NAMES: readonly string[] = [{names}];\n"));
    let refusals = AccountRefusal::ALL.map(|of| format!("{:?}", of.as_str())).join(", ");
    file.push_str(&format!("\n/** Why an account is refused, by its place in a column. */\nexport const ACCOUNT_REFUSAL_CODES: readonly AccountRefusalCode[] = [{refusals}];\n"));
    file.push_str("\n// How long and how often the drivers wait and ask: the core's numbers.\n");
    for (name, doc, number) in NUMBERS {
        file.push_str(&format!("\n/** {doc} */\nexport const {name} = {number};\n"));
    }
    for (title, types) in declarations() {
        file.push_str(&format!("\n// {title}\n"));
        for declaration in types {
            file.push('\n');
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

/// The export at which a reader sees each of these types at work: it has an example.
const SEEN_AT: &[(&str, &[&str])] = &[
    ("LocalChain.setFaults", &["ChainFaults"]),
    ("TradeError", &["Outcome", "Code"]),
    ("validate", &["FieldCode", "WarningCode", "FieldError", "Warning", "CheckResult"]),
    ("readReply", &["TradeStatus", "Trade"]),
    ("reconcile", &["Certainty", "Shown"]),
    ("readTypedTable", &["TypedTable", "TypedRow", "TableProblem"]),
    ("view", &["View", "Line", "Link"]),
    ("TradeClient.halt", &["GuardMode"]),
    ("TradeClient.acknowledge", &["Found"]),
    ("TradeClient.waitFor", &["IntentState"]),
    ("Hooks", &["IntentOutcome"]),
    ("TradeClient.build", &["Operation", "RequestOf", "BuiltCall"]),
    ("TradeClient.buy", &["BuyRequest", "Portion", "SlippageInput", "BuyTrade", "AnyTrade"]),
    ("TradeClient.buy", &["TransactionOf", "SingleResult", "ExactResults", "ExactBalances", "ExplorerLinks"]),
    ("TradeClient.sell", &["SellRequest", "TokenInput", "SellTrade"]),
    ("TradeClient.sellByPercentage", &["SellByPercentageRequest"]),
    ("TradeClient.bundleBuy", &["BundleBuyRequest", "BundleBuyElement", "BundleTrade"]),
    ("TradeClient.bundleSell", &["BundleSellRequest", "BundleSellElement"]),
    (
        "TradeClient.bundleSellByPercentage",
        &["BundleSellByPercentageRequest", "BundleSellByPercentageElement"],
    ),
    ("RefusalError", &["RefusalCode"]),
    ("WarningThresholds", &["QuoteWarning"]),
    ("defaultLaunchpad", &["LaunchpadConfig", "FeeTierConfig"]),
    ("launchpadRules", &["LaunchpadRule"]),
    ("CurveOptions", &["CurveConfig"]),
    ("Curve.reserves", &["CurveReserves"]),
    ("Curve.complete", &["Completion"]),
    ("Curve.quoteBuyExactIn", &["Side", "CurveQuote"]),
    ("Curve.quoteBundle", &["CurveBundleQuote"]),
    ("capacities", &["LegKind"]),
    ("splitBundle", &["TransactionFit"]),
    ("receipt", &["TradeReceipt", "ReceiptFinding", "ReceiptFigure"]),
    ("Position.check", &["PositionDifference", "Holds"]),
    ("Position.state", &["PositionState"]),
    ("Exits", &["ExitPlan", "TakeProfit", "Trailing", "OnGraduation"]),
    (
        "Exits.open",
        &["ExitPosition", "ExitState", "ExitTries", "ExitMissing", "ExitGone", "ExitSold", "ExitAnswered"],
    ),
    ("OpenExits", &["ExitOrder", "ExitReason"]),
    ("Managed", &["ExitHappening"]),
    (
        "backtest",
        &[
            "BacktestRun",
            "BacktestOrder",
            "BacktestPosition",
            "BacktestCosts",
            "BacktestReasonRow",
            "BacktestDrawdown",
            "BacktestSkipped",
            "BacktestPoint",
            "BacktestReason",
            "BacktestOutcome",
        ],
    ),
    ("verifyRecord", &["RecordAct", "RecordPrice", "RecordProblemCode", "RecordCheck", "RecordProblem"]),
    ("readCurve", &["ChainCurve"]),
    ("readGlobal", &["Global"]),
    ("readMint", &["Mint"]),
    ("readHolding", &["Holding"]),
    ("Market.look", &["WalletLook"]),
    ("Market.settleTrade", &["Settled", "UnknownReason", "OtherTrade"]),
    ("TradeClient.endedTrade", &["LookedUp"]),
    ("Market.confirm", &["Seen"]),
    ("Market.drift", &["Drift", "DriftCause", "WalletDrift"]),
    ("Market.moved", &["Moved", "WalletMoved"]),
    ("PositionError", &["NoPosition"]),
    ("MarketOptions", &["Commitment"]),
    ("MarketError", &["MarketErrorCode"]),
    ("AccountError", &["AccountKind", "AccountRefusalCode"]),
    ("quote", &["TradeQuote", "LegQuote", "WalletQuote", "QuoteRefusal", "SandboxHoldingConfig"]),
    ("Sandbox", &["SandboxConfig", "SandboxTokenConfig", "SandboxWalletConfig", "RateLimit"]),
    ("Sandbox.setFaults", &["FaultConfig", "Fault", "FaultKind"]),
    ("sandboxOutcomes", &["SandboxOutcome", "OutcomeRow"]),
    ("Sandbox.calls", &["CallRow", "ActualOutcome"]),
    ("audit", &["Audit", "AuditFinding", "Mismatch", "BookEntry", "OpenTrade"]),
    ("recording", &["RecordedTrade"]),
    ("Sandbox.advance", &["MarketConfig", "Character"]),
    ("Sandbox.marketTrades", &["MarketTrade", "TraderKind"]),
    ("SandboxMarket.trades", &["MarketTrades"]),
    ("SandboxMarket.events", &["MarketStart"]),
    ("SandboxMarket.tokens", &["MarketTokens"]),
    ("SandboxMarket.wallets", &["MarketWallets"]),
    ("SandboxMarket.look", &["MarketView", "MarketCurve", "MarketHolder"]),
    ("Sandbox.replay", &["Replay", "SkippedTrades", "TradesWithoutToken"]),
    ("Sandbox.candles", &["Candle"]),
    ("Sandbox.tokens", &["SandboxToken"]),
    ("Sandbox.wallets", &["SandboxWallet", "SandboxTokenAccount"]),
    ("Sandbox.account", &["AccountRow"]),
    ("Sandbox.trades", &["TradeRow", "TradeLeg"]),
];

/// The doc comment of an exported type, with a link to where a reader sees it at work.
fn doc_of(name: &str, lines: &[&str], file: &mut String) {
    let seen_at = SEEN_AT.iter().find(|(_, types)| types.contains(&name));
    let (seen_at, _) = seen_at.unwrap_or_else(|| panic!("SEEN_AT has no export that shows {name}"));
    let link = format!("@see {{@link {seen_at}}}");
    tsdoc(&[lines, &["", &link]].concat(), "", file);
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
            file.push_str(&format!("export interface {name} {{\n"));
            for property in properties {
                tsdoc(property.doc, "  ", file);
                let mark = if property.is_optional { "?" } else { "" };
                file.push_str(&format!("  {}{mark}: {};\n", property.name, property.ts));
            }
            file.push_str("}\n");
        }
    }
}
