//! The guards compared with a plain book of everything that happened, over random histories: every admission and every refusal,
//! with its code, is the one that the book calls for.

use crate::seeded;

use std::collections::{BTreeMap, BTreeSet};

use launchpad_desk::amount::SlippageUnit;
use launchpad_desk::api::endpoint::Operation;
use launchpad_desk::api::request::Request;
use launchpad_desk::api::validate::{Rules, Valid, validate};
use launchpad_desk::bindings::object;
use launchpad_desk::error::Code;
use launchpad_desk::intent::{IntentOutcome, Settlement};
use launchpad_desk::tape::Tape;
use launchpad_desk::trade::guard::{Found, Guards, Mode, Settings};
use proptest::prelude::*;

const HOUR_MS: u64 = 3_600_000;
const DAY_MS: u64 = 24 * HOUR_MS;

/// A gateway answered that it waits for approval.
const WAITING: Settlement = Settlement {
    outcome: IntentOutcome::Unknown,
    code: Some(Code::AwaitingApproval),
    status: Some(202),
    signature: None,
    proven: false,
};

/// One thing that happens.
#[derive(Clone, Debug)]
enum Event {
    Admit {
        id: u8,
        legs: Vec<(u8, u64)>,
        is_buy: bool,
    },
    Recheck(usize),
    Settle(usize, Settlement),
    Acknowledge(u8, Found),
    Halt,
    Reduce,
    Resume,
    /// The clock, which may jump back.
    Clock(i64),
}

fn event() -> impl Strategy<Value = Event> {
    let lamports = prop_oneof![4 => 1..400u64, 1 => Just(u64::MAX), 1 => u64::MAX - 5..=u64::MAX];
    let legs = prop::collection::vec((0..5u8, lamports), 1..4);
    let settlements = IntentOutcome::ALL.map(Settlement::from).into_iter().chain([WAITING]);
    let settlement = prop::sample::select(settlements.collect::<Vec<_>>());
    let found = prop::sample::select(vec![Found::Landed, Found::DidNotLand]);
    prop_oneof![
        8 => (0..12u8, legs, any::<bool>()).prop_map(|(id, legs, is_buy)| Event::Admit { id, legs, is_buy }),
        3 => any::<usize>().prop_map(Event::Recheck),
        6 => (any::<usize>(), settlement).prop_map(|(which, settlement)| Event::Settle(which, settlement)),
        3 => (0..12u8, found).prop_map(|(id, found)| Event::Acknowledge(id, found)),
        1 => prop_oneof![1 => Just(Event::Halt), 1 => Just(Event::Reduce), 3 => Just(Event::Resume)],
        2 => (-30..40i64).prop_map(Event::Clock),
    ]
}

fn request(legs: &[(u8, u64)], is_buy: bool) -> Valid<Request> {
    let wallet = |wallet: &u8| format!("W{wallet}");
    let elements = legs.iter().map(|(from, amount)| match is_buy {
        true => object! { "fromWallet": wallet(from), "amountInLamports": amount },
        false => object! { "fromWallet": wallet(from), "amountInToken": object! { "baseUnits": amount } },
    });
    let list: Vec<Tape> = elements.collect();
    let value = match is_buy {
        true => object! { "mint": "M", "feePayer": "W0", "buys": list },
        false => object! { "mint": "M", "feePayer": "W0", "sells": list },
    };
    let operation = if is_buy { Operation::BundleBuy } else { Operation::BundleSell };
    validate(operation, value.root(), &Rules::default()).unwrap()
}

/// One trade that was admitted.
#[derive(Clone, Debug)]
struct Entry {
    id: u8,
    wallets: BTreeSet<u8>,
    lamports: u128,
    is_buy: bool,
    day: u64,
    outcome: Option<IntentOutcome>,
    found: Option<Found>,
    ticket: u64,
}

impl Entry {
    fn is_unresolved(&self) -> bool {
        self.outcome == Some(IntentOutcome::Unknown) && self.found.is_none()
    }

    fn may_have_spent(&self) -> bool {
        match self.outcome {
            None | Some(IntentOutcome::Landed | IntentOutcome::Unconfirmed) => true,
            Some(IntentOutcome::Unknown) => self.found != Some(Found::DidNotLand),
            Some(_) => false,
        }
    }
}

