//! Reads a reply without loss, and without assuming more than it says.

use std::borrow::Cow;
use std::cell::{Cell, OnceCell};
use std::sync::Arc;

use crate::amount::{Digits, ExactText};
use crate::endpoint::Operation;
use crate::response::{Part, REPLY, ReplyField, ReplyKind, ReplySlot, Status, Trade};
use crate::tape::json::{self, JsonError};
use crate::tape::{self, Data, Item, Tape, ToTape};
use crate::text::Text;

/// What a service calls the two branded fields.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReplyNames {
    /// The object of block explorer links.
    pub explorer: Cow<'static, str>,
    /// The object with the launchpad link.
    pub launchpad: Cow<'static, str>,
}

impl Default for ReplyNames {
    fn default() -> Self {
        ReplyNames { explorer: "explorer".into(), launchpad: "launchpad".into() }
    }
}

/// Why a reply cannot be read as a trade.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unreadable {
    /// It is not JSON, or ambiguous JSON.
    Json(JsonError),
    /// A field does not have the spec's type.
    Field {
        /// The field's path.
        path: String,
        /// What it is.
        found: String,
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
/// [`Unreadable`] if the body is not JSON, has no `result` object, or a field does not have the spec's type. Then nothing in it
/// can be trusted.
pub fn decode(operation: Operation, body: &[u8], names: &ReplyNames) -> Result<Trade, Unreadable> {
    decode_whole(operation, body, names).map(|(trade, _)| trade)
}

/// The same, and also returns the whole reply.
/// Fails as [`decode`].
pub fn decode_whole(
    operation: Operation,
    body: &[u8],
    names: &ReplyNames,
) -> Result<(Trade, Tape), Unreadable> {
    let reply = json::parse(body).map_err(Unreadable::Json)?;
    let mut trade = read(operation, reply.root(), names, "result")?;
    // The text of its tape begins with it.
    trade.raw = Text::part(trade.raw.whole(), 0, body.len() as u32);
    Ok((trade, reply))
}

/// Reads a trade from an object of the reply's shape. The amounts are in its object `amounts_in`: `result` in a reply, `exact` in
/// a trade as JS has it. Its `raw` is all text of the tape, of which its other texts are parts.
/// Fails as [`decode`].
pub fn read(
    operation: Operation,
    reply: Item,
    names: &ReplyNames,
    amounts_in: &str,
) -> Result<Trade, Unreadable> {
    let wrong = OnceCell::new();
    let whole = reply.all_text().into();
    let root = Fields::of("", Some(reply), &wrong, &whole);
    if !reply.is_object() {
        root.note("the whole".to_owned(), reply.kind());
    }
    let result = root.object("result", "result");
    if result.all.is_none() {
        result.note("result".to_owned(), "missing");
    }
    let transaction = result.object("transactionResult", "result.transactionResult");
    let within = |name| root.object(name, name);
    let other_amounts = (amounts_in != "result").then(|| within(amounts_in));
    let amounts = other_amounts.as_ref().unwrap_or(&result);
    let (explorer, launchpad) = (within(&names.explorer), within(&names.launchpad));
    let mut trade = Trade { raw: whole.clone().into(), ..Trade::empty(operation) };
    // A field that only other operations have is read as well, because it may contradict the request. But a trade has only one
    // amount.
    let other = if operation.is_buy() { ReplyField::SellAmount } else { ReplyField::BuyAmount };
    for row in REPLY.iter().filter(|row| row.field != other) {
        let part = match row.part {
            Part::Result if row.kind == ReplyKind::Amount => amounts,
            Part::Result => &result,
            Part::Transaction => &transaction,
            Part::Explorer => &explorer,
            Part::Launchpad => &launchpad,
        };
        match trade.slot(row.field) {
            ReplySlot::Text(text) => *text = part.string(row.name),
            ReplySlot::Amount(amount) => *amount = part.amount(row.name),
            ReplySlot::Flag(flag) => *flag = part.boolean(row.name),
            ReplySlot::Any(value) => *value = part.get(row.name).map(|any| any.to_tape()).unwrap_or_default(),
        }
    }
    trade.status = match trade.result.transaction.success {
        Some(true) => Status::Landed,
        Some(false) => Status::Failed,
        None => Status::Unconfirmed,
    };
    wrong.into_inner().map_or(Ok(trade), Err)
}

/// The fields of an object of the reply (none if it is absent or null), and its path. The first deviation from the spec is
/// recorded; fields that cannot be read are `None`.
struct Fields<'a> {
    path: &'a str,
    all: Option<tape::Fields<'a>>,
    /// The fields after the one that was found last.
    rest: Cell<Option<tape::Fields<'a>>>,
    wrong: &'a OnceCell<Unreadable>,
    /// All text of the tape, for what the trade keeps of it.
    whole: &'a Arc<str>,
}

