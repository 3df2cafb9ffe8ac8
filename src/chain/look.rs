//! A look at a token: its curve, the rules that it trades by, and what some wallets hold, all of one slot.
//!
//! [`addresses`] says which accounts to ask for, in one `getMultipleAccounts`; [`Look::read`] reads them. A missing,
//! unreadable or foreign account refuses the whole look: a part of it gives no price.

use std::num::NonZeroU16;

use super::account::Account;
use super::address::{
    Address, FEE_CONFIG, GLOBAL, LAUNCHPAD_PROGRAM, TOKEN_2022_PROGRAM, TOKEN_PROGRAM, curve_address,
    token_account_address, volume_account_address,
};
use super::curve::ChainCurve;
use super::fee_config::read_fee_tiers;
use super::global::Global;
use super::mint::Mint;
use super::read_error::ReadError;
use super::token_account::{Holding, read_holding};
use super::unreadable::{AccountKind, AccountRefusal, Unreadable};
use super::wallets::Wallets;
use crate::launchpad::account::{NEWER_TOKEN_ACCOUNT_BYTES, TOKEN_ACCOUNT_BYTES, TokenAccount};
use crate::launchpad::dry_run::Market;
use crate::launchpad::fees::BPS;
use crate::launchpad::settings::LaunchpadConfig;
use crate::launchpad::transaction::Wallet;
use crate::launchpad::{Completion, Launchpad, Token, curve_settings};
use crate::tape::{Number, Tape, ToTape, Writer};
use crate::{object, record};

/// The most wallets of one look: a node returns at most 100 accounts at once.
pub const MOST_WALLETS: usize = 24;

/// The accounts of a look that belong to one wallet.
const ACCOUNTS_OF_WALLET: usize = 4;

record! {
    /// What a look found of a wallet.
    WalletLook {
        /// The wallet's id, as it was asked for.
        wallet: String => "string",
        /// Its lamports; absent if there is no such account.
        lamports: Option<u64> => "bigint | null",
        /// Where it usually holds the token, whether or not that account exists.
        token_account: Address => "string",
        /// What it holds there; absent if there is no such account.
        holding: Option<Holding> => "Holding | null",
        /// Whether its next buy also opens the account in which the launchpad counts what it trades, at its own cost.
        opens_volume_account: bool => "boolean",
    }
}

impl WalletLook {
    /// The wallet as a quote takes it.
    pub fn wallet(&self) -> Wallet {
        Wallet {
            lamports: self.lamports.unwrap_or(0),
            token_account: self.holding.map(|holding| TokenAccount {
                tokens: holding.tokens,
                lamports: holding.lamports,
                is_frozen: holding.is_frozen,
                stays_open: holding.stays_open(),
            }),
            opens_volume_account: self.opens_volume_account,
        }
    }
}

/// A token, the rules that it trades by, and some wallets, all of one slot.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Look {
    /// The token.
    pub mint: Address,
    /// The slot in which all of it was read.
    pub slot: u64,
    /// The token's curve as the chain holds it.
    pub chain: ChainCurve,
    pub token_mint: Mint,
    /// The launchpad's rules: rates, decimals and token accounts as of this slot, the rest as of the rules' own date.
    pub launchpad: Launchpad,
    /// The token, for quotes.
    pub token: Token,
    /// The wallets, in the order in which they were asked for.
    pub wallets: Vec<WalletLook>,
    /// Ids of wallets that were asked for, too, but are no addresses and have none: nothing is known of them.
    pub unknown_wallets: Vec<String>,
}

/// The accounts of a look, in the order in which [`Look::read`] takes them: curve, fee rates, settings, mint; then for each wallet
/// itself, its two possible token accounts, because only the mint says which program the token belongs to, and its volume account.
pub fn addresses(mint: &Address, wallets: &Wallets) -> Vec<Address> {
    let mut addresses = vec![curve_address(mint), FEE_CONFIG, GLOBAL, *mint];
    for (_, wallet) in &wallets.known {
        addresses.push(*wallet);
        addresses.extend(
            [TOKEN_PROGRAM, TOKEN_2022_PROGRAM].map(|program| token_account_address(wallet, &program, mint)),
        );
        addresses.push(volume_account_address(wallet));
    }
    addresses
}

