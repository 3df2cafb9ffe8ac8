//! An exit plan, and the position it is for.

use super::units::{Millis, Multiple, Part};
use crate::amount::{Digits, Slippage, SlippageUnit};
use crate::api::validate::{Identifiers, identifier_problem};
use crate::error::{FieldCode, FieldError};
use crate::intent::intent_id_problem;
use crate::launchpad::cost::Priority;
use crate::reader::{self, Reader};
use crate::record;
use crate::tape::{Data, Item};

/// The most take-profits of a plan.
pub const MOST_RUNGS: usize = 64;

/// What the fields of a plan and of a position are, for who gave something else.
const RUNGS: &str = "a list such as [{ at: \"2x\", sell: \"50%\" }]";
const TRAILING: &str = "an object such as { by: \"30%\", from: \"1.5x\" }";
const GRADUATION: &str = "an object such as { from: \"95%\" }";
const SLIPPAGE: &str = "{ percent: 10 } or { bps: 1000 }";
const MILLISECONDS: &str = "milliseconds";
const UNITS: &str = "priority units that each sell pays for";
const PRICE: &str = "micro-lamports for each priority unit";
const LAMPORTS: &str = "lamports, of which 1 SOL has 1000000000";

/// The longest name of a position: its exits' intent ids begin with it.
const MOST_ID: usize = 100;

record! {
    /// When a position is sold, and how much of it. A multiple such as `"2x"` compares what selling everything that is left would
    /// bring now, after every fee and with the account's refund, with what was paid for it, fees and rent included.
    #[derive(Default)]
    ExitPlan {
        /// Parts to sell as the position gains, in rising order.
        take_profit: Vec<TakeProfit> => "TakeProfit[]" optional,
        /// Sells everything at this multiple or below.
        stop_loss: Option<Multiple> => "string | null" optional,
        /// Sells everything once it has fallen this far from its best.
        trailing: Option<Trailing> => "Trailing | null" optional,
        /// Once the position has had this multiple, above `"1x"`, it sells everything at `"1x"` or below.
        break_even_after: Option<Multiple> => "string | null" optional,
        /// Sells everything this many milliseconds after the position was opened. The time of that must be by the clock of the looks.
        time_ms: Option<Millis> => "number | null" optional,
        /// Sells everything before the curve completes: a complete curve takes no sells. Without it, what is left then stays.
        on_graduation: Option<OnGraduation> => "OnGraduation | null" optional,
        /// The slippage of each sell. Default: the service's.
        slippage: Option<Slippage> => "SlippageInput | null" optional,
        /// Priority units that each sell pays for. Default: the service's.
        priority_unit_limit: Option<u64> => "number | bigint | string | null" optional,
        /// Micro-lamports for each of them. Default: the service's.
        priority_unit_price: Option<u64> => "number | bigint | string | null" optional,
    }
}

record! {
    /// A rung of an exit plan.
    #[derive(Default)]
    TakeProfit {
        /// The multiple from which it is sold: `"2x"`.
        at: Multiple => "string",
        /// How much of the position as it was opened: `"50%"`. All of them are at most `"100%"`.
        sell: Part => "string",
    }
}

record! {
    /// A stop that follows the position up.
    #[derive(Default)]
    Trailing {
        /// How far below its best multiple: `"20%"`.
        by: Part => "string",
        /// The multiple that its best must have had: `"1.5x"`. Default: any.
        from: Option<Multiple> => "string | null" optional,
    }
}

record! {
    /// When a curve is about to complete.
    #[derive(Default)]
    OnGraduation {
        /// How much of the curve's tokens must be sold: `"95%"`.
        from: Part => "string",
    }
}

record! {
    /// A position to leave: what it holds, and what was paid for it.
    #[derive(Default)]
    ExitPosition {
        /// Its name, such as the intent id of the buy that opened it: the exits' intent ids begin with it, so no two positions may
        /// have the same. At most 100 visible ASCII characters.
        id: String => "string",
        /// Mint address of the token.
        mint: String => "string",
        /// The wallet that holds it.
        wallet: String => "string",
        /// Base units to sell in all.
        tokens: u64 => "number | bigint | string",
        /// What they cost, fees and network fees included, without rent; in lamports.
        cost_lamports: u64 => "number | bigint | string",
        /// Rent that was paid for the token account and comes back when it closes. Default: none, as in an account that was open
        /// before.
        rent_locked_lamports: u64 => "number | bigint | string" optional,
        /// When it was opened, in milliseconds since 1970, or of the market's own time where that has one. Default: the time of the first look.
        opened_at_ms: Option<Millis> => "number | null" optional,
        /// Who pays the network fee of its sells. Default: the wallet.
        fee_payer: Option<String> => "string | null" optional,
    }
}

