//! Whether a reply contradicts the request, or itself. Such a reply does not say what happened to the trade.

use crate::api::endpoint::Operation;
use crate::api::request::Request;
use crate::api::response::{Status, Trade};
use crate::tape::Item;
use crate::text::Text;
use crate::trade::chain_error::{Said, says_something};
use crate::trade::part::has_part;
use crate::trade::redact::REDACTED;

/// What was asked: the operation and, if known, the request, whose names the reply must repeat.
#[derive(Clone, Copy, Debug)]
pub struct Asked<'a> {
    pub operation: Operation,
    pub request: Option<&'a Request>,
}

impl From<Operation> for Asked<'_> {
    fn from(operation: Operation) -> Self {
        Asked { operation, request: None }
    }
}

impl<'a> From<&'a Request> for Asked<'a> {
    fn from(request: &'a Request) -> Self {
        Asked { operation: request.operation, request: Some(request) }
    }
}

/// What is wrong with a reply that reads as `trade`, in words; `None` if nothing is. Missing or empty fields contradict
/// nothing.
pub fn contradiction(asked: Asked, trade: &Trade, reply: Item) -> Option<&'static str> {
    of_another_trade(asked, trade, reply).or_else(|| in_itself(trade, reply))
}

/// What shows that a reply may be that of another trade: then its signature may be the other's, too.
pub fn of_another_trade(asked: Asked, trade: &Trade, reply: Item) -> Option<&'static str> {
    let names = asked.request.and_then(|request| other_names(request, trade));
    names.or_else(|| other_side(asked.operation, reply)).or_else(|| two_signatures(trade))
}

/// What the reply says of its transaction, and denies. Where `transactionResult` does not say whether it succeeded, a `true` elsewhere adds
/// nothing, but a `false` contradicts: a failed transaction says so itself.
fn in_itself(trade: &Trade, reply: Item) -> Option<&'static str> {
    let said = Said::of(reply);
    let success = trade.result.transaction.success;
    let did_not_fail = success != Some(false);
    let found = [
        (!did_not_fail && said.succeeds, "it reports success, but its transactionResult does not"),
        (did_not_fail && said.fails, "it reports failure, but its transactionResult does not"),
        (did_not_fail && said.is_error, "it has the chain's error, but its transactionResult did not fail"),
        (did_not_fail && said.has_error, "it has an error, but its transactionResult did not fail"),
        (
            success == Some(true) && said.is_open,
            "it reports success, but also that nobody knows how it ended",
        ),
    ];
    other_amounts(trade, said).or_else(|| found.into_iter().find(|(is, _)| *is).map(|(_, what)| what))
}

/// Amounts that deny what the reply says of its transaction: nothing was traded although it landed, or balances moved although it failed.
/// The chain's own error weighs more than balances, which other trades move, too.
fn other_amounts(trade: &Trade, said: Said) -> Option<&'static str> {
    let result = &trade.result;
    let balances = result.pre_token_balance.as_ref().zip(result.post_token_balance.as_ref());
    let has_moved = balances.map(|(before, after)| before != after);
    let is_zero = result.amount.as_ref().is_some_and(|amount| amount.as_str() == "0");
    match (trade.status, trade.operation.is_buy()) {
        (Status::Failed, _) if has_moved == Some(true) && !said.is_proof() => {
            Some("it reports failure, but its token balances differ")
        }
        (Status::Landed, true) if is_zero && has_moved != Some(true) => {
            Some("it reports success, but that nothing was bought")
        }
        (Status::Landed, false) if is_zero && has_moved != Some(true) => {
            Some("it reports success, but that nothing was sold")
        }
        _ => None,
    }
}

