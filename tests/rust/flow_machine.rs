//! The flow of a trade, under every order of events there is: whatever a driver says, sensible or not, and however often.
//!
//! The explorer walks the whole graph of what the machine can be told, from each of its states by each event, until
//! nothing new comes up. A separate book, which does not know the machine's states, records requests and answers, and
//! says what must hold.

use std::collections::BTreeSet;
use std::sync::Arc;

use launchpad_desk::api::endpoint::Operation;
use launchpad_desk::api::request::Request;
use launchpad_desk::api::response::{Status, Trade};
use launchpad_desk::api::validate::{Rules, Valid, validate};
use launchpad_desk::bindings::object;
use launchpad_desk::error::{Code, Error, Outcome};
use launchpad_desk::intent::{IntentOutcome, IntentState};
use launchpad_desk::trade::Key;
use launchpad_desk::trade::flow::{
    Event, Flow, GATEWAY_INTENT, Head, Headers, KeySource, Lost, Machine, Post, Step, Terms, Wait,
};
use launchpad_desk::trade::guard::{Guards, RateLimit, Settings};
use launchpad_desk::trade::plan::{Destination, PlanPrice, Planned};

const CANARY: &str = "sk-canary-0123456789";
const DAY_MS: u64 = 86_400_000;
const NOON: u64 = 1_000 * DAY_MS + DAY_MS / 2;
/// Longer than a walk, so that a trade may wait past midnight.
const TIMEOUT_MS: u32 = 2_147_483_647;
const LAMPORTS: u128 = 1_000;
/// What other trades have reserved each day. A limit that is released twice takes it away.
const OTHERS: u128 = 7;

fn buy(wallet: &str, lamports: u128) -> Valid<Request> {
    let request = object! { "mint": "M", "fromWallet": wallet, "amountInLamports": lamports as u64 };
    validate(Operation::Buy, request.root(), &Rules::default()).unwrap()
}

fn service() -> Destination {
    Destination { base_url: "https://x".into(), is_simulated: false }
}

fn planned() -> Planned {
    Planned::new(buy("own", LAMPORTS), "own", &Rules::default())
}

