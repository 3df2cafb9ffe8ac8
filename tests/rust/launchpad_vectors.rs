//! The launchpad against the recorded answers of the real program, to the lamport: `tests/vectors`, one case a line.

use crate::launchpads::{self, reserves, with_tiers};

use launchpad_desk::launchpad::account::{Share, TokenAccount};
use launchpad_desk::launchpad::cost::Priority;
use launchpad_desk::launchpad::fees::FeeTier;
use launchpad_desk::launchpad::transaction::{Action, Instruction, Transaction, Wallet, execute};
use launchpad_desk::launchpad::{Curve, Launchpad, Token};
use serde_json::Value;

fn cases(text: &str) -> Vec<Value> {
    let file: Value = serde_json::from_str(text).expect("the vectors are JSON");
    file["cases"].as_array().expect("the vectors have cases").clone()
}

/// A number, or a number in a string.
fn integer<T: std::str::FromStr>(value: &Value) -> T {
    let text = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    text.parse().unwrap_or_else(|_| panic!("{text} is no such number"))
}

/// Asserts that `ours` is the recorded number, read as the same type.
#[track_caller]
fn agree<T: std::str::FromStr + PartialEq + std::fmt::Debug>(ours: T, recorded: &Value, case: &Value) {
    assert_eq!(ours, integer::<T>(recorded), "{case}");
}

fn optional<T: std::str::FromStr>(value: &Value) -> Option<T> {
    (!value.is_null()).then(|| integer(value))
}

fn curve(value: &Value) -> Curve {
    let names =
        ["virtual_token_reserves", "virtual_sol_reserves", "real_token_reserves", "real_sol_reserves"];
    reserves(names.map(|name| integer(&value[name])))
}

fn tier(threshold: &Value, protocol: &Value, creator: &Value) -> FeeTier {
    launchpads::tier(integer(threshold), integer(protocol), integer(creator))
}

#[test]
fn single_trades_agree() {
    let cases = cases(include_str!("../vectors/curve.json"));
    assert_eq!(cases.len(), 190);
    for case in &cases {
        let tiers = case["fee_tiers"].as_array().expect("tiers").iter();
        let tiers = tiers.map(|t| {
            tier(&t["market_cap_threshold_lamports"], &t["protocol_fee_bps"], &t["creator_fee_bps"])
        });
        let launchpad = with_tiers(tiers.collect());
        let has_creator = case["has_creator"].as_bool().expect("a boolean");
        let token =
            Token { has_creator, ..Token::new(curve(&case["curve"]), integer(&case["token_supply"])) };
        let (amount, limit) = (integer(&case["amount"]), integer(&case["limit"]));
        let (sign, filled) = match case["operation"].as_str().expect("an operation") {
            "buy_exact_in" => (1, launchpad.buy_exact_in(&token, amount, limit)),
            "buy_exact_out" => (1, launchpad.buy_exact_out(&token, amount, limit)),
            "sell_exact_in" => {
                (-1, launchpad.sell_exact_in(&token, amount, integer(&case["tokens_held"]), limit))
            }
            other => panic!("{other} is not an operation"),
        };
        let fill = match filled {
            Err(refusal) => {
                assert_eq!(Some(refusal.as_str()), case["error"].as_str(), "{case}");
                continue;
            }
            Ok(fill) => fill,
        };
        assert!(case["error"].is_null(), "{case}");
        let expected = &case["expected"];
        agree(-sign * i128::from(fill.wallet_lamports), &expected["trader_lamports_delta"], case);
        agree(sign * i128::from(fill.tokens), &expected["trader_tokens_delta"], case);
        agree(fill.curve_lamports, &expected["curve_lamports"], case);
        agree(fill.fees.protocol_lamports, &expected["protocol_fee"], case);
        agree(fill.fees.creator_lamports, &expected["creator_fee"], case);
        let with_creator = Token { has_creator: true, ..token };
        let rates = launchpad.rates(&with_creator).expect("a tier");
        agree(rates.protocol_bps(), &expected["protocol_fee_bps"], case);
        agree(rates.creator_bps(), &expected["creator_fee_bps"], case);
        assert_eq!(fill.curve_after, curve(&expected["curve_after"]), "{case}");
        assert_eq!(expected["curve_after"]["complete"], fill.curve_after.is_complete(), "{case}");
    }
}