/// A different mint or wallet than the request's.
fn other_names(request: &Request, trade: &Trade) -> Option<&'static str> {
    let is_other = |name: &str, asked: &str| !name.is_empty() && name != asked && !has_part(name, REDACTED);
    if trade.result.mint.as_ref().is_some_and(|mint| is_other(mint, &request.mint)) {
        return Some("it names a different mint than the request");
    }
    // A bundle's reply need not name a wallet; but a wallet that it names must have taken part.
    let payer = request.fee_payer.as_deref().filter(|_| request.operation.is_bundle());
    let mut wallets = request.legs.iter().map(|leg| leg.from_wallet.as_str()).chain(payer);
    let is_foreign = |wallet: &Text| wallets.all(|asked| is_other(wallet, asked));
    let is_foreign = trade.result.wallet.as_ref().is_some_and(is_foreign);
    is_foreign.then_some("it names a different wallet than the request")
}

/// An amount sold in answer to a buy, or bought in answer to a sell.
fn other_side(operation: Operation, reply: Item) -> Option<&'static str> {
    let (name, what) = match operation.is_buy() {
        true => ("sellAmount", "it answers a buy with a sellAmount"),
        false => ("buyAmount", "it answers a sell with a buyAmount"),
    };
    reply.get("result")?.get(name).filter(|amount| says_something(*amount)).map(|_| what)
}