/// Everything that happened, and what follows from it by the documented rules.
struct Book {
    limit_per_trade: u64,
    limit_per_day: u64,
    per_wallet: usize,
    unknowns: u32,
    stops_sells: bool,
    entries: Vec<Entry>,
    mode: Mode,
    in_a_row: u32,
    is_open: bool,
    now_ms: u64,
    latest_day: u64,
}

impl Book {
    fn spent_on(&self, day: u64) -> u128 {
        self.entries.iter().filter(|e| e.day == day && e.may_have_spent()).map(|e| e.lamports).sum()
    }

    /// The current day, which never goes back.
    fn today(&self) -> u64 {
        self.latest_day.max(self.now_ms / DAY_MS)
    }

    fn is_stopped(&self, is_buy: bool) -> bool {
        self.is_open && (is_buy || self.stops_sells)
    }

    fn mode_refuses(&self, is_buy: bool) -> Option<&'static str> {
        match self.mode {
            Mode::Halted => Some("halted"),
            Mode::Reducing if is_buy => Some("reducing"),
            _ => self.is_stopped(is_buy).then_some("breaker_open"),
        }
    }

    /// The code with which a trade is refused.
    fn refuses(&self, id: u8, wallets: &BTreeSet<u8>, lamports: u128, is_buy: bool) -> Option<&'static str> {
        let own = || self.entries.iter().filter(|entry| entry.id == id);
        let in_flight = |wallet: &u8| {
            self.entries.iter().filter(|e| e.outcome.is_none() && e.wallets.contains(wallet)).count()
        };
        if let Some(stopped @ ("halted" | "reducing")) = self.mode_refuses(is_buy) {
            return Some(stopped);
        }
        if own().any(|entry| entry.outcome.is_none()) {
            Some("intent_in_flight")
        } else if own().any(Entry::is_unresolved) {
            Some("intent_unknown")
        } else if own().any(Entry::may_have_spent) {
            Some("intent_landed")
        } else if self.is_stopped(is_buy) {
            Some("breaker_open")
        } else if lamports > self.limit_per_trade.into() {
            Some("over_trade_limit")
        } else if wallets.iter().any(|wallet| in_flight(wallet) >= self.per_wallet) {
            Some("wallet_busy")
        } else if lamports > 0 && self.spent_on(self.today()) + lamports > self.limit_per_day.into() {
            Some("over_day_limit")
        } else {
            None
        }
    }

    /// The trade in flight that an index means.
    fn flight(&self, which: usize) -> Option<usize> {
        let in_flight: Vec<usize> =
            (0..self.entries.len()).filter(|&at| self.entries[at].outcome.is_none()).collect();
        (!in_flight.is_empty()).then(|| in_flight[which % in_flight.len()])
    }
}

