//! One request on one state: the resulting trade, and what it changes.
//!
//! ```text
//! Valid<Request> ─ resolve ─▶ Resolved ─ settle ─▶ ExecutedBundle ─ record ─▶ (Trade, Vec<Change>)
//!                 names, units      the launchpad's rules     reply, rows
//! ```

use super::change::Change;
use super::character::TraderKind;
use super::config::SandboxConfig;
use super::fault_plan::Execution;
use super::moving_market::MovingMarket;
use super::name;
use super::row::{
    AccountRow, Count, MarketTradeRow, TokenAccountRow, TokenRow, TradeLeg, TradeRow, WalletRow,
};
use super::state::State;
use launchpad_desk::amount::ExactText;
use launchpad_desk::api::request::Request;
use launchpad_desk::api::response::{Explorer, Status, Trade, TradeResult, TransactionResult};
use launchpad_desk::bindings::object;
use launchpad_desk::error::FieldError;
use launchpad_desk::launchpad::bundle::ExecutedBundle;
use launchpad_desk::launchpad::dry_run::{Found, find};
use launchpad_desk::launchpad::fees::Fees;
use launchpad_desk::launchpad::quote::Side;
use launchpad_desk::launchpad::transaction::{Effect, Executed, Failure, Transaction, refuse};
use launchpad_desk::launchpad::{Fill, Launchpad, Refusal, Token};
use launchpad_desk::tape::{Tape, ToTape, Writer};
use launchpad_desk::text::Text;

/// A request with every name found, and the rows that it may change.
pub(super) struct Resolved<'a> {
    found: Found<'a>,
    token: &'a TokenRow,
    /// The wallets that take part, each once.
    rows: Vec<&'a WalletRow>,
}

/// Finds what a request names.
pub(super) fn resolve<'a>(
    config: &SandboxConfig,
    state: &'a State,
    request: &'a Request,
) -> Result<Resolved<'a>, Vec<FieldError>> {
    let found = find(&config.terms(state.world.now_ms), state, request)?;
    let rows = found.ids.iter().filter_map(|id| state.wallet(id)).collect();
    // Without the token nothing was found.
    let token = state.token(&request.mint).ok_or_else(Vec::new)?;
    Ok(Resolved { found, token, rows })
}