fn two_signatures(trade: &Trade) -> Option<&'static str> {
    let (outer, inner) = (trade.result.signature.as_ref()?, trade.result.transaction.signature.as_ref()?);
    let differ = !outer.is_empty() && !inner.is_empty() && outer != inner;
    differ.then_some("its result and its transactionResult have different signatures")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::api::decode::{ReplyNames, read};
    use crate::api::validate::{Rules, validate};
    use crate::tape::json;

    const BUY: &str = r#"{"mint":"M","fromWallet":"W","amountInLamports":1,"feePayer":"P"}"#;
    const SELL: &str = r#"{"mint":"M","fromWallet":"W","amountInToken":1}"#;
    const BUNDLE: &str = r#"{"mint":"M","feePayer":"P","buys":[{"fromWallet":"W","amountInLamports":1},{"fromWallet":"V","amountInLamports":1}]}"#;

    /// What is found in the reply to a request. If the request is empty, only its operation is known.
    fn found(operation: Operation, request: &str, reply: &str) -> Option<&'static str> {
        let value = json::parse(reply.as_bytes()).unwrap();
        let trade = read(operation, value.root(), &ReplyNames::default(), "result").unwrap();
        let request = json::parse(request.as_bytes()).ok();
        let request = request.map(|request| validate(operation, request.root(), &Rules::default()).unwrap());
        let asked = request.as_ref().map_or(operation.into(), |request| Asked::from(&**request));
        contradiction(asked, &trade, value.root())
    }

    const MINT: Option<&str> = Some("it names a different mint than the request");
    const WALLET: Option<&str> = Some("it names a different wallet than the request");

    #[test]
    fn names_are_those_that_were_asked_for() {
        let cases = [
            (r#"{"mint":"M","wallet":"W"}"#, None, None),
            (r#"{"mint":"N","wallet":"W"}"#, MINT, MINT),
            (r#"{"mint":"m"}"#, MINT, MINT),
            (r#"{"mint":"M","wallet":"X"}"#, WALLET, WALLET),
            // The fee payer of a single trade has not traded; in a bundle it may be the one that is named.
            (r#"{"mint":"M","wallet":"P"}"#, WALLET, None),
            (r#"{"mint":"M","wallet":"V"}"#, WALLET, None),
            (r#"{"mint":null,"wallet":""}"#, None, None),
            ("{}", None, None),
            // A name that contained the key cannot be compared.
            (r#"{"mint":"[redacted]","wallet":"a[redacted]"}"#, None, None),
        ];
        for (result, single, bundle) in cases {
            let reply = format!("{{\"result\":{result}}}");
            assert_eq!(found(Operation::Buy, BUY, &reply), single, "{reply}");
            assert_eq!(found(Operation::BundleBuy, BUNDLE, &reply), bundle, "{reply}");
            assert_eq!(found(Operation::Buy, "", &reply), None, "{reply}");
            // Of a failure, too: that of another trade proves nothing.
            let failed = reply.replacen("{\"mint", "{\"transactionResult\":{\"success\":false},\"mint", 1);
            assert_eq!(found(Operation::Buy, BUY, &failed), single, "{failed}");
        }
    }

    #[test]
    fn the_amount_is_of_the_side_that_was_asked_for() {
        let sold = Some("it answers a buy with a sellAmount");
        let bought = Some("it answers a sell with a buyAmount");
        for (amount, counts) in
            [("5", true), ("\"5\"", true), ("0", false), ("\"0.00\"", false), ("null", false)]
        {
            let reply = |name| format!("{{\"result\":{{\"{name}\":{amount}}}}}");
            for request in [BUY, ""] {
                let answered = found(Operation::Buy, request, &reply("sellAmount"));
                assert_eq!(answered, sold.filter(|_| counts));
                assert_eq!(found(Operation::Buy, request, &reply("buyAmount")), None);
            }
            for request in [SELL, ""] {
                let answered = found(Operation::Sell, request, &reply("buyAmount"));
                assert_eq!(answered, bought.filter(|_| counts));
            }
            assert_eq!(found(Operation::BundleBuy, BUNDLE, &reply("sellAmount")), sold.filter(|_| counts));
        }
    }

    #[test]
    fn a_reply_says_one_thing_of_its_transaction() {
        let yes = Some("it reports success, but its transactionResult does not");
        let no = Some("it reports failure, but its transactionResult does not");
        let error = Some("it has an error, but its transactionResult did not fail");
        // A field beside the transaction, and what is found if the transaction landed, failed, or does not say.
        let cases = [
            (r#""success":true"#, [None, yes, None]),
            (r#""success":false"#, [no, None, no]),
            (r#""ok":false"#, [no, None, no]),
            (r#""success":"false""#, [no, None, no]),
            (r#""success":0"#, [no, None, no]),
            (r#""success":null"#, [None, None, None]),
            (r#""success":"partly""#, [None, None, None]),
            (r#""error":"no funds""#, [error, None, error]),
            (r#""errors":[{"code":7}]"#, [error, None, error]),
            (r#""error":{"code":7}"#, [error, None, error]),
            (r#""error":true"#, [error, None, error]),
            (r#""error":null,"errors":[]"#, [None, None, None]),
            (r#""error":"","errors":{}"#, [None, None, None]),
            (r#""error":false,"errors":0"#, [None, None, None]),
            (r#""success":false,"error":"no funds""#, [no, None, no]),
        ];
        for (beside, expected) in cases {
            for (success, expected) in ["true", "false", "null"].into_iter().zip(expected) {
                let inner = format!("\"transactionResult\":{{\"success\":{success}}}");
                for reply in [
                    format!("{{{beside},\"result\":{{{inner}}}}}"),
                    format!("{{\"result\":{{{beside},{inner}}}}}"),
                ] {
                    assert_eq!(found(Operation::Buy, BUY, &reply), expected, "{reply}");
                    assert_eq!(found(Operation::Buy, "", &reply), expected, "{reply}");
                }
            }
        }
        let inside = r#"{"result":{"transactionResult":{"success":true,"error":"custom program error"}}}"#;
        assert_eq!(found(Operation::Buy, BUY, inside), error);
    }

    #[test]
    fn a_transaction_that_did_not_fail_has_no_error_of_the_chain() {
        let chain = Some("it has the chain's error, but its transactionResult did not fail");
        let error = Some("it has an error, but its transactionResult did not fail");
        let denied = Some("it reports failure, but its transactionResult does not");
        let yes = Some("it reports success, but its transactionResult does not");
        let open = Some("it reports success, but also that nobody knows how it ended");
        let cases = [
            (r#"{"err":{"InstructionError":[3,{"Custom":6002}]}}"#, chain),
            (r#""{\"InstructionError\":[3,{\"Custom\":6002}]}""#, chain),
            (r#""Error processing Instruction 3: custom program error: 0x1772""#, chain),
            (r#"{"err":{"code":-32005}}"#, error),
            (r#""{\"error\":\"late\"}""#, error),
            (r#"[{"wallet":"W","success":true},{"wallet":"V","error":"insufficient funds"}]"#, error),
            (r#"{"context":{"slot":5},"value":{"err":"ProgramAccountNotFound"}}"#, error),
            (r#""[{\"success\":true},{\"success\":false}]""#, denied),
            (r#"{"legs":{"W":{"ok":false}}}"#, denied),
            (r#"{"legs":[{"wallet":"V","error":{"code":7}}]}"#, error),
            (r#"[{"value":{"error":["late"]}},{"error":7}]"#, error),
            (r#"["{\"errors\":[{\"code\":7}]}"]"#, error),
            (r#""Transaction was not confirmed in 30.00 seconds""#, open),
            (r#"{"legs":[{"wallet":"V","status":"timed out"}]}"#, open),
            (r#"{"legs":[{"err":{},"error":"","errors":0}]}"#, None),
            (r#"{"err":null,"slot":5}"#, None),
            (r#"["ok",{"err":null}]"#, None),
            (r#""ok""#, None),
            ("\"\"", None),
        ];
        for (results, expected) in cases {
            // A part that succeeded denies that all of it failed.
            let of_failure = yes.filter(|_| results.contains("true"));
            let of_silence = expected.filter(|_| expected != open);
            for (success, expected) in [("true", expected), ("null", of_silence), ("false", of_failure)] {
                let reply = format!(
                    r#"{{"result":{{"transactionResult":{{"success":{success},"results":{results}}}}}}}"#
                );
                for (operation, request) in
                    [(Operation::Buy, BUY), (Operation::Sell, SELL), (Operation::BundleBuy, BUNDLE)]
                {
                    assert_eq!(found(operation, request, &reply), expected, "{reply}");
                }
            }
        }
    }

    #[test]
    fn what_landed_traded_something_and_what_failed_moved_nothing() {
        let bought = Some("it reports success, but that nothing was bought");
        let sold = Some("it reports success, but that nothing was sold");
        let moved = Some("it reports failure, but its token balances differ");
        // The amount, the balances before and after, and whether that contradicts a success, and a failure.
        let cases = [
            ("0", "12", "12", true, false),
            ("\"0.00\"", "\"12.0\"", "12", true, false),
            ("0", "0", "0", true, false),
            ("0", "null", "null", true, false),
            ("0", "12", "null", true, false),
            // Balances that moved outweigh a zero, which may only stand for what is not known.
            ("0", "12", "15", false, true),
            // Balances that are read too early are usual.
            ("5", "12", "12", false, false),
            ("null", "12", "12", false, false),
            ("5000", "0", "5000", false, true),
            ("null", "null", "null", false, false),
        ];
        for (amount, before, after, of_success, of_failure) in cases {
            for (operation, request, name, what) in [
                (Operation::Buy, BUY, "buyAmount", bought),
                (Operation::Sell, SELL, "sellAmount", sold),
                (Operation::BundleBuy, BUNDLE, "buyAmount", bought),
            ] {
                let reply = |success| {
                    format!(
                        r#"{{"result":{{"{name}":{amount},"preTokenBalance":{before},"postTokenBalance":{after},"transactionResult":{{"success":{success}}}}}}}"#
                    )
                };
                let found = |success| found(operation, request, &reply(success));
                assert_eq!(found("true"), what.filter(|_| of_success), "{}", reply("true"));
                assert_eq!(found("false"), moved.filter(|_| of_failure), "{}", reply("false"));
                assert_eq!(found("null"), None);
                assert_eq!(
                    found(r#"false,"results":{"err":{"InstructionError":[3,{"Custom":6003}]}}"#),
                    None
                );
            }
        }
    }

    #[test]
    fn a_transaction_has_one_signature() {
        let differ = Some("its result and its transactionResult have different signatures");
        for (outer, inner, expected) in [
            ("\"S\"", "\"S\"", None),
            ("\"S\"", "\"T\"", differ),
            ("null", "\"T\"", None),
            ("\"S\"", "\"\"", None),
        ] {
            let reply = format!(
                "{{\"result\":{{\"signature\":{outer},\"transactionResult\":{{\"signature\":{inner}}}}}}}"
            );
            assert_eq!(found(Operation::Sell, SELL, &reply), expected, "{reply}");
        }
    }
}
