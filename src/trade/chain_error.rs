//! Whether what a service says of a transaction has the chain's own error in it. Only that proves that the transaction failed: services
//! also report failure when a confirmation took too long, and the transaction lands a moment later.
//!
//! The names are those of the network's `TransactionError` and `InstructionError` (crates `solana-transaction-error` and
//! `solana-instruction-error`), in their JSON form, their `Debug` form and their sentences; `AnchorError` is what programs log.

use super::part::{has_part, places};
use crate::tape::{Data, Item, json};

/// The errors with which the network ends a transaction for good: its name, and its sentence. Each is the verdict on the transaction itself.
const FINAL: [(&str, &str); 11] = [
    // It ran, was undone and is recorded with its fee.
    ("insufficientfundsforrent", "with insufficient funds for rent"),
    ("invalidrentpayingaccount", "leaves an account with a lower balance than rent-exempt minimum"),
    ("unbalancedtransaction", "sum of account balances before and after transaction do not match"),
    // It is recorded with its fee, and does not run (SIMD-0082).
    ("maxloadedaccountsdatasizeexceeded", "transaction exceeded max loaded accounts data size cap"),
    ("invalidprogramforexecution", "this program may not be used for executing instructions"),
    // Its payer has too little: like an instruction's error, by the balances that the network has.
    ("insufficientfundsforfee", "insufficient funds for fee"),
    // No network takes these bytes, however often they are sent.
    ("duplicateinstruction", "contains a duplicate instruction"),
    ("sanitizefailure", "failed to sanitize accounts offsets correctly"),
    ("signaturefailure", "did not pass signature verification"),
    ("accountloadedtwice", "account loaded twice"),
    ("toomanyaccountlocks", "locked too many accounts"),
];

/// What says that nobody knows how it ended, even beside an error, which may be that of another attempt.
///
/// Not in either table, because they prove nothing: a full block or an account in use (`WouldExceed…`, `AccountInUse`; it is tried
/// again), an account that is not found (the node may lag), "simulation failed" without the reason, and a node's own error.
const OPEN: [&str; 17] = [
    // The client libraries' sentences after waiting in vain: "It is unknown if it succeeded or failed."
    "not confirmed",
    "unknown if it",
    "unable to confirm transaction",
    "failed to confirm transaction",
    // So say operating systems and runtimes that waited.
    "timed out",
    "timeout",
    "etimedout",
    "deadline exceeded",
    "deadline has elapsed",
    // It may have landed in the last block that it could. The number is what a library says of that in production.
    "block height exceeded",
    "blockheightexceeded",
    "progressed past the last block",
    "solana error #1;",
    // The node that was asked lags, or is ahead; another one may have taken it.
    "blockhash not found",
    "blockhashnotfound",
    // It was processed, and nobody says how.
    "already been processed",
    "alreadyprocessed",
];

/// Whether a text in small letters says that nobody knows how a transaction ended.
pub(super) fn is_open(text: &[u8]) -> bool {
    OPEN.iter().any(|words| places(text, words).next().is_some())
}

/// What else begins an error of the chain, with its number after it.
const INSTRUCTION: &str = "instructionerror";
const PROCESSING: &str = "error processing instruction ";
const PROGRAM: &str = "custom program error: ";
const ANCHOR: &str = "anchorerror";

/// What the second, third and fourth byte of a word above may be, for each first one: a bit for each letter. Most texts are signatures
/// and addresses, which have no such place, and are read once.
static NEXT: [[u32; 3]; 32] = {
    let mut next = [[0; 3]; 32];
    add_words(&mut next, &[INSTRUCTION, PROCESSING, PROGRAM, ANCHOR]);
    add_words(&mut next, &OPEN);
    let mut at = 0;
    while at < FINAL.len() {
        add_words(&mut next, &[FINAL[at].0, FINAL[at].1]);
        at += 1;
    }
    next
};

const fn add_words(next: &mut [[u32; 3]; 32], words: &[&str]) {
    let mut at = 0;
    while at < words.len() {
        let word = words[at].as_bytes();
        let mut after = 0;
        while after < 3 {
            next[(word[0] & 31) as usize][after] |= 1 << (word[after + 1] & 31);
            after += 1;
        }
        at += 1;
    }
}

