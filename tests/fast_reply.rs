//! The scan of a reply against the plain way: where it finds the fields, `decode` reads the same.
#![cfg(not(target_arch = "wasm32"))]

use hot::reply::{FALSE, NOWHERE, Span, TRUE};
use launchpad_desk::api::decode::{ReplyNames, decode};
use launchpad_desk::api::endpoint::Operation;
use launchpad_desk::api::response::Trade;
use launchpad_desk::api::spans::{PLACES, Place, Shape};
use launchpad_desk::json;
use proptest::prelude::*;

const SELL: &str = concat!(
    r#"{"result":{"mint":"M","wallet":"W","sellAmount":18446744073709551617,"preTokenBalance":"1.5","postTokenBalance":0,"#,
    r#""signature":"S","transactionResult":{"success":true,"signature":"S","results":"ok"},"tokenAccount":"T","#,
    r#""tokenAccountClosed":false},"explorer":{"mint":"https://e/token/M","wallet":"https://e/account/W","#,
    r#""tx":"https://e/tx/S","tokenAccount":"t"},"launchpad":{"mint":"https://l/coin/M"}}"#,
);

fn scanned(operation: Operation, reply: &str, names: &ReplyNames) -> Option<[Span; PLACES]> {
    let mut spans = [NOWHERE; PLACES];
    Shape::of(names)?.find_fields(operation, reply.as_bytes(), &mut spans).map(|()| spans)
}

/// Each field's text as the scan found it and as `decode` read it.
fn fields(reply: &str, spans: &[Span; PLACES], trade: &Trade) -> [(Option<String>, Option<String>); 16] {
    let text = |place: Place| {
        let Span { from, to, .. } = spans[place as usize];
        (to > 0).then(|| reply[from as usize..to as usize].to_owned())
    };
    let flag = |place: Place| {
        let Span { to, .. } = spans[place as usize];
        [(TRUE, "true"), (FALSE, "false")]
            .into_iter()
            .find(|(flag, _)| *flag == to)
            .map(|(_, word)| word.to_owned())
    };
    let results = match spans[Place::Results as usize] {
        Span { from: 0, .. } => flag(Place::Results).unwrap_or("null".to_owned()),
        _ => text(Place::Results).unwrap(),
    };
    let (result, links) = (trade.result.clone(), trade.explorer.clone());
    let amount = |amount: Option<launchpad_desk::amount::Decimal>| amount.map(|amount| amount.into_text());
    let word = |flag: Option<bool>| flag.map(|flag| flag.to_string());
    [
        (text(Place::Mint), result.mint),
        (text(Place::Wallet), result.wallet),
        (text(Place::Amount), amount(result.amount)),
        (text(Place::PreTokenBalance), amount(result.pre_token_balance)),
        (text(Place::PostTokenBalance), amount(result.post_token_balance)),
        (text(Place::Signature), result.signature),
        (flag(Place::Success), word(result.transaction.success)),
        (text(Place::TransactionSignature), result.transaction.signature),
        (Some(results), Some(json::write(&result.transaction.results))),
        (text(Place::TokenAccount), result.token_account),
        (flag(Place::TokenAccountClosed), word(result.token_account_closed)),
        (text(Place::ExplorerMint), links.mint),
        (text(Place::ExplorerWallet), links.wallet),
        (text(Place::ExplorerTx), links.tx),
        (text(Place::ExplorerTokenAccount), links.token_account),
        (text(Place::LaunchpadMint), trade.launchpad_mint.clone()),
    ]
}

/// Whether the reply goes the fast way; where it does, both must read the same.
fn goes_fast(operation: Operation, reply: &str, names: &ReplyNames) -> bool {
    let Some(spans) = scanned(operation, reply, names) else { return false };
    let trade = decode(operation, reply.as_bytes(), names)
        .unwrap_or_else(|error| panic!("{}: {reply}", error.message()));
    for (fast, plain) in fields(reply, &spans, &trade) {
        assert_eq!(fast, plain, "{reply}");
    }
    for place in [Place::Amount, Place::PreTokenBalance, Place::PostTokenBalance] {
        let Span { from, to, number } = spans[place as usize];
        let digits = &reply[from as usize..to as usize];
        let count = digits.bytes().filter(u8::is_ascii_digit).count();
        assert_eq!(number.is_nan(), to == 0 || count > 15, "{digits}");
        assert!(number.is_nan() || digits.parse() == Ok(number), "{digits}");
    }
    true
}

