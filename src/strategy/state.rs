//! How far the exits of a position are: plain data that survives a restart.

use super::plan::{ExitPlan, ExitPosition, MOST_RUNGS};
use super::units::{Millis, Multiple};
use crate::amount::{Digits, TokenInput};
use crate::api::request::SellRequest;
use crate::codes::codes;
use crate::declaration::Shape;
use crate::error::{FieldCode, FieldError};
use crate::intent::IntentOutcome;
use crate::reader::{self, Reader};
use crate::record;
use crate::tape::{Item, Tape, ToTape, json};

codes! {
    /// Why a position is sold. If several rules fire at one tick, the first in this order gives the order.
    ExitReason {
        /// A person asked for it.
        CloseNow = "close_now",
        /// The curve is about to complete.
        Graduation = "graduation",
        /// It fell to its stop.
        StopLoss = "stop_loss",
        /// It fell back to what was paid.
        BreakEven = "break_even",
        /// It fell from its best.
        Trailing = "trailing",
        /// Its time is over.
        Time = "time",
        /// It gained enough.
        TakeProfit = "take_profit",
    }
}

record! {
    /// An order to sell, of an amount in base units: the wallet may hold other tokens of the mint.
    ExitOrder {
        /// Its intent id, which follows from the position's name, the rung and the attempt.
        intent_id: String => "string",
        /// Why it is sold.
        reason: ExitReason => "ExitReason",
        /// How many take-profits are sold once it has landed.
        rungs: u32 => "number",
        /// Base units to sell.
        tokens: u64 => "bigint",
        /// What the sell would bring at the price that it was ordered at, after trading fees; in lamports.
        expected_lamports: u64 => "bigint",
        /// What the whole position would have brought then.
        multiple: Multiple => "string",
        /// When it was ordered, in milliseconds since 1970.
        at_ms: Millis => "number",
        /// Base units that the wallet held then; `null` if that was not known.
        wallet_tokens: Option<u64> => "bigint | null",
        /// `unknown` or `unconfirmed`, once that is its outcome. Nothing else is ordered until it is settled.
        outcome: Option<IntentOutcome> => "IntentOutcome | null",
    }
}

record! {
    /// How often a rung's order was proven not to have landed.
    #[derive(Default)]
    ExitTries {
        /// How often. The next attempt has an intent id of its own.
        failed: u32 => "number",
        /// The earliest time of the next attempt, in milliseconds since 1970.
        not_before_ms: Millis => "number",
    }
}

record! {
    /// Looks in a row at which the wallet held fewer tokens than the position has left.
    ExitMissing {
        /// The time over which they were, in milliseconds. Of a gap between two of them, 15 seconds count at most.
        for_ms: Millis => "number",
        /// When the last of them was, in milliseconds since 1970.
        last_ms: Millis => "number",
        /// The most base units that the wallet held at one of them.
        most: u64 => "number | bigint | string",
    }
}

record! {
    /// Tokens of the position that the wallet does not hold any more. They are of the position again once the wallet holds as much as before.
    ExitGone {
        /// How many, in base units.
        tokens: u64 => "number | bigint | string",
        /// What those cost, in lamports.
        cost_lamports: u64 => "number | bigint | string",
        /// What the wallet held together with them, in base units; `null` if no look has shown them.
        wallet_tokens: Option<u64> => "number | bigint | string | null",
    }
}

record! {
    /// A sell that landed and that no look has shown yet.
    ExitSold {
        /// What the wallet held before it, in base units. A look that shows this is older than the sell, and decides nothing.
        wallet_tokens: u64 => "number | bigint | string",
        /// Until when it may be, in milliseconds since 1970.
        until_ms: Millis => "number",
    }
}

record! {
    /// A sell whose end its service has said, and what of the position that counts: the chain may say the opposite.
    ExitAnswered {
        /// Its intent id.
        intent_id: String => "string",
        /// Whether it counts as landed.
        landed: bool => "boolean",
        /// Base units that it sold, or would have.
        tokens: u64 => "number | bigint | string",
        /// What those cost, in lamports; 0 if it did not land.
        cost_lamports: u64 => "number | bigint | string",
        /// How many of the plan's take-profits are sold if the opposite is true.
        rungs: u32 => "number",
    }
}