/// Whether one of the words is in the text, in small or capital letters.
fn may_say(text: &str) -> bool {
    let text = text.as_bytes();
    text.windows(4).enumerate().any(|(at, bytes)| {
        let [first, second, third, fourth] = *bytes else { return false };
        let next = &NEXT[usize::from(first & 31)];
        let fits = next[0] >> (second & 31) & next[1] >> (third & 31) & next[2] >> (fourth & 31) & 1 == 1;
        fits && text.get(at..).is_some_and(begins_a_word)
    })
}

/// Whether a text begins with one of the words.
#[inline(never)]
fn begins_a_word(text: &[u8]) -> bool {
    let begins =
        |word: &str| text.get(..word.len()).is_some_and(|start| start.eq_ignore_ascii_case(word.as_bytes()));
    [INSTRUCTION, PROCESSING, PROGRAM, ANCHOR].into_iter().any(begins)
        || OPEN.into_iter().any(begins)
        || FINAL.into_iter().any(|(name, words)| begins(name) || begins(words))
}

/// How deep values, and JSON within texts, are read.
const MAX_DEPTH: u8 = 24;

/// What a service says of a transaction.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Said {
    /// It has the chain's own error.
    pub(super) is_error: bool,
    /// It says that nobody knows how the transaction ended.
    pub(super) is_open: bool,
    /// It has an error of any kind.
    pub(super) has_error: bool,
    /// It says of a part, or of all, that it succeeded, and that it did not.
    pub(super) succeeds: bool,
    pub(super) fails: bool,
}

impl Said {
    /// What a whole reply says: in its `transactionResult`, and in the fields beside it that errors stand in.
    pub(super) fn of(reply: Item) -> Said {
        let mut said = Said::default();
        let result = reply.get("result");
        if let Some(transaction) = result.and_then(|result| result.get("transactionResult")) {
            said.read(transaction, MAX_DEPTH);
        }
        for (name, item) in [Some(reply), result].into_iter().flatten().filter_map(Item::fields).flatten() {
            if said.note(name, item) {
                said.read(item, MAX_DEPTH);
            }
        }
        said
    }

    /// Takes what a field says by its name; returns whether it is one that errors stand in.
    fn note(&mut self, name: &str, item: Item) -> bool {
        let is_error = ERROR_NAMES.contains(&name);
        self.has_error |= is_error && says_something(item);
        if ["success", "ok"].contains(&name) {
            let is = as_bool(item);
            self.succeeds |= is == Some(true);
            self.fails |= is == Some(false);
        }
        is_error
    }

    /// Whether it proves that the transaction failed.
    pub(super) fn is_proof(self) -> bool {
        self.is_error && !self.is_open
    }

    fn read(&mut self, value: Item, depth: u8) {
        let Some(depth) = depth.checked_sub(1) else { return };
        match value.data() {
            Data::String(text) => self.read_text(text, depth),
            Data::Array(items) => items.for_each(|item| self.read(item, depth)),
            Data::Object(fields) => {
                for (name, item) in fields {
                    self.note(name, item);
                    let is = |own: &str| own.eq_ignore_ascii_case(name);
                    self.is_error |= may_say(name)
                        && match is(INSTRUCTION) {
                            true => is_instruction_error(item),
                            false => FINAL.iter().any(|(own, _)| is(own)) && !item.is_null(),
                        };
                    self.read(item, depth);
                }
            }
            _ => {}
        }
    }

    fn read_text(&mut self, text: &str, depth: u8) {
        if text.trim_start().starts_with(['{', '['])
            && let Ok(inner) = json::parse(text.as_bytes())
        {
            return self.read(inner.root(), depth);
        }
        if !may_say(text) {
            return;
        }
        let text = text.to_ascii_lowercase();
        self.is_open |= is_open(text.as_bytes());
        self.is_error |= FINAL.iter().any(|(name, words)| has_word(&text, name) || has_part(&text, words))
            || has_then(&text, INSTRUCTION, |rest| {
                // JSON within a sentence, quoted or not; or Rust's own form.
                let rest = rest.trim_start_matches(['"', '\\', '\'', ':', ' ', '\n', '\t']);
                rest.strip_prefix(['[', '(']).is_some_and(starts_with_digit)
            })
            || has_then(&text, PROCESSING, starts_with_digit)
            || has_then(&text, PROGRAM, |rest| {
                let rest = rest.strip_prefix("0x").or_else(|| rest.strip_prefix('#')).unwrap_or(rest);
                rest.starts_with(|c: char| c.is_ascii_hexdigit())
            })
            || (has_part(&text, ANCHOR) && has_then(&text, "error number: ", starts_with_digit));
    }
}

