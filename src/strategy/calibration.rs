//! A backtest against what really happened: the trades of a journal or a record, made again on the same tape, and why each differs.

use std::sync::Arc;

use super::backtest::{Backtest, BacktestAsk, BacktestTerms};
use super::run::{BacktestOrder, BacktestOutcome, BacktestReason, BacktestRun};
use super::trade_tape::{OwnTrade, Rival, Row, TradeTape};
use super::units::Millis;
use crate::amount::{Percentage, SlippageUnit, TOKEN_DECIMALS, TokenAmount};
use crate::api::endpoint::Operation;
use crate::api::request::{Amount, Request};
use crate::api::validate::{Rules, validate};
use crate::codes::codes;
use crate::error::{FieldCode, FieldError};
use crate::intent::IntentOutcome;
use crate::launchpad::account::Share;
use crate::launchpad::quote::Side;
use crate::launchpad::slippage::least;
use crate::launchpad::{Fill, Launchpad, Refusal, Token};
use crate::reader::Reader;
use crate::record;
use crate::tape::{Tape, ToTape, json};

record! {
    /// A trade as a journal or a record has it.
    ActualTrade {
        /// Its intent id.
        intent_id: String => "string",
        /// What was asked for.
        operation: Operation => "Operation",
        /// The request: the parsed body.
        request: Tape => "object",
        /// When it was decided, in milliseconds on the clock of the trades.
        started_at_ms: Millis => "number",
        /// When it was answered, on the same clock. Default: at once.
        ended_at_ms: Option<Millis> => "number | null" optional,
        /// How it ended. Default: that is not known.
        outcome: Option<IntentOutcome> => "IntentOutcome | null" optional,
        /// Base units that it moved, if the answer says so.
        tokens: Option<u64> => "number | bigint | string | null" optional,
        /// Lamports that it moved, trading fees included, if that is known.
        lamports: Option<u64> => "number | bigint | string | null" optional,
    }
}

impl ActualTrade {
    /// Reads one: also as a journal has it, with the request as the text of its `body`.
    #[doc(hidden)]
    pub fn read(r: &mut Reader) -> ActualTrade {
        // A journal's intent has further fields.
        r.ignore_rest();
        let request = match r.text("body") {
            Some(body) => match json::parse(body.as_bytes()) {
                Ok(request) => request,
                Err(error) => {
                    r.refuse("body", FieldCode::Unreadable, &["is no JSON: ", error.what].concat());
                    Tape::default()
                }
            },
            None => r.needed("request", Reader::value).map(|request| request.to_tape()).unwrap_or_default(),
        };
        ActualTrade {
            intent_id: r.need("intentId", Reader::text).to_owned(),
            operation: r
                .needed("operation", |r, name| r.choice(name, Operation::NAMED))
                .unwrap_or(Operation::Buy),
            request,
            started_at_ms: r.need("startedAtMs", Millis::read),
            ended_at_ms: Millis::read(r, "endedAtMs"),
            outcome: r.choice("outcome", IntentOutcome::NAMED),
            tokens: r.whole("tokens"),
            lamports: r.whole("lamports"),
        }
    }
}

codes! {
    /// Why a trade differs from the backtest.
    CalibrationCause {
        /// Nothing differs.
        Same = "same",
        /// It arrived at another time than in the backtest, and others had traded in between.
        Latency = "latency",
        /// It met another price, because an earlier trade of the wallet went differently in the backtest.
        EarlierTrade = "earlier_trade",
        /// Its slippage stopped one of the two, and not the other.
        Bound = "bound",
        /// It did not land for a reason that no tape has: it was not sent, the service refused it, or its transaction failed.
        Fault = "fault",
        /// In the backtest an order of the token was in flight: there can be one at a time.
        InFlight = "in_flight",
        /// In the backtest the wallet did not hold what was sold.
        NotHeld = "not_held",
        /// How it ended is not known.
        Unresolved = "unresolved",
        /// It landed, and neither its answer nor the tape says what it brought: tokens of a buy, lamports of a sell.
        Unreported = "unreported",
        /// None of these: the tape lacks trades, or the rules are not those of the launchpad.
        Unexplained = "unexplained",
    }
}

