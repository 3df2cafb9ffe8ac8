//! What balances prove, compared with a ledger that knows the truth. A trade lands, fails, never runs or lands late; a service
//! rounds, fills in part and charges fees; strangers send gifts; the wallets sign other transactions; some balances are not read,
//! and some are read wrongly. Whatever is called proven is what happened.

use crate::{rents, seeded};

use launchpad_desk::amount::Digits;
use launchpad_desk::api::endpoint::Operation;
use launchpad_desk::api::request::{Amount, Request};
use launchpad_desk::api::validate::{Rules, Valid, validate};
use launchpad_desk::bindings::object;
use launchpad_desk::tape::{Data, Number, Tape};
use launchpad_desk::trade::reconcile::{Balances, Certainty, Change, Found, Reading, Shown, reconcile};
use proptest::prelude::*;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fate {
    Landed,
    Failed,
    NeverRan,
    /// Not yet, when the balances are read the second time.
    Late,
}

/// How the tokens of one wallet are read. Its lamports are always read as they are, or not at all.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Misread {
    /// As they were before: too early, or from a node that lags behind.
    TooEarly,
    /// As zero the second time: the account was not found.
    NotFoundNow,
    /// As zero the first time.
    NotFoundBefore,
    /// As zero both times.
    NeverFound,
}

/// What a wallet holds, and what of it is read.
#[derive(Clone, Debug)]
struct Account {
    tokens: u64,
    lamports: u64,
    reads_tokens: bool,
    reads_lamports: bool,
}

/// What strangers send to a wallet, or what it signs besides the trade.
#[derive(Clone, Debug)]
struct Activity {
    wallet: usize,
    tokens: i64,
    lamports: i64,
}

/// How the service and the network carry out a trade.
#[derive(Clone, Debug)]
struct Service {
    /// What a sell brings for each base unit, in thousandths of a lamport.
    price: u64,
    /// How much of a buy's lamports is taken, in percent; the rest of the curve is sold.
    fill: u64,
    rounds_up: bool,
    /// Whether a share of zero base units lands; otherwise it fails.
    lands_on_zero: bool,
    rent: u64,
    /// The network's fee beyond 5,000 lamports for one signature, if the request does not bound it.
    more_fee: u64,
    /// Whether the first sell brings exactly the fee.
    brings_fee: bool,
}

fn account() -> impl Strategy<Value = Account> {
    let tokens = prop_oneof![1 => 0..60u64, 3 => 2_000..9_000u64];
    let lamports = 50_000_000..90_000_000u64;
    let reads = || prop_oneof![1 => Just(false), 4 => Just(true)];
    (tokens, lamports, reads(), reads()).prop_map(|(tokens, lamports, reads_tokens, reads_lamports)| {
        Account { tokens, lamports, reads_tokens, reads_lamports }
    })
}

fn gift() -> impl Strategy<Value = Activity> {
    // Gifts of sizes other than any sell: one of exactly the same amount is the documented exception.
    let amounts = prop_oneof![
        (1_001..2_000i64, prop_oneof![Just(0), 0..5_000_000i64]),
        (Just(0), 1..900i64),
        (Just(0), 100_000_000..900_000_000i64),
    ];
    (0..4usize, amounts).prop_map(|(wallet, (tokens, lamports))| Activity { wallet, tokens, lamports })
}

/// A transaction that a wallet signed: a fee, a transfer, a buy or a sell of the same token.
fn signed() -> impl Strategy<Value = Activity> {
    let amounts = prop_oneof![
        (Just(0), -40_000..-4_999i64),
        (Just(0), -9_000_000..-1_000_000i64),
        (-50..0i64, -5_000..=0i64),
        (1..900i64, -900_000..-5_000i64),
        (-900..0i64, -5_000..900_000i64),
    ];
    (0..4usize, amounts).prop_map(|(wallet, (tokens, lamports))| Activity { wallet, tokens, lamports })
}

fn service() -> impl Strategy<Value = Service> {
    let price = prop_oneof![Just(0), 1..3_000u64, 100_000..900_000u64];
    let fill = prop_oneof![3 => Just(100), 1 => 1..100u64];
    let rent = prop_oneof![Just(0), Just(rents::token_account())];
    let more_fee = prop_oneof![Just(0), 1..3_000_000u64];
    let brings_fee = prop_oneof![1 => Just(true), 4 => Just(false)];
    (price, fill, any::<bool>(), any::<bool>(), rent, more_fee, brings_fee).prop_map(
        |(price, fill, rounds_up, lands_on_zero, rent, more_fee, brings_fee)| Service {
            price,
            fill,
            rounds_up,
            lands_on_zero,
            rent,
            more_fee,
            brings_fee,
        },
    )
}