fn reply(success: bool) -> Vec<u8> {
    // A service that echoes what it was sent.
    let why = if success { "" } else { "custom program error: 0x1 " };
    format!(r#"{{"result":{{"transactionResult":{{"success":{success},"results":"{why}{CANARY}"}}}}}}"#)
        .into_bytes()
}

/// What a gateway says about the intent, in its answers with this status.
fn intent_state(status: u16) -> Option<IntentState> {
    match status {
        403 => Some(IntentState::Ended),
        409 => Some(IntentState::InFlight),
        502 => Some(IntentState::InDoubt),
        _ => None,
    }
}

/// What happens next: an event for the machine, or something outside it.
#[derive(Clone, Debug)]
enum Happening {
    Told(Event),
    Halted,
    Resumed,
    Midnight,
}

fn happenings() -> Vec<Happening> {
    let head = |status| {
        let intent_state = intent_state(status).map(|intent_state| intent_state.as_str().to_owned());
        Event::Answered(Head { status, retry_after: Some("7".into()), intent_state, ..Head::default() })
    };
    let events = [
        Event::Begin,
        Event::Recovered,
        Event::Journaled,
        Event::JournalFailed,
        Event::Woken,
        Event::Key(Key::new(CANARY).unwrap()),
        Event::KeyFailed,
        Event::HookPassed,
        Event::HookSaw(Vec::new()),
        Event::HookFailed,
        head(200),
        head(401),
        head(503),
        head(403),
        head(409),
        head(502),
        Event::Body(reply(true)),
        Event::Body(reply(false)),
        Event::Body(format!("{{\"{CANARY}").into_bytes()),
        Event::Lost(Lost::Unsent(CANARY.into())),
        Event::Lost(Lost::Unsupported("this runtime has no fetch; pass one".into())),
        Event::Lost(Lost::Broken(format!("E{CANARY}"))),
        Event::Lost(Lost::TooLarge(5)),
        Event::HookEnded,
        Event::Deadline,
        Event::Abort,
        Event::MomentOver,
    ];
    let beside = [Happening::Halted, Happening::Resumed, Happening::Midnight];
    events.into_iter().map(Happening::Told).chain(beside).collect()
}

#[derive(Clone, Copy, Debug)]
struct Client {
    journal: bool,
    hooks: bool,
    key: char,
    queue: bool,
    dry_run: bool,
    retries: u32,
    /// Whether it sends a plan, which expires before midnight.
    plan: bool,
    /// How often it asks again; then it sends to a gateway that forwards each intent once.
    asks: u32,
}

/// Without anything that it may have.
const BARE: Client = Client {
    journal: false,
    hooks: false,
    key: 'n',
    queue: false,
    dry_run: false,
    retries: 0,
    plan: false,
    asks: 0,
};

/// With all that a trade may wait for.
const ALL: Client = Client { journal: true, hooks: true, key: 'a', queue: true, retries: 1, ..BARE };

/// Where the request is, by what the transport said.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Fate {
    /// It was never given to the transport, or the transport proved each time that it sent nothing.
    #[default]
    Here,
    /// It may be anywhere, and the transport is still working.
    Away,
    /// It may be anywhere, and no answer will come.
    Gone,
    /// It was answered with this status.
    Head(u16),
    /// And nothing more came.
    HeadOnly(u16),
    /// With this body: landed, failed, or unreadable.
    Body(u16, Option<bool>),
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Page {
    #[default]
    Empty,
    /// It was asked to begin, and has not answered yet.
    Asked(u64),
    /// It has the trade, with this time.
    Begun(u64),
    /// It was asked to settle it like this.
    Ended(IntentOutcome),
}

/// What was asked and answered, without looking into the machine.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Book {
    page: Page,
    fate: Fate,
    sends: u32,
    /// Whether an earlier request may have arrived.
    may_have_arrived: bool,
    is_stopped: bool,
    has_key: bool,
    has_passed: bool,
    hook_calls: u32,
    outcome: Option<IntentOutcome>,
    is_halted: bool,
    days: u64,
}

#[derive(Clone)]
struct World {
    client: Client,
    flow: Flow,
    guards: Guards,
    book: Book,
}

/// Why the machine is wrong: its events, and what does not hold.
type Broken = String;

macro_rules! hold {
    ($what:expr, $($why:tt)+) => { if !$what { return Err(format!($($why)+)); } };
}

impl World {
    fn new(client: Client) -> World {
        let key = || Key::new(CANARY).unwrap();
        let intent = (client.asks > 0).then(|| GATEWAY_INTENT.to_owned());
        let headers = Headers { intent, ..Headers::default() };
        let terms = Terms {
            key: match client.key {
                'f' => KeySource::Fixed(key()),
                'a' => KeySource::Asked,
                _ => KeySource::None,
            },
            has_journal: client.journal,
            has_before_send: client.hooks,
            has_after_settle: client.hooks,
            dry_run: client.dry_run,
            retry_not_sent: client.retries,
            ask_again: client.asks,
            headers,
            ..Terms::default()
        };
        let rate_limit = RateLimit { per_1000_seconds: 1_000, burst: 1, max_queue_ms: 5_000 };
        let mut guards = Guards::new(Settings {
            max_lamports_per_day: Some(1_000_000),
            rate_limit: client.queue.then_some(rate_limit),
            count_charges: false,
            ..Settings::default()
        });
        // Takes the only turn, and stays in flight.
        guards.admit(NOON, "other", &buy("other", OTHERS)).unwrap();
        let (rules, to, planned) = (Rules::default(), service(), planned());
        let open = |planned: Planned| planned.plan(&guards, &to, NOON, DAY_MS / 4).open(&to, &rules).unwrap();
        let planned = if client.plan { open(planned) } else { planned };
        let flow = Flow::new(Arc::new(terms), planned, TIMEOUT_MS);
        let book = Book { has_key: client.key != 'a', has_passed: !client.hooks, ..Book::default() };
        World { client, flow, guards, book }
    }

    fn now_ms(&self) -> u64 {
        NOON + self.book.days * DAY_MS
    }

