//! What an operator sees of a desk, as data.

use crate::doubt::Undecided;
use crate::intent::{Intent, RecordedAnswer};
use crate::ledger::Spend;
use crate::policy::Limits;
use launchpad_desk::amount::{Decimal, Slippage, SlippageUnit, lamports_to_sol};
use launchpad_desk::api::endpoint::Operation;
use launchpad_desk::api::request::{Amount, Leg, Request};
use launchpad_desk::bindings::object;
use launchpad_desk::bindings::to_tape;
use launchpad_desk::intent::{IntentOutcome, IntentState};
use launchpad_desk::launchpad::rules::RulesByDay;
use launchpad_desk::launchpad::view::TradeQuote;
use launchpad_desk::market::read::Commitment;
use launchpad_desk::tape::{Number, Tape, ToTape, Writer, json};
use launchpad_desk::trade::guard::{Mode, priority_lamports, request_of};
use launchpad_desk_record::line::Entry;
use std::collections::BTreeSet;

/// How many intents and log entries a page shows.
pub(super) const SHOWN: usize = 50;

/// An intent as it is shown: without its body, unless an operator sees it before it has ended.
pub(super) struct IntentView {
    pub caller: String,
    pub intent_id: String,
    pub state: IntentState,
    pub operation: Operation,
    pub mint: String,
    pub lamports: u128,
    pub spends: Vec<Spend>,
    pub reasons: String,
    pub outcome: Option<IntentOutcome>,
    pub status: Option<u16>,
    /// The recorded answer; only its own caller sees it.
    pub answer: Option<RecordedAnswer>,
    pub at_ms: u64,
    pub sent_at_ms: Option<u64>,
    pub expires_at_ms: Option<u64>,
    /// Of one in doubt, when the chain was asked last, and why that did not decide it.
    pub doubt: Option<(u64, Undecided)>,
    /// Whether the chain proves how it ended.
    pub proven: bool,
    /// Of a trade that has not ended, what would be or was sent.
    pub asked: Option<Asked>,
    /// Of a waiting trade, where its market is known.
    pub price: Option<Priced>,
}

/// What would be or was sent, as data and in sentences for a person.
pub(super) struct Asked {
    pub request: Tape,
    pub sentences: Vec<String>,
}

impl Asked {
    /// What an intent would send to a service that counts slippage in this unit.
    pub fn of(intent: &Intent, unit: SlippageUnit) -> Asked {
        let request = json::parse(intent.body.as_bytes()).unwrap_or_default();
        let sentences =
            request_of(intent.operation, &intent.body).map(|request| sentences(&request, unit, intent.at_ms));
        Asked { request, sentences: sentences.unwrap_or_default() }
    }
}

/// A slippage with its unit.
fn slippage_text(slippage: Slippage, unit: SlippageUnit) -> String {
    match (slippage, unit) {
        (Slippage::Bps(bps), _) | (Slippage::Bare(bps), SlippageUnit::Bps) => [&bps.text(), " bps"].concat(),
        (Slippage::Percent(percent) | Slippage::Bare(percent), _) => [&percent.text(), " %"].concat(),
    }
}

fn sentences(request: &Request, unit: SlippageUnit, at_ms: u64) -> Vec<String> {
    let of_leg = |leg: &Leg| {
        let does = match leg.amount {
            Some(Amount::Lamports(lamports)) => ["spends ", &lamports_to_sol(lamports), " SOL"].concat(),
            Some(Amount::Tokens(amount)) => ["sells ", &amount.tokens.text(), " tokens"].concat(),
            Some(Amount::Percentage(share)) => ["sells ", &share.0.text(), " % of what it holds"].concat(),
            None => "trades".to_owned(),
        };
        let slippage = match request.slippage_of(leg) {
            None => "the service's own slippage".to_owned(),
            Some(slippage) => ["a slippage of ", &slippage_text(slippage, unit)].concat(),
        };
        [&leg.from_wallet, " ", &does, ", with ", &slippage, "."].concat()
    };
    let mut told: Vec<String> = request.legs.iter().map(of_leg).collect();
    let units_per_trade = RulesByDay::default().at(at_ms).network.default_units_per_trade;
    let priority = match priority_lamports(request, units_per_trade) {
        0 => String::new(),
        lamports => {
            let lamports = i128::try_from(lamports).unwrap_or(i128::MAX);
            [", and bids ", &lamports_to_sol(lamports), " SOL for priority"].concat()
        }
    };
    told.push([request.payer(), " pays the network fee", &priority, "."].concat());
    told
}

