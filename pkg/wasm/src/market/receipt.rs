//! What a trade did, from its quote and from the trade that a client resolved to.

use wasm_bindgen::prelude::*;

use crate::crossing::{CallArgs, Failure, answer};
use crate::input::{bad, settings};
use crate::market::input::read_some;
use launchpad_desk::amount::Decimal;
use launchpad_desk::api::endpoint::Operation;
use launchpad_desk::api::response::Status;
use launchpad_desk::bindings::reader::Reader;
use launchpad_desk::error::FieldCode;
use launchpad_desk::launchpad::Completion;
use launchpad_desk::launchpad::curve::Price;
use launchpad_desk::launchpad::curve_view::TradeReceipt;
use launchpad_desk::launchpad::fees::{BPS, FeeRates};
use launchpad_desk::launchpad::quote::Side;
use launchpad_desk::launchpad::receipt::{Figure, Quoted, Receipt, Reported, attribution_of, receipt};
use launchpad_desk::launchpad::transaction::Action;
use launchpad_desk::launchpad::view::{read_account, read_fees, read_leg, read_quoted, read_side};
use launchpad_desk::tape::{Data, Item, Tape, ToTape};
use launchpad_desk::trade::reconcile::{Certainty, Finding, Reconciled, Shown};

/// What a single trade did, from its `quote`, the `trade` that a client resolved to, and what was `seen`.
#[wasm_bindgen(js_name = receipt)]
pub fn receipt_of(args: &mut CallArgs) -> JsValue {
    answer(read_and_compared(args.tape()))
}

fn read_and_compared(args: &Tape) -> Result<Tape, Failure> {
    let (quoted, tokens_held, decimals) = read_some("quote", args, &QUOTE_FIELDS, read_quote)?;
    let moved = settings("seen", args, "seen", |r| signed(r, "walletLamportsMoved"))?;
    let (wallet, mut reported) = if is_proof(args) {
        let operations =
            SINGLE.iter().filter(|(_, side)| *side == quoted.side).map(|&(operation, _)| operation);
        let proof = read_proof(args, &operations.collect::<Vec<_>>())?;
        let wallet = proof.findings.first().map(|finding| finding.wallet.clone());
        let reported = reported_by(&proof, wallet.as_deref().unwrap_or_default())?;
        (wallet, reported)
    } else {
        let fields = ["operation", "status", "exact", "result"];
        read_some("trade", args, &fields, |r| read_trade(r, quoted.side, decimals))?
    };
    reported.wallet_lamports_moved = moved.or(reported.wallet_lamports_moved);
    let receipt = receipt(quoted, tokens_held, &reported);
    Ok(TradeReceipt::of(wallet, &receipt, Some(decimals)).to_tape())
}

/// What a bundle did to each wallet, from its `quote` and the `trade`.
#[wasm_bindgen(js_name = attribution)]
pub fn attribution(args: &mut CallArgs) -> JsValue {
    answer(read_and_attributed(args.tape()))
}

fn read_and_attributed(args: &Tape) -> Result<Tape, Failure> {
    let fields = ["wallets", "legs", "feePayer", "networkFeeLamports"];
    let (wallets, legs, fee_payer, network_fee) = read_some("quote", args, &fields, |r| {
        let wallets = r.list("wallets", |r| {
            let names = ["netLamports", "worstNetLamports", "netTokens", "warnings"];
            let _of_the_quote = names.map(|name| r.value(name));
            r.need("wallet", |r, name| r.text(name).map(str::to_owned))
        });
        let legs = r.list("legs", read_leg).unwrap_or_default();
        let fee_payer = r.need("feePayer", |r, name| r.text(name).map(str::to_owned));
        (wallets.unwrap_or_default(), legs, fee_payer, r.need("networkFeeLamports", |r, name| r.whole(name)))
    })?;
    let operations = [Operation::BundleBuy, Operation::BundleSell, Operation::BundleSellByPercentage];
    let proof = is_proof(args).then(|| read_proof(args, &operations)).transpose()?;
    let landing = match proof {
        Some(_) => Status::Unconfirmed,
        None => read_some("trade", args, &["operation", "status"], |r| {
            r.need("operation", |r, name| {
                r.choice(name, &operations.map(|operation| (operation.as_str(), ())))
            });
            read_status(r)
        })?,
    };
    let mut receipts = Vec::new();
    for wallet in wallets {
        let reported = match &proof {
            Some(proof) => reported_by(proof, &wallet)?,
            None => Reported::of_bundle(landing),
        };
        let own: Vec<Quoted> = legs.iter().filter(|(id, _)| *id == wallet).map(|(_, leg)| *leg).collect();
        let own_network_fee = if wallet == fee_payer { network_fee } else { 0 };
        let receipt = attribution_of(&own, own_network_fee, &reported);
        receipts.push(TradeReceipt::of(Some(wallet), &receipt, None));
    }
    Ok(receipts.to_tape())
}
/// Operations of single trades, and their sides.
const SINGLE: [(Operation, Side); 3] =
    [(Operation::Buy, Side::Buy), (Operation::Sell, Side::Sell), (Operation::SellByPercentage, Side::Sell)];

