//! The machine that carries out exits, over random histories: looks that are old, hide the tokens, stand still, fail or never come; sells
//! whose answer is lost, that are accepted, refused or invented, and that arrive late; a journal and a disk that fail; a person who pauses,
//! closes and says how an order ended; drivers that are dropped and programs that start again with any state that was kept, or none. A world
//! that knows the truth checks every step.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use crate::exits::plan;
use crate::seeded;
use crate::settle_model::Random;

use launchpad_desk::error::Code;
use launchpad_desk::evidence::Seen;
use launchpad_desk::intent::{IntentOutcome, IntentState};
use launchpad_desk::launchpad::plan::SplitMix64;
use launchpad_desk::launchpad::{Launchpad, Token};
use launchpad_desk::strategy::manage::{
    Checked, Event, Known, Looked, ManageStep, Manager, Received, Sold, Terms, Why,
};
use launchpad_desk::strategy::units::Millis;
use launchpad_desk::strategy::{ExitHappening, ExitOrder, ExitPosition, ExitReason, ExitState};
use proptest::prelude::*;

/// `npm run prove` draws eighty times as many.
const CASES: u32 = 600;
const SOL: u64 = 1_000_000_000;
const FEE: i128 = 5_000;
/// How long a node may lag behind.
const LAG_MS: u64 = 20_000;
/// How long a look may wait for what a sell has brought while there is something to protect.
const SOON_MS: u32 = 250;
const EVERY_MS: u32 = 700;
const TIMEOUT_MS: u32 = 9_000;

/// The launchpad, and the token at the position's stop, above it, at its first take-profit, and at both.
static MARKET: LazyLock<(Launchpad, u64, [Token; 4])> = LazyLock::new(|| {
    let launchpad = Launchpad::default();
    let bought = launchpad.buy_exact_in(&launchpad.new_token(), SOL, 1).unwrap();
    let at_stop = Token { curve: bought.curve_after, ..launchpad.new_token() };
    let after = |lamports| {
        let curve = launchpad.buy_exact_in(&at_stop, lamports, 1).unwrap().curve_after;
        Token { curve, ..at_stop }
    };
    let tokens = [at_stop, after(2 * SOL), after(4 * SOL), after(12 * SOL)];
    (launchpad, bought.tokens, tokens)
});

const PLAN: &str = r#"{ "takeProfit": [{ "at": "1.2x", "sell": "30%" }, { "at": "1.5x", "sell": "30%" }],
    "stopLoss": "1.05x", "slippage": { "percent": 50 } }"#;

fn position(tokens: u64, cost_lamports: u64) -> ExitPosition {
    let (id, mint, wallet) = ("signal-1".into(), "M".into(), "W".into());
    ExitPosition { id, mint, wallet, tokens, cost_lamports, ..ExitPosition::default() }
}

/// What becomes of a sell, if the service says that.
fn sold(outcome: IntentOutcome) -> Event<'static, u32> {
    Event::Sold(Sold { outcome: Some(outcome), code: None, amount: None, error: None })
}

/// What was done to a machine, to be done again.
#[derive(Clone)]
enum Deed {
    Event(u64, Event<'static, u32>),
    Pause,
    Resume,
    Close,
}

/// A machine, its state, and all that was done to it.
struct Run {
    manager: Manager<u32>,
    state: ExitState,
    terms: Terms,
    begun: ExitState,
    deeds: Vec<Deed>,
    steps: Vec<String>,
    has_checked: bool,
}

impl Run {
    fn new(terms: Terms, state: ExitState) -> Run {
        Run {
            manager: Manager::new(terms.clone()),
            begun: state.clone(),
            state,
            terms,
            deeds: Vec::new(),
            steps: Vec::new(),
            has_checked: false,
        }
    }

    fn does(&mut self, deed: Deed) -> Option<ManageStep<u32>> {
        self.deeds.push(deed.clone());
        match deed {
            Deed::Event(now_ms, event) => {
                let step = self.manager.next(&mut self.state, now_ms, event);
                self.steps.push(format!("{step:?}"));
                return Some(step);
            }
            Deed::Pause => self.state.pause(),
            Deed::Resume => self.state.resume(),
            Deed::Close => {
                self.state.close_now();
                self.manager.hurry();
            }
        }
        None
    }

