//! How far the exits of a position are: plain data that survives a restart.

use super::plan::{ExitPlan, ExitPosition};
use super::units::{Millis, Multiple};
use crate::amount::{Digits, TokenInput};
use crate::api::request::SellRequest;
use crate::codes::codes;
use crate::error::{FieldCode, FieldError};
use crate::intent::IntentOutcome;
use crate::reader::{self, Reader};
use crate::record;
use crate::tape::Item;

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
        /// How many.
        looks: u32 => "number",
        /// When the first of them was, in milliseconds since 1970.
        since_ms: Millis => "number",
        /// The most base units that the wallet held at one of them.
        most: u64 => "number | bigint | string",
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
        /// Whether a look has shown all that is left in the wallet.
        seen: bool => "boolean" optional,
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
            tries,
            paused: false,
            closing: false,
            last: None,
            missing: None,
            seen: false,
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
            let plan = r.needed("plan", |r, name| r.object(name, ExitPlan::read));
            let position = r.needed("position", |r, name| r.object(name, ExitPosition::read));
            let state = ExitState {
                tokens: r.need("tokens", Reader::whole),
                cost_lamports: r.need("costLamports", Reader::whole),
                rungs_sold: r.need("rungsSold", |r, name| r.count(name, 0)),
                best: r.need("best", Multiple::read_any),
                order: r.object("order", ExitOrder::read).flatten(),
                tries: r.need("tries", |r, name| r.list(name, ExitTries::read)),
                paused: r.need("paused", Reader::boolean),
                closing: r.need("closing", Reader::boolean),
                last: r.choice("last", ExitReason::NAMED),
                missing: r.object("missing", ExitMissing::read),
                seen: r.boolean("seen").unwrap_or(false),
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
        let Some(order) = &self.order else { return };
        if order.rungs as usize > rungs {
            r.refuse("order.rungs", FieldCode::Conflict, &most);
        }
        if order.tokens == 0 || order.tokens > self.tokens {
            r.refuse(
                "order.tokens",
                FieldCode::Conflict,
                "must be above 0, and at most the tokens that are left",
            );
        }
        if self.label(&order.intent_id).is_none() {
            r.refuse("order.intentId", FieldCode::Conflict, "is not the id of an exit of this position");
        }
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
        (own != other).then(|| FieldError {
            field: "position".to_owned(),
            code: FieldCode::Conflict,
            message: ["position is ", &own, ", not ", &other].concat(),
        })
    }

    /// Whether nothing is left to sell.
    pub fn is_over(&self) -> bool {
        self.tokens == 0
    }

    /// The request that an order sends.
    pub fn request(&self, order: &ExitOrder) -> SellRequest {
        self.sell_of(order.tokens)
    }

    /// The request that sells so many base units.
    pub fn sell_of(&self, tokens: u64) -> SellRequest {
        SellRequest {
            mint: self.position.mint.clone(),
            from_wallet: self.position.wallet.clone(),
            amount_in_token: TokenInput::BaseUnits(tokens),
            fee_payer: self.position.fee_payer.clone(),
            slippage: self.plan.slippage,
            priority_unit_limit: self.plan.priority_unit_limit,
            priority_unit_price: self.plan.priority_unit_price,
        }
    }

    /// The intent ids under which its exits may have been sent before, as a driver without the latest state asks its journal: the
    /// first 256 attempts of each rung. With the waits between them, those take four hours.
    pub fn intent_ids(&self) -> Vec<String> {
        let rungs = 1..=self.plan.take_profit.len() as u32;
        let labels = rungs.map(Some).chain([None]);
        labels
            .flat_map(|rung| (0..RECALLED).map(move |attempt| Label { rung, attempt }))
            .map(|label| self.intent_id(label))
            .collect()
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
            Some(rung) => Some(
                rung.parse()
                    .ok()
                    .filter(|rung| (1..=self.plan.take_profit.len()).contains(&(*rung as usize)))?,
            ),
            None => (name == "all").then_some(None)?,
        };
        let label = Label { rung, attempt };
        // One label has one spelling.
        (self.intent_id(label) == intent_id).then_some(label)
    }

    /// Where `tries` has this rung.
    pub(super) fn tries_of(&mut self, rung: Option<u32>) -> Option<&mut ExitTries> {
        let last = self.tries.len().checked_sub(1)?;
        let at = rung.map_or(last, |rung| rung as usize - 1);
        self.tries.get_mut(at)
    }
}

/// The outcomes that an order waits with.
const DOUBTS: [(&str, IntentOutcome); 2] =
    [("unknown", IntentOutcome::Unknown), ("unconfirmed", IntentOutcome::Unconfirmed)];

/// How many attempts of a rung a journal is asked about: with the waits between them, those of four hours.
const RECALLED: u32 = 256;

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
            looks: r.need("looks", |r, name| r.count(name, 0)),
            since_ms: r.need("sinceMs", Millis::read),
            most: r.need("most", Reader::whole),
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