codes! {
    /// Why a trade is not compared.
    CalibrationLeftOut {
        /// It is a bundle.
        Bundle = "bundle",
        /// It is of another wallet.
        OtherWallet = "other_wallet",
        /// Its token is not on the tape.
        NotOnTape = "not_on_tape",
    }
}

record! {
    /// A trade, and the same trade in the backtest.
    CalibratedTrade {
        /// Its intent id.
        intent_id: String => "string",
        /// Mint address of the token.
        mint: String => "string",
        /// Which way the lamports go.
        side: Side => "Side",
        /// What was ordered: lamports of a buy, base units of a sell.
        amount: u64 => "bigint",
        /// When it was decided, in milliseconds of the tape.
        at_ms: Millis => "number",
        /// When it was made, in milliseconds of the tape: of its own row there, or when it was answered; null if neither is known.
        arrived_at_ms: Option<Millis> => "number | null",
        /// How it ended; null if that is not known.
        outcome: Option<IntentOutcome> => "IntentOutcome | null",
        /// Base units that it moved; null if that is not known.
        tokens: Option<u64> => "bigint | null",
        /// Lamports that it moved, trading fees included; null if that is not known.
        lamports: Option<u64> => "bigint | null",
        /// What it would have brought on the tape when it was decided: base units of a buy, lamports of a sell.
        quoted: u64 => "bigint",
        /// What it brings on the tape when it was made, so that the difference is how far the price had moved; null if it brings nothing.
        on_arrival: Option<u64> => "bigint | null",
        /// The same trade in the backtest.
        backtest: BacktestOrder => "BacktestOrder",
        /// Base units that the wallet has more than in the backtest; null if what it moved is not known.
        wallet_tokens: Option<i128> => "bigint | null",
        /// Lamports that the wallet has more than in the backtest, without network fees and rent; null if what it moved is not known.
        wallet_lamports: Option<i128> => "bigint | null",
        /// Why it differs.
        cause: CalibrationCause => "CalibrationCause",
    }
}

record! {
    /// The trades that differ for one reason.
    CalibrationCauseRow {
        /// The reason.
        cause: CalibrationCause => "CalibrationCause",
        /// How many there are.
        trades: u32 => "number",
        /// Lamports that the wallet has more by them than in the backtest, as far as that is known.
        wallet_lamports: i128 => "bigint",
    }
}

record! {
    /// Trades that are not compared, for one reason.
    CalibrationLeftOutRow {
        /// The reason.
        reason: CalibrationLeftOut => "CalibrationLeftOut",
        /// How many there are.
        trades: u32 => "number",
    }
}

record! {
    /// A backtest against what really happened.
    Calibration {
        /// The wallet.
        wallet: String => "string",
        /// Its trades, in the order in which they were decided.
        trades: Vec<CalibratedTrade> => "CalibratedTrade[]",
        /// The trades by the reason they differ for.
        causes: Vec<CalibrationCauseRow> => "CalibrationCauseRow[]",
        /// Lamports that the wallet has more than in the backtest by all trades, as far as that is known.
        wallet_lamports: i128 => "bigint",
        /// Trades that are not compared.
        left_out: Vec<CalibrationLeftOutRow> => "CalibrationLeftOutRow[]",
        /// How long each trade that landed took to be answered, in milliseconds: what `latencyMs` of a backtest takes.
        latencies_ms: Vec<Millis> => "number[]",
        /// The backtest.
        run: BacktestRun => "BacktestRun",
    }
}