fn wallet(value: &Value) -> Wallet {
    let account = TokenAccount {
        tokens: integer(&value["tokens"]),
        lamports: integer(&value["token_account_lamports"]),
        ..TokenAccount::default()
    };
    let open = value["token_account_open"].as_bool().expect("a boolean");
    Wallet {
        lamports: integer(&value["lamports"]),
        token_account: open.then_some(account),
        ..Wallet::default()
    }
}

fn wallets(value: &Value) -> Vec<Wallet> {
    value.as_array().expect("wallets").iter().map(wallet).collect()
}

fn action(step: &Value) -> Action {
    let [amount, limit] = ["amount", "limit"].map(|name| optional(&step[name]).unwrap_or(0));
    match step["operation"].as_str().expect("an operation") {
        "open_token_account" => Action::OpenTokenAccount,
        "close_token_account" => Action::CloseTokenAccount,
        "buy_exact_in" => Action::BuyExactIn { lamports: amount, min_tokens: limit },
        "buy_exact_out" => Action::BuyExactOut { tokens: amount, max_lamports: limit },
        "sell_exact_in" => Action::SellExactIn { tokens: amount, min_lamports: limit },
        other => panic!("{other} is not an operation"),
    }
}

#[test]
fn whole_transactions_agree() {
    let cases = cases(include_str!("../vectors/transactions.json"));
    assert_eq!(cases.len(), 40);
    let mut failed = 0;
    for case in &cases {
        let launchpad = Launchpad {
            fee_tiers: vec![tier(&Value::from(0), &case["protocol_fee_bps"], &case["creator_fee_bps"])],
            rent_lamports_per_byte: integer(&case["rent_lamports_per_byte"]),
            token_account_bytes: integer(&case["token_account_bytes"]),
            ..Launchpad::default()
        };
        let token = Token { curve: curve(&case["curve"]), ..launchpad.new_token() };
        let before = wallets(&case["wallets"]);
        let steps: Vec<Instruction> = case["steps"]
            .as_array()
            .expect("steps")
            .iter()
            .map(|step| Instruction { wallet: integer(&step["wallet"]), action: action(step) })
            .collect();
        let transaction = Transaction {
            fee_payer: integer(&case["fee_payer"]),
            signatures: integer(&case["signatures"]),
            priority: Priority {
                unit_limit: optional(&case["compute_unit_limit"]),
                unit_price_micro_lamports: optional(&case["compute_unit_price_micro_lamports"]),
            },
            steps: &steps,
        };
        let executed = execute(&launchpad, &token, &before, &transaction);
        let error = executed.outcome.as_ref().err().map(|failure| failure.refusal.as_str());
        assert_eq!(error, case["error"].as_str(), "{case}");
        assert_eq!(executed.wallets, wallets(&case["wallets_after"]), "{case}");
        assert_eq!(executed.token.curve, curve(&case["curve_after"]), "{case}");
        failed += usize::from(error.is_some());
    }
    assert_eq!(failed, 4, "the vectors hold failed transactions too");
}

#[test]
fn percentages_of_holdings_agree() {
    let mut seen = 0;
    for case in &cases(include_str!("../vectors/transactions.json")) {
        let before = wallets(&case["wallets"]);
        for step in case["steps"].as_array().expect("steps") {
            let Some(bps) = optional::<u128>(&step["percentage_of_holdings_bps"]) else { continue };
            let held = before[integer::<usize>(&step["wallet"])].tokens();
            let share = Share::new(bps, 10_000).expect("a share");
            agree(share.of(held), &step["amount"], case);
            seen += 1;
        }
    }
    assert_eq!(seen, 20);
}