fn misread() -> impl Strategy<Value = Misread> {
    prop_oneof![
        2 => Just(Misread::TooEarly),
        2 => Just(Misread::NotFoundNow),
        1 => Just(Misread::NotFoundBefore),
        1 => Just(Misread::NeverFound),
    ]
}

/// A wallet and an amount: small ones, any, and the one that is 100 %.
fn leg() -> impl Strategy<Value = (u8, u64)> {
    (0..3u8, prop_oneof![1..60u64, 1..1_000u64, Just(99)])
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
        _ => object! {
            "mint": "M", "feePayer": payer, "sells": list, "priorityUnitLimit": limit, "priorityUnitPrice": 50u32,
        },
    };
    validate(operation, value.root(), &Rules::default()).unwrap()
}

fn place(wallet: &str) -> usize {
    usize::from(wallet.as_bytes()[1] - b'0')
}

/// Runs a request on the accounts, for this fee; returns whether it landed.
fn run(request: &Request, accounts: &mut [Account], service: &Service, fee: u64) -> bool {
    for (place_of_leg, leg) in request.legs.iter().enumerate() {
        let account = &mut accounts[place(&leg.from_wallet)];
        let sold = match leg.amount.expect("an amount") {
            Amount::Lamports(lamports) => {
                let paid = (lamports * service.fill / 100).max(1);
                if account.tokens == 0 {
                    account.lamports -= service.rent;
                }
                account.lamports -= paid;
                account.tokens += 1 + paid / 3;
                continue;
            }
            Amount::Tokens(amount) => amount.tokens.to_units(0).unwrap(),
            Amount::Percentage(percentage) => {
                let hundredfold = account.tokens * percentage.0.to_units(0).unwrap();
                if service.rounds_up { hundredfold.div_ceil(100) } else { hundredfold / 100 }
            }
        };
        if sold > account.tokens || sold == 0 && !service.lands_on_zero {
            return false;
        }
        account.tokens -= sold;
        let brings_fee = service.brings_fee && place_of_leg == 0;
        account.lamports += if brings_fee { fee } else { sold * service.price / 1_000 };
        if sold > 0 && account.tokens == 0 {
            account.lamports += service.rent;
        }
    }
    true
}

fn moved(amount: u64, by: i64) -> u64 {
    amount.saturating_add_signed(by)
}

