//! The table of legs, against transactions that are written out, and splits against every other split.

use crate::seeded;

use launchpad_desk::launchpad::capacity::{Addresses, CAPACITIES, Fit, LegKind, WalletLeg, fit, split};
use proptest::prelude::*;

use LegKind::{Buy, OpenAndBuy, Sell, SellAndClose};

const KINDS: [LegKind; 4] = [Buy, OpenAndBuy, Sell, SellAndClose];
const MOST: usize = 1_232;

/// An instruction with every account by name: the first is the program, and the wallet's own accounts are marked `~`.
struct Named {
    names: &'static str,
    data: usize,
}

/// The account lists of the program's published interface, and the two accounts that every trade adds.
const BUY: Named = Named {
    names: "launchpad; global fee_recipient mint curve associated_curve ~associated ~wallet system token creator_vault \
            event_authority launchpad global_volume ~volume fee_config fee_program curve_v2 buyback_recipient",
    data: 8 + 8 + 8 + 1,
};
const SELL: Named = Named {
    names: "launchpad; global fee_recipient mint curve associated_curve ~associated ~wallet system creator_vault token \
            event_authority launchpad fee_config fee_program curve_v2 buyback_recipient",
    data: 8 + 8 + 8,
};
const OPEN: Named =
    Named { names: "associated_token_program; ~wallet ~associated ~wallet mint system token", data: 1 };
const CLOSE: Named = Named { names: "token; ~associated ~wallet ~wallet", data: 1 };
const UNIT_LIMIT: Named = Named { names: "compute_budget;", data: 1 + 4 };
const UNIT_PRICE: Named = Named { names: "compute_budget;", data: 1 + 8 };

/// A transaction, written out as the network reads it; with the addresses that can be in a lookup table in one.
fn written(legs: &[WalletLeg], fee_payer: usize, with_table: bool) -> Vec<u8> {
    let mut instructions: Vec<(usize, &Named)> = vec![(0, &UNIT_LIMIT), (0, &UNIT_PRICE)];
    for leg in legs {
        let parts: &[&Named] = match leg.kind {
            Buy => &[&BUY],
            OpenAndBuy => &[&OPEN, &BUY],
            Sell => &[&SELL],
            SellAndClose => &[&SELL, &CLOSE],
        };
        instructions.extend(parts.iter().map(|part| (leg.wallet, *part)));
    }
    let resolved = |wallet: usize, name: &str| match name.strip_prefix('~') {
        Some(own) => format!("{own} {wallet}"),
        None => name.to_owned(),
    };
    let mut signers = vec![format!("wallet {fee_payer}")];
    let (mut programs, mut others) = (Vec::new(), Vec::new());
    let add = |list: &mut Vec<String>, name: String| {
        if !list.contains(&name) {
            list.push(name);
        }
    };
    for (wallet, named) in &instructions {
        let (program, accounts) = named.names.split_once(';').expect("a program");
        add(&mut programs, resolved(*wallet, program));
        for account in accounts.split_whitespace() {
            let name = resolved(*wallet, account);
            add(if name.starts_with("wallet ") { &mut signers } else { &mut others }, name);
        }
    }
    others.retain(|name| !programs.contains(name));
    let (own, shared): (Vec<String>, Vec<String>) = others.into_iter().partition(|name| name.contains(' '));
    let mut listed: Vec<String> = signers.iter().chain(&programs).chain(&own).cloned().collect();
    if !with_table {
        listed.extend(shared.iter().cloned());
    }
    let place = |name: String| {
        let all = listed.iter().chain(shared.iter().filter(|_| with_table));
        all.into_iter().position(|listed| *listed == name).expect("it is listed") as u8
    };
    let length = |bytes: &mut Vec<u8>, mut count: usize| {
        while count > 0x7f {
            bytes.push(count as u8 | 0x80);
            count >>= 7;
        }
        bytes.push(count as u8);
    };
    let mut bytes = Vec::new();
    length(&mut bytes, signers.len());
    signers.iter().for_each(|_| bytes.extend([7; 64]));
    if with_table {
        bytes.push(0x80);
    }
    bytes.extend([signers.len() as u8, 0, 1]);
    length(&mut bytes, listed.len());
    listed.iter().for_each(|_| bytes.extend([9; 32]));
    bytes.extend([5; 32]);
    length(&mut bytes, instructions.len());
    for (wallet, named) in &instructions {
        let (program, accounts) = named.names.split_once(';').expect("a program");
        bytes.push(place(resolved(*wallet, program)));
        let accounts: Vec<&str> = accounts.split_whitespace().collect();
        length(&mut bytes, accounts.len());
        bytes.extend(accounts.iter().map(|account| place(resolved(*wallet, account))));
        length(&mut bytes, named.data);
        bytes.extend(std::iter::repeat_n(1, named.data));
    }
    if with_table {
        length(&mut bytes, 1);
        bytes.extend([3; 32]);
        // Whichever of them are writable: both kinds have their own count.
        length(&mut bytes, shared.len().min(4));
        length(&mut bytes, shared.len().saturating_sub(4));
        shared.iter().for_each(|name| bytes.push(place(name.clone())));
    }
    bytes
}