    /// The same history gives the same steps.
    fn is_repeated(&self) {
        let mut again = Run::new(self.terms.clone(), self.begun.clone());
        for deed in &self.deeds {
            again.does(deed.clone());
        }
        assert_eq!((again.steps, again.state), (self.steps.clone(), self.state.clone()));
    }
}

/// What a client has of an intent.
#[derive(Clone, Default)]
struct Entry {
    known: Known,
    /// What its transaction has moved, or will, once it is shown: base units and lamports.
    moved: Option<(i128, i128)>,
}

struct World {
    random: Random,
    now_ms: u64,
    terms: Terms,
    has_journal: bool,
    is_honest: bool,
    position: ExitPosition,
    others: u64,
    sold: BTreeMap<String, u64>,
    /// What may still arrive.
    on_its_way: BTreeMap<String, u64>,
    journal: BTreeMap<String, Entry>,
    kept: Vec<ExitState>,
    held: Vec<(u64, u64)>,
    /// Whether the service has lied: then no sum is checked.
    has_lied: bool,
    sends: u32,
    doubts: u32,
    overs: u32,
    sums: u32,
}

impl World {
    fn holds(&self) -> u64 {
        self.position.tokens + self.others - self.sold.values().sum::<u64>()
    }

    fn executes(&mut self, id: &str, tokens: u64) {
        assert_eq!(self.sold.insert(id.to_owned(), tokens), None, "{id} is sold twice");
        let all: u64 = self.sold.values().sum();
        assert!(all <= self.position.tokens, "{all} of {} are sold", self.position.tokens);
        self.held.push((self.now_ms, self.holds()));
        if let Some(entry) = self.journal.get_mut(id) {
            entry.moved = Some((-i128::from(tokens), i128::from(tokens / 1_000)));
        }
    }

    /// What is proven of an intent now: it arrives no more.
    fn proves(&mut self, id: &str) -> IntentOutcome {
        self.on_its_way.remove(id);
        if self.sold.contains_key(id) { IntentOutcome::Landed } else { IntentOutcome::DidNotLand }
    }

    fn is_settled(&mut self, id: &str, proven: bool) {
        let found = self.proves(id);
        let landed = found == IntentOutcome::Landed;
        let entry = self.journal.get_mut(id).unwrap();
        entry.known.ended = Some(found);
        entry.known.state = Some(if landed { IntentState::Ended } else { IntentState::NotRecorded });
        entry.known.proven = proven;
        entry.known.signature.get_or_insert(format!("sig-{id}"));
    }

    fn known(&self, id: &str) -> Known {
        let known = self.journal.get(id).map(|entry| entry.known.clone()).unwrap_or_default();
        let state = known.state.or(Some(IntentState::NotRecorded));
        Known { state: state.filter(|state| self.has_journal || *state != IntentState::NotRecorded), ..known }
    }

    /// Sells, is refused, or loses the answer.
    fn sells(&mut self, order: &ExitOrder) -> Sold<u32> {
        let id = order.intent_id.as_str();
        self.sends += 1;
        let (whole, part) = (order.tokens / 1_000_000, order.tokens % 1_000_000);
        let body = format!(r#"{{"mint":"M","fromWallet":"W","amountInToken":"{whole}.{part:06}"}}"#);
        let (random, tokens) = (&mut self.random, order.tokens);
        let mut known = Known { body: Some(body), ..Known::default() };
        let sold = |outcome, code, error| Sold { outcome: Some(outcome), code, amount: None, error };
        let fate = if self.is_honest { 0 } else { random.below(12) };
        let (executes, arrives_late, sold) = match fate {
            0..4 => {
                (known.state, known.ended) = (Some(IntentState::Ended), Some(IntentOutcome::Landed));
                (true, false, sold(IntentOutcome::Landed, None, None))
            }
            4..7 => {
                known.state = Some(IntentState::InDoubt);
                let lost = sold(IntentOutcome::Unknown, Some(Code::NetworkError), Some(1));
                let lost = if random.one_in(3) { Sold { outcome: None, ..lost } } else { lost };
                let executes = random.one_in(2);
                (executes, !executes && random.one_in(2), lost)
            }
            7 => {
                (known.state, known.ended) = (Some(IntentState::Ended), Some(IntentOutcome::Unconfirmed));
                let executes = random.one_in(2);
                (executes, !executes, sold(IntentOutcome::Unconfirmed, None, None))
            }
            8 => {
                (known.state, known.ended) = (Some(IntentState::NotRecorded), Some(IntentOutcome::Failed));
                (false, false, sold(IntentOutcome::Failed, Some(Code::TransactionFailed), Some(2)))
            }
            9 => {
                (known.state, known.ended) = (Some(IntentState::NotRecorded), Some(IntentOutcome::Rejected));
                (false, false, sold(IntentOutcome::Rejected, Some(Code::RejectedByService), Some(3)))
            }
            10 => return sold(IntentOutcome::NotSent, Some(Code::Halted), Some(4)),
            _ => {
                // It says so, and it never was.
                self.has_lied = true;
                (known.state, known.ended) = (Some(IntentState::Ended), Some(IntentOutcome::Landed));
                (false, false, sold(IntentOutcome::Landed, None, None))
            }
        };
        if known.ended.is_some_and(|ended| ended != IntentOutcome::Rejected) {
            known.signature = Some(format!("sig-{id}"));
        }
        let moved = (fate == 8).then_some((0, -FEE));
        self.doubts += u32::from((4..8).contains(&fate));
        self.journal.insert(id.to_owned(), Entry { known, moved });
        if executes {
            self.executes(id, tokens);
        } else if arrives_late {
            self.on_its_way.insert(id.to_owned(), tokens);
        }
        sold
    }

    fn is_late(&mut self) -> Event<'static, u32> {
        if self.random.one_in(2) { Event::Late } else { Event::Threw(12) }
    }

