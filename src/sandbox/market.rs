//! Rival traders: they move a curve between calls, and between a trade's quote and its execution.

use super::draws::Draws;
use super::row::TokenRow;
use crate::amount::Digits;
use crate::launchpad::Launchpad;
use crate::reader::{Reader, set};
use crate::settings;

/// More than this at once would be a noticeable pause.
const MAX_TRADES: u32 = 10_000;

settings! {
    /// The rival traders of a sandbox.
    MarketConfig {
        /// The seed of their trades: the same seed gives the same trades. Default: 1.
        seed: u64 => "number | bigint | string" optional,
        /// Their trades of a token before each request for it is quoted, at most 10000. Default: 0.
        trades_between: u32 => "number" optional,
        /// Their trades between a request's quote and its execution: what slippage is for. At most 10000. Default: 0.
        trades_in_flight: u32 => "number" optional,
        /// The most lamports one of them spends. Default: 1000000000.
        max_lamports: u64 => "number | bigint | string" optional,
    }
}

impl Default for MarketConfig {
    fn default() -> Self {
        MarketConfig { seed: 1, trades_between: 0, trades_in_flight: 0, max_lamports: 1_000_000_000 }
    }
}

impl MarketConfig {
    pub(super) fn read(&mut self, reader: &mut Reader) {
        let count = |r: &mut Reader, name| r.whole_within(name, 0, u64::from(MAX_TRADES)).map(|n| n as u32);
        reader.set_whole("seed", &mut self.seed);
        set(&mut self.trades_between, count(reader, "tradesBetween"));
        set(&mut self.trades_in_flight, count(reader, "tradesInFlight"));
        set(&mut self.max_lamports, reader.whole_within("maxLamports", 1, u64::MAX));
    }
    /// The token after this many rival trades on a launchpad, at most 10000. Rivals bring their own lamports: no more than
    /// `room`, which shrinks by what they bring.
    pub(super) fn moved(
        &self,
        launchpad: &Launchpad,
        token: &TokenRow,
        trades: u32,
        room: &mut u64,
    ) -> TokenRow {
        let mut token = token.clone();
        for _ in 0..trades.min(MAX_TRADES) {
            let number = token.rival_trades.get().digits();
            let mut draws = Draws::of(&["rival", &self.seed.digits(), &token.mint, &number]);
            token.rival_trades = token.rival_trades.plus(1);
            // A refused rival counts as a try, but nothing moves.
            if token.rival_tokens > 0 && draws.below(2) == 0 {
                sell(launchpad, &mut token, &mut draws);
            } else {
                self.buy(launchpad, &mut token, &mut draws, room);
            }
        }
        token
    }

    fn buy(&self, launchpad: &Launchpad, token: &mut TokenRow, draws: &mut Draws, room: &mut u64) {
        let lamports = 1 + draws.below(self.max_lamports);
        let Some(left) = room.checked_sub(lamports) else { return };
        let Ok(fill) = launchpad.buy_exact_in(&token.token(), lamports, 1) else { return };
        *room = left;
        token.rival_tokens += fill.tokens;
        token.trade(&fill.curve_after, fill.fees);
    }
}

fn sell(launchpad: &Launchpad, token: &mut TokenRow, draws: &mut Draws) {
    let (held, tokens) = (token.rival_tokens, 1 + draws.below(token.rival_tokens));
    let Ok(fill) = launchpad.sell_exact_in(&token.token(), tokens, held, 0) else { return };
    token.rival_tokens = held - fill.tokens;
    token.trade(&fill.curve_after, fill.fees);
}
