//! What an operator sees of a desk, as data.

use crate::doubt::Undecided;
use crate::intent::{Intent, RecordedAnswer};
use crate::policy::Limits;
use launchpad_desk::amount::{Decimal, Slippage, SlippageUnit, lamports_to_sol};
use launchpad_desk::api::request::{Amount, Leg, Request};
use launchpad_desk::bindings::object;
use launchpad_desk::launchpad::rules::RulesByDay;
use launchpad_desk::tape::{Tape, ToTape, Writer, json};
use launchpad_desk::trade::guard::{priority_lamports, request_of};
use launchpad_desk::trade::plan::PlanPrice;
use std::collections::BTreeSet;

/// How many intents and log entries a page shows.
pub(super) const SHOWN: usize = 50;

/// An intent as it is shown: without its body, unless an operator sees it before it has ended.
pub(super) struct IntentView<'a> {
    pub intent: &'a Intent,
    /// The recorded answer; only its own caller sees it.
    pub answer: Option<RecordedAnswer>,
    /// Of one in doubt, when the chain was asked last, and why that did not decide it.
    pub doubt: Option<(u64, Undecided)>,
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

/// What a trade would cost or bring now, or why there is no price, in words for a person.
pub(super) type Priced = Result<PlanPrice, String>;

impl IntentView<'_> {
    pub fn of(intent: &Intent) -> IntentView<'_> {
        IntentView { intent, answer: None, doubt: None, asked: None, price: None }
    }
}

impl ToTape for IntentView<'_> {
    fn write(&self, tape: &mut Writer) {
        let intent = self.intent;
        let (lamports, status) = (intent.lamports(), intent.answer.as_ref().map(|answer| answer.status));
        let answer = self.answer.as_ref().map(|answer| ("answer", answer as &dyn ToTape));
        let fields: [(&str, &dyn ToTape); 14] = [
            ("caller", &intent.caller),
            ("intentId", &intent.key),
            ("state", &intent.state),
            ("operation", &intent.operation),
            ("mint", &intent.mint),
            ("lamports", &lamports),
            ("spends", &intent.spends),
            ("reasons", &intent.reasons),
            ("outcome", &intent.outcome),
            ("status", &status),
            ("atMs", &intent.at_ms),
            ("sentAtMs", &intent.sent_at_ms),
            ("expiresAtMs", &intent.expires_at_ms),
            ("proven", &intent.is_proven),
        ];
        let doubt = self.doubt.as_ref().map(|(at_ms, undecided)| {
            let Undecided { reason, signature, problem } = undecided;
            object! {
                "atMs": at_ms, "reason": reason, "meaning": reason.map(|reason| reason.meaning()),
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

/// The limits of a desk or of a caller, as they are shown. The rate, the flights and the breaker are only a caller's.
pub(super) fn limits_view(limits: &Limits) -> Tape {
    let Limits { guards, .. } = limits;
    let names = |names: &BTreeSet<String>| names.iter().cloned().collect::<Vec<_>>();
    // Without such a limit, they are the largest number.
    let limited = |most: u32| Some(most).filter(|most| *most != u32::MAX);
    let rate = guards.rate_limit.as_ref();
    object! {
        "maxLamportsPerTrade": guards.max_lamports_per_trade,
        "maxLamportsPerDay": limits.max_lamports_per_day,
        "maxLamportsPerWalletPerDay": limits.max_lamports_per_wallet_per_day,
        "maxSlippage": guards.max_slippage.map(|slippage| slippage_text(slippage, guards.slippage_unit)),
        "maxPercentage": limits.max_percentage.map(Decimal::text),
        "maxBundleSize": limits.max_bundle_size,
        "allowMints": guards.allow_mints.as_ref().map(names),
        "allowWallets": guards.allow_wallets.as_ref().map(names),
        "tradesPerSecond": rate.map(|rate| Decimal::from_units(rate.per_1000_seconds.into(), 3)),
        "burst": rate.map(|rate| rate.burst),
        "inFlightPerWallet": limited(guards.in_flight_per_wallet),
        "breakerUnknowns": limited(guards.breaker_unknowns),
        "breakerStopsSells": guards.breaker_stops_sells,
    }
}