/// A price, or why there is none, in words for a person.
pub(super) type Priced = Result<PriceView, String>;

/// What a trade would cost or bring now.
pub(super) struct PriceView {
    pub quote: TradeQuote,
    pub at_ms: u64,
    pub slot: (u64, Commitment),
}

impl PriceView {
    pub fn of(quote: TradeQuote, at_ms: u64, slot: (u64, Commitment)) -> PriceView {
        PriceView { quote, at_ms, slot }
    }
}

/// As a plan has it: figures are text.
impl ToTape for PriceView {
    fn write(&self, tape: &mut Writer) {
        let quote = self.quote.to_tape().with_text_figures();
        let (slot, commitment) = (Number(self.slot.0.into()), self.slot.1);
        let at_ms = Number(self.at_ms.into());
        let more: [(&str, &dyn ToTape); 3] = [("slot", &slot), ("atMs", &at_ms), ("commitment", &commitment)];
        let fields: Vec<_> = quote.root().fields().into_iter().flatten().collect();
        let own = fields.iter().map(|(name, value)| (*name, value as &dyn ToTape));
        tape.object(&mut own.chain(more));
    }
}

impl IntentView {
    pub fn of(intent: &Intent) -> IntentView {
        IntentView {
            caller: intent.caller.clone(),
            intent_id: intent.key.clone(),
            state: intent.state,
            operation: intent.operation,
            mint: intent.mint.clone(),
            lamports: intent.lamports(),
            spends: intent.spends.clone(),
            reasons: intent.reasons.clone(),
            outcome: intent.outcome,
            status: intent.answer.as_ref().map(|answer| answer.status),
            answer: None,
            at_ms: intent.at_ms,
            sent_at_ms: intent.sent_at_ms,
            expires_at_ms: intent.expires_at_ms,
            doubt: None,
            proven: intent.is_proven,
            asked: None,
            price: None,
        }
    }
}

impl ToTape for IntentView {
    fn write(&self, tape: &mut Writer) {
        let ms = |ms: u64| Number(ms.into());
        let (at_ms, sent_at_ms, expires_at_ms) =
            (ms(self.at_ms), self.sent_at_ms.map(ms), self.expires_at_ms.map(ms));
        let answer = self.answer.as_ref().map(|answer| ("answer", answer as &dyn ToTape));
        let fields: [(&str, &dyn ToTape); 14] = [
            ("caller", &self.caller),
            ("intentId", &self.intent_id),
            ("state", &self.state),
            ("operation", &self.operation),
            ("mint", &self.mint),
            ("lamports", &self.lamports),
            ("spends", &self.spends),
            ("reasons", &self.reasons),
            ("outcome", &self.outcome),
            ("status", &self.status),
            ("atMs", &at_ms),
            ("sentAtMs", &sent_at_ms),
            ("expiresAtMs", &expires_at_ms),
            ("proven", &self.proven),
        ];
        let doubt = self.doubt.as_ref().map(|(at_ms, undecided)| {
            let Undecided { reason, signature, problem } = undecided;
            object! {
                "atMs": Number((*at_ms).into()), "reason": reason, "meaning": reason.map(|reason| reason.meaning()),
                "signature": signature, "problem": problem,
            }
        });
        let doubt = doubt.as_ref().map(|doubt| ("chain", doubt as &dyn ToTape));
        let asked = self.asked.iter().flat_map(|asked| {
            let fields: [(&str, &dyn ToTape); 2] =
                [("request", &asked.request), ("sentences", &asked.sentences)];
            fields
        });
        let price = self.price.as_ref().map(|price| (price.as_ref().ok(), price.as_ref().err()));
        let price = price.iter().flat_map(|(price, problem)| {
            let fields: [(&str, &dyn ToTape); 2] = [("price", price), ("priceProblem", problem)];
            fields
        });
        tape.object(&mut fields.into_iter().chain(answer).chain(doubt).chain(asked).chain(price));
    }
}