/// The names under which errors stand.
const ERROR_NAMES: [&str; 3] = ["error", "errors", "err"];

/// A boolean, in any of the forms that services use.
fn as_bool(value: Item) -> Option<bool> {
    match value.data() {
        Data::Bool(is) => Some(is),
        Data::String(text) | Data::Number(text) => match text {
            "true" | "1" => Some(true),
            "false" | "0" => Some(false),
            _ => None,
        },
        _ => None,
    }
}

/// Whether a field holds anything.
pub(super) fn says_something(value: Item) -> bool {
    match value.data() {
        Data::Null | Data::Foreign(_) => false,
        Data::Bool(is) => is,
        Data::Integer(integer) => integer != 0,
        Data::String(text) | Data::Number(text) | Data::Double(text) | Data::BigInt(text) => {
            text.chars().any(|c| !matches!(c, '0' | '.' | '-') && !c.is_whitespace())
        }
        Data::Array(items) => !items.is_empty(),
        Data::Object(fields) => fields.len() > 0,
    }
}

/// Whether this is the index of an instruction, and its error: `[3, {"Custom": 6003}]`.
fn is_instruction_error(item: Item) -> bool {
    let Data::Array(mut parts) = item.data() else { return false };
    let is_index = matches!(parts.next().map(Item::data), Some(Data::Integer(_) | Data::Number(_)));
    is_index && parts.next().is_some_and(|error| !error.is_null())
}

fn starts_with_digit(text: &str) -> bool {
    text.trim_start().starts_with(|c: char| c.is_ascii_digit())
}

/// Whether the words are somewhere in the text, and what follows them fits.
fn has_then(text: &str, words: &str, fits: impl Fn(&str) -> bool) -> bool {
    places(text.as_bytes(), words).any(|at| text.get(at + words.len()..).is_some_and(&fits))
}