impl ExitPlan {
    /// Reads a plan from plain data.
    ///
    /// ```
    /// use launchpad_desk::strategy::ExitPlan;
    /// use launchpad_desk::tape::json;
    /// let given = json::parse(br#"{ "takeProfit": [{ "at": "2x", "sell": "50%" }], "stopLoss": "0.7x" }"#).unwrap();
    /// let plan = ExitPlan::from_data(given.root()).unwrap();
    /// assert_eq!(plan.take_profit[0].at.to_string(), "2x");
    ///
    /// let given = json::parse(br#"{ "stopLoss": 30 }"#).unwrap();
    /// let problem = &ExitPlan::from_data(given.root()).unwrap_err()[0];
    /// assert_eq!(problem.message, "stopLoss must be a multiple of what was paid, as text such as \"2x\", not a number");
    /// ```
    pub fn from_data(value: Item) -> Result<ExitPlan, Vec<FieldError>> {
        reader::read(value, ExitPlan::read)
    }

    /// Reads one.
    #[doc(hidden)]
    pub fn read(r: &mut Reader) -> ExitPlan {
        ExitPlan::read_with(r, 0)
    }

    /// Reads one of which so many take-profits have acted: a stop may be above those.
    pub(super) fn read_with(r: &mut Reader, acted: usize) -> ExitPlan {
        let plan = ExitPlan {
            take_profit: r
                .in_unit("takeProfit", RUNGS, |r| r.list("takeProfit", TakeProfit::read))
                .unwrap_or_default(),
            stop_loss: Multiple::read(r, "stopLoss"),
            trailing: r.in_unit("trailing", TRAILING, |r| r.object("trailing", Trailing::read)),
            break_even_after: Multiple::read(r, "breakEvenAfter"),
            time_ms: r
                .in_unit("timeMs", MILLISECONDS, |r| r.whole_within("timeMs", 1, Millis::MOST))
                .map(Millis),
            on_graduation: r.in_unit("onGraduation", GRADUATION, |r| {
                r.object("onGraduation", |r| OnGraduation { from: Part::need(r, "from", Part::WHOLE) })
            }),
            slippage: r.in_unit("slippage", SLIPPAGE, |r| r.slippage("slippage")),
            priority_unit_limit: r.in_unit("priorityUnitLimit", UNITS, |r| r.whole("priorityUnitLimit")),
            priority_unit_price: r.in_unit("priorityUnitPrice", PRICE, |r| r.whole("priorityUnitPrice")),
        };
        plan.check(r, acted);
        plan
    }

    /// What no field says alone.
    fn check(&self, r: &mut Reader, acted: usize) {
        if self.take_profit.len() > MOST_RUNGS {
            r.refuse(
                "takeProfit",
                FieldCode::TooLong,
                &["has over ", &(MOST_RUNGS as u64).digits(), " rungs"].concat(),
            );
        }
        let mut sold = 0;
        for (at, rung) in self.take_profit.iter().enumerate() {
            let field = |name| ["takeProfit[", &(at as u64).digits(), "].", name].concat();
            let before = at.checked_sub(1).and_then(|before| self.take_profit.get(before));
            if before.is_some_and(|before| rung.at <= before.at && rung.at != Multiple::default()) {
                r.refuse(&field("at"), FieldCode::OutOfRange, "must be above that of the rung before it");
            }
            let is_within = sold <= Part::WHOLE.millionths();
            sold = sold.saturating_add(rung.sell.millionths());
            if is_within && sold > Part::WHOLE.millionths() {
                r.refuse(
                    &field("sell"),
                    FieldCode::OutOfRange,
                    "is more than the rungs before it leave of 100%",
                );
            }
        }
        if let (Some(stop), Some(first)) = (self.stop_loss, self.take_profit.get(acted))
            && stop >= first.at
            && first.at != Multiple::default()
        {
            let must = ["must be below takeProfit[", &(acted as u64).digits(), "].at"].concat();
            r.refuse("stopLoss", FieldCode::Conflict, &must);
        }
        // In whichever unit the client has it; as percent, the client warns.
        if self.slippage.is_some_and(|slippage| slippage.is_over_whole(SlippageUnit::Bps)) {
            r.refuse("slippage", FieldCode::OutOfRange, Slippage::OVER_WHOLE);
        }
        if self.break_even_after.is_some_and(|after| after <= Multiple::ONE) {
            r.refuse("breakEvenAfter", FieldCode::OutOfRange, "must be above 1x");
        }
        let rules = ["takeProfit", "stopLoss", "trailing", "breakEvenAfter", "timeMs", "onGraduation"];
        let is_given = |rule| match r.value(rule).map(Item::data) {
            Some(Data::Array(rungs)) => !rungs.is_empty(),
            given => given.is_some(),
        };
        if !rules.into_iter().any(is_given) {
            r.refuse(
                "takeProfit",
                FieldCode::Required,
                "or another rule must be given: a plan without one never sells",
            );
        }
    }