/// Whether the `trade` is what balances proved, and not a reply.
fn is_proof(args: &Tape) -> bool {
    args.root().get("trade").and_then(|trade| trade.get("findings")).is_some()
}

/// The argument `trade`, as `reconcile` returned it, for one of these operations.
fn read_proof(args: &Tape, operations: &[Operation]) -> Result<Reconciled, Failure> {
    let fields = ["operation", "certainty", "landed", "findings"];
    read_some("trade", args, &fields, |r| {
        let operation = r.need("operation", |r, name| r.choice(name, Operation::NAMED).map(Some));
        let operation = operation.unwrap_or(Operation::Buy);
        if !operations.contains(&operation) {
            r.refuse("operation", FieldCode::Conflict, "does not match the quote");
        }
        let findings = r.list("findings", |r| Finding {
            wallet: r.need("wallet", |r, name| r.text(name).map(str::to_owned)),
            shows: r.need("shows", |r, name| r.choice(name, Shown::NAMED).map(Some)).unwrap_or(Shown::Unread),
            certainty: read_certainty(r),
            tokens_before: r.whole("tokensBefore"),
            tokens_after: r.whole("tokensAfter"),
            tokens_moved: signed(r, "tokensMoved"),
            lamports_moved: signed(r, "lamportsMoved"),
        });
        let findings = findings.unwrap_or_default();
        Reconciled {
            operation,
            certainty: read_certainty(r),
            landed: r.boolean("landed"),
            found: None,
            findings,
        }
    })
}

fn read_certainty(r: &mut Reader) -> Certainty {
    r.need("certainty", |r, name| r.choice(name, Certainty::NAMED).map(Some)).unwrap_or(Certainty::Unknown)
}

/// What a proof reports of a wallet.
fn reported_by(proof: &Reconciled, wallet: &str) -> Result<Reported, Failure> {
    proof.reported(wallet).ok_or_else(|| bad("trade", FieldCode::Conflict, "is not proven to have landed"))
}

const QUOTE_FIELDS: [&str; 21] = [
    "side",
    "tokens",
    "walletLamports",
    "protocolFeeLamports",
    "creatorFeeLamports",
    "protocolFeeBps",
    "creatorFeeBps",
    "ratesFixed",
    "completion",
    "minTokens",
    "maxLamports",
    "minLamports",
    "worstTokens",
    "worstWalletLamports",
    "tokenAccount",
    "rentLamports",
    "volumeRentLamports",
    "heldTokens",
    "ownNetworkFeeLamports",
    "worstNetLamports",
    "tokenDecimals",
];

/// A quote of one trade that was kept, what the wallet held then, and the token's decimals.
fn read_quote(r: &mut Reader) -> (Quoted, Option<u64>, u8) {
    let leg = read_quoted(r);
    let Quoted { side, tokens, .. } = leg;
    let bounds = [r.whole("minTokens"), r.whole("maxLamports"), r.whole("minLamports")];
    let action = match (side, bounds) {
        (Side::Buy, [Some(min_tokens), None, None]) => {
            Action::BuyExactIn { lamports: leg.worst().1, min_tokens }
        }
        (Side::Buy, [None, Some(max_lamports), None]) => Action::BuyExactOut { tokens, max_lamports },
        (Side::Sell, [None, None, Some(min_lamports)]) => Action::SellExactIn { tokens, min_lamports },
        _ => {
            r.refuse("minTokens", FieldCode::Conflict, "or the bound of its side must be given");
            leg.action
        }
    };
    let rates = read_rates(r);
    let quoted = Quoted {
        rates: rates.unwrap_or(leg.rates),
        rates_fixed: r.boolean("ratesFixed").unwrap_or(false) && rates.is_some(),
        completion: r.choice("completion", Completion::NAMED).unwrap_or(leg.completion),
        action,
        own_network_fee_lamports: r.need("ownNetworkFeeLamports", |r, name| r.whole(name)),
        worst_net_lamports: need_signed(r, "worstNetLamports"),
        ..leg
    };
    let decimals = |r: &mut Reader, name| r.whole_within(name, 0, 18);
    (quoted, r.whole("heldTokens"), r.need("tokenDecimals", decimals) as u8)
}