record! {
    /// How far the exits of a position are. It is plain JSON: keep it, and it goes on after a restart.
    ExitState {
        /// The plan.
        plan: ExitPlan => "ExitPlan",
        /// The position as it was opened.
        position: ExitPosition => "ExitPosition",
        /// Base units that are left to sell; 0 once it is over.
        tokens: u64 => "number | bigint | string",
        /// What those cost, in lamports.
        cost_lamports: u64 => "number | bigint | string",
        /// How many of the plan's take-profits are sold.
        rungs_sold: u32 => "number",
        /// The best multiple that was seen.
        best: Multiple => "string",
        /// The order that is not settled.
        order: Option<ExitOrder> => "ExitOrder | null",
        /// Further orders of unknown outcome, which only a journal remembers. Nothing is ordered until all of them are settled.
        doubts: Vec<ExitOrder> => "ExitOrder[]" optional,
        /// Orders that did not land: of each take-profit, and last of those that sell everything.
        tries: Vec<ExitTries> => "ExitTries[]",
        /// Whether it waits: prices are seen, nothing is ordered.
        paused: bool => "boolean",
        /// Whether a person asked to sell everything.
        closing: bool => "boolean",
        /// Why the last order that landed was made.
        last: Option<ExitReason> => "ExitReason | null",
        /// Tokens that the wallet does not have any more, as it seems. Once that is sure, they are no longer of this position.
        missing: Option<ExitMissing> => "ExitMissing | null" optional,
        /// What the wallet held at the last look that showed all that was left, in base units; `null` before one has.
        shown: Option<u64> => "number | bigint | string | null" optional,
        /// What the wallet does not hold any more.
        gone: Option<ExitGone> => "ExitGone | null" optional,
        /// The last sell that landed, until a look shows it.
        sold: Option<ExitSold> => "ExitSold | null" optional,
        /// The ids of sells that landed by take-profits of another plan, and are counted.
        counted: Vec<String> => "string[]" optional,
        /// The latest sells whose end the service has said, until the chain says the opposite.
        answered: Vec<ExitAnswered> => "ExitAnswered[]" optional,
        /// Whether the chain shows that the position was never bought.
        unbought: bool => "boolean" optional,
        /// When the position was opened, by the clock of the looks; `null` before the first.
        opened_at_ms: Option<Millis> => "number | null" optional,
        /// Whether the last look showed a complete curve, which no rule sells on.
        completed: bool => "boolean" optional,
        /// Whether what a person asked to sell was sent since, and did not land. On a complete curve it is sent only once.
        close_tried: bool => "boolean" optional,
    }
}

/// What an intent id of an exit says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Label {
    /// The take-profit with this number, from 1, and those before it; `None` for everything that is left.
    pub rung: Option<u32>,
    /// From 0.
    pub attempt: u32,
}

impl ExitState {
    /// The exits of a position that has just been opened.
    pub fn open(plan: ExitPlan, position: ExitPosition) -> ExitState {
        let tries = vec![ExitTries::default(); plan.take_profit.len() + 1];
        ExitState {
            tokens: position.tokens,
            cost_lamports: position.cost_lamports,
            plan,
            position,
            rungs_sold: 0,
            best: Multiple::default(),
            order: None,
            doubts: Vec::new(),
            tries,
            paused: false,
            closing: false,
            last: None,
            missing: None,
            shown: None,
            gone: None,
            sold: None,
            counted: Vec::new(),
            answered: Vec::new(),
            unbought: false,
            opened_at_ms: None,
            completed: false,
            close_tried: false,
        }
    }

