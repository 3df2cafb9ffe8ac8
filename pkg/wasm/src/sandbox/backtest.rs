//! Backtests: a tape of others' trades in the module's memory, and strategies over it.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::sync::Arc;

use wasm_bindgen::prelude::*;

use super::world::recorded;
use crate::crossing::{CallArgs, Failure, answer, answer_handle};
use crate::input::{bad, read_priority, read_slippage, settings};
use launchpad_desk::amount::Digits;
use launchpad_desk::bindings::reader::{self, Reader};
use launchpad_desk::error::{FieldCode, FieldError};
use launchpad_desk::launchpad::quote::Side;
use launchpad_desk::launchpad::{Launchpad, Token, curve_settings};
use launchpad_desk::recording::RecordedTrade;
use launchpad_desk::strategy::ExitPlan;
use launchpad_desk::strategy::units::{Millis, Part};
use launchpad_desk::tape::{Data, Item, Tape, ToTape};
use launchpad_desk_sandbox::backtest::{
    Backtest, BacktestAsk, BacktestEntry, BacktestRun, BacktestSignal, BacktestTerms, Rival, RivalTrade,
    SweptPlan, TradeTape, sweep, without_idea,
};
use launchpad_desk_sandbox::recording::{check_rows, is_other_clock, other_unit, read_trade};

/// A tape of others' trades.
#[wasm_bindgen(js_name = TradeTape)]
pub struct JsTape {
    tape: RefCell<Arc<TradeTape>>,
    /// Tokens that stood elsewhere before their first trade.
    starts: RefCell<BTreeMap<String, Token>>,
}

/// An empty tape.
#[wasm_bindgen(js_name = makeTradeTape)]
pub fn make_trade_tape() -> JsTape {
    JsTape { tape: RefCell::default(), starts: RefCell::default() }
}

#[wasm_bindgen(js_class = TradeTape)]
impl JsTape {
    /// Adds the trades of a recording in JSON or CSV, by its `{ columns }` if they are given; `None` stands for a value that is not text, or
    /// is too long.
    #[wasm_bindgen(js_name = addText)]
    pub fn add_text(&self, text: Option<String>, args: &mut CallArgs) -> JsValue {
        let text = text.ok_or_else(|| {
            bad("tape", FieldCode::WrongType, "must be trades, or text of at most 16777216 characters")
        });
        answer(text.and_then(|text| self.add_all(&recorded("backtest", &text, args)?)))
    }

    /// Adds a list of recorded trades: `{ tape }`.
    #[wasm_bindgen(js_name = addTrades)]
    pub fn add_trades(&self, args: &mut CallArgs) -> JsValue {
        let before = self.tape.borrow().len() as u64;
        let read = |r: &mut Reader| r.need("tape", |r, name| r.foreign_list(name, MOST_PROBLEMS, read_trade));
        let args = args.tape();
        let checked = args.root().get("tape").map_or(Ok(()), check_rows);
        let trades = checked.and_then(|()| reader::read(args.root(), read)).map_err(|mut problems| {
            for problem in &mut problems {
                count_from(before, problem);
            }
            Failure::of_options("backtest", problems)
        });
        answer(trades.and_then(|trades| self.add_all(&trades)))
    }

    /// Adds columns of trades of one token.
    #[wasm_bindgen(js_name = addColumns)]
    pub fn add_columns(&self, at_ms: &[u64], orders: &[u8], amounts: &[u64]) -> JsValue {
        let rows = at_ms.len();
        if orders.len() != rows || amounts.len() != rows {
            let what = "must have the same length";
            return answer(Err(bad("tape.atMs, orders and amounts", FieldCode::Conflict, what)));
        }
        let rows = at_ms.iter().zip(orders).zip(amounts);
        answer(self.add(rows.map(|((at_ms, order), amount)| {
            let order = Rival::from_number(*order);
            let trade = order.map(|order| RivalTrade { order, amount: *amount, spent_lamports: None });
            ("token", *at_ms, trade)
        })))
    }

    /// Says where a token stood before its first trade: `{ start }`.
    #[wasm_bindgen(js_name = startAt)]
    pub fn start_at(&self, mint: String, args: &mut CallArgs) -> JsValue {
        answer(read_start(args.tape()).map(|(_, token)| {
            self.starts.borrow_mut().insert(mint, token);
            Tape::default()
        }))
    }

    /// How many trades it has.
    pub fn length(&self) -> usize {
        self.tape.borrow().len()
    }