impl Resolved<'_> {
    /// The id of one of its wallets.
    pub(super) fn wallet(&self, index: usize) -> String {
        self.rows.get(index).map(|row| row.wallet.clone()).unwrap_or_default()
    }

    /// The order as a transaction that was sent and failed: for this reason, or because the price had moved past the slippage.
    fn fail(&self, launchpad: &Launchpad, now: &Token, refusal: Option<Refusal>) -> ExecutedBundle {
        let refusal = refusal.unwrap_or(match self.found.request.operation.is_buy() {
            true => Refusal::BelowMinimumTokens,
            false => Refusal::BelowMinimumLamports,
        });
        let failure = Failure { step: None, refusal };
        if refusal == Refusal::InsufficientLamportsForNetworkFee {
            // In this case the network never processes it, and charges nothing.
            let executed = Executed {
                network_fee_lamports: 0,
                outcome: Err(failure),
                wallets: self.found.wallets.clone(),
                token: *now,
            };
            return ExecutedBundle { quote: None, executed, failed_leg: None };
        }
        let bundle = self.found.bundle();
        let transaction = Transaction {
            fee_payer: bundle.fee_payer,
            signatures: bundle.signatures(),
            priority: bundle.priority,
            steps: &[],
        };
        let trades = self.found.legs.len() as u64;
        let executed = refuse(launchpad, now, &self.found.wallets, &transaction, trades, failure);
        // A rent minimum concerns the whole transaction, and a fee that cannot be paid fails before any leg.
        let is_a_legs =
            refusal != Refusal::BelowRentMinimum && executed.outcome.as_ref().err() == Some(&failure);
        ExecutedBundle { quote: None, executed, failed_leg: is_a_legs.then_some(0) }
    }

    /// Why the transaction failed, in words: the refusal's code, its message, and which element it was.
    fn failure(&self, settled: &ExecutedBundle, refusal: Refusal) -> String {
        let mut text = format!("{}: {}", refusal.as_str(), refusal.message());
        if let Some(element) = self.found.failed_element(settled) {
            text.push_str(&[" (", &element, ")"].concat());
        }
        text
    }

    /// What each leg moved; nothing if the transaction failed.
    fn trade_legs(&self, settled: &ExecutedBundle) -> Vec<TradeLeg> {
        let mut legs: Vec<TradeLeg> = self
            .found
            .legs
            .iter()
            .map(|leg| TradeLeg { wallet: self.wallet(leg.wallet), ..TradeLeg::default() })
            .collect();
        let Ok(effects) = &settled.executed.outcome else {
            return legs;
        };
        let mut traded = 0usize;
        for effect in effects {
            // A buy opens the account before its trade, a sell closes it after its trade.
            let closes = matches!(effect, Effect::Closed { .. });
            let Some(leg) = legs.get_mut(traded.saturating_sub(usize::from(closes))) else { continue };
            match effect {
                Effect::AlreadyOpen => {}
                Effect::Opened { rent_lamports } => leg.rent_lamports = *rent_lamports,
                Effect::Closed { refund_lamports } => leg.refund_lamports = *refund_lamports,
                Effect::Bought(fill) | Effect::Sold(fill) => {
                    leg.tokens = fill.tokens;
                    leg.lamports = fill.wallet_lamports;
                    leg.protocol_fee_lamports = fill.fees.protocol_lamports;
                    leg.creator_fee_lamports = fill.fees.creator_lamports;
                    traded += 1;
                }
            }
        }
        let quotes = settled.quote.iter().flat_map(|quote| &quote.legs);
        for (leg, quote) in legs.iter_mut().zip(quotes) {
            leg.rent_lamports = leg.rent_lamports.saturating_add(quote.volume_rent_lamports);
        }
        legs
    }
}

/// Executes an order: the service's reply, and every row that changes.
pub(super) fn execute(
    config: &SandboxConfig,
    state: &State,
    order: &Resolved,
    execution: Execution,
    now_ms: Count,
) -> (Trade, Vec<Change>) {
    let launchpad = config.launchpad.at(state.world.now_ms.get());
    let Moved { quoted, now, moving } = Moved::of(config, state, order.token, execution);
    let settled = match execution {
        Execution::Open | Execution::Calm => order.found.settle(launchpad, &quoted.token(), &now.token()),
        Execution::Fails(refusal) => order.fail(launchpad, &now.token(), refusal),
    };
    let refusal = settled.executed.outcome.as_ref().err().map(|failure| failure.refusal);
    let transaction = state.account.transactions.plus(1);
    let payer = order.wallet(order.found.fee_payer);
    let row = TradeRow {
        transaction,
        at_ms: now_ms,
        operation: order.found.request.operation,
        mint: order.token.mint.clone(),
        signature: name::signature(transaction.get(), &payer, &order.token.mint),
        fee_payer: payer,
        success: refusal.is_none(),
        refusal,
        results: refusal.map_or_else(|| "ok".to_owned(), |refusal| order.failure(&settled, refusal)),
        network_fee_lamports: settled.executed.network_fee_lamports,
        legs: order.trade_legs(&settled),
    };
    let trade = reply(config, order, &settled, &row);
    (trade, changes(state, order, now, moving, &settled, row))
}

/// A token as it was quoted and as the transaction finds it, and the market that moved in between.
struct Moved<'a> {
    quoted: TokenRow,
    now: TokenRow,
    moving: Option<MovingMarket<'a>>,
}