    /// Reads a state that was kept.
    ///
    /// ```
    /// use launchpad_desk::strategy::{ExitPlan, ExitPosition, ExitState};
    /// use launchpad_desk::tape::{ToTape, json};
    /// let plan = ExitPlan { stop_loss: Some("0.7x".parse().unwrap()), ..ExitPlan::default() };
    /// let position = ExitPosition {
    ///     id: "signal-1".into(), mint: "M".into(), wallet: "W".into(), tokens: 5, cost_lamports: 7, ..ExitPosition::default()
    /// };
    /// let state = ExitState::open(plan, position);
    /// let kept = json::write(&state.to_tape());
    /// assert_eq!(ExitState::from_data(json::parse(kept.as_bytes()).unwrap().root()), Ok(state));
    /// ```
    ///
    /// # Errors
    ///
    /// Every bad field, by path: also what contradicts another field.
    pub fn from_data(value: Item) -> Result<ExitState, Vec<FieldError>> {
        let state = reader::read(value, |r| {
            let plan = r.needed("plan", |r, name| r.object(name, |r| ExitPlan::read_with(r, MOST_RUNGS)));
            let position = r.needed("position", |r, name| r.object(name, ExitPosition::read));
            let state = ExitState {
                tokens: r.need("tokens", Reader::whole),
                cost_lamports: r.need("costLamports", Reader::whole),
                rungs_sold: r.need("rungsSold", |r, name| r.count(name, 0)),
                best: r.need("best", Multiple::read_any),
                order: r.object("order", ExitOrder::read).flatten(),
                doubts: r.list("doubts", ExitOrder::read).unwrap_or_default().into_iter().flatten().collect(),
                tries: r.need("tries", |r, name| r.list(name, ExitTries::read)),
                paused: r.need("paused", Reader::boolean),
                closing: r.need("closing", Reader::boolean),
                last: r.choice("last", ExitReason::NAMED),
                missing: r.object("missing", ExitMissing::read),
                shown: r.whole("shown"),
                gone: r.object("gone", ExitGone::read),
                sold: r.object("sold", ExitSold::read),
                counted: r.texts("counted", "must be a list of intent ids").unwrap_or_default(),
                answered: r.list("answered", ExitAnswered::read).unwrap_or_default(),
                unbought: r.boolean("unbought").unwrap_or(false),
                opened_at_ms: Millis::read(r, "openedAtMs"),
                completed: r.boolean("completed").unwrap_or(false),
                close_tried: r.boolean("closeTried").unwrap_or(false),
                ..ExitState::open(plan?, position?)
            };
            state.check(r);
            Some(state)
        })?;
        // Without one of the two, that is a problem.
        state.ok_or_else(Vec::new)
    }

    fn check(&self, r: &mut Reader) {
        const MORE: &str = "is more than the position had";
        if self.tokens > self.position.tokens {
            r.refuse("tokens", FieldCode::Conflict, MORE);
        }
        if self.cost_lamports > self.position.cost_lamports {
            r.refuse("costLamports", FieldCode::Conflict, MORE);
        }
        let rungs = self.plan.take_profit.len();
        let most = ["is more than the plan's ", &(rungs as u64).digits(), " take-profits"].concat();
        if self.rungs_sold as usize > rungs {
            r.refuse("rungsSold", FieldCode::Conflict, &most);
        }
        if self.tries.len() != rungs + 1 {
            let what = "must have one for each take-profit, and one for everything";
            r.refuse("tries", FieldCode::Conflict, what);
        }
        let gone = self.gone.as_ref().map_or(0, |gone| gone.tokens);
        if self.tokens.checked_add(gone).is_none_or(|all| all > self.position.tokens) {
            r.refuse("gone.tokens", FieldCode::Conflict, MORE);
        }
        if self.order.is_none() && !self.doubts.is_empty() {
            r.refuse("doubts", FieldCode::Conflict, "must be empty without an order");
        }
        for (at, order) in self.waiting().enumerate() {
            let field = |name: &str| match at.checked_sub(1) {
                None => ["order.", name].concat(),
                Some(at) => ["doubts[", &(at as u64).digits(), "].", name].concat(),
            };
            if order.rungs as usize > rungs {
                r.refuse(&field("rungs"), FieldCode::Conflict, &most);
            }
            if order.tokens == 0 || order.tokens > self.tokens {
                let what = "must be above 0, and at most the tokens that are left";
                r.refuse(&field("tokens"), FieldCode::Conflict, what);
            }
            if self.label(&order.intent_id).is_none() {
                let what = "is not the id of an exit of this position";
                r.refuse(&field("intentId"), FieldCode::Conflict, what);
            }
        }
    }

    /// The orders that are not settled.
    pub(super) fn waiting(&self) -> impl Iterator<Item = &ExitOrder> {
        self.order.iter().chain(&self.doubts)
    }

    /// Why these exits cannot go on for `position`, if they are of another one: that would stay without its stop.
    ///
    /// ```
    /// use launchpad_desk::strategy::{ExitPlan, ExitPosition, ExitState};
    /// let of = |id: &str| ExitPosition { id: id.into(), mint: "M".into(), wallet: "W".into(), ..ExitPosition::default() };
    /// let state = ExitState::open(ExitPlan::default(), of("signal-1"));
    /// assert_eq!(state.stranger_to(&of("signal-1")), None);
    /// let problem = state.stranger_to(&of("signal-2")).unwrap();
    /// assert_eq!(problem.message, "position is signal-1 of M in W, not signal-2 of M in W");
    /// ```
    pub fn stranger_to(&self, position: &ExitPosition) -> Option<FieldError> {
        let named = |of: &ExitPosition| [&of.id, " of ", &of.mint, " in ", &of.wallet].concat();
        let (own, other) = (named(&self.position), named(position));
        let what = || ["is ", &own, ", not ", &other].concat();
        (own != other).then(|| FieldError::of("position", FieldCode::Conflict, &what()))
    }

