//! The bytes of a transaction, against transactions that are written out, and splits against every other split.

use crate::seeded;

use launchpad_desk::launchpad::capacity::{
    Addresses, CAPACITIES, Fit, LegKind, MAX_SIGNATURES, WalletLeg, fit, split, transaction_size,
};
use proptest::prelude::*;

use LegKind::{Buy, OpenAndBuy, Sell, SellAndClose};

const KINDS: [LegKind; 4] = [Buy, OpenAndBuy, Sell, SellAndClose];
const MOST: u64 = 1_232;

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

/// Each leg by its own wallet, from wallet 0.
fn own(kinds: &[LegKind]) -> Vec<WalletLeg> {
    kinds.iter().enumerate().map(|(wallet, kind)| WalletLeg { wallet, kind: *kind }).collect()
}

fn legs(most: usize) -> impl Strategy<Value = Vec<WalletLeg>> {
    let leg = (0usize..8, 0usize..4).prop_map(|(wallet, kind)| WalletLeg { wallet, kind: KINDS[kind] });
    proptest::collection::vec(leg, 0..most)
}

fn kinds_of(legs: &[WalletLeg]) -> Vec<LegKind> {
    legs.iter().map(|leg| leg.kind).collect()
}

fn signers(legs: &[WalletLeg], fee_payer: usize) -> u64 {
    let mut wallets: Vec<usize> = legs.iter().map(|leg| leg.wallet).chain([fee_payer]).collect();
    wallets.sort_unstable();
    wallets.dedup();
    wallets.len() as u64
}

proptest! {
    #![proptest_config(seeded::cases(250))]

    #[test]
    fn bytes_are_those_of_the_transaction_written_out(legs in legs(60), fee_payer in 0usize..9) {
        let size = transaction_size(&legs, fee_payer);
        prop_assert_eq!(size.signatures, signers(&legs, fee_payer));
        prop_assert_eq!(size.bytes, written(&legs, fee_payer, false).len() as u64);
        prop_assert_eq!(size.bytes_with_lookup_table, written(&legs, fee_payer, true).len() as u64);
    }

    #[test]
    fn by_kinds_and_signatures_alone_nothing_is_said_to_fit_that_does_not(legs in legs(8), fee_payer in 0usize..9) {
        let exact = transaction_size(&legs, fee_payer).fit();
        let kinds = kinds_of(&legs);
        prop_assert!(fit(&kinds, signers(&legs, fee_payer)) >= exact);
        // With one leg for each wallet, their number is enough for an exact result.
        let apart = own(&kinds);
        for payer in [0, kinds.len()] {
            prop_assert_eq!(fit(&kinds, signers(&apart, payer)), transaction_size(&apart, payer).fit());
        }
    }

    #[test]
    fn no_other_split_has_fewer_transactions(legs in legs(16), fee_payer in 0usize..9, in_table in any::<bool>()) {
        let addresses = if in_table { Addresses::InTable } else { Addresses::WrittenOut };
        let has_room = |from: usize, to: usize| {
            let size = transaction_size(&legs[from..to], fee_payer);
            MOST >= if in_table { size.bytes_with_lookup_table } else { size.bytes }
        };
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
    let buys = own(&[Buy, Buy, Buy]);
    assert_eq!(transaction_size(&buys, 0).bytes, 1_188);
    assert_eq!(transaction_size(&buys, 3).bytes, 1_188 + 96);
    assert_eq!(transaction_size(&own(&[OpenAndBuy, OpenAndBuy, Sell]), 0).bytes, 1_205);
    assert_eq!(fit(&[Buy, Buy, Buy], 3), Fit::Plain);
    assert_eq!(fit(&[Buy, Buy, Buy], 4), Fit::WithLookupTable);
    assert_eq!(fit(&[OpenAndBuy, OpenAndBuy, Sell], 3), Fit::Plain);
}

#[test]
fn capacities_are_those_measured() {
    let measured: Vec<(LegKind, u64, u64)> =
        CAPACITIES.iter().map(|c| (c.kind, c.legs, c.legs_with_lookup_table)).collect();
    assert_eq!(measured, [(Buy, 3, 5), (OpenAndBuy, 2, 4), (Sell, 4, 6), (SellAndClose, 3, 5)]);
    for capacity in CAPACITIES {
        assert_eq!(capacity.kind.capacity(), capacity);
        let fits = |count: u64| fit(&vec![capacity.kind; count as usize], count);
        assert_eq!(fits(capacity.legs), Fit::Plain);
        assert_eq!(fits(capacity.legs + 1), Fit::WithLookupTable);
        assert_eq!(fits(capacity.legs_with_lookup_table), Fit::WithLookupTable);
        assert_eq!(fits(capacity.legs_with_lookup_table + 1), Fit::No);
    }
    // By the bytes of signatures and their addresses only.
    assert_eq!(MAX_SIGNATURES, MOST / 96);
    assert_eq!(fit(&[Sell], MAX_SIGNATURES + 1), Fit::No);
    assert_eq!(fit(&[Sell], u64::MAX), Fit::No);
    assert_eq!(fit(&[], 0), Fit::Plain);
}