fn own(kinds: &[LegKind]) -> Vec<WalletLeg> {
    kinds.iter().enumerate().map(|(wallet, kind)| WalletLeg { wallet, kind: *kind }).collect()
}

fn legs(most: usize) -> impl Strategy<Value = Vec<WalletLeg>> {
    let leg = (0usize..8, 0usize..4).prop_map(|(wallet, kind)| WalletLeg { wallet, kind: KINDS[kind] });
    proptest::collection::vec(leg, 0..most)
}

/// By the bytes of the transaction written out.
fn exact(legs: &[WalletLeg], fee_payer: usize) -> Fit {
    match [false, true].map(|with_table| written(legs, fee_payer, with_table).len() <= MOST) {
        [true, _] => Fit::Plain,
        [_, true] => Fit::WithLookupTable,
        _ => Fit::No,
    }
}

/// Every bundle of up to eight legs, whatever their order.
fn mixes() -> impl Iterator<Item = Vec<LegKind>> {
    let counts = (0..9usize.pow(4)).map(|number| [0, 1, 2, 3].map(|place| number / 9usize.pow(place) % 9));
    counts
        .filter(|counts| (1..=8).contains(&counts.iter().sum::<usize>()))
        .map(|counts| KINDS.iter().zip(counts).flat_map(|(kind, count)| vec![*kind; count]).collect())
}

#[test]
fn no_mix_is_said_to_fit_that_does_not_and_of_those_that_only_buy_or_only_sell_two_are_misjudged() {
    let mut misjudged = Vec::new();
    for kinds in mixes() {
        let legs = own(&kinds);
        let buys = |kind: &LegKind| [Buy, OpenAndBuy].contains(kind);
        let is_mixed = kinds.iter().any(|kind| buys(kind) != buys(&kinds[0]));
        for payer in [0, legs.len()] {
            let (said, exact) = (fit(&legs, payer), exact(&legs, payer));
            assert!(said >= exact, "{legs:?}, paid for by {payer}");
            if said != exact && !is_mixed {
                misjudged.push((kinds.clone(), payer, said, exact));
            }
        }
    }
    let nearly_full = [vec![Buy, Buy, OpenAndBuy], vec![Sell, Sell, Sell, SellAndClose]];
    let bytes = nearly_full.each_ref().map(|kinds| written(&own(kinds), 0, false).len());
    assert_eq!(bytes, [MOST - 2, MOST - 3]);
    assert_eq!(misjudged, nearly_full.map(|kinds| (kinds, 0, Fit::WithLookupTable, Fit::Plain)));
}

proptest! {
    #![proptest_config(seeded::cases(250))]

    #[test]
    fn nothing_is_said_to_fit_that_does_not(legs in legs(9), fee_payer in 0usize..9) {
        prop_assert!(fit(&legs, fee_payer) >= exact(&legs, fee_payer));
    }

    #[test]
    fn no_other_split_has_fewer_transactions(legs in legs(16), fee_payer in 0usize..9, in_table in any::<bool>()) {
        let addresses = if in_table { Addresses::InTable } else { Addresses::WrittenOut };
        let least = if in_table { Fit::WithLookupTable } else { Fit::Plain };
        let has_room = |from: usize, to: usize| fit(&legs[from..to], fee_payer) <= least;
        let parts = split(&legs, fee_payer, addresses);
        let mut next = 0;
        for part in &parts {
            prop_assert!(part.start == next && part.end > part.start && has_room(part.start, part.end));
            next = part.end;
        }
        prop_assert_eq!(next, legs.len());
        // The fewest transactions for each number of legs, whatever the cuts.
        let mut fewest = vec![0usize];
        for end in 1..=legs.len() {
            let ways = (0..end).filter(|from| has_room(*from, end)).map(|from| fewest[from] + 1);
            fewest.push(ways.min().expect("a leg on its own has room"));
        }
        prop_assert_eq!(parts.len(), fewest[legs.len()]);
    }
}

#[test]
fn measured_transactions_have_the_bytes_they_were_measured_to_have() {
    let bytes = |kinds: &[LegKind], payer| written(&own(kinds), payer, false).len();
    assert_eq!(bytes(&[Buy, Buy, Buy], 0), 1_188);
    assert_eq!(bytes(&[Buy, Buy, Buy], 3), 1_188 + 96);
    assert_eq!(bytes(&[OpenAndBuy, OpenAndBuy, Sell], 0), 1_205);
    assert!(KINDS.iter().all(|kind| kind.capacity().kind == *kind));
    assert_eq!(fit(&[], 0), Fit::Plain);
    let measured = CAPACITIES.map(|row| (row.kind, row.legs, row.legs_with_lookup_table));
    assert_eq!(measured, [(Buy, 3, 5), (OpenAndBuy, 2, 4), (Sell, 4, 6), (SellAndClose, 3, 5)]);
}