    /// What these exits become by another plan for the same position: what has acted, or is about to, stays as it was. A plan without those
    /// take-profits comes after them.
    fn replanned(&self, plan: &ExitPlan) -> ExitPlan {
        let acted = &self.plan.take_profit[..self.acted()];
        if plan.take_profit.starts_with(acted) {
            return plan.clone();
        }
        ExitPlan { take_profit: [acted, &plan.take_profit].concat(), ..plan.clone() }
    }

    /// How many take-profits of the plan have acted, or are about to.
    fn acted(&self) -> usize {
        let acted = self.waiting().map(|order| order.rungs).fold(self.rungs_sold, u32::max) as usize;
        acted.min(self.plan.take_profit.len())
    }

    /// How `plan`, which was given again, differs from the plan of these exits: both of each field. Empty if it does not.
    ///
    /// ```
    /// use launchpad_desk::strategy::{ExitPlan, ExitPosition, ExitState};
    /// let of = |stop: &str| ExitPlan { stop_loss: Some(stop.parse().unwrap()), ..ExitPlan::default() };
    /// let state = ExitState::open(of("0.5x"), ExitPosition::default());
    /// assert_eq!(state.other_plan(&of("0.5x")), []);
    /// let why = "plan.stopLoss of the kept exits is \"0.5x\", and \"0.99x\" is given: replacePlan replaces what has not acted yet";
    /// assert_eq!(state.other_plan(&of("0.99x"))[0].message, why);
    /// ```
    pub fn other_plan(&self, plan: &ExitPlan) -> Vec<FieldError> {
        let (kept, given) = (self.plan.to_tape(), self.replanned(plan).to_tape());
        let Shape::Object(fields) = ExitPlan::DECLARATION.shape else { return Vec::new() };
        let differs = |name: &str| {
            let of = |plan: &Tape| json::write(&plan.root().get(name).unwrap_or_default().to_tape());
            let (old, new) = (of(&kept), of(&given));
            let says = ["of the kept exits is ", &old, ", and ", &new, " is given"].concat();
            let what = [&says, ": replacePlan replaces what has not acted yet"].concat();
            (old != new).then(|| FieldError::of(&["plan.", name].concat(), FieldCode::Conflict, &what))
        };
        fields.iter().map(|field| field.name).filter_map(differs).collect()
    }

    /// These exits by another plan. What has acted, or is about to, stays as it was.
    ///
    /// ```
    /// use launchpad_desk::strategy::{ExitPlan, ExitPosition, ExitState};
    /// let of = |stop: &str| ExitPlan { stop_loss: Some(stop.parse().unwrap()), ..ExitPlan::default() };
    /// let state = ExitState::open(of("0.5x"), ExitPosition::default()).replace_plan(&of("0.99x")).unwrap();
    /// assert_eq!(state.plan, of("0.99x"));
    /// ```
    ///
    /// # Errors
    ///
    /// Every bad field, by path, of the plan together with the take-profits that have acted.
    pub fn replace_plan(self, plan: &ExitPlan) -> Result<ExitState, Vec<FieldError>> {
        let (acted, plan) = (self.acted(), self.replanned(plan).to_tape());
        let plan = reader::read(plan.root(), |r| ExitPlan::read_with(r, acted))?;
        let mut tries = self.tries;
        let all = tries.pop().unwrap_or_default();
        tries.resize(plan.take_profit.len(), ExitTries::default());
        tries.push(all);
        Ok(ExitState { plan, tries, ..self })
    }

    /// These exits, which were kept, for this position and plan, which are given again. Another plan is refused, unless it
    /// [replaces](ExitState::replace_plan) theirs.
    ///
    /// # Errors
    ///
    /// Every field in which they differ, or that is bad, by path.
    pub fn going_on(
        self,
        position: &ExitPosition,
        plan: &ExitPlan,
        replaces_plan: bool,
    ) -> Result<ExitState, Vec<FieldError>> {
        if let Some(problem) = self.stranger_to(position) {
            return Err(vec![problem]);
        }
        if replaces_plan {
            return self.replace_plan(plan);
        }
        let problems = self.other_plan(plan);
        if problems.is_empty() { Ok(self) } else { Err(problems) }
    }