    /// What distinguishes one state from another.
    fn fingerprint(&self) -> String {
        format!("{:?}{:?}{:?}", self.flow, self.book, self.reserved())
    }

    /// Lamports of today, trades in flight and unresolved ones, the other trade's included.
    fn reserved(&self) -> (u128, usize, usize) {
        let state = self.guards.state(self.now_ms());
        (state.lamports_today, state.in_flight.len(), state.unresolved.len())
    }

    fn happen(&mut self, happening: &Happening) -> Result<Option<Step>, Broken> {
        let event = match happening {
            Happening::Told(event) => event.clone(),
            Happening::Halted => {
                self.guards.halt();
                self.book.is_halted = true;
                return Ok(None);
            }
            Happening::Resumed => {
                self.guards.resume();
                self.book.is_halted = false;
                return Ok(None);
            }
            Happening::Midnight => {
                if self.book.days == 0 {
                    self.book.days = 1;
                    let now_ms = self.now_ms();
                    self.guards.restore_spent(now_ms, OTHERS);
                }
                return Ok(None);
            }
        };
        let was_asked = matches!(self.book.page, Page::Asked(_));
        self.note(&event);
        let before = self.reserved();
        let now_ms = self.now_ms();
        let step = self.flow.next(&mut self.guards, now_ms, event.clone());
        hold!(
            step != Step::Nothing || self.reserved() == before,
            "nothing was done, and the guards have changed"
        );
        if was_asked && event == Event::Journaled && self.book.outcome.is_some() {
            hold!(matches!(step, Step::JournalSettle(_)), "an entry that was begun late has no end");
        }
        self.check(&step)?;
        Ok(Some(step))
    }

    fn note(&mut self, event: &Event) {
        let book = &mut self.book;
        match (event, book.page) {
            (Event::Journaled, Page::Asked(started_ms)) => book.page = Page::Begun(started_ms),
            (Event::JournalFailed, Page::Asked(_)) => book.page = Page::Empty,
            _ => {}
        }
        book.fate = match (event, book.fate) {
            (Event::Lost(Lost::Unsent(_) | Lost::Unsupported(_)), Fate::Away) => Fate::Here,
            (Event::Answered(head), Fate::Away) if !book.is_stopped => Fate::Head(head.status),
            (Event::Answered(_) | Event::Lost(_), Fate::Away) => Fate::Gone,
            (Event::MomentOver, Fate::Away) if book.is_stopped => Fate::Gone,
            (Event::Lost(_) | Event::Deadline | Event::Abort, Fate::Head(status)) => Fate::HeadOnly(status),
            (Event::Body(body), Fate::Head(status)) => {
                let says = |success| (*body == reply(success)).then_some(success);
                Fate::Body(status, says(true).or(says(false)))
            }
            (_, fate) => fate,
        };
        match event {
            Event::Deadline | Event::Abort => book.is_stopped = true,
            Event::Key(_) => book.has_key |= true,
            Event::HookPassed | Event::HookSaw(_) => book.has_passed |= true,
            _ => {}
        }
    }

    fn check(&mut self, step: &Step) -> Result<(), Broken> {
        let shown = format!("{step:?} {:?}", self.flow.intent());
        hold!(!self.shows_key(&shown), "the key shows: {shown}");
        hold!(self.flow.intent().started_at_ms >= NOON, "journals and hooks are not told when it began");
        if self.book.outcome.is_some() {
            let is_late_end = matches!(step, Step::JournalSettle(_));
            hold!(is_late_end || matches!(step, Step::Nothing), "{step:?} after the result");
        }
        match step {
            Step::Get(_) => hold!(false, "a trade only sends"),
            Step::Nothing | Step::Hurry | Step::Cancel | Step::Read { .. } | Step::Recover => {}
            Step::Wait { reason: Wait::Turn, .. } => hold!(self.client.queue, "a turn without a queue"),
            Step::Wait { reason: Wait::Retry(code), .. } => {
                hold!(self.book.fate == Fate::Here, "tries again what may have been sent");
                hold!(!self.shows_key(code), "the key is in the reason of a wait");
            }
            Step::Wait { reason: Wait::Answer(_), .. } => {
                hold!(self.client.asks > 0, "sends again what may have been sent");
                hold!(
                    self.book.fate != Fate::Here || self.book.may_have_arrived,
                    "asks for what was never sent"
                );
                hold!(!self.is_answered(), "asks for what it knows");
                self.book.may_have_arrived = true;
            }
            Step::JournalBegin => self.begun()?,
            Step::JournalSettle(settlement) => self.ended(settlement.outcome)?,
            Step::AskKey => hold!(self.client.key == 'a', "asks for a key that it has"),
            Step::BeforeSend => {
                let is_early = self.book.sends == 0 && self.book.page == Page::Empty;
                hold!(self.client.hooks && is_early, "the hook at the wrong time")
            }
            Step::Send(post) => self.sent(post)?,
            Step::AfterSettle(_) => {
                self.book.hook_calls += 1;
                hold!(self.client.hooks && self.book.hook_calls == 1, "the hook after the trade, twice");
                self.released()?;
            }
            Step::Done(result) => self.done(result)?,
        }
        Ok(())
    }