impl Look {
    /// Reads the accounts at these [`addresses`], which were read in one slot. `rules` has what accounts do not say, with its
    /// date: the rent and the network's charges.
    ///
    /// # Errors
    ///
    /// The first refused account; the token account of another wallet or token is refused, too.
    pub fn read(
        mint: &Address,
        wallets: &Wallets,
        addresses: &[Address],
        slot: u64,
        accounts: &[Option<Account>],
        rules: &Launchpad,
    ) -> Result<Look, ReadError> {
        if accounts.len() != 4 + ACCOUNTS_OF_WALLET * wallets.known.len() || addresses.len() != accounts.len()
        {
            return Err(ReadError::count());
        }
        let [curve, fees, global, token_mint, of_wallets @ ..] = accounts else {
            return Err(ReadError::count());
        };
        let [curve_address, _, _, _, of_wallet_addresses @ ..] = addresses else {
            return Err(ReadError::count());
        };
        let chain = ChainCurve::read_at(curve_address, curve.as_ref())?;
        let fee_tiers = read_fee_tiers(fees.as_ref())?;
        let global = Global::read(global.as_ref())?;
        let token_mint = Mint::read(mint, token_mint.as_ref())?;
        let is_newer = token_mint.token_program == TOKEN_2022_PROGRAM;
        let looks = wallet_looks(mint, wallets, of_wallet_addresses, of_wallets, Some(is_newer))?;
        let is_configurable = global.creator_fee_configurable == Some(true);
        let creator_bps = match chain.creator_fee_bps.filter(|_| is_configurable) {
            Some(bps) if bps > BPS => return Err(refused(AccountKind::Curve, AccountRefusal::Range)),
            own => own.and_then(|bps| NonZeroU16::new(bps as u16)),
        };
        let launchpad = Launchpad {
            fee_tiers,
            start: global.start,
            token_supply: global.token_total_supply,
            token_decimals: token_mint.decimals,
            token_account_bytes: if is_newer { NEWER_TOKEN_ACCOUNT_BYTES } else { TOKEN_ACCOUNT_BYTES },
            // Curves of the builds that fill a buy from the future pool say how much that was.
            completion: if chain.post_complete_tokens_out.is_some() {
                Completion::Pool
            } else {
                rules.completion
            },
            ..rules.clone()
        };
        let token = Token {
            curve: chain.reserves,
            supply: if chain.is_mayhem == Some(true) { chain.token_total_supply } else { token_mint.supply },
            has_creator: chain.creator.is_some(),
            creator_bps,
            complete: chain.complete,
        };
        let unknown_wallets = wallets.unknown.iter().map(|unknown| unknown.wallet.clone()).collect();
        Ok(Look { mint: *mint, slot, chain, token_mint, launchpad, token, wallets: looks, unknown_wallets })
    }

    /// The look in the form of a sandbox's config: what a request would do there is what it would do now.
    pub fn sandbox_settings(&self) -> Tape {
        let token = &self.token;
        let wallet = |look: &WalletLook| {
            let holdings: Vec<Tape> = look
                .holding
                .iter()
                .map(|holding| {
                    object! {
                        "mint": self.mint,
                        "tokens": holding.tokens,
                        "lamports": holding.lamports,
                        "isFrozen": holding.is_frozen,
                        "staysOpen": holding.stays_open(),
                    }
                })
                .collect();
            object! {
                "wallet": look.wallet,
                "lamports": look.lamports.unwrap_or(0),
                "opensVolumeAccount": look.opens_volume_account,
                "holdings": holdings,
            }
        };
        let own = object! {
            "mint": self.mint,
            "curve": token.curve,
            "supply": token.supply,
            "hasCreator": token.has_creator,
            "creatorBps": token.creator_bps.map_or(0, NonZeroU16::get),
            "complete": token.complete,
        };
        object! {
            "launchpad": LaunchpadConfig::of(&self.launchpad),
            "tokens": vec![own],
            "wallets": self.wallets.iter().map(wallet).collect::<Vec<_>>(),
        }
    }
}

impl Market for Look {
    fn token(&self, mint: &str) -> Option<Token> {
        (mint.parse() == Ok(self.mint)).then_some(self.token)
    }

    fn wallet(&self, id: &str, _: &str) -> Option<Wallet> {
        self.wallets.iter().find(|look| look.wallet == id).map(WalletLook::wallet)
    }