    fn carries_out(&mut self, run: &mut Run, step: &ManageStep<u32>) -> Event<'static, u32> {
        let (launchpad, _, tokens) = &*MARKET;
        let is_honest = self.is_honest;
        let mut fails = |count| !is_honest && self.random.one_in(count);
        match step {
            ManageStep::Recall(..) | ManageStep::Ended(..) | ManageStep::Known(..) if fails(60) => {
                Event::Threw(10)
            }
            ManageStep::Acknowledge(..) if fails(60) => Event::Threw(10),
            ManageStep::Keep if fails(25) => Event::Threw(11),
            ManageStep::Check(..) | ManageStep::Look(..) if fails(12) => self.is_late(),
            ManageStep::Confirm(..) | ManageStep::Find(..) if fails(12) => self.is_late(),
            ManageStep::Settle(_) | ManageStep::SettleOn(_) | ManageStep::Receive(..) if fails(5) => {
                self.is_late()
            }
            ManageStep::Recall(intent_ids) => {
                let of = |id: &String| (id.clone(), self.known(id));
                Event::Recalled(
                    intent_ids.iter().map(of).filter(|(_, known)| known.is_of_some_trade()).collect(),
                )
            }
            ManageStep::Check(..) => Event::Checked(self.random.one_in(2).then(Checked::default)),
            ManageStep::Ended(intent_id) => Event::Known(Known { state: None, ..self.known(intent_id) }),
            ManageStep::Known(intent_id) => Event::Known(self.known(intent_id)),
            ManageStep::Look(..) => {
                let at_ms = self.now_ms;
                let is_recent = |until: u64| at_ms.saturating_sub(until) < LAG_MS;
                let recent = self.held.iter().rev().take_while(|(until, _)| is_recent(*until));
                let recent: Vec<u64> = recent.map(|(_, held)| *held).collect();
                let is_old = !is_honest && self.random.one_in(5);
                let shows = match recent.len() {
                    all if is_old && all > 1 => recent[self.random.below(all as u64) as usize],
                    _ => self.holds(),
                };
                // By its wallet, an accepted order is settled only where no transaction says it.
                let hides = self.terms.confirms && !is_honest && self.random.one_in(10);
                let wallet_tokens = if hides { Some(0) } else { Some(shows) };
                let is_stale = !is_honest && self.random.one_in(12);
                let stale = is_stale.then(|| Why::Says("it stands still".into()));
                Event::Looked(Looked { at_ms: Some(at_ms), wallet_tokens, stale })
            }
            ManageStep::Price => {
                let level = if is_honest { 0 } else { self.random.below(4) };
                Event::Priced(launchpad, &tokens[level as usize])
            }
            ManageStep::Keep => {
                self.kept.push(run.state.clone());
                Event::Done
            }
            ManageStep::Send(order, _) => Event::Sold(self.sells(order)),
            ManageStep::Confirm(signature, _) => {
                let id = signature.strip_prefix("sig-").unwrap().to_owned();
                if self.sold.contains_key(&id) {
                    Event::Confirmed(Seen::Finalized)
                } else if is_honest || self.random.one_in(4) {
                    self.proves(&id);
                    Event::Confirmed(Seen::Failed)
                } else {
                    Event::Confirmed(Seen::NotSeen)
                }
            }
            ManageStep::Settle(_) | ManageStep::SettleOn(_) => {
                let is_open = |entry: &Entry| {
                    entry.known.state == Some(IntentState::InDoubt)
                        || entry.known.ended == Some(IntentOutcome::Unconfirmed)
                };
                let open = self.journal.iter().filter(|(_, entry)| is_open(entry)).map(|(id, _)| id.clone());
                for id in open.collect::<Vec<_>>() {
                    if is_honest || self.random.one_in(3) {
                        self.is_settled(&id, true);
                    }
                }
                Event::Done
            }
            ManageStep::Find(intent_id, _) => {
                let is_proven = is_honest || self.random.one_in(3);
                Event::Found(is_proven.then(|| self.proves(intent_id)))
            }
            ManageStep::Acknowledge(intent_id, found) => {
                let known = self.journal.get(intent_id).map(|one| one.known.state);
                if known == Some(Some(IntentState::InDoubt)) {
                    self.is_settled(intent_id, false);
                    assert_eq!(self.sold.contains_key(intent_id), *found == IntentOutcome::Landed);
                }
                Event::Done
            }
            ManageStep::Receive(intent_id, _) => {
                let moved = self.journal.get(intent_id).and_then(|entry| entry.moved);
                Event::Received(match moved {
                    Some((tokens, lamports)) if is_honest || self.random.one_in(2) => {
                        Received::Moved(tokens, lamports)
                    }
                    None if self.random.one_in(3) => Received::Never,
                    _ => Received::NotYet,
                })
            }
            ManageStep::Done | ManageStep::Throw(_) | ManageStep::Refuse(_) => panic!("{step:?} is an end"),
        }
    }

