//! The exact bytes: a valid request's body, and (for the sandbox) a reply's.

use crate::amount::{Decimal, Digits, Slippage, SlippageUnit};
use crate::api::endpoint::{Call, Field, Operation, Row};
use crate::api::request::{Amount, Leg, Request};
use crate::api::response::{Trade, TransactionResult};
use crate::api::validate::Valid;
use crate::error::Warning;
use crate::tape::json;
use crate::tape::{Tape, ToTape, object_of};
use crate::{object, record};

record! {
    /// A trade that is checked and written, and not sent.
    BuiltCall {
        /// What is asked for.
        operation: Operation => "Operation",
        /// Always `POST`.
        method: &'static str => "\"POST\"",
        /// The whole URL; `null` where no client wrote it.
        url: Option<String> => "string | null",
        /// The path below the base URL.
        path: String => "string",
        /// The JSON body, exactly as it would be sent.
        body: String => "string",
        /// What is odd about the request.
        warnings: Vec<Warning> => "Warning[]",
    }
}

/// Writes a request: its path and its JSON body, with every field of the spec in the spec's order, absent
/// nullable ones as `null`, without white space.
///
/// ```
/// use launchpad_desk::api::{encode::encode, endpoint::Operation, validate::{validate, Rules}};
/// use launchpad_desk::{amount::SlippageUnit, object};
///
/// let request = object! { "mint": "M", "fromWallet": "W", "amountInLamports": 1_000_000_000u64 };
/// let request = validate(Operation::Buy, request.root(), &Rules::default()).unwrap();
/// let call = encode(&request, SlippageUnit::Percent);
/// assert_eq!(call.path, "/v1/trade/buy");
/// assert_eq!(call.body, concat!(
///     r#"{"mint":"M","fromWallet":"W","amountInLamports":1000000000,"feePayer":null,"#,
///     r#""slippage":null,"priorityUnitLimit":null,"priorityUnitPrice":null}"#,
/// ));
/// ```
pub fn encode(request: &Valid<Request>, unit: SlippageUnit) -> Call {
    let operation = request.operation;
    let mut body = String::with_capacity(192 + 96 * request.legs.len());
    write_fields(operation.body_fields(), &mut body, |row, body| match row.field {
        Field::Buys | Field::Sells => write_legs(request, unit, body),
        Field::Mint => json::write_string(&request.mint, body),
        Field::FeePayer => match &request.fee_payer {
            Some(payer) => json::write_string(payer, body),
            None => body.push_str("null"),
        },
        Field::Slippage if operation.is_bundle() => {
            write_slippage(request.slippage.as_ref(), unit, body);
        }
        Field::PriorityUnitLimit => write_number(request.priority_unit_limit.map(Digits::digits), body),
        Field::PriorityUnitPrice => write_number(request.priority_unit_price.map(Digits::digits), body),
        _ => {
            for leg in &request.legs {
                write_leg_field(leg, row.field, unit, body);
            }
        }
    });
    Call { operation, path: operation.path().to_owned(), body }
}

fn write_fields(
    rows: impl Iterator<Item = &'static Row>,
    body: &mut String,
    mut write: impl FnMut(&Row, &mut String),
) {
    for (index, row) in rows.enumerate() {
        body.push(if index == 0 { '{' } else { ',' });
        json::write_string(row.name, body);
        body.push(':');
        write(row, body);
    }
    body.push('}');
}

fn write_legs(request: &Request, unit: SlippageUnit, body: &mut String) {
    for (index, leg) in request.legs.iter().enumerate() {
        body.push(if index == 0 { '[' } else { ',' });
        write_fields(request.operation.element_fields(), body, |row, body| {
            write_leg_field(leg, row.field, unit, body);
        });
    }
    body.push(']');
}

fn write_leg_field(leg: &Leg, field: Field, unit: SlippageUnit, body: &mut String) {
    match field {
        Field::FromWallet => json::write_string(&leg.from_wallet, body),
        Field::Slippage => write_slippage(leg.slippage.as_ref(), unit, body),
        _ => match &leg.amount {
            Amount::Lamports(lamports) => body.push_str(&lamports.digits()),
            Amount::Tokens(tokens) => body.push_str(&json::write(&tokens.to_tape())),
            Amount::Percentage(percentage) => body.push_str(percentage.0.as_str()),
        },
    }
}

fn write_number(number: Option<String>, body: &mut String) {
    body.push_str(number.as_deref().unwrap_or("null"));
}

fn write_slippage(slippage: Option<&Slippage>, unit: SlippageUnit, body: &mut String) {
    let number = slippage.and_then(|slippage| slippage.in_unit(unit).ok());
    write_number(number.map(Decimal::into_text), body);
}

/// Writes a trade as the service's reply to it.
pub fn encode_reply(trade: &Trade) -> String {
    json::write(&reply_value(trade))
}

/// A trade in the shape of the service's reply to it: exactly the spec's fields, numbers as numbers.
/// `explorer.tokenAccount` is there where the trade has it.
pub fn reply_value(trade: &Trade) -> Tape {
    let result = &trade.result;
    let transaction = transaction_result(&result.transaction);
    let launchpad = object! { "mint": trade.launchpad_mint };
    if trade.operation.is_bundle() {
        return object! {
            "result": object! {
                "mint": result.mint,
                "signature": result.signature,
                "transactionResult": transaction,
            },
            "explorer": object! { "mint": trade.explorer.mint, "tx": trade.explorer.tx },
            "launchpad": launchpad,
        };
    }
    object! {
        "result": single_result(trade, transaction),
        "explorer": explorer(trade),
        "launchpad": launchpad,
    }
}

fn transaction_result(transaction: &TransactionResult) -> Tape {
    object! {
        "success": transaction.success,
        "signature": transaction.signature,
        "results": transaction.results,
    }
}

/// The names of a single trade's `result`; the last is a sell's alone.
macro_rules! single_names {
    ($amount:literal) => {
        concat!(
            "mint,wallet,",
            $amount,
            ",preTokenBalance,postTokenBalance,signature,transactionResult,",
            "tokenAccount,tokenAccountClosed",
        )
    };
}

fn single_result(trade: &Trade, transaction: Tape) -> Tape {
    let result = &trade.result;
    let mut values: Vec<&dyn ToTape> = vec![
        &result.mint,
        &result.wallet,
        &result.amount,
        &result.pre_token_balance,
        &result.post_token_balance,
        &result.signature,
        &transaction,
        &result.token_account,
    ];
    if trade.operation.is_buy() {
        return object_of(single_names!("buyAmount"), &values);
    }
    values.push(&result.token_account_closed);
    object_of(single_names!("sellAmount"), &values)
}

/// What a reply calls the amount traded.
pub(crate) const fn amount_name(operation: Operation) -> &'static str {
    if operation.is_buy() { "buyAmount" } else { "sellAmount" }
}

fn explorer(trade: &Trade) -> Tape {
    let links = &trade.explorer;
    let mut values: Vec<&dyn ToTape> = vec![&links.mint, &links.wallet, &links.tx];
    if links.token_account.is_some() {
        values.push(&links.token_account);
    }
    object_of("mint,wallet,tx,tokenAccount", &values)
}