/// How the trades are read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CalibrationTerms {
    /// Whose trades are compared.
    pub wallet: String,
    /// Fraction digits of a whole token.
    pub token_decimals: u8,
    /// When the time of the tape was zero, on the clock of the trades. Without it, a trade whose own row is on the tape is there when
    /// it was answered, and gives the time for those beside it without one.
    pub tape_began_ms: Option<u64>,
}

impl CalibrationTerms {
    /// Of this wallet, with the service's units, and the times of the tape's own rows.
    pub fn new(wallet: &str) -> CalibrationTerms {
        CalibrationTerms { wallet: wallet.to_owned(), token_decimals: TOKEN_DECIMALS, tape_began_ms: None }
    }
}

/// How much was ordered.
#[derive(Clone, Copy)]
enum Want {
    Exactly(u64),
    Share(Share),
}

/// A trade that is compared.
struct Asked<'a> {
    trade: &'a ActualTrade,
    mint: u32,
    side: Side,
    want: Want,
    slippage_ppm: Option<u32>,
    /// Its own row on the tape.
    own: Option<OwnTrade>,
    at_ms: u64,
    arrived_at_ms: Option<u64>,
    /// How many rows of the tape are before it.
    decided: usize,
    arrived: Option<usize>,
}

/// What the tape says of it.
#[derive(Clone, Copy, Default)]
struct OnTape {
    amount: u64,
    quoted: u64,
    on_arrival: Option<(u64, u64)>,
}

/// Makes these trades again in a backtest, each when it was decided, and says of each how what really happened differs, and why. Of the
/// terms, `entry`, `exits` and `signals` do not count. Rows of the wallet's own trades ([`TradeTape::push_own`]) say when a trade was
/// made, and what it moved; those that are of no given trade are made again as trades of others.
///
/// ```
/// use std::sync::Arc;
/// use launchpad_desk::api::endpoint::Operation;
/// use launchpad_desk::intent::IntentOutcome;
/// use launchpad_desk::launchpad::Launchpad;
/// use launchpad_desk::strategy::calibration::{ActualTrade, CalibrationCause, CalibrationTerms, calibrate};
/// use launchpad_desk::strategy::units::Millis;
/// use launchpad_desk::strategy::{BacktestTerms, Rival, TradeTape};
/// use launchpad_desk::tape::json;
///
/// let mut tape = TradeTape::default();
/// tape.push("M", 0, Rival::Buy, 1_000_000_000);
/// tape.push("M", 900, Rival::Buy, 500_000_000);
/// // Decided at 500 ms and answered at 1,200 ms: somebody else was faster.
/// let request = r#"{"mint":"M","fromWallet":"W","amountInLamports":100000000,"slippage":5}"#;
/// let trade = ActualTrade {
///     intent_id: "signal-1".into(),
///     operation: Operation::Buy,
///     request: json::parse(request.as_bytes()).unwrap(),
///     started_at_ms: Millis(500),
///     ended_at_ms: Some(Millis(1_200)),
///     outcome: Some(IntentOutcome::Landed),
///     tokens: Some(3_197_829_119_371),
///     lamports: None,
/// };
/// let terms = BacktestTerms::new(Launchpad::default(), 10_000_000_000);
/// let how = CalibrationTerms { tape_began_ms: Some(0), ..CalibrationTerms::new("W") };
/// let calibration = calibrate(terms, &tape, &[trade], &how).unwrap();
/// let trade = &calibration.trades[0];
/// assert_eq!((trade.cause, trade.wallet_tokens), (CalibrationCause::Latency, Some(-102_570_483_196)));
/// assert_eq!(calibration.latencies_ms, [Millis(700)]);
/// ```
///
/// # Errors
///
/// Every field of a request that is none.
pub fn calibrate(
    terms: BacktestTerms,
    tape: &TradeTape,
    trades: &[ActualTrade],
    how: &CalibrationTerms,
) -> Result<Calibration, Vec<FieldError>> {
    let (mut asked, left_out) = read_all(tape, trades, how, terms.slippage_unit)?;
    let matched = match_own(&mut asked, tape.own());
    let (tape, places) = tape.with_others(&matched);
    place_all(&mut asked, &tape, &matched, &places, how.tape_began_ms);
    // At equal times as they were given.
    asked.sort_by_key(|one| one.at_ms);

    let terms = BacktestTerms { entry: None, exits: None, signals: Vec::new(), ..terms };
    let said = replayed(&terms, &tape, &asked);
    let (tape, terms) = (Arc::new(tape), Arc::new(terms));
    let (run, made) = backtested(&terms, &tape, &asked);

    let mut calibration = Calibration {
        wallet: how.wallet.clone(),
        trades: Vec::new(),
        causes: Vec::new(),
        wallet_lamports: 0,
        left_out,
        latencies_ms: Vec::new(),
        run,
    };
    for ((one, told), order) in asked.iter().zip(&said).zip(made) {
        let Some(order) = order else { continue };
        calibration.add(compared(&terms, &tape, one, told, order));
        if let (Some(IntentOutcome::Landed), Some(ended)) = (one.trade.outcome, one.trade.ended_at_ms) {
            let taken = ended.0.saturating_sub(one.trade.started_at_ms.0);
            calibration.latencies_ms.push(Millis(taken));
        }
    }
    let causes = &mut calibration.causes;
    causes.sort_by_key(|row| CalibrationCause::ALL.iter().position(|cause| *cause == row.cause));
    Ok(calibration)
}

