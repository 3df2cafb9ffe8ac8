//! What a backtest did: every order, every position, and what they add up to.

use launchpad_desk::bindings::codes::codes;
use launchpad_desk::bindings::record;
use launchpad_desk::launchpad::Refusal;
use launchpad_desk::launchpad::quote::Side;
use launchpad_desk::strategy::state::ExitReason;
use launchpad_desk::strategy::units::{Millis, Part};

codes! {
    /// Why an order of a backtest was made.
    BacktestReason {
        /// The entry of the backtest: its time was reached, or a signal came.
        Entry = "entry",
        /// The strategy asked for it.
        Strategy = "strategy",
        /// The strategy closed a position that has exits.
        CloseNow = "close_now",
        /// The curve was about to complete.
        Graduation = "graduation",
        /// It fell to its stop.
        StopLoss = "stop_loss",
        /// It fell back to what was paid.
        BreakEven = "break_even",
        /// It fell from its best.
        Trailing = "trailing",
        /// Its time was over.
        Time = "time",
        /// It gained enough.
        TakeProfit = "take_profit",
        /// The tape ended: it was sold at the last price.
        End = "end",
        /// The tape ended, and it could not be sold: it counts as worth nothing.
        Unsold = "unsold",
    }
}

impl From<ExitReason> for BacktestReason {
    fn from(reason: ExitReason) -> Self {
        match reason {
            ExitReason::CloseNow => BacktestReason::CloseNow,
            ExitReason::Graduation => BacktestReason::Graduation,
            ExitReason::StopLoss => BacktestReason::StopLoss,
            ExitReason::BreakEven => BacktestReason::BreakEven,
            ExitReason::Trailing => BacktestReason::Trailing,
            ExitReason::Time => BacktestReason::Time,
            ExitReason::TakeProfit => BacktestReason::TakeProfit,
        }
    }
}

codes! {
    /// What became of an order of a backtest.
    BacktestOutcome {
        /// It was filled.
        Landed = "landed",
        /// It was refused when it arrived. It cost its network fee.
        Failed = "failed",
        /// It was not sent, because it had no price, its token was not launched yet, something else of the token was in flight, or the tape
        /// would be over before it arrives. It cost nothing.
        NotSent = "not_sent",
    }
}

record! {
    /// An order of a backtest, in the order they ended.
    BacktestOrder {
        /// When it was decided.
        at_ms: Millis => "number",
        /// When it arrived; null if it was not sent.
        arrived_at_ms: Option<Millis> => "number | null",
        /// Mint address of the token.
        mint: String => "string",
        /// Which way the lamports go.
        side: Side => "Side",
        /// Why it was made.
        reason: BacktestReason => "BacktestReason",
        /// What was ordered: lamports of a buy, base units of a sell.
        amount: u64 => "bigint",
        /// What it would have brought when it was decided: base units of a buy, lamports of a sell.
        expected: u64 => "bigint",
        /// What became of it.
        outcome: BacktestOutcome => "BacktestOutcome",
        /// Why the launchpad refused it; null if it did not.
        refusal: Option<Refusal> => "RefusalCode | null",
        /// Base units that it moved.
        tokens: u64 => "bigint",
        /// Lamports that it moved, trading fees included.
        lamports: u64 => "bigint",
        /// Its network fee, with the priority, in lamports.
        network_fee_lamports: u64 => "bigint",
    }
}

record! {
    /// A position of a backtest, from its first buy until nothing was left.
    BacktestPosition {
        /// Mint address of the token.
        mint: String => "string",
        /// When its first buy landed.
        opened_at_ms: Millis => "number",
        /// When its last sell landed, or the tape ended.
        closed_at_ms: Millis => "number",
        /// Base units that were bought.
        tokens: u64 => "bigint",
        /// What its buys spent, trading fees included, in lamports.
        spent_lamports: u64 => "bigint",
        /// Everything that left the wallet for it, with fees and rent; in lamports.
        paid_lamports: u64 => "bigint",
        /// Everything that came back, in lamports.
        received_lamports: u64 => "bigint",
        /// The difference, in lamports.
        profit_lamports: i128 => "bigint",
        /// Why its last tokens were sold.
        reason: BacktestReason => "BacktestReason",
        /// How many of its sells landed.
        sells: u32 => "number",
    }
}