    /// What holds before an order is sent.
    fn may_send(&self, run: &Run, order: &ExitOrder, before: &[String]) {
        let id = order.intent_id.as_str();
        let kept = self.kept.last().and_then(|kept| kept.order.as_ref());
        assert_eq!(kept, Some(order), "it is kept before it is sent");
        assert!(run.has_checked, "the client's limits are asked first");
        let is_open = |entry: &Entry| {
            let own = entry.known.signature.as_deref().unwrap_or("").trim_start_matches("sig-");
            let is_accepted = entry.known.ended == Some(IntentOutcome::Unconfirmed);
            entry.known.state == Some(IntentState::InDoubt)
                || (is_accepted && self.on_its_way.contains_key(own))
        };
        let open: Vec<_> = self.journal.iter().filter(|(_, entry)| is_open(entry)).collect();
        assert!(open.is_empty(), "{id} is sent while {} is in doubt", open[0].0);
        assert!(!self.sold.contains_key(id) && !self.on_its_way.contains_key(id), "{id} is sent twice");
        let all = order.tokens + self.sold.values().sum::<u64>();
        assert!(order.tokens > 0 && all <= self.position.tokens, "{id} sells more than is left");
        assert!(order.wallet_tokens.is_none_or(|held| order.tokens <= held), "more than the wallet holds");
        assert!(!run.state.is_over());
        assert!(before.iter().all(|step| !step.starts_with("Receive")), "a stop does not wait for news");
        assert!(before.iter().filter(|step| step.starts_with("Send")).count() == 0, "one order at a look");
        let is_priced = before.iter().any(|step| step.starts_with("Price"));
        assert!(is_priced || order.reason == ExitReason::CloseNow, "without a look only a person sells");
    }

    fn waits(&self, run: &Run, step: &ManageStep<u32>) {
        let (within_ms, most_ms) = match step {
            ManageStep::Check(_, within_ms)
            | ManageStep::Look(within_ms, _)
            | ManageStep::Confirm(_, within_ms)
            | ManageStep::Settle(within_ms)
            | ManageStep::SettleOn(within_ms)
            | ManageStep::Find(_, within_ms) => (*within_ms, TIMEOUT_MS),
            ManageStep::Receive(_, within_ms) if run.state.is_over() => (*within_ms, TIMEOUT_MS),
            ManageStep::Receive(_, within_ms) => (*within_ms, SOON_MS),
            _ => return,
        };
        assert!(within_ms <= most_ms, "{step:?} waits too long");
    }

    /// Takes what was told.
    fn hears(&mut self, run: &mut Run) {
        while let Some(event) = run.manager.next_happened() {
            if event.what != ExitHappening::Over {
                continue;
            }
            self.overs += 1;
            if let (Some(tokens), Some(lamports), false) =
                (event.sold_tokens, event.received_lamports, self.has_lied)
            {
                self.sums += 1;
                assert_eq!(tokens, self.sold.values().sum::<u64>(), "all that was sold");
                let moved = self.journal.values().filter_map(|entry| entry.moved);
                let received: i128 = moved.map(|(_, lamports)| lamports).sum();
                assert_eq!(lamports, received, "all that was received");
            }
        }
    }

