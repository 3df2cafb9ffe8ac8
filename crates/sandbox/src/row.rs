//! The rows of the sandbox's state. State, snapshot and change share one shape, so none of them can lack what another has.

use std::num::NonZeroU16;

use crate::actual_outcome::ActualOutcome;
use crate::character::{Character, TraderKind};
use crate::skip_reason::SkipReason;
use launchpad_desk::api::endpoint::Operation;
use launchpad_desk::bindings::reader::Reader;
use launchpad_desk::bindings::{camel_case, record};
use launchpad_desk::error::FieldCode;
use launchpad_desk::launchpad::account::TokenAccount;
use launchpad_desk::launchpad::fees::Fees;
use launchpad_desk::launchpad::quote::Side;
use launchpad_desk::launchpad::{Curve, Fill, Launchpad, Refusal, Token};
pub use launchpad_desk::tape::Count;
use launchpad_desk::tape::MAX_SAFE_INTEGER;

/// What a cell holds. All cells are required: one that cannot be read is recorded as a problem.
trait Cell {
    fn read(reader: &mut Reader, name: &'static str) -> Self;
}

/// How cells of a type are read: once in the module for all of them, to keep it small.
macro_rules! cells {
    ($( $type:ty: $reader:ident, $name:ident => $read:expr; )*) => { $(
        impl Cell for $type {
            #[inline(never)]
            fn read($reader: &mut Reader, $name: &'static str) -> Self {
                $read
            }
        }
    )* };
}

cells! {
    u64: reader, name => reader.need(name, Reader::whole);
    i128: reader, name => reader.need(name, Reader::signed);
    bool: reader, name => reader.need(name, Reader::boolean);
    String: reader, name => reader.need(name, Reader::text).to_owned();
    Count: reader, name => Count::new(reader.need(name, |r, name| r.whole_within(name, 0, MAX_SAFE_INTEGER)));
    Operation: reader, name => {
        reader.needed(name, |r, name| r.choice(name, Operation::NAMED)).unwrap_or(Operation::Buy)
    };
    Side: reader, name => reader.needed(name, |r, name| r.choice(name, Side::NAMED)).unwrap_or(Side::Buy);
    TraderKind: reader, name => reader.need(name, |r, name| r.choice(name, TraderKind::NAMED));
    ActualOutcome: reader, name => reader.need(name, |r, name| r.choice(name, ActualOutcome::NAMED));
    Character: reader, name => reader.need(name, |r, name| r.choice(name, Character::NAMED));
    Vec<RivalHolding>: reader, name => reader.need(name, |r, name| r.list(name, RivalHolding::read));
    Vec<SkippedTrades>: reader, name => reader.need(name, |r, name| r.list(name, SkippedTrades::read));
    Vec<TradeLeg>: reader, name => reader.need(name, |r, name| r.list(name, TradeLeg::read));
    SkipReason: reader, name => {
        let text = reader.needed(name, Reader::text);
        let reason = text.and_then(SkipReason::from_name);
        if reason.is_none() && text.is_some() {
            reader.refuse(name, FieldCode::OutOfRange, "is not a reason to skip a trade");
        }
        reason.unwrap_or(SkipReason::NoSuchToken)
    };
    Option<Refusal>: reader, name => {
        let text = reader.text(name);
        let refusal = text.and_then(Refusal::from_name);
        if refusal.is_none() && text.is_some() {
            reader.refuse(name, FieldCode::OutOfRange, "is not a reason why a trade fails");
        }
        refusal
    };
}

/// Declares a row: each cell once, with what it means and its type.
macro_rules! row {
    (
        $(#[$($doc:tt)*])*
        $row:ident { $( $(#[$($cell_doc:tt)*])* $cell:ident : $type:ty => $ts:literal ),* $(,)? }
    ) => {
        record! {
            $(#[$($doc)*])*
            $row { $( $(#[$($cell_doc)*])* $cell: $type => $ts ),* }
        }

        impl $row {
            pub(super) fn read(reader: &mut Reader) -> Self {
                $row { $($cell: Cell::read(reader, camel_case!(stringify!($cell)))),* }
            }
        }
    };
}

row! {
    /// The caller's account.
    #[derive(Default)]
    AccountRow {
        /// Rises by one for each successful buy, including each buy of a bundle.
        level: Count => "number",
        /// Transactions so far, failed ones included.
        transactions: Count => "number",
        /// All lamports paid to the network.
        network_fees_lamports: u64 => "bigint",
        /// All rent paid for the volume accounts of wallets.
        volume_rents_lamports: u64 => "bigint",
    }
}

row! {
    /// The requests so far; kept only if a rate limit or a fault needs them.
    #[derive(Default)]
    TrafficRow {
        /// Requests for an endpoint whose head was accepted.
        requests: Count => "number",
        /// When the window of the rate limit began, in the milliseconds of the requests.
        window_since_ms: Count => "number",
        /// Requests answered in that window.
        window_requests: Count => "number",
    }
}

row! {
    /// The time of the market, and what is counted there.
    #[derive(Default)]
    WorldRow {
        /// The market's time, in milliseconds. It passes only when the caller lets it.
        now_ms: Count => "number",
        /// All lamports that were put in from outside: what wallets, curves and token accounts had at the start, and what
        /// wallets were funded with since. Rivals' lamports are counted with their token.
        granted_lamports: u64 => "bigint",
        /// Trades printed so far.
        printed: Count => "number",
        /// Tokens launched so far.
        launched: Count => "number",
        /// Recorded trades that fell due so far: those that were made, and those that were skipped.
        replayed: Count => "number",
        /// How many of them were skipped, by reason.
        skipped: Vec<SkippedTrades> => "SkippedTrades[]",
    }
}

row! {
    /// Recorded trades that were not made, for one reason.
    SkippedTrades {
        /// Why not: the sandbox had no token of that mint, the token would have more than its supply, or the launchpad refused
        /// it on the curve as it was then.
        reason: SkipReason => "\"no_such_token\" | \"above_supply\" | RefusalCode",
        /// How many trades.
        trades: Count => "number",
    }
}

row! {
    /// A wallet.
    WalletRow {
        /// Its id.
        wallet: String => "string",
        /// What a page shows for it.
        label: String => "string",
        /// Its lamports, without those in token accounts.
        lamports: u64 => "bigint",
        /// Rises by one for each successful buy by this wallet.
        level: Count => "number",
        /// Whether its next buy also opens its volume account.
        opens_volume_account: bool => "boolean",
    }
}

row! {
    /// A token and its curve. Tokens in base units.
    TokenRow {
        /// Its mint address.
        mint: String => "string",
        /// Its ticker.
        symbol: String => "string",
        /// What a page shows for it.
        name: String => "string",
        /// Whether the token has a creator who earns a fee.
        has_creator: bool => "boolean",
        /// A creator rate of the token's own in basis points, in place of the tier's; 0 for none.
        creator_bps: Count => "number",
        /// Whether trading has ended, even if tokens are left.
        complete: bool => "boolean",
        /// Base units in all.
        supply: u64 => "bigint",
        /// Virtual tokens, which set the price.
        virtual_token_reserves: u64 => "bigint",
        /// Virtual lamports, which set the price.
        virtual_sol_reserves: u64 => "bigint",
        /// Tokens left to buy.
        real_token_reserves: u64 => "bigint",
        /// Lamports available to pay sellers.
        real_sol_reserves: u64 => "bigint",
        /// Lamports the protocol earned with it.
        protocol_fees_lamports: u64 => "bigint",
        /// Lamports its creator earned.
        creator_fees_lamports: u64 => "bigint",
        /// Base units on the curve and held by wallets and rivals.
        issued_tokens: u64 => "bigint",
        /// Base units held by traders without names: those of a recording, and who bought before the start.
        rival_tokens: u64 => "bigint",
        /// Lamports that rivals brought from outside, minus those they took out.
        rival_lamports: i128 => "bigint",
    }
}

row! {
    /// A wallet's account of one token.
    TokenAccountRow {
        /// The wallet's id.
        wallet: String => "string",
        /// The token's mint address.
        mint: String => "string",
        /// False once it is closed; then the row is no longer in the state.
        open: bool => "boolean",
        /// Base units held.
        tokens: u64 => "bigint",
        /// Lamports the account itself holds; refunded when the wallet closes it.
        lamports: u64 => "bigint",
        /// Whether its tokens are frozen: it can neither sell nor buy.
        is_frozen: bool => "boolean",
        /// Whether only somebody else may close it: then it stays open when it is emptied.
        stays_open: bool => "boolean",
    }
}

row! {
    /// The rivals around a token of a living market.
    #[derive(Default)]
    CrowdRow {
        /// The token's mint address.
        mint: String => "string",
        /// How they behave.
        character: Character => "Character",
        /// When the token was launched, in the market's time.
        since_ms: Count => "number",
        /// By how many virtual lamports wallets of the sandbox have moved the curve, as far as rivals have not traded it back.
        moved_lamports: i128 => "bigint",
        /// How many buyers the launch drew at first, per billion milliseconds.
        interest: Count => "number",
        /// How many more buyers came for a while because others bought, per billion milliseconds.
        heat: Count => "number",
        /// When that was, in the market's time.
        heat_ms: Count => "number",
        /// How many trades were to be expected when the next was drawn, per billion milliseconds.
        rate: Count => "number",
        /// When the next of them acts, in the market's time.
        due_ms: Count => "number",
        /// How often something was drawn for them.
        drawn: Count => "number",
        /// What each of them holds.
        rivals: Vec<RivalHolding> => "RivalHolding[]",
    }
}

row! {
    /// What a rival of a living market holds of a token.
    #[derive(Default)]
    RivalHolding {
        /// The rival's wallet.
        wallet: String => "string",
        /// What kind of rival it is.
        trader: TraderKind => "TraderKind",
        /// Base units held.
        tokens: u64 => "bigint",
    }
}

row! {
    /// A trade of the market, by any trader, if it landed.
    MarketTradeRow {
        /// Its sequence number in the market, from 1.
        number: Count => "number",
        /// When it was made, in the market's time.
        at_ms: Count => "number",
        /// The token's mint address.
        mint: String => "string",
        /// Which way the lamports go.
        side: Side => "Side",
        /// Who made it.
        trader: TraderKind => "TraderKind",
        /// The wallet; empty for a trade of a recording.
        wallet: String => "string",
        /// Base units traded.
        tokens: u64 => "bigint",
        /// Lamports paid or received, fees included.
        lamports: u64 => "bigint",
        /// The curve's virtual tokens after it.
        virtual_token_reserves: u64 => "bigint",
        /// The curve's virtual lamports after it.
        virtual_sol_reserves: u64 => "bigint",
        /// Tokens left to buy after it.
        real_token_reserves: u64 => "bigint",
        /// Lamports left to pay sellers after it.
        real_sol_reserves: u64 => "bigint",
    }
}

row! {
    /// A transaction, landed or failed.
    TradeRow {
        /// Its sequence number in the sandbox, from 1.
        transaction: Count => "number",
        /// When it was requested, in the request's milliseconds.
        at_ms: Count => "number",
        /// What was asked for.
        operation: Operation => "Operation",
        /// Mint address.
        mint: String => "string",
        /// Id of the wallet that paid the network fee.
        fee_payer: String => "string",
        /// Transaction signature.
        signature: String => "string",
        /// Whether it landed.
        success: bool => "boolean",
        /// Why it failed; `null` if it landed.
        refusal: Option<Refusal> => "RefusalCode | null",
        /// `ok`, or why it failed, as in the reply's `transactionResult.results.message`.
        results: String => "string",
        /// What the fee payer was charged.
        network_fee_lamports: u64 => "bigint",
        /// Its trades, in order. All amounts are zero if it failed.
        legs: Vec<TradeLeg> => "TradeLeg[]",
    }
}

row! {
    /// One wallet's part of a transaction.
    #[derive(Default)]
    TradeLeg {
        /// Id of the wallet that traded.
        wallet: String => "string",
        /// Base units bought or sold.
        tokens: u64 => "bigint",
        /// Lamports paid for a buy or received for a sell, fees included.
        lamports: u64 => "bigint",
        /// The protocol's fee, already included in `lamports`.
        protocol_fee_lamports: u64 => "bigint",
        /// The creator's fee, already included in `lamports`.
        creator_fee_lamports: u64 => "bigint",
        /// Rent paid for what it opened: the token account, the volume account.
        rent_lamports: u64 => "bigint",
        /// Lamports refunded for closing it.
        refund_lamports: u64 => "bigint",
    }
}

row! {
    /// A call of one of the six operations, and what really happened to it.
    CallRow {
        /// Its sequence number in the log, from 1.
        number: Count => "number",
        /// When it came, in the request's milliseconds.
        at_ms: Count => "number",
        /// What was asked for.
        operation: Operation => "Operation",
        /// The id in its `idempotency-key`; empty without one.
        intent_id: String => "string",
        /// Identifies the operation and the exact bytes of the body.
        fingerprint: String => "string",
        /// What really happened to it.
        actual: ActualOutcome => "ActualOutcome",
        /// The transaction's sequence number; 0 if none was executed.
        transaction: Count => "number",
        /// The transaction's signature; empty if none was executed.
        signature: String => "string",
        /// The status of the answer; 0 if there was none.
        status: Count => "number",
    }
}

impl WorldRow {
    /// Numbers and dates a trade of the market.
    pub(super) fn print(&mut self, trade: MarketTradeRow) -> MarketTradeRow {
        self.printed = self.printed.plus(1);
        MarketTradeRow { number: self.printed, at_ms: self.now_ms, ..trade }
    }

    /// Counts a recorded trade that was not made.
    pub(super) fn skip(&mut self, reason: SkipReason) {
        match self.skipped.iter_mut().find(|row| row.reason == reason) {
            Some(row) => row.trades = row.trades.plus(1),
            None => self.skipped.push(SkippedTrades { reason, trades: Count::new(1) }),
        }
    }

    /// How many recorded trades were not made, for whatever reason.
    pub(super) fn skipped_trades(&self) -> u64 {
        self.skipped.iter().map(|row| row.trades.get()).fold(0, u64::saturating_add)
    }
}

impl TokenRow {
    /// A token on a curve, before anyone holds any of it.
    pub(super) fn new(
        mint: String,
        symbol: String,
        name: String,
        has_creator: bool,
        supply: u64,
        curve: &Curve,
    ) -> Self {
        TokenRow {
            mint,
            symbol,
            name,
            has_creator,
            creator_bps: Count::default(),
            complete: false,
            supply,
            virtual_token_reserves: curve.virtual_token_reserves,
            virtual_sol_reserves: curve.virtual_sol_reserves,
            real_token_reserves: curve.real_token_reserves,
            real_sol_reserves: curve.real_sol_reserves,
            protocol_fees_lamports: 0,
            creator_fees_lamports: 0,
            issued_tokens: curve.real_token_reserves,
            rival_tokens: 0,
            rival_lamports: 0,
        }
    }

    /// The token as the launchpad trades it.
    pub fn token(&self) -> Token {
        let curve = Curve {
            virtual_token_reserves: self.virtual_token_reserves,
            virtual_sol_reserves: self.virtual_sol_reserves,
            real_token_reserves: self.real_token_reserves,
            real_sol_reserves: self.real_sol_reserves,
        };
        let creator_bps = u16::try_from(self.creator_bps.get()).ok().and_then(NonZeroU16::new);
        Token {
            has_creator: self.has_creator,
            creator_bps,
            complete: self.complete,
            ..Token::new(curve, self.supply)
        }
    }

    // Not inlined: otherwise the module would contain the curve's maths a dozen times.

    /// What spending these lamports buys now.
    #[inline(never)]
    pub(super) fn buys(&self, launchpad: &Launchpad, lamports: u64) -> Result<Fill, Refusal> {
        launchpad.buy_exact_in(&self.token(), lamports, 1)
    }

    /// What these lamports buy now: if all that is left on the curve is worth less, then that.
    pub(super) fn buys_or_completes(&self, launchpad: &Launchpad, lamports: u64) -> Result<Fill, Refusal> {
        match self.buys(launchpad, lamports) {
            Err(Refusal::NotEnoughTokensOnCurve) => {
                self.buys_exactly(launchpad, self.real_token_reserves, lamports)
            }
            decided => decided,
        }
    }

    /// What buying exactly these base units costs now.
    #[inline(never)]
    pub(super) fn buys_exactly(
        &self,
        launchpad: &Launchpad,
        tokens: u64,
        max_lamports: u64,
    ) -> Result<Fill, Refusal> {
        launchpad.buy_exact_out(&self.token(), tokens, max_lamports)
    }

    /// What selling these base units brings now; `held` is what the seller has.
    #[inline(never)]
    pub(super) fn sells(&self, launchpad: &Launchpad, tokens: u64, held: u64) -> Result<Fill, Refusal> {
        launchpad.sell_exact_in(&self.token(), tokens, held, 0)
    }

    /// Moves the token to another point of its curve, its fees earned.
    pub(super) fn trade(&mut self, curve: &Curve, fees: Fees) {
        self.virtual_token_reserves = curve.virtual_token_reserves;
        self.virtual_sol_reserves = curve.virtual_sol_reserves;
        self.real_token_reserves = curve.real_token_reserves;
        self.real_sol_reserves = curve.real_sol_reserves;
        self.protocol_fees_lamports += fees.protocol_lamports;
        self.creator_fees_lamports += fees.creator_lamports;
    }
}

impl MarketTradeRow {
    /// A trade that left the token's curve as its fill says. The market adds its time and its sequence number.
    pub(super) fn of(token: &TokenRow, trader: TraderKind, wallet: String, side: Side, fill: &Fill) -> Self {
        MarketTradeRow {
            number: Count::default(),
            at_ms: Count::default(),
            mint: token.mint.clone(),
            side,
            trader,
            wallet,
            tokens: fill.tokens,
            lamports: fill.wallet_lamports,
            virtual_token_reserves: fill.curve_after.virtual_token_reserves,
            virtual_sol_reserves: fill.curve_after.virtual_sol_reserves,
            real_token_reserves: fill.curve_after.real_token_reserves,
            real_sol_reserves: fill.curve_after.real_sol_reserves,
        }
    }
}

impl TokenAccountRow {
    /// The account as a transaction finds it.
    pub fn account(&self) -> TokenAccount {
        let TokenAccountRow { tokens, lamports, is_frozen, stays_open, .. } = *self;
        TokenAccount { tokens, lamports, is_frozen, stays_open }
    }
}
