//! The types of trades, from the table of a reply's fields.

use launchpad_desk::api::endpoint::{Operation, Operations};
use launchpad_desk::api::response::{Part, REPLY, ReplyField, ReplyKind, ReplyRow, reply_rows};

use super::{doc_of, object as declared_object};

use Operation::{Buy, Sell, SellByPercentage};

const ALL: Operations = Operations::of(Operation::ALL);
const SINGLES: Operations = Operations::of([Buy, Sell, SellByPercentage]);
const BUYS: Operations = Operations::of([Buy]);
const SELLS: Operations = Operations::of([Sell, SellByPercentage]);

/// What every trade has, beside the reply.
const ANY_TRADE: &str = "\
  /** `landed`, or `unconfirmed` where the reply does not say; `failed` on `TradeFailedError.trade`. */
  status: TradeStatus;
  /** Whether a sandbox made it, so no money moved. */
  simulated: boolean;
  /** Warnings about the request. */
  warnings: Warning[];
  /** The reply's whole text, unknown fields included. */
  raw: string;
";

pub fn section() -> String {
    let mut file = "\n// Results\n\n".to_owned();
    doc_of("Trade", &["Any trade; `operation` says which."], &mut file);
    file.push_str("export type Trade = BuyTrade | SellTrade | BundleTrade;\n");
    let any_trade = [
        ANY_TRADE,
        &format!("  /** Launchpad link. */\n  launchpad: {};\n", inline(Part::Launchpad, ALL)),
        "  /** The trade's id; absent if no client sent it. */\n  intentId?: string;\n",
    ];
    [
        file,
        interface("What every trade has in addition to the spec's reply.", "AnyTrade", &any_trade.concat()),
        trade("buy", "BuyTrade", BUYS, "\"buy\""),
        trade("sell", "SellTrade", SELLS, "\"sell\" | \"sellByPercentage\""),
        bundle(),
        interface("What `result` says of the transaction.", "TransactionOf", &transaction_of()),
        interface(
            "What `result` of a single trade has, buy or sell.",
            "SingleResult extends TransactionOf",
            &properties(Part::Result, SINGLES, result_type),
        ),
        interface(
            "What JSON can say and a JS value could round.",
            "ExactResults",
            "  /** `transactionResult.results` as JSON text. */\n  results: string;\n",
        ),
        interface(
            "The balances of a single trade as decimal text, without loss.",
            "ExactBalances extends ExactResults",
            &properties(Part::Result, SINGLES, exact_type),
        ),
        interface("Block explorer links of a single trade.", "ExplorerLinks", &links()),
    ]
    .concat()
}

/// A single trade: what it has of its own is the amount, and of a sell the token account's end.
fn trade(what: &str, name: &str, own: Operations, operation: &str) -> String {
    let result = properties(Part::Result, own, result_type).replace("\n  ", "\n    ");
    let exact = properties(Part::Result, own, exact_type).replace("\n  ", "\n    ");
    let of = |base: &str, own: &str| format!("{base} & {{\n  {}\n  }}", own.trim_end());
    interface(
        &format!(
            "A {what} that landed, or that the reply leaves unconfirmed. A field is `null` where the reply left it out."
        ),
        &format!("{name} extends AnyTrade"),
        &format!(
            "  operation: {operation};\n  /** The spec's `result`. */\n  result: {};\n\
             \x20 /** The numbers of `result` as decimal text, without loss. */\n  exact: {};\n\
             \x20 /** Block explorer links. */\n  explorer: ExplorerLinks;\n",
            of("SingleResult", &result),
            of("ExactBalances", &exact),
        ),
    )
}

fn bundle() -> String {
    interface(
        "A bundle that landed, or that the reply leaves unconfirmed. A field is `null` where the reply left it out.",
        "BundleTrade extends AnyTrade",
        &format!(
            "  operation: \"bundleBuy\" | \"bundleSell\" | \"bundleSellByPercentage\";\n\
             \x20 /** The spec's `result`. */\n  result: TransactionOf;\n\
             \x20 /** What of `result` a JS value could round. */\n  exact: ExactResults;\n\
             \x20 /** Block explorer links. */\n  explorer: {};\n",
            inline(Part::Explorer, ALL)
        ),
    )
}

fn transaction_of() -> String {
    let inner = properties(Part::Transaction, ALL, result_type).replace("\n  ", "\n    ");
    let inner = inner.trim_end();
    format!(
        "{}  /** Result of the transaction. */\n  transactionResult: {{\n  {inner}\n  }};\n",
        properties(Part::Result, ALL, result_type)
    )
}