impl<'a> Fields<'a> {
    fn of(
        path: &'a str,
        object: Option<Item<'a>>,
        wrong: &'a OnceCell<Unreadable>,
        whole: &'a Arc<str>,
    ) -> Fields<'a> {
        let all = object.and_then(Item::fields);
        Fields { path, all, rest: Cell::new(all), wrong, whole }
    }

    fn note(&self, path: String, found: &str) {
        // Only the first is reported.
        let _ = self.wrong.set(Unreadable::Field { path, found: found.to_owned() });
    }

    fn path_of(&self, name: &str) -> String {
        if self.path.is_empty() { name.to_owned() } else { [self.path, ".", name].concat() }
    }

    fn wrong(&self, name: &str, found: &str) {
        self.note(self.path_of(name), found);
    }

    /// The field, unless absent or null.
    fn get(&self, name: &str) -> Option<Item<'a>> {
        let mut rest = self.rest.get()?;
        let found = rest.named(self.all?, name);
        self.rest.set(Some(rest));
        found.filter(|value| !value.is_null())
    }

    fn object(&self, name: &str, path: &'a str) -> Fields<'a> {
        let object = self.get(name);
        if let Some(other) = object.filter(|value| !value.is_object()) {
            self.wrong(name, other.kind());
        }
        Fields::of(path, object, self.wrong, self.whole)
    }

    fn string(&self, name: &str) -> Option<Text> {
        let value = self.get(name)?;
        match value.data() {
            Data::String(_) => return Some(value.text_in(self.whole)),
            _ => self.wrong(name, value.kind()),
        }
        None
    }

    fn boolean(&self, name: &str) -> Option<bool> {
        let value = self.get(name)?;
        match value.data() {
            Data::Bool(is) => return Some(is),
            _ => self.wrong(name, value.kind()),
        }
        None
    }

    fn amount(&self, name: &str) -> Option<ExactText> {
        let value = self.get(name)?;
        let read = match value.data() {
            Data::Integer(integer) => ExactText::from_number(&i128::from(integer).digits()),
            // A service may print a number into a string, exponent and all.
            Data::Number(_) | Data::Double(_) | Data::String(_) => {
                ExactText::from_text(value.text_in(self.whole))
            }
            _ => {
                self.wrong(name, value.kind());
                return None;
            }
        };
        if read.is_err() {
            self.wrong(name, "not an amount");
        }
        read.ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::encode::encode_reply;
    use crate::response::Explorer;

    const SELL: &str = r#"{"result":{"mint":"M","wallet":"W","sellAmount":18446744073709551617,"preTokenBalance":"1.50",
        "postTokenBalance":0,"signature":"S","transactionResult":{"success":true,"signature":"S","results":"ok"},
        "tokenAccount":"T","tokenAccountClosed":true},
        "explorer":{"mint":"https://e/token/M","wallet":"https://e/account/W","tx":"https://e/tx/S"},
        "launchpad":{"mint":"https://l/coin/M"},"extra":{"deep":[1]}}"#;

    fn decoded(operation: Operation, body: &str) -> Result<Trade, String> {
        decode(operation, body.as_bytes(), &ReplyNames::default()).map_err(|error| error.message())
    }

    #[test]
    fn a_log_of_a_trade_shows_neither_its_raw_reply_nor_its_results() {
        let body = br#"{"result":{"mint":"M","transactionResult":{"success":true,"results":["sk-in-results"]}},"more":"sk-in-raw"}"#;
        let shown = format!("{:?}", decode(Operation::Buy, body, &ReplyNames::default()).unwrap());
        assert!(shown.contains("\"M\"") && shown.contains("success: Some(true)"), "{shown}");
        assert!(!shown.contains("sk-in"), "{shown}");
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
    fn a_replys_own_field_exact_is_as_unknown_as_any() {
        for exact in ["{\"buyAmount\":\"999\"}", "{}", "true", "null"] {
            let body = [r#"{"result":{"buyAmount":5},"exact":"#, exact, "}"].concat();
            assert_eq!(decoded(Operation::Buy, &body).unwrap().result.amount.unwrap().as_str(), "5");
        }
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
            ("", "the reply has an unexpected end, at byte 0"),
            ("[]", "in the reply, the whole is an array"),
            ("{}", "in the reply, result is missing"),
            (r#"{"result":[]}"#, "in the reply, result is an array"),
            (
                r#"{"result":{"transactionResult":{"success":"true"}}}"#,
                "in the reply, result.transactionResult.success is a string",
            ),
            (
                r#"{"result":{"transactionResult":{"success":1}}}"#,
                "in the reply, result.transactionResult.success is a number",
            ),
            (
                r#"{"result":{"transactionResult":"ok"}}"#,
                "in the reply, result.transactionResult is a string",
            ),
            (r#"{"result":{"buyAmount":-1}}"#, "in the reply, result.buyAmount is not an amount"),
            (r#"{"result":{"buyAmount":"lots"}}"#, "in the reply, result.buyAmount is not an amount"),
            (r#"{"result":{"mint":5}}"#, "in the reply, result.mint is a number"),
            (r#"{"result":{},"result":{}}"#, "the reply has a duplicate field, at byte 21"),
        ];
        for (body, message) in cases {
            assert_eq!(decoded(Operation::Buy, body).unwrap_err(), message, "{body}");
        }
    }

    #[test]
    fn other_words_for_the_branded_fields_are_read_when_set() {
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