    /// The mints, in the order of their first trades.
    pub fn mints(&self) -> JsValue {
        answer(Ok(self.tape.borrow().mints().to_tape()))
    }

    /// Runs the entry and the exits of the terms, in one crossing: `{ terms, start }`.
    #[wasm_bindgen(js_name = runExits)]
    pub fn run_exits(&self, args: &mut CallArgs) -> JsValue {
        answer_handle(self.begin(args).inspect(JsBacktest::finish_now))
    }

    /// A backtest at the start of this tape, to be stepped: `{ terms, start }`.
    #[wasm_bindgen(js_name = begin)]
    pub fn step_by_step(&self, args: &mut CallArgs) -> JsValue {
        answer_handle(self.begin(args))
    }

    /// What each of the `plans` of exits comes to with these `terms` and this `start`: six numbers for each.
    #[wasm_bindgen(js_name = sweepExits)]
    pub fn sweep_exits(&self, args: &mut CallArgs) -> JsValue {
        let args = args.tape();
        let swept = self.terms(args).and_then(|terms| {
            let plans = reader::read(args.root(), |r: &mut Reader| {
                r.value("terms");
                r.value("start");
                r.need("plans", |r, name| r.list(name, ExitPlan::read))
            });
            let plans = plans.map_err(|problems| Failure::of_options("backtest", problems))?;
            Ok(sweep(&terms, &self.tape.borrow(), &plans))
        });
        answer_handle(swept.map(|swept| {
            let row = |one: &SweptPlan| {
                [
                    one.profit_lamports as i64,
                    one.positions.into(),
                    one.wins.into(),
                    one.landed.into(),
                    one.failed.into(),
                    one.drawdown_lamports as i64,
                ]
            };
            swept.iter().flat_map(row).collect::<Vec<i64>>()
        }))
    }
}

/// The curve that a tape starts at, from its settings: `{ start }`.
fn read_start(args: &Tape) -> Result<(Launchpad, Token), Failure> {
    settings("backtest", args, "start", curve_settings::read)
}

/// The most problems of a tape that are named.
const MOST_PROBLEMS: usize = 100;

impl JsTape {
    fn add_all(&self, trades: &[RecordedTrade]) -> Result<Tape, Failure> {
        self.add(trades.iter().map(|trade| {
            let made = RivalTrade::of(trade.side, trade.lamports, trade.tokens);
            (trade.mint.as_str(), trade.at_ms.get(), Some(made))
        }))
    }

    /// Adds trades, each with its mint and its time; one that is none is refused.
    fn add<'t>(
        &self,
        trades: impl Iterator<Item = (&'t str, u64, Option<RivalTrade>)>,
    ) -> Result<Tape, Failure> {
        let mut tape = self.tape.borrow_mut();
        let tape = Arc::make_mut(&mut tape);
        for (mint, at_ms, trade) in trades {
            let place = ["tape[", &tape.len().digits(), "]"].concat();
            let Some(trade) = trade else {
                return Err(bad(&place, FieldCode::OutOfRange, "must be a buy, a sell or a buy of tokens"));
            };
            if let Some(why) = tape.time_problem(at_ms) {
                return Err(bad(&place, FieldCode::Conflict, why));
            }
            tape.record(mint, at_ms, trade);
        }
        Ok(Tape::default())
    }

    fn terms(&self, args: &Tape) -> Result<BacktestTerms, Failure> {
        let (launchpad, start) = read_start(args)?;
        let mut terms = BacktestTerms::new(launchpad, 10_000_000_000);
        terms.start = start;
        terms.starts = self.starts.borrow().clone();
        let tape = self.tape.borrow();
        settings("backtest", args, "terms", |r| read_terms(r, &mut terms, &tape))?;
        match tape.unit_problem(&terms) {
            Some(why) => Err(bad("tape", FieldCode::OutOfRange, why)),
            None => Ok(terms),
        }
    }

    fn begin(&self, args: &mut CallArgs) -> Result<JsBacktest, Failure> {
        let (terms, tape) = (Arc::new(self.terms(args.tape())?), Arc::clone(&self.tape.borrow()));
        let backtest = Backtest::new(Arc::clone(&terms), Arc::clone(&tape));
        Ok(JsBacktest { terms, tape, running: RefCell::new(Some(backtest)), run: RefCell::default() })
    }
}