proptest! {
    #![proptest_config(seeded::cases(1_500))]

    #[test]
    fn what_is_proven_is_what_happened(
        operation in prop::sample::select(vec![
            Operation::BundleBuy, Operation::BundleSell, Operation::BundleSellByPercentage,
        ]),
        legs in prop_oneof![prop::collection::vec(leg(), 1), prop::collection::vec(leg(), 2..4)],
        payer in prop::option::of(0..4u8),
        has_bound in any::<bool>(),
        accounts in prop::collection::vec(account(), 4),
        fate in prop::sample::select(vec![Fate::Landed, Fate::Failed, Fate::NeverRan, Fate::Late]),
        gifts in prop_oneof![1 => Just(Vec::new()), 1 => prop::collection::vec(gift(), 1..3)],
        others in prop_oneof![4 => Just(Vec::new()), 1 => prop::collection::vec(signed(), 1..3)],
        others_first in any::<bool>(),
        service in service(),
        misread in prop::option::of(misread()),
        hides in prop_oneof![1 => Just(true), 5 => Just(false)],
    ) {
        // One wallet that trades and pays is what most bots have. If its sell brings exactly the fee, and its tokens are read too early,
        // nothing seems to have moved.
        let hides = hides && operation != Operation::BundleBuy;
        let legs = if hides { vec![legs[0]] } else { legs };
        let payer = payer.filter(|_| !hides).unwrap_or(legs[0].0);
        let fate = if hides { Fate::Landed } else { fate };
        let (gifts, others) = if hides { (Vec::new(), Vec::new()) } else { (gifts, others) };
        let service = Service { brings_fee: service.brings_fee || hides, ..service };
        let misread = if hides { Some(Misread::TooEarly) } else { misread };
        let misread = misread.map(|how| (usize::from(legs[0].0), how));
        let request = request(operation, &legs, payer, has_bound);
        let mut service = service;
        let mut gifts = gifts;
        if misread.is_some() {
            // Two faults at once: tokens that are read wrongly, and a stranger or a service that hides it in the lamports.
            service.fill = 100;
            gifts.retain(|gift| gift.tokens == 0 && gift.lamports > 900);
        }
        // A share of a holding that somebody has changed is another share.
        let others_first = others_first && operation != Operation::BundleSellByPercentage;
        let act = |accounts: &mut Vec<Account>| {
            for Activity { wallet, tokens, lamports } in gifts.iter().chain(&others) {
                accounts[*wallet].tokens = moved(accounts[*wallet].tokens, *tokens);
                accounts[*wallet].lamports = moved(accounts[*wallet].lamports, *lamports);
            }
        };
        let mut later = accounts.clone();
        if others_first {
            act(&mut later);
        }
        let mut tried = later.clone();
        let fee = 5_000 + if has_bound { 10 } else { service.more_fee };
        let ran = matches!(fate, Fate::Landed) && run(&request, &mut tried, &service, fee);
        if ran {
            later = tried;
        }
        // A trade that should land but is refused by the program is a failure, and costs the fee as well.
        if matches!(fate, Fate::Landed | Fate::Failed) {
            later[usize::from(payer)].lamports -= fee;
        }
        if !others_first {
            act(&mut later);
        }

        let tokens_of = |at: usize| {
            let (before, after) = (accounts[at].tokens, later[at].tokens);
            let (before, after) = match misread {
                Some((wallet, Misread::TooEarly)) if wallet == at => (before, before),
                Some((wallet, Misread::NotFoundNow)) if wallet == at => (before, 0),
                Some((wallet, Misread::NotFoundBefore)) if wallet == at => (0, after),
                Some((wallet, Misread::NeverFound)) if wallet == at => (0, 0),
                _ => (before, after),
            };
            Change { before, after }
        };
        let lamports_of = |at: usize| Change { before: accounts[at].lamports, after: later[at].lamports };
        let readings: Vec<Reading> = (0..4)
            .map(|at| Reading {
                wallet: format!("W{at}"),
                tokens: accounts[at].reads_tokens.then(|| tokens_of(at)),
                lamports: accounts[at].reads_lamports.then(|| lamports_of(at)),
            })
            .collect();
        let can_still_land = fate == Fate::Late;
        let wallets_shared = !others.is_empty();
        let balances = Balances { readings, token_decimals: 0, can_still_land, wallets_shared };
        let answer = reconcile(&request, &balances);

        let traders: Vec<usize> = request.legs.iter().map(|leg| place(&leg.from_wallet)).collect();
        let concerned: Vec<usize> = traders.iter().copied().chain([usize::from(payer)]).collect();
        // The documented exception: an account that was not found, in a wallet that a stranger sent lamports to.
        let is_gone = matches!(misread, Some((wallet, Misread::NotFoundNow))
            if gifts.iter().any(|gift| gift.wallet == wallet));
        if !is_gone && answer.certainty == Certainty::Proven {
            prop_assert_eq!(answer.landed, Some(ran), "{:?}", answer);
            prop_assert!(ran || fate != Fate::Late, "nothing proves that a trade will not land");
        }
        prop_assert_eq!(answer.landed.is_none(), answer.certainty == Certainty::Unknown);
        let found = if ran { Found::Landed } else { Found::DidNotLand };
        prop_assert_eq!(answer.found.is_some(), answer.certainty == Certainty::Proven);
        prop_assert!(is_gone || answer.found.is_none_or(|said| said == found));
        if answer.found == Some(Found::DidNotLand) {
            for &at in &concerned {
                prop_assert!(accounts[at].reads_lamports, "a proof without the lamports of W{}", at);
            }
            for &at in &traders {
                prop_assert!(accounts[at].reads_tokens, "a proof without the tokens of W{}", at);
            }
        }
        let unsure = Balances { wallets_shared: true, ..balances.clone() };
        prop_assert!(reconcile(&request, &unsure).certainty != Certainty::Proven);

        // What can be known is known: with everything read as it was, and nobody else about.
        let is_read = concerned.iter().all(|&at| accounts[at].reads_tokens && accounts[at].reads_lamports);
        if gifts.is_empty() && others.is_empty() && misread.is_none() && is_read && service.fill == 100 {
            let shows = |what| answer.findings.iter().any(|finding| finding.shows == what);
            if ran && (shows(Shown::Trade) || operation == Operation::BundleBuy) {
                prop_assert_eq!(answer.landed, Some(true), "{:?}", answer);
            }
            if ran && operation == Operation::BundleBuy && traders.iter().any(|&at| at != usize::from(payer)) {
                prop_assert_eq!(answer.certainty, Certainty::Proven, "{:?}", answer);
            }
            let sold = traders.iter().all(|&at| later[at].tokens > 0 && later[at].tokens < accounts[at].tokens);
            if ran && sold {
                prop_assert_eq!(answer.certainty, Certainty::Proven, "{:?}", answer);
            }
            // What a sell brings may be exactly the fee that its own wallet pays.
            let can_net_to_zero = operation != Operation::BundleBuy && traders.contains(&usize::from(payer));
            if fate == Fate::NeverRan && shows(Shown::Nothing) && !can_net_to_zero {
                prop_assert_eq!(answer.certainty, Certainty::Proven, "{:?}", answer);
            }
        }
    }
}