    /// Whether a text has the key of this client in it.
    fn shows_key(&self, text: &str) -> bool {
        self.client.key != 'n' && text.contains(CANARY)
    }

    fn begun(&mut self) -> Result<(), Broken> {
        let is_free = matches!(self.book.page, Page::Empty | Page::Ended(IntentOutcome::NotSent));
        hold!(self.client.journal && is_free, "begins an entry over {:?}", self.book.page);
        self.book.page = Page::Asked(self.flow.intent().started_at_ms);
        Ok(())
    }

    fn ended(&mut self, outcome: IntentOutcome) -> Result<(), Broken> {
        // The second time it may be another client's entry.
        hold!(matches!(self.book.page, Page::Begun(_)), "ends {:?}", self.book.page);
        self.book.page = Page::Ended(outcome);
        Ok(())
    }

    /// Whether it has an answer that asking again would not change.
    fn is_answered(&self) -> bool {
        match self.book.fate {
            Fate::Body(200, success) => success.is_some(),
            Fate::Body(401, Some(false)) => true,
            Fate::Head(status) | Fate::HeadOnly(status) | Fate::Body(status, _) => {
                let is_refused = status == 403 || self.book.fate == Fate::Body(401, None);
                let is_refusal = is_refused && !self.book.may_have_arrived;
                is_refusal || intent_state(status).is_some_and(IntentState::is_final)
            }
            Fate::Here | Fate::Away | Fate::Gone => false,
        }
    }

    fn sent(&mut self, post: &Post) -> Result<(), Broken> {
        let Book { page, fate, is_stopped, is_halted, has_key, has_passed, .. } = self.book;
        let is_asked_again = self.book.may_have_arrived;
        hold!(fate == Fate::Here || is_asked_again, "sent twice");
        hold!(post.body == self.flow.intent().body, "not what the journal has");
        if self.client.asks > 0 {
            let is_id = |(name, value): &&(String, String)| name == GATEWAY_INTENT && value == "own";
            hold!(post.headers.iter().filter(is_id).count() == 1, "not one intent id: {:?}", post.headers);
        }
        hold!(!is_stopped && !is_halted && !self.client.dry_run, "sent when it must not be");
        hold!(has_key && has_passed, "sent without asking");
        hold!(!self.client.plan || self.book.days == 0, "sent after it has expired");
        let started_ms = self.flow.intent().started_at_ms;
        hold!(!self.client.journal || page == Page::Begun(started_ms), "sent, and the journal has {page:?}");
        let is_today = started_ms / DAY_MS == self.now_ms() / DAY_MS;
        hold!(is_today || is_asked_again, "sent under a day that is over");
        let today = if is_today { LAMPORTS } else { 0 };
        hold!(self.reserved() == (OTHERS + today, 2, 0), "sent without a reservation: {:?}", self.reserved());
        let keys = post.headers.iter().filter(|(name, value)| name == "x-api-key" && value == CANARY).count();
        hold!(keys == usize::from(self.client.key != 'n'), "{keys} keys");
        self.book.sends += 1;
        let sends = self.book.sends;
        hold!(sends <= 1 + self.client.retries + self.client.asks, "sent {sends} times");
        self.book.fate = Fate::Away;
        Ok(())
    }