/// What the reply to a single trade says, and of which wallet.
fn read_trade(r: &mut Reader, side: Side, decimals: u8) -> (Option<String>, Reported) {
    let operations = SINGLE.map(|(operation, side)| (operation.as_str(), side));
    if r.choice("operation", &operations) != Some(side) {
        r.refuse("operation", FieldCode::Conflict, "must be a single one, of the quote's side");
    }
    let units = |r: &mut Reader, name| read_units(r, name, decimals);
    let (mut tokens, mut tokens_before, mut tokens_after) = (None, None, None);
    r.within("exact", &mut |r| {
        let _results = r.value("results");
        let (bought, sold) = (units(r, "buyAmount"), units(r, "sellAmount"));
        tokens = bought.or(sold);
        tokens_before = units(r, "preTokenBalance");
        tokens_after = units(r, "postTokenBalance");
    });
    let result = |r: &mut Reader, name| {
        r.value("result").and_then(|result| result.get(name).map(|item| item.to_tape()))
    };
    let token_account_closed =
        match result(r, "tokenAccountClosed").as_ref().map(|closed| closed.root().data()) {
            Some(Data::Bool(closed)) => Some(closed),
            _ => None,
        };
    let wallet = match result(r, "wallet").as_ref().map(|wallet| wallet.root().data()) {
        Some(Data::String(wallet)) => Some(wallet.to_owned()),
        _ => None,
    };
    let reported = Reported {
        tokens,
        tokens_before,
        tokens_after,
        token_account_closed,
        ..Reported::of_bundle(read_status(r))
    };
    (wallet, reported)
}

/// Whole tokens as text, in base units.
fn read_units(r: &mut Reader, name: &'static str, decimals: u8) -> Option<u64> {
    let tokens: Decimal = r.decimal(name)?;
    let units = tokens.to_units(decimals).ok();
    if units.is_none() {
        r.refuse(name, FieldCode::OutOfRange, "is not a whole number of base units of at most 64 bits");
    }
    units
}

fn read_status(r: &mut Reader) -> Status {
    r.need("status", |r, name| r.choice(name, Status::NAMED).map(Some)).unwrap_or(Status::Unconfirmed)
}

/// The rates of a quote. If it has none, it proves no fees.
fn read_rates(r: &mut Reader) -> Option<FeeRates> {
    let mut bps = |name| r.whole_within(name, 0, BPS).and_then(|bps| u16::try_from(bps).ok());
    let (protocol, creator) = (bps("protocolFeeBps"), bps("creatorFeeBps"));
    FeeRates::new(protocol?, creator?)
}

/// A whole number that may be below zero.
pub fn signed(r: &mut Reader, name: &'static str) -> Option<i128> {
    let number = match r.value(name)?.data() {
        Data::Integer(integer) => Some(integer.into()),
        Data::BigInt(text) | Data::Number(text) | Data::Double(text) | Data::String(text) => {
            text.parse().ok()
        }
        _ => None,
    };
    if number.is_none() {
        r.refuse(name, FieldCode::NotAnInteger, "must be a whole number, as a bigint");
    }
    number
}

fn need_signed(r: &mut Reader, name: &'static str) -> i128 {
    r.need(name, signed)
}

const RECEIPT_FIELDS: [&str; 12] = [
    "status",
    "side",
    "tokens",
    "lamports",
    "protocolFeeLamports",
    "creatorFeeLamports",
    "tokenAccount",
    "rentLamports",
    "volumeRentLamports",
    "networkFeeLamports",
    "netLamports",
    "estimated",
];

/// The argument `receipt`, a stored one, as far as a position needs it.
pub fn read_receipt(args: &Tape) -> Result<Receipt, Failure> {
    read_some("receipt", args, &RECEIPT_FIELDS, |r| {
        let estimated: Vec<Data> = match r.value("estimated").map(Item::data) {
            Some(Data::Array(names)) => names.map(Item::data).collect(),
            _ => {
                r.refuse("estimated", FieldCode::WrongType, "must be a list of figures");
                Vec::new()
            }
        };
        let is_estimated = |name: &str| estimated.contains(&Data::String(name));
        let whole = |r: &mut Reader, name| r.need(name, |r, name| r.whole(name));
        let (tokens, lamports) = (whole(r, "tokens"), whole(r, "lamports"));
        Receipt {
            landing: read_status(r),
            side: read_side(r),
            tokens: figure(tokens, is_estimated("tokens")),
            lamports: figure(lamports, is_estimated("lamports")),
            price: Figure::known_if(Price { lamports, tokens }, !is_estimated("price")),
            slippage_used_ppm: Figure::Known(0),
            fees: figure(read_fees(r), is_estimated("fees")),
            account: figure(read_account(r), is_estimated("tokenAccount")),
            volume_rent_lamports: figure(
                r.whole("volumeRentLamports").unwrap_or(0),
                is_estimated("volumeRentLamports"),
            ),
            network_fee_lamports: figure(whole(r, "networkFeeLamports"), is_estimated("networkFeeLamports")),
            net_lamports: figure(need_signed(r, "netLamports"), is_estimated("netLamports")),
            findings: Vec::new(),
        }
    })
}

fn figure<T: Copy>(value: T, estimated: bool) -> Figure<T> {
    Figure::known_if(value, !estimated)
}