fn read_terms(r: &mut Reader, terms: &mut BacktestTerms, tape: &TradeTape) {
    r.set_whole("lamports", &mut terms.lamports);
    terms.slippage_unit = r.slippage_unit();
    terms.look_every_ms = r.whole_within("lookEveryMs", 0, Millis::MOST).unwrap_or(0);
    terms.latency_ms = match r.value("latencyMs").map(Item::data) {
        Some(Data::Array(items)) => items.zip(0u64..).map(|(item, at)| read_latency(r, item, at)).collect(),
        _ => r.whole_within("latencyMs", 0, Millis::MOST).into_iter().collect(),
    };
    if let Some(priority) = r.object("fees", read_priority) {
        terms.priority = priority;
    }
    if let Some(ppm) = read_slippage(r, "slippage", terms.slippage_unit) {
        terms.slippage_ppm = ppm;
    }
    r.set_whole("seed", &mut terms.seed);
    terms.entry = r.object("entry", |r| BacktestEntry {
        lamports: r.need("lamports", Reader::whole),
        after_ms: r.whole_within("afterMs", 0, Millis::MOST).unwrap_or(0),
        every_ms: r.whole_within("everyMs", 0, Millis::MOST),
    });
    terms.exits = r.object("exits", ExitPlan::read).map(Arc::new);
    let exits = terms.exits.clone();
    terms.signals = r
        .list("signals", |r| {
            let mint = r.need("mint", Reader::text).to_owned();
            let place = tape.find(&mint);
            if place.is_none() && !mint.is_empty() {
                r.refuse("mint", FieldCode::OutOfRange, "is not on the tape");
            }
            BacktestSignal {
                mint: place.unwrap_or(0),
                at_ms: r.need("atMs", |r, name| {
                    let at_ms = r.whole_within(name, 0, Millis::MOST)?;
                    // A tape that has gone on for weeks of its own time may have signals that late.
                    let ends = [0, tape.len().saturating_sub(1)].map(|row| tape.at_ms(row).unwrap_or(0));
                    let may_be = (ends[0]..=ends[1]).contains(&at_ms);
                    if let Some(other) = other_unit(at_ms, !may_be) {
                        r.refuse(name, FieldCode::OutOfRange, other.why);
                    } else if !tape.is_empty() && is_other_clock(ends[0], at_ms) {
                        let why = "is by another clock than the times of the tape: one of them is since 1970";
                        r.refuse(name, FieldCode::OutOfRange, why);
                    }
                    Some(at_ms)
                }),
                lamports: r.need("lamports", Reader::whole),
                exits: exits.clone(),
            }
        })
        .unwrap_or_default();
    if terms.signals.windows(2).any(|pair| matches!(pair, [one, next] if next.at_ms < one.at_ms)) {
        r.refuse("signals", FieldCode::Conflict, "must be in the order of their times");
    }
}

/// One of several latencies.
fn read_latency(r: &mut Reader, item: Item, at: u64) -> u64 {
    let alone = Tape::object(&[("latencyMs", item)]);
    let read =
        reader::read(alone.root(), |r| r.need("latencyMs", |r, name| r.whole_within(name, 0, Millis::MOST)));
    read.unwrap_or_else(|problems| {
        for problem in problems {
            let what = problem.message.strip_prefix("latencyMs ").unwrap_or("is missing");
            r.refuse(&["latencyMs[", &at.digits(), "]"].concat(), problem.code, what);
        }
        0
    })
}

/// Tells of a row of a tape by its number in the whole tape, of which this part has `before` rows less.
fn count_from(before: u64, problem: &mut FieldError) {
    let rest = problem.field.strip_prefix("tape[").and_then(|rest| rest.split_once(']'));
    let Some((row, rest)) = rest.and_then(|(row, rest)| Some((row.parse::<u64>().ok()?, rest))) else {
        return;
    };
    let field = ["tape[", &(before + row).digits(), "]", rest].concat();
    if let Some(what) = problem.message.strip_prefix(problem.field.as_str()) {
        problem.message = [&field, what].concat();
    }
    problem.field = field;
}

/// A backtest that is stepped by JS, and its result. Nothing in between calls back.
#[wasm_bindgen(js_name = Backtest)]
pub struct JsBacktest {
    terms: Arc<BacktestTerms>,
    tape: Arc<TradeTape>,
    running: RefCell<Option<Backtest>>,
    run: RefCell<Option<BacktestRun>>,
}

