//! The price of a trade: that of its plan, by the rules; that at which it landed; and its receipts.

use launchpad_desk::api::response::Trade;
use launchpad_desk::intent::IntentOutcome;
use launchpad_desk::launchpad::curve_view::TradeReceipt;
use launchpad_desk::launchpad::dry_run::{OUTCOME_PREFIX, Terms, dry_run};
use launchpad_desk::launchpad::market_settings::MarketSettings;
use launchpad_desk::launchpad::quote::Side;
use launchpad_desk::launchpad::receipt::{Quoted, Reported, attribution_of};
use launchpad_desk::tape::{Item, Tape, ToTape, json};
use launchpad_desk::trade::plan::{Plan, PlanPrice};

use super::open::{Evidence, Open, are_alike};
use super::report::RecordPrice;

pub(super) fn is_priced_so(plan: &Plan, price: &PlanPrice, market: Item) -> bool {
    let body = json::parse(plan.body.as_bytes()).unwrap_or_default();
    let Ok(market) = MarketSettings::read(market, plan.created_at_ms) else { return false };
    let terms = Terms::of(&market.launchpad, plan.slippage_unit);
    let Ok(run) = dry_run(&terms, &market, plan.operation, body.root()) else { return false };
    let due = run.view(market.launchpad.token_decimals).to_tape().with_text_figures();
    let mut fields = due.root().fields().into_iter().flatten();
    // A market's own price also says its slot.
    fields.all(|(name, value)| are_alike(price.data().get(name), Some(value)))
}

/// Whether a market gives the price of a plan exactly.
pub(crate) fn gives_price(plan: Item, market: Item) -> bool {
    match Plan::read(plan) {
        Ok(plan) => plan.price.as_ref().is_some_and(|price| is_priced_so(&plan, price, market)),
        Err(_) => false,
    }
}

/// What the plan, and the answer or the evidence, say about the price.
pub(super) fn price_of(open: &Open) -> RecordPrice {
    let landed = open.ended.as_ref().is_some_and(|ended| ended.outcome == IntentOutcome::Landed);
    let Some(price) = open.plan.as_ref().and_then(|plan| plan.price.as_ref()).filter(|_| landed) else {
        return RecordPrice::Unknown;
    };
    let legs = price.legs().unwrap_or_default();
    if let Some(evidence) = open.evidence.as_ref().filter(|evidence| !evidence.moved.is_empty()) {
        return by_evidence(price, evidence);
    }
    let Some(trade) = &open.trade else { return RecordPrice::Unknown };
    match (legs.as_slice(), price.token_decimals()) {
        // Of a sell, no reply says what it brought.
        ([(_, leg)], Some(decimals)) if leg.side == Side::Buy && !trade.operation.is_bundle() => {
            let reported = Reported::of(trade, decimals);
            match reported.ok().and_then(|reported| reported.tokens) {
                Some(tokens) if tokens == leg.tokens && open.has_market => RecordPrice::Exact,
                Some(tokens) if tokens < leg.worst().0 => RecordPrice::Past,
                Some(_) => RecordPrice::Within,
                None => RecordPrice::Unknown,
            }
        }
        _ => RecordPrice::Unknown,
    }
}

/// Whether evidence shows that a buy that landed took more lamports than were counted for it.
pub(super) fn takes_more(open: &Open) -> bool {
    let landed = open.ended.as_ref().is_some_and(|ended| ended.outcome == IntentOutcome::Landed);
    let (Some(begun), Some(evidence)) = (&open.begun, &open.evidence) else { return false };
    let Some(counted) = begun.counted.filter(|_| landed && begun.operation.is_buy()) else { return false };
    let moved: Option<i128> = evidence.moved.iter().map(|(_, moved)| *moved).sum();
    moved.is_some_and(|moved| moved < 0 && moved.unsigned_abs() > counted.lamports)
}

/// Compares what moved in each wallet with what the plan says.
fn by_evidence(price: &PlanPrice, evidence: &Evidence) -> RecordPrice {
    let Some(wallets) = price.data().get("wallets").and_then(Item::items) else {
        return RecordPrice::Unknown;
    };
    let signed = |item: Item, name| item.text_of(name).and_then(|text| text.parse::<i128>().ok());
    let mut found = RecordPrice::Exact;
    for wallet in wallets {
        let moved = evidence.moved.iter().find(|(id, _)| Some(id.as_str()) == wallet.text_of("wallet"));
        let (Some((_, Some(moved))), Some(net), Some(worst)) =
            (moved, signed(wallet, "netLamports"), signed(wallet, "worstNetLamports"))
        else {
            return RecordPrice::Unknown;
        };
        if *moved < worst {
            return RecordPrice::Past;
        }
        if *moved != net {
            found = RecordPrice::Within;
        }
    }
    found
}

/// What a trade did to each wallet.
pub(super) fn receipts(plan: &Plan, trade: &Trade) -> Option<Tape> {
    let price = plan.price.as_ref()?;
    let legs = price.legs().ok()?;
    let ((first, _), decimals) = (legs.first()?, price.token_decimals()?);
    let fee_payer = json::parse(plan.body.as_bytes()).ok()?;
    let fee_payer = fee_payer.root().text_of("feePayer").map(str::to_owned);
    // One that only asks a sandbox for an outcome pays nothing: the first wallet does.
    let fee_payer = match fee_payer {
        Some(payer) if plan.is_simulated && payer.starts_with(OUTCOME_PREFIX) => Some(first.clone()),
        payer => payer,
    };
    let network_fee = price.data().text_of("networkFeeLamports")?.parse::<u64>().ok()?;
    let mut wallets: Vec<&String> = Vec::new();
    for (wallet, _) in &legs {
        if !wallets.contains(&wallet) {
            wallets.push(wallet);
        }
    }
    let is_bundle = plan.operation.is_bundle();
    let receipts = wallets.into_iter().map(|wallet| {
        let own: Vec<Quoted> = legs.iter().filter(|(id, _)| id == wallet).map(|(_, leg)| *leg).collect();
        let pays = fee_payer.as_ref().map_or(!is_bundle, |payer| payer == wallet);
        let reported = match is_bundle {
            true => Reported::of_bundle(trade.status),
            false => Reported::of(trade, decimals).unwrap_or(Reported::of_bundle(trade.status)),
        };
        let receipt = attribution_of(&own, if pays { network_fee } else { 0 }, &reported);
        TradeReceipt::of(Some(wallet.clone()), &receipt, None).to_tape()
    });
    Some(receipts.collect::<Vec<Tape>>().to_tape().with_text_figures())
}