impl Calibration {
    fn add(&mut self, trade: CalibratedTrade) {
        let lamports = trade.wallet_lamports.unwrap_or(0);
        self.wallet_lamports += lamports;
        match self.causes.iter_mut().find(|row| row.cause == trade.cause) {
            Some(row) => {
                row.trades += 1;
                row.wallet_lamports += lamports;
            }
            None => {
                let row = CalibrationCauseRow { cause: trade.cause, trades: 1, wallet_lamports: lamports };
                self.causes.push(row);
            }
        }
        self.trades.push(trade);
    }
}

fn read_all<'a>(
    tape: &TradeTape,
    trades: &'a [ActualTrade],
    how: &CalibrationTerms,
    slippage_unit: SlippageUnit,
) -> Result<(Vec<Asked<'a>>, Vec<CalibrationLeftOutRow>), Vec<FieldError>> {
    let rules = Rules { slippage_unit, token_decimals: how.token_decimals, ..Rules::default() };
    let (mut asked, mut left_out, mut problems) =
        (Vec::new(), Vec::<CalibrationLeftOutRow>::new(), Vec::new());
    for trade in trades {
        let request = match validate(trade.operation, trade.request.root(), &rules) {
            Ok(request) => request,
            Err(found) => {
                problems.extend(found.into_iter().map(|problem| within(&trade.intent_id, problem)));
                continue;
            }
        };
        match ask(trade, &request, tape, how, slippage_unit) {
            Ok(one) => asked.push(one),
            Err(reason) => match left_out.iter_mut().find(|row| row.reason == reason) {
                Some(row) => row.trades += 1,
                None => left_out.push(CalibrationLeftOutRow { reason, trades: 1 }),
            },
        }
    }
    asked.sort_by_key(|one| one.trade.started_at_ms);
    if problems.is_empty() { Ok((asked, left_out)) } else { Err(problems) }
}

/// A problem of a request, with the trade's id before the name of the field.
fn within(intent_id: &str, problem: FieldError) -> FieldError {
    let before = ["trades.", intent_id, ".request."].concat();
    FieldError {
        field: [&before, problem.field.as_str()].concat(),
        code: problem.code,
        message: [&before, problem.message.as_str()].concat(),
    }
}

