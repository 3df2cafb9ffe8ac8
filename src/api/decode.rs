//! Reads a reply without loss, and without believing more than it says.

use crate::amount::{Decimal, Digits};
use crate::api::encode::amount_name;
use crate::api::endpoint::Operation;
use crate::api::response::{Explorer, Status, Trade, TradeResult, TransactionResult};
use crate::json::{self, JsonError};
use crate::value::Value;

/// What a service calls the two fields that carry a brand.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReplyNames {
    /// The object of block explorer links.
    pub explorer: String,
    /// The object with the launchpad link.
    pub launchpad: String,
}

impl Default for ReplyNames {
    fn default() -> Self {
        ReplyNames { explorer: "explorer".into(), launchpad: "launchpad".into() }
    }
}

/// Why a reply cannot be read as a trade.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unreadable {
    /// It is not JSON, or JSON that two readers could read in two ways.
    Json(JsonError),
    /// A field has another type than the spec's.
    Field {
        /// The field's path.
        path: String,
        /// What it is.
        found: &'static str,
    },
}

impl Unreadable {
    /// A sentence for a person.
    pub fn message(&self) -> String {
        match self {
            Unreadable::Json(JsonError { what, at }) => {
                ["the reply has ", what, ", at byte ", &at.digits()].concat()
            }
            Unreadable::Field { path, found } => ["in the reply, ", path, " is ", found].concat(),
        }
    }
}

/// Reads the body of a successful reply to `operation`.
///
/// Amounts may be JSON numbers or numeric strings. A field that is absent or null is `None`; unknown fields
/// stay in [`Trade::raw`].
///
/// # Errors
///
/// [`Unreadable`] where the body is not JSON, has no `result` object, or a field has another type than the
/// spec's: what it says cannot be trusted then.
pub fn decode(operation: Operation, body: &[u8], names: &ReplyNames) -> Result<Trade, Unreadable> {
    let reply = json::parse(body).map_err(Unreadable::Json)?;
    let mut trade = read(operation, &reply, names)?;
    // It was read, so it is text.
    trade.raw = str::from_utf8(body).unwrap_or_default().to_owned();
    Ok(trade)
}

/// Reads a trade from an object of the reply's shape. Where it has an `exact` object too, as trades in JS
/// do, the amounts are read from there.
///
/// # Errors
///
/// As [`decode`].
pub fn read(operation: Operation, reply: &Value, names: &ReplyNames) -> Result<Trade, Unreadable> {
    let root = Object { path: String::new(), value: reply };
    let result = root.object("result")?.ok_or_else(|| unreadable("result", "missing"))?;
    let transaction = match result.object("transactionResult")? {
        Some(transaction) => TransactionResult {
            success: transaction.boolean("success")?,
            signature: transaction.string("signature")?,
            results: transaction.value.get("results").cloned().unwrap_or(Value::Null),
        },
        None => TransactionResult::default(),
    };
    let exact = root.object("exact")?;
    let amounts = exact.as_ref().unwrap_or(&result);
    let explorer = match root.object(&names.explorer)? {
        Some(links) => Explorer {
            mint: links.string("mint")?,
            wallet: links.string("wallet")?,
            tx: links.string("tx")?,
            token_account: links.string("tokenAccount")?,
        },
        None => Explorer::default(),
    };
    let launchpad = root.object(&names.launchpad)?;
    Ok(Trade {
        operation,
        status: match transaction.success {
            Some(true) => Status::Landed,
            Some(false) => Status::Failed,
            None => Status::Unconfirmed,
        },
        explorer,
        launchpad_mint: launchpad.map(|links| links.string("mint")).transpose()?.flatten(),
        raw: String::new(),
        result: TradeResult {
            mint: result.string("mint")?,
            wallet: result.string("wallet")?,
            amount: amounts.amount(amount_name(operation))?,
            pre_token_balance: amounts.amount("preTokenBalance")?,
            post_token_balance: amounts.amount("postTokenBalance")?,
            signature: result.string("signature")?,
            transaction,
            token_account: result.string("tokenAccount")?,
            token_account_closed: result.boolean("tokenAccountClosed")?,
        },
    })
}

fn unreadable(path: &str, found: &'static str) -> Unreadable {
    Unreadable::Field { path: path.to_owned(), found }
}

/// An object of the reply and where it stands in it.
struct Object<'a> {
    path: String,
    value: &'a Value,
}

impl<'a> Object<'a> {
    fn wrong<T>(&self, name: &str, value: &Value) -> Result<T, Unreadable> {
        Err(unreadable(&self.path_of(name), value.kind()))
    }

    fn path_of(&self, name: &str) -> String {
        if self.path.is_empty() { name.to_owned() } else { [&self.path, ".", name].concat() }
    }