/// Lamports counted in the last 24 hours.
pub(super) struct SpentView {
    /// One caller; `None` for all.
    pub caller: Option<String>,
    /// One wallet; `None` for all.
    pub wallet: Option<String>,
    pub lamports: u128,
    pub limit: Option<u64>,
}
to_tape!(SpentView { caller, wallet, lamports, limit });

/// The limits of a desk or of a caller, as they are shown. The rate, the flights and the breaker are only a caller's.
pub(super) struct LimitsView {
    pub max_lamports_per_trade: Option<u64>,
    pub max_lamports_per_day: Option<u64>,
    pub max_lamports_per_wallet_per_day: Option<u64>,
    /// With its unit.
    pub max_slippage: Option<String>,
    pub max_percentage: Option<String>,
    pub max_bundle_size: Option<u32>,
    pub allow_mints: Option<Vec<String>>,
    pub allow_wallets: Option<Vec<String>>,
    pub trades_per_second: Option<Decimal>,
    pub burst: Option<u32>,
    pub in_flight_per_wallet: Option<u32>,
    pub breaker_unknowns: Option<u32>,
    pub breaker_stops_sells: bool,
}
to_tape!(LimitsView {
    max_lamports_per_trade,
    max_lamports_per_day,
    max_lamports_per_wallet_per_day,
    max_slippage,
    max_percentage,
    max_bundle_size,
    allow_mints,
    allow_wallets,
    trades_per_second,
    burst,
    in_flight_per_wallet,
    breaker_unknowns,
    breaker_stops_sells,
});

impl LimitsView {
    pub fn of(limits: &Limits) -> LimitsView {
        let Limits { guards, .. } = limits;
        let names = |names: &BTreeSet<String>| names.iter().cloned().collect();
        // Without such a limit, they are the largest number.
        let limited = |most: u32| Some(most).filter(|most| *most != u32::MAX);
        let rate = guards.rate_limit.as_ref();
        LimitsView {
            max_lamports_per_trade: guards.max_lamports_per_trade,
            max_lamports_per_day: limits.max_lamports_per_day,
            max_lamports_per_wallet_per_day: limits.max_lamports_per_wallet_per_day,
            max_slippage: guards.max_slippage.map(|slippage| slippage_text(slippage, guards.slippage_unit)),
            max_percentage: limits.max_percentage.map(Decimal::text),
            max_bundle_size: limits.max_bundle_size,
            allow_mints: guards.allow_mints.as_ref().map(names),
            allow_wallets: guards.allow_wallets.as_ref().map(names),
            trades_per_second: rate.map(|rate| Decimal::from_units(rate.per_1000_seconds.into(), 3)),
            burst: rate.map(|rate| rate.burst),
            in_flight_per_wallet: limited(guards.in_flight_per_wallet),
            breaker_unknowns: limited(guards.breaker_unknowns),
            breaker_stops_sells: guards.breaker_stops_sells,
        }
    }
}

/// A trader of a desk, as its operators see it.
pub(super) struct CallerView {
    pub caller: String,
    /// Too many of its trades in a row ended as unknown, so none is let through, or no buy.
    pub breaker_open: bool,
    pub limits: LimitsView,
}
to_tape!(CallerView { caller, breaker_open, limits });

/// A desk as its operators see it.
pub(super) struct DeskView {
    pub desk: String,
    pub mode: Mode,
    pub simulated: bool,
    pub spent: Vec<SpentView>,
    pub in_doubt: Vec<IntentView>,
    pub awaiting_approval: Vec<IntentView>,
    pub in_flight: Vec<IntentView>,
    pub recent: Vec<IntentView>,
    /// The cursor of the trades before `recent`; `None` if there are none.
    pub older_trades: Option<Number>,
    /// What is broken in the audit log, until an operator acknowledges it.
    pub audit_broken: Option<String>,
    pub audit: Vec<Entry>,
    /// The cursor of the entries before `audit`; `None` if there are none.
    pub older_audit: Option<Number>,
    pub remembered: u32,
    pub limits: LimitsView,
    pub callers: Vec<CallerView>,
}
to_tape!(DeskView {
    desk,
    mode,
    simulated,
    spent,
    in_doubt,
    awaiting_approval,
    in_flight,
    recent,
    older_trades,
    audit_broken,
    audit,
    older_audit,
    remembered,
    limits,
    callers,
});