fn ask<'a>(
    trade: &'a ActualTrade,
    request: &Request,
    tape: &TradeTape,
    how: &CalibrationTerms,
    slippage_unit: SlippageUnit,
) -> Result<Asked<'a>, CalibrationLeftOut> {
    let leg = match request.legs.as_slice() {
        [leg] if !trade.operation.is_bundle() => leg,
        _ => return Err(CalibrationLeftOut::Bundle),
    };
    if leg.from_wallet != how.wallet {
        return Err(CalibrationLeftOut::OtherWallet);
    }
    let mint = tape.find(&request.mint).ok_or(CalibrationLeftOut::NotOnTape)?;
    let (side, want) = match leg.amount {
        Some(Amount::Lamports(lamports)) => (Side::Buy, Want::Exactly(lamports)),
        Some(Amount::Tokens(TokenAmount { tokens, .. })) => {
            (Side::Sell, Want::Exactly(tokens.to_units(how.token_decimals).unwrap_or(0)))
        }
        Some(Amount::Percentage(Percentage(percent))) => {
            (Side::Sell, Want::Share(Share::of_percent(&percent.text()).unwrap_or(Share::WHOLE)))
        }
        None => return Err(CalibrationLeftOut::Bundle),
    };
    let slippage_ppm = request.slippage_of(leg).and_then(|slippage| slippage.to_ppm(slippage_unit));
    let (own, arrived_at_ms, arrived) = (None, None, None);
    Ok(Asked { trade, mint, side, want, slippage_ppm, own, at_ms: 0, arrived_at_ms, decided: 0, arrived })
}

/// Finds the row of each trade on the tape: the first that fits it and is no other's. Returns which rows were found.
fn match_own(asked: &mut [Asked], own: &[OwnTrade]) -> Vec<bool> {
    let mut matched = vec![false; own.len()];
    for one in asked {
        if matches!(
            one.trade.outcome,
            Some(
                IntentOutcome::NotSent
                    | IntentOutcome::Rejected
                    | IntentOutcome::Failed
                    | IntentOutcome::DidNotLand
            )
        ) {
            continue;
        }
        let fits = |row: &OwnTrade| {
            let amount_fits = match (one.side, one.want) {
                (Side::Buy, Want::Exactly(lamports)) => row.lamports.is_none_or(|spent| spent <= lamports),
                (Side::Sell, Want::Exactly(tokens)) => row.tokens == Some(tokens),
                (_, Want::Share(_)) => true,
            };
            row.mint == one.mint
                && row.side == one.side
                && amount_fits
                && one.trade.tokens.is_none_or(|tokens| row.tokens.is_none_or(|moved| moved == tokens))
        };
        let found = own.iter().zip(&mut matched).find(|(row, taken)| !**taken && fits(row));
        if let Some((row, taken)) = found {
            *taken = true;
            one.own = Some(*row);
        }
    }
    matched
}

/// Puts every trade at its times on the tape.
fn place_all(
    asked: &mut [Asked],
    tape: &TradeTape,
    matched: &[bool],
    places: &[usize],
    tape_began_ms: Option<u64>,
) {
    // The place of a matched row on the tape that has the others.
    let mut rows = matched.iter().zip(places).filter(|(matched, _)| **matched).map(|(_, place)| *place);
    let mut place_of: Vec<(OwnTrade, usize)> = Vec::new();
    let mut owns: Vec<OwnTrade> = asked.iter().filter_map(|one| one.own).collect();
    owns.sort_by_key(|own| own.number);
    for own in owns {
        place_of.push((own, rows.next().unwrap_or(0)));
    }
    let shift = |one: &Asked| -> Option<i128> {
        let ended = one.trade.ended_at_ms.unwrap_or(one.trade.started_at_ms).0;
        one.own.map(|own| i128::from(own.at_ms) - i128::from(ended))
    };
    let shifts: Vec<Option<i128>> = match tape_began_ms {
        Some(began) => vec![Some(-i128::from(began)); asked.len()],
        None => asked.iter().map(shift).collect(),
    };
    let on_tape =
        |ms: Millis, shift: i128| (i128::from(ms.0) + shift).clamp(0, i128::from(Millis::MOST)) as u64;
    let mut before = shifts.iter().flatten().next().copied().unwrap_or(0);
    for (one, shift) in asked.iter_mut().zip(shifts) {
        before = shift.unwrap_or(before);
        one.arrived_at_ms = match one.own {
            Some(own) => Some(own.at_ms),
            None => one.trade.ended_at_ms.map(|ended| on_tape(ended, before)),
        };
        let at_ms = on_tape(one.trade.started_at_ms, before);
        one.at_ms = at_ms.min(one.arrived_at_ms.unwrap_or(at_ms));
        let own_place = one.own.and_then(|own| place_of.iter().find(|(row, _)| row.number == own.number));
        // At equal times the others come first.
        one.arrived = match own_place {
            Some((_, place)) => Some(*place),
            None => one.arrived_at_ms.map(|at_ms| tape.rows_until(at_ms)),
        };
        let decided = tape.rows_until(one.at_ms);
        one.decided = one.arrived.map_or(decided, |arrived| decided.min(arrived));
    }
}

