//! A list of trades, your own and others', run against one curve.

use super::account::Share;
use super::batch::REFUSED;
use super::config::{Launchpad, Token};
use super::cost::Priority;
use super::refusal::Refusal;
use super::slippage::PPM;
use super::transaction::{Action, Effect, Wallet, act, after_network_fee, may_end};

/// What a row of a backtest does; the column of kinds holds its number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Kind {
    /// Your own buy; the amount is lamports, the limit base units.
    Buy = 0,
    /// Your own sell; the amount is base units, the limit lamports.
    Sell = 1,
    /// Your own sell of a share; the amount is parts per million of what is held, the limit lamports.
    SellShare = 2,
    /// Another trader's buy; the amount is lamports, the limit base units.
    RivalBuy = 3,
    /// Another trader's sell; the amount is base units, the limit lamports.
    RivalSell = 4,
}

impl Kind {
    /// The kind of this number.
    pub const fn from_number(number: u8) -> Option<Kind> {
        match number {
            0 => Some(Kind::Buy),
            1 => Some(Kind::Sell),
            2 => Some(Kind::SellShare),
            3 => Some(Kind::RivalBuy),
            4 => Some(Kind::RivalSell),
            _ => None,
        }
    }
}

/// The trades, in columns.
#[derive(Clone, Copy, Debug)]
pub struct Trades<'a> {
    /// [`Kind`] as a number. Any other number is refused.
    pub kinds: &'a [u8],
    /// Lamports, base units or parts per million, depending on the kind.
    pub amounts: &'a [u64],
    /// The fewest tokens or lamports to accept.
    pub limits: &'a [u64],
}

/// What happened to the trades, in columns.
#[derive(Debug)]
pub struct Outcomes<'a> {
    /// Base units bought or sold; [`REFUSED`] for a refused trade.
    pub tokens: &'a mut [u64],
    /// Lamports paid or received, fees included; [`REFUSED`] for a refused trade.
    pub lamports: &'a mut [u64],
    /// What your wallet is worth after the row: its lamports, and what selling everything would bring with the
    /// account's refund. The network fee of that sell is not counted.
    pub equity_lamports: &'a mut [u64],
}

/// Where a backtest starts.
#[derive(Clone, Copy, Debug)]
pub struct Backtest<'a> {
    /// The launchpad.
    pub launchpad: &'a Launchpad,
    /// The token before the first trade.
    pub token: Token,
    /// Your wallet before the first trade.
    pub wallet: Wallet,
    /// The priority that each of your own trades bids with.
    pub priority: Priority,
}

/// The result of a backtest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Summary {
    /// How many rows were run: the length of the shortest column.
    pub rows: usize,
    /// Your own trades that succeeded.
    pub own_trades: u64,
    /// Your own trades that were refused. They still cost the network fee.
    pub own_refused: u64,
    /// Others' trades that were refused.
    pub rival_refused: u64,
    /// All protocol fees of your own trades.
    pub protocol_fees_lamports: u128,
    /// All creator fees of your own trades.
    pub creator_fees_lamports: u128,
    /// All network fees of your own trades.
    pub network_fees_lamports: u128,
    /// Your wallet at the end.
    pub wallet: Wallet,
    /// The token at the end.
    pub token: Token,
}