    /// The only outcome that fits what the transport said.
    fn due(&self) -> Outcome {
        let is_asked_again = self.book.may_have_arrived;
        match self.book.fate {
            Fate::Here if is_asked_again => Outcome::Unknown,
            Fate::Here => Outcome::NotSent,
            Fate::Away | Fate::Gone => Outcome::Unknown,
            Fate::Head(status) | Fate::HeadOnly(status) | Fate::Body(status, _) if status == 403 => {
                Outcome::Rejected
            }
            // A refusal proves that nothing was made by a whole body that tells of no trade.
            Fate::Body(401, None) if !is_asked_again => Outcome::Rejected,
            Fate::Body(200 | 401, Some(false)) => Outcome::Failed,
            Fate::Head(_) | Fate::HeadOnly(_) | Fate::Body(..) => Outcome::Unknown,
        }
    }

    fn done(&mut self, result: &Result<Box<Trade>, Box<Error>>) -> Result<(), Broken> {
        let fate = self.book.fate;
        match result {
            Ok(trade) => {
                let has_landed = trade.status == Status::Landed && fate == Fate::Body(200, Some(true));
                hold!(has_landed, "{:?} at {fate:?}", trade.status);
                hold!(!self.shows_key(&trade.raw), "the key is in the trade");
            }
            Err(error) => {
                hold!(fate != Fate::Body(200, Some(true)), "landed, and thrown: {error}");
                hold!(error.outcome == self.due(), "{:?} at {fate:?}, not {:?}", error.outcome, self.due());
                let evidence = error.evidence.as_ref().map_or("", |evidence| &evidence.0);
                let heard = error.service_message.as_deref().unwrap_or_default();
                let raw = error.trade.as_ref().map_or("", |trade| &trade.raw);
                let told = [&error.message, evidence, heard, raw].concat();
                hold!(!self.shows_key(&told), "the key is in the error: {told}");
            }
        }
        self.book.outcome = self.flow.settlement().map(|settlement| settlement.outcome);
        let calls = u32::from(self.client.hooks);
        hold!(self.book.hook_calls == calls, "the hook after the trade was not called");
        hold!(!matches!(self.book.page, Page::Begun(_)), "the journal was not told how it ended");
        if let Page::Ended(outcome) = self.book.page {
            hold!(Some(outcome) == self.book.outcome, "the journal was told {outcome:?}");
        }
        self.released()
    }

    /// What the guards still reserve for a trade that has ended.
    fn released(&self) -> Result<(), Broken> {
        let has_spent = match self.book.fate {
            Fate::Body(200, Some(success)) => success,
            _ => self.due() == Outcome::Unknown,
        };
        let is_today = self.flow.intent().started_at_ms / DAY_MS == self.now_ms() / DAY_MS;
        let spent = if has_spent && is_today { LAMPORTS } else { 0 };
        let is_unresolved = self.due() == Outcome::Unknown && self.book.fate != Fate::Body(200, Some(true));
        let due = (OTHERS + spent, 1, usize::from(is_unresolved));
        hold!(self.reserved() == due, "the guards have {:?}, not {due:?}", self.reserved());
        Ok(())
    }

    /// From here on there are no answers, and the deadline passes: the trade still ends.
    fn ends(&self) -> Result<(), Broken> {
        let mut world = self.clone();
        for event in std::iter::once(Event::Deadline).chain((0..4).map(|_| Event::MomentOver)) {
            world.happen(&Happening::Told(event))?;
        }
        hold!(world.book.outcome.is_some(), "it never ends");
        let is_unknown = world.book.outcome == Some(IntentOutcome::Unknown);
        hold!((world.reserved().2 == 1) == is_unknown, "neither settled nor unresolved");
        // A slow journal gets its end, too.
        if matches!(world.book.page, Page::Asked(_)) {
            world.happen(&Happening::Told(Event::Journaled))?;
            hold!(Some(world.book.page) == world.book.outcome.map(Page::Ended), "a late entry has no end");
        }
        Ok(())
    }
}