    /// How much of the position its first `rungs` sell together.
    pub(super) fn sold_by(&self, rungs: usize) -> Part {
        let sold = self
            .take_profit
            .iter()
            .take(rungs)
            .map(|rung| rung.sell.millionths())
            .fold(0, u32::saturating_add);
        Part::from_millionths(sold).unwrap_or(Part::WHOLE)
    }

    /// The priority fee that its orders ask for.
    pub fn priority(&self) -> Priority {
        Priority { unit_limit: self.priority_unit_limit, unit_price_micro_lamports: self.priority_unit_price }
    }
}

impl TakeProfit {
    fn read(r: &mut Reader) -> TakeProfit {
        TakeProfit { at: Multiple::need(r, "at"), sell: Part::need(r, "sell", Part::WHOLE) }
    }
}

impl Trailing {
    fn read(r: &mut Reader) -> Trailing {
        Trailing { by: Part::need(r, "by", Part::BELOW_WHOLE), from: Multiple::read(r, "from") }
    }
}

impl ExitPosition {
    /// Reads a position from plain data.
    pub fn from_data(value: Item) -> Result<ExitPosition, Vec<FieldError>> {
        reader::read(value, ExitPosition::read)
    }

    pub(super) fn read(r: &mut Reader) -> ExitPosition {
        ExitPosition {
            id: r.in_unit("id", "the intent id of its buy", |r| r.need("id", read_id)),
            mint: r.in_unit("mint", "the token's mint address", |r| r.need("mint", read_identifier)),
            wallet: r.in_unit("wallet", "the id of the wallet that holds it", |r| {
                r.need("wallet", read_identifier)
            }),
            tokens: r.in_unit("tokens", "base units of the token, not whole tokens", |r| {
                r.need("tokens", |r, name| r.whole_within(name, 1, u64::MAX))
            }),
            cost_lamports: r.in_unit("costLamports", LAMPORTS, |r| {
                r.need("costLamports", |r, name| r.whole_within(name, 1, u64::MAX))
            }),
            rent_locked_lamports: r
                .in_unit("rentLockedLamports", LAMPORTS, |r| r.whole("rentLockedLamports"))
                .unwrap_or(0),
            opened_at_ms: r
                .in_unit("openedAtMs", "milliseconds since 1970", |r| Millis::read(r, "openedAtMs")),
            fee_payer: r.in_unit("feePayer", "the id of the wallet that pays the network fee", |r| {
                read_identifier(r, "feePayer")
            }),
        }
    }

    /// Whether the wallet pays the network fee of its sells.
    pub(super) fn pays(&self) -> bool {
        self.fee_payer.as_ref().is_none_or(|payer| *payer == self.wallet)
    }
}

/// The name of a position.
fn read_id(r: &mut Reader, name: &'static str) -> Option<String> {
    let id = r.text(name)?;
    let problem = match intent_id_problem(id) {
        None if id.len() > MOST_ID => Some((FieldCode::TooLong, "is longer than 100 characters")),
        problem => problem,
    };
    if let Some((code, what)) = problem {
        r.refuse(name, code, what);
    }
    Some(id.to_owned())
}

/// A mint or a wallet id.
fn read_identifier(r: &mut Reader, name: &'static str) -> Option<String> {
    let text = r.text(name)?;
    if let Some((code, what)) = identifier_problem(text, Identifiers::Any) {
        r.refuse(name, code, what);
    }
    Some(text.to_owned())
}