/// Whether a name is in the text, and not as a part of a longer one.
fn has_word(text: &str, name: &str) -> bool {
    let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_';
    places(text.as_bytes(), name).any(|at| {
        let before = text.get(..at).is_some_and(|text| text.ends_with(is_part));
        let after = text.get(at + name.len()..).is_some_and(|text| text.starts_with(is_part));
        !before && !after
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_word_is_found_wherever_it_stands_and_in_any_letters() {
        let own = [INSTRUCTION, PROCESSING, PROGRAM, ANCHOR];
        let words = FINAL.into_iter().flat_map(|(name, words)| [name, words]).chain(OPEN).chain(own);
        for word in words {
            for text in [word.to_owned(), ["5Kt é", word].concat(), [word, " x"].concat()] {
                assert!(may_say(&text) && may_say(&text.to_ascii_uppercase()), "{text}");
            }
            assert!(!may_say(word.get(..word.len() - 1).unwrap()), "{word}");
        }
        assert!(!may_say("5VERYLongSignatureInsuTimeoAlreadyBlockheighT"));
    }

    fn said(results: &str) -> Said {
        let reply =
            format!(r#"{{"result":{{"transactionResult":{{"success":false,"results":{results}}}}}}}"#);
        Said::of(json::parse(reply.as_bytes()).unwrap().root())
    }

    fn quoted(text: &str) -> String {
        json::write(&crate::tape::ToTape::to_tape(&text.to_owned()))
    }

    /// The chain's own errors, as JSON values.
    const PROOFS: [&str; 22] = [
        r#"{"InstructionError":[3,{"Custom":6003}]}"#,
        r#"{"err":{"InstructionError":[2,{"Custom":1}]}}"#,
        r#"{"err":{"InstructionError":[0,"InvalidAccountData"]},"logs":[]}"#,
        r#"[{"value":{"err":{"InsufficientFundsForRent":{"account_index":0}}}}]"#,
        r#"{"err":"InsufficientFundsForFee"}"#,
        r#"{"err":{"DuplicateInstruction":4}}"#,
        r#""custom program error: 0x1772""#,
        r#""Custom program error: #6003""#,
        r#""failed to send transaction: Transaction simulation failed: Error processing Instruction 3: custom program error: 0x1""#,
        r#""Error processing Instruction 0: invalid account data for instruction""#,
        r#""InstructionError(3, Custom(6003))""#,
        r#""TransactionError: InsufficientFundsForRent { account_index: 1 }""#,
        r#""Transaction results in an account (1) with insufficient funds for rent""#,
        r#""Insufficient funds for fee""#,
        r#""{\"InstructionError\":[3,{\"Custom\":6003}]}""#,
        r#""Transaction 5Kt failed ({\"err\":{\"InstructionError\":[2,{\"Custom\":1}]}})""#,
        r#""{\"data\":\"{\\\"err\\\":{\\\"InstructionError\\\":[2,{\\\"Custom\\\":1}]}}\"}""#,
        r#""Program log: AnchorError occurred. Error Code: TooLittleSolReceived. Error Number: 6003. Error Message: slippage.""#,
        r#"{"logs":["Program 6EF8 failed: custom program error: 0x1773"]}"#,
        r#"{"name":"SendTransactionError","message":"x","transactionError":{"InstructionError":[1,{"Custom":0}]}}"#,
        r#"{"code":-32002,"data":{"err":{"InstructionError":[4,"ProgramFailedToComplete"]}}}"#,
        r#"" {\"instructionError\": [1, {\"Custom\": 30}]}""#,
    ];

    /// What services say besides, as JSON values.
    const NO_PROOFS: [&str; 30] = [
        r#""""#,
        "null",
        "false",
        "0",
        "[]",
        "{}",
        r#""failed""#,
        r#""slippage exceeded""#,
        r#""simulation failed""#,
        r#""Transaction was not confirmed in 30.00 seconds. It is unknown if it succeeded or failed.""#,
        r#""TransactionExpiredBlockheightExceededError: Signature 5Kt has expired: block height exceeded.""#,
        r#""Transaction simulation failed: Blockhash not found""#,
        r#"{"err":"BlockhashNotFound"}"#,
        r#"{"err":"AlreadyProcessed"}"#,
        r#""This transaction has already been processed""#,
        r#"{"err":"AccountNotFound"}"#,
        r#"{"err":"AccountInUse"}"#,
        r#"{"err":"WouldExceedMaxBlockCostLimit"}"#,
        r#"{"err":null,"confirmationStatus":"processed"}"#,
        r#"{"value":{"err":null,"logs":["Program 6EF8 success"]}}"#,
        r#"{"err":{}}"#,
        r#"{"err":{"code":-32005,"message":"Node is behind by 150 slots"}}"#,
        r#"{"err":{"InstructionError":null}}"#,
        r#"{"InstructionError":[]}"#,
        r#"{"InstructionError":[3,null]}"#,
        r#""{\"err\":null}""#,
        r#""no InstructionError was seen""#,
        r#""custom program error""#,
        r#""failed (null)""#,
        r#"{"code":-32603,"message":"Internal error"}"#,
    ];

    #[test]
    fn the_chains_own_error_is_proof_in_each_of_its_forms() {
        for results in PROOFS {
            assert!(said(results).is_proof(), "{results}");
        }
    }

    #[test]
    fn what_a_service_says_besides_proves_nothing() {
        for results in NO_PROOFS {
            assert!(!said(results).is_proof(), "{results}");
        }
    }

    #[test]
    fn an_error_of_an_earlier_attempt_does_not_say_how_the_last_one_ended() {
        for open in [
            "Attempt 1: custom program error: 0x1772. Attempt 2 was not confirmed in 30.00 seconds.",
            "custom program error: 0x1; then: block height exceeded",
            "attempt 1: custom program error: 0x1772; attempt 2: Unable to confirm transaction.",
        ] {
            let said = said(&quoted(open));
            assert!(said.is_error && said.is_open, "{open}");
        }
        let beside = r#"{"error":"timed out","result":{"transactionResult":{"success":false,"results":"custom program error: 0x1"}}}"#;
        assert!(!Said::of(json::parse(beside.as_bytes()).unwrap().root()).is_proof());
    }

    #[test]
    fn an_error_beside_the_results_is_read_and_a_name_or_a_signature_is_not() {
        let of = |reply: &str| Said::of(json::parse(reply.as_bytes()).unwrap().root()).is_proof();
        assert!(of(
            r#"{"error":"custom program error: 0x1","result":{"transactionResult":{"success":false}}}"#
        ));
        assert!(of(
            r#"{"result":{"transactionResult":{"success":false,"err":{"InstructionError":[0,{"Custom":1}]}}}}"#
        ));
        assert!(!of(r#"{"name":"custom program error: 0x1","result":{"mint":"custom program error: 0x1"}}"#));
    }
}