proptest! {
    #![proptest_config(seeded::cases(600))]

    #[test]
    fn the_guards_do_what_the_book_calls_for(
        limits in (prop_oneof![6 => 100..900u64, 2 => Just(u64::MAX), 1 => Just(0)], prop_oneof![6 => 200..2_000u64, 2 => Just(u64::MAX), 1 => Just(0)]),
        per_wallet in 1..3u32,
        unknowns in 1..4u32,
        stops_sells: bool,
        events in prop::collection::vec(event(), 1..120),
    ) {
        let mut guards = Guards::new(Settings {
            max_lamports_per_trade: Some(limits.0),
            max_lamports_per_day: Some(limits.1),
            in_flight_per_wallet: per_wallet,
            breaker_unknowns: unknowns,
            breaker_stops_sells: stops_sells,
            slippage_unit: SlippageUnit::Percent,
            count_charges: false,
            ..Settings::default()
        });
        let mut book = Book {
            limit_per_trade: limits.0,
            limit_per_day: limits.1,
            per_wallet: per_wallet as usize,
            unknowns,
            stops_sells,
            entries: Vec::new(),
            mode: Mode::Active,
            in_a_row: 0,
            is_open: false,
            now_ms: 100 * DAY_MS,
            latest_day: 0,
        };
        for event in events {
            match event {
                Event::Admit { id, legs, is_buy } => {
                    let mut wallets: BTreeSet<u8> = legs.iter().map(|(wallet, _)| *wallet).collect();
                    wallets.insert(0);
                    let lamports = if is_buy { legs.iter().map(|(_, amount)| u128::from(*amount)).sum() } else { 0 };
                    let due = book.refuses(id, &wallets, lamports, is_buy);
                    match guards.admit(book.now_ms, id.to_string().as_str(), &request(&legs, is_buy)) {
                        Err(error) => prop_assert_eq!(Some(error.code.as_str()), due),
                        Ok(admission) => {
                            prop_assert_eq!(None, due);
                            book.latest_day = book.today();
                            let (day, ticket) = (book.latest_day, admission.ticket);
                            let entry = Entry { id, wallets, lamports, is_buy, day, outcome: None, found: None, ticket };
                            book.entries.push(entry);
                        }
                    }
                }
                Event::Recheck(which) => {
                    let Some(at) = book.flight(which) else { continue };
                    let entry = book.entries[at].clone();
                    let late = book.now_ms / DAY_MS > entry.day;
                    let over = late && entry.lamports > 0
                        && book.spent_on(book.today()) + entry.lamports > book.limit_per_day.into();
                    let due = book.mode_refuses(entry.is_buy).or(over.then_some("over_day_limit"));
                    let got = guards.recheck(book.now_ms, entry.ticket);
                    prop_assert_eq!(got.as_ref().map_err(|error| error.code.as_str()).err(), due);
                    if let Ok(started_ms) = got {
                        // A restart finds the day in it, except where the clock has jumped back.
                        let day = if late { book.today() } else { entry.day };
                        prop_assert!(started_ms / DAY_MS <= day);
                        prop_assert!(!late || started_ms == book.now_ms);
                        prop_assert!(book.now_ms.saturating_sub(started_ms) <= 5_000, "settled by another time than it is sent");
                    }
                    if due.is_none() && late {
                        book.latest_day = book.today();
                        book.entries[at].day = book.latest_day;
                    }
                }
                Event::Settle(which, settlement) => {
                    let Some(at) = book.flight(which) else { continue };
                    book.entries[at].outcome = Some(settlement.outcome);
                    guards.settle(book.entries[at].ticket, settlement.clone());
                    match settlement.outcome {
                        IntentOutcome::NotSent => {}
                        _ if settlement == WAITING => book.in_a_row = 0,
                        IntentOutcome::Unknown => {
                            book.in_a_row += 1;
                            book.is_open |= book.in_a_row >= book.unknowns;
                        }
                        _ => book.in_a_row = 0,
                    }
                }
                Event::Acknowledge(id, found) => {
                    let at = book.entries.iter().position(|entry| entry.id == id && entry.is_unresolved());
                    prop_assert_eq!(guards.acknowledge(&id.to_string(), found), at.is_some());
                    if let Some(at) = at {
                        book.entries[at].found = Some(found);
                        if !book.entries.iter().any(Entry::is_unresolved) {
                            (book.in_a_row, book.is_open) = (0, false);
                        }
                    }
                }
                Event::Halt => {
                    guards.halt();
                    book.mode = Mode::Halted;
                }
                Event::Reduce => {
                    guards.reduce();
                    book.mode = Mode::Reducing;
                }
                Event::Resume => {
                    guards.resume();
                    (book.mode, book.in_a_row, book.is_open) = (Mode::Active, 0, false);
                }
                Event::Clock(hours) => {
                    book.now_ms = book.now_ms.saturating_add_signed(hours * HOUR_MS as i64);
                }
            }

            // What must be true at every moment, in any order.
            let mut by_day = BTreeMap::<u64, u128>::new();
            for entry in book.entries.iter().filter(|entry| entry.may_have_spent()) {
                *by_day.entry(entry.day).or_default() += entry.lamports;
            }
            prop_assert!(by_day.values().all(|spent| *spent <= limits.1.into()), "{:?}", by_day);
            let state = guards.state(book.now_ms);
            prop_assert_eq!(state.lamports_today, book.spent_on(book.today()));
            prop_assert_eq!((state.mode, state.breaker_open), (book.mode, book.is_open));
            let count = |has: fn(&Entry) -> bool| book.entries.iter().filter(|entry| has(entry)).count();
            prop_assert_eq!(state.in_flight.len(), count(|entry| entry.outcome.is_none()));
            prop_assert_eq!(state.unresolved.len(), count(Entry::is_unresolved));
        }
    }
}