    fn unknown_wallets(&self) -> &[String] {
        &self.unknown_wallets
    }

    fn whose(&self) -> &'static str {
        "the market's"
    }
}

/// What wallets hold, from the accounts of a look. The token's curve is not read, and there may be no such token yet: then they hold
/// none of it.
///
/// # Errors
///
/// The first refused account of a wallet; a token account of a token that does not exist.
pub fn read_wallets(
    mint: &Address,
    wallets: &Wallets,
    addresses: &[Address],
    accounts: &[Option<Account>],
) -> Result<Vec<WalletLook>, ReadError> {
    let ([_, _, _, token_mint, of_wallets @ ..], [_, _, _, _, of_addresses @ ..]) = (accounts, addresses)
    else {
        return Err(ReadError::count());
    };
    let token_mint = token_mint.as_ref().filter(|account| account.exists());
    let token_mint = token_mint.map(|account| Mint::read(mint, Some(account))).transpose()?;
    let is_newer = token_mint.map(|own| own.token_program == TOKEN_2022_PROGRAM);
    wallet_looks(mint, wallets, of_addresses, of_wallets, is_newer)
}

/// The wallets of a look, of a token of the newer program or not; of one that does not exist, if that is not known.
fn wallet_looks(
    mint: &Address,
    wallets: &Wallets,
    addresses: &[Address],
    accounts: &[Option<Account>],
    is_newer: Option<bool>,
) -> Result<Vec<WalletLook>, ReadError> {
    if accounts.len() != ACCOUNTS_OF_WALLET * wallets.known.len() || addresses.len() != accounts.len() {
        return Err(ReadError::count());
    }
    let mut looks = Vec::with_capacity(wallets.known.len());
    let parts = accounts.chunks_exact(ACCOUNTS_OF_WALLET).zip(addresses.chunks_exact(ACCOUNTS_OF_WALLET));
    for ((id, wallet), (accounts, addresses)) in wallets.known.iter().zip(parts) {
        let [own, first, newer, volume] = accounts else { return Err(ReadError::count()) };
        let [_, first_address, newer_address, _] = addresses else { return Err(ReadError::count()) };
        let (account, token_account) = match is_newer {
            Some(false) => (first, first_address),
            Some(true) => (newer, newer_address),
            None if first.iter().chain(newer).any(Account::exists) => {
                return Err(refused(AccountKind::Mint, AccountRefusal::Missing));
            }
            None => (newer, newer_address),
        };
        if own.as_ref().is_some_and(|own| own.address != *wallet) {
            return Err(refused(AccountKind::TokenAccount, AccountRefusal::Address));
        }
        let holding = read_holding(token_account, account.as_ref())?;
        if holding.is_some_and(|holding| holding.wallet != *wallet) {
            return Err(refused(AccountKind::TokenAccount, AccountRefusal::Wallet));
        }
        if holding.is_some_and(|holding| holding.mint != *mint) {
            return Err(refused(AccountKind::TokenAccount, AccountRefusal::Mint));
        }
        looks.push(WalletLook {
            wallet: id.clone(),
            lamports: own.as_ref().map(|own| own.lamports).filter(|lamports| *lamports > 0),
            token_account: *token_account,
            holding,
            // Lamports that somebody sent there before are not yet an account of the launchpad.
            opens_volume_account: volume.as_ref().is_none_or(|volume| volume.owner != LAUNCHPAD_PROGRAM),
        });
    }
    Ok(looks)
}

fn refused(kind: AccountKind, refusal: AccountRefusal) -> ReadError {
    Unreadable { kind, refusal }.into()
}

impl ToTape for Look {
    fn write(&self, tape: &mut Writer) {
        let curve = curve_settings::write(&self.launchpad, &self.token);
        let sandbox = self.sandbox_settings();
        let slot = Number(self.slot.into());
        let fields: [(&str, &dyn ToTape); 9] = [
            ("mint", &self.mint),
            ("slot", &slot),
            ("curve", &curve),
            ("chain", &self.chain),
            ("tokenProgram", &self.token_mint.token_program),
            ("mintSupply", &self.token_mint.supply),
            ("wallets", &self.wallets),
            ("unknownWallets", &self.unknown_wallets),
            ("sandbox", &sandbox),
        ];
        tape.object(&mut fields.into_iter());
    }
}