/// Visits every state that this client's trade can reach; returns how many there are, or the path to the first wrong one.
fn explore(client: Client) -> Result<usize, Broken> {
    let happenings = happenings();
    let start = World::new(client);
    let mut seen = BTreeSet::from([start.fingerprint()]);
    // Each state, and how it was reached.
    let mut states = vec![(start, None::<(usize, usize)>)];
    let mut at = 0;
    while at < states.len() {
        for (which, happening) in happenings.iter().enumerate() {
            let mut world = states[at].0.clone();
            let happened = world.happen(happening).and_then(|_| {
                let state = world.fingerprint();
                if seen.contains(&state) {
                    return Ok(false);
                }
                hold!(!world.shows_key(&state), "the key shows: {state}");
                seen.insert(state);
                world.ends().map(|()| true)
            });
            match happened {
                Ok(true) => states.push((world, Some((at, which)))),
                Ok(false) => {}
                Err(why) => {
                    let mut way = vec![format!("{happening:?}")];
                    let mut from = at;
                    while let Some((before, which)) = states[from].1 {
                        way.push(format!("{:?}", happenings[which]));
                        from = before;
                    }
                    way.reverse();
                    return Err(format!("{why}\n  {client:?}\n  {}", way.join("\n  ")));
                }
            }
        }
        at += 1;
    }
    Ok(states.len())
}

fn clients() -> Vec<Client> {
    let mut clients = Vec::new();
    for number in 0..16 {
        let has = |bit: u32| number >> bit & 1 == 1;
        for key in ['n', 'f', 'a'] {
            clients.push(Client {
                journal: has(0),
                hooks: has(1),
                queue: has(2),
                retries: 2 * u32::from(has(3)),
                key,
                plan: has(1) && has(2),
                asks: u32::from(has(0) && (!has(2) || (has(1) && key == 'a'))),
                ..BARE
            });
        }
    }
    clients.push(Client { dry_run: true, plan: true, asks: 1, ..ALL });
    clients
}

#[test]
fn whatever_happens_in_whatever_order_it_is_sent_once_at_most_and_ends_as_the_transport_says() {
    let mut states = 0;
    for client in clients() {
        states += explore(client).unwrap_or_else(|why| panic!("{why}"));
    }
    println!("{states} states, {} events from each", happenings().len());
    assert!(states > 10_000, "only {states} states: the explorer does not get far");
}

/// The name of each step on the way, if everything goes well.
fn walk(client: Client, more: &[Event]) -> Vec<String> {
    let mut world = World::new(client);
    let mut names = Vec::new();
    let mut told = vec![Event::Begin];
    let mut more = more.iter();
    while let Some(event) = told.pop() {
        let step = world.happen(&Happening::Told(event)).unwrap().unwrap();
        let name = format!("{step:?}");
        names.push(name.split([' ', '(', '{']).next().unwrap().to_owned());
        told.extend(match step {
            Step::Recover => Some(Event::Recovered),
            Step::Wait { .. } => Some(Event::Woken),
            Step::JournalBegin | Step::JournalSettle(_) => Some(Event::Journaled),
            Step::AskKey => Some(Event::Key(Key::new(CANARY).unwrap())),
            Step::BeforeSend => Some(Event::HookPassed),
            Step::AfterSettle(_) => Some(Event::HookEnded),
            Step::Send(_) | Step::Read { .. } | Step::Cancel => more.next().cloned(),
            Step::Get(_) | Step::Nothing | Step::Hurry | Step::Done(_) => None,
        });
    }
    names
}

#[test]
fn the_steps_of_a_trade_come_in_this_order() {
    let landed = [Event::Answered(Head { status: 200, ..Head::default() }), Event::Body(reply(true))];
    let way = "Recover Wait AskKey BeforeSend JournalBegin Send Read JournalSettle AfterSettle Done";
    assert_eq!(walk(ALL, &landed).join(" "), way);
    let again = [vec![Event::Lost(Lost::Unsent(String::new()))], landed.to_vec()].concat();
    let way =
        "Recover Wait AskKey BeforeSend JournalBegin Send Wait Send Read JournalSettle AfterSettle Done";
    assert_eq!(walk(ALL, &again).join(" "), way);
    let way = "Recover Wait AskKey BeforeSend AfterSettle Done";
    assert_eq!(walk(Client { dry_run: true, ..ALL }, &[]).join(" "), way);
    assert_eq!(walk(BARE, &landed).join(" "), "Send Read Done");
}