/// What happens to the curve by a row.
fn fill_of(launchpad: &Launchpad, token: &Token, order: Rival, amount: u64) -> Result<Fill, Refusal> {
    match order {
        Rival::Buy => launchpad.buy_exact_in(token, amount, 1),
        Rival::BuyTokens => launchpad.buy_exact_out(token, amount, u64::MAX),
        Rival::Sell => launchpad.sell_exact_in(token, amount, amount, 0),
    }
}

fn brought(side: Side, tokens: u64, lamports: u64) -> u64 {
    if side == Side::Buy { tokens } else { lamports }
}

/// The tape with our trades where they really were.
fn replayed(terms: &BacktestTerms, tape: &TradeTape, asked: &[Asked]) -> Vec<OnTape> {
    let launchpad = &terms.launchpad;
    let mints = tape.mints();
    let (mut tokens, mut held) =
        (mints.iter().map(|mint| terms.start_of(mint)).collect::<Vec<Token>>(), vec![0_u64; mints.len()]);
    let mut said = vec![OnTape::default(); asked.len()];
    let decisions = asked.iter().enumerate().map(|(at, one)| (one.decided, false, at));
    let arrivals =
        asked.iter().enumerate().filter_map(|(at, one)| one.arrived.map(|place| (place, true, at)));
    let mut events: Vec<(usize, bool, usize)> = decisions.chain(arrivals).collect();
    // A trade is decided before it arrives; one that arrived earlier is before one that is decided at the same place.
    events.sort_by_key(|(place, arrives, at)| {
        let ms = asked.get(*at).map_or(0, |one| match arrives {
            true => one.arrived_at_ms.unwrap_or(one.at_ms),
            false => one.at_ms,
        });
        (*place, ms, *at, *arrives)
    });
    let mut next = 0;
    for (place, arrives, at) in events {
        while next < place {
            if let Some(Row { mint, order, amount, .. }) = tape.at(next)
                && let Some(token) = tokens.get_mut(mint as usize)
                && let Ok(fill) = fill_of(launchpad, token, order, amount)
            {
                token.curve = fill.curve_after;
            }
            next += 1;
        }
        let (Some(one), Some(told)) = (asked.get(at), said.get_mut(at)) else { continue };
        let mint = one.mint as usize;
        let (Some(token), Some(held)) = (tokens.get_mut(mint), held.get_mut(mint)) else { continue };
        let order = if one.side == Side::Buy { Rival::Buy } else { Rival::Sell };
        if !arrives {
            told.amount = match one.want {
                Want::Exactly(amount) => amount,
                Want::Share(share) => one.own.and_then(|own| own.tokens).unwrap_or(share.of(*held)),
            };
            let fill = fill_of(launchpad, token, order, told.amount);
            told.quoted = fill.map_or(0, |fill| brought(one.side, fill.tokens, fill.wallet_lamports));
            continue;
        }
        let Ok(fill) = fill_of(launchpad, token, order, told.amount) else { continue };
        told.on_arrival = Some((fill.tokens, fill.wallet_lamports));
        if outcome_of(one) == IntentOutcome::Landed {
            token.curve = fill.curve_after;
            *held = match one.side {
                Side::Buy => held.saturating_add(fill.tokens),
                Side::Sell => held.saturating_sub(fill.tokens),
            };
        }
    }
    said
}

