//! The tape of a market as charts show it: trades with their prices, and candles.

use super::row::{Count, MarketTradeRow};
use launchpad_desk::amount::decimal_text;
use launchpad_desk::bindings::record;
use launchpad_desk::launchpad::curve::Price;

/// Fraction digits of a price, which is in lamports per whole token.
pub(super) const PRICE_DECIMALS: u8 = 9;

record! {
    /// A token's trades within an interval of time. Intervals without a trade have no candle.
    Candle {
        /// When the interval began, in the market's time.
        start_ms: Count => "number",
        /// The spot price after the first trade, in lamports per whole token: exact text to nine places, floored.
        open: String => "string",
        /// The highest spot price after a trade.
        high: String => "string",
        /// The lowest one.
        low: String => "string",
        /// The spot price after the last trade.
        close: String => "string",
        /// Lamports paid and received, fees included.
        lamports: i128 => "bigint",
        /// Base units traded.
        tokens: i128 => "bigint",
        /// How many trades.
        trades: Count => "number",
    }
}

/// The spot price after a trade, in billionths of a lamport per whole token; `None` past 128 bits.
pub(super) fn nano_price(trade: &MarketTradeRow, decimals: u8) -> Option<u128> {
    let price = Price { lamports: trade.virtual_sol_reserves, tokens: trade.virtual_token_reserves };
    price.nano_lamports_per_token(decimals)
}

pub(super) fn price_text(nano: u128) -> String {
    decimal_text(nano, PRICE_DECIMALS)
}

/// The candles of trades of one token, oldest first. Intervals begin at multiples of their length, and are no shorter than a
/// millisecond.
pub(super) fn candles<'a>(
    trades: impl Iterator<Item = &'a MarketTradeRow>,
    interval_ms: u64,
    decimals: u8,
) -> Vec<Candle> {
    let interval_ms = interval_ms.max(1);
    let mut candles = Vec::new();
    let mut open: Option<Forming> = None;
    for trade in trades {
        let Some(price) = nano_price(trade, decimals) else { continue };
        let start_ms = trade.at_ms.get() / interval_ms * interval_ms;
        let forming = match open.take() {
            Some(forming) if forming.start_ms == start_ms => forming.with(price),
            done => {
                candles.extend(done.map(Forming::candle));
                Forming { start_ms, prices: [price; 4], lamports: 0, tokens: 0, trades: 0 }
            }
        };
        open = Some(Forming {
            lamports: forming.lamports + i128::from(trade.lamports),
            tokens: forming.tokens + i128::from(trade.tokens),
            trades: forming.trades + 1,
            ..forming
        });
    }
    candles.extend(open.map(Forming::candle));
    candles
}

/// A candle that is still being built.
struct Forming {
    start_ms: u64,
    /// Open, high, low, close.
    prices: [u128; 4],
    lamports: i128,
    tokens: i128,
    trades: u64,
}

impl Forming {
    fn with(self, price: u128) -> Self {
        let [open, high, low, _] = self.prices;
        Forming { prices: [open, high.max(price), low.min(price), price], ..self }
    }

    fn candle(self) -> Candle {
        let [open, high, low, close] = self.prices.map(price_text);
        Candle {
            start_ms: Count::new(self.start_ms),
            open,
            high,
            low,
            close,
            lamports: self.lamports,
            tokens: self.tokens,
            trades: Count::new(self.trades),
        }
    }
}
