//! The state as a page shows it.

use super::name;
use super::row::{Count, TokenRow, WalletRow};
use super::state::State;
use crate::to_value;

/// A wallet and what it holds.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(target_arch = "wasm32", serde(rename_all = "camelCase"))]
pub struct SandboxWallet {
    /// Its id.
    pub wallet: String,
    /// What a page shows for it.
    pub label: String,
    /// Its lamports, without those in token accounts.
    #[cfg_attr(target_arch = "wasm32", tsify(type = "bigint"))]
    pub lamports: u64,
    /// One more for each successful buy by this wallet.
    #[cfg_attr(target_arch = "wasm32", tsify(type = "number"))]
    pub level: Count,
    /// Its open token accounts, in the order of the tokens.
    pub token_accounts: Vec<SandboxTokenAccount>,
}
to_value!(SandboxWallet { wallet, label, lamports, level, token_accounts });

/// An open token account.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(target_arch = "wasm32", serde(rename_all = "camelCase"))]
pub struct SandboxTokenAccount {
    /// The token's mint address.
    pub mint: String,
    /// The account's own address.
    pub token_account: String,
    /// Base units held.
    #[cfg_attr(target_arch = "wasm32", tsify(type = "bigint"))]
    pub tokens: u64,
    /// Lamports the account itself holds; refunded when it closes.
    #[cfg_attr(target_arch = "wasm32", tsify(type = "bigint"))]
    pub lamports: u64,
}
to_value!(SandboxTokenAccount { mint, token_account, tokens, lamports });

/// A token, its curve and what that comes to.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(target_arch = "wasm32", serde(rename_all = "camelCase"))]
pub struct SandboxToken {
    /// Its mint address.
    pub mint: String,
    /// Its ticker.
    pub symbol: String,
    /// What a page shows for it.
    pub name: String,
    /// Fraction digits of a whole token.
    pub decimals: u8,
    /// Whether someone earns the creator's fee.
    pub has_creator: bool,
    /// Base units in all.
    #[cfg_attr(target_arch = "wasm32", tsify(type = "bigint"))]
    pub supply: u64,
    /// Base units the price is made of.
    #[cfg_attr(target_arch = "wasm32", tsify(type = "bigint"))]
    pub virtual_token_reserves: u64,
    /// Lamports the price is made of.
    #[cfg_attr(target_arch = "wasm32", tsify(type = "bigint"))]
    pub virtual_sol_reserves: u64,
    /// Base units left to buy.
    #[cfg_attr(target_arch = "wasm32", tsify(type = "bigint"))]
    pub real_token_reserves: u64,
    /// Lamports left to pay sellers with.
    #[cfg_attr(target_arch = "wasm32", tsify(type = "bigint"))]
    pub real_sol_reserves: u64,
    /// Whether every token is sold: it trades no more.
    pub complete: bool,
    /// Nano-lamports for one whole token, floored; null where that passes 127 bits.
    #[cfg_attr(target_arch = "wasm32", tsify(type = "bigint | null"))]
    pub price_nano_lamports: Option<i128>,
    /// What the whole supply is worth at that price, in lamports, floored; null where that passes 127 bits.
    #[cfg_attr(target_arch = "wasm32", tsify(type = "bigint | null"))]
    pub market_cap_lamports: Option<i128>,
    /// Lamports the protocol earned with it.
    #[cfg_attr(target_arch = "wasm32", tsify(type = "bigint"))]
    pub protocol_fees_lamports: u64,
    /// Lamports its creator earned.
    #[cfg_attr(target_arch = "wasm32", tsify(type = "bigint"))]
    pub creator_fees_lamports: u64,
}
to_value!(SandboxToken {
    mint,
    symbol,
    name,
    decimals,
    has_creator,
    supply,
    virtual_token_reserves,
    virtual_sol_reserves,
    real_token_reserves,
    real_sol_reserves,
    complete,
    price_nano_lamports,
    market_cap_lamports,
    protocol_fees_lamports,
    creator_fees_lamports,
});

pub(super) fn wallet(state: &State, row: &WalletRow) -> SandboxWallet {
    let account = |token: &TokenRow| {
        let account = state.token_account(&row.wallet, &token.mint)?;
        Some(SandboxTokenAccount {
            mint: token.mint.clone(),
            token_account: name::token_account_address(&row.wallet, &token.mint),
            tokens: account.tokens,
            lamports: account.lamports,
        })
    };
    SandboxWallet {
        wallet: row.wallet.clone(),
        label: row.label.clone(),
        lamports: row.lamports,
        level: row.level,
        token_accounts: state.tokens.iter().filter_map(account).collect(),
    }
}

pub(super) fn token(row: &TokenRow, decimals: u8) -> SandboxToken {
    let curve = row.token().curve;
    let price = curve.spot_price().nano_lamports_per_token(decimals);
    let market_cap = curve.market_cap_lamports(row.supply).ok();
    SandboxToken {
        mint: row.mint.clone(),
        symbol: row.symbol.clone(),
        name: row.name.clone(),
        decimals,
        has_creator: row.has_creator,
        supply: row.supply,
        virtual_token_reserves: row.virtual_token_reserves,
        virtual_sol_reserves: row.virtual_sol_reserves,
        real_token_reserves: row.real_token_reserves,
        real_sol_reserves: row.real_sol_reserves,
        complete: curve.is_complete(),
        price_nano_lamports: price.and_then(|price| i128::try_from(price).ok()),
        market_cap_lamports: market_cap.and_then(|lamports| i128::try_from(lamports).ok()),
        protocol_fees_lamports: row.protocol_fees_lamports,
        creator_fees_lamports: row.creator_fees_lamports,
    }
}