/// The same trades in a backtest, and the order that each of them became.
fn backtested(
    terms: &Arc<BacktestTerms>,
    tape: &Arc<TradeTape>,
    asked: &[Asked],
) -> (BacktestRun, Vec<Option<BacktestOrder>>) {
    let mut backtest = Backtest::new(Arc::clone(terms), Arc::clone(tape));
    if let Some(first) = asked.first() {
        backtest.begin_at(first.at_ms);
    }
    let mut flights =
        Flights { made: vec![None; asked.len()], flying: vec![None; tape.mints().len()], seen: 0 };
    for (at, one) in asked.iter().enumerate() {
        while backtest.next_at_ms().is_some_and(|next| next <= one.at_ms) {
            backtest.step();
        }
        backtest.wait(one.at_ms);
        flights.note(backtest.orders(), tape);
        let slippage_ppm = one.slippage_ppm;
        backtest.ask(match (one.side, one.want) {
            (Side::Buy, Want::Exactly(lamports)) => {
                BacktestAsk::Buy { mint: one.mint, lamports, slippage_ppm, exits: None }
            }
            (_, Want::Exactly(tokens)) => BacktestAsk::Sell { mint: one.mint, tokens, slippage_ppm },
            (_, Want::Share(share)) => {
                let tokens = share.of(backtest.held(one.mint));
                BacktestAsk::Sell { mint: one.mint, tokens, slippage_ppm }
            }
        });
        flights.ask(at, one.mint, backtest.orders());
    }
    let run = backtest.run();
    flights.note(&run.orders, tape);
    (run, flights.made)
}

/// Which order is of which trade.
struct Flights {
    made: Vec<Option<BacktestOrder>>,
    /// The trade of a token that is on its way.
    flying: Vec<Option<usize>>,
    seen: usize,
}

impl Flights {
    /// Takes the orders that have ended since.
    fn note(&mut self, orders: &[BacktestOrder], tape: &TradeTape) {
        for order in orders.get(self.seen..).unwrap_or_default() {
            let mint = tape.find(&order.mint).map_or(usize::MAX, |mint| mint as usize);
            if order.reason == BacktestReason::Strategy
                && let Some(at) = self.flying.get_mut(mint).and_then(Option::take)
                && let Some(made) = self.made.get_mut(at)
            {
                *made = Some(order.clone());
            }
        }
        self.seen = orders.len();
    }

    /// A trade was asked for: it is on its way, or it was not sent and has ended.
    fn ask(&mut self, at: usize, mint: u32, orders: &[BacktestOrder]) {
        match (orders.get(self.seen), self.made.get_mut(at), self.flying.get_mut(mint as usize)) {
            (Some(ended), Some(made), _) => *made = Some(ended.clone()),
            (None, _, Some(flying)) => *flying = Some(at),
            _ => {}
        }
        self.seen = orders.len();
    }
}

/// How a trade really ended: a trade that is on the tape has landed, whatever is recorded of it.
fn outcome_of(one: &Asked) -> IntentOutcome {
    if one.own.is_some() {
        IntentOutcome::Landed
    } else {
        one.trade.outcome.unwrap_or(IntentOutcome::Unknown)
    }
}