record! {
    /// What the wallet paid besides the price, in lamports.
    #[derive(Copy, Default)]
    BacktestCosts {
        /// To the protocol.
        protocol_fees_lamports: u64 => "bigint",
        /// To the tokens' creators.
        creator_fees_lamports: u64 => "bigint",
        /// To the network, without the priority. Failed orders pay it, too.
        network_fees_lamports: u64 => "bigint",
        /// For priority. Failed orders pay it, too.
        priority_fees_lamports: u64 => "bigint",
        /// Rent that was paid for token accounts.
        rent_paid_lamports: u64 => "bigint",
        /// Rent that came back.
        rent_returned_lamports: u64 => "bigint",
    }
}

record! {
    /// The positions that ended for one reason.
    BacktestReasonRow {
        /// The reason.
        reason: BacktestReason => "BacktestReason",
        /// How many there are.
        positions: u32 => "number",
        /// How many of them gained.
        wins: u32 => "number",
        /// What they gained together, in lamports.
        profit_lamports: i128 => "bigint",
    }
}

record! {
    /// The deepest fall of the equity from a high to a low after it.
    #[derive(Copy, Default)]
    BacktestDrawdown {
        /// How deep, in lamports.
        lamports: u64 => "bigint",
        /// The part of the high that was lost.
        part: Part => "string",
        /// When the high was.
        from_ms: Millis => "number",
        /// When the low was.
        to_ms: Millis => "number",
    }
}

record! {
    /// Recorded trades that could not be made again, for one reason.
    BacktestSkipped {
        /// Why the launchpad refused them on the curve as it was then.
        reason: Refusal => "RefusalCode",
        /// How many.
        trades: u32 => "number",
    }
}

record! {
    /// What the wallet was worth at a time.
    #[derive(Copy)]
    BacktestPoint {
        /// When, in milliseconds of the tape.
        at_ms: Millis => "number",
        /// Its lamports, and what selling everything would bring, with the rent.
        lamports: u64 => "bigint",
    }
}

record! {
    /// One run over one tape.
    BacktestRun {
        /// The seed.
        seed: u64 => "bigint",
        /// Trades of the tape that were made again.
        replayed: u32 => "number",
        /// Trades of the tape that could not be, by reason.
        skipped: Vec<BacktestSkipped> => "BacktestSkipped[]",
        /// How long the tape is, in milliseconds.
        tape_ms: Millis => "number",
        /// What the wallet had at the start, in lamports.
        start_lamports: u64 => "bigint",
        /// What it had at the end, in lamports.
        end_lamports: u64 => "bigint",
        /// The difference, in lamports.
        profit_lamports: i128 => "bigint",
        /// What the prices alone brought: the profit without the costs, in lamports.
        price_profit_lamports: i128 => "bigint",
        /// The costs.
        costs: BacktestCosts => "BacktestCosts",
        /// How many positions gained.
        wins: u32 => "number",
        /// The part of the positions that gained.
        win_rate: Part => "string",
        /// The positions by the reason they ended for.
        reasons: Vec<BacktestReasonRow> => "BacktestReasonRow[]",
        /// The deepest fall.
        drawdown: BacktestDrawdown => "BacktestDrawdown",
        /// The most that the open positions were worth together, in lamports.
        most_exposed_lamports: u64 => "bigint",
        /// The part of the equity that was in open positions, over the time of the tape.
        exposure: Part => "string",
        /// How long a position was open, in milliseconds.
        in_market_ms: Millis => "number",
        /// The part of the time that a position was open.
        in_market: Part => "string",
        /// Every position, in the order they ended.
        positions: Vec<BacktestPosition> => "BacktestPosition[]",
        /// Every order, in the order they ended.
        orders: Vec<BacktestOrder> => "BacktestOrder[]",
        /// At most 1,024 points of the equity, evenly apart.
        equity: Vec<BacktestPoint> => "BacktestPoint[]",
    }
}

impl BacktestRun {
    /// How many orders ended so.
    pub fn orders_that(&self, outcome: BacktestOutcome) -> usize {
        self.orders.iter().filter(|order| order.outcome == outcome).count()
    }
}

/// The part that `some` are of `all`, rounded down; nothing for none of none.
pub(super) fn part_of(some: u128, all: u128) -> Part {
    let millionths = some.saturating_mul(1_000_000).checked_div(all).unwrap_or(0).min(1_000_000);
    Part::from_millionths(millionths as u32).unwrap_or(Part::WHOLE)
}