/// The functions that make a trade of an answer, whose values are in the order of the table.
pub fn trades() -> String {
    let mut file = "
/** What reads an answer's values, one after the other. */
interface Values {
  value(): unknown;
  /** Goes into an object; returns how many fields it has. */
  open(): number;
  /** Adds the fields that an object has beside the first ones. */
  rest(fields: number, object: Record<string, unknown>, first: number): Record<string, unknown>;
}

/** Makes a trade, whose values come in the order of the core's table: `crates/api/src/plain.rs` is the other side. */
type Maker = (a: Values) => Record<string, unknown>;
"
    .to_owned();
    let mut made_by: Vec<(String, &str)> = Vec::new();
    let mut table = String::new();
    for operation in Operation::ALL {
        let [result, explorer, launchpad] =
            [Part::Result, Part::Explorer, Part::Launchpad].map(|part| made(part, operation));
        let amounts = reply_rows(operation).filter(|row| row.kind == ReplyKind::Amount);
        let exact =
            object(&["results"].into_iter().chain(amounts.map(|row| row.name)).map(read).collect::<Vec<_>>());
        let name = operation.as_str();
        let maker = format!(
            "({{ operation: a.value(), status: a.value(), simulated: a.value(), result: {result}, explorer: {explorer}, launchpad: {launchpad}, exact: {exact}, warnings: a.value(), raw: a.value() }})"
        );
        // Several operations have the same fields.
        match made_by.iter().find(|(made, _)| *made == maker) {
            Some((_, first)) => table.push_str(&format!(" {name}: {first},")),
            None => {
                file.push_str(&format!("const {name}: Maker = (a) => {maker};\n"));
                table.push_str(&format!(" {name},"));
                made_by.push((maker, name));
            }
        }
    }
    let table = table.trim_end_matches(',');
    file + &format!("export const TRADES: Readonly<Record<Operation, Maker>> = {{{table} }};\n")
}

/// The code that makes an object of a reply. Fields that may be left out are among the rest.
fn made(part: Part, operation: Operation) -> String {
    let mut fields = Vec::new();
    for row in reply_rows(operation) {
        if row.part == part && row.kind != ReplyKind::OptionalText {
            fields.push(read(row.name));
        } else if row.field == ReplyField::Success && part == Part::Result {
            fields.push(format!("transactionResult: {}", made(Part::Transaction, operation)));
        }
    }
    object(&fields)
}

fn read(name: &str) -> String {
    format!("{name}: a.value()")
}

fn object(fields: &[String]) -> String {
    format!("a.rest(a.open(), {{ {} }}, {})", fields.join(", "), fields.len())
}

fn links() -> String {
    properties(Part::Explorer, ALL, result_type) + &properties(Part::Explorer, SINGLES, result_type)
}

fn interface(doc: &str, head: &str, body: &str) -> String {
    let (name, base) = match head.split_once(" extends ") {
        Some((name, base)) => (name, Some(base)),
        None => (head, None),
    };
    let mut file = "\n".to_owned();
    doc_of(name, &[doc], &mut file);
    file + &declared_object(name, base, body)
}

/// The rows of a part that exactly these operations have.
fn rows(part: Part, operations: Operations) -> impl Iterator<Item = &'static ReplyRow> {
    REPLY.iter().filter(move |row| row.part == part && row.operations == operations)
}

fn properties(part: Part, operations: Operations, ts: fn(ReplyKind) -> Option<&'static str>) -> String {
    rows(part, operations)
        .filter_map(|row| Some((row, ts(row.kind)?)))
        .map(|(row, ts)| {
            let mark = if row.kind == ReplyKind::OptionalText { "?" } else { "" };
            format!("  /** {} */\n  {}{mark}: {ts};\n", row.field.doc().trim(), row.name)
        })
        .collect()
}

fn inline(part: Part, operations: Operations) -> String {
    let fields = rows(part, operations)
        .map(|row| format!("/** {} */ {}: string | null", row.field.doc().trim(), row.name));
    format!("{{ {} }}", fields.collect::<Vec<_>>().join("; "))
}

/// The type of a field under `result`.
fn result_type(kind: ReplyKind) -> Option<&'static str> {
    Some(match kind {
        ReplyKind::Text => "string | null",
        ReplyKind::OptionalText => "string",
        ReplyKind::Amount => "number | null",
        ReplyKind::Flag => "boolean | null",
        ReplyKind::Any => "unknown",
    })
}

/// The type of a field under `exact`, which has the amounts.
fn exact_type(kind: ReplyKind) -> Option<&'static str> {
    (kind == ReplyKind::Amount).then_some("string | null")
}