impl<'a> Moved<'a> {
    fn of(config: &'a SandboxConfig, state: &'a State, token: &TokenRow, execution: Execution) -> Self {
        if !config.market.moves() {
            return Moved { quoted: token.clone(), now: token.clone(), moving: None };
        }
        let mut moving = MovingMarket::of(config, state);
        let in_flight_ms = config.market.in_flight_ms.into();
        moving.advance(if execution == Execution::Calm { 0 } else { in_flight_ms });
        let now = moving.token(&token.mint).unwrap_or(token).clone();
        Moved { quoted: token.clone(), now, moving: Some(moving) }
    }
}

/// Every changed row; `now` is the token before the transaction.
fn changes(
    state: &State,
    order: &Resolved,
    now: TokenRow,
    moving: Option<MovingMarket>,
    settled: &ExecutedBundle,
    trade: TradeRow,
) -> Vec<Change> {
    let executed = &settled.executed;
    let buys = |of: &dyn Fn(&&TradeLeg) -> bool| match trade.success && trade.operation.is_buy() {
        true => trade.legs.iter().filter(of).count() as u64,
        false => 0,
    };
    let quotes = settled.quote.iter().filter(|_| trade.success).flat_map(|quote| &quote.legs);
    let volume_rents: u64 = quotes.map(|quote| quote.volume_rent_lamports).sum();
    let mut changes = vec![Change::Account(AccountRow {
        level: state.account.level.plus(buys(&|_| true)),
        transactions: trade.transaction,
        network_fees_lamports: state.account.network_fees_lamports + trade.network_fee_lamports,
        volume_rents_lamports: state.account.volume_rents_lamports + volume_rents,
    })];
    for (row, (before, after)) in order.rows.iter().zip(order.found.wallets.iter().zip(&executed.wallets)) {
        let level = row.level.plus(buys(&|leg| leg.wallet == row.wallet));
        if after.lamports != before.lamports || level != row.level {
            let (lamports, opens_volume_account) = (after.lamports, after.opens_volume_account);
            changes.push(Change::Wallet(WalletRow {
                lamports,
                level,
                opens_volume_account,
                ..(*row).clone()
            }));
        }
        if after.token_account != before.token_account {
            let account = after.token_account.unwrap_or_default();
            changes.push(Change::TokenAccount(TokenAccountRow {
                wallet: row.wallet.clone(),
                mint: order.token.mint.clone(),
                open: after.token_account.is_some(),
                tokens: account.tokens,
                lamports: account.lamports,
                is_frozen: account.is_frozen,
                stays_open: account.stays_open,
            }));
        }
    }
    let mut fees = Fees::default();
    for leg in &trade.legs {
        fees.protocol_lamports += leg.protocol_fee_lamports;
        fees.creator_lamports += leg.creator_fee_lamports;
    }
    let mut token = now;
    token.trade(&executed.token.curve, fees);
    let prints = prints(&token, settled, &trade);
    changes.extend(market_changes(state, order, moving, token, prints));
    changes.push(Change::Trade(trade));
    changes
}

/// The rows of the market after a transaction's trades.
fn market_changes(
    state: &State,
    order: &Resolved,
    moving: Option<MovingMarket>,
    token: TokenRow,
    prints: Vec<MarketTradeRow>,
) -> Vec<Change> {
    match moving {
        Some(mut moving) => {
            moving.take(token, prints);
            moving.changes()
        }
        None => {
            let (mut world, mut changes) = (state.world.clone(), Vec::new());
            let prints: Vec<MarketTradeRow> = prints.into_iter().map(|print| world.print(print)).collect();
            if world != state.world {
                changes.push(Change::World(world));
            }
            if token != *order.token {
                changes.push(Change::Token(token));
            }
            changes.extend(prints.into_iter().map(Change::MarketTrade));
            changes
        }
    }
}