    fn object(&self, name: &str) -> Result<Option<Object<'a>>, Unreadable> {
        if !matches!(self.value, Value::Object(_)) {
            return Err(unreadable("the whole", self.value.kind()));
        }
        match self.value.get(name) {
            None | Some(Value::Null) => Ok(None),
            Some(value @ Value::Object(_)) => Ok(Some(Object { path: self.path_of(name), value })),
            Some(other) => self.wrong(name, other),
        }
    }

    fn string(&self, name: &str) -> Result<Option<String>, Unreadable> {
        match self.value.get(name) {
            None | Some(Value::Null) => Ok(None),
            Some(Value::String(text)) => Ok(Some(text.clone())),
            Some(other) => self.wrong(name, other),
        }
    }

    fn boolean(&self, name: &str) -> Result<Option<bool>, Unreadable> {
        match self.value.get(name) {
            None | Some(Value::Null) => Ok(None),
            Some(Value::Bool(is)) => Ok(Some(*is)),
            Some(other) => self.wrong(name, other),
        }
    }

    fn amount(&self, name: &str) -> Result<Option<Decimal>, Unreadable> {
        let read = match self.value.get(name) {
            None | Some(Value::Null) => return Ok(None),
            Some(Value::Number(text) | Value::Double(text)) => Decimal::from_number(text),
            Some(Value::String(text)) => Decimal::from_plain(text),
            Some(other) => return self.wrong(name, other),
        };
        read.map(Some).or_else(|_| self.wrong(name, &Value::Foreign("not an amount")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::api::encode::encode_reply;

    const SELL: &str = r#"{"result":{"mint":"M","wallet":"W","sellAmount":18446744073709551617,"preTokenBalance":"1.50",
        "postTokenBalance":0,"signature":"S","transactionResult":{"success":true,"signature":"S","results":"ok"},
        "tokenAccount":"T","tokenAccountClosed":true},
        "explorer":{"mint":"https://e/token/M","wallet":"https://e/account/W","tx":"https://e/tx/S"},
        "launchpad":{"mint":"https://l/coin/M"},"extra":{"deep":[1]}}"#;

    fn decoded(operation: Operation, body: &str) -> Result<Trade, String> {
        decode(operation, body.as_bytes(), &ReplyNames::default()).map_err(|error| error.message())
    }

    #[test]
    fn amounts_keep_every_digit_and_unknown_fields_stay() {
        let trade = decoded(Operation::Sell, SELL).unwrap();
        assert_eq!(trade.status, Status::Landed);
        assert_eq!(trade.result.amount.unwrap().as_str(), "18446744073709551617");
        assert_eq!(trade.result.pre_token_balance.unwrap().as_str(), "1.5");
        assert_eq!(trade.result.token_account_closed, Some(true));
        assert!(trade.raw.contains("\"extra\":{\"deep\":[1]}"));
    }

    #[test]
    fn what_a_reply_leaves_out_is_not_made_up() {
        let trade = decoded(Operation::BundleBuy, r#"{"result":{"mint":"M"}}"#).unwrap();
        assert_eq!(trade.status, Status::Unconfirmed);
        assert_eq!(trade.explorer, Explorer::default());
        let trade = decoded(Operation::Buy, r#"{"result":{"transactionResult":{"success":false}}}"#).unwrap();
        assert_eq!(trade.status, Status::Failed);
        let trade = decoded(Operation::Buy, r#"{"result":{"transactionResult":{"success":null}}}"#).unwrap();
        assert_eq!(trade.status, Status::Unconfirmed);
    }

    #[test]
    fn a_reply_that_contradicts_the_spec_is_not_read() {
        let cases = [
            ("", "the reply has the end, where a value should be, at byte 0"),
            ("[]", "in the reply, the whole is an array"),
            ("{}", "in the reply, result is missing"),
            (r#"{"result":[]}"#, "in the reply, result is an array"),
            (
                r#"{"result":{"transactionResult":{"success":"true"}}}"#,
                "in the reply, result.transactionResult.success is a string",
            ),
            (
                r#"{"result":{"transactionResult":"ok"}}"#,
                "in the reply, result.transactionResult is a string",
            ),
            (r#"{"result":{"buyAmount":-1}}"#, "in the reply, result.buyAmount is not an amount"),
            (r#"{"result":{"buyAmount":"lots"}}"#, "in the reply, result.buyAmount is not an amount"),
            (r#"{"result":{"mint":5}}"#, "in the reply, result.mint is a number"),
            (r#"{"result":{},"result":{}}"#, "the reply has a field given twice, at byte 21"),
        ];
        for (body, message) in cases {
            assert_eq!(decoded(Operation::Buy, body).unwrap_err(), message, "{body}");
        }
    }

    #[test]
    fn other_words_for_the_branded_fields_are_read_when_told() {
        let body = SELL.replace("\"explorer\"", "\"scan\"").replace("\"launchpad\"", "\"pad\"");
        let names = ReplyNames { explorer: "scan".into(), launchpad: "pad".into() };
        let trade = decode(Operation::Sell, body.as_bytes(), &names).unwrap();
        assert_eq!(trade.explorer.tx.as_deref(), Some("https://e/tx/S"));
        assert_eq!(trade.launchpad_mint.as_deref(), Some("https://l/coin/M"));
    }

    #[test]
    fn a_reply_written_is_the_reply_read() {
        for (operation, body) in [(Operation::Sell, SELL), (Operation::BundleSell, SELL)] {
            let trade = decoded(operation, body).unwrap();
            let again = decoded(operation, &encode_reply(&trade)).unwrap();
            assert_eq!((again.result.mint, again.status), (trade.result.mint.clone(), trade.status));
            if !operation.is_bundle() {
                assert_eq!(again.result.amount, trade.result.amount);
                assert_eq!(again.explorer, trade.explorer);
            }
        }
    }
}