fn compared(
    terms: &BacktestTerms,
    tape: &TradeTape,
    one: &Asked,
    told: &OnTape,
    order: BacktestOrder,
) -> CalibratedTrade {
    use IntentOutcome::{Failed, Landed, Unconfirmed, Unknown};
    let ended = outcome_of(one);
    let (tokens, lamports) = match (ended, one.own) {
        (_, Some(own)) => (own.tokens.or(one.trade.tokens), own.lamports.or(one.trade.lamports)),
        (Landed, None) => (one.trade.tokens, one.trade.lamports),
        (Unknown | Unconfirmed, None) => (None, None),
        (_, None) => (Some(0), Some(0)),
    };
    let more = |actual: Option<u64>, backtest: u64, adds: bool| {
        let more = i128::from(actual?) - i128::from(backtest);
        Some(if adds { more } else { -more })
    };
    let wallet_tokens = more(tokens, order.tokens, one.side == Side::Buy);
    let wallet_lamports = more(lamports, order.lamports, one.side == Side::Sell);
    let is_told = |(of_tape, of_lamports): (u64, u64)| {
        tokens.is_none_or(|tokens| tokens == of_tape)
            && lamports.is_none_or(|lamports| lamports == of_lamports)
    };
    let limit = least(told.quoted, one.slippage_ppm.unwrap_or(terms.slippage_ppm));
    let on_arrival = told.on_arrival.map(|(tokens, lamports)| brought(one.side, tokens, lamports));
    let is_beyond = on_arrival.is_some_and(|brings| brings < limit);
    let cause = match (ended, order.outcome) {
        (Unknown | Unconfirmed, _) => CalibrationCause::Unresolved,
        (Landed, BacktestOutcome::Landed) => match (wallet_tokens, wallet_lamports) {
            // What a trade was paid with says nothing of its price.
            (None | Some(0), None) if one.side == Side::Sell => CalibrationCause::Unreported,
            (None, None | Some(0)) if one.side == Side::Buy => CalibrationCause::Unreported,
            (None | Some(0), None | Some(0)) => CalibrationCause::Same,
            _ if !told.on_arrival.is_some_and(is_told) => CalibrationCause::Unexplained,
            _ if others_between(tape, one, &order) => CalibrationCause::Latency,
            _ => CalibrationCause::EarlierTrade,
        },
        (Landed, _) => match order.refusal {
            Some(Refusal::BelowMinimumTokens | Refusal::BelowMinimumLamports) => CalibrationCause::Bound,
            Some(Refusal::NotEnoughTokensHeld | Refusal::ZeroAmount) => CalibrationCause::NotHeld,
            None => CalibrationCause::InFlight,
            Some(_) if !told.on_arrival.is_some_and(is_told) => CalibrationCause::Unexplained,
            // The curve did not take it then.
            Some(_) if order.arrived_at_ms.is_none() || others_between(tape, one, &order) => {
                CalibrationCause::Latency
            }
            Some(_) => CalibrationCause::EarlierTrade,
        },
        (Failed, BacktestOutcome::Landed) if is_beyond => CalibrationCause::Bound,
        (_, BacktestOutcome::Landed) => CalibrationCause::Fault,
        (_, _) => CalibrationCause::Same,
    };
    CalibratedTrade {
        intent_id: one.trade.intent_id.clone(),
        mint: tape.mint(one.mint).to_owned(),
        side: one.side,
        amount: told.amount,
        at_ms: Millis(one.at_ms),
        arrived_at_ms: one.arrived_at_ms.map(Millis),
        outcome: one.trade.outcome,
        tokens,
        lamports,
        quoted: told.quoted,
        on_arrival,
        backtest: order,
        wallet_tokens,
        wallet_lamports,
        cause,
    }
}

/// Whether others traded the token between the two arrivals.
fn others_between(tape: &TradeTape, one: &Asked, order: &BacktestOrder) -> bool {
    let (Some(arrived), Some(at_ms)) = (one.arrived, order.arrived_at_ms) else { return false };
    let there = tape.rows_until(at_ms.0);
    (arrived.min(there)..arrived.max(there)).any(|row| tape.at(row).is_some_and(|row| row.mint == one.mint))
}
