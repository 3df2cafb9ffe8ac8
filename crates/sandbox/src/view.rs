//! The state as a page shows it.

use std::num::NonZeroU16;

use super::candles::{nano_price, price_text};
use super::character::TraderKind;
use super::name;
use super::row::{Count, MarketTradeRow, TokenRow, WalletRow};
use super::state::State;
use launchpad_desk::bindings::record;
use launchpad_desk::launchpad::quote::Side;
use launchpad_desk::typed::shown_text;

/// The most characters of a name that are shown.
const MOST_OF_NAME: usize = 64;

record! {
    /// A wallet and what it holds.
    SandboxWallet {
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
        /// Its open token accounts, in the order of the tokens.
        token_accounts: Vec<SandboxTokenAccount> => "SandboxTokenAccount[]",
    }
}

record! {
    /// An open token account.
    SandboxTokenAccount {
        /// The token's mint address.
        mint: String => "string",
        /// The account's own address.
        token_account: String => "string",
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

record! {
    /// A token, its curve, and the numbers derived from it.
    SandboxToken {
        /// Its mint address.
        mint: String => "string",
        /// Its ticker.
        symbol: String => "string",
        /// What a page shows for it.
        name: String => "string",
        /// Fraction digits of a whole token.
        decimals: u8 => "number",
        /// Whether the token has a creator who earns a fee.
        has_creator: bool => "boolean",
        /// A creator rate of the token's own in basis points; null for that of the tier.
        creator_bps: Option<u16> => "number | null",
        /// Base units in all.
        supply: u64 => "bigint",
        /// Virtual base units, which set the price.
        virtual_token_reserves: u64 => "bigint",
        /// Virtual lamports, which set the price.
        virtual_sol_reserves: u64 => "bigint",
        /// Base units left to buy.
        real_token_reserves: u64 => "bigint",
        /// Lamports available to pay sellers.
        real_sol_reserves: u64 => "bigint",
        /// Whether every token is sold. Then trading stops.
        complete: bool => "boolean",
        /// Spot price in lamports per whole token, exact text to nine places, floored; null past 128 bits.
        spot_price: Option<String> => "string | null",
        /// What the whole supply is worth at that price, in lamports, floored; null past 127 bits.
        market_cap_lamports: Option<i128> => "bigint | null",
        /// Lamports the protocol earned with it.
        protocol_fees_lamports: u64 => "bigint",
        /// Lamports its creator earned.
        creator_fees_lamports: u64 => "bigint",
    }
}

record! {
    /// A trade of the market, with its price.
    MarketTrade {
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
        /// The spot price after it, in lamports per whole token: exact text to nine places, floored; null past 128 bits.
        price: Option<String> => "string | null",
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

pub(super) fn market_trade(row: &MarketTradeRow, decimals: u8) -> MarketTrade {
    MarketTrade {
        number: row.number,
        at_ms: row.at_ms,
        mint: row.mint.clone(),
        side: row.side,
        trader: row.trader,
        wallet: row.wallet.clone(),
        tokens: row.tokens,
        lamports: row.lamports,
        price: nano_price(row, decimals).map(price_text),
        virtual_token_reserves: row.virtual_token_reserves,
        virtual_sol_reserves: row.virtual_sol_reserves,
        real_token_reserves: row.real_token_reserves,
        real_sol_reserves: row.real_sol_reserves,
    }
}

pub(super) fn wallet(state: &State, row: &WalletRow) -> SandboxWallet {
    let account = |token: &TokenRow| {
        let account = state.token_account(&row.wallet, &token.mint)?;
        Some(SandboxTokenAccount {
            mint: token.mint.clone(),
            token_account: name::token_account_address(&row.wallet, &token.mint),
            tokens: account.tokens,
            lamports: account.lamports,
            is_frozen: account.is_frozen,
            stays_open: account.stays_open,
        })
    };
    SandboxWallet {
        wallet: row.wallet.clone(),
        label: shown_text(&row.label, MOST_OF_NAME),
        lamports: row.lamports,
        level: row.level,
        opens_volume_account: row.opens_volume_account,
        token_accounts: state.tokens.iter().filter_map(account).collect(),
    }
}

pub(super) fn token(row: &TokenRow, decimals: u8) -> SandboxToken {
    let token = row.token();
    let curve = token.curve;
    let price = curve.spot_price().nano_lamports_per_token(decimals);
    let market_cap = curve.market_cap_lamports(row.supply).ok();
    SandboxToken {
        mint: row.mint.clone(),
        symbol: shown_text(&row.symbol, MOST_OF_NAME),
        name: shown_text(&row.name, MOST_OF_NAME),
        decimals,
        has_creator: row.has_creator,
        creator_bps: token.creator_bps.map(NonZeroU16::get),
        supply: row.supply,
        virtual_token_reserves: row.virtual_token_reserves,
        virtual_sol_reserves: row.virtual_sol_reserves,
        real_token_reserves: row.real_token_reserves,
        real_sol_reserves: row.real_sol_reserves,
        complete: token.is_complete(),
        spot_price: price.map(price_text),
        market_cap_lamports: market_cap.and_then(|lamports| i128::try_from(lamports).ok()),
        protocol_fees_lamports: row.protocol_fees_lamports,
        creator_fees_lamports: row.creator_fees_lamports,
    }
}