    /// Why the time that the position is said to have been opened at cannot be one of the clock of the looks, of which one was at `at_ms`.
    /// It matters to a plan that has `time_ms`; once a look has fitted, it is not asked again.
    ///
    /// ```
    /// use launchpad_desk::strategy::units::Millis;
    /// use launchpad_desk::strategy::{ExitPlan, ExitPosition, ExitState};
    /// let plan = ExitPlan { time_ms: Some(Millis(60_000)), ..ExitPlan::default() };
    /// let of = |opened_at_ms| ExitState::open(plan.clone(), ExitPosition { opened_at_ms, ..ExitPosition::default() });
    /// assert_eq!(of(None).time_problem(1_795_848_000_000), None);
    /// assert_eq!(of(Some(Millis(1_795_847_000_000))).time_problem(1_795_848_000_000), None);
    /// let problem = of(Some(Millis(1_795_847_000))).time_problem(1_795_848_000_000).unwrap();
    /// let why = "position.openedAtMs is 1795847000, and the look was at 1795848000000: it must be in milliseconds by the clock of the \
    ///            looks, from 1584316800000 to 1795848300000; left out, it is the time of the first look";
    /// assert_eq!(problem.message, why);
    /// ```
    pub fn time_problem(&self, at_ms: u64) -> Option<FieldError> {
        if self.opened_at_ms.is_some() || self.plan.time_ms.is_none() {
            return None;
        }
        let given = self.position.opened_at_ms?.0;
        // A clock that counts from 1970 has been past the chain's first block ever since there are tokens to hold.
        let earliest = if at_ms < FIRST_BLOCK_MS { 0 } else { FIRST_BLOCK_MS };
        let latest = at_ms.saturating_add(AHEAD_MS);
        let is = ["is ", &given.digits(), ", and the look was at ", &at_ms.digits()].concat();
        let must = ": it must be in milliseconds by the clock of the looks, from ";
        let within = [must, &earliest.digits(), " to ", &latest.digits()].concat();
        let what = [&is, within.as_str(), "; left out, it is the time of the first look"].concat();
        let problem = || FieldError::of("position.openedAtMs", FieldCode::OutOfRange, &what);
        (!(earliest..=latest).contains(&given)).then(problem)
    }

    /// Whether nothing is left to sell.
    pub fn is_over(&self) -> bool {
        self.tokens == 0
    }

    /// When the position was opened, by the clock of the looks, as far as that is known.
    pub fn opened_ms(&self) -> u64 {
        self.opened_at_ms.or(self.position.opened_at_ms).unwrap_or_default().0
    }

    /// The request that an order sends.
    pub fn request(&self, order: &ExitOrder) -> SellRequest {
        self.sell_of(order.tokens)
    }

    /// The request that sells so many base units.
    pub fn sell_of(&self, tokens: u64) -> SellRequest {
        let ExitPosition { mint, wallet, fee_payer, .. } = &self.position;
        let mut request = SellRequest::new(mint, wallet, TokenInput::BaseUnits(tokens));
        request.fee_payer.clone_from(fee_payer);
        request.slippage = self.plan.slippage;
        request.priority_unit_limit = self.plan.priority_unit_limit;
        request.priority_unit_price = self.plan.priority_unit_price;
        request
    }

    /// The intent ids under which its exits may have been sent before, as a driver without the latest state asks its journal: the
    /// first 256 attempts of each rung. With the waits between them, those take four hours. The last of them are of rungs that only another
    /// plan can have had: 16 attempts of each.
    pub fn intent_ids(&self) -> Vec<String> {
        let rungs = self.plan.take_profit.len() as u32;
        let own = (1..=rungs).map(Some).chain([None]).map(|rung| (rung, RECALLED));
        let others = (rungs + 1..=MOST_RUNGS as u32).map(|rung| (Some(rung), RECALLED_OF_OTHERS));
        own.chain(others)
            .flat_map(|(rung, attempts)| (0..attempts).map(move |attempt| Label { rung, attempt }))
            .map(|label| self.intent_id(label))
            .collect()
    }

    /// Whether this is a rung that only another plan can have had.
    pub(super) fn is_of_other_plan(&self, label: Label) -> bool {
        label.rung.is_some_and(|rung| rung as usize > self.plan.take_profit.len())
    }