    /// Takes a look, and does what a person, a clock and a service do meanwhile. Returns whether the program was killed.
    fn looks(&mut self, run: &mut Run, first: Event<'static, u32>) -> bool {
        let (begun, begun_ms, is_look) = (run.steps.len(), self.now_ms, matches!(first, Event::Begin));
        let mut step = run.does(Deed::Event(self.now_ms, first)).unwrap();
        loop {
            self.waits(run, &step);
            match &step {
                ManageStep::Done | ManageStep::Throw(_) | ManageStep::Refuse(_) => {
                    assert!(!matches!(step, ManageStep::Refuse(_)), "{step:?}");
                    let of_look = run.steps[begun..].iter();
                    let receives = of_look.filter(|step| step.starts_with("Receive")).count();
                    assert!(run.state.is_over() || receives <= 1, "one of them at a look");
                    let wait_ms = run.manager.wait_ms(&run.state, self.now_ms);
                    // From its beginning to that of the next one.
                    let left_ms = u64::from(EVERY_MS).saturating_sub(self.now_ms - begun_ms);
                    let is_any = !is_look || (step == ManageStep::Done && run.state.closing);
                    assert!(wait_ms.is_none_or(|ms| ms <= EVERY_MS && (is_any || u64::from(ms) == left_ms)));
                    // A person's wish is told at once, an error at the next look.
                    if step == ManageStep::Done {
                        self.hears(run);
                    }
                    return false;
                }
                ManageStep::Send(order, _) => {
                    self.may_send(run, order, &run.steps[begun..run.steps.len() - 1])
                }
                _ => {}
            }
            run.has_checked |= matches!(step, ManageStep::Look(..));
            let event = self.carries_out(run, &step);
            if !self.is_honest {
                match self.random.below(60) {
                    0 => drop(run.does(Deed::Pause)),
                    1 => drop(run.does(Deed::Resume)),
                    2 => drop(run.does(Deed::Close)),
                    // The driver is dropped, and begins again; or its program is killed.
                    3 => return false,
                    4 if self.has_journal => return true,
                    // What does not fit.
                    5 => {
                        let found = Event::Found(Some(IntentOutcome::Landed));
                        let odd = [Event::Done, Event::Late, Event::Confirmed(Seen::Finalized), found];
                        let odd = odd[self.random.below(4) as usize].clone();
                        use ManageStep::{Ended, Known, Price, Send};
                        if matches!(step, Ended(..) | Known(..) | Send { .. } | Price) {
                            assert_eq!(run.does(Deed::Event(self.now_ms, odd)), Some(ManageStep::Done));
                            self.hears(run);
                            return false;
                        }
                    }
                    _ => {}
                }
                self.moves_on(300);
            }
            step = run.does(Deed::Event(self.now_ms, event)).unwrap();
        }
    }

    /// Time passes; what was on its way may arrive, and a lie come out.
    fn moves_on(&mut self, most_ms: u64) {
        self.now_ms += self.random.below(most_ms);
        if self.random.one_in(20)
            && let Some((id, tokens)) = self.on_its_way.pop_first()
        {
            self.executes(&id, tokens);
        }
        if self.is_honest || self.random.one_in(30) {
            let ids = self.journal.iter().filter(|(id, entry)| {
                entry.known.ended == Some(IntentOutcome::Landed) && !self.sold.contains_key(*id)
            });
            for id in ids.map(|(id, _)| id.clone()).collect::<Vec<_>>() {
                self.is_settled(&id, true);
            }
        }
    }

    /// Which state a program that starts again has.
    fn restarted(&mut self) -> Run {
        let fresh = ExitState::open(plan(PLAN), self.position.clone());
        let state = match self.random.below(3) {
            0 => fresh,
            1 => self.kept.last().cloned().unwrap_or(fresh),
            _ if self.kept.is_empty() => fresh,
            _ => self.kept[self.random.below(self.kept.len() as u64) as usize].clone(),
        };
        Run::new(self.terms.clone(), state)
    }

    /// What a person says of an order in doubt, which is true.
    fn acknowledges(&mut self, run: &mut Run) {
        let Some(order) = run.state.order.clone().filter(|order| order.outcome.is_some()) else { return };
        let found = self.proves(&order.intent_id);
        self.looks(run, Event::Acknowledge(found));
    }
}