#[wasm_bindgen(js_class = Backtest)]
impl JsBacktest {
    /// The next trade, and what is ours: its time, its token, its side (0 buys), lamports and tokens; the wallet's lamports; of the
    /// token, tokens held, whether an order is on its way, and what the position paid, received and when it was opened, in that order
    /// and with a 1 before them if there is one. Nothing at the end.
    pub fn step(&self) -> Vec<u64> {
        let mut running = self.running.borrow_mut();
        let Some(backtest) = running.as_mut() else { return Vec::new() };
        let Some(seen) = backtest.step() else { return Vec::new() };
        let mint = seen.mint;
        let (is_open, (paid, received, opened)) =
            backtest.position(mint).map_or((0, (0, 0, 0)), |position| (1, position));
        vec![
            seen.at_ms,
            mint.into(),
            u64::from(seen.side == Side::Sell),
            seen.lamports,
            seen.tokens,
            backtest.lamports(),
            backtest.held(mint),
            backtest.is_flying(mint).into(),
            is_open,
            paid,
            received,
            opened,
        ]
    }

    /// A token's curve as it is now, as the settings of a curve.
    pub fn curve(&self, mint: u32) -> JsValue {
        let running = self.running.borrow();
        let settings = running.as_ref().and_then(|backtest| {
            let rules = self.terms.launchpad.at(backtest.now_ms());
            backtest.token(mint).map(|token| curve_settings::write(rules, token))
        });
        answer(settings.ok_or_else(over))
    }

    /// A share of the tokens that are held, in base units: `{ share: { sell } }`, such as `"50%"`.
    #[wasm_bindgen(js_name = shareOf)]
    pub fn share_of(&self, mint: u32, args: &mut CallArgs) -> JsValue {
        let share = settings("backtest", args.tape(), "share", |r| {
            let share: Option<Part> = r.text("sell").and_then(|text| text.parse().ok());
            let share = share.filter(|share| *share > Part::default());
            if share.is_none() {
                let what = "must be a percentage, such as \"50%\": above 0%, at most 100%, to four places";
                r.refuse("sell", FieldCode::OutOfRange, what);
            }
            share.unwrap_or_default()
        });
        let held = self.running.borrow().as_ref().map_or(0, |backtest| backtest.held(mint));
        answer_handle(share.map(|share| share.of(held)))
    }

    /// Buys: `{ slippage, exits }`.
    pub fn buy(&self, mint: u32, lamports: u64, args: &mut CallArgs) -> JsValue {
        let read = settings("backtest", args.tape(), "order", |r| {
            let slippage = read_slippage(r, "slippage", self.terms.slippage_unit);
            (slippage, r.object("exits", ExitPlan::read).map(Arc::new))
        });
        answer(read.and_then(|(slippage_ppm, exits)| {
            self.ask(BacktestAsk::Buy { mint, lamports, slippage_ppm, exits })
        }))
    }

    /// Sells: `{ slippage }`.
    pub fn sell(&self, mint: u32, tokens: u64, args: &mut CallArgs) -> JsValue {
        let read = settings("backtest", args.tape(), "order", |r| {
            read_slippage(r, "slippage", self.terms.slippage_unit)
        });
        answer(read.and_then(|slippage_ppm| self.ask(BacktestAsk::Sell { mint, tokens, slippage_ppm })))
    }

    /// Ends it, and returns what it did.
    pub fn finish(&self) -> JsValue {
        self.finish_now();
        let run = self.run.borrow();
        answer(run.as_ref().map(ToTape::to_tape).ok_or_else(over))
    }

    /// The profit of a bot without an idea and how many positions it had, for each of so many seeds; see `without_idea`.
    #[wasm_bindgen(js_name = withoutIdea)]
    pub fn without_idea(&self, from_seed: u64, seeds: u32) -> Vec<i64> {
        let run = self.run.borrow();
        let Some(run) = run.as_ref() else { return Vec::new() };
        (0..u64::from(seeds))
            .map(|more| without_idea(run, &self.terms, &self.tape, from_seed.wrapping_add(more)))
            .map(|terms| Backtest::new(Arc::new(terms), Arc::clone(&self.tape)).run())
            .flat_map(|bot| [bot.profit_lamports as i64, bot.positions.len() as i64])
            .collect()
    }
}

impl JsBacktest {
    fn ask(&self, ask: BacktestAsk) -> Result<Tape, Failure> {
        self.running.borrow_mut().as_mut().ok_or_else(over)?.ask(ask);
        Ok(Tape::default())
    }

    fn finish_now(&self) {
        if let Some(mut backtest) = self.running.take() {
            while backtest.step().is_some() {}
            self.run.replace(Some(backtest.finish()));
        }
    }
}

fn over() -> Failure {
    bad("backtest", FieldCode::Conflict, "is over")
}