    pub(super) fn intent_id(&self, label: Label) -> String {
        let mut id = self.position.id.clone();
        match label.rung {
            Some(rung) => id.push_str(&["/tp", &rung.digits()].concat()),
            None => id.push_str("/all"),
        }
        if label.attempt > 0 {
            id.push_str(&[".", &(u64::from(label.attempt) + 1).digits()].concat());
        }
        id
    }

    /// What an intent id says, if it is one of this position's exits.
    pub(super) fn label(&self, intent_id: &str) -> Option<Label> {
        let rest = intent_id.strip_prefix(self.position.id.as_str())?.strip_prefix('/')?;
        let (name, attempt) = match rest.split_once('.') {
            Some((name, attempt)) => (name, attempt.parse::<u32>().ok()?.checked_sub(1)?),
            None => (rest, 0),
        };
        let rung = match name.strip_prefix("tp") {
            Some(rung) => {
                Some(rung.parse().ok().filter(|rung| (1..=MOST_RUNGS).contains(&(*rung as usize)))?)
            }
            None => (name == "all").then_some(None)?,
        };
        let label = Label { rung, attempt };
        // One label has one spelling.
        (self.intent_id(label) == intent_id).then_some(label)
    }

    /// Where `tries` has this rung.
    pub(super) fn tries_of(&mut self, rung: Option<u32>) -> Option<&mut ExitTries> {
        let (all, rungs) = self.tries.split_last_mut()?;
        rung.map_or(Some(all), |rung| rungs.get_mut(rung as usize - 1))
    }
}

/// When the first block of the chain was made: 16 March 2020.
const FIRST_BLOCK_MS: u64 = 1_584_316_800_000;
/// How far the clock that a position's time is from may be ahead of that of the first look.
const AHEAD_MS: u64 = 300_000;

/// The outcomes that an order waits with.
const DOUBTS: [(&str, IntentOutcome); 2] =
    [("unknown", IntentOutcome::Unknown), ("unconfirmed", IntentOutcome::Unconfirmed)];

/// How many attempts of a rung a journal is asked about: with the waits between them, those of four hours.
const RECALLED: u32 = 256;
/// The same of a rung that the plan does not have: those of ten minutes.
const RECALLED_OF_OTHERS: u32 = 16;

impl ExitOrder {
    fn read(r: &mut Reader) -> Option<ExitOrder> {
        let reason = r.needed("reason", |r, name| r.choice(name, ExitReason::NAMED));
        let order = ExitOrder {
            intent_id: r.need("intentId", Reader::text).to_owned(),
            rungs: r.need("rungs", |r, name| r.count(name, 0)),
            tokens: r.need("tokens", Reader::whole),
            expected_lamports: r.need("expectedLamports", Reader::whole),
            multiple: r.need("multiple", Multiple::read_any),
            at_ms: r.need("atMs", Millis::read),
            wallet_tokens: r.whole("walletTokens"),
            outcome: r.choice("outcome", &DOUBTS),
            reason: ExitReason::CloseNow,
        };
        Some(ExitOrder { reason: reason?, ..order })
    }
}

impl ExitMissing {
    fn read(r: &mut Reader) -> ExitMissing {
        ExitMissing {
            for_ms: r.need("forMs", Millis::read),
            last_ms: r.need("lastMs", Millis::read),
            most: r.need("most", Reader::whole),
        }
    }
}

impl ExitGone {
    fn read(r: &mut Reader) -> ExitGone {
        ExitGone {
            tokens: r.need("tokens", Reader::whole),
            cost_lamports: r.need("costLamports", Reader::whole),
            wallet_tokens: r.whole("walletTokens"),
        }
    }
}

impl ExitSold {
    fn read(r: &mut Reader) -> ExitSold {
        ExitSold {
            wallet_tokens: r.need("walletTokens", Reader::whole),
            until_ms: r.need("untilMs", Millis::read),
        }
    }
}

impl ExitAnswered {
    fn read(r: &mut Reader) -> ExitAnswered {
        ExitAnswered {
            intent_id: r.need("intentId", Reader::text).to_owned(),
            landed: r.need("landed", Reader::boolean),
            tokens: r.need("tokens", Reader::whole),
            cost_lamports: r.need("costLamports", Reader::whole),
            rungs: r.need("rungs", |r, name| r.count(name, 0)),
        }
    }
}

impl ExitTries {
    fn read(r: &mut Reader) -> ExitTries {
        ExitTries {
            failed: r.need("failed", |r, name| r.count(name, 0)),
            not_before_ms: r.need("notBeforeMs", Millis::read),
        }
    }
}