#[test]
fn second_tries_wait_twice_as_long_each() {
    let mut world = World::new(Client { retries: 2, ..BARE });
    let mut told = |event| world.happen(&Happening::Told(event)).unwrap().unwrap();
    told(Event::Begin);
    for ms in [100, 200] {
        let reason = Wait::Retry("ECONNREFUSED".into());
        assert_eq!(told(Event::Lost(Lost::Unsent("ECONNREFUSED".into()))), Step::Wait { ms, reason });
        assert!(matches!(told(Event::Woken), Step::Send(_)));
    }
    let Step::Done(Err(error)) = told(Event::Lost(Lost::Unsent("ECONNREFUSED".into()))) else { panic!() };
    assert_eq!(error.code, Code::ConnectFailed);
    assert_eq!(error.message, "not sent: no connection to the service (ECONNREFUSED)");
}

#[test]
fn a_stop_has_its_own_words_before_and_after_the_dispatch() {
    let client = Client { queue: true, ..BARE };
    let ends = |told: &[Event]| {
        let mut world = World::new(client);
        let steps = told.iter().map(|event| world.happen(&Happening::Told(event.clone())).unwrap().unwrap());
        match steps.last() {
            Some(Step::Done(Err(error))) => (error.code.as_str(), error.status, error.message),
            step => panic!("{step:?}"),
        }
    };
    let head = |status| Event::Answered(Head { status, ..Head::default() });
    let unsent = || Event::Lost(Lost::Unsent(String::new()));
    let sent = [Event::Begin, Event::Woken];
    let before = ("timeout_before_send", None, "not sent: the deadline passed before sending".to_owned());
    assert_eq!(ends(&[Event::Deadline]), before);
    assert_eq!(ends(&[Event::Begin, Event::Deadline]), before);
    for status in [200, 401] {
        let why = "outcome unknown: no complete answer within 2147483647 ms".to_owned();
        let told = [&sent[..], &[head(status), Event::Deadline]].concat();
        assert_eq!(ends(&told), ("timeout", Some(status), why));
    }
    for (last, code) in
        [(unsent(), "aborted_before_send"), (head(200), "aborted"), (Event::MomentOver, "aborted")]
    {
        assert_eq!(ends(&[&sent[..], &[Event::Abort, last]].concat()).0, code);
    }
    // The first stop counts.
    assert_eq!(ends(&[&sent[..], &[Event::Abort, Event::Deadline, Event::MomentOver]].concat()).0, "aborted");
}

#[test]
fn nothing_is_sent_after_the_deadline_whatever_the_drivers_timer_says() {
    let flow =
        |terms: Terms| (Flow::new(Arc::new(terms), planned(), 30_000), Guards::new(Settings::default()));
    let code = |step: Step| end(step).1.as_str();
    let with_hook = Terms { has_before_send: true, ..Terms::default() };
    // The machine slept while the hook asked a person.
    let (mut asked, mut guards) = flow(with_hook.clone());
    assert_eq!(asked.next(&mut guards, NOON, Event::Begin), Step::BeforeSend);
    assert_eq!(code(asked.next(&mut guards, NOON + 30_001, Event::HookPassed)), "timeout_before_send");
    let (mut in_time, mut guards) = flow(with_hook);
    in_time.next(&mut guards, NOON, Event::Begin);
    assert!(matches!(in_time.next(&mut guards, NOON + 30_000, Event::HookPassed), Step::Send(_)));
    // It slept before it asked a gateway again, which may have had the trade.
    let (mut again, mut guards) =
        flow(Terms { ask_again: 1, ask_again_within_ms: 60_000, ..Terms::default() });
    assert!(matches!(again.next(&mut guards, NOON, Event::Begin), Step::Send(_)));
    let lost = Event::Lost(Lost::Broken(String::new()));
    assert!(matches!(again.next(&mut guards, NOON + 10, lost), Step::Wait { .. }));
    assert_eq!(code(again.next(&mut guards, NOON + 30_001, Event::Woken)), "timeout");
}