fn carried_out(seed: u64) -> [u32; 4] {
    let mut random = Random(SplitMix64 { state: seed });
    let terms = Terms {
        token_decimals: Some(6),
        settles: random.one_in(2),
        finds: random.one_in(3),
        confirms: random.one_in(2),
        every_ms: EVERY_MS,
        timeout_ms: TIMEOUT_MS,
    };
    let tokens = MARKET.1;
    let position = ExitPosition { opened_at_ms: Some(Millis(0)), ..position(tokens, SOL + 5_000) };
    let mut world = World {
        now_ms: NOW_MS,
        has_journal: random.one_in(2),
        is_honest: false,
        others: if random.one_in(2) { tokens / 2 } else { 0 },
        sold: BTreeMap::new(),
        on_its_way: BTreeMap::new(),
        journal: BTreeMap::new(),
        kept: Vec::new(),
        held: Vec::new(),
        has_lied: false,
        sends: 0,
        doubts: 0,
        overs: 0,
        sums: 0,
        random,
        terms: terms.clone(),
        position: position.clone(),
    };
    world.held.push((world.now_ms, world.holds()));
    let mut run = Run::new(terms, ExitState::open(plan(PLAN), position));
    for _ in 0..60 {
        let is_killed = world.looks(&mut run, Event::Begin);
        if is_killed {
            run.is_repeated();
            run = world.restarted();
        } else if world.random.one_in(8) {
            world.acknowledges(&mut run);
        }
        world.moves_on(6_000);
    }
    // Then all of it is honest, and any price is below the stop.
    world.is_honest = true;
    let late: Vec<_> = std::mem::take(&mut world.on_its_way).into_iter().collect();
    for (id, tokens) in late {
        world.executes(&id, tokens);
    }
    run.does(Deed::Resume);
    for _ in 0..80 {
        world.looks(&mut run, Event::Begin);
        world.acknowledges(&mut run);
        world.now_ms += 61_000;
        world.moves_on(1_000);
    }
    let sold: u64 = world.sold.values().sum();
    assert_eq!((sold, run.state.is_over()), (world.position.tokens, true), "{:?}", run.state);
    assert_eq!(run.manager.wait_ms(&run.state, world.now_ms), None);
    let sends = world.sends;
    world.looks(&mut run, Event::Begin);
    assert_eq!(world.sends, sends, "after the end nothing is sent");
    run.is_repeated();
    [world.sends, world.doubts, world.overs, world.sums]
}

proptest! {
    #![proptest_config(seeded::cases(CASES))]

    #[test]
    fn whatever_happens_no_more_is_sold_than_was_bought_one_order_at_a_time_and_no_stop_waits(seed: u64) {
        carried_out(seed);
    }
}

#[test]
fn the_histories_are_rich() {
    let all: Vec<_> = (0..200).map(carried_out).collect();
    let sum = |at: usize| all.iter().map(|one| one[at]).sum::<u32>();
    let [sends, doubts, overs, sums] = [0, 1, 2, 3].map(sum);
    assert!(sends > 400 && doubts > 100 && overs >= 200 && sums > 100, "{sends} {doubts} {overs} {sums}");
}

/// When the tests begin that tell each step what comes of it.
const NOW_MS: u64 = 1_795_848_000_000;

/// What comes of a step, where the test does not say it: nothing is known or refused, and the position stands at its stop.
fn quiet(step: &ManageStep<u32>, now_ms: u64, holds: u64) -> Event<'static, u32> {
    match step {
        ManageStep::Recall(_) => Event::Recalled(Vec::new()),
        ManageStep::Check(..) => Event::Checked(None),
        ManageStep::Known(_) | ManageStep::Ended(_) => Event::Known(Known::default()),
        ManageStep::Look(..) => {
            Event::Looked(Looked { at_ms: Some(now_ms), wallet_tokens: Some(holds), stale: None })
        }
        ManageStep::Price => Event::Priced(&MARKET.0, &MARKET.2[0]),
        ManageStep::Receive(..) => Event::Received(Received::Never),
        ManageStep::Keep => Event::Done,
        other => panic!("{other:?}"),
    }
}

/// A machine at a market that shows what the test says, whose sells all land.
struct Lagging {
    run: Run,
    now_ms: u64,
    sold: Vec<(String, u64)>,
}

