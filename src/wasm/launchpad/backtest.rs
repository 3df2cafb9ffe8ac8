//! A whole list of trades in one crossing.

use js_sys::{BigUint64Array, Reflect};
use wasm_bindgen::prelude::*;

use crate::error::FieldCode;
use crate::launchpad::backtest::{Backtest, Outcomes, Summary, Trades};
use crate::launchpad::curve_view::reserves;
use crate::object;
use crate::wasm::convert::{property, to_js};
use crate::wasm::launchpad::curve::Curve;
use crate::wasm::launchpad::input::{bad, bytes, column, rows};
use crate::wasm::launchpad::trader::Trader;

#[wasm_bindgen(typescript_custom_section)]
const TYPES: &str = r#"
/** What a row of a backtest does, as its number in the column of kinds. */
export const TRADE_KINDS: {
    /** One's own buy: the amount is lamports, the limit base units. */
    readonly buy: 0;
    /** One's own sell: the amount is base units, the limit lamports. */
    readonly sell: 1;
    /** One's own sell of a share: the amount is parts per million of what is held, the limit lamports. */
    readonly sellShare: 2;
    /** Another's buy, as `buy`. */
    readonly rivalBuy: 3;
    /** Another's sell, as `sell`. */
    readonly rivalSell: 4;
};
/** The trades of a backtest, in order: a column for each of their parts, all of one length. */
export interface BacktestTrades {
    /** Of `TRADE_KINDS`; a row of any other number is refused. */
    kinds: Uint8Array;
    /** Lamports, base units or parts per million: the kind says. */
    amounts: BigUint64Array;
    /** The fewest base units or lamports to accept; zero for any. */
    limits: BigUint64Array;
}
/** What became of them, and what they come to. */
export interface BacktestResult {
    /** Base units bought or sold; `REFUSED` for a refused trade. */
    tokens: BigUint64Array;
    /** Lamports paid or received, trading fees included; `REFUSED` for a refused trade. */
    lamports: BigUint64Array;
    /** What the wallet is worth after the row: its lamports, and what selling everything would bring with the account's
     *  refund. The network fee of that sell is not counted. */
    equityLamports: BigUint64Array;
    /** How many rows were run. */
    rows: number;
    /** One's own trades that went through. */
    ownTrades: bigint;
    /** One's own trades that were refused. They cost the network fee all the same. */
    ownRefused: bigint;
    /** Others' trades that were refused. */
    rivalRefused: bigint;
    /** All protocol fees of one's own trades. */
    protocolFeesLamports: bigint;
    /** All creator fees of one's own trades. */
    creatorFeesLamports: bigint;
    /** All network fees of one's own trades. */
    networkFeesLamports: bigint;
    /** The wallet at the end. */
    wallet: { lamports: bigint; tokenAccount: { tokens: bigint; lamports: bigint } | null };
    /** Where the curve stands at the end. */
    reserves: CurveReserves;
}
"#;

#[wasm_bindgen]
impl Curve {
    /// Runs a list of trades, the trader's own and others', in order from where the curve stands, and hands back what
    /// became of each. Each of the trader's own is a transaction of one signature; it opens the token account when it
    /// must and closes it when it sells everything. The curve itself does not move.
    ///
    /// ```js
    /// const { buy, rivalBuy, sellShare } = TRADE_KINDS;
    /// const { equityLamports } = curve.backtest(trader, {
    ///     kinds: Uint8Array.of(buy, rivalBuy, sellShare),
    ///     amounts: BigUint64Array.of(1_000_000_000n, 5_000_000_000n, 1_000_000n),
    ///     limits: new BigUint64Array(3),
    /// });
    /// ```
    ///
    /// @throws {TradeNotSentError} `invalid_options`, for a trader without a wallet and for columns that are not of one
    /// length, or of more than 2^24 rows.
    #[wasm_bindgen(unchecked_return_type = "BacktestResult")]
    pub fn backtest(
        &self,
        trader: &Trader,
        #[wasm_bindgen(unchecked_param_type = "BacktestTrades")] trades: &JsValue,
    ) -> Result<JsValue, JsValue> {
        let wallet = self.known_wallet(trader)?;
        let kinds = bytes("kinds", &property(trades, "kinds"))?;
        let amounts = column("amounts", &property(trades, "amounts"))?;
        let limits = column("limits", &property(trades, "limits"))?;
        if amounts.len() != kinds.len() || limits.len() != kinds.len() {
            return Err(bad("kinds, amounts and limits", FieldCode::Conflict, "must be of one length"));
        }
        let length = kinds.len() as u32;
        let mut tokens = rows("kinds", length, 0)?;
        let mut lamports = rows("kinds", length, 0)?;
        let mut equity_lamports = rows("kinds", length, 0)?;
        let mut outcomes =
            Outcomes { tokens: &mut tokens, lamports: &mut lamports, equity_lamports: &mut equity_lamports };
        let backtest = Backtest {
            launchpad: self.launchpad(),
            token: self.token(),
            wallet,
            priority: trader.priority(),
        };
        let trades = Trades { kinds: &kinds, amounts: &amounts, limits: &limits };
        let result = summary(&backtest.run(&trades, &mut outcomes));
        let columns = [("tokens", tokens), ("lamports", lamports), ("equityLamports", equity_lamports)];
        for (name, column) in columns {
            Reflect::set(&result, &name.into(), &BigUint64Array::from(column.as_slice()))?;
        }
        Ok(result)
    }
}

fn summary(summary: &Summary) -> JsValue {
    let wide = |lamports: u128| lamports;
    let account = summary.wallet.token_account.map(|account| {
        let (tokens, lamports) = (account.tokens, account.lamports);
        object! { "tokens": tokens, "lamports": lamports }
    });
    to_js(&object! {
        "rows": summary.rows as u32,
        "ownTrades": summary.own_trades,
        "ownRefused": summary.own_refused,
        "rivalRefused": summary.rival_refused,
        "protocolFeesLamports": wide(summary.protocol_fees_lamports),
        "creatorFeesLamports": wide(summary.creator_fees_lamports),
        "networkFeesLamports": wide(summary.network_fees_lamports),
        "wallet": object! { "lamports": summary.wallet.lamports, "tokenAccount": account },
        "reserves": reserves(&summary.token.curve),
    })
}
