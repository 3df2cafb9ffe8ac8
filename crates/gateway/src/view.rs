//! What an operator sees of a desk, as data.

use crate::doubt::Undecided;
use crate::intent::{Intent, RecordedAnswer};
use crate::ledger::Spend;
use crate::policy::Limits;
use launchpad_desk::amount::{Decimal, Digits, Slippage, SlippageUnit, lamports_to_sol};
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

/// How many intents and log entries a page shows.
pub(super) const SHOWN: usize = 50;

/// An intent as it is shown: without its body, unless it waits for approval.
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
    /// Of a waiting trade, what would be sent.
    pub asked: Option<Asked>,
    /// Of a waiting trade, where its market is known.
    pub price: Option<Priced>,
}

/// What would be sent, as data and in sentences for a person.
pub(super) struct Asked {
    pub request: Tape,
    pub sentences: Vec<String>,
}

/// How many trades of a bundle are told in sentences.
const MOST_TOLD: usize = 20;

impl Asked {
    /// What an intent would send to a service that counts slippage in this unit.
    pub fn of(intent: &Intent, unit: SlippageUnit) -> Asked {
        let request = json::parse(intent.body.as_bytes()).unwrap_or_default();
        let sentences =
            request_of(intent.operation, &intent.body).map(|request| sentences(&request, unit, intent.at_ms));
        Asked { request, sentences: sentences.unwrap_or_default() }
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
        let slippage = match (request.slippage_of(leg), unit) {
            (None, _) => "the service's own slippage".to_owned(),
            (Some(Slippage::Bps(bps)), _) | (Some(Slippage::Bare(bps)), SlippageUnit::Bps) => {
                ["a slippage of ", &bps.text(), " bps"].concat()
            }
            (Some(Slippage::Percent(percent) | Slippage::Bare(percent)), _) => {
                ["a slippage of ", &percent.text(), " %"].concat()
            }
        };
        [&leg.from_wallet, " ", &does, ", with ", &slippage, "."].concat()
    };
    let mut told: Vec<String> = request.legs.iter().take(MOST_TOLD).map(of_leg).collect();
    if let Some(more @ 1..) = request.legs.len().checked_sub(MOST_TOLD) {
        told.push(["And ", &(more as u64).digits(), " more trades."].concat());
    }
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

/// The limits of a desk, as they are shown.
pub(super) struct LimitsView {
    pub max_lamports_per_trade: Option<u64>,
    pub max_lamports_per_day: Option<u64>,
    pub max_lamports_per_wallet_per_day: Option<u64>,
    /// With its unit, if the setting names one.
    pub max_slippage: Option<String>,
    pub max_percentage: Option<String>,
    pub max_bundle_size: Option<u32>,
}
to_tape!(LimitsView {
    max_lamports_per_trade,
    max_lamports_per_day,
    max_lamports_per_wallet_per_day,
    max_slippage,
    max_percentage,
    max_bundle_size,
});

impl LimitsView {
    pub fn of(limits: &Limits) -> LimitsView {
        let slippage = limits.guards.max_slippage.map(|slippage| match slippage {
            Slippage::Bare(number) => number.text(),
            Slippage::Percent(percent) => [&percent.text(), " %"].concat(),
            Slippage::Bps(bps) => [&bps.text(), " bps"].concat(),
        });
        LimitsView {
            max_lamports_per_trade: limits.guards.max_lamports_per_trade,
            max_lamports_per_day: limits.max_lamports_per_day,
            max_lamports_per_wallet_per_day: limits.max_lamports_per_wallet_per_day,
            max_slippage: slippage,
            max_percentage: limits.max_percentage.map(Decimal::text),
            max_bundle_size: limits.max_bundle_size,
        }
    }
}

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
});