#[test]
fn a_usual_reply_goes_the_fast_way_for_each_operation() {
    let names = ReplyNames::default();
    for operation in Operation::ALL {
        let reply =
            if operation.is_buy() { SELL.replace("sellAmount", "buyAmount") } else { SELL.to_owned() };
        assert!(goes_fast(operation, &reply, &names));
    }
    let spaced = SELL.replace(':', " :\n").replace(',', "\t,\r\n").replace('{', " { ").replace('}', " } ");
    // What was done to the links is text of theirs.
    assert!(goes_fast(Operation::Sell, &spaced.replace(" :\n//", "://"), &names));
    let own = ReplyNames { explorer: "scan".into(), launchpad: "a_name_of_21_letters_".into() };
    let renamed = SELL.replace("explorer", &own.explorer).replace("launchpad", &own.launchpad);
    assert!(goes_fast(Operation::Sell, &renamed, &own));
}

#[test]
fn what_the_fast_way_leaves_to_the_plain_one() {
    let names = ReplyNames::default();
    let left = |from: &str, to: &str| {
        let reply = SELL.replacen(from, to, 1);
        assert_ne!(reply, SELL, "{from}");
        assert!(!goes_fast(Operation::Sell, &reply, &names), "{reply}");
    };
    left(r#""wallet":"W""#, r#""wallet":"W","wallet":"W""#);
    left(r#""wallet":"W""#, r#""wallet":"W","more":1,"more":1"#);
    left(r#""wallet":"W""#, r#""wallet":"W","\u006dore":1"#);
    left(r#""wallet":"W""#, r#""wallet":"W","more":{}"#);
    left(r#""wallet":"W""#, r#""wallet":"é""#);
    left(r#""wallet":"W""#, r#""wallet":5"#);
    left(r#""1.5""#, r#""1.50""#);
    left(r#""1.5""#, "1e3");
    left(r#""1.5""#, "-1");
    left(r#""ok""#, "[]");
    left(r#"{"result""#, r#"{"exact":{},"result""#);
    left(r#""result":{"#, r#""result":null,"other":{"#);
    left(r#"{"result""#, "\u{feff}{\"result\"");
    let long = "x".repeat(22);
    let own = ReplyNames { explorer: long.clone(), launchpad: "launchpad".into() };
    assert!(!goes_fast(Operation::Sell, &SELL.replace("explorer", &long), &own));
    let same = ReplyNames { explorer: "result".into(), launchpad: "launchpad".into() };
    assert!(!goes_fast(Operation::Sell, SELL, &same));
}

#[test]
fn each_byte_may_be_any_other_or_missing() {
    let names = ReplyNames::default();
    let mut fast = 0;
    for at in 0..SELL.len() {
        let (head, tail) = (&SELL[..at], &SELL[at + 1..]);
        for other in [
            "", "\"", "\\", "{", "}", "[", ",", ":", " ", "0", "7", ".", "-", "e", "t", "n", "x", "\n",
            "\u{1}", "é",
        ] {
            fast += u32::from(goes_fast(Operation::Sell, &[head, other, tail].concat(), &names));
        }
        assert!(!goes_fast(Operation::Sell, head, &names));
    }
    assert!(fast > 1_000, "only {fast} went the fast way");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(5_000))]

    #[test]
    fn an_amount_is_the_number_that_its_digits_name(digits in "(0|[1-9][0-9]{0,17})(\\.[0-9]{0,15}[1-9])?") {
        prop_assert!(goes_fast(Operation::Sell, &SELL.replace("1.5", &digits), &ReplyNames::default()));
    }
}
