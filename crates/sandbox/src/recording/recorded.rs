//! A recorded trade made again: one rule for a sandbox's replay and for backtests.

use launchpad_desk::launchpad::quote::Side;
use launchpad_desk::launchpad::{Fill, Launchpad, Refusal, Token};

/// An order of somebody else, as it was recorded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Rival {
    /// Spends this many lamports, fees included.
    Buy = 0,
    /// Sells this many base units.
    Sell = 1,
    /// Buys exactly this many base units.
    BuyTokens = 2,
}

impl Rival {
    /// The order of this number.
    pub const fn from_number(number: u8) -> Option<Rival> {
        match number {
            0 => Some(Rival::Buy),
            1 => Some(Rival::Sell),
            2 => Some(Rival::BuyTokens),
            _ => None,
        }
    }
}

/// A trade of somebody else, as it was recorded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RivalTrade {
    pub order: Rival,
    /// How much of it.
    pub amount: u64,
    /// Of a buy of tokens, what it has spent, if that was recorded, too: fees included, in lamports.
    pub spent_lamports: Option<u64>,
}

impl RivalTrade {
    /// A trade that moved this, as far as that was recorded. Tokens come first: a curve that was sold out then is sold out again.
    pub fn of(side: Side, lamports: Option<u64>, tokens: Option<u64>) -> RivalTrade {
        let (order, amount, spent_lamports) = match (side, tokens) {
            (Side::Sell, tokens) => (Rival::Sell, tokens.unwrap_or(0), None),
            (Side::Buy, Some(tokens)) => (Rival::BuyTokens, tokens, lamports),
            (Side::Buy, None) => (Rival::Buy, lamports.unwrap_or(0), None),
        };
        RivalTrade { order, amount, spent_lamports }
    }

    /// The trade on the curve as it is now, at any price. A buy of more than the curve has left buys the rest. On the curve as it was then,
    /// it spends what it spent then, to the lamport: whoever buys for lamports may pay some more than the tokens cost.
    ///
    /// ```
    /// use launchpad_desk::launchpad::{Launchpad, quote::Side};
    /// use launchpad_desk_sandbox::recording::RivalTrade;
    /// let launchpad = Launchpad::default();
    /// let again = |lamports, tokens| {
    ///     RivalTrade::of(Side::Buy, lamports, tokens).again(&launchpad, &launchpad.new_token()).unwrap()
    /// };
    /// assert_eq!(again(Some(1_000_000_000), Some(34_612_903_225_806)).tokens, 34_612_903_225_806);
    /// assert!(again(Some(100_000_000_000), None).curve_after.is_complete());
    /// ```
    ///
    /// Fails as a buy or a sell of a wallet that has what it spends.
    pub fn again(self, launchpad: &Launchpad, token: &Token) -> Result<Fill, Refusal> {
        let (rates, amount) = (launchpad.rates(token)?, self.amount);
        match self.order {
            Rival::Buy => token.curve.buy_exact_in_or_rest(amount, 1, rates),
            Rival::Sell => token.curve.sell_exact_in(amount, amount, 0, rates),
            Rival::BuyTokens => {
                let exact = token.curve.buy_exact_out_or_rest(amount, u64::MAX, rates);
                let Some(spent) = self.spent_lamports else { return exact };
                if exact.is_ok_and(|fill| fill.wallet_lamports == spent) {
                    return exact;
                }
                let then = token.curve.buy_exact_in(spent, 1, rates).ok();
                then.filter(|fill| fill.tokens == amount && fill.wallet_lamports == spent).map_or(exact, Ok)
            }
        }
    }
}

/// Seconds from the chain's first block, 16 March 2020, to the year 2100.
const SECONDS: std::ops::Range<u64> = 1_584_316_800..4_102_444_800;

/// A unit of times since 1970 that is not milliseconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OtherUnit {
    /// Its symbol: `s`, `us` or `ns`.
    pub unit: &'static str,
    /// The end of a sentence after the time.
    pub why: &'static str,
}

/// Which unit a recording's time has, if it cannot be in milliseconds, since 1970 or of a market's own time. A market's own time may go on
/// for so long that it looks like seconds, but does not begin there, so that is asked of the first trade only.
pub fn other_unit(at_ms: u64, is_first: bool) -> Option<OtherUnit> {
    let (unit, why) = match at_ms {
        seconds if SECONDS.contains(&seconds) && is_first => {
            ("s", "is in seconds since 1970: times of a recording are in milliseconds")
        }
        nanos if nanos >= SECONDS.start * 1_000_000_000 => {
            ("ns", "is in nanoseconds since 1970: times of a recording are in milliseconds")
        }
        micros if micros >= SECONDS.end * 1_000 => {
            ("us", "is in microseconds since 1970: times of a recording are in milliseconds")
        }
        _ => return None,
    };
    Some(OtherUnit { unit, why })
}

/// Whether one of two times is since 1970 in milliseconds, and the other that of a market's own clock, which begins at zero.
pub fn is_other_clock(one: u64, other: u64) -> bool {
    let is_since_1970 = |at_ms| at_ms >= SECONDS.start * 1_000;
    is_since_1970(one) != is_since_1970(other)
}

/// The unit that a time since 1970 has, by how large it is: `s`, `ms`, `us` or `ns`.
pub fn unit_since_1970(time: u128) -> Option<&'static str> {
    let units = [("s", 1), ("ms", 1_000), ("us", 1_000_000), ("ns", 1_000_000_000)];
    let is_of = |in_second: u64| {
        (u128::from(SECONDS.start) * u128::from(in_second)..u128::from(SECONDS.end) * u128::from(in_second))
            .contains(&time)
    };
    units.into_iter().find_map(|(unit, in_second)| is_of(in_second).then_some(unit))
}
