#![cfg(not(target_arch = "wasm32"))]
//! What balances prove, compared with a ledger that knows the truth: a trade lands, fails or is never run, strangers send
//! gifts, some wallets are not read. Whatever is called proven is what happened.

mod seeded;

use launchpad_desk::amount::Digits;
use launchpad_desk::api::endpoint::Operation;
use launchpad_desk::api::request::{Amount, Request};
use launchpad_desk::api::validate::{Rules, Valid, validate};
use launchpad_desk::object;
use launchpad_desk::tape::{Data, Number, Tape};
use launchpad_desk::trade::reconcile::{Balances, Certainty, Chance, Change, Reading, Wallets, reconcile};
use proptest::prelude::*;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fate {
    Landed,
    Failed,
    NeverRan,
    /// Not yet, when the balances are read the second time.
    Late,
}

/// What a wallet holds and is given, and whether it is read: base units, lamports.
#[derive(Clone, Debug)]
struct Account {
    tokens: u64,
    lamports: u64,
    gift: (u64, u64),
    is_read: bool,
    reads_lamports: bool,
}

fn account() -> impl Strategy<Value = Account> {
    // Gifts of sizes other than any sell: one of exactly the same amount is the documented exception.
    let gift = prop_oneof![3 => Just((0, 0)), 1 => (1_001..2_000u64, prop_oneof![Just(0), 0..5_000_000u64]), 1 => (0..1u64, 0..900u64)];
    (2_000..9_000u64, 50_000_000..90_000_000u64, gift, any::<bool>(), any::<bool>()).prop_map(
        |(tokens, lamports, gift, is_read, reads_lamports)| Account {
            tokens,
            lamports,
            gift,
            is_read,
            reads_lamports,
        },
    )
}

fn request(operation: Operation, legs: &[(u8, u64)], payer: u8, has_bound: bool) -> Valid<Request> {
    let name = |wallet: &u8| format!("W{wallet}");
    let list = legs.iter().map(|(from, size)| match operation {
        Operation::BundleBuy => object! { "fromWallet": name(from), "amountInLamports": 1_000 * size },
        Operation::BundleSell => object! { "fromWallet": name(from), "amountInToken": size.digits() },
        _ => object! { "fromWallet": name(from), "percentage": Number((size % 100 + 1).into()) },
    });
    let list: Vec<Tape> = list.collect();
    let limit = if has_bound { Data::Number("200000") } else { Data::Null };
    let payer = name(&payer);
    let value = match operation {
        Operation::BundleBuy => object! {
            "mint": "M", "feePayer": payer, "buys": list, "priorityUnitLimit": limit, "priorityUnitPrice": 50u32,
        },
        _ => object! { "mint": "M", "feePayer": payer, "sells": list },
    };
    validate(operation, value.root(), &Rules::default()).unwrap()
}

/// Runs a request on the accounts; returns whether there was enough to sell.
fn run(request: &Request, accounts: &mut [Account]) -> bool {
    for leg in &request.legs {
        let at = usize::from(leg.from_wallet.as_bytes()[1] - b'0');
        let account = &mut accounts[at];
        match leg.amount.expect("an amount") {
            Amount::Lamports(lamports) => {
                account.lamports -= lamports;
                account.tokens += 1 + lamports / 3;
            }
            Amount::Tokens(amount) => {
                let Some(left) = account.tokens.checked_sub(amount.tokens.to_units(0).unwrap()) else {
                    return false;
                };
                account.tokens = left;
                account.lamports += 77;
            }
            Amount::Percentage(percentage) => {
                let share = account.tokens * percentage.0.to_units(0).unwrap() / 100;
                if share == 0 {
                    return false;
                }
                account.tokens -= share;
                account.lamports += 77;
            }
        }
    }
    true
}

proptest! {
    #![proptest_config(seeded::cases(4_000))]

    #[test]
    fn what_is_proven_is_what_happened(
        operation in prop::sample::select(vec![
            Operation::BundleBuy, Operation::BundleSell, Operation::BundleSellByPercentage,
        ]),
        legs in prop::collection::vec((0..3u8, 1..1_000u64), 1..4),
        payer in 0..4u8,
        has_bound in any::<bool>(),
        accounts in prop::collection::vec(account(), 4),
        fate in prop::sample::select(vec![Fate::Landed, Fate::Failed, Fate::NeverRan, Fate::Late]),
        gifts_first in any::<bool>(),
    ) {
        let request = request(operation, &legs, payer, has_bound);
        let mut later = accounts.clone();
        let give = |accounts: &mut Vec<Account>| {
            for account in accounts {
                account.tokens += account.gift.0;
                account.lamports += account.gift.1;
            }
        };
        // A share of a holding that a gift has changed is another share.
        let gifts_first = gifts_first && operation != Operation::BundleSellByPercentage;
        if gifts_first {
            give(&mut later);
        }
        let mut tried = later.clone();
        let ran = matches!(fate, Fate::Landed) && run(&request, &mut tried);
        if ran {
            later = tried;
        }
        if ran || fate == Fate::Failed {
            later[usize::from(payer)].lamports -= 5_000;
        }
        if !gifts_first {
            give(&mut later);
        }

        let readings: Vec<Reading> = (0..4)
            .filter(|&at| accounts[at].is_read)
            .map(|at| Reading {
                wallet: format!("W{at}"),
                tokens: Change { before: accounts[at].tokens, after: later[at].tokens },
                lamports: accounts[at].reads_lamports
                    .then_some(Change { before: accounts[at].lamports, after: later[at].lamports }),
            })
            .collect();
        let chance = if fate == Fate::Late { Chance::Left } else { Chance::Gone };
        let balances = Balances { readings, token_decimals: 0, chance, wallets: Wallets::Alone };
        let answer = reconcile(&request, &balances);

        if answer.certainty == Certainty::Proven {
            prop_assert_eq!(answer.landed, Some(ran), "{:?}", answer);
            prop_assert!(ran || fate != Fate::Late, "nothing proves that a trade will not land");
        }
        prop_assert_eq!(answer.landed.is_none(), answer.certainty == Certainty::Open);

        // With no gifts, one wallet that was read is enough.
        let read: Vec<usize> = request.legs.iter().map(|leg| usize::from(leg.from_wallet.as_bytes()[1] - b'0'))
            .filter(|&at| accounts[at].is_read).collect();
        let quiet = accounts.iter().all(|account| account.gift == (0, 0));
        if quiet && !read.is_empty() && fate != Fate::Late {
            prop_assert_eq!(answer.landed, Some(ran));
            let tells = read.iter().any(|&at| {
                !ran || operation != Operation::BundleBuy
                    || (accounts[at].reads_lamports && at != usize::from(payer))
            });
            if tells {
                prop_assert_eq!(answer.certainty, Certainty::Proven);
            }
        }
        let unsure = Balances { wallets: Wallets::Shared, ..balances };
        prop_assert!(reconcile(&request, &unsure).certainty != Certainty::Proven);
    }
}
