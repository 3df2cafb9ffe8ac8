//! A whole list of trades in one crossing.

use wasm_bindgen::prelude::*;

use crate::crossing::{Failure, answer};
use crate::launchpad::curve::Curve;
use crate::launchpad::input::bad;
use crate::launchpad::trader::Trader;
use launchpad_desk::error::FieldCode;
use launchpad_desk::launchpad::backtest::{Backtest, Outcomes, Summary, Trades};
use launchpad_desk::launchpad::curve_view::reserves;
use launchpad_desk::object;
use launchpad_desk::tape::Tape;

#[wasm_bindgen]
impl Curve {
    /// Runs a list of trades from the current state of the curve. Three columns are read, the result of each trade is written
    /// into the other three, and the summary is returned.
    #[expect(clippy::too_many_arguments, reason = "columns cross one by one")]
    pub fn backtest(
        &self,
        trader: &Trader,
        kinds: &[u8],
        amounts: &[u64],
        limits: &[u64],
        tokens: &mut [u64],
        lamports: &mut [u64],
        equity_lamports: &mut [u64],
    ) -> JsValue {
        let trades = Trades { kinds, amounts, limits };
        answer(self.run(trader, &trades, Outcomes { tokens, lamports, equity_lamports }))
    }
}

impl Curve {
    fn run(&self, trader: &Trader, trades: &Trades, mut outcomes: Outcomes) -> Result<Tape, Failure> {
        let wallet = self.known_wallet(trader)?;
        let rows = trades.kinds.len();
        if trades.amounts.len() != rows || trades.limits.len() != rows {
            return Err(bad("kinds, amounts and limits", FieldCode::Conflict, "must have the same length"));
        }
        let backtest = Backtest {
            launchpad: self.launchpad(),
            token: self.token(),
            wallet,
            priority: trader.priority(),
        };
        Ok(shown(&backtest.run(trades, &mut outcomes)))
    }
}

fn shown(summary: &Summary) -> Tape {
    let account = summary.wallet.token_account.map(|account| {
        let (tokens, lamports) = (account.tokens, account.lamports);
        object! { "tokens": tokens, "lamports": lamports }
    });
    object! {
        "rows": summary.rows as u32,
        "ownTrades": summary.own_trades,
        "ownRefused": summary.own_refused,
        "rivalRefused": summary.rival_refused,
        "protocolFeesLamports": summary.protocol_fees_lamports,
        "creatorFeesLamports": summary.creator_fees_lamports,
        "networkFeesLamports": summary.network_fees_lamports,
        "wallet": object! { "lamports": summary.wallet.lamports, "tokenAccount": account },
        "reserves": reserves(&summary.token.curve),
    }
}