fn end(step: Step) -> (Outcome, Code) {
    match step {
        Step::Done(Err(error)) => (error.outcome, error.code),
        step => panic!("{step:?}"),
    }
}

#[test]
fn what_expires_while_the_connection_opens_is_not_sent() {
    let flow = |planned| {
        let terms = Terms { retry_not_sent: 5, ..Terms::default() };
        Flow::new(Arc::new(terms), planned, 30_000)
    };
    // How a flow ends that may be sent up to this time, and whose connection opens a millisecond later.
    let end_after = |mut flow: Flow, guards: &mut Guards, ms: u64| {
        assert!(matches!(flow.next(guards, NOON, Event::Begin), Step::Send(_)));
        assert_eq!([ms, ms + 1].map(|ms| flow.may_send(guards, NOON + ms)), [true, false]);
        end(flow.next(guards, NOON + ms + 1, Event::Lost(Lost::Unsent("ECANCELED".into()))))
    };
    // A plan.
    let mut guards = Guards::new(Settings::default());
    let plan = planned().plan(&guards, &service(), NOON, 500).open(&service(), &Rules::default()).unwrap();
    assert_eq!(end_after(flow(plan), &mut guards, 499), (Outcome::NotSent, Code::PlanExpired));
    // The call's own time, of a machine that slept.
    let late = end_after(flow(planned()), &mut guards, 30_000);
    assert_eq!(late, (Outcome::NotSent, Code::TimeoutBeforeSend));
    // A price.
    let mut guards = Guards::new(Settings { max_price_age_ms: Some(500), ..Settings::default() });
    let mut priced = flow(planned());
    priced.priced(&mut guards, &PlanPrice::of(&object! { "priceImpactBps": 1u64 }), NOON);
    assert_eq!(end_after(priced, &mut guards, 500), (Outcome::NotSent, Code::PriceTooOld));
    // A breaker, which another trade opens meanwhile.
    let mut guards = Guards::new(Settings { breaker_unknowns: 1, ..Settings::default() });
    let mut connecting = flow(planned());
    assert!(matches!(connecting.next(&mut guards, NOON, Event::Begin), Step::Send(_)));
    let other = guards.admit(NOON, "other", &buy("other", LAMPORTS)).unwrap();
    guards.settle(other.ticket, IntentOutcome::Unknown);
    assert!(!connecting.may_send(&guards, NOON));
    let canceled = connecting.next(&mut guards, NOON, Event::Lost(Lost::Unsent("ECANCELED".into())));
    assert_eq!(end(canceled), (Outcome::NotSent, Code::BreakerOpen));
}

#[test]
fn only_the_market_says_how_many_decimals_a_token_has() {
    let (to, rules) = (service(), Rules::default());
    let units = object! { "baseUnits": 5_000u64 };
    let request = object! { "mint": "M", "fromWallet": "W", "amountInToken": units };
    let sell = validate(Operation::Sell, request.root(), &rules).unwrap();
    let six = object! { "launchpad": object! { "tokenDecimals": 6u64 } };
    let of_six = PlanPrice::of(&object! { "curve": six });
    let mut guards = Guards::new(Settings::default());
    let plan = Planned::new(sell, "own", &rules).priced(of_six).plan(&guards, &to, NOON, 60_000);
    let terms = Arc::new(Terms { has_market: true, ..Terms::default() });
    let send = |guards: &mut Guards| {
        let mut flow = Flow::new(Arc::clone(&terms), plan.open(&to, &rules).unwrap(), 30_000);
        (flow.wants_price(guards, NOON), end(flow.next(guards, NOON, Event::Begin)).1)
    };
    assert_eq!(send(&mut guards), (true, Code::TokenDecimalsUnknown));
    guards.learn_decimals("M", 9);
    assert_eq!(send(&mut guards), (false, Code::OtherTokenDecimals));
}
