//! The rows the sandbox's state is made of. One shape serves state, snapshot and change, so that none of them can
//! know of something the others forget.

use crate::api::endpoint::Operation;
use crate::launchpad::account::TokenAccount;
use crate::launchpad::{Curve, Token};
use crate::reader::Reader;
use crate::record;
use crate::value::{ToValue, Value};

/// The largest integer that a JS number can tell from its neighbours.
const MAX_SAFE_INTEGER: u64 = (1 << 53) - 1;

/// A count or a time in milliseconds, up to 2^53 − 1: a plain number in JS.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Count(u64);

impl Count {
    /// The count, or 2^53 − 1 where it is over that.
    pub const fn new(count: u64) -> Self {
        Count(if count > MAX_SAFE_INTEGER { MAX_SAFE_INTEGER } else { count })
    }

    /// The number.
    pub const fn get(self) -> u64 {
        self.0
    }

    /// So many more.
    pub const fn plus(self, more: u64) -> Self {
        Count::new(self.0.saturating_add(more))
    }
}

impl ToValue for Count {
    fn to_value(&self) -> Value {
        Value::Number(self.0.to_string())
    }
}

/// A cell of a row, read back by name.
pub(super) trait Cell: Sized {
    /// What stands in for a cell that cannot be read, once that is recorded.
    fn blank() -> Self;
    fn read(reader: &mut Reader, name: &'static str) -> Option<Self>;
}

macro_rules! cell {
    ($type:ty, $blank:expr, |$reader:ident, $name:ident| $read:expr) => {
        impl Cell for $type {
            fn blank() -> Self {
                $blank
            }

            fn read($reader: &mut Reader, $name: &'static str) -> Option<Self> {
                $read
            }
        }
    };
}

cell!(u64, 0, |r, name| r.whole(name));
cell!(bool, false, |r, name| r.boolean(name));
cell!(Count, Count(0), |r, name| r.whole_within(name, 0, MAX_SAFE_INTEGER).map(Count));
cell!(String, String::new(), |r, name| r.text(name).map(str::to_owned));
cell!(Operation, Operation::Buy, |r, name| {
    r.choice(name, &Operation::ALL.map(|operation| (operation.name(), operation)))
});
cell!(Vec<TradeLeg>, Vec::new(), |r, name| r.list(name, TradeLeg::read));

/// Declares a row: each cell once, with what it means and its TypeScript type.
macro_rules! row {
    (
        $(#[$doc:meta])*
        $row:ident { $( $(#[$cell_doc:meta])* $cell:ident : $type:ty => $ts:literal ),* $(,)? }
    ) => {
        record! {
            $(#[$doc])*
            $row { $( $(#[$cell_doc])* $cell: $type => $ts ),* }
        }

        impl $row {
            pub(super) fn read(reader: &mut Reader) -> Self {
                $row { $($cell: {
                    let read = |r: &mut Reader, name| <$type as Cell>::read(r, name).map(Some);
                    reader.need(camel_name!($cell), read).unwrap_or_else(<$type as Cell>::blank)
                }),* }
            }
        }
    };
}

/// A snake_case name in camelCase, at compile time.
macro_rules! camel_name {
    ($name:ident) => {{
        const SNAKE: &str = stringify!($name);
        const CAMEL: [u8; crate::value::camel_len(SNAKE)] = crate::value::camel(SNAKE);
        const NAME: &str = match ::core::str::from_utf8(&CAMEL) {
            Ok(name) => name,
            Err(_) => panic!("a Rust name is UTF-8"),
        };
        NAME
    }};
}

row! {
    /// The caller's account.
    #[derive(Default)]
    AccountRow {
        /// One more for each successful buy, in a bundle for each of its buys.
        level: Count => "number",
        /// Transactions so far, failed ones included.
        transactions: Count => "number",
        /// Lamports the network was paid in all.
        network_fees_lamports: u64 => "bigint",
    }
}

row! {
    /// The requests so far. It is kept only where a rate limit or a fault goes by it.
    #[derive(Default)]
    TrafficRow {
        /// Requests that named an endpoint and brought the key.
        requests: Count => "number",
        /// When the window of the rate limit began, in the milliseconds handed in with requests.
        window_since_ms: Count => "number",
        /// Requests answered in that window.
        window_requests: Count => "number",
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
        /// One more for each successful buy by this wallet.
        level: Count => "number",
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
        /// Whether someone earns the creator's fee.
        has_creator: bool => "boolean",
        /// Base units in all.
        supply: u64 => "bigint",
        /// Tokens the price is made of.
        virtual_token_reserves: u64 => "bigint",
        /// Lamports the price is made of.
        virtual_sol_reserves: u64 => "bigint",
        /// Tokens left to buy.
        real_token_reserves: u64 => "bigint",
        /// Lamports left to pay sellers with.
        real_sol_reserves: u64 => "bigint",
        /// Lamports the protocol earned with it.
        protocol_fees_lamports: u64 => "bigint",
        /// Lamports its creator earned.
        creator_fees_lamports: u64 => "bigint",
        /// Base units that rivals hold.
        rival_tokens: u64 => "bigint",
        /// What rivals tried so far.
        rival_trades: Count => "number",
    }
}

row! {
    /// A wallet's account of one token.
    TokenAccountRow {
        /// The wallet's id.
        wallet: String => "string",
        /// The token's mint address.
        mint: String => "string",
        /// False once closed: then the row is gone from the state.
        open: bool => "boolean",
        /// Base units held.
        tokens: u64 => "bigint",
        /// Lamports the account itself holds; refunded when it closes.
        lamports: u64 => "bigint",
    }
}

row! {
    /// A transaction, landed or failed.
    TradeRow {
        /// The how-manieth of the sandbox, from 1.
        transaction: Count => "number",
        /// When it was asked for, in the milliseconds handed in with the request.
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
        /// As in the reply's `transactionResult.results`.
        results: String => "string",
        /// What the fee payer was charged.
        network_fee_lamports: u64 => "bigint",
        /// Its trades, in order. All amounts are zero where it failed.
        legs: Vec<TradeLeg> => "TradeLeg[]",
    }
}

row! {
    /// One wallet's part of a transaction.
    TradeLeg {
        /// Id of the wallet that traded.
        wallet: String => "string",
        /// Base units bought or sold.
        tokens: u64 => "bigint",
        /// Lamports paid for a buy or received for a sell, fees included.
        lamports: u64 => "bigint",
        /// The protocol's fee, in `lamports` already.
        protocol_fee_lamports: u64 => "bigint",
        /// The creator's fee, in `lamports` already.
        creator_fee_lamports: u64 => "bigint",
        /// Rent paid for opening the token account.
        rent_lamports: u64 => "bigint",
        /// Lamports refunded at closing it.
        refund_lamports: u64 => "bigint",
    }
}

impl TokenRow {
    /// The token as the launchpad trades it.
    pub fn token(&self) -> Token {
        Token {
            curve: Curve {
                virtual_token_reserves: self.virtual_token_reserves,
                virtual_sol_reserves: self.virtual_sol_reserves,
                real_token_reserves: self.real_token_reserves,
                real_sol_reserves: self.real_sol_reserves,
            },
            supply: self.supply,
            has_creator: self.has_creator,
        }
    }

    /// The same token at another point of its curve.
    pub(super) fn at(&self, curve: &Curve) -> Self {
        TokenRow {
            virtual_token_reserves: curve.virtual_token_reserves,
            virtual_sol_reserves: curve.virtual_sol_reserves,
            real_token_reserves: curve.real_token_reserves,
            real_sol_reserves: curve.real_sol_reserves,
            ..self.clone()
        }
    }
}

impl TokenAccountRow {
    /// The account as a transaction finds it.
    pub fn account(&self) -> TokenAccount {
        TokenAccount { tokens: self.tokens, lamports: self.lamports }
    }
}