impl Backtest<'_> {
    /// Runs every trade in order. Your own trades open the token account if needed and close it if they sell everything, as the
    /// service does; each is a transaction with one signature.
    ///
    /// ```
    /// use launchpad_desk::launchpad::backtest::{Backtest, Kind, Outcomes, Trades};
    /// use launchpad_desk::launchpad::{Launchpad, cost::Priority, transaction::Wallet};
    /// let launchpad = Launchpad::default();
    /// let wallet = Wallet { lamports: 2_000_000_000, token_account: None };
    /// let (token, priority) = (launchpad.new_token(), Priority::default());
    /// // Buy, let another buy, sell everything.
    /// let kinds = [Kind::Buy, Kind::RivalBuy, Kind::SellShare].map(|kind| kind as u8);
    /// let trades =
    ///     Trades { kinds: &kinds, amounts: &[1_000_000_000, 5_000_000_000, 1_000_000], limits: &[1, 1, 1] };
    /// let (mut tokens, mut lamports, mut equity) = ([0; 3], [0; 3], [0; 3]);
    /// let mut outcomes =
    ///     Outcomes { tokens: &mut tokens, lamports: &mut lamports, equity_lamports: &mut equity };
    /// let summary = Backtest { launchpad: &launchpad, token, wallet, priority }.run(&trades, &mut outcomes);
    /// assert_eq!((summary.own_trades, tokens[0]), (2, tokens[2]));
    /// assert!(summary.wallet.lamports > wallet.lamports);
    /// ```
    pub fn run(&self, trades: &Trades, outcomes: &mut Outcomes) -> Summary {
        let mut summary = Summary {
            rows: 0,
            own_trades: 0,
            own_refused: 0,
            rival_refused: 0,
            protocol_fees_lamports: 0,
            creator_fees_lamports: 0,
            network_fees_lamports: 0,
            wallet: self.wallet,
            token: self.token,
        };
        let columns = trades.kinds.iter().zip(trades.amounts).zip(trades.limits);
        let results =
            outcomes.tokens.iter_mut().zip(&mut *outcomes.lamports).zip(&mut *outcomes.equity_lamports);
        for (((kind, amount), limit), ((tokens, lamports), equity)) in columns.zip(results) {
            summary.rows += 1;
            let filled = match Kind::from_number(*kind) {
                Some(kind @ (Kind::RivalBuy | Kind::RivalSell)) => {
                    self.rival(&mut summary, kind, *amount, *limit)
                }
                Some(kind) => self.own(&mut summary, kind, *amount, *limit),
                None => None,
            };
            (*tokens, *lamports) = filled.unwrap_or((REFUSED, REFUSED));
            *equity = self.equity_lamports(&summary);
        }
        summary
    }

    fn rival(&self, summary: &mut Summary, kind: Kind, amount: u64, limit: u64) -> Option<(u64, u64)> {
        let filled = match kind {
            Kind::RivalBuy => self.launchpad.buy_exact_in(&summary.token, amount, limit),
            _ => self.launchpad.sell_exact_in(&summary.token, amount, amount, limit),
        };
        match filled {
            Ok(fill) => {
                summary.token.curve = fill.curve_after;
                Some((fill.tokens, fill.wallet_lamports))
            }
            Err(_) => {
                summary.rival_refused += 1;
                None
            }
        }
    }

    fn own(&self, summary: &mut Summary, kind: Kind, amount: u64, limit: u64) -> Option<(u64, u64)> {
        let before = summary.wallet;
        let fee = self.launchpad.network.fee_lamports(1, 1, self.priority);
        let left = |fee| after_network_fee(self.launchpad, before.lamports, fee).ok();
        let paid = fee.and_then(|fee| Some((fee, left(fee)?)));
        // A transaction whose fee cannot be paid is never processed, and costs nothing.
        let Some((fee, left)) = paid else {
            summary.own_refused += 1;
            return None;
        };
        summary.wallet.lamports = left;
        summary.network_fees_lamports += u128::from(fee);
        let (mut token, mut wallet) = (summary.token, summary.wallet);
        match self.transact(&mut token, &mut wallet, kind, amount, limit) {
            Ok(Effect::Bought(fill) | Effect::Sold(fill)) if may_end(self.launchpad, &before, &wallet) => {
                (summary.token, summary.wallet) = (token, wallet);
                summary.own_trades += 1;
                summary.protocol_fees_lamports += u128::from(fill.fees.protocol_lamports);
                summary.creator_fees_lamports += u128::from(fill.fees.creator_lamports);
                Some((fill.tokens, fill.wallet_lamports))
            }
            _ => {
                summary.own_refused += 1;
                None
            }
        }
    }

    /// The steps of one transaction. If one is refused, the caller drops the partial result.
    fn transact(
        &self,
        token: &mut Token,
        wallet: &mut Wallet,
        kind: Kind,
        amount: u64,
        limit: u64,
    ) -> Result<Effect, Refusal> {
        if kind == Kind::Buy {
            act(self.launchpad, token, wallet, Action::OpenTokenAccount)?;
            let buy = Action::BuyExactIn { lamports: amount, min_tokens: limit.max(1) };
            return act(self.launchpad, token, wallet, buy);
        }
        let tokens = match kind {
            Kind::SellShare => {
                let share = Share::new(amount.into(), PPM.into()).ok_or(Refusal::ZeroAmount)?;
                share.of(wallet.tokens())
            }
            _ => amount,
        };
        let effect = act(self.launchpad, token, wallet, Action::SellExactIn { tokens, min_lamports: limit })?;
        if wallet.tokens() == 0 {
            act(self.launchpad, token, wallet, Action::CloseTokenAccount)?;
        }
        Ok(effect)
    }

    fn equity_lamports(&self, summary: &Summary) -> u64 {
        let wallet = &summary.wallet;
        let Some(account) = wallet.token_account else { return wallet.lamports };
        let sold = match account.tokens {
            0 => Some(0),
            all => self
                .launchpad
                .sell_exact_in(&summary.token, all, all, 0)
                .ok()
                .map(|fill| fill.wallet_lamports),
        };
        // Tokens that cannot be sold are worth nothing, and keep the account open.
        let exit = sold.map_or(0, |lamports| lamports.saturating_add(account.lamports));
        wallet.lamports.saturating_add(exit)
    }
}