impl Lagging {
    /// Takes one look, which is `None` if it never comes, and shows what the wallet holds otherwise.
    fn looks(&mut self, look: Option<u64>) {
        let mut step = self.run.does(Deed::Event(self.now_ms, Event::Begin)).unwrap();
        let begun_ms = self.now_ms;
        while step != ManageStep::Done {
            self.now_ms += 10;
            let event = match (&step, look) {
                (ManageStep::Look(within_ms, _), None) => {
                    self.now_ms += u64::from(*within_ms);
                    Event::Late
                }
                (ManageStep::Send(order, _), _) => {
                    self.sold.push((order.intent_id.clone(), order.tokens));
                    sold(IntentOutcome::Landed)
                }
                _ => quiet(&step, self.now_ms, look.unwrap_or_default()),
            };
            step = self.run.does(Deed::Event(self.now_ms, event)).unwrap();
        }
        let wait_ms = self.run.manager.wait_ms(&self.run.state, self.now_ms);
        let left_ms = u64::from(EVERY_MS).saturating_sub(self.now_ms - begun_ms);
        let is_over = self.run.state.is_over();
        assert_eq!(wait_ms, (!is_over).then_some(left_ms as u32), "a slow look makes none rarer");
    }
}

#[test]
fn a_person_who_closes_waits_a_second_for_a_look_that_shows_all_that_was_bought() {
    let (all, held) = (MARKET.1, MARKET.1 / 2);
    let opened = || {
        let plan = plan(r#"{ "takeProfit": [{ "at": "2x", "sell": "50%" }], "stopLoss": "0.7x" }"#);
        let terms = Terms { token_decimals: Some(6), every_ms: EVERY_MS, ..Terms::default() };
        let run = Run::new(terms, ExitState::open(plan, position(all, SOL + 5_000)));
        Lagging { run, now_ms: NOW_MS, sold: Vec::new() }
    };
    // A person who closes it sells all of it, without a look.
    let mut at = opened();
    at.looks(None);
    at.run.does(Deed::Close);
    let begun_ms = at.now_ms;
    at.looks(None);
    assert_eq!(at.sold, [("signal-1/all".to_owned(), all)]);
    assert!(at.now_ms - begun_ms < 1_200, "after {} ms", at.now_ms - begun_ms);
    assert!(at.run.state.is_over());

    // So, too, one who closes it while a look is waited for.
    let mut at = opened();
    at.looks(Some(held));
    let mut step = at.run.does(Deed::Event(at.now_ms, Event::Begin)).unwrap();
    while !matches!(step, ManageStep::Look(..)) {
        let event =
            if matches!(step, ManageStep::Ended(_)) { Event::Known(Known::default()) } else { Event::Done };
        step = at.run.does(Deed::Event(at.now_ms, event)).unwrap();
    }
    at.run.does(Deed::Close);
    assert_eq!(at.run.does(Deed::Event(at.now_ms, Event::Late)), Some(ManageStep::Look(1_000, false)));
    let step = at.run.does(Deed::Event(at.now_ms + 1_000, Event::Late));
    assert_eq!(step, Some(ManageStep::Keep));
    assert_eq!(at.run.state.order.as_ref().map(|order| order.tokens), Some(all));
}

/// A position of all tokens, at its stop.
fn at_stop(confirms: bool) -> Run {
    let plan = plan(r#"{ "stopLoss": "1.05x", "slippage": { "percent": 50 } }"#);
    let terms = Terms { token_decimals: Some(6), confirms, ..Terms::default() };
    Run::new(terms, ExitState::open(plan, position(MARKET.1, SOL + 5_000)))
}

/// Takes one look that shows what the wallet holds, and answers what the test does not. Returns what was told.
fn look_with(
    run: &mut Run,
    now_ms: u64,
    holds: u64,
    mut answer: impl FnMut(&ManageStep<u32>) -> Option<Event<'static, u32>>,
) -> Vec<ExitHappening> {
    let mut step = run.does(Deed::Event(now_ms, Event::Begin)).unwrap();
    while step != ManageStep::Done {
        let event = answer(&step).unwrap_or_else(|| quiet(&step, now_ms, holds));
        step = run.does(Deed::Event(now_ms, event)).unwrap();
    }
    std::iter::from_fn(|| run.manager.next_happened()).map(|event| event.what).collect()
}

#[test]
fn a_pause_holds_up_an_order_that_is_still_being_kept() {
    let mut run = at_stop(false);
    let mut step = run.does(Deed::Event(NOW_MS, Event::Begin)).unwrap();
    while run.state.order.is_none() {
        step = run.does(Deed::Event(NOW_MS, quiet(&step, NOW_MS, MARKET.1))).unwrap();
    }
    run.does(Deed::Pause);
    assert_eq!(run.does(Deed::Event(NOW_MS, Event::Done)), Some(ManageStep::Keep));
    assert_eq!((step, run.state.order), (ManageStep::Keep, None));
}

#[test]
fn of_tokens_that_left_by_hand_nobody_says_what_they_brought() {
    let (mut run, mut last) = (at_stop(false), None);
    run.state.plan.stop_loss = None;
    for at in 0..6 {
        let holds = if at == 0 { MARKET.1 } else { 0 };
        let mut step = run.does(Deed::Event(NOW_MS + at * 15_000, Event::Begin)).unwrap();
        while step != ManageStep::Done {
            let event = quiet(&step, NOW_MS + at * 15_000, holds);
            step = run.does(Deed::Event(NOW_MS + at * 15_000, event)).unwrap();
        }
        last = std::iter::from_fn(|| run.manager.next_happened()).last().or(last);
    }
    let told = last.map(|told| (told.what, told.sold_tokens, told.received_lamports));
    assert_eq!(told, Some((ExitHappening::Over, None, None)));
}

/// Of a service that accepts each sell, and names this signature.
fn accepted(step: &ManageStep<u32>, signature: Option<&str>) -> Option<Event<'static, u32>> {
    match step {
        ManageStep::Known(id) | ManageStep::Ended(id) if id != "signal-1" => {
            let (state, ended) = (Some(IntentState::Ended), Some(IntentOutcome::Unconfirmed));
            let signature = signature.map(str::to_owned);
            Some(Event::Known(Known { state, ended, signature, ..Known::default() }))
        }
        ManageStep::Send(..) => Some(sold(IntentOutcome::Unconfirmed)),
        _ => None,
    }
}

#[test]
fn a_final_transaction_that_sold_nothing_ends_no_exit() {
    let mut run = at_stop(true);
    let all = MARKET.1;
    let accepted = |step: &ManageStep<u32>| match step {
        ManageStep::Confirm(..) => Some(Event::Confirmed(Seen::Finalized)),
        step => accepted(step, Some("S")),
    };
    let told = look_with(&mut run, NOW_MS, all, accepted);
    assert_eq!(told, [ExitHappening::Ordered, ExitHappening::InDoubt]);
    // Whatever the service has named, the wallet still holds all of it.
    assert_eq!(look_with(&mut run, NOW_MS + 20_000, all, accepted), []);
    assert!(!run.state.is_over());
    let told = look_with(&mut run, NOW_MS + 40_000, 0, accepted);
    assert_eq!(told, [ExitHappening::Landed, ExitHappening::Over]);
}

#[test]
fn what_a_sell_left_by_its_own_transaction_is_of_the_position_again() {
    let mut run = at_stop(false);
    let (all, half) = (MARKET.1, MARKET.1 / 2);
    let mut sent = Vec::new();
    // The service sells half of what it was asked for, and says that it landed.
    let mut answer = |sells: u64, step: &ManageStep<u32>| match step {
        ManageStep::Send(order, _) => {
            sent.push((order.intent_id.clone(), order.tokens));
            Some(sold(IntentOutcome::Landed))
        }
        ManageStep::Receive(..) => Some(Event::Received(Received::Moved(-i128::from(sells), 7))),
        _ => None,
    };
    let told = look_with(&mut run, NOW_MS, all, |step| answer(half, step));
    assert_eq!(told, [ExitHappening::Ordered, ExitHappening::Landed]);
    assert_eq!((run.state.tokens, run.state.cost_lamports), (all - half, (SOL + 5_000) / 2));
    let told = look_with(&mut run, NOW_MS + 1_000, all - half, |step| answer(all - half, step));
    assert_eq!(told, [ExitHappening::Ordered, ExitHappening::Landed, ExitHappening::Over]);
    assert_eq!(sent, [("signal-1/all".to_owned(), all), ("signal-1/all.2".to_owned(), all - half)]);
    // A named transaction that failed says nothing of another one.
    let mut run = at_stop(false);
    look_with(&mut run, NOW_MS, all, |step| match step {
        ManageStep::Send(..) => Some(sold(IntentOutcome::Landed)),
        ManageStep::Receive(..) => Some(Event::Received(Received::Moved(0, -FEE))),
        _ => None,
    });
    assert!(run.state.is_over());
}

#[test]
fn what_another_position_of_the_wallet_may_have_sold_ends_no_exit() {
    let all = MARKET.1;
    let accepted = |step: &ManageStep<u32>| accepted(step, None);
    // Beside the position the wallet holds as many tokens again, or one less.
    for (others, ends) in [(all, false), (all - 1, true)] {
        let mut run = at_stop(false);
        look_with(&mut run, NOW_MS, all + others, accepted);
        let told = look_with(&mut run, NOW_MS + 20_000, others, accepted);
        assert_eq!((told.contains(&ExitHappening::Landed), run.state.is_over()), (ends, ends));
    }
}