/// The market trades of a transaction: each trade that landed.
fn prints(token: &TokenRow, settled: &ExecutedBundle, trade: &TradeRow) -> Vec<MarketTradeRow> {
    let effects = settled.executed.outcome.iter().flatten();
    let fills = effects.filter_map(|effect| match effect {
        Effect::Bought(fill) => Some((Side::Buy, fill)),
        Effect::Sold(fill) => Some((Side::Sell, fill)),
        _ => None,
    });
    let print = |((side, fill), leg): ((Side, &Fill), &TradeLeg)| {
        MarketTradeRow::of(token, TraderKind::Own, leg.wallet.clone(), side, fill)
    };
    fills.zip(&trade.legs).map(print).collect()
}

/// The error with which the network refuses such a transaction: of its first instruction, or of its accounts.
pub(crate) fn chain_error(trade: &TradeRow) -> Tape {
    let code: u32 = match trade.refusal {
        Some(Refusal::InsufficientLamportsForNetworkFee) => return "InsufficientFundsForFee".to_tape(),
        Some(Refusal::BelowRentMinimum) => {
            return object! { "InsufficientFundsForRent": object! { "account_index": 0u32 } };
        }
        // The system program's, the token program's and Anchor's; then the launchpad's own.
        Some(Refusal::InsufficientLamports | Refusal::InsufficientLamportsForRent) => 1,
        Some(Refusal::TokenAccountFrozen) => 17,
        Some(Refusal::TokenAccountNotOpen) => 3_012,
        Some(Refusal::CurveComplete) => 6_005,
        Some(Refusal::NotEnoughTokensHeld) => 6_023,
        _ if trade.operation.is_buy() => 6_002,
        _ => 6_003,
    };
    object! { "InstructionError": Failed(object! { "Custom": code }) }
}

/// The error of the first instruction.
struct Failed(Tape);

impl ToTape for Failed {
    fn write(&self, tape: &mut Writer) {
        tape.array(&mut [&0u32 as &dyn ToTape, &self.0].into_iter());
    }
}

/// The reply: exactly the spec's fields.
fn reply(config: &SandboxConfig, order: &Resolved, settled: &ExecutedBundle, row: &TradeRow) -> Trade {
    let link = |kind: &str, id: &str| Some([&config.explorer_base, kind, id].concat().into());
    let decimals = config.token_decimals();
    let amount = |units: u64| Some(ExactText::from_units(units, decimals));
    let signature = Text::from(row.signature.as_str());
    let transaction = TransactionResult {
        success: Some(row.success),
        signature: Some(signature.clone()),
        results: match row.success {
            true => row.results.to_tape(),
            false => object! { "err": chain_error(row), "message": row.results },
        },
    };
    let mut trade = Trade {
        operation: row.operation,
        status: if row.success { Status::Landed } else { Status::Failed },
        result: TradeResult {
            mint: Some(row.mint.as_str().into()),
            signature: Some(signature),
            transaction,
            ..TradeResult::default()
        },
        explorer: Explorer {
            mint: link("/token/", &row.mint),
            tx: link("/tx/", &row.signature),
            ..Explorer::default()
        },
        launchpad_mint: Some([&config.launchpad_base, "/coin/", &row.mint].concat().into()),
        raw: Text::default(),
    };
    let (Some(leg), false) = (order.found.legs.first(), row.operation.is_bundle()) else {
        return trade;
    };
    let wallets = (order.found.wallets.get(leg.wallet), settled.executed.wallets.get(leg.wallet));
    if let ((Some(before), Some(after)), Some(done)) = (wallets, row.legs.first()) {
        let address = name::token_account_address(&done.wallet, &row.mint);
        trade.explorer.wallet = link("/account/", &done.wallet);
        trade.explorer.token_account = link("/account/", &address).filter(|_| config.explorer_token_account);
        trade.result.wallet = Some(done.wallet.as_str().into());
        trade.result.amount = amount(done.tokens);
        trade.result.pre_token_balance = amount(before.tokens());
        trade.result.post_token_balance = amount(after.tokens());
        trade.result.token_account = Some(address.into());
        let closed = before.token_account.is_some() && after.token_account.is_none();
        trade.result.token_account_closed = Some(closed);
    }
    trade
}
