//! What a reported failure proves, in whatever form a service has it: through `classify`, as every client asks it.

use crate::seeded;
use launchpad_desk::api::endpoint::{Operation, Reply};
use launchpad_desk::error::{Code, Outcome};
use launchpad_desk::trade::{Dialect, classify};
use proptest::prelude::*;
use proptest::sample::select;

fn outcome_of(results: &str, status: u16) -> (Outcome, Code) {
    let body = format!(
        r#"{{"result":{{"transactionResult":{{"success":false,"signature":"S","results":{results}}}}}}}"#
    );
    let reply = Reply { status, headers: Vec::new(), body: body.into_bytes() };
    let error = classify(Operation::Buy.into(), &reply, &Dialect::default(), 0).unwrap_err();
    (error.outcome, error.code)
}

fn quoted(text: &str) -> String {
    serde_json::to_string(text).unwrap()
}

/// The error of an instruction, as the network writes it.
fn instruction_error() -> impl Strategy<Value = String> {
    const KINDS: [&str; 3] =
        ["\"InvalidAccountData\"", "\"ProgramFailedToComplete\"", "{\"BorshIoError\":\"x\"}"];
    let kind = prop_oneof![
        any::<u32>().prop_map(|code| format!("{{\"Custom\":{code}}}")),
        select(&KINDS[..]).prop_map(str::to_owned)
    ];
    (0..20u8, kind).prop_map(|(index, kind)| format!("{{\"InstructionError\":[{index},{kind}]}}"))
}

fn proof() -> impl Strategy<Value = String> {
    prop_oneof![
        instruction_error(),
        any::<u32>().prop_map(|code| quoted(&format!("custom program error: {code:#x}"))),
        (0..20u8, any::<u32>()).prop_map(|(index, code)| quoted(&format!(
            "Error processing Instruction {index}: custom program error: {code:#x}"
        ))),
        (0..20u8, any::<u32>())
            .prop_map(|(index, code)| quoted(&format!("InstructionError({index}, Custom({code}))"))),
        (0..20u8).prop_map(|index| format!("{{\"InsufficientFundsForRent\":{{\"account_index\":{index}}}}}")),
    ]
}

fn no_proof() -> impl Strategy<Value = String> {
    const SAID: [&str; 11] = [
        "null",
        "{}",
        "[]",
        "\"\"",
        "\"timed out\"",
        "\"simulation failed\"",
        "\"block height exceeded\"",
        "\"Blockhash not found\"",
        "{\"err\":null}",
        "{\"err\":\"BlockhashNotFound\"}",
        "{\"err\":{\"InstructionError\":null}}",
    ];
    prop_oneof![
        select(&SAID[..]).prop_map(str::to_owned),
        (1..9_999u32).prop_map(|ms| quoted(&format!("was not confirmed in {ms} seconds"))),
        // Words of a service without a number in them.
        "[a-z ]{0,60}"
            .prop_filter("no sentence of the chain", |text| !text.contains("insufficient funds for"))
            .prop_map(|text| quoted(&text)),
    ]
}

/// The same within other values, as services pass on what they got.
fn wrapped(value: impl Strategy<Value = String>) -> impl Strategy<Value = String> {
    (value, proptest::collection::vec(0..5u8, 0..6)).prop_map(|(value, wraps)| {
        wraps.iter().fold(value, |value, wrap| match wrap {
            0 => format!("[{value},1]"),
            1 => format!("{{\"slot\":5,\"value\":{value}}}"),
            2 => format!("{{\"err\":{value},\"logs\":[]}}"),
            3 => quoted(&value),
            _ => quoted(&format!("the node said {value}.")),
        })
    })
}

proptest! {
    #![proptest_config(seeded::cases(256))]

    #[test]
    fn the_chains_own_error_proves_it_in_whatever_it_is_wrapped(results in wrapped(proof()), status in select(&[200u16, 201, 400, 422][..])) {
        prop_assert_eq!(outcome_of(&results, status), (Outcome::Failed, Code::TransactionFailed), "{}", results);
    }

    #[test]
    fn nothing_else_proves_it(results in wrapped(no_proof()), status in select(&[200u16, 201, 400, 422][..])) {
        prop_assert_eq!(outcome_of(&results, status), (Outcome::Unknown, Code::UnprovenFailure), "{}", results);
    }

    #[test]
    fn an_open_end_beside_the_error_leaves_it_open(proof in proof(), no_proof in 1..9u8) {
        let open = format!("{{\"attempts\":[{proof},\"attempt {no_proof} was not confirmed in time\"]}}");
        prop_assert_eq!(outcome_of(&open, 200).0, Outcome::Unknown);
    }
}
